//! A picture of how often players win with the win rates that a network says.

use std::fmt::Write;

use crate::records::Exam;

/// The side of the square, in pixels, and the margin around it for numbers and names.
const SIDE: f64 = 320.0;
const MARGIN: f64 = 48.0;

/// The area of a circle, in square pixels, for all positions in one bin.
const AREA: f64 = 4_000.0;

/// A reliability diagram as SVG: each circle is a bin of win rates, as large as the share of positions that it has.
/// What lies on the diagonal means what it says.
pub fn reliability_diagram(exam: &Exam, caption: &str) -> String {
    let caption = escaped(caption);
    let (width, height) = (SIDE + 2.0 * MARGIN, SIDE + 2.0 * MARGIN);
    let x_of = |share: f64| MARGIN + share * SIDE;
    let y_of = |share: f64| MARGIN + (1.0 - share) * SIDE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\"\n \
         aria-label=\"{caption}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"{MARGIN}\" y=\"20\" font-size=\"13\">{caption}</text>\n"
    );
    for step in 0..=4 {
        let share = f64::from(step) / 4.0;
        let percent = 25 * step;
        let (x, y) = (x_of(share), y_of(share));
        let (low, high) = (x_of(0.0), x_of(1.0));
        let (top, bottom) = (y_of(1.0), y_of(0.0));
        let _ = writeln!(
            svg,
            "<path d=\"M{low} {y}H{high}M{x} {top}V{bottom}\" stroke=\"#ddd\"/>\n\
             <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{percent}</text>\n\
             <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{percent}</text>",
            low - 6.0,
            y + 4.0,
            bottom + 16.0
        );
    }
    let _ = writeln!(
        svg,
        "<path d=\"M{} {}L{} {}\" stroke=\"#888\" stroke-dasharray=\"4 3\"/>\n\
         <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">the network says, %</text>\n\
         <text transform=\"translate(12 {}) rotate(-90)\" text-anchor=\"middle\">players won, %</text>",
        x_of(0.0),
        y_of(0.0),
        x_of(1.0),
        y_of(1.0),
        x_of(0.5),
        y_of(0.0) + 34.0,
        y_of(0.5)
    );
    let all: u64 = exam.bins.iter().map(|bin| bin.positions).sum();
    for bin in &exam.bins {
        let share = bin.positions as f64 / all.max(1) as f64;
        let radius = (AREA * share / std::f64::consts::PI).sqrt().max(2.0);
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius:.1}\" fill=\"#2563eb\" fill-opacity=\"0.6\"/>",
            x_of(bin.said),
            y_of(bin.won)
        );
    }
    svg += "</svg>\n";
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::reliability_diagram;
    use crate::records::{Bin, Exam};

    #[test]
    fn circles_are_where_bins_are_and_as_large_as_their_share() {
        let bin = |positions, said, won| Bin {
            positions,
            said,
            won,
        };
        let exam = Exam {
            bins: vec![bin(1, 0.25, 0.25), bin(99, 0.5, 1.0)],
            ..Exam::default()
        };
        let svg = reliability_diagram(&exam, "b < a");
        assert!(svg.contains("cx=\"128.0\" cy=\"288.0\" r=\"3.6\""), "{svg}");
        assert!(svg.contains("cx=\"208.0\" cy=\"48.0\" r=\"35.5\""), "{svg}");
        assert!(svg.contains(">b &lt; a</text>"), "{svg}");
    }
}

//! NGF, the records of Wbaduk and CyberOro.
//!
//! Twelve lines whose place tells what they are, then moves such as `PMABBREER`: `PM`, a counter of two letters, the
//! colour, and the point twice, forwards and backwards, where `B` is 1 and `AA` is a pass. In another dialect the
//! header has eleven lines with `GI` before each, in another order, and comments follow the moves:
//! `IDB[211] text[EndTxt]`.

use tengen_core::{Color, Point, Size};

use super::draft::{Draft, OpenCorner, ROOT};
use super::{Converted, ForeignError, Format, iso_date, numbered_lines, rank, result};

/// Which line of the header holds what.
struct Layout {
    title: usize,
    size: usize,
    white: usize,
    black: usize,
    place: Option<usize>,
    handicap: usize,
    komi: usize,
    date: usize,
    minutes: Option<usize>,
    result: Option<usize>,
    lines: usize,
}

const PLAIN: Layout = Layout {
    title: 0,
    size: 1,
    white: 2,
    black: 3,
    place: Some(4),
    handicap: 5,
    komi: 7,
    date: 8,
    minutes: Some(9),
    result: Some(10),
    lines: 12,
};

const PREFIXED: Layout = Layout {
    title: 0,
    size: 6,
    white: 1,
    black: 2,
    place: None,
    handicap: 7,
    komi: 9,
    date: 5,
    minutes: None,
    result: None,
    lines: 11,
};

/// Whether a line is a move, by which the format is told.
pub(super) fn is_move(line: &str) -> bool {
    matches!(
        line.as_bytes(),
        [b'P', b'M', b'A'..=b'Z', b'A'..=b'Z', b'B' | b'W', rest @ ..]
            if rest.len() >= 4 && rest[..4].iter().all(u8::is_ascii_uppercase)
    )
}

pub(super) fn to_sgf(text: &str) -> Result<Converted, ForeignError> {
    let lines: Vec<(usize, &str)> = numbered_lines(text)
        .map(|(number, line)| (number, line.trim()))
        .collect();
    let moves_from = lines.iter().position(|(_, line)| is_move(line));
    let prefixed = lines
        .iter()
        .find(|(_, line)| !line.is_empty())
        .is_some_and(|(_, line)| line.starts_with("GI"));
    let layout = if prefixed { PREFIXED } else { PLAIN };
    let (mut header, moves) = lines.split_at(moves_from.unwrap_or(layout.lines).min(lines.len()));
    // An empty first line can be a game without a title.
    while let [(_, ""), rest @ ..] = header
        && rest.len() >= layout.lines
    {
        header = rest;
    }
    let header: Vec<(usize, &str)> = header
        .iter()
        .map(|(number, line)| {
            (
                *number,
                line.strip_prefix("GI").filter(|_| prefixed).unwrap_or(line),
            )
        })
        .collect();
    let at = |index: usize| header.get(index).map_or("", |(_, line)| line.trim());
    if moves_from.is_none() && header.len() < layout.lines {
        return Err(ForeignError::Empty(Format::Ngf));
    }

    let size = match at(layout.size) {
        "" => Size::square(19).ok(),
        side => side.parse().ok().and_then(|side| Size::square(side).ok()),
    };
    let size = size.ok_or_else(|| ForeignError::Size {
        format: Format::Ngf,
        line: header[layout.size].0,
        size: at(layout.size).to_owned(),
    })?;
    let mut draft = Draft::new(size);
    if header.len() != layout.lines {
        let found = header.len();
        draft.note(
            1,
            format!("the header has {found} lines instead of {}", layout.lines),
        );
    }
    let moves = read_moves(&mut draft, moves, size);

    write_player(&mut draft, ["PB", "BR"], at(layout.black));
    write_player(&mut draft, ["PW", "WR"], at(layout.white));
    draft.set_text(ROOT, "EV", at(layout.title));
    draft.set_text(ROOT, "PC", layout.place.map_or("", at));
    draft.set_text(ROOT, "DT", &iso_date(at(layout.date)).unwrap_or_default());
    if let Some(minutes @ 1..) = layout.minutes.and_then(|line| at(line).parse::<u32>().ok()) {
        draft.set_text(ROOT, "TM", &(u64::from(minutes) * 60).to_string());
    }
    let handicap = at(layout.handicap).parse().unwrap_or(0);
    write_komi(&mut draft, at(layout.komi), handicap);
    let last_comment = moves.comments.last().map_or("", |(_, text)| text);
    let worded = layout.result.map_or(last_comment, at);
    match result::read(worded) {
        Some(result) => draft.set_text(ROOT, "RE", &result),
        None => draft.append_text(ROOT, "GC", layout.result.map_or("", at)),
    }
    if (2..=9).contains(&handicap) {
        let played = moves.moves.iter().filter_map(|(_, point)| *point);
        draft.add_handicap(size, handicap, OpenCorner::TopLeft, played);
    }
    moves.write(&mut draft);
    Ok(draft.finish())
}

#[derive(Default)]
struct Moves {
    moves: Vec<(Color, Option<Point>)>,
    /// Comments with the number of the move that they are about.
    comments: Vec<(usize, String)>,
}

fn read_moves(draft: &mut Draft, lines: &[(usize, &str)], size: Size) -> Moves {
    let mut moves = Moves::default();
    let mut open = false;
    for &(number, line) in lines {
        if open {
            let last = moves
                .comments
                .last_mut()
                .expect("an open comment is the last");
            last.1.push('\n');
            last.1.push_str(line.trim_end_matches("[EndTxt]"));
            open = !line.ends_with("[EndTxt]");
        } else if is_move(line) {
            let bytes = line.as_bytes();
            let color = if bytes[4] == b'B' {
                Color::Black
            } else {
                Color::White
            };
            match read_point(bytes[5], bytes[6], size) {
                Some(point) => moves.moves.push((color, point)),
                None => draft.note(number, format!("`{line}` is not on the board")),
            }
        } else if let Some((about, text)) = read_comment(line) {
            open = !text.ends_with("[EndTxt]");
            moves
                .comments
                .push((about, text.trim_end_matches("[EndTxt]").trim().to_owned()));
        } else if !line.is_empty() && !line.starts_with("GI") {
            draft.note(number, format!("`{line}` was not understood and left out"));
        }
    }
    moves
}

/// A point, no point for a pass, or nothing for what is not on the board.
fn read_point(x: u8, y: u8, size: Size) -> Option<Option<Point>> {
    if (x, y) == (b'A', b'A') {
        return Some(None);
    }
    let point = Point::checked_new(x.checked_sub(b'B')?, y.checked_sub(b'B')?)?;
    size.contains(point).then_some(Some(point))
}

/// `IDB[211] text`: the number of the move and the text.
fn read_comment(line: &str) -> Option<(usize, &str)> {
    let rest = line.strip_prefix("ID")?;
    let (number, text) = rest.split_once('[')?.1.split_once(']')?;
    Some((number.trim().parse().ok()?, text.trim()))
}

impl Moves {
    fn write(self, draft: &mut Draft) {
        let mut nodes = vec![ROOT];
        for (color, point) in self.moves {
            let node = draft.continue_from(nodes[nodes.len() - 1]);
            draft.set_move(node, color, point);
            nodes.push(node);
        }
        for (about, text) in self.comments {
            draft.append_text(nodes[about.min(nodes.len() - 1)], "C", &text);
        }
    }
}

/// A name and a rank with space between them. Names can have spaces too.
fn write_player(draft: &mut Draft, names: [&'static str; 2], line: &str) {
    let (name, written) = match line.rsplit_once(char::is_whitespace) {
        Some((name, last))
            if rank(last).is_some() || last.ends_with('段') || last.ends_with('단') =>
        {
            (name, last)
        }
        _ => (line, ""),
    };
    draft.set_text(ROOT, names[0], name);
    draft.set_text(
        ROOT,
        names[1],
        &rank(written).unwrap_or_else(|| written.to_owned()),
    );
}

/// In even games the half point goes without saying.
fn write_komi(draft: &mut Draft, written: &str, handicap: u8) {
    if let Ok(komi) = written.parse::<f64>()
        && komi.abs() < 100.0
    {
        let silent = if handicap == 0 && komi.fract() == 0.0 {
            0.5
        } else {
            0.0
        };
        draft.set_text(ROOT, "KM", &format!("{}", komi + silent));
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) const SAMPLE: &str = "\
Friendly match
19
Lee S.D.    9DP
kim_3       10K*
www.example.org
2
0
0
20110812 [ 9:31]
15
White wins by 18.5 points! >> White(100):Black(88)
4
PMABWQRRQ
PMACBEEEE
PMADWAAAA
PMAEBTTTT
";

    pub(in super::super) const PREFIXED_SAMPLE: &str = "\
GI名人战
GI马晓春 九段
GI常昊 8段
GI
GI
GI1998-3-7
GI19
GI0
GI0
GI5
GI2
PMABBREER
PMACWEEEE
GI1
IDB[1] 星[EndTxt]
IDW[2] 第二手
黑中盘胜[EndTxt]
what is this
";

    #[test]
    fn a_game_of_wbaduk_is_read() {
        let converted = to_sgf(SAMPLE).unwrap();
        assert_eq!(
            converted.sgf,
            "(;FF[4]GM[1]CA[UTF-8]SZ[19]PB[kim_3]BR[10k]PW[Lee S.D.]WR[9p]EV[Friendly match]\
             PC[www.example.org]DT[2011-08-12]TM[900]KM[0]RE[W+18.5]HA[2]AB[dp][pd]\
             ;W[pq];B[dd];W[];B[ss])\n"
        );
        assert_eq!(converted.notes, []);
    }

    #[test]
    fn the_dialect_with_prefixes_is_read() {
        let converted = to_sgf(PREFIXED_SAMPLE).unwrap();
        assert_eq!(
            converted.sgf,
            "(;FF[4]GM[1]CA[UTF-8]SZ[19]PB[常昊]BR[8d]PW[马晓春]WR[九段]EV[名人战]DT[1998-03-07]\
             KM[5.5]RE[B+R];B[qd]C[星];W[dd]C[第二手\n黑中盘胜])\n"
        );
        assert_eq!(converted.notes.len(), 1);
        assert_eq!(converted.notes[0].line, 18);
    }

    #[test]
    fn even_games_have_half_a_point_more_than_is_written() {
        for (handicap, komi, expected) in [
            ("0", "6", "KM[6.5]"),
            ("0", "6.5", "KM[6.5]"),
            ("2", "0", "KM[0]"),
        ] {
            let text = format!("\n19\na\nb\n\n{handicap}\n0\n{komi}\n\n\n\n0\n");
            assert!(to_sgf(&text).unwrap().sgf.contains(expected));
        }
    }

    #[test]
    fn a_board_that_is_none_is_refused_with_its_line() {
        let error = to_sgf(&SAMPLE.replacen("19", "99", 1)).unwrap_err();
        assert_eq!(error.to_string(), "NGF, line 2: `99` is no size of a board");
    }

    #[test]
    fn a_move_off_the_board_is_noted() {
        let converted = to_sgf(&SAMPLE.replace("PMAEBTTTT", "PMAEBUCCU")).unwrap();
        assert_eq!(converted.notes[0].line, 16);
        assert!(converted.sgf.ends_with(";W[])\n"));
    }
}

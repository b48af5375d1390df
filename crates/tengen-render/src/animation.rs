//! Pictures one after the other.

use std::collections::HashMap;
use std::fmt::Write;
use std::time::Duration;

use crate::error::RenderError;
use crate::layout::Layout;
use crate::picture::Picture;
use crate::scene::{self, Layer};
use crate::svg;

/// What an animation does at its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Repeat {
    /// It begins anew.
    #[default]
    Forever,
    /// It stays at the last picture.
    Never,
}

/// A sequence of pictures, such as all positions of a game.
///
/// ```
/// use std::time::Duration;
/// use tengen_core::{Board, Color, Point, Size, Suicide};
/// use tengen_render::{Animation, Picture};
///
/// let mut board = Board::new(Size::square(9)?);
/// let mut frames = vec![Picture::new(&board)];
/// for (color, x) in [(Color::Black, 2), (Color::White, 6)] {
///     let point = Point::new(x, 4);
///     board.play(point, color, Suicide::Forbidden)?;
///     frames.push(Picture::new(&board).last(Some(point)));
/// }
/// let animation = Animation::new(frames)?.frame_duration(Duration::from_millis(500));
/// assert!(animation.to_svg().contains("@keyframes"));
/// assert!(animation.to_gif(200)?.starts_with(b"GIF89a"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Animation {
    pub(crate) frames: Vec<Picture>,
    pub(crate) frame_duration: Duration,
    pub(crate) end_pause: Duration,
    pub(crate) repeat: Repeat,
}

impl Animation {
    /// These pictures, 0.8 seconds each and the last one three seconds longer, again and again.
    ///
    /// Refused if there is none, or if they differ in what cannot change while one looks at it.
    pub fn new(frames: Vec<Picture>) -> Result<Self, RenderError> {
        let first = frames.first().ok_or(RenderError::NoFrames)?;
        if let Some(index) = frames.iter().position(|frame| !frame.is_like(first)) {
            return Err(RenderError::FramesDiffer(index));
        }
        Ok(Self {
            frames,
            frame_duration: Duration::from_millis(800),
            end_pause: Duration::from_secs(3),
            repeat: Repeat::default(),
        })
    }

    /// Sets for how long each picture is shown: at least a hundredth of a second and at most ten minutes.
    #[must_use]
    pub fn frame_duration(mut self, duration: Duration) -> Self {
        self.frame_duration = duration.clamp(Duration::from_millis(10), Duration::from_secs(600));
        self
    }

    /// Sets how much longer than the others the last picture is shown, ten minutes at most.
    #[must_use]
    pub fn end_pause(mut self, duration: Duration) -> Self {
        self.end_pause = duration.min(Duration::from_secs(600));
        self
    }

    /// Sets what happens at the end.
    #[must_use]
    pub const fn repeat(mut self, repeat: Repeat) -> Self {
        self.repeat = repeat;
        self
    }

    /// The animation as one SVG. Every stone and mark is in it once, with the times at which it comes and goes.
    ///
    /// Whoever has asked their browser for less motion, and programs that show only still images, see the last picture.
    pub fn to_svg(&self) -> String {
        let layout = Layout::natural_with_captions(self.first(), &self.captions());
        let style = self.first().theme.style();
        let acts = self.acts(&layout);
        let last = self.frames.last().unwrap_or(self.first());
        let mut body = String::new();
        let mut steps = Steps::default();
        let mut layer = None;
        for act in &acts {
            if layer != Some(act.layer) {
                body.push_str(if layer.is_some() { "</g>" } else { "" });
                body.push_str(&svg::open(act.layer, style));
                layer = Some(act.layer);
            }
            if act.spans == [[0, self.frames.len()]] {
                body.push_str(&act.svg);
                continue;
            }
            let number = steps.number(&act.spans);
            let at_end = act
                .spans
                .last()
                .is_some_and(|span| span[1] == self.frames.len());
            let hidden = if at_end { "" } else { " visibility=\"hidden\"" };
            let _ = write!(
                body,
                "<g class=\"{PREFIX}{number}\"{hidden}>{}</g>",
                act.svg
            );
        }
        body.push_str(if layer.is_some() { "</g>" } else { "" });
        let description = format!(
            "An animation of {} positions. {}",
            self.frames.len(),
            svg::describe(last)
        );
        // Names are seen by the whole page that the SVG is part of, so they must differ from those of other animations.
        let prefix = format!("t{:x}-", fingerprint(&body));
        let style = steps.style(self);
        format!(
            "{}{}{}{}",
            svg::head(last, &layout, &description),
            style.replace(PREFIX, &prefix),
            body.replace(PREFIX, &prefix),
            svg::TAIL
        )
    }

    pub(crate) fn first(&self) -> &Picture {
        self.frames.first().expect("an animation has a picture")
    }

    pub(crate) fn captions(&self) -> Vec<&str> {
        let captions = self.frames.iter();
        captions
            .filter_map(|frame| frame.caption.as_deref())
            .collect()
    }

    /// All elements of all pictures, each once; those that come and go together are one. Sorted by layer.
    fn acts(&self, layout: &Layout) -> Vec<Act> {
        let mut acts: Vec<Act> = Vec::new();
        let mut known: HashMap<(Layer, String), usize> = HashMap::new();
        for (index, frame) in self.frames.iter().enumerate() {
            for element in scene::elements(frame, layout) {
                let layer = element.layer;
                let act = *known
                    .entry((layer, element.svg))
                    .or_insert_with_key(|(_, svg)| {
                        acts.push(Act {
                            layer,
                            svg: svg.clone(),
                            spans: Vec::new(),
                        });
                        acts.len() - 1
                    });
                match acts[act].spans.last_mut() {
                    Some([_, end]) if *end == index => *end += 1,
                    _ => acts[act].spans.push([index, index + 1]),
                }
            }
        }
        let mut together: HashMap<(Layer, Vec<[usize; 2]>), usize> = HashMap::new();
        let mut merged: Vec<Act> = Vec::new();
        for act in acts {
            let key = (act.layer, act.spans.clone());
            match together.get(&key) {
                Some(&index) => merged[index].svg.push_str(&act.svg),
                None => {
                    together.insert(key, merged.len());
                    merged.push(act);
                }
            }
        }
        merged.sort_by_key(|act| act.layer);
        merged
    }
}

/// Stands for the beginning of all names until it is known. No text of a picture can hold it.
const PREFIX: &str = "\u{0}";

/// Something that is shown in some of the pictures.
struct Act {
    layer: Layer,
    svg: String,
    /// From which picture to before which one.
    spans: Vec<[usize; 2]>,
}

/// The different times at which something is seen, numbered in order of appearance.
#[derive(Default)]
struct Steps {
    numbers: HashMap<Vec<[usize; 2]>, usize>,
    spans: Vec<Vec<[usize; 2]>>,
}

impl Steps {
    fn number(&mut self, spans: &[[usize; 2]]) -> usize {
        if let Some(&number) = self.numbers.get(spans) {
            return number;
        }
        self.numbers.insert(spans.to_vec(), self.spans.len());
        self.spans.push(spans.to_vec());
        self.spans.len() - 1
    }

    fn style(&self, animation: &Animation) -> String {
        if self.spans.is_empty() {
            return String::new();
        }
        let frames = animation.frames.len();
        let frame = animation.frame_duration.as_secs_f64();
        let total = frame * frames as f64 + animation.end_pause.as_secs_f64();
        let count = match animation.repeat {
            Repeat::Forever => "infinite",
            Repeat::Never => "1",
        };
        // Pictures are counted from the start, so the last one gets what the others leave of the total.
        let percent = |index: usize| {
            let text = format!("{:.4}", 100.0 * frame * index as f64 / total);
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        };
        let mut style = format!(
            "<style>[class^={PREFIX}]{{animation:{total:.3}s step-end {count}}}\
             svg:hover [class^={PREFIX}]{{animation-play-state:paused}}\
             @media(prefers-reduced-motion:reduce){{[class^={PREFIX}]{{animation:none!important}}}}"
        );
        for (number, spans) in self.spans.iter().enumerate() {
            let name = format!("{PREFIX}{number}");
            let _ = write!(style, ".{name}{{animation-name:{name}}}@keyframes {name}{{");
            if spans[0][0] > 0 {
                style.push_str("0%{visibility:hidden}");
            }
            for &[start, end] in spans {
                let _ = write!(style, "{}%{{visibility:visible}}", percent(start));
                if end < frames {
                    let _ = write!(style, "{}%{{visibility:hidden}}", percent(end));
                }
            }
            style.push('}');
        }
        style.push_str("</style>");
        style
    }
}

/// A number that is different for different animations (FNV-1a).
fn fingerprint(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

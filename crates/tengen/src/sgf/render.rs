//! `tengen sgf render`: a position or a whole game as a picture.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use tengen_core::{Color, Point};
use tengen_files::write_whole;
use tengen_render::{Animation, Coordinates, Fonts, Link, LinkKind, Mark, Picture, Region, Theme};
use tengen_sgf::{Charset, GameInfo, Mode, Node, Replay, Value};

use super::files;
use super::position::Chosen;
use crate::failure::Usage;

/// Draw a position as SVG or PNG, or a whole game as animated SVG or GIF.
///
/// Marks, labels, lines and the visible part of the board are those of the record.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tengen sgf render game.sgf --move 50 -o position.svg
  tengen sgf render game.sgf -o end.png --width 1200 --theme plain
  tengen sgf render game.sgf --numbers 40-60 -o diagram.svg
  tengen sgf render game.sgf --animate -o game.gif")]
pub(crate) struct RenderArgs {
    /// A record, or - for standard input.
    file: String,
    #[command(flatten)]
    chosen: Chosen,
    /// The file to write; its ending, .svg, .png or .gif, says what it is. - writes SVG to standard output.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Draw all positions up to the chosen one, one after the other (.svg or .gif).
    #[arg(long)]
    animate: bool,
    /// Seconds that each position of an animation is shown.
    #[arg(long, default_value_t = 0.8, value_name = "SECONDS")]
    delay: f64,
    /// The look: wood, plain or dark.
    #[arg(long, default_value = "wood")]
    theme: Theme,
    /// The width of a PNG or GIF in pixels; 800 by default, 480 for a GIF.
    #[arg(long, value_name = "PIXELS")]
    width: Option<u32>,
    /// Leave out the letters and numbers around the board.
    #[arg(long)]
    no_coordinates: bool,
    /// Write numbers on the stones of these moves: all, or a range such as 40-60.
    #[arg(long, value_name = "RANGE")]
    numbers: Option<Numbers>,
    /// Write the players below the board.
    #[arg(long)]
    caption: bool,
    /// More fonts (TrueType or OpenType), for labels and names in other scripts in PNG and GIF.
    #[arg(long, value_name = "FILE")]
    font: Vec<PathBuf>,
}

/// The moves whose stones get numbers.
#[derive(Clone, Copy)]
struct Numbers {
    first: usize,
    last: usize,
}

impl std::str::FromStr for Numbers {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "all" {
            return Ok(Self {
                first: 1,
                last: usize::MAX,
            });
        }
        let range = text.split_once('-').unwrap_or((text, text));
        match (range.0.parse(), range.1.parse()) {
            (Ok(first), Ok(last)) if first <= last => Ok(Self { first, last }),
            _ => Err("a range of moves is `all`, `40` or `40-60`".to_owned()),
        }
    }
}

/// What the file to write is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Svg,
    Png,
    Gif,
}

impl Kind {
    fn of(path: &Path) -> Result<Self, Usage> {
        let ending = path
            .extension()
            .map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            _ if path == Path::new("-") => Ok(Self::Svg),
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            Some("gif") => Ok(Self::Gif),
            _ => Err(Usage::new(format_args!(
                "{}: a picture's name ends in .svg, .png or .gif",
                path.display()
            ))),
        }
    }
}

/// Draws the chosen position, or all positions up to it.
pub(crate) fn run(args: &RenderArgs, charset: Option<Charset>) -> Result<()> {
    let kind = Kind::of(&args.output)?;
    match (kind, args.animate) {
        (Kind::Png, true) => {
            return Err(Usage::new("a PNG cannot move: animate into .svg or .gif").into());
        }
        (Kind::Gif, false) => {
            return Err(
                Usage::new("a GIF is for --animate; a position goes into .svg or .png").into(),
            );
        }
        _ => {}
    }
    let opened = files::open_one(&args.file, charset)?;
    let (record, number) = args.chosen.record(opened.games)?;
    let root = Chosen::root(&record, number)?;
    let (last, node) = args.chosen.replay(root)?;
    let fonts = read_fonts(&args.font)?;
    let bytes = if args.animate {
        let delay = Duration::try_from_secs_f64(args.delay)
            .map_err(|_| Usage::new("--delay is a number of seconds"))?;
        let animation = Animation::new(frames(args, root, node)?)?.frame_duration(delay);
        match kind {
            Kind::Svg => animation.to_svg().into_bytes(),
            Kind::Gif | Kind::Png => animation
                .to_gif_with(args.width.unwrap_or(480), &fonts)
                .map_err(Usage::new)?,
        }
    } else {
        let picture = Drawing::new(args, root).picture(&last, node);
        match kind {
            Kind::Svg => picture.to_svg().into_bytes(),
            Kind::Png | Kind::Gif => picture
                .to_png_with(args.width.unwrap_or(800), &fonts)
                .map_err(Usage::new)?,
        }
    };
    write(&args.output, &bytes)
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    if path == Path::new("-") {
        let mut out = io::stdout().lock();
        out.write_all(bytes)?;
        if io::stdout().is_terminal() {
            out.write_all(b"\n")?;
        }
        return Ok(());
    }
    write_whole(path, bytes).context("cannot write the picture")
}

fn read_fonts(paths: &[PathBuf]) -> Result<Fonts> {
    let mut fonts = Fonts::embedded();
    for path in paths {
        let data = fs::read(path)
            .map_err(|error| Usage::new(format_args!("{}: {error}", path.display())))?;
        if fonts.add(data) == 0 {
            return Err(
                Usage::new(format_args!("{}: no font in this file", path.display())).into(),
            );
        }
    }
    Ok(fonts)
}

/// A picture for each node from the root to this one.
fn frames(args: &RenderArgs, root: Node<'_>, last: Node<'_>) -> Result<Vec<Picture>> {
    let cannot = |problem: tengen_sgf::Diagnostic| Usage::new(problem.message);
    let mut replay = Replay::start(root, Mode::Lenient).map_err(cannot)?;
    let mut drawing = Drawing::new(args, root);
    let mut frames = vec![drawing.picture(&replay, root)];
    for node in last.path().into_iter().skip(1) {
        replay.step(node).map_err(cannot)?;
        frames.push(drawing.picture(&replay, node));
    }
    Ok(frames)
}

/// How pictures of one game are drawn.
struct Drawing<'a> {
    args: &'a RenderArgs,
    caption: Option<String>,
    /// The visible part, which stays until a node changes it.
    view: Option<Region>,
}

impl<'a> Drawing<'a> {
    fn new(args: &'a RenderArgs, root: Node<'_>) -> Self {
        let caption = args.caption.then(|| {
            let info = GameInfo::of(root);
            format!("{} – {}  {}", info.black, info.white, info.result)
        });
        Self {
            args,
            caption,
            view: None,
        }
    }

    fn picture(&mut self, replay: &Replay, node: Node<'_>) -> Picture {
        let game = replay.game();
        let on_move = game.last_turn().and_then(|turn| turn.action.point());
        let mut picture = Picture::of_setup(&game.position())
            .theme(self.args.theme)
            .last(on_move.filter(|point| game.board().color_at(*point).is_some()));
        if self.args.no_coordinates {
            picture = picture.coordinates(Coordinates::Hidden);
        }
        if let Some(caption) = &self.caption {
            picture = picture.caption(format!("{caption}   move {}", replay.moves()));
        }
        if let Some(numbers) = self.args.numbers {
            picture = numbered(picture, replay, numbers);
        }
        if let Some(property) = node.property("VW") {
            self.view = Region::around(&property.points());
        }
        marked(picture, node).crop(self.view.filter(|_| !self.args.animate))
    }
}

/// Writes the numbers of moves on the stones that are still there.
fn numbered(picture: Picture, replay: &Replay, numbers: Numbers) -> Picture {
    let game = replay.game();
    // Where a record sets stones up, a game's own count starts anew.
    let before = replay.moves() - game.turns().len();
    let played = game.last_played_map();
    let stones = *game.board().stones(Color::Black) | *game.board().stones(Color::White);
    let mut picture = picture.last(None);
    for point in stones {
        if let Some(number) = played[point].map(|number| before + number)
            && (numbers.first..=numbers.last).contains(&number)
        {
            picture = picture.number(point, number as u32);
        }
    }
    picture
}

/// Draws the marks, labels and lines of a node.
fn marked(mut picture: Picture, node: Node<'_>) -> Picture {
    let point = |value: Value<'_>| -> Option<Point> { value.point()?.to_point() };
    for (name, mark) in [
        ("DD", Mark::Dimmed),
        ("SL", Mark::Selected),
        ("TB", Mark::Territory(Color::Black)),
        ("TW", Mark::Territory(Color::White)),
        ("TR", Mark::Triangle),
        ("SQ", Mark::Square),
        ("CR", Mark::Circle),
        ("MA", Mark::Cross),
    ] {
        if let Some(property) = node.property(name) {
            picture = picture.mark_all(&property.points(), mark);
        }
    }
    let composed = |name| {
        node.property(name)
            .into_iter()
            .flat_map(tengen_sgf::Property::values)
            .filter_map(Value::halves)
    };
    for (at, label) in composed("LB") {
        if let Some(at) = point(at) {
            picture = picture.label(at, label.simple_text());
        }
    }
    for (name, kind) in [("LN", LinkKind::Line), ("AR", LinkKind::Arrow)] {
        for (from, to) in composed(name) {
            if let (Some(from), Some(to)) = (point(from), point(to)) {
                picture = picture.link(Link { from, to, kind });
            }
        }
    }
    picture
}

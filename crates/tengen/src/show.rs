//! `tengen show`: a position and all there is to know about it.

use std::fs;
use std::io::{self, Read, Write};

use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;
use tengen_core::{
    ByColor, Chain, Color, Diagram, Game, IllegalMove, Move, Point, PointSet, Rules, Score,
    Scoring, Setup, Suicide,
};

use crate::failure::Usage;

/// Read a diagram and show its legal moves, chains and score.
///
/// A diagram is a row a line: X is Black, O is White, a dot is empty. Coordinates, frames and // comments are skipped.
/// The lines `White to move` and `ko: D4` are understood.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  tengen show position.txt
  tengen show position.txt --rules japanese --to-move white --moves \"D4 E5 pass\"
  printf '.XO.\\nXO.O\\n.XO.\\n' | tengen show -

On the board * is a legal move, a dot an illegal one.

Fields of --json: size, rules, to_move, moves (how many were played), board (a string a row), legal (points; a pass
is legal, too, until the game is over), illegal (objects with point and reason: occupied points are left out),
chains (objects with color, stones, liberties, atari, pass_alive), score (black and white with stones, territory
and prisoners; dame; komi; margin with area, territory and area_and_prisoners, positive where Black leads), outcome
(null, or a result such as B+3.5) and hash.")]
pub(crate) struct ShowArgs {
    /// A file with a diagram, or - for standard input.
    file: String,
    /// The rules: a name such as aga, or a text such as koPOSITIONALsui0.
    #[arg(long, default_value_t)]
    rules: Rules,
    /// Who is to move, whatever the diagram says: black or white.
    #[arg(long, value_name = "COLOUR")]
    to_move: Option<Color>,
    /// Moves to play first, such as "D4 E5 pass".
    #[arg(long, default_value = "", hide_default_value = true)]
    moves: String,
    /// Print a JSON object.
    #[arg(long)]
    json: bool,
}

/// Reads the position, plays the moves and prints what came of it.
pub(crate) fn run(args: &ShowArgs) -> Result<()> {
    let game = read_game(args)?;
    let view = View::of(&game);
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&view.report())?)?;
    } else {
        view.print(&mut out)?;
    }
    Ok(())
}

fn read_game(args: &ShowArgs) -> Result<Game> {
    let name = match args.file.as_str() {
        "-" => "standard input",
        file => file,
    };
    let wrong = |problem: &dyn std::fmt::Display| Usage::new(format_args!("{name}: {problem}"));
    let bytes = match args.file.as_str() {
        "-" => {
            let mut bytes = Vec::new();
            io::stdin()
                .read_to_end(&mut bytes)
                .context("cannot read standard input")?;
            bytes
        }
        file => fs::read(file).map_err(|error| wrong(&error))?,
    };
    let text = String::from_utf8(bytes).map_err(|_| wrong(&"not a text in UTF-8"))?;
    let mut setup: Setup = text.parse().map_err(|error| wrong(&error))?;
    if let Some(color) = args.to_move {
        setup.to_move = color;
    }
    let mut game = Game::from_setup(&setup, args.rules).map_err(|error| wrong(&error))?;
    let moves = args
        .moves
        .split([' ', ',', '\t', '\n'])
        .filter(|word| !word.is_empty());
    for (word, number) in moves.zip(1..) {
        let refused = |problem: &dyn std::fmt::Display| {
            Usage::new(format_args!("move {number}, {word}: {problem}"))
        };
        let action = Move::from_gtp(word, setup.size).map_err(|error| refused(&error))?;
        game.play(action).map_err(|error| refused(&error))?;
    }
    Ok(game)
}

/// What is shown of a game.
struct View<'a> {
    game: &'a Game,
    legal: PointSet,
    /// Empty points where the player to move may not play.
    illegal: Vec<(Point, IllegalMove)>,
    /// Empty points where a stone of the player to move, and what it joins, has no liberty.
    suicides: PointSet,
    chains: Vec<Chain>,
    /// Stones that cannot be captured.
    pass_alive: PointSet,
    score: Score,
}

impl<'a> View<'a> {
    fn of(game: &'a Game) -> Self {
        let board = game.board();
        let illegal = |point| Some((point, game.check(Move::Play(point)).err()?));
        let pass_alive =
            Color::BOTH.map(|color| board.pass_alive(color, game.rules().suicide).stones);
        let empty = board.empty_points();
        let is_suicide = |point: &Point| {
            let verdict = board.check(*point, game.to_move(), Suicide::Forbidden);
            verdict == Err(IllegalMove::Suicide)
        };
        Self {
            game,
            suicides: empty.iter().filter(is_suicide).collect(),
            legal: game.legal_moves(),
            illegal: match game.is_over() {
                true => Vec::new(),
                false => empty.iter().filter_map(illegal).collect(),
            },
            chains: board.chains().collect(),
            pass_alive: pass_alive[0] | pass_alive[1],
            score: game.score(),
        }
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        self.print_position(out)?;
        self.print_chains(out)?;
        self.print_score(out)?;
        writeln!(out, "Hash {:016x}", self.game.board().hash())
    }

    fn print_position(&self, out: &mut impl Write) -> io::Result<()> {
        let game = self.game;
        writeln!(
            out,
            "{} board, {} rules, komi {}",
            game.size(),
            game.rules(),
            game.komi()
        )?;
        if let Some(turn) = game.last_turn() {
            let action = turn.action.to_gtp(game.size());
            writeln!(
                out,
                "Move {} was {} {action}",
                game.turns().len(),
                turn.color
            )?;
        }
        let last = game.last_turn().and_then(|turn| turn.action.point());
        let last = last.filter(|point| game.board().color_at(*point).is_some());
        writeln!(
            out,
            "\n{}",
            Diagram::new(game.board()).last(last).mark(self.legal, '*')
        )?;
        if let Some(outcome) = game.outcome() {
            return writeln!(out, "The game is over: {outcome}\n");
        }
        let moves = match self.legal.len() {
            0 => "only a pass is legal".to_owned(),
            1 => "1 legal move (*), or pass".to_owned(),
            count => format!("{count} legal moves (*), or pass"),
        };
        writeln!(out, "{} to move: {moves}", game.to_move())?;
        if !self.illegal.is_empty() {
            writeln!(out, "Illegal:")?;
        }
        for reason in [IllegalMove::Ko, IllegalMove::Superko, IllegalMove::Suicide] {
            let because = |points: PointSet, note: &str| match points.is_empty() {
                true => String::new(),
                false => format!("  {reason}{note}: {}\n", self.gtp_all(&points).join(" ")),
            };
            let points = self.illegal.iter().filter(|(_, why)| *why == reason);
            let points: PointSet = points.map(|(point, _)| *point).collect();
            let (futile, other) = match reason {
                IllegalMove::Superko => (points & self.suicides, points - self.suicides),
                _ => (PointSet::EMPTY, points),
            };
            write!(out, "{}", because(other, ""))?;
            write!(
                out,
                "{}",
                because(futile, " by suicide, which recreates a board")
            )?;
        }
        writeln!(out)
    }

    fn print_chains(&self, out: &mut impl Write) -> io::Result<()> {
        if self.chains.is_empty() {
            return Ok(());
        }
        writeln!(out, "Chains      stones  liberties")?;
        for chain in &self.chains {
            let at = chain
                .stones
                .first()
                .map(|point| self.gtp(point))
                .unwrap_or_default();
            let liberties = chain.liberties.len();
            write!(
                out,
                "  {} {at:<3} {:>6}  {liberties:>9}",
                chain.color,
                chain.stones.len()
            )?;
            if let (1, Some(liberty)) = (liberties, chain.liberties.first()) {
                write!(out, "  atari at {}", self.gtp(liberty))?;
            }
            if chain.stones.is_subset(&self.pass_alive) {
                write!(out, "  pass-alive")?;
            }
            writeln!(out)?;
        }
        writeln!(out)
    }

    fn print_score(&self, out: &mut impl Write) -> io::Result<()> {
        let score = &self.score;
        writeln!(out, "Score         Black   White")?;
        for (part, ByColor { black, white }) in [
            ("stones", score.stones),
            ("territory", score.territory),
            ("prisoners", score.prisoners),
        ] {
            writeln!(out, "  {part:<11} {black:>5}   {white:>5}")?;
        }
        writeln!(
            out,
            "  {:<11} {:>5}   {:>5}",
            "komi",
            "",
            score.komi.to_string()
        )?;
        for (name, counted) in self.counts() {
            let [black, white] = Color::BOTH.map(|color| points(counted.halves(color)));
            let by_rules = if counted.scoring == score.scoring {
                "  by these rules"
            } else {
                ""
            };
            writeln!(
                out,
                "{name:<13} {black:>5}   {white:>5}  {counted}{by_rules}"
            )?;
        }
        match score.dame {
            0 => writeln!(out),
            1 => writeln!(out, "  1 empty point belongs to nobody\n"),
            dame => writeln!(out, "  {dame} empty points belong to nobody\n"),
        }
    }

    /// The score as area and as territory, and in the third way where the rules ask for it.
    fn counts(&self) -> impl Iterator<Item = (&'static str, Score)> {
        let score = self.score;
        [
            ("By area", Scoring::Area),
            ("By territory", Scoring::Territory),
            ("By both", Scoring::AreaAndPrisoners),
        ]
        .into_iter()
        .filter(move |(_, scoring)| {
            *scoring != Scoring::AreaAndPrisoners || score.scoring == Scoring::AreaAndPrisoners
        })
        .map(move |(name, scoring)| (name, Score { scoring, ..score }))
    }

    fn gtp(&self, point: Point) -> String {
        point.to_gtp(self.game.size())
    }

    fn gtp_all(&self, points: &PointSet) -> Vec<String> {
        points.iter().map(|point| self.gtp(point)).collect()
    }

    fn report(&self) -> Report {
        let game = self.game;
        let score = &self.score;
        let side = |color: Color| SideReport {
            stones: score.stones[color],
            territory: score.territory[color],
            prisoners: score.prisoners[color],
        };
        let margin = |scoring| Score { scoring, ..*score }.margin_halves();
        let chain = |chain: &Chain| ChainReport {
            color: name(chain.color),
            stones: self.gtp_all(&chain.stones),
            liberties: self.gtp_all(&chain.liberties),
            atari: chain.liberties.len() == 1,
            pass_alive: chain.stones.is_subset(&self.pass_alive),
        };
        let illegal = |&(point, reason): &(Point, IllegalMove)| IllegalReport {
            point: self.gtp(point),
            reason: reason.to_string(),
        };
        Report {
            size: game.size().to_string(),
            rules: game.rules().to_string(),
            to_move: name(game.to_move()),
            moves: game.turns().len(),
            board: rows(game),
            legal: self.gtp_all(&self.legal),
            illegal: self.illegal.iter().map(illegal).collect(),
            chains: self.chains.iter().map(chain).collect(),
            score: ScoreReport {
                black: side(Color::Black),
                white: side(Color::White),
                dame: score.dame,
                komi: number(score.komi.halves()),
                margin: MarginReport {
                    area: number(margin(Scoring::Area)),
                    territory: number(margin(Scoring::Territory)),
                    area_and_prisoners: number(margin(Scoring::AreaAndPrisoners)),
                },
            },
            outcome: game.outcome().map(|outcome| outcome.to_string()),
            hash: format!("{:016x}", game.board().hash()),
        }
    }
}

/// Half-points as people write them.
fn points(halves: i32) -> String {
    number(halves).to_string()
}

fn number(halves: i32) -> f64 {
    f64::from(halves) / 2.0
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// The board, a string a row.
fn rows(game: &Game) -> Vec<String> {
    let symbol = |point| match game.board().color_at(point) {
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
        None => '.',
    };
    let size = game.size();
    (0..size.height())
        .map(|y| {
            (0..size.width())
                .map(|x| symbol(Point::new(x, y)))
                .collect()
        })
        .collect()
}

#[derive(Serialize)]
struct Report {
    size: String,
    rules: String,
    to_move: &'static str,
    moves: usize,
    board: Vec<String>,
    legal: Vec<String>,
    illegal: Vec<IllegalReport>,
    chains: Vec<ChainReport>,
    score: ScoreReport,
    outcome: Option<String>,
    hash: String,
}

#[derive(Serialize)]
struct IllegalReport {
    point: String,
    reason: String,
}

#[derive(Serialize)]
struct ChainReport {
    color: &'static str,
    stones: Vec<String>,
    liberties: Vec<String>,
    atari: bool,
    pass_alive: bool,
}

#[derive(Serialize)]
struct ScoreReport {
    black: SideReport,
    white: SideReport,
    dame: u32,
    komi: f64,
    margin: MarginReport,
}

#[derive(Serialize)]
struct SideReport {
    stones: u32,
    territory: u32,
    prisoners: u32,
}

#[derive(Serialize)]
struct MarginReport {
    area: f64,
    territory: f64,
    area_and_prisoners: f64,
}

//! The core and the oracle play the same games, and everything that both know is compared after every move.
//!
//! `TENGEN_LOCKSTEP_MOVES` says how many moves to play, over all ko rules together. A game that fails is made shorter
//! and printed.

use std::env;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tengen_core::{
    Board, ByColor, Chain, Color, Game, IllegalMove, Ko, Komi, Move, MoveLimit, Point, PointSet,
    Repetition, RepetitionEffect, Rules, Score, Scoring, Settlement, Setup, Size, Suicide, Ties,
};

use crate::oracle::Oracle;
use crate::rng::Dice;

/// About a quarter of a minute on two cores in the development profile.
const DEFAULT_MOVES: usize = 300_000;

/// Sizes and how many games of a hundred are played on each. Small boards repeat and fill up soonest and cost least.
const SIZES: [((u8, u8), usize); 21] = [
    ((1, 1), 2),
    ((1, 2), 4),
    ((2, 1), 2),
    ((1, 3), 5),
    ((1, 6), 4),
    ((25, 1), 2),
    ((1, 25), 2),
    ((2, 2), 10),
    ((2, 3), 10),
    ((3, 2), 6),
    ((2, 5), 6),
    ((3, 3), 14),
    ((3, 4), 8),
    ((4, 4), 6),
    ((5, 5), 7),
    ((4, 7), 5),
    ((7, 6), 2),
    ((9, 9), 2),
    ((13, 6), 1),
    ((19, 19), 1),
    ((25, 25), 1),
];

#[test]
fn simple_ko() {
    play_games(Ko::Simple, 1);
}

#[test]
fn positional_superko() {
    play_games(Ko::Positional, 2);
}

#[test]
fn situational_superko() {
    play_games(Ko::Situational, 3);
}

/// Plays random games until this ko rule's share of the moves is made.
fn play_games(ko: Ko, seed: u64) {
    let moves = env::var("TENGEN_LOCKSTEP_MOVES").map_or(DEFAULT_MOVES, |moves| {
        moves
            .parse()
            .expect("TENGEN_LOCKSTEP_MOVES is a number of moves")
    });
    let mut dice = Dice::new(seed);
    let mut tally = Tally::default();
    while tally.moves < moves.div_ceil(3) {
        let mut script = Script::random(ko, &mut dice);
        let result = guarded(|| script.improvise(&mut dice, &mut tally));
        if result.is_err() {
            script.shorten();
            let problem = script.run().unwrap_err();
            panic!("{problem}\n\nin this game:\n{script}");
        }
    }
    println!("{ko:?}: {tally:?}");
    if moves >= DEFAULT_MOVES {
        tally.assert_varied(ko);
    }
}

/// Turns a panic of the core into an error, so that the game can be printed.
fn guarded(run: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err("a panic".to_owned()))
}

/// What happened in all games, to show that the interesting things did.
#[derive(Debug, Default)]
struct Tally {
    moves: usize,
    longest_game: usize,
    passes: usize,
    captures: usize,
    suicides: usize,
    undone: usize,
    over: usize,
    ko: usize,
    superko: usize,
    no_suicide: usize,
}

impl Tally {
    fn note(&mut self, pair: &Pair, step: Step) {
        let Step::Try(action) = step else { return };
        let Some(turn) = pair.game.last_turn() else {
            return;
        };
        self.moves += 1;
        self.longest_game = self.longest_game.max(pair.oracle.moves());
        self.passes += usize::from(action == Move::Pass);
        self.captures += usize::from(turn.removed > 0 && !turn.suicide);
        self.suicides += usize::from(turn.suicide);
        self.over += usize::from(pair.game.is_over());
        for point in pair.game.board().empty_points() {
            match pair.game.check(point.into()) {
                Err(IllegalMove::Ko) => self.ko += 1,
                Err(IllegalMove::Superko) => self.superko += 1,
                Err(IllegalMove::Suicide) => self.no_suicide += 1,
                _ => {}
            }
        }
    }

    fn assert_varied(&self, ko: Ko) {
        let seen = [
            self.passes,
            self.captures,
            self.suicides,
            self.undone,
            self.over,
            self.ko,
            self.no_suicide,
        ];
        // Each of them is more frequent than one in two hundred moves.
        assert!(
            seen.iter().all(|count| count * 200 > self.moves),
            "{self:?}"
        );
        // The history's table has grown.
        assert!(self.longest_game > 500, "{self:?}");
        assert_eq!(
            self.superko * 200 > self.moves,
            ko != Ko::Simple,
            "{self:?}"
        );
    }
}

/// One thing that is done to both.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// A move, which may be illegal.
    Try(Move),
    /// So many moves are taken back.
    Undo(usize),
    /// The game goes on as a copy of itself.
    Copy,
    /// The game starts over.
    Restart,
}

/// A game that can be played again.
#[derive(Clone)]
struct Script {
    setup: Setup,
    rules: Rules,
    steps: Vec<Step>,
}

impl Script {
    /// The beginning of a game.
    fn random(ko: Ko, dice: &mut Dice) -> Self {
        let mut rank = dice.below(SIZES.iter().map(|(_, share)| share).sum());
        let ((width, height), _) = *SIZES
            .iter()
            .find(|(_, share)| {
                let found = rank < *share;
                rank = rank.saturating_sub(*share);
                found
            })
            .unwrap();
        let size = Size::new(width, height).unwrap();
        Self {
            setup: random_setup(size, dice),
            rules: random_rules(ko, dice),
            steps: Vec::new(),
        }
    }

    /// Plays the game, inventing its steps on the way.
    fn improvise(&mut self, dice: &mut Dice, tally: &mut Tally) -> Result<(), String> {
        let mut pair = Pair::new(&self.setup, self.rules)?;
        // The oracle needs a millisecond for a move on the largest boards, so games on those are short. A few are long
        // enough for every table that grows with a game to grow.
        let longest = match self.setup.size.area() {
            0..=50 if dice.percent(1) => 2000,
            0..=100 => 300,
            _ => 80,
        };
        for _ in 0..20 + dice.below(longest) {
            if pair.game.is_over() && dice.percent(40) {
                break;
            }
            let step = pair.random_step(dice);
            self.steps.push(step);
            let before = pair.oracle.moves();
            pair.step(step)?;
            match pair.oracle.moves().checked_sub(before) {
                Some(0) => {}
                Some(_) => tally.note(&pair, step),
                None => tally.undone += before - pair.oracle.moves(),
            }
        }
        Ok(())
    }

    /// Plays the game as it is written.
    fn run(&self) -> Result<(), String> {
        guarded(|| {
            let mut pair = Pair::new(&self.setup, self.rules)?;
            self.steps.iter().try_for_each(|step| pair.step(*step))
        })
    }

    /// Leaves steps out while the game still fails: half of them, a quarter, …, single ones.
    fn shorten(&mut self) {
        let mut length = self.steps.len();
        while length > 0 {
            let mut start = 0;
            while start < self.steps.len() {
                let mut shorter = self.clone();
                let end = self.steps.len().min(start + length);
                shorter.steps.drain(start..end);
                if shorter.run().is_err() {
                    *self = shorter;
                } else {
                    start += length;
                }
            }
            length /= 2;
        }
    }
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.setup.size;
        writeln!(f, "{size}, {}\n{}", self.rules, self.setup)?;
        for step in &self.steps {
            match step {
                Step::Try(action) => write!(f, "{} ", action.to_gtp(size))?,
                Step::Undo(moves) => write!(f, "undo:{moves} ")?,
                Step::Copy => f.write_str("copy ")?,
                Step::Restart => f.write_str("restart ")?,
            }
        }
        Ok(())
    }
}

fn random_rules(ko: Ko, dice: &mut Dice) -> Rules {
    let effect = match dice.percent(70) {
        true => RepetitionEffect::PlayOn,
        false => dice.one_of(&[
            RepetitionEffect::Loses,
            RepetitionEffect::Draws,
            RepetitionEffect::NoResult,
        ]),
    };
    let window = dice.percent(50).then(|| dice.below(12) as u16);
    Rules {
        ko,
        repetition: Repetition { effect, window },
        suicide: dice.one_of(&[Suicide::Forbidden, Suicide::MultiStone, Suicide::Allowed]),
        scoring: dice.one_of(&[Scoring::Area, Scoring::Territory, Scoring::AreaAndPrisoners]),
        komi: Some(Komi::from_halves(dice.below(21) as i16 - 10)),
        ties: dice.one_of(&[Ties::Draw, Ties::Black, Ties::White]),
        passes: dice.one_of(&[2, 2, 2, 2, 1, 3]),
        max_moves: match dice.below(10) {
            0 => MoveLimit::Moves(1 + dice.below(60) as u32),
            1 => MoveLimit::TimesArea(1 + dice.below(3) as u8),
            _ => MoveLimit::None,
        },
        ..Rules::TROMP_TAYLOR
    }
}

/// The empty board, or a more or less crowded one.
fn random_setup(size: Size, dice: &mut Dice) -> Setup {
    let mut setup = Setup::empty(size);
    if dice.percent(50) {
        return setup;
    }
    setup.to_move = dice.one_of(&Color::BOTH);
    let density = dice.below(101);
    for point in size.points() {
        if dice.percent(density) {
            setup.stones[dice.one_of(&Color::BOTH)].insert(point);
        }
    }
    // The oracle does not mind chains without liberties, and knows which they are.
    for group in Oracle::new(&setup, Rules::TROMP_TAYLOR, Komi::default()).groups() {
        if group.liberties.is_empty() {
            setup.stones[group.color] -= group.stones.into_iter().collect();
        }
    }
    let empty = size.points() - setup.stones.black - setup.stones.white;
    if dice.percent(10) {
        setup.ko = dice.point_of(&empty);
    }
    setup
}

/// The same game, played by both.
struct Pair {
    game: Game,
    oracle: Oracle,
    /// Something old to be written over by the next copy.
    spare: Game,
}

impl Pair {
    fn new(setup: &Setup, rules: Rules) -> Result<Self, String> {
        let game = Game::from_setup(setup, rules).map_err(|error| error.to_string())?;
        let oracle = Oracle::new(setup, rules, game.komi());
        let size = Size::new(4, 3).map_err(|error| error.to_string())?;
        let mut spare = Game::new(size, Rules::TROMP_TAYLOR);
        spare.play_unchecked(Point::new(1, 2).into());
        compare(&game, &oracle)?;
        Ok(Self {
            game,
            oracle,
            spare,
        })
    }

    fn random_step(&self, dice: &mut Dice) -> Step {
        let size = self.game.size();
        let moves = self.oracle.moves();
        let legal = self.game.legal_moves();
        match dice.below(2000) {
            0 => return Step::Restart,
            1 => return Step::Undo(moves),
            2..40 => return Step::Copy,
            40..100 => return Step::Undo(dice.below(moves.min(10) + 1)),
            100..160 => {
                // Anywhere, occupied points and those just off the board included.
                let x = dice.below(usize::from(size.width()) + 1).min(24);
                let y = dice.below(usize::from(size.height()) + 1).min(24);
                return Step::Try(Point::new(x as u8, y as u8).into());
            }
            160..200 => return Step::Try(Move::Pass),
            _ => {}
        }
        if self.game.is_over() {
            return Step::Undo(1 + dice.below(moves.min(10)));
        }
        // Fights happen where the last move was.
        let last = self.game.last_turn().and_then(|turn| turn.action.point());
        if let Some(last) = last
            && dice.percent(40)
        {
            let near = PointSet::from(last).neighbors();
            if let Some(point) = dice.point_of(&((near | near.neighbors()) & legal)) {
                return Step::Try(point.into());
            }
        }
        Step::Try(dice.point_of(&legal).map_or(Move::Pass, Move::Play))
    }

    /// Does something to both and compares them.
    fn step(&mut self, step: Step) -> Result<(), String> {
        match step {
            Step::Try(action) => {
                let played = self.game.play(action);
                let verdict = self.oracle.verdict(action);
                same("the move", &played, &verdict)?;
                if verdict.is_ok() {
                    self.oracle.play(action);
                }
            }
            Step::Undo(moves) => {
                // A shortened game may have fewer moves than are to be taken back.
                let moves = moves.min(self.oracle.moves());
                for _ in 0..moves {
                    let turn = self.game.turns().last().copied();
                    same("what undo returns", &self.game.undo(), &turn)?;
                }
                self.oracle.undo(moves);
                if self.oracle.moves() == 0 {
                    same("undo at the start", &self.game.undo(), &None)?;
                }
            }
            Step::Copy => {
                same(
                    "a clone",
                    &self.game.clone().position(),
                    &self.game.position(),
                )?;
                compare(&self.game.clone(), &self.oracle)?;
                self.spare.clone_from(&self.game);
                std::mem::swap(&mut self.spare, &mut self.game);
            }
            Step::Restart => {
                self.game.restart();
                self.oracle.undo(self.oracle.moves());
            }
        }
        compare(&self.game, &self.oracle)
    }
}

fn same<T: PartialEq + fmt::Debug>(what: &str, core: &T, oracle: &T) -> Result<(), String> {
    if core == oracle {
        return Ok(());
    }
    Err(format!(
        "{what} differs\n  core:   {core:?}\n  oracle: {oracle:?}"
    ))
}

/// Says what the core and the oracle do not agree on.
pub(crate) fn compare(game: &Game, oracle: &Oracle) -> Result<(), String> {
    let now = oracle.now();
    same("the turn", &game.to_move(), &now.to_move)?;
    same("the number of moves", &game.turns().len(), &oracle.moves())?;
    same("passes", &game.passes(), &now.passes)?;
    same("the outcome", &game.outcome(), &now.outcome)?;
    compare_board(game.board(), oracle)?;
    let hashes = game.hashes();
    same("the number of hashes", &hashes.len(), &(oracle.moves() + 1))?;
    same("the last hash", &hashes.last(), &Some(game.board().hash()))?;
    compare_verdicts(game, oracle)?;
    compare_score(game, oracle)
}

fn compare_board(board: &Board, oracle: &Oracle) -> Result<(), String> {
    let colored = |color: Option<Color>| -> PointSet {
        let points = oracle.points();
        points
            .filter(|point| oracle.color_at(*point) == color)
            .collect()
    };
    let stones = ByColor::new(colored(Some(Color::Black)), colored(Some(Color::White)));
    for color in Color::BOTH {
        same("stones", board.stones(color), &stones[color])?;
    }
    same("empty points", &board.empty_points(), &colored(None))?;
    same("the ko point", &board.ko(), &oracle.ko())?;
    let anew = Board::with_stones(board.size(), stones).map_err(|error| error.to_string())?;
    same("the hash", &board.hash(), &anew.hash())?;

    let groups = oracle.groups();
    let mut chains = board.chains();
    let mut atari = PointSet::EMPTY;
    let mut doomed = ByColor::new(Vec::new(), Vec::new());
    for group in &groups {
        let chain = Chain {
            color: group.color,
            stones: group.stones.iter().copied().collect(),
            liberties: group.liberties.iter().copied().collect(),
        };
        same("a chain", &chains.next(), &Some(chain))?;
        let only = match *group.liberties.as_slice() {
            [only] => Some(only),
            _ => None,
        };
        for &stone in &group.stones {
            same(
                "the colour of a stone",
                &board.color_at(stone),
                &Some(group.color),
            )?;
            same(
                "the length of a chain",
                &board.chain_len(stone),
                &group.stones.len(),
            )?;
            same("the last liberty", &board.last_liberty(stone), &only)?;
        }
        if let Some(only) = only {
            atari |= chain.stones;
            doomed[!group.color].push((only, chain.stones));
        }
    }
    same("a chain too many", &chains.next(), &None)?;
    same("stones in atari", board.stones_in_atari(), &atari)?;
    for color in Color::BOTH {
        let points: PointSet = doomed[color].iter().map(|(point, _)| *point).collect();
        same("capturing points", &board.capturing(color), &points)?;
        for point in points {
            let taken = doomed[color].iter().filter(|(at, _)| *at == point);
            let stones = taken.fold(PointSet::EMPTY, |all, (_, stones)| all | *stones);
            same("captured stones", &board.captures(point, color), &stones)?;
        }
    }
    Ok(())
}

fn compare_verdicts(game: &Game, oracle: &Oracle) -> Result<(), String> {
    let mut legal = PointSet::EMPTY;
    for point in oracle.points() {
        let verdict = oracle.verdict(point.into());
        let name = point.to_gtp(game.size());
        let core = game.check(point.into());
        if core != verdict {
            return same(&format!("the verdict on {name}"), &core, &verdict);
        }
        if verdict.is_ok() {
            legal.insert(point);
        }
    }
    same("the legal points", &game.legal_moves(), &legal)?;
    let (width, height) = (game.size().width(), game.size().height());
    for (x, y) in [(width, 0), (0, height), (width, height), (24, 24)] {
        if let Some(point) = Point::checked_new(x, y) {
            let (core, oracle) = (game.check(point.into()), oracle.verdict(point.into()));
            same("the verdict beyond the edge", &core, &oracle)?;
        }
    }
    same(
        "the verdict on a pass",
        &game.check(Move::Pass),
        &oracle.verdict(Move::Pass),
    )
}

fn compare_score(game: &Game, oracle: &Oracle) -> Result<(), String> {
    for color in Color::BOTH {
        same(
            "prisoners",
            &game.prisoners(color),
            &oracle.now().prisoners[color],
        )?;
    }
    // Any stones may be called dead: here those in atari, which change often.
    let atari = *game.board().stones_in_atari();
    for dead in [PointSet::EMPTY, atari] {
        let settled = game.score_settled(&Settlement {
            dead,
            seki: PointSet::EMPTY,
        });
        let count = oracle.count(&dead.iter().collect::<Vec<_>>(), &[]);
        same("living stones", &settled.stones, &count.stones)?;
        same("territory", &settled.territory, &count.territory)?;
        same(
            "prisoners and dead stones",
            &settled.prisoners,
            &count.prisoners,
        )?;
        same("dame", &settled.dame, &count.dame)?;
        for scoring in [Scoring::Area, Scoring::Territory, Scoring::AreaAndPrisoners] {
            let score = Score { scoring, ..settled };
            let margin = oracle.margin(&count, scoring);
            same("the margin", &score.margin_halves(), &margin)?;
        }
        if dead.is_empty() {
            same("the count as it stands", &game.score(), &settled)?;
        }
    }
    Ok(())
}

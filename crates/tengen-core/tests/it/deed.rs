//! What can be done to a game, at random.

use crate::rng::Dice;
use tengen_core::{
    Color, Compensation, DeadStones, Game, HandicapPlacement, Ko, Komi, Move, MoveLimit, Outcome,
    Point, Preset, Reason, Repetition, RepetitionEffect, Rules, Scoring, Setup, SetupError, Size,
    Suicide, Ties,
};

/// Small boards repeat positions soonest; on larger ones a move may take two bytes.
const SIZES: [(u8, u8); 14] = [
    (1, 1),
    (1, 2),
    (7, 1),
    (2, 2),
    (2, 3),
    (3, 2),
    (3, 3),
    (4, 4),
    (5, 3),
    (6, 6),
    (9, 9),
    (11, 12),
    (19, 19),
    (25, 25),
];

fn random_size(dice: &mut Dice) -> Size {
    let (width, height) = dice.one_of(&SIZES);
    Size::new(width, height).unwrap()
}

fn random_rules(dice: &mut Dice) -> Rules {
    if dice.percent(30) {
        return dice.one_of(&Preset::ALL).rules();
    }
    Rules {
        ko: dice.one_of(&[Ko::Simple, Ko::Positional, Ko::Situational]),
        repetition: Repetition {
            effect: dice.one_of(&[
                RepetitionEffect::PlayOn,
                RepetitionEffect::Loses,
                RepetitionEffect::Draws,
                RepetitionEffect::NoResult,
            ]),
            window: dice.percent(30).then(|| dice.below(12) as u16),
        },
        suicide: dice.one_of(&[Suicide::Forbidden, Suicide::MultiStone, Suicide::Allowed]),
        scoring: dice.one_of(&[Scoring::Area, Scoring::Territory, Scoring::AreaAndPrisoners]),
        dead_stones: dice.one_of(&[DeadStones::Captured, DeadStones::Agreed]),
        komi: dice.percent(50).then(|| random_komi(dice)),
        ties: dice.one_of(&[Ties::Draw, Ties::Black, Ties::White]),
        handicap: dice.one_of(&[HandicapPlacement::Fixed, HandicapPlacement::Free]),
        compensation: dice.one_of(&[
            Compensation::None,
            Compensation::PerStone,
            Compensation::PerStoneButFirst,
        ]),
        passes: dice.one_of(&[0, 1, 2, 2, 2, 3, 255]),
        max_moves: match dice.below(10) {
            0 => MoveLimit::Moves(dice.below(60) as u32),
            1 => MoveLimit::TimesArea(dice.below(4) as u8),
            _ => MoveLimit::None,
        },
    }
}

fn random_komi(dice: &mut Dice) -> Komi {
    Komi::from_halves(dice.below(2501) as i16 - 1250)
}

fn random_setup(dice: &mut Dice) -> Setup {
    let size = random_size(dice);
    let mut setup = Setup::empty(size);
    setup.to_move = dice.one_of(&Color::BOTH);
    let density = dice.below(101);
    for point in size.points() {
        if dice.percent(density) {
            setup.stones[dice.one_of(&Color::BOTH)].insert(point);
        }
    }
    while let Err(SetupError::NoLiberty(point)) = setup.board() {
        for color in Color::BOTH {
            setup.stones[color].remove(point);
        }
    }
    if dice.percent(30) {
        let empty = size.points() - setup.stones.black - setup.stones.white;
        setup.ko = dice.point_of(&empty);
    }
    setup
}

fn random_outcome(dice: &mut Dice) -> Outcome {
    let halves = dice.one_of(&[0, 1, 127, 128, 1250, i32::MAX as u32]);
    let reason = dice.one_of(&[
        Reason::Score(halves),
        Reason::Resignation,
        Reason::Repetition,
        Reason::Time,
        Reason::Forfeit,
    ]);
    let winner = dice.one_of(&Color::BOTH);
    dice.one_of(&[
        Outcome::Win(winner, reason),
        Outcome::Win(winner, reason),
        Outcome::Draw,
        Outcome::NoResult,
    ])
}

fn random_start(dice: &mut Dice) -> Game {
    let rules = random_rules(dice);
    match dice.below(4) {
        0 | 1 => Game::new(random_size(dice), rules),
        2 => Game::from_setup(&random_setup(dice), rules).unwrap(),
        _ => {
            let size = random_size(dice);
            let points: Vec<Point> = size.points().iter().collect();
            let stones = dice.below(points.len().min(9));
            Game::with_handicap(size, rules, &points[..stones]).unwrap()
        }
    }
}

/// What can be done to a game, drawn once so that it can be done to two.
#[derive(Clone, Debug)]
pub(crate) enum Deed {
    Play(Move),
    /// Whatever the rules say, and even after the end.
    PlayUnchecked(Move),
    Undo(usize),
    Resume,
    SetToMove(Color),
    SetUp(Box<Setup>),
    End(Outcome),
    Agree(Komi, u16),
    Restart,
}

impl Deed {
    pub(crate) fn random(game: &Game, dice: &mut Dice) -> Self {
        match dice.below(1000) {
            0..4 => Self::SetUp(Box::new(random_setup(dice))),
            4..6 => Self::Restart,
            6..20 => Self::End(random_outcome(dice)),
            20..25 => Self::Agree(random_komi(dice), dice.below(70_000) as u16),
            25..50 => Self::Undo(dice.below(12)),
            50..90 => Self::Resume,
            90..140 => Self::SetToMove(dice.one_of(&Color::BOTH)),
            140..220 => Self::PlayUnchecked(Move::Pass),
            220..300 => {
                let anywhere = dice.point_of(&game.board().empty_points());
                Self::PlayUnchecked(anywhere.map_or(Move::Pass, Move::Play))
            }
            _ => {
                let legal = dice.point_of(&game.legal_moves());
                Self::Play(legal.map_or(Move::Pass, Move::Play))
            }
        }
    }

    pub(crate) fn apply(&self, game: &mut Game) {
        match self {
            Self::Play(action) => {
                // A pass is illegal after the end, and then nothing happens.
                let _ = game.play(*action);
            }
            Self::PlayUnchecked(action) => game.play_unchecked(*action),
            Self::Undo(moves) => {
                for _ in 0..*moves {
                    game.undo();
                }
            }
            Self::Resume => game.resume(),
            Self::SetToMove(color) => game.set_to_move(*color),
            Self::SetUp(setup) => game.set_up(setup).unwrap(),
            Self::End(outcome) => game.end(*outcome),
            Self::Agree(komi, handicap) => {
                game.set_komi(*komi);
                game.set_handicap(*handicap);
            }
            Self::Restart => game.restart(),
        }
    }
}

/// A game in which everything happens that can.
pub(crate) fn random_game(dice: &mut Dice) -> Game {
    let mut game = random_start(dice);
    for _ in 0..dice.below(200) {
        Deed::random(&game, dice).apply(&mut game);
    }
    game
}

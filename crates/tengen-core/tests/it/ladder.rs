//! The cases in `testdata/ladders.toml`, and ladders against a search that follows the definition word by word.

use serde::Deserialize;
use tengen_core::{Board, Color, Ladder, Ladders, Point, PointSet, Setup, Size, Suicide, Symmetry};

use crate::corpus::{read_toml, testdata};
use crate::rng::Dice;

/// More than any ladder in these tests needs.
const AMPLE: u32 = 1_000_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    ladder: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    diagram: String,
    ko: Option<String>,
    stone: String,
    escapes: Option<String>,
    captures: Option<String>,
}

fn points(text: &str, size: Size) -> PointSet {
    let words = text.split_whitespace();
    words
        .map(|word| Point::from_gtp(word, size).unwrap())
        .collect()
}

#[test]
fn cases() {
    let cases: Cases = read_toml(&testdata("ladders.toml"));
    for case in &cases.ladder {
        let mut setup: Setup = case.diagram.parse().unwrap();
        let size = setup.size;
        setup.ko = case
            .ko
            .as_ref()
            .map(|ko| Point::from_gtp(ko, size).unwrap());
        let stone = Point::from_gtp(&case.stone, size).unwrap();
        let points = |text: &String| points(text, size);
        let expected = match (&case.escapes, &case.captures) {
            (Some(escapes), None) => Some(Ladder::Atari {
                escapes: points(escapes),
            }),
            (None, Some(captures)) => Some(Ladder::TwoLiberties {
                captures: points(captures),
            }),
            (None, None) => None,
            (Some(_), Some(_)) => panic!("{}: a chain has one liberty or two", case.name),
        };
        let board = setup.board().unwrap();
        assert_eq!(board.ladder(stone, AMPLE), expected, "{}", case.name);
        assert!(compare(&board), "{}", case.name);
        compare_images(&setup);
    }
}

#[test]
fn agrees_with_the_definition_on_random_boards() {
    let mut dice = Dice::new(11);
    let sizes = [
        "5x5", "6x6", "7x7", "8x8", "9x9", "9x2", "4x7", "3x8", "1x9",
    ];
    let mut positions = 0;
    let mut given_up = 0;
    for size in sizes {
        for _ in 0..40 {
            random_play(size.parse().unwrap(), &mut dice, |board, dice| {
                if dice.percent(30) {
                    positions += 1;
                    given_up += usize::from(!compare(board));
                }
            });
        }
    }
    assert!(positions > 5_000, "{positions} positions");
    assert!(
        given_up < 10,
        "{given_up} boards were too much for the oracle"
    );
}

#[test]
fn a_turned_board_with_colours_exchanged_has_the_same_ladders() {
    let mut dice = Dice::new(12);
    for size in ["5x5", "9x9", "7x4", "13x13"] {
        for _ in 0..10 {
            random_play(size.parse().unwrap(), &mut dice, |board, dice| {
                if dice.percent(10) {
                    compare_images(&Setup::of(board, Color::Black));
                }
            });
        }
    }
}

#[test]
fn a_small_budget_finds_no_ladder_that_a_large_one_refutes() {
    let mut dice = Dice::new(13);
    let size: Size = "9x9".parse().unwrap();
    for _ in 0..40 {
        random_play(size, &mut dice, |board, _| {
            let all = board.ladders(AMPLE);
            assert_eq!(board.ladders(0).threatened, PointSet::EMPTY);
            for budget in [1, 3, 10] {
                let some = board.ladders(budget);
                assert!(some.caught.is_subset(&all.caught));
                assert!(some.threatened.is_subset(&all.threatened));
                for color in Color::BOTH {
                    assert!(some.captures[color].is_subset(&all.captures[color]));
                    assert!(all.escapes[color].is_subset(&some.escapes[color]));
                }
            }
        });
    }
}

#[test]
fn equal_boards_use_a_budget_up_alike() {
    let mut dice = Dice::new(14);
    let size: Size = "9x9".parse().unwrap();
    for _ in 0..40 {
        random_play(size, &mut dice, |board, _| {
            // Its chains were put down in another order than they were played.
            let again = Setup::of(board, Color::Black).board().unwrap();
            for budget in 2..12 {
                assert_eq!(board.ladders(budget), again.ladders(budget), "{board:?}");
            }
        });
    }
}

/// Shows every board of a random game, colours drawn too, so that chains of all kinds arise.
fn random_play(size: Size, dice: &mut Dice, mut show: impl FnMut(&Board, &mut Dice)) {
    let mut board = Board::new(size);
    for _ in 0..3 * size.area() / 2 {
        let color = dice.one_of(&Color::BOTH);
        let playable = board.playable(color, Suicide::Forbidden);
        let sensible: PointSet = playable
            .iter()
            .filter(|point| !board.is_eye(*point, color))
            .collect();
        let Some(point) = dice.point_of(&sensible) else {
            continue;
        };
        board.play(point, color, Suicide::Forbidden).unwrap();
        show(&board, dice);
    }
}

/// Compares all ladders of a board with the oracle; false if one was too much for it.
fn compare(board: &Board) -> bool {
    let found = board.ladders(AMPLE);
    let mut expected = Ladders::default();
    for chain in board.chains() {
        let owner = chain.color;
        let stone = chain.stones.first().unwrap();
        let mut oracle = Oracle::new(board, stone, owner);
        let ladder = oracle.ladder(board);
        if oracle.effort == 0 {
            return false;
        }
        for stone in chain.stones {
            assert_eq!(board.ladder(stone, AMPLE), ladder, "{stone:?} {board:?}");
        }
        match ladder {
            Some(Ladder::Atari { escapes }) => {
                expected.escapes[owner] |= escapes;
                if escapes.is_empty() {
                    expected.caught |= chain.stones;
                }
            }
            Some(Ladder::TwoLiberties { captures }) => {
                expected.captures[!owner] |= captures;
                if !captures.is_empty() {
                    expected.threatened |= chain.stones;
                }
            }
            None => {}
        }
    }
    for point in board.empty_points() {
        assert_eq!(board.ladder(point, AMPLE), None);
    }
    assert_eq!(found, expected, "{board:?}");
    true
}

/// The ladders of turned boards and exchanged colours are those of this board, turned and exchanged.
fn compare_images(setup: &Setup) {
    let ladders = setup.board().unwrap().ladders(AMPLE);
    for symmetry in Symmetry::all() {
        let turn = |set: PointSet| symmetry.apply_to_set(&set, setup.size);
        let image = setup.transformed(symmetry);
        let turned = Ladders {
            caught: turn(ladders.caught),
            threatened: turn(ladders.threatened),
            captures: ladders.captures.map(turn),
            escapes: ladders.escapes.map(turn),
        };
        assert_eq!(image.board().unwrap().ladders(AMPLE), turned, "{setup}");
        let mut exchanged = turned;
        for sets in [&mut exchanged.captures, &mut exchanged.escapes] {
            std::mem::swap(&mut sets.black, &mut sets.white);
        }
        let image = image.inverted().board().unwrap();
        assert_eq!(image.ladders(AMPLE), exchanged, "{setup}");
    }
}

/// Reads a ladder on copies of the board, without any order or short cut.
struct Oracle {
    stone: Point,
    owner: Color,
    longest: usize,
    /// How many more boards it may look at.
    effort: usize,
}

impl Oracle {
    fn new(board: &Board, stone: Point, owner: Color) -> Self {
        Self {
            stone,
            owner,
            longest: board.size().area(),
            effort: 300_000,
        }
    }

    fn ladder(&mut self, board: &Board) -> Option<Ladder> {
        let liberties = board.chain_at(self.stone)?.liberties;
        match liberties.len() {
            1 => {
                let board = to_move(board, self.owner);
                let mut escapes = self.rescues(&board);
                for rescue in escapes {
                    if self.fails(&board, rescue, 0) {
                        escapes.remove(rescue);
                    }
                }
                Some(Ladder::Atari { escapes })
            }
            2 => {
                let board = to_move(board, !self.owner);
                let mut captures = PointSet::EMPTY;
                for attack in liberties {
                    if self.works(&board, attack, 0) {
                        captures.insert(attack);
                    }
                }
                Some(Ladder::TwoLiberties { captures })
            }
            _ => None,
        }
    }

    /// The owner's legal moves that extend the chain or capture beside it.
    fn rescues(&self, board: &Board) -> PointSet {
        let chain = board.chain_at(self.stone).unwrap();
        let playable = board.playable(self.owner, Suicide::Forbidden);
        let rescues = playable.iter().filter(|point| {
            let captured = board.captures(*point, self.owner);
            let beside = !captured.is_disjoint(&chain.stones.neighbors());
            beside || chain.liberties.contains(*point)
        });
        rescues.collect()
    }

    /// Is the chain lost after this legal move of its owner, with so many moves before it?
    fn fails(&mut self, board: &Board, rescue: Point, before: usize) -> bool {
        let Some(after) = self.after(board, rescue, self.owner, before) else {
            return false;
        };
        let liberties = after.chain_at(self.stone).unwrap().liberties;
        match liberties.len() {
            1 => true,
            2 => {
                let mut attacks = liberties.iter();
                attacks.any(|attack| self.works(&after, attack, before + 1))
            }
            _ => false,
        }
    }

    /// Is the chain lost after this move of the attacker, with so many moves before it?
    fn works(&mut self, board: &Board, attack: Point, before: usize) -> bool {
        if board
            .check(attack, !self.owner, Suicide::Forbidden)
            .is_err()
        {
            return false;
        }
        let Some(after) = self.after(board, attack, !self.owner, before) else {
            return false;
        };
        let mut rescues = self.rescues(&after).iter();
        rescues.all(|rescue| self.fails(&after, rescue, before + 1))
    }

    /// The board after a legal move, unless it is one too many.
    fn after(&mut self, board: &Board, at: Point, color: Color, before: usize) -> Option<Board> {
        self.effort = self.effort.saturating_sub(1);
        if self.effort == 0 || before == self.longest {
            return None;
        }
        let mut after = board.clone();
        after.play(at, color, Suicide::Forbidden).unwrap();
        Some(after)
    }
}

/// The board with this colour to move: without the ko point if it is this colour that took the ko.
fn to_move(board: &Board, color: Color) -> Board {
    let mut setup = Setup::of(board, color);
    setup.ko = setup.ko.filter(|ko| !board.is_surrounded(*ko, color));
    setup.board().unwrap()
}

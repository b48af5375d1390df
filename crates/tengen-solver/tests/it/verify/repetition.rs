//! Proofs are granted for the rules of repetition under which they can be played, and for no others.

use std::collections::HashMap;

use tengen_core::{Color, Game, Ko, Move, Point, Rules, Setup, Size, Suicide};
use tengen_solver::certificate::{Classes, Reader, Situation};
use tengen_solver::verify::{KoRule, RuleGrant, Theorem};

use super::{best, check};
use crate::proofs::{Tree, file, margin};

#[test]
fn a_proof_that_needs_to_repeat_a_board_is_granted_where_that_is_allowed() {
    // With situational superko Black gets everything, with positional superko only 1.
    let start: Setup = "X.X.X.\nBlack to move".parse().unwrap();
    let theorem = check(&best(start, Color::Black)).unwrap();
    assert_eq!(theorem.claim.bound.margin, 6);
    let granted: Vec<_> = theorem.ko_rules.granted().collect();
    assert_eq!(granted, [KoRule::Simple, KoRule::Situational]);
    assert_eq!(theorem.ko_rules.get(KoRule::Positional), RuleGrant::Refused);

    // For each rule that is refused a line shows why, and can be played but for its last move.
    let rules_shown: Vec<_> = theorem.repetitions.iter().map(|line| line.rule).collect();
    assert_eq!(rules_shown, [KoRule::Positional]);
    for repetition in &theorem.repetitions {
        let mut game = Game::from_setup(&repetition.start, rules(KoRule::Simple)).unwrap();
        let (last, line) = repetition.line.split_last().unwrap();
        for action in line {
            game.play(*action).unwrap();
        }
        game.play(*last).unwrap();
        let board = repetition.start.board().unwrap();
        assert_eq!(game.board().hash(), board.hash(), "{repetition}");
        let text = repetition.to_string();
        assert!(
            text.contains(" to move") && text.ends_with(&last.to_gtp(game.size())),
            "{text}"
        );
    }
}

/// The strategy in a file, for playing it.
struct Player {
    classes: Classes,
    replies: HashMap<u128, Option<u8>>,
}

impl Player {
    fn new(file: &[u8]) -> Self {
        let mut reader = Reader::new(file).unwrap();
        let mut replies = HashMap::new();
        while let Some((code, _)) = reader.next_code().unwrap() {
            let (key, reply) = reader.classes().split(code);
            replies.insert(key, reply);
        }
        let (_, classes) = reader.into_parts();
        Self { classes, replies }
    }

    fn reply(&self, game: &Game) -> Move {
        let mut situation = Situation::of(game.board());
        if game
            .last_turn()
            .is_some_and(|turn| turn.action == Move::Pass)
        {
            situation = situation.after_pass();
        }
        let class = self.classes.class(&situation);
        let reply = self.classes.reply(class, self.replies[&class.key]);
        let width = game.size().width();
        reply.map_or(Move::Pass, |place| {
            Move::Play(Point::new(place % width, place / width))
        })
    }
}

/// Every line of a game with a history in which the prover follows the file, as far as `budget` moves go: is each move
/// of the prover legal, and does each game end as claimed?
fn holds_in_play(game: &mut Game, player: &Player, theorem: &Theorem, budget: &mut u32) -> bool {
    if game.is_over() {
        return theorem.claim.bound.holds_for(margin(game.board()));
    }
    if *budget == 0 {
        return true;
    }
    *budget -= 1;
    let moves: Vec<Move> = if game.to_move() == theorem.claim.bound.prover {
        vec![player.reply(game)]
    } else {
        let stones = game
            .legal_moves()
            .iter()
            .map(Move::Play)
            .collect::<Vec<_>>();
        [Move::Pass].into_iter().chain(stones).collect()
    };
    moves.into_iter().all(|action| {
        if game.play(action).is_err() {
            return false;
        }
        let holds = holds_in_play(game, player, theorem, budget);
        game.undo();
        holds
    })
}

fn rules(rule: KoRule) -> Rules {
    Rules {
        ko: match rule {
            KoRule::Simple => Ko::Simple,
            KoRule::Situational => Ko::Situational,
            KoRule::Positional => Ko::Positional,
        },
        suicide: Suicide::Forbidden,
        ..Rules::default()
    }
}

/// What is granted is played in full, against every legal move, by the rules of the toolkit.
#[test]
fn what_is_granted_can_be_played() {
    let mut verdicts: HashMap<(KoRule, RuleGrant), u32> = HashMap::new();
    let mut broken = 0;
    for size in ["1x4", "1x5", "1x6", "2x2", "2x3"] {
        let size: Size = size.parse().unwrap();
        for (number, start) in positions(size, 60).into_iter().enumerate() {
            let prover = Color::BOTH[number % 2];
            let tree = Tree::new(&[start], false);
            let (claim, entries) = tree.proof(prover, tree.value(prover)).unwrap();
            let proof = file(claim, &entries);
            let theorem = check(&proof).unwrap();
            let player = Player::new(&proof);
            for rule in KoRule::ALL {
                let verdict = theorem.ko_rules.get(rule);
                *verdicts.entry((rule, verdict)).or_default() += 1;
                let mut game = Game::from_setup(&start, rules(rule)).unwrap();
                let holds = holds_in_play(&mut game, &player, &theorem, &mut 4000);
                assert!(
                    holds || verdict != RuleGrant::Granted,
                    "{rule:?}: {theorem}"
                );
                broken += u32::from(!holds);
            }
        }
    }
    // The starts are such that the rules differ, and that some strategies really break.
    assert!(broken > 0, "{verdicts:?}");
    assert!(
        verdicts.contains_key(&(KoRule::Positional, RuleGrant::Refused)),
        "{verdicts:?}"
    );
    for rule in KoRule::ALL {
        assert!(verdicts[&(rule, RuleGrant::Granted)] > 50, "{verdicts:?}");
    }
}

/// About so many positions of a size, evenly spread.
fn positions(size: Size, wanted: usize) -> Vec<Setup> {
    let classes = Classes::new(size).unwrap();
    let radix = u128::from(classes.area()) + 1;
    let boards = 3_u128.pow(size.area() as u32);
    let all = (0..boards).filter_map(|stones| {
        let situation = classes.situation(stones * radix * 2)?;
        let mover = Color::BOTH[(stones % 5 % 2) as usize];
        let setup = situation.setup(size, mover);
        setup.board().is_ok().then_some(setup)
    });
    let all: Vec<Setup> = all.collect();
    let step = all.len().div_ceil(wanted);
    all.into_iter().step_by(step).collect()
}

/// The game as `docs/solver.md` has it for simple ko, with the whole path and nothing else remembered: a situation that
/// comes back could come back for ever, so that is lost for the prover.
fn wins_with_path(
    tree: &Tree,
    turn: usize,
    path: &mut Vec<usize>,
    goal: (Color, i32),
    steps: &mut u32,
) -> bool {
    *steps += 1;
    let (prover, least) = goal;
    let (_, mover) = tree.turns[turn];
    if path.contains(&turn) {
        return false;
    }
    path.push(turn);
    let mut wins = |next: Result<usize, i32>| match next {
        Ok(next) => wins_with_path(tree, next, path, goal, steps),
        Err(margin) => prover.sign(margin) >= least,
    };
    let won = if mover == prover {
        tree.next(turn).any(&mut wins)
    } else {
        tree.next(turn).all(&mut wins)
    };
    path.pop();
    won
}

/// On tiny boards: what is granted for simple ko is what somebody wins who searches with the whole path.
#[test]
fn agrees_with_a_search_that_remembers_the_path() {
    let mut agreed = 0;
    for size in ["1x2", "1x3", "1x4", "2x2"] {
        let size: Size = size.parse().unwrap();
        for (number, start) in positions(size, 30).into_iter().enumerate() {
            let prover = Color::BOTH[number % 2];
            let tree = Tree::new(&[start], false);
            let area = size.area() as i32;
            for margin in -area..=area {
                let goal = (prover, prover.sign(margin));
                let mut steps = 0;
                let truth = wins_with_path(&tree, 0, &mut Vec::new(), goal, &mut steps);
                let proof = tree.proof(prover, margin);
                let theorem = proof.map(|(claim, entries)| check(&file(claim, &entries)).unwrap());
                let granted =
                    theorem.is_some_and(|theorem| theorem.ko_rules.simple == RuleGrant::Granted);
                assert_eq!(truth, granted, "{margin} for {prover}\n{start}");
                agreed += u32::from(truth && granted);
            }
        }
    }
    assert!(agreed > 100, "{agreed}");
}

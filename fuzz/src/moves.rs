use tengen_core::{
    Board, Color, Game, Ko, Move, MoveLimit, Point, PointSet, Repetition, RepetitionEffect, Rules,
    Scoring, Size, Suicide, Ties,
};

/// However moves, passes, undos and copies follow each other, what the game keeps up to date is what a fresh look at
/// its stones finds.
///
/// The first bytes choose size and rules; each of the rest is a move, or one of the few values that are something else.
pub fn moves(input: &[u8]) {
    let mut input = input.iter().copied().take(400);
    let Some(game) = start(&mut input) else {
        return;
    };
    let points: Vec<Point> = game.size().points().iter().collect();
    let mut spare = game.clone();
    let mut game = game;
    let mut hashes = vec![game.board().hash()];
    check(&game);
    while let Some(byte) = input.next() {
        match byte {
            255 => {
                let moves = usize::from(input.next().unwrap_or(0) % 8) + 1;
                for _ in 0..moves.min(hashes.len() - 1) {
                    assert!(game.undo().is_some());
                    hashes.pop();
                }
            }
            254 => {
                spare.clone_from(&game);
                std::mem::swap(&mut spare, &mut game);
            }
            253 => {
                game.restart();
                hashes.truncate(1);
            }
            _ => {
                let action = match byte {
                    252 => Move::Pass,
                    // Boards with more points than a byte has values take two.
                    _ if points.len() > 250 => {
                        let place =
                            usize::from(byte) * 250 + usize::from(input.next().unwrap_or(0));
                        points[place % points.len()].into()
                    }
                    _ => points[usize::from(byte) % points.len()].into(),
                };
                let verdict = game.check(action);
                assert_eq!(game.play(action), verdict);
                if verdict.is_err() {
                    assert_eq!(hashes.last(), Some(&game.board().hash()));
                    continue;
                }
                hashes.push(game.board().hash());
            }
        }
        assert!(game.hashes().eq(hashes.iter().copied()));
        check(&game);
    }
    while game.undo().is_some() {}
    assert_eq!(game.position(), *game.start());
    check(&game);
}

/// A new game of a size and rules that the input chooses.
fn start(input: &mut impl Iterator<Item = u8>) -> Option<Game> {
    // Most boards are small: they fill up within the few moves of an input, and a look at all of their points is quick.
    let side = |byte: u8| 1 + if byte < 200 { byte % 7 } else { byte % 25 };
    let size = Size::new(side(input.next()?), side(input.next()?)).ok()?;
    let mut choose = |bound: u8| input.next().map(|byte| byte % bound);
    let rules = Rules {
        ko: [Ko::Simple, Ko::Positional, Ko::Situational][usize::from(choose(3)?)],
        suicide: [Suicide::Forbidden, Suicide::MultiStone, Suicide::Allowed]
            [usize::from(choose(3)?)],
        repetition: Repetition {
            effect: [
                RepetitionEffect::PlayOn,
                RepetitionEffect::Loses,
                RepetitionEffect::Draws,
                RepetitionEffect::NoResult,
            ][usize::from(choose(4)?)],
            window: Some(u16::from(choose(20)?)).filter(|window| *window > 0),
        },
        scoring: [Scoring::Area, Scoring::Territory, Scoring::AreaAndPrisoners]
            [usize::from(choose(3)?)],
        ties: [Ties::Draw, Ties::Black, Ties::White][usize::from(choose(3)?)],
        passes: choose(4)? + 1,
        max_moves: match choose(255)? {
            0 => MoveLimit::None,
            moves => MoveLimit::Moves(u32::from(moves)),
        },
        ..Rules::TROMP_TAYLOR
    };
    Some(Game::new(size, rules))
}

/// Compares what the game keeps with what its stones say.
pub(super) fn check(game: &Game) {
    let board = game.board();
    let stones = Color::BOTH.map(|color| *board.stones(color)).into();
    let anew = Board::with_stones(board.size(), stones).expect("every chain has a liberty");
    assert_eq!(board.hash(), anew.hash());
    assert_eq!(board.stones_in_atari(), anew.stones_in_atari());
    assert!(board.chains().eq(anew.chains()));
    for chain in board.chains() {
        let in_atari = chain.liberties.len() == 1;
        let last = chain.liberties.first().filter(|_| in_atari);
        for stone in chain.stones {
            assert_eq!(board.last_liberty(stone), last);
            assert_eq!(board.chain_len(stone), chain.stones.len());
        }
    }
    let mut legal = PointSet::EMPTY;
    for point in board.points() {
        if game.check(point.into()).is_ok() {
            legal.insert(point);
        }
    }
    assert_eq!(game.legal_moves(), legal);
    assert_eq!(game.is_over(), game.check(Move::Pass).is_err());
    let score = game.score();
    let counted = score.stones.black + score.stones.white + score.dame;
    let area = counted + score.territory.black + score.territory.white;
    assert_eq!(area as usize, board.size().area());
}

use tengen_core::{Game, Move, PointSet, Rules, Setup};

/// A diagram that reads can be printed and read again, and what stands on it can be played.
pub fn diagram(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    let setup: Setup = match text.parse() {
        Ok(setup) => setup,
        Err(error) => {
            assert!(
                (1..=text.lines().count().max(1)).contains(&error.line),
                "{error}"
            );
            return;
        }
    };
    assert_eq!(setup.to_string().parse(), Ok(setup));

    let Ok(board) = setup.board() else {
        assert!(Game::from_setup(&setup, Rules::default()).is_err());
        return;
    };
    let printed: Setup = board
        .to_string()
        .parse()
        .expect("a printed board can be read");
    assert_eq!((printed.size, printed.stones), (setup.size, setup.stones));
    assert_eq!(Setup::of(&board, setup.to_move), setup);
    let game = Game::from_setup(&setup, Rules::default()).expect("the board stands");
    let legal = board
        .points()
        .iter()
        .filter(|point| game.is_legal(Move::Play(*point)));
    assert_eq!(legal.collect::<PointSet>(), game.legal_moves());
}

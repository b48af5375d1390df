use tengen_core::Game;

use super::moves::check;

/// Bytes that load are a game whose board is in order, that saves as itself and can be taken back to its start; an
/// error points into the bytes.
pub fn saved(input: &[u8]) {
    let mut game = match Game::read_bytes(input) {
        Ok((game, rest)) => {
            assert!(input.ends_with(rest) && rest.len() < input.len());
            game
        }
        Err(error) => {
            assert!(error.offset <= input.len(), "{error:?}");
            assert!(!error.to_string().is_empty());
            assert_eq!(Game::from_bytes(input).err(), Some(error));
            return;
        }
    };
    check(&game);
    let written = game.to_bytes();
    let mut again = Game::from_bytes(&written).expect("what was written can be read");
    assert_eq!(again.to_bytes(), written);
    assert_eq!(again.rules(), game.rules());
    assert_eq!(again.position(), game.position());
    assert_eq!(again.turns(), game.turns());
    assert_eq!(again.outcome(), game.outcome());
    assert_eq!(again.legal_moves(), game.legal_moves());
    if let Some(outcome) = game.outcome() {
        assert!(!outcome.to_string().is_empty());
    }

    while let Some(turn) = game.undo() {
        assert_eq!(again.undo(), Some(turn));
        assert_eq!(again.board().hash(), game.board().hash());
    }
    check(&game);
    assert_eq!(
        game.start().board().map(|board| board.hash()),
        Ok(game.board().hash())
    );
    assert_eq!(again.position(), game.position());
}

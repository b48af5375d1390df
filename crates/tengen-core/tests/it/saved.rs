//! Saved games: what is loaded cannot be told from what was saved, and damaged bytes do no harm.

use tengen_core::{
    Color, Game, IllegalMove, Komi, Move, Outcome, Point, PointSet, Preset, Reason, Rules,
    SavedGameProblem, Setup, SetupError, Size, SizeError, Turn,
};

use crate::deed::{Deed, random_game};
use crate::fuzz;
use crate::rng::Dice;

const GAMES: u64 = 5000;

/// Asks both games everything.
fn assert_same(loaded: &Game, saved: &Game) {
    assert_eq!(loaded.rules(), saved.rules());
    assert_eq!(loaded.start(), saved.start());
    assert_same_now(loaded, saved);
    // Moves with their private fields, which undo relies on.
    assert_eq!(loaded.turns(), saved.turns());
    assert!(loaded.hashes().eq(saved.hashes()));
    assert!(loaded.board().chains().eq(saved.board().chains()));
    assert_eq!(
        loaded.board().stones_in_atari(),
        saved.board().stones_in_atari()
    );
    assert_eq!(loaded.score(), saved.score());
    assert_eq!(loaded.to_bytes(), saved.to_bytes());
    // The history remembers who was to move, which only the other player's moves may show.
    let (mut loaded, mut saved) = (loaded.clone(), saved.clone());
    loaded.resume();
    saved.resume();
    for color in Color::BOTH {
        loaded.set_to_move(color);
        saved.set_to_move(color);
        assert_eq!(verdicts(&loaded), verdicts(&saved));
    }
}

/// Asks both games what changes from move to move.
fn assert_same_now(loaded: &Game, saved: &Game) {
    assert_eq!(loaded.position(), saved.position());
    assert_eq!(loaded.board().hash(), saved.board().hash());
    assert_eq!(loaded.legal_moves(), saved.legal_moves());
    assert_eq!(loaded.turns().len(), saved.turns().len());
    assert_eq!(loaded.last_turn(), saved.last_turn());
    let state = |game: &Game| {
        (
            Color::BOTH.map(|color| game.prisoners(color)),
            game.passes(),
            game.outcome(),
            game.komi(),
            game.handicap(),
        )
    };
    assert_eq!(state(loaded), state(saved));
}

fn verdicts(game: &Game) -> (PointSet, Vec<Result<(), IllegalMove>>) {
    let points = game.size().points();
    let verdicts = points.iter().map(|point| game.check(point.into()));
    (game.legal_moves(), verdicts.collect())
}

#[test]
fn a_loaded_game_goes_on_and_back_like_the_one_that_was_saved() {
    let mut tally = [0; 8];
    for seed in 0..GAMES {
        println!("seed {seed}");
        let mut dice = Dice::new(seed);
        let mut saved = random_game(&mut dice);
        let mut loaded = Game::from_bytes(&saved.to_bytes()).unwrap();
        assert_same(&loaded, &saved);
        for (count, found) in tally.iter_mut().zip(interesting(&saved)) {
            *count += u64::from(found);
        }

        // The one is taken back as it is, a copy of it goes on first.
        let (mut loaded_back, mut saved_back) = (loaded.clone(), saved.clone());
        for _ in 0..dice.below(60) {
            let deed = Deed::random(&saved, &mut dice);
            deed.apply(&mut saved);
            deed.apply(&mut loaded);
            assert_same_now(&loaded, &saved);
        }
        assert_same(&loaded, &saved);
        for (loaded, saved) in [
            (&mut loaded, &mut saved),
            (&mut loaded_back, &mut saved_back),
        ] {
            while let Some(turn) = saved.undo() {
                assert_eq!(loaded.undo(), Some(turn));
                assert_same_now(loaded, saved);
            }
            assert_eq!(loaded.undo(), None);
            assert_same(loaded, saved);
            loaded.restart();
            saved.restart();
            assert_same(loaded, saved);
        }
    }
    // Each of them is in more than one of twenty games.
    assert!(tally.iter().all(|count| count * 20 > GAMES), "{tally:?}");
}

/// What is worth a test and in this game: moves out of turn, captures and so on.
fn interesting(game: &Game) -> [bool; 8] {
    let turns = game.turns();
    let alternate = turns.windows(2).all(|pair| pair[0].color != pair[1].color);
    let passes = |turns: &[Turn]| turns.iter().all(|turn| turn.action == Move::Pass);
    let played_on = turns.windows(3).any(passes);
    let captures = turns.iter().any(|turn| turn.removed > 0);
    let suicides = turns.iter().any(|turn| turn.suicide);
    let captured: u32 = turns.iter().map(|turn| u32::from(turn.removed)).sum();
    let prisoners: u32 = Color::BOTH.iter().map(|color| game.prisoners(*color)).sum();
    let set_up_later = prisoners > captured;
    let mut hashes: Vec<u64> = game.hashes().collect();
    hashes.sort_unstable();
    let repeats = hashes.windows(2).any(|pair| pair[0] == pair[1]);
    let mut asked = game.clone();
    asked.resume();
    let superko = verdicts(&asked).1.contains(&Err(IllegalMove::Superko));
    [
        !alternate,
        played_on,
        game.is_over(),
        captures,
        suicides,
        set_up_later,
        repeats,
        superko,
    ]
}

#[test]
fn games_in_a_row_are_read_one_after_the_other() {
    let mut dice = Dice::new(1);
    let games: Vec<Game> = (0..50).map(|_| random_game(&mut dice)).collect();
    let mut bytes = Vec::new();
    for game in &games {
        game.write_bytes(&mut bytes);
    }
    let mut rest = bytes.as_slice();
    for game in &games {
        let (loaded, behind) = Game::read_bytes(rest).unwrap();
        assert_same(&loaded, game);
        rest = behind;
    }
    assert!(rest.is_empty());
    let error = Game::from_bytes(&bytes).unwrap_err();
    assert_eq!(error.offset, games[0].to_bytes().len());
    assert_eq!(error.problem, SavedGameProblem::Trailing);
}

#[test]
fn every_beginning_of_a_saved_game_is_truncated() {
    let mut dice = Dice::new(2);
    for _ in 0..100 {
        let bytes = random_game(&mut dice).to_bytes();
        for length in 0..bytes.len() {
            let error = Game::from_bytes(&bytes[..length]).unwrap_err();
            assert_eq!(error.problem, SavedGameProblem::Truncated);
            assert_eq!(error.offset, length);
        }
    }
}

/// The fuzz target says what bytes that load have to be like.
#[test]
fn damaged_bytes_are_refused_or_another_sane_game() {
    let mut dice = Dice::new(3);
    let mut loaded = 0;
    for _ in 0..5000 {
        let mut bytes = random_game(&mut dice).to_bytes();
        for _ in 0..1 + dice.below(3) {
            let place = dice.below(bytes.len());
            match dice.below(3) {
                0 => bytes[place] ^= 1 << dice.below(8),
                1 => bytes[place] = dice.below(256) as u8,
                // Perhaps an event that fits anywhere among the moves.
                _ => bytes.insert(place, dice.below(6) as u8),
            }
        }
        loaded += usize::from(Game::read_bytes(&bytes).is_ok());
        fuzz::saved(&bytes);
    }
    // Most damage puts a stone on another, sooner or later.
    assert!((250..2500).contains(&loaded), "{loaded}");
}

#[test]
fn a_flipped_bit_is_refused_or_another_sane_game() {
    let mut dice = Dice::new(4);
    for _ in 0..20 {
        let mut bytes = random_game(&mut dice).to_bytes();
        for bit in 0..8 * bytes.len() {
            bytes[bit / 8] ^= 1 << (bit % 8);
            fuzz::saved(&bytes);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

/// A 9×9 game with a bit of everything, and its bytes.
fn golden() -> (Game, &'static str) {
    let setup: Setup = "
        . X O . . . . . .
        X . X O . . . . .
        . X O . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        White to move
        ko: J1"
        .parse()
        .unwrap();
    let rules = Preset::Aga.rules();
    let mut game = Game::from_setup(&setup, rules).unwrap();
    game.set_komi(Komi::from_halves(-1));
    game.set_handicap(3);
    // White takes the ko, both pass, Black retakes at once after playing on, and is to move again.
    game.play(Move::Play(Point::new(1, 1))).unwrap();
    game.play(Move::Pass).unwrap();
    game.play(Move::Pass).unwrap();
    game.resume();
    game.play_unchecked(Move::Play(Point::new(2, 1)));
    game.set_to_move(Color::Black);
    game.end(Outcome::Win(Color::White, Reason::Score(300)));
    let bytes = "
        54 47 53 01            mark and version
        03 61 67 61            rules: aga
        09 09                  size
        01                     komi: -0.5
        03                     handicap
        00 00                  prisoners before the start
        07                     White to move, a ko point, stones
        50                     the ko point
        15 51 15 51 02 00 00   stones
        00 00 00 00 00 00 00
        00 00 00
        0e 01 01               B8, pass, pass
        03 0f                  passes count anew, C8
        02 00                  Black is to move, the end
        05 ac 02               White wins by 150
    ";
    (game, bytes)
}

#[test]
fn the_format_does_not_change() {
    let (game, text) = golden();
    let expected: Vec<u8> = text
        .lines()
        .flat_map(|line| line.trim().split("  ").next().unwrap().split_whitespace())
        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect();
    let hex = |bytes: &[u8]| -> Vec<String> { bytes.iter().map(|b| format!("{b:02x}")).collect() };
    assert_eq!(hex(&game.to_bytes()), hex(&expected));
    assert_same(&Game::from_bytes(&expected).unwrap(), &game);
}

#[test]
fn a_move_is_a_byte_on_small_boards_and_less_than_two_on_large_ones() {
    for (side, most) in [(9, 1.0), (11, 1.0), (13, 1.4), (19, 1.8), (25, 1.9)] {
        let mut dice = Dice::new(u64::from(side));
        let mut game = Game::new(Size::square(side).unwrap(), Rules::default());
        let overhead = game.to_bytes().len();
        while !game.is_over() && game.turns().len() < 300 {
            let action = game.random_move(dice.generator());
            game.play(action).unwrap();
        }
        game.resume();
        let bytes = game.to_bytes().len() - overhead;
        println!("{side}: {overhead} + {bytes} for {}", game.turns().len());
        // One byte for `Game::resume`, if there was anything to resume.
        assert!(bytes as f64 <= 1.0 + most * game.turns().len() as f64);
    }
}

#[test]
fn passes_beyond_what_their_counter_holds() {
    let mut game = Game::new(Size::square(2).unwrap(), Rules::default());
    for _ in 0..300 {
        game.play_unchecked(Move::Pass);
    }
    let mut loaded = Game::from_bytes(&game.to_bytes()).unwrap();
    assert_same(&loaded, &game);
    while game.undo().is_some() {
        loaded.undo();
        assert_same_now(&loaded, &game);
    }
}

#[test]
fn without_passes_the_first_move_ends_the_game() {
    let rules: Rules = "koSIMPLEscoreAREAsui0pass0".parse().unwrap();
    assert_eq!(rules.passes, 0);
    let mut game = Game::new(Size::square(2).unwrap(), rules);
    assert!(!game.is_over());
    game.play(Point::new(0, 0).into()).unwrap();
    assert!(game.is_over());
    assert_same(&Game::from_bytes(&game.to_bytes()).unwrap(), &game);
}

/// A game on 3×3 from its parts, each of which may be replaced by a bad one.
fn on_3x3(rules: &[u8], numbers: &[u8], start: &[u8], events: &[u8]) -> Vec<u8> {
    let rules = [&[rules.len() as u8], rules].concat();
    [
        b"TGS\x01",
        rules.as_slice(),
        &[3, 3],
        numbers,
        start,
        events,
    ]
    .concat()
}

#[test]
fn errors_say_where_and_why() {
    let (numbers, start) = (&[0; 4][..], &[0][..]);
    let good = on_3x3(b"aga", numbers, start, &[4, 0, 0]);
    assert_eq!(Game::from_bytes(&good).unwrap().turns().len(), 1);
    let with = |offset: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[offset] = byte;
        bytes
    };
    let events = |events: &[u8]| on_3x3(b"aga", numbers, start, events);
    let too_large = SavedGameProblem::TooLarge;
    for (bytes, offset, problem) in [
        (b"(;FF[4])".to_vec(), 0, SavedGameProblem::Mark),
        (with(2, b'T'), 2, SavedGameProblem::Mark),
        (with(3, 2), 3, SavedGameProblem::Version(2)),
        (with(6, 0xff), 6, SavedGameProblem::Unknown(0xff)),
        (with(8, 0), 8, SavedGameProblem::Size(SizeError::OutOfRange)),
        (
            with(9, 26),
            8,
            SavedGameProblem::Size(SizeError::OutOfRange),
        ),
        (
            on_3x3(b"aga", &[0xc5, 0x13], &[], &[]),
            10,
            too_large.clone(),
        ),
        (
            on_3x3(b"aga", &[0, 0x80, 0x80, 0x04], &[], &[]),
            11,
            too_large.clone(),
        ),
        (
            on_3x3(b"aga", &[0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f], &[], &[]),
            13,
            too_large.clone(),
        ),
        (with(14, 8), 14, SavedGameProblem::Unknown(8)),
        (
            on_3x3(b"aga", numbers, &[2, 9], &[0, 0]),
            15,
            SavedGameProblem::Point(IllegalMove::OffBoard),
        ),
        (
            on_3x3(b"aga", numbers, &[6, 0, 1, 0], &[0, 0]),
            15,
            SavedGameProblem::Setup(SetupError::Ko(Point::new(0, 0))),
        ),
        (
            on_3x3(b"aga", numbers, &[4, 121, 40], &[0, 0]),
            15,
            SavedGameProblem::Setup(SetupError::NoLiberty(Point::new(0, 0))),
        ),
        (
            on_3x3(b"aga", numbers, &[4, 243, 0], &[0, 0]),
            15,
            SavedGameProblem::Unknown(243),
        ),
        (
            on_3x3(b"aga", numbers, &[4, 0, 81], &[0, 0]),
            16,
            SavedGameProblem::Unknown(81),
        ),
        (
            events(&[4, 1, 13, 0, 0]),
            17,
            SavedGameProblem::Point(IllegalMove::OffBoard),
        ),
        (
            events(&[4, 2, 4, 0, 0]),
            17,
            SavedGameProblem::Point(IllegalMove::Occupied),
        ),
        (
            events(&[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0]),
            15,
            too_large.clone(),
        ),
        (events(&[0, 3]), 16, SavedGameProblem::Unknown(3)),
        (events(&[0, 14]), 16, SavedGameProblem::Unknown(14)),
        (events(&[0, 4, 0x80, 0x80, 0x80, 0x80, 0x08]), 17, too_large),
        (events(&[0, 0, 0]), 17, SavedGameProblem::Trailing),
    ] {
        let error = Game::from_bytes(&bytes).unwrap_err();
        assert_eq!((error.offset, &error.problem), (offset, &problem));
        let text = error.to_string();
        assert!(text.starts_with(&format!("byte {offset}: ")), "{text}");
    }

    let error = Game::from_bytes(&on_3x3(b"koSIMPLE!", numbers, start, &[0, 0])).unwrap_err();
    assert_eq!(error.offset, 5 + "koSIMPLE".len());
    assert!(matches!(error.problem, SavedGameProblem::Rules(_)));
}

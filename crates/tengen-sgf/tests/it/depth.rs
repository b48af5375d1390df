//! Trees as deep as files can make them, on a stack that holds next to nothing.

use std::thread;

use tengen_sgf::{Collection, GameInfo, Mode, Replay, validate};

/// What a thread has on the smallest systems; a recursion of a few thousand calls would not fit.
const STACK: usize = 256 << 10;

/// Does with a record all that can be done with one.
fn exercise(text: String, nodes: usize, moves: usize) {
    let work = move || {
        let parsed = Collection::parse(text.as_str(), Mode::Strict).expect("it is well-formed");
        let games = parsed.collection;
        assert_eq!(games.node_count(), nodes);
        assert_eq!(games.to_string(), text);
        let canonical =
            Collection::parse(games.to_canonical(), Mode::Strict).expect("it is well-formed");
        assert_eq!(canonical.collection.node_count(), nodes);
        assert!(games == games.clone());

        let root = games.roots().next().expect("a game");
        assert_eq!(validate(root), []);
        assert_eq!(root.descendants().count(), nodes);
        assert_eq!(GameInfo::of(root).moves, moves);
        let replay = Replay::main_line(root, Mode::Strict).expect("the moves are legal");
        assert_eq!(replay.moves(), moves);
        let last = root.descendants().last().expect("nodes");
        Replay::to_node(last, Mode::Lenient).expect("the board is of a usual size");
    };
    let thread = thread::Builder::new().stack_size(STACK).spawn(work);
    thread
        .expect("a thread")
        .join()
        .expect("all of it fits on the stack");
}

#[test]
fn ten_thousand_nested_variations() {
    let depth = 10_000;
    // The second variation of each keeps the brackets of the first from falling away.
    let levels = "(;B[];W[]".to_owned() + &"(;B[])(;B[];W[]".repeat(depth);
    let text = format!("{levels}{}", ")".repeat(depth + 1));
    exercise(text, 2 + 3 * depth, 3);
}

#[test]
fn ten_thousand_nested_first_variations() {
    let depth = 10_000;
    let text = format!(
        "(;B[];W[]{}{})",
        "(;B[];W[]".repeat(depth),
        ")(;B[])".repeat(depth)
    );
    exercise(text, 2 + 3 * depth, 2 + 2 * depth);
}

#[test]
fn a_million_moves_in_a_line() {
    // A ko that is retaken after two passes, again and again.
    let turns = ";B[aa];W[];B[];W[ba];B[];W[]";
    let rounds = 1_000_000_usize.div_ceil(6);
    exercise(
        format!("(;SZ[2:1]{})", turns.repeat(rounds)),
        1 + 6 * rounds,
        6 * rounds,
    );
}

#[test]
fn a_hundred_thousand_children_of_one_node() {
    let children = 100_000;
    exercise(
        format!("(;SZ[9]{})", "(;B[ee])".repeat(children)),
        1 + children,
        1,
    );
}

#[test]
fn a_million_brackets_that_hold_nothing() {
    let brackets = 1_000_000;
    let work = move || {
        let refused =
            Collection::parse("(".repeat(brackets), Mode::Lenient).expect_err("there is no node");
        assert_eq!(refused.place.to_string(), "1:1");
        let parsed = Collection::parse(format!("{};", "(".repeat(brackets)), Mode::Lenient)
            .expect("there is a node");
        assert_eq!(parsed.collection.to_string(), "(;)");
    };
    let thread = thread::Builder::new().stack_size(STACK).spawn(work);
    thread
        .expect("a thread")
        .join()
        .expect("all of it fits on the stack");
}

#[test]
fn what_is_repeated_without_end_takes_no_more_than_its_share() {
    // None of these was linear in time and memory once.
    let count = 100_000;
    let names: String = (0..count)
        .map(|number| {
            let digit = |place: u32| char::from(b'A' + (number / 26_u32.pow(place) % 26) as u8);
            let letters: String = (0..5).map(digit).collect();
            format!("X{letters}[]")
        })
        .collect();
    for text in [
        "(;)C[]".repeat(count as usize),
        "()".repeat(count as usize),
        names,
        "C[]".repeat(count as usize),
        // Brackets that never close, before a long rest.
        "B[ee".repeat(count as usize),
        "PW[a\n".repeat(count as usize) + &"\\]".repeat(count as usize),
        ";PB[x] ".repeat(count as usize),
        "; B x".repeat(count as usize),
    ] {
        let text = format!("(;{text})");
        let games = Collection::parse(text, Mode::Lenient)
            .expect("it can be repaired")
            .collection;
        let again = Collection::parse(games.to_string(), Mode::Strict).expect("it is well-formed");
        assert!(again.collection == games);
        games.roots().for_each(|root| drop(validate(root)));
    }
}

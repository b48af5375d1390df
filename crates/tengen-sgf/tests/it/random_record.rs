//! Records of any shape with anything in them.

use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use tengen_sgf::Collection;

/// How a node hangs in the tree: as a root, or below one of the nodes before it.
#[derive(Clone, Debug)]
enum Parent {
    Root,
    Below(u16),
    /// Below the last one: lines are long.
    Next,
}

fn places() -> impl Strategy<Value = Parent> {
    prop_oneof![
        1 => Just(Parent::Root),
        4 => any::<u16>().prop_map(Parent::Below),
        8 => Just(Parent::Next),
    ]
}

/// Names that `FF[4]` knows, of which every kind is there, and names that nobody knows.
fn names() -> impl Strategy<Value = String> {
    const KNOWN: &[&str] = &[
        "B", "W", "AB", "AW", "AE", "PL", "C", "GC", "N", "PB", "RE", "LB", "AR", "LN", "TR", "TB",
        "FG", "AP", "SZ", "FF", "GM", "CA", "KM", "HA", "DM", "BL", "OB", "KO", "RU", "VW",
    ];
    prop_oneof![
        6 => proptest::sample::select(KNOWN).prop_map(str::to_owned),
        1 => "X[A-Z0-9]{0,3}",
        1 => "[A-Z][A-Z0-9]{4,12}",
    ]
}

/// Characters that mean something in SGF are as likely as all others together.
fn texts() -> impl Strategy<Value = String> {
    let special = proptest::sample::select(
        &[
            '[', ']', '\\', ':', ';', '(', ')', '\r', '\n', '\t', '\x0b', ' ',
        ][..],
    );
    let characters = prop_oneof![
        special,
        "[a-zA-Z0-9]".prop_map(|text| text.chars().next().unwrap_or('a')),
        any::<char>()
    ];
    vec(characters, 0..12).prop_map(|characters| characters.into_iter().collect())
}

fn values() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-s][a-s]",
        1 => "[a-zA-Z ]{0,3}(:[a-zA-Z ]{0,3})?",
        1 => " ?[+-]?[0-9]{1,3}(\\.[0-9])? ?",
        1 => Just("tt".to_owned()),
        1 => Just(String::new()),
        4 => texts(),
    ]
}

/// Collections with at least one game, built by hand rather than read.
pub(crate) fn collections() -> impl Strategy<Value = Collection> {
    let properties = vec((names(), vec(values(), 0..4)), 0..5);
    vec((places(), properties), 1..40).prop_map(|nodes| {
        let mut games = Collection::new();
        let mut ids = Vec::new();
        for (place, properties) in nodes {
            let id = match (place, ids.last()) {
                (Parent::Root, _) | (_, None) => games.add_root(),
                (Parent::Below(number), _) => games.add_child(ids[usize::from(number) % ids.len()]),
                (Parent::Next, Some(last)) => games.add_child(*last),
            };
            for (name, values) in properties {
                games.push_property(id, &name, values);
            }
            ids.push(id);
        }
        games
    })
}

/// Texts of SGF with something wrong in them.
pub(crate) fn broken_texts() -> impl Strategy<Value = String> {
    let pieces = proptest::sample::select(
        &[
            "", "[", "]", "(", ")", ";", "\\", "B", "c", "(;", "[]", ":", " ", "天", "\u{1a}",
        ][..],
    );
    let edits = vec((any::<u16>(), 0..3_usize, pieces), 0..6);
    (collections(), edits).prop_map(|(games, edits)| {
        let mut text: Vec<char> = games.to_string().chars().collect();
        for (place, removed, piece) in edits {
            let from = usize::from(place) % (text.len() + 1);
            let to = (from + removed).min(text.len());
            text.splice(from..to, piece.chars());
        }
        text.into_iter().collect()
    })
}

/// Texts made of what SGF files are made of, in any order.
pub(crate) fn shuffled_texts() -> impl Strategy<Value = String> {
    let pieces = proptest::sample::select(
        &[
            "(", ")", ";", "[", "]", "\\", "B", "W", "AB", "C", "GM[2]", "GM", "SZ[5]", "aa", "b",
            ":", " ", "\n", "(;", "]B[",
        ][..],
    );
    vec(pieces, 0..60).prop_map(|pieces| pieces.concat())
}

//! Whatever is written reads back, and whatever is read can be written.

use proptest::prelude::{any, prop_assert_eq, proptest};
use tengen_sgf::{Collection, Mode, Value};

use crate::fuzz;
use crate::random_record::{broken_texts, collections, shuffled_texts};

proptest! {
    #[test]
    fn any_tree_survives_writing_and_reading(games in collections()) {
        let written = games.to_string();
        let read = Collection::parse(written.as_str(), Mode::Strict);
        let read = read.unwrap_or_else(|error| panic!("{error}: {written:?}"));
        prop_assert_eq!(&read.diagnostics, &[]);
        prop_assert_eq!(read.collection.node_count(), games.node_count());
        prop_assert_eq!(read.collection, games);
    }

    #[test]
    fn any_game_survives_alone(games in collections()) {
        for root in games.roots() {
            let alone = root.to_collection();
            let read = Collection::parse(root.to_sgf(), Mode::Strict).expect("it was written").collection;
            prop_assert_eq!(alone.node_count(), root.descendants().count());
            prop_assert_eq!(alone.to_string(), root.to_sgf());
            prop_assert_eq!(alone, read);
        }
        // A variation is a game of its own, whatever stands beside it.
        let variations = games.roots().flat_map(tengen_sgf::Node::descendants);
        for node in variations {
            prop_assert_eq!(node.to_collection().to_string(), node.to_sgf());
        }
    }

    #[test]
    fn any_text_survives_in_a_value(text in any::<String>()) {
        let mut games = Collection::new();
        let root = games.add_root();
        games.push_property(root, "C", [&text]);
        games.push_property(root, "LB", [format!("aa:{}", &*text.replace('\\', ""))]);
        let read = Collection::parse(games.to_string(), Mode::Strict).expect("it is escaped").collection;
        let root = read.roots().next().expect("a root");
        // Only white space changes: there is one kind of line break, and a tab is a space.
        let plain = |text: &str| {
            let text = text.replace("\r\n", "\n").replace("\n\r", "\n").replace('\r', "\n");
            text.replace(['\t', '\x0b', '\x0c'], " ")
        };
        let value = root.value("C").expect("a comment");
        prop_assert_eq!(plain(&value.text()), plain(&text));
        prop_assert_eq!(value.simple_text(), plain(&text).replace('\n', " "));
    }

    #[test]
    fn any_pair_of_texts_survives_in_a_composed_value(first in "\\PC*", second in "\\PC*") {
        let raw = format!("{}:{}", Value::escape_composed(&first), Value::escape_composed(&second));
        let (left, right) = Value::raw_text(&raw).halves().expect("a colon");
        prop_assert_eq!((left.simple_text(), right.simple_text()), (first.into(), second.into()));
    }

    #[test]
    fn any_text_can_be_read(text in any::<String>()) {
        fuzz::sgf(text.as_bytes());
    }

    #[test]
    fn any_bytes_can_be_read(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        fuzz::sgf(&bytes);
    }

    #[test]
    fn broken_records_can_be_read(text in broken_texts()) {
        fuzz::sgf(text.as_bytes());
    }

    #[test]
    fn pieces_of_records_can_be_read(text in shuffled_texts()) {
        fuzz::sgf(text.as_bytes());
    }
}

use tengen_sgf::{
    Collection, Diagnostic, GameInfo, Mode, Node, Places, Record, Replay, Severity, validate,
};

/// Whatever is read can be written and read again, in every form; games can be checked and played.
pub fn sgf(input: &[u8]) {
    file(input);
    text(&String::from_utf8_lossy(input));
}

/// A file of any encoding becomes one in UTF-8.
fn file(input: &[u8]) {
    let Ok(record) = Record::read(input.to_vec(), Mode::Lenient) else {
        assert!(Record::read(input.to_vec(), Mode::Strict).is_err());
        return;
    };
    assert_eq!(read(&record.collection.to_string()), record.collection);
    let mut games = record.into_utf8();
    let roots: Vec<_> = games.roots().map(Node::id).collect();
    for root in roots {
        games.set_property(root, "CA", ["UTF-8"]);
    }
    let written = games.to_string().into_bytes();
    // Strict mode would also refuse its values, which are as bad as they were.
    let again = Record::read(written, Mode::Lenient).expect("it is a record");
    if again
        .diagnostics
        .iter()
        .any(|found| found.kind == "encoded-twice")
    {
        // What stood around the games, and kept the whole from being read so, is gone.
        return;
    }
    let repaired = |diagnostic: &Diagnostic| diagnostic.severity > Severity::Note;
    assert!(!again.diagnostics.iter().any(repaired), "it is well-formed");
    assert_eq!(again.collection, games);
    assert_eq!(again.encoding, "UTF-8");
}

fn text(text: &str) {
    let lenient = Collection::parse(text, Mode::Lenient);
    let strict = Collection::parse(text, Mode::Strict);
    let parsed = match (lenient, strict) {
        (Ok(parsed), Ok(strict)) => {
            assert!(
                parsed
                    .diagnostics
                    .iter()
                    .all(|d| d.severity == Severity::Note)
            );
            assert_eq!(parsed.collection, strict.collection);
            parsed
        }
        (Ok(parsed), Err(refused)) => {
            let mut diagnostics = parsed.diagnostics.iter();
            let first = diagnostics
                .find(|d| d.severity > Severity::Note)
                .expect("a repair");
            assert_eq!(first.message, refused.message);
            assert_eq!(Places::new(text).at(first.offset), refused.place);
            parsed
        }
        (Err(lenient), Err(strict)) => {
            assert_eq!(lenient, strict);
            return;
        }
        (Err(refused), Ok(_)) => panic!("only the lenient mode refuses: {refused}"),
    };
    for diagnostic in &parsed.diagnostics {
        assert!(diagnostic.offset <= text.len(), "{diagnostic:?}");
    }

    let games = parsed.collection;
    let written = games.to_string();
    assert_eq!(read(&written), games, "{written:?}");
    let canonical = games.to_canonical();
    let tidy = read(&canonical);
    assert_eq!(tidy.to_canonical(), canonical);
    assert_eq!(tidy.node_count(), games.node_count());

    for root in games.roots() {
        play(root);
    }
}

/// Reads what was written, which needs no repair.
fn read(written: &str) -> Collection {
    match Collection::parse(written, Mode::Strict) {
        Ok(parsed) => parsed.collection,
        Err(error) => panic!("{written:?} does not read back: {error}"),
    }
}

/// Checks a game and plays its main line and the path to its last node.
fn play(root: Node<'_>) {
    for diagnostic in validate(root) {
        assert!(diagnostic.offset <= root.collection().text().len());
    }
    assert!(GameInfo::of(root).nodes <= root.collection().node_count());
    let strict = Replay::main_line(root, Mode::Strict);
    match Replay::main_line(root, Mode::Lenient) {
        Ok(replay) => {
            let first = replay
                .diagnostics()
                .iter()
                .find(|d| d.severity > Severity::Note);
            assert_eq!(first, strict.err().as_ref());
            let record = Collection::from_game(replay.game());
            assert_eq!(read(&record.to_string()), record);
        }
        Err(refused) => assert!(strict.is_err(), "{refused:?}"),
    }
    if let Some(last) = root.descendants().last() {
        let _ = Replay::to_node(last, Mode::Lenient);
    }
}

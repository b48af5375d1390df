//! What the replay window promises.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use tengen_train::{Complaint, GameRecord, OldFiles, Window, WindowOptions, play_game};

use crate::evaluators::Counting;
use crate::selfplay::settings;

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("tengen-train-window")
        .join(name);
    let _ = fs::remove_dir_all(&path);
    path
}

fn games(seeds: std::ops::Range<u64>) -> Vec<GameRecord> {
    seeds
        .map(|seed| play_game(&mut Counting, &settings(), seed).unwrap())
        .collect()
}

const SMALL: WindowOptions = WindowOptions {
    smallest: 60,
    exponent: 0.75,
    growth: 0.4,
    old_files: OldFiles::Keep,
};

fn open(folder: &Path, options: WindowOptions) -> Window {
    let (window, complaints) = Window::open(folder, options).unwrap();
    assert!(complaints.is_empty(), "{complaints:?}");
    window
}

fn seeds(window: &Window) -> Vec<u64> {
    window.games().map(|record| record.seed).collect()
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn the_window_grows_ever_more_slowly() {
    let options = WindowOptions::default();
    assert_eq!(options.positions(0), 0);
    assert_eq!(options.positions(250_000), 250_000);
    // c·(1 + 0.4·(4^0.75 − 1)/0.75)
    assert_eq!(options.positions(1_000_000), 493_790);
    let mut before = 0;
    for total in (0..5_000_000).step_by(1000) {
        let now = options.positions(total);
        assert!(now >= before && now - before <= 1000 && now <= total);
        before = now;
    }
}

#[test]
fn reopening_restores_the_window_exactly() {
    for old_files in [OldFiles::Keep, OldFiles::Delete] {
        let options = WindowOptions { old_files, ..SMALL };
        let folder = folder(&format!("reopening-{old_files:?}"));
        let mut kept = open(&folder, options);
        let mut total = 0;
        for chunk in 0..12 {
            let new = games(8 * chunk..8 * chunk + 8);
            total += new.iter().map(GameRecord::positions).sum::<usize>() as u64;
            // One is left open, another opened anew each time.
            kept.append(new).unwrap();
            let fresh = open(&folder, options);
            assert_eq!(seeds(&fresh), seeds(&kept));
            assert!(fresh.games().eq(kept.games()));
            for window in [&fresh, &kept] {
                assert_eq!(window.total_positions(), total);
                assert_eq!(window.total_games(), 8 * chunk + 8);
            }
            // The window has what it should have, and not a game more.
            let wanted = options.positions(total);
            assert!(kept.positions() >= wanted);
            let oldest = kept.games().next().unwrap().positions() as u64;
            assert!(kept.positions() - oldest < wanted);
            let draw = |window: &Window| {
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(chunk);
                let draws = (0..20).map(move |_| window.sample(&mut rng).unwrap());
                draws
                    .map(|sample| (sample.record.seed, sample.target, sample.symmetry))
                    .collect::<Vec<_>>()
            };
            assert_eq!(draw(&fresh), draw(&kept));
        }
        assert!(kept.positions() < total);
        let left = files(&folder).len();
        match old_files {
            OldFiles::Keep => assert_eq!(left, 12),
            OldFiles::Delete => assert!(left < 12 && left > 1, "{left}"),
        }
    }
}

#[test]
fn every_position_is_drawn_in_every_way() {
    let folder = folder("sampling");
    let mut window = open(&folder, SMALL);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    assert!(window.sample(&mut rng).is_none());
    window.append(games(0..6)).unwrap();
    let positions = window.positions() as usize;
    let draws = 200 * positions;
    let mut counts = std::collections::HashMap::new();
    let mut ways = HashSet::new();
    for _ in 0..draws {
        let sample = window.sample(&mut rng).unwrap();
        assert!(sample.target < sample.record.positions());
        *counts
            .entry((sample.record.seed, sample.target))
            .or_insert(0) += 1;
        ways.insert(sample.symmetry);
    }
    assert_eq!((counts.len(), ways.len()), (positions, 8));
    assert!(
        counts.values().all(|count| (120..280).contains(count)),
        "{counts:?}"
    );
}

#[test]
fn damage_and_drafts_are_named_and_cost_nothing_else() {
    let folder = folder("damage");
    let mut window = open(&folder, WindowOptions::default());
    for chunk in 0..4 {
        window.append(games(5 * chunk..5 * chunk + 5)).unwrap();
    }
    let total = window.total_positions();
    let path = |number: u32| folder.join(format!("games-{number:08}.tgr"));
    // One file has lost its end, one its beginning, one was never finished, and one is somebody else's.
    let whole = fs::read(path(1)).unwrap();
    fs::write(path(1), &whole[..whole.len() - 3]).unwrap();
    let mut broken = fs::read(path(2)).unwrap();
    broken[5] ^= 1;
    fs::write(path(2), broken).unwrap();
    fs::write(folder.join("games-00000004.part"), "x").unwrap();
    fs::write(folder.join("notes.txt"), "mine").unwrap();
    let (mut window, complaints) = Window::open(&folder, WindowOptions::default()).unwrap();
    let mut named: Vec<String> = complaints
        .iter()
        .map(|it| it.path().file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    named.sort();
    assert_eq!(
        named,
        [
            "games-00000001.tgr",
            "games-00000002.tgr",
            "games-00000004.part"
        ]
    );
    assert!(
        complaints
            .iter()
            .any(|it| matches!(it, Complaint::Damaged(_, error) if error.offset > 24))
    );
    assert_eq!(
        seeds(&window),
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 17, 18, 19]
    );
    assert_eq!(
        (window.total_positions(), window.total_games()),
        (total, 20)
    );
    // Life goes on: the draft is written over, the numbers of damaged files are not used again.
    window.append(games(20..22)).unwrap();
    assert!(path(4).exists() && !folder.join("games-00000004.part").exists());
    assert_eq!(window.total_games(), 22);
    assert_eq!(fs::read(folder.join("notes.txt")).unwrap(), b"mine");
}

#[test]
fn a_file_that_cannot_be_written_changes_nothing() {
    let folder = folder("unwritable");
    let mut window = open(&folder, SMALL);
    window.append(games(0..3)).unwrap();
    // A folder in the way of the draft cannot be written over.
    fs::create_dir(folder.join("games-00000001.part")).unwrap();
    let error = window.append(games(3..6)).unwrap_err();
    assert!(error.path.ends_with("games-00000001.tgr"), "{error}");
    assert_eq!((seeds(&window), window.total_games()), (vec![0, 1, 2], 3));
    fs::remove_dir(folder.join("games-00000001.part")).unwrap();
    window.append(games(3..6)).unwrap();
    assert_eq!(seeds(&open(&folder, SMALL)), [0, 1, 2, 3, 4, 5]);
}

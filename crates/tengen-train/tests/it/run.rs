//! Training runs: do they learn, and do they go on after whatever happened to them?

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use tengen_files::{Disk, Faulty, Files};
use tengen_nn::{LossWeights, Losses, NetEvaluator};
use tengen_search::Stop;
use tengen_train::{Config, Event, Progress, Run, RunError};

/// A folder that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tengen-run-{name}-{}", std::process::id()));
        _ = fs::remove_dir_all(&path);
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

const TINY: &str = r#"
seed = 5
[network]
blocks = 1
channels = 16
[teacher]
games = 6
visits = 20
[self_play]
boards = [{ size = "3" }, { size = "4x3" }]
full_visits = 8
fast_visits = 2
full_share = 0.5
[generation]
games = 12
batch = 32
reuse = 8.0
[learning]
rate = 3e-3
[evaluation]
every = 2
games = 4
visits = 4
rollout_visits = 20
size = "3"
fair_komi = ["3"]
[until]
generations = 4
"#;

fn open(folder: &Path) -> Run {
    let config = Config::parse(TINY).expect("it is a configuration");
    Run::open(folder, config, 1, &mut |_| {}).expect("it can be opened")
}

/// Goes on to the end.
fn complete(run: &mut Run) {
    while !run.is_complete() {
        let progress = run.generation(&Stop::new(), &mut |_| {});
        assert_eq!(progress.expect("it goes on"), Progress::Complete);
    }
}

/// All that a run has come to.
fn result(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for part in ["games", "nets"] {
        for entry in fs::read_dir(folder.join(part)).expect("it is there") {
            let path = entry.expect("it is there").path();
            let name = path.file_name().expect("it has a name").to_string_lossy();
            files.push((
                format!("{part}/{name}"),
                fs::read(&path).expect("it can be read"),
            ));
        }
    }
    let net = fs::read(folder.join("net.safetensors")).expect("it is there");
    files.push(("net.safetensors".to_owned(), net));
    files.sort();
    files
}

#[track_caller]
fn assert_same(one: &[(String, Vec<u8>)], other: &[(String, Vec<u8>)]) {
    assert_eq!(one.len(), other.len());
    for (one, other) in one.iter().zip(other) {
        assert_eq!(one.0, other.0);
        assert!(one.1 == other.1, "{} is different", one.0);
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("it can be made");
    for entry in fs::read_dir(from).expect("it is there") {
        let path = entry.expect("it is there").path();
        let target = to.join(path.file_name().expect("it has a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, target).expect("it can be copied");
        }
    }
}

#[test]
fn a_run_goes_on_from_whatever_a_crash_left_of_it() {
    let whole = Folder::new("whole");
    let mut run = open(&whole.0);
    // A copy of the folder at some moment is what is left when the machine fails at that moment.
    let copies = Folder::new("copies");
    let mut moments = 0;
    while !run.is_complete() {
        run.generation(&Stop::new(), &mut |event| {
            if matches!(
                event,
                Event::Game { .. } | Event::Step { .. } | Event::Match(_)
            ) {
                if moments % 23 == 7 {
                    copy(&whole.0, &copies.0.join(moments.to_string()));
                }
                moments += 1;
            }
        })
        .expect("it goes on");
    }
    let expected = result(&whole.0);
    let left: Vec<PathBuf> = fs::read_dir(&copies.0)
        .expect("it is there")
        .map(|entry| entry.expect("it is there").path())
        .collect();
    assert!(left.len() > 3, "{moments} moments");
    for (number, folder) in left.iter().enumerate() {
        if number % 2 == 0 && folder.join("journal.tgr").exists() {
            // A game was being written.
            let mut bytes = fs::read(folder.join("journal.tgr")).expect("it can be read");
            bytes.extend(b"TGR\x01 and then the light went out");
            fs::write(folder.join("journal.tgr"), bytes).expect("it can be written");
        }
        complete(&mut open(folder));
        assert_same(&result(folder), &expected);
    }
}

#[test]
fn a_run_that_is_stopped_again_and_again_comes_to_the_same() {
    let whole = Folder::new("through");
    complete(&mut open(&whole.0));
    let parts = Folder::new("parts");
    let mut stops = 0;
    loop {
        let mut run = open(&parts.0);
        if run.is_complete() {
            break;
        }
        let stop = Stop::new();
        let mut events = 0;
        let progress = run.generation(&stop, &mut |_| {
            events += 1;
            if events == 9 {
                stop.stop();
            }
        });
        stops += u32::from(progress.expect("it goes on") == Progress::Stopped);
    }
    assert!(stops > 5, "it was stopped {stops} times");
    assert_same(&result(&parts.0), &result(&whole.0));
}

#[test]
fn games_that_were_played_elsewhere_are_as_good() {
    let whole = Folder::new("here");
    complete(&mut open(&whole.0));
    let other = Folder::new("elsewhere");
    let mut run = open(&other.0);
    let config = Config::parse(TINY).expect("it is a configuration");
    let mut played = 0.0;
    while !run.is_complete() {
        let mut evaluator = NetEvaluator::new(Arc::new(run.net()));
        for due in run.due().into_iter().rev().step_by(2) {
            let started = Instant::now();
            let record = config.play(due, &mut evaluator).expect("it is played");
            played += started.elapsed().as_secs_f64();
            assert!(run.accept(record.clone()).expect("it is taken"));
            assert!(!run.accept(record).expect("it is there already"));
        }
        run.generation(&Stop::new(), &mut |_| {})
            .expect("it goes on");
    }
    assert_same(&result(&other.0), &result(&whole.0));
    // The time that games took elsewhere counts.
    assert!(played > 0.0 && run.hours() >= played / 3600.0);
}

#[test]
fn losses_fall() {
    let folder = Folder::new("losses");
    // Each generation learns from other games, so that it takes some of them to see what is learnt.
    // A single game with an extreme komi would decide what the lead's loss is.
    let config = TINY.replace("generations = 4", "generations = 12")
        + "[self_play.komi]\nextreme_share = 0.0\n";
    let config = Config::parse(&config).expect("it is a configuration");
    let mut run = Run::open(&folder.0, config, 1, &mut |_| {}).expect("it can be opened");
    let mut losses = Vec::new();
    while !run.is_complete() {
        run.generation(&Stop::new(), &mut |event| {
            if let Event::Generation(summary) = event {
                losses.push(summary.losses);
            }
        })
        .expect("it goes on");
    }
    // The games of one generation may be closer than those of another, so the last ones are taken together.
    let (first, last) = (&losses[0], &losses[8..]);
    let falls = |loss: fn(&Losses) -> f64| {
        let mean = last.iter().map(loss).sum::<f64>() / last.len() as f64;
        assert!(mean < loss(first), "{first:?} {last:?}");
    };
    falls(|losses| losses.total(LossWeights::default()));
    falls(|losses| losses.lead);
    falls(|losses| losses.ownership);
    run.write_report().expect("it can be written");
    let report = fs::read_to_string(folder.0.join("report.html")).expect("it is there");
    assert!(report.contains("<svg") && report.contains("rollouts 20"));
    // Its name, its settings, and one axis for all pictures.
    let name = folder
        .0
        .file_name()
        .expect("it has a name")
        .to_string_lossy();
    assert!(report.contains(&format!("<h1>{name}</h1>")));
    assert!(report.contains("[until]\ngenerations = ") && report.contains("rollout_visits = 20"));
    let ends = |line: &str| line.matches(" minutes</text>").count();
    assert_eq!(
        report.lines().map(ends).sum::<usize>(),
        report.matches("<svg").count()
    );
}

#[test]
fn a_state_that_cannot_be_written_leaves_the_last_good_one() {
    let folder = Folder::new("full");
    drop(open(&folder.0));
    let good = fs::read(folder.0.join("state.safetensors")).expect("it is there");
    // Nothing can be written where a folder is.
    fs::create_dir(folder.0.join("state.part")).expect("it can be made");
    let config = Config::parse(TINY).expect("it is a configuration");
    let error = Run::open(&folder.0, config, 1, &mut |_| {}).expect_err("it cannot be written");
    assert!(error.to_string().contains("state.safetensors"), "{error}");
    assert_eq!(
        fs::read(folder.0.join("state.safetensors")).expect("it is there"),
        good
    );
}

#[test]
fn a_damaged_state_and_another_network_are_refused() {
    let folder = Folder::new("damaged");
    drop(open(&folder.0));
    let path = folder.0.join("state.safetensors");
    let good = fs::read(&path).expect("it is there");
    fs::write(&path, &good[..good.len() / 2]).expect("it can be written");
    let refused = |text: &str| {
        let config = Config::parse(text).expect("it is a configuration");
        Run::open(&folder.0, config, 1, &mut |_| {}).expect_err("it is refused")
    };
    assert!(matches!(refused(TINY), RunError::Weights(..)));
    fs::write(&path, &good).expect("it can be written");
    let error = refused(&TINY.replace("channels = 16", "channels = 32")).to_string();
    assert!(error.contains("1x16") && error.contains("1x32"), "{error}");
    let error = refused(&TINY.replace("seed = 5", "seed = 6")).to_string();
    assert!(error.contains("another seed"), "{error}");
}

#[test]
fn a_run_starts_with_the_network_that_it_is_given() {
    let first = Folder::new("first");
    let mut run = open(&first.0);
    run.generation(&Stop::new(), &mut |_| {})
        .expect("it goes on");
    let net = first.0.join("net.safetensors");
    let start = |text: &str, folder: &Folder| {
        let text = format!("start = '{}'\n{text}", net.display());
        let config = Config::parse(&text).expect("it is a configuration");
        Run::open(&folder.0, config, 1, &mut |_| {})
    };
    let second = Folder::new("second");
    let mut next = start(TINY, &second).expect("it can be opened");
    assert_eq!(next.current_generation(), 0);
    assert_eq!(next.net().weights(), run.net().weights());
    next.generation(&Stop::new(), &mut |_| {})
        .expect("it goes on");
    let learned = next.net();
    // What a run has learned is not forgotten when it is opened again.
    drop(next);
    let next = start(TINY, &second).expect("it can be opened");
    assert_eq!(next.net().weights(), learned.weights());

    let wider = TINY.replace("channels = 16", "channels = 32");
    let wider = start(&wider, &Folder::new("wider")).expect("it is made wider");
    assert_eq!(wider.net().architecture().channels, 32);
    fs::write(&net, wider.net().to_bytes(&[])).expect("it can be written");
    let error = start(TINY, &Folder::new("narrower")).expect_err("it is refused");
    assert!(error.to_string().contains("1x32"), "{error}");
    fs::write(&net, "no network").expect("it can be written");
    let error = start(TINY, &Folder::new("foreign")).expect_err("it is refused");
    assert!(matches!(error, RunError::Weights(..)), "{error}");
}

#[test]
fn wrong_configurations_say_what_is_wrong() {
    for (from, to, said) in [
        ("channels = 16", "channels = 20", "multiples of 16"),
        ("games = 12", "games = 0", "generation.games"),
        ("batch = 32", "bach = 32", "bach"),
        ("full_share = 0.5", "full_share = 1.5", "full_share"),
        ("size = \"4x3\"", "size = \"4x\"", "4x"),
    ] {
        let error = Config::parse(&TINY.replace(from, to)).expect_err("it is wrong");
        assert!(error.to_string().contains(said), "{error}");
    }
}

#[test]
fn configurations_of_the_project_are_ones() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs");
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("it is there") {
        let path = entry.expect("it is there").path();
        let text = fs::read_to_string(&path).expect("it can be read");
        assert!(Config::parse(&text).is_ok(), "{}", path.display());
        count += 1;
    }
    assert!(count >= 2);
}

/// One generation of a tiny run, opened with these files.
fn first_generation(disk: Arc<dyn Files>, folder: &Path) -> Result<(), RunError> {
    let text = TINY.replace("generations = 4", "generations = 1");
    let config = Config::parse(&text).expect("it is a configuration");
    let mut run = Run::open_with(disk, folder, config, 1, &mut |_| {})?;
    while !run.is_complete() {
        run.generation(&Stop::new(), &mut |_| {})?;
        run.write_report()?;
    }
    Ok(())
}

#[test]
fn a_full_disk_at_any_call_is_reported_and_the_run_goes_on_to_the_same_end() {
    let undisturbed = Folder::new("undisturbed-disk");
    let sound = Faulty::sound();
    first_generation(Arc::new(sound.clone()), &undisturbed.0).expect("nothing fails");
    let expected = result(&undisturbed.0);
    for call in 1..=sound.calls() {
        let folder = Folder::new("full-disk");
        let faulty = Faulty::failing_from(call);
        let failed = first_generation(Arc::new(faulty), &folder.0);
        // The last call removes the journal, which is empty and of no use.
        if call < sound.calls() {
            let error = failed.expect_err("it is told").to_string();
            assert!(error.contains("No space"), "call {call}: {error}");
        }
        first_generation(Arc::new(Disk), &folder.0).expect("there is space again");
        assert_same(&result(&folder.0), &expected);
    }
}

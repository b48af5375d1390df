//! Learning from records: are the right games read, in the right order, and does a network learn from them?

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tengen_core::{Color, Game, Move, Outcome, Preset, Reason, Rules, Size, Symmetry};
use tengen_nn::{Inputs, Net, NetEvaluator, Workspace};
use tengen_search::{Evaluation, Evaluator, Leaf, Stop};
use tengen_train::{
    Config, Deck, Ending, Library, LibraryError, Progress, Question, RecordedGame, RecordsOptions,
    Run, best_calibration, examine,
};

/// A folder that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("tengen-records-{name}-{}", std::process::id()));
        _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

/// Games that the baseline plays with itself by its first thoughts, now and then the second.
fn games(count: usize) -> String {
    let mut net = NetEvaluator::new(Net::baseline());
    let rules = Preset::Chinese.rules();
    let mut text = String::new();
    let mut noise = 1_u32;
    for _ in 0..count {
        let mut game = Game::new(Size::square(7).unwrap(), rules);
        while !game.is_over() && game.turns().len() < 80 {
            let mut leaf = Leaf {
                game: game.clone(),
                wants_priors: true,
                evaluation: Evaluation::default(),
            };
            net.evaluate(std::slice::from_mut(&mut leaf));
            let mut priors = leaf.evaluation.priors;
            priors.sort_by(|a, b| b.1.total_cmp(&a.1));
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let second = noise >> 30 == 0 && priors.len() > 2 && game.turns().len() < 30;
            game.play(priors[usize::from(second)].0).unwrap();
        }
        let halves = game.score().margin_halves();
        let winner = if halves > 0 { "B" } else { "W" };
        let margin = f64::from(halves.abs()) / 2.0;
        write!(text, "(;SZ[7]KM[7.5]RU[Chinese]RE[{winner}+{margin}]").unwrap();
        for turn in game.turns() {
            write!(text, ";{}[{}]", turn.color.letter(), turn.action.to_sgf()).unwrap();
        }
        text += ")\n";
    }
    text
}

fn read(
    files: Vec<String>,
    change: impl FnOnce(&mut RecordsOptions),
) -> Result<Library, LibraryError> {
    let mut options = RecordsOptions {
        files,
        fewest_moves: 1,
        held_out: 0.0,
        ..RecordsOptions::default()
    };
    change(&mut options);
    Library::read(&options, &mut |_, _| {})
}

const FIVE: &str = "(;SZ[9]KM[5.5]RU[Japanese]RE[B+R]DT[2001-02-03]BR[5d]WR[6d];B[ee];W[cc];B[gg])
(;SZ[9]RE[W+T]DT[2011]BR[3k]WR[2k];B[ed];W[cc])
(;SZ[19]HA[2]AB[dd][pp]RE[W+3.5];W[dp];B[pd];W[dd])
(;SZ[9]RE[?];B[ef];W[ff];B[ff])
(;SZ[9]KM[5.5]RU[Japanese]RE[B+R]DT[2001-02-03];B[ee];W[cc];B[gg])";

#[test]
fn filters_choose_games() {
    let folder = Folder::new("filters");
    let file = || vec![folder.write("five.sgf", FIVE)];
    let all = |options: &mut RecordsOptions| {
        options.endings = vec![
            Ending::Count,
            Ending::Resignation,
            Ending::Draw,
            Ending::Time,
            Ending::Forfeit,
            Ending::Unknown,
        ];
        options.most_handicap = 9;
    };
    let library = read(file(), all).unwrap();
    assert_eq!(library.lessons().len(), 4);
    assert_eq!(library.skipped().doubles, 1);
    let lengths: Vec<usize> = library.lessons().iter().map(RecordedGame::len).collect();
    // A game ends where a move is illegal.
    assert_eq!(lengths, [3, 2, 2, 2]);
    assert_eq!(library.longest_side(), 19);
    let resigned = &library.lessons()[0];
    assert_eq!(
        resigned.outcome(),
        Some(Outcome::Win(Color::Black, Reason::Resignation))
    );
    assert_eq!(resigned.rules().komi.unwrap().to_string(), "5.5");
    assert!(resigned.settled().is_none());

    let count = |change: &dyn Fn(&mut RecordsOptions)| {
        let library = read(file(), |options| {
            all(options);
            change(options);
        });
        library.map_or(0, |library| library.lessons().len())
    };
    assert_eq!(count(&|options| options.most_handicap = 0), 3);
    assert_eq!(count(&|options| options.sizes = vec!["9".to_owned()]), 3);
    assert_eq!(
        count(&|options| options.lowest_rank = Some("1k".to_owned())),
        1
    );
    assert_eq!(
        count(&|options| options.lowest_rank = Some("3k".to_owned())),
        2
    );
    assert_eq!(count(&|options| options.from = Some("2005".to_owned())), 1);
    assert_eq!(count(&|options| options.to = Some("2001-02".to_owned())), 1);
    assert_eq!(count(&|options| options.endings = vec![Ending::Time]), 1);
    assert_eq!(count(&|options| options.fewest_moves = 3), 1);
    assert_eq!(count(&|options| options.most_moves = 2), 3);
    assert_eq!(count(&|options| options.fewest_moves = 50), 0);
    assert_eq!(count(&|options| options.most_games = Some(2)), 2);
}

#[test]
fn what_is_wrong_is_named() {
    let folder = Folder::new("wrong");
    let file = folder.write("five.sgf", FIVE);
    let missing = read(vec![format!("{file}.gone")], |_| {}).unwrap_err();
    assert!(
        missing
            .to_string()
            .ends_with("five.sgf.gone: no such file of records"),
        "{missing}"
    );
    let rank = read(vec![file.clone()], |options| {
        options.lowest_rank = Some("strong".to_owned());
    });
    assert_eq!(
        rank.unwrap_err().to_string(),
        "records.lowest_rank: `strong` cannot be understood"
    );
    let none = read(vec![file], |options| options.fewest_moves = 99).unwrap_err();
    assert!(
        none.to_string()
            .starts_with("no game is left to learn from"),
        "{none}"
    );
    for (line, problem) in [
        ("files = []", "`records.files` must be at least one file"),
        (
            "files = [\"a\"]\nshare = 0",
            "`records.share` must be above 0 and at most 1",
        ),
        (
            "files = [\"a\"]\nheld_out = 1.5",
            "`records.held_out` must be from 0 to below 1",
        ),
    ] {
        let text = format!("[network]\nblocks = 1\nchannels = 16\n[records]\n{line}\n");
        assert_eq!(Config::parse(&text).unwrap_err().to_string(), problem);
    }
}

#[test]
fn a_pass_takes_as_many_positions_of_every_game_and_the_next_takes_others() {
    let folder = Folder::new("deck");
    let file = folder.write("games.sgf", &games(7));
    let library = read(vec![file], |_| {}).unwrap();
    let games = library.lessons();
    let mut deck = Deck::new(games.len(), 3, 5);
    let pass = |deck: &mut Deck, number: u64| -> Vec<_> {
        let numbers = number * deck.pass()..(number + 1) * deck.pass();
        numbers
            .map(|number| deck.card(number, games).unwrap())
            .collect()
    };
    let first = pass(&mut deck, 0);
    for (game, record) in games.iter().enumerate() {
        let mut turns: Vec<usize> = first
            .iter()
            .filter(|card| card.game == game)
            .map(|card| card.turn)
            .collect();
        turns.sort_unstable();
        assert_eq!(turns.len(), 3);
        for (part, turn) in turns.iter().enumerate() {
            let length = record.turns();
            assert!(
                (part * length / 3..=(part + 1) * length / 3).contains(turn),
                "{turns:?} of {length}"
            );
        }
    }
    let second = pass(&mut deck, 1);
    assert_ne!(first, second);
    // What was drawn does not depend on what was drawn before it.
    assert_eq!(pass(&mut deck, 0), first);
    assert_eq!(
        Deck::new(games.len(), 3, 5).card(30, games),
        Some(second[30 - first.len()])
    );
    assert_eq!(Deck::new(0, 3, 5).card(0, games), None);
}

/// Two walls with a neutral line between them; White wins by the komi.
fn walls(result: &str) -> String {
    let mut text = format!("(;SZ[9]KM[7.5]RU[Japanese]RE[{result}]");
    for row in "abcdefghi".chars() {
        write!(text, ";B[d{row}];W[f{row}]").unwrap();
    }
    text + ";B[];W[])"
}

#[test]
fn games_that_were_counted_say_whose_the_points_are() {
    let folder = Folder::new("settled");
    // The last one is a point away, which a last neutral point may explain; the others are no count of this board.
    for (result, fits) in [
        ("W+7.5", true),
        ("B+7.5", false),
        ("W+47.5", false),
        ("W+8.5", true),
    ] {
        let file = folder.write("walls.sgf", &walls(result));
        let library = read(vec![file], |_| {}).unwrap();
        assert_eq!(library.lessons()[0].settled().is_some(), fits, "{result}");
    }
}

#[test]
fn a_counted_game_ends_with_passes() {
    let folder = Folder::new("passes");
    let text = walls("W+7.5").replace(";B[];W[]", "");
    let counted = read(vec![folder.write("walls.sgf", &text)], |_| {}).unwrap();
    let counted = &counted.lessons()[0];
    assert!(counted.turns() > counted.len());
    for turn in counted.len()..counted.turns() {
        assert_eq!(counted.action(turn), Some(Move::Pass));
        let game = counted.position(turn, *counted.rules()).unwrap();
        assert!(!game.is_over());
        assert_eq!(
            u32::from(game.passes()) as usize,
            (turn - counted.len()) % 2
        );
    }
    let resigned = read(vec![folder.write("resigned.sgf", &walls("W+R"))], |_| {}).unwrap();
    assert_eq!(resigned.lessons()[0].turns(), resigned.lessons()[0].len());
}

fn config(file: &str, more: &str) -> Config {
    Config::parse(&format!(
        "seed = 3
[network]
blocks = 2
channels = 32
[records]
files = ['{file}']
held_out = 0.2
questions = 300
fewest_moves = 10
{more}
[generation]
batch = 32
steps = 60
[learning]
rate = 3e-3
averaging = 0.98
[schedule]
warm_up = 10
fall = 'cosine'
from = 120
to = 240
[evaluation]
every = 0
[until]
generations = 4
"
    ))
    .unwrap()
}

fn complete(folder: &Path, config: &Config, stop_at: &[u64]) -> Run {
    let mut stops = stop_at.iter().copied();
    let mut next = stops.next();
    loop {
        let mut run = Run::open(folder, config.clone(), 1, &mut |_| {}).unwrap();
        let stop = Stop::new();
        while !run.is_complete() {
            let mut steps = 0;
            let progress = run.generation(&stop, &mut |event| {
                if let tengen_train::Event::Step { .. } = event {
                    steps += 1;
                    if Some(steps) == next {
                        stop.stop();
                    }
                }
            });
            if progress.unwrap() == Progress::Stopped {
                break;
            }
        }
        if run.is_complete() {
            return run;
        }
        next = stops.next();
    }
}

#[test]
fn a_network_learns_from_a_hundred_games_and_goes_on_as_if_it_had_not_been_stopped() {
    let folder = Folder::new("learns");
    let file = folder.write("games.sgf", &games(100));
    let config = config(&file, "");
    let run = complete(&folder.0.join("whole"), &config, &[]);
    let exams: Vec<_> = run
        .log()
        .summaries()
        .iter()
        .map(|summary| summary.exam.clone().unwrap())
        .collect();
    let options = config.records.clone().unwrap();
    let library = Library::read(&options, &mut |_, _| {}).unwrap();
    assert!(
        library.held_out().len() >= 10,
        "{}",
        library.held_out().len()
    );
    assert_eq!(
        library.held_out().len() + library.lessons().len() + library.skipped().doubles,
        100
    );
    let questions = Question::draw(library.held_out(), options.questions, &options);
    let ask = |net: Net| examine(&Arc::new(net).into(), &questions);
    let random = ask(Net::random(config.network, config.seed).unwrap());
    let last = exams.last().unwrap();
    assert_eq!(*last, ask(run.net()));
    assert!(random.top1 < 0.15, "{random:?}");
    assert!(last.top1 > 0.3 && last.top1 > exams[0].top1, "{exams:?}");
    assert!(
        last.top5 > 0.6 && last.policy_loss < exams[0].policy_loss,
        "{exams:?}"
    );
    assert!(last.value_loss < random.value_loss, "{random:?} {last:?}");
    assert_eq!(last.beside, None);
    let mut judged = questions.clone();
    Question::judge(&mut judged, &Arc::new(run.net()).into());
    let beside = |net: Net| examine(&Arc::new(net).into(), &judged).beside.unwrap();
    let itself = beside(run.net());
    assert_eq!(itself.positions, last.positions);
    assert!(
        itself.divergence.abs() < 1e-6 && itself.top1 == 1.0,
        "{itself:?}"
    );
    assert!(itself.win_rate == 0.0 && itself.lead == 0.0, "{itself:?}");
    let other = beside(Net::random(config.network, config.seed).unwrap());
    assert!(other.divergence > 0.3 && other.top1 < 0.5, "{other:?}");
    assert!(other.win_rate > 0.0 && other.lead > 0.0, "{other:?}");
    // Twice as sure as before, a network should be half as sure.
    let calibration = |temperature, bias| {
        let net = run.net().with_calibration(temperature, bias);
        best_calibration(&Arc::new(net), &questions).unwrap()
    };
    let (usual, surer) = (calibration(1.0, 0.0), calibration(0.5, 0.0));
    let times = surer.temperature / usual.temperature;
    assert!((times - 2.0).abs() < 0.01, "{usual:?} {surer:?}");
    assert!(
        (surer.bias - usual.bias).abs() < 0.01,
        "{usual:?} {surer:?}"
    );
    // What it thinks too well of the player to move is taken away.
    let fond = calibration(1.0, 0.5);
    let too_much = 0.5 / usual.temperature;
    assert!(
        (usual.bias - fond.bias - too_much).abs() < 0.01,
        "{usual:?} {fond:?}"
    );
    let recorded: Vec<u64> = run
        .log()
        .summaries()
        .iter()
        .map(|summary| summary.recorded)
        .collect();
    assert_eq!(recorded, [1920, 3840, 5760, 7680]);
    let notes = Net::notes(&fs::read(folder.0.join("whole/net.safetensors")).unwrap()).unwrap();
    assert_eq!(notes["longest_side"], "7");

    let stopped = complete(&folder.0.join("stopped"), &config, &[1, 17, 40]);
    assert!(stopped.net().weights() == run.net().weights());
    assert_eq!(
        stopped.log().summaries().last().unwrap().exam.as_ref(),
        Some(last)
    );
}

#[test]
fn records_are_mixed_with_games_of_its_own() {
    let folder = Folder::new("mixed");
    let file = folder.write("games.sgf", &games(20));
    let mut config = config(&file, "share = 0.25");
    config.self_play.boards[0].size = Size::square(5).unwrap();
    config.self_play.full_visits = 4;
    config.self_play.fast_visits = 2;
    config.generation.games = 4;
    config.generation.reuse = 2.0;
    config.until.generations = Some(1);
    let run = complete(&folder.0.join("run"), &config, &[]);
    let summary = &run.log().summaries()[0];
    assert_eq!(summary.games, 4);
    assert!(summary.positions > 0);
    assert_eq!(summary.recorded, 8 * summary.steps);
    let own = 24 * summary.steps;
    assert!(own >= 2 * summary.positions && own < 2 * summary.positions + 32);
    let notes = Net::notes(&fs::read(folder.0.join("run/net.safetensors")).unwrap()).unwrap();
    assert_eq!(notes["longest_side"], "7");
}

#[test]
fn other_rules_are_told_without_changing_who_won() {
    let folder = Folder::new("rules");
    let text = games(6).replace("RU[Chinese]", "RU[Japanese]");
    let library = read(vec![folder.write("games.sgf", &text)], |_| {}).unwrap();
    for game in library.lessons() {
        let rules: Rules = Preset::Chinese.rules();
        let by_area = game.position(game.len(), rules).unwrap();
        let own = game.position(game.len(), *game.rules()).unwrap();
        assert_eq!(by_area.board().hash(), own.board().hash());
        assert_eq!(game.action(game.len()), Some(Move::Pass));
        assert_eq!(game.action(game.turns()), None);
        assert!(matches!(game.action(0), Some(Move::Play(_))));
    }
}

/// How far a network's chance to win is from that of another one, on average over positions that neither learned from.
fn value_distance(net: &Net, other: &Net, games: &[RecordedGame]) -> f32 {
    let ask = |net: &Net, game: &Game| {
        let positions = [(Inputs::new(game), Symmetry::IDENTITY)];
        let output = net.evaluate(&mut Workspace::default(), &positions);
        output[0].win_draw_loss[0]
    };
    let positions: Vec<Game> = games
        .iter()
        .flat_map(|game| (0..game.len()).step_by(5).map(move |turn| (game, turn)))
        .map(|(game, turn)| game.position(turn, *game.rules()).unwrap())
        .collect();
    let distances = positions
        .iter()
        .map(|game| (ask(net, game) - ask(other, game)).abs());
    distances.sum::<f32>() / positions.len() as f32
}

#[test]
fn a_tutor_teaches_who_wins_where_records_do_not_say_it() {
    let folder = Folder::new("tutor");
    // Nobody says how the games ended.
    let text: String = games(60)
        .lines()
        .map(|game| {
            let (head, rest) = game.split_once("RE[").unwrap();
            let (_, moves) = rest.split_once(']').unwrap();
            format!("{head}{moves}\n")
        })
        .collect();
    let file = folder.write("games.sgf", &text);
    let without = config(&file, "endings = ['unknown']");
    let with = config(
        &file,
        "endings = ['unknown']\ntutor = 'baseline'\nviews = 2\n",
    );
    let tutor = Net::baseline();
    let library = Library::read(without.records.as_ref().unwrap(), &mut |_, _| {}).unwrap();
    let alone = complete(&folder.0.join("alone"), &without, &[]);
    let taught = complete(&folder.0.join("taught"), &with, &[]);
    let far = value_distance(&alone.net(), &tutor, library.held_out());
    let near = value_distance(&taught.net(), &tutor, library.held_out());
    assert!(near < 0.6 * far, "{near} {far}");
    // It is stopped where positions have come again, about which the tutor is asked anew.
    let stopped = complete(&folder.0.join("stopped"), &with, &[55]);
    assert!(stopped.net().weights() == taught.net().weights());
}

#[test]
fn a_network_of_katago_may_be_the_tutor_and_other_files_are_refused() {
    let folder = Folder::new("tutors");
    let file = folder.write("games.sgf", &games(12));
    let tiny = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/regressions/katago/a-compressed-network");
    let mut config = config(&file, &format!("tutor = '{}'", tiny.display()));
    config.until.generations = Some(1);
    let taught = complete(&folder.0.join("taught"), &config, &[]);
    config.records.as_mut().unwrap().tutor_share = 0.0;
    let ignored = complete(&folder.0.join("ignored"), &config, &[]);
    assert!(taught.net().weights() != ignored.net().weights());
    // A tutor that is asked about nothing teaches nothing; asked about a half of the positions, it teaches something
    // else than about all.
    let variant = |name: &str, change: &dyn Fn(&mut RecordsOptions)| {
        let mut config = config.clone();
        let records = config.records.as_mut().unwrap();
        records.tutor_share = 0.8;
        change(records);
        complete(&folder.0.join(name), &config, &[]).net()
    };
    let alone = variant("alone", &|records| records.tutor = None);
    let [nothing, half] = [0.0, 0.5].map(|share| {
        variant(&format!("asked-{share}"), &|records| {
            records.asked_share = share;
        })
    });
    assert!(nothing.weights() == alone.weights());
    assert!(half.weights() != alone.weights());
    assert!(half.weights() != taught.net().weights());

    let mut refusal = |name: &str| {
        config.records.as_mut().unwrap().tutor = Some(folder.0.join(name));
        let run = Run::open(&folder.0.join("none"), config.clone(), 1, &mut |_| {});
        run.err().unwrap().to_string()
    };
    let gone = refusal("gone.bin.gz");
    assert!(
        gone.starts_with("records.tutor: ") && gone.contains("gone.bin.gz: "),
        "{gone}"
    );
    folder.write("text", "not a network");
    assert!(refusal("text").contains("text: "), "{}", refusal("text"));
    let wrong =
        "[network]\nblocks = 1\nchannels = 16\n[records]\nfiles = ['x']\ntutor_share = 2.0\n";
    let wrong = Config::parse(wrong).unwrap_err().to_string();
    assert_eq!(wrong, "`records.tutor_share` must be from 0 to 1");
}

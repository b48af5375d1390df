//! KataGo's networks: their files are read, run and refused as they should be.

mod imitation;
mod network;
mod peers;
mod reading;
mod reference;
mod writing;

use std::sync::Arc;

use network::{Act, Kind, Network, Numbers, Wish};
use reference::{Reference, Said};
use tengen_core::{Color, Game, Move, Point, Rules, Size, Symmetry};
use tengen_nn::katago::{KataGoEvaluator, Net, Output, Position, Workspace};
use tengen_nn::{Kernels, judge_by_file_within};
use tengen_search::{Evaluation, Evaluator, Leaf, RawQuery};
use writing::compressed;

const CONVOLUTIONS: &[Kind] = &[Kind::Ordinary, Kind::Pooling, Kind::Ordinary];

const WISH: Wish<'_> = Wish {
    version: 8,
    kinds: CONVOLUTIONS,
    act: Act::Mish,
    channels: 20,
    has_metadata: false,
    rms_tip: None,
};

/// Planes as a network sees them, mostly 0, and other inputs.
struct Inputs {
    size: Size,
    planes: Vec<f32>,
    globals: Vec<f32>,
    metadata: Vec<f32>,
}

impl Inputs {
    fn new(size: Size, seed: u64) -> Self {
        let mut numbers = Numbers::new(seed);
        let mut planes: Vec<f32> = (0..22 * size.area())
            .map(|_| f32::from(u8::from(numbers.next() > 0.6)))
            .collect();
        planes[..size.area()].fill(1.0);
        let mut many = |count| (0..count).map(|_| numbers.next()).collect();
        Self {
            size,
            planes,
            globals: many(19),
            metadata: many(192),
        }
    }

    fn position(&self, symmetry: Symmetry, may_have_no_result: bool) -> Position<'_> {
        Position {
            planes: &self.planes,
            globals: &self.globals,
            metadata: &self.metadata,
            symmetry,
            may_have_no_result,
        }
    }

    fn reference(&self, network: &Network, may_have_no_result: bool) -> Said {
        let reference = Reference {
            network,
            width: self.size.width().into(),
            height: self.size.height().into(),
        };
        reference.run(
            &self.planes,
            &self.globals,
            &self.metadata,
            may_have_no_result,
        )
    }
}

fn size(width: u8, height: u8) -> Size {
    Size::new(width, height).expect("it is a board")
}

fn close(what: &str, found: f32, wanted: f64) {
    let off = (f64::from(found) - wanted).abs();
    assert!(
        off < 2e-4 * wanted.abs().max(1.0),
        "{what}: {found} is not {wanted}"
    );
}

fn all_close(what: &str, found: &[f32], wanted: &[f64]) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (found, wanted) in found.iter().zip(wanted) {
        close(what, *found, *wanted);
    }
}

fn same(output: &Output, said: &Said, version: usize) {
    all_close("policy", &output.policy, &said.policy[0]);
    match &output.optimistic_policy {
        Some(policy) => all_close("optimistic policy", policy, &said.policy[1]),
        None => assert_eq!(said.policy.len(), 1),
    }
    let [win, loss, no_result] = said.win_loss_no_result;
    close("win", output.win, win);
    close("loss", output.loss, loss);
    close("no result", output.no_result, no_result);
    close("score", output.score_mean, said.score_mean);
    close("deviation", output.score_stdev, said.score_stdev);
    close("lead", output.lead, said.lead);
    all_close("ownership", &output.ownership, &said.ownership);
    let more = [output.time_variance, output.value_error, output.score_error];
    let [value_error, score_error] = said.errors;
    for (found, wanted) in more
        .into_iter()
        .zip([said.time_variance, value_error, score_error])
    {
        match found {
            Some(found) => close("more", found, wanted),
            None => assert_eq!(version, 8),
        }
    }
}

/// Runs a network on boards of several sizes with all kernels, as binary and as text.
fn check(wish: Wish<'_>, sizes: &[(u8, u8)]) {
    let network = Network::new(wish);
    for kernels in Kernels::available() {
        let net = Net::from_bytes(&network.write(true)).expect("it is a network");
        let net = net.with_kernels(kernels);
        let mut workspace = Workspace::default();
        for (width, height) in sizes {
            let inputs = Inputs::new(size(*width, *height), 7);
            for may_have_no_result in [false, true] {
                let position = inputs.position(Symmetry::IDENTITY, may_have_no_result);
                let outputs = net.evaluate(&mut workspace, inputs.size, &[position]);
                let said = inputs.reference(&network, may_have_no_result);
                same(&outputs[0], &said, wish.version);
            }
        }
    }
}

#[test]
fn ordinary_and_pooling_blocks_of_all_versions_say_what_plain_loops_say() {
    for version in 8..=17 {
        check(Wish { version, ..WISH }, &[(9, 9), (5, 7)]);
    }
}

#[test]
fn boards_of_all_sizes_are_what_they_are() {
    let sizes = [(2, 2), (2, 19), (3, 2), (13, 4), (19, 19), (1, 1), (7, 18)];
    check(WISH, &sizes);
}

#[test]
fn all_activations_are_known() {
    for act in [Act::Identity, Act::Relu, Act::Mish, Act::Silu] {
        let wish = Wish {
            version: 11,
            act,
            ..WISH
        };
        check(wish, &[(6, 6)]);
    }
}

#[test]
fn bottlenecks_say_what_plain_loops_say() {
    for channels in [20, 33, 48] {
        let wish = Wish {
            version: 14,
            kinds: &[Kind::Bottleneck, Kind::Ordinary, Kind::Nested],
            channels,
            ..WISH
        };
        check(wish, &[(9, 9), (4, 6)]);
    }
}

#[test]
fn transformers_say_what_plain_loops_say() {
    for (version, rms_tip) in [(15, None), (16, Some(false)), (17, Some(true))] {
        let wish = Wish {
            version,
            kinds: &[
                Kind::AttentionFixed,
                Kind::FeedForward,
                Kind::AttentionLearned,
                Kind::FeedForward,
                Kind::Bottleneck,
                Kind::AttentionPlain,
            ],
            act: Act::Silu,
            rms_tip,
            ..WISH
        };
        check(wish, &[(7, 7), (4, 5)]);
    }
}

#[test]
fn who_plays_changes_what_a_network_with_metadata_says() {
    let wish = Wish {
        version: 15,
        has_metadata: true,
        ..WISH
    };
    check(wish, &[(6, 6)]);
    let net = Net::from_bytes(&Network::new(wish).write(true)).expect("it is a network");
    assert!(net.about().has_metadata);
    let inputs = Inputs::new(size(6, 6), 1);
    let known = inputs.position(Symmetry::IDENTITY, false);
    let unknown = Position {
        metadata: &[],
        ..known
    };
    let outputs = net.evaluate(&mut Workspace::default(), inputs.size, &[known, unknown]);
    assert_ne!(outputs[0], outputs[1]);
}

#[test]
fn text_and_compressed_files_are_the_same_networks() {
    let wish = Wish {
        version: 15,
        kinds: &[Kind::Pooling, Kind::AttentionLearned, Kind::FeedForward],
        ..WISH
    };
    let network = Network::new(wish);
    let [binary, text] = [true, false].map(|binary| network.write(binary));
    let inputs = Inputs::new(size(9, 9), 3);
    let position = [inputs.position(Symmetry::IDENTITY, true)];
    let say = |file: &[u8]| {
        assert!(Net::looks_like_one(file));
        let net = Net::from_bytes(file).expect("it is a network");
        net.evaluate(&mut Workspace::default(), inputs.size, &position)
    };
    let said = say(&binary);
    assert_eq!(say(&text), said);
    assert_eq!(say(&compressed(&binary)), said);
    assert_eq!(say(&compressed(&text)), said);
}

#[test]
fn a_position_says_the_same_alone_and_among_others_and_turned_back() {
    let wish = Wish {
        version: 15,
        kinds: &[Kind::Pooling, Kind::AttentionFixed, Kind::FeedForward],
        ..WISH
    };
    let net = Net::from_bytes(&Network::new(wish).write(true)).expect("it is a network");
    let inputs = [1, 2, 3].map(|seed| Inputs::new(size(7, 7), seed));
    let turned: Vec<_> = inputs
        .iter()
        .zip(Symmetry::onto_itself(size(7, 7)).skip(3))
        .map(|(inputs, symmetry)| inputs.position(symmetry, false))
        .collect();
    let mut workspace = Workspace::default();
    let together = net.evaluate(&mut workspace, size(7, 7), &turned);
    for (position, output) in turned.iter().zip(&together) {
        let alone = net.evaluate(&mut workspace, size(7, 7), &[*position]);
        assert_eq!(&alone[0], output);
        // What the network says of a board that somebody else has turned.
        let turned_planes: Vec<f32> = position
            .planes
            .chunks_exact(49)
            .flat_map(|plane| {
                let mut to = vec![0.0; 49];
                for (point, value) in size(7, 7).points().iter().zip(plane) {
                    to[size(7, 7).index(position.symmetry.apply(point, size(7, 7)))] = *value;
                }
                to
            })
            .collect();
        let plain = Position {
            planes: &turned_planes,
            symmetry: Symmetry::IDENTITY,
            ..*position
        };
        let plain = net.evaluate(&mut workspace, size(7, 7), &[plain]).remove(0);
        for (point, owner) in size(7, 7).points().iter().zip(&output.ownership) {
            let place = size(7, 7).index(position.symmetry.apply(point, size(7, 7)));
            assert_eq!(plain.ownership[place], *owner);
            assert_eq!(plain.policy[place], output.policy[size(7, 7).index(point)]);
        }
        assert_eq!(plain.win, output.win);
    }
    assert_ne!(together[0], together[1]);
}

#[test]
fn leaves_of_a_search_are_worth_the_same_together_and_alone() {
    let net = Net::from_bytes(&Network::new(WISH).write(true)).expect("it is a network");
    let net = Arc::new(net);
    let mut game = Game::new(size(9, 7), Rules::default());
    let root = game.clone();
    let positions: Vec<Game> = [(2, 2), (6, 4), (2, 4), (6, 2), (4, 3)]
        .iter()
        .map(|(x, y)| {
            game.play(Move::Play(Point::new(*x, *y)))
                .expect("the point is empty");
            game.clone()
        })
        .collect();
    let judged = |mut leaves: Vec<Leaf>, together: usize| -> Vec<Evaluation> {
        let mut evaluator = KataGoEvaluator::new(Arc::clone(&net));
        evaluator.begin(&root, 1);
        for leaves in leaves.chunks_mut(together) {
            evaluator.evaluate(leaves);
        }
        leaves.into_iter().map(|leaf| leaf.evaluation).collect()
    };
    let clones = || -> Vec<Leaf> {
        let leaf = |game: &Game| Leaf {
            game: game.clone(),
            wants_priors: true,
            evaluation: Evaluation::default(),
        };
        positions.iter().map(leaf).collect()
    };
    let alone = judged(clones(), 1);
    assert_eq!(judged(clones(), 5), alone);
    // Some of them are known, and some come twice.
    let mut twice = clones();
    twice.extend(clones());
    let both = judged(twice, 3);
    assert_eq!(both[..5], alone);
    assert_eq!(both[5..], alone);
}

#[test]
fn raw_outputs_are_what_the_network_says_as_black_sees_it() {
    let wish = Wish {
        version: 15,
        ..WISH
    };
    let net = Net::from_bytes(&Network::new(wish).write(true)).expect("it is a network");
    let mut evaluator = KataGoEvaluator::new(Arc::new(net));
    let mut game = Game::new(size(7, 7), Rules::default());
    game.play(Move::Play(Point::new(3, 3)))
        .expect("the board is empty");
    let said = evaluator.ask(&game);
    let query = |optimism| RawQuery {
        symmetry: Some(Symmetry::IDENTITY),
        optimism,
        plainly: false,
    };
    let raw = evaluator
        .raw(&game, &query(None))
        .expect("it knows the board");
    assert_eq!(raw.wins[Color::White], said.win);
    assert_eq!(raw.wins[Color::Black], said.loss);
    assert_eq!(raw.black_lead, -said.lead);
    assert_eq!(raw.black_score, Some(-said.score_mean));
    assert_eq!(raw.ownership[0], -said.ownership[0]);
    let occupied = size(7, 7).index(Point::new(3, 3));
    let illegal: Vec<usize> = (0..50)
        .filter(|place| raw.policy[*place].is_none())
        .collect();
    assert_eq!(illegal, [occupied]);
    let sum: f32 = raw.policy.iter().flatten().sum();
    assert!((sum - 1.0).abs() < 1e-5, "{sum}");
    let optimistic = evaluator.raw(&game, &query(Some(1.0)));
    let optimistic = optimistic.expect("it knows the board").policy;
    assert_ne!(optimistic, raw.policy);
    let models = evaluator.models();
    assert_eq!((models[0].version, models[0].imitates), (15, false));
    assert!(
        evaluator
            .raw(&Game::new(size(20, 7), Rules::default()), &query(None))
            .is_none()
    );
}

/// A search hides from a network that a pass would end a game which its player would lose. `kata-raw-nn` does not.
#[test]
fn a_pass_that_would_lose_is_hidden_from_a_search_alone() {
    let net = Net::from_bytes(&Network::new(WISH).write(true)).expect("it is a network");
    let mut evaluator = KataGoEvaluator::new(Arc::new(net));
    let mut game = Game::new(size(7, 7), Rules::TROMP_TAYLOR);
    for action in [Move::Play(Point::new(3, 3)), Move::Pass] {
        game.play(action).expect("it is legal");
    }
    // The whole board is Black's.
    for (komi, hides) in [("7.5", false), ("60", true)] {
        game.set_komi(komi.parse().expect("it is a komi"));
        let mut lead = |plainly| {
            let query = RawQuery {
                symmetry: Some(Symmetry::IDENTITY),
                plainly,
                ..RawQuery::default()
            };
            let raw = evaluator.raw(&game, &query);
            raw.expect("it knows the board").black_lead
        };
        assert_eq!(lead(true) != lead(false), hides, "{komi}");
    }
}

/// The one line that says why a file is refused.
fn refused(file: &[u8]) -> String {
    let error = Net::from_bytes(file).expect_err("it is no network");
    let line = error.to_string();
    assert!(!line.is_empty() && !line.contains('\n'), "{line}");
    line
}

/// A file with the first of these words replaced.
fn with(file: &[u8], from: &str, to: &str) -> Vec<u8> {
    let text = String::from_utf8(file.to_vec()).expect("it is text");
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1).into_bytes()
}

#[test]
fn files_that_were_cut_off_are_refused_wherever_that_was() {
    let wish = Wish {
        version: 17,
        kinds: &[Kind::Nested, Kind::AttentionLearned, Kind::FeedForward],
        ..WISH
    };
    for binary in [false, true] {
        let file = Network::new(wish).write(binary);
        let lines: Vec<usize> = (0..file.len())
            .filter(|place| file[*place] == b'\n')
            .collect();
        // The last line may end with the file.
        for end in lines.iter().rev().skip(1).step_by(lines.len() / 60 + 1) {
            let line = refused(&file[..*end]);
            assert!(line.ends_with("the file ends too early"), "{line}");
            refused(&compressed(&file)[..end / 100]);
        }
    }
    let whole = Network::new(wish).write(false);
    let place = whole.windows(11).position(|word| word == b"gpool_block");
    let line = refused(&whole[..place.expect("it has one") + 200]);
    let block = "block 1 of 3, block 1 of 2 within, block 2 of 2 within (layer";
    assert!(line.starts_with(block), "{line}");
}

#[test]
fn a_network_with_more_weights_than_allowed_is_refused_before_they_are_read() {
    let file = compressed(&Network::new(WISH).write(true));
    let weights = Net::from_bytes(&file).expect("it is whole").about().weights;
    assert!(Net::read_within(&file[..], weights).is_ok());
    assert!(judge_by_file_within(&file, weights).is_ok());
    for most in [weights - 1, weights / 2, 0] {
        let error = Net::read_within(&file[..], most).expect_err("it is too large");
        let wanted = format!("it has more than {most} numbers");
        assert!(error.to_string().ends_with(&wanted), "{error}");
        assert!(judge_by_file_within(&file, most).is_err());
    }
}

#[test]
fn files_that_cannot_be_used_are_refused_with_the_block_and_the_reason() {
    let wish = Wish {
        version: 15,
        kinds: &[Kind::Bottleneck, Kind::AttentionFixed, Kind::FeedForward],
        ..WISH
    };
    let file = Network::new(wish).write(false);
    let cases = [
        (
            "little 15",
            "little 18",
            "the header: it is a network of version 18, and this program knows those from 8 to 17",
        ),
        ("little 15", "little 7", "version 7"),
        (
            "little 15",
            "little x",
            "the header: `x` is not a whole number",
        ),
        (
            "15 22 19",
            "15 23 19",
            "planes: there are 23, and there should be 22",
        ),
        (
            "nested_bottleneck_block",
            "dense_block",
            "block 1 of 3 (layer3): this program knows no block `dense_block`",
        ),
        (
            "gpool_block",
            "x_block",
            "block 1 of 3, block 2 of 2 within",
        ),
        (
            "ACTIVATION_MISH",
            "ACTIVATION_GELU",
            "this program knows no activation `ACTIVATION_GELU`",
        ),
        ("trunk 3", "trunk 4", "block 4 of 4"),
        (
            "trunk 3 20",
            "trunk 3 999999999",
            "the trunk at `trunk`: 999999999 is too small or too large for channels",
        ),
        (
            "trunk 3",
            "trunk 0",
            "0 is too small or too large for blocks",
        ),
        ("0 1 0 0 0 0 0 0", "2 1 0 0 0 0 0 0", "`2` is not 0 or 1"),
        (
            "0 1 0 0 0 0 0 0",
            "0 1 0 0 0 0 0 1",
            "this program knows no setting `1`",
        ),
        ("layer1 3 3 22", "layer1 4 4 22", "window"),
    ];
    for (from, to, reason) in cases {
        let line = refused(&with(&file, from, to));
        assert!(line.contains(reason), "{line}");
    }
    let mut longer = file.clone();
    longer.extend(b"more\n");
    assert!(refused(&longer).contains("goes on after the end"));
    assert!(refused(b"").contains("ends too early"));
    assert!(refused(b"name").contains("ends too early"));
    assert!(refused(&compressed(b"name 8 22 19")).contains("ends too early"));
    assert!(refused(&[0; 100]).contains("the header"));
    let mut broken = compressed(&file);
    let last = broken.len() - 6;
    broken[last] ^= 1;
    assert!(refused(&broken).contains("cannot be read"));
}

#[test]
fn numbers_that_are_none_are_refused() {
    for wrong in [f32::NAN, f32::INFINITY] {
        for binary in [true, false] {
            let mut network = Network::new(WISH);
            network.stem.weights[5] = wrong;
            let line = refused(&network.write(binary));
            assert!(
                line.contains("the trunk at `layer1`: a number is infinite or none"),
                "{line}"
            );
        }
    }
}

#[test]
fn blocks_within_blocks_without_end_are_refused() {
    let file = Network::new(WISH).write(false);
    let text = String::from_utf8(file).expect("it is text");
    let (begin, _) = text.split_once("ordinary_block").expect("it has one");
    // Bottlenecks of one channel each, in each other.
    let mut deep = begin.to_owned();
    let mut channels = 20;
    for _ in 0..100_000 {
        let zeros = "0 ".repeat(2 * channels);
        let ones = "1 ".repeat(channels);
        deep += &format!(
            "nested_bottleneck_block b 1\nn {channels} 1 0 0 {zeros}\na\nc 1 1 {channels} 1 1 1 {ones}\n"
        );
        channels = 1;
    }
    let line = refused(deep.as_bytes());
    assert!(line.contains("the depth of blocks within blocks"), "{line}");
}

#[test]
fn a_file_that_promises_much_takes_little_memory() {
    for binary in ["", "@BIN@"] {
        let file = format!("name 8 22 19 trunk 6 16384 1 1 1 1 conv 19 19 22 16384 1 1 {binary}");
        assert!(refused(file.as_bytes()).contains("ends too early"));
        let file = format!("{file} {}", "0 ".repeat(1000));
        assert!(refused(file.as_bytes()).contains("ends too early"));
    }
    let file = "name 8 22 19 trunk 6 16384 1 1 1 1 conv 5 5 22 16384 1 1 1";
    assert!(refused(file.as_bytes()).contains("ends too early"));
}

#[test]
fn other_files_do_not_look_like_networks_of_katago() {
    for file in [
        &b""[..],
        b"(;GM[1])",
        b"\x10\0\0\0\0\0\0\0{\"__metadata__\":{}}",
        b"a 8 x 19",
    ] {
        assert!(!Net::looks_like_one(file));
    }
    assert!(Net::looks_like_one(b"g170 8 22 19 trunk"));
}

//! Networks that others have trained, from a folder that an environment variable names.
//! `cargo xtask test --peers` makes the folder; nothing of it is part of the project.

mod program;

use std::path::PathBuf;
use std::{env, fs};

use tengen_core::{Color, Game, Move, Point, Rules, Setup, Size, Symmetry};
use tengen_nn::katago::{InputOptions, Inputs, Net, Position, Workspace};
use tengen_nn::softmax;

use super::network::Network;
use super::{Reference, same};

/// The folder.
const FOLDER: &str = "TENGEN_KATAGO_NETS";

/// What its files are called.
const ENDING: &str = ".bin.gz";

fn files() -> Vec<PathBuf> {
    let Some(folder) = env::var_os(FOLDER) else {
        return Vec::new();
    };
    let entries = fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("the folder is readable").path());
    let is_net = |path: &PathBuf| path.to_string_lossy().ends_with(ENDING);
    let files: Vec<PathBuf> = paths.filter(is_net).collect();
    assert!(!files.is_empty(), "no networks");
    files
}

/// A game with a few stones, the same every time.
fn game(size: Size) -> Game {
    let mut game = Game::new(size, Rules::default());
    let mut state = 5_usize;
    for _ in 0..size.area() / 3 {
        state = state.wrapping_mul(25_214_903_917).wrapping_add(11) % (1 << 48);
        let legal = game.legal_moves();
        let drawn = legal.nth((state >> 16) % legal.len());
        game.play_unchecked(drawn.map_or(Move::Pass, Move::Play));
    }
    game
}

/// Real networks, read by a second reader and run by plain loops, say the same.
#[test]
fn networks_of_others_say_what_plain_loops_say() {
    for path in files() {
        let file = fs::read(&path).expect("the file is readable");
        let network = Network::read(&file);
        let net = Net::from_bytes(&file).expect("it is a network");
        drop(file);
        let mut workspace = Workspace::default();
        for (width, height) in [(7, 7), (9, 5)] {
            let size = Size::new(width, height).expect("it is a board");
            let inputs = Inputs::of(&game(size), &InputOptions::default());
            let metadata = [0.0; 192];
            let position = Position {
                planes: &inputs.spatial,
                globals: &inputs.global,
                metadata: &metadata,
                symmetry: Symmetry::IDENTITY,
                may_have_no_result: true,
            };
            let output = net.evaluate(&mut workspace, size, &[position]).remove(0);
            let reference = Reference {
                network: &network,
                width: width.into(),
                height: height.into(),
            };
            let said = reference.run(&inputs.spatial, &inputs.global, &metadata, true);
            same(&output, &said, network.version);
        }
    }
}

/// What KataGo itself said of a position on 5 × 5 with its smallest network, as its own tests record it: chances, and
/// probabilities and ownership in thousandths, cut off after that. It had turned the board upside down and from left to
/// right.
#[test]
fn the_smallest_network_says_what_katago_recorded() {
    let name = "g170-b6c96-s175395328-d26788732.bin.gz";
    let Some(path) = files().into_iter().find(|path| path.ends_with(name)) else {
        return;
    };
    let net = Net::from_bytes(&fs::read(path).expect("it is readable")).expect("it is a network");
    let setup: Setup = "
        . . . . .
        . . . X .
        . . O . .
        . X X O .
        . . . . .
        White to move"
        .parse()
        .expect("it is a diagram");
    let rules: Rules = "koPOSITIONALscoreAREAtaxNONEsui1"
        .parse()
        .expect("these are rules");
    let rules = rules.with_komi("7.5".parse().expect("it is a komi"));
    let game = Game::from_setup(&setup, rules).expect("it can stand");
    let inputs = Inputs::of(&game, &InputOptions::default());
    let size = game.size();
    let corner = |x, y| size.index(Point::new(x, y));
    let is_half_turn = |symmetry: &Symmetry| {
        let turned = |x, y| size.index(symmetry.apply(Point::new(x, y), size));
        turned(0, 0) == corner(4, 4) && turned(1, 0) == corner(3, 4)
    };
    let symmetry = Symmetry::onto_itself(size)
        .find(is_half_turn)
        .expect("there is one");
    let position = Position {
        planes: &inputs.spatial,
        globals: &inputs.global,
        metadata: &[],
        symmetry,
        may_have_no_result: false,
    };
    let output = net
        .evaluate(&mut Workspace::default(), size, &[position])
        .remove(0);
    let close = |found: f32, wanted: f32, off: f32| {
        assert!((found - wanted).abs() <= off, "{found} {wanted}");
    };
    close(output.win, 0.9025, 1e-4);
    close(output.loss, 0.0975, 1e-4);
    close(output.score_mean, 9.37, 0.01);
    close(
        output.score_mean.powi(2) + output.score_stdev.powi(2),
        242.9,
        0.1,
    );
    close(output.lead, 7.87, 0.01);
    let mut policy = output.policy.clone();
    for stone in *game.board().stones(Color::Black) | *game.board().stones(Color::White) {
        policy[size.index(stone)] = f32::NEG_INFINITY;
    }
    softmax(&mut policy);
    let moves = [
        0, 0, 0, 0, 0, 0, 3, 150, 0, 0, 0, 237, 0, 607, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0,
    ];
    for (found, wanted) in policy.iter().zip(moves) {
        close(*found, wanted as f32 / 1000.0, 1e-3);
    }
    let owners = [
        -21, -257, 64, -419, 121, -129, -354, -489, -148, 241, -341, -367, -294, 46, 292, -322,
        -457, -80, 559, 277, -247, -395, -127, -132, 91,
    ];
    for (found, wanted) in output.ownership.iter().zip(owners) {
        close(*found, wanted as f32 / 1000.0, 1e-3);
    }
}

//! What the network says.

use tengen_core::{Color, Game, Komi, Move, Rules, Size, Symmetry};
use tengen_nn::{Architecture, Inputs, Kernels, Net, Output, Workspace};

use crate::reference;

/// A game after some moves that depend on the seed alone.
pub(crate) fn position(size: Size, moves: usize, seed: usize) -> Game {
    let mut game = Game::new(size, Rules::default().with_komi(Komi::from_halves(15)));
    for turn in 0..moves {
        let legal = game.legal_moves();
        let point = legal.nth((seed * 31 + turn * 7919 + 5) % legal.len().max(1));
        let action = point.map_or(Move::Pass, Move::Play);
        game.play(action).expect("it is legal");
        if game.is_over() {
            game.resume();
        }
    }
    game
}

pub(crate) fn sizes() -> Vec<Size> {
    let pairs = [
        (5, 5),
        (6, 6),
        (7, 7),
        (8, 8),
        (9, 9),
        (13, 13),
        (2, 1),
        (5, 9),
        (19, 19),
        (25, 3),
    ];
    let size = |(width, height)| Size::new(width, height).expect("it is a size");
    pairs.into_iter().map(size).collect()
}

#[track_caller]
fn assert_close(a: &Output, b: &Output, most: f32) {
    let differences = a.policy.iter().zip(&b.policy);
    let differences = differences.chain(a.ownership.iter().zip(&b.ownership));
    let differences = differences.chain(a.win_draw_loss.iter().zip(&b.win_draw_loss));
    let worst = differences.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(worst < most, "they differ by {worst}");
    assert!(
        (a.lead - b.lead).abs() < 10.0 * most,
        "{} and {}",
        a.lead,
        b.lead
    );
}

#[test]
fn kernels_say_what_plain_arithmetic_says() {
    for (seed, size) in sizes().into_iter().enumerate() {
        // Networks of more channels cut small boards into more tiles.
        let few = 16 * (1 + seed % 2);
        let all = Kernels::available();
        for (kernels, channels) in all
            .iter()
            .flat_map(|&kernels| [(kernels, few), (kernels, 48)])
        {
            let architecture = Architecture {
                blocks: 2,
                channels,
            };
            let net = Net::random(architecture, seed as u64)
                .expect("it is a size")
                .with_kernels(kernels);
            let games: Vec<Game> = (0..3)
                .map(|game| position(size, 4 + 5 * game, game))
                .collect();
            let positions: Vec<_> = games
                .iter()
                .map(|game| (Inputs::new(game), Symmetry::IDENTITY))
                .collect();
            let outputs = net.evaluate(&mut Workspace::default(), &positions);
            for ((game, (inputs, _)), output) in games.iter().zip(&positions).zip(&outputs) {
                assert_close(
                    output,
                    &reference::output(&net, game, inputs.globals()),
                    1e-4,
                );
            }
        }
    }
}

/// Whether kernels round once where they multiply and add. Portable ones do so on aarch64 alone.
pub(crate) fn fuses(kernels: Kernels) -> bool {
    cfg!(target_arch = "aarch64") || kernels != Kernels::PORTABLE
}

#[test]
fn wider_vectors_say_the_same_to_the_last_bit() {
    let vectors = Kernels::available().into_iter();
    let vectors: Vec<Kernels> = vectors.filter(|it| fuses(*it)).collect();
    for (seed, size) in sizes().into_iter().enumerate() {
        for channels in [16, 48, 96] {
            let architecture = Architecture {
                blocks: 2,
                channels,
            };
            let positions: Vec<_> = (0..2)
                .map(|number| (Inputs::new(&position(size, 9, number)), Symmetry::IDENTITY))
                .collect();
            let said = vectors.iter().map(|kernels| {
                let net = Net::random(architecture, seed as u64).expect("it is a size");
                let net = net.with_kernels(*kernels);
                let outputs = net.evaluate(&mut Workspace::default(), &positions);
                let numbers = outputs.into_iter().map(|output| {
                    let rest = [output.lead].into_iter().chain(output.win_draw_loss);
                    let all = output
                        .policy
                        .into_iter()
                        .chain(output.ownership)
                        .chain(rest);
                    all.map(f32::to_bits).collect::<Vec<_>>()
                });
                numbers.collect::<Vec<_>>()
            });
            let said: Vec<_> = said.collect();
            assert!(said.windows(2).all(|pair| pair[0] == pair[1]), "{size}");
        }
    }
}

#[test]
fn a_position_is_worth_the_same_alone_and_in_a_batch() {
    // Boards with a side that is shorter than the shortest tile are those that tiles hang over.
    for (width, height) in [(9, 9), (1, 1), (2, 1), (2, 2), (1, 5), (5, 2), (3, 3)] {
        let size = Size::new(width, height).expect("it is a size");
        let positions: Vec<_> = (0..20)
            .map(|seed| {
                (
                    Inputs::new(&position(size, 3 * seed, seed)),
                    Symmetry::IDENTITY,
                )
            })
            .collect();
        for channels in [32, 48] {
            let architecture = Architecture {
                blocks: 3,
                channels,
            };
            let net = Net::random(architecture, 4).expect("it is a size");
            let mut workspace = Workspace::default();
            let together = net.evaluate(&mut workspace, &positions);
            for (position, output) in positions.iter().zip(&together) {
                let alone = net.evaluate(&mut workspace, std::slice::from_ref(position));
                assert_eq!(&alone[0], output, "{size}, {channels} channels");
            }
        }
    }
}

/// The same network with 3 × 3 weights that are alike in all corners, and on all sides.
fn symmetric(net: &Net) -> Net {
    let mut weights = net.weights().to_vec();
    for (part, values) in net
        .parts()
        .filter(|(part, _)| part.shape().starts_with(&[3, 3]))
    {
        let matrix = values.len() / 9;
        for (tap, like) in [(2, 0), (6, 0), (8, 0), (3, 1), (5, 1), (7, 1)] {
            let (start, from) = (part.range().start, like * matrix);
            weights[start + tap * matrix..][..matrix].copy_from_slice(&values[from..from + matrix]);
        }
    }
    Net::from_weights(net.architecture(), weights).expect("it has as many weights")
}

#[test]
fn a_turned_position_is_turned_back() {
    // With weights that look alike from all sides, a network says the same about a turned board.
    let net = symmetric(
        &Net::random(
            Architecture {
                blocks: 2,
                channels: 16,
            },
            9,
        )
        .expect("it is a size"),
    );
    for size in sizes() {
        let game = position(size, 9, 2);
        let mut workspace = Workspace::default();
        let mut ask = |symmetry| {
            net.evaluate(&mut workspace, &[(Inputs::new(&game), symmetry)])
                .remove(0)
        };
        let plain = ask(Symmetry::IDENTITY);
        for symmetry in Symmetry::onto_itself(size) {
            assert_close(&plain, &ask(symmetry), 1e-4);
        }
    }
}

#[test]
fn both_players_see_their_own_side() {
    let size = Size::square(7).expect("it is a size");
    let mut game = position(size, 6, 3);
    let net = Net::random(
        Architecture {
            blocks: 1,
            channels: 16,
        },
        5,
    )
    .expect("it is a size");
    let ask = |game: &Game| {
        net.evaluate(
            &mut Workspace::default(),
            &[(Inputs::new(game), Symmetry::IDENTITY)],
        )
        .remove(0)
    };
    assert_eq!(game.to_move(), Color::Black);
    let black = ask(&game);
    game.set_to_move(Color::White);
    assert_ne!(black, ask(&game));
}

use tengen_core::{Game, Move, Rules, Size, Symmetry};
use tengen_nn::{
    Architecture, Example, Inputs, Kernels, Learning, LearningState, Net, Output, Target, Trainer,
    Workspace,
};

/// Networks of any width say the same of boards of any size with all kernels, in a batch and alone, and learn without a
/// number that is none. Built with the address sanitizer, it also shows that no kernel reads or writes beyond its
/// slices, whatever the sizes and strides.
pub fn kernels(input: &[u8]) {
    let &[shape, width, height, boards, seed, ref plays @ ..] = input else {
        return;
    };
    let architecture = Architecture {
        blocks: 1 + usize::from(shape) % 2,
        channels: 16 * (1 + usize::from(shape) / 2 % 7),
    };
    let size = Size::new(1 + width % 25, 1 + height % 25).expect("these are boards");
    let boards = 1 + usize::from(boards) % 7;
    let positions = positions(size, boards, plays);
    let turns: Vec<Symmetry> = Symmetry::onto_itself(size).collect();
    let positions: Vec<(Inputs, Symmetry)> = (0..)
        .zip(positions)
        .map(|(number, game)| (Inputs::new(&game), turns[number % turns.len()]))
        .collect();
    let said: Vec<Vec<Output>> = Kernels::available()
        .into_iter()
        .map(|kernels| {
            let net = Net::random(architecture, u64::from(seed))
                .expect("there are networks of this size")
                .with_kernels(kernels);
            let mut workspace = Workspace::default();
            let said = net.evaluate(&mut workspace, &positions);
            for (position, said) in positions.iter().zip(&said) {
                let alone = net.evaluate(&mut workspace, std::slice::from_ref(position));
                assert_eq!(alone[0], *said, "{} kernels, {size}", kernels.name());
            }
            learn(&net, &positions);
            said
        })
        .collect();
    for other in &said[1..] {
        for (one, other) in said[0].iter().zip(other) {
            compare(one, other);
        }
    }
}

fn positions(size: Size, boards: usize, plays: &[u8]) -> Vec<Game> {
    let mut games = vec![Game::new(size, Rules::default()); boards];
    for (number, play) in plays.iter().take(60).enumerate() {
        let game = &mut games[number % boards];
        if game.is_over() {
            game.resume();
        }
        let legal = game.legal_moves();
        let point = legal.nth(usize::from(*play) * 3 % legal.len().max(1));
        game.play(point.map_or(Move::Pass, Move::Play))
            .expect("it is legal");
    }
    games
}

fn learn(net: &Net, positions: &[(Inputs, Symmetry)]) {
    let examples: Vec<Example> = positions
        .iter()
        .map(|(inputs, symmetry)| {
            let area = inputs.size().area();
            Example {
                inputs: inputs.clone(),
                symmetry: *symmetry,
                target: Target {
                    policy: {
                        let mut policy = vec![0.0; area + 1];
                        policy[area] = 1.0;
                        policy
                    },
                    legal: inputs.worth_playing(),
                    win_draw_loss: [0.5, 0.25, 0.25],
                    lead: Some(1.5),
                    ownership: vec![1.0; area],
                },
            }
        })
        .collect();
    let state = LearningState::new(net.weights().to_vec());
    let mut trainer = Trainer::new(net, state, 1);
    let losses = trainer.step(&[examples], &Learning::default());
    let mean = losses.mean();
    let parts = [mean.policy, mean.value, mean.lead, mean.ownership];
    assert!(parts.iter().all(|loss| loss.is_finite()), "{parts:?}");
    assert!(trainer.gradient().iter().all(|slope| slope.is_finite()));
}

fn compare(one: &Output, other: &Output) {
    let near = |a: f32, b: f32| (a - b).abs() <= 2e-3 * (1.0 + a.abs().max(b.abs()));
    let all = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| near(*a, *b));
    assert!(all(&one.policy, &other.policy), "{one:?} {other:?}");
    assert!(all(&one.win_draw_loss, &other.win_draw_loss));
    assert!(near(one.lead, other.lead), "{} {}", one.lead, other.lead);
    assert!(all(&one.ownership, &other.ownership));
}

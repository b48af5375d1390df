//! What a network knows about games that it has not learned from.

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tengen_core::{Game, Move, Symmetry};
use tengen_env::Actions;
use tengen_nn::{Example, Output, log_sum_exp, softmax};

use super::network::{Asked, Desk, Network};
use super::options::RecordsOptions;
use super::recorded::RecordedGame;
use crate::dice;
use crate::seed::seed_of;

/// The first move of each phase of a game, for boards of 19 × 19; smaller boards have shorter phases.
pub const PHASES: [usize; 5] = [0, 50, 100, 150, 200];

/// Win rates are compared with results in so many bins of equal width.
pub const EXAM_BINS: usize = 20;

/// A position of a game that was held out.
#[derive(Clone, Debug)]
pub struct Question {
    game: Game,
    example: Example,
    turn: usize,
    /// What another network says, if one was asked.
    judged: Option<Output>,
}

/// What a network knows. All shares are between 0 and 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Exam {
    /// How many positions it was asked about.
    pub positions: u64,
    /// How often its favourite is the move that was played.
    pub top1: f64,
    /// How often that is among its five favourites.
    pub top5: f64,
    /// The mean negative logarithm of what it gives to the move that was played.
    pub policy_loss: f64,
    /// Cross entropy of win, draw and loss.
    pub value_loss: f64,
    /// How often the player that it favours wins.
    pub winner: f64,
    /// The expected calibration error: by how much win rates differ from how often players won, on average.
    pub calibration_error: f64,
    /// The mean error of the lead in points, where games were counted.
    pub lead_error: f64,
    /// How many positions had a lead.
    pub leads: u64,
    /// What it says beside what another network says, such as its tutor.
    #[serde(default)]
    pub beside: Option<Beside>,
    /// The same by phase of the game.
    pub phases: Vec<Phase>,
    /// Win rates and how often players won, from the lowest win rates to the highest.
    pub bins: Vec<Bin>,
}

/// How far a network is from another one that judges the same positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Beside {
    /// How many positions both were asked about.
    pub positions: u64,
    /// The Kullback-Leibler divergence of its policy from the other one's.
    pub divergence: f64,
    /// How often both have the same favourite.
    pub top1: f64,
    /// The mean difference of their win rates.
    pub win_rate: f64,
    /// The mean difference of their leads in points.
    pub lead: f64,
}

/// What a network knows about a phase of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// The first move, counted from 0.
    pub from: usize,
    /// How many positions there were.
    pub positions: u64,
    /// How often its favourite is the move that was played.
    pub top1: f64,
    /// How often that is among its five favourites.
    pub top5: f64,
    /// How often the player that it favours wins.
    pub winner: f64,
}

/// Positions with similar win rates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// How many there were.
    pub positions: u64,
    /// The mean win rate, as the player to move sees it.
    pub said: f64,
    /// The share of them that this player won.
    pub won: f64,
}

/// What a network says about one question.
struct Answer {
    phase: usize,
    /// The place of the move that was played among the network's favourites, and what it was given; `None` if no move
    /// counts.
    policy: Option<(usize, f64)>,
    /// The win rate that it says, the loss, and what became of it.
    value: Option<(f64, f64, f64)>,
    lead_error: Option<f64>,
    /// For this position alone.
    beside: Option<Beside>,
}

impl Question {
    /// Questions about games: about so many positions, from as many games as there are, the same every time.
    pub fn draw(games: &[RecordedGame], count: usize, options: &RecordsOptions) -> Vec<Self> {
        let each = count.div_ceil(games.len().max(1));
        let games = &games[..games.len().min(count)];
        let ask = |game: &RecordedGame| -> Vec<Self> {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed_of(game.hash(), 0));
            let turns = game.len() as f64;
            let draw = |part: usize, rng: &mut _| {
                ((part as f64 + dice::unit(rng)) / each as f64 * turns) as usize
            };
            (0..each)
                .map(|part| draw(part, &mut rng))
                .filter_map(|turn| {
                    let (game, example) = game.question(turn, options)?;
                    Some(Self {
                        game,
                        example,
                        turn,
                        judged: None,
                    })
                })
                .collect()
        };
        games.par_iter().flat_map_iter(ask).collect()
    }

    /// Asks another network about all positions that it knows, so that exams compare with what it says.
    pub fn judge(questions: &mut [Self], network: &Network) {
        questions.sort_by_key(|question| question.game.size());
        let chunks: Vec<&mut [Self]> = questions
            .chunk_by_mut(|a, b| a.game.size() == b.game.size())
            .filter(|same| network.knows(same[0].game.size()))
            .flat_map(|same| same.chunks_mut(Network::TOGETHER))
            .collect();
        chunks
            .into_par_iter()
            .for_each_init(Desk::default, |desk, chunk| {
                let asked: Vec<Asked<'_>> = chunk.iter().map(Self::asked).collect();
                let outputs = network.answer(desk, &asked);
                for (question, output) in chunk.iter_mut().zip(outputs) {
                    question.judged = Some(output);
                }
            });
    }

    /// How the game ended, as the player to move sees it: win, draw, loss; all 0 if nobody knows.
    pub(super) const fn result(&self) -> [f32; 3] {
        self.example.target.win_draw_loss
    }

    const fn asked(&self) -> Asked<'_> {
        Asked {
            game: &self.game,
            inputs: &self.example.inputs,
            symmetry: Symmetry::IDENTITY,
        }
    }

    /// The logits of all moves that are worth playing, and of the pass.
    fn logits(&self, output: &Output) -> Vec<f32> {
        let actions = Actions::on(self.example.inputs.size());
        let points = self.example.target.legal.iter().map(Move::Play);
        points
            .chain([Move::Pass])
            .map(|action| output.policy[actions.number(action)])
            .collect()
    }

    /// What a network says beside what another one says.
    fn beside(&self, output: &Output) -> Option<Beside> {
        let judged = self.judged.as_ref()?;
        let [mut own, mut wanted] = [output, judged].map(|output| self.logits(output));
        let favourite = |logits: &[f32]| {
            let best = logits.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
            best.map(|(place, _)| place)
        };
        let agrees = favourite(&own) == favourite(&wanted);
        softmax(&mut own);
        softmax(&mut wanted);
        let divergence: f64 = wanted
            .iter()
            .zip(&own)
            .filter(|(wanted, _)| **wanted > 0.0)
            .map(|(wanted, own)| f64::from(*wanted * libm::logf(wanted / own.max(1e-12))))
            .sum();
        let win_rate = |output: &Output| {
            let [win, draw, _] = output.win_draw_loss;
            f64::from(win + draw / 2.0)
        };
        Some(Beside {
            positions: 1,
            divergence,
            top1: f64::from(u8::from(agrees)),
            win_rate: (win_rate(output) - win_rate(judged)).abs(),
            lead: f64::from((output.lead - judged.lead).abs()),
        })
    }

    fn answer(&self, output: &Output) -> Answer {
        let size = self.example.inputs.size();
        let target = &self.example.target;
        let phase = self.turn * 361 / size.area();
        let policy = (!target.policy.is_empty()).then(|| {
            let logits = self.logits(output);
            let played = target
                .policy
                .iter()
                .enumerate()
                .max_by(|a, b| a.1.total_cmp(b.1));
            let own = output.policy[played.map_or(0, |(place, _)| place)];
            let better = logits.iter().filter(|logit| **logit > own).count();
            (
                better,
                -f64::from(own - log_sum_exp(logits.iter().copied())),
            )
        });
        let known: f32 = target.win_draw_loss.iter().sum();
        let value = (known > 0.0).then(|| {
            let [win, draw, _] = output.win_draw_loss;
            let [won, drawn, _] = target.win_draw_loss;
            let pairs = output.win_draw_loss.iter().zip(target.win_draw_loss);
            let loss: f32 = pairs
                .map(|(said, wanted)| -wanted * libm::logf(said.max(1e-9)))
                .sum();
            (
                f64::from(win + draw / 2.0),
                f64::from(loss),
                f64::from(won + drawn / 2.0),
            )
        });
        Answer {
            phase: PHASES
                .iter()
                .rposition(|first| *first <= phase)
                .unwrap_or(0),
            policy,
            value,
            lead_error: target
                .lead
                .map(|lead| f64::from((output.lead - lead).abs())),
            beside: self.beside(output),
        }
    }
}

/// Asks a network. Questions about boards that it cannot know are left out.
pub fn examine(network: &Network, questions: &[Question]) -> Exam {
    Exam::of(&ask(network, questions, Question::answer))
}

/// Something about every question on a board that a network knows, and what the network says.
pub(super) fn ask<T: Send>(
    network: &Network,
    questions: &[Question],
    about: impl Fn(&Question, &Output) -> T + Sync,
) -> Vec<T> {
    let known = questions.iter();
    let known = known.filter(|question| network.knows(question.game.size()));
    let mut sorted: Vec<&Question> = known.collect();
    sorted.sort_by_key(|question| question.game.size());
    let chunks: Vec<&[&Question]> = sorted
        .chunk_by(|a, b| a.game.size() == b.game.size())
        .flat_map(|same| same.chunks(Network::TOGETHER))
        .collect();
    let answers = chunks.par_iter().map_init(Desk::default, |desk, chunk| {
        let asked: Vec<Asked<'_>> = chunk.iter().map(|question| question.asked()).collect();
        let outputs = network.answer(desk, &asked);
        let pairs = chunk.iter().zip(&outputs);
        pairs
            .map(|(question, output)| about(question, output))
            .collect::<Vec<_>>()
    });
    answers.flatten_iter().collect()
}

impl Exam {
    fn of(answers: &[Answer]) -> Self {
        let all = |_: &&Answer| true;
        let (top1, top5, policy_loss) = policy(answers.iter().filter(all));
        let value_loss = mean(answers.iter().filter_map(|answer| Some(answer.value?.1)));
        let mut sums = [(0_u64, 0.0, 0.0); EXAM_BINS];
        for (said, _, won) in answers.iter().filter_map(|answer| answer.value) {
            let bin = &mut sums[((said * EXAM_BINS as f64) as usize).min(EXAM_BINS - 1)];
            *bin = (bin.0 + 1, bin.1 + said, bin.2 + won);
        }
        let bins = sums.map(|(positions, said, won)| Bin {
            positions,
            said: said / positions.max(1) as f64,
            won: won / positions.max(1) as f64,
        });
        let valued: u64 = bins.iter().map(|bin| bin.positions).sum();
        let differences = bins
            .iter()
            .map(|bin| bin.positions as f64 * (bin.said - bin.won).abs());
        let phase = |number: usize| {
            let own = || answers.iter().filter(move |answer| answer.phase == number);
            let (top1, top5, _) = policy(own());
            Phase {
                from: PHASES[number],
                positions: own().count() as u64,
                top1,
                top5,
                winner: winner(own()),
            }
        };
        Self {
            positions: answers.len() as u64,
            top1,
            top5,
            policy_loss,
            value_loss,
            winner: winner(answers.iter()),
            calibration_error: differences.sum::<f64>() / valued.max(1) as f64,
            lead_error: mean(answers.iter().filter_map(|answer| answer.lead_error)),
            leads: answers
                .iter()
                .filter(|answer| answer.lead_error.is_some())
                .count() as u64,
            beside: Beside::mean(answers.iter().filter_map(|answer| answer.beside)),
            phases: (0..PHASES.len()).map(phase).collect(),
            bins: bins.into_iter().filter(|bin| bin.positions > 0).collect(),
        }
    }
}

impl Beside {
    fn mean(all: impl Iterator<Item = Self>) -> Option<Self> {
        let all: Vec<Self> = all.collect();
        let of = |value: fn(&Self) -> f64| mean(all.iter().map(value));
        (!all.is_empty()).then(|| Self {
            positions: all.len() as u64,
            divergence: of(|beside| beside.divergence),
            top1: of(|beside| beside.top1),
            win_rate: of(|beside| beside.win_rate),
            lead: of(|beside| beside.lead),
        })
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = values.fold((0_u64, 0.0), |(count, sum), value| (count + 1, sum + value));
    sum / count.max(1) as f64
}

fn policy<'a>(answers: impl Iterator<Item = &'a Answer>) -> (f64, f64, f64) {
    let known: Vec<(usize, f64)> = answers.filter_map(|answer| answer.policy).collect();
    let within = |places: usize| {
        let hits = known.iter().filter(|(better, _)| *better < places).count();
        hits as f64 / known.len().max(1) as f64
    };
    (
        within(1),
        within(5),
        mean(known.iter().map(|(_, loss)| *loss)),
    )
}

fn winner<'a>(answers: impl Iterator<Item = &'a Answer>) -> f64 {
    // A draw tells nothing about who was favoured.
    let decided = answers
        .filter_map(|answer| answer.value)
        .filter(|(_, _, won)| (won - 0.5).abs() > f64::EPSILON);
    mean(decided.map(|(said, _, won)| f64::from(u8::from((said > 0.5) == (won > 0.5)))))
}

//! A proven bound as a strategy without cycles, for a certificate.
//!
//! The table is only a guide here. A situation is proven when the prover's move leads to a proven one, or all of the
//! enemy's moves do. So each situation rests on situations that were proven before it, and the strategy has no cycle,
//! whatever the table has lost and found again.
//!
//! That is enough for a certificate. To be granted every ko rule it has to come back to no board, either: where it
//! does, some moves are shunned, and what rests on them is proven in another way.

mod edges;
mod graph;
mod nodes;
mod repetition;
mod watches;
mod way;

use std::collections::HashSet;

use tengen_core::{ByColor, Color};

use crate::bound::Bound;
use crate::certificate::{Claim, ClaimError, Entry, Situation, Writer};
use crate::geometry::{Geometry, PASS, cells};
use crate::life::life_decides;
use crate::position::{Position, turn_of};
use crate::solver::Solver;
use graph::{Graph, Step};

/// How often a strategy is mended, to be rid of repetitions.
const MOST_ROUNDS: u32 = 16;

/// After how many situations somebody is told how far the writing is.
const TELL_EVERY: u64 = 1 << 14;

/// Why there is no certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrategyError {
    /// The bound has not been proven, or its proof could not be found again.
    #[error("the bound has not been proven")]
    NotProven,
    /// The solver was stopped.
    #[error("stopped before the proof was complete")]
    Stopped,
    /// The claim cannot be written down.
    #[error("{0}")]
    Claim(ClaimError),
}

/// How far a strategy has been read off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StrategyProgress {
    /// Which attempt it is: a strategy that comes back to boards is mended.
    pub round: u32,
    /// In how many lines the best attempt so far comes back to a board.
    pub repeating: Option<usize>,
    /// What is being done.
    pub stage: StrategyStage,
}

/// The parts of reading off a strategy, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrategyStage {
    /// Proving situations once more, one after the other.
    Proving {
        /// Situations met so far.
        met: usize,
        /// Those of them that are proven.
        proven: usize,
    },
    /// Choosing among the moves that win.
    Choosing {
        /// Situations in which the choice is made.
        done: usize,
    },
    /// Looking for lines that come back to a board.
    Comparing,
    /// There is no further attempt: it could not be mended further, or the solver was stopped.
    Chosen,
    /// Collecting the entries of the certificate.
    Collecting {
        /// Entries so far.
        done: usize,
    },
}

impl Solver {
    /// The certificate of a bound that has been proven: the prover's strategy, complete and without cycles.
    pub fn certificate(&self, bound: Bound) -> Result<Writer, StrategyError> {
        self.certificate_watched(bound, &mut |_| {})
    }

    /// The certificate of a bound, and how far it has come is told now and then.
    pub fn certificate_watched(
        &self,
        bound: Bound,
        watch: &mut dyn FnMut(StrategyProgress),
    ) -> Result<Writer, StrategyError> {
        let claim = Claim {
            start: *self.setup(),
            passed: self.passed(),
            bound,
        };
        let writer = Writer::new(claim).map_err(StrategyError::Claim)?;
        let mut graph = Graph::new(self, bound);
        let mut best = None;
        let mut progress = StrategyProgress {
            round: 1,
            repeating: None,
            stage: StrategyStage::Comparing,
        };
        loop {
            let mended = self.mend(&mut graph, &mut |stage| {
                watch(StrategyProgress { stage, ..progress });
            });
            let (mut strategy, lines) = match mended {
                Ok(mended) => mended,
                // There is one already, if not the best.
                Err(_) if best.is_some() => break,
                Err(error) => return Err(error),
            };
            if progress.repeating.is_none_or(|least| lines.len() < least) {
                progress.repeating = Some(lines.len());
                best = Some(graph.moves_so_far());
            }
            let causes = repetition::causes(&graph, &lines);
            if causes.is_empty() || progress.round == MOST_ROUNDS {
                break;
            }
            graph.shun(&mut strategy, &causes);
            progress.round += 1;
        }
        if let Some(moves) = best {
            graph.bring_back(moves);
        }
        let mut tell = |stage| watch(StrategyProgress { stage, ..progress });
        tell(StrategyStage::Chosen);
        self.write(&graph, bound, writer, &mut tell)
    }

    /// Proves what is not proven, and chooses. Returns the strategy and its lines that come back to a board.
    fn mend(
        &self,
        graph: &mut Graph<'_>,
        tell: &mut dyn FnMut(StrategyStage),
    ) -> Result<(Vec<u32>, Vec<Vec<u32>>), StrategyError> {
        let is_proven = graph.prove(&self.root, &mut |met, proven| {
            tell(StrategyStage::Proving { met, proven });
        })?;
        if !is_proven {
            return Err(StrategyError::NotProven);
        }
        let strategy = graph.choose(&self.root, &mut |done| {
            tell(StrategyStage::Choosing { done });
        })?;
        tell(StrategyStage::Comparing);
        let lines = repetition::lines(graph, &strategy);
        Ok((strategy, lines))
    }

    /// Writes all moves of the strategy down.
    fn write(
        &self,
        graph: &Graph<'_>,
        bound: Bound,
        mut writer: Writer,
        tell: &mut dyn FnMut(StrategyStage),
    ) -> Result<Writer, StrategyError> {
        let geometry = &self.shared.geometry;
        let prover = turn_of(bound.prover);
        // For each node: was it seen without a pass before it, and after one? What is no node is rare.
        let mut seen = vec![[false; 2]; graph.len()];
        let mut seen_elsewhere = HashSet::new();
        let mut waiting = vec![self.root];
        while let Some(at) = waiting.pop() {
            let is_leaf = life_decides(geometry, bound, &at) == Some(true);
            let mut is_known = || match graph.number(&at) {
                Some(number) => {
                    let seen = &mut seen[number as usize][usize::from(at.passed)];
                    std::mem::replace(seen, true)
                }
                None => !seen_elsewhere.insert((at.key(geometry).number, at.turn)),
            };
            if is_leaf || is_known() {
                continue;
            }
            if at.turn == prover {
                let cell = match graph.step(&at) {
                    Step::Reached => PASS,
                    _ => graph.reply(&at).ok_or(StrategyError::NotProven)?,
                };
                writer.add(&entry(geometry, &at, cell));
                if (writer.len() as u64).is_multiple_of(TELL_EVERY) {
                    let done = writer.len();
                    tell(StrategyStage::Collecting { done });
                }
                if !(at.passed && cell == PASS) {
                    waiting.push(at.after(geometry, cell));
                }
            } else {
                let pass = (!at.passed).then_some(PASS);
                let legal = cells(at.moves(geometry).legal).chain(pass);
                waiting.extend(legal.map(|cell| at.after(geometry, cell)));
            }
        }
        Ok(writer)
    }
}

/// What the prover does in a situation, as certificates say it.
fn entry(geometry: &Geometry, at: &Position, cell: u8) -> Entry {
    let number = |cell: u8| {
        let point = geometry.point_of(cell);
        point.y() * geometry.size().width() + point.x()
    };
    let bits = |set: u64| cells(set).fold(0, |bits, cell| bits | 1_u64 << number(cell));
    let [black, white] = Color::BOTH.map(|color| bits(at.stones[usize::from(turn_of(color))]));
    Entry {
        situation: Situation {
            stones: ByColor::new(black, white),
            ko: (at.ko != 0).then(|| number(at.ko.trailing_zeros() as u8)),
            passed: at.passed,
        },
        reply: (cell != PASS).then(|| number(cell)),
    }
}

//! Dead stones, and the count.

use tengen_core::{Point, PointSet, Settlement};

use super::{Marking, Table};
use crate::refusal::{Code, Refusal};
use crate::sheet::Phase;

impl Table {
    /// Makes the chain on a point dead, or alive again.
    pub(crate) fn toggle_dead(&mut self, point: Point) -> Result<(), Refusal> {
        self.check_phase(&[Phase::Marking])?;
        let Some(chain) = self.game.board().chain_at(point) else {
            return Err(Refusal::params("there is no stone"));
        };
        let marking = self.marking.get_or_insert_default();
        marking.awaited = false;
        let settlement = &mut marking.settlement;
        if settlement.dead.contains(point) {
            settlement.dead -= chain.stones;
        } else {
            settlement.dead |= chain.stones;
        }
        settlement.seki -= chain.stones;
        Ok(())
    }

    /// The engine's opinion, unless somebody was faster. Games without persons are counted with it.
    pub(crate) fn propose(&mut self, settlement: Settlement) {
        let awaited = self.marking.is_some_and(|marking| marking.awaited);
        if self.phase != Phase::Marking || !awaited {
            return;
        }
        let stones = |points: PointSet| points - self.game.board().empty_points();
        self.marking = Some(Marking {
            settlement: Settlement {
                dead: stones(settlement.dead),
                seki: stones(settlement.seki),
            },
            awaited: false,
        });
        if !self.has_person() {
            self.count();
        }
    }

    /// The players agree.
    pub(crate) fn accept(&mut self) -> Result<(), Refusal> {
        self.check_phase(&[Phase::Marking])?;
        if self.marking.is_some_and(|marking| marking.awaited) {
            let message = "the engine is still looking for dead stones";
            return Err(Refusal::new(Code::Busy, message));
        }
        self.count();
        Ok(())
    }

    fn count(&mut self) {
        let settlement = self.marking.unwrap_or_default().settlement;
        let score = self.game.score_settled(&settlement);
        self.finish(score.outcome(self.game.rules().ties));
    }
}

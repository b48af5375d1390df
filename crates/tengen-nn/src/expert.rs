//! A network where it has learned, and rollouts elsewhere.

use std::sync::Arc;

use tengen_core::{Game, Size};
use tengen_search::{Evaluator, Judge, Leaf, Rollouts, Tuning};

use crate::evaluator::NetEvaluator;
use crate::net::Net;

/// Judges by a network on boards with no side longer than those that it has learned on, and by rollouts on larger ones, which
/// a network that has never seen any plays badly.
#[derive(Debug)]
pub struct Expert {
    net: NetEvaluator,
    rollouts: Rollouts,
    longest_side: u8,
    trusts_net: bool,
}

impl Expert {
    /// Trusts the network on boards with sides up to this long.
    pub fn new(net: Arc<Net>, longest_side: u8) -> Self {
        Self {
            net: NetEvaluator::new(net),
            rollouts: Rollouts::new(&Tuning::default()),
            longest_side,
            trusts_net: true,
        }
    }

    /// A judge that makes such experts.
    pub fn judge(net: Arc<Net>, longest_side: u8) -> Judge {
        let name = format!("network {} up to side {longest_side}", net.architecture());
        Judge::new(&name, move || {
            Box::new(Self::new(Arc::clone(&net), longest_side))
        })
    }

    /// Does the network judge boards of this size?
    const fn knows(&self, size: Size) -> bool {
        size.width() <= self.longest_side && size.height() <= self.longest_side
    }

    fn active(&self) -> &dyn Evaluator {
        if self.trusts_net {
            &self.net
        } else {
            &self.rollouts
        }
    }

    fn active_mut(&mut self) -> &mut dyn Evaluator {
        if self.trusts_net {
            &mut self.net
        } else {
            &mut self.rollouts
        }
    }
}

impl Evaluator for Expert {
    fn batch(&self) -> usize {
        self.active().batch()
    }

    fn expand_after(&self) -> u32 {
        self.active().expand_after()
    }

    fn tuning(&self) -> Tuning {
        self.active().tuning()
    }

    fn begin(&mut self, game: &Game, seed: u64) {
        self.trusts_net = self.knows(game.size());
        self.active_mut().begin(game, seed);
    }

    fn evaluate(&mut self, leaves: &mut [Leaf]) {
        self.active_mut().evaluate(leaves);
    }
}

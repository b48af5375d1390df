//! Proofs that viewers want to walk through.

use std::marker::PhantomData;
use std::sync::Arc;

use tengen_solver::Bound;
use tengen_solver::verify::Proof;

use super::{Later, Purpose, Room, Ticket, Viewer};
use crate::event::Event;
use crate::exact::Question;
use crate::job::{JobId, JobKind};
use crate::limits::at_most;
use crate::refusal::Refusal;
use crate::walk::{self, OfProof, ProofProgress, ProofSought, Walked};

impl Room {
    /// Keeps a proof that the host was started with, for whoever comes to a position of it.
    pub fn store_proof(&mut self, proof: Arc<Proof>) {
        self.proofs.store(proof);
    }

    /// Looks for a proof of what a player forces, from the end of a walk on.
    pub(crate) fn find_proof(
        &mut self,
        viewer: Viewer,
        params: OfProof,
    ) -> Result<Later<ProofSought>, Refusal> {
        self.check_feature("exact")?;
        let OfProof {
            game,
            node,
            color,
            margin,
            moves,
        } = params;
        let limits = self.settings.limits;
        let start = self.table(&game)?.position(node)?;
        let area = start.size().area();
        at_most("points_of_an_exact_board", area, limits.exact_points)?;
        let position = walk::position(&start, &moves)?;
        let bound = Bound::new(color, margin);
        if margin.unsigned_abs() as usize > area {
            return Err(Refusal::params("no game on this board ends like that"));
        }
        self.stop_proof(viewer);
        let ticket = self.new_ticket();
        let sought = |proof: &Proof| ProofSought {
            proof: Some(proof.into()),
        };
        if let Some(known) = self.proofs.about(&position, bound).map(sought) {
            self.answer(ticket, viewer, Ok(known));
        } else {
            let others = self.errands.values();
            let others = others.filter(|errand| matches!(errand.purpose, Purpose::Proof(..)));
            at_most("exact_searches", others.count() + 1, limits.exact_searches)?;
            let purpose = Purpose::Proof(ticket, viewer);
            let errand = self.errand(&game, node, purpose)?;
            // What was found about the position with more effort can be proven with that.
            let known = self.archive.find(&Question::of(&position));
            let spent = known.map_or(0, |known| known.nodes);
            let nodes = self.settings.effort.proof_nodes.max(spent);
            let kind = JobKind::Proof { bound, nodes };
            let job = self.send(errand, Some(viewer), position, kind);
            self.waiting.entry(viewer).or_default().proof = Some(job);
        }
        Ok(Later {
            ticket,
            result: PhantomData,
        })
    }

    pub(crate) fn stop_proof(&mut self, viewer: Viewer) {
        let waiting = self.waiting.get_mut(&viewer);
        if let Some(job) = waiting.and_then(|waiting| waiting.proof.take()) {
            self.cancel(job);
        }
    }

    /// The search for a proof goes on.
    pub(super) fn seeking_proof(&mut self, job: JobId, nodes: u64, found: bool) -> bool {
        let Some(errand) = self.errands.get(&job) else {
            return false;
        };
        if let Purpose::Proof(_, viewer) = errand.purpose {
            let progress = ProofProgress {
                game: errand.game.clone(),
                node: errand.node,
                nodes,
                found,
            };
            self.deliver(vec![viewer], Event::Proof(progress));
        }
        true
    }

    /// The search for a proof has ended.
    pub(super) fn proof_sought(
        &mut self,
        (ticket, viewer): (Ticket, Viewer),
        proof: Option<Arc<Proof>>,
    ) {
        if let Some(waiting) = self.waiting.get_mut(&viewer) {
            waiting.proof = None;
        }
        let sought = ProofSought {
            proof: proof.as_deref().map(Into::into),
        };
        if let Some(proof) = proof {
            self.proofs.keep(proof);
        }
        self.answer(ticket, viewer, Ok(sought));
    }

    /// Follows the moves of a walk, and lets the proof answer.
    pub(crate) fn walk_proof(&self, params: OfProof) -> Result<Walked, Refusal> {
        self.check_feature("exact")?;
        let start = self.table(&params.game)?.position(params.node)?;
        let area = start.size().area();
        at_most(
            "points_of_an_exact_board",
            area,
            self.settings.limits.exact_points,
        )?;
        self.proofs.walk(&start, params)
    }
}

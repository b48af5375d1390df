//! What viewers want to know for certain.

use tengen_core::Game;
use tengen_solver::Values;

use super::{Errand, Purpose, Room, Viewer};
use crate::event::Event;
use crate::exact::{ExactMessage, Progress, Question, Wish};
use crate::job::{JobId, JobKind};
use crate::limits::at_most;
use crate::refusal::Refusal;

impl Room {
    /// Tells a viewer what is proven about a position, and has it found out if nobody has, or not as well as is wished.
    pub(crate) fn watch_exact(
        &mut self,
        viewer: Viewer,
        (game, node): (&str, usize),
        wish: Wish,
    ) -> Result<(), Refusal> {
        self.check_feature("exact")?;
        let position = self.table(game)?.position(node)?;
        let limits = self.settings.limits;
        let area = position.size().area();
        at_most("points_of_an_exact_board", area, limits.exact_points)?;
        let errand = self.errand(game, node, Purpose::Exact(viewer, 0))?;
        let known = self.archive.find(&Question::of(&position)).cloned();
        let nodes = match (&known, wish) {
            (None, _) => Some(self.settings.effort.exact_nodes),
            (Some(known), Wish::More) => known.next_nodes(limits.exact_nodes),
            (Some(_), Wish::Known) => None,
        };
        self.stop_exact(viewer);
        if nodes.is_some() {
            let others = self.errands.values();
            let others = others.filter(|errand| matches!(errand.purpose, Purpose::Exact(..)));
            at_most("exact_searches", others.count() + 1, limits.exact_searches)?;
        }
        if let Some(known) = &known {
            let more = known.next_nodes(limits.exact_nodes).is_some();
            let progress = match nodes {
                Some(_) => Progress::GoesOn,
                None => Progress::Ended { more },
            };
            self.tell_exact(viewer, &errand, &position, &known.values, progress);
        }
        if let Some(nodes) = nodes {
            let errand = Errand {
                purpose: Purpose::Exact(viewer, nodes),
                ..errand
            };
            let job = self.send(errand, Some(viewer), position, JobKind::Exact { nodes });
            self.waiting.entry(viewer).or_default().exact = Some(job);
        }
        Ok(())
    }

    pub(crate) fn stop_exact(&mut self, viewer: Viewer) {
        let waiting = self.waiting.get_mut(&viewer);
        if let Some(job) = waiting.and_then(|waiting| waiting.exact.take()) {
            self.cancel(job);
        }
    }

    /// Something more is known; the search goes on.
    pub(super) fn proving(&mut self, job: JobId, mut values: Values) -> bool {
        let Some(errand) = self.errands.get(&job).cloned() else {
            return false;
        };
        let Purpose::Exact(viewer, _) = errand.purpose else {
            return true;
        };
        let Ok(position) = self.asked(&errand) else {
            return true;
        };
        if let Some(known) = self.archive.find(&Question::of(&position)) {
            values.learn(&known.values);
        }
        self.tell_exact(viewer, &errand, &position, &values, Progress::GoesOn);
        true
    }

    /// The search has ended, with everything found out or its effort spent.
    pub(super) fn proven(
        &mut self,
        (viewer, nodes): (Viewer, u64),
        errand: &Errand,
        mut values: Values,
    ) {
        let Ok(position) = self.asked(errand) else {
            return;
        };
        let question = Question::of(&position);
        if let Some(known) = self.archive.find(&question) {
            values.learn(&known.values);
        }
        self.archive.keep(question, values.clone(), nodes);
        let most = self.settings.limits.exact_nodes;
        let known = self.archive.find(&question);
        let more = known.is_some_and(|known| known.next_nodes(most).is_some());
        self.tell_exact(viewer, errand, &position, &values, Progress::Ended { more });
    }

    /// The position that an errand is about.
    fn asked(&self, errand: &Errand) -> Result<Game, Refusal> {
        self.table(&errand.game)?.position(errand.node)
    }

    fn tell_exact(
        &mut self,
        viewer: Viewer,
        errand: &Errand,
        position: &Game,
        values: &Values,
        progress: Progress,
    ) {
        let place = (errand.game.as_str(), errand.node);
        let stored = self.proofs.stored(position);
        let message = ExactMessage::new(place, position, values, stored, progress);
        self.deliver(vec![viewer], Event::Exact(Box::new(message)));
    }

    pub(super) fn tell_exact_failure(&mut self, viewer: Viewer, errand: &Errand, failed: &str) {
        let event = Event::ExactFailed {
            game: errand.game.clone(),
            node: errand.node,
            failed: failed.to_owned(),
            done: true,
        };
        self.deliver(vec![viewer], event);
    }
}

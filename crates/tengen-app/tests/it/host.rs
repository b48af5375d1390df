//! A host whose engines say what a test wants, and which holds every message against the OpenAPI document.

use serde_json::{Value, json};
use tengen_app::{
    Finding, Job, JobId, JobKind, Outbox, Refusal, Reply, Report, Room, RoomSettings, Viewer,
};
use tengen_core::{Move, Point, PointMap, Settlement};
use tengen_search::{Analysis, Candidate, Worth};

use crate::schema::Schemas;

pub(crate) struct Host {
    pub room: Room,
    pub now: u64,
    /// Jobs that were begun and have not ended.
    pub jobs: Vec<Job>,
    pub cancelled: Vec<JobId>,
    /// Events since somebody looked, with the viewers that got them.
    pub events: Vec<(Vec<u64>, Value)>,
    pub answers: Vec<Result<Value, Refusal>>,
    /// The last record of each game.
    pub saves: Vec<(String, Option<String>)>,
    pub settings: RoomSettings,
    schemas: Schemas,
}

impl Host {
    pub(crate) fn new(settings: RoomSettings) -> Self {
        Self {
            room: Room::new(settings.clone()),
            now: 1_000_000,
            jobs: Vec::new(),
            cancelled: Vec::new(),
            events: Vec::new(),
            answers: Vec::new(),
            saves: Vec::new(),
            settings,
            schemas: Schemas::new(),
        }
    }

    pub(crate) fn call(
        &mut self,
        viewer: u64,
        method: &str,
        params: Value,
    ) -> Result<Value, Refusal> {
        let reply = self.room.call(method, params, Viewer(viewer), self.now);
        if let Err(refusal) = &reply {
            let error = serde_json::to_value(refusal).unwrap();
            self.schemas.check_named("Error", &error);
        }
        if let Ok(Reply::Now(result)) = &reply {
            self.schemas.check_result(method, result);
        }
        self.empty_outbox();
        reply.map(|reply| reply.now().unwrap_or(json!("later")))
    }

    /// A call that must succeed.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "the params are written where the call is"
    )]
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let result = self.call(1, method, params.clone());
        result.unwrap_or_else(|refusal| panic!("{method} {params}: {refusal}"))
    }

    pub(crate) fn tick(&mut self, now: u64) {
        self.now = now;
        self.room.tick(now);
        self.empty_outbox();
    }

    pub(crate) fn leave(&mut self, viewer: u64) {
        self.room.leave(Viewer(viewer), self.now);
        self.empty_outbox();
    }

    pub(crate) fn report(&mut self, job: JobId, report: Report) -> bool {
        let goes_on = matches!(
            report,
            Report::Progress(_) | Report::Proving(_) | Report::Seeking { .. }
        );
        if !goes_on {
            self.jobs.retain(|known| known.id != job);
        }
        let known = self.room.report(job, report, self.now);
        self.empty_outbox();
        known
    }

    /// Ends the oldest job with a move of the engine; `None` resigns.
    pub(crate) fn engine_plays(&mut self, action: Option<&str>) {
        let job = self.jobs.first().expect("the engine is asked").clone();
        assert!(
            matches!(job.kind, JobKind::Move { .. } | JobKind::Program { .. }),
            "{job:?}"
        );
        let action = action.map(|text| Move::from_gtp(text, job.position.size()).unwrap());
        assert!(self.report(job.id, Report::Done(Finding::Move(action))));
    }

    /// Ends the oldest job with dead stones.
    pub(crate) fn engine_proposes(&mut self, dead: &[&str], seki: &[&str]) {
        let job = self.jobs.first().expect("the engine is asked").clone();
        assert_eq!(job.kind, JobKind::Propose);
        let size = job.position.size();
        let set = |names: &[&str]| {
            names
                .iter()
                .map(|name| Point::from_gtp(name, size).unwrap())
                .collect()
        };
        let settlement = Settlement {
            dead: set(dead),
            seki: set(seki),
        };
        let finding = Finding::Settlement(Box::new(settlement));
        assert!(self.report(job.id, Report::Done(finding)));
    }

    /// Writes what has to be saved, ends, and begins again with what was saved.
    pub(crate) fn restart(&mut self) {
        self.room.close(self.now);
        self.empty_outbox();
        self.room = Room::new(self.settings.clone());
        self.jobs.clear();
        for (game, sgf) in &self.saves {
            if let Some(sgf) = sgf {
                self.room.restore(game, sgf, self.now).unwrap();
            }
        }
        self.empty_outbox();
    }

    fn empty_outbox(&mut self) {
        let Outbox {
            events,
            answers,
            jobs,
            cancelled,
            saves,
        } = self.room.take_outbox();
        for delivery in events {
            let event = serde_json::to_value(&delivery.event).unwrap();
            self.schemas.check_named("Event", &event);
            let viewers = delivery.viewers.into_iter().map(|Viewer(number)| number);
            self.events.push((viewers.collect(), event));
        }
        self.answers
            .extend(answers.into_iter().map(|answer| answer.result));
        for job in cancelled {
            let before = self.jobs.len();
            self.jobs.retain(|known| known.id != job);
            assert_eq!(
                self.jobs.len() + 1,
                before,
                "only jobs that run are cancelled"
            );
            self.cancelled.push(job);
        }
        self.jobs.extend(jobs);
        for save in saves {
            self.saves.retain(|(game, _)| *game != save.game);
            let sgf = save.record.map(|record| record.to_sgf());
            self.saves.push((save.game, sgf));
        }
    }
}

/// An analysis of a position in which these moves were searched, the best first; numbers are the mover's.
pub(crate) fn analysis(
    job: &Job,
    visits: u32,
    win_rate: f32,
    lead: f32,
    moves: &[&str],
) -> Analysis {
    let size = job.position.size();
    let worth = |lead| Worth {
        win_rate,
        lead,
        lead_spread: 12.0,
        lead_deviation: 4.0,
    };
    let candidate = |(rank, text): (usize, &&str)| {
        let action = Move::from_gtp(text, size).unwrap();
        Candidate {
            action,
            visits: visits >> (rank + 1),
            selection: (visits >> (rank + 1)) as f32,
            worth: worth(lead - rank as f32),
            lcb: win_rate - 0.1,
            prior: 0.25,
            variation: vec![action],
            variation_visits: vec![visits >> (rank + 1)],
            ownership: Vec::new(),
            ownership_spread: Vec::new(),
        }
    };
    let mut ownership = PointMap::new(0.0);
    for point in size.points() {
        // The left half is Black's.
        ownership[point] = if point.x() < size.width() / 2 {
            1.0
        } else {
            -1.0
        };
    }
    Analysis {
        to_move: job.position.to_move(),
        visits,
        worth: worth(lead),
        moves: moves.iter().enumerate().map(candidate).collect(),
        ownership,
        ownership_spread: PointMap::new(0.0),
    }
}

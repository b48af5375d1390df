//! The table of methods: what each is called, takes and gives, and who answers it.
//!
//! The comments of the rows are what the OpenAPI document, the types of the page and `docs/api.md` say about the
//! methods.

use serde::Serialize;
use serde_json::Value;

use crate::aside::{Aside, Begun, IntoAside};
use crate::call::{self, Caller};
use crate::fates::{self, Fates, OfMove};
use crate::file::{File, OfFile};
use crate::host::{Host, HostReply, IntoHostReply, to_value, unknown_method};
use crate::invitation;
use crate::networks::{ChooseNetwork, NetworkList, OfNetwork};
use crate::problems::{self, JudgeProblem, JudgedPosition, ProblemSet};
use crate::refusal::Refusal;
use crate::request::{
    Dead, Edits, Invite, Judge, NewGame, NoParams, OfGame, OfNode, OfSomeNode, OpenFile, Pace,
    Play, Resign, Seats, StartReview, Watch, WatchExact, read,
};
use crate::results::{
    About, Edited, Estimate, GameList, Hint, MoveJudged, Nothing, Opened, PictureText, Played,
    RecordText, ReviewFound, ReviewStarted,
};
use crate::revision;
use crate::room::{Later, Reply, Room, Viewer};
use crate::runs::{OfGeneration, OfRun, OfRunGame, RunGames, RunList, RunMessage};
use crate::search::{self, FoundGames, SearchGames};
use crate::sheet::Sheet;
use crate::view::View;
use crate::walk::{self, OfProof, ProofSought, Walked};

/// A row of the table.
pub(crate) struct Method {
    pub name: &'static str,
    handler: Handler,
    /// The part of the document that it belongs to.
    #[cfg(test)]
    pub section: &'static str,
    /// What is said about it, line by line.
    #[cfg(test)]
    pub text: &'static [&'static str],
    /// The schemas of what it takes and gives.
    #[cfg(test)]
    pub describe: fn(&mut crate::reference::Schemas) -> crate::reference::Signature,
}

/// Who answers a method.
#[derive(Clone, Copy)]
enum Handler {
    Room(fn(&mut Room, Value, Caller) -> Result<Reply, Refusal>),
    /// The room begins, and what takes its time is done without it.
    Aside(fn(&mut Room, Value, Caller) -> Result<Aside, Refusal>),
    Host(fn(&dyn Host, Value) -> Result<HostReply, Refusal>),
}

/// What a handler returns for its result `R`: the result, or a promise of it.
trait IntoReply<R> {
    fn into_reply(self) -> Result<Reply, Refusal>;
}

impl<R: Serialize> IntoReply<R> for R {
    fn into_reply(self) -> Result<Reply, Refusal> {
        to_value(&self).map(Reply::Now)
    }
}

impl<R> IntoReply<R> for Later<R> {
    fn into_reply(self) -> Result<Reply, Refusal> {
        Ok(Reply::Later(self.ticket))
    }
}

/// Makes the table of rows: a name, the types of parameters and result, and the handler of the room or the host.
macro_rules! methods {
    ($($section:literal {
        $($(#[doc = $text:literal])* $name:literal: $params:ty => $result:ty, $who:ident $handler:path;)*
    })*) => {
        pub(crate) const METHODS: &[Method] = &[$($(Method {
            name: $name,
            handler: methods!(@$who $handler, $params, $result),
            #[cfg(test)]
            section: $section,
            #[cfg(test)]
            text: &[$($text),*],
            #[cfg(test)]
            describe: |schemas| schemas.signature::<$params, $result>(),
        },)*)*];
    };
    (@room $handler:path, $params:ty, $result:ty) => {
        Handler::Room(|room, params, caller| {
            IntoReply::<$result>::into_reply($handler(room, read::<$params>(params)?, caller)?)
        })
    };
    (@aside $handler:path, $params:ty, $result:ty) => {
        Handler::Aside(|room, params, caller| {
            let begun = $handler(room, read::<$params>(params)?, caller)?;
            Ok(IntoAside::<$result>::into_aside(begun))
        })
    };
    (@host $handler:path, $params:ty, $result:ty) => {
        Handler::Host(|host, params| {
            IntoHostReply::<$result>::into_reply($handler(host, read::<$params>(params)?)?)
        })
    };
}

methods! {
    "Games" {
        /// Says what is behind the page.
        "about": NoParams => About, room call::about;

        /// Lists the games that are kept.
        "games.list": NoParams => GameList, aside call::list;

        /// Begins a game. An engine that is to move begins at once.
        "games.new": NewGame => Sheet, aside call::new_game;

        /// Opens all games of a file: SGF of any encoding, and what else tengen-sgf reads.
        ///
        /// Each game is then in phase `review`.
        "games.open": OpenFile => Opened, aside call::open;

        /// Deletes a game.
        "games.delete": OfGame => Nothing, room call::delete;

        /// Gives a game as a whole.
        "game.get": OfGame => Sheet, aside call::get;

        /// Gives a position with all that the record says about it.
        "game.view": OfNode => View, aside call::view;

        /// Plays a move.
        ///
        /// In phase `playing`, `node` must be `live` and a person to move. In `review` the move is added as a
        /// variation, or entered if it is there already.
        "game.play": Play => Played, aside call::play;

        /// Takes the last move back.
        ///
        /// In a game against an engine, moves are taken back until it is the person's turn again. After the passes that
        /// led to phase `marking`, play goes on.
        "game.undo": OfGame => Sheet, aside call::undo;

        /// Gives up.
        "game.resign": Resign => Sheet, aside call::resign;

        /// Lets engines and programs wait until `game.resume`. Clocks stand still.
        ///
        /// A game between two engines also waits while nobody watches it.
        "game.pause": OfGame => Sheet, aside call::pause;

        /// Lets engines and programs go on.
        "game.resume": OfGame => Sheet, aside call::resume;

        /// Says how fast engines and programs play against each other, so that people can follow.
        ///
        /// It is for games without persons and without a clock. Whoever is to move begins to think when so much time is
        /// over since the move before.
        "game.pace": Pace => Sheet, aside call::pace;

        /// Lets somebody else take a seat, in the middle of the game if need be.
        "game.seats": Seats => Sheet, aside call::seats;

        /// Lets somebody elsewhere take one seat, and no more, for hosts that can be reached from there.
        ///
        /// Whoever opens the page with `?token=` and the secret may look at this game, play and give up for this
        /// colour, mark dead stones and accept the count. A new invitation to the seat takes the place of the former.
        /// It holds until the host ends.
        "game.invite": Invite => Sheet, aside invitation::invite;

        /// Looks for a good move.
        ///
        /// The answer comes when the engine is done. A viewer has one hint at a time: a newer call replaces the former,
        /// which is refused as `cancelled`.
        "game.hint": OfSomeNode => Hint, room call::hint;

        /// Estimates the score.
        ///
        /// The answer comes when the engine is done. A viewer has one estimate at a time: a newer call replaces the
        /// former, which is refused as `cancelled`.
        "game.estimate": OfSomeNode => Estimate, room call::estimate;

        /// Makes the chain on a point dead, or alive again, in phase `marking`.
        ///
        /// The engine proposes first (`thinking` until it has). Who clicks earlier overrules it.
        "game.dead": Dead => Sheet, aside call::dead;

        /// Ends the game with the count.
        ///
        /// It is refused as `busy` while the engine's proposal is awaited and nobody has marked anything. A game
        /// without persons accepts by itself.
        "game.accept": OfGame => Sheet, aside call::accept;

        /// Goes back to play: from `marking`, from `finished` and from `review`, where play goes on from `node`.
        ///
        /// A resignation is taken back, and a clock that ran out is switched off.
        "game.continue": OfSomeNode => Sheet, aside call::go_on;

        /// Turns any game into a tree to walk through and to edit.
        "game.review": OfGame => Sheet, aside call::begin_review;

        /// Edits the record: all edits are made, or none.
        ///
        /// `setup`, `to_move`, `remove` and `promote` need phase `review`, and so do `rules`, `komi`, `handicap` and
        /// `result` of `info`.
        "game.edit": Edits => Edited, aside call::edit;

        /// Takes the last edit of a record back, a move that was added in `review` included. Needs phase `review`.
        "edit.undo": OfGame => Edited, aside revision::undo_edit;

        /// Makes the last edit again that was taken back.
        "edit.redo": OfGame => Edited, aside revision::redo_edit;

        /// Gives a node and all behind it as SGF, for the edit `paste`.
        "game.branch": OfNode => RecordText, aside revision::branch;

        /// Looks for kept games of the same size in whose main line a position came up, turned and mirrored ones
        /// included.
        "games.search": SearchGames => FoundGames, aside search::search;

        /// Gives the record as SGF, for hosts without downloads.
        "game.record": OfGame => RecordText, aside call::record;

        /// Gives a position as SVG, for hosts without downloads.
        "game.picture": OfSomeNode => PictureText, aside call::picture;

        /// Gives a file to be saved. The edition without a server has this instead of downloads.
        "game.file": OfFile => File, host Host::file;
    }
    "Analysis" {
        /// Analyses a position; `analysis` events tell what is found.
        ///
        /// One at a time for each viewer: a new one replaces the former. It ends when the node or the game is removed,
        /// with `max_visits`, with `analysis.stop`, or when the viewer is gone.
        "analysis.watch": Watch => Nothing, room call::watch_analysis;

        /// Ends the analysis.
        "analysis.stop": NoParams => Nothing, room call::stop_analysis;

        /// Finds out what is proven about a position of a small board and about each of its moves; `exact` events tell
        /// it.
        ///
        /// The board has at most `limits.points_of_an_exact_board` points (`about`). One at a time for each viewer: a
        /// new one replaces the former. It ends when everything is known or a certain effort is spent, with
        /// `exact.stop`, when the node or the game is removed, or when the viewer is gone. What is known of the last
        /// 256 positions that anybody asked about is told at once.
        "exact.watch": WatchExact => Nothing, room call::watch_exact;

        /// Ends the search for what is proven.
        "exact.stop": NoParams => Nothing, room call::stop_exact;

        /// Finds a proof of what a player forces, writes it down and has it checked, to be walked through.
        ///
        /// What is forced is best taken from an `exact` event: `lower` for Black, `upper` for White. With `moves` the
        /// proof is one of the position after them. The answer comes when the search ends; `proof` events tell how far
        /// it is. A viewer has one search at a time: a newer call replaces the former, which is refused as `cancelled`.
        "proof.find": OfProof => ProofSought, room walk::find;

        /// Ends the search for a proof.
        "proof.stop": NoParams => Nothing, room walk::stop;

        /// Walks through a proof that was found: `moves` are played from the position on, and if the prover is to move
        /// then, the proof's answer.
        "proof.walk": OfProof => Walked, room walk::walk;

        /// Analyses every position of the main line in the background; `review` events tell what is found.
        ///
        /// A first round looks quickly at all of them, the first ones first. Later rounds look closer at those where
        /// much may have been lost, the worst ones first, with four times the visits of the round before, until
        /// `visits` is reached or everything is settled. What was analysed before with as many visits is not analysed
        /// again. It ends when the viewer who started it is gone.
        "review.start": StartReview => ReviewStarted, room call::start_review;

        /// Says what a move is worth, beside the best one of the same search, and why.
        ///
        /// The answer comes when the engine is done. A viewer has one judgement at a time: a newer call replaces the
        /// former, which is refused as `cancelled`.
        "review.judge": Judge => MoveJudged, room call::judge;

        /// Says which groups near a move it has killed or let live for certain: proven by the solver, with a small
        /// effort, for groups that are shut in on a few points.
        "review.fates": OfMove => Fates, aside fates::prove;

        /// Gives what a review has found so far.
        "review.get": OfGame => ReviewFound, aside call::get_review;

        /// Ends a review; what it has found stays.
        "review.stop": OfGame => Nothing, room call::stop_review;
    }
    "Problems" {
        /// Reads a collection of problems: SGF of any encoding, a game a problem. They become no games.
        "problems.read": OpenFile => ProblemSet, aside problems::read;

        /// Judges a position of a problem that somebody tries to solve, with a proof, and says what to reply.
        ///
        /// The problem is the position of the game before its first move, and is about life and death in a part of the
        /// board. It is refused if nobody's stones can be told to be in question, and `open` if it is too much to be
        /// found out here.
        "problem.judge": JudgeProblem => JudgedPosition, aside problems::judge;
    }
    "Watching" {
        /// Lets the viewer hear of what happens to a game, in `game` and `clock` events.
        ///
        /// The events of the viewer's own calls are among them. An event may come before or after the answer: `version`
        /// tells what is known already.
        "watch": OfGame => Sheet, aside call::watch;

        /// Lets the viewer hear no more of a game.
        "unwatch": OfGame => Nothing, room call::unwatch;
    }
    "Networks" {
        /// Lists the networks that people have brought. Only hosts with the feature `networks` have these methods.
        ///
        /// The edition without a server has it: the page hands a file to its worker, and the engine judges by it from
        /// then on.
        "networks.list": NoParams => NetworkList, host Host::list_networks;

        /// Lets the engine judge by a network from its next move on.
        "networks.choose": ChooseNetwork => NetworkList, host Host::choose_network;

        /// Deletes a network. If the engine judges by it, it goes back to the host's own.
        "networks.delete": OfNetwork => NetworkList, host Host::delete_network;
    }
    "Training runs" {
        /// Lists the training runs that the server was started with.
        "runs.list": NoParams => RunList, host Host::list_runs;

        /// Gives the curves of a run.
        "runs.get": OfRun => RunMessage, host Host::run;

        /// Lists games of a generation of a run.
        "runs.games": OfGeneration => RunGames, host Host::run_games;

        /// Opens a game of a run as a tree to walk through, with what the search thought as comments.
        "runs.open": OfRunGame => Opened, host Host::run_record;
    }
}

fn named(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|method| method.name == name)
}

/// The names of all methods, whoever answers them.
pub fn methods() -> impl Iterator<Item = &'static str> {
    METHODS.iter().map(|method| method.name)
}

/// A method that a host answers itself.
#[derive(Clone, Copy, Debug)]
pub struct HostMethod(fn(&dyn Host, Value) -> Result<HostReply, Refusal>);

impl HostMethod {
    /// The method with this name; `None` if the room answers it, or nobody.
    pub fn named(name: &str) -> Option<Self> {
        match named(name)?.handler {
            Handler::Host(handler) => Some(Self(handler)),
            Handler::Room(_) | Handler::Aside(_) => None,
        }
    }

    /// Lets a host answer.
    pub fn call(self, host: &dyn Host, params: Value) -> Result<HostReply, Refusal> {
        (self.0)(host, params)
    }
}

impl Room {
    /// Does what a viewer asks for. What hosts answer themselves ([`HostMethod`]) is unknown here.
    pub fn call(
        &mut self,
        method: &str,
        params: Value,
        viewer: Viewer,
        now: u64,
    ) -> Result<Reply, Refusal> {
        let mut begun = self.begin(method, params, viewer, now)?;
        loop {
            match begun {
                Begun::Reply(reply) => return Ok(reply),
                Begun::Aside(aside) => begun = self.finish(aside.run(), viewer, now)?,
            }
        }
    }

    /// Does what a viewer asks for, but for what takes its time and needs no room: for hosts whose viewers do not wait
    /// for each other.
    pub fn begin(
        &mut self,
        method: &str,
        params: Value,
        viewer: Viewer,
        now: u64,
    ) -> Result<Begun, Refusal> {
        self.tick(now);
        self.rights(viewer).check(method)?;
        let params = self.check_seat(viewer, method, params)?;
        let caller = Caller { viewer, now };
        match named(method).map(|method| method.handler) {
            Some(Handler::Room(handler)) => handler(self, params, caller).map(Begun::Reply),
            Some(Handler::Aside(handler)) => handler(self, params, caller).map(Begun::Aside),
            Some(Handler::Host(_)) | None => Err(unknown_method()),
        }
    }
}

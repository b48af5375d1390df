//! Changes of games. Those of a large record are made in a copy, where nobody waits for them.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::aside::{Aside, Begun, IntoAside, Look, Product, TRIES};
use crate::call::Caller;
use crate::difference::Told;
use crate::game_tree::GameTree;
use crate::job::JobId;
use crate::refusal::Result;
use crate::room::{Room, not_saved};
use crate::settings::RoomSettings;
use crate::shared::Shared;
use crate::sheet::{Phase, Sheet};
use crate::table::Table;

/// A record with more nodes or bytes is large: to copy it, or to write and read it, may take longer than others should
/// wait.
const LARGE_NODES: usize = 2_000;
const LARGE_BYTES: usize = 256 << 10;

/// What is to be done to a game, as often as need be. It gives the node to look at afterwards.
type Act = dyn Fn(&mut Table, &RoomSettings) -> Result<usize> + Send + Sync;

/// What is answered when it was done: about a game and that node.
type Answer = fn(&Room, &str, usize, Caller) -> Result<Aside>;

/// A change of a game that somebody asks for.
#[derive(Clone)]
pub(crate) struct Deed {
    game: String,
    act: Arc<Act>,
    answer: Answer,
}

/// A game that was changed without the room.
pub(crate) struct Forked {
    deed: Deed,
    /// The phase of the game before.
    phase: Phase,
    table: Table,
    node: usize,
    told: Told,
}

/// A change that was made, or is to be made aside, with an `R` for an answer.
pub(crate) struct Changed<R> {
    aside: Aside,
    result: PhantomData<R>,
}

impl<R> IntoAside<R> for Changed<R> {
    fn into_aside(self) -> Aside {
        self.aside
    }
}

impl Deed {
    pub(crate) fn new(
        game: &str,
        act: impl Fn(&mut Table, &RoomSettings) -> Result<usize> + Send + Sync + 'static,
        answer: Answer,
    ) -> Self {
        Self {
            game: game.to_owned(),
            act: Arc::new(act),
            answer,
        }
    }

    /// Makes the change in a copy of the game.
    fn make(self, mut table: Table, settings: &RoomSettings) -> Result<Forked> {
        let (before, phase) = (table.tree.clone(), table.phase);
        let node = (self.act)(&mut table, settings)?;
        let told = Told::since(&before, &mut table.tree);
        Ok(Forked {
            deed: self,
            phase,
            table,
            node,
            told,
        })
    }
}

impl fmt::Debug for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deed")
            .field("game", &self.game)
            .finish_non_exhaustive()
    }
}

impl Room {
    /// Changes a game and answers with its sheet.
    pub(crate) fn act(
        &mut self,
        game: &str,
        caller: Caller,
        act: impl Fn(&mut Table, &RoomSettings) -> Result<()> + Send + Sync + 'static,
    ) -> Result<Changed<Sheet>> {
        let act = move |table: &mut Table, settings: &RoomSettings| {
            act(table, settings)?;
            Ok(table.live)
        };
        let deed = Deed::new(game, act, |room, game, _, caller| {
            let look: Look<Sheet> = room.table(game)?.sheet(caller.now);
            Ok(look.of_change().into_aside())
        });
        self.change_by(deed, caller)
    }

    /// Changes a game.
    pub(crate) fn change_by<R>(&mut self, deed: Deed, caller: Caller) -> Result<Changed<R>> {
        Ok(Changed {
            aside: self.begin_deed(deed, caller, 0)?,
            result: PhantomData,
        })
    }

    fn begin_deed(&mut self, deed: Deed, caller: Caller, tries: u32) -> Result<Aside> {
        let Caller { viewer, now } = caller;
        let table = self.table(&deed.game)?;
        if tries < TRIES && table.is_large() {
            if let Some(problem) = &table.unsaved {
                return Err(not_saved(problem));
            }
            let (fork, settings) = (table.fork(), self.settings.clone());
            return Ok(Aside {
                work: Box::new(move || {
                    let forked = deed.make(fork, &settings)?;
                    Ok(Product::Forked(Box::new(forked)))
                }),
                about: None,
                tries,
            });
        }
        let act = |table: &mut Table, settings: &RoomSettings| (deed.act)(table, settings);
        let node = self.change(&deed.game, Some(viewer), now, act)?;
        (deed.answer)(self, &deed.game, node, caller)
    }

    /// Puts a game that was changed in the place of the one that it was a copy of, or changes it again if that one has
    /// changed meanwhile.
    pub(crate) fn finish_deed(
        &mut self,
        forked: Forked,
        caller: Caller,
        tries: u32,
    ) -> Result<Begun> {
        let Forked {
            deed,
            phase,
            table: fork,
            node,
            told,
        } = forked;
        let table = self.table(&deed.game)?;
        if table.stamp != fork.stamp {
            // What somebody may do depends on the phase, and was looked at when they called.
            table.check_phase(&[phase])?;
            return self.begin_deed(deed, caller, tries + 1).map(Begun::Aside);
        }
        let Caller { viewer, now } = caller;
        self.change_told(&deed.game, Some(viewer), now, |table, _| {
            table.take_fork(fork);
            Ok(((), Some(told)))
        })?;
        (deed.answer)(self, &deed.game, node, caller).map(Begun::Aside)
    }

    /// What has to be copied before the room is told what became of a job; see [`Copying`].
    pub fn copying_for_report(&self, job: JobId) -> Option<Copying> {
        self.tables.get(self.may_change_game(job)?)?.copying()
    }

    /// What has to be copied before the room is told the time; see [`Copying`].
    pub fn copying_for_tick(&self, now: u64) -> Option<Copying> {
        let fallen = |table: &&Table| {
            let clock = table.clock.as_ref();
            clock.is_some_and(|clock| clock.is_running() && clock.fallen(now).is_some())
        };
        let fallen = self.tables.values().filter(fallen);
        fallen.filter_map(Table::copying).next()
    }

    /// Lets a game have a record of its own.
    pub fn take_copied(&mut self, copied: Copied) {
        let table = self.tables.get_mut(&copied.game);
        if let Some(table) = table.filter(|table| table.tree.is(&copied.from)) {
            table.tree = Shared::new(copied.tree);
        }
    }
}

/// A large record that somebody reads, for example to save it. It would have to be copied while the room waits if it
/// changed now: whoever is about to let it change copies it before.
#[derive(Debug)]
pub struct Copying {
    game: String,
    tree: Shared<GameTree>,
}

/// A record that was copied.
#[derive(Debug)]
pub struct Copied {
    game: String,
    from: Shared<GameTree>,
    tree: GameTree,
}

impl Copying {
    /// Copies it.
    pub fn run(self) -> Copied {
        Copied {
            tree: self.tree.copied(),
            game: self.game,
            from: self.tree,
        }
    }
}

impl Table {
    /// Is its record so large that it is changed in a copy?
    pub(crate) fn is_large(&self) -> bool {
        self.tree.node_count() > LARGE_NODES || self.tree.text_len() > LARGE_BYTES
    }

    fn copying(&self) -> Option<Copying> {
        (self.is_large() && self.tree.is_shared()).then(|| Copying {
            game: self.id.clone(),
            tree: self.tree.clone(),
        })
    }
}

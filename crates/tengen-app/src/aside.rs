//! Work that a call needs and that is done without the room, so that others need not wait for it.

use std::fmt;

use serde::Serialize;
use serde_json::{Value, json};

use crate::call::{self, Caller};
use crate::deed::Forked;
use crate::draft::{Draft, EditedTree};
use crate::game_tree::GameTree;
use crate::host::to_value;
use crate::refusal::Result;
use crate::results::{Edited, Opened};
use crate::room::{Reply, Room, Viewer};
use crate::shared::Shared;
use crate::sheet::Sheet;
use crate::table::tree_message;
use crate::upload::Prepared;

/// What a call comes to at first.
#[derive(Debug)]
pub enum Begun {
    /// That was all.
    Reply(Reply),
    /// Work that needs no room. [`Room::finish`](crate::Room::finish) wants to know what came of it.
    Aside(Aside),
}

/// Work that needs no room, with all that it does need.
pub struct Aside {
    pub(crate) work: Box<dyn FnOnce() -> Result<Product> + Send>,
    pub(crate) about: Option<About>,
    /// How often it was done in vain.
    pub(crate) tries: u32,
}

/// What a result is about. It has to be made again if the game has changed meanwhile: an answer must not be older than
/// the events before it.
#[derive(Clone, Debug)]
pub(crate) struct About {
    pub game: String,
    pub version: u64,
    /// How often a review has found anything, if the result is about that.
    pub looks: Option<u64>,
    /// The call that makes it again, unless the result says itself which version it is of.
    pub again: Option<(&'static str, Value)>,
    /// Has the call changed the game? Then its answer waits until that is saved.
    pub has_changed: bool,
}

/// What came of it.
pub(crate) enum Product {
    Value(Value),
    /// A value as JSON.
    Text(String),
    /// Games that are to be put into the room.
    Games(Prepared),
    /// A record that is to be put in the place of the one that it was made of.
    Edited(Box<EditedTree>),
    /// A game that was changed, and is to be put in the place of the one that it was a copy of.
    Forked(Box<Forked>),
}

/// What was brought back to the room.
pub struct Brought {
    pub(crate) product: Result<Product>,
    pub(crate) about: Option<About>,
    pub(crate) tries: u32,
}

impl Aside {
    /// Does the work.
    pub fn run(self) -> Brought {
        Brought {
            product: (self.work)(),
            about: self.about,
            tries: self.tries,
        }
    }
}

impl Brought {
    /// Writes the result down as JSON, which also takes its time: [`Reply::Text`] follows instead of [`Reply::Now`].
    #[must_use]
    pub fn written(mut self) -> Self {
        if let Ok(Product::Value(value)) = &self.product {
            self.product = Ok(Product::Text(value.to_string()));
        }
        self
    }

    /// The game that the call has changed, if it has.
    pub fn changed_game(&self) -> Option<&str> {
        let about = self.about.as_ref().filter(|about| about.has_changed);
        about.map(|about| about.game.as_str())
    }
}

impl fmt::Debug for Aside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Aside")
            .field("about", &self.about)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Brought {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Brought")
            .field("about", &self.about)
            .finish_non_exhaustive()
    }
}

/// A result `R` that is made aside.
pub(crate) struct Look<R> {
    pub about: About,
    pub make: Box<dyn FnOnce() -> Result<R> + Send>,
}

/// Games that are made aside of a file.
pub(crate) struct Opening(pub Box<dyn FnOnce() -> Result<Prepared> + Send>);

/// A result `R` that is made aside, and is about no single game.
pub(crate) struct Apart<R>(pub Box<dyn FnOnce() -> Result<R> + Send>);

/// What a handler returns for its result `R` if that is made aside.
pub(crate) trait IntoAside<R> {
    fn into_aside(self) -> Aside;
}

impl<R: Serialize + 'static> IntoAside<R> for Look<R> {
    fn into_aside(self) -> Aside {
        let make = self.make;
        Aside {
            work: Box::new(move || to_value(&make()?).map(Product::Value)),
            about: Some(self.about),
            tries: 0,
        }
    }
}

impl<R: Serialize + 'static> IntoAside<R> for Apart<R> {
    fn into_aside(self) -> Aside {
        let make = self.0;
        Aside {
            work: Box::new(move || to_value(&make()?).map(Product::Value)),
            about: None,
            tries: 0,
        }
    }
}

impl IntoAside<Opened> for Opening {
    fn into_aside(self) -> Aside {
        let make = self.0;
        Aside {
            work: Box::new(move || make().map(Product::Games)),
            about: None,
            tries: 0,
        }
    }
}

impl IntoAside<Edited> for Draft {
    fn into_aside(self) -> Aside {
        Aside {
            work: Box::new(move || self.make().map(|edited| Product::Edited(Box::new(edited)))),
            about: None,
            tries: 0,
        }
    }
}

impl Look<Sheet> {
    /// The sheet of a game, whose tree is written down aside.
    pub(crate) fn sheet(sheet: Sheet, tree: Shared<GameTree>) -> Self {
        let about = About {
            again: Some(("game.get", json!({"game": sheet.id}))),
            game: sheet.id.clone(),
            version: sheet.version,
            looks: None,
            has_changed: false,
        };
        let make = move || {
            let tree = tree_message(&tree);
            Ok(Sheet { tree, ..sheet })
        };
        Self {
            about,
            make: Box::new(make),
        }
    }
}

impl<R> Look<R> {
    /// The same for a call that has changed the game.
    pub(crate) fn of_change(mut self) -> Self {
        self.about.has_changed = true;
        self
    }
}

/// How often a result is made without the room before it is made while others wait.
pub(crate) const TRIES: u32 = 3;

impl Room {
    /// Takes what was brought, and says what the call comes to. There is more to do aside if the game has changed
    /// meanwhile.
    pub fn finish(&mut self, brought: Brought, viewer: Viewer, now: u64) -> Result<Begun> {
        let caller = Caller { viewer, now };
        let again = brought.about.as_ref().and_then(|about| {
            let table = self.tables.get(&about.game)?;
            let looks = Some(table.review.looks);
            let is_old =
                table.version != about.version || about.looks.is_some() && about.looks != looks;
            about.again.clone().filter(|_| is_old)
        });
        if let Some((method, params)) = again {
            let has_changed = brought.changed_game().is_some();
            let begun = self.begin(method, params, viewer, now)?;
            let Begun::Aside(mut aside) = begun else {
                return Ok(begun);
            };
            aside.tries = brought.tries + 1;
            if let Some(about) = &mut aside.about {
                about.has_changed = has_changed;
            }
            return match aside.tries {
                TRIES.. => reply(aside.run().product?),
                _ => Ok(Begun::Aside(aside)),
            };
        }
        let tries = brought.tries;
        match brought.product? {
            Product::Edited(edited) => {
                let table = self.table(&edited.draft.game)?;
                if table.version == edited.draft.version {
                    let look = call::edited(self, *edited, caller)?;
                    return Ok(Begun::Aside(look.into_aside()));
                }
                let Draft { node, edits, .. } = edited.draft;
                let draft = Draft::new(table, node, edits, self.settings().limits)?;
                let mut aside = draft.into_aside();
                aside.tries = tries + 1;
                match aside.tries {
                    TRIES.. => self.finish(aside.run(), viewer, now),
                    _ => Ok(Begun::Aside(aside)),
                }
            }
            Product::Forked(forked) => self.finish_deed(*forked, caller, tries),
            Product::Games(prepared) => {
                let opened = call::opened(self, prepared, caller)?;
                reply(Product::Value(to_value(&opened)?))
            }
            product => reply(product),
        }
    }
}

fn reply(product: Product) -> Result<Begun> {
    Ok(Begun::Reply(match product {
        Product::Value(value) => Reply::Now(value),
        Product::Text(text) => Reply::Text(text),
        Product::Games(_) | Product::Edited(_) | Product::Forked(_) => Reply::Now(json!({})),
    }))
}

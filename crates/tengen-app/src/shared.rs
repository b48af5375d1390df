//! Something that is copied when it changes while somebody still reads it.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use crate::game_tree::GameTree;

/// A value of which others may hold what it was at a moment. It is copied when it changes while they do.
#[derive(Debug)]
pub(crate) struct Shared<T>(Arc<T>);

impl<T> Shared<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Arc::new(value))
    }

    /// Does anybody else hold it?
    pub(crate) fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    /// Is it the same value, and not only an equal one?
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl DerefMut for Shared<GameTree> {
    fn deref_mut(&mut self) -> &mut GameTree {
        if self.is_shared() {
            *self = Self::new(self.0.copied());
        }
        Arc::make_mut(&mut self.0)
    }
}

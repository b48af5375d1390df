//! Something that is copied when it changes while somebody still reads it.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A value of which others may hold what it was at a moment. It is copied when it changes while they do.
#[derive(Clone, Debug)]
pub(crate) struct Shared<T>(Arc<T>);

impl<T> Shared<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Arc::new(value))
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}

//! A queue in which owners take turns (round robin).

use std::collections::VecDeque;

/// Things that wait, each with an owner. Owners take turns, however many things each of them has.
#[derive(Debug)]
pub(crate) struct Ring<S, T>(VecDeque<(S, VecDeque<T>)>);

impl<S, T> Default for Ring<S, T> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

impl<S: PartialEq, T> Ring<S, T> {
    /// Adds a thing behind all others of the same owner.
    pub(crate) fn push(&mut self, owner: S, thing: T) {
        match self.0.iter_mut().find(|(known, _)| *known == owner) {
            Some((_, things)) => things.push_back(thing),
            None => self.0.push_back((owner, VecDeque::from([thing]))),
        }
    }

    /// Puts a thing back that was just taken: it is the next one again.
    pub(crate) fn put_back(&mut self, owner: S, thing: T) {
        let place = self.0.iter().position(|(known, _)| *known == owner);
        let mut things = place
            .and_then(|place| self.0.remove(place))
            .map(|(_, things)| things)
            .unwrap_or_default();
        things.push_front(thing);
        self.0.push_front((owner, things));
    }

    /// The next thing: the first of the owner whose turn it is, who then goes to the end.
    pub(crate) fn pop(&mut self) -> Option<(S, T)>
    where
        S: Clone,
    {
        let (owner, mut things) = self.0.pop_front()?;
        let thing = things.pop_front();
        if !things.is_empty() {
            self.0.push_back((owner.clone(), things));
        }
        // Nobody stays without a thing.
        thing.map(|thing| (owner, thing))
    }

    /// Takes the things out that are unwanted.
    pub(crate) fn take_out(&mut self, mut unwanted: impl FnMut(&T) -> bool) -> Vec<T> {
        let mut taken = Vec::new();
        for (_, things) in &mut self.0 {
            while let Some(place) = things.iter().position(&mut unwanted) {
                taken.extend(things.remove(place));
            }
        }
        self.0.retain(|(_, things)| !things.is_empty());
        taken
    }

    /// How many things wait.
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|(_, things)| things.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_take_turns() {
        let mut ring = Ring::default();
        for thing in [1, 2, 3] {
            ring.push("greedy", thing);
        }
        ring.push("modest", 10);
        ring.push("other", 20);
        assert_eq!(ring.len(), 5);
        let mut order = Vec::new();
        while let Some((owner, thing)) = ring.pop() {
            order.push(thing);
            if order == [1, 10, 20] {
                ring.put_back(owner, thing);
                assert_eq!(ring.pop(), Some(("other", 20)));
                continue;
            }
            // What is put back waits behind what others have.
            if thing == 10 {
                ring.push(owner, 11);
            }
        }
        assert_eq!(order, [1, 10, 20, 2, 11, 3]);
        assert_eq!(ring.len(), 0);
    }

    #[test]
    fn unwanted_things_leave_no_trace() {
        let mut ring = Ring::default();
        ring.push('a', 1);
        ring.push('b', 2);
        ring.push('b', 3);
        assert_eq!(ring.take_out(|thing| *thing < 3), [1, 2]);
        assert_eq!(ring.pop(), Some(('b', 3)));
        assert_eq!(ring.len(), 0);
    }
}

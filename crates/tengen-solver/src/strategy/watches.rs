//! Who waits for whom: a list for each node that others wait for, all in one place.

/// No number: the end of a list.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Watch {
    who: u32,
    next: u32,
}

/// All lists.
pub(super) struct Watches {
    all: Vec<Watch>,
    /// The first that is not in use.
    unused: u32,
}

impl Watches {
    pub(super) const fn new() -> Self {
        Self {
            all: Vec::new(),
            unused: NONE,
        }
    }

    /// Puts somebody before the first of a list.
    pub(super) fn push(&mut self, first: &mut u32, who: u32) {
        let watch = Watch { who, next: *first };
        if self.unused == NONE {
            *first = self.all.len() as u32;
            self.all.push(watch);
        } else {
            *first = self.unused;
            self.unused = self.all[self.unused as usize].next;
            self.all[*first as usize] = watch;
        }
    }

    /// Empties a list into those who have something to do.
    pub(super) fn drain(&mut self, first: &mut u32, into: &mut Vec<u32>) {
        let mut next = std::mem::replace(first, NONE);
        while next != NONE {
            let watch = &mut self.all[next as usize];
            into.push(watch.who);
            let after = std::mem::replace(&mut watch.next, self.unused);
            self.unused = next;
            next = after;
        }
    }
}

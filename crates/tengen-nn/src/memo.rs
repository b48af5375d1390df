//! What was said about positions before.

/// Remembers values by key. A new value takes the place of an older one with a similar key, so that it never grows.
#[derive(Debug)]
pub(crate) struct Memo<T> {
    slots: Vec<Option<(u128, T)>>,
}

impl<T> Memo<T> {
    /// Room for so many values, rounded up to a power of two; 0 remembers nothing.
    pub(crate) fn new(capacity: usize) -> Self {
        let slots = match capacity {
            0 => 0,
            capacity => capacity.next_power_of_two(),
        };
        Self {
            slots: (0..slots).map(|_| None).collect(),
        }
    }

    fn slot(&self, key: u128) -> Option<usize> {
        self.slots
            .len()
            .checked_sub(1)
            .map(|mask| key as usize & mask)
    }

    pub(crate) fn get(&self, key: u128) -> Option<&T> {
        let (known, value) = self.slots[self.slot(key)?].as_ref()?;
        (*known == key).then_some(value)
    }

    pub(crate) fn insert(&mut self, key: u128, value: T) {
        if let Some(slot) = self.slot(key) {
            self.slots[slot] = Some((key, value));
        }
    }
}

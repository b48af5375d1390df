//! The names of properties.

/// The name of a property, such as `B` or `SZ`.
///
/// Names of up to four letters, which is all that `FF[4]` has, are kept as a number; longer ones are numbered by the
/// collection that holds them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Ident(u32);

/// Tells the number of a long name from the letters of a short one.
const LONG: u32 = 1 << 31;

impl Ident {
    /// A name of one to four ASCII characters, or `None` for any other.
    #[inline]
    pub(crate) const fn short(name: &[u8]) -> Option<Self> {
        match *name {
            [a] if a.is_ascii() => Some(Self(a as u32)),
            [a, b] if a.is_ascii() && b.is_ascii() => Some(Self((a as u32) << 8 | b as u32)),
            [a, b, c] if name.is_ascii() => {
                Some(Self((a as u32) << 16 | (b as u32) << 8 | c as u32))
            }
            [a, b, c, d] if name.is_ascii() => Some(Self(u32::from_be_bytes([a, b, c, d]))),
            _ => None,
        }
    }

    /// The long name with this number.
    pub(crate) const fn long(number: u32) -> Self {
        Self(number | LONG)
    }

    /// Where a name of one or two capital letters stands in a table of 1,024 entries.
    #[inline]
    pub(crate) const fn place(self) -> Option<usize> {
        let [zero, other, first, second] = self.0.to_be_bytes();
        let is_capital = first.is_ascii_uppercase() || first == 0;
        if zero | other == 0 && is_capital && second.is_ascii_uppercase() {
            Some((first as usize % 32) << 5 | (second as usize % 32))
        } else {
            None
        }
    }

    /// The number of a long name, or the letters of a short one.
    pub(crate) fn resolve(self) -> Result<u32, ([u8; 4], usize)> {
        if self.0 & LONG != 0 {
            return Ok(self.0 & !LONG);
        }
        let bytes = self.0.to_be_bytes();
        let start = bytes.iter().take_while(|byte| **byte == 0).count();
        Err((bytes, start))
    }
}

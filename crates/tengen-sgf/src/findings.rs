//! Diagnostics as they are found, and not more of them than anybody reads.

use crate::diagnostic::{Diagnostic, Severity};

/// Diagnostics as they are found. Of each kind as many are kept as [`Findings::MOST`] says; the last one that is kept
/// counts the rest ([`Diagnostic::more`]), so that a file of nothing but faults takes little memory and sums are right.
///
/// ```
/// use tengen_sgf::{Collection, Findings, Mode};
/// let parsed = Collection::parse("(;SZ[9];B[ee] 7 ;W[ge]", Mode::Lenient)?;
/// let mut findings = Findings::new();
/// findings.extend(parsed.diagnostics);
/// assert_eq!(findings.into_vec().len(), 2);
/// # Ok::<(), tengen_sgf::ParseError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Findings {
    kept: Vec<Diagnostic>,
    groups: Vec<Group>,
}

/// Diagnostics of a kind.
#[derive(Clone, Debug)]
struct Group {
    kind: &'static str,
    severity: Severity,
    count: usize,
    /// The place of the last one that is kept.
    last: usize,
}

impl Findings {
    /// How many diagnostics of a kind are kept.
    pub const MOST: usize = 10_000;

    /// Nothing was found yet.
    pub const fn new() -> Self {
        Self {
            kept: Vec::new(),
            groups: Vec::new(),
        }
    }

    /// Adds one, or counts it.
    pub fn push(&mut self, found: Diagnostic) {
        let is_same =
            |group: &&mut Group| (group.kind, group.severity) == (found.kind, found.severity);
        let last = self.kept.len();
        match self.groups.iter_mut().find(is_same) {
            Some(group) if group.count >= Self::MOST => {
                let more = &mut self.kept[group.last].more;
                *more = more.saturating_add(found.more).saturating_add(1);
                return;
            }
            Some(group) => {
                group.count += 1;
                group.last = last;
            }
            None => self.groups.push(Group {
                kind: found.kind,
                severity: found.severity,
                count: 1,
                last,
            }),
        }
        self.kept.push(found);
    }

    /// Adds all of them, in this order.
    pub fn extend(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        found.into_iter().for_each(|found| self.push(found));
    }

    /// Those that are kept so far, in the order in which they were found.
    pub fn as_slice(&self) -> &[Diagnostic] {
        &self.kept
    }

    /// Those that are kept, in the order in which they were found.
    pub fn into_vec(self) -> Vec<Diagnostic> {
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Collection, Mode, Record, examine};

    /// How many diagnostics are kept, and how many there are.
    fn counts(found: &[Diagnostic]) -> (usize, u64) {
        let all = found.iter().map(|found| 1 + u64::from(found.more));
        (found.len(), all.sum())
    }

    #[test]
    fn the_rest_is_counted_by_kind() {
        let of = |kind, offset| Diagnostic::new(Severity::Note, kind, offset, "x");
        let mut findings = Findings::new();
        for offset in 0..3 * Findings::MOST {
            findings.push(of("often", offset));
            if offset % Findings::MOST == 0 {
                findings.push(of("seldom", offset));
            }
        }
        let rest = findings.clone().into_vec();
        // What was bounded once may be added to something else.
        findings.extend(rest);
        let found = findings.into_vec();
        let of_kind = |kind| {
            let found: Vec<_> = found
                .iter()
                .filter(|found| found.kind == kind)
                .cloned()
                .collect();
            counts(&found)
        };
        assert_eq!(
            of_kind("often"),
            (Findings::MOST, 6 * Findings::MOST as u64)
        );
        assert_eq!(of_kind("seldom"), (6, 6));
    }

    #[test]
    fn a_file_of_nothing_but_faults_keeps_few_of_them() {
        const FAULTS: usize = 100_000;
        let text = format!("(;{})", "B[]\n".repeat(FAULTS));
        let parsed = Collection::parse(&*text, Mode::Lenient).unwrap();
        let root = parsed.collection.roots().next().unwrap();
        let examined = examine(root).diagnostics;
        let (kept, all) = counts(&[parsed.diagnostics, examined].concat());
        assert!(all >= FAULTS as u64 - 1, "{all}");
        assert!(kept <= 8 * Findings::MOST, "{kept}");
        // The same one by one, with the kinds of faults that the parser finds itself.
        for fault in ["B[a", "b![]", ";B[zz]", "(;)AB[cc:aa]"] {
            let text = format!("(;SZ[9]{})", fault.repeat(FAULTS));
            let record = Record::read(text.into_bytes(), Mode::Lenient).unwrap();
            let mut found = record.diagnostics.clone();
            for root in record.collection.roots() {
                found.extend(examine(root).diagnostics);
            }
            let (kept, _) = counts(&found);
            assert!(kept <= 16 * Findings::MOST, "{fault}: {kept}");
        }
    }
}

//! How many tests passed, failed and were skipped.

use std::fmt;
use std::ops::AddAssign;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) skipped: u64,
}

impl Tally {
    pub(crate) const ONE_PASSED: Self = Self {
        passed: 1,
        failed: 0,
        skipped: 0,
    };
    pub(crate) const ONE_FAILED: Self = Self {
        passed: 0,
        failed: 1,
        skipped: 0,
    };
    pub(crate) const ONE_SKIPPED: Self = Self {
        passed: 0,
        failed: 0,
        skipped: 1,
    };

    /// Reads the line with which `cargo nextest`, a libtest binary or pytest sums up its run, or one of the lines with
    /// which Node does.
    pub(crate) fn from_summary(line: &str) -> Option<Self> {
        // At the start of the line only: nextest shows what a failed test printed, this line of it
        // included, but indents it.
        if let Some(counts) = line.strip_prefix("test result: ") {
            // The verdict comes first: `ok. 3 passed; 0 failed; 1 ignored; …; finished in 0.01s`.
            let (_verdict, counts) = counts.split_once(". ")?;
            return Some(Self::from_counts(counts.split(';')));
        }
        if line.trim_start().starts_with("Summary [") {
            // `Summary [ 0.04s] 12 tests run: 10 passed (1 slow, 1 leaky), 2 failed, 1 skipped`
            let (_total, counts) = line.split_once(" run: ")?;
            return Some(Self::from_counts(without_brackets(counts).split(',')));
        }
        // `# pass 3`, or with another sign before it when Node writes for people.
        if let Some(count) = line.strip_prefix("# ").or_else(|| line.strip_prefix("ℹ ")) {
            let (what, number) = count.trim_end().split_once(' ')?;
            let number = number.parse().ok()?;
            let mut tally = Self::default();
            match what {
                "pass" => tally.passed = number,
                "fail" | "cancelled" => tally.failed = number,
                "skipped" | "todo" => tally.skipped = number,
                _ => return None,
            }
            return Some(tally);
        }
        // `3 failed, 10 passed, 1 skipped in 0.12s`, between signs of equality when pytest is not quiet.
        let (counts, time) = line.trim_matches(['=', ' ', '\n']).rsplit_once(" in ")?;
        let is_time = time.starts_with(|c: char| c.is_ascii_digit());
        let is_count = |count: &str| {
            count.split_once(' ').is_some_and(|(number, word)| {
                number.parse::<u64>().is_ok() && word.chars().all(char::is_alphabetic)
            })
        };
        (is_time && counts.split(", ").all(is_count)).then(|| Self::from_counts(counts.split(',')))
    }

    fn from_counts<'a>(counts: impl Iterator<Item = &'a str>) -> Self {
        let mut tally = Self::default();
        for count in counts {
            let Some((number, what)) = count.trim().split_once(' ') else {
                continue;
            };
            let Ok(number) = number.parse::<u64>() else {
                continue;
            };
            match what.trim() {
                "passed" => tally.passed += number,
                "failed" | "exec failed" | "timed out" | "error" | "errors" => {
                    tally.failed += number;
                }
                "ignored" | "skipped" => tally.skipped += number,
                _ => {}
            }
        }
        tally
    }
}

/// The text outside of round brackets, which hold remarks on the count before them.
fn without_brackets(text: &str) -> String {
    let mut depth = 0_u32;
    text.chars()
        .filter(|&c| {
            let was_inside = depth > 0;
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            !was_inside && c != '('
        })
        .collect()
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            passed,
            failed,
            skipped,
        } = self;
        write!(f, "{passed} passed, {failed} failed, {skipped} skipped")
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[track_caller]
    fn check(line: &str, expected: Option<(u64, u64, u64)>) {
        let expected = expected.map(|(passed, failed, skipped)| Tally {
            passed,
            failed,
            skipped,
        });
        assert_eq!(Tally::from_summary(line), expected);
    }

    #[test]
    fn reads_libtest() {
        check(
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 7 filtered out; finished in 0.01s",
            Some((3, 0, 1)),
        );
        check(
            "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out",
            Some((1, 2, 0)),
        );
    }

    #[test]
    fn reads_nextest() {
        check(
            "     Summary [   0.005s] 1 test run: 1 passed, 0 skipped",
            Some((1, 0, 0)),
        );
        check(
            "     Summary [  61.044s] 12 tests run: 8 passed (1 slow, 1 leaky), 2 failed, 1 exec failed, 1 timed out, \
                4 skipped",
            Some((8, 4, 4)),
        );
        check(
            "     Summary [   1.000s] 3/10 tests run: 2 passed, 1 failed, 0 skipped",
            Some((2, 1, 0)),
        );
    }

    #[test]
    fn reads_pytest() {
        check("12 passed in 0.31s\n", Some((12, 0, 0)));
        check(
            "3 failed, 10 passed, 2 skipped, 1 warning, 1 error in 62.04s (0:01:02)",
            Some((10, 4, 2)),
        );
        check(
            "===== 1 passed, 4 deselected in 1.20s =====",
            Some((1, 0, 0)),
        );
        check("the game was passed in 3 moves", None);
    }

    #[test]
    fn reads_node() {
        check("# pass 12\n", Some((12, 0, 0)));
        check("# fail 2\n", Some((0, 2, 0)));
        check("ℹ cancelled 1\n", Some((0, 1, 0)));
        check("ℹ skipped 3\n", Some((0, 0, 3)));
        check("# tests 15\n", None);
        check("# Subtest: pass 3 moves\n", None);
    }

    #[test]
    fn leaves_other_lines_alone() {
        check("running 3 tests", None);
        check("test reads_libtest ... ok", None);
        check("test result: ", None);
        check(
            "    test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured",
            None,
        );
        check("", None);
    }

    #[test]
    fn prints_itself() {
        let tally = Tally {
            passed: 41,
            failed: 0,
            skipped: 2,
        };
        assert_eq!(tally.to_string(), "41 passed, 0 failed, 2 skipped");
    }
}

//! How long single tests took, as their runners say.

use std::cell::RefCell;

/// A test and its wall-clock time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TestTime {
    pub(crate) name: String,
    pub(crate) seconds: f64,
}

thread_local! {
    /// The tests of the step that this thread runs.
    static OF_STEP: RefCell<TestTimes> = RefCell::default();
}

/// The tests of a run.
#[derive(Default)]
pub(crate) struct TestTimes {
    tests: Vec<TestTime>,
    /// The test that Node has named and whose time follows.
    named: Option<String>,
}

impl TestTimes {
    /// Reads a line of a test runner. Returns whether the line says nothing but that one test has passed.
    pub(crate) fn read(&mut self, line: &str) -> bool {
        let line = line.trim_end();
        if let Some((is_pass, test)) = from_nextest(line) {
            self.tests.push(test);
            return is_pass;
        }
        if let Some(test) = from_pytest(line).or_else(|| from_node_spec(line)) {
            self.tests.push(test);
        } else if let Some(name) = name_in_tap(line) {
            self.named = Some(name.to_owned());
        } else if let Some(seconds) = time_in_tap(line)
            && let Some(name) = self.named.take()
        {
            self.tests.push(TestTime { name, seconds });
        }
        false
    }

    /// Adds the tests to those of the step that runs on this thread.
    pub(crate) fn keep(self) {
        OF_STEP.with_borrow_mut(|step| step.tests.extend(self.tests));
    }

    /// The tests of the step that ran on this thread.
    pub(crate) fn take() -> Self {
        OF_STEP.take()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &TestTime> {
        self.tests.iter()
    }
}

/// `        PASS [   0.512s] (  3/900) tengen-core::it rules::suicide`, or without the number of the test. The flag
/// says whether it passed.
fn from_nextest(line: &str) -> Option<(bool, TestTime)> {
    let (word, rest) = line.trim_start().split_once(" [")?;
    let (time, name) = rest.split_once("s] ")?;
    if word.contains(' ') {
        return None;
    }
    let seconds = time.trim().parse().ok()?;
    let name = name.trim_start();
    let name = match name.strip_prefix('(') {
        Some(numbered) => numbered.split_once(") ")?.1,
        None => name,
    };
    let is_pass = match word {
        "PASS" => true,
        "FAIL" => false,
        _ => return None,
    };
    let name = name.trim_start().to_owned();
    Some((is_pass, TestTime { name, seconds }))
}

/// `1.23s call     python/tests/test_ray.py::test_pool`, from `--durations`.
fn from_pytest(line: &str) -> Option<TestTime> {
    let (time, rest) = line.split_once("s call ")?;
    Some(TestTime {
        name: rest.trim().to_owned(),
        seconds: time.trim().parse().ok()?,
    })
}

/// `✔ a stone is drawn (123.4ms)`
fn from_node_spec(line: &str) -> Option<TestTime> {
    let rest = line
        .strip_prefix("✔ ")
        .or_else(|| line.strip_prefix("✖ "))?;
    let (name, time) = rest.rsplit_once(" (")?;
    let milliseconds: f64 = time.strip_suffix("ms)")?.parse().ok()?;
    Some(TestTime {
        name: name.to_owned(),
        seconds: milliseconds / 1000.0,
    })
}

/// `ok 3 - a stone is drawn`
fn name_in_tap(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("not ").unwrap_or(line);
    let (number, name) = rest.strip_prefix("ok ")?.split_once(" - ")?;
    number.parse::<u32>().ok()?;
    Some(name)
}

/// `  duration_ms: 12.5`
fn time_in_tap(line: &str) -> Option<f64> {
    let milliseconds: f64 = line.strip_prefix("  duration_ms: ")?.parse().ok()?;
    Some(milliseconds / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::TestTimes;

    fn read(lines: &[&str]) -> Vec<(String, f64)> {
        let mut times = TestTimes::default();
        for line in lines {
            times.read(line);
        }
        let tests = times.tests.into_iter();
        tests.map(|test| (test.name, test.seconds)).collect()
    }

    #[test]
    fn all_runners_are_understood() {
        let lines = [
            "        PASS [   0.512s] tengen-core::it rules::suicide\n",
            "        PASS [   2.000s] (  3/900) tengen-core rules::tests::ko\n",
            "        FAIL [  61.000s] (  4/900) tengen bench\n",
            "        SLOW [> 60.000s] tengen-core::it census\n",
            "     Summary [   0.005s] 1 test run: 1 passed, 0 skipped\n",
            "1.23s call     python/tests/test_ray.py::test_pool\n",
            "0.50s setup    python/tests/test_ray.py::test_pool\n",
            "✔ a stone (the first) is drawn (123.5ms)\n",
            "ok 3 - a clock runs\n",
            "  ---\n",
            "  duration_ms: 1500.0\n",
            "# duration_ms 9000\n",
        ];
        let named = |name: &str, seconds| (name.to_owned(), seconds);
        assert_eq!(
            read(&lines),
            [
                named("tengen-core::it rules::suicide", 0.512),
                named("tengen-core rules::tests::ko", 2.0),
                named("tengen bench", 61.0),
                named("python/tests/test_ray.py::test_pool", 1.23),
                named("a stone (the first) is drawn", 0.1235),
                named("a clock runs", 1.5),
            ]
        );
    }

    #[test]
    fn only_a_test_that_passed_goes_without_saying() {
        let mut times = TestTimes::default();
        assert!(times.read("        PASS [   0.512s] tengen-core::it rules::suicide\n"));
        assert!(!times.read("        FAIL [   0.512s] tengen-core::it rules::suicide\n"));
        assert!(!times.read("   Compiling tengen-core v0.1.0\n"));
        assert!(!times.read("ok 3 - a clock runs\n"));
    }
}

//! CHANGELOG.md in the form of "Keep a Changelog": a section a version, newest first, and kinds of changes in each.

const KINDS: [&str; 6] = [
    "Added",
    "Changed",
    "Deprecated",
    "Removed",
    "Fixed",
    "Security",
];

/// What is wrong with its form.
pub(super) fn problems(text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let mut sections = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(section) = line.strip_prefix("## ") {
            if !is_section(section) {
                problems.push(format!(
                    "CHANGELOG.md:{number}: {section:?} is neither [Unreleased] nor like [1.2.3] - 2030-01-31"
                ));
            }
            sections.push(section.to_owned());
        } else if let Some(kind) = line.strip_prefix("### ") {
            if sections.is_empty() {
                problems.push(format!("CHANGELOG.md:{number}: {kind:?} is of no version"));
            }
            if !KINDS.contains(&kind) {
                problems.push(format!(
                    "CHANGELOG.md:{number}: {kind:?} is no kind of change"
                ));
            }
        }
    }
    if sections
        .first()
        .is_none_or(|section| section != "[Unreleased]")
    {
        problems.push("CHANGELOG.md does not begin with [Unreleased]".to_owned());
    }
    problems
}

/// Has it a section for a version?
pub(super) fn has(text: &str, version: &str) -> bool {
    let start = format!("## [{version}] - ");
    text.lines().any(|line| line.starts_with(&start))
}

fn is_section(section: &str) -> bool {
    if section == "[Unreleased]" {
        return true;
    }
    let numbers = |text: &str, separator: char, count: usize| {
        let parts: Vec<&str> = text.split(separator).collect();
        let is_number =
            |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        parts.len() == count && parts.iter().all(is_number)
    };
    let Some((version, date)) = section.split_once("] - ") else {
        return false;
    };
    let version = version.strip_prefix('[').unwrap_or_default();
    numbers(version, '.', 3) && numbers(date, '-', 3) && date.len() == 10
}

#[cfg(test)]
mod tests {
    use super::{has, problems};

    const GOOD: &str = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A.\n\n## [1.2.3] - 2030-01-31\n\n### Fixed\n";

    #[test]
    fn the_usual_form_has_no_problems() {
        assert_eq!(problems(GOOD), [""; 0]);
        assert!(has(GOOD, "1.2.3"));
        assert!(!has(GOOD, "1.2.4") && !has(GOOD, "Unreleased"));
    }

    #[test]
    fn other_forms_are_told() {
        for wrong in [
            GOOD.replace("[Unreleased]", "Unreleased"),
            GOOD.replace("### Added", "### New"),
            GOOD.replace("2030-01-31", "31 January"),
            GOOD.replace("[1.2.3]", "1.2.3"),
            GOOD.replace("## [Unreleased]\n", ""),
        ] {
            assert!(!problems(&wrong).is_empty(), "{wrong}");
        }
    }
}

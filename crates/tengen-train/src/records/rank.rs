//! Ranks as records write them.

/// A rank as a number: 30 kyu is -29, 1 kyu 0, 1 dan 1, 9 dan 9, 1 professional dan 10.
///
/// The first number counts, and what follows it: `5d`, `5 dan`, `5段`, `9p`, `3k`, `3級`, `12k?`.
pub(crate) fn rank(text: &str) -> Option<i32> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let digits: String = text[start..]
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    let number: i32 = digits
        .parse()
        .ok()
        .filter(|number| (1..=30).contains(number))?;
    let kind = text[start + digits.len()..].trim_start().to_lowercase();
    let is = |names: &[&str]| names.iter().any(|name| kind.starts_with(name));
    if is(&["p"]) {
        Some(9 + number)
    } else if is(&["d", "段"]) {
        Some(number)
    } else if is(&["k", "g", "级", "級", "급"]) {
        Some(1 - number)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::rank;

    #[test]
    fn ranks_are_read_as_people_write_them() {
        for (text, wanted) in [
            ("9d", Some(9)),
            ("5 dan", Some(5)),
            ("9段", Some(9)),
            ("1p", Some(10)),
            ("3k?", Some(-2)),
            ("18 kyu", Some(-17)),
            ("1級", Some(0)),
            ("P9段", Some(9)),
            ("strong", None),
            ("99d", None),
            ("", None),
        ] {
            assert_eq!(rank(text), wanted, "{text}");
        }
    }
}

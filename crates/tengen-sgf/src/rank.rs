//! Ranks as people write them.

/// A rank such as `9DP`, `7단`, `九段`, `2段` or `10K*` in the usual form: `9p`, `7d`, `9d`, `2d`, `10k`; `None` if it
/// is none.
///
/// ```
/// use tengen_sgf::read_rank;
/// assert_eq!(read_rank("P9段").as_deref(), Some("9p"));
/// assert_eq!(read_rank("3 dan").as_deref(), Some("3d"));
/// assert_eq!(read_rank("strong"), None);
/// ```
pub fn read_rank(text: &str) -> Option<String> {
    let text = text.trim().trim_end_matches(['*', '?']).to_lowercase();
    let professional = ["职业", "職業", "プロ", "프로", "pro", "p"]
        .iter()
        .find_map(|word| text.strip_prefix(word));
    let rest = professional.unwrap_or(&text).trim();
    // A numeral of three bytes.
    let number = match rest.chars().next()? {
        '初' | '초' => Some(1),
        first => "一二三四五六七八九"
            .chars()
            .position(|c| c == first)
            .map(|place| place + 1),
    };
    let digits = match number {
        Some(number) => number.to_string() + rest.get(3..)?,
        None => rest.to_owned(),
    };
    let rank = plain_rank(&digits)?;
    match professional {
        Some(_) => rank
            .strip_suffix(['d', 'p'])
            .map(|number| format!("{number}p")),
        None => Some(rank),
    }
}

/// A rank that says plainly what it is: a number and a unit.
pub(crate) fn plain_rank(text: &str) -> Option<String> {
    let text = text.trim().trim_end_matches('*').to_lowercase();
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let number: u8 = text[..text.len() - unit.len()].parse().ok()?;
    let letter = match unit.trim() {
        "k" | "kyu" | "급" | "級" | "级" => 'k',
        "d" | "dan" | "단" | "段" => 'd',
        "p" | "dp" | "단p" | "段p" | "pro" | "프로" => 'p',
        _ => return None,
    };
    (1..=40)
        .contains(&number)
        .then(|| format!("{number}{letter}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_come_in_many_spellings() {
        for (text, expected) in [
            ("9p", Some("9p")),
            ("9段", Some("9d")),
            ("九段", Some("9d")),
            ("职业九段", Some("9p")),
            ("初段", Some("1d")),
            ("4 kyu", Some("4k")),
            ("18k?", Some("18k")),
            ("6 Dan", Some("6d")),
            ("P7段", Some("7p")),
            ("0k", None),
            ("99d", None),
            ("", None),
            ("p", None),
            ("段", None),
        ] {
            assert_eq!(read_rank(text).as_deref(), expected, "{text}");
        }
    }
}

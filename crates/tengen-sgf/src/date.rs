//! Dates as records write them.

use crate::foreign::iso_date;

/// More dates than this has no game.
const MOST: usize = 100;

/// The dates of a game as ISO 8601 writes them, as far as the record tells: a day, a month or a year each.
///
/// `FF[4]` separates them with commas and leaves out what is the same as before; people write them in other ways too.
///
/// ```
/// use tengen_sgf::read_dates;
/// assert_eq!(read_dates("1996-12-27,28,1997-01-03"), ["1996-12-27", "1996-12-28", "1997-01-03"]);
/// assert_eq!(read_dates("2012年11月22日"), ["2012-11-22"]);
/// assert!(read_dates("last summer").is_empty());
/// ```
pub fn read_dates(text: &str) -> Vec<String> {
    let mut dates: Vec<String> = Vec::new();
    for part in text.split(',').take(MOST) {
        let last = dates.last().map(String::as_str);
        match read(part.trim(), last) {
            Some(date) => dates.push(date),
            None => {
                // Whatever it is, it is not the list that the format knows.
                return iso_date(text).into_iter().collect();
            }
        }
    }
    dates
}

/// A date, or what differs from the date before.
fn read(part: &str, last: Option<&str>) -> Option<String> {
    let numbers: Vec<&str> = part.split('-').map(str::trim).collect();
    let is_number = |number: &&str| number.bytes().all(|byte| byte.is_ascii_digit());
    if !numbers.iter().all(is_number) {
        return None;
    }
    let two = |number: &str, most: u8| -> Option<String> {
        let value: u8 = number.parse().ok()?;
        (1..=most).contains(&value).then(|| format!("{value:02}"))
    };
    let before = |length: usize| last.filter(|last| last.len() >= length)?.get(..length);
    match numbers[..] {
        [year, month, day] if year.len() == 4 => {
            Some(format!("{year}-{}-{}", two(month, 12)?, two(day, 31)?))
        }
        [year, month] if year.len() == 4 => Some(format!("{year}-{}", two(month, 12)?)),
        [year] if year.len() == 4 => Some(year.to_owned()),
        [month, day] => Some(format!(
            "{}-{}-{}",
            before(4)?,
            two(month, 12)?,
            two(day, 31)?
        )),
        // A day behind a day, a month behind a month.
        [number] => match last?.len() {
            10 => Some(format!("{}-{}", before(7)?, two(number, 31)?)),
            7 => Some(format!("{}-{}", before(4)?, two(number, 12)?)),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_the_format_shortens_them() {
        for (text, expected) in [
            ("1996", &["1996"][..]),
            ("1996-05", &["1996-05"]),
            ("1996-05,06", &["1996-05", "1996-06"]),
            (
                "1996-05-06,07,08",
                &["1996-05-06", "1996-05-07", "1996-05-08"],
            ),
            ("1996-12-27,1997-01-03", &["1996-12-27", "1997-01-03"]),
            ("1996-12-27,01-03", &["1996-12-27", "1996-01-03"]),
            ("2011-1-5", &["2011-01-05"]),
            ("20170316 [09:37]", &["2017-03-16"]),
            ("2015/8/29", &["2015-08-29"]),
            ("", &[]),
            ("1996-13-01", &[]),
            ("28", &[]),
        ] {
            assert_eq!(read_dates(text), expected, "{text}");
        }
    }
}

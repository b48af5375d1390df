//! Komi as files write it.

use tengen_core::Komi;

use crate::diagnostic::Severity;

/// What a komi property means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KomiReading {
    /// The komi, or `None` if the file does not say.
    pub(crate) komi: Option<Komi>,
    /// How it was read, where that was not simply as it stands.
    pub(crate) remark: Option<String>,
    /// How bad that is: another way to write a number is not.
    pub(crate) severity: Severity,
}

/// Reads komi as Fox, Tygem and others write it.
///
/// Servers write hundredths (`650`), Chinese ones also half of it, since they count stones and not points (`3.75`,
/// `375`).
pub(crate) fn read_komi(raw: &str) -> KomiReading {
    let raw = raw.trim();
    if let Ok(komi) = raw.parse::<Komi>()
        && komi.halves().abs() < 200
    {
        let written = komi.to_string();
        return KomiReading {
            komi: Some(komi),
            remark: (raw != written).then(|| format!("komi `{raw}`: read as {written}")),
            severity: Severity::Note,
        };
    }
    if raw.is_empty() {
        return KomiReading {
            komi: None,
            remark: Some("komi is empty: not known".to_owned()),
            severity: Severity::Warning,
        };
    }
    let number: String = raw
        .replace(',', ".")
        .chars()
        .skip_while(|c| !c.is_ascii_digit() && !matches!(c, '-' | '+' | '.'))
        .take_while(|c| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))
        .collect();
    let komi = hundredths(&number).and_then(|written| {
        // Nobody gives a hundred points: such numbers are hundredths.
        let hundredths = if written.abs() >= 10_000 {
            written / 100
        } else {
            written
        };
        let doubled = if hundredths % 50 == 0 {
            hundredths
        } else {
            2 * hundredths
        };
        let halves = i16::try_from(doubled / 50).ok()?;
        (doubled % 50 == 0 && halves.abs() < 200).then(|| Komi::from_halves(halves))
    });
    KomiReading {
        komi,
        remark: Some(match komi {
            Some(komi) => format!("komi `{raw}`: read as {komi}"),
            None => format!("komi `{raw}` is no number of points: left out"),
        }),
        severity: Severity::Warning,
    }
}

/// A decimal number in hundredths; further digits are cut off.
fn hundredths(text: &str) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |part: &str| part.len() < 10 && part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() + fraction.len() == 0 || !is_number(whole) || !is_number(fraction) {
        return None;
    }
    let whole: i64 = if whole.is_empty() {
        0
    } else {
        whole.parse().ok()?
    };
    let cents: i64 = format!("{fraction:0<2}")[..2].parse().ok()?;
    Some(sign * (100 * whole + cents))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn komi_of_the_servers() {
        for (raw, expected) in [
            ("6.5", Some("6.5")),
            ("6.50", Some("6.5")),
            ("0", Some("0")),
            ("-5.5", Some("-5.5")),
            ("375", Some("7.5")),
            ("3.75", Some("7.5")),
            ("2.75", Some("5.5")),
            ("325", Some("6.5")),
            ("650", Some("6.5")),
            ("750", Some("7.5")),
            ("6,5", Some("6.5")),
            ("6.5目", Some("6.5")),
            ("黑贴3.75子", Some("7.5")),
            ("", None),
            ("none", None),
            ("6.3", None),
            ("99999999999999999999", None),
            ("..", None),
        ] {
            let read = read_komi(raw).komi.map(|komi| komi.to_string());
            assert_eq!(read.as_deref(), expected, "{raw}");
        }
        assert_eq!(read_komi(" 7.5 ").remark, None);
        assert!(read_komi("375").remark.is_some());
    }
}

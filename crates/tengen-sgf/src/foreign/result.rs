//! Results as servers word them, in English, Korean, Chinese, Japanese and Thai.

const BLACK: &[&str] = &["black", "흑", "黑", "黒", "ดำ"];
const WHITE: &[&str] = &["white", "백", "白", "ขาว"];
const LOSS: &[&str] = &["lose", "lost", "패", "负", "負け", "敗", "败"];
const RESIGNATION: &[&str] = &[
    "resi", "불계", "中盘", "中盤", "中押", "认输", "認輸", "投了",
];
const TIME: &[&str] = &["time", "시간", "时间", "時間", "超时", "超時", "切れ"];
const FORFEIT: &[&str] = &[
    "forfeit", "기권", "반칙", "실격", "弃权", "棄權", "棄権", "反則",
];
/// Whoever has left the game has forfeited it.
const DISCONNECTION: &[&str] = &[
    "disconnect",
    "offline",
    "connection",
    "left the game",
    "escape",
    "접속",
    "연결",
    "끊",
    "断线",
    "斷線",
    "断開",
    "断开",
    "掉线",
    "掉線",
    "离线",
    "離線",
    "强退",
    "強退",
    "逃跑",
    "接続",
    "切断",
    "回線",
];
const DRAW: &[&str] = &[
    "draw",
    "jigo",
    "무승부",
    "빅",
    "和棋",
    "平局",
    "持碁",
    "ジゴ",
];
const VOID: &[&str] = &["no result", "void", "무효", "無勝負", "无胜负"];

/// The value of `RE` that a text means.
///
/// The margin is the first number after the colour. Before it stands the number of moves, after `>>` the count.
pub(crate) fn read(text: &str) -> Option<String> {
    let text = text.split(">>").next()?.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let find = |words: &[&str]| {
        let places = words
            .iter()
            .filter_map(|word| text.find(word).map(|at| at + word.len()));
        places.min()
    };
    if has(VOID) {
        return Some("Void".to_owned());
    }
    let (first, rest) = match (find(BLACK), find(WHITE)) {
        (Some(black), white) if white.is_none_or(|white| black < white) => ("B", &text[black..]),
        (_, Some(white)) => ("W", &text[white..]),
        _ if has(DRAW) => return Some("0".to_owned()),
        _ => return None,
    };
    let winner = match (first, has(LOSS)) {
        ("B", false) | ("W", true) => 'B',
        _ => 'W',
    };
    let manner = if has(RESIGNATION) {
        "R".to_owned()
    } else if has(FORFEIT) || has(DISCONNECTION) {
        "F".to_owned()
    } else if has(TIME) {
        "T".to_owned()
    } else if let Some(margin) = margin(rest) {
        margin
    } else if has(DRAW) {
        return Some("0".to_owned());
    } else if text.contains("win")
        || text.contains('승')
        || text.contains('胜')
        || text.contains('勝')
    {
        String::new()
    } else {
        return None;
    };
    Some(format!("{winner}+{manner}"))
}

/// Points such as `8.5`, `11`, `2目半`, `반집`, or stones such as `3又3/4子`, worth two points each.
fn margin(text: &str) -> Option<String> {
    let half = text.contains('半') || text.contains('반');
    let start = text.find(|c: char| c.is_ascii_digit());
    let Some(start) = start else {
        return half.then(|| "0.5".to_owned());
    };
    let number = |text: &str| {
        let end = text
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(text.len());
        let value = text[..end].trim_end_matches('.').parse::<f64>().ok()?;
        Some((value, end))
    };
    let (mut value, end) = number(&text[start..])?;
    let rest = &text[start + end..];
    if let Some(rest) = rest.strip_prefix('/') {
        value = 2.0 * value / number(rest)?.0;
    } else if let Some(rest) = rest.strip_prefix('又') {
        let (numerator, end) = number(rest)?;
        let (denominator, _) = number(rest[end..].strip_prefix('/')?)?;
        value = 2.0 * (value + numerator / denominator);
    } else if half && value.fract() == 0.0 {
        value += 0.5;
    }
    points(value)
}

/// A number of points as SGF writes it; nothing for what no game can end with.
pub(super) fn points(value: f64) -> Option<String> {
    (value > 0.0 && value < 1000.0).then(|| format!("{value}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_in_every_language() {
        for (text, expected) in [
            ("white 8.5 win", "W+8.5"),
            ("Black wins by 0.5!", "B+0.5"),
            ("White wins by  resign!", "W+R"),
            ("Black Win by Resign!", "B+R"),
            ("White loses on time", "B+T"),
            ("White 19Win  >> White(83):Black(64)", "W+19"),
            (
                "Black wins by 16.50 points! >> White(66):Black(89)",
                "B+16.5",
            ),
            ("흑 불계승", "B+R"),
            ("백 시간승", "W+T"),
            ("흑 시간패", "W+T"),
            ("흑 1.5집 승", "B+1.5"),
            ("백 반집승", "W+0.5"),
            ("흑 6집반 승", "B+6.5"),
            ("백 기권승", "W+F"),
            ("白11目胜", "W+11"),
            ("黑中盘胜(现场消息)", "B+R"),
            ("白時間勝", "W+T"),
            ("黑胜3又3/4子", "B+7.5"),
            ("白胜1/4子", "W+0.5"),
            ("197手完、黒中押し勝ち", "B+R"),
            ("232手完、黒2目半勝ち", "B+2.5"),
            ("白5.5目勝ち!", "W+5.5"),
            ("ดำชนะด้วยแต้ม!7.5 >> ขาว(63):ดำ(77)", "B+7.5"),
            ("무승부", "0"),
            ("無勝負", "Void"),
            ("黑胜", "B+"),
            ("White wins by disconnection!", "W+F"),
            ("Black disconnected, lost", "W+F"),
            ("백 접속끊김 승", "W+F"),
            ("흑 접속끊김 패", "W+F"),
            ("白断线胜", "W+F"),
            ("黑掉线负", "W+F"),
            ("黒の接続切れ負け", "W+F"),
        ] {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_result_is_none() {
        for text in [
            "",
            "Progressing!",
            "흑",
            "black",
            "12345",
            "又/子",
            "黑1/0子",
            "黑9又",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}

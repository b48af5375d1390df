//! Writes varied records into a folder, for the comparison with other programs in `tests/peers`:
//! `cargo run --example generate -- FOLDER COUNT`.

use std::path::PathBuf;

use encoding_rs::Encoding;
use tengen_sgf::{Collection, NodeId};

/// The encodings that files declare, and letters that they have; the last two with bytes that are brackets in ASCII.
const ENCODINGS: [(&str, &str); 12] = [
    ("UTF-8", "天元 本因坊 이창호 ü é Щ 𝟙 “”"),
    ("UTF-8", "plain letters only"),
    ("ISO-8859-1", "äöüß éèê ñ ÅØ ½"),
    ("GB2312", "围棋 黑胜 中国 李昌镐"),
    ("GB18030", "围棋 黑勝 中國 璃 朗"),
    ("Big5", "圍棋 黑勝 白"),
    ("Shift_JIS", "囲碁 本因坊 秀策"),
    ("EUC-JP", "囲碁 本因坊 秀策"),
    ("EUC-KR", "바둑 이창호 한국"),
    ("windows-1251", "Го Иванов Партия"),
    ("Big5", "功 許 蓋"),
    ("Shift_JIS", "表 ソ 能 ー"),
];

/// The sequence of numbers that a seed begins (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(count)) = (arguments.next(), arguments.next()) else {
        return Err("give a folder and the number of files".into());
    };
    let folder = PathBuf::from(folder);
    std::fs::create_dir_all(&folder)?;
    for number in 0..count.parse()? {
        let mut random = Random(number);
        let (encoding, letters) = ENCODINGS[random.below(ENCODINGS.len())];
        let games = games(&mut random, encoding, letters);
        let text = loosen(&games.to_string(), &mut random);
        let encoder =
            Encoding::for_label(encoding.as_bytes()).ok_or("an encoding has no encoder")?;
        let (bytes, _, lossy) = encoder.encode(&text);
        if lossy {
            return Err(format!("{encoding} lacks a letter of {letters:?}").into());
        }
        std::fs::write(folder.join(format!("{number:04}.sgf")), bytes)?;
    }
    Ok(())
}

fn games(random: &mut Random, encoding: &str, letters: &str) -> Collection {
    let mut games = Collection::new();
    let several = if random.one_in(10) {
        1 + random.below(4)
    } else {
        1
    };
    for _ in 0..several {
        let size = [9, 13, 19, 19, 19, 21][random.below(6)];
        let root = games.add_root();
        games.push_property(root, "FF", ["4"]);
        games.push_property(root, "GM", ["1"]);
        games.push_property(root, "CA", [encoding]);
        games.push_property(root, "SZ", [size.to_string()]);
        games.push_property(root, "AP", ["tengen:1.0"]);
        for name in ["PB", "PW", "EV", "GN", "RO"] {
            if random.one_in(2) {
                games.push_property(root, name, [line(random, letters)]);
            }
        }
        if random.one_in(3) {
            games.push_property(root, "KM", [random.pick(&["6.5", "0", "-5.5", "7"])]);
        }
        if random.one_in(3) {
            games.push_property(root, "AB", ["aa:cc", "dd", "ee"]);
            games.push_property(root, "AW", ["ga:hb", "hh"]);
        }
        let mut nodes = vec![root];
        for turn in 0..random.below(80) {
            let parent = if random.one_in(6) {
                random.below(nodes.len())
            } else {
                nodes.len() - 1
            };
            let node = games.add_child(nodes[parent]);
            let color = if turn.is_multiple_of(2) { "B" } else { "W" };
            add_turn(&mut games, node, (color, size), random, letters);
            nodes.push(node);
        }
    }
    games
}

fn add_turn(
    games: &mut Collection,
    node: NodeId,
    turn: (&str, usize),
    random: &mut Random,
    letters: &str,
) {
    let (color, size) = turn;
    let point = |random: &mut Random| {
        let letter = |line: usize| char::from(b'a' + line as u8);
        format!(
            "{}{}",
            letter(random.below(size)),
            letter(random.below(size))
        )
    };
    if random.one_in(20) {
        let name = random.pick(&["AB", "AW", "AE"]);
        games.push_property(node, name, [point(random)]);
        games.push_property(node, "PL", [random.pick(&["B", "W"])]);
    } else {
        let place = match random.below(40) {
            0 => String::new(),
            1 if size <= 19 => "tt".to_owned(),
            _ => point(random),
        };
        games.push_property(node, color, [place]);
    }
    if random.one_in(4) {
        let lines: Vec<_> = (0..1 + random.below(4))
            .map(|_| line(random, letters))
            .collect();
        games.push_property(
            node,
            "C",
            [lines.join(random.pick(&["\n", "\r\n", "\n\n", "\t"]))],
        );
    }
    if random.one_in(8) {
        games.push_property(
            node,
            "LB",
            [format!("aa:{}", line(random, letters)), "bb:1".to_owned()],
        );
    }
    if random.one_in(8) {
        let name = random.pick(&["TR", "SQ", "TB", "MA"]);
        games.push_property(node, name, ["aa:cb", "dd"]);
    }
    if random.one_in(12) {
        games.push_property(node, "XQUITELONGNAME", [line(random, letters)]);
    }
}

/// A line of words, some with characters that are escaped in files.
fn line(random: &mut Random, letters: &str) -> String {
    let words: Vec<_> = letters.split(' ').collect();
    let others = ["]", "\\", "a:b", "(;", "[1]", "hane", "C:\\", "\\]", ""];
    let count = 1 + random.below(8);
    let word = |_| {
        if random.one_in(3) {
            random.pick(&others)
        } else {
            random.pick(&words)
        }
    };
    (0..count).map(word).collect::<Vec<_>>().join(" ")
}

/// Puts white space between values, and line breaks and escapes that mean nothing into them, as some programs do.
fn loosen(text: &str, random: &mut Random) -> String {
    if random.one_in(2) {
        return text.to_owned();
    }
    let mut loose = String::new();
    let mut inside = false;
    let mut escaped = false;
    for character in text.chars() {
        if !inside && matches!(character, '(' | ')' | ';' | '[') && random.one_in(8) {
            loose.push_str(random.pick(&[" ", "\n", "\r\n", "\t", "  \n "]));
        }
        // Letters of a text only: points and numbers have no escapes.
        if inside && !escaped && !character.is_ascii() && random.one_in(10) {
            loose.push_str(random.pick(&["\\\n", "\\\r\n", "\\"]));
        }
        loose.push(character);
        match character {
            _ if escaped => escaped = false,
            '\\' if inside => escaped = true,
            '[' => inside = true,
            ']' if inside => inside = false,
            _ => {}
        }
    }
    loose
}

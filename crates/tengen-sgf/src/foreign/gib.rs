//! GIB, the records of Tygem.
//!
//! A header of `\[KEY=value\]` between `\HS` and `\HE`, then the game between `\GS` and `\GE`: first
//! `INI 0 1 handicap &4comment`, then stones as `STO 0 number player x y` and passes as `SKI 0 number`. Moves count
//! from 2, players are 1 and 2, points go from the top left.

use std::collections::BTreeMap;

use tengen_core::{Color, Point, Size};

use super::draft::{Draft, OpenCorner, ROOT};
use super::{Converted, ForeignError, Format, iso_date, numbered_lines, rank, result};

pub(super) fn to_sgf(text: &str) -> Result<Converted, ForeignError> {
    let size = Size::square(19).expect("19 is a size");
    let mut draft = Draft::new(size);
    let mut header = Header::default();
    let mut moves = Vec::new();
    let mut handicap = 0;
    for (line, text) in numbered_lines(text) {
        let text = text.trim();
        if header.read(line, text) {
            continue;
        }
        let (words, comment) = match text.split_once("&4") {
            Some((words, comment)) => (words, comment.trim()),
            None => (text, ""),
        };
        let words: Vec<&str> = words.split_ascii_whitespace().collect();
        match words[..] {
            ["INI", _, _, stones, ..] => {
                match stones.parse() {
                    Ok(stones @ 0..=9) => handicap = stones,
                    _ => draft.note(line, format!("`{stones}` is no handicap")),
                }
                draft.append_text(ROOT, "C", comment);
            }
            ["STO", _, _, player, x, y, ..] => match (color(player), point(x, y, size)) {
                (Some(color), Some(point)) => {
                    moves.push((Some(color), Some(point), comment.to_owned()));
                }
                _ => draft.note(line, format!("`{text}` is no move")),
            },
            ["SKI", ref rest @ ..] => {
                let player = rest.get(2).and_then(|player| color(player));
                moves.push((player, None, comment.to_owned()));
            }
            // The two lines before `INI` count the moves.
            [] | ["\\HS" | "\\HE" | "\\GS" | "\\GE"] => {}
            [first, ..] if moves.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit()) => {}
            _ => draft.note(line, format!("`{text}` was not understood and left out")),
        }
    }
    if header.tags.is_empty() && moves.is_empty() {
        return Err(ForeignError::Empty(Format::Gib));
    }
    header.write(&mut draft);
    // One stone is the right to begin and not a stone on the board.
    if handicap >= 2 {
        let played = moves.iter().filter_map(|(_, point, _)| *point);
        draft.add_handicap(size, handicap, OpenCorner::BottomRight, played);
    }
    let mut next = if handicap >= 2 {
        Color::White
    } else {
        Color::Black
    };
    let mut node = ROOT;
    for (player, point, comment) in moves {
        let player = player.unwrap_or(next);
        node = draft.continue_from(node);
        draft.set_move(node, player, point);
        draft.append_text(node, "C", &comment);
        next = !player;
    }
    Ok(draft.finish())
}

fn color(player: &str) -> Option<Color> {
    match player {
        "1" => Some(Color::Black),
        "2" => Some(Color::White),
        _ => None,
    }
}

fn point(x: &str, y: &str, size: Size) -> Option<Point> {
    Point::checked_new(x.parse().ok()?, y.parse().ok()?).filter(|point| size.contains(*point))
}

/// The tags of the header, each with its line.
#[derive(Default)]
struct Header {
    tags: BTreeMap<String, (usize, String)>,
    /// The tag whose value is not closed yet.
    open: Option<String>,
}

impl Header {
    /// Reads `\[KEY=value\]`, or a line of a value that takes several. False if the line is neither.
    fn read(&mut self, line: usize, text: &str) -> bool {
        let (key, part) = match text.strip_prefix("\\[").map(|tag| tag.split_once('=')) {
            Some(Some((key, part))) => {
                self.tags
                    .insert(key.trim().to_owned(), (line, String::new()));
                (key.trim().to_owned(), part)
            }
            Some(None) => return false,
            // A tag that was never closed ends where the next thing begins.
            None => match self.open.take() {
                Some(key)
                    if !["\\", "INI ", "STO "]
                        .iter()
                        .any(|start| text.starts_with(start)) =>
                {
                    (key, text)
                }
                _ => return false,
            },
        };
        let (part, closed) = match part.strip_suffix("\\]") {
            Some(part) => (part, true),
            None => (part, false),
        };
        if let Some((_, value)) = self.tags.get_mut(&key) {
            if !value.is_empty() {
                value.push('\n');
            }
            value.push_str(part.trim());
        }
        self.open = (!closed).then_some(key);
        true
    }

    fn get(&self, key: &str) -> &str {
        self.tags.get(key).map_or("", |(_, value)| value)
    }

    fn line(&self, key: &str) -> usize {
        self.tags.get(key).map_or(1, |(line, _)| *line)
    }

    /// A field such as `GRLT:7` in one of the tags that list them.
    fn field(&self, tag: &str, key: &str) -> Option<&str> {
        self.get(tag).split(',').find_map(|field| {
            let rest = field.trim().strip_prefix(key)?;
            Some(rest.strip_prefix(':').unwrap_or(rest).trim()).filter(|value| !value.is_empty())
        })
    }

    /// The same number stands in up to three places, of which any can be missing.
    fn number(&self, main: &str, letter: &str, tag: &str) -> Option<i32> {
        let places = [
            self.field("GAMEINFOMAIN", &format!("{main}:")),
            self.field("GAMETAG", letter),
            Some(self.get(tag)),
        ];
        places
            .into_iter()
            .flatten()
            .find_map(|value| value.parse().ok())
    }

    fn write(&self, draft: &mut Draft) {
        self.write_player(draft, "BLACK", ["PB", "BR"], ["BUSERINFO", "BID:", "BLV:"]);
        self.write_player(draft, "WHITE", ["PW", "WR"], ["WUSERINFO", "WID:", "WLV:"]);
        draft.set_text(ROOT, "EV", self.get("GAMENAME"));
        draft.set_text(ROOT, "PC", self.get("GAMEPLACE"));
        draft.set_text(ROOT, "AN", self.get("GAMELECNAME"));
        let dates = [self.field("GAMETAG", "C"), Some(self.get("GAMEDATE"))];
        if let Some(date) = dates.into_iter().flatten().find_map(iso_date) {
            draft.set_text(ROOT, "DT", &date);
        }
        self.write_time(draft);
        self.write_komi(draft);
        self.write_result(draft);
        draft.append_text(ROOT, "GC", self.get("GAMECONDITION"));
        draft.append_text(ROOT, "GC", self.get("GAMECOMMENT"));
    }

    /// The name is `name (rank)`; where it has no rank, the level has: 17 is 1 kyu and 18 is 1 dan.
    fn write_player(
        &self,
        draft: &mut Draft,
        color: &str,
        names: [&'static str; 2],
        info: [&str; 3],
    ) {
        let written = self.get(&format!("GAME{color}NAME"));
        let (name, written_rank) = match written.strip_suffix(')').and_then(|s| s.rsplit_once('('))
        {
            Some((name, rank)) => (name, rank),
            None => (written, ""),
        };
        let [tag, id, level] = info;
        let name = if name.is_empty() {
            self.field(tag, id).unwrap_or("")
        } else {
            name
        };
        draft.set_text(ROOT, names[0], name);
        let level = || match self.field(tag, level)?.parse().ok()? {
            level @ 1..=17_u8 => Some(format!("{}k", 18 - level)),
            level @ 18..=26 => Some(format!("{}d", level - 17)),
            _ => None,
        };
        let rank = match written_rank.trim() {
            "" => level(),
            written => Some(rank(written).unwrap_or_else(|| written.to_owned())),
        };
        draft.set_text(ROOT, names[1], &rank.unwrap_or_default());
    }

    /// Main time, seconds and number of the periods: `1200-30-3` in one place, `30-3-1200` in another, words in a
    /// third.
    fn write_time(&self, draft: &mut Draft) {
        let numbers = |text: &str| -> Option<[u32; 3]> {
            let numbers: Option<Vec<u32>> = text
                .split('-')
                .map(|part| part.trim().parse().ok())
                .collect();
            numbers?.try_into().ok()
        };
        let times = self
            .field("GAMEINFOMAIN", "GTIME:")
            .and_then(numbers)
            .or_else(|| {
                let [seconds, periods, main] = numbers(self.field("GAMETAG", "T")?)?;
                (main > 0).then_some([main, seconds, periods])
            });
        match times {
            Some([main, seconds, periods]) => {
                draft.set_text(ROOT, "TM", &main.to_string());
                if seconds > 0 && periods > 0 {
                    draft.set_text(ROOT, "OT", &format!("{periods}x{seconds} byo-yomi"));
                }
            }
            None => draft.append_text(ROOT, "GC", self.get("GAMETIME")),
        }
    }

    /// Komi is in tenths of a point. `DUM` is a bonus whose direction nobody has told, and stays in the conditions.
    fn write_komi(&self, draft: &mut Draft) {
        if let Some(tenths) = self.number("GONGJE", "G", "GAMEGONGJE") {
            match tenths {
                -1000..=1000 => {
                    draft.set_text(ROOT, "KM", &format!("{}", f64::from(tenths) / 10.0));
                }
                _ => draft.note(
                    self.line("GAMEGONGJE"),
                    format!("a komi of {tenths} tenths was left out"),
                ),
            }
        }
        if let Some(dum @ 1..) = self.number("DUM", "D", "GAMEDUM") {
            let message = format!("a dum of {dum} is kept as text only");
            draft.note(self.line("GAMEDUM"), message);
        }
    }

    fn write_result(&self, draft: &mut Draft) {
        let margin = || {
            let tenths = self.number("ZIPSU", "Z", "GAMEZIPSU")?;
            result::points(f64::from(tenths) / 10.0)
        };
        let coded = match self.number("GRLT", "W", "") {
            Some(0) => margin().map(|margin| format!("B+{margin}")),
            Some(1) => margin().map(|margin| format!("W+{margin}")),
            Some(3) => Some("B+R".to_owned()),
            Some(4) => Some("W+R".to_owned()),
            Some(7) => Some("B+T".to_owned()),
            Some(8) => Some("W+T".to_owned()),
            _ => None,
        };
        let worded = self.get("GAMERESULT");
        match coded.or_else(|| result::read(worded)) {
            Some(result) => draft.set_text(ROOT, "RE", &result),
            None if worded.is_empty() => {}
            None => {
                draft.append_text(ROOT, "GC", worded);
                let message =
                    format!("the result `{worded}` was not understood and is kept as text");
                draft.note(self.line("GAMERESULT"), message);
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) const SAMPLE: &str = r"\HS
\[GIBOKIND=Korea\]
\[GAMECONDITION=Handicap 3\]
\[GAMETIME=10 minutes,
30 seconds\]
\[GAMERESULT=흑 불계승\]
\[GAMEDUM=0\]
\[GAMEGONGJE=65\]
\[GAMENAME=Club [final] game\]
\[GAMEDATE=2021- 4- 9-20- 1- 2\]
\[GAMEPLACE=Tygem\]
\[GAMEWHITENAME=stone \o/ (3D)\]
\[GAMEBLACKNAME=바람(12급)\]
\[GAMEINFOMAIN=GBKIND:0,GTIME:600-30-3,GRLT:3,ZIPSU:0,DUM:0,GONGJE:65,TCNT:4\]
\[GAMETAG=S1,R3,D0,G65,W3,Z0,T30-3-600,C2021:04:09:20:01,I:stone,L:20\]
\HE
\GS
2 1 0
5 0 &4
INI 0 1 3 &4Room 7
STO 0 2 2 15 15 
STO 0 3 1 2 13 &4a good move
SKI 0 4
STO 0 5 1 3 2
REM 0 6 1
\GE
";

    #[test]
    fn a_game_of_tygem_is_read() {
        let converted = to_sgf(SAMPLE).unwrap();
        assert_eq!(
            converted.sgf,
            "(;FF[4]GM[1]CA[UTF-8]SZ[19]C[Room 7]PB[바람]BR[12k]PW[stone \\\\o/]WR[3d]\
             EV[Club [final\\] game]PC[Tygem]DT[2021-04-09]TM[600]OT[3x30 byo-yomi]KM[6.5]RE[B+R]\
             GC[Handicap 3]HA[3]AB[dp][pd][dd];W[pp];B[cn]C[a good move];W[];B[dc])\n"
        );
        let notes: Vec<_> = converted.notes.iter().map(|note| note.line).collect();
        assert_eq!(notes, [25]);
        assert_eq!(
            converted.notes[0].message,
            "`REM 0 6 1` was not understood and left out"
        );
    }

    fn sgf_of(lines: &[&str]) -> String {
        to_sgf(&lines.join("\n")).unwrap().sgf
    }

    #[test]
    fn results_come_as_codes_or_as_words() {
        for (lines, result) in [
            (&[r"\[GAMETAG=W0,Z85\]"][..], "RE[B+8.5]"),
            (&[r"\[GAMEINFOMAIN=GRLT:1,ZIPSU:110\]"], "RE[W+11]"),
            (&[r"\[GAMEINFOMAIN=GRLT:8,ZIPSU:0\]"], "RE[W+T]"),
            (&[r"\[GAMERESULT=white 8.5 win\]"], "RE[W+8.5]"),
            (&[r"\[GAMERESULT=백 시간승\]"], "RE[W+T]"),
            (
                &[r"\[GAMETAG=W255,Z0\]", r"\[GAMERESULT=黑中盘胜\]"],
                "RE[B+R]",
            ),
            (&[r"\[GAMERESULT=who knows\]"], "GC[who knows]"),
            (
                &[
                    r"\[GAMETAG=W255,Z0\]",
                    r"\[GAMERESULT=White wins by disconnection!\]",
                ],
                "RE[W+F]",
            ),
        ] {
            assert!(sgf_of(lines).contains(result), "{lines:?}");
        }
    }

    #[test]
    fn komi_is_in_tenths_and_a_level_is_a_rank() {
        let sgf = sgf_of(&[
            r"\[GAMEGONGJE=75\]",
            r"\[BUSERINFO=BID:a,BLV:17,BNICK:b\]",
            r"\[WUSERINFO=WID:c,WLV:18\]",
        ]);
        assert_eq!(
            sgf,
            "(;FF[4]GM[1]CA[UTF-8]SZ[19]PB[a]BR[1k]PW[c]WR[1d]KM[7.5])\n"
        );
    }

    #[test]
    fn a_tag_that_is_never_closed_swallows_no_moves() {
        let sgf = sgf_of(&[r"\[GAMENAME=Open", r"\HE", "INI 0 1 0 &4", "STO 0 2 1 3 3"]);
        assert_eq!(sgf, "(;FF[4]GM[1]CA[UTF-8]SZ[19]EV[Open];B[dd])\n");
    }

    #[test]
    fn three_stones_leave_open_the_corner_that_is_played() {
        for (moves, stones) in [
            ("STO 0 2 2 15 15", "AB[dp][pd][dd]"),
            ("STO 0 2 2 3 3", "AB[dp][pd][pp]"),
            ("STO 0 2 2 9 9", "AB[dp][pd][dd]"),
        ] {
            assert!(sgf_of(&["INI 0 1 3 &4", moves]).contains(stones), "{moves}");
        }
    }
}

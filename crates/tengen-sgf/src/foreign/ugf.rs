//! UGF and UGI, the records of PandaNet.
//!
//! Sections in square brackets. `[Header]` has `Key=value` lines, `[Data]` one move a line: `QP,B1,3,0` is the point,
//! the colour with the number of the player in the team, the number of the move and the seconds it took. Stones
//! numbered 0 were there before the game. `[Figure]` has comments on moves and diagrams; `[ReviewNode]` and
//! `[ReviewComment]` have a whole tree, as a review left it.

mod figure;
mod review;

use std::collections::BTreeMap;

use tengen_core::{ByColor, Color, Point, PointSet, Size};

use super::draft::{Draft, OpenCorner, ROOT};
use super::{Converted, ForeignError, Format, iso_date, numbered_lines, rank, result};
use figure::MainLine;
use review::Review;

/// A stone, or a pass.
type Play = (Color, Option<Point>);

pub(super) fn to_sgf(text: &str) -> Result<Converted, ForeignError> {
    let mut record = Record::default();
    let mut section = String::new();
    for (number, line) in numbered_lines(text) {
        let trimmed = line.trim();
        if let Some(name) = section_name(trimmed) {
            section = name.to_ascii_lowercase();
            if !KNOWN.contains(&section.as_str()) {
                record
                    .notes
                    .push((number, format!("the section `{trimmed}` was left out")));
            }
            continue;
        }
        match section.as_str() {
            "header" => record.read_header(number, trimmed),
            "data" => record.data.push((number, trimmed)),
            "figure" => record.figure.push((number, line)),
            "reviewnode" => record.review_nodes.push((number, trimmed)),
            "reviewcomment" => record.review_comments.push((number, line)),
            _ => {}
        }
    }
    record.convert()
}

const KNOWN: [&str; 9] = [
    "header",
    "data",
    "figure",
    "reviewnode",
    "reviewcomment",
    "files",
    "remote",
    "messageline",
    "end",
];

fn section_name(line: &str) -> Option<&str> {
    let name = line.strip_prefix('[')?.strip_suffix(']')?;
    name.bytes()
        .all(|byte| byte.is_ascii_alphabetic())
        .then_some(name)
}

/// The sections of a file, taken apart into lines.
#[derive(Default)]
struct Record<'a> {
    header: BTreeMap<String, (usize, &'a str)>,
    data: Vec<(usize, &'a str)>,
    figure: Vec<(usize, &'a str)>,
    review_nodes: Vec<(usize, &'a str)>,
    review_comments: Vec<(usize, &'a str)>,
    notes: Vec<(usize, String)>,
}

impl<'a> Record<'a> {
    fn read_header(&mut self, number: usize, line: &'a str) {
        match line.split_once('=') {
            Some((key, value)) => {
                let key = key.trim().to_ascii_lowercase();
                self.header.insert(key, (number, value.trim()));
            }
            None if line.is_empty() => {}
            None => self
                .notes
                .push((number, format!("`{line}` was not understood and left out"))),
        }
    }

    fn get(&self, key: &str) -> &'a str {
        self.header.get(key).map_or("", |(_, value)| value)
    }

    fn line(&self, key: &str) -> usize {
        self.header.get(key).map_or(1, |(line, _)| *line)
    }

    /// One of the fields between commas.
    fn field(&self, key: &str, index: usize) -> &'a str {
        self.get(key).split(',').nth(index).unwrap_or("").trim()
    }

    fn convert(self) -> Result<Converted, ForeignError> {
        if self.header.is_empty() && self.data.is_empty() {
            return Err(ForeignError::Empty(Format::Ugf));
        }
        let grid = self.grid()?;
        let mut draft = Draft::new(grid.size);
        for (line, note) in &self.notes {
            draft.note(*line, note.clone());
        }
        let crypt = self.field("crypt", 1);
        if !crypt.is_empty() && !crypt.eq_ignore_ascii_case("PLAIN_UGF_FILE") {
            draft.note(self.line("crypt"), "the file says that it is encrypted");
        }
        self.write_header(&mut draft);

        let (start, plays) = self.read_data(&mut draft, &grid);
        let review = Review::read(&mut draft, &grid, &self.review_nodes);
        let nodes = if review.agrees_with(&plays) {
            review.write(&mut draft, &self.review_comments)
        } else {
            if let Some((number, _)) = self.review_nodes.first() {
                draft.note(*number, "the review is about another game and was left out");
            }
            let mut nodes = vec![ROOT];
            for (color, point) in &plays {
                let node = draft.continue_from(nodes[nodes.len() - 1]);
                draft.set_move(node, *color, *point);
                nodes.push(node);
            }
            nodes
        };
        let main_line = MainLine {
            nodes: &nodes,
            start,
            plays: &plays,
        };
        figure::write(&mut draft, &grid, &self.figure, &main_line);
        Ok(draft.finish())
    }

    /// The stones before the first move, which go to the draft, and the moves, which do not yet.
    fn read_data(&self, draft: &mut Draft, grid: &Grid) -> (ByColor<PointSet>, Vec<Play>) {
        let mut start = ByColor::<PointSet>::default();
        let mut plays = Vec::new();
        for &(number, line) in self.data.iter().filter(|(_, line)| !line.is_empty()) {
            match grid.read_move(line) {
                Some(((color, Some(point)), 0)) => {
                    if start[color].insert(point) {
                        draft.add_stone(ROOT, color, point);
                    }
                }
                Some((play, _)) => plays.push(play),
                None => draft.note(number, format!("`{line}` was not understood and left out")),
            }
        }
        match self.field("hdcp", 0).parse::<u8>() {
            Ok(handicap @ 2..) if !start[Color::Black].is_empty() => {
                draft.set_text(ROOT, "HA", &handicap.to_string());
            }
            Ok(handicap @ 2..=9) => {
                let played = plays.iter().filter_map(|(_, point)| *point);
                let stones = draft.add_handicap(grid.size, handicap, OpenCorner::TopLeft, played);
                start[Color::Black] = stones.into_iter().collect();
            }
            _ => {}
        }
        (start, plays)
    }

    fn grid(&self) -> Result<Grid, ForeignError> {
        let size = match self.get("size") {
            "" => Size::square(19).ok(),
            side => side.parse().ok().and_then(|side| Size::square(side).ok()),
        };
        let size = size.ok_or_else(|| ForeignError::Size {
            format: Format::Ugf,
            line: self.line("size"),
            size: self.get("size").to_owned(),
        })?;
        let from_bottom = self.get("coordinatetype").eq_ignore_ascii_case("IGS");
        Ok(Grid { size, from_bottom })
    }

    fn write_header(&self, draft: &mut Draft) {
        self.write_players(draft, "b", ["PB", "BR"]);
        self.write_players(draft, "w", ["PW", "WR"]);
        // The year or the number of the tournament, its name, the round.
        let event = [self.field("title", 0), self.field("title", 1)].join(" ");
        draft.set_text(ROOT, "EV", &event);
        let round: Vec<&str> = self.get("title").splitn(3, ',').skip(2).collect();
        draft.set_text(ROOT, "RO", round.concat().trim_end_matches(','));
        draft.set_text(ROOT, "PC", self.get("place"));
        self.write_date(draft);
        draft.set_text(
            ROOT,
            "RU",
            match self.get("rule").to_ascii_uppercase().as_str() {
                "JPN" | "JP" => "Japanese",
                "CHN" | "CH" | "CN" => "Chinese",
                "KOR" | "KR" => "Korean",
                "ING" | "GOE" => "GOE",
                "AGA" => "AGA",
                "NZ" => "NZ",
                _ => self.get("rule"),
            },
        );
        if let Ok(komi) = self.field("hdcp", 1).parse::<f64>()
            && komi.abs() < 1000.0
        {
            draft.set_text(ROOT, "KM", &format!("{komi}"));
        }
        if let Some(Ok(minutes @ 1..)) = self
            .field("ptime", 0)
            .split(';')
            .nth(1)
            .map(str::parse::<u32>)
        {
            draft.set_text(ROOT, "TM", &(u64::from(minutes) * 60).to_string());
        }
        self.write_result(draft);
        draft.set_text(ROOT, "AN", self.get("commentator"));
        draft.set_text(ROOT, "CP", self.get("copyright"));
        draft.append_text(ROOT, "GC", self.get("comment"));
    }

    /// `PlayerB=name,rank,,address`; in pair go also `PlayerB2`. Addresses are nobody's business.
    fn write_players(&self, draft: &mut Draft, color: &str, names: [&'static str; 2]) {
        let keys = ["", "2", "3"].map(|number| format!("player{color}{number}"));
        let players: Vec<&str> = keys.iter().map(|key| self.field(key, 0)).collect();
        let players: Vec<&str> = players
            .into_iter()
            .filter(|name| !name.is_empty())
            .collect();
        draft.set_text(ROOT, names[0], &players.join(" & "));
        if let [_] = players[..] {
            let written = self.field(&keys[0], 1);
            draft.set_text(
                ROOT,
                names[1],
                &rank(written).unwrap_or_else(|| written.to_owned()),
            );
        }
    }

    /// Start, hour, end, hour. A title match takes two days.
    fn write_date(&self, draft: &mut Draft) {
        let (start, end) = (
            iso_date(self.field("date", 0)),
            iso_date(self.field("date", 2)),
        );
        let date = match (start, end) {
            (Some(start), Some(end)) if end > start && end[..8] == start[..8] => {
                format!("{start},{}", &end[8..])
            }
            (start, end) => start.or(end).unwrap_or_default(),
        };
        draft.set_text(ROOT, "DT", &date);
    }

    fn write_result(&self, draft: &mut Draft) {
        let written = self.get("winner");
        let (who, how) = (self.field("winner", 0), self.field("winner", 1));
        let manner = match how.chars().next() {
            Some('C' | 'c' | 'R' | 'r') => Some("R".to_owned()),
            Some('T' | 't') => Some("T".to_owned()),
            Some('F' | 'f') => Some("F".to_owned()),
            None => Some(String::new()),
            Some(_) => how.parse().ok().and_then(result::points),
        };
        let result = match (who.to_ascii_uppercase().as_str(), manner) {
            (winner @ ("B" | "W"), Some(manner)) => format!("{winner}+{manner}"),
            ("D", _) => "0".to_owned(),
            ("N" | "N1", _) => "Void".to_owned(),
            // Unfinished, in play, or not known.
            ("A" | "P" | "E" | "", _) => "?".to_owned(),
            _ => {
                draft.append_text(ROOT, "GC", written);
                let message =
                    format!("the result `{written}` was not understood and is kept as text");
                draft.note(self.line("winner"), message);
                return;
            }
        };
        if !written.is_empty() {
            draft.set_text(ROOT, "RE", &result);
        }
    }
}

/// The board and the corner that points are counted from.
struct Grid {
    size: Size,
    from_bottom: bool,
}

impl Grid {
    /// A point from its column and row, both from 1.
    fn point(&self, column: u8, row: u8) -> Option<Point> {
        let row = if self.from_bottom {
            self.size.height().checked_sub(row)?
        } else {
            row.checked_sub(1)?
        };
        Point::checked_new(column.checked_sub(1)?, row).filter(|point| self.size.contains(*point))
    }

    /// `QP,B1,3,0`: a move and its number. Columns Y and Z are passes.
    fn read_move(&self, line: &str) -> Option<(Play, u32)> {
        let mut fields = line.split(',').map(str::trim);
        let (point, player, number) = (fields.next()?, fields.next()?, fields.next()?);
        let &[column, row] = point.to_ascii_uppercase().as_bytes() else {
            return None;
        };
        let number: u32 = number.parse().ok()?;
        let color = match player.as_bytes().first()? {
            b'B' | b'b' => Color::Black,
            b'W' | b'w' => Color::White,
            _ if player == "MK" && number % 2 == 1 => Color::Black,
            _ if player == "MK" => Color::White,
            _ => return None,
        };
        if !column.is_ascii_uppercase() || !row.is_ascii_uppercase() {
            return None;
        }
        if matches!(column, b'Y' | b'Z') {
            return Some(((color, None), number));
        }
        let point = self.point(column - b'A' + 1, row - b'A' + 1)?;
        Some(((color, Some(point)), number))
    }

    /// `6,16,E`: a point and what to write on it.
    fn read_label<'t>(&self, text: &'t str) -> Option<(Point, &'t str)> {
        let mut fields = text.splitn(3, ',');
        let column = fields.next()?.trim().parse().ok()?;
        let row = fields.next()?.trim().parse().ok()?;
        let label = fields.next()?.trim();
        Some((self.point(column, row)?, label)).filter(|(_, label)| !label.is_empty())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) const SAMPLE: &str = "\
[Header]
Ver=UGF2,200
Lang=SJIS
Crypt=0,PLAIN_UGF_FILE,READ_WRITE
Title=3rd,Tengen cup,Final, game 2
Place=Café [1]
Date=2001/08/20,09:00:00,2001/08/21,17:00:00
Rule=JPN
Size=9
Hdcp=0,-5.50
Ptime=J;240;0;0,J;240;0;0,0,0
Winner=W,C
CoordinateType=IGS
Comment=
PlayerB=Ann,7d,,ann@example.org
PlayerW=Bob,2k?,,
[Remote]
Host=example.org
[Data]
EE,B1,1,0
CC,W1,2,31
GG,B1,3,5
YA,W1,4,0
[Figure]
.Text,1,0,0
The first [move]

 in the middle
.#,3,7,A:b
.EndText
.Fig,3,1,1,9,9,Diagram 1,1,0
EE,B1,0,0
CC,W1,0,0
GC,B1,1,0
CG,W1,2,0
.Text
What if?
.EndText
.EndFig
.Fig,3,1,1,9,9,Diagram 2,2,0
AA,B1,0,0
.EndFig
[Surprise]
?
";

    const REVIEW: &str = "\
[Header]
Size=9
CoordinateType=IGS
[Data]
EE,B1,1,0
CC,W1,2,0
GG,B1,3,0
[ReviewNode]
NODE,1,0,0,0
NODE,2,1,5,5
  VARIATION,
    NODE,5,2,7,7
      VARIATION,
        NODE,7,1,1,1
      VARIATIONEND,
    NODE,6,1,10,10
  VARIATIONEND,
  VARIATION,
    NODE,8,2,7,3
  VARIATIONEND,
NODE,3,2,3,3
NODE,4,1,7,7
NODE,9,0,0,0
[ReviewComment]
.Comment,1
 Hello
.Comment,7
bob [2k]: why?

.Comment,4
End
";

    #[test]
    fn a_game_of_pandanet_is_read() {
        let converted = to_sgf(SAMPLE).unwrap();
        assert_eq!(
            converted.sgf,
            "(;FF[4]GM[1]CA[UTF-8]SZ[9]PB[Ann]BR[7d]PW[Bob]WR[2k?]EV[3rd Tengen cup]RO[Final, game 2]\
             PC[Café [1\\]]DT[2001-08-20,21]RU[Japanese]KM[-5.5]TM[14400]RE[W+R]\
             ;B[ee]C[The first [move\\]\n\n in the middle]LB[cc:A\\:b];W[cg]\
             (;B[gc];W[])\n(;B[gg];W[cc]C[Diagram 1\nWhat if?])\n)\n"
        );
        let notes: Vec<_> = converted.notes.iter().map(|note| note.line).collect();
        assert_eq!(notes, [40, 43]);
    }

    #[test]
    fn a_review_becomes_variations_after_the_main_line() {
        let converted = to_sgf(REVIEW).unwrap();
        assert_eq!(
            converted.sgf,
            "(;FF[4]GM[1]CA[UTF-8]SZ[9]C[Hello];B[ee](;W[cg];B[gc]C[End])\n\
             (;W[gc](;B[])\n(;B[ai]C[bob [2k\\]: why?])\n)\n(;W[gg])\n)\n"
        );
        assert_eq!(converted.notes, []);
    }

    #[test]
    fn a_review_of_another_game_is_left_out() {
        let converted = to_sgf(&REVIEW.replace("CC,W1,2,0", "DD,W1,2,0")).unwrap();
        assert_eq!(
            converted.sgf,
            "(;FF[4]GM[1]CA[UTF-8]SZ[9];B[ee];W[df];B[gc])\n"
        );
        assert_eq!(converted.notes.len(), 1);
    }

    fn sgf_of(header: &str, data: &str) -> String {
        to_sgf(&format!("[Header]\n{header}\n[Data]\n{data}\n"))
            .unwrap()
            .sgf
    }

    #[test]
    fn rows_count_from_the_bottom_only_on_igs() {
        assert!(sgf_of("CoordinateType=IGS", "QP,B1,1,0").contains(";B[qd]"));
        assert!(sgf_of("CoordinateType=JPN", "QP,B1,1,0").contains(";B[qp]"));
    }

    #[test]
    fn handicap_stones_are_in_the_data_or_on_the_star_points() {
        let placed = sgf_of("Hdcp=2,0.00", "DD,B1,0,0\nPP,B1,0,0\nCC,W1,1,0");
        assert_eq!(
            placed,
            "(;FF[4]GM[1]CA[UTF-8]SZ[19]KM[0]AB[dd][pp]HA[2];W[cc])\n"
        );
        let implied = sgf_of("Hdcp=3,0.50", "CC,W1,1,0");
        assert_eq!(
            implied,
            "(;FF[4]GM[1]CA[UTF-8]SZ[19]KM[0.5]HA[3]AB[dp][pd][pp];W[cc])\n"
        );
    }

    #[test]
    fn results_are_letters_or_points() {
        for (winner, result) in [
            ("B,7.50", "RE[B+7.5]"),
            ("W,C", "RE[W+R]"),
            ("B,T", "RE[B+T]"),
            ("W,F2", "RE[W+F]"),
            ("D,", "RE[0]"),
            ("N1,E", "RE[Void]"),
            ("A,", "RE[?]"),
            ("O,", "GC[O,]"),
        ] {
            assert!(
                sgf_of(&format!("Winner={winner}"), "").contains(result),
                "{winner}"
            );
        }
        assert!(!sgf_of("Winner=", "").contains("RE["));
    }

    #[test]
    fn a_pair_plays_together() {
        let sgf = sgf_of("PlayerB=Ann,7d\nPlayerB2=Cid,1d\nPlayerW=Bob,3k", "");
        assert!(sgf.contains("PB[Ann & Cid]PW[Bob]WR[3k]"), "{sgf}");
    }

    #[test]
    fn ten_thousand_nested_variations_are_no_problem() {
        let mut text = "[Header]\nSize=9\n[ReviewNode]\nNODE,1,0,0,0\n".to_owned();
        for id in 2..10_002 {
            text.push_str(&format!("NODE,{id},1,1,1\nVARIATION,\n"));
        }
        let converted = to_sgf(&text).unwrap();
        assert_eq!(converted.sgf.matches(";B[aa]").count(), 10_000);
    }
}

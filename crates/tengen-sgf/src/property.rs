//! What is known about the properties of `FF[4]` and Go.

use crate::ident::Ident;

/// What a property's values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing, only that the property is there.
    None,
    /// A whole number.
    Number,
    /// A decimal number.
    Real,
    /// 1 or 2, for emphasis.
    Double,
    /// `B` or `W`.
    Color,
    /// One line of text.
    SimpleText,
    /// Text of many lines.
    Text,
    /// A point, or nothing for a pass.
    Move,
    /// Points, of which rectangles can be given by two corners; possibly none.
    Points,
    /// Two points for each value: arrows and lines.
    PointPairs,
    /// A point and a text for each value: labels.
    PointTexts,
    /// A number, or a number of columns and a number of rows: the size of the board.
    Size,
    /// Two texts: a program and its version.
    TextPair,
    /// Nothing, or a number and a text: figures.
    Figure,
    /// The property is not part of `FF[4]` or Go.
    Unknown,
}

/// Where a property belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// In the first node of a game.
    Root,
    /// Once in a game, usually in its first node.
    GameInfo,
    /// In a node that sets up stones.
    Setup,
    /// In a node with a move.
    Move,
    /// Anywhere.
    Anywhere,
}

/// A row of the table: name, kind of its values, role.
type Row = (Ident, Kind, Role);

macro_rules! rows {
    ($($name:literal $kind:ident $role:ident,)*) => {
        [$((match Ident::short($name.as_bytes()) {
            Some(ident) => ident,
            None => panic!("names of the table are short"),
        }, Kind::$kind, Role::$role)),*]
    };
}

/// All properties of `FF[4]` and Go, and those of earlier versions that files still have.
const TABLE: [Row; 79] = rows![
    "AP" TextPair Root, "CA" SimpleText Root, "FF" Number Root, "GM" Number Root, "ST" Number Root, "SZ" Size Root,
    "AN" SimpleText GameInfo, "BR" SimpleText GameInfo, "BT" SimpleText GameInfo, "CP" SimpleText GameInfo,
    "DT" SimpleText GameInfo, "EV" SimpleText GameInfo, "GC" Text GameInfo, "GN" SimpleText GameInfo,
    "HA" Number GameInfo, "KM" Real GameInfo, "ON" SimpleText GameInfo, "OT" SimpleText GameInfo,
    "PB" SimpleText GameInfo, "PC" SimpleText GameInfo, "PW" SimpleText GameInfo, "RE" SimpleText GameInfo,
    "RO" SimpleText GameInfo, "RU" SimpleText GameInfo, "SO" SimpleText GameInfo, "TM" SimpleText GameInfo,
    "US" SimpleText GameInfo, "WR" SimpleText GameInfo, "WT" SimpleText GameInfo, "ID" SimpleText GameInfo,
    "AB" Points Setup, "AE" Points Setup, "AW" Points Setup, "PL" Color Setup,
    "B" Move Move, "W" Move Move, "KO" None Move, "MN" Number Move,
    "BM" Double Move, "DO" None Move, "IT" None Move, "TE" Double Move,
    "BL" Real Move, "WL" Real Move, "OB" Number Move, "OW" Number Move,
    "C" Text Anywhere, "N" SimpleText Anywhere, "DM" Double Anywhere, "GB" Double Anywhere, "GW" Double Anywhere,
    "HO" Double Anywhere, "UC" Double Anywhere, "V" Real Anywhere,
    "AR" PointPairs Anywhere, "LN" PointPairs Anywhere, "CR" Points Anywhere, "DD" Points Anywhere,
    "LB" PointTexts Anywhere, "MA" Points Anywhere, "SL" Points Anywhere, "SQ" Points Anywhere, "TR" Points Anywhere,
    "TB" Points Anywhere, "TW" Points Anywhere, "VW" Points Anywhere,
    "FG" Figure Anywhere, "PM" Number Anywhere,
    "L" Points Anywhere, "M" Points Anywhere, "RG" Points Anywhere, "SC" Points Anywhere, "SE" Points Anywhere,
    "EL" Number Anywhere, "EX" Move Anywhere, "CH" Double Anywhere, "SI" Double Anywhere, "BS" SimpleText GameInfo,
    "WS" SimpleText GameInfo,
];

impl Kind {
    /// The kind of a property's values.
    #[inline]
    pub(crate) fn of(ident: Ident) -> Self {
        find(ident).map_or(Self::Unknown, |(_, kind, _)| *kind)
    }

    /// Can the values hold any text? Then a bracket inside them was meant as text where it can be told.
    #[inline]
    pub(crate) const fn is_text(self) -> bool {
        matches!(
            self,
            Self::Text
                | Self::SimpleText
                | Self::PointTexts
                | Self::TextPair
                | Self::Figure
                | Self::Unknown
        )
    }

    /// Has the property one value, or a list of them?
    pub(crate) const fn is_list(self) -> bool {
        matches!(
            self,
            Self::Points | Self::PointPairs | Self::PointTexts | Self::Unknown
        )
    }
}

impl Role {
    /// Where a property belongs.
    pub(crate) fn of(ident: Ident) -> Self {
        find(ident).map_or(Self::Anywhere, |(_, _, role)| *role)
    }
}

/// Short names are looked up by number: they are at most two letters here.
const fn by_name() -> [u8; 1 << 10] {
    let mut places = [u8::MAX; 1 << 10];
    let mut row = 0;
    while row < TABLE.len() {
        let Some(place) = TABLE[row].0.place() else {
            panic!("names of the table are one or two capital letters");
        };
        places[place] = row as u8;
        row += 1;
    }
    places
}

static BY_NAME: [u8; 1 << 10] = by_name();

#[inline]
fn find(ident: Ident) -> Option<&'static Row> {
    TABLE.get(usize::from(BY_NAME[ident.place()?]))
}

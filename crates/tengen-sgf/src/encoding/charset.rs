//! Encodings by name.

use std::fmt;
use std::str::FromStr;

use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, KOI8_R, MACINTOSH, SHIFT_JIS, UTF_8,
    UTF_16BE, UTF_16LE, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252,
};

use super::label;

/// An encoding that somebody chose for a file, whatever the file says.
///
/// ```
/// use tengen_sgf::Charset;
/// let charset: Charset = "gb2312".parse()?;
/// assert_eq!(charset.name(), "GBK");
/// assert!("Klingon".parse::<Charset>().is_err());
/// # Ok::<(), tengen_sgf::UnknownCharset>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charset(pub(super) &'static Encoding);

impl Charset {
    /// The encodings that records are found in, for a list to choose from.
    pub const USUAL: [Self; 16] = [
        Self(UTF_8),
        Self(GBK),
        Self(GB18030),
        Self(BIG5),
        Self(SHIFT_JIS),
        Self(EUC_JP),
        Self(ISO_2022_JP),
        Self(EUC_KR),
        Self(WINDOWS_1252),
        Self(WINDOWS_1250),
        Self(WINDOWS_1251),
        Self(KOI8_R),
        Self(MACINTOSH),
        Self(UTF_16LE),
        Self(UTF_16BE),
        Self(encoding_rs::ISO_8859_2),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        self.0.name()
    }
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no encoding has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownCharset(String);

impl fmt::Display for UnknownCharset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Charset::USUAL.map(Charset::name).join(", ");
        write!(f, "no encoding is called `{}`; some are {names}", self.0)
    }
}

impl std::error::Error for UnknownCharset {}

impl FromStr for Charset {
    type Err = UnknownCharset;

    fn from_str(name: &str) -> Result<Self, UnknownCharset> {
        label::encoding_for(name.as_bytes())
            .map(Self)
            .ok_or_else(|| UnknownCharset(name.to_owned()))
    }
}

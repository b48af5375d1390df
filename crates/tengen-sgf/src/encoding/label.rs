//! What a file says about its own encoding.

use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GBK, ISO_8859_2, MACINTOSH, SHIFT_JIS, UTF_8, WINDOWS_874,
    WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1257,
    X_MAC_CYRILLIC,
};

/// A root node is rarely longer. It is also how far a comment can be mistaken for a declaration.
const REACH: usize = 1 << 13;

/// Names are short.
const LONGEST: usize = 40;

/// The encoding that `CA[]` names, or `Lang=` in the header of a UGF file.
///
/// The property is found without taking values apart, since their ends cannot be seen before the file is decoded.
pub(super) fn find(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = &bytes[..bytes.len().min(REACH)];
    find_property(start).or_else(|| find_lang(start))
}

fn find_property(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut rest = bytes;
    let mut before = b';';
    while let Some(index) = rest
        .iter()
        .position(|byte| byte.eq_ignore_ascii_case(&b'C'))
    {
        if index > 0 {
            before = rest[index - 1];
        }
        rest = &rest[index + 1..];
        let [b'A' | b'a', value @ ..] = rest else {
            before = b'C';
            continue;
        };
        if !before.is_ascii_alphabetic()
            && let [b'[', value @ ..] = value.trim_ascii_start()
            && let Some(end) = value.iter().take(LONGEST).position(|byte| *byte == b']')
            && let Some(encoding) = encoding_for(&value[..end])
        {
            return Some(encoding);
        }
        before = b'C';
    }
    None
}

fn find_lang(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut lines = bytes.split(|byte| matches!(byte, b'\n' | b'\r'));
    lines.find(|line| line.trim_ascii().eq_ignore_ascii_case(b"[Header]"))?;
    lines.find_map(|line| {
        let (key, value) = line.split_at_checked(5)?;
        key.eq_ignore_ascii_case(b"Lang=")
            .then(|| encoding_for(value))?
    })
}

/// The encoding that people mean by a name.
pub(super) fn encoding_for(name: &[u8]) -> Option<&'static Encoding> {
    let name = name.trim_ascii();
    Encoding::for_label(name).or_else(|| {
        let key: String = name
            .iter()
            .filter(|byte| byte.is_ascii_alphanumeric())
            .map(|byte| char::from(byte.to_ascii_lowercase()))
            .collect();
        Some(match key.as_str() {
            "unicode" | "unicode11utf8" | "cp65001" | "65001" => UTF_8,
            "euccn" | "eucgb2312" | "cp936" | "ms936" | "windows936" | "936" | "gb" | "gb2312"
            | "gbk" | "hzgb2312" | "chinesesimplified" | "simplifiedchinese"
            | "xmacchinesesimp" | "macchinesesimp" | "xmacsimpchinese" => GBK,
            "cp950" | "ms950" | "windows950" | "950" | "big5eten" | "big5hkscs2004"
            | "chinesetraditional" | "traditionalchinese" | "xmacchinesetrad"
            | "macchinesetrad" | "xmactradchinese" => BIG5,
            "mskanji" | "sjis" | "shiftjis" | "xsjis" | "cp932" | "ms932" | "932" | "cp943"
            | "windows932" | "japanese" | "xmacjapanese" | "macjapanese" => SHIFT_JIS,
            "eucjp" | "ujis" | "cp51932" => EUC_JP,
            "euckr" | "ksc5601" | "ksc56011987" | "ksx1001" | "cp949" | "ms949" | "uhc" | "949"
            | "windows949" | "johab" | "xmackorean" | "mackorean" => EUC_KR,
            "macroman" | "xmacroman" | "mac" | "applemacintosh" => MACINTOSH,
            "maccyrillic" | "xmacukrainian" => X_MAC_CYRILLIC,
            "latin" | "latin1" | "iso88591" | "cp819" | "cp1252" | "1252" | "ansi" | "western"
            | "ascii" | "usascii" => WINDOWS_1252,
            "latin2" => ISO_8859_2,
            "cp1250" | "1250" => WINDOWS_1250,
            "cp1251" | "1251" | "win1251" | "cyrillic" => WINDOWS_1251,
            "cp1253" | "1253" => WINDOWS_1253,
            "cp1254" | "1254" => WINDOWS_1254,
            "cp1257" | "1257" => WINDOWS_1257,
            "cp874" | "874" => WINDOWS_874,
            _ => {
                let number = key
                    .strip_prefix("iso8859")
                    .or_else(|| key.strip_prefix("iso"))?;
                return Encoding::for_label(format!("iso-8859-{number}").as_bytes());
            }
        })
    })
}

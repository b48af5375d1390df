use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, GBK, ISO_8859_15, MACINTOSH, SHIFT_JIS, WINDOWS_1250, WINDOWS_1251,
};
use proptest::prelude::*;

use super::*;

/// What a record in one encoding may say.
struct Sample {
    encoding: &'static Encoding,
    /// How files name the encoding.
    labels: &'static [&'static str],
    black: &'static str,
    white: &'static str,
    comment: &'static str,
}

const SAMPLES: [Sample; 9] = [
    Sample {
        encoding: GBK,
        labels: &[
            "GB2312",
            "gb2312",
            "GBK",
            "gbk",
            "cp936",
            "EUC-CN",
            "x-mac-chinesesimp",
            "GB18030",
        ],
        black: "聂卫平",
        white: "马晓春",
        // The second byte of 朷 is `]`, that of 歕 is `\`.
        comment: "这手棋很厚，白棋应该先补一手再打入。朷歕也在这里。",
    },
    Sample {
        encoding: BIG5,
        labels: &["Big5", "BIG5", "big5-hkscs", "cp950", "x-mac-chinesetrad"],
        black: "許家元",
        white: "周俊勳",
        comment: "這手棋的功用很大，黑棋蓋住了白棋的出路。",
    },
    Sample {
        encoding: SHIFT_JIS,
        labels: &[
            "Shift_JIS",
            "shift-jis",
            "SJIS",
            "MS_KANJI",
            "cp932",
            "Windows-31J",
            "x-mac-japanese",
        ],
        black: "藤沢秀行",
        white: "坂田栄男",
        comment: "この手がすばらしい。ソフトの評価表にはない一手です。",
    },
    Sample {
        encoding: EUC_JP,
        labels: &["EUC-JP", "eucJP", "x-euc-jp"],
        black: "武宮正樹",
        white: "小林光一",
        comment: "黒の模様が大きくなりました。",
    },
    Sample {
        encoding: EUC_KR,
        labels: &[
            "EUC-KR",
            "euckr",
            "KS_C_5601-1987",
            "ksc5601",
            "cp949",
            "UHC",
            "x-mac-korean",
        ],
        black: "조훈현",
        white: "서봉수",
        comment: "백이 두터운 형세이지만 흑도 실리가 많습니다.",
    },
    Sample {
        encoding: WINDOWS_1251,
        labels: &["windows-1251", "Windows-1251", "cp1251", "CP-1251"],
        black: "Илья Петров",
        white: "Анна Смирнова",
        comment: "Хорошая партия, но чёрные потеряли темп в центре доски.",
    },
    Sample {
        encoding: WINDOWS_1252,
        labels: &[
            "ISO-8859-1",
            "iso8859-1",
            "latin1",
            "Latin-1",
            "windows-1252",
            "cp1252",
        ],
        black: "Frédéric Lefèvre",
        white: "Jürgen Größler",
        comment: "Après ce coup très joué, Weiß müsste zurückschlagen; ça ira.",
    },
    Sample {
        encoding: WINDOWS_1250,
        labels: &["windows-1250", "cp1250"],
        black: "Ondřej Černý",
        white: "Łukasz Źrebięcki",
        comment: "Tento tah je příliš pomalý, černý měl hrát ve středu.",
    },
    Sample {
        encoding: MACINTOSH,
        labels: &["macintosh", "x-mac-roman", "MacRoman"],
        black: "Noël",
        white: "Zoë",
        comment: "Déjà vu",
    },
];

impl Sample {
    fn sgf(&self, declaration: &str) -> String {
        format!(
            "(;GM[1]FF[4]PB[{}]{declaration}PW[{}]SZ[19];B[pd];W[dp]C[{}];B[pp])",
            self.black, self.white, self.comment
        )
    }

    fn encode(&self, declaration: &str) -> (String, Vec<u8>) {
        let sgf = self.sgf(declaration);
        let (bytes, _, unmappable) = self.encoding.encode(&sgf);
        assert!(!unmappable, "{sgf}");
        let bytes = bytes.into_owned();
        (sgf, bytes)
    }
}

#[test]
fn every_declaration_is_honoured() {
    for sample in &SAMPLES {
        for label in sample.labels {
            for property in ["CA", "ca", "Ca"] {
                let (sgf, bytes) = sample.encode(&format!("{property}[{label}]"));
                let decoded = decode(bytes);
                assert_eq!(decoded.text, sgf, "{label}");
                assert_eq!(decoded.source, Source::Declared, "{label}");
                assert!(!decoded.malformed);
            }
        }
    }
}

#[test]
fn an_encoding_is_detected_where_none_is_declared() {
    for sample in SAMPLES.iter().filter(|sample| sample.encoding != MACINTOSH) {
        let (sgf, bytes) = sample.encode("");
        let decoded = decode(bytes);
        assert_eq!(decoded.text, sgf);
        assert_eq!(decoded.encoding, sample.encoding);
        assert_eq!(decoded.source, Source::Detected);
    }
}

#[test]
fn a_false_declaration_is_seen_through() {
    for sample in SAMPLES.iter().filter(|sample| sample.encoding != MACINTOSH) {
        for lie in ["UTF-8", "UTF-16", "nonsense"] {
            let (sgf, bytes) = sample.encode(&format!("CA[{lie}]"));
            let decoded = decode(bytes);
            assert_eq!(decoded.text, sgf, "{lie}");
            assert_eq!(decoded.encoding, sample.encoding);
            let declared = lie != "nonsense";
            assert_eq!(
                decoded.source == Source::DeclaredButWrong,
                declared,
                "{lie}"
            );
        }
        if vocabulary::CANDIDATES.contains(&sample.encoding) {
            for lie in ["ISO-8859-1", "Windows-1252", "US-ASCII"] {
                let (sgf, bytes) = sample.encode(&format!("CA[{lie}]"));
                assert_eq!(decode(bytes).text, sgf, "{lie}");
            }
        }
        // What is in fact UTF-8 stays UTF-8, whatever else is said.
        for other in &SAMPLES {
            let sgf = sample.sgf(&format!("CA[{}]", other.labels[0]));
            let decoded = decode(sgf.clone().into_bytes());
            assert_eq!(decoded.text, sgf);
            assert_eq!(decoded.source, Source::DeclaredButWrong);
        }
    }
}

#[test]
fn two_names_are_enough_to_tell_languages_apart() {
    for (encoding, names) in [
        (GBK, ["古力", "柯洁"]),
        (GBK, ["常昊", "孔杰"]),
        (GBK, ["周睿羊", "陈耀烨"]),
        (BIG5, ["王立誠", "張栩"]),
        (BIG5, ["林海峰", "黑嘉嘉"]),
        (SHIFT_JIS, ["井山裕太", "一力遼"]),
        (SHIFT_JIS, ["高尾紳路", "羽根直樹"]),
        (SHIFT_JIS, ["本因坊", "名人"]),
        (EUC_KR, ["이세돌", "박정환"]),
        (EUC_KR, ["최정", "신진서"]),
    ] {
        let sgf = format!("(;PB[{}]PW[{}];B[pd])", names[0], names[1]);
        let decoded = decode(encoding.encode(&sgf).0.into_owned());
        assert_eq!(decoded.text, sgf);
    }
}

#[test]
fn trail_bytes_that_look_like_brackets_stay_inside_their_character() {
    for (encoding, text) in [(BIG5, "功許蓋閱"), (GBK, "朷歕漒"), (SHIFT_JIS, "ソ表十能")]
    {
        let (bytes, ..) = encoding.encode(text);
        assert!(
            bytes.iter().any(|byte| matches!(byte, b'\\' | b']')),
            "{text}"
        );
        let sgf = format!("(;CA[{}]C[{text}]N[{text}])", encoding.name());
        let decoded = decode(encoding.encode(&sgf).0.into_owned());
        assert_eq!(decoded.text, sgf);
    }
}

#[test]
fn marks_and_zeros_tell_utf_16_and_utf_8() {
    let sgf = "(;FF[4]CA[UTF-16]C[囲碁 Го])";
    let little: Vec<u8> = sgf.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = sgf.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for (mark, bytes, encoding, source) in [
        (&b""[..], &little, UTF_16LE, Source::Detected),
        (b"", &big, UTF_16BE, Source::Detected),
        (b"\xff\xfe", &little, UTF_16LE, Source::ByteOrderMark),
        (b"\xfe\xff", &big, UTF_16BE, Source::ByteOrderMark),
        (
            b"\xef\xbb\xbf",
            &sgf.as_bytes().to_vec(),
            UTF_8,
            Source::ByteOrderMark,
        ),
    ] {
        let decoded = decode([mark, bytes].concat());
        assert_eq!(decoded.text, sgf);
        assert_eq!((decoded.encoding, decoded.source), (encoding, source));
    }
}

#[test]
fn seven_bit_japanese_is_told_by_its_escapes() {
    for declaration in ["CA[ISO-2022-JP]", "", "CA[UTF-8]"] {
        let sgf = format!("(;{declaration}PB[\u{1b}$B0f;3\u{1b}(B]C[Go\u{1b}$B$O8E$$\u{1b}(B])");
        let decoded = decode(sgf.into_bytes());
        assert_eq!(decoded.text, format!("(;{declaration}PB[井山]C[Goは古い])"));
        assert_eq!(decoded.encoding, ISO_2022_JP);
    }
}

#[test]
fn latin_9_has_the_euro() {
    let sgf = "(;CA[ISO-8859-15]C[10 €, cœur, Žižka])";
    let decoded = decode(ISO_8859_15.encode(sgf).0.into_owned());
    assert_eq!(decoded.text, sgf);
}

#[test]
fn plain_text_and_utf_8_are_not_copied() {
    for text in ["(;GM[1])", "(;C[囲碁])", ""] {
        let bytes = text.as_bytes().to_vec();
        let address = bytes.as_ptr();
        let decoded = decode(bytes);
        assert_eq!(decoded.text.as_ptr(), address);
        assert_eq!((decoded.encoding, decoded.source), (UTF_8, Source::Default));
    }
}

#[test]
fn a_character_that_was_cut_does_not_spoil_the_rest() {
    let (sgf, mut bytes) = SAMPLES[0].encode("CA[GBK]");
    let at = bytes.windows(2).position(|pair| pair == b"C[").unwrap();
    bytes.insert(at + 2, 0xff);
    let decoded = decode(bytes);
    assert!(decoded.malformed);
    assert_eq!(decoded.encoding, GBK);
    assert_eq!(decoded.text.replace('\u{fffd}', ""), sgf);

    let mut bytes = SAMPLES[4].sgf("CA[UTF-8]").into_bytes();
    bytes.remove(bytes.len() - 12);
    let decoded = decode(bytes);
    assert!(decoded.malformed);
    assert_eq!(
        (decoded.encoding, decoded.source),
        (UTF_8, Source::Declared)
    );
    assert!(decoded.text.contains(SAMPLES[4].black));
}

#[test]
fn the_language_of_a_ugf_header_is_a_declaration() {
    let ugf = "[Header]\r\nVer=UGF2,200\r\nLang=SJIS\r\nTitle=,本因坊戦,\r\n";
    let decoded = decode(SHIFT_JIS.encode(ugf).0.into_owned());
    assert_eq!(decoded.text, ugf);
    assert_eq!(decoded.source, Source::Declared);
}

#[test]
fn a_label_is_found_where_it_stands() {
    for (bytes, name) in [
        (&b"(;FF[4]CA[Big5]"[..], Some("Big5")),
        (b"(;FF[4]CA [ utf8 ]", Some("UTF-8")),
        (b"(;C[about CA]CA[gbk]", Some("GBK")),
        (b"(;BCA[Big5]", None),
        (b"(;CA[]", None),
        (b"(;CA[Klingon]", None),
        (b"CA", None),
        (b"ca[", None),
        (b"(;CCA[Big5]CA[ISO 8859 5])", Some("ISO-8859-5")),
    ] {
        assert_eq!(
            label::find(bytes).map(Encoding::name),
            name,
            "{}",
            bytes.escape_ascii()
        );
    }
}

proptest! {
    #[test]
    fn no_bytes_at_all_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        decode(bytes);
    }

    #[test]
    fn utf_8_of_many_characters_is_always_utf_8(text in "[\u{4e00}-\u{9fff}\u{ac00}-\u{d7a3}ぁ-ん(;\\[\\] a-z]{0,80}") {
        let decoded = decode(text.clone().into_bytes());
        prop_assert_eq!(decoded.text, text);
    }

    #[test]
    fn a_declared_encoding_gives_back_what_was_encoded(
        index in 0..SAMPLES.len(),
        text in "[一-龥가-힣ぁ-んァ-ンа-яàéîõüß\\\\\\] a-z]{0,60}",
    ) {
        let encoding = SAMPLES[index].encoding;
        let text: String = text.chars().filter(|c| !encoding.encode(c.encode_utf8(&mut [0; 4])).2).collect();
        let sgf = format!("(;CA[{}]C[{text}])", encoding.name());
        let bytes = encoding.encode(&sgf).0.into_owned();
        // A text that is UTF-8 as well can mean both, and a Western declaration is not taken at its word.
        if std::str::from_utf8(&bytes).is_err() && encoding != WINDOWS_1252 {
            prop_assert_eq!(decode(bytes).text, sgf);
        }
    }
}

/// The file of a server, as it came: `?` stands for the second byte of 恩.
const DAMAGED: &[u8] =
    b"(;PB[x]  PW[\xe6\x84\x9f\xe6?\xa9\xe7\x9a\x84\xe6\x96\xb0]  BR[9\xe6\xae\xb5]  \
    WR[9\xe6\xae\xb5]  KM[650]HA[0];B[dd])";

#[test]
fn utf_8_that_lost_bytes_stays_utf_8() {
    let decoded = decode(DAMAGED.to_vec());
    assert_eq!(
        decoded.text,
        "(;PB[x]  PW[感\u{fffd}的新]  BR[9段]  WR[9段]  KM[650]HA[0];B[dd])"
    );
    assert_eq!(
        (decoded.encoding, decoded.source),
        (UTF_8, Source::Detected)
    );
    assert!(decoded.malformed);
    assert!(
        (80..100).contains(&decoded.confidence),
        "{}",
        decoded.confidence
    );
    let [damage] = &decoded.damage[..] else {
        panic!("{:?}", decoded.damage);
    };
    assert_eq!(decoded.text.find('\u{fffd}'), Some(damage.offset));
    // The byte can have been one of five.
    assert!(damage.candidates.contains('恩'), "{}", damage.candidates);
    assert_eq!(damage.candidates.chars().count(), 5);
}

#[test]
fn every_byte_that_windows_1252_lacks_can_get_lost() {
    let text = "(;PB[感恩的心]PW[恩, 捩, 揩, 摩, 杩!]C[恁 É Á é 恑恒恝]BR[9段]KM[650];B[dd])";
    let lossy: Vec<u8> = text
        .bytes()
        .map(|byte| match byte {
            0x81 | 0x8d | 0x8f | 0x90 | 0x9d => b'?',
            byte => byte,
        })
        .collect();
    for declaration in ["", "CA[UTF-8]", "CA[gb2312]", "CA[ISO-8859-1]"] {
        let mut bytes = lossy.clone();
        bytes.splice(2..2, declaration.bytes());
        let decoded = decode(bytes);
        assert_eq!(decoded.encoding, UTF_8, "{declaration}");
        // A mark for each damaged character, and everything else as it was: brackets above all.
        let expected: String = text
            .chars()
            .map(|c| {
                let mut utf_8 = [0; 4];
                let lost = |byte| matches!(byte, 0x81 | 0x8d | 0x8f | 0x90 | 0x9d);
                match c.encode_utf8(&mut utf_8).bytes().any(lost) {
                    true => '\u{fffd}',
                    false => c,
                }
            })
            .collect();
        assert_eq!(
            decoded.text.replacen(declaration, "", 1),
            expected,
            "{declaration}"
        );
        assert_eq!(decoded.damaged, expected.matches('\u{fffd}').count());
    }
}

#[test]
fn a_question_mark_behind_a_letter_is_no_damage() {
    for (encoding, text) in [
        (
            WINDOWS_1252,
            "(;C[Menü? Été? ja, Größe? schön]PB[Jürgen Größler])",
        ),
        (GBK, "(;C[这是什么? 好吗? 对吗? 怎么下?]PB[古力])"),
        (BIG5, "(;C[這是什麼? 好嗎? 對嗎?]PB[張栩])"),
        (SHIFT_JIS, "(;C[この手は何ですか? よいですか?]PB[井山裕太])"),
    ] {
        let decoded = decode(encoding.encode(text).0.into_owned());
        assert_eq!(decoded.text, text);
        assert!(!decoded.malformed);
    }
}

#[test]
fn many_damaged_characters_are_counted_and_the_first_are_listed() {
    let decoded = decode([&b"(;C["[..], &b"\xe6?\xa9".repeat(1_000), b"])"].concat());
    assert_eq!((decoded.damaged, decoded.damage.len()), (1_000, 100));
    assert_eq!(decoded.text, format!("(;C[{}])", "\u{fffd}".repeat(1_000)));
}

#[test]
fn utf_8_that_was_encoded_twice_is_decoded_twice() {
    for text in [
        "(;CA[UTF-8]PB[感恩的心]PW[é];B[dd])",
        "(;PB[Jürgen Größler]C[10 €])",
        "(;PB[이세돌])",
    ] {
        for encoding in [WINDOWS_1252, UTF_8] {
            // As Windows-1252 has it, and as Latin-1 does.
            let again: String = match encoding == WINDOWS_1252 {
                true => WINDOWS_1252
                    .decode_without_bom_handling(text.as_bytes())
                    .0
                    .into_owned(),
                false => text.bytes().map(char::from).collect(),
            };
            let decoded = decode(again.into_bytes());
            assert_eq!(decoded.text, text);
            assert!(decoded.encoded_twice);
        }
        assert!(!decode(text.as_bytes().to_vec()).encoded_twice);
    }
    // Letters that only look a little like it.
    for text in ["(;C[São Tomé à l’été]PB[Ærøskøbing])", "(;C[Ã la carte])"] {
        let decoded = decode(text.as_bytes().to_vec());
        assert_eq!(decoded.text, text);
        assert!(!decoded.encoded_twice);
    }
}

#[test]
fn a_choice_wins_over_what_the_file_says() {
    let sgf = "(;CA[Big5]PB[古力]C[中盘])";
    let bytes = GBK.encode(sgf).0.into_owned();
    let charset: Charset = "cp936".parse().unwrap();
    let decoded = decode_as(bytes.clone(), charset);
    assert_eq!(decoded.text, sgf);
    assert_eq!((decoded.source, decoded.confidence), (Source::Chosen, 100));
    // A wrong choice is followed as well.
    let wrong = decode_as(bytes, "windows-1252".parse().unwrap());
    assert_eq!(wrong.encoding, WINDOWS_1252);
    assert_ne!(wrong.text, sgf);
    let little: Vec<u8> = sgf.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = [&b"\xff\xfe"[..], &little].concat();
    for bytes in [little, marked] {
        assert_eq!(decode_as(bytes, "UTF-16LE".parse().unwrap()).text, sgf);
    }
    assert_eq!(
        decode_as(DAMAGED.to_vec(), "utf8".parse().unwrap()).damaged,
        1
    );
}

#[test]
fn confidence_grows_with_what_there_is_to_read() {
    let sure = |encoding: &'static Encoding, text: &str| {
        let decoded = decode(encoding.encode(text).0.into_owned());
        assert_eq!(decoded.encoding, encoding, "{text}");
        decoded.confidence
    };
    let one = sure(GBK, "(;PB[古力])");
    let game = sure(
        GBK,
        "(;PB[古力]PW[柯洁]C[这手棋很厚，白棋应该先补一手再打入。])",
    );
    assert!(one < game, "{one} {game}");
    assert!(game >= 95);
    let name = sure(WINDOWS_1252, "(;PB[Jürgen Größler])");
    assert!((20..=90).contains(&name), "{name}");
    assert_eq!(sure(UTF_8, "(;PB[古力])"), 100);
}

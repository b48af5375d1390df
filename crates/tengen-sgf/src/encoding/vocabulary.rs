//! The characters that records of Go are written with: they tell encodings apart where statistics want more text.

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GBK, SHIFT_JIS};

/// The encodings with two bytes a character.
pub(super) const CANDIDATES: [&Encoding; 5] = [GBK, BIG5, SHIFT_JIS, EUC_KR, EUC_JP];

/// Common words, surnames and terms of the game, in simplified, traditional and Japanese forms.
const HAN: &str = "\
    的一是不了人在有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多\
    经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日者意无力它与长把机十第公此已使情明性知全三又\
    关点正外将两高间由问很最重并手应战向头文体美相见被利二等或新己身果加西月话合回特代内信表化老给世位次度门任常先海通教原东声\
    提立及比解水名真处走各入几口平系气题活更别打女变四神总何数安少报才结反受目太再感建做接必场计期市直命山指许区保形便空决展科\
    五基眼非则听白却界达光放强即像难且思王完设式色路记南住告求程北边死该交规万取望术领共确师观清今切院让带导争\
    這個們來為國說時會對過發後裡還進樣開從實無與長機關點將兩間問應戰頭體見現當動義門東聲氣題報場計萬學經邊許種麼嗎讓導觀術\
    李张刘陈杨赵黄周吴徐孙胡朱林郭马罗梁宋郑谢韩唐冯董萧曹袁邓傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田姜范石姚谭廖邹熊\
    金陆郝孔崔康毛邱秦江史顾侯邵孟龙段雷钱汤尹黎易武乔贺赖龚俞芮聂朴陶柯古连党檀於\
    張劉陳楊趙黃吳孫馬羅鄭謝韓馮蕭鄧呂蘇盧蔣賈葉閻鍾譚鄒陸顧龍錢湯喬賀賴龔黑簡\
    围圍棋碁囲局级級黒胜勝负負败敗贴貼半盘盤押弈九八七六零冠军軍杯因坊元座圣聖锐決赛賽届屆联聯飞飛跳尖扳断斷连連挂掛角星势勢厚\
    薄劫征吃补補攻守布官率投互优優佳级院京台滬北甲乙组組番評评解爭快慢早室内際际流网網友\
    佐藤鈴木高橋伊渡辺村吉松井斎崎森池阿川岡谷近坂遠青福浦野竹島宮増丸久杉桜桑秋関依羽根栩治勲英雄秀栄男夫実樹紀紳裕敬吾美郎介\
    弥彦幸博洋雅智哉健司剛隆弘聡臨沢結城河篤克航愛咲里菜鈴歩牛空也智竜佑規修淡工宏片虎一力遼芝譜持置込者図図良悪形早\
    俊勳家君詩淵至涵正麒豊猷坤鈺均輔皓靖庭浩漢傑峰依旻瑞博聖芳維祥强強士伟偉斌元光宇刚磊鹤洋耀峻星益欣睿嘉晨润德清源昊杰越廷\
    韦钰烨笑毅鼎尔豪浩轩梓阳蕴梦云嵩晓莹昱啸";

const HANGUL: &str = "\
    이가다는을를에의은도로고하한지서기사자나아인그것들었있과와수시대정부제전성일보해라면만어여구장상조안원주리오동세위신김박최강윤임\
    권황송홍유문양손배백허남심노곽차우민진엄천방공현함변염추소석선설마길연표명반왕금옥육맹모탁국용돌창호환훈영철준혁봉목승희은혜경\
    재태형규찬종건바둑흑불계집간패급단결판타젬않좋두터운형세실수착중초끝내활로점화귀변앙축패석포대마포석정석입계행마맥빅덤몇번째회";

/// Is it a character that records are full of?
pub(super) fn is_common(character: char) -> bool {
    HAN.contains(character) || HANGUL.contains(character)
}

/// How much a text in this encoding reads like one that somebody wrote, from -2 to 1.5; nothing when it is no text.
///
/// Bytes at random, or read in the wrong encoding, score around zero and below.
pub(super) fn score(bytes: &[u8], encoding: &'static Encoding) -> Option<f32> {
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
    let (mut sum, mut count) = (0.0, 0.0);
    for character in text.chars().filter(|c| !c.is_ascii()) {
        sum += weigh(character, encoding);
        count += 1.0;
    }
    (count > 0.0).then(|| sum / count)
}

fn weigh(character: char, encoding: &'static Encoding) -> f32 {
    match character {
        // Old Japanese programs wrote these; read in the wrong encoding, Latin letters turn into them.
        '\u{ff61}'..='\u{ff9f}' => -1.0,
        '\u{3000}'..='\u{303f}' | '\u{ff01}'..='\u{ff5e}' => 0.5,
        '\u{3041}'..='\u{3096}' if encoding != EUC_KR => 1.0,
        '\u{30a1}'..='\u{30fc}' if encoding != EUC_KR => 0.8,
        '\u{ac00}'..='\u{d7a3}' if HANGUL.contains(character) => 1.5,
        '\u{4e00}'..='\u{9fff}' if encoding == EUC_KR => -1.0,
        '\u{4e00}'..='\u{9fff}' if HAN.contains(character) => 1.5,
        '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' => by_frequency(character, encoding),
        _ => -2.0,
    }
}

/// National standards put the characters in use before the rest, so that the first byte tells the common from the rare.
fn by_frequency(character: char, encoding: &'static Encoding) -> f32 {
    let mut utf_8 = [0; 4];
    let (bytes, ..) = encoding.encode(character.encode_utf8(&mut utf_8));
    let &[lead, trail] = bytes.as_ref() else {
        return -2.0;
    };
    let (common, rare) = match () {
        () if encoding == BIG5 => (0xa4..=0xc6, 0xc9..=0xf9),
        () if encoding == SHIFT_JIS => (0x88..=0x97, 0x98..=0xea),
        () if encoding == EUC_KR => (0xb0..=0xc8, 0xff..=0xff),
        () if encoding == EUC_JP => (0xb0..=0xcf, 0xd0..=0xf4),
        () => (0xb0..=0xd7, 0xd8..=0xf7),
    };
    let extension = trail < 0xa1 && (encoding == GBK || encoding == EUC_KR);
    match lead {
        _ if extension => -1.5,
        lead if common.contains(&lead) => 0.2,
        lead if rare.contains(&lead) => -0.7,
        _ => -1.5,
    }
}

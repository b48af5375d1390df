//! What KataGo's own tests print, from `cpp/tests/results/runOutputTests.txt` of its repository, compared where
//! `TENGEN_KATAGO_RESULTS` names that file. It is not part of this project.

use std::collections::BTreeMap;

use super::*;

/// One printed position: planes by number, row by row, and numbers by number.
#[derive(Default)]
struct Printed {
    planes: BTreeMap<usize, Vec<Vec<f32>>>,
    numbers: BTreeMap<usize, f32>,
}

/// The lines of version 7 in the first section with this title.
fn section<'a>(text: &'a str, title: &str) -> Vec<&'a str> {
    text.lines()
        .skip_while(|line| *line != title)
        .skip(2)
        .take_while(|line| !line.starts_with("-------------"))
        .skip_while(|line| *line != "VERSION 7")
        .collect()
}

/// All positions that these lines print; a number that was there before begins the next one.
fn positions(lines: &[&str]) -> Vec<Printed> {
    let mut positions = vec![Printed::default()];
    let mut lines = lines.iter().peekable();
    while let Some(line) = lines.next() {
        let Some(channel) = line.strip_prefix("Channel: ") else {
            continue;
        };
        let here = positions.last_mut().unwrap();
        if let Some((number, value)) = channel.split_once(": ") {
            let number = number.parse().unwrap();
            if here.numbers.contains_key(&number) {
                positions.push(Printed::default());
            }
            let here = positions.last_mut().unwrap();
            here.numbers.insert(number, value.parse().unwrap());
            continue;
        }
        let mut rows = Vec::new();
        while let Some(row) = lines.next_if(|row| !row.is_empty()) {
            let (numbers, _) = row.split_once("  ").unwrap_or((row, ""));
            rows.push(
                numbers
                    .split(' ')
                    .map(|value| value.parse().unwrap())
                    .collect(),
            );
        }
        here.planes.insert(channel.parse().unwrap(), rows);
    }
    positions
}

/// Plays the moves of a record that has no branches.
fn replay(record: &str, rules: Rules) -> Vec<Game> {
    let value = |name: &str| Some(record.split_once(name)?.1.split_once(']')?.0);
    let size = value("SZ[").map_or(19, |size| size.parse().unwrap());
    let komi: f32 = value("KM[").unwrap().parse().unwrap();
    let point = |text: &str| match text.as_bytes() {
        [x, y] => Move::Play(Point::new(x - b'a', y - b'a')),
        _ => Move::Pass,
    };
    let mut setup = Setup::empty(Size::square(size).unwrap());
    if let Some((_, stones)) = record.split_once("AB") {
        setup.to_move = Color::White;
        for stone in stones
            .split(';')
            .next()
            .unwrap()
            .split(['[', ']'])
            .filter(|s| s.len() == 2)
        {
            setup.stones.black.extend(point(stone).point());
        }
    }
    let rules = rules.with_komi(Komi::from_halves((2.0 * komi) as i16));
    let mut game = Game::from_setup(&setup, rules).unwrap();
    let mut games = vec![game.clone()];
    for turn in record.split(';').skip(2) {
        let (color, at) = turn.split_once('[').unwrap();
        if game.is_over() {
            game.resume();
        }
        game.set_to_move(color.parse().unwrap());
        game.play(point(at.split(']').next().unwrap())).unwrap();
        games.push(game.clone());
    }
    games
}

#[track_caller]
fn compare(printed: &Printed, game: &Game, draw_value: f32) {
    let options = InputOptions {
        draw_value,
        passing_hacks: false,
        ..InputOptions::default()
    };
    let inputs = Inputs::of(game, &options);
    let area = game.size().area();
    assert!(!printed.planes.is_empty() || !printed.numbers.is_empty());
    for (number, rows) in &printed.planes {
        let plane = &inputs.spatial[number * area..][..area];
        assert_eq!(plane, rows.concat(), "plane {number}\n{}", game.board());
    }
    for (number, value) in &printed.numbers {
        let own = inputs.global[*number];
        assert!(
            (own - value).abs() < 1e-4,
            "number {number}: {own}, not {value}"
        );
    }
}

const BASIC: &str = "(;FF[4]KM[7.5];B[pd];W[pq];B[dq];W[dd];B[qo];W[pl];B[qq];W[qr];B[pp];W[rq];B[oq];W[qp];B[pr];\
    W[qq];B[oo];W[ro];B[qn];W[do];B[dl];W[gp];B[eo];W[en];B[fo];W[dp];B[eq];W[cq];B[cr];W[br];B[dn];W[bp];B[cn];W[ep];\
    B[fp];W[fq];B[gq];W[fr];B[gr];W[er];B[hp];W[go];B[fn];W[ho];B[ip];W[io];B[jp];W[jo];B[lp];W[kp];B[kq];W[ko];B[lq];\
    W[ir];B[hq];W[jq];B[jr];W[em];B[gm];W[el];B[hl];W[kl];B[ek];W[fk];B[ej];W[fl];B[fj];W[gk];B[ik];W[gj];B[jj];W[dm];\
    B[lk];W[mm];B[nl];W[nm];B[om];W[ol];B[nk];W[ll];B[kk];W[jl];B[im];W[jk];B[ij];W[kj];B[mk];W[ki];B[ih];W[jh];B[ig];\
    W[jg];B[if];W[oi];B[mi];W[mh];B[lh];W[li];B[nh];W[mj];B[ni];W[nj];B[oj];W[lj];B[ok];W[oh];B[ng];W[pj];B[ji];W[kh];\
    B[jf];W[lg];B[cm];W[cl];B[dk];W[bl];B[bk];W[bn];B[ck];W[bm];B[cc];W[cd];B[dc];W[ec];B[eb];W[fb];B[fc];W[ed];B[gb];\
    W[bc];B[cb];W[cg];B[be];W[bd];B[bg];W[bh];B[cf];W[df];B[ch];W[dg];B[bi];W[qd];B[qc];W[rc];B[rd];W[qe];B[re];W[rb];\
    B[pc];W[qb];B[qf];W[ff];B[sc];W[pb];B[bo];W[ob];B[nc];W[nb];B[mb];W[mc];B[lb])";
const KOS: &str = "(;FF[4]KM[0.5];B[rj];W[ri];B[si];W[rh];B[sh];W[sg];B[rk];W[sk];B[sl];W[sj];B[eg];W[fg];B[ff];W[gf];\
    B[fh];W[gh];B[gg];W[hg];B[si];W[fg];B[sh];W[sk];B[gg])";
const SMALL: &str = "(;SZ[7]HA[3]KM[-4.50]AB[fb][bf][ff];W[ed];B[ee];W[de];B[dd];W[ef];B[df];W[fe];B[ce];W[dc];B[ee];\
    W[eg];B[fd];W[de])";
const ENDED: [&str; 2] = [
    "(;SZ[9]KM[7];B[ff];W[ee];B[dd];W[];B[];W[];B[cc];W[bb];B[];W[])",
    "(;SZ[9]KM[-7];B[ff];W[ee];B[dd];W[];B[];W[];B[cc];W[bb];B[];W[])",
];

/// Multi-stone suicide, as KataGo understands these rules.
fn tromp_taylor() -> Rules {
    Rules {
        suicide: Suicide::MultiStone,
        ..Rules::TROMP_TAYLOR
    }
}

#[test]
fn planes_are_those_of_katagos_tests() {
    let Some(path) = std::env::var_os("TENGEN_KATAGO_RESULTS") else {
        return;
    };
    let text = std::fs::read_to_string(path).unwrap();
    for (title, record, draw_value, planes) in [
        ("NN Inputs V3V4V5V6 Basic", BASIC, 0.2, PLANES),
        ("NN Inputs V3V4V5V6 Ko", KOS, 0.3, 1),
        ("NN Inputs V3V4V5V6 7x7", SMALL, 0.5, PLANES),
    ] {
        let printed = positions(&section(&text, title));
        assert_eq!(
            (printed.len(), printed[0].planes.len()),
            (1, planes),
            "{title}"
        );
        assert_eq!(printed[0].numbers.len(), GLOBALS, "{title}");
        let games = replay(record, tromp_taylor());
        compare(&printed[0], games.last().unwrap(), draw_value);
    }

    let printed = positions(&section(&text, "NN Inputs V3V4V6 Area Komi"));
    let diagram = ".xo.oo.\nxxo.xox\nooooooo\nxxx..xx\n..xoox.\n..xxxxx\n..xo.ox";
    let setup: Setup = diagram.to_uppercase().parse().unwrap();
    assert_eq!(printed.len(), 3);
    let turns = [(Color::Black, 4), (Color::White, 4), (Color::Black, 2)];
    for (printed, (player, halves)) in printed.iter().zip(turns) {
        let rules = tromp_taylor().with_komi(Komi::from_halves(halves));
        let setup = Setup {
            to_move: player,
            ..setup
        };
        compare(printed, &Game::from_setup(&setup, rules).unwrap(), 0.3);
    }
}

#[test]
fn the_past_that_is_shown_is_that_of_katagos_tests() {
    let Some(path) = std::env::var_os("TENGEN_KATAGO_RESULTS") else {
        return;
    };
    let text = std::fs::read_to_string(path).unwrap();
    let title = "NN Inputs history scoring past end of game or end of phase";
    let lines = text.lines().skip_while(|line| *line != title).skip(2);
    let mut games: Vec<Game> = Vec::new();
    let mut record = "";
    let mut rules = None;
    let mut options = InputOptions::default();
    let mut is_seventh = false;
    let mut next = 0;
    let mut compared = 0;
    for line in lines.take_while(|line| !line.starts_with("Running")) {
        if line.starts_with("(;") {
            record = if line.contains("KM[7]") {
                ENDED[0]
            } else {
                ENDED[1]
            };
        } else if let Some(name) = line.strip_prefix("rules ") {
            // There is no button in this project.
            rules = (!name.contains("button1")).then(|| Rules {
                suicide: Suicide::MultiStone,
                ..if name.contains("TERRITORY") {
                    Preset::Japanese.rules()
                } else {
                    Rules::TROMP_TAYLOR
                }
            });
            let agreed = name.contains("fpok1") || name.contains("friendly");
            if let Some(rules) = &mut rules
                && agreed
            {
                rules.dead_stones = tengen_core::DeadStones::Agreed;
            }
        } else if line.starts_with("enablePassingHacks ") {
            options.passing_hacks = line.contains("Hacks 1");
            options.conservative_pass = line.ends_with('1');
        } else if let Some(version) = line.strip_prefix("VERSION ") {
            is_seventh = version == "7";
            next = 0;
            games = rules.map_or_else(Vec::new, |rules| replay(record, rules));
        } else if let Some(seen) = line.strip_prefix("History that net sees ")
            && is_seventh
            && let Some(game) = games.get(next)
        {
            next += 1;
            compared += 1;
            let inputs = Inputs::of(game, &options);
            let area = game.size().area();
            let shown: Vec<String> = (0..5)
                .map(|ago| {
                    let plane = &inputs.spatial[(FIRST_MOVE + ago) * area..][..area];
                    match plane.iter().position(|value| *value == 1.0) {
                        Some(place) => game.size().point(place).unwrap().to_gtp(game.size()),
                        None if inputs.global[ago] == 1.0 => "pass".into(),
                        None => "null".into(),
                    }
                })
                .collect();
            assert_eq!(
                shown.join(" "),
                seen,
                "{record} {next} {rules:?} {options:?}"
            );
        }
    }
    assert!(compared >= 100, "{compared}");
}

//! What KataGo's own program says of positions, by `kata-raw-nn`. An environment variable has its path.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::{env, fs};

use tengen_core::{Color, Game, Move, Rules, Size, Symmetry};
use tengen_nn::katago::{KataGoEvaluator, Net};
use tengen_search::{Evaluator, RawQuery};

use super::files;

/// The path of the program. Without it nothing is compared.
const PROGRAM: &str = "TENGEN_KATAGO";

/// How far probabilities and ownership may be apart.
const NEAR: f64 = 1e-3;

/// How far points may be apart.
const NEAR_POINTS: f64 = 0.02;

/// How far a mean of 1 may be off as a number that was printed: three digits, of 32 bits.
const PRINTED: f64 = 1e-3;

/// Besides squares from 7 × 7 to 19 × 19.
const RECTANGLES: [(u8, u8); 7] = [
    (7, 9),
    (11, 8),
    (19, 7),
    (7, 19),
    (13, 10),
    (19, 18),
    (12, 16),
];

const RULES: [&str; 8] = [
    "koPOSITIONALscoreAREAtaxNONEsui1fpok0",
    "koSITUATIONALscoreAREAtaxNONEsui0fpok0",
    "koSIMPLEscoreAREAtaxNONEsui0fpok1",
    "koSIMPLEscoreAREAtaxNONEsui1fpok0",
    "koSIMPLEscoreTERRITORYtaxSEKIsui0fpok1",
    "koPOSITIONALscoreTERRITORYtaxSEKIsui1fpok1",
    "koSITUATIONALscoreTERRITORYtaxSEKIsui1fpok1",
    "koPOSITIONALscoreAREAtaxNONEsui0fpok1",
];

/// How many moves of the game there are, as shares of the area.
const PHASES: [f64; 10] = [0.03, 0.1, 0.2, 0.3, 0.45, 0.6, 0.75, 0.9, 1.1, 1.4];

const SETTINGS: &str = "\
logToStderr = false
logAllGTPCommunication = false
logSearchInfo = false
rules = tromp-taylor
allowResignation = false
resignThreshold = -0.99
resignConsecTurns = 5
searchFactorWhenWinning = 1.0
searchFactorWhenWinningThreshold = 1.0
numSearchThreads = 1
numEigenThreadsPerModel = 1
nnRandomize = false
maxVisits = 1
ponderingEnabled = false
";

struct Program {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

impl Program {
    fn start(program: &Path, net: &Path) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("katago");
        fs::create_dir_all(&folder).expect("the folder of tests can be written to");
        let settings = folder.join("gtp.cfg");
        fs::write(&settings, SETTINGS).expect("the folder of tests can be written to");
        let mut command = Command::new(program);
        command.arg("gtp").arg("-model").arg(net);
        command.arg("-config").arg(&settings);
        let home = format!("homeDataDir={}", folder.display());
        command.arg("-override-config").arg(home);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command
            .stderr(Stdio::null())
            .spawn()
            .expect("KataGo starts");
        Self {
            input: child.stdin.take().expect("it is a pipe"),
            output: BufReader::new(child.stdout.take().expect("it is a pipe")),
            child,
        }
    }

    fn answer(&mut self, command: &str) -> String {
        writeln!(self.input, "{command}").expect("KataGo listens");
        let mut answer = String::new();
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("KataGo answers");
            assert!(read > 0, "KataGo ended at `{command}`");
            match line.trim().is_empty() {
                true if answer.is_empty() => {}
                true => break,
                false => answer.push_str(&line),
            }
        }
        match answer.strip_prefix('=') {
            Some(said) => said.trim().to_owned(),
            None => panic!("`{command}` is refused: {answer}"),
        }
    }

    /// What its network says of a game after all its moves, turned by the symmetry with this number.
    fn says(&mut self, game: &Game, rules: &str, symmetry: u8) -> Said {
        let size = game.size();
        let shape = format!("{} {}", size.width(), size.height());
        self.answer(&format!("rectangular_boardsize {shape}"));
        self.answer(&format!("kata-set-rules {rules}"));
        self.answer(&format!("komi {}", game.komi()));
        self.answer("clear_board");
        for turn in game.turns() {
            let color = match turn.color {
                Color::Black => "b",
                Color::White => "w",
            };
            let action = match turn.action {
                Move::Pass => "pass".to_owned(),
                Move::Play(point) => point.to_gtp(size),
            };
            self.answer(&format!("play {color} {action}"));
        }
        let said = self.answer(&format!("kata-raw-nn {symmetry} 0"));
        Said::read(&said)
    }
}

/// What a network says, as White sees it.
struct Said {
    /// Of a win, a loss and no result.
    chances: [f64; 3],
    lead: f64,
    mean: f64,
    deviation: f64,
    /// Of all points and a pass; what is illegal has none.
    policy: Vec<Option<f64>>,
    ownership: Vec<f64>,
}

impl Said {
    fn read(text: &str) -> Self {
        let words: Vec<&str> = text.split_whitespace().collect();
        let place = |key: &str| {
            words
                .iter()
                .position(|word| *word == key)
                .expect("it is there")
        };
        let number = |word: &str| word.parse::<f64>().expect("it is a number");
        let value = |key: &str| number(words[place(key) + 1]);
        let points = &words[place("policy") + 1..place("policyPass")];
        let pass = [words[place("policyPass") + 1]];
        let owners = &words[place("whiteOwnership") + 1..];
        let mean = value("whiteScoreSelfplay");
        let variance = value("whiteScoreSelfplaySq") - mean * mean;
        Self {
            chances: ["whiteWin", "whiteLoss", "noResult"].map(value),
            lead: value("whiteLead"),
            mean,
            deviation: variance.max(0.0).sqrt(),
            policy: points
                .iter()
                .chain(&pass)
                .map(|word| (*word != "NAN").then(|| number(word)))
                .collect(),
            ownership: owners.iter().map(|word| number(word)).collect(),
        }
    }

    fn of(evaluator: &mut KataGoEvaluator, game: &Game, symmetry: u8) -> Self {
        let query = RawQuery {
            // KataGo's first bit mirrors top and bottom, the second left and right.
            symmetry: Some(Symmetry::new(
                symmetry & 4 | (symmetry & 1) << 1 | (symmetry & 2) >> 1,
            )),
            plainly: true,
            ..RawQuery::default()
        };
        let raw = evaluator.raw(game, &query).expect("it knows the board");
        let (white, black) = (raw.wins[Color::White], raw.wins[Color::Black]);
        let mean = raw.black_score.expect("it says a score");
        let deviation = raw.score_spread.expect("it says how certain that is");
        Self {
            chances: [white, black, raw.no_result].map(f64::from),
            lead: -f64::from(raw.black_lead),
            mean: -f64::from(mean),
            deviation: f64::from(deviation),
            policy: raw
                .policy
                .iter()
                .map(|share| share.map(f64::from))
                .collect(),
            ownership: raw
                .ownership
                .iter()
                .map(|owner| -f64::from(*owner))
                .collect(),
        }
    }

    /// Where two differ by too much.
    fn differs(&self, other: &Self) -> Vec<String> {
        let mut found = Vec::new();
        let mut compare = |what: &str, a: f64, b: f64, near: f64| {
            if (a - b).abs() > near {
                found.push(format!("{what}: {a} and {b}"));
            }
        };
        for (own, others) in self.chances.iter().zip(other.chances) {
            compare("chances", *own, others, NEAR);
        }
        assert_eq!(self.policy.len(), other.policy.len());
        for (own, others) in self.policy.iter().zip(&other.policy) {
            // What is illegal for one alone is far off.
            compare("policy", own.unwrap_or(-1.0), others.unwrap_or(-1.0), NEAR);
        }
        assert_eq!(self.ownership.len(), other.ownership.len());
        for (own, others) in self.ownership.iter().zip(&other.ownership) {
            compare("ownership", *own, *others, NEAR);
        }
        compare("lead", self.lead, other.lead, NEAR_POINTS);
        compare("score", self.mean, other.mean, NEAR_POINTS);
        // A square and a mean are what is printed, which say less about a deviation the smaller it is beside the mean.
        let rounded = PRINTED * self.mean.abs() / self.deviation.max(PRINTED);
        compare(
            "deviation",
            self.deviation,
            other.deviation,
            NEAR_POINTS + rounded,
        );
        found
    }
}

/// A game of random moves, with passes but never two in a row, the same every time.
fn game(size: Size, rules: &str, number: usize) -> Game {
    let komi = ["7.5", "0", "6", "-3.5", "6.5", "15"][number % 6];
    let rules: Rules = rules.parse().expect("these are rules");
    let rules = rules.with_komi(komi.parse().expect("it is a komi"));
    let mut game = Game::new(size, rules);
    let moves = (size.area() as f64 * PHASES[number % PHASES.len()]) as usize;
    let mut state = number + 1;
    for _ in 0..moves {
        state = state.wrapping_mul(25_214_903_917).wrapping_add(11) % (1 << 48);
        let passed = game
            .turns()
            .last()
            .is_some_and(|turn| turn.action == Move::Pass);
        let legal = game.legal_moves();
        let passes = (state >> 8).is_multiple_of(40) && !passed;
        let drawn = (!passes && !legal.is_empty()).then(|| legal.nth((state >> 16) % legal.len()));
        let action = drawn.flatten().map_or(Move::Pass, Move::Play);
        if action == Move::Pass && passed {
            break;
        }
        game.play_unchecked(action);
    }
    game
}

/// 208 positions of games on all sizes, under eight rule sets and from the first moves to boards that are full.
#[test]
fn networks_say_what_katagos_program_says() {
    let Some(program) = env::var_os(PROGRAM) else {
        return;
    };
    let squares = (7..=19).map(|side| (side, side));
    let shapes: Vec<(u8, u8)> = squares.clone().chain(squares).chain(RECTANGLES).collect();
    for path in files() {
        let net =
            Net::from_bytes(&fs::read(&path).expect("it is readable")).expect("it is a network");
        let mut evaluator = KataGoEvaluator::new(Arc::new(net));
        let mut katago = Program::start(Path::new(&program), &path);
        for number in 0..208 {
            let (width, height) = shapes[number % shapes.len()];
            let size = Size::new(width, height).expect("it is a board");
            let rules = RULES[number % RULES.len()];
            let game = game(size, rules, number);
            let symmetries = if width == height { 8 } else { 4 };
            let symmetry = (number % symmetries) as u8;
            let wanted = katago.says(&game, rules, symmetry);
            let found = Said::of(&mut evaluator, &game, symmetry).differs(&wanted);
            let position = format!("{} {number} {size} {rules}", path.display());
            assert!(found.is_empty(), "{position}: {}", found.join(", "));
        }
    }
}

//! Random lines, as a client sends them that has lost its mind.

/// Draws lines, the same for the same seed.
#[derive(Debug)]
pub(crate) struct Commands {
    state: u64,
}

/// What is sent. A letter stands for a word to be drawn: a colour, a vertex, a number, a size, or whatever else. What
/// is listed more than once is sent more often. Nothing here makes a search long or writes a file.
const COMMON: &[&str] = &[
    "play c v",
    "play c v",
    "play c v",
    "play c v",
    "play c v",
    "play c v",
    "genmove c",
    "genmove c",
    "genmove c",
    "undo",
    "gg-undo n",
    "clear_board",
    "boardsize s",
    "komi n",
    "all_legal c",
    "is_legal c v",
    "list_stones c",
    "countlib v",
    "time_left c n n",
    "lz-analyze c n",
    "kata-analyze n ownership true rootInfo true",
    "showboard",
    "move_history",
    "# a comment",
    "",
];

const RARE: &[&str] = &[
    "protocol_version",
    "name",
    "version",
    "known_command w",
    "list_commands",
    "boardsize s s",
    "rectangular_boardsize s s",
    "query_boardsize",
    "get_komi",
    "fixed_handicap n",
    "place_free_handicap n",
    "set_free_handicap v v v",
    "get_handicap",
    "set_position c v c v c v",
    "gogui-setup c v c v",
    "gogui-setup_player c",
    "gogui-play_sequence c v c v c v",
    "reg_genmove c",
    "kata-search c",
    "kata-search_cancellable c",
    "kgs-genmove_cleanup c",
    "gomill-explain_last_move",
    "kgs-game_over",
    "clear_cache",
    "stop",
    "analyze c n maxmoves n",
    "kata-analyze c avoid c v,v n pvVisits true",
    "lz-genmove_analyze c",
    "kata-genmove_analyze c n",
    "kata-search_analyze",
    "kata-search_analyze_cancellable c n",
    "kata-raw-nn all",
    "kata-raw-nn c n n",
    "kata-get-models",
    "kata-benchmark 2",
    "kata-get-params",
    "kata-set-params {\"maxVisits\":5}",
    "kata-set-params {\"maxVisits\":n,\"w\":n}",
    "time_settings n n n",
    "kgs-time_settings byoyomi n n n",
    "kata-time_settings fischer n n",
    "kgs-rules japanese",
    "kgs-rules aga",
    "kata-set-rules chinese",
    "kata-set-rules {\"ko\":\"SIMPLE\"}",
    "kata-set-rules w",
    "kata-set-rule suicide true",
    "kata-get-rules",
    "kata-list-params",
    "kata-get-param maxVisits",
    "kata-set-param maxVisits 5",
    "kata-set-param numSearchThreads 1",
    "kata-set-param ponderingEnabled false",
    "kata-set-param w n",
    "lz-setoption",
    "lz-setoption name Lagbuffer value n",
    "lz-setoption name w value w",
    "level n",
    "set_random_seed n",
    "loadsgf no-such-file.sgf n",
    "printsgf",
    "color v",
    "findlib v",
    "captures c",
    "last_move",
    "gogui-interrupt",
    "gogui-title",
    "gogui-analyze_commands",
    "cputime",
    "gomill-describe_engine",
    "echo w w w",
    "w w w",
    "w",
];

/// These search longer than a move may.
const SLOW: &[&str] = &[
    "final_score",
    "final_status v",
    "final_status_list dead",
    "final_status_list alive",
    "final_status_list w",
    "tengen-best_moves",
    "tengen-ownership",
    "tengen-prior",
];

impl Commands {
    pub(crate) const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// A number below the limit.
    fn below(&mut self, limit: usize) -> usize {
        // SplitMix64.
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) % limit as u64) as usize
    }

    fn among<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    /// The next line, and the identifier that its reply is to have; `None` if it is to have no reply.
    pub(crate) fn next(&mut self) -> (String, Option<String>) {
        let kind = match self.below(1000) {
            0..3 => SLOW,
            3..300 => RARE,
            _ => COMMON,
        };
        let template = self.among(kind);
        let words: Vec<String> = template.split(' ').map(|word| self.word(word)).collect();
        let mut line = words.join(" ");
        if self.below(12) == 0 && !line.starts_with('#') {
            line = self.broken(&line);
        }
        let has_reply = {
            let command = line.split('#').next().unwrap_or_default();
            command
                .chars()
                .any(|c| c != ' ' && c != '\t' && !c.is_control())
        };
        let id = match self.below(4) {
            0 if has_reply => self.below(100_000).to_string(),
            _ => String::new(),
        };
        if !id.is_empty() {
            line = format!("{id} {line}");
        }
        // A broken line can begin with digits of its own.
        let first = line
            .trim_start()
            .split([' ', '\t'])
            .next()
            .unwrap_or_default();
        let first: String = first.chars().filter(|c| !c.is_control()).collect();
        let own = match first.bytes().all(|byte| byte.is_ascii_digit()) {
            true => first,
            false => id,
        };
        (line, has_reply.then_some(own))
    }

    fn word(&mut self, word: &str) -> String {
        match word {
            "c" => self.among(&["b", "w", "B", "white", "BLACK"]).to_owned(),
            "v" => self.vertex(),
            "v,v" => format!("{},{}", self.vertex(), self.vertex()),
            "n" => self
                .among(&["0", "1", "2", "3", "5", "6.5", "-1", "10", "300", "99"])
                .to_owned(),
            "s" => self
                .among(&["5", "5", "5", "7", "7", "9", "9", "2", "1", "13", "0", "26"])
                .to_owned(),
            "w" => self
                .among(&[
                    "x", "true", "{", "\"", "=", "?", "pass", "9e9", "é", "%s%n", "-",
                ])
                .to_owned(),
            word => word.to_owned(),
        }
    }

    fn vertex(&mut self) -> String {
        if self.below(20) == 0 {
            return self
                .among(&["pass", "PASS", "I5", "Z26", "A0", "a1"])
                .to_owned();
        }
        let column = self.among(&["A", "B", "C", "D", "E", "f", "g", "H", "J"]);
        format!("{column}{}", 1 + self.below(9))
    }

    /// The line with something taken away, doubled or put in.
    fn broken(&mut self, line: &str) -> String {
        let chars: Vec<char> = line.chars().collect();
        let at = self.below(chars.len() + 1);
        let (before, after) = chars.split_at(at);
        let (before, after): (String, String) = (before.iter().collect(), after.iter().collect());
        match self.below(6) {
            0 => before,
            1 => after,
            2 => format!("{before}\t{after}"),
            3 => format!("{before}\u{7}{after}"),
            4 => format!("{before}#{after}"),
            _ => format!("{before} {}", self.among(&["x", "-1", "é", "="])),
        }
    }
}

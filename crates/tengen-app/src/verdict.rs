//! What is kept of the search of a position: in a review, in saved games and in records for others.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tengen_core::{Color, Game, Move, Size};
use tengen_search::Analysis;

use crate::facts::{Fact, facts};
use crate::game_tree::GameTree;
use crate::judgement::{Figures, Judged, Judgement, Loss};

/// The property of nodes in which verdicts are written down. Other programs leave it alone.
const PROPERTY: &str = "TGA";

/// The most moves as good as the best one that are kept.
const GOOD: usize = 6;

/// A move that loses less is as good as the best one, in points.
const AS_GOOD: f64 = 0.5;

/// Steps in which owners of points are kept on either side of nobody.
const STEPS: f32 = 10.0;

/// What is kept of the search of a position. Numbers are Black's; moves and points have their names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Verdict {
    /// The position that was searched.
    #[serde(rename = "p")]
    pub place: String,
    #[serde(rename = "v")]
    pub visits: u32,
    #[serde(rename = "w")]
    pub winrate: f64,
    #[serde(rename = "l")]
    pub lead: f64,
    /// The standard error of the lead.
    #[serde(rename = "e")]
    pub error: f64,
    /// The moves that are expected, the best one first.
    #[serde(rename = "b")]
    pub line: Vec<String>,
    /// Moves that are as good as the best one, which is the first.
    #[serde(rename = "g")]
    pub good: Vec<String>,
    /// Whose each point will be, a letter a point: from `a` for White over `k` for nobody to `u` for Black.
    #[serde(rename = "o")]
    pub owners: String,
    /// What the move is worth that was played in the game.
    #[serde(rename = "n", default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Next>,
}

/// What a move is worth that was played, beside the best one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Next {
    #[serde(rename = "v")]
    pub visits: u32,
    #[serde(rename = "w")]
    pub winrate: f64,
    #[serde(rename = "l")]
    pub lead: f64,
    /// By how many points it is behind the best move, and the standard error of that.
    #[serde(rename = "d")]
    pub behind: f64,
    #[serde(rename = "e")]
    pub error: f64,
    /// The moves that are expected, this one first.
    #[serde(rename = "b")]
    pub line: Vec<String>,
    #[serde(rename = "f", default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
}

/// What a position is recognised by when its verdict comes back from a file: the stones, and who is to move.
fn place(game: &Game) -> String {
    format!("{:016x}{}", game.board().hash(), game.to_move().letter())
}

fn owners(analysis: &Analysis, size: Size) -> String {
    let letter = |owner: f32| {
        let step = (owner.clamp(-1.0, 1.0) * STEPS).round() + STEPS;
        char::from(b'a' + step as u8)
    };
    let points = size.points();
    points
        .iter()
        .map(|point| letter(analysis.ownership[point]))
        .collect()
}

impl Next {
    pub(crate) fn new(before: &Game, judgement: &Judgement<'_>, judged: &Judged<'_>) -> Self {
        let Figures { winrate, lead, .. } = judged.value;
        let best = judgement.moves.first();
        let why = |best: &Judged<'_>| match judged.loss.points() > 0.0 {
            true => facts(before, judged, best),
            false => Vec::new(),
        };
        Self {
            visits: judged.candidate.visits,
            winrate,
            lead,
            behind: judged.loss.behind,
            error: judged.loss.error,
            line: judged.variation(before.size()),
            facts: best.map(why).unwrap_or_default(),
        }
    }

    pub(crate) fn action(&self) -> &str {
        self.line.first().map_or("", String::as_str)
    }

    /// How many points were lost: none if it may be noise.
    pub(crate) fn lost(&self) -> f64 {
        let (behind, error) = (self.behind, self.error);
        Loss { behind, error }.points()
    }
}

impl Verdict {
    /// What a search says about a position, and about a move in it.
    pub(crate) fn of(game: &Game, analysis: &Analysis, played: Option<Move>) -> Self {
        let size = game.size();
        let judgement = Judgement::of(analysis);
        let Figures {
            winrate,
            lead,
            error,
        } = judgement.value;
        let is_good = |judged: &&Judged<'_>| judged.compared && judged.loss.behind < AS_GOOD;
        let good = judgement.moves.iter().filter(is_good).take(GOOD);
        let next = played.and_then(|action| judgement.about(action));
        Self {
            place: place(game),
            visits: judgement.visits,
            winrate,
            lead,
            error,
            line: judgement.variation(size),
            good: good
                .map(|judged| judged.candidate.action.to_gtp(size))
                .collect(),
            owners: owners(analysis, size),
            next: next.map(|judged| Next::new(game, &judgement, judged)),
        }
    }

    pub(crate) fn best(&self) -> &str {
        self.line.first().map_or("pass", String::as_str)
    }

    /// Is it what a program of this project may have written about such a board?
    fn is_sound(&self, size: Size) -> bool {
        let is_move = |name: &String| {
            Move::from_gtp(name, size).is_ok_and(|action| action.to_gtp(size) == *name)
        };
        let next = self.next.as_ref();
        let mut moves = self.line.iter().chain(&self.good);
        let is_share = |share: f64| (0.0..=1.0).contains(&share);
        let is_small = |points: f64| points.abs() <= 1e4;
        moves.all(is_move)
            && !self.line.is_empty()
            && self.owners.len() == size.area()
            && self
                .owners
                .bytes()
                .all(|owner| (b'a'..=b'u').contains(&owner))
            && is_share(self.winrate)
            && [self.lead, self.error].into_iter().all(is_small)
            && next.is_none_or(|next| {
                !next.line.is_empty()
                    && next.line.iter().all(is_move)
                    && is_share(next.winrate)
                    && [next.lead, next.behind, next.error]
                        .into_iter()
                        .all(is_small)
                    && next.behind >= 0.0
                    && next
                        .facts
                        .iter()
                        .all(|fact| fact.at.as_ref().is_none_or(is_move) && is_small(fact.points))
            })
    }
}

/// What was found about positions, by their nodes. It can be copied while others wait.
pub(crate) type Verdicts = BTreeMap<usize, Arc<Verdict>>;

/// Takes the verdicts out of a record that belong to positions of its main line.
pub(crate) fn take(tree: &mut GameTree) -> Verdicts {
    let size = tree.size();
    let written = tree.take_all(PROPERTY);
    let mut found: Verdicts = written
        .into_iter()
        .filter_map(|(node, json)| Some((node, serde_json::from_str(&json).ok()?)))
        .filter(|(_, verdict): &(usize, Verdict)| verdict.is_sound(size))
        .map(|(node, verdict)| (node, Arc::new(verdict)))
        .collect();
    if found.is_empty() {
        return found;
    }
    let mut places: BTreeMap<usize, String> = BTreeMap::new();
    let last = tree.main_line().last().copied().unwrap_or(0);
    let walked = tree.walk(last, |node, replay| {
        places.insert(tree.number(node), place(replay.game()));
    });
    // Another program may have changed the record, and then positions are others.
    found.retain(|node, verdict| walked.is_ok() && places.get(node) == Some(&verdict.place));
    found
}

/// Whether a record tells people what was found, besides programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comments {
    /// What was found is in properties that only this program reads.
    Own,
    /// It is also told in the comments of nodes, in English.
    Added,
}

/// A copy of a record with what was found about its positions.
pub(crate) fn annotated(tree: &GameTree, verdicts: &Verdicts, comments: Comments) -> GameTree {
    let mut tree = tree.copied();
    for (node, verdict) in verdicts {
        if let Ok(json) = serde_json::to_string(&**verdict) {
            tree.put(*node, PROPERTY, &json);
        }
        if comments == Comments::Added {
            let own = tree.get(*node).and_then(|node| {
                let comment = node.value("C")?;
                Some(comment.text().into_owned())
            });
            let before = tree.parent(*node).and_then(|parent| verdicts.get(&parent));
            let before = before.map(Arc::as_ref);
            let text = [own.unwrap_or_default(), told(&tree, *node, verdict, before)];
            tree.put(*node, "C", text.join("\n\n").trim());
        }
    }
    tree
}

/// What was found about a position and about the move that led to it, in words.
fn told(tree: &GameTree, node: usize, verdict: &Verdict, before: Option<&Verdict>) -> String {
    let leader = match verdict.lead < 0.0 {
        true => Color::White,
        false => Color::Black,
    };
    let mut text = format!(
        "{}+{:.1}, Black wins {:.0} %.",
        leader.letter(),
        verdict.lead.abs(),
        verdict.winrate * 100.0
    );
    let played = tree
        .turn(node)
        .map(|(_, action)| action.to_gtp(tree.size()));
    let next = before.and_then(|before| before.next.as_ref());
    if let (Some(before), Some(next)) = (before, next)
        && played.as_deref() == Some(next.action())
        && next.lost() > 0.0
    {
        let (lost, error) = (next.lost(), next.error);
        let line = before.line.join(" ");
        // A text that is written cannot fail.
        let _ = write!(
            text,
            "\n{} loses {lost:.1} ± {error:.1} points. Better: {line}",
            next.action()
        );
    }
    text
}

//! Short matches against GNU Go, to notice an engine that has forgotten how to play.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::console;
use crate::report::{Outcome, announce};
use crate::system_package::GNU_GO;
use crate::tally::Tally;
use crate::tengen::{self, Profile};

const GAMES: u32 = 8;

/// Who judges for our engine, rollouts and then the network that is part of it, and what it may spend on a move.
const JUDGES: [(&str, u32); 2] = [("none", 1600), ("baseline", 100)];

/// What `tengen match --json` prints, as far as it matters here.
#[derive(Deserialize)]
struct Standing {
    games: u32,
    total: Total,
    first: Player,
    second: Player,
}

#[derive(Deserialize)]
struct Total {
    wins: u32,
    draws: u32,
    losses: u32,
}

#[derive(Deserialize)]
struct Player {
    forfeits: u32,
}

/// Plays the matches. Both programs have seeds and neither looks at a clock, so that the same games are played every
/// time.
pub(crate) fn play() -> Result<Outcome> {
    let gnu_go = match GNU_GO.ensure() {
        Ok(gnu_go) => gnu_go,
        Err(reason) => return Ok(Outcome::Missing(format!("{reason:#}"))),
    };
    let tengen = tengen::build(Profile::Dev)?;
    for (net, visits) in JUDGES {
        let standing = standing(&tengen, gnu_go, &format!("--net {net} --visits {visits}"))?;
        let outcome = verdict(&standing);
        if !matches!(outcome, Outcome::Passed(_)) {
            return Ok(outcome);
        }
    }
    Ok(Outcome::Passed(Tally::ONE_PASSED))
}

fn standing(tengen: &Path, gnu_go: &str, manner: &str) -> Result<Standing> {
    let ours = quoted(&tengen.to_string_lossy());
    let first = format!("{ours} gtp {manner} --threads 1 --seed {{seed}}");
    let second = format!(
        "{gnu_go} --mode gtp --level 1 --chinese-rules --positional-superko --seed {{seed}}"
    );
    let mut command = Command::new(tengen);
    command
        .args(["match", "--first", &first, "--second", &second])
        .args(["--size", "9", "--komi", "7.5", "--rules", "chinese"])
        .args(["--games", &GAMES.to_string(), "--seed", "1", "--json"])
        .stdin(Stdio::null())
        .stderr(console::stdio()?);
    announce(&command);
    let output = command.output().context("cannot start tengen")?;
    ensure!(
        output.status.success(),
        "tengen match failed: {}",
        output.status
    );
    serde_json::from_slice(&output.stdout).context("tengen match printed something else than JSON")
}

/// The words of a path as one, in a command line of `tengen match`.
fn quoted(path: &str) -> String {
    format!("'{}'", path.replace('\'', r"'\''"))
}

fn verdict(standing: &Standing) -> Outcome {
    let Standing {
        games,
        total: Total {
            wins,
            draws,
            losses,
        },
        first,
        second,
    } = standing;
    let forfeits = first.forfeits + second.forfeits;
    let problem = if *games != GAMES {
        format!("{games} games instead of {GAMES}")
    } else if forfeits > 0 {
        format!("{forfeits} games were forfeited")
    } else if 2 * wins + draws < *games {
        format!("{wins} games won, {draws} drawn, {losses} lost: less than half of the points")
    } else {
        return Outcome::Passed(Tally::ONE_PASSED);
    };
    Outcome::Failed(Tally::ONE_FAILED, problem)
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Standing, quoted, verdict};

    /// What the verdict complains about in a match with these results, if it does.
    fn complaint(results: [u32; 3], forfeits: [u32; 2]) -> Option<String> {
        let [wins, draws, losses] = results;
        let standing = serde_json::json!({
            "names": ["Tengen", "GNU Go"],
            "games": wins + draws + losses,
            "total": {"wins": wins, "draws": draws, "losses": losses},
            "first": {"moves": 200, "forfeits": forfeits[0]},
            "second": {"moves": 200, "forfeits": forfeits[1]},
        });
        let standing: Standing = serde_json::from_value(standing).unwrap();
        match verdict(&standing) {
            Outcome::Passed(_) => None,
            Outcome::Failed(_, problem) | Outcome::Missing(problem) => Some(problem),
        }
    }

    #[test]
    fn half_of_the_points_are_enough() {
        assert_eq!(complaint([8, 0, 0], [0, 0]), None);
        assert_eq!(complaint([4, 0, 4], [0, 0]), None);
        assert_eq!(complaint([3, 2, 3], [0, 0]), None);
        let problem = complaint([3, 1, 4], [0, 0]).unwrap();
        assert!(problem.contains("less than half"), "{problem}");
    }

    #[test]
    fn a_match_that_was_not_played_as_it_should_be_has_failed() {
        let problem = complaint([8, 0, 0], [0, 1]).unwrap();
        assert!(problem.contains("forfeited"), "{problem}");
        let problem = complaint([7, 0, 0], [0, 0]).unwrap();
        assert!(problem.contains("7 games instead of 8"), "{problem}");
    }

    #[test]
    fn a_path_stays_one_word() {
        assert_eq!(quoted("/a b/tengen"), "'/a b/tengen'");
        assert_eq!(quoted("/it's/tengen"), r"'/it'\''s/tengen'");
    }
}

//! The history of the benchmarks: a line of JSON for each time that they were recorded, and what is drawn of them.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::cargo;
use crate::plot;

/// One record a line, the oldest first.
const RECORDS: &str = "docs/record/bench.jsonl";

/// What `docs/record.md` shows.
const PICTURE: &str = "docs/record/bench.svg";

/// What was measured at one commit, on one machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// Year, month and day of the commit.
    pub(crate) date: String,
    pub(crate) commit: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) processor: Option<String>,
    /// What else one should know, such as that the machine was busy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) remark: Option<String>,
    pub(crate) rates: Vec<Rate>,
}

/// How fast one benchmark was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rate {
    pub(crate) name: String,
    pub(crate) per_second: f64,
    /// For each unit of work, if they were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) instructions: Option<f64>,
    pub(crate) signature: String,
}

/// Adds what was measured now to the history, and draws it anew.
pub(crate) fn add(rates: Vec<Rate>, remark: Option<String>) -> Result<()> {
    let record = Record {
        date: git(&["show", "--no-patch", "--format=%cs", "HEAD"])?,
        commit: git(&["describe", "--always", "--dirty", "--exclude=*"])?,
        processor: processor(),
        remark,
        rates,
    };
    let line = serde_json::to_string(&record)? + "\n";
    let path = cargo::root()?.join(RECORDS);
    let mut file = OpenOptions::new()
        .append(true)
        .create(true)
        .open(&path)
        .with_context(|| format!("cannot open {}", path.display()))?;
    file.write_all(line.as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))?;
    draw()
}

/// Draws all records.
fn draw() -> Result<()> {
    let path = cargo::root()?.join(PICTURE);
    fs::write(&path, plot::drawn(&all()?)).with_context(|| format!("cannot write {PICTURE}"))
}

fn all() -> Result<Vec<Record>> {
    read(&fs::read_to_string(cargo::root()?.join(RECORDS)).context(RECORDS)?)
}

fn read(text: &str) -> Result<Vec<Record>> {
    (1..)
        .zip(text.lines())
        .map(|(number, line)| {
            serde_json::from_str(line).with_context(|| format!("{RECORDS}:{number}"))
        })
        .collect()
}

fn git(arguments: &[&str]) -> Result<String> {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(cargo::root()?)
        .output()
        .context("cannot start git")?;
    ensure!(output.status.success(), "git {}", arguments.join(" "));
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// What the system calls its processor, where it says so in a file.
fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let record = Record {
            date: "2026-11-18".to_owned(),
            commit: "e1c23ff".to_owned(),
            processor: None,
            remark: Some("from README.md".to_owned()),
            rates: vec![Rate {
                name: "steps-9x9".to_owned(),
                per_second: 6_380_020.0,
                instructions: Some(812.5),
                signature: "195870366906ed63".to_owned(),
            }],
        };
        let line = serde_json::to_string(&record).unwrap();
        assert_eq!(read(&line).unwrap(), [record]);
        let error = read(&format!("{line}\nnonsense")).unwrap_err();
        assert_eq!(error.to_string(), "docs/record/bench.jsonl:2");
    }

    #[test]
    fn the_picture_shows_all_records() {
        let records = all().unwrap();
        assert!(!records.is_empty());
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            draw().unwrap();
        }
        let picture = fs::read_to_string(cargo::root().unwrap().join(PICTURE)).unwrap();
        let same = picture == plot::drawn(&records);
        assert!(same, "{PICTURE}: UPDATE_EXPECT=1 draws it anew");
    }
}

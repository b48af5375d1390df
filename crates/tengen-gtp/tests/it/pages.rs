//! The tables in the documents that are generated from the tables of settings and levels.
//!
//! `UPDATE_EXPECT=1 cargo test -p tengen-gtp pages` writes them anew.

use std::path::PathBuf;
use std::{env, fs};

use tengen_gtp::analysis::AnalysisSettings;
use tengen_gtp::gtp::GtpSettings;
use tengen_gtp::setting::{Row, Tabulated};
use tengen_search::Level;

const COMMAND: &str = "UPDATE_EXPECT=1 cargo test -p tengen-gtp pages";

/// No line of the text is longer, but for those of tables, which cannot be wrapped.
const WIDTH: usize = 120;

fn page(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs")
        .join(name)
}

/// Compares what stands between two markers with what was generated, or writes it there if that was asked for.
fn check(name: &str, part: &str, generated: &str) {
    let path = page(name);
    let text = fs::read_to_string(&path).expect("the page is there");
    let begin = format!("<!-- generated: {part} ({COMMAND}) -->\n");
    let end = format!("<!-- end: {part} -->\n");
    let start = text.find(&begin).expect("the page has the marker") + begin.len();
    let length = text[start..].find(&end).expect("the part has an end");
    let current = &text[start..start + length];
    if env::var_os("UPDATE_EXPECT").is_some() {
        let written = text.replacen(
            &format!("{begin}{current}"),
            &format!("{begin}{generated}"),
            1,
        );
        fs::write(&path, written).expect("the page can be written");
    } else {
        assert_eq!(current, generated, "docs/{name} is not current: {COMMAND}");
    }
}

/// A table with these heads, and a line for each row.
fn table(heads: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut text = format!(
        "\n| {} |\n|{}\n",
        heads.join(" | "),
        "---|".repeat(heads.len())
    );
    for cells in rows {
        text.push('|');
        for cell in cells {
            text += &match cell.as_str() {
                "" => " |".to_owned(),
                cell => format!(" {cell} |"),
            };
        }
        text.push('\n');
    }
    text + "\n"
}

fn code(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// The default of a setting: a value in the type of code, prose as it is.
fn default(row: &Row) -> String {
    match row.description.default {
        prose if prose == "none" || prose.contains(' ') => prose.to_owned(),
        value => format!("`{value}`"),
    }
}

/// The settings about which there is more to say than fits into a table.
fn details(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows
        .iter()
        .filter(|row| !row.description.details.is_empty())
    {
        let item = format!("- `{}`: {}", row.description.name, row.description.details);
        let mut column = 0;
        for word in item.split(' ') {
            let length = word.chars().count();
            if column > 0 && column + 1 + length > WIDTH {
                text += "\n ";
                column = 1;
            }
            if column > 0 {
                text.push(' ');
                column += 1;
            }
            text += word;
            column += length;
        }
        text.push('\n');
    }
    text + "\n"
}

/// All settings, with the option's further names.
fn settings(rows: &[Row]) -> String {
    let lines = rows.iter().map(|row| {
        let about = row.description;
        let mut names = vec![about.name];
        names.extend(about.aliases);
        vec![
            code(&names),
            row.values.clone(),
            default(row),
            about.help.to_owned(),
        ]
    });
    table(&["key", "values", "default", "means"], lines) + &details(rows)
}

/// The settings that other programs have names for, in two places.
fn foreign_names(rows: &[Row], places: [&str; 2]) -> String {
    let lines = rows.iter().filter_map(|row| {
        let [first, second] = row.foreign_names.each_ref().map(|names| code(names));
        let is_known = !first.is_empty() || !second.is_empty();
        is_known.then(|| vec![code(&[row.description.name]), first, second])
    });
    table(&["key", places[0], places[1]], lines)
}

/// What each level is made of.
fn levels() -> String {
    let lines = Level::all().map(|level| {
        let skill = level.skill();
        let visits = |visits: Option<u32>| visits.map_or("no limit".to_owned(), |n| n.to_string());
        let percent = |share: f32| match share < 1.0 {
            true => format!("{:.1} %", 100.0 * share),
            false => String::new(),
        };
        vec![
            level.number().to_string(),
            skill.rank.to_owned(),
            visits(skill.visits),
            visits(skill.rollouts),
            skill.temperature.to_string(),
            percent(skill.sees),
            percent(skill.looks_away),
            percent(skill.counts),
        ]
    });
    let heads = ["level", "about", "visits", "with rollouts", "temperature"];
    let sees = ["sees", "of that far away", "of that in atari"];
    table(&[&heads[..], &sees].concat(), lines)
}

/// One test for all, since two must not write one page at a time.
#[test]
fn generated_pages_are_current() {
    let gtp = GtpSettings::rows();
    check("gtp.md", "settings of tengen gtp", &settings(&gtp));
    let names = foreign_names(&gtp, ["`kata-set-param`", "`lz-setoption`"]);
    check("gtp.md", "parameters of tengen gtp", &names);
    check("strength.md", "levels", &levels());
    let analysis = AnalysisSettings::rows();
    check(
        "analysis.md",
        "settings of tengen analysis",
        &settings(&analysis),
    );
    let names = foreign_names(&analysis, ["in a config", "in `overrideSettings`"]);
    check("analysis.md", "names of KataGo", &names);
}

//! Clients of `tengen gtp` and `tengen analysis`.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};

use super::World;
use super::dice::Dice;
use super::http::PATIENCE;
use super::process::{Line, Process};

/// Talks GTP to engines, one after the other, until the time is over.
pub(super) fn talk_gtp(world: &World) -> Result<()> {
    let mut dice = Dice::new(world.seed, "GTP");
    while !world.is_over() {
        let mut command = Command::new(&world.programs.tengen);
        command.args(["gtp", "--visits", "30", "--threads", "1"]);
        let mut engine = Process::start(&mut command, &world.log)?;
        world.figures.gtp("starts");
        let mut size = 19;
        for number in 1..dice.between(20, 120) {
            if world.is_over() {
                break;
            }
            let line = gtp_line(&mut dice, &mut size, world);
            engine.say(&[format!("{number} ").as_bytes(), &line].concat());
            if dice.percent(1) {
                thread::sleep(Duration::from_millis(dice.below(50)));
                world.figures.gtp("kills");
                break;
            }
            if !hear_gtp(world, &engine, number, &line) {
                break;
            }
            let record = world.disk.path("gtp.sgf");
            if line.starts_with(b"printsgf") && record.exists() {
                check_record(world, &fs::read(record)?);
            }
        }
        world.figures.weigh("gtp", engine.id());
        if dice.percent(50) {
            engine.say(b"quit");
            end(world, "gtp", engine);
        }
    }
    Ok(())
}

/// A command, or what is none.
fn gtp_line(dice: &mut Dice, size: &mut u64, world: &World) -> Vec<u8> {
    let color = *dice.pick(&["black", "white"]);
    let text = match dice.below(20) {
        0 => {
            *size = dice.between(5, 9);
            format!("boardsize {size}")
        }
        1 => "clear_board".to_owned(),
        2..=8 => format!("play {color} {}", dice.point(*size)),
        9..=11 if *size < 10 => format!("genmove {color}"),
        12 => "undo".to_owned(),
        13 => "showboard".to_owned(),
        14 => "final_score".to_owned(),
        15 => format!("komi {}", dice.below(100)),
        16 => format!("printsgf {}", world.disk.path("gtp.sgf").display()),
        17 => format!("loadsgf {}", world.disk.path("gtp.sgf").display()),
        18 => format!(
            "time_left {color} {} {}",
            dice.below(10_000),
            dice.below(30)
        ),
        _ => {
            let noise = dice.noise(200).into_iter();
            // Line ends would make several commands of it, and these two characters none.
            let noise = noise.filter(|byte| !matches!(byte, b'\n' | b'\r' | b'#' | 0..=8));
            return [b"x".to_vec(), noise.collect()].concat();
        }
    };
    text.into_bytes()
}

/// Waits for the reply to a command, which has its number and an empty line at its end.
fn hear_gtp(world: &World, engine: &Process, number: u64, line: &[u8]) -> bool {
    let line = String::from_utf8_lossy(line);
    let first = match engine.hear(PATIENCE) {
        Line::Text(first) => first,
        Line::End => {
            world
                .figures
                .problem(format_args!("GTP: {line:?} has ended the engine"));
            return false;
        }
        Line::Nothing => {
            world
                .figures
                .problem(format_args!("GTP: no reply to {line:?}"));
            return false;
        }
    };
    let is_done = first.starts_with(&format!("={number}"));
    if !is_done && !first.starts_with(&format!("?{number}")) {
        world
            .figures
            .problem(format_args!("GTP: {line:?} was answered with {first:?}"));
        return false;
    }
    world.figures.gtp(if is_done { "done" } else { "refused" });
    let mut text = first;
    while !text.is_empty() {
        match engine.hear(PATIENCE) {
            Line::Text(next) => text = next,
            Line::End | Line::Nothing => {
                world
                    .figures
                    .problem(format_args!("GTP: half a reply to {line:?}"));
                return false;
            }
        }
    }
    true
}

/// Whatever happened to the disk, a record is there as a whole.
fn check_record(world: &World, record: &[u8]) {
    if !record.starts_with(b"(;") || !record.trim_ascii_end().ends_with(b")") {
        let record = String::from_utf8_lossy(record);
        world
            .figures
            .problem(format_args!("GTP: half a record: {record:?}"));
    }
}

/// Asks for analyses, of one engine after the other, until the time is over.
pub(super) fn talk_analysis(world: &World) -> Result<()> {
    let mut dice = Dice::new(world.seed, "analysis");
    while !world.is_over() {
        let mut command = Command::new(&world.programs.tengen);
        command.args(["analysis", "--search-threads", "1", "--memory", "64"]);
        let mut engine = Process::start(&mut command, &world.log)?;
        world.figures.analysis("starts");
        for round in 1..dice.between(3, 20) {
            let open = ask_analysis(&mut dice, &mut engine, round, world);
            if dice.percent(5) || world.is_over() {
                world.figures.analysis("kills");
                break;
            }
            if !hear_analysis(world, &engine, open) {
                break;
            }
        }
        world.figures.weigh("analysis", engine.id());
        if dice.percent(50) {
            end(world, "analysis", engine);
        }
    }
    Ok(())
}

/// Sends a few queries, and returns the names under which answers must come; a line that is no query is answered under
/// no name.
fn ask_analysis(
    dice: &mut Dice,
    engine: &mut Process,
    round: u64,
    world: &World,
) -> BTreeSet<String> {
    let mut open = BTreeSet::new();
    for number in 0..dice.between(1, 5) {
        let id = format!("{round}.{number}");
        let size = dice.between(2, 9);
        let moves: Vec<Value> = (0..dice.below(12))
            .map(|turn| json!([if turn % 2 == 0 { "B" } else { "W" }, dice.point(size)]))
            .collect();
        let mut query = json!({
            "id": id, "moves": moves, "rules": "tromp-taylor", "komi": 7,
            "boardXSize": size, "boardYSize": size, "maxVisits": dice.between(1, 60),
        });
        match dice.below(10) {
            0 => query = json!({ "id": id, "action": "query_version" }),
            1 => query["maxVisits"] = json!("many"),
            2 => query["reportDuringSearchEvery"] = json!(0.01),
            3 => {
                let before = format!("{round}.{}", number.saturating_sub(1));
                query = json!({ "id": id, "action": "terminate", "terminateId": before });
            }
            4 => {
                let mut noise = dice.noise(300);
                noise.retain(|byte| !matches!(byte, b'\n' | b'\r'));
                noise.insert(0, b'{');
                engine.say(&noise);
                world.figures.analysis("noise");
                continue;
            }
            _ => {}
        }
        engine.say(query.to_string().as_bytes());
        world.figures.analysis("queries");
        open.insert(id);
    }
    open
}

/// Waits until all queries are answered.
fn hear_analysis(world: &World, engine: &Process, mut open: BTreeSet<String>) -> bool {
    while !open.is_empty() {
        let line = match engine.hear(PATIENCE) {
            Line::Text(line) => line,
            Line::End => {
                world
                    .figures
                    .problem(format_args!("analysis: it ended; open were {open:?}"));
                return false;
            }
            Line::Nothing => {
                world
                    .figures
                    .problem(format_args!("analysis: no answer to {open:?}"));
                return false;
            }
        };
        let Ok(answer) = serde_json::from_str::<Value>(&line) else {
            world
                .figures
                .problem(format_args!("analysis: no JSON: {line:?}"));
            return false;
        };
        let is_last = answer["isDuringSearch"] != true && answer["warning"].is_null();
        match answer["id"].as_str() {
            Some(id) if is_last => {
                open.remove(id);
                let is_error = !answer["error"].is_null();
                world
                    .figures
                    .analysis(if is_error { "errors" } else { "answers" });
            }
            Some(_) => world.figures.analysis("reports"),
            None => world.figures.analysis("errors"),
        }
    }
    true
}

/// A program that is told to end does so, without complaint.
fn end(world: &World, name: &str, engine: Process) {
    match engine.wait() {
        Ok(status) if status.success() => {}
        Ok(status) => world
            .figures
            .problem(format_args!("{name} ended with {status}")),
        Err(error) => world.figures.problem(format_args!("{name}: {error:#}")),
    }
}

//! What a run measures, as other programs that draw curves read it: TensorBoard, Weights & Biases.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};
use tengen_files::FileError;
use tengen_nn::Losses;

use crate::log::Summary;

/// A file of numbers by name, step after step: JSON lines, or an event file of TensorBoard.
#[derive(Debug)]
pub struct ScalarLog {
    path: PathBuf,
    file: File,
    form: Form,
}

#[derive(Clone, Copy, Debug)]
enum Form {
    JsonLines,
    Events,
}

impl ScalarLog {
    /// Opens a log. A path that ends in `.jsonl` is a file of JSON lines, which is gone on with; any other is a folder,
    /// which gets an event file of TensorBoard of its own.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let failed = |error| FileError::new(path, error);
        if path.extension().is_some_and(|ending| ending == "jsonl") {
            let file = File::options().append(true).create(true).open(path);
            return Ok(Self {
                path: path.to_owned(),
                file: file.map_err(failed)?,
                form: Form::JsonLines,
            });
        }
        fs::create_dir_all(path).map_err(failed)?;
        let (path, file) = new_event_file(path).map_err(failed)?;
        let mut log = Self {
            path,
            file,
            form: Form::Events,
        };
        let version = field(3, b"brain.Event:2");
        log.write_event(&[time_field(now()), version].concat())?;
        Ok(log)
    }

    /// The file that is written.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes what a step of learning has found.
    pub fn step(&mut self, step: u64, losses: &Losses) -> Result<(), FileError> {
        self.write(step, &losses_of("step", losses))
    }

    /// Writes what became of a generation.
    pub fn generation(&mut self, summary: &Summary) -> Result<(), FileError> {
        self.write(summary.steps, &scalars_of(summary))
    }

    fn write(&mut self, step: u64, scalars: &[(String, f64)]) -> Result<(), FileError> {
        // JSON has no word for what is not a number, and curves have no place for it.
        let finite = || scalars.iter().filter(|(_, value)| value.is_finite());
        match self.form {
            Form::JsonLines => {
                let mut line: Map<String, Value> = finite()
                    .map(|(name, value)| (name.clone(), json!(value)))
                    .collect();
                line.insert("_step".to_owned(), json!(step));
                line.insert("_timestamp".to_owned(), json!(now()));
                let line = format!("{}\n", Value::Object(line));
                let written = self.file.write_all(line.as_bytes());
                written.map_err(|error| FileError::new(&self.path, error))
            }
            Form::Events => {
                let values: Vec<u8> = finite()
                    .flat_map(|(name, value)| {
                        // A number is one of 32 bits, of wire type 5.
                        let mut scalar = field(1, name.as_bytes());
                        scalar.push(2 << 3 | 5);
                        scalar.extend((*value as f32).to_le_bytes());
                        field(1, &scalar)
                    })
                    .collect();
                let mut event = time_field(now());
                event.push(2 << 3);
                event.extend(varint(step));
                event.extend(field(5, &values));
                self.write_event(&event)
            }
        }
    }

    /// Writes a record: its length, the event, and a sum of each.
    fn write_event(&mut self, event: &[u8]) -> Result<(), FileError> {
        let length = (event.len() as u64).to_le_bytes();
        let mut record = length.to_vec();
        record.extend(masked_crc(&length).to_le_bytes());
        record.extend(event);
        record.extend(masked_crc(event).to_le_bytes());
        let written = self.file.write_all(&record);
        written.map_err(|error| FileError::new(&self.path, error))
    }
}

/// Makes an event file that no program before has written to.
fn new_event_file(folder: &Path) -> io::Result<(PathBuf, File)> {
    let seconds = now() as u64;
    for number in 0_u32.. {
        let path = folder.join(format!("events.out.tfevents.{seconds}.tengen.{number}"));
        match File::options().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Seconds since 1970.
fn now() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0.0, |since| since.as_secs_f64())
}

fn losses_of(group: &str, losses: &Losses) -> Vec<(String, f64)> {
    let named = [
        ("policy", losses.policy),
        ("value", losses.value),
        ("lead", losses.lead),
        ("ownership", losses.ownership),
    ];
    named
        .map(|(name, value)| (format!("{group}/{name}"), value))
        .to_vec()
}

/// All numbers of a generation by name.
fn scalars_of(summary: &Summary) -> Vec<(String, f64)> {
    let mut scalars = losses_of("loss", &summary.losses);
    let mut add = |name: &str, value: f64| scalars.push((name.to_owned(), value));
    add("run/generation", summary.generation as f64);
    add("run/games", summary.games as f64);
    add(
        "run/positions",
        (summary.positions + summary.recorded) as f64,
    );
    add("run/window", summary.window as f64);
    add("time/play", summary.play_seconds);
    add("time/learn", summary.learn_seconds);
    add("time/measure", summary.measure_seconds);
    if summary.learned > 0 {
        add("rate/positions_a_second", summary.examples_per_second());
    }
    let played = &summary.played;
    if played.games > 0 {
        let games = played.games as f64;
        let black = played.black_wins as f64 + played.draws as f64 / 2.0;
        add("rate/games_an_hour", summary.games_per_hour());
        add("games/moves", played.moves as f64 / games);
        add("games/black_share", black / games);
    }
    if let Some(exam) = &summary.exam {
        add("exam/top1", exam.top1);
        add("exam/top5", exam.top5);
        add("exam/winner", exam.winner);
        add("exam/policy_loss", exam.policy_loss);
        add("exam/value_loss", exam.value_loss);
        add("exam/calibration_error", exam.calibration_error);
        add("exam/lead_error", exam.lead_error);
    }
    for versus in &summary.versus {
        add(&format!("share/{}", versus.name), versus.tally.share());
    }
    if summary.knows_who_wins() {
        for known in &summary.fair_komi {
            add(&format!("fair_komi/{}", known.size), f64::from(known.komi));
        }
    }
    scalars
}

/// A field of bytes, as protocol buffers have them.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut written = vec![number << 3 | 2];
    written.extend(varint(bytes.len() as u64));
    written.extend(bytes);
    written
}

fn time_field(seconds: f64) -> Vec<u8> {
    let mut written = vec![1 << 3 | 1];
    written.extend(seconds.to_le_bytes());
    written
}

fn varint(mut number: u64) -> Vec<u8> {
    let mut written = Vec::new();
    while number >= 0x80 {
        written.push(number as u8 | 0x80);
        number >>= 7;
    }
    written.push(number as u8);
    written
}

/// The sum that records of TensorFlow carry: CRC-32C, turned and shifted so that sums of sums differ.
fn masked_crc(bytes: &[u8]) -> u32 {
    let sum = !bytes.iter().fold(!0_u32, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            sum >> 1 ^ (0x82f6_3b78 & (sum & 1).wrapping_neg())
        })
    });
    sum.rotate_right(15).wrapping_add(0xa282_ead8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_crc_32c() {
        // The check value of the algorithm's catalogue is that of these digits.
        let unmasked = masked_crc(b"123456789").wrapping_sub(0xa282_ead8);
        assert_eq!(unmasked.rotate_left(15), 0xe306_9283);
    }

    #[test]
    fn numbers_have_seven_bits_a_byte() {
        assert_eq!(varint(0), [0]);
        assert_eq!(varint(300), [0xac, 2]);
        assert_eq!(varint(u64::MAX).len(), 10);
    }
}

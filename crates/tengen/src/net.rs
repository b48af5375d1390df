//! `tengen net`: networks in files.

mod speed;

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use tengen_core::Size;
use tengen_nn::katago;
use tengen_nn::{Architecture, Net, Precision};
use tengen_train::{
    Calibration, Library, Network, Phase, Question, RecordsOptions, best_calibration, examine,
    reliability_diagram, write_whole,
};

use crate::failure::Usage;
use crate::named_net::{AnyNet, NamedNet};
use crate::train::exam_in_words;

/// Look at networks, make new ones, and export them for other programs.
///
/// A network is a safetensors file, as `tengen train` makes them, with its architecture in the metadata. One network
/// plays on boards of every size. The name `baseline` stands for the one that is part of the program. Networks of
/// KataGo can be looked at and measured.
#[derive(Args)]
pub(crate) struct NetArgs {
    #[command(subcommand)]
    command: NetCommand,
}

#[derive(Subcommand)]
enum NetCommand {
    Info(InfoArgs),
    Bench(BenchArgs),
    Exam(ExamArgs),
    Calibrate(CalibrateArgs),
    Export(ExportArgs),
    Shrink(ShrinkArgs),
    New(NewArgs),
}

/// Show how large a network is, what was noted in its file, and how fast it is on this machine.
///
/// The speed is that of one thread: positions of a game on 9x9, seen and judged one by one.
#[derive(Args)]
struct InfoArgs {
    /// A network, such as net.safetensors or kata1-….bin.gz; the one that is part of the program if it is left out.
    #[arg(default_value = Net::BASELINE_NAME)]
    file: PathBuf,
}

/// Measure how many positions a second networks judge on this machine.
///
/// The speed is that of one thread: positions of a game, seen and judged one by one, or so many together. Networks are
/// measured in turns, so that they can be compared with each other even if the machine has something else to do.
#[derive(Args)]
#[command(after_long_help = "\
Example:
  tengen net bench kata1-b6c96.bin.gz baseline --size 9 --size 19")]
struct BenchArgs {
    /// Networks, such as net.safetensors or kata1-….bin.gz.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The size of the board: 19, or 13x9. It may be given several times.
    #[arg(long = "size", value_name = "SIZE", default_values = ["9", "19"])]
    sizes: Vec<Size>,
    /// How many positions are judged together, up to 64.
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u8).range(1..=speed::POSITIONS as i64))]
    together: u8,
    /// How long each network is measured on each board.
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0)]
    seconds: f64,
}

/// Ask a network about games that people have played: how often it would have played the same, and who it thought would
/// win.
///
/// Positions are spread over all games, the same every time. Under each win rate stands how often players with such
/// positions won: where the two differ much, the win rate does not mean what it says.
#[derive(Args)]
#[command(after_long_help = "\
Example:
  tengen net exam baseline games/*.sgf.xz --positions 10000")]
struct ExamArgs {
    /// A network, such as net.safetensors or kata1-….bin.gz, or `baseline`.
    file: PathBuf,
    /// Files, folders and patterns of records; compressed ones are read as they are.
    #[arg(required = true)]
    records: Vec<String>,
    /// How many positions to ask about, at least one of each game up to that number.
    #[arg(long, value_name = "N", default_value_t = 4000)]
    positions: usize,
    /// Only this share of the games, the one that `held_out` of a training run keeps apart.
    #[arg(long, value_name = "SHARE", default_value_t = 1.0)]
    held_out: f64,
    /// Another network to compare with, such as a tutor: how far the two policies are apart, their win rates and leads.
    #[arg(long, value_name = "FILE")]
    beside: Option<PathBuf>,
    /// Write a picture to this file, as SVG: the win rates that the network says, and how often players won.
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// Write numbers as JSON.
    #[arg(long)]
    json: bool,
}

fn exam(args: &ExamArgs) -> Result<()> {
    let network = Network::read(&args.file).map_err(Usage::new)?;
    let (mut questions, games) = questions(&args.records, args.held_out, args.positions)?;
    if let Some(file) = &args.beside {
        let other = Network::read(file).map_err(Usage::new)?;
        Question::judge(&mut questions, &other);
    }
    let exam = examine(&network, &questions);
    if let Some(file) = &args.picture {
        let caption = format!("{}, {} positions", args.file.display(), exam.positions);
        let picture = reliability_diagram(&exam, &caption);
        write_whole(file, picture.as_bytes())
            .with_context(|| format!("{} cannot be written", file.display()))?;
    }
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&exam)?)?;
        return Ok(());
    }
    writeln!(out, "{} positions of {games} games", exam.positions)?;
    writeln!(out, "{}", exam_in_words(&exam))?;
    writeln!(out, "\nfrom move  positions  top-1 %  top-5 %  winner %")?;
    for phase in &exam.phases {
        let Phase {
            from,
            positions,
            top1,
            top5,
            winner,
        } = phase;
        let [top1, top5, winner] = [top1, top5, winner].map(|share| 100.0 * share);
        writeln!(
            out,
            "{:>9}  {positions:>9}  {top1:>7.1}  {top5:>7.1}  {winner:>8.1}",
            from + 1
        )?;
    }
    writeln!(out, "\nsays %  positions  won %")?;
    for bin in &exam.bins {
        writeln!(
            out,
            "{:>6.1}  {:>9}  {:>5.1}",
            100.0 * bin.said,
            bin.positions,
            100.0 * bin.won
        )?;
    }
    Ok(())
}

/// Write a network whose win rates fit the results of games: temperature scaling, and a bias.
///
/// The logits of win, draw and loss are divided by one number, and another one is added for the player to move, of whom
/// a network may think too well. Both are found from the results of records that the network has not learned from. Its
/// policy, its lead and whose it thinks points are stay as they were.
#[derive(Args)]
#[command(after_long_help = "\
Example:
  tengen net calibrate net.safetensors calibrated.safetensors games/*.sgf.xz --held-out 0.01")]
struct CalibrateArgs {
    /// A network, such as net.safetensors, or `baseline`.
    file: PathBuf,
    #[command(flatten)]
    out: OutArgs,
    /// Files, folders and patterns of records; compressed ones are read as they are.
    #[arg(required = true)]
    records: Vec<String>,
    /// How many positions to ask about, at least one of each game up to that number.
    #[arg(long, value_name = "N", default_value_t = 4000)]
    positions: usize,
    /// Only this share of the games, the one that `held_out` of a training run keeps apart.
    #[arg(long, value_name = "SHARE", default_value_t = 1.0)]
    held_out: f64,
}

fn calibrate(args: &CalibrateArgs) -> Result<()> {
    let NamedNet { net, bytes } = NamedNet::read(&args.file)?;
    let (questions, _) = questions(&args.records, args.held_out, args.positions)?;
    let Calibration { temperature, bias } = best_calibration(&net, &questions)
        .ok_or_else(|| Usage::new("no game of these says who won"))?;
    let calibrated = net.with_calibration(temperature as f32, bias as f32);
    args.out.write(
        &calibrated.to_bytes_with(Precision::of_file(&bytes)?, &noted(&Net::notes(&bytes)?)),
    )?;
    let error = |net: Arc<Net>| 100.0 * examine(&net.into(), &questions).calibration_error;
    let mut out = io::stdout().lock();
    writeln!(out, "temperature {temperature:.3}\nbias {bias:.3}")?;
    writeln!(
        out,
        "calibration error {:.1} % before, {:.1} % after",
        error(net),
        error(Arc::new(calibrated))
    )?;
    Ok(())
}

/// Positions of records, and how many games they are from.
fn questions(
    records: &[String],
    held_out: f64,
    positions: usize,
) -> Result<(Vec<Question>, usize)> {
    let options = RecordsOptions {
        files: records.to_vec(),
        held_out,
        ..RecordsOptions::default()
    };
    let library = Library::read(&options, &mut |_, _| {}).map_err(Usage::new)?;
    let questions = Question::draw(library.held_out(), positions, &options);
    Ok((questions, library.held_out().len()))
}

/// What was noted in a file by whoever wrote it, in the order of names.
fn noted(notes: &HashMap<String, String>) -> Vec<(&str, &str)> {
    let own = |name: &&String| !Net::OWN_NOTES.contains(&name.as_str());
    let mut names: Vec<&String> = notes.keys().filter(own).collect();
    names.sort_unstable();
    let pairs = names.into_iter();
    pairs
        .map(|name| (name.as_str(), notes[name].as_str()))
        .collect()
}

/// Write a network as ONNX, which onnxruntime and many other programs run.
///
/// Batch, height and width are free: one file serves all boards.
#[derive(Args)]
#[command(after_long_help = "\
Inputs:
  planes     batch x 23 x height x width   what VectorEnv(observation=\"tactical\") and Net.inputs show in Python
  globals    batch x 8                     rules and komi, from Net.inputs
Outputs, as the player to move sees them:
  policy     batch x (height * width + 1)  logits of the points row by row, then of the pass
  value      batch x 3                     probabilities to win, to draw, to lose
  lead       batch                         in points, komi included
  ownership  batch x height x width        1 is the player's, -1 the opponent's

Example:
  tengen net export net.safetensors net.onnx
  tengen net export baseline baseline.onnx")]
struct ExportArgs {
    /// A network, such as net.safetensors.
    file: PathBuf,
    #[command(flatten)]
    out: OutArgs,
}

/// Write a network with fewer bits a number: a file of half or a quarter of the size, for play and not for learning.
///
/// With 8 bits, each output of a matrix or a convolution has a scale of its own, and biases keep 16 bits. In memory all
/// numbers have 32 bits again, so that a smaller file is not faster.
#[derive(Args)]
#[command(after_long_help = "\
Example:
  tengen net shrink runs/records/net.safetensors small.safetensors
  tengen net shrink --bits 8 runs/records/net.safetensors smallest.safetensors")]
struct ShrinkArgs {
    /// A network, such as net.safetensors.
    file: PathBuf,
    /// How many bits a number has: 16 or 8.
    #[arg(long, value_name = "N", default_value = "16", value_parser = fewer_bits)]
    bits: Precision,
    #[command(flatten)]
    out: OutArgs,
}

fn fewer_bits(text: &str) -> Result<Precision, String> {
    let fewer = [Precision::Half, Precision::Byte];
    let found = fewer
        .into_iter()
        .find(|precision| text == precision.bits().to_string());
    found.ok_or_else(|| "it is 16 or 8".to_owned())
}

/// Write a network with random weights, which knows nothing.
#[derive(Args)]
#[command(after_long_help = "\
Example:
  tengen net new --blocks 6 --channels 64 --seed 1 fresh.safetensors")]
struct NewArgs {
    /// How many residual blocks it has.
    #[arg(long, value_name = "N", default_value_t = 4)]
    blocks: usize,
    /// How many channels it has: a multiple of 16.
    #[arg(long, value_name = "N", default_value_t = 32)]
    channels: usize,
    /// What the weights are drawn from.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    out: OutArgs,
}

/// A file to be written.
#[derive(Args)]
struct OutArgs {
    /// The file to write.
    out: PathBuf,
    /// Write it even if there is one already.
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &NetArgs) -> Result<()> {
    match &args.command {
        NetCommand::Info(args) => info(args),
        NetCommand::Bench(args) => bench(args),
        NetCommand::Exam(args) => exam(args),
        NetCommand::Calibrate(args) => calibrate(args),
        NetCommand::Export(args) => {
            let NamedNet { net, .. } = NamedNet::read(&args.file)?;
            args.out.write(&net.to_onnx())
        }
        NetCommand::Shrink(args) => {
            let NamedNet { net, bytes } = NamedNet::read(&args.file)?;
            let notes = Net::notes(&bytes)?;
            args.out
                .write(&net.to_bytes_with(args.bits, &noted(&notes)))
        }
        NetCommand::New(args) => {
            let architecture = Architecture {
                blocks: args.blocks,
                channels: args.channels,
            };
            let net = Net::random(architecture, args.seed).map_err(Usage::new)?;
            args.out.write(&net.to_bytes(&[]))
        }
    }
}

impl OutArgs {
    fn write(&self, bytes: &[u8]) -> Result<()> {
        let name = self.out.display();
        if !self.force && self.out.exists() {
            let problem = format_args!("{name} is there already: --force overwrites it");
            return Err(Usage::new(problem).into());
        }
        write_whole(&self.out, bytes).context("cannot write the network")
    }
}

fn info(args: &InfoArgs) -> Result<()> {
    let NamedNet { net, bytes } = match AnyNet::read(&args.file)? {
        AnyNet::Own(named) => named,
        AnyNet::KataGo(net, bytes) => return katago_info(&net, bytes),
    };
    let Architecture { blocks, channels } = net.architecture();
    let mut out = io::stdout().lock();
    writeln!(out, "blocks    {blocks}")?;
    writeln!(out, "channels  {channels}")?;
    writeln!(out, "weights   {}", net.weights().len())?;
    writeln!(out, "bits      {}", Precision::of_file(&bytes)?.bits())?;
    writeln!(out, "bytes     {}", bytes.len())?;
    let mut notes: BTreeMap<String, String> = Net::notes(&bytes)?.into_iter().collect();
    notes.retain(|name, _| !Net::OWN_NOTES.contains(&name.as_str()));
    for (name, value) in notes {
        writeln!(out, "note      {}: {}", printable(&name), printable(&value))?;
    }
    out.flush()?;
    let speed = speed::of(&net);
    writeln!(out, "speed     {speed:.0} positions of 9x9 a second")?;
    Ok(())
}

fn katago_info(net: &katago::Net, bytes: usize) -> Result<()> {
    let about = net.about();
    let mut out = io::stdout().lock();
    writeln!(out, "name      {}", about.name)?;
    writeln!(out, "format    KataGo's, version {}", about.version)?;
    writeln!(out, "blocks    {}", about.blocks)?;
    writeln!(out, "channels  {}", about.channels)?;
    writeln!(out, "weights   {}", about.weights)?;
    writeln!(out, "bytes     {bytes}")?;
    if about.has_metadata {
        writeln!(
            out,
            "note      it wants to know who plays; it is told nothing"
        )?;
    }
    out.flush()?;
    let speed = speed::of_katago(net);
    writeln!(out, "speed     {speed:.0} positions of 9x9 a second")?;
    Ok(())
}

fn bench(args: &BenchArgs) -> Result<()> {
    if !(args.seconds > 0.0 && args.seconds <= 3600.0) {
        return Err(Usage::new("--seconds is more than 0 and at most 3600").into());
    }
    let mut nets = Vec::new();
    for file in &args.files {
        nets.push((file.display().to_string(), AnyNet::read(file)?));
    }
    let mut out = io::stdout().lock();
    for (number, size) in args.sizes.iter().enumerate() {
        let speeds = speed::in_turns(&nets, *size, args.together.into(), args.seconds)?;
        if number == 0 {
            writeln!(out, "{:>7}  positions/s  network", "board")?;
        }
        for ((name, _), speed) in nets.iter().zip(speeds) {
            writeln!(
                out,
                "{:>7}  {speed:>11.1}  {}",
                size.to_string(),
                printable(name)
            )?;
        }
    }
    Ok(())
}

/// A text from a file, without what would move the cursor of a terminal.
fn printable(text: &str) -> String {
    text.replace(char::is_control, " ")
}

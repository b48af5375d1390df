//! `cargo xtask dist`: what a release holds, for this machine's platform, and whether it works when it is installed.

mod archive;
mod bill;
mod check;
mod debian;
mod digest;
mod game;
mod program;
mod release;
mod tools;
mod wheel;

use std::fs;
use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};

use crate::book;
use crate::report::{Missing, Outcome, Report};
use crate::site;
use crate::tally::Tally;
use archive::Archive;
use bill::Bill;
use program::Program;
use release::Release;
use tools::Tools;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Install what was made before into empty folders without Rust, and use it as README says
    #[arg(long)]
    check: bool,
    /// Only this part; may be given several times
    #[arg(long, value_enum, value_name = "PART")]
    only: Vec<Part>,
    /// Build for this target instead of this machine, which must be able to run it
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
    /// Only write the site to target/pages, with the book in a folder below it, as a web host shows them
    #[arg(long, conflicts_with_all = ["check", "only", "target"])]
    pages: bool,
}

/// What a release is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum Part {
    /// The command with its pages for man, completions and licences, in an archive
    Command,
    /// The same as a package for Debian
    Debian,
    /// The Python package, built
    Wheel,
    /// The sources of the Python package
    Sdist,
    /// The app without a server
    Site,
    /// All documents
    Book,
    /// Bills of what the command and the wheel are made of, in the form of CycloneDX
    Sbom,
}

impl Part {
    const ALL: [Self; 7] = [
        Self::Command,
        Self::Debian,
        Self::Wheel,
        Self::Sdist,
        Self::Site,
        Self::Book,
        Self::Sbom,
    ];
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let release = Release::of(args.target.as_deref())?;
    if args.pages {
        return write_pages(&release);
    }
    let has_debian = debian::architecture(&release.target).is_some();
    let parts: Vec<Part> = match args.only.as_slice() {
        [] => Part::ALL
            .into_iter()
            .filter(|part| *part != Part::Debian || has_debian)
            .collect(),
        some => some.to_vec(),
    };
    let mut report = Report::new(Missing::Fails);
    if args.check {
        check::steps(&mut report, &release, &parts);
        return report.finish();
    }
    // Who makes one part again keeps the others.
    if args.only.is_empty() {
        empty(&release)?;
    }
    make(&mut report, &release, &parts)?;
    let done = report.finish()?;
    list(&release)?;
    Ok(done)
}

/// Takes out what an earlier call has made: a release is one version.
fn empty(release: &Release) -> Result<()> {
    for name in release.files()? {
        fs::remove_file(release.folder.join(&name))
            .with_context(|| format!("cannot remove {name}"))?;
    }
    Ok(())
}

fn make(report: &mut Report, release: &Release, parts: &[Part]) -> Result<()> {
    let has = |part: Part| parts.contains(&part);
    let mut tools = None;
    if [Part::Command, Part::Debian, Part::Wheel, Part::Sdist]
        .into_iter()
        .any(has)
    {
        report.step("tools", || {
            tools = Some(Tools::install()?);
            passed()
        });
    }
    if let Some(tools) = &tools {
        if has(Part::Command) || has(Part::Debian) {
            report.step("command", || {
                let program = Program::build(release, tools)?;
                if has(Part::Command) {
                    let name = release.command_name();
                    let archive = program.archive(release)?;
                    if release.is_windows() {
                        release.write(&format!("{name}.zip"), &archive.zip()?)?;
                    } else {
                        release.write(&format!("{name}.tar.gz"), &archive.tar_gz()?)?;
                    }
                }
                if has(Part::Debian) {
                    let package = debian::package(release, &program)?;
                    release.write(&debian::name(release)?, &package)?;
                }
                passed()
            });
        }
        if has(Part::Wheel) {
            report.step("wheel", || {
                wheel::build(release, tools)?;
                passed()
            });
        }
        if has(Part::Sdist) {
            report.step("sdist", || {
                wheel::pack_sources(release, tools)?;
                passed()
            });
        }
    }
    if has(Part::Site) {
        report.step("site", || {
            // A folder of its own: whoever tests the site has other things in the usual one.
            let folder = release.root.join("target/dist-site");
            site::write(&folder)?;
            pack(release, "site", &folder)
        });
    }
    if has(Part::Book) {
        report.step("book", || {
            ensure!(
                book::run()? == ExitCode::SUCCESS,
                "the book could not be written"
            );
            pack(release, "book", &release.root.join("target/book/pages"))
        });
    }
    if has(Part::Sbom) {
        report.step("bills", || {
            for (package, name) in [("tengen", "command"), ("tengen-py", "wheel")] {
                let bill = Bill::read(package, &release.target)?.cyclonedx()?;
                let name = format!(
                    "tengen-{}-{name}-{}.cdx.json",
                    release.version, release.target
                );
                release.write(&name, bill.as_bytes())?;
            }
            passed()
        });
    }
    report.step("checksums", || {
        let mut files = release.files()?;
        files.retain(|name| !name.starts_with(digest::START));
        let sums = digest::list(&release.folder, &files)?;
        release.write(&digest::name(&release.target), sums.as_bytes())?;
        passed()
    });
    Ok(())
}

/// Writes the site, and the book below it.
fn write_pages(release: &Release) -> Result<ExitCode> {
    let folder = release.root.join("target/pages");
    site::write(&folder)?;
    ensure!(
        book::run()? == ExitCode::SUCCESS,
        "the book could not be written"
    );
    let mut book = Archive::new(release.time);
    book.add_folder("book", &release.root.join("target/book/pages"))?;
    book.write(&folder)?;
    writeln!(std::io::stdout(), "{}", folder.display()).context("cannot print the folder")?;
    Ok(ExitCode::SUCCESS)
}

/// Packs a folder of pages.
fn pack(release: &Release, what: &str, folder: &std::path::Path) -> Result<Outcome> {
    let name = format!("tengen-{}-{what}", release.version);
    let mut archive = Archive::new(release.time);
    archive.add_folder(&name, folder)?;
    release.write(&format!("{name}.tar.gz"), &archive.tar_gz()?)?;
    passed()
}

fn passed() -> Result<Outcome> {
    Ok(Outcome::Passed(Tally::ONE_PASSED))
}

/// Prints what is there, with sizes.
fn list(release: &Release) -> Result<()> {
    let mut text = format!("\n{}\n", release.folder.display());
    for name in release.files()? {
        let bytes = fs::metadata(release.folder.join(&name))?.len();
        text += &format!("{:>9} kB  {name}\n", bytes.div_ceil(1000));
    }
    std::io::stdout()
        .write_all(text.as_bytes())
        .context("cannot print the list")
}

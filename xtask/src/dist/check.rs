//! `cargo xtask dist --check`: everything is installed into an empty place without Rust, and used as README says.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use super::archive::unpack;
use super::release::Release;
use super::tools::Tools;
use super::{Part, debian, digest, game, passed, wheel};
use crate::cargo::cargo;
use crate::console;
use crate::python::PythonEnvironment;
use crate::report::{Outcome, Report, run, run_tests};
use crate::site;

/// A folder that was emptied, below `target/dist-check`.
fn empty_folder(release: &Release, name: &str) -> Result<PathBuf> {
    let folder = release.root.join("target/dist-check").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)
            .with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    Ok(folder)
}

pub(super) fn steps(report: &mut Report, release: &Release, parts: &[Part]) {
    report.step("checksums", || {
        let list = digest::name(&release.target);
        let files = digest::check(&release.folder, &list)?;
        console::say(&format!("    {files} files are what {list} says"));
        passed()
    });
    for part in parts {
        let name = format!("{part:?}").to_lowercase();
        report.step(&name, || match part {
            Part::Command => command(release),
            Part::Debian => debian_package(release),
            Part::Wheel => python_package(release),
            Part::Sdist => sources(release),
            Part::Site => pages(release, "site").and_then(|folder| site::test_folder(&folder)),
            Part::Book => book(release),
            Part::Sbom => bills(release),
        });
    }
}

/// A program that finds nothing but what is in these folders: no compiler above all.
fn alone(program: impl AsRef<OsStr>, folders: &[&Path]) -> Result<Command> {
    let mut command = Command::new(program);
    command
        .env_clear()
        .env("PATH", std::env::join_paths(folders)?)
        .stdin(Stdio::null());
    // Without it programs of Windows find no library of the system.
    if let Some(root) = std::env::var_os("SYSTEMROOT") {
        command.env("SYSTEMROOT", root);
    }
    Ok(command)
}

fn command(release: &Release) -> Result<Outcome> {
    let folder = empty_folder(release, "command")?;
    let name = release.command_name();
    if release.is_windows() {
        let archive = fs::File::open(release.find(&name, ".zip")?)?;
        zip::ZipArchive::new(archive)?.extract(&folder)?;
    } else {
        unpack(&release.find(&name, ".tar.gz")?, &folder)?;
    }
    let folder = folder.join(&name);
    for file in [
        "README.md",
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "LICENSES-OF-DEPENDENCIES.txt",
        "man/man1/tengen.1",
        "man/man1/tengen-sgf-check.1",
        "completions/tengen.bash",
        "completions/_tengen",
        "completions/tengen.fish",
        "completions/_tengen.ps1",
    ] {
        ensure!(folder.join(file).is_file(), "{file} is missing");
    }
    use_command(release, &folder)
}

fn debian_package(release: &Release) -> Result<Outcome> {
    let package = release.folder.join(debian::name(release)?);
    let folder = empty_folder(release, "debian")?;
    let mut info = Command::new("dpkg-deb");
    info.arg("--info").arg(&package);
    let mut extract = Command::new("dpkg-deb");
    extract.arg("--extract").arg(&package).arg(&folder);
    for step in [&mut info, &mut extract] {
        match run(step)? {
            Outcome::Passed(_) => {}
            outcome => return Ok(outcome),
        }
    }
    ensure!(
        folder.join("usr/share/man/man1/tengen.1.gz").is_file(),
        "the first page is missing"
    );
    use_command(release, &folder.join("usr/bin"))
}

/// Plays a game with the installed command and types what README types.
fn use_command(release: &Release, folder: &Path) -> Result<Outcome> {
    let program = folder.join(if release.is_windows() {
        "tengen.exe"
    } else {
        "tengen"
    });
    let version = alone(&program, &[folder])?.arg("--version").output()?;
    let version = String::from_utf8_lossy(&version.stdout).trim().to_owned();
    ensure!(
        version == format!("tengen {}", release.version),
        "the command calls itself {version:?}"
    );
    let mut engine = alone(&program, &[folder])?;
    engine.args(["gtp", "--level", "2", "--seed", "1"]);
    let (moves, result) = game::play(engine)?;
    console::say(&format!("    a game of {moves} moves by GTP: {result}"));
    if cfg!(unix) {
        let readme = fs::read_to_string(release.root.join("README.md")).context("README.md")?;
        let sessions = sessions(&readme);
        ensure!(
            !sessions.is_empty(),
            "README has no commands with what they print"
        );
        for (line, shown) in &sessions {
            let mut shell = alone("/bin/sh", &[folder])?;
            let output = shell
                .args(["-c", line])
                .current_dir(&release.root)
                .output()?;
            let printed = String::from_utf8_lossy(&output.stdout);
            ensure!(printed == shown.as_str(), "{line:?} prints {printed:?}");
        }
        console::say(&format!(
            "    {} commands of README print what it says",
            sessions.len()
        ));
    }
    passed()
}

/// The commands in `console` blocks, each with the output below it.
fn sessions(readme: &str) -> Vec<(String, String)> {
    let mut sessions: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if inside {
            match (line.strip_prefix("$ "), sessions.last_mut()) {
                (Some(command), _) => sessions.push((command.to_owned(), String::new())),
                (None, Some((_, output))) => *output += &format!("{line}\n"),
                (None, None) => {}
            }
        }
    }
    sessions
}

/// Installs the wheel into an environment that has NumPy, as most have, and runs the snippets and examples.
fn python_package(release: &Release) -> Result<Outcome> {
    let tools = Tools::install()?;
    let mut twine = tools.program("twine")?;
    twine
        .args(["check", "--strict"])
        .arg(release.find("tengen-", ".whl")?);
    let mut outcome = run(&mut twine)?;
    if cfg!(target_os = "linux") && matches!(outcome, Outcome::Passed(_)) {
        outcome = wheel::audit(release, &tools)?;
    }
    if !matches!(outcome, Outcome::Passed(_)) {
        return Ok(outcome);
    }
    empty_folder(release, "python")?;
    let name = "dist-check/python";
    let environment = match PythonEnvironment::make(name, &["numpy", "pytest"])? {
        Ok(environment) => environment,
        Err(outcome) => return Ok(outcome),
    };
    let wheel = release.find("tengen-", ".whl")?;
    let folder = environment.programs();
    let started = Instant::now();
    let mut install = alone(environment.python(), &[folder])?;
    // Nothing is downloaded, and nothing is built.
    install
        .args(["-m", "pip", "install", "--no-index", "--only-binary=:all:"])
        .arg(&wheel);
    match run(&mut install)? {
        Outcome::Passed(_) => {}
        outcome => return Ok(outcome),
    }
    let seconds = started.elapsed().as_secs_f64();
    console::say(&format!("    pip installed the wheel in {seconds:.1} s"));
    let mut tour = alone(environment.python(), &[folder])?;
    // Elsewhere than in the folder with the sources of the package, which Python would prefer.
    tour.current_dir(release.root.join("target/dist-check"));
    tour.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]);
    for file in ["test_readme.py", "test_examples.py"] {
        tour.arg(release.root.join("python/tests").join(file));
    }
    run_tests(tour)
}

/// Are the sources of the Python package whole? They compile without the checkout.
fn sources(release: &Release) -> Result<Outcome> {
    let archive = release.find("tengen-", &format!("{}.tar.gz", release.version))?;
    let tools = Tools::install()?;
    let mut twine = tools.program("twine")?;
    twine.args(["check", "--strict"]).arg(&archive);
    match run(&mut twine)? {
        Outcome::Passed(_) => {}
        outcome => return Ok(outcome),
    }
    let folder = empty_folder(release, "sdist")?;
    unpack(&archive, &folder)?;
    let folder = folder.join(format!("tengen-{}", release.version));
    for file in ["LICENSE-MIT", "LICENSE-APACHE", "PKG-INFO"] {
        ensure!(folder.join(file).is_file(), "{file} is missing");
    }
    let mut check = cargo()?;
    check
        .current_dir(&folder)
        .args(["check", "--locked", "--package", "tengen-py"])
        // Where dependencies have been checked already.
        .env("CARGO_TARGET_DIR", release.root.join("target"))
        .env("PYO3_BUILD_EXTENSION_MODULE", "1");
    run(&mut check)
}

/// Unpacks a folder of pages and says where it is.
fn pages(release: &Release, what: &str) -> Result<PathBuf> {
    let name = format!("tengen-{}-{what}", release.version);
    let folder = empty_folder(release, what)?;
    unpack(&release.find(&name, ".tar.gz")?, &folder)?;
    Ok(folder.join(name))
}

fn book(release: &Release) -> Result<Outcome> {
    let folder = pages(release, "book")?;
    let index = fs::read_to_string(folder.join("index.html")).context("the book has no index")?;
    ensure!(
        index.contains("Tengen"),
        "the index of the book is another one"
    );
    ensure!(
        folder.join("CONTRIBUTING.html").is_file(),
        "the book lacks pages"
    );
    passed()
}

/// Do the bills follow the schema of CycloneDX?
fn bills(release: &Release) -> Result<Outcome> {
    let tools = Tools::install()?;
    let mut validate = tools.python();
    validate.arg("-c").arg(VALIDATE);
    for name in ["command", "wheel"] {
        let start = format!("tengen-{}-{name}-", release.version);
        validate.arg(release.find(&start, ".cdx.json")?);
    }
    run(&mut validate)
}

const VALIDATE: &str = "
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

for name in sys.argv[1:]:
    with open(name, encoding='utf-8') as file:
        problem = JsonStrictValidator(SchemaVersion.V1_5).validate_str(file.read())
    if problem is not None:
        sys.exit(f'{name}: {problem}')
";

#[cfg(test)]
mod tests {
    use super::sessions;

    #[test]
    fn sessions_are_commands_with_what_they_print() {
        let readme = "```sh\n$ not this\n```\n```console\n$ one\n1\n2\n$ two\n```\n$ nor this\n";
        let found = sessions(readme);
        let wanted = [("one", "1\n2\n"), ("two", "")];
        assert_eq!(found, wanted.map(|(a, b)| (a.to_owned(), b.to_owned())));
    }
}

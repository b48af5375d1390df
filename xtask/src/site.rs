//! `cargo xtask site`: the app as a folder of files, for any web host.

use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};

use crate::cargo::root;
use crate::page::Workshop;
use crate::report::{Missing, Outcome, Report, run_tests};
use crate::system_package::CHROMIUM;
use crate::tally::Tally;
use crate::wasm::Toolchain;

/// What lets the page work without a network.
const OFFLINE: &str = "offline.js";

/// Where the page looks for the module.
const MODULE: &str = "backend/wasm/tengen.wasm";

/// Lets the page start a worker instead of looking for a server.
const CONNECT: &str = "export { connect } from \"./wasm/connect.js\";\n";

/// The same that `tengen serve` says in a header: the page loads nothing from elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The folder to write; `target/site` if nothing is said
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Write `target/site` and test it: the module as users get it, which `cargo xtask test` compiles faster
    #[arg(long, conflicts_with = "out")]
    test: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    if args.test {
        let mut report = Report::new(Missing::Fails);
        report.step("site", || test_with(PROFILE));
        return report.finish();
    }
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None => root()?.join("target/site"),
    };
    let site = build(&Toolchain::find()?, PROFILE, &folder)?;
    let kilobytes = |bytes: usize| bytes.div_ceil(1000);
    let mut stdout = std::io::stdout().lock();
    writeln!(
        stdout,
        "{}: {} files, {} kB, of which the module {} kB",
        folder.display(),
        site.files.len(),
        kilobytes(site.bytes()),
        kilobytes(site.module_bytes()),
    )
    .context("cannot print the summary")?;
    Ok(ExitCode::SUCCESS)
}

/// The profile of the module that users get, and that of the module that is tested with everything else.
const PROFILE: &str = "site";
const TEST_PROFILE: &str = "site-test";

/// Compiles the module for the tests, if there is a compiler.
pub(crate) fn build_for_tests() -> Result<Outcome> {
    let toolchain = match Toolchain::find() {
        Ok(toolchain) => toolchain,
        Err(reason) => return Ok(Outcome::Missing(format!("{reason:#}"))),
    };
    toolchain.build(TEST_PROFILE)?;
    Ok(Outcome::Passed(Tally::ONE_PASSED))
}

/// Builds the site and tests it: the module alone, and the page in a browser.
pub(crate) fn test() -> Result<Outcome> {
    test_with(TEST_PROFILE)
}

fn test_with(profile: &str) -> Result<Outcome> {
    let toolchain = match Toolchain::find() {
        Ok(toolchain) => toolchain,
        Err(reason) => return Ok(Outcome::Missing(format!("{reason:#}"))),
    };
    let folder = root()?.join("target/site");
    build(&toolchain, profile, &folder)?;
    test_folder(&folder)
}

/// Writes the site as users get it to a folder.
pub(crate) fn write(folder: &Path) -> Result<()> {
    build(&Toolchain::find()?, PROFILE, folder).map(|_| ())
}

/// Tests a site that was written before.
pub(crate) fn test_folder(folder: &Path) -> Result<Outcome> {
    let workshop = match Workshop::open()? {
        Ok(workshop) => workshop,
        Err(reason) => return Ok(reason),
    };
    let chromium = match CHROMIUM.ensure() {
        Ok(chromium) => chromium,
        Err(reason) => return Ok(Outcome::Missing(format!("{reason:#}"))),
    };
    let mut tests = workshop.tests("site")?;
    tests
        .env("TENGEN_SITE", folder)
        .env("CHROMIUM", chromium)
        .env("TENGEN_SCREENSHOTS", root()?.join("target/screenshots"));
    run_tests(tests)
}

/// All files of a site.
struct Site {
    files: Vec<(String, Vec<u8>)>,
}

fn build(toolchain: &Toolchain, profile: &str, folder: &Path) -> Result<Site> {
    check(folder)?;
    let module = toolchain.build(profile)?;
    let root = root()?;
    let mut site = Site { files: Vec::new() };
    site.add_folder(&root.join("web/page"), "")?;
    site.change("index.html", with_policy)?;
    site.change("backend/connect.js", |_| Some(CONNECT.to_owned()))?;
    let module = fs::read(&module).with_context(|| format!("cannot read {}", module.display()))?;
    site.files.push((MODULE.to_owned(), module));
    site.files.sort();
    let offline = root.join("web/site").join(OFFLINE);
    let offline = fs::read_to_string(&offline)
        .with_context(|| format!("cannot read {}", offline.display()))?;
    let offline = format!("{}\n{offline}", site.inventory());
    site.files.push((OFFLINE.to_owned(), offline.into_bytes()));
    site.write(folder)?;
    Ok(site)
}

/// Refuses a folder with anything in it that is not a site, since it will be emptied.
fn check(folder: &Path) -> Result<()> {
    let is_empty = fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    ensure!(
        is_empty || folder.join(MODULE).exists(),
        "{} has other things in it: name a folder that is empty or not there yet",
        folder.display()
    );
    Ok(())
}

/// Says in the page what a server says in a header.
fn with_policy(page: &str) -> Option<String> {
    let meta =
        format!("<head>\n    <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">");
    page.contains("<head>")
        .then(|| page.replacen("<head>", &meta, 1))
}

impl Site {
    /// Adds the files of a folder and those below it; `place` is the folder's name in the site, with a slash at its
    /// end.
    fn add_folder(&mut self, folder: &Path, place: &str) -> Result<()> {
        let cannot_read = || format!("cannot read {}", folder.display());
        for entry in fs::read_dir(folder).with_context(cannot_read)? {
            let entry = entry.with_context(cannot_read)?;
            let name = entry.file_name();
            let name = name.to_str().with_context(cannot_read)?;
            let path = entry.path();
            if path.is_dir() {
                self.add_folder(&path, &format!("{place}{name}/"))?;
            } else {
                let bytes =
                    fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
                self.files.push((format!("{place}{name}"), bytes));
            }
        }
        Ok(())
    }

    /// Changes the text of a file.
    fn change(&mut self, name: &str, change: impl FnOnce(&str) -> Option<String>) -> Result<()> {
        let file = self.files.iter_mut().find(|(other, _)| other == name);
        let changed = file.and_then(|(_, bytes)| {
            let text = change(std::str::from_utf8(bytes).ok()?)?;
            *bytes = text.into_bytes();
            Some(())
        });
        changed.with_context(|| format!("{name} is not what it used to be: see xtask/src/site.rs"))
    }

    /// What the offline worker has to know: the files, and a name for this version of them.
    fn inventory(&self) -> String {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for (name, bytes) in &self.files {
            for byte in name.bytes().chain([0]).chain(bytes.iter().copied()) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
        let mut text = format!("const VERSION = \"tengen-{hash:016x}\";\nconst FILES = [");
        for (name, _) in &self.files {
            // Writing to a text does not fail.
            _ = write!(text, "\n  {name:?},");
        }
        text.push_str("\n];\n");
        text
    }

    fn write(&self, folder: &Path) -> Result<()> {
        if folder.exists() {
            fs::remove_dir_all(folder)
                .with_context(|| format!("cannot empty {}", folder.display()))?;
        }
        for (name, bytes) in &self.files {
            let path = folder.join(name);
            let parent = path.parent().unwrap_or(folder);
            fs::create_dir_all(parent)
                .and_then(|()| fs::write(&path, bytes))
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.files.iter().map(|(_, bytes)| bytes.len()).sum()
    }

    fn module_bytes(&self) -> usize {
        let module = self.files.iter().find(|(name, _)| name == MODULE);
        module.map_or(0, |(_, bytes)| bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(files: &[(&str, &str)]) -> Site {
        let files = files.iter();
        Site {
            files: files
                .map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_owned()))
                .collect(),
        }
    }

    #[test]
    fn the_page_of_this_checkout_can_be_told_what_to_load() {
        let page = include_str!("../../web/page/index.html");
        let changed = with_policy(page).expect("the page has a head");
        assert!(changed.contains("Content-Security-Policy"));
        assert_eq!(with_policy("<p>something else</p>"), None);
    }

    #[test]
    fn another_file_or_another_byte_is_another_version() {
        let version = |files| site(files).inventory().lines().next().map(str::to_owned);
        let one = version(&[("a", "1"), ("b", "2")]);
        assert_eq!(one, version(&[("a", "1"), ("b", "2")]));
        assert_ne!(one, version(&[("a", "1"), ("b", "3")]));
        assert_ne!(one, version(&[("a", "1"), ("c", "2")]));
        assert!(
            site(&[("a", "1")])
                .inventory()
                .ends_with("[\n  \"a\",\n];\n")
        );
    }

    #[test]
    fn a_folder_with_other_things_is_left_alone() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(check(folder).is_err());
        assert!(check(&folder.join("no such folder")).is_ok());
    }
}

//! `cargo xtask site`: the app as a folder of files, for any web host.

use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::cargo::root;
use crate::page::Workshop;
use crate::report::{Missing, Outcome, Report, run_tests};
use crate::system_package::CHROMIUM;
use crate::tally::Tally;
use crate::wasm::{Toolchain, Variant};

/// What lets the page work without a network.
const OFFLINE: &str = "offline.js";

/// Where the page looks for modules and networks.
const WORKER: &str = "backend/wasm/";

/// Where networks are that the page brings along, and what they are called.
const MODELS: &str = "crates/tengen-nn/models";
const NETWORKS: [&str; 2] = ["baseline.safetensors", "baseline-large.safetensors"];

/// The script that the page begins with.
const MAIN: &str = "main.js";

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
        "{}: {} files, {} kB",
        folder.display(),
        site.files.len(),
        kilobytes(site.bytes()),
    )
    .context("cannot print the summary")?;
    for (name, bytes) in site.heavy() {
        writeln!(stdout, "  {name}: {} kB", kilobytes(bytes.len()))
            .context("cannot print the summary")?;
    }
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
    for variant in Variant::ALL {
        toolchain.build(TEST_PROFILE, variant)?;
    }
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
    let root = root()?;
    let mut site = Site { files: Vec::new() };
    site.add_folder(&root.join("web/page"), "")?;
    site.change("backend/connect.js", |_| Some(CONNECT.to_owned()))?;
    let scripts = site.imported(MAIN);
    site.change("index.html", |page| {
        with_policy(&with_scripts(page, &scripts))
    })?;
    let read =
        |path: &Path| fs::read(path).with_context(|| format!("cannot read {}", path.display()));
    for variant in Variant::ALL {
        let mut module = read(&toolchain.build(profile, variant)?)?;
        if variant.file().ends_with(".gz") {
            module = packed(&module)?;
        }
        site.files
            .push((format!("{WORKER}{}", variant.file()), module));
    }
    for network in NETWORKS {
        let bytes = read(&root.join(MODELS).join(network))?;
        site.files.push((format!("{WORKER}{network}"), bytes));
    }
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
        is_empty || folder.join(WORKER).exists(),
        "{} has other things in it: name a folder that is empty or not there yet",
        folder.display()
    );
    Ok(())
}

fn packed(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer
        .write_all(bytes)
        .and_then(|()| packer.finish())
        .context("cannot pack the module")
}

/// Lets a browser fetch all scripts at once, instead of one after another as it reads them.
fn with_scripts(page: &str, scripts: &[String]) -> String {
    let links = scripts.iter().fold(String::new(), |mut links, script| {
        // Writing to a text does not fail.
        _ = write!(
            links,
            "<link rel=\"modulepreload\" href=\"{script}\">\n    "
        );
        links
    });
    page.replacen("<script ", &format!("{links}<script "), 1)
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

    /// Modules and networks.
    fn heavy(&self) -> impl Iterator<Item = &(String, Vec<u8>)> {
        let is_heavy = |name: &str| name.starts_with(WORKER) && !name.ends_with(".js");
        self.files.iter().filter(move |(name, _)| is_heavy(name))
    }

    /// A script and all that it imports, and so on; those that are imported later are not.
    fn imported(&self, first: &str) -> Vec<String> {
        let mut scripts = vec![first.to_owned()];
        let mut at = 0;
        while let Some(script) = scripts.get(at).cloned() {
            at += 1;
            let file = self.files.iter().find(|(name, _)| *name == script);
            let text = file.map_or("", |(_, bytes)| {
                std::str::from_utf8(bytes).unwrap_or_default()
            });
            for import in text.split(" from \"").skip(1) {
                let named = import.split('"').next().unwrap_or_default();
                let path = joined(&script, named);
                if named.starts_with('.') && !scripts.contains(&path) {
                    scripts.push(path);
                }
            }
        }
        scripts
    }
}

/// A path that a script names, seen from the page.
fn joined(script: &str, named: &str) -> String {
    let mut parts: Vec<&str> = script.split('/').collect();
    parts.pop();
    for part in named.split('/') {
        match part {
            "." => {}
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_script_imports_is_found_wherever_it_lies() {
        let site = site(&[
            (
                "main.js",
                "import { a } from \"./parts/a.js\";\nimport(\"./late.js\")",
            ),
            (
                "parts/a.js",
                "import { b } from \"../b.js\";\nimport { c } from \"./c.js\";",
            ),
            ("b.js", "export { a } from \"./parts/a.js\";"),
        ]);
        let scripts = ["main.js", "parts/a.js", "b.js", "parts/c.js"];
        assert_eq!(site.imported("main.js"), scripts);
        let page = with_scripts(
            "<head><script src=\"main.js\"></script></head>",
            &["b.js".to_owned()],
        );
        assert!(
            page.contains("<link rel=\"modulepreload\" href=\"b.js\">"),
            "{page}"
        );
    }

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

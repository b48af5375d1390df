//! `cargo xtask site`: the app as a folder of files, for any web host.

mod bundle;

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
use bundle::Bundle;

/// What lets the page work without a network.
const OFFLINE: &str = "offline.js";

/// Where the page looks for modules and networks.
const WORKER: &str = "backend/wasm/";

/// Where networks are that the page brings along, and what they are called.
const MODELS: &str = "crates/tengen-nn/models";
const NETWORKS: [&str; 2] = ["baseline.safetensors", "baseline-large.safetensors"];

/// The script that the page begins with.
const MAIN: &str = "main.js";

/// That script with all that it imports, and the style sheets as one.
const BUNDLE: &str = "page.js";
const STYLE: &str = "style/page.css";

/// The script that the worker begins with.
const START: &str = "backend/wasm/start.js";

/// Lets the page start a worker instead of looking for a server.
const CONNECT: &str =
    "import { connect as start } from \"./wasm/connect.js\";\n\nexport const connect = start;\n";

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
    site.join_scripts()?;
    site.join_styles()?;
    site.change("index.html", with_policy)?;
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

    fn text(&self, name: &str) -> Option<&str> {
        let (_, bytes) = self.files.iter().find(|(other, _)| other == name)?;
        std::str::from_utf8(bytes).ok()
    }

    /// Makes one script of those that the page begins with, and one of those of the worker: on a slow line each file
    /// is half a second. What is loaded later finds the same scripts where they were.
    fn join_scripts(&mut self) -> Result<()> {
        let worker = Bundle::of(START, &|name| self.text(name))?.text(START);
        let page = Bundle::of(MAIN, &|name| self.text(name))?;
        self.change(START, |_| Some(worker))?;
        for (name, bytes) in &mut self.files {
            if let Some(stub) = page.stub(name, BUNDLE) {
                *bytes = stub.into_bytes();
            }
        }
        self.files
            .push((BUNDLE.to_owned(), page.text(BUNDLE).into_bytes()));
        self.change("index.html", |html| {
            let script = format!("src=\"{MAIN}\"");
            html.contains(&script)
                .then(|| html.replacen(&script, &format!("src=\"{BUNDLE}\""), 1))
        })
    }

    /// Makes one style sheet of those of the page, in their order.
    fn join_styles(&mut self) -> Result<()> {
        let html = self.text("index.html").context("there is no page")?;
        let (start, end) = ("<link rel=\"stylesheet\" href=\"", "\">");
        let names: Vec<String> = html
            .split(start)
            .skip(1)
            .filter_map(|rest| rest.split_once(end))
            .map(|(name, _)| name.to_owned())
            .collect();
        let mut style = String::new();
        for name in &names {
            style += self
                .text(name)
                .with_context(|| format!("{name} is not there"))?;
        }
        let links = |name: &String| format!("{start}{name}{end}\n    ");
        let old: String = names.iter().map(links).collect();
        self.change("index.html", |html| {
            html.contains(&old)
                .then(|| html.replacen(&old, &links(&STYLE.to_owned()), 1))
        })?;
        self.files.retain(|(name, _)| !names.contains(name));
        self.files.push((STYLE.to_owned(), style.into_bytes()));
        Ok(())
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
    fn a_page_begins_with_one_script_and_one_style_sheet() {
        let page = "<link rel=\"stylesheet\" href=\"style/a.css\">\n    \
            <link rel=\"stylesheet\" href=\"style/b.css\">\n    <script src=\"main.js\"></script>";
        let mut site = site(&[
            ("index.html", page),
            ("main.js", "import { a } from \"./parts/a.js\";\na();\n"),
            ("parts/a.js", "export function a() {}\n"),
            (
                "backend/wasm/start.js",
                "import { d } from \"./desk.js\";\n",
            ),
            ("backend/wasm/desk.js", "export const d = 1;\n"),
            ("style/a.css", "a {}\n"),
            ("style/b.css", "b {}\n"),
        ]);
        site.join_scripts().unwrap();
        site.join_styles().unwrap();
        let expected = "<link rel=\"stylesheet\" href=\"style/page.css\">\n    \
            <script src=\"page.js\"></script>";
        assert_eq!(site.text("index.html"), Some(expected));
        assert_eq!(site.text("style/page.css"), Some("a {}\nb {}\n"));
        assert_eq!(site.text("style/a.css"), None);
        assert!(site.text("page.js").unwrap().contains("function a() {}"));
        assert!(
            site.text("parts/a.js")
                .unwrap()
                .contains("from \"../page.js\"")
        );
        assert!(site.text(START).unwrap().contains("const d = 1;"));
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
        let mut site = Site { files: Vec::new() };
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/page");
        site.add_folder(&page, "").unwrap();
        site.change("backend/connect.js", |_| Some(CONNECT.to_owned()))
            .unwrap();
        site.join_scripts().unwrap();
        site.join_styles().unwrap();
        site.change("index.html", with_policy)
            .expect("the page has a head");
        let page = site.text("index.html").unwrap();
        assert!(page.contains("Content-Security-Policy"));
        assert_eq!(page.matches("<script ").count(), 1);
        assert_eq!(page.matches("stylesheet").count(), 1);
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

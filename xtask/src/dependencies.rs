//! What may be built into Tengen: licences, sources and versions of all dependencies.

use std::collections::BTreeMap;
use std::iter::Peekable;

use anyhow::Result;

use crate::console;
use crate::metadata::{Metadata, Package, Scope};
use crate::report::Outcome;
use crate::tally::Tally;

/// Tengen is MIT OR Apache-2.0, so only licences that ask for no more than attribution are let in. Add one when a
/// dependency first needs it.
const LICENCES: [&str; 8] = [
    "MIT",
    "Apache-2.0",
    "Unicode-3.0",
    // The rasteriser: tiny-skia, and the arrayref that it uses. NumPy's arrays for Python.
    "BSD-3-Clause",
    "BSD-2-Clause",
    // target-lexicon, which only helps to build the Python module.
    "Apache-2.0 WITH LLVM-exception",
    // slotmap, in which the rasteriser keeps fonts; asks for nothing in binaries.
    "Zlib",
    // xxhash-rust, which hashes the inputs of networks; asks for nothing in binaries.
    "BSL-1.0",
];

/// What writes the book (mdBook and what it stands on) is part of no program that users get, so it may ask for more.
const BOOK_TOOLS: [(&str, &str); 3] = [
    ("mdbook-", "MPL-2.0"),
    ("font-awesome-as-a-crate", "CC-BY-4.0 AND MIT"),
    ("ego-tree", "ISC"),
];

fn is_book_tool(package: &Package) -> bool {
    let mut tools = BOOK_TOOLS.iter();
    tools.any(|(name, licence)| {
        package.name.starts_with(name) && package.license.as_deref() == Some(licence)
    })
}

/// The one registry that packages come from. Neither others nor git repositories are let in.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Checks all packages. Security advisories are left to other tools: they change with the day, and a verdict on a
/// commit should not.
pub(crate) fn check() -> Result<Outcome> {
    let packages = Metadata::read(Scope::Everything)?.packages;
    for remark in several_versions(&packages) {
        console::say(&format!("    remark: {remark}"));
    }
    let problems: Vec<String> = packages.iter().flat_map(problems).collect();
    for problem in &problems {
        console::say(&format!("    {problem}"));
    }
    Ok(match problems.first() {
        None => Outcome::Passed(Tally::ONE_PASSED),
        Some(first) => {
            let reason = format!("{} problems, the first: {first}", problems.len());
            Outcome::Failed(Tally::ONE_FAILED, reason)
        }
    })
}

/// What is wrong with a package.
fn problems(package: &Package) -> Vec<String> {
    let name = format!("{} {}", package.name, package.version);
    let mut problems = Vec::new();
    match package.license.as_deref() {
        None => problems.push(format!("{name} names no licence")),
        Some(text) => match Terms::parse(text) {
            None => problems.push(format!("{name} has a licence that cannot be read: {text}")),
            Some(terms) if !terms.allow(&LICENCES) && !is_book_tool(package) => {
                problems.push(format!("{name} has a licence that is not let in: {text}"));
            }
            Some(_) => {}
        },
    }
    if let Some(source) = &package.source
        && source != REGISTRY
    {
        problems.push(format!("{name} comes from {source}"));
    }
    // Members of the workspace name each other by path.
    let any_version = |dependency: &&crate::metadata::Dependency| {
        dependency.req == "*" && dependency.path.is_none()
    };
    for dependency in package.dependencies.iter().filter(any_version) {
        problems.push(format!("{name} takes any version of {}", dependency.name));
    }
    problems
}

/// Packages of which there is more than one version: they cost time and room, and are nobody's mistake.
fn several_versions(packages: &[Package]) -> Vec<String> {
    let mut versions = BTreeMap::<&str, Vec<&str>>::new();
    for package in packages {
        let of_name = versions.entry(&package.name).or_default();
        of_name.push(&package.version);
    }
    let several = versions
        .into_iter()
        .filter(|(_, of_name)| of_name.len() > 1);
    several
        .map(|(name, of_name)| format!("{name} in versions {}", of_name.join(", ")))
        .collect()
}

/// A licence expression in SPDX: licences joined by `OR` and `AND`, of which `AND` binds closer.
enum Terms {
    /// A licence, with its exception if it has one.
    One(String),
    Any(Vec<Terms>),
    All(Vec<Terms>),
}

impl Terms {
    fn parse(text: &str) -> Option<Self> {
        // An older way to write OR.
        let text = text.replace('/', " OR ");
        let spaced = text.replace('(', " ( ").replace(')', " ) ");
        let mut words = spaced.split_whitespace().peekable();
        let terms = Self::any(&mut words)?;
        words.next().is_none().then_some(terms)
    }

    fn any<'a>(words: &mut Peekable<impl Iterator<Item = &'a str>>) -> Option<Self> {
        let mut choices = vec![Self::all(words)?];
        while words.next_if_eq(&"OR").is_some() {
            choices.push(Self::all(words)?);
        }
        Some(Self::Any(choices))
    }

    fn all<'a>(words: &mut Peekable<impl Iterator<Item = &'a str>>) -> Option<Self> {
        let mut parts = vec![Self::one(words)?];
        while words.next_if_eq(&"AND").is_some() {
            parts.push(Self::one(words)?);
        }
        Some(Self::All(parts))
    }

    fn one<'a>(words: &mut Peekable<impl Iterator<Item = &'a str>>) -> Option<Self> {
        match words.next()? {
            "(" => {
                // Depth is that of an expression in a manifest, which cargo has read before.
                let mut inner = Vec::new();
                let mut depth = 1;
                loop {
                    let word = words.next()?;
                    match word {
                        "(" => depth += 1,
                        ")" => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 {
                        break;
                    }
                    inner.push(word);
                }
                Self::parse(&inner.join(" "))
            }
            ")" | "OR" | "AND" | "WITH" => None,
            licence if words.next_if_eq(&"WITH").is_some() => {
                Some(Self::One(format!("{licence} WITH {}", words.next()?)))
            }
            licence => Some(Self::One(licence.to_owned())),
        }
    }

    /// Can the terms be met with these licences?
    fn allow(&self, licences: &[&str]) -> bool {
        match self {
            Self::One(licence) => licences.contains(&licence.as_str()),
            Self::Any(choices) => choices.iter().any(|terms| terms.allow(licences)),
            Self::All(parts) => parts.iter().all(|terms| terms.allow(licences)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LICENCES, REGISTRY, Terms, problems, several_versions};
    use crate::metadata::{Dependency, Package};

    fn package(license: Option<&str>, source: Option<&str>) -> Package {
        Package {
            name: "some".to_owned(),
            version: "1.0.0".to_owned(),
            license: license.map(str::to_owned),
            source: source.map(str::to_owned),
            dependencies: Vec::new(),
        }
    }

    #[test]
    fn a_licence_is_let_in_when_one_of_the_choices_is() {
        let allowed = |text| Terms::parse(text).map(|terms| terms.allow(&LICENCES));
        for text in [
            "MIT",
            "MIT/Apache-2.0",
            "MIT OR GPL-3.0-only",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception",
            "GPL-3.0-only AND MIT OR Zlib",
        ] {
            assert_eq!(allowed(text), Some(true), "{text}");
        }
        for text in [
            "GPL-3.0-only",
            "MIT AND GPL-3.0-only",
            "(MIT AND GPL-3.0-only) OR LGPL-2.1-or-later",
            "MIT WITH Classpath-exception-2.0",
        ] {
            assert_eq!(allowed(text), Some(false), "{text}");
        }
        for text in ["", "MIT OR", "OR MIT", "(MIT", "MIT)", "MIT Apache-2.0"] {
            assert_eq!(allowed(text), None, "{text}");
        }
    }

    #[test]
    fn strange_sources_licences_and_versions_are_found() {
        assert_eq!(
            problems(&package(Some("MIT"), Some(REGISTRY))),
            [""; 0],
            "a package like most"
        );
        assert_eq!(problems(&package(Some("MIT"), None)), [""; 0], "a member");
        let git = package(None, Some("git+https://example.org/some#1234"));
        assert_eq!(
            problems(&git),
            [
                "some 1.0.0 names no licence",
                "some 1.0.0 comes from git+https://example.org/some#1234"
            ]
        );
        let mut careless = package(Some("MIT"), None);
        let of = |name: &str, path: Option<&str>| Dependency {
            name: name.to_owned(),
            req: "*".to_owned(),
            path: path.map(str::to_owned),
        };
        careless.dependencies = vec![of("any", None), of("member", Some("../member"))];
        assert_eq!(problems(&careless), ["some 1.0.0 takes any version of any"]);
    }

    #[test]
    fn several_versions_are_told() {
        let mut packages = vec![package(None, None), package(None, None)];
        packages[1].version = "2.0.0".to_owned();
        assert_eq!(
            several_versions(&packages),
            ["some in versions 1.0.0, 2.0.0"]
        );
        packages.pop();
        assert_eq!(several_versions(&packages), [""; 0]);
    }
}

//! What the manifests of the crates say to those who look for them.

use std::process::Stdio;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::cargo::cargo;

/// As many keywords as a registry takes, and as many letters in each.
const MOST_KEYWORDS: usize = 5;
const MOST_LETTERS: usize = 20;

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize, Clone)]
struct Package {
    name: String,
    version: String,
    description: Option<String>,
    license: Option<String>,
    repository: Option<String>,
    readme: Option<String>,
    rust_version: Option<String>,
    keywords: Vec<String>,
    categories: Vec<String>,
    /// The registries that it may go to: an empty list for none, nothing for any.
    publish: Option<Vec<String>>,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize, Clone)]
struct Dependency {
    name: String,
    req: String,
    /// A folder of this checkout.
    path: Option<String>,
    /// Nothing for what is linked; else `dev` or `build`.
    kind: Option<String>,
}

/// The manifests of all members of the workspace.
pub(super) struct Manifests {
    packages: Vec<Package>,
    /// The version that all of them have.
    pub(super) version: String,
    /// The address of the repository; empty until somebody has filled it in.
    pub(super) repository: String,
}

impl Manifests {
    pub(super) fn read() -> Result<Self> {
        let output = cargo()?
            .args(["metadata", "--format-version=1", "--no-deps"])
            .stderr(Stdio::inherit())
            .output()
            .context("cannot start cargo")?;
        let metadata: Metadata = serde_json::from_slice(&output.stdout)
            .context("cargo metadata printed something else")?;
        Self::new(metadata.packages)
    }

    fn new(packages: Vec<Package>) -> Result<Self> {
        let mut all = packages.iter();
        let command = all
            .find(|package| package.name == "tengen")
            .context("there is no package tengen")?;
        Ok(Self {
            version: command.version.clone(),
            repository: command.repository.clone().unwrap_or_default(),
            packages,
        })
    }

    /// What is missing or differs.
    pub(super) fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        for package in &self.packages {
            let name = &package.name;
            if package.version != self.version {
                problems.push(format!("{name} has the version {}", package.version));
            }
            for dependency in package.dependencies.iter().filter(|one| one.path.is_some()) {
                let wanted = format!("^{}", self.version);
                if dependency.req != wanted && dependency.req != "*" {
                    let Dependency {
                        name: other, req, ..
                    } = dependency;
                    problems.push(format!("{name} asks for {other} {req} and not {wanted}"));
                }
            }
            if package.is_published() {
                problems.extend(self.unready(package));
            }
        }
        problems
    }

    /// What a published crate lacks.
    fn unready(&self, package: &Package) -> Vec<String> {
        let name = &package.name;
        let mut problems = Vec::new();
        for (what, value) in [
            ("description", &package.description),
            ("license", &package.license),
            ("readme", &package.readme),
            ("rust-version", &package.rust_version),
        ] {
            if value.as_deref().unwrap_or_default().is_empty() {
                problems.push(format!("{name} has no {what}"));
            }
        }
        if package.repository.as_deref() != Some(&self.repository) {
            problems.push(format!(
                "{name} does not have `repository.workspace = true`"
            ));
        }
        let keywords = &package.keywords;
        if keywords.is_empty() || keywords.len() > MOST_KEYWORDS {
            problems.push(format!("{name} has {} keywords", keywords.len()));
        }
        for keyword in keywords.iter().filter(|word| word.len() > MOST_LETTERS) {
            problems.push(format!("{name}: the keyword {keyword} is too long"));
        }
        if package.categories.is_empty() {
            problems.push(format!("{name} has no categories"));
        }
        for dependency in &package.dependencies {
            let mut others = self.packages.iter();
            let hidden = others.any(|other| other.name == dependency.name && !other.is_published());
            if hidden && dependency.kind.is_none() {
                let other = &dependency.name;
                problems.push(format!(
                    "{name} is published and uses {other}, which is not"
                ));
            }
        }
        problems
    }

    /// Does a document say of every crate whether it is published? A row of its table begins with the crate's name.
    pub(super) fn undocumented(&self, page: &str) -> Vec<String> {
        let mut problems = Vec::new();
        for package in &self.packages {
            let start = format!("| `{}` |", package.name);
            let row = page.lines().find(|line| line.starts_with(&start));
            let says = row.and_then(|row| row[start.len()..].split('|').next());
            let wanted = if package.is_published() { "yes" } else { "no" };
            if says.map(str::trim) != Some(wanted) {
                let name = &package.name;
                problems.push(format!(
                    "RELEASE.md has no row that says {wanted} for {name}"
                ));
            }
        }
        problems
    }
}

impl Package {
    fn is_published(&self) -> bool {
        self.publish
            .as_ref()
            .is_none_or(|places| !places.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::{Dependency, Manifests, Package};

    fn package(name: &str) -> Package {
        let some = |text: &str| Some(text.to_owned());
        Package {
            name: name.to_owned(),
            version: "1.2.3".to_owned(),
            description: some("What it is."),
            license: some("MIT"),
            repository: some(""),
            readme: some("README.md"),
            rust_version: some("1.89"),
            keywords: vec!["go".to_owned()],
            categories: vec!["games".to_owned()],
            publish: None,
            dependencies: Vec::new(),
        }
    }

    fn uses(name: &str, req: &str, kind: Option<&str>) -> Dependency {
        Dependency {
            name: name.to_owned(),
            req: req.to_owned(),
            path: Some("../x".to_owned()),
            kind: kind.map(str::to_owned),
        }
    }

    #[test]
    fn a_complete_manifest_has_no_problems() {
        let mut core = package("tengen-core");
        core.dependencies
            .push(uses("tengen", "^1.2.3", Some("dev")));
        let all = Manifests::new(vec![package("tengen"), core]).unwrap();
        assert_eq!(all.problems(), [""; 0]);
        assert!(all.repository.is_empty());
    }

    #[test]
    fn each_gap_is_told() {
        let mut poor = package("poor");
        poor.version = "1.2.4".to_owned();
        poor.description = None;
        poor.readme = None;
        poor.repository = None;
        poor.keywords = vec!["a-keyword-that-is-too-long".to_owned()];
        poor.categories = Vec::new();
        poor.dependencies = vec![
            uses("tengen", "^1.2.2", None),
            uses("inner", "^1.2.3", None),
        ];
        let mut inner = package("inner");
        inner.publish = Some(Vec::new());
        inner.description = None;
        let all = Manifests::new(vec![package("tengen"), poor, inner]).unwrap();
        let problems = all.problems();
        assert_eq!(problems.len(), 8, "{problems:#?}");
    }

    #[test]
    fn the_document_names_every_crate() {
        let mut inner = package("inner");
        inner.publish = Some(Vec::new());
        let all = Manifests::new(vec![package("tengen"), inner]).unwrap();
        let page = "| crate | published | why |\n| `tengen` | yes | x |\n| `inner` | no | y |\n";
        assert_eq!(all.undocumented(page), [""; 0]);
        assert_eq!(
            all.undocumented(&page.replace("| no |", "| yes |")).len(),
            1
        );
        assert_eq!(all.undocumented("").len(), 2);
    }
}

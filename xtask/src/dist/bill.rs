//! What a program is made of: the packages that are linked into it, from what cargo says about them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::cargo::{cargo, root};

/// A package that is part of a program.
#[derive(Clone, Deserialize)]
pub(super) struct Part {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) version: String,
    /// An SPDX expression.
    pub(super) license: Option<String>,
    description: Option<String>,
    manifest_path: PathBuf,
    /// Where it comes from; nothing for a folder of this checkout.
    source: Option<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Part>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<DependencyKind>,
}

#[derive(Deserialize)]
struct DependencyKind {
    /// Nothing for what is linked; else `dev` or `build`.
    kind: Option<String>,
}

/// A package of the workspace with all that is linked into it.
pub(super) struct Bill {
    root: Part,
    /// Everything else, by name and version.
    parts: Vec<Part>,
    /// What each of them uses, by their ids.
    uses: BTreeMap<String, BTreeSet<String>>,
    /// SHA-256 of the packed sources, by name and version.
    checksums: BTreeMap<(String, String), String>,
}

impl Bill {
    /// Asks cargo about a package of the workspace as it is built for a target.
    pub(super) fn read(package: &str, target: &str) -> Result<Self> {
        let output = cargo()?
            .args(["metadata", "--format-version=1", "--locked"])
            .args(["--filter-platform", target])
            .stderr(Stdio::inherit())
            .output()
            .context("cannot start cargo")?;
        ensure!(
            output.status.success(),
            "cargo metadata failed: {}",
            output.status
        );
        let lock = fs::read_to_string(root()?.join("Cargo.lock")).context("Cargo.lock")?;
        Self::new(package, &output.stdout, &lock)
    }

    fn new(package: &str, metadata: &[u8], lock: &str) -> Result<Self> {
        let metadata: Metadata =
            serde_json::from_slice(metadata).context("cargo metadata printed something else")?;
        let parts: BTreeMap<&str, &Part> = metadata
            .packages
            .iter()
            .map(|part| (part.id.as_str(), part))
            .collect();
        let mut members = metadata.packages.iter();
        let root = members
            .find(|part| part.source.is_none() && part.name == package)
            .with_context(|| format!("there is no package {package}"))?;
        let nodes: BTreeMap<&str, &Node> = metadata
            .resolve
            .nodes
            .iter()
            .map(|node| (node.id.as_str(), node))
            .collect();
        let mut uses = BTreeMap::new();
        let mut open = vec![root.id.as_str()];
        while let Some(id) = open.pop() {
            if uses.contains_key(id) {
                continue;
            }
            let node = nodes.get(id).context("cargo metadata lacks a node")?;
            let linked = node
                .deps
                .iter()
                .filter(|dependency| dependency.dep_kinds.iter().any(|kind| kind.kind.is_none()));
            let linked: BTreeSet<&str> = linked.map(|dependency| dependency.pkg.as_str()).collect();
            open.extend(linked.iter().copied());
            let linked = linked.into_iter().map(str::to_owned).collect();
            uses.insert(id.to_owned(), linked);
        }
        let others = uses.keys().filter(|id| **id != root.id);
        let mut others: Vec<Part> = others
            .filter_map(|id| parts.get(id.as_str()))
            .map(|part| (*part).clone())
            .collect();
        others.sort_by(|one, other| (&one.name, &one.version).cmp(&(&other.name, &other.version)));
        Ok(Self {
            root: root.clone(),
            parts: others,
            uses,
            checksums: checksums(lock),
        })
    }

    /// The bill in the form of CycloneDX 1.5. It has neither time nor number, so that the same sources have the same
    /// bill.
    pub(super) fn cyclonedx(&self) -> Result<String> {
        let components: Vec<Value> = self
            .parts
            .iter()
            .map(|part| self.component(part, "library"))
            .collect();
        let mut names: BTreeMap<&str, String> = BTreeMap::new();
        for part in self.parts.iter().chain([&self.root]) {
            names.insert(&part.id, part.reference());
        }
        let named = |id: &String| names.get(id.as_str()).cloned().unwrap_or_default();
        let mut dependencies: Vec<(String, Vec<String>)> = self
            .uses
            .iter()
            .map(|(id, used)| (named(id), used.iter().map(named).collect()))
            .collect();
        dependencies.sort();
        let dependencies: Vec<Value> = dependencies
            .into_iter()
            .map(|(name, mut used)| {
                used.sort();
                json!({ "ref": name, "dependsOn": used })
            })
            .collect();
        let bill = json!({
            "bomFormat": "CycloneDX",
            "specVersion": "1.5",
            "version": 1,
            "metadata": { "component": self.component(&self.root, "application") },
            "components": components,
            "dependencies": dependencies,
        });
        Ok(serde_json::to_string_pretty(&bill)? + "\n")
    }

    fn component(&self, part: &Part, kind: &str) -> Value {
        let mut component = json!({
            "type": kind,
            "bom-ref": part.reference(),
            "name": part.name,
            "version": part.version,
            "purl": part.reference(),
        });
        if let Some(licence) = &part.license {
            // An older way to write OR, which SPDX does not know.
            let expression = licence.replace('/', " OR ");
            component["licenses"] = json!([{ "expression": expression }]);
        }
        if let Some(description) = &part.description {
            component["description"] = json!(description.trim());
        }
        let key = (part.name.clone(), part.version.clone());
        if let Some(checksum) = self.checksums.get(&key) {
            component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
        }
        component
    }

    /// The licences of everything that is linked, as text: most of them ask to be passed on with the program.
    pub(super) fn licences(&self) -> Result<String> {
        let mut text = format!(
            "{} {} is under {}. It has the following packages in it.\n",
            self.root.name,
            self.root.version,
            self.root.license.as_deref().unwrap_or("no licence"),
        );
        let mut by_text: BTreeMap<String, Vec<&Part>> = BTreeMap::new();
        for part in self.parts.iter().filter(|part| part.source.is_some()) {
            by_text.entry(part.licence_text()?).or_default().push(part);
        }
        let mut groups: Vec<(Vec<&Part>, String)> = by_text
            .into_iter()
            .map(|(text, parts)| (parts, text))
            .collect();
        groups.sort_by(|(one, _), (other, _)| one[0].name.cmp(&other[0].name));
        for (parts, licence) in groups {
            text.push('\n');
            text.push_str(&"=".repeat(79));
            text.push('\n');
            for part in parts {
                let expression = part.license.as_deref().unwrap_or("no licence");
                text += &format!("{} {}: {expression}\n", part.name, part.version);
            }
            text.push('\n');
            text.push_str(licence.trim());
            text.push('\n');
        }
        Ok(text)
    }
}

impl Part {
    /// Its address among all packages of all languages.
    fn reference(&self) -> String {
        format!("pkg:cargo/{}@{}", self.name, self.version)
    }

    /// The files of its folder that have its licence in them; of two that one may choose from, the shorter one.
    fn licence_text(&self) -> Result<String> {
        let folder = self.manifest_path.parent().unwrap_or(Path::new(""));
        let mut names: Vec<String> = Vec::new();
        for entry in
            fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?
        {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if is_licence(&name) && folder.join(&name).is_file() {
                names.push(name);
            }
        }
        let names = chosen(names, self.license.as_deref().unwrap_or_default());
        let mut text = String::new();
        for name in names {
            let bytes =
                fs::read(folder.join(&name)).with_context(|| format!("cannot read {name}"))?;
            text += &String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
            text.push('\n');
        }
        if text.is_empty() {
            text = "The package has no file with the text of its licence.\n".to_owned();
        }
        Ok(text)
    }
}

fn is_licence(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let starts = [
        "LICENSE",
        "LICENCE",
        "COPYING",
        "COPYRIGHT",
        "NOTICE",
        "UNLICENSE",
    ];
    starts.iter().any(|start| name.starts_with(start))
}

/// Who may choose between MIT and something else chooses MIT, which is a few lines.
fn chosen(mut names: Vec<String>, expression: &str) -> Vec<String> {
    names.sort();
    let choices = expression.replace('/', " OR ");
    let may_choose =
        !choices.contains(" AND ") && choices.split(" OR ").any(|one| one.trim() == "MIT");
    let mit = |name: &String| name.to_ascii_uppercase().contains("MIT");
    if may_choose && names.iter().any(mit) {
        names.retain(mit);
    }
    names
}

/// The checksums of a lock file, which cargo writes a key a line.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let mut found = BTreeMap::new();
    for block in lock.split("[[package]]").skip(1) {
        let value = |key: &str| {
            let mut lines = block.lines();
            let value = lines.find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
            value.map(|value| value.trim_matches('"').to_owned())
        };
        if let (Some(name), Some(version), Some(checksum)) =
            (value("name"), value("version"), value("checksum"))
        {
            found.insert((name, version), checksum);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Bill, checksums, chosen, is_licence};

    fn package(name: &str, source: Option<&str>) -> Value {
        json!({
            "id": format!("id of {name}"),
            "name": name,
            "version": "1.0.0",
            "license": "MIT/Apache-2.0",
            "description": null,
            "manifest_path": "/nowhere/Cargo.toml",
            "source": source,
        })
    }

    fn example() -> Bill {
        let uses = |name: &str, kind: Option<&str>| {
            let kinds = [json!({ "kind": kind })];
            json!({ "pkg": format!("id of {name}"), "dep_kinds": kinds })
        };
        let metadata = json!({
            "packages": [
                package("program", None),
                package("linked", Some("registry")),
                package("deep", Some("registry")),
                package("tester", Some("registry")),
            ],
            "resolve": { "nodes": [
                { "id": "id of program", "deps": [uses("linked", None), uses("tester", Some("dev"))] },
                { "id": "id of linked", "deps": [uses("deep", None), uses("tester", Some("build"))] },
                { "id": "id of deep", "deps": [] },
                { "id": "id of tester", "deps": [] },
            ] },
        });
        let lock = "version = 4\n\n[[package]]\nname = \"deep\"\nversion = \"1.0.0\"\nchecksum = \"ab12\"\n";
        Bill::new("program", metadata.to_string().as_bytes(), lock).unwrap()
    }

    #[test]
    fn what_only_helps_to_build_or_test_is_no_part() {
        let bill: Value = serde_json::from_str(&example().cyclonedx().unwrap()).unwrap();
        let names: Vec<&str> = bill["components"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|component| component["name"].as_str())
            .collect();
        assert_eq!(names, ["deep", "linked"]);
        assert_eq!(bill["metadata"]["component"]["name"], "program");
    }

    #[test]
    fn components_have_addresses_licences_and_checksums() {
        let bill: Value = serde_json::from_str(&example().cyclonedx().unwrap()).unwrap();
        let deep = &bill["components"][0];
        assert_eq!(deep["purl"], "pkg:cargo/deep@1.0.0");
        assert_eq!(deep["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(
            deep["hashes"][0],
            json!({ "alg": "SHA-256", "content": "ab12" })
        );
        assert!(bill["components"][1].get("hashes").is_none());
        let dependencies = bill["dependencies"].as_array().unwrap();
        assert_eq!(dependencies.len(), 3);
        assert_eq!(
            dependencies[1],
            json!({ "ref": "pkg:cargo/linked@1.0.0", "dependsOn": ["pkg:cargo/deep@1.0.0"] })
        );
    }

    #[test]
    fn a_package_that_is_not_there_is_an_error() {
        let metadata = json!({ "packages": [], "resolve": { "nodes": [] } }).to_string();
        assert!(Bill::new("program", metadata.as_bytes(), "").is_err());
        assert!(Bill::new("program", b"no JSON", "").is_err());
    }

    #[test]
    fn the_checksum_of_a_member_is_not_that_of_the_next_package() {
        let lock = "[[package]]\nname = \"member\"\nversion = \"1\"\n\n\
            [[package]]\nname = \"a\"\nversion = \"2\"\nchecksum = \"cd\"\n";
        let found = checksums(lock);
        assert_eq!(found.len(), 1);
        assert_eq!(found[&("a".to_owned(), "2".to_owned())], "cd");
    }

    #[test]
    fn who_may_choose_takes_the_short_licence() {
        let names = || {
            ["LICENSE-MIT", "LICENSE-APACHE"]
                .map(str::to_owned)
                .to_vec()
        };
        assert_eq!(chosen(names(), "MIT OR Apache-2.0"), ["LICENSE-MIT"]);
        assert_eq!(chosen(names(), "Apache-2.0/MIT"), ["LICENSE-MIT"]);
        let both = ["LICENSE-APACHE", "LICENSE-MIT"];
        assert_eq!(chosen(names(), "MIT AND Apache-2.0"), both);
        assert_eq!(chosen(names(), "Apache-2.0"), both);
        assert!(is_licence("license.txt") && is_licence("COPYING") && !is_licence("lib.rs"));
    }
}

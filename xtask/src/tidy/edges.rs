//! The dependencies between crates are those that the map draws.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};

use super::source::{MAP, Source, block};
use crate::metadata::{Metadata, Package, Scope};

/// The heading below which they are drawn: a crate a line, and after a colon those that it uses, without `tengen-`.
const HEADING: &str = "Which way data flows";

const PREFIX: &str = "tengen-";

/// The crates that each crate uses.
type Edges = BTreeMap<String, BTreeSet<String>>;

pub(super) fn check(source: &Source) -> Result<Vec<String>> {
    let drawn = drawn(&block(&source.map()?, HEADING)?)?;
    let real = real(&Metadata::read(Scope::Members)?.packages);
    Ok(differences(&drawn, &real))
}

fn drawn(lines: &[&str]) -> Result<Edges> {
    let mut edges = Edges::new();
    for line in lines {
        let (name, uses) = line
            .split_once(':')
            .with_context(|| format!("{MAP}: no colon in {line:?}"))?;
        let uses = uses.split_whitespace().map(str::to_owned).collect();
        edges.insert(name.trim().to_owned(), uses);
    }
    Ok(edges)
}

/// Dependencies of tests count like others: a crate that tests need is one to know of, too.
fn real(packages: &[Package]) -> Edges {
    let short = |name: &str| name.strip_prefix(PREFIX).unwrap_or(name).to_owned();
    let members: BTreeSet<&str> = packages.iter().map(|package| &*package.name).collect();
    let uses = |package: &Package| {
        let of_members = package.dependencies.iter();
        of_members
            .filter(|dependency| members.contains(&*dependency.name))
            .map(|dependency| short(&dependency.name))
            .collect()
    };
    let edges = packages.iter();
    edges
        .map(|package| (short(&package.name), uses(package)))
        .collect()
}

fn differences(drawn: &Edges, real: &Edges) -> Vec<String> {
    let nothing = BTreeSet::new();
    let mut problems = Vec::new();
    let names: BTreeSet<&String> = drawn.keys().chain(real.keys()).collect();
    for name in names {
        if !drawn.contains_key(name) {
            problems.push(format!("{MAP} does not draw {name}"));
        }
        if !real.contains_key(name) {
            problems.push(format!("{MAP} draws {name}, which is no crate"));
        }
        let drawn = drawn.get(name).unwrap_or(&nothing);
        let real = real.get(name).unwrap_or(&nothing);
        for used in real.difference(drawn) {
            problems.push(format!("{name} uses {used}, which {MAP} does not draw"));
        }
        for used in drawn.difference(real) {
            problems.push(format!("{name} does not use {used}, though {MAP} draws it"));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::{differences, drawn};

    #[test]
    fn each_difference_is_told() {
        let one = drawn(&["core:", "sgf:  core", "app: core sgf", "old: core"]).unwrap();
        let other = drawn(&["core:", "sgf: core", "app: core render", "render: core"]).unwrap();
        assert_eq!(differences(&one, &one), [""; 0]);
        assert_eq!(
            differences(&one, &other),
            [
                "app uses render, which ARCHITECTURE.md does not draw",
                "app does not use sgf, though ARCHITECTURE.md draws it",
                "ARCHITECTURE.md draws old, which is no crate",
                "old does not use core, though ARCHITECTURE.md draws it",
                "ARCHITECTURE.md does not draw render",
                "render uses core, which ARCHITECTURE.md does not draw",
            ]
        );
        assert!(drawn(&["core"]).is_err());
    }
}

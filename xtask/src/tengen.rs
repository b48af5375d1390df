//! The `tengen` command, built from this checkout.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::cargo::cargo;
use crate::console;

/// How it is built.
#[derive(Clone, Copy)]
pub(crate) enum Profile {
    /// As the tests are, and with them.
    Dev,
    Release,
}

/// Builds the command and says where it is, which only cargo knows for certain.
pub(crate) fn build(profile: Profile) -> Result<PathBuf> {
    let arguments = match profile {
        // Alone it would be another build: which features a dependency has, all that is built at once decides.
        Profile::Dev => &["test", "--no-run", "--workspace", "--tests"][..],
        Profile::Release => &["build", "--package", "tengen", "--release"][..],
    };
    built(arguments, ["tengen"]).map(|[tengen]| tengen)
}

/// Builds the command and an example of the workspace, of the same parts as the tests, and says where they are.
pub(crate) fn build_with_example(example: &str) -> Result<[PathBuf; 2]> {
    let arguments = [
        "build",
        "--workspace",
        "--bin",
        "tengen",
        "--example",
        example,
    ];
    built(&arguments, ["tengen", example])
}

fn built<const N: usize>(arguments: &[&str], names: [&str; N]) -> Result<[PathBuf; N]> {
    let output = cargo()?
        .args(arguments)
        .arg("--message-format=json-render-diagnostics")
        .stderr(console::stdio()?)
        .output()
        .context("cannot start cargo")?;
    ensure!(
        output.status.success(),
        "{} does not build: {}",
        names.join(", "),
        output.status
    );
    let messages = String::from_utf8_lossy(&output.stdout);
    let mut paths = names.map(|_| PathBuf::new());
    for (path, name) in paths.iter_mut().zip(names) {
        *path = executable(&messages, name)
            .with_context(|| format!("cargo did not say where it put {name}"))?;
    }
    Ok(paths)
}

/// Finds an executable among the messages of `cargo build`.
pub(crate) fn executable(messages: &str, name: &str) -> Option<PathBuf> {
    #[derive(Deserialize)]
    struct Artifact {
        target: Target,
        profile: Profile,
        executable: Option<PathBuf>,
    }
    #[derive(Deserialize)]
    struct Target {
        name: String,
    }
    #[derive(Deserialize)]
    struct Profile {
        test: bool,
    }
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Artifact>(line).ok())
        .filter(|artifact| artifact.target.name == name && !artifact.profile.test)
        .find_map(|artifact| artifact.executable)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::executable;

    #[test]
    fn the_executable_is_found_among_other_messages() {
        let messages = r#"
{"reason":"compiler-artifact","target":{"name":"tengen_core"},"profile":{"test":false},"executable":null}
{"reason":"build-script-executed","package_id":"x"}
{"reason":"compiler-artifact","target":{"name":"tengen"},"profile":{"test":true},"executable":"/somewhere/tests"}
{"reason":"compiler-artifact","target":{"name":"tengen"},"profile":{"test":false},"executable":"/somewhere/tengen"}
{"reason":"build-finished","success":true}"#;
        assert_eq!(
            executable(messages, "tengen").as_deref(),
            Some(Path::new("/somewhere/tengen"))
        );
        assert_eq!(executable(messages, "xtask"), None);
    }
}

//! `cargo xtask hook`: what git runs before a commit.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};

use crate::cargo::root;

/// The first lines tell whose it is. The checks take seconds: what takes longer is for `cargo xtask test --fast`.
const HOOK: &str = "\
#!/bin/sh
# Written by `cargo xtask hook`; `git commit --no-verify` goes without.
set -e
cargo fmt --all --check
exec cargo xtask tidy
";

const OWNER: &str = "# Written by `cargo xtask hook`";

pub(crate) fn run() -> Result<ExitCode> {
    let output = Command::new("git")
        .current_dir(root()?)
        .args(["rev-parse", "--git-path", "hooks"])
        .output()
        .context("cannot start git")?;
    ensure!(output.status.success(), "this is no repository of git");
    let folder = String::from_utf8(output.stdout).context("the folder's name is not UTF-8")?;
    let path = write(&root()?.join(folder.trim()))?;
    eprintln!(
        "{} checks format and documents before every commit",
        path.display()
    );
    Ok(ExitCode::SUCCESS)
}

/// Writes the hook to a folder, unless somebody else's is there.
fn write(folder: &Path) -> Result<PathBuf> {
    let path = folder.join("pre-commit");
    if let Ok(text) = fs::read_to_string(&path) {
        ensure!(
            text.contains(OWNER),
            "{} is somebody else's: it was left alone",
            path.display()
        );
    }
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&path, HOOK))
        .with_context(|| format!("cannot write {}", path.display()))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))
            .with_context(|| format!("cannot make {} a program", path.display()))?;
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{HOOK, OWNER, write};

    #[test]
    fn a_hook_is_written_anew_but_not_over_that_of_others() {
        assert!(HOOK.contains(OWNER));
        let folder = std::env::temp_dir().join(format!("tengen-hook-{}", std::process::id()));
        let path = write(&folder).unwrap();
        assert_eq!(write(&folder).unwrap(), path);
        assert_eq!(fs::read_to_string(&path).unwrap(), HOOK);
        fs::write(&path, "#!/bin/sh\necho mine\n").unwrap();
        assert!(write(&folder).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}

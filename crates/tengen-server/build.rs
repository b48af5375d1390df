//! Lists the files of the page, so that the compiler puts them into the program.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let crate_folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    // A link to the page of the checkout, so that the packed crate has it as a folder. Where the system has no links,
    // it is a file with a name in it.
    let mut root = crate_folder.join("page");
    if !root.is_dir() {
        root = crate_folder.join("../../web/page");
    }
    let root = root.canonicalize()?;
    let mut files = Vec::new();
    collect(&root, &root, &mut files)?;
    files.sort();
    let mut list = String::from("[\n");
    for (name, path) in &files {
        // Writing to a string does not fail.
        _ = writeln!(list, "    ({name:?}, include_bytes!({path:?}).as_slice()),");
    }
    list.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("page_files.rs"), list)
}

/// All files below a folder, with their names as a browser asks for them.
fn collect(root: &Path, folder: &Path, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    write_out(&format!("cargo::rerun-if-changed={}\n", folder.display()))?;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let parts: Vec<_> = path
            .strip_prefix(root)
            .map_err(io::Error::other)?
            .iter()
            .map(|part| part.to_string_lossy().into_owned())
            .collect();
        if parts.last().is_some_and(|name| name.starts_with('.')) {
            continue;
        }
        if path.is_dir() {
            collect(root, &path, files)?;
        } else {
            write_out(&format!("cargo::rerun-if-changed={}\n", path.display()))?;
            files.push((parts.join("/"), path));
        }
    }
    Ok(())
}

fn write_out(line: &str) -> io::Result<()> {
    use io::Write as _;
    io::stdout().write_all(line.as_bytes())
}

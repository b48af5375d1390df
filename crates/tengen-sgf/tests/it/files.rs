//! Records in folders, compressed files and archives.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use std::ops::ControlFlow;

use tengen_sgf::{FilesError, find_files, read_files, search_files, visit_bytes};

const GAME: &str = "(;SZ[9];B[ee])\n";

/// `(;SZ[9];B[ee])` and a line break, as xz packs it.
const XZ: &[u8] = include_bytes!("../../../../testdata/packed/game.sgf.xz");
const ZIP: &[u8] = include_bytes!("../../../../testdata/packed/games.zip");

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("tengen-sgf-files-{name}-{}", std::process::id()));
        _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("deeper")).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

fn gzip(text: &str) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(text.as_bytes()).unwrap();
    packer.finish().unwrap()
}

#[test]
fn packed_files_are_read_as_what_is_in_them() {
    let folder = Folder::new("packed");
    for (name, bytes) in [
        ("game.sgf", GAME.as_bytes().to_vec()),
        ("game.sgf.gz", gzip(GAME)),
        ("game.sgf.xz", XZ.to_vec()),
        // What it is called does not matter.
        ("game.txt", gzip(GAME)),
    ] {
        let read = read_files(&folder.file(name, &bytes)).unwrap();
        assert_eq!(read, [GAME.as_bytes().to_vec()], "{name}");
    }
    // Two records, in the order of the archive; what is no record is left out.
    let read = read_files(&folder.file("games.zip", ZIP)).unwrap();
    assert_eq!(
        read,
        [GAME.as_bytes().to_vec(), b"(;SZ[9];B[cc])\n".to_vec()]
    );
}

#[test]
fn what_is_damaged_is_an_error_with_its_name() {
    let folder = Folder::new("damaged");
    for (name, bytes) in [
        ("a.gz", gzip(GAME)),
        ("a.xz", XZ.to_vec()),
        ("a.zip", ZIP.to_vec()),
    ] {
        let path = folder.file(name, &bytes[..bytes.len() - 9]);
        let error = read_files(&path).unwrap_err();
        assert!(
            matches!(&error, FilesError::Io(of, _) if *of == path),
            "{error}"
        );
    }
}

#[test]
fn folders_and_patterns_find_records_by_name() {
    let folder = Folder::new("folders");
    for name in [
        "b.sgf",
        "a.SGF",
        "deeper/c.gib",
        "deeper/d.sgf.xz",
        "notes.md",
    ] {
        folder.file(name, GAME.as_bytes());
    }
    let names = |name: &str| -> Vec<String> {
        let found = find_files(&folder.0.join(name).display().to_string()).unwrap();
        let relative = |path: &PathBuf| path.strip_prefix(&folder.0).unwrap().display().to_string();
        found.iter().map(relative).collect()
    };
    assert_eq!(
        names(""),
        ["a.SGF", "b.sgf", "deeper/c.gib", "deeper/d.sgf.xz"]
    );
    assert_eq!(names("*.sgf"), ["b.sgf"]);
    assert_eq!(names("deep*"), ["deeper/c.gib", "deeper/d.sgf.xz"]);
    assert_eq!(names("notes.md"), ["notes.md"]);
    assert!(matches!(
        find_files("/nowhere/*.sgf"),
        Err(FilesError::Nothing(_))
    ));
    assert!(matches!(find_files("a[.sgf"), Err(FilesError::Pattern(..))));
}

#[test]
fn what_is_in_memory_is_unpacked_as_files_are() {
    for (bytes, count) in [
        (GAME.as_bytes().to_vec(), 1),
        (gzip(GAME), 1),
        (XZ.to_vec(), 1),
        (ZIP.to_vec(), 2),
    ] {
        let mut names = Vec::new();
        visit_bytes("input".as_ref(), bytes.clone(), &mut |name, bytes| {
            assert!(bytes.starts_with(b"(;SZ[9]"));
            names.push(name.map(str::to_owned));
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(names.len(), count);
        assert_eq!(names[0].is_some(), count > 1);
        let mut seen = 0;
        visit_bytes("input".as_ref(), bytes, &mut |_, _| {
            seen += 1;
            ControlFlow::Break(())
        })
        .unwrap();
        assert_eq!(seen, 1);
    }
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_every_file_is_found_once() {
    use std::os::unix::fs::symlink;
    let (folder, links) = (Folder::new("linked"), Folder::new("links"));
    folder.file("a.sgf", GAME.as_bytes());
    folder.file("deeper/b.sgf", GAME.as_bytes());
    symlink(folder.0.join("a.sgf"), links.0.join("one.sgf")).unwrap();
    let names = |folder: &Folder| -> Vec<String> {
        let found = search_files(&folder.0.display().to_string()).unwrap();
        let relative = |path: &PathBuf| path.strip_prefix(&folder.0).unwrap().display().to_string();
        found.files.iter().map(relative).collect()
    };
    assert_eq!(names(&links), ["one.sgf"]);
    symlink(folder.0.join("a.sgf"), links.0.join("two.sgf")).unwrap();
    symlink(folder.0.join("deeper"), links.0.join("there")).unwrap();
    // A folder in itself.
    symlink(&links.0, links.0.join("deeper/up")).unwrap();
    assert_eq!(names(&links), ["one.sgf", "there/b.sgf"]);
    // A link to nothing is told, and no reason to find nothing else.
    symlink(folder.0.join("gone.sgf"), links.0.join("z.sgf")).unwrap();
    let found = search_files(&links.0.display().to_string()).unwrap();
    assert_eq!((found.files.len(), found.problems.len()), (2, 1));
    assert!(find_files(&links.0.display().to_string()).is_err());
}

//! A Debian package, written without Debian's tools: an `ar` archive with two `tar` archives in it.

use std::fmt::Write as _;

use anyhow::{Context, Result, ensure};

use super::archive::{Archive, Kind, gzip};
use super::program::Program;
use super::release::Release;

/// The C library that programs for Linux ask for: that of 2012, with which zig links.
pub(super) const GLIBC: &str = "2.17";

/// The name of the package's file.
pub(super) fn name(release: &Release) -> Result<String> {
    let architecture = architecture(&release.target)
        .with_context(|| format!("Debian has no name for {}", release.target))?;
    Ok(format!("tengen_{}_{architecture}.deb", release.version))
}

/// What Debian calls the processors of a target, if it is one that its packages are for.
pub(super) fn architecture(target: &str) -> Option<&'static str> {
    match target {
        "x86_64-unknown-linux-gnu" => Some("amd64"),
        "aarch64-unknown-linux-gnu" => Some("arm64"),
        _ => None,
    }
}

/// The package as bytes.
pub(super) fn package(release: &Release, program: &Program) -> Result<Vec<u8>> {
    let data = installed(release, program)?;
    let control = control(release, &data)?;
    let mut package = b"!<arch>\n".to_vec();
    for (name, bytes) in [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.gz", control.tar_gz()?),
        ("data.tar.gz", data.tar_gz()?),
    ] {
        append(&mut package, name, release.time, &bytes)?;
    }
    Ok(package)
}

/// Adds a member to an `ar` archive. Members start at even places.
fn append(archive: &mut Vec<u8>, name: &str, time: u64, bytes: &[u8]) -> Result<()> {
    let header = format!(
        "{name:<16}{time:<12}{:<6}{:<6}{:<8}{:<10}`\n",
        0,
        0,
        "100644",
        bytes.len()
    );
    ensure!(header.len() == 60, "{name} does not fit into an ar archive");
    archive.extend_from_slice(header.as_bytes());
    archive.extend_from_slice(bytes);
    if bytes.len() % 2 == 1 {
        archive.push(b'\n');
    }
    Ok(())
}

/// The files as they are installed.
fn installed(release: &Release, program: &Program) -> Result<Archive> {
    let mut data = Archive::new(release.time);
    data.add("./usr/bin/tengen", program.bytes.clone(), Kind::Program);
    for (name, page) in &program.pages {
        let path = format!("./usr/share/man/man1/{name}.gz");
        data.add(path, gzip(page)?, Kind::Text);
    }
    for (name, text) in &program.completions {
        let folder = match name.as_str() {
            "tengen.bash" => "bash-completion/completions/tengen",
            "_tengen" => "zsh/vendor-completions/_tengen",
            "tengen.fish" => "fish/vendor_completions.d/tengen.fish",
            // PowerShell has no folder for them.
            _ => continue,
        };
        data.add(format!("./usr/share/{folder}"), text.clone(), Kind::Text);
    }
    let documents = "./usr/share/doc/tengen";
    for name in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        data.add_file(
            format!("{documents}/{name}"),
            &release.root.join(name),
            Kind::Text,
        )?;
    }
    let changes = std::fs::read(release.root.join("CHANGELOG.md")).context("CHANGELOG.md")?;
    data.add(
        format!("{documents}/changelog.gz"),
        gzip(&changes)?,
        Kind::Text,
    );
    data.add(
        format!("{documents}/copyright"),
        program.licences.clone(),
        Kind::Text,
    );
    Ok(data)
}

/// What dpkg reads about the package.
fn control(release: &Release, data: &Archive) -> Result<Archive> {
    let bytes: usize = data.entries().map(|entry| entry.bytes.len()).sum();
    let architecture = architecture(&release.target).context("no package for this target")?;
    let mut text = format!(
        "Package: tengen\n\
         Version: {}\n\
         Architecture: {architecture}\n\
         Maintainer: Tengen contributors\n\
         Installed-Size: {}\n\
         Depends: libc6 (>= {GLIBC})\n\
         Section: games\n\
         Priority: optional\n",
        release.version,
        bytes.div_ceil(1024),
    );
    if !release.repository.is_empty() {
        // Writing to a text does not fail.
        _ = writeln!(text, "Homepage: {}", release.repository);
    }
    text += "Description: toolkit for the game of Go\n \
        Exact rules, game records, an engine with networks of its own for GTP and JSON analysis,\n \
        a solver that proves, learning from self-play, and a page to play and review on.\n";
    let mut control = Archive::new(release.time);
    control.add("./control", text, Kind::Text);
    Ok(control)
}

#[cfg(test)]
mod tests {
    use super::append;

    #[test]
    fn members_have_headers_of_sixty_bytes_and_start_at_even_places() {
        let mut archive = Vec::new();
        append(&mut archive, "debian-binary", 7, b"2.0").unwrap();
        append(&mut archive, "x", 7, b"ab").unwrap();
        let text = String::from_utf8(archive).unwrap();
        let header = format!(
            "{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n",
            "debian-binary", 7, 0, 0, 100_644, 3
        );
        assert!(text.starts_with(&format!("{header}2.0\n")), "{text}");
        assert_eq!(text.find('x'), Some(64));
        assert_eq!(text.len(), 64 + 62);
        assert!(append(&mut Vec::new(), "a name of seventeen", 0, b"").is_err());
    }
}

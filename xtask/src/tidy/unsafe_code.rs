//! Unsafe code is only where the map says.

use anyhow::Result;

use super::source::{MAP, Source, block};

/// The heading below which the files are listed, one a line, with why it is there. A path that ends in a slash is a
/// folder.
const HEADING: &str = "Unsafe code";

pub(super) fn check(source: &Source) -> Result<Vec<String>> {
    let map = source.map()?;
    let lines = block(&map, HEADING)?;
    let named: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let mut unsafe_files = Vec::new();
    for file in source.ending(".rs") {
        if has_unsafe(&source.text(file)?.unwrap_or_default()) {
            unsafe_files.push(file);
        }
    }
    let covers = |named: &str, file: &str| {
        file == named || (named.ends_with('/') && file.starts_with(named))
    };
    let mut problems = Vec::new();
    for file in &unsafe_files {
        if !named.iter().any(|named| covers(named, file)) {
            problems.push(format!(
                "{file} has unsafe code, and {MAP} does not name it"
            ));
        }
    }
    for named in named {
        if !unsafe_files.iter().any(|file| covers(named, file)) {
            problems.push(format!("{MAP} names {named}, which has no unsafe code"));
        }
    }
    Ok(problems)
}

/// Is there unsafe code in a file, or leave to write some? Words in comments and texts do not count.
fn has_unsafe(text: &str) -> bool {
    text.lines().any(|line| {
        let code = line.split("//").next().unwrap_or_default();
        // Without what is between quotes.
        let code: String = code.replace("\\\"", "").split('"').step_by(2).collect();
        let code = code.trim_start();
        let starts = [
            "unsafe {",
            "unsafe fn ",
            "unsafe impl ",
            "unsafe trait ",
            "unsafe extern ",
            "#[unsafe(",
        ];
        let within = [
            "= unsafe {",
            "(unsafe {",
            "{ unsafe {",
            "> unsafe {",
            "pub unsafe fn ",
            ") unsafe fn ",
        ];
        // An attribute that allows it, on one line or on lines of its own.
        let leave = code.starts_with("unsafe_code,")
            || code.contains("allow(unsafe_code")
            || code.contains("expect(unsafe_code");
        leave
            || starts.iter().any(|start| code.starts_with(start))
            || within.iter().any(|part| code.contains(part))
    })
}

#[cfg(test)]
mod tests {
    use super::has_unsafe;

    #[test]
    fn code_is_told_from_words() {
        for code in [
            "    unsafe { read(at) }",
            "pub unsafe fn read() {}",
            "pub(crate) unsafe fn read() {}",
            "let value = unsafe { read(at) };",
            "Path::Portable => unsafe { kernel() },",
            "#[unsafe(no_mangle)]",
            "unsafe extern \"C\" {",
            "unsafe impl Send for A {}",
            "#![expect(unsafe_code, reason = \"a\")]",
            "#![allow(\n    unsafe_code,\n    reason = \"a\"\n)]",
        ] {
            assert!(has_unsafe(code), "{code}");
        }
        for code in [
            "#![forbid(unsafe_code)]",
            "#![deny(unsafe_code)]",
            "// unsafe { read(at) }",
            "//! There is no unsafe code here.",
            "let policy = \"style-src 'unsafe-inline'\";",
            "    \"unsafe { read(at) }\",",
        ] {
            assert!(!has_unsafe(code), "{code}");
        }
    }
}

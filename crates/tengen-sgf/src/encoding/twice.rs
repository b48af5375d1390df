//! UTF-8 that was encoded twice.
//!
//! A program took the bytes of UTF-8 for characters of Windows-1252 or Latin-1 and encoded those: `é` became `Ã©`, and
//! Chinese became letters and signs of Western Europe that nobody writes side by side.

/// The text before it was encoded a second time, if it was.
pub(super) fn undo(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    // The first letters of a text that was encoded once end this.
    let mut run = Vec::new();
    let is_run = |run: &mut Vec<u8>| {
        let valid = std::str::from_utf8(run).is_ok();
        run.clear();
        valid
    };
    for character in text.chars() {
        if !character.is_ascii() {
            run.push(byte_of(character)?);
        } else if !run.is_empty() && !is_run(&mut run) {
            return None;
        }
    }
    if !is_run(&mut run) {
        return None;
    }
    let bytes: Option<Vec<u8>> = text.chars().map(byte_of).collect();
    String::from_utf8(bytes?).ok()
}

/// The byte that a character has in Windows-1252, or in Latin-1 where the former has none.
fn byte_of(character: char) -> Option<u8> {
    if let Ok(byte) = u8::try_from(u32::from(character)) {
        return Some(byte);
    }
    /// The characters of the bytes from 80 to 9F; a space where there is none.
    const ABOVE: &str = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";
    let place = ABOVE.chars().position(|other| other == character)?;
    Some(0x80 + place as u8)
}

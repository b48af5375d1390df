//! Fonts for pixels.

use std::fmt;
use std::sync::Arc;

use resvg::usvg::fontdb::{Database, Source};

/// The fonts that text in PNGs and GIFs is set in; an SVG uses those of whoever looks at it.
///
/// The embedded ones are Noto Sans, regular and bold: Latin, Greek and Cyrillic. A caller who wants names in other
/// scripts brings a font that has them; it is asked for the characters that the embedded ones lack.
#[derive(Clone)]
pub struct Fonts {
    pub(crate) database: Arc<Database>,
}

impl Fonts {
    /// The fonts that are part of this crate.
    pub fn embedded() -> Self {
        let mut database = Database::new();
        for data in [ttf_noto_sans::REGULAR, ttf_noto_sans::BOLD] {
            database.load_font_source(Source::Binary(Arc::new(data)));
        }
        database.set_sans_serif_family("Noto Sans");
        Self {
            database: Arc::new(database),
        }
    }

    /// Adds the fonts of a TrueType or OpenType file or collection; returns how many there were, 0 if it is no such
    /// file.
    pub fn add(&mut self, data: Vec<u8>) -> usize {
        let database = Arc::make_mut(&mut self.database);
        let source = Source::Binary(Arc::new(data));
        database.load_font_source(source).len()
    }
}

impl Default for Fonts {
    fn default() -> Self {
        Self::embedded()
    }
}

impl fmt::Debug for Fonts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let families = self.database.faces().map(|face| &face.post_script_name);
        f.debug_list().entries(families).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_font_adds_none() {
        let mut fonts = Fonts::embedded();
        assert_eq!(fonts.add(b"not a font".to_vec()), 0);
        assert_eq!(fonts.add(ttf_noto_sans::BOLD.to_vec()), 1);
        assert_eq!(fonts.database.len(), 3);
    }
}

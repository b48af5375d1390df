use tengen_core::{Color, Komi, Preset, Rules};

/// Rules that read are printed and read again as the same; an error points into the text.
pub fn rules(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    match text.parse::<Rules>() {
        Ok(rules) => assert_eq!(rules.to_string().parse(), Ok(rules)),
        Err(error) => {
            assert!(text.is_char_boundary(error.position), "{error:?}");
            assert!(Preset::named(text).is_none());
        }
    }
    if let Ok(komi) = text.parse::<Komi>() {
        assert_eq!(komi.to_string().parse(), Ok(komi));
    }
    if let Ok(color) = text.parse::<Color>() {
        assert_eq!(color.to_string().parse(), Ok(color));
    }
}

use tengen_core::{Move, Point, Size};

/// A coordinate that reads is on the board, and is printed and read again as the same. The first two bytes are the
/// size.
pub fn coordinates(input: &[u8]) {
    let &[width, height, ref rest @ ..] = input else {
        return;
    };
    let Ok(text) = std::str::from_utf8(rest) else {
        return;
    };
    if let Ok(size) = text.parse::<Size>() {
        assert_eq!(size.to_string().parse(), Ok(size));
    }
    let Ok(size) = Size::new(width, height) else {
        return;
    };
    if let Ok(point) = Point::from_gtp(text, size) {
        assert!(size.contains(point));
        assert!(point.to_gtp(size).eq_ignore_ascii_case(text) || text.contains('0'));
        assert_eq!(Point::from_gtp(&point.to_gtp(size), size), Ok(point));
        assert_eq!(Move::from_gtp(text, size), Ok(Move::Play(point)));
    }
    if let Ok(point) = Point::from_sgf(text, size) {
        assert!(size.contains(point));
        assert_eq!(point.to_sgf(), text);
    }
    if let Ok(action) = Move::from_gtp(text, size) {
        assert_eq!(Move::from_gtp(&action.to_gtp(size), size), Ok(action));
    }
    if let Ok(action) = Move::from_sgf(text, size) {
        assert_eq!(Move::from_sgf(&action.to_sgf(), size), Ok(action));
    }
}

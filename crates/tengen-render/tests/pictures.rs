//! Pictures of all kinds can be drawn, and come out as promised.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::io::Cursor;
use std::time::Duration;

use proptest::prelude::*;
use roxmltree::Document;
use tengen_core::{ByColor, Color, Game, Move, Point, PointSet, Rules, Setup, Size};
use tengen_render::{
    Animation, Coordinates, Fonts, Link, LinkKind, Mark, Picture, Region, RenderError, Repeat,
    Theme,
};

fn dimensions(bytes: &[u8]) -> (u32, u32) {
    let decoder = png::Decoder::new(Cursor::new(bytes));
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    (info.width, info.height)
}

/// The frames of a GIF: delay, width and height of each.
fn decode(bytes: &[u8]) -> Vec<(u16, u16, u16)> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let mut decoder = options.read_info(bytes).unwrap();
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        assert!(frame.palette.is_none(), "one palette is enough");
        frames.push((frame.delay, frame.width, frame.height));
    }
    frames
}

/// A game on a small board with a capture in it and a pass at the end.
fn game(theme: Theme) -> Vec<Picture> {
    let mut game = Game::new(Size::square(5).unwrap(), Rules::default());
    let picture =
        |game: &Game, last: Option<Point>| Picture::new(game.board()).theme(theme).last(last);
    let mut frames = vec![picture(&game, None)];
    for text in ["B2", "A2", "A1", "D4", "A3", "pass"] {
        let action = Move::from_gtp(text, game.size()).unwrap();
        game.play(action).unwrap();
        frames.push(picture(&game, action.point()));
    }
    frames
}

#[test]
fn every_size_can_be_drawn() {
    for width in 1..=Size::MAX {
        for height in 1..=Size::MAX {
            let size = Size::new(width, height).unwrap();
            let picture = Picture::of_setup(&Setup::empty(size)).caption("A – B");
            Document::parse(&picture.to_svg()).unwrap();
            if width == height || width == 1 || height == 1 {
                let (drawn, _) = dimensions(&picture.to_png(64).unwrap());
                assert_eq!(drawn, 64);
            }
        }
    }
}

#[test]
fn a_png_has_the_width_that_was_asked_for() {
    let setup = Setup::empty(Size::new(9, 13).unwrap());
    for theme in Theme::ALL {
        let picture = Picture::of_setup(&setup).theme(theme);
        for width in [1, 7, 100, 333, 500] {
            let (drawn, height) = dimensions(&picture.to_png(width).unwrap());
            assert_eq!(drawn, width);
            assert!(height >= width);
        }
        let refused = picture.to_png(0).unwrap_err();
        assert!(matches!(refused, RenderError::Pixels { width: 0, .. }));
        assert!(picture.to_png(u32::MAX).is_err());
        assert!(picture.to_png(100_000).is_err());
    }
}

#[test]
fn the_same_picture_gives_the_same_bytes() {
    let frames = game(Theme::Wood);
    assert_eq!(frames[5].to_svg(), frames[5].clone().to_svg());
    assert_eq!(
        frames[5].to_png(150).unwrap(),
        frames[5].to_png_with(150, &Fonts::embedded()).unwrap()
    );
    let animation = Animation::new(frames).unwrap();
    assert_eq!(animation.to_svg(), animation.clone().to_svg());
    assert_eq!(animation.to_gif(120), animation.to_gif(120));
}

#[test]
fn embedded_fonts_have_what_labels_need() {
    let setup = Setup::empty(Size::square(3).unwrap());
    let empty = Picture::of_setup(&setup).coordinates(Coordinates::Hidden);
    let png = |label: &str| {
        let picture = empty.clone().label(Point::new(1, 1), label);
        picture.to_png(200).unwrap()
    };
    let labels = ["A", "b", "7", "Ж", "β", "é", "?"];
    for (index, label) in labels.iter().enumerate() {
        for other in &labels[..index] {
            assert_ne!(png(label), png(other));
        }
    }
}

#[test]
fn an_animated_svg_holds_every_stone_once() {
    for theme in Theme::ALL {
        let animation = Animation::new(game(theme)).unwrap();
        let svg = animation.to_svg();
        let document = Document::parse(&svg).unwrap();
        let stones = document.descendants().filter(|node| {
            let href = node.attribute("href").unwrap_or_default();
            href.ends_with('b') || href.ends_with('w')
        });
        assert_eq!(stones.count(), 5);
        // The captured stone is hidden at the end, and so is every ring, since the last move is a pass.
        let hidden = document
            .descendants()
            .filter(|node| node.attribute("visibility") == Some("hidden"));
        let hidden = hidden.flat_map(|group| group.children());
        let shadow = usize::from(theme == Theme::Wood);
        assert_eq!(hidden.count(), 1 + shadow + 5);
        assert!(svg.contains("infinite") && svg.contains("prefers-reduced-motion"));
        assert!(!svg.contains('\u{0}'));
        let once = animation.repeat(Repeat::Never).to_svg();
        assert!(!once.contains("infinite"));
    }
}

#[test]
fn an_animated_svg_grows_with_what_changes() {
    let frames = |count: u32| {
        let size = Size::square(19).unwrap();
        let mut stones = ByColor::<PointSet>::default();
        let mut frames = Vec::new();
        for (index, point) in (0..count).zip(size.points()) {
            stones[Color::BOTH[index as usize % 2]].insert(point);
            let setup = Setup {
                stones,
                ..Setup::empty(size)
            };
            frames.push(Picture::of_setup(&setup));
        }
        Animation::new(frames).unwrap().to_svg().len()
    };
    let (few, more, most) = (frames(50), frames(100), frames(200));
    assert!(most - more < (more - few) * 5 / 2, "{few} {more} {most}");
}

#[test]
fn a_gif_has_a_frame_for_every_picture() {
    for theme in Theme::ALL {
        let pictures = game(theme);
        let animation = Animation::new(pictures.clone())
            .unwrap()
            .frame_duration(Duration::from_millis(250))
            .end_pause(Duration::from_secs(2));
        let frames = decode(&animation.to_gif(150).unwrap());
        assert_eq!(frames.len(), pictures.len());
        assert_eq!(frames[0].0, 25);
        assert_eq!(frames[6].0, 225);
        assert_eq!(frames[0].1, 150);
        for frame in &frames[1..] {
            assert!(frame.1 < 150);
        }
    }
}

#[test]
fn pictures_of_an_animation_are_alike() {
    assert_eq!(Animation::new(Vec::new()), Err(RenderError::NoFrames));
    let mut frames = game(Theme::Wood);
    frames[2] = frames[2].clone().theme(Theme::Dark);
    assert_eq!(Animation::new(frames), Err(RenderError::FramesDiffer(2)));
}

fn any_point() -> impl Strategy<Value = Point> {
    (0..25u8, 0..25u8).prop_map(|(x, y)| Point::new(x, y))
}

fn any_mark() -> impl Strategy<Value = Mark> {
    prop::sample::select(vec![
        Mark::Dimmed,
        Mark::Selected,
        Mark::Territory(Color::Black),
        Mark::Territory(Color::White),
        Mark::Triangle,
        Mark::Square,
        Mark::Circle,
        Mark::Cross,
    ])
}

fn any_text() -> impl Strategy<Value = String> {
    prop::collection::vec(any::<char>(), 0..12).prop_map(|symbols| symbols.into_iter().collect())
}

prop_compose! {
    fn any_picture()(
        (width, height) in (1..=25u8, 1..=25u8),
        black in prop::collection::vec(any_point(), 0..60),
        white in prop::collection::vec(any_point(), 0..60),
        theme in prop::sample::select(Theme::ALL.to_vec()),
        coordinates in prop::sample::select(vec![Coordinates::Hidden, Coordinates::Shown]),
        crop in prop::option::of((any_point(), any_point())),
        last in prop::option::of(any_point()),
        marks in prop::collection::vec((any_point(), any_mark()), 0..20),
        labels in prop::collection::vec((any_point(), any_text()), 0..10),
        links in prop::collection::vec((any_point(), any_point(), any::<bool>()), 0..4),
        caption in any_text(),
    ) -> Picture {
        let setup = Setup {
            stones: ByColor::new(black.into_iter().collect(), white.into_iter().collect()),
            ..Setup::empty(Size::new(width, height).unwrap())
        };
        let mut picture = Picture::of_setup(&setup)
            .theme(theme)
            .coordinates(coordinates)
            .crop(crop.map(|(one, other)| Region::new(one, other)))
            .last(last)
            .caption(caption);
        for (point, mark) in marks {
            picture = picture.mark(point, mark);
        }
        for (point, label) in labels {
            picture = picture.label(point, label);
        }
        for (from, to, arrow) in links {
            let kind = if arrow { LinkKind::Arrow } else { LinkKind::Line };
            picture = picture.link(Link { from, to, kind });
        }
        picture
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_picture_can_be_drawn(picture in any_picture(), width in 20..120u32) {
        let svg = picture.to_svg();
        let document = Document::parse(&svg);
        prop_assert!(document.is_ok(), "{document:?}\n{svg}");
        prop_assert_eq!(&svg, &picture.clone().to_svg());
        let (drawn, _) = dimensions(&picture.to_png(width).unwrap());
        prop_assert_eq!(drawn, width);
        let empty = picture.clone().caption("").last(None);
        let animation = Animation::new(vec![picture, empty]).unwrap();
        Document::parse(&animation.to_svg()).unwrap();
        prop_assert_eq!(decode(&animation.to_gif(width).unwrap()).len(), 2);
    }
}

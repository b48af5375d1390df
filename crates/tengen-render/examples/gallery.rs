//! Draws pictures of every kind into a folder, to be looked at: `cargo run --example gallery -- FOLDER`.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tengen_core::{Color, Game, Move, Point, Rules, Setup, Size};
use tengen_render::{Animation, Coordinates, Link, LinkKind, Mark, Picture, Region, Theme};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(env::args_os().nth(1).ok_or("name a folder")?);
    fs::create_dir_all(&folder)?;
    for theme in Theme::ALL {
        save(&folder, &format!("9x9-{theme}"), &small(theme)?, 600)?;
        save(&folder, &format!("13x13-{theme}"), &marked(theme)?, 800)?;
        let game = frames(19, 250, theme)?;
        let last = game.last().ok_or("no frame")?;
        save(&folder, &format!("19x19-{theme}"), last, 1000)?;
        save(&folder, &format!("19x19-{theme}-small"), last, 320)?;
        let corner = Region::new(Point::new(11, 0), Point::new(18, 6));
        save(
            &folder,
            &format!("crop-{theme}"),
            &last.clone().crop(Some(corner)),
            500,
        )?;
        animate(&folder, &format!("game-{theme}"), game)?;
    }
    for (width, height) in [(1, 1), (2, 2), (1, 7), (25, 2), (25, 25)] {
        let size = Size::new(width, height)?;
        let center = Point::new(width / 2, height / 2);
        let mut setup = Setup::empty(size);
        if size.area() > 100 {
            setup.stones.white.insert(center);
        }
        let picture = Picture::of_setup(&setup).last(Some(center));
        save(&folder, &size.to_string(), &picture, 600)?;
        let picture = picture.coordinates(Coordinates::Hidden);
        save(
            &folder,
            &format!("{size}-bare"),
            &picture.caption("Shusaku – Gennan Inseki, 1846"),
            400,
        )?;
    }
    Ok(())
}

fn save(folder: &Path, name: &str, picture: &Picture, width: u32) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let png = picture.to_png(width)?;
    let svg = picture.to_svg();
    eprintln!(
        "{name}: PNG {} kB, SVG {} kB, {:?}",
        png.len() / 1000,
        svg.len() / 1000,
        start.elapsed()
    );
    fs::write(folder.join(format!("{name}.png")), png)?;
    fs::write(folder.join(format!("{name}.svg")), svg)?;
    Ok(())
}

fn animate(folder: &Path, name: &str, frames: Vec<Picture>) -> Result<(), Box<dyn Error>> {
    let animation = Animation::new(frames)?.frame_duration(Duration::from_millis(200));
    let start = Instant::now();
    let svg = animation.to_svg();
    let svg_time = start.elapsed();
    let gif = animation.to_gif(480)?;
    eprintln!(
        "{name}: GIF {} kB, SVG {} kB, {svg_time:?}, {:?}",
        gif.len() / 1000,
        svg.len() / 1000,
        start.elapsed()
    );
    fs::write(folder.join(format!("{name}.svg")), svg)?;
    fs::write(folder.join(format!("{name}.gif")), gif)?;
    Ok(())
}

/// The positions of a game at random.
fn frames(side: u8, moves: usize, theme: Theme) -> Result<Vec<Picture>, Box<dyn Error>> {
    let mut game = Game::new(Size::square(side)?, Rules::default());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let picture = |game: &Game, last: Option<Point>| {
        Picture::new(game.board())
            .theme(theme)
            .last(last)
            .caption(format!(
                "Honinbo Shusaku – Gennan Inseki · move {}",
                game.turns().len()
            ))
    };
    let mut frames = vec![picture(&game, None)];
    while !game.is_over() && game.turns().len() < moves {
        let action: Move = game.random_move(&mut random);
        game.play(action)?;
        frames.push(picture(&game, action.point()));
    }
    Ok(frames)
}

fn small(theme: Theme) -> Result<Picture, Box<dyn Error>> {
    let setup: Setup = "
        . . . . . . . . .
        . . O . O . X . .
        . . O X X . X . .
        . O . O O X . . .
        . . . . O O X . .
        . . O . O X X . .
        . . O O X . . . .
        . . O X X . X . .
        . . . . . . . . ."
        .parse()?;
    Ok(Picture::of_setup(&setup)
        .theme(theme)
        .last(Some(Point::new(5, 3)))
        .caption("Black 6 dan – White 5 dan · move 25"))
}

fn marked(theme: Theme) -> Result<Picture, Box<dyn Error>> {
    let setup: Setup = "
        . . . . . . . . . . . . .
        . . . . . . . . . O . . .
        . . X X . . . O O X X . .
        . . O O X . . O X . X . .
        . O . . X X . O X X O . .
        . . . . . . . . O O . O .
        . . . . . . . . . . . . .
        . . . X . . . X . . . O .
        . X X O X . X O O . . . .
        . X O O O . . O X X X O .
        . X O . O . O . O O X O .
        . X O O . . . . . O X X .
        . X X O . . . . . . O X ."
        .parse()?;
    let gtp = |text: &str| Point::from_gtp(text, setup.size);
    let mut picture = Picture::of_setup(&setup)
        .theme(theme)
        .last(Some(gtp("K9")?));
    let marks = [
        ("C10", Mark::Triangle),
        ("D10", Mark::Square),
        ("C11", Mark::Circle),
        ("D11", Mark::Cross),
        ("F13", Mark::Triangle),
        ("G13", Mark::Square),
        ("H13", Mark::Circle),
        ("J13", Mark::Cross),
        ("K13", Mark::Selected),
        ("K12", Mark::Selected),
        ("A1", Mark::Territory(Color::Black)),
        ("A2", Mark::Territory(Color::Black)),
        ("A3", Mark::Territory(Color::Black)),
        ("C2", Mark::Territory(Color::Black)),
        ("E2", Mark::Territory(Color::White)),
        ("E1", Mark::Territory(Color::White)),
        ("F3", Mark::Territory(Color::White)),
        ("D6", Mark::Territory(Color::White)),
    ];
    for (point, mark) in marks {
        picture = picture.mark(gtp(point)?, mark);
    }
    for x in 10..13 {
        for y in 10..13 {
            picture = picture.mark(Point::new(x, y), Mark::Dimmed);
        }
    }
    for (point, number) in [
        ("H11", 1),
        ("J11", 2),
        ("K11", 19),
        ("L11", 20),
        ("H10", 99),
    ] {
        picture = picture.number(gtp(point)?, number);
    }
    for (point, number) in [
        ("J10", 100),
        ("L10", 188),
        ("H9", 211),
        ("J9", 247),
        ("K9", 361),
    ] {
        picture = picture.number(gtp(point)?, number);
    }
    for (point, label) in [
        ("B7", "A"),
        ("C7", "b"),
        ("D7", "C"),
        ("E7", "12"),
        ("F7", "123"),
    ] {
        picture = picture.label(gtp(point)?, label);
    }
    for (point, label) in [
        ("G7", "ko"),
        ("H7", "+0.5"),
        ("J7", "a long label"),
        ("K7", "Ж"),
        ("K4", "?!"),
    ] {
        picture = picture.label(gtp(point)?, label);
    }
    for (from, to, kind) in [
        ("E4", "F6", LinkKind::Arrow),
        ("G6", "L8", LinkKind::Arrow),
        ("B12", "B8", LinkKind::Line),
        ("L3", "J3", LinkKind::Arrow),
    ] {
        let (from, to) = (gtp(from)?, gtp(to)?);
        picture = picture.link(Link { from, to, kind });
    }
    Ok(picture)
}

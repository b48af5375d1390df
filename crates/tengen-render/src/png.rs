//! Pixels.

use resvg::tiny_skia::{Pixmap, PixmapMut, Transform};
use resvg::usvg::{Options, Tree};

use crate::error::RenderError;
use crate::fonts::Fonts;
use crate::layout::Layout;

/// Draws a whole document.
pub(crate) fn draw(svg: &str, layout: &Layout, fonts: &Fonts) -> Result<Pixmap, RenderError> {
    let (width, height) = (layout.width, layout.height);
    let mut pixmap = Pixmap::new(width, height).ok_or(RenderError::Pixels { width, height })?;
    draw_onto(svg, fonts, &mut pixmap.as_mut())?;
    Ok(pixmap)
}

/// Draws a document onto what is there.
pub(crate) fn draw_onto(
    svg: &str,
    fonts: &Fonts,
    pixmap: &mut PixmapMut<'_>,
) -> Result<(), RenderError> {
    let options = Options {
        fontdb: fonts.database.clone(),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).map_err(|_| RenderError::Internal)?;
    resvg::render(&tree, Transform::identity(), pixmap);
    Ok(())
}

/// The colours of a picture, of which every pixel is opaque.
pub(crate) fn rgb(pixmap: &Pixmap) -> Vec<u8> {
    let pixels = pixmap.pixels().iter();
    pixels
        .flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()])
        .collect()
}

/// Encodes a picture, of which every pixel is opaque.
pub(crate) fn encode(pixmap: &Pixmap) -> Result<Vec<u8>, RenderError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, pixmap.width(), pixmap.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Balanced);
    let mut writer = encoder.write_header().map_err(|_| RenderError::Internal)?;
    writer
        .write_image_data(&rgb(pixmap))
        .and_then(|()| writer.finish())
        .map_err(|_| RenderError::Internal)?;
    Ok(bytes)
}

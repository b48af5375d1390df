//! Pixels.

use resvg::tiny_skia::{Pixmap, PixmapMut, Transform};
use resvg::usvg::{Options, Tree};

use crate::error::RenderError;
use crate::fonts::Fonts;
use crate::layout::Layout;
use crate::picture::Picture;
use crate::svg;

impl Picture {
    /// The picture as a PNG this many pixels wide; its height follows.
    ///
    /// The distance of two lines is a whole number of pixels, so that all lines are equally sharp, and the margins take
    /// what is left over.
    pub fn to_png(&self, width: u32) -> Result<Vec<u8>, RenderError> {
        self.to_png_with(width, &Fonts::embedded())
    }

    /// [`Picture::to_png`] with more fonts, for names in scripts that the embedded font does not have.
    pub fn to_png_with(&self, width: u32, fonts: &Fonts) -> Result<Vec<u8>, RenderError> {
        let layout = Layout::of_width(self, width)?;
        encode(&draw(&svg::document(self, &layout), &layout, fonts)?)
    }

    /// The picture as pixels, row after row, red, green and blue a byte each; and how many rows there are.
    pub fn to_rgb(&self, width: u32) -> Result<(Vec<u8>, u32), RenderError> {
        let layout = Layout::of_width(self, width)?;
        let document = svg::document(self, &layout);
        let pixmap = draw(&document, &layout, &Fonts::embedded())?;
        Ok((rgb(&pixmap), pixmap.height()))
    }
}

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

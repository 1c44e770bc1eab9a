//! Pictures as PNG, for what shows no SVG. They carry their letters with them: no font of the system is needed.

use super::shapes::{Anchor, Colour, Form, Look, NoPicture, Picture, Place, read};
use tiny_skia::{FillRule, LineCap, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash, Transform};
use ttf_parser::{Face, OutlineBuilder};

/// Dots of a screen in a metre, by convention.
const DOTS: f64 = 96.0 / 0.0254;
/// How far a curve's end pulls towards its middle, for a quarter of a circle.
const QUARTER: f32 = 0.552_284_8;

/// A picture of this crate as PNG, `scale` pixels wide for each of its own.
///
/// # Errors
/// What is no picture of this crate, or too large for the memory.
pub fn png(svg: &str, scale: u32) -> Result<Vec<u8>, NoPicture> {
    let picture = read(svg)?;
    let too_large = || NoPicture::of(format_args!("{} by {} pixels", picture.width, picture.height));
    let pixels = |length: f64| (length * f64::from(scale)).round() as u32;
    let mut canvas = Canvas {
        pixmap: Pixmap::new(pixels(picture.width), pixels(picture.height)).ok_or_else(too_large)?,
        transform: Transform::from_scale(scale as f32, scale as f32),
        fonts: [dejavu::sans_condensed::regular(), dejavu::sans_condensed::bold()]
            .map(|font| Face::parse(font, 0).ok()),
    };
    for shape in &picture.shapes {
        canvas.draw(&shape.form, &shape.look);
    }
    encoded(canvas.pixmap, &picture, scale).map_err(NoPicture::of)
}

fn encoded(pixmap: Pixmap, picture: &Picture, scale: u32) -> Result<Vec<u8>, png::EncodingError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, pixmap.width(), pixmap.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    // as large on paper as the SVG
    let dots = (DOTS * f64::from(scale)).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions { xppu: dots, yppu: dots, unit: png::Unit::Meter }));
    encoder.add_text_chunk("Software".to_owned(), "rhomb".to_owned())?;
    for (name, text) in [("Title", &picture.title), ("Description", &picture.description)] {
        encoder.add_itxt_chunk(name.to_owned(), text.clone())?;
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixmap.take_demultiplied())?;
    writer.finish()?;
    Ok(file)
}

struct Canvas {
    pixmap: Pixmap,
    transform: Transform,
    /// Regular and bold.
    fonts: [Option<Face<'static>>; 2],
}

fn paint([red, green, blue]: Colour, opacity: f64) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, (opacity * 255.0).round() as u8);
    paint
}

impl Canvas {
    fn draw(&mut self, form: &Form, look: &Look) {
        let path = match form {
            Form::Text { at, size, anchor, bold, text } => self.text(*at, *size, *anchor, *bold, text),
            Form::Lines(lines) => {
                let mut path = PathBuilder::new();
                for line in lines {
                    let mut points = line.points.iter().map(|(x, y)| (*x as f32, *y as f32));
                    if let Some((x, y)) = points.next() {
                        path.move_to(x, y);
                    }
                    points.for_each(|(x, y)| path.line_to(x, y));
                    if line.closed {
                        path.close();
                    }
                }
                path.finish()
            }
            Form::Disc { centre, radius } => {
                PathBuilder::from_circle(centre.0 as f32, centre.1 as f32, *radius as f32)
            }
            Form::Rectangle { corner, size, round } => rectangle(*corner, *size, *round as f32),
        };
        let Some(path) = path else { return };
        if let Some(fill) = look.fill {
            let paint = paint(fill, look.fill_opacity);
            self.pixmap.fill_path(&path, &paint, FillRule::Winding, self.transform, None);
        }
        if let Some(stroke) = look.stroke {
            let own = Stroke {
                width: look.width as f32,
                line_cap: if look.round { LineCap::Round } else { LineCap::Butt },
                dash: look.dash.and_then(|(on, off)| StrokeDash::new(vec![on as f32, off as f32], 0.0)),
                ..Stroke::default()
            };
            self.pixmap.stroke_path(&path, &paint(stroke, look.stroke_opacity), &own, self.transform, None);
        }
    }

    /// The outlines of a text's letters.
    fn text(&self, (x, y): Place, size: f64, anchor: Anchor, bold: bool, text: &str) -> Option<Path> {
        let font = self.fonts[usize::from(bold)].as_ref()?;
        let scale = size as f32 / f32::from(font.units_per_em());
        let glyphs: Vec<_> =
            text.chars().map(|letter| font.glyph_index(letter).unwrap_or_default()).collect();
        let advance = |glyph| f32::from(font.glyph_hor_advance(glyph).unwrap_or(0)) * scale;
        let width: f32 = glyphs.iter().copied().map(advance).sum();
        let before = match anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width / 2.0,
            Anchor::End => width,
        };
        let mut pen = Pen { path: PathBuilder::new(), at: (x as f32 - before, y as f32), scale };
        for glyph in glyphs {
            // blanks have no outline
            let _ = font.outline_glyph(glyph, &mut pen);
            pen.at.0 += advance(glyph);
        }
        pen.path.finish()
    }
}

fn rectangle((x, y): Place, (width, height): (f64, f64), round: f32) -> Option<Path> {
    let rect = Rect::from_xywh(x as f32, y as f32, width as f32, height as f32)?;
    let (left, top, right, bottom) = (rect.left(), rect.top(), rect.right(), rect.bottom());
    let pull = round * (1.0 - QUARTER);
    let mut path = PathBuilder::new();
    path.move_to(left + round, top);
    path.line_to(right - round, top);
    path.cubic_to(right - pull, top, right, top + pull, right, top + round);
    path.line_to(right, bottom - round);
    path.cubic_to(right, bottom - pull, right - pull, bottom, right - round, bottom);
    path.line_to(left + round, bottom);
    path.cubic_to(left + pull, bottom, left, bottom - pull, left, bottom - round);
    path.line_to(left, top + round);
    path.cubic_to(left, top + pull, left + pull, top, left + round, top);
    path.close();
    path.finish()
}

/// Draws outlines, whose y grows upward.
struct Pen {
    path: PathBuilder,
    at: (f32, f32),
    scale: f32,
}

impl Pen {
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        (self.at.0 + x * self.scale, self.at.1 - y * self.scale)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.place(x1, y1), self.place(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.place(x1, y1), self.place(x2, y2), self.place(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::{self, Svg};

    /// Width, height and pixels, two for each of the picture.
    fn decoded(svg: &str) -> (u32, u32, Vec<[u8; 4]>) {
        let file = png(svg, 2).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgba, png::BitDepth::Eight));
        (info.width, info.height, bytes.as_chunks().0.to_vec())
    }

    #[test]
    fn shapes_are_where_they_belong() {
        let mut svg = Svg::new(100.0, 50.0, "", "");
        svg.disc((20.0, 25.0), 8.0, "fill=\"#0b5cad\"", None);
        svg.element("rect", "x=\"40\" y=\"10\" width=\"10\" height=\"5\" fill=\"#c2410c\"", None);
        svg.element(
            "path",
            "d=\"M40 30h40\" stroke=\"#000000\" stroke-width=\"4\" stroke-dasharray=\"10 10\"",
            None,
        );
        svg.element("path", "d=\"M60 10h10v10h-10Z\" fill=\"#000000\" fill-opacity=\"0.5\"", None);
        let (width, height, pixels) = decoded(&svg.finish());
        assert_eq!((width, height), (200, 100));
        let at = |x: usize, y: usize| pixels[2 * y * 200 + 2 * x];
        let white = [255; 4];
        assert_eq!(at(0, 0)[3], 0, "outside of the round corner");
        for (place, colour) in [
            ((20, 25), [0x0b, 0x5c, 0xad, 255]),
            ((27, 25), [0x0b, 0x5c, 0xad, 255]),
            ((29, 25), white),
            ((26, 31), white),
            ((40, 10), [0xc2, 0x41, 0x0c, 255]),
            ((49, 14), [0xc2, 0x41, 0x0c, 255]),
            ((50, 15), white),
            ((45, 29), [0, 0, 0, 255]),
            ((55, 29), white),
            ((65, 29), [0, 0, 0, 255]),
            ((45, 33), white),
            ((65, 15), [127, 127, 127, 255]),
        ] {
            assert_eq!(at(place.0, place.1), colour, "{place:?}");
        }
    }

    /// The columns that a text inks, in its picture's pixels.
    fn inked(anchor: svg::Anchor, more: &str, text: &str) -> (u32, u32) {
        let mut svg = Svg::new(200.0, 50.0, "", "");
        svg.text((100.0, 30.0), 12.0, anchor, more, text);
        let (width, _, pixels) = decoded(&svg.finish());
        let inner =
            |at: &u32| (4..width - 4).contains(&(at % width)) && (20 * width..80 * width).contains(at);
        let dark = (0..pixels.len() as u32).filter(inner).filter(|at| pixels[*at as usize][0] < 128);
        let columns: Vec<u32> = dark.map(|at| at % width / 2).collect();
        (columns.iter().copied().min().unwrap(), columns.iter().copied().max().unwrap())
    }

    #[test]
    fn texts_stand_at_their_anchors() {
        let text = "H0123456789H";
        let (left, right) = inked(svg::Anchor::Start, "", text);
        assert!((100..103).contains(&left) && (170..190).contains(&right), "{left} {right}");
        let width = right - left;
        let (left, right) = inked(svg::Anchor::End, "", text);
        assert!((97..100).contains(&right) && left + width <= right + 1, "{left} {right}");
        let (left, right) = inked(svg::Anchor::Middle, "", text);
        assert!((left + right).abs_diff(200) <= 2, "{left} {right}");
        let (left, right) = inked(svg::Anchor::Start, "font-weight=\"bold\"", text);
        assert!(right - left > width, "bold letters are wider");
    }

    /// Texts have room for letters as wide as Helvetica's.
    #[test]
    fn letters_are_as_narrow_as_those_that_pictures_are_made_for() {
        let font = Face::parse(dejavu::sans_condensed::regular(), 0).unwrap();
        for text in
            ["consecutive-operand-caching", "loads of words of A and B", "12859917 cycles of ATmega128"]
        {
            let glyphs = text.chars().map(|letter| font.glyph_index(letter).unwrap());
            let width: u32 = glyphs.map(|glyph| u32::from(font.glyph_hor_advance(glyph).unwrap())).sum();
            let width = 12.0 * f64::from(width) / f64::from(font.units_per_em());
            assert!(width < 1.1 * svg::width(text, 12.0), "{text}: {width}");
        }
    }

    /// What it shows is told in words, and programs know its size on paper.
    #[test]
    fn a_picture_is_described() {
        let file = png(&Svg::new(100.0, 50.0, "A title", "What A\u{b7}B shows").finish(), 2).unwrap();
        let reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let info = reader.info();
        let text = &info.uncompressed_latin1_text[0];
        assert_eq!((text.keyword.as_str(), text.text.as_str()), ("Software", "rhomb"));
        let texts: Vec<String> = info.utf8_text.iter().map(|chunk| chunk.get_text().unwrap()).collect();
        assert_eq!(texts, ["A title", "What A\u{b7}B shows"]);
        assert_eq!(info.pixel_dims.unwrap().xppu, 7559);
    }

    #[test]
    fn nothing_is_no_picture() {
        assert!(png("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", 2).is_err());
        assert!(png("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1e9\" height=\"1e9\"/>", 2).is_err());
    }
}

//! The shapes of a picture: as much of SVG as this crate writes, and no more.

use roxmltree::{Document, Node};

/// A text that is no picture of this crate; says what no picture has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no picture of rhomb: {0}")]
pub struct NoPicture(String);

impl NoPicture {
    pub(super) fn of(what: impl std::fmt::Display) -> Self {
        NoPicture(what.to_string())
    }
}

/// Red, green and blue.
pub(super) type Colour = [u8; 3];
/// A place in pixels, from the top left corner.
pub(super) type Place = (f64, f64);

/// A picture.
pub(super) struct Picture {
    pub(super) title: String,
    pub(super) description: String,
    pub(super) width: f64,
    pub(super) height: f64,
    /// From the lowest to the topmost.
    pub(super) shapes: Vec<Shape>,
}

/// A shape and how it is drawn.
pub(super) struct Shape {
    pub(super) look: Look,
    pub(super) form: Form,
}

/// What is drawn.
pub(super) enum Form {
    Lines(Vec<Line>),
    Disc { centre: Place, radius: f64 },
    Rectangle { corner: Place, size: (f64, f64), round: f64 },
    Text { at: Place, size: f64, anchor: Anchor, bold: bool, text: String },
}

/// Points joined by lines.
#[derive(Debug, PartialEq)]
pub(super) struct Line {
    pub(super) points: Vec<Place>,
    pub(super) closed: bool,
}

/// Which end of a text is at its place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How things are drawn; groups hand it down.
#[derive(Clone, Debug)]
pub(super) struct Look {
    pub(super) fill: Option<Colour>,
    pub(super) fill_opacity: f64,
    pub(super) stroke: Option<Colour>,
    pub(super) stroke_opacity: f64,
    pub(super) width: f64,
    /// Lengths of dashes and of gaps.
    pub(super) dash: Option<(f64, f64)>,
    pub(super) round: bool,
}

/// What SVG says where nothing is said.
const PLAIN: Look = Look {
    fill: Some([0; 3]),
    fill_opacity: 1.0,
    stroke: None,
    stroke_opacity: 1.0,
    width: 1.0,
    dash: None,
    round: false,
};

/// Where things are, and what a browser does with them.
const OTHERS: [&str; 16] = [
    "x",
    "y",
    "width",
    "height",
    "rx",
    "cx",
    "cy",
    "r",
    "d",
    "class",
    "id",
    "font-size",
    "font-weight",
    "text-anchor",
    "pointer-events",
    "data-product",
];

/// Reads a picture.
pub(super) fn read(svg: &str) -> Result<Picture, NoPicture> {
    let document = Document::parse(svg).map_err(|error| NoPicture(error.to_string()))?;
    let root = document.root_element();
    let text = |name: &str| {
        let node = root.children().find(|node| node.tag_name().name() == name);
        node.and_then(|node| node.text()).unwrap_or_default().to_owned()
    };
    let mut picture = Picture {
        title: text("title"),
        description: text("desc"),
        width: number(root, "width")?,
        height: number(root, "height")?,
        shapes: Vec::new(),
    };
    let own = |node: &Node<'_, '_>| node.is_element() && !["title", "desc"].contains(&node.tag_name().name());
    for node in root.children().filter(own) {
        read_into(&mut picture.shapes, node, &PLAIN)?;
    }
    Ok(picture)
}

fn read_into(shapes: &mut Vec<Shape>, node: Node<'_, '_>, around: &Look) -> Result<(), NoPicture> {
    let mut look = look(node, around)?;
    let form = match node.tag_name().name() {
        "g" => {
            return node
                .children()
                .filter(Node::is_element)
                .try_for_each(|child| read_into(shapes, child, &look));
        }
        "path" => {
            let data = node.attribute("d").unwrap_or_default();
            let lines = lines(data).ok_or_else(|| NoPicture(format!("a path d=\"{data}\"")))?;
            // a line has no area, but a PDF would show it
            if lines.iter().all(|line| line.points.len() < 3) {
                look.fill = None;
            }
            Form::Lines(lines)
        }
        "circle" => {
            Form::Disc { centre: (number(node, "cx")?, number(node, "cy")?), radius: number(node, "r")? }
        }
        "rect" => Form::Rectangle {
            corner: (number(node, "x")?, number(node, "y")?),
            size: (number(node, "width")?, number(node, "height")?),
            round: number(node, "rx")?,
        },
        "text" => Form::Text {
            at: (number(node, "x")?, number(node, "y")?),
            size: number(node, "font-size")?,
            anchor: match node.attribute("text-anchor") {
                None => Anchor::Start,
                Some("middle") => Anchor::Middle,
                Some("end") => Anchor::End,
                Some(other) => return Err(NoPicture(format!("text-anchor=\"{other}\""))),
            },
            bold: node.attribute("font-weight") == Some("bold"),
            text: node.text().unwrap_or_default().to_owned(),
        },
        name => return Err(NoPicture(format!("an element <{name}>"))),
    };
    shapes.push(Shape { look, form });
    Ok(())
}

/// What an element says of its look, upon what is around it.
fn look(node: Node<'_, '_>, around: &Look) -> Result<Look, NoPicture> {
    let mut look = around.clone();
    for attribute in node.attributes() {
        let (name, value) = (attribute.name(), attribute.value());
        match name {
            "fill" => look.fill = colour(value)?,
            "stroke" => look.stroke = colour(value)?,
            "fill-opacity" => look.fill_opacity = number(node, name)?,
            "stroke-opacity" => look.stroke_opacity = number(node, name)?,
            "stroke-width" => look.width = number(node, name)?,
            "stroke-dasharray" => match numbers(value).as_deref() {
                Some(&[on, off]) => look.dash = Some((on, off)),
                _ => return Err(NoPicture(format!("{name}=\"{value}\""))),
            },
            "stroke-linecap" if value == "round" => look.round = true,
            _ if OTHERS.contains(&name) => {}
            _ => return Err(NoPicture(format!("{name}=\"{value}\""))),
        }
    }
    Ok(look)
}

fn number(node: Node<'_, '_>, name: &str) -> Result<f64, NoPicture> {
    let value = node.attribute(name).unwrap_or("0");
    let number = value.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| NoPicture(format!("{name}=\"{value}\"")))
}

/// Numbers with blanks between them, or a sign.
fn numbers(text: &str) -> Option<Vec<f64>> {
    text.replace('-', " -").split_whitespace().map(|number| number.parse().ok()).collect()
}

fn colour(value: &str) -> Result<Option<Colour>, NoPicture> {
    if value == "none" {
        return Ok(None);
    }
    let digits = value.strip_prefix('#').filter(|digits| digits.len() == 6);
    let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    match number {
        Some(number) => Ok(Some([16, 8, 0].map(|shift| (number >> shift & 0xff) as u8))),
        None => Err(NoPicture(format!("the colour {value}"))),
    }
}

/// The lines of a path; nothing where it has other commands than pictures of this crate.
fn lines(data: &str) -> Option<Vec<Line>> {
    let mut lines: Vec<Line> = Vec::new();
    let mut rest = data;
    while let Some(command) = rest.chars().next() {
        rest = &rest[command.len_utf8()..];
        let end = rest.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(rest.len());
        let numbers = numbers(&rest[..end])?;
        rest = &rest[end..];
        match (command, numbers.as_slice()) {
            ('M', &[x, y]) => lines.push(Line { points: vec![(x, y)], closed: false }),
            ('Z', []) => lines.last_mut()?.closed = true,
            _ => {
                let line = lines.last_mut().filter(|line| !line.closed)?;
                let pair = if matches!(command, 'L' | 'l') { 2 } else { 1 };
                if numbers.is_empty() {
                    return None;
                }
                for own in numbers.chunks(pair) {
                    let (x, y) = *line.points.last()?;
                    line.points.push(match (command, own) {
                        ('L', &[to_x, to_y]) => (to_x, to_y),
                        ('l', &[by_x, by_y]) => (x + by_x, y + by_y),
                        ('H', &[to]) => (to, y),
                        ('h', &[by]) => (x + by, y),
                        ('V', &[to]) => (x, to),
                        ('v', &[by]) => (x, y + by),
                        _ => return None,
                    });
                }
            }
        }
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_lines() {
        let line = |points: &[Place], closed| Line { points: points.to_vec(), closed };
        assert_eq!(
            lines("M1 2L3 4h5v-1H0V0l2 2 1-3-1.5-2Z"),
            Some(vec![line(
                &[
                    (1.0, 2.0),
                    (3.0, 4.0),
                    (8.0, 4.0),
                    (8.0, 3.0),
                    (0.0, 3.0),
                    (0.0, 0.0),
                    (2.0, 2.0),
                    (3.0, -1.0),
                    (1.5, -3.0)
                ],
                true
            )])
        );
        assert_eq!(
            lines("M9 9h1M0 0V1"),
            Some(vec![line(&[(9.0, 9.0), (10.0, 9.0)], false), line(&[(0.0, 0.0), (0.0, 1.0)], false)])
        );
        for unknown in ["M1", "L1 2", "M0 0C1 1 2 2 3 3", "M0 0L1", "M0 0Zl1 1", "M0 0h1 x", "\u{b7}"] {
            assert_eq!(lines(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn what_is_not_ours_is_refused() {
        let svg = |inner: &str| format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{inner}</svg>");
        for (inner, expected) in [
            ("<ellipse/>", "an element <ellipse>"),
            ("<path d=\"M0 0C1 1 2 2 3 3\" fill=\"#000000\"/>", "a path d=\"M0 0C1 1 2 2 3 3\""),
            ("<path d=\"M0 0\" fill=\"red\"/>", "the colour red"),
            ("<circle r=\"one\"/>", "r=\"one\""),
            ("<circle r=\"inf\"/>", "r=\"inf\""),
            ("<circle transform=\"scale(2)\"/>", "transform=\"scale(2)\""),
            ("<text text-anchor=\"top\"/>", "text-anchor=\"top\""),
            ("<path d=\"M0 0\" stroke-dasharray=\"1\"/>", "stroke-dasharray=\"1\""),
        ] {
            let error = read(&svg(inner)).err().unwrap();
            assert_eq!(error.to_string(), format!("no picture of rhomb: {expected}"));
        }
        assert!(read("<svg>").is_err());
    }
}

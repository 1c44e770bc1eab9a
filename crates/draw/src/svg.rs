//! A small writer of SVG: elements in the order of the calls, coordinates in pixels with one decimal.

use std::fmt::Write;

/// Colour of text and axes.
pub(crate) const INK: &str = "#1f2328";
/// Colour of what stands back.
pub(crate) const GREY: &str = "#656d76";
/// Colour of guides.
pub(crate) const FAINT: &str = "#d8dee4";
/// Colour of the panel under everything.
pub(crate) const PANEL: &str = "#ffffff";

/// Where a text stands relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A picture in the making.
pub(crate) struct Svg {
    text: String,
    groups: usize,
}

/// A coordinate: one decimal, none where it is zero.
pub(crate) fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    match text.strip_suffix(".0") {
        Some("-0") => "0".to_owned(),
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

/// Text fit for an element or an attribute in double quotes; control characters are left out, because
/// XML has no way to write them.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().filter(|c| !c.is_control()) {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

impl Svg {
    /// An empty picture on its panel. `title` and `description` are for those who cannot see it.
    pub(crate) fn new(width: f64, height: f64, title: &str, description: &str) -> Self {
        let (w, h) = (number(width), number(height));
        let mut svg = Svg { text: String::new(), groups: 0 };
        svg.line(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" \
             role=\"img\" aria-labelledby=\"title desc\" font-family=\"Helvetica, Arial, sans-serif\">"
        ));
        svg.line(&format!("<title id=\"title\">{}</title>", escaped(title)));
        svg.line(&format!("<desc id=\"desc\">{}</desc>", escaped(description)));
        svg.line(&format!(
            "<rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"{PANEL}\" stroke=\"{FAINT}\"/>",
            number(width - 1.0),
            number(height - 1.0)
        ));
        svg
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// An element; `attributes` is ready to be written, `title` is what a pointer over it shows.
    pub(crate) fn element(&mut self, name: &str, attributes: &str, title: Option<&str>) {
        // writing to a String cannot fail
        let _ = match title {
            Some(title) => {
                writeln!(self.text, "<{name} {attributes}><title>{}</title></{name}>", escaped(title))
            }
            None => writeln!(self.text, "<{name} {attributes}/>"),
        };
    }

    /// Opens a group whose elements share `attributes`.
    pub(crate) fn open(&mut self, attributes: &str) {
        self.groups += 1;
        self.line(&format!("<g {attributes}>"));
    }

    /// Closes the group opened last.
    pub(crate) fn close(&mut self) {
        if self.groups > 0 {
            self.groups -= 1;
            self.line("</g>");
        }
    }

    /// A line of text; `y` is its base line.
    pub(crate) fn text(&mut self, (x, y): (f64, f64), size: f64, anchor: Anchor, more: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let more = if more.is_empty() { String::new() } else { format!(" {more}") };
        self.line(&format!(
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\"{anchor}{more}>{}</text>",
            number(x),
            number(y),
            number(size),
            escaped(text)
        ));
    }

    /// A filled disc.
    pub(crate) fn disc(&mut self, (x, y): (f64, f64), r: f64, more: &str, title: Option<&str>) {
        let more = if more.is_empty() { String::new() } else { format!(" {more}") };
        let attributes = format!("cx=\"{}\" cy=\"{}\" r=\"{}\"{more}", number(x), number(y), number(r));
        self.element("circle", &attributes, title);
    }

    /// The whole picture.
    pub(crate) fn finish(mut self) -> String {
        while self.groups > 0 {
            self.close();
        }
        self.line("</svg>");
        self.text
    }
}

/// How wide a text of Helvetica is about, in pixels: the widths of its letters in thousandths of the size (Adobe's font
/// metrics), those of wide letters for all others.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let of = |letter: char| match letter {
        'i' | 'j' | 'l' | '\'' => 222,
        ' ' | ',' | '.' | ':' | 'f' | 't' | 'I' | '/' => 278,
        '-' | 'r' | '(' | ')' => 333,
        'c' | 'k' | 's' | 'v' | 'x' | 'y' | 'z' | 'J' => 500,
        'm' | 'w' | 'M' | 'W' => 900,
        'a'..='z' | '0'..='9' | 'L' => 570,
        _ => 720,
    };
    text.chars().map(of).map(f64::from).sum::<f64>() * size / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_never_minus_zero() {
        let numbers: Vec<String> = [0.0, -0.04, 12.0, 12.34, -7.25, 1e6].map(number).into();
        assert_eq!(numbers, ["0", "0", "12", "12.3", "-7.2", "1000000"]);
    }

    #[test]
    fn any_text_leaves_the_picture_well_formed() {
        let mut svg = Svg::new(10.0, 10.0, "a<b & \"c\"\u{1b}", "]]>");
        svg.open("fill=\"red\"");
        svg.text((1.0, 2.0), 9.0, Anchor::End, "", "<&>");
        let text = svg.finish();
        let document = roxmltree::Document::parse(&text).unwrap();
        let title = document.descendants().find(|node| node.has_tag_name("title")).unwrap();
        assert_eq!(title.text(), Some("a<b & \"c\""));
        let shown = document.descendants().find(|node| node.has_tag_name("text")).unwrap();
        assert_eq!(shown.text(), Some("<&>"));
    }
}

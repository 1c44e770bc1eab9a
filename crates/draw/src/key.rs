//! Legends: signs with their meaning, in columns.

use crate::svg::{Anchor, GREY, INK, Svg};

/// Size of the text.
const SIZE: f64 = 12.0;
/// Distance of lines.
const LINE: f64 = 18.0;

/// Draws a sign around a point.
pub(crate) type Sign = Box<dyn Fn(&mut Svg, (f64, f64))>;

/// A sign and what it means.
pub(crate) struct Entry {
    pub(crate) sign: Sign,
    pub(crate) text: String,
}

/// Entries under a heading.
pub(crate) struct Section {
    pub(crate) heading: &'static str,
    pub(crate) entries: Vec<Entry>,
}

/// Height of sections that stand side by side.
pub(crate) fn height(sections: &[Section]) -> f64 {
    sections.iter().map(|section| section.entries.len() + 1).max().unwrap_or(0) as f64 * LINE
}

/// Draws a section with its top left corner at the given point.
pub(crate) fn draw(svg: &mut Svg, section: &Section, (x, y): (f64, f64)) {
    let bold = format!("fill=\"{GREY}\" font-weight=\"bold\"");
    svg.text((x, y + 12.0), SIZE, Anchor::Start, &bold, section.heading);
    for (index, entry) in section.entries.iter().enumerate() {
        let middle = y + (index + 1) as f64 * LINE + 9.0;
        (entry.sign)(svg, (x + 9.0, middle));
        svg.text((x + 26.0, middle + 4.0), SIZE, Anchor::Start, &format!("fill=\"{INK}\""), &entry.text);
    }
}

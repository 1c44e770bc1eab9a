//! Pictures on dark pages: the same hues, with light and dark exchanged.

/// The lightness of what was white, and of what was black.
const DARKEST: f64 = 0.07;
const LIGHTEST: f64 = 0.93;

/// A picture of this crate for dark pages.
pub fn dark(svg: &str) -> String {
    let mut text = String::with_capacity(svg.len());
    let mut rest = svg;
    while let Some(at) = rest.find("\"#") {
        let (before, from) = rest.split_at(at + 2);
        text.push_str(before);
        let colour = from.get(..6).filter(|_| from.as_bytes().get(6) == Some(&b'"'));
        rest = match colour.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
            Some(colour) => {
                text.push_str(&format!("{:06x}", exchanged(colour)));
                &from[6..]
            }
            None => from,
        };
    }
    text + rest
}

/// A colour of the same hue whose lightness is as far from the other end.
fn exchanged(colour: u32) -> u32 {
    let parts = [16, 8, 0].map(|shift| f64::from(colour >> shift & 0xff) / 255.0);
    let (most, least) = (parts[0].max(parts[1]).max(parts[2]), parts[0].min(parts[1]).min(parts[2]));
    let old = (most + least) / 2.0;
    let new = DARKEST + (LIGHTEST - DARKEST) * (1.0 - old);
    // how far parts may lie from the lightness
    let (room, wanted) = (old.min(1.0 - old), new.min(1.0 - new));
    let scale = if room > 0.0 { wanted / room } else { 0.0 };
    parts.iter().fold(0, |all, part| {
        let part = (new + (part - old) * scale).clamp(0.0, 1.0);
        all << 8 | (part * 255.0).round() as u32
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_and_dark_change_places() {
        assert_eq!(exchanged(0xffffff), 0x121212);
        assert_eq!(exchanged(0x000000), 0xededed);
        let blue = exchanged(0x0b5cad);
        assert!(blue & 0xff > 0xd0 && blue >> 16 < 0x80, "{blue:06x}");
    }

    #[test]
    fn colours_alone_are_changed() {
        let svg = "<a fill=\"#ffffff\" href=\"#title\" id=\"x\"><b stroke=\"#000000\"/></a>";
        assert_eq!(dark(svg), "<a fill=\"#121212\" href=\"#title\" id=\"x\"><b stroke=\"#ededed\"/></a>");
    }
}

//! Colours that stay apart for most eyes, and shades of them.

/// Hues; neighbours differ in lightness as well.
const HUES: [u32; 8] = [0x0b5cad, 0xc2410c, 0x0f766e, 0x8e2a8b, 0x8a6100, 0xbe123c, 0x3f6212, 0x475569];

/// First loads.
pub(crate) const FIRST: &str = "#1f2328";
/// Loads of words that were loaded before.
pub(crate) const AGAIN: &str = "#e00034";

/// The hue of a number; they repeat.
pub(crate) fn hue(index: usize) -> String {
    shade(index, 0)
}

/// The hue of a number, mixed with `white` parts of white in a hundred.
pub(crate) fn shade(index: usize, white: u32) -> String {
    let hue = HUES[index % HUES.len()];
    let part = |shift: u32| {
        let value = hue >> shift & 0xff;
        (value * (100 - white) + 0xff * white) / 100
    };
    format!("#{:02x}{:02x}{:02x}", part(16), part(8), part(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades_run_from_the_hue_to_white() {
        assert_eq!(hue(0), "#0b5cad");
        assert_eq!(shade(0, 100), "#ffffff");
        assert_eq!(hue(HUES.len()), hue(0));
    }
}

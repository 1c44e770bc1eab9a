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

/// The colour of a moment between the first, 0, and the last, 1.
pub(crate) fn time(at: f64) -> String {
    const STOPS: [u32; 4] = [0x0b5cad, 0x6d3fa9, 0xb4306f, 0xd97706];
    let place = at.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let from = (place as usize).min(STOPS.len() - 2);
    let part = |shift: u32| {
        let of = |stop: u32| f64::from(stop >> shift & 0xff);
        let share = place - from as f64;
        (of(STOPS[from]) * (1.0 - share) + of(STOPS[from + 1]) * share).round() as u32
    };
    format!("#{:02x}{:02x}{:02x}", part(16), part(8), part(0))
}

/// The colour of what is read, written, or both.
pub(crate) fn mixture(what: usize) -> &'static str {
    ["#0b5cad", "#d97706", "#8e2a8b"][what % 3]
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

//! A way as text: of each step the decisions as letters, from `a` for the first of what there is to choose from; the last one, which is
//! not the first, is a capital. Steps without such a decision are counted. So `7aB3` are seven of these, one step, and three.

use super::fit::{Decisions, Way};
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// The most steps of a way; more are no text of one.
const MOST: usize = 1 << 16;

/// The text is no way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is not the text of a way")]
pub struct WayError;

impl Display for Way {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut plain = 0;
        for own in &self.changed {
            let Some(last) = own.iter().rposition(|decision| *decision != 0) else {
                plain += 1;
                continue;
            };
            if plain > 0 {
                write!(f, "{plain}")?;
            }
            plain = 0;
            for decision in &own[..last] {
                write!(f, "{}", char::from(b'a' + decision))?;
            }
            write!(f, "{}", char::from(b'A' + own[last]))?;
        }
        if plain > 0 { write!(f, "{plain}") } else { Ok(()) }
    }
}

impl FromStr for Way {
    type Err = WayError;

    fn from_str(text: &str) -> Result<Self, WayError> {
        let mut changed = Vec::new();
        let mut own = Decisions::new();
        let mut plain = 0usize;
        let end = |changed: &mut Vec<Decisions>, plain: &mut usize| {
            let steps = changed.len() + *plain;
            changed.resize(steps, Decisions::new());
            *plain = 0;
        };
        for letter in text.bytes() {
            match letter {
                b'0'..=b'9' if own.is_empty() => plain = 10 * plain + usize::from(letter - b'0'),
                b'a'..=b'z' => own.push(letter - b'a'),
                b'A'..=b'Z' => {
                    own.push(letter - b'A');
                    end(&mut changed, &mut plain);
                    changed.push(std::mem::take(&mut own));
                }
                _ => return Err(WayError),
            }
            if changed.len() + plain > MOST {
                return Err(WayError);
            }
        }
        end(&mut changed, &mut plain);
        if own.is_empty() { Ok(Way { found: changed.clone(), changed }) } else { Err(WayError) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_read_as_they_are_written() {
        for text in ["", "7aB3", "BcaZ", "12", "65536"] {
            let way: Way = text.parse().unwrap();
            assert_eq!(way.to_string(), text);
        }
        assert_eq!("7aB3".parse::<Way>().unwrap().changed.len(), 11);
        for text in ["a", "7a", "a7B", "65537", "99999999999999999999999", "-", "é"] {
            assert_eq!(text.parse::<Way>().err(), Some(WayError), "{text}");
        }
    }
}

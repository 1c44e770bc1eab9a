//! Calls of a routine as its contract wants them.

use rhomb_certificate::{Contract, Pattern};

/// Calls `$function::<W>($arguments)` with the word type `W` of `$bits` bits; `$otherwise` where there
/// is none.
macro_rules! with_words {
    ($bits:expr, $otherwise:expr, $function:ident($($argument:expr),*)) => {
        match $bits {
            8 => $function::<u8, _>($($argument),*),
            16 => $function::<u16, _>($($argument),*),
            32 => $function::<u32, _>($($argument),*),
            _ => $otherwise,
        }
    };
}
pub(crate) use with_words;

/// The contract's aliasing pattern of that name.
pub(crate) fn pattern_named(contract: &Contract, name: &str) -> Option<&'static Pattern> {
    contract.patterns().iter().find(|pattern| pattern.name == name)
}

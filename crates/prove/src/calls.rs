//! Calls of a routine as its contract wants them.

use rhomb_certificate::{Contract, Pattern};
use rhomb_machine::{Access, Buffer};

/// Names of the operands, in the order of the arguments after the result `r`.
const OPERANDS: [&str; 2] = ["a", "b"];

/// The buffers of a call: the result, then the operands, which hold `operands`. Operands that the
/// pattern puts in one place must be equal: see [`fitting`].
pub(crate) fn buffers<W: Clone>(
    contract: &Contract,
    word_bits: u32,
    pattern: &Pattern,
    operands: &[Vec<W>],
) -> Vec<Buffer<W>> {
    let mut buffers = vec![Buffer {
        name: "r",
        length: contract.result(word_bits),
        content: pattern.result_on.first().and_then(|operand| operands.get(*operand).cloned()),
        access: Access::Store,
        shares: None,
    }];
    for (index, (name, words)) in OPERANDS.into_iter().zip(operands).enumerate() {
        buffers.push(Buffer {
            name,
            length: words.len() as u32,
            content: Some(words.clone()),
            access: Access::Load,
            shares: pattern.result_on.contains(&index).then_some(0),
        });
    }
    buffers
}

/// The operands as they are where the pattern puts several in one place: the first of these.
pub(crate) fn fitting<W: Clone>(pattern: &Pattern, operands: &[Vec<W>]) -> Vec<Vec<W>> {
    let mut fitting = operands.to_vec();
    if let [first, others @ ..] = pattern.result_on {
        for other in others {
            fitting[*other] = operands[*first].clone();
        }
    }
    fitting
}

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

//! One call of a routine, instruction by instruction, to be looked at.

use rhomb_certificate::Contract;
use rhomb_machine::{Arguments, Given, Limb, Moment, Origins, Random, Routine, Stopped, Traced};
use serde::Serialize;
use std::ops::Range;

/// A call, instruction by instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Played {
    /// Names of the registers, by their numbers.
    pub registers: Vec<String>,
    /// The buffers of the call, the result first.
    pub buffers: Vec<Shown>,
    /// What was executed, in this order.
    pub steps: Vec<Step>,
    /// Why it did not return, if it did not.
    pub stopped: Option<String>,
}

/// A buffer of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Shown {
    /// What the contract calls it.
    pub name: &'static str,
    /// Its words at the call, lowest first; nothing where it is not yet written.
    pub content: Vec<u64>,
    /// How many words it has.
    pub words: u32,
}

/// An instruction that was executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Its byte address.
    pub address: u64,
    /// Cycles since the call, this instruction's included.
    pub cycles: u64,
    /// The partial products that it makes: `i` and `j` of `A[i]*B[j]`, or of `A[i]*A[j]`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub products: Vec<[u32; 2]>,
    /// Registers that changed, with their new words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub registers: Vec<(usize, u64)>,
    /// Words that were read: the buffer's number and the word's.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<[u32; 2]>,
    /// Words that were written, with what they hold then.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<(u32, u32, u64)>,
}

/// The call of a routine with operands that a seed chooses.
pub fn play<R: Routine>(routine: &R, contract: &Contract, seed: u64) -> Played {
    let (domain, given) = chosen(routine, contract, seed);
    let content = |words: &Option<Vec<Traced<R::Limb>>>| {
        words.iter().flatten().map(|word| word.value.to_u64()).collect::<Vec<u64>>()
    };
    let buffers: Vec<Shown> = given
        .buffers()
        .iter()
        .map(|buffer| Shown { name: buffer.name, content: content(&buffer.content), words: buffer.length })
        .collect();
    let (mut steps, mut before): (Vec<Step>, Vec<u64>) = (Vec::new(), Vec::new());
    let finished = routine.call_seen(domain, &given, &mut |moment| {
        let now: Vec<u64> = moment.registers.iter().map(|word| word.value.to_u64()).collect();
        steps.push(step(moment, &before, &now, buffers.len()));
        before = now;
    });
    let count = before.len();
    Played {
        registers: (0..count).map(|number| routine.register_name(number as u8)).collect(),
        stopped: finished.err().map(|stopped: Stopped| stopped.to_string()),
        buffers,
        steps,
    }
}

/// The arguments of a call, with operands that a seed chooses.
pub(crate) fn chosen<R: Routine>(
    routine: &R,
    contract: &Contract,
    seed: u64,
) -> (Origins<R::Limb>, Arguments<Traced<R::Limb>>) {
    let mut domain = Origins::<R::Limb>::new();
    let bits = routine.word_bits();
    let mut random = Random::new(seed);
    let operands: Vec<Vec<Traced<R::Limb>>> = (1..)
        .zip(contract.operands(bits))
        .map(|(buffer, words)| {
            (0..words).map(|word| domain.given(R::Limb::truncate(random.bits()), buffer, word)).collect()
        })
        .collect();
    let given =
        contract.arguments(bits, &contract.patterns()[0], &operands, |word| constant(&mut domain, word));
    (domain, given)
}

/// A word of an argument that is no operand.
fn constant<W: Limb>(domain: &mut Origins<W>, word: rhomb_certificate::Word<'_, Traced<W>>) -> Traced<W> {
    use rhomb_machine::Domain;
    match word {
        rhomb_certificate::Word::Number(number) => domain.word(number),
        rhomb_certificate::Word::Negative(own) => domain.word(own.value.to_u64().wrapping_neg()),
    }
}

fn step<W: Limb>(moment: Moment<'_, Origins<W>>, before: &[u64], now: &[u64], buffers: usize) -> Step {
    let Moment { memory, stored, unit, domain, .. } = moment;
    let regions: Vec<Range<u32>> =
        memory.regions().iter().take(buffers).map(|region| region.range.clone()).collect();
    let place = |cell: u32| {
        let found = regions.iter().position(|range| range.contains(&cell))?;
        Some([found as u32, cell - regions[found].start])
    };
    let mut reads: Vec<[u32; 2]> = domain
        .accessed()
        .into_iter()
        .filter_map(|address| u32::try_from(address / u64::from(unit)).ok())
        .filter(|cell| !stored.contains(cell))
        .filter_map(place)
        .collect();
    reads.dedup();
    let written = |cell: u32| {
        let [buffer, word] = place(cell)?;
        Some((buffer, word, memory.peek(cell)?.value.to_u64()))
    };
    let changed = |number: &usize| before.get(*number).is_none_or(|was| *was != now[*number]);
    Step {
        address: moment.address,
        cycles: moment.cycles.max,
        products: domain.products().into_iter().filter_map(|(x, y)| product([x, y])).collect(),
        // what stood there at the call is no change
        registers: match before.is_empty() {
            true => (0..now.len()).map(|number| (number, now[number])).collect(),
            false => (0..now.len()).filter(changed).map(|number| (number, now[number])).collect(),
        },
        reads,
        writes: stored.into_iter().filter_map(written).collect(),
    }
}

/// The indices of a product of words of the first operand and the second, or of the first alone. Of differences and sums of words they
/// are those of the outermost: in a split such a product stands for two of words, of which this is one.
pub(crate) fn product([x, y]: [rhomb_machine::Origin; 2]) -> Option<[u32; 2]> {
    match (x.buffer, y.buffer) {
        (1, 2) => Some([x.last, y.word]),
        (1, 1) => Some([x.word, y.last]),
        _ => None,
    }
}

//! Inputs of a routine, and where they lie in memory.

use crate::matrix::routine::Routine;
use num_bigint::BigUint;
use rhomb_oracles::Random;

/// A call: what lies where.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// Bytes of the operands, read from the same memory.
    pub(crate) a: Vec<u8>,
    pub(crate) b: Vec<u8>,
    /// Data addresses of the arrays. The operands may overlap.
    pub(crate) r_at: u32,
    pub(crate) a_at: u32,
    pub(crate) b_at: u32,
    /// Stack pointer before the call.
    pub(crate) sp: u16,
    /// What registers hold; those that the convention neither saves nor gives a meaning are left
    /// undefined where the simulator can.
    pub(crate) registers: [u8; 32],
}

/// Operands.
enum Pair {
    Apart(Vec<u8>, Vec<u8>),
    /// B starts that many bytes after A, in memory that both read.
    Shared(Vec<u8>, usize),
}

/// Little-endian product of two operands of equal length, twice as long.
pub(crate) fn product(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut bytes = (BigUint::from_bytes_le(a) * BigUint::from_bytes_le(b)).to_bytes_le();
    bytes.resize(a.len() + b.len(), 0);
    bytes
}

/// Bytes of random operands, taken by turns. Many a carry of a kernel comes in less than one of 6000
/// uniform inputs; by turns with these, each comes in one of 50 or so (see `mutations`).
const PALETTES: [&[u8]; 2] = [&[0x00, 0xff], &[0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff]];

/// Edge cases, aliased operands, and `random` pairs of random ones; the same for the same seed.
pub(crate) fn cases(routine: &Routine, seed: u64, random: usize) -> Vec<Case> {
    let n = routine.words;
    let mut source = Random::new(seed);
    let fill = |byte: u8| vec![byte; n];
    let alternating =
        |first: u8| (0..n).map(|i| if i % 2 == 0 { first } else { !first }).collect::<Vec<u8>>();
    let mut one = fill(0);
    one[0] = 1;
    let mut any = |palette: Option<&&[u8]>, length: usize| -> Vec<u8> {
        let mut byte = || match palette {
            Some(bytes) => *source.pick(bytes),
            None => source.byte(),
        };
        (0..length).map(|_| byte()).collect()
    };
    let mut pairs = vec![
        Pair::Apart(fill(0), fill(0)),
        Pair::Apart(any(None, n), fill(0)),
        Pair::Apart(one.clone(), any(None, n)),
        Pair::Apart(fill(0xff), one),
        Pair::Apart(fill(0xff), fill(0xff)),
        Pair::Apart(alternating(0x00), alternating(0xff)),
        Pair::Apart(alternating(0xff), alternating(0xff)),
        Pair::Apart(alternating(0xff), fill(0xff)),
        Pair::Shared(fill(0xff), 0),
        Pair::Shared(any(None, n), 0),
    ];
    if n > 1 {
        pairs.push(Pair::Shared(any(PALETTES.last(), 2 * n), 1 + n / 2));
    }
    for index in 0..random {
        let palette = PALETTES.get(index % 2).filter(|_| index % 8 != 7);
        pairs.push(Pair::Apart(any(palette, n), any(palette, n)));
    }
    if routine.operands == 1 {
        // the one operand is read as both
        let first = |pair| match pair {
            Pair::Apart(a, _) => Pair::Shared(a, 0),
            Pair::Shared(bytes, _) => Pair::Shared(bytes[..n].to_vec(), 0),
        };
        pairs = pairs.into_iter().map(first).collect();
    }
    pairs.into_iter().map(|pair| place(routine, pair, &mut source)).collect()
}

/// Puts the arrays at random places in random order, unowned bytes between them.
fn place(routine: &Routine, pair: Pair, random: &mut Random) -> Case {
    let n = routine.words;
    let core = routine.core();
    let (operands, b_offset) = match &pair {
        Pair::Apart(a, b) => (vec![a.clone(), b.clone()], None),
        Pair::Shared(bytes, offset) => (vec![bytes.clone()], Some(*offset)),
    };
    let mut lengths: Vec<usize> = operands.iter().map(Vec::len).collect();
    lengths.push(2 * n);
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, random.below(last as u64 + 1) as usize);
    }
    let mut addresses = vec![0; lengths.len()];
    let mut free = core.sram.start + GUARD;
    for index in order {
        addresses[index] = free + random.below(64) as u32;
        free = addresses[index] + lengths[index] as u32 + GUARD;
    }
    let sp = core.sram.end - 1 - random.below(32) as u32;
    assert!(free + GUARD + 40 < sp, "too large for {}", core.name);

    let (a_at, r_at) = (addresses[0], addresses[lengths.len() - 1]);
    let b_at = b_offset.map_or(addresses[1], |offset| a_at + offset as u32);
    let (a, b) = match pair {
        Pair::Apart(a, b) => (a, b),
        Pair::Shared(bytes, offset) => (bytes[..n].to_vec(), bytes[offset..offset + n].to_vec()),
    };
    // distinct, so that one restored in place of another is seen
    let start = random.byte();
    let mut registers: [u8; 32] = std::array::from_fn(|number| start.wrapping_add((37 * number) as u8));
    for (low, address) in routine.convention.arguments.into_iter().zip([r_at, a_at, b_at]) {
        registers[usize::from(low)..][..2].copy_from_slice(&(address as u16).to_le_bytes());
    }
    if let Some(zero) = routine.convention.zero {
        registers[usize::from(zero)] = 0;
    }
    Case { a, b, r_at, a_at, b_at, sp: sp as u16, registers }
}

/// Fewest bytes between two regions.
pub(crate) const GUARD: u32 = 8;

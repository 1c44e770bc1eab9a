//! The pipeline of the 4Kc and 4Km.
//!
//! Facts from MIPS Technologies MD00016, "MIPS32 4K Processor Core Family Software User's Manual", chapter 2,
//! as two who read it give them: IDT, "79RC32438 User Reference Manual" (2002), pages 2-8 to 2-14 (pipeline,
//! table 2.1: latencies of multiplication and division, interlocks, branch delay), and GCC's
//! `gcc/config/mips/4k.md`, which cites revision 1.18 of MD00016.
//!
//! The time of a product depends on the size of rt, which the multiplier finds out by itself. The manuals
//! do not say whether 0x8000 to 0xffff, and the numbers from -0x8000 on in an unsigned product, count as 16
//! bits: for these both times are possible.

use super::{Time, Timing, Unit, time};

pub(super) static TIMING: Timing = Timing {
    name: "4K, pipelined multiplier",
    source: "MIPS MD00016, chapter 2; IDT 79RC32438 User Reference Manual, 2-8 to 2-14; GCC 4k.md",
    plain: time(Unit::Integer, 1, 1),
    load: time(Unit::Integer, 1, 2),
    store: time(Unit::Integer, 1, 1),
    branch: time(Unit::Integer, 1, 1),
    product: time(Unit::MultiplyDivide, 2, 2),
    narrow_product: Some(time(Unit::MultiplyDivide, 1, 1)),
    // the integer pipeline stalls two cycles (one), and another one where the result is used at once
    product_to_register: Time { unit: Unit::MultiplyDivide, issue: 3, occupies: 3, latency: 4 },
    narrow_product_to_register: Some(Time { unit: Unit::MultiplyDivide, issue: 2, occupies: 2, latency: 3 }),
    divide: [10, 18, 26, 34],
    divide_unsigned: [9, 17, 25, 33],
    from_accumulator: time(Unit::Integer, 1, 2),
    to_accumulator: time(Unit::MultiplyDivide, 1, 1),
};

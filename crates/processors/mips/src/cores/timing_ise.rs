//! The pipeline of the extended MIPS32 core.
//!
//! J. Grossschaedl, E. Savas, "Instruction Set Extensions for Fast Arithmetic in Finite Fields GF(p) and
//! GF(2^m)", CHES 2004, section 5: single issue, one cycle for integer instructions, load and branch delays,
//! perfect caches, a multiplier of 32 x 16 bits through which a product passes twice. The times do not depend
//! on operands there. MUL and divisions are not in the paper: they are the 4Km's.

use super::{Time, Timing, Unit, time};

pub(super) static TIMING: Timing = Timing {
    name: "extended MIPS32 of CHES 2004",
    source: "Grossschaedl, Savas, CHES 2004, section 5; MUL, DIV, DIVU: MIPS MD00016, chapter 2",
    plain: time(Unit::Integer, 1, 1),
    load: time(Unit::Integer, 1, 2),
    store: time(Unit::Integer, 1, 1),
    branch: time(Unit::Integer, 1, 1),
    product: time(Unit::MultiplyDivide, 2, 2),
    narrow_product: None,
    product_to_register: Time { unit: Unit::MultiplyDivide, issue: 3, occupies: 3, latency: 4 },
    narrow_product_to_register: None,
    divide: [10, 18, 26, 34],
    divide_unsigned: [9, 17, 25, 33],
    from_accumulator: time(Unit::Integer, 1, 1),
    to_accumulator: time(Unit::MultiplyDivide, 1, 1),
};

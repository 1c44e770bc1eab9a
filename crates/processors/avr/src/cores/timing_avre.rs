//! Cycles of AVRe and AVRe+, the classic ATmega and ATtiny cores.
//!
//! Microchip DS40002198, section 5 (summary table, column AVRe) and the cycle table of each
//! instruction's subsection in section 6. Data memory is internal SRAM (note 1 there).

use super::timing::{BRANCHES, JUMPS, LOADS, REGISTERS, SKIPS, STORES, THREE, UNTIMED, WORDS};
use super::{Group, Timing, group};
use crate::instructions::Op;

pub(super) static TIMING: Timing = Timing {
    name: "AVRe",
    source: "Microchip DS40002198, sections 5 and 6, column AVRe",
    groups: &[
        REGISTERS,
        WORDS,
        BRANCHES,
        SKIPS,
        JUMPS,
        THREE,
        // 6.33 CBI, 6.95 SBI
        group(&[Op::Cbi, Op::Sbi], 2),
        // 6.87 RCALL, 6.58 ICALL; 6.51 EICALL exists with 22 bits only and takes 4
        Group { ops: &[Op::Rcall, Op::Icall, Op::Eicall], plain: 3, taken: 3, wide: 1 },
        // 6.32 CALL, 6.88 RET, 6.89 RETI
        Group { ops: &[Op::Call, Op::Ret, Op::Reti], plain: 4, taken: 4, wide: 1 },
        group(LOADS, 2),
        group(STORES, 2),
        // 6.70 LDS, 6.117 STS; 6.85 POP, 6.86 PUSH
        group(&[Op::Lds, Op::Sts, Op::Push, Op::Pop], 2),
    ],
    untimed: UNTIMED,
};

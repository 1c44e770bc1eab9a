//! Cycles of AVRxt: AVR Dx and Ex, tinyAVR 0 to 2, megaAVR 0.
//!
//! Microchip DS40002198, section 5 (summary table, column AVRxt) and the cycle table of each
//! instruction's subsection in section 6. Data memory is internal SRAM: flash that is mapped into the
//! data space takes longer and is not modelled.

use super::timing::{BRANCHES, JUMPS, LOADS, REGISTERS, SKIPS, STORES, THREE, UNTIMED, WORDS};
use super::{Group, Timing, group};
use crate::instructions::Op;

pub(super) static TIMING: Timing = Timing {
    name: "AVRxt",
    source: "Microchip DS40002198, sections 5 and 6, column AVRxt",
    groups: &[
        REGISTERS,
        WORDS,
        BRANCHES,
        SKIPS,
        JUMPS,
        THREE,
        // 6.33 CBI, 6.95 SBI
        group(&[Op::Cbi, Op::Sbi], 1),
        // 6.87 RCALL, 6.58 ICALL; 6.51 EICALL exists with 22 bits only and takes 3
        Group { ops: &[Op::Rcall, Op::Icall, Op::Eicall], plain: 2, taken: 2, wide: 1 },
        // 6.32 CALL
        Group { ops: &[Op::Call], plain: 3, taken: 3, wide: 1 },
        // 6.88 RET, 6.89 RETI
        Group { ops: &[Op::Ret, Op::Reti], plain: 4, taken: 4, wide: 1 },
        group(LOADS, 2),
        group(STORES, 1),
        // 6.70 LDS
        group(&[Op::Lds], 3),
        // 6.117 STS, 6.85 POP
        group(&[Op::Sts, Op::Pop], 2),
        // 6.86 PUSH
        group(&[Op::Push], 1),
    ],
    untimed: UNTIMED,
};

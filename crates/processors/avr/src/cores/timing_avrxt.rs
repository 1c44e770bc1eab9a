//! Cycles of AVRxt: AVR Dx and Ex, tinyAVR 0 to 2, megaAVR 0.
//!
//! Microchip DS40002198, section 5 (summary table, column AVRxt) and the cycle table of each
//! instruction's subsection in section 6. Data memory is internal SRAM: flash that is mapped into the
//! data space takes longer and is not modelled.

use super::{Group, Timing, group};
use crate::instructions::Op;

pub(super) static TIMING: Timing = Timing {
    name: "AVRxt",
    source: "Microchip DS40002198, sections 5 and 6, column AVRxt",
    groups: &[
        // registers, flags, I/O
        group(
            &[
                Op::Add,
                Op::Adc,
                Op::Sub,
                Op::Subi,
                Op::Sbc,
                Op::Sbci,
                Op::And,
                Op::Andi,
                Op::Or,
                Op::Ori,
                Op::Eor,
                Op::Com,
                Op::Neg,
                Op::Inc,
                Op::Dec,
                Op::Cp,
                Op::Cpc,
                Op::Cpi,
                Op::Mov,
                Op::Movw,
                Op::Ldi,
                Op::Lsr,
                Op::Ror,
                Op::Asr,
                Op::Swap,
                Op::Bset,
                Op::Bclr,
                Op::Bst,
                Op::Bld,
                Op::In,
                Op::Out,
                Op::Nop,
                Op::Wdr,
                Op::Sleep,
                Op::Break,
            ],
            1,
        ),
        // 6.3 ADIW, 6.98 SBIW; 6.55 to 6.57 FMUL*, 6.77 to 6.79 MUL*
        group(&[Op::Adiw, Op::Sbiw, Op::Mul, Op::Muls, Op::Mulsu, Op::Fmul, Op::Fmuls, Op::Fmulsu], 2),
        // 6.33 CBI, 6.95 SBI
        group(&[Op::Cbi, Op::Sbi], 1),
        // 6.9 BRBC, 6.10 BRBS
        Group { ops: &[Op::Brbs, Op::Brbc], plain: 1, taken: 2, wide: 0 },
        // 6.48 CPSE, 6.96 SBIC, 6.97 SBIS, 6.100 SBRC, 6.101 SBRS: one more for each word skipped
        Group { ops: &[Op::Cpse, Op::Sbrc, Op::Sbrs, Op::Sbic, Op::Sbis], plain: 1, taken: 2, wide: 0 },
        // 6.90 RJMP, 6.59 IJMP, 6.52 EIJMP
        group(&[Op::Rjmp, Op::Ijmp, Op::Eijmp], 2),
        // 6.62 JMP
        group(&[Op::Jmp], 3),
        // 6.87 RCALL, 6.58 ICALL; 6.51 EICALL exists with 22 bits only and takes 3
        Group { ops: &[Op::Rcall, Op::Icall, Op::Eicall], plain: 2, taken: 2, wide: 1 },
        // 6.32 CALL
        Group { ops: &[Op::Call], plain: 3, taken: 3, wide: 1 },
        // 6.88 RET, 6.89 RETI
        Group { ops: &[Op::Ret, Op::Reti], plain: 4, taken: 4, wide: 1 },
        // 6.70 LDS
        group(&[Op::Lds], 3),
        // 6.66 to 6.68 LD, LDD
        group(
            &[
                Op::LdX,
                Op::LdXInc,
                Op::LdXDec,
                Op::LdYInc,
                Op::LdYDec,
                Op::LddY,
                Op::LdZInc,
                Op::LdZDec,
                Op::LddZ,
            ],
            2,
        ),
        // 6.117 STS
        group(&[Op::Sts], 2),
        // 6.114 to 6.116 ST, STD
        group(
            &[
                Op::StX,
                Op::StXInc,
                Op::StXDec,
                Op::StYInc,
                Op::StYDec,
                Op::StdY,
                Op::StZInc,
                Op::StZDec,
                Op::StdZ,
            ],
            1,
        ),
        // 6.86 PUSH
        group(&[Op::Push], 1),
        // 6.85 POP
        group(&[Op::Pop], 2),
        // 6.53 ELPM, 6.72 LPM
        group(&[Op::Lpm, Op::LpmZ, Op::LpmZInc, Op::Elpm, Op::ElpmZ, Op::ElpmZInc], 3),
    ],
    // as long as the flash takes to program
    untimed: &[Op::Spm, Op::SpmZInc],
};

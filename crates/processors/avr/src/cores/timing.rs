//! Groups of instructions that take equally long on every version of the processor, or whose times differ together.
//! The numbers are those of the subsections in Microchip DS40002198, section 6.

use super::{Group, group};
use crate::instructions::Op::{self, *};

/// Registers, flags, I/O.
pub(super) const REGISTERS: Group = group(
    &[
        Add, Adc, Sub, Subi, Sbc, Sbci, And, Andi, Or, Ori, Eor, Com, Neg, Inc, Dec, Cp, Cpc, Cpi, Mov, Movw,
        Ldi, Lsr, Ror, Asr, Swap, Bset, Bclr, Bst, Bld, In, Out, Nop, Wdr, Sleep, Break,
    ],
    1,
);
/// 6.3 ADIW, 6.98 SBIW; 6.55 to 6.57 FMUL*, 6.77 to 6.79 MUL*.
pub(super) const WORDS: Group = group(&[Adiw, Sbiw, Mul, Muls, Mulsu, Fmul, Fmuls, Fmulsu], 2);
/// 6.9 BRBC, 6.10 BRBS.
pub(super) const BRANCHES: Group = Group { ops: &[Brbs, Brbc], plain: 1, taken: 2, wide: 0 };
/// 6.48 CPSE, 6.96 SBIC, 6.97 SBIS, 6.100 SBRC, 6.101 SBRS: one more for each word skipped.
pub(super) const SKIPS: Group = Group { ops: &[Cpse, Sbrc, Sbrs, Sbic, Sbis], plain: 1, taken: 2, wide: 0 };
/// 6.90 RJMP, 6.59 IJMP, 6.52 EIJMP.
pub(super) const JUMPS: Group = group(&[Rjmp, Ijmp, Eijmp], 2);
/// 6.62 JMP; 6.53 ELPM, 6.72 LPM.
pub(super) const THREE: Group = group(&[Jmp, Lpm, LpmZ, LpmZInc, Elpm, ElpmZ, ElpmZInc], 3);
/// 6.66 to 6.68 LD, LDD.
pub(super) const LOADS: &[Op] = &[LdX, LdXInc, LdXDec, LdYInc, LdYDec, LddY, LdZInc, LdZDec, LddZ];
/// 6.114 to 6.116 ST, STD.
pub(super) const STORES: &[Op] = &[StX, StXInc, StXDec, StYInc, StYDec, StdY, StZInc, StZDec, StdZ];
/// As long as the flash takes to program.
pub(super) const UNTIMED: &[Op] = &[Spm, SpmZInc];

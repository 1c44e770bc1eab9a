//! Which registers a line needs and writes.

use crate::instructions::{
    AddressOp, AddressSource, Bundle, Condition, Counter, Half, Ind, Instruction, Mode, Reg, RegOp, Repeat,
    ShiftOp, Single, Smem, StatusBit, Ta,
};

/// Numbers of registers in sets: AC0 to AC3, T0 to T3, AR0 to AR7 as the code has them, then these.
pub const CDP: u32 = 16;
/// The stack pointer.
pub const SP: u32 = 17;
/// The counter of RPT CSR.
pub const CSR: u32 = 18;
/// Counters of block repeats.
pub const BRC: [u32; 2] = [19, 20];
/// The carry.
pub const CARRY: u32 = 21;
/// Test bits.
pub const TC: [u32; 2] = [22, 23];
/// Status bits that change what others mean; nothing is executed beside their change.
pub const STATUS: u32 = 24;

/// Names of registers in a set, `AC0 AC1 T0`.
pub fn register_names(set: u32) -> String {
    let name = |number: u32| match number {
        0..4 => Some(format!("AC{number}")),
        4..8 => Some(format!("T{}", number - 4)),
        8..16 => Some(format!("AR{}", number - 8)),
        CDP => Some("CDP".to_owned()),
        CSR => Some("CSR".to_owned()),
        19 | 20 => Some(format!("BRC{}", number - 19)),
        _ => None,
    };
    let names: Vec<String> = (0..24).filter(|number| set >> number & 1 == 1).filter_map(name).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(" ") }
}

/// Registers that instructions need and write, as sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// What must have a value.
    pub reads: u32,
    /// What gets one.
    pub writes: u32,
    /// Among the reads, those needed when addresses are made.
    pub early_reads: u32,
    /// Among the writes, registers of addresses that are ready only when the instruction is executed.
    pub late_writes: u32,
    /// What has no value afterwards.
    pub destroys: u32,
    /// Address registers by which memory is accessed; bit n is ARn, bit 8 CDP.
    pub pointers: u16,
}

fn ac(number: u8) -> u32 {
    1 << (number & 3)
}

fn ta(ta: Ta) -> u32 {
    1 << ta.number()
}

fn reg(reg: Reg) -> u32 {
    match reg {
        Reg::Ac(n) => ac(n),
        Reg::Ta(one) => ta(one),
    }
}

impl Uses {
    fn mode(&mut self, mode: Mode) {
        match mode {
            Mode::Plain | Mode::Up | Mode::Down => {}
            Mode::PlusT0 | Mode::MinusT0 | Mode::IndexT0 => self.early_reads |= ta(Ta::T(0)),
            Mode::PlusT1 | Mode::MinusT1 => self.early_reads |= ta(Ta::T(1)),
        }
    }

    fn ind(&mut self, ind: Ind) {
        self.early_reads |= ta(Ta::Ar(ind.ar));
        self.pointers |= 1 << (ind.ar & 7);
        if !matches!(ind.mode, Mode::Plain | Mode::IndexT0) {
            self.writes |= ta(Ta::Ar(ind.ar));
        }
        self.mode(ind.mode);
    }

    fn coefficient(&mut self, mode: Mode) {
        self.early_reads |= 1 << CDP;
        self.pointers |= 1 << 8;
        if mode != Mode::Plain {
            self.writes |= 1 << CDP;
        }
        self.mode(mode);
    }

    fn smem(&mut self, smem: Smem) {
        match smem {
            Smem::Ind(ind) => self.ind(ind),
            Smem::Offset(ar, _) => self.ind(Ind { ar, mode: Mode::Plain }),
            Smem::PreOffset(ar, _) => self.ind(Ind { ar, mode: Mode::Up }),
            Smem::Cdp(mode) => self.coefficient(mode),
            Smem::Sp(_) => self.early_reads |= 1 << SP,
        }
    }

    /// A result of the A unit's ALU: late.
    fn late(&mut self, set: u32) {
        self.writes |= set;
        self.late_writes |= set & !0xf;
    }

    pub(super) fn of(instruction: &Instruction) -> Uses {
        use Instruction as I;
        let mut uses = Uses::default();
        match *instruction {
            I::Dual(one) => {
                uses.ind(one.xmem);
                uses.ind(one.ymem);
                uses.coefficient(one.cmem);
                if !matches!(one.x, Half::Mpy | Half::Amar) {
                    uses.reads |= ac(one.acx);
                }
                if one.y != Half::Mpy {
                    uses.reads |= ac(one.acy);
                }
                if one.x != Half::Amar {
                    uses.writes |= ac(one.acx);
                }
                uses.writes |= ac(one.acy);
            }
            I::Product { op, x, y, src, dst, .. } => {
                uses.ind(x);
                uses.ind(y);
                if op != Single::Mpy {
                    uses.reads |= ac(src);
                }
                uses.writes |= ac(dst);
            }
            I::ProductT { smem, t, dst, .. } => {
                uses.smem(smem);
                uses.reads |= ta(Ta::T(t));
                uses.writes |= ac(dst);
            }
            I::AddMemory { carry, smem, src, dst, .. } => {
                uses.smem(smem);
                uses.reads |= ac(src) | if carry { 1 << CARRY } else { 0 };
                uses.writes |= ac(dst) | 1 << CARRY;
            }
            I::AddDouble { lmem, src, dst, .. } => {
                uses.smem(lmem);
                uses.reads |= ac(src);
                uses.writes |= ac(dst) | 1 << CARRY;
            }
            I::LoadAc { smem, dst, .. } | I::LoadDouble { lmem: smem, dst } => {
                uses.smem(smem);
                uses.writes |= ac(dst);
            }
            I::LoadTa { smem, dst } => {
                uses.smem(smem);
                uses.late(ta(dst));
            }
            I::Store { src, smem } => {
                uses.smem(smem);
                uses.reads |= reg(src);
            }
            I::StoreHigh { src, smem } | I::StoreDouble { src, lmem: smem } => {
                uses.smem(smem);
                uses.reads |= ac(src);
            }
            I::StorePair { src, lmem } => {
                uses.smem(lmem);
                uses.reads |= ac(src) | ac(src + 1);
            }
            I::StoreConstant { smem, .. } | I::Amar { smem } => uses.smem(smem),
            I::Copy { from, to } | I::CopyDouble { from, to } => {
                uses.ind(from);
                uses.ind(to);
            }
            I::Shifted { op, src, dst, .. } => {
                uses.reads |= ac(src);
                match op {
                    ShiftOp::Sftl | ShiftOp::Sfts => {}
                    _ => uses.reads |= ac(dst),
                }
                uses.writes |= ac(dst);
                // which bit CARRY is afterwards is not modelled
                uses.destroys |= 1 << CARRY;
            }
            I::ShiftByOne { dst, .. } => {
                uses.reads |= reg(dst);
                uses.late(reg(dst));
                uses.writes |= 1 << CARRY;
            }
            I::Registers { op, src, dst } => {
                uses.reads |= reg(src);
                if !matches!(op, RegOp::Mov | RegOp::Neg | RegOp::Not) {
                    uses.reads |= reg(dst);
                }
                uses.late(reg(dst));
                if matches!(op, RegOp::Add | RegOp::Sub | RegOp::Neg) {
                    uses.writes |= 1 << CARRY;
                }
            }
            I::MovK4 { dst, .. } | I::MovK16 { dst, .. } => uses.late(reg(dst)),
            I::AddK4 { dst, .. } => {
                uses.reads |= reg(dst);
                uses.late(reg(dst));
                uses.writes |= 1 << CARRY;
            }
            I::AddK16 { src, dst, .. } => {
                uses.reads |= reg(src);
                uses.late(reg(dst));
                uses.writes |= 1 << CARRY;
            }
            I::AndK16 { src, dst, .. } => {
                uses.reads |= reg(src);
                uses.late(reg(dst));
            }
            I::Address { op, src, dst } => {
                if let AddressSource::Ta(src) = src {
                    uses.early_reads |= ta(src);
                }
                if op != AddressOp::Mov {
                    uses.early_reads |= ta(dst);
                }
                uses.writes |= ta(dst);
            }
            I::AmarTo { smem, dst } => {
                uses.smem(smem);
                uses.writes |= if dst == 8 { 1 << CDP } else { ta(Ta::Ar(dst)) };
            }
            I::AddSp { .. } | I::PushBoth { .. } => {
                uses.early_reads |= 1 << SP;
                uses.writes |= 1 << SP;
            }
            I::Push { src } => {
                uses.early_reads |= 1 << SP;
                uses.reads |= ta(src);
                uses.writes |= 1 << SP;
            }
            I::PushDouble { src } => {
                uses.early_reads |= 1 << SP;
                uses.reads |= ac(src);
                uses.writes |= 1 << SP;
            }
            I::Pop { dst } => {
                uses.early_reads |= 1 << SP;
                uses.late(ta(dst));
                uses.writes |= 1 << SP;
            }
            I::PopBoth { ar } => {
                uses.early_reads |= 1 << SP;
                uses.late(ta(Ta::Ar(ar)));
                uses.writes |= 1 << SP;
            }
            I::PopDouble { dst } => {
                uses.early_reads |= 1 << SP;
                uses.writes |= 1 << SP | ac(dst);
            }
            I::SetCounter { counter, .. } => uses.writes |= self::counter(counter),
            I::MoveCounter { counter, src } => {
                uses.reads |= ta(src);
                uses.late(self::counter(counter));
            }
            I::Repeat(repeat) => match repeat {
                Repeat::Times(_) => {}
                Repeat::Csr => uses.early_reads |= 1 << CSR,
                Repeat::Add(_) | Repeat::Sub(_) => {
                    uses.early_reads |= 1 << CSR;
                    uses.writes |= 1 << CSR;
                }
                Repeat::AddTa(by) => {
                    uses.early_reads |= 1 << CSR | ta(by);
                    uses.writes |= 1 << CSR;
                }
            },
            // which counter it takes depends on the block around it
            I::RepeatBlock { .. } => {}
            I::BranchIf { condition, .. } => {
                uses.reads |= match condition {
                    Condition::Zero(of, _) => reg(of),
                    Condition::Carry(_) => 1 << CARRY,
                    Condition::Tc1(_) => 1 << TC[0],
                    Condition::Tc2(_) => 1 << TC[1],
                }
            }
            I::Status { bit: StatusBit::Carry, .. } => uses.writes |= 1 << CARRY,
            I::Status { .. } => uses.writes |= 1 << STATUS,
            I::Call { .. } | I::Return => {
                uses.early_reads |= 1 << SP;
                uses.writes |= 1 << SP;
            }
            I::Branch { .. } | I::Nop => {}
        }
        uses.reads |= uses.early_reads;
        uses
    }

    /// What the instructions of a line use together.
    pub fn of_line(line: &Bundle) -> Uses {
        line.instructions().map(Uses::of).fold(Uses::default(), |all, one| Uses {
            reads: all.reads | one.reads,
            writes: all.writes | one.writes,
            // written by both, or written and destroyed
            destroys: all.destroys | one.destroys | all.writes & one.writes & 1 << CARRY,
            early_reads: all.early_reads | one.early_reads,
            late_writes: all.late_writes | one.late_writes,
            pointers: all.pointers | one.pointers,
        })
    }
}

fn counter(counter: Counter) -> u32 {
    1 << match counter {
        Counter::Csr => CSR,
        Counter::Brc0 => BRC[0],
        Counter::Brc1 => BRC[1],
    }
}

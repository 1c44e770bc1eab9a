//! What may be executed in parallel (SPRU374, chapter 2.1 "Parallelism Features"; SPRU376A, chapter 4.2); which
//! registers a line needs and writes stands in [`Uses`].

mod uses;

pub use uses::{BRC, CARRY, CDP, CSR, SP, STATUS, TC, Uses, register_names};

use crate::encode::{EncodeError, encode, has_enable_bit};
use crate::instructions::{Bundle, Half, Ind, Instruction, Mode, Reg, ShiftOp, Smem};

/// Why two instructions cannot stand in parallel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// An operand that has no encoding.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// Too long.
    #[error("{0} bytes; two instructions in parallel have 6 at most")]
    Length(usize),
    /// No E bit.
    #[error("neither instruction has a parallel enable bit")]
    Enable,
    /// Both need what is there once.
    #[error("both instructions need the {0}")]
    Unit(&'static str),
    /// Both write it.
    #[error("both instructions write the same register")]
    Write,
    /// The second reads what the first writes; it would read the old value, which the model does not cover.
    #[error("the second instruction reads what the first one writes")]
    Order,
    /// The second accesses memory that the first one may write; it would read what stood there before.
    #[error("the first instruction writes memory, and the second one accesses it; hint: the other way round")]
    Memory,
    /// An operand that the instruction set does not have.
    #[error("{0}")]
    Operand(&'static str),
}

/// Parts of the processor, each with how many there are.
#[derive(Clone, Copy, Debug, Default)]
struct Units {
    /// D-unit arithmetic and logic unit.
    d_alu: u8,
    /// D-unit shifter.
    shifter: u8,
    /// Multipliers.
    mac: u8,
    /// A-unit arithmetic and logic unit.
    a_alu: u8,
    /// Generators of data addresses X and Y.
    address: u8,
    /// Generator of the coefficient's address.
    coefficient: u8,
    /// Generator of the stack's addresses.
    stack: u8,
    /// Program flow.
    flow: u8,
    /// Buses that read data, of 16 bits.
    read: u8,
    /// Buses that write data, of 16 bits.
    write: u8,
}

impl Units {
    fn plus(self, other: Units) -> Units {
        Units {
            d_alu: self.d_alu + other.d_alu,
            shifter: self.shifter + other.shifter,
            mac: self.mac + other.mac,
            a_alu: self.a_alu + other.a_alu,
            address: self.address + other.address,
            coefficient: self.coefficient + other.coefficient,
            stack: self.stack + other.stack,
            flow: self.flow + other.flow,
            read: self.read + other.read,
            write: self.write + other.write,
        }
    }

    fn exceeded(self) -> Option<&'static str> {
        let table = [
            (self.d_alu, 1, "D-unit ALU"),
            (self.shifter, 1, "D-unit shifter"),
            (self.mac, 2, "multipliers"),
            (self.a_alu, 1, "A-unit ALU"),
            (self.address, 2, "data address generators"),
            (self.coefficient, 1, "coefficient address generator"),
            (self.stack, 1, "stack address generator"),
            (self.flow, 1, "program flow unit"),
            (self.read, 2, "data read buses"),
            (self.write, 2, "data write buses"),
        ];
        table.into_iter().find(|(used, there, _)| used > there).map(|(.., name)| name)
    }
}

fn arithmetic(dst: Reg) -> Units {
    match dst {
        Reg::Ac(_) => Units { d_alu: 1, ..Units::default() },
        Reg::Ta(_) => Units { a_alu: 1, ..Units::default() },
    }
}

fn units(instruction: &Instruction) -> Units {
    use Instruction as I;
    let none = Units::default();
    let accessed = |smem: &Smem, read: u8, write: u8| match smem {
        Smem::Cdp(_) => Units { coefficient: 1, read, write, ..none },
        Smem::Sp(_) | Smem::Ind(_) | Smem::Offset(..) | Smem::PreOffset(..) => {
            Units { address: 1, read, write, ..none }
        }
    };
    match instruction {
        I::Dual(one) => {
            let read = 1 + u8::from(one.x != Half::Amar);
            Units { mac: read, address: 2, coefficient: 1, read, ..none }
        }
        I::Product { .. } => Units { mac: 1, address: 2, read: 2, ..none },
        I::ProductT { smem, .. } => Units { mac: 1, ..accessed(smem, 1, 0) },
        I::AddMemory { smem, .. } | I::LoadAc { smem, .. } => Units { d_alu: 1, ..accessed(smem, 1, 0) },
        I::AddDouble { lmem, .. } | I::LoadDouble { lmem, .. } => Units { d_alu: 1, ..accessed(lmem, 2, 0) },
        I::LoadTa { smem, .. } => Units { a_alu: 1, ..accessed(smem, 1, 0) },
        I::Store { smem, .. } | I::StoreHigh { smem, .. } | I::StoreConstant { smem, .. } => {
            accessed(smem, 0, 1)
        }
        I::StoreDouble { lmem, .. } | I::StorePair { lmem, .. } => accessed(lmem, 0, 2),
        I::Copy { .. } => Units { address: 2, read: 1, write: 1, ..none },
        I::CopyDouble { .. } => Units { address: 2, read: 2, write: 2, ..none },
        I::Shifted { op: ShiftOp::Sftl | ShiftOp::Sfts, .. } => Units { shifter: 1, ..none },
        I::Shifted { .. } => Units { shifter: 1, d_alu: 1, ..none },
        I::ShiftByOne { dst: Reg::Ac(_), .. } => Units { shifter: 1, ..none },
        I::ShiftByOne { dst: Reg::Ta(_), .. } => Units { a_alu: 1, ..none },
        I::Registers { dst, .. }
        | I::MovK4 { dst, .. }
        | I::AddK4 { dst, .. }
        | I::MovK16 { dst, .. }
        | I::AddK16 { dst, .. }
        | I::AndK16 { dst, .. } => arithmetic(*dst),
        I::Address { .. } | I::Amar { .. } | I::AmarTo { .. } => Units { address: 1, ..none },
        I::AddSp { .. } => Units { stack: 1, ..none },
        I::Push { .. } | I::PushBoth { .. } => Units { stack: 1, write: 1, ..none },
        I::PushDouble { .. } => Units { stack: 1, write: 2, ..none },
        I::Pop { .. } => Units { stack: 1, a_alu: 1, read: 1, ..none },
        I::PopBoth { .. } => Units { stack: 1, read: 1, ..none },
        I::PopDouble { .. } => Units { stack: 1, d_alu: 1, read: 2, ..none },
        I::SetCounter { .. }
        | I::Repeat(_)
        | I::RepeatBlock { .. }
        | I::Branch { .. }
        | I::BranchIf { .. }
        | I::Status { .. } => Units { flow: 1, ..none },
        I::MoveCounter { .. } => Units { flow: 1, a_alu: 1, ..none },
        I::Call { .. } | I::Return => Units { flow: 1, stack: 1, ..none },
        I::Nop => none,
    }
}

/// Whether a single repeat may stand before a line: not of what changes the flow, a counter or the status.
pub fn repeatable(line: &Bundle) -> bool {
    line.instructions().all(|one| units(one).flow == 0)
}

/// Whether a line can be executed, and its length in bytes.
///
/// # Errors
/// The first rule that it breaks.
pub fn check(line: &Bundle) -> Result<u32, Illegal> {
    for one in line.instructions() {
        operands(one)?;
    }
    let first = encode(&line.first, 0)?;
    let Some(other) = line.second else { return Ok(first.len() as u32) };
    let second = encode(&other, 0)?;
    let length = first.len() + second.len();
    if length > 6 {
        return Err(Illegal::Length(length));
    }
    if !has_enable_bit(&first) && !has_enable_bit(&second) {
        return Err(Illegal::Enable);
    }
    if let Some(unit) = units(&line.first).plus(units(&other)).exceeded() {
        return Err(Illegal::Unit(unit));
    }
    if units(&line.first).write > 0 && units(&other).read + units(&other).write > 0 {
        return Err(Illegal::Memory);
    }
    let (one, two) = (Uses::of(&line.first), Uses::of(&other));
    if one.writes & two.writes & !(1 << CARRY) != 0 {
        return Err(Illegal::Write);
    }
    if one.writes & two.reads != 0 || (one.writes | two.writes) >> STATUS & 1 != 0 {
        return Err(Illegal::Order);
    }
    Ok(length as u32)
}

/// What a single instruction must not do.
fn operands(one: &Instruction) -> Result<(), Illegal> {
    let changes = |mode: Mode| !matches!(mode, Mode::Plain | Mode::IndexT0);
    let same = |x: &Ind, y: &Ind| x.ar == y.ar && changes(x.mode) && changes(y.mode);
    let clash = match one {
        Instruction::Dual(one) => {
            if one.x != Half::Amar && one.acx == one.acy {
                return Err(Illegal::Operand("both products go to one accumulator"));
            }
            same(&one.xmem, &one.ymem)
        }
        Instruction::Product { x, y, .. } => same(x, y),
        Instruction::Copy { from, to } | Instruction::CopyDouble { from, to } => same(from, to),
        _ => false,
    };
    if clash { Err(Illegal::Operand("one address register changes twice")) } else { Ok(()) }
}

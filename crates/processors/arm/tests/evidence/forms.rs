//! Every form of every instruction that the model executes, with random registers.

use rhomb_arm::encode::encode;
use rhomb_arm::instructions::{
    Action, Address, BlockMode, Condition, DataOp, Indexing, Instruction, Offset, PC, ShiftKind, Shifter,
    Size,
};
use rhomb_oracles::Random;

/// What is varied besides registers and numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    Data(DataOp, bool, Operand),
    /// Accumulating, setting flags.
    Multiply(bool, bool),
    /// Signed, accumulating, setting flags.
    Long(bool, bool, bool),
    /// Loading, upwards.
    Transfer(bool, Size, Way, bool, Indexing),
    /// Loading, written back.
    Block(bool, bool, BlockMode),
    Swap(bool),
    /// With link.
    Branch(bool),
    Exchange,
    /// MOV and ADD to PC.
    Jump(bool),
    /// LDR and LDM to PC.
    JumpLoad(bool),
    ReadStatus,
    WriteStatus(bool),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Operand {
    Immediate,
    Plain,
    Shifted(ShiftKind),
    Rrx,
    ByRegister(ShiftKind),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    Immediate,
    Plain,
    Shifted(ShiftKind),
    Rrx,
}

/// All forms.
pub(crate) fn forms() -> Vec<Form> {
    let mut forms = Vec::new();
    let mut operands = vec![Operand::Immediate, Operand::Plain, Operand::Rrx];
    operands.extend(ShiftKind::ALL.map(Operand::Shifted));
    operands.extend(ShiftKind::ALL.map(Operand::ByRegister));
    for op in DataOp::ALL {
        for set in [false, true].into_iter().filter(|set| *set || op.keeps_result()) {
            forms.extend(operands.iter().map(|operand| Form::Data(op, set, *operand)));
        }
    }
    for [x, y, z] in (0..8).map(|bits| [bits & 1 == 1, bits & 2 == 2, bits & 4 == 4]) {
        if !z {
            forms.push(Form::Multiply(x, y));
        }
        forms.push(Form::Long(x, y, z));
    }
    let mut ways = vec![Way::Immediate, Way::Plain, Way::Rrx];
    ways.extend(ShiftKind::ALL.map(Way::Shifted));
    for load in [false, true] {
        for size in [Size::Word, Size::Byte, Size::Half, Size::SignedByte, Size::SignedHalf] {
            let wide = matches!(size, Size::Word | Size::Byte);
            if !load && matches!(size, Size::SignedByte | Size::SignedHalf) {
                continue;
            }
            for way in ways.iter().filter(|way| wide || matches!(way, Way::Immediate | Way::Plain)) {
                for indexing in [Indexing::Offset, Indexing::Before, Indexing::After] {
                    forms.extend([true, false].map(|up| Form::Transfer(load, size, *way, up, indexing)));
                }
            }
        }
        for mode in [BlockMode::Da, BlockMode::Ia, BlockMode::Db, BlockMode::Ib] {
            forms.extend([true, false].map(|write_back| Form::Block(load, write_back, mode)));
        }
    }
    forms.extend([false, true].map(Form::Swap));
    forms.extend([false, true].map(Form::Branch));
    forms.extend([false, true].map(Form::WriteStatus));
    forms.extend([false, true].map(Form::Jump));
    forms.extend([false, true].map(Form::JumpLoad));
    forms.extend([Form::Exchange, Form::ReadStatus]);
    forms
}

/// An instruction of a form; PC is an operand now and then.
pub(crate) fn instruction(form: Form, random: &mut Random) -> Instruction {
    loop {
        let condition = match random.below(3) {
            0 => *random.pick(&Condition::ALL),
            _ => Condition::Al,
        };
        let instruction = Instruction { condition, action: action(form, random) };
        // again where the architecture says nothing
        if encode(&instruction).is_ok() {
            return instruction;
        }
    }
}

fn action(form: Form, random: &mut Random) -> Action {
    let register = |random: &mut Random| random.below(15) as u8;
    let source = |random: &mut Random| if random.below(12) == 0 { PC } else { register(random) };
    match form {
        Form::Data(op, set, operand) => {
            let operand = self::operand(operand, random);
            let (rd, rn) = (register(random), source(random));
            Action::Data {
                op,
                set,
                rd: if op.keeps_result() { rd } else { 0 },
                rn: if op.has_first() { rn } else { 0 },
                operand,
            }
        }
        Form::Multiply(accumulate, set) => {
            let [rd, rm, rs, rn] = std::array::from_fn(|_| register(random));
            Action::Multiply { set, rd, rm, rs, rn: accumulate.then_some(rn) }
        }
        Form::Long(signed, accumulate, set) => {
            let [low, high, rm, rs] = std::array::from_fn(|_| register(random));
            Action::LongMultiply { signed, accumulate, set, low, high, rm, rs }
        }
        Form::Transfer(load, size, way, up, indexing) => {
            let most = if matches!(size, Size::Word | Size::Byte) { 4096 } else { 256 };
            let offset = match way {
                Way::Immediate => Offset::Immediate(random.below(most) as u16),
                Way::Plain => Offset::Register { rm: register(random), kind: ShiftKind::Lsl, amount: 0 },
                Way::Shifted(kind) => {
                    Offset::Register { rm: register(random), kind, amount: amount(kind, random) }
                }
                Way::Rrx => Offset::Rrx { rm: register(random) },
            };
            let (rd, rn) = (register(random), register(random));
            Action::Transfer { load, size, rd, address: Address { rn, up, offset, indexing } }
        }
        Form::Block(load, write_back, mode) => {
            let registers = random.bits() as u16
                & 0x7fff
                & if random.below(2) == 0 { 0x7fff } else { random.bits() as u16 };
            Action::Block { load, rn: register(random), write_back, mode, registers, user: false }
        }
        Form::Swap(byte) => {
            let [rd, rm, rn] = std::array::from_fn(|_| register(random));
            Action::Swap { byte, rd, rm, rn }
        }
        Form::Branch(link) => Action::Branch { link, distance: 4 * random.below(200) as i32 - 400 },
        Form::Exchange => Action::BranchExchange { rm: register(random) },
        Form::Jump(add) => {
            let (op, rn, amount) = if add { (DataOp::Add, PC, 2) } else { (DataOp::Mov, 0, 0) };
            let operand = Shifter::Register { rm: register(random), kind: ShiftKind::Lsl, amount };
            Action::Data { op, set: false, rd: PC, rn, operand }
        }
        Form::JumpLoad(false) => {
            let (offset, indexing) =
                (Offset::Immediate(4), *random.pick(&[Indexing::Offset, Indexing::After]));
            let address = Address { rn: register(random), up: true, offset, indexing };
            Action::Transfer { load: true, size: Size::Word, rd: PC, address }
        }
        Form::JumpLoad(true) => match action(Form::Block(true, true, BlockMode::Ia), random) {
            Action::Block { load, rn, write_back, mode, registers, user } => {
                Action::Block { load, rn, write_back, mode, registers: registers | 1 << PC, user }
            }
            other => other,
        },
        Form::ReadStatus => Action::ReadStatus { saved: false, rd: register(random) },
        Form::WriteStatus(immediate) => {
            let operand = if immediate { Operand::Immediate } else { Operand::Plain };
            Action::WriteStatus { saved: false, fields: 8, operand: self::operand(operand, random) }
        }
    }
}

fn amount(kind: ShiftKind, random: &mut Random) -> u8 {
    let (least, most) = kind.amounts();
    match random.below(3) {
        0 => *random.pick(&[least, most, 1]),
        _ => least + random.below(u64::from(most - least) + 1) as u8,
    }
}

fn operand(operand: Operand, random: &mut Random) -> Shifter {
    let rm = if random.below(12) == 0 { PC } else { random.below(15) as u8 };
    match operand {
        Operand::Immediate => Shifter::Immediate { value: random.edge(), rotation: random.below(16) as u8 },
        Operand::Plain => Shifter::plain(rm),
        Operand::Shifted(kind) => Shifter::Register { rm, kind, amount: amount(kind, random) },
        Operand::Rrx => Shifter::Rrx { rm },
        Operand::ByRegister(kind) => Shifter::ByRegister { rm, kind, rs: random.below(15) as u8 },
    }
}

//! The decoder against the crate yaxpeax-arm, on words that are instructions to us, and against garbage.
//!
//! What yaxpeax-arm takes for an instruction tells nothing: its decoder for version 4 also knows instructions of
//! later versions, the condition NV, and what is UNPREDICTABLE. The refusals are compared with objdump, in
//! `assembled.rs`.

use proptest::prelude::*;
use rhomb_arm::Program;
use rhomb_arm::cores::CORES;
use rhomb_arm::decode::decode;
use rhomb_arm::encode::encode;
use rhomb_arm::instructions::{
    Action, Address, BlockMode, Condition, DataOp, Indexing, Instruction, Offset, PC, Register, ShiftKind,
    Shifter, Size,
};
use rhomb_arm::syntax::{DIALECTS, function, gnu};
use yaxpeax_arch::{Decoder, U8Reader};
use yaxpeax_arm::armv7::{InstDecoder, Operand as Theirs, Reg, RegShift};

fn reg(register: Register) -> Theirs {
    Theirs::Reg(Reg::from_u8(register))
}

/// Bits 0 to 11 of a shifted register, as A5.1.1 places them.
fn shift(rm: Register, kind: ShiftKind, amount: u8) -> u16 {
    u16::from(amount & 31) << 7 | (kind as u16) << 5 | u16::from(rm)
}

/// A register as it is, or shifted.
fn shifted(bits: u16) -> Theirs {
    match bits {
        0..16 => reg(bits as u8),
        _ => Theirs::RegShift(RegShift::from_raw(bits)),
    }
}

fn shifter(operand: &Shifter) -> Theirs {
    match *operand {
        Shifter::Immediate { value, rotation } => {
            Theirs::Imm32(u32::from(value).rotate_right(2 * u32::from(rotation)))
        }
        Shifter::Number(number) => Theirs::Imm32(number),
        Shifter::Register { rm, kind, amount } => shifted(shift(rm, kind, amount)),
        Shifter::Rrx { rm } => shifted(shift(rm, ShiftKind::Ror, 0)),
        Shifter::ByRegister { rm, kind, rs } => {
            Theirs::RegShift(RegShift::from_raw(u16::from(rs) << 8 | 0x10 | shift(rm, kind, 0)))
        }
    }
}

fn address(size: Size, address: &Address) -> Theirs {
    let Address { rn, up, offset, indexing } = *address;
    let rn = Reg::from_u8(rn);
    let after = matches!(indexing, Indexing::After | Indexing::AfterAsUser);
    // they leave it out of post-indexing, which always writes back
    let written = indexing == Indexing::Before;
    let narrow = !matches!(size, Size::Word | Size::Byte);
    let bits = match offset {
        Offset::Immediate(number) if after => {
            return Theirs::RegDerefPostindexOffset(rn, number, up, written);
        }
        Offset::Immediate(number) => return Theirs::RegDerefPreindexOffset(rn, number, up, written),
        Offset::Register { rm, kind, amount } => shift(rm, kind, amount),
        Offset::Rrx { rm } => shift(rm, ShiftKind::Ror, 0),
    };
    let (plain, shifted) = (Reg::from_u8(bits as u8 & 15), RegShift::from_raw(bits));
    match (narrow, after) {
        (true, true) => Theirs::RegDerefPostindexReg(rn, plain, up, written),
        (true, false) => Theirs::RegDerefPreindexReg(rn, plain, up, written),
        (false, true) => Theirs::RegDerefPostindexRegShift(rn, shifted, up, written),
        (false, false) => Theirs::RegDerefPreindexRegShift(rn, shifted, up, written),
    }
}

/// Our action as yaxpeax-arm has its parts: the operation as it prints for debugging, whether flags are set,
/// and the operands. None for what it does not take apart: SWI is refused, numbers into status registers are
/// left as they stand, coprocessors are not ours.
fn expected(action: &Action) -> Option<(String, bool, Vec<Theirs>)> {
    let text = |name: &str| name.to_owned();
    Some(match *action {
        Action::Data { op, set, rd, rn, operand } => {
            // they show RD of comparisons, and RN of shifted MOV and of MVN, which should be zero
            let shifted = shifter(&operand);
            let zero = match op {
                DataOp::Mov => matches!(shifted, Theirs::RegShift(_)),
                DataOp::Mvn => !matches!(shifted, Theirs::Reg(_)),
                _ => false,
            };
            let mut operands = vec![reg(rd)];
            if op.has_first() || zero {
                operands.push(reg(rn));
            }
            operands.push(shifted);
            // ADD and SUB of a number to the PC are ADR
            let address = matches!(op, DataOp::Add | DataOp::Sub) && rn == PC && operand.value().is_some();
            let name = if address { text("ADR") } else { format!("{op:?}").to_uppercase() };
            (name, set, operands)
        }
        Action::Multiply { set, rd, rm, rs, rn } => {
            let mut operands = vec![reg(rd), reg(rm), reg(rs)];
            operands.extend(rn.map(reg));
            (text(if rn.is_some() { "MLA" } else { "MUL" }), set, operands)
        }
        Action::LongMultiply { signed, accumulate, set, low, high, rm, rs } => {
            let name = match (signed, accumulate) {
                (false, false) => "UMULL",
                (false, true) => "UMLAL",
                (true, false) => "SMULL",
                (true, true) => "SMLAL",
            };
            (text(name), set, vec![reg(low), reg(high), reg(rm), reg(rs)])
        }
        Action::DoubleAccumulate { low, high, rm, rs } => {
            (text("UMAAL"), false, vec![reg(low), reg(high), reg(rm), reg(rs)])
        }
        Action::Transfer { load, size, rd, address: given } => {
            let size_name = match size {
                Size::Word => "",
                Size::Byte => "B",
                Size::Half => "H",
                Size::SignedByte => "SB",
                Size::SignedHalf => "SH",
            };
            let user = if given.indexing == Indexing::AfterAsUser { "T" } else { "" };
            let name = format!("{}{size_name}{user}", if load { "LDR" } else { "STR" });
            (name, false, vec![reg(rd), address(size, &given)])
        }
        Action::Block { load, rn, write_back, mode, registers, user } => {
            let up = matches!(mode, BlockMode::Ia | BlockMode::Ib);
            let before = matches!(mode, BlockMode::Db | BlockMode::Ib);
            let name = if load { "LDM" } else { "STM" };
            // the write-back stands with the base only
            let name = format!("{name}({up}, {before}, false, {user})");
            let base = Theirs::RegWBack(Reg::from_u8(rn), write_back);
            (name, false, vec![base, Theirs::RegList(registers)])
        }
        Action::Swap { byte, rd, rm, rn } => {
            let name = if byte { "SWPB" } else { "SWP" };
            (text(name), false, vec![reg(rd), reg(rm), Theirs::RegDeref(Reg::from_u8(rn))])
        }
        Action::Branch { link, distance } => {
            let name = if link { "BL" } else { "B" };
            (text(name), false, vec![Theirs::BranchOffset(distance / 4)])
        }
        Action::BranchExchange { rm } => (text("BX"), false, vec![reg(rm)]),
        Action::ReadStatus { saved, rd } => {
            (text("MRS"), false, vec![reg(rd), if saved { Theirs::SPSR } else { Theirs::CPSR }])
        }
        Action::WriteStatus { .. }
        | Action::SoftwareInterrupt { .. }
        | Action::Coprocessor { .. }
        | Action::Literal(_)
        | Action::Later(_) => {
            return None;
        }
    })
}

/// Why yaxpeax-arm 0.2.6 refuses an instruction. Sections are those of DDI 0100.
fn known_difference(action: &Action) -> Option<&'static str> {
    match *action {
        // they want RN, which should be zero, to be something
        Action::Data { op: DataOp::Mov | DataOp::Mvn, operand: Shifter::ByRegister { .. }, .. } => {
            Some("A4.1, MOV and MVN: bits 16 to 19 should be zero")
        }
        // they want bits 8 to 11 not to be zero, in both forms
        Action::Transfer { size: Size::SignedByte | Size::SignedHalf, address, .. } => match address.offset {
            Offset::Immediate(16..) => None,
            Offset::Immediate(_) => Some("A5.3.2: bits 8 to 11 are the upper half of the offset"),
            Offset::Register { .. } | Offset::Rrx { .. } => Some("A5.3.3: bits 8 to 11 should be zero"),
        },
        _ => None,
    }
}

#[test]
fn instructions_agree_with_yaxpeax_arm() {
    let decoder = InstDecoder::armv4();
    let (mut compared, mut excused) = (0, 0);
    let mut differences = Vec::new();
    let mut seed = 11u64;
    let random = (0..1_000_000u64).map(|number| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let word = (seed >> 32) as u32;
        // sparse words too, for the forms with many bits that should be zero
        if number % 4 == 0 { word & (seed as u32 | 0xfff0_00f0) } else { word }
    });
    // BX, MRS of both registers, and STR and LDR of the PC
    let fixed = [0x012f_ff10, 0x010f_0000, 0x014f_0000, 0x0580_f000, 0x0590_f000];
    let rare = (0..15 * 16 * 5).map(|number| {
        let (condition, register, form) = (number % 15, number / 15 % 16, fixed[number / 240]);
        let place = match form >> 16 {
            0x012f => 0,
            0x010f | 0x014f => 12,
            _ => 16,
        };
        (condition as u32) << 28 | form | (register as u32) << place
    });
    for word in random.chain(rare) {
        let Ok(Instruction { condition, action }) = decode(word) else { continue };
        let Some((name, set, operands)) = expected(&action) else { continue };
        let theirs = decoder.decode(&mut U8Reader::new(&word.to_le_bytes())).ok();
        let theirs = theirs.map(|theirs| {
            let operands: Vec<Theirs> =
                theirs.operands.into_iter().filter(|operand| *operand != Theirs::Nothing).collect();
            let condition = Condition::ALL[theirs.condition as usize];
            (condition, format!("{:?}", theirs.opcode), theirs.s, operands)
        });
        let ours = Some((condition, name, set, operands));
        compared += 1;
        match known_difference(&action) {
            Some(_) => {
                assert_eq!(theirs, None, "{word:#010x} does not differ as it is known to");
                excused += 1;
            }
            None if ours != theirs => differences.push(format!("{word:08x}: {ours:?}, they say {theirs:?}")),
            None => {}
        }
    }
    println!("{compared} words compared, {excused} of them known to differ");
    let some = &differences[..differences.len().min(30)];
    assert!(differences.is_empty(), "{} differ\n{}", differences.len(), some.join("\n"));
    assert!(compared > 400_000 && excused < compared / 100);
}

proptest! {
    /// Whatever the words are: they decode or are refused, print, and make a program, without a panic.
    #[test]
    fn garbage_is_no_panic(words in prop::collection::vec(any::<u32>(), 0..64), origin in any::<u32>()) {
        let mut code = Vec::new();
        for word in &words {
            match decode(*word) {
                Ok(instruction) => {
                    prop_assert_eq!(encode(&instruction), Ok(*word));
                    prop_assert!(!gnu::instruction(&instruction).unwrap().is_empty());
                    let _ = (instruction.registers_read(), instruction.registers_written());
                    let _ = (instruction.flags_read(), instruction.flags_written(), instruction.class());
                    code.push(instruction);
                }
                Err(error) => prop_assert!(!error.to_string().contains('\n')),
            }
        }
        for dialect in DIALECTS {
            let _ = function(dialect, "f", origin, &code);
        }
        for core in CORES {
            let _ = Program::new(core, origin, &rhomb_arm::halves(&words));
        }
    }
}

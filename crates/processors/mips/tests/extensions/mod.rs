//! Instruction set extensions: the language against big integers, its messages, and the shipped files.

mod errors;
mod expressions;
mod shipped;

use rhomb_machine::{Concrete, Processor, Random};
use rhomb_mips::cores::core;
use rhomb_mips::instructions::{Instruction, Op};
use rhomb_mips::{Machine, Model, Program};
use std::sync::Arc;

/// A machine with one custom instruction with rs = $4, rt = $5, rd = $6, and the accumulator set.
fn machine(
    model: &Arc<Model>,
    one: Instruction,
    [rs, rt, rd]: [u32; 3],
    accumulator: [u32; 3],
) -> Machine<Concrete<u32>> {
    let program = Program::assemble(model.clone(), 0, &[one]).unwrap();
    let mut machine = Machine::new(Arc::new(program), Concrete::new());
    for (number, value) in [(4, rs), (5, rt), (6, rd)] {
        machine.set_register(number, value);
    }
    machine.set_accumulator(accumulator);
    machine
}

/// Number `custom` of the model's instructions, with the registers of [`machine`] where it has such operands.
fn custom(model: &Model, custom: u8) -> Instruction {
    use rhomb_mips::instructions::Operand;
    let mut one = Instruction { custom, ..Instruction::new(Op::Custom) };
    let row = model.row(&one).unwrap();
    for operand in row.operands.iter() {
        match operand {
            Operand::Rs => one.rs = 4,
            Operand::Rt => one.rt = 5,
            Operand::Rd => one.rd = 6,
            _ => {}
        }
    }
    one
}

/// An instruction of an extension to the plain core, with rs, rt, rd and a wide accumulator.
fn with_meaning(meaning: &str) -> Result<Model, rhomb_mips::extension::ExtensionError> {
    let text = format!(
        "accumulator 72\ninstruction x rs, rt, rd {{\n encoding \"011100 sssss ttttt ddddd 00000 010101\"\n meaning {{ {meaning}; rd = rs & rt & rd }}\n unit mdu issue 1 occupies 1 latency 1 counts other\n}}\n"
    );
    Model::of(core("mips32-4km").unwrap()).with(&text)
}

/// A word that is extreme half of the time.
fn word(random: &mut Random) -> u32 {
    const EDGES: [u32; 6] = [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 31];
    if random.below(2) == 0 { random.bits() as u32 } else { *random.pick(&EDGES) }
}

fn number(words: &[u32; 3]) -> u128 {
    u128::from(words[0]) | u128::from(words[1]) << 32 | u128::from(words[2]) << 64
}

/// Both registers that an instruction writes may be one: then nobody says which value it has.
#[test]
fn two_results_in_one_register_are_a_fault() {
    let text = "instruction swap rt, rd {\n encoding \"011100 00000 ttttt ddddd 00000 010101\"\n meaning { rd = rt; rt = rd }\n unit integer issue 1 occupies 1 latency 1 counts other\n}\n";
    let model = Arc::new(Model::of(core("mips32-4km").unwrap()).with(text).unwrap());
    let one = custom(&model, 0);
    let mut apart = machine(&model, one, [1, 2, 3], [0; 3]);
    apart.step().unwrap();
    assert_eq!((apart.register(5), apart.register(6)), (&3, &2));
    let mut same = machine(&model, Instruction { rt: 6, ..one }, [1, 2, 3], [0; 3]);
    assert!(matches!(same.step(), Err(rhomb_machine::Fault::NotModelled { .. })));
}

//! Meaning and time of instructions, by hand.

use rhomb_machine::{Access, Concrete, Fault, Processor, run};
use rhomb_riscv::compressed::{Short, compress};
use rhomb_riscv::cores::{Core, Timing, core};
use rhomb_riscv::instructions::{Extension, Instruction, Kind, Op, RA};
use rhomb_riscv::{Machine, Program};
use std::sync::{Arc, OnceLock};

const RET: Instruction = Instruction { rs1: RA, ..Instruction::new(Op::Jalr) };

/// A core with all extensions and the times of another.
fn whole() -> &'static Core {
    static WHOLE: OnceLock<Core> = OnceLock::new();
    WHOLE.get_or_init(|| {
        use Extension::{C, I, M, Zba, Zbb, Zbc, Zbkb, Zbs, Zicond};
        let timing: Timing = core("ibex-single").unwrap().timing;
        let extensions = vec![I, M, C, Zba, Zbb, Zbc, Zbkb, Zbs, Zicond].into();
        Core { name: "whole", description: "", about: None, extensions, ram: 0x8000..0x10000, timing }
    })
}

/// A machine with x and y in a1 and a2, all else but sp and ra at 0, and a0 pointing to four words.
fn machine(core: &'static Core, code: &[Instruction], x: u32, y: u32) -> Machine<Concrete<u32>> {
    let program = Arc::new(Program::assemble(core, 0x100, code).unwrap());
    let mut machine = Machine::new(program, Concrete::new());
    machine.memory.own("data", 0x2000..0x2004, Access::Store).unwrap();
    machine.memory.fill(0x2000, &[0x8403_02ff; 4]).unwrap();
    (1..32).for_each(|number| machine.set_register(number, 0));
    [(10, 0x8000), (11, x), (12, y)]
        .into_iter()
        .for_each(|(number, value)| machine.set_register(number, value));
    machine.set_sp(0x9000, 0);
    machine.enter(0x100).unwrap();
    machine
}

/// a0 and the cycles after a run.
fn ran(core: &'static Core, code: &[Instruction], x: u32, y: u32) -> (u32, u64, u64) {
    let mut machine = machine(core, &[code, &[RET]].concat(), x, y);
    let tally = run(&mut machine, 1000).unwrap_or_else(|fault| panic!("{fault}: {code:?}"));
    (*machine.register(10), tally.cycles.min, tally.cycles.max)
}

/// What an instruction of two registers should give, or one of a register.
fn expected(op: Op, x: u32, y: u32) -> Option<u32> {
    let (signed, other, places) = (x as i32, y as i32, y & 31);
    Some(match op {
        Op::Add => x.wrapping_add(y),
        Op::Sub => x.wrapping_sub(y),
        Op::Sll => x << places,
        Op::Slt => (signed < other).into(),
        Op::Sltu => (x < y).into(),
        Op::Xor => x ^ y,
        Op::Srl => x >> places,
        Op::Sra => (signed >> places) as u32,
        Op::Or => x | y,
        Op::And => x & y,
        Op::Mul => x.wrapping_mul(y),
        Op::Mulh => ((i64::from(signed) * i64::from(other)) >> 32) as u32,
        Op::Mulhsu => ((i64::from(signed) * i64::from(y)) >> 32) as u32,
        Op::Mulhu => ((u64::from(x) * u64::from(y)) >> 32) as u32,
        Op::Sh1add => (x << 1).wrapping_add(y),
        Op::Sh2add => (x << 2).wrapping_add(y),
        Op::Sh3add => (x << 3).wrapping_add(y),
        Op::Xnor => !(x ^ y),
        Op::Orn => x | !y,
        Op::Andn => x & !y,
        Op::Min => signed.min(other) as u32,
        Op::Minu => x.min(y),
        Op::Max => signed.max(other) as u32,
        Op::Maxu => x.max(y),
        Op::Rol => x.rotate_left(places),
        Op::Ror => x.rotate_right(places),
        Op::Sextb => x as i8 as u32,
        Op::Sexth => x as i16 as u32,
        Op::Zexth => x & 0xffff,
        Op::Clz => x.leading_zeros(),
        Op::Ctz => x.trailing_zeros(),
        Op::Cpop => x.count_ones(),
        Op::Orcb => u32::from_le_bytes(x.to_le_bytes().map(|byte| if byte == 0 { 0 } else { 0xff })),
        Op::Brev8 => x.reverse_bits().swap_bytes(),
        Op::Zip => (0..32).fold(0, |word, bit| word | (x >> bit & 1) << (2 * (bit % 16) + bit / 16)),
        Op::Unzip => (0..32).fold(0, |word, bit| word | (x >> bit & 1) << (bit / 2 + bit % 2 * 16)),
        Op::Pack => x & 0xffff | y << 16,
        Op::Packh => x & 0xff | (y & 0xff) << 8,
        Op::Bset => x | 1 << places,
        Op::Bclr => x & !(1 << places),
        Op::Binv => x ^ 1 << places,
        Op::Bext => x >> places & 1,
        Op::Rev8 => x.swap_bytes(),
        Op::CzeroEqz => {
            if y == 0 {
                0
            } else {
                x
            }
        }
        Op::CzeroNez => {
            if y == 0 {
                x
            } else {
                0
            }
        }
        _ => return None,
    })
}

#[test]
fn registers_are_computed_from() {
    let numbers = [0, 1, 31, 32, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x1234_89ab];
    let mut compared = 0;
    for row in rhomb_riscv::instructions::ROWS {
        for (x, y) in numbers.into_iter().flat_map(|x| numbers.map(|y| (x, y))) {
            let Some(expected) = expected(row.op, x, y) else { continue };
            let y_register = if row.format.operands().contains('t') { 12 } else { 0 };
            let one = Instruction::rd_rs_rs(row.op, 10, 11, y_register);
            assert_eq!(ran(whole(), &[one], x, y).0, expected, "{one:?} {x:#x} {y:#x}");
            compared += 1;
        }
    }
    assert_eq!(compared, 64 * 45);
}

#[test]
fn immediates_loads_and_stores() {
    let run = |code: &[Instruction]| ran(whole(), code, 5, 0x1_fe80).0;
    let number = |op, immediate| Instruction::rd_rs_immediate(op, 10, 11, immediate);
    assert_eq!(run(&[number(Op::Addi, -7)]), -2i32 as u32);
    assert_eq!(run(&[number(Op::Sltiu, -1)]), 1);
    assert_eq!(run(&[number(Op::Xori, -1)]), !5);
    assert_eq!(run(&[number(Op::Rori, 1)]), 0x8000_0002);
    assert_eq!(run(&[Instruction { rd: 10, immediate: 0xfffff, ..Instruction::new(Op::Lui) }]), 0xffff_f000);
    assert_eq!(run(&[Instruction { rd: 10, immediate: 1, ..Instruction::new(Op::Auipc) }]), 0x1100);
    let load = |op, offset| Instruction::rd_rs_immediate(op, 10, 10, offset);
    assert_eq!(run(&[load(Op::Lw, 12)]), 0x8403_02ff);
    assert_eq!([run(&[load(Op::Lb, 0)]), run(&[load(Op::Lbu, 0)])], [!0, 0xff]);
    assert_eq!([run(&[load(Op::Lh, 2)]), run(&[load(Op::Lhu, 2)])], [0xffff_8403, 0x8403]);
    let store = |op, immediate| Instruction { rs1: 10, rs2: 12, immediate, ..Instruction::new(op) };
    assert_eq!(run(&[store(Op::Sb, 1), load(Op::Lw, 0)]), 0x8403_80ff);
    assert_eq!(run(&[store(Op::Sh, 2), load(Op::Lw, 0)]), 0xfe80_02ff);
    assert_eq!(run(&[store(Op::Sw, 4), load(Op::Lw, 4)]), 0x1_fe80);
    // register 0 swallows what is written to it
    let swallowed = Instruction::rd_rs_immediate(Op::Addi, 0, 11, 1);
    assert_eq!(run(&[swallowed, Instruction::rd_rs_rs(Op::Add, 10, 0, 0)]), 0);
}

#[test]
fn branches_calls_and_time() {
    // three times round a loop: a0 = 3 * 5
    let branch = Instruction { rs1: 13, rs2: 0, immediate: -8, ..Instruction::new(Op::Bne) };
    let code = [
        Instruction::rd_rs_immediate(Op::Addi, 13, 0, 3),
        Instruction::rd_rs_rs(Op::Add, 10, 0, 0),
        Instruction::rd_rs_rs(Op::Add, 10, 10, 11),
        Instruction::rd_rs_immediate(Op::Addi, 13, 13, -1),
        branch,
    ];
    let single = core("ibex-single").unwrap();
    assert_eq!(ran(single, &code, 5, 0), (15, 17, 17));
    // the same in short forms
    let short: Vec<Instruction> = code.iter().map(|one| compress(one).unwrap_or(*one)).collect();
    assert_eq!(short[2].short, Some(Short::Add));
    let back = Instruction { immediate: -4, ..branch };
    let short: Vec<Instruction> = [&short[..4], &[compress(&back).unwrap()]].concat();
    assert_eq!(ran(single, &short, 5, 0), (15, 17, 17));
    let mul = [Instruction::rd_rs_rs(Op::Mul, 10, 11, 12)];
    assert_eq!(ran(core("picorv32").unwrap(), &mul, 3, 4), (12, 46, 46));
    assert_eq!(ran(core("ibex-slow").unwrap(), &mul, 3, 4), (12, 6, 6));
    let load = Instruction::rd_rs_immediate(Op::Lw, 13, 10, 0);
    let used = [load, Instruction::rd_rs_immediate(Op::Addi, 10, 13, 1)];
    let unused = [load, Instruction::rd_rs_immediate(Op::Addi, 10, 11, 1)];
    let maxperf = core("ibex-maxperf").unwrap();
    assert_eq!((ran(maxperf, &used, 0, 0).1, ran(maxperf, &unused, 0, 0).1), (5, 4));
}

#[test]
fn predictors_by_the_manuals() {
    // three times round a loop of two: the branch is foreseen the second time, and the third it is not taken
    let count = |op, rs1, immediate| Instruction { rs1, immediate, ..Instruction::new(op) };
    let code = [
        Instruction::rd_rs_immediate(Op::Addi, 13, 0, 3),
        Instruction::rd_rs_immediate(Op::Addi, 13, 13, -1),
        count(Op::Bne, 13, -4),
    ];
    let hazard3 = core("hazard3").unwrap();
    assert_eq!(ran(hazard3, &code, 0, 0), (0x8000, 1 + 3 + 2 + 1 + 2 + 2, 11));
    let forward = [count(Op::Bne, 11, 8), Instruction::NOP, Instruction::NOP];
    assert_eq!((ran(hazard3, &forward, 1, 0).1, ran(hazard3, &forward, 0, 0).1), (5, 5));
    // stored data are wanted later than addresses
    let load = Instruction::rd_rs_immediate(Op::Lw, 13, 10, 0);
    let store = Instruction { rs1: 10, rs2: 13, ..Instruction::new(Op::Sw) };
    assert_eq!(ran(hazard3, &[load, store], 0, 0).1, 4);
    assert_eq!(ran(core("e31").unwrap(), &code, 0, 0), (0x8000, 1 + 3 + 3 + 1, 1 + 3 + 3 * 4 + 4));
    assert_eq!(ran(core("rv32im").unwrap(), &code, 0, 0).1, 1 + 6 + 1);
}

#[test]
fn what_is_not_modelled_is_refused() {
    let fault = |core, one: Instruction| {
        let mut machine = machine(whole(), &[RET], 1, 0);
        let program = Program::new(core, 0x100, &rhomb_riscv::encode::encode(&one).unwrap());
        machine.program = Arc::new(program);
        match run(&mut machine, 10) {
            Err(Fault::NotModelled { what }) => what,
            other => panic!("{other:?}"),
        }
    };
    let single = core("ibex-single").unwrap();
    assert!(
        fault(single, Instruction::rd_rs_rs(Op::Div, 10, 11, 12))
            .contains("div on ibex-single, whose time depends on its operands")
    );
    assert!(
        fault(single, Instruction::rd_rs_rs(Op::Clmul, 10, 11, 12))
            .contains("clmul on ibex-single, which does not have it")
    );
    assert!(fault(core("vexriscv").unwrap(), compress(&RET).unwrap()).contains("jalr on vexriscv, which"));
    assert!(fault(single, Instruction::rd_rs_immediate(Op::Lw, 10, 10, 2)).contains("not aligned"));
    assert!(single.timing.times(Kind::Divide).is_none() && core("e32").is_none());
    assert_eq!(Machine::new(Arc::new(Program::new(single, 0, &[])), Concrete::<u32>::new()).cycles().max, 0);
}

/// Sums of two words, with a register saved and a carry by comparison.
const SUM: &str = "
    addi sp, sp, -16
    sw s0, 12(sp)
    lw a3, 0(a1)
    lw a4, 0(a2)
    add a3, a3, a4
    sltu s0, a3, a4
    sw a3, 0(a0)
    lw a3, 4(a1)
    lw a4, 4(a2)
    add a3, a3, a4
    add a3, a3, s0
    sw a3, 4(a0)
    lw s0, 12(sp)
    addi sp, sp, 16
    ret
";

fn function(core: &'static Core, code: &[Instruction]) -> rhomb_riscv::Function {
    rhomb_riscv::Function {
        program: Arc::new(Program::assemble(core, 0x100, code).unwrap()),
        entry: 0x100,
        convention: &rhomb_riscv::conventions::ILP32,
        stack_limit: 16,
        step_limit: 1000,
    }
}

#[test]
fn functions_are_called_by_the_convention() {
    use rhomb_machine::{Buffer, Domain, Routine, Secrets};
    use rhomb_riscv::syntax::gnu::GNU;
    let code = rhomb_machine::syntax::parse(&GNU, 0x100, SUM).unwrap().instructions;
    let short: Vec<Instruction> = code.iter().map(|one| compress(one).unwrap_or(*one)).collect();
    assert!(short.iter().filter(|one| one.short.is_some()).count() > 10);
    for code in [&code, &short] {
        let function = function(core("ibex-single").unwrap(), code);
        let operand = |name, content: &[u32]| {
            let content = Some(content.to_vec());
            Buffer { name, length: 2, content, access: Access::Load, shares: None }
        };
        let result = Buffer { name: "r", length: 2, content: None, access: Access::Store, shares: None };
        let buffers = [result, operand("a", &[0xffff_fff0, 7]), operand("b", &[0x20, 8])];
        for place in 0..8 {
            let finished = function.call_at(Concrete::new(), &buffers, place);
            let finished = finished.unwrap_or_else(|stopped| panic!("{stopped}"));
            assert_eq!(finished.buffers[0], [Some(0x10), Some(16)]);
            // four sums and comparisons, six accesses; two accesses, two sums and the return around them
            assert_eq!(
                (finished.body_cycles.max, finished.tally.cycles.max),
                (4 + 6 * 2, 16 + 2 * 2 + 2 + 2)
            );
            assert_eq!((finished.mix.load, finished.mix.store, finished.mix.add), (4, 2, 3));
            assert_eq!((finished.stack_bytes, finished.breaches.len()), (16, 0));
        }
        // nothing of it depends on the operands
        let mut domain = Secrets::<u32>::joining();
        let secret = buffers.clone().map(|buffer| Buffer {
            name: buffer.name,
            length: buffer.length,
            content: buffer.content.map(|words| words.iter().map(|_| domain.arbitrary()).collect()),
            access: buffer.access,
            shares: None,
        });
        let finished = function.call_at(domain, &secret, 0).unwrap_or_else(|stopped| panic!("{stopped}"));
        assert!(finished.secret_branches.is_empty() && finished.variable_times.is_empty());
    }
    // registers of the caller's that are lost, or are nobody's
    let breaches = |convention: &str, written: u8| {
        let code = [Instruction::rd_rs_immediate(Op::Addi, written, 0, 1), RET];
        let mut function = function(core("ibex-single").unwrap(), &code);
        function.convention = rhomb_riscv::conventions::convention(convention).unwrap();
        let finished =
            function.call(Concrete::<u32>::new(), &[]).unwrap_or_else(|stopped| panic!("{stopped}"));
        finished.breaches.into_iter().map(|breach| breach.text).collect::<Vec<_>>()
    };
    assert_eq!(breaches("ilp32", 8), ["s0 is not what it was at the call"]);
    assert_eq!(breaches("ilp32", 3)[0], "gp is written, which is not the routine's");
    assert_eq!((breaches("ilp32", 28).len(), breaches("ilp32e", 28).len()), (0, 1));
}

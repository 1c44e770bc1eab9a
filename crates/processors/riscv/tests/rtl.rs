//! Results and cycles of instructions against the RTL of the cores; results against unicorn.
#![cfg(feature = "oracles")]

use rhomb_machine::{Access, Concrete, run};
use rhomb_oracles::{Random, RiscvJob, RiscvRtl, RiscvUnicorn, Stop, sample};
use rhomb_riscv::compressed::{FORMS, compress};
use rhomb_riscv::cores::{Core, core};
use rhomb_riscv::decode::decode;
use rhomb_riscv::encode::encode;
use rhomb_riscv::instructions::{Extension, Format, Instruction, Kind, Op, RA, ROWS, Row, SP};
use rhomb_riscv::{Machine, Program};
use std::sync::Arc;

const RET: Instruction = Instruction { rs1: RA, ..Instruction::new(Op::Jalr) };
const NOP: Instruction = Instruction::NOP;
/// Where all data lie: a0 and sp point there.
const DATA: u32 = 0x8000;
const A0: u8 = 10;
/// Counts loops.
const S1: u8 = 9;
/// Keeps the return address.
const T6: u8 = 31;
/// Registers to compute with; short forms know some of them.
const POOL: [u8; 9] = [5, 8, 11, 12, 13, 14, 15, 28, 29];

fn job(code: &[Instruction], random: &mut Random) -> RiscvJob {
    let mut registers = std::array::from_fn(|_| random.bits() as u32 >> random.below(32));
    [(0, 0), (SP, DATA), (A0, DATA)]
        .into_iter()
        .for_each(|(register, value)| registers[usize::from(register)] = value);
    let code = code.iter().flat_map(|one| encode(one).unwrap()).collect();
    let memory = vec![(DATA, (0..16).map(|_| random.bits() as u32).collect())];
    RiscvJob { origin: RiscvJob::ORIGIN, code, registers, limit: 10_000, memory }
}

/// Registers but for ra and t6, memory and cycles of our simulator after a run with this memory.
fn ours(core: &'static Core, job: &RiscvJob, memory: &[u32]) -> (Vec<u32>, Vec<u32>, i64) {
    let program = Arc::new(Program::new(core, job.origin, &job.code));
    let mut machine = Machine::new(program, Concrete::new());
    machine.memory.own("data", DATA / 4..DATA / 4 + 16, Access::Store).unwrap();
    machine.memory.fill(DATA / 4, memory).unwrap();
    (1..32).for_each(|number| machine.set_register(number, job.registers[usize::from(number)]));
    machine.enter(job.origin).unwrap();
    let tally = run(&mut machine, 10_000).unwrap_or_else(|fault| panic!("{fault}\n{}", text(job)));
    assert_eq!(tally.cycles.min, tally.cycles.max);
    let registers = (2..T6).map(|number| *machine.register(number)).collect();
    let memory = (0..16).map(|word| machine.memory.load(DATA / 4 + word).unwrap()).collect();
    (registers, memory, tally.cycles.max as i64)
}

fn text(job: &RiscvJob) -> String {
    let (mut text, mut rest) = (String::new(), job.code.as_slice());
    while let Ok(one) = decode(rest) {
        text += &format!("{}\n", rhomb_riscv::syntax::instruction(&one));
        rest = &rest[one.bytes() as usize / 2..];
    }
    text
}

/// An instruction of a row, with registers and data of ours; branches and jumps go to what follows.
fn any(row: &Row, random: &mut Random) -> Instruction {
    let mut register = || POOL[random.below(POOL.len() as u64) as usize];
    let mut one = Instruction::rd_rs_rs(row.op, register(), register(), register());
    match random.below(8) {
        0..=2 => one.rs1 = one.rd,
        3 => one.rs2 = 0,
        4 => one.rs1 = 0,
        _ => {}
    }
    let base = if random.below(3) == 0 { SP } else { A0 };
    match row.kind {
        Kind::Load | Kind::Part | Kind::Store => {
            let size =
                if row.kind == Kind::Part || row.op != Op::Sw { row.mnemonic.as_bytes()[1] } else { b'w' };
            let size =
                [(b'b', 1), (b'h', 2), (b'w', 4)].iter().find(|(letter, _)| *letter == size).unwrap().1;
            (one.rs1, one.immediate) = (base, size * random.below(64 / size as u64) as i32);
            one.rs2 = if one.rs2 == 0 { 8 } else { one.rs2 };
        }
        _ if row.format == Format::Shift => one.immediate = random.below(32) as i32,
        Kind::Branch | Kind::Jump => {}
        _ if row.format.operands() == "d,i" => {
            one.immediate = (random.below(1 << 20) >> random.below(20)) as i32
        }
        _ if row.format.operands() == "d,s,i" => one.immediate = random.below(64) as i32 - 32,
        _ => {}
    }
    for (letter, field) in [('d', &mut one.rd), ('s', &mut one.rs1), ('t', &mut one.rs2)] {
        if !row.format.operands().contains(letter) {
            *field = 0;
        }
    }
    if !row.format.operands().contains('i') {
        one.immediate = 0;
    }
    // the pointers of short forms
    if row.op == Op::Addi && random.below(6) == 0 {
        (one.rs1, one.immediate) = (SP, 4 * random.below(64) as i32 + 4);
    }
    one
}

/// In its short form, if it has one and the core takes it.
fn short(core: &Core, one: Instruction) -> Instruction {
    if core.has(Extension::C) { compress(&one).unwrap_or(one) } else { one }
}

/// Sets the distances of branches, which are given as a number of instructions.
fn placed(code: &mut [Instruction]) {
    let lengths: Vec<i32> = code.iter().map(|one| one.bytes() as i32).collect();
    for (at, one) in code.iter_mut().enumerate() {
        if one.target(0).is_some() {
            let goal = (at as i32 + one.immediate) as usize;
            let between: i32 = lengths[at.min(goal)..at.max(goal)].iter().sum();
            one.immediate = if goal < at { -between } else { between };
        }
    }
}

/// An instruction of a row, and one of each of its short forms.
fn of_each_length(core: &Core, row: &Row, random: &mut Random) -> Vec<Instruction> {
    let mut all: Vec<Instruction> = Vec::new();
    for _ in 0..400 {
        let mut one = any(row, random);
        match row.kind {
            Kind::JumpRegister => (one.rd, one.rs1) = (RA, 5),
            Kind::Jump => one.rd = RA * random.below(2) as u8,
            Kind::Branch if one.rs1 == 0 => one.rs1 = 8,
            Kind::Branch => one.immediate = 8,
            _ => {}
        }
        for one in [one, short(core, one)] {
            if all.iter().all(|other| other.short != one.short) {
                all.push(one);
            }
        }
    }
    all
}

/// Each form alone and with what uses its result, aligned and not.
fn forms(core: &Core, random: &mut Random) -> Vec<Vec<Instruction>> {
    let mut codes = Vec::new();
    let rows = ROWS.iter().filter(|row| core.has(row.extension) && row.kind != Kind::Divide);
    for (row, mut one) in
        rows.flat_map(|row| of_each_length(core, row, random).into_iter().map(move |one| (row, one)))
    {
        let mut before = vec![Instruction::rd_rs_immediate(Op::Addi, T6, RA, 0)];
        if row.kind == Kind::JumpRegister {
            // to the instruction after the next
            before.push(Instruction { rd: 5, immediate: 0, ..Instruction::new(Op::Auipc) });
            let by = if core.has(Extension::C) { 10 + one.bytes() as i32 } else { 16 };
            before.push(Instruction::rd_rs_immediate(Op::Addi, 5, 5, by));
        }
        if one.target(0).is_some() {
            one.immediate = 2;
        }
        let filler = if core.has(Extension::C) { compress(&NOP).unwrap() } else { NOP };
        let used = Instruction::rd_rs_immediate(Op::Addi, 8, one.rd, 1);
        let back = short(core, Instruction { rs1: T6, ..RET });
        for (lead, after) in [(0, NOP), (1, NOP), (0, used), (1, used)] {
            let lead = vec![filler; if row.kind == Kind::JumpRegister { 0 } else { lead }];
            let mut code = [lead, before.clone(), vec![one], vec![filler; 1], vec![after, back]].concat();
            placed(&mut code);
            codes.push(code);
        }
    }
    // what chance seldom brings
    let moved = |by| short(core, Instruction::rd_rs_immediate(Op::Addi, SP, SP, by));
    let copied = short(core, Instruction::rd_rs_rs(Op::Add, 8, 0, 9));
    let number = short(core, Instruction::rd_rs_immediate(Op::Addi, 8, 0, -5));
    codes.push(vec![moved(-32), moved(32), copied, number, RET]);
    codes
}

/// Instructions at random, with branches forward, and some of them thrice round a loop.
fn sequence(core: &Core, random: &mut Random) -> Vec<Instruction> {
    let rows: Vec<&Row> = ROWS.iter().filter(|row| core.has(row.extension)).collect();
    let mut code = vec![Instruction::rd_rs_immediate(Op::Addi, S1, 0, 3)];
    let length = 12 + random.below(24) as usize;
    while code.len() < length {
        let row = rows[random.below(rows.len() as u64) as usize];
        if matches!(row.kind, Kind::JumpRegister | Kind::Divide) {
            continue;
        }
        let mut one = any(row, random);
        if row.kind == Kind::Jump {
            one.rd = 0;
        }
        if one.target(0).is_some() {
            one.immediate = 1 + random.below(4).min((length - code.len() - 1) as u64) as i32;
        }
        // the pointers stay
        if one.rd != SP || row.kind == Kind::Branch {
            code.push(if random.below(2) == 0 { short(core, one) } else { one });
        }
    }
    if random.below(2) == 0 {
        let count = Instruction::rd_rs_immediate(Op::Addi, S1, S1, -1);
        let back = Instruction { rs1: S1, immediate: -(code.len() as i32), ..Instruction::new(Op::Bne) };
        code.extend([count, if random.below(2) == 0 { short(core, back) } else { back }]);
    }
    code.push(if random.below(2) == 0 { short(core, RET) } else { RET });
    placed(&mut code);
    code
}

fn jobs(core: &Core, sequences: usize) -> Vec<RiscvJob> {
    let mut random = Random::new(8);
    let mut codes = forms(core, &mut random);
    codes.extend((0..sequences).map(|_| sequence(core, &mut random)));
    if core.has(Extension::C) {
        let known = codes.iter().flatten().filter_map(|one| one.short);
        let known: std::collections::BTreeSet<_> = known.collect();
        let missing = FORMS.iter().filter(|form| !known.contains(&form.short));
        assert_eq!(missing.map(|form| form.mnemonic).collect::<Vec<_>>(), Vec::<&str>::new());
    }
    codes.iter().map(|code| job(code, &mut random)).collect()
}

/// Results and cycles of a core are those of its RTL.
fn agrees(name: &str) {
    let core = core(name).unwrap();
    let jobs = jobs(core, sample(25, 2000));
    let outcomes = RiscvRtl::of(name).run(&jobs);
    let empty = job(&[RET], &mut Random::new(1));
    let (_, _, call) = ours(core, &empty, &empty.memory[0].1);
    for (job, theirs) in jobs.iter().zip(&outcomes) {
        let (registers, memory, mut cycles) = ours(core, job, &job.memory[0].1);
        if name == "vexriscv" {
            // its time is that of the second run, with what the first left in memory
            cycles = ours(core, job, &memory).2;
        }
        assert_eq!(theirs.stop, Stop::Done, "{name}:\n{}", text(job));
        assert_eq!(registers, theirs.registers[2..31], "{name}:\n{}", text(job));
        assert_eq!(memory, theirs.memory[0], "{name}:\n{}", text(job));
        assert_eq!(cycles - call, theirs.cycles, "{name}:\n{}", text(job));
    }
}

#[test]
fn picorv32_agrees() {
    agrees("picorv32");
    agrees("picorv32-fast");
}

#[test]
fn vexriscv_agrees() {
    agrees("vexriscv");
}

#[test]
fn ibex_agrees() {
    agrees("ibex-single");
    agrees("ibex-maxperf");
    agrees("ibex-bitmanip");
}

/// Whose simulators take a while to make.
#[test]
fn other_cores_agree() {
    let others = ["ibex-slow", "ibex-fast", "cv32e40p"];
    others.iter().take(sample(0, others.len())).for_each(|name| agrees(name));
}

/// unicorn gives the same results.
#[test]
fn unicorn_agrees() {
    let core = core("ibex-single").unwrap();
    let jobs = jobs(core, 1000);
    for (job, theirs) in jobs.iter().zip(RiscvUnicorn::start().run(&jobs)) {
        let (registers, memory, _) = ours(core, job, &job.memory[0].1);
        assert_eq!(theirs.stop, Stop::Done, "{}", text(job));
        assert_eq!(registers, theirs.registers[2..31], "{}", text(job));
        assert_eq!(memory, theirs.memory[0], "{}", text(job));
    }
}

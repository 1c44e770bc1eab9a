//! Against libsimavr 1.6. Nothing needs correction: on what our model accepts, the two agree in every
//! register, flag, byte and cycle.

use crate::evidence::cases::{NAMES, assert_coverage, case, machine, operations, ours, outcome};
use rhomb_avr::cores::{Core, core};
use rhomb_avr::encode::encode;
use rhomb_avr::instructions::{Instruction, Op, Operand};
use rhomb_avr::syntax::gnu;
use rhomb_machine::run;
use rhomb_oracles::{Job, Random, Run, SimAvr};

/// States an instruction and core.
const STATES: usize = 400;
/// Routines a core.
const ROUTINES: usize = 200;

#[test]
fn every_instruction_on_every_core() {
    assert_coverage();
    let mut random = Random::new(1);
    let mut count = 0;
    let mut differences = Vec::new();
    for name in NAMES {
        let core = core(name).unwrap();
        let mut simavr = SimAvr::start(name);
        for op in operations(core) {
            for _ in 0..STATES {
                let case = case(core, op, &mut random);
                let text = gnu::instruction(&case.instruction);
                let ours = ours(core, &case.job).unwrap_or_else(|fault| panic!("{name} {text}: {fault}"));
                let theirs = simavr.run(&case.job);
                count += 1;
                if ours != theirs {
                    differences
                        .push(format!("{name} {text}\n{:?}\nours   {ours:?}\ntheirs {theirs:?}", case.job));
                    break;
                }
            }
        }
    }
    println!("{count} states");
    assert!(differences.is_empty(), "{} instructions differ\n{}", differences.len(), differences.join("\n"));
}

/// A routine at 0x100 of arithmetic, loads and stores around Y and Z, pushes, pops and calls of a second
/// routine, which follows.
fn routine(core: &Core, random: &mut Random) -> Vec<u16> {
    let straight = |op: &Op| {
        let row = op.row();
        let moves = row.operands.iter().any(|operand| operand.pointer() != (0, 0));
        let elsewhere = matches!(row.op, Op::Lds | Op::Sts | Op::In | Op::Out | Op::Sbi | Op::Cbi);
        let flow = row.operands.iter().any(|it| matches!(it, Operand::Relative | Operand::Absolute));
        let skip = matches!(row.op, Op::Cpse | Op::Sbrc | Op::Sbrs | Op::Sbic | Op::Sbis);
        let stack = matches!(row.op, Op::Push | Op::Pop) || row.mnemonic.contains("lpm");
        let jump = matches!(row.mnemonic, "ijmp" | "eijmp" | "icall" | "eicall" | "ret" | "reti");
        !(moves || elsewhere || flow || skip || stack || jump)
    };
    let ops: Vec<Op> = operations(core).into_iter().filter(straight).collect();
    let mut code = Vec::new();
    let mut depth = 0;
    let arithmetic = |random: &mut Random| {
        let op = *random.pick(&ops);
        let mut i = Instruction::new(op);
        for operand in op.row().operands {
            let (low, high, step) = operand.range();
            let value = low + step * random.below(((high - low) / step + 1) as u64) as i32;
            match operand {
                Operand::D | Operand::DHigh | Operand::DMid | Operand::DPair | Operand::DWord => {
                    i.d = value as u8;
                }
                Operand::R | Operand::RHigh | Operand::RMid | Operand::RPair => i.r = value as u8,
                Operand::Bit | Operand::Flag => i.b = value as u8,
                _ => i.k = value,
            }
        }
        // the pointers stay
        if i.registers_written() >> 28 != 0 { Instruction::new(Op::Nop) } else { i }
    };
    for _ in 0..200 {
        let (register, k) = (random.below(28) as u8, random.below(32) as i32);
        code.push(match random.below(10) {
            0 => Instruction::dk(*random.pick(&[Op::LddY, Op::LddZ]), register, k),
            1 => Instruction::rk(*random.pick(&[Op::StdY, Op::StdZ]), register, k),
            2 => {
                depth += 1;
                Instruction::rk(Op::Push, register, 0)
            }
            3 if depth > 0 => {
                depth -= 1;
                Instruction::dk(Op::Pop, register, 0)
            }
            // filled in below: the place of the second routine is not known yet
            4 => Instruction { k: i32::MAX, ..Instruction::new(Op::Rcall) },
            // over the next instruction, of one word
            5 => Instruction { b: random.below(8) as u8, k: 1, ..Instruction::new(Op::Brbs) },
            _ => arithmetic(random),
        });
        // what a branch jumps over must not unbalance the stack
        if code.last().is_some_and(|i| i.op == Op::Brbs) {
            code.push(arithmetic(random));
        }
    }
    code.extend((0..depth).map(|_| Instruction::dk(Op::Pop, 2, 0)));
    code.push(Instruction::new(Op::Ret));
    let second = code.len() as i32;
    for (at, i) in code.iter_mut().enumerate() {
        if i.op == Op::Rcall {
            i.k = second - at as i32 - 1;
        }
    }
    code.extend((0..10).map(|_| arithmetic(random)));
    code.push(Instruction::new(Op::Ret));
    code.iter().map(|i| encode(i).unwrap().0).collect()
}

/// Whole calls: the stack, the return address and the sum of the cycles.
#[test]
fn routines_on_every_core() {
    const AT: u32 = 0x100;
    let mut random = Random::new(3);
    for name in NAMES {
        let core = core(name).unwrap();
        let mut simavr = SimAvr::start(name);
        let (data, stack) = (core.sram.start as u16, (core.sram.end - 0x100) as u16);
        for number in 0..ROUTINES {
            let mut registers = [0; 32];
            registers.fill_with(|| random.edge());
            [registers[28], registers[29]] = (data + 8).to_le_bytes();
            [registers[30], registers[31]] = (data + 40).to_le_bytes();
            let memory: Vec<(u16, Vec<u8>)> =
                vec![(data, (0..80).map(|_| random.edge()).collect()), (stack, vec![0; 0xf0])];
            let return_to = core.flash_bytes / 2 - 1;
            let job = Job {
                origin: AT,
                words: routine(core, &mut random),
                registers,
                sreg: random.byte(),
                sp: stack + 0xe0,
                pc: AT,
                run: Run::Call { return_to, limit: 10_000 },
                watch: memory.iter().map(|(address, bytes)| (*address, bytes.len() as u16)).collect(),
                memory,
            };
            let mut machine = machine(core, &job);
            machine.enter(AT).unwrap();
            let tally = run(&mut machine, 10_000).unwrap_or_else(|fault| panic!("{name} {number}: {fault}"));
            let mut ours = outcome(&mut machine, &job, tally.instructions);
            let mut theirs = simavr.run(&job);
            assert_eq!(tally.cycles.max, theirs.cycles, "{name} {number}");
            // the two callers stand at different places: the program counter, and the pushed address
            (ours.pc, theirs.pc) = (0, 0);
            for outcome in [&mut ours, &mut theirs] {
                let top = usize::from(job.sp - stack) + 1;
                outcome.memory[1][top - core.return_bytes as usize..top].fill(0);
            }
            assert_eq!(ours, theirs, "{name} {number}");
        }
    }
}

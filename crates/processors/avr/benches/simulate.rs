//! How many instructions a second the simulator runs: a long straight line of the mix that multiplication
//! kernels are made of.

use rhomb_avr::cores::core;
use rhomb_avr::instructions::{Instruction, Op};
use rhomb_avr::{Machine, Program};
use rhomb_machine::{Access, Concrete, run};
use std::sync::Arc;

fn main() {
    divan::main();
}

/// Product scanning over 32 bytes at Y and Z, column after column, until `length` instructions stand
/// there; then the return.
fn kernel(length: usize) -> Vec<Instruction> {
    let mut code = Vec::with_capacity(length + 1);
    let mut at = 0;
    while code.len() + 7 < length {
        let (i, j) = (at % 32, at * 7 % 32);
        let (a, b) = (2 + (at % 4) as u8, 6 + (at % 5) as u8);
        let sum = [16, 17, 18];
        let turn = at as usize / 6 % 3;
        code.push(Instruction::dk(Op::LddY, a, i));
        if at % 3 == 0 {
            code.push(Instruction::dk(Op::LddZ, b, j));
        }
        code.push(Instruction::dr(Op::Mul, a, b));
        code.push(Instruction::dr(Op::Add, sum[turn], 0));
        code.push(Instruction::dr(Op::Adc, sum[(turn + 1) % 3], 1));
        code.push(Instruction::dr(Op::Adc, sum[(turn + 2) % 3], 12));
        if at % 6 == 5 {
            code.push(Instruction::rk(Op::StdY, sum[turn], 32 + i));
        }
        at += 1;
    }
    code.resize(length, Instruction::new(Op::Nop));
    code.push(Instruction::new(Op::Ret));
    code
}

#[divan::bench(args = [5_000, 100_000], consts = [true, false])]
fn straight_line<const STRICT: bool>(bencher: divan::Bencher, length: usize) {
    let core = core("atmega128").unwrap();
    let program = Arc::new(Program::assemble(core, 0, &kernel(length)).unwrap());
    let mut machine = Machine::new(program, Concrete::<u8>::new());
    machine.set_strict(STRICT);
    machine.memory.own("operands", 0x100..0x140, Access::Load).unwrap();
    machine.memory.own("result", 0x180..0x200, Access::Store).unwrap();
    machine.memory.own("operand", 0x120..0x160, Access::Store).unwrap();
    machine.memory.fill(0x100, &[0xa5; 0x40]).unwrap();
    bencher.counter(divan::counter::ItemsCount::new(length + 1)).bench_local(|| {
        machine.reset();
        for register in 0..32 {
            machine.set_register(register, register);
        }
        machine.set_pair(28, 0x100);
        machine.set_pair(30, 0x120);
        machine.set_sp(0x10ff);
        machine.enter(0).unwrap();
        run(&mut machine, u64::MAX).unwrap()
    });
}

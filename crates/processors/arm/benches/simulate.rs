//! How many instructions a second the simulator runs: a long straight line of the mix that multiplication
//! kernels are made of.

use rhomb_arm::cores::core;
use rhomb_arm::instructions::{
    Action, Address, BlockMode, DataOp, Indexing, Instruction, LR, Offset, Shifter, Size,
};
use rhomb_arm::{Machine, Program};
use rhomb_machine::{Access, Concrete, run};
use std::sync::Arc;

fn main() {
    divan::main();
}

fn add(op: DataOp, set: bool, rd: u8, rm: u8) -> Instruction {
    Action::Data { op, set, rd, rn: rd, operand: Shifter::plain(rm) }.into()
}

fn transfer(load: bool, rd: u8, rn: u8, offset: u16) -> Instruction {
    let address = Address { rn, up: true, offset: Offset::Immediate(offset), indexing: Indexing::Offset };
    Action::Transfer { load, size: Size::Word, rd, address }.into()
}

/// Product scanning over 32 words at R0 and R1, column after column, until `length` instructions stand
/// there; then the return.
fn kernel(length: usize) -> Vec<Instruction> {
    let mut code = Vec::with_capacity(length + 1);
    let mut at = 0;
    while code.len() + 8 < length {
        let (i, j) = (4 * (at % 32), 4 * (at * 7 % 32));
        let sum = [2, 3, 4];
        let turn = usize::from(at) / 6 % 3;
        code.push(transfer(true, 5, 0, i));
        if at % 3 == 0 {
            code.push(transfer(true, 6, 1, j));
        }
        if at % 8 == 0 {
            let (rn, mode, registers) = (0, BlockMode::Ia, 0xf00);
            let block = Action::Block { load: true, rn, write_back: false, mode, registers, user: false };
            code.push(block.into());
        }
        let (signed, accumulate, set) = (false, false, false);
        code.push(Action::LongMultiply { signed, accumulate, set, low: 7, high: 12, rm: 5, rs: 6 }.into());
        code.push(add(DataOp::Add, true, sum[turn], 7));
        code.push(add(DataOp::Adc, true, sum[(turn + 1) % 3], 12));
        code.push(add(DataOp::Adc, false, sum[(turn + 2) % 3], 8));
        if at % 6 == 5 {
            code.push(transfer(false, sum[turn], 1, 128 + i));
        }
        at = (at + 1) % 1000;
    }
    code.resize(length, add(DataOp::Orr, false, 7, 7));
    code.push(Action::BranchExchange { rm: LR }.into());
    code
}

#[divan::bench(args = [5_000, 100_000], consts = [true, false])]
fn straight_line<const STRICT: bool>(bencher: divan::Bencher, length: usize) {
    let core = core("arm7tdmi").unwrap();
    let program = Arc::new(Program::assemble(core, 0, &kernel(length)).unwrap());
    let mut machine = Machine::new(program, Concrete::<u32>::new());
    machine.set_strict(STRICT);
    let cell = core.ram.start / 4;
    machine.memory.own("operands", cell..cell + 32, Access::Load).unwrap();
    machine.memory.own("result", cell + 64..cell + 128, Access::Store).unwrap();
    machine.memory.own("operand", cell + 32..cell + 64, Access::Store).unwrap();
    machine.memory.fill(cell, &[0xa5a5_a5a5; 64]).unwrap();
    bencher.counter(divan::counter::ItemsCount::new(length + 1)).bench_local(|| {
        machine.reset();
        for register in 0..13 {
            machine.set_register(register, register.into());
        }
        machine.set_register(0, core.ram.start);
        machine.set_register(1, core.ram.start + 128);
        machine.set_sp(core.ram.start + 0x1000, 0);
        machine.enter(0).unwrap();
        run(&mut machine, u64::MAX).unwrap()
    });
}

//! Why a changed kernel is still right.

use super::families::Kernel;
use rhomb_avr::conventions::AVR_GCC;
use rhomb_avr::instructions::{Instruction, Op, flag};
use rhomb_avr::{Machine, Program, cores::core};
use rhomb_machine::{Access, Concrete, Control, Memory, Processor, Random};
use std::sync::Arc;

/// A reason, the strongest that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Explanation {
    /// The operands of a commutative operation are exchanged.
    Commuted,
    /// No call comes there.
    Unreached,
    /// What it changes is never read.
    Dead,
    /// What was deleted had no effect there in all calls tried.
    NoEffect,
    /// With or without carry, which is zero there.
    NoCarry,
    /// Another register that has the same content there.
    SameSource,
    /// The instruction has the same effect there in all calls tried.
    SameEffect,
    /// The result is the same in all calls tried.
    SameResult,
}

/// Registers in bits 0 to 31, flags above.
type Set = u64;

fn reads(one: &Instruction) -> Set {
    let mut set = u64::from(one.registers_read()) | u64::from(one.flags_read()) << 32;
    let alike = matches!(one.op, Op::Eor | Op::Sub | Op::Sbc | Op::Cp | Op::Cpc) && one.d == one.r;
    if alike {
        set &= !(1 << one.d);
    }
    if one.op == Op::In && one.k == 0x3f {
        set |= 0xff << 32;
    }
    set
}

fn writes(one: &Instruction) -> Set {
    let mut set = u64::from(one.registers_written()) | u64::from(one.flags_written()) << 32;
    if one.op == Op::Out && one.k == 0x3f {
        set |= 0xff << 32;
    }
    set
}

/// Where control may go from an instruction; calls are followed, returns go behind any call.
fn successors(code: &[Instruction], at: usize) -> Vec<usize> {
    let one = &code[at];
    let target = (at as i32 + 1 + one.k) as usize;
    match one.op {
        Op::Rjmp | Op::Rcall => vec![target],
        Op::Brbs | Op::Brbc => vec![at + 1, target],
        Op::Cpse | Op::Sbrc | Op::Sbrs | Op::Sbic | Op::Sbis => vec![at + 1, at + 2],
        Op::Ret => (1..code.len()).filter(|next| code[next - 1].op == Op::Rcall).collect(),
        _ => vec![at + 1],
    }
}

/// What is read after each instruction before it is written again.
fn live_after(kernel: &Kernel) -> Vec<Set> {
    let code = &kernel.code;
    let mut at_return = u64::from(AVR_GCC.saved) | 2 | 1 << (32 + flag::I);
    if kernel.contract.returns_carry() {
        at_return |= 1 << AVR_GCC.returned;
    }
    let mut before = vec![0; code.len() + 3];
    loop {
        let old = before.clone();
        for at in (0..code.len()).rev() {
            let after = after(code, &before, at, at_return);
            before[at] = after & !writes(&code[at]) | reads(&code[at]);
        }
        if before == old {
            return (0..code.len()).map(|at| after(code, &before, at, at_return)).collect();
        }
    }
}

fn after(code: &[Instruction], before: &[Set], at: usize, at_return: Set) -> Set {
    let leaves = if code[at].op == Op::Ret { at_return } else { 0 };
    let next = successors(code, at);
    next.into_iter().filter_map(|next| before.get(next)).fold(leaves, |set, before| set | before)
}

fn touches_more(one: &Instruction) -> bool {
    let moves = |op: Op| {
        let mnemonic = op.row().mnemonic;
        mnemonic.starts_with("st") || matches!(op, Op::Push | Op::Pop | Op::Out | Op::Sbi | Op::Cbi)
    };
    let control = |op: Op| {
        let row = op.row();
        row.mnemonic.starts_with("sb") && row.flags_written == 0 && !matches!(op, Op::Sbiw)
            || matches!(op, Op::Brbs | Op::Brbc | Op::Rjmp | Op::Rcall | Op::Ret | Op::Reti | Op::Cpse)
    };
    moves(one.op) || control(one.op)
}

/// Explains a mutant that is right.
pub(crate) fn explain(kernel: &Kernel, at: usize, code: &[Instruction]) -> Explanation {
    let (old, new) = (&kernel.code[at], &code[at]);
    let commutative = matches!(old.op, Op::Mul | Op::Cpse);
    if commutative && new.op == old.op && (new.d, new.r) == (old.r, old.d) {
        return Explanation::Commuted;
    }
    let live = live_after(kernel)[at];
    if !touches_more(old) && !touches_more(new) && (writes(old) | writes(new)) & live == 0 {
        return Explanation::Dead;
    }
    match same_effect(kernel, at, code, live) {
        Some(0) => return Explanation::Unreached,
        Some(_) => {}
        None => return Explanation::SameResult,
    }
    let pair = (old.op.min(new.op), old.op.max(new.op));
    let with_carry = [(Op::Add, Op::Adc), (Op::Sub, Op::Sbc), (Op::Lsr, Op::Ror), (Op::Cpc, Op::Cp)];
    if with_carry.iter().any(|(x, y)| (*x.min(y), *x.max(y)) == pair) {
        Explanation::NoCarry
    } else if old.op == new.op && old.d == new.d && old.r != new.r {
        Explanation::SameSource
    } else if new.op == Op::Nop {
        Explanation::NoEffect
    } else {
        Explanation::SameEffect
    }
}

/// How often the kernel came by the instruction, if both versions of it left the same in what is read
/// later each time.
fn same_effect(kernel: &Kernel, at: usize, code: &[Instruction], live: Set) -> Option<u32> {
    let core = core(kernel.core).expect("a core");
    let assemble = |code: &[Instruction]| Arc::new(Program::assemble(core, 0, code).expect("code"));
    let (old, new) = (assemble(&kernel.code), assemble(code));
    let mut random = Random::new(at as u64);
    let mut visits = 0;
    for _ in 0..12 {
        let mut machine = Machine::new(old.clone(), Concrete::<u8>::new());
        machine.set_strict(false);
        machine.memory = Memory::new(core.sram.clone(), 0);
        machine.memory.own("all", core.sram.start..core.sram.end, Access::Store).expect("memory");
        for address in core.sram.clone() {
            let byte = [0, 0xff, 0x80, 1, 0xff, random.index(256) as u8][random.index(6)];
            machine.memory.fill(address, &[byte]).expect("memory");
        }
        for (argument, register) in (0..).zip(AVR_GCC.arguments) {
            machine.set_pair(register, core.sram.start as u16 + 8 + 32 * argument);
        }
        machine.set_register(1, 0);
        // as the convention has it, but the last cells belong to the return address
        let top = core.sram.end as u16 - 1;
        machine.set_sp(top);
        machine.enter(0).ok()?;
        loop {
            if machine.pc() == at as u32 {
                visits += 1;
                if !agree(&machine, &new, live) {
                    return None;
                }
            }
            if machine.step().ok()? == Control::Return {
                break;
            }
        }
    }
    Some(visits)
}

/// One step of either program from the same state.
fn agree(before: &Machine<Concrete<u8>>, new: &Arc<Program>, live: Set) -> bool {
    let mut old = before.clone();
    let mut other = Machine::new(new.clone(), Concrete::<u8>::new());
    other.set_strict(false);
    other.memory = before.memory.clone();
    for register in 0..32 {
        other.set_register(register, *before.register(register));
    }
    for number in flag::C..=flag::I {
        other.set_flag(number, *before.flag(number));
    }
    other.set_sp(before.sp());
    other.set_pc(before.pc());
    if (old.step(), other.step()) != (Ok(Control::Continue), Ok(Control::Continue)) {
        return false;
    }
    let registers = (0..32u8).all(|one| live >> one & 1 == 0 || old.register(one) == other.register(one));
    let flags = (0..8usize).all(|one| live >> (32 + one) & 1 == 0 || old.flag(one) == other.flag(one));
    let memory = old.memory.defined().all(|address| old.memory.peek(address) == other.memory.peek(address));
    registers && flags && memory && (old.pc(), old.sp()) == (other.pc(), other.sp())
}

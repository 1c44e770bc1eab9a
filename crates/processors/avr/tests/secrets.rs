//! The same meaning over a second domain: values that are known or secret. Addresses, branches and the
//! return must not depend on a secret; data may.

use rhomb_avr::cores::core;
use rhomb_avr::instructions::{Instruction, Op};
use rhomb_avr::{Machine, Program};
use rhomb_machine::{Access, Concrete, Domain, Fault, Processor};
use std::sync::Arc;

/// `None` is secret. What depends on a secret is secret.
#[derive(Clone, Default)]
struct Secrets(Concrete<u8>);

impl Domain for Secrets {
    type Word = Option<u8>;
    type Bit = Option<bool>;

    fn word(&mut self, value: u64) -> Option<u8> {
        Some(value as u8)
    }
    fn bit(&mut self, value: bool) -> Option<bool> {
        Some(value)
    }
    fn known_word(&self, word: &Option<u8>) -> Option<u64> {
        word.map(u64::from)
    }
    fn known_bit(&self, bit: &Option<bool>) -> Option<bool> {
        *bit
    }
    fn add(&mut self, x: &Option<u8>, y: &Option<u8>, carry: &Option<bool>) -> (Option<u8>, Option<bool>) {
        match (x, y, carry) {
            (Some(x), Some(y), Some(carry)) => {
                let (sum, carry) = self.0.add(x, y, carry);
                (Some(sum), Some(carry))
            }
            _ => (None, None),
        }
    }
    fn sub(&mut self, x: &Option<u8>, y: &Option<u8>, borrow: &Option<bool>) -> (Option<u8>, Option<bool>) {
        match (x, y, borrow) {
            (Some(x), Some(y), Some(borrow)) => {
                let (difference, borrow) = self.0.sub(x, y, borrow);
                (Some(difference), Some(borrow))
            }
            _ => (None, None),
        }
    }
    fn mul(&mut self, x: &Option<u8>, y: &Option<u8>) -> (Option<u8>, Option<u8>) {
        match (x, y) {
            (Some(x), Some(y)) => {
                let (low, high) = self.0.mul(x, y);
                (Some(low), Some(high))
            }
            _ => (None, None),
        }
    }
    fn and(&mut self, x: &Option<u8>, y: &Option<u8>) -> Option<u8> {
        Some((*x)? & (*y)?)
    }
    fn or(&mut self, x: &Option<u8>, y: &Option<u8>) -> Option<u8> {
        Some((*x)? | (*y)?)
    }
    fn xor(&mut self, x: &Option<u8>, y: &Option<u8>) -> Option<u8> {
        Some((*x)? ^ (*y)?)
    }
    fn shift_right(&mut self, x: &Option<u8>, top: &Option<bool>) -> (Option<u8>, Option<bool>) {
        match (x, top) {
            (Some(x), Some(top)) => {
                let (word, bit) = self.0.shift_right(x, top);
                (Some(word), Some(bit))
            }
            _ => (None, None),
        }
    }
    fn rotate_left(&mut self, x: &Option<u8>, places: u32) -> Option<u8> {
        Some(x.as_ref()?.rotate_left(places))
    }
    fn bit_of(&mut self, x: &Option<u8>, place: u32) -> Option<bool> {
        Some((*x)? >> place & 1 != 0)
    }
    fn with_bit(&mut self, x: &Option<u8>, place: u32, bit: &Option<bool>) -> Option<u8> {
        Some(self.0.with_bit(x.as_ref()?, place, bit.as_ref()?))
    }
    fn is_zero(&mut self, x: &Option<u8>) -> Option<bool> {
        Some((*x)? == 0)
    }
    fn carry_into(
        &mut self,
        place: u32,
        x: &Option<u8>,
        y: &Option<u8>,
        result: &Option<u8>,
    ) -> Option<bool> {
        Some(self.0.carry_into(place, x.as_ref()?, y.as_ref()?, result.as_ref()?))
    }
    fn select(&mut self, bit: &Option<bool>, x: &Option<u8>, y: &Option<u8>) -> Option<u8> {
        if (*bit)? { *x } else { *y }
    }
    fn bit_and(&mut self, x: &Option<bool>, y: &Option<bool>) -> Option<bool> {
        Some((*x)? & (*y)?)
    }
    fn bit_or(&mut self, x: &Option<bool>, y: &Option<bool>) -> Option<bool> {
        Some((*x)? | (*y)?)
    }
    fn bit_xor(&mut self, x: &Option<bool>, y: &Option<bool>) -> Option<bool> {
        Some((*x)? ^ (*y)?)
    }
    fn bit_not(&mut self, x: &Option<bool>) -> Option<bool> {
        x.map(|x| !x)
    }
    fn arbitrary(&mut self) -> Option<u8> {
        None
    }
    fn same(&self, x: &Option<u8>, y: &Option<u8>) -> bool {
        x.is_some() && x == y
    }
    fn bits(&self) -> u32 {
        8
    }
}

/// A machine with R4 secret, R5 = 5 and X, Y, Z at 0x200.
fn machine(code: &[Instruction]) -> Machine<Secrets> {
    let program = Program::assemble(core("atmega2560").unwrap(), 0, code).unwrap();
    let mut machine = Machine::new(Arc::new(program), Secrets::default());
    machine.set_sreg(0);
    machine.memory.own("data", 0x200..0x300, Access::Store).unwrap();
    machine.memory.fill(0x200, &[Some(7); 0x80]).unwrap();
    for number in 0..32 {
        machine.set_register(number, Some(number));
    }
    for low in [26, 28, 30] {
        machine.set_pair(low, 0x200);
    }
    machine.set_register(4, None);
    machine.set_sp(0x2ff);
    machine
}

fn fault(code: &[Instruction]) -> Fault {
    let mut machine = machine(code);
    loop {
        if let Err(fault) = machine.step() {
            return fault;
        }
    }
}

#[test]
fn secret_addresses_and_branches_are_faults() {
    let secret = |code: &[Instruction], what: &str| {
        assert_eq!(fault(code), Fault::Secret { what: what.to_owned() });
    };
    let mov = |d| Instruction::dr(Op::Mov, d, 4);
    secret(&[mov(26), Instruction::dk(Op::LdX, 0, 0)], "the address in X");
    secret(&[mov(29), Instruction::rk(Op::StdY, 0, 1)], "the address in Y");
    secret(&[mov(30), Instruction::dk(Op::LpmZ, 0, 0)], "the address in Z");
    secret(&[mov(30), Instruction::new(Op::Ijmp)], "the address in Z");
    let branch = Instruction { b: 0, k: 1, ..Instruction::new(Op::Brbs) };
    secret(&[Instruction::dr(Op::Add, 5, 4), branch], "the branch brbs 0, .+2");
    secret(&[Instruction::dr(Op::Cpse, 5, 4)], "the branch cpse r5, r4");
    secret(&[Instruction { r: 4, b: 2, ..Instruction::new(Op::Sbrc) }], "the branch sbrc r4, 2");
    secret(&[Instruction::rk(Op::Out, 4, 0x3d)], "the stack pointer");
    secret(&[Instruction::rk(Op::Out, 4, 0x3b)], "RAMPZ");
    let push = Instruction::rk(Op::Push, 4, 0);
    secret(&[push, push, push, Instruction::new(Op::Ret)], "the return address");
}

#[test]
fn secret_data_flows_and_a_refused_branch_changes_nothing() {
    let branch = Instruction { b: 1, k: 1, ..Instruction::new(Op::Brbs) };
    let code = [
        Instruction::dr(Op::Mul, 4, 5),
        Instruction::rk(Op::StXInc, 0, 0),
        Instruction::dk(Op::LddY, 6, 0),
        Instruction::dk(Op::LddY, 7, 1),
        // masks what was secret: the flags know it again
        Instruction::dr(Op::Sub, 7, 7),
        branch,
    ];
    let mut m = machine(&code);
    for _ in 0..4 {
        m.step().unwrap();
    }
    assert_eq!((*m.register(6), *m.register(7)), (None, Some(7)));
    m.step().unwrap();
    m.step().unwrap();
    assert_eq!((m.pc(), m.cycles()), (7, 2 + 2 + 2 + 2 + 1 + 2));

    let mut m = machine(&[Instruction::dr(Op::And, 5, 4), branch]);
    m.step().unwrap();
    let before = (m.pc(), m.sp(), m.cycles(), *m.register(5));
    m.step().unwrap_err();
    assert_eq!((m.pc(), m.sp(), m.cycles(), *m.register(5)), before);
    // whoever knows the answer decides and goes on
    m.set_flag(1, Some(true));
    m.step().unwrap();
    assert_eq!(m.pc(), 3);
}

//! What depends on where the caller put things is not proved: buffers, stack and return address may lie
//! anywhere, and the caller's state is not the routine's to change.

use rhomb_avr::instructions::{Instruction, Op, flag};
use rhomb_avr::{Function, Program, conventions::AVR_GCC, cores::core};
use rhomb_certificate::{Contract, check};
use rhomb_prove::prove;
use std::sync::Arc;

const X: u8 = 26;
const Y: u8 = 28;
const Z: u8 = 30;
const R: u8 = 24;
const A: u8 = 22;
const B: u8 = 20;
const SPL: i32 = 0x3d;
const SPH: i32 = 0x3e;
const SREG: i32 = 0x3f;

fn dr(op: Op, d: u8, r: u8) -> Instruction {
    Instruction::dr(op, d, r)
}

fn dk(op: Op, d: u8, k: i32) -> Instruction {
    Instruction::dk(op, d, k)
}

fn rk(op: Op, r: u8, k: i32) -> Instruction {
    Instruction::rk(op, r, k)
}

fn bit(op: Op, b: usize) -> Instruction {
    Instruction { b: b as u8, ..Instruction::new(op) }
}

/// `a` and `b` to R18 and R19.
fn operands() -> Vec<Instruction> {
    vec![dr(Op::Movw, X, A), dk(Op::LdX, 18, 0), dr(Op::Movw, X, B), dk(Op::LdX, 19, 0)]
}

/// R18 times R19 to `r`, and back to the caller.
fn product() -> Vec<Instruction> {
    vec![
        dr(Op::Mul, 18, 19),
        dr(Op::Movw, X, R),
        rk(Op::StXInc, 0, 0),
        rk(Op::StX, 1, 0),
        dr(Op::Eor, 1, 1),
        Instruction::new(Op::Ret),
    ]
}

fn outcome(contract: &str, code: &[Instruction]) -> Result<(), String> {
    let core = core("atmega128").unwrap();
    let program = Arc::new(Program::assemble(core, 0, code).unwrap());
    let function = Function { program, entry: 0, convention: &AVR_GCC, stack_limit: 16, step_limit: 1000 };
    let contract: Contract = contract.parse().unwrap();
    let certificate = prove(&function, &contract).map_err(|error| format!("{error} {error:?}"))?;
    check(&function, &certificate).map(|_| ()).map_err(|error| error.to_string())
}

fn refused(contract: &str, parts: &[&[Instruction]]) {
    let code = parts.concat();
    let text: Vec<String> = code.iter().map(rhomb_avr::syntax::gnu::instruction).collect();
    match outcome(contract, &code) {
        Ok(()) => panic!("proved:\n{}", text.join("\n")),
        Err(error) => println!("{error}"),
    }
}

#[test]
fn the_kernel_that_the_others_are_made_from_is_proved() {
    outcome("mul 8", &[operands(), product()].concat()).unwrap();
}

#[test]
fn an_absolute_address_is_no_address_of_a_buffer() {
    let mut code = operands();
    // where a lies in the prover's memory
    code[1] = dk(Op::Lds, 18, 0x10c);
    refused("mul 8", &[&code, &product()]);
    let constant = [dk(Op::Ldi, X, 0x0c), dk(Op::Ldi, X + 1, 1), dk(Op::LdX, 18, 0)];
    refused("mul 8", &[&operands(), &constant, &product()]);
}

#[test]
fn an_absolute_address_is_no_address_of_the_stack() {
    let parked = [rk(Op::Push, 18, 0), dk(Op::Lds, 18, 0x10fd), dk(Op::Pop, 0, 0)];
    refused("mul 8", &[&operands(), &parked, &product()]);
}

#[test]
fn no_buffer_is_reached_from_another() {
    let mut code = operands();
    // a lies 7 bytes behind r in the prover's memory
    code.splice(0..1, [dr(Op::Movw, X, R), dk(Op::Adiw, X, 7)]);
    refused("mul 8", &[&code, &product()]);
}

#[test]
fn no_register_is_reached_from_a_buffer() {
    let mut code = operands();
    // b - 256 is the address of R18 in the prover's memory
    code.extend([dk(Op::Subi, X, 0), dk(Op::Sbci, X + 1, 1), dk(Op::LdX, 18, 0)]);
    refused("mul 8", &[&code, &product()]);
}

#[test]
fn the_stack_is_not_reached_from_a_buffer() {
    let mut code = operands();
    // from b to the pushed byte
    code.extend([
        rk(Op::Push, 18, 0),
        dk(Op::Subi, X, 0x12 + 256 - 0xfd),
        dk(Op::Sbci, X + 1, 1 + 255 - 0x10),
        dk(Op::LdX, 18, 0),
        dk(Op::Pop, 0, 0),
    ]);
    refused("mul 8", &[&code, &product()]);
}

#[test]
fn a_borrow_is_not_added_to_an_address() {
    // right unless the low byte of a is 0
    let wrong = [dr(Op::Movw, X, A), dk(Op::Subi, X, 1), dr(Op::Adc, X + 1, 1), dk(Op::Adiw, X, 1)];
    refused("mul 8", &[&operands(), &wrong, &[dk(Op::LdX, 18, 0)], &product()]);
}

#[test]
fn a_carry_is_not_subtracted_from_an_address() {
    // right unless the low byte of a is 255
    let wrong = [dr(Op::Movw, X, A), dk(Op::Ldi, 18, 1), dr(Op::Add, X, 18), dr(Op::Sbc, X + 1, 1)];
    refused("mul 8", &[&operands(), &wrong, &[dk(Op::Sbiw, X, 1), dk(Op::LdX, 18, 0)], &product()]);
}

#[test]
fn only_the_low_byte_of_an_address_moved_is_no_address() {
    for code in [
        vec![dk(Op::Inc, X, 0), dk(Op::Dec, X + 1, 0), dk(Op::Inc, X + 1, 0), dk(Op::LdXDec, 18, 0)],
        vec![dk(Op::Subi, X, 255), dk(Op::LdXDec, 18, 0)],
    ] {
        refused("mul 8", &[&operands(), &[dr(Op::Movw, X, A)], &code, &product()]);
    }
}

#[test]
fn the_stack_pointer_is_no_constant() {
    // 0xfd at the entry, in the prover's memory
    let zero = [dk(Op::In, 0, SPL), dr(Op::Mov, 25, 25), dk(Op::Ldi, 30, 3), dr(Op::Add, 30, 0)];
    refused("mul 8", &[&operands(), &zero, &[dr(Op::Add, 18, 30)], &product()]);
}

/// A frame of 4 bytes; `adjust` takes Y down.
fn frame(adjust: &[Instruction]) -> Vec<Instruction> {
    let start = [rk(Op::Push, Y, 0), rk(Op::Push, Y + 1, 0), dk(Op::In, Y, SPL), dk(Op::In, Y + 1, SPH)];
    let set = [
        dk(Op::In, 0, SREG),
        bit(Op::Bclr, flag::I),
        rk(Op::Out, Y + 1, SPH),
        rk(Op::Out, 0, SREG),
        rk(Op::Out, Y, SPL),
    ];
    let used = [rk(Op::StdY, 18, 1), dk(Op::LddY, 18, 1)];
    let end = [dk(Op::Pop, Y + 1, 0), dk(Op::Pop, Y, 0)];
    [&start, adjust, &set, &used, &[dk(Op::Adiw, Y, 4)], &set, &end].concat()
}

#[test]
fn a_frame_on_the_stack_is_proved() {
    outcome("mul 8", &[operands(), frame(&[dk(Op::Sbiw, Y, 4)]), product()].concat()).unwrap();
}

#[test]
fn a_stack_pointer_moved_in_its_low_byte_only_is_not_proved() {
    refused("mul 8", &[&operands(), &frame(&[dk(Op::Subi, Y, 4)]), &product()]);
}

#[test]
fn nothing_is_kept_below_the_stack_pointer() {
    let below = [dk(Op::In, Z, SPL), dk(Op::In, Z + 1, SPH), rk(Op::StZDec, 18, 0), dk(Op::LddZ, 18, 1)];
    refused("mul 8", &[&operands(), &below, &product()]);
    refused(
        "mul 8",
        &[
            &operands(),
            &[rk(Op::Push, 18, 0), dk(Op::Pop, 0, 0)],
            &below[..2],
            &[dk(Op::LddZ, 18, 0)],
            &product(),
        ],
    );
}

#[test]
fn interrupts_are_off_while_the_stack_pointer_moves_and_back_after() {
    let mut open = frame(&[dk(Op::Sbiw, Y, 4)]);
    open.retain(|instruction| instruction.op != Op::Bclr);
    refused("mul 8", &[&operands(), &open, &product()]);
}

#[test]
fn the_interrupt_flag_is_as_it_was() {
    for op in [Op::Bclr, Op::Bset] {
        refused("mul 8", &[&operands(), &[bit(op, flag::I)], &product()]);
    }
    let lost = [dk(Op::Ldi, 30, 0), rk(Op::Out, 30, SREG)];
    refused("mul 8", &[&operands(), &lost, &product()]);
}

#[test]
fn the_return_address_is_no_constant() {
    let read = [
        dk(Op::In, Z, SPL),
        dk(Op::In, Z + 1, SPH),
        dk(Op::LddZ, 0, 1),
        dk(Op::Com, 0, 0),
        dr(Op::Add, 18, 0),
    ];
    refused("mul 8", &[&operands(), &read, &product()]);
}

#[test]
fn ports_are_not_written() {
    // PORTB
    refused("mul 8", &[&operands(), &[rk(Op::Out, 18, 0x18)], &product()]);
    refused("mul 8", &[&operands(), &[rk(Op::Sts, 18, 0x38)], &product()]);
}

#[test]
fn program_memory_is_not_read_at_the_address_of_a_buffer() {
    let mut code = vec![dr(Op::Movw, Z, R), dk(Op::LpmZ, 30, 0), dr(Op::Mov, 31, 30)];
    code.extend([dk(Op::Subi, 30, 0), dr(Op::Sub, 31, 30)]);
    let mut long = [operands(), code, vec![dr(Op::Add, 18, 31)], product()].concat();
    long.extend([Instruction::new(Op::Nop); 256]);
    refused("mul 8", &[&long]);
}

#[test]
fn program_memory_is_not_entered_at_the_address_of_a_buffer() {
    // r lies at 0x105 in the prover's memory
    let mut code = [operands(), vec![dr(Op::Movw, Z, R), Instruction::new(Op::Ijmp)]].concat();
    code.resize(0x105, Instruction::new(Op::Nop));
    code.extend(product());
    refused("mul 8", &[&code]);
}

/// `r = a + b`, and something that is 0 unless both operands lie in the place of the result.
#[test]
fn a_sum_of_a_number_with_itself_in_its_own_place_is_a_case_of_its_own() {
    let code = [
        vec![dr(Op::Movw, X, R), dr(Op::Movw, Y, A), dr(Op::Movw, Z, B)],
        vec![dk(Op::LddY, 18, 0), dk(Op::LddZ, 19, 0), dr(Op::Mov, 20, 18), dr(Op::Add, 20, 19)],
        vec![dr(Op::Eor, 25, 25), dr(Op::Sbc, 25, 25), rk(Op::StX, 20, 0)],
        vec![dk(Op::LddY, 21, 0), dk(Op::LddZ, 22, 0), dr(Op::Sub, 21, 18), dr(Op::Sub, 22, 19)],
        vec![dr(Op::Mul, 21, 22), dr(Op::Add, 20, 0), rk(Op::StX, 20, 0), dr(Op::Eor, 1, 1)],
        vec![dr(Op::Mov, 24, 25), dk(Op::Neg, 24, 0)],
    ]
    .concat();
    let saved = [rk(Op::Push, Y, 0), rk(Op::Push, Y + 1, 0)];
    let restored = [dk(Op::Pop, Y + 1, 0), dk(Op::Pop, Y, 0), Instruction::new(Op::Ret)];
    refused("add 8", &[&saved, &code, &restored]);
}

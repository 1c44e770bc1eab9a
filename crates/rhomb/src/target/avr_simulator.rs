//! Calls of AVR routines in the simulator.

use super::avr_layout::Layout;
use super::{Call, Mix, Run, Simulator};
use rhomb_avr::conventions::Convention;
use rhomb_avr::instructions::{Class, Instruction};
use rhomb_avr::{Machine, Program};
use rhomb_machine::{Access, Concrete, Control, Memory, Processor};
use std::sync::Arc;

/// No routine worth a wait executes more instructions.
const MOST_STEPS: u64 = 300_000_000;

/// Whether the registers to preserve have values in this call; in every other one they are left
/// undefined, so that using one without saving it is a fault.
fn plants(call: &Call) -> bool {
    call.number & 1 == 0
}

/// Value of a register that a routine must preserve; another one in each register and call.
fn planted(register: u8, number: usize) -> u8 {
    (number as u8).wrapping_mul(37).wrapping_add(register.wrapping_mul(11)) ^ 0x5a
}

pub(super) struct AvrSimulator {
    machine: Machine<Concrete<u8>>,
    convention: &'static Convention,
    entry: u32,
    /// By word of the program: what the routine's instruction there counts as.
    class: Vec<Place>,
    /// By word of the program: how often it was executed.
    visits: Vec<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Saves and restores.
    Frame,
    /// Body of the routine, and whatever it calls.
    Body(Class),
}

impl AvrSimulator {
    /// `instructions` are those of the routine, which starts at the first of them.
    pub(super) fn new(
        program: Program,
        instructions: &[(u32, Instruction)],
        convention: &'static Convention,
    ) -> Self {
        let plain: Vec<Instruction> = instructions.iter().map(|(_, instruction)| *instruction).collect();
        let layout = Layout::of(&plain, convention.zero);
        let origin = program.origin();
        let words = program.words().len();
        // words outside the routine: what it calls
        let mut class: Vec<Place> = (origin..)
            .take(words)
            .map(|address| match program.instruction(address) {
                Ok((instruction, _)) => Place::Body(instruction.op.row().class),
                Err(_) => Place::Body(Class::Other),
            })
            .collect();
        for (index, (address, _)) in instructions.iter().enumerate() {
            if !layout.body.contains(&index) {
                class[(address - origin) as usize] = Place::Frame;
            }
        }
        AvrSimulator {
            entry: instructions.first().map_or(origin, |(address, _)| *address),
            machine: Machine::new(Arc::new(program), Concrete::new()),
            convention,
            visits: vec![0; words],
            class,
        }
    }

    fn set_up(&mut self, call: &Call) -> Result<(), rhomb_machine::Fault> {
        let machine = &mut self.machine;
        let core = machine.program().core();
        machine.memory = Memory::new(core.sram.clone(), 0);
        machine.reset();
        for (buffer, low) in call.arguments.iter().zip(self.convention.arguments) {
            let range = buffer.address..buffer.address + buffer.length as u32;
            match &buffer.value {
                Some(value) => {
                    machine.memory.own(buffer.name, range, Access::Load)?;
                    machine.memory.fill(buffer.address, value)?;
                }
                None => machine.memory.own(buffer.name, range, Access::Store)?,
            }
            machine.set_pair(low, buffer.address as u16);
        }
        if let Some(zero) = self.convention.zero {
            machine.set_register(zero, 0);
        }
        if plants(call) {
            for register in (0..32).filter(|register| self.convention.saved >> register & 1 != 0) {
                machine.set_register(register, planted(register, call.number));
            }
        }
        machine.enter(self.entry)?;
        machine.memory.own("stack", call.stack..u32::from(machine.sp()) + 1, Access::Store)
    }

    fn preserved(&self, call: &Call) -> Result<(), String> {
        let machine = &self.machine;
        for register in (0..32u8).filter(|register| self.convention.saved >> register & 1 != 0) {
            let expected = plants(call).then(|| planted(register, call.number));
            let found = machine.is_defined(register).then(|| *machine.register(register));
            if expected != found {
                return Err(format!("r{register}, which a routine must preserve, is changed on return"));
            }
        }
        match self.convention.zero {
            Some(zero) if *machine.register(zero) != 0 => {
                Err(format!("r{zero} is {} on return; the convention wants 0", machine.register(zero)))
            }
            _ => Ok(()),
        }
    }
}

impl Simulator for AvrSimulator {
    fn call(&mut self, call: &Call) -> Result<Run, String> {
        self.set_up(call).map_err(|fault| fault.to_string())?;
        self.visits.fill(0);
        let origin = self.machine.program().origin();
        let entry_sp = self.machine.sp();
        let (mut lowest_sp, mut frame_cycles) = (entry_sp, 0);
        let mut returned = false;
        for _ in 0..MOST_STEPS {
            let (address, before) = (self.machine.pc(), self.machine.cycles());
            let control = self.machine.step().map_err(|fault| {
                let offset = 2 * i64::from(self.machine.pc()) - 2 * i64::from(self.entry);
                format!("at byte {offset} of the routine: {fault}")
            })?;
            let index = address.wrapping_sub(origin) as usize;
            self.visits[index] += 1;
            if self.class[index] == Place::Frame {
                frame_cycles += self.machine.cycles() - before;
            }
            if control == Control::Return {
                returned = true;
                break;
            }
            lowest_sp = lowest_sp.min(self.machine.sp());
        }
        if !returned {
            return Err(format!("no return within {MOST_STEPS} instructions"));
        }
        self.preserved(call)?;
        let mut mix = Mix::default();
        for (place, visits) in self.class.iter().zip(&self.visits) {
            match place {
                Place::Frame => {}
                Place::Body(Class::Load) => mix.load += visits,
                Place::Body(Class::Store) => mix.store += visits,
                Place::Body(Class::Multiply) => mix.multiply += visits,
                Place::Body(Class::Add) => mix.add += visits,
                Place::Body(Class::Other) => mix.other += visits,
            }
        }
        let mut result = Vec::new();
        for buffer in &call.arguments {
            for (offset, address) in (0..buffer.length).zip(buffer.address..) {
                let byte = self.machine.memory.peek(address);
                match (byte, &buffer.value) {
                    (Some(byte), None) => result.push(*byte),
                    (Some(byte), Some(value)) if *byte == value[offset] => {}
                    (None, _) => return Err(format!("byte {offset} of {} is never written", buffer.name)),
                    (Some(_), Some(_)) => return Err(format!("operand {} is changed", buffer.name)),
                }
            }
        }
        let function_cycles = self.machine.cycles();
        Ok(Run {
            function_cycles,
            body_cycles: function_cycles - frame_cycles,
            mix,
            stack_bytes: u32::from(entry_sp - lowest_sp),
            result,
        })
    }
}

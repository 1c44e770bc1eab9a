//! The AVR cores as targets.

mod trails;

use super::called::called;
use super::common::{self, alone, found, halves, not_found, of_routines, other, read_back};
use super::description::{self, Description};
use super::{
    Assembled, CDialect, Code, Guard, LowerFault, MOST_STEPS, Making, Named, ObjectCode, Product, Routine,
    Static, Target,
};
use crate::error::{Error, shown};
use crate::subject::Subject;
use rhomb_avr::conventions::{CONVENTIONS, Convention, convention};
use rhomb_avr::cores::{CORES, Core};
use rhomb_avr::decode::decode;
use rhomb_avr::instructions::{Instruction, Op};
use rhomb_avr::layout::{Layout, register_list};
use rhomb_avr::link::{LinkError, link};
use rhomb_avr::lower::{self, Array, Limits, LowerError};
use rhomb_avr::syntax::{self, DIALECTS, dialect};
use rhomb_avr::{Cause, Function, Program, ProgramError};
use rhomb_field::program::Program as Calls;
use rhomb_kernel::split::Pairs;
use rhomb_kernel::{Floor, Task};
use rhomb_line::Line;
use rhomb_machine::Assuming;
use rhomb_object::{Kind, Machine, ObjectFile};
use std::sync::{Arc, LazyLock};

/// An AVR core.
pub(super) struct Avr {
    core: &'static Core,
    description: Description,
}

pub(super) static TARGETS: LazyLock<Vec<Avr>> =
    LazyLock::new(|| CORES.iter().map(|core| Avr::of(core)).collect());

/// In the order of the arguments.
const ON_X: [Named; 3] = [
    Named { name: "result", summary: "the result" },
    Named { name: "a", summary: "the first operand" },
    Named { name: "b", summary: "the second operand" },
];

/// The array of that name.
fn on_x(name: Option<&str>) -> Option<Array> {
    let place = ON_X.iter().position(|array| Some(array.name) == name)?;
    Array::ARGUMENTS.get(place).copied()
}

fn fault(error: LowerError) -> LowerFault {
    match error {
        LowerError::NoMultiplier { .. } => LowerFault::NoMultiplier,
        LowerError::Registers { .. } => LowerFault::Registers(error.to_string()),
        LowerError::Scanned | LowerError::Unmade { .. } => LowerFault::Unmade(error.to_string()),
        LowerError::Pointers | LowerError::Loops | LowerError::Accumulate(_) | LowerError::Count { .. } => {
            LowerFault::Other(error.to_string())
        }
        LowerError::Trail(error) => trails::fault(error),
    }
}

impl Avr {
    /// The core with what is known of it.
    fn of(core: &'static Core) -> Self {
        let has_multiplier = core.has(Op::Mul);
        let c = |convention: &str| match convention {
            // 16 bits in every memory model (CAVR-4, chapter Data storage)
            "iar" => CDialect { pointed: "__near ", compiler: Some("__ICCAVR__") },
            "crossworks" => CDialect { compiler: Some("__CROSSWORKS_AVR"), ..CDialect::PLAIN },
            _ => CDialect::PLAIN,
        };
        // clang knows the processor, and not what it has
        let guard = match has_multiplier {
            true => Guard {
                expression: "defined(__AVR__) && (defined(__AVR_HAVE_MUL__) || defined(__clang__))",
                needs: "an AVR with the instruction MUL: avr-gcc -mmcu=atmega128",
            },
            false => Guard {
                expression: "defined(__AVR__) && (defined(__AVR_HAVE_MOVW__) || defined(__clang__))",
                needs: "an AVR with the instruction MOVW: avr-gcc -mmcu=attiny85",
            },
        };
        let description = Description {
            name: core.name,
            summary: core.description,
            about: None,
            processor: "AVR",
            has_multiplier,
            has_carry: true,
            word_bits: 8,
            flash_bytes: core.flash_bytes.into(),
            ram: core.sram.clone(),
            return_bytes: core.return_bytes,
            conventions: CONVENTIONS
                .iter()
                .map(|own| description::Convention {
                    named: Named { name: own.name, summary: own.summary },
                    is_experimental: own.experimental,
                    syntax: own.syntax,
                    c: c(own.name),
                    general_registers: lower::general_registers(own),
                })
                .collect(),
            syntaxes: description::syntaxes(DIALECTS),
            guard: Some(guard),
            suffix: None,
            compile_command: "avr-gcc -c FILE.S".to_owned(),
            accumulations: &[],
            on_x: &ON_X,
            columns_wait: false,
            pairs: Pairs::Subtractive,
            proved_soon: &[(32, 2), (128, 4), (256, 5)],
        };
        Avr { core, description }
    }

    pub(super) fn program(&self, code: &Code) -> Program {
        Program::placed(self.core, code.origin / 2, &halves(code), code.placement.clone())
    }

    fn convention(&self, name: &str) -> Result<&'static Convention, String> {
        convention(name).ok_or_else(|| format!("AVR has no convention '{name}'"))
    }

    fn function(&self, program: Program, entry: u32, convention: &'static Convention) -> Function {
        Function {
            program: Arc::new(program),
            entry,
            convention,
            stack_limit: self.core.sram.len() as u32,
            step_limit: MOST_STEPS,
        }
    }

    /// The machine code.
    fn assembled(&self, instructions: &[Instruction]) -> Result<(Program, Code), LowerFault> {
        let program = Program::assemble(self.core, 0, instructions).map_err(other)?;
        let bytes: Vec<u8> = program.words().iter().flat_map(|word| word.to_le_bytes()).collect();
        let code = alone(bytes);
        Ok((program, code))
    }

    /// The routine's instructions, without the data among them.
    fn instructions(&self, code: &Code) -> Result<Vec<Instruction>, String> {
        let all = instructions(&self.program(code), code)?;
        Ok(all.into_iter().map(|(_, instruction)| instruction).collect())
    }

    /// Cycles of a straight line.
    fn cycles<'a>(&self, code: impl IntoIterator<Item = &'a Instruction>) -> u64 {
        let mut times = [None; 256];
        let mut time = |op: Op| {
            *times[op as usize]
                .get_or_insert_with(|| self.core.cycles(op).map_or(0, |cycles| u64::from(cycles.plain)))
        };
        code.into_iter().map(|instruction| time(instruction.op)).sum()
    }
}

impl Target for Avr {
    fn description(&self) -> &Description {
        &self.description
    }

    fn is_reserved(&self, name: &str, syntax: &str) -> bool {
        dialect(syntax).is_some_and(|dialect| dialect.is_reserved(name))
    }

    fn floor_cycles(&self, floor: &Floor) -> Option<u64> {
        let each = |op: Op, count: usize| {
            self.core.cycles(op).ok().map(|cycles| u64::from(cycles.plain) * count as u64)
        };
        let products = each(Op::Mul, floor.multiplications)?;
        let memory = each(Op::LdXInc, floor.loads)? + each(Op::StXInc, floor.stores)?;
        Some(products + memory + each(Op::Adc, floor.additions)?)
    }

    fn routine(&self, task: &Task, making: &Making<'_>) -> Result<Routine, LowerFault> {
        let trail = making.trail.map(trails::read).transpose()?;
        let limits = Limits {
            registers: making.registers.unwrap_or(usize::MAX),
            on_x: on_x(making.on_x),
            trail: trail.as_ref(),
        };
        let convention = self.convention(making.convention).map_err(LowerFault::Other)?;
        let kernel = lower::routine_within(task, self.core, convention, &limits).map_err(fault)?;
        let (program, code) = self.assembled(&kernel.program)?;
        let layout = Layout::of(&kernel.program, convention.zero);
        let (body_cycles, function_cycles, stack_bytes) = match kernel.cycles {
            Some(cycles) => {
                // the frame is executed once
                let body = &kernel.program[layout.body.clone()];
                let body_cycles = cycles + self.cycles(body) - self.cycles(&kernel.program);
                (body_cycles, cycles, kernel.saves.len())
            }
            None => {
                let called = called::<u8>(&self.function(program, 0, convention), task).map_err(other)?;
                (called.body_cycles, called.function_cycles, called.stack_bytes)
            }
        };
        let schedule = kernel.schedule;
        Ok(Routine { body_cycles, function_cycles, stack_bytes, code, schedule, accumulation: None })
    }

    fn has_trails(&self) -> bool {
        self.core.has(Op::Mul)
    }

    fn trail(&self, task: &Task) -> Result<String, LowerFault> {
        trails::first(task)
    }

    fn search(&self, task: &Task, trail: &str, number: u32) -> Result<Option<String>, LowerFault> {
        trails::search(task, trail, number)
    }

    fn line(&self, line: &Line, product: Option<&Product>, convention: &str) -> Result<Code, LowerFault> {
        let convention = self.convention(convention).map_err(LowerFault::Other)?;
        let kernel = match product {
            None => lower::line(line, self.core, convention),
            Some(Product { task, of_one, on_x: array, .. }) => {
                let limits = Limits { on_x: on_x(*array), ..Limits::NONE };
                let product = |inner: &Convention| lower::routine_within(task, self.core, inner, &limits);
                lower::after_product(line, (product, *of_one), self.core, convention)
            }
        };
        Ok(self.assembled(&kernel.map_err(fault)?.program)?.1)
    }

    fn program(
        &self,
        program: &Calls,
        routines: &[Code],
        (convention, _): (&str, bool),
    ) -> Result<Code, LowerFault> {
        let convention = self.convention(convention).map_err(LowerFault::Other)?;
        let made = of_routines(
            routines,
            |code| self.instructions(code),
            |routines| lower::program(program, routines, self.core, convention).map_err(fault),
        )?;
        Ok(self.assembled(&made)?.1)
    }

    fn assembly(&self, code: &Code, name: &str, syntax: &str) -> Result<String, String> {
        let dialect = dialect(syntax).ok_or_else(|| format!("AVR has no syntax '{syntax}'"))?;
        let instructions = self.instructions(code)?;
        let origin = word(code, code.routine.start);
        let text =
            syntax::function(dialect, name, origin, &instructions).map_err(|error| error.to_string())?;
        let parsed = syntax::parse(dialect, origin, &text).map(|parsed| parsed.instructions);
        read_back(text, syntax, &instructions, parsed)
    }

    fn assemble(&self, text: &str, syntax: &str) -> Result<Assembled, String> {
        let dialect = dialect(syntax).ok_or_else(|| format!("AVR has no syntax '{syntax}'"))?;
        let parsed = syntax::parse(dialect, 0, text).map_err(|error| error.to_string())?;
        let program =
            Program::assemble(self.core, 0, &parsed.instructions).map_err(|error| error.to_string())?;
        let code = alone(program.words().iter().flat_map(|word| word.to_le_bytes()).collect());
        let addresses = instructions(&program, &code)?.into_iter().map(|(address, _)| 2 * u64::from(address));
        Ok(Assembled { places: parsed.lines.into_iter().zip(addresses).collect(), code })
    }

    fn read(&self, code: &Code) -> Result<Static, String> {
        let instructions = self.instructions(code)?;
        // the zero register's clear stands among the restores and saves nothing
        let layout = Layout::of(&instructions, None);
        let written = instructions.iter().fold(0, |set, one| set | one.registers_written());
        Ok(Static { saved: register_list(layout.saved), written: register_list(written) })
    }

    fn subject_within(&self, code: &Code, convention: &str, steps: u64) -> Result<Box<dyn Subject>, String> {
        let entry = word(code, code.routine.start);
        let function = self.function(self.program(code), entry, self.convention(convention)?);
        Ok(Box::new(Assuming::nothing(Function { step_limit: steps, ..function })))
    }

    fn object_code(&self, file: &ObjectFile<'_>, symbol: &str) -> Result<ObjectCode, Error> {
        let code = found(self, Machine::AVR, (file, symbol), || {
            rhomb_avr::link::flags::check(file.flags(), self.core)
        })?;
        code.section_words().map_err(not_found)?;
        code.words().map_err(not_found)?;
        let linked = link(file, &code).map_err(|error| {
            let hint = match &error {
                LinkError::Elsewhere { .. } | LinkError::Data { .. } | LinkError::Open { .. } => format!(
                    "link it first: avr-gcc -mmcu={} -nostartfiles -Wl,--entry={} -o FILE.elf FILE.o",
                    self.core.mmcu,
                    shown(symbol)
                ),
                _ => "the file is for another core, or damaged".to_owned(),
            };
            Error::request(error, hint)
        })?;
        let mut made = common::linked(linked, &code);
        made.notes.extend(relaxed(&code));
        if !self.core.registers_mapped && !made.code.placement.constants.is_empty() {
            made.notes
                .push("constants are taken to lie in SRAM: in flash their loads take longer".to_owned());
        }
        Ok(made)
    }
}

/// The routine's instructions with their word addresses, without the data among them.
fn instructions(program: &Program, code: &Code) -> Result<Vec<(u32, Instruction)>, String> {
    let (mut address, end) = (word(code, code.routine.start), word(code, code.routine.end));
    let mut list = Vec::with_capacity((end - address) as usize);
    while address < end {
        match program.instruction(address) {
            Ok((instruction, length)) => {
                list.push((address, instruction));
                address += length as u32;
            }
            Err(ProgramError { cause: Cause::Unplaced(_), .. }) => {
                let words = program.words().get((address - program.origin()) as usize..).unwrap_or_default();
                address += decode(words).map_or(1, |(_, length)| length as u32);
            }
            Err(error) => return Err(error.to_string()),
        }
    }
    Ok(list)
}

/// What a linker may do to calls of a file that is prepared for it (`include/elf/avr.h`: EF_AVR_LINKRELAX_PREPARED).
fn relaxed(code: &rhomb_object::Code<'_>) -> Option<String> {
    const PREPARED: u32 = 0x80;
    /// R_AVR_CALL.
    const CALL: u32 = 18;
    let calls = code.relocations().iter().any(|relocation| relocation.kind == CALL);
    (code.kind == Kind::Relocatable && code.flags & PREPARED != 0 && calls)
        .then(|| "with --relax the linker makes CALL and JMP shorter, and faster by a cycle".to_owned())
}

fn word(code: &Code, offset: usize) -> u32 {
    code.origin / 2 + (offset / 2) as u32
}

//! The RISC-V cores as targets.

mod own;

use super::common::{self, alone, found, halves, measured, of_routines, other, read_back};
use super::description::{self, Description};
use super::drafts::{Fields, HINT, encoded, fault};
use super::{
    Assembled, CDialect, Code, FieldRoutine, Guard, LowerFault, MOST_STEPS, Making, Named, ObjectCode,
    Product, Routine, Static, Target,
};
use crate::error::{Error, shown};
use crate::subject::Subject;
use rhomb_certificate::Contract;
use rhomb_field::program::Program as Calls;
use rhomb_kernel::split::Pairs;
use rhomb_kernel::{Floor, Form, Task};
use rhomb_line::Line;
use rhomb_lower::draft::{routine, words};
use rhomb_machine::Assuming;
use rhomb_machine::syntax::{function, parse};
use rhomb_object::{Machine, ObjectFile};
use rhomb_prove::prove;
use rhomb_riscv::conventions::{CONVENTIONS, Convention, ILP32, convention};
use rhomb_riscv::cores::{CORES, Core};
use rhomb_riscv::instructions::{Extension, Instruction, Kind};
use rhomb_riscv::layout::{register_list, saved};
use rhomb_riscv::link::{check, link};
use rhomb_riscv::lower::{self, Context, shortened};
use rhomb_riscv::syntax::gnu::GNU;
use rhomb_riscv::{Cause, Function, Program, ProgramError};
use std::sync::{Arc, LazyLock};

/// A RISC-V core.
pub(super) struct Riscv {
    core: &'static Core,
    description: Description,
}

pub(super) static TARGETS: LazyLock<Vec<Riscv>> = LazyLock::new(|| CORES.iter().map(Riscv::of).collect());

/// Bytes of stack that a routine may use, and of code: a bare core does not say. A jump reaches as far.
const STACK_BYTES: u32 = 1 << 15;
const CODE_BYTES: u64 = 1 << 20;

/// What compilers must be told of a core without short forms, and of one that has them.
const LONG: (Guard, &str) = (
    Guard {
        expression: "defined(__riscv) && __riscv_xlen == 32 && defined(__riscv_mul)",
        needs: "a RISC-V of 32 bits with multiplications, and the ABI ilp32: riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32",
    },
    "riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -c FILE.S",
);
const SHORT: (Guard, &str) = (
    Guard {
        expression: "defined(__riscv) && __riscv_xlen == 32 && defined(__riscv_mul) && defined(__riscv_compressed)",
        needs: "a RISC-V of 32 bits with multiplications and short forms, and the ABI ilp32: riscv64-unknown-elf-gcc -march=rv32imc -mabi=ilp32",
    },
    "riscv64-unknown-elf-gcc -march=rv32imc -mabi=ilp32 -c FILE.S",
);

impl Riscv {
    /// The core with what is known of it.
    fn of(core: &'static Core) -> Self {
        let (guard, compile_command) = if core.has(Extension::C) { SHORT } else { LONG };
        let description = Description {
            name: core.name,
            summary: core.description,
            about: core.about,
            processor: "RISC-V",
            has_multiplier: true,
            has_carry: false,
            word_bits: 32,
            flash_bytes: CODE_BYTES,
            ram: core.ram.clone(),
            // in ra
            return_bytes: 0,
            conventions: CONVENTIONS
                .iter()
                .map(|own| description::Convention {
                    named: Named { name: own.name, summary: own.summary },
                    is_experimental: false,
                    syntax: GNU.name,
                    c: CDialect::PLAIN,
                    general_registers: lower::registers(own).len(),
                })
                .collect(),
            syntaxes: description::syntaxes(&[&GNU]),
            guard: Some(guard),
            suffix: None,
            compile_command: compile_command.to_owned(),
            accumulations: &[],
            on_x: &[],
            columns_wait: true,
            pairs: Pairs::Subtractive,
            proved_soon: &[(16, 3)],
        };
        Riscv { core, description }
    }

    fn program(&self, code: &Code) -> Program {
        Program::placed(self.core, code.origin, &halves(code), code.placement.clone())
    }

    fn convention(&self, name: &str) -> Result<&'static Convention, String> {
        convention(name).ok_or_else(|| format!("RISC-V has no convention '{name}'"))
    }

    fn context(&self, name: &str) -> Result<Context, LowerFault> {
        Ok(Context::of(self.core, self.convention(name).map_err(LowerFault::Other)?))
    }

    fn function(&self, program: Program, entry: u32, convention: &'static Convention) -> Function {
        Function {
            program: Arc::new(program),
            entry,
            convention,
            stack_limit: STACK_BYTES,
            step_limit: MOST_STEPS,
        }
    }

    /// With short forms, where the core has them.
    fn assembled(&self, instructions: &[Instruction]) -> Result<Program, ProgramError> {
        Program::assemble(self.core, 0, &shortened(self.core, instructions))
    }

    /// The machine code.
    fn code(&self, instructions: &[Instruction]) -> Result<Code, ProgramError> {
        let program = self.assembled(instructions)?;
        let bytes: Vec<u8> = program.words().iter().flat_map(|half| half.to_le_bytes()).collect();
        Ok(alone(bytes))
    }

    /// The routine's instructions, without the data among them.
    fn instructions(&self, code: &Code) -> Result<Vec<Instruction>, String> {
        let program = self.program(code);
        let mut all = Vec::new();
        let mut offset = code.routine.start;
        while offset < code.routine.end {
            match program.instruction(code.origin + offset as u32) {
                Ok(one) => {
                    all.push(one);
                    offset += one.bytes() as usize;
                }
                Err(ProgramError { cause: Cause::Unplaced(_), .. }) => offset += 2,
                Err(error) => return Err(error.to_string()),
            }
        }
        Ok(all)
    }
}

impl Target for Riscv {
    fn description(&self) -> &Description {
        &self.description
    }

    fn with_times(&self, text: &str) -> Option<Result<Box<dyn Target>, String>> {
        // the core of a request is there as long as the program
        let of = |core| Box::new(Riscv::of(Box::leak(Box::new(core)))) as Box<dyn Target>;
        (self.core.name == own::NAME).then(|| own::core(text).map(of).map_err(|error| error.to_string()))
    }

    fn is_reserved(&self, name: &str, _: &str) -> bool {
        GNU.is_reserved(name)
    }

    fn floor_cycles(&self, floor: &Floor) -> Option<u64> {
        let cycles = |kind, count: usize| {
            let [least, _] = self.core.timing.times(kind)?;
            Some(u64::from(least.issue) * count as u64)
        };
        let products =
            cycles(Kind::Product, floor.multiplications)? + cycles(Kind::High, floor.multiplications)?;
        let memory = cycles(Kind::Load, floor.loads)? + cycles(Kind::Store, floor.stores)?;
        Some(products + memory + cycles(Kind::Plain, floor.additions)?)
    }

    fn routine(&self, task: &Task, making: &Making<'_>) -> Result<Routine, LowerFault> {
        let convention = self.convention(making.convention).map_err(LowerFault::Other)?;
        let context = Context::of(self.core, convention).within(making.registers.unwrap_or(usize::MAX));
        let kernel = routine(task, &context).map_err(fault)?;
        let code = self.code(&kernel.program).map_err(other)?;
        let function = self.function(self.program(&code), 0, convention);
        measured::<u32>(&function, task, code, kernel.schedule, None)
    }

    fn line(&self, line: &Line, product: Option<&Product>, convention: &str) -> Result<Code, LowerFault> {
        if product.is_some() {
            return Err(LowerFault::Unmade("products before a reduction are made elsewhere".to_owned()));
        }
        let kernel = words(line, None, &self.context(convention)?).map_err(fault)?;
        self.code(&kernel.program).map_err(other)
    }

    fn program(
        &self,
        program: &Calls,
        routines: &[Code],
        (convention, inner): (&str, bool),
    ) -> Result<Code, LowerFault> {
        let convention = self.convention(convention).map_err(LowerFault::Other)?;
        let made = of_routines(
            routines,
            |code| self.instructions(code),
            |routines| lower::program(program, routines, (convention, inner)).map_err(fault),
        )?;
        self.code(&made).map_err(other)
    }

    fn inner(&self, convention: &str) -> Option<&'static str> {
        rhomb_machine::Convention::inner(self.convention(convention).ok()?).map(|own| own.name)
    }

    fn makes_own(&self, contract: &Contract) -> bool {
        Fields(Context::of(self.core, &ILP32)).makes_own(contract)
    }

    fn own_routines(
        &self,
        contract: &Contract,
        form: Option<Form>,
        convention: &str,
    ) -> Result<Vec<FieldRoutine>, Error> {
        let name = contract.operation().name();
        let refused = |fault: &dyn std::fmt::Display| {
            Error::request(format_args!("{name} on {}: {fault}", self.name()), HINT)
        };
        let convention = self.convention(convention).map_err(|fault| refused(&fault))?;
        let fields = Fields(Context::of(self.core, convention));
        let is_proved = |program: &[Instruction]| {
            self.assembled(program)
                .is_ok_and(|program| prove(&self.function(program, 0, convention), contract).is_ok())
        };
        let made = fields.proved(fields.routines(contract, form), is_proved);
        match made.is_empty() {
            true if form == Some(Form::Looped) => Err(refused(&"it is not made looped; valid: unrolled")),
            true => Err(refused(&"it would be too long; valid: polynomials with few terms")),
            false => {
                encoded::<Context, _>(made, |program| self.code(program)).map_err(|error| refused(&error))
            }
        }
    }

    fn assembly(&self, code: &Code, name: &str, syntax: &str) -> Result<String, String> {
        if syntax != GNU.name {
            return Err(format!("RISC-V has no syntax '{syntax}'"));
        }
        let instructions = self.instructions(code)?;
        let origin = code.origin + code.routine.start as u32;
        let text = function(&GNU, name, origin, &instructions).map_err(|error| error.to_string())?;
        let parsed = parse(&GNU, origin, &text).map(|parsed| parsed.instructions);
        read_back(text, syntax, &instructions, parsed)
    }

    fn assemble(&self, text: &str, syntax: &str) -> Result<Assembled, String> {
        if syntax != GNU.name {
            return Err(format!("RISC-V has no syntax '{syntax}'"));
        }
        let parsed = parse(&GNU, 0, text).map_err(|error| error.to_string())?;
        let program =
            Program::assemble(self.core, 0, &parsed.instructions).map_err(|error| error.to_string())?;
        let code = alone(program.words().iter().flat_map(|half| half.to_le_bytes()).collect());
        let (mut at, mut places) = (0, Vec::with_capacity(parsed.lines.len()));
        for (line, instruction) in parsed.lines.into_iter().zip(&parsed.instructions) {
            places.push((line, u64::from(at)));
            at += instruction.bytes();
        }
        Ok(Assembled { code, places })
    }

    fn read(&self, code: &Code) -> Result<Static, String> {
        let instructions = self.instructions(code)?;
        let written = instructions.iter().fold(0, |set, one| set | one.writes() as u32);
        Ok(Static {
            saved: register_list(saved(&instructions, ILP32.saved)),
            written: register_list(written),
        })
    }

    fn subject_within(&self, code: &Code, convention: &str, steps: u64) -> Result<Box<dyn Subject>, String> {
        let entry = code.origin + code.routine.start as u32;
        let function = self.function(self.program(code), entry, self.convention(convention)?);
        Ok(Box::new(Assuming::nothing(Function { step_limit: steps, ..function })))
    }

    fn object_code(&self, file: &ObjectFile<'_>, symbol: &str) -> Result<ObjectCode, Error> {
        let code = found(self, Machine::RISCV, (file, symbol), || check(file, ILP32.name))?;
        let linked = link(file, &code).map_err(|error| {
            let hint = format!(
                "link it first: riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -nostdlib -Wl,--entry={} -o FILE.elf FILE.o",
                shown(symbol)
            );
            Error::request(error, hint)
        })?;
        Ok(common::linked(linked, &code))
    }
}

//! The MIPS32 cores as targets.

use super::common::{self, alone, found, measured, of_routines, other, read_back, words};
use super::description::{self, Description};
use super::drafts::{Fields, HINT, encoded, fault};
use super::{
    Assembled, CDialect, Code, Comment, FieldRoutine, FileStyle, Guard, LowerFault, MOST_STEPS, Making,
    Named, ObjectCode, Product, Routine, Static, Syntax, Target,
};
use crate::error::{Error, shown};
use crate::subject::Subject;
use rhomb_certificate::Contract;
use rhomb_field::program::Program as Calls;
use rhomb_kernel::split::Pairs;
use rhomb_kernel::{Floor, Form, Task};
use rhomb_line::Line;
use rhomb_machine::{Assuming, Placement};
use rhomb_mips::conventions::{CONVENTIONS, Convention, O32, convention};
use rhomb_mips::cores::CORES;
use rhomb_mips::field;
use rhomb_mips::instructions::{Instruction, Kind};
use rhomb_mips::layout::{register_list, saved};
use rhomb_mips::link::link;
use rhomb_mips::lower::{self, Context, Ring};
use rhomb_mips::syntax::{self, gnu};
use rhomb_mips::{Cause, Function, Model, Program, ProgramError};
use rhomb_object::{Machine, ObjectFile};
use std::sync::{Arc, LazyLock};

/// A MIPS32 core with its instructions.
pub(super) struct Mips {
    model: Arc<Model>,
    description: Description,
}

pub(super) static TARGETS: LazyLock<Vec<Mips>> =
    LazyLock::new(|| CORES.iter().map(|core| Mips::of(Model::of(core))).collect());

/// Bytes of stack that a routine may use, and of code: a bare core does not say. A jump reaches as far.
const STACK_BYTES: u32 = 1 << 15;
const CODE_BYTES: u64 = 1 << 28;

impl Mips {
    /// The core with what is known of it.
    fn of(model: Model) -> Self {
        let core = model.core();
        let description = Description {
            name: core.name,
            summary: core.description,
            about: None,
            processor: "MIPS32",
            has_multiplier: true,
            has_carry: false,
            word_bits: 32,
            flash_bytes: CODE_BYTES,
            ram: core.ram.clone(),
            // in $31
            return_bytes: 0,
            conventions: CONVENTIONS
                .iter()
                .map(|own| description::Convention {
                    named: Named { name: own.name, summary: own.summary },
                    is_experimental: false,
                    syntax: gnu::NAME,
                    c: CDialect::PLAIN,
                    general_registers: lower::registers(own).len(),
                })
                .collect(),
            syntaxes: vec![Syntax {
                named: Named { name: gnu::NAME, summary: "GNU as, little-endian" },
                style: FileStyle { extension: gnu::EXTENSION, comment: Comment::Block },
            }],
            guard: Some(Guard {
                expression: "defined(__mips__) && defined(__MIPSEL__) && _MIPS_SIM == _ABIO32 && __mips_isa_rev >= 1 && __mips_isa_rev < 6 && !defined(__mips16) && !defined(__mips_micromips)",
                needs: "a little-endian MIPS32 of releases 1 to 5, and the ABI o32: mipsel-linux-gnu-gcc -march=mips32 -mabi=32",
            }),
            suffix: core.extension.and(core.name.rsplit('-').next()),
            compile_command: "mipsel-linux-gnu-gcc -march=mips32 -mabi=32 -mno-abicalls -fno-pic -c FILE.S"
                .to_owned(),
            accumulations: &[],
            on_x: &[],
            columns_wait: false,
            pairs: Pairs::Subtractive,
            proved_soon: &[],
        };
        Mips { model: Arc::new(model), description }
    }

    fn program(&self, code: &Code) -> Program {
        Program::placed(self.model.clone(), code.origin, &words(code), code.placement.clone())
    }

    fn convention(&self, name: &str) -> Result<&'static Convention, String> {
        convention(name).ok_or_else(|| format!("MIPS32 has no convention '{name}'"))
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

    /// A routine of an assembler text, from its label on.
    fn assembled(&self, text: &str, symbol: &str) -> Result<Code, Error> {
        let bad = |fault: &dyn std::fmt::Display| {
            Error::request(
                format_args!("the file is no object file, and as assembler text it is not read: {fault}"),
                "`mipsel-linux-gnu-as -march=mips32 -o FILE.o FILE.s` makes an object file, and that is read",
            )
        };
        let parsed = syntax::parse_file(&self.model, 0, text).map_err(|error| bad(&error))?;
        let Some(start) = parsed.labels.get(symbol) else {
            let names: Vec<&str> = parsed.public.iter().map(String::as_str).collect();
            let fault = format!("'{}' is no label of the text; valid: {}", shown(symbol), names.join(", "));
            return Err(Error::request(fault, "--symbol names a function of the file"));
        };
        let program =
            Program::assemble(self.model.clone(), 0, &parsed.instructions).map_err(|error| bad(&error))?;
        let bytes: Vec<u8> = program.words().iter().flat_map(|word| word.to_le_bytes()).collect();
        Ok(Code { origin: 0, routine: *start as usize..bytes.len(), bytes, placement: Placement::default() })
    }

    /// The machine code.
    fn code(&self, instructions: &[Instruction]) -> Result<Code, ProgramError> {
        let program = Program::assemble(self.model.clone(), 0, instructions)?;
        let bytes: Vec<u8> = program.words().iter().flat_map(|word| word.to_le_bytes()).collect();
        Ok(alone(bytes))
    }

    /// The routine's instructions, without the data among them.
    fn instructions(&self, code: &Code) -> Result<Vec<Instruction>, String> {
        let program = self.program(code);
        let addresses = (code.routine.start..code.routine.end).step_by(4);
        addresses
            .map(|offset| program.instruction(code.origin + offset as u32))
            .filter(|one| !matches!(one, Err(ProgramError { cause: Cause::Unplaced(_), .. })))
            .map(|one| one.map_err(|error| error.to_string()))
            .collect()
    }
}

impl Target for Mips {
    fn description(&self) -> &Description {
        &self.description
    }

    fn is_reserved(&self, name: &str, _: &str) -> bool {
        // registers begin with a dollar sign, and a name at the start of a line with a colon is a label
        syntax::is_macro(name)
    }

    fn floor_cycles(&self, floor: &Floor) -> Option<u64> {
        // an instruction a cycle, and the multiplier beside it
        let product = self.model.core().timing.times(Kind::Product)?.most;
        let multiplier = u64::from(product.occupies) * floor.multiplications as u64;
        let memory = (floor.loads + floor.stores) as u64;
        Some(multiplier.max(floor.multiplications as u64 + memory))
    }

    fn routine(&self, task: &Task, making: &Making<'_>) -> Result<Routine, LowerFault> {
        let registers = making.registers.unwrap_or(usize::MAX);
        let convention = self.convention(making.convention).map_err(LowerFault::Other)?;
        let made = lower::routine_within(task, &self.model, convention, Ring::Integers, registers);
        let kernel = made.map_err(fault)?;
        let code = self.code(&kernel.program).map_err(other)?;
        let function = self.function(self.program(&code), 0, convention);
        measured::<u32>(&function, task, code, kernel.schedule, None)
    }

    fn line(&self, line: &Line, product: Option<&Product>, convention: &str) -> Result<Code, LowerFault> {
        if product.is_some() {
            return Err(LowerFault::Unmade("products before a reduction are made elsewhere".to_owned()));
        }
        let convention = self.convention(convention).map_err(LowerFault::Other)?;
        let kernel = lower::words(line, None, &self.model, convention).map_err(fault)?;
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
        Fields(Context::of(&self.model, &O32)).makes_own(contract)
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
        let mut made = Fields(Context::of(&self.model, convention)).routines(contract, form);
        if form == Some(Form::Looped) && made.is_empty() {
            let missing =
                |_| format!("the core lacks an instruction that {name} with loops needs; valid: mips32-ise");
            let looped = field::looped(contract, &self.model).map_err(|error| refused(&missing(error)))?;
            let program = looped.ok_or_else(|| refused(&"it is not made looped; valid: unrolled"))?;
            made.push((field::METHOD, Form::Looped, program));
        }
        if made.is_empty() {
            return Err(refused(&"it would be too long; valid: polynomials with few terms"));
        }
        encoded::<Context<'_>, _>(made, |program| self.code(program)).map_err(|error| refused(&error))
    }

    fn with_extension(&self, text: &str) -> Option<Result<Box<dyn Target>, String>> {
        let extended = self.model.with(text).map_err(|error| error.to_string());
        Some(extended.map(|model| Box::new(Mips::of(model)) as Box<dyn Target>))
    }

    fn text_code(&self, file: &[u8], symbol: &str) -> Option<Result<Code, Error>> {
        // ELF files begin with these; assembler text does not
        if file.starts_with(b"\x7fELF") {
            return None;
        }
        let text = std::str::from_utf8(file).ok()?;
        Some(self.assembled(text, symbol))
    }

    fn assembly(&self, code: &Code, name: &str, syntax: &str) -> Result<String, String> {
        if syntax != gnu::NAME {
            return Err(format!("MIPS32 has no syntax '{syntax}'"));
        }
        let instructions = self.instructions(code)?;
        let origin = code.origin + code.routine.start as u32;
        let text = syntax::function(&self.model, name, origin, &instructions);
        let parsed = syntax::parse_file(&self.model, origin, &text).map(|parsed| parsed.instructions);
        read_back(text, syntax, &instructions, parsed)
    }

    fn assemble(&self, text: &str, syntax: &str) -> Result<Assembled, String> {
        if syntax != gnu::NAME {
            return Err(format!("MIPS32 has no syntax '{syntax}'"));
        }
        let parsed = syntax::parse_file(&self.model, 0, text).map_err(|error| error.to_string())?;
        let code = self.code(&parsed.instructions).map_err(|error| error.to_string())?;
        Ok(Assembled { code, places: parsed.lines.into_iter().zip((0..).step_by(4)).collect() })
    }

    fn read(&self, code: &Code) -> Result<Static, String> {
        let instructions = self.instructions(code)?;
        let written = |one: &Instruction| self.model.row(one).map_or(0, |row| one.writes(row) as u32);
        let written = instructions.iter().fold(0, |set, one| set | written(one));
        let saved = saved(&instructions, O32.saved);
        Ok(Static { saved: register_list(saved), written: register_list(written) })
    }

    fn subject_within(&self, code: &Code, convention: &str, steps: u64) -> Result<Box<dyn Subject>, String> {
        let entry = code.origin + code.routine.start as u32;
        let function = self.function(self.program(code), entry, self.convention(convention)?);
        Ok(Box::new(Assuming::nothing(Function { step_limit: steps, ..function })))
    }

    fn object_code(&self, file: &ObjectFile<'_>, symbol: &str) -> Result<ObjectCode, Error> {
        let code =
            found(self, Machine::MIPS, (file, symbol), || rhomb_mips::link::flags::check(file.flags()))?;
        let linked = link(file, &code).map_err(|error| {
            let hint = format!(
                "link it first: mipsel-linux-gnu-gcc -nostartfiles -static -Wl,--entry={} -o FILE.elf FILE.o",
                shown(symbol)
            );
            Error::request(error, hint)
        })?;
        let mut made = common::linked(linked, &code);
        if code.kind == rhomb_object::Kind::Relocatable && code.section.alignment < 4 {
            let alignment = code.section.alignment;
            made.notes
                .push(format!("its section is aligned to {alignment}, and must stand at a multiple of 4"));
        }
        Ok(made)
    }
}

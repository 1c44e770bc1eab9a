//! The ARM cores as targets.

use super::common::{self, alone, found, halves, measured, of_routines, read_back};
use super::description::{self, Description};
use super::{
    Assembled, CDialect, Code, Guard, LowerFault, MOST_STEPS, Making, Named, ObjectCode, Product, Routine,
    Static, Target,
};
use crate::error::{Error, shown};
use crate::subject::Subject;
use rhomb_arm::conventions::{CONVENTIONS, Convention, convention};
use rhomb_arm::cores::{CORES, Core};
use rhomb_arm::instructions::{Action, Instruction};
use rhomb_arm::layout::{Layout, register_list};
use rhomb_arm::link::{LinkError, link};
use rhomb_arm::lower::{self, Accumulation, LowerError};
use rhomb_arm::syntax::{self, Dialect, dialects};
use rhomb_arm::{Cause, Function, Program, ProgramError};
use rhomb_field::program::Program as Calls;
use rhomb_kernel::split::Pairs;
use rhomb_kernel::{Floor, Task};
use rhomb_line::Line;
use rhomb_machine::{Assuming, Encoded, Placement, Unplaced};
use rhomb_object::{Machine, ObjectFile};
use std::sync::{Arc, LazyLock};

/// An ARM core.
pub(super) struct Arm {
    core: &'static Core,
    description: Description,
    /// With the other count of cycles.
    paired: Option<Box<Arm>>,
    /// Without what takes a time of its own for some operands.
    constant: Option<Box<Arm>>,
}

pub(super) static TARGETS: LazyLock<Vec<Arm>> =
    LazyLock::new(|| CORES.iter().map(|core| Arm::of(core)).collect());

/// The ways of cores without UMAAL, and of those with it.
static WAYS: LazyLock<[Vec<Named>; 2]> = LazyLock::new(|| {
    let named = |way: Accumulation| Named { name: way.name(), summary: way.summary() };
    [false, true].map(|umaal| Accumulation::of(umaal).map(named).collect())
});

const THUMB_GUARD: Guard = Guard {
    expression: "defined(__arm__) && defined(__thumb__) && defined(__ARM_EABI__) && !defined(__ARMEB__)",
    needs: "a little-endian core of the M profile, and the AAPCS: arm-none-eabi-gcc -mcpu=CORE -mthumb",
};

/// Most registers of a block transfer of data.
const BLOCK: usize = 12;

fn fault(error: LowerError) -> LowerFault {
    match error {
        LowerError::Registers { .. } | LowerError::Rows { .. } => LowerFault::Registers(error.to_string()),
        LowerError::Multiplier { .. } | LowerError::ScannedSquaring | LowerError::Halves { .. } => {
            LowerFault::Unmade(error.to_string())
        }
        LowerError::ConstantTime { .. } => LowerFault::ConstantTime {
            message: format!("{error}; valid: --form unrolled, --accumulation rows"),
            hint: "leave --form and --accumulation out",
        },
        _ => LowerFault::Other(error.to_string()),
    }
}

impl Arm {
    /// The core with what is known of it.
    fn of(core: &'static Core) -> Self {
        let description = Description {
            name: core.name,
            summary: core.description,
            about: core.about,
            processor: "ARM",
            has_multiplier: true,
            has_carry: true,
            word_bits: 32,
            flash_bytes: core.flash_bytes.into(),
            ram: core.ram.clone(),
            // in LR
            return_bytes: 0,
            conventions: CONVENTIONS
                .iter()
                .map(|own| description::Convention {
                    named: Named {
                        name: own.name,
                        summary: if core.thumb.is_some() { own.thumb_summary } else { own.summary },
                    },
                    is_experimental: own.experimental,
                    syntax: own.syntax,
                    c: CDialect::PLAIN,
                    general_registers: lower::general_registers(own),
                })
                .collect(),
            syntaxes: description::syntaxes(dialects(core.thumb)),
            guard: Some(if core.thumb.is_some() {
                THUMB_GUARD
            } else {
                Guard {
                    expression: "defined(__arm__) && defined(__ARM_ARCH_ISA_ARM) && defined(__ARM_EABI__) && !defined(__ARMEB__)",
                    needs: "a little-endian processor with ARM state, and the AAPCS: arm-none-eabi-gcc -mcpu=arm7tdmi",
                }
            }),
            suffix: None,
            compile_command: match core.thumb {
                Some(_) => format!("arm-none-eabi-gcc -mcpu={} -mthumb -c FILE.S", core.mcpu),
                None => "arm-none-eabi-gcc -marm -c FILE.S".to_owned(),
            },
            accumulations: if core.in_halves { &[] } else { &WAYS[usize::from(core.umaal)] },
            on_x: &[],
            columns_wait: false,
            pairs: Pairs::Subtractive,
            proved_soon: &[(64, 2)],
        };
        let other = |other: Option<&'static Core>| other.map(|core| Box::new(Arm::of(core)));
        Arm { core, description, paired: other(core.paired), constant: other(core.constant) }
    }

    /// The machine code.
    fn assembled(&self, instructions: &[Instruction]) -> Result<(Program, Code), LowerFault> {
        let placed = lower::placed(self.core, instructions).map_err(fault)?;
        let (code, _) = self.code(&placed).map_err(LowerFault::Other)?;
        Ok((self.program(&code), code))
    }

    /// The machine code of instructions that stand where they name each other, with words of data among them, and where each
    /// of them begins.
    fn code(&self, placed: &[Instruction]) -> Result<(Code, Vec<usize>), String> {
        let (mut bytes, mut starts) = (Vec::new(), Vec::with_capacity(placed.len()));
        let mut placement = Placement::default();
        for one in placed {
            let start = bytes.len();
            let words = rhomb_arm::Arm::encode(&self.core, one).map_err(|cause| cause.to_string())?;
            bytes.extend(words.into_iter().flat_map(u16::to_le_bytes));
            if matches!(one.action, Action::Literal(_)) {
                placement.add_data(start as u32..bytes.len() as u32);
            }
            starts.push(start);
        }
        Ok((Code { placement, ..alone(bytes) }, starts))
    }

    fn program(&self, code: &Code) -> Program {
        Program::placed(self.core, code.origin, &halves(code), code.placement.clone())
    }

    fn dialect(&self, name: &str) -> Result<&'static Dialect, String> {
        let found = dialects(self.core.thumb).iter().copied().find(|dialect| dialect.name == name);
        found.ok_or_else(|| format!("ARM has no syntax '{name}'"))
    }

    fn convention(&self, name: &str) -> Result<&'static Convention, String> {
        convention(name).ok_or_else(|| format!("ARM has no convention '{name}'"))
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

    /// The routine's instructions, and the words of data among them.
    fn instructions(&self, code: &Code) -> Result<Vec<Instruction>, String> {
        let program = self.program(code);
        let (mut at, mut instructions) = (code.routine.start, Vec::new());
        while at < code.routine.end {
            let word = code.bytes.get(at..).and_then(|bytes| bytes.first_chunk());
            match (program.instruction(code.origin + at as u32), word) {
                (Ok(found), _) => {
                    at += usize::from(found.bytes);
                    instructions.push(found.instruction);
                }
                (Err(ProgramError { cause: Cause::Unplaced(Unplaced::Data), .. }), Some(word))
                    if at.is_multiple_of(4) =>
                {
                    at += word.len();
                    instructions.push(Action::Literal(u32::from_le_bytes(*word)).into());
                }
                (Err(ProgramError { cause: Cause::Unplaced(_), .. }), _) => at += self.core.alignment(),
                (Err(error), _) => return Err(error.to_string()),
            }
        }
        Ok(instructions)
    }
}

/// Bytes of stack that a routine may use: a bare core does not say.
const STACK_BYTES: u32 = 1 << 15;

impl Target for Arm {
    fn description(&self) -> &Description {
        &self.description
    }

    fn is_reserved(&self, name: &str, syntax: &str) -> bool {
        self.dialect(syntax).is_ok_and(|dialect| dialect.is_reserved(name))
    }

    fn floor_cycles(&self, floor: &Floor) -> Option<u64> {
        if self.core.in_halves {
            // of products of words
            return None;
        }
        let product = Action::LongMultiply {
            signed: false,
            accumulate: false,
            set: false,
            low: 3,
            high: 4,
            rm: 5,
            rs: 6,
        };
        let products = self.core.most(&product.into())? * floor.multiplications as u64;
        // UMAAL adds what a word of a column needs
        let additions = if self.core.umaal { 0 } else { floor.additions as u64 };
        let timing = self.core.timing;
        if timing.interlocks.is_some_and(|locks| locks.two) {
            // all but stores is done beside products
            return Some(products + floor.stores.div_ceil(2) as u64);
        }
        let blocks = |words: usize, each: u8| (words + words.div_ceil(BLOCK) * usize::from(each)) as u64;
        let memory = blocks(floor.loads, timing.block_load) + blocks(floor.stores, timing.block_store);
        Some(products + memory + u64::from(timing.data) * additions)
    }

    fn routine(&self, task: &Task, making: &Making<'_>) -> Result<Routine, LowerFault> {
        let convention = self.convention(making.convention).map_err(LowerFault::Other)?;
        let making = lower::Making {
            registers: making.registers.unwrap_or(usize::MAX),
            accumulation: making.accumulation.and_then(Accumulation::named),
            constant_time: making.constant_time,
        };
        let made = lower::routine_by(task, self.core, convention, &making);
        let kernel = made.map_err(fault)?;
        let (program, code) = self.assembled(&kernel.program)?;
        let function = self.function(program, 0, convention);
        let accumulation = kernel.accumulation.map(Accumulation::name);
        measured::<u32>(&function, task, code, kernel.schedule, accumulation)
    }

    fn line(&self, line: &Line, product: Option<&Product>, convention: &str) -> Result<Code, LowerFault> {
        let convention = self.convention(convention).map_err(LowerFault::Other)?;
        if lower::is_in_halves(line, product.is_some(), self.core) {
            let product = product.map(|product| &product.task);
            let kernel = lower::halves::line(line, product, self.core, convention).map_err(fault)?;
            return Ok(self.assembled(&kernel.program)?.1);
        }
        let whole = product.filter(|product| !product.of_one);
        let whole = whole.and_then(|product| lower::reduced(&product.task, line, self.core, convention));
        let product = product.map(|product| {
            let accumulation = product.accumulation.and_then(Accumulation::named);
            let making = lower::Making { accumulation, ..lower::Making::default() };
            // the caller saves what it uses
            let inner = Convention { saved: 0, ..*convention };
            lower::routine_by(&product.task, self.core, &inner, &making)
        });
        let product = product.transpose().map_err(fault)?;
        // products that take two words make a line with the product before it, or alone
        let whole = match &product {
            Some(_) => whole,
            None => lower::line_by_products(line, self.core, convention),
        };
        let kernel = match (lower::line(line, product.as_ref(), self.core, convention), whole) {
            (Ok(kernel), Some(whole)) if whole.cycles > kernel.cycles => kernel,
            (_, Some(whole)) => whole,
            (kernel, None) => kernel.map_err(fault)?,
        };
        Ok(self.assembled(&kernel.program)?.1)
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
            |routines| lower::program(program, routines, self.core, (convention, inner)).map_err(fault),
        )?;
        Ok(self.assembled(&made)?.1)
    }

    fn inner(&self, convention: &str) -> Option<&'static str> {
        rhomb_machine::Convention::inner(self.convention(convention).ok()?).map(|own| own.name)
    }

    fn assembly(&self, code: &Code, name: &str, syntax: &str) -> Result<String, String> {
        let dialect = self.dialect(syntax)?;
        let instructions = self.instructions(code)?;
        let origin = code.origin + code.routine.start as u32;
        let text =
            syntax::function(dialect, name, origin, &instructions).map_err(|error| error.to_string())?;
        let parsed = syntax::parse(dialect, origin, &text).map(|parsed| parsed.instructions);
        read_back(text, syntax, &instructions, parsed)
    }

    fn assemble(&self, text: &str, syntax: &str) -> Result<Assembled, String> {
        let parsed = syntax::parse(self.dialect(syntax)?, 0, text).map_err(|error| error.to_string())?;
        let (code, starts) = self.code(&parsed.instructions)?;
        let places = parsed.lines.into_iter().zip(starts.into_iter().map(|start| start as u64)).collect();
        Ok(Assembled { code, places })
    }

    fn read(&self, code: &Code) -> Result<Static, String> {
        let instructions = self.instructions(code)?;
        let layout = Layout::of(&instructions, CONVENTIONS[0].saved);
        let written = instructions.iter().fold(0, |set, one| set | one.registers_written());
        Ok(Static { saved: register_list(layout.saved.into()), written: register_list(written) })
    }

    fn paired(&self) -> Option<&dyn Target> {
        self.paired.as_deref().map(|own| own as &dyn Target)
    }

    fn constant(&'static self) -> Option<&'static dyn Target> {
        self.constant.as_deref().map(|own| own as &dyn Target)
    }

    fn subject_within(&self, code: &Code, convention: &str, steps: u64) -> Result<Box<dyn Subject>, String> {
        let entry = code.origin + code.routine.start as u32;
        let function = self.function(self.program(code), entry, self.convention(convention)?);
        Ok(Box::new(Assuming::nothing(Function { step_limit: steps, ..function })))
    }

    fn object_code(&self, file: &ObjectFile<'_>, symbol: &str) -> Result<ObjectCode, Error> {
        let code = found(self, Machine::ARM, (file, symbol), || rhomb_arm::link::flags::check(file.flags()))?;
        let linked = link(file, &code, self.core.thumb.is_some()).map_err(|error| {
            let (mcpu, entry) = (self.core.mcpu, shown(symbol));
            let hint = match &error {
                LinkError::Thumb { .. } | LinkError::NeedsThumb { .. } if self.core.thumb.is_some() => {
                    format!("compile it for Thumb state: arm-none-eabi-gcc -mcpu={mcpu} -mthumb -c FILE.c")
                }
                LinkError::Thumb { .. } | LinkError::NeedsThumb { .. } => {
                    format!("compile it for ARM state: arm-none-eabi-gcc -mcpu={mcpu} -marm -c FILE.c")
                }
                _ => format!(
                    "link it first: arm-none-eabi-gcc -mcpu={mcpu} -nostartfiles -Wl,--entry={entry} -o FILE.elf FILE.o"
                ),
            };
            Error::request(error, hint)
        })?;
        Ok(common::linked(linked, &code))
    }
}

//! The C55x cores as targets.
//!
//! There is no assembler for it, so what stands for machine code here is the text of the function; everything is done to
//! what is read back from it.

mod modular;

use super::called::{Called, called};
use super::description::{self, Description};
use super::{
    Assembled, CDialect, Code, Comment, FieldRoutine, FileStyle, LowerFault, MOST_STEPS, Making, Named,
    ObjectCode, Product, Routine, Static, Syntax, Target,
};
use crate::error::{Error, shown};
use crate::modular::{ModularProgram, ModularTask};
use crate::subject::Subject;
use rhomb_c55x::conventions::{CONVENTIONS, Convention, convention};
use rhomb_c55x::cores::{CORES, Core};
use rhomb_c55x::instructions::{Bundle, Instruction};
use rhomb_c55x::lower::{self, Leaf, MOST_WORDS};
use rhomb_c55x::rules::{Uses, register_names};
use rhomb_c55x::{Function, Program, syntax};
use rhomb_certificate::Contract;
use rhomb_field::program::Program as Calls;
use rhomb_kernel::split::{Node, Pairs};
use rhomb_kernel::{Floor, Form, Row, Task, Walk};
use rhomb_machine::{Assuming, Placement};
use rhomb_object::ObjectFile;
use std::sync::{Arc, LazyLock};

/// A C55x core.
pub(super) struct C55x {
    core: &'static Core,
    description: Description,
}

pub(super) static TARGETS: LazyLock<Vec<C55x>> =
    LazyLock::new(|| CORES.iter().map(|core| C55x::of(core)).collect());

/// Ways to multiply, the quick one last. Above them operand scanning takes one multiplier, row by row.
static WAYS: [Named; 9] = [
    Named { name: "halves-6", summary: "split in halves six times (Karatsuba), then as columns" },
    Named { name: "halves-5", summary: "split in halves five times (Karatsuba), then as columns" },
    Named { name: "halves-4", summary: "split in halves four times (Karatsuba), then as columns" },
    Named { name: "halves-3", summary: "split in halves three times (Karatsuba), then as columns" },
    Named { name: "halves-2", summary: "split in halves twice (Karatsuba), then as columns" },
    Named { name: "halves", summary: "split in halves (Karatsuba), then as columns" },
    Named { name: "rows", summary: "row by row (operand scanning), by one of the two multipliers" },
    Named { name: "single-columns", summary: "one column at a time, by one of the two multipliers" },
    Named { name: "columns", summary: "two columns at once, by dual multiplications" },
];

/// The splits in halves of a way.
fn levels_of(way: &str) -> Option<u32> {
    match way.strip_prefix("halves")? {
        "" => Some(1),
        more => more.strip_prefix('-')?.parse().ok(),
    }
}

/// Whether a walk goes through the products row by row, each a word of A with all of B.
fn is_operand_scanning(walk: &Walk) -> bool {
    let of = |number: usize, row: &Row| {
        row.segments.iter().flat_map(|segment| &segment.products).all(|product| product.i == number)
    };
    walk.rows.len() == walk.words && walk.rows.iter().enumerate().all(|(number, row)| of(number, row))
}

/// Whether a pair of parts is multiplied by its differences.
fn by_differences(node: &Node) -> bool {
    matches!(node, Node::Split(split) if split.pairs == Pairs::Subtractive)
}

/// Words of stack that a routine may use.
const STACK_WORDS: u32 = 4000;
/// Name of the function in a [`Code`].
const NAME: &str = "f";

impl C55x {
    /// The core with what is known of it.
    fn of(core: &'static Core) -> Self {
        let description = Description {
            name: core.name,
            summary: core.description,
            about: None,
            processor: "C55x",
            has_multiplier: true,
            has_carry: false,
            word_bits: 16,
            flash_bytes: core.code_bytes.into(),
            ram: 2 * core.dual.start..2 * core.single.end,
            // a word on each of two stacks
            return_bytes: 4,
            conventions: CONVENTIONS
                .iter()
                .map(|own| description::Convention {
                    named: Named { name: own.name, summary: own.summary },
                    is_experimental: own.experimental,
                    syntax: "ti",
                    c: CDialect::PLAIN,
                    // four accumulators of three words each
                    general_registers: 12,
                })
                .collect(),
            syntaxes: vec![Syntax {
                named: Named { name: "ti", summary: "TI's mnemonic assembler" },
                style: FileStyle { extension: "asm", comment: Comment::Lines(";") },
            }],
            guard: None,
            suffix: None,
            compile_command: "cl55 -c FILE.asm".to_owned(),
            accumulations: &WAYS,
            on_x: &[],
            columns_wait: false,
            pairs: Pairs::Additive,
            proved_soon: &[],
        };
        C55x { core, description }
    }

    fn lines(code: &Code) -> Result<Vec<Bundle>, String> {
        let text = std::str::from_utf8(&code.bytes).map_err(|error| error.to_string())?;
        syntax::parse(text).map(|parsed| parsed.lines).map_err(|error| error.to_string())
    }

    fn program(&self, code: &Code) -> Result<Program, String> {
        Program::new(self.core, code.origin, C55x::lines(code)?).map_err(|error| error.to_string())
    }

    fn convention(&self, name: &str) -> Result<&'static Convention, String> {
        convention(name).ok_or_else(|| format!("C55x has no convention '{name}'"))
    }

    fn code(lines: &[Bundle]) -> Code {
        let bytes = syntax::function(NAME, lines).into_bytes();
        Code { origin: 0, routine: 0..bytes.len(), bytes, placement: Placement::default() }
    }

    fn function(&self, code: &Code, name: &str, steps: u64) -> Result<Function, String> {
        Ok(Function {
            program: Arc::new(self.program(code)?),
            entry: 0,
            convention: self.convention(name)?,
            stack_limit: STACK_WORDS,
            step_limit: steps,
        })
    }

    fn lower(&self, task: &Task, way: Option<&str>) -> Result<lower::Code, LowerFault> {
        let single = way == Some("single-columns");
        let levels = way.and_then(levels_of).unwrap_or(0);
        let words = task.words();
        let unmade = |what: &str| LowerFault::Unmade(what.to_owned());
        let made = match task {
            Task::Multiplication(_) if way == Some("rows") => lower::operand_scanning(words),
            Task::Squaring(_) if way == Some("rows") => {
                return Err(unmade("its squares take both multipliers"));
            }
            Task::Multiplication(walk) if walk.rows.len() == 1 => match levels {
                0 if single => lower::single_product_scanning(words),
                0 => lower::multiplication(words),
                levels => lower::split_multiplication(words, levels, Leaf::Columns),
            },
            Task::Multiplication(walk) if is_operand_scanning(walk) && !single => match levels {
                0 => lower::operand_scanning(words),
                levels => lower::split_multiplication(words, levels, Leaf::Rows),
            },
            Task::Squaring(_) if single => return Err(unmade("its squares take both multipliers")),
            Task::Squaring(squaring) if squaring.rows.len() == 1 => match levels {
                0 => lower::squaring(words),
                levels => lower::split_squaring(words, levels),
            },
            Task::Multiplication(_) | Task::Squaring(_) => {
                return Err(unmade("C55x multiplies column by column in one row, or row by row"));
            }
            Task::Chain { subtract, words, .. } => lower::chain(*words, *subtract),
            Task::LoopedMultiplication(_) | Task::LoopedSquaring(_) | Task::ScannedSquaring { .. } => {
                return Err(unmade("its inner loops are single repeats in the unrolled form already"));
            }
            Task::Split(node) if node.is_square() => {
                return Err(unmade("splits of squares are halves, by --accumulation"));
            }
            Task::Split(node) => {
                if by_differences(node) {
                    let fault = "parts are multiplied by their sums; valid: --pairs sums";
                    return Err(LowerFault::Other(fault.to_owned()));
                }
                let leaf = match way {
                    None | Some("columns") => Leaf::Columns,
                    Some("rows") => Leaf::Rows,
                    Some(_) => return Err(unmade("products of parts are added up by columns or by rows")),
                };
                let code = lower::parts_multiplication(node, leaf);
                let fault =
                    format!("{words} words; parts of more than {MOST_WORDS} words are to be split again");
                return code.ok_or(LowerFault::Other(fault));
            }
            Task::Strips { .. } | Task::SoftwareProducts { .. } => {
                return Err(unmade("C55x multiplies in hardware"));
            }
        };
        made.ok_or_else(|| match levels {
            0 => LowerFault::Other(format!(
                "{words} words; columns of more than {MOST_WORDS} products do not fit 40 bits, \
                 --accumulation halves takes more"
            )),
            _ => LowerFault::Other(format!("{words} words cannot be split so often in halves of even size")),
        })
    }
}

impl Target for C55x {
    fn description(&self) -> &Description {
        &self.description
    }

    fn is_reserved(&self, name: &str, _: &str) -> bool {
        syntax::is_reserved(name)
    }

    fn floor_cycles(&self, floor: &Floor) -> Option<u64> {
        // two products a cycle
        Some((floor.multiplications as u64).div_ceil(2))
    }

    fn routine(&self, task: &Task, making: &Making<'_>) -> Result<Routine, LowerFault> {
        let convention = self.convention(making.convention).map_err(LowerFault::Other)?;
        let way = making.accumulation;
        let lines = lower::framed(self.lower(task, way)?.into_lines(), convention);
        let code = C55x::code(&lines);
        let function = self.function(&code, convention.name, MOST_STEPS).map_err(LowerFault::Other)?;
        let Called { body_cycles, function_cycles, stack_bytes } =
            called::<u16>(&function, task).map_err(|stopped| LowerFault::Other(stopped.to_string()))?;
        let accumulation = match task {
            Task::Chain { .. } => None,
            _ => WAYS.iter().map(|named| named.name).find(|name| way.is_none_or(|way| way == *name)),
        };
        // without a wish it is the last one
        let accumulation =
            accumulation.map(|name| if way.is_none() { WAYS[WAYS.len() - 1].name } else { name });
        Ok(Routine { code, body_cycles, function_cycles, stack_bytes, schedule: None, accumulation })
    }

    fn line(
        &self,
        line: &rhomb_line::Line,
        product: Option<&Product>,
        convention: &str,
    ) -> Result<Code, LowerFault> {
        let convention = self.convention(convention).map_err(LowerFault::Other)?;
        let product = product.map(|product| self.lower(&product.task, product.accumulation)).transpose()?;
        let lines = lower::line(line, product).map_err(|error| LowerFault::Unmade(error.to_string()))?;
        Ok(C55x::code(&lower::framed(lines, convention)))
    }

    fn own_routines(
        &self,
        contract: &Contract,
        _: Option<Form>,
        convention: &str,
    ) -> Result<Vec<FieldRoutine>, Error> {
        let code = modular::fixed(self, contract, convention)?;
        let routine = |code| FieldRoutine { code, method: "separated", form: Form::Unrolled };
        Ok(code.into_iter().map(routine).collect())
    }

    fn program(
        &self,
        program: &Calls,
        routines: &[Code],
        (convention, _): (&str, bool),
    ) -> Result<Code, LowerFault> {
        let convention = self.convention(convention).map_err(LowerFault::Other)?;
        let routines: Result<Vec<Vec<Bundle>>, String> = routines.iter().map(C55x::lines).collect();
        let routines = routines.map_err(LowerFault::Other)?;
        let routines: Vec<&[Bundle]> = routines.iter().map(Vec::as_slice).collect();
        let made = lower::program(program, &routines, convention);
        Ok(C55x::code(&made.map_err(|fault| LowerFault::Other(fault.to_string()))?))
    }

    fn has_modular(&self) -> bool {
        true
    }

    fn modular(&self, task: &ModularTask, convention: &str) -> Result<ModularProgram, LowerFault> {
        modular::program(self, task, convention)
    }

    fn assembly(&self, code: &Code, name: &str, syntax: &str) -> Result<String, String> {
        if syntax != "ti" {
            return Err(format!("C55x has no syntax '{syntax}'"));
        }
        let lines = C55x::lines(code)?;
        let text = syntax::function(name, &lines);
        // what is written is what was checked
        match syntax::parse_file(&text) {
            Ok(parsed) if parsed.lines == lines => Ok(text),
            Ok(_) => Err("the text reads back as another routine".to_owned()),
            Err(error) => Err(format!("the text cannot be read back: {error}")),
        }
    }

    fn assemble(&self, text: &str, syntax: &str) -> Result<Assembled, String> {
        if syntax != "ti" {
            return Err(format!("C55x has no syntax '{syntax}'"));
        }
        let parsed = syntax::parse_file(text).map_err(|error| error.to_string())?;
        let code = C55x::code(&parsed.lines);
        let program = self.program(&code)?;
        let addresses = (0..).map(|place| rhomb_machine::Code::address(&program, place));
        Ok(Assembled { places: parsed.numbers.into_iter().zip(addresses).collect(), code })
    }

    fn read(&self, code: &Code) -> Result<Static, String> {
        let lines = C55x::lines(code)?;
        let saved: Vec<String> = lines
            .iter()
            .flat_map(Bundle::instructions)
            .take_while(|one| matches!(one, Instruction::PushBoth { .. } | Instruction::Push { .. }))
            .map(|one| match one {
                Instruction::PushBoth { ar } => format!("XAR{ar}"),
                Instruction::Push { src } => register_names(1 << src.number()),
                _ => String::new(),
            })
            .collect();
        let saved = if saved.is_empty() { "none".to_owned() } else { saved.join(" ") };
        let written = lines.iter().fold(0, |set, line| set | Uses::of_line(line).writes);
        Ok(Static { saved, written: register_names(written) })
    }

    fn code_bytes(&self, code: &Code) -> usize {
        self.program(code).map_or(0, |program| program.code().len())
    }

    fn subject_within(&self, code: &Code, convention: &str, steps: u64) -> Result<Box<dyn Subject>, String> {
        Ok(Box::new(Assuming::nothing(self.function(code, convention, steps)?)))
    }

    fn text_code(&self, file: &[u8], symbol: &str) -> Option<Result<Code, Error>> {
        let text = std::str::from_utf8(file).ok()?;
        let hint = "the file is to hold one function in TI's mnemonic syntax, without macros and constants of its own";
        let parsed = match syntax::parse_file(text) {
            Ok(parsed) => parsed,
            Err(error) => return Some(Err(Error::request(error, hint))),
        };
        let name = parsed.name.unwrap_or_default();
        if name != symbol && name.strip_prefix('_') != Some(symbol) && symbol.strip_prefix('_') != Some(&name)
        {
            let fault = format!("no function '{}'; valid: {}", shown(symbol), shown(&name));
            return Some(Err(Error::request(fault, "--symbol names a function of the file")));
        }
        Some(Ok(C55x::code(&parsed.lines)))
    }

    fn object_code(&self, _: &ObjectFile<'_>, _: &str) -> Result<ObjectCode, Error> {
        let fault = "object files of C55x are not read; valid: text in TI's mnemonic syntax";
        Err(Error::request(fault, "give the assembly file in place of the object file"))
    }
}

//! Lines of code, checked and prepared once for any number of runs.

use crate::cores::Core;
use crate::encode::{EncodeError, FAR_CALL, encode_line, far_call};
use crate::instructions::{Bundle, Condition, Instruction};
use crate::rules::{self, Illegal, Uses};
use rhomb_machine::{Code, Flow, Way};

/// TI C55x.
#[derive(Clone, Copy, Debug)]
pub struct C55x;

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {cause}")]
pub struct ProgramError {
    /// Its number, from 0.
    pub line: u32,
    /// Why it cannot be executed.
    pub cause: Cause,
}

/// Why a line cannot be executed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Cause {
    /// The rules of parallelism, or an operand.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// A target outside of the program, or a block repeat that ends before it begins.
    #[error("its target is no line of the program")]
    Target,
    /// No encoding.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

/// A line as the simulator wants it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prepared {
    pub(crate) line: Bundle,
    pub(crate) uses: Uses,
    /// Cycles of the line itself.
    pub(crate) cycles: u8,
    /// Whether a single repeat may stand before it.
    pub(crate) repeatable: bool,
    /// The condition of its branch, if it has one.
    pub(crate) branch: Option<Condition>,
}

/// A program for a core.
#[derive(Clone, Debug)]
pub struct Program {
    core: &'static Core,
    lines: Vec<Bundle>,
    addresses: Vec<u32>,
    code: Vec<u8>,
    pub(crate) prepared: Vec<Prepared>,
}

impl Program {
    /// The program of these lines from byte address `origin` on.
    ///
    /// # Errors
    /// The first line that breaks a rule.
    pub fn new(core: &'static Core, origin: u32, lines: Vec<Bundle>) -> Result<Self, ProgramError> {
        let mut lengths = Vec::with_capacity(lines.len());
        let mut prepared = Vec::with_capacity(lines.len());
        for (number, line) in (0..).zip(&lines) {
            let at = |cause: Cause| ProgramError { line: number, cause };
            lengths.push(rules::check(line).map_err(|illegal| at(illegal.into()))?);
            for one in line.instructions() {
                let lines = lines.len() as u32;
                let fits = match one {
                    Instruction::RepeatBlock { end, .. } => number + 1 < *end && *end <= lines,
                    other => other.target().is_none_or(|target| target < lines),
                };
                if !fits {
                    return Err(at(Cause::Target));
                }
            }
            prepared.push(Prepared {
                line: *line,
                uses: Uses::of_line(line),
                cycles: core.timing.cycles(line),
                repeatable: rules::repeatable(line),
                branch: line.instructions().find_map(|one| match one {
                    Instruction::BranchIf { condition, .. } => Some(*condition),
                    _ => None,
                }),
            });
        }
        let addresses = placed(origin, &lines, &mut lengths);
        let mut program = Program { core, lines, addresses, code: Vec::new(), prepared };
        for number in 0..program.lines.len() {
            let bytes = program.encoded(number);
            let error = |error: EncodeError| ProgramError { line: number as u32, cause: error.into() };
            program.code.extend(bytes.map_err(error)?);
        }
        Ok(program)
    }

    fn encoded(&self, number: usize) -> Result<crate::encode::Bytes, EncodeError> {
        if let Bundle { first: Instruction::Call { to }, second: None } = self.lines[number]
            && !is_near(&self.addresses, number, to)
        {
            return Ok(far_call(self.addresses[to as usize]));
        }
        let end = i64::from(self.addresses[number + 1]);
        let distance = |one: &Instruction| match one {
            // the last line of the block
            Instruction::RepeatBlock { end: after, .. } => {
                i64::from(self.addresses[*after as usize - 1]) - end
            }
            other => other.target().map_or(0, |target| i64::from(self.addresses[target as usize]) - end),
        };
        let line = &self.lines[number];
        encode_line(line, [distance(&line.first), line.second.as_ref().map_or(0, distance)])
    }

    /// The core.
    pub fn core(&self) -> &'static Core {
        self.core
    }

    /// The lines.
    pub fn lines(&self) -> &[Bundle] {
        &self.lines
    }

    /// A line as text.
    pub(crate) fn text(&self, number: u32) -> String {
        let label = |number: u32| format!("{:#06x}", self.address(number));
        self.lines.get(number as usize).map_or(String::new(), |one| crate::syntax::line(one, &label))
    }

    /// Machine code.
    pub fn code(&self) -> &[u8] {
        &self.code
    }

    /// Byte address of a line; of the end for the number after the last.
    pub fn address(&self, line: u32) -> u32 {
        let last = self.addresses.last().copied().unwrap_or_default();
        self.addresses.get(line as usize).copied().unwrap_or(last)
    }

    /// The line at a byte address.
    pub fn line_at(&self, address: u32) -> Option<u32> {
        let number = self.addresses.binary_search(&address).ok()?;
        (number < self.lines.len()).then_some(number as u32)
    }
}

/// Places are numbers of lines.
impl Code for Program {
    fn origin(&self) -> u32 {
        0
    }

    fn places(&self) -> usize {
        self.lines.len()
    }

    fn index(&self, place: u32) -> Option<usize> {
        Some(place as usize)
    }

    fn address(&self, place: u32) -> u64 {
        Program::address(self, place).into()
    }

    fn place(&self, address: u64) -> Option<u32> {
        self.line_at(u32::try_from(address).ok()?)
    }

    fn bytes(&self) -> Vec<u8> {
        self.code.clone()
    }

    fn text(&self, place: u32) -> Option<String> {
        self.lines.get(place as usize).map(|_| Program::text(self, place))
    }

    fn way(&self, place: u32) -> Option<Way> {
        let mut instructions = self.lines.get(place as usize)?.instructions();
        let goes = |one: &&Instruction| matches!(one, Instruction::Branch { .. } | Instruction::Return);
        let flow = match instructions.find(goes) {
            Some(Instruction::Branch { to }) => Flow::To(*to),
            Some(_) => Flow::Away,
            None => Flow::Next,
        };
        let mut instructions = self.lines[place as usize].instructions();
        let or = instructions.find_map(|one| match one {
            Instruction::BranchIf { to, .. } => Some(*to),
            _ => None,
        });
        Some(Way { flow, next: place + 1, delayed: false, or })
    }

    fn identity(&self) -> String {
        self.core.name.to_owned()
    }
}

/// Whether the call on a line reaches its target by a distance of 16 bits.
fn is_near(addresses: &[u32], number: usize, to: u32) -> bool {
    let distance = i64::from(addresses[to as usize]) - i64::from(addresses[number + 1]);
    i16::try_from(distance).is_ok()
}

/// The addresses of all lines, and of the end. Calls are as short as they can be: the assembler chooses so, too.
fn placed(origin: u32, lines: &[Bundle], lengths: &mut [u32]) -> Vec<u32> {
    loop {
        let ends = lengths.iter().scan(origin, |end, length| {
            *end += length;
            Some(*end)
        });
        let addresses: Vec<u32> = std::iter::once(origin).chain(ends).collect();
        let mut changed = false;
        for (number, line) in lines.iter().enumerate() {
            if let Bundle { first: Instruction::Call { to }, second: None } = line
                && lengths[number] != FAR_CALL
                && !is_near(&addresses, number, *to)
            {
                lengths[number] = FAR_CALL;
                changed = true;
            }
        }
        if !changed {
            return addresses;
        }
    }
}

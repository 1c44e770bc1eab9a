//! What targets with machine code have in common.

use super::called::{Called, called};
use super::{Code, LowerFault, ObjectCode, Routine, Target};
use crate::error::Error;
use rhomb_kernel::{Schedule, Task};
use rhomb_machine::{Limb, Placement};
use rhomb_object::{Linked, Machine, ObjectError, ObjectFile};
use std::fmt::Display;
use std::sync::Arc;

/// What cannot be made.
pub(super) fn other(error: impl Display) -> LowerFault {
    LowerFault::Other(error.to_string())
}

/// A routine that stands alone.
pub(super) fn alone(bytes: Vec<u8>) -> Code {
    Code { origin: 0, routine: 0..bytes.len(), bytes, placement: Placement::default() }
}

/// The bytes of code as words of 32 bits.
pub(super) fn words(code: &Code) -> Vec<u32> {
    code.bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// The bytes of code as words of 16 bits.
pub(super) fn halves(code: &Code) -> Vec<u16> {
    code.bytes.as_chunks().0.iter().map(|half| u16::from_le_bytes(*half)).collect()
}

/// The routine of that code with what it takes in a call.
pub(super) fn measured<W: Limb>(
    function: &impl rhomb_machine::Routine,
    task: &Task,
    code: Code,
    schedule: Option<Arc<Schedule>>,
    accumulation: Option<&'static str>,
) -> Result<Routine, LowerFault> {
    let Called { body_cycles, function_cycles, stack_bytes } = called::<W>(function, task).map_err(other)?;
    Ok(Routine { code, body_cycles, function_cycles, stack_bytes, schedule, accumulation })
}

/// What is made of the instructions of routines.
pub(super) fn of_routines<I, R>(
    routines: &[Code],
    instructions: impl Fn(&Code) -> Result<Vec<I>, String>,
    make: impl FnOnce(&[&[I]]) -> Result<R, LowerFault>,
) -> Result<R, LowerFault> {
    let all: Vec<Vec<I>> =
        routines.iter().map(instructions).collect::<Result<_, _>>().map_err(LowerFault::Other)?;
    make(&all.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// A text in a dialect, if it reads back as the instructions that were checked.
pub(super) fn read_back<I: PartialEq, E: Display>(
    text: String,
    syntax: &str,
    instructions: &[I],
    parsed: Result<Vec<I>, E>,
) -> Result<String, String> {
    match parsed {
        Ok(parsed) if parsed == instructions => Ok(text),
        Ok(parsed) => {
            let same = parsed.iter().zip(instructions).take_while(|(own, other)| own == other).count();
            Err(format!("the {syntax} text reads back as another routine from instruction {same} on"))
        }
        Err(error) => Err(format!("the {syntax} text cannot be read back: {error}")),
    }
}

/// No function of that name is in a file.
pub(super) fn not_found(error: ObjectError) -> Error {
    Error::request(error, "--symbol names a function of the file")
}

/// A function of a file that is for a processor, and keeps what `check` wants of it.
pub(super) fn found<'a>(
    target: &dyn Target,
    machine: Machine,
    (file, symbol): (&'a ObjectFile<'_>, &str),
    check: impl FnOnce() -> Result<(), String>,
) -> Result<rhomb_object::Code<'a>, Error> {
    let fitting = if file.machine() == machine {
        check()
    } else {
        Err(format!("the file is for {}; valid: {machine}, for {}", file.machine(), target.name()))
    };
    fitting.map_err(|fault| Error::request(fault, "--target must be a core that the file was built for"))?;
    file.function(symbol).map_err(not_found)
}

/// A function as it was linked, and what a linker may do to it by its name alone.
pub(super) fn linked(linked: Linked, code: &rhomb_object::Code<'_>) -> ObjectCode {
    let Linked { origin, bytes, routine, sections, placement, mut notes } = linked;
    let open = code.open.filter(|_| code.kind == rhomb_object::Kind::Relocatable);
    notes.extend(open.map(|why| format!("the function is {why}")));
    ObjectCode { code: Code { origin, bytes, routine, placement }, sections, notes }
}

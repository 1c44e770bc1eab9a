//! What a user asks for.

use crate::bounds::Bounds;
use crate::output::Output;
use crate::targets::Extension;
use crate::work::Work;
use rhomb_kernel::Parameters;

/// A file with the rows of a multiplication, as [`rhomb_kernel::text`] reads it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WalkFile {
    /// Its name, for reports and command lines.
    pub name: String,
    /// What stands in it.
    pub text: String,
}

/// A request, as written by the user. What is `None` is chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// Such as `mul`.
    pub operation: String,
    /// Size of each operand in bits; 0 where a modulus says it.
    pub bits: usize,
    /// The number that an operation is modulo of: `2^192-2^64-1`, hexadecimal, or a name such as `p192`.
    pub modulus: Option<String>,
    /// The polynomial over GF(2): `x^191+x^9+1`, hexadecimal, or a name such as `b233`.
    pub polynomial: Option<String>,
    /// The curve of a key agreement or a signature, such as `p256`.
    pub curve: Option<String>,
    /// Such as `atmega128`.
    pub target: String,
    /// What a file adds to the core.
    pub extension: Option<Extension>,
    /// Such as `operand-caching`, `best`, or `best-walk`.
    pub method: Option<String>,
    /// The rows of a walk of the user's, in place of a method.
    pub walk: Option<WalkFile>,
    /// The method's parameters.
    pub parameters: Parameters,
    /// Such as `unrolled`.
    pub form: Option<String>,
    /// Such as `avr-gcc`.
    pub convention: Option<String>,
    /// Such as `gnu`; that of the convention's compiler when open.
    pub syntax: Option<String>,
    /// Name of the routine; operation and size when open.
    pub name: Option<String>,
    /// What the routine may take.
    pub bounds: Bounds,
    /// How products are added up, such as `columns`; the processor's choice when open.
    pub accumulation: Option<String>,
    /// The array that the pointer X points to, such as `b`; where that matters, the processor's choice when open.
    pub on_x: Option<String>,
    /// What a search for registers printed, for products that it is of; what is known when open.
    pub trail: Option<String>,
    /// Whether the routine's time must be the same for all operands.
    pub constant_time: bool,
    /// Whether the routine is written without a proof.
    pub no_proof: bool,
    /// How the assembly file is written.
    pub output: Output,
    /// How the work is done.
    pub work: Work,
    /// Bits of an exponentiation's windows.
    pub window: Option<usize>,
    /// The exponent of an exponentiation, where it is in the code.
    pub public: Option<usize>,
    /// Splits of an exponentiation's squares.
    pub square_levels: Option<usize>,
    /// Words of the blocks in which numbers are divided by a modulus that is an argument; all of them are straight lines.
    pub block: Option<usize>,
}

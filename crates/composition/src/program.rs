//! What whole programs are held against.

use crate::called::Keeps;
use crate::exponentiation::{follow_exponentiation, follow_private_rsa};
use crate::multiplications::follow_multiplications;
use crate::schemes::{follow_on_curve, follow_x25519};
use crate::unshown::Unshown;
use rhomb_certificate::{Checkable, Contract, ContractError, MOST_BITS};
use rhomb_field::curve::{Named, of_prime_order, over_binary_fields};
use std::fmt;
use std::str::FromStr;

/// What a program gives on a curve of a prime order over GF(p), or k P on one of twice such an order over GF(2^m), of keys and points:
/// words of strings of bytes, the highest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CurveProgram {
    /// The abscissa of k P (SEC 1, section 3.3.1), as [`rhomb_field::specification::multiple`] specifies k P.
    Ecdh,
    /// k P.
    Scalarmul,
    /// k G (SEC 1, section 3.2.1), as [`rhomb_field::specification::public`] specifies it, of a key alone.
    Public,
    /// r and s (SEC 1, section 4.1.3), as [`rhomb_field::specification::signature`] specifies them, of a hash, a key and a nonce.
    Sign,
}

impl CurveProgram {
    const ALL: [CurveProgram; 4] =
        [CurveProgram::Ecdh, CurveProgram::Scalarmul, CurveProgram::Public, CurveProgram::Sign];

    /// On the command line and in certificates.
    pub const fn name(self) -> &'static str {
        match self {
            CurveProgram::Ecdh => "ecdh",
            CurveProgram::Scalarmul => "scalarmul",
            CurveProgram::Public => "public",
            CurveProgram::Sign => "ecdsa-sign",
        }
    }

    /// The curves on which there is one: those over GF(2^m) have scalar multiplications alone.
    pub fn curves(self) -> Vec<Named> {
        let binary = over_binary_fields().into_iter().filter(|_| self == CurveProgram::Scalarmul);
        of_prime_order().into_iter().chain(binary).collect()
    }

    fn curve(self, name: &str) -> Option<Named> {
        self.curves().into_iter().find(|(own, _)| *own == name)
    }
}

/// What a whole program is to compute. As text: `x25519`, `ecdh p256`, `modexp 1024`, `modexp 1024 65537`, `rsa-private 2048`, or a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "there are few, and a contract is copied")]
pub enum Program {
    /// X25519 (RFC 7748, section 5): r, a scalar and u are strings of 32 bytes, and r lies apart.
    X25519,
    /// A multiple or a signature on the curve of that name, one of those of [`rhomb_field::curve`]. The result lies apart. It returns 1 where the key is
    /// wrong, 2 more where the point or the nonce is, and 4 more where r or s is 0; and then the result keeps its words.
    OnCurve(CurveProgram, &'static str),
    /// r = b^e modulo n, below n, of numbers of so many bits, where n is odd and has its highest bit set; r lies apart. Arguments are r, b,
    /// e and n, or, for a known exponent, r, b and n.
    Exponentiation {
        /// Size of the numbers.
        bits: usize,
        /// The exponent, if it is no argument.
        exponent: Option<u64>,
    },
    /// RSA by a private key, as RFC 8017, section 5.1.2, step 2b has it: r = m2 + q h, where m2 = c^dq modulo q, below q, and
    /// h = (c^dp - m2) qinv modulo p, below p. Arguments are r, c, and p, q, dp, dq and qinv one behind the other, where p and q are odd
    /// and have their highest bits set.
    PrivateRsa {
        /// Size of r and c; the other numbers have half of it.
        bits: usize,
    },
    /// What a contract says: an inversion that is a power, or a product, square or reduction by several multiplications.
    Contract(Contract),
}

/// A text that names no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProgramError {
    /// It begins as the name of a program does.
    #[error(
        "'{0}' is no program; valid: x25519, ecdh CURVE, scalarmul CURVE, public CURVE, ecdsa-sign CURVE, modexp BITS [EXPONENT], rsa-private BITS"
    )]
    Program(String),
    /// It is no contract, either.
    #[error(transparent)]
    Contract(#[from] ContractError),
}

const X25519: &str = "x25519";
const EXPONENTIATION: &str = "modexp";
const PRIVATE_RSA: &str = "rsa-private";

impl Program {
    /// The program of that name with these numbers; nothing where there is none of that name, and an error where it has others.
    fn named(words: &[&str]) -> Option<Result<Program, ()>> {
        let (name, others) = words.split_first()?;
        let on_curve = CurveProgram::ALL.into_iter().find(|program| program.name() == *name);
        let program = match (*name, others, on_curve) {
            (X25519, [], _) => Some(Program::X25519),
            (_, [name], Some(program)) => {
                program.curve(name).map(|(name, _)| Program::OnCurve(program, name))
            }
            (EXPONENTIATION, [bits], _) => {
                bits.parse().ok().map(|bits| Program::Exponentiation { bits, exponent: None })
            }
            (EXPONENTIATION, [bits, exponent], _) => {
                let number = bits.parse().ok().zip(exponent.parse().ok());
                number.map(|(bits, exponent)| Program::Exponentiation { bits, exponent: Some(exponent) })
            }
            (PRIVATE_RSA, [bits], _) => bits.parse().ok().map(|bits| Program::PrivateRsa { bits }),
            (X25519 | EXPONENTIATION | PRIVATE_RSA, ..) | (_, _, Some(_)) => None,
            _ => return None,
        };
        Some(program.ok_or(()))
    }
}

impl FromStr for Program {
    type Err = ProgramError;

    fn from_str(text: &str) -> Result<Self, ProgramError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match Program::named(&words) {
            Some(named) => named.map_err(|()| ProgramError::Program(text.to_owned())),
            None => Ok(Program::Contract(text.parse()?)),
        }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Program::X25519 => f.write_str(X25519),
            Program::OnCurve(program, curve) => write!(f, "{} {curve}", program.name()),
            Program::Exponentiation { bits, exponent: None } => write!(f, "{EXPONENTIATION} {bits}"),
            Program::Exponentiation { bits, exponent: Some(number) } => {
                write!(f, "{EXPONENTIATION} {bits} {number}")
            }
            Program::PrivateRsa { bits } => write!(f, "{PRIVATE_RSA} {bits}"),
            Program::Contract(contract) => contract.fmt(f),
        }
    }
}

impl From<Contract> for Program {
    fn from(contract: Contract) -> Self {
        Program::Contract(contract)
    }
}

impl From<&Contract> for Program {
    fn from(contract: &Contract) -> Self {
        Program::Contract(*contract)
    }
}

/// The words of each of so many parts of a number, if they fill them. A certificate may ask for any size: larger ones are not followed.
fn words(bits: usize, parts: usize, routine: &dyn Checkable) -> Result<usize, Unshown> {
    let whole = parts * routine.word_bits() as usize;
    let fills = (1..=MOST_BITS as usize).contains(&bits) && bits.is_multiple_of(whole);
    fills.then(|| bits / whole).ok_or_else(|| Unshown::other("numbers that do not fill their words"))
}

/// Follows a program, but for routines that keep contracts, and compares what it leaves with its specification. Sums of equations may take
/// so many terms.
///
/// # Errors
/// Where it calls other routines than those for what depends on the operands, or computes something else.
pub fn follow(
    routine: &dyn Checkable,
    program: &Program,
    keeps: &mut dyn Keeps,
    effort: u64,
) -> Result<(), Unshown> {
    match *program {
        Program::X25519 => follow_x25519(routine, keeps),
        Program::OnCurve(what, name) => {
            let (_, curve) = what.curve(name).ok_or_else(|| Unshown::other("a curve without a name"))?;
            follow_on_curve(routine, (what, &curve()), keeps)
        }
        Program::Exponentiation { bits, exponent } => {
            follow_exponentiation(routine, (words(bits, 1, routine)?, exponent), keeps)
        }
        Program::PrivateRsa { bits } => follow_private_rsa(routine, words(bits, 2, routine)?, keeps),
        Program::Contract(ref contract) => follow_multiplications(routine, contract, keeps, effort),
    }
}

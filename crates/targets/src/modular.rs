//! Arithmetic modulo an odd number as whole programs: what is asked of a processor, and what it gives.

use crate::Code;
use rhomb_certificate::{AnyModulus, Contract, Operation};
use rhomb_field::program::KEY;

/// What is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ModularOperation {
    /// `r = a b / R mod n`.
    Multiply,
    /// `r = a a / R mod n`.
    Square,
    /// `r = a / R mod n`.
    Reduce,
    /// `r = b^e mod n`.
    Exponentiate,
    /// `r = c^d mod p q`, by a private key.
    Private,
}

impl ModularOperation {
    /// All of them.
    pub const ALL: [ModularOperation; 5] = [
        ModularOperation::Multiply,
        ModularOperation::Square,
        ModularOperation::Reduce,
        ModularOperation::Exponentiate,
        ModularOperation::Private,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            ModularOperation::Multiply => "montmul",
            ModularOperation::Square => "montsqr",
            ModularOperation::Reduce => "montreduce",
            ModularOperation::Exponentiate => "modexp",
            ModularOperation::Private => "rsa-private",
        }
    }

    /// One line for people.
    pub fn summary(self) -> &'static str {
        match self {
            ModularOperation::Multiply => "r = a * b / R mod n: Montgomery multiplication, n an argument",
            ModularOperation::Square => "r = a * a / R mod n: Montgomery squaring, likewise",
            ModularOperation::Reduce => "r = a / R mod n: Montgomery reduction, likewise",
            ModularOperation::Exponentiate => {
                "r = b^e mod n: modular exponentiation, all of n's size, from plain numbers to a plain number"
            }
            ModularOperation::Private => {
                "r = c^d mod p q: RSA by a private key of p, q, dp, dq and qinv, RFC 8017, section 5.1.2"
            }
        }
    }

    /// The operation of that name.
    pub fn named(name: &str) -> Option<Self> {
        ModularOperation::ALL.into_iter().find(|operation| operation.name() == name)
    }

    /// The operation that its contract is about; exponentiations and what is made of them have none.
    pub fn contracted(self) -> Option<Operation> {
        match self {
            ModularOperation::Multiply => Some(Operation::MontMul),
            ModularOperation::Square => Some(Operation::MontSqr),
            ModularOperation::Reduce => Some(Operation::MontReduce),
            ModularOperation::Exponentiate | ModularOperation::Private => None,
        }
    }

    /// Whether it is made of exponentiations.
    pub fn is_power(self) -> bool {
        self.contracted().is_none()
    }

    /// Its methods, the default first.
    pub fn methods(self) -> &'static [ModularMethod] {
        match self {
            ModularOperation::Multiply | ModularOperation::Square => &PRODUCTS,
            ModularOperation::Reduce => &PRODUCTS[..1],
            ModularOperation::Exponentiate => &EXPONENTIATIONS,
            ModularOperation::Private => &PRIVATE,
        }
    }
}

/// A way to compute it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModularMethod {
    /// On the command line.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// Names of its parameters.
    pub parameters: &'static [&'static str],
    /// Where it is from.
    pub source: &'static str,
    /// Whether it is made for all processors that multiply.
    pub is_shared: bool,
}

static PRODUCTS: [ModularMethod; 3] = [
    ModularMethod {
        name: "separated",
        summary: "the product, split so often, then the reduction column by column",
        parameters: &["levels", "block"],
        source: "Montgomery 1985; Hwang, Huang and Su, section 5.2; with a split KCM, Großschädl et al. 2005",
        is_shared: true,
    },
    ModularMethod {
        name: "cios",
        summary: "a row of the product and a row of the reduction in turn, by one multiplier",
        parameters: &[],
        source: "Koç, Acar and Kaliski 1996",
        is_shared: false,
    },
    ModularMethod {
        name: "fips",
        summary: "columns of product and reduction in one sum, by one multiplier",
        parameters: &[],
        source: "Koç, Acar and Kaliski 1996",
        is_shared: false,
    },
];

/// The method of exponents that are in the code.
pub const PUBLIC: &str = "public-exponent";

static EXPONENTIATIONS: [ModularMethod; 5] = [
    ModularMethod {
        name: "sliding-window",
        summary: "windows that begin and end with a 1, real squarings; time tells the exponent",
        parameters: &["window", "levels", "square-levels"],
        source: "Menezes, van Oorschot and Vanstone 1996, algorithm 14.85",
        is_shared: false,
    },
    ModularMethod {
        name: "fixed-window",
        summary: "windows all alike, all powers read for each: constant time; with --constant-time the default",
        parameters: &["window", "levels", "square-levels", "block"],
        source: "Menezes, van Oorschot and Vanstone 1996, algorithm 14.82; masks",
        is_shared: true,
    },
    ModularMethod {
        name: "binary",
        summary: "bit by bit, squarings as multiplications, as papers count; time tells the exponent",
        parameters: &["levels"],
        source: "Hwang, Huang and Su, section 5.2",
        is_shared: false,
    },
    ModularMethod {
        name: "binary-cios",
        summary: "the same by multiplications with the reduction in between",
        parameters: &[],
        source: "Hwang, Huang and Su, section 5.2; Koç, Acar and Kaliski 1996",
        is_shared: false,
    },
    ModularMethod {
        name: PUBLIC,
        summary: "the exponent is public and in the code, bit by bit: as RSA encrypts, and checks signatures",
        parameters: &["public", "block"],
        source: "Menezes, van Oorschot and Vanstone 1996, algorithm 14.79",
        is_shared: true,
    },
];

static PRIVATE: [ModularMethod; 1] = [ModularMethod {
    name: "remainders",
    summary: "powers modulo p and q by windows all alike, joined by the Chinese remainder theorem: constant time",
    parameters: &["window", "block"],
    source: "RFC 8017, section 5.1.2, step 2b; Menezes, van Oorschot and Vanstone 1996, algorithm 14.82; masks",
    is_shared: true,
}];

/// What a processor is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModularTask {
    /// What is computed.
    pub operation: ModularOperation,
    /// Size of the modulus.
    pub bits: usize,
    /// Name of the method.
    pub method: &'static str,
    /// Splits of products; `None` is the fastest.
    pub levels: Option<usize>,
    /// Splits of squares; `None` is the fastest.
    pub square_levels: Option<usize>,
    /// Bits of a window; `None` is the fastest.
    pub window: Option<usize>,
    /// The exponent that is in the code; `None` is that of most RSA keys.
    pub public: Option<usize>,
    /// Words of a block; `None` is the fastest.
    pub block: Option<usize>,
}

/// A program and how it is called.
#[derive(Clone, Debug)]
pub struct ModularProgram {
    /// Its code.
    pub code: Code,
    /// The parameters of its method, as used.
    pub parameters: Vec<(&'static str, usize)>,
    /// Words of operands, modulus and result.
    pub words: usize,
    /// The last argument, where it needs one.
    pub workspace: Option<Workspace>,
    /// The exponent, where it is no argument.
    pub exponent: Option<u64>,
}

/// Memory that a caller lends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// Words.
    pub words: usize,
    /// Where in it the caller puts what belongs to the modulus, if not in arguments.
    pub modulus: Option<ModulusPlaces>,
}

/// Words of a workspace, n being at word 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModulusPlaces {
    /// R - n.
    pub complement: usize,
    /// The word -1/n modulo the radix.
    pub inverse: usize,
}

impl ModularProgram {
    /// Its operands in the order of the arguments, each with its words.
    pub fn operands(&self, operation: ModularOperation) -> Vec<(&'static str, usize)> {
        let of = |names: &[&'static str]| names.iter().map(|name| (*name, self.words)).collect();
        match operation {
            ModularOperation::Multiply => of(&["a", "b"]),
            ModularOperation::Square => of(&["a"]),
            ModularOperation::Reduce => vec![("a", 2 * self.words)],
            ModularOperation::Exponentiate if self.exponent.is_some() => of(&["b", "n"]),
            ModularOperation::Exponentiate => of(&["b", "e", "n"]),
            ModularOperation::Private => vec![("c", self.words), ("key", KEY.len() * (self.words / 2))],
        }
    }

    /// What the program is proved by; exponentiations have no contract.
    pub fn contract(&self, operation: ModularOperation, word_bits: u32) -> Option<Contract> {
        let workspace = self.workspace?;
        let places = workspace.modulus?;
        let number = |count: usize| u32::try_from(count).ok();
        Some(Contract::from(AnyModulus {
            operation: operation.contracted()?,
            bits: number(self.words)? * word_bits,
            workspace: number(workspace.words)?,
            complement: number(places.complement)?,
            inverse: number(places.inverse)?,
        }))
    }
}

//! What can be computed: one row an operation. Names, summaries, and what each takes and gives come from here.

use std::fmt;

/// What a result is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expression {
    /// `a * b`.
    Product,
    /// `a * a`.
    Square,
    /// `a + b`.
    Sum,
    /// `a - b`.
    Difference,
    /// `a`.
    Value,
    /// `1 / a`, of a field.
    Inverse,
}

impl Expression {
    /// Names of its operands, in the order of the arguments behind the result.
    pub fn operands(self) -> &'static [&'static str] {
        match self {
            Expression::Product | Expression::Sum | Expression::Difference => &["a", "b"],
            Expression::Square | Expression::Value | Expression::Inverse => &["a"],
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Expression::Product => "a * b",
            Expression::Square => "a * a",
            Expression::Sum => "a + b",
            Expression::Difference => "a - b",
            Expression::Value => "a",
            Expression::Inverse => "1 / a",
        })
    }
}

/// What operands are, and so what says their size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Whole numbers of so many bits.
    Whole,
    /// Numbers modulo one that is written into the code. The result is congruent to what is written here; it need not be
    /// below the modulus, but where the contract says so.
    Modular,
    /// Polynomials over GF(2) with so many coefficients, the bits of words.
    Binary,
    /// These modulo a polynomial; likewise.
    BinaryModular,
}

/// What an expression is multiplied by: with `n` words of `w` bits, R is `2^(w*n)`, over GF(2) `x^(w*n)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Factor {
    /// 1.
    One,
    /// 1 / 2.
    Half,
    /// 1 / R.
    InverseRadix,
    /// R^2: where numbers stand for themselves times R, so does the inverse.
    SquareRadix,
}

/// What is known of an operation.
struct Facts {
    name: &'static str,
    noun: &'static str,
    family: Family,
    expression: Expression,
    factor: Factor,
    summary: &'static str,
}

/// The enumeration, and its table.
macro_rules! operations {
    ($($operation:ident $name:literal $noun:literal $family:ident $expression:ident $factor:ident $summary:literal)*) => {
        /// An operation on little-endian arrays of `n` words.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Operation {
            $(#[doc = $summary] $operation,)*
        }

        impl Operation {
            /// All of them.
            pub const ALL: &[Operation] = &[$(Operation::$operation),*];

            fn facts(self) -> Facts {
                match self {
                    $(Operation::$operation => Facts {
                        name: $name,
                        noun: $noun,
                        family: Family::$family,
                        expression: Expression::$expression,
                        factor: Factor::$factor,
                        summary: $summary,
                    },)*
                }
            }
        }
    };
}

operations! {
    Mul "mul" "multiplication" Whole Product One
        "r = a * b: the product of two operands of n words, 2n words long"
    Sqr "sqr" "squaring" Whole Square One
        "r = a * a: the square of an operand of n words, 2n words long"
    Add "add" "addition" Whole Sum One
        "r = a + b: the sum of two operands of n words, and the carry returned"
    Sub "sub" "subtraction" Whole Difference One
        "r = a - b: the difference of two operands of n words, and the borrow returned"
    ModMul "modmul" "modular multiplication" Modular Product One
        "r = a * b modulo --modulus p, all of n words"
    ModSqr "modsqr" "modular squaring" Modular Square One
        "r = a * a modulo --modulus p"
    ModAdd "modadd" "modular addition" Modular Sum One
        "r = a + b modulo --modulus p"
    ModSub "modsub" "modular subtraction" Modular Difference One
        "r = a - b modulo --modulus p"
    ModHalf "modhalf" "modular halving" Modular Value Half
        "r = a / 2 modulo --modulus p"
    ModReduce "modreduce" "reduction" Modular Value One
        "r = a modulo --modulus p, for an operand of 2n words"
    MontMul "montmul" "Montgomery multiplication" Modular Product InverseRadix
        "r = a * b / 2^(wn) modulo --modulus p"
    MontSqr "montsqr" "Montgomery squaring" Modular Square InverseRadix
        "r = a * a / 2^(wn) modulo --modulus p"
    MontReduce "montreduce" "Montgomery reduction" Modular Value InverseRadix
        "r = a / 2^(wn) modulo --modulus p, for an operand of 2n words"
    ModInv "modinv" "modular inversion" Modular Inverse One
        "r = 1 / a modulo --modulus p, a prime; 0 for 0"
    MontInv "montinv" "Montgomery inversion" Modular Inverse SquareRadix
        "r = 2^(2wn) / a modulo --modulus p, a prime; 0 for 0"
    Gf2Mul "gf2mul" "multiplication over GF(2)" Binary Product One
        "r = a * b: the product of two polynomials over GF(2), 2n words long"
    Gf2Sqr "gf2sqr" "squaring over GF(2)" Binary Square One
        "r = a * a: the square of a polynomial over GF(2), 2n words long"
    Gf2Add "gf2add" "addition over GF(2)" Binary Sum One
        "r = a + b: the sum of two polynomials over GF(2)"
    Gf2ModMul "gf2modmul" "modular multiplication over GF(2)" BinaryModular Product One
        "r = a * b over GF(2) modulo --polynomial f"
    Gf2ModSqr "gf2modsqr" "modular squaring over GF(2)" BinaryModular Square One
        "r = a * a over GF(2) modulo --polynomial f"
    Gf2ModReduce "gf2modreduce" "reduction over GF(2)" BinaryModular Value One
        "r = a over GF(2) modulo --polynomial f, for an operand of 2n words"
    Gf2MontMul "gf2montmul" "Montgomery multiplication over GF(2)" BinaryModular Product InverseRadix
        "r = a * b / x^(wn) over GF(2) modulo --polynomial f"
    Gf2MontSqr "gf2montsqr" "Montgomery squaring over GF(2)" BinaryModular Square InverseRadix
        "r = a * a / x^(wn) over GF(2) modulo --polynomial f"
    Gf2MontReduce "gf2montreduce" "Montgomery reduction over GF(2)" BinaryModular Value InverseRadix
        "r = a / x^(wn) over GF(2) modulo --polynomial f, for an operand of 2n words"
    Gf2ModInv "gf2modinv" "modular inversion over GF(2)" BinaryModular Inverse One
        "r = 1 / a over GF(2) modulo --polynomial f, irreducible; 0 for 0"
}

impl Operation {
    /// The name in contracts and on the command line.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// What it is, after a size: "160-bit multiplication".
    pub fn noun(self) -> &'static str {
        self.facts().noun
    }

    /// One line for people.
    pub fn summary(self) -> &'static str {
        self.facts().summary
    }

    /// What its operands are.
    pub fn family(self) -> Family {
        self.facts().family
    }

    /// What the result is compared with, but for [`Operation::factor`].
    pub fn expression(self) -> Expression {
        self.facts().expression
    }

    /// What the expression is multiplied by.
    pub fn factor(self) -> Factor {
        self.facts().factor
    }

    /// The operation of that name.
    pub fn named(name: &str) -> Option<Self> {
        Operation::ALL.iter().copied().find(|operation| operation.name() == name)
    }

    /// The operations of a family.
    pub fn of(family: Family) -> impl Iterator<Item = Operation> {
        Operation::ALL.iter().copied().filter(move |operation| operation.family() == family)
    }

    /// Names of the operands, in the order of the arguments after the result `r`.
    pub fn operands(self) -> &'static [&'static str] {
        self.expression().operands()
    }

    /// Words of each operand, for numbers of so many words: a reduction takes the double.
    pub fn operand_words(self, words: u32) -> Vec<u32> {
        let is_double = self.expression() == Expression::Value && self.factor() != Factor::Half;
        vec![if is_double { 2 * words } else { words }; self.operands().len()]
    }

    /// Words of the result for numbers of `words` words.
    pub fn result_words(self, words: usize) -> usize {
        let is_plain = matches!(self.family(), Family::Whole | Family::Binary);
        let is_double = is_plain && matches!(self.expression(), Expression::Product | Expression::Square);
        if is_double { 2 * words } else { words }
    }

    /// By how many bits the result is moved up before it is compared, where R has so many: for a division by R, or by 2.
    pub fn shift(self, radix_bits: u32) -> u32 {
        match self.factor() {
            Factor::InverseRadix => radix_bits,
            Factor::Half => 1,
            Factor::One | Factor::SquareRadix => 0,
        }
    }

    /// Whether a carry or borrow is returned.
    pub fn returns_carry(self) -> bool {
        matches!(self, Operation::Add | Operation::Sub)
    }
}

/// What contracts may begin with.
pub(crate) fn valid() -> String {
    let names = |family, behind: &str| {
        let names: Vec<String> = Operation::of(family).map(|own| format!("{}{behind}", own.name())).collect();
        names.join(", ")
    };
    let whole = names(Family::Whole, " BITS").replacen("mul BITS", "mul BITS, mul BITS BITS", 1);
    let (modular, binary) = (names(Family::Modular, ""), names(Family::Binary, " BITS"));
    let over = names(Family::BinaryModular, "");
    format!("{whole}, and with a MODULUS {modular}; over GF(2) {binary}, and with a POLYNOMIAL {over}")
}

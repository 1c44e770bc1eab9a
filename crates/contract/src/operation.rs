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
    /// `a + b`, and above it `a - b`: two numbers, each of them congruent by itself.
    SumAndDifference,
    /// `a`.
    Value,
    /// `1 / a`, of a field.
    Inverse,
    /// `r + a * b`, with what `r` was at the call.
    Accumulated,
    /// `r - a * b`, likewise.
    Reduced,
    /// `-a`.
    Negation,
    /// `a` where the bit `c` is 1, else `b`.
    Choice,
    /// `b` and above it `a` where the bit `c` is 1, else `a` and above it `b`.
    Exchange,
    /// `a + b` where the bit `c` is 1, else `a`.
    SumIf,
    /// `a - b` where the bit `c` is 1, else `a`.
    DifferenceIf,
    /// 1 where `a` is above `b`, -1 where it is below, and 0 where they are equal: it is returned.
    Order,
    /// Whether `a` is below `b`, likewise.
    Less,
    /// Whether they are equal.
    Equality,
    /// Whether `a` is 0.
    Nothing,
}

/// A product of operands, by their numbers, which is added or subtracted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// Whether it is subtracted.
    pub is_negative: bool,
    /// Its factors, one or two.
    pub operands: &'static [usize],
    /// Whether it counts in the upper half of a result of two numbers.
    pub is_upper: bool,
}

const fn plus(operands: &'static [usize]) -> Term {
    Term { is_negative: false, operands, is_upper: false }
}

const fn minus(operands: &'static [usize]) -> Term {
    Term { is_negative: true, operands, is_upper: false }
}

const fn upper(term: Term) -> Term {
    Term { is_upper: true, ..term }
}

impl Expression {
    /// Names of its operands, in the order of the arguments behind the result; an `r` is no argument of its own.
    pub fn operands(self) -> &'static [&'static str] {
        match self {
            Expression::Product | Expression::Sum | Expression::Difference | Expression::SumAndDifference => {
                &["a", "b"]
            }
            Expression::Square | Expression::Value | Expression::Inverse | Expression::Negation => &["a"],
            Expression::Accumulated | Expression::Reduced => &["r", "a", "b"],
            Expression::Choice | Expression::Exchange | Expression::SumIf | Expression::DifferenceIf => {
                &["a", "b", "c"]
            }
            Expression::Order | Expression::Less | Expression::Equality => &["a", "b"],
            Expression::Nothing => &["a"],
        }
    }

    /// The terms that it is the sum of; none of an inverse or a comparison, which are no sums of products.
    pub fn terms(self) -> &'static [Term] {
        match self {
            Expression::Product => const { &[plus(&[0, 1])] },
            Expression::Square => const { &[plus(&[0, 0])] },
            Expression::Sum => const { &[plus(&[0]), plus(&[1])] },
            Expression::Difference => const { &[plus(&[0]), minus(&[1])] },
            Expression::SumAndDifference => {
                const { &[plus(&[0]), plus(&[1]), upper(plus(&[0])), upper(minus(&[1]))] }
            }
            Expression::Value => const { &[plus(&[0])] },
            Expression::Inverse => &[],
            Expression::Order | Expression::Less | Expression::Equality | Expression::Nothing => &[],
            Expression::SumIf => const { &[plus(&[0]), plus(&[1, 2])] },
            Expression::DifferenceIf => const { &[plus(&[0]), minus(&[1, 2])] },
            Expression::Accumulated => const { &[plus(&[0]), plus(&[1, 2])] },
            Expression::Reduced => const { &[plus(&[0]), minus(&[1, 2])] },
            Expression::Negation => const { &[minus(&[0])] },
            Expression::Choice => const { &[plus(&[1]), plus(&[0, 2]), minus(&[1, 2])] },
            Expression::Exchange => {
                const {
                    &[
                        plus(&[0]),
                        plus(&[1, 2]),
                        minus(&[0, 2]),
                        upper(plus(&[1])),
                        upper(plus(&[0, 2])),
                        upper(minus(&[1, 2])),
                    ]
                }
            }
        }
    }

    /// How many numbers modulo p the result is made of, one above the other, each of which is congruent to its own terms.
    pub fn results(self) -> u32 {
        if self == Expression::SumAndDifference { 2 } else { 1 }
    }

    /// Whether the number that counts beyond the result is a borrow.
    pub fn borrows(self) -> bool {
        matches!(
            self,
            Expression::Difference | Expression::DifferenceIf | Expression::Reduced | Expression::Negation
        )
    }

    /// Whether it is a comparison, which is returned: then there is no result in memory.
    pub fn is_comparison(self) -> bool {
        matches!(self, Expression::Order | Expression::Less | Expression::Equality | Expression::Nothing)
    }

    /// Whether its last operand is a bit, which is given by value.
    pub fn has_bit(self) -> bool {
        matches!(
            self,
            Expression::Choice | Expression::Exchange | Expression::SumIf | Expression::DifferenceIf
        )
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Expression::Product => "a * b",
            Expression::Square => "a * a",
            Expression::Sum => "a + b",
            Expression::Difference => "a - b",
            Expression::SumAndDifference => "a + b, a - b",
            Expression::Value => "a",
            Expression::Inverse => "1 / a",
            Expression::Accumulated => "r + a * b",
            Expression::Reduced => "r - a * b",
            Expression::Negation => "-a",
            Expression::Choice => "c ? a : b",
            Expression::Exchange => "c ? b, a : a, b",
            Expression::SumIf => "a + c * b",
            Expression::DifferenceIf => "a - c * b",
            Expression::Order => "a compared with b",
            Expression::Less => "a < b",
            Expression::Equality => "a = b",
            Expression::Nothing => "a = 0",
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
    /// 2.
    Double,
    /// R.
    Radix,
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
    (
        generated {
            $($operation:ident $name:literal $noun:literal $family:ident $expression:ident $factor:ident
                $summary:literal)*
        }
        foreign {
            $($other:ident $others_name:literal $others_family:ident $others_expression:ident
                $others_factor:ident $others_summary:literal)*
        }
    ) => {
        /// An operation on little-endian arrays of `n` words.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Operation {
            $(#[doc = $summary] $operation,)*
            $(#[doc = $others_summary] $other,)*
        }

        impl Operation {
            /// All that are generated.
            pub const ALL: &[Operation] = &[$(Operation::$operation),*];
            /// Those of which a contract may speak, and for which nothing is generated.
            pub const FOREIGN: &[Operation] = &[$(Operation::$other),*];

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
                    $(Operation::$other => Facts {
                        name: $others_name,
                        noun: $others_name,
                        family: Family::$others_family,
                        expression: Expression::$others_expression,
                        factor: Factor::$others_factor,
                        summary: $others_summary,
                    },)*
                }
            }
        }
    };
}

operations! {
    generated {
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
    foreign {
    MulLow "mullow" Whole Product One
        "r = a * b modulo 2^(wn): the lower half of a product"
    Mac "mac" Whole Accumulated One
        "r = r + a * b, and the carry returned"
    Msub "msub" Whole Reduced One
        "r = r - a * b, and the borrow returned"
    Neg "neg" Whole Negation One
        "r = -a modulo 2^(wn)"
    Shl "shl" Whole Value One
        "r = a * 2^k modulo 2^(wn)"
    Shr "shr" Whole Value One
        "r = a / 2^k, rounded down"
    Select "select" Whole Choice One
        "r = a where the bit c is 1, else b"
    Swap "swap" Whole Exchange One
        "a and b change places where the bit c is 1"
    AddIf "addif" Whole SumIf One
        "r = a + b where the bit c is 1, else a, and the carry returned"
    SubIf "subif" Whole DifferenceIf One
        "r = a - b where the bit c is 1, else a, and the borrow returned"
    Cmp "cmp" Whole Order One
        "returns 1 where a > b, -1 where a < b, 0 where they are equal"
    Less "less" Whole Less One
        "returns 1 where a < b, else 0"
    Equal "equal" Whole Equality One
        "returns 1 where a = b, else 0"
    IsZero "iszero" Whole Nothing One
        "returns 1 where a = 0, else 0"
    ToMont "tomont" Modular Value Radix
        "r = a * 2^(wn) modulo p"
    FromMont "frommont" Modular Value InverseRadix
        "r = a / 2^(wn) modulo p, for an operand of n words"
    ModNeg "modneg" Modular Negation One
        "r = -a modulo p"
    ModDouble "moddouble" Modular Value Double
        "r = 2 * a modulo p"
    ModAddSub "modaddsub" Modular SumAndDifference One
        "r = a + b modulo p, and above it a - b modulo p: 2n words"
    CondSub "cond-sub" Modular Value One
        "r = a modulo p, of n words: p is subtracted where that is needed"
    }
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
        Operation::all().find(|operation| operation.name() == name)
    }

    /// The operation of that name, if it is generated.
    pub fn generated(name: &str) -> Option<Self> {
        Operation::named(name).filter(|own| Operation::ALL.contains(own))
    }

    /// All, whether they are generated or not.
    pub fn all() -> impl Iterator<Item = Operation> {
        Operation::ALL.iter().chain(Operation::FOREIGN).copied()
    }

    /// The operations of a family.
    pub(crate) fn of(family: Family) -> impl Iterator<Item = Operation> {
        Operation::all().filter(move |operation| operation.family() == family)
    }

    /// Names of the operands, in the order of the arguments after the result `r`.
    pub fn operands(self) -> &'static [&'static str] {
        self.expression().operands()
    }

    /// Words of each operand, for numbers of so many words: a reduction takes the double.
    pub fn operand_words(self, words: u32) -> Vec<u32> {
        let is_double = matches!(
            self,
            Operation::ModReduce | Operation::MontReduce | Operation::Gf2ModReduce | Operation::Gf2MontReduce
        );
        vec![if is_double { 2 * words } else { words }; self.operands().len()]
    }

    /// Words of the result for numbers of `words` words.
    pub fn result_words(self, words: usize) -> usize {
        let is_plain = matches!(self.family(), Family::Whole | Family::Binary);
        let is_double = is_plain && matches!(self.expression(), Expression::Product | Expression::Square);
        let words = self.expression().results() as usize * words;
        if is_double { 2 * words } else { words }
    }

    /// By how many bits the result is moved up before it is compared, where R has so many: for a division by R, or by 2.
    pub fn shift(self, radix_bits: u32) -> u32 {
        match self.factor() {
            Factor::InverseRadix => radix_bits,
            Factor::Half => 1,
            Factor::One | Factor::Double | Factor::Radix | Factor::SquareRadix => 0,
        }
    }

    /// By how many bits the expression is moved up: where it is multiplied by R.
    pub fn raise(self, radix_bits: u32) -> u32 {
        if self.factor() == Factor::Radix { radix_bits } else { 0 }
    }

    /// The sizes that follow its name in a contract.
    fn sizes(self) -> &'static str {
        match self {
            Operation::Mul | Operation::Mac | Operation::Msub => " BITS [BITS|word]",
            Operation::Add | Operation::Sub => " BITS [word]",
            Operation::Shl | Operation::Shr => " BITS BY",
            _ if matches!(self.family(), Family::Whole | Family::Binary) => " BITS",
            _ => "",
        }
    }

    /// Whether a carry or borrow is returned where a contract does not say what is.
    pub(crate) fn returns_carry(self) -> bool {
        let is_sum = matches!(
            self,
            Operation::Add
                | Operation::Sub
                | Operation::Mac
                | Operation::Msub
                | Operation::AddIf
                | Operation::SubIf
        );
        is_sum || self.expression().is_comparison()
    }

    /// Whether one could be.
    pub(crate) fn has_carry(self) -> bool {
        self.returns_carry() || matches!(self, Operation::Neg | Operation::Shl)
    }
}

/// What contracts may begin with.
pub(crate) fn valid() -> String {
    let names = |family| {
        let own = |operation: Operation| format!("{}{}", operation.name(), operation.sizes());
        Operation::of(family).map(own).collect::<Vec<String>>().join(", ")
    };
    let [whole, modular, binary, over] =
        [Family::Whole, Family::Modular, Family::Binary, Family::BinaryModular].map(names);
    format!("{whole}, and with a MODULUS {modular}; over GF(2) {binary}, and with a POLYNOMIAL {over}")
}

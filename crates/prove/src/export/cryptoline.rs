//! CryptoLine (Fu, Liu, Shi, Tsai, Wang and Yang, CCS 2019): a typed program whose ranges and whose algebra are
//! checked apart.
//!
//! Each equation `low + 2^k high = right` becomes a sum in wide words, split at bit k. A difference has 2^k
//! added, so that it stays positive; then the high part is 1 less the borrow.

use super::Obligation;
use rhomb_certificate::{Expression, PatternProof, Step};
use rhomb_equations::Equation;
use rhomb_poly::{Polynomial, Variable};
use std::collections::BTreeSet;

struct Program<'a> {
    obligation: &'a Obligation,
    lines: Vec<String>,
    /// Number of auxiliary variables so far.
    temporaries: usize,
    /// Bits of the words in which sums are made.
    wide: u32,
}

pub(super) fn text(obligation: &Obligation, identity: &str, proof: Option<&PatternProof>) -> String {
    // a product of two words, and room for many of them
    let wide = if obligation.word_bits <= 16 { 64 } else { 128 };
    let mut program = Program { obligation, lines: Vec::new(), temporaries: 0, wide };
    for line in obligation.title(identity) {
        program.lines.push(format!("(* {line} *)"));
    }
    let words: BTreeSet<Variable> = obligation.operands.iter().flatten().copied().collect();
    let inputs: Vec<String> =
        words.iter().map(|word| format!("{} {}", program.kind(*word), name(*word))).collect();
    program.lines.push(format!("proc main ({}) =", inputs.join(", ")));
    program.lines.push("{ true && true }".to_owned());
    program.body(proof);
    let modulus = obligation.word_bits as usize * obligation.contract.result(obligation.word_bits) as usize;
    let words: Vec<String> = (0..obligation.result.len()).map(|column| format!("r{column}")).collect();
    let statement = program.statement(&words);
    let by_modulus = match (obligation.contract.modular(), obligation.contract.expression()) {
        // it is not said which operands are below the modulus: more is asked than has to hold
        (Some(modular), _) => format!(" (mod [{}])", modular.modulus.number()),
        (None, Expression::Product | Expression::Square) => format!(" (mod [2**{modulus}])"),
        (None, _) => String::new(),
    };
    program.lines.push(format!("{{ {statement}{by_modulus} && true }}"));
    program.lines.join("\n") + "\n"
}

fn name(variable: Variable) -> String {
    format!("v{}", variable.index())
}

impl Program<'_> {
    fn kind(&self, variable: Variable) -> String {
        if variable.is_bit() { "uint1".to_owned() } else { format!("uint{}", self.obligation.word_bits) }
    }

    fn temporary(&mut self) -> String {
        self.temporaries += 1;
        format!("t{}", self.temporaries)
    }

    fn put(&mut self, line: String) {
        self.lines.push(line + ";");
    }

    /// All variables in the order in which the code makes them, then the result's words.
    fn body(&mut self, proof: Option<&PatternProof>) {
        let graph = &self.obligation.execution.facts.graph;
        let claims: Vec<(usize, u8)> = proof
            .iter()
            .flat_map(|proof| &proof.steps)
            .filter_map(|step| match step {
                Step::Claim(claim) => Some((claim.variable as usize, claim.value)),
                _ => None,
            })
            .collect();
        for index in (0..graph.len()).filter(|index| self.obligation.needed[*index]) {
            let variable = graph.variable_at(index);
            match (graph.defining_low(index), graph.defining_high(index)) {
                (Some(equation), _) => {
                    self.equation(equation);
                    let high = equation.high.map(|(high, _)| high.index());
                    for claimed in [high, Some(index)].into_iter().flatten() {
                        for (_, value) in claims.iter().filter(|(variable, _)| *variable == claimed) {
                            self.constant(graph.variable_at(claimed), *value);
                        }
                    }
                }
                // comes with its low part
                (None, Some(_)) => {}
                (None, None) if self.obligation.is_operand(index) => {}
                (None, None) => self.put(format!("nondet {}@{}", name(variable), self.kind(variable))),
            }
        }
        for (column, word) in self.obligation.result.iter().enumerate() {
            let sum = self.sum(word, 0);
            self.put(format!("vpc uint{} r{column} {sum}", self.obligation.word_bits));
        }
    }

    /// First a question about ranges, then a fact for the algebra.
    fn constant(&mut self, variable: Variable, value: u8) {
        let width = if variable.is_bit() { 1 } else { self.obligation.word_bits };
        let name = name(variable);
        self.put(format!("assert true && eq {name} const {width} {value}"));
        self.put(format!("assume eq {name} {value} && eq {name} const {width} {value}"));
    }

    fn equation(&mut self, equation: &Equation) {
        let low = equation.low;
        let Some((high, factor)) = equation.high else {
            let sum = self.sum(&equation.right, 0);
            self.put(format!("vpc {} {} {sum}", self.kind(low), name(low)));
            return;
        };
        let places = factor.unsigned_abs().trailing_zeros();
        let sum = self.sum(&equation.right, if factor < 0 { -factor } else { 0 });
        let (upper, lower) = (self.temporary(), self.temporary());
        self.put(format!("spl {upper} {lower} {sum} {places}"));
        self.put(format!("vpc {} {} {lower}", self.kind(low), name(low)));
        if factor > 0 {
            self.put(format!("vpc {} {} {upper}", self.kind(high), name(high)));
        } else {
            let (wide, borrow) = (self.temporary(), self.temporary());
            self.put(format!("vpc uint{} {wide} {upper}", self.wide));
            self.put(format!("sub {borrow} 1@uint{} {wide}", self.wide));
            self.put(format!("vpc {} {} {borrow}", self.kind(high), name(high)));
        }
    }

    /// A wide variable with the value of a polynomial plus `more`: what counts up first, so that nothing in
    /// between is negative.
    fn sum(&mut self, polynomial: &Polynomial, more: i64) -> String {
        let mut terms: Vec<(Vec<Variable>, i64)> = polynomial
            .terms()
            .iter()
            .map(|(monomial, factor)| (monomial.variables().to_vec(), *factor))
            .collect();
        terms.sort_by_key(|(_, factor)| *factor < 0);
        let mut sum = self.temporary();
        self.put(format!("mov {sum} {more}@uint{}", self.wide));
        for (variables, factor) in terms {
            let mut product = self.temporary();
            self.put(format!("mov {product} {}@uint{}", factor.unsigned_abs(), self.wide));
            for variable in variables {
                let (wide, next) = (self.temporary(), self.temporary());
                self.put(format!("vpc uint{} {wide} {}", self.wide, name(variable)));
                self.put(format!("mul {next} {product} {wide}"));
                product = next;
            }
            let next = self.temporary();
            let operation = if factor < 0 { "sub" } else { "add" };
            self.put(format!("{operation} {next} {sum} {product}"));
            sum = next;
        }
        sum
    }

    fn statement(&self, result: &[String]) -> String {
        let Obligation { word_bits, operands, contract, .. } = self.obligation;
        let limbs = |words: &[String]| format!("limbs {word_bits} [{}]", words.join(", "));
        let number = |words: &[Variable]| limbs(&words.iter().map(|word| name(*word)).collect::<Vec<_>>());
        let (a, b) = (number(&operands[0]), number(operands.last().unwrap_or(&operands[0])));
        let length = contract.result(*word_bits) as usize;
        let (words, returned) = result.split_at(length);
        let carry = |sign: char| match returned {
            [carry] => format!(" {sign} {carry} * (2**{})", *word_bits as usize * length),
            _ => String::new(),
        };
        let scale = contract.shift(*word_bits);
        let words = if scale == 0 { limbs(words) } else { format!("({}) * (2**{scale})", limbs(words)) };
        let own = |operand: usize, number: &str| match contract.times(operand) {
            1 => format!("({number})"),
            times => format!("({number}) * {times}"),
        };
        match contract.expression() {
            Expression::Product | Expression::Square => format!("{words} = ({a}) * ({b})"),
            Expression::Sum => format!("({words}){} = {} + {}", carry('+'), own(0, &a), own(1, &b)),
            Expression::Difference => format!("({words}){} = {} - {}", carry('-'), own(0, &a), own(1, &b)),
            // never another one: see `Obligation::new`
            _ => match contract.times(0) {
                1 => format!("{words} = {a}"),
                _ => format!("{words} = {}", own(0, &a)),
            },
        }
    }
}

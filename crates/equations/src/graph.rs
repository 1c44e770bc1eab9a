//! Variables, and the equations that instructions give between them.

use rhomb_poly::{BoundedNumber, Polynomial, Variable};
use std::collections::{HashMap, HashSet};

/// An equation that holds for all inputs: `low + factor * high = right`.
///
/// It stands for one instruction: sum, carry out; product, high word; half, bit shifted out. `high` is
/// next older than `low` and everything in `right` is older than both, so equations can be substituted
/// from the youngest variable down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equation {
    /// The part of lowest weight.
    pub low: Variable,
    /// The rest; without one, `low = right`.
    pub high: Option<(Variable, i64)>,
    /// The other side.
    pub right: Polynomial,
}

/// What is known about a variable.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Its range is `0..=most`.
    most: u32,
    /// Index of the equation that it belongs to plus one, or 0 for an input.
    equation: u32,
    is_high: bool,
    /// Byte address of the instruction that made it.
    origin: u32,
}

/// What a variable costs, in terms: so many bytes at least does each term stand for.
const TERMS_OF_A_VARIABLE: u64 = 64;

/// All variables and equations of one execution.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    equations: Vec<Equation>,
    /// Pairs of bits of which one at most is 1, the older first.
    exclusive: HashSet<(Variable, Variable)>,
    /// Inputs that are below a bound as whole numbers.
    bounded: Vec<BoundedNumber>,
    /// Whether these are used: see [`crate::Equations::in_parts`].
    pub(crate) in_parts: bool,
    /// Terms that stand for all that was collected.
    terms: u64,
    /// Byte address of the current instruction.
    pub(crate) location: u32,
}

impl Graph {
    /// Byte address of the instruction that made a variable; for reports only.
    pub fn origin(&self, index: usize) -> u32 {
        self.nodes[index].origin
    }

    /// Number of variables.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no variable.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Terms that stand for all that was collected: memory and time are proportional to them.
    pub fn terms(&self) -> u64 {
        self.terms
    }

    /// Counts work that leaves nothing behind.
    pub fn spend(&mut self, terms: u64) {
        self.terms = self.terms.saturating_add(terms);
    }

    /// A new variable in `0..=most`, of which nothing else is known until an equation names it.
    pub fn variable(&mut self, most: u32) -> Variable {
        let index = self.nodes.len() as u32;
        assert!(index < Variable::MOST, "more variables than a proof can number");
        self.spend(TERMS_OF_A_VARIABLE);
        self.nodes.push(Node { most, equation: 0, is_high: false, origin: self.location });
        Variable::new(index, most <= 1)
    }

    /// Records an equation. Its variables must not have one yet.
    pub fn equate(&mut self, equation: Equation) {
        let number = self.equations.len() as u32 + 1;
        self.spend(equation.right.terms().len() as u64);
        let oldest = equation.high.map_or(equation.low, |(high, _)| high);
        debug_assert!(equation.right.variables().iter().all(|old| *old < oldest));
        self.nodes[equation.low.index()].equation = number;
        if let Some((high, _)) = equation.high {
            assert_eq!(high.index() + 1, equation.low.index(), "a low part follows its high part");
            self.nodes[high.index()].equation = number;
            self.nodes[high.index()].is_high = true;
        }
        self.equations.push(equation);
    }

    /// Records that of two bits one at most is 1, for all inputs.
    pub(crate) fn exclude(&mut self, older: Variable, younger: Variable) {
        debug_assert!(older < younger && older.is_bit() && younger.is_bit());
        self.exclusive.insert((older, younger));
    }

    /// Takes inputs for numbers that are below bounds.
    pub fn bound_numbers(&mut self, numbers: Vec<BoundedNumber>) {
        self.bounded = numbers;
    }

    /// Inputs that are below a bound as whole numbers.
    pub fn bounded_numbers(&self) -> &[BoundedNumber] {
        &self.bounded
    }

    /// Whether numbers may be multiplied in parts.
    pub fn in_parts(&self) -> bool {
        self.in_parts
    }

    /// Pairs of bits of which one at most is 1, the older first; in no order.
    pub fn exclusive(&self) -> impl Iterator<Item = (Variable, Variable)> {
        self.exclusive.iter().copied()
    }

    /// Whether it is known of two bits, the older first, that one at most is 1.
    pub(crate) fn is_exclusive(&self, older: Variable, younger: Variable) -> bool {
        self.exclusive.contains(&(older, younger))
    }

    /// Whether a product of variables in ascending order is zero, as it has two bits of which one at most is 1.
    pub fn is_zero(&self, product: &[Variable]) -> bool {
        self.in_parts && self.has_exclusive(product)
    }

    /// The same, whether or not numbers may be multiplied in parts.
    pub(crate) fn has_exclusive(&self, product: &[Variable]) -> bool {
        if self.exclusive.is_empty() {
            return false;
        }
        let mut bits = product.iter().enumerate().filter(|(_, own)| own.is_bit());
        bits.any(|(at, older)| {
            product[at + 1..].iter().any(|own| own.is_bit() && self.is_exclusive(*older, *own))
        })
    }

    /// The variable of an index.
    pub fn variable_at(&self, index: usize) -> Variable {
        Variable::new(index as u32, self.nodes[index].most <= 1)
    }

    /// All equations, in the order of their instructions.
    pub fn equations(&self) -> &[Equation] {
        &self.equations
    }

    /// Whether no equation defines a variable.
    pub(crate) fn is_input(&self, variable: Variable) -> bool {
        self.nodes[variable.index()].equation == 0
    }

    /// Largest value of a variable.
    pub fn most(&self, variable: Variable) -> i64 {
        self.nodes[variable.index()].most.into()
    }

    /// The equation in which a variable is the low part.
    pub fn defining_low(&self, index: usize) -> Option<&Equation> {
        let node = self.nodes[index];
        (!node.is_high).then(|| self.equations.get((node.equation as usize).wrapping_sub(1))).flatten()
    }

    /// The equation in which a variable is the high part.
    pub fn defining_high(&self, index: usize) -> Option<&Equation> {
        let node = self.nodes[index];
        node.is_high.then(|| self.equations.get((node.equation as usize).wrapping_sub(1))).flatten()
    }

    /// Least and largest value of a polynomial, term by term; `None` where it overflows.
    pub fn range(&self, polynomial: &Polynomial) -> Option<(i128, i128)> {
        polynomial.range(|variable| self.most(variable))
    }
}

/// What words were taken apart to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    /// For each variable that was cut the place, and the parts below and above.
    pub(crate) cut: HashMap<Variable, (u32, Variable, Variable)>,
    /// For words of which twice the word was taken, the carry, which is the highest bit.
    pub(crate) doubled: HashMap<Variable, Variable>,
}

impl Parts {
    /// The parts of a variable that stands at a place, lowest first, each with its place.
    pub(crate) fn of(&self, variable: Variable, place: u32, parts: &mut Vec<(u32, Variable)>) {
        match self.cut.get(&variable) {
            None => parts.push((place, variable)),
            Some((at, low, high)) => {
                self.of(*low, place, parts);
                self.of(*high, place + at, parts);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Equations;
    use rhomb_machine::{Domain, Fault};

    /// However long an execution is, it collects no more than the effort allows.
    #[test]
    fn what_is_collected_is_bounded() {
        for effort in [0, 100, 10_000, 100_000] {
            let mut domain = Equations::new(8);
            domain.set_effort(effort);
            let (x, y) = (domain.input(), domain.input());
            let mut steps = 0u64;
            let fault = loop {
                if let Err(fault) = domain.locate(steps) {
                    break fault;
                }
                domain.mul(&x, &y);
                steps += 1;
            };
            assert_eq!(fault, Fault::Effort { limit: effort });
            let most = effort / super::TERMS_OF_A_VARIABLE + 4;
            assert!(domain.graph.len() as u64 <= most && domain.graph.equations().len() as u64 <= most);
            assert!(steps >= effort / 200 && steps <= effort, "{steps} of {effort}");
        }
        // even what collects nothing comes to an end
        let mut domain = Equations::new(8);
        domain.set_effort(1000);
        assert_eq!((0..2000).take_while(|at| domain.locate(*at).is_ok()).count(), 1000);
    }
}

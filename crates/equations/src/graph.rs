//! Variables, and the equations that instructions give between them.

use rhomb_poly::{Polynomial, Variable};

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

/// All variables and equations of one execution.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    equations: Vec<Equation>,
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

    /// A new variable in `0..=most`, of which nothing else is known until an equation names it.
    pub fn variable(&mut self, most: u32) -> Variable {
        let index = self.nodes.len() as u32;
        assert!(index < Variable::MOST, "more variables than a proof can number");
        self.nodes.push(Node { most, equation: 0, is_high: false, origin: self.location });
        Variable::new(index, most <= 1)
    }

    /// Records an equation. Its variables must not have one yet.
    pub fn equate(&mut self, equation: Equation) {
        let number = self.equations.len() as u32 + 1;
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

    /// The variable of an index.
    pub fn variable_at(&self, index: usize) -> Variable {
        Variable::new(index as u32, self.nodes[index].most <= 1)
    }

    /// All equations, in the order of their instructions.
    pub fn equations(&self) -> &[Equation] {
        &self.equations
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

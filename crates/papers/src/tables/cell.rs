use super::{Paper, printed};
use crate::Fraction;

/// A table of a paper, or its formulas on one subject.
#[derive(Clone, Debug)]
pub struct Table {
    /// The number in the paper, or a word for what is in no table.
    pub name: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// What holds for all cells; sentences.
    pub about: &'static str,
    /// Row by row.
    pub cells: Vec<Cell>,
}

/// A cell of a table.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The row's heading.
    pub row: String,
    /// The column's heading.
    pub column: String,
    /// What the paper prints: a number, or its expression at these parameters. `None` is unknown.
    pub published: Option<Fraction>,
    /// What the paper's cost formula gives, corrected where the print is wrong; `None` where there is none.
    pub formula: Option<Fraction>,
    /// What a program of ours has to find.
    pub ours: Ours,
    /// Of all the numbers.
    pub unit: &'static str,
    /// What a reader should know, such as why the print is wrong; empty if nothing.
    pub note: String,
}

/// What a program of ours has to find for a cell.
#[derive(Clone, Debug)]
pub enum Ours {
    /// Nothing, for this reason.
    Nothing(&'static str),
    /// Something counted on a schedule, whatever the processor.
    Count(Way, Count),
    /// Something about a routine that is made and simulated.
    Program(Program, Quantity),
    /// Cycles of a field operation or a scalar multiplication.
    Field(FieldRun),
    /// Cycles of modular arithmetic.
    Modular(ModularRun),
    /// Those of the first over those of the second, per cent, to the nearest.
    ModularRatio(ModularRun, ModularRun),
}

/// A program of modular arithmetic on the TMS320VC5510.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ModularRun {
    /// `montmul` or `modexp`, the latter with an exponent of which every second bit is 1.
    pub operation: &'static str,
    /// Name of the method.
    pub method: &'static str,
    /// Splits of products; `None` is the fastest.
    pub levels: Option<u32>,
    /// Size of the modulus.
    pub bits: u32,
}

/// A program of field arithmetic on the extended MIPS32 core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FieldRun {
    /// What it computes.
    pub operation: FieldOperation,
    /// In GF(2^191), or over binary polynomials; else in GF(p) of P-192, or over the integers.
    pub binary: bool,
    /// With loops, as the paper has it; else in straight lines.
    pub looped: bool,
    /// With the subtraction of p that sums and products rarely or sometimes want.
    pub corrected: bool,
    /// Cycles that make one of the cell's unit.
    pub cycles: i64,
}

/// Operations of field arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // their names
pub enum FieldOperation {
    Sum,
    Product,
    Square,
    Reduction,
    ReducedProduct,
    ReducedSquare,
    MontgomeryProduct,
    MontgomerySquare,
    ScalarGeneric,
    ScalarOptimized,
    /// In straight lines, with the formulas of the paper.
    ScalarPublishedFormulas,
    /// In straight lines, nothing depending on scalar or point.
    ScalarConstantTime,
    /// A round of a product's inner loop.
    InnerLoop,
    /// A product without custom instructions.
    PlainProduct,
}

/// A method with its parameters and a size. What is `None` is no parameter, or is left open.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Way {
    /// Such as `operand-caching`.
    pub method: &'static str,
    /// Words of each operand.
    pub words: i64,
    /// Words of each operand in registers.
    pub cache: Option<i64>,
    /// Intermediate words that are added at once.
    pub carry_once: Option<i64>,
    /// Rows of a block.
    pub rows: Option<i64>,
    /// Side of the first block.
    pub initial_block: Option<i64>,
    /// Parts that the operands are split into once: 2 to 9 equal ones, or their shares as decimal digits.
    pub parts: Option<i64>,
}

/// A routine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Program {
    /// How it computes.
    pub way: Way,
    /// Size of an operand.
    pub bits: u32,
    /// The core.
    pub target: &'static str,
    /// Whether it has loops.
    pub looped: bool,
    /// How products are added up, where the processor has several ways and the paper one.
    pub accumulation: Option<&'static str>,
}

/// What is counted on a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Count {
    /// Loads of operands and intermediates, all registers forgotten as often as said.
    Loads(Afresh),
    /// Stores.
    Stores,
    /// Both.
    Accesses(Afresh),
    /// Loads in a part of row `p` of operand caching: 0 is the initial block, then the parts 1 to 4; the row
    /// begins with empty registers.
    PartLoads {
        /// Number of the row, from the lowest.
        p: i64,
        /// The part.
        part: usize,
    },
    /// Stores in such a part.
    PartStores {
        /// Number of the row, from the lowest.
        p: i64,
        /// The part.
        part: usize,
    },
    /// Registers for operand words and the accumulator.
    Registers,
    /// Words of the result that are loaded again.
    Intermediates,
    /// Additions of these words.
    Additions,
    /// Words of the result that are loaded again where each block of the hybrid method stores its whole
    /// accumulator.
    BlockIntermediates,
    /// Additions of these words, so many at once.
    BlockAdditions(i64),
}

/// When a paper's count takes it that nothing is left in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Afresh {
    /// At the beginning of a row.
    Row,
    /// At the beginning of a column, or block column.
    Column,
}

/// What is measured of a routine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Cycles of the body.
    Cycles,
    /// Bytes of code.
    Bytes,
    /// Executed loads.
    Load,
    /// Executed stores.
    Store,
    /// Executed multiplications.
    Multiply,
    /// Executed additions and subtractions.
    Add,
    /// All other executed instructions.
    Other,
}

impl Quantity {
    /// The unit of a cell.
    pub(super) fn unit(self) -> &'static str {
        match self {
            Quantity::Cycles => "cycles",
            Quantity::Bytes => "bytes",
            Quantity::Load => "loads",
            Quantity::Store => "stores",
            Quantity::Multiply => "multiplications",
            Quantity::Add => "additions",
            Quantity::Other => "instructions",
        }
    }

    /// The heading of a column.
    pub(super) fn heading(self) -> &'static str {
        match self {
            Quantity::Cycles => "cycles",
            Quantity::Bytes => "bytes",
            Quantity::Load => "load",
            Quantity::Store => "store",
            Quantity::Multiply => "multiply",
            Quantity::Add => "add",
            Quantity::Other => "other",
        }
    }
}

impl Count {
    /// The unit of a cell.
    fn unit(self) -> &'static str {
        match self {
            Count::Loads(_) | Count::PartLoads { .. } => "loads",
            Count::Stores | Count::PartStores { .. } => "stores",
            Count::Accesses(_) => "accesses",
            Count::Registers => "registers",
            Count::Intermediates | Count::BlockIntermediates => "words",
            Count::Additions | Count::BlockAdditions(_) => "additions",
        }
    }
}

impl Way {
    /// A method without parameters.
    pub(super) fn new(method: &'static str, words: i64) -> Way {
        Way { method, words, cache: None, carry_once: None, rows: None, initial_block: None, parts: None }
    }

    /// Operand scanning or product scanning, a register for a word of each operand.
    pub(super) fn scanning(method: &'static str, words: i64) -> Way {
        Way { cache: Some(1), ..Way::new(method, words) }
    }

    /// The hybrid method.
    pub(super) fn hybrid(words: i64, rows: i64) -> Way {
        Way { rows: Some(rows), ..Way::new("hybrid", words) }
    }

    /// Operand caching or consecutive operand caching, the block or strip of the remainder first.
    pub(super) fn caching(method: &'static str, words: i64, cache: i64, carry_once: i64) -> Way {
        Way {
            cache: Some(cache),
            carry_once: Some(carry_once),
            initial_block: Some(words % cache),
            ..Way::new(method, words)
        }
    }
}

impl Program {
    /// A straight line for the ATmega128.
    pub(super) fn new(way: Way, bits: u32) -> Program {
        Program { way, bits, target: "atmega128", looped: false, accumulation: None }
    }
}

impl Cell {
    /// A cell with what the data file says about it.
    pub(super) fn new(
        paper: Paper,
        table: &str,
        row: impl Into<String>,
        column: impl Into<String>,
        ours: Ours,
    ) -> Cell {
        let (row, column) = (row.into(), column.into());
        let unit = match &ours {
            Ours::Nothing(_) | Ours::Field(_) | Ours::Modular(_) => "cycles",
            Ours::ModularRatio(..) => "per cent",
            Ours::Count(_, count) => count.unit(),
            Ours::Program(_, quantity) => quantity.unit(),
        };
        let mut cell = Cell { row, column, published: None, formula: None, ours, unit, note: String::new() };
        if let Some(entry) = printed::entry(paper, table, &cell.row, &cell.column) {
            cell.published = entry.published().map(Fraction::from);
            cell = cell.note(entry.note());
        }
        cell
    }

    pub(super) fn published(self, value: impl Into<Fraction>) -> Cell {
        Cell { published: Some(value.into()), ..self }
    }

    pub(super) fn formula(self, value: impl Into<Fraction>) -> Cell {
        Cell { formula: Some(value.into()), ..self }
    }

    pub(super) fn unit(self, unit: &'static str) -> Cell {
        Cell { unit, ..self }
    }

    /// Adds a note to those that are there.
    pub(super) fn note(mut self, note: impl AsRef<str>) -> Cell {
        if !note.as_ref().is_empty() {
            if !self.note.is_empty() {
                self.note.push_str("; ");
            }
            self.note.push_str(note.as_ref());
        }
        self
    }

    /// Adds a note where the print and the formula differ.
    pub(super) fn wrong(self, note: impl AsRef<str>) -> Cell {
        match (self.published, self.formula) {
            (Some(published), Some(formula)) if published != formula => self.note(note),
            _ => self,
        }
    }
}

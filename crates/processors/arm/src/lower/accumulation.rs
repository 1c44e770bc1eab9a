//! How a multiplication's products are added up.

/// A way to add up products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accumulation {
    /// Column by column: three additions a product, into three words.
    Columns,
}

impl Accumulation {
    /// All ways.
    pub const ALL: [Accumulation; 1] = [Accumulation::Columns];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Accumulation::Columns => "columns",
        }
    }

    /// One line for people.
    pub fn summary(self) -> &'static str {
        match self {
            Accumulation::Columns => "column by column: three additions a product, into three words",
        }
    }

    /// The way of that name.
    pub fn named(name: &str) -> Option<Self> {
        Accumulation::ALL.into_iter().find(|way| way.name() == name)
    }
}

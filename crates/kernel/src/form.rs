//! How code is laid out.

/// How a routine's code is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// A straight line.
    Unrolled,
    /// Loops with public counts.
    Looped,
}

impl Form {
    /// All forms, the default first.
    pub const ALL: [Form; 2] = [Form::Unrolled, Form::Looped];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Form::Unrolled => "unrolled",
            Form::Looped => "looped",
        }
    }

    /// One line for people.
    pub fn summary(self) -> &'static str {
        match self {
            Form::Unrolled => "a straight line without loops: the fastest, and the largest",
            Form::Looped => "loops with public counts: small code whatever the size",
        }
    }

    /// The form of that name.
    pub fn named(name: &str) -> Option<Self> {
        Form::ALL.into_iter().find(|form| form.name() == name)
    }
}

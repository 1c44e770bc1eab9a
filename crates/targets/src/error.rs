//! What is told to the user when nothing is made.

/// What a user wrote, fit for one line of a message.
pub use rhomb_object::shown;
use std::fmt;

/// Why a request gives no result: one line that names the fault and what would be valid, and a hint
/// what to do about it. Nothing was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub struct Error {
    /// Who is to blame.
    pub kind: Kind,
    /// One line, without a final full stop.
    pub fault: String,
    /// One line, without a final full stop.
    pub hint: String,
}

/// Who is to blame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The request cannot be met as it stands.
    Request,
    /// The code does not do what its contract says, or what else was required.
    Evidence,
    /// Whether it does could not be told.
    Open,
}

impl Error {
    /// A request that cannot be met.
    pub fn request(fault: impl fmt::Display, hint: impl fmt::Display) -> Self {
        Error { kind: Kind::Request, fault: fault.to_string(), hint: hint.to_string() }
    }

    /// Code that failed its evidence.
    pub fn evidence(fault: impl fmt::Display, hint: impl fmt::Display) -> Self {
        Error { kind: Kind::Evidence, fault: fault.to_string(), hint: hint.to_string() }
    }

    /// What could not be told.
    pub fn open(fault: impl fmt::Display, hint: impl fmt::Display) -> Self {
        Error { kind: Kind::Open, fault: fault.to_string(), hint: hint.to_string() }
    }

    /// A name that stands for nothing: names the valid ones and suggests the nearest. `describe` is
    /// the command that says what the names mean.
    pub fn unknown(what: &str, given: &str, valid: &[&str], describe: &str) -> Self {
        Error::unknown_among(what, given, (valid, &[]), describe)
    }

    /// The same, where things have other names, too, which are suggested, and not listed.
    pub fn unknown_among(
        what: &str,
        given: &str,
        (valid, others): (&[&str], &[(&str, &str)]),
        describe: &str,
    ) -> Self {
        let names: Vec<&str> = valid.iter().copied().chain(others.iter().map(|(other, _)| *other)).collect();
        let hint = match nearest(given, &names) {
            Some(name) => format!("did you mean '{name}'?"),
            None => describe.to_owned(),
        };
        Error::request(format_args!("unknown {what} '{}'; valid: {}", shown(given), valid.join(", ")), hint)
    }

    /// The status that the command line ends with.
    pub fn status(&self) -> u8 {
        match self.kind {
            Kind::Evidence => 1,
            Kind::Request => 2,
            Kind::Open => 3,
        }
    }
}

/// The valid name that `given` was probably meant to be.
fn nearest<'a>(given: &str, valid: &[&'a str]) -> Option<&'a str> {
    let given = given.to_lowercase().replace('_', "-");
    let scored = valid.iter().map(|name| (strsim::jaro_winkler(&given, name), *name));
    scored.max_by(|x, y| x.0.total_cmp(&y.0)).filter(|(score, _)| *score > 0.75).map(|(_, name)| name)
}

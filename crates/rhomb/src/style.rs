//! Terminal styles, which the printer strips where they are not wanted.

use crate::verdict::{ConstantTime, Proof};
use anstyle::{AnsiColor, Style};

/// Names and figures.
pub(crate) const NAME: Style = Style::new().bold();
/// What is read last.
pub(crate) const QUIET: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();
const OPEN: Style = AnsiColor::Yellow.on_default();

/// That of a verdict.
pub(crate) fn of_proof(proof: Proof) -> Style {
    match proof {
        Proof::Proved => GOOD,
        Proof::Refuted => BAD,
        Proof::Unknown | Proof::NotRun => OPEN,
    }
}

/// That of a verdict on time.
pub(crate) fn of_time(time: ConstantTime) -> Style {
    match time {
        ConstantTime::Constant | ConstantTime::Balanced => GOOD,
        ConstantTime::Leaks => BAD,
        ConstantTime::DependsOnAddresses | ConstantTime::Unknown | ConstantTime::Unchecked => OPEN,
    }
}

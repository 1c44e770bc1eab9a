//! A core of the user's own: times of a core that nobody has published, from a text in TOML.

use rhomb_riscv::cores::{Core, RAM, Rules, Time, Times, Timing};
use rhomb_riscv::instructions::Extension;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Name of the core whose times a text may say.
pub(super) const NAME: &str = "rv32im";

/// What is wrong with such a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum OwnError {
    /// No TOML, or something else in it.
    #[error("line {line}: {what}")]
    Text {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// A part of the instruction set that there is not.
    #[error("no extension '{0}'; valid: {valid}", valid = names())]
    Extension(String),
    /// Cycles that it does not give.
    #[error("the cycles of {0} are missing")]
    Missing(&'static str),
    /// Fewer cycles than the next instruction has to wait.
    #[error("{0}: valid: 1 to 255 cycles, and no fewer than [cycles] has")]
    Cycles(&'static str),
}

fn names() -> String {
    Extension::ALL.map(|(_, name)| name).join(", ")
}

/// Instructions that take the same time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Group {
    Plain,
    Shift,
    Rotate,
    Mul,
    Mulh,
    Clmul,
    Load,
    Part,
    Store,
    Branch,
    Taken,
    Jal,
    Jalr,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    extensions: Vec<String>,
    cycles: BTreeMap<Group, u8>,
    #[serde(default)]
    latency: BTreeMap<Group, u8>,
    #[serde(default)]
    most: BTreeMap<Group, u8>,
    #[serde(default, rename = "unaligned-target")]
    unaligned_target: u8,
}

impl Text {
    fn times(&self, group: Group, name: &'static str, other: Option<Times>) -> Result<Times, OwnError> {
        let Some(&issue) = self.cycles.get(&group) else { return other.ok_or(OwnError::Missing(name)) };
        let more = |of: &BTreeMap<Group, u8>| of.get(&group).copied().unwrap_or(issue);
        let (latency, most) = (more(&self.latency), more(&self.most));
        if issue == 0 || latency < issue || most < issue {
            return Err(OwnError::Cycles(name));
        }
        let slowest = latency.checked_add(most - issue).ok_or(OwnError::Cycles(name))?;
        Ok([Time { issue, latency }, Time { issue: most, latency: slowest }])
    }
}

/// The core that a text describes. It says which `extensions` the core has; in `[cycles]`, after how many cycles the next
/// instruction can begin; in `[latency]`, where that is later, after how many one that reads the result; and in `[most]`
/// the most cycles of what depends on operands.
///
/// # Errors
/// A text that says something else, or not enough.
pub(super) fn core(text: &str) -> Result<Core, OwnError> {
    let own: Text = toml::from_str(text).map_err(|error| {
        let before = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = 1 + text.as_bytes()[..before].iter().filter(|byte| **byte == b'\n').count();
        OwnError::Text { line, what: error.message().replace('\n', "; ") }
    })?;
    let mut extensions = vec![Extension::I];
    for name in &own.extensions {
        let known = Extension::ALL.iter().find(|(_, known)| known == name);
        extensions.push(known.ok_or_else(|| OwnError::Extension(name.clone()))?.0);
    }
    let plain = own.times(Group::Plain, "plain", None)?;
    let load = own.times(Group::Load, "load", None)?;
    let lacks = |extension| (!extensions.contains(&extension)).then_some(plain);
    let carryless = own.times(Group::Clmul, "clmul", lacks(Extension::Zbc))?;
    let [product, high] = [
        own.times(Group::Mul, "mul", lacks(Extension::M))?,
        own.times(Group::Mulh, "mulh", lacks(Extension::M))?,
    ];
    let branch =
        [own.times(Group::Branch, "branch", None)?, own.times(Group::Taken, "taken (branches)", None)?];
    Ok(Core {
        name: NAME,
        description: "RISC-V with times from a file",
        about: None,
        extensions: Cow::Owned(extensions),
        ram: RAM,
        timing: Timing {
            plain,
            shift: own.times(Group::Shift, "shift", Some(plain))?,
            rotate: own.times(Group::Rotate, "rotate", Some(plain))?,
            product,
            high,
            carryless,
            load,
            part: own.times(Group::Part, "part", Some(load))?,
            store: own.times(Group::Store, "store", None)?,
            branches: [branch; 2],
            jump: own.times(Group::Jal, "jal", None)?,
            jump_register: own.times(Group::Jalr, "jalr", None)?,
            rules: Rules { unaligned_target: own.unaligned_target, ..Rules::default() },
        },
    })
}

//! The file of a suite: functions and their contracts, as TOML.

use super::Member;
use crate::contract;
use crate::error::{Error, shown};
use crate::verdict::Require;
use crate::verify::EFFORT;
use rhomb_machine::Interrupts;
use serde::Deserialize;
use std::collections::BTreeMap;

const HINT: &str = "`rhomb verify FILE --target T` writes such a file; `rhomb help proofs` describes it";

/// Functions with their contracts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suite {
    /// In the order of their names.
    pub members: Vec<Member>,
}

/// What holds where a suite says nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Defaults<'a> {
    /// The object file.
    pub file: Option<&'a str>,
    /// The core.
    pub target: Option<&'a str>,
    /// By which convention the functions are called.
    pub convention: Option<&'a str>,
    /// What is assumed about interrupts.
    pub interrupts: Option<Interrupts>,
    /// What the time of each function must be.
    pub require: Option<Require>,
    /// Effort for each proof.
    pub effort: Option<u64>,
}

/// What may be said once for all, with the functions, and of each function, with its contract.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Said {
    contract: Option<String>,
    symbol: Option<String>,
    calls: BTreeMap<String, String>,
    file: Option<String>,
    target: Option<String>,
    convention: Option<String>,
    interrupts: Option<Assumed>,
    effort: Option<u64>,
    require: Option<Require>,
    functions: BTreeMap<String, Entry>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Assumed {
    Any,
    Off,
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected a contract such as \"mul 256\", or a table of contract and symbol, calls, file, target, convention, interrupts, effort, require"
)]
enum Entry {
    Contract(String),
    Table(Box<Said>),
}

impl Suite {
    /// Reads it. What a function says goes before what the file says of all, and that before `defaults`.
    ///
    /// # Errors
    /// What is wrong with it, and in which line or at which function.
    pub fn parse(text: &str, defaults: Defaults<'_>) -> Result<Suite, Error> {
        let mut all: Said = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start).min(text.len());
            let line = 1 + text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count();
            let what = error.message().lines().next().unwrap_or_default().to_owned();
            Error::request(format_args!("line {line} of the contracts: {}", shown(&what)), HINT)
        })?;
        let functions = std::mem::take(&mut all.functions);
        if functions.is_empty() || all.contract.is_some() || all.symbol.is_some() || !all.calls.is_empty() {
            let fault = match functions.is_empty() {
                true => "the contracts name no function; valid: [functions], then f = \"mul 256\"",
                false => "contract, symbol and calls are of one function; valid: below [functions]",
            };
            return Err(Error::request(fault, HINT));
        }
        let members = functions.into_iter().map(|(name, entry)| member(name, entry, &all, defaults));
        Ok(Suite { members: members.collect::<Result<_, _>>()? })
    }
}

fn member(name: String, entry: Entry, all: &Said, defaults: Defaults<'_>) -> Result<Member, Error> {
    let own = match entry {
        Entry::Contract(contract) => Said { contract: Some(contract), ..Said::default() },
        Entry::Table(said) => *said,
    };
    let named =
        |error: Error| Error { fault: format!("functions.{}: {}", shown(&name), error.fault), ..error };
    let missing = |what: &str, example: &str| {
        named(Error::request(format_args!("no {what} is named; valid: {what} = \"{example}\""), HINT))
    };
    let given = |text: Option<&str>| text.map(str::to_owned);
    let contract = own.contract.filter(|_| own.functions.is_empty());
    let contract = contract.ok_or_else(|| missing("contract", "mul 256"))?;
    Ok(Member {
        contract: contract::parse(&contract).map_err(named)?,
        calls: own
            .calls
            .into_iter()
            .map(|(symbol, contract)| Ok((symbol, contract::parse(&contract).map_err(named)?)))
            .collect::<Result<_, Error>>()?,
        file: own
            .file
            .or(all.file.clone())
            .or(given(defaults.file))
            .ok_or_else(|| missing("file", "lib.o"))?,
        target: own
            .target
            .or(all.target.clone())
            .or(given(defaults.target))
            .ok_or_else(|| missing("target", "cortex-m4"))?,
        convention: own.convention.or(all.convention.clone()).or(given(defaults.convention)),
        interrupts: match own.interrupts.or(all.interrupts) {
            Some(Assumed::Off) => Interrupts::Off,
            Some(Assumed::Any) => Interrupts::Any,
            None => defaults.interrupts.unwrap_or(Interrupts::Any),
        },
        effort: own.effort.or(all.effort).or(defaults.effort).unwrap_or(EFFORT),
        require: own.require.or(all.require).or(defaults.require),
        symbol: own.symbol.unwrap_or_else(|| name.clone()),
    })
}

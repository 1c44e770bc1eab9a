//! The file of a suite: functions and their contracts, as TOML.

use super::Member;
use crate::contract;
use crate::error::{Error, shown};
use crate::verdict::Require;
use rhomb_certificate::EFFORT;
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
    /// What the time of each function must be.
    pub require: Option<Require>,
    /// Effort for each proof.
    pub effort: Option<u64>,
}

/// What may be said once for all, and of each function.
#[derive(Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Options {
    file: Option<String>,
    target: Option<String>,
    convention: Option<String>,
    interrupts: Option<Assumed>,
    effort: Option<u64>,
    require: Option<Require>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Assumed {
    Any,
    Off,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Text {
    file: Option<String>,
    target: Option<String>,
    convention: Option<String>,
    interrupts: Option<Assumed>,
    effort: Option<u64>,
    require: Option<Require>,
    #[serde(default)]
    functions: BTreeMap<String, Entry>,
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected a contract such as \"mul 256\", or a table of contract and symbol, file, target, convention, interrupts, effort, require"
)]
enum Entry {
    Contract(String),
    Table(Table),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Table {
    contract: String,
    symbol: Option<String>,
    file: Option<String>,
    target: Option<String>,
    convention: Option<String>,
    interrupts: Option<Assumed>,
    effort: Option<u64>,
    require: Option<Require>,
}

impl Suite {
    /// Reads it. What a function says goes before what the file says of all, and that before `defaults`.
    ///
    /// # Errors
    /// What is wrong with it, and in which line or at which function.
    pub fn parse(text: &str, defaults: Defaults<'_>) -> Result<Suite, Error> {
        let read: Text = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start).min(text.len());
            let line = 1 + text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count();
            let what = error.message().lines().next().unwrap_or_default().to_owned();
            Error::request(format_args!("line {line} of the contracts: {}", shown(&what)), HINT)
        })?;
        let Text { file, target, convention, interrupts, effort, require, functions } = read;
        let all = Options { file, target, convention, interrupts, effort, require };
        if functions.is_empty() {
            return Err(Error::request(
                "the contracts name no function; valid: [functions], then f = \"mul 256\"",
                HINT,
            ));
        }
        let members = functions.into_iter().map(|(name, entry)| member(name, entry, &all, defaults));
        Ok(Suite { members: members.collect::<Result<_, _>>()? })
    }
}

fn member(name: String, entry: Entry, all: &Options, defaults: Defaults<'_>) -> Result<Member, Error> {
    let (contract, symbol, own) = match entry {
        Entry::Contract(contract) => (contract, None, Options::default()),
        Entry::Table(table) => {
            let Table { contract, symbol, file, target, convention, interrupts, effort, require } = table;
            (contract, symbol, Options { file, target, convention, interrupts, effort, require })
        }
    };
    let named =
        |error: Error| Error { fault: format!("functions.{}: {}", shown(&name), error.fault), ..error };
    let missing = |what: &str, example: &str| {
        named(Error::request(format_args!("no {what} is named; valid: {what} = \"{example}\""), HINT))
    };
    let given = |text: Option<&str>| text.map(str::to_owned);
    let member = Member {
        contract: contract::parse(&contract).map_err(named)?,
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
        convention: own.convention.or(all.convention.clone()),
        interrupts: match own.interrupts.or(all.interrupts) {
            Some(Assumed::Off) => Interrupts::Off,
            Some(Assumed::Any) | None => Interrupts::Any,
        },
        effort: own.effort.or(all.effort).or(defaults.effort).unwrap_or(EFFORT),
        require: own.require.or(all.require).or(defaults.require),
        symbol: symbol.unwrap_or_else(|| name.clone()),
    };
    Ok(member)
}

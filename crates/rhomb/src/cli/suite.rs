//! `verify` of many functions: a list of those of a file, and a file of contracts.

use super::arguments::{VerdictFormat, Verify};
use super::check::{core, question};
use super::{Settings, print, progress, warn};
use rhomb::files::{self, Input};
use rhomb::suite::{self, Answer, Defaults, Guess, Listed, Member, Shard, Suite};
use rhomb::{Error, Limits, Question, Verification};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Verifies the functions of a file of contracts.
pub(super) fn verify(arguments: &Verify, settings: &Settings) -> Result<(), Error> {
    let path = arguments.contracts.as_deref().unwrap_or(Path::new("-"));
    let text = files::read(path, Input::Contracts)?;
    let text = String::from_utf8_lossy(&text);
    let given = arguments.file.as_ref().map(|file| file.to_string_lossy());
    let defaults = Defaults {
        file: given.as_deref(),
        target: arguments.target.as_deref(),
        convention: arguments.called.convention.as_deref(),
        interrupts: arguments.called.interrupts.map(Into::into),
        require: arguments.require.map(Into::into),
        effort: arguments.effort,
    };
    let mut members = Suite::parse(&text, defaults)?.members;
    if let Some(shard) = &arguments.shard {
        members = shard.parse::<Shard>()?.of(members);
    }
    let contents = objects(&members, path, given.as_deref())?;
    let answers = progress::during(settings, "proving the functions", |work| {
        work.each("proving the functions", &members, |member| {
            let found = one(member, &contents, arguments);
            Answer { member: member.clone(), found }
        })
    });
    if let Some(folder) = &arguments.certificates {
        files::write_all(&certificates(folder, &answers))?;
    }
    match arguments.format {
        VerdictFormat::Text if settings.quiet => {}
        VerdictFormat::Text => print(&suite::table(&answers))?,
        VerdictFormat::Json => answers.iter().try_for_each(|answer| print(&(answer.json() + "\n")))?,
        VerdictFormat::Sarif => print(&suite::sarif(&answers))?,
    }
    suite::fault(&answers).map_or(Ok(()), Err)
}

/// The content of the object files, each read once; those that the contracts name lie beside them.
fn objects(
    members: &[Member],
    contracts: &Path,
    given: Option<&str>,
) -> Result<BTreeMap<String, Vec<u8>>, Error> {
    let mut contents = BTreeMap::new();
    for member in members {
        if contents.contains_key(&member.file) {
            continue;
        }
        let beside =
            contracts.parent().map_or(PathBuf::from(&member.file), |folder| folder.join(&member.file));
        let path = if given == Some(&member.file) { PathBuf::from(&member.file) } else { beside };
        contents.insert(member.file.clone(), files::read(&path, Input::Object)?);
    }
    Ok(contents)
}

fn one(
    member: &Member,
    contents: &BTreeMap<String, Vec<u8>>,
    arguments: &Verify,
) -> Result<Verification, Error> {
    let start = Instant::now();
    let question = Question {
        file: contents.get(&member.file).map_or(&[], Vec::as_slice),
        symbol: &member.symbol,
        target: core(&member.target, &arguments.called)?,
        convention: member.convention.as_deref(),
        interrupts: member.interrupts,
    };
    let limits = Limits { effort: member.effort, ..Limits::default() };
    let mut found = rhomb::verify_with_calls(&question, &member.contract, &member.calls, limits)?;
    found.time_ms = start.elapsed().as_millis() as u64;
    Ok(found)
}

/// The certificates, each named for its function.
fn certificates<'a>(folder: &Path, answers: &'a [Answer]) -> Vec<(PathBuf, &'a str)> {
    let mut all: Vec<(PathBuf, &str)> = Vec::new();
    for Answer { member, found } in answers {
        let Some(written) = found.as_ref().ok().and_then(|found| found.written.as_ref()) else { continue };
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.$-".contains(&byte);
        let path = folder.join(format!("{}.json", member.symbol));
        let is_taken = all.iter().any(|(other, _)| *other == path);
        match member.symbol.bytes().all(plain) && !member.symbol.starts_with('.') && !is_taken {
            true => all.push((path, &written.text)),
            false => warn(&format!(
                "no certificate of '{}' is written: its name is no file's",
                member.symbol.escape_debug()
            )),
        }
    }
    all
}

/// SARIF of one function.
pub(super) fn sarif_of_one(
    arguments: &Verify,
    path: &Path,
    question: &Question<'_>,
    contract: rhomb::Contract,
    found: Verification,
) -> Result<(), Error> {
    let member = Member {
        symbol: question.symbol.to_owned(),
        contract,
        calls: Vec::new(),
        file: path.display().to_string(),
        target: question.target.name().to_owned(),
        convention: question.convention.map(str::to_owned),
        interrupts: question.interrupts,
        effort: arguments.effort.unwrap_or(rhomb::EFFORT),
        require: arguments.require.map(Into::into),
    };
    let answers = [Answer { member, found: Ok(found) }];
    print(&suite::sarif(&answers))?;
    suite::fault(&answers).map_or(Ok(()), Err)
}

/// Lists the functions of a file with contracts that calls do not refute, as a file of contracts.
pub(super) fn list(
    arguments: &Verify,
    path: &Path,
    file: &[u8],
    target: &str,
    settings: &Settings,
) -> Result<(), Error> {
    let core = core(target, &arguments.called)?;
    let all = suite::functions(file, core)?;
    let all = match &arguments.symbol {
        Some(symbol) => vec![Listed { symbol: symbol.clone(), bytes: 0 }],
        None => all,
    };
    let guesses = progress::during(settings, "calling the functions", |work| {
        work.each("calling the functions", &all, |listed| {
            let question = question((file, &listed.symbol), target, &arguments.called);
            let contract = question.and_then(|question| suite::guess(&question));
            Guess { listed: listed.clone(), contract }
        })
    });
    if let (Some(symbol), [guess]) = (&arguments.symbol, &guesses[..]) {
        let hint = match guess.contract.clone()? {
            Some(contract) => format!("no call refutes --contract \"{contract}\""),
            None => "`rhomb help contracts` says what a contract is".to_owned(),
        };
        return Err(Error::request(
            format_args!("no contract is given for {symbol}; valid: --contract C"),
            hint,
        ));
    }
    match arguments.format {
        VerdictFormat::Text if settings.quiet => Ok(()),
        VerdictFormat::Text => {
            let convention = arguments.called.convention.as_deref();
            print(&suite::listing((&path.display().to_string(), target, convention), &guesses)?)
        }
        VerdictFormat::Json => guesses.iter().try_for_each(|guess| print(&(guess.json() + "\n"))),
        VerdictFormat::Sarif => Err(Error::request(
            "--format sarif is for verdicts; valid for a list: text, json",
            "--contracts FILE verifies the functions of a list",
        )),
    }
}

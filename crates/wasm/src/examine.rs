//! Code that somebody wrote or changed: played and verified.

use rhomb::targets::{self, Assembled, Target};
use rhomb::{Error, Interrupts, Limits, Question, Verification, parse_contract};
use rhomb_object::ObjectFile;
use serde::Deserialize;
use serde_json::{Value, json};

/// A listing with its contract.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Listing {
    text: String,
    target: String,
    syntax: String,
    convention: Option<String>,
    contract: String,
    /// Chooses the operands of a call that is played.
    #[serde(default)]
    seed: u64,
}

/// An object file.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct File {
    /// In hexadecimal digits.
    file: String,
}

/// A function of an object file with its contract.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Function {
    file: String,
    symbol: String,
    target: String,
    convention: Option<String>,
    contract: String,
    /// Whether no interrupt comes.
    #[serde(default)]
    undisturbed: bool,
}

/// The machine code of a listing. Lines for the C preprocessor are left out: they stand in files for compilers alone.
pub(crate) fn assemble(target: &dyn Target, text: &str, syntax: &str) -> Result<Assembled, Error> {
    let bare = text.split('\n').map(|line| if line.starts_with('#') { "" } else { line });
    let bare = bare.collect::<Vec<_>>().join("\n");
    target.assemble(&bare, syntax).map_err(|fault| {
        let hint =
            "an edited line needs the spelling of the lines around it; labels stay where branches go to them";
        Error::request(fault, hint)
    })
}

/// Of each instruction its line and its address.
pub(crate) fn places(assembled: &Assembled) -> Value {
    json!(assembled.places)
}

impl Listing {
    /// One call, instruction by instruction.
    pub(crate) fn play(&self) -> Result<Value, Error> {
        let target = targets::find(&self.target)?;
        let contract = parse_contract(&self.contract)?;
        let assembled = assemble(target, &self.text, &self.syntax)?;
        let default = target.description().conventions()[0].name;
        let convention = self.convention.as_deref().unwrap_or(default);
        let subject = target
            .subject_within(&assembled.code, convention, MOST_PLAYED)
            .map_err(|fault| Error::request(fault, "see `rhomb list conventions`"))?;
        let played = subject.play(&contract, self.seed);
        Ok(
            json!({ "played": played, "places": places(&assembled), "word_bits": target.description().word_bits }),
        )
    }

    /// The verdict.
    pub(crate) fn verify(&self) -> Result<Value, Error> {
        let target = targets::find(&self.target)?;
        let contract = parse_contract(&self.contract)?;
        let assembled = assemble(target, &self.text, &self.syntax)?;
        let places = places(&assembled);
        let convention = self.convention.as_deref();
        let limits = Limits::default();
        let found = rhomb::verify_code("listing", target, convention, assembled.code, &contract, limits)?;
        let Value::Object(mut reply) = verdict(&found) else { return Ok(Value::Null) };
        reply.insert("places".to_owned(), places);
        Ok(Value::Object(reply))
    }
}

/// Instructions of a call that is shown; more is nothing to look at.
const MOST_PLAYED: u64 = 200_000;

/// A verdict with its text for people and its certificate.
fn verdict(found: &Verification) -> Value {
    let certificate = found.written.as_ref().map(|own| json!({ "text": own.text, "sha256": own.sha256 }));
    json!({
        "verification": found,
        "names": found.memory.names,
        "calls": found.calls,
        "certificate": certificate,
    })
}

impl File {
    /// Its functions, and the processor that it is for.
    pub(crate) fn functions(&self) -> Result<Value, Error> {
        let bytes = bytes(&self.file)?;
        let file = ObjectFile::parse(&bytes).map_err(|error| {
            Error::request(error, "an object file (ELF), as compilers and assemblers write it")
        })?;
        let names: Vec<String> = file.functions().map(|own| own.name.to_owned()).collect();
        Ok(json!({ "machine": file.machine().to_string(), "functions": names }))
    }
}

impl Function {
    /// The verdict.
    pub(crate) fn verify(&self) -> Result<Value, Error> {
        let bytes = bytes(&self.file)?;
        let question = Question {
            file: &bytes,
            symbol: &self.symbol,
            target: targets::find(&self.target)?,
            convention: self.convention.as_deref(),
            interrupts: if self.undisturbed { Interrupts::Off } else { Interrupts::Any },
        };
        Ok(verdict(&rhomb::verify(&question, &parse_contract(&self.contract)?)?))
    }
}

/// The bytes of hexadecimal digits.
fn bytes(digits: &str) -> Result<Vec<u8>, Error> {
    let bad = || Error::request("the file was not handed over as hexadecimal digits", "reload the page");
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let digit = |digit: u8| char::from(digit).to_digit(16).ok_or_else(bad);
    let byte = |[high, low]: &[u8; 2]| Ok((digit(*high)? << 4 | digit(*low)?) as u8);
    if rest.is_empty() { pairs.iter().map(byte).collect() } else { Err(bad()) }
}

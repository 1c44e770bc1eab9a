//! Requests for routines, as the page writes them.

use rhomb::{Error, Parameter, Parameters, Progress, Request, Work};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// A request for a routine; what is missing is chosen.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Wanted {
    operation: String,
    bits: usize,
    target: String,
    method: Option<String>,
    /// Numbers by the names of parameters, such as `carry-once`.
    parameters: BTreeMap<String, usize>,
    modulus: Option<String>,
    polynomial: Option<String>,
    curve: Option<String>,
    form: Option<String>,
    convention: Option<String>,
    syntax: Option<String>,
    /// Whether nothing is proved: the routine is there sooner.
    no_proof: bool,
}

/// The same for a chart.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Charted {
    pub(crate) about: String,
    pub(crate) wanted: Wanted,
}

impl Wanted {
    /// The same, to be proved.
    pub(crate) fn with_proof(&self) -> Wanted {
        Wanted { no_proof: false, ..self.clone() }
    }

    pub(crate) fn request(self) -> Result<Request, Error> {
        let mut parameters = Parameters::default();
        for (name, value) in &self.parameters {
            let names = || Parameter::ALL.map(|own| own.name());
            let own = Parameter::ALL.into_iter().find(|own| own.name() == name);
            own.ok_or_else(|| Error::unknown("parameter", name, &names(), "`rhomb list methods` has them"))?
                .set(&mut parameters, Some(*value));
        }
        Ok(Request {
            operation: self.operation,
            bits: self.bits,
            target: self.target,
            method: self.method,
            parameters,
            modulus: self.modulus,
            polynomial: self.polynomial,
            curve: self.curve,
            form: self.form,
            convention: self.convention,
            syntax: self.syntax,
            no_proof: self.no_proof,
            work: work(),
            ..Request::default()
        })
    }
}

/// A module has one thread.
pub(crate) fn work() -> Work {
    Work { jobs: Some(NonZeroUsize::MIN), told: Some(Arc::new(tell)) }
}

/// Tells the page how far the work is.
fn tell(progress: Progress) {
    let told = serde_json::json!({ "phase": progress.phase, "steps": progress.steps, "best": progress.best });
    crate::memory::tell(&told.to_string());
}

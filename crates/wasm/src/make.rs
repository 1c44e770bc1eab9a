//! Routines, pictures and charts.

use crate::examine::{assemble, places};
use crate::request::{Charted, Wanted};
use rhomb::{About, Error, Plan};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

thread_local! {
    /// The request that was planned last: its search is not done again for its picture and its proof.
    static LAST: RefCell<Option<(Wanted, Rc<Plan>)>> = const { RefCell::new(None) };
}

/// The plan of a request, proof or none; none of a whole program.
fn planned(wanted: &Wanted) -> Result<Option<Rc<Plan>>, Error> {
    let key = wanted.with_proof();
    let known = LAST.with_borrow(|last| {
        last.as_ref().filter(|(other, _)| *other == key).map(|(_, plan)| Rc::clone(plan))
    });
    if known.is_some() {
        return Ok(known);
    }
    let plan = rhomb::planned(&key.clone().request()?)?.map(Rc::new);
    LAST.set(plan.clone().map(|plan| (key, plan)));
    Ok(plan)
}

/// A routine: files, figures, verdicts, and where each instruction of the listing stands.
pub(crate) fn generate(wanted: &Wanted) -> Result<Value, Error> {
    let request = wanted.clone().request()?;
    let kernel = match planned(wanted)? {
        Some(plan) => rhomb::generate_planned(&plan, &request)?,
        None => rhomb::generate(&request)?,
    };
    let target = rhomb::targets::find(&request.target)?;
    let syntax = kernel.report.syntax.unwrap_or_default();
    let assembled = assemble(target, &kernel.assembly, syntax)?;
    Ok(json!({
        "name": kernel.name,
        "contract": kernel.contract,
        "report": kernel.report,
        "compared": rhomb::compared(&kernel.report),
        "saved": kernel.facts.saved,
        "calls": kernel.calls,
        "assembly": kernel.assembly,
        "extension": kernel.extension,
        "header": kernel.c_header,
        "command": kernel.command_line,
        "certificate": kernel.certificate.map(|own| json!({ "text": own.text, "sha256": own.sha256 })),
        "warnings": kernel.warnings,
        "places": places(&assembled),
    }))
}

/// The rhombus of the routine that is asked for, or a call of it, as SVG.
pub(crate) fn picture(wanted: &Wanted) -> Result<Value, Error> {
    match planned(wanted)? {
        Some(plan) => Ok(json!({ "svg": rhomb::draw_planned(&plan)? })),
        // of a whole program a call is drawn
        None => Ok(json!({ "svg": rhomb::draw(&wanted.clone().request()?)? })),
    }
}

/// A chart as SVG.
pub(crate) fn chart(charted: &Charted) -> Result<Value, Error> {
    let about = match charted.about.as_str() {
        "sizes" => About::Sizes,
        "caches" => About::Caches,
        "carry-once" => About::CarryOnce,
        "splits" => About::Splits,
        other => {
            let names = ["sizes", "caches", "carry-once", "splits"];
            return Err(Error::unknown("chart", other, &names, "`rhomb help draw` describes them"));
        }
    };
    Ok(json!({ "svg": rhomb::chart(&charted.wanted.clone().request()?, about)? }))
}

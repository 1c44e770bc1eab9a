//! The rhombus of a routine.

use crate::error::Error;
use crate::header;
use crate::plan::Plan;
use crate::request::Request;
use crate::targets::Target;
use rhomb_draw::{Caption, MOST_WORDS, rhombus};

/// The rhombus that the routine walks through, as SVG, with the loads and stores of the schedule that it
/// really follows; without a method that of the best walk. The routine is neither simulated nor proved.
///
/// # Errors
/// A request that cannot be met, or one for more words than a picture can show.
pub fn draw(request: &Request) -> Result<String, Error> {
    let target = crate::targets::find(&request.target)?;
    check_size(target, request.bits)?;
    draw_planned(&request.plan_walk()?)
}

/// The same of a routine whose choices are made.
///
/// # Errors
/// A routine that has no picture, or one of more words than a picture can show.
pub fn draw_planned(plan: &Plan) -> Result<String, Error> {
    check_size(plan.target, plan.contract.bits() as usize)?;
    let Some(schedule) = &plan.schedule else {
        let fault = format!(
            "{} by {} on {} has no picture; valid: mul in unrolled form, by one product of words after the other",
            plan.contract.operation().name(),
            header::method(plan),
            plan.target.name()
        );
        let hint = match plan.target.description().accumulations.iter().any(|way| way.name == "columns") {
            true => "--accumulation columns --form unrolled for mul",
            false => "--form unrolled for mul, without --method",
        };
        return Err(Error::request(fault, hint));
    };
    Ok(rhombus(schedule, &caption(plan)))
}

fn caption(plan: &Plan) -> Caption {
    let mut parts = vec![plan.way.name().to_owned()];
    parts.extend(plan.way.parameters().iter().map(|(name, value)| format!("{name} {value}")));
    parts.push(plan.form.name().to_owned());
    Caption {
        title: format!(
            "{}-bit {} for {}",
            plan.contract.bits(),
            plan.contract.operation().noun(),
            plan.target.name()
        ),
        subtitle: parts.join(", "),
    }
}

fn check_size(target: &dyn Target, bits: usize) -> Result<(), Error> {
    let most = MOST_WORDS * target.description().word_bits as usize;
    if bits > most {
        let fault = format!(
            "{} bits are {} words on {}; valid: 1 to {most} bits",
            bits,
            bits.div_ceil(target.description().word_bits as usize),
            target.name()
        );
        return Err(Error::request(
            fault,
            "no picture of more words can be read; --chart sizes goes further",
        ));
    }
    Ok(())
}

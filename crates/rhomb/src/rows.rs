//! What a request says of the rows of a walk: checked before and after the choice of the rest.

use crate::error::{Error, shown};
use crate::request::{Request, WalkFile};
use crate::targets::Target;
use rhomb_kernel::{Form, GIVEN, METHODS, Method, Operation, Parameters, Row, Strips};

/// What a request says of rows, their pointers or a trail, if it does.
pub(crate) fn option(request: &Request) -> Option<&'static str> {
    let Request { parameters, on_x, trail, walk, .. } = request;
    let given = [
        ("walk", walk.is_some()),
        ("strips", parameters.strips.is_some()),
        ("orders", parameters.orders.is_some()),
        ("on-x", on_x.is_some()),
        ("trail", trail.is_some()),
    ];
    given.into_iter().find(|(_, given)| *given).map(|(option, _)| option)
}

/// The array that X points to, if that was asked for and the target has a choice.
pub(crate) fn on_x(given: Option<&str>, target: &dyn Target) -> Result<Option<&'static str>, Error> {
    let Some(given) = given else { return Ok(None) };
    let hint = "leave --on-x out and the array with the fewest adjustments is taken";
    let names: Vec<&'static str> = target.description().on_x.iter().map(|array| array.name).collect();
    if names.is_empty() {
        let fault = format!("{} has no pointer X; valid: no --on-x", target.name());
        return Err(Error::request(fault, hint));
    }
    let known = names.iter().copied().find(|name| *name == given);
    known.ok_or_else(|| Error::unknown("array", given, &names, hint)).map(Some)
}

/// The rows of the file that a request names, if it does, for operands of `words` words.
pub(crate) fn given(
    request: &Request,
    operation: Operation,
    words: usize,
) -> Result<Option<Vec<Row>>, Error> {
    let Some(WalkFile { name, text }) = &request.walk else { return Ok(None) };
    if operation != GIVEN.operation {
        let fault = format!("{} has no --walk; valid: {}", operation.name(), GIVEN.operation.name());
        return Err(Error::request(fault, "a walk is one through all products of two operands"));
    }
    if let Some(method) = &request.method {
        let fault = format!("--method {} and --walk both say the rows; valid: one of them", shown(method));
        return Err(Error::request(fault, "leave --method out"));
    }
    // it becomes part of a command line, in a comment
    let is_plain = |letter: char| letter.is_alphanumeric() || "._+-".contains(letter);
    if !name.chars().all(is_plain) || name.is_empty() || name.starts_with('-') {
        let fault = format!("--walk '{}'; valid: a file's name of letters, digits and ._+-", shown(name));
        return Err(Error::request(fault, "the name stands in the command line of the routine's heading"));
    }
    let read = rhomb_kernel::text::rows(text, words);
    read.map(Some).map_err(|error| Error::request(format_args!("{name}, {error}"), error.hint.clone()))
}

/// Refuses widths and orders of what has no such rows, and widths that are not those of the operands.
pub(crate) fn check(
    parameters: &Parameters,
    method: Option<&Method>,
    form: Option<Form>,
    words: usize,
) -> Result<(), Error> {
    let given = [("strips", parameters.strips.is_some()), ("orders", parameters.orders.is_some())];
    let Some((option, _)) = given.into_iter().find(|(_, given)| *given) else { return Ok(()) };
    if let Some(method) = method.filter(|method| !method.free_rows) {
        let able: Vec<&str> = METHODS.iter().filter(|one| one.free_rows).map(|one| one.name).collect();
        let fault = format!("method {} has no --{option}; valid with {}", method.name, able.join(", "));
        return Err(Error::request(fault, format_args!("leave --{option} out")));
    }
    if form == Some(Form::Looped) {
        let fault =
            format!("--{option} with --form looped, where all rows are alike; valid: --form unrolled");
        return Err(Error::request(fault, format_args!("leave --{option} out")));
    }
    let Some(strips) = &parameters.strips else { return Ok(()) };
    let sum: usize = strips.iter().map(|width| usize::from(*width)).sum();
    if sum != words || strips.contains(&0) {
        let fault =
            format!("--strips {strips} are {sum} words; valid: widths of 1 or more with a sum of {words}");
        return Err(Error::request(fault, "as many strips as you like, the first row's first"));
    }
    check_block(strips, parameters, method)
}

/// Refuses other parameters that say a width, but the side of a square.
fn check_block(strips: &Strips, parameters: &Parameters, method: Option<&Method>) -> Result<(), Error> {
    let has_square = method.is_some_and(|method| method.name == crate::candidates::MIXED);
    let said = [
        ("initial-block", parameters.initial_block.filter(|_| !has_square)),
        ("narrow-strip", parameters.narrow_strip),
    ];
    if let Some((option, _)) = said.into_iter().find(|(_, value)| value.is_some()) {
        let fault = format!("--{option} and --strips both say a width; valid: one of them");
        return Err(Error::request(fault, format_args!("leave --{option} out")));
    }
    let Some(block) = parameters.initial_block else { return Ok(()) };
    let sides: Vec<usize> = strips
        .iter()
        .scan(0, |side, width| {
            *side += usize::from(*width);
            Some(*side)
        })
        .collect();
    if sides.contains(&block) {
        return Ok(());
    }
    let sides: Vec<String> = sides.iter().map(usize::to_string).collect();
    let fault = format!("--initial-block {block} cuts a strip of {strips}; valid: {}", sides.join(", "));
    Err(Error::request(fault, "the square takes whole strips"))
}

/// Refuses more orders than there are rows, or fewer, once the walk is known; one stands for all rows.
pub(crate) fn check_orders(method: &Method, words: usize, parameters: &Parameters) -> Result<(), Error> {
    let Some(orders) = parameters.orders.filter(|orders| orders.len() > 1) else { return Ok(()) };
    let rows = method.walk(words, parameters).map_or(0, |walk| walk.rows.len());
    if orders.len() == rows {
        return Ok(());
    }
    let fault = format!("--orders {} are {}; valid: 1 or {rows}", shown(&orders.to_string()), orders.len());
    Err(Error::request(fault, format_args!("{} makes {rows} rows", method.name)))
}

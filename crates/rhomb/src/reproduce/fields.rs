//! Field arithmetic on the extended MIPS32 core: single operations as `measure` counts them, and scalar multiplications.

use super::scalar;
use crate::error::Error;
use crate::generate::measure;
use crate::request::Request;
use rhomb_field::curve::{c2pnb191v1, p192};
use rhomb_field::program::{Doubling, Scalar, Scan, Strategy};
use rhomb_papers::tables::{FieldOperation, FieldRun};

/// The extended core, and the plain one.
pub(super) const EXTENDED: &str = "mips32-ise";
const PLAIN: &str = "mips32-4km";

/// What a program takes, in the units of its cell, rounded down; `None` where there is no such program.
pub(super) fn cycles(run: &FieldRun) -> Result<Option<i64>, Error> {
    use FieldOperation as Op;
    let of =
        |prime: &str, binary: &str| function(run, EXTENDED, if run.binary { binary } else { prime }, None);
    let (product, square) = (("mul 192", "gf2mul 192"), ("sqr 192", "gf2sqr 192"));
    let columns = Some("product-scanning");
    let kernel = |(prime, binary): (&str, &str)| match run.binary {
        true => function(run, EXTENDED, binary, None),
        false => function(run, EXTENDED, prime, columns),
    };
    let cycles = match run.operation {
        Op::Sum => of("modadd p192", "gf2add 191"),
        Op::Product => kernel(product),
        Op::Square => kernel(square),
        Op::Reduction => of("modreduce p192", "gf2modreduce t191"),
        Op::ReducedProduct => of("modmul p192", "gf2modmul t191"),
        Op::ReducedSquare => of("modsqr p192", "gf2modsqr t191"),
        Op::MontgomeryProduct => of("montmul p192", "gf2montmul t191"),
        Op::MontgomerySquare => of("montsqr p192", "gf2montsqr t191"),
        Op::InnerLoop => inner_loop(run),
        Op::PlainProduct => match (run.binary, run.looped) {
            (true, true) => return Ok(None),
            (true, false) => function(run, PLAIN, product.1, None),
            (false, true) => function(run, PLAIN, product.0, Some("operand-scanning")),
            (false, false) => function(run, PLAIN, product.0, columns),
        },
        Op::ScalarGeneric => multiple(run, Strategy::Montgomery, Scan::Branches, Doubling::General),
        Op::ScalarOptimized if run.looped => {
            multiple(run, Strategy::Special, Scan::Branches, Doubling::General)
        }
        Op::ScalarOptimized => multiple(run, Strategy::Special, Scan::Branches, Doubling::Short),
        Op::ScalarPublishedFormulas => multiple(run, Strategy::Special, Scan::Branches, Doubling::General),
        Op::ScalarConstantTime => multiple(run, Strategy::Special, Scan::Masks, Doubling::Short),
    }?;
    Ok(Some(cycles as i64 / run.cycles))
}

/// The cycles of a routine for an operation and a size, at best, or at worst where that is asked for.
fn function(run: &FieldRun, target: &str, what: &str, method: Option<&str>) -> Result<u64, Error> {
    let (operation, size) = what.split_once(' ').unwrap_or((what, ""));
    let bits = size.parse().unwrap_or(0);
    let is_binary = operation.starts_with("gf2");
    let named = |wanted: bool| (bits == 0 && wanted).then(|| size.to_owned());
    let form = if run.looped { "looped" } else { "unrolled" };
    let request = Request {
        operation: operation.into(),
        bits,
        modulus: named(!is_binary),
        polynomial: named(is_binary),
        target: target.into(),
        form: Some(form.into()),
        method: method.map(str::to_owned),
        ..Request::default()
    };
    let cycles = measure(&request)?.report.cycles;
    Ok(if run.corrected { cycles.function_max } else { cycles.function_min })
}

/// What one more word in every column makes: a product of n words takes n^2 rounds, and a time linear in n beside them, so
/// that the second difference is two rounds.
fn inner_loop(run: &FieldRun) -> Result<u64, Error> {
    let name = if run.binary { "gf2mul" } else { "mul" };
    let method = (!run.binary).then_some("product-scanning");
    let of = |words: u32| function(run, EXTENDED, &format!("{name} {}", 32 * words), method);
    Ok((of(5)? + of(7)? - 2 * of(6)?) / 2)
}

fn multiple(run: &FieldRun, strategy: Strategy, scan: Scan, doubling: Doubling) -> Result<u64, Error> {
    let curve = if run.binary { c2pnb191v1() } else { p192() };
    scalar::cycles(EXTENDED, &Scalar { curve: &curve, strategy, doubling, scan, bits: 32 }, run.looped)
}

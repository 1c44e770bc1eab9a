//! Cycle figures from papers and from other people's code, to show beside our own.
//!
//! The data are the files in `figures/`: one for each paper, `records.toml` for the best that is
//! known otherwise on AVR, `peers.toml` for that on other cores, in fields and of programs, `cores.toml` for the cores they hold for. Every [`Figure`] says where it is
//! from, what its cycles include and how it is known. Cycles computed by this project's own
//! generator never enter here.
//!
//! [`records`] has the best of them for each operation. [`tables`] has the papers' tables cell by cell, [`formulas`] their cost formulas: as printed, and corrected.
//!
//! ```
//! use rhomb_papers::{Scope, best_published, published};
//!
//! let paper = published("atmega128", "operand-caching", Some(10), 1, 160).unwrap();
//! assert_eq!((paper.cycles, paper.scope), (2395, Scope::Body));
//! let best = best_published("atmega128", "mul", 160, Scope::Function).unwrap();
//! assert_eq!((best.cycles, best.status.as_str()), (2466, "measured"));
//! ```

mod cores;
mod data;
mod figure;
pub mod formulas;
mod fraction;
mod load;
pub mod records;
pub mod tables;

pub use figure::{Figure, Method, Mix, Parameters, Scope, Status, Verdict};
pub use fraction::Fraction;

use std::sync::LazyLock;

/// The data files; where two sources print the same figure, the earlier file is cited.
const FILES: [&str; 4] =
    [data::text!("hutter-wenger"), data::text!("arm"), data::text!("seo-kim"), data::text!("records")];

/// Every figure, of every status, in the order of the files.
pub fn figures() -> &'static [Figure] {
    static FIGURES: LazyLock<Vec<Figure>> = LazyLock::new(|| {
        let load = |text| load::figures(text).expect("the tests load every file");
        FILES.into_iter().flat_map(load).collect()
    });
    &FIGURES
}

/// The figures that hold for `core`, of every status, in the order of the files.
pub fn of_core(core: &str) -> impl Iterator<Item = &'static Figure> + '_ {
    figures().iter().filter(move |figure| cores::holds(figure, core))
}

/// The fewest cycles known for `operation` (`mul`, `sqr`) at `bits` on `core`, a core such as
/// `atmega128` or a family such as `atmega`; by any method. Known means printed in one of the
/// papers, measured or counted: neither formulas nor claims, for which see [`best_claimed`]. Code that is refuted is
/// no code for `operation`: see [`refuted`].
///
/// `None` when nothing is known for just this size and scope; cycles of one scope say nothing about
/// the other.
pub fn best_published(core: &str, operation: &str, bits: u32, scope: Scope) -> Option<Figure> {
    let known = [Status::Published, Status::Measured, Status::Counted];
    best(core, operation, bits, scope, &known)
}

/// As [`best_published`], among the figures that others claim and that could not be run.
pub fn best_claimed(core: &str, operation: &str, bits: u32, scope: Scope) -> Option<Figure> {
    best(core, operation, bits, scope, &[Status::Claimed])
}

/// The fewest cycles of code for `operation` that was found to be wrong, as [`best_published`] would count them.
pub fn refuted(core: &str, operation: &str, bits: u32, scope: Scope) -> Option<Figure> {
    of_core(core)
        .filter(|figure| figure.operation == operation && figure.bits == bits && figure.scope == scope)
        .filter(|figure| figure.verdict == Verdict::Refuted)
        .min_by_key(|figure| figure.cycles)
        .cloned()
}

fn best(core: &str, operation: &str, bits: u32, scope: Scope, status: &[Status]) -> Option<Figure> {
    figures()
        .iter()
        .filter(|figure| cores::holds(figure, core))
        .filter(|figure| figure.operation == operation && figure.bits == bits && figure.scope == scope)
        .filter(|figure| status.contains(&figure.status) && figure.verdict != Verdict::Refuted)
        .min_by_key(|figure| figure.cycles)
        .cloned()
}

/// What a paper prints for a multiplication by just this method with just these parameters.
///
/// `cache` is in words, `None` for a method that has no such parameter; `carry_once` is the number
/// of intermediate words added at a time, 1 for none of that, and does not matter to a method
/// without intermediate words. Never a formula's value, a measurement, or a figure whose parameters
/// are not printed.
pub fn published(core: &str, method: &str, cache: Option<u32>, carry_once: u32, bits: u32) -> Option<Figure> {
    let same = |wanted: &Method| {
        let parameters = wanted.parameters.as_ref();
        wanted.name == method
            && parameters.is_some_and(|p| p.cache == cache && p.carry_once.is_none_or(|c| c == carry_once))
    };
    figures()
        .iter()
        .filter(|figure| figure.status == Status::Published && figure.operation == "mul")
        .filter(|figure| figure.bits == bits && cores::holds(figure, core))
        .find(|figure| figure.method.as_ref().is_some_and(same))
        .cloned()
}

/// The fewest cycles that a paper prints for a multiplication by `method`, whatever its parameters and
/// variant: what to compare with where [`published`] knows nothing for just the same parameters.
pub fn best_of_method(core: &str, method: &str, bits: u32, scope: Scope) -> Option<Figure> {
    figures()
        .iter()
        .filter(|figure| figure.status == Status::Published && figure.operation == "mul")
        .filter(|figure| figure.bits == bits && figure.scope == scope && cores::holds(figure, core))
        .filter(|figure| figure.method.as_ref().is_some_and(|own| own.name == method))
        .min_by_key(|figure| figure.cycles)
        .cloned()
}

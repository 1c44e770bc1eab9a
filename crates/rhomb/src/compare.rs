//! What others report for the same operation, to stand beside our figures and never among them.

use crate::report::Report;
use rhomb_kernel::Operation;
use rhomb_papers::{Figure, Scope, best_of_method, best_published, published, refuted};
use serde::Serialize;

/// Others' figures for one of our numbers of cycles.
#[derive(Clone, Debug, Default)]
pub(crate) struct Others {
    /// Printed for the same method: with the same parameters, or else the best with any.
    pub(crate) same_method: Option<Figure>,
    /// The best of any method.
    pub(crate) best: Option<Figure>,
    /// Code with fewer cycles than that which is wrong.
    pub(crate) refuted: Option<Figure>,
}

/// Others' figures for what `report` is about.
pub(crate) fn others(report: &Report, scope: Scope) -> Others {
    let Ok(bits) = u32::try_from(report.bits) else { return Others::default() };
    let parameter =
        |name: &str| report.parameters.get(name).and_then(|value| u32::try_from(value.as_u64()?).ok());
    // what papers print for a method is about multiplication
    let method = report.method.filter(|_| report.operation == Operation::Mul.name());
    let same_method = method.and_then(|method| {
        published(report.target, method, parameter("cache"), parameter("carry_once").unwrap_or(1), bits)
            .filter(|figure| figure.scope == scope)
            .or_else(|| best_of_method(report.target, method, bits, scope))
    });
    let best = best_published(report.target, report.operation, bits, scope);
    let refuted = refuted(report.target, report.operation, bits, scope)
        .filter(|wrong| best.as_ref().is_none_or(|best| wrong.cycles < best.cycles));
    Others { same_method, best, refuted }
}

/// Where a figure is from, how it is known, and what it is for if the parameters are not ours.
pub(crate) fn origin(figure: &Figure, report: &Report) -> String {
    let mut text = format!("{}, {}, {}", figure.source, figure.status, figure.verdict);
    let Some(method) = &figure.method else { return text };
    let same = report.method == Some(method.name.as_str());
    let named = figure.source.to_lowercase().contains(&method.name);
    if !same && !named && method.name != "unknown" {
        text.push_str(&format!(", {}", method.name));
    }
    if let Some(variant) = &method.variant {
        text.push_str(&format!(", {variant}"));
    }
    if let Some(parameters) = &method.parameters {
        for (name, value) in [("cache", parameters.cache), ("carry_once", parameters.carry_once)] {
            let ours = report.parameters.get(name).and_then(|ours| u32::try_from(ours.as_u64()?).ok());
            if let Some(value) = value.filter(|value| Some(*value) != ours) {
                text.push_str(&format!(", {} {value}", name.replace('_', "-")));
            }
        }
    }
    text
}

/// A figure of others beside one of ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Compared {
    /// What both include.
    pub scope: Scope,
    /// Ours.
    pub ours: u64,
    /// Theirs.
    pub cycles: u64,
    /// Which it is: the best of the same method, the best of any, or fewer cycles of code that is wrong.
    pub of: &'static str,
    /// Where it is from, how it is known, and whether it was verified.
    pub origin: String,
    /// What a reader of it should know.
    pub note: Option<String>,
}

/// What others report for the same operation, for body and function.
pub fn compared(report: &Report) -> Vec<Compared> {
    let both = [(Scope::Body, report.cycles.body), (Scope::Function, report.cycles.function_max)];
    let of_scope = |(scope, ours)| {
        let Others { same_method, best, refuted } = others(report, scope);
        let all = [("same method", same_method), ("any method", best), ("wrong", refuted)];
        all.into_iter().filter_map(move |(of, figure)| {
            let figure = figure?;
            let origin = origin(&figure, report);
            Some(Compared { scope, ours, cycles: figure.cycles, of, origin, note: figure.note })
        })
    };
    both.into_iter().flat_map(of_scope).collect()
}

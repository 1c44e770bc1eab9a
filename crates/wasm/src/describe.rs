//! What there is.

use rhomb::targets::{self, Target};
use rhomb::{Error, ModularOperation};
use rhomb_papers::tables::Table;
use serde::Deserialize;
use serde_json::{Value, json};

/// Targets, operations, methods, and the names of moduli and polynomials.
pub(crate) fn list() -> Value {
    let operations: Vec<Value> = rhomb::operations()
        .map(|(name, summary)| json!({ "name": name, "summary": summary, "family": family(name) }))
        .collect();
    let papers: Vec<Value> = rhomb_papers::tables::Paper::ALL
        .into_iter()
        .map(|paper| {
            let tables = paper.tables();
            let tables: Vec<Value> = tables.iter().map(table).collect();
            json!({ "name": paper.name(), "tables": tables })
        })
        .collect();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "targets": targets::all().map(target).collect::<Vec<_>>(),
        "others": targets::others(),
        "operations": operations,
        "methods": methods(),
        "moduli": rhomb::moduli(),
        "polynomials": rhomb::polynomials(),
        "curves": rhomb::curves(),
        "papers": papers,
    })
}

/// What says the size of an operation: bits, a modulus, a polynomial, or a curve.
fn family(name: &str) -> &'static str {
    use rhomb::Family;
    let own = rhomb::Operation::ALL.iter().find(|own| own.name() == name);
    match own.map(|own| own.family()) {
        Some(Family::Modular) => "modulus",
        Some(Family::BinaryModular) => "polynomial",
        Some(Family::Whole | Family::Binary) => "bits",
        None if name == "x25519" => "none",
        None if rhomb::has_curve(name) => "curve",
        None => "bits",
    }
}

/// The module of the page that has a target: its feature.
fn module(target: &dyn Target) -> &'static str {
    match target.description().processor {
        "ARM" => "arm",
        "MIPS32" => "mips",
        "RISC-V" => "riscv",
        "C55x" => "c55x",
        _ => "avr",
    }
}

/// A table, with the module that can measure its programs.
fn table(table: &Table) -> Value {
    let core = rhomb::cores(table).into_iter().find_map(|core| targets::find(core).ok());
    json!({ "name": table.name, "title": table.title, "module": core.map(module) })
}

fn target(target: &'static dyn Target) -> Value {
    let about = target.description();
    json!({
        "name": about.name,
        "summary": about.stated(),
        "processor": about.processor,
        "module": module(target),
        "word_bits": about.word_bits,
        "has_multiplier": about.has_multiplier,
        "conventions": about.conventions().iter().map(|own| json!([own.name, own.summary])).collect::<Vec<_>>(),
        "syntaxes": about.syntaxes().iter().map(|own| json!([own.name, own.summary])).collect::<Vec<_>>(),
    })
}

fn methods() -> Vec<Value> {
    let own = rhomb::methods().iter().map(|method| {
        json!({
            "name": method.name,
            "summary": method.summary,
            "operation": method.operation.name(),
            "parameters": method.parameters.iter().map(|own| own.name()).collect::<Vec<_>>(),
            "source": method.source,
        })
    });
    let modular = ModularOperation::ALL.into_iter().flat_map(|operation| {
        operation.methods().iter().map(move |method| {
            json!({
                "name": method.name,
                "summary": method.summary,
                "operation": operation.name(),
                "parameters": method.parameters,
                "source": method.source,
            })
        })
    });
    own.chain(modular).collect()
}

/// Tables of a paper that are asked for.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Paper {
    paper: String,
    table: Option<String>,
}

impl Paper {
    /// What is published, what formulas give, and what is measured here.
    pub(crate) fn tables(&self) -> Result<Value, Error> {
        let made = rhomb::reproduce(&self.paper, self.table.as_deref(), &crate::request::work())?;
        let tables = made.tables.iter().map(
            |own| json!({ "name": own.name, "title": own.title, "about": own.about, "cells": own.cells }),
        );
        Ok(json!({ "title": made.title, "tables": tables.collect::<Vec<_>>() }))
    }
}

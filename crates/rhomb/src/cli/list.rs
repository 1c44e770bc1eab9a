//! `list`.

use super::arguments::{Format, List, Subject};
use super::print;
use rhomb::{Error, Method, ModularOperation, operations, targets};
use serde::Serialize;

/// A thing that can be named in a request.
#[derive(Serialize)]
struct Entry {
    name: &'static str,
    summary: String,
    /// What a method computes; nothing for all else.
    #[serde(skip_serializing_if = "Option::is_none")]
    operation: Option<&'static str>,
    /// Parameters of a method; nothing for all else.
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'static str>,
    /// Other names of a target or a method.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<&'static str>,
}

/// The other names of a thing.
fn others(name: &str, known: &'static [(&'static str, &'static str)]) -> Vec<&'static str> {
    known.iter().filter(|(_, own)| *own == name).map(|(other, _)| *other).collect()
}

pub(super) fn list(arguments: &List) -> Result<(), Error> {
    let entries = entries(arguments.what);
    match arguments.format {
        Format::Json => {
            let text = serde_json::to_string(&entries)
                .map_err(|error| Error::request(error, "this is a fault of rhomb; please report it"))?;
            print(&(text + "\n"))
        }
        Format::Text => print(&text(&entries)),
    }
}

fn text(entries: &[Entry]) -> String {
    let width = entries.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for Entry { name, summary, operation, parameters, source, others } in entries {
        let operation = operation.map(|operation| format!("{operation}: ")).unwrap_or_default();
        text.push_str(&format!("{name:width$}  {operation}{summary}\n"));
        if let Some(parameters) = parameters.as_ref().filter(|list| !list.is_empty()) {
            text.push_str(&format!("{:width$}  {}\n", "", parameters.join(" ")));
        }
        if !others.is_empty() {
            text.push_str(&format!("{:width$}  also {}\n", "", others.join(", ")));
        }
        if let Some(source) = source {
            text.push_str(&format!("{:width$}  {source}\n", ""));
        }
    }
    text
}

fn entries(what: Subject) -> Vec<Entry> {
    let plain = |name, summary: &str| Entry {
        name,
        summary: summary.to_owned(),
        operation: None,
        parameters: None,
        source: None,
        others: Vec::new(),
    };
    match what {
        Subject::Targets => targets::all()
            .map(|target| Entry {
                others: others(target.name(), targets::others()),
                ..plain(target.name(), &target.description().stated())
            })
            .collect(),
        Subject::Operations => operations().map(|(name, summary)| plain(name, summary)).collect(),
        Subject::Conventions => {
            let mut entries: Vec<Entry> = Vec::new();
            for convention in targets::all().flat_map(|target| target.description().conventions()) {
                if !entries.iter().any(|entry| entry.name == convention.name) {
                    entries.push(plain(convention.name, convention.summary));
                }
            }
            entries
        }
        Subject::Methods => rhomb::methods()
            .iter()
            .map(|method| Entry {
                name: method.name,
                summary: method.summary.to_owned(),
                operation: Some(method.operation.name()),
                parameters: Some(parameters(method)),
                source: Some(method.source),
                others: others(method.name, rhomb::other_methods()),
            })
            .chain(modular_methods())
            .collect(),
    }
}

/// Options that the method has.
fn parameters(method: &Method) -> Vec<String> {
    let rows: &[&str] = if method.free_rows { &["strips", "orders"] } else { &[] };
    let numbers = method.parameters.iter().map(|parameter| parameter.name());
    numbers.chain(rows.iter().copied()).map(|name| format!("--{name}")).collect()
}

/// Methods of modular arithmetic; those of Montgomery squaring are those of multiplication.
fn modular_methods() -> impl Iterator<Item = Entry> {
    let of = |operation: ModularOperation| {
        operation.methods().iter().map(move |method| Entry {
            name: method.name,
            summary: method.summary.to_owned(),
            operation: Some(operation.name()),
            parameters: Some(method.parameters.iter().map(|name| format!("--{name}")).collect()),
            source: Some(method.source),
            others: Vec::new(),
        })
    };
    [ModularOperation::Multiply, ModularOperation::Exponentiate, ModularOperation::Private]
        .into_iter()
        .flat_map(of)
}

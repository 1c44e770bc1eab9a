//! From the text of a data file to figures.

use crate::{Figure, Method, Mix, Parameters, Scope, Status, Verdict, cores};
use serde::Deserialize;

/// What an entry may leave to its file's head.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    source: Option<String>,
    family: Option<String>,
    operation: Option<String>,
    scope: Option<Scope>,
    figure: Vec<Entry>,
}

/// Figures for several sizes that agree in all else: `cycles[i]` belongs to `bits[i]`, and to `fields[i]` where there are
/// moduli, polynomials or curves.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    source: Option<String>,
    family: Option<String>,
    operation: Option<String>,
    scope: Option<Scope>,
    status: Status,
    #[serde(default)]
    verdict: Verdict,
    #[serde(default)]
    branches: bool,
    method: Option<String>,
    variant: Option<String>,
    parameters: Option<Parameters>,
    fields: Option<Vec<String>>,
    bits: Vec<u32>,
    cycles: Vec<u64>,
    mix: Option<Mix>,
    note: Option<String>,
}

/// The figures of a file's text; what is wrong with it otherwise.
pub(crate) fn figures(text: &str) -> Result<Vec<Figure>, String> {
    let mut file: File = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut figures = Vec::new();
    for entry in std::mem::take(&mut file.figure) {
        let place = format!("figure with cycles = {:?}", entry.cycles);
        figures.extend(expand(&file, entry).map_err(|fault| format!("{place}: {fault}"))?);
    }
    Ok(figures)
}

fn expand(head: &File, entry: Entry) -> Result<Vec<Figure>, String> {
    let missing = |key: &str| format!("no {key}, neither here nor at the head of the file");
    let source = entry.source.or(head.source.clone()).ok_or_else(|| missing("source"))?;
    let family = entry.family.or(head.family.clone()).ok_or_else(|| missing("family"))?;
    let operation = entry.operation.or(head.operation.clone()).ok_or_else(|| missing("operation"))?;
    let scope = entry.scope.or(head.scope).ok_or_else(|| missing("scope"))?;
    if !cores::is_family(&family) {
        return Err(format!("family {family} is not in cores.toml"));
    }
    if entry.bits.is_empty() || entry.bits.len() != entry.cycles.len() {
        return Err(format!("{} sizes but {} cycles", entry.bits.len(), entry.cycles.len()));
    }
    if entry.fields.as_ref().is_some_and(|fields| fields.len() != entry.bits.len()) {
        return Err(format!("{} sizes, but not as many fields", entry.bits.len()));
    }
    if entry.method.is_none() && entry.parameters.is_some() {
        return Err("parameters of no method".to_owned());
    }
    if let Some(mix) = entry.mix {
        let sum = i128::from(mix.cycles()) + i128::from(mix.unexplained);
        if entry.cycles.iter().any(|cycles| i128::from(*cycles) != sum) {
            return Err(format!("the mix makes {sum} cycles"));
        }
    }
    if entry.verdict == Verdict::Refuted && entry.note.is_none() {
        return Err("refuted, but no note says by what".to_owned());
    }
    // code without a named method may still have a variant, such as compiled C
    let method = (entry.method.is_some() || entry.variant.is_some()).then(|| Method {
        name: entry.method.unwrap_or_else(|| "unknown".to_owned()),
        variant: entry.variant,
        parameters: entry.parameters,
    });
    let figure = |(at, (bits, cycles)): (usize, (u32, u64))| Figure {
        cycles,
        scope,
        source: source.clone(),
        status: entry.status,
        verdict: entry.verdict,
        branches: entry.branches,
        method: method.clone(),
        family: family.clone(),
        operation: operation.clone(),
        field: entry.fields.as_ref().map(|fields| fields[at].clone()),
        bits,
        mix: entry.mix,
        note: entry.note.clone(),
    };
    Ok(entry.bits.into_iter().zip(entry.cycles).enumerate().map(figure).collect())
}

#[cfg(test)]
mod tests {
    use crate::Figure;

    /// What a data file of that text is read as.
    fn figures(text: &str) -> Result<Vec<Figure>, String> {
        let table: toml::Table = text.parse().expect("TOML");
        super::figures(&serde_json::to_string(&table).expect("a table"))
    }

    const HEAD: &str = "source = 's'\nfamily = 'atmega'\noperation = 'mul'\nscope = 'body'\n[[figure]]\n";

    /// An entry of this text is refused, with a message that contains `fault`.
    fn check(entry: &str, fault: &str) {
        let error = figures(&format!("{HEAD}{entry}")).expect_err(entry);
        assert!(error.contains(fault), "{error}");
    }

    #[test]
    fn faults_are_named() {
        check("status = 'published'\nbits = [8, 16]\ncycles = [1]", "2 sizes but 1 cycles");
        check("status = 'published'\nbits = []\ncycles = []", "0 sizes");
        check("status = 'published'\nbits = [8, 16]\nfields = ['p']\ncycles = [1, 2]", "not as many fields");
        check("status = 'guessed'\nbits = [8]\ncycles = [1]", "guessed");
        check("status = 'published'\nfamily = 'z80'\nbits = [8]\ncycles = [1]", "z80");
        check("status = 'published'\nparameters = {}\nbits = [8]\ncycles = [1]", "parameters of no method");
        check("status = 'published'\nbits = [8]\ncycles = [1]\nbit = 8", "unknown field");
        check("status = 'measured'\nverdict = 'refuted'\nbits = [8]\ncycles = [1]", "no note says by what");
        check(
            "status = 'published'\nbits = [8]\ncycles = [1]\nmix = {load=1,store=0,multiply=0,add=0,other=0}",
            "the mix makes 2 cycles",
        );
        let headless =
            figures("[[figure]]\nstatus = 'published'\nbits = [8]\ncycles = [1]").expect_err("headless");
        assert!(headless.contains("no source"), "{headless}");
    }

    #[test]
    fn an_entry_overrides_the_head() {
        let entry = "source = 't'\nstatus = 'claimed'\nscope = 'function'\nbits = [8]\ncycles = [1]";
        let list = figures(&format!("{HEAD}{entry}")).expect("a good entry");
        assert_eq!((list[0].source.as_str(), list[0].scope.as_str()), ("t", "function"));
    }
}

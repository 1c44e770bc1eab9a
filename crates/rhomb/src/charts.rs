//! Charts of cycles: ours are measured here, others' come from the collection of figures; each has its own
//! series.

mod splits;

use crate::candidates::MIXED;
use crate::contract::noun;
use crate::error::{Error, Kind};
use crate::generate::measure;
use crate::methods;
use crate::report::Report;
use crate::request::Request;
use crate::targets;
use rhomb_draw::{Axis, Caption, Chart, Kind as Whose, Point, Scale, Series};
use rhomb_kernel::{Method, Parameter, Parameters, walks};
use rhomb_papers::{Figure, Scope, Status, Verdict};

/// What a chart shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// Cycles of all methods by size, up to the requested one.
    Sizes,
    /// Cycles by words kept in registers, at the requested size.
    Caches,
    /// What adding two intermediates at once saves, by words kept in registers, for sizes up to the
    /// requested one.
    CarryOnce,
    /// Base instructions of recursive splits by the formulas of Hwang, Huang and Su, their figure 3; no
    /// routine is made.
    Splits,
}

/// Sizes of charts in bits; the requested size is added.
const SIZES: [usize; 14] = [16, 32, 48, 64, 96, 128, 160, 192, 224, 256, 384, 512, 768, 1024];
/// Sizes that are worth a line of their own.
const LINES: [usize; 6] = [64, 160, 192, 256, 512, 1024];
/// No target has registers for more.
const MOST_CACHE: usize = 16;
/// The method whose cache and carry-once are compared.
const CACHING: &str = "operand-caching";
/// The method of parts, which follows no single walk.
const SPLIT: &str = "split";
/// Most cycles over the fewest that the chart of sizes has room for.
const FARTHEST: f64 = 1.6;

/// The methods with a line of their own: mixtures coincide with one of the two that they mix.
fn charted() -> impl Iterator<Item = &'static Method> {
    walks().filter(|method| method.name != MIXED)
}

/// A chart as SVG. Every value of ours is simulated and checked as for `measure`; values that a target has
/// no registers or memory for are left out.
///
/// # Errors
/// A request that cannot be met at all, or code that fails its evidence.
pub fn chart(request: &Request, about: About) -> Result<String, Error> {
    let mut maker = Maker { request, common: None, refusal: None };
    let chart = match about {
        About::Sizes => maker.sizes()?,
        About::Caches => maker.caches()?,
        About::CarryOnce => maker.carry_once()?,
        About::Splits => return Ok(splits::chart(maker.words(request.bits)?).svg()),
    };
    let empty = !chart.series.iter().any(|series| series.kind == Whose::Computed);
    match maker.refusal.filter(|_| empty) {
        Some(error) => Err(error),
        None => Ok(chart.svg()),
    }
}

struct Maker<'a> {
    request: &'a Request,
    /// Any measured report: target, convention and form are the same in all.
    common: Option<Report>,
    /// The first request that could not be met.
    refusal: Option<Error>,
}

impl Maker<'_> {
    /// Body cycles; `None` where the request cannot be met.
    fn cycles(&mut self, bits: usize, method: &str, parameters: Parameters) -> Result<Option<Report>, Error> {
        let request = Request { bits, method: Some(method.to_owned()), parameters, ..self.request.clone() };
        match measure(&request) {
            Ok(measured) => {
                self.common.get_or_insert_with(|| measured.report.clone());
                Ok(Some(measured.report))
            }
            Err(error) if error.kind == Kind::Evidence => Err(error),
            Err(error) => {
                self.refusal.get_or_insert(error);
                Ok(None)
            }
        }
    }

    fn sizes(&mut self) -> Result<Chart, Error> {
        let sizes = self.up_to(&SIZES);
        // squares of others are known as functions
        let at_sizes = |figure: &Figure| sizes.contains(&(figure.bits as usize));
        let bodies = best(&self.reported(Scope::Body, at_sizes));
        let (scope, known) = match bodies.is_empty() {
            true => (Scope::Function, best(&self.reported(Scope::Function, at_sizes))),
            false => (Scope::Body, bodies),
        };
        let cycles = |report: &Report| match scope {
            Scope::Body => report.cycles.body,
            Scope::Function => report.cycles.function_max,
        };
        let mut measured: Vec<(&str, Vec<Report>)> = Vec::new();
        for name in self.charted() {
            let mut reports = Vec::new();
            for bits in &sizes {
                reports.extend(self.cycles(*bits, name, Parameters::default())?);
            }
            measured.push((name, reports));
        }
        let ours_at = |bits: usize| {
            let reports = measured.iter().flat_map(|(_, reports)| reports);
            reports.filter(move |report| report.bits == bits).map(cycles).min()
        };
        let fewest = |bits: usize| {
            let others =
                known.iter().filter(|figure| figure.bits as usize == bits).map(|figure| figure.cycles);
            ours_at(bits).into_iter().chain(others).min()
        };
        let ratio = |bits: usize, cycles: u64| {
            let ratio = cycles as f64 / fewest(bits)?.max(1) as f64;
            (ratio <= FARTHEST).then_some(ratio)
        };
        let mut series = Vec::new();
        for (colour, (name, reports)) in measured.iter().enumerate() {
            let place = |report: &Report| {
                let ratio = ratio(report.bits, cycles(report))?;
                Some(point(report.bits as f64, ratio, &told(report)))
            };
            series.extend(ours(name, colour, reports.iter().filter_map(place).collect()));
        }
        let names = self.charted();
        let place =
            |figure: &Figure| Some((f64::from(figure.bits), ratio(figure.bits as usize, figure.cycles)?));
        series.extend(others(&known, &names, place));
        let what = match scope {
            Scope::Body => "body",
            Scope::Function => "function",
        };
        let mut notes = vec![format!(
            "1 is the fewest at a size, of ours and of others'; what is above {FARTHEST} is left out."
        )];
        notes.extend(self::notes(&known));
        Ok(Chart {
            caption: self.caption("Cycles by size", "the best of every method and size"),
            x: axis("size of an operand in bits", Scale::Logarithmic, &named_sizes(&sizes)),
            y: axis(&format!("cycles of the {what}, over the fewest at the size"), Scale::Linear, &[]),
            series,
            notes,
        })
    }

    /// The names of the methods with a line of their own.
    fn charted(&self) -> Vec<&'static str> {
        let split = methods()
            .iter()
            .filter(|method| method.name == SPLIT && method.operation.name() == self.request.operation);
        charted().map(|method| method.name).chain(split.map(|method| method.name)).collect()
    }

    fn caches(&mut self) -> Result<Chart, Error> {
        let bits = self.request.bits;
        let mut series = Vec::new();
        for (colour, method) in charted().enumerate() {
            let Some(parameter) =
                [Parameter::Cache, Parameter::Rows].into_iter().find(|one| method.parameters.contains(one))
            else {
                continue;
            };
            let mut points = Vec::new();
            for words in 1..=MOST_CACHE.min(self.words(bits)?) {
                let mut parameters = Parameters::default();
                parameter.set(&mut parameters, Some(words));
                if let Some(report) = self.cycles(bits, method.name, parameters)? {
                    points.push(point(words as f64, report.cycles.body as f64, &told(&report)));
                }
            }
            series.extend(ours(&format!("{}, {}", method.name, parameter.name()), colour, points));
        }
        let cache = |figure: &Figure| figure.method.as_ref()?.parameters.as_ref()?.cache;
        let known =
            self.reported(Scope::Body, |figure| figure.bits as usize == bits && cache(figure).is_some());
        let names: Vec<&str> = charted().map(|method| method.name).collect();
        let place = |figure: &Figure| Some((f64::from(cache(figure)?), figure.cycles as f64));
        series.extend(others(&known, &names, place));
        let title = format!("Cycles by words in registers, {bits} bits");
        Ok(Chart {
            caption: self.caption(&title, "all other parameters chosen for speed"),
            x: axis("words of an operand kept in registers (cache, rows)", Scale::Linear, &whole(&series)),
            y: axis("cycles of the body", Scale::Linear, &[]),
            series,
            notes: notes(&known),
        })
    }

    fn carry_once(&mut self) -> Result<Chart, Error> {
        let mut series = Vec::new();
        let sizes = self.up_to(&LINES);
        for (colour, bits) in sizes.iter().enumerate() {
            let words = self.words(*bits)?;
            let mut points = Vec::new();
            for cache in 1..=MOST_CACHE.min(words) {
                // the block of the papers, so that nothing but the group of intermediates differs
                let with = |carry_once| Parameters {
                    cache: Some(cache),
                    carry_once: Some(carry_once),
                    initial_block: Some(words % cache),
                    ..Parameters::default()
                };
                let (plain, once) =
                    (self.cycles(*bits, CACHING, with(1))?, self.cycles(*bits, CACHING, with(2))?);
                if let (Some(plain), Some(once)) = (plain, once) {
                    let (plain, once) = (plain.cycles.body, once.cycles.body);
                    let about = format!("{plain} and {once} cycles at {bits} bits, cache {cache}");
                    points.push(point(cache as f64, saved(plain, once), &about));
                }
            }
            series.extend(ours(&format!("{bits} bits"), colour, points));
        }
        let known = self.reported(Scope::Body, |figure| figure.status == Status::Published);
        let mut used = Vec::new();
        for (colour, bits) in sizes.iter().enumerate() {
            let pairs = pairs(&known, *bits);
            used.extend(pairs.iter().flat_map(|(_, plain, once)| [*plain, *once]));
            let told = |(cache, plain, once): &(u32, &Figure, &Figure)| {
                let about = format!(
                    "{} cycles ({}) and {} cycles ({}) at {bits} bits, cache {cache}",
                    plain.cycles, plain.source, once.cycles, once.source
                );
                point(f64::from(*cache), saved(plain.cycles, once.cycles), &about)
            };
            let points: Vec<Point> = pairs.iter().map(told).collect();
            if !points.is_empty() {
                series.push(Series { name: format!("{bits} bits"), kind: Whose::Published, colour, points });
            }
        }
        Ok(Chart {
            caption: self.caption("What carry-once saves", "operand caching, carry-once 2 against 1"),
            x: axis("words of an operand kept in registers (cache)", Scale::Linear, &whole(&series)),
            y: axis("saved cycles of the body, in percent", Scale::Linear, &[]),
            series,
            notes: notes(&used),
        })
    }

    /// The sizes of the list up to the requested one, which is the last.
    fn up_to(&self, list: &[usize]) -> Vec<usize> {
        let most = self.request.bits;
        list.iter().copied().filter(|bits| *bits < most).chain([most]).collect()
    }

    fn words(&self, bits: usize) -> Result<usize, Error> {
        Ok(bits.div_ceil(targets::find(&self.request.target)?.description().word_bits as usize).max(1))
    }

    /// Others' figures for the same operation and core, as far as they are known well; not those of code that is wrong.
    fn reported(&self, scope: Scope, wanted: impl Fn(&Figure) -> bool) -> Vec<&'static Figure> {
        let target = targets::find(&self.request.target).map_or("", |target| target.name());
        rhomb_papers::of_core(target)
            .filter(|figure| figure.operation == self.request.operation && figure.scope == scope)
            .filter(|figure| matches!(figure.status, Status::Published | Status::Measured | Status::Counted))
            .filter(|figure| figure.verdict != Verdict::Refuted && wanted(figure))
            .collect()
    }

    fn caption(&self, what: &str, how: &str) -> Caption {
        let Request { operation, target, .. } = self.request;
        let common = self.common.as_ref().map_or(String::new(), |report| {
            format!(", {} convention, {}", report.convention, report.form.unwrap_or_default())
        });
        Caption {
            title: format!("{what}: {} for {target}", noun(operation)),
            subtitle: format!("{how}{common}"),
        }
    }
}

fn point(x: f64, y: f64, title: &str) -> Point {
    Point { x, y, title: title.to_owned() }
}

/// A series of ours, unless it is empty.
fn ours(name: &str, colour: usize, points: Vec<Point>) -> Option<Series> {
    (!points.is_empty()).then(|| Series { name: name.to_owned(), kind: Whose::Computed, colour, points })
}

/// Percent of `plain` that `once` saves.
fn saved(plain: u64, once: u64) -> f64 {
    100.0 * (plain as f64 - once as f64) / plain as f64
}

/// Of figures for the same method, size and way of knowing, the one with the fewest cycles.
fn best(figures: &[&'static Figure]) -> Vec<&'static Figure> {
    let key = |figure: &Figure| {
        let name = figure.method.as_ref().map(|method| method.name.clone());
        (name, figure.bits, figure.status == Status::Published)
    };
    let beaten =
        |one: &Figure| figures.iter().any(|other| key(other) == key(one) && other.cycles < one.cycles);
    figures.iter().copied().filter(|figure| !beaten(figure)).collect()
}

/// Figures of operand caching without and with carry-once for the same size and cache.
fn pairs(known: &[&'static Figure], bits: usize) -> Vec<(u32, &'static Figure, &'static Figure)> {
    let of = |carry_once| {
        known.iter().copied().filter_map(move |figure| {
            let method = figure.method.as_ref().filter(|method| method.name == CACHING)?;
            let parameters = method.parameters.as_ref()?;
            let fits = figure.bits as usize == bits && parameters.carry_once == Some(carry_once);
            Some((parameters.cache.filter(|_| fits)?, figure))
        })
    };
    let with = |(cache, plain)| {
        of(2).filter(move |(other, _)| *other == cache).map(move |(_, once)| (cache, plain, once))
    };
    of(1).flat_map(with).collect()
}

/// What a pointer over one of our points shows.
fn told(report: &Report) -> String {
    let mut text = format!(
        "{} cycles at {} bits: {}",
        report.cycles.body,
        report.bits,
        report.method.unwrap_or_default()
    );
    for setting in report.settings() {
        text.push_str(&format!(", {setting}"));
    }
    text
}

/// Others' figures, a series for each method and way of knowing, in the colour of ours of that name; `place` says where a
/// figure belongs.
fn others(figures: &[&Figure], names: &[&str], place: impl Fn(&Figure) -> Option<(f64, f64)>) -> Vec<Series> {
    let mut series: Vec<Series> = Vec::new();
    let mut foreign: Vec<&str> = Vec::new(); // methods that are not ours
    for figure in figures {
        let Some((x, y)) = place(figure) else { continue };
        let name = figure.method.as_ref().map_or("method not told", |method| method.name.as_str());
        let variant = figure.method.as_ref().and_then(|method| method.variant.as_deref());
        let variant = variant.map_or(String::new(), |variant| format!(", {variant}"));
        let title = format!(
            "{} cycles at {} bits: {name}{variant}; {}, {}, {}",
            figure.cycles, figure.bits, figure.source, figure.status, figure.verdict
        );
        let kind = match figure.status {
            Status::Published => Whose::Published,
            _ => Whose::Measured,
        };
        let point = point(x, y, &title);
        if let Some(own) = series.iter_mut().find(|own| own.name == name && own.kind == kind) {
            own.points.push(point);
            continue;
        }
        let method = names.iter().position(|own| *own == name);
        let colour = method.unwrap_or_else(|| {
            let at = foreign.iter().position(|other| *other == name).unwrap_or(foreign.len());
            if at == foreign.len() {
                foreign.push(name);
            }
            names.len() + at
        });
        series.push(Series { name: name.to_owned(), kind, colour, points: vec![point] });
    }
    series
}

/// The sources of figures, in lines that fit below a chart.
fn notes(figures: &[&Figure]) -> Vec<String> {
    let mut sources: Vec<&str> = Vec::new();
    for figure in figures {
        if !sources.contains(&figure.source.as_str()) {
            sources.push(&figure.source);
        }
    }
    let mut lines: Vec<String> = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let end = if index + 1 < sources.len() { ";" } else { "." };
        match lines.last_mut().filter(|line| line.len() + source.len() < 130) {
            Some(line) => line.push_str(&format!(" {source}{end}")),
            None if index == 0 => lines.push(format!("Sources of what others report: {source}{end}")),
            None => lines.push(format!("{source}{end}")),
        }
    }
    lines
}

fn axis(label: &str, scale: Scale, ticks: &[f64]) -> Axis {
    Axis { label: label.to_owned(), scale, ticks: ticks.to_vec() }
}

/// Sizes that are named on the axis: they stand too close for all of them.
fn named_sizes(sizes: &[usize]) -> Vec<f64> {
    let last = sizes.last().copied().unwrap_or_default();
    let room = |bits: usize| bits == last || bits as f64 * 1.15 < last as f64;
    let named =
        sizes.iter().copied().filter(|bits| ![48, 96, 192, 224, 384, 768].contains(bits) || *bits == last);
    named.filter(|bits| room(*bits)).map(|bits| bits as f64).collect()
}

/// The whole numbers that the series cover along the horizontal axis.
fn whole(series: &[Series]) -> Vec<f64> {
    let most = series.iter().flat_map(|series| &series.points).map(|point| point.x).fold(0.0, f64::max);
    (1..=most as usize).map(|value| value as f64).collect()
}

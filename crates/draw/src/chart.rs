//! Charts: lines and points over two axes, with a legend.

use crate::axis::{Axis, Ruler};
use crate::colours::hue;
use crate::key::{self, Entry, Section};
use crate::rhombus::Caption;
use crate::svg::{Anchor, FAINT, GREY, INK, PANEL, Svg, number, width};
use std::fmt::Write;

/// Left, top, right and bottom of the plot, in pixels.
const PLOT: [f64; 4] = [84.0, 100.0, 640.0, 520.0];
const WIDTH: f64 = 900.0;

/// Whose values a series shows; they are told apart by shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Computed here: discs joined by a line.
    Computed,
    /// Printed in a paper: hollow diamonds, not joined.
    Published,
    /// Other people's code, run: hollow squares, not joined.
    Measured,
    /// Values of a formula, which no code takes: a line without signs.
    Formula,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Along the horizontal axis.
    pub x: f64,
    /// Along the vertical axis.
    pub y: f64,
    /// What a pointer over it shows.
    pub title: String,
}

/// Values that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// In the legend.
    pub name: String,
    /// Whose they are.
    pub kind: Kind,
    /// Series of one colour are about the same thing.
    pub colour: usize,
    /// In the order in which they are joined.
    pub points: Vec<Point>,
}

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What stands above it.
    pub caption: Caption,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is shown.
    pub series: Vec<Series>,
    /// Lines below the chart, such as the sources of what others report.
    pub notes: Vec<String>,
}

impl Chart {
    /// The chart as SVG. Values that an axis has no place for are left out.
    pub fn svg(&self) -> String {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let x = Ruler::new(&self.x, points().map(|point| point.x));
        let y = Ruler::new(&self.y, points().map(|point| point.y));
        let [_, top, right, bottom] = PLOT;
        let sections = self.legend();
        let foot = bottom + 66.0;
        let height = foot + 16.0 * self.notes.len() as f64 + 4.0;
        // the legend has room for its longest text
        let texts =
            sections.iter().flat_map(|section| &section.entries).map(|entry| width(&entry.text, 12.0));
        let legend = right + 26.0 + 26.0 + texts.fold(0.0, f64::max) + 16.0;
        let mut svg = Svg::new(WIDTH.max(legend.ceil()), height, &self.caption.title, &self.description());
        let bold = format!("fill=\"{INK}\" font-weight=\"bold\"");
        svg.text((24.0, 34.0), 19.0, Anchor::Start, &bold, &self.caption.title);
        svg.text((24.0, 56.0), 13.0, Anchor::Start, &format!("fill=\"{GREY}\""), &self.caption.subtitle);
        self.axes(&mut svg, &x, &y);
        for series in &self.series {
            draw(&mut svg, series, &x, &y);
        }
        let mut at = top - 6.0;
        for section in &sections {
            key::draw(&mut svg, section, (right + 26.0, at));
            at += key::height(std::slice::from_ref(section)) + 14.0;
        }
        for (index, note) in self.notes.iter().enumerate() {
            let place = (24.0, foot + 16.0 * index as f64);
            svg.text(place, 11.0, Anchor::Start, &format!("fill=\"{GREY}\""), note);
        }
        svg.finish()
    }

    /// The chart in words.
    fn description(&self) -> String {
        let mut text = format!("{}. {} over {}.", self.caption.subtitle, self.y.label, self.x.label);
        for series in &self.series {
            let kind = match series.kind {
                Kind::Computed => "computed",
                Kind::Published => "published by others",
                Kind::Measured => "others' code, run",
                Kind::Formula => "by formula",
            };
            // writing to a String cannot fail
            let _ = write!(text, " {} ({kind}):", series.name);
            for point in &series.points {
                let _ = write!(text, " {} at {};", shown(point.y), shown(point.x));
            }
        }
        text
    }

    fn axes(&self, svg: &mut Svg, x: &Ruler, y: &Ruler) {
        let [left, top, right, bottom] = PLOT;
        let mut lines = String::new();
        svg.open(&format!("class=\"ticks\" fill=\"{GREY}\""));
        for (tick, place) in x.ticks.iter().filter_map(|tick| Some((*tick, x.place(*tick)?))) {
            let at = left + place * (right - left);
            // writing to a String cannot fail
            let _ = write!(lines, "M{} {}V{}", number(at), number(top), number(bottom));
            svg.text((at, bottom + 18.0), 11.0, Anchor::Middle, "", &shown(tick));
        }
        for (tick, place) in y.ticks.iter().filter_map(|tick| Some((*tick, y.place(*tick)?))) {
            let at = bottom - place * (bottom - top);
            let _ = write!(lines, "M{} {}H{}", number(left), number(at), number(right));
            svg.text((left - 8.0, at + 4.0), 11.0, Anchor::End, "", &shown(tick));
        }
        svg.close();
        svg.element("path", &format!("class=\"grid\" d=\"{lines}\" stroke=\"{FAINT}\" fill=\"none\""), None);
        let (l, t, b, r) = (number(left), number(top), number(bottom), number(right));
        let frame = format!("d=\"M{l} {t}V{b}H{r}\" stroke=\"{GREY}\" fill=\"none\"");
        svg.element("path", &frame, None);
        let middle = ((left + right) / 2.0, bottom + 38.0);
        svg.text(middle, 12.0, Anchor::Middle, &format!("fill=\"{INK}\""), &self.x.label);
        svg.text((24.0, top - 10.0), 12.0, Anchor::Start, &format!("fill=\"{INK}\""), &self.y.label);
    }

    /// What is computed and what others report, each under a heading.
    fn legend(&self) -> Vec<Section> {
        let of = |kind: Kind, heading: &'static str| {
            let series = self.series.iter().filter(|series| series.kind == kind);
            let entries: Vec<Entry> = series.map(entry).collect();
            (!entries.is_empty()).then_some(Section { heading, entries })
        };
        let groups = [
            (Kind::Computed, "Rhomb, computed"),
            (Kind::Published, "Published by others"),
            (Kind::Measured, "Others' code, run"),
            (Kind::Formula, "By formula"),
        ];
        groups.into_iter().filter_map(|(kind, heading)| of(kind, heading)).collect()
    }
}

fn entry(series: &Series) -> Entry {
    let (kind, colour) = (series.kind, series.colour);
    let sign = move |svg: &mut Svg, (x, y): (f64, f64)| {
        if joined(kind) {
            let line = format!(
                "d=\"M{} {}h20\" stroke=\"{}\" stroke-width=\"2\"",
                number(x - 10.0),
                number(y),
                hue(colour)
            );
            svg.element("path", &line, None);
        }
        mark(svg, kind, colour, (x, y), None);
    };
    Entry { sign: Box::new(sign), text: series.name.clone() }
}

/// Whether a line goes through the values.
fn joined(kind: Kind) -> bool {
    matches!(kind, Kind::Computed | Kind::Formula)
}

fn draw(svg: &mut Svg, series: &Series, x: &Ruler, y: &Ruler) {
    let [left, top, right, bottom] = PLOT;
    let places: Vec<((f64, f64), &str)> = series
        .points
        .iter()
        .filter_map(|point| {
            let place =
                (left + x.place(point.x)? * (right - left), bottom - y.place(point.y)? * (bottom - top));
            Some((place, point.title.as_str()))
        })
        .collect();
    let class = match series.kind {
        Kind::Computed => "computed",
        Kind::Published => "published",
        Kind::Measured => "measured",
        Kind::Formula => "formula",
    };
    svg.open(&format!("class=\"{class}\""));
    if joined(series.kind) && places.len() > 1 {
        let mut d = String::new();
        for (index, ((x, y), _)) in places.iter().enumerate() {
            // writing to a String cannot fail
            let _ = write!(d, "{}{} {}", if index == 0 { "M" } else { "L" }, number(*x), number(*y));
        }
        let colour = hue(series.colour);
        svg.element("path", &format!("d=\"{d}\" stroke=\"{colour}\" stroke-width=\"2\" fill=\"none\""), None);
    }
    for (place, title) in places {
        mark(svg, series.kind, series.colour, place, Some(title));
    }
    svg.close();
}

/// The sign of a value.
fn mark(svg: &mut Svg, kind: Kind, colour: usize, (x, y): (f64, f64), title: Option<&str>) {
    let colour = hue(colour);
    match kind {
        Kind::Computed => svg.disc((x, y), 3.4, &format!("fill=\"{colour}\""), title),
        Kind::Formula => {}
        Kind::Published | Kind::Measured => {
            let d = match kind {
                Kind::Measured => format!("M{} {}h9v9h-9Z", number(x - 4.5), number(y - 4.5)),
                _ => format!("M{} {}l5.5 5.5-5.5 5.5-5.5-5.5Z", number(x), number(y - 5.5)),
            };
            let style = format!(
                "d=\"{d}\" fill=\"{PANEL}\" fill-opacity=\"0.6\" stroke=\"{colour}\" stroke-width=\"1.6\""
            );
            svg.element("path", &style, title);
        }
    }
}

/// A value for people: no digits after the point that say nothing, thousands apart.
fn shown(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, rest)| (whole, Some(rest)));
    let mut out = String::new();
    let digits = whole.trim_start_matches('-').len();
    for (index, c) in whole.trim_start_matches('-').chars().enumerate() {
        if index > 0 && digits > 4 && (digits - index) % 3 == 0 {
            out.push('\u{202f}');
        }
        out.push(c);
    }
    if let Some(fraction) = fraction {
        let _ = write!(out, ".{fraction}");
    }
    match whole.starts_with('-') && out != "0" {
        true => format!("\u{2212}{out}"),
        false => out,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_shown_short() {
        let texts = [0.0, -0.001, 2.5, 2340.0, 96125.0, -1.25].map(shown);
        assert_eq!(texts, ["0", "0", "2.5", "2340", "96\u{202f}125", "\u{2212}1.25"]);
    }

    /// The legend stands right of the plot, and the picture is wide enough for its longest line.
    #[test]
    fn legends_fit() {
        let axis = || Axis { label: "x".to_owned(), scale: crate::axis::Scale::Linear, ticks: Vec::new() };
        let wide = |name: &str| -> f64 {
            let point = Point { x: 1.0, y: 1.0, title: String::new() };
            let series =
                Series { name: name.to_owned(), kind: Kind::Computed, colour: 0, points: vec![point] };
            let caption = Caption { title: "t".to_owned(), subtitle: "s".to_owned() };
            let svg = Chart { caption, x: axis(), y: axis(), series: vec![series], notes: Vec::new() }.svg();
            svg.split("width=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
        };
        assert_eq!(wide("hybrid"), WIDTH);
        let long = "consecutive-operand-caching, with words of both operands";
        assert!(wide(long) > PLOT[2] + 52.0 + 5.5 * long.len() as f64, "{}", wide(long));
    }
}

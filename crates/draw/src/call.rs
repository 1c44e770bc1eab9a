//! A call of a routine: the operands' products as a rhombus, in the order in which machine code makes them, and below it, over time,
//! where execution stands and which words are read and written.

use crate::Caption;
use crate::colours::{mixture, time};
use crate::key::{self, Entry, Section};
use crate::layout::Layout;
use crate::svg::{Anchor, FAINT, GREY, INK, Svg, number};
use rhomb_kernel::Product;
use std::collections::BTreeMap;
use std::fmt::Write;

/// More words of an operand than this are drawn as regions of several.
const MOST_POINTS: usize = 40;
/// Columns and rows of a band beyond which several are one.
const MOST_COLUMNS: usize = 520;
const MOST_ROWS: usize = 42;
/// Where bands begin, and what is left free behind them.
const LEFT: f64 = 104.0;
const RIGHT: f64 = 28.0;
/// No picture is narrower.
const LEAST_WIDTH: f64 = 800.0;

/// A product of words of the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The words.
    pub product: Product,
    /// Whether it is of sums or differences of words, of which these are the outermost.
    pub mixed: bool,
    /// In how many multiplications it is made.
    pub times: usize,
}

/// A part of what is seen over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Band {
    /// What it shows.
    pub name: String,
    /// From the top, columns in time: bit 0 for execution or a read, bit 1 for a write. Those at the end may be missing.
    pub rows: Vec<Vec<u8>>,
    /// The cycles of the band and of a column, where these are not those of the call: a part of it from its beginning on.
    pub cycles: Option<(u64, u64)>,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Words of each operand.
    pub words: usize,
    /// Whether both factors are of one operand.
    pub square: bool,
    /// In their order.
    pub products: Vec<Crossing>,
    /// Multiplications of other numbers.
    pub others: usize,
    /// Cycles of the call, and of a column of the bands.
    pub cycles: u64,
    /// See there.
    pub column: u64,
    /// From the top.
    pub bands: Vec<Band>,
}

/// A point of the picture: a product, or a region of products.
struct Point {
    i: usize,
    j: usize,
    mixed: bool,
    first: usize,
    products: usize,
}

/// Draws a call.
pub fn call(call: &Call, caption: &Caption) -> String {
    let group = call.words.div_ceil(MOST_POINTS).max(1);
    let points = points(call, group);
    let layout = Layout::new(call.words.div_ceil(group), 0);
    let width = if points.is_empty() { 1000.0 } else { layout.width.max(LEAST_WIDTH) };
    let top = match (points.is_empty(), call.square) {
        (true, _) => 84.0,
        (false, true) => layout.middle + layout.rise + 56.0,
        (false, false) => layout.columns + 16.0,
    };
    let heights: Vec<f64> = call.bands.iter().map(height).collect();
    let axis = top + heights.iter().map(|height| height + 10.0).sum::<f64>();
    let sections = legend(call, &points, group);
    let legend_top = axis + 40.0;
    let mut svg = Svg::new(
        width,
        legend_top + key::height(&sections) + 16.0,
        &caption.title,
        &description(call, caption),
    );
    let bold = format!("fill=\"{INK}\" font-weight=\"bold\"");
    svg.text((24.0, 34.0), 19.0, Anchor::Start, &bold, &caption.title);
    svg.text((24.0, 56.0), 13.0, Anchor::Start, &format!("fill=\"{GREY}\""), &caption.subtitle);
    if !points.is_empty() {
        outline(&mut svg, &layout, call, group);
        order(&mut svg, &layout, &points);
        discs(&mut svg, &layout, call, &points, group);
    }
    let right = width - RIGHT;
    let mut y = top;
    for (band, height) in call.bands.iter().zip(&heights) {
        draw_band(&mut svg, call, band, (y, *height, right));
        y += height + 10.0;
    }
    if !call.bands.is_empty() {
        cycles(&mut svg, call, axis, right);
    }
    let gap = (width - 48.0) / sections.len().max(1) as f64;
    for (at, section) in sections.iter().enumerate() {
        key::draw(&mut svg, section, (24.0 + at as f64 * gap, legend_top));
    }
    svg.finish()
}

fn description(call: &Call, caption: &Caption) -> String {
    let products: usize = call.products.len();
    let names: Vec<&str> = call.bands.iter().map(|band| band.name.as_str()).collect();
    format!(
        "{}. A call of {} cycles, as its machine code makes it: {products} different products of words of the operands, {} other \
         multiplications; over time: {}.",
        caption.subtitle,
        call.cycles,
        call.others,
        names.join(", ")
    )
}

/// Products of a region are one point.
fn points(call: &Call, group: usize) -> Vec<Point> {
    let mut places: BTreeMap<(usize, usize, bool), usize> = BTreeMap::new();
    let mut points: Vec<Point> = Vec::new();
    for (first, Crossing { product, mixed, .. }) in call.products.iter().enumerate() {
        // of a square the upper half is drawn
        let (i, j) = match call.square {
            true => (product.i.max(product.j), product.i.min(product.j)),
            false => (product.i, product.j),
        };
        let (i, j) = (i / group, j / group);
        let at = *places.entry((i, j, *mixed)).or_insert_with(|| {
            points.push(Point { i, j, mixed: *mixed, first, products: 0 });
            points.len() - 1
        });
        points[at].products += 1;
    }
    points
}

/// The edge of all products, with the names of words and columns.
fn outline(svg: &mut Svg, layout: &Layout, call: &Call, group: usize) {
    let last = (call.words.div_ceil(group) - 1) as f64;
    let corner = |i: f64, j: f64| {
        let (x, y) = layout.at(i, j);
        format!("{} {}", number(x), number(y))
    };
    let far = last + 0.75;
    let lower = if call.square { String::new() } else { format!("L{}", corner(-0.75, far)) };
    let d = format!("M{}L{}L{}{lower}Z", corner(-0.75, -0.75), corner(far, -0.75), corner(far, far));
    let edge = format!(
        "class=\"all\" d=\"{d}\" fill=\"none\" stroke=\"{FAINT}\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\""
    );
    svg.element("path", &edge, None);
    let size = (0.8 * layout.rise).clamp(10.0, 13.0);
    let gap = 0.3 * layout.pitch.min(20.0);
    svg.open(&format!("class=\"names\" fill=\"{GREY}\""));
    for word in (0..call.words.div_ceil(group)).step_by(layout.operand_step()) {
        let name = word * group;
        let ((ax, ay), (bx, by)) = (layout.at(word as f64, -1.3), layout.at(-1.3, word as f64));
        svg.text((ax + gap, ay + 1.0), size, Anchor::Start, "", &format!("A[{name}]"));
        if !call.square {
            svg.text((bx + gap, by + 0.7 * size), size, Anchor::Start, "", &format!("B[{name}]"));
        }
    }
    let base = match call.square {
        true => layout.middle + layout.rise + 30.0,
        false => layout.columns - 10.0,
    };
    for column in (0..2 * call.words.div_ceil(group)).step_by(layout.column_step()) {
        let name = format!("C[{}]", column * group);
        svg.text((layout.column(column), base), size, Anchor::Middle, "", &name);
    }
    svg.close();
}

/// A faint line through the points in their order.
fn order(svg: &mut Svg, layout: &Layout, points: &[Point]) {
    let (mut near, mut far) = (String::new(), String::new());
    for two in points.windows(2) {
        let at = |point: &Point| layout.at(point.i as f64, point.j as f64);
        let (from, to) = (at(&two[0]), at(&two[1]));
        let is_far = two[0].i.abs_diff(two[1].i).max(two[0].j.abs_diff(two[1].j)) > 1;
        let d = if is_far { &mut far } else { &mut near };
        // writing to a String cannot fail
        let _ = write!(d, "M{} {}L{} {}", number(from.0), number(from.1), number(to.0), number(to.1));
    }
    let width = (0.08 * layout.pitch).clamp(0.8, 2.5);
    svg.open(&format!("class=\"order\" stroke=\"{GREY}\" fill=\"none\" stroke-opacity=\"0.6\""));
    if !near.is_empty() {
        svg.element("path", &format!("d=\"{near}\" stroke-width=\"{}\"", number(width)), None);
    }
    if !far.is_empty() && points.len() <= 800 {
        let dash = number(2.5 * width);
        let thin = number(0.5 * width);
        let attributes = format!(
            "d=\"{far}\" stroke-width=\"{thin}\" stroke-dasharray=\"{dash} {dash}\" stroke-opacity=\"0.35\""
        );
        svg.element("path", &attributes, None);
    }
    svg.close();
}

/// The points, coloured by their order: products of words as discs, those of sums and differences as squares on a corner.
fn discs(svg: &mut Svg, layout: &Layout, call: &Call, points: &[Point], group: usize) {
    let all = call.products.len().max(2) - 1;
    svg.open("class=\"products\"");
    for point in points {
        let colour = time(point.first as f64 / all as f64);
        let at = layout.at(point.i as f64, point.j as f64);
        let title = name(call, point, group);
        match point.mixed {
            false => svg.disc(at, layout.radius, &format!("fill=\"{colour}\""), Some(&title)),
            true => svg.element("path", &diamond(at, 1.15 * layout.radius, &colour), Some(&title)),
        }
    }
    svg.close();
}

fn diamond((x, y): (f64, f64), r: f64, colour: &str) -> String {
    let (x, y, up, r) = (number(x - r), number(y), number(-r), number(r));
    let down = up.trim_start_matches('-');
    format!(
        "d=\"M{x} {y}l{r} {up}l{r} {down}l-{r} {down}Z\" fill=\"{colour}\" fill-opacity=\"0.55\" stroke=\"{colour}\" stroke-width=\"1\""
    )
}

/// What a pointer over a point shows.
fn name(call: &Call, point: &Point, group: usize) -> String {
    let Crossing { product: Product { i, j }, times, .. } = call.products[point.first];
    let (i, j) = if call.square { (i.max(j), i.min(j)) } else { (i, j) };
    let other = if call.square { 'A' } else { 'B' };
    let number = point.first + 1;
    if group > 1 {
        let end = |word: usize| (word * group + group - 1).min(call.words - 1);
        let (low, high) = ((point.i * group, end(point.i)), (point.j * group, end(point.j)));
        return format!(
            "from {number}: A[{}..{}]\u{b7}{other}[{}..{}], {} products",
            low.0, low.1, high.0, high.1, point.products
        );
    }
    let mixed = if point.mixed { ", of sums or differences that end with these" } else { "" };
    let times = if times > 1 { format!(", in {times} multiplications") } else { String::new() };
    format!("{number}: A[{i}]\u{b7}{other}[{j}], C[{}]{mixed}{times}", i + j)
}

fn height(band: &Band) -> f64 {
    (3.0 * band.rows.len().min(MOST_ROWS) as f64).clamp(14.0, 110.0)
}

/// A band: a line for each row, with what happens in it over time.
fn draw_band(svg: &mut Svg, call: &Call, band: &Band, (top, height, right): (f64, f64, f64)) {
    let (cycles, column) = band.cycles.unwrap_or((call.cycles, call.column));
    let columns = cycles.div_ceil(column).max(1) as usize;
    let (wide, high) = (columns.div_ceil(MOST_COLUMNS), band.rows.len().div_ceil(MOST_ROWS).max(1));
    let scale = (right - LEFT) / columns as f64;
    let rows: Vec<&[Vec<u8>]> = band.rows.chunks(high).collect();
    let pitch = height / rows.len().max(1) as f64;
    let mut paths: [String; 3] = Default::default();
    for (at, rows) in rows.iter().enumerate() {
        let y = number(top + (at as f64 + 0.5) * pitch);
        let marks: Vec<u8> = (0..columns)
            .step_by(wide)
            .map(|from| {
                let own = rows.iter().filter_map(|row| row.get(from..)).flat_map(|row| row.iter().take(wide));
                own.fold(0, |all, one| all | one)
            })
            .collect();
        let mut from = 0;
        while from < marks.len() {
            let length = marks[from..].iter().take_while(|mark| **mark == marks[from]).count();
            if let Some(d) = paths.get_mut((marks[from] as usize).wrapping_sub(1)) {
                let x = LEFT + (from * wide) as f64 * scale;
                let end = (LEFT + ((from + length) * wide) as f64 * scale).min(right);
                // writing to a String cannot fail; less than a pixel could not be seen
                let _ = write!(d, "M{} {y}h{}", number(x), number((end - x).max(1.0)));
            }
            from += length;
        }
    }
    svg.open("class=\"band\"");
    let place = (LEFT - 10.0, top + 0.5 * height + 4.0);
    svg.text(place, 12.0, Anchor::End, &format!("fill=\"{GREY}\""), &band.name);
    if let Some((cycles, _)) = band.cycles {
        let below = (place.0, place.1 + 14.0);
        svg.text(
            below,
            11.0,
            Anchor::End,
            &format!("fill=\"{GREY}\""),
            &format!("{} cycles", grouped(cycles)),
        );
    }
    let frame = format!(
        "x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"{FAINT}\"",
        number(LEFT),
        number(top - 1.0),
        number(right - LEFT),
        number(height + 2.0)
    );
    svg.element("rect", &frame, None);
    for (at, d) in paths.iter().enumerate().filter(|(_, d)| !d.is_empty()) {
        let attributes = format!(
            "d=\"{d}\" stroke=\"{}\" stroke-width=\"{}\" fill=\"none\"",
            mixture(at),
            number(pitch.max(1.2))
        );
        svg.element("path", &attributes, None);
    }
    svg.close();
}

/// The axis of time.
fn cycles(svg: &mut Svg, call: &Call, y: f64, right: f64) {
    let most = call.cycles.max(1) as f64;
    let power = 10f64.powf((most / 6.0).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|one| one * power).find(|step| most / step <= 8.0);
    let step = step.unwrap_or(most).max(1.0);
    svg.open(&format!("class=\"time\" fill=\"{GREY}\""));
    let mut at = 0.0;
    while at <= most {
        let x = LEFT + (right - LEFT) * at / most;
        svg.element("path", &format!("d=\"M{} {}v5\" stroke=\"{GREY}\"", number(x), number(y - 8.0)), None);
        let text = if at == 0.0 { "0 cycles".to_owned() } else { grouped(at as u64) };
        // the last one would stand in the edge
        if x < right - 20.0 || at == 0.0 {
            svg.text((x, y + 10.0), 11.0, Anchor::Middle, "", &text);
        }
        at += step;
    }
    svg.close();
}

/// `12 859 917`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{2009}');
        }
        text.push(digit);
    }
    text
}

fn entry(text: String, sign: impl Fn(&mut Svg, (f64, f64)) + 'static) -> Entry {
    Entry { text, sign: Box::new(sign) }
}

fn legend(call: &Call, points: &[Point], group: usize) -> Vec<Section> {
    let mut products = Vec::new();
    let plain = call.products.iter().filter(|one| !one.mixed).count();
    let mixed = call.products.len() - plain;
    let region = if group > 1 { format!("; a point is {group} by {group} words") } else { String::new() };
    if plain > 0 {
        let text = format!("{} products of words, from the first to the last{region}", grouped(plain as u64));
        products.push(entry(text, |svg, (x, y)| {
            for (dx, at) in [(-7.0, 0.0), (0.0, 0.5), (7.0, 1.0)] {
                svg.disc((x + dx, y), 4.0, &format!("fill=\"{}\"", time(at)), None);
            }
        }));
    }
    if points.iter().any(|point| point.mixed) {
        let text = format!("{} products of sums or differences of words", grouped(mixed as u64));
        products.push(entry(text, |svg, at| svg.element("path", &diamond(at, 5.0, &time(0.5)), None)));
    }
    if call.others > 0 {
        let text = format!("{} multiplications of other numbers", grouped(call.others as u64));
        products.push(entry(text, |svg, (x, y)| {
            svg.text((x - 4.0, y + 4.0), 12.0, Anchor::Start, &format!("fill=\"{GREY}\""), "\u{d7}");
        }));
    }
    let over_time = ["read, or executed", "written", "both"].into_iter().enumerate().map(|(at, text)| {
        entry(text.to_owned(), move |svg, (x, y)| {
            let line = format!(
                "d=\"M{} {}h16\" stroke=\"{}\" stroke-width=\"6\"",
                number(x - 8.0),
                number(y),
                mixture(at)
            );
            svg.element("path", &line, None);
        })
    });
    let mut sections = Vec::new();
    if !products.is_empty() {
        sections.push(Section { heading: "Multiplications", entries: products });
    }
    if !call.bands.is_empty() {
        sections.push(Section { heading: "Over time", entries: over_time.collect() });
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: usize, square: bool) -> Call {
        let products = (0..words).flat_map(|i| (0..words).map(move |j| (i, j)));
        let products = products.filter(|(i, j)| !square || i <= j).map(|(i, j)| Crossing {
            product: Product { i, j },
            mixed: i + j == 3,
            times: 1,
        });
        let band = Band { name: "code".into(), rows: vec![vec![1, 0, 1], vec![0, 2], vec![3]], cycles: None };
        Call {
            words,
            square,
            products: products.collect(),
            others: 2,
            cycles: 1234,
            column: 2,
            bands: vec![band],
        }
    }

    fn drawn(words: usize, square: bool) -> String {
        call(&of(words, square), &Caption { title: "t".into(), subtitle: "s".into() })
    }

    #[test]
    fn every_product_has_its_point() {
        let svg = drawn(4, false);
        let names = svg.matches("\u{b7}B[").count();
        assert_eq!((names, svg.matches("of sums or differences that end").count()), (16, 4));
        assert_eq!(drawn(4, true).matches("\u{b7}A[").count(), 10);
    }

    #[test]
    fn many_words_are_regions() {
        let svg = drawn(64, false);
        assert!(svg.contains("A[62..63]\u{b7}B[62..63], 4 products"), "{svg}");
        assert_eq!(svg.matches("\u{b7}B[").count(), 32 * 32 + 2);
    }

    #[test]
    fn digits_are_grouped() {
        assert_eq!(grouped(1_234_567).replace('\u{2009}', " "), "1 234 567");
        assert_eq!(grouped(12), "12");
    }
}

//! The rhombus of a schedule.

use crate::colours::{AGAIN, FIRST, hue, shade};
use crate::key::{self, Entry, Section};
use crate::layout::Layout;
use crate::svg::{Anchor, FAINT, GREY, INK, PANEL, Svg, number};
use crate::tour::{Counts, DrawnRow, Loads, Tour, Visit};
use rhomb_kernel::{Operand, Product, Schedule};
use std::fmt::Write;

/// Of more words than this no picture can be read.
pub const MOST_WORDS: usize = 128;

/// What stands above a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caption {
    /// The first line.
    pub title: String,
    /// The second line.
    pub subtitle: String,
}

/// Points smaller than this have no room for their number.
const ROOM_FOR_NUMBER: f64 = 9.4;
/// More rows than this are not listed one by one.
const MOST_LISTED: usize = 8;

/// Draws the rhombus of all partial products as `schedule` walks through it: products as points, a line
/// through them in order, rows in colours and their parts in shades, loads beside the products that wait
/// for them, stores and re-loaded intermediates below, row by row.
///
/// Pictures of more than [`MOST_WORDS`] words can be made, but hardly read.
pub fn rhombus(schedule: &Schedule, caption: &Caption) -> String {
    let tour = Tour::of(schedule);
    let counts = tour.counts();
    let layout = Layout::new(tour.words, tour.levels());
    let sections = legend(&tour, &counts);
    let height = layout.key + key::height(&sections) + 16.0;
    let mut svg = Svg::new(layout.width, height, &caption.title, &description(&tour, &counts, caption));
    svg.text(
        (24.0, 34.0),
        19.0,
        Anchor::Start,
        &format!("fill=\"{INK}\" font-weight=\"bold\""),
        &caption.title,
    );
    svg.text((24.0, 56.0), 13.0, Anchor::Start, &format!("fill=\"{GREY}\""), &caption.subtitle);
    names(&mut svg, &layout, &tour);
    stores(&mut svg, &layout, &tour);
    for (index, row) in tour.rows.iter().enumerate() {
        path(&mut svg, &layout, index, row);
    }
    for (index, row) in tour.rows.iter().enumerate() {
        products(&mut svg, &layout, index, row);
    }
    loads(&mut svg, &layout, &tour);
    let gap = (layout.width - 48.0) / sections.len().max(1) as f64;
    for (index, section) in sections.iter().enumerate() {
        key::draw(&mut svg, section, (24.0 + index as f64 * gap, layout.key));
    }
    svg.finish()
}

/// The picture in words.
fn description(tour: &Tour, counts: &Counts, caption: &Caption) -> String {
    format!(
        "{}. The {} partial products of two operands of {} words as a rhombus, A[0]*B[0] in the right corner, \
         A[{}]*B[0] on top, columns vertical, with a line through them in the order of their computation. {} first loads of operand words, {} re-loads, {} stores of intermediates, {} re-loads of them, {} final \
         stores.",
        caption.subtitle,
        counts.products,
        tour.words,
        tour.words.saturating_sub(1),
        counts.first_loads,
        counts.again_loads,
        counts.intermediate_stores,
        counts.added,
        counts.final_stores
    )
}

fn several(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

fn name_size(layout: &Layout) -> f64 {
    (0.8 * layout.rise).clamp(10.0, 13.0)
}

/// From where a name would begin to its beginning.
fn gap(layout: &Layout) -> f64 {
    0.3 * layout.pitch.min(20.0)
}

/// Where the name of a word of B begins, on its base line.
fn name_of_b(layout: &Layout, word: usize) -> (f64, f64) {
    let (x, y) = layout.at(-0.8, word as f64);
    (x + gap(layout), y + 0.7 * name_size(layout))
}

/// Names of operand words along the edges, of columns below, and guides to them.
fn names(svg: &mut Svg, layout: &Layout, tour: &Tour) {
    let size = name_size(layout);
    svg.open(&format!("class=\"names\" fill=\"{GREY}\""));
    for word in (0..tour.words).step_by(layout.operand_step()) {
        let at = word as f64;
        // on the lines of the word's products, far enough for the marks of loads
        let (x, y) = layout.at(at, -0.8);
        svg.text((x + gap(layout), y + 1.0), size, Anchor::Start, "", &format!("A[{word}]"));
        svg.text(name_of_b(layout, word), size, Anchor::Start, "", &format!("B[{word}]"));
    }
    let step = layout.column_step();
    for column in (0..2 * tour.words).step_by(step) {
        svg.text(
            (layout.column(column), layout.columns + 4.0),
            size,
            Anchor::Middle,
            "",
            &format!("C[{column}]"),
        );
    }
    svg.close();
    let (top, bottom) = (layout.stores(0) - 0.5 * layout.level - 4.0, layout.columns - 10.0);
    let mut guides = String::new();
    for column in (0..2 * tour.words).step_by(step) {
        // from the lowest product of the column
        let j = column.min(tour.words - 1) as f64;
        let (x, y) = layout.at(column as f64 - j, j);
        let from = match column {
            // the name of the next word of B stands there
            _ if column + 1 < tour.words => name_of_b(layout, column + 1).1 + 4.0,
            _ if column < 2 * tour.words - 1 => y + layout.radius + 3.0,
            _ => top,
        };
        // writing to a String cannot fail
        let _ = write!(guides, "M{} {}V{}", number(x), number(from), number(bottom));
    }
    svg.element(
        "path",
        &format!("class=\"guides\" d=\"{guides}\" stroke=\"{FAINT}\" stroke-dasharray=\"2 3\" fill=\"none\""),
        None,
    );
}

/// The line through a row's products; where it jumps it is thin.
fn path(svg: &mut Svg, layout: &Layout, index: usize, row: &DrawnRow) {
    let (mut steps, mut jumps) = (String::new(), String::new());
    let products: Vec<Product> = row.visits().map(|visit| visit.product).collect();
    let mut drawn = false; // whether `steps` ends where the next pair begins
    for pair in products.windows(2) {
        let (from, to) = (layout.product(pair[0]), layout.product(pair[1]));
        let far = pair[0].i.abs_diff(pair[1].i).max(pair[0].j.abs_diff(pair[1].j)) > 1;
        let line = if far { &mut jumps } else { &mut steps };
        // writing to a String cannot fail
        if far || !drawn {
            let _ = write!(line, "M{} {}", number(from.0), number(from.1));
        }
        let _ = write!(line, "L{} {}", number(to.0), number(to.1));
        drawn = !far;
    }
    let width = (0.09 * layout.pitch).clamp(0.9, 3.0);
    svg.open(&format!(
        "class=\"order\" stroke=\"{}\" fill=\"none\" stroke-linecap=\"round\"",
        shade(index, 10)
    ));
    if !jumps.is_empty() {
        let (dash, width) = (number(2.2 * width), number(0.5 * width));
        let attributes = format!(
            "d=\"{jumps}\" stroke-width=\"{width}\" stroke-dasharray=\"{dash} {dash}\" stroke-opacity=\"0.7\""
        );
        svg.element("path", &attributes, None);
    }
    if !steps.is_empty() {
        svg.element("path", &format!("d=\"{steps}\" stroke-width=\"{}\"", number(width)), None);
    }
    svg.close();
}

/// How much white a part's shade has.
fn white(loads: Loads) -> u32 {
    match loads {
        Loads::Both => 0,
        Loads::B => 32,
        Loads::A => 55,
        Loads::Nothing => 80,
    }
}

/// A row's products.
fn products(svg: &mut Svg, layout: &Layout, index: usize, row: &DrawnRow) {
    let edge = number((0.045 * layout.pitch).clamp(0.4, 1.4));
    for part in &row.parts {
        svg.open(&format!(
            "class=\"part\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{edge}\"",
            shade(index, white(part.loads)),
            hue(index)
        ));
        for visit in &part.visits {
            svg.disc(layout.product(visit.product), layout.radius, "", Some(&tooltip(visit)));
        }
        svg.close();
        if layout.radius >= ROOM_FOR_NUMBER {
            let ink = if white(part.loads) < 50 { PANEL } else { INK };
            svg.open(&format!("class=\"numbers\" fill=\"{ink}\" pointer-events=\"none\""));
            let size = (0.8 * layout.radius).min(12.0);
            for visit in &part.visits {
                let (x, y) = layout.product(visit.product);
                svg.text((x, y + 0.36 * size), size, Anchor::Middle, "", &visit.order.to_string());
            }
            svg.close();
        }
    }
    if let Some(first) = row.visits().next() {
        start(svg, layout.product(first.product), layout.radius);
    }
}

/// The sign of a row's first product.
fn start(svg: &mut Svg, at: (f64, f64), radius: f64) {
    let width = (0.2 * radius).clamp(1.1, 2.0);
    let ring =
        format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"{}\" pointer-events=\"none\"", number(width));
    svg.disc(at, radius + 0.5 * width, &ring, None);
}

fn word(operand: Operand) -> String {
    match operand {
        Operand::A(index) => format!("A[{index}]"),
        Operand::B(index) => format!("B[{index}]"),
    }
}

fn tooltip(visit: &Visit) -> String {
    let Product { i, j } = visit.product;
    let mut text = format!("{}: A[{i}]\u{b7}B[{j}], C[{}]", visit.order, visit.product.column());
    for load in &visit.loads {
        let verb = if load.again { "re-load" } else { "load" };
        // writing to a String cannot fail
        let _ = write!(text, "; {verb} {}", word(load.operand));
    }
    text
}

/// Triangles beside the products that wait for a load; they stand on the operand's side of the product.
fn loads(svg: &mut Svg, layout: &Layout, tour: &Tour) {
    let size = layout.radius.max(3.6);
    for again in [false, true] {
        let (class, colour) = if again { ("re-loads", AGAIN) } else { ("loads", FIRST) };
        let mut d = String::new();
        for visit in tour.rows.iter().flat_map(DrawnRow::visits) {
            for load in visit.loads.iter().filter(|load| load.again == again) {
                triangle(&mut d, layout.product(visit.product), layout.radius, size, load.operand);
            }
        }
        if d.is_empty() {
            continue;
        }
        let edge = number((0.03 * layout.pitch).clamp(0.3, 0.8));
        svg.element(
            "path",
            &format!(
                "class=\"{class}\" d=\"{d}\" fill=\"{colour}\" stroke=\"{PANEL}\" stroke-width=\"{edge}\" \
                 pointer-events=\"none\""
            ),
            None,
        );
    }
}

/// Adds a triangle of the given size whose tip touches the disc of radius `away` around the point.
fn triangle(d: &mut String, (x, y): (f64, f64), away: f64, size: f64, operand: Operand) {
    // unit vector towards the operand's edge; the slope is that of the lattice
    let (dx, dy) = match operand {
        Operand::A(_) => (0.865, -0.502),
        Operand::B(_) => (0.865, 0.502),
    };
    let (near, far, half) = (away - 0.12 * size, away + 0.78 * size, 0.5 * size);
    let tip = (x + near * dx, y + near * dy);
    let foot = (x + far * dx, y + far * dy);
    let corners = [tip, (foot.0 - half * dy, foot.1 + half * dx), (foot.0 + half * dy, foot.1 - half * dx)];
    polygon(d, &corners);
}

/// Adds a closed line to the data of a path.
fn polygon(d: &mut String, corners: &[(f64, f64)]) {
    for (index, (x, y)) in corners.iter().enumerate() {
        // writing to a String cannot fail
        let _ = write!(d, "{}{} {}", if index == 0 { "M" } else { "L" }, number(*x), number(*y));
    }
    d.push('Z');
}

/// Below the rhombus, a line for each row: which words it stores, and which of them it re-loads. The
/// groups of a single row share one line.
fn stores(svg: &mut Svg, layout: &Layout, tour: &Tour) {
    let size = (0.5 * layout.pitch).min(0.64 * layout.level);
    let step = (10.0 / layout.level).ceil() as usize;
    for (index, row) in tour.rows.iter().enumerate() {
        let y = layout.stores(tour.level(index));
        if let (false, true, Some((_, last))) = (tour.grouped, index % step == 0, row.columns()) {
            let x = layout.column(last) - 0.5 * layout.pitch - 4.0;
            let fill = format!("fill=\"{}\"", hue(index));
            svg.text((x, y + 3.6), 10.0, Anchor::End, &fill, &format!("row {}", index + 1));
        }
        for intermediate in [false, true] {
            let stores = row.stores.iter().filter(|store| store.intermediate == intermediate);
            squares(svg, stores.map(|store| (layout.column(store.column), y)), size, index, intermediate);
        }
        frames(svg, row.added.iter().map(|column| (layout.column(*column), y)), size);
    }
}

/// Adds a square to the data of a path.
fn square(d: &mut String, (x, y): (f64, f64), side: f64) {
    let (left, top, side) = (number(x - 0.5 * side), number(y - 0.5 * side), number(side));
    // writing to a String cannot fail
    let _ = write!(d, "M{left} {top}h{side}v{side}h-{side}Z");
}

/// The signs of stores.
fn squares(
    svg: &mut Svg,
    places: impl Iterator<Item = (f64, f64)>,
    size: f64,
    row: usize,
    intermediate: bool,
) {
    let mut d = String::new();
    places.for_each(|place| square(&mut d, place, size));
    if !d.is_empty() {
        let (class, white) = if intermediate { ("intermediates", 78) } else { ("finals", 0) };
        let (fill, stroke) = (shade(row, white), hue(row));
        let width = number((0.09 * size).max(0.5));
        let attributes = format!(
            "class=\"{class}\" d=\"{d}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{width}\""
        );
        svg.element("path", &attributes, None);
    }
}

/// The signs of re-loaded intermediates: hollow squares around the stores of the same columns.
fn frames(svg: &mut Svg, places: impl Iterator<Item = (f64, f64)>, size: f64) {
    let mut d = String::new();
    places.for_each(|place| square(&mut d, place, 1.55 * size));
    if !d.is_empty() {
        let width = number((0.13 * size).max(0.6));
        let attributes =
            format!("class=\"added\" d=\"{d}\" fill=\"none\" stroke=\"{AGAIN}\" stroke-width=\"{width}\"");
        svg.element("path", &attributes, None);
    }
}

fn entry(text: String, sign: impl Fn(&mut Svg, (f64, f64)) + 'static) -> Entry {
    Entry { text, sign: Box::new(sign) }
}

fn legend(tour: &Tour, counts: &Counts) -> Vec<Section> {
    vec![rows(tour), parts(tour, counts), memory(counts)]
}

fn rows(tour: &Tour) -> Section {
    let (heading, name) = match tour.grouped {
        true => ("Columns finished together", "group"),
        false => ("Rows", "row"),
    };
    let disc = |index: usize| {
        move |svg: &mut Svg, at: (f64, f64)| svg.disc(at, 6.0, &format!("fill=\"{}\"", hue(index)), None)
    };
    let listed = if tour.rows.len() <= MOST_LISTED { tour.rows.len() } else { 3 };
    let mut entries: Vec<Entry> = Vec::new();
    for (index, row) in tour.rows.iter().enumerate().take(listed) {
        let products = several(row.visits().count(), "product", "products");
        let (low, high) = row.columns().unwrap_or_default();
        let text = format!("{name} {}: C[{low}] to C[{high}], {products}", index + 1);
        entries.push(entry(text, disc(index)));
    }
    if listed < tour.rows.len() {
        let last = tour.rows.len();
        entries.push(entry(format!("and so on to {name} {last}; colours recur"), |svg, (x, y)| {
            for dot in [-5.0, 0.0, 5.0] {
                svg.disc((x + dot, y), 1.5, &format!("fill=\"{GREY}\""), None);
            }
        }));
    }
    entries.push(entry(format!("first product of a {name}"), |svg, at| start(svg, at, 6.0)));
    Section { heading, entries }
}

fn parts(tour: &Tour, counts: &Counts) -> Section {
    let mut entries = vec![entry(
        format!("{} in this order", several(counts.products, "product", "products")),
        |svg, (x, y)| {
            let line = format!(
                "d=\"M{} {}h18\" stroke=\"{}\" stroke-width=\"2\"",
                number(x - 9.0),
                number(y),
                shade(0, 10)
            );
            svg.element("path", &line, None);
            svg.disc((x - 5.0, y), 3.5, &format!("fill=\"{}\"", hue(0)), None);
            svg.disc((x + 5.0, y), 3.5, &format!("fill=\"{}\"", hue(0)), None);
        },
    )];
    for loads in tour.kinds() {
        let what = match loads {
            Loads::Both => "part that loads words of A and B",
            Loads::B => "part that loads words of B",
            Loads::A => "part that loads words of A",
            Loads::Nothing => "part that loads no operand word",
        };
        entries.push(entry(what.into(), move |svg, at| {
            let colours =
                format!("fill=\"{}\" stroke=\"{}\" stroke-width=\"1.2\"", shade(0, white(loads)), hue(0));
            svg.disc(at, 6.0, &colours, None);
        }));
    }
    Section { heading: "Products", entries }
}

fn memory(counts: &Counts) -> Section {
    let loads = |again: bool| {
        move |svg: &mut Svg, (x, y): (f64, f64)| {
            let mut d = String::new();
            triangle(&mut d, (x - 12.0, y + 5.0), 6.0, 8.5, Operand::A(0));
            triangle(&mut d, (x - 2.0, y - 5.0), 6.0, 8.5, Operand::B(0));
            svg.element("path", &format!("d=\"{d}\" fill=\"{}\"", if again { AGAIN } else { FIRST }), None);
        }
    };
    let stores = |intermediate: bool| {
        move |svg: &mut Svg, at: (f64, f64)| squares(svg, std::iter::once(at), 9.5, 0, intermediate)
    };
    let frame = |svg: &mut Svg, at: (f64, f64)| frames(svg, std::iter::once(at), 8.0);
    let mut entries = vec![entry(
        format!("{} (up: A, down: B)", several(counts.first_loads, "first load", "first loads")),
        loads(false),
    )];
    if counts.again_loads > 0 {
        let text = several(counts.again_loads, "re-load of an operand word", "re-loads of operand words");
        entries.push(entry(text, loads(true)));
    }
    entries.push(entry(several(counts.final_stores, "final store", "final stores"), stores(false)));
    if counts.intermediate_stores > 0 {
        let text = several(counts.intermediate_stores, "store of an intermediate", "stores of intermediates");
        entries.push(entry(text, stores(true)));
    }
    if counts.added > 0 {
        let text = several(counts.added, "re-load of an intermediate", "re-loads of intermediates");
        entries.push(entry(text, frame));
    }
    Section { heading: "Memory", entries }
}

//! Pictures are well-formed, complete and the same every time.

use rhomb_draw::{Axis, Caption, Chart, Kind, Point, Scale, Series, rhombus};
use rhomb_kernel::{Operation, Parameters, Schedule, Walk, method, walks};
use roxmltree::{Document, Node};

fn caption() -> Caption {
    Caption { title: "Title <&> \"quoted\"".into(), subtitle: "subtitle".into() }
}

/// Elements of this name in groups, or themselves, of this class.
fn elements<'a>(document: &'a Document<'a>, class: &str, name: &str) -> Vec<Node<'a, 'a>> {
    let has = |node: &Node<'_, '_>| node.attribute("class") == Some(class);
    document
        .descendants()
        .filter(|node| node.has_tag_name(name))
        .filter(|node| has(node) || node.parent().is_some_and(|parent| has(&parent)))
        .collect()
}

/// Closed lines in the paths of this class.
fn marks(document: &Document<'_>, class: &str) -> usize {
    let paths = elements(document, class, "path");
    paths.iter().map(|path| path.attribute("d").unwrap().matches('Z').count()).sum()
}

fn walk(name: &str, words: usize) -> Walk {
    method(Operation::Mul, name).unwrap().walk(words, &Parameters::default()).unwrap()
}

#[test]
fn every_product_load_and_store_has_its_mark() {
    for method in walks() {
        for words in [1, 2, 4, 8, 20, 32] {
            let walk = method.walk(words, &Parameters::default()).unwrap();
            let schedule = Schedule::new(&walk, walk.pool, 2);
            let text = rhombus(&schedule, &caption());
            let document = Document::parse(&text).unwrap();
            let points = elements(&document, "part", "circle");
            assert_eq!(points.len(), words * words, "{} {words}", method.name);
            let accesses = schedule.accesses();
            let again = accesses.operand_loads - 2 * words;
            assert_eq!(marks(&document, "loads"), 2 * words, "{} {words}", method.name);
            assert_eq!(marks(&document, "re-loads"), again, "{} {words}", method.name);
            let stores = marks(&document, "finals") + marks(&document, "intermediates");
            // the legend shows each sign once
            let signs = 1 + usize::from(accesses.intermediate_loads > 0);
            assert_eq!(stores, accesses.stores + signs, "{} {words}", method.name);
            let frames = accesses.intermediate_loads + usize::from(accesses.intermediate_loads > 0);
            assert_eq!(marks(&document, "added"), frames, "{} {words}", method.name);
        }
    }
}

/// Tooltips name each product once, by ascending number.
#[test]
fn points_tell_operands_column_and_order() {
    let walk = walk("operand-caching", 4);
    let text = rhombus(&Schedule::new(&walk, walk.pool, 0), &caption());
    let document = Document::parse(&text).unwrap();
    let titles: Vec<&str> = elements(&document, "part", "circle")
        .iter()
        .map(|point| point.first_element_child().unwrap().text().unwrap())
        .collect();
    for (index, (title, product)) in titles.iter().zip(walk.products()).enumerate() {
        let (i, j, k) = (product.i, product.j, product.column());
        let start = format!("{}: A[{i}]\u{b7}B[{j}], C[{k}]", index + 1);
        assert!(title.starts_with(&start), "{title} {start}");
    }
    assert_eq!(titles[0], "1: A[0]\u{b7}B[0], C[0]; load A[0]; load B[0]");
}

/// No mark or text begins outside the picture, whatever the size.
#[test]
fn nothing_lies_outside() {
    for words in [1, 3, 4, 8, 20, 32, 64] {
        let walk = walk("operand-scanning", words);
        let text = rhombus(&Schedule::new(&walk, walk.pool, 2), &caption());
        let document = Document::parse(&text).unwrap();
        let size = |name: &str| -> f64 { document.root_element().attribute(name).unwrap().parse().unwrap() };
        let (width, height) = (size("width"), size("height"));
        let mut checked = 0;
        for node in document.descendants() {
            for (names, most) in [(["x", "cx"], width), (["y", "cy"], height)] {
                for value in names.iter().filter_map(|name| node.attribute(*name)) {
                    let value: f64 = value.parse().unwrap();
                    assert!((0.0..=most).contains(&value), "{words}: {node:?}");
                    checked += 1;
                }
            }
        }
        assert!(checked > 2 * words * words);
    }
}

/// A page that shows the picture needs nothing else.
#[test]
fn pictures_refer_to_nothing() {
    let walk = walk("hybrid", 16);
    let text = rhombus(&Schedule::new(&walk, walk.pool, 2), &caption());
    assert_eq!(text, rhombus(&Schedule::new(&walk, walk.pool, 2), &caption()));
    for word in ["href", "url(", "<script", "<style", "@import"] {
        assert!(!text.contains(word), "{word}");
    }
    let document = Document::parse(&text).unwrap();
    let first: Vec<&str> = document
        .root_element()
        .children()
        .filter(Node::is_element)
        .take(3)
        .map(|n| n.tag_name().name())
        .collect();
    assert_eq!(first, ["title", "desc", "rect"]);
}

fn chart(series: Vec<Series>) -> Chart {
    Chart {
        caption: caption(),
        x: Axis { label: "bits".into(), scale: Scale::Logarithmic, ticks: vec![32.0, 64.0] },
        y: Axis { label: "cycles".into(), scale: Scale::Logarithmic, ticks: Vec::new() },
        series,
        notes: vec!["a note".into()],
    }
}

fn point(x: f64, y: f64) -> Point {
    Point { x, y, title: format!("{x} {y}") }
}

#[test]
fn computed_and_reported_values_look_different() {
    let series = |kind, points| Series { name: "s".into(), kind, colour: 0, points };
    let text = chart(vec![
        series(Kind::Computed, vec![point(32.0, 100.0), point(64.0, 400.0)]),
        series(Kind::Published, vec![point(64.0, 420.0), point(64.0, 0.0)]),
        series(Kind::Measured, vec![point(64.0, 300.0)]),
    ])
    .svg();
    let document = Document::parse(&text).unwrap();
    assert_eq!(elements(&document, "computed", "circle").len(), 2);
    assert_eq!(elements(&document, "computed", "path").len(), 1, "joined");
    assert_eq!(elements(&document, "published", "path").len(), 1, "0 has no place on a logarithmic axis");
    assert_eq!(elements(&document, "measured", "path").len(), 1);
    for class in ["published", "measured"] {
        assert_eq!(elements(&document, class, "circle").len(), 0);
    }
    for heading in ["Rhomb, computed", "Published by others", "Others' code, run"] {
        assert!(text.contains(heading));
    }
}

#[test]
fn a_chart_of_nothing_is_a_chart() {
    assert!(Document::parse(&chart(Vec::new()).svg()).is_ok());
}

//! The gallery's pictures as TikZ and PNG.

use rhomb_draw::{dark, png, tikz};
use roxmltree::{Document, Node};
use std::path::Path;

/// Names and texts of the gallery's pictures, light and dark.
fn pictures() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures");
    let mut pictures = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let svg = std::fs::read_to_string(&path).unwrap();
        pictures.push((format!("{} dark", path.display()), dark(&svg)));
        pictures.push((path.display().to_string(), svg));
    }
    assert!(pictures.len() > 20);
    pictures
}

/// An attribute of an element or of the groups around it.
fn inherited<'a>(node: Node<'a, 'a>, name: &str) -> Option<&'a str> {
    node.ancestors().find_map(|node| node.attribute(name)).filter(|value| *value != "none")
}

/// What TeX prints.
fn printed(text: &str) -> String {
    let mut text = text.strip_prefix("\\bfseries ").unwrap_or(text).to_owned();
    for (command, letter) in [
        ("\\ensuremath{\\cdot}", "\u{b7}"),
        ("\\ensuremath{\\times}", "\u{d7}"),
        ("\\ensuremath{-}", "\u{2212}"),
        ("\\ensuremath{<}", "<"),
        ("\\ensuremath{>}", ">"),
        ("\\,", " "),
        ("\\textasciicircum{}", "^"),
        ("\\%", "%"),
        ("\\_", "_"),
        ("\\&", "&"),
    ] {
        text = text.replace(command, letter);
    }
    assert!(!text.contains(['\\', '{', '}', '$', '#', '~']), "{text}");
    text
}

/// Shapes follow each other in the same order, at the same places and in the same colours.
#[test]
fn every_shape_of_a_picture_is_in_its_tikz() {
    let mut texts = 0;
    for (name, svg) in pictures() {
        let document = Document::parse(&svg).unwrap();
        let tikz = tikz(&svg).unwrap();
        let mut commands =
            tikz.lines().filter(|line| ["\\path", "\\node"].iter().any(|own| line.starts_with(own)));
        let shapes = document.descendants().filter(|node| {
            let is_paper = node.has_attribute("rx") && node.attribute("fill") == Some("#ffffff");
            ["circle", "path", "rect", "text"].contains(&node.tag_name().name()) && !is_paper
        });
        for shape in shapes {
            let command = commands.next().unwrap();
            let own = |name: &str| shape.attribute(name).unwrap();
            let case = format!("{name}: {shape:?}: {command}");
            let colour = |colour: &str| format!("=rhomb{}", colour.trim_start_matches('#').to_uppercase());
            if let Some(stroke) = inherited(shape, "stroke").filter(|_| shape.tag_name().name() != "text") {
                assert!(command.contains(&format!("draw{}", colour(stroke))), "{case}");
            }
            match shape.tag_name().name() {
                "text" => {
                    let (before, text) =
                        command.split_once(&format!(" at ({},{}) {{", own("x"), own("y"))).expect(&case);
                    let text = printed(text.strip_suffix("};").unwrap());
                    assert_eq!(text, shape.text().unwrap().replace(['\u{2009}', '\u{202f}'], " "), "{case}");
                    let fill = inherited(shape, "fill").unwrap();
                    assert!(before.contains(&format!("text{}", colour(fill))), "{case}");
                    texts += 1;
                }
                "circle" => {
                    let disc = format!("] ({},{}) circle[radius={}];", own("cx"), own("cy"), own("r"));
                    assert!(command.ends_with(&disc), "{case}");
                    if let Some(fill) = inherited(shape, "fill") {
                        assert!(command.contains(&format!("fill{}", colour(fill))), "{case}");
                    }
                }
                "rect" => {
                    let corner = format!(" ({},{}) rectangle (", own("x"), own("y"));
                    assert!(command.contains(&corner), "{case}");
                }
                _ => {
                    let data = own("d");
                    let moves: Vec<&str> = data.split('M').skip(1).collect();
                    let lines: Vec<&str> = command.split("] ").last().unwrap().split(") (").collect();
                    let cycles = command.matches("-- cycle").count();
                    assert_eq!(data.matches('Z').count(), cycles, "{case}");
                    let starts = lines.len() + command.matches("cycle (").count();
                    assert_eq!(moves.len(), starts, "{case}");
                    let first = moves[0].split(|c: char| c.is_ascii_alphabetic()).next().unwrap();
                    let start = format!("] ({})", first.replace(' ', ","));
                    assert!(command.contains(&start), "{case}");
                }
            }
        }
        assert_eq!(commands.next(), None, "{name}");
    }
    assert!(texts > 1000, "{texts}");
}

#[test]
fn every_picture_is_drawn_as_png() {
    for (name, svg) in pictures().into_iter().step_by(2) {
        let document = Document::parse(&svg).unwrap();
        let size = |name: &str| -> f64 { document.root_element().attribute(name).unwrap().parse().unwrap() };
        let file = png(&svg, 2).unwrap();
        let reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let wanted = ["width", "height"].map(|name| (2.0 * size(name)).round() as u32);
        assert_eq!([reader.info().width, reader.info().height], wanted, "{name}");
    }
}

//! Pictures as TikZ, for papers: one `tikzpicture`, in the font of the text around it.

use super::shapes::{Anchor, Colour, Form, Line, Look, NoPicture, Place, Shape, read};
use crate::svg::{PANEL, number};
use std::collections::BTreeSet;
use std::fmt::Write;

/// A pixel in points: a picture of 1000 pixels is as wide as the text of a page.
const PIXEL: f64 = 0.45;
/// The size in points that all classes' fonts have; texts are scaled from it.
const FONT: f64 = 10.0;

/// A picture of this crate as TikZ: shapes in the same order, with coordinates in pixels. A white panel is left out, and so is what
/// a pointer over a picture would show.
///
/// # Errors
/// What is no picture of this crate.
pub fn tikz(svg: &str) -> Result<String, NoPicture> {
    let picture = read(svg)?;
    let mut body = String::new();
    let mut colours = BTreeSet::new();
    for shape in &picture.shapes {
        if is_paper(shape) {
            continue;
        }
        colours.extend(shape.look.fill.into_iter().chain(shape.look.stroke));
        body.push_str(&drawn(shape));
    }
    let mut text = format!(
        "% drawn by rhomb; for \\input, with \\usepackage{{tikz}} in the preamble\n% {}\n% {}\n\
         \\begin{{tikzpicture}}[x={PIXEL}pt, y=-{PIXEL}pt, every node/.style={{inner sep=0pt, outer sep=0pt, \
         font=\\fontsize{{{FONT}}}{{12}}\\selectfont}}]\n",
        picture.title, picture.description
    );
    for colour in colours {
        // writing to a String cannot fail
        let _ = writeln!(text, "\\definecolor{{{}}}{{HTML}}{{{}}}", name(colour), digits(colour));
    }
    Ok(text + &body + "\\end{tikzpicture}\n")
}

/// Paper is white by itself.
fn is_paper(shape: &Shape) -> bool {
    let is_white =
        shape.look.fill.is_some_and(|fill| format!("#{}", digits(fill)).eq_ignore_ascii_case(PANEL));
    is_white && matches!(shape.form, Form::Rectangle { round, .. } if round > 0.0)
}

fn digits([red, green, blue]: Colour) -> String {
    format!("{red:02X}{green:02X}{blue:02X}")
}

fn name(colour: Colour) -> String {
    format!("rhomb{}", digits(colour))
}

/// Points of so many pixels.
fn points(pixels: f64) -> String {
    format!("{}pt", short(pixels * PIXEL))
}

fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn place((x, y): Place) -> String {
    format!("({},{})", number(x), number(y))
}

fn drawn(shape: &Shape) -> String {
    let path = match &shape.form {
        Form::Text { at, size, anchor, bold, text } => {
            let anchor = match anchor {
                Anchor::Start => "base west",
                Anchor::Middle => "base",
                Anchor::End => "base east",
            };
            let colour = shape.look.fill.map(|fill| format!(", text={}", name(fill))).unwrap_or_default();
            let bold = if *bold { "\\bfseries " } else { "" };
            let scale = short(size * PIXEL / FONT);
            return format!(
                "\\node[anchor={anchor}, scale={scale}{colour}] at {} {{{bold}{}}};\n",
                place(*at),
                escaped(text)
            );
        }
        Form::Lines(lines) => lines.iter().map(line).collect::<Vec<_>>().join(" "),
        Form::Disc { centre, radius } => format!("{} circle[radius={}]", place(*centre), number(*radius)),
        Form::Rectangle { corner, size, round } => {
            let corners = match *round {
                0.0 => String::new(),
                round => format!("[rounded corners={}] ", points(round)),
            };
            format!("{corners}{} rectangle {}", place(*corner), place((corner.0 + size.0, corner.1 + size.1)))
        }
    };
    let options = options(&shape.look);
    // what has no colour is not seen
    if options.is_empty() { String::new() } else { format!("\\path[{}] {path};\n", options.join(", ")) }
}

fn line(line: &Line) -> String {
    let points: Vec<String> = line.points.iter().copied().map(place).collect();
    points.join(" -- ") + if line.closed { " -- cycle" } else { "" }
}

fn options(look: &Look) -> Vec<String> {
    let mut options = Vec::new();
    if let Some(fill) = look.fill {
        options.push(format!("fill={}", name(fill)));
        if look.fill_opacity < 1.0 {
            options.push(format!("fill opacity={}", short(look.fill_opacity)));
        }
    }
    if let Some(stroke) = look.stroke {
        options.push(format!("draw={}", name(stroke)));
        options.push(format!("line width={}", points(look.width)));
        if look.stroke_opacity < 1.0 {
            options.push(format!("draw opacity={}", short(look.stroke_opacity)));
        }
        if let Some((on, off)) = look.dash {
            options.push(format!("dash pattern=on {} off {}", points(on), points(off)));
        }
        if look.round {
            options.push("line cap=round".to_owned());
        }
    }
    options
}

/// Text as TeX has it.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => out.extend(['\\', letter]),
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            // an own command in some languages
            '"' => out.push_str("''"),
            '<' | '>' | '|' => {
                let _ = write!(out, "\\ensuremath{{{letter}}}");
            }
            '\u{b7}' => out.push_str("\\ensuremath{\\cdot}"),
            '\u{d7}' => out.push_str("\\ensuremath{\\times}"),
            '\u{2212}' => out.push_str("\\ensuremath{-}"),
            // narrow blanks
            '\u{2009}' | '\u{202f}' => out.push_str("\\,"),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::{self, Svg};

    #[test]
    fn every_shape_has_its_command() {
        let mut svg = Svg::new(100.0, 50.0, "a % b", "c\nd");
        svg.open("class=\"g\" fill=\"#0b5cad\"");
        svg.disc((10.0, 20.5), 4.0, "stroke=\"none\"", Some("seen under a pointer"));
        svg.text((1.0, 2.0), 10.0, svg::Anchor::End, "font-weight=\"bold\"", "50 % of A[1]\u{b7}B_2 < {3}");
        svg.close();
        svg.element(
            "path",
            "d=\"M1 2L3 4h5v-1Z\" stroke=\"#1f2328\" fill=\"none\" stroke-width=\"2\" stroke-dasharray=\"2 3\"",
            None,
        );
        svg.element("path", "d=\"M9 9h1\" stroke=\"#1f2328\" stroke-opacity=\"0.6\"", None);
        svg.element("rect", "x=\"1\" y=\"2\" width=\"3.5\" height=\"4\" fill=\"#1f2328\"", None);
        assert_eq!(
            tikz(&svg.finish()).unwrap(),
            "% drawn by rhomb; for \\input, with \\usepackage{tikz} in the preamble\n\
             % a % b\n\
             % cd\n\
             \\begin{tikzpicture}[x=0.45pt, y=-0.45pt, every node/.style={inner sep=0pt, outer sep=0pt, \
             font=\\fontsize{10}{12}\\selectfont}]\n\
             \\definecolor{rhomb0B5CAD}{HTML}{0B5CAD}\n\
             \\definecolor{rhomb1F2328}{HTML}{1F2328}\n\
             \\path[fill=rhomb0B5CAD] (10,20.5) circle[radius=4];\n\
             \\node[anchor=base east, scale=0.45, text=rhomb0B5CAD] at (1,2) {\\bfseries 50 \\% of \
             A[1]\\ensuremath{\\cdot}B\\_2 \\ensuremath{<} \\{3\\}};\n\
             \\path[draw=rhomb1F2328, line width=0.9pt, dash pattern=on 0.9pt off 1.35pt] \
             (1,2) -- (3,4) -- (8,4) -- (8,3) -- cycle;\n\
             \\path[draw=rhomb1F2328, line width=0.45pt, draw opacity=0.6] (9,9) -- (10,9);\n\
             \\path[fill=rhomb1F2328] (1,2) rectangle (4.5,6);\n\
             \\end{tikzpicture}\n"
        );
    }

    /// A dark panel stays.
    #[test]
    fn paper_is_white_by_itself() {
        let svg = Svg::new(100.0, 50.0, "", "").finish();
        assert!(!tikz(&svg).unwrap().contains("rectangle"));
        let dark = tikz(&crate::dark(&svg)).unwrap();
        assert!(dark.contains("[rounded corners=3.6pt] (0.5,0.5) rectangle (99.5,49.5);"), "{dark}");
    }
}

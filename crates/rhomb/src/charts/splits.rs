//! Figure 3 of Hwang, Huang and Su: recursive splits by formula. Nothing here is a program.

use super::{axis, point};
use rhomb_draw::{Caption, Chart, Kind, Point, Scale, Series};
use rhomb_papers::formulas::hwang_huang_su as formula;

/// Parts of the splits.
const PARTS: [i64; 4] = [2, 3, 4, 5];
/// Sizes along a curve.
const SIZES: usize = 80;

/// Base instructions for sizes up to `words`.
pub(super) fn chart(words: usize) -> Chart {
    let words = words as i64;
    // no size twice; one part is one word at least
    let sizes: Vec<i64> =
        (1..=SIZES as i64).map(|index| words * index / SIZES as i64).filter(|s| *s > 0).collect();
    let sizes = &sizes;
    let curve = |colour: usize, name: String, of: &dyn Fn(i64) -> (f64, String)| {
        let told = |s: &i64| {
            let (value, levels) = of(*s);
            point(*s as f64, value, &format!("{value:.0} base instructions at {s} words: {name}{levels}"))
        };
        let points: Vec<Point> = sizes.iter().map(told).collect();
        Series { name: name.clone(), kind: Kind::Formula, colour, points }
    };
    let mut series =
        vec![curve(0, "classical".to_owned(), &|s| (formula::recursive(2, 0, s).value(), String::new()))];
    for (index, t) in PARTS.into_iter().enumerate() {
        // the figure's levels are no whole numbers; below none the formula has no meaning
        let of = |s: i64| match formula::real_levels(t, s as f64) {
            (levels, value) if levels > 0.0 => (value, format!(", {levels:.2} levels")),
            _ => (formula::recursive(t, 0, s).value(), ", no levels".to_owned()),
        };
        series.push(curve(index + 1, format!("{t} parts, fractional levels"), &of));
    }
    let whole = |levels: fn(i64) -> u32| {
        move |s: i64| (formula::recursive(2, levels(s), s).value(), format!(", {} levels", levels(s)))
    };
    let exact = whole(|s| formula::levels(2, s));
    series.push(curve(PARTS.len() + 1, "2 parts, best levels".to_owned(), &exact));
    let printed = whole(formula::printed_levels);
    series.push(curve(PARTS.len() + 2, "2 parts, printed levels".to_owned(), &printed));
    Chart {
        caption: Caption {
            title: "Recursive balanced splits by formula".to_owned(),
            subtitle: "Hwang, Huang and Su, figure 3: 8 ((t+1)/2t)^n s^2 + 42 ((t+1)/2)^n s - 40 s"
                .to_owned(),
        },
        x: axis("words of an operand (s)", Scale::Linear, &[]),
        y: axis("base instructions: multiplications, additions, loads, stores", Scale::Logarithmic, &[]),
        series,
        notes: vec![
            "Fractional levels: n = log_t(4s ln(2t/(t+1)) / (21 ln((t+1)/2))), theorem 4, as in the figure. \
             Printed: floor(log2(0.13515 s)). Best: floor(log2(4s/21))."
                .to_owned(),
        ],
    }
}

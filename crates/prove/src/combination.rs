//! Combinations of carries that show a sum to be off zero.

use rhomb_certificate::{Exclusion, Facts, Sum};
use rhomb_poly::Dyadic;

/// The exclusion with a combination of carries that shows it, the smallest first.
pub(crate) fn combination(facts: &Facts, none: &Exclusion, carries: &[u32]) -> Option<Exclusion> {
    // a combination is the sum of its parts
    let of = |combined: Vec<(u32, i8)>| Exclusion { combined, ..none.clone() };
    let parts = carries.iter().map(|carry| of(vec![(*carry, 1)]).excess(facts));
    let parts: Vec<Sum> = parts.collect::<Option<_>>()?;
    for size in 1..=carries.len() {
        for members in (0..1usize << carries.len()).filter(|members| members.count_ones() as usize == size) {
            // the oldest is added: a range that lies off zero does so with the other sign too
            let members: Vec<usize> = (0..carries.len()).rev().filter(|at| members >> at & 1 == 1).collect();
            for signs in 0..1usize << (size - 1) {
                let sign = |place: usize| if signs << 1 >> place & 1 == 1 { -1 } else { 1 };
                facts.spend(members.len());
                if facts.is_exhausted() {
                    return None;
                }
                let mut sum = Sum::default();
                for (place, at) in members.iter().enumerate() {
                    sum.add_multiple(&parts[*at], &Dyadic::new(sign(place).into(), 0));
                }
                let (least, most) = facts.range_with_squares(&sum);
                if most.is_negative() || Dyadic::ZERO < least {
                    let combined = members.iter().enumerate().map(|(place, at)| (carries[*at], sign(place)));
                    return Some(of(combined.collect()));
                }
            }
        }
    }
    None
}

//! Which functions are alike.

/// Bytes of a piece: functions are as much alike as they have pieces in common.
const PIECE: usize = 8;
/// A piece of more functions than that says nothing.
const COMMON: usize = 500;
/// How many bytes before it a function is compared with: what `gzip` sees.
const REACH: usize = 32_000;

/// The functions in an order in which each is as much like those shortly before it as any that is left.
pub(crate) fn order(bodies: &[&[u8]]) -> Vec<usize> {
    let Pieces { of, functions } = Pieces::new(bodies);
    // how often each piece is within reach, and how many pieces of each function are
    let mut near = vec![0_u32; functions.len()];
    let mut shared = vec![0_usize; bodies.len()];
    let mut left: Vec<usize> = (0..bodies.len()).collect();
    let mut order: Vec<usize> = Vec::with_capacity(bodies.len());
    let (mut first, mut bytes) = (0, 0);
    while !left.is_empty() {
        // of equals the first
        let next = (1..left.len()).fold(0, |best, place| {
            let (one, other) = (left[best], left[place]);
            let more = shared[other] * bodies[one].len() > shared[one] * bodies[other].len();
            if more { place } else { best }
        });
        let next = left.remove(next);
        order.push(next);
        bytes += bodies[next].len();
        for &piece in &of[next] {
            near[piece] += 1;
            if near[piece] == 1 {
                functions[piece].iter().for_each(|&function| shared[function] += 1);
            }
        }
        while bytes > REACH {
            let far = order[first];
            first += 1;
            bytes -= bodies[far].len();
            for &piece in &of[far] {
                near[piece] -= 1;
                if near[piece] == 0 {
                    functions[piece].iter().for_each(|&function| shared[function] -= 1);
                }
            }
        }
    }
    order
}

/// The pieces that functions have in common.
struct Pieces {
    /// Of each function.
    of: Vec<Vec<usize>>,
    /// The functions of each piece.
    functions: Vec<Vec<usize>>,
}

impl Pieces {
    fn new(bodies: &[&[u8]]) -> Pieces {
        let mut all: Vec<(&[u8], usize)> = Vec::new();
        for (function, body) in bodies.iter().enumerate() {
            all.extend(body.windows(PIECE).map(|piece| (piece, function)));
        }
        all.sort_unstable();
        all.dedup();
        let mut own = Pieces { of: vec![Vec::new(); bodies.len()], functions: Vec::new() };
        for same in all.chunk_by(|(one, _), (other, _)| one == other) {
            if (2..=COMMON).contains(&same.len()) {
                same.iter().for_each(|&(_, function)| own.of[function].push(own.functions.len()));
                own.functions.push(same.iter().map(|&(_, function)| function).collect());
            }
        }
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_like_is_brought_together() {
        let like = |last: u8| (0..40).chain([last]).collect::<Vec<u8>>();
        let [one, other, none] = [like(1), like(2), (100..140).collect()];
        assert_eq!(order(&[&one, &none, &other, &[]]), [0, 2, 1, 3]);
        assert_eq!(order(&[]), [0_usize; 0]);
    }

    #[test]
    fn what_is_out_of_reach_does_not_count() {
        let like = |last: u8| (0..40).chain([last]).collect::<Vec<u8>>();
        // longer than the reach, and all its pieces are one
        let long = vec![7; REACH + 1];
        let [one, other] = [like(1), like(2)];
        assert_eq!(order(&[&long, &one, &other, &long]), [0, 1, 2, 3]);
    }
}

//! Reductions for special moduli, word by word: J. Grossschaedl, E. Savas, "Instruction Set Extensions for Fast
//! Arithmetic in Finite Fields GF(p) and GF(2^m)", CHES 2004, algorithms 2 and 3.

/// Modulo 2^192 - 2^64 - 1 (algorithm 2): 12 words to 6, congruent for all inputs; the result may be one of the
/// 2^64 + 1 numbers from the modulus to 2^192. The second value says whether line 9 had to correct, which happens to
/// about one of 2^32 random inputs.
///
/// Line 7 carries only if T is 2^32 less at most 3, which leaves R5 at most 2: so the correction cannot carry.
pub fn p192(z: &[u32; 12]) -> ([u32; 6], bool) {
    let z: [u64; 12] = z.map(u64::from);
    let top = z[5] + z[9] + z[11];
    let q = top >> 32;
    let columns = [
        z[0] + z[6] + z[10] + q,
        z[1] + z[7] + z[11],
        z[2] + z[6] + z[8] + z[10] + q,
        z[3] + z[7] + z[9] + z[11],
        z[4] + z[8] + z[10],
        top & 0xffff_ffff,
    ];
    let (result, carry) = settle(columns);
    if carry == 0 {
        return (result, false);
    }
    let mut columns = result.map(u64::from);
    columns[0] += carry;
    columns[2] += carry;
    (settle(columns).0, true)
}

/// Columns with their carries settled, and the carry out of the highest.
fn settle(columns: [u64; 6]) -> ([u32; 6], u64) {
    let mut carry = 0;
    let words = columns.map(|column| {
        carry += column;
        let word = carry as u32;
        carry >>= 32;
        word
    });
    (words, carry)
}

/// Modulo t^191 + t^9 + 1 (algorithm 3): 12 words to 6, congruent for all inputs of degree at most 382; the result
/// may have degree 191. t^192 = t^10 + t; the print's t^191 = t^9 + t should read t^9 + 1.
pub fn t191(z: &[u32; 12]) -> [u32; 6] {
    let mut z = *z;
    z[6] ^= z[11] >> 22 ^ z[11] >> 31;
    std::array::from_fn(|word| {
        let above = if word == 0 { 0 } else { z[5 + word] };
        z[word] ^ z[6 + word] << 10 ^ z[6 + word] << 1 ^ above >> 22 ^ above >> 31
    })
}

/// Modulo any sparse polynomial t^m + t^e1 + ... + 1 with all lower exponents below m - 32, word by word from the top: each
/// word from bit m on is folded down once. `exponents` is m, e1, ..., 0. The result has degree below m.
///
/// `None` where the exponents are not such.
pub fn sparse(z: &[u32], exponents: &[u32]) -> Option<Vec<u32>> {
    let (m, lower) = exponents.split_first()?;
    let m = *m as usize;
    if lower.last() != Some(&0) || lower.iter().any(|e| *e as usize + 32 >= m) {
        return None;
    }
    let mut z = z.to_vec();
    let fold = |z: &mut Vec<u32>, bits: u32, at: usize| {
        for exponent in lower {
            let place = at + *exponent as usize;
            let wide = u64::from(bits) << (place % 32);
            z[place / 32] ^= wide as u32;
            if wide >> 32 != 0 {
                z[place / 32 + 1] ^= (wide >> 32) as u32;
            }
        }
    };
    let first = m.div_ceil(32);
    for word in (first..z.len()).rev() {
        let bits = std::mem::take(&mut z[word]);
        fold(&mut z, bits, 32 * word - m);
    }
    if !m.is_multiple_of(32) && z.len() >= first {
        let bits = z[first - 1] >> (m % 32);
        z[first - 1] ^= bits << (m % 32);
        fold(&mut z, bits, 0);
    }
    z.resize(first, 0);
    Some(z)
}

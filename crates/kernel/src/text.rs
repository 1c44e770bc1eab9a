//! Walks as text: the products of each row in their order, rows with an empty line between them.
//!
//! ```text
//! # operand scanning with two words
//! (0,0) (0,1)
//!
//! (1,0) (1,1)   # i is the word of A, j that of B
//! ```

use crate::walk::{Product, Row, Segment, Walk};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Write;
use std::iter::Peekable;
use std::str::Chars;

/// Why a text is no walk, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct TextError {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// What is wrong, and what would be right.
    pub fault: String,
    /// What to do about it.
    pub hint: String,
}

/// Where something stands.
#[derive(Clone, Copy)]
struct Position {
    line: usize,
    column: usize,
}

impl Position {
    fn error(self, fault: impl Into<String>, hint: impl Into<String>) -> TextError {
        TextError { line: self.line, column: self.column, fault: fault.into(), hint: hint.into() }
    }
}

/// Products with their places, those of a row together.
type Placed = Vec<Vec<(Product, Position)>>;

/// Reads the rows of a multiplication of operands of `words` words each. Columns are finished as soon as the row has no
/// product for them any more.
///
/// # Errors
/// What is not in the form of the example above; products that are missing, are no products of these operands, or are
/// computed twice; rows that have gaps between their columns, or whose carry word would fall on a word that is in use.
pub fn rows(text: &str, words: usize) -> Result<Vec<Row>, TextError> {
    let placed = products(text)?;
    check(&placed, words, end(text))?;
    let mut rows = Vec::with_capacity(placed.len());
    // columns below are stored
    let mut stored: Option<usize> = None;
    for row in &placed {
        let (made, place) = of_row(row)?;
        let last = made.carry_column() - 1;
        if let Some(stored) = stored {
            if last + 1 < stored {
                let fault = format!(
                    "the row ends with column {last}, and its carry belongs into word {}, which is in use; valid: rows that end \
                     with column {} or above",
                    last + 1,
                    stored - 1
                );
                return Err(place.error(fault, "rows whose highest column is lower come first"));
            }
            if made.first_column > stored {
                let fault = format!(
                    "the row begins with column {}, above words that nothing was stored in; valid: column {stored} or below",
                    made.first_column
                );
                return Err(place.error(fault, "each row touches the columns of rows before it"));
            }
        }
        stored = Some(stored.unwrap_or(0).max(last + 2));
        rows.push(made);
    }
    Ok(rows)
}

/// A walk as text, which [`rows`] reads.
pub fn written(walk: &Walk) -> String {
    let mut text = String::new();
    for (index, row) in walk.rows.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        for segment in row.segments.iter().filter(|segment| !segment.products.is_empty()) {
            let products: Vec<String> = segment.products.iter().map(|one| shown(*one)).collect();
            // writing to a String cannot fail
            let _ = writeln!(text, "{}", products.join(" "));
        }
    }
    text
}

fn shown(Product { i, j }: Product) -> String {
    format!("({i},{j})")
}

/// Behind the last character.
fn end(text: &str) -> Position {
    let line = text.lines().count().max(1);
    Position { line, column: text.lines().last().map_or(0, |last| last.chars().count()) + 1 }
}

/// The products of all rows.
fn products(text: &str) -> Result<Placed, TextError> {
    let mut rows: Placed = Vec::new();
    let mut is_open = false;
    for (index, line) in text.lines().enumerate() {
        // a comment alone separates nothing
        if line.trim().is_empty() {
            is_open = false;
        }
        let mut line =
            Scanner { rest: line.chars().peekable(), place: Position { line: index + 1, column: 1 } };
        while let Some(product) = line.product()? {
            match rows.last_mut().filter(|_| is_open) {
                Some(row) => row.push(product),
                None => rows.push(vec![product]),
            }
            is_open = true;
        }
    }
    Ok(rows)
}

/// What is left of a line.
struct Scanner<'a> {
    rest: Peekable<Chars<'a>>,
    /// Of the next character.
    place: Position,
}

/// Digits of a number of words; more are too many for any operand.
const MOST_DIGITS: usize = 6;

impl Scanner<'_> {
    fn take(&mut self) -> Option<char> {
        self.place.column += 1;
        self.rest.next()
    }

    fn blanks(&mut self) {
        while self.rest.peek().is_some_and(|next| next.is_whitespace()) {
            self.take();
        }
    }

    /// The next product of the line, if it has one.
    fn product(&mut self) -> Result<Option<(Product, Position)>, TextError> {
        self.blanks();
        if self.rest.peek().is_none_or(|next| *next == '#') {
            return Ok(None);
        }
        let place = self.place;
        self.sign('(')?;
        let i = self.number()?;
        self.sign(',')?;
        let j = self.number()?;
        self.sign(')')?;
        Ok(Some((Product { i, j }, place)))
    }

    fn sign(&mut self, wanted: char) -> Result<(), TextError> {
        self.blanks();
        if self.rest.peek() != Some(&wanted) {
            return Err(self.other(&format!("'{wanted}'")));
        }
        self.take();
        Ok(())
    }

    fn number(&mut self) -> Result<usize, TextError> {
        self.blanks();
        let place = self.place;
        let mut digits = String::new();
        while let Some(digit) = self.rest.next_if(char::is_ascii_digit) {
            self.place.column += 1;
            digits.push(digit);
        }
        if digits.is_empty() {
            return Err(self.other("a number"));
        }
        if digits.len() > MOST_DIGITS {
            return Err(place
                .error(format!("a number of {} digits; valid: at most {MOST_DIGITS}", digits.len()), FORM));
        }
        Ok(digits.bytes().fold(0, |number, digit| 10 * number + usize::from(digit - b'0')))
    }

    /// The fault of something else than what is wanted.
    fn other(&mut self, wanted: &str) -> TextError {
        let found = match self.rest.peek() {
            None => "the end of the line".to_owned(),
            Some(letter) => format!("'{}'", letter.escape_debug()),
        };
        self.place.error(format!("{found}; valid: {wanted}"), FORM)
    }
}

const FORM: &str = "products are written (i,j), of word i of A and word j of B; an empty line ends a row, # begins a comment";

/// Checks that each product of the operands stands there once.
fn check(rows: &Placed, words: usize, end: Position) -> Result<(), TextError> {
    let mut seen: HashMap<Product, Position> = HashMap::new();
    for (product, place) in rows.iter().flatten() {
        if let Some(word) = [product.i, product.j].into_iter().find(|word| *word >= words) {
            let fault =
                format!("{} has word {word}; valid: 0 to {}", shown(*product), words.saturating_sub(1));
            return Err(
                place.error(fault, format!("operands have {words} words here: bits by the processor's word"))
            );
        }
        match seen.entry(*product) {
            Entry::Vacant(entry) => entry.insert(*place),
            Entry::Occupied(entry) => {
                let Position { line, column } = entry.get();
                let fault =
                    format!("{} again, after line {line}, column {column}; valid: once", shown(*product));
                return Err(place.error(fault, "each product of words is added once"));
            }
        };
    }
    let all = (0..words).flat_map(|i| (0..words).map(move |j| Product { i, j }));
    let mut missing = all.filter(|product| !seen.contains_key(product));
    let Some(first) = missing.next() else { return Ok(()) };
    let fault = match missing.count() {
        0 => format!("{} is missing", shown(first)),
        more => format!("{} and {more} more are missing", shown(first)),
    };
    let fault = format!("{fault}; valid: all {} products", words * words);
    Err(end.error(fault, format!("operands have {words} words here: i and j go from 0 to {}", words - 1)))
}

/// A row of these products, and where it begins.
fn of_row(products: &[(Product, Position)]) -> Result<(Row, Position), TextError> {
    let place = products[0].1;
    // the lowest column from each product on
    let mut lowest: Vec<usize> = products.iter().map(|(product, _)| product.column()).collect();
    for at in (1..lowest.len()).rev() {
        lowest[at - 1] = lowest[at - 1].min(lowest[at]);
    }
    let highest = products.iter().map(|(product, _)| product.column()).max().unwrap_or(0);
    let mut columns = vec![false; highest + 1 - lowest[0]];
    for (product, _) in products {
        columns[product.column() - lowest[0]] = true;
    }
    if let Some(gap) = columns.iter().position(|has| !has) {
        let fault = format!(
            "the row has no product of column {}, between its columns {} and {highest}; valid: columns without a gap",
            gap + lowest[0],
            lowest[0]
        );
        return Err(place.error(fault, "column i + j; an empty line makes two rows of it"));
    }
    let mut segments = Vec::new();
    let (mut base, mut open) = (lowest[0], Vec::new());
    for (at, (product, _)) in products.iter().enumerate() {
        open.push(*product);
        let next = lowest.get(at + 1).copied().unwrap_or(highest + 1);
        if next > base {
            segments.push(Segment { products: std::mem::take(&mut open), finishes: next - base });
            base = next;
        }
    }
    Ok((Row { first_column: lowest[0], segments }, place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::walks;
    use crate::parameters::Parameters;

    fn fault(text: &str) -> String {
        rows(text, 2).unwrap_err().to_string()
    }

    fn is_walk(rows: Vec<Row>, words: usize) -> bool {
        Walk { words, rows, pool: 2, carry_once: 1 }.validate() == Ok(())
    }

    #[test]
    fn what_is_written_is_read() {
        for method in walks() {
            for words in 1..=13 {
                for cache in 1..=4 {
                    let parameters =
                        Parameters { cache: Some(cache), rows: Some(cache), ..Parameters::default() };
                    let walk = method.walk(words, &parameters).unwrap();
                    let text = written(&walk);
                    let read =
                        rows(&text, words).unwrap_or_else(|error| panic!("{}: {error}\n{text}", method.name));
                    let products = |rows: &[Row]| -> Vec<Vec<Product>> {
                        let of =
                            |row: &Row| row.segments.iter().flat_map(|one| one.products.clone()).collect();
                        rows.iter().map(of).collect()
                    };
                    assert_eq!(products(&read), products(&walk.rows), "{} with {words} words", method.name);
                    assert!(is_walk(read, words), "{} with {words} words\n{text}", method.name);
                }
            }
        }
    }

    #[test]
    fn columns_are_finished_when_no_product_comes_any_more() {
        let read = rows("(0,0) # lowest\n( 0 , 1 )(1,1)\n# the same row\n(1,0)", 2).unwrap();
        let finishes: Vec<usize> = read[0].segments.iter().map(|segment| segment.finishes).collect();
        assert_eq!((read.len(), finishes), (1, vec![1, 2]));
        assert!(is_walk(read, 2));
        assert_eq!(rows("(0,0) (0,1)\r\n \t \r\n\r\n(1,0) (1,1)\r\n", 2).unwrap().len(), 2);
    }

    #[test]
    fn faults_have_places() {
        for (text, expected) in [
            ("", "line 1, column 1: (0,0) and 3 more are missing; valid: all 4 products"),
            ("(0,0) (0,1)\n(1,1)", "line 2, column 6: (1,0) is missing; valid: all 4 products"),
            ("(0,0) 0,1", "line 1, column 7: '0'; valid: '('"),
            ("\n (0;1)", "line 2, column 4: ';'; valid: ','"),
            ("(0,0", "line 1, column 5: the end of the line; valid: ')'"),
            ("(-1,0)", "line 1, column 2: '-'; valid: a number"),
            ("(0,\u{1b}", "line 1, column 4: '\\u{1b}'; valid: a number"),
            ("(0,00000000000000000000)", "line 1, column 4: a number of 20 digits; valid: at most 6"),
            ("(0,0)\n(0,2)", "line 2, column 1: (0,2) has word 2; valid: 0 to 1"),
            ("(0,0) (0,1)\n(0,0)", "line 2, column 1: (0,0) again, after line 1, column 1; valid: once"),
            (
                "(0,1) (1,0)\n\n(0,0) (1,1)",
                "line 3, column 1: the row has no product of column 1, between its columns 0 and 2; valid: columns \
                 without a gap",
            ),
            (
                "(1,0) (1,1)\n\n(0,0) (0,1)",
                "line 3, column 1: the row ends with column 1, and its carry belongs into word 2, which is in use; \
                 valid: rows that end with column 3 or above",
            ),
        ] {
            assert_eq!(fault(text), expected, "{text}");
        }
    }
}

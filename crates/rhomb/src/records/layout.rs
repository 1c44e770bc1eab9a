//! Records as text, JSON, Markdown or CSV.

use super::{Rated, Records, Verdict};
use crate::reproduce::layout::{aligned, json_line, record, wrap};
use rhomb_papers::records::Standing;
use std::fmt::Write;

const HEADINGS: [&str; 9] =
    ["core", "operation", "field", "bits", "public", "code", "ours", "verdict", "source"];
/// Columns of numbers, which are aligned on their right.
const NUMBERS: [usize; 3] = [3, 4, 6];

/// What the words of the column `code` mean.
const MEANING: &str = "code: proved for every input; right where it was run; branches on what it computes, right where it was run; \
claimed in a paper, a page or a comment, not run; wrong for some operands. public and ours are cycles of the function, all but the caller's \
call, in the slowest call; ours are simulated in this run.";

impl Records {
    /// Aligned columns for people, notes below.
    pub fn text(&self) -> String {
        let mut notes = Vec::new();
        let mut lines = vec![HEADINGS.map(str::to_owned)];
        for (at, rated) in self.rated.iter().enumerate() {
            let mut line = columns(rated, &mut notes);
            if !rated.leads {
                // what it is about stands in the line above
                line[..4].iter_mut().for_each(String::clear);
                line[6].clear();
            } else if at > 0 && self.rated[at - 1].core == rated.core {
                line[0].clear();
            }
            lines.push(line);
        }
        let mut text = aligned(&lines, &NUMBERS);
        for (number, note) in notes.iter().enumerate() {
            text.push_str(&wrap(&format!("[{}] {note}", number + 1), "  "));
        }
        text.push('\n');
        text.push_str(&wrap(MEANING, ""));
        text.push('\n');
        text.push_str(&wrap(&self.verdict(), ""));
        text
    }

    /// `12 records of code that is right: ahead of 10, level with 1, behind 1; 1 fewer cycles of ... `.
    pub fn verdict(&self) -> String {
        let count = |verdict, is_right: bool| {
            let right = |rated: &&Rated| (rated.standing <= Standing::Branches) == is_right;
            self.rated.iter().filter(right).filter(|rated| rated.verdict == verdict).count()
        };
        let of = |is_right| {
            let [ahead, level, behind, open] =
                [Verdict::Ahead, Verdict::Level, Verdict::Behind, Verdict::NotMade]
                    .map(|verdict| count(verdict, is_right));
            format!("ahead of {ahead}, level with {level}, behind {behind}, {open} not made")
        };
        format!("Code of others that is right: {}. Claims, and code that is wrong: {}.", of(true), of(false))
    }

    /// An array of flat records.
    pub fn json(&self) -> String {
        json_line(&self.rated)
    }

    /// A table.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        // writing to a String cannot fail
        let _ = writeln!(text, "| {} |", HEADINGS.join(" | "));
        text.push_str("|---|---|---|--:|--:|---|--:|---|---|\n");
        for rated in &self.rated {
            let mut line = columns(rated, &mut Vec::new());
            line[8] = sourced(rated);
            let _ = writeln!(text, "| {} |", line.map(|field| field.replace('|', "\\|")).join(" | "));
        }
        text
    }

    /// RFC 4180, with a line of headings; what is unknown is empty.
    pub fn csv(&self) -> String {
        let mut text = record(&HEADINGS.map(str::to_owned));
        for rated in &self.rated {
            let mut line = columns(rated, &mut Vec::new());
            line[8] = sourced(rated);
            text.push_str(&record(&line));
        }
        text
    }
}

/// The source with its note.
fn sourced(rated: &Rated) -> String {
    rated.note.map_or_else(|| rated.source.to_owned(), |note| format!("{}: {note}", rated.source))
}

/// The fields in the order of the headings; a note that is new is put behind the others.
fn columns(rated: &Rated, notes: &mut Vec<&'static str>) -> [String; 9] {
    let mut source = rated.source.to_owned();
    if let Some(note) = rated.note {
        let number = notes.iter().position(|own| *own == note).unwrap_or_else(|| {
            notes.push(note);
            notes.len() - 1
        });
        let _ = write!(source, " [{}]", number + 1);
    }
    let about = if rated.about { "about " } else { "" };
    [
        rated.core.to_owned(),
        operation(rated),
        rated.field.unwrap_or_default().to_owned(),
        rated.bits.to_string(),
        rated.public.to_string(),
        rated.standing.as_str().to_owned(),
        rated.ours.map_or_else(String::new, |ours| format!("{about}{ours}")),
        rated.verdict_text(),
        source,
    ]
}

/// The operation, and how its cycles are counted where that is not as said below the table.
fn operation(rated: &Rated) -> String {
    let scope = match rated.scope {
        rhomb_papers::Scope::Body => ", body",
        rhomb_papers::Scope::Function => "",
    };
    let paired = if rated.paired { ", loads paired" } else { "" };
    format!("{}{scope}{paired}", rated.operation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rhomb_papers::{Scope, Status};

    fn rated(public: u64, ours: Option<u64>, standing: Standing) -> Rated {
        Rated {
            core: "c",
            operation: "mul",
            field: None,
            bits: 160,
            scope: Scope::Function,
            paired: false,
            public,
            standing,
            status: Status::Measured,
            source: "s",
            note: None,
            leads: standing <= Standing::Branches,
            ours,
            about: false,
            verdict: match ours {
                None => Verdict::NotMade,
                Some(ours) if ours < public => Verdict::Ahead,
                Some(ours) if ours == public => Verdict::Level,
                Some(_) => Verdict::Behind,
            },
        }
    }

    #[test]
    fn a_verdict_has_cycles_and_per_cent() {
        assert_eq!(rated(200, Some(190), Standing::Right).verdict_text(), "ahead by 10 (5.0 %)");
        assert_eq!(rated(200, Some(201), Standing::Right).verdict_text(), "behind by 1 (0.5 %)");
        assert_eq!(rated(200, Some(200), Standing::Right).verdict_text(), "level");
        assert_eq!(rated(200, None, Standing::Right).verdict_text(), "not made");
    }

    #[test]
    fn wrong_code_is_counted_apart() {
        let records = Records {
            rated: vec![rated(200, Some(190), Standing::Right), rated(180, Some(190), Standing::Wrong)],
        };
        let text = "Code of others that is right: ahead of 1, level with 0, behind 0, 0 not made. Claims, and code \
                    that is wrong: ahead of 0, level with 0, behind 1, 0 not made.";
        assert_eq!(records.verdict(), text);
        let lines: Vec<String> = records.text().lines().map(str::to_owned).collect();
        let (first, second) =
            ("200  right   190  ahead by 10 (5.0 %)   s", "180  wrong        behind by 10 (5.6 %)  s");
        assert_eq!(lines[1], format!("c     mul                160     {first}"));
        assert_eq!(lines[2], format!("{:33}{second}", ""));
    }
}

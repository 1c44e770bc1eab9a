//! From the lines of a text to its statements, as GNU as separates them.
//!
//! Files `.s` go to the assembler as they are, files `.S` through the C preprocessor first. Both readings must give the
//! same statements: what only one of them takes for a comment, a directive or one line is a fault.
//!
//! Source: GNU as manual, section Syntax (preprocessing, comments, statements) and chapter MIPS Dependent Features;
//! "The C Preprocessor", sections Initial processing, Directives Index and Predefined Macros.

/// What stands between separators, without comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    /// Its line, from 1.
    pub(super) line: usize,
    /// Its text; never empty.
    pub(super) text: String,
}

/// Words that make a line a directive when `#` and blanks stand in front.
const DIRECTIVES: [&str; 22] = [
    "assert",
    "define",
    "elif",
    "elifdef",
    "elifndef",
    "else",
    "embed",
    "endif",
    "error",
    "ident",
    "if",
    "ifdef",
    "ifndef",
    "import",
    "include",
    "include_next",
    "line",
    "pragma",
    "sccs",
    "unassert",
    "undef",
    "warning",
];

/// Names that GCC for MIPS replaces by numbers, apart from underscores around them.
const MACROS: [&str; 9] =
    ["mips", "MIPSEL", "MIPSEB", "R3000", "R4000", "ABIO32", "LANGUAGE_ASSEMBLY", "linux", "unix"];

/// The statements of a text.
///
/// # Errors
/// The first line that is not read, and why.
pub(super) fn statements(text: &str) -> Result<Vec<Statement>, (usize, String)> {
    let mut statements = Vec::new();
    let mut comment: Option<usize> = None;
    let mut statement = String::new();
    for (number, line) in (1..).zip(text.split('\n')) {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let at = |fault: &str| (number, fault.to_owned());
        if let Some(letter) = line.chars().find(|letter| letter.is_control() && *letter != '\t') {
            return Err((number, format!("a control character, '{}'", letter.escape_default())));
        }
        if number == 1 && line.starts_with("#NO_APP") {
            return Err(at("#NO_APP tells the assembler to take comments for code; leave it out"));
        }
        let end = line.trim_end();
        if end.ends_with('\\') || end.ends_with("??/") {
            return Err(at("a backslash at the end joins two lines for the C preprocessor only"));
        }
        let mut rest = line;
        let mut end = |statement: &mut String| {
            let text = std::mem::take(statement);
            if !text.trim().is_empty() {
                statements.push(Statement { line: number, text: text.trim().to_owned() });
            }
        };
        let mut is_first = true;
        loop {
            if comment.is_some() {
                let Some((_, after)) = rest.split_once("*/") else { break };
                (comment, rest) = (None, after);
                statement.push(' ');
            }
            let Some(letter) = rest.chars().next() else { break };
            let after = &rest[letter.len_utf8()..];
            match letter {
                '/' if after.starts_with('*') => {
                    (comment, rest) = (Some(number), &after[1..]);
                    continue;
                }
                '/' if after.starts_with('/') => {
                    return Err(at("'//' begins a comment for the C preprocessor only; valid: # or /* */"));
                }
                '#' => {
                    line_comment(after, is_first && statement.trim().is_empty())
                        .map_err(|fault| (number, fault))?;
                    break;
                }
                ';' => {
                    end(&mut statement);
                    (rest, is_first) = (after, false);
                    continue;
                }
                '"' => {
                    let string = after.split_once('"').map(|(string, _)| string);
                    let string = string.filter(|string| !string.contains('\\'));
                    let string = string.ok_or_else(|| at("a string that has no end, or a backslash"))?;
                    statement.push('"');
                    statement.push_str(string);
                    statement.push('"');
                    rest = &after[string.len() + 1..];
                    continue;
                }
                '\t' => statement.push(' '),
                ' '..='~' if !matches!(letter, '\'' | '\\' | '`' | '?') => statement.push(letter),
                _ => {
                    let shown = letter.escape_default();
                    return Err((number, format!("'{shown}' stands in no instruction or directive")));
                }
            }
            rest = after;
        }
        // a comment of several lines ends no statement
        if comment.is_none() {
            end(&mut statement);
        }
    }
    if let Some(line) = comment {
        return Err((line, "a comment that has no end".to_owned()));
    }
    for Statement { line, text } in &statements {
        if let Some(word) = words(text).find(|word| is_macro(word)) {
            let fault =
                format!("the C preprocessor puts a number in the place of '{word}'; take another name");
            return Err((*line, fault));
        }
    }
    Ok(statements)
}

/// Whether what follows a `#` is a comment for the assembler and for the C preprocessor; `is_first` tells that nothing
/// but blanks and comments stands in front.
fn line_comment(text: &str, is_first: bool) -> Result<(), String> {
    if text.contains("/*") {
        return Err("'/*' behind '#' begins a comment for the C preprocessor only".to_owned());
    }
    let text = text.trim();
    let word = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').next();
    let word = word.unwrap_or_default();
    if is_first && DIRECTIVES.contains(&word) {
        return Err(format!("'#{word}' is for the C preprocessor; hint: preprocess the file first"));
    }
    // a line marker: the assembler reads on behind it
    if word.starts_with(|first: char| first.is_ascii_digit()) && text.contains('"') && !is_marker(text) {
        return Err("a line marker with more than a number, a file's name and flags".to_owned());
    }
    Ok(())
}

/// `12 "file.S" 1 2`.
fn is_marker(text: &str) -> bool {
    let digits = |text: &str| text.bytes().all(|letter| letter.is_ascii_digit() || letter == b' ');
    let mut parts = text.split('"');
    let (line, name, flags) = (parts.next(), parts.next(), parts.next());
    let all = parts.next().is_none() && line.is_some_and(digits) && flags.is_some_and(digits);
    all && name.is_some_and(|name| !name.contains('\\'))
}

/// What the C preprocessor takes for names.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let outside = text.split('"').step_by(2);
    let parts =
        outside.flat_map(|part| part.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_'));
    parts.filter(|word| !word.starts_with(|first: char| first.is_ascii_digit()))
}

/// Whether the C preprocessor of the GNU compiler puts something in the place of a word.
pub fn is_macro(word: &str) -> bool {
    let bare = word.trim_matches('_');
    let is_reserved = word.starts_with("__") && word.ends_with("__") && !bare.is_empty();
    is_reserved || MACROS.contains(&bare) || word.starts_with("_MIPS_") || word.starts_with("__mips_")
}

//! Which names a routine may have: it becomes a C function, a symbol and two file names.

use crate::error::{Error, shown};
use crate::request::Request;
use crate::targets::Target;
use rhomb_certificate::sha256;

/// Longest name, so that file names stay legal everywhere.
const MOST: usize = 100;

/// Keywords of C23 and C++23 and C++'s spelled-out operators, which no function can be called.
const KEYWORDS: &str = "\
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class \
    co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype \
    default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline int \
    long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register \
    reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast struct switch \
    template this thread_local throw true try typedef typeid typename typeof typeof_unqual union unsigned using \
    virtual void volatile wchar_t while xor xor_eq";

/// The name that a request asks for, or one by what is computed: `base`, and the instructions beside those of the plain
/// core. Two requests for different functions, or for cores of a family one of which cannot execute the other's code, have
/// different names.
pub(crate) fn of(request: &Request, target: &dyn Target, syntax: &str, base: &str) -> Result<String, Error> {
    let own = || {
        let suffix = target.description().suffix.map(|suffix| format!("_{suffix}"));
        let extension = request.extension.as_ref().map(|own| format!("_{}", digest(&own.text)));
        [Some(base.to_owned()), suffix, extension].into_iter().flatten().collect()
    };
    let name: String = request.name.clone().unwrap_or_else(own);
    check(&name, target, syntax)?;
    Ok(name)
}

/// Eight hexadecimal digits that stand for a text.
pub(crate) fn digest(text: &str) -> String {
    sha256(text.as_bytes()).chars().take(8).collect()
}

/// Refuses what is no identifier of C and C++ or has a meaning to them or to the assembler.
fn check(name: &str, target: &dyn Target, syntax: &str) -> Result<(), Error> {
    let hint = "a name is made of letters, digits and underscores, such as mul160";
    let bad = |why: &str| {
        let fault = format!("name '{}' {why}; valid: an identifier of C and C++", shown(name));
        Err(Error::request(fault, hint))
    };
    let starts = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    if !starts || !name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
        return bad("is no identifier");
    }
    if name.len() > MOST {
        return bad(&format!("is longer than {MOST} characters"));
    }
    if KEYWORDS.split(' ').any(|keyword| keyword == name) || name.starts_with("_Bool") {
        return bad("is a keyword");
    }
    if target.is_reserved(name, syntax) {
        return bad("has a meaning to the assembler or the preprocessor");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let target = crate::targets::find("atmega128").unwrap();
        let check = |name: &str, good: bool| {
            assert_eq!(check(name, target, "gnu").is_ok(), good, "{name}");
        };
        for name in ["mul160", "_f", "A_1"] {
            check(name, true);
        }
        for name in ["", "1a", "a-b", "../x", "a b", "mül", "class", "r24", "X", &"a".repeat(101)] {
            check(name, false);
        }
    }

    #[test]
    fn dialects_reserve_names_of_their_own() {
        let target = crate::targets::find("atmega128").unwrap();
        for (name, syntaxes) in
            [("mul", ["iar", "crossworks"]), ("brne", ["iar", "crossworks"]), ("low", ["iar", "crossworks"])]
        {
            assert!(check(name, target, "gnu").is_ok(), "{name}");
            for syntax in syntaxes {
                assert!(check(name, target, syntax).is_err(), "{name} {syntax}");
            }
        }
        assert!(check("lo8", target, "gnu").is_err());
        assert!(check("lo8", target, "iar").is_ok());
    }
}

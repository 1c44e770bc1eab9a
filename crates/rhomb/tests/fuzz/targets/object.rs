//! The reader of object files, and the linker behind it.

use rhomb_avr::link::link;
use rhomb_object::{ObjectError, ObjectFile};

/// Names asked for beside those that the file lists.
const NAMES: [&str; 3] = ["mul16", "inner_loop", ""];

pub(crate) fn run(bytes: &[u8]) -> String {
    let one_line = |error: &ObjectError| assert!(!error.to_string().contains('\n'), "{error:?}");
    let file = match ObjectFile::parse(bytes) {
        Ok(file) => file,
        Err(error) => {
            one_line(&error);
            return error.to_string();
        }
    };
    let listed: Vec<String> = file.functions().map(|function| function.name.to_owned()).collect();
    let lines = file.lines();
    let mut answers = Vec::new();
    for name in listed.iter().map(String::as_str).chain(NAMES) {
        let code = match file.function(name) {
            Ok(code) => code,
            Err(error) => {
                one_line(&error);
                answers.push(error.to_string());
                continue;
            }
        };
        assert!(!code.bytes().is_empty() && code.bytes().len() <= bytes.len());
        let range = code.offset..code.offset + code.size;
        assert!(code.relocations().iter().all(|one| range.contains(&one.offset)));
        let whole = code.little_endian && code.offset % 2 == 0 && code.size % 2 == 0;
        assert_eq!(code.words().is_ok(), whole);
        for offset in range.clone().take(64) {
            if let Some(line) = lines.at(code.section.index, offset as u64) {
                assert!(line.line > 0 && !line.to_string().contains('\n'));
            }
        }
        match link(&file, &code) {
            Ok(linked) => {
                assert_eq!(linked.routine, range);
                assert!(linked.routine.end <= linked.bytes.len());
                assert_eq!(linked.sections[0], (0..code.section.bytes.len(), code.section.index));
                answers.push(format!("{:?} of {} sections", file.kind(), file.sections().len()));
            }
            Err(error) => {
                assert!(!error.to_string().contains('\n'), "{error:?}");
                answers.push(error.to_string());
            }
        }
    }
    answers.dedup();
    answers.join("; ")
}

//! Lines of the source, from files made from `data/lines.S`.

use rhomb_object::ObjectFile;

const OBJECT: &[u8] = include_bytes!("data/lines.o");
const EXECUTABLE: &[u8] = include_bytes!("data/lines.elf");

/// The lines of a function's instructions at these offsets from its start.
fn lines(file: &[u8], name: &str, offsets: &[u64]) -> Vec<Option<String>> {
    let file = ObjectFile::parse(file).expect("a good file");
    let lines = file.lines();
    let code = file.function(name).expect("a function");
    let at = |offset: &u64| lines.at(code.section.index, code.offset as u64 + offset);
    offsets.iter().map(|offset| at(offset).map(|line| line.to_string())).collect()
}

/// The number of the line of `data/lines.S` that starts so after a label.
fn line(label: &str, start: &str) -> Option<String> {
    let source = include_str!("data/lines.S");
    let mut numbered = source.lines().enumerate().skip_while(|(_, text)| *text != format!("{label}:"));
    let (index, _) = numbered.find(|(_, text)| text.trim_start().starts_with(start)).expect("a line");
    Some(format!("lines.S:{}", index + 1))
}

#[test]
fn instructions_have_lines_before_and_after_linking() {
    for file in [OBJECT, EXECUTABLE] {
        // a macro stands where it is used
        let sum = line("lost_register", "sum");
        let found = lines(file, "lost_register", &[0, 2, 18, 20, 22]);
        let (nop, ret) = (line("lost_register", "nop"), line("lost_register", "ret"));
        assert_eq!(found, [line("lost_register", "mov r16"), sum.clone(), sum, nop, ret]);
        // a section of its own, which starts at 0 too
        let found = lines(file, "wrong_word", &[0, 2, 18, 22]);
        let expected =
            ["movw r30, r22", "ld r18, Z", "inc r18", "ret"].map(|start| line("wrong_word", start));
        assert_eq!(found, expected);
    }
}

#[test]
fn what_is_no_code_has_no_line() {
    let file = ObjectFile::parse(OBJECT).expect("a good file");
    let lines = file.lines();
    let code = file.function("lost_register").expect("a function");
    for offset in [code.section.bytes.len() as u64, 1 << 20, u64::MAX] {
        assert_eq!(lines.at(code.section.index, offset), None);
    }
    assert_eq!(lines.at(99, 0), None);
}

#[test]
fn files_without_lines_have_none() {
    let file = ObjectFile::parse(include_bytes!("data/sample.o")).expect("a good file");
    let code = file.function("add16").expect("a function");
    assert_eq!(file.lines().at(code.section.index, 2), None);
}

/// Damage in the table of lines takes lines away and nothing else.
#[test]
fn damage_in_the_table_is_no_error() {
    let start = OBJECT.windows(7).position(|bytes| bytes == b"lines.S").expect("a name");
    for place in start - 40..start + 120 {
        for value in [0, 1, 0x7f, 0x80, 0xff] {
            let mut bytes = OBJECT.to_vec();
            bytes[place] = value;
            let file = ObjectFile::parse(&bytes).expect("a good file");
            let lines = file.lines();
            for section in file.sections() {
                for offset in 0..60 {
                    if let Some(line) = lines.at(section.index, offset) {
                        assert!(line.line > 0 && !line.to_string().contains('\n'));
                    }
                }
            }
        }
    }
}

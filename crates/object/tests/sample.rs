//! Reads a real relocatable file and a real executable, made from `data/sample.S`.

use rhomb_object::{Code, Kind, Machine, ObjectError, ObjectFile, Target};

const OBJECT: &[u8] = include_bytes!("data/sample.o");
const EXECUTABLE: &[u8] = include_bytes!("data/sample.elf");

/// The function `name` of `file` has these words, offset and address.
fn check(file: &[u8], name: &str, offset: usize, address: u64, words: &[u16]) {
    let file = ObjectFile::parse(file).expect("a good file");
    let code = file.function(name).expect("a function");
    assert_eq!(code.words().expect("whole words"), words);
    assert_eq!((code.name, code.offset, code.address), (name, offset, address));
    assert_eq!(code.size, 2 * words.len());
    assert_eq!((code.machine, code.little_endian, code.thumb), (Machine::AVR, true, false));
}

/// The message of the error that asking `file` for `name` gives.
fn error(file: &[u8], name: &str) -> String {
    ObjectFile::parse(file)
        .expect("a good file")
        .function(name)
        .map(|code| code.size)
        .expect_err(name)
        .to_string()
}

/// Relocations of `name` in the relocatable file: offset, kind, symbol, addend.
fn relocations(name: &str) -> Vec<(usize, u32, String, Option<i64>)> {
    let file = ObjectFile::parse(OBJECT).expect("a good file");
    let code: Code<'_> = file.function(name).expect("a function");
    let row = |one: &rhomb_object::Relocation<'_>| (one.offset, one.kind, one.symbol.to_string(), one.addend);
    code.relocations().iter().map(row).collect()
}

#[test]
fn size_from_the_symbol() {
    check(OBJECT, "add16", 2, 2, &[0x0f86, 0x1f97, 0x9508]);
    check(EXECUTABLE, "add16", 2, 2, &[0x0f86, 0x1f97, 0x9508]);
}

#[test]
fn size_up_to_the_next_function_across_labels() {
    check(OBJECT, "untyped", 8, 8, &[0x940e, 0, 0xe024, 0x952a, 0xf401, 0x9130, 0, 0x9508]);
    check(EXECUTABLE, "untyped", 8, 8, &[0x940e, 1, 0xe024, 0x952a, 0xf7f1, 0x9130, 0x100, 0x9508]);
}

#[test]
fn local_functions_and_labels_are_found() {
    check(OBJECT, "hidden", 0x1a, 0x1a, &[0xe080, 0x9508]);
    check(EXECUTABLE, "inner_loop", 14, 14, &[0x952a, 0xf7f1, 0x9130, 0x100, 0x9508]);
}

#[test]
fn each_section_counts_its_own_offsets_until_linked() {
    check(OBJECT, "second", 0, 0, &[0x940e, 0, 0x9508]);
    check(EXECUTABLE, "second", 0x1e, 0x1e, &[0x940e, 0x0d, 0x9508]);
}

#[test]
fn the_list_has_functions_and_no_labels_or_data() {
    let file = ObjectFile::parse(OBJECT).expect("a good file");
    let list: Vec<_> = file.functions().map(|one| (one.name, one.section, one.address, one.size)).collect();
    let expected = [
        ("hidden", ".text", 0x1a, 4),
        ("add16", ".text", 2, 6),
        ("untyped", ".text", 8, 16),
        ("calls_out", ".text", 0x18, 2),
        ("second", ".text.second", 0, 6),
    ];
    assert_eq!(list, expected);
    assert_eq!((file.kind(), file.machine(), file.flags()), (Kind::Relocatable, Machine::AVR, 0xb3));
}

#[test]
fn relocations_of_the_function_only() {
    let text = || ".text".to_owned();
    assert_eq!(relocations("add16"), []);
    assert_eq!(
        relocations("untyped"),
        [(8, 18, text(), Some(2)), (16, 2, text(), Some(14)), (20, 4, ".data".to_owned(), Some(0))]
    );
    assert_eq!(relocations("calls_out"), [(24, 3, "elsewhere".to_owned(), Some(0))]);
    assert_eq!(relocations("second"), [(0, 18, text(), Some(26))]);
}

#[test]
fn a_call_to_a_neighbour_can_be_followed() {
    let file = ObjectFile::parse(OBJECT).expect("a good file");
    let second = file.function("second").expect("a function");
    let call = &second.relocations()[0];
    let Target::Section { index, offset } = call.target else { panic!("{call:?}") };
    let section = file.sections().iter().find(|section| section.index == index).expect("a code section");
    assert_eq!(section.name, ".text");
    let callee = offset as i64 + call.addend.expect("RELA");
    assert_eq!(callee as u64, file.function("hidden").expect("a function").address);

    let calls_out = file.function("calls_out").expect("a function");
    assert_eq!(calls_out.relocations()[0].target, Target::Elsewhere);
    assert_eq!(calls_out.section.bytes.len(), 30);
    assert_eq!(calls_out.section_words().expect("whole words").len(), 15);
}

#[test]
fn an_executable_has_nothing_left_to_fill_in() {
    let file = ObjectFile::parse(EXECUTABLE).expect("a good file");
    assert_eq!(file.kind(), Kind::Executable);
    assert!(file.sections().iter().all(|section| section.relocations.is_empty()));
}

#[test]
fn any_alignment_will_do() {
    for shift in 0..8 {
        let mut moved = vec![0; shift];
        moved.extend_from_slice(OBJECT);
        assert!(ObjectFile::parse(&moved[shift..]).is_ok(), "shift {shift}");
    }
}

#[test]
fn messages_name_the_fault_and_the_choices() {
    assert_eq!(
        error(OBJECT, "ad16"),
        "no function 'ad16' in the file; valid: add16, hidden, second, untyped, calls_out"
    );
    assert!(
        error(OBJECT, "elsewhere").starts_with("'elsewhere' is used but not defined in the file; valid: ")
    );
    assert!(error(OBJECT, "counter").starts_with("'counter' is no code; valid: "));
    assert!(error(OBJECT, "").starts_with("no function '' in the file"));
}

#[test]
fn other_files_are_told_apart() {
    let message = |bytes: &[u8]| ObjectFile::parse(bytes).expect_err("no ELF file").to_string();
    assert!(message(b"").contains("it is empty"));
    assert!(message(b"!<arch>\nx").contains("archive"));
    assert!(message(b":100000000C94").contains("Intel HEX"));
    assert!(message(b"MZ").contains("7f 45 4c 46"));
    assert!(message(b"\x7fELF").starts_with("damaged"));
}

/// `file` with `bytes` written at `place`.
fn patched(file: &[u8], place: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    file[place..place + bytes.len()].copy_from_slice(bytes);
    file
}

/// Offset in `sample.o` of a field of symbol `number`: 4 value, 8 size, 12 type and binding.
fn symbol_field(number: usize, field: usize) -> usize {
    0x5c + 16 * number + field
}

/// Offset in `sample.o` of a field of section header `number`: 8 flags, 20 size, 24 link.
fn section_field(number: usize, field: usize) -> usize {
    508 + 40 * number + field
}

#[test]
fn sizes_that_do_not_fit_are_errors() {
    let too_long = patched(OBJECT, symbol_field(7, 8), &29u32.to_le_bytes());
    assert_eq!(error(&too_long, "add16"), "'add16' covers bytes 2 to 31 of section .text, which has 30");
    let too_far = patched(OBJECT, symbol_field(8, 4), &31u32.to_le_bytes());
    assert_eq!(error(&too_far, "untyped"), "'untyped' covers bytes 31 to 31 of section .text, which has 30");
    let at_the_end = patched(OBJECT, symbol_field(8, 4), &30u32.to_le_bytes());
    assert_eq!(error(&at_the_end, "untyped"), "function 'untyped' is empty");
}

#[test]
fn odd_code_is_no_words() {
    for (field, value, what) in [(8, 5u32, "size"), (4, 3, "offset")] {
        let odd = patched(OBJECT, symbol_field(7, field), &value.to_le_bytes());
        let file = ObjectFile::parse(&odd).expect("a good file");
        let error = file.function("add16").expect("a function").words().expect_err("odd");
        let expected = format!(
            "{what} in bytes of 'add16' is {value}, not a multiple of 2, so it is no sequence of 16-bit words"
        );
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn one_name_for_two_places_is_ambiguous_unless_one_is_global() {
    // the label gets the local function's name, then the local function a global one's
    let name = |number| OBJECT[symbol_field(number, 0)..][..4].to_vec();
    let two_locals = patched(OBJECT, symbol_field(4, 0), &name(5));
    assert_eq!(
        error(&two_locals, "hidden"),
        "'hidden' names 2 different functions; valid: a name that is unique"
    );
    let global_too = patched(OBJECT, symbol_field(5, 0), &name(7));
    let file = ObjectFile::parse(&global_too).expect("a good file");
    assert_eq!(file.function("add16").expect("the global one").offset, 2);
}

#[test]
fn lost_relocations_are_an_error() {
    let unlinked = patched(OBJECT, section_field(2, 24), &9u32.to_le_bytes());
    let message = ObjectFile::parse(&unlinked).expect_err("damaged").to_string();
    assert!(message.contains("relocation section 2 does not refer to the symbol table"), "{message}");
    let outside = patched(OBJECT, 0x170, &30u32.to_le_bytes());
    let message = ObjectFile::parse(&outside).expect_err("damaged").to_string();
    assert!(message.contains("offset 30 lies outside section 1, which has 30 bytes"), "{message}");
}

#[test]
fn compressed_code_is_an_error() {
    let compressed = patched(OBJECT, section_field(1, 8), &0x806u32.to_le_bytes());
    let message = ObjectFile::parse(&compressed).expect_err("compressed").to_string();
    assert!(message.contains("code section 1 is compressed"), "{message}");
}

#[test]
fn core_dumps_are_refused() {
    let core = patched(OBJECT, 16, &[4]);
    assert_eq!(ObjectFile::parse(&core).err(), Some(ObjectError::FileType { number: 4 }));
}

#[test]
fn thumb_functions_lose_their_mark() {
    let arm = patched(OBJECT, 18, &40u16.to_le_bytes());
    let thumb = patched(&arm, symbol_field(7, 4), &3u32.to_le_bytes());
    let file = ObjectFile::parse(&thumb).expect("a good file");
    let code = file.function("add16").expect("a function");
    assert_eq!((code.machine, code.thumb, code.offset), (Machine::ARM, true, 2));
}

//! Functions of an object file with what they need. `data/linked.o` is `data/linked.s`, assembled.

use rhomb_arm::cores::core;
use rhomb_arm::link::{LinkError, Linked, link};
use rhomb_arm::{Machine, Program};
use rhomb_machine::{Access, Concrete, Filled, run};
use rhomb_object::ObjectFile;
use std::sync::Arc;

const OBJECT: &[u8] = include_bytes!("data/linked.o");

fn linked(name: &str) -> Result<Linked, LinkError> {
    let file = ObjectFile::parse(OBJECT).unwrap();
    link(&file, &file.function(name).unwrap(), false)
}

/// R0, R1 and R2 after the function at `offset` of an image.
fn called(image: &Linked) -> [u32; 3] {
    let placement = image.placement.clone();
    let program = Program::placed(
        core("arm7tdmi").unwrap(),
        image.origin,
        &rhomb_arm::halves(&image.words()),
        placement,
    );
    let mut machine = Machine::new(Arc::new(program), Concrete::<u32>::new());
    let sp = machine.program().core().ram.start + 0x1000;
    for number in 0..13 {
        machine.set_register(number, 0);
    }
    machine.memory.own("stack", sp / 4 - 64..sp / 4, Access::Store).unwrap();
    machine.set_sp(sp, 0);
    machine.enter(image.origin + image.routine.start as u32).unwrap();
    run(&mut machine, 100).unwrap();
    [0, 1, 2].map(|number| *machine.register(number))
}

#[test]
fn calls_tables_and_literals_are_filled_in() {
    let image = linked("sum").unwrap();
    assert_eq!((image.origin, image.routine.clone()), (0, 0..0x34));
    // itself, the table, what it calls, what that branches to
    let starts: Vec<usize> = image.sections.iter().map(|(range, _)| range.start).collect();
    assert_eq!(starts, [0, 0x48, 0x68, 0x88]);
    let twice = image.sections.iter().find(|(range, _)| range.len() == 16).unwrap().0.start;
    assert_eq!(called(&image), [2 * 5 + 0x1234_5678, 0, twice as u32 - 0x30]);
    // a function beside it needs what is missing: it is no code here
    assert_eq!(image.placement.filled(twice as u32 + 8), Some(Filled::Missing));
}

#[test]
fn what_is_missing_is_told() {
    let message = |name: &str| linked(name).unwrap_err().to_string();
    assert_eq!(message("calls_elsewhere"), "'calls_elsewhere' needs 'elsewhere', which is not in the file");
    // through another function
    assert_eq!(message("calls_beside"), "'calls_beside' needs 'elsewhere', which is not in the file");
    assert_eq!(
        message("names_data"),
        "'names_data' refers to data 'variable', which has no address before linking"
    );
    assert_eq!(
        message("unknown_kind"),
        "'unknown_kind' has a relocation of kind 26 at offset 0x4, which is not modelled"
    );
    for name in ["small", "untyped"] {
        assert_eq!(
            message(name),
            format!("'{name}' is Thumb code; valid: code for ARM state (compile with -marm)")
        );
    }
    assert_eq!(
        message("calls_small"),
        "'calls_small' needs 'small', which is Thumb code; valid: code for ARM state (compile with -marm)"
    );
    assert_eq!(message("ragged"), "'ragged' covers bytes 0 to 5 of its section, which are no whole words");
}

/// No bytes make it panic: each byte of the file changed.
#[test]
fn damaged_files_are_no_panic() {
    for at in 0..OBJECT.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff, !OBJECT[at]] {
            let mut bytes = OBJECT.to_vec();
            bytes[at] = value;
            let Ok(file) = ObjectFile::parse(&bytes) else { continue };
            for name in ["sum", "calls_beside", "names_data", "calls_small", "ragged"] {
                if let Ok(code) = file.function(name)
                    && let Ok(image) = link(&file, &code, false)
                {
                    assert!(image.routine.end <= image.bytes.len());
                    let _ = Program::new(
                        core("arm7tdmi").unwrap(),
                        image.origin,
                        &rhomb_arm::halves(&image.words()),
                    );
                }
            }
        }
    }
}

#[cfg(feature = "oracles")]
mod oracles {
    use super::*;
    use rhomb_oracles::ArmGnu;

    #[test]
    fn the_file_is_what_gnu_as_makes_of_its_source() {
        assert_eq!(ArmGnu.object(include_str!("data/linked.s")).unwrap(), OBJECT);
    }

    /// The same addresses given to GNU ld.
    #[test]
    fn gnu_ld_fills_in_the_same() {
        // only what links
        let source = include_str!("data/linked.s");
        let end = source.find("\t.section .text.calls_elsewhere").unwrap();
        let object = ArmGnu.object(&source[..end].replace("bl elsewhere", "bl sum")).unwrap();
        let file = ObjectFile::parse(&object).unwrap();
        let ours = link(&file, &file.function("sum").unwrap(), false).unwrap();
        let mut script = String::from("SECTIONS {\n");
        for (range, index) in &ours.sections {
            let section = file.sections().iter().find(|section| section.index == *index).unwrap();
            script += &format!(" .s{index} {:#x} : {{ *({}) }}\n", range.start, section.name);
        }
        let theirs = ArmGnu.link(&object, &(script + " /DISCARD/ : { *(.data) }\n}\n")).unwrap();
        let theirs = ObjectFile::parse(&theirs).unwrap();
        let theirs = link(&theirs, &theirs.function("sum").unwrap(), false).unwrap();
        assert_eq!(called(&theirs), called(&ours));
        for (range, _) in &ours.sections {
            assert_eq!(ours.bytes[range.clone()], theirs.bytes[range.clone()], "{range:?}");
        }
    }

    /// C with a table, a call, a division of cases and a literal.
    #[test]
    fn compiled_code_links_and_runs() {
        let source = "
            static const unsigned table[4] = {3, 5, 0x12345678, 9};
            __attribute__((noinline)) static unsigned pick(unsigned i) { return table[i & 3] + 0xdeadbeef; }
            unsigned entry(unsigned i) {
                switch (i) {
                    case 0: return pick(2);
                    case 1: return 11;
                    case 2: return pick(1) * 7;
                    case 3: return 1234567;
                    case 4: return pick(0) ^ 5;
                    default: return 0;
                }
            }";
        for level in ["-O0", "-Os", "-O2"] {
            let object = ArmGnu.compile(source, level).unwrap();
            let file = ObjectFile::parse(&object).unwrap();
            let image = link(&file, &file.function("entry").unwrap(), false).unwrap();
            assert_eq!(called(&image)[0], 0x12345678u32.wrapping_add(0xdead_beef), "{level}");
        }
    }
}

//! The extensions of the cores.

use super::*;
use rhomb_mips::instructions::Class;

fn carryless(x: u32, y: u32) -> u128 {
    (0..32).filter(|bit| y >> bit & 1 == 1).fold(0, |sum, bit| sum ^ u128::from(x) << bit)
}

/// Table 1 of the paper, modulo 2^72.
#[test]
fn the_five_instructions() {
    let model = Arc::new(Model::of(core("mips32-ise").unwrap()));
    let names: Vec<&str> = model.custom().iter().map(|custom| &*custom.row.mnemonic).collect();
    assert_eq!(names, ["m2addu", "addau", "sha", "mulgf2", "maddgf2"]);
    assert_eq!(model.accumulator(), 72);
    let mut random = Random::new(1);
    for _ in 0..500 {
        let (rs, rt) = (word(&mut random), word(&mut random));
        let before = [word(&mut random), word(&mut random), word(&mut random) & 0xff];
        let (acc, x, y) = (number(&before), u128::from(rs), u128::from(rt));
        let expected = [acc + 2 * x * y, acc + x + y, acc >> 32, carryless(rs, rt), acc ^ carryless(rs, rt)];
        for (custom_number, expected) in (0..).zip(expected) {
            let one = custom(&model, custom_number);
            let mut machine = machine(&model, one, [rs, rt, 0], before);
            machine.step().unwrap();
            assert_eq!(number(machine.accumulator()), expected & ((1 << 72) - 1), "{custom_number}");
        }
    }
}

#[test]
fn their_words_and_times() {
    let model = Model::of(core("mips32-ise").unwrap());
    let word = |number| model.encode(&custom(&model, number)).unwrap();
    let registers = 4 << 21 | 5 << 16;
    assert_eq!(word(0), 0x7000_0011 | registers);
    assert_eq!(word(1), 0x7000_0012 | registers);
    assert_eq!(word(2), 0x7000_0013);
    // SmartMIPS's multp and maddp
    assert_eq!(word(3), 0x0000_0459 | registers);
    assert_eq!(word(4), 0x7000_0441 | registers);
    for (number, cycles, class) in [
        (0, 2, Class::Multiply),
        (1, 1, Class::Add),
        (2, 1, Class::Other),
        (3, 2, Class::Multiply),
        (4, 2, Class::Multiply),
    ] {
        let one = custom(&model, number);
        let time = model.times(&one).unwrap().most;
        assert_eq!((time.occupies, time.latency), (cycles, cycles));
        assert_eq!(model.row(&one).unwrap().class, class);
        assert_eq!(model.decode(word(number)), Ok(one));
    }
}

#[test]
fn smartmips() {
    let model = Arc::new(Model::of(core("smartmips").unwrap()));
    let find = |name: &str| {
        let number = model.custom().iter().position(|custom| custom.row.mnemonic == name).unwrap();
        custom(&model, number as u8)
    };
    let before = [0x1111_1111, 0x2222_2222, 0x33];
    let after = |one: Instruction, registers: [u32; 3]| {
        let mut machine = machine(&model, one, registers, before);
        machine.step().unwrap();
        (*machine.register(6), *machine.accumulator())
    };
    assert_eq!(after(find("mflhxu"), [0; 3]), (0x1111_1111, [0x2222_2222, 0x33, 0]));
    assert_eq!(after(find("mtlhx"), [7, 0, 9]), (9, [7, 0x1111_1111, 0x22]));
    assert_eq!(after(find("multp"), [3, 3, 0]).1, [5, 0, 0]);
    assert_eq!(after(find("maddp"), [1 << 31, 2, 0]).1, [0x1111_1111, 0x2222_2223, 0x33]);
    for (name, sa, rs) in [("ror", 8, 0), ("rorv", 0, 8 + 32)] {
        let one = Instruction { sa, ..find(name) };
        assert_eq!(after(one, [rs, 0x1234_5678, 0]).0, 0x7812_3456);
    }
    assert_eq!(after(Instruction { sa: 0, ..find("ror") }, [0, 0x1234_5678, 0]).0, 0x1234_5678);
}

/// A sixth instruction, as in the documentation.
#[test]
fn an_extension_is_added_to_a_core_that_has_one() {
    let document = include_str!("../../../../../docs/instruction-set-extensions.md");
    let start = document.find("```isa\n# addac.isa\n").expect("the example") + "```isa\n".len();
    let text = &document[start..start + document[start..].find("```").expect("its end")];
    let paper = Model::of(core("mips32-ise").unwrap());
    let model = Arc::new(paper.with(text).unwrap_or_else(|error| panic!("{error}\n{text}")));
    assert_eq!(model.custom().len(), 6);
    assert!(model.identity().starts_with("mips32-ise+") && paper.identity() == "mips32-ise");
    let mut random = Random::new(2);
    for _ in 0..200 {
        let (rs, rt) = (word(&mut random), word(&mut random));
        let before = [word(&mut random), word(&mut random), word(&mut random) & 0xff];
        let sum = number(&before) + u128::from(rs) + u128::from(rt);
        let mut machine = machine(&model, custom(&model, 5), [rs, rt, 0], before);
        machine.step().unwrap();
        assert_eq!(*machine.register(6), sum as u32);
        assert_eq!(number(machine.accumulator()), (sum & ((1 << 72) - 1)) >> 32);
    }
    // the same file twice
    let error = model.with(text).unwrap_err();
    assert_eq!(error.to_string(), "line 2, column 13: there is an instruction 'addac' already");
}

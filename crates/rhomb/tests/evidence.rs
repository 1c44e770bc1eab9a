//! The evidence notices what is wrong: generated routines, broken on purpose.

use rhomb::targets::Code;
use rhomb::{Error, Kind, Parameters, Request, simulate};

const NOP: u16 = 0x0000;
const RET: u16 = 0x9508;
const ADC: u16 = 0x1c00;
const LDD: u16 = 0x8000;

struct Fixture {
    plan: rhomb::Plan,
    words: Vec<u16>,
}

fn fixture(bits: usize, method: &str, parameters: Parameters) -> Fixture {
    let request = Request {
        operation: "mul".into(),
        bits,
        target: "atmega128".into(),
        method: Some(method.into()),
        parameters,
        ..Default::default()
    };
    let plan = request.plan().unwrap();
    let words = plan.code.bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    Fixture { plan, words }
}

impl Fixture {
    /// What the evidence says about other words in the routine's place.
    fn examine(&self, words: &[u16]) -> Result<(), Error> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let code = Code { origin: 0, routine: 0..bytes.len(), bytes, placement: Default::default() };
        let rhomb::Plan { target, contract, convention, .. } = &self.plan;
        let subject = target.subject(&code, convention).unwrap();
        simulate(*target, &*subject, contract).map(|_| ())
    }

    fn fails(&self, words: &[u16], fault: &str) {
        let error = self.examine(words).unwrap_err();
        assert_eq!(error.kind, Kind::Evidence, "{error}");
        assert!(error.fault.contains(fault), "{error}");
    }
}

/// Each instruction of a routine is needed: without it the evidence fails. The generator leaves out a
/// carry only where the ranges of the words exclude it; now and then it adds one that cannot occur, or loads
/// a word that still lies in the register.
#[test]
fn every_instruction_left_out_is_noticed() {
    for (method, parameters) in [
        ("operand-caching", Parameters { cache: Some(2), ..Default::default() }),
        ("product-scanning", Parameters { cache: Some(1), ..Default::default() }),
        ("hybrid", Parameters { rows: Some(2), ..Default::default() }),
        ("operand-scanning", Parameters { cache: Some(1), carry_once: Some(2), ..Default::default() }),
    ] {
        let fixture = fixture(40, method, parameters);
        fixture.examine(&fixture.words).unwrap();
        let mut survivors = Vec::new();
        for at in 0..fixture.words.len() {
            let mut words = fixture.words.clone();
            words[at] = NOP;
            if fixture.examine(&words).is_ok() {
                survivors.push(fixture.words[at]);
            }
        }
        assert!(survivors.len() <= 1, "{method}: {survivors:04x?}");
        let spared = |word: &u16| word & 0xfc00 == ADC || word & 0xd200 == LDD;
        assert!(survivors.iter().all(spared), "{method}: {survivors:04x?}");
    }
}

#[test]
fn breaches_of_the_convention_are_named() {
    let fixture = fixture(24, "product-scanning", Parameters::default());
    let body = fixture.words.strip_suffix(&[RET]).unwrap();
    let with = |words: &[u16]| [words, &[RET]].concat();
    // ldi r30, 1; mov r2, r30: a register to preserve
    fixture.fails(&with(&[body, &[0xe0e1, 0x2e2e]].concat()), "r2 is not what it was at the call");
    // ldi r30, 1; mov r1, r30
    fixture.fails(&with(&[body, &[0xe0e1, 0x2e1e]].concat()), "r1 is not zero at the return");
    // push r0 without pop
    fixture.fails(&with(&[body, &[0x920f]].concat()), "not to the caller");
    // pop r0 without push
    fixture.fails(&with(&[body, &[0x900f]].concat()), "raised");
    // no return at all
    fixture.fails(body, "execution left the program");
    // ldi r30, 0; ldi r31, 1; st Z, r30: the first byte of memory, which belongs to nobody
    fixture.fails(&with(&[body, &[0xe0e0, 0xe0f1, 0x83e0]].concat()), "does not own");
    // movw r30, r22; st Z, r1 before all else: operand a
    fixture.fails(&[&[0x01fb, 0x8210], &fixture.words[..]].concat(), "store to a");
    // add r20, r27: the pointer to b depends on a register that nobody set
    fixture.fails(&[&[0x0f4b], &fixture.words[..]].concat(), "r27");
    // rjmp .-2: never returns, in any number of steps
    fixture.fails(&[0xcfff], "no return within");
}

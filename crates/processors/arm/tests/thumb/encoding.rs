//! Every halfword, and pairs of them, both ways through GNU as and objdump.

use crate::thumb::extended;
use rhomb_arm::decode::DecodeError;
use rhomb_arm::instructions::{Action, Later};
use rhomb_arm::syntax::gnu;
use rhomb_arm::thumb::{Found, Level, decode, encode, shorter};
use rhomb_oracles::{Random, ThumbGnu};
use std::collections::BTreeMap;

const V6M: (Level, ThumbGnu) = (Level::V6m, ThumbGnu { mcpu: "cortex-m0plus" });
const V7M: (Level, ThumbGnu) = (Level::V7m, ThumbGnu { mcpu: "cortex-m3" });
const V7EM_FP: (Level, ThumbGnu) = (Level::V7emFp, ThumbGnu { mcpu: "cortex-m4" });
const V7EM: (Level, ThumbGnu) = (Level::V7em, ThumbGnu { mcpu: "cortex-m4" });

/// What we read in codes, and what the disassembler takes for an instruction and we do not, by mnemonic.
fn split(level: Level, gnu: &ThumbGnu, codes: &[Vec<u16>]) -> (Vec<Found>, BTreeMap<String, (u32, String)>) {
    let mut known = Vec::new();
    let mut refused = BTreeMap::new();
    for (code, text) in codes.iter().zip(gnu.disassemble(codes)) {
        match decode(level, code, None) {
            Ok(found) => {
                assert!(!text.contains("UNDEFINED"), "{code:04x?}: {text}");
                if let Action::Later(Later::If { .. }) = found.action {
                    // not assembled alone
                    assert_eq!(gnu::thumb(&found), text.split(" @").next().unwrap_or_default());
                } else {
                    known.push(found);
                }
            }
            // open, or a coprocessor's and of floating point
            Err(DecodeError::OpenThumb { .. }) => {}
            Err(_) if code[0] >> 10 & 0x3b == 0b11_1011 && !moves_words(level, code, &text) => {}
            Err(error) => {
                if !["UNDEFINED", "UNPREDICTABLE", "illegal"].iter().any(|word| text.contains(word)) {
                    let name = text.split([' ', '.']).next().unwrap_or_default().to_owned();
                    let entry = refused.entry(name).or_insert((0, format!("{code:04x?} {text}: {error}")));
                    entry.0 += 1;
                }
            }
        }
    }
    (known, refused)
}

/// Whether words go to registers of the floating-point extension or from them: of the first 16 pairs, which are all there are, and
/// not in the forms for halves of pairs and for numbers.
fn moves_words(level: Level, code: &[u16], text: &str) -> bool {
    let names = ["vmov\t", "vmov ", "vldr", "vstr", "vldm", "vstm", "vpush", "vpop"];
    let beyond = |word: &str| {
        let number = |letter| word.strip_prefix(letter).and_then(|number: &str| number.parse::<u32>().ok());
        number('s').is_some_and(|number| number > 31) || number('d').is_some_and(|number| number > 15)
    };
    let others = text.split(|letter: char| !letter.is_ascii_alphanumeric()).any(beyond);
    // of which it shows others
    let others = others || text.contains('{') && code[1] & 0xff > 32;
    let others = others || ["UNPREDICTABLE", "overflow"].iter().any(|word| text.contains(word));
    level == Level::V7emFp && names.iter().any(|name| text.starts_with(name)) && !others
}

/// Beginnings of what the disassembler knows and we do not: of other profiles, hints, exclusive accesses, exceptions,
/// saturation, SIMD, products of halves, and division.
const OTHERS: &str = "aut bf bkpt blxns bx cb clz cps crc32 hlt hvc it ldr?? ldrex mrs msr nop orn pac pk pl qadd qsub sadd \
    sasx sdiv sel setend setpan sev sha shs smc smla smls smm smu srs ssa ssu stlex str?? strex svc sxta sxtb16 tb tt uadd udf \
    udiv uh undefined umaal uq usa uxta vld vst wf wls yield";
/// Names of ours with bits that are not as they should be, or as user.
const BROKEN: &str = "adc adcs add and bic blx cmn cmp eor ldmdb ldmia ldr ldrb ldrbt ldrh ldrht ldrsb ldrsbt ldrsh ldrsht ldrt mov \
    orr rsb sbc stmdb stmia str strb strbt strh strht strt sub teq tst uxth";

/// Of what is refused, mnemonics that are not known to be.
fn lacking(refused: &BTreeMap<String, (u32, String)>) -> Vec<&String> {
    let known = |name: &&String| {
        let begins = OTHERS.split_whitespace().any(|known| name.starts_with(known));
        begins || BROKEN.split_whitespace().any(|known| *name == known)
    };
    refused.iter().filter(|(name, _)| !known(name)).map(|(_, (_, first))| first).collect()
}

/// What GNU as makes another instruction of: zeros that are subtracted; STMIA of the stack pointer, which becomes PUSH; NOP,
/// which becomes a move on ARMv6-M.
fn is_lost(text: &str) -> bool {
    text.contains("#-0") || text.starts_with("stmia sp!") || text == "nop"
}

/// GNU as makes of our text what our encoder makes of the instruction.
fn assemble(level: Level, gnu_as: &ThumbGnu, known: &[Found]) {
    for part in known.chunks(20_000) {
        let fpu = if level == Level::V7emFp { "\t.fpu fpv4-sp-d16\n" } else { "\n" };
        let mut text = fpu.to_owned();
        let mut expected = Vec::new();
        for found in part {
            text += &format!("\t{}\n", gnu::thumb(&found.instruction));
            let own = shorter(&found.instruction);
            let halves = encode(level, &own).unwrap();
            assert_eq!(decode(level, &halves, None).map(|found| found.instruction), Ok(own));
            expected.push(halves);
        }
        let bytes = gnu_as.assemble(&text).unwrap_or_else(|error| {
            let first = error.lines().find(|line| line.contains("Error")).unwrap_or_default();
            let line = first.split(':').nth(1).and_then(|line| line.parse::<usize>().ok()).unwrap_or(3);
            panic!("{first}: {:?}", text.lines().nth(line - 3))
        });
        let halves: Vec<u16> = bytes.as_chunks().0.iter().map(|half| u16::from_le_bytes(*half)).collect();
        let mut at = 0;
        let mut differ = Vec::new();
        for (found, own) in part.iter().zip(&expected) {
            let theirs = &halves[at..];
            let length = if theirs[0] >> 11 >= 0b11101 { 2 } else { 1 };
            if theirs[..length] != own[..] && !is_lost(&gnu::thumb(found)) {
                differ.push(format!(
                    "{}: ours {own:04x?}, theirs {:04x?}",
                    gnu::thumb(found),
                    &theirs[..length]
                ));
            }
            at += length;
        }
        assert!(
            differ.is_empty(),
            "{} of {} differ\n{}",
            differ.len(),
            part.len(),
            differ[..differ.len().min(40)].join("\n")
        );
    }
}

fn halfwords() -> Vec<Vec<u16>> {
    (0..=u16::MAX).filter(|half| half >> 11 < 0b11101).map(|half| vec![half]).collect()
}

/// All first halfwords, with samples of the second ones.
fn pairs(samples: usize) -> Vec<Vec<u16>> {
    let mut random = Random::new(3);
    let edges = [0x0000u16, 0xf000, 0x0f00, 0xf0f0, 0x1203, 0x8d04];
    let mut all = Vec::new();
    for first in 0xe800..=u16::MAX {
        for sample in 0..samples {
            let second = edges.get(sample).copied().unwrap_or_else(|| random.bits() as u16);
            all.push(vec![first, second]);
        }
    }
    all.extend(extended(&mut random, 2 * samples).into_iter().map(Vec::from));
    all
}

#[test]
fn halfwords_are_those_of_the_gnu_tools() {
    for (level, gnu) in [V6M, V7EM] {
        let (known, refused) = split(level, &gnu, &halfwords());
        assert_eq!(lacking(&refused), [""; 0]);
        println!("{level:?}: {} halfwords are instructions", known.len());
        let least = if level == Level::V6m { 55_404 } else { 56_400 };
        assert!(known.len() >= least);
        assemble(level, &gnu, &known);
    }
}

#[test]
fn pairs_are_those_of_the_gnu_tools() {
    for (level, gnu) in [V7EM_FP, V7EM, V7M] {
        let (known, refused) = split(level, &gnu, &pairs(24));
        assert_eq!(lacking(&refused), [""; 0]);
        println!("{level:?}: {} pairs are instructions", known.len());
        assert!(known.len() > 35_000);
        assemble(level, &gnu, &known);
    }
}

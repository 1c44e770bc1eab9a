//! The decoder and the assembler text against GNU as, and what we refuse against GNU objdump.

use rhomb_avr::decode::{decode, row_of};
use rhomb_avr::syntax::gnu;
use rhomb_oracles::Gnu;

/// Second words for the instructions that have one.
const SECONDS: [u16; 3] = [0x0000, 0x8123, 0xffff];

/// All first words: decoded, written as text and assembled, they come out as they went in.
#[test]
fn every_opcode_is_what_gnu_as_makes_of_its_text() {
    // the architecture that knows every instruction of the table, SPM Z+ included
    let gnu_as = Gnu::new("avrxmega6");
    for second in SECONDS {
        let mut text = String::new();
        let mut words: Vec<u16> = Vec::new();
        for first in 0..=u16::MAX {
            let Ok((instruction, length)) = decode(&[first, second]) else { continue };
            if length == 1 && second != SECONDS[0] {
                continue;
            }
            gnu::write_instruction(&mut text, &instruction);
            text.push('\n');
            words.extend(&[first, second][..length]);
        }
        let assembled = gnu_as.assemble(&text).unwrap();
        assert_eq!(assembled.len(), words.len());
        for (at, (ours, theirs)) in words.iter().zip(&assembled).enumerate() {
            assert_eq!(ours, theirs, "word {at} of those with second word {second:#06x}");
        }
    }
}

/// Words that we refuse are no instructions to GNU objdump for the largest classic architecture.
#[test]
fn refused_opcodes_are_data_to_objdump() {
    let refused: Vec<u16> = (0..=u16::MAX).filter(|word| row_of(*word).is_none()).collect();
    println!("{} words refused", refused.len());
    // one at a time needs separation: a nop follows each, so that a two-word guess is seen as one
    let words: Vec<u16> = refused.iter().flat_map(|word| [*word, 0]).collect();
    let mut known = Vec::new();
    for line in Gnu::new("avr6").disassemble(&words) {
        if line.address % 4 == 0 && !line.text.starts_with(".word") {
            known.push(format!("{:04x} {}", line.words[0], line.text));
        }
    }
    // read-modify-write and DES exist on XMEGA only (DS40002198, 6.50, 6.63 to 6.65, 6.124); objdump
    // prints them for every architecture
    let foreign = ["xch Z,", "las Z,", "lac Z,", "lat Z,", "des "];
    let (foreign, other): (Vec<_>, Vec<_>) =
        known.iter().partition(|line| foreign.iter().any(|start| line[5..].starts_with(start)));
    assert_eq!(other, Vec::<&String>::new());
    assert_eq!(foreign.len(), 4 * 32 + 16);
}

//! Whole programs on qemu's model of a 4Km.

use super::plain::multiplication;
use super::*;
use rhomb_mips::syntax;
use rhomb_oracles::MipsGnu;
use std::fmt::Write;

/// The file that we print of a function, called with numbers from data and its result written to standard output.
#[test]
fn qemu_computes_the_same_products() {
    let n = 6;
    let function = function("mips32-4km", &multiplication(n));
    let program = &function.program;
    let instructions: Vec<_> = (0..program.words().len() as u32)
        .map(|word| program.instruction(0x400 + 4 * word).unwrap())
        .collect();
    let mut text = syntax::function(program.model(), "product", 0x400, &instructions);
    text += "\t.text\n\t.set noreorder\n\t.globl __start\n__start:\n";
    let mut data = String::from("\t.data\n");
    let mut expected = Vec::new();
    let mut random = Random::new(7);
    for case in 0..12 {
        let (a, b) = (random.extreme_words(n), random.extreme_words(n));
        let (words, _) = result(&function, 2 * n as u32, &[&a, &b], case);
        assert_eq!(words, words_of(&(big(&a) * big(&b)), 2 * n));
        expected.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        for (name, words) in [("a", &a), ("b", &b)] {
            let words: Vec<String> = words.iter().map(u32::to_string).collect();
            writeln!(data, "{name}{case}: .word {}", words.join(", ")).unwrap();
        }
        for (register, name) in [(4, "r".to_owned()), (5, format!("a{case}")), (6, format!("b{case}"))] {
            writeln!(text, "\tlui ${register}, %hi({name})\n\taddiu ${register}, ${register}, %lo({name})")
                .unwrap();
        }
        text += "\tjal product\n\tnop\n";
        // write(1, r, 48)
        text += "\taddiu $4, $0, 1\n\tlui $5, %hi(r)\n\taddiu $5, $5, %lo(r)\n\taddiu $6, $0, 48\n\taddiu $2, $0, 4004\n\tsyscall\n";
    }
    // exit(0)
    text += "\taddiu $4, $0, 0\n\taddiu $2, $0, 4001\n\tsyscall\n";
    let output = MipsGnu { march: "mips32" }.execute(&format!("{text}{data}r: .space 48\n")).unwrap();
    assert_eq!(output, expected);
}

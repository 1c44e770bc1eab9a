//! What a processor's accumulator can do, found by what its instructions mean.

use crate::extension::{CustomInstruction, Extension};
use crate::instructions::{Instruction, Op};
use crate::model::Model;
use rhomb_lower::draft;
use std::sync::LazyLock;

/// The instructions that make columns of products short, where a processor has them. An instruction of an extension
/// counts as one of these when it has the same operands and the same meaning, whatever its name.
#[derive(Clone, Copy, Debug)]
pub struct Abilities {
    /// Width of the accumulator in bits: 64 where there are no guard bits above HI.
    pub accumulator: u32,
    /// Whether MTHI clears the guard bits, or there are none.
    pub sets_high: bool,
    /// `acc = acc >> 32`.
    pub shift: Option<Instruction>,
    /// `rd = lo; acc = acc >> 32`.
    pub take: Option<Instruction>,
    /// `acc = acc + 2 * rs * rt`.
    pub twice: Option<Instruction>,
    /// `acc = acc + rs + rt`.
    pub words: Option<Instruction>,
    /// `acc = clmul(rs, rt)` and `acc = acc ^ clmul(rs, rt)`.
    pub carryless: Option<[Instruction; 2]>,
}

/// Descriptions of what is looked for.
static KNOWN: LazyLock<Vec<CustomInstruction>> = LazyLock::new(|| {
    let files = [
        include_str!("../../extensions/grossschaedl-savas.isa"),
        include_str!("../../extensions/smartmips.isa"),
    ];
    let parsed = files.iter().filter_map(|text| Extension::parse(text, 72, &[]).ok());
    parsed.flat_map(|extension| extension.instructions).collect()
});

impl Abilities {
    /// Those of a processor.
    pub fn of(model: &Model) -> Abilities {
        let find = |name: &str| {
            let known = KNOWN.iter().find(|known| known.row.mnemonic == name)?;
            let same = |own: &CustomInstruction| {
                own.meaning == known.meaning && own.row.operands == known.row.operands
            };
            let number = model.custom().iter().position(same)?;
            Some(Instruction { custom: u8::try_from(number).ok()?, ..Instruction::new(Op::Custom) })
        };
        let carryless = find("mulgf2").zip(find("maddgf2")).map(|(first, more)| [first, more]);
        Abilities {
            accumulator: model.accumulator(),
            sets_high: model.accumulator() == 64 || model.core().mthi_clears_guard,
            shift: find("sha"),
            take: find("mflhxu"),
            twice: find("m2addu"),
            words: find("addau"),
            carryless,
        }
    }

    /// What drafts want to know of them.
    pub fn of_drafts(&self) -> draft::Abilities {
        draft::Abilities {
            word: 32,
            accumulator: self.accumulator,
            sets_high: self.sets_high,
            shift: self.shift.is_some(),
            take: self.take.is_some(),
            twice: self.twice.is_some(),
            words: self.words.is_some(),
            carryless: self.carryless.is_some(),
        }
    }

    /// Whether columns are added up above 64 bits and moved down a word by an instruction.
    pub fn is_wide(&self) -> bool {
        self.of_drafts().is_wide()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cores::core;

    #[test]
    fn found_by_meaning() {
        let of = |name: &str| Abilities::of(&Model::of(core(name).unwrap()));
        let plain = of("mips32-4km");
        assert!(!plain.is_wide() && plain.carryless.is_none() && plain.twice.is_none() && plain.sets_high);
        let extended = of("mips32-ise");
        assert!(extended.is_wide() && extended.twice.is_some() && extended.words.is_some());
        assert!(extended.shift.is_some() && extended.take.is_none() && extended.carryless.is_some());
        let smart = of("smartmips");
        assert!(smart.is_wide() && smart.take.is_some() && smart.shift.is_none() && smart.twice.is_none());
        assert!(smart.carryless.is_some() && !smart.sets_high);
        // under another name
        let text = "instruction double rs, rt {
            encoding \"011100 sssss ttttt 00000 00000 010111\"
            meaning { acc = acc + 2 * rs * rt }
            unit mdu issue 1 occupies 2 latency 2
            counts multiply
        }";
        let model = Model::of(core("smartmips").unwrap()).with(text).unwrap();
        assert!(Abilities::of(&model).twice.is_some());
    }
}

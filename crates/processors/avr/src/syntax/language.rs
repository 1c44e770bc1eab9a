//! What the assembler text of any dialect needs of an instruction.

use super::operands::Spelling;
use super::{operands, read};
use crate::encode::encode;
use crate::instructions::{Instruction, Operand, ROWS};
use rhomb_machine::syntax::{self, Goal, Unsayable, Where};

impl syntax::Spelling for Spelling {
    type Instruction = Instruction;

    const UNIT: u32 = 2;

    fn length(&self, one: &Instruction) -> u32 {
        one.op.row().words() as u32
    }

    fn target(&self, address: u32, one: &Instruction) -> Option<u32> {
        let operands = one.op.row().operands;
        if operands.contains(&Operand::Relative) {
            let target = i64::from(address) + i64::from(self.length(one)) + i64::from(one.k);
            return u32::try_from(target).ok();
        }
        operands.contains(&Operand::Absolute).then_some(one.k as u32)
    }

    fn write(&self, text: &mut String, one: &Instruction, label: Option<&str>) -> Result<(), Unsayable> {
        operands::write(text, self, one, label)
    }

    fn read(&self, mnemonic: &str, operands: &str) -> Result<(Instruction, Option<Goal>), String> {
        read::instruction(self, mnemonic, operands)
    }

    fn placed(&self, one: &Instruction, address: u32, to: Where) -> Result<Instruction, String> {
        let next = address.wrapping_add(self.length(one));
        let k = match to {
            Where::Number(k) => k,
            Where::Address(place) if one.op.row().operands.contains(&Operand::Relative) => {
                place.wrapping_sub(next) as i32
            }
            Where::Address(place) => place as i32,
        };
        let whole = Instruction { k, ..*one };
        encode(&whole).map(|_| whole).map_err(|error| error.to_string())
    }

    fn is_register(name: &str) -> bool {
        let number = name.strip_prefix('r').and_then(|number| number.parse::<u8>().ok());
        number.is_some_and(|number| number < 32)
            || ["x", "y", "z", "xl", "xh", "yl", "yh", "zl", "zh"].contains(&name)
    }

    fn is_mnemonic(name: &str) -> bool {
        operands::short_form(name).is_some() || ROWS.iter().any(|row| row.mnemonic == name)
    }
}

//! The short forms of instructions, 16 bits long, as one table.
//!
//! Source: "The RISC-V Instruction Set Manual, Volume I: Unprivileged Architecture", chapter "C", tables of the three
//! quadrants for RV32. A row says which instruction it is; registers that the halfword does not name are fixed. Reserved
//! encodings, C.EBREAK and floating point are no rows. Hints are instructions that do nothing, and are taken as such.

use crate::instructions::{Instruction, Op, Register};
use rhomb_machine::pattern::BitPattern;

/// What a row refuses besides its fixed bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum But {
    /// Nothing.
    Any,
    /// The number 0.
    Number,
    /// Register 0 as the first one that is named.
    First,
    /// Register 0 as rs2.
    Second,
    /// The number 0, and the stack pointer as the destination.
    Upper,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Which form.
    pub short: Short,
    /// Mnemonic in lower case.
    pub mnemonic: &'static str,
    /// 16 places; `b` is both rd and rs1. A register of 3 places is one of 8 to 15.
    pattern: BitPattern,
    /// The instruction that it stands for.
    pub op: Op,
    /// The registers rd and rs1 where the halfword does not name them.
    implied: [Register; 2],
    /// Whether the number has a sign.
    signed: bool,
    but: But,
    /// Operands in the order of the assembler, as in [`Format::operands`](crate::instructions::Format::operands).
    pub operands: &'static str,
}

macro_rules! forms {
    ($($short:ident $mnemonic:literal $pattern:literal $op:ident $rd:literal $rs1:literal $signed:literal $but:ident
       $operands:literal;)*) => {
        /// A form of 16 bits.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[allow(missing_docs)] // each variant is its mnemonic
        pub enum Short { $($short),* }

        /// The table, indexed by `Short as usize`.
        pub static FORMS: &[Form] = &[$(Form {
            short: Short::$short,
            mnemonic: $mnemonic,
            pattern: BitPattern::of($pattern),
            op: Op::$op,
            implied: [$rd, $rs1],
            signed: $signed,
            but: But::$but,
            operands: $operands,
        }),*];
    };
}

forms! {
    // form   mnemonic       pattern                    op  rd rs1 signed but operands
    Addi4spn "c.addi4spn" "000 FEJIHGCD ddd 00"         Addi 0 2 false Number "d,s,i";
    Lw       "c.lw"       "010 FED sss CG ddd 00"       Lw   0 0 false Any    "d,i(s)";
    Sw       "c.sw"       "110 FED sss CG ttt 00"       Sw   0 0 false Any    "t,i(s)";
    Addi16sp "c.addi16sp" "011 J 00010 EGIHF 01"        Addi 2 2 true  Number "d,i";
    Addi     "c.addi"     "000 F bbbbb EDCBA 01"        Addi 0 0 true  Any    "d,i";
    Jal      "c.jal"      "001 LEJIKGHDCBF 01"          Jal  1 0 true  Any    "p";
    Li       "c.li"       "010 F ddddd EDCBA 01"        Addi 0 0 true  Any    "d,i";
    Lui      "c.lui"      "011 F ddddd EDCBA 01"        Lui  0 0 true  Upper  "d,i";
    Srli     "c.srli"     "100 0 00 bbb EDCBA 01"       Srli 0 0 false Any    "d,i";
    Srai     "c.srai"     "100 0 01 bbb EDCBA 01"       Srai 0 0 false Any    "d,i";
    Andi     "c.andi"     "100 F 10 bbb EDCBA 01"       Andi 0 0 true  Any    "d,i";
    Sub      "c.sub"      "100 0 11 bbb 00 ttt 01"      Sub  0 0 false Any    "d,t";
    Xor      "c.xor"      "100 0 11 bbb 01 ttt 01"      Xor  0 0 false Any    "d,t";
    Or       "c.or"       "100 0 11 bbb 10 ttt 01"      Or   0 0 false Any    "d,t";
    And      "c.and"      "100 0 11 bbb 11 ttt 01"      And  0 0 false Any    "d,t";
    J        "c.j"        "101 LEJIKGHDCBF 01"          Jal  0 0 true  Any    "p";
    Beqz     "c.beqz"     "110 IED sss HGCBF 01"        Beq  0 0 true  Any    "s,p";
    Bnez     "c.bnez"     "111 IED sss HGCBF 01"        Bne  0 0 true  Any    "s,p";
    Slli     "c.slli"     "000 0 bbbbb EDCBA 10"        Slli 0 0 false Any    "d,i";
    Lwsp     "c.lwsp"     "010 F ddddd EDC HG 10"       Lw   0 2 false First  "d,i(s)";
    Jr       "c.jr"       "100 0 sssss 00000 10"        Jalr 0 0 false First  "s";
    Mv       "c.mv"       "100 0 ddddd ttttt 10"        Add  0 0 false Second "d,t";
    Jalr     "c.jalr"     "100 1 sssss 00000 10"        Jalr 1 0 false First  "s";
    Add      "c.add"      "100 1 bbbbb ttttt 10"        Add  0 0 false Second "d,t";
    Swsp     "c.swsp"     "110 FEDCHG ttttt 10"         Sw   0 2 false Any    "t,i(s)";
}

impl Short {
    /// The form's row.
    pub fn form(self) -> &'static Form {
        &FORMS[self as usize]
    }
}

impl Form {
    fn register(&self, letter: u8, half: u32) -> Option<Register> {
        let field = self.pattern.extract(letter, half) as u8;
        match self.pattern.width(letter) {
            0 => None,
            3 => Some(8 + field),
            _ => Some(field),
        }
    }

    /// Whether its first operand is the result's place, too.
    pub(crate) fn is_in_place(&self) -> bool {
        self.pattern.has(b'b')
    }

    /// An instruction of this form without the operands that are named.
    pub(crate) fn instruction(&self) -> Instruction {
        let [rd, rs1] = self.implied;
        Instruction { rd, rs1, short: Some(self.short), ..Instruction::new(self.op) }
    }

    /// Whether it may have these operands.
    fn takes(&self, one: &Instruction) -> bool {
        match self.but {
            But::Any => true,
            But::Number => one.immediate != 0,
            But::First => {
                if self.op == Op::Jalr {
                    one.rs1 != 0
                } else {
                    one.rd != 0
                }
            }
            But::Second => one.rs2 != 0,
            But::Upper => one.immediate != 0 && one.rd != 2,
        }
    }

    fn decode(&self, half: u16) -> Option<Instruction> {
        let half = u32::from(half);
        if !self.pattern.fits(half) {
            return None;
        }
        let both = self.register(b'b', half);
        let mut immediate = self.pattern.number(half);
        let mask = self.pattern.number_mask;
        if self.signed && mask != 0 {
            let above = mask.leading_zeros();
            immediate = ((immediate << above) as i32 >> above) as u32;
        }
        if self.op == Op::Lui {
            immediate &= 0xf_ffff;
        }
        let one = Instruction {
            op: self.op,
            rd: both.or(self.register(b'd', half)).unwrap_or(self.implied[0]),
            rs1: both.or(self.register(b's', half)).unwrap_or(self.implied[1]),
            rs2: self.register(b't', half).unwrap_or(0),
            immediate: immediate as i32,
            short: Some(self.short),
        };
        self.takes(&one).then_some(one)
    }

    /// The halfword of an instruction, if it has this form.
    pub fn encode(&self, one: &Instruction) -> Option<u16> {
        let mut half = self.pattern.value;
        let fields = [(b'b', one.rd), (b'd', one.rd), (b's', one.rs1), (b't', one.rs2)];
        for (letter, register) in fields {
            let field = if self.pattern.width(letter) == 3 { register.wrapping_sub(8) } else { register };
            half |= self.pattern.insert(letter, field.into());
        }
        half |= self.pattern.spread(one.immediate as u32);
        let half = half as u16;
        // what does not fit does not come back
        let same = Instruction { short: Some(self.short), ..*one };
        (self.decode(half) == Some(same)).then_some(half)
    }
}

/// The instruction in a halfword, if there is one.
pub fn decode(half: u16) -> Option<Instruction> {
    FORMS.iter().find_map(|form| form.decode(half))
}

/// The instruction in its first short form, if it has one.
pub fn compress(one: &Instruction) -> Option<Instruction> {
    let form = FORMS.iter().find(|form| form.op == one.op && form.encode(one).is_some())?;
    Some(Instruction { short: Some(form.short), ..*one })
}

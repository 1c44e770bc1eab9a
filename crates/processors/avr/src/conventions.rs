//! Calling conventions: where arguments arrive, which registers a routine may use, what must hold on
//! return.
//!
//! Sources. avr-gcc: GCC wiki, "avr-gcc", sections Register Layout and Calling Convention. IAR: "AVR IAR
//! C/C++ Compiler Reference Guide", CAVR-4 (2005), chapter Assembler language interface, section Calling
//! convention: scratch and preserved registers page 101; Y, EIND and RAMPZ page 102; parameters pages
//! 102 to 104 (pointers of 16 bits are aligned to pairs, first fit in R16 to R23); return values and RET
//! page 106. The same parameter table stands in Microchip's online documents, "IAR Calling Convention".
//! CrossWorks: no manual could be read; what is known of it is one incomplete page, so that it is marked
//! experimental, and `docs/soundness.md` lists what is open.

/// A calling convention for `void f(uint8_t *r, const uint8_t *a, const uint8_t *b)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Convention {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// Where the facts stand.
    pub source: &'static str,
    /// The dialect that is written where none is asked for.
    pub syntax: &'static str,
    /// Low registers of the pairs that hold the pointers `r`, `a` and `b`.
    pub arguments: [u8; 3],
    /// Registers behind those, in which the caller gives further arguments, in pairs.
    pub further: &'static [u8],
    /// Register that returns a number of one byte.
    pub returned: u8,
    /// Whether wider numbers are modelled: an argument of two pairs has its upper half in the first one, and what is returned
    /// ends where the first argument does.
    pub is_wide: bool,
    /// Registers that a routine must leave as it found them (bit n is Rn).
    pub saved: u32,
    /// Registers among them that must not even change for a while: an interrupt that comes in between
    /// relies on them.
    pub untouched: u32,
    /// Register that is zero at every call and return.
    pub zero: Option<u8>,
    /// Whether the facts could not be checked in a manual.
    pub experimental: bool,
}

impl Convention {
    /// Low registers of the pairs in which pointers arrive, one after the other.
    pub fn pointers(&self) -> impl Iterator<Item = u8> {
        self.arguments.into_iter().chain(self.further.iter().step_by(2).copied())
    }

    /// The same for routines within another one.
    pub(crate) fn inner(&self) -> Option<&'static Self> {
        let name = self.name.split(' ').next();
        INNER.iter().find(|own| own.name.split(' ').next() == name)
    }

    /// Registers in which further arguments arrive, behind so many pointers.
    pub fn beyond(&self, pointers: usize) -> impl Iterator<Item = u8> {
        self.pointers().skip(pointers).flat_map(|low| [low, low + 1])
    }
}

/// Registers `first` to `last`.
const fn range(first: u8, last: u8) -> u32 {
    (u32::MAX >> (31 - (last - first))) << first
}

/// R28 and R29.
const Y: u32 = range(28, 29);

/// The convention of avr-gcc and clang.
pub static AVR_GCC: Convention = Convention {
    name: "avr-gcc",
    summary: "avr-gcc and clang: r in R25:R24, a in R23:R22, b in R21:R20; R1 zero",
    source: "GCC wiki, \"avr-gcc\", sections Register Layout and Calling Convention",
    syntax: "gnu",
    arguments: [24, 22, 20],
    further: &[18, 19, 16, 17, 14, 15, 12, 13, 10, 11, 8, 9],
    returned: 24,
    is_wide: true,
    saved: range(2, 17) | Y,
    untouched: 0,
    zero: Some(1),
    experimental: false,
};

/// The default convention of IAR's compiler, for pointers of 16 bits. Y is the data stack's pointer:
/// an interrupt destroys what lies below it.
pub static IAR: Convention = Convention {
    name: "iar",
    summary: "IAR AVR: r in R17:R16, a in R19:R18, b in R21:R20; Y is never touched, saves go to RSTACK",
    source: "AVR IAR C/C++ Compiler Reference Guide, CAVR-4, pages 101 to 106",
    syntax: "iar",
    arguments: [16, 18, 20],
    further: &[22, 23],
    returned: 16,
    is_wide: false,
    saved: range(4, 15) | range(24, 27) | Y,
    untouched: Y,
    zero: None,
    experimental: false,
};

/// The convention of Rowley's compiler, as far as it is known. Y is taken for the data stack's pointer,
/// which costs cycles and is right in either case.
pub static CROSSWORKS: Convention = Convention {
    name: "crossworks",
    summary: "CrossWorks for AVR, EXPERIMENTAL: r in R27:R26, a in R25:R24, b in R23:R22; R0 zero, Y is never touched",
    source: "one page of the CrossWorks for AVR manual, incomplete; the third argument is extrapolated",
    syntax: "crossworks",
    arguments: [26, 24, 22],
    further: &[20, 21],
    // unknown, taken from the first argument; addition and subtraction return their carry there
    returned: 26,
    is_wide: false,
    saved: range(2, 19) | Y,
    untouched: Y,
    zero: Some(0),
    experimental: true,
};

/// The inner conventions of all: what registers hold is nobody's, but for those that an interrupt relies on.
static INNER: [Convention; 3] =
    [inner("avr-gcc inner", &AVR_GCC), inner("iar inner", &IAR), inner("crossworks inner", &CROSSWORKS)];

const fn inner(name: &'static str, own: &Convention) -> Convention {
    Convention { name, saved: own.untouched, zero: None, ..*own }
}

/// All conventions.
pub static CONVENTIONS: &[&Convention] = &[&AVR_GCC, &IAR, &CROSSWORKS];

/// The convention of this name.
pub fn convention(name: &str) -> Option<&'static Convention> {
    CONVENTIONS.iter().copied().find(|convention| convention.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn register_sets() {
        assert_eq!(AVR_GCC.saved, 0x3003_fffc);
        assert_eq!(IAR.saved, 0x3f00_fff0);
        assert_eq!(CROSSWORKS.saved, 0x300f_fffc);
        for convention in CONVENTIONS {
            assert_eq!(convention.untouched & !convention.saved, 0, "{}", convention.name);
            let arguments = convention.arguments.iter().fold(0, |set, low| set | 3 << low);
            assert_eq!(arguments & convention.saved & !range(24, 27), 0, "{}", convention.name);
        }
    }
}

//! What an object file says of the code in it (`e_flags`).
//!
//! Source of the numbers: "System V ABI, MIPS RISC Processor Supplement", third edition, chapter 4; later ones: GNU
//! binutils, `include/elf/mips.h`.

/// The bits with the convention; 0 in files that do not say.
const CONVENTION: u32 = 0xf000;
const O32: u32 = 0x1000;
/// The convention n32.
const N32: u32 = 0x20;
/// The bits with the architecture.
const ARCHITECTURE: u32 = 0xf000_0000;
/// Architectures whose code a MIPS32 processor executes as it is meant: MIPS I, MIPS II, MIPS32 and its release 2.
const FITTING: [u32; 4] = [0x0000_0000, 0x1000_0000, 0x5000_0000, 0x7000_0000];
/// Compressed code somewhere in the file.
const MICROMIPS: u32 = 0x0200_0000;

/// Why code with these flags is not followed.
///
/// # Errors
/// A sentence.
pub fn check(flags: u32) -> Result<(), String> {
    let convention = flags & CONVENTION;
    if flags & N32 != 0 || ![0, O32].contains(&convention) {
        return Err("the file is made by another convention than o32".into());
    }
    if flags & MICROMIPS != 0 {
        return Err("the file holds microMIPS code; valid: MIPS32".into());
    }
    let architecture = flags & ARCHITECTURE;
    if !FITTING.contains(&architecture) {
        let name = match architecture >> 28 {
            9 | 10 => "release 6, which has other instructions",
            _ => "processors of 64 bits",
        };
        return Err(format!("the file is for {name}; valid: MIPS32 up to release 2"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_conventions_and_architectures_are_refused() {
        // as GNU as writes them: -march=mips32 with and without -mno-abicalls, -march=mips32r2
        for flags in [0x5000_1000, 0x5000_1001, 0x5000_1005, 0x7000_1005, 0x1000] {
            assert_eq!(check(flags), Ok(()), "{flags:#x}");
        }
        assert!(check(0x5000_0021).unwrap_err().contains("o32"));
        assert!(check(0x5000_3001).unwrap_err().contains("o32"));
        assert!(check(0x9000_1001).unwrap_err().contains("release 6"));
        assert!(check(0x6000_1001).unwrap_err().contains("64 bits"));
        assert!(check(0x5200_1001).unwrap_err().contains("microMIPS"));
    }
}

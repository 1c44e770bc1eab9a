//! What an object file says of the code in it (`e_flags`).
//!
//! Source of the numbers: "ELF for the Arm Architecture" (IHI 0044), table 4-2; those without an EABI version: GNU
//! binutils, `include/elf/arm.h`.

/// The bits with the version of the EABI.
const VERSION: u32 = 0xff00_0000;
/// Code is little-endian and data are big-endian.
const BE8: u32 = 0x0080_0000;
/// Without an EABI version: flags and program counter share a register.
const APCS_26: u32 = 0x08;

/// Why code with these flags is not followed.
///
/// # Errors
/// A sentence.
pub fn check(flags: u32) -> Result<(), String> {
    match flags {
        flags if flags & BE8 != 0 => {
            Err("the file is for big-endian data (BE8); valid: little-endian".into())
        }
        flags if flags & VERSION == 0 && flags & APCS_26 != 0 => {
            Err("the file is for a program counter of 26 bits; valid: 32 bits".into())
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_byte_orders_and_old_conventions_are_refused() {
        assert_eq!((check(0x0500_0000), check(0x0500_0200), check(0)), (Ok(()), Ok(()), Ok(())));
        // with a version the bit has another meaning
        assert_eq!(check(0x0500_0008), Ok(()));
        assert!(check(0x0580_0000).unwrap_err().contains("BE8"));
        assert!(check(0x08).unwrap_err().contains("26 bits"));
    }
}

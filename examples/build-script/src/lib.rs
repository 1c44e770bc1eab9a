//! 128-bit products on a Cortex-M0+, from a routine that the build script wrote and proved.

#![no_std]

/// What the build script wrote.
pub const ASSEMBLY: &str = include_str!(concat!(env!("OUT_DIR"), "/mul128.s"));

#[cfg(target_arch = "arm")]
mod product {
    core::arch::global_asm!(include_str!(concat!(env!("OUT_DIR"), "/mul128.s")));

    unsafe extern "C" {
        fn mul128(r: *mut u32, a: *const u32, b: *const u32);
    }

    /// `a * b`, the lowest word first.
    pub fn product(a: &[u32; 4], b: &[u32; 4]) -> [u32; 8] {
        let mut r = [0; 8];
        // SAFETY: the pointers are of arrays of the lengths that the routine takes, and r overlaps neither
        unsafe { mul128(r.as_mut_ptr(), a.as_ptr(), b.as_ptr()) };
        r
    }
}
#[cfg(target_arch = "arm")]
pub use product::product;

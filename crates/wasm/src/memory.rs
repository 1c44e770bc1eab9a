//! The three functions of the WebAssembly module: memory for a request, the call, and memory given back.
//!
//! All that is unsafe is here. A page writes a request into memory that it allocated, calls, reads the reply's length from
//! its first four bytes, and frees both. While the module works, it tells the page how far it is by a function of the
//! page's.
#![expect(unsafe_code, reason = "a page hands over addresses and lengths; there is no other interface")]

use std::alloc::{Layout, alloc, dealloc};

/// Bytes of a reply's length, in front of it.
const HEAD: usize = 4;

fn layout(length: usize) -> Layout {
    // an allocation of no bytes has no address
    Layout::from_size_align(length.max(1), 4).unwrap_or_else(|_| std::process::abort())
}

/// Memory for so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn rhomb_allocate(length: usize) -> *mut u8 {
    // SAFETY: the layout has at least one byte
    let place = unsafe { alloc(layout(length)) };
    if place.is_null() { std::process::abort() } else { place }
}

/// Gives back what [`rhomb_allocate`] or [`rhomb_call`] gave.
///
/// # Safety
/// The address is from one of them, with that length, and is given back once. A reply is four bytes longer than it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rhomb_free(place: *mut u8, length: usize) {
    // SAFETY: promised by the caller
    unsafe { dealloc(place, layout(length)) }
}

/// Answers a request: JSON in UTF-8 at `place`. Gives the length of the reply in four bytes, lowest first, and then the reply.
///
/// # Safety
/// So many bytes can be read at `place`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rhomb_call(place: *const u8, length: usize) -> *mut u8 {
    // SAFETY: promised by the caller
    let request = unsafe { std::slice::from_raw_parts(place, length) };
    let reply = crate::call(request);
    let to = rhomb_allocate(HEAD + reply.len());
    // SAFETY: the memory is new, and so long
    let bytes = unsafe {
        to.write_bytes(0, HEAD + reply.len());
        std::slice::from_raw_parts_mut(to, HEAD + reply.len())
    };
    bytes[..HEAD].copy_from_slice(&(reply.len() as u32).to_le_bytes());
    bytes[HEAD..].copy_from_slice(reply.as_bytes());
    to
}

#[cfg(target_family = "wasm")]
#[link(wasm_import_module = "rhomb")]
unsafe extern "C" {
    /// The page's: takes UTF-8.
    fn progress(place: *const u8, length: usize);
}

/// Tells the page how far the work is; without a page nobody is told.
pub(crate) fn tell(text: &str) {
    #[cfg(target_family = "wasm")]
    // SAFETY: the page reads those bytes and keeps no address
    unsafe {
        progress(text.as_ptr(), text.len());
    }
    #[cfg(not(target_family = "wasm"))]
    let _ = text;
}

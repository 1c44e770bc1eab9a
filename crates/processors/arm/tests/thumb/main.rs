//! Thumb state against GNU as and objdump, and against unicorn.
#![cfg(feature = "oracles")]

mod encoding;
mod text;
mod unicorn;

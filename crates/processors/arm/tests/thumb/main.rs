//! Thumb state against GNU as and objdump, unicorn, and rp2040js.
#![cfg(feature = "oracles")]

mod encoding;
mod rp2040js;
mod text;
#[path = "../support/times.rs"]
mod times;
mod unicorn;

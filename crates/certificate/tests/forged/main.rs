//! Certificates that somebody has tampered with, or made up.

mod argument;
mod claims;
mod exclusions;
mod files;
mod kernels;
mod lemmas;
mod text;

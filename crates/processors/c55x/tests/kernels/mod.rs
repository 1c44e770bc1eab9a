//! Kernels against big integers, on lines printed and read back.

mod exponentiation;
mod montgomery;
mod multiplication;
mod programs;
mod rsa;
mod splits;
mod support;

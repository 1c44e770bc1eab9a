//! All tests of the library and the command line in one program, which is compiled and linked once.

mod arm;
mod dialects;
mod documents;
mod ecdh;
mod evidence;
mod export;
mod field;
mod fields_table;
mod files;
mod fuzz;
mod gallery;
mod gnu;
mod library;
mod linker;
mod looped;
mod mips;
mod modular;
mod object_mutants;
mod options;
mod reproduce;
mod requests;
mod stack;
mod texts;
mod verify;

//! What can be written on the command line.

use super::examples;
use super::known::{
    Known, accumulations, conventions, curves, forms, methods, moduli, operations, polynomials, syntaxes,
    targets,
};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use rhomb::files::{self, Input};
use rhomb::{
    Adds, Bounds, Extension, ModularOperation, Order, Orders, Parameters, Request, Strips, WalkFile,
};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Writes, proves and times multi-precision and finite-field arithmetic for small processors.
#[derive(Parser)]
#[command(
    name = "rhomb",
    version,
    max_term_width = 100,
    disable_help_subcommand = true,
    help_template = TEMPLATE,
    before_help = examples::RHOMB
)]
pub(super) struct Arguments {
    #[command(flatten)]
    pub(super) settings: Settings,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

/// Examples come first.
const TEMPLATE: &str = "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

/// What holds for all commands.
#[derive(Args)]
pub(super) struct Settings {
    /// Print no summary and no progress; faults and warnings are still told
    #[arg(short, long, global = true, help_heading = OUTPUT)]
    pub(super) quiet: bool,
    /// Whether the text is coloured
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t, help_heading = OUTPUT)]
    pub(super) color: Color,
    /// Threads that work at once [default: as many as the machine has]
    #[arg(short, long, global = true, value_name = "NUMBER", value_parser = jobs, help_heading = OUTPUT)]
    pub(super) jobs: Option<NonZeroUsize>,
}

/// Whether text is coloured.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

const OUTPUT: &str = "Output";
const MADE: &str = "What is computed";
const HOW: &str = "Method and its parameters";
const AVR: &str = "AVR only";
const POWER: &str = "Exponentiation only";
const LIMITS: &str = "Limits";
const CALLED: &str = "Caller and assembler";
const MANY: &str = "Many functions";
const MANY_MACHINES: &str = "Several machines";

#[derive(Subcommand)]
pub(super) enum Command {
    /// Write a routine as an assembly file with a C header, simulated and proved
    #[command(help_template = TEMPLATE, before_help = examples::GENERATE)]
    Generate(Generate),
    /// Write several routines as a library for Arduino, PlatformIO, CMake, Zephyr, ESP-IDF and Cargo
    #[command(help_template = TEMPLATE, before_help = examples::LIBRARY)]
    Library(Library),
    /// Prove a function of an object file for every input, or show what is wrong with it
    #[command(help_template = TEMPLATE, before_help = examples::VERIFY)]
    Verify(Verify),
    /// Count the cycles of a routine, or of a function in an object file
    #[command(help_template = TEMPLATE, before_help = examples::MEASURE)]
    Measure(Measure),
    /// Search for a faster product, and print the command line that makes it
    #[command(help_template = TEMPLATE, before_help = examples::TUNE)]
    Tune(Tune),
    /// Draw a routine, its partial products and its memory over time, or a chart of cycles, as SVG, PNG or TikZ
    #[command(help_template = TEMPLATE, before_help = examples::DRAW)]
    Draw(Draw),
    /// Replay a certificate against a function of an object file
    #[command(help_template = TEMPLATE, before_help = examples::CERTIFICATE)]
    Certificate(Certificate),
    /// Print the tables of a paper: what is published, what its formulas give, what is measured here
    #[command(help_template = TEMPLATE, before_help = examples::REPRODUCE)]
    Reproduce(Reproduce),
    /// Print the best public figure for each operation, size and core, and ours as measured now
    #[command(help_template = TEMPLATE, before_help = examples::RECORDS)]
    Records(Records),
    /// Serve the page, which does all of this in a browser, to this machine
    #[command(help_template = TEMPLATE, before_help = examples::PAGE)]
    Page(Page),
    /// List the targets, methods, operations or conventions
    List(List),
    /// Print the help of a command, or a document
    Help {
        /// A command such as generate, or a document such as avr
        topic: Option<String>,
    },
    /// Print the version
    #[command(hide = true)]
    Version,
    /// Print the completion script of a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, or write one page for each command into a folder
    Man {
        /// Folder for the pages
        folder: Option<PathBuf>,
    },
}

#[derive(Args)]
pub(super) struct Generate {
    /// What is computed, such as mul; `rhomb list operations`
    #[arg(value_parser = Known(operations))]
    operation: String,
    #[command(flatten)]
    pub(super) wanted: Wanted,
    /// Name of the routine and of its files [default: operation and size or modulus, such as mul160, modmul_p256]
    #[arg(long, help_heading = CALLED)]
    name: Option<String>,
    /// Section of the code [default: .text.NAME]
    #[arg(long, help_heading = CALLED)]
    section: Option<String>,
    /// Write a .s for the assembler alone, without lines for the C preprocessor: for Rust's global_asm!
    #[arg(long, help_heading = CALLED)]
    plain: bool,
    /// Folder for the files, or - to print the assembly
    #[arg(short, long, value_name = "DIR", default_value = ".", help_heading = OUTPUT)]
    pub(super) output: PathBuf,
    /// Replace files that are not this routine's
    #[arg(short, long, help_heading = OUTPUT)]
    pub(super) force: bool,
    /// Write the certificate of the proof into a file
    #[arg(long, value_name = "FILE", conflicts_with = "no_proof", help_heading = OUTPUT)]
    pub(super) certificate: Option<PathBuf>,
    /// Write the routine without proving it
    #[arg(long, help_heading = LIMITS)]
    no_proof: bool,
    /// How the answer is printed
    #[arg(long, value_enum, default_value_t, help_heading = OUTPUT)]
    pub(super) format: Format,
}

#[derive(Args)]
pub(super) struct Library {
    /// The processor, such as atmega328p; `rhomb list targets`
    #[arg(short, long, value_parser = Known(targets), hide_possible_values = true)]
    pub(super) target: String,
    /// The programs, each an operation and then bits, a modulus, a polynomial or a curve: x25519,"ecdh p256","mul 256"
    #[arg(short, long, value_delimiter = ',', required = true)]
    pub(super) programs: Vec<String>,
    /// Name of the library [default: the first program and the processor, such as x25519_atmega328p]
    #[arg(long)]
    pub(super) name: Option<String>,
    /// Calling convention [default: the target's]
    #[arg(long, value_parser = Known(conventions), hide_possible_values = true)]
    pub(super) convention: Option<String>,
    /// Only routines whose time is the same for all operands
    #[arg(long)]
    pub(super) constant_time: bool,
    /// Write the routines without proving them
    #[arg(long)]
    pub(super) no_proof: bool,
    /// Folder for the files
    #[arg(short, long, value_name = "DIR")]
    pub(super) output: PathBuf,
    /// Replace files that are not this library's
    #[arg(short, long)]
    pub(super) force: bool,
}

#[derive(Args)]
pub(super) struct Measure {
    /// What is computed, such as mul, or with --symbol an object file (ELF)
    #[arg(value_name = "OPERATION|FILE")]
    pub(super) subject: PathBuf,
    #[command(flatten)]
    pub(super) wanted: Wanted,
    /// Function in the object file
    #[arg(long, requires = "contract", conflicts_with_all = ["bits", "modulus", "polynomial", "curve", "method", "cache", "carry_once", "rows", "initial_block", "batch", "narrow_strip", "strips", "orders", "on_x", "trail", "levels", "parts", "pairs", "window", "public", "square_levels", "block", "form", "syntax", "registers", "accumulation", "constant_time", "max_code", "max_stack"])]
    pub(super) symbol: Option<String>,
    /// What the function computes, such as "mul 160"
    #[arg(long, requires = "symbol")]
    pub(super) contract: Option<String>,
    /// Whether interrupts may come during a call of the function
    #[arg(long, value_enum, default_value_t, requires = "symbol")]
    pub(super) interrupts: Interrupts,
    /// How the answer is printed
    #[arg(long, value_enum, default_value_t, help_heading = OUTPUT)]
    pub(super) format: Format,
}

#[derive(Args)]
pub(super) struct Tune {
    /// What is computed: mul
    #[arg(value_parser = Known(|| vec!["mul"]), hide_possible_values = true)]
    pub(super) operation: String,
    /// Size of each operand in bits
    #[arg(short, long, value_parser = bits, allow_negative_numbers = true, help_heading = MADE)]
    pub(super) bits: usize,
    /// The processor, such as atmega128; `rhomb list targets`
    #[arg(short, long, value_parser = Known(targets), hide_possible_values = true, help_heading = MADE)]
    pub(super) target: String,
    /// Levels of splits [default: the fastest]
    #[arg(long, value_name = "NUMBER", value_parser = number, allow_negative_numbers = true, help_heading = HOW)]
    pub(super) levels: Option<usize>,
    /// What a search printed, to go on from there [default: the one that is known]
    #[arg(long, value_name = "TEXT", help_heading = HOW)]
    pub(super) trail: Option<String>,
    /// How long to search
    #[arg(long, value_name = "SECONDS", value_parser = number, allow_negative_numbers = true, default_value_t = 60, help_heading = LIMITS)]
    pub(super) seconds: usize,
    /// How many searches to do, in place of a time
    #[arg(long, value_name = "NUMBER", value_parser = number, allow_negative_numbers = true, conflicts_with = "seconds", help_heading = LIMITS)]
    pub(super) searches: Option<usize>,
    /// From which the numbers of the searches come: another one searches elsewhere
    #[arg(long, value_name = "NUMBER", value_parser = number, allow_negative_numbers = true, default_value_t = 1, help_heading = MANY_MACHINES)]
    pub(super) seed: usize,
    /// Only the I-th of N parts of the numbers
    #[arg(long, value_name = "I/N", default_value = "1/1", help_heading = MANY_MACHINES)]
    pub(super) shard: String,
    /// How the answer is printed
    #[arg(long, value_enum, default_value_t, help_heading = OUTPUT)]
    pub(super) format: Format,
}

#[derive(Args)]
pub(super) struct Draw {
    /// What is computed, such as mul; `rhomb list operations`
    #[arg(value_parser = Known(operations))]
    operation: String,
    #[command(flatten)]
    wanted: Wanted,
    /// Draw a chart of cycles instead: every method is measured, and others' figures stand beside
    #[arg(long, value_enum, conflicts_with_all = ["method", "walk", "cache", "carry_once", "rows", "initial_block", "narrow_strip", "strips", "orders", "on_x", "trail"])]
    pub(super) chart: Option<ChartAbout>,
    /// Folder for the picture, a file whose name ends with .svg, .png or .tex, or - to print it
    #[arg(short, long, value_name = "DIR|FILE", default_value = ".", help_heading = OUTPUT)]
    pub(super) output: PathBuf,
    /// How the picture is written [default: as the file's name ends, else svg]
    #[arg(long, value_enum, help_heading = OUTPUT)]
    pub(super) format: Option<PictureFormat>,
    /// For light pages, or for dark ones
    #[arg(long, value_enum, default_value_t, help_heading = OUTPUT)]
    pub(super) theme: Theme,
    /// Replace a file that is no picture of Rhomb's
    #[arg(short, long, help_heading = OUTPUT)]
    pub(super) force: bool,
}

/// How pictures are written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum PictureFormat {
    /// For pages, in any size
    Svg,
    /// Pixels, two where the SVG has one
    Png,
    /// For papers: LaTeX takes it by \input
    #[value(alias = "tex")]
    Tikz,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Theme {
    /// On white
    #[default]
    Light,
    /// On black
    Dark,
}

#[derive(Args)]
pub(super) struct Page {
    /// Port on the loopback address; 0 is one that is free
    #[arg(short, long, value_name = "NUMBER", default_value_t = 0)]
    pub(super) port: u16,
    /// Folder that ./page made [default: the files in this program]
    #[arg(long, value_name = "DIR")]
    pub(super) folder: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum ChartAbout {
    /// Cycles by size, up to --bits
    Sizes,
    /// Cycles by words kept in registers, at --bits
    Caches,
    /// What adding two intermediates at once saves, for sizes up to --bits
    CarryOnce,
    /// Base instructions of recursive splits by formula, up to --bits: figure 3 of Hwang, Huang and Su
    Splits,
}

#[derive(Args)]
pub(super) struct Wanted {
    /// Size of each operand in bits: 1 to 32768
    #[arg(short, long, value_parser = bits, allow_negative_numbers = true, help_heading = MADE)]
    bits: Option<usize>,
    /// The modulus of modmul and others: p256, secp256k1, 2^255-19, decimal or 0xfffffffb
    #[arg(long, value_name = "NUMBER", value_parser = Known(moduli), hide_possible_values = true, help_heading = MADE)]
    modulus: Option<String>,
    /// The polynomial of gf2modmul and others: b233, x^191+x^9+1 or 0x11b
    #[arg(long, value_name = "POLYNOMIAL", value_parser = Known(polynomials), hide_possible_values = true, help_heading = MADE)]
    polynomial: Option<String>,
    /// The curve of ecdh, scalarmul, public, ecdsa-sign and ecdsa-verify: p192, p224, p256, p384 or secp256k1
    #[arg(long, value_name = "CURVE", value_parser = Known(curves), hide_possible_values = true, help_heading = MADE)]
    curve: Option<String>,
    /// File of instructions that the core has beside its own; `rhomb help extensions`
    #[arg(long, value_name = "FILE", help_heading = MADE)]
    pub(super) extension: Option<PathBuf>,
    /// File of the times of a RISC-V core that nobody has published; `rhomb help riscv`
    #[arg(long, value_name = "FILE", conflicts_with = "extension", help_heading = MADE)]
    pub(super) timing: Option<PathBuf>,
    /// The processor, such as atmega128; `rhomb list targets`
    #[arg(short, long, value_parser = Known(targets), hide_possible_values = true, help_heading = MADE)]
    pub(super) target: Vec<String>,
    /// Such as operand-caching; `rhomb list methods`; best searches longer, best-walk without splits [default: the
    /// fastest known]
    #[arg(short, long, value_parser = Known(methods), hide_possible_values = true, help_heading = HOW)]
    method: Option<String>,
    /// File with the rows of a multiplication, in place of a method; `rhomb help methods`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["method", "levels", "parts", "pairs", "rows", "initial_block", "batch", "narrow_strip", "strips", "orders"], help_heading = HOW)]
    walk: Option<PathBuf>,
    /// Words of each operand kept in registers; of the strip method: words of a strip
    #[arg(long, value_name = "WORDS", value_parser = number, allow_negative_numbers = true, help_heading = HOW)]
    cache: Option<usize>,
    /// Intermediate words that are added at once
    #[arg(long, value_name = "WORDS", value_parser = number, allow_negative_numbers = true, help_heading = HOW)]
    carry_once: Option<usize>,
    /// Levels of splits: a number; auto, the fastest; paper or model, by a rule of Hwang, Huang and Su
    #[arg(long, value_name = "NUMBER|auto|paper|model", value_parser = levels, allow_negative_numbers = true, help_heading = HOW)]
    levels: Option<Levels>,
    /// Parts of a split: their number, or their shares from the lowest, such as 1:1:2
    #[arg(long, value_name = "NUMBER|SHARES", value_parser = parts, allow_negative_numbers = true, help_heading = HOW)]
    parts: Option<usize>,
    /// How a split multiplies pairs of parts: by a product of their differences or of their sums [default: that of the
    /// processor]
    #[arg(long, value_name = "differences|sums", value_parser = pairs, help_heading = HOW)]
    pairs: Option<usize>,
    /// Rows of a block of the hybrid method
    #[arg(long, value_name = "WORDS", value_parser = number, allow_negative_numbers = true, help_heading = HOW)]
    rows: Option<usize>,
    /// Side of the first block of operand caching; of the consecutive one: width of the narrow strip
    #[arg(long, value_name = "WORDS", value_parser = number, allow_negative_numbers = true, help_heading = HOW)]
    initial_block: Option<usize>,
    /// Squares that are finished at once where registers are short
    #[arg(long, value_name = "WORDS", value_parser = number, allow_negative_numbers = true, help_heading = HOW)]
    batch: Option<usize>,
    /// Full strips before the one of initial-block words, of consecutive operand caching
    #[arg(long, value_name = "STRIPS", value_parser = number, allow_negative_numbers = true, help_heading = HOW)]
    narrow_strip: Option<usize>,
    /// Widths of all strips of operand caching, the first block's or strip's first, such as 12,10,10
    #[arg(long, value_name = "WORDS,...", value_parser = strips, help_heading = HOW)]
    strips: Option<Strips>,
    /// The order within the columns of all rows, or of each: own, up, down, up-down, down-up, old-up, old-down
    #[arg(long, value_name = "ORDER,...", value_parser = orders, help_heading = HOW)]
    orders: Option<Orders>,
    /// The array that the pointer X points to, which has no displacement on AVR: result, a or b
    #[arg(long, value_name = "ARRAY", help_heading = AVR)]
    on_x: Option<String>,
    /// What `rhomb tune` printed: which choices lead to the registers of a split [default: the one that is known]
    #[arg(long, value_name = "TEXT", help_heading = AVR)]
    trail: Option<String>,
    /// Bits of an exponentiation's windows [default: the fastest]
    #[arg(long, value_name = "BITS", value_parser = number, allow_negative_numbers = true, help_heading = POWER)]
    window: Option<usize>,
    /// The exponent is public, and in the code: 65537 where no other is given
    #[arg(long, value_name = "NUMBER", value_parser = number, allow_negative_numbers = true, num_args = 0..=1, default_missing_value = "65537", help_heading = POWER)]
    public: Option<usize>,
    /// Levels of splits of an exponentiation's squares [default: the fastest]
    #[arg(long, value_name = "NUMBER", value_parser = number, allow_negative_numbers = true, help_heading = POWER)]
    square_levels: Option<usize>,
    /// Words of the blocks in which numbers are divided by a modulus that is an argument [default: the fastest]
    #[arg(long, value_name = "WORDS", value_parser = number, allow_negative_numbers = true, help_heading = POWER)]
    block: Option<usize>,
    /// Registers it may use beside those that hold pointers and take products
    #[arg(long, value_name = "NUMBER", value_parser = number, allow_negative_numbers = true, help_heading = LIMITS)]
    registers: Option<usize>,
    /// Bytes of code it may take
    #[arg(long, value_name = "BYTES", value_parser = number, allow_negative_numbers = true, help_heading = LIMITS)]
    max_code: Option<usize>,
    /// Bytes of stack it may take, the return address left out
    #[arg(long, value_name = "BYTES", value_parser = number, allow_negative_numbers = true, help_heading = LIMITS)]
    max_stack: Option<usize>,
    /// How products are added up where the processor has a choice: columns, or rows in carry chains
    /// [default: the faster]
    #[arg(long, value_parser = Known(accumulations), hide_possible_values = true, help_heading = HOW)]
    accumulation: Option<String>,
    /// Time must be the same for all operands: on a core whose multiplier stops early this costs cycles
    #[arg(long, help_heading = LIMITS)]
    constant_time: bool,
    /// Straight line or loops [default: unrolled]
    #[arg(long, value_parser = Known(forms), hide_possible_values = true, help_heading = HOW)]
    form: Option<String>,
    /// Calling convention; `rhomb list conventions` [default: that of the processor's GNU compiler]
    #[arg(long, value_parser = Known(conventions), hide_possible_values = true, help_heading = CALLED)]
    pub(super) convention: Option<String>,
    /// Assembler dialect: gnu and iar; crossworks on AVR, armasm on ARM [default: that of the convention's compiler]
    #[arg(long, value_parser = Known(syntaxes), hide_possible_values = true, help_heading = CALLED)]
    syntax: Option<String>,
    /// What time must be; status 1 where it is not
    #[arg(long, value_enum, value_name = "TIME", help_heading = LIMITS)]
    pub(super) require: Option<Require>,
    /// The core's clock: milliseconds are told beside cycles
    #[arg(long, value_name = "MHZ", value_parser = mhz, allow_negative_numbers = true, help_heading = OUTPUT)]
    pub(super) mhz: Option<f64>,
}

/// What is asked of a routine's time.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Require {
    /// No branch, address or instruction depends on the operands
    Constant,
    /// Every call takes equally long
    Balanced,
}

#[derive(Args)]
pub(super) struct Verify {
    /// The object file (ELF), relocatable or linked, or - for standard input; for MIPS32 and C55x assembler text, too.
    /// Without --symbol its functions are listed
    #[arg(required_unless_present = "contracts")]
    pub(super) file: Option<PathBuf>,
    /// The function
    #[arg(long)]
    pub(super) symbol: Option<String>,
    /// The processor, such as atmega128; `rhomb list targets`
    #[arg(short, long, required_unless_present = "contracts", value_parser = Known(targets), hide_possible_values = true)]
    pub(super) target: Option<String>,
    /// What the function is to compute, such as "mul 160"
    #[arg(long, requires = "symbol")]
    pub(super) contract: Option<String>,
    /// A function of the file that it calls, such as "mul160=mul 160": that is proved first, and a call then is what its contract
    /// says; may be given several times
    #[arg(long, value_name = "SYMBOL=CONTRACT", requires = "contract")]
    pub(super) calls: Vec<String>,
    #[command(flatten)]
    pub(super) called: Called,
    /// Verify all functions of a file of contracts, a line for each; `rhomb help proofs`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["symbol", "contract"], help_heading = MANY)]
    pub(super) contracts: Option<PathBuf>,
    /// Only the I-th of N parts of them
    #[arg(long, value_name = "I/N", requires = "contracts", help_heading = MANY)]
    pub(super) shard: Option<String>,
    /// Write their certificates into a folder, each as SYMBOL.json
    #[arg(long, value_name = "DIR", requires = "contracts", help_heading = MANY)]
    pub(super) certificates: Option<PathBuf>,
    /// Terms of sums that the prover may touch before it gives up; some millions take a second [default: 20000000]
    #[arg(long, value_name = "TERMS", value_parser = effort, allow_negative_numbers = true)]
    pub(super) effort: Option<u64>,
    /// Write the certificate of the proof into a file
    #[arg(long, value_name = "OUT", requires = "contract", help_heading = OUTPUT)]
    pub(super) certificate: Option<PathBuf>,
    /// Write what is to be proved as SMT-LIB 2: unsatisfiable when the function is right
    #[arg(long, value_name = "OUT", requires = "contract", help_heading = OUTPUT)]
    pub(super) export_smt: Option<PathBuf>,
    /// Write what is to be proved for CryptoLine; further aliasing patterns get a number before the extension
    #[arg(long, value_name = "OUT", requires = "contract", help_heading = OUTPUT)]
    pub(super) export_cryptoline: Option<PathBuf>,
    /// What time must be; status 1 where it is not
    #[arg(long, value_enum, value_name = "TIME", help_heading = LIMITS)]
    pub(super) require: Option<Require>,
    /// How the answer is printed
    #[arg(long, value_enum, default_value_t, help_heading = OUTPUT)]
    pub(super) format: VerdictFormat,
}

/// How verdicts are printed.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum VerdictFormat {
    /// For people
    #[default]
    Text,
    /// A line of JSON for each function
    Json,
    /// SARIF 2.1.0, which code hosts show beside the source
    Sarif,
}

#[derive(Args)]
pub(super) struct Certificate {
    /// The object file (ELF), relocatable or linked, or - for standard input; for MIPS32 and C55x assembler text, too
    pub(super) file: PathBuf,
    /// The certificate
    #[arg(value_name = "CERTIFICATE")]
    pub(super) certificate: PathBuf,
    /// The function
    #[arg(long)]
    pub(super) symbol: String,
    /// The processor, such as atmega128; `rhomb list targets`
    #[arg(short, long, value_parser = Known(targets), hide_possible_values = true)]
    pub(super) target: String,
    #[command(flatten)]
    pub(super) called: Called,
}

/// How a function of an object file is called, and what its core is like.
#[derive(Args)]
pub(super) struct Called {
    /// File of instructions that the core has beside its own; `rhomb help extensions`
    #[arg(long, value_name = "FILE")]
    pub(super) extension: Option<PathBuf>,
    /// File of the times of a RISC-V core that nobody has published; `rhomb help riscv`
    #[arg(long, value_name = "FILE", conflicts_with = "extension")]
    pub(super) timing: Option<PathBuf>,
    /// Calling convention; `rhomb list conventions` [default: that of the processor's GNU compiler]
    #[arg(long, value_parser = Known(conventions), hide_possible_values = true)]
    pub(super) convention: Option<String>,
    /// Whether interrupts may come during the call: with off, data may lie below the stack pointer, and the
    /// pointer may be written piece by piece [default: any]
    #[arg(long, value_enum)]
    pub(super) interrupts: Option<Interrupts>,
}

/// What is assumed about interrupts.
#[derive(Clone, Copy, Default, ValueEnum)]
pub(super) enum Interrupts {
    /// One may come any time
    #[default]
    Any,
    /// None comes
    Off,
}

impl From<Require> for rhomb::Require {
    fn from(require: Require) -> Self {
        match require {
            Require::Constant => rhomb::Require::Constant,
            Require::Balanced => rhomb::Require::Balanced,
        }
    }
}

impl From<Interrupts> for rhomb::Interrupts {
    fn from(interrupts: Interrupts) -> Self {
        match interrupts {
            Interrupts::Any => rhomb::Interrupts::Any,
            Interrupts::Off => rhomb::Interrupts::Off,
        }
    }
}

#[derive(Args)]
pub(super) struct Reproduce {
    /// The paper: hutter-wenger, seo-kim, hwang-huang-su or grossschaedl-savas
    pub(super) paper: String,
    /// Only this table: its number, or equations, intermediates, additions, theorems, levels for what is in no
    /// table
    #[arg(long, value_name = "TABLE")]
    pub(super) table: Option<String>,
    /// How the tables are printed [default: text]
    #[arg(long, value_enum, help_heading = OUTPUT)]
    pub(super) format: Option<PaperFormat>,
    /// File in place of standard output, -, whose ending .txt, .json, .md or .csv says the format; several take one run
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    pub(super) output: Vec<PathBuf>,
    /// Replace a file that is no table of Rhomb's
    #[arg(short, long, help_heading = OUTPUT)]
    pub(super) force: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum PaperFormat {
    /// A line a cell, with formulas, ratios and notes, for people
    #[default]
    Text,
    /// As in the paper: a line a row, with what is published beside what is measured
    Grid,
    /// An array of records, null for what is unknown
    Json,
    /// Tables of Markdown
    #[value(alias = "md")]
    Markdown,
    /// Comma-separated values (RFC 4180), empty for what is unknown
    Csv,
}

#[derive(Args)]
pub(super) struct Records {
    /// Only this operation, such as mul, modmul or ecdh
    #[arg(value_parser = Known(operations))]
    pub(super) operation: Option<String>,
    /// Only this size in bits
    #[arg(short, long, value_name = "BITS", value_parser = size, allow_negative_numbers = true)]
    pub(super) bits: Option<u32>,
    /// Only this core, such as atmega128; may be given more than once
    #[arg(short, long, value_parser = Known(targets), hide_possible_values = true)]
    pub(super) target: Vec<String>,
    /// Whole programs, too: X25519 and ECDH, which take seconds each
    #[arg(long)]
    pub(super) programs: bool,
    /// How the table is printed
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: TableFormat,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum TableFormat {
    /// Aligned columns, for people
    #[default]
    Text,
    /// An array of records, null for what is unknown
    Json,
    /// Tables of Markdown
    #[value(alias = "md")]
    Markdown,
    /// Comma-separated values (RFC 4180), empty for what is unknown
    Csv,
}

#[derive(Args)]
pub(super) struct List {
    /// What to list
    #[arg(value_enum)]
    pub(super) what: Subject,
    /// How the answer is printed
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Subject {
    /// Processors
    Targets,
    /// Ways to compute
    Methods,
    /// What can be computed
    Operations,
    /// How a routine is called
    Conventions,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
}

/// How the number of levels is found.
#[derive(Clone, Copy, Debug)]
enum Levels {
    Number(usize),
    Auto,
    Paper,
    Model,
}

/// No number that means something has more digits.
const MOST: usize = 999_999_999;

fn bits(text: &str) -> Result<usize, String> {
    number(text).map_err(|_| format!("not a size in bits; valid: 1 to {}", rhomb::MOST_BITS))
}

fn size(text: &str) -> Result<u32, String> {
    bits(text).and_then(|bits| u32::try_from(bits).map_err(|error| error.to_string()))
}

fn number(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number <= MOST);
    number.ok_or_else(|| format!("not a whole number from 0 to {MOST}"))
}

fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    let jobs = text.parse().ok().filter(|jobs: &NonZeroUsize| jobs.get() <= 1024);
    jobs.ok_or_else(|| "not a whole number from 1 to 1024".to_owned())
}

fn mhz(text: &str) -> Result<f64, String> {
    let mhz = text.parse().ok().filter(|mhz: &f64| (0.001..=10_000.0).contains(mhz));
    mhz.ok_or_else(|| "not a number from 0.001 to 10000".to_owned())
}

/// Terms that nobody waits for.
const MOST_EFFORT: u64 = 1_000_000_000_000_000;

fn effort(text: &str) -> Result<u64, String> {
    let terms = text.parse().ok().filter(|terms| (1..=MOST_EFFORT).contains(terms));
    terms.ok_or_else(|| format!("not a whole number from 1 to {MOST_EFFORT}"))
}

fn levels(text: &str) -> Result<Levels, String> {
    match text {
        "auto" => Ok(Levels::Auto),
        "paper" => Ok(Levels::Paper),
        "model" => Ok(Levels::Model),
        number => {
            let none = |_| format!("neither a whole number from 0 to {MOST} nor auto, paper or model");
            self::number(number).map(Levels::Number).map_err(none)
        }
    }
}

/// Shares of at most nine parts, as decimal digits.
fn parts(text: &str) -> Result<usize, String> {
    let share = |text: &str| text.parse().ok().filter(|share| (1..=9usize).contains(share));
    let shares: Option<Vec<usize>> = text.split(':').map(share).collect();
    match shares.as_deref() {
        Some([parts @ (2..=9)]) => Ok(*parts),
        Some(shares @ [_, _, ..]) if shares.len() <= 9 => {
            Ok(shares.iter().fold(0, |number, share| 10 * number + share))
        }
        _ => Err("neither 2 to 9 parts nor shares of 1 to 9 such as 1:1:2".to_owned()),
    }
}

fn pairs(text: &str) -> Result<usize, String> {
    let known = rhomb::Pairs::ALL.iter().position(|pairs| pairs.name() == text);
    known.ok_or_else(|| "neither differences nor sums".to_owned())
}

fn strips(text: &str) -> Result<Strips, String> {
    let widths: Result<Vec<u8>, _> = text.split(',').map(|width| width.trim().parse()).collect();
    let widths = widths.map_err(|_| "not widths of up to 255 words such as 12,10,10".to_owned())?;
    rhomb::List::of(&widths).ok_or_else(|| "more than 20 strips".to_owned())
}

fn orders(text: &str) -> Result<Orders, String> {
    let names: Vec<&str> = Order::ALL.iter().map(|order| order.name()).collect();
    let unknown = |name: &str| format!("no order '{name}'; valid: {}", names.join(", "));
    let one = |name: &str| Order::named(name.trim()).ok_or_else(|| unknown(name));
    let orders: Result<Vec<Order>, String> = text.split(',').map(one).collect();
    rhomb::List::of(&orders?).ok_or_else(|| "more than 20 orders".to_owned())
}

impl Wanted {
    fn request(&self, operation: &str, name: Option<&str>, target: &str) -> Result<Request, rhomb::Error> {
        let missing = |option: &str, example: &str| {
            let fault = format!("no --{option}; valid: a request such as mul --bits 160 --target atmega128");
            rhomb::Error::request(fault, format_args!("add --{option} {example}"))
        };
        Ok(Request {
            operation: operation.to_owned(),
            bits: match self.bits {
                // of a modulus, or unknown
                None if !is_power(operation) && !is_whole(operation) => 0,
                bits => bits.ok_or_else(|| missing("bits", "160"))?,
            },
            modulus: self.modulus.clone(),
            polynomial: self.polynomial.clone(),
            curve: self.curve.clone(),
            extension: extension(self.extension.as_deref(), self.timing.as_deref())?,
            target: target.to_owned(),
            method: self.method.clone(),
            walk: self.walk.as_deref().map(walk).transpose()?,
            parameters: Parameters {
                cache: self.cache,
                carry_once: self.carry_once,
                rows: self.rows,
                initial_block: self.initial_block,
                batch: self.batch,
                levels: self.levels(target)?,
                parts: self.parts,
                pairs: self.pairs,
                narrow_strip: self.narrow_strip,
                strips: self.strips,
                orders: self.orders,
            },
            on_x: self.on_x.clone(),
            trail: self.trail.clone(),
            bounds: Bounds { registers: self.registers, code: self.max_code, stack: self.max_stack },
            accumulation: self.accumulation.clone(),
            constant_time: self.constant_time,
            form: self.form.clone(),
            convention: self.convention.clone(),
            syntax: self.syntax.clone(),
            name: name.map(str::to_owned),
            no_proof: false,
            output: rhomb::Output::default(),
            work: rhomb::Work::default(),
            window: self.window,
            public: self.public,
            square_levels: self.square_levels,
            block: self.block,
        })
    }

    /// The number of levels, unless it is open.
    fn levels(&self, target: &str) -> Result<Option<usize>, rhomb::Error> {
        let words = || -> Result<usize, rhomb::Error> {
            let word_bits = rhomb::targets::find(target)?.description().word_bits as usize;
            Ok(self.bits.unwrap_or(0).div_ceil(word_bits))
        };
        Ok(match self.levels {
            None | Some(Levels::Auto) => None,
            Some(Levels::Number(levels)) => Some(levels),
            Some(Levels::Paper) => Some(rhomb::levels::printed(words()?)),
            Some(Levels::Model) => Some(rhomb::levels::model(2, words()?)),
        })
    }

    /// All targets: at least one.
    pub(super) fn targets(&self) -> Result<&[String], rhomb::Error> {
        if self.target.is_empty() {
            let names: Vec<&str> = rhomb::targets::all().map(|target| target.name()).collect();
            let fault = format!("no --target; valid: {}", names.join(", "));
            let hint = "add --target atmega128; `rhomb list targets` describes them";
            return Err(rhomb::Error::request(fault, hint));
        }
        Ok(&self.target)
    }

    /// The target of what is made for one.
    fn target(&self) -> Result<&str, rhomb::Error> {
        match self.targets()? {
            [target] => Ok(target),
            several => {
                let fault = format!("--target is given {} times; valid: once", several.len());
                Err(rhomb::Error::request(fault, "`rhomb measure` takes several and prints a table"))
            }
        }
    }
}

/// Whether an operation is made of exponentiations, whose modulus is an argument.
fn is_power(operation: &str) -> bool {
    ModularOperation::named(operation).is_some_and(ModularOperation::is_power)
}

/// Whether an operation is one on whole numbers.
fn is_whole(operation: &str) -> bool {
    rhomb::Operation::generated(operation).is_some_and(|own| own.family() == rhomb::Family::Whole)
}

/// The file of a walk.
fn walk(path: &Path) -> Result<WalkFile, rhomb::Error> {
    let content = files::read(path, Input::Walk)?;
    // a path says where it is today, a name what it is
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = String::from_utf8(content).map_err(|_| {
        let fault = format!("{} is no text; valid: UTF-8", path.display());
        rhomb::Error::request(fault, "`rhomb help methods` describes it")
    })?;
    Ok(WalkFile { name, text })
}

/// The file of an extension, or of times.
pub(super) fn extension(
    instructions: Option<&Path>,
    times: Option<&Path>,
) -> Result<Option<Extension>, rhomb::Error> {
    let (adds, path) = match (instructions, times) {
        (Some(path), _) => (Adds::Instructions, path),
        (None, Some(path)) => (Adds::Times, path),
        (None, None) => return Ok(None),
    };
    let content = files::read(path, Input::Extension(adds))?;
    let text = String::from_utf8(content).map_err(|_| {
        let fault = format!("{} is no text; valid: UTF-8", path.display());
        rhomb::Error::request(fault, adds.hint())
    })?;
    // a path says where it is today, a name what it is
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Some(Extension { adds, name, text }))
}

impl Generate {
    pub(super) fn request(&self) -> Result<Request, rhomb::Error> {
        let request = self.wanted.request(&self.operation, self.name.as_deref(), self.wanted.target()?)?;
        let output = rhomb::Output { section: self.section.clone(), plain: self.plain };
        Ok(Request { no_proof: self.no_proof, output, ..request })
    }
}

impl Draw {
    pub(super) fn request(&self) -> Result<Request, rhomb::Error> {
        self.wanted.request(&self.operation, None, self.wanted.target()?)
    }
}

impl Measure {
    pub(super) fn request(&self, target: &str) -> Result<Request, rhomb::Error> {
        self.wanted.request(&self.subject.to_string_lossy(), None, target)
    }
}

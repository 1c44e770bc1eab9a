//! The printed text of kernels of every method and size, through the GNU assembler and back: object file, symbol, bytes,
//! instructions.

use crate::matrix::kernels::{self, LARGE, Request};
use crate::matrix::looped::{list as looped, looping};
use crate::matrix::routine::decoded;
use rhomb_avr::Program;
use rhomb_avr::cores::{Core, core};
use rhomb_avr::instructions::{Instruction, Op};
use rhomb_avr::link::link;
use rhomb_avr::lower::Kernel;
use rhomb_avr::syntax::{self, gnu};
use rhomb_object::ObjectFile;
use rhomb_oracles::{parallel, sample};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// Of the larger kernels one of so many.
const SHARE: u64 = 8;

/// Instructions in one file.
const BATCH: usize = 400_000;

/// A file that goes with its owner.
struct Scratch(PathBuf);

impl Scratch {
    fn new(extension: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = rhomb_oracles::place().join("scratch");
        std::fs::create_dir_all(&folder).unwrap();
        Scratch(folder.join(format!("matrix-{}-{number}.{extension}", std::process::id())))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Kernels on their way through the assembler.
struct Batch {
    core: &'static Core,
    text: String,
    kernels: Vec<(String, Vec<Instruction>)>,
    instructions: usize,
    checked: usize,
}

impl Batch {
    fn new(core: &'static Core) -> Self {
        let text = String::from(".text\n");
        Batch { core, text, kernels: Vec::new(), instructions: 0, checked: 0 }
    }

    fn push(&mut self, request: &Request, kernel: Kernel) {
        let number = self.kernels.len();
        let _ = write!(self.text, ".global mul{number}\n.type mul{number}, @function\nmul{number}:\n");
        for instruction in &kernel.program {
            gnu::write_instruction(&mut self.text, instruction);
            self.text.push('\n');
        }
        let _ = writeln!(self.text, ".size mul{number}, .-mul{number}");
        self.instructions += kernel.program.len();
        self.kernels.push((request.to_string(), kernel.program));
        if self.instructions > BATCH {
            self.finish();
        }
    }

    /// Assembles what has come together, and compares.
    fn finish(&mut self) {
        let object = assemble(self.core, &self.text);
        let file = ObjectFile::parse(&object).unwrap();
        assert_eq!(file.functions().count(), self.kernels.len());
        for (number, (request, instructions)) in self.kernels.iter().enumerate() {
            let read = read(self.core, &file, &format!("mul{number}"));
            let differs = read.iter().zip(instructions).position(|(read, held)| read != held);
            assert_eq!(differs, None, "{request}: instruction {differs:?}");
            assert_eq!(read.len(), instructions.len(), "{request}");
        }
        self.checked += self.kernels.len();
        *self = Batch { checked: self.checked, ..Batch::new(self.core) };
    }
}

/// The object file of a text.
fn assemble(core: &Core, text: &str) -> Vec<u8> {
    let (source, object) = (Scratch::new("s"), Scratch::new("o"));
    std::fs::write(&source.0, text).unwrap();
    let mut command = Command::new("avr-as");
    command.arg(format!("-mmcu={}", core.mmcu)).arg("-o").args([&object.0, &source.0]);
    let output = command.output().expect("avr-as is missing; hint: run tests/oracles/setup");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::read(&object.0).unwrap()
}

/// The instructions of a function; the assembler leaves branches to the linker.
fn read(core: &'static Core, file: &ObjectFile<'_>, name: &str) -> Vec<Instruction> {
    let linked = link(file, &file.function(name).unwrap()).unwrap();
    let bytes = &linked.bytes[linked.routine];
    let words: Vec<u16> = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    decoded(&Program::strict(core, 0, &words).unwrap())
}

#[test]
fn kernels_of_every_size_come_back_from_the_assembler() {
    let core = core("atmega128").unwrap();
    let counts = parallel::each(&kernels::sizes(), |(method, words)| {
        let mut batch = Batch::new(core);
        // all of the small sizes, some of the others: the same instructions again
        let some = |request: &Request| *words <= sample(5, 8) || request.part(SHARE) == 0;
        for request in kernels::list(method, *words).into_iter().filter(some) {
            if let Some(kernel) = request.fits(core) {
                batch.push(&request, kernel);
            }
        }
        if batch.instructions > 0 {
            batch.finish();
        }
        batch.checked
    });
    println!("{} kernels assembled", counts.iter().sum::<usize>());
}

fn some_sizes() -> impl Iterator<Item = usize> {
    [2, 8, 20, 33, 1, 3, 5, 40, 300].into_iter().take(rhomb_oracles::sample(4, 9))
}

#[test]
fn looped_kernels_come_back_from_the_assembler() {
    let core = core("atmega128").unwrap();
    let tasks: Vec<_> = looping().flat_map(|method| some_sizes().map(move |words| (method, words))).collect();
    let counts = parallel::each(&tasks, |(method, words)| {
        let mut batch = Batch::new(core);
        for request in looped(method, *words).into_iter().step_by(sample(3, 1)) {
            if let Some(kernel) = request.fits(core) {
                batch.push(&request, kernel);
            }
        }
        batch.finish();
        batch.checked
    });
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
}

#[test]
fn large_kernels_come_back_from_the_assembler() {
    let core = core("atmega128").unwrap();
    let requests: Vec<Request> = LARGE.into_iter().rev().flat_map(kernels::large).collect();
    parallel::each(&requests, |request| {
        let mut batch = Batch::new(core);
        batch.push(request, request.lower(core).unwrap());
        if batch.checked == 0 {
            batch.finish();
        }
        assert_eq!(batch.checked, 1);
    });
}

#[test]
fn another_text_is_another_program() {
    let core = core("atmega128").unwrap();
    let text = ".global f\nf:\nadd r2, r3\nldd r4, Z+1\nret\n";
    let object = assemble(core, text);
    let held = [Instruction::dr(Op::Add, 2, 3), Instruction::dk(Op::LddZ, 4, 1), Instruction::new(Op::Ret)];
    assert_eq!(read(core, &ObjectFile::parse(&object).unwrap(), "f"), held);
    let object = assemble(core, &text.replace("Z+1", "Z+2"));
    assert_ne!(read(core, &ObjectFile::parse(&object).unwrap(), "f"), held);
}

/// Labels for branches, skips over two words, calls and jumps backwards and forwards.
#[test]
fn branches_by_label_come_back_from_the_assembler() {
    let core = core("atmega128").unwrap();
    let branch = |op, flag, k| Instruction { b: flag, k, ..Instruction::new(op) };
    for flag in 0..8 {
        let held = [
            Instruction::dk(Op::Ldi, 24, 5),
            branch(Op::Brbs, flag, 6),
            Instruction::dr(Op::Cpse, 24, 25),
            Instruction::dk(Op::Lds, 3, 0x100),
            Instruction::dk(Op::Dec, 24, 0),
            branch(Op::Brbc, flag, -6),
            branch(Op::Rjmp, 0, -8),
            branch(Op::Rcall, 0, 1),
            branch(Op::Rjmp, 0, -1),
            Instruction::new(Op::Ret),
        ];
        let text = syntax::function(&gnu::GNU, "f", 0, &held).unwrap();
        assert!(text.contains(".Lf_"), "{text}");
        let object = assemble(core, &text);
        // the assembler leaves branches to the linker, which may shorten what lies between
        let file = ObjectFile::parse(&object).unwrap();
        let linked = link(&file, &file.function("f").unwrap()).unwrap();
        let bytes = linked.bytes[linked.routine].chunks_exact(2);
        let words: Vec<u16> = bytes.map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        assert_eq!(decoded(&Program::strict(core, 0, &words).unwrap()), held, "{text}");
    }
}

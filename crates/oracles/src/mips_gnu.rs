use crate::gnu::{Disassembled, Scratch, run, section_words, word_lines};
use crate::place::missing;
use std::path::Path;
use std::process::Command;

/// The GNU assembler, linker and disassembler for MIPS, little-endian, and qemu's user mode.
#[derive(Clone, Copy, Debug)]
pub struct MipsGnu {
    /// The assembler's `-march=`: `mips32`.
    pub march: &'static str,
}

/// What the tools' names begin with.
const TOOL: &str = "mipsel-linux-gnu-";

impl MipsGnu {
    /// Assembles text; the answer is the first section whose name begins with `.text` and that is not empty, or what
    /// the assembler said. The assembler may fill it up with zeros. Warnings are errors.
    ///
    /// # Panics
    /// When a tool is not there.
    pub fn assemble(&self, text: &str) -> Result<Vec<u32>, String> {
        let object = self.object(text)?;
        section_words(&format!("{TOOL}objcopy"), &object, ".text*")
    }

    /// Assembles a whole file to an object file.
    ///
    /// # Panics
    /// When the assembler is not there.
    pub fn object(&self, text: &str) -> Result<Vec<u8>, String> {
        self.object_of(text, &["--fatal-warnings"])
    }

    /// The same, whatever the assembler warns of.
    ///
    /// # Panics
    /// When the assembler is not there.
    pub fn object_in_spite_of_warnings(&self, text: &str) -> Result<Vec<u8>, String> {
        self.object_of(text, &["--no-warn"])
    }

    /// What the C preprocessor hands to the assembler; any GCC's does, as names that stand for numbers are left out.
    ///
    /// # Panics
    /// When the preprocessor is not there.
    pub fn preprocess(&self, text: &str) -> Result<String, String> {
        let source = Scratch::of("S", text);
        run("avr-gcc", &["-E".as_ref(), "-undef".as_ref(), source.0.as_path()])
    }

    fn object_of(&self, text: &str, options: &[&str]) -> Result<Vec<u8>, String> {
        let (source, object) = (Scratch::of("s", text), Scratch::new("o"));
        let march = format!("-march={}", self.march);
        let arguments = [
            march.as_ref(),
            "-mabi=32".as_ref(),
            "-mno-shared".as_ref(),
            // else LL gets a SYNC in front
            "-mno-fix-loongson3-llsc".as_ref(),
            "-o".as_ref(),
            object.0.as_path(),
            source.0.as_path(),
        ];
        let options: Vec<&Path> = options.iter().map(AsRef::as_ref).collect();
        run(&format!("{TOOL}as"), &[options.as_slice(), &arguments].concat())?;
        std::fs::read(&object.0).map_err(|error| error.to_string())
    }

    /// Assembles and links a program that begins at `__start`, and runs it on qemu's model of a 4Km; the answer is what
    /// it writes.
    ///
    /// # Panics
    /// When a tool is not there, or the program ends otherwise than with status 0.
    pub fn execute(&self, text: &str) -> Result<Vec<u8>, String> {
        let (object, linked) = (Scratch::of("o", self.object(text)?), Scratch::new("elf"));
        run(&format!("{TOOL}ld"), &["-o".as_ref(), linked.0.as_path(), object.0.as_path()])?;
        let output = Command::new("qemu-mipsel").args(["-cpu", "4Km"]).arg(&linked.0).output();
        let output = output.unwrap_or_else(|error| missing("qemu-mipsel", &error));
        assert!(output.status.success(), "qemu-mipsel: {}", output.status);
        Ok(output.stdout)
    }

    /// Disassembles words that stand at address 0.
    ///
    /// # Panics
    /// When the tool is not there or fails.
    pub fn disassemble(&self, words: &[u32]) -> Vec<Disassembled<u32>> {
        word_lines(
            &format!("{TOOL}objdump"),
            &["-EL", "-M", "no-aliases,gpr-names=numeric", "-m", "mips:isa32"],
            words,
        )
    }
}

use crate::gnu::{Disassembled, Scratch, run, section_words, word_lines};
use std::path::Path;

/// The GNU assembler and disassembler for ARM, architecture version 4T, ARM state, little-endian.
#[derive(Clone, Copy, Debug, Default)]
pub struct ArmGnu;

/// What the tools' names begin with.
const TOOL: &str = "arm-none-eabi-";

impl ArmGnu {
    /// Assembles text in unified syntax for the section `.text`; the answer is that section, or what the
    /// assembler said. Warnings are no errors.
    ///
    /// # Panics
    /// When a tool is not there.
    pub fn assemble(&self, text: &str) -> Result<Vec<u32>, String> {
        let object = self.object(&format!("\t.syntax unified\n\t.arm\n{text}"))?;
        section_words(&format!("{TOOL}objcopy"), &object, ".text")
    }

    /// Assembles a whole file to an object file.
    ///
    /// # Panics
    /// When the assembler is not there.
    pub fn object(&self, text: &str) -> Result<Vec<u8>, String> {
        let (source, object) = (Scratch::of("s", text), Scratch::new("o"));
        let arguments = ["-march=armv4t".as_ref(), "-o".as_ref(), object.0.as_path(), source.0.as_path()];
        run(&format!("{TOOL}as"), &arguments)?;
        std::fs::read(&object.0).map_err(|error| error.to_string())
    }

    /// Compiles C for ARM state with a level of optimisation (`-O2`) to an object file.
    ///
    /// # Panics
    /// When the compiler is not there.
    pub fn compile(&self, text: &str, level: &str) -> Result<Vec<u8>, String> {
        let (source, object) = (Scratch::of("c", text), Scratch::new("o"));
        let options = ["-march=armv4t", "-marm", "-ffreestanding", level, "-c", "-o"].map(AsRef::as_ref);
        let files = [object.0.as_path(), source.0.as_path()];
        run(&format!("{TOOL}gcc"), &[options.as_slice(), &files].concat())?;
        std::fs::read(&object.0).map_err(|error| error.to_string())
    }

    /// Links an object file by a linker script; the answer is the linked file.
    ///
    /// # Panics
    /// When the linker is not there.
    pub fn link(&self, object: &[u8], script: &str) -> Result<Vec<u8>, String> {
        let (file, rules, linked) =
            (Scratch::of("o", object), Scratch::of("ld", script), Scratch::new("elf"));
        let arguments = ["-T".as_ref(), rules.0.as_path(), "-o".as_ref(), &linked.0, &file.0];
        run(&format!("{TOOL}ld"), &arguments)?;
        std::fs::read(&linked.0).map_err(|error| error.to_string())
    }

    /// Disassembles words that stand at address 0.
    ///
    /// # Panics
    /// When the tool is not there or fails.
    pub fn disassemble(&self, words: &[u32]) -> Vec<Disassembled<u32>> {
        word_lines(&format!("{TOOL}objdump"), &["-m", "armv4t"], words)
    }
}

/// The same tools for Thumb state of a core of the M profile.
#[derive(Clone, Copy, Debug)]
pub struct ThumbGnu {
    /// The value of `-mcpu=`.
    pub mcpu: &'static str,
}

impl ThumbGnu {
    fn option(&self) -> String {
        format!("-mcpu={}", self.mcpu)
    }

    /// Assembles text for the section `.text`; the answer is its bytes, or what the assembler said.
    ///
    /// # Panics
    /// When a tool is not there.
    pub fn assemble(&self, text: &str) -> Result<Vec<u8>, String> {
        let object = self.object(&format!("\t.syntax unified\n\t.thumb\n{text}\n\t.balign 4\n"))?;
        let words = section_words(&format!("{TOOL}objcopy"), &object, ".text")?;
        Ok(words.iter().flat_map(|word| word.to_le_bytes()).collect())
    }

    /// Assembles a whole file to an object file.
    ///
    /// # Panics
    /// When the assembler is not there.
    pub fn object(&self, text: &str) -> Result<Vec<u8>, String> {
        let (source, object) = (Scratch::of("s", text), Scratch::new("o"));
        let mcpu = self.option();
        run(&format!("{TOOL}as"), &[mcpu.as_ref(), "-o".as_ref(), object.0.as_path(), source.0.as_path()])?;
        std::fs::read(&object.0).map_err(|error| error.to_string())
    }

    /// Assembles a file that goes through the C preprocessor, with more options of the compiler, to an object file.
    ///
    /// # Panics
    /// When the compiler is not there.
    pub fn preprocessed(&self, file: &Path, more: &[&str]) -> Result<Vec<u8>, String> {
        let (object, mcpu) = (Scratch::new("o"), self.option());
        let options = [&mcpu, "-mthumb", "-c", "-o"].map(AsRef::as_ref);
        let files = [object.0.as_path(), file];
        let more: Vec<&Path> = more.iter().map(AsRef::as_ref).collect();
        run(&format!("{TOOL}gcc"), &[options.as_slice(), &files, &more].concat())?;
        std::fs::read(&object.0).map_err(|error| error.to_string())
    }

    /// Compiles C with a level of optimisation (`-O2`) to an object file.
    ///
    /// # Panics
    /// When the compiler is not there.
    pub fn compile(&self, text: &str, level: &str) -> Result<Vec<u8>, String> {
        let (source, object, mcpu) = (Scratch::of("c", text), Scratch::new("o"), self.option());
        let options = [&mcpu, "-mthumb", "-ffreestanding", level, "-c", "-o"].map(AsRef::as_ref);
        let files = [object.0.as_path(), source.0.as_path()];
        run(&format!("{TOOL}gcc"), &[options.as_slice(), &files].concat())?;
        std::fs::read(&object.0).map_err(|error| error.to_string())
    }

    /// What the disassembler makes of each of these codes, a halfword or two; one text a code.
    ///
    /// # Panics
    /// When the tool is not there or fails.
    pub fn disassemble(&self, codes: &[Vec<u16>]) -> Vec<String> {
        // NOPs behind each: whatever it is taken for, the next one begins in step
        const STRIDE: usize = 8;
        let bytes: Vec<u8> = codes
            .iter()
            .flat_map(|code| code.iter().copied().chain(std::iter::repeat(0xbf00)).take(STRIDE / 2))
            .flat_map(u16::to_le_bytes)
            .collect();
        let binary = Scratch::of("bin", bytes);
        let options = ["-D", "-z", "-b", "binary", "-m", "arm", "-M", "force-thumb"].map(AsRef::as_ref);
        let text = run(&format!("{TOOL}objdump"), &[options.as_slice(), &[binary.0.as_path()]].concat());
        let mut texts = vec![String::new(); codes.len()];
        for line in text.unwrap_or_else(|error| panic!("{error}")).lines() {
            let Some((address, rest)) = line.split_once(":\t") else { continue };
            let Ok(address) = usize::from_str_radix(address.trim(), 16) else { continue };
            if let (0, Some((_, text))) = (address % STRIDE, rest.split_once('\t')) {
                texts[address / STRIDE] = text.split_whitespace().collect::<Vec<_>>().join(" ");
            }
        }
        texts
    }
}

use crate::gnu::{Disassembled, Scratch, run};
use crate::place::missing;

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
        let (elf, binary) = (Scratch::new("o"), Scratch::new("bin"));
        std::fs::write(&elf.0, object).unwrap_or_else(|error| missing("scratch file", &error));
        let copy = ["-O", "binary", "-j", ".text"].map(AsRef::as_ref);
        run(&format!("{TOOL}objcopy"), &[copy.as_slice(), &[elf.0.as_path(), &binary.0]].concat())?;
        let bytes = std::fs::read(&binary.0).map_err(|error| error.to_string())?;
        Ok(bytes
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
            .collect())
    }

    /// Assembles a whole file to an object file.
    ///
    /// # Panics
    /// When the assembler is not there.
    pub fn object(&self, text: &str) -> Result<Vec<u8>, String> {
        let (source, object) = (Scratch::new("s"), Scratch::new("o"));
        std::fs::write(&source.0, text).unwrap_or_else(|error| missing("scratch file", &error));
        let arguments = ["-march=armv4t".as_ref(), "-o".as_ref(), object.0.as_path(), source.0.as_path()];
        run(&format!("{TOOL}as"), &arguments)?;
        std::fs::read(&object.0).map_err(|error| error.to_string())
    }

    /// Compiles C for ARM state with a level of optimisation (`-O2`) to an object file.
    ///
    /// # Panics
    /// When the compiler is not there.
    pub fn compile(&self, text: &str, level: &str) -> Result<Vec<u8>, String> {
        let (source, object) = (Scratch::new("c"), Scratch::new("o"));
        std::fs::write(&source.0, text).unwrap_or_else(|error| missing("scratch file", &error));
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
        let (file, rules, linked) = (Scratch::new("o"), Scratch::new("ld"), Scratch::new("elf"));
        std::fs::write(&file.0, object).unwrap_or_else(|error| missing("scratch file", &error));
        std::fs::write(&rules.0, script).unwrap_or_else(|error| missing("scratch file", &error));
        let arguments = ["-T".as_ref(), rules.0.as_path(), "-o".as_ref(), &linked.0, &file.0];
        run(&format!("{TOOL}ld"), &arguments)?;
        std::fs::read(&linked.0).map_err(|error| error.to_string())
    }

    /// Disassembles words that stand at address 0.
    ///
    /// # Panics
    /// When the tool is not there or fails.
    pub fn disassemble(&self, words: &[u32]) -> Vec<Disassembled<u32>> {
        let binary = Scratch::new("bin");
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        std::fs::write(&binary.0, bytes).unwrap_or_else(|error| missing("scratch file", &error));
        let options = ["-D", "-z", "-b", "binary", "-m", "armv4t"].map(AsRef::as_ref);
        let text = run(&format!("{TOOL}objdump"), &[options.as_slice(), &[binary.0.as_path()]].concat());
        let text = text.unwrap_or_else(|error| panic!("{error}"));
        text.lines().filter_map(line).collect()
    }
}

/// `   4:\te12fff1e \tbx\tlr\t@ comment`
fn line(text: &str) -> Option<Disassembled<u32>> {
    let (address, rest) = text.split_once(":\t")?;
    let address = u32::from_str_radix(address.trim(), 16).ok()?;
    let (word, text) = rest.split_once('\t')?;
    let word = u32::from_str_radix(word.trim(), 16).ok()?;
    Some(Disassembled {
        address,
        words: vec![word],
        text: text.split_whitespace().collect::<Vec<_>>().join(" "),
    })
}

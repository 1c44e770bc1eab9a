use crate::gnu::{Disassembled, Scratch, run};
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
        let (elf, binary) = (Scratch::new("o"), Scratch::new("bin"));
        std::fs::write(&elf.0, object).unwrap_or_else(|error| missing("scratch file", &error));
        let copy = ["-O", "binary", "-j", ".text*"].map(AsRef::as_ref);
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
        let source = Scratch::new("S");
        std::fs::write(&source.0, text).unwrap_or_else(|error| missing("scratch file", &error));
        run("avr-gcc", &["-E".as_ref(), "-undef".as_ref(), source.0.as_path()])
    }

    fn object_of(&self, text: &str, options: &[&str]) -> Result<Vec<u8>, String> {
        let (source, object) = (Scratch::new("s"), Scratch::new("o"));
        std::fs::write(&source.0, text).unwrap_or_else(|error| missing("scratch file", &error));
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
        let (object, linked) = (Scratch::new("o"), Scratch::new("elf"));
        std::fs::write(&object.0, self.object(text)?).unwrap_or_else(|error| missing("scratch file", &error));
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
        let binary = Scratch::new("bin");
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        std::fs::write(&binary.0, bytes).unwrap_or_else(|error| missing("scratch file", &error));
        let machine = "mips:isa32";
        let options =
            ["-D", "-z", "-b", "binary", "-EL", "-M", "no-aliases,gpr-names=numeric", "-m", machine];
        let options = options.map(AsRef::as_ref);
        let text = run(&format!("{TOOL}objdump"), &[options.as_slice(), &[binary.0.as_path()]].concat());
        let text = text.unwrap_or_else(|error| panic!("{error}"));
        text.lines().filter_map(line).collect()
    }
}

/// `   4:\t00851021 \taddu\t$2,$4,$5`
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

use crate::place::{missing, place};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// The GNU assembler, linker and disassembler for AVR.
#[derive(Clone, Debug)]
pub struct Gnu {
    mmcu: String,
}

/// A line of the disassembler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disassembled<Word = u16> {
    /// Byte address.
    pub address: u32,
    /// The words of the instruction.
    pub words: Vec<Word>,
    /// Its text, blanks made single, without the comment.
    pub text: String,
}

/// A file that goes with its owner.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    pub(crate) fn new(extension: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let folder = place().join("scratch");
        std::fs::create_dir_all(&folder).unwrap_or_else(|error| missing("scratch folder", &error));
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        Scratch(folder.join(format!("{}-{number}.{extension}", std::process::id())))
    }
}

impl Scratch {
    /// A file with that content.
    pub(crate) fn of(extension: &str, content: impl AsRef<[u8]>) -> Self {
        let file = Scratch::new(extension);
        std::fs::write(&file.0, content).unwrap_or_else(|error| missing("scratch file", &error));
        file
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

impl Gnu {
    /// The tools for that `-mmcu=`, a part or an architecture (`avr6`, `avrxmega6`).
    pub fn new(mmcu: &str) -> Self {
        Gnu { mmcu: mmcu.to_owned() }
    }

    /// Assembles text for address 0; the answer is the code, or what the assembler said.
    ///
    /// # Panics
    /// When a tool is not there.
    pub fn assemble(&self, text: &str) -> Result<Vec<u16>, String> {
        let (source, object) = (Scratch::of("s", text), Scratch::new("o"));
        let mmcu = format!("-mmcu={}", self.mmcu);
        run("avr-as", &[mmcu.as_ref(), "-o".as_ref(), &object.0, &source.0])?;
        // distances are relocations: only the linker fills them in
        let linked = Scratch::new("elf");
        let gcc = [
            mmcu.as_ref(),
            "-nostdlib".as_ref(),
            "-nostartfiles".as_ref(),
            "-Wl,-Ttext=0".as_ref(),
            "-Wl,--entry=0".as_ref(),
            "-o".as_ref(),
            linked.0.as_path(),
            object.0.as_path(),
        ];
        run("avr-gcc", &gcc)?;
        let binary = Scratch::new("bin");
        let copy =
            ["-O".as_ref(), "binary".as_ref(), "-j".as_ref(), ".text".as_ref(), &*linked.0, &*binary.0];
        run("avr-objcopy", &copy)?;
        let bytes = std::fs::read(&binary.0).map_err(|error| error.to_string())?;
        Ok(bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect())
    }

    /// Disassembles words that stand at address 0. `mmcu` must be an architecture that objdump knows
    /// (`avr6` is asked as `avr:6`, `avrxmega6` as `avr:106`).
    ///
    /// # Panics
    /// When a tool is not there or fails.
    pub fn disassemble(&self, words: &[u16]) -> Vec<Disassembled> {
        let machine = match self.mmcu.strip_prefix("avrxmega") {
            Some(number) => format!("avr:10{number}"),
            None => format!("avr:{}", self.mmcu.trim_start_matches("avr")),
        };
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let binary = Scratch::of("bin", bytes);
        let arguments = [
            "-D".as_ref(),
            "-z".as_ref(),
            "-b".as_ref(),
            "binary".as_ref(),
            "-m".as_ref(),
            Path::new(&machine),
            &binary.0,
        ];
        let text = run("avr-objdump", &arguments).unwrap_or_else(|error| panic!("{error}"));
        text.lines().filter_map(line).collect()
    }
}

/// `   4:\t0e 94 00 01 \tcall\t0x200\t;  0x200`
fn line(text: &str) -> Option<Disassembled> {
    let (address, rest) = text.split_once(":\t")?;
    let address = u32::from_str_radix(address.trim(), 16).ok()?;
    let (bytes, text) = rest.split_once('\t')?;
    let bytes: Vec<u8> =
        bytes.split_whitespace().map(|byte| u8::from_str_radix(byte, 16)).collect::<Result<_, _>>().ok()?;
    let text = text.split(';').next().unwrap_or_default();
    Some(Disassembled {
        address,
        words: bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect(),
        text: text.split_whitespace().collect::<Vec<_>>().join(" "),
    })
}

/// The words of an object file's sections of these names.
pub(crate) fn section_words(objcopy: &str, object: &[u8], sections: &str) -> Result<Vec<u32>, String> {
    let (elf, binary) = (Scratch::of("o", object), Scratch::new("bin"));
    let copy = ["-O", "binary", "-j", sections].map(AsRef::as_ref);
    run(objcopy, &[copy.as_slice(), &[elf.0.as_path(), &binary.0]].concat())?;
    let bytes = std::fs::read(&binary.0).map_err(|error| error.to_string())?;
    Ok(bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect())
}

/// Words that stand at address 0, as the disassembler shows them.
pub(crate) fn word_lines(objdump: &str, options: &[&str], words: &[u32]) -> Vec<Disassembled<u32>> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let binary = Scratch::of("bin", bytes);
    let options: Vec<&Path> = ["-D", "-z", "-b", "binary"].iter().chain(options).map(AsRef::as_ref).collect();
    let text = run(objdump, &[options.as_slice(), &[binary.0.as_path()]].concat());
    text.unwrap_or_else(|error| panic!("{error}")).lines().filter_map(word_line).collect()
}

/// `   4:\te12fff1e \tbx\tlr\t@ comment`
fn word_line(text: &str) -> Option<Disassembled<u32>> {
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

pub(crate) fn run(tool: &str, arguments: &[&Path]) -> Result<String, String> {
    let output = Command::new(tool).args(arguments).output();
    let output = output.unwrap_or_else(|error| missing(tool, &error));
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("{tool}: {}", String::from_utf8_lossy(&output.stderr)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_disassembler() {
        let expected = Disassembled { address: 4, words: vec![0x940e, 0x0100], text: "call 0x200".into() };
        assert_eq!(line("   4:\t0e 94 00 01 \tcall\t0x200\t;  0x200"), Some(expected));
        assert_eq!(line("00000000 <.data>:"), None);
    }
}

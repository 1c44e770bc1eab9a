use crate::gnu::{Disassembled, Scratch, run};

/// The GNU assembler and disassembler for RISC-V of 32 bits.
#[derive(Clone, Copy, Debug)]
pub struct RiscvGnu {
    /// The assembler's `-march=`: `rv32imc`.
    pub march: &'static str,
}

/// What the tools' names begin with.
const TOOL: &str = "riscv64-unknown-elf-";

impl RiscvGnu {
    /// Assembles text; the answer is the halfwords of its section `.text`, or what the assembler said. Warnings are errors.
    ///
    /// # Panics
    /// When a tool is not there.
    pub fn assemble(&self, text: &str) -> Result<Vec<u16>, String> {
        let (object, binary) = (self.assembled(text)?, Scratch::new("bin"));
        let copy = ["-O", "binary", "-j", ".text*"].map(AsRef::as_ref);
        run(&format!("{TOOL}objcopy"), &[copy.as_slice(), &[object.0.as_path(), &binary.0]].concat())?;
        let bytes = std::fs::read(&binary.0).map_err(|error| error.to_string())?;
        Ok(bytes.as_chunks().0.iter().map(|half| u16::from_le_bytes(*half)).collect())
    }

    /// Assembles text; the answer is an object file, or what the assembler said. Warnings are errors.
    ///
    /// # Panics
    /// When the tool is not there.
    pub fn object(&self, text: &str) -> Result<Vec<u8>, String> {
        std::fs::read(&self.assembled(text)?.0).map_err(|error| error.to_string())
    }

    /// Compiles C by gcc or, for `clang`, by that, with more options; the answer is an object file.
    ///
    /// # Panics
    /// When the tool is not there.
    pub fn compile(&self, compiler: &str, options: &[&str], text: &str) -> Result<Vec<u8>, String> {
        let (source, object) = (Scratch::of("c", text), Scratch::new("o"));
        let march = format!("-march={}", self.march);
        let (tool, target) = match compiler {
            "clang" => ("clang-14".to_owned(), Some("--target=riscv32")),
            _ => (format!("{TOOL}{compiler}"), None),
        };
        let options = options.iter().copied().chain(target).chain([&*march, "-mabi=ilp32", "-c", "-o"]);
        let options: Vec<_> = options.map(AsRef::as_ref).collect();
        run(&tool, &[options.as_slice(), &[object.0.as_path(), &source.0]].concat())?;
        std::fs::read(&object.0).map_err(|error| error.to_string())
    }

    fn assembled(&self, text: &str) -> Result<Scratch, String> {
        let (source, object) = (Scratch::of("s", text), Scratch::new("o"));
        let march = format!("-march={}", self.march);
        let options = [&march, "-mabi=ilp32", "--fatal-warnings", "-o"].map(AsRef::as_ref);
        run(&format!("{TOOL}as"), &[options.as_slice(), &[object.0.as_path(), &source.0]].concat())?;
        Ok(object)
    }

    /// Disassembles instructions of 16 and 32 bits that stand at address 0, one a line, without aliases. What the
    /// disassembler knows is decided by `march`, which only an object file says.
    ///
    /// # Panics
    /// When the tool is not there or fails.
    pub fn disassemble(&self, halves: &[u16]) -> Vec<Disassembled> {
        let (mut text, mut rest) = ("\t.option norelax\n".to_owned(), halves);
        while let [low, after @ ..] = rest {
            let long = low & 3 == 3;
            let number =
                u32::from(*low) | if long { u32::from(after.first().copied().unwrap_or(0)) << 16 } else { 0 };
            text += &format!("\t.insn {}, {number:#x}\n", if long { 4 } else { 2 });
            rest = if long { after.get(1..).unwrap_or_default() } else { after };
        }
        let object = self.assembled(&text).unwrap_or_else(|error| panic!("{error}"));
        let options = ["-d", "-z", "-M", "no-aliases"].map(AsRef::as_ref);
        let text = run(&format!("{TOOL}objdump"), &[options.as_slice(), &[object.0.as_path()]].concat());
        text.unwrap_or_else(|error| panic!("{error}")).lines().filter_map(line).collect()
    }
}

/// `   4:\t00450513          \taddi\ta0,a0,4 # comment`
fn line(text: &str) -> Option<Disassembled> {
    let (address, rest) = text.split_once(":\t")?;
    let address = u32::from_str_radix(address.trim(), 16).ok()?;
    let (number, text) = rest.split_once('\t')?;
    let number = number.trim();
    let value = u32::from_str_radix(number, 16).ok()?;
    let words = if number.len() <= 4 { vec![value as u16] } else { vec![value as u16, (value >> 16) as u16] };
    let text = text.split('#').next().unwrap_or_default();
    Some(Disassembled { address, words, text: text.split_whitespace().collect::<Vec<_>>().join(" ") })
}

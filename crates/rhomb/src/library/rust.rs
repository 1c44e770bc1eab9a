//! A library as a crate: the routines by `global_asm!`, and their declarations.

use crate::generate::Kernel;
use crate::targets::Target;

/// Of a processor, as Rust calls its architecture; `None` where it has none.
fn architecture(target: &dyn Target) -> Option<&'static str> {
    match target.description().processor {
        "AVR" => Some("avr"),
        "ARM" => Some("arm"),
        "MIPS32" => Some("mips"),
        "RISC-V" => Some("riscv32"),
        _ => None,
    }
}

/// A routine without the lines for the C preprocessor.
fn plain(assembly: &str) -> String {
    let mut lines = assembly.lines().peekable();
    let mut text = String::new();
    while let Some(line) = lines.next() {
        if line.starts_with("#if ") {
            // up to its end, and the empty line behind it
            lines.by_ref().find(|line| line.starts_with("#endif"));
            lines.next_if(|line| line.is_empty());
            continue;
        }
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// The declaration of a routine in C, as Rust has it.
fn declaration(kernel: &Kernel) -> Option<String> {
    let call = format!("{}(", kernel.name);
    let line = kernel.c_header.lines().find(|line| line.contains(&call) && line.ends_with(';'))?;
    let (returned, arguments) = line.split_once(&call)?;
    let arguments = arguments.strip_suffix(");")?.split(", ").map(|argument| {
        let (kind, name) = argument.rsplit_once(' ')?;
        let (pointer, kind) = match kind.strip_prefix("const ") {
            Some(kind) => ("*const ", kind),
            None => ("*mut ", kind),
        };
        let (name, pointer) = match name.split_once('[') {
            Some((name, _)) => (name, pointer),
            None => (name, ""),
        };
        Some(format!("{name}: {pointer}{}", number(kind)?))
    });
    let arguments: Vec<String> = arguments.collect::<Option<_>>()?;
    let returned = match returned.trim() {
        "void" => String::new(),
        kind => format!(" -> {}", number(kind)?),
    };
    Some(format!("    pub fn {}({}){returned};\n", kernel.name, arguments.join(", ")))
}

/// A type of numbers.
fn number(kind: &str) -> Option<String> {
    let bits = kind.strip_prefix("uint")?.strip_suffix("_t")?;
    bits.chars().all(|digit| digit.is_ascii_digit()).then(|| format!("u{bits}"))
}

/// The crate's files; none where Rust does not know the processor, or a routine is called in another way.
pub(super) fn files(name: &str, target: &dyn Target, kernels: &[Kernel]) -> Vec<(String, String)> {
    let Some(architecture) = architecture(target) else { return Vec::new() };
    let mut declarations = String::new();
    for kernel in kernels {
        let briefly = kernel.c_header.lines().skip_while(|line| !line.starts_with("extern")).skip(3);
        let briefly =
            briefly.skip_while(|line| !line.starts_with(" * ")).take_while(|line| line.starts_with(" * "));
        briefly.for_each(|line| declarations.push_str(&format!("    ///{}\n", &line[2..])));
        match declaration(kernel) {
            Some(own) => {
                declarations.push_str("    ///\n    /// # Safety\n    /// The pointers are to arrays of the lengths that stand above, each aligned.\n");
                declarations.push_str(&own);
            }
            None => return Vec::new(),
        }
    }
    let included: String = kernels
        .iter()
        .map(|kernel| {
            format!("core::arch::global_asm!(include_str!(\"../plain/{}.s\"), options(raw));\n", kernel.name)
        })
        .collect();
    let library = format!(
        "//! Routines for {core}, made by rhomb.\n#![no_std]\n\n\
         #[cfg(not(target_arch = \"{architecture}\"))]\n\
         compile_error!(\"{name} is for {core}: build it with --target of a core of the architecture {architecture}\");\n\n\
         #[cfg(target_arch = \"{architecture}\")]\n\
         mod routines {{\n{included}}}\n\n\
         unsafe extern \"C\" {{\n{declarations}}}\n",
        core = target.name(),
        included = included.lines().map(|line| format!("    {line}\n")).collect::<String>(),
    );
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\nlicense = \"MIT OR Apache-2.0\"\n\
         description = \"Arithmetic for {}, made by rhomb\"\n\n[lib]\npath = \"rust/lib.rs\"\n",
        target.name()
    );
    let mut files = vec![("Cargo.toml".to_owned(), manifest), ("rust/lib.rs".to_owned(), library)];
    files.extend(kernels.iter().map(|kernel| (format!("plain/{}.s", kernel.name), plain(&kernel.assembly))));
    files
}

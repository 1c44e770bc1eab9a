//! The C header of a routine.

use crate::header::{LICENCE, VERSION, comment, prototype, rules};
use crate::request::Plan;
use crate::target::{CDialect, Comment};

/// The whole file.
pub(crate) fn text(plan: &Plan) -> String {
    let name = &plan.name;
    let guard = format!("RHOMB_{name}_H");
    let top = comment(
        Comment::Block,
        &[
            format!(
                "{name} for {} ({}), convention {}",
                plan.target.name(),
                plan.target.processor(),
                plan.convention
            ),
            String::new(),
            LICENCE.to_owned(),
            format!("Made by {VERSION}:"),
            format!("    {}", plan.command_line()),
        ],
    );
    let rules = comment(Comment::Block, &rules(plan));
    let CDialect { pointed, compiler } = plan.target.c_dialect(plan.convention);
    let prototype = if pointed.is_empty() { prototype(plan) } else { with_pointers(plan, pointed) };
    let compiler = compiler.map_or(String::new(), |compiler| {
        let convention = plan.convention;
        format!("#ifndef {compiler}\n#error {name} is called by the convention {convention}\n#endif\n\n")
    });
    format!(
        "{top}\
         #ifndef {guard}\n\
         #define {guard}\n\n\
         {compiler}\
         #include <stdint.h>\n\n\
         #ifdef __cplusplus\n\
         extern \"C\" {{\n\
         #endif\n\n\
         {rules}\
         {prototype};\n\n\
         #ifdef __cplusplus\n\
         }}\n\
         #endif\n\n\
         #endif\n"
    )
}

/// The prototype with pointers in place of arrays, so that what they point to can be qualified.
fn with_pointers(plan: &Plan, pointed: &str) -> String {
    let word = format!("uint{}_t", plan.target.word_bits());
    let mut arguments = vec![format!("{word} {pointed}*r")];
    let operands = crate::contract::operands(&plan.contract);
    arguments.extend(operands.iter().map(|name| format!("const {word} {pointed}*{name}")));
    format!("void {}({})", plan.name, arguments.join(", "))
}

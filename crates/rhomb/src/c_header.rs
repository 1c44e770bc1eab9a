//! The C header of a routine.

use crate::header::{LICENCE, VERSION, comment, prototype, rules};
use crate::request::Plan;

/// The whole file.
pub(crate) fn text(plan: &Plan) -> String {
    let name = &plan.name;
    let guard = format!("RHOMB_{name}_H");
    let top = comment(&[
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
    ]);
    let rules = comment(&rules(plan));
    let prototype = prototype(plan);
    format!(
        "{top}\
         #ifndef {guard}\n\
         #define {guard}\n\n\
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

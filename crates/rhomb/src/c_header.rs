//! The C header of a routine.

use crate::header::{Heading, LICENCE, VERSION, comment};
use crate::targets::Comment;

/// The whole file, with lines on cycles, stack and time.
pub(crate) fn file(heading: &Heading, briefly: &[String]) -> String {
    let Heading { name, target, convention, .. } = heading;
    let guard = format!("RHOMB_{name}_H");
    let top = comment(
        Comment::Block,
        &[
            format!(
                "{name} for {} ({}), convention {convention}",
                target.name(),
                target.description().processor
            ),
            String::new(),
            LICENCE.to_owned(),
            format!("Made by {VERSION}:"),
            format!("    {}", heading.command_line),
        ],
    );
    let facts = heading.rules.iter().chain(briefly).cloned().collect::<Vec<_>>();
    let rules = comment(Comment::Block, &facts);
    let compiler = target.description().convention(convention).c.compiler.map_or(String::new(), |compiler| {
        format!("#ifndef {compiler}\n#error {name} is called by the convention {convention}\n#endif\n\n")
    });
    let declaration = &heading.declaration;
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
         {declaration};\n\n\
         #ifdef __cplusplus\n\
         }}\n\
         #endif\n\n\
         #endif\n"
    )
}

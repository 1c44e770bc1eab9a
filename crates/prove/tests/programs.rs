//! Functions from text.

use std::sync::Arc;

pub(crate) fn avr(text: &str) -> rhomb_avr::Function {
    let text = format!(".global f\nf:\n{text}\n");
    let dialect = rhomb_avr::syntax::dialect("gnu").unwrap();
    let parsed = rhomb_avr::syntax::parse(dialect, 0, &text).unwrap_or_else(|error| panic!("{error}"));
    let core = rhomb_avr::cores::core("atmega128").unwrap();
    let program = Arc::new(rhomb_avr::Program::assemble(core, 0, &parsed.instructions).unwrap());
    let convention = &rhomb_avr::conventions::AVR_GCC;
    rhomb_avr::Function { program, entry: 0, convention, stack_limit: 64, step_limit: 10_000 }
}

pub(crate) fn arm(core: &str, text: &str) -> rhomb_arm::Function {
    arm_on(rhomb_arm::cores::core(core).unwrap(), text)
}

pub(crate) fn arm_on(core: &'static rhomb_arm::cores::Core, text: &str) -> rhomb_arm::Function {
    let text = format!(".global f\nf:\n{text}\n");
    let dialect = rhomb_arm::syntax::dialect("gnu").unwrap();
    let parsed = rhomb_arm::syntax::parse(dialect, 0, &text).unwrap_or_else(|error| panic!("{error}"));
    let program = Arc::new(rhomb_arm::Program::assemble(core, 0, &parsed.instructions).unwrap());
    let convention = &rhomb_arm::conventions::AAPCS;
    rhomb_arm::Function { program, entry: 0, convention, stack_limit: 64, step_limit: 10_000 }
}

pub(crate) fn mips(text: &str) -> rhomb_mips::Function {
    let model = Arc::new(rhomb_mips::Model::of(rhomb_mips::cores::core("mips32-4km").unwrap()));
    let text = format!(".set noreorder\n{text}\n");
    let parsed = rhomb_mips::syntax::parse(&model, 0, &text).unwrap_or_else(|error| panic!("{error}"));
    let program = Arc::new(rhomb_mips::Program::assemble(model, 0, &parsed.instructions).unwrap());
    let convention = &rhomb_mips::conventions::O32;
    rhomb_mips::Function { program, entry: 0, convention, stack_limit: 64, step_limit: 10_000 }
}

pub(crate) fn c55x(text: &str) -> rhomb_c55x::Function {
    let parsed = rhomb_c55x::syntax::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let core = rhomb_c55x::cores::core("tms320vc5510").unwrap();
    let program = rhomb_c55x::Program::new(core, 0, parsed.lines).unwrap_or_else(|error| panic!("{error}"));
    let convention = &rhomb_c55x::conventions::TI;
    rhomb_c55x::Function {
        program: Arc::new(program),
        entry: 0,
        convention,
        stack_limit: 64,
        step_limit: 10_000,
    }
}

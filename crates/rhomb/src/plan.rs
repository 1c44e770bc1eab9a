//! A request with every name known, every blank filled in, and the machine code that answers it.

use crate::output::Output;
use crate::targets::{Code, Extension, Target};
use rhomb_certificate::{Contract, Operation};
use rhomb_kernel::{Floor, Form, Method, Parameter, Parameters, Schedule};
use std::fmt::Write;
use std::sync::Arc;

/// How a routine computes.
#[derive(Clone, Copy, Debug)]
pub enum Way {
    /// Along a walk or word by word, by a method with all of its parameters, and the array that the pointer X points
    /// to where that was chosen.
    Walk(&'static Method, Parameters, Option<&'static str>),
    /// An operation of fields.
    Field(&'static str),
}

impl Way {
    /// The method's name.
    pub fn name(&self) -> &'static str {
        match self {
            Way::Walk(method, ..) => method.name,
            Way::Field(name) => name,
        }
    }

    /// The method's parameters by name, in its order.
    pub fn parameters(&self) -> Vec<(&'static str, String)> {
        match self {
            Way::Walk(method, parameters, on_x) => {
                let number = |parameter: &Parameter| {
                    Some((parameter.name(), parameter.text(parameter.of(parameters)?)))
                };
                let mut all: Vec<_> = method.parameters.iter().filter_map(number).collect();
                all.extend(parameters.strips.map(|strips| ("strips", strips.to_string())));
                all.extend(parameters.orders.map(|orders| ("orders", orders.to_string())));
                all.extend(on_x.map(|array| ("on-x", array.to_owned())));
                all
            }
            Way::Field(_) => Vec::new(),
        }
    }
}

/// A request with every choice made, and the machine code that answers it.
pub struct Plan {
    /// The option that says the size: `--bits 160` or a modulus.
    pub given: String,
    /// What the routine promises.
    pub contract: Contract,
    /// For which core.
    pub target: &'static dyn Target,
    /// How.
    pub way: Way,
    /// Unrolled or looped.
    pub form: Form,
    /// Calling convention.
    pub convention: &'static str,
    /// Assembler dialect.
    pub syntax: &'static str,
    /// Name of the routine.
    pub name: String,
    /// The routine.
    pub code: Code,
    /// The schedule that it follows; for pictures.
    pub schedule: Option<Arc<Schedule>>,
    /// How products are added up, where the processor has several ways.
    pub accumulation: Option<&'static str>,
    /// Whether it is to be proved before it is written.
    pub proof: bool,
    /// Registers that it may use beside those that hold pointers and take products, if that was limited.
    pub registers: Option<usize>,
    /// Whether its time was asked to be the same for all operands.
    pub constant_time: bool,
    /// The file that the walk's rows are from.
    pub walk: Option<String>,
    /// The trail that its registers are along, if one was given.
    pub trail: Option<String>,
    /// What a file adds to the core.
    pub extension: Option<Extension>,
    /// How the assembly file is written.
    pub output: Output,
}

impl Plan {
    /// Cycles of the body below which no routine of this kind goes.
    pub(crate) fn floor(&self) -> Option<u64> {
        let Way::Walk(method, ..) = &self.way else { return None };
        // splits have fewer products
        if self.contract.operation() != Operation::Mul
            || method.parameters.contains(&Parameter::Levels)
            || !method.multiplier
        {
            return None;
        }
        let words = self.contract.bits().div_ceil(self.target.description().word_bits) as usize;
        let registers = self.target.description().convention(self.convention).general_registers;
        let registers = registers.min(self.registers.unwrap_or(registers));
        self.target.floor_cycles(&Floor::of(words, registers))
    }

    /// The command line that makes the same file, every choice stated.
    pub fn command_line(&self) -> String {
        let Plan { given, target, way, form, convention, syntax, name, .. } = self;
        let mut line =
            format!("rhomb generate {} {given} --target {}", self.contract.operation().name(), target.name());
        if let Some(extension) = &self.extension {
            // writing to a String cannot fail
            let _ = write!(line, " --{} {}", extension.adds.option(), extension.name);
        }
        let _ = match &self.walk {
            Some(file) => write!(line, " --walk {file}"),
            None => write!(line, " --method {}", way.name()),
        };
        for (name, value) in way.parameters() {
            let _ = write!(line, " --{name} {value}");
        }
        if let Some(trail) = &self.trail {
            let _ = write!(line, " --trail {trail}");
        }
        // code and stack have done their part in the choice
        if let Some(registers) = self.registers {
            let _ = write!(line, " --registers {registers}");
        }
        if let Some(accumulation) = self.accumulation {
            let _ = write!(line, " --accumulation {accumulation}");
        }
        if self.constant_time {
            line.push_str(" --constant-time");
        }
        let no_proof = if self.proof { "" } else { " --no-proof" };
        let _ = write!(
            line,
            " --form {} --convention {convention} --syntax {syntax} --name {name}{no_proof}{}",
            form.name(),
            self.output.options()
        );
        line
    }
}

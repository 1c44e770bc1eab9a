//! From a request to a plan: what is checked before any work, and what is chosen.

use crate::bounds::{Bounds, MOST_REGISTERS};
use crate::candidates::options;
use crate::choose::{self, Choice};
use crate::contract;
use crate::error::{Error, shown};
use crate::evidence::check_memory;
use crate::field;
use crate::modular::ModularOperation;
use crate::name;
use crate::plan::{Plan, Way};
use crate::request::Request;
use crate::rows;
use crate::scheme;
use crate::targets::{self, Target, one_of};
use crate::trails;
use crate::wanted::Wanted;
use rhomb_certificate::{Family, Operation};
use rhomb_kernel::{Form, GIVEN, METHODS, Method, Parameter, Parameters, method, methods};

/// Searches for the method, longer than without a method: among all, and among those that multiply along a single
/// walk, not of parts.
const SEARCHES: [&str; 2] = [BEST, BEST_WALK];
const BEST: &str = "best";
const BEST_WALK: &str = "best-walk";

impl Request {
    /// Checks the request and makes the routine.
    ///
    /// # Errors
    /// The first fault of the request.
    pub fn plan(&self) -> Result<Plan, Error> {
        let walks_only = self.method.as_deref() == Some(BEST_WALK);
        self.check_modular()?;
        let operation = match Operation::generated(&self.operation) {
            Some(operation) if operation.family() != Family::Whole => return field::plan(self, operation),
            _ => {
                self.check_no_modulus()?;
                contract::operation(&self.operation)?
            }
        };
        let contract = contract::of(operation, self.bits)?;
        let target =
            targets::extended(targets::wanted(&self.target, self.constant_time)?, self.extension.as_ref())?;
        let words = self.bits.div_ceil(target.description().word_bits as usize);
        let given = rows::given(self, operation, words)?;
        let method = if given.is_some() { Some(&GIVEN) } else { self.method(operation)? };
        let method = trails::check(self, method, target)?;
        if let (true, Some(split)) = (walks_only, self.split_parameter()) {
            let fault = format!(
                "{BEST_WALK} searches walks, which have no --{split}; valid: --method split --{split}"
            );
            return Err(Error::request(fault, format_args!("leave --{split} out")));
        }
        if let Some(method) = method {
            check_parameters(method, &self.parameters)?;
        }
        check_values(&self.parameters)?;
        check_registers(&self.bounds)?;
        let form = self.form(operation, method)?;
        let convention =
            one_of("convention", self.convention.as_deref(), &target.description().conventions(), target)?;
        let mut syntaxes = target.description().syntaxes();
        syntaxes.sort_by_key(|syntax| syntax.name != target.description().convention(convention).syntax);
        let syntax = one_of("syntax", self.syntax.as_deref(), &syntaxes, target)?;
        let name = name::of(self, target, syntax, &format!("{}{}", operation.name(), self.bits))?;
        self.output.check(syntax)?;
        check_memory(target, &contract)?;
        let accumulation = accumulation(self.accumulation.as_deref(), target)?;
        rows::check(&self.parameters, method, form, words)?;
        let bounds = self.bounds;
        let thorough = self.method.as_deref().is_some_and(|name| SEARCHES.contains(&name));
        let wanted = Wanted {
            operation,
            words,
            form,
            convention,
            method,
            rows: given.as_deref(),
            parameters: &self.parameters,
            bounds,
            accumulation,
            constant_time: self.constant_time,
            thorough,
            walks_only,
            unasked_levels: target.description().unasked_levels(words),
            pairs: target.description().pairs,
            columns_wait: target.description().columns_wait,
            on_x: rows::on_x(self.on_x.as_deref(), target)?,
            trail: self.trail.as_deref(),
            work: &self.work,
        };
        let Choice { method, form, parameters, on_x, code, schedule, accumulation } =
            choose::choose(target, &wanted)?;
        rows::check_orders(method, words, &parameters)?;
        let proof = !self.no_proof;
        let bits = self.bits;
        Ok(Plan {
            given: format!("--bits {bits}"),
            contract,
            target,
            way: Way::Walk(method, parameters, on_x),
            form,
            convention,
            syntax,
            name,
            code,
            schedule,
            accumulation,
            proof,
            registers: bounds.registers,
            constant_time: self.constant_time,
            walk: self.walk.as_ref().map(|own| own.name.clone()),
            trail: self.trail.clone(),
            extension: self.extension.clone(),
            output: self.output.clone(),
        })
    }

    /// What splits have only, if it is set.
    fn split_parameter(&self) -> Option<&'static str> {
        let of_splits = [Parameter::Levels, Parameter::Parts, Parameter::Pairs];
        let set = of_splits.into_iter().find(|one| one.of(&self.parameters).is_some()).map(Parameter::name);
        set.or(self.trail.as_ref().map(|_| "trail"))
    }

    /// Refuses what only programs of modular arithmetic have.
    fn check_modular(&self) -> Result<(), Error> {
        let Request { operation, window, public, square_levels, block, curve, .. } = self;
        let power = ModularOperation::Exponentiate.name();
        let private = format!("{power} and {}", ModularOperation::Private.name());
        let is_power = ModularOperation::named(operation).is_some_and(ModularOperation::is_power);
        if is_power || scheme::is_one(self) {
            let fault = format!("{operation} has no picture; valid: mul");
            return Err(Error::request(fault, "generate and measure make it"));
        }
        let with_curve = scheme::with_curve().collect::<Vec<_>>().join(", ");
        let given = [
            ("curve", curve.is_some(), with_curve.as_str()),
            ("window", window.is_some(), private.as_str()),
            ("public", public.is_some(), power),
            ("square-levels", square_levels.is_some(), power),
            ("block", block.is_some(), "montmul, montsqr, montreduce, modexp and rsa-private with --bits"),
        ];
        match given.into_iter().find(|(_, is_given, _)| *is_given) {
            None => Ok(()),
            Some((name, _, valid)) => {
                let fault = format!("{} has no --{name}; valid with {valid}", shown(operation));
                Err(Error::request(fault, format_args!("leave --{name} out")))
            }
        }
    }

    /// Refuses a modulus of what has none.
    fn check_no_modulus(&self) -> Result<(), Error> {
        let modulus = self.modulus.as_ref().map(|_| ("modulus", "mod"));
        match modulus.or(self.polynomial.as_ref().map(|_| ("polynomial", "gf2mod"))) {
            None => Ok(()),
            Some((option, more)) => {
                let fault = format!("{} takes no --{option}; valid: --bits 160", shown(&self.operation));
                Err(Error::request(fault, format_args!("operations with one: {more}{}", self.operation)))
            }
        }
    }

    /// The method asked for; `None` is the best.
    fn method(&self, operation: Operation) -> Result<Option<&'static Method>, Error> {
        match self.method.as_deref() {
            None => Ok(None),
            Some(name) if SEARCHES.contains(&name) => Ok(None),
            Some(given) => {
                let names: Vec<&str> = methods(operation).map(|method| method.name).chain(SEARCHES).collect();
                let name = own_name(given);
                let elsewhere: Vec<&str> =
                    METHODS.iter().filter(|own| own.name == name).map(|own| own.operation.name()).collect();
                let unknown = || match elsewhere.is_empty() {
                    true => {
                        let describe = "`rhomb list methods` describes them";
                        Error::unknown_among("method", given, (&names, &OTHER_NAMES), describe)
                    }
                    false => {
                        let (given, operation) = (shown(given), operation.name());
                        let fault =
                            format!("{operation} has no method '{given}'; valid: {}", names.join(", "));
                        Error::request(
                            fault,
                            format_args!("'{given}' is a method of {}", elsewhere.join(", ")),
                        )
                    }
                };
                method(operation, name).ok_or_else(unknown).map(Some)
            }
        }
    }

    /// The form asked for; `None` is the method's default.
    fn form(&self, operation: Operation, method: Option<&Method>) -> Result<Option<Form>, Error> {
        let Some(given) = self.form.as_deref() else { return Ok(None) };
        let has = |form: &Form| match method {
            Some(method) => method.forms.contains(form),
            None => methods(operation).any(|method| method.forms.contains(form)),
        };
        let forms: Vec<&str> = Form::ALL.iter().filter(|form| has(form)).map(|form| form.name()).collect();
        let hint = match (Form::named(given), method) {
            (Some(form), Some(own)) => {
                let others = methods(operation).filter(|other| other.forms.contains(&form));
                match others.map(|other| other.name).collect::<Vec<_>>().join(", ") {
                    others if others.is_empty() => format!("leave --form out for {}", own.forms[0].name()),
                    others => format!("methods with the form {given}: {others}"),
                }
            }
            (Some(_), None) => {
                format!("leave --form out: no method of {} has the form {given}", operation.name())
            }
            (None, _) => "unrolled code is fastest, looped code is smallest".to_owned(),
        };
        let known = Form::named(given).filter(|form| has(form));
        known.ok_or_else(|| Error::unknown("form", given, &forms, &hint)).map(Some)
    }
}

/// The way to add up products that was asked for, if the target has it.
fn accumulation(given: Option<&str>, target: &dyn Target) -> Result<Option<&'static str>, Error> {
    let Some(given) = given else { return Ok(None) };
    let ways = target.description().accumulations;
    let hint = "leave --accumulation out and the faster way is taken";
    if ways.is_empty() {
        let fault = format!("{} has one way to add up products; valid: no --accumulation", target.name());
        return Err(Error::request(fault, hint));
    }
    let names: Vec<&'static str> = ways.iter().map(|way| way.name).collect();
    let known = names.iter().copied().find(|name| *name == given);
    known.ok_or_else(|| Error::unknown("accumulation", given, &names, hint)).map(Some)
}

/// Other names of methods.
pub(crate) const OTHER_NAMES: [(&str, &str); 4] = [
    ("karatsuba", "split"),
    ("comba", "product-scanning"),
    ("schoolbook", "operand-scanning"),
    ("column-wise", "product-scanning"),
];

/// A method's own name.
fn own_name(name: &str) -> &str {
    let known = OTHER_NAMES.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
    known.map_or(name, |(_, own)| own)
}

/// Refuses parameters that the method does not have.
fn check_parameters(method: &Method, parameters: &Parameters) -> Result<(), Error> {
    for parameter in Parameter::ALL {
        if parameter.of(parameters).is_some() && !method.parameters.contains(&parameter) {
            let fault = format!(
                "method {} has no parameter --{}; valid: {}",
                method.name,
                parameter.name(),
                options(method.parameters)
            );
            let others: Vec<&str> = METHODS
                .iter()
                .filter(|other| other.operation == method.operation && other.parameters.contains(&parameter))
                .map(|other| other.name)
                .collect();
            let hint = match others.join(", ") {
                others if others.is_empty() => format!("leave --{} out", parameter.name()),
                others => format!("--{} belongs to {others}", parameter.name()),
            };
            return Err(Error::request(fault, hint));
        }
    }
    Ok(())
}

/// Refuses values below the least.
fn check_values(parameters: &Parameters) -> Result<(), Error> {
    for parameter in Parameter::ALL {
        if let Some(value) = parameter.of(parameters).filter(|value| *value < parameter.least()) {
            let (name, least) = (parameter.name(), parameter.least());
            let fault = format!("--{name} {value}; valid: {least} or more");
            return Err(Error::request(fault, format_args!("leave --{name} out and a good value is chosen")));
        }
    }
    Ok(())
}

/// Refuses more registers than any processor has, or none.
fn check_registers(bounds: &Bounds) -> Result<(), Error> {
    match bounds.registers.filter(|registers| !(1..=MOST_REGISTERS).contains(registers)) {
        None => Ok(()),
        Some(registers) => {
            let fault = format!("--registers {registers}; valid: 1 to {MOST_REGISTERS}");
            Err(Error::request(fault, "leave --registers out and all that there are may be used"))
        }
    }
}

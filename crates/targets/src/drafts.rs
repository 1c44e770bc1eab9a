//! Operations of fields on processors without a carry flag: lines of words behind products along walks, over both rings.

use super::{Code, FieldRoutine, LowerFault};
use rhomb_certificate::{Contract, Expression, Operation as Of};
use rhomb_field::polynomial::ways_by_products;
use rhomb_field::reduce::DIGITS;
use rhomb_field::reduce::{Way, ways_without_carry};
use rhomb_field::ways;
use rhomb_kernel::{Form, METHODS, Method, Operation, Parameter, Parameters, Shape, Task};
use rhomb_lower::draft::{Core, Fault, Kernel, Product, Ring, Routines, comb, roads, routine};

/// What hints say of what there is.
pub(super) const HINT: &str = "`rhomb list operations`; code of others is proved by `rhomb verify`";

/// Why a routine cannot be made.
pub(super) fn fault(error: Fault) -> LowerFault {
    match error {
        Fault::Registers { .. } => LowerFault::Registers(error.to_string()),
        Fault::Multiplier { .. } | Fault::Loops | Fault::Splits | Fault::Carryless => {
            LowerFault::Unmade(error.to_string())
        }
        Fault::Guard { .. } | Fault::Carry | Fault::Displacement | Fault::Instruction => {
            LowerFault::Other(error.to_string())
        }
    }
}

/// A routine, how it computes, and its form.
pub(super) type Made<I> = (&'static str, Form, Vec<I>);

/// Rows of the blocks of hybrid products that are tried where words of columns wait in registers.
const ROWS: std::ops::RangeInclusive<usize> = 3..=9;

/// Words of the operands of products by a table, which has an address for each digit: a shorter one is not worth it that
/// time tells of operands.
const BY_TABLE: usize = 6;

/// Ways whose last carries are not always shown to vanish.
const UNSURE: [&str; 4] = [DIGITS[0], DIGITS[1], "next-division", "signed-fold"];

/// A core for which routines are made.
pub(super) struct Fields<C>(pub(super) C);

impl<C: Routines> Fields<C> {
    fn accumulates(&self) -> bool {
        self.0.setting().abilities.accumulates()
    }

    /// The routines without those that are faster than the first one which is proved: that the last carry of some ways vanishes is
    /// not always shown where carries are comparisons.
    pub(super) fn proved(
        &self,
        mut made: Vec<Made<C::Instruction>>,
        is_proved: impl Fn(&[C::Instruction]) -> bool,
    ) -> Vec<Made<C::Instruction>> {
        if made.iter().all(|(method, ..)| !UNSURE.contains(method)) {
            return made;
        }
        made.sort_by_key(|(.., program)| self.0.cycles(program, true));
        match made.iter().position(|(.., program)| is_proved(program)) {
            Some(first) => made.split_off(first),
            None => made,
        }
    }

    /// Whether it has an instruction for products over GF(2).
    pub(super) fn is_carryless(&self) -> bool {
        self.0.setting().abilities.carryless
    }

    /// Whether it makes all that there are for a contract by itself.
    pub(super) fn makes_own(&self, contract: &Contract) -> bool {
        contract.expression() != Expression::Inverse && (contract.modular().is_some() || self.is_carryless())
    }

    /// All routines that keep a contract in straight lines or in loops.
    pub(super) fn routines(&self, contract: &Contract, form: Option<Form>) -> Vec<Made<C::Instruction>> {
        let words = contract.operands(32).first().map_or(0, |count| *count as usize);
        match contract.operation() {
            Of::Gf2Mul => self.products(Operation::Mul, words, form),
            Of::Gf2Sqr => self.products(Operation::Sqr, words, form),
            Of::Gf2Add if form == Some(Form::Looped) => {
                let task = Task::Chain { subtract: false, words, form: Form::Looped };
                let kernel = routine(&task, &self.0.over(Ring::BinaryPolynomials));
                kernel.into_iter().map(|kernel| ("word-by-word", Form::Looped, kernel.program)).collect()
            }
            _ if form == Some(Form::Looped) || contract.expression() == Expression::Inverse => Vec::new(),
            _ if contract.modular().is_some() => self.modular(contract, words),
            _ => self.modulo(contract, words),
        }
    }

    /// Products over GF(2), by a table where there is no instruction for them.
    fn products(&self, operation: Operation, words: usize, form: Option<Form>) -> Vec<Made<C::Instruction>> {
        // a straight line is faster
        let form = form.unwrap_or(Form::Unrolled);
        let walks = self.walks(operation, words, form, Ring::BinaryPolynomials);
        let walks = walks.into_iter().map(|(method, _, kernel)| (method, form, kernel.program));
        let table =
            (form == Form::Unrolled && operation == Operation::Mul).then(|| self.comb(words)).flatten();
        walks.chain(table.map(|kernel| ("comb", form, kernel.program))).collect()
    }

    fn comb(&self, words: usize) -> Option<Kernel<C::Instruction>> {
        (words == BY_TABLE && !self.is_carryless()).then(|| comb(words, &self.0).ok()).flatten()
    }

    /// Products along walks; a walk that this core has no code for, or that takes more registers than there are, is none.
    fn walks(
        &self,
        operation: Operation,
        words: usize,
        form: Form,
        ring: Ring,
    ) -> Vec<(&'static str, Task, Kernel<C::Instruction>)> {
        let methods =
            METHODS.iter().filter(|method| method.operation == operation && method.forms.contains(&form));
        let core = self.0.over(ring);
        let made = |(method, parameters): (&Method, Parameters)| {
            let task = method.task(&Shape { form, words, parameters: &parameters })?;
            let kernel = routine(&task, &core).ok()?;
            Some((method.name, task, kernel))
        };
        let parameters = |method: &Method| -> Vec<Parameters> {
            let waits = !self.accumulates() && form == Form::Unrolled;
            let blocks = waits && method.parameters == [Parameter::Rows];
            let of = |rows| Parameters { rows: Some(rows), ..Parameters::OPEN };
            let open = vec![Parameters::default()];
            if blocks { ROWS.take_while(|rows| *rows < words + 3).map(of).collect() } else { open }
        };
        let all = methods.flat_map(|method| parameters(method).into_iter().map(move |own| (method, own)));
        all.filter_map(made).collect()
    }

    /// The fastest of them.
    fn product(&self, operation: Operation, words: usize, ring: Ring) -> Option<Task> {
        let all = self.walks(operation, words, Form::Unrolled, ring);
        all.into_iter().min_by_key(|(.., kernel)| kernel.rank()).map(|(_, task, _)| task)
    }

    fn modular(&self, contract: &Contract, count: usize) -> Vec<Made<C::Instruction>> {
        let Some(modular) = contract.modular() else { return Vec::new() };
        let more = ways_without_carry(modular.operation, &modular.modulus.number(), 32);
        let is_tried = |way: &Way| !self.accumulates() || !DIGITS.contains(&way.method);
        let all = ways(contract, 32).into_iter().chain(more).filter(is_tried);
        let operation = match contract.expression() {
            Expression::Product => Operation::Mul,
            Expression::Square => Operation::Sqr,
            _ => return self.lines(all, None),
        };
        let task = self.product(operation, count, Ring::Integers);
        task.map_or_else(Vec::new, |task| self.lines(all, Some(Product::Task(&task, Ring::Integers))))
    }

    fn modulo(&self, contract: &Contract, count: usize) -> Vec<Made<C::Instruction>> {
        let Some(binary) = contract.binary() else { return Vec::new() };
        // words are moved by any number of places
        let by_shifts = |way: &Way| !way.method.starts_with("chained");
        let whole = self.lines(ways_by_products(binary, 32).into_iter(), None);
        let reductions = ways(contract, 32).into_iter().filter(by_shifts);
        let more = match contract.expression() {
            Expression::Product => {
                let table = (contract.operation() == Of::Gf2ModMul).then(|| self.comb(count)).flatten();
                let task = self.product(Operation::Mul, count, Ring::BinaryPolynomials);
                let product = task.as_ref().map(|task| Product::Task(task, Ring::BinaryPolynomials));
                let product = product.or(table.as_ref().map(Product::Routine));
                product.map_or_else(Vec::new, |product| self.lines(reductions, Some(product)))
            }
            _ => self.lines(reductions, None),
        };
        whole.into_iter().chain(more).collect()
    }

    /// The routines of lines; where there is none of one, there is another.
    fn lines(
        &self,
        all: impl Iterator<Item = Way>,
        product: Option<Product<'_, C::Instruction>>,
    ) -> Vec<Made<C::Instruction>> {
        let made = |Way { method, line }: Way| {
            let kernels = roads(&line, product, &self.0).unwrap_or_default();
            kernels.into_iter().flatten().map(move |kernel| (method, Form::Unrolled, kernel.program))
        };
        all.flat_map(made).collect()
    }
}

/// Routines as machine code.
///
/// # Errors
/// Where one of them cannot be encoded.
pub(super) fn encoded<C: Core, E>(
    made: Vec<Made<C::Instruction>>,
    code: impl Fn(&[C::Instruction]) -> Result<Code, E>,
) -> Result<Vec<FieldRoutine>, E> {
    let routine = |(method, form, program): Made<C::Instruction>| {
        Ok(FieldRoutine { code: code(&program)?, method, form })
    };
    made.into_iter().map(routine).collect()
}

//! Operations of fields on MIPS32: lines of words behind products along walks, over both rings.

use crate::lines::DIGITS;
use rhomb_certificate::{Contract, Expression, Operation as Of};
use rhomb_field::polynomial::ways_by_products;
use rhomb_field::reduce::{Way, ways_without_carry};
use rhomb_field::ways;
use rhomb_kernel::{Form, METHODS, Operation, Parameters, Shape, Task};
use rhomb_mips::Model;
use rhomb_mips::conventions::Convention;
use rhomb_mips::instructions::Instruction;
use rhomb_mips::lower::{Kernel, Product, Ring, comb, roads, routine_within};

/// A routine, how it computes, and its form.
pub(super) type Made = (&'static str, Form, Vec<Instruction>);

/// Words of the operands of products by a table, which has an address for each digit: a shorter one is not worth it that
/// time tells of operands.
const BY_TABLE: usize = 6;

pub(super) struct Fields<'a> {
    pub(super) model: &'a Model,
    pub(super) convention: &'static Convention,
}

impl Fields<'_> {
    /// All routines that keep a contract in straight lines or in loops.
    pub(super) fn routines(&self, contract: &Contract, form: Option<Form>) -> Vec<Made> {
        let words = contract.operands(32).first().map_or(0, |count| *count as usize);
        match contract.operation() {
            Of::Gf2Mul => self.products(Operation::Mul, words, form),
            Of::Gf2Sqr => self.products(Operation::Sqr, words, form),
            Of::Gf2Add if form == Some(Form::Looped) => {
                let task = Task::Chain { subtract: false, words, form: Form::Looped };
                let ring = Ring::BinaryPolynomials;
                let kernel = routine_within(&task, self.model, self.convention, ring, usize::MAX);
                kernel.into_iter().map(|kernel| ("word-by-word", Form::Looped, kernel.program)).collect()
            }
            _ if form == Some(Form::Looped) || contract.expression() == Expression::Inverse => Vec::new(),
            _ if contract.modular().is_some() => self.modular(contract, words),
            _ => self.modulo(contract, words),
        }
    }

    /// Products over GF(2), by a table where there is no instruction for them.
    fn products(&self, operation: Operation, words: usize, form: Option<Form>) -> Vec<Made> {
        // a straight line is faster
        let form = form.unwrap_or(Form::Unrolled);
        let walks = self.walks(operation, words, form, Ring::BinaryPolynomials);
        let walks = walks.into_iter().map(|(method, _, kernel)| (method, form, kernel.program));
        let table =
            (form == Form::Unrolled && operation == Operation::Mul).then(|| self.comb(words)).flatten();
        walks.chain(table.map(|kernel| ("comb", form, kernel.program))).collect()
    }

    fn comb(&self, words: usize) -> Option<Kernel> {
        let has_products = rhomb_mips::lower::Abilities::of(self.model).carryless.is_some();
        (words == BY_TABLE && !has_products).then(|| comb(words, self.model, self.convention).ok()).flatten()
    }

    /// Products along walks; a walk that this core has no code for, or that takes more registers than there are, is none.
    fn walks(
        &self,
        operation: Operation,
        words: usize,
        form: Form,
        ring: Ring,
    ) -> Vec<(&'static str, Task, Kernel)> {
        let methods =
            METHODS.iter().filter(|method| method.operation == operation && method.forms.contains(&form));
        let made = |method: &&rhomb_kernel::Method| {
            let task = method.task(&Shape { form, words, parameters: &Parameters::default() })?;
            let kernel = routine_within(&task, self.model, self.convention, ring, usize::MAX).ok()?;
            Some((method.name, task, kernel))
        };
        methods.filter_map(|method| made(&method)).collect()
    }

    /// The fastest of them.
    fn product(&self, operation: Operation, words: usize, ring: Ring) -> Option<Task> {
        let all = self.walks(operation, words, Form::Unrolled, ring);
        all.into_iter().min_by_key(|(.., kernel)| kernel.rank()).map(|(_, task, _)| task)
    }

    fn modular(&self, contract: &Contract, count: usize) -> Vec<Made> {
        let Some(modular) = contract.modular() else { return Vec::new() };
        let more = ways_without_carry(modular.operation, &modular.modulus.number(), 32);
        // that its last carry vanishes is not always shown where carries are comparisons
        let all = ways(contract, 32).into_iter().chain(more).filter(|way| !DIGITS.contains(&way.method));
        let operation = match contract.expression() {
            Expression::Product => Operation::Mul,
            Expression::Square => Operation::Sqr,
            _ => return self.lines(all, None),
        };
        let task = self.product(operation, count, Ring::Integers);
        task.map_or_else(Vec::new, |task| self.lines(all, Some(Product::Task(&task, Ring::Integers))))
    }

    fn modulo(&self, contract: &Contract, count: usize) -> Vec<Made> {
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
    fn lines(&self, all: impl Iterator<Item = Way>, product: Option<Product<'_>>) -> Vec<Made> {
        let made = |Way { method, line }: Way| {
            let kernels = roads(&line, product, self.model, self.convention).unwrap_or_default();
            kernels.into_iter().flatten().map(move |kernel| (method, Form::Unrolled, kernel.program))
        };
        all.flat_map(made).collect()
    }
}

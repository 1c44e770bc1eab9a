//! The list of all kernels.
//!
//! Every method, all sizes from 1 to 40 words, every parameter up to the register file; what fits there
//! is asked of the lowering and not known here (`limits` states it). Thinned out in two places: operand
//! scanning has four cache sizes, see [`SCANNING_CACHES`], and the free initial blocks of operand caching
//! do not come with every number of intermediates at once, see [`initial_blocks`]. Of strips and orders there is a
//! choice, see [`free_rows`].

use crate::matrix::routine::Routine;
use rhomb_avr::conventions::{AVR_GCC, Convention};
use rhomb_avr::cores::Core;
use rhomb_avr::lower::{Kernel, LowerError, routine};
use rhomb_kernel::{Form, List, Method, Operation, Order, Parameter, Parameters, Shape, Task, Walk, methods};
use std::collections::HashSet;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Largest size of which everything is tried.
pub(crate) const LARGEST: usize = 40;

/// Up to this size every parameter comes with every other; above by turns, so that each value still comes at each size.
pub(crate) fn everything() -> usize {
    rhomb_oracles::sample(5, 24)
}

/// Sizes above, with selected parameters.
pub(crate) const LARGE: [usize; 6] = [48, 64, 96, 128, 192, 256];

/// A method with a size and parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub(crate) method: &'static Method,
    pub(crate) words: usize,
    pub(crate) parameters: Parameters,
    pub(crate) form: Form,
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.form != Form::Unrolled {
            write!(f, "{} ", self.form.name())?;
        }
        write!(f, "{} {} of {} words", self.method.operation.name(), self.method.name, self.words)?;
        for parameter in Parameter::ALL {
            if let Some(value) = parameter.of(&self.parameters) {
                write!(f, ", {} {value}", parameter.name())?;
            }
        }
        let Parameters { strips, orders, .. } = &self.parameters;
        strips.iter().try_for_each(|strips| write!(f, ", strips {strips}"))?;
        orders.iter().try_for_each(|orders| write!(f, ", orders {orders}"))
    }
}

impl Request {
    pub(crate) fn new(name: &str, words: usize, parameters: Parameters) -> Self {
        Request::of(Operation::Mul, name, words, parameters)
    }

    pub(crate) fn of(operation: Operation, name: &str, words: usize, parameters: Parameters) -> Self {
        let method = rhomb_kernel::method(operation, name).unwrap_or_else(|| panic!("no method {name}"));
        Request { method, words, parameters, form: Form::Unrolled }
    }

    /// The kernel as a routine.
    pub(crate) fn routine(&self, core: &'static Core, kernel: &Kernel) -> Routine {
        self.routine_by(&AVR_GCC, core, kernel)
    }

    /// The same for any convention.
    pub(crate) fn routine_by(
        &self,
        convention: &'static Convention,
        core: &'static Core,
        kernel: &Kernel,
    ) -> Routine {
        let operands = self.method.operation.operands().len();
        Routine { operands, ..Routine::by(convention, core, self.words, kernel) }
    }

    /// A number that is the same for the same walk; for what is none, all of the request.
    fn walk(&self) -> u64 {
        let shape = Shape { form: self.form, words: self.words, parameters: &self.parameters };
        let mut hash = DefaultHasher::new();
        match self.method.task(&shape) {
            Some(Task::Multiplication(Walk { rows, pool, carry_once, .. })) => {
                (pool, carry_once).hash(&mut hash);
                for segment in rows.iter().flat_map(|row| &row.segments) {
                    (&segment.products, segment.finishes).hash(&mut hash);
                }
                let starts: Vec<_> = rows.iter().map(|row| (row.first_column, row.segments.len())).collect();
                starts.hash(&mut hash);
            }
            _ => self.parameters.hash(&mut hash),
        }
        hash.finish()
    }

    pub(crate) fn lower(&self, core: &'static Core) -> Result<Kernel, LowerError> {
        self.lower_by(&AVR_GCC, core)
    }

    /// The same for any convention.
    pub(crate) fn lower_by(
        &self,
        convention: &'static Convention,
        core: &'static Core,
    ) -> Result<Kernel, LowerError> {
        let shape = Shape { form: self.form, words: self.words, parameters: &self.parameters };
        let task = self.method.task(&shape).expect("a form of the method");
        let valid = match &task {
            Task::Multiplication(walk) => walk.validate(),
            Task::Squaring(squaring) => squaring.validate(),
            Task::LoopedMultiplication(_)
            | Task::LoopedSquaring(_)
            | Task::ScannedSquaring { .. }
            | Task::Chain { .. }
            | Task::Strips { .. }
            | Task::SoftwareProducts { .. }
            | Task::Split(_) => Ok(()),
        };
        assert_eq!(valid, Ok(()), "{self}");
        routine(&task, core, convention)
    }

    /// `None` where registers do not last; nothing else may stand in the way.
    pub(crate) fn fits(&self, core: &'static Core) -> Option<Kernel> {
        match self.lower(core) {
            Ok(kernel) => Some(kernel),
            Err(LowerError::Registers { .. }) => None,
            Err(error) => panic!("{self}: {error}"),
        }
    }

    /// A number that depends on all fields, the same in every run.
    pub(crate) fn seed(&self) -> u64 {
        let name = self.method.name.bytes().map(u64::from);
        let parameters =
            Parameter::ALL.iter().map(|it| it.of(&self.parameters).map_or(0, |at| at as u64 + 1));
        let strips = self.parameters.strips.iter().flat_map(|strips| strips.to_vec()).map(u64::from);
        let orders = self.parameters.orders.iter().flat_map(|orders| orders.to_vec());
        name.chain([self.words as u64])
            .chain(parameters)
            .chain(strips)
            .chain(orders.map(|order| order as u64 + 1))
            .fold(0xcbf2_9ce4_8422_2325, |hash, value| (hash ^ value).wrapping_mul(0x0100_0000_01b3))
    }

    /// One of `parts` parts of the list, evenly spread.
    pub(crate) fn part(&self, parts: u64) -> u64 {
        (self.seed() >> 20) % parts
    }
}

/// Cache sizes that are worth the time for operand scanning: few operands can be reused there.
const SCANNING_CACHES: [usize; 4] = [1, 2, 4, 10];

/// Free initial blocks of operand caching with the numbers of intermediates at once: none, and for each
/// cache all sides up to one row more than the method's own. Up to [`everything`] words each with 1, 2 and 3
/// intermediates at once; above with one of these by turns, of which all fit the cache.
fn initial_blocks(words: usize, cache: usize) -> impl Iterator<Item = (usize, usize)> {
    let own = words % cache;
    let pairs =
        (0..=words.min(own + cache)).flat_map(|block| (1..=3).map(move |carry_once| (block, carry_once)));
    pairs.filter(move |(block, carry_once)| words <= everything() || (block + words) % 3 + 1 == *carry_once)
}

/// Widths of the narrow strip of consecutive operand caching with the strips before it, from one on: the
/// method's own width in all places up to [`everything`] words, above in one by turns.
fn narrow_strips(words: usize, cache: usize) -> impl Iterator<Item = (usize, usize)> {
    let width = if words.is_multiple_of(cache) { 1 } else { words % cache };
    let most = words / cache;
    (1..=most)
        .filter(move |place| words <= everything() || *place == 1 + words % most)
        .map(move |place| (width, place))
}

/// Strips of many widths, and each row of columns in an order of its own.
fn free_rows(words: usize) -> Vec<Parameters> {
    let widths = |from: usize| {
        let mut left = words;
        let mut widths = Vec::new();
        for width in [3, 10, 1, 6, 14, 2, 9].into_iter().cycle().skip(from) {
            widths.push(left.min(width) as u8);
            left -= left.min(width);
            if left == 0 {
                return List::of(&widths);
            }
        }
        None
    };
    let orders = |from: usize| {
        let orders: Vec<Order> = Order::ALL.into_iter().cycle().skip(from).take(5).collect();
        List::of(&orders)
    };
    let set = |(cache, from): (usize, usize)| Parameters {
        cache: Some(cache),
        carry_once: Some(1 + from % 3),
        strips: widths(from),
        orders: orders(from),
        ..Parameters::OPEN
    };
    let whole = Order::ALL.into_iter().map(|order| Parameters {
        cache: Some(10),
        orders: List::of(&[order]),
        ..Parameters::OPEN
    });
    let free = [10, 9, 3].into_iter().flat_map(|cache| [words, words + 3].map(|from| (cache, from % 7)));
    free.map(set).chain(whole).collect()
}

/// More intermediates at once than the registers ever hold.
pub(crate) const MOST_CARRY_ONCE: usize = 22;

/// Parameters of squaring: every batch, and with rows every cache with each of three numbers of
/// intermediates at once.
fn squaring(method: &Method) -> Vec<Parameters> {
    let open = Parameters::default();
    let mut all: Vec<_> = (1..=6).map(|batch| Parameters { batch: Some(batch), ..open }).collect();
    if method.parameters.contains(&Parameter::Cache) {
        for cache in 1..=12 {
            for carry_once in 1..=3 {
                let batch = 1 + (cache + carry_once) % 3;
                for batch in [1, batch] {
                    all.push(Parameters {
                        cache: Some(cache),
                        carry_once: Some(carry_once),
                        batch: Some(batch),
                        ..open
                    });
                }
            }
        }
    }
    all
}

/// Every request for a method and a size of at most [`LARGEST`] words, those included that the register
/// file refuses.
pub(crate) fn list(method: &'static Method, words: usize) -> Vec<Request> {
    let open = Parameters::default();
    let caches = |limit| (1..=limit).map(|cache| Parameters { cache: Some(cache), ..open });
    let carry_once = 1..=words.clamp(3, MOST_CARRY_ONCE);
    // with everything left open, the method decides
    let mut parameters = vec![open];
    match method.name {
        _ if method.operation == Operation::Sqr => parameters.extend(squaring(method)),
        "product-scanning" => parameters.extend(caches(10)),
        "hybrid" => parameters.extend((1..=7).map(|rows| Parameters { rows: Some(rows), ..open })),
        "operand-scanning" => {
            for cache in SCANNING_CACHES {
                let with =
                    |carry_once| Parameters { cache: Some(cache), carry_once: Some(carry_once), ..open };
                parameters.extend(carry_once.clone().map(with));
            }
        }
        "consecutive-operand-caching" => {
            for cached in caches(10) {
                let cache = cached.cache.unwrap_or(1).min(words);
                let pairs = (0..=cache).flat_map(|block| (1..=3).map(move |c| (block, c)));
                let by_turns = |(block, carry_once): &(usize, usize)| {
                    words <= everything() || (block + cache + words) % 3 + 1 == *carry_once
                };
                for (block, carry_once) in pairs.filter(by_turns) {
                    let carry_once = Some(carry_once);
                    parameters.push(Parameters { carry_once, initial_block: Some(block), ..cached });
                }
                parameters.extend(narrow_strips(words, cache).map(|(block, place)| Parameters {
                    initial_block: Some(block),
                    narrow_strip: Some(place),
                    ..cached
                }));
                parameters.push(cached);
            }
        }
        "mixed-operand-caching" => {
            for cached in caches(10) {
                let cache = cached.cache.unwrap_or(1);
                // every side with some cache
                let blocks = (0..=words).filter(|block| words <= 16 || (block + cache) % 5 == 0);
                parameters.extend(blocks.map(|block| Parameters { initial_block: Some(block), ..cached }));
                parameters.extend((1..=3).map(|value| Parameters { carry_once: Some(value), ..cached }));
                parameters.extend((1..=2).map(|place| Parameters { narrow_strip: Some(place), ..cached }));
            }
        }
        "operand-caching" => {
            for cached in caches(10) {
                let with = |carry_once| Parameters { carry_once: Some(carry_once), ..cached };
                // each of the large groups with some caches
                let by_turns = |group: &usize| {
                    let cache = cached.cache.unwrap_or(1);
                    words <= everything() || *group <= 3 || (words + cache + group).is_multiple_of(4)
                };
                parameters.extend(carry_once.clone().filter(by_turns).map(with));
                let blocks = initial_blocks(words, cached.cache.unwrap_or(1));
                parameters.extend(blocks.map(|(block, carry_once)| Parameters {
                    initial_block: Some(block),
                    ..with(carry_once)
                }));
            }
        }
        other => panic!("{other} is not in the matrix"),
    }
    if method.free_rows {
        parameters.extend(free_rows(words));
    }
    parameters
        .into_iter()
        .map(|parameters| Request { method, words, parameters, form: Form::Unrolled })
        .collect()
}

/// The requests of the list that the registers allow, lowered one at a time; of those that are the same walk, the
/// first.
pub(crate) fn kernels(
    method: &'static Method,
    words: usize,
    core: &'static Core,
) -> impl Iterator<Item = (Request, Kernel)> {
    let mut seen = HashSet::new();
    let distinct = list(method, words).into_iter().filter(move |request| seen.insert(request.walk()));
    distinct.filter_map(move |request| Some((request, request.fits(core)?)))
}

/// Of those, the ones that bring a value of a parameter that none before has, and all with strips of their own.
#[cfg(feature = "oracles")]
pub(crate) fn cover(
    method: &'static Method,
    words: usize,
    core: &'static Core,
) -> impl Iterator<Item = (Request, Kernel)> {
    let mut seen = HashSet::new();
    list(method, words).into_iter().filter_map(move |request| {
        let value = |(at, it): (usize, &Parameter)| (at, it.of(&request.parameters));
        let values: Vec<_> = Parameter::ALL.iter().enumerate().map(value).collect();
        let is_new = request.parameters.strips.is_some() || values.iter().any(|value| !seen.contains(value));
        // what the registers do not hold brings nothing
        let kernel = is_new.then(|| request.fits(core)).flatten()?;
        seen.extend(values);
        Some((request, kernel))
    })
}

/// The kernels of a size above [`LARGEST`] words: a third of them by turns, or all where `./test --all` runs.
pub(crate) fn large(words: usize) -> Vec<Request> {
    let default = Parameters::default();
    let mut requests = Vec::new();
    let mut push = |name, parameters| requests.push(Request::new(name, words, parameters));
    for cache in [1, 4, 10] {
        push("product-scanning", Parameters { cache: Some(cache), ..default });
    }
    for rows in [1, 4, 7] {
        push("hybrid", Parameters { rows: Some(rows), ..default });
    }
    for (cache, carry_once) in [(1, 1), (1, 2), (1, 19), (4, 4)] {
        push("operand-scanning", Parameters { cache: Some(cache), carry_once: Some(carry_once), ..default });
    }
    for (cache, carry_once) in [(1, 3), (2, 2), (4, 2), (8, 2), (9, 3), (10, 1), (10, 2)] {
        push("operand-caching", Parameters { cache: Some(cache), carry_once: Some(carry_once), ..default });
    }
    for block in [0, 12, 15] {
        push("operand-caching", Parameters { cache: Some(10), initial_block: Some(block), ..default });
    }
    for batch in [1, 2] {
        for name in ["product-scanning", "operand-caching"] {
            requests.push(Request::of(
                Operation::Sqr,
                name,
                words,
                Parameters { batch: Some(batch), ..default },
            ));
        }
    }
    let turn = |number: usize| (number + words / 16).is_multiple_of(rhomb_oracles::sample(10, 1));
    (0..).zip(requests).filter(|(number, _)| turn(*number)).map(|(_, own)| own).collect()
}

/// Whether a method of this number has its turn at a size: at each up to [`everything`] words, and at a twelfth of those
/// above, or at all where `./test --all` runs.
pub(crate) fn has_turn(number: usize, words: usize) -> bool {
    words <= everything() || (number + words).is_multiple_of(rhomb_oracles::sample(24, 1))
}

/// Every (method, size) up to [`LARGEST`] words that [`has_turn`], the dearest first.
pub(crate) fn sizes() -> Vec<(&'static Method, usize)> {
    [sizes_of(Operation::Mul), sizes_of(Operation::Sqr)].concat()
}

/// The same for an operation.
pub(crate) fn sizes_of(operation: Operation) -> Vec<(&'static Method, usize)> {
    // splits, which are no straight line, have a test of their own
    let straight = |method: &&Method| method.forms.contains(&Form::Unrolled) && method.name != "split";
    let unrolled = methods(operation).filter(straight).enumerate();
    let turns = |number| (1..=LARGEST).filter(move |words| has_turn(number, *words));
    let mut sizes: Vec<_> =
        unrolled.flat_map(|(number, method)| turns(number).map(move |words| (method, words))).collect();
    sizes.sort_by_key(|(method, words)| std::cmp::Reverse((*words, method.parameters.len())));
    sizes
}

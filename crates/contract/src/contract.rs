use crate::any_modulus::{ANY, AnyModulus};
use crate::big_endian::BigEndian;
use crate::binary::Binary;
use crate::bound::{Bound, Bounds};
use crate::computation::Computation;
use crate::error::{ContractError, short};
use crate::limbs::Limbs;
use crate::modular::Modular;
use crate::modulus::Modulus;
use crate::operation::{Expression, Factor, Family, Operation, Term};
use crate::pattern::{APART, EXCHANGED, IN_FIRST, IN_PLACE, KEPT, Pattern, in_place};
use crate::prototype::{Argument, Named, Prototype, Returned};
use crate::whole::Whole;
use num_bigint::{BigInt, BigUint};
use rhomb_machine::{Access, Arguments, Buffer, Passed};
use std::fmt;
use std::str::FromStr;

/// A contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Contract {
    /// What is computed.
    pub computation: Computation,
    /// What operands and result lie below; without a bound an operand is any number of its words.
    pub bounds: Bounds,
    /// Limbs where these are no full words.
    pub limbs: Option<Limbs>,
    /// Which numbers have the highest byte, or limb, first.
    pub big_endian: BigEndian,
    /// How the function takes its arguments, and what it returns.
    pub prototype: Prototype,
}

/// Why a contract makes no sense with words of some bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// The workspace is too short for the numbers in it.
    Overlap,
    /// Limbs do not lie in whole words; signed ones lie in more than one.
    Limbs,
    /// A shift is by as many bits as a word has, or more.
    Distance,
    /// An argument by value, or what is returned, is shorter than a word.
    Number,
}

const WORKSPACE: &str = "w";
/// The name of the buffer that holds the modulus.
const MODULUS: &str = "p";

impl From<Computation> for Contract {
    fn from(computation: Computation) -> Self {
        Contract {
            computation,
            bounds: Bounds::default(),
            limbs: None,
            big_endian: BigEndian::default(),
            prototype: Prototype::default(),
        }
    }
}

impl From<Modular> for Contract {
    fn from(modular: Modular) -> Self {
        Computation::Modular(modular).into()
    }
}

impl From<AnyModulus> for Contract {
    fn from(any: AnyModulus) -> Self {
        Computation::AnyModulus(any).into()
    }
}

impl FromStr for Contract {
    type Err = ContractError;

    /// Grammar: an operation, its size, sizes, modulus or polynomial, and bounds, separated by blanks; then the arguments in
    /// parentheses and what is returned behind an arrow, each of which may be missing; see docs/contracts.md.
    fn from_str(text: &str) -> Result<Self, ContractError> {
        let (head, prototype) = Prototype::cut(text);
        let mut words = head.split_ascii_whitespace();
        let named = words.next().and_then(Operation::named);
        let operation = named.ok_or_else(|| ContractError::Operation(short(text)))?;
        let words: Vec<&str> = words.collect();
        let mut contract = match (operation.family(), words.as_slice()) {
            (Family::Modular, [ANY, behind @ ..]) => Contract::from(AnyModulus::parse(operation, behind)?),
            (Family::Binary | Family::BinaryModular, words) => {
                Computation::Binary(Binary::parse(operation, words)?).into()
            }
            (family, words) => {
                let (big_endian, words) = BigEndian::cut(operation, words)?;
                let (limbs, words) = Limbs::cut(words.as_slice(), operation.operands())?;
                let (computation, bounds) = match family {
                    Family::Whole => Contract::parse_whole(operation, &words)?,
                    _ => Modular::parse(operation, &words)
                        .map(|(modular, bounds)| (Computation::Modular(modular), bounds))?,
                };
                if limbs.is_some() && bounds.result.is_some() {
                    return Err(ContractError::BoundOfLimbs);
                }
                // no bound says how far below zero a number is
                let is_signed = limbs.is_some_and(|own| own.is_signed());
                if is_signed && bounds.operands[..2].iter().any(Option::is_some) {
                    return Err(ContractError::BoundOfSigned);
                }
                let own = Contract { bounds, limbs, big_endian, ..computation.into() };
                own.takes_limbs()
                    .then_some(own)
                    .ok_or_else(|| ContractError::NoLimbs(operation.name().to_owned()))?
            }
        };
        let is_plain = contract.any_modulus().is_some() || operation.expression().results() > 1;
        if is_plain && !prototype.is_empty() {
            return Err(ContractError::Behind(short(prototype)));
        }
        let named = Named {
            operands: contract.names(),
            is_result: &|index| contract.is_result(index),
            by_value: &|index| contract.by_value(index),
            has_result: contract.has_result(),
            has_modulus: contract.modular().is_some(),
            has_carry: contract.has_carry(),
            has_word: contract
                .own_whole()
                .is_some_and(|own| own.takes_word() && own.operation == Operation::Mul),
        };
        contract.prototype = Prototype::parse(prototype, &named)?;
        Ok(contract)
    }
}

impl fmt::Display for Contract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.computation {
            Computation::Whole(whole) => {
                whole.fmt(f)?;
                self.print_places(f)?;
                self.bounds.print_operands(self.names(), f)?;
                self.bounds.print_result(f)?;
            }
            Computation::Modular(modular) => {
                modular.fmt(f)?;
                self.print_places(f)?;
                modular.print(&self.bounds, f)?;
            }
            Computation::AnyModulus(any) => any.fmt(f)?,
            Computation::Binary(binary) => binary.fmt(f)?,
        }
        self.prototype.print(self.names(), f)
    }
}

impl Contract {
    /// Prints how numbers lie in memory.
    fn print_places(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.big_endian)?;
        self.limbs.iter().try_for_each(|limbs| limbs.print(self.operation().operands(), f))
    }

    /// Whether there are none, or the operation is one on limbs: a result that is told modulo a power of two has no limbs, and neither
    /// have several numbers, or a word by value.
    fn takes_limbs(&self) -> bool {
        let Some(limbs) = self.limbs else { return true };
        match (&self.computation, self.expression()) {
            (Computation::Modular(_), expression) => expression.results() == 1,
            (Computation::Whole(whole), expression) => match expression {
                _ if whole.takes_word() || whole.distance() > 0 => false,
                Expression::Product | Expression::Square | Expression::Sum => {
                    whole.operation != Operation::MulLow
                }
                Expression::Value | Expression::Choice | Expression::SumIf => true,
                Expression::Difference | Expression::Negation | Expression::DifferenceIf => limbs.is_signed(),
                // limbs are compared one by one
                own => own.is_comparison() && limbs.is_canonical(),
            },
            _ => false,
        }
    }

    fn parse_whole(operation: Operation, words: &[&str]) -> Result<(Computation, Bounds), ContractError> {
        let sizes = words.iter().take_while(|word| !word.contains('<')).count();
        let (sizes, conditions) = words.split_at(sizes);
        let whole = Whole::parse(operation, sizes)?;
        let mut bounds = Bounds::default();
        let names = operation.operands();
        for condition in conditions {
            let bound = condition.split_once('<').filter(|(name, _)| *name == "r" || names.contains(name));
            let Some(bound) = bound else {
                let valid: Vec<String> = names.iter().map(|name| format!("{name}<2^BITS")).collect();
                let valid = format!("{}, r<2^BITS", valid.join(", "));
                return Err(ContractError::Condition { given: short(condition), valid });
            };
            bounds.take(names, bound, false)?;
        }
        Ok((Computation::Whole(whole), bounds))
    }

    /// The contract of an operation on whole numbers of one size.
    pub fn whole(operation: Operation, size: u32) -> Self {
        Computation::Whole(Whole::new(operation, size)).into()
    }

    /// What is computed.
    pub fn operation(&self) -> Operation {
        self.computation.operation()
    }

    /// The size of operand `a`, or of the modulus; for one over GF(2) its degree.
    pub fn bits(&self) -> u32 {
        match &self.computation {
            Computation::Whole(whole) => whole.a,
            Computation::Modular(modular) => modular.modulus.bits(),
            Computation::AnyModulus(any) => any.bits,
            Computation::Binary(binary) => binary.bits(),
        }
    }

    /// Words of a number of [`Contract::bits`].
    fn words(&self, word_bits: u32) -> u32 {
        self.count(self.bits(), word_bits)
    }

    /// Words of a number of so many bits, in limbs where there are some.
    fn count(&self, bits: u32, word_bits: u32) -> u32 {
        let of_limbs = |limbs: Limbs| limbs.count(bits) * limbs.words_of_each(word_bits) as u32;
        self.limbs.map_or(bits.div_ceil(word_bits), of_limbs)
    }

    /// Whether an operand, or else the result, lies in memory with the highest byte or limb first.
    pub fn is_turned(&self, operand: Option<usize>) -> bool {
        match operand {
            Some(operand) => self.big_endian.operands && !self.by_value(operand),
            None => self.big_endian.result,
        }
    }

    /// How many numbers the result is, one behind the other in memory.
    pub fn numbers(&self) -> usize {
        if self.changes_operands() { 2 } else { self.expression().results() as usize }
    }

    /// The words of an operand, or else of the result, as they lie in memory, from those of its number, the lowest first; or these from
    /// those in memory.
    pub fn turned(&self, word_bits: u32, operand: Option<usize>, words: &[u64]) -> Vec<u64> {
        let numbers = if operand.is_none() { self.numbers() } else { 1 };
        match self.is_turned(operand) {
            true => BigEndian::turned(words, words.len() / numbers, word_bits, self.limbs.as_ref()),
            false => words.to_vec(),
        }
    }

    /// The exponent of the weight of a word.
    pub fn weight(&self, word_bits: u32, index: usize) -> u32 {
        let of_limbs = |limbs: Limbs| {
            let each = limbs.words_of_each(word_bits);
            limbs.weight(index / each) + word_bits * (index % each) as u32
        };
        self.limbs.map_or(word_bits * index as u32, of_limbs)
    }

    /// The largest word at a place of an operand.
    pub fn most(&self, word_bits: u32, operand: usize, index: usize) -> u64 {
        let ones = u64::MAX >> (64 - word_bits);
        let Some(limbs) = self.limbs else { return ones };
        let each = limbs.words_of_each(word_bits);
        let limb = self.most_of_limb(&limbs, word_bits, operand, index / each);
        (limb >> (word_bits * (index % each) as u32)).min(ones)
    }

    /// The largest limb at a place of an operand: none counts more than the whole number.
    fn most_of_limb(&self, limbs: &Limbs, word_bits: u32, operand: usize, index: usize) -> u64 {
        let bound = self.bound(operand, word_bits);
        let whole = bound.map(|bound| (bound - 1u8) >> limbs.weight(index) as usize);
        let whole = whole.and_then(|most| u64::try_from(most).ok()).unwrap_or(u64::MAX);
        limbs.most(operand, index).min(whole)
    }

    /// The number that words make, the lowest first.
    pub fn number(&self, word_bits: u32, words: &[u64]) -> BigInt {
        match self.limbs {
            Some(limbs) => limbs.number(&limbs.joined(word_bits, words)),
            None => words.iter().rev().fold(BigInt::ZERO, |sum, word| (sum << word_bits as usize) + *word),
        }
    }

    /// Words of the operands.
    pub fn operands(&self, word_bits: u32) -> Vec<u32> {
        match &self.computation {
            Computation::Whole(whole) => whole.operands(|bits| self.count(bits, word_bits)),
            Computation::AnyModulus(any) => any.operands(word_bits),
            Computation::Modular(Modular { factor: Some(_), .. }) => vec![self.words(word_bits)],
            _ => self.operation().operand_words(self.words(word_bits)),
        }
    }

    /// Names of the operands, in the order of the arguments behind the result.
    pub fn names(&self) -> &'static [&'static str] {
        match (&self.computation, self.expression()) {
            (Computation::AnyModulus(_), Expression::Square | Expression::Value) => &["a", WORKSPACE],
            (Computation::AnyModulus(_), _) => &["a", "b", WORKSPACE],
            (_, expression) => expression.operands(),
        }
    }

    /// Whether an operand is what the result's words were at the call, and so no argument of its own.
    fn is_result(&self, operand: usize) -> bool {
        operand == 0 && matches!(self.expression(), Expression::Accumulated | Expression::Reduced)
    }

    /// Whether an operand is a word that is given by value, and so lies in no memory.
    pub fn by_value(&self, operand: usize) -> bool {
        operand + 1 == self.names().len()
            && (self.expression().has_bit() || self.own_whole().is_some_and(Whole::takes_word))
    }

    /// Whether the result lies in a place of its own: it is no operand that is changed, and not only returned.
    fn has_result(&self) -> bool {
        !self.changes_operands() && !self.expression().is_comparison()
    }

    /// Whether any operand may be overwritten whose value nobody asks for afterwards.
    pub fn spoils_operands(&self) -> bool {
        (0..self.names().len()).any(|operand| self.spoils(operand))
    }

    /// Whether an operand may be overwritten.
    fn spoils(&self, operand: usize) -> bool {
        let spoiled = Argument::Spoiled(operand as u8);
        self.prototype.arguments().is_some_and(|mut list| list.any(|own| own == spoiled))
    }

    /// Whether the operands are what is changed.
    fn changes_operands(&self) -> bool {
        self.expression() == Expression::Exchange
    }

    /// The words of the result, in the buffers of a call.
    pub fn result_of<'a, W>(&self, buffers: &'a [Vec<W>]) -> impl Iterator<Item = &'a W> + Clone {
        let count = match self.has_result() {
            true => 1,
            false if self.changes_operands() => 2,
            false => 0,
        };
        buffers.iter().take(count).flatten()
    }

    fn own_whole(&self) -> Option<&Whole> {
        match &self.computation {
            Computation::Whole(whole) => Some(whole),
            _ => None,
        }
    }

    /// What the result is compared with, but for [`Contract::times`].
    pub fn expression(&self) -> Expression {
        self.computation.expression()
    }

    /// The number that terms of the expression with this operand first are multiplied by: 1, a factor that is written into the code, how often
    /// an operand counts, or a power of two.
    pub fn times(&self, operand: usize) -> u32 {
        match &self.computation {
            Computation::Whole(whole) if whole.operation == Operation::Shl => 1 << whole.distance(),
            Computation::Modular(modular) if modular.operation.factor() == Factor::Double => 2,
            Computation::Modular(Modular { factor, weights, .. }) => {
                factor.or(weights.get(operand).copied()).unwrap_or(1)
            }
            _ => 1,
        }
    }

    /// The number that a term of the expression is multiplied by: see [`Contract::times`].
    pub fn times_of(&self, term: &Term) -> u32 {
        term.operands.first().map_or(1, |operand| self.times(*operand))
    }

    /// The operation and its modulus, where there is one.
    pub fn modular(&self) -> Option<&Modular> {
        match &self.computation {
            Computation::Modular(modular) => Some(modular),
            _ => None,
        }
    }

    /// The operation modulo an argument, if it is one.
    pub fn any_modulus(&self) -> Option<&AnyModulus> {
        match &self.computation {
            Computation::AnyModulus(any) => Some(any),
            _ => None,
        }
    }

    /// The operation on polynomials over GF(2), if it is one: then sums and products of
    /// [`Contract::expression`] are those of polynomials.
    pub fn binary(&self) -> Option<&Binary> {
        match &self.computation {
            Computation::Binary(binary) => Some(binary),
            _ => None,
        }
    }

    /// Whether the result is to be below the modulus.
    pub fn is_canonical(&self) -> bool {
        self.bounds.result == Some(Bound::MODULUS)
    }

    /// The number below which an operand is, where that is less than what its words hold.
    pub fn bound(&self, operand: usize, word_bits: u32) -> Option<BigUint> {
        let own = self.own_whole().and_then(|whole| whole.own_bound(operand));
        let bound = own.or_else(|| self.bounds.operands.get(operand).copied().flatten())?;
        let words = self.operands(word_bits)[operand];
        self.below(bound, words, word_bits)
    }

    /// The same of a number in full words: a bound of limbs says no more than [`Contract::most`], and one of turned bytes nothing of words.
    pub fn bound_of_words(&self, operand: usize, word_bits: u32) -> Option<BigUint> {
        let in_words = self.limbs.is_none() && !self.has_turned_bytes(Some(operand), word_bits);
        self.bound(operand, word_bits).filter(|_| in_words)
    }

    /// Whether bytes of words, not only words or limbs, stand the other way round in memory.
    pub fn has_turned_bytes(&self, operand: Option<usize>, word_bits: u32) -> bool {
        self.is_turned(operand) && self.limbs.is_none() && word_bits > 8
    }

    /// Whether words in memory are an operand that a caller may give.
    fn grants(&self, word_bits: u32, operand: usize, words: &[u64]) -> bool {
        let words = self.turned(word_bits, Some(operand), words);
        let is_small = self.limbs.is_none_or(|limbs| {
            let own = limbs.joined(word_bits, &words);
            let most = |at| self.most_of_limb(&limbs, word_bits, operand, at);
            own.into_iter().enumerate().all(|(at, limb)| limbs.value(limb).unsigned_abs() <= most(at))
        });
        let is_below = |bound: BigUint| self.number(word_bits, &words) < bound.into();
        is_small && self.bound(operand, word_bits).is_none_or(is_below)
    }

    /// The operands of a call: those that lie in one place are one of them, or 0, which keeps the bounds of all.
    pub fn fitting(&self, word_bits: u32, pattern: &Pattern, operands: &[Vec<u64>]) -> Vec<Vec<u64>> {
        let mut fitting = operands.to_vec();
        if let [first, _, ..] = pattern.result_on {
            let here = || pattern.result_on.iter().copied();
            let is_granted = |words: &&Vec<u64>| here().all(|own| self.grants(word_bits, own, words));
            let own = here().map(|own| &operands[own]).find(is_granted);
            let own = own.cloned().unwrap_or_else(|| vec![0; operands[*first].len()]);
            here().for_each(|operand| fitting[operand] = own.clone());
        }
        fitting
    }

    /// The number below which the result is to be, likewise.
    pub fn result_bound(&self, word_bits: u32) -> Option<BigUint> {
        self.below(self.bounds.result?, self.result(word_bits), word_bits)
    }

    fn below(&self, bound: Bound, words: u32, word_bits: u32) -> Option<BigUint> {
        let modulus: Option<&Modulus> = self.modular().map(|modular| &modular.modulus);
        let number = bound.number(modulus, self.radix(word_bits))?;
        (number.bits() <= u64::from(words * word_bits)).then_some(number)
    }

    /// Why it makes no sense with words of so many bits, if it makes none.
    pub fn misfit(&self, word_bits: u32) -> Option<Misfit> {
        let fits = |limbs: &Limbs| match limbs.is_signed() {
            true => limbs.word_bits() == word_bits,
            false => limbs.word_bits().is_multiple_of(word_bits),
        };
        let is_short = |bits: Option<u8>| bits.is_some_and(|bits| u32::from(bits) < word_bits);
        let is_short_argument = |own| matches!(own, Argument::Value { bits, .. } if is_short(bits));
        let mut arguments = self.prototype.arguments().into_iter().flatten();
        if self.any_modulus().is_some_and(|any| !any.fits(word_bits)) {
            Some(Misfit::Overlap)
        } else if self.limbs.is_some_and(|limbs| !fits(&limbs)) {
            Some(Misfit::Limbs)
        } else if self.own_whole().is_some_and(|whole| whole.distance() >= word_bits) {
            Some(Misfit::Distance)
        } else if is_short(self.prototype.returned_bits) || arguments.any(is_short_argument) {
            Some(Misfit::Number)
        } else {
            None
        }
    }

    /// By how many bits the result is moved up before it is compared: for a division by R, or by a power of two.
    pub fn shift(&self, word_bits: u32) -> u32 {
        self.operation().shift(self.radix(word_bits)) + self.rest()
    }

    /// The exponent of R.
    pub fn radix(&self, word_bits: u32) -> u32 {
        self.weight(word_bits, self.words(word_bits) as usize)
    }

    /// By how many bits the expression is moved up: where it is multiplied by R.
    pub fn raise(&self, word_bits: u32) -> u32 {
        self.operation().raise(self.radix(word_bits))
    }

    /// How many of the lowest bits of the first operand are left out before the result is compared.
    pub fn rest(&self) -> u32 {
        match self.own_whole() {
            Some(whole) if whole.operation == Operation::Shr => whole.distance(),
            _ => 0,
        }
    }

    /// Words of the result.
    pub fn result(&self, word_bits: u32) -> u32 {
        match &self.computation {
            Computation::Whole(whole) => {
                whole.result(|bits| self.count(bits, word_bits))
                    + u32::from(self.returned() == Returned::Result)
            }
            _ => self.operation().result_words(self.words(word_bits) as usize) as u32,
        }
    }

    /// Words of each of the numbers that the result is made of.
    pub fn words_of_each(&self, word_bits: u32) -> u32 {
        self.result(word_bits) / self.expression().results()
    }

    /// The buffers of a call: the result, then the operands that lie in memory, which hold `operands`: see
    /// [`Pattern::fitting`].
    pub fn buffers<W: Clone>(
        &self,
        word_bits: u32,
        pattern: &Pattern,
        operands: &[Vec<W>],
    ) -> Vec<Buffer<W>> {
        let result = Buffer {
            name: "r",
            length: self.result(word_bits),
            content: pattern.result_on.first().and_then(|operand| operands.get(*operand).cloned()),
            access: Access::Store,
            shares: None,
        };
        let operand = |(index, (name, words)): (usize, (&'static str, &Vec<W>))| Buffer {
            name,
            length: words.len() as u32,
            content: Some(words.clone()),
            access: match name == WORKSPACE
                || pattern.result_on.contains(&index)
                || self.changes_operands()
                || self.spoils(index)
            {
                true => Access::Store,
                false => Access::Load,
            },
            shares: pattern.result_on.contains(&index).then_some(0),
        };
        let named = self.names().iter().copied().zip(operands).enumerate();
        let operands = named.filter(|(index, _)| !self.by_value(*index)).map(operand);
        self.has_result().then_some(result).into_iter().chain(operands).collect()
    }

    /// Words of the number that is returned.
    pub fn returned_words(&self, word_bits: u32) -> u32 {
        self.prototype.returned_bits.map_or(1, |bits| u32::from(bits).div_ceil(word_bits))
    }

    /// The arguments of a call, and the buffers to which they point: as [`Contract::buffers`], and behind those the modulus
    /// where it is an argument. `word` makes a word that holds a number; `negative` the two's complement of a word.
    pub fn arguments<W: Clone>(
        &self,
        word_bits: u32,
        pattern: &Pattern,
        operands: &[Vec<W>],
        mut word: impl FnMut(Word<'_, W>) -> W,
    ) -> Arguments<W> {
        let mut buffers = self.buffers(word_bits, pattern, operands);
        let words_of =
            |bits: Option<u8>| bits.map_or(1, |bits| usize::from(bits).div_ceil(word_bits as usize));
        let default = || {
            let own = (0..operands.len()).filter(|index| !self.is_result(*index));
            let own = own.map(|index| Argument::Operand(index as u8));
            let result = self.has_result().then_some(Argument::Result(None));
            result.into_iter().chain(own).collect::<Vec<Argument>>()
        };
        let list = self.prototype.arguments().map_or_else(default, |list| list.collect());
        let mut passed = Vec::new();
        for argument in list {
            passed.push(match argument {
                Argument::Result(_) => Passed::Pointer(0),
                Argument::Spoiled(index) => {
                    Passed::Pointer(usize::from(self.has_result()) + usize::from(index))
                }
                Argument::Operand(index) => match self.by_value(index.into()) {
                    true => Passed::Words(operands[usize::from(index)].clone()),
                    false => Passed::Pointer(usize::from(self.has_result()) + usize::from(index)),
                },
                Argument::Value { operand, is_negative, bits } => {
                    let own = &operands[usize::from(operand)];
                    let (lowest, above) = match is_negative {
                        true => own
                            .iter()
                            .map(|own| word(Word::Negative(own)))
                            .map(|own| (own.clone(), own))
                            .unzip(),
                        false => (own.clone(), vec![word(Word::Number(0))]),
                    };
                    Passed::Words(
                        lowest.into_iter().chain(above.into_iter().cycle()).take(words_of(bits)).collect(),
                    )
                }
                Argument::Modulus => {
                    let (words, _) = self.digits(word_bits);
                    passed_modulus(&mut buffers, words.into_iter().map(|digit| word(Word::Number(digit))))
                }
                Argument::Inverse => {
                    let (_, lowest) = self.digits(word_bits);
                    let inverse = lowest.map_or(0, negative_inverse);
                    let words = match &self.limbs {
                        Some(limbs) => limbs.parted(word_bits, &[inverse & ((1 << limbs.weight(1)) - 1)]),
                        None => vec![inverse & (u64::MAX >> (64 - word_bits))],
                    };
                    Passed::Words(words.into_iter().map(|own| word(Word::Number(own))).collect())
                }
                Argument::Words => {
                    let words = self.operands(word_bits).get(usize::from(self.is_result(0))).copied();
                    let each = self.limbs.map_or(1, |limbs| limbs.words_of_each(word_bits) as u32);
                    Passed::Number(words.unwrap_or_default() / each)
                }
                Argument::Number(number) => Passed::Number(number),
                Argument::Ignored => Passed::Nothing,
            });
        }
        Arguments { buffers, passed, returned: self.returned_words(word_bits) }
    }

    /// The words of the modulus as they lie in memory, and its lowest word or limb; none where there is none.
    fn digits(&self, word_bits: u32) -> (Vec<u64>, Option<u64>) {
        let digits = |modular: &Modular| match self.limbs {
            Some(limbs) => limbs.split(&modular.modulus.number(), limbs.count(self.bits())),
            None => modular.modulus.digits(word_bits),
        };
        let digits = self.modular().map(digits).unwrap_or_default();
        let words = self.limbs.map_or_else(|| digits.clone(), |limbs| limbs.parted(word_bits, &digits));
        (self.turned(word_bits, Some(0), &words), digits.first().copied())
    }

    fn has_carry(&self) -> bool {
        let is_word = self.own_whole().is_some_and(Whole::takes_word);
        is_word || self.operation().has_carry() && (self.limbs.is_none() || self.expression().is_comparison())
    }

    /// What is returned.
    pub fn returned(&self) -> Returned {
        let is_word = self.own_whole().is_some_and(Whole::takes_word);
        let own = match is_word || self.operation().returns_carry() && self.has_carry() {
            true => Returned::Carry,
            false => Returned::Void,
        };
        self.prototype.returned.unwrap_or(own)
    }

    /// Whether a carry or borrow is returned, or its two's complement.
    pub fn returns_carry(&self) -> bool {
        matches!(self.returned(), Returned::Carry | Returned::Mask)
    }

    /// Where the result, with what is returned, determines the value only up to multiples of a power of two, or where both
    /// are below one: its exponent. Then the result is right when it is congruent to the value.
    pub fn power(&self, word_bits: u32) -> Option<u32> {
        let whole = self.own_whole().filter(|_| self.limbs.is_none())?;
        let bits = word_bits * self.result(word_bits) + self.rest();
        match (self.returns_carry(), whole.takes_word()) {
            (true, true) => Some(bits + word_bits * self.returned_words(word_bits)),
            (true, false) => None,
            (false, _) => Some(bits),
        }
    }

    /// The ways in which result and operands may share memory; each must be proved.
    pub fn patterns(&self) -> &'static [Pattern] {
        let own = match self.expression() {
            Expression::Sum | Expression::Difference if self.own_whole().is_some_and(Whole::takes_word) => {
                IN_FIRST
            }
            // a word of the result may be written before an operand is read again
            Expression::Sum | Expression::Difference if self.modular().is_some_and(|own| !own.is_plain()) => {
                APART
            }
            Expression::Sum
            | Expression::Difference
            | Expression::Choice
            | Expression::SumIf
            | Expression::DifferenceIf => IN_PLACE,
            Expression::Accumulated | Expression::Reduced => KEPT,
            Expression::SumAndDifference
            | Expression::Product
            | Expression::Square
            | Expression::Value
            | Expression::Inverse
            | Expression::Negation
            | Expression::Order
            | Expression::Less
            | Expression::Equality
            | Expression::Nothing => APART,
            Expression::Exchange => EXCHANGED,
        };
        match self.prototype.in_place() {
            Some(operand) => in_place(operand, own.len() > IN_FIRST.len()),
            None => own,
        }
    }
}

/// A word that a call gives besides those of its operands.
#[derive(Clone, Copy, Debug)]
pub enum Word<'a, W> {
    /// One that holds a number.
    Number(u64),
    /// The two's complement of one.
    Negative(&'a W),
}

fn passed_modulus<W>(buffers: &mut Vec<Buffer<W>>, words: impl Iterator<Item = W>) -> Passed<W> {
    let content: Vec<W> = words.collect();
    let (length, index) = (content.len() as u32, buffers.len());
    buffers.push(Buffer {
        name: MODULUS,
        length,
        content: Some(content),
        access: Access::Load,
        shares: None,
    });
    Passed::Pointer(index)
}

/// -1/n modulo 2^64 for an odd n: each step doubles the bits that are right.
pub fn negative_inverse(n: u64) -> u64 {
    let step = |x: u64, _| x.wrapping_mul(2u64.wrapping_sub(n.wrapping_mul(x)));
    (0..6).fold(n, step).wrapping_neg()
}

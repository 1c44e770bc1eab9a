//! Addresses: which register points to an operand, and how it goes on from there to the next one.
//!
//! What lies in the stack is reached from the stack pointer, operands of multiplications by registers of their own. A
//! register that an operand is not next to is added a distance for the address only, or is moved where the next operand
//! lies there, too.

use super::Unmade;
use super::act::{Act, Address, Placed, Way};
use super::cells::{Access, Step};
use rhomb_line::Array;
use std::collections::HashMap;

/// What is reached from one register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// An array.
    Array(Array),
    /// The stack.
    Stack,
}

/// A place in a region, and by how many words modes move there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) region: Region,
    pub(super) at: i32,
    pub(super) step: i32,
}

/// The registers for addresses.
#[derive(Clone, Debug)]
pub struct Pointing {
    /// Those that point to the first word of something.
    pub arrays: Vec<(u8, Region)>,
    /// Those that point nowhere yet.
    pub free: Vec<u8>,
    /// The one for the word that two products share.
    pub shared: u8,
    /// Words that the stack pointer reaches.
    pub reach: i32,
    /// Words from the stack pointer to the first of the stack's words.
    pub skew: i32,
}

/// Where a register points.
struct Stream {
    region: Region,
    at: i32,
    /// The operand that it was used for last, whose mode may still be chosen: the instruction, the operand's number, and by
    /// how much the mode moves.
    last: Option<(usize, usize, i32)>,
    /// Operands with a distance since then: the instruction and the place.
    apart: Vec<(usize, i32)>,
}

/// Registers under way.
pub(super) struct Pointers {
    streams: HashMap<u8, Stream>,
    /// Registers that point nowhere yet.
    free: Vec<u8>,
    /// Those of factors, the one used last at the end.
    factors: Vec<u8>,
    shared: u8,
    reach: i32,
    skew: i32,
    made: Vec<Placed>,
}

/// The instructions with their addresses.
pub(super) fn addressed(
    steps: &[Step],
    pointing: &Pointing,
    spot: impl Fn(&Access) -> Spot,
) -> Result<Vec<Placed>, Unmade> {
    let Pointing { arrays, free, shared, reach, skew } = pointing;
    let stream = |region: Region| Stream { region, at: 0, last: None, apart: Vec::new() };
    let streams = arrays.iter().map(|(ar, region)| (*ar, stream(*region))).collect();
    let free = free.iter().rev().copied().collect();
    let mut pointers = Pointers {
        streams,
        free,
        factors: Vec::new(),
        shared: *shared,
        reach: *reach,
        skew: *skew,
        made: Vec::new(),
    };
    let spots: Vec<Vec<Spot>> = steps.iter().map(|step| step.accesses.iter().map(&spot).collect()).collect();
    for (number, (step, own)) in steps.iter().zip(&spots).enumerate() {
        match own.as_slice() {
            [] => pointers.made.push(Placed { act: step.one, addresses: Vec::new() }),
            [one] => {
                let later = spots[number + 1..].iter().filter(|spots| spots.len() == 1).flatten();
                let next = later.into_iter().find(|next| next.region == one.region);
                pointers.single(step.one, *one, next)?;
            }
            all => pointers.products(step.one, all)?,
        }
    }
    Ok(pointers.made)
}

impl Stream {
    fn is_near(&self, at: i32) -> bool {
        self.at == at || self.last.is_some_and(|(.., step)| (at - self.at).abs() == step)
    }
}

impl Pointers {
    /// The register goes from its last operand to a place that is near.
    fn go(&mut self, ar: u8, at: i32) {
        let Some(stream) = self.streams.get_mut(&ar) else { return };
        if let (Some((number, operand, _)), true) = (stream.last, stream.at != at) {
            let way = if at > stream.at { Way::Up } else { Way::Down };
            self.made[number].addresses[operand] = Address::At(ar, way);
            for (number, place) in stream.apart.drain(..) {
                self.made[number].addresses[0] = Address::Apart(ar, (place - at) as i16);
            }
            stream.at = at;
        }
    }

    /// The register is used by the next instruction, for an operand whose mode moves by so many words.
    fn used(&mut self, ar: u8, operand: usize, step: i32) {
        let number = self.made.len();
        if let Some(stream) = self.streams.get_mut(&ar) {
            stream.last = Some((number, operand, step));
            stream.apart.clear();
        }
    }

    /// An instruction with one operand.
    fn single(&mut self, one: Act, spot: Spot, next: Option<&Spot>) -> Result<(), Unmade> {
        let from_stack = spot.at + self.skew;
        if spot.region == Region::Stack && from_stack < self.reach {
            self.one(one, Address::Stack(from_stack as u8));
            return Ok(());
        }
        let ar = self.of(spot.region)?;
        let stream = &self.streams[&ar];
        let (at, is_near) = (stream.at, stream.is_near(spot.at));
        if !is_near {
            let follows = next.is_some_and(|next| {
                let by = next.at - spot.at;
                by.abs() == spot.step && !stream.is_near(next.at)
            });
            if !follows {
                self.apart(ar, spot.at);
                self.one(one, Address::Apart(ar, (spot.at - at) as i16));
                return Ok(());
            }
            self.moved(ar, spot.at);
        }
        self.go(ar, spot.at);
        self.used(ar, 0, spot.step);
        self.one(one, Address::At(ar, Way::Stay));
        Ok(())
    }

    fn one(&mut self, act: Act, address: Address) {
        self.made.push(Placed { act, addresses: vec![address] });
    }

    /// The next instruction reaches a place by a distance.
    fn apart(&mut self, ar: u8, at: i32) {
        let number = self.made.len();
        if let Some(stream) = self.streams.get_mut(&ar) {
            stream.apart.push((number, at));
        }
    }

    /// The register goes to a place by an instruction.
    fn moved(&mut self, ar: u8, at: i32) {
        let Some(stream) = self.streams.get_mut(&ar) else { return };
        let by = at - stream.at;
        *stream = Stream { region: stream.region, at, last: None, apart: Vec::new() };
        self.made.push(Placed { act: Act::Move(ar, by), addresses: Vec::new() });
    }

    /// The register of a region; of the stack, one that is set now.
    fn of(&mut self, region: Region) -> Result<u8, Unmade> {
        let factors = &self.factors;
        let own = |(ar, stream): &(&u8, &Stream)| {
            stream.region == region && !factors.contains(ar) && **ar != self.shared
        };
        if let Some((ar, _)) = self.streams.iter().filter(own).min_by_key(|(ar, _)| **ar) {
            return Ok(*ar);
        }
        // else that of the factor that was used longest ago
        let oldest = |factors: &mut Vec<u8>| (!factors.is_empty()).then(|| factors.remove(0));
        let ar = self.free.pop().or_else(|| oldest(&mut self.factors)).ok_or(Unmade::Pointers)?;
        self.set(ar, Spot { region, at: -self.skew, step: 1 })?;
        Ok(ar)
    }

    /// Sets a register to a place.
    fn set(&mut self, ar: u8, spot: Spot) -> Result<(), Unmade> {
        let from_stack = spot.at + self.skew;
        let address = match spot.region {
            Region::Stack if from_stack < self.reach => Address::Stack(from_stack as u8),
            region => {
                let base = self.of(region)?;
                self.apart(base, spot.at);
                let by = spot.at - self.streams[&base].at;
                Address::Apart(base, by as i16)
            }
        };
        self.one(Act::Point(ar), address);
        self.streams.insert(ar, Stream { region: spot.region, at: spot.at, last: None, apart: Vec::new() });
        Ok(())
    }

    /// A multiplication: one factor, or one for each half, and the word.
    fn products(&mut self, one: Act, spots: &[Spot]) -> Result<(), Unmade> {
        let [factors @ .., word] = spots else { return Err(Unmade::Pointers) };
        let mut taken: Vec<u8> = Vec::new();
        for spot in factors {
            let ar = self.factor(*spot, &taken)?;
            taken.push(ar);
        }
        if !self
            .streams
            .get(&self.shared)
            .is_some_and(|stream| stream.region == word.region && stream.is_near(word.at))
        {
            self.set(self.shared, *word)?;
        }
        for (ar, spot) in taken.iter().zip(factors) {
            self.go(*ar, spot.at);
        }
        self.go(self.shared, word.at);
        let registers: Vec<u8> = taken.into_iter().chain([self.shared]).collect();
        registers.iter().enumerate().for_each(|(operand, ar)| self.used(*ar, operand, 1));
        let addresses = registers.into_iter().map(|ar| Address::At(ar, Way::Stay)).collect();
        self.made.push(Placed { act: one, addresses });
        Ok(())
    }

    /// A register at a factor.
    fn factor(&mut self, spot: Spot, taken: &[u8]) -> Result<u8, Unmade> {
        let is_near = |ar: &u8| {
            let stream = &self.streams[ar];
            !taken.contains(ar) && stream.region == spot.region && stream.is_near(spot.at)
        };
        let near = self.factors.iter().copied().filter(is_near);
        let near = near.min_by_key(|ar| (self.streams[ar].at - spot.at).abs());
        let ar = match near {
            Some(ar) => ar,
            None => {
                let ar = match self.free.pop() {
                    Some(ar) => ar,
                    None => {
                        let old = self.factors.iter().position(|ar| !taken.contains(ar));
                        self.factors.remove(old.ok_or(Unmade::Pointers)?)
                    }
                };
                match self.streams.get(&ar) {
                    Some(stream) if stream.region == spot.region => self.moved(ar, spot.at),
                    _ => self.set(ar, spot)?,
                }
                ar
            }
        };
        self.factors.retain(|other| *other != ar);
        self.factors.push(ar);
        Ok(ar)
    }
}

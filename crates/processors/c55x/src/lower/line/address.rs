//! Addresses: which register points to an operand, and how it goes on from there to the next one.
//!
//! What lies in the stack is reached from the stack pointer, operands of multiplications by registers of their own. A
//! register that an operand is not next to is added a distance for the address only, or is moved where the next operand
//! lies there, too.

use super::{Access, LineError, Region, Spot, Step};
use crate::instructions::{AddressOp, AddressSource, Ind, Instruction, Mode, Smem, Ta};
use crate::lower::code::point;
use std::collections::HashMap;

/// CDP among the registers.
const CDP: u8 = 8;
/// Words that the stack pointer reaches.
const REACH: i32 = 128;

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
    /// Words from the stack pointer to the first of the stack's words.
    skew: i32,
    made: Vec<Instruction>,
}

/// The instructions with their addresses. Each register of an array points to its first word.
pub(super) fn addressed(
    steps: &[Step],
    arrays: &[(u8, Region)],
    free: &[u8],
    skew: i32,
    spot: impl Fn(&Access) -> Spot,
) -> Result<Vec<Instruction>, LineError> {
    let stream = |region: Region| Stream { region, at: 0, last: None, apart: Vec::new() };
    let streams = arrays.iter().map(|(ar, region)| (*ar, stream(*region))).collect();
    let free = free.iter().rev().copied().collect();
    let mut pointers = Pointers { streams, free, factors: Vec::new(), skew, made: Vec::new() };
    let spots: Vec<Vec<Spot>> = steps.iter().map(|step| step.accesses.iter().map(&spot).collect()).collect();
    for (number, (step, own)) in steps.iter().zip(&spots).enumerate() {
        match own.as_slice() {
            [] => pointers.made.push(step.one),
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
            let mode = if at > stream.at { Mode::Up } else { Mode::Down };
            set_mode(&mut self.made[number], operand, mode);
            for (number, place) in stream.apart.drain(..) {
                set_distance(&mut self.made[number], place - at);
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
    fn single(&mut self, one: Instruction, spot: Spot, next: Option<&Spot>) -> Result<(), LineError> {
        let from_stack = spot.at + self.skew;
        if spot.region == Region::Stack && from_stack < REACH {
            self.made.push(with_smem(one, Smem::Sp(from_stack as u8)));
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
                self.made.push(with_smem(one, Smem::Offset(ar, (spot.at - at) as i16)));
                return Ok(());
            }
            self.moved(ar, spot.at);
        }
        self.go(ar, spot.at);
        self.used(ar, 0, spot.step);
        self.made.push(with_smem(one, Smem::Ind(Ind { ar, mode: Mode::Plain })));
        Ok(())
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
        let op = if by < 0 { AddressOp::Sub } else { AddressOp::Add };
        let one = match u8::try_from(by.abs()) {
            Ok(distance) => Instruction::Address { op, src: AddressSource::P8(distance), dst: Ta::Ar(ar) },
            Err(_) => point(ar, ar, by),
        };
        *stream = Stream { region: stream.region, at, last: None, apart: Vec::new() };
        self.made.push(one);
    }

    /// The register of a region; of the stack, one that is set now.
    fn of(&mut self, region: Region) -> Result<u8, LineError> {
        let factors = &self.factors;
        let own =
            |(ar, stream): &(&u8, &Stream)| stream.region == region && !factors.contains(ar) && **ar != CDP;
        if let Some((ar, _)) = self.streams.iter().filter(own).min_by_key(|(ar, _)| **ar) {
            return Ok(*ar);
        }
        // else that of the factor that was used longest ago
        let oldest = |factors: &mut Vec<u8>| (!factors.is_empty()).then(|| factors.remove(0));
        let ar = self.free.pop().or_else(|| oldest(&mut self.factors)).ok_or(LineError::Pointers)?;
        self.set(ar, Spot { region, at: -self.skew, step: 1 })?;
        Ok(ar)
    }

    /// Sets a register to a place.
    fn set(&mut self, ar: u8, spot: Spot) -> Result<(), LineError> {
        let from_stack = spot.at + self.skew;
        let one = match spot.region {
            Region::Stack if from_stack < REACH => {
                Instruction::AmarTo { smem: Smem::Sp(from_stack as u8), dst: ar }
            }
            region => {
                let base = self.of(region)?;
                self.apart(base, spot.at);
                let by = spot.at - self.streams[&base].at;
                Instruction::AmarTo { smem: Smem::Offset(base, by as i16), dst: ar }
            }
        };
        self.made.push(one);
        self.streams.insert(ar, Stream { region: spot.region, at: spot.at, last: None, apart: Vec::new() });
        Ok(())
    }

    /// A multiplication: one factor, or one for each half, and the word.
    fn products(&mut self, one: Instruction, spots: &[Spot]) -> Result<(), LineError> {
        let [factors @ .., word] = spots else { return Err(LineError::Pointers) };
        let mut taken: Vec<u8> = Vec::new();
        for spot in factors {
            let ar = self.factor(*spot, &taken)?;
            taken.push(ar);
        }
        if !self
            .streams
            .get(&CDP)
            .is_some_and(|stream| stream.region == word.region && stream.is_near(word.at))
        {
            self.set(CDP, *word)?;
        }
        let Instruction::Dual(mut dual) = one else { return Err(LineError::Pointers) };
        for (ar, spot) in taken.iter().zip(factors) {
            self.go(*ar, spot.at);
        }
        self.go(CDP, word.at);
        match *taken.as_slice() {
            [x, y] => {
                (dual.xmem.ar, dual.ymem.ar) = (x, y);
                self.used(x, 0, 1);
                self.used(y, 1, 1);
            }
            _ => {
                let own = taken.first().copied().unwrap_or(0);
                (dual.xmem.ar, dual.ymem.ar) = (own, own);
                self.used(own, 1, 1);
            }
        }
        self.used(CDP, 2, 1);
        self.made.push(Instruction::Dual(dual));
        Ok(())
    }

    /// A register at a factor.
    fn factor(&mut self, spot: Spot, taken: &[u8]) -> Result<u8, LineError> {
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
                        self.factors.remove(old.ok_or(LineError::Pointers)?)
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

fn with_smem(one: Instruction, smem: Smem) -> Instruction {
    let mut made = one;
    if let Some(own) = operand(&mut made) {
        *own = smem;
    }
    made
}

/// The only operand in memory.
fn operand(one: &mut Instruction) -> Option<&mut Smem> {
    use Instruction as I;
    match one {
        I::AddMemory { smem, .. }
        | I::AddDouble { lmem: smem, .. }
        | I::LoadAc { smem, .. }
        | I::LoadTa { smem, .. }
        | I::LoadDouble { lmem: smem, .. }
        | I::Store { smem, .. }
        | I::StoreHigh { smem, .. }
        | I::StoreDouble { lmem: smem, .. }
        | I::StoreConstant { smem, .. }
        | I::ProductT { smem, .. }
        | I::AmarTo { smem, .. } => Some(smem),
        _ => None,
    }
}

fn set_mode(one: &mut Instruction, number: usize, mode: Mode) {
    match one {
        Instruction::Dual(dual) => match number {
            0 => dual.xmem.mode = mode,
            1 => dual.ymem.mode = mode,
            _ => dual.cmem = mode,
        },
        other => {
            if let Some(Smem::Ind(ind)) = operand(other) {
                ind.mode = mode;
            }
        }
    }
}

fn set_distance(one: &mut Instruction, by: i32) {
    if let Some(Smem::Offset(_, own)) = operand(one) {
        *own = by as i16;
    }
}

//! What the state has beside registers and flags: accumulators, what decides about the flow, and what is late.

use crate::instructions::Status;
use rhomb_machine::{Cycles, Domain, Own};
use smallvec::SmallVec;

/// Where callers go on.
pub(crate) const RETURN_ADDRESS: u32 = 0xff_fffe;

/// A block that is being repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) start: u32,
    /// The line after its last.
    pub(crate) end: u32,
    /// How often it is still to come again.
    pub(crate) left: u16,
}

/// A word of the system stack. The program never sees where it lies, so that nobody else writes there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SystemWord {
    /// The upper bits of an address register: whether they are 0, and whose of the call's they are.
    Upper { paged: bool, kept: Option<u8> },
    /// What CALL left.
    Return,
}

/// Accumulators, what decides about the flow, and what is late.
#[derive(Clone, Debug)]
pub struct Units<W> {
    /// Accumulators, the low word first; the third has 8 bits.
    pub(crate) ac: [[W; 3]; 4],
    /// CSR, BRC0, BRC1.
    pub(crate) counters: [u16; 3],
    pub(crate) status: Status,
    /// Byte address to which RET goes.
    pub(crate) reta: u32,
    /// How often the next line is repeated, behind RPT.
    pub(crate) repeat: Option<u16>,
    pub(crate) blocks: SmallVec<[Block; 2]>,
    /// What CALL put on the stack.
    pub(crate) calls: Vec<(u32, W)>,
    /// What lies on the system stack since the call.
    pub(crate) system: Vec<SystemWord>,
    /// When registers of addresses are ready that were written late.
    pub(crate) ready: [Cycles; 24],
    pub(crate) pending: u32,
    /// Address registers whose upper bits are 0: ARn, and 8 for CDP.
    pub(crate) paged: u16,
    /// Address registers whose upper bits are what they were at the call.
    pub(crate) kept: u16,
}

impl<W> Units<W> {
    /// Cycles from now until each register that was written late is ready.
    pub(crate) fn waits(&self, now: Cycles) -> [Cycles; 24] {
        std::array::from_fn(|number| match self.pending >> number & 1 {
            0 => Cycles::exact(0),
            _ => self.ready[number].since(now),
        })
    }
}

impl<D: Domain> Own<D> for Units<D::Word> {
    const FIRST: bool = true;

    fn words(&mut self) -> Vec<&mut D::Word> {
        self.ac.iter_mut().flatten().collect()
    }

    fn agrees(&self, other: &Self, domain: &D) -> bool {
        let mut calls = self.calls.iter().zip(&other.calls);
        (self.counters, self.status, self.reta, self.repeat)
            == (other.counters, other.status, other.reta, other.repeat)
            && (self.paged, self.kept, &self.system) == (other.paged, other.kept, &other.system)
            && self.blocks == other.blocks
            && self.calls.len() == other.calls.len()
            && calls.all(|(own, other)| own.0 == other.0 && domain.same(&own.1, &other.1))
    }
}

/// Where execution goes after a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// On.
    Next,
    /// To the target of a conditional branch.
    To(u32),
    /// To the target of another branch.
    Jump(u32),
    /// Into a routine.
    Call(u32),
    /// Back.
    Return,
}

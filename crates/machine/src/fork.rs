//! What a processor remembers of conditions, and of addresses, that a domain does not know: both sides are executed then.

use crate::core::{Order, ProgramPoint};
use crate::{Domain, Fault};
use std::collections::HashMap;
use std::sync::Arc;

/// Two places where sides begin, and the nearest one to which straight lines from both come.
pub(crate) type Sides = (ProgramPoint, ProgramPoint, Option<u32>);

/// What a processor remembers of conditions that are not known.
#[derive(Clone, Debug)]
pub struct Fork<B> {
    /// The condition of an instruction that was refused because it is not known.
    pub(crate) condition: Option<B>,
    /// The registers of an address that was refused because it is not known.
    pub(crate) address: Vec<u8>,
    /// What the next condition that is not known is taken for.
    pub(crate) forced: Option<bool>,
    /// Instructions executed on sides.
    pub(crate) steps: u64,
    /// Where sides that begin at two places meet, as far as it was asked before.
    pub(crate) meetings: Vec<(Sides, Option<u32>)>,
    /// The order of the places behind a condition, as far as it was asked before.
    pub(crate) orders: HashMap<u32, Option<Arc<Order>>>,
}

impl<B> Default for Fork<B> {
    fn default() -> Self {
        Fork {
            condition: None,
            address: Vec::new(),
            forced: None,
            steps: 0,
            meetings: Vec::new(),
            orders: HashMap::new(),
        }
    }
}

impl<B: Clone> Fork<B> {
    /// Whether a condition holds, or what it is taken for.
    ///
    /// # Errors
    /// It is not known: then the fault names `what` the condition is of.
    #[inline(always)]
    pub fn decide<D: Domain<Bit = B>>(
        &mut self,
        domain: &D,
        bit: &B,
        what: impl FnOnce() -> String,
    ) -> Result<bool, Fault> {
        match domain.known_bit(bit).or_else(|| self.forced.take()) {
            Some(holds) => Ok(holds),
            None => {
                self.condition = Some(bit.clone());
                Err(domain.hidden_bit(bit).fault(what()))
            }
        }
    }
}

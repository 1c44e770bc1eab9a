//! Machine code with its convention, whatever its processor: what can be asked about it.

use rhomb_certificate::{Certificate, CheckError, Contract, check};
use rhomb_machine::Routine;
use rhomb_prove::{Budget, Search, Timing, Verdict, decide_after, refute, timing};

/// A routine behind a pointer; every [`Routine`] is one.
pub trait Subject {
    /// Calls it in the simulator, up to `budget` instructions.
    fn search(&self, contract: &Contract, budget: u64) -> Search;
    /// Whether it keeps the contract, after a first search.
    fn decide(&self, search: Search, contract: &Contract, budget: Budget) -> Verdict;
    /// Whether its time depends on the operands.
    fn timing(&self, contract: &Contract) -> Timing;
    /// Replays a certificate.
    ///
    /// # Errors
    /// Why the certificate does not hold.
    fn check(&self, certificate: &Certificate) -> Result<Contract, CheckError>;
}

impl<R: Routine> Subject for R {
    fn search(&self, contract: &Contract, budget: u64) -> Search {
        refute(self, contract, budget)
    }
    fn decide(&self, search: Search, contract: &Contract, budget: Budget) -> Verdict {
        decide_after(search, self, contract, budget)
    }
    fn timing(&self, contract: &Contract) -> Timing {
        timing(self, contract)
    }
    fn check(&self, certificate: &Certificate) -> Result<Contract, CheckError> {
        check(self, certificate)
    }
}

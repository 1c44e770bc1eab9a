//! Machine code with its convention, whatever its processor: what can be asked about it.

use rhomb_certificate::{Certificate, CheckError, Contract, check};
use rhomb_machine::Routine;
use rhomb_prove::{
    Budget, Search, Timing, Unproved, Verdict, decide_after, export_cryptoline, export_smt, refute, timing,
};

/// A routine behind a pointer; every [`Routine`] is one.
pub trait Subject {
    /// The instruction at a byte address as text.
    fn instruction(&self, address: u64) -> Option<String>;
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
    /// The statement to be proved, as SMT-LIB.
    ///
    /// # Errors
    /// Where the execution does not come to its end.
    fn smt(&self, contract: &Contract) -> Result<String, Unproved>;
    /// The same for CryptoLine, one text for each aliasing pattern.
    ///
    /// # Errors
    /// Where the execution does not come to its end.
    fn cryptoline(&self, contract: &Contract, proof: Option<&Certificate>) -> Result<Vec<String>, Unproved>;
}

impl<R: Routine> Subject for R {
    fn instruction(&self, address: u64) -> Option<String> {
        Routine::instruction(self, address)
    }
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
    fn smt(&self, contract: &Contract) -> Result<String, Unproved> {
        export_smt(self, contract)
    }
    fn cryptoline(&self, contract: &Contract, proof: Option<&Certificate>) -> Result<Vec<String>, Unproved> {
        export_cryptoline(self, contract, proof)
    }
}

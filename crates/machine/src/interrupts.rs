use crate::{Calls, Domain, Finished, Given, MachineCode, Routine, See, Stopped, Surroundings};

/// Whether an interrupt may come during a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Interrupts {
    /// Any time when the processor lets it.
    #[default]
    Any,
    /// None comes: what lies below the stack pointer stays, and the pointer may be written piece by piece. Somebody
    /// else has to see to it.
    Off,
}

/// A routine with what is assumed about interrupts.
#[derive(Clone, Debug)]
pub struct Assuming<R> {
    /// The routine.
    pub routine: R,
    /// What is assumed.
    pub interrupts: Interrupts,
}

impl<R> Assuming<R> {
    /// Nothing is assumed.
    pub fn nothing(routine: R) -> Self {
        Assuming { routine, interrupts: Interrupts::Any }
    }
}

impl<R: MachineCode> MachineCode for Assuming<R> {
    fn word_bits(&self) -> u32 {
        self.routine.word_bits()
    }

    fn code(&self) -> Vec<u8> {
        self.routine.code()
    }

    /// What is assumed is part of it: a proof under an assumption is none without.
    fn identity(&self) -> String {
        match self.interrupts {
            Interrupts::Any => self.routine.identity(),
            Interrupts::Off => format!("{} interrupts off", self.routine.identity()),
        }
    }

    fn relocations(&self) -> &[String] {
        self.routine.relocations()
    }

    fn instruction(&self, address: u64) -> Option<String> {
        self.routine.instruction(address)
    }

    fn further(&self, given: &dyn Given<u32>) -> Vec<String> {
        self.routine.further(given)
    }

    fn has_data(&self, address: u32) -> bool {
        self.routine.has_data(address)
    }

    fn register_name(&self, number: u8) -> String {
        self.routine.register_name(number)
    }
}

impl<R: Routine> Routine for Assuming<R> {
    type Limb = R::Limb;

    fn call_in<D: Domain>(
        &self,
        domain: D,
        given: &dyn Given<D::Word>,
        surroundings: Surroundings,
    ) -> Result<Finished<D>, Stopped> {
        let undisturbed = surroundings.undisturbed || self.interrupts == Interrupts::Off;
        self.routine.call_in(domain, given, Surroundings { undisturbed, ..surroundings })
    }

    /// Nothing is assumed here.
    fn call_seen<D: Domain>(
        &self,
        domain: D,
        given: &dyn Given<D::Word>,
        see: See<'_, D>,
    ) -> Result<Finished<D>, Stopped> {
        self.routine.call_seen(domain, given, see)
    }

    /// Nothing is assumed here.
    fn call_composed<D: Domain>(
        &self,
        domain: D,
        given: &dyn Given<D::Word>,
        calls: &mut dyn Calls<D>,
    ) -> Result<Finished<D>, Stopped> {
        self.routine.call_composed(domain, given, calls)
    }

    fn at(&self, entry: u64, stack_bytes: Option<u32>, inner: bool) -> Option<Self> {
        let routine = self.routine.at(entry, stack_bytes, inner)?;
        Some(Assuming { routine, interrupts: self.interrupts })
    }
}

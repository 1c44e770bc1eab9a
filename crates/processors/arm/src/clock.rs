//! What instructions take: counted as they are executed.

use crate::cores::{Early, Pipeline};
use crate::instructions::Instruction;
use crate::machine::Machine;
use rhomb_machine::{Cycles, Domain, VariableTime};

impl<D: Domain> Machine<D> {
    /// Counts what a multiplication takes beyond the least.
    #[inline(always)]
    pub(crate) fn count_early(&mut self, least: u8, early: Early) {
        if let Some((rm, most)) = early.open {
            // by which operands is not published
            self.lengthen(most);
            let factors = [early.rs, rm].map(|register| &self.state.registers[usize::from(register & 15)]);
            if factors.iter().any(|factor| self.state.domain.known_word(factor).is_none()) {
                let cycles = Cycles { min: least.into(), max: (least + most).into() };
                let hidden = self.state.domain.hidden(&factors);
                VariableTime { address: self.state.pc.into(), hidden, cycles, unpublished: true }
                    .note(&mut self.state.variable_times);
            }
            return;
        }
        match self.state.domain.known_word(&self.state.registers[usize::from(early.rs & 15)]) {
            Some(rs) => self.state.cycles += u64::from(early.more(rs as u32)),
            None => {
                let ones = self.state.domain.known_ones(&self.state.registers[usize::from(early.rs & 15)]);
                let (fewest, most) = (early.fewest(ones as u32), Early::MOST);
                self.state.cycles += u64::from(fewest);
                if fewest < most {
                    self.state.spread += u64::from(most - fewest);
                    let cycles = Cycles { min: (least + fewest).into(), max: (least + most).into() };
                    let hidden =
                        self.state.domain.hidden(&[&self.state.registers[usize::from(early.rs & 15)]]);
                    VariableTime { address: self.state.pc.into(), hidden, cycles, unpublished: false }
                        .note(&mut self.state.variable_times);
                }
            }
        }
    }

    /// An instruction whose condition is not known, on a core of which nobody promises what it takes: skipped, it holds up nothing
    /// behind it.
    pub(crate) fn count_skipped(&mut self, instruction: Instruction, condition: &D::Bit) {
        let core = self.state.program.core();
        let most = core.most(&instruction).unwrap_or_default() + 1;
        let cycles = Cycles { min: core.timing.skipped.into(), max: most };
        let hidden = self.state.domain.hidden_bit(condition);
        self.lengthen(1);
        VariableTime { address: self.state.pc.into(), hidden, cycles, unpublished: true }
            .note(&mut self.state.variable_times);
    }

    /// What a multiplication takes at most beyond the least.
    fn lengthen(&mut self, most: u8) {
        match self.state.own.pipelines.as_deref_mut() {
            Some([_, slowest]) => slowest.lengthen(most.into()),
            None => self.state.spread += u64::from(most),
        }
    }

    /// Counts an instruction, the one at the program counter, that is executed or skipped.
    #[inline(always)]
    pub(crate) fn pass(&mut self, cycles: u8, executed: bool) {
        if self.state.own.pipelines.is_some() {
            self.pass_waiting(cycles, executed);
        } else {
            self.state.cycles += u64::from(cycles);
        }
    }

    fn pass_waiting(&mut self, cycles: u8, executed: bool) {
        let Some(pipelines) = &mut self.state.own.pipelines else { return };
        let needs = self.state.program.beside(self.state.pc).copied().unwrap_or_default();
        for pipeline in pipelines.iter_mut() {
            match executed {
                true => pipeline.issue(&needs, cycles.into()),
                false => pipeline.skip(&needs, cycles.into()),
            }
        }
        let [least, most] = pipelines.each_ref().map(Pipeline::cycles);
        (self.state.cycles, self.state.spread) = (least, most - least);
    }
}

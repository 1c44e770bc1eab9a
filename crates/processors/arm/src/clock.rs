//! What instructions take: counted as they are executed.

use crate::cores::{Early, Pipeline};
use crate::machine::Machine;
use rhomb_machine::{Cycles, Domain, VariableTime};

impl<D: Domain> Machine<D> {
    /// Counts what a multiplication takes beyond the least.
    #[inline(always)]
    pub(crate) fn count_early(&mut self, least: u8, early: Early) {
        match self.domain.known_word(&self.registers[usize::from(early.rs & 15)]) {
            Some(rs) => self.cycles += u64::from(early.more(rs as u32)),
            None => {
                let ones = self.domain.known_ones(&self.registers[usize::from(early.rs & 15)]);
                let (fewest, most) = (early.fewest(ones as u32), Early::MOST);
                self.cycles += u64::from(fewest);
                if fewest < most {
                    self.spread += u64::from(most - fewest);
                    let cycles = Cycles { min: (least + fewest).into(), max: (least + most).into() };
                    let hidden = self.domain.hidden(&[&self.registers[usize::from(early.rs & 15)]]);
                    VariableTime { address: self.pc.into(), hidden, cycles }.note(&mut self.variable_times);
                }
            }
        }
    }

    /// Counts an instruction, the one at the program counter, that is executed or skipped.
    #[inline(always)]
    pub(crate) fn pass(&mut self, cycles: u8, executed: bool) {
        if self.pipelines.is_some() {
            self.pass_waiting(cycles, executed);
        } else {
            self.cycles += u64::from(cycles);
        }
    }

    fn pass_waiting(&mut self, cycles: u8, executed: bool) {
        let Some(pipelines) = &mut self.pipelines else { return };
        let needs = self.program.needs(self.pc);
        for pipeline in pipelines.iter_mut() {
            match executed {
                true => pipeline.issue(&needs, cycles.into()),
                false => pipeline.skip(&needs, cycles.into()),
            }
        }
        let [least, most] = pipelines.each_ref().map(Pipeline::cycles);
        (self.cycles, self.spread) = (least, most - least);
    }
}

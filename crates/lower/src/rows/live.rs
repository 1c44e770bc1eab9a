//! How many registers are in use at each time.

/// Ranges of time, and how many of them hold at each time; how many more than there are registers, summed up.
#[derive(Clone, Debug)]
pub(super) struct Live {
    used: Vec<i16>,
    registers: i16,
    /// Registers beyond those there are, summed over time.
    pub(super) over: usize,
}

impl Live {
    /// No range, up to an end of time.
    pub(super) fn new(end: usize, registers: usize) -> Self {
        Live { used: vec![0; end], registers: registers as i16, over: 0 }
    }

    /// A value takes a register at other times than before.
    pub(super) fn change(&mut self, before: (u32, u32), now: (u32, u32)) {
        if before.1 <= now.0 || now.1 <= before.0 {
            self.remove(before);
            self.add(now);
            return;
        }
        // where they differ: in front, and behind
        for (ours, other, add) in [(before, now, false), (now, before, true)] {
            for part in [(ours.0, other.0.max(ours.0)), (other.1.min(ours.1), ours.1)] {
                if add { self.add(part) } else { self.remove(part) }
            }
        }
    }

    /// A value takes a register from `range.0` until before `range.1`.
    pub(super) fn add(&mut self, range: (u32, u32)) {
        let most = self.registers;
        let mut over = 0;
        for used in &mut self.used[range.0 as usize..range.1 as usize] {
            over += usize::from(*used >= most);
            *used += 1;
        }
        self.over += over;
    }

    /// It takes none.
    pub(super) fn remove(&mut self, range: (u32, u32)) {
        let most = self.registers;
        let mut over = 0;
        for used in &mut self.used[range.0 as usize..range.1 as usize] {
            *used -= 1;
            over += usize::from(*used >= most);
        }
        self.over -= over;
    }
}

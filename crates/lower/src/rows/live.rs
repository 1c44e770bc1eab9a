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

//! Addition and subtraction: a chain of ADCS or SBCS from the lowest word.
//!
//! Words are loaded and stored by blocks, as many at a time as registers allow. Neither LDM, STM nor TEQ of
//! registers change the carry (ARM DDI 0100, A4.1 and A5.1.3), so that the chain runs through blocks and turns
//! of a loop, whose end is seen from a pointer. A block is stored after both operands' words in its place were
//! read: the result may lie in the place of an operand, or of both.

use super::columns::order;
use super::{Kernel, LowerError, code, cycles, frame};
use crate::conventions::Convention;
use crate::cores::Core;
use crate::instructions::{Action, Condition, DataOp, Instruction, Register, Shifter};
use rhomb_kernel::Form;

/// The fastest routine, and of those the shortest.
pub(super) fn chain(
    subtract: bool,
    words: usize,
    form: Form,
    core: &Core,
    convention: &Convention,
    registers: usize,
) -> Result<Kernel, LowerError> {
    let all = order(convention, 3);
    let available = all.len().min(registers);
    let mut kernels = Vec::new();
    for count in 2..=available {
        let chain = Chain { subtract, core, convention, data: &all[..count] };
        // one register for the end; of an odd number of others one would lie idle
        let block = (count - 1) / 2;
        if form == Form::Unrolled || words < 2 * block {
            kernels.push(chain.straight(words));
        } else if count % 2 == 1 {
            kernels.push(chain.looped(words, block));
        }
    }
    let least = if form == Form::Unrolled { 2 } else { 3 };
    let best = kernels.into_iter().min_by_key(|kernel| (kernel.cycles, kernel.program.len()));
    best.ok_or(LowerError::Registers { needed: least, available })
}

struct Chain<'a> {
    subtract: bool,
    core: &'a Core,
    convention: &'a Convention,
    /// Registers for words, and for the end of a loop.
    data: &'a [Register],
}

impl Chain<'_> {
    /// Blocks of equal size, the last of which can be larger.
    fn straight(&self, words: usize) -> Kernel {
        let block = self.data.len() / 2;
        let mut body = Vec::new();
        let mut left = words;
        while left > block + 1 {
            let size = block.min(left - 1);
            self.block(size, left == words, false, self.data, &mut body);
            left -= size;
        }
        self.block(left, left == words, true, self.data, &mut body);
        self.finish(&mut body);
        let kernel = frame::enclose(body, self.convention.saved, 0);
        Kernel { cycles: cycles(&kernel.program, self.core), ..kernel }
    }

    /// A loop over blocks; the words that are left over come first. There are two turns or more.
    fn looped(&self, words: usize, block: usize) -> Kernel {
        let a = self.convention.arguments[1];
        let (turns, rest) = (words / block, words % block);
        let (end, data) = (self.data[0], &self.data[1..]);
        let mut body = vec![code::mov(end, Shifter::plain(a))];
        code::advance(&mut body, end, 4 * words as i32);
        if let [_, Instruction { action: Action::Data { rn, .. }, .. }, ..] = &mut body[..] {
            // no move: the first addition is to the pointer
            *rn = a;
            body.remove(0);
        }
        if rest > 0 {
            self.block(rest, true, false, data, &mut body);
        } else {
            // the highest bit of a rotated number becomes the carry (ARM DDI 0100, A5.1.3)
            let value = if self.subtract { 2 } else { 1 };
            body.push(code::data(DataOp::Mov, true, data[0], 0, Shifter::Immediate { value, rotation: 1 }));
        }
        let top = body.len();
        self.block(block, false, false, data, &mut body);
        body.push(code::data(DataOp::Teq, true, 0, a, Shifter::plain(end)));
        let distance = -4 * (body.len() - top) as i32;
        let back = Action::Branch { link: false, distance };
        body.push(Instruction { condition: Condition::Ne, action: back });
        let turn = cycles(&body[top..], self.core);
        self.finish(&mut body);
        let kernel = frame::enclose(body, self.convention.saved, 0);
        let count = |once: u64| {
            // at the end the branch is passed
            let passed = self.core.most(&back.into())? - u64::from(self.core.timing.skipped);
            Some(once + turn? * (turns as u64 - 1) - passed)
        };
        Kernel { cycles: cycles(&kernel.program, self.core).and_then(count), ..kernel }
    }

    /// Adds or subtracts `size` words; `first` says that there is no carry yet, `last` that the pointers to
    /// the operands are of no more use, so that they hold words.
    fn block(&self, size: usize, first: bool, last: bool, data: &[Register], code: &mut Vec<Instruction>) {
        let [result, a, b, _] = self.convention.arguments;
        // each operand has registers of its own, so that either pointer can be overwritten by its own words
        let mut left: Vec<Register> = data[..size.min(data.len() / 2)].to_vec();
        let mut right: Vec<Register> = data[left.len()..][..size.min(data.len() / 2)].to_vec();
        if left.len() < size {
            debug_assert!(last && left.len() + 1 == size);
            left.push(a);
            right.push(b);
        }
        left.sort_unstable();
        right.sort_unstable();
        code.push(code::transfer(true, a, &left, !last));
        code.push(code::transfer(true, b, &right, !last));
        for (word, (left, right)) in left.iter().zip(&right).enumerate() {
            let chained = !first || word > 0;
            let step = if self.subtract { code::sub } else { code::add };
            code.push(step(chained, true, *left, *left, Shifter::plain(*right)));
        }
        code.push(code::transfer(false, result, &left, !last));
    }

    /// The carry or borrow as a number.
    fn finish(&self, code: &mut Vec<Instruction>) {
        let returned = self.convention.returned;
        if self.subtract {
            // C - 1, for which any word will do
            let any = self.data[1];
            code.push(code::sub(true, false, returned, any, Shifter::plain(any)));
            code.push(code::data(DataOp::Rsb, false, returned, returned, code::ZERO));
        } else {
            code.push(code::mov(returned, code::ZERO));
            code.push(code::add(true, false, returned, returned, code::ZERO));
        }
    }
}

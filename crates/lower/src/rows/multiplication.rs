//! Multiplication.

use super::build::Builder;
use super::line::{Address, Array};
use super::plan::{Frame, Job, Plan};
use super::{Registers, WHOLE, WIDEST};
use rhomb_kernel::Operand;
use rhomb_kernel::windows::{Trace, TracedStep, WindowStep};
use std::ops::Range;

/// Fewest words that are worth a copy of B.
const STACKED: usize = 12;

/// How a multiplication is done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Variant {
    /// Whether registers are shared out as a whole.
    pub(super) whole: bool,
    /// Whether B is copied to the stack, so that its pointer is needed no more.
    pub(super) stack_b: bool,
    /// Whether B's words are moved to the end of the result, so that its pointer is needed no more.
    pub(super) move_b: bool,
    /// Whether A's pointer is moved there, so that its register is free during the first strip.
    pub(super) move_pointer: bool,
    /// Whether products take equally long for all operands.
    pub(super) constant: bool,
}

impl Variant {
    /// What to try.
    pub(super) fn all(words: usize, steps: &[WindowStep], constant: bool) -> Vec<Variant> {
        let apart = units(steps, false).len();
        let mut all = Vec::new();
        for whole in [true, false] {
            if whole && words > WHOLE || !whole && apart == 1 {
                continue;
            }
            for move_b in [false, true] {
                for move_pointer in [false, true] {
                    if move_b && (move_pointer || !whole || words < WIDEST) || move_pointer && apart == 1 {
                        continue;
                    }
                    all.push(Variant { whole, move_b, move_pointer, stack_b: false, constant });
                    if !whole && move_pointer && words >= STACKED {
                        all.push(Variant { whole, move_b, move_pointer, stack_b: true, constant });
                    }
                }
            }
        }
        all
    }
}

/// Steps that share registers: all of a small multiplication; else those until the columns go back.
fn units(steps: &[WindowStep], whole: bool) -> Vec<Range<usize>> {
    let mut units = Vec::new();
    let mut start = 0;
    for at in 1..=steps.len() {
        let back = |at: usize| steps[at].column() <= steps[at - 1].column();
        if at == steps.len() || !whole && back(at) {
            units.push(start..at);
            start = at;
        }
    }
    units
}

/// The plan of a variant.
pub(super) fn plan(
    (steps, trace, words): (&[WindowStep], &Trace, usize),
    variant: Variant,
    registers: &Registers,
) -> Option<Plan> {
    let [result, first, second] = registers.arguments;
    let units = units(steps, variant.whole);
    let mut plan = Plan::default();
    for (number, range) in units.iter().enumerate() {
        let (is_first, is_last) = (number == 0, number + 1 == units.len());
        let mut builder = Builder::default();
        builder.origin = origin(&steps[range.clone()]);
        builder.set_constant(variant.constant);
        let [a, b, r] = [builder.value(), builder.value(), builder.value()];
        builder.bases = [a, b, r];
        builder.stacked = variant.stack_b;
        builder.unit.entry = vec![(b, if variant.stack_b { registers.stack } else { second }), (r, result)];
        builder.unit.besides = usize::from(variant.stack_b);
        if is_first || !variant.move_pointer {
            builder.unit.entry.push((a, first));
        }
        builder.unit.exit = match (is_last, variant.stack_b, variant.move_pointer) {
            (true, false, _) => vec![],
            (true, true, _) => vec![b],
            (false, _, true) => vec![b, r],
            (false, _, false) => vec![a, b, r],
        };
        builder.begin();
        if variant.move_pointer && units.len() > 1 {
            if is_first {
                builder.leave_pointer(Array::A);
            } else {
                builder.bring_pointer(Array::A);
            }
        }
        if variant.move_b {
            for j in 0..words {
                let place = Address { array: Array::Result, index: words + j };
                builder.move_operand(Operand::B(j), place);
            }
            builder.begin();
        }
        fill(&mut builder, (steps, trace, words), range.clone(), variant)?;
        let frame = Frame { origin: builder.origin, home: 2 * words - 1 };
        plan.jobs.push(Job { unit: builder.unit, frame, pointers: vec![(a, 0), (b, 1), (r, 2)] });
    }
    if variant.stack_b {
        plan.copied = words;
    }
    Some(plan)
}

/// From where a unit counts words of A and columns: strips of A are alike wherever they begin.
fn origin(steps: &[WindowStep]) -> usize {
    let lowest = steps.iter().map(|step| match (step.fixed, step.stream) {
        (Operand::A(x), Operand::B(_)) => x,
        _ => 0,
    });
    lowest.min().unwrap_or(0)
}

/// The steps of a unit.
fn fill(
    builder: &mut Builder,
    (steps, trace, words): (&[WindowStep], &Trace, usize),
    range: Range<usize>,
    variant: Variant,
) -> Option<()> {
    let first = range.start;
    let end = range.end;
    let mut moved = false;
    for at in range.clone() {
        let (step, traced) = (&steps[at], &trace.steps[at]);
        if at > first && (steps[at - 1].fixed, steps[at - 1].width) != (step.fixed, step.width) {
            let all = range.len() == steps.len();
            // once: it is stored where it stood at the call
            if variant.move_pointer && all && !moved {
                moved = true;
                builder.move_pointer(Array::A, Address { array: Array::Result, index: 2 * words - 1 });
            }
            builder.begin();
        }
        builder.step(traced);
    }
    // what no later step of this unit takes
    let mut left: Vec<(usize, usize)> = Vec::new();
    for at in range {
        let traced = &trace.steps[at];
        let taken = |word: usize| traced.window.contains(&Some(word)) || traced.more == Some(word);
        left.retain(|(word, _)| !taken(*word));
        left.extend((traced.step.column()..).zip(&traced.makes).map(|(column, word)| (*word, column)));
    }
    left.sort_unstable_by_key(|(_, column)| *column);
    for (word, column) in left {
        let value = builder.known(word)?;
        builder.store(value, column, word + 1);
    }
    // words of earlier units that wait on lie in their columns' places
    let waiting = waiting(&trace.steps[..first], &trace.steps[first..end]);
    let free = builder.unit.outputs.iter().all(|output| {
        output.place.array != Array::Result || !waiting.contains(&(output.place.index + builder.origin))
    });
    free.then_some(())
}

/// Columns of words that earlier steps made and that neither they nor these take.
fn waiting(earlier: &[TracedStep], these: &[TracedStep]) -> Vec<usize> {
    let mut waiting: Vec<(usize, usize)> = Vec::new();
    for (at, traced) in earlier.iter().chain(these).enumerate() {
        waiting.retain(|(word, _)| !traced.window.contains(&Some(*word)) && traced.more != Some(*word));
        if at < earlier.len() {
            waiting.extend(traced.makes.iter().copied().zip(traced.step.column()..));
        }
    }
    waiting.into_iter().map(|(_, column)| column).collect()
}

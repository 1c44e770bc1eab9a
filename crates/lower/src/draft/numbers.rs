//! Numbers become the instructions that a core has for them.

use super::core::Core;
use super::form::{Act, Draft, Made, Name, Step, ZERO};
use std::collections::HashMap;

impl Draft {
    /// What there is no instruction for with a number is done with a word of that number, which is made once.
    pub(super) fn with_words<C: Core>(&self, core: &C) -> Draft {
        let mut words: HashMap<u32, Name> = HashMap::new();
        self.rewritten(|draft, mut step| {
            if let Act::Number(pair, number) = step.act
                && !core.has_number(pair, number)
            {
                let name = *words.entry(number as u32).or_insert_with(|| draft.number(number as u32).into());
                (step.act, step.y) = (Act::Pair(pair), name);
            }
            draft.steps.push(step);
        })
    }

    /// Numbers in as many instructions as they take.
    pub(super) fn with_halves<C: Core>(&self, core: &C) -> Draft {
        self.rewritten(|draft, step| {
            let Act::Word(number) = step.act else {
                draft.steps.push(step);
                return;
            };
            let acts = core.number(number);
            let mut x = ZERO;
            for (at, act) in acts.iter().enumerate() {
                let to = if at + 1 == acts.len() { step.to } else { Some(draft.made().into()) };
                draft.steps.push(Step { act: *act, x, y: ZERO, to, place: None });
                x = to.unwrap_or(ZERO);
            }
        })
    }

    /// The same with each step written anew, with names as they are in the draft to come.
    fn rewritten(&self, mut write: impl FnMut(&mut Draft, Step)) -> Draft {
        let mut draft = Draft { steps: Vec::with_capacity(self.steps.len()), ..self.clone() };
        for step in &self.steps {
            write(&mut draft, *step);
        }
        draft
    }
}

/// The word of a name, if it has one.
pub(super) fn made(name: Name) -> Option<Made> {
    match name {
        Name::Made(made) => Some(made),
        Name::Register(_) => None,
    }
}

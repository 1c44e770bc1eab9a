//! Which instructions are a routine's frame, and which are its body.

/// Class of an instruction in the counts that reports show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A load.
    Load,
    /// A store.
    Store,
    /// A multiplication.
    Multiply,
    /// An addition or subtraction.
    Add,
    /// Anything else.
    Other,
}

impl crate::Mix {
    /// Counts instructions of a class.
    pub fn count(&mut self, class: Class, number: u64) {
        *match class {
            Class::Load => &mut self.load,
            Class::Store => &mut self.store,
            Class::Multiply => &mut self.multiply,
            Class::Add => &mut self.add,
            Class::Other => &mut self.other,
        } += number;
    }
}

/// The saves from a routine's entry on, and the restores before what it ends with, as far as they stand side by side,
/// `step` apart: addresses, and what `saves` and `restores` tell of them. Where `last` is `None` there are no restores.
pub fn framed<T>(
    (entry, last): (u32, Option<u32>),
    step: u32,
    saves: impl Fn(u32) -> Option<T>,
    restores: impl Fn(u32) -> Option<T>,
) -> Vec<(u32, T)> {
    let after = std::iter::successors(Some(entry), |address| Some(address.wrapping_add(step)));
    let before = std::iter::successors(last, |address| Some(address.wrapping_sub(step))).skip(1);
    let mut frame: Vec<(u32, T)> = after.map_while(|address| Some((address, saves(address)?))).collect();
    frame.extend(before.map_while(|address| Some((address, restores(address)?))));
    frame
}

/// `r4-r11 lr`: the names of a set of registers. A range stands for three or more, and only for registers below
/// `numbered`.
pub fn register_list(set: u32, numbered: u32, name: impl Fn(u32) -> String) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut number = 0;
    while number < 32 {
        let run = (!(u64::from(set) >> number)).trailing_zeros();
        let run = if number < numbered { run.min(numbered - number) } else { run.min(1) };
        match run {
            0 => {
                number += 1;
                continue;
            }
            1 | 2 => parts.extend((number..number + run).map(&name)),
            _ => parts.push(format!("{}-{}", name(number), name(number + run - 1))),
        }
        number += run;
    }
    if parts.is_empty() { "none".to_owned() } else { parts.join(" ") }
}

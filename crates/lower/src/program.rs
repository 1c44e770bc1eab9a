//! Programs of calls: the frame, the kept registers, loops, and where the routines stand. What a processor's instructions
//! are for that, it says itself ([`Caller`]).
//!
//! The program comes first and the routines behind it, those that are called most often nearest.

use rhomb_field::program::{Place, Program, Step};

/// Where a pointer goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// To an argument of the program: the result where there is one, then come operands.
    Argument(usize),
    /// To what lies so many bytes behind that.
    Inside(usize, usize),
    /// So many bytes into the frame's numbers.
    Frame(usize),
}

/// What a program keeps over calls: its numbers, its arguments, and a counter for each loop in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Bytes of the numbers.
    pub bytes: usize,
    /// Pointers.
    pub arguments: usize,
    /// Counters.
    pub counters: usize,
}

/// Places of a call or branch and of what it goes to, in whatever the processor counts its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Where the instructions for it begin.
    pub from: i64,
    /// Where they go.
    pub to: i64,
}

/// What a processor says of programs.
pub trait Caller {
    /// An instruction.
    type Instruction: Clone;
    /// What is out of reach, or too large.
    type Error;
    /// Bytes of a word of the numbers, or what else offsets into the frame are counted in.
    const WORD_BYTES: usize;
    /// What the words before a number in the frame are a multiple of.
    const ALIGNMENT: usize = 1;
    /// The most turns that a counter counts.
    const MOST_TURNS: u32;

    /// How long instructions are, in that which ways are measured in.
    fn length(code: &[Self::Instruction]) -> i64;
    /// A routine's code where it stands behind the program. The same anywhere, unless said otherwise.
    fn moved(&self, routine: &[Self::Instruction], to: i64) -> Vec<Self::Instruction> {
        let _ = to;
        routine.to_vec()
    }
    /// Saves registers, makes the frame and keeps the arguments.
    fn enter(&self, frame: &Frame) -> Result<Vec<Self::Instruction>, Self::Error>;
    /// Undoes that, and returns.
    fn leave(&self, frame: &Frame) -> Result<Vec<Self::Instruction>, Self::Error>;
    /// Calls with pointers as arguments.
    fn call(&self, frame: &Frame, pointers: &[At], way: Way) -> Result<Vec<Self::Instruction>, Self::Error>;
    /// Sets a counter to so many turns.
    fn count(&self, frame: &Frame, counter: usize, turns: u32) -> Vec<Self::Instruction>;
    /// Goes back unless the last turn is over.
    fn again(&self, frame: &Frame, counter: usize, way: Way) -> Result<Vec<Self::Instruction>, Self::Error>;
    /// Goes on at another place where a word of the numbers, so many bytes into them, is zero. Programs for a processor that
    /// does not say how have no branches.
    fn skip(&self, frame: &Frame, place: usize, way: Way) -> Result<Vec<Self::Instruction>, Self::Error> {
        let _ = (frame, place, way);
        Err(self.unsettled())
    }
    /// Takes a word of the numbers, so many bytes into them, to where the convention returns one, right before
    /// [`leave`](Self::leave). Programs for a processor that does not say how return nothing.
    fn give(&self, frame: &Frame, place: usize) -> Result<Vec<Self::Instruction>, Self::Error> {
        let _ = (frame, place);
        Err(self.unsettled())
    }
    /// Takes what a call returned to a word of the numbers, so many bytes into them. Programs for a processor that does not say
    /// how have no use for it.
    fn take(&self, frame: &Frame, place: usize) -> Result<Vec<Self::Instruction>, Self::Error> {
        let _ = (frame, place);
        Err(self.unsettled())
    }
    /// For positions that do not settle, which is a fault.
    fn unsettled(&self) -> Self::Error;
}

/// A part of a program that instructions are made of, the better the nearer what it goes to.
enum Piece {
    Enter,
    Leave,
    /// With the place of the word that is returned.
    Give(usize),
    /// With the place of the word that what was returned becomes.
    Take(usize),
    Call(usize, Vec<At>),
    Count(usize, u32),
    /// With the number of the piece that a turn begins with.
    Again(usize, usize),
    /// With the place of the word, and the number of the piece where it goes on.
    Skip(usize, usize),
}

struct Pieces {
    /// Where each slot begins in the frame.
    places: Vec<usize>,
    /// Arguments before the operands.
    results: usize,
    word_bytes: usize,
    most_turns: u32,
    pieces: Vec<Piece>,
    frame: Frame,
}

impl Pieces {
    fn slot(&self, index: usize) -> usize {
        self.places.get(index).copied().unwrap_or(0)
    }

    fn at(&self, place: Place) -> At {
        match place {
            Place::Result => At::Argument(0),
            Place::Operand(index) => At::Argument(index + self.results),
            Place::Slot(index) => At::Frame(self.slot(index)),
            Place::Part(index, word) => At::Frame(self.slot(index) + word * self.word_bytes),
            Place::Behind(words) => At::Inside(0, words * self.word_bytes),
            Place::Inside(index, words) => At::Inside(index + self.results, words * self.word_bytes),
        }
    }

    fn steps(&mut self, steps: &[Step], depth: usize) {
        for step in steps {
            match step {
                Step::Call { routine, to, operands } => {
                    let pointers = [to].into_iter().chain(operands).map(|place| self.at(*place)).collect();
                    self.pieces.push(Piece::Call(*routine, pointers));
                }
                Step::Take { slot, word } => {
                    self.pieces.push(Piece::Take(self.slot(*slot) + word * self.word_bytes));
                }
                Step::Repeat { times, steps } => {
                    let most = self.most_turns;
                    (0..times / most).for_each(|_| self.turns(most, steps, depth));
                    self.turns(times % most, steps, depth);
                }
                Step::When { slot, word, steps } => {
                    let own = self.pieces.len();
                    let place = self.slot(*slot) + word * self.word_bytes;
                    self.pieces.push(Piece::Skip(place, own));
                    self.steps(steps, depth);
                    self.pieces[own] = Piece::Skip(place, self.pieces.len());
                }
            }
        }
    }

    fn turns(&mut self, turns: u32, steps: &[Step], depth: usize) {
        match turns {
            0 => {}
            1 => self.steps(steps, depth),
            _ => {
                self.frame.counters = self.frame.counters.max(depth + 1);
                self.pieces.push(Piece::Count(depth, turns));
                let first = self.pieces.len();
                self.steps(steps, depth + 1);
                self.pieces.push(Piece::Again(depth, first));
            }
        }
    }
}

/// Rounds in which positions settle: calls only get longer.
const ROUNDS: usize = 32;

/// The code of a program, with its routines behind it.
///
/// # Errors
/// As the processor says.
pub fn program<C: Caller>(
    caller: &C,
    program: &Program,
    routines: &[&[C::Instruction]],
) -> Result<Vec<C::Instruction>, C::Error> {
    let (mut places, mut bytes) = (Vec::with_capacity(program.slots.len()), 0);
    for words in &program.slots {
        places.push(bytes);
        bytes += words.next_multiple_of(C::ALIGNMENT) * C::WORD_BYTES;
    }
    let results = usize::from(program.has_result);
    let frame = Frame { bytes, arguments: program.operands + results, counters: 0 };
    let (word_bytes, most_turns) = (C::WORD_BYTES, C::MOST_TURNS);
    let mut all = Pieces { places, results, word_bytes, most_turns, pieces: vec![Piece::Enter], frame };
    all.steps(&program.steps, 0);
    if let Some((slot, word)) = program.returned {
        all.pieces.push(Piece::Give(all.slot(slot) + word * C::WORD_BYTES));
    }
    all.pieces.push(Piece::Leave);
    let Pieces { pieces, frame, .. } = all;
    let calls = program.calls();
    let mut order: Vec<usize> = (0..routines.len()).collect();
    order.sort_by_key(|routine| std::cmp::Reverse(calls.get(*routine)));
    // at first all is as near as can be
    let mut starts = vec![0; pieces.len()];
    let mut entries = vec![0; routines.len()];
    for _ in 0..ROUNDS {
        let mut code: Vec<C::Instruction> = Vec::new();
        let mut at = 0;
        let before = (starts.clone(), entries.clone());
        for (index, piece) in pieces.iter().enumerate() {
            starts[index] = at;
            let made = match piece {
                Piece::Enter => caller.enter(&frame)?,
                Piece::Leave => caller.leave(&frame)?,
                Piece::Give(place) => caller.give(&frame, *place)?,
                Piece::Take(place) => caller.take(&frame, *place)?,
                Piece::Call(routine, pointers) => {
                    let to = entries.get(*routine).copied().unwrap_or(0).max(at);
                    caller.call(&frame, pointers, Way { from: at, to })?
                }
                Piece::Count(counter, turns) => caller.count(&frame, *counter, *turns),
                Piece::Again(counter, first) => {
                    caller.again(&frame, *counter, Way { from: at, to: starts[*first] })?
                }
                Piece::Skip(place, next) => {
                    caller.skip(&frame, *place, Way { from: at, to: starts[*next].max(at) })?
                }
            };
            at += C::length(&made);
            code.extend(made);
        }
        for routine in &order {
            entries[*routine] = at;
            at += C::length(routines[*routine]);
            code.extend(caller.moved(routines[*routine], entries[*routine]));
        }
        if before == (starts.clone(), entries.clone()) {
            return Ok(code);
        }
    }
    Err(caller.unsettled())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls of up to 99 places take one instruction, others two.
    struct Toy;

    impl Caller for Toy {
        type Instruction = String;
        type Error = String;
        const WORD_BYTES: usize = 4;
        const MOST_TURNS: u32 = 10;

        fn length(code: &[String]) -> i64 {
            code.len() as i64
        }
        fn enter(&self, frame: &Frame) -> Result<Vec<String>, String> {
            Ok(vec![format!("enter {} {} {}", frame.bytes, frame.arguments, frame.counters)])
        }
        fn leave(&self, _: &Frame) -> Result<Vec<String>, String> {
            Ok(vec!["leave".to_owned()])
        }
        fn call(&self, _: &Frame, pointers: &[At], way: Way) -> Result<Vec<String>, String> {
            let near = format!("call {} {pointers:?}", way.to);
            match way.to - way.from {
                0..=99 => Ok(vec![near]),
                100..=999 => Ok(vec!["far".to_owned(), near]),
                _ => Err(format!("{} is too far", way.to)),
            }
        }
        fn count(&self, _: &Frame, counter: usize, turns: u32) -> Vec<String> {
            vec![format!("count {counter} {turns}")]
        }
        fn again(&self, _: &Frame, counter: usize, way: Way) -> Result<Vec<String>, String> {
            Ok(vec![format!("again {counter} {}", way.to)])
        }
        fn skip(&self, _: &Frame, place: usize, way: Way) -> Result<Vec<String>, String> {
            Ok(vec![format!("skip {place} {}", way.to)])
        }
        fn give(&self, _: &Frame, place: usize) -> Result<Vec<String>, String> {
            Ok(vec![format!("give {place}")])
        }
        fn take(&self, _: &Frame, place: usize) -> Result<Vec<String>, String> {
            Ok(vec![format!("take {place}")])
        }
        fn unsettled(&self) -> String {
            "unsettled".to_owned()
        }
    }

    fn call(routine: usize, to: Place, from: Place) -> Step {
        Step::Call { routine, to, operands: vec![from] }
    }

    fn made(steps: Vec<Step>, lengths: &[usize]) -> Result<Vec<String>, String> {
        let own = Program {
            slots: vec![2, 3],
            has_result: true,
            operands: 1,
            routines: lengths.len(),
            steps,
            returned: None,
        };
        let routines: Vec<Vec<String>> =
            lengths.iter().enumerate().map(|(at, length)| vec![format!("routine {at}"); *length]).collect();
        let routines: Vec<&[String]> = routines.iter().map(Vec::as_slice).collect();
        program(&Toy, &own, &routines)
    }

    #[test]
    fn routines_stand_behind_the_most_called_first() {
        let (slot, operand) = (Place::Slot(1), Place::Operand(0));
        let steps = vec![
            call(0, slot, operand),
            Step::Repeat {
                times: 3,
                steps: vec![call(1, Place::Slot(0), slot), call(1, slot, Place::Slot(0))],
            },
            call(1, Place::Result, slot),
        ];
        let wanted = [
            "enter 20 2 1",
            "call 10 [Frame(8), Argument(1)]",
            "count 0 3",
            "call 8 [Frame(0), Frame(8)]",
            "call 8 [Frame(8), Frame(0)]",
            "again 0 3",
            "call 8 [Argument(0), Frame(8)]",
            "leave",
            "routine 1",
            "routine 1",
            "routine 0",
        ];
        assert_eq!(made(steps, &[1, 2]).unwrap(), wanted);
    }

    #[test]
    fn branches_go_behind_what_they_leave_out() {
        let inner = call(0, Place::Part(1, 2), Place::Operand(0));
        let steps = vec![Step::When { slot: 1, word: 1, steps: vec![inner] }];
        let wanted = ["enter 20 2 0", "skip 12 3", "call 4 [Frame(16), Argument(1)]", "leave", "routine 0"];
        assert_eq!(made(steps, &[1]).unwrap(), wanted);
    }

    #[test]
    fn a_word_is_returned() {
        let returned = Some((1, 2));
        let steps = vec![call(0, Place::Result, Place::Slot(0)), Step::Take { slot: 0, word: 1 }];
        let own = Program { slots: vec![2, 3], has_result: true, operands: 0, routines: 1, steps, returned };
        let wanted =
            ["enter 20 1 0", "call 5 [Argument(0), Frame(0)]", "take 4", "give 16", "leave", "routine 0"];
        let routine = ["routine 0".to_owned()];
        assert_eq!(program(&Toy, &own, &[&routine]).unwrap(), wanted);
    }

    #[test]
    fn far_calls_are_longer() {
        let steps = |count| vec![call(0, Place::Result, Place::Operand(0)); count];
        let far = |code: &[String]| code.iter().filter(|one| *one == "far").count();
        let own = made(steps(150), &[1]).unwrap();
        // the last calls are near
        assert_eq!((far(&own), own.len()), (52, 150 + 52 + 3));
        for (at, one) in own.iter().enumerate().filter(|(_, one)| one.starts_with("call")) {
            assert!(one.starts_with(&format!("call {} ", own.len() - 1)), "{at}: {one}");
        }
        assert!(made(steps(2000), &[1]).unwrap_err().ends_with("is too far"));
    }

    #[test]
    fn turns_beyond_a_counter_are_several_loops() {
        let inner = Step::Repeat { times: 2, steps: vec![call(0, Place::Result, Place::Operand(0))] };
        let code = made(vec![Step::Repeat { times: 21, steps: vec![inner] }], &[1]).unwrap();
        let counts: Vec<&str> =
            code.iter().filter(|one| one.starts_with("count")).map(String::as_str).collect();
        assert_eq!(counts, ["count 0 10", "count 1 2", "count 0 10", "count 1 2", "count 0 2"]);
        assert_eq!(code[0], "enter 20 2 2");
        assert_eq!(code.iter().filter(|one| one.starts_with("again 0")).count(), 3);
    }
}

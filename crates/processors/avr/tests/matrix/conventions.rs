//! The conventions beside avr-gcc's, on our own simulator: what arrives where, what is kept, and that Y
//! is left alone.

use crate::matrix::case::cases;
use crate::matrix::kernels::{self, LARGE, LARGEST, Request};
use crate::matrix::routine::Routine;
use crate::matrix::run::{Failure, call};
use crate::matrix::simulate::report;
use rhomb_avr::conventions::{AVR_GCC, CROSSWORKS, Convention, IAR};
use rhomb_avr::cores::core;
use rhomb_avr::instructions::{Instruction, Op};
use rhomb_avr::lower::{Array, Kernel, Limits, LowerError, routine_within};
use rhomb_kernel::{Parameters, Task, walks};
use rhomb_machine::Fault;
use rhomb_oracles::parallel;

pub(crate) const OTHERS: [&Convention; 2] = [&IAR, &CROSSWORKS];

/// The kernel of a request, if registers last; nothing else may stand in the way.
pub(crate) fn fits(request: &Request, convention: &'static Convention) -> Option<Kernel> {
    match request.lower_by(convention, core("atmega128").unwrap()) {
        Ok(kernel) => Some(kernel),
        Err(LowerError::Registers { .. }) => None,
        Err(error) => panic!("{} {request}: {error}", convention.name),
    }
}

pub(crate) fn check(
    variant: &str,
    convention: &'static Convention,
    request: &Request,
    kernel: &Kernel,
    random: usize,
) -> usize {
    let routine = request.routine_by(convention, core("atmega128").unwrap(), kernel);
    routine.note(&format!("{} {request}{variant}", convention.name));
    let cases = cases(&routine, request.seed(), random);
    for case in &cases {
        if let Err(failure) = call(&routine, case) {
            panic!("{} {request}: {failure:?}\n{case:?}", convention.name);
        }
    }
    cases.len()
}

#[test]
fn every_method_keeps_every_convention() {
    let tasks: Vec<_> = kernels::sizes()
        .into_iter()
        .flat_map(|(method, words)| OTHERS.map(|convention| (convention, method, words)))
        .collect();
    let counts = parallel::each(&tasks, |(convention, method, words)| {
        let requests = kernels::list(method, *words).into_iter();
        // all of the small sizes, some of the others
        let requests = requests.filter(|request| *words <= 6 || request.part(12) == 0);
        let kernels = requests.filter_map(|request| Some((request, fits(&request, convention)?)));
        kernels.fold((0, 0), |sum, (request, kernel)| {
            (sum.0 + 1, sum.1 + check("", convention, &request, &kernel, 6))
        })
    });
    report("other conventions", &counts);
}

/// Arrays beyond the reach of a displacement.
#[test]
fn large_sizes_keep_every_convention() {
    let tasks: Vec<_> = LARGE
        .into_iter()
        .flat_map(kernels::large)
        // each by one of them
        .map(|request| (OTHERS[request.part(2) as usize], request))
        .collect();
    let counts = parallel::each(&tasks, |(convention, request)| match fits(request, convention) {
        Some(kernel) => (1, check("", convention, request, &kernel, 1)),
        None => (0, 0),
    });
    report("other conventions, large", &counts);
}

/// Every method works for every size with its parameters left open or small.
#[test]
fn no_size_is_left_out() {
    for convention in OTHERS {
        for method in walks() {
            for words in 1..=LARGEST {
                let small =
                    Parameters { cache: Some(4), carry_once: Some(2), rows: Some(2), ..Parameters::OPEN };
                let request = Request::new(method.name, words, small);
                assert!(fits(&request, convention).is_some(), "{} {request}", convention.name);
            }
        }
    }
}

/// One convention's routine called by another is noticed.
#[test]
fn the_wrong_convention_is_noticed() {
    let all = [&AVR_GCC, &IAR, &CROSSWORKS];
    let core = core("atmega128").unwrap();
    for made in all {
        for called in all.into_iter().filter(|called| *called != made) {
            for words in [1, 4, 12] {
                let request = Request::new(
                    "operand-caching",
                    words,
                    Parameters { cache: Some(4), ..Parameters::default() },
                );
                let kernel = fits(&request, made).unwrap();
                let routine = Routine::by(called, core, words, &kernel);
                let cases = cases(&routine, 1, 4);
                let noticed = cases.iter().any(|case| call(&routine, case).is_err());
                assert!(noticed, "{} called by {}", made.name, called.name);
            }
        }
    }
}

/// Which array X points to is the caller's choice, with two pointers and with three.
#[test]
fn x_may_point_to_any_array() {
    let core = core("atmega128").unwrap();
    for convention in [&AVR_GCC, &IAR, &CROSSWORKS] {
        let mut adjusted = [0; 3];
        for words in [1, 2, 7, 16, 20, 33, 40, 64, 70] {
            for (array, adjusted) in Array::ARGUMENTS.into_iter().zip(&mut adjusted) {
                let parameters = Parameters { cache: Some(8), ..Parameters::OPEN };
                let request = Request::new("operand-caching", words, parameters);
                let walk = request.method.walk(words, &parameters).unwrap();
                let limits = Limits { on_x: Some(array), ..Limits::NONE };
                match routine_within(&Task::Multiplication(walk), core, convention, &limits) {
                    Ok(kernel) => {
                        check(&format!(", X {array:?}"), convention, &request, &kernel, 6);
                        *adjusted += kernel.cycles.unwrap();
                    }
                    // with two pointers not every array can do without an adjustment where a carry waits
                    Err(error) => {
                        assert_eq!((convention.name != "avr-gcc", error), (true, LowerError::Pointers))
                    }
                }
            }
        }
        assert!(adjusted[0] != adjusted[1] && adjusted[1] != adjusted[2], "{adjusted:?}");
    }
}

/// Y may not change, not even for a while.
#[test]
fn a_borrowed_y_is_noticed() {
    for convention in OTHERS {
        let request =
            Request::new("product-scanning", 4, Parameters { cache: Some(4), ..Parameters::default() });
        let kernel = fits(&request, convention).unwrap();
        let mut program = kernel.program.clone();
        let save = [
            Instruction::rk(Op::Push, 28, 0),
            Instruction::dk(Op::Ldi, 28, 1),
            Instruction::dk(Op::Pop, 28, 0),
        ];
        program.splice(0..0, save);
        let broken = Kernel { program, saves: [vec![28], kernel.saves.clone()].concat(), ..kernel };
        let routine = Routine::by(convention, core("atmega128").unwrap(), 4, &broken);
        let failure = call(&routine, &cases(&routine, 1, 1)[0]).unwrap_err();
        assert!(matches!(failure, Failure::Fault(Fault::NotModelled { .. })), "{failure:?}");
    }
}

/// Each register that is saved is needed: without its save or restore the evidence fails.
#[test]
fn a_lost_restore_is_noticed() {
    for convention in OTHERS {
        let request =
            Request::new("operand-caching", 8, Parameters { cache: Some(4), ..Parameters::default() });
        let kernel = fits(&request, convention).unwrap();
        for number in 0..kernel.saves.len() {
            let mut program = kernel.program.clone();
            let last = program.len() - 2 - number;
            assert_eq!((program[number].op, program[last].op), (Op::Push, Op::Pop));
            program.remove(last);
            program.remove(number);
            let broken = Kernel { program, saves: kernel.saves[1..].to_vec(), ..kernel.clone() };
            let routine = Routine::by(convention, core("atmega128").unwrap(), 8, &broken);
            let cases = cases(&routine, 1, 4);
            assert!(cases.iter().any(|case| call(&routine, case).is_err()), "{} {number}", convention.name);
        }
    }
}

//! Work spread over the processors.

use std::sync::atomic::{AtomicUsize, Ordering};

/// `work` on each task, in any order; the results in the order of the tasks. A worker keeps the state
/// that `start` gives it.
///
/// # Panics
/// Where `work` does.
pub fn each_with<T: Sync, S, R: Send>(
    tasks: &[T],
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, |count| count.get()).min(tasks.len());
    let worker = || {
        let mut state = start();
        let mut results = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = tasks.get(index) else { return results };
            results.push((index, work(&mut state, task)));
        }
    };
    let mut results: Vec<(usize, R)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a check failed above")).collect()
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// The same without state.
///
/// # Panics
/// As there.
pub fn each<T: Sync, R: Send>(tasks: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    each_with(tasks, || (), |(), task| work(task))
}

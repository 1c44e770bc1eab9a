//! Work that takes long: on how many threads it is done, and who is told how far it is.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// How far work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done, such as `trying candidates`.
    pub phase: &'static str,
    /// How many of how many steps are done, where they are counted.
    pub steps: Option<(usize, usize)>,
    /// Function cycles of the best routine so far.
    pub best: Option<u64>,
}

/// Who is told.
pub type Told = Arc<dyn Fn(Progress) + Send + Sync>;

/// How work is done. It has no influence on what comes out.
#[derive(Clone, Default)]
pub struct Work {
    /// Threads; as many as the machine has when open.
    pub jobs: Option<NonZeroUsize>,
    /// Who is told how far it is.
    pub told: Option<Told>,
}

impl Work {
    /// Threads for so many steps.
    pub(crate) fn threads(&self, steps: usize) -> usize {
        let machine = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(machine, usize::from).min(steps).max(1)
    }

    /// Does it for each of the items, on that many threads, and tells how far it is. The results stand in the order of
    /// the items.
    pub fn each<T: Sync, R: Send>(
        &self,
        phase: &'static str,
        items: &[T],
        one: impl Fn(&T) -> R + Sync,
    ) -> Vec<R> {
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let results = Mutex::new(Vec::with_capacity(items.len()));
        let work = || loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return };
            let result = one(item);
            results.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            self.told(Progress { phase, steps: Some((done, items.len())), best: None });
        };
        std::thread::scope(|scope| {
            for _ in 1..self.threads(items.len()) {
                scope.spawn(work);
            }
            work();
        });
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.sort_by_key(|(index, _)| *index);
        results.into_iter().map(|(_, result)| result).collect()
    }

    /// Says what is done now.
    pub(crate) fn tell(&self, phase: &'static str) {
        self.told(Progress { phase, steps: None, best: None });
    }

    /// Says how far it is.
    pub(crate) fn told(&self, progress: Progress) {
        if let Some(told) = &self.told {
            told(progress);
        }
    }
}

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Work").field("jobs", &self.jobs).finish_non_exhaustive()
    }
}

/// Requests are compared by what comes out.
impl PartialEq for Work {
    fn eq(&self, _: &Work) -> bool {
        true
    }
}

impl Eq for Work {}

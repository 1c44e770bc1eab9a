//! Work that takes long: on how many threads it is done, and who is told how far it is.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;

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

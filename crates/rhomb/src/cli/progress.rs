//! A sign of life while work takes long: a line that changes on a terminal, else a line now and then.

use super::Settings;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rhomb::{Progress, Work};
use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Work that is done sooner shows nothing on a terminal.
const PATIENCE: Duration = Duration::from_millis(500);
/// Time between lines where there is no terminal.
const BETWEEN: Duration = Duration::from_secs(10);
/// Time between changes on a terminal.
const TICK: Duration = Duration::from_millis(100);

/// Does `work`, which may tell how far it is; shows that on standard error.
pub(super) fn during<T>(settings: &Settings, phase: &'static str, work: impl FnOnce(Work) -> T) -> T {
    let last = Arc::new(Mutex::new(Progress { phase, steps: None, best: None }));
    let told = Arc::clone(&last);
    let tell = move |progress| *told.lock().unwrap_or_else(PoisonError::into_inner) = progress;
    let own = Work { jobs: settings.jobs, told: Some(Arc::new(tell)) };
    // for those who compare what is printed
    let is_off = std::env::var_os("RHOMB_PROGRESS").is_some_and(|value| value == "off");
    if settings.quiet || is_off {
        return work(own);
    }
    std::thread::scope(|scope| {
        let (done, waiting) = channel::<()>();
        scope.spawn(move || {
            let start = Instant::now();
            let text = || describe(*last.lock().unwrap_or_else(PoisonError::into_inner), start.elapsed());
            let ended = |time| waiting.recv_timeout(time) != Err(RecvTimeoutError::Timeout);
            if !std::io::stderr().is_terminal() {
                while !ended(BETWEEN) {
                    eprintln!("{}", text());
                }
                return;
            }
            if ended(PATIENCE) {
                return;
            }
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                bar.set_style(style);
            }
            loop {
                bar.set_message(text());
                bar.tick();
                if ended(TICK) {
                    break;
                }
            }
            bar.finish_and_clear();
        });
        let result = work(own);
        drop(done);
        result
    })
}

/// `trying candidates 12/39, best 18662 cycles, 20 s`.
fn describe(Progress { phase, steps, best }: Progress, time: Duration) -> String {
    let steps = steps.map(|(done, all)| format!(" {done}/{all}")).unwrap_or_default();
    let best = best.map(|best| format!(", best {best} cycles")).unwrap_or_default();
    format!("{phase}{steps}{best}, {} s", time.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_phase_count_best_and_time() {
        let progress = Progress { phase: "trying candidates", steps: Some((12, 39)), best: Some(5185) };
        let time = Duration::from_millis(20_400);
        assert_eq!(describe(progress, time), "trying candidates 12/39, best 5185 cycles, 20 s");
        assert_eq!(
            describe(Progress { steps: None, best: None, ..progress }, time),
            "trying candidates, 20 s"
        );
    }
}

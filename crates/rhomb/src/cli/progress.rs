//! A sign of life on a terminal while work takes long.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Work that is done sooner shows nothing.
const PATIENCE: Duration = Duration::from_millis(500);

/// Does `work`, which tells how many of how many steps are done; shows it on standard error if that is a
/// terminal.
pub(super) fn counted<T>(what: &'static str, work: impl FnOnce(&(dyn Fn(usize, usize) + Sync)) -> T) -> T {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {pos}/{len} {elapsed}") {
        bar.set_style(style);
    }
    bar.set_message(what);
    let result = work(&|done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    result
}

/// Does `work`; says `what` on standard error if that is a terminal and the work goes on for long.
pub(super) fn during<T>(what: &'static str, work: impl FnOnce() -> T) -> T {
    std::thread::scope(|scope| {
        let (done, waiting) = channel::<()>();
        scope.spawn(move || {
            if waiting.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
                bar.set_style(style);
            }
            bar.set_message(what);
            bar.enable_steady_tick(Duration::from_millis(100));
            let _ = waiting.recv();
            bar.finish_and_clear();
        });
        let result = work();
        drop(done);
        result
    })
}

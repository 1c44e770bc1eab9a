//! `tune`.

use super::arguments::{Format, Tune};
use super::{Settings, print, progress};
use rhomb::suite::Shard;
use rhomb::{Error, Parameters, Request, Tuning};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_shutdown};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub(super) fn tune(arguments: &Tune, settings: &Settings) -> Result<(), Error> {
    let Tune { operation, bits, target, levels, trail, .. } = arguments;
    let request = Request {
        operation: operation.clone(),
        bits: *bits,
        target: target.clone(),
        parameters: Parameters { levels: *levels, ..Parameters::OPEN },
        trail: trail.clone(),
        ..Request::default()
    };
    let (start, time) = (Instant::now(), Duration::from_secs(arguments.seconds as u64));
    let stopped = stopped();
    let has_time = || arguments.searches.is_some() || start.elapsed() < time;
    let goes_on = || has_time() && !stopped.load(Ordering::Relaxed);
    let tuning = Tuning {
        seed: arguments.seed as u32,
        shard: arguments.shard.parse::<Shard>()?,
        searches: arguments.searches,
        goes_on: &goes_on,
    };
    let tuned =
        progress::during(settings, "searching", |work| rhomb::tune(&Request { work, ..request }, &tuning))?;
    print(&match arguments.format {
        Format::Text => tuned.text(),
        Format::Json => tuned.json() + "\n",
    })
}

/// Whether a signal asked to stop: then the searches that run are the last ones, and the best is printed. A second one ends the
/// program at once.
fn stopped() -> Arc<AtomicBool> {
    let stopped = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // in this order, so that the second signal finds what the first one left; where signals can't be had, the first one ends it
        let _ = register_conditional_shutdown(signal, 128 + signal, Arc::clone(&stopped))
            .and_then(|_| register(signal, Arc::clone(&stopped)));
    }
    stopped
}

//! `tune`.

use super::arguments::{Format, Tune};
use super::{Settings, print, progress};
use rhomb::suite::Shard;
use rhomb::{Error, Parameters, Request, Tuning};
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
    let goes_on = || arguments.searches.is_some() || start.elapsed() < time;
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

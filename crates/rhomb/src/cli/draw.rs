//! `draw`.

use super::arguments::{ChartAbout, Draw};
use super::{print, progress};
use rhomb::{About, Error, files};

pub(super) fn draw(arguments: &Draw) -> Result<(), Error> {
    let request = arguments.request()?;
    let picture = match arguments.chart {
        None => progress::during("making the routine", || rhomb::draw(&request))?,
        Some(about) => {
            let about = match about {
                ChartAbout::Sizes => About::Sizes,
                ChartAbout::Caches => About::Caches,
                ChartAbout::CarryOnce => About::CarryOnce,
                ChartAbout::Splits => About::Splits,
            };
            progress::during("making and simulating the routines", || rhomb::chart(&request, about))?
        }
    };
    match arguments.output.as_os_str() == "-" {
        true => print(&picture),
        false => files::write_all(&[(arguments.output.clone(), &picture)]).map_err(|error| {
            let hint = "nothing was written; -o names a file that can be written, -o - standard output";
            Error::request(error.fault, hint)
        }),
    }
}

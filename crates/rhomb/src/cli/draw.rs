//! `draw`.

use super::arguments::{ChartAbout, Draw, Theme};
use super::{Settings, print, progress};
use clap::ValueEnum;
use rhomb::{About, Error, Request, files};
use std::path::{Path, PathBuf};

pub(super) fn draw(arguments: &Draw, settings: &Settings) -> Result<(), Error> {
    let request = arguments.request()?;
    let chart = arguments.chart.and_then(|about| about.to_possible_value());
    let of = chart.map(|about| format!("-{}", about.get_name())).unwrap_or_default();
    let field = [&request.modulus, &request.polynomial, &request.curve].into_iter().flatten().next();
    let size = match (request.bits, field) {
        (0, Some(field)) => {
            format!("_{}", field.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_"))
        }
        (0, None) => String::new(),
        (bits, _) => bits.to_string(),
    };
    let name = format!("{}{size}{of}", request.operation);
    let picture = match arguments.chart {
        None => {
            let drawn = |work| rhomb::draw(&Request { work, ..request });
            progress::during(settings, "generating the routine", drawn)?
        }
        Some(about) => {
            let about = match about {
                ChartAbout::Sizes => About::Sizes,
                ChartAbout::Caches => About::Caches,
                ChartAbout::CarryOnce => About::CarryOnce,
                ChartAbout::Splits => About::Splits,
            };
            let drawn = |work| rhomb::chart(&Request { work, ..request }, about);
            progress::during(settings, "generating and simulating the routines", drawn)?
        }
    };
    let picture = match arguments.theme {
        Theme::Light => picture,
        Theme::Dark => rhomb::dark(&picture),
    };
    if arguments.output.as_os_str() == "-" {
        return print(&picture);
    }
    let path = place(&arguments.output, &name);
    if !arguments.force {
        files::check_picture(&path)?;
    }
    files::write_all(&[(path.clone(), &picture)])?;
    match settings.quiet {
        true => Ok(()),
        false => print(&format!("{}\n", path.strip_prefix(".").unwrap_or(&path).display())),
    }
}

/// The file: in a folder, unless it is one itself.
fn place(output: &Path, name: &str) -> PathBuf {
    let is_picture = output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
    if is_picture { output.to_owned() } else { output.join(format!("{name}.svg")) }
}

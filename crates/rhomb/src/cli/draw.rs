//! `draw`.

use super::arguments::{ChartAbout, Draw, PictureFormat, Theme};
use super::{Settings, print, progress, write_out};
use clap::ValueEnum;
use rhomb::{About, Error, Request, files};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Pixels of a PNG for each of the SVG's: screens with fine pixels show it sharp.
const SCALE: u32 = 2;
/// Endings of pictures that are not drawn.
const OTHERS: [&str; 10] = ["pdf", "eps", "ps", "jpg", "jpeg", "gif", "webp", "bmp", "tif", "tiff"];

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
    let (path, format) = place(&arguments.output, &name, arguments.format)?;
    let is_printed = arguments.output.as_os_str() == "-";
    if is_printed && format == PictureFormat::Png && std::io::stdout().is_terminal() {
        let fault = "a terminal shows no PNG; valid: -o with a file's name or a folder, or a pipe";
        return Err(Error::request(fault, format_args!("-o {name}.png")));
    }
    if !is_printed && !arguments.force {
        files::check_picture(&path)?;
    }
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
    let written = match format {
        PictureFormat::Svg => Ok(picture.into_bytes()),
        PictureFormat::Png => rhomb_draw::png(&picture, SCALE),
        PictureFormat::Tikz => rhomb_draw::tikz(&picture).map(String::into_bytes),
    };
    let written =
        written.map_err(|error| Error::request(error, "this is a fault of rhomb; please report it"))?;
    if is_printed {
        return write_out(std::io::stdout().lock(), &written);
    }
    files::write_all(&[(path.clone(), written)])?;
    match settings.quiet {
        true => Ok(()),
        false => print(&format!("{}\n", path.strip_prefix(".").unwrap_or(&path).display())),
    }
}

/// The file, in a folder unless it is one itself, and how it is written.
fn place(
    output: &Path,
    name: &str,
    wanted: Option<PictureFormat>,
) -> Result<(PathBuf, PictureFormat), Error> {
    let ending = output.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let own = match ending.as_str() {
        "svg" => Some(PictureFormat::Svg),
        "png" => Some(PictureFormat::Png),
        "tex" | "tikz" => Some(PictureFormat::Tikz),
        other if OTHERS.contains(&other) && !output.is_dir() => {
            let fault = format!(
                "{}: no picture is written as {other}; valid: names that end with .svg, .png or .tex",
                output.display()
            );
            return Err(Error::request(fault, "browsers print SVG as PDF; LaTeX makes a PDF of TikZ"));
        }
        _ => None,
    };
    let format = wanted.or(own).unwrap_or(PictureFormat::Svg);
    let end = match format {
        PictureFormat::Svg => "svg",
        PictureFormat::Png => "png",
        PictureFormat::Tikz => "tex",
    };
    match own {
        Some(own) if own != format => {
            let fault = format!(
                "--format contradicts the name {}; valid: {}, or no --format",
                output.display(),
                output.with_extension(end).display()
            );
            Err(Error::request(fault, "nothing was written; the name's ending tells the format"))
        }
        Some(_) => Ok((output.to_owned(), format)),
        None => Ok((output.join(format!("{name}.{end}")), format)),
    }
}

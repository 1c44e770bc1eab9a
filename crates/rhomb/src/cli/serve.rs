//! `page`: serves the page to this machine alone.

use super::arguments::Page;
use super::{Settings, print};
use rhomb::Error;
use rhomb::files::{self, Input};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use tiny_http::{Header, Method, Request, Response, Server};

/// The files that `./page` made, in a program that was built with them.
#[cfg(feature = "page")]
#[derive(rust_embed::RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../target/page"]
struct Embedded;

/// The first file that a browser wants.
const FIRST: &str = "index.html";

pub(super) fn page(arguments: &Page, settings: &Settings) -> Result<(), Error> {
    // what cannot be served is told before a browser asks
    content(arguments.folder.as_deref(), FIRST)?;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, arguments.port));
    let server = Server::http(address).map_err(|error| {
        let told = error.to_string().to_lowercase();
        let reason = told.split(" (os error").next().unwrap_or_default();
        let fault = format!("cannot serve at {address}: {reason}");
        Error::request(fault, "leave --port out for one that is free")
    })?;
    if !settings.quiet {
        print(&format!("http://{}/\n", server.server_addr()))?;
    }
    for request in server.incoming_requests() {
        // a browser that went away is no fault
        let _ = answer(request, arguments.folder.as_deref());
    }
    Ok(())
}

fn answer(request: Request, folder: Option<&Path>) -> io::Result<()> {
    if !matches!(request.method(), Method::Get | Method::Head) {
        return request.respond(Response::empty(405));
    }
    let path = request.url().split(['?', '#']).next().unwrap_or_default();
    let name = match path.strip_prefix('/') {
        Some("") | None => FIRST,
        Some(name) => name,
    };
    match content(folder, name) {
        Ok(bytes) => {
            let header = |name: &str, value: &str| {
                Header::from_bytes(name, value).unwrap_or_else(|()| unreachable!("plain text"))
            };
            let response = Response::from_data(bytes)
                .with_header(header("Content-Type", kind(name)))
                .with_header(header("Cache-Control", "no-cache"));
            request.respond(response)
        }
        Err(_) => request.respond(Response::empty(404)),
    }
}

/// A file of the page; all of them lie in one folder.
fn content(folder: Option<&Path>, name: &str) -> Result<Vec<u8>, Error> {
    let letter = |letter: char| letter.is_ascii_alphanumeric() || ".-".contains(letter);
    if name.starts_with('.') || !name.chars().all(letter) {
        return Err(Error::request("no file of the page", "the page names them"));
    }
    match folder {
        Some(folder) => files::read(&folder.join(name), Input::Page),
        None => embedded(name),
    }
}

#[cfg(feature = "page")]
fn embedded(name: &str) -> Result<Vec<u8>, Error> {
    let file = Embedded::get(name);
    file.map(|file| file.data.into_owned())
        .ok_or_else(|| Error::request("no file of the page", "the page names them"))
}

#[cfg(not(feature = "page"))]
fn embedded(_: &str) -> Result<Vec<u8>, Error> {
    Err(Error::request(
        "this rhomb was built without the page",
        "./page builds it into target/page; then `rhomb page --folder target/page`, or build rhomb with `--features page`",
    ))
}

/// The type of a file by its name.
fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}

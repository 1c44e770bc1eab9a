//! `page`: serves the page to this machine alone.

use super::arguments::Page;
use super::{Settings, print};
use oxhttp::Server;
use oxhttp::model::header::{CACHE_CONTROL, CONTENT_TYPE};
use oxhttp::model::{Body, HeaderValue, Method, Request, Response, StatusCode};
use rhomb::Error;
use rhomb::files::{self, Input};
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;

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
    let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, arguments.port));
    let refused = |error: io::Error| {
        let told = error.to_string().to_lowercase();
        let reason = told.split(" (os error").next().unwrap_or_default();
        let fault = format!("cannot serve at {wanted}: {reason}");
        Error::request(fault, "leave --port out for one that is free")
    };
    // the server does not tell which port the system chose
    let address = TcpListener::bind(wanted).and_then(|free| free.local_addr()).map_err(refused)?;
    let folder = arguments.folder.clone();
    // each connection has a thread: a browser keeps several, and none may wait for another
    let server = Server::new(move |request| answer(request, folder.as_deref()));
    let server = server.bind(address).spawn().map_err(refused)?;
    if !settings.quiet {
        print(&format!("http://{address}/\n"))?;
    }
    server.join().map_err(refused)
}

fn answer(request: &Request<Body>, folder: Option<&Path>) -> Response<Body> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return empty(StatusCode::METHOD_NOT_ALLOWED);
    }
    let name = match request.uri().path() {
        "/" => FIRST,
        path => path.strip_prefix('/').unwrap_or(path),
    };
    let Ok(bytes) = content(folder, name) else {
        return empty(StatusCode::NOT_FOUND);
    };
    let mut body = Body::from(bytes);
    if *request.method() == Method::HEAD {
        // a body that was read tells its length, and has nothing more to send
        let _ = io::copy(&mut body, &mut io::sink());
    }
    let mut response = Response::new(body);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind(name)));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

fn empty(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
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

//! The page: what `rhomb page` serves, and with the oracles a visit by a browser.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A server that ends with the test.
struct Served {
    child: Child,
    /// With its final slash.
    address: String,
}

impl Served {
    fn of(folder: &Path) -> Served {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rhomb"))
            .args(["page", "--folder"])
            .arg(folder)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Served { child, address: address.trim_end().to_owned() }
    }

    fn host(&self) -> &str {
        self.address.trim_start_matches("http://").trim_end_matches('/')
    }

    /// The answer to a request for a path, from its first line on.
    fn get(&self, path: &str) -> String {
        self.ask("GET", path)
    }

    fn ask(&self, method: &str, path: &str) -> String {
        let host = self.host();
        let mut stream = TcpStream::connect(host).unwrap();
        write!(stream, "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn one_folder_is_served_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page");
    std::fs::create_dir(&page).unwrap();
    std::fs::write(page.join("index.html"), "<p>first</p>").unwrap();
    std::fs::write(page.join("core.wasm"), "\0asm").unwrap();
    std::fs::write(folder.path().join("secret"), "elsewhere").unwrap();
    let served = Served::of(&page);
    assert!(served.address.starts_with("http://127.0.0.1:"), "{}", served.address);
    for path in ["/", "/index.html", "/?x=1"] {
        let answer = served.get(path);
        assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("<p>first</p>"), "{answer}");
        assert!(answer.contains("text/html"), "{answer}");
    }
    assert!(served.get("/core.wasm").contains("application/wasm"));
    for path in ["/secret", "/../secret", "/%2e%2e/secret", "//etc/passwd", "/."] {
        assert!(served.get(path).starts_with("HTTP/1.1 404"), "{path}");
    }
    // a length, and nothing of that length
    let answer = served.ask("HEAD", "/").to_lowercase();
    assert!(answer.starts_with("http/1.1 200") && answer.contains("content-length: 12\r\n"), "{answer}");
    assert!(answer.contains("cache-control: no-cache\r\n") && answer.ends_with("\r\n\r\n"), "{answer}");
    assert!(served.ask("POST", "/").starts_with("HTTP/1.1 405"));
}

/// A browser opens some connections at once, and keeps all of them: none may wait for another to end.
#[test]
fn each_of_many_connections_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("index.html"), "<p>first</p>").unwrap();
    let served = Served::of(folder.path());
    let host = served.host();
    let mut open = (0..40).map(|_| TcpStream::connect(host).unwrap()).collect::<Vec<_>>();
    for time in ["first", "second"] {
        for (number, stream) in open.iter_mut().enumerate() {
            stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
            write!(stream, "GET / HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
            let mut answer = Vec::new();
            while !answer.ends_with(b"<p>first</p>") {
                let mut part = [0; 512];
                let length = stream.read(&mut part).unwrap_or_default();
                assert!(
                    length > 0,
                    "{time} request of connection {number}: {}",
                    String::from_utf8_lossy(&answer)
                );
                answer.extend(&part[..length]);
            }
        }
    }
}

#[test]
fn what_cannot_be_served_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_rhomb"))
        .args(["page", "--folder"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("cannot read") && said.contains("./page"), "{said}");
    std::fs::write(folder.path().join("index.html"), "<p>first</p>").unwrap();
    let served = Served::of(folder.path());
    let (_, port) = served.host().split_once(':').unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_rhomb"))
        .args(["page", "--port", port, "--folder"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains(&format!("cannot serve at {}: address", served.host())), "{said}");
    assert!(said.contains("--port"), "{said}");
}

#[cfg(feature = "oracles")]
#[test]
fn a_browser_does_what_a_visitor_does() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // AVR's alone, built quickly, unless all is asked for
    let all = ["avr", "arm", "mips", "riscv", "c55x"];
    let processors = &all[..rhomb_oracles::sample(1, all.len())];
    rhomb_oracles::build_page(processors);
    let served = Served::of(&workspace.join("target/page"));
    let object = workspace.join("crates/rhomb/tests/data/museum.o");
    let figures = rhomb_oracles::visit_page(&served.address, &object, processors);
    println!("{figures:?}");
    // half a minute is what a busy machine takes for what takes a second
    for (what, milliseconds) in &figures {
        assert!(*milliseconds < 30_000.0, "{what}: {milliseconds} ms");
    }
    for processor in processors {
        let core = std::fs::read(workspace.join(format!("target/page/core-{processor}.wasm"))).unwrap();
        assert!(core.starts_with(b"\0asm"), "{processor}");
    }
}

use crate::place::{missing, place, workspace};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A script of `tests/oracles` in a child process that answers each line of JSON with one.
pub(crate) struct Script {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Script {
    /// Starts a script that uses a package of the harnesses' folder, in Python.
    pub(crate) fn python(script: &str, package: &str, arguments: &[&str]) -> Self {
        let packages = place().join("python");
        let arguments: Vec<String> = arguments.iter().map(|one| (*one).to_owned()).collect();
        Script::start("python3", script, &packages, &packages.join(package), &arguments)
    }

    /// The same in Node.
    pub(crate) fn node(script: &str, package: &str, arguments: &[String]) -> Self {
        let package = place().join("node_modules").join(package);
        Script::start("node", script, &package, &package, arguments)
    }

    fn start(tool: &str, script: &str, packages: &Path, package: &Path, arguments: &[String]) -> Self {
        if !package.exists() {
            missing(&package.display().to_string(), &"not installed");
        }
        let child = Command::new(tool)
            .arg(workspace().join("tests/oracles").join(script))
            .arg(packages.canonicalize().expect("it exists"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut child = child.unwrap_or_else(|error| missing(tool, &error));
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("stdout is piped"));
        Script { child, input, output }
    }

    /// One exchange.
    pub(crate) fn ask<Q: Serialize + ?Sized, A: DeserializeOwned>(&mut self, question: &Q) -> A {
        let input = self.input.as_mut().expect("open until drop");
        let mut line = serde_json::to_vec(question).expect("questions are plain data");
        line.push(b'\n');
        input.write_all(&line).and_then(|()| input.flush()).expect("the script takes questions");
        let mut answer = String::new();
        self.output.read_line(&mut answer).expect("the script answers");
        serde_json::from_str(&answer).expect("the script answers in JSON")
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        // end of input ends the child
        self.input = None;
        let _ = self.child.wait();
    }
}

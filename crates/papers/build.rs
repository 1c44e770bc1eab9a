//! Makes JSON of the data files, which the library reads: TOML is easy to write, and its reader large.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=figures");
    let to = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names a folder"));
    for entry in fs::read_dir("figures").expect("the data are there") {
        let path = entry.expect("the folder can be read").path();
        let Some(name) = path.file_stem().filter(|_| path.extension().is_some_and(|ending| ending == "toml"))
        else {
            continue;
        };
        let text = fs::read_to_string(&path).expect("a text");
        let table: toml::Table = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let json = serde_json::to_string(&table).expect("all values are there in JSON");
        fs::write(to.join(name).with_extension("json"), json).expect("the folder can be written");
    }
}

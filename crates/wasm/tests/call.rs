//! The requests of the page, answered without a browser.

use rhomb_wasm::call;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// The answer to a request.
fn ask(request: &Value) -> Value {
    serde_json::from_str(&call(request.to_string().as_bytes())).unwrap()
}

/// The answer to a request that can be met.
#[track_caller]
fn good(request: &Value) -> Value {
    let mut answer = ask(request);
    assert!(answer["error"].is_null(), "{answer}");
    answer["ok"].take()
}

/// A product of 16-bit numbers on an AVR, and a request about its listing.
fn product() -> (Value, Value) {
    let made = good(&json!({ "do": "generate", "operation": "mul", "bits": 16, "target": "atmega128" }));
    let about = json!({
        "do": "verify",
        "text": made["assembly"],
        "target": "atmega128",
        "syntax": made["report"]["syntax"],
        "convention": made["report"]["convention"],
        "contract": made["contract"],
    });
    (made, about)
}

/// The listing without a line; the others keep their numbers.
fn without(text: &Value, line: usize) -> String {
    let lines = text.as_str().unwrap().split('\n').enumerate();
    lines.map(|(at, text)| if at + 1 == line { "" } else { text }).collect::<Vec<_>>().join("\n")
}

/// The lines of instructions with a mnemonic.
fn lines(made: &Value, mnemonic: &str) -> Vec<usize> {
    let text: Vec<&str> = made["assembly"].as_str().unwrap().split('\n').collect();
    let places = made["places"].as_array().unwrap().iter().map(|place| place[0].as_u64().unwrap() as usize);
    places.filter(|line| text[line - 1].trim().starts_with(mnemonic)).collect()
}

/// The page reads what there is from a file, before any module is there: `RHOMB_LIST=overwrite` makes it anew.
#[test]
fn the_list_of_the_page_is_what_there_is() {
    let list = format!("{:#}\n", good(&json!({ "do": "list" })));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/list.json");
    if std::env::var_os("RHOMB_LIST").is_some_and(|value| value == "overwrite") {
        fs::write(&path, &list).unwrap();
    }
    assert!(
        fs::read_to_string(&path).unwrap() == list,
        "web/list.json is out of date: RHOMB_LIST=overwrite makes it anew"
    );
}

/// Each table's programs are for cores of one module, which the page asks for it.
#[test]
fn a_table_needs_one_module() {
    let list = good(&json!({ "do": "list" }));
    let module = |core: &str| {
        let target = list["targets"].as_array().unwrap().iter().find(|one| one["name"] == core);
        target.unwrap()["module"].clone()
    };
    for paper in rhomb_papers::tables::Paper::ALL {
        for table in paper.tables() {
            let modules: Vec<Value> = rhomb::cores(&table).into_iter().map(module).collect();
            assert!(
                modules.windows(2).all(|pair| pair[0] == pair[1]),
                "{} {}: {modules:?}",
                paper.name(),
                table.name
            );
        }
    }
}

#[test]
fn lists_what_there_is() {
    let list = good(&json!({ "do": "list" }));
    let names = |key: &str| -> Vec<&str> {
        list[key].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect()
    };
    assert!(names("targets").contains(&"atmega128"));
    assert!(names("operations").contains(&"modmul"));
    assert!(names("methods").contains(&"operand-caching"));
    let papers = list["papers"].as_array().unwrap();
    assert!(papers.iter().all(|paper| !paper["tables"].as_array().unwrap().is_empty()));
}

#[test]
fn a_routine_has_its_figures_and_a_certificate() {
    let (made, about) = product();
    assert_eq!(made["report"]["proof"], "proved");
    assert!(made["certificate"]["text"].as_str().unwrap().starts_with('{'));
    assert_eq!(made["contract"], "mul 16");
    let unchanged = good(&about);
    assert_eq!(unchanged["verification"]["proof"], "proved");
    assert_eq!(unchanged["verification"]["cycles"]["function"], made["report"]["cycles"]["function"]);
    assert_eq!(unchanged["places"], made["places"]);
}

#[test]
fn each_listing_can_be_read_back() {
    for target in ["atmega128", "arm7tdmi", "cortex-m4", "mips32-4km", "ibex-fast", "tms320vc5510"] {
        let wanted = json!({ "do": "generate", "operation": "mul", "bits": 64, "target": target });
        let made = good(&wanted);
        let report = &made["report"];
        let about = json!({
            "do": "verify", "text": made["assembly"], "target": target, "syntax": report["syntax"],
            "convention": report["convention"], "contract": made["contract"],
        });
        let found = good(&about);
        assert_eq!(found["verification"]["proof"], "proved", "{target}");
        assert_eq!(found["verification"]["cycles"], report["cycles"], "{target}");
        let mut play = about.clone();
        play["do"] = json!("play");
        let played = &good(&play)["played"];
        assert_eq!(played["stopped"], Value::Null, "{target}");
        let steps = played["steps"].as_array().unwrap();
        // every product of words is made, by an instruction of the listing
        let places: Vec<u64> =
            found["places"].as_array().unwrap().iter().map(|place| place[1].as_u64().unwrap()).collect();
        assert!(steps.iter().all(|step| places.contains(&step["address"].as_u64().unwrap())), "{target}");
        let writes: usize = steps.iter().map(|step| step["writes"].as_array().map_or(0, Vec::len)).sum();
        assert!(writes > 0, "{target}");
    }
}

#[test]
fn a_play_tells_products_and_the_result() {
    let made = good(
        &json!({ "do": "generate", "operation": "mul", "bits": 32, "target": "atmega128", "method": "product-scanning" }),
    );
    let played = good(&json!({
        "do": "play", "text": made["assembly"], "target": "atmega128", "syntax": "gnu", "contract": "mul 32", "seed": 7,
    }));
    let played = &played["played"];
    let steps = played["steps"].as_array().unwrap();
    let products: Vec<Value> =
        steps.iter().flat_map(|step| step["products"].as_array().cloned().unwrap_or_default()).collect();
    assert_eq!(products.len(), 16);
    assert_eq!(products[0], json!([0, 0]));
    assert_eq!(products[15], json!([3, 3]));
    assert_eq!(steps.last().unwrap()["cycles"], made["report"]["cycles"]["function"]);
    // the words that were written last are the product
    let number = |words: Vec<u64>| words.iter().rev().fold(0_u128, |sum, word| sum << 8 | u128::from(*word));
    let given = |buffer: usize| {
        let content = played["buffers"][buffer]["content"].as_array().unwrap();
        number(content.iter().map(|word| word.as_u64().unwrap()).collect())
    };
    let mut result = vec![0; 8];
    for write in steps.iter().flat_map(|step| step["writes"].as_array().cloned().unwrap_or_default()) {
        assert_eq!(write[0], 0);
        result[write[1].as_u64().unwrap() as usize] = write[2].as_u64().unwrap();
    }
    assert_eq!(number(result), given(1) * given(2));
}

#[test]
fn a_deleted_carry_is_refuted_with_a_call() {
    let (made, mut about) = product();
    let line = *lines(&made, "adc").last().unwrap();
    about["text"] = json!(without(&made["assembly"], line));
    let found = good(&about);
    let verification = &found["verification"];
    assert_eq!(verification["proof"], "refuted");
    let counter = &verification["counterexample"];
    assert_eq!(counter["operands"].as_array().unwrap().len(), 2);
    assert!(counter["weight"].as_str().unwrap().starts_with("2^"));
    assert!(counter["place"]["instruction"].as_str().is_some());
    // lines keep their numbers, and the deleted one has no place
    let places = found["places"].as_array().unwrap();
    assert_eq!(places.len() + 1, made["places"].as_array().unwrap().len());
    assert!(places.iter().all(|place| place[0] != json!(line)));
}

#[test]
fn what_is_no_instruction_is_told_with_its_line() {
    let (made, mut about) = product();
    let line = lines(&made, "mul")[0];
    let text = made["assembly"].as_str().unwrap();
    let edited = text
        .split('\n')
        .enumerate()
        .map(|(at, text)| if at + 1 == line { "\tmultiply r1, r2" } else { text });
    about["text"] = json!(edited.collect::<Vec<_>>().join("\n"));
    let fault = ask(&about)["error"]["fault"].as_str().unwrap().to_owned();
    assert!(fault.contains(&format!("line {line}")), "{fault}");
}

#[test]
fn object_files_are_verified() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../rhomb/tests/data/museum.o");
    let file: String = std::fs::read(path).unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
    let functions = good(&json!({ "do": "functions", "file": file }));
    assert!(functions["machine"].as_str().unwrap().contains("AVR"), "{}", functions["machine"]);
    assert!(functions["functions"].as_array().unwrap().contains(&json!("lost_carry")));
    let found = good(&json!({
        "do": "verify-file", "file": file, "symbol": "lost_carry", "target": "atmega128", "contract": "mul 16",
    }));
    assert_eq!(found["verification"]["proof"], "refuted");
    assert_eq!(found["verification"]["counterexample"]["word"], 3);
    let fault = ask(&json!({ "do": "functions", "file": "00" }));
    assert!(fault["error"]["hint"].as_str().unwrap().contains("ELF"));
}

#[test]
fn pictures_are_drawn_and_refused_in_plain_words() {
    let wanted =
        json!({ "operation": "mul", "bits": 32, "target": "atmega128", "method": "operand-caching" });
    let mut picture = wanted.clone();
    picture["do"] = json!("picture");
    assert!(good(&picture)["svg"].as_str().unwrap().starts_with("<svg"));
    assert!(
        good(&json!({ "do": "chart", "about": "splits", "wanted": wanted }))["svg"]
            .as_str()
            .unwrap()
            .starts_with("<svg")
    );
    picture["target"] = json!("z80");
    assert!(ask(&picture)["error"]["fault"].as_str().unwrap().contains("z80"));
    let unreadable: Value = serde_json::from_str(&call(b"{")).unwrap();
    assert!(unreadable["error"]["fault"].as_str().unwrap().contains("cannot be read"));
}

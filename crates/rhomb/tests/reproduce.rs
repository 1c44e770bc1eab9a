//! `reproduce`: the shape of its answers, and that measured figures are those of `measure`.

use rhomb::{Error, Parameters, ReproducedCell, Reproduction, Request, measure};
use std::sync::{Arc, Mutex};

/// Keys of a cell as JSON, and headings as CSV.
const KEYS: [&str; 11] = [
    "paper",
    "table",
    "row",
    "column",
    "published",
    "formula",
    "measured",
    "measured_to_published",
    "measured_to_formula",
    "unit",
    "note",
];

fn reproduce(paper: &str, table: Option<&str>) -> Result<Reproduction, Error> {
    rhomb::reproduce(paper, table, &rhomb::Work::default())
}

fn table(paper: &str, name: &str) -> Reproduction {
    let reproduction = reproduce(paper, Some(name)).unwrap();
    assert_eq!(reproduction.tables.len(), 1);
    reproduction
}

fn find<'a>(reproduction: &'a Reproduction, row: &str, column: &str) -> &'a ReproducedCell {
    let cells = &reproduction.tables[0].cells;
    cells.iter().find(|cell| cell.row == row && cell.column == column).expect("the cell")
}

/// The records of a CSV file, by RFC 4180.
fn parse_csv(text: &str) -> Vec<Vec<String>> {
    let (mut records, mut record, mut field, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => record.push(std::mem::take(&mut field)),
            '\r' if !quoted => {
                assert_eq!(letters.next(), Some('\n'));
                record.push(std::mem::take(&mut field));
                records.push(std::mem::take(&mut record));
            }
            letter => field.push(letter),
        }
    }
    assert!(field.is_empty() && record.is_empty() && !quoted);
    records
}

#[test]
fn measured_cycles_are_those_of_measure() {
    let printed = table("seo-kim", "I");
    for (row, method, carry_once) in [
        ("operand caching, Hutter and Wenger", "operand-caching", 1),
        ("operand caching, this paper", "operand-caching", 2),
        ("consecutive operand caching, this paper", "consecutive-operand-caching", 2),
    ] {
        let parameters = Parameters {
            cache: Some(10),
            carry_once: Some(carry_once),
            initial_block: Some(0),
            ..Parameters::default()
        };
        let request = Request {
            operation: "mul".into(),
            bits: 160,
            target: "atmega128".into(),
            method: Some(method.into()),
            parameters,
            ..Request::default()
        };
        let report = measure(&request).unwrap().report;
        let cell = |column| find(&printed, row, column).measured;
        assert_eq!(cell("cycles"), i64::try_from(report.cycles.body).ok(), "{row}");
        assert_eq!(cell("load"), i64::try_from(report.instructions.load).ok(), "{row}");
        assert_eq!(cell("add"), i64::try_from(report.instructions.add).ok(), "{row}");
    }
}

#[test]
fn every_record_has_the_same_keys_and_null_is_explained() {
    for (paper, name) in [
        ("seo-kim", "1"),
        ("hutter-wenger", "3"),
        ("hutter-wenger", "6"),
        ("hutter-wenger", "7"),
        ("hwang-huang-su", "5"),
        ("hwang-huang-su", "levels"),
        ("grossschaedl-savas", "2"),
        ("grossschaedl-savas", "text"),
    ]
    .into_iter()
    .step_by(rhomb_oracles::sample(3, 1))
    {
        let json = table(paper, name).json();
        let records: Vec<serde_json::Map<String, serde_json::Value>> = serde_json::from_str(&json).unwrap();
        assert!(records.len() >= 9);
        for record in records {
            let keys: Vec<&str> = record.keys().map(String::as_str).collect();
            let mut expected = KEYS;
            expected.sort_unstable();
            assert_eq!(keys, expected);
            assert_eq!((record["paper"].as_str(), record["table"].as_str()), (Some(paper), Some(name)));
            for key in ["published", "formula", "measured"] {
                assert!(record[key].is_null() || record[key].is_number(), "{record:?}");
            }
            let note = record["note"].as_str().unwrap();
            assert_eq!(record["published"].is_null(), note.contains("the published figure is unknown"));
            let why = ["not measured: ", "unknown: "].iter().any(|reason| note.contains(reason));
            assert!(!record["measured"].is_null() || why, "{record:?}");
        }
    }
}

#[test]
fn csv_has_the_same_cells_as_json() {
    let reproduction = table("hutter-wenger", "2");
    let records = parse_csv(&reproduction.csv());
    let headings: Vec<&str> = records[0].iter().map(String::as_str).collect();
    assert_eq!(headings, KEYS);
    let json: Vec<serde_json::Value> = serde_json::from_str(&reproduction.json()).unwrap();
    assert_eq!(records.len(), json.len() + 1);
    for (record, object) in records[1..].iter().zip(json) {
        assert_eq!(record.len(), headings.len());
        for (heading, field) in headings.iter().zip(record).filter(|(heading, _)| !heading.contains("_to_")) {
            let value = match &object[heading] {
                serde_json::Value::Null => String::new(),
                serde_json::Value::String(text) => text.clone(),
                number => number.to_string(),
            };
            assert_eq!(*field, value, "{heading}");
        }
    }
}

#[test]
fn counts_on_schedules_are_what_the_corrected_formulas_say() {
    for (paper, name) in [
        ("hutter-wenger", "1"),
        ("hutter-wenger", "2"),
        ("seo-kim", "intermediates"),
        ("seo-kim", "additions"),
    ] {
        for cell in &table(paper, name).tables[0].cells {
            let formula = cell.formula.and_then(|formula| formula.whole());
            assert!(formula.is_some() && cell.measured == formula, "{cell:?}");
            let wrong = cell.published.is_some_and(|published| Some(published) != cell.formula);
            assert!(!wrong || !cell.note.is_empty(), "{cell:?}");
        }
    }
}

#[test]
fn a_cell_with_no_program_says_why() {
    let cell = |paper, name, row, column| {
        let cell = find(&table(paper, name), row, column).clone();
        (cell.measured, cell.note)
    };
    let (measured, note) = cell("hutter-wenger", "7", "best before", "160 bits");
    assert_eq!((measured, note.as_str()), (None, "not measured: code of others, which is not run here"));
    let (measured, note) = cell("hutter-wenger", "6", "operand caching, looped", "cycles");
    // once there is a looped form, the note has its parameters
    assert!(measured.is_some() == note.contains("measured with") && !note.is_empty(), "{note}");
}

#[test]
fn progress_counts_up_to_all() {
    let counted: Arc<Mutex<Vec<(usize, usize)>>> = Arc::default();
    let told = Arc::clone(&counted);
    let tell = move |progress: rhomb::Progress| told.lock().unwrap().extend(progress.steps);
    let work = rhomb::Work { told: Some(Arc::new(tell)), ..Default::default() };
    rhomb::reproduce("hutter-wenger", Some("1"), &work).unwrap();
    let mut counted = counted.lock().unwrap().clone();
    counted.sort_unstable();
    let all = counted.last().unwrap().1;
    assert!(all > 20);
    assert_eq!(counted, (1..=all).map(|done| (done, all)).collect::<Vec<_>>());
}

#[test]
fn unknown_papers_and_tables_name_the_valid_ones() {
    let fault = |paper, table| {
        let error = reproduce(paper, table).err().expect("a fault");
        assert_eq!(error.status(), 2);
        (error.fault, error.hint)
    };
    let (fault_text, hint) = fault("hutter", None);
    assert_eq!(
        fault_text,
        "unknown paper 'hutter'; valid: hutter-wenger, seo-kim, hwang-huang-su, grossschaedl-savas"
    );
    assert_eq!(hint, "did you mean 'hutter-wenger'?");
    let (fault_text, hint) = fault("seo-kim", Some("3"));
    assert_eq!(fault_text, "unknown table '3'; valid: 1, 2, intermediates, additions");
    assert_eq!(hint, "rhomb reproduce seo-kim prints all tables");
}

//! Changes of certificates that leave them JSON.

use rhomb_machine::Random;
use serde_json::Value;

/// One change; `false` where the bytes are no JSON. Pieces come from `other`.
pub(crate) fn change(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) -> bool {
    let Ok(mut value) = serde_json::from_slice::<Value>(bytes) else { return false };
    let count = nodes(&value);
    let donor = serde_json::from_slice::<Value>(other).ok();
    for _ in 0..1 + random.index(3) {
        let mut at = random.index(count);
        if let Some(node) = node(&mut value, &mut at) {
            edit(node, donor.as_ref(), random);
        }
    }
    *bytes = value.to_string().into_bytes();
    true
}

fn nodes(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(nodes).sum(),
        Value::Object(fields) => fields.values().map(nodes).sum(),
        _ => 0,
    }
}

/// The node with this number, counted from the outside inwards.
fn node<'v>(value: &'v mut Value, at: &mut usize) -> Option<&'v mut Value> {
    if *at == 0 {
        return Some(value);
    }
    *at -= 1;
    match value {
        Value::Array(items) => items.iter_mut().find_map(|item| node(item, at)),
        Value::Object(fields) => fields.values_mut().find_map(|item| node(item, at)),
        _ => None,
    }
}

fn edit(value: &mut Value, donor: Option<&Value>, random: &mut Random) {
    match value {
        Value::Array(items) if !items.is_empty() => {
            let (at, from) = (random.index(items.len()), random.index(items.len()));
            match random.index(5) {
                0 => drop(items.remove(at)),
                1 => items.insert(at, items[from].clone()),
                2 => items.swap(at, from),
                3 => items.truncate(at),
                _ => {
                    let steps = donor.and_then(|donor| donor.pointer("/patterns/0/steps")?.as_array());
                    if let Some(steps) = steps.filter(|steps| !steps.is_empty()) {
                        items.insert(at, random.pick(steps).clone());
                    }
                }
            }
        }
        Value::Array(items) => items.push(Value::from(random.index(40))),
        Value::Object(fields) => {
            let keys: Vec<String> = fields.keys().cloned().collect();
            let Some(key) = (!keys.is_empty()).then(|| random.pick(&keys)) else { return };
            match random.index(4) {
                0 => drop(fields.remove(key)),
                1 => drop(fields.insert(monomial(random), Value::from(number(random)))),
                2 => {
                    if let Some(old) = fields.remove(key) {
                        fields.insert(monomial(random), old);
                    }
                }
                _ => drop(fields.insert(key.clone(), Value::from(number(random)))),
            }
        }
        Value::Number(old) => {
            let old = old.as_i64().unwrap_or(0);
            *value = match random.index(4) {
                0 => Value::from(old.wrapping_add(random.index(5) as i64).wrapping_sub(2)),
                1 => Value::from(random.index(80)),
                2 => Value::from(*random.pick(&[0, 1, 2, 255, 256, i64::from(u32::MAX), i64::MAX, -1])),
                _ => Value::from(random.bits() as u32),
            };
        }
        Value::String(old) => {
            *value = match random.index(4) {
                0 => Value::from(number(random)),
                1 => Value::from(monomial(random)),
                2 => Value::from(*random.pick(&[
                    "telescoped",
                    "expanded",
                    "relaxed",
                    "mul 16",
                    "mul 32",
                    "sqr 32",
                    "add 16",
                    "sub 16",
                    "r = a",
                    "",
                ])),
                _ => Value::from(old.chars().rev().collect::<String>()),
            };
        }
        Value::Bool(old) => *value = Value::Bool(!*old),
        Value::Null => *value = Value::from(0),
    }
}

/// A product of variables as certificates write it.
fn monomial(random: &mut Random) -> String {
    let words: Vec<String> =
        (0..random.index(4)).map(|_| format!("{}{}", random.pick(&["w", "b"]), random.index(90))).collect();
    words.join(" ")
}

/// A number as certificates write it.
fn number(random: &mut Random) -> String {
    let digits = match random.index(3) {
        0 => random.index(4) as i64 - 2,
        1 => random.bits() as i64,
        _ => random.index(300) as i64,
    };
    match random.index(3) {
        0 => digits.to_string(),
        1 => format!("{digits}*2^{}", random.index(100) as i64 - 20),
        _ => format!("{digits}*2^{}", random.pick(&[1048576, -1048576, 1048577, i64::MAX, i64::MIN])),
    }
}

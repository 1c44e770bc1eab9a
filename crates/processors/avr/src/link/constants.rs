//! Constants in the data memory of a linked file.
//!
//! There the linker has put them among the variables (binutils, `ld/scripttempl/avr.sc`: `.data` takes `.rodata`), and the file
//! does not tell them apart. An object counts as a constant if the function refers to it and no code of the file is seen to write
//! it. That nobody else does is assumed, and said.

use super::field::DATA;
use super::writes::{MOST, written};
use crate::decode::decode;
use crate::instructions::Op;
use rhomb_machine::Constant;
use rhomb_object::{Linked, ObjectFile, Section, shown};
use std::collections::{BTreeMap, BTreeSet};

/// Functions that fill the data memory before the program starts (libgcc, `config/avr/lib1funcs.S`).
const START_UP: [&str; 2] = ["__do_copy_data", "__do_clear_bss"];

/// Adds to a function of a linked file the constants that it refers to. The answer says of other objects that it refers to why
/// they are none.
pub(super) fn add(file: &ObjectFile<'_>, linked: &mut Linked) -> Vec<String> {
    let mut objects = Vec::new();
    for section in file.sections().iter().filter(|section| section.constants) {
        let start = section.address as u32 - DATA.origin;
        for (name, range) in file.constants(section) {
            let bytes = section.bytes[range.clone()].to_vec();
            let address = start + range.start as u32;
            objects.push(Constant { name: shown(name), at: DATA.origin + address, address, bytes });
        }
    }
    let named = addresses(linked);
    let is_named = |object: &Constant| named.iter().any(|address| object.range().contains(address));
    // a loop may count down from the end
    objects.retain(|object| is_named(object) || named.contains(&object.range().end));
    objects.truncate(MOST);
    if objects.is_empty() {
        return Vec::new();
    }
    let in_flash = |section: &&Section<'_>| {
        let end = section.address.saturating_add(section.bytes.len() as u64);
        !section.constants && end <= DATA.origin.into()
    };
    let sections = file.sections().iter().filter(in_flash);
    let sections: Vec<_> = sections.map(|section| (section.address as u32, section.bytes)).collect();
    let functions: Vec<_> = file.functions().collect();
    let start_up: Vec<_> = functions
        .iter()
        .filter(|function| START_UP.contains(&function.name))
        .map(|function| {
            function.address as u32..(function.address as u32).saturating_add(function.size as u32)
        })
        .collect();
    let entries = functions.iter().map(|function| function.address as u32).chain([0]);
    let ranges: Vec<_> = objects.iter().map(Constant::range).collect();
    let Some(written) = written(&sections, entries, &start_up, &ranges) else {
        return vec!["the file has more code than is searched for what writes its data".to_owned()];
    };
    let mut notes = Vec::new();
    for (number, object) in objects.into_iter().enumerate() {
        let (name, length) = (&object.name, object.bytes.len());
        let plural = if length == 1 { "" } else { "s" };
        let place = format!("{name}, {length} byte{plural} at data address {:#06x}", object.address);
        match written.get(&number) {
            Some(at) if is_named(&object) => {
                notes.push(format!("{place}, is no constant here: the code at {at:#06x} may write it; an object file tells constants"));
            }
            Some(_) => {}
            None => {
                linked.placement.relocations.push(format!("constant {place}: assumed that nobody writes it"));
                linked.placement.constants.push(object);
            }
        }
    }
    notes
}

/// The data addresses that code which the function may reach has as numbers, in two registers of a pair, negated or not, or
/// in an instruction.
fn addresses(linked: &Linked) -> BTreeSet<u32> {
    let word = |at: u32| {
        let from = at.checked_sub(linked.origin)? as usize;
        Some(u16::from_le_bytes(linked.bytes.get(from..from + 2)?.try_into().ok()?))
    };
    let mut open = vec![linked.origin + linked.routine.start as u32];
    let mut reached = BTreeMap::new();
    while let Some(at) = open.pop() {
        let words: Vec<u16> = [word(at), word(at.wrapping_add(2))].into_iter().flatten().collect();
        let Ok((i, length)) = decode(&words) else { continue };
        if reached.insert(at, i).is_some() {
            continue;
        }
        let next = at + 2 * length as u32;
        open.extend(match i.op {
            Op::Rcall | Op::Brbs | Op::Brbc => vec![next, next.wrapping_add_signed(2 * i.k)],
            Op::Rjmp => vec![next.wrapping_add_signed(2 * i.k)],
            Op::Call => vec![next, 2 * i.k as u32],
            Op::Jmp => vec![2 * i.k as u32],
            Op::Cpse | Op::Sbrc | Op::Sbrs | Op::Sbic | Op::Sbis => vec![next, next + 2, next + 4],
            Op::Ret | Op::Reti | Op::Ijmp | Op::Eijmp => vec![],
            _ => vec![next],
        });
    }
    let mut found = BTreeSet::new();
    let (mut numbers, mut less) = ([None; 32], [None; 32]);
    for i in reached.values() {
        let (d, k) = (usize::from(i.d), i.k as u8);
        let moved = [usize::from(i.r), usize::from(i.r) + 1].map(|from| numbers.get(from).copied().flatten());
        for register in (0..32).filter(|register| i.registers_written() >> register & 1 == 1) {
            (numbers[register], less[register]) = (None, None);
        }
        match i.op {
            Op::Lds => _ = found.insert(i.k as u32),
            Op::Ldi => numbers[d] = Some(k),
            Op::Mov => numbers[d] = moved[0],
            Op::Movw => [numbers[d], numbers[d + 1]] = moved,
            Op::Subi | Op::Sbci => less[d] = Some(k),
            _ => continue,
        }
        let pair = |numbers: &[Option<u8>; 32]| Some(u16::from_le_bytes([numbers[d & !1]?, numbers[d | 1]?]));
        found.extend(pair(&numbers).map(u32::from));
        found.extend(pair(&less).map(|less| u32::from(less.wrapping_neg())));
    }
    found
}

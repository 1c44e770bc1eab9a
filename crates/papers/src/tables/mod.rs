//! The papers' tables, cell by cell: what is printed, what the formula gives, and what a program of ours has
//! to count or to run to stand beside it.
//!
//! Nothing is counted here: this crate knows neither schedules nor processors. [`Ours`] says what to do.

mod cell;
mod grossschaedl_savas;
mod hutter_wenger;
mod hutter_wenger_counts;
mod hwang_huang_su;
mod printed;
mod seo_kim;
mod seo_kim_updates;

pub use cell::{
    Afresh, Cell, Count, FieldOperation, FieldRun, ModularRun, Ours, Program, Quantity, Table, Way,
};

/// A paper whose tables are reproduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Paper {
    /// Hutter and Wenger, operand caching.
    HutterWenger,
    /// Seo and Kim, carry-once.
    SeoKim,
    /// Hwang, Huang and Su, splits.
    HwangHuangSu,
    /// Grossschaedl and Savas, custom instructions for fields.
    GrossschaedlSavas,
}

impl Paper {
    /// All papers.
    pub const ALL: [Paper; 4] =
        [Paper::HutterWenger, Paper::SeoKim, Paper::HwangHuangSu, Paper::GrossschaedlSavas];

    /// The name on the command line and in data.
    pub fn name(self) -> &'static str {
        match self {
            Paper::HutterWenger => "hutter-wenger",
            Paper::SeoKim => "seo-kim",
            Paper::HwangHuangSu => "hwang-huang-su",
            Paper::GrossschaedlSavas => "grossschaedl-savas",
        }
    }

    /// Authors, title and place.
    pub fn title(self) -> &'static str {
        match self {
            Paper::HutterWenger => {
                "M. Hutter and E. Wenger, Fast multi-precision multiplication for public-key cryptography on \
                 embedded microprocessors, J. Cryptology 33 (2020), first at CHES 2011"
            }
            Paper::SeoKim => {
                "H. Seo and H. Kim, Optimized multi-precision multiplication for public-key cryptography on \
                 embedded microprocessors, 2013"
            }
            Paper::HwangHuangSu => {
                "R.-J. Hwang, L.-S. Huang and F.-F. Su, The optimal split method for large integer \
                 multiplication on low-end devices"
            }
            Paper::GrossschaedlSavas => {
                "J. Grossschaedl and E. Savas, Instruction set extensions for fast arithmetic in finite fields \
                 GF(p) and GF(2^m), CHES 2004"
            }
        }
    }

    /// The paper of that name.
    pub fn named(name: &str) -> Option<Paper> {
        Paper::ALL.into_iter().find(|paper| paper.name() == name)
    }

    /// Its tables in order. Formulas that the paper has outside its tables stand at the end, by a name.
    pub fn tables(self) -> Vec<Table> {
        match self {
            Paper::HutterWenger => {
                let mut tables = vec![hutter_wenger_counts::parts(), hutter_wenger_counts::methods()];
                tables.extend(hutter_wenger::tables());
                tables.push(hutter_wenger_counts::equations());
                tables
            }
            Paper::SeoKim => {
                let mut tables = seo_kim::tables();
                tables.extend(seo_kim_updates::tables());
                tables
            }
            Paper::HwangHuangSu => hwang_huang_su::tables(),
            Paper::GrossschaedlSavas => grossschaedl_savas::tables(),
        }
    }
}

/// Sizes of the tables of Hutter and Wenger and of Seo and Kim in bits.
const SIZES: [u32; 6] = [160, 192, 256, 512, 1024, 2048];
/// Words of an operand in registers in their tables.
const CACHES: [i64; 4] = [2, 4, 8, 10];

/// Words of the ATmega128, to which their cells belong, in an operand of `bits` bits.
fn words(bits: u32) -> i64 {
    i64::from(bits / 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_cell_has_a_place_of_its_own() {
        for paper in Paper::ALL {
            let mut seen = HashSet::new();
            for table in paper.tables() {
                assert!(!table.cells.is_empty());
                for cell in table.cells {
                    let place = (table.name, cell.row, cell.column);
                    assert!(seen.insert(place.clone()), "{place:?}");
                }
            }
        }
    }

    #[test]
    fn every_cell_of_the_data_file_is_used() {
        let mut places = HashSet::new();
        for paper in Paper::ALL {
            for table in paper.tables() {
                for cell in &table.cells {
                    places.insert((paper, table.name, cell.row.clone(), cell.column.clone()));
                }
            }
        }
        for entry in printed::entries() {
            let paper = Paper::named(&entry.paper).expect("a paper");
            let table =
                paper.tables().into_iter().find(|table| table.name == entry.table).expect("a table").name;
            assert!(places.contains(&(paper, table, entry.row.clone(), entry.column.clone())), "{entry:?}");
        }
    }
}

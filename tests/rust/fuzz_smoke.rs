//! A short run of what `cargo fuzz` runs for long: every parser over its corpus, the samples, and damaged copies of both.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use kaeanalysis::ingest::{Format, Reading, write};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

#[path = "../../fuzz/targets.rs"]
mod targets;

/// How often each input is tried: once as it is, then damaged.
const ROUNDS: usize = 20;

/// The files of a folder, in order; none without the folder.
fn files(folder: &str) -> Vec<Vec<u8>> {
    let mut paths: Vec<_> = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().filter(|path| path.is_file()).map(|path| fs::read(path).unwrap()).collect()
}

/// A copy with up to four damages: bytes changed, taken out, put in, or a stretch repeated elsewhere.
fn damaged(bytes: &[u8], random: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.next_u64() % 4 {
        let mut place = |length: usize| (random.next_u64() % (length as u64 + 1)) as usize;
        let (from, to) = (place(bytes.len()), place(bytes.len()));
        let (from, to) = (from.min(to), from.max(to));
        match place(5) {
            0 => bytes.truncate(to),
            1 => drop(bytes.drain(from..to.min(from + 40))),
            2 => {
                let stretch = bytes[from..to.min(from + 400)].to_vec();
                let at = place(bytes.len());
                bytes.splice(at..at, stretch);
            }
            3 => bytes.splice(from..from, b"\n0 -1 1e999 nan \xff,\"{".iter().copied()).for_each(drop),
            _ if from < bytes.len() => bytes[from] = place(255) as u8,
            _ => {}
        }
    }
    bytes
}

#[test]
fn no_bytes_break_a_parser() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    for (name, _) in targets::TARGETS {
        let mut inputs = files(&format!("fuzz/corpus/{name}"));
        inputs.extend(files(&format!("tests/data/outputs/{name}")));
        assert!(!inputs.is_empty(), "{name} has no corpus");
        for bytes in &inputs {
            // Of large inputs the beginning: what is long is for `cargo fuzz`.
            let bytes = &bytes[..bytes.len().min(20_000)];
            for round in 0..ROUNDS {
                let tried = if round == 0 { bytes.to_vec() } else { damaged(bytes, &mut random) };
                if catch_unwind(AssertUnwindSafe(|| targets::run(name, &tried))).is_err() {
                    let kept = std::env::temp_dir().join(format!("{name}.crash"));
                    fs::write(&kept, &tried).unwrap();
                    panic!("{name} breaks on {}", Path::new(&kept).display());
                }
            }
        }
    }
}

/// The libraries that read Parquet and spreadsheets panic on some broken files; here that is an error like any other.
#[test]
fn no_bytes_of_a_binary_format_end_the_program() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
    let parquet = write(&super::runs(super::REPLICATED), Format::Parquet).unwrap();
    for (whole, format) in
        [(parquet, Format::Parquet), (fs::read("tests/data/tables/wide.xlsx").unwrap(), Format::Workbook)]
    {
        let mut refused = 0;
        for _ in 0..500 {
            match Reading::default().bytes(&damaged(&whole, &mut random), format, "damaged") {
                Ok(read) => assert!(!read.is_empty()),
                Err(error) => {
                    assert!(error.to_string().starts_with("damaged"), "{error}");
                    refused += 1;
                }
            }
        }
        assert!(refused > 100, "{format}: {refused}");
    }
}

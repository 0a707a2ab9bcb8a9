//! From what people have to validated runs. What had to be guessed is a warning on the runs.

mod format;
mod frame;
mod grid;
mod guard;
mod header;
mod html;
pub mod import;
mod labels;
mod lines;
mod ndjson;
mod number;
pub mod outputs;
mod parquet;
mod reading;
mod sheet;
mod table;
mod text;
mod transcript;
mod writing;

use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

pub use format::Format;
pub use frame::read_frame;
pub use reading::{MOST_RUNS, Reading};
pub use writing::write;

use crate::error::Result;
use crate::model::Runs;

/// The runs of a documented study.
///
/// # Errors
/// A name that is not a documented study.
///
/// ```
/// assert_eq!(kaeanalysis::ingest::documented("vkae_vm")?.len(), 8);
/// # Ok::<(), kaeanalysis::Error>(())
/// ```
pub fn documented(name: &str) -> Result<Runs> {
    Reading::default().input(&format!("documented:{name}"))
}

/// Reads a file as its ending says ([`Format::of`]).
///
/// # Errors
/// As [`read_bytes`], and a file that cannot be read.
pub fn read_file(path: &Path) -> Result<Runs> {
    Reading::default().file(path)
}

/// Reads a CSV table from bytes: canonical columns, or a wide table as vendors publish them. `source` names it in
/// messages.
///
/// # Errors
/// Anything that is not a table of runs; the message names line, column and value.
///
/// ```
/// let runs = kaeanalysis::ingest::read_bytes(b"accelerator,rps\nnone,587\nvkae,\"1,367\"\n", "example")?;
/// assert_eq!(runs.len(), 2);
/// # Ok::<(), kaeanalysis::Error>(())
/// ```
pub fn read_bytes(bytes: &[u8], source: &str) -> Result<Runs> {
    Reading::default().bytes(bytes, Format::Csv, source)
}

/// The SHA-256 of a stream, in hexadecimal.
fn sha256(stream: &mut impl Read) -> std::io::Result<String> {
    let (mut hash, mut buffer) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match stream.read(&mut buffer)? {
            0 => return Ok(hexadecimal(hash)),
            read => hash.update(&buffer[..read]),
        }
    }
}

fn hexadecimal(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::datasets::{all, names};

    #[test]
    fn every_study_loads_and_is_described() {
        let described: Vec<String> = all().expect("datasets.toml parses").into_iter().map(|d| d.name).collect();
        assert_eq!(described, names().collect::<Vec<_>>());
        for name in names() {
            let runs = documented(name).expect("the study loads");
            assert!(runs.warnings().is_empty(), "{:?}", runs.warnings());
            assert_eq!(runs.studies(), [name]);
        }
    }

    #[test]
    fn claims_speak_of_what_the_studies_hold() {
        for dataset in all().expect("datasets.toml parses") {
            let runs = documented(&dataset.name).expect("the study loads");
            for claim in &dataset.claims {
                let mut conditions: Vec<(String, String)> =
                    claim.conditions.iter().map(|(factor, level)| (factor.clone(), level.to_string())).collect();
                conditions.push((claim.factor.clone(), claim.baseline.to_string()));
                conditions.push((claim.factor.clone(), claim.contender.to_string()));
                runs.filter(&conditions).unwrap_or_else(|error| panic!("{}: {error}", claim.id));
                assert!(claim.metric.as_ref().is_some_and(|metric| runs.has_column(metric)), "{}", claim.id);
                assert_eq!(claim.percent.is_some(), claim.statement != crate::model::claim::Statement::Equivalence);
            }
        }
    }
}

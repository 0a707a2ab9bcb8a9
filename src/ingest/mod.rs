//! From what people have to validated runs. What had to be guessed is a warning on the runs.

mod frame;
pub mod import;
pub mod ndjson;
pub mod outputs;
mod sheet;
mod table;
mod text;
mod transcript;
mod vocabulary;

use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;

pub use frame::read_frame;

use crate::error::{Error, InputError, Result};
use crate::model::{Runs, datasets};

/// Reads an input as the command line names it: a file, `-` for standard input, or `documented:NAME`.
///
/// # Errors
/// A file that cannot be read, or anything wrong in it.
pub fn read(name: &str) -> Result<Runs> {
    if let Some(study) = name.strip_prefix("documented:") {
        return documented(study);
    }
    if name != "-" {
        return read_file(Path::new(name));
    }
    let source = "standard input";
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes).map_err(|error| Error::unreadable(Path::new(source), &error))?;
    read_bytes(&bytes, source)
}

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
    read_bytes(datasets::csv(name)?.as_bytes(), &format!("documented:{name}"))
}

/// Reads a file by its ending: `.ndjson` or `.jsonl`, a spreadsheet (`.xlsx`, `.xlsb`, `.xls`, `.ods`), a table in Markdown
/// (`.md`), otherwise CSV.
///
/// # Errors
/// As [`read_bytes`], and a file that cannot be read.
pub fn read_file(path: &Path) -> Result<Runs> {
    let bytes = std::fs::read(path).map_err(|error| Error::unreadable(path, &error))?;
    let source = path.display().to_string();
    let in_source = |error: InputError| error.in_source(&source);
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default().to_lowercase();
    let runs = match ending.as_str() {
        "ndjson" | "jsonl" => ndjson::read(text::decode(&bytes).map_err(in_source)?, &source)?,
        "xlsx" | "xlsb" | "xls" | "ods" => table::read(&sheet::workbook(&bytes).map_err(in_source)?, &source)?,
        "md" => {
            let text = text::decode(&bytes).map_err(in_source)?;
            table::read(&sheet::markdown(text).map_err(in_source)?, &source)?
        }
        _ => return read_bytes(&bytes, &source),
    };
    Ok(runs.with_sha256(&sha256(&bytes)))
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
    let text = text::decode(bytes).map_err(|error| error.in_source(source))?;
    Ok(table::read(text, source)?.with_sha256(&sha256(bytes)))
}

fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
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

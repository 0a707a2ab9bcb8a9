//! From what people have to validated runs. What had to be guessed is a warning on the runs.

mod table;
mod text;
mod vocabulary;

use std::io::Read;
use std::path::Path;

use crate::error::{Error, Result};
use crate::model::{Runs, datasets};

/// Runs and what they were read from.
#[derive(Debug, Clone)]
pub struct Input {
    /// As the user named it.
    pub name: String,
    /// SHA-256 of the bytes, in hexadecimal.
    pub sha256: String,
    /// The runs.
    pub runs: Runs,
}

/// Reads an input as the command line names it: a file, `-` for standard input, or `documented:NAME`.
///
/// # Errors
/// A file that cannot be read, or anything wrong in it.
pub fn read(name: &str) -> Result<Input> {
    let bytes = if let Some(study) = name.strip_prefix("documented:") {
        datasets::csv(study)?.as_bytes().to_vec()
    } else if name == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map_err(|error| Error::unreadable(Path::new("-"), &error))?;
        bytes
    } else {
        std::fs::read(name).map_err(|error| Error::unreadable(Path::new(name), &error))?
    };
    Ok(Input { name: name.to_owned(), sha256: sha256(&bytes), runs: read_bytes(&bytes, name)? })
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
    table::read(&text, source)
}

fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

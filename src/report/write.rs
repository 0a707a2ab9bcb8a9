//! A report folder on disk. Everything is rendered before the first byte is written, a file of an earlier report is
//! replaced or removed only once its successor stands, and what is not part of a report is never touched.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Report, json};
use crate::error::{Error, Result};
use crate::files;

/// The file that lists what a report consists of.
const LIST: &str = "report.json";

/// What a report says of itself.
#[derive(Serialize, Deserialize)]
struct Listed {
    schema: String,
    files: BTreeSet<String>,
}

impl Report {
    /// Writes the report into a folder and gives the number of files. With `force`, the report that the folder holds is
    /// replaced as a whole, so that no figure of an earlier one is left.
    ///
    /// # Errors
    /// A folder that is not empty (unless `force`), or that holds anything but a report; a folder that cannot be written.
    pub fn write(&self, folder: &Path, force: bool) -> Result<usize> {
        let files = self.files()?;
        let old = contents(folder)?;
        if !old.is_empty() && !force {
            return Err(Error::exists(folder));
        }
        only_a_report(folder, &old)?;
        for name in ["", "tables", "figures"] {
            let path = folder.join(name);
            fs::create_dir_all(&path).map_err(|error| Error::unwritable(&path, &error))?;
        }
        // Should this be interrupted, the folder must still be known as a report's: its list of files is written first,
        // with the old ones, and last, without.
        let new = files.iter().map(|(name, _)| name.clone());
        let schema = json::schema("report");
        let between = serde_json::to_vec(&Listed { schema, files: old.iter().cloned().chain(new).collect() });
        let between = between.map_err(|error| Error::input(error.to_string(), "report this"))?;
        files::write(&folder.join(LIST), &between, true)?;
        for (name, bytes) in files.iter().filter(|(name, _)| name != LIST) {
            files::write(&folder.join(name), bytes, true)?;
        }
        for name in old.iter().filter(|name| files.iter().all(|(new, _)| new != *name)) {
            let path = folder.join(name);
            fs::remove_file(&path).map_err(|error| Error::unwritable(&path, &error))?;
        }
        for (name, bytes) in files.iter().filter(|(name, _)| name == LIST) {
            files::write(&folder.join(name), bytes, true)?;
        }
        Ok(files.len())
    }
}

/// The names of all files in a folder and in the folders directly in it, relative to it.
fn contents(folder: &Path) -> Result<BTreeSet<String>> {
    let list = |path: &Path| -> Result<Vec<PathBuf>> {
        match fs::read_dir(path) {
            Ok(entries) => {
                let paths: Result<Vec<PathBuf>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
                paths.map_err(|error| Error::unreadable(path, &error))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(Error::unwritable(path, &error)),
        }
    };
    let mut names = BTreeSet::new();
    for path in list(folder)? {
        let inside = if path.is_dir() { list(&path)? } else { vec![path] };
        let relative = inside.iter().filter_map(|path| path.strip_prefix(folder).ok());
        names.extend(relative.map(|path| path.to_string_lossy().replace('\\', "/")));
    }
    Ok(names)
}

/// An error that names the first file which the report in the folder does not list as its own.
fn only_a_report(folder: &Path, names: &BTreeSet<String>) -> Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    let earlier: Option<Listed> = fs::read(folder.join(LIST)).ok().and_then(|json| serde_json::from_slice(&json).ok());
    let own = earlier.filter(|earlier| earlier.schema == json::schema("report")).map(|earlier| earlier.files);
    match names.difference(&own.unwrap_or_default()).next() {
        None => Ok(()),
        Some(foreign) => Err(Error::File {
            path: folder.join(foreign),
            reason: "is not part of a report".to_owned(),
            remedy: "name a folder of its own for the report".to_owned(),
        }),
    }
}

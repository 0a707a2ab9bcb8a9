//! A report folder on disk. Everything is rendered before the first byte is written; what is not a report is never
//! touched.

use std::fs;
use std::path::{Path, PathBuf};

use super::Report;
use crate::error::{Error, Result};
use crate::files;

/// The folders of a report and the endings of the files in them.
const FOLDERS: [(&str, &[&str]); 2] = [("tables", &["csv"]), ("figures", &["svg", "png"])];
const FILES: [&str; 3] = ["report.md", "report.html", "report.json"];

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
        for path in old {
            fs::remove_file(&path).map_err(|error| Error::unwritable(&path, &error))?;
        }
        for name in ["", "tables", "figures"] {
            let path = folder.join(name);
            fs::create_dir_all(&path).map_err(|error| Error::unwritable(&path, &error))?;
        }
        for (name, bytes) in &files {
            files::write(&folder.join(name), bytes, true)?;
        }
        Ok(files.len())
    }
}

/// The files of an earlier report in a folder, or an error that names the first thing that is none.
fn contents(folder: &Path) -> Result<Vec<PathBuf>> {
    let foreign = |path: &Path| Error::File {
        path: path.to_owned(),
        reason: "is not part of a report".to_owned(),
        remedy: "name a folder of its own for the report".to_owned(),
    };
    let list = |folder: &Path| -> Result<Vec<PathBuf>> {
        match fs::read_dir(folder) {
            Ok(entries) => entries
                .map(|entry| entry.map(|entry| entry.path()))
                .collect::<Result<_, _>>()
                .map_err(|error| Error::unreadable(folder, &error)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(Error::unwritable(folder, &error)),
        }
    };
    let mut found = Vec::new();
    for path in list(folder)? {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if FILES.contains(&name) && path.is_file() {
            found.push(path);
        } else if let Some((_, endings)) = FOLDERS.iter().find(|(folder, _)| *folder == name).filter(|_| path.is_dir())
        {
            for file in list(&path)? {
                let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
                if !endings.contains(&ending) || !file.is_file() {
                    return Err(foreign(&file));
                }
                found.push(file);
            }
        } else {
            return Err(foreign(&path));
        }
    }
    Ok(found)
}

//! Files appear whole or not at all, and none is replaced unless asked.

use std::io::Write;
use std::path::Path;

use crate::error::{Error, Result};

/// Writes a file by way of a temporary one beside it.
///
/// # Errors
/// A file that exists (unless `force`), or a folder that cannot be written to.
pub fn write(path: &Path, bytes: &[u8], force: bool) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(Error::File {
            path: path.to_owned(),
            reason: format!("there is no folder {}", folder.display()),
            remedy: "create it, or name another".to_owned(),
        });
    }
    let mut builder = tempfile::Builder::new();
    // Temporary files are private by default; this one becomes an ordinary file under the user's umask.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder).map_err(|error| Error::unwritable(path, &error))?;
    file.write_all(bytes).map_err(|error| Error::unwritable(path, &error))?;
    let persisted = if force { file.persist(path) } else { file.persist_noclobber(path) };
    match persisted {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => Err(Error::exists(path)),
        Err(error) => Err(Error::unwritable(path, &error.error)),
    }
}

//! Libraries that panic on some broken files: a broken file must not end the program.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::InputError;

/// What a library reads, or an error where it panics.
pub(super) fn guarded<T>(
    what: &str,
    remedy: &str,
    read: impl FnOnce() -> Result<T, InputError>,
) -> Result<T, InputError> {
    catch_unwind(AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err(InputError::new(format!("this is no {what} that can be read"), remedy)))
}

//! Apache Parquet, read one row group after the other.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use polars::io::mmap::MmapBytesReader;
use polars::prelude::{DataFrame, ParquetReader, SerReader};

use crate::error::{InputError, Result};

const REMEDY: &str = "write it again as Parquet, or give CSV";

/// The frames of the row groups in a file, in their order.
///
/// # Errors
/// What is no Parquet file.
pub fn row_groups<R: MmapBytesReader + 'static>(
    open: impl Fn() -> std::io::Result<R> + 'static,
) -> Result<impl Iterator<Item = Result<DataFrame, InputError>>, InputError> {
    let reader = move || open().map(ParquetReader::new).map_err(|error| InputError::new(error.to_string(), REMEDY));
    let metadata = guarded(|| Ok(Arc::clone(reader()?.get_metadata().map_err(broken)?)))?;
    let sizes: Vec<usize> = metadata.row_groups.iter().map(|group| group.num_rows()).collect();
    let mut start = 0;
    Ok(sizes.into_iter().map(move |size| {
        let slice = (start, size);
        start += size;
        guarded(|| {
            let mut reader = reader()?;
            reader.set_metadata(Arc::clone(&metadata));
            reader.with_slice(Some(slice)).finish().map_err(broken)
        })
    }))
}

fn broken(error: polars::prelude::PolarsError) -> InputError {
    InputError::new(format!("this is no Parquet file that can be read: {error}"), REMEDY)
}

/// The library panics on some broken files, and a broken file must not end the program.
fn guarded<T>(read: impl FnOnce() -> Result<T, InputError>) -> Result<T, InputError> {
    catch_unwind(AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err(InputError::new("this is no Parquet file that can be read", REMEDY)))
}

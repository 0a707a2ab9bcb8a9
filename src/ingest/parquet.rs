//! Apache Parquet, read one row group after the other.

use std::sync::Arc;

use polars::io::mmap::MmapBytesReader;
use polars::prelude::{ArrowDataType, DataFrame, ParquetReader, SerReader};

use super::guard;
use crate::error::{InputError, Result};

/// So many rows are read at once.
const MOST_ROWS: usize = 1 << 20;

const REMEDY: &str = "write it again as Parquet, or give CSV";

/// The rows of a file in parts, in their order.
///
/// # Errors
/// What is no Parquet file.
pub fn parts<R: MmapBytesReader + 'static>(
    open: impl Fn() -> std::io::Result<R> + 'static,
) -> Result<impl Iterator<Item = Result<DataFrame, InputError>>, InputError> {
    let reader = move || open().map(ParquetReader::new).map_err(|error| InputError::new(error.to_string(), REMEDY));
    let metadata = guarded(|| {
        let mut reader = reader()?;
        let schema = reader.schema().map_err(broken)?;
        let odd = |dtype: &ArrowDataType| {
            use ArrowDataType::{
                Binary, Date32, Date64, Decimal, Duration, LargeBinary, LargeList, List, Struct, Time32, Time64,
                Timestamp,
            };
            matches!(
                dtype,
                Timestamp(..)
                    | Date32
                    | Date64
                    | Time32(_)
                    | Time64(_)
                    | Duration(_)
                    | Binary
                    | LargeBinary
                    | List(_)
                    | LargeList(_)
                    | Struct(_)
                    | Decimal(..)
            )
        };
        match schema.iter_values().find(|field| odd(&field.dtype)) {
            Some(field) => Err(InputError::new(
                format!("the type {:?} holds no levels", field.dtype),
                "write the column as text or numbers, or leave it out",
            )
            .in_column(&field.name)),
            None => Ok(Arc::clone(reader.get_metadata().map_err(broken)?)),
        }
    })?;
    let mut slices = Vec::new();
    let mut start = 0;
    for group in &metadata.row_groups {
        // A group of any size may take few bytes.
        for from in (0..group.num_rows()).step_by(MOST_ROWS) {
            slices.push((start + from, MOST_ROWS.min(group.num_rows() - from)));
        }
        start += group.num_rows();
    }
    Ok(slices.into_iter().map(move |slice| {
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

fn guarded<T>(read: impl FnOnce() -> Result<T, InputError>) -> Result<T, InputError> {
    guard::guarded("Parquet file", REMEDY, read)
}

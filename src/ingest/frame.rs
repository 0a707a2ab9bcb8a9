//! Frames whose headers are in the words of the documents, or spread a factor over columns: read as the same table in a
//! file would be. Any other frame is taken as it is, without copying.

use polars::prelude::DataFrame;

use super::{read_bytes, vocabulary};
use crate::error::{Error, Result};
use crate::model::{Factor, Runs, column, schema};

/// The runs of a frame. `source` names it in messages.
///
/// # Errors
/// As [`Runs::from_frame`] and [`read_bytes`].
pub fn read_frame(frame: DataFrame, source: &str) -> Result<Runs> {
    let plain = |name: &str| vocabulary::column(name) == schema::canonical_name(name) && !name.contains(['=', '＝']);
    if frame.get_column_names().iter().all(|name| plain(name)) {
        return Runs::from_frame(frame, source);
    }
    let broken = |error: csv::Error| Error::input(error.to_string(), "report this with the frame");
    let mut columns = Vec::new();
    for column in frame.into_columns() {
        let name = column.name().to_string();
        let series =
            column::checked(&name, column.take_materialized_series()).map_err(|error| error.in_source(source))?;
        columns.push(Factor::of(&series));
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(columns.iter().map(|column| &column.name)).map_err(broken)?;
    for row in 0..columns.first().map_or(0, |column| column.codes.len()) {
        writer.write_record(columns.iter().map(|column| column.level(row).to_string())).map_err(broken)?;
    }
    let text = writer.into_inner().map_err(|error| Error::input(error.to_string(), "report this with the frame"))?;
    read_bytes(&text, source)
}

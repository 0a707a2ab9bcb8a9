//! Frames whose headers are in the words of people, or spread a factor over columns: read as the same table in a file would
//! be. Any other frame is taken as it is, without copying.

use polars::prelude::DataFrame;

use super::header::{Renamed, column_of, left_out, refuse_unclear, says_nothing, unused};
use super::table::{Table, in_row};
use crate::error::{InputError, Result};
use crate::model::{Factor, Runs, column, schema, vocabulary};

/// The runs of a frame. `renamed` explains headers as [`super::Reading::columns`] does, and `source` names the frame in messages.
///
/// # Errors
/// As [`Runs::from_frame`] and [`super::read_bytes`].
pub fn read_frame(frame: DataFrame, renamed: Renamed, source: &str) -> Result<Runs> {
    let names: Vec<String> = frame.get_column_names().into_iter().map(ToString::to_string).collect();
    let left_out = left_out(renamed, names.iter().map(String::as_str), source);
    let nothing = names.iter().map(String::as_str).filter(|name| says_nothing(renamed, name));
    let frame = frame.drop_many(nothing);
    let plain = |name: &String| column_of(renamed, name) == schema::canonical_name(name) && !name.contains(['=', '＝']);
    let levels = names.iter().filter(|name| vocabulary::setting(name, &vocabulary::column).is_some()).count();
    if levels < 2 && names.iter().all(plain) {
        refuse_unclear(renamed, names.iter().map(String::as_str)).map_err(|error| error.in_source(source))?;
        let unused = unused(renamed, names.iter().map(String::as_str), source);
        return Ok(Runs::from_frame(frame, source)?.with_warnings(unused.into_iter().chain(left_out)));
    }
    let header: Vec<Vec<String>> = frame.get_column_names().into_iter().map(|name| vec![name.to_string()]).collect();
    let mut columns = Vec::new();
    for column in frame.into_columns() {
        let name = column.name().to_string();
        let series =
            column::checked(&name, column.take_materialized_series()).map_err(|error| error.in_source(source))?;
        columns.push(Factor::of(&series));
    }
    let height = columns.first().map_or(0, |column| column.codes.len());
    let row = |row: usize| (row + 1, columns.iter().map(|column| column.level(row).to_string()).collect());
    let rows: Vec<(usize, Vec<String>)> = (0..height).map(row).collect();
    let table = Table::of(&header, "", renamed, source).map_err(|error| error.in_source(source))?;
    let none = || InputError::new("there are no runs", "give one row per run").in_source(source);
    Ok(table.of_rows(&rows, in_row)?.ok_or_else(none)?.with_warnings(left_out))
}

//! Spreadsheets and tables in Markdown.

use std::collections::BTreeMap;
use std::io::Cursor;

use calamine::{Data, Range, Reader, Xlsx};

use super::grid::{Grid, Row};
use super::guard::guarded;
use super::number::twelve_digits;
use crate::error::InputError;

const REMEDY: &str = "save it again as XLSX or CSV";
/// More columns than these are in no table of runs; a cell far away would make any number of empty ones.
const MOST_COLUMNS: usize = 2_000;
/// More cells than these make a file, not a sheet.
const MOST_CELLS: usize = 20_000_000;
/// More cells than these are merged in no table that people write.
const MOST_MERGED: usize = 1_000_000;

/// The filled sheets of a workbook (XLSX, XLSB, XLS or ODS), each by its name. Merged cells of XLSX stand in each of their
/// places; the other formats don't tell of them here.
///
/// # Errors
/// What is no workbook, or one without a filled sheet.
pub fn workbook(bytes: &[u8]) -> Result<Vec<(String, Grid)>, InputError> {
    let sheets = guarded("workbook", REMEDY, || match Xlsx::new(Cursor::new(bytes)) {
        Ok(xlsx) => of_xlsx(xlsx),
        Err(_) => {
            let opened = calamine::open_workbook_auto_from_rs(Cursor::new(bytes));
            let mut workbook = opened.map_err(|error| InputError::new(error.to_string(), REMEDY))?;
            Ok(workbook.worksheets().into_iter().map(|(name, range)| (name, of_range(&range))).collect())
        }
    })?;
    let filled = |(name, rows): (String, Vec<Row>)| {
        let grid = Grid::of(rows, String::new());
        (!grid.header.is_empty()).then_some((name, grid))
    };
    let grids: Vec<(String, Grid)> = sheets.into_iter().filter_map(filled).collect();
    if grids.is_empty() {
        return Err(InputError::new("the workbook is empty", "give a sheet with a header and one row per run"));
    }
    Ok(grids)
}

/// The rows of each sheet. Cells are read one by one: a range would hold all empty ones up to the farthest.
fn of_xlsx(mut xlsx: Xlsx<Cursor<&[u8]>>) -> Result<Vec<(String, Vec<Row>)>, InputError> {
    let broken = |error: calamine::XlsxError| InputError::new(error.to_string(), REMEDY);
    let mut sheets = Vec::new();
    for name in xlsx.sheet_names() {
        let mut rows: BTreeMap<usize, BTreeMap<usize, String>> = BTreeMap::new();
        // What is no sheet of cells (a chart) holds no runs.
        let Ok(mut reader) = xlsx.worksheet_cells_reader(&name) else { continue };
        while let Some((found, style)) = reader.next_cell_with_style_id().map_err(broken)? {
            let (row, column) = found.get_position();
            let data = Data::from(found.get_value().clone());
            let format = reader.styles().get(style).and_then(|style| style.number_format.as_ref());
            let percent = format.is_some_and(|format| shows_percent(&format.format_code));
            let text = match data {
                // As people see it: 0.987 shown as 98.7 %.
                Data::Float(share) if percent => format!("{}%", twelve_digits(share * 100.0)),
                Data::Int(share) if percent => format!("{}%", share * 100),
                data => cell(&data),
            };
            if !text.is_empty() {
                rows.entry(row as usize).or_default().insert(column as usize, text);
            }
        }
        drop(reader);
        let width = rows.values().filter_map(|row| row.keys().next_back()).max().map_or(0, |last| last + 1);
        if width > MOST_COLUMNS {
            return Err(InputError::new(
                format!("the sheet {name} has a value in column {width}"),
                "remove what stands beside the table",
            ));
        }
        if rows.len().saturating_mul(width) > MOST_CELLS {
            return Err(InputError::new(
                format!("the sheet {name} has {} rows of {width} columns", rows.len()),
                "remove what stands beside the table, or save it as CSV",
            ));
        }
        let mut depths: BTreeMap<usize, usize> = BTreeMap::new();
        let mut merged = 0;
        for region in xlsx.merge_cells_by_sheet_name(&name).map_err(broken)? {
            let (top, left) = (region.start.0 as usize, region.start.1 as usize);
            let (bottom, right) = (region.end.0 as usize, (region.end.1 as usize).min(width.saturating_sub(1)));
            let Some(text) = rows.get(&top).and_then(|row| row.get(&left)).cloned() else { continue };
            let last = rows.keys().next_back().copied().unwrap_or(top).min(bottom);
            merged += (last + 1).saturating_sub(top) * (right + 1).saturating_sub(left);
            if merged > MOST_MERGED {
                return Err(InputError::new(
                    format!("the sheet {name} merges more cells than can be meant"),
                    "save it as CSV",
                ));
            }
            for row in top..=last {
                for column in left..=right {
                    rows.entry(row).or_default().insert(column, text.clone());
                }
            }
            let depth = depths.entry(top).or_insert(1);
            *depth = (*depth).max((last + 1).saturating_sub(top));
        }
        let left = rows.values().filter_map(|row| row.keys().next()).min().copied().unwrap_or(0);
        let row = |(number, mut cells): (usize, BTreeMap<usize, String>)| {
            let last = cells.keys().next_back().map_or(left, |last| last + 1);
            let texts = (left..last.max(width)).map(|column| cells.remove(&column).unwrap_or_default());
            let depth = depths.get(&number).copied().unwrap_or(1);
            Row { number: number + 1, texts: texts.collect(), header: false, depth }
        };
        sheets.push((name, rows.into_iter().map(row).collect()));
    }
    Ok(sheets)
}

fn of_range(range: &Range<Data>) -> Vec<Row> {
    let first = range.start().map_or(1, |(row, _)| row as usize + 1);
    let row = |(index, cells): (usize, &[Data])| Row {
        number: first + index,
        texts: cells.iter().map(cell).collect(),
        header: false,
        depth: 1,
    };
    range.rows().enumerate().map(row).collect()
}

/// Whether a format multiplies by a hundred; a sign that is quoted or escaped only stands there.
fn shows_percent(format: &str) -> bool {
    format.replace("\\%", "").split('"').step_by(2).any(|part| part.contains('%'))
}

/// As people see it, but for the digits.
fn cell(data: &Data) -> String {
    match data {
        Data::Empty => String::new(),
        Data::Float(number) => number.to_string(),
        Data::DateTime(time) => time.as_datetime().map_or_else(|| time.to_string(), |time| time.to_string()),
        other => other.to_string().trim().to_owned(),
    }
}

/// The tables of a Markdown text; footnotes are no part of a value.
///
/// # Errors
/// A text without a table.
pub fn markdown(text: &str) -> Result<Vec<Grid>, InputError> {
    let is_rule = |line: &str| {
        line.contains('-')
            && line.contains('|')
            && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t' | '\r'))
    };
    let lines: Vec<&str> = text.lines().collect();
    let rules = (1..lines.len()).filter(|&at| is_rule(lines[at]) && lines[at - 1].contains('|'));
    let table = |rule: usize| {
        let body = lines[rule + 1..].iter().take_while(|line| line.contains('|')).enumerate();
        let row = |number: usize, line: &str| Row { number, texts: cells(line), header: false, depth: 1 };
        let header = std::iter::once(row(1, lines[rule - 1]));
        Grid::of(header.chain(body.map(|(index, line)| row(index + 2, line))).collect(), String::new())
    };
    let tables: Vec<Grid> = rules.map(table).collect();
    if tables.is_empty() {
        return Err(InputError::new("the text has no table", "give a header with a line of dashes below it"));
    }
    Ok(tables)
}

/// The cells of a line of a table: `\|` is no border, and emphasis is no part of a value.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let mut cells = vec![String::new()];
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        match (c, characters.peek()) {
            ('\\', Some(&escaped)) if escaped.is_ascii_punctuation() => {
                characters.next();
                cells.last_mut().into_iter().for_each(|cell| cell.push(escaped));
            }
            // A border at the end of the line closes the last cell.
            ('|', None) => {}
            ('|', Some(_)) => cells.push(String::new()),
            _ => cells.last_mut().into_iter().for_each(|cell| cell.push(c)),
        }
    }
    let plain = |cell: &String| {
        let cell = cell.trim();
        let cell = cell.split_once("[^").map_or(cell, |(cell, _)| cell);
        cell.trim_matches(['*', '`']).trim().to_owned()
    };
    cells.iter().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_table_in_markdown() {
        let text = "# Results\n\n| accelerator | **rps** |\n| --- | ---: |\n| none[^1] | 2,255 |\n| a\\|b | `7393` |\n\nText | no table\n";
        let tables = markdown(text).expect("a table");
        assert_eq!(tables[0].header, [["accelerator"], ["rps"]]);
        let rows: Vec<_> = tables[0].rows.iter().map(|(_, texts)| texts.join(";")).collect();
        assert_eq!(rows, ["none;2,255", "a|b;7393"]);
        assert!(markdown("no table").expect_err("none").to_string().starts_with("the text has no table"));
        assert_eq!(markdown("|a|\n|-|\n|1|\n\n|a|\n|-|\n|1|\n").expect("two").len(), 2);
    }

    #[test]
    fn what_is_no_workbook_is_refused() {
        assert!(workbook(b"no workbook").is_err());
        assert!(workbook(b"").is_err());
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in any::<String>(), bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = markdown(&text);
            let _ = workbook(&bytes);
        }
    }
}

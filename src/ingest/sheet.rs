//! Spreadsheets and tables in Markdown as rows of texts.

use std::io::Cursor;

use calamine::{Data, Reader};

use crate::error::InputError;

/// The only filled sheet of a workbook (XLSX, XLSB, XLS or ODS).
///
/// # Errors
/// What is no workbook, or one with several filled sheets or none.
pub fn workbook(bytes: &[u8]) -> Result<Vec<Vec<String>>, InputError> {
    let broken = |error: calamine::Error| InputError::new(error.to_string(), "save it again as XLSX or CSV");
    let mut workbook = calamine::open_workbook_auto_from_rs(Cursor::new(bytes)).map_err(broken)?;
    let filled: Vec<_> = workbook.worksheets().into_iter().filter(|(_, range)| !range.is_empty()).collect();
    match filled.as_slice() {
        [] => Err(InputError::new("the workbook is empty", "give a sheet with a header and one row per run")),
        [(_, range)] => Ok(range.rows().map(|row| row.iter().map(cell).collect()).collect()),
        several => {
            let names: Vec<&str> = several.iter().map(|(name, _)| name.as_str()).collect();
            Err(InputError::new(
                format!("the workbook has the sheets {}", names.join(", ")),
                "save the one that holds the runs as a file of its own",
            ))
        }
    }
}

/// As people see it, but for the digits.
fn cell(data: &Data) -> String {
    match data {
        Data::Empty => String::new(),
        Data::Float(number) => number.to_string(),
        Data::DateTime(time) => time.as_datetime().map_or_else(|| time.to_string(), |time| time.to_string()),
        other => other.to_string(),
    }
}

/// The only table of a Markdown text.
///
/// # Errors
/// A text without a table, or with several.
pub fn markdown(text: &str) -> Result<Vec<Vec<String>>, InputError> {
    let is_rule = |line: &str| {
        line.contains('-')
            && line.contains('|')
            && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t' | '\r'))
    };
    let lines: Vec<&str> = text.lines().collect();
    let rules: Vec<usize> = (1..lines.len()).filter(|&at| is_rule(lines[at]) && lines[at - 1].contains('|')).collect();
    let [rule] = rules.as_slice() else {
        return Err(InputError::new(
            format!("the text has {} tables", rules.len()),
            "give one table with a header and a line of dashes below it",
        ));
    };
    let body = lines[rule + 1..].iter().take_while(|line| line.contains('|'));
    Ok(std::iter::once(&lines[rule - 1]).chain(body).map(|line| cells(line)).collect())
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
    cells.iter().map(|cell| cell.trim().trim_matches(['*', '`']).trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_table_in_markdown() {
        let text = "# Results\n\n| accelerator | **rps** |\n| --- | ---: |\n| none | 2,255 |\n| a\\|b | `7393` |\n\nText | no table\n";
        assert_eq!(markdown(text).expect("a table"), [["accelerator", "rps"], ["none", "2,255"], ["a|b", "7393"]]);
        assert!(markdown("no table").expect_err("none").to_string().starts_with("the text has 0 tables"));
        let two = "|a|\n|-|\n|1|\n\n|a|\n|-|\n|1|\n";
        assert!(markdown(two).expect_err("two").to_string().starts_with("the text has 2 tables"));
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

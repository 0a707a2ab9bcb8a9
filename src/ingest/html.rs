//! Tables of web pages. A cell that spans several columns or rows stands in each of them.

use scraper::{ElementRef, Html, Selector};

use super::grid::{Grid, Row};
use crate::error::InputError;

/// More rows or columns than these are spanned by no cell that people write.
const MOST_SPANNED: usize = 1_000;
/// More than this is in no table that people write; spans of spans could make any amount of few bytes.
const MOST_BYTES: usize = 100 << 20;

/// The tables of a page that have two rows and two columns at the least.
///
/// # Errors
/// A page without any, and a table whose spans reach beyond anything that people write.
pub fn tables(page: &str) -> Result<Vec<Grid>, InputError> {
    let page = Html::parse_document(page);
    let selected =
        |selector: &str| Selector::parse(selector).map_err(|error| InputError::new(error.to_string(), "report this"));
    let (tables, rows, caption) = (selected("table")?, selected("tr")?, selected("caption")?);
    let mut found = Vec::new();
    for table in page.select(&tables) {
        // A table around others only lays them out.
        if table.select(&tables).next().is_none() {
            let rows = spread(table.select(&rows))?;
            if rows.len() > 1 && rows.iter().any(|row| row.texts.len() > 1) {
                found.push(Grid::of(rows, table.select(&caption).map(text).collect()));
            }
        }
    }
    if found.is_empty() {
        return Err(InputError::new("the page has no table", "save the page with its tables, or give CSV"));
    }
    Ok(found)
}

/// The texts of rows, with what spans several of them repeated. A foot sums up, and is no row of its own.
fn spread<'a>(rows: impl Iterator<Item = ElementRef<'a>>) -> Result<Vec<Row>, InputError> {
    let mut spread = Vec::new();
    // For each column, what still spans it from above: how many rows, and the text.
    let mut spanned: Vec<(usize, String)> = Vec::new();
    let mut bytes = 0;
    for (index, row) in rows.enumerate() {
        let part = row.parent().and_then(ElementRef::wrap).map_or("", |parent| parent.value().name());
        if part == "tfoot" {
            continue;
        }
        let mut texts: Vec<String> = Vec::new();
        let mut depth = 1;
        let from_above = |texts: &mut Vec<String>, spanned: &mut Vec<(usize, String)>| {
            while let Some((rows, text)) = spanned.get_mut(texts.len()).filter(|(rows, _)| *rows > 0) {
                *rows -= 1;
                texts.push(text.clone());
            }
        };
        let cells = || row.child_elements().filter(|cell| matches!(cell.value().name(), "td" | "th"));
        for cell in cells() {
            from_above(&mut texts, &mut spanned);
            let (text, columns, rows) = (text(cell), span(cell, "colspan")?, span(cell, "rowspan")?);
            depth = depth.max(rows);
            bytes += (text.len() + 32) * columns * rows;
            if bytes > MOST_BYTES {
                return Err(InputError::new("the table has more cells than can be meant", "save the table as CSV"));
            }
            for _ in 0..columns {
                if spanned.len() <= texts.len() {
                    spanned.resize(texts.len() + 1, (0, String::new()));
                }
                spanned[texts.len()] = (rows - 1, text.clone());
                texts.push(text.clone());
            }
        }
        from_above(&mut texts, &mut spanned);
        let header = part == "thead" || cells().all(|cell| cell.value().name() == "th");
        spread.push(Row { number: index + 1, texts, header, depth });
    }
    Ok(spread)
}

/// How many rows or columns a cell spans. 0 means all the rest, which no table of numbers needs.
fn span(cell: ElementRef, attribute: &str) -> Result<usize, InputError> {
    let Some(stated) = cell.attr(attribute) else { return Ok(1) };
    stated.trim().parse().ok().filter(|span| (1..=MOST_SPANNED).contains(span)).ok_or_else(|| {
        InputError::new(
            format!("{attribute}={stated:?} is no number of rows or columns from 1 to {MOST_SPANNED}"),
            "save the table as CSV",
        )
    })
}

/// The text of a cell on one line, without marks of footnotes. Spaces that hold numbers together stay.
fn text(cell: ElementRef) -> String {
    let texts = cell.descendants().filter_map(|node| {
        let mut around = node.ancestors().take_while(|other| other.id() != cell.id()).filter_map(ElementRef::wrap);
        let text = node.value().as_text()?;
        (!around.any(|element| element.value().name() == "sup")).then_some(text)
    });
    let joined = texts.flat_map(|text| text.split_ascii_whitespace()).collect::<Vec<_>>().join(" ");
    joined.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn table(page: &str) -> Grid {
        let mut found = tables(page).expect("a page with a table");
        assert_eq!(found.len(), 1);
        found.remove(0)
    }

    #[test]
    fn cells_that_span_others_stand_in_each() {
        let page = "<table><caption>Results</caption><thead><tr><th rowspan=2>加速器</th><th colspan=2>rps</th></tr>\
            <tr><th>1 worker</th><th>4&nbsp;workers<sup>[2]</sup></th></tr></thead>\
            <tr><td rowspan='2'><b>none</b></td><td>587</td><td>2,255</td></tr><tr><td>588<td>2,256\
            <tfoot><tr><td>all<td>1<td>2</table>";
        let table = table(page);
        assert_eq!(table.title, "Results");
        assert_eq!(table.header, [["加速器", "加速器"], ["rps", "1 worker"], ["rps", "4\u{a0}workers"]]);
        let texts: Vec<_> = table.rows.iter().map(|(number, texts)| (*number, texts.join("|"))).collect();
        assert_eq!(texts, [(3, "none|587|2,255".to_owned()), (4, "none|588|2,256".to_owned())]);
    }

    #[test]
    fn a_header_is_as_deep_as_its_cells_when_the_page_says_nothing() {
        let page = "<table><tr><td colspan=3>Table 1<tr><td rowspan=2>size<td colspan=2>workers<tr><td>1<td>4<tr><td>8C16G<td>587<td>2255</table>";
        let table = table(page);
        assert_eq!(table.title, "Table 1");
        assert_eq!(table.header, [["size", "size"], ["workers", "1"], ["workers", "4"]]);
        assert_eq!(table.rows.len(), 1);
    }

    #[test]
    fn a_table_that_lays_out_the_page_is_none() {
        let inner = "<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr></table>";
        let found = table(&format!("<table><tr><td>menu</td><td>{inner}</td></tr></table>"));
        assert_eq!(found.header, [["a"], ["b"]]);
        assert!(tables("<p>no table").expect_err("none").to_string().starts_with("the page has no table"));
        assert_eq!(tables(&inner.repeat(2)).expect("two").len(), 2);
    }

    #[test]
    fn spans_of_any_size_are_refused() {
        let page = |span: &str| format!("<table><tr><td colspan={span}>a<td>b<tr><td>1<td>2</table>");
        for span in ["0", "-1", "1001", "99999999999999999999", "x"] {
            assert!(tables(&page(span)).is_err(), "{span}");
        }
        // Few bytes that would take gigabytes.
        let row = format!("<tr><td colspan=1000 rowspan=1000>{}", "x".repeat(1000));
        assert!(tables(&format!("<table>{}</table>", row.repeat(300))).is_err());
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(<(table|tr|td|th|td colspan=3|td rowspan=2|/tr|/table|b|sup)>|[a1 é&;])*") {
            let _ = tables(&text);
        }
    }
}

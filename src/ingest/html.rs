//! Tables of web pages. A cell that spans several columns or rows stands in each of them.

use scraper::{ElementRef, Html, Selector};

use crate::error::InputError;

/// More rows or columns than these are spanned by no cell that people write.
const MOST_SPANNED: usize = 1_000;
/// More cells than these are in no table that people write; spans of spans could make any number of few bytes.
const MOST_CELLS: usize = 10_000_000;

/// A table: rows of a header, and rows below it.
#[derive(Debug, PartialEq)]
pub struct HtmlTable {
    /// For each column the texts of its header, one above the other.
    pub header: Vec<Vec<String>>,
    /// The other rows.
    pub rows: Vec<Vec<String>>,
    /// The number of the first of them.
    pub first: usize,
}

/// The only table of a page that has two rows and two columns at the least.
///
/// # Errors
/// A page without such a table, or with several, and a table whose spans reach beyond anything that people write.
pub fn table(page: &str) -> Result<HtmlTable, InputError> {
    let page = Html::parse_document(page);
    let selected =
        |selector: &str| Selector::parse(selector).map_err(|error| InputError::new(error.to_string(), "report this"));
    let (tables, rows) = (selected("table")?, selected("tr")?);
    let mut found = Vec::new();
    for table in page.select(&tables) {
        // A table around others only lays them out.
        if table.select(&tables).next().is_none() {
            let grid = grid(table.select(&rows))?;
            if grid.len() > 1 && grid.iter().any(|row| row.texts.len() > 1) {
                found.push(grid);
            }
        }
    }
    match (found.pop(), found.len()) {
        (Some(grid), 0) => Ok(split(grid)),
        (_, others) => Err(InputError::new(
            format!("the page has {} tables", if others == 0 { 0 } else { others + 1 }),
            "save the table of runs as a page of its own, or as CSV",
        )),
    }
}

struct Row {
    texts: Vec<String>,
    /// Whether it is one of the header by what the page says.
    header: bool,
    /// The most rows that a cell of it spans.
    depth: usize,
}

/// The rows of the header are those that consist of header cells only, or stand in the head of the table; at the least the first
/// one, and those that its cells span.
fn split(grid: Vec<Row>) -> HtmlTable {
    let said = grid.iter().take_while(|row| row.header).count();
    let least = grid.first().map_or(1, |row| row.depth);
    let first = if said == grid.len() { least } else { said.max(least) };
    let (above, below) = grid.split_at(first.min(grid.len()));
    let width = above.iter().map(|row| row.texts.len()).max().unwrap_or(0);
    let text = |column: usize| above.iter().map(move |row| row.texts.get(column).cloned().unwrap_or_default());
    HtmlTable {
        header: (0..width).map(|column| text(column).collect()).collect(),
        rows: below.iter().map(|row| row.texts.clone()).collect(),
        first: first + 1,
    }
}

/// The texts of rows, with what spans several of them repeated.
fn grid<'a>(rows: impl Iterator<Item = ElementRef<'a>>) -> Result<Vec<Row>, InputError> {
    let mut grid = Vec::new();
    // For each column, what still spans it from above: how many rows, and the text.
    let mut spanned: Vec<(usize, String)> = Vec::new();
    let mut count = 0;
    for row in rows {
        let mut texts: Vec<String> = Vec::new();
        let mut depth = 1;
        let from_above = |texts: &mut Vec<String>, spanned: &mut Vec<(usize, String)>| {
            while let Some((rows, text)) = spanned.get_mut(texts.len()).filter(|(rows, _)| *rows > 0) {
                *rows -= 1;
                texts.push(text.clone());
            }
        };
        for cell in row.child_elements().filter(|cell| matches!(cell.value().name(), "td" | "th")) {
            from_above(&mut texts, &mut spanned);
            let (text, columns, rows) = (text(cell), span(cell, "colspan")?, span(cell, "rowspan")?);
            depth = depth.max(rows);
            for _ in 0..columns {
                if spanned.len() <= texts.len() {
                    spanned.resize(texts.len() + 1, (0, String::new()));
                }
                spanned[texts.len()] = (rows - 1, text.clone());
                texts.push(text.clone());
            }
        }
        from_above(&mut texts, &mut spanned);
        count += texts.len();
        if count > MOST_CELLS {
            return Err(InputError::new("the table has more cells than can be meant", "save the table as CSV"));
        }
        if texts.iter().any(|text| !text.is_empty()) {
            let head = row.parent().and_then(ElementRef::wrap).is_some_and(|parent| parent.value().name() == "thead");
            let cells = || row.child_elements().map(|cell| cell.value().name());
            grid.push(Row { texts, header: head || cells().all(|name| name == "th"), depth });
        }
    }
    Ok(grid)
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

/// The text of a cell on one line.
fn text(cell: ElementRef) -> String {
    cell.text().flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn cells_that_span_others_stand_in_each() {
        let page = "<table><caption>Results</caption><thead><tr><th rowspan=2>加速器</th><th colspan=2>rps</th></tr>\
            <tr><th>1 worker</th><th>4&nbsp;workers</th></tr></thead>\
            <tr><td rowspan='2'><b>none</b></td><td>587</td><td>2,255</td></tr><tr><td>588<td>2,256</table>";
        let table = table(page).expect("a table");
        assert_eq!(table.header, [["加速器", "加速器"], ["rps", "1 worker"], ["rps", "4 workers"]]);
        assert_eq!(table.rows, [["none", "587", "2,255"], ["none", "588", "2,256"]]);
        assert_eq!(table.first, 3);
    }

    #[test]
    fn a_header_is_as_deep_as_its_cells_when_the_page_says_nothing() {
        let page =
            "<table><tr><td rowspan=2>size<td colspan=2>workers<tr><td>1<td>4<tr><td>8C16G<td>587<td>2255</table>";
        let table = table(page).expect("a table");
        assert_eq!(table.header, [["size", "size"], ["workers", "1"], ["workers", "4"]]);
        assert_eq!(table.rows, [["8C16G", "587", "2255"]]);
    }

    #[test]
    fn a_table_that_lays_out_the_page_is_none() {
        let inner = "<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr></table>";
        let found = table(&format!("<table><tr><td>menu</td><td>{inner}</td></tr></table>")).expect("the inner one");
        assert_eq!(
            (found.header, found.rows),
            (vec![vec!["a".to_owned()], vec!["b".to_owned()]], vec![vec!["1".to_owned(), "2".to_owned()]])
        );
    }

    #[test]
    fn no_table_and_several_are_refused() {
        let one = "<table><tr><td>a<td>b<tr><td>1<td>2</table>";
        assert!(table("<p>no table").expect_err("none").to_string().starts_with("the page has 0 tables"));
        assert!(table(&one.repeat(2)).expect_err("two").to_string().starts_with("the page has 2 tables"));
    }

    #[test]
    fn spans_of_any_size_are_refused() {
        let page = |span: &str| format!("<table><tr><td colspan={span}>a<td>b<tr><td>1<td>2</table>");
        for span in ["0", "-1", "1001", "99999999999999999999", "x"] {
            assert!(table(&page(span)).is_err(), "{span}");
        }
        let rows = "<tr>".to_owned() + &"<td colspan=1000 rowspan=1000>x".repeat(20);
        assert!(table(&format!("<table>{}</table>", rows.repeat(600))).is_err());
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(<(table|tr|td|th|td colspan=3|td rowspan=2|/tr|/table|b)>|[a1 é&;])*") {
            let _ = table(&text);
        }
    }
}

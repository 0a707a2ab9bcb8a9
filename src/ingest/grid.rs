//! Rows of cells, as pages and spreadsheets hold them, taken apart into a title, a header of one row or several, and the rows
//! below it.

/// A row as it stands, with what spans several cells repeated in each.
pub(super) struct Row {
    /// Its number in the table, counted from 1.
    pub number: usize,
    pub texts: Vec<String>,
    /// Whether it is one of the header by what the page says.
    pub header: bool,
    /// The most rows that a cell of it spans.
    pub depth: usize,
}

/// A table.
#[derive(Debug, PartialEq)]
pub(super) struct Grid {
    /// What stands above it.
    pub title: String,
    /// For each column the texts of its header, one above the other.
    pub header: Vec<Vec<String>>,
    /// The other rows, with their numbers.
    pub rows: Vec<(usize, Vec<String>)>,
}

impl Grid {
    /// Rows above the header that hold one text are titles. The header are the rows that say so, at the least the first one and
    /// those that its cells span.
    pub fn of(rows: Vec<Row>, title: String) -> Self {
        let mut rows: Vec<Row> = rows.into_iter().filter(|row| row.texts.iter().any(|text| !text.is_empty())).collect();
        let mut title = vec![title];
        while rows.len() > 1 && rows[0].texts.len().max(rows[1].texts.len()) > 1 && is_title(&rows[0]) {
            title.extend(rows.remove(0).texts.into_iter().find(|text| !text.is_empty()));
        }
        let said = rows.iter().take_while(|row| row.header).count();
        let least = rows.first().map_or(1, |row| row.depth);
        let depth = if said == rows.len() { least } else { said.max(least) }.min(rows.len());
        let below = rows.split_off(depth);
        let width = rows.iter().map(|row| row.texts.len()).max().unwrap_or(0);
        let text = |column: usize| rows.iter().map(move |row| row.texts.get(column).cloned().unwrap_or_default());
        Self {
            title: title.join(" ").trim().to_owned(),
            header: (0..width).map(|column| text(column).collect()).collect(),
            rows: below.into_iter().map(|row| (row.number, row.texts)).collect(),
        }
    }
}

fn is_title(row: &Row) -> bool {
    let filled: Vec<&String> = row.texts.iter().filter(|text| !text.is_empty()).collect();
    // One that spans some columns only is a header of these.
    filled.len() == 1 || (filled.len() == row.texts.len() && filled.iter().all(|text| *text == filled[0]))
}

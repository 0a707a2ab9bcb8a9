//! The summary that hey prints and that oha took over from it.

use super::lines::{self, Lines};
use super::measured::total;

/// A summary, its values as they are printed.
#[derive(Debug, Default)]
pub(super) struct Summary<'a> {
    /// The line on which it begins, counted from 1.
    pub(super) line: usize,
    /// The last line that belongs to it.
    pub(super) last: usize,
    /// The labels of the first section and what stands behind them.
    labels: Vec<(&'a str, &'a str)>,
    /// Percentages and their latencies.
    percentiles: Vec<(f64, &'a str)>,
    /// HTTP statuses and how many responses had them.
    pub(super) statuses: Vec<(u64, u64)>,
    /// How many requests failed with which message.
    pub(super) failures: Vec<(u64, &'a str)>,
    /// Whether the responses by status are there.
    pub(super) has_statuses: bool,
}

/// The sections that hold values.
enum Section {
    Labels,
    Percentiles,
    Statuses,
    Failures,
    /// A section that is not read, or what stands behind the end of one.
    Other,
}

impl<'a> Summary<'a> {
    /// What stands behind a label.
    pub(super) fn label(&self, label: &str) -> Option<&'a str> {
        self.labels.iter().find(|(name, _)| *name == label).map(|(_, value)| *value)
    }

    /// The label that stands first.
    pub(super) fn first_label(&self) -> Option<&'a str> {
        self.labels.first().map(|(name, _)| *name)
    }

    /// The latency below which this percentage of the responses was.
    pub(super) fn percentile(&self, percentage: f64) -> Option<&'a str> {
        self.percentiles.iter().find(|(of, _)| *of == percentage).map(|(_, latency)| *latency)
    }

    /// Responses of all kinds.
    pub(super) fn responses(&self) -> u64 {
        total(self.statuses.iter().map(|(_, count)| *count))
    }

    /// Responses whose status is no failure.
    pub(super) fn good(&self) -> u64 {
        total(self.statuses.iter().filter(|(status, _)| is_good(*status)).map(|(_, count)| *count))
    }

    /// Takes a row into its section; false if it is none.
    fn take(&mut self, section: &Section, line: &'a str) -> bool {
        match section {
            Section::Labels => label(line).map(|row| self.labels.push(row)),
            Section::Percentiles => percentile(line).map(|row| self.percentiles.push(row)),
            Section::Statuses => status(line).map(|row| self.statuses.push(row)),
            Section::Failures => bracketed(line).map(|row| self.failures.push(row)),
            Section::Other => None,
        }
        .is_some()
    }
}

/// Whether a status means that the response is what was asked for.
pub(super) fn is_good(status: u64) -> bool {
    (200..400).contains(&status)
}

/// All summaries in a text.
pub(super) fn summaries(text: &str) -> Vec<Summary<'_>> {
    let mut summaries: Vec<Summary> = Vec::new();
    let mut section = Section::Other;
    for (number, line) in Lines::of(text) {
        if line.trim_end() == "Summary:" {
            summaries.push(Summary { line: number, last: number, ..Summary::default() });
            section = Section::Labels;
            continue;
        }
        let Some(summary) = summaries.last_mut() else { continue };
        if let Some(next) = heading(line) {
            // Nothing of another tool, whose output has no summary line, may be taken for a second section.
            if matches!(next, Section::Statuses) && summary.has_statuses {
                section = Section::Other;
                continue;
            }
            summary.has_statuses |= matches!(next, Section::Statuses);
            summary.last = number;
            section = next;
        } else if summary.take(&section, line) {
            summary.last = number;
        } else if !(matches!(section, Section::Labels) && line.trim().is_empty()) {
            // A blank line divides the labels; everything else ends a section.
            section = Section::Other;
        }
    }
    summaries
}

fn heading(line: &str) -> Option<Section> {
    match line.trim_end() {
        // oha names it like hey before version 0.5.
        "Latency distribution:" | "Response time distribution:" => Some(Section::Percentiles),
        "Status code distribution:" => Some(Section::Statuses),
        "Error distribution:" => Some(Section::Failures),
        _ => None,
    }
}

/// A row such as `  Slowest: 0.0102 secs`.
fn label(line: &str) -> Option<(&str, &str)> {
    let (label, value) = line.strip_prefix("  ")?.split_once(':')?;
    (!label.starts_with(' ')).then(|| (label, value.trim()))
}

/// A row such as `  50% in 0.0040 secs`.
fn percentile(line: &str) -> Option<(f64, &str)> {
    let (percentage, latency) = line.strip_prefix("  ")?.split_once("% in ")?;
    Some((lines::number(percentage)?, latency.trim()))
}

/// A row such as `  [200] 5000 responses`.
fn status(line: &str) -> Option<(u64, u64)> {
    let (status, count) = bracketed(line)?;
    Some((status, lines::count(count.strip_suffix("responses")?)?))
}

/// A row such as `  [20] message`.
fn bracketed(line: &str) -> Option<(u64, &str)> {
    let (number, rest) = line.strip_prefix("  [")?.split_once(']')?;
    Some((lines::count(number)?, rest.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TEXT: &str = "x\nSummary:\n  Total:\t1 secs\n  \n  Total data:\t9 bytes\n\n\
                        Latency distribution:\n  50% in 2 secs\n\n\
                        Status code distribution:\n  [200]\t3 responses\n  [500]\t2 responses\n  [7]\tno\n\n\
                        Error distribution:\n  [1]\tGet: refused\n\n  [9]\tforeign\n\
                        Status code distribution:\n  [200]\t1 responses\n";

    #[test]
    fn sections_are_read() {
        let summaries = summaries(TEXT);
        let [summary] = summaries.as_slice() else { panic!("{summaries:?}") };
        assert_eq!((summary.line, summary.last), (2, 16));
        assert_eq!((summary.label("Total"), summary.label("Total data")), (Some("1 secs"), Some("9 bytes")));
        assert_eq!((summary.percentile(50.0), summary.percentile(90.0)), (Some("2 secs"), None));
        assert_eq!((summary.responses(), summary.good()), (5, 3));
        assert_eq!(summary.failures, [(1, "Get: refused")]);
    }

    const LINES: &str = "(Summary:\n|Status code distribution:\n|  \\[[0-9]{1,25}\\]\\PC{0,9}\n|\\PC{0,9}\n){0,9}";

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in LINES) {
            for summary in summaries(&text) {
                let _ = (summary.responses(), summary.good(), summary.first_label());
            }
        }
    }
}

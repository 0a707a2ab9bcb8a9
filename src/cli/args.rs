//! Arguments that several commands share.

use clap::{Args, ValueEnum};

use crate::analysis::comparison::Comparing;
use crate::analysis::{Control, Method, Precision, Scope};
use crate::ingest::{MOST_RUNS, Reading};
use crate::language::Lang;
use crate::model::{schema, vocabulary};
use crate::stats::bootstrap::Center;
use crate::stats::multiple::Adjustment;

/// Which runs, and which metric.
#[derive(Args)]
pub struct Selection {
    /// Only runs with this level. May be repeated: other factors narrow further, levels of the same one are alternatives.
    #[arg(long = "where", value_name = "FACTOR=LEVEL", value_parser = condition)]
    pub conditions: Vec<(String, String)>,
    /// The metric [default: rps, or the first there is].
    #[arg(long, value_name = "METRIC", value_parser = column)]
    pub metric: Option<String>,
    /// Leave a factor out of the matching: runs that differ only in it are replicates. May be repeated.
    #[arg(long, value_name = "FACTOR", value_parser = column)]
    pub ignore: Vec<String>,
    /// Which column a header of a table stands for, where it is not known: --map '机型=vm_size'; or which level: --map 'QAT=accelerator=qat'. '备注=' leaves a column out. May be repeated.
    #[arg(long = "map", value_name = "HEADER=COLUMN", value_parser = mapping)]
    pub columns: Vec<(String, String)>,
    /// Confidence of the intervals, such as 95% or 0.95.
    #[arg(long, value_name = "SHARE", value_parser = share, default_value = "95%")]
    pub confidence: f64,
}

/// Which runs, which metric, and how intervals are computed.
#[derive(Args)]
pub struct Scoped {
    #[command(flatten)]
    pub selection: Selection,
    /// How intervals are computed.
    #[arg(long, value_enum, default_value_t)]
    pub method: Method,
    /// Coefficient of variation of one run, such as 2%, for settings that were run once.
    #[arg(long, value_name = "CV", value_parser = share)]
    pub assume_cv: Option<f64>,
    /// A factor that cannot act, and where: its levels show the spread of a run there (log-pooled). May be repeated.
    #[arg(long = "control", value_name = "FACTOR@FACTOR=LEVEL")]
    pub controls: Vec<Control>,
    /// What a bootstrap sums up a setting by [default: geometric-mean].
    #[arg(long, value_enum)]
    pub center: Option<Center>,
    /// How many resamples a bootstrap draws.
    #[arg(long, value_name = "N", default_value_t = Precision::default().resamples)]
    pub resamples: usize,
    /// Seed of a bootstrap.
    #[arg(long, value_name = "N", default_value_t = Precision::default().seed)]
    pub seed: u64,
}

/// Runs, and how the answer about them is written.
#[derive(Args)]
pub struct Asked<T: Args> {
    /// Files of runs, - for standard input, or documented:NAME.
    #[arg(value_name = "INPUT", required = true)]
    pub inputs: Vec<String>,
    #[command(flatten)]
    pub which: T,
    #[command(flatten)]
    pub output: Output,
}

/// A comparison of runs.
#[derive(Args)]
pub struct Comparable {
    #[command(flatten)]
    pub asked: Asked<Scoped>,
    /// Ask whether the two are equivalent: whether the ratio differs from 1 by less than this, such as 3%.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub margin: Option<f64>,
    /// Adjust p-values for the number of ratios; bonferroni adjusts their intervals as well.
    #[arg(long, value_enum, default_value_t)]
    pub adjust: Adjustment,
}

/// How an answer is written.
#[derive(Args, Clone, Copy)]
pub struct Output {
    /// The form of the output.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Language of tables and their notes; errors are in English.
    #[arg(long, value_enum, default_value_t)]
    pub lang: Lang,
}

/// The form of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    /// For a terminal.
    #[default]
    Table,
    /// All fields with full precision.
    Csv,
    /// The full result.
    Json,
    /// Markdown.
    Md,
}

/// The form of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum CheckFormat {
    /// For a terminal.
    #[default]
    Table,
    /// All fields with full precision.
    Csv,
    /// The full result.
    Json,
    /// Markdown, for a comment or a job summary.
    Md,
    /// JUnit XML, one test case per setting.
    Junit,
}

impl CheckFormat {
    /// The form that every answer has; none for JUnit.
    pub fn common(self) -> Option<Format> {
        match self {
            Self::Table => Some(Format::Table),
            Self::Csv => Some(Format::Csv),
            Self::Json => Some(Format::Json),
            Self::Md => Some(Format::Md),
            Self::Junit => None,
        }
    }
}

/// What is made of a verdict that is neither good nor bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Leniency {
    /// Exit code 0.
    Pass,
    /// Exit code 1.
    Fail,
}

impl Selection {
    pub fn scope(&self) -> Scope {
        Scope {
            metric: self.metric.clone(),
            conditions: self.conditions.clone(),
            ignore: self.ignore.clone(),
            controls: Vec::new(),
            precision: Precision { confidence: self.confidence, ..Precision::default() },
        }
    }

    /// How the runs are read.
    pub fn reading(&self) -> Reading {
        Reading { columns: self.columns.clone(), most_runs: None }
    }
}

impl Scoped {
    pub fn scope(&self) -> Scope {
        let precision = Precision {
            confidence: self.selection.confidence,
            method: self.method,
            assume_cv: self.assume_cv,
            center: self.center,
            resamples: self.resamples,
            seed: self.seed,
        };
        Scope { controls: self.controls.clone(), precision, ..self.selection.scope() }
    }

    /// How runs are read that the method may take as sums.
    pub fn summing_up(&self) -> Reading {
        let most_runs = (!self.method.needs_every_run()).then_some(MOST_RUNS);
        Reading { most_runs, ..self.selection.reading() }
    }
}

impl Comparable {
    /// A question about the selected runs.
    pub fn asks(&self, comparing: Comparing) -> Comparing {
        Comparing { margin: self.margin, adjust: self.adjust, scope: self.asked.which.scope(), ..comparing }
    }
}

/// `workers=4`, `工作进程数=4`
pub fn condition(text: &str) -> Result<(String, String), String> {
    let (factor, level) = label(text)?;
    Ok(vocabulary::condition(&factor, &level))
}

/// The same, in the words of the user.
pub fn label(text: &str) -> Result<(String, String), String> {
    let right = "write a factor and a level, such as workers=4";
    let (factor, level) = text.split_once('=').ok_or(right)?;
    let (factor, level) = (factor.trim(), level.trim());
    if factor.is_empty() || level.is_empty() {
        Err(right.to_owned())
    } else {
        Ok((factor.to_owned(), level.to_owned()))
    }
}

/// `机型=vm_size`, `QAT (CPS)=accelerator=qat`; `备注=` leaves the column out.
pub fn mapping(text: &str) -> Result<(String, String), String> {
    // A header of a wide table that holds the sign is explained by the name before it.
    let parts = text.split_once('=').map(|(header, column)| (header.trim(), column.trim()));
    let parts = parts.filter(|(header, _)| !header.is_empty());
    let (header, column) = parts.ok_or("write a header and the column that it stands for, such as 机型=vm_size")?;
    Ok((header.to_owned(), column.to_owned()))
}

/// A column by its name or another word for it.
pub fn column(text: &str) -> Result<String, std::convert::Infallible> {
    Ok(vocabulary::column(text))
}

/// `3%`, `0.03`, or none at all.
pub fn loss(text: &str) -> Result<f64, String> {
    if matches!(text.trim().trim_end_matches('%'), "0" | "0.0") { Ok(0.0) } else { share(text) }
}

/// `95%` or `0.95`. A bare 95 or 2 could mean either, and is refused.
pub fn share(text: &str) -> Result<f64, String> {
    let right = "write a percentage above 0% and below 100%, such as 95% or 2%, or a share such as 0.95 or 0.02";
    let text = text.trim();
    let value = match text.strip_suffix('%') {
        Some(percent) => schema::parse_number(percent.trim_end()).map(|percent| percent / 100.0),
        None => schema::parse_number(text),
    };
    value.filter(|share| *share > 0.0 && *share < 1.0).ok_or_else(|| right.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares() {
        assert_eq!(share("95%"), Ok(0.95));
        assert_eq!(share("0.95"), Ok(0.95));
        assert_eq!(share("2.5 %"), Ok(0.025));
        for text in ["95", "100%", "0", "-1%", "x", "nan", "inf%", ""] {
            assert!(share(text).is_err(), "{text}");
        }
    }
}

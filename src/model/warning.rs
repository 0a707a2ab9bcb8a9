//! What a reader of a result must know beside it: data with a stable code, worded by the catalogue.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::language::{Lang, text};

/// A warning travels with the result it belongs to and is shown as a footnote; nothing prints it from inside.
/// Serialises as `{"code": …, "message": …}`, the message in English.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Warning {
    /// One run only on a side, so no interval.
    SingleRun,
    /// The interval rests on a stated coefficient of variation.
    AssumedSpread {
        /// As stated, for example `2%`.
        cv: String,
    },
    /// All runs of both sides have the same value.
    IdenticalValues,
    /// Blocks are given, but not every block holds a run of both sides.
    IncompleteBlocks,
    /// The runs hold no complete blocks, and a paired comparison was asked for.
    NoBlocks,
    /// The spread is so large that an end of the interval cannot be written as a number.
    UnboundedInterval,
    /// Another factor changes together with the one compared.
    VariesTogether {
        /// The other factor.
        factor: String,
        /// Its level on the side of the baseline.
        baseline: String,
        /// Its level on the side of the contender.
        contender: String,
    },
    /// A factor that was left out of the matching varies within what is compared.
    IgnoredVaries {
        /// The factor.
        factor: String,
    },
    /// Configurations that have no counterpart.
    Unmatched {
        /// How many.
        cells: usize,
        /// One of them.
        example: String,
    },
    /// Runs without a value of the metric.
    MetricMissing {
        /// The metric.
        metric: String,
        /// How many runs.
        runs: usize,
    },
    /// Two runs have the same configuration, block, start and replicate number.
    SameReplicate {
        /// How many runs repeat an earlier one.
        runs: usize,
    },
    /// A wide table names no metric.
    AssumedMetric {
        /// The metric that was taken.
        metric: String,
    },
    /// An unknown column that looks like a known one.
    SimilarColumn {
        /// As it stands.
        column: String,
        /// The known one.
        known: String,
    },
}

impl Warning {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::SingleRun => "single-run",
            Self::AssumedSpread { .. } => "assumed-spread",
            Self::IdenticalValues => "identical-values",
            Self::IncompleteBlocks => "incomplete-blocks",
            Self::NoBlocks => "no-blocks",
            Self::UnboundedInterval => "unbounded-interval",
            Self::VariesTogether { .. } => "varies-together",
            Self::IgnoredVaries { .. } => "ignored-varies",
            Self::Unmatched { .. } => "unmatched",
            Self::MetricMissing { .. } => "metric-missing",
            Self::SameReplicate { .. } => "same-replicate",
            Self::AssumedMetric { .. } => "assumed-metric",
            Self::SimilarColumn { .. } => "similar-column",
        }
    }

    /// The message: what is the case and what to do.
    pub fn message(&self, lang: Lang) -> String {
        match self {
            Self::SingleRun => text(lang, "warning-single-run", &[]),
            Self::AssumedSpread { cv } => text(lang, "warning-assumed-spread", &[("cv", cv.as_str().into())]),
            Self::IdenticalValues => text(lang, "warning-identical-values", &[]),
            Self::IncompleteBlocks => text(lang, "warning-incomplete-blocks", &[]),
            Self::NoBlocks => text(lang, "warning-no-blocks", &[]),
            Self::UnboundedInterval => text(lang, "warning-unbounded-interval", &[]),
            Self::VariesTogether { factor, baseline, contender } => {
                let stated =
                    |level: &str| if level.is_empty() { text(lang, "level-unknown", &[]) } else { level.to_owned() };
                text(
                    lang,
                    "warning-varies-together",
                    &[
                        ("factor", factor.as_str().into()),
                        ("baseline", stated(baseline).into()),
                        ("contender", stated(contender).into()),
                    ],
                )
            }
            Self::IgnoredVaries { factor } => {
                text(lang, "warning-ignored-varies", &[("factor", factor.as_str().into())])
            }
            Self::Unmatched { cells, example } => {
                text(lang, "warning-unmatched", &[("cells", (*cells).into()), ("example", example.as_str().into())])
            }
            Self::MetricMissing { metric, runs } => {
                text(lang, "warning-metric-missing", &[("metric", metric.as_str().into()), ("runs", (*runs).into())])
            }
            Self::SameReplicate { runs } => text(lang, "warning-same-replicate", &[("runs", (*runs).into())]),
            Self::AssumedMetric { metric } => {
                text(lang, "warning-assumed-metric", &[("metric", metric.as_str().into())])
            }
            Self::SimilarColumn { column, known } => text(
                lang,
                "warning-similar-column",
                &[("column", column.as_str().into()), ("known", known.as_str().into())],
            ),
        }
    }
}

impl Serialize for Warning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Warning", 2)?;
        fields.serialize_field("code", self.code())?;
        fields.serialize_field("message", &self.message(Lang::En))?;
        fields.end()
    }
}

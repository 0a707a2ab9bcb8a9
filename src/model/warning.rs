//! What a reader of a result must know beside it: data with a stable code, worded by the catalogue.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::Level;
use crate::language::{Lang, count, text};

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
    /// A setting was run once; its interval rests on the spread of what else the study repeated.
    PooledSpread {
        /// How well that spread is known.
        degrees_of_freedom: usize,
    },
    /// A pooled interval was asked for, and the study repeats nothing.
    NothingToPool,
    /// A declared control is what the comparison asks about, so it cannot rest on it.
    ControlUnderTest {
        /// The factor that was declared inert.
        factor: String,
    },
    /// Ranks cannot reach the confidence with so few runs.
    TooFewForRanks {
        /// How many runs of each setting it takes.
        runs: usize,
    },
    /// A method other than the paired one was asked for where runs stand in complete blocks.
    BlocksIgnored {
        /// The method.
        method: String,
    },
    /// A bootstrap of few runs.
    FewForBootstrap {
        /// The method.
        method: String,
    },
    /// A term of a factorial design that cannot be told from others.
    Confounded {
        /// The factors.
        term: String,
    },
    /// A factorial design has too few effects to be judged against each other.
    FewEffects,
    /// Ranks would take too much memory.
    TooManyForRanks,
    /// The method is one for two settings, so a mean over several or a ratio of ratios has no interval.
    TwoSettingsOnly {
        /// The method.
        method: String,
    },
    /// No setting of a factorial design was repeated.
    Unreplicated,
    /// The runs of each side have the same value.
    IdenticalValues,
    /// Every block gives the same ratio.
    IdenticalRatios,
    /// Runs in blocks that lack the other side; they are left out.
    IncompleteBlocks {
        /// How many.
        runs: usize,
    },
    /// Some runs name no block, or fewer than two blocks are complete, so blocks are left out of account.
    UnusedBlocks,
    /// Some strata rest on blocks and others do not, so their mean has no interval.
    MixedBases,
    /// Several settings name the same server starts, so their mean has no interval.
    SharedStarts,
    /// A block holds several runs of one setting.
    RepeatedBlock,
    /// The runs name no blocks, and a paired comparison was asked for.
    NoBlocks,
    /// Some runs do not state a factor, and are compared as if they agreed in it.
    UnknownLevel {
        /// The factor.
        factor: String,
    },
    /// A column that is not known makes every run a setting of its own.
    EveryRunApart {
        /// The column.
        column: String,
    },
    /// A comparison that a report would hold cannot be made.
    NotCompared {
        /// The factor.
        factor: String,
        /// Why, and what would help.
        reason: String,
    },
    /// Characters that no bundled font has.
    MissingGlyphs {
        /// The characters.
        characters: String,
    },
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
    /// Values rise or fall from run to run of a setting.
    Drift {
        /// Whether the runs stand in blocks, within which it cancels.
        blocks: bool,
        /// By how much, from the first run of a setting to the last.
        change: String,
        /// How many runs the longest series has.
        runs: usize,
    },
    /// A run resembles the one before it.
    Autocorrelation,
    /// A value lies far from the others of its setting.
    Outlier {
        /// The setting.
        setting: String,
        /// The value.
        value: String,
    },
    /// Settings differ in their spread.
    UnequalSpread {
        /// The smallest coefficient of variation.
        least: String,
        /// The largest.
        most: String,
    },
    /// A setting has the same value again and again.
    RepeatedValue {
        /// The setting.
        setting: String,
        /// The value.
        value: String,
        /// How often.
        times: usize,
    },
    /// Two settings have the same values in the same order.
    CopiedRuns {
        /// One setting.
        setting: String,
        /// The other.
        original: String,
    },
    /// Values are given with few digits.
    CoarseRounding {
        /// The smallest value.
        value: String,
        /// How far its rounding reaches.
        share: String,
    },
    /// Two runs have the same configuration, block, start and replicate number.
    SameReplicate {
        /// How many runs repeat an earlier one.
        runs: usize,
    },
    /// What to know of the rate that a load tool printed.
    LoadTool {
        /// The tool.
        tool: String,
        /// What it is, by its code.
        remark: String,
        /// A value that belongs to it.
        detail: String,
        /// How many runs.
        runs: usize,
    },
    /// A file, or a part of it, that gave no run.
    NotImported {
        /// The file, with the line where there is one.
        file: String,
        /// Why.
        reason: String,
    },
    /// So many runs that they were summed up while they were read.
    SummedUp {
        /// How many runs.
        runs: usize,
        /// What is left of them.
        settings: usize,
    },
    /// Runs that do not state the factor that is compared.
    NotStated {
        /// The factor.
        factor: String,
        /// How many runs.
        runs: usize,
    },
    /// An unknown column of numbers beside columns over which a factor is spread.
    NumbersBesideLevels {
        /// The column.
        column: String,
    },
    /// A column that says nothing of a run by itself.
    LeftOut {
        /// The column.
        column: String,
        /// The table.
        source: String,
    },
    /// A header that was to be renamed does not stand in a table.
    NoSuchHeader {
        /// The header.
        header: String,
        /// The table.
        source: String,
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
    /// Adds a warning to others, unless it is among them.
    pub(crate) fn add(warnings: &mut Vec<Self>, warning: Self) {
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }

    /// A factor that has no level in common on the two sides of a comparison.
    pub(crate) fn varies_together<'a>(
        factor: &str,
        baseline: impl Iterator<Item = &'a Level>,
        contender: impl Iterator<Item = &'a Level>,
    ) -> Self {
        let baseline = baseline.map(ToString::to_string).collect::<Vec<_>>().join("/");
        let contender = contender.map(ToString::to_string).collect::<Vec<_>>().join("/");
        Self::VariesTogether { factor: factor.to_owned(), baseline, contender }
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::SingleRun => "single-run",
            Self::AssumedSpread { .. } => "assumed-spread",
            Self::PooledSpread { .. } => "pooled-spread",
            Self::NothingToPool => "nothing-to-pool",
            Self::ControlUnderTest { .. } => "control-under-test",
            Self::TooFewForRanks { .. } => "too-few-for-ranks",
            Self::BlocksIgnored { .. } => "blocks-ignored",
            Self::FewForBootstrap { .. } => "few-for-bootstrap",
            Self::Confounded { .. } => "confounded",
            Self::FewEffects => "few-effects",
            Self::TooManyForRanks => "too-many-for-ranks",
            Self::TwoSettingsOnly { .. } => "two-settings-only",
            Self::Unreplicated => "unreplicated",
            Self::IdenticalValues => "identical-values",
            Self::IdenticalRatios => "identical-ratios",
            Self::IncompleteBlocks { .. } => "incomplete-blocks",
            Self::UnusedBlocks => "unused-blocks",
            Self::MixedBases => "mixed-bases",
            Self::SharedStarts => "shared-starts",
            Self::RepeatedBlock => "repeated-block",
            Self::UnknownLevel { .. } => "unknown-level",
            Self::EveryRunApart { .. } => "every-run-apart",
            Self::NotCompared { .. } => "not-compared",
            Self::MissingGlyphs { .. } => "missing-glyphs",
            Self::NoBlocks => "no-blocks",
            Self::UnboundedInterval => "unbounded-interval",
            Self::VariesTogether { .. } => "varies-together",
            Self::IgnoredVaries { .. } => "ignored-varies",
            Self::Unmatched { .. } => "unmatched",
            Self::MetricMissing { .. } => "metric-missing",
            Self::Drift { .. } => "drift",
            Self::Autocorrelation => "autocorrelation",
            Self::Outlier { .. } => "outlier",
            Self::UnequalSpread { .. } => "unequal-spread",
            Self::RepeatedValue { .. } => "repeated-value",
            Self::CopiedRuns { .. } => "copied-runs",
            Self::CoarseRounding { .. } => "coarse-rounding",
            Self::SameReplicate { .. } => "same-replicate",
            Self::NotImported { .. } => "not-imported",
            Self::LoadTool { .. } => "load-tool",
            Self::SummedUp { .. } => "summed-up",
            Self::NotStated { .. } => "not-stated",
            Self::NumbersBesideLevels { .. } => "numbers-beside-levels",
            Self::LeftOut { .. } => "left-out",
            Self::NoSuchHeader { .. } => "no-such-header",
            Self::AssumedMetric { .. } => "assumed-metric",
            Self::SimilarColumn { .. } => "similar-column",
        }
    }

    /// The message: what is the case and what to do.
    pub fn message(&self, lang: Lang) -> String {
        // Where nothing varies there is one setting, and it has no name.
        let named = |setting: &str| {
            if setting.is_empty() { text(lang, "setting-only", &[]) } else { setting.to_owned() }
        };
        match self {
            Self::SingleRun => text(lang, "warning-single-run", &[]),
            Self::AssumedSpread { cv } => text(lang, "warning-assumed-spread", &[("cv", cv.as_str().into())]),
            Self::PooledSpread { degrees_of_freedom } => {
                text(lang, "warning-pooled-spread", &[("df", (*degrees_of_freedom).into())])
            }
            Self::NothingToPool => text(lang, "warning-nothing-to-pool", &[]),
            Self::ControlUnderTest { factor } => {
                text(lang, "warning-control-under-test", &[("factor", factor.as_str().into())])
            }
            Self::TooFewForRanks { runs } => text(lang, "warning-too-few-for-ranks", &[("runs", (*runs).into())]),
            Self::BlocksIgnored { method } => {
                text(lang, "warning-blocks-ignored", &[("method", method.as_str().into())])
            }
            Self::FewForBootstrap { method } => {
                text(lang, "warning-few-for-bootstrap", &[("method", method.as_str().into())])
            }
            Self::Confounded { term } => text(lang, "warning-confounded", &[("term", term.as_str().into())]),
            Self::FewEffects => text(lang, "warning-few-effects", &[]),
            Self::TooManyForRanks => text(lang, "warning-too-many-for-ranks", &[]),
            Self::TwoSettingsOnly { method } => {
                text(lang, "warning-two-settings-only", &[("method", method.as_str().into())])
            }
            Self::Unreplicated => text(lang, "warning-unreplicated", &[]),
            Self::IdenticalValues => text(lang, "warning-identical-values", &[]),
            Self::IdenticalRatios => text(lang, "warning-identical-ratios", &[]),
            Self::IncompleteBlocks { runs } => text(lang, "warning-incomplete-blocks", &[("runs", (*runs).into())]),
            Self::UnusedBlocks => text(lang, "warning-unused-blocks", &[]),
            Self::MixedBases => text(lang, "warning-mixed-bases", &[]),
            Self::SharedStarts => text(lang, "warning-shared-starts", &[]),
            Self::RepeatedBlock => text(lang, "warning-repeated-block", &[]),
            Self::UnknownLevel { factor } => text(lang, "warning-unknown-level", &[("factor", factor.as_str().into())]),
            Self::EveryRunApart { column } => {
                text(lang, "warning-every-run-apart", &[("column", column.as_str().into())])
            }
            Self::NotCompared { factor, reason } => text(
                lang,
                "warning-not-compared",
                &[("factor", factor.as_str().into()), ("reason", reason.as_str().into())],
            ),
            Self::MissingGlyphs { characters } => {
                text(lang, "warning-missing-glyphs", &[("characters", characters.as_str().into())])
            }
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
            Self::Drift { blocks, change, runs } => text(
                lang,
                if *blocks { "warning-drift-blocks" } else { "warning-drift" },
                &[("change", change.as_str().into()), ("runs", (*runs).into())],
            ),
            Self::Autocorrelation => text(lang, "warning-autocorrelation", &[]),
            Self::Outlier { setting, value } => {
                text(lang, "warning-outlier", &[("setting", named(setting).into()), ("value", value.as_str().into())])
            }
            Self::UnequalSpread { least, most } => text(
                lang,
                "warning-unequal-spread",
                &[("least", least.as_str().into()), ("most", most.as_str().into())],
            ),
            Self::RepeatedValue { setting, value, times } => text(
                lang,
                "warning-repeated-value",
                &[("setting", named(setting).into()), ("value", value.as_str().into()), ("times", (*times).into())],
            ),
            Self::CopiedRuns { setting, original } => text(
                lang,
                "warning-copied-runs",
                &[("setting", named(setting).into()), ("original", named(original).into())],
            ),
            Self::CoarseRounding { value, share } => text(
                lang,
                "warning-coarse-rounding",
                &[("value", value.as_str().into()), ("share", share.as_str().into())],
            ),
            Self::SameReplicate { runs } => text(lang, "warning-same-replicate", &[("runs", (*runs).into())]),
            Self::NotImported { file, reason } => text(
                lang,
                "warning-not-imported",
                &[("file", file.as_str().into()), ("reason", reason.as_str().into())],
            ),
            Self::LoadTool { tool, remark, detail, runs } => text(
                lang,
                &format!("remark-{remark}"),
                &[("tool", tool.as_str().into()), ("detail", detail.as_str().into()), ("runs", (*runs).into())],
            ),
            Self::SummedUp { runs, settings } => text(
                lang,
                "warning-summed-up",
                &[("runs", count(*runs as u64).into()), ("settings", (*settings).into())],
            ),
            Self::NotStated { factor, runs } => {
                text(lang, "warning-not-stated", &[("factor", factor.as_str().into()), ("runs", (*runs).into())])
            }
            Self::NumbersBesideLevels { column } => {
                text(lang, "warning-numbers-beside-levels", &[("column", column.as_str().into())])
            }
            Self::LeftOut { column, source } => text(
                lang,
                "warning-left-out",
                &[("column", column.as_str().into()), ("source", source.as_str().into())],
            ),
            Self::NoSuchHeader { header, source } => text(
                lang,
                "warning-no-such-header",
                &[("header", header.as_str().into()), ("source", source.as_str().into())],
            ),
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

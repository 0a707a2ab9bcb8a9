//! The commands and their arguments; the text of the help is in their comments.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use super::args::{
    Asked, CheckFormat, Comparable, Format, Leniency, Output, Scoped, Selection, column, label, loss, mapping, share,
};
use crate::analysis::effects::Unreplicated;
use crate::figure::PNG_WIDTH;
use crate::ingest::import::{Parts, Pattern};
use crate::ingest::outputs::Tool;
use crate::language::Lang;
use crate::stats::multiple::Adjustment;

const EXAMPLES: &str = "\
Examples:
  kaeanalysis report                                     report on the documented studies
  kaeanalysis report runs.csv --out report --lang zh     report on your own runs, in Chinese
  kaeanalysis speedup documented:vkae_vm                 accelerator against none
  kaeanalysis async-gain runs.csv --where workers=4      async against sync, at 4 workers
  kaeanalysis compare runs.csv --factor cipher --format csv
  kaeanalysis import logs/ -o runs.csv                   outputs of load tools to runs
  kaeanalysis audit documented:vkae_vm                   do the published sentences hold?
  kaeanalysis check stored.csv new.csv --max-regression 3%
  kaeanalysis power --effect 3% --cv 1.5%                how many runs does it take?
  kaeanalysis plot bars runs.csv -o rps.png

INPUT is a file (CSV, Parquet, NDJSON, XLSX, Markdown, HTML), - for standard input, or documented:NAME.

Exit codes: 0 done, 1 failed (a regression, a claim that says too much), 2 bad input or usage,
3 inconclusive. Reserved: 4 run failed.";

/// Is the crypto accelerator worth it, and how sure are we?
#[derive(Parser)]
#[command(name = "kaeanalysis", version, after_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Write a report on runs: Markdown, HTML, JSON, tables and figures.
    #[command(after_help = "Example:\n  kaeanalysis report runs.csv --out report --force")]
    Report {
        /// Files of runs, - or documented:NAME; without any, the documented studies.
        #[arg(value_name = "INPUT")]
        inputs: Vec<String>,
        /// Folder to write to.
        #[arg(long, short, value_name = "DIR", default_value = "report")]
        out: PathBuf,
        /// Language of the report.
        #[arg(long, value_enum, default_value_t)]
        lang: Lang,
        /// Replace the report that the folder holds.
        #[arg(long)]
        force: bool,
        /// A TOML file of claims to judge [default: those of the documented studies].
        #[arg(long, value_name = "FILE")]
        claims: Option<PathBuf>,
        #[command(flatten)]
        scoped: Scoped,
    },
    /// Compare the levels of a factor, all other factors held equal.
    #[command(
        after_help = "Example:\n  kaeanalysis compare documented:vkae_vm --factor workers --baseline 1 --contender 4"
    )]
    Compare {
        #[command(flatten)]
        comparable: Comparable,
        /// The factor to compare.
        #[arg(long, value_name = "FACTOR", value_parser = column)]
        factor: String,
        /// The level that is 1 [default: none, sync, the smallest number or the first that appears].
        #[arg(long, value_name = "LEVEL")]
        baseline: Option<String>,
        /// The level to compare with it [default: every other].
        #[arg(long, value_name = "LEVEL")]
        contender: Option<String>,
    },
    /// Compare every accelerator with none: the hard/soft ratio.
    #[command(after_help = "Example:\n  kaeanalysis speedup documented:vkae_vm --where tls_mode=async")]
    Speedup {
        #[command(flatten)]
        comparable: Comparable,
    },
    /// Compare async with sync mode.
    #[command(after_help = "Example:\n  kaeanalysis async-gain documented:vkae_vm --assume-cv 2%")]
    AsyncGain {
        #[command(flatten)]
        comparable: Comparable,
    },
    /// Ask whether the effect of a factor depends on another: the ratio of two ratios.
    #[command(
        after_help = "Example:\n  kaeanalysis interaction documented:vkae_vm --factor tls_mode --by accelerator --method log-pooled"
    )]
    Interaction {
        #[command(flatten)]
        asked: Asked<Scoped>,
        /// The factor whose effect it is.
        #[arg(long, value_name = "FACTOR", value_parser = column)]
        factor: String,
        /// The level that is 1.
        #[arg(long, value_name = "LEVEL")]
        baseline: Option<String>,
        /// The level to compare with it [default: every other].
        #[arg(long, value_name = "LEVEL")]
        contender: Option<String>,
        /// The factor that the effect may depend on.
        #[arg(long, value_name = "FACTOR", value_parser = column)]
        by: String,
        /// The level of that factor whose ratio is divided by.
        #[arg(long, value_name = "LEVEL")]
        by_baseline: Option<String>,
        /// The level of that factor whose ratio is divided [default: every other].
        #[arg(long, value_name = "LEVEL")]
        by_contender: Option<String>,
    },
    /// Compute the effects and interactions of a two-level design.
    #[command(after_help = "Example:\n  kaeanalysis effects documented:vkae_vm --unreplicated lenth")]
    Effects {
        #[command(flatten)]
        asked: Asked<Selection>,
        /// A factor of the design [default: all that vary]. May be repeated.
        #[arg(long = "factor", value_name = "FACTOR", value_parser = column)]
        factors: Vec<String>,
        /// How effects are judged where no setting was repeated.
        #[arg(long, value_enum, default_value_t)]
        unreplicated: Unreplicated,
    },
    /// Hold published sentences against the runs.
    #[command(after_help = "Example:\n  kaeanalysis audit runs.csv --claims claims.toml\n\n\
        Exit codes: 1 if a claim is overstated or contradicted, be it in one setting; otherwise 3 if one is not testable.\n\
        How claims are written and judged: docs/statistics.md")]
    Audit {
        /// Files of runs, - or documented:NAME; without any, the documented studies.
        #[arg(value_name = "INPUT")]
        inputs: Vec<String>,
        /// A TOML file of claims [default: those of the documented studies].
        #[arg(long, value_name = "FILE")]
        claims: Option<PathBuf>,
        /// How far two levels may be apart to pass for the same where a claim does not say.
        #[arg(long, value_name = "SHARE", value_parser = share, default_value = "3%")]
        margin: f64,
        /// What a claim that is not testable does to the exit code [default: 3].
        #[arg(long, value_enum, value_name = "DO")]
        inconclusive: Option<Leniency>,
        #[command(flatten)]
        scoped: Scoped,
        #[command(flatten)]
        output: Output,
    },
    /// Compare new runs with stored ones, for CI.
    #[command(
        after_help = "Example:\n  kaeanalysis check stored.csv new.csv --max-regression 3% --format md >> $GITHUB_STEP_SUMMARY\n\n\
        Exit codes: 1 if a setting regressed, otherwise 3 if one is inconclusive."
    )]
    Check {
        /// The stored runs: a file, - or documented:NAME.
        #[arg(value_name = "BASELINE")]
        baseline: String,
        /// The new runs.
        #[arg(value_name = "CURRENT")]
        current: String,
        /// The loss that is accepted, such as 3%; 0% accepts none.
        #[arg(long, value_name = "SHARE", value_parser = loss)]
        max_regression: f64,
        /// Adjust for the number of settings.
        #[arg(long, value_enum, default_value_t)]
        adjust: Adjustment,
        /// What an inconclusive setting does to the exit code [default: 3].
        #[arg(long, value_enum, value_name = "DO")]
        inconclusive: Option<Leniency>,
        /// What a setting that was not measured again does to the exit code.
        #[arg(long, value_enum, value_name = "DO", default_value = "pass")]
        gone: Leniency,
        #[command(flatten)]
        scoped: Scoped,
        /// The form of the output.
        #[arg(long, value_enum, default_value_t)]
        format: CheckFormat,
        /// Language of tables and their notes; errors are in English.
        #[arg(long, value_enum, default_value_t)]
        lang: Lang,
    },
    /// Ask how many runs it takes.
    #[command(
        after_help = "Examples:\n  kaeanalysis power --effect 3% --cv 1.5%\n  kaeanalysis power runs.csv --effect 3%"
    )]
    Power {
        /// Runs that show the spread: files, - or documented:NAME.
        #[arg(value_name = "INPUT")]
        inputs: Vec<String>,
        /// The smallest gain that is not to be missed, such as 3%.
        #[arg(long, value_name = "SHARE", value_parser = share)]
        effect: Option<f64>,
        /// Coefficient of variation of one run, such as 1.5%, where no runs show it.
        #[arg(long, value_name = "CV", value_parser = share)]
        cv: Option<f64>,
        /// The chance of finding that gain.
        #[arg(long, value_name = "SHARE", value_parser = share, default_value = "80%")]
        power: f64,
        /// Half width that the interval of a ratio is to have.
        #[arg(long, value_name = "SHARE", value_parser = share, default_value = "1%")]
        half_width: f64,
        #[command(flatten)]
        selection: Selection,
        #[command(flatten)]
        output: Output,
    },
    /// Look for drift, outliers, copies and other faults of the runs.
    #[command(after_help = "Example:\n  kaeanalysis quality runs.csv")]
    Quality {
        #[command(flatten)]
        asked: Asked<Selection>,
    },
    /// Turn outputs of load tools, and published tables, into runs.
    #[command(
        after_help = "Example:\n  kaeanalysis import logs/ --pattern '{accelerator}_{tls_mode}_{workers}w_r{replicate}.log' -o runs.csv"
    )]
    Import {
        /// Files and folders; .gz and .zst are unpacked.
        #[arg(value_name = "PATH", required = true)]
        paths: Vec<PathBuf>,
        /// The tool whose outputs to read [default: whichever is recognised].
        #[arg(long, value_name = "TOOL")]
        tool: Option<Tool>,
        /// What holds for all runs. May be repeated.
        #[arg(long = "label", value_name = "COLUMN=VALUE", value_parser = label)]
        labels: Vec<(String, String)>,
        /// What the names of the files say, with columns in braces.
        #[arg(long, value_name = "PATTERN")]
        pattern: Option<Pattern>,
        /// A CSV table with a column `file` and a column for each label.
        #[arg(long, value_name = "FILE")]
        manifest: Option<PathBuf>,
        /// What is made of several outputs in one file.
        #[arg(long, value_enum)]
        parts: Option<Parts>,
        /// Which column a header of a table stands for, where it is not known; none leaves it out. May be repeated.
        #[arg(long = "map", value_name = "HEADER=COLUMN", value_parser = mapping)]
        columns: Vec<(String, String)>,
        /// The file to write; its ending, .csv, .parquet or .ndjson, chooses the format.
        #[arg(long, short, value_name = "FILE", required_unless_present = "dry_run")]
        output: Option<PathBuf>,
        /// Show what would come out of each file, and write nothing.
        #[arg(long)]
        dry_run: bool,
        /// Replace the file if it exists.
        #[arg(long)]
        force: bool,
        /// Language of the table and the notes.
        #[arg(long, value_enum, default_value_t)]
        lang: Lang,
    },
    /// Draw a figure as SVG or PNG.
    Plot {
        #[command(subcommand)]
        kind: Plot,
    },
    /// List the documented studies, or describe one.
    #[command(after_help = "Example:\n  kaeanalysis datasets vkae_vm --format csv > vkae_vm.csv")]
    Datasets {
        /// The study to describe.
        name: Option<String>,
        /// The form of the output; with a name, csv gives its runs.
        #[arg(long, value_enum, default_value_t)]
        format: Format,
        /// Language of the output.
        #[arg(long, value_enum, default_value_t)]
        lang: Lang,
    },
    /// Print the completions of a shell.
    #[command(
        after_help = "Example:\n  kaeanalysis completions bash > ~/.local/share/bash-completion/completions/kaeanalysis"
    )]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

#[derive(Subcommand)]
pub enum Plot {
    /// Grouped bars of the metric, one per cell.
    #[command(after_help = "Example:\n  kaeanalysis plot bars documented:vkae_vm -o rps.png")]
    Bars {
        /// Files of runs, - or documented:NAME.
        #[arg(value_name = "INPUT", required = true)]
        inputs: Vec<String>,
        #[command(flatten)]
        scoped: Scoped,
        #[command(flatten)]
        file: Drawn,
    },
    /// Ratios with their intervals, one per stratum.
    #[command(
        after_help = "Example:\n  kaeanalysis plot forest documented:vkae_vm -o speedup.svg --factor accelerator"
    )]
    Forest {
        /// Files of runs, - or documented:NAME.
        #[arg(value_name = "INPUT", required = true)]
        inputs: Vec<String>,
        /// The factor to compare [default: accelerator, tls_mode, or the first named one that varies].
        #[arg(long, value_name = "FACTOR", value_parser = column)]
        factor: Option<String>,
        /// The level that is 1.
        #[arg(long, value_name = "LEVEL")]
        baseline: Option<String>,
        /// The level to compare with it [default: every other].
        #[arg(long, value_name = "LEVEL")]
        contender: Option<String>,
        #[command(flatten)]
        scoped: Scoped,
        #[command(flatten)]
        file: Drawn,
    },
}

/// Where a figure goes.
#[derive(clap::Args)]
pub struct Drawn {
    /// File to write; its ending, .svg or .png, chooses the format.
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// Width of a PNG in pixels.
    #[arg(long, value_name = "PIXELS", default_value_t = PNG_WIDTH)]
    pub width: u32,
    /// Language of the labels.
    #[arg(long, value_enum, default_value_t)]
    pub lang: Lang,
    /// Replace the file if it exists.
    #[arg(long)]
    pub force: bool,
}

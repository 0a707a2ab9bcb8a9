//! The command line: parses arguments, calls one function, presents the result.

mod args;
mod output;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{CommandFactory, Parser, Subcommand};

use crate::analysis::Scope;
use crate::analysis::comparison::{Comparing, compare};
use crate::analysis::study;
use crate::analysis::summary::summarise;
use crate::error::{Error, Result};
use crate::figure::{Figure, PNG_WIDTH, bars, forest};
use crate::ingest;
use crate::language::{Lang, text};
use crate::model::{Runs, datasets};
use crate::report::tables::Tabular;
use crate::report::{self, Options};
use args::{Comparable, Format, Selection};
use output::{print, print_table, show};

/// Done.
const DONE: i32 = 0;
/// Bad input or usage.
const BAD_INPUT: i32 = 2;

const EXAMPLES: &str = "\
Examples:
  kaeanalysis report                                     report on the documented studies
  kaeanalysis report runs.csv --out report --lang zh     report on your own runs, in Chinese
  kaeanalysis speedup documented:vkae_vm                 accelerator against none
  kaeanalysis async-gain runs.csv --where workers=4      async against sync, at 4 workers
  kaeanalysis compare runs.csv --factor cipher --format csv
  kaeanalysis plot bars runs.csv -o rps.png

INPUT is a CSV file, - for standard input, or documented:NAME (see kaeanalysis datasets).

Exit codes: 0 done, 2 bad input or usage. Reserved: 1 check failed, 3 inconclusive, 4 run failed.";

/// Is the crypto accelerator worth it, and how sure are we?
#[derive(Parser)]
#[command(name = "kaeanalysis", version, after_help = EXAMPLES, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write a report on runs: Markdown, HTML, JSON, tables and figures.
    #[command(after_help = "Example:\n  kaeanalysis report runs.csv --out report --force")]
    Report {
        /// CSV files, - or documented:NAME; without any, the documented studies.
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
        #[command(flatten)]
        selection: Selection,
    },
    /// Compare the levels of a factor, all other factors held equal.
    #[command(
        after_help = "Example:\n  kaeanalysis compare documented:vkae_vm --factor workers --baseline 1 --contender 4"
    )]
    Compare {
        #[command(flatten)]
        comparable: Comparable,
        /// The factor to compare.
        #[arg(long, value_name = "FACTOR")]
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
enum Plot {
    /// Grouped bars of the metric, one per cell.
    #[command(after_help = "Example:\n  kaeanalysis plot bars documented:vkae_vm -o rps.png")]
    Bars {
        /// CSV files, - or documented:NAME.
        #[arg(value_name = "INPUT", required = true)]
        inputs: Vec<String>,
        #[command(flatten)]
        selection: Selection,
        #[command(flatten)]
        file: Drawn,
    },
    /// Ratios with their intervals, one per stratum.
    #[command(
        after_help = "Example:\n  kaeanalysis plot forest documented:vkae_vm -o speedup.svg --factor accelerator"
    )]
    Forest {
        /// CSV files, - or documented:NAME.
        #[arg(value_name = "INPUT", required = true)]
        inputs: Vec<String>,
        /// The factor to compare [default: accelerator, tls_mode, or the first named one that varies].
        #[arg(long, value_name = "FACTOR")]
        factor: Option<String>,
        /// The level that is 1.
        #[arg(long, value_name = "LEVEL")]
        baseline: Option<String>,
        /// The level to compare with it [default: every other].
        #[arg(long, value_name = "LEVEL")]
        contender: Option<String>,
        #[command(flatten)]
        selection: Selection,
        #[command(flatten)]
        file: Drawn,
    },
}

/// Where a figure goes.
#[derive(clap::Args)]
struct Drawn {
    /// File to write; its ending, .svg or .png, chooses the format.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Width of a PNG in pixels.
    #[arg(long, value_name = "PIXELS", default_value_t = PNG_WIDTH)]
    width: u32,
    /// Language of the labels.
    #[arg(long, value_enum, default_value_t)]
    lang: Lang,
    /// Replace the file if it exists.
    #[arg(long)]
    force: bool,
}

/// Runs the program with its arguments, the program's name first, and gives its exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> i32 {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are no failure and go to standard output.
            let _ = error.print();
            return error.exit_code();
        }
    };
    match execute(cli.command) {
        Ok(()) => DONE,
        Err(error) => {
            output::complain(&format!("error: {error}"));
            BAD_INPUT
        }
    }
}

fn execute(command: Command) -> Result<()> {
    match command {
        Command::Report { inputs, out, lang, force, selection } => write_report(&inputs, &out, lang, force, &selection),
        Command::Compare { comparable, factor, baseline, contender } => {
            compared(&comparable, Comparing { baseline, contender, ..Comparing::new(&factor) })
        }
        Command::Speedup { comparable } => compared(&comparable, Comparing::speedup()),
        Command::AsyncGain { comparable } => compared(&comparable, Comparing::async_gain()),
        Command::Plot { kind } => plot(kind),
        Command::Datasets { name, format, lang } => match name {
            None => match format {
                Format::Json => {
                    print(&report::json::to_json("datasets", &serde_json::json!({ "datasets": datasets::all()? }))?)
                }
                _ => print_table(&datasets::all()?.as_slice().table(lang), format, lang),
            },
            Some(name) => describe(&name, format, lang),
        },
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "kaeanalysis", &mut script);
            print(&String::from_utf8_lossy(&script))
        }
    }
}

fn read(inputs: &[String]) -> Result<Runs> {
    if inputs.iter().filter(|input| *input == "-").count() > 1 {
        return Err(Error::input("standard input is named twice", "name - once"));
    }
    let parts = inputs.iter().map(|input| ingest::read(input)).collect::<Result<Vec<_>>>()?;
    Runs::concat(parts)
}

fn write_report(inputs: &[String], out: &Path, lang: Lang, force: bool, selection: &Selection) -> Result<()> {
    let documented: Vec<String> = datasets::names().map(|name| format!("documented:{name}")).collect();
    let inputs = if inputs.is_empty() { documented.as_slice() } else { inputs };
    let runs = read(inputs)?;
    let report = report::Report::of(&runs, &Options { lang, scope: selection.scope() })?;
    let written = report.write(out, force)?;
    print(&format!(
        "{}\n",
        text(lang, "cli-written", &[("files", written.into()), ("folder", out.display().to_string().into())])
    ))
}

/// Compares, and shows the comparison.
fn compared(comparable: &Comparable, comparing: Comparing) -> Result<()> {
    show(&compare(&read(&comparable.inputs)?, &comparable.asks(comparing))?, comparable.output)
}

fn plot(kind: Plot) -> Result<()> {
    match kind {
        Plot::Bars { inputs, selection, file } => {
            file.check()?;
            file.save(&bars::bars(&summarise(&read(&inputs)?, &selection.scope())?, file.lang))
        }
        Plot::Forest { inputs, factor, baseline, contender, selection, file } => {
            file.check()?;
            let (runs, scope) = (read(&inputs)?, selection.scope());
            let question = match factor {
                Some(factor) => Comparing::new(&factor),
                None => study::first_question(&runs, &scope)?,
            };
            let question = Comparing {
                baseline: baseline.or(question.baseline),
                contender: contender.or(question.contender),
                scope,
                ..Comparing::new(&question.factor)
            };
            file.save(&forest::forest(&compare(&runs, &question)?, file.lang))
        }
    }
}

impl Drawn {
    /// Before any work: whether the file can be written at all.
    fn check(&self) -> Result<()> {
        Figure::check_target(&self.output, self.force).map(|_| ())
    }

    fn save(&self, figure: &Figure) -> Result<()> {
        figure.save(&self.output, self.width, self.force)?;
        for warning in figure.warnings() {
            output::complain(&format!("warning: {}: {}", warning.code(), warning.message(self.lang)));
        }
        Ok(())
    }
}

fn describe(name: &str, format: Format, lang: Lang) -> Result<()> {
    if format == Format::Csv {
        return print(datasets::csv(name)?);
    }
    let dataset = datasets::describe(name)?;
    let runs = ingest::documented(name)?;
    if format == Format::Json {
        let rows: Vec<_> = runs.rows().collect();
        return print(&report::json::to_json("dataset", &serde_json::json!({ "dataset": dataset, "runs": rows }))?);
    }
    let summary = summarise(&runs, &Scope::default())?;
    let label = |key: &str, value: &str| {
        format!("{}{}{value}\n", crate::wording::capitalised(&text(lang, key, &[])), text(lang, "colon", &[]))
    };
    let mut out = format!("{}\n\n", dataset.title.get(lang));
    out.push_str(&label("dataset-source", &dataset.source));
    out.push_str(&label("table-measured", dataset.measured.get(lang)));
    out.push_str(&label("dataset-client", dataset.client.get(lang)));
    out.push_str(&label("dataset-server", dataset.server.get(lang)));
    let conditions = crate::wording::conditions(lang, &summary).join(&text(lang, "comma", &[]));
    out.push_str(&label("dataset-conditions", &conditions));
    out.push_str(&format!("\n{}\n", text(lang, "dataset-notes", &[])));
    dataset.notes.iter().for_each(|note| out.push_str(&format!("- {}\n", note.get(lang))));
    out.push_str(&format!("\n{}\n", text(lang, "dataset-claims", &[])));
    dataset.claims.iter().for_each(|claim| out.push_str(&format!("- {}\n", claim.text.get(lang))));
    print(&format!("{out}\n"))?;
    print_table(&summary.table(lang), format, lang)
}

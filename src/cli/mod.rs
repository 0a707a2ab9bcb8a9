//! The command line: parses arguments, calls one function, presents the result.

mod args;
mod command;
mod output;

use std::ffi::OsString;
use std::path::Path;

use clap::{CommandFactory, Parser};

use crate::analysis::Scope;
use crate::analysis::check::{self, Checking, check};
use crate::analysis::claims::{Auditing, audit};
use crate::analysis::comparison::{Comparing, compare};
use crate::analysis::effects::{Factors, effects};
use crate::analysis::interaction::{Interacting, interact};
use crate::analysis::planning::{Planning, plan, plan_from};
use crate::analysis::quality::inspect;
use crate::analysis::study;
use crate::analysis::summary::summarise;
use crate::error::{Error, Result};
use crate::figure::{Figure, bars, forest};
use crate::files;
use crate::ingest::import::{Imported, Importing, import};
use crate::ingest::{self, Format as FileFormat, Reading};
use crate::language::{Lang, text};
use crate::model::claim::Claim;
use crate::model::{Runs, Warning, datasets};
use crate::report::tables::Tabular;
use crate::report::{self, Options};
use args::{Comparable, Format, Leniency, Output};
use command::{Cli, Command, Drawn, Plot};
use output::{Progress, print, print_table, show};

/// Done.
const DONE: i32 = 0;
/// The check failed: a regression, a claim that says too much.
const FAILED: i32 = 1;
/// Bad input or usage.
const BAD_INPUT: i32 = 2;
/// The runs cannot tell.
const UNDECIDED: i32 = 3;

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
        Ok(code) => code,
        Err(error) => {
            output::complain(&format!("error: {error}"));
            BAD_INPUT
        }
    }
}

fn execute(command: Command) -> Result<i32> {
    match command {
        Command::Report { inputs, out, lang, force, claims, scoped } => {
            let claims = claims.map(|path| Claim::from_file(&path)).transpose()?;
            let runs = read_or_documented(&inputs, &scoped.summing_up())?;
            write_report(&runs, &out, force, Options { lang, claims, scope: scoped.scope() })?;
        }
        Command::Compare { comparable, factor, baseline, contender } => {
            compared(&comparable, Comparing { baseline, contender, ..Comparing::new(&factor) })?;
        }
        Command::Speedup { comparable } => compared(&comparable, Comparing::speedup())?,
        Command::AsyncGain { comparable } => compared(&comparable, Comparing::async_gain())?,
        Command::Interaction { asked, factor, baseline, contender, by, by_baseline, by_contender } => {
            let scope = asked.which.scope();
            let question = Interacting { factor, baseline, contender, by, by_baseline, by_contender, scope };
            show(&interact(&read(&asked.inputs, &asked.which.selection.reading())?, &question)?, asked.output)?;
        }
        Command::Effects { asked, factors, unreplicated } => {
            let question = Factors { factors, unreplicated, scope: asked.which.scope() };
            show(&effects(&read(&asked.inputs, &asked.which.reading())?, &question)?, asked.output)?;
        }
        Command::Audit { inputs, claims, margin, inconclusive, scoped, output } => {
            let claims = claims.map(|path| Claim::from_file(&path)).transpose()?;
            let runs = read_or_documented(&inputs, &scoped.selection.reading())?;
            let audit = audit(&runs, &Auditing { claims, margin, scope: scoped.scope() })?;
            show(&audit, output)?;
            return Ok(verdict(audit.fails(), audit.is_inconclusive(), inconclusive));
        }
        Command::Check { baseline, current, max_regression, adjust, inconclusive, gone, scoped, format, lang } => {
            once(&[&baseline, &current])?;
            let reading = scoped.selection.reading();
            let (stored, new) = (read(&[baseline], &reading)?, read(&[current], &reading)?);
            let check = check(&stored, &new, &Checking { max_regression, adjust, scope: scoped.scope() })?;
            let lenient = inconclusive == Some(Leniency::Pass);
            match format.common() {
                Some(format) => show(&check, Output { format, lang })?,
                None => print(&check.to_junit(lang, lenient, gone == Leniency::Pass)?)?,
            }
            let failed = check.verdict == check::Verdict::Regression || (check.gone > 0 && gone == Leniency::Fail);
            return Ok(verdict(failed, check.verdict == check::Verdict::Inconclusive, inconclusive));
        }
        Command::Power { inputs, effect, cv, power, half_width, selection, output } => {
            let planning = Planning { effect, cv, power, half_width };
            let plan = if inputs.is_empty() {
                let scope = selection.scope();
                if !scope.conditions.is_empty() || !scope.ignore.is_empty() || scope.metric.is_some() {
                    return Err(Error::input(
                        "--where, --metric and --ignore choose runs, and none are given",
                        "name the runs, or leave these out",
                    ));
                }
                plan(&planning, selection.confidence)?
            } else {
                plan_from(&read(&inputs, &selection.reading())?, &planning, &selection.scope())?
            };
            show(&plan, output)?;
        }
        Command::Quality { asked } => {
            let runs = read(&asked.inputs, &asked.which.reading())?;
            show(&inspect(&runs, &asked.which.scope())?, asked.output)?;
        }
        Command::Import { paths, tool, labels, pattern, manifest, parts, columns, output, dry_run, force, lang } => {
            let output = output.filter(|_| !dry_run);
            output.as_deref().map(FileFormat::to_write).transpose()?;
            // Before any work: whether the file may be written at all.
            if let Some(existing) = output.as_ref().filter(|output| !force && output.exists()) {
                return Err(Error::exists(existing));
            }
            let importing = Importing { tool, labels, pattern, manifest, parts, columns, output };
            let progress = Progress::new();
            let imported = import(&paths, &importing, &|done, files| progress.show(done, files))?;
            drop(progress);
            match importing.output {
                Some(output) => write_runs(&imported, &output, force, lang)?,
                None => print_table(&imported.table(lang), Format::Table, lang)?,
            }
        }
        Command::Plot { kind } => plot(kind)?,
        Command::Datasets { name, format, lang } => match name {
            None => match format {
                Format::Json => {
                    print(&report::json::to_json("datasets", &serde_json::json!({ "datasets": datasets::all()? }))?)?;
                }
                _ => print_table(&datasets::all()?.as_slice().table(lang), format, lang)?,
            },
            Some(name) => describe(&name, format, lang)?,
        },
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "kaeanalysis", &mut script);
            print(&String::from_utf8_lossy(&script))?;
        }
    }
    Ok(DONE)
}

/// The exit code of a verdict.
fn verdict(failed: bool, undecided: bool, inconclusive: Option<Leniency>) -> i32 {
    match (failed, undecided, inconclusive) {
        (true, _, _) | (false, true, Some(Leniency::Fail)) => FAILED,
        (false, true, None) => UNDECIDED,
        (false, false, _) | (false, true, Some(Leniency::Pass)) => DONE,
    }
}

/// Standard input can be read once.
fn once(inputs: &[impl AsRef<str>]) -> Result<()> {
    if inputs.iter().filter(|input| input.as_ref() == "-").count() > 1 {
        return Err(Error::input("standard input is named twice", "name - once"));
    }
    Ok(())
}

fn read(inputs: &[String], reading: &Reading) -> Result<Runs> {
    once(inputs)?;
    let mut parts: Vec<Runs> = Vec::new();
    for input in inputs {
        // What other inputs hold is no longer free.
        let held: usize = parts.iter().map(Runs::len).sum();
        let most_runs = reading.most_runs.map(|most| most.saturating_sub(held));
        parts.push(Reading { most_runs, ..reading.clone() }.input(input)?);
    }
    // A header that no input has is a slip; one that some lack is none.
    for (header, _) in &reading.columns {
        let lacks = |runs: &Runs| {
            runs.warnings()
                .iter()
                .any(|one| matches!(one, Warning::NoSuchHeader { header: missing, .. } if missing == header))
        };
        if parts.iter().all(lacks) {
            return Err(Error::input(
                format!("no column is called {header:?}"),
                "write the header as it stands in the table",
            ));
        }
    }
    Runs::concat(parts)
}

/// The documented studies if no input is named.
fn read_or_documented(inputs: &[String], reading: &Reading) -> Result<Runs> {
    let documented: Vec<String> = datasets::names().map(|name| format!("documented:{name}")).collect();
    read(if inputs.is_empty() { &documented } else { inputs }, reading)
}

fn write_report(runs: &Runs, out: &Path, force: bool, options: Options) -> Result<()> {
    let report = report::Report::of(runs, &options)?;
    let written = report.write(out, force)?;
    print(&format!(
        "{}\n",
        text(options.lang, "cli-written", &[("files", written.into()), ("folder", out.display().to_string().into())])
    ))
}

/// Writes imported runs, and tells what gave none.
fn write_runs(imported: &Imported, output: &Path, force: bool, lang: Lang) -> Result<()> {
    let runs = imported.runs()?;
    files::write(output, &ingest::write(&runs, FileFormat::to_write(output)?)?, force)?;
    for warning in runs.warnings() {
        output::complain(&format!("{}: {}", warning.code(), warning.message(lang)));
    }
    let shown = [("runs", runs.len().into()), ("file", output.display().to_string().into())];
    print(&format!("{}\n", text(lang, "cli-imported", &shown)))
}

/// Compares, and shows the comparison.
fn compared(comparable: &Comparable, comparing: Comparing) -> Result<()> {
    let Comparable { asked, .. } = comparable;
    let runs = read(&asked.inputs, &asked.which.summing_up())?;
    show(&compare(&runs, &comparable.asks(comparing))?, asked.output)
}

fn plot(kind: Plot) -> Result<()> {
    match kind {
        Plot::Bars { inputs, scoped, file } => {
            file.check()?;
            let runs = read(&inputs, &scoped.summing_up())?;
            file.save(&bars::bars(&summarise(&runs, &scoped.scope())?, file.lang))
        }
        Plot::Forest { inputs, factor, baseline, contender, scoped, file } => {
            file.check()?;
            let (runs, scope) = (read(&inputs, &scoped.summing_up())?, scoped.scope());
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

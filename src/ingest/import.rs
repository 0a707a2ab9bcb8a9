//! Files of load tool outputs, and of tables, to runs: folders are walked, compressed files unpacked, and what the files do not say
//! of a run is taken from labels.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use walkdir::WalkDir;

pub use super::labels::Pattern;
use super::labels::{checked, manifest};
use super::number::twelve_digits;
use super::outputs::{self, Found, Output, Remark, Tool};
use super::{Format, Reading, hexadecimal, transcript};
use crate::error::{Error, Result};
use crate::model::{Level, Run, Runs, Warning};
use crate::named::named;

/// What is made of several outputs in one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Parts {
    /// They ran side by side: rates and counts add up, latencies do not.
    Sum,
    /// Each is a run of its own.
    Each,
}

named!(Parts, "a way to take several outputs", { Sum => "sum", Each => "each" });

/// How files are read.
#[derive(Debug, Clone, Default)]
pub struct Importing {
    /// The tool; by default whichever is recognised.
    pub tool: Option<Tool>,
    /// What holds for all runs.
    pub labels: Vec<(String, String)>,
    /// What the names of the files say.
    pub pattern: Option<Pattern>,
    /// A CSV table with a column `file`, whose other columns say what holds for the runs of that file.
    pub manifest: Option<PathBuf>,
    /// What is made of several outputs in one file.
    pub parts: Option<Parts>,
    /// Headers of tables and the columns that they stand for, as [`Reading::columns`].
    pub columns: Vec<(String, String)>,
    /// Where the runs are written to: no input, though it may lie in a folder that is one.
    pub output: Option<PathBuf>,
}

/// What came out of a set of files.
#[derive(Debug, Clone, Serialize)]
pub struct Imported {
    /// Every file, in order.
    pub files: Vec<FileImport>,
}

/// What came out of a file.
#[derive(Debug, Clone, Serialize)]
pub struct FileImport {
    /// The file.
    pub path: PathBuf,
    /// SHA-256 of its bytes.
    pub sha256: Option<String>,
    /// Its runs, or why it gives none.
    pub runs: Result<Vec<RunImport>, String>,
    /// What was noticed in a table.
    pub warnings: Vec<Warning>,
}

/// A run of a file.
#[derive(Debug, Clone, Serialize)]
pub struct RunImport {
    /// The line on which its output begins; none in a table.
    pub line: Option<usize>,
    /// The tool that wrote it; none in a table.
    pub tool: Option<Tool>,
    /// What is known of it, or why it measured nothing.
    pub run: Result<Run, String>,
    /// What to know beside it.
    pub remarks: Vec<Remark>,
}

/// Reads files and folders. `progress` is told how many files of how many are done.
///
/// # Errors
/// A path that does not exist, a pattern that does not match a file, labels that are no values of their columns, a table of
/// labels that is none. A file that cannot be read, or that holds no output, costs nothing but itself.
pub fn import(paths: &[PathBuf], importing: &Importing, progress: &dyn Fn(usize, usize)) -> Result<Imported> {
    let manifest = importing.manifest.as_deref().map(manifest).transpose()?;
    let mut seen: HashMap<String, PathBuf> = HashMap::new();
    let mut files = Vec::new();
    let own: Vec<PathBuf> = [&importing.manifest, &importing.output]
        .into_iter()
        .flatten()
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    let mut known = walk(paths)?;
    known.retain(|path| !path.canonicalize().is_ok_and(|path| own.contains(&path)));
    let count = known.len();
    for (done, path) in known.iter().cloned().enumerate() {
        progress(done, count);
        let mut labels = importing.labels.clone();
        if let Some(pattern) = &importing.pattern {
            labels.extend(pattern.labels(&path)?);
        }
        if let Some(manifest) = &manifest {
            labels.extend(manifest.labels(&path)?);
        }
        let labels = checked(&labels, &path)?;
        let file = match unpacked(&path) {
            Err(reason) => FileImport { path, sha256: None, runs: Err(reason), warnings: Vec::new() },
            Ok(bytes) => {
                let hash = hexadecimal(Sha256::new_with_prefix(&bytes));
                let earlier = seen.get(&hash).map(|earlier| format!("has the contents of {}", earlier.display()));
                if !bytes.is_empty() {
                    seen.entry(hash.clone()).or_insert_with(|| path.clone());
                }
                match earlier {
                    Some(reason) => FileImport { path, sha256: Some(hash), runs: Err(reason), warnings: Vec::new() },
                    None => of_bytes(&path, hash, &bytes, importing, &labels),
                }
            }
        };
        files.push(file);
    }
    progress(count, count);
    for path in manifest.map(|manifest| manifest.missing(&known)).unwrap_or_default() {
        let reason = Err("stands in the table of labels, but was not found".to_owned());
        files.push(FileImport { path, sha256: None, runs: reason, warnings: Vec::new() });
    }
    leave_out_tables_beside_outputs(&mut files, paths);
    Ok(Imported { files })
}

/// A table that lies in a folder with outputs of load tools may hold the same runs, from an earlier import.
fn leave_out_tables_beside_outputs(files: &mut [FileImport], named: &[PathBuf]) {
    let any = |file: &FileImport, tool: bool| file.runs.iter().flatten().any(|one| one.tool.is_some() == tool);
    if !files.iter().any(|file| any(file, true)) {
        return;
    }
    for file in files.iter_mut().filter(|file| any(file, false) && !named.contains(&file.path)) {
        file.warnings.clear();
        file.runs =
            Err("is a table beside outputs of load tools and may hold the same runs; name it to read it".to_owned());
    }
}

/// Reads the bytes of a file: the outputs in it, or the table that it is by its ending.
pub fn import_bytes(path: &Path, bytes: &[u8], importing: &Importing, labels: &[(String, Level)]) -> FileImport {
    of_bytes(path, hexadecimal(Sha256::new_with_prefix(bytes)), bytes, importing, labels)
}

fn of_bytes(
    path: &Path,
    sha256: String,
    bytes: &[u8],
    importing: &Importing,
    labels: &[(String, Level)],
) -> FileImport {
    let mut warnings = Vec::new();
    let runs =
        if bytes.is_empty() { Err("is empty".to_owned()) } else { runs(path, bytes, importing, labels, &mut warnings) };
    FileImport { path: path.to_owned(), sha256: Some(sha256), runs, warnings }
}

impl Imported {
    /// The runs of all files.
    ///
    /// # Errors
    /// No run at all, with the reason of the first file.
    pub fn runs(&self) -> Result<Runs> {
        let good = self
            .files
            .iter()
            .flat_map(|file| file.runs.iter().flatten())
            .filter_map(|one| Some((one, one.run.as_ref().ok()?)));
        let (parts, rows): (Vec<&RunImport>, Vec<Run>) = good.map(|(part, run)| (part, run.clone())).unzip();
        if rows.is_empty() {
            let reason = self.failures().next().map_or_else(String::new, |(path, why)| format!(": {path}: {why}"));
            let remedy = if reason.is_empty() {
                "name files that hold outputs of load tools, or tables of runs; the file to be written is none"
            } else {
                "see what each file holds with --dry-run"
            };
            return Err(Error::input(format!("no run was found{reason}"), remedy));
        }
        let mut remarks: BTreeMap<(Tool, &Remark), usize> = BTreeMap::new();
        for (part, remark) in parts.iter().flat_map(|part| part.remarks.iter().map(move |remark| (part, remark))) {
            if let Some(tool) = part.tool {
                *remarks.entry((tool, remark)).or_default() += 1;
            }
        }
        let warning = |((tool, remark), runs): ((Tool, &Remark), usize)| Warning::LoadTool {
            tool: tool.to_string(),
            remark: remark.code().to_owned(),
            detail: remark.detail(),
            runs,
        };
        let source = match self.files.as_slice() {
            [only] => only.path.display().to_string(),
            several => format!("{} files", several.len()),
        };
        let failed = self.failures().map(|(file, reason)| Warning::NotImported { file, reason: reason.to_owned() });
        let mut noticed = Vec::new();
        let of_tables = self.files.iter().flat_map(|file| &file.warnings).cloned();
        of_tables.chain(remarks.into_iter().map(warning)).chain(failed).for_each(|one| Warning::add(&mut noticed, one));
        Ok(Runs::from_rows(rows, &source)?.with_warnings(noticed))
    }

    /// What gave no run: the file, with the line where there is one, and why.
    pub fn failures(&self) -> impl Iterator<Item = (String, &str)> {
        self.files.iter().flat_map(|file| {
            let path = file.path.display().to_string();
            let whole = file.runs.as_ref().err().map(|why| (path.clone(), why.as_str()));
            let parts =
                file.runs.iter().flatten().filter_map(move |one| {
                    Some((format!("{path}, line {}", one.line?), one.run.as_ref().err()?.as_str()))
                });
            whole.into_iter().chain(parts)
        })
    }
}

/// The files, in the order of their names; hidden ones in folders are passed over.
fn walk(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        fs::metadata(path).map_err(|error| Error::unreadable(path, &error))?;
        let hidden =
            |entry: &walkdir::DirEntry| entry.depth() > 0 && entry.file_name().to_string_lossy().starts_with('.');
        for entry in WalkDir::new(path).sort_by_file_name().into_iter().filter_entry(|entry| !hidden(entry)) {
            let entry = entry.map_err(|error| Error::File {
                path: error.path().unwrap_or(path).to_owned(),
                reason: error.to_string(),
                remedy: "make the folder readable".to_owned(),
            })?;
            if !entry.file_type().is_dir() {
                files.push(entry.into_path());
            }
        }
    }
    Ok(files)
}

/// The most bytes that an output may unpack to, and a table.
const MOST_BYTES: u64 = 256 << 20;
const MOST_OF_TABLE: u64 = 8 << 30;

/// The bytes of a file, unpacked if its name says that they are packed.
fn unpacked(path: &Path) -> Result<Vec<u8>, String> {
    let file = fs::File::open(path).map_err(|error| error.to_string())?;
    let broken = |error: &dyn std::fmt::Display| format!("cannot be unpacked: {error}");
    let packed = path.extension().and_then(OsStr::to_str).filter(|ending| ["gz", "zst"].contains(ending));
    let reader: Box<dyn Read> = match packed {
        Some("gz") => Box::new(flate2::read::MultiGzDecoder::new(file)),
        Some(_) => Box::new(ruzstd::decoding::StreamingDecoder::new(file).map_err(|error| broken(&error))?),
        None => Box::new(file),
    };
    let mut bytes = Vec::new();
    let most = if Format::of_table(path).is_some() { MOST_OF_TABLE } else { MOST_BYTES };
    let read = reader.take(most + 1).read_to_end(&mut bytes);
    read.map_err(|error| if packed.is_some() { broken(&error) } else { error.to_string() })?;
    if bytes.len() as u64 > most {
        return Err(format!("holds more than {} MiB", most >> 20));
    }
    Ok(bytes)
}

/// The runs of a file.
fn runs(
    path: &Path,
    bytes: &[u8],
    importing: &Importing,
    labels: &[(String, Level)],
    warnings: &mut Vec<Warning>,
) -> Result<Vec<RunImport>, String> {
    let table = Format::of_table(path).filter(|_| importing.tool.is_none());
    if let Some(format @ (Format::Parquet | Format::Workbook)) = table {
        return rows(path, bytes, format, importing, labels, warnings);
    }
    let text = transcript::read(bytes).map_err(|error| error.to_string())?;
    let found = outputs::read(&text, importing.tool);
    if let Some(format) = table {
        let of_table = rows(path, bytes, format, importing, labels, warnings);
        match found.first() {
            None => return of_table,
            Some(first) if of_table.is_ok() => {
                warnings.clear();
                return Err(format!(
                    "holds an output of {} and a table of runs; say --tool {} for the output, or save the table as a file of its own",
                    first.tool, first.tool
                ));
            }
            Some(_) => {}
        }
    }
    let first = found.first().ok_or_else(|| match importing.tool {
        Some(tool) => format!("holds no output of {tool}"),
        None => "holds no output of a known load tool".to_owned(),
    })?;
    // openssl prints a row for each algorithm: these are different measurements, not instances of one.
    let rows = found.iter().all(|one| matches!(one.tool, Tool::OpensslSpeed | Tool::OpensslSTime));
    match importing.parts {
        None if found.len() > 1 && !rows => Err(format!(
            "holds {} outputs; say --parts sum if they ran side by side, or --parts each if one after the other (Python: parts=)",
            found.len()
        )),
        Some(Parts::Sum) if found.len() > 1 => Ok(vec![sum(first, &found, labels)?]),
        _ => Ok(found.iter().map(|one| single(one, labels)).collect()),
    }
}

/// The runs of a table, with the labels where it says nothing.
fn rows(
    path: &Path,
    bytes: &[u8],
    format: Format,
    importing: &Importing,
    labels: &[(String, Level)],
    warnings: &mut Vec<Warning>,
) -> Result<Vec<RunImport>, String> {
    let source = path.display().to_string();
    let reading = Reading { columns: importing.columns.clone(), most_runs: None };
    // The reason stands beside the file, which need not be named again.
    let reason = |error: Error| match error {
        Error::Input(mut error) => {
            error.place.source = None;
            error.to_string()
        }
        file @ Error::File { .. } => file.to_string(),
    };
    let runs = reading.bytes(bytes, format, &source).map_err(reason)?;
    warnings.extend(runs.warnings().iter().cloned());
    let labelled = |run: Run| {
        labels.iter().try_fold(run, |run, (column, level)| match run.get(column) {
            stated if stated.is_unknown() || stated == level => Ok(run.with(column, level.clone())),
            stated => Err(format!("states {column}={stated}, which contradicts the label {level}")),
        })
    };
    let row = |run| Ok(RunImport { line: None, tool: None, run: Ok(labelled(run)?), remarks: Vec::new() });
    runs.rows().map(row).collect()
}

fn single(found: &Found, labels: &[(String, Level)]) -> RunImport {
    let (run, remarks) = match &found.output {
        Ok(output) => (run(found.tool, output, labels), output.remarks.clone()),
        Err(refusal) => (Err(refusal.reason.clone()), Vec::new()),
    };
    RunImport { line: Some(found.line), tool: Some(found.tool), run, remarks }
}

/// Instances that ran side by side as one run: what is counted adds up, what is a quantile or a mean does not.
fn sum(first: &Found, found: &[Found], labels: &[(String, Level)]) -> Result<RunImport, String> {
    if let Some(other) = found.iter().find(|other| other.tool != first.tool) {
        return Err(format!("holds outputs of {} and {}, which do not add up", first.tool, other.tool));
    }
    let mut remarks: Vec<Remark> = Vec::new();
    let mut outputs = Vec::new();
    for one in found {
        match &one.output {
            Ok(output) => outputs.push(output),
            Err(refusal) => {
                let why = format!("the instance on line {} measured nothing: {}", one.line, refusal.reason);
                return Ok(RunImport { line: Some(first.line), tool: Some(first.tool), run: Err(why), remarks });
            }
        }
    }
    let add = |of: fn(&Output) -> Option<f64>| outputs.iter().map(|output| of(output)).sum::<Option<f64>>();
    let count = |of: fn(&Output) -> Option<u64>| {
        outputs.iter().map(|output| of(output)).try_fold(0u64, |sum, one| sum.checked_add(one?))
    };
    let mut whole = outputs[0].clone();
    whole.rate = add(|output| output.rate);
    whole.rate_printed = add(|output| output.rate_printed);
    whole.responses = count(|output| output.responses);
    whole.good = count(|output| output.good);
    whole.connects = count(|output| output.connects);
    whole.bytes = count(|output| output.bytes);
    whole.parameters.connections = count(|output| output.parameters.connections);
    whole.parameters.threads = count(|output| output.parameters.threads);
    whole.parameters.requests = count(|output| output.parameters.requests);
    whole.latency = outputs::Latency::default();
    whole.errors = outputs.iter().fold(outputs::Errors::default(), |sum, output| added(&sum, &output.errors));
    for remark in outputs.iter().flat_map(|output| &output.remarks) {
        if !remarks.contains(remark) {
            remarks.push(remark.clone());
        }
    }
    let instances = Level::Integer(i64::try_from(found.len()).unwrap_or(i64::MAX));
    let run = run(first.tool, &whole, labels).map(|run| run.with("instances", instances));
    Ok(RunImport { line: Some(first.line), tool: Some(first.tool), run, remarks })
}

/// Errors of two instances by kind; a kind that neither tells is unknown.
fn added(one: &outputs::Errors, other: &outputs::Errors) -> outputs::Errors {
    let plus = |a: Option<u64>, b: Option<u64>| match (a, b) {
        (Some(a), Some(b)) => a.checked_add(b),
        (a, b) => a.or(b),
    };
    outputs::Errors {
        connect: plus(one.connect, other.connect),
        read: plus(one.read, other.read),
        write: plus(one.write, other.write),
        timeout: plus(one.timeout, other.timeout),
        status: plus(one.status, other.status),
        tls: plus(one.tls, other.tls),
        other: plus(one.other, other.other),
    }
}

/// What an output says, with the labels beside it. A label goes before what the output says, which may be of the client only.
fn run(tool: Tool, output: &Output, labels: &[(String, Level)]) -> Result<Run, String> {
    let rate = output.rate.ok_or("shows no rate")?;
    let metric = if tool == Tool::OpensslSpeed { "sign_per_s" } else { "rps" };
    let whole = |count: Option<u64>| count.and_then(|count| i64::try_from(count).ok()).map(Level::Integer);
    let number = |value: Option<f64>| value.map(Level::number);
    let text = |text: &Option<String>| text.as_deref().map(Level::from);
    let parameters = &output.parameters;
    let kept = parameters.keep_alive.map(|kept| Level::from(if kept { "long" } else { "short" }));
    let errors = &output.errors;
    let failed = [errors.connect, errors.read, errors.write, errors.timeout, errors.status, errors.tls, errors.other];
    let failed = failed.into_iter().flatten().try_fold(0u64, u64::checked_add);
    let told = failed.filter(|_| *errors != outputs::Errors::default());
    // A latency of 0 is one below the last digit that the tool prints. Units leave a rounding behind.
    let milliseconds = |value: Option<f64>| number(value.filter(|value| *value > 0.0).map(twelve_digits));
    let latency = &output.latency;
    let values = [
        ("tool", Some(Level::Text(tool.to_string()))),
        ("tool_version", text(&output.version)),
        ("connection", kept),
        ("connections", whole(parameters.connections.filter(|count| *count > 0))),
        ("threads", whole(parameters.threads.filter(|count| *count > 0))),
        ("requests", whole(parameters.requests.filter(|count| *count > 0))),
        ("duration_s", number(parameters.duration_s)),
        ("protocol", text(&output.protocol)),
        ("cipher", text(&output.cipher)),
        ("key_type", text(&output.key_type)),
        (metric, Some(Level::number(rate))),
        ("rps_printed", number(output.rate_printed.filter(|printed| *printed > 0.0 && metric == "rps"))),
        ("latency_mean_ms", milliseconds(latency.mean)),
        ("latency_p50_ms", milliseconds(latency.p50)),
        ("latency_p90_ms", milliseconds(latency.p90)),
        ("latency_p99_ms", milliseconds(latency.p99)),
        ("latency_max_ms", milliseconds(latency.max)),
        ("errors", whole(told)),
        ("errors_connect", whole(errors.connect)),
        ("errors_read", whole(errors.read)),
        ("errors_write", whole(errors.write)),
        ("errors_timeout", whole(errors.timeout)),
        ("errors_status", whole(errors.status)),
        ("errors_tls", whole(errors.tls)),
        ("connects", whole(output.connects)),
        ("bytes_received", whole(output.bytes)),
    ];
    let mut run = Run::new();
    for (column, value) in values {
        if let Some(value) = value {
            run = run.with(column, value);
        }
    }
    Ok(labels.iter().fold(run, |run, (column, level)| run.with(column, level.clone())))
}

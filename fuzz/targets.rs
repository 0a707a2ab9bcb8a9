//! What is fuzzed, and what must hold whatever the bytes are. Both `cargo fuzz` and `cargo test` run these.

use std::path::Path;

use kaeanalysis::ingest::import::{Imported, Importing, Parts, import_bytes};
use kaeanalysis::ingest::outputs::{self, Tool};
use kaeanalysis::ingest::{Format, Reading, write};
use kaeanalysis::model::claim::Claim;

/// A parser by the name that the folder of its corpus has.
pub type Target = (&'static str, fn(&[u8]));

/// The parsers. Spreadsheets and Parquet are not among them: the
/// libraries that read them panic on broken files, which is caught, and under libFuzzer would end the run.
pub const TARGETS: &[Target] = &[
    ("ab", |bytes| output(bytes, Tool::Ab)),
    ("h2load", |bytes| output(bytes, Tool::H2load)),
    ("hey", |bytes| output(bytes, Tool::Hey)),
    ("httpress", |bytes| output(bytes, Tool::Httpress)),
    ("k6", |bytes| output(bytes, Tool::K6)),
    ("oha", |bytes| output(bytes, Tool::Oha)),
    ("openssl_s_time", |bytes| output(bytes, Tool::OpensslSTime)),
    ("openssl_speed", |bytes| output(bytes, Tool::OpensslSpeed)),
    ("siege", |bytes| output(bytes, Tool::Siege)),
    ("vegeta", |bytes| output(bytes, Tool::Vegeta)),
    ("wrk", |bytes| output(bytes, Tool::Wrk)),
    ("wrk2", |bytes| output(bytes, Tool::Wrk2)),
    ("import", import),
    ("csv", |bytes| table(bytes, Format::Csv)),
    ("ndjson", |bytes| table(bytes, Format::Ndjson)),
    ("markdown", |bytes| table(bytes, Format::Markdown)),
    ("html", |bytes| table(bytes, Format::Html)),
    ("claims", claims),
];

/// Runs a target over some bytes.
pub fn run(target: &str, bytes: &[u8]) {
    let (_, target) = TARGETS.iter().find(|(name, _)| *name == target).expect("a target");
    target(bytes);
}

/// What is read of an output can be: rates and latencies are numbers, and lines are lines of the text.
fn output(bytes: &[u8], tool: Tool) {
    let text = String::from_utf8_lossy(bytes);
    let lines = text.lines().count().max(1);
    for found in outputs::read(&text, Some(tool)) {
        assert_eq!(found.tool, tool);
        assert!((1..=lines).contains(&found.line), "line {} of {lines}", found.line);
        match found.output {
            Err(refusal) => assert!((1..=lines).contains(&refusal.line), "line {} of {lines}", refusal.line),
            Ok(output) => {
                let rate = output.rate.expect("a rate");
                assert!(rate > 0.0 && rate <= 1e9, "{rate}");
                assert!(output.good <= output.responses || output.responses.is_none(), "{output:?}");
                let latency = output.latency;
                for value in [latency.mean, latency.p50, latency.p90, latency.p99, latency.max].into_iter().flatten() {
                    assert!(value.is_finite() && value >= 0.0, "{output:?}");
                }
            }
        }
    }
}

/// Whatever is imported is a set of runs that can be written and read back.
fn import(bytes: &[u8]) {
    for (parts, name) in [(Parts::Sum, "some.log"), (Parts::Each, "some.log"), (Parts::Each, "some.csv")] {
        let importing = Importing { parts: Some(parts), ..Importing::default() };
        let file = import_bytes(Path::new(name), bytes, &importing, &[]);
        let any = file.runs.iter().flatten().any(|one| one.run.is_ok());
        match (Imported { files: vec![file] }).runs() {
            Ok(runs) => assert!(any && !runs.is_empty()),
            Err(error) => assert!(!any, "{error}"),
        }
    }
}

/// Whatever is read as a table is the same after it was written and read again.
fn table(bytes: &[u8], format: Format) {
    let Ok(runs) = Reading::default().bytes(bytes, format, "fuzzed") else { return };
    assert!(!runs.is_empty());
    let summed = Reading { most_runs: Some(1), ..Reading::default() }.bytes(bytes, format, "fuzzed");
    assert_eq!(summed.expect("the same runs").len(), runs.len());
    for format in [Format::Csv, Format::Ndjson] {
        let written = write(&runs, format).expect("runs are written");
        let back = Reading::default().bytes(&written, format, "written");
        let back = back.unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&written)));
        assert!(runs.rows().eq(back.rows()), "{format}: {}", String::from_utf8_lossy(&written));
    }
}

fn claims(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = Claim::from_toml(&text, "fuzzed.toml");
    let _ = Claim::from_json(&text, "fuzzed.json");
}

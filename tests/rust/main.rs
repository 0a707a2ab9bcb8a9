//! Integration tests of the library and the command line. One binary, since each would link all of polars.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod bad_input;
mod check;
mod claims;
mod cli;
mod comparison;
mod figures;
mod fuzz_smoke;
mod good_input;
mod import;
mod report;

use kaeanalysis::ingest::read_bytes;
use kaeanalysis::model::Runs;

/// Runs of a CSV text that is right.
fn runs(csv: &str) -> Runs {
    read_bytes(csv.as_bytes(), "test.csv").unwrap_or_else(|error| panic!("{error}"))
}

/// Five blocks of three workers × two modes × three accelerators with noise from a fixed seed, as a table of text.
const REPLICATED: &str = include_str!("../../data/examples/replicated.csv");

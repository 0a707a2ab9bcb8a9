//! What the tests of several readers need: samples, damage to them, what may stand around them, and words for what was
//! read.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::{Errors, Found, Output};

/// The names and texts in a tool's folder, in order.
pub(super) fn samples(tool: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/outputs").join(tool);
    let mut samples: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(path).unwrap()))
        .collect();
    samples.sort();
    samples
}

/// The texts in a tool's folder.
pub(super) fn texts(tool: &str) -> Vec<String> {
    samples(tool).into_iter().map(|(_, text)| text).collect()
}

/// One of the texts, damaged up to three times.
pub(super) fn damaged<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> impl Strategy<Value = String> {
    let texts: Vec<String> = texts.into_iter().map(Into::into).collect();
    let damages = prop::collection::vec((0_u8..5, any::<Index>()), 1..4);
    let damaged = |text: String, (how, at): &(u8, Index)| damage(&text, *how, at);
    (select(texts), damages).prop_map(move |(text, damages)| damages.iter().fold(text, damaged))
}

/// A damaged copy: cut off, a line dropped or doubled, lines moved to the end, or the text inserted into itself.
fn damage(text: &str, how: u8, at: &Index) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let line = at.index(lines.len().max(1));
    match how {
        0 => return text[..text.floor_char_boundary(at.index(text.len() + 1))].to_owned(),
        1 if !lines.is_empty() => drop(lines.remove(line)),
        2 if !lines.is_empty() => lines.insert(line, lines[line]),
        3 if !lines.is_empty() => lines.rotate_left(line),
        _ => lines.splice(line..line, lines.clone()).for_each(drop),
    }
    lines.join("\n")
}

/// Lines that may stand around an output and are none.
const NOISE: [&str; 14] = [
    "[root@client ~]# time ./load.sh 100% 5",
    "",
    "real\t0m3.512s",
    "user    0m1.2s",
    "2026/11/30 22:39:14 [error] 21030#0: *1 connect() failed (111: Connection refused)",
    "50% 12ms",
    "Total: 5 seconds",
    "$ cat notes.txt",
    "$ kubectl get pods",
    "user\t0m1.2s",
    "{\"level\":\"info\",\"msg\":\"started {}\"}",
    "rsa 2048 bits key written",
    "  5 connections in 2 pools",
    "Requests/sec:  12.5 {",
];

/// Puts a number in the place of a word, and sees that only what can be is believed.
pub(super) fn believed_of_no_size(report: &str, number: &str, at: usize, read: impl Fn(&str) -> Vec<Found>) {
    let mut words: Vec<&str> = report.split(' ').collect();
    let at = at % words.len();
    words[at] = number;
    for output in read(&words.join(" ")).into_iter().filter_map(|found| found.output.ok()) {
        assert!(output.rate.is_some_and(|rate| rate > 0.0 && rate <= 1e9), "{output:?}");
        assert!(output.good <= output.responses, "{output:?}");
    }
}

/// Some lines of noise.
pub(super) fn noise() -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(select(NOISE.to_vec()), 0..5)
}

/// A text with all noise before it and behind it.
pub(super) fn amid_noise(text: &str) -> String {
    let noise = NOISE.join("\n");
    format!("{noise}\n{text}\n{noise}\n")
}

/// What the only output in a text says, or why it says nothing.
pub(super) fn only(found: Vec<Found>) -> Result<Output, String> {
    assert_eq!(found.len(), 1, "{found:?}");
    found.into_iter().next().unwrap().output.map_err(|refusal| refusal.reason)
}

/// The main fields of an output in one line; latencies are p50, p90, p99, max and mean.
pub(super) fn brief(found: &Found) -> String {
    let output = match &found.output {
        Err(refusal) => return format!("{}: no, {}: {}", found.line, refusal.line, refusal.reason),
        Ok(output) => output,
    };
    let Output { good, responses, duration_s, rate, rate_printed, latency, bytes, .. } = output;
    let codes: Vec<String> = output.remarks.iter().map(|remark| format!(" {remark:?}")).collect();
    let latencies = [latency.p50, latency.p90, latency.p99, latency.max, latency.mean].map(short).join(" ");
    let bytes = bytes.map_or_else(|| "?".to_owned(), |bytes| bytes.to_string());
    format!(
        "{}: {}/{} in {} s, {} of {}/s, [{latencies}] ms, {bytes} B{}",
        found.line,
        good.unwrap(),
        responses.unwrap(),
        short(*duration_s),
        short(*rate),
        short(*rate_printed),
        codes.concat(),
    )
}

/// With up to three decimals.
fn short(number: Option<f64>) -> String {
    let rounded = |number: f64| (number * 1e3).round() / 1e3;
    number.map_or_else(|| "?".to_owned(), |number| rounded(number).to_string())
}

/// Connect, read, write, timeout, status, TLS and other errors.
pub(super) fn kinds(errors: &Errors) -> [Option<u64>; 7] {
    let Errors { connect, read, write, timeout, status, tls, other } = *errors;
    [connect, read, write, timeout, status, tls, other]
}

/// Compares samples with the beginnings of what a parser's own summary is to say of them.
pub(super) fn say(samples: &[(String, String)], summary: impl Fn(&str) -> Vec<String>, expected: &[(&str, &[&str])]) {
    assert_eq!(samples.len(), expected.len());
    for ((name, text), (expected_name, beginnings)) in samples.iter().zip(expected) {
        let said = summary(text);
        let alike = said.len() == beginnings.len() && said.iter().zip(*beginnings).all(|(is, be)| is.starts_with(be));
        assert!(name == expected_name && alike, "{name}: {said:#?}");
    }
}

/// Reads samples again with noise around them.
pub(super) fn unmoved_by_noise(samples: &[(String, String)], read: impl Fn(&str) -> Vec<Found>) {
    for (name, text) in samples {
        let outputs = |text: &str| read(text).into_iter().map(|found| found.output.ok()).collect::<Vec<_>>();
        assert_eq!(outputs(&amid_noise(text)), outputs(text), "{name}");
    }
}

/// Compares all samples of a tool with what was read in them by eye, and again with noise around them.
pub(super) fn compare(tool: &str, read: impl Fn(&str) -> Vec<Found>, expected: &[(&str, &[&str])]) {
    let mut seen = Vec::new();
    for (name, text) in samples(tool) {
        let outputs: Vec<String> = read(&text).iter().map(brief).collect();
        let (_, eye) = expected.iter().find(|(of, _)| *of == name).unwrap_or_else(|| panic!("{name}: {outputs:#?}"));
        assert_eq!(outputs, *eye, "{name}");
        seen.push(name.clone());
        // What follows on a cut is taken for the place where it breaks.
        let around = if name.contains("cut") { format!("{}\n{text}", NOISE.join("\n")) } else { amid_noise(&text) };
        let moved: Vec<Found> = read(&text).into_iter().map(|found| moved(found, NOISE.len())).collect();
        assert_eq!(read(&around), moved, "{name} with noise");
    }
    assert_eq!(seen.len(), expected.len(), "samples that are not there");
}

fn moved(mut found: Found, shift: usize) -> Found {
    found.line += shift;
    if let Err(refusal) = &mut found.output {
        refusal.line += shift;
    }
    found
}

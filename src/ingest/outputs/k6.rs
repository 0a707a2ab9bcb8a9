//! k6: the JSON of `--summary-export`, the JSON that `handleSummary()` is given (values one level deeper, with the
//! duration of the run), and the text summary, of versions before 1.0 and since.
//!
//! `http_reqs` counts every request, also failed ones and each step of a redirect; its rate is over the whole run with
//! setup and teardown. `http_req_failed` is a rate of failures: what JSON calls `passes` there, and old text marks with
//! a tick, are the requests that *failed*. A request failed when no response came or its status is not expected, by
//! default outside 200 to 399; kinds are not told. Before 0.31, or if the script turned the check off, that metric is
//! missing and nothing is known of failures. `http_req_duration`, which the latencies are of, leaves out connecting and
//! the TLS handshake.
//!
//! Connections are told from `http_req_connecting`: it is zero for a request on a connection that was open already. k6
//! keeps connections within an iteration and across them unless told otherwise, one for each virtual user and host, and
//! resumes no TLS sessions. As connections asked for, the largest number of virtual users stands.
//!
//! No output was run for this reader: the formats are those of k6's documentation and of public summaries. Streams of
//! points (`--out json`), the JSON of `--new-machine-readable-summary`, and what the full summary says of single groups
//! and scenarios are passed over.

use serde_json::Value;

use super::go::duration;
use super::json::{self, Shape, count};
use super::lines::{self, Lines, number, scaled};
use super::{Errors, Found, Latency, Output, Parameters, Refusal, Remark, Tool};

/// The metrics that a summary of HTTP requests holds.
const METRICS: [&str; 19] = [
    "checks",
    "checks_total",
    "checks_succeeded",
    "checks_failed",
    "data_received",
    "data_sent",
    "http_req_blocked",
    "http_req_connecting",
    "http_req_duration",
    "http_req_failed",
    "http_req_receiving",
    "http_req_sending",
    "http_req_tls_handshaking",
    "http_req_waiting",
    "http_reqs",
    "iteration_duration",
    "iterations",
    "vus",
    "vus_max",
];

/// How the JSON is known.
const SHAPE: Shape = Shape {
    marks: &["\"metrics\"", "\"http_req"],
    is_own: is_summary,
    // The keys come in any order.
    openings: &["{\"metrics\"", "{\"root_group\"", "{\"options\"", "{\"state\""],
    proof: "\"http_req",
};

/// The outputs of k6 in a text.
pub(super) fn read(text: &str) -> Vec<Found> {
    let from_json = json::outputs(text, &SHAPE, |value| summary_of(value)?.output());
    let mut found: Vec<Found> = from_json.map(|(line, output)| found(line, output)).collect();
    found.extend(from_text(text));
    found.sort_by_key(|found| found.line);
    found
}

fn found(line: usize, output: Result<Output, Refusal>) -> Found {
    Found { line, tool: Tool::K6, output }
}

/// What a summary says, whatever its format.
struct Summary {
    requests: u64,
    rate: Option<f64>,
    duration_s: Option<f64>,
    failures: Option<Failures>,
    latency: Latency,
    connecting: Connecting,
    users: Option<u64>,
    bytes: Option<u64>,
}

/// How many requests failed, of those that were looked at.
struct Failures {
    failed: u64,
    of: u64,
}

/// The time for connecting, in milliseconds, of the fastest request and of the median one.
struct Connecting {
    min: Option<f64>,
    median: Option<f64>,
}

impl Summary {
    fn output(self) -> Result<Output, String> {
        if self.requests == 0 {
            return Err("0 requests".to_owned());
        }
        let failed = self.failed()?;
        let good = self.requests - failed;
        if good == 0 {
            return Err(format!("all {} requests failed", self.requests));
        }
        let duration_s = self.duration()?;
        let kept = self.kept().filter(|_| failed == 0);
        Ok(Output {
            parameters: Parameters { connections: self.users, keep_alive: kept, ..Parameters::default() },
            // Failed requests with and without a response are not told apart.
            responses: Some(self.requests).filter(|_| failed == 0),
            good: Some(good),
            duration_s: Some(duration_s),
            rate: Some(lines::exact_rate(good, duration_s)?),
            rate_printed: self.rate,
            errors: Errors { other: self.failures.as_ref().map(|failures| failures.failed), ..Errors::default() },
            latency: self.latency,
            bytes: self.bytes,
            remarks: self.remarks(failed, kept),
            ..Output::default()
        })
    }

    fn failed(&self) -> Result<u64, String> {
        match &self.failures {
            Some(failures) if failures.failed > failures.of || failures.of > self.requests => {
                Err(format!("{} of {} requests failed, but there were {}", failures.failed, failures.of, self.requests))
            }
            Some(failures) => Ok(failures.failed),
            None => Ok(0),
        }
    }

    fn remarks(&self, failed: u64, kept: Option<bool>) -> Vec<Remark> {
        let unseen = self.failures.as_ref().is_none_or(|failures| failures.of < self.requests);
        [(unseen, Remark::StatusUnseen), (failed > 0, Remark::CountsBad), (kept == Some(true), Remark::LongConnections)]
            .into_iter()
            .filter_map(|(holds, remark)| holds.then_some(remark))
            .collect()
    }

    /// The rate has many digits, so that with the count it tells the duration, unless that is there itself.
    fn duration(&self) -> Result<f64, String> {
        let requests = self.requests as f64;
        match (self.duration_s, self.rate) {
            (Some(duration), Some(rate)) if (rate * duration - requests).abs() > 0.02 * requests => {
                Err(format!("the rate is {rate}, but there were {requests} requests in {duration} s"))
            }
            (Some(duration), _) => Ok(duration),
            (None, Some(rate)) if rate > 0.0 => Ok(requests / rate),
            (None, Some(rate)) => Err(format!("{requests} requests at a rate of {rate}")),
            (None, None) => Err(format!("{requests} requests without a rate or a duration")),
        }
    }

    /// Whether connections were kept: for half of the requests and more, or for none.
    fn kept(&self) -> Option<bool> {
        match (self.connecting.min?, self.connecting.median?) {
            (_, 0.0) => Some(true),
            (min, _) if min > 0.0 => Some(false),
            _ => None,
        }
    }
}

fn metrics(value: &Value) -> Option<&serde_json::Map<String, Value>> {
    value.get("metrics")?.as_object()
}

fn is_summary(value: &Value) -> bool {
    let run = value.get("root_group").is_some() || value.get("state").is_some();
    metrics(value).is_some_and(|metrics| {
        metrics.keys().any(|name| name == "http_reqs" || name.starts_with("http_req_"))
            || run && metrics.contains_key("iterations")
    })
}

fn summary_of(value: &Value) -> Result<Summary, String> {
    if metrics(value).is_some_and(|metrics| !metrics.contains_key("http_reqs")) {
        return Err("there is no http_reqs: no request was made".to_owned());
    }
    let requests = statistic(value, "http_reqs", "count").ok_or("http_reqs has no count")?;
    let float = |metric, name| statistic(value, metric, name).and_then(Value::as_f64);
    let time = |name| float("http_req_duration", name);
    let whole = |metric, name| statistic(value, metric, name).and_then(|found| count(found, "").ok());
    Ok(Summary {
        requests: count(requests, "").map_err(|_| format!("http_reqs.count is {requests}"))?,
        rate: float("http_reqs", "rate"),
        duration_s: value.pointer("/state/testRunDurationMs").and_then(Value::as_f64).map(|time| time / 1e3),
        failures: failures_of(value)?,
        latency: Latency {
            mean: time("avg"),
            p50: time("med").or_else(|| time("p(50)")),
            p90: time("p(90)"),
            p99: time("p(99)"),
            max: time("max"),
        },
        connecting: Connecting {
            min: float("http_req_connecting", "min"),
            median: float("http_req_connecting", "med"),
        },
        users: whole("vus_max", "max"),
        bytes: whole("data_received", "count"),
    })
}

/// A statistic of a metric: beside its name, or under `values` where `handleSummary()` was given it.
fn statistic<'a>(value: &'a Value, metric: &str, name: &str) -> Option<&'a Value> {
    let metric = metrics(value)?.get(metric)?;
    metric.get("values").unwrap_or(metric).get(name)
}

/// `passes` are the requests that failed. The share of failures, if it is there, must tell the same.
fn failures_of(value: &Value) -> Result<Option<Failures>, String> {
    let get = |name| statistic(value, "http_req_failed", name);
    let Some(passes) = get("passes") else { return Ok(None) };
    let wrong = |found: &Value| format!("http_req_failed holds {found}");
    let failed = count(passes, "").map_err(|_| wrong(passes))?;
    let fails = get("fails").ok_or("http_req_failed has no fails")?;
    let of = failed.saturating_add(count(fails, "").map_err(|_| wrong(fails))?);
    let share = get("rate").or_else(|| get("value")).and_then(Value::as_f64);
    match share.filter(|share| (share * of as f64 - failed as f64).abs() > 0.01 * of as f64) {
        Some(share) => Err(format!("{failed} of {of} requests failed, but their share is {share}")),
        None => Ok(Some(Failures { failed, of })),
    }
}

/// The rows of one text summary: line, metric and what is said of it.
type Rows<'a> = Vec<(usize, &'a str, &'a str)>;

fn from_text(text: &str) -> Vec<Found> {
    let mut summaries: Vec<Rows> = vec![Vec::new()];
    let mut refused = Vec::new();
    // What the full summary says of single groups and scenarios is in the total already.
    let mut part = false;
    for (line, text) in Lines::of(text) {
        if let Some(starts_part) = heading(text) {
            part = starts_part;
            summaries.push(Vec::new());
        } else if let Some((metric, said)) = row(text).filter(|_| !part) {
            match summaries.last_mut() {
                Some(rows) if rows.iter().all(|(_, other, _)| *other != metric) => rows.push((line, metric, said)),
                // A metric that stands twice is of the next summary.
                _ => summaries.push(vec![(line, metric, said)]),
            }
        } else if text.contains("The moduleSpecifier ") {
            let reason = format!("k6 found no script: {}", text.trim());
            refused.push(found(line, Err(Refusal { line, reason })));
        }
    }
    refused.extend(summaries.iter().filter_map(summary_in));
    refused
}

/// Whether a line begins the summary of a part (a group or scenario), or a new run or its total; anything else is no
/// heading.
fn heading(line: &str) -> Option<bool> {
    let line = line.trim();
    let title = line.strip_prefix('█').map(str::trim);
    match title {
        Some(title) if title.starts_with("GROUP: ") || title.starts_with("SCENARIO: ") => Some(true),
        Some("TOTAL RESULTS" | "THRESHOLDS") => Some(false),
        _ if line.starts_with("execution: ") => Some(false),
        _ => None,
    }
}

/// A metric and what is said of it: `http_reqs....: 180 4.36938/s`, with a mark before it where there is a threshold.
fn row(line: &str) -> Option<(&str, &str)> {
    let line = line.trim().trim_start_matches(['✓', '✗']).trim_start();
    let (dotted, said) = line.split_once(": ")?;
    let metric = dotted.trim_end_matches('.');
    (metric != dotted && METRICS.contains(&metric)).then_some((metric, said))
}

/// The summary that rows are, if any of them is of requests.
fn summary_in(rows: &Rows) -> Option<Found> {
    let (first, ..) = rows.first()?;
    let (last, ..) = rows.last()?;
    if !rows.iter().any(|(_, metric, _)| metric.starts_with("http_req") || *metric == "iterations") {
        return None;
    }
    let refuse = |reason| Refusal { line: *last, reason };
    Some(found(*first, summary_of_rows(rows).and_then(Summary::output).map_err(refuse)))
}

fn summary_of_rows(rows: &Rows) -> Result<Summary, String> {
    let said = |metric: &str| rows.iter().find(|(_, other, _)| *other == metric).map(|(.., said)| *said);
    let requests = said("http_reqs").ok_or("the output ends before http_reqs, or no request was made")?;
    let wrong = || format!("http_reqs is {requests:?}");
    let (count, rate) = requests.split_once(' ').ok_or_else(wrong)?;
    let rate = rate.trim().strip_suffix("/s").and_then(number).ok_or_else(wrong)?;
    let time = |metric: &str, name: &str| {
        let value = said(metric)?.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='))?;
        duration(value).map(|time| time.value * 1e3)
    };
    let latency = |name| time("http_req_duration", name);
    let failures = said("http_req_failed");
    Ok(Summary {
        requests: lines::count(count).ok_or_else(wrong)?,
        rate: Some(rate),
        duration_s: None,
        failures: failures
            .map(|said| failures_said(said).ok_or_else(|| format!("http_req_failed is {said:?}")))
            .transpose()?,
        latency: Latency {
            mean: latency("avg"),
            p50: latency("med"),
            p90: latency("p(90)"),
            p99: latency("p(99)"),
            max: latency("max"),
        },
        connecting: Connecting { min: time("http_req_connecting", "min"), median: time("http_req_connecting", "med") },
        users: said("vus_max").and_then(|said| lines::count(said.split_whitespace().next()?)),
        bytes: said("data_received").and_then(bytes_said),
    })
}

/// `0.55%  4 out of 720`, in old versions `0.55% ✓ 4 ✗ 716`, where the tick stands for what failed.
fn failures_said(said: &str) -> Option<Failures> {
    let words: Vec<&str> = said.split_whitespace().collect();
    let count = lines::count;
    match words.as_slice() {
        [_, failed, "out", "of", of] => Some(Failures { failed: count(failed)?, of: count(of)? }),
        [_, "✓", failed, "✗", others] => {
            let failed = count(failed)?;
            Some(Failures { failed, of: failed.checked_add(count(others)?)? })
        }
        _ => None,
    }
}

/// `1.3 MB 31 kB/s`, rounded by k6, with thousands for k.
fn bytes_said(said: &str) -> Option<u64> {
    let mut words = said.split_whitespace();
    let bytes = scaled(&format!("{}{}", words.next()?, words.next()?), 1000.0)?;
    (0.0..=9e15).contains(&bytes).then_some(bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::super::trial::{self, damaged, noise};
    use super::*;
    use proptest::prelude::*;

    const EXPORT: &str = include_str!("../../../tests/data/outputs/k6/made_up_export.json");
    const HANDLED: &str = include_str!("../../../tests/data/outputs/k6/made_up_handle_summary.json");
    const LEGACY: &str = include_str!("../../../tests/data/outputs/k6/made_up_text_legacy.txt");
    const FULL: &str = include_str!("../../../tests/data/outputs/k6/made_up_text_full.txt");

    fn only(text: &str) -> Result<Output, String> {
        trial::only(read(text))
    }

    /// What a file is expected to say, as read by eye.
    fn brief(found: &Found) -> String {
        match &found.output {
            Ok(output) => format!(
                "{}: {} good, {} failed in {:.3} s, {:.3}/s printed {}, mean {:.3} max {:.3} ms, {} users, \
                 {} B, kept {:?} {:?}",
                found.line,
                output.good.unwrap(),
                output.errors.other.unwrap(),
                output.duration_s.unwrap(),
                output.rate.unwrap(),
                output.rate_printed.unwrap(),
                output.latency.mean.unwrap(),
                output.latency.max.unwrap(),
                output.parameters.connections.unwrap(),
                output.bytes.unwrap(),
                output.parameters.keep_alive,
                output.remarks,
            ),
            Err(refusal) => format!("{}: {}", refusal.line, refusal.reason),
        }
    }

    #[test]
    fn every_file_says_what_stands_in_it() {
        let expected = [
            ("made_up_all_failed.json", "1: all 900 requests failed"),
            ("made_up_cut_off.json", "14: the output ends in the middle of its JSON"),
            (
                "made_up_export.json",
                "1: 14900 good, 100 failed in 30.000 s, 496.667/s printed 500, mean 3.750 max 20.750 ms, 15 users, \
                 5770130 B, kept None [CountsBad]",
            ),
            (
                "made_up_handle_summary.json",
                "2: 4000 good, 0 failed in 8.000 s, 500.000/s printed 500, mean 120.500 max 190.000 ms, 10 users, \
                 123456 B, kept Some(true) [LongConnections]",
            ),
            (
                "made_up_text_full.txt",
                "9: 24000 good, 0 failed in 29.991 s, 800.250/s printed 800.25, mean 2.500 max 24.900 ms, 10 users, \
                 577000000 B, kept Some(false) []",
            ),
            (
                "made_up_text_legacy.txt",
                "13: 171 good, 9 failed in 41.196 s, 4.151/s printed 4.36938, mean 144.560 max 61140.000 ms, 20 users, \
                 1300000 B, kept None [CountsBad]",
            ),
        ];
        let samples = trial::samples("k6");
        assert_eq!(samples.len(), expected.len());
        for ((name, text), (file, says)) in samples.iter().zip(expected) {
            assert_eq!(name, file);
            let found: Vec<String> = read(text).iter().map(brief).collect();
            assert_eq!(found, [says], "{file}");
        }
    }

    #[test]
    fn json_that_cannot_be_is_refused() {
        for (from, to, reason) in [
            (
                "\"count\": 15000, \"rate\": 500 },\n        \"iter",
                "\"count\": -1 },\n        \"iter",
                "http_reqs.count is -1",
            ),
            ("\"count\": 15000, \"rate\": 500 },\n        \"iter", "\"count\": 0 },\n        \"iter", "0 requests"),
            (
                "\"count\": 15000, \"rate\": 500 },\n        \"iter",
                "\"rate\": 5 },\n        \"iter",
                "http_reqs has no count",
            ),
            ("\"rate\": 500 },\n        \"iter", "\"rate\": 0 },\n        \"iter", "15000 requests at a rate of 0"),
            ("\"rate\": 500 },\n        \"iter", "\"rate\": null },\n        \"iter", "15000 requests without a rate"),
            ("\"rate\": 500 },\n        \"iter", "\"rate\": 1e12 },\n        \"iter", "14900 requests in 0.000015 ms"),
            ("\"http_reqs\"", "\"other\"", "there is no http_reqs: no request was made"),
            (
                "\"passes\": 100, \"fails\": 14900",
                "\"passes\": 100, \"fails\": 0",
                "100 of 100 requests failed, but their",
            ),
            ("\"passes\": 100, \"fails\": 14900", "\"passes\": 1.5, \"fails\": 2", "http_req_failed holds 1.5"),
            ("\"passes\": 100, \"fails\": 14900", "\"passes\": 100", "http_req_failed has no fails"),
        ] {
            let text = EXPORT.replace(from, to);
            assert_ne!(text, EXPORT, "{from}");
            let refused = only(&text).unwrap_err();
            assert!(refused.starts_with(reason), "{refused}");
        }
    }

    #[test]
    fn a_rate_that_contradicts_count_and_duration_is_refused() {
        let text = HANDLED.replace("\"rate\":500", "\"rate\":50");
        assert_ne!(text, HANDLED);
        assert_eq!(only(&text).unwrap_err(), "the rate is 50, but there were 4000 requests in 8 s");
    }

    #[test]
    fn text_that_cannot_be_is_refused() {
        for (from, to, reason) in [
            ("24000  800.25/s", "24000  nan/s", "http_reqs is \"24000  nan/s\""),
            ("24000  800.25/s", "-1  800.25/s", "http_reqs is \"-1  800.25/s\""),
            ("24000  800.25/s", "0  0/s", "0 requests"),
            ("0 out of 24000", "24000 out of 24000", "all 24000 requests failed"),
            ("0 out of 24000", "0 out of 24001", "0 of 24001 requests failed, but there were 24000"),
            ("http_req_failed................: 0.00%  0 out of", "http_req_failed......: 0 of", "http_req_failed is"),
            ("http_reqs......", "http.", "the output ends before http_reqs, or no request was made"),
        ] {
            let text = FULL.replace(from, to);
            assert_ne!(text, FULL, "{from}");
            let refused = only(&text).unwrap_err();
            assert!(refused.starts_with(reason), "{refused}");
        }
    }

    #[test]
    fn failures_may_not_be_looked_at() {
        let text = FULL.replace("http_req_failed", "other");
        assert_eq!(only(&text).unwrap().remarks, [Remark::StatusUnseen]);
        let text = FULL.replace("0 out of 24000\n    http_reqs", "0 out of 12000\n    http_reqs");
        assert_eq!(only(&text).unwrap().remarks, [Remark::StatusUnseen]);
    }

    #[test]
    fn a_missing_script_is_told() {
        let text = "ERRO[0000] The moduleSpecifier \"load.js\" couldn't be found on local disk.\n";
        assert!(only(text).unwrap_err().starts_with("k6 found no script: ERRO[0000] The moduleSpecifier"));
    }

    #[test]
    fn several_outputs_are_found_in_order() {
        let found = read(&format!("{LEGACY}{EXPORT}{FULL}{HANDLED}{LEGACY}{FULL}{FULL}"));
        assert!(found.iter().all(|found| found.output.is_ok()), "{found:?}");
        assert_eq!(found.len(), 7);
        assert!(found.is_sorted_by_key(|found| found.line));
        assert_eq!(read("{\"metrics\": {\"cpu\": 3}} iterations: 5\n"), []);
        assert_eq!(read("{\"type\":\"Point\",\"data\":{\"value\":5,\"tags\":null},\"metric\":\"http_reqs\"}"), []);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(
            text in "\\PC*",
            cut in damaged([EXPORT, HANDLED, LEGACY, FULL]),
        ) {
            let _ = (read(&text), read(&cut));
        }

        #[test]
        fn text_around_changes_nothing(before in noise(), after in noise()) {
            for text in [EXPORT, HANDLED, LEGACY, FULL] {
                let around = format!("{}\n{text}\n{}", before.join("\n"), after.join("\n"));
                prop_assert_eq!(only(&around), only(text));
            }
        }
    }
}

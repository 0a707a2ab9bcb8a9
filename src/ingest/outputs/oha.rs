//! oha, its text and its JSON. Its printed rate counts all requests: those that failed, those with a failing status
//! and, with `-z`, those that were under way when time was up (`aborted due to deadline`; they are no errors). It sees
//! every status, but its success rate counts failing ones as successes. It resumes TLS sessions. Neither the address
//! nor what it was told to do is shown, so nothing tells plain HTTP. In JSON all times are in seconds, and `null`
//! where nothing was measured; the text has one unit for all, by the slowest response. With `--output-format csv` it
//! prints single requests without the failed ones, so no rate can be told.

use serde_json::Value;

use super::json::{Object, Shape, has, objects};
use super::lines::{self, Lines, Shown};
use super::measured::{Measurement, add_failures, all_failed, plausible, total};
use super::summary::{Summary, is_good, summaries};
use super::{Errors, Found, Latency, Output, Refusal, Remark, Tool};

/// The message of requests that were under way when time was up.
const DEADLINE: &str = "aborted due to deadline";

/// How the JSON is known.
const SHAPE: Shape = Shape {
    marks: &["\"summary\""],
    is_own: |object| has(object, &["summary", "latencyPercentiles", "statusCodeDistribution", "errorDistribution"]),
    openings: &["{\"summary\":{\"successRate\":"],
    proof: "",
};

/// All outputs of oha in a text.
pub(super) fn read(text: &str) -> Vec<Found> {
    let summaries = summaries(text);
    let texts = summaries
        .iter()
        .filter(|summary| summary.first_label() == Some("Success rate"))
        .map(|summary| (summary.line, of_text(summary).and_then(Run::output)));
    let objects = objects(text, &SHAPE).into_iter().map(|object| (object.line, of_json(object).and_then(Run::output)));
    let mut found: Vec<Found> = texts
        .chain(objects)
        .chain(refusals(text))
        .map(|(line, output)| Found { line, tool: Tool::Oha, output })
        .collect();
    found.sort_by_key(|found| found.line);
    found
}

/// Lines that stand for a run without a summary.
fn refusals(text: &str) -> Vec<(usize, Result<Output, Refusal>)> {
    let mut refusals = Vec::new();
    let mut error = None;
    for (number, line) in Lines::of(text) {
        let reason = if line.starts_with("request-start,DNS,DNS+dialup,Response-delay,") {
            Some((number, "the CSV of oha holds neither failed requests nor the time that all took".to_owned()))
        } else if line.starts_with("Usage: oha ") {
            // The help begins so too, but without an error.
            error.take().map(|(number, error)| (number, format!("oha ran nothing: {error}")))
        } else {
            None
        };
        refusals.extend(reason.map(|(line, reason)| (line, Err(Refusal { line, reason }))));
        // A tip may stand between error and usage.
        match line.strip_prefix("error: ") {
            Some(text) => error = Some((number, text)),
            None if line.is_empty() || line.starts_with(' ') => {}
            None => error = None,
        }
    }
    refusals
}

/// What both forms say.
struct Run {
    line: usize,
    duration: Shown,
    rate: Shown,
    statuses: Vec<(u64, u64)>,
    failures: Vec<(u64, String)>,
    latency: Latency,
    bytes: Option<u64>,
}

impl Run {
    fn output(self) -> Result<Output, Refusal> {
        let refuse = |reason| Refusal { line: self.line, reason };
        let responses = total(self.statuses.iter().map(|(_, count)| *count));
        let good = total(self.statuses.iter().filter(|(status, _)| is_good(*status)).map(|(_, count)| *count));
        let failed = total(self.failures.iter().filter(|(_, message)| message != DEADLINE).map(|(count, _)| *count));
        let aborted = total(self.failures.iter().filter(|(_, message)| message == DEADLINE).map(|(count, _)| *count));
        let finished = responses.saturating_add(failed);
        let errors = self.errors(responses - good);
        plausible(finished, self.duration).map_err(refuse)?;
        if good == 0 {
            return Err(refuse(all_failed(finished, &errors)));
        }
        let counted = [finished.saturating_add(aborted), finished, responses];
        let measurement = Measurement { good, counted: &counted, duration: self.duration, rate: self.rate };
        let good_rate = measurement.good_rate().map_err(refuse)?;
        let mut remarks = vec![Remark::MayResume];
        remarks.extend((good_rate.counts_bad && finished > good).then_some(Remark::CountsBad));
        Ok(Output {
            responses: Some(responses),
            good: Some(good),
            duration_s: Some(self.duration.value),
            rate: Some(good_rate.per_second),
            rate_printed: Some(self.rate.value),
            errors,
            latency: self.latency,
            bytes: self.bytes,
            remarks,
            ..Output::default()
        })
    }

    fn errors(&self, failing: u64) -> Errors {
        let mut errors = Errors { status: Some(failing), ..Errors::default() };
        for (count, message) in self.failures.iter().filter(|(_, message)| message != DEADLINE) {
            add_failures(&mut errors, message, *count);
        }
        errors
    }
}

fn of_text(summary: &Summary) -> Result<Run, Refusal> {
    let refuse = |reason| Refusal { line: summary.line, reason };
    let cut = |before| Refusal { line: summary.last, reason: format!("the output ends before the {before}") };
    let duration = summary.label("Total").ok_or_else(|| cut("rate"))?;
    let rate = summary.label("Requests/sec").ok_or_else(|| cut("rate"))?;
    if summary.statuses.is_empty() && summary.failures.is_empty() {
        return Err(cut("status codes"));
    }
    let milliseconds = |text| lines::milliseconds(text).or_else(|| Some(shown(text)?.value * 1e3));
    let percentile = |percentage| milliseconds(summary.percentile(percentage)?);
    Ok(Run {
        line: summary.line,
        duration: shown(duration).ok_or_else(|| refuse(format!("the duration {duration:?} is no number")))?,
        // The first versions put `secs` behind the rate.
        rate: Shown::number(rate.trim_end_matches(" secs"))
            .ok_or_else(|| refuse(format!("the rate {rate:?} is no number")))?,
        statuses: summary.statuses.clone(),
        failures: summary.failures.iter().map(|(count, message)| (*count, (*message).to_owned())).collect(),
        latency: Latency {
            mean: summary.label("Average").and_then(milliseconds),
            p50: percentile(50.0),
            p90: percentile(90.0),
            p99: percentile(99.0),
            max: summary.label("Slowest").and_then(milliseconds),
        },
        bytes: summary.label("Total data").and_then(|data| lines::scaled(data, 1024.0)).map(|bytes| bytes as u64),
    })
}

/// A time of the text in seconds. Besides common units oha has some of ten.
fn shown(text: &str) -> Option<Shown> {
    let units = [("10 sec", 10.0), ("10 min", 600.0), ("min", 60.0), ("hr", 3600.0)];
    let of_unit = |(unit, seconds): (&str, f64)| {
        let Shown { value, step } = Shown::number(text.strip_suffix(unit)?)?;
        Some(Shown { value: value * seconds, step: step * seconds })
    };
    units.into_iter().find_map(of_unit).or_else(|| Shown::seconds(text))
}

fn of_json(object: Object) -> Result<Run, Refusal> {
    let line = object.line;
    let json = object.content?;
    let summary = json.get("summary");
    let number = |key: &str| {
        let value = summary.and_then(|summary| summary.get(key)).unwrap_or(&Value::Null);
        let refuse = || Refusal { line, reason: format!("{key:?} is {value}") };
        // All digits are shown; the step leaves room for the last bits.
        value.as_f64().map(|value| Shown { value, step: value.abs() * 1e-12 }).ok_or_else(refuse)
    };
    let milliseconds = |value: Option<&Value>| value.and_then(Value::as_f64).map(|time| time * 1e3);
    let of_summary = |key: &str| milliseconds(summary.and_then(|summary| summary.get(key)));
    let percentile = |key: &str| milliseconds(json.get("latencyPercentiles").and_then(|all| all.get(key)));
    Ok(Run {
        line,
        duration: number("total")?,
        rate: number("requestsPerSec")?,
        statuses: counts(&json, "statusCodeDistribution")
            .filter_map(|(status, count)| Some((count, lines::count(status)?)))
            .map(|(count, status)| (status, count))
            .collect(),
        failures: counts(&json, "errorDistribution").map(|(message, count)| (count, message.clone())).collect(),
        latency: Latency {
            mean: of_summary("average"),
            p50: percentile("p50"),
            p90: percentile("p90"),
            p99: percentile("p99"),
            max: of_summary("slowest"),
        },
        bytes: summary.and_then(|summary| summary.get("totalData")).and_then(Value::as_u64),
    })
}

/// The entries of an object of counts.
fn counts<'a>(json: &'a Value, key: &str) -> impl Iterator<Item = (&'a String, u64)> {
    let entries = json.get(key).and_then(Value::as_object).into_iter().flatten();
    entries.filter_map(|(name, count)| Some((name, count.as_u64()?)))
}

#[cfg(test)]
mod tests {
    use super::super::trial::{self, brief, compare, kinds};
    use super::*;
    use proptest::prelude::*;

    /// The outputs of a text in brief.
    fn briefs(text: &str) -> Vec<String> {
        read(text).iter().map(brief).collect()
    }

    #[test]
    fn samples_are_read_as_by_eye() {
        compare(
            "oha",
            read,
            &[
                ("csv.txt", &["1: no, 1: the CSV of oha holds neither failed requests nor the time that all took"]),
                (
                    "h2.txt",
                    &["1: 2000/2000 in 0.086 s, 23339.86 of 23339.86/s, [0.195 0.512 12.323 12.742 0.839] ms, \
                     96000 B MayResume"],
                ),
                ("json_refused.txt", &["1: no, 1: all 20 requests failed (20 connect errors)"]),
                (
                    "json_tls_short.txt",
                    &["1: 500/500 in 0.487 s, 1027.284 of 1027.284/s, [7.916 14.628 61.741 62.543 9.613] ms, \
                     24000 B MayResume"],
                ),
                (
                    "latency_corrected.txt",
                    &["1: 400/400 in 2.007 s, 199.324 of 199.823/s, [0.173 0.215 7.708 15.199 0.397] ms, 19200 B \
                     MayResume"],
                ),
                (
                    "made_up_0_5.txt",
                    &["1: 900/990 in 10.002 s, 89.981 of 99.979/s, [3.1 5.6 1010 1231.7 83.5] ms, 1572864 B \
                     MayResume CountsBad"],
                ),
                (
                    "made_up_json_bad_and_cut.txt",
                    &[
                        "2: 400/500 in 0.487 s, 821.827 of 1058.102/s, [7.916 14.628 61.741 62.543 9.613] ms, \
                     24000 B MayResume CountsBad",
                        "113: no, 124: the output ends in the middle of its JSON",
                    ],
                ),
                (
                    "made_up_ten_seconds.txt",
                    &["1: 100/100 in 30.001 s, 3.333 of 3.333/s, [2000 ? 11000 12500 3000] ms, 4802 B MayResume"],
                ),
                ("made_up_usage.txt", &["1: no, 1: oha ran nothing: unexpected argument '--foo' found"]),
                ("quiet.txt", &[]),
                ("text_bad_cert.txt", &["1: no, 1: all 20 requests failed (20 TLS errors)"]),
                (
                    "text_keepalive_z.txt",
                    &["1: 76535/76535 in 2.002 s, 38228.865 of 38233.86/s, [0.131 0.199 4.361 59.871 0.26] ms, \
                     3670016 B MayResume"],
                ),
                ("text_refused.txt", &["1: no, 1: all 20 requests failed (20 connect errors)"]),
                (
                    "text_tls_short.txt",
                    &["1: 1000/1000 in 0.864 s, 1157.921 of 1157.921/s, [7.926 13.732 69.114 77.907 8.594] ms, \
                     48005 B MayResume"],
                ),
            ],
        );
    }

    fn json(total: &str, rate: &str, statuses: &str, errors: &str) -> String {
        format!(
            "{{\"summary\":{{\"successRate\":1.0,\"total\":{total},\"requestsPerSec\":{rate}}},\
             \"latencyPercentiles\":{{}},\
             \"statusCodeDistribution\":{{{statuses}}},\"errorDistribution\":{{{errors}}}}}"
        )
    }

    fn text(total: &str, rate: &str, statuses: &str) -> String {
        format!(
            "Summary:\n  Success rate:\t100.00%\n  Total:\t{total}\n  Requests/sec:\t{rate}\n\n\
             Status code distribution:\n{statuses}"
        )
    }

    #[test]
    fn outputs_without_a_rate_are_refused() {
        let good = "  [200] 10 responses\n";
        for (text, reason) in [
            (text("2.0000 secs", "NaN", good), "1: the rate \"NaN\" is no number"),
            (text("-inf ns", "5.0000", good), "1: the duration \"-inf ns\" is no number"),
            (text("2.0000 secs", "5.0000", ""), "6: the output ends before the status codes"),
            ("Summary:\n  Success rate:\t100.00%\n".to_owned(), "2: the output ends before the rate"),
            (text("2.0000 secs", "50.0000", good), "1: 50 requests per second are not 10 requests in 2.00 s"),
            (text("0.0000 secs", "50.0000", good), "1: 10 requests in 0.00 s"),
            (json("2.0", "null", "\"200\":10", ""), "1: \"requestsPerSec\" is null"),
            (json("2.0", "\"5\"", "\"200\":10", ""), "1: \"requestsPerSec\" is \"5\""),
            (json("-2.0", "5.0", "\"200\":10", ""), "1: 10 requests in -2.00 s"),
            (json("2.0", "0.0", "", ""), "1: 0 requests in 2.00 s"),
            (json("2.0", "5.0", "\"200\":-10", ""), "1: 0 requests in 2.00 s"),
            (
                json("2.0", "5.0", "\"500\":9", "\"timeout\":1"),
                "1: all 10 requests failed (1 timeouts, 9 responses with a failing status)",
            ),
            (json("2.0", "NaN", "\"200\":10", ""), "1: the JSON is broken: expected value"),
        ] {
            let found = read(&text);
            let [Found { output: Err(refusal), .. }] = found.as_slice() else { panic!("{text} {found:?}") };
            assert_eq!(format!("{}: {}", refusal.line, refusal.reason), reason);
        }
    }

    #[test]
    fn what_time_cut_short_is_no_error() {
        let cut = json("2.0", "5.5", "\"200\":10", "\"aborted due to deadline\":1");
        assert_eq!(briefs(&cut), ["1: 10/10 in 2 s, 5 of 5.5/s, [? ? ? ? ?] ms, ? B MayResume"]);
        let errors = read(&cut)[0].output.as_ref().unwrap().errors;
        assert_eq!(kinds(&errors), [None, None, None, None, Some(0), None, None]);
    }

    #[test]
    fn json_stands_anywhere() {
        let one = json("2.0", "5.0", "\"200\":10", "");
        let brief = "2: 10/10 in 2 s, 5 of 5/s, [? ? ? ? ?] ms, ? B MayResume";
        assert_eq!(briefs(&format!("$ {{ oha; }}\nlog {one}{one} {{")), [brief, brief]);
        assert_eq!(briefs(&format!("[{{\"tool\":\"oha\",\n\"output\":{one}}}]")), [brief]);
    }

    #[test]
    fn the_help_is_no_output() {
        assert_eq!(briefs("Ohayou, HTTP load generator\n\nUsage: oha [OPTIONS] <URL>\n"), [""; 0]);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(?s).{0,200}", damaged in trial::damaged(trial::texts("oha"))) {
            let _ = read(&text);
            for found in read(&damaged) {
                if let Ok(output) = found.output {
                    prop_assert!(output.good <= output.responses);
                    prop_assert!(output.rate.is_some_and(|rate| rate > 0.0 && rate <= 1e9));
                }
            }
        }
    }
}

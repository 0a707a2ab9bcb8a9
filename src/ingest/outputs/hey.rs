//! hey. Its printed rate counts all requests, also those that failed and those with a failing status; old versions
//! leave failed ones out and stop counting at a million. It sees every status, and follows redirects. The address and
//! what it was told to do are not shown. With `-o csv` it prints single requests without the failed ones and without
//! the time that all took, so no rate can be told.

use super::lines::{self, Lines, Shown, count};
use super::measured::{Measurement, add_failures, all_failed, plausible, total};
use super::summary::{Summary, summaries};
use super::{Errors, Found, Latency, Output, Refusal, Remark, Tool};

/// hey keeps no more latencies than these: the printed mean of more is too large.
const LATENCIES: u64 = 1_000_000;

/// All outputs of hey in a text.
pub(super) fn read(text: &str) -> Vec<Found> {
    let summaries = summaries(text);
    let outputs = summaries.iter().filter(|summary| is_hey(summary)).map(|summary| (summary.line, output(summary)));
    let refusals = Lines::of(text).into_iter().filter_map(|(line, text)| {
        let reason = refusal(text)?.to_owned();
        Some((line, Err(Refusal { line, reason })))
    });
    let mut found: Vec<Found> =
        outputs.chain(refusals).map(|(line, output)| Found { line, tool: Tool::Hey, output }).collect();
    found.sort_by_key(|found| found.line);
    found
}

/// oha has another label first.
fn is_hey(summary: &Summary) -> bool {
    summary.first_label() == Some("Total") && summary.label("Total").is_some_and(|total| total.ends_with(" secs"))
}

/// Lines that stand for a run without a summary.
fn refusal(line: &str) -> Option<&'static str> {
    match line.trim_end() {
        "-n cannot be less than -c." => Some("hey ran nothing: -n cannot be less than -c"),
        "-n and -c cannot be smaller than 1." => Some("hey ran nothing: -n and -c cannot be smaller than 1"),
        "-c cannot be smaller than 1." => Some("hey ran nothing: -c cannot be smaller than 1"),
        line if line.starts_with("response-time,DNS+dialup,DNS,Request-write,") => {
            Some("the output of hey -o csv holds neither failed requests nor the time that all took")
        }
        _ => None,
    }
}

fn output(summary: &Summary) -> Result<Output, Refusal> {
    let refuse = |reason| Refusal { line: summary.line, reason };
    let cut = |before| Refusal { line: summary.last, reason: format!("the output ends before the {before}") };
    let rate = summary.label("Requests/sec").ok_or_else(|| cut("rate"))?;
    let rate = Shown::number(rate).ok_or_else(|| refuse(format!("the rate {rate:?} is no number")))?;
    let duration = summary.label("Total").unwrap_or_default();
    let duration = Shown::seconds(duration).ok_or_else(|| refuse(format!("the duration {duration:?} is no number")))?;

    let (responses, good) = (summary.responses(), summary.good());
    let failed = total(summary.failures.iter().map(|(count, _)| *count));
    let requests = responses.saturating_add(failed);
    if requests == 0 {
        return Err(cut("status codes"));
    }
    let errors = errors(summary);
    plausible(requests, duration).map_err(refuse)?;
    if good == 0 {
        return Err(refuse(all_failed(requests, &errors)));
    }
    let counted = [requests, responses, responses.min(LATENCIES)];
    let good_rate = Measurement { good, counted: &counted, duration, rate }.good_rate().map_err(refuse)?;
    Ok(Output {
        responses: Some(responses),
        good: Some(good),
        duration_s: Some(duration.value),
        rate: Some(good_rate.per_second),
        rate_printed: Some(rate.value),
        errors,
        latency: latency(summary),
        bytes: summary.label("Total data").and_then(|data| count(data.strip_suffix(" bytes")?)),
        remarks: Vec::from_iter(good_rate.counts_bad.then_some(Remark::CountsBad)),
        ..Output::default()
    })
}

fn errors(summary: &Summary) -> Errors {
    let mut errors = Errors { status: Some(summary.responses() - summary.good()), ..Errors::default() };
    for (count, message) in &summary.failures {
        add_failures(&mut errors, message, *count);
    }
    errors
}

fn latency(summary: &Summary) -> Latency {
    let percentile = |percentage| lines::milliseconds(summary.percentile(percentage)?);
    let mean = summary.label("Average").filter(|_| summary.responses() <= LATENCIES);
    Latency {
        mean: mean.and_then(lines::milliseconds),
        p50: percentile(50.0),
        p90: percentile(90.0),
        p99: percentile(99.0),
        max: summary.label("Slowest").and_then(lines::milliseconds),
    }
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
            "hey",
            read,
            &[
                (
                    "csv.txt",
                    &["1: no, 1: the output of hey -o csv holds neither failed requests nor the time that all took"],
                ),
                ("e500.txt", &["2: no, 2: all 500 requests failed (500 responses with a failing status)"]),
                ("errors_refused.txt", &["2: no, 2: all 20 requests failed (20 connect errors)"]),
                ("http.txt", &["2: 5000/5000 in 0.167 s, 29875.507 of 29875.507/s, [0.6 1 2.2 5.5 0.7] ms, 240000 B"]),
                ("made_up_cut.txt", &["2: no, 9: the output ends before the status codes"]),
                ("made_up_cut_early.txt", &["2: no, 5: the output ends before the rate"]),
                (
                    "made_up_million_old.txt",
                    &["1: 2000000/2000000 in 100 s, 20000 of 10000/s, [3.1 ? ? 31.7 ?] ms, 96000000 B"],
                ),
                (
                    "made_up_partial.txt",
                    &["2: 1000/1040 in 10.002 s, 99.979 of 119.975/s, [3.1 5.6 1010 2031.7 83.5] ms, \
                         48000 B CountsBad"],
                ),
                ("n_lt_c.stderr.txt", &["1: no, 1: hey ran nothing: -n cannot be less than -c"]),
                ("n_lt_c.txt", &[]),
                (
                    "tls_keepalive_z.txt",
                    &["2: 5773/5773 in 2.003 s, 2882.306 of 2882.306/s, [3.1 5.6 10 31.7 3.5] ms, 277104 B"],
                ),
                (
                    "tls_short.txt",
                    &["2: 1000/1000 in 1.271 s, 786.874 of 786.874/s, [12.2 19 40.7 46.2 12.3] ms, 48000 B"],
                ),
            ],
        );
    }

    /// A summary of ten requests with this rate.
    fn summary(total: &str, rate: &str, rest: &str) -> String {
        format!("\nSummary:\n  Total:\t{total} secs\n  Requests/sec:\t{rate}\n\nStatus code distribution:\n{rest}")
    }

    #[test]
    fn outputs_without_a_rate_are_refused() {
        let good = "  [200]\t10 responses\n";
        for (text, reason) in [
            (summary("2.0000", "NaN", good), "2: the rate \"NaN\" is no number"),
            (summary("NaN", "5.0000", good), "2: the duration \"NaN secs\" is no number"),
            (summary("0.0000", "19892.9362", good), "2: 10 requests in 0.00 s"),
            (summary("2.0000", "50.0000", good), "2: 50 requests per second are not 10 requests in 2.00 s"),
            (summary("2.0000", "5.0000", ""), "6: the output ends before the status codes"),
            (summary("2.0000", "5.0000", "  [200]\t10 resp"), "6: the output ends before the status codes"),
            (summary("9999999.0000", "0.0001", good), "2: 10 requests in 9999999.00 s, which is longer than any test"),
            ("-c cannot be smaller than 1.\n".to_owned(), "1: hey ran nothing: -c cannot be smaller than 1"),
        ] {
            let found = read(&text);
            let [Found { output: Err(refusal), .. }] = found.as_slice() else { panic!("{text} {found:?}") };
            assert_eq!(format!("{}: {}", refusal.line, refusal.reason), reason);
        }
    }

    #[test]
    fn failures_of_old_versions_are_not_in_the_rate() {
        let rest = "  [200]\t8 responses\n\nError distribution:\n  [2]\tGet \"http://h/\": EOF\n";
        let old = summary("2.0000", "4.0000", rest);
        assert_eq!(briefs(&old), ["2: 8/8 in 2 s, 4 of 4/s, [? ? ? ? ?] ms, ? B"]);
        let new = summary("2.0000", "5.0000", rest);
        assert_eq!(briefs(&new), ["2: 8/8 in 2 s, 4 of 5/s, [? ? ? ? ?] ms, ? B CountsBad"]);
        let errors = read(&new)[0].output.as_ref().unwrap().errors;
        assert_eq!(kinds(&errors), [None, Some(2), None, None, Some(0), None, None]);
    }

    #[test]
    fn other_summaries_are_none() {
        for text in [
            "Summary:\n",
            "Summary:\n  Total: 5 tests\n",
            "Summary:\n  Success rate:\t100.00%\n  Total:\t1.0000 secs\n",
            "Summary:\n  Elapsed  1s\n",
        ] {
            assert_eq!(briefs(text), [""; 0], "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(?s).{0,200}", damaged in trial::damaged(trial::texts("hey"))) {
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

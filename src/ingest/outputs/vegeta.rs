//! vegeta: `vegeta report`, as text and as JSON (`-type=json`, nanoseconds).
//!
//! Its `throughput` counts good responses over the attack and the wait for the last response; its `rate` counts all
//! requests that were sent, over the attack alone. A response is good by its status alone, from 200 to 399; status 0
//! stands for no response, of whatever kind the error was. It shows neither connections nor TLS; it keeps connections
//! unless told otherwise, and resumes no TLS sessions unless told to.
//!
//! Text durations are rounded to the next smaller unit (`3m0s`), in older versions to nanoseconds; so the rate is taken
//! from them or from the printed throughput, whichever is shown more precisely.
//!
//! No output was run for this reader: the formats are those of vegeta's documentation and of public reports. Histograms
//! (`-type=hist`) hold no rate and are passed over.

use serde_json::Value;

use super::go;
use super::json::{self, Shape, count, has};
use super::lines::{self, Lines, Shown, after, number};
use super::{Errors, Found, Latency, Output, Refusal, Remark, Tool};

/// How far the throughput may be from what counts and durations give: these may be rounded, up to half a minute in an
/// hour.
const TOLERANCE: f64 = 0.02;

/// How the JSON is known.
const SHAPE: Shape = Shape {
    marks: &["\"latencies\""],
    is_own: |value| has(value, &["latencies", "requests", "status_codes"]),
    // vegeta writes the latencies first.
    openings: &["{\"latencies\""],
    proof: "\"total\"",
};

/// The outputs of vegeta in a text.
pub(super) fn read(text: &str) -> Vec<Found> {
    let from_json = json::outputs(text, &SHAPE, |value| report_of(value)?.output());
    let mut found: Vec<Found> = from_json.map(|(line, output)| found(line, output)).collect();
    found.extend(from_text(text));
    found.sort_by_key(|found| found.line);
    found
}

fn found(line: usize, output: Result<Output, Refusal>) -> Found {
    Found { line, tool: Tool::Vegeta, output }
}

/// What a report says, whatever its format.
struct Report {
    requests: u64,
    /// Status and how often it came.
    codes: Vec<(u16, u64)>,
    /// Of the attack and the wait after it.
    duration: Shown,
    /// Of the attack alone.
    attack_s: Option<f64>,
    /// Of requests that were sent, over the attack alone.
    sent_rate: Option<Shown>,
    /// Of good responses; absent in old versions.
    throughput: Option<Shown>,
    latency: Latency,
    bytes: Option<u64>,
    /// Distinct errors, without counts.
    errors: Vec<String>,
}

impl Report {
    fn output(self) -> Result<Output, String> {
        let counted = self.count(|_| true);
        if self.requests == 0 {
            return Err("0 requests".to_owned());
        }
        if counted != self.requests {
            return Err(format!(
                "the status codes are of {counted} responses, but there were {} requests",
                self.requests
            ));
        }
        let good = self.count(|code| (200..400).contains(&code));
        if good == 0 {
            return Err(format!("all {} requests failed ({})", self.requests, self.kinds()));
        }
        let unanswered = self.count(|code| code == 0);
        let bad = self.requests - good;
        let mut remarks = Vec::new();
        if bad > 0 && self.throughput.is_none() {
            remarks.push(Remark::CountsBad);
        }
        // A good status and an error: the body could not be read, perhaps.
        if bad == 0 {
            remarks.extend(self.errors.iter().map(|text| Remark::Unread { text: text.clone() }));
        }
        Ok(Output {
            responses: Some(self.requests - unanswered),
            good: Some(good),
            duration_s: Some(self.duration.value),
            rate: Some(self.rate(good)?),
            rate_printed: self.throughput.map(|throughput| throughput.value).or(self.sent_rate.map(|sent| sent.value)),
            errors: Errors { status: Some(bad - unanswered), other: Some(unanswered), ..Errors::default() },
            latency: self.latency,
            bytes: self.bytes,
            remarks,
            ..Output::default()
        })
    }

    fn count(&self, wanted: impl Fn(u16) -> bool) -> u64 {
        self.codes.iter().filter(|(code, _)| wanted(*code)).fold(0, |sum, (_, count)| sum.saturating_add(*count))
    }

    fn kinds(&self) -> String {
        let kind = |(code, count): &(u16, u64)| match code {
            0 => format!("{count} without a response"),
            _ => format!("{count} with status {code}"),
        };
        self.codes.iter().filter(|(_, count)| *count > 0).map(kind).collect::<Vec<_>>().join(", ")
    }

    /// The rate of good responses, from counts and duration or as printed, whichever is more precise.
    fn rate(&self, good: u64) -> Result<f64, String> {
        let computed = lines::exact_rate(good, self.duration.value)?;
        if let Some(printed) = self.throughput {
            agree("throughput", printed, &format!("{good} good responses"), computed, self.duration.value)?;
        }
        if let (Some(sent), Some(attack_s)) = (self.sent_rate, self.attack_s.filter(|attack_s| *attack_s > 0.0)) {
            let requests = format!("{} requests", self.requests);
            agree("rate", sent, &requests, self.requests as f64 / attack_s, attack_s)?;
        }
        Ok(self.throughput.map_or(computed, |printed| lines::rate(good, good, printed, self.duration)))
    }
}

/// Whether a printed rate is the one that was computed from so much in such a time.
fn agree(name: &str, printed: Shown, what: &str, computed: f64, seconds: f64) -> Result<(), String> {
    let Shown { value, step } = printed;
    if (value - computed).abs() > TOLERANCE * computed + step / 2.0 {
        return Err(format!("the {name} is {value}, but {what} in {seconds} s are {computed:.2}/s"));
    }
    Ok(())
}

fn report_of(value: &Value) -> Result<Report, String> {
    let nanoseconds = |pointer| value.pointer(pointer).and_then(Value::as_f64).filter(|time| *time >= 0.0);
    let milliseconds = |pointer| nanoseconds(pointer).map(|time| time / 1e6);
    // All digits are shown, but counts and nanoseconds are exact.
    let rate = |key| Some(value.get(key)?.as_f64()?).map(|value| Shown { value, step: value.abs() * 1e-12 });
    let attack = count(value, "/duration")? as f64;
    // One request takes no time from the first to the last, and then the throughput is no rate.
    if attack == 0.0 {
        return Err(format!("{} requests in 0 s", count(value, "/requests")?));
    }
    let wait = nanoseconds("/wait").unwrap_or(0.0);
    let errors = value.get("errors").and_then(Value::as_array).cloned().unwrap_or_default();
    Ok(Report {
        requests: count(value, "/requests")?,
        codes: codes_of(value)?,
        duration: Shown { value: (attack + wait) / 1e9, step: 0.0 },
        attack_s: Some(attack / 1e9),
        sent_rate: rate("rate"),
        throughput: rate("throughput"),
        latency: Latency {
            mean: milliseconds("/latencies/mean"),
            p50: milliseconds("/latencies/50th"),
            p90: milliseconds("/latencies/90th"),
            p99: milliseconds("/latencies/99th"),
            max: milliseconds("/latencies/max"),
        },
        bytes: count(value, "/bytes_in/total").ok(),
        errors: errors.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
    })
}

fn codes_of(value: &Value) -> Result<Vec<(u16, u64)>, String> {
    let codes = value.get("status_codes").and_then(Value::as_object).ok_or("there are no status codes")?;
    let code = |(code, count): (&String, &Value)| {
        let read = code.parse().ok().zip(count.as_u64());
        read.ok_or_else(|| format!("status code {code:?} is counted {count} times"))
    };
    codes.iter().map(code).collect()
}

/// A row of a text report: `Label  [names]  values`.
#[derive(Clone, Copy)]
struct Row<'a> {
    line: usize,
    label: &'a str,
    names: &'a str,
    values: &'a str,
}

/// How rows begin.
const LABELS: [&str; 7] = ["Requests", "Duration", "Latencies", "Bytes In", "Bytes Out", "Success", "Status Codes"];

impl<'a> Row<'a> {
    fn of((line, text): (usize, &'a str)) -> Option<Self> {
        let label = LABELS.into_iter().find(|label| after(text, label).is_some_and(|rest| rest.starts_with('[')))?;
        let (names, values) = after(text, label)?.strip_prefix('[')?.split_once(']')?;
        let first = names.split(',').next()?;
        let known = ["total", "mean", "min", "ratio", "code:count"].contains(&first);
        known.then_some(Self { line, label, names, values: values.trim() })
    }

    fn get(&self, name: &str) -> Option<&'a str> {
        let mut names = self.names.split(',').map(str::trim);
        self.values.split(',').map(str::trim).nth(names.position(|other| other == name)?)
    }
}

fn from_text(text: &str) -> Vec<Found> {
    let mut reports: Vec<Vec<Row>> = Vec::new();
    let mut refused = Vec::new();
    let mut over = true;
    for line in Lines::of(text) {
        if let Some(row) = Row::of(line) {
            match reports.last_mut() {
                Some(report) if !over && report.iter().all(|other| other.label != row.label) => report.push(row),
                // Also where its beginning is lost.
                _ => reports.push(vec![row]),
            }
            over = false;
        } else if line.1.trim() == "Error Set:" {
            over = true;
        } else if line.1.contains("encode: can't detect encoding of ") {
            let reason = format!("vegeta report was given no results: {}", line.1.trim());
            refused.push(found(line.0, Err(Refusal { line: line.0, reason })));
        }
    }
    let read = |rows: &Vec<Row>| {
        let first = rows.first().map_or(1, |row| row.line);
        let last = rows.last().map_or(first, |row| row.line);
        let refuse = |reason| Refusal { line: last, reason };
        found(first, report_of_rows(rows).and_then(Report::output).map_err(refuse))
    };
    refused.extend(reports.iter().map(read));
    refused
}

fn report_of_rows(rows: &[Row]) -> Result<Report, String> {
    let row = |label: &str| {
        let row = rows.iter().find(|row| row.label == label);
        row.ok_or_else(|| format!("the output is cut off: there is no line {label:?}"))
    };
    let wrong = |row: &Row| format!("{} is {:?}", row.label, row.values);
    let (requests, time, codes) = (row("Requests")?, row("Duration")?, row("Status Codes")?);
    let duration = time.get("total").and_then(go::duration).ok_or_else(|| wrong(time))?;
    let latencies = row("Latencies").ok();
    let latency = |name| latencies.and_then(|row| go::duration(row.get(name)?)).map(|time| time.value * 1e3);
    let hundredths = |text| number(text).map(|value| Shown { value, step: 0.01 });
    let throughput = requests.get("throughput");
    Ok(Report {
        requests: requests.get("total").and_then(lines::count).ok_or_else(|| wrong(requests))?,
        codes: codes_of_row(codes).ok_or_else(|| wrong(codes))?,
        duration,
        attack_s: time.get("attack").and_then(go::duration).map(|attack| attack.value),
        sent_rate: requests.get("rate").and_then(hundredths),
        throughput: throughput.map(|text| hundredths(text).ok_or_else(|| wrong(requests))).transpose()?,
        latency: Latency {
            mean: latency("mean"),
            p50: latency("50"),
            p90: latency("90"),
            p99: latency("99"),
            max: latency("max"),
        },
        bytes: row("Bytes In").ok().and_then(|row| lines::count(row.get("total")?)),
        // What stands behind `Error Set:` cannot be told from what follows the report.
        errors: Vec::new(),
    })
}

fn codes_of_row(row: &Row) -> Option<Vec<(u16, u64)>> {
    let code = |text: &str| {
        let (code, count) = text.split_once(':')?;
        Some((code.parse().ok()?, lines::count(count)?))
    };
    row.values.split_whitespace().map(code).collect()
}

#[cfg(test)]
mod tests {
    use super::super::trial::{self, damaged, noise};
    use super::*;
    use proptest::prelude::*;

    const GOOD: &str = include_str!("../../../tests/data/outputs/vegeta/made_up_good.json");
    const TEXT: &str = include_str!("../../../tests/data/outputs/vegeta/made_up_text.txt");

    fn only(text: &str) -> Result<Output, String> {
        trial::only(read(text))
    }

    /// What a file is expected to say, as read by eye.
    fn brief(found: &Found) -> String {
        match &found.output {
            Ok(output) => format!(
                "{}: {}/{} good in {:.3} s, {:.3}/s printed {:.2}, p50 {:.3} max {:.3} ms, {} B, \
                 {} status {} other {:?}",
                found.line,
                output.good.unwrap(),
                output.responses.unwrap(),
                output.duration_s.unwrap(),
                output.rate.unwrap(),
                output.rate_printed.unwrap(),
                output.latency.p50.unwrap(),
                output.latency.max.unwrap(),
                output.bytes.unwrap(),
                output.errors.status.unwrap(),
                output.errors.other.unwrap(),
                output.remarks,
            ),
            Err(refusal) => format!("{}: {}", refusal.line, refusal.reason),
        }
    }

    #[test]
    fn every_file_says_what_stands_in_it() {
        let expected = [
            ("made_up_cut_off.json", "1: the output ends in the middle of its JSON"),
            (
                "made_up_good.json",
                "1: 30000/30000 good in 30.000 s, 1000.000/s printed 1000.00, p50 0.980 max 15.700 ms, 18000000 B, \
                 0 status 0 other []",
            ),
            (
                "made_up_old_pretty.json",
                "2: 90/96 good in 1.000 s, 90.000/s printed 101.01, p50 2.854 max 3.661 ms, 60670 B, \
                 6 status 4 other [CountsBad]",
            ),
            ("made_up_refused.json", "1: all 50 requests failed (50 without a response)"),
            (
                "made_up_text.txt",
                "2: 17651/17884 good in 210.000 s, 84.030/s printed 84.03, p50 1.204 max 30005.000 ms, 1529350 B, \
                 233 status 116 other []",
            ),
            (
                "made_up_text_old.txt",
                "1: 665/665 good in 10.095 s, 65.874/s printed 120.00, p50 108.273 max 264.815 ms, 3714690 B, \
                 0 status 535 other [CountsBad]",
            ),
        ];
        let samples = trial::samples("vegeta");
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
            ("\"requests\":30000", "\"requests\":-5", "requests is -5"),
            ("\"requests\":30000", "\"requests\":0", "0 requests"),
            (
                "\"requests\":30000",
                "\"requests\":30001",
                "the status codes are of 30000 responses, but there were 30001",
            ),
            ("29000,\"302\":1000", "1e999", "the JSON is broken: number out of range"),
            ("\"200\":29000", "\"200\":29000.5", "status code \"200\" is counted 29000.5 times"),
            ("\"duration\":29999000000", "\"duration\":0", "30000 requests in 0 s"),
            ("\"duration\":29999000000", "\"duration\":18446744073709551615", "a duration of 213504 days"),
            ("\"duration\":29999000000", "\"duration\":1", "the throughput is 1000, but 30000 good responses in 0.001"),
            ("\"throughput\":1000", "\"throughput\":900", "the throughput is 900, but 30000 good responses in 30 s"),
            (
                "\"rate\":1000",
                "\"rate\":100",
                "the rate is 100.0333344444815, but 30000 requests in 29.999 s are 1000.03",
            ),
            ("\"302\":1000", "\"302\":18446744073709551615", "the status codes are of 18446744073709551615 responses"),
        ] {
            let text = GOOD.replace(from, to);
            assert_ne!(text, GOOD);
            let refused = only(&text).unwrap_err();
            assert!(refused.starts_with(reason), "{refused}");
        }
    }

    #[test]
    fn text_that_cannot_be_is_refused() {
        for (from, to, reason) in [
            ("18000, 100.01", "-18000, 100.01", "Requests is \"-18000, 100.01, 84.03\""),
            ("100.01, 84.03", "100.01, NaN", "Requests is \"18000, 100.01, NaN\""),
            ("3m30s", "307445734491m", "a duration of 213503982 days is longer"),
            ("3m30s", "0s", "17651 requests in 0 s"),
            ("3m30s", "1.25µs", "17651 requests in 0.00125 ms is more than any client sends"),
            ("Duration", "Durat", "the output is cut off: there is no line \"Duration\""),
            ("Status Codes", "Sta", "the output is cut off: there is no line \"Status Codes\""),
            ("200:17651", "200:many", "Status Codes is \"0:116  200:many  500:233\""),
            ("200:17651", "404:17651", "all 18000 requests failed (116 without a response, 17651 with status 404, 233"),
        ] {
            let text = TEXT.replace(from, to);
            assert_ne!(text, TEXT);
            let refused = only(&text).unwrap_err();
            assert!(refused.starts_with(reason), "{refused}");
        }
    }

    #[test]
    fn an_error_of_the_tool_is_told() {
        let refused =
            only("$ vegeta report\n2024/05/01 10:00:00 encode: can't detect encoding of \"stdin\"\n").unwrap_err();
        assert!(refused.starts_with("vegeta report was given no results: 2024/05/01"), "{refused}");
    }

    #[test]
    fn the_more_precise_rate_is_taken() {
        // Few requests in an unrounded time: counting tells more than two decimals.
        let text = "Requests [total, rate, throughput] 3, 1.50, 1.33\n\
                    Duration [total, attack, wait] 2.25012s, 2s, 250.12ms\n\
                    Status Codes [code:count] 200:3\n";
        let output = only(text).unwrap();
        assert_eq!((output.rate, output.rate_printed), (Some(3.0 / 2.25012), Some(1.33)));
    }

    #[test]
    fn an_error_beside_a_good_status_is_told() {
        let output = only(&GOOD.replace("\"errors\":[]", "\"errors\":[\"unexpected EOF\"]")).unwrap();
        assert_eq!(output.remarks, [Remark::Unread { text: "unexpected EOF".to_owned() }]);
    }

    #[test]
    fn several_outputs_are_found_in_order() {
        let found = read(&format!("{TEXT}{GOOD}{TEXT}"));
        assert_eq!(found.iter().map(|found| found.line).collect::<Vec<_>>(), [2, 13, 15]);
        assert!(found.iter().all(|found| found.output.is_ok()), "{found:?}");
        let mixed = "Requests [total, rate] 5, 1.0\nDuration [total, attack, wait] 5s, 5s, 0s\nDuration [total] 1s\n\
                     Status Codes [code:count] 200:5\n";
        assert!(read(mixed).iter().all(|found| found.output.is_err()));
        assert_eq!(read("{\"latencies\": 3} Requests/sec: 12\nSuccess [OK]\n"), []);
        assert_eq!(read("a text of nothing"), []);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC*", cut in damaged([GOOD, TEXT])) {
            let _ = (read(&text), read(&cut));
        }

        #[test]
        fn text_around_changes_nothing(before in noise(), after in noise()) {
            for text in [GOOD, TEXT] {
                let around = format!("{}\n{text}\n{}", before.join("\n"), after.join("\n"));
                prop_assert_eq!(only(&around), only(text));
            }
        }
    }
}

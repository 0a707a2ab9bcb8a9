//! siege: the JSON of version 4 on standard output, and the classic text, which goes to standard error. Its printed
//! rate counts `transactions`: responses of all kinds but 408 and 5xx, which it counts among the failed as it does
//! everything that gave no response. `successful_transactions` are those below 400, with 401 and 407. It may be larger
//! than `transactions`, by redirects and by what was under way when time was up; as the rate holds none of these, no
//! more than `transactions` are taken for good. Times are printed to 10 ms, mostly as 0.00; the mean follows more
//! precisely from the concurrency, which siege computes from the same sum. Megabytes are of 1024 · 1024 bytes. Address
//! and kind of connections are not shown.

use serde_json::Value;

use super::json::{Object, Shape, has, objects};
use super::lines::{self, Lines, Shown, after, count};
use super::measured::{Measurement, all_failed, plausible};
use super::{Errors, Found, Latency, Output, Parameters, Refusal, Remark, Tool};

/// How the JSON is known.
const SHAPE: Shape = Shape {
    marks: &["\"transactions\""],
    is_own: |object| has(object, &["transactions", "availability", "transaction_rate"]),
    openings: &["{\"transactions\":"],
    proof: "",
};

/// The lines of the classic text, in their order, and the keys of JSON for the same.
const ROWS: [(&str, &str); 13] = [
    ("Transactions:", "transactions"),
    ("Availability:", "availability"),
    ("Elapsed time:", "elapsed_time"),
    ("Data transferred:", "data_transferred"),
    ("Response time:", "response_time"),
    ("Transaction rate:", "transaction_rate"),
    ("Throughput:", "throughput"),
    ("Concurrency:", "concurrency"),
    ("Successful transactions:", "successful_transactions"),
    // With debugging.
    ("HTTP OK received:", "http_ok_received"),
    ("Failed transactions:", "failed_transactions"),
    ("Longest transaction:", "longest_transaction"),
    ("Shortest transaction:", "shortest_transaction"),
];

/// All outputs of siege in a text.
pub(super) fn read(text: &str) -> Vec<Found> {
    let lines = Lines::of(text);
    let mut events = events(&lines);
    events
        .extend(objects(text, &SHAPE).into_iter().map(|object| (object.line, Event::Result(Form::Json, json(object)))));
    events.sort_by_key(|(line, _)| *line);
    let mut siege = Siege::default();
    for (line, event) in events {
        siege.take(line, event);
    }
    siege.found.extend(siege.head.take().and_then(Head::cut_off));
    if siege.found.is_empty() {
        siege.found.extend(refused_connections(&lines));
    }
    siege.found
}

/// What a line or an object stands for.
enum Event {
    Version(String),
    Users(Option<u64>),
    /// siege gave up after too many failures.
    GaveUp,
    /// It did not even begin.
    Nothing(String),
    Result(Form, Result<Values, Refusal>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Json,
}

fn events(lines: &[(usize, &str)]) -> Vec<(usize, Event)> {
    let event = |(index, (number, line)): (usize, &(usize, &str))| {
        let event = if let Some(version) = after(line, "** SIEGE ") {
            Event::Version(version.to_owned())
        } else if let Some(users) = after(line, "** Preparing ").filter(|rest| rest.contains(" users for battle")) {
            Event::Users(users.split(' ').next().and_then(count))
        } else if line.contains("siege aborted due to excessive socket failure") {
            Event::GaveUp
        } else if after(line, "siege: ").is_some_and(|rest| rest.contains("option")) {
            Event::Nothing(format!("siege ran nothing: {}", line.trim()))
        } else if after(line, "Transactions:").is_some_and(|hits| hits.ends_with(" hits")) {
            Event::Result(Form::Text, text(lines.get(index..).unwrap_or_default()))
        } else {
            return None;
        };
        Some((*number, event))
    };
    lines.iter().enumerate().filter_map(event).collect()
}

/// Standard error alone, of a siege that says nothing else.
fn refused_connections(lines: &[(usize, &str)]) -> Option<Found> {
    let mut errors = lines.iter().filter(|(_, line)| after(line, "[error] socket: ").is_some());
    let (line, first) = *errors.next()?;
    let why = first.rsplit(": ").next().unwrap_or_default();
    let reason = format!("{} connections failed ({why}), and no result is shown", errors.count() + 1);
    Some(Found { line, tool: Tool::Siege, output: Err(Refusal { line, reason }) })
}

/// What siege says before the result.
#[derive(Debug, Default)]
struct Head {
    line: usize,
    version: Option<String>,
    users: Option<u64>,
    gave_up: bool,
}

impl Head {
    fn on_line(line: usize) -> Self {
        Self { line, ..Self::default() }
    }

    /// An output that has no result.
    fn cut_off(self) -> Option<Found> {
        // Giving up is printed with the result; alone it is no output.
        (self.version.is_some() || self.users.is_some()).then(|| {
            let refusal = Refusal { line: self.line, reason: "the output ends before the rate".to_owned() };
            Found { line: self.line, tool: Tool::Siege, output: Err(refusal) }
        })
    }

    /// Adds what it says to an output.
    fn complete(self, output: &mut Output) {
        output.version = output.version.take().or(self.version);
        output.parameters.connections = output.parameters.connections.or(self.users);
        if self.gave_up {
            output.remarks.push(Remark::Interrupted);
        }
    }
}

/// The outputs so far.
#[derive(Default)]
struct Siege {
    found: Vec<Found>,
    head: Option<Head>,
    /// The result before, if it was one.
    last: Option<(Form, Values)>,
}

impl Siege {
    fn take(&mut self, line: usize, event: Event) {
        match event {
            Event::Version(version) => {
                self.begin(line, |head| head.version.is_some() || head.users.is_some()).version = Some(version);
            }
            Event::Users(users) => self.begin(line, |head| head.users.is_some()).users = users,
            Event::GaveUp => self.begin(line, |_| false).gave_up = true,
            Event::Nothing(reason) => {
                self.found.push(Found { line, tool: Tool::Siege, output: Err(Refusal { line, reason }) });
            }
            Event::Result(form, values) => self.result(line, form, values),
        }
    }

    /// The head to add to: a new one where there is none or where it is of another output.
    fn begin(&mut self, line: usize, is_other: impl Fn(&Head) -> bool) -> &mut Head {
        if self.head.as_ref().is_some_and(is_other) {
            self.found.extend(self.head.take().and_then(Head::cut_off));
        }
        self.head.get_or_insert_with(|| Head::on_line(line))
    }

    fn result(&mut self, line: usize, form: Form, values: Result<Values, Refusal>) {
        let head = self.head.take();
        // Some versions print both forms. Two runs never have so much in common.
        let same =
            |(last, of_last): &(Form, Values)| *last != form && values.as_ref().is_ok_and(|values| values == of_last);
        if self.last.take_if(|last| same(last)).is_some() {
            if let (Some(Found { output: Ok(output), .. }), Some(head)) = (self.found.last_mut(), head) {
                head.complete(output);
            }
            return;
        }
        self.last = values.as_ref().ok().map(|values| (form, values.clone()));
        let begin = head.as_ref().map_or(line, |head| head.line);
        let mut output = values.and_then(|values| values.output(line));
        if let (Ok(output), Some(head)) = (&mut output, head) {
            head.complete(output);
        }
        self.found.push(Found { line: begin, tool: Tool::Siege, output });
    }
}

/// The numbers of a result.
#[derive(Debug, Clone, PartialEq)]
struct Values {
    transactions: u64,
    successful: u64,
    failed: u64,
    /// All numbers with a point have two decimals, in JSON too.
    elapsed_s: f64,
    rate: f64,
    bytes: Option<f64>,
    concurrency: Option<f64>,
    response_s: Option<f64>,
    longest_s: Option<f64>,
}

impl Values {
    /// Reads them by their keys in JSON.
    fn of(line: usize, value: impl Fn(&str) -> Option<String>) -> Result<Self, Refusal> {
        let refuse = |key: &str| match value(key) {
            None => Refusal { line, reason: "the output ends before the counts".to_owned() },
            Some(value) => Refusal { line, reason: format!("{key:?} is {value}") },
        };
        let whole = |key: &str| value(key).and_then(|text| count(first(&text))).ok_or_else(|| refuse(key));
        let number = |key: &str| value(key).and_then(|text| lines::number(first(&text)));
        let transactions = whole("transactions")?;
        let elapsed_s = number("elapsed_time").ok_or_else(|| refuse("elapsed_time"))?;
        let concurrency = number("concurrency");
        // Times are in milliseconds since 4.1.7 and in seconds before. JSON has no unit, but the mean follows from others.
        let mean_s = concurrency.map(|all| all * elapsed_s / transactions as f64);
        let thousandfold = number("response_time").zip(mean_s).is_some_and(|(shown, mean)| shown > 30.0 * mean);
        let unit = if thousandfold { 1e3 } else { 1.0 };
        let seconds = |key: &str| {
            let text = value(key)?;
            lines::seconds(&text).or_else(|| Some(lines::number(&text)? / unit))
        };
        Ok(Self {
            transactions,
            successful: whole("successful_transactions")?,
            failed: whole("failed_transactions")?,
            elapsed_s,
            rate: number("transaction_rate").ok_or_else(|| refuse("transaction_rate"))?,
            bytes: value("data_transferred").and_then(|text| bytes(&text)),
            concurrency,
            response_s: seconds("response_time"),
            longest_s: seconds("longest_transaction"),
        })
    }

    fn output(&self, line: usize) -> Result<Output, Refusal> {
        let refuse = |reason| Refusal { line, reason };
        let decimals = |value| Shown { value, step: 0.01 };
        let good = self.successful.min(self.transactions);
        let bad = self.transactions - good;
        let requests = self.transactions.saturating_add(self.failed);
        let errors = Errors { status: Some(bad), other: Some(self.failed), ..Errors::default() };
        let (duration, rate) = (decimals(self.elapsed_s), decimals(self.rate));
        plausible(requests, duration).map_err(refuse)?;
        if good == 0 {
            return Err(refuse(all_failed(requests, &errors)));
        }
        let good_rate =
            Measurement { good, counted: &[self.transactions], duration, rate }.good_rate().map_err(refuse)?;
        Ok(Output {
            parameters: Parameters::default(),
            responses: Some(self.transactions),
            good: Some(good),
            duration_s: Some(self.elapsed_s),
            rate: Some(good_rate.per_second),
            rate_printed: Some(self.rate),
            errors,
            latency: self.latency(),
            bytes: self.bytes.filter(|bytes| *bytes > 0.0).map(|bytes| bytes as u64),
            remarks: Vec::from_iter(good_rate.counts_bad.then_some(Remark::CountsBad)),
            ..Output::default()
        })
    }

    /// 0.00 means: below what is printed.
    fn latency(&self) -> Latency {
        let milliseconds = |seconds: Option<f64>| seconds.filter(|s| *s > 0.0).map(|s| s * 1e3);
        let by_concurrency = self.concurrency.map(|all| all * self.elapsed_s / self.transactions as f64);
        let mean = by_concurrency.filter(|s| *s > 0.0 && s.is_finite()).or(self.response_s);
        Latency { mean: milliseconds(mean), max: milliseconds(self.longest_s), ..Latency::default() }
    }
}

fn first(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// Megabytes, where there is no unit.
fn bytes(text: &str) -> Option<f64> {
    lines::number(text).map(|megabytes| megabytes * 1024.0 * 1024.0).or_else(|| lines::scaled(text, 1024.0))
}

/// The classic text, from the line of its transactions on.
fn text(lines: &[(usize, &str)]) -> Result<Values, Refusal> {
    let rows: Vec<(&str, &str)> = lines
        .iter()
        .enumerate()
        .map_while(|(index, (_, line))| {
            let row = ROWS.iter().find_map(|(label, key)| Some((*key, after(line, label)?)))?;
            (index == 0 || row.0 != "transactions").then_some(row)
        })
        .collect();
    let line = lines.first().map_or(1, |(line, _)| *line);
    Values::of(line, |key| rows.iter().find(|(of, _)| *of == key).map(|(_, value)| (*value).to_owned()))
}

fn json(object: Object) -> Result<Values, Refusal> {
    let json = object.content?;
    Values::of(object.line, |key| json.get(key).map(Value::to_string))
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
            "siege",
            read,
            &[
                ("e500.stderr.txt", &[]),
                ("e500.txt", &["1: no, 1: all 1028 requests failed"]),
                ("http.stderr.txt", &[]),
                ("http.txt", &["3: 22164/22164 in 1.48 s, 14975.68 of 14975.68/s, [? ? ? 10 0.614] ms, 1059061 B"]),
                ("json.stderr.txt", &[]),
                ("json.txt", &["1: 1056/1056 in 1.57 s, 672.61 of 672.61/s, [? ? ? 30 7.24] ms, 52428 B"]),
                ("made_up_3_0_5_redirects.txt", &["2: 54/54 in 15.15 s, 3.564 of 3.56/s, [? ? ? 260 14.028] ms, ? B"]),
                (
                    "made_up_404_and_cut.txt",
                    &[
                        "1: no, 1: all 510 requests failed (500 responses with a failing status, 10 other errors)",
                        "2: 450/500 in 2.1 s, 214.29 of 238.1/s, [? ? ? 1260 62.748] ms, ? B CountsBad",
                        "3: no, 6: the output ends in the middle of its JSON",
                    ],
                ),
                (
                    "made_up_4_1_7.txt",
                    &["2: 1667/1667 in 20.29 s, 82.16 of 82.16/s, [? ? ? 1820 596.772] ms, 1562378 B"],
                ),
                (
                    "made_up_text_and_json.txt",
                    &["1: 200/200 in 0.29 s, 689.66 of 689.66/s, [? ? ? 30 6.656] ms, 10485 B"],
                ),
                ("quiet.stderr.txt", &[]),
                ("quiet.txt", &["1: 29320/29320 in 1.97 s, 14883.25 of 14883.25/s, [? ? ? 20 0.314] ms, 1405091 B"]),
                (
                    "refused.stderr.txt",
                    &["1: no, 1: 10 connections failed (Connection refused), and no result is shown"],
                ),
                ("refused.txt", &["1: no, 1: all 10 requests failed"]),
                (
                    "text_http.stderr.txt",
                    &["1: 20276/20276 in 1.58 s, 12832.91 of 12832.91/s, [? ? ? 20 0.68] ms, 975175 B"],
                ),
                ("text_tls.stderr.txt", &["1: 200/200 in 0.29 s, 689.66 of 689.66/s, [? ? ? 30 6.656] ms, 10485 B"]),
                ("text_tls_both.txt", &["201: 200/200 in 0.29 s, 689.66 of 689.66/s, [? ? ? 30 6.656] ms, 10485 B"]),
            ],
        );
    }

    const HEAD: &str =
        "** SIEGE 4.0.7\n** Preparing 5 concurrent users for battle.\nThe server is now under siege...\n";

    /// The values that the sample has, with some replaced.
    fn json(replacements: &[(&str, &str)]) -> String {
        let sample = "{\"transactions\": 200,\"availability\": 100.00,\"elapsed_time\": 2.00,\
                      \"transaction_rate\": 100.00,\
                      \"successful_transactions\": 200,\"failed_transactions\": 0}\n";
        replacements.iter().fold(sample.to_owned(), |json, (from, to)| json.replace(from, to))
    }

    const TEXT: &str = "Transactions:\t\t 200 hits\nAvailability:\t\t 100.00 %\nElapsed time:\t\t 2.00 secs\n\
                        Transaction rate:\t 100.00 trans/sec\nSuccessful transactions: 200\nFailed transactions:\t 0\n";

    #[test]
    fn outputs_without_a_rate_are_refused() {
        for (text, reason) in [
            (HEAD.to_owned(), "1: the output ends before the rate"),
            (
                "Transactions:\t\t 200 hits\nAvailability:\t\t 100.00 %\nElap".to_owned(),
                "1: the output ends before the counts",
            ),
            (json(&[("200", "0")]), "1: 0 requests in 2.00 s"),
            (json(&[("2.00", "0.00")]), "1: 200 requests in 0.00 s"),
            (json(&[(": 100.00,\"succ", ": 1.00,\"succ")]), "1: 1 requests per second are not 200 requests in 2.00 s"),
            (
                json(&[("ons\": 200,\"failed_transactions\": 0", "ons\": 0,\"failed_transactions\": 7")]),
                "1: all 207 requests failed (200 responses with a failing status, 7 other errors)",
            ),
            (json(&[(": 200,\"a", ": -200,\"a")]), "1: \"transactions\" is -200"),
            (json(&[("2.00", "nan")]), "1: the JSON is broken: expected ident"),
            ("siege: invalid option -- 'x'\n".to_owned(), "1: siege ran nothing: siege: invalid option -- 'x'"),
            (
                "[error] socket: unable to connect sock.c:282: Connection refused\n".repeat(2),
                "1: 2 connections failed (Connection refused), and no result is shown",
            ),
        ] {
            let found = read(&text);
            let [Found { output: Err(refusal), .. }] = found.as_slice() else { panic!("{text} {found:?}") };
            assert_eq!(format!("{}: {}", refusal.line, refusal.reason), reason);
        }
    }

    #[test]
    fn both_forms_of_one_run_are_one() {
        let brief = "200/200 in 2 s, 100 of 100/s, [? ? ? ? ?] ms, ? B";
        let json = json(&[]);
        for (text, lines) in [
            (format!("{HEAD}{TEXT}{json}"), &[1][..]),
            (format!("{json}{HEAD}{TEXT}"), &[1]),
            (format!("{json}{json}"), &[1, 2]),
            (format!("{HEAD}{TEXT}{HEAD}{TEXT}"), &[1, 10]),
            (format!("{json}{TEXT}{json}"), &[1, 8]),
        ] {
            let expected: Vec<String> = lines.iter().map(|line| format!("{line}: {brief}")).collect();
            assert_eq!(briefs(&text), expected, "{text}");
        }
        let found = read(&format!("{json}{HEAD}{TEXT}"));
        let output = found[0].output.as_ref().unwrap();
        assert_eq!((output.version.as_deref(), output.parameters.connections), (Some("4.0.7"), Some(5)));
    }

    #[test]
    fn failures_count_apart() {
        let text = json(&[("ons\": 200,\"failed_transactions\": 0", "ons\": 150,\"failed_transactions\": 7")]);
        assert_eq!(briefs(&text), ["1: 150/200 in 2 s, 75 of 100/s, [? ? ? ? ?] ms, ? B CountsBad"]);
        let errors = read(&text)[0].output.as_ref().unwrap().errors;
        assert_eq!(kinds(&errors), [None, None, None, None, Some(50), None, Some(7)]);
    }

    #[test]
    fn times_without_a_unit_are_not_always_seconds() {
        let times = |response: &str, longest: &str| {
            let times = format!(
                "\"concurrency\": 5.00,\"response_time\": {response},\"longest_transaction\": {longest},\"succ"
            );
            let latency = read(&json(&[("\"succ", &times)]))[0].output.as_ref().unwrap().latency;
            (latency.mean, latency.max)
        };
        assert_eq!(times("0.05", "0.12"), (Some(50.0), Some(120.0)));
        assert_eq!(times("50.00", "120.00"), (Some(50.0), Some(120.0)));
        assert_eq!(times("0.00", "0.12"), (Some(50.0), Some(120.0)));
    }

    #[test]
    fn data_has_a_unit() {
        assert_eq!((bytes("1.50"), bytes("1.50 MB")), (Some(1_572_864.0), Some(1_572_864.0)));
        assert_eq!((bytes("2.00 GB"), bytes("2 bytes")), (Some(2_147_483_648.0), None));
    }

    #[test]
    fn giving_up_is_an_interruption() {
        let text = format!("{HEAD}siege aborted due to excessive socket failure; you\ncan change it\n\n{TEXT}");
        assert_eq!(briefs(&text), ["1: 200/200 in 2 s, 100 of 100/s, [? ? ? ? ?] ms, ? B Interrupted"]);
        assert_eq!(briefs("siege aborted due to excessive socket failure; you\n"), [""; 0]);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(?s).{0,200}", damaged in trial::damaged(trial::texts("siege"))) {
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

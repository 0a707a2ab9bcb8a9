//! h2load of nghttp2. Its printed rate counts every response that came to its end, also one with a failing status,
//! although `succeeded` does not; redirects succeed. It sees every status. With `-D` the rate is over the main
//! duration alone, while `finished in` holds the warm-up too. A request that could not be sent because its connection
//! failed counts as failed and errored. How many connections were opened is not shown: a client opens a new one when
//! the server closes.

use super::lines::{self, Lines, Shown, after, contradiction, count};
use super::measured::{Measurement, all_failed, plausible, total};
use super::{Errors, Found, Latency, Output, Parameters, Refusal, Remark, Tool};

/// The most lines that a result has behind its first.
const RESULT_LINES: usize = 9;

/// All outputs of h2load in a text.
pub(super) fn read(text: &str) -> Vec<Found> {
    let lines = Lines::of(text);
    let mut found = Vec::new();
    let mut head = Head::default();
    for (index, (number, line)) in lines.iter().copied().enumerate() {
        if line.trim_end() == "starting benchmark..." || head.ends_before(line) {
            found.extend(std::mem::take(&mut head).cut_off());
        }
        if let Some(finished) = after(line, "finished in ").filter(|rest| is_result(rest)) {
            let rest = lines.get(index + 1..).unwrap_or_default();
            let result = Measured { line: number, finished, rows: rows(rest) };
            let head = std::mem::take(&mut head);
            found.push(found_at(head.line.unwrap_or(number), result.output(&head)));
        } else if let Some(reason) = early_error(line) {
            found.push(found_at(number, Err(Refusal { line: number, reason })));
        } else {
            head.take(number, line);
        }
    }
    found.extend(head.cut_off());
    found
}

/// weighttp, whose words h2load uses, spells the time out: `0 sec, 71 millisec and 214 microsec, 14042 req/s`.
fn is_result(finished: &str) -> bool {
    finished.split(", ").nth(1).is_some_and(|rate| rate.ends_with(" req/s"))
}

fn found_at(line: usize, output: Result<Output, Refusal>) -> Found {
    Found { line, tool: Tool::H2load, output }
}

/// Complaints about arguments, which go to standard error.
fn early_error(line: &str) -> Option<String> {
    let line = line.trim();
    let arguments =
        line.starts_with('-') && (line.contains(": the number of ") || line.contains(": the max concurrent "));
    let warning = line.contains("warning:");
    let option = after(line, "h2load: ").is_some_and(|rest| rest.contains("option"));
    ((arguments && !warning) || option).then(|| format!("h2load ran nothing: {line}"))
}

/// What h2load says before the result.
#[derive(Debug, Default)]
struct Head {
    /// The line on which it begins, once it is known to be of h2load.
    line: Option<usize>,
    first: Option<usize>,
    threads: u64,
    clients: u64,
    requests: Option<u64>,
    /// With `-D`: the time that is measured, without the warm-up.
    main_s: Option<f64>,
    tls: Option<String>,
    cipher: Option<String>,
    application: Option<String>,
    /// Whether a TLS session was resumed, which new versions tell.
    resumed: bool,
}

impl Head {
    /// Whether this line begins another output although no start is shown: thread 0 is spawned first.
    fn ends_before(&self, line: &str) -> bool {
        self.threads > 0 && line.starts_with("spawning thread #0:")
    }

    fn take(&mut self, number: usize, line: &str) {
        if line.trim_end() == "starting benchmark..." {
            self.first = Some(number);
        } else if let Some(spawned) = after(line, "spawning thread #").and_then(|rest| rest.split_once(": ")) {
            // weighttp spawns `concurrent requests`.
            if spawned.1.contains("client") {
                self.line.get_or_insert(self.first.unwrap_or(number));
                self.spawn(spawned.1);
            }
        } else if let Some(protocol) = after(line, "TLS Protocol:") {
            self.tls = Some(protocol.to_owned());
        } else if let Some(cipher) = after(line, "Cipher:").filter(|_| self.tls.is_some()) {
            self.cipher.get_or_insert(cipher.to_owned());
        } else if after(line, "Resumption: yes").is_some() {
            self.resumed = true;
        } else if let Some(protocol) = after(line, "Application protocol:") {
            self.application = Some(protocol.to_owned());
        }
    }

    /// `100 total client(s). 2500 total requests`, `10 concurrent clients, 2500 total requests` or `16 total client(s).
    /// Timing-based test with 0s of warm-up time and 10s of main duration for measurements.`
    fn spawn(&mut self, thread: &str) {
        self.threads += 1;
        let clients = thread.split(' ').next().and_then(count).unwrap_or(0);
        self.clients = self.clients.saturating_add(clients);
        let requests = thread.trim_end().strip_suffix(" total requests").and_then(|rest| rest.rsplit(' ').next());
        if let Some(requests) = requests.and_then(count) {
            self.requests = Some(self.requests.unwrap_or(0).saturating_add(requests));
        }
        let main = thread.split_once("s of main duration").and_then(|(rest, _)| rest.rsplit(' ').next());
        self.main_s = main.and_then(lines::number).or(self.main_s);
    }

    /// An output that has no result.
    fn cut_off(self) -> Option<Found> {
        let line = self.line?;
        Some(found_at(line, Err(Refusal { line, reason: "the output ends before the rate".to_owned() })))
    }

    fn parameters(&self) -> Parameters {
        let connections = Some(self.clients).filter(|clients| *clients > 0);
        Parameters {
            connections,
            threads: Some(self.threads).filter(|threads| *threads > 0),
            requests: self.requests,
            duration_s: self.main_s,
            keep_alive: connections.zip(self.requests).map(|(clients, requests)| requests > clients),
            ..Parameters::default()
        }
    }

    /// Whether far more requests than connections are certain. HTTP/1 servers may close after each response.
    fn is_long(&self) -> bool {
        let multiplexed =
            self.application.as_ref().is_some_and(|name| name.starts_with("h2") || name.starts_with("h3"));
        multiplexed && self.requests.is_some_and(|requests| requests / 2 >= self.clients.max(1))
    }
}

/// The rows of a result by label.
type Rows<'a> = Vec<(usize, &'a str)>;

fn rows<'a>(lines: &[(usize, &'a str)]) -> Rows<'a> {
    let ends = |line: &str| line.trim().is_empty() || line.starts_with("finished in ") || line.starts_with("spawning ");
    lines.iter().copied().take(RESULT_LINES).take_while(|(_, line)| !ends(line)).collect()
}

/// A result, from `finished in` on.
struct Measured<'a> {
    line: usize,
    finished: &'a str,
    rows: Rows<'a>,
}

impl Measured<'_> {
    fn output(&self, head: &Head) -> Result<Output, Refusal> {
        let (duration, rate) = self.finished()?;
        let counts = self.counts()?;
        let main_s = head.main_s.or_else(|| counts.main_duration(duration, rate));
        let duration = main_s.map_or(duration, |value| Shown { value, step: 0.0 });
        let refuse = |reason| Refusal { line: counts.line, reason };
        plausible(counts.total, duration).map_err(refuse)?;
        let errors = counts.errors();
        if counts.succeeded == 0 {
            return Err(refuse(all_failed(counts.total, &errors)));
        }
        if counts.succeeded > counts.responses() {
            return Err(refuse(format!("{} of {} responses succeeded", counts.succeeded, counts.responses())));
        }
        let counted = counts.counted(duration, rate);
        let measurement = Measurement { good: counts.succeeded, counted: &counted, duration, rate };
        let good_rate = measurement.good_rate().map_err(|reason| Refusal { line: self.line, reason })?;
        let mut remarks = Vec::new();
        remarks.extend(good_rate.counts_bad.then_some(Remark::CountsBad));
        remarks.extend(head.resumed.then_some(Remark::MayResume));
        remarks.extend(head.is_long().then_some(Remark::LongConnections));
        Ok(Output {
            parameters: head.parameters(),
            responses: Some(counts.responses()),
            good: Some(counts.succeeded),
            duration_s: Some(duration.value),
            rate: Some(good_rate.per_second),
            rate_printed: Some(rate.value),
            errors,
            latency: self.latency(),
            bytes: self.row("traffic:").and_then(|(_, traffic)| bytes(traffic)),
            protocol: head.tls.clone(),
            cipher: head.cipher.clone(),
            remarks,
            ..Output::default()
        })
    }

    /// Duration and rate of `428.86ms, 46635.81 req/s, 7.65MB/s`.
    fn finished(&self) -> Result<(Shown, Shown), Refusal> {
        let (duration, rest) = self.finished.split_once(", ").unwrap_or((self.finished, ""));
        let rate = rest.split_once(" req/s").map_or(rest, |(rate, _)| rate);
        let refuse = |what| Refusal { line: self.line, reason: format!("{what} is no number") };
        Ok((
            Shown::seconds(duration).ok_or_else(|| refuse(format!("the duration {duration:?}")))?,
            Shown::number(rate).ok_or_else(|| refuse(format!("the rate {rate:?}")))?,
        ))
    }

    fn row(&self, label: &str) -> Option<(usize, &str)> {
        self.rows.iter().find_map(|(number, line)| Some((*number, after(line, label)?)))
    }

    fn counts(&self) -> Result<Counts, Refusal> {
        let cut = || Refusal { line: self.line, reason: "the output ends before the counts".to_owned() };
        let (line, requests) = self.row("requests:").ok_or_else(cut)?;
        let statuses = self.row("status codes:").map(|(_, statuses)| statuses);
        let of = |name| named(requests, name);
        Ok(Counts {
            line,
            total: of("total").ok_or_else(cut)?,
            started: of("started").ok_or_else(cut)?,
            done: of("done").ok_or_else(cut)?,
            succeeded: of("succeeded").ok_or_else(cut)?,
            errored: of("errored").ok_or_else(cut)?,
            timeout: of("timeout"),
            statuses: statuses.and_then(|row| {
                let of = |name| named(row, name);
                Some([of("2xx")?, of("3xx")?, of("4xx")?, of("5xx")?])
            }),
        })
    }

    /// The times by the names of their columns, which differ between versions.
    fn latency(&self) -> Latency {
        let columns = self.rows.iter().find_map(|(_, line)| line.trim_start().starts_with("min ").then_some(*line));
        // Versions since 2025 call the row so.
        let times = self.row("time for request:").or_else(|| self.row("request     :"));
        let (Some(columns), Some((_, times))) = (columns, times) else { return Latency::default() };
        let of = |name| {
            let index = columns.split_whitespace().position(|column| column == name)?;
            lines::milliseconds(times.split_whitespace().nth(index)?)
        };
        Latency { mean: of("mean"), p50: of("median"), p90: of("p90"), p99: of("p99"), max: of("max") }
    }
}

/// The number before a name in `200 total, 200 started`.
fn named(row: &str, name: &str) -> Option<u64> {
    row.split(", ").find_map(|part| count(part.strip_suffix(name)?))
}

/// The first number of `3.28MB (3440980) total, …`, or of `1420000 bytes total, …` in old versions.
fn bytes(traffic: &str) -> Option<u64> {
    let total = traffic.split(", ").next()?;
    let bracketed = total.split_once('(').and_then(|(_, rest)| rest.strip_suffix(") total"));
    count(bracketed.or_else(|| total.strip_suffix(" bytes total"))?)
}

/// The counts of a result.
struct Counts {
    line: usize,
    total: u64,
    started: u64,
    done: u64,
    succeeded: u64,
    errored: u64,
    timeout: Option<u64>,
    /// Responses with a status from 200, 300, 400 and 500 on.
    statuses: Option<[u64; 4]>,
}

impl Counts {
    fn responses(&self) -> u64 {
        self.statuses.map_or(self.done, |statuses| total(statuses.into_iter()))
    }

    fn errors(&self) -> Errors {
        let unsent = self.total.saturating_sub(self.started).min(self.errored);
        let timeout = self.timeout.unwrap_or(0);
        Errors {
            connect: Some(unsent),
            timeout: self.timeout,
            status: self.statuses.map(|[_, _, client, server]| client.saturating_add(server)),
            other: Some((self.errored - unsent).saturating_sub(timeout)),
            ..Errors::default()
        }
    }

    /// With `-D`: the whole seconds of the main duration, told by rate and count alone where the printed duration is
    /// another and what stands before the result is not there.
    fn main_duration(&self, printed: Shown, rate: Shown) -> Option<f64> {
        let is_rate_over = |seconds: f64| (self.done as f64 / seconds - rate.value).abs() <= rate.step;
        let seconds = (self.done as f64 / rate.value).round();
        let of_printed = contradiction(self.done, "", printed, rate).is_none();
        (!of_printed && seconds >= 1.0 && seconds < printed.value && is_rate_over(seconds)).then_some(seconds)
    }

    /// What the rate counts: what came to its end, which is between `succeeded` and `done` and is not shown by itself.
    fn counted(&self, duration: Shown, rate: Shown) -> Vec<u64> {
        let mut counted = vec![self.succeeded, self.responses(), self.done];
        let between = (rate.value * duration.value).round() as u64;
        counted.extend((self.succeeded..=self.done).contains(&between).then_some(between));
        counted
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
            "h2load",
            read,
            &[
                (
                    "bad_clients.stderr.txt",
                    &["1: no, 1: h2load ran nothing: -n, -c: the number of requests must be greater than or \
                     equal to the clients."],
                ),
                ("bad_clients.txt", &[]),
                (
                    "clients_eq_requests.txt",
                    &["1: 200/200 in 0.342 s, 585.33 of 585.33/s, [? ? ? 222.66 128.63] ms, 44200 B"],
                ),
                ("conn_refused.txt", &["1: no, 5: all 10 requests failed (10 connect errors)"]),
                ("e500.txt", &["1: no, 19: all 1000 requests failed (1000 responses with a failing status)"]),
                ("h1_tls.txt", &["1: 5000/5000 in 0.172 s, 29083.8 of 29083.8/s, [? ? ? 18.41 0.573] ms, 1420000 B"]),
                (
                    "h2_tls.txt",
                    &["1: 20000/20000 in 0.429 s, 46635.81 of 46635.81/s, [? ? ? 19.62 3.68] ms, 3440980 B \
                     LongConnections"],
                ),
                (
                    "log_file.txt",
                    &["1: 50/50 in 0.01 s, 5099.96 of 5099.96/s, [? ? ? 0.298 0.081] ms, 8698 B LongConnections"],
                ),
                ("made_up_2015.txt", &["2: 100000/100000 in 1.29 s, 77522 of 77522/s, [? ? ? 90.2 24] ms, 4310000 B"]),
                (
                    "made_up_2025_without_head.txt",
                    &["1: 6954/6954 in 5 s, 1390.8 of 1390.8/s, [0.701 ? 1.78 2.06 0.775] ms, 55824 B"],
                ),
                (
                    "made_up_duration.txt",
                    &["1: 40920/40927 in 20 s, 2046 of 2046.35/s, [? ? ? 88.41 15.62] ms, 11627268 B CountsBad"],
                ),
                (
                    "made_up_two_and_cut.txt",
                    &[
                        "1: 600/990 in 0.05 s, 11976.048 of 19760.48/s, [? ? ? ? ?] ms, 245490 B CountsBad",
                        "9: no, 9: the output ends before the rate",
                    ],
                ),
                ("single.txt", &["1: 1/1 in 0.002 s, 414.94 of 414.94/s, [? ? ? 0.334 0.334] ms, 221 B"]),
            ],
        );
    }

    const HEAD: &str = "starting benchmark...\nspawning thread #0: 2 total client(s). 10 total requests\n";
    const COUNTS: &str = "requests: 10 total, 10 started, 10 done, 10 succeeded, 0 failed, 0 errored, 0 timeout\n";

    #[test]
    fn outputs_without_a_rate_are_refused() {
        let bad = "requests: 10 total, 10 started, 10 done, 0 succeeded, 10 failed, 3 errored, 2 timeout\n\
                   status codes: 0 2xx, 0 3xx, 7 4xx, 0 5xx\n";
        let many = COUNTS.replace("10", "833071");
        for (text, reason) in [
            (HEAD.to_owned(), "1: the output ends before the rate"),
            (format!("{HEAD}finished in 2.00s, 5.00"), "1: the output ends before the rate"),
            (format!("{HEAD}finished in 2.00s, 5.00 req/s, 1B/s\n"), "3: the output ends before the counts"),
            (
                format!("{HEAD}finished in 2.00s, 5.00 req/s, 1B/s\nrequests: 10 total\n"),
                "3: the output ends before the counts",
            ),
            (format!("finished in 2.00s, -nan req/s, 1B/s\n{COUNTS}"), "1: the rate \"-nan\" is no number"),
            (format!("finished in -nan, 5.00 req/s, 1B/s\n{COUNTS}"), "1: the duration \"-nan\" is no number"),
            (format!("finished in 0us, 0.00 req/s, 0B/s\n{COUNTS}"), "2: 10 requests in 0.00 s"),
            (
                format!("finished in 2.00s, 50.00 req/s, 0B/s\n{COUNTS}"),
                "1: 50 requests per second are not 10 requests in 2.00 s",
            ),
            (
                format!("finished in 1.25ms, 666456800.00 req/s, 1B/s\n{many}"),
                "2: 833071 requests in 1.25 ms is more than any client sends",
            ),
            (
                format!("finished in 2.00s, 5.00 req/s, 1B/s\n{bad}"),
                "2: all 10 requests failed (2 timeouts, 7 responses with a failing status, 1 other errors)",
            ),
            (
                "h2load: unrecognized option '--foo'\n".to_owned(),
                "1: h2load ran nothing: h2load: unrecognized option '--foo'",
            ),
        ] {
            let found = read(&text);
            let [Found { output: Err(refusal), .. }] = found.as_slice() else { panic!("{text} {found:?}") };
            assert_eq!(format!("{}: {}", refusal.line, refusal.reason), reason);
        }
    }

    #[test]
    fn a_lost_connection_leaves_requests_unsent() {
        let text = "finished in 2.00s, 3.50 req/s, 1B/s\n\
                    requests: 10 total, 8 started, 8 done, 6 succeeded, 4 failed, 3 errored, 0 timeout\n\
                    status codes: 6 2xx, 0 3xx, 1 4xx, 0 5xx\n";
        assert_eq!(briefs(text), ["1: 6/7 in 2 s, 3 of 3.5/s, [? ? ? ? ?] ms, ? B CountsBad"]);
        let errors = read(text)[0].output.as_ref().unwrap().errors;
        assert_eq!(kinds(&errors), [Some(2), None, None, Some(0), Some(1), None, Some(1)]);
    }

    #[test]
    fn what_stands_before_a_result_is_told() {
        let text = format!(
            "{HEAD}TLS Protocol: TLSv1.2\nCipher: AES256-SHA\nResumption: yes\nApplication protocol: http/1.1\n\
             finished in 2.00s, 5.00 req/s, 1B/s\n{COUNTS}"
        );
        let found = read(&text);
        let output = found[0].output.as_ref().unwrap();
        let Parameters { connections, threads, requests, keep_alive, .. } = output.parameters;
        assert_eq!((connections, threads, requests, keep_alive), (Some(2), Some(1), Some(10), Some(true)));
        assert_eq!((output.protocol.as_deref(), output.cipher.as_deref()), (Some("TLSv1.2"), Some("AES256-SHA")));
        assert_eq!(output.remarks, [Remark::MayResume]);
    }

    #[test]
    fn weighttp_is_another_tool() {
        let text = "starting benchmark...\nspawning thread #1: 25 concurrent requests, 2500 total requests\n\
                    finished in 0 sec, 71 millisec and 214 microsec, 14042 req/s, 4072 kbyte/s\n";
        assert_eq!(briefs(text), [""; 0]);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(?s).{0,200}", damaged in trial::damaged(trial::texts("h2load"))) {
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

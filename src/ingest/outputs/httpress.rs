//! httpress and its forks. The rate counts successes, as a whole number cut off below; the HTTP status is not looked
//! at, so an error page is a success. Forks that print `RESPONSE:` or `loops:` do look, and count other statuses than
//! 2xx as failed. httpress resumes no TLS sessions.

use super::lines::{Lines, Shown, after, contradiction, count, implausible, number, rate};
use super::{Errors, Found, Latency, Output, Parameters, Refusal, Remark, Tool};

/// All outputs in a text.
pub(super) fn read(text: &str) -> Vec<Found> {
    let lines = Lines::of(text);
    let mut found = refused_starts(&lines);
    found.extend(reports(&lines).iter().map(Report::found));
    found.sort_by_key(|found| found.line);
    found
}

/// The lines of one output, by what they say.
#[derive(Default)]
struct Report<'a> {
    line: usize,
    version: Option<&'a str>,
    /// The last line that was taken.
    end: usize,
    /// The last `N requests launched`.
    launched: u64,
    /// The highest number of a thread.
    threads: u64,
    /// Lines of the log on standard error.
    log: Vec<&'a str>,
    tls: Tls,
    totals: Option<Line<'a>>,
    response: Option<Line<'a>>,
    traffic: Option<Line<'a>>,
    timing: Option<Line<'a>>,
    loops: Option<Line<'a>>,
    /// Times of all requests, which one fork sorts.
    sorted: Latency,
}

/// The block `SSL INFO:`.
#[derive(Default)]
struct Tls {
    cipher: Option<String>,
    protocol: Option<String>,
    key_type: Option<String>,
}

/// A line and its number.
#[derive(Clone, Copy)]
struct Line<'a> {
    number: usize,
    text: &'a str,
}

/// Requests by what became of them.
struct Counts {
    connects: Option<u64>,
    requests: u64,
    /// Answered, whatever the status.
    success: u64,
    fail: u64,
    /// Answered as asked for, as far as the dialect looks.
    good: u64,
    /// Whether the dialect looks at the status.
    status_seen: bool,
    /// Connections that had a success.
    busy: Option<u64>,
}

/// How long it took, and the rate as it is printed.
struct Timing<'a> {
    /// The duration as printed.
    shown: &'a str,
    duration: Shown,
    printed: Shown,
    /// Whether the printed rate leaves out failing statuses.
    of_good: bool,
    /// Mean time of a request.
    mean_ms: Option<f64>,
}

fn reports<'a>(lines: &[(usize, &'a str)]) -> Vec<Report<'a>> {
    let mut reports: Vec<Report> = Vec::new();
    let mut version = None;
    for (index, &(number, text)) in lines.iter().enumerate() {
        if let Some(word) = after(text, "version:")
            && lines.get(index + 1).is_some_and(|(_, next)| next.starts_with("build-date:"))
        {
            version = Some(word);
        }
        let mut report = reports.pop().unwrap_or_default();
        let line = Line { number, text };
        if report.ends_before(line) {
            reports.push(std::mem::take(&mut report));
        }
        if report.take(line) {
            report.end = number;
            if report.line == 0 {
                report.line = number;
                report.version = version;
            }
        }
        reports.push(report);
    }
    // A log without a report is the rest of one, unless there is nothing else.
    let only_log = |report: &Report| report.launched == 0 && report.threads == 0 && report.last().is_none();
    reports.retain(|report| report.line > 0);
    if reports.iter().any(|report| !only_log(report)) {
        reports.retain(|report| !only_log(report));
    }
    reports
}

/// `N requests launched`.
fn launched(text: &str) -> Option<u64> {
    count(text.strip_suffix(" requests launched")?)
}

/// The number in `thread N: C connect, R requests, …`.
fn thread(text: &str) -> Option<u64> {
    let (thread, counts) = text.strip_prefix("thread ")?.split_once(": ")?;
    if counts.contains(" connect, ") { count(thread) } else { None }
}

/// What the log says, behind the time, the process and the thread.
fn log_message(text: &str) -> Option<&str> {
    let (place, message) = text.split_once("]: ")?;
    let (_, place) = place.split_once(" [")?;
    let (process, thread) = place.split_once(':')?;
    (count(process).is_some() && thread.starts_with("0x")).then_some(message)
}

/// The number before a word: `words` are such as `3000 success`.
fn counted(text: &str, word: &str) -> Option<u64> {
    text.split(',').find_map(|part| count(part.trim().strip_suffix(word)?))
}

/// What stands behind a key in a line such as `loops: 3000; failed: 0; time: 3.5;`.
fn keyed<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.split(';').find_map(|part| after(part, key))
}

impl<'a> Report<'a> {
    /// Whether a line begins another output.
    fn ends_before(&self, line: Line) -> bool {
        let reported = self.totals.is_some() || self.timing.is_some() || self.loops.is_some();
        let text = line.text.trim();
        if let Some(launched) = launched(text) {
            // Without a line between, the same numbers again are of a run at the same time.
            reported || (launched <= self.launched && line.number > self.end + 1)
        } else if thread(text).is_some()
            || log_message(text).is_some()
            || starts_with_any(text, &["SSL INFO:", "TOTALS:"])
        {
            reported
        } else if text.starts_with("TRAFFIC:") {
            self.traffic.is_some() || self.timing.is_some() || self.loops.is_some()
        } else if text.starts_with("TIMING:") {
            self.timing.is_some() || self.loops.is_some()
        } else {
            text.starts_with("loops:") && self.loops.is_some()
        }
    }

    /// Takes a line if it is of such an output.
    fn take(&mut self, line: Line<'a>) -> bool {
        let text = line.text.trim();
        if let Some(launched) = launched(text) {
            self.launched = launched;
        } else if let Some(thread) = thread(text) {
            self.threads = self.threads.max(thread);
        } else if let Some(message) = log_message(text).filter(|_| !is_unresolved(text)) {
            self.log.push(message);
        } else if let Some(suite) = after(text, "SSL INFO:") {
            self.tls.cipher = Some(suite.to_owned());
        } else if text.starts_with("TOTALS:") && text.contains(" connect") {
            self.totals = Some(line);
        } else if text.starts_with("RESPONSE: 2xx ") {
            self.response = Some(line);
        } else if text.starts_with("TRAFFIC:") && text.contains(" avg bytes") {
            self.traffic = Some(line);
        } else if text.starts_with("TIMING:") {
            self.timing = Some(line);
        } else if text.starts_with("loops:") && text.contains("rate: {") {
            self.loops = Some(line);
        } else {
            if self.totals.is_none() {
                self.tls.take(text);
            } else if self.timing.is_some() {
                take_sorted(&mut self.sorted, text);
            }
            return false;
        }
        true
    }

    fn last(&self) -> Option<Line<'a>> {
        self.loops.or(self.timing).or(self.traffic).or(self.totals)
    }

    fn found(&self) -> Found {
        Found { line: self.line, tool: Tool::Httpress, output: self.read() }
    }

    fn read(&self) -> Result<Output, Refusal> {
        let refuse =
            |line: Option<Line>, reason| Err(Refusal { line: line.map_or(self.line, |line| line.number), reason });
        let Some(counts) = self.counts()? else {
            let what =
                if self.last().is_some() { "the totals are missing" } else { "the output ends before the totals" };
            return refuse(self.last(), format!("{what}{}", self.first_message()));
        };
        let counted_at = self.totals.or(self.loops);
        if counts.requests > 0 && counts.success == 0 {
            return refuse(counted_at, format!("all {} requests failed{}", counts.requests, self.first_message()));
        }
        let Some(timing) = self.timing()? else {
            return refuse(self.last(), "the output ends before the rate".to_owned());
        };
        if let Some(reason) = implausible(counts.success, timing.shown, timing.duration) {
            return refuse(self.last(), reason);
        }
        let printed_of = if timing.of_good { counts.good } else { counts.success };
        if let Some(reason) = contradiction(printed_of, timing.shown, timing.duration, timing.printed) {
            return refuse(self.last(), reason);
        }
        if counts.good == 0 {
            return refuse(counted_at, format!("all {} responses have a failing status", counts.success));
        }
        Ok(self.output(&counts, &timing))
    }

    fn output(&self, counts: &Counts, timing: &Timing) -> Output {
        let printed_of = if timing.of_good { counts.good } else { counts.success };
        let rate = rate(counts.good, printed_of, timing.printed, timing.duration);
        let as_printed = timing.printed.uncertainty() <= timing.duration.uncertainty();
        let long = counts.connects.is_some_and(|connects| connects < counts.success / 2);
        // One request for each connection could be kept ones as well.
        let short = counts.connects.is_some_and(|connects| connects >= counts.requests)
            && counts.busy.is_some_and(|busy| busy < counts.requests);
        let remarks = [
            (!counts.status_seen).then_some(Remark::StatusUnseen),
            (as_printed && timing.printed.step >= 1.0).then_some(Remark::Rounded),
            (printed_of > counts.good).then_some(Remark::CountsBad),
            long.then_some(Remark::LongConnections),
        ];
        Output {
            version: self.version.map(str::to_owned),
            parameters: Parameters {
                connections: counts.busy.filter(|busy| fits(*busy, counts.success, timing)),
                threads: Some(self.threads).filter(|threads| *threads > 0),
                requests: Some(counts.requests),
                keep_alive: if long { Some(true) } else { short.then_some(false) },
                ..Parameters::default()
            },
            responses: Some(counts.success),
            good: Some(counts.good),
            connects: counts.connects,
            duration_s: Some(timing.duration.value),
            rate: Some(rate),
            rate_printed: Some(timing.printed.value),
            errors: self.errors(counts),
            latency: Latency { mean: self.sorted.mean.or(timing.mean_ms), ..self.sorted },
            bytes: self.traffic.and_then(|line| bytes(line.text)),
            protocol: self.tls.protocol.clone(),
            cipher: self.tls.cipher.clone(),
            key_type: self.tls.key_type.clone(),
            remarks: remarks.into_iter().flatten().collect(),
        }
    }

    fn counts(&self) -> Result<Option<Counts>, Refusal> {
        let unread =
            |line: Line| Refusal { line: line.number, reason: format!("{:?} cannot be read", line.text.trim()) };
        let totals = self.totals.map(|line| totals(line.text).ok_or_else(|| unread(line))).transpose()?;
        let loops = self.loops.map(|line| loops(line.text).ok_or_else(|| unread(line))).transpose()?;
        let Some(mut counts) = totals.or(loops) else { return Ok(None) };
        let response = self.response.map(|line| response(line.text).ok_or_else(|| unread(line))).transpose()?;
        if let Some(good) = response.or(self.loops.and_then(|line| loops_good(line.text))) {
            counts.good = good;
            counts.status_seen = true;
        }
        if counts.good > counts.success {
            let reason = format!("{} good responses of {}", counts.good, counts.success);
            return Err(Refusal { line: self.last().map_or(self.line, |line| line.number), reason });
        }
        Ok(Some(counts))
    }

    fn timing(&self) -> Result<Option<Timing<'a>>, Refusal> {
        let Some(line) = self.loops.or(self.timing) else { return Ok(None) };
        let timing = if self.loops.is_some() { loops_timing(line.text) } else { timing(line.text) };
        let mut timing = timing
            .ok_or_else(|| Refusal { line: line.number, reason: format!("{:?} cannot be read", line.text.trim()) })?;
        // A fork prints both, and the duration with fewer digits behind `loops:`.
        if let Some(other) = self.timing.and_then(|line| self::timing(line.text)) {
            timing.mean_ms = other.mean_ms;
            if other.duration.step < timing.duration.step {
                (timing.shown, timing.duration) = (other.shown, other.duration);
            }
        }
        Ok(Some(timing))
    }

    /// Failures by what the log says of them, where it speaks of each; otherwise their kinds are not known.
    fn errors(&self, counts: &Counts) -> Errors {
        let of = |wanted: Kind| self.log.iter().filter(|message| kind(message) == wanted).count() as u64;
        let (connect, read, tls) = (of(Kind::Connect), of(Kind::Read), of(Kind::Tls));
        // `loops:` alone does not tell failing statuses from other failures.
        let status = (counts.status_seen && self.totals.is_some()).then(|| counts.success - counts.good);
        match counts.fail.checked_sub(connect + read + tls) {
            Some(other) if connect + read + tls > 0 => Errors {
                connect: Some(connect),
                read: Some(read),
                tls: Some(tls),
                other: Some(other),
                status,
                ..Errors::default()
            },
            _ => Errors { other: Some(counts.fail), status, ..Errors::default() },
        }
    }

    fn first_message(&self) -> String {
        self.log.first().map_or_else(String::new, |message| {
            // The address of a structure differs in each run.
            format!(": {}", message.split(" conn=0x").next().unwrap_or(message))
        })
    }
}

#[derive(PartialEq)]
enum Kind {
    Connect,
    Read,
    Tls,
    Other,
}

fn kind(message: &str) -> Kind {
    if message.starts_with("gnutls handshake error") {
        Kind::Tls
    } else if message.contains("conn_read()") {
        Kind::Read
    } else if message.starts_with("conn_write()") && message.contains("Connection refused") {
        Kind::Connect
    } else {
        Kind::Other
    }
}

/// `TOTALS:  C connect, R requests, S success, F fail, X (Y) real concurrency`.
fn totals(text: &str) -> Option<Counts> {
    let text = after(text, "TOTALS:")?;
    let (requests, success, fail) = (counted(text, " requests")?, counted(text, " success")?, counted(text, " fail")?);
    let busy = text.split(',').find_map(|part| part.trim().strip_suffix(" real concurrency")?.split_once(" ("));
    (success.checked_add(fail)? == requests).then_some(Counts {
        connects: counted(text, " connect"),
        requests,
        success,
        fail,
        good: success,
        status_seen: false,
        busy: busy.and_then(|(busy, _)| count(busy)),
    })
}

/// `RESPONSE: 2xx N (P%), non-2xx M (Q%)`: the first number.
fn response(text: &str) -> Option<u64> {
    count(after(text, "RESPONSE: 2xx ")?.split_whitespace().next()?)
}

/// `loops: N; failed: M; time: T; …`: loops that failed on the way and by their status are one number.
fn loops(text: &str) -> Option<Counts> {
    let (requests, fail) = (count(keyed(text, "loops:")?)?, count(keyed(text, "failed:")?)?);
    let success = requests.checked_sub(fail)?;
    Some(Counts { connects: None, requests, success, fail, good: success, status_seen: true, busy: None })
}

fn loops_good(text: &str) -> Option<u64> {
    loops(text).map(|counts| counts.good)
}

fn loops_timing(text: &str) -> Option<Timing<'_>> {
    let shown = keyed(text, "time:")?;
    let printed = keyed(text, "rate:")?.trim_start_matches('{').split('}').next()?;
    Some(Timing {
        shown,
        duration: Shown::number(shown)?,
        printed: Shown::number(printed)?,
        of_good: true,
        mean_ms: None,
    })
}

/// `TIMING:  T seconds, N rps, K kbps, M ms avg req time`.
fn timing(text: &str) -> Option<Timing<'_>> {
    let mut parts = after(text, "TIMING:")?.split(", ");
    let shown = parts.next()?;
    let printed = parts.next()?.trim().strip_suffix("rps")?;
    Some(Timing {
        shown,
        duration: Shown::number(shown.trim().strip_suffix("seconds")?)?,
        printed: Shown::number(printed)?,
        of_good: false,
        mean_ms: mean_ms(text),
    })
}

/// The mean time, with or without a space before the unit.
fn mean_ms(text: &str) -> Option<f64> {
    let mean = text.split(", ").find_map(|part| part.trim().strip_suffix("avg req time"))?;
    number(mean.trim().strip_suffix("ms")?)
}

/// Body and headers.
fn bytes(text: &str) -> Option<u64> {
    let text = after(text, "TRAFFIC:")?;
    counted(text, " bytes")?.checked_add(counted(text, " overhead")?)
}

/// The connections asked for are not printed, but they are the mean time times the rate. Where the connections that had
/// a success are as many, as far as the digits tell, they are all.
fn fits(busy: u64, success: u64, timing: &Timing) -> bool {
    const HALF_STEP_MS: f64 = 0.05;
    let asked = |mean_ms: f64| mean_ms / 1e3 * success as f64 / timing.duration.value;
    let slack = 1.0 + timing.duration.uncertainty();
    timing.mean_ms.is_some_and(|mean_ms| {
        (asked(mean_ms - HALF_STEP_MS) / slack..=asked(mean_ms + HALF_STEP_MS) * slack).contains(&(busy as f64))
    })
}

impl Tls {
    fn take(&mut self, text: &str) {
        if self.cipher.is_none() {
            return;
        }
        if let Some(protocol) = after(text, "- Protocol:") {
            self.protocol = Some(protocol.replacen("TLS1", "TLSv1", 1));
        } else if let Some(certificate) = after(text, "- Certificate Info:") {
            self.key_type = certificate.split(", ").find_map(key_type);
        }
    }
}

/// `RSA key 2048 bits` as `rsa2048`.
fn key_type(text: &str) -> Option<String> {
    let (kind, size) = text.trim().strip_suffix(" bits")?.split_once(" key ")?;
    let kind = if kind.contains("ECDSA") { "ecdsa".to_owned() } else { kind.to_lowercase() };
    Some(format!("{kind}{}", count(size)?))
}

/// `All-time median (ms):    21.5`.
fn take_sorted(latency: &mut Latency, text: &str) {
    let Some((label, value)) = after(text, "All-time ").and_then(|rest| rest.split_once("(ms):")) else { return };
    match label.trim() {
        "average" => latency.mean = number(value),
        "median" => latency.p50 = number(value),
        "90th time" => latency.p90 = number(value),
        "99th time" => latency.p99 = number(value),
        _ => {}
    }
}

/// What is printed in place of an output when the arguments are wrong.
fn refused_starts(lines: &[(usize, &str)]) -> Vec<Found> {
    let mut found = Vec::new();
    let mut before = [""; 2];
    for &(line, text) in lines {
        let usage = text.starts_with("httpress <options> <url>") && !before.iter().any(|line| is_start_error(line));
        if usage || is_start_error(text) {
            let what = if usage { "the usage was printed" } else { log_message(text).unwrap_or(text).trim() };
            let refusal = Refusal { line, reason: format!("nothing was measured: {what}") };
            found.push(Found { line, tool: Tool::Httpress, output: Err(refusal) });
        }
        before = [before[1], text];
    }
    found
}

fn is_start_error(text: &str) -> bool {
    const ERRORS: &[&str] = &[
        "FATAL: wrong number of requests",
        "FATAL: wrong number of connections",
        "FATAL: wrong number of threads",
        "FATAL: can't parse url: ",
        "FATAL: can't do SSL",
        "invalid priority string: ",
        // So spelt.
        "unkown option: -",
        "missing url argument",
    ];
    starts_with_any(text, ERRORS) || is_unresolved(text)
}

fn is_unresolved(text: &str) -> bool {
    log_message(text).is_some_and(|message| message.starts_with("can't resolve host"))
}

fn starts_with_any(text: &str, starts: &[&str]) -> bool {
    starts.iter().any(|start| text.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::super::trial;
    use super::*;
    use proptest::prelude::*;

    const REPORT: &str = "\
750 requests launched
3000 requests launched
thread 1: 1487 connect, 1487 requests, 1487 success, 0 fail, 71376 bytes, 343497 overhead
thread 2: 1513 connect, 1513 requests, 1513 success, 0 fail, 72624 bytes, 349503 overhead

SSL INFO: ECDHE_RSA_AES_256_GCM_SHA384
- Protocol: TLS1.2
- Cipher: AES-256-GCM
- Certificate Info: subject `CN=localhost', RSA key 2048 bits, signed using RSA-SHA256

TOTALS:  3000 connect, 3000 requests, 3000 success, 0 fail, 20 (20) real concurrency
TRAFFIC: 48 avg bytes, 231 avg overhead, 144000 bytes, 693000 overhead
TIMING:  3.503 seconds, 856 rps, 233 kbps, 23.4 ms avg req time
";

    /// One line for each output: where, and what it says.
    fn summary(text: &str) -> Vec<String> {
        read(text).iter().map(line_of).collect()
    }

    fn line_of(found: &Found) -> String {
        match &found.output {
            Err(Refusal { line, reason }) => format!("{}: line {line}: {reason}", found.line),
            Ok(output) => {
                let Parameters { threads, connections, keep_alive, .. } = output.parameters;
                format!(
                    "{}: {:.3} rps {}/{} {} s t{} c{} k{} {}ms {} {:?}",
                    found.line,
                    output.rate.unwrap(),
                    output.good.unwrap(),
                    output.responses.unwrap(),
                    output.duration_s.unwrap(),
                    threads.map_or("-".to_owned(), |threads| threads.to_string()),
                    connections.map_or("-".to_owned(), |connections| connections.to_string()),
                    keep_alive.map_or('-', |keep| if keep { '1' } else { '0' }),
                    output.latency.mean.unwrap(),
                    output.key_type.as_deref().unwrap_or("-"),
                    output.remarks,
                )
            }
        }
    }

    fn refusal(text: &str) -> String {
        trial::only(read(text)).unwrap_err()
    }

    fn output(text: &str) -> Output {
        trial::only(read(text)).unwrap()
    }

    #[test]
    fn a_report_is_read() {
        let output = output(REPORT);
        assert_eq!(output.rate, Some(3000.0 / 3.503));
        assert_eq!((output.rate_printed, output.duration_s), (Some(856.0), Some(3.503)));
        assert_eq!((output.responses, output.good, output.connects), (Some(3000), Some(3000), Some(3000)));
        assert_eq!((output.parameters.connections, output.parameters.threads), (Some(20), Some(2)));
        assert_eq!((output.parameters.requests, output.parameters.keep_alive), (Some(3000), Some(false)));
        assert_eq!(output.bytes, Some(837_000));
        assert_eq!(output.latency.mean, Some(23.4));
        assert_eq!(output.protocol.as_deref(), Some("TLSv1.2"));
        assert_eq!(output.cipher.as_deref(), Some("ECDHE_RSA_AES_256_GCM_SHA384"));
        assert_eq!(output.key_type.as_deref(), Some("rsa2048"));
        assert_eq!(output.errors, Errors { other: Some(0), ..Errors::default() });
        assert_eq!(output.remarks, [Remark::StatusUnseen]);
    }

    #[test]
    fn a_whole_number_is_taken_where_the_duration_is_coarser() {
        let text = REPORT.replace("3.503 seconds, 856 rps", "0.003 seconds, 901234 rps").replace("23.4 ms", "0.0 ms");
        let output = output(&text);
        assert_eq!(output.rate, Some(901_234.0));
        assert_eq!(output.remarks, [Remark::StatusUnseen, Remark::Rounded]);
    }

    #[test]
    fn kept_connections_are_seen() {
        let output = output(&REPORT.replace("TOTALS:  3000 connect", "TOTALS:  20 connect"));
        assert_eq!(output.parameters.keep_alive, Some(true));
        assert_eq!(output.remarks, [Remark::StatusUnseen, Remark::LongConnections]);
    }

    #[test]
    fn connections_are_absent_where_some_had_no_success() {
        let output = output(&REPORT.replace("20 (20) real", "15 (15) real"));
        assert_eq!(output.parameters.connections, None);
    }

    #[test]
    fn failures_have_the_kinds_of_the_log() {
        let log = "2026-11-30 22:39:14 [7:0x7fa5]: gnutls handshake error [-12] A TLS alert. conn=0x7fa5\n\
                   2026-11-30 22:39:14 [7:0x7fa5]: headers [0] conn_read() returned -1 error: 11 x\n";
        let report = REPORT.replace("3000 success, 0 fail", "2990 success, 10 fail").replace("856 rps", "853 rps");
        let errors = output(&format!("{log}{report}")).errors;
        assert_eq!((errors.tls, errors.read, errors.connect, errors.other), (Some(1), Some(1), Some(0), Some(8)));
        assert_eq!(output(&report).errors.other, Some(10));
        assert_eq!(read(&format!("{report}{log}")).len(), 1);
    }

    #[test]
    fn no_space_before_the_unit() {
        assert_eq!(output(&REPORT.replace("23.4 ms", "23.4ms")).latency.mean, Some(23.4));
    }

    #[test]
    fn fractional_rates_are_taken() {
        let text = REPORT.replace("856 rps, 233 kbps", "856.41 rps");
        assert_eq!((output(&text).rate, output(&text).remarks), (Some(856.41), vec![Remark::StatusUnseen]));
    }

    #[test]
    fn a_fork_counts_statuses() {
        let response = REPORT.replace("TRAFFIC", "RESPONSE: 2xx 1500 (50.0%), non-2xx 1500 (50.0%)\nTRAFFIC");
        let output_of_response = output(&response);
        assert_eq!((output_of_response.good, output_of_response.errors.status), (Some(1500), Some(1500)));
        assert_eq!(output_of_response.rate, Some(1500.0 / 3.503));
        assert_eq!(output_of_response.remarks, [Remark::CountsBad]);
        let loops = format!("{response}loops: 3000; failed: 1500; time: 3.503; rate: {{ 428.204 }} req/sec;\n");
        assert_eq!((output(&loops).rate, output(&loops).remarks), (Some(428.204), vec![]));
        let timed =
            loops.replace("time: 3.503; rate: { 428.204 }", "time: 3.5; percentile(95%): 30.1 ms; rate: { 428.2 }");
        assert_eq!((output(&timed).rate, output(&timed).duration_s), (Some(428.2), Some(3.503)));
    }

    #[test]
    fn a_fork_prints_loops_alone() {
        let text = "loops: 8564; failed: 4; time: 10.0; percentile(95%): 31.2 ms; rate: { 856.0 } req/sec;\n";
        let output = output(text);
        assert_eq!((output.rate, output.good, output.duration_s), (Some(856.0), Some(8560), Some(10.0)));
        assert_eq!(output.remarks, []);
        assert_eq!(refusal(&text.replace("failed: 4", "failed: 8564")), "all 8564 requests failed");
        let between = format!("total-{}", text.replace("; failed", "; total-failed"));
        assert_eq!(read(&between), []);
    }

    #[test]
    fn a_fork_sorts_all_times() {
        let text = format!(
            "{REPORT} total transfers = 3000\nAll-time average (ms):   23.100000\n\
                            All-time median (ms):    21.500000\nAll-time 99th time (ms): 60.000000\n"
        );
        let latency = output(&text).latency;
        assert_eq!((latency.mean, latency.p50, latency.p99), (Some(23.1), Some(21.5), Some(60.0)));
    }

    #[test]
    fn runs_in_a_row_are_each_its_own() {
        let quiet: String = REPORT.lines().skip(10).map(|line| format!("{line}\n")).collect();
        let text = format!("{REPORT}{REPORT}{quiet}{quiet}750 requests launched\n^C\n{REPORT}");
        let lines: Vec<_> = read(&text).iter().map(|found| (found.line, found.output.is_ok())).collect();
        assert_eq!(lines, [(1, true), (14, true), (27, true), (30, true), (33, false), (35, true)]);
    }

    #[test]
    fn runs_at_the_same_time_are_told_apart() {
        let quiet: String = REPORT.lines().skip(10).map(|line| format!("{line}\n")).collect();
        let progress: String = REPORT.lines().take(2).map(|line| format!("{line}\n{line}\n")).collect();
        assert_eq!(summary(&format!("{progress}{quiet}{quiet}")).len(), 2);
        assert!(read(&format!("{progress}{quiet}{quiet}")).iter().all(|found| found.output.is_ok()));
        let mingled: String = quiet.lines().map(|line| format!("{line}\n{line}\n")).collect();
        assert!(read(&mingled).iter().all(|found| found.output.is_err()));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let failed = REPORT.replace("3000 success, 0 fail", "0 success, 3000 fail").replace("856 rps", "0 rps");
        assert_eq!(refusal(&failed), "all 3000 requests failed");
        let log = "2026-11-30 22:39:14 [7:0x7fa5]: conn_write() returned -1: 111 Connection refused\n";
        assert_eq!(
            refusal(&format!("{log}{failed}")),
            "all 3000 requests failed: conn_write() returned -1: 111 Connection refused"
        );
        let timing = |text: &str| refusal(&REPORT.replace("3.503 seconds, 856 rps", text));
        assert_eq!(timing("0.000 seconds, 856 rps"), "3000 requests in 0.000 seconds");
        assert_eq!(timing("-3.503 seconds, 856 rps"), "3000 requests in -3.503 seconds");
        assert!(timing("9999999.000 seconds, 856 rps").ends_with("longer than any test"));
        assert_eq!(timing("3.503 seconds, 2 rps"), "2 requests per second are not 3000 requests in 3.503 seconds");
        assert!(timing("3.503 seconds, nan rps").ends_with("cannot be read"));
        let totals = |text: &str| refusal(&REPORT.replace("3000 success, 0 fail", text));
        assert!(totals("3001 success, 0 fail").ends_with("cannot be read"));
        assert!(totals("18446744073709551615 success, 1 fail").ends_with("cannot be read"));
        assert_eq!(
            refusal(&REPORT.replace("TRAFFIC", "RESPONSE: 2xx 0 (0.0%), non-2xx 3000 (100.0%)\nTRAFFIC")),
            "all 3000 responses have a failing status"
        );
        assert_eq!(
            refusal(&REPORT.replace("TRAFFIC", "RESPONSE: 2xx 3001 (100.0%), non-2xx 0 (0.0%)\nTRAFFIC")),
            "3001 good responses of 3000"
        );
        let none = REPORT.replace("3000 requests, 3000 success, 0 fail", "0 requests, 0 success, 0 fail");
        assert_eq!(refusal(&none), "0 requests in 3.503 seconds");
    }

    #[test]
    fn a_cut_off_report_is_refused() {
        let upto = |lines: usize| REPORT.lines().take(lines).collect::<Vec<_>>().join("\n");
        for lines in 1..=10 {
            assert_eq!(refusal(&upto(lines)), "the output ends before the totals");
        }
        for lines in 11..=12 {
            assert_eq!(refusal(&upto(lines)), "the output ends before the rate");
        }
    }

    #[test]
    fn a_refused_start_says_why() {
        assert_eq!(refusal("httpress <options> <url>\n  -n num\n"), "nothing was measured: the usage was printed");
        assert_eq!(
            refusal("unkown option: -X\n\nhttpress <options> <url>\n"),
            "nothing was measured: unkown option: -X"
        );
        let unresolved = "2026-11-30 22:39:25 [7:0x7fa5]: can't resolve host no-such-host.invalid\n";
        assert_eq!(read(&format!("{unresolved}{REPORT}")).len(), 2);
        assert_eq!(read("FATAL:  password authentication failed for user \"root\"\n"), []);
    }

    #[test]
    fn the_version_is_of_the_outputs_behind_it() {
        let text = format!("version:    1.1\nbuild-date: Nov 30 2026 22:36:03\n\n{REPORT}");
        assert_eq!(output(&text).version.as_deref(), Some("1.1"));
    }
    /// What stands in each sample, by eye: all of it, or the beginning of a reason.
    const SAMPLES: &[(&str, &[&str])] = &[
        ("bad_args_conns_gt_requests.stderr.txt", &["1: line 1: nothing was measured: FATAL: wrong number of conn"]),
        ("bad_args_threads_gt_conns.stderr.txt", &["1: line 1: nothing was measured: FATAL: wrong number of thr"]),
        ("bad_host.stderr.txt", &["1: line 1: nothing was measured: can't resolve host no-such-host.invalid"]),
        ("bad_priority.stderr.txt", &["1: line 1: nothing was measured: invalid priority string: NOT-A-PRIORITY"]),
        ("bad_url.stderr.txt", &["1: line 1: nothing was measured: FATAL: can't parse url: ftp://127.0.0.1/"]),
        ("cipher_dhe_rsa.stderr.txt", &["1: line 1: the output ends before the totals: gnutls handshake error [-12]"]),
        ("cipher_dhe_rsa.txt", &["1: line 8: all 300 requests failed"]),
        ("conn_refused_plain.stderr.txt", &["1: line 1: the output ends before the totals: conn_write() returned"]),
        ("conn_refused_plain.txt", &["1: line 4: all 20 requests failed"]),
        ("conn_refused_tls.stderr.txt", &["1: line 1: the output ends before the totals: gnutls handshake"]),
        ("conn_refused_tls.txt", &["1: line 4: all 20 requests failed"]),
        ("ecdsa.txt", &["1: 1099.000 rps 1000/1000 0.909 s t2 c10 k0 9.1ms ecdsa256 [StatusUnseen, Rounded]"]),
        ("empty_body.txt", &["1: 730.994 rps 1000/1000 1.368 s t2 c10 k0 13.7ms rsa2048 [StatusUnseen]"]),
        ("help.txt", &["1: line 1: nothing was measured: the usage was printed"]),
        (
            "keepalive_server_closes10.txt",
            &["1: 5434.000 rps 5000/5000 0.92 s t2 c20 k1 3.7ms rsa2048 [StatusUnseen, Rounded, LongConnections]"],
        ),
        (
            "keepalive_tls12.txt",
            &["1: 33214.000 rps 19998/19998 0.602 s t2 c20 k1 0.6ms rsa2048 [StatusUnseen, Rounded, LongConnections]"],
        ),
        ("made_up_fork_fractional.txt", &["1: 730.990 rps 1000/1000 1.368 s t- c10 k0 13.7ms - [StatusUnseen]"]),
        ("made_up_fork_loops.txt", &["3: 147.581 rps 299/399 2.026 s t- c- k0 100.5ms - []"]),
        ("made_up_fork_table.txt", &["12: 856.000 rps 8560/8560 10 s t- c- k- 2.3ms - []"]),
        ("made_up_old_without_space.txt", &["1: 730.994 rps 1000/1000 1.368 s t- c10 k0 13.7ms - [StatusUnseen]"]),
        (
            "made_up_two_runs_one_killed.txt",
            &[
                "2: line 2: the output ends before the totals",
                "6: 856.123 rps 2999/2999 3.503 s t2 c20 k0 23.4ms - [StatusUnseen]",
            ],
        ),
        ("missing_url.stderr.txt", &["1: line 1: nothing was measured: missing url argument"]),
        ("missing_url.txt", &["1: line 1: nothing was measured: the usage was printed"]),
        ("not_tls_port.stderr.txt", &["1: line 1: the output ends before the totals: gnutls handshake error [-15]"]),
        ("not_tls_port.txt", &["1: line 4: all 20 requests failed"]),
        ("partial_failures.stderr.txt", &["1: line 1: the output ends before the totals: headers [0] conn_read()"]),
        ("partial_failures.txt", &["1: 486.544 rps 1591/1591 3.27 s t2 c20 k0 41.1ms rsa2048 [StatusUnseen]"]),
        (
            "plain_http.txt",
            &["1: 71117.000 rps 20000/20000 0.281 s t2 c20 k1 0.3ms - [StatusUnseen, Rounded, LongConnections]"],
        ),
        ("quiet_short.txt", &["1: 725.000 rps 500/500 0.689 s t- c10 k0 13.8ms - [StatusUnseen, Rounded]"]),
        ("short_single_thread.txt", &["1: 832.000 rps 500/500 0.6 s t- c10 k0 12ms rsa2048 [StatusUnseen, Rounded]"]),
        ("short_tls12_cache.txt", &["1: 886.525 rps 2000/2000 2.256 s t2 c20 k0 22.6ms rsa2048 [StatusUnseen]"]),
        ("short_tls12_nocache.txt", &["1: 856.409 rps 3000/3000 3.503 s t2 c20 k0 23.4ms rsa2048 [StatusUnseen]"]),
        ("short_tls13.txt", &["1: 739.645 rps 1000/1000 1.352 s t2 c20 k0 27ms rsa2048 [StatusUnseen]"]),
        ("status_404.txt", &["1: 658.762 rps 1000/1000 1.518 s t2 c10 k0 15.2ms rsa2048 [StatusUnseen]"]),
        ("tiny_n1.txt", &["2: 98.000 rps 1/1 0.01 s t- c1 k- 10.2ms rsa2048 [StatusUnseen, Rounded]"]),
        ("tls_version_mismatch.stderr.txt", &["1: line 1: the output ends before the totals: gnutls handshake"]),
        ("tls_version_mismatch.txt", &["1: line 4: all 20 requests failed"]),
        ("unknown_option.stderr.txt", &["1: line 1: nothing was measured: unkown option: -X"]),
        ("unknown_option.txt", &["1: line 1: nothing was measured: the usage was printed"]),
        ("url_no_path.txt", &["2: 664.000 rps 10/10 0.015 s t- c2 k0 3ms rsa2048 [StatusUnseen, Rounded]"]),
        ("version.txt", &[]),
    ];

    #[test]
    fn samples_say_what_they_say() {
        trial::say(&trial::samples("httpress"), summary, SAMPLES);
    }

    #[test]
    fn text_around_changes_nothing() {
        trial::unmoved_by_noise(&trial::samples("httpress"), read);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC*", line in 0_usize..13) {
            let lines: Vec<&str> = REPORT.lines().collect();
            let _ = read(&text);
            let _ = read(&REPORT.replace(lines[line], &text));
        }

        #[test]
        fn no_damage_makes_it_panic(text in trial::damaged(trial::texts("httpress"))) {
            let _ = read(&text);
        }

        #[test]
        fn numbers_of_any_size_are_not_believed(number in "-?[0-9]{0,25}(\\.[0-9]{0,3})?", at in 0_usize..200) {
            let mut words: Vec<&str> = REPORT.split(' ').collect();
            let at = at % words.len();
            words[at] = &number;
            for found in read(&words.join(" ")) {
                if let Ok(output) = found.output {
                    prop_assert!(output.rate.is_some_and(|rate| rate > 0.0 && rate <= 1e9));
                    prop_assert!(output.good <= output.responses);
                }
            }
        }
    }
}

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

impl<'a> Line<'a> {
    /// What a reader makes of it, which must be something.
    fn read<T>(self, reader: impl Fn(&'a str) -> Option<T>) -> Result<T, Refusal> {
        let refusal = || Refusal { line: self.number, reason: format!("{:?} cannot be read", self.text.trim()) };
        reader(self.text).ok_or_else(refusal)
    }
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
        let loops = self.loops.map(|line| line.read(loops)).transpose()?;
        let good_of_loops = loops.as_ref().map(|loops| loops.good);
        let totals = self.totals.map(|line| line.read(totals)).transpose()?;
        let Some(mut counts) = totals.or(loops) else { return Ok(None) };
        let response = self.response.map(|line| line.read(response)).transpose()?;
        if let Some(good) = response.or(good_of_loops) {
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
        let mut read = line.read(if self.loops.is_some() { loops_timing } else { timing })?;
        // A fork prints both, and the duration with fewer digits behind `loops:`.
        if let Some(other) = self.timing.and_then(|line| timing(line.text)) {
            read.mean_ms = other.mean_ms;
            if other.duration.step < read.duration.step {
                (read.shown, read.duration) = (other.shown, other.duration);
            }
        }
        Ok(Some(read))
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
mod tests;

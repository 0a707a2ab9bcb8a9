//! ApacheBench. The rate counts every completed request, also one with a failing status or of another length than the
//! first response. It speaks HTTP/1.0, closes connections unless told otherwise, and resumes no TLS sessions.
//!
//! A request can fail in several ways at once: what broke off also has another length, and so has an error page. So the
//! bad ones are taken to be as many as the most frequent of these, and not their sum.

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

/// What belongs to one output, and whatever stands behind it: the labels of the tool tell them apart.
struct Report {
    lines: Vec<(usize, String)>,
}

/// Requests by what became of them.
struct Counts {
    line: usize,
    complete: u64,
    good: u64,
    errors: Errors,
}

fn reports(lines: &[(usize, &str)]) -> Vec<Report> {
    let mut reports: Vec<Report> = Vec::new();
    for &(line, text) in lines {
        let text = without_tags(text);
        let begins = reports.last().map_or_else(|| stage(&text).is_some(), |report| report.ends_before(&text));
        if begins {
            reports.push(Report { lines: Vec::new() });
        }
        if let Some(report) = reports.last_mut() {
            report.lines.push((line, text));
        }
    }
    reports
}

/// Labels in the order in which an output prints them, as far as no other tool does.
const STAGES: &[&str] = &[
    "This is ApacheBench",
    "Benchmarking ",
    "Server Software:",
    "Server Hostname:",
    "Document Path:",
    "Concurrency Level:",
    "Time taken for tests:",
];

/// How far an output is when it prints a line. Any of these could be the first that was kept.
fn stage(text: &str) -> Option<usize> {
    let stage = STAGES.iter().position(|stage| after(text, stage).is_some())?;
    (stage != 1 || text.contains("(be patient)")).then_some(stage)
}

/// With `-w` the output is a table in HTML.
fn without_tags(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once('<') {
        let Some((_, behind)) = tag.split_once('>') else { break };
        plain.push_str(before);
        plain.push(' ');
        rest = behind;
    }
    plain + rest
}

impl Report {
    /// Whether a line begins another output: this one has come as far, or further.
    fn ends_before(&self, text: &str) -> bool {
        stage(text).is_some_and(|begun| self.lines.iter().any(|(_, text)| stage(text) >= Some(begun)))
    }

    /// The first line with a label, and what stands behind it.
    fn field(&self, label: &str) -> Option<(usize, &str)> {
        self.lines.iter().find_map(|(line, text)| Some((*line, after(text, label)?)))
    }

    fn count(&self, label: &str) -> Option<u64> {
        count(self.field(label)?.1.split_whitespace().next()?)
    }

    fn text(&self, label: &str) -> Option<&str> {
        self.field(label).map(|(_, text)| text).filter(|text| !text.is_empty())
    }

    fn line(&self) -> usize {
        self.lines.first().map_or(0, |(line, _)| *line)
    }

    fn found(&self) -> Found {
        Found { line: self.line(), tool: Tool::Ab, output: self.read() }
    }

    fn read(&self) -> Result<Output, Refusal> {
        let refuse = |line, reason| Err(Refusal { line, reason });
        let (Some(counts), Some((line, shown))) = (self.counts()?, self.field("Time taken for tests:")) else {
            return Err(self.cut_off());
        };
        let duration = shown.strip_suffix("seconds").and_then(Shown::number);
        let Some(duration) = duration else { return refuse(line, format!("{shown:?} is not a duration")) };
        if let Some(reason) = implausible(counts.complete, shown, duration) {
            return refuse(counts.line, reason);
        }
        let Some((line, printed)) = self.field("Requests per second:") else { return Err(self.cut_off()) };
        let printed = printed.split('[').next().unwrap_or_default();
        let Some(printed) = Shown::number(printed) else { return refuse(line, format!("{printed:?} is not a rate")) };
        if let Some(reason) = contradiction(counts.complete, shown, duration, printed) {
            return refuse(line, reason);
        }
        if let Some(reason) = self.nothing_good(&counts) {
            return refuse(counts.line, reason);
        }
        Ok(self.output(counts, duration, printed))
    }

    fn nothing_good(&self, counts: &Counts) -> Option<String> {
        let Counts { complete, good, errors, .. } = counts;
        if self.count("Total transferred:") == Some(0) {
            Some(format!("all {complete} requests failed: 0 bytes were transferred"))
        } else if *good > 0 {
            None
        } else if errors.status == Some(*complete) {
            Some(format!("all {complete} responses have a failing status, not 2xx"))
        } else {
            Some(format!("all {complete} requests failed"))
        }
    }

    fn output(&self, counts: Counts, duration: Shown, printed: Shown) -> Output {
        let Counts { complete, good, errors, .. } = counts;
        let kept = self.count("Keep-Alive requests:");
        let tls: Vec<&str> = self.text("SSL/TLS Protocol:").map(|text| text.split(',').collect()).unwrap_or_default();
        let part = |index: usize| tls.get(index).copied();
        let remarks = [
            (good < complete).then_some(Remark::CountsBad),
            kept.is_some_and(|kept| kept > complete / 2).then_some(Remark::LongConnections),
            self.interrupted().then_some(Remark::Interrupted),
        ];
        Output {
            version: self.version(),
            parameters: Parameters {
                url: self.url(!tls.is_empty()),
                connections: self.count("Concurrency Level:"),
                threads: self.count("Number of workers:"),
                requests: self.text("Number of requests:").and_then(count),
                // The line is printed for `-k` alone.
                keep_alive: Some(kept.is_some()),
                ..Parameters::default()
            },
            responses: Some(complete),
            good: Some(good),
            duration_s: Some(duration.value),
            rate: Some(rate(good, complete, printed, duration)),
            rate_printed: Some(printed.value),
            errors,
            latency: self.latency(),
            bytes: self.count("Total transferred:"),
            protocol: part(0).map(str::to_owned),
            cipher: part(1).map(str::to_owned),
            key_type: part(1).zip(part(2)).and_then(|(cipher, bits)| key_type(cipher, count(bits)?)),
            remarks: remarks.into_iter().flatten().collect(),
            ..Output::default()
        }
    }

    /// Nothing if the output ends before.
    fn counts(&self) -> Result<Option<Counts>, Refusal> {
        let mut completes = self.lines.iter().filter(|(_, text)| after(text, "Complete requests:").is_some());
        if let (Some(_), Some((line, _))) = (completes.next(), completes.next()) {
            let reason = "the lines of several outputs stand among each other".to_owned();
            return Err(Refusal { line: *line, reason });
        }
        let Some((line, complete)) = self.field("Complete requests:") else { return Ok(None) };
        let refuse = |label: &str| Refusal {
            line,
            reason: format!("{:?} is not a number of requests", self.text(label).unwrap_or_default()),
        };
        let complete = count(complete).ok_or_else(|| refuse("Complete requests:"))?;
        let Some((_, failed)) = self.field("Failed requests:") else { return Ok(None) };
        let failed = count(failed).ok_or_else(|| refuse("Failed requests:"))?;
        let status = match self.field("Non-2xx responses:") {
            Some((_, status)) => count(status).ok_or_else(|| refuse("Non-2xx responses:"))?,
            None => 0,
        };
        let [connect, read, length, exceptions] =
            ["Connect:", "Receive:", "Length:", "Exceptions:"].map(|name| self.failed(name));
        let kinds_known = failed == 0 || self.field("(Connect:").is_some();
        // Connections that failed are not among the completed requests.
        let broken = if kinds_known { length.max(read.saturating_add(exceptions)) } else { failed };
        let bad = broken.max(status).min(complete);
        let errors = Errors {
            connect: kinds_known.then_some(connect),
            read: kinds_known.then_some(read),
            write: Some(self.count("Write errors:").unwrap_or(0)),
            status: Some(status),
            other: Some(if kinds_known { length.max(exceptions) } else { failed }),
            ..Errors::default()
        };
        Ok(Some(Counts { line, complete, good: complete - bad, errors }))
    }

    /// A number in the line `(Connect: 0, Receive: 0, Length: 0, Exceptions: 0)`.
    fn failed(&self, name: &str) -> u64 {
        let kinds = self.lines.iter().map(|(_, text)| text.trim()).find(|text| text.starts_with("(Connect:"));
        let mut kinds = kinds.unwrap_or_default().trim_matches(['(', ')']).split(',');
        kinds.find_map(|kind| count(after(kind, name)?)).unwrap_or(0)
    }

    fn cut_off(&self) -> Refusal {
        let last = self.lines.iter().rev().find(|(_, text)| stage(text).is_some());
        let line = last.map_or(self.line(), |(line, _)| *line);
        let error = self.lines.iter().find_map(|(line, text)| Some((*line, error_in(text)?)));
        let (line, error) = error.map_or((line, String::new()), |(line, error)| (line, format!(": {error}")));
        Refusal { line, reason: format!("the output ends before the rate{error}") }
    }

    fn version(&self) -> Option<String> {
        let version = self.text("This is ApacheBench, Version ")?.split_whitespace().next()?;
        Some(version.to_owned())
    }

    fn url(&self, tls: bool) -> Option<String> {
        let (host, path) = (self.text("Server Hostname:")?, self.text("Document Path:")?);
        let port = self.text("Server Port:").map(|port| format!(":{port}")).unwrap_or_default();
        Some(format!("{}://{host}{port}{path}", if tls { "https" } else { "http" }))
    }

    /// The mean is the one of the total time on each connection; the rest is rounded to whole milliseconds.
    fn latency(&self) -> Latency {
        let mean = self.text("Time per request:").and_then(|text| number(text.split('[').next()?));
        let table = self.lines.iter().skip_while(|(_, text)| after(text, "Connection Times (ms)").is_none());
        let total = table.take(8).find_map(|(_, text)| after(text, "Total:"));
        let percentiles = self.percentiles();
        let percentile = |wanted: u64| percentiles.iter().find(|(at, _)| *at == wanted).map(|(_, value)| *value);
        Latency {
            mean,
            p50: percentile(50),
            p90: percentile(90),
            p99: percentile(99),
            max: total.and_then(|total| number(total.split_whitespace().last()?)),
        }
    }

    fn percentiles(&self) -> Vec<(u64, f64)> {
        let table =
            self.lines.iter().skip_while(|(_, text)| after(text, "Percentage of the requests served").is_none());
        let row = |(_, text): &(usize, String)| {
            let (at, value) = text.split_once('%')?;
            Some((count(at)?, number(value.split_whitespace().next()?)?))
        };
        table.skip(1).map_while(row).collect()
    }

    /// That it was interrupted is not said, but the end of the progress is missing: `..done` where it is quiet, and
    /// otherwise a line on standard error.
    fn interrupted(&self) -> bool {
        let says =
            |start: &str| self.lines.iter().any(|(_, text)| text.starts_with(start) && text.ends_with(" requests"));
        let quiet = self.text("Benchmarking ").is_some_and(|text| text.ends_with("(be patient)..."));
        quiet || (says("Completed ") && !says("Finished "))
    }
}

/// The kind of a key is only told by a cipher suite that names it, which those of TLS 1.3 do not.
fn key_type(cipher: &str, bits: u64) -> Option<String> {
    let kind = if cipher.contains("ECDSA") {
        "ecdsa"
    } else if cipher.starts_with("TLS_") {
        // No elliptic curve has as many bits, and RSA has no fewer.
        if bits >= 1024 { "rsa" } else { return None }
    } else if cipher.contains("DSS") {
        "dsa"
    } else {
        "rsa"
    };
    Some(format!("{kind}{bits}"))
}

/// What went wrong, anywhere in a line: it may stand behind `(be patient)...`.
fn error_in(text: &str) -> Option<&str> {
    const STARTS: &[&str] =
        &["apr_", "Test aborted after ", "SSL handshake failed", "SSL read failed", "Send request "];
    let at = STARTS.iter().filter_map(|start| text.find(start)).min()?;
    text.get(at..).map(str::trim_end)
}

/// What is printed in place of an output when the arguments are wrong.
fn refused_starts(lines: &[(usize, &str)]) -> Vec<Found> {
    let mut found = Vec::new();
    let mut before = "";
    for &(line, text) in lines {
        let reason = if is_start_error(text) {
            Some(text.trim())
        } else {
            (text.starts_with("Usage: ab [options]") && !is_start_error(before)).then_some("the usage was printed")
        };
        if let Some(reason) = reason {
            let refusal = Refusal { line, reason: format!("nothing was measured: {reason}") };
            found.push(Found { line, tool: Tool::Ab, output: Err(refusal) });
        }
        before = text;
    }
    found
}

fn is_start_error(text: &str) -> bool {
    const ERRORS: &[&str] = &[
        "Cannot use concurrency level",
        "Invalid number of requests",
        "Invalid Concurrency",
        "invalid URL",
        "wrong number of arguments",
        "invalid option",
        "option requires an argument",
        "Could not ",
        "Cannot mix",
    ];
    // Also with the path of the program.
    let message = text.strip_prefix("ab: ").or_else(|| text.split_once("/ab: ").map(|(_, message)| message));
    message.is_some_and(|message| ERRORS.iter().any(|error| message.starts_with(error)))
}

#[cfg(test)]
mod tests {
    use super::super::trial;
    use super::*;
    use proptest::prelude::*;

    const REPORT: &str = "\
This is ApacheBench, Version 2.3 <$Revision: 1903618 $>
Copyright 1996 Adam Twiss, Zeus Technology Ltd, http://www.zeustech.net/

Benchmarking h (be patient)

Server Software:        nginx/1.22.1
Server Hostname:        h
Server Port:            444
SSL/TLS Protocol:       TLSv1.2,ECDHE-RSA-AES256-GCM-SHA384,2048,256

Document Path:          /i
Document Length:        48 bytes

Concurrency Level:      20
Time taken for tests:   1.574 seconds
Complete requests:      1500
Failed requests:        0
Total transferred:      418500 bytes
HTML transferred:       72000 bytes
Requests per second:    953.10 [#/sec] (mean)
Time per request:       20.984 [ms] (mean)
Time per request:       1.049 [ms] (mean, across all concurrent requests)
Transfer rate:          259.68 [Kbytes/sec] received

Connection Times (ms)
              min  mean[+/-sd] median   max
Connect:        2   15   6.2     15      40
Total:          3   21   8.0     20      53

Percentage of the requests served within a certain time (ms)
  50%     20
  90%     31
  99%     44
 100%     53 (longest request)
";

    fn summary(text: &str) -> Vec<String> {
        read(text).iter().map(line_of).collect()
    }

    fn line_of(found: &Found) -> String {
        match &found.output {
            Err(Refusal { line, reason }) => format!("{}: line {line}: {reason}", found.line),
            Ok(output) => {
                let show = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value}"));
                format!(
                    "{}: {} rps {}/{} {} s c{} k{} {}/{}/{}/{} {} {:?}",
                    found.line,
                    show(output.rate),
                    output.good.unwrap(),
                    output.responses.unwrap(),
                    show(output.duration_s),
                    output.parameters.connections.unwrap(),
                    u8::from(output.parameters.keep_alive.unwrap()),
                    show(output.latency.mean),
                    show(output.latency.p50),
                    show(output.latency.p99),
                    show(output.latency.max),
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
        assert_eq!(output.version.as_deref(), Some("2.3"));
        assert_eq!(output.parameters.url.as_deref(), Some("https://h:444/i"));
        assert_eq!((output.parameters.connections, output.parameters.keep_alive), (Some(20), Some(false)));
        assert_eq!((output.rate, output.rate_printed, output.duration_s), (Some(953.1), Some(953.1), Some(1.574)));
        assert_eq!((output.responses, output.good, output.bytes), (Some(1500), Some(1500), Some(418_500)));
        assert_eq!(
            (output.latency.mean, output.latency.p90, output.latency.max),
            (Some(20.984), Some(31.0), Some(53.0))
        );
        assert_eq!(output.protocol.as_deref(), Some("TLSv1.2"));
        assert_eq!(output.cipher.as_deref(), Some("ECDHE-RSA-AES256-GCM-SHA384"));
        assert_eq!(output.key_type.as_deref(), Some("rsa2048"));
        assert_eq!(output.remarks, []);
    }

    #[test]
    fn keys_are_known_by_their_cipher() {
        let key = |tls: &str| output(&REPORT.replace("TLSv1.2,ECDHE-RSA-AES256-GCM-SHA384,2048", tls)).key_type;
        assert_eq!(key("TLSv1.2,AES256-GCM-SHA384,4096").as_deref(), Some("rsa4096"));
        assert_eq!(key("TLSv1.2,ECDHE-ECDSA-AES256-GCM-SHA384,256").as_deref(), Some("ecdsa256"));
        assert_eq!(key("TLSv1.3,TLS_AES_256_GCM_SHA384,2048").as_deref(), Some("rsa2048"));
        assert_eq!(key("TLSv1.3,TLS_AES_256_GCM_SHA384,256"), None);
    }

    #[test]
    fn a_failure_of_two_kinds_is_one() {
        let failed = |failed: &str, more: &str| {
            let line = format!("Failed requests:        {failed}\n   ({more})\nTotal");
            output(&REPORT.replace("Failed requests:        0\nTotal", &line))
        };
        let broken = failed("200", "Connect: 0, Receive: 0, Length: 100, Exceptions: 100)");
        assert_eq!((broken.good, broken.rate), (Some(1400), Some(953.1 * 1400.0 / 1500.0)));
        assert_eq!(broken.remarks, [Remark::CountsBad]);
        let unconnected = failed("7", "Connect: 7, Receive: 0, Length: 0, Exceptions: 0");
        assert_eq!((unconnected.good, unconnected.errors.connect), (Some(1500), Some(7)));
        let statuses =
            failed("30", "Connect: 0, Receive: 0, Length: 30, Exceptions: 0)\nNon-2xx responses:      50\n(");
        assert_eq!((statuses.good, statuses.errors.status), (Some(1450), Some(50)));
        let old = output(&REPORT.replace("Failed requests:        0", "Failed requests:        5"));
        assert_eq!((old.good, old.errors.other), (Some(1495), Some(5)));
    }

    #[test]
    fn kept_connections_are_seen() {
        let kept = |kept: &str| {
            output(&REPORT.replace("Total transferred", &format!("Keep-Alive requests:    {kept}\nTotal transferred")))
        };
        assert_eq!(
            (kept("1500").parameters.keep_alive, kept("1500").remarks),
            (Some(true), vec![Remark::LongConnections])
        );
        // The server closes each.
        assert_eq!((kept("0").parameters.keep_alive, kept("0").remarks), (Some(true), vec![]));
    }

    #[test]
    fn an_interrupted_run_is_marked() {
        let quiet = REPORT.replace("(be patient)", "(be patient)...");
        assert_eq!(output(&quiet).remarks, [Remark::Interrupted]);
        assert_eq!(output(&REPORT.replace("(be patient)", "(be patient).....done")).remarks, []);
        let progress = REPORT.replace("(be patient)", "(be patient)\nCompleted 150 requests\nCompleted 300 requests");
        assert_eq!(output(&progress).remarks, [Remark::Interrupted]);
        assert_eq!(output(&progress.replace("300 requests", "1500 requests\nFinished 1500 requests")).remarks, []);
    }

    #[test]
    fn what_was_kept_of_a_report_is_read() {
        for lines in [2, 4, 6, 13] {
            let part: String = REPORT.lines().skip(lines).map(|line| format!("{line}\n")).collect();
            assert_eq!(output(&part).rate, Some(953.1), "{lines}");
        }
    }

    #[test]
    fn reports_in_a_row_are_each_its_own() {
        let cut: String = REPORT.lines().take(14).map(|line| format!("{line}\n")).collect();
        let text = format!("{REPORT}{cut}{REPORT}");
        let found: Vec<_> = read(&text).iter().map(|found| (found.line, found.output.is_ok())).collect();
        assert_eq!(found, [(1, true), (35, false), (49, true)]);
    }

    #[test]
    fn labels_of_other_tools_begin_nothing() {
        assert_eq!(read("Benchmarking nginx\nFailed requests:        0\nRequests per second: 5\n"), []);
        let text = format!("{REPORT}Failed requests:    7\nTotal:   9\n  50%  7\n");
        assert_eq!(output(&text), output(REPORT));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let with = |from: &str, to: &str| refusal(&REPORT.replace(from, to));
        assert_eq!(with("1.574 seconds", "0.000 seconds"), "1500 requests in 0.000 seconds");
        assert_eq!(with("requests:      1500", "requests:      0"), "0 requests in 1.574 seconds");
        assert_eq!(with("1.574 seconds", "nan seconds"), "\"nan seconds\" is not a duration");
        assert_eq!(with("953.10", "inf"), "\"inf \" is not a rate");
        assert_eq!(with("953.10", "95.31"), "95.31 requests per second are not 1500 requests in 1.574 seconds");
        assert_eq!(
            with("requests:      1500", "requests:      99999999999999999999"),
            "\"99999999999999999999\" is not a number of requests"
        );
        assert_eq!(with("418500 bytes", "0 bytes"), "all 1500 requests failed: 0 bytes were transferred");
        assert_eq!(
            with("Total transferred", "Non-2xx responses:      1500\nTotal transferred"),
            "all 1500 responses have a failing status, not 2xx"
        );
        assert_eq!(with("Failed requests:        0", "Failed requests:        1500"), "all 1500 requests failed");
        let mingled: String = REPORT.lines().map(|line| format!("{line}\n{line}\n")).collect();
        assert!(read(&mingled).iter().all(|found| found.output.is_err()));
        assert_eq!(
            with("Complete requests", "Complete requests:      7\nComplete requests"),
            "the lines of several outputs stand among each other"
        );
    }

    #[test]
    fn a_cut_off_report_is_refused() {
        let upto = |lines: usize| REPORT.lines().take(lines).collect::<Vec<_>>().join("\n");
        for lines in 1..=18 {
            assert_eq!(refusal(&upto(lines)), "the output ends before the rate", "{lines}");
        }
        let error = "apr_pollset_poll: The timeout specified has expired (70007)";
        for text in [
            format!("{}...{error}\nTotal of 99 requests completed\n", upto(4)),
            format!("{}\nCompleted 150 requests\n{error}\n", upto(4)),
        ] {
            assert_eq!(refusal(&text), format!("the output ends before the rate: {error}"));
        }
    }

    #[test]
    fn a_refused_start_says_why() {
        let usage = "Usage: ab [options] [http[s]://]hostname[:port]/path\nOptions are:\n";
        assert_eq!(refusal(usage), "nothing was measured: the usage was printed");
        assert_eq!(refusal(&format!("ab: invalid URL\n{usage}")), "nothing was measured: ab: invalid URL");
        assert_eq!(
            refusal("/usr/bin/ab: Invalid Concurrency [Range 0..20000]\n"),
            "nothing was measured: /usr/bin/ab: Invalid Concurrency [Range 0..20000]"
        );
        assert_eq!(read("bash: ab: command not found\n"), []);
    }

    /// What stands in each sample, by eye: all of it, or the beginning of a reason.
    const SAMPLES: &[(&str, &[&str])] = &[
        ("bad_conc.stderr.txt", &["1: line 1: nothing was measured: ab: Cannot use concurrency level greater than"]),
        ("conn_refused.stderr.txt", &[]),
        ("conn_refused.txt", &["1: line 17: all 10 requests failed: 0 bytes were transferred"]),
        ("csv_and_wide.txt", &["2: 13718.93 rps 500/500 0.036 s c5 k0 -/-/-/5 - []"]),
        ("interrupted.txt", &["1: 20006.93 rps 19906/19906 0.995 s c5 k0 0.25/0/4/9 - []"]),
        ("keepalive_limited.txt", &["1: 6487.52 rps 1000/1000 0.154 s c10 k1 1.541/0/13/15 rsa2048 [LongConnections]"]),
        ("keepalive_tls12.stderr.txt", &[]),
        ("keepalive_tls12.txt", &["1: 38218.26 rps 10000/10000 0.262 s c20 k1 0.523/0/8/24 rsa2048 [LongConnections]"]),
        ("made_up_failures_counted_twice.txt", &["1: 883.206 rps 1390/1500 1.574 s c20 k0 20.984/20/44/53 rsa2048 [C"]),
        (
            "made_up_timeout_on_terminal.txt",
            &["2: line 6: the output ends before the rate: apr_pollset_poll: The timeout specified has expired"],
        ),
        (
            "made_up_two_runs_first_interrupted.txt",
            &[
                "2: 952.38 rps 500/500 0.525 s c20 k0 20.984/20/44/53 rsa2048 [Interrupted]",
                "53: 953.1 rps 1500/1500 1.574 s c20 k0 20.984/20/44/53 rsa2048 []",
            ],
        ),
        ("no_confidence_S.txt", &["1: 16191.19 rps 500/500 0.031 s c5 k0 0.309/-/-/6 - []"]),
        ("non2xx_404.txt", &["1: line 17: all 1000 responses have a failing status, not 2xx"]),
        ("quiet_http.txt", &["1: 18994.22 rps 5000/5000 0.263 s c10 k0 0.526/0/5/8 - []"]),
        ("short_tls12.stderr.txt", &[]),
        ("short_tls12.txt", &["1: 953.1 rps 1500/1500 1.574 s c20 k0 20.984/20/44/53 rsa2048 []"]),
        ("single.txt", &["1: 538.79 rps 1/1 0.002 s c1 k0 1.856/-/-/2 rsa2048 []"]),
        ("tls_protocol_cipher.txt", &["1: 1006.44 rps 500/500 0.497 s c5 k0 4.968/5/10/12 rsa2048 []"]),
    ];

    #[test]
    fn samples_say_what_they_say() {
        trial::say(&trial::samples("ab"), summary, SAMPLES);
    }

    #[test]
    fn text_around_changes_nothing() {
        trial::unmoved_by_noise(&trial::samples("ab"), read);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC*", line in 0_usize..34) {
            let lines: Vec<&str> = REPORT.lines().collect();
            let _ = read(&text);
            let _ = read(&REPORT.replace(lines[line], &text));
        }

        #[test]
        fn no_damage_makes_it_panic(text in trial::damaged(trial::texts("ab"))) {
            let _ = read(&text);
        }

        #[test]
        fn numbers_of_any_size_are_not_believed(number in "-?[0-9]{0,25}(\\.[0-9]{0,3})?", at in 0_usize..500) {
            trial::believed_of_no_size(REPORT, &number, at, read);
        }
    }
}

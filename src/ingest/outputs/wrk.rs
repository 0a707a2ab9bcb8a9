//! wrk and wrk2. The rate counts every complete response; a status of 400 and above is counted beside it, so good
//! responses are those below. A timeout is a response that came late, and stays a response. Neither tool looks at the
//! body, and the output shows no headers: whether connections were kept cannot be seen. Both resume TLS sessions.
//!
//! wrk2 holds a rate that it does not print, so its rate is what was asked for unless the server was slower.

use super::lines::{Lines, Shown, after, contradiction, count, implausible, milliseconds, number, rate, scaled};
use super::{Errors, Found, Latency, Output, Parameters, Refusal, Remark, Tool};

/// All outputs in a text.
pub(super) fn read(text: &str) -> Vec<Found> {
    let lines = Lines::of(text);
    let mut found = refused_starts(&lines);
    found.extend(rounds(&lines).iter().flat_map(Round::read));
    found.sort_by_key(|found| found.line);
    found
}

/// Instances that run at the same time: first each says what it will do, and then each what came of it.
#[derive(Default)]
struct Round<'a> {
    plans: Vec<Plan<'a>>,
    results: Vec<Rows<'a>>,
    /// Whether threads were calibrated, which only wrk2 does.
    calibrated: bool,
}

/// The first two lines of an output.
#[derive(Clone)]
struct Plan<'a> {
    line: usize,
    version: Option<&'a str>,
    url: Option<&'a str>,
    duration: Option<Shown>,
    threads: Option<u64>,
    connections: Option<u64>,
}

/// The lines from `Thread Stats` to the rate.
struct Rows<'a> {
    line: usize,
    rows: Vec<(usize, &'a str)>,
    ended: bool,
}

/// The line `N requests in T, B read`.
struct Total<'a> {
    line: usize,
    requests: u64,
    /// The time as printed.
    shown: &'a str,
    duration: Shown,
    bytes: Option<u64>,
}

fn rounds<'a>(lines: &[(usize, &'a str)]) -> Vec<Round<'a>> {
    let mut rounds: Vec<Round> = vec![Round::default()];
    // Other tools print the first line too (autocannon, go-wrk); only wrk prints threads and connections behind it.
    let mut announced: Vec<Plan> = Vec::new();
    let mut version = None;
    for &(line, text) in lines {
        if let Some(plan) = Plan::announced(line, text, version) {
            announced.push(plan);
            continue;
        }
        if let Some((threads, connections)) = threads_and_connections(text) {
            let plan = if announced.is_empty() { Plan::empty(line, version) } else { announced.remove(0) };
            let plan = Plan { threads: Some(threads), connections: Some(connections), ..plan };
            plan_in(&mut rounds).plans.push(plan);
            continue;
        }
        announced.clear();
        version = tool_version(text).or(version);
        if let Some(round) = rounds.last_mut() {
            round.take(line, text);
        }
    }
    for plan in announced {
        plan_in(&mut rounds).plans.push(plan);
    }
    rounds
}

/// The round that a new plan belongs to: once there are results, the next one.
fn plan_in<'r, 'a>(rounds: &'r mut Vec<Round<'a>>) -> &'r mut Round<'a> {
    let fresh = rounds.pop_if(|round| round.results.is_empty()).unwrap_or_default();
    rounds.push_mut(fresh)
}

fn threads_and_connections(text: &str) -> Option<(u64, u64)> {
    let (threads, connections) = text.trim().strip_suffix(" connections")?.split_once(" threads and ")?;
    Some((count(threads)?, count(connections)?))
}

fn tool_version(text: &str) -> Option<&str> {
    let version = text.trim().strip_prefix("wrk ")?;
    if version.contains("Will Glozer") { version.split_whitespace().next() } else { None }
}

impl<'a> Plan<'a> {
    fn empty(line: usize, version: Option<&'a str>) -> Self {
        Self { line, version, url: None, duration: None, threads: None, connections: None }
    }

    fn announced(line: usize, text: &'a str, version: Option<&'a str>) -> Option<Self> {
        let (duration, url) = after(text, "Running ")?.split_once(" test @ ")?;
        Some(Self { url: Some(url.trim()), duration: Shown::seconds(duration), ..Self::empty(line, version) })
    }

    fn same(&self, other: &Self) -> bool {
        (self.url, self.duration, self.threads, self.connections)
            == (other.url, other.duration, other.threads, other.connections)
    }

    /// How many connections are opened: as many for each thread.
    fn opened(&self) -> Option<u64> {
        let (threads, connections) = (self.threads?, self.connections?);
        Some(connections.checked_div(threads)? * threads)
    }

    /// The duration that was asked for: minutes are printed without decimals, so they are exact only if they came true.
    fn exact_duration(&self, measured: f64) -> Option<f64> {
        self.duration
            .filter(|asked| asked.step <= 1.0 || (measured - asked.value).abs() < 0.02 * asked.value)
            .map(|asked| asked.value)
    }

    fn interrupted(&self, measured: f64) -> bool {
        self.duration.is_some_and(|asked| measured < asked.value - asked.step / 2.0)
    }
}

impl<'a> Round<'a> {
    fn take(&mut self, line: usize, text: &'a str) {
        self.calibrated |= after(text, "Thread calibration:").is_some();
        if after(text, "Thread Stats").is_some_and(|rest| rest.starts_with("Avg")) {
            self.results.push(Rows { line, rows: Vec::new(), ended: false });
        } else if let Some(rows) = self.results.last_mut().filter(|rows| !rows.ended) {
            rows.ended = after(text, "Requests/sec:").is_some();
            rows.rows.push((line, text));
        }
    }

    fn read(&self) -> Vec<Found> {
        // Where fewer results follow than were announced, the earlier ones were cut off.
        let (cut_off, plans) = self.plans.split_at(self.plans.len().saturating_sub(self.results.len()));
        let unfinished = cut_off.iter().map(|plan| {
            let refusal = Refusal { line: plan.line, reason: "the output ends before the rate".to_owned() };
            Found { line: plan.line, tool: self.tool(None), output: Err(refusal) }
        });
        // Which of several results belongs to which plan is not shown.
        let alike = plans.windows(2).all(|pair| matches!(pair, [a, b] if a.same(b)));
        let finished = self.results.iter().enumerate().map(|(index, rows)| {
            let line = plans.get(index).map_or(rows.line, |plan| plan.line);
            let plan = plans.get(index).filter(|_| alike).cloned().unwrap_or(Plan::empty(line, None));
            Found { line, tool: self.tool(Some(rows)), output: rows.read(&plan) }
        });
        unfinished.chain(finished).collect()
    }

    fn tool(&self, rows: Option<&Rows>) -> Tool {
        if self.calibrated || rows.is_some_and(Rows::of_wrk2) { Tool::Wrk2 } else { Tool::Wrk }
    }
}

impl<'a> Rows<'a> {
    /// The first line with a label, and what stands behind it.
    fn field(&self, label: &str) -> Option<(usize, &'a str)> {
        self.rows.iter().find_map(|(line, text)| Some((*line, after(text, label)?)))
    }

    /// wrk2 keeps its figures in another histogram, and divides by zero elsewhere than wrk where it is empty.
    fn of_wrk2(&self) -> bool {
        let empty_mean =
            |label| self.field(label).is_some_and(|(_, row)| row.trim_start_matches('-').starts_with("nan"));
        self.rows.iter().any(|(_, text)| text.contains("(HdrHistogram - "))
            || empty_mean("Latency  ")
            || empty_mean("Req/Sec")
    }

    fn read(&self, plan: &Plan) -> Result<Output, Refusal> {
        let refuse = |line, reason| Err(Refusal { line, reason });
        let Some(total) = self.total()? else {
            return refuse(self.last_line(), "the output ends before the number of requests".to_owned());
        };
        let (errors, unread) = self.errors();
        if let Some(reason) = implausible(total.requests, total.shown, total.duration) {
            return refuse(total.line, reason + &causes(&errors));
        }
        let Some((line, printed)) = self.field("Requests/sec:") else {
            return refuse(self.last_line(), "the output ends before the rate".to_owned());
        };
        let Some(printed) = Shown::number(printed) else {
            return refuse(line, format!("{printed:?} is not a rate"));
        };
        if let Some(reason) = contradiction(total.requests, total.shown, total.duration, printed) {
            return refuse(line, reason);
        }
        let failing = errors.status.unwrap_or(0);
        let Some(good) = total.requests.checked_sub(failing) else {
            return refuse(total.line, format!("{failing} of {} responses have a failing status", total.requests));
        };
        if good == 0 {
            return refuse(total.line, format!("all {failing} responses have a failing status, 400 or above"));
        }
        Ok(Output {
            version: plan.version.map(str::to_owned),
            parameters: Parameters {
                url: plan.url.map(str::to_owned),
                connections: plan.connections,
                threads: plan.threads,
                duration_s: plan.exact_duration(total.duration.value),
                ..Parameters::default()
            },
            responses: Some(total.requests),
            good: Some(good),
            duration_s: Some(total.duration.value),
            rate: Some(rate(good, total.requests, printed, total.duration)),
            rate_printed: Some(printed.value),
            errors,
            latency: self.latency(),
            bytes: total.bytes,
            remarks: remarks(plan, failing, total.duration.value).into_iter().chain(unread).collect(),
            ..Output::default()
        })
    }

    fn last_line(&self) -> usize {
        self.rows.iter().rev().find(|(_, text)| !text.trim().is_empty()).map_or(self.line, |(line, _)| *line)
    }

    fn total(&self) -> Result<Option<Total<'a>>, Refusal> {
        let mut totals = self.rows.iter().filter(|(_, text)| text.contains(" requests in "));
        let Some(&(line, text)) = totals.next() else { return Ok(None) };
        if let Some((line, _)) = totals.next() {
            let reason = "the lines of several outputs stand among each other".to_owned();
            return Err(Refusal { line: *line, reason });
        }
        let total = Total::parse(line, text);
        total.map(Some).ok_or_else(|| Refusal { line, reason: format!("{:?} cannot be read", text.trim()) })
    }

    /// Errors by kind; both tools print a kind only if there are any. What is not understood is a remark.
    fn errors(&self) -> (Errors, Option<Remark>) {
        let none = Some(0);
        let mut errors =
            Errors { connect: none, read: none, write: none, timeout: none, status: none, ..Errors::default() };
        let mut unread = None;
        if let Some((_, kinds)) = self.field("Socket errors:") {
            for kind in kinds.split(',') {
                match kind.trim().split_once(' ').map(|(name, number)| (name, count(number))) {
                    Some(("connect", Some(number))) => errors.connect = Some(number),
                    Some(("read", Some(number))) => errors.read = Some(number),
                    Some(("write", Some(number))) => errors.write = Some(number),
                    Some(("timeout", Some(number))) => errors.timeout = Some(number),
                    _ => unread = Some(Remark::Unread { text: format!("Socket errors: {kinds}") }),
                }
            }
        }
        if let Some((_, number)) = self.field("Non-2xx or 3xx responses:") {
            errors.status = count(number);
            if errors.status.is_none() {
                unread = Some(Remark::Unread { text: format!("Non-2xx or 3xx responses: {number}") });
            }
        }
        (errors, unread)
    }

    fn latency(&self) -> Latency {
        let row: Vec<&str> =
            self.field("Latency  ").map(|(_, row)| row.split_whitespace().collect()).unwrap_or_default();
        let column = |index: usize| row.get(index).and_then(|text| milliseconds(text));
        // Zeros are printed where nothing was recorded, as when every response came late.
        let Some(max) = column(2).filter(|max| *max > 0.0) else { return Latency::default() };
        let percentiles = self.percentiles();
        let percentile = |wanted: f64| percentiles.iter().find(|(at, _)| *at == wanted).map(|(_, value)| *value);
        Latency { mean: column(0), p50: percentile(50.0), p90: percentile(90.0), p99: percentile(99.0), max: Some(max) }
    }

    /// Percentiles with their latency. wrk2 can print a second table, uncorrected, which is left alone.
    fn percentiles(&self) -> Vec<(f64, f64)> {
        let heading = |(_, text): &(usize, &str)| {
            after(text, "Latency Distribution").is_some_and(|rest| !rest.contains("Uncorrected"))
        };
        let percentile = |(_, text): &(usize, &str)| {
            let (at, value) = text.trim().split_once('%')?;
            Some((number(at)?, milliseconds(value)?))
        };
        let rows = self.rows.iter().skip_while(|row| !heading(row)).skip(1);
        rows.map_while(percentile).collect()
    }
}

impl<'a> Total<'a> {
    fn parse(line: usize, text: &'a str) -> Option<Self> {
        let (requests, rest) = text.trim().split_once(" requests in ")?;
        let (shown, bytes) = rest.strip_suffix(" read")?.split_once(", ")?;
        // As a float holds it, and the conversion saturates.
        let bytes = scaled(bytes, 1024.0).filter(|bytes| *bytes >= 0.0).map(|bytes| bytes.round() as u64);
        Some(Self { line, requests: count(requests)?, shown, duration: Shown::seconds(shown)?, bytes })
    }
}

fn causes(errors: &Errors) -> String {
    let kinds =
        [(errors.connect, "connect"), (errors.read, "read"), (errors.write, "write"), (errors.timeout, "timeout")];
    let kinds: Vec<String> = kinds
        .iter()
        .filter_map(|(number, kind)| {
            number.filter(|number| *number > 0).map(|number| format!("{number} {kind} errors"))
        })
        .collect();
    if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) }
}

fn remarks(plan: &Plan, failing: u64, measured: f64) -> Vec<Remark> {
    let opened = plan.opened().filter(|opened| plan.connections != Some(*opened));
    let plain = plan.url.is_some_and(|url| url.starts_with("http://"));
    [
        (failing > 0).then_some(Remark::CountsBad),
        opened.map(|opened| Remark::FewerConnections { opened }),
        plan.interrupted(measured).then_some(Remark::Interrupted),
        (!plain).then_some(Remark::MayResume),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// What is printed, mostly to standard error, in place of an output.
fn refused_starts(lines: &[(usize, &str)]) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    let mut before = [""; 2];
    for (index, &(line, text)) in lines.iter().enumerate() {
        let reason = start_error(text).or_else(|| usage(text, before));
        if let Some(reason) = reason {
            let tool = if lines.iter().skip(index).take(30).any(|(_, text)| only_wrk2_says(text)) {
                Tool::Wrk2
            } else {
                Tool::Wrk
            };
            found.push(Found { line, tool, output: Err(Refusal { line, reason }) });
        }
        before = [before[1], text];
    }
    found
}

fn only_wrk2_says(text: &str) -> bool {
    text.contains("-R, --rate ") || text.starts_with("Throughput MUST be specified")
}

fn start_error(text: &str) -> Option<String> {
    const ERRORS: &[&str] = &[
        "number of connections must be >= threads",
        "Throughput MUST be specified with the --rate or -R option",
        "unable to create thread ",
        "unable to initialize SSL",
        "wrk: invalid option",
        "wrk: option requires an argument",
        "wrk: unrecognized option",
    ];
    let unreachable = ["unable to connect to ", "unable to resolve "].iter().any(|start| {
        let host = text.strip_prefix(start).and_then(|rest| rest.split_once(' ')).map(|(host, _)| host);
        host.is_some_and(|host| host.contains(':') && !host.ends_with(':'))
    });
    (unreachable || ERRORS.iter().any(|error| text.starts_with(error)))
        .then(|| format!("nothing was measured: {}", text.trim()))
}

/// The usage stands alone, or behind an error that has been reported, or behind the version that was asked for.
fn usage(text: &str, before: [&str; 2]) -> Option<String> {
    if !text.starts_with("Usage: wrk <options> <url>") {
        return None;
    }
    if before.iter().any(|line| start_error(line).is_some() || tool_version(line).is_some()) {
        return None;
    }
    // The message alone could be of any tool.
    let error = before.iter().find(|line| line.starts_with("invalid URL: "));
    Some(format!("nothing was measured: {}", error.unwrap_or(&"the usage was printed").trim()))
}

#[cfg(test)]
mod tests {
    use super::super::trial;
    use super::*;
    use proptest::prelude::*;

    const SHORT: &str = "\
Running 3s test @ https://h:1/i
  2 threads and 21 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     3.40ms    3.73ms  34.14ms   81.90%
    Req/Sec   692.17    113.25     0.92k    81.67%
  4192 requests in 3.05s, 1.12MB read
Requests/sec:   1374.38
Transfer/sec:    374.46KB
";

    /// One line for each output: where, of which tool, and what it says.
    fn summary(text: &str) -> Vec<String> {
        read(text).iter().map(line_of).collect()
    }

    fn line_of(found: &Found) -> String {
        let Found { line, tool, output } = found;
        match output {
            Err(Refusal { line: at, reason }) => format!("{line} {tool}: line {at}: {reason}"),
            Ok(output) => {
                let (latency, parameters) = (output.latency, &output.parameters);
                let show = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{}", value as f32));
                format!(
                    "{line} {tool}: {} rps {}/{} {} s t{} c{} {}/{}/{}/{} {:?}",
                    show(output.rate),
                    output.good.unwrap(),
                    output.responses.unwrap(),
                    show(output.duration_s),
                    parameters.threads.unwrap_or(0),
                    parameters.connections.unwrap_or(0),
                    show(latency.mean),
                    show(latency.p50),
                    show(latency.p99),
                    show(latency.max),
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
    fn an_output_is_read() {
        let output = output(SHORT);
        assert_eq!(output.rate, Some(1374.38));
        assert_eq!(output.parameters.url.as_deref(), Some("https://h:1/i"));
        assert_eq!(output.parameters.duration_s, Some(3.0));
        assert_eq!(output.bytes, Some(1_174_405));
        assert_eq!(output.latency.max, Some(34.14));
        assert_eq!(output.errors.connect, Some(0));
        assert_eq!(output.remarks, [Remark::FewerConnections { opened: 20 }, Remark::MayResume]);
    }

    #[test]
    fn plain_http_resumes_nothing() {
        let output = output(&SHORT.replace("https:", "http:"));
        assert!(!output.remarks.contains(&Remark::MayResume));
    }

    #[test]
    fn failing_statuses_are_taken_off() {
        let output = output(&SHORT.replace("Requests/sec", "  Non-2xx or 3xx responses: 2096\nRequests/sec"));
        assert_eq!((output.good, output.errors.status), (Some(2096), Some(2096)));
        assert!((output.rate.unwrap() - 687.19).abs() < 1e-9);
        assert_eq!(output.rate_printed, Some(1374.38));
        assert!(output.remarks.contains(&Remark::CountsBad));
    }

    #[test]
    fn units_switch_below_the_next() {
        let text = SHORT
            .replace("3.40ms    3.73ms  34.14ms", "0.90m    0.87s    1.20h")
            .replace("Running 3s", "Running 2m")
            .replace("4192 requests in 3.05s", "164926 requests in 2.00m");
        let output = output(&text);
        assert_eq!(output.latency.mean, Some(54_000.0));
        assert_eq!(output.latency.max, Some(4_320_000.0));
        assert_eq!((output.duration_s, output.parameters.duration_s), (Some(120.0), Some(120.0)));
    }

    #[test]
    fn rounded_minutes_are_not_a_parameter() {
        let text =
            SHORT.replace("Running 3s", "Running 2m").replace("4192 requests in 3.05s", "123694 requests in 1.50m");
        let output = output(&text);
        assert_eq!((output.duration_s, output.parameters.duration_s), (Some(90.0), None));
        assert!(!output.remarks.contains(&Remark::Interrupted));
    }

    #[test]
    fn an_interrupted_run_is_marked() {
        assert!(output(&SHORT.replace("Running 3s", "Running 30s")).remarks.contains(&Remark::Interrupted));
    }

    #[test]
    fn a_low_rate_is_taken_from_the_longer_time() {
        let text = SHORT.replace("4192 requests in 3.05s", "3 requests in 30.05s").replace("1374.38", "0.10");
        assert!((output(&text).rate.unwrap() - 3.0 / 30.05).abs() < 1e-12);
    }

    #[test]
    fn socket_errors_have_kinds() {
        let line = "  Socket errors: connect 1, read 2, write 3, timeout 4 \nRequests/sec";
        let errors = output(&SHORT.replace("Requests/sec", line)).errors;
        assert_eq!((errors.connect, errors.read, errors.write, errors.timeout), (Some(1), Some(2), Some(3), Some(4)));
        let line = "  Socket errors: connect -7, read 2, abort 3\nRequests/sec";
        let output = output(&SHORT.replace("Requests/sec", line));
        let text = "Socket errors: connect -7, read 2, abort 3".to_owned();
        assert!(output.remarks.contains(&Remark::Unread { text }));
    }

    #[test]
    fn an_empty_calibration_is_of_wrk2() {
        let text = SHORT.replace("692.17    113.25     0.92k    81.67%", "  -nan      -nan   0.00      0.00%");
        assert_eq!(read(&text)[0].tool, Tool::Wrk2);
    }

    #[test]
    fn uncorrected_latencies_are_left_alone() {
        let uncorrected = "  Latency Distribution (HdrHistogram - Uncorrected Latency (measured without))
 50.000%    9.00us
----------
  4192 requests";
        let only = SHORT.replace("  4192 requests", uncorrected);
        assert_eq!((read(&only)[0].tool, output(&only).latency.p50), (Tool::Wrk2, None));
        let both = only.replace(
            "  Latency Distribution (HdrHistogram - Unc",
            "  Latency Distribution (HdrHistogram - Recorded Latency)\n 50.000%    1.16ms\n 90.000%    2.00ms\n\n\
             \x20 Latency Distribution (HdrHistogram - Unc",
        );
        assert_eq!((output(&both).latency.p50, output(&both).latency.p90), (Some(1.16), Some(2.0)));
    }

    #[test]
    fn the_first_line_may_be_missing() {
        let text = SHORT.split_once('\n').unwrap().1;
        assert_eq!(output(text).parameters.connections, Some(21));
        let text = text.split_once('\n').unwrap().1;
        assert_eq!((output(text).rate, output(text).parameters.connections), (Some(1374.38), None));
    }

    #[test]
    fn instances_that_announce_themselves_first_are_told_apart() {
        let lines: Vec<&str> = SHORT.lines().collect();
        let (head, body) = (lines[..2].join("\n"), lines[2..].join("\n"));
        let text = format!("{head}\n{head}\n{body}\n{body}\n");
        let found = read(&text);
        assert_eq!(found.iter().map(|found| found.line).collect::<Vec<_>>(), [1, 3]);
        assert!(found.iter().all(|found| found.output.as_ref().unwrap().parameters.connections == Some(21)));
        // Line by line.
        let text = format!("{0}\n{0}\n{1}\n{1}\n{body}\n{body}\n", lines[0], lines[1]);
        assert!(read(&text).iter().all(|found| found.output.as_ref().unwrap().rate == Some(1374.38)));
        // Which is which is not known.
        let text = format!("{}\n{head}\n{body}\n{body}\n", head.replace("https://h", "https://g"));
        assert!(read(&text).iter().all(|found| found.output.as_ref().unwrap().parameters.url.is_none()));
        // The first was killed.
        let text = format!("{}\n^C\n{head}\n{body}\n", head.replace("https://h", "https://g"));
        let found = read(&text);
        assert!(found[0].output.is_err());
        assert_eq!(found[1].output.as_ref().unwrap().parameters.url.as_deref(), Some("https://h:1/i"));
    }

    #[test]
    fn mingled_outputs_are_refused() {
        let lines: Vec<&str> = SHORT.lines().collect();
        let text: String = lines.iter().map(|line| format!("{line}\n{line}\n")).collect();
        let reasons: Vec<String> = read(&text).iter().map(line_of).collect();
        assert!(reasons[0].contains("ends before the number"), "{reasons:?}");
        assert!(reasons[1].contains("stand among each other"), "{reasons:?}");
    }

    #[test]
    fn other_tools_with_the_same_first_line_are_not_wrk() {
        let go_wrk = "Running 5s test @ http://localhost:8080\n  10 goroutine(s) running concurrently\n\
                      164677 requests in 4.914899534s, 18.22MB read\nRequests/sec:\t33505.67\n";
        assert_eq!(read(go_wrk), []);
        let autocannon = "Running 10s test @ http://localhost:3000\n10 connections\n\nReq/Bytes counts sampled once\n\
                          47k requests in 10.02s, 9.4 MB read\n";
        assert_eq!(read(autocannon), []);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let total = |line: &str| refusal(&SHORT.replace("4192 requests in 3.05s, 1.12MB read", line));
        assert_eq!(total("0 requests in 3.05s, 0.00B read"), "0 requests in 3.05s");
        assert_eq!(
            total("833071 requests in 1.25ms, 1.12MB read"),
            "833071 requests in 1.25ms is more than any client sends"
        );
        assert_eq!(
            total("5 requests in 307445734491.26m, 1.12MB read"),
            "5 requests in 307445734491.26m, which is longer than any test"
        );
        assert_eq!(total("4192 requests in -3.05s, 1MB read"), "4192 requests in -3.05s");
        assert_eq!(total("4192 requests in nans, 1MB read"), "\"4192 requests in nans, 1MB read\" cannot be read");
        assert!(total("99999999999999999999 requests in 3.05s, 1MB read").ends_with("cannot be read"));
        assert_eq!(
            total("499 requests in 2.08s, 1MB read"),
            "1374.38 requests per second are not 499 requests in 2.08s"
        );
        assert_eq!(refusal(&SHORT.replace("1374.38", "-nan")), "\"-nan\" is not a rate");
        let failing = |number: &str| {
            refusal(&SHORT.replace("Requests/sec", &format!("  Non-2xx or 3xx responses: {number}\nRequests/sec")))
        };
        assert_eq!(failing("4192"), "all 4192 responses have a failing status, 400 or above");
        assert_eq!(failing("4193"), "4193 of 4192 responses have a failing status");
    }

    #[test]
    fn a_cut_off_output_is_refused() {
        let upto = |lines: usize| SHORT.lines().take(lines).collect::<Vec<_>>().join("\n");
        for lines in 1..=2 {
            assert_eq!(refusal(&upto(lines)), "the output ends before the rate");
        }
        for lines in 3..=5 {
            assert_eq!(refusal(&upto(lines)), "the output ends before the number of requests");
        }
        assert_eq!(refusal(&upto(6)), "the output ends before the rate");
        assert!(read(&upto(7))[0].output.is_ok());
    }

    #[test]
    fn a_refused_start_says_why() {
        let usage = "Usage: wrk <options> <url>     \n  Options:     \n";
        let start = |text: &str| refusal(&format!("$ wrk\n{text}{usage}$ \n"));
        assert_eq!(start(""), "nothing was measured: the usage was printed");
        assert_eq!(start("invalid URL: h\n"), "nothing was measured: invalid URL: h");
        assert_eq!(start("wrk: invalid option -- 'x'\n"), "nothing was measured: wrk: invalid option -- 'x'");
        assert_eq!(read(&format!("wrk 4.1.0 [epoll] Copyright (C) 2012 Will Glozer\n{usage}")), []);
        assert_eq!(read("unable to connect to the database: refused\n"), []);
    }

    #[test]
    fn the_version_is_of_the_outputs_behind_it() {
        let text = format!("wrk debian/4.1.0-3 [epoll] Copyright (C) 2012 Will Glozer\n{SHORT}");
        assert_eq!(output(&text).version.as_deref(), Some("debian/4.1.0-3"));
    }

    /// What stands in each sample, by eye: all of it, or the beginning of a reason.
    const SAMPLES: &[(&str, &[&str])] = &[
        ("wrk/bad_host.stderr.txt", &["1 wrk: line 1: nothing was measured: unable to resolve no-such-host.inv"]),
        ("wrk/bad_url.stderr.txt", &[]),
        ("wrk/bad_url.txt", &["1 wrk: line 1: nothing was measured: the usage was printed"]),
        ("wrk/big_throughput.txt", &["1 wrk: 881.87 rps 1788/1788 2.03 s t2 c8 7.78/6.99/24.14/62.24 []"]),
        ("wrk/conn_refused.stderr.txt", &["1 wrk: line 1: nothing was measured: unable to connect to 127.0.0.1:1999"]),
        ("wrk/conns_lt_threads.stderr.txt", &["1 wrk: line 1: nothing was measured: number of connections must"]),
        ("wrk/conns_lt_threads.txt", &["1 wrk: line 1: nothing was measured: the usage was printed"]),
        ("wrk/keepalive_http.txt", &["1 wrk: 133605.66 rps 280593/280593 2.1 s t2 c20 0.16118/-/-/4.37 []"]),
        (
            "wrk/keepalive_latency.txt",
            &["1 wrk: 82810.59 rps 248777/248777 3 s t2 c20 0.25035/0.226/0.565/5.74 [MayResume]"],
        ),
        ("wrk/lua_done_script.txt", &["1 wrk: 72453.58 rps 79648/79648 1.1 s t1 c4 0.05686/0.053/0.105/1.86 []"]),
        (
            "wrk/made_up_mixed_status.txt",
            &["3 wrk: 271.82004 rps 81572/81620 300 s t3 c50 297.99/158.11/1660/3050 \
               [CountsBad, FewerConnections { opened: 48 }]"],
        ),
        (
            "wrk/made_up_terminal_parallel.txt",
            &[
                "2 wrk: 240.43 rps 499/499 2.08 s t2 c10 11.51/-/-/54 [MayResume]",
                "4 wrk: 261.11 rps 542/542 2.08 s t2 c10 10.28/-/-/48.7 [MayResume]",
            ],
        ),
        ("wrk/non2xx_500.txt", &["1 wrk: line 11: all 11206 responses have a failing status, 400 or above"]),
        ("wrk/not_tls_port.txt", &["1 wrk: line 6: 0 requests in 1.00s (12832 connect errors)"]),
        (
            "wrk/parallel3_one_file.txt",
            &[
                "1 wrk: 240.43 rps 499/499 2.08 s t2 c10 11.51/-/-/54 [MayResume]",
                "9 wrk: 261.11 rps 542/542 2.08 s t2 c10 10.28/-/-/48.7 [MayResume]",
                "17 wrk: 269.87 rps 564/564 2.09 s t2 c10 11.13/-/-/57.1 [MayResume]",
            ],
        ),
        ("wrk/r302.txt", &["1 wrk: 80936.82 rps 89022/89022 1.1 s t1 c4 0.03929/-/-/1.8 []"]),
        ("wrk/read_errors_444.txt", &["1 wrk: line 11: 0 requests in 1.10s (42383 read errors)"]),
        ("wrk/short_latency_http.txt", &["1 wrk: 39643.12 rps 83246/83246 2.1 s t2 c20 0.26863/0.162/1.74/5.19 []"]),
        (
            "wrk/short_tls12_cache_reuse.txt",
            &["1 wrk: 5771.5 rps 17376/17376 3.01 s t2 c20 1.05/-/-/16.04 [MayResume]"],
        ),
        ("wrk/short_tls12_nocache.txt", &["1 wrk: 1374.38 rps 4192/4192 3.05 s t2 c20 3.4/-/-/34.14 [MayResume]"]),
        ("wrk/short_tls13.txt", &["1 wrk: 3127.64 rps 9503/9503 3.04 s t2 c20 2.67/-/-/21.97 [MayResume]"]),
        ("wrk/slow_timeouts.txt", &["1 wrk: line 11: 0 requests in 4.01s"]),
        ("wrk/timeouts_counted.txt", &["1 wrk: 2.9950082 rps 18/18 6.01 s t2 c6 -/-/-/- []"]),
        ("wrk/tiny_one_conn.txt", &["1 wrk: 52206.35 rps 57393/57393 1.1 s t1 c1 0.03274/0.013/0.396/2.99 []"]),
        ("wrk/version_usage.txt", &[]),
        (
            "wrk2/made_up_uncorrected.txt",
            &["1 wrk2: 1996.94 rps 23964/23964 12 s t2 c20 0.87/0.843/2.15/4.65 [MayResume]"],
        ),
        ("wrk2/missing_rate.stderr.txt", &["1 wrk2: line 1: nothing was measured: Throughput MUST be specified"]),
        ("wrk2/missing_rate.txt", &["1 wrk2: line 1: nothing was measured: the usage was printed"]),
        ("wrk2/rate2000_latency.txt", &["1 wrk2: 1996.94 rps 23964/23964 12 s t2 c20 0.87/0.843/2.15/4.65 []"]),
        ("wrk2/short_run_no_calibration.txt", &["1 wrk2: 1987.12 rps 5966/5966 3 s t2 c20 6.64/-/-/60.13 []"]),
    ];

    fn samples() -> Vec<(String, String)> {
        let of = |tool: &'static str| {
            trial::samples(tool).into_iter().map(move |(name, text)| (format!("{tool}/{name}"), text))
        };
        of("wrk").chain(of("wrk2")).collect()
    }

    #[test]
    fn samples_say_what_they_say() {
        trial::say(&samples(), summary, SAMPLES);
    }

    #[test]
    fn text_around_changes_nothing() {
        trial::unmoved_by_noise(&samples(), read);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC*", line in 0_usize..12) {
            let lines: Vec<&str> = SHORT.lines().collect();
            let _ = read(&text);
            let _ = read(&SHORT.replace(lines[line % lines.len()], &text));
        }

        #[test]
        fn no_damage_makes_it_panic(text in trial::damaged(["wrk", "wrk2"].into_iter().flat_map(trial::texts))) {
            let _ = read(&text);
        }

        #[test]
        fn numbers_of_any_size_are_not_believed(
            number in "-?[0-9]{0,25}(\\.[0-9]{0,3})?(us|ms|s|m|h|k|%)?",
            at in 0_usize..100,
        ) {
            let mut words: Vec<&str> = SHORT.split(' ').collect();
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

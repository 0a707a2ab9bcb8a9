//! wrk and wrk2. The rate counts every complete response; a status of 400 and above is counted beside it, so good
//! responses are those below. A timeout is a response that came late, and stays a response. Neither tool looks at the
//! body, and the output shows no headers: whether connections were kept cannot be seen. Both resume TLS sessions.
//!
//! wrk2 holds a rate, so its rate is what was asked for unless the server was slower. It does not print that rate. Where
//! a command in the text tells it, it is compared. Otherwise the largest latency tells: each is counted from when its
//! request was due, so that a client that falls behind its rate shows at least the time by which it is behind.

use std::collections::VecDeque;

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
#[derive(Clone, Default)]
struct Plan<'a> {
    line: usize,
    version: Option<&'a str>,
    url: Option<&'a str>,
    duration: Option<Shown>,
    threads: Option<u64>,
    connections: Option<u64>,
    /// The rate to hold, by the command.
    rate: Option<f64>,
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
    let mut announced: VecDeque<Plan> = VecDeque::new();
    let mut known = Plan::default();
    let mut commanded = false;
    for &(line, text) in lines {
        let plan = Plan { line, ..known.clone() };
        if let Some((duration, url)) = announcement(text) {
            announced.push_back(Plan { url: Some(url), duration, ..plan });
            // What was cut off before takes nothing from behind.
            if let Some(rows) = rounds.last_mut().and_then(|round| round.results.last_mut()) {
                rows.ended = true;
            }
            commanded = false;
            continue;
        }
        if let Some((threads, connections)) = threads_and_connections(text) {
            let plan = announced.pop_front().unwrap_or(plan);
            let plan = Plan { threads: Some(threads), connections: Some(connections), ..plan };
            plan_in(&mut rounds).plans.push(plan);
            continue;
        }
        announced.clear();
        known.version = tool_version(text).or(known.version);
        if let Some(rate) = command(text) {
            // Which of several commands an output is of is not shown.
            known.rate = rate.filter(|_| !commanded || known.rate == rate);
            commanded = true;
        }
        if rounds.last_mut().is_some_and(|round| round.take(line, text)) {
            // The outputs behind these may be of a command that is not shown.
            (known.rate, commanded) = (None, false);
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

/// The time and the address in `Running 3s test @ https://h/`.
fn announcement(text: &str) -> Option<(Option<Shown>, &str)> {
    let (duration, url) = after(text, "Running ")?.split_once(" test @ ")?;
    Some((Shown::seconds(duration), url.trim()))
}

/// The rate to hold, if any, in a command that runs the tool.
fn command(text: &str) -> Option<Option<f64>> {
    let mut words = text.split_whitespace();
    words.find(|word| ["wrk", "wrk2"].contains(&word.rsplit('/').next().unwrap_or_default()))?;
    let mut rest = words.peekable();
    // An option follows, or the address: other lines speak of the tool too.
    rest.peek().filter(|word| word.starts_with('-') || word.contains("://"))?;
    while let Some(word) = rest.next() {
        let value = match word {
            "-R" | "--rate" => rest.next(),
            _ => word.strip_prefix("--rate=").or_else(|| word.strip_prefix("-R")),
        };
        if let Some(value) = value {
            return Some(scaled(value, 1000.0).filter(|rate| *rate > 0.0));
        }
    }
    Some(None)
}

fn threads_and_connections(text: &str) -> Option<(u64, u64)> {
    let (threads, connections) = text.trim().strip_suffix(" connections")?.split_once(" threads and ")?;
    Some((count(threads)?, count(connections)?))
}

fn tool_version(text: &str) -> Option<&str> {
    let version = text.trim().strip_prefix("wrk ")?;
    if version.contains("Will Glozer") { version.split_whitespace().next() } else { None }
}

impl Plan<'_> {
    fn same(&self, other: &Self) -> bool {
        (self.url, self.duration, self.threads, self.connections, self.rate)
            == (other.url, other.duration, other.threads, other.connections, other.rate)
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
    /// Takes a line; whether results begin with it.
    fn take(&mut self, line: usize, text: &'a str) -> bool {
        self.calibrated |= after(text, "Thread calibration:").is_some();
        let begins = after(text, "Thread Stats").is_some_and(|rest| rest.starts_with("Avg"));
        if begins {
            self.results.push(Rows { line, rows: Vec::new(), ended: false });
        } else if let Some(rows) = self.results.last_mut().filter(|rows| !rows.ended) {
            rows.ended = after(text, "Requests/sec:").is_some();
            rows.rows.push((line, text));
        }
        begins
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
            let plan = plans.get(index).filter(|_| alike).cloned().unwrap_or_default();
            let tool = self.tool(Some(rows));
            let mut output = rows.read(&plan);
            if let (Tool::Wrk2, Ok(output)) = (tool, &mut output) {
                // Where more was sent, the command is of another run.
                let most = |rate: &f64| output.rate_printed.is_some_and(|printed| printed <= (1.0 + HELD) * rate);
                output.parameters.rate = plan.rate.filter(most);
                output.remarks.extend(load_remark(output));
            }
            Found { line, tool, output }
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

/// How far wrk2 may be off the rate to hold, in parts of it, and still hold it.
const HELD: f64 = 0.02;

/// What the rate of wrk2 says of the server.
fn load_remark(output: &Output) -> Option<Remark> {
    let printed = output.rate_printed?;
    if let Some(asked) = output.parameters.rate {
        return ((printed - asked).abs() <= HELD * asked).then_some(Remark::LoadHeld);
    }
    let Errors { connect, read, write, timeout, .. } = output.errors;
    // A connection without responses falls behind and shows no latency.
    let all_answered = [connect, read, write, timeout].iter().all(|count| *count == Some(0));
    let kept_up = output.latency.max.zip(output.duration_s).is_some_and(|(max, time)| max / 1e3 <= HELD * time);
    Some(if all_answered && kept_up { Remark::LoadHeld } else { Remark::LoadCapped })
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
mod tests;

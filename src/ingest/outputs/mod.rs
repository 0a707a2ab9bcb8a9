//! What load tools print, one file per tool. Each finds the outputs of its tool in a text, wherever they stand in it, and reads
//! each by itself: a rate with what it counts, or the reason why there is none.

mod ab;
mod go;
mod h2load;
mod hey;
mod httpress;
mod json;
mod k6;
mod lines;
mod measured;
mod oha;
mod openssl_s_time;
mod openssl_speed;
mod siege;
mod summary;
#[cfg(test)]
mod trial;
mod vegeta;
mod wrk;

use serde::Serialize;

use crate::named::named;

/// A load tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tool {
    /// httpress and its forks.
    Httpress,
    /// wrk.
    Wrk,
    /// wrk2: a constant rate, latencies corrected for coordinated omission.
    Wrk2,
    /// ApacheBench.
    Ab,
    /// h2load of nghttp2.
    H2load,
    /// hey.
    Hey,
    /// siege.
    Siege,
    /// oha.
    Oha,
    /// vegeta.
    Vegeta,
    /// k6.
    K6,
    /// `openssl speed`.
    OpensslSpeed,
    /// `openssl s_time`.
    OpensslSTime,
}

named!(Tool, "a load tool", {
    Httpress => "httpress",
    Wrk => "wrk",
    Wrk2 => "wrk2",
    Ab => "ab",
    H2load => "h2load",
    Hey => "hey",
    Siege => "siege",
    Oha => "oha",
    Vegeta => "vegeta",
    K6 => "k6",
    OpensslSpeed => "openssl-speed",
    OpensslSTime => "openssl-s-time",
});

/// Finds the outputs of one tool.
type Reader = fn(&str) -> Vec<Found>;

/// The reader of each tool; wrk and wrk2 share one.
const READERS: [(&[Tool], Reader); 11] = [
    (&[Tool::Httpress], httpress::read),
    (&[Tool::Wrk, Tool::Wrk2], wrk::read),
    (&[Tool::Ab], ab::read),
    (&[Tool::H2load], h2load::read),
    (&[Tool::Hey], hey::read),
    (&[Tool::Siege], siege::read),
    (&[Tool::Oha], oha::read),
    (&[Tool::Vegeta], vegeta::read),
    (&[Tool::K6], k6::read),
    (&[Tool::OpensslSpeed], openssl_speed::read),
    (&[Tool::OpensslSTime], openssl_s_time::read),
];

/// The outputs in a text, in the order in which they stand; of one tool, or of all.
///
/// The text may hold anything around them. It is taken as it is: colours and other control sequences of a terminal are to
/// be removed before. Each output is read by itself, to an [`Output`] or to the reason why it gives none; a text without
/// any gives an empty list.
///
/// Rates are per second and of good responses, times are in seconds, but latencies in milliseconds.
///
/// ```
/// use kaeanalysis::ingest::outputs::{self, Tool};
///
/// let text = "\
/// $ wrk -t2 -c20 -d3s https://127.0.0.1/
/// Running 3s test @ https://127.0.0.1/
///   2 threads and 20 connections
///   Thread Stats   Avg      Stdev     Max   +/- Stdev
///     Latency     3.40ms    3.73ms  34.14ms   81.90%
///     Req/Sec   692.17    113.25     0.92k    81.67%
///   4192 requests in 3.05s, 1.12MB read
///   Non-2xx or 3xx responses: 2096
/// Requests/sec:   1374.38
/// Transfer/sec:    374.46KB
/// ";
/// let found = outputs::read(text, None);
/// assert_eq!((found.len(), found[0].line, found[0].tool), (1, 2, Tool::Wrk));
/// let output = found[0].output.as_ref().map_err(|refusal| refusal.reason.clone())?;
/// // Half of the responses are good.
/// assert_eq!((output.rate, output.rate_printed), (Some(1374.38 / 2.0), Some(1374.38)));
/// assert_eq!((output.duration_s, output.latency.max), (Some(3.05), Some(34.14)));
/// assert!(outputs::read(text, Some(Tool::Ab)).is_empty());
/// # Ok::<(), String>(())
/// ```
pub fn read(text: &str, tool: Option<Tool>) -> Vec<Found> {
    let readers = READERS.iter().filter(|(tools, _)| tool.is_none_or(|tool| tools.contains(&tool)));
    let mut found: Vec<Found> = readers.flat_map(|(_, read)| read(text)).collect();
    for one in &mut found {
        let latency = one.output.as_ref().ok().and_then(|output| output.latency.impossible());
        if let Some(value) = latency {
            one.output = Err(Refusal { line: one.line, reason: format!("a latency of {value} ms") });
        }
    }
    found.retain(|one| tool.is_none_or(|tool| one.tool == tool));
    found.sort_by_key(|one| one.line);
    found
}

/// One output that was found in a text.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Found {
    /// The line on which it begins, counted from 1.
    pub line: usize,
    /// The tool that wrote it.
    pub tool: Tool,
    /// What it says, or why it says nothing.
    pub output: Result<Output, Refusal>,
}

/// Why an output gives no run: nothing was measured, or what is printed cannot be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// The line that shows it, counted from 1.
    pub line: usize,
    /// What is the case, with the value.
    pub reason: String,
}

/// What one output says. What is not shown is absent.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Output {
    /// Version of the tool.
    pub version: Option<String>,
    /// What the tool was told to do, as far as it shows it.
    pub parameters: Parameters,
    /// Responses of all kinds, failed requests not among them.
    pub responses: Option<u64>,
    /// Responses that are what was asked for: no error, no failing status.
    pub good: Option<u64>,
    /// Connections that were opened.
    pub connects: Option<u64>,
    /// The time that the rate is over, in seconds.
    pub duration_s: Option<f64>,
    /// Good responses per second, as precisely as counts and duration tell; `openssl speed`: signatures per second.
    pub rate: Option<f64>,
    /// The rate as it is printed, whatever it counts.
    pub rate_printed: Option<f64>,
    /// What went wrong, by kind.
    pub errors: Errors,
    /// Latencies in milliseconds.
    pub latency: Latency,
    /// Bytes received.
    pub bytes: Option<u64>,
    /// TLS protocol, such as `TLSv1.2`.
    pub protocol: Option<String>,
    /// TLS cipher suite.
    pub cipher: Option<String>,
    /// Kind and size of the key, such as `rsa2048`.
    pub key_type: Option<String>,
    /// What to know beside it.
    pub remarks: Vec<Remark>,
}

/// What the tool was told to do.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Parameters {
    /// The address.
    pub url: Option<String>,
    /// Connections at once, as they were asked for.
    pub connections: Option<u64>,
    /// Threads of the tool.
    pub threads: Option<u64>,
    /// How many requests.
    pub requests: Option<u64>,
    /// How long, in seconds.
    pub duration_s: Option<f64>,
    /// The rate to hold, per second.
    pub rate: Option<f64>,
    /// Whether connections are kept for several requests.
    pub keep_alive: Option<bool>,
}

/// Errors by kind; absent where the tool does not tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Errors {
    /// Connections that could not be opened.
    pub connect: Option<u64>,
    /// Reads that failed.
    pub read: Option<u64>,
    /// Writes that failed.
    pub write: Option<u64>,
    /// Requests that took too long.
    pub timeout: Option<u64>,
    /// Responses with a failing status.
    pub status: Option<u64>,
    /// TLS handshakes that failed.
    pub tls: Option<u64>,
    /// Failures of which the tool does not tell the kind.
    pub other: Option<u64>,
}

/// Latencies in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Latency {
    /// Arithmetic mean.
    pub mean: Option<f64>,
    /// Median.
    pub p50: Option<f64>,
    /// 90th percentile.
    pub p90: Option<f64>,
    /// 99th percentile.
    pub p99: Option<f64>,
    /// Largest.
    pub max: Option<f64>,
}

impl Latency {
    /// A value that no latency can be.
    fn impossible(&self) -> Option<f64> {
        let values = [self.mean, self.p50, self.p90, self.p99, self.max];
        values.into_iter().flatten().find(|value| !(value.is_finite() && *value >= 0.0))
    }
}

/// What a reader of an output must know beside it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case", tag = "code")]
pub enum Remark {
    /// The tool does not look at the HTTP status, so bad responses pass for good ones.
    StatusUnseen,
    /// The rate is printed as a whole number and nothing more precise is shown.
    Rounded,
    /// The printed rate counts responses that are not good.
    CountsBad,
    /// The tool resumes TLS sessions where the server lets it, so that handshakes need not sign.
    MayResume,
    /// Far fewer connects than requests: connections were kept.
    LongConnections,
    /// The tool stopped before it was done.
    Interrupted,
    /// Fewer connections were opened than asked for: so many for each thread.
    FewerConnections {
        /// How many it opens.
        opened: u64,
    },
    /// The rate is per second of CPU time, not of time.
    CpuTime,
    /// The tool held the rate that it was told to, so that its rate is what was asked for and not what the server can do.
    LoadHeld,
    /// The tool makes no more requests than it was told to, and does not show how many these are.
    LoadCapped,
    /// The tool counts whole seconds.
    WholeSeconds {
        /// How far the rate may be off, such as `33.3%`.
        share: String,
    },
    /// The engine that was asked for could not be loaded, so that software did the work.
    EngineMissing {
        /// What the tool says.
        text: String,
    },
    /// A kind of error or a line that is not understood.
    Unread {
        /// The line.
        text: String,
    },
}

impl Remark {
    /// The code by which the catalogue knows it.
    pub(super) fn code(&self) -> &'static str {
        match self {
            Self::StatusUnseen => "status-unseen",
            Self::Rounded => "rounded",
            Self::CountsBad => "counts-bad",
            Self::MayResume => "may-resume",
            Self::LongConnections => "long-connections",
            Self::Interrupted => "interrupted",
            Self::FewerConnections { .. } => "fewer-connections",
            Self::CpuTime => "cpu-time",
            Self::LoadHeld => "load-held",
            Self::LoadCapped => "load-capped",
            Self::WholeSeconds { .. } => "whole-seconds",
            Self::EngineMissing { .. } => "engine-missing",
            Self::Unread { .. } => "unread",
        }
    }

    /// The value that belongs to it.
    pub(super) fn detail(&self) -> String {
        match self {
            Self::FewerConnections { opened } => opened.to_string(),
            Self::WholeSeconds { share } => share.clone(),
            Self::EngineMissing { text } | Self::Unread { text } => text.clone(),
            _ => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_tool_has_one_reader() {
        for tool in Tool::ALL {
            assert_eq!(READERS.iter().filter(|(tools, _)| tools.contains(tool)).count(), 1, "{tool}");
        }
    }

    /// A folder of samples for each tool.
    fn folder(tool: Tool) -> String {
        tool.to_string().replace('-', "_")
    }

    #[test]
    fn no_reader_takes_the_output_of_another_tool() {
        for tool in Tool::ALL {
            for (name, text) in trial::samples(&folder(*tool)) {
                for found in read(&text, None) {
                    assert!(share_a_reader(found.tool, *tool), "{name}: {found:?}");
                }
            }
        }
    }

    fn share_a_reader(one: Tool, other: Tool) -> bool {
        READERS.iter().any(|(tools, _)| tools.contains(&one) && tools.contains(&other))
    }

    /// What the outputs in a text say.
    fn said(text: &str, tool: Tool) -> Vec<Result<Output, String>> {
        read(text, Some(tool)).into_iter().map(|found| found.output.map_err(|refusal| refusal.reason)).collect()
    }

    #[test]
    fn an_output_that_is_cut_off_takes_nothing_from_what_follows() {
        let samples = Tool::ALL.iter().flat_map(|tool| {
            let good = |text: &String| said(text, *tool).iter().any(Result::is_ok);
            trial::texts(&folder(*tool)).into_iter().filter(good).take(1).map(|text| (*tool, text)).collect::<Vec<_>>()
        });
        let samples: Vec<(Tool, String)> = samples.collect();
        for (tool, text) in &samples {
            let lines: Vec<&str> = text.lines().collect();
            for parts in 1..=8 {
                let cut = lines[..lines.len() * parts / 8].join("\n");
                for (other, behind) in samples.iter().filter(|(other, _)| !share_a_reader(*tool, *other)) {
                    let both = format!("{cut}\n{behind}");
                    assert_eq!(said(&both, *other), said(behind, *other), "{other} behind {tool}: {both}");
                    let rates = |text: &str| said(text, *tool).into_iter().filter_map(Result::ok).collect::<Vec<_>>();
                    assert_eq!(rates(&both), rates(&cut), "{tool} before {other}: {both}");
                }
            }
        }
    }

    #[test]
    fn each_remark_has_a_text() {
        let catalogues = [include_str!("../../language/en.ftl"), include_str!("../../language/zh.ftl")];
        let detail = String::new;
        for remark in [
            Remark::StatusUnseen,
            Remark::Rounded,
            Remark::CountsBad,
            Remark::MayResume,
            Remark::LongConnections,
            Remark::Interrupted,
            Remark::FewerConnections { opened: 1 },
            Remark::CpuTime,
            Remark::LoadHeld,
            Remark::LoadCapped,
            Remark::WholeSeconds { share: detail() },
            Remark::EngineMissing { text: detail() },
            Remark::Unread { text: detail() },
        ] {
            let key = format!("remark-{} = ", remark.code());
            assert!(catalogues.iter().all(|texts| texts.lines().any(|line| line.starts_with(&key))), "{key}");
        }
    }
}

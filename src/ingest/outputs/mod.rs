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

/// The outputs in a text, in the order in which they stand; of one tool, or of all.
pub(super) fn read(text: &str, tool: Option<Tool>) -> Vec<Found> {
    let readers: [fn(&str) -> Vec<Found>; 11] = [
        httpress::read,
        wrk::read,
        ab::read,
        h2load::read,
        hey::read,
        siege::read,
        oha::read,
        vegeta::read,
        k6::read,
        openssl_speed::read,
        openssl_s_time::read,
    ];
    let mut found: Vec<Found> = readers.iter().flat_map(|read| read(text)).collect();
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
            Self::EngineMissing { .. } => "engine-missing",
            Self::Unread { .. } => "unread",
        }
    }

    /// The value that belongs to it.
    pub(super) fn detail(&self) -> String {
        match self {
            Self::FewerConnections { opened } => opened.to_string(),
            Self::EngineMissing { text } | Self::Unread { text } => text.clone(),
            _ => String::new(),
        }
    }
}

//! `openssl s_time`: one connection after another, first new sessions, then resumed ones; each of the two is an output
//! of its own.
//!
//! The rate is of connections per second that passed, computed from `N connections in N real seconds`. Those seconds
//! are whole and up to one too many (`-time 2` takes between two and three, and says 3), so that the rate of a short
//! run is far too low and that of two runs of the same length still compares: [`Remark::WholeSeconds`]. The rate that is
//! printed is per second of the client's own user time and says nothing about a server. The tool stops at the first
//! connection that fails, without a result. It looks at no HTTP status and requests nothing at all without `-www`.
//!
//! Of each connection a mark is printed, `r` for a resumed session; a second part without any `r` was not resumed.

use super::lines::{Lines, after, count, exact_rate, number};
use super::{Errors, Found, Output, Parameters, Refusal, Remark, Tool};

/// The outputs of `openssl s_time` in a text.
pub(super) fn read(text: &str) -> Vec<Found> {
    let mut parts = Vec::new();
    let mut part: Option<Part> = None;
    let mut told_s = None;
    for (line, text) in Lines::of(text) {
        if let Some(started) = start(text) {
            parts.extend(part.take());
            if let Start::New { seconds } = started {
                told_s = seconds;
            }
            part = Some(Part::at(line, matches!(started, Start::Reuse), told_s));
        } else if let Some(refusal) = text.trim().strip_prefix("s_time: ").filter(|rest| !rest.starts_with("Use -help"))
        {
            let mut refused = Part::at(line, false, None);
            refused.error = Some((line, format!("openssl s_time refused to run: {refusal}")));
            parts.push(refused);
        } else if let Some(user) = User::of(text) {
            // Without its beginning.
            let part = part.get_or_insert_with(|| Part::at(line, false, None));
            part.last = line;
            part.user = Some(user);
        } else if let Some(real) = Real::of(text) {
            let mut whole = part.take().unwrap_or_else(|| Part::at(line, false, None));
            whole.last = line;
            whole.real = Some(real);
            parts.push(whole);
        } else if let Some(part) = &mut part {
            part.see(line, text);
        }
    }
    parts.extend(part);
    parts.into_iter().map(Part::found).collect()
}

/// A line that begins a part.
enum Start {
    New { seconds: Option<f64> },
    Reuse,
}

fn start(line: &str) -> Option<Start> {
    if let Some(rest) = after(line, "Collecting connection statistics for ") {
        let seconds = rest.strip_suffix(" seconds").and_then(number);
        return Some(Start::New { seconds });
    }
    (line.trim() == "Now timing with session id reuse.").then_some(Start::Reuse)
}

/// `1372 connections in 0.84s; 1633.33 connections/user sec, bytes read 0`
struct User {
    connections: u64,
    rate: Option<f64>,
    bytes: Option<u64>,
}

impl User {
    fn of(line: &str) -> Option<Self> {
        let (connections, rest) = line.trim().split_once(" connections in ")?;
        let (rate, bytes) = rest.split_once("s; ")?.1.split_once(" connections/user sec")?;
        Some(Self {
            connections: count(connections)?,
            rate: number(rate),
            bytes: after(bytes, ", bytes read").and_then(count),
        })
    }
}

/// `1372 connections in 3 real seconds, 0 bytes read per connection`
struct Real {
    connections: u64,
    seconds: u64,
}

impl Real {
    fn of(line: &str) -> Option<Self> {
        let (connections, rest) = line.trim().split_once(" connections in ")?;
        let (seconds, rest) = rest.split_once(" real seconds")?;
        let whole = rest.is_empty() || rest.starts_with(',');
        whole.then_some(Self { connections: count(connections)?, seconds: count(seconds)? })
    }
}

/// A part of an output: new or resumed sessions.
struct Part {
    line: usize,
    last: usize,
    /// Whether sessions are offered for resumption.
    reuse: bool,
    /// Whether the server took one up; absent where no marks are shown.
    resumed: Option<bool>,
    told_s: Option<f64>,
    user: Option<User>,
    real: Option<Real>,
    error: Option<(usize, String)>,
}

impl Part {
    fn at(line: usize, reuse: bool, told_s: Option<f64>) -> Self {
        Self { line, last: line, reuse, resumed: None, told_s, user: None, real: None, error: None }
    }

    /// Takes up the marks of connections, and errors.
    fn see(&mut self, line: usize, text: &str) {
        let text = text.trim();
        if !text.is_empty() && text.chars().all(|mark| matches!(mark, '*' | 'r' | 't' | '3' | '2')) {
            self.resumed = Some(text.contains('r') || self.resumed == Some(true));
        } else if self.error.is_none() && (text.contains(":error:") || text == "Unable to get connection") {
            self.error = Some((line, format!("a connection failed: {}", kind(text))));
        }
    }

    fn found(self) -> Found {
        let line = self.line;
        Found { line, tool: Tool::OpensslSTime, output: self.output() }
    }

    fn output(self) -> Result<Output, Refusal> {
        let refuse = |reason| Err(Refusal { line: self.last, reason });
        let Some(real) = &self.real else {
            return match self.error {
                Some((line, reason)) => Err(Refusal { line, reason }),
                None => refuse("the output ends before the number of connections in real seconds".to_owned()),
            };
        };
        let Real { connections, seconds } = *real;
        if connections == 0 || seconds == 0 {
            return refuse(format!("{connections} connections in {seconds} s"));
        }
        if let Some(user) = self.user.as_ref().filter(|user| user.connections != connections) {
            return refuse(format!(
                "{} connections, or {connections}: the output contradicts itself",
                user.connections
            ));
        }
        let Ok(rate) = exact_rate(connections, seconds as f64) else {
            return refuse(format!("{connections} connections in {seconds} s is not possible"));
        };
        let bytes = self.user.as_ref().and_then(|user| user.bytes);
        let requested = bytes.is_some_and(|bytes| bytes > 0);
        let resumed = self.reuse && self.resumed != Some(false);
        let remarks = [(requested, Remark::StatusUnseen), (resumed, Remark::MayResume)];
        let remarks = remarks.into_iter().filter_map(|(holds, remark)| holds.then_some(remark));
        Ok(Output {
            parameters: Parameters { duration_s: self.told_s, keep_alive: Some(false), ..Parameters::default() },
            responses: Some(connections).filter(|_| requested),
            good: Some(connections),
            connects: Some(connections),
            duration_s: Some(seconds as f64),
            rate: Some(rate),
            rate_printed: self.user.as_ref().and_then(|user| user.rate),
            // It stops at the first that fails.
            errors: Errors { connect: Some(0), tls: Some(0), ..Errors::default() },
            bytes,
            remarks: coarse(seconds).into_iter().chain(remarks).collect(),
            ..Output::default()
        })
    }
}

/// By how much the rate over so many whole seconds may be off, unless that is next to nothing.
fn coarse(seconds: u64) -> Option<Remark> {
    let share = 1.0 / seconds as f64;
    (share > 0.005).then(|| Remark::WholeSeconds { share: format!("{:.1}%", share * 100.0) })
}

/// The words of an error in OpenSSL's queue, `…:error:8000006F:system library:BIO_connect:Connection refused:…`.
fn kind(text: &str) -> &str {
    let words = text.split_once(":error:").and_then(|(_, rest)| rest.split(':').nth(3));
    words.filter(|words| !words.is_empty()).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::super::trial::{self, damaged, noise};
    use super::*;
    use proptest::prelude::*;

    const BOTH: &str = include_str!("../../../tests/data/outputs/openssl_s_time/run_new_and_reuse.txt");
    const NEW: &str = include_str!("../../../tests/data/outputs/openssl_s_time/s_time_new.txt");

    fn only(text: &str) -> Result<Output, String> {
        trial::only(read(text))
    }

    /// What a file is expected to say, as read by eye.
    fn brief(found: &Found) -> String {
        match &found.output {
            Ok(output) => format!(
                "{}: {} in {} s, {:.2}/s printed {}, {} B [{}]",
                found.line,
                output.connects.unwrap(),
                output.duration_s.unwrap(),
                output.rate.unwrap(),
                output.rate_printed.unwrap(),
                output.bytes.unwrap(),
                output.remarks.iter().map(remark).collect::<Vec<_>>().join(", "),
            ),
            Err(refusal) => format!("{}: {}", refusal.line, refusal.reason),
        }
    }

    fn remark(remark: &Remark) -> String {
        match remark {
            Remark::WholeSeconds { share } => share.clone(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn every_file_says_what_stands_in_it() {
        let expected: [(&str, &[&str]); 9] = [
            ("made_up_cut_off.txt", &["5: the output ends before the number of connections in real seconds"]),
            ("made_up_not_resumed.txt", &["3: 20 in 4 s, 5.00/s printed 1000, 0 B [25.0%]"]),
            ("made_up_zero.txt", &["5: 0 connections in 6 s"]),
            ("run_bad_option.stderr.txt", &["1: openssl s_time refused to run: Unknown option: -bogus"]),
            (
                "run_new_and_reuse.txt",
                &[
                    "1: 407 in 2 s, 203.50/s printed 1312.9, 0 B [50.0%]",
                    "8: 2543 in 2 s, 1271.50/s printed 5410.64, 0 B [50.0%, MayResume]",
                ],
            ),
            ("run_new_www.txt", &["1: 429 in 2 s, 214.50/s printed 1046.34, 2184039 B [50.0%, StatusUnseen]"]),
            ("run_refused.txt", &["3: a connection failed: Connection refused"]),
            ("s_time_cipher.txt", &["1: 1649 in 3 s, 549.67/s printed 1963.1, 0 B [33.3%]"]),
            ("s_time_new.txt", &["1: 1372 in 3 s, 457.33/s printed 1633.33, 0 B [33.3%]"]),
        ];
        let samples = trial::samples("openssl_s_time");
        assert_eq!(samples.len(), expected.len());
        for ((name, text), (file, says)) in samples.iter().zip(expected) {
            assert_eq!(name, file);
            let found: Vec<String> = read(text).iter().map(brief).collect();
            assert_eq!(found, says, "{file}");
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        for (from, to, reason) in [
            ("1372 connections in 3 real", "0 connections in 3 real", "0 connections in 3 s"),
            ("in 3 real", "in 0 real", "1372 connections in 0 s"),
            ("in 3 real", "in 99999999 real", "1372 connections in 99999999 s is not possible"),
            (
                "1372 connections in 3",
                "1371 connections in 3",
                "1372 connections, or 1371: the output contradicts itself",
            ),
            ("1372 conn", "18446744073709551615 conn", "18446744073709551615 connections in 3 s is not possible"),
            ("1372 conn", "18446744073709551616 conn", "the output ends before"),
            ("1372 conn", "nan conn", "the output ends before"),
        ] {
            let text = NEW.replace(from, to);
            assert_ne!(text, NEW);
            let refused = only(&text).unwrap_err();
            assert!(refused.starts_with(reason), "{refused}");
        }
    }

    #[test]
    fn a_part_may_lack_its_beginning() {
        let output = only(
            "10 connections in 0.1s; 100.00 connections/user sec, bytes read 5\n10 connections in 5 real seconds, 0 b",
        );
        assert_eq!(output.unwrap().rate, Some(2.0));
        assert_eq!(only("10 connections in 4 real seconds, 0 bytes read per connection").unwrap().rate, Some(2.5));
        assert_eq!(read("10 connections in 4 pools\n3 connections in 2.5s\n"), []);
    }

    #[test]
    fn whole_seconds_do_not_matter_in_long_runs() {
        let remarks = |seconds| only(&format!("90000 connections in {seconds} real seconds")).unwrap().remarks;
        assert_eq!(remarks("199"), [Remark::WholeSeconds { share: "0.5%".to_owned() }]);
        assert_eq!(remarks("200"), []);
    }

    #[test]
    fn several_outputs_are_found_in_order() {
        let found = read(&format!("{NEW}{BOTH}{NEW}"));
        assert_eq!(found.len(), 4);
        assert!(found.iter().all(|found| found.output.is_ok()), "{found:?}");
        let told: Vec<_> = found.iter().filter_map(|found| found.output.as_ref().ok()?.parameters.duration_s).collect();
        assert_eq!(told, [2.0, 1.0, 1.0, 2.0]);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC*", cut in damaged([BOTH, NEW])) {
            let _ = (read(&text), read(&cut));
        }

        #[test]
        fn text_around_changes_nothing(before in noise(), after in noise()) {
            let around = format!("{}\n{NEW}\n{}", before.join("\n"), after.join("\n"));
            prop_assert_eq!(only(&around), only(NEW));
        }
    }
}

//! `openssl speed`: one output for each kind of key that signs, from the table or from `-mr`.
//!
//! The rate is of signatures per second, on all processes together with `-multi`. Without `-elapsed` a second is one of
//! the CPU time that the processes used, so that an accelerator's rate comes out too high ([`Remark::CpuTime`]);
//! `-multi` measures elapsed time by itself (seen in 3.0: six processes on two CPUs share the time). That elapsed time
//! is measured is only said on standard error, and not with `-mr`; a command line in the text tells it too.
//!
//! Lines of `-mr` hold operations per second in later versions and seconds per operation in 1.0.2 and 1.1.0. As no
//! verification takes a second, the number for verification tells which. Where the table's time has more digits than
//! its rate, it tells the rate. From 3.2 on, RSA has two more columns, and keys are measured again in a table of
//! signature algorithms, which is read for the kinds that only stand there. Verifications, decryptions, key exchange
//! and symmetric algorithms are not read: an output of nothing else is refused. An engine that could not be loaded is
//! remarked; the tool goes on in software then.
//!
//! Seen in real outputs: 3.0, with all switches above. The other versions are read as their documentation and public
//! outputs show them.

use std::collections::HashSet;

use super::lines::{Lines, Shown, number};
use super::{Found, Output, Parameters, Refusal, Remark, Tool};

/// Signatures per second, more than any machine makes.
const FASTEST: f64 = 1e9;

/// The outputs of `openssl speed` in a text.
pub(super) fn read(text: &str) -> Vec<Found> {
    let lines = Lines::of(text);
    let mut found = Vec::new();
    let mut run = Run::default();
    let mut table = Table::None;
    let mut before = "";
    for (line, text) in lines {
        let seen = Line::of(text, before, &mut table);
        before = text;
        let Some(seen) = seen else { continue };
        if let Line::Refused(reason) = seen {
            found.push(refused(line, format!("openssl speed refused to run: {reason}")));
            continue;
        }
        if run.is_over_at(&seen) {
            found.extend(std::mem::take(&mut run).found());
        }
        run.take(line, seen);
    }
    found.extend(run.found());
    found.sort_by_key(|found| found.line);
    found
}

fn refused(line: usize, reason: String) -> Found {
    Found { line, tool: Tool::OpensslSpeed, output: Err(Refusal { line, reason }) }
}

/// The table that a line is in, where its rows cannot be told by themselves.
#[derive(Clone, Copy, PartialEq)]
enum Table {
    None,
    /// Bytes per second.
    Symmetric,
    /// Signature algorithms of 3.2 and later.
    Signatures,
    /// Key encapsulation.
    Encapsulation,
}

/// A line of an output.
enum Line<'a> {
    /// A command that runs the tool.
    Command {
        elapsed: bool,
    },
    /// Elapsed time is measured.
    Elapsed,
    /// The engine could not be loaded.
    NoEngine(&'a str),
    /// One of several processes.
    Child,
    /// What is measured now, and for how many seconds.
    Progress(Option<f64>),
    /// Progress or results of a child.
    Begun,
    Version(Option<&'a str>),
    /// The head of a table.
    Head,
    Signatures(Row),
    /// A row without signatures, by its name.
    Other(String),
    /// The tool did nothing.
    Refused(&'a str),
}

/// The signatures of one kind of key.
struct Row {
    key: String,
    /// Whether it is of the table of signature algorithms.
    again: bool,
    rate: Result<Rate, String>,
}

/// Signatures per second.
#[derive(Clone, Copy)]
struct Rate {
    precise: f64,
    printed: Option<f64>,
}

impl<'a> Line<'a> {
    fn of(text: &'a str, before: &'a str, table: &mut Table) -> Option<Self> {
        let trimmed = text.trim();
        let words: Vec<&str> = trimmed.split_whitespace().collect();
        if let Some(head) = Table::headed(trimmed) {
            *table = head;
            return Some(Self::Head);
        }
        if let Some(row) = table.row(&words) {
            return Some(row);
        }
        if !words.is_empty() && words.first() != Some(&"type") {
            *table = Table::None;
        }
        Self::remark(trimmed, before).or_else(|| machine_readable(trimmed)).or_else(|| key_row(&words))
    }

    /// Everything but results.
    fn remark(text: &'a str, before: &'a str) -> Option<Self> {
        if let Some(rest) = text.strip_prefix("speed: ") {
            return rest.contains("nknown").then_some(Self::Refused(rest));
        }
        if text == "Error: bad option or value" {
            return Some(Self::Refused(text));
        }
        if text.starts_with("You have chosen to measure elapsed time") {
            return Some(Self::Elapsed);
        }
        if text.starts_with("Invalid engine \"") || text.starts_with("invalid engine \"") {
            return Some(Self::NoEngine(text));
        }
        if text.starts_with("built on: ") {
            return Some(Self::Version(version(before)));
        }
        if text.starts_with("Forked child ") {
            return Some(Self::Child);
        }
        if text.starts_with("Got: +F") || ["+DTP:", "+DT:", "+R1:"].iter().any(|start| text.starts_with(start)) {
            let seconds = text.strip_prefix("+DTP:").and_then(|rest| number(rest.rsplit(':').next()?));
            return Some(if seconds.is_some() { Self::Progress(seconds) } else { Self::Begun });
        }
        if let Some((_, rest)) = text.strip_prefix("Doing ").and_then(|rest| rest.split_once(" for ")) {
            let seconds = rest.split(['s', ' ', ':']).next().and_then(number)?;
            return Some(Self::Progress(Some(seconds)));
        }
        let (_, arguments) = text.split_once("openssl speed ")?;
        Some(Self::Command { elapsed: arguments.split_whitespace().any(|word| word == "-elapsed") })
    }
}

/// The version in the line before `built on:`.
fn version(line: &str) -> Option<&str> {
    let line = line.trim();
    line.strip_prefix("version: ").or_else(|| line.strip_prefix("OpenSSL ")?.split_whitespace().next())
}

impl Table {
    fn headed(text: &str) -> Option<Self> {
        match text.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["The", "'numbers'", "are", "in", "1000s", "of", "bytes", ..] => Some(Self::Symmetric),
            ["keygen", "encaps", "decaps", ..] => Some(Self::Encapsulation),
            ["keygen", "signs" | "sign", "verify", ..] => Some(Self::Signatures),
            ["sign", "verify", .., "sign/s", "verify/s"] | ["sign", "verify", "encrypt", "decrypt", ..] => {
                Some(Self::None)
            }
            ["op", "op/s"] => Some(Self::None),
            _ => None,
        }
    }

    /// A row that only its table tells.
    fn row<'a>(self, words: &[&str]) -> Option<Line<'a>> {
        match self {
            Self::None => None,
            Self::Symmetric => {
                let is_value = |word: &&str| number(word.strip_suffix('k').unwrap_or(word)).is_some();
                let values = words.iter().rev().take_while(|word| is_value(word)).count();
                let name = words.get(..words.len() - values).filter(|name| !name.is_empty() && values > 0)?;
                Some(Line::Other(name.join(" ")))
            }
            Self::Signatures | Self::Encapsulation => {
                let [name, columns @ ..] = words else { return None };
                let (times, rates) = split_columns(columns)?;
                match (self, times.as_slice(), rates.as_slice()) {
                    (Self::Signatures, [_, time, _], [_, rate, _]) => {
                        let rate = table_rate(time, rate);
                        Some(Line::Signatures(Row { key: name.to_lowercase(), again: true, rate }))
                    }
                    _ => Some(Line::Other((*name).to_owned())),
                }
            }
        }
    }
}

/// Times, which end in `s`, and as many rates or fewer; nothing if the first is no time.
fn split_columns<'a>(words: &[&'a str]) -> Option<(Vec<&'a str>, Vec<&'a str>)> {
    let times: Vec<&str> = words.iter().map_while(|word| word.strip_suffix('s')).collect();
    let rates = words.get(times.len()..).unwrap_or_default().to_vec();
    (!times.is_empty() && rates.len() <= times.len()).then_some((times, rates))
}

/// A row that names its kind of key: `rsa 2048 bits …` or `256 bits ecdsa (nistp256) …`.
fn key_row<'a>(words: &[&str]) -> Option<Line<'a>> {
    let (name, columns) = match words {
        [kind @ ("rsa" | "dsa"), bits, "bits", columns @ ..] => (named_key(kind, bits, None), columns),
        [bits, "bits" | "bit", kind @ ("ecdsa" | "EdDSA" | "SM2"), curve, columns @ ..] => {
            (named_key(kind, bits, Some(curve.strip_prefix('(')?.strip_suffix(')')?)), columns)
        }
        [_, "bits" | "bit", kind @ ("ecdh" | "ffdh"), ..] => return Some(Line::Other((*kind).to_owned())),
        _ => return None,
    };
    // Log lines may begin with the same words.
    columns.first().filter(|word| word.starts_with(|c: char| c.is_ascii_digit()) || ["infs", "nans"].contains(word))?;
    let rate = match split_columns(columns) {
        Some((times, rates)) if times.len() == rates.len() && times.len() >= 2 => {
            match (times.as_slice(), rates.as_slice()) {
                ([time, ..], [rate, ..]) => table_rate(time, rate),
                _ => Err("the row ends early".to_owned()),
            }
        }
        _ => Err(format!("the row ends early: {}", words.join(" "))),
    };
    Some(Line::Signatures(Row { key: name?, again: false, rate }))
}

/// The name that `openssl speed` is given for a kind of key.
fn named_key(kind: &str, bits: &str, curve: Option<&str>) -> Option<String> {
    let bits = bits.parse::<u32>().ok()?;
    let Some(curve) = curve else { return Some(format!("{kind}{bits}")) };
    let families = [("nistp", "p"), ("secp", "p"), ("nistk", "k"), ("nistb", "b"), ("brainpoolP", "brp")];
    let family = families.into_iter().find_map(|(long, short)| Some((short, curve.strip_prefix(long)?)));
    Some(match (kind, family) {
        // `secp160r1` is `ecdsap160`.
        ("ecdsa", Some(("p", size))) => format!("ecdsap{}", size.trim_end_matches("r1")),
        ("ecdsa", Some((family, size))) => format!("ecdsa{family}{size}"),
        ("EdDSA", _) => curve.to_lowercase(),
        ("SM2", _) => "sm2".to_owned(),
        _ => format!("{kind}-{curve}"),
    })
}

/// The rate of a row, from its time and its rate, which tell the same with different precision.
fn table_rate(time: &str, rate: &str) -> Result<Rate, String> {
    let Some(rate_shown) = Shown::number(rate).filter(|rate| rate.value > 0.0) else {
        return Err(format!("{rate} signatures per second"));
    };
    let printed = rate_shown.value;
    if printed > FASTEST {
        return Err(format!("{rate} signatures per second are more than any machine makes"));
    }
    let time_shown = Shown::number(time).ok_or_else(|| format!("{time} s for a signature"))?;
    let seconds = time_shown.value;
    let tolerance = time_shown.step / 2.0 + rate_shown.step / 2.0 / printed.powi(2) + 0.01 * seconds;
    if (seconds - 1.0 / printed).abs() > tolerance {
        return Err(format!("{time} s for a signature contradict {rate} signatures per second"));
    }
    let time_is_better = seconds > 0.0 && time_shown.uncertainty() < rate_shown.uncertainty();
    Ok(Rate { precise: if time_is_better { 1.0 / seconds } else { printed }, printed: Some(printed) })
}

/// A result of `-mr`.
fn machine_readable<'a>(text: &str) -> Option<Line<'a>> {
    let fields: Vec<&str> = text.strip_prefix("+F")?.split(':').collect();
    let (key, values) = match fields.as_slice() {
        ["2", _, bits, values @ ..] => (named_key("rsa", bits, None)?, values),
        ["3", _, bits, values @ ..] => (named_key("dsa", bits, None)?, values),
        // The first curves are the same in all versions; others can't be told by their size alone.
        ["4", "0" | "1" | "2" | "3" | "4" | "5", bits, values @ ..] => {
            (format!("ecdsap{}", bits.parse::<u32>().ok()?), values)
        }
        ["4", _, bits, values @ ..] => (format!("ecdsa{}", bits.parse::<u32>().ok()?), values),
        ["6" | "7", _, bits, name, values @ ..] if bits.parse::<u32>().is_ok() => (name.to_lowercase(), values),
        ["", _, name, ..] => return Some(Line::Other((*name).to_owned())),
        ["5", ..] => return Some(Line::Other("ecdh".to_owned())),
        ["8", ..] => return Some(Line::Other("ffdh".to_owned())),
        ["9" | "10", ..] => return Some(Line::Begun),
        _ => return None,
    };
    let rate = match values {
        [sign, verify, ..] => machine_rate(sign, verify),
        _ => Err(format!("the line ends early: {text}")),
    };
    Some(Line::Signatures(Row { key, again: false, rate }))
}

/// The rate of a `-mr` line, whose numbers are operations per second or seconds per operation.
fn machine_rate(sign: &str, verify: &str) -> Result<Rate, String> {
    let Some(value) = number(sign).filter(|value| *value > 0.0) else {
        return Err(format!("{sign} signatures per second"));
    };
    let telling = number(verify).filter(|verify| *verify > 0.0).unwrap_or(value);
    let (precise, printed) = if telling >= 1.0 { (value, Some(value)) } else { (1.0 / value, None) };
    if precise > FASTEST {
        return Err(format!("{precise} signatures per second are more than any machine makes"));
    }
    Ok(Rate { precise, printed })
}

/// One run of the tool.
#[derive(Default)]
struct Run {
    /// Where it was seen to have begun.
    begun: Option<usize>,
    last: usize,
    version: Option<String>,
    elapsed: bool,
    children: u64,
    told_s: Option<f64>,
    no_engine: Option<String>,
    rows: Vec<(usize, Row)>,
    /// The kinds of keys in them, and whether of the table of signature algorithms.
    keys: HashSet<(String, bool)>,
    /// What was measured without signatures.
    others: Vec<String>,
}

impl Run {
    /// Whether a line belongs to the next run: it stands before results, and there are some; or it is a result once
    /// more.
    fn is_over_at(&self, line: &Line) -> bool {
        match line {
            Line::Command { .. } => true,
            Line::Signatures(row) => self.keys.contains(&(row.key.clone(), row.again)),
            Line::Head | Line::Other(_) | Line::Refused(_) => false,
            _ => !self.rows.is_empty() || !self.others.is_empty(),
        }
    }

    fn take(&mut self, line: usize, seen: Line) {
        if !matches!(seen, Line::Command { .. } | Line::Elapsed | Line::NoEngine(_) | Line::Version(_)) {
            self.begun.get_or_insert(line);
            self.last = line;
        }
        match seen {
            Line::Command { elapsed } => self.elapsed = elapsed,
            Line::Elapsed => self.elapsed = true,
            Line::NoEngine(text) => self.no_engine = Some(text.to_owned()),
            Line::Child => {
                self.children += 1;
                self.elapsed = true;
            }
            Line::Progress(seconds) => self.told_s = seconds,
            Line::Version(version) => self.version = version.map(str::to_owned),
            Line::Signatures(row) => {
                self.keys.insert((row.key.clone(), row.again));
                self.rows.push((line, row));
            }
            Line::Other(name) => self.others.push(name),
            Line::Begun | Line::Head | Line::Refused(_) => {}
        }
    }

    fn found(mut self) -> Vec<Found> {
        let rows = std::mem::take(&mut self.rows);
        if let Some(begun) = self.begun.filter(|_| rows.is_empty()) {
            let reason = match self.others.as_slice() {
                [] => "there is no table, only progress: the output ends early, or its table went elsewhere".to_owned(),
                others => format!("no signatures were measured, only {}", others.join(", ")),
            };
            return vec![Found { line: begun, ..refused(self.last, reason) }];
        }
        // From 3.2 on the same key is measured a second time.
        let first = |row: &Row| !row.again || !self.keys.contains(&(row.key.clone(), false));
        rows.iter().filter(|(_, row)| first(row)).map(|(line, row)| self.row_found(*line, row)).collect()
    }

    fn row_found(&self, line: usize, row: &Row) -> Found {
        let output = match &row.rate {
            Ok(rate) => Ok(self.output(&row.key, *rate)),
            Err(reason) => Err(Refusal { line, reason: format!("{}: {reason}", row.key) }),
        };
        Found { line, tool: Tool::OpensslSpeed, output }
    }

    fn output(&self, key: &str, rate: Rate) -> Output {
        let cpu = (!self.elapsed).then_some(Remark::CpuTime);
        let no_engine = self.no_engine.clone().map(|text| Remark::EngineMissing { text });
        Output {
            version: self.version.clone(),
            parameters: Parameters {
                threads: Some(self.children).filter(|children| *children > 0),
                duration_s: self.told_s,
                ..Parameters::default()
            },
            rate: Some(rate.precise),
            rate_printed: rate.printed,
            key_type: Some(key.to_owned()),
            remarks: cpu.into_iter().chain(no_engine).collect(),
            ..Output::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::trial::{damaged, noise, samples};
    use super::*;
    use proptest::prelude::*;

    const TABLE: &str = include_str!("../../../tests/data/outputs/openssl_speed/speed_rsa2048.txt");
    const LATER: &str = include_str!("../../../tests/data/outputs/openssl_speed/made_up_3_5.txt");
    const MULTI: &str = include_str!("../../../tests/data/outputs/openssl_speed/speed_rsa2048_multi2.txt");
    const MACHINE: &str = include_str!("../../../tests/data/outputs/openssl_speed/speed_mixed_mr.txt");
    const NO_ENGINE: &str = include_str!("../../../tests/data/outputs/openssl_speed/joined_engine_kae_missing.txt");

    /// What a file is expected to say, as read by eye.
    fn brief(found: &Found) -> String {
        match &found.output {
            Ok(output) => format!(
                "{}: {} {:.3}{}{}{}",
                found.line,
                output.key_type.as_deref().unwrap(),
                output.rate.unwrap(),
                output.version.as_deref().map(|version| format!(" v{version}")).unwrap_or_default(),
                output.parameters.threads.map(|threads| format!(" x{threads}")).unwrap_or_default(),
                output.remarks.iter().map(|remark| format!(" {remark:?}")).collect::<String>(),
            ),
            Err(refusal) => format!("{}: {}", refusal.line, refusal.reason),
        }
    }

    fn briefs(text: &str) -> Vec<String> {
        read(text).iter().map(brief).collect()
    }

    #[test]
    fn every_file_says_what_stands_in_it() {
        let progress = |line| {
            vec![format!(
                "{line}: there is no table, only progress: the output ends early, or its table went elsewhere"
            )]
        };
        let says = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
        let expected = [
            ("conf_missing_so_speed.stderr.txt", progress(2)),
            ("conf_missing_so_speed.txt", says(&["7: rsa2048 2890.300 v3.0.22 CpuTime"])),
            (
                "joined_engine_kae_missing.txt",
                says(&["18: rsa2048 2621.000 v3.0.22 EngineMissing { text: \"Invalid engine \\\"kae\\\"\" }"]),
            ),
            ("made_up_1_0_2_mr.txt", says(&["2: rsa2048 724.113 CpuTime", "3: ecdsap256 10000.000 CpuTime"])),
            (
                "made_up_1_1_1_kae.txt",
                says(&["10: rsa2048 18484.200 v1.1.1k CpuTime", "11: rsa15360 6.893 v1.1.1k CpuTime"]),
            ),
            (
                "made_up_3_5.txt",
                says(&[
                    "16: rsa2048 2011.000 v3.5.1",
                    "18: ecdsap384 1230.000 v3.5.1",
                    "23: ml-dsa-65 1666.700 v3.5.1",
                ]),
            ),
            (
                "made_up_sign_failure.txt",
                says(&[
                    "5: rsa2048: 0.0 signatures per second",
                    "6: rsa4096: the row ends early: rsa 4096 bits 0.00254",
                ]),
            ),
            ("run_multi6_mr.txt", says(&["13: rsa2048 1014.073 x6"])),
            ("speed_async_jobs8.stderr.txt", progress(3)),
            ("speed_async_jobs8.txt", says(&["7: rsa2048 2655.500 v3.0.22 CpuTime"])),
            ("speed_bad_alg.stderr.txt", says(&["1: openssl speed refused to run: Unknown algorithm rsa2047"])),
            ("speed_bad_alg.txt", says(&[])),
            ("speed_ecdsap256.stderr.txt", progress(2)),
            ("speed_ecdsap256.txt", says(&["7: ecdsap256 41362.400 v3.0.22 CpuTime"])),
            ("speed_engine_dasync.stderr.txt", progress(11)),
            ("speed_engine_dasync.txt", says(&["7: rsa2048 2538.000 v3.0.22 CpuTime"])),
            ("speed_engine_kae_missing.stderr.txt", progress(11)),
            ("speed_engine_kae_missing.txt", says(&["7: rsa2048 2621.000 v3.0.22 CpuTime"])),
            ("speed_evp_aes.stderr.txt", progress(7)),
            ("speed_evp_aes.txt", says(&["8: no signatures were measured, only AES-128-GCM"])),
            ("speed_mixed_mr.stderr.txt", progress(15)),
            ("speed_mixed_mr.txt", says(&["3: rsa2048 2798.925 CpuTime"])),
            ("speed_rsa2048.stderr.txt", progress(2)),
            ("speed_rsa2048.txt", says(&["7: rsa2048 2761.400 v3.0.22 CpuTime"])),
            ("speed_rsa2048_elapsed.stderr.txt", progress(3)),
            ("speed_rsa2048_elapsed.txt", says(&["7: rsa2048 2316.900 v3.0.22 CpuTime"])),
            ("speed_rsa2048_mr.stderr.txt", progress(3)),
            ("speed_rsa2048_mr.txt", says(&["1: rsa2048 2817.647 CpuTime"])),
            ("speed_rsa2048_multi2.stderr.txt", progress(6)),
            ("speed_rsa2048_multi2.txt", says(&["11: rsa2048 2947.000 v3.0.22 x2"])),
        ];
        let samples = samples("openssl_speed");
        assert_eq!(samples.len(), expected.len());
        for ((name, text), (file, says)) in samples.iter().zip(expected) {
            assert_eq!(name, file);
            assert_eq!(briefs(text), says, "{file}");
        }
    }

    #[test]
    fn rows_of_all_kinds_are_read() {
        for (row, says) in [
            ("dsa 2048 bits 0.000484s 0.000372s   2064.4   2691.0", "1: dsa2048 2064.400 CpuTime"),
            (" 256 bit ecdsa (nistp256)   0.0001s   0.0001s  19651.5   6923.0", "1: ecdsap256 19651.500 CpuTime"),
            (" 160 bits ecdsa (secp160r1)   0.0001s   0.0001s  9651.5   6923.0", "1: ecdsap160 9651.500 CpuTime"),
            (" 283 bits ecdsa (nistk283)   0.0002s   0.0004s  4651.5   2323.0", "1: ecdsak283 4651.500 CpuTime"),
            (" 256 bits ecdsa (brainpoolP256r1) 0.0005s 0.0004s 2051.5 2323.0", "1: ecdsabrp256r1 2051.500 CpuTime"),
            (" 253 bits EdDSA (Ed25519)   0.0001s   0.0003s  10529.0   3933.0", "1: ed25519 10529.000 CpuTime"),
            (" 256 bits SM2 (CurveSM2)   0.0003s   0.0003s   3529.0   3433.0", "1: sm2 3529.000 CpuTime"),
            ("+F3:2:2048:3162.000000:4014.583333", "1: dsa2048 3162.000 CpuTime"),
            ("+F4:3:256:39474.468085:13742.000000", "1: ecdsap256 39474.468 CpuTime"),
            ("+F4:16:256:2474.468085:2742.000000", "1: ecdsa256 2474.468 CpuTime"),
            ("+F6:0:253:Ed25519:20204.081633:7089.795918", "1: ed25519 20204.082 CpuTime"),
            ("+F2:2:2048:2011.0:70022.0:65001.0:1999.0", "1: rsa2048 2011.000 CpuTime"),
        ] {
            assert_eq!(briefs(row), [says]);
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        for (row, says) in [
            ("rsa 2048 bits 0.000362s 0.000019s   nan  52106.3", "1: rsa2048: nan signatures per second"),
            ("rsa 2048 bits 0.000362s 0.000019s   inf  52106.3", "1: rsa2048: inf signatures per second"),
            ("rsa 2048 bits 0.000362s 0.000019s  -5.0  52106.3", "1: rsa2048: -5.0 signatures per second"),
            (
                "rsa 2048 bits 0.000362s 0.000019s 9999.9 52106.3",
                "1: rsa2048: 0.000362 s for a signature contradict 9999.9 signatures per second",
            ),
            (
                "rsa 2048 bits 0.000000s 0.000019s 99999999999.9 52106.3",
                "1: rsa2048: 99999999999.9 signatures per second are more than any machine makes",
            ),
            (
                "rsa 2048 bits 0.000362s 0.000019s 2761.4",
                "1: rsa2048: the row ends early: rsa 2048 bits 0.000362s 0.000019s 2761.4",
            ),
            ("+F2:2:2048:0.000000:52579.3", "1: rsa2048: 0.000000 signatures per second"),
            ("+F2:2:2048:2798.9", "1: rsa2048: the line ends early: +F2:2:2048:2798.9"),
            ("+F:25:sha256:92502795.06", "1: no signatures were measured, only sha256"),
            (" 256 bits ecdh (nistp256)   0.0001s   9579.2", "1: no signatures were measured, only ecdh"),
            ("Error: bad option or value", "1: openssl speed refused to run: Error: bad option or value"),
        ] {
            assert_eq!(briefs(row), [says]);
        }
    }

    #[test]
    fn elapsed_time_is_of_one_run() {
        let row = "rsa 2048 bits 0.000362s 0.000019s   2761.4  52106.3";
        let notice = "You have chosen to measure elapsed time instead of user CPU time.";
        assert_eq!(briefs(&format!("$ openssl speed -elapsed rsa2048\n{row}")), ["2: rsa2048 2761.400"]);
        assert_eq!(
            briefs(&format!("{notice}\n{row}\n$ openssl speed rsa2048\n{row}\n{row}\n{notice}\n{row}\n{TABLE}")),
            [
                "2: rsa2048 2761.400",
                "4: rsa2048 2761.400 CpuTime",
                "5: rsa2048 2761.400 CpuTime",
                "7: rsa2048 2761.400",
                "14: rsa2048 2761.400 v3.0.22 CpuTime"
            ]
        );
    }

    #[test]
    fn other_text_is_none() {
        for text in [
            "rsa 2048 bits key",
            "speed: 12 MB/s",
            "OpenSSL 3.0.22 1 Jan 2026",
            "version: 3.0.22\nbuilt on: x",
            "+Fine",
        ] {
            assert_eq!(read(text), [], "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(
            text in "\\PC*",
            cut in damaged([TABLE, LATER, MULTI, MACHINE, NO_ENGINE]),
        ) {
            let _ = (read(&text), read(&cut));
        }

        #[test]
        fn damage_makes_no_other_rate(cut in damaged([TABLE, LATER, MULTI, NO_ENGINE])) {
            let whole: Vec<_> = [TABLE, LATER, MULTI, NO_ENGINE].into_iter().flat_map(read).collect();
            let rate = |found: &Found| found.output.as_ref().ok()?.rate;
            let rates = |found: &[Found]| found.iter().filter_map(rate).collect::<Vec<_>>();
            // The second measurement of a key counts where the first is lost.
            let known = [rates(&whole), vec![1988.1]].concat();
            prop_assert!(rates(&read(&cut)).iter().all(|rate| known.contains(rate)));
        }

        #[test]
        fn text_around_changes_nothing(before in noise(), after in noise()) {
            for text in [TABLE, LATER, MULTI, MACHINE, NO_ENGINE] {
                let around = format!("{}\n{text}\n{}", before.join("\n"), after.join("\n"));
                let outputs = |text: &str| read(text).into_iter().map(|found| found.output.ok()).collect::<Vec<_>>();
                prop_assert_eq!(outputs(&around), outputs(text));
            }
        }
    }
}

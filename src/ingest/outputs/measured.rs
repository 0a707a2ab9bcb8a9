//! From what is printed to a rate of good responses, and words for outputs without one. Count, duration and printed
//! rate are each rounded in their own way and must fit each other.

use super::Errors;
use super::lines::{self, Shown};

/// What a tool measured, as far as it matters to the rate.
#[derive(Debug)]
pub(super) struct Measurement<'a> {
    /// Good responses.
    pub(super) good: u64,
    /// What the printed rate may count, the likeliest first. Versions of a tool differ in it.
    pub(super) counted: &'a [u64],
    /// The time that the rate is over, in seconds.
    pub(super) duration: Shown,
    /// The rate as it is printed.
    pub(super) rate: Shown,
}

/// A rate of good responses.
#[derive(Debug, PartialEq)]
pub(super) struct GoodRate {
    /// Good responses per second.
    pub(super) per_second: f64,
    /// Whether the printed rate counts others too.
    pub(super) counts_bad: bool,
}

impl Measurement<'_> {
    /// The rate of good responses, or why it cannot be.
    pub(super) fn good_rate(&self) -> Result<GoodRate, String> {
        let Self { good, counted, duration, rate } = *self;
        let likeliest = counted.first().copied().unwrap_or(good);
        plausible(counted.iter().copied().max().unwrap_or(good), duration)?;
        let contradiction = |count| lines::contradiction(count, &time(duration.value), duration, rate);
        match counted.iter().copied().find(|count| contradiction(*count).is_none()) {
            // An uncertain duration excuses a rate of nothing.
            Some(all) if rate.value > 0.0 => {
                Ok(GoodRate { per_second: lines::rate(good, all, rate, duration), counts_bad: all > good })
            }
            _ => Err(contradiction(likeliest).unwrap_or_else(|| format!("{} requests per second", rate.value))),
        }
    }
}

/// Whether so many requests can have been sent in this time.
pub(super) fn plausible(requests: u64, duration: Shown) -> Result<(), String> {
    match lines::implausible(requests, &time(duration.value), duration) {
        Some(reason) => Err(reason),
        None => Ok(()),
    }
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s > 0.0 && s < 1e-3 => format!("{:.2} us", s * 1e6),
        s if s > 0.0 && s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

/// The sum, or the largest number where there is no larger.
pub(super) fn total(counts: impl Iterator<Item = u64>) -> u64 {
    counts.fold(0, u64::saturating_add)
}

/// The reason of an output in which nothing is good.
pub(super) fn all_failed(requests: u64, errors: &Errors) -> String {
    let kinds = [
        (errors.connect, "connect errors"),
        (errors.tls, "TLS errors"),
        (errors.read, "read errors"),
        (errors.write, "write errors"),
        (errors.timeout, "timeouts"),
        (errors.status, "responses with a failing status"),
        (errors.other, "other errors"),
    ];
    let kinds: Vec<String> = kinds
        .iter()
        .filter_map(|(count, kind)| count.filter(|count| *count > 0).map(|count| format!("{count} {kind}")))
        .collect();
    match errors.other == Some(requests) || kinds.is_empty() {
        true => format!("all {requests} requests failed"),
        false => format!("all {requests} requests failed ({})", kinds.join(", ")),
    }
}

/// Adds failures of which the tool prints the message of its HTTP library.
pub(super) fn add_failures(errors: &mut Errors, message: &str, count: u64) {
    let message = message.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| message.contains(word));
    // A connect that times out is a timeout, so the order matters.
    let kind = if says(&["timeout", "timed out", "deadline"]) {
        &mut errors.timeout
    } else if says(&["certificate", "x509", "tls", "handshake"]) {
        &mut errors.tls
    } else if says(&["refused", "dial ", "connect:", "dns", "lookup", "resolve"]) {
        &mut errors.connect
    } else if says(&["write:", "broken pipe"]) {
        &mut errors.write
    } else if says(&["read:", "eof", "reset", "closed"]) {
        &mut errors.read
    } else {
        &mut errors.other
    };
    *kind = Some(kind.unwrap_or(0).saturating_add(count));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rate(good: u64, counted: &[u64], duration: &str, rate: &str) -> Result<GoodRate, String> {
        let duration = Shown::seconds(duration).unwrap();
        Measurement { good, counted, duration, rate: Shown::number(rate).unwrap() }.good_rate()
    }

    #[test]
    fn the_more_precise_of_two_is_taken() {
        // The printed rate has eight digits, the duration four.
        assert_eq!(rate(5000, &[5000], "0.1674 s", "29875.5069").unwrap().per_second, 29_875.506_9);
        // A truncated rate against a precise duration.
        let truncated = rate(5000, &[5000], "17.192s", "290").unwrap().per_second;
        assert!((truncated - 290.833).abs() < 0.001, "{truncated}");
    }

    #[test]
    fn bad_responses_are_taken_out() {
        let half = rate(500, &[1000, 500], "2.0000 s", "500.0000").unwrap();
        assert_eq!(half, GoodRate { per_second: 250.0, counts_bad: true });
        let same = rate(500, &[1000, 500], "2.0000 s", "250.0000").unwrap();
        assert_eq!(same, GoodRate { per_second: 250.0, counts_bad: false });
    }

    #[test]
    fn what_cannot_be_is_refused() {
        for (count, duration, printed, reason) in [
            (833_071, "1.25ms", "1", "833071 requests in 1.25 ms is more than any client sends"),
            (10, "0.00s", "0", "10 requests in 0.00 s"),
            (0, "1.00s", "0", "0 requests in 1.00 s"),
            (10, "307445734491m", "1", "10 requests in 18446744069460.00 s, which is longer than any test"),
            (10, "1.00s", "0.00", "0 requests per second are not 10 requests in 1.00 s"),
            (10, "1.00s", "-3", "-3 requests per second are not 10 requests in 1.00 s"),
            (10, "1.00s", "50", "50 requests per second are not 10 requests in 1.00 s"),
        ] {
            assert_eq!(rate(count, &[count], duration, printed), Err(reason.to_owned()));
        }
    }

    #[test]
    fn failures_are_sorted_by_their_message() {
        let kind = |message: &str| {
            let mut errors = Errors::default();
            add_failures(&mut errors, message, 7);
            all_failed(7, &errors)
        };
        for (message, of) in [
            ("Get \"http://h/\": dial tcp 127.0.0.1:1: connect: connection refused", "connect errors"),
            ("Connection refused (os error 111)", "connect errors"),
            ("invalid peer certificate: Other(OtherError(CaUsedAsEndEntity))", "TLS errors"),
            ("context deadline exceeded (Client.Timeout exceeded while awaiting headers)", "timeouts"),
            ("read tcp 127.0.0.1:1->127.0.0.1:2: read: connection reset by peer", "read errors"),
            ("write tcp 127.0.0.1:1: write: broken pipe", "write errors"),
        ] {
            assert_eq!(kind(message), format!("all 7 requests failed (7 {of})"));
        }
        assert_eq!(kind("something else"), "all 7 requests failed");
    }

    proptest! {
        #[test]
        fn no_number_makes_it_panic(good: u64, all: u64, value in any::<f64>(), step in any::<f64>()) {
            let printed = Shown { value, step };
            let _ = Measurement { good, counted: &[all, good], duration: printed, rate: printed }.good_rate();
            let _ = Measurement { good, counted: &[], duration: printed, rate: printed }.good_rate();
        }
    }
}

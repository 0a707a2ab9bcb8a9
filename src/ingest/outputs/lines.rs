//! What the readers of load tools share: lines by number, labels, numbers with a unit, and what cannot be. Nothing here
//! trusts a text: what is no finite number is absent.

/// The lines of a text.
pub(super) enum Lines {}

impl Lines {
    /// Every line with its number, counted from 1.
    pub(super) fn of(text: &str) -> Vec<(usize, &str)> {
        (1..).zip(text.lines()).collect()
    }
}

/// What stands behind a label at the start of a line, without the spaces around it.
pub(super) fn after<'a>(line: &'a str, label: &str) -> Option<&'a str> {
    line.trim_start().strip_prefix(label).map(str::trim)
}

/// A finite number, with or without commas between thousands.
pub(super) fn number(text: &str) -> Option<f64> {
    let text = without_commas(text.trim())?;
    // The standard parser takes words too: `nan`, `inf`, `infinity`.
    let words = text.contains(|c: char| c.is_alphabetic() && !matches!(c, 'e' | 'E'));
    text.parse().ok().filter(|number: &f64| !words && number.is_finite())
}

/// A whole number that is not negative, with or without commas between thousands.
pub(super) fn count(text: &str) -> Option<u64> {
    let text = without_commas(text.trim())?;
    // The standard parser takes a plus sign.
    text.parse().ok().filter(|_| text.starts_with(|c: char| c.is_ascii_digit()))
}

/// A time with its unit, in milliseconds.
pub(super) fn milliseconds(text: &str) -> Option<f64> {
    let (digits, unit) = split_unit(text);
    let value = number(digits)?;
    let milliseconds = match unit {
        "ns" => value / 1e6,
        // Two characters look like mu: the micro sign and the Greek letter.
        "us" | "µs" | "μs" => value / 1e3,
        "ms" => value,
        "s" | "sec" | "secs" | "seconds" => value * 1e3,
        "m" => value * 60e3,
        "h" => value * 3_600e3,
        _ => return None,
    };
    Some(milliseconds).filter(|time| time.is_finite())
}

/// A time with its unit, in seconds.
pub(super) fn seconds(text: &str) -> Option<f64> {
    milliseconds(text).map(|time| time / 1e3)
}

/// A number with a prefix of magnitude and perhaps `B` behind it, such as `1.2k` or `3.41MB`; `base` is 1000 or 1024.
pub(super) fn scaled(text: &str, base: f64) -> Option<f64> {
    let (digits, unit) = split_unit(text);
    let value = number(digits)?;
    let prefix = unit.strip_suffix(['B', 'b']).unwrap_or(unit);
    let power = match prefix.strip_suffix('i').unwrap_or(prefix) {
        "" => 0,
        "k" | "K" => 1,
        "M" => 2,
        "G" => 3,
        "T" => 4,
        "P" => 5,
        _ => return None,
    };
    Some(value * base.powi(power)).filter(|value| value.is_finite())
}

/// A number as it is shown: the digits that are left out make it uncertain by up to a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Shown {
    /// As read.
    pub(super) value: f64,
    /// What one more in the last digit adds.
    pub(super) step: f64,
}

impl Shown {
    /// A plain number.
    pub(super) fn number(text: &str) -> Option<Self> {
        Self::scaled(text, number(text)?)
    }

    /// A time with its unit, in seconds.
    pub(super) fn seconds(text: &str) -> Option<Self> {
        let seconds = seconds(text)?;
        Self::scaled(split_unit(text).0, seconds)
    }

    /// `digits` stand for `value`, perhaps in another unit.
    fn scaled(digits: &str, value: f64) -> Option<Self> {
        let (digits, exponent) = digits.trim().split_once(['e', 'E']).unwrap_or((digits.trim(), "0"));
        let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let last = exponent.parse::<i32>().ok()?.checked_sub(i32::try_from(decimals).ok()?)?;
        let unit = number(&format!("{digits}e{exponent}")).filter(|shown| *shown != 0.0);
        let unit = unit.map_or(1.0, |shown| value / shown);
        Some(Self { value, step: unit * 10_f64.powi(last) })
    }

    /// The step in parts of the value.
    pub(super) fn uncertainty(self) -> f64 {
        if self.value == 0.0 { f64::INFINITY } else { (self.step / self.value).abs() }
    }
}

/// The rate of `part` of `all` responses, from the printed rate of all or from the duration: whichever is shown more
/// precisely.
pub(super) fn rate(part: u64, all: u64, printed: Shown, duration: Shown) -> f64 {
    if part == all && printed.uncertainty() <= duration.uncertainty() {
        printed.value
    } else if printed.uncertainty() <= duration.uncertainty() {
        printed.value * part as f64 / all as f64
    } else {
        part as f64 / duration.value
    }
}

/// A hundred million responses of a hundred bytes a second fill a line of 80 Gbit/s.
const MOST_PER_SECOND: f64 = 1e8;

/// No load test runs longer.
const LONGEST_S: f64 = 30.0 * 24.0 * 3600.0;

/// Why so many requests in such a time cannot be, or are nothing; `shown` is the time as printed.
pub(super) fn implausible(requests: u64, shown: &str, duration: Shown) -> Option<String> {
    let seconds = duration.value;
    if requests == 0 || seconds.is_nan() || seconds <= 0.0 {
        Some(format!("{requests} requests in {shown}"))
    } else if seconds > LONGEST_S {
        Some(format!("{requests} requests in {shown}, which is longer than any test"))
    } else if requests as f64 / seconds > MOST_PER_SECOND {
        Some(format!("{requests} requests in {shown} is more than any client sends"))
    } else {
        None
    }
}

/// The rate in a time that is known to its last digit, or why it cannot be.
pub(super) fn exact_rate(requests: u64, seconds: f64) -> Result<f64, String> {
    if seconds > LONGEST_S {
        return Err(format!("a duration of {:.0} days is longer than any test", seconds / 86_400.0));
    }
    let shown = if seconds > 0.0 && seconds < 1.0 {
        let text = format!("{:.6}", seconds * 1e3);
        format!("{} ms", text.trim_end_matches('0').trim_end_matches('.'))
    } else {
        format!("{seconds} s")
    };
    match implausible(requests, &shown, Shown { value: seconds, step: 0.0 }) {
        Some(reason) => Err(reason),
        None => Ok(requests as f64 / seconds),
    }
}

/// Why a printed rate is not the one of so many requests in such a time, as far as their digits tell.
pub(super) fn contradiction(requests: u64, shown: &str, duration: Shown, printed: Shown) -> Option<String> {
    let least = requests as f64 / (duration.value + duration.step);
    let shortest = duration.value - duration.step;
    let most = if shortest > 0.0 { requests as f64 / shortest } else { f64::INFINITY };
    // Binary fractions of decimal steps.
    let slack = printed.step * 1.001;
    let fits = (least - slack..=most + slack).contains(&printed.value);
    (!fits).then(|| format!("{} requests per second are not {requests} requests in {shown}", printed.value))
}

/// The digits of a number and the unit behind them.
fn split_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (digits, unit) = text.split_at(text.find(char::is_alphabetic).unwrap_or(text.len()));
    (digits.trim_end(), unit)
}

/// The digits without commas; nothing where the commas do not stand between thousands.
fn without_commas(text: &str) -> Option<String> {
    let (whole, _) = text.split_once('.').unwrap_or((text, ""));
    let mut groups = whole.trim_start_matches(['-', '+']).split(',');
    let first = groups.next()?;
    let mut rest = groups.peekable();
    let grouped = rest.peek().is_none()
        || ((1..=3).contains(&first.len()) && rest.all(|g| g.len() == 3 && g.bytes().all(|b| b.is_ascii_digit())));
    // A comma behind the point separates no thousands.
    (grouped && text.matches(',').count() == whole.matches(',').count()).then(|| text.replace(',', ""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_are_counted_from_one() {
        assert_eq!(Lines::of("a\n\nb\n"), [(1, "a"), (2, ""), (3, "b")]);
        assert!(Lines::of("").is_empty());
    }

    #[test]
    fn a_label_stands_at_the_start() {
        assert_eq!(after("  Requests/sec:   12.5 ", "Requests/sec:"), Some("12.5"));
        assert_eq!(after("$ Requests/sec: 12.5", "Requests/sec:"), None);
    }

    #[test]
    fn numbers_are_finite_and_alone() {
        assert_eq!(number(" 1,234.5 "), Some(1234.5));
        assert_eq!(number("-3"), Some(-3.0));
        assert_eq!(number("1e3"), Some(1000.0));
        for text in ["", "-", "nan", "-nan", "inf", "infinity", "1e999", "12 34", "1,23", "1.2,345", ",123", "12s"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn counts_are_whole_and_not_negative() {
        assert_eq!(count("18446744073709551615"), Some(u64::MAX));
        assert_eq!(count("1,000,000"), Some(1_000_000));
        for text in ["", "-1", "+1", "1.0", "18446744073709551616", "10,00", "1 2"] {
            assert_eq!(count(text), None, "{text}");
        }
    }

    #[test]
    fn times_have_a_unit() {
        for (text, milliseconds_expected) in [
            ("1.25ms", 1.25),
            ("370.00us", 0.37),
            ("370µs", 0.37),
            ("370μs", 0.37),
            ("2.1s", 2100.0),
            ("1.5m", 90_000.0),
            ("0.2h", 720_000.0),
            ("12 ms", 12.0),
            ("3.1 secs", 3100.0),
        ] {
            let time = milliseconds(text).unwrap();
            assert!((time - milliseconds_expected).abs() < 1e-9, "{text} is {time}");
        }
        assert_eq!(seconds("250ms"), Some(0.25));
        for text in ["", "ms", "12", "12 apples", "nan ms", "-nan", "1.0 2.0ms", "1e308h"] {
            assert_eq!(milliseconds(text), None, "{text}");
        }
    }

    #[test]
    fn prefixes_are_powers_of_the_base() {
        assert_eq!(scaled("1.5k", 1000.0), Some(1500.0));
        assert_eq!(scaled("2.00KB", 1024.0), Some(2048.0));
        assert_eq!(scaled("2MiB", 1024.0), Some(2_097_152.0));
        assert_eq!(scaled("3 GB", 1000.0), Some(3e9));
        assert_eq!(scaled("17B", 1024.0), Some(17.0));
        assert_eq!(scaled("17", 1024.0), Some(17.0));
        for text in ["", "k", "1.5q", "-nan", "1kk"] {
            assert_eq!(scaled(text, 1000.0), None, "{text}");
        }
    }

    #[test]
    fn shown_numbers_are_as_sharp_as_their_digits() {
        let duration = Shown::seconds("2.03s").unwrap();
        assert!((duration.value - 2.03).abs() < 1e-9 && (duration.step - 0.01).abs() < 1e-9);
        let minutes = Shown::seconds("1.50m").unwrap();
        assert!((minutes.value - 90.0).abs() < 1e-9 && (minutes.step - 0.6).abs() < 1e-9);
        assert!((Shown::number("856").unwrap().uncertainty() - 1.0 / 856.0).abs() < 1e-12);
        // A large number as C++ prints it.
        assert_eq!(Shown::number("1.25e+06"), Some(Shown { value: 1.25e6, step: 1e4 }));
        assert_eq!(Shown::number("-nan"), None);
    }

    #[test]
    fn the_sharper_number_gives_the_rate() {
        let duration = Shown::seconds("2.03s").unwrap();
        let rate_of = |part, all, printed| rate(part, all, Shown::number(printed).unwrap(), duration);
        assert_eq!(rate_of(1788, 1788, "881.87"), 881.87);
        assert!((rate_of(894, 1788, "881.87") - 440.935).abs() < 1e-9);
        assert!((rate_of(20, 20, "10") - 9.852).abs() < 1e-3);
    }

    #[test]
    fn what_cannot_be_is_named() {
        let why = |requests, shown| implausible(requests, shown, Shown::seconds(shown).unwrap());
        assert_eq!(why(833_071, "1.25ms").unwrap(), "833071 requests in 1.25ms is more than any client sends");
        assert_eq!(why(0, "307445734491.26m").unwrap(), "0 requests in 307445734491.26m");
        assert!(why(5, "307445734491.26m").unwrap().ends_with("longer than any test"));
        assert_eq!(why(5, "0.00s").unwrap(), "5 requests in 0.00s");
        assert_eq!(why(5, "-1.00s").unwrap(), "5 requests in -1.00s");
        assert_eq!(why(1788, "2.03s"), None);

        let against = |requests, shown, rate| {
            contradiction(requests, shown, Shown::seconds(shown).unwrap(), Shown::number(rate).unwrap())
        };
        assert_eq!(against(1788, "2.03s", "881.87"), None);
        assert_eq!(against(10, "0.001s", "10245.90"), None);
        assert_eq!(against(499, "2.08s", "250.00").unwrap(), "250 requests per second are not 499 requests in 2.08s");
    }

    #[test]
    fn rates_are_plausible() {
        assert_eq!(exact_rate(100, 2.0), Ok(50.0));
        assert_eq!(exact_rate(0, 0.0).unwrap_err(), "0 requests in 0 s");
        assert_eq!(exact_rate(5, f64::NAN).unwrap_err(), "5 requests in NaN s");
        assert_eq!(exact_rate(5, 1e9).unwrap_err(), "a duration of 11574 days is longer than any test");
        assert_eq!(
            exact_rate(833_071, 0.00125).unwrap_err(),
            "833071 requests in 1.25 ms is more than any client sends"
        );
    }

    proptest! {
        #[test]
        fn no_text_makes_a_reader_panic(text in "\\PC*", label in "\\PC{0,3}") {
            let _ = (number(&text), count(&text), milliseconds(&text), seconds(&text), scaled(&text, 1024.0));
            let _ = (after(&text, &label), Lines::of(&text), Shown::number(&text), Shown::seconds(&text));
        }
    }
}

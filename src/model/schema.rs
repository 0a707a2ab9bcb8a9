//! The columns that a run can have: name, role, what a value may be, unit and better direction.
//!
//! This table is the only place that knows them. Any column that is not in it is a further factor.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::Level;
use crate::error::{InputError, instead, one_of};

/// What a column says about a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// A property that is varied or held.
    Factor,
    /// Where the run stands in the design: replicate, block, server start.
    Design,
    /// What was measured.
    Metric,
}

/// Which way a metric is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// More is better.
    Higher,
    /// Less is better.
    Lower,
    /// Neither by itself.
    Neither,
}

/// What values a column takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Any text.
    Text,
    /// A whole number or any text: design columns and further factors.
    Label,
    /// One of these, in any case.
    Choice(&'static [&'static str]),
    /// Any text; these are known, and are the same in any case.
    Named(&'static [&'static str]),
    /// `8C16G`: virtual CPUs and memory in GiB.
    VmSize,
    /// A whole number, at least this.
    Whole {
        /// The least value.
        least: i64,
    },
    /// A number above zero, within what anything measured can be ([`MEASURABLE`]).
    Positive,
    /// A number from 0 to 100.
    Percent,
}

/// A known column.
#[derive(Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name in CSV headers, frames and arguments.
    pub name: &'static str,
    /// Its role.
    pub role: Role,
    /// What values it takes.
    pub kind: Kind,
    /// Unit of a metric.
    pub unit: &'static str,
    /// Better direction of a metric.
    pub better: Better,
}

const fn factor(name: &'static str, kind: Kind) -> Column {
    Column { name, role: Role::Factor, kind, unit: "", better: Better::Neither }
}

const fn design(name: &'static str) -> Column {
    Column { name, role: Role::Design, kind: Kind::Label, unit: "", better: Better::Neither }
}

const fn metric(name: &'static str, kind: Kind, unit: &'static str, better: Better) -> Column {
    Column { name, role: Role::Metric, kind, unit, better }
}

const COUNT: Kind = Kind::Whole { least: 0 };
const AT_LEAST_ONE: Kind = Kind::Whole { least: 1 };

/// The known columns, in canonical order.
pub const COLUMNS: &[Column] = &[
    factor("study", Kind::Text),
    factor("cpu", Kind::Text),
    factor("platform", Kind::Choice(&["bare_metal", "vm", "container"])),
    factor("vm_size", Kind::VmSize),
    factor("vcpus", AT_LEAST_ONE),
    factor("memory_gib", Kind::Positive),
    factor("workers", AT_LEAST_ONE),
    factor("tls_mode", Kind::Choice(&["sync", "async"])),
    factor("accelerator", Kind::Named(&["none", "kae", "vkae"])),
    factor("soft_ratio", Kind::Percent),
    factor("connection", Kind::Choice(&["short", "long"])),
    factor("tool", Kind::Text),
    factor("tool_version", Kind::Text),
    factor("connections", AT_LEAST_ONE),
    factor("threads", AT_LEAST_ONE),
    factor("requests", AT_LEAST_ONE),
    factor("instances", AT_LEAST_ONE),
    factor("duration_s", Kind::Positive),
    factor("protocol", Kind::Text),
    factor("cipher", Kind::Text),
    factor("key_type", Kind::Text),
    design("replicate"),
    design("block"),
    design("start"),
    metric("rps", Kind::Positive, "requests/s", Better::Higher),
    metric("rps_printed", Kind::Positive, "requests/s", Better::Higher),
    metric("sign_per_s", Kind::Positive, "signatures/s", Better::Higher),
    metric("latency_mean_ms", Kind::Positive, "ms", Better::Lower),
    metric("latency_p50_ms", Kind::Positive, "ms", Better::Lower),
    metric("latency_p90_ms", Kind::Positive, "ms", Better::Lower),
    metric("latency_p99_ms", Kind::Positive, "ms", Better::Lower),
    metric("latency_max_ms", Kind::Positive, "ms", Better::Lower),
    metric("errors", COUNT, "errors", Better::Lower),
    metric("errors_connect", COUNT, "errors", Better::Lower),
    metric("errors_read", COUNT, "errors", Better::Lower),
    metric("errors_write", COUNT, "errors", Better::Lower),
    metric("errors_timeout", COUNT, "errors", Better::Lower),
    metric("errors_status", COUNT, "errors", Better::Lower),
    metric("errors_tls", COUNT, "errors", Better::Lower),
    metric("cpu_util", Kind::Percent, "%", Better::Neither),
    metric("client_cpu_util", Kind::Percent, "%", Better::Neither),
    metric("queues_min", COUNT, "queues", Better::Neither),
    metric("connects", COUNT, "connections", Better::Neither),
    metric("bytes_received", COUNT, "B", Better::Neither),
    metric("handshakes_full", COUNT, "handshakes", Better::Neither),
    metric("handshakes_resumed", COUNT, "handshakes", Better::Neither),
];

/// What a measured value can be in any unit used here. Values beyond are slips, and their ratios would overflow.
pub const MEASURABLE: std::ops::RangeInclusive<f64> = 1e-12..=1e15;

/// Factors that follow from `vm_size`: they may be asked for, but hold no condition of their own.
pub const DERIVED: [&str; 2] = ["vcpus", "memory_gib"];

/// The name of a column as it is kept: known names in lower case, others as they are.
pub fn canonical_name(name: &str) -> &str {
    let name = name.trim();
    COLUMNS.iter().find(|column| column.name.eq_ignore_ascii_case(name)).map_or(name, |column| column.name)
}

/// The known column of that name.
pub fn column(name: &str) -> Option<&'static Column> {
    COLUMNS.iter().find(|column| column.name == name)
}

/// The kind of a column by name; unknown columns are labels.
pub fn kind(name: &str) -> Kind {
    column(name).map_or(Kind::Label, |column| column.kind)
}

/// The role of a column by name; unknown columns are factors.
pub fn role(name: &str) -> Role {
    column(name).map_or(Role::Factor, |column| column.role)
}

/// The metric of that name, or an error that lists those there are.
pub fn metric_named(name: &str) -> Result<&'static Column, InputError> {
    column(name).filter(|column| column.role == Role::Metric).ok_or_else(|| {
        let metrics = COLUMNS.iter().filter(|column| column.role == Role::Metric).map(|column| column.name);
        InputError::new(format!("{name:?} is not a metric"), instead(name, metrics))
    })
}

/// A known column whose name is so near to `name` that a slip of the pen is likely.
pub fn similar(name: &str) -> Option<&'static str> {
    let folded = name.to_lowercase().replace([' ', '-'], "_");
    COLUMNS
        .iter()
        .map(|column| (strsim::normalized_damerau_levenshtein(&folded, column.name), column.name))
        .filter(|(likeness, _)| *likeness >= 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

impl Column {
    /// Orders two levels of this column: numbers by size, known names in their order, `none` first; other names are
    /// equal here and keep the order in which they appeared.
    pub fn order(column: &str, a: &Level, b: &Level) -> Ordering {
        let rank = |level: &Level| -> usize {
            let Level::Text(text) = level else { return 0 };
            match self::column(column).map(|known| known.kind) {
                Some(Kind::Choice(choices)) => {
                    choices.iter().position(|choice| choice == text).unwrap_or(choices.len())
                }
                Some(Kind::Named(names)) => usize::from(names.first() != Some(&text.as_str())),
                _ => 0,
            }
        };
        match (a, b) {
            (Level::Text(_), Level::Text(_)) => rank(a).cmp(&rank(b)),
            _ => a.cmp(b),
        }
    }
}

impl Kind {
    /// Whether values are whole numbers, and so kept as integers.
    pub fn is_whole(self) -> bool {
        matches!(self, Self::Whole { .. })
    }

    /// Whether values are numbers with a fraction.
    pub fn is_fractional(self) -> bool {
        matches!(self, Self::Positive | Self::Percent)
    }

    /// Reads a value as people write it: thousands separated by commas, percent signs where percent is meant.
    /// `Level::Unknown` for an empty text.
    pub fn parse(self, text: &str) -> Result<Level, InputError> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Level::Unknown);
        }
        match self {
            Self::Label if is_canonical_integer(text) => {
                Ok(text.parse().map_or_else(|_| Level::from(text), Level::Integer))
            }
            // "1.10" stays a text: as a number it would be another one.
            Self::Label if text.parse::<f64>().is_ok_and(|value| value.is_finite() && value.to_string() == text) => {
                Ok(text.parse().map_or_else(|_| Level::from(text), Level::Number))
            }
            Self::Text | Self::Label => self.check_text(text).map(|()| Level::from(text)),
            Self::Choice(names) | Self::Named(names) => {
                let folded = text.to_ascii_lowercase();
                let known = names.iter().copied().find(|name| *name == folded);
                known.map_or_else(|| self.check_text(text).map(|()| Level::from(text)), |name| Ok(Level::from(name)))
            }
            Self::VmSize => self.check_text(text).map(|()| Level::Text(text.to_ascii_uppercase())),
            Self::Whole { .. } => {
                let number = parse_number(text).ok_or_else(|| self.refuse(&format!("{text:?}")))?;
                self.check_number(number).map_err(|_| self.refuse(&format!("{text:?}")))?;
                Ok(Level::Integer(number as i64))
            }
            Self::Positive | Self::Percent => {
                let digits = if self == Self::Percent {
                    text.strip_suffix(['%', '％']).unwrap_or(text).trim_end()
                } else {
                    text
                };
                let number = parse_number(digits).ok_or_else(|| self.refuse(&format!("{text:?}")))?;
                self.check_number(number).map_err(|_| self.refuse(&format!("{text:?}")))?;
                Ok(Level::number(number))
            }
        }
    }

    /// Checks a number.
    pub fn check_number(self, number: f64) -> Result<(), InputError> {
        // Whole numbers beyond 2^53 are not exact as floating point.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        let right = match self {
            Self::Text | Self::Label | Self::Choice(_) | Self::Named(_) | Self::VmSize => false,
            Self::Whole { least } => number.fract() == 0.0 && number >= least as f64 && number <= EXACT,
            Self::Positive => MEASURABLE.contains(&number),
            Self::Percent => (0.0..=100.0).contains(&number),
        };
        if right { Ok(()) } else { Err(self.refuse(&number.to_string())) }
    }

    /// Checks a text.
    pub fn check_text(self, text: &str) -> Result<(), InputError> {
        let right = match self {
            Self::Text | Self::Label | Self::Named(_) => !text.chars().any(char::is_control),
            Self::Choice(choices) => choices.contains(&text),
            Self::VmSize => vm_size(text).is_some(),
            Self::Whole { .. } | Self::Positive | Self::Percent => false,
        };
        if right { Ok(()) } else { Err(self.refuse(&format!("{text:?}"))) }
    }

    /// The error for a value that is not of this kind.
    pub fn refuse(self, value: &str) -> InputError {
        let (problem, remedy) = match self {
            Self::Text | Self::Label | Self::Named(_) => {
                ("holds control characters", "write plain text on one line".to_owned())
            }
            Self::Choice(choices) => ("is not a level of this factor", format!("write {}", one_of(choices))),
            Self::VmSize => ("is not a VM size", "write virtual CPUs and memory in GiB, such as 8C16G".to_owned()),
            Self::Whole { least } => (
                "is not a whole number in range",
                format!("write a whole number from {least} up, such as 4 or 128,000"),
            ),
            Self::Positive => {
                ("is not a number above zero, up to 1e15", "write a number such as 5102, 5,102 or 120340.5".to_owned())
            }
            Self::Percent => ("is not a percentage", "write a number from 0 to 100, such as 33 or 33%".to_owned()),
        };
        InputError::new(format!("{value} {problem}"), remedy)
    }
}

/// Whether a text is a whole number exactly as it would be printed, so that keeping the number loses nothing (`007` and
/// `+7` stay text).
fn is_canonical_integer(text: &str) -> bool {
    text.parse::<i64>().is_ok_and(|value| value.to_string() == text)
}

/// `8C16G` → 8 virtual CPUs and 16 GiB.
pub fn vm_size(text: &str) -> Option<(i64, f64)> {
    let (cpus, memory) = text.strip_suffix(['G', 'g'])?.split_once(['C', 'c'])?;
    let digits = |part: &str| !part.is_empty() && part.len() <= 6 && part.bytes().all(|byte| byte.is_ascii_digit());
    let (cpus, memory) = (digits(cpus).then(|| cpus.parse().ok())??, digits(memory).then(|| memory.parse().ok())??);
    (cpus > 0 && memory > 0.0).then_some((cpus, memory))
}

/// A finite number in plain or scientific notation, its thousands separated by commas or not at all. `1,5` is refused:
/// it is five tenths to some and nothing to others.
pub fn parse_number(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    // Rust would also read `inf`, `nan` and `infinity`.
    if !unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let plain = if unsigned.contains(',') {
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let mut groups = whole.split(',');
        let first = groups.next().unwrap_or_default();
        // `0,500` is no grouped number, but a half to some.
        let grouped = (1..=3).contains(&first.len())
            && !first.starts_with('0')
            && groups.all(|group| group.len() == 3)
            && whole.bytes().all(|byte| byte.is_ascii_digit() || byte == b',')
            && fraction.bytes().all(|byte| byte.is_ascii_digit());
        grouped.then(|| text.replace(',', ""))?
    } else {
        text.to_owned()
    };
    plain.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_as_people_write_them() {
        for (text, value) in [
            ("5102", 5102.0),
            ("5,102", 5102.0),
            ("1,234,567.5", 1_234_567.5),
            (".5", 0.5),
            ("1e3", 1000.0),
            ("-3", -3.0),
        ] {
            assert_eq!(parse_number(text), Some(value), "{text}");
        }
        for text in [
            "1,5", "0,500", "00,700", "12,34", "1,2345", ",100", "1 000", "1.000,5", "inf", "NaN", "-inf", "0x10", "",
            "1e999", "12a", "5，102",
        ] {
            assert_eq!(parse_number(text), None, "{text}");
        }
    }

    #[test]
    fn vm_sizes() {
        assert_eq!(vm_size("8C16G"), Some((8, 16.0)));
        assert_eq!(vm_size("8c16g"), Some((8, 16.0)));
        for text in ["8C", "C16G", "8C16", "0C16G", "8C16GB", "-1C2G", "八C十六G", "99999999999C1G"] {
            assert_eq!(vm_size(text), None, "{text}");
        }
    }

    #[test]
    fn slips_of_the_pen_are_seen() {
        assert_eq!(similar("worker"), Some("workers"));
        assert_eq!(similar("TLS mode"), Some("tls_mode"));
        assert_eq!(similar("latency_p9_ms"), Some("latency_p99_ms"));
        assert_eq!(similar("colour"), None);
    }

    proptest! {
        #[test]
        fn grouping_never_changes_a_number(value in 0u64..10_000_000_000) {
            prop_assert_eq!(parse_number(&crate::language::count(value)), Some(value as f64));
        }

        #[test]
        fn no_text_makes_a_kind_panic(text in any::<String>()) {
            for column in COLUMNS {
                if let Ok(level) = column.kind.parse(&text) {
                    prop_assert!(!matches!(level, Level::Number(n) if !n.is_finite()));
                }
            }
        }
    }
}

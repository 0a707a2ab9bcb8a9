//! Measured values as people write them in tables: with marks of footnotes, thousands separated by spaces that do not break,
//! full-width digits, or in units of ten thousand.

use crate::error::InputError;
use crate::model::Level;
use crate::model::schema::Kind;

/// The value of a metric, times what the unit in the header is worth. A unit behind the number says the same once more.
///
/// # Errors
/// What is no number that can be read in one way only.
pub(super) fn metric(kind: Kind, text: &str, scale: f64) -> Result<Level, InputError> {
    let refused = match kind.parse(text) {
        Err(refused) => refused,
        Ok(level) => return times(kind, level, scale),
    };
    if text.contains('±') || text.contains("+/-") {
        return Err(InputError::new(
            format!("{text:?} is a mean and its spread"),
            "give each run a row of its own, or the mean only",
        ));
    }
    let plain = plain(text);
    let behind = [("万", 1e4), ("k", 1e3), ("K", 1e3)]
        .into_iter()
        .find_map(|(suffix, worth)| Some((plain.strip_suffix(suffix)?.trim_end(), worth)));
    let (digits, scale) = match behind {
        Some((_, worth)) if scale != 1.0 && scale != worth => return Err(refused),
        Some((digits, worth)) => (digits, worth),
        None => (plain.as_str(), scale),
    };
    times(kind, kind.parse(digits).map_err(|_| refused.clone())?, scale).map_err(|_| refused)
}

fn times(kind: Kind, level: Level, scale: f64) -> Result<Level, InputError> {
    match level.as_number() {
        Some(value) if scale != 1.0 => scaled(kind, value * scale),
        _ => Ok(level),
    }
}

/// A value in the unit of its column, without what binary fractions leave behind: 98 µs are 0.098 ms.
fn scaled(kind: Kind, value: f64) -> Result<Level, InputError> {
    let value = twelve_digits(value);
    kind.check_number(value)?;
    Ok(if kind.is_whole() { Level::Integer(value as i64) } else { Level::number(value) })
}

/// A number as people write it: 0.0462 s are 46.2 ms, not 46.199999999999996.
pub(super) fn twelve_digits(value: f64) -> f64 {
    format!("{value:.11e}").parse().unwrap_or(value)
}

/// A space at which no line breaks. Two numbers with any other between them may be two.
const BOUND: char = '\u{a0}';

/// ASCII digits and commas, without a footnote's mark and without spaces between groups of three digits.
fn plain(text: &str) -> String {
    let half = |c: char| match c {
        '０'..='９' => char::from_u32(c as u32 - '０' as u32 + '0' as u32).unwrap_or(c),
        '．' => '.',
        '，' => ',',
        '\u{2009}' | '\u{202f}' => BOUND,
        other => other,
    };
    let text: String = text.chars().map(half).collect();
    let text = text.trim_end_matches(|c: char| matches!(c, '①'..='⑳' | '*' | '†' | '‡')).trim_end();
    let mark = text.strip_suffix(']').and_then(|inside| inside.rsplit_once('['));
    let is_mark = |mark: &str| (1..=3).contains(&mark.len()) && mark.bytes().all(|byte| byte.is_ascii_digit());
    let text = mark.filter(|(_, mark)| is_mark(mark)).map_or(text, |(before, _)| before.trim_end());
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut groups = whole.split(BOUND);
    let first = groups.next().unwrap_or_default();
    let digits = |group: &str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit());
    let grouped = whole.contains(BOUND)
        && (1..=3).contains(&first.len())
        && digits(first)
        && !first.starts_with('0')
        && groups.all(|group| group.len() == 3 && digits(group))
        && !fraction.contains(BOUND);
    if grouped { text.replace(BOUND, "") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Option<f64> {
        metric(Kind::Positive, text, 1.0).ok().and_then(|level| level.as_number())
    }

    #[test]
    fn numbers_of_published_tables() {
        for (text, value) in [
            ("5,102", 5102.0),
            ("27,100 [1]", 27100.0),
            ("587①", 587.0),
            ("587*", 587.0),
            ("1\u{202f}367", 1367.0),
            ("1\u{a0}234\u{a0}567.5", 1_234_567.5),
            ("１,０２１", 1021.0),
            ("4.06k", 4060.0),
            ("0.41万", 4100.0),
            ("12.3 万", 123_000.0),
        ] {
            assert_eq!(read(text), Some(value), "{text}");
        }
        for text in [
            "643±12",
            "1 36",
            "0 367",
            "1367 2",
            "5 102 1",
            "4.06kk",
            "k",
            "[1]",
            "1.2.3",
            "5 [x]",
            "12 345 6789",
            "1,5k",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        assert!(
            metric(Kind::Positive, "643±12", 1.0).expect_err("a spread").to_string().contains("a mean and its spread")
        );
    }

    #[test]
    fn a_unit_behind_the_number_is_that_of_the_header() {
        assert_eq!(metric(Kind::Positive, "4.06k", 1e3), Ok(Level::number(4060.0)));
        assert_eq!(metric(Kind::Positive, "4.06", 1e3), Ok(Level::number(4060.0)));
        assert!(metric(Kind::Positive, "4.06k", 1e4).is_err());
    }

    #[test]
    fn units_leave_no_rest() {
        assert_eq!(scaled(Kind::Positive, 98.0 * 1e-3), Ok(Level::number(0.098)));
        assert_eq!(scaled(Kind::Whole { least: 0 }, 3.0 * 1e4), Ok(Level::Integer(30_000)));
        assert!(scaled(Kind::Whole { least: 0 }, 0.5).is_err());
    }

    proptest! {
        #[test]
        fn whatever_is_read_plainly_is_read_the_same(text in "[0-9,. kK万\\[\\]]{1,12}") {
            if let Ok(level) = Kind::Positive.parse(&text) {
                prop_assert_eq!(metric(Kind::Positive, &text, 1.0), Ok(level));
            }
        }

        #[test]
        fn spaces_between_groups_change_nothing(value in 0u64..1_000_000_000_000) {
            let grouped = crate::language::count(value).replace(',', "\u{a0}");
            prop_assert_eq!(read(&grouped), Some(value as f64).filter(|value| *value > 0.0));
        }
    }
}

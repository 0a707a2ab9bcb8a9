//! What tools written in Go print alike (vegeta, k6): durations such as `1m30.5s`.

use super::lines::{Shown, number, seconds};

/// Reads a duration of one or several parts: `145.082066ms`, `3m0s`, `1h2m3.5s`.
pub(super) fn duration(text: &str) -> Option<Shown> {
    let mut rest = text.trim();
    let mut whole: Option<Shown> = None;
    while !rest.is_empty() {
        let (value, tail) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit() && c != '.')?);
        let (unit, tail) = tail.split_at(tail.find(|c: char| c.is_ascii_digit()).unwrap_or(tail.len()));
        let unit = seconds(&format!("1{unit}"))?;
        let decimals = value.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let before = whole.map_or(0.0, |whole| whole.value);
        whole = Some(Shown {
            value: before + number(value)? * unit,
            step: unit * 0.1_f64.powi(i32::try_from(decimals).ok()?),
        });
        rest = tail;
    }
    whole.filter(|whole| whole.value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn durations_have_parts() {
        for (text, seconds, error) in [
            ("0s", 0.0, 0.5),
            ("1.5s", 1.5, 0.05),
            ("3m0s", 180.0, 0.5),
            ("1h2m3.5s", 3723.5, 0.05),
            ("166.049µs", 166.049e-6, 0.5e-9),
            ("29.998914501s", 29.998_914_501, 0.5e-9),
        ] {
            let read = duration(text).unwrap();
            let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
            assert!(close(read.value, seconds) && close(read.step / 2.0, error), "{text}: {read:?}");
        }
        for text in ["", "12", "s", "-1s", "1.2.3s", "1apple", "nan", "1m30", "99999999999999999999999999999999999"] {
            assert_eq!(duration(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[0-9.]{0,9}\\PC{0,9}[0-9.]{0,9}[hmsnµu]{0,2}") {
            let _ = duration(&text);
        }
    }
}

//! How numbers are written for people. Machine formats carry full precision instead.

/// `1234567` → `1,234,567`.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A measured value with four significant digits at least and thousands separated: `5,102`, `12.35`, `0.004212`.
pub fn measured(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    if value != 0.0 && !(1e-6..1e15).contains(&value.abs()) {
        return format!("{value:.3e}");
    }
    // Four significant digits, and never fewer than all digits before the point; of 999.99 that is 1000, not 1000.0.
    let decimals =
        |value: f64| if value == 0.0 { 0 } else { (3.0 - value.abs().log10().floor()).clamp(0.0, 12.0) as usize };
    let rounded = |decimals: usize| (value * 10f64.powi(decimals as i32)).round() / 10f64.powi(decimals as i32);
    let decimals = decimals(rounded(decimals(value)));
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    // A value that is whole carries no invented decimals.
    let fraction = if value.fract() == 0.0 { "" } else { fraction };
    let sign = if value < 0.0 { "-" } else { "" };
    let whole = whole.parse().map_or_else(|_| whole.to_owned(), count);
    if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

/// A ratio with four decimals: `2.2625`; beyond what these can tell, in scientific notation.
pub fn ratio(value: f64) -> String {
    match value {
        // So near to 1 that four decimals could not tell on which side.
        _ if value != 1.0 && (value - 1.0).abs() < 5e-5 => format!("{value:.6}"),
        _ if (1e-2..1e6).contains(&value) => format!("{value:.4}"),
        _ => format!("{value:.3e}"),
    }
}

/// The two ends of an interval of ratios: `[2.2163, 2.3097]`.
pub fn interval(low: f64, high: f64) -> String {
    format!("[{}, {}]", ratio(low), ratio(high))
}

/// A share as percent without needless decimals: 0.95 → `95%`, 0.025 → `2.5%`.
pub fn percent(share: f64) -> String {
    // Ten decimals hide the binary rounding of 0.95 × 100 and nothing a person would write.
    let text = format!("{:.10}", share * 100.0);
    format!("{}%", text.trim_end_matches('0').trim_end_matches('.'))
}

/// A p-value: three decimals, or that it is smaller than they can tell.
pub fn p_value(p: f64) -> String {
    if p < 0.001 { "<0.001".to_owned() } else { format!("{p:.3}") }
}

/// A gain, given in percent: `+126.3%`, `-0.5%`.
pub fn signed_percent(gain: f64) -> String {
    if gain.abs() < 0.05 && gain.abs() >= 5e-5 {
        let decimals = if gain.abs() >= 0.005 { 2 } else { 4 };
        return format!("{gain:+.decimals$}%");
    }
    // A gain that rounds to zero carries no sign: neither `-0.0%` nor `+0.0%` says anything.
    if gain.abs() >= 1e7 {
        return format!("{gain:+.3e}%");
    }
    let text = format!("{gain:+.1}%");
    if text == "-0.0%" || text == "+0.0%" { "0.0%".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        assert_eq!([0, 999, 1000, 120_340, 1_234_567].map(count), ["0", "999", "1,000", "120,340", "1,234,567"]);
    }

    #[test]
    fn measured_values_keep_four_significant_digits() {
        assert_eq!(
            [0.0, 5102.0, 5102.04, 12.345, 0.004_212_3, 120_340.5, 1.0, 999.99, 9.9999].map(measured),
            ["0", "5,102", "5,102", "12.35", "0.004212", "120,340", "1", "1,000", "10.00"]
        );
    }

    #[test]
    fn percentages() {
        assert_eq!([0.95, 0.025, 0.999, 1.0].map(percent), ["95%", "2.5%", "99.9%", "100%"]);
        assert_eq!(
            [126.25, -0.511, 0.001, -1e-9, 0.0].map(signed_percent),
            ["+126.2%", "-0.5%", "+0.0010%", "0.0%", "0.0%"]
        );
    }

    #[test]
    fn ratios_tell_their_side_of_one() {
        assert_eq!(
            [2.26253, 1.0, 0.99998, 0.00012, 4e7].map(ratio),
            ["2.2625", "1.0000", "0.999980", "1.200e-4", "4.000e7"]
        );
    }
}

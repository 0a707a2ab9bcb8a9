//! A forest plot: one ratio per stratum on a logarithmic axis, with its interval and a line at 1. A diamond is the
//! geometric mean over the strata. A single run is drawn hollow.

use super::Figure;
use super::axis::Axis;
use super::bars::caption;
use super::canvas::{Canvas, Type};
use super::labels::{Frame, Labels, grid};
use super::theme::{self, GAP, Ink, MARGIN, TEXT, WIDTH};
use crate::analysis::Estimate;
use crate::analysis::comparison::Comparison;
use crate::language::{Lang, column_label, text};
use crate::model::Level;
use crate::model::schema::Better;
use crate::wording;

const RADIUS: f64 = 4.0;

/// Draws the ratios of a comparison.
pub fn forest(comparison: &Comparison, lang: Lang) -> Figure {
    let strata = comparison.strata.iter().map(|stratum| (&stratum.contender, &stratum.ratio, false));
    let overall = comparison.overall.iter().map(|overall| (&overall.contender, &overall.ratio, true));
    let ratios: Vec<(&Level, &Estimate, bool)> = strata.chain(overall).collect();
    let estimates: Vec<&Estimate> = ratios.iter().map(|(_, ratio, _)| *ratio).collect();

    let title = wording::comparison_title(lang, comparison);
    let conditions = wording::settings(lang, &comparison.conditions);
    let (least, most) = extent(&estimates);
    let frame = Frame::new(lang, &title, &conditions, &captions(comparison, &estimates, (least, most), lang));
    let (headings, rows) = labels(comparison, lang);
    let labels = Labels::new(&headings, &rows, frame.top, 0.42);

    let room = estimates.iter().map(|ratio| Type::SMALL.width(&value(ratio))).fold(0.0, f64::max);
    let axis = Axis::of_ratios(least, most, (labels.right, WIDTH - MARGIN - room - GAP));
    let axis_title = axis_title(comparison, lang);
    let axis_lines = Type::SMALL.wrap(&axis_title, WIDTH - 2.0 * MARGIN);
    let ticks_bottom = labels.bottom + Type::SMALL.line_height() * 1.5;
    let bottom = ticks_bottom + Type::SMALL.line_height() * axis_lines.len() as f64;
    let colon = text(lang, "colon", &[]);
    let described = estimates.iter().zip(&rows).map(|(ratio, row)| {
        let row: Vec<&str> = row.iter().map(String::as_str).filter(|label| !label.is_empty()).collect();
        format!("{}{colon}{}", row.join(" · "), value(ratio))
    });
    let described = described.collect::<Vec<_>>().join(&text(lang, "semicolon", &[]));

    let contenders = comparison.contenders();
    Canvas::figure(&title, &format!("{axis_title}{colon}{described}"), frame.height(bottom), |canvas| {
        let base = labels.bottom + 3.0;
        grid(canvas, &axis, (frame.top, base));
        canvas.line((axis.at(1.0), frame.top), (axis.at(1.0), base), TEXT, 1.4);
        labels.draw(canvas, frame.top);
        for (index, (contender, ratio, total)) in ratios.iter().enumerate() {
            let y = labels.middle(index);
            let ink = theme::series(1 + contenders.iter().position(|known| known == contender).unwrap_or(0));
            mark(canvas, &axis, y, ratio, *total, ink);
            canvas.text((WIDTH - MARGIN, y), &value(ratio), Type { ink: TEXT, ..Type::SMALL.right() });
        }
        canvas.lines((MARGIN, ticks_bottom), &axis_lines, Type::SMALL);
        frame.draw(canvas, bottom);
    })
}

/// Headings, and the labels of each stratum and of each overall ratio. With one contender the title names it; with
/// several, or without any other label, each row does.
fn labels(comparison: &Comparison, lang: Lang) -> (Vec<String>, Vec<Vec<String>>) {
    let mut headings: Vec<String> = comparison.factors.iter().map(|factor| column_label(lang, factor)).collect();
    let named = comparison.contenders().len() > 1 || headings.is_empty();
    let contender = |level: &Level| named.then(|| wording::level(lang, &comparison.factor, level));
    let strata = comparison.strata.iter().map(|stratum| {
        let settings = stratum.settings.iter().map(|(factor, level)| wording::level(lang, factor, level));
        settings.chain(contender(&stratum.contender)).collect()
    });
    let overall = comparison.overall.iter().map(|overall| {
        let whole = text(lang, "table-overall", &[("strata", overall.strata.into())]);
        let blank = std::iter::repeat_n(String::new(), comparison.factors.len().saturating_sub(1));
        std::iter::once(whole).chain(blank).chain(contender(&overall.contender)).collect()
    });
    let rows = strata.chain(overall).collect();
    if named {
        headings.push(column_label(lang, &comparison.factor));
    }
    (headings, rows)
}

/// From where to where the axis goes: intervals are shown whole up to four times the span of the ratios on either side,
/// and end in an arrow beyond.
fn extent(estimates: &[&Estimate]) -> (f64, f64) {
    let ends =
        |end: fn(&Estimate) -> Option<f64>| estimates.iter().map(move |ratio| end(ratio).unwrap_or(ratio.estimate));
    let points = || ends(|_| None);
    let (smallest, largest) = (points().fold(f64::INFINITY, f64::min), points().fold(0.0, f64::max));
    let margin = (largest / smallest).max(4.0);
    let least = ends(|ratio| ratio.low).fold(f64::INFINITY, f64::min).max(smallest / margin);
    let most = ends(|ratio| ratio.high).fold(0.0, f64::max).min(largest * margin);
    (least, most)
}

fn captions(comparison: &Comparison, estimates: &[&Estimate], (least, most): (f64, f64), lang: Lang) -> Vec<String> {
    let hollow = [text(lang, "figure-marks-single", &[]), text(lang, "figure-marks-without", &[])];
    let mut captions = caption(lang, estimates, hollow);
    if comparison.overall.iter().any(|overall| overall.ratio.interval().is_some()) {
        captions.push(text(lang, "figure-diamond", &[]));
    }
    if estimates.iter().any(|ratio| ratio.interval().is_some_and(|(low, high)| low < least || high > most)) {
        captions.push(text(lang, "figure-arrows", &[]));
    }
    captions
}

fn axis_title(comparison: &Comparison, lang: Lang) -> String {
    let factor = &comparison.factor;
    let variables = [
        ("metric", column_label(lang, &comparison.metric).into()),
        ("factor", column_label(lang, factor).into()),
        ("baseline", wording::level(lang, factor, &comparison.baseline).into()),
    ];
    let side = match comparison.better {
        Better::Higher => text(lang, "figure-right-better", &[]),
        Better::Lower => text(lang, "figure-left-better", &[]),
        Better::Neither => String::new(),
    };
    text(lang, "figure-ratio-axis", &variables) + &side
}

/// `2.263 [2.216, 2.310]`
fn value(ratio: &Estimate) -> String {
    match ratio.interval() {
        Some((low, high)) => format!("{} [{}, {}]", short(ratio.estimate), short(low), short(high)),
        None => short(ratio.estimate),
    }
}

fn mark(canvas: &Canvas, axis: &Axis, y: f64, ratio: &Estimate, total: bool, ink: Ink) {
    let x = axis.at(ratio.estimate);
    match ratio.interval() {
        Some((low, high)) if total && !axis.is_beyond(low) && !axis.is_beyond(high) => {
            // As wide as its interval, but never so narrow that it is no diamond.
            let (left, right) = (axis.at(low).min(x - RADIUS), axis.at(high).max(x + RADIUS));
            canvas.polygon(&[(left, y), (x, y - RADIUS * 1.4), (right, y), (x, y + RADIUS * 1.4)], ink);
        }
        Some((low, high)) if total => {
            let half = RADIUS * 1.4;
            canvas.polygon(&[(x - half, y), (x, y - half), (x + half, y), (x, y + half)], ink);
            canvas.whisker(axis, (low, high), y, RADIUS);
        }
        Some((low, high)) => {
            // On top, so that a narrow interval is still seen.
            canvas.disc((x, y), RADIUS, ink);
            canvas.whisker(axis, (low, high), y, RADIUS);
        }
        None if total => {
            let corners = [
                (x - RADIUS * 1.3, y),
                (x, y - RADIUS * 1.4),
                (x + RADIUS * 1.3, y),
                (x, y + RADIUS * 1.4),
                (x - RADIUS * 1.3, y),
            ];
            for pair in corners.windows(2) {
                canvas.line(pair[0], pair[1], ink, 1.6);
            }
        }
        None => {
            canvas.disc((x, y), RADIUS, theme::PAPER);
            canvas.ring((x, y), RADIUS, ink, 1.8);
        }
    }
}

/// Ratios in a figure: three decimals, or four digits where these would say too little or too much.
fn short(ratio: f64) -> String {
    match ratio {
        _ if !(1e-3..1e5).contains(&ratio) => format!("{ratio:.2e}"),
        _ if ratio != 1.0 && (ratio - 1.0).abs() < 5e-4 => format!("{ratio:.6}"),
        _ if ratio >= 100.0 => format!("{ratio:.1}"),
        _ if ratio >= 10.0 => format!("{ratio:.2}"),
        _ => format!("{ratio:.3}"),
    }
}

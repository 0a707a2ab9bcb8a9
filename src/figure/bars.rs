//! Grouped bars of a metric: the table of cells as a picture. Every bar bears its levels at the left and its value at
//! the right, so no legend is needed. Whiskers show intervals; a single run is drawn pale.

use std::collections::BTreeSet;

use super::Figure;
use super::axis::Axis;
use super::canvas::{Canvas, Type};
use super::labels::{Frame, Labels, grid};
use super::theme::{self, GAP, MARGIN, TEXT, WIDTH};
use crate::analysis::summary::{CellSummary, Summary};
use crate::analysis::{Basis, Estimate};
use crate::language::{Lang, column_label, list, measured, percent, text};
use crate::model::{Level, Warning};
use crate::wording;

/// Draws the cells of a summary.
pub fn bars(summary: &Summary, lang: Lang) -> Figure {
    let factors: Vec<String> = summary.factors.iter().map(|factor| column_label(lang, factor)).collect();
    let metric = column_label(lang, &summary.metric);
    let title = if factors.is_empty() {
        wording::capitalised(&metric)
    } else {
        text(
            lang,
            "figure-bars",
            &[("metric", wording::capitalised(&metric).into()), ("factors", list(lang, &factors).into())],
        )
    };
    let estimates: Vec<&Estimate> = summary.cells.iter().map(|cell| &cell.mean).collect();
    let rows: Vec<Vec<String>> = summary
        .cells
        .iter()
        .map(|cell| cell.settings.iter().map(|(factor, level)| wording::level(lang, factor, level)).collect())
        .collect();
    // A wide interval of one cell must not press all bars flat: whiskers go on to half as much again and end in an arrow.
    let longest = summary.cells.iter().map(|cell| cell.mean.estimate.max(cell.maximum)).fold(0.0, f64::max);
    let farthest = summary.cells.iter().map(|cell| cell.mean.high.unwrap_or(cell.mean.estimate)).fold(0.0, f64::max);
    let most = farthest.min(longest * 1.5);
    let mut captions =
        caption(lang, &estimates, [text(lang, "figure-bars-single", &[]), text(lang, "figure-bars-without", &[])]);
    if farthest > most {
        captions.push(text(lang, "figure-arrows", &[]));
    }
    let frame = Frame::new(lang, &title, &wording::conditions(lang, summary), &captions);
    let labels = Labels::new(&factors, &rows, frame.top, 0.55);

    let value = |cell: &CellSummary| measured(cell.mean.estimate);
    let room = summary.cells.iter().map(|cell| Type::LABEL.width(&value(cell))).fold(0.0, f64::max);
    let axis = Axis::from_zero(most, (labels.right, WIDTH - MARGIN - room - GAP));
    let ticks_bottom = labels.bottom + Type::SMALL.line_height() * 1.4;
    let bottom = ticks_bottom + Type::SMALL.line_height();
    let colon = text(lang, "colon", &[]);
    let described = summary
        .cells
        .iter()
        .zip(&rows)
        .map(|(cell, row)| format!("{}{colon}{}", row.join(" · "), value(cell)))
        .collect::<Vec<_>>()
        .join(&text(lang, "semicolon", &[]));
    let description = format!("{metric}{colon}{described}");

    Canvas::figure(&title, &description, frame.height(bottom), |canvas| {
        grid(canvas, &axis, (frame.top, labels.bottom + 3.0));
        canvas.line((axis.at(0.0), frame.top), (axis.at(0.0), labels.bottom + 3.0), TEXT, 1.0);
        labels.draw(canvas, frame.top);
        for (index, cell) in summary.cells.iter().enumerate() {
            let y = labels.middle(index);
            let half = theme::LABEL * 0.55;
            let (from, to) = ((axis.at(0.0), y - half), (axis.at(cell.mean.estimate), y + half));
            let ink = theme::series(colour(summary, cell));
            if cell.mean.interval().is_some() {
                canvas.rectangle(from, to, ink, 1.0);
            } else {
                canvas.rectangle(from, to, ink, 0.35);
                canvas.frame(from, to, ink, 1.4);
            }
            let mut end = to.0;
            if let Some((low, high)) = cell.mean.interval() {
                end = end.max(axis.at(high));
                canvas.whisker(&axis, (low, high), y, half * 0.6);
            }
            canvas.text((end + GAP * 0.75, y), &value(cell), Type::LABEL);
        }
        canvas.text(
            (f64::midpoint(axis.at(0.0), axis.at(most)), ticks_bottom + Type::SMALL.line_height() * 0.4),
            &metric,
            Type::SMALL.centred(),
        );
        frame.draw(canvas, bottom);
    })
}

/// Colour tells the accelerator apart, or else the innermost factor.
fn colour(summary: &Summary, cell: &CellSummary) -> usize {
    let Some(factor) = summary.factors.iter().find(|factor| *factor == "accelerator").or(summary.factors.last()) else {
        return 1;
    };
    let mut seen: Vec<&Level> = Vec::new();
    for level in summary.cells.iter().filter_map(|cell| cell.settings.get(factor)) {
        if !seen.contains(&level) {
            seen.push(level);
        }
    }
    seen.sort_by(|a, b| crate::model::schema::Column::order(factor, a, b));
    cell.settings.get(factor).and_then(|level| seen.iter().position(|known| *known == level)).unwrap_or(0)
}

/// What the whiskers mean, and what their absence means: everywhere, or here and there.
pub(super) fn caption(lang: Lang, estimates: &[&Estimate], [single, without]: [String; 2]) -> Vec<String> {
    let mut caption = Vec::new();
    let bases: BTreeSet<Basis> =
        estimates.iter().filter(|estimate| estimate.interval().is_some()).map(|estimate| estimate.basis).collect();
    if let Some(first) = estimates.first().filter(|_| !bases.is_empty()) {
        let bases: Vec<String> = bases.into_iter().map(|basis| wording::basis(lang, basis, false)).collect();
        caption.push(text(
            lang,
            "figure-whiskers",
            &[("confidence", percent(first.confidence).into()), ("basis", list(lang, &bases).into())],
        ));
    }
    let bare: Vec<&&Estimate> = estimates.iter().filter(|estimate| estimate.interval().is_none()).collect();
    if !bare.is_empty() {
        let all_single = bare.iter().all(|estimate| estimate.warnings.contains(&Warning::SingleRun));
        caption.push(if all_single { single } else { without });
    }
    caption
}

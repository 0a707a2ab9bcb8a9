//! Effects of a two-level design.

use super::*;
use crate::analysis::effects::{Effects, Standing};
use crate::report::table::Note;

impl Tabular for Effects {
    fn table(&self, lang: Lang) -> Table {
        let notes = notes(lang, &[], &self.warnings);
        let judged = self.effects.iter().any(|effect| effect.low.is_some());
        let aliased = self.effects.iter().any(|effect| !effect.aliases.is_empty());
        let columns = vec![
            Column::plain(text(lang, "table-effect-of", &[]), "factors", FieldKind::Level),
            Column::of_fields(text(lang, "table-effect", &[]), &[("effect", Number)]),
            Column::of_fields(text(lang, "table-ratio", &[]), &[("ratio", Number)]),
            shown_if(
                judged,
                Column::of_fields(interval_title(lang, self.confidence), &[("low", Number), ("high", Number)]),
            ),
            shown_if(judged, Column::of_fields("p".to_owned(), &[("p_value", Number)])),
            shown_if(self.lenth.is_some(), Column::plain(text(lang, "table-lenth", &[]), "lenth", FieldKind::Level)),
            shown_if(aliased, Column::plain(text(lang, "table-aliases", &[]), "aliases", FieldKind::Level)),
        ];
        let joined = |factors: &[String]| {
            factors.iter().map(|factor| column_label(lang, factor)).collect::<Vec<_>>().join(" × ")
        };
        let rows = self.effects.iter().map(|effect| {
            let standing = match effect.lenth {
                None => Cell::of("", Level::Unknown),
                Some(Standing::Within) => Cell::of(text(lang, "lenth-within", &[]), Level::from("within")),
                Some(Standing::BeyondMargin) => {
                    Cell::of(text(lang, "lenth-beyond-margin", &[]), Level::from("beyond_margin"))
                }
                Some(Standing::BeyondSimultaneous) => {
                    Cell::of(text(lang, "lenth-beyond-simultaneous", &[]), Level::from("beyond_simultaneous"))
                }
            };
            let aliases: Vec<String> = effect.aliases.iter().map(|alias| joined(alias)).collect();
            let aliases_field: Vec<String> = effect.aliases.iter().map(|alias| alias.join(":")).collect();
            Row {
                cells: vec![
                    Cell::of(joined(&effect.factors), Level::Text(effect.factors.join(":"))),
                    Cell::of(format!("{:+.4}", effect.effect), Level::number(effect.effect)),
                    Cell::of(language::ratio(effect.ratio), Level::number(effect.ratio)),
                    interval_cell(effect.low, effect.high),
                    Cell::of(effect.p_value.map_or_else(String::new, language::p_value), optional(effect.p_value)),
                    standing,
                    Cell::of(aliases.join(&text(lang, "comma", &[])), Level::Text(aliases_field.join(";"))),
                ],
                total: false,
            }
        });
        let mut notes: Vec<Note> = notes.into_iter().map(|(_, _, note)| note).collect();
        let note = |code: &str, message: String| Note { mark: None, code: code.to_owned(), message };
        if self.effects.iter().any(|effect| effect.factors.len() > 1) {
            notes.push(note("ratio", text(lang, "effects-ratio", &[])));
        }
        if let (Some(sigma), Some(df), Some(share)) =
            (self.residual_sigma, self.residual_degrees_of_freedom, self.r_squared)
        {
            let variables = [
                ("sigma", format!("{sigma:.4}").into()),
                ("df", df.into()),
                ("r-squared", percent((share * 1e4).round() / 1e4).into()),
            ];
            notes.push(note("residual", text(lang, "effects-residual", &variables)));
        }
        notes.extend(self.lenth.as_ref().map(|lenth| {
            let number = |value: f64| format!("{value:.4}");
            let variables = [
                ("pse", number(lenth.pse).into()),
                ("me", number(lenth.me).into()),
                ("sme", number(lenth.sme).into()),
                ("confidence", percent(self.confidence).into()),
            ];
            note("lenth", text(lang, "effects-lenth", &variables))
        }));
        Table::new(wording::effects_title(lang, self), columns, rows.collect(), notes)
    }
}

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
        notes.extend(self.lenth.as_ref().map(|lenth| {
            let number = |value: f64| format!("{value:.4}");
            let variables = [
                ("pse", number(lenth.pse).into()),
                ("me", number(lenth.me).into()),
                ("sme", number(lenth.sme).into()),
                ("confidence", percent(self.confidence).into()),
            ];
            Note { mark: None, code: "lenth".to_owned(), message: text(lang, "effects-lenth", &variables) }
        }));
        Table::new(wording::effects_title(lang, self), columns, rows.collect(), notes)
    }
}

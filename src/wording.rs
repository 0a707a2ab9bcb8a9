//! Results in words: labels of levels, titles, and the sentences that say what a comparison comes to. Figures and reports
//! use the same ones.

use crate::analysis::claims::{Agreement, Reason, Verdict};
use crate::analysis::comparison::Comparison;
use crate::analysis::conclusion::{Certainty, Conclusion};
use crate::analysis::effects::Effects;
use crate::analysis::interaction::Interaction;
use crate::analysis::summary::Summary;
use crate::analysis::{Basis, check};
use crate::language::{self, Lang, column_label, count, level_label, signed_percent, text};
use crate::model::claim::{Claim, Statement};
use crate::model::schema::{self, Better};
use crate::model::{Level, Settings};

/// The label of a level as tables show it; `–` if it is not stated.
pub fn level(lang: Lang, factor: &str, level: &Level) -> String {
    match level {
        Level::Unknown => "–".to_owned(),
        // A date or an id is no quantity.
        Level::Integer(value) if *value >= 10_000 && schema::kind(factor).is_whole() => count(value.unsigned_abs()),
        _ => level_label(lang, factor, &level.to_string()),
    }
}

/// How the basis of an interval is called.
pub fn basis(lang: Lang, basis: Basis, single: bool) -> String {
    match basis {
        Basis::Replicates => text(lang, "basis-replicates", &[]),
        Basis::Blocks => text(lang, "basis-blocks", &[]),
        Basis::Pooled => text(lang, "basis-pooled", &[]),
        Basis::Assumed => text(lang, "basis-assumed", &[]),
        Basis::None if single => text(lang, "basis-single", &[]),
        Basis::None => text(lang, "basis-none", &[]),
    }
}

/// "Requests/s: accelerator vKAE against none", or "Requests/s by accelerator, against none" for several.
pub fn comparison_title(lang: Lang, comparison: &Comparison) -> String {
    let mut variables = vec![
        ("factor", column_label(lang, &comparison.factor).into()),
        ("baseline", level(lang, &comparison.factor, &comparison.baseline).into()),
        ("metric", capitalised(&column_label(lang, &comparison.metric)).into()),
    ];
    match comparison.contenders().as_slice() {
        [only] => {
            variables.push(("contender", level(lang, &comparison.factor, only).into()));
            text(lang, "title-comparison", &variables)
        }
        _ => text(lang, "title-comparisons", &variables),
    }
}

/// "Requests/s: effect of mode by accelerator"
pub fn interaction_title(lang: Lang, interaction: &Interaction) -> String {
    let mut contenders: Vec<String> = Vec::new();
    for stratum in &interaction.strata {
        let contender = level(lang, &interaction.factor, &stratum.contender);
        if !contenders.contains(&contender) {
            contenders.push(contender);
        }
    }
    let variables = [
        ("metric", capitalised(&column_label(lang, &interaction.metric)).into()),
        ("factor", column_label(lang, &interaction.factor).into()),
        ("contender", contenders.join("/").into()),
        ("baseline", level(lang, &interaction.factor, &interaction.baseline).into()),
        ("by", column_label(lang, &interaction.by).into()),
    ];
    text(lang, "title-interaction", &variables)
}

/// "Requests/s: effects of workers (1, 4), mode (sync, async)"
pub fn effects_title(lang: Lang, effects: &Effects) -> String {
    let factors: Vec<String> = effects
        .factors
        .iter()
        .map(|two| {
            let (low, high) = (level(lang, &two.factor, &two.low), level(lang, &two.factor, &two.high));
            format!("{} ({low} → {high})", column_label(lang, &two.factor))
        })
        .collect();
    let variables = [
        ("metric", capitalised(&column_label(lang, &effects.metric)).into()),
        ("factors", factors.join(&text(lang, "comma", &[])).into()),
    ];
    text(lang, "title-effects", &variables)
}

/// "confirmed (rounding)"
pub fn claim_verdict(lang: Lang, verdict: Verdict, agreement: Option<Agreement>, reason: Option<Reason>) -> String {
    let word = text(lang, &format!("claim-{verdict}"), &[]);
    // How a bound holds needs no word, and a note says why nothing is known of the spread.
    let how = agreement.filter(|agreement| *agreement != Agreement::Bound).map(|agreement| agreement.to_string());
    let why = reason.filter(|reason| *reason != Reason::NoSpread).map(|reason| reason.to_string());
    match how.or(why) {
        Some(how) => {
            let how = text(lang, &format!("claim-by-{how}"), &[]);
            text(lang, "claim-how", &[("verdict", word.into()), ("how", how.into())])
        }
        None => word,
    }
}

/// "inconclusive, 4 more runs"
pub fn check_verdict(lang: Lang, cell: &check::Cell) -> String {
    let word = check_word(lang, cell.verdict);
    match cell.more_runs {
        Some(more) => text(lang, "check-more", &[("verdict", word.into()), ("runs", more.into())]),
        None => word,
    }
}

/// "pass, 2 gone"
pub fn check_whole(lang: Lang, check: &check::Check) -> String {
    let word = check_word(lang, check.verdict);
    match check.gone {
        0 => word,
        _ if check.verdict == check::Verdict::Gone => word,
        gone => text(lang, "check-gone-too", &[("verdict", word.into()), ("gone", gone.into())]),
    }
}

/// "226%", "≥ 40%", "±3%"
pub fn stated(claim: &Claim, equivalence: Option<f64>) -> String {
    let number = |percent: f64| format!("{percent}%");
    match claim.statement {
        Statement::Equivalence => {
            equivalence.map_or_else(String::new, |margin| format!("±{}", language::percent(margin)))
        }
        Statement::AtLeast => claim.percent.map_or_else(String::new, |percent| format!("≥ {}", number(percent))),
        Statement::Greater => "> 0%".to_owned(),
        Statement::Gain => claim.percent.map_or_else(String::new, |percent| format!("{percent:+}%")),
        Statement::Ratio | Statement::Interaction => claim.percent.map_or_else(String::new, number),
    }
}

/// "pass"
pub fn check_word(lang: Lang, verdict: check::Verdict) -> String {
    text(lang, &format!("check-{verdict}"), &[])
}

/// With a capital first letter, as titles and column headings have it.
pub fn capitalised(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}

/// "platform VM": one text for each factor and its level.
pub fn settings(lang: Lang, settings: &Settings) -> Vec<String> {
    settings
        .iter()
        .map(|(factor, stated)| format!("{} {}", column_label(lang, factor), level(lang, factor, stated)))
        .collect()
}

/// The conditions of a summary: what is the same in all runs, and what follows from the factors that vary.
pub fn conditions(lang: Lang, summary: &Summary) -> Vec<String> {
    let following = summary.following.iter().map(|following| {
        let levels: Vec<String> =
            following.levels.iter().map(|stated| level(lang, &following.factor, stated)).collect();
        format!("{} {}", column_label(lang, &following.factor), levels.join("/"))
    });
    settings(lang, &summary.conditions).into_iter().chain(following).collect()
}

/// What a comparison comes to, in one or two sentences.
pub fn conclusion(lang: Lang, conclusion: &Conclusion) -> String {
    let named = |of: &Level| level(lang, &conclusion.factor, of);
    let (contender, baseline) = (named(&conclusion.contender), named(&conclusion.baseline));
    let gain = |ratio: f64| signed_percent(crate::analysis::gain_percent(ratio));
    let mut variables = vec![
        ("factor", column_label(lang, &conclusion.factor).into()),
        ("contender", contender.clone().into()),
        ("baseline", baseline.clone().into()),
        ("metric", column_label(lang, &conclusion.metric).into()),
        ("typical", language::ratio(conclusion.typical).into()),
        ("typical-gain", gain(conclusion.typical).into()),
    ];
    let effect = if conclusion.strata == 1 {
        text(lang, "conclusion-one", &variables)
    } else {
        variables.extend([
            ("least", language::ratio(conclusion.least).into()),
            ("most", language::ratio(conclusion.most).into()),
            ("least-gain", gain(conclusion.least).into()),
            ("most-gain", gain(conclusion.most).into()),
            ("strata", conclusion.strata.into()),
        ]);
        text(lang, "conclusion-several", &variables)
    };
    let winner = match (conclusion.better, conclusion.certainty) {
        (Better::Higher, Certainty::Above) | (Better::Lower, Certainty::Below) => Some(contender),
        (Better::Higher, Certainty::Below) | (Better::Lower, Certainty::Above) => Some(baseline),
        _ => None,
    };
    let counts: Vec<(&str, fluent_bundle::FluentValue)> = vec![
        ("confidence", language::percent(conclusion.confidence).into()),
        ("above", conclusion.above.into()),
        ("below", conclusion.below.into()),
        ("without", conclusion.without.into()),
        ("open", (conclusion.strata - conclusion.above - conclusion.below - conclusion.without).into()),
        ("strata", conclusion.strata.into()),
        ("assumed", conclusion.assumed.into()),
        ("winner", winner.clone().unwrap_or_default().into()),
    ];
    let certainty = match (conclusion.certainty, winner) {
        (Certainty::SingleRuns, _) => text(lang, "conclusion-single-runs", &counts),
        (Certainty::NoInterval, _) => text(lang, "conclusion-no-interval", &counts),
        (Certainty::Above | Certainty::Below, Some(_)) => text(lang, "conclusion-winner", &counts),
        (Certainty::Above | Certainty::Below, None) => text(lang, "conclusion-differs", &counts),
        (Certainty::NotShown, _) => text(lang, "conclusion-not-shown", &counts),
        (Certainty::Reversed, _) => text(lang, "conclusion-reversed", &counts),
        (Certainty::Mixed, _) => text(lang, "conclusion-mixed", &counts),
    };
    let effect = match conclusion.within.iter().next() {
        Some((factor, within)) => {
            let within = text(
                lang,
                "conclusion-within",
                &[("factor", column_label(lang, factor).into()), ("level", level(lang, factor, within).into())],
            );
            format!("{within}{effect}")
        }
        None => capitalised(&effect),
    };
    let space = if lang == Lang::En { " " } else { "" };
    let mut sentences = vec![effect, certainty];
    if let Some((least, most)) = conclusion.superiority.filter(|_| conclusion.better != Better::Neither) {
        let shares = [
            ("contender", named(&conclusion.contender).into()),
            ("least", language::percent((least * 100.0).round() / 100.0).into()),
            ("most", language::percent((most * 100.0).round() / 100.0).into()),
        ];
        let key = if least == most { "conclusion-superiority" } else { "conclusion-superiority-range" };
        sentences.push(text(lang, key, &shares));
    }
    if conclusion.assumed > 0 {
        sentences.push(text(lang, "conclusion-assumed", &counts));
    }
    sentences.join(space)
}

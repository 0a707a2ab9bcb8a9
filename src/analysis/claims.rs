//! Does the published sentence hold? Each claim is recomputed from the runs, stratum by stratum.

use serde::Serialize;

use super::comparison::{self, Comparing};
use super::equivalence;
use super::estimate::Estimate;
use super::interaction::{self, Interacting};
use super::scope::Scope;
use super::study;
use crate::error::{Error, Result};
use crate::language::{self, measured};
use crate::model::claim::{Claim, Statement};
use crate::model::{Level, Runs, Settings, Warning};
use crate::named::named;

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Auditing {
    /// The claims; by default those of the documented studies among the runs.
    pub claims: Option<Vec<Claim>>,
    /// How far two levels may be apart to pass for the same where a claim does not say: 0.03 for 3 %.
    pub margin: f64,
    /// Which runs, and how sure; the metric is that of each claim.
    pub scope: Scope,
}

impl Default for Auditing {
    fn default() -> Self {
        Self { claims: None, margin: 0.03, scope: Scope::default() }
    }
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Audit {
    /// Confidence of the intervals.
    pub confidence: f64,
    /// One for each claim.
    pub claims: Vec<Judged>,
}

/// A claim and what the runs say of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judged {
    /// The study it is judged on, if the runs name studies.
    pub study: Option<String>,
    /// The claim.
    pub claim: Claim,
    /// Over all strata.
    pub verdict: Verdict,
    /// The factors that tell the strata apart.
    pub factors: Vec<String>,
    /// One for each setting that the claim speaks of.
    pub strata: Vec<Stratum>,
    /// Why the runs cannot be asked at all.
    pub reason: Option<String>,
    /// What to know beside it.
    pub warnings: Vec<Warning>,
}

/// What the runs say of a claim in one setting.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stratum {
    /// Its levels of [`Judged::factors`].
    pub settings: Settings,
    /// The recomputed value in percent, of the kind that the claim states: the ratio of `ratio` and `interaction`, otherwise the
    /// gain.
    pub percent: f64,
    /// The ratio, with its interval if there is one.
    pub ratio: Estimate,
    /// How the value comes about: `7,393 / 5,102 − 1 = +44.90%`.
    pub arithmetic: String,
    /// The verdict.
    pub verdict: Verdict,
    /// How a confirmed value agrees.
    pub agreement: Option<Agreement>,
    /// Why it cannot be tested.
    pub reason: Option<Reason>,
}

/// What the runs say of a stated value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It holds at the precision with which it is stated.
    Confirmed,
    /// The effect is larger than stated.
    Understated,
    /// The effect is smaller than stated.
    Overstated,
    /// There is no such effect, or it goes the other way.
    Contradicted,
    /// Of several settings: it holds in some and not in others, which it does not say.
    PartlyConfirmed,
    /// These runs cannot tell.
    NotTestable,
}

/// How a value agrees with the stated one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Agreement {
    /// It rounds to it.
    Rounding,
    /// It is cut off to it.
    Truncation,
    /// It is another, but its interval holds the stated one.
    Interval,
    /// The interval, or without one the value itself, lies where the claim says.
    Bound,
}

/// Why a claim cannot be tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Nothing is known of the spread.
    NoSpread,
    /// The interval allows both.
    Undecided,
}

named!(Verdict, "a verdict", {
    Confirmed => "confirmed",
    Understated => "understated",
    Overstated => "overstated",
    Contradicted => "contradicted",
    PartlyConfirmed => "partly_confirmed",
    NotTestable => "not_testable",
});
named!(Agreement, "an agreement", {
    Rounding => "rounding",
    Truncation => "truncation",
    Interval => "interval",
    Bound => "bound",
});
named!(Reason, "a reason", { NoSpread => "no_spread", Undecided => "undecided" });

/// Judges claims.
///
/// # Errors
/// Runs without any claim, what [`Scope`] refuses, or a margin out of range. A claim that the runs cannot answer is no error
/// but not testable, with the reason.
///
/// ```
/// use kaeanalysis::analysis::claims::{Auditing, Verdict, audit};
/// use kaeanalysis::ingest;
///
/// let audit = audit(&ingest::documented("docker")?, &Auditing::default())?;
/// assert_eq!(audit.claims[0].verdict, Verdict::Confirmed);
/// assert_eq!(audit.claims[0].strata[0].arithmetic, "4,368 / 2,243 − 1 = +94.74%");
/// # Ok::<(), kaeanalysis::Error>(())
/// ```
pub fn audit(runs: &Runs, auditing: &Auditing) -> Result<Audit> {
    equivalence::check_margin(auditing.margin, auditing.scope.precision.confidence)?;
    let chosen = auditing.scope.filter(runs)?;
    let mut claims = Vec::new();
    match &auditing.claims {
        Some(own) => {
            for claim in own {
                claims.push(judge(None, claim, &chosen, runs, auditing));
            }
        }
        None => {
            for name in chosen.studies() {
                let (part, all) = (chosen.of_study(Some(&name))?, runs.of_study(Some(&name))?);
                for claim in study::documented_as(&name, &part)?.map_or_else(Vec::new, |dataset| dataset.claims) {
                    claims.push(judge(Some(name.clone()), &claim, &part, &all, auditing));
                }
            }
        }
    }
    if claims.is_empty() {
        return Err(Error::input(
            "there is no claim to judge",
            "name a file of claims with --claims (Python: claims=…), or give a documented study",
        ));
    }
    Ok(Audit { confidence: auditing.scope.precision.confidence, claims })
}

/// Claims judged on one study, of which the runs are a part.
pub(super) fn of_study(study: Option<&str>, claims: &[Claim], chosen: &Runs, all: &Runs, scope: &Scope) -> Audit {
    let auditing = Auditing { scope: scope.clone(), ..Auditing::default() };
    let judged = claims.iter().map(|claim| judge(study.map(ToOwned::to_owned), claim, chosen, all, &auditing));
    Audit { confidence: scope.precision.confidence, claims: judged.collect() }
}

impl Audit {
    /// Whether a claim says more than the runs do.
    pub fn fails(&self) -> bool {
        self.claims.iter().any(|judged| matches!(judged.verdict, Verdict::Overstated | Verdict::Contradicted))
    }

    /// Whether a claim could not be tested.
    pub fn is_inconclusive(&self) -> bool {
        self.claims.iter().any(|judged| judged.verdict == Verdict::NotTestable)
    }
}

/// One setting of a claim, before it is judged.
struct Measured {
    settings: Settings,
    ratio: Estimate,
    arithmetic: String,
    equivalence: Option<equivalence::Verdict>,
}

fn judge(study: Option<String>, claim: &Claim, chosen: &Runs, all: &Runs, auditing: &Auditing) -> Judged {
    match measure(claim, chosen, all, auditing) {
        Ok((factors, measured, whole, warnings)) => {
            let strata: Vec<Stratum> = measured.into_iter().map(|one| one.judged(claim)).collect();
            let verdict = overall(claim, &strata, whole.as_ref());
            Judged { study, claim: claim.clone(), verdict, factors, strata, reason: None, warnings }
        }
        Err(error) => Judged {
            study,
            claim: claim.clone(),
            verdict: Verdict::NotTestable,
            factors: Vec::new(),
            strata: Vec::new(),
            reason: Some(error.to_string()),
            warnings: Vec::new(),
        },
    }
}

type Answered = (Vec<String>, Vec<Measured>, Option<Estimate>, Vec<Warning>);

/// The ratios that a claim speaks of.
fn measure(claim: &Claim, chosen: &Runs, all: &Runs, auditing: &Auditing) -> Result<Answered> {
    claim.check()?;
    let written = |level: &Level| level.to_string();
    let conditions: Vec<(String, String)> =
        claim.conditions.iter().map(|(factor, level)| (factor.clone(), written(level))).collect();
    let part = if conditions.is_empty() { chosen.clone() } else { chosen.filter(&conditions)? };
    let scope = Scope { metric: Some(claim.metric.clone()), ..auditing.scope.clone() };
    let selected = scope.select_from(&part, all)?;
    if let (Statement::Interaction, Some(by)) = (claim.statement, &claim.by) {
        let question = Interacting {
            baseline: Some(written(&claim.baseline)),
            contender: Some(written(&claim.contender)),
            by_baseline: Some(written(&by.baseline)),
            by_contender: Some(written(&by.contender)),
            scope,
            ..Interacting::new(&claim.factor, &by.factor)
        };
        let answer = interaction::within(&selected, &question)?;
        let strata = answer.strata.into_iter().map(|stratum| Measured {
            arithmetic: format!(
                "{} / {} = {}",
                language::ratio(stratum.ratio_at_contender),
                language::ratio(stratum.ratio_at_baseline),
                percent(100.0 * stratum.interaction.estimate)
            ),
            settings: stratum.settings,
            ratio: stratum.interaction,
            equivalence: None,
        });
        let whole = answer.overall.into_iter().next().map(|overall| overall.interaction);
        return Ok((answer.factors, strata.collect(), whole, answer.warnings));
    }
    let margin = claim.percent.map_or(auditing.margin, |percent| percent / 100.0);
    let question = Comparing {
        baseline: Some(written(&claim.baseline)),
        contender: Some(written(&claim.contender)),
        margin: (claim.statement == Statement::Equivalence).then_some(margin),
        scope,
        ..Comparing::new(&claim.factor)
    };
    let answer = comparison::within(&selected, &question)?;
    let strata = answer.strata.into_iter().map(|stratum| {
        let quotient = format!("{} / {}", measured(stratum.contender_mean), measured(stratum.baseline_mean));
        Measured {
            arithmetic: if claim.states_ratio() {
                format!("{quotient} = {}", percent(100.0 * stratum.ratio.estimate))
            } else {
                format!("{quotient} − 1 = {:+.2}%", stratum.ratio.gain_percent())
            },
            settings: stratum.settings,
            equivalence: stratum.equivalence.map(|equivalence| equivalence.verdict),
            ratio: stratum.ratio,
        }
    });
    let whole = answer.overall.into_iter().next().map(|overall| overall.ratio);
    Ok((answer.factors, strata.collect(), whole, answer.warnings))
}

fn percent(value: f64) -> String {
    format!("{value:.2}%")
}

impl Claim {
    /// Whether its value is a ratio in percent, not a gain.
    fn states_ratio(&self) -> bool {
        matches!(self.statement, Statement::Ratio | Statement::Interaction)
    }

    /// A ratio in the kind of percent that the claim states.
    fn in_percent(&self, ratio: f64) -> f64 {
        100.0 * if self.states_ratio() { ratio } else { ratio - 1.0 }
    }
}

impl Measured {
    fn judged(self, claim: &Claim) -> Stratum {
        let (verdict, agreement, reason) = match claim.statement {
            Statement::Equivalence => match self.equivalence {
                Some(equivalence::Verdict::Equivalent) => (Verdict::Confirmed, Some(Agreement::Bound), None),
                Some(equivalence::Verdict::Different) => (Verdict::Contradicted, None, None),
                _ => (Verdict::NotTestable, None, Some(self.reason())),
            },
            Statement::Greater => match self.ratio.interval() {
                Some((low, _)) if low > 1.0 => (Verdict::Confirmed, Some(Agreement::Bound), None),
                Some((_, high)) if high < 1.0 => (Verdict::Contradicted, None, None),
                _ => (Verdict::NotTestable, None, Some(self.reason())),
            },
            Statement::AtLeast => self.at_least(claim),
            Statement::Ratio | Statement::Gain | Statement::Interaction => {
                let (verdict, agreement) = value(claim, &self.ratio);
                (verdict, agreement, None)
            }
        };
        Stratum {
            percent: claim.in_percent(self.ratio.estimate),
            settings: self.settings,
            ratio: self.ratio,
            arithmetic: self.arithmetic,
            verdict,
            agreement,
            reason,
        }
    }

    fn reason(&self) -> Reason {
        if self.ratio.interval().is_none() { Reason::NoSpread } else { Reason::Undecided }
    }

    /// Without an interval the published figure is held against the published sentence.
    fn at_least(&self, claim: &Claim) -> (Verdict, Option<Agreement>, Option<Reason>) {
        let stated = claim.percent.unwrap_or_default() - claim.step() / 2.0;
        let (low, high) = self.ratio.interval().unwrap_or((self.ratio.estimate, self.ratio.estimate));
        if claim.in_percent(low) >= stated {
            (Verdict::Confirmed, Some(Agreement::Bound), None)
        } else if claim.in_percent(high) >= stated {
            (Verdict::NotTestable, None, Some(Reason::Undecided))
        } else if self.ratio.estimate > 1.0 {
            (Verdict::Overstated, None, None)
        } else {
            (Verdict::Contradicted, None, None)
        }
    }
}

/// How a stated value stands beside the recomputed one.
fn value(claim: &Claim, ratio: &Estimate) -> (Verdict, Option<Agreement>) {
    let (stated, step) = (claim.percent.unwrap_or_default(), claim.step());
    let found = claim.in_percent(ratio.estimate);
    // Rounding of the arithmetic itself must not decide.
    let slack = 1e-9 * stated.abs().max(1.0);
    if (found - stated).abs() <= step / 2.0 + slack {
        return (Verdict::Confirmed, Some(Agreement::Rounding));
    }
    let beyond = (found - stated) * stated.signum();
    if beyond > 0.0 && beyond < step - slack {
        return (Verdict::Confirmed, Some(Agreement::Truncation));
    }
    if let Some((low, high)) = ratio.interval()
        && claim.in_percent(low) <= stated + step / 2.0
        && claim.in_percent(high) >= stated - step / 2.0
    {
        return (Verdict::Confirmed, Some(Agreement::Interval));
    }
    // Effects are measured from no effect.
    let origin = if claim.states_ratio() { 100.0 } else { 0.0 };
    let (stated, found) = (stated - origin, found - origin);
    let verdict = if found * stated < 0.0 || (found == 0.0 && stated != 0.0) {
        Verdict::Contradicted
    } else if found.abs() > stated.abs() {
        Verdict::Understated
    } else {
        Verdict::Overstated
    };
    (verdict, None)
}

/// What all strata come to: what they agree in; where it holds in some, that; otherwise what their mean says. One setting in which
/// the effect is absent or reversed contradicts a sentence that speaks of all.
fn overall(claim: &Claim, strata: &[Stratum], whole: Option<&Estimate>) -> Verdict {
    let any = |verdict: Verdict| strata.iter().any(|stratum| stratum.verdict == verdict);
    match strata.first().map(|stratum| stratum.verdict) {
        None => Verdict::NotTestable,
        Some(first) if strata.iter().all(|stratum| stratum.verdict == first) => first,
        _ if any(Verdict::Contradicted) => Verdict::Contradicted,
        _ if any(Verdict::Confirmed) => Verdict::PartlyConfirmed,
        _ => match whole {
            Some(whole) if !any(Verdict::NotTestable) => match value(claim, whole).0 {
                Verdict::Confirmed => Verdict::PartlyConfirmed,
                verdict => verdict,
            },
            _ => Verdict::NotTestable,
        },
    }
}

//! Does the published sentence hold? Each claim is recomputed from the runs, stratum by stratum.

use serde::Serialize;

use super::comparison::{self, Comparing};
use super::equivalence::{self, Equivalence};
use super::estimate::{Estimate, Method};
use super::interaction::{self, Interacting};
use super::scope::Scope;
use super::study;
use crate::error::{Error, Result, instead};
use crate::language::{self, measured};
use crate::model::claim::{Claim, Statement};
use crate::model::schema::{self, Better, Role};
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
    /// Of a claim of equivalence: the two tests and their interval.
    pub equivalence: Option<Equivalence>,
}

/// What the runs say of a stated value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It holds at the precision with which it is stated.
    Confirmed,
    /// The runs are better than stated; of a metric without a better direction, the effect is larger.
    Understated,
    /// The runs are not as good as stated; of a metric without a better direction, the effect is smaller.
    Overstated,
    /// There is no such effect, or it goes the other way.
    Contradicted,
    /// Of several settings: the stated value holds in some and not in others, which the sentence does not say.
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
    /// The interval lies where the claim says.
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
    if auditing.claims.iter().flatten().any(|claim| claim.statement == Statement::Equivalence) {
        equivalence::check_margin(auditing.margin, auditing.scope.precision.confidence)?;
    }
    let chosen = auditing.scope.filter(runs)?;
    let mut claims = Vec::new();
    match &auditing.claims {
        Some(own) => {
            for claim in own {
                known(claim, runs)?;
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
    /// Whether a claim says more than the runs do, be it in one setting.
    pub fn fails(&self) -> bool {
        self.any(|verdict| matches!(verdict, Verdict::Overstated | Verdict::Contradicted))
    }

    /// Whether a claim could not be tested, be it in one setting.
    pub fn is_inconclusive(&self) -> bool {
        self.any(|verdict| verdict == Verdict::NotTestable)
    }

    fn any(&self, wanted: impl Fn(Verdict) -> bool) -> bool {
        let of =
            |judged: &Judged| wanted(judged.verdict) || judged.strata.iter().any(|stratum| wanted(stratum.verdict));
        self.claims.iter().any(of)
    }
}

/// One setting of a claim, before it is judged.
struct Measured {
    settings: Settings,
    ratio: Estimate,
    arithmetic: String,
    equivalence: Option<Equivalence>,
    better: Better,
}

/// Whether the claim speaks of things that there are: a name that is none is a slip, not something that these runs lack.
fn known(claim: &Claim, runs: &Runs) -> Result<()> {
    claim.check()?;
    let by = claim.by.iter().map(|by| &by.factor);
    for name in std::iter::once(&claim.factor).chain(by).chain(claim.conditions.keys()) {
        if schema::role(name) == Role::Metric || (schema::column(name).is_none() && !runs.has_column(name)) {
            let factors = runs.columns_of(Role::Factor);
            let problem = format!("claim {:?} speaks of {name:?}, which is no factor", claim.id);
            return Err(Error::input(problem, instead(name, factors)));
        }
    }
    if let Some(metric) = &claim.metric {
        schema::metric_named(metric)?;
    }
    Ok(())
}

fn judge(study: Option<String>, claim: &Claim, chosen: &Runs, all: &Runs, auditing: &Auditing) -> Judged {
    match measure(claim, chosen, all, auditing) {
        Ok((factors, measured, whole, warnings)) => {
            let better = measured.first().map_or(Better::Neither, |one| one.better);
            let strata: Vec<Stratum> = measured.into_iter().map(|one| one.judged(claim)).collect();
            let verdict = overall(claim, &strata, whole.as_ref(), better);
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
    let written = |level: &Level| level.to_string();
    let conditions: Vec<(String, String)> =
        claim.conditions.iter().map(|(factor, level)| (factor.clone(), written(level))).collect();
    let part = if conditions.is_empty() { chosen.clone() } else { chosen.filter(&conditions)? };
    let metric = claim.metric.clone().or(auditing.scope.metric.clone());
    let scope = Scope { metric, ..auditing.scope.clone() };
    let selected = scope.select_from(&part, all)?;
    let better = selected.metric.better;
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
            better,
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
        // A median of ratios is no quotient of two means.
        let quotient = if stratum.ratio.method == Some(Method::HodgesLehmann) {
            language::ratio(stratum.ratio.estimate)
        } else {
            format!("{} / {}", measured(stratum.contender_mean), measured(stratum.baseline_mean))
        };
        Measured {
            arithmetic: if claim.states_ratio() {
                format!("{quotient} = {}", percent(100.0 * stratum.ratio.estimate))
            } else {
                format!("{quotient} − 1 = {:+.2}%", stratum.ratio.gain_percent())
            },
            settings: stratum.settings,
            equivalence: stratum.equivalence,
            better,
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
        let (verdict, agreement) = match claim.statement {
            Statement::Equivalence => match self.equivalence.as_ref().map(|equivalence| equivalence.verdict) {
                Some(equivalence::Verdict::Equivalent) => (Verdict::Confirmed, Some(Agreement::Bound)),
                Some(equivalence::Verdict::Different) => (Verdict::Contradicted, None),
                _ => (Verdict::NotTestable, None),
            },
            Statement::Greater => self.at_least(0.0),
            Statement::AtLeast => self.at_least(claim.percent.unwrap_or_default() - claim.step() / 2.0),
            Statement::Ratio | Statement::Gain | Statement::Interaction => value(claim, &self.ratio, self.better),
        };
        let reason = if self.ratio.interval().is_none() { Reason::NoSpread } else { Reason::Undecided };
        Stratum {
            percent: claim.in_percent(self.ratio.estimate),
            settings: self.settings,
            ratio: self.ratio,
            arithmetic: self.arithmetic,
            verdict,
            agreement,
            reason: (verdict == Verdict::NotTestable).then_some(reason),
            equivalence: self.equivalence,
        }
    }

    /// Whether the contender is better by this many percent: more of a metric of which more is better, less of one of which less
    /// is. A single run cannot show a bound.
    fn at_least(&self, percent: f64) -> (Verdict, Option<Agreement>) {
        let improvement = |ratio: f64| 100.0 * if self.better == Better::Lower { 1.0 - ratio } else { ratio - 1.0 };
        let Some((low, high)) = self.ratio.interval() else { return (Verdict::NotTestable, None) };
        let (least, most) = match self.better {
            Better::Lower => (improvement(high), improvement(low)),
            Better::Higher | Better::Neither => (improvement(low), improvement(high)),
        };
        if least > percent {
            (Verdict::Confirmed, Some(Agreement::Bound))
        } else if most > percent {
            (Verdict::NotTestable, None)
        } else if improvement(self.ratio.estimate) > 0.0 {
            (Verdict::Overstated, None)
        } else {
            (Verdict::Contradicted, None)
        }
    }
}

/// How a stated value stands beside the recomputed one. Where the two differ and the interval holds the stated one, the runs
/// cannot tell: a wide interval confirms nothing.
fn value(claim: &Claim, ratio: &Estimate, better: Better) -> (Verdict, Option<Agreement>) {
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
        return (Verdict::NotTestable, None);
    }
    // Effects are measured from no effect.
    let origin = if claim.states_ratio() { 100.0 } else { 0.0 };
    let (effect, found_effect) = (stated - origin, found - origin);
    // "No change" is contradicted by any, and an effect by none or by its opposite.
    let verdict = if effect == 0.0 || found_effect * effect <= 0.0 {
        Verdict::Contradicted
    } else {
        let exceeds = match better {
            Better::Higher => found > stated,
            Better::Lower => found < stated,
            Better::Neither => found_effect.abs() > effect.abs(),
        };
        if exceeds { Verdict::Understated } else { Verdict::Overstated }
    };
    (verdict, None)
}

/// What all strata come to: what they agree in. A bound and an equivalence hold for all settings or not at all, so the worst
/// stratum decides. A value that holds in some settings is partly confirmed, unless the effect is absent or reversed in one;
/// where it holds in none, their mean says in which way.
fn overall(claim: &Claim, strata: &[Stratum], whole: Option<&Estimate>, better: Better) -> Verdict {
    let any = |verdict: Verdict| strata.iter().any(|stratum| stratum.verdict == verdict);
    let worst = [Verdict::Contradicted, Verdict::Overstated, Verdict::NotTestable].into_iter().find(|one| any(*one));
    let states_value = matches!(claim.statement, Statement::Ratio | Statement::Gain | Statement::Interaction);
    match strata.first().map(|stratum| stratum.verdict) {
        None => Verdict::NotTestable,
        Some(first) if strata.iter().all(|stratum| stratum.verdict == first) => first,
        Some(first) if !states_value => worst.unwrap_or(first),
        _ if any(Verdict::Contradicted) => Verdict::Contradicted,
        _ if any(Verdict::Confirmed) => Verdict::PartlyConfirmed,
        _ => match whole {
            Some(whole) if !any(Verdict::NotTestable) => match value(claim, whole, better).0 {
                Verdict::Confirmed => Verdict::PartlyConfirmed,
                verdict => verdict,
            },
            _ => worst.unwrap_or(Verdict::NotTestable),
        },
    }
}

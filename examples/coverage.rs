//! Coverage of the interval methods: how often their 95 % intervals contain what they estimate, and how wide they are.
//!
//! Two settings with a known ratio are "measured" in simulated sessions under several kinds of noise. Every method is
//! judged by its own estimand: an interval of the ratio of medians need not contain the ratio of means.
//!
//! `cargo run --release --example coverage` prints the tables of `docs/statistics.md`, the same on any number of
//! threads, and fails if the default method leaves the band that is required of it. It takes a few minutes.

#![allow(clippy::print_stdout, reason = "the tables are what it is run for")]

use std::f64::consts::TAU;
use std::ops::RangeInclusive;
use std::process::ExitCode;

use kaeanalysis::stats::bootstrap::{self, Center, Kind, Resampling};
use kaeanalysis::stats::contrast::{self, Contrast, Term};
use kaeanalysis::stats::fieller::{Fieller, fieller};
use kaeanalysis::stats::moments::Moments;
use kaeanalysis::stats::rank::hodges_lehmann;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

const TRIALS: usize = 10_000;
const CONFIDENCE: f64 = 0.95;
/// Contender over baseline, apart from noise.
const RATIO: f64 = 1.5;
/// The coefficient of variation of one run.
const CV: f64 = 0.03;
/// How many times that of the contender is, where spreads are unequal.
const UNEQUAL: f64 = 3.0;
/// A drifting session begins this share below the average and ends as much above.
const DRIFT: f64 = 0.05;
const SIZES: [usize; 4] = [3, 5, 10, 20];
/// A tenth of the package's default: 32 cases of 10,000 trials take minutes, not half an hour.
const RESAMPLES: usize = 999;
/// The draws from which true values without a closed form are computed.
const DRAWS: usize = 10_000_000;
const SEED: u64 = 20_240_607;
/// What is required of the default, in percent.
const REQUIRED: RangeInclusive<f64> = 93.0..=98.0;

fn main() -> ExitCode {
    let results = study();
    let methods = Method::MAIN;
    println!("Coverage in percent:\n\n{}", table(&results, &methods, |score| marked(score.coverage)));
    println!("Median width, high/low − 1 in percent:\n\n{}", table(&results, &methods, |score| number(score.width)));
    println!("`bca` by center, coverage (median width) in percent:\n\n{}", table(&results, &Method::CENTERS, both));
    println!("Trials without an interval, in percent:\n\n{}", without_interval(&results));
    verdict(&results)
}

/// How the runs of a session scatter around their setting's level.
#[derive(Clone, Copy, PartialEq)]
enum Noise {
    Normal,
    LogNormal,
    /// A shifted exponential, of skewness 2.
    Skewed,
    /// Normal, times a drift that is linear over the session.
    Drifting,
}

impl Noise {
    const ALL: [Self; 4] = [Self::Normal, Self::LogNormal, Self::Skewed, Self::Drifting];

    fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::LogNormal => "log-normal",
            Self::Skewed => "skewed",
            Self::Drifting => "drifting",
        }
    }

    /// One run relative to its setting's level; `position` in the session goes from −1 to 1.
    fn draw(self, cv: f64, position: f64, random: &mut Random) -> f64 {
        match self {
            Self::Normal => 1.0 + cv * random.normal(),
            Self::LogNormal => ((cv * cv).ln_1p().sqrt() * random.normal()).exp(),
            Self::Skewed => 1.0 + cv * (random.exponential() - 1.0),
            Self::Drifting => (1.0 + cv * random.normal()) * (1.0 + DRIFT * position),
        }
    }
}

/// Random numbers of the distributions that are needed.
struct Random(Xoshiro256PlusPlus);

impl Random {
    fn new(stream: usize) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(SEED + stream as u64))
    }

    /// Above 0 and below 1, so that its logarithm is finite.
    fn uniform(&mut self) -> f64 {
        ((self.0.next_u64() >> 12) as f64 + 0.5) / (1u64 << 52) as f64
    }

    fn exponential(&mut self) -> f64 {
        -self.uniform().ln()
    }

    /// By Box and Muller (1958).
    fn normal(&mut self) -> f64 {
        let radius = (2.0 * self.exponential()).sqrt();
        radius * (TAU * self.uniform()).cos()
    }
}

/// A kind of noise, with the same spread on both sides or not.
#[derive(Clone, Copy)]
struct Scenario {
    noise: Noise,
    unequal: bool,
}

impl Scenario {
    fn all() -> Vec<Self> {
        Noise::ALL.into_iter().flat_map(|noise| [false, true].map(|unequal| Self { noise, unequal })).collect()
    }

    fn spread(self) -> &'static str {
        if self.unequal { "unequal" } else { "equal" }
    }

    fn baseline(self, position: f64, random: &mut Random) -> f64 {
        self.noise.draw(CV, position, random)
    }

    fn contender(self, position: f64, random: &mut Random) -> f64 {
        RATIO * self.noise.draw(if self.unequal { UNEQUAL * CV } else { CV }, position, random)
    }

    /// The method that the package takes by itself for such data, if its assumptions hold: equal skewness on both sides
    /// cancels in the difference, that of the wider side alone does not.
    fn default_method(self) -> Option<Method> {
        match (self.noise, self.unequal) {
            (Noise::Drifting, _) => Some(Method::LogPaired),
            (Noise::Skewed, true) => None,
            _ => Some(Method::LogWelch),
        }
    }
}

/// The true values of what the methods estimate, on the logarithmic scale.
#[derive(Clone, Copy)]
struct Truth {
    geometric_means: f64,
    means: f64,
    medians: f64,
    /// The median of the difference of two logarithms, one of each side.
    shift: f64,
}

impl Truth {
    /// `stream` is that of the random numbers.
    fn of(scenario: Scenario, stream: usize) -> Self {
        if !scenario.unequal {
            // The sides have the same distribution but for the factor, so every one of these ratios is that factor.
            let log = RATIO.ln();
            return Self { geometric_means: log, means: log, medians: log, shift: log };
        }
        let mut random = Random::new(stream);
        let (mut baseline, mut contender) = (Vec::with_capacity(DRAWS), Vec::with_capacity(DRAWS));
        for _ in 0..DRAWS {
            let mut position = || 2.0 * random.uniform() - 1.0;
            let (first, second) = (position(), position());
            baseline.push(scenario.baseline(first, &mut random));
            contender.push(scenario.contender(second, &mut random));
        }
        let differences: Vec<f64> = logs(&contender).iter().zip(logs(&baseline)).map(|(a, b)| a - b).collect();
        Self {
            geometric_means: contrast::mean(&differences),
            means: contrast::mean(&contender).ln() - contrast::mean(&baseline).ln(),
            medians: median(contender).ln() - median(baseline).ln(),
            shift: median(differences),
        }
    }
}

/// The observations of a session: n rounds, each with one run of either side.
struct Trial {
    baseline: Vec<f64>,
    contender: Vec<f64>,
    baseline_logs: Vec<f64>,
    contender_logs: Vec<f64>,
    resampling: Resampling,
}

impl Trial {
    fn new(scenario: Scenario, n: usize, random: &mut Random) -> Self {
        let (mut baseline, mut contender) = (Vec::with_capacity(n), Vec::with_capacity(n));
        let position = |slot: usize| 2.0 * slot as f64 / (2 * n - 1) as f64 - 1.0;
        for round in 0..n {
            let contender_first = random.uniform() < 0.5;
            let (first, second) = (position(2 * round), position(2 * round + 1));
            let (old, new) = if contender_first { (second, first) } else { (first, second) };
            baseline.push(scenario.baseline(old, random));
            contender.push(scenario.contender(new, random));
        }
        let (baseline_logs, contender_logs) = (logs(&baseline), logs(&contender));
        let resampling = Resampling { resamples: RESAMPLES, seed: random.0.next_u64() };
        Self { baseline, contender, baseline_logs, contender_logs, resampling }
    }

    /// The log ratio as a contrast.
    fn terms(&self) -> [Term; 2] {
        let term = |weight, sample: &[f64]| Term { weight, sample: Moments::of(sample), sigma: None };
        [term(-1.0, &self.baseline_logs), term(1.0, &self.contender_logs)]
    }
}

/// A way to an interval.
#[derive(Clone, Copy, PartialEq)]
enum Method {
    LogWelch,
    LogPooled,
    LogPaired,
    Fieller,
    Bootstrap(Kind, Center),
    HodgesLehmann,
}

impl Method {
    /// The methods of the main table; bootstraps of the package's default center.
    const MAIN: [Self; 9] = [
        Self::LogWelch,
        Self::LogPooled,
        Self::LogPaired,
        Self::Fieller,
        Self::Bootstrap(Kind::Percentile, Center::GeometricMean),
        Self::Bootstrap(Kind::Basic, Center::GeometricMean),
        Self::Bootstrap(Kind::Bca, Center::GeometricMean),
        Self::Bootstrap(Kind::Studentized, Center::GeometricMean),
        Self::HodgesLehmann,
    ];

    /// One bootstrap, of every center.
    const CENTERS: [Self; 3] = [
        Self::Bootstrap(Kind::Bca, Center::GeometricMean),
        Self::Bootstrap(Kind::Bca, Center::Mean),
        Self::Bootstrap(Kind::Bca, Center::Median),
    ];

    /// Every method once.
    fn all() -> Vec<Self> {
        let others = Self::CENTERS.into_iter().filter(|method| !Self::MAIN.contains(method));
        Self::MAIN.into_iter().chain(others).collect()
    }

    /// As on the command line, with the center where that is not the default.
    fn name(self) -> String {
        match self {
            Self::LogWelch => "log-welch".to_owned(),
            Self::LogPooled => "log-pooled".to_owned(),
            Self::LogPaired => "log-paired".to_owned(),
            Self::Fieller => "fieller".to_owned(),
            Self::HodgesLehmann => "hodges-lehmann".to_owned(),
            Self::Bootstrap(kind, center) => {
                let kind = match kind {
                    Kind::Percentile => "percentile",
                    Kind::Basic => "basic",
                    Kind::Bca => "bca",
                    Kind::Studentized => "studentized",
                };
                if center == Center::default() { kind.to_owned() } else { format!("{kind}, {center}") }
            }
        }
    }

    fn estimand(self, truth: &Truth) -> f64 {
        match self {
            Self::HodgesLehmann => truth.shift,
            Self::Fieller | Self::Bootstrap(_, Center::Mean) => truth.means,
            Self::Bootstrap(_, Center::Median) => truth.medians,
            _ => truth.geometric_means,
        }
    }

    /// The ends on the logarithmic scale, unless there is no interval or one without bounds.
    fn interval(self, trial: &Trial) -> Option<(f64, f64)> {
        let of_contrast = |contrast: Contrast| {
            let interval = contrast.interval(CONFIDENCE, 0.0);
            (interval.low, interval.high)
        };
        let ends = match self {
            Self::LogWelch => contrast::contrast(&trial.terms()).map(of_contrast),
            Self::LogPooled => contrast::pooled_spread(trial.terms().map(|term| term.sample))
                .and_then(|spread| contrast::pooled(&trial.terms(), spread))
                .map(of_contrast),
            Self::LogPaired => {
                let pairs = trial.contender_logs.iter().zip(&trial.baseline_logs);
                let ratios: Vec<f64> = pairs.map(|(new, old)| new - old).collect();
                contrast::contrast(&[Term { weight: 1.0, sample: Moments::of(&ratios), sigma: None }]).map(of_contrast)
            }
            Self::Fieller => {
                match fieller(Moments::of(&trial.baseline), Moments::of(&trial.contender), CONFIDENCE, 1.0) {
                    Some(Fieller::Bounded(interval)) => Some((interval.low.ln(), interval.high.ln())),
                    Some(Fieller::Unbounded) | None => None,
                }
            }
            Self::Bootstrap(kind, center) => {
                let samples = [(-1.0, trial.baseline.as_slice()), (1.0, trial.contender.as_slice())];
                bootstrap::interval(&samples, kind, center, trial.resampling, CONFIDENCE, 0.0)
                    .map(|interval| (interval.low, interval.high))
            }
            Self::HodgesLehmann => {
                hodges_lehmann(&trial.baseline_logs, &trial.contender_logs, CONFIDENCE).and_then(|shift| shift.interval)
            }
        };
        ends.filter(|(low, high)| writable(*low) && writable(*high))
    }
}

/// Ratios beyond this are no bounds; the package gives no interval then.
fn writable(log: f64) -> bool {
    (1e-100..=1e100).contains(&log.exp())
}

/// How a method did in the trials of one case.
#[derive(Clone, Copy)]
struct Score {
    /// The share of intervals that contain the true value, in percent; `None` without any interval.
    coverage: Option<f64>,
    /// The median of high/low − 1, in percent.
    width: Option<f64>,
    /// The share of trials without an interval, in percent.
    missing: f64,
}

impl Score {
    fn of(intervals: &[Option<(f64, f64)>], truth: f64) -> Self {
        let given: Vec<(f64, f64)> = intervals.iter().copied().flatten().collect();
        let covered = given.iter().filter(|(low, high)| (*low..=*high).contains(&truth)).count();
        let some = !given.is_empty();
        let widths = given.iter().map(|(low, high)| (high - low).exp_m1() * 100.0).collect();
        Self {
            coverage: some.then(|| percent(covered, given.len())),
            width: some.then(|| median(widths)),
            missing: percent(intervals.len() - given.len(), intervals.len()),
        }
    }
}

/// A scenario measured n times per side, and how every method did.
struct Case {
    scenario: Scenario,
    n: usize,
    scores: Vec<(Method, Score)>,
}

impl Case {
    /// `stream` is that of the random numbers.
    fn run(scenario: Scenario, n: usize, truth: &Truth, stream: usize) -> Self {
        let methods = Method::all();
        let mut intervals = vec![Vec::with_capacity(TRIALS); methods.len()];
        let mut random = Random::new(stream);
        for _ in 0..TRIALS {
            let trial = Trial::new(scenario, n, &mut random);
            for (method, intervals) in methods.iter().zip(&mut intervals) {
                intervals.push(method.interval(&trial));
            }
        }
        let score = |(method, intervals): (&Method, &Vec<_>)| (*method, Score::of(intervals, method.estimand(truth)));
        let scores = methods.iter().zip(&intervals).map(score).collect();
        Self { scenario, n, scores }
    }

    fn score(&self, method: Method) -> Option<Score> {
        self.scores.iter().find(|(other, _)| *other == method).map(|(_, score)| *score)
    }

    /// What the default covers, in percent, where its assumptions hold.
    fn default_coverage(&self) -> Option<f64> {
        self.score(self.scenario.default_method()?)?.coverage
    }
}

/// All cases. Each has random numbers of its own, so that it does not matter which thread runs it when.
fn study() -> Vec<Case> {
    let scenarios = Scenario::all();
    let truths: Vec<Truth> =
        scenarios.par_iter().enumerate().map(|(stream, scenario)| Truth::of(*scenario, stream)).collect();
    let known = || scenarios.iter().zip(&truths);
    let cases: Vec<(Scenario, &Truth, usize)> =
        known().flat_map(|(scenario, truth)| SIZES.map(|n| (*scenario, truth, n))).collect();
    let run = |(at, (scenario, truth, n)): (usize, &(Scenario, &Truth, usize))| {
        Case::run(*scenario, *n, truth, scenarios.len() + at)
    };
    // One by one: halves of the list would differ in length by what a large n takes.
    cases.par_iter().enumerate().with_max_len(1).map(run).collect()
}

/// A Markdown table with a row per case and a column per method.
fn table(results: &[Case], methods: &[Method], cell: impl Fn(Score) -> String) -> String {
    let names: Vec<String> = methods.iter().map(|method| method.name()).collect();
    let mut lines = vec![
        format!("| noise | spread | n | {} |", names.join(" | ")),
        format!("| --- | --- | ---: |{}", " ---: |".repeat(methods.len())),
    ];
    for case in results {
        let cells: Vec<String> = methods.iter().filter_map(|method| case.score(*method)).map(&cell).collect();
        let (noise, spread) = (case.scenario.noise.name(), case.scenario.spread());
        lines.push(format!("| {noise} | {spread} | {} | {} |", case.n, cells.join(" | ")));
    }
    lines.join("\n") + "\n"
}

/// Which methods failed to give an interval how often, over all noises.
fn without_interval(results: &[Case]) -> String {
    let mut lines = vec!["| method | n | least | most |".to_owned(), "| --- | ---: | ---: | ---: |".to_owned()];
    for method in Method::all() {
        for n in SIZES {
            let own = results.iter().filter(|case| case.n == n).filter_map(|case| case.score(method));
            let (least, most) = range(own.map(|score| score.missing));
            if most > 0.0 {
                lines.push(format!("| {} | {n} | {least:.2} | {most:.2} |", method.name()));
            }
        }
    }
    lines.join("\n") + "\n"
}

/// Says whether the default holds what is required of it.
fn verdict(results: &[Case]) -> ExitCode {
    let (least, most) = range(results.iter().filter_map(Case::default_coverage));
    let holds = REQUIRED.contains(&least) && REQUIRED.contains(&most);
    println!(
        "Required: log-welch, under drift log-paired, covers {} to {} % at every n, except where skewed noise spreads \
         unequally. It covers {least:.1} to {most:.1} %: {}.",
        REQUIRED.start(),
        REQUIRED.end(),
        if holds { "holds" } else { "does not hold" }
    );
    if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The coverage, bold where it is outside what is required of the default, as it is printed.
fn marked(coverage: Option<f64>) -> String {
    let inside = coverage.is_none_or(|value| REQUIRED.contains(&((value * 10.0).round() / 10.0)));
    if inside { number(coverage) } else { format!("**{}**", number(coverage)) }
}

fn both(score: Score) -> String {
    format!("{} ({})", marked(score.coverage), number(score.width))
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.1}"))
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole as f64
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| (least.min(value), most.max(value)))
}

fn logs(values: &[f64]) -> Vec<f64> {
    values.iter().map(|value| value.ln()).collect()
}

/// The upper of the two middle values where their number is even: among thousands it makes no difference.
fn median(mut values: Vec<f64>) -> f64 {
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}

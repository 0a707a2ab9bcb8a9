//! Matching, bases and warnings of comparisons. That the intervals are right is shown against scipy in tests/python.

use kaeanalysis::analysis::comparison::{Comparing, Comparison, compare};
use kaeanalysis::analysis::{Basis, Method, Precision};
use kaeanalysis::model::{Level, datasets};

use super::{REPLICATED, runs};

fn ratios(comparison: &Comparison) -> Vec<String> {
    comparison.strata.iter().map(|stratum| format!("{:.4}", stratum.ratio.estimate)).collect()
}

fn codes(comparison: &Comparison) -> Vec<&'static str> {
    comparison.all_warnings().iter().map(kaeanalysis::model::Warning::code).collect()
}

fn compared(csv: &str, comparing: &Comparing) -> Comparison {
    compare(&runs(csv), comparing).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn documented_ratios() {
    let of = |name: &str, comparing: &Comparing| compare(&datasets::load(name).unwrap(), comparing).unwrap();
    let vkae = of("vkae_vm", &Comparing::speedup());
    assert_eq!(ratios(&vkae), ["2.3288", "3.8459", "2.2625", "3.2931"]);
    assert_eq!(ratios(&of("vkae_vm", &Comparing::async_gain())), ["0.9949", "1.6430", "0.9956", "1.4490"]);
    assert_eq!(ratios(&of("docker", &Comparing::speedup())), ["1.9474"]);
    let soft = of("soft_ratio", &Comparing::speedup());
    assert_eq!(ratios(&soft), ["1.5075"]);
    assert_eq!(codes(&soft), ["single-run", "varies-together"], "the software share changes with the accelerator");
    assert!(vkae.strata.iter().all(|stratum| stratum.ratio.basis == Basis::None && stratum.ratio.interval().is_none()));
}

#[test]
fn published_means_are_not_altered_by_the_logarithm() {
    let vkae = compare(&datasets::load("vkae_vm").unwrap(), &Comparing::speedup()).unwrap();
    assert_eq!(vkae.strata[3].baseline_mean.to_bits(), 2245f64.to_bits());
    assert_eq!(vkae.strata[3].contender_mean.to_bits(), 7393f64.to_bits());
}

/// The overall ratio is the geometric mean of the ratios, whose product of four is taken here by hand.
#[test]
fn overall_is_the_geometric_mean() {
    let vkae = compare(&datasets::load("vkae_vm").unwrap(), &Comparing::speedup()).unwrap();
    let product: f64 = [1367.0 / 587.0, 2246.0 / 584.0, 5102.0 / 2255.0, 7393.0 / 2245.0].iter().product();
    assert!((vkae.overall[0].ratio.estimate - product.powf(0.25)).abs() < 1e-12);
}

#[test]
fn studies_are_never_matched_with_each_other() {
    let both = kaeanalysis::model::Runs::concat(vec![
        datasets::load("docker").unwrap(),
        datasets::load("soft_ratio").unwrap(),
    ]);
    let comparison = compare(&both.unwrap(), &Comparing::speedup()).unwrap();
    assert_eq!(ratios(&comparison), ["1.9474", "1.5075"]);
    assert_eq!(comparison.factors, ["study"]);
}

#[test]
fn a_factor_that_changes_with_the_compared_one_is_named() {
    let scaling = compare(&datasets::load("vkae_vm").unwrap(), &Comparing::new("workers")).unwrap();
    assert_eq!(scaling.strata.len(), 4);
    assert_eq!(scaling.baseline, Level::Integer(1));
    let message = scaling.warnings[0].message(kaeanalysis::language::Lang::En);
    assert_eq!(
        message,
        "requests changes as well (64000 against 128000), so the ratio is that of both changes together."
    );
}

#[test]
fn one_baseline_serves_every_level_of_a_factor_that_it_lacks() {
    let csv = "accelerator,soft_ratio,rps\nnone,,1000\nkae,0,1500\nkae,33,1800\nkae,66,1400\n";
    let comparison = compared(csv, &Comparing::speedup());
    assert_eq!(ratios(&comparison), ["1.5000", "1.8000", "1.4000"]);
    let shares: Vec<&Level> =
        comparison.strata.iter().filter_map(|stratum| stratum.settings.get("soft_ratio")).collect();
    assert_eq!(shares, [&Level::Number(0.0), &Level::Number(33.0), &Level::Number(66.0)]);
    // The baseline's mean has the whole weight, not a third of it three times over.
    let repeated =
        "accelerator,soft_ratio,rps\nnone,,1000\nnone,,1100\nkae,0,1500\nkae,0,1510\nkae,33,1800\nkae,33,1810\n";
    let overall = &compared(repeated, &Comparing::speedup()).overall[0].ratio;
    let log = |a: f64, b: f64| (a / b).ln();
    let variance = log(1100.0, 1000.0).powi(2) / 2.0 / 2.0
        + (log(1510.0, 1500.0).powi(2) + log(1810.0, 1800.0).powi(2)) / 2.0 / 2.0 / 4.0;
    let (low, high) = overall.interval().unwrap();
    let half = (high / low).ln() / 2.0;
    assert!(half / variance.sqrt() > 4.0, "few degrees of freedom: {half} {variance}");
}

#[test]
fn an_identifier_in_a_column_is_refused_with_the_way_out() {
    let csv = "accelerator,log,rps\nnone,a,1000\nnone,b,1010\nkae,c,1500\nkae,d,1510\n";
    let error = compare(&runs(csv), &Comparing::speedup()).unwrap_err().to_string();
    assert_eq!(
        error,
        "log has no level in common for accelerator=none and kae, so it cannot be held equal; leave it out of the \
         matching with --ignore log (Python: ignore=\"log\"), so that runs that differ only in it are replicates, or hold \
         one level of it with --where"
    );
    let comparison = compared(csv, &Comparing { ignore: vec!["log".to_owned()], ..Comparing::speedup() });
    assert_eq!(comparison.strata[0].ratio.basis, Basis::Replicates);
    assert_eq!(codes(&comparison), ["ignored-varies"]);
}

#[test]
fn what_has_no_counterpart_is_named_and_left_out() {
    let csv = "workers,accelerator,rps\n1,none,587\n1,kae,1367\n4,none,2255\n8,kae,9000\n";
    let comparison = compared(csv, &Comparing::speedup());
    assert_eq!(comparison.strata.len(), 1);
    let message = comparison.warnings[0].message(kaeanalysis::language::Lang::En);
    assert!(
        message.starts_with("2 configurations have no counterpart and are left out, for example workers=4"),
        "{message}"
    );
}

#[test]
fn no_match_at_all_is_an_error() {
    let error = compare(
        &runs("workers,tool,accelerator,rps\n1,wrk,none,5\n1,ab,none,6\n2,wrk,kae,7\n2,wrk,none,5\n1,h2load,kae,5\n"),
        &Comparing::new("tls_mode"),
    );
    assert!(
        error
            .unwrap_err()
            .to_string()
            .starts_with("the runs have no factor \"tls_mode\"; use workers, accelerator or tool")
    );
    let error = compare(&runs("accelerator,rps\nkae,7\n"), &Comparing::speedup()).unwrap_err().to_string();
    assert_eq!(error, "no run has accelerator=none; use kae");
    let error = compare(&runs("accelerator,rps\nnone,7\n"), &Comparing::speedup()).unwrap_err().to_string();
    assert!(error.starts_with("accelerator has only the level none to compare;"), "{error}");
}

#[test]
fn blocks_are_compared_within() {
    // Between blocks the rate doubles; within each, the ratio is near 1.5.
    let csv = "block,accelerator,rps\n1,none,1000\n1,kae,1500\n2,none,2000\n2,kae,3010\n3,none,4000\n3,kae,5990\n";
    let paired = &compared(csv, &Comparing::speedup()).strata[0].ratio;
    assert_eq!((paired.basis, paired.method, paired.n_baseline), (Basis::Blocks, Some(Method::LogPaired), 3));
    let (low, high) = paired.interval().unwrap();
    assert!(low > 1.48 && high < 1.52, "{low} {high}");
    let precision = Precision { method: Method::LogWelch, ..Precision::default() };
    let unpaired = &compared(csv, &Comparing { precision, ..Comparing::speedup() }).strata[0].ratio;
    assert_eq!(unpaired.basis, Basis::Replicates);
    assert!(unpaired.low.unwrap() < 0.5, "without its blocks the comparison drowns");
}

#[test]
fn an_incomplete_block_is_named_and_does_not_count() {
    let csv = "block,accelerator,rps\n1,none,1000\n1,kae,1500\n2,none,2000\n2,kae,3010\n3,none,4000\n3,kae,5990\n4,none,9999\n";
    let ratio = &compared(csv, &Comparing::speedup()).strata[0].ratio;
    assert_eq!((ratio.basis, ratio.n_baseline), (Basis::Blocks, 3));
    assert_eq!(ratio.warnings.iter().map(kaeanalysis::model::Warning::code).collect::<Vec<_>>(), ["incomplete-blocks"]);
}

#[test]
fn runs_of_one_server_start_are_one_observation() {
    let csv = "start,accelerator,rps\na,none,1000\na,none,1001\nb,none,1100\nb,none,1101\nc,kae,1500\nc,kae,1501\nd,kae,1600\nd,kae,1601\n";
    let ratio = &compared(csv, &Comparing::speedup()).strata[0].ratio;
    assert_eq!((ratio.n_baseline, ratio.n_contender), (2, 2));
    let naive = csv
        .replace("start,", "")
        .replace("a,none", "none")
        .replace("b,none", "none")
        .replace("c,kae", "kae")
        .replace("d,kae", "kae");
    let naive = &compared(&naive, &Comparing::speedup()).strata[0].ratio;
    assert_eq!(naive.n_baseline, 4);
    let width = |(low, high): (f64, f64)| high - low;
    assert!(
        width(ratio.interval().unwrap()) > 2.0 * width(naive.interval().unwrap()),
        "four runs of two starts are not four starts"
    );
}

#[test]
fn a_stated_spread_stands_in_for_single_runs_only() {
    let precision = Precision { assume_cv: Some(0.02), ..Precision::default() };
    let single = compare(&datasets::load("docker").unwrap(), &Comparing { precision, ..Comparing::speedup() }).unwrap();
    let ratio = &single.strata[0].ratio;
    assert_eq!((ratio.basis, ratio.method), (Basis::Assumed, Some(Method::LogAssumed)));
    // sigma of logs for a coefficient of variation of 2 %, two runs, 1.96 standard errors.
    let half = 1.959_963_984_540_054 * (2.0 * 0.02f64.powi(2).ln_1p()).sqrt();
    assert!((ratio.high.unwrap() - (4368.0f64 / 2243.0) * half.exp()).abs() < 1e-12);
    let measured = compared(REPLICATED, &Comparing { precision, ..Comparing::speedup() });
    assert!(measured.strata.iter().all(|stratum| stratum.ratio.basis == Basis::Blocks));
}

#[test]
fn identical_values_give_no_interval_instead_of_a_certain_one() {
    let ratio =
        &compared("accelerator,rps\nnone,1000\nnone,1000\nkae,1500\nkae,1500\n", &Comparing::speedup()).strata[0].ratio;
    assert_eq!((ratio.interval(), ratio.p_value, ratio.basis), (None, None, Basis::None));
    assert_eq!(ratio.warnings[0].code(), "identical-values");
}

#[test]
fn unequal_numbers_of_runs_have_an_interval() {
    let csv = "accelerator,rps\nnone,1000\nnone,1010\nnone,990\nkae,1500\nkae,1510\n";
    let ratio = &compared(csv, &Comparing::speedup()).strata[0].ratio;
    assert_eq!((ratio.n_baseline, ratio.n_contender), (3, 2));
    assert!(ratio.low.unwrap() > 1.4);
    let single = &compared("accelerator,rps\nnone,1000\nnone,1010\nkae,1500\n", &Comparing::speedup()).strata[0].ratio;
    assert_eq!((single.basis, single.interval()), (Basis::None, None));
}

#[test]
fn values_of_any_size_never_give_an_infinite_interval() {
    let csv = "accelerator,rps\nnone,1e-12\nnone,1e15\nkae,1e15\nkae,1e-12\n";
    let ratio = &compared(csv, &Comparing::speedup()).strata[0].ratio;
    assert!(ratio.low.unwrap() > 1e-100 && ratio.high.unwrap() < 1e100);
    let precision = Precision { confidence: 0.9999, ..Precision::default() };
    let ratio = &compared(csv, &Comparing { precision, ..Comparing::speedup() }).strata[0].ratio;
    assert_eq!(ratio.interval(), None);
    assert!(ratio.estimate.is_finite());
    assert_eq!(ratio.warnings[0].code(), "unbounded-interval");
}

#[test]
fn a_metric_of_zero_has_no_ratio() {
    let error = compare(
        &runs("accelerator,errors,rps\nnone,0,5\nkae,3,6\n"),
        &Comparing { metric: Some("errors".to_owned()), ..Comparing::speedup() },
    );
    assert_eq!(
        error.unwrap_err().to_string(),
        "test.csv, column \"errors\": 0 has no ratio to another value; compare a metric that is above zero in every run"
    );
}

#[test]
fn the_order_of_rows_does_not_matter() {
    let mut lines: Vec<&str> = REPLICATED.lines().collect();
    lines[1..].reverse();
    let reversed = compared(&lines.join("\n"), &Comparing::speedup());
    let straight = compared(REPLICATED, &Comparing::speedup());
    // KAE comes first in one file and vKAE in the other, so rows are matched by what they say.
    for stratum in &straight.strata {
        let twin = reversed
            .strata
            .iter()
            .find(|other| other.settings == stratum.settings && other.contender == stratum.contender);
        assert!((twin.unwrap().ratio.low.unwrap() - stratum.ratio.low.unwrap()).abs() < 1e-12);
    }
}

#[test]
fn a_factor_that_is_called_as_a_field_of_the_result_has_a_name_of_its_own_there() {
    use kaeanalysis::report::tables::Tabular;
    let comparison = compared("ratio,accelerator,rps\n1,none,5\n1,kae,6\n2,none,7\n2,kae,8\n", &Comparing::speedup());
    let table = comparison.table(kaeanalysis::language::Lang::En);
    assert!(table.to_csv().unwrap().starts_with("ratio_factor,scope,"), "{}", table.to_csv().unwrap());
    assert_eq!(table.to_frame().unwrap().column("ratio").unwrap().f64().unwrap().get(0), Some(1.2));
}

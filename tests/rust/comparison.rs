//! Matching, bases and warnings of comparisons. That the intervals are right is shown against scipy in tests/python.

use std::collections::BTreeSet;

use kaeanalysis::analysis::comparison::{Comparing, Comparison, compare};
use kaeanalysis::analysis::{Basis, Method, Precision, Scope};
use kaeanalysis::ingest::{self, Format, Reading};
use kaeanalysis::model::{Level, Warning};
use kaeanalysis::report::answer::Answer;
use proptest::prelude::*;

use super::{REPLICATED, runs};

fn ratios(comparison: &Comparison) -> Vec<String> {
    comparison.strata.iter().map(|stratum| format!("{:.4}", stratum.ratio.estimate)).collect()
}

fn codes(comparison: &Comparison) -> Vec<&'static str> {
    comparison.warnings().iter().map(kaeanalysis::model::Warning::code).collect()
}

fn compared(csv: &str, comparing: &Comparing) -> Comparison {
    compare(&runs(csv), comparing).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn documented_ratios() {
    let of = |name: &str, comparing: &Comparing| compare(&ingest::documented(name).unwrap(), comparing).unwrap();
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
    let vkae = compare(&ingest::documented("vkae_vm").unwrap(), &Comparing::speedup()).unwrap();
    assert_eq!(vkae.strata[3].baseline_mean.to_bits(), 2245f64.to_bits());
    assert_eq!(vkae.strata[3].contender_mean.to_bits(), 7393f64.to_bits());
}

/// The overall ratio is the geometric mean of the ratios, whose product of four is taken here by hand.
#[test]
fn overall_is_the_geometric_mean() {
    let vkae = compare(&ingest::documented("vkae_vm").unwrap(), &Comparing::speedup()).unwrap();
    let product: f64 = [1367.0 / 587.0, 2246.0 / 584.0, 5102.0 / 2255.0, 7393.0 / 2245.0].iter().product();
    assert!((vkae.overall[0].ratio.estimate - product.powf(0.25)).abs() < 1e-12);
}

#[test]
fn studies_are_never_matched_with_each_other() {
    let both = kaeanalysis::model::Runs::concat(vec![
        ingest::documented("docker").unwrap(),
        ingest::documented("soft_ratio").unwrap(),
    ]);
    let comparison = compare(&both.unwrap(), &Comparing::speedup()).unwrap();
    assert_eq!(ratios(&comparison), ["1.9474", "1.5075"]);
    assert_eq!(comparison.factors, ["study"]);
}

#[test]
fn a_factor_that_changes_with_the_compared_one_is_named() {
    let scaling = compare(&ingest::documented("vkae_vm").unwrap(), &Comparing::new("workers")).unwrap();
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
    // The baseline's mean has the whole weight in the overall ratio, not half of it twice over.
    let repeated =
        "accelerator,soft_ratio,rps\nnone,,1000\nnone,,1100\nkae,0,1500\nkae,0,1510\nkae,33,1800\nkae,33,1810\n";
    let overall = &compared(repeated, &Comparing::speedup()).overall[0].ratio;
    // The variance of the mean of two values is a quarter of their squared difference.
    let part = |a: f64, b: f64, weight: f64| weight * weight * (b / a).ln().powi(2) / 4.0;
    let parts = [part(1000.0, 1100.0, 1.0), part(1500.0, 1510.0, 0.5), part(1800.0, 1810.0, 0.5)];
    let total: f64 = parts.iter().sum();
    let degrees_of_freedom = total.powi(2) / parts.iter().map(|part| part * part).sum::<f64>();
    let half = total.sqrt() * kaeanalysis::stats::student_t::two_sided_quantile(0.95, degrees_of_freedom);
    let (low, high) = overall.interval().unwrap();
    assert!(((high / low).ln() / 2.0 - half).abs() < 1e-9);
}

#[test]
fn an_identifier_in_a_column_is_refused_with_the_way_out() {
    let csv = "accelerator,log,rps\nnone,a,1000\nnone,b,1010\nkae,c,1500\nkae,d,1510\n";
    let error = compare(&runs(csv), &Comparing::speedup()).unwrap_err().to_string();
    assert_eq!(
        error,
        "accelerator=none and accelerator=kae have no level of log in common, so it cannot be held equal; leave it out of \
         the matching with --ignore log (Python: ignore=[\"log\"]), so that runs that differ only in it are replicates, or \
         hold one level of it with --where"
    );
    let comparison = compared(
        csv,
        &Comparing { scope: Scope { ignore: vec!["log".to_owned()], ..Scope::default() }, ..Comparing::speedup() },
    );
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
    let unpaired =
        &compared(csv, &Comparing { scope: Scope { precision, ..Scope::default() }, ..Comparing::speedup() }).strata[0]
            .ratio;
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
    let single = compare(
        &ingest::documented("docker").unwrap(),
        &Comparing { scope: Scope { precision, ..Scope::default() }, ..Comparing::speedup() },
    )
    .unwrap();
    let ratio = &single.strata[0].ratio;
    assert_eq!((ratio.basis, ratio.method), (Basis::Assumed, Some(Method::LogAssumed)));
    // sigma of logs for a coefficient of variation of 2 %, two runs, 1.96 standard errors.
    let half = 1.959_963_984_540_054 * (2.0 * 0.02f64.powi(2).ln_1p()).sqrt();
    assert!((ratio.high.unwrap() - (4368.0f64 / 2243.0) * half.exp()).abs() < 1e-12);
    let measured =
        compared(REPLICATED, &Comparing { scope: Scope { precision, ..Scope::default() }, ..Comparing::speedup() });
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
    assert_eq!((single.basis, single.warnings[0].code()), (Basis::Pooled, "pooled-spread"));
}

#[test]
fn values_of_any_size_never_give_an_infinite_interval() {
    let csv = "accelerator,rps\nnone,1e-12\nnone,1e15\nkae,1e15\nkae,1e-12\n";
    let ratio = &compared(csv, &Comparing::speedup()).strata[0].ratio;
    assert!(ratio.low.unwrap() > 1e-100 && ratio.high.unwrap() < 1e100);
    let precision = Precision { confidence: 0.9999, ..Precision::default() };
    let ratio = &compared(csv, &Comparing { scope: Scope { precision, ..Scope::default() }, ..Comparing::speedup() })
        .strata[0]
        .ratio;
    assert_eq!(ratio.interval(), None);
    assert!(ratio.estimate.is_finite());
    assert_eq!(ratio.warnings[0].code(), "unbounded-interval");
}

#[test]
fn a_metric_of_zero_has_no_ratio() {
    let error = compare(
        &runs("accelerator,errors,rps\nnone,0,5\nkae,3,6\n"),
        &Comparing { scope: Scope { metric: Some("errors".to_owned()), ..Scope::default() }, ..Comparing::speedup() },
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
    let comparison = compared("low,accelerator,rps\n1,none,5\n1,kae,6\n2,none,7\n2,kae,8\n", &Comparing::speedup());
    let table = comparison.table(kaeanalysis::language::Lang::En);
    assert!(table.to_csv().unwrap().starts_with("low_factor,scope,"), "{}", table.to_csv().unwrap());
    assert_eq!(table.to_frame().unwrap().column("ratio").unwrap().f64().unwrap().get(0), Some(1.2));
}

fn row_warnings(comparison: &Comparison) -> Vec<&'static str> {
    comparison.strata[0].ratio.warnings.iter().map(kaeanalysis::model::Warning::code).collect()
}

#[test]
fn means_beside_a_ratio_are_of_the_runs_that_it_was_computed_from() {
    let csv = "block,accelerator,rps\n1,none,1000\n1,kae,1500\n2,none,1100\n2,kae,1700\n3,none,5000\n";
    let stratum = &compared(csv, &Comparing::speedup()).strata[0];
    assert!((stratum.contender_mean / stratum.baseline_mean - stratum.ratio.estimate).abs() < 1e-12);
    assert!(stratum.baseline_mean < 1100.0, "the run without a partner does not count");
}

#[test]
fn overall_is_the_mean_of_the_ratios_shown_also_where_blocks_differ_between_strata() {
    let csv = "workers,block,accelerator,rps\n1,1,none,100\n1,1,kae,200\n1,2,none,110\n1,2,kae,230\n1,3,none,90\n1,3,kae,170\n\
               4,1,none,400\n4,1,kae,900\n4,2,none,410\n4,2,kae,880\n";
    let comparison = compared(csv, &Comparing::speedup());
    let logs: f64 = comparison.strata.iter().map(|stratum| stratum.ratio.estimate.ln()).sum::<f64>() / 2.0;
    let overall = &comparison.overall[0].ratio;
    assert!((overall.estimate - logs.exp()).abs() < 1e-12);
    assert_eq!(overall.basis, Basis::Blocks);
}

#[test]
fn ratios_that_differ_by_rounding_alone_give_no_certain_interval() {
    let csv = "block,accelerator,rps\n1,none,100\n1,kae,200\n2,none,130\n2,kae,260\n3,none,170\n3,kae,340\n";
    let comparison = compared(csv, &Comparing::speedup());
    assert_eq!(comparison.strata[0].ratio.interval(), None);
    assert_eq!(row_warnings(&comparison), ["identical-ratios"]);
}

#[test]
fn blocks_are_not_used_where_some_runs_name_none() {
    let csv = "block,accelerator,rps\n1,none,100\n1,kae,200\n2,none,110\n2,kae,210\n,none,105\n,kae,205\n";
    let comparison = compared(csv, &Comparing::speedup());
    let ratio = &comparison.strata[0].ratio;
    assert_eq!((ratio.basis, ratio.n_baseline), (Basis::Replicates, 3));
    assert_eq!(row_warnings(&comparison), ["unused-blocks"]);
}

#[test]
fn several_runs_of_a_setting_in_a_block_count_once_and_are_named() {
    let csv = "block,accelerator,rps\n1,none,100\n1,none,102\n1,kae,200\n2,none,110\n2,kae,210\n";
    let comparison = compared(csv, &Comparing::speedup());
    assert_eq!(comparison.strata[0].ratio.n_baseline, 2);
    assert_eq!(row_warnings(&comparison), ["repeated-block"]);
}

#[test]
fn one_server_start_over_several_blocks_is_one_observation() {
    let csv = "start,block,accelerator,rps\na,1,none,100\na,2,none,101\na,3,none,102\nb,1,kae,200\nb,2,kae,202\nb,3,kae,201\n";
    let ratio = &compared(csv, &Comparing::speedup()).strata[0].ratio;
    assert_eq!((ratio.n_baseline, ratio.n_contender, ratio.basis), (1, 1, Basis::None));
}

#[test]
fn a_stated_spread_does_not_override_a_measured_one() {
    let csv = "accelerator,rps\nnone,1000\nnone,1500\nnone,700\nkae,1300\n";
    let precision = Precision { assume_cv: Some(0.01), ..Precision::default() };
    let ratio = &compared(csv, &Comparing { scope: Scope { precision, ..Scope::default() }, ..Comparing::speedup() })
        .strata[0]
        .ratio;
    assert_eq!(ratio.basis, Basis::Assumed);
    assert!(
        ratio.low.unwrap() < 0.5 && ratio.high.unwrap() > 3.0,
        "the spread of the three runs of the baseline shows"
    );
}

#[test]
fn virtual_cpus_tell_runs_apart_where_some_name_no_vm_size() {
    let csv = "vm_size,vcpus,accelerator,rps\n,4,none,100\n,4,kae,200\n,16,none,400\n,16,kae,800\n8C16G,,none,200\n8C16G,,kae,500\n";
    let comparison = compared(csv, &Comparing::speedup());
    assert_eq!(comparison.strata.len(), 3);
    assert!(comparison.strata.iter().all(|stratum| stratum.ratio.n_baseline == 1), "4 and 16 are no replicates");
}

#[test]
fn whole_numbers_are_one_level_however_they_came() {
    use kaeanalysis::model::{Run, Runs};
    let run = |rack: Level, accelerator: &str, rps: f64| {
        Run::new().with("rack", rack).with("accelerator", accelerator).measured("rps", rps)
    };
    let a =
        Runs::from_rows([run(Level::Number(4.0), "none", 100.0), run(Level::Number(5.5), "none", 90.0)], "a").unwrap();
    let b = Runs::from_rows([run(Level::Integer(4), "kae", 200.0)], "b").unwrap();
    let both = Runs::concat(vec![a, b]).unwrap();
    assert_eq!(ratios(&compare(&both, &Comparing::speedup()).unwrap()), ["2.0000"]);
    let c = Runs::from_rows([run(Level::from("4"), "vkae", 300.0), run(Level::from("x"), "vkae", 1.0)], "c").unwrap();
    let three = Runs::concat(vec![both, c]).unwrap();
    assert_eq!(ratios(&compare(&three, &Comparing::speedup()).unwrap()), ["2.0000", "3.0000"]);
    assert_ne!(Level::Integer(9_007_199_254_740_993), Level::Integer(9_007_199_254_740_992));
}

#[test]
fn a_level_is_the_same_in_any_spelling() {
    let csv = "vm_size,accelerator,tls_mode,rps\n8C16G,None,sync,100\n8c16g,KAE,Sync,200\n8C16G, kae ,sync,210\n";
    let comparison = compared(csv, &Comparing::speedup());
    assert_eq!(comparison.strata.len(), 1);
    assert_eq!(comparison.strata[0].ratio.n_contender, 2);
    assert!(comparison.warnings.is_empty(), "{:?}", comparison.warnings);
    assert!(runs(csv).filter(&[("accelerator".to_owned(), "KAE".to_owned())]).is_ok(), "as tables show it");
}

#[test]
fn the_same_contents_twice_are_no_further_evidence() {
    let twice = || runs("accelerator,rps\nnone,100\nnone,101\nkae,200\nkae,203\n");
    let error = kaeanalysis::model::Runs::concat(vec![twice(), twice()]).unwrap_err().to_string();
    assert_eq!(error, "the contents of test.csv were read already; name every input once");
}

#[test]
fn runs_that_do_not_state_a_factor_are_named() {
    let csv = "workers,accelerator,rps\n1,none,100\n1,kae,200\n,none,300\n,kae,400\n";
    assert_eq!(codes(&compared(csv, &Comparing::speedup())), ["single-run", "unknown-level"]);
}

#[test]
fn a_date_in_a_column_is_named_as_what_keeps_runs_from_repeating() {
    let csv =
        "date,accelerator,rps\n2026-01-01,none,100\n2026-01-01,kae,200\n2026-01-02,none,101\n2026-01-02,kae,202\n";
    assert_eq!(codes(&compared(csv, &Comparing::speedup())), ["single-run", "every-run-apart"]);
    let ignored = compared(
        csv,
        &Comparing { scope: Scope { ignore: vec!["date".to_owned()], ..Scope::default() }, ..Comparing::speedup() },
    );
    assert_eq!(ignored.strata[0].ratio.basis, Basis::Replicates);
}

#[test]
fn a_baseline_that_serves_one_contender_is_not_unmatched() {
    let csv = "workers,accelerator,rps\n1,none,100\n1,vkae,200\n4,none,400\n4,vkae,800\n4,kae,900\n";
    assert_eq!(codes(&compared(csv, &Comparing::speedup())), ["single-run"]);
}

#[test]
fn a_replicate_number_that_repeats_is_named_and_an_absent_one_is_not() {
    let repeated = "replicate,accelerator,rps\n1,none,100\n1,none,101\n2,none,99\n1,kae,200\n2,kae,202\n";
    assert_eq!(codes(&compared(repeated, &Comparing::speedup())), ["same-replicate"]);
    let absent = "replicate,accelerator,rps\n,none,100\n,none,101\n1,kae,200\n2,kae,202\n";
    assert_eq!(codes(&compared(absent, &Comparing::speedup())), [""; 0]);
}

#[test]
fn a_part_of_the_vm_size_can_be_compared() {
    let csv = "vm_size,rps\n4C8G,100\n8C16G,190\n";
    let comparison = compared(csv, &Comparing::new("vcpus"));
    assert_eq!(ratios(&comparison), ["1.9000"]);
    assert_eq!(codes(&comparison), ["single-run", "varies-together"], "memory changes as well");
    let ignored = compared(
        csv,
        &Comparing {
            scope: Scope { ignore: vec!["vm_size".to_owned()], ..Scope::default() },
            ..Comparing::new("vcpus")
        },
    );
    assert_eq!(codes(&ignored), ["single-run", "ignored-varies"]);
}

#[test]
fn a_shared_baseline_counts_once_also_where_the_spread_is_stated() {
    let csv = "accelerator,soft_ratio,rps\nnone,,1000\nkae,0,1500\nkae,33,1800\nkae,66,1400\n";
    let precision = Precision { assume_cv: Some(0.02), ..Precision::default() };
    let overall = &compared(csv, &Comparing { scope: Scope { precision, ..Scope::default() }, ..Comparing::speedup() })
        .overall[0]
        .ratio;
    let half = 1.959_963_984_540_054 * (0.02f64.powi(2).ln_1p() * (1.0 + 1.0 / 3.0)).sqrt();
    let (low, high) = overall.interval().unwrap();
    assert!(((high / low).ln() / 2.0 - half).abs() < 1e-12);
}

/// Six rounds in which everything shifts together: with all runs or one missing, the rounds are what is independent.
#[test]
fn a_missing_run_does_not_turn_rounds_into_independent_strata() {
    let mut csv = "workers,block,accelerator,rps\n".to_owned();
    for (block, ratio) in [1.8, 2.2, 1.9, 2.1, 2.0, 2.3].into_iter().enumerate() {
        for workers in [1, 2, 4, 8] {
            let rate = 100.0 * f64::from(workers) * (1.0 + 0.001 * f64::from(workers) * block as f64);
            csv.push_str(&format!("{workers},{block},none,{rate}\n{workers},{block},kae,{}\n", rate * ratio));
        }
    }
    let full = compared(&csv, &Comparing::speedup()).overall.remove(0).ratio;
    let lost: String =
        csv.lines().filter(|line| !line.starts_with("8,5,kae")).map(|line| format!("{line}\n")).collect();
    let partial = compared(&lost, &Comparing::speedup()).overall.remove(0).ratio;
    assert_eq!((full.n_baseline, partial.n_baseline), (6, 6));
    let width = |ratio: &kaeanalysis::analysis::Estimate| (ratio.high.unwrap() / ratio.low.unwrap()).ln();
    assert!(width(&partial) > 0.8 * width(&full), "{} {}", width(&partial), width(&full));
}

#[test]
fn another_study_does_not_turn_off_the_blocks_of_the_first() {
    let a = "study,workers,block,accelerator,rps\nA,1,1,none,100\nA,1,1,kae,180\nA,1,2,none,100\nA,1,2,kae,220\n\
             A,4,1,none,400\nA,4,1,kae,720\nA,4,2,none,400\nA,4,2,kae,881\n";
    let b = "B,1,1,none,100\nB,1,1,vkae,190\nB,1,2,none,100\nB,1,2,vkae,180\n";
    let alone = compared(a, &Comparing::speedup());
    let both = compared(&format!("{a}{b}"), &Comparing::speedup());
    assert_eq!(alone.overall[0].ratio, both.overall[0].ratio);
}

#[test]
fn settings_that_share_server_starts_have_no_interval_for_their_mean() {
    let csv = "connections,start,accelerator,rps\n10,a,none,100\n20,a,none,200\n10,b,none,110\n20,b,none,220\n\
               10,c,kae,200\n20,c,kae,400\n10,d,kae,230\n20,d,kae,450\n";
    let comparison = compared(csv, &Comparing::speedup());
    assert!(comparison.strata.iter().all(|stratum| stratum.ratio.interval().is_some()));
    assert_eq!(comparison.overall[0].ratio.interval(), None);
    assert_eq!(codes(&comparison), ["shared-starts"]);
}

#[test]
fn blocks_in_one_stratum_and_none_in_another_give_no_interval_for_their_mean() {
    let csv = "workers,block,accelerator,rps\n1,1,none,100\n1,1,kae,200\n1,2,none,101\n1,2,kae,205\n\
               4,,none,400\n4,,none,402\n4,,kae,800\n4,,kae,810\n";
    let comparison = compared(csv, &Comparing::speedup());
    assert_eq!(comparison.overall[0].ratio.interval(), None);
    assert_eq!(codes(&comparison), ["mixed-bases"]);
}

#[test]
fn a_cell_that_several_strata_share_is_counted_once() {
    let csv = "accelerator,soft_ratio,rps\nnone,,1000\nnone,,1100\nkae,0,1500\nkae,0,1510\nkae,33,1800\nkae,33,1810\n";
    let overall = &compared(csv, &Comparing::speedup()).overall[0].ratio;
    assert_eq!((overall.n_baseline, overall.n_contender), (2, 4));
}

#[test]
fn runs_that_agree_show_no_spread_not_a_spread_of_nothing() {
    let precision = Precision { assume_cv: Some(0.05), ..Precision::default() };
    let csv = "accelerator,rps\nnone,100\nkae,200\nkae,200\n";
    let ratio = &compared(csv, &Comparing { scope: Scope { precision, ..Scope::default() }, ..Comparing::speedup() })
        .strata[0]
        .ratio;
    let half = 1.959_963_984_540_054 * (0.05f64.powi(2).ln_1p() * 1.5).sqrt();
    assert!((ratio.high.unwrap() - 2.0 * half.exp()).abs() < 1e-12);
    let one_side = compared("accelerator,rps\nnone,100\nnone,101\nkae,200\nkae,200\n", &Comparing::speedup());
    assert_eq!(row_warnings(&one_side), ["identical-values"]);
}

#[test]
fn runs_without_the_metric_do_not_steer_the_matching() {
    let csv = "accelerator,rps,latency_p50_ms,cipher\nnone,100,1,x\nkae,200,1,y\nnone,,1,y\n";
    let comparison = compared(csv, &Comparing::speedup());
    assert_eq!(ratios(&comparison), ["2.0000"]);
    assert_eq!(codes(&comparison), ["single-run", "metric-missing", "varies-together"]);
}

proptest! {
    /// Runs that were summed up while they were read say the same: of blocks and server starts that some runs name and others
    /// do not, of studies, and where a metric is missing.
    #[test]
    fn sums_say_what_runs_say(
        rows in prop::collection::vec(
            ("none|kae|", "1|4", "|1|2|3", "|a|b", "x|y", 50..200u32, any::<bool>()),
            4..40,
        ),
        by_block in any::<bool>(),
        by_start in any::<bool>(),
    ) {
        let mut csv = "accelerator,workers,block,start,study,rps,latency_p99_ms\n".to_owned();
        for (accelerator, workers, block, start, study, rps, measured) in rows {
            let (block, start) = (if by_block { block } else { String::new() }, if by_start { start } else { String::new() });
            let rate = if measured { rps.to_string() } else { String::new() };
            csv += &format!("{accelerator},{workers},{block},{start},{study},{rate},{}\n", rps + 1);
        }
        let read = |most_runs| Reading { columns: Vec::new(), most_runs }.bytes(csv.as_bytes(), Format::Csv, "runs.csv");
        let (Ok(whole), Ok(sums)) = (read(None), read(Some(0))) else { return Ok(()) };
        prop_assert_eq!(whole.len(), sums.len());
        for metric in ["rps", "latency_p99_ms"] {
            let scope = Scope { metric: Some(metric.to_owned()), ..Scope::default() };
            let asked = Comparing { scope, ..Comparing::speedup() };
            let (whole, sums) = match (compare(&whole, &asked), compare(&sums, &asked)) {
                (Ok(whole), Ok(sums)) => (whole, sums),
                (whole, sums) => {
                    prop_assert_eq!(whole.map_err(|e| e.to_string()).err(), sums.map_err(|e| e.to_string()).err());
                    continue;
                }
            };
            prop_assert_eq!(whole.strata.len(), sums.strata.len());
            let estimates = |comparison: &Comparison| {
                let mut all: Vec<_> = comparison.strata.iter().map(|one| (format!("{:?}", one.settings), one.ratio.clone())).collect();
                all.extend(comparison.overall.iter().map(|one| ("overall".to_owned(), one.ratio.clone())));
                all.sort_by(|a, b| a.0.cmp(&b.0));
                all
            };
            for ((setting, a), (same, b)) in estimates(&whole).into_iter().zip(estimates(&sums)) {
                prop_assert_eq!(&setting, &same);
                prop_assert_eq!((a.basis, a.method, a.n_baseline, a.n_contender), (b.basis, b.method, b.n_baseline, b.n_contender));
                let codes = |warnings: &[Warning]| warnings.iter().map(Warning::code).collect::<BTreeSet<_>>();
                prop_assert_eq!(codes(&a.warnings), codes(&b.warnings), "{}", setting);
                let near = |a: Option<f64>, b: Option<f64>| match (a, b) {
                    (Some(a), Some(b)) => (a / b - 1.0).abs() < 1e-6,
                    (a, b) => a == b,
                };
                prop_assert!(near(Some(a.estimate), Some(b.estimate)), "{} {:?} {:?}", setting, a, b);
                prop_assert!(near(a.low, b.low) && near(a.high, b.high), "{} {:?} {:?}", setting, a, b);
            }
        }
    }
}

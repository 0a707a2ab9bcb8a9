//! New runs against stored ones, and the faults known from other tools.

use kaeanalysis::analysis::check::{Check, Checking, Verdict, check};
use kaeanalysis::analysis::comparison::{Comparing, compare};
use kaeanalysis::analysis::effects::{Factors, effects};
use kaeanalysis::analysis::interaction::{Interacting, interact};
use kaeanalysis::analysis::planning::{Planning, plan_from};
use kaeanalysis::analysis::quality::{Outcome, inspect};
use kaeanalysis::analysis::{Method, Precision, Scope};
use kaeanalysis::model::{Run, Runs};
use kaeanalysis::stats::multiple::Adjustment;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::runs;

fn checked(stored: &str, new: &str, checking: &Checking) -> Check {
    check(&runs(stored), &runs(new), checking).unwrap_or_else(|error| panic!("{error}"))
}

fn verdicts(check: &Check) -> Vec<Verdict> {
    check.cells.iter().map(|cell| cell.verdict).collect()
}

const STORED: &str = "workers,rps\n1,1000\n1,1005\n1,995\n4,4000\n4,4010\n4,3990\n8,7000\n8,7010\n8,7020\n";

#[test]
fn every_verdict() {
    let new = "workers,rps\n1,1001\n1,1004\n1,996\n4,3700\n4,3710\n4,3690\n16,9000\n";
    let check = checked(STORED, new, &Checking::new(0.03));
    assert_eq!(verdicts(&check), [Verdict::Pass, Verdict::Regression, Verdict::Gone, Verdict::New]);
    assert_eq!(check.verdict, Verdict::Regression);
    let scattered = "workers,rps\n1,900\n1,1100\n1,1000\n";
    let check = checked(STORED, scattered, &Checking::new(0.03));
    assert_eq!(check.cells[0].verdict, Verdict::Inconclusive);
    assert!(check.cells[0].more_runs.is_some_and(|runs| runs > 10), "{:?}", check.cells[0].more_runs);
}

#[test]
fn a_loss_of_latency_is_a_rise() {
    let stored = "latency_p99_ms\n10.0\n10.1\n9.9\n";
    let risen = "latency_p99_ms\n11.0\n11.1\n10.9\n";
    let fallen = "latency_p99_ms\n9.0\n9.1\n8.9\n";
    assert_eq!(checked(stored, risen, &Checking::new(0.03)).verdict, Verdict::Regression);
    assert_eq!(checked(stored, fallen, &Checking::new(0.03)).verdict, Verdict::Pass);
    let error = check(&runs("cpu_util\n50\n51\n"), &runs("cpu_util\n50\n52\n"), &Checking::new(0.03)).unwrap_err();
    assert!(error.to_string().starts_with("cpu_util is neither better nor worse when it rises"), "{error}");
}

#[test]
fn rounds_of_different_sets_are_different_rounds() {
    // In blocks of the same number the two sets would look like pairs, and the noise that they share by chance would cancel.
    let stored = "block,rps\n1,1000\n2,1100\n3,1200\n";
    let new = "block,rps\n1,970\n2,1068\n3,1165\n";
    let check = checked(stored, new, &Checking::new(0.0));
    assert_eq!(check.cells[0].ratio.as_ref().unwrap().method, Some(Method::LogWelch));
    assert_eq!(check.verdict, Verdict::Inconclusive);
}

#[test]
fn the_same_runs_twice_are_a_slip() {
    let error = check(&runs(STORED), &runs(STORED), &Checking::new(0.03)).unwrap_err().to_string();
    assert_eq!(error, "test.csv and test.csv hold the same runs; name the stored runs and the new ones");
}

/// Five runs of a round share what the round adds: they are one observation, not five.
#[test]
fn several_runs_of_a_round_count_as_one() {
    let rows = |rounds: [f64; 3]| {
        let run = |(round, level): (usize, f64)| {
            (0..5).map(|run| format!("{round},{}\n", level + f64::from(run))).collect::<String>()
        };
        format!("block,rps\n{}", rounds.into_iter().enumerate().map(run).collect::<String>())
    };
    let check = checked(&rows([1000.0, 1020.0, 980.0]), &rows([990.0, 1010.0, 985.0]), &Checking::new(0.0));
    let ratio = check.cells[0].ratio.as_ref().unwrap();
    assert_eq!((ratio.n_baseline, ratio.n_contender), (3, 3));
    assert_eq!(ratio.warnings[0].code(), "repeated-block");
    assert_eq!(check.verdict, Verdict::Inconclusive);
}

#[test]
fn other_settings_are_no_new_runs_of_the_stored_ones() {
    let new = STORED.replace("\n1,", "\n16,").replace("\n4,", "\n32,").replace("\n8,", "\n64,");
    let error = check(&runs(STORED), &runs(&new), &Checking::new(0.03)).unwrap_err().to_string();
    assert!(error.starts_with("the stored runs have workers 1, 4 or 8 and the new ones 16, 32 or 64"), "{error}");
    let lacking = check(&runs(STORED), &runs("workers,latency_p99_ms\n1,5\n"), &Checking::new(0.03));
    let asked = Checking { scope: Scope { metric: Some("rps".to_owned()), ..Scope::default() }, ..Checking::new(0.03) };
    assert!(lacking.is_err());
    let lacking = check(&runs(STORED), &runs("workers,latency_p99_ms\n1,5\n"), &asked).unwrap_err().to_string();
    assert_eq!(lacking, "test.csv: the runs have no \"rps\"; use latency_p99_ms");
}

#[test]
fn a_date_that_differs_between_the_sets_is_named_and_tells_nothing_apart() {
    let stored = "date,rps\nJan1,100\nJan1,101\nJan2,99\nJan2,102\n";
    let check = checked(stored, "date,rps\nJan3,100\nJan3,101\n", &Checking::new(0.05));
    assert!(check.factors.is_empty());
    assert_eq!((check.cells.len(), check.cells[0].ratio.as_ref().unwrap().n_baseline), (1, 4), "a history is one cell");
    assert_eq!(check.warnings[0].code(), "varies-together");
}

#[test]
fn bonferroni_intervals_agree_with_the_verdicts() {
    let slight = STORED.replace("1,1000", "1,985").replace("1,1005", "1,991").replace("1,995", "1,982");
    let together = Checking { adjust: Adjustment::Bonferroni, ..Checking::new(0.0) };
    for cell in checked(STORED, &slight, &together).cells {
        let (low, high) = cell.ratio.unwrap().interval().unwrap();
        let decided = !(low..=high).contains(&1.0);
        assert_eq!(
            decided,
            matches!(cell.verdict, Verdict::Pass | Verdict::Regression),
            "[{low}, {high}] {:?}",
            cell.verdict
        );
    }
    let precision = Precision { method: Method::Percentile, resamples: 500, ..Precision::default() };
    let few = Checking { scope: Scope { precision, ..Scope::default() }, ..together };
    let error = check(&runs(STORED), &runs(&slight), &few).unwrap_err().to_string();
    assert!(error.starts_with("500 resamples are too few for a family of 3; draw at least 600"), "{error}");
}

/// At the raised confidence ranks give the first cell no interval; it is one of two tests all the same.
#[test]
fn a_family_does_not_shrink_where_an_interval_is_lost() {
    let rows = |cells: [&[f64]; 2]| {
        let row = |workers: usize| move |value: &f64| format!("{workers},{value}\n");
        let all = cells.iter().enumerate().flat_map(|(at, cell)| cell.iter().map(row(at + 1)));
        all.fold("workers,rps\n".to_owned(), |csv, row| csv + &row)
    };
    let stored =
        rows([&[1000.0, 1001.0, 1002.0, 1003.0], &[1100.2, 1083.9, 1067.6, 1066.3, 1107.7, 1118.6, 1093.0, 1073.3]]);
    let new = rows([&[990.5, 991.5, 992.5, 993.5], &[1088.4, 1042.5, 1054.4, 1082.9, 1022.5, 1077.9, 1057.2, 1071.9]]);
    let precision = Precision { method: Method::HodgesLehmann, ..Precision::default() };
    let scope = Scope { precision, ..Scope::default() };
    let checking = Checking { adjust: Adjustment::Bonferroni, scope, ..Checking::new(0.0) };
    let check = checked(&stored, &new, &checking);
    let second = &check.cells[1];
    assert!((second.p_adjusted.unwrap() - 2.0 * second.ratio.as_ref().unwrap().p_value.unwrap()).abs() < 1e-12);
    assert_eq!(second.verdict, Verdict::Inconclusive);
}

/// A server start that stands in several cells is one observation of each, and they are not independent.
#[test]
fn shared_server_starts_give_no_false_confidence() {
    let csv = "accelerator,connections,start,rps\nnone,10,1,100\nnone,20,1,150\nnone,10,2,104\nnone,20,2,155\n\
               kae,10,3,200\nkae,20,3,290\nkae,10,4,210\nkae,20,4,305\n";
    let found = effects(&runs(csv), &Factors::default()).unwrap();
    assert!(found.effects.iter().all(|effect| effect.p_value.is_none()));
    assert_eq!(found.warnings[0].code(), "shared-starts");
    let precision = Precision { method: Method::LogPooled, ..Precision::default() };
    let asked = Comparing { scope: Scope { precision, ..Scope::default() }, ..Comparing::speedup() };
    let ratio = &compare(&runs(csv), &asked).unwrap().strata[0].ratio;
    assert_eq!((ratio.interval(), ratio.warnings[0].code()), (None, "shared-starts"));
}

#[test]
fn a_missing_run_costs_its_round_and_not_all_rounds() {
    let shift = [0.0, 5.0, -4.0, 9.0, -7.0];
    let wiggle = [0.3, -0.2, 0.1, -0.4, 0.2];
    let mut rows: Vec<String> = Vec::new();
    for (block, (shift, wiggle)) in shift.into_iter().zip(wiggle).enumerate() {
        for (cell, (mode, accelerator, level)) in
            [("sync", "none", 100.0), ("async", "none", 110.0), ("sync", "kae", 200.0), ("async", "kae", 260.0)]
                .into_iter()
                .enumerate()
        {
            let noise = if cell % 2 == 0 { wiggle } else { -wiggle };
            rows.push(format!("{mode},{accelerator},{block},{}", level * (1.0 + (shift + noise) / 100.0)));
        }
    }
    let of = |rows: &[String]| {
        effects(&runs(&format!("tls_mode,accelerator,block,rps\n{}\n", rows.join("\n"))), &Factors::default()).unwrap()
    };
    let (whole, lacking) = (of(&rows), of(&rows[1..]));
    assert_eq!((whole.residual_degrees_of_freedom, lacking.residual_degrees_of_freedom), (Some(12.0), Some(9.0)));
    assert!(lacking.residual_sigma.unwrap() < 0.01, "{:?}", lacking.residual_sigma);
    assert_eq!(lacking.warnings[0].code(), "incomplete-blocks");
}

#[test]
fn an_effect_that_cannot_be_told_from_others_is_named() {
    let csv = "tls_mode,accelerator,rps\nsync,none,100\nasync,none,99\nsync,kae,200\nsync,none,101\nasync,none,100\nsync,kae,202\n";
    let found = effects(&runs(csv), &Factors::default()).unwrap();
    assert_eq!(found.confounded, [["tls_mode", "accelerator"]]);
    assert_eq!(found.warnings[0].code(), "confounded");
}

#[test]
fn rounds_of_different_studies_make_no_pairs() {
    let csv = "study,block,rps\nA,1,1000\nA,2,1100\nA,3,1200\nB,1,970\nB,2,1068\nB,3,1165\n";
    let ratio = &compare(&runs(csv), &Comparing::new("study")).unwrap().strata[0].ratio;
    assert_eq!(ratio.method, Some(Method::LogWelch));
}

#[test]
fn a_factor_that_follows_the_other_does_not_hide_the_interaction() {
    let asked = Interacting::new("accelerator", "workers");
    let vkae = interact(&kaeanalysis::ingest::documented("vkae_vm").unwrap(), &asked).unwrap();
    let found: Vec<String> = vkae.strata.iter().map(|stratum| format!("{:.4}", stratum.interaction.estimate)).collect();
    // 2.2625 / 2.3288 and 3.2931 / 3.8459: the number of requests follows the workers.
    assert_eq!(found, ["0.9715", "0.8563"]);
    assert!(vkae.warnings.iter().any(|warning| warning.code() == "varies-together"));
}

/// Rounds are planned as rounds: what changes between them costs no runs.
#[test]
fn planning_counts_rounds_where_there_are_rounds() {
    let rows: String = (0..6).fold("block,accelerator,rps\n".to_owned(), |csv, block| {
        let shift = [1.0, 1.08, 0.93, 1.05, 0.9, 1.02][block];
        let wiggle = [0.004, -0.003, 0.002, -0.004, 0.001, 0.0][block];
        format!("{csv}{block},none,{}\n{block},kae,{}\n", 1000.0 * shift, 2000.0 * shift * (1.0 + wiggle))
    });
    let planning = Planning { effect: Some(0.01), ..Planning::default() };
    let plan = plan_from(&runs(&rows), &planning, &Scope::default()).unwrap();
    assert!(plan.rounds && plan.spreads.len() == 1);
    let spread = &plan.spreads[0];
    assert_eq!(spread.runs, Some(6));
    // The paired interval of the comparison has exactly the half width that the plan states.
    let ratio = compare(&runs(&rows), &Comparing::speedup()).unwrap().strata[0].ratio.clone();
    let (low, high) = ratio.interval().unwrap();
    assert!(((high / low).sqrt() - 1.0 - spread.half_width.unwrap()).abs() < 1e-9);
}

/// Standard normal numbers by Box and Muller.
fn normal(random: &mut Xoshiro256PlusPlus) -> f64 {
    let mut uniform = || (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    (-2.0 * (1.0 - uniform()).ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos()
}

/// Three runs of each of so many cells, all of one level, with 2 % noise.
fn unchanged(cells: i64, random: &mut Xoshiro256PlusPlus) -> Runs {
    let rows = (0..cells).flat_map(|cell| std::iter::repeat_n(cell, 3)).collect::<Vec<i64>>();
    let run = |cell: i64| Run::new().with("workers", cell + 1).measured("rps", 5000.0 * (0.02 * normal(random)).exp());
    Runs::from_rows(rows.into_iter().map(run).collect::<Vec<Run>>(), "simulated").unwrap()
}

/// Without any change, and with no loss accepted, half of the stated 5 % are called a regression: the interval is two-sided.
#[test]
fn false_alarms_stay_at_their_level() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let (stored, new) = (unchanged(10_000, &mut random), unchanged(10_000, &mut random));
    let check = check(&stored, &new, &Checking::new(0.0)).unwrap();
    let share = |verdict: Verdict| {
        check.cells.iter().filter(|cell| cell.verdict == verdict).count() as f64 / check.cells.len() as f64
    };
    assert_eq!(check.cells.len(), 10_000);
    assert!(share(Verdict::Regression) <= 0.025, "{}", share(Verdict::Regression));
    assert!(share(Verdict::Regression) + share(Verdict::Pass) <= 0.05);
    assert!(share(Verdict::Regression) > 0.01, "a check that never decides holds any level");
}

/// 200 families of 50 cells are 10,000 comparisons; with Holm's adjustment 5 % of the families may hold a false alarm.
#[test]
fn false_alarms_of_a_family_stay_at_their_level_with_holm() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut alarmed = |adjust: Adjustment| {
        let alarms = (0..200).filter(|_| {
            let (stored, new) = (unchanged(50, &mut random), unchanged(50, &mut random));
            let checking = Checking { adjust, ..Checking::new(0.0) };
            check(&stored, &new, &checking).unwrap().cells.iter().any(|cell| cell.verdict == Verdict::Regression)
        });
        alarms.count()
    };
    let (holm, alone) = (alarmed(Adjustment::Holm), alarmed(Adjustment::None));
    assert!(holm <= 10, "{holm} of 200 families");
    assert!(alone > 60, "{alone} of 200 families: without adjustment most families of 50 raise one");
}

#[test]
fn a_family_needs_more_evidence_of_each_cell() {
    let slight = STORED.replace("1,1000", "1,985").replace("1,1005", "1,991").replace("1,995", "1,982");
    let alone = checked(STORED, &slight, &Checking::new(0.0));
    assert_eq!(alone.cells[0].verdict, Verdict::Regression);
    let together = Checking { adjust: Adjustment::Holm, ..Checking::new(0.0) };
    assert_eq!(checked(STORED, &slight, &together).cells[0].verdict, Verdict::Inconclusive);
}

fn welch(baseline: &[f64], contender: &[f64]) -> kaeanalysis::analysis::Estimate {
    let row = |accelerator: &'static str| {
        move |value: &f64| Run::new().with("accelerator", accelerator).measured("rps", *value)
    };
    let rows: Vec<Run> = baseline.iter().map(row("none")).chain(contender.iter().map(row("kae"))).collect();
    compare(&Runs::from_rows(rows, "test").unwrap(), &Comparing::speedup()).unwrap().strata[0].ratio.clone()
}

/// Student's test with one pooled variance rejects here (p = 0.007), since the large sample scatters less than the small one.
#[test]
fn unequal_sample_sizes_are_not_significant_by_themselves() {
    let many: Vec<f64> = (0..30).map(|run| 1000.0 + f64::from(run % 5) - 2.0).collect();
    let ratio = welch(&many, &[1000.0, 1040.0, 990.0]);
    assert!(ratio.p_value.unwrap() > 0.3, "{ratio:?}");
}

/// The factor for 3 + 3 runs of equal spread is t(0.975; 4) = 2.776, not t(0.95; 4) = 2.132.
#[test]
fn a_95_percent_interval_has_the_two_sided_quantile() {
    let side = |center: f64| [center * (-0.01f64).exp(), center, center * 0.01f64.exp()];
    let ratio = welch(&side(1000.0), &side(1500.0));
    let (low, high) = ratio.interval().unwrap();
    let half = 2.776_445_105 * (2.0f64 * 0.01 * 0.01 / 3.0).sqrt();
    assert!(((high / low).ln() / 2.0 - half).abs() < 1e-9, "{ratio:?}");
}

/// Dividing by n instead of n − 1 would make 8.5 % of the intervals of 3 + 3 runs miss; the simulated share is at most 5 %.
#[test]
fn the_spread_of_a_sample_is_not_that_of_a_population() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let (stored, new) = (unchanged(4_000, &mut random), unchanged(4_000, &mut random));
    let check = check(&stored, &new, &Checking::new(0.0)).unwrap();
    let missed = check.cells.iter().filter(|cell| {
        let (low, high) = cell.ratio.as_ref().unwrap().interval().unwrap();
        low > 1.0 || high < 1.0
    });
    let share = missed.count() as f64 / 4_000.0;
    assert!(share < 0.055, "{share}");
}

#[test]
fn the_baseline_is_the_one_that_was_asked_for() {
    let csv = "accelerator,rps\nnone,1000\nkae,2000\nvkae,4000\n";
    let asked = Comparing { baseline: Some("kae".to_owned()), ..Comparing::new("accelerator") };
    let comparison = compare(&runs(csv), &asked).unwrap();
    let found: Vec<(String, f64)> =
        comparison.strata.iter().map(|stratum| (stratum.contender.to_string(), stratum.ratio.estimate)).collect();
    assert_eq!(found, [("none".to_owned(), 0.5), ("vkae".to_owned(), 2.0)]);
}

#[test]
fn the_median_of_an_even_count_is_between_the_two_in_the_middle() {
    let csv = "accelerator,rps\nnone,10\nnone,20\nnone,30\nnone,90\nkae,50\nkae,70\nkae,20\nkae,60\n";
    let precision = Precision {
        method: Method::Bca,
        center: Some(kaeanalysis::stats::bootstrap::Center::Median),
        ..Precision::default()
    };
    let asked = Comparing { scope: Scope { precision, ..Scope::default() }, ..Comparing::speedup() };
    let stratum = &compare(&runs(csv), &asked).unwrap().strata[0];
    assert_eq!((stratum.baseline_mean, stratum.contender_mean), (25.0, 55.0));
    assert!((stratum.ratio.estimate - 2.2).abs() < 1e-12);
}

/// Workers multiply by 3 and the mode by 1.1; coefficients in another order than the columns would swap them. R² is taken around
/// the mean: around zero it would be 0.99999 for any throughput.
#[test]
fn effects_belong_to_their_factors_and_r_squared_to_the_mean() {
    let csv = "tls_mode,workers,rps\nsync,1,100\nsync,1,120\nasync,1,110\nasync,1,132\nsync,3,300\nsync,3,360\nasync,3,330\nasync,3,396\n";
    let found = effects(&runs(csv), &Factors::default()).unwrap();
    let ratio = |factor: &str| found.effects.iter().find(|effect| effect.factors == [factor]).unwrap().ratio;
    assert!((ratio("workers") - 3.0).abs() < 1e-9 && (ratio("tls_mode") - 1.1).abs() < 1e-9);
    let within = 8.0 * (1.2f64.ln() / 2.0).powi(2);
    let between = 8.0 * ((3f64.ln() / 2.0).powi(2) + (1.1f64.ln() / 2.0).powi(2));
    assert!((found.r_squared.unwrap() - between / (between + within)).abs() < 1e-9);
}

#[test]
fn designs_that_are_none_are_refused_with_the_way_out() {
    let error = |csv: &str, asked: &Factors| effects(&runs(csv), asked).unwrap_err().to_string();
    let three = "workers,rps\n1,100\n2,200\n4,400\n";
    assert_eq!(
        error(three, &Factors::default()),
        "workers has the levels 1, 2 or 4, and a two-level design has two; choose two of them, such as --where workers=1 \
         --where workers=2"
    );
    let two = "workers,tls_mode,rps\n1,sync,100\n2,sync,200\n1,async,150\n2,async,260\n";
    let one = Factors { factors: vec!["workers".to_owned()], ..Factors::default() };
    assert!(error(two, &one).starts_with("tls_mode varies as well; name it too"), "{}", error(two, &one));
    assert!(error("workers,rps\n1,100\n1,101\n", &Factors::default()).starts_with("no factor has two levels"));
}

/// Runs of one round share what the round adds: eight cells of six rounds are one series of six, not eight.
#[test]
fn quality_does_not_take_the_spread_of_rounds_for_drift() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
    let mut alarms = 0;
    for _ in 0..200 {
        let rounds: Vec<f64> = (0..6).map(|_| 0.03 * normal(&mut random)).collect();
        let rows: Vec<Run> = rounds
            .iter()
            .enumerate()
            .flat_map(|(block, shift)| (1..=8).map(move |workers| (block, *shift, workers)))
            .map(|(block, shift, workers)| {
                let noise = 0.002 * normal(&mut random);
                Run::new()
                    .with("block", block as i64)
                    .with("workers", workers)
                    .measured("rps", 1000.0 * (shift + noise).exp())
            })
            .collect();
        let quality = inspect(&Runs::from_rows(rows, "simulated").unwrap(), &Scope::default()).unwrap();
        alarms += usize::from(quality.tests[..2].iter().any(|test| test.outcome == Outcome::Found));
    }
    // Two tests at 1 % each.
    assert!(alarms <= 8, "{alarms} of 200");
}

/// Whole requests per second repeat themselves by chance; a copied column does not.
#[test]
fn whole_numbers_that_repeat_by_chance_are_no_copies() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut found = |copy: bool| {
        let values: Vec<f64> = (0..20).map(|_| (2000.0 + 10.0 * normal(&mut random)).round()).collect();
        let others: Vec<f64> = if copy {
            values.clone()
        } else {
            (0..20).map(|_| (2000.0 + 10.0 * normal(&mut random)).round()).collect()
        };
        let row = |workers: i64| move |value: &f64| Run::new().with("workers", workers).measured("rps", *value);
        let rows: Vec<Run> = values.iter().map(row(1)).chain(others.iter().map(row(2))).collect();
        let quality = inspect(&Runs::from_rows(rows, "simulated").unwrap(), &Scope::default()).unwrap();
        quality.tests[4].outcome == Outcome::Found
    };
    assert_eq!((0..100).filter(|_| found(false)).count(), 0);
    assert!((0..10).all(|_| found(true)));
}

#[test]
fn faults_of_runs_are_found_and_nothing_is_removed() {
    let codes = |csv: &str| -> Vec<&'static str> {
        let quality = inspect(&runs(csv), &Scope::default()).unwrap();
        quality.findings().map(kaeanalysis::model::Warning::code).collect()
    };
    let rows = |values: &[f64]| values.iter().fold("rps\n".to_owned(), |csv, value| format!("{csv}{value}\n"));
    let rising: Vec<f64> = (0..12).map(|run| 1000.0 + 7.5 * f64::from(run) + f64::from(run % 3)).collect();
    assert!(codes(&rows(&rising)).contains(&"drift"));
    let stray = [1000.5, 1003.1, 998.2, 1001.7, 999.4, 1002.3, 1500.9, 1000.1];
    assert_eq!(codes(&rows(&stray)), ["outlier"]);
    assert_eq!(codes("rps\n1000.5\n1000.5\n1000.5\n1001.5\n"), ["repeated-value"]);
    let copied = "workers,rps\n1,100.5\n1,103.25\n2,100.5\n2,103.25\n";
    assert_eq!(codes(copied), ["copied-runs"]);
    assert_eq!(codes("workers,rps\n1,8\n1,9\n"), ["coarse-rounding"]);
    assert_eq!(codes("rps\n2200\n2300\n2400\n2100\n2500\n"), ["coarse-rounding"], "whole hundreds carry ±2 %");
    let unequal: String = (0..10).fold("workers,rps\n".to_owned(), |csv, run| {
        let turn = if run % 2 == 0 { 1.0 } else { -1.0 };
        let (calm, wild) =
            (1000.0 + turn + 0.1 * f64::from(run * 7 % 10), 4000.0 + turn * 400.0 + f64::from(run * 3 % 10));
        format!("{csv}1,{calm}\n2,{wild}\n")
    });
    assert!(codes(&unequal).contains(&"unequal-spread"), "{:?}", codes(&unequal));
    let few = inspect(&runs("rps\n1000.5\n1001.5\n"), &Scope::default()).unwrap();
    assert_eq!(few.tests[0].outcome, Outcome::TooFew);
}

//! Published sentences held against runs.

use kaeanalysis::analysis::claims::{Agreement, Audit, Auditing, Reason, Verdict, audit};
use kaeanalysis::analysis::{Method, Precision, Scope};
use kaeanalysis::ingest;
use kaeanalysis::model::claim::Claim;

use super::{REPLICATED, runs};

fn documented(method: Method) -> Audit {
    let scope = Scope { precision: Precision { method, ..Precision::default() }, ..Scope::default() };
    audit(&ingest::documented("vkae_vm").unwrap(), &Auditing { scope, ..Auditing::default() }).unwrap()
}

/// The claims of a TOML text on runs of a CSV text.
fn judged(csv: &str, toml: &str) -> Audit {
    let claims = Some(Claim::from_toml(toml, "claims.toml").unwrap_or_else(|error| panic!("{error}")));
    audit(&runs(csv), &Auditing { claims, ..Auditing::default() }).unwrap()
}

fn claim(rest: &str) -> String {
    format!(
        "[[claim]]\nid = \"it\"\ntext = \"As published.\"\nfactor = \"accelerator\"\nbaseline = \"none\"\n\
         contender = \"kae\"\n{rest}\n"
    )
}

fn verdicts(audit: &Audit) -> Vec<Vec<Verdict>> {
    audit.claims.iter().map(|judged| judged.strata.iter().map(|stratum| stratum.verdict).collect()).collect()
}

#[test]
fn the_six_published_sentences() {
    use Verdict::{Confirmed, NotTestable, PartlyConfirmed, Understated};
    let vkae = documented(Method::Auto);
    // 1 worker, then 4: the quoted ratios are those of 4 workers, which the document does not say.
    assert_eq!(
        verdicts(&vkae),
        [[Understated, Confirmed], [Understated, Confirmed], [Understated; 2], [NotTestable; 2]]
    );
    let overall: Vec<Verdict> = vkae.claims.iter().map(|judged| judged.verdict).collect();
    assert_eq!(overall, [PartlyConfirmed, PartlyConfirmed, Understated, NotTestable]);
    assert_eq!(vkae.claims[0].strata[0].arithmetic, "1,367 / 587 = 232.88%");
    assert_eq!(vkae.claims[1].strata[0].arithmetic, "2,246 / 584 = 384.59%");
    assert_eq!(vkae.claims[2].strata[1].arithmetic, "7,393 / 5,102 − 1 = +44.90%");
    assert_eq!(vkae.claims[2].strata[0].arithmetic, "2,246 / 1,367 − 1 = +64.30%");
    assert_eq!(vkae.claims[3].strata[0].reason, Some(Reason::NoSpread));

    for (name, arithmetic) in
        [("docker", "4,368 / 2,243 − 1 = +94.74%"), ("soft_ratio", "181,411 / 120,340 − 1 = +50.75%")]
    {
        let audit = audit(&ingest::documented(name).unwrap(), &Auditing::default()).unwrap();
        let stratum = &audit.claims[0].strata[0];
        assert_eq!((stratum.verdict, stratum.agreement), (Confirmed, Some(Agreement::Truncation)));
        assert_eq!(stratum.arithmetic, arithmetic);
    }
}

#[test]
fn a_control_does_not_judge_the_claim_that_it_is_inert() {
    let pooled = documented(Method::LogPooled);
    assert!(pooled.claims[0].strata[1].ratio.interval().is_some());
    let inert = &pooled.claims[3];
    assert_eq!(inert.verdict, Verdict::NotTestable);
    for stratum in &inert.strata {
        assert_eq!(stratum.ratio.interval(), None);
        assert_eq!(stratum.ratio.warnings[0].code(), "control-under-test");
    }
}

#[test]
fn equivalence_is_testable_with_replicates() {
    let same = "accelerator,rps\nnone,1000\nnone,1001\nnone,999\nkae,1000\nkae,1002\nkae,1001\n";
    let one = claim("statement = \"equivalence\"");
    assert_eq!(judged(same, &one).claims[0].verdict, Verdict::Confirmed);
    let wide = claim("statement = \"equivalence\"\npercent = 0.05");
    assert_eq!(judged(same, &wide).claims[0].strata[0].reason, Some(Reason::Undecided), "the margin is the claim's");
    let apart = "accelerator,rps\nnone,1000\nnone,1001\nnone,999\nkae,1100\nkae,1102\nkae,1101\n";
    assert_eq!(judged(apart, &one).claims[0].verdict, Verdict::Contradicted);
}

#[test]
fn values_at_their_stated_precision() {
    let pair = |contender: &str| format!("accelerator,rps\nnone,1000\nkae,{contender}\n");
    let cases = [
        ("gain", "40", "1404", Verdict::Confirmed, Some(Agreement::Rounding)),
        ("gain", "40", "1396", Verdict::Confirmed, Some(Agreement::Rounding)),
        ("gain", "40", "1409.9", Verdict::Confirmed, Some(Agreement::Truncation)),
        ("gain", "40", "1410", Verdict::Understated, None),
        ("gain", "40", "1394", Verdict::Overstated, None),
        ("gain", "40", "1000", Verdict::Contradicted, None),
        ("gain", "40", "900", Verdict::Contradicted, None),
        ("gain", "40.0", "1404", Verdict::Confirmed, Some(Agreement::Rounding)),
        ("gain", "40.5", "1404", Verdict::Overstated, None),
        ("gain", "-5", "950", Verdict::Confirmed, Some(Agreement::Rounding)),
        ("gain", "-5", "900", Verdict::Overstated, None),
        ("gain", "-5", "980", Verdict::Understated, None),
        ("gain", "0", "600", Verdict::Contradicted, None),
        ("ratio", "100", "600", Verdict::Contradicted, None),
        ("ratio", "99", "600", Verdict::Overstated, None),
        ("gain", "-5", "1050", Verdict::Contradicted, None),
        ("ratio", "226", "2262.5", Verdict::Confirmed, Some(Agreement::Rounding)),
        ("ratio", "226", "2328.8", Verdict::Understated, None),
        ("ratio", "226", "1500", Verdict::Overstated, None),
        ("ratio", "226", "900", Verdict::Contradicted, None),
        ("at_least", "40", "1500", Verdict::NotTestable, None),
    ];
    for (statement, percent, contender, verdict, agreement) in cases {
        let audit = judged(&pair(contender), &claim(&format!("statement = \"{statement}\"\npercent = {percent}")));
        let stratum = &audit.claims[0].strata[0];
        assert_eq!((stratum.verdict, stratum.agreement), (verdict, agreement), "{statement} {percent} {contender}");
    }
}

/// A wide interval holds every value; fewer or noisier runs must not make a sentence easier to confirm.
#[test]
fn an_interval_that_merely_holds_the_stated_value_confirms_nothing() {
    let csv = "accelerator,rps\nnone,1000\nnone,1020\nnone,980\nkae,1420\nkae,1450\nkae,1400\n";
    let near = judged(csv, &claim("statement = \"gain\"\npercent = 40"));
    assert_eq!(near.claims[0].strata[0].reason, Some(Reason::Undecided));
    assert!(near.is_inconclusive() && !near.fails());
    let far = judged(csv, &claim("statement = \"gain\"\npercent = 80"));
    assert_eq!(far.claims[0].verdict, Verdict::Overstated);
    assert!(far.fails());
}

#[test]
fn bounds_follow_the_better_direction_and_need_an_interval() {
    let csv = "accelerator,rps\nnone,1000\nnone,1020\nnone,980\nkae,1420\nkae,1450\nkae,1400\n";
    let verdict = |csv: &str, rest: &str| judged(csv, &claim(rest)).claims[0].verdict;
    assert_eq!(verdict(csv, "statement = \"greater\""), Verdict::Confirmed);
    assert_eq!(verdict(csv, "statement = \"at_least\"\npercent = 30"), Verdict::Confirmed);
    assert_eq!(verdict(csv, "statement = \"at_least\"\npercent = 42"), Verdict::NotTestable);
    assert_eq!(verdict(csv, "statement = \"at_least\"\npercent = 60"), Verdict::Overstated);
    let latency = csv.replace("rps", "latency_p99_ms");
    assert_eq!(verdict(&latency, "statement = \"greater\""), Verdict::Contradicted, "more latency is not better");
    let swapped = latency.replace("none", "x").replace("kae", "none").replace('x', "kae");
    assert_eq!(verdict(&swapped, "statement = \"greater\""), Verdict::Confirmed);
    assert_eq!(verdict(&swapped, "statement = \"at_least\"\npercent = 20"), Verdict::Confirmed, "30 % less");
    let single = judged("accelerator,rps\nnone,1000\nkae,1420\n", &claim("statement = \"greater\""));
    assert_eq!(single.claims[0].strata[0].reason, Some(Reason::NoSpread));
}

#[test]
fn a_bound_that_fails_in_one_setting_fails() {
    let cells = |workers: u8, contender: [u16; 3]| {
        let rows = [1000, 1002, 998].map(|rps| format!("{workers},none,{rps}\n"));
        let others = contender.map(|rps| format!("{workers},kae,{rps}\n"));
        rows.concat() + &others.concat()
    };
    let csv =
        |second: [u16; 3]| format!("workers,accelerator,rps\n{}{}", cells(1, [1500, 1502, 1498]), cells(4, second));
    let at_least = claim("statement = \"at_least\"\npercent = 40");
    let failed = judged(&csv([1100, 1102, 1098]), &at_least);
    assert_eq!(verdicts(&failed), [[Verdict::Confirmed, Verdict::Overstated]]);
    assert_eq!(failed.claims[0].verdict, Verdict::Overstated);
    let open = judged(&csv([1400, 1402, 1398]), &claim("statement = \"at_least\"\npercent = 40\nprecision = 0.0001"));
    assert_eq!(open.claims[0].verdict, Verdict::NotTestable);
    let equal = claim("statement = \"equivalence\"\npercent = 51");
    assert_eq!(judged(&csv([1700, 1702, 1698]), &equal).claims[0].verdict, Verdict::Contradicted);
}

#[test]
fn one_setting_without_the_effect_contradicts_a_sentence_about_all() {
    let csv = "workers,accelerator,rps\n1,none,1000\n1,kae,1400\n4,none,4000\n4,kae,3900\n";
    let audit = judged(csv, &claim("statement = \"gain\"\npercent = 40"));
    assert_eq!(verdicts(&audit), [[Verdict::Confirmed, Verdict::Contradicted]]);
    assert_eq!(audit.claims[0].verdict, Verdict::Contradicted);
    // Too much here and too little there: what the mean over the settings says.
    let mixed = "workers,accelerator,rps\n1,none,1000\n1,kae,1200\n4,none,4000\n4,kae,8000\n";
    let audit = judged(mixed, &claim("statement = \"gain\"\npercent = 40"));
    assert_eq!(verdicts(&audit), [[Verdict::Overstated, Verdict::Understated]]);
    assert_eq!(audit.claims[0].verdict, Verdict::Understated, "√(1.2 · 2) is 1.55");
}

#[test]
fn interactions_are_ratios_of_ratios() {
    let toml = "[[claim]]\nid = \"both\"\ntext = \"Async gains with KAE only.\"\nstatement = \"interaction\"\npercent = 140\n\
                precision = 10\nfactor = \"tls_mode\"\nbaseline = \"sync\"\ncontender = \"async\"\n\
                by = { factor = \"accelerator\", baseline = \"none\", contender = \"kae\" }\nwhere = { workers = 4 }\n";
    let audit = judged(REPLICATED, toml);
    let stratum = &audit.claims[0].strata[0];
    assert_eq!(stratum.arithmetic, "1.3712 / 1.0415 = 131.66%");
    assert_eq!(stratum.reason, Some(Reason::Undecided), "140 lies in the interval, and 131.66 does not round to it");
}

#[test]
fn a_claim_that_the_runs_cannot_answer_says_why() {
    let toml = claim("statement = \"gain\"\npercent = 40\nwhere = { workers = 8 }");
    let audit = judged("workers,accelerator,rps\n4,none,1000\n4,kae,1400\n", &toml);
    assert_eq!(audit.claims[0].verdict, Verdict::NotTestable);
    assert_eq!(audit.claims[0].reason.as_deref(), Some("no run has workers=8; use 4"));
    let none = audit_error("accelerator,rps\nnone,1000\nkae,1400\n");
    assert!(none.starts_with("there is no claim to judge; name a file of claims with --claims"), "{none}");
}

#[test]
fn a_misspelt_factor_is_a_slip_and_not_untestable() {
    let misspelt = Claim::from_toml(&claim("statement = \"greater\"\nwhere = { worker = 4 }"), "claims.toml").unwrap();
    let auditing = Auditing { claims: Some(misspelt), ..Auditing::default() };
    let error = audit(&runs("workers,accelerator,rps\n4,none,1000\n4,kae,1400\n"), &auditing).unwrap_err().to_string();
    assert_eq!(
        error,
        "claim \"it\" speaks of \"worker\", which is no factor; did you mean workers? There are workers, accelerator"
    );
}

fn audit_error(csv: &str) -> String {
    audit(&runs(csv), &Auditing::default()).unwrap_err().to_string()
}

#[test]
fn claims_that_say_too_much_or_too_little_are_refused() {
    let error = |toml: &str| Claim::from_toml(toml, "claims.toml").unwrap_err().to_string();
    for (toml, message) in [
        (claim("statement = \"gain\""), "claims.toml: claim \"it\" states no value; add percent, such as percent = 40"),
        (
            claim("statement = \"greater\"\npercent = 4"),
            "claims.toml: claim \"it\" states a value and only that one is greater",
        ),
        (
            claim("statement = \"ratio\"\npercent = -4"),
            "claims.toml: claim \"it\" states a value that is not above zero",
        ),
        (claim("statement = \"ratio\"\npercent = inf"), "claims.toml: claim \"it\" states a value beyond all measure"),
        (
            claim("statement = \"ratio\"\npercent = 4\nprecision = 0"),
            "claims.toml: claim \"it\" has a precision that is not",
        ),
        (claim("statement = \"interaction\"\npercent = 4"), "claims.toml: claim \"it\" names no second factor"),
        (
            claim("statement = \"equivalence\"\npercent = 100"),
            "claims.toml: claim \"it\" has a margin of 100 % or more",
        ),
        (claim("statement = \"faster\""), "claims.toml, line 7: unknown variant `faster`"),
        (claim("statment = \"gain\""), "claims.toml, line 7: unknown field `statment`"),
        (format!("{0}{0}", claim("statement = \"greater\"")), "claims.toml: the claim \"it\" stands twice"),
        ("claim = 3".to_owned(), "claims.toml, line 1: invalid type"),
    ] {
        let error = error(&toml);
        assert!(error.starts_with(message), "{error}");
    }
}

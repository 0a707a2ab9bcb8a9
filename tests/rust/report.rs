//! The report: golden Markdown in both languages, JSON that agrees with it, and HTML that needs nothing else.

use kaeanalysis::ingest;
use kaeanalysis::language::Lang;
use kaeanalysis::model::{Runs, datasets};
use kaeanalysis::report::{Options, Report};
use serde_json::Value;

use super::{REPLICATED, runs};

fn documented() -> Runs {
    Runs::concat(datasets::names().map(|name| ingest::documented(name).unwrap()).collect()).unwrap()
}

fn report(runs: &Runs, lang: Lang) -> Report {
    Report::of(runs, &Options { lang, ..Options::default() }).unwrap()
}

#[test]
fn golden_markdown() {
    insta::assert_snapshot!("documented_en", report(&documented(), Lang::En).to_markdown().unwrap());
    insta::assert_snapshot!("documented_zh", report(&documented(), Lang::Zh).to_markdown().unwrap());
    insta::assert_snapshot!("replicated_en", report(&runs(REPLICATED), Lang::En).to_markdown().unwrap());
}

#[test]
fn html_is_one_page_that_loads_and_runs_nothing() {
    for lang in [Lang::En, Lang::Zh] {
        let html = report(&documented(), lang).to_html().unwrap();
        assert!(html.starts_with("<!DOCTYPE html>") && html.contains(&format!("<html lang=\"{lang}\">")));
        for forbidden in ["<script", "src=", "@import", "url(", "onclick", "{{", "{%"] {
            assert!(!html.contains(forbidden), "{forbidden}");
        }
        assert_eq!(html.matches("<svg ").count(), 7);
        assert!(html.len() < 200_000, "{}", html.len());
    }
}

#[test]
fn json_carries_hashes_results_and_sentences() {
    let json: Value = serde_json::from_str(&report(&documented(), Lang::En).to_json().unwrap()).unwrap();
    assert_eq!(json["schema"], "kaeanalysis.report");
    assert_eq!(json["version"], 1);
    assert_eq!(json["inputs"][0]["sha256"].as_str().map(str::len), Some(64));
    assert_eq!(json["studies"][0]["comparisons"][0]["strata"][3]["ratio"]["basis"], "none");
    assert_eq!(json["studies"][0]["sentences"].as_array().map(Vec::len), Some(4));
}

#[test]
fn hostile_names_stay_text_and_inside_the_folder() {
    let csv = "study,accelerator,rps\n../../etc/<b>x</b>,none,5\n../../etc/<b>x</b>,kae,6\n";
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("report");
    let report = report(&runs(csv), Lang::En);
    assert!(!report.to_html().unwrap().contains("<b>x"));
    report.write(&out, false).unwrap();
    let mut names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["report"]);
    assert!(out.join("tables/------etc--b-x--b--measured.csv").exists());
}

#[test]
fn studies_that_differ_in_case_only_do_not_overwrite_each_other() {
    let report = report(&runs("study,accelerator,rps\nA,none,5\nA,kae,6\na,none,7\na,kae,9\n"), Lang::En);
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(report.write(&folder.path().join("r"), false).unwrap(), 3 + 4 * 3);
    assert_eq!(std::fs::read_dir(folder.path().join("r/tables")).unwrap().count(), 4);
}

#[test]
fn a_study_without_anything_to_compare_is_still_reported() {
    let markdown = report(&runs("workers,rps\n4,2243\n"), Lang::En).to_markdown().unwrap();
    assert!(markdown.contains("No factor has two levels that could be compared."), "{markdown}");
}

#[test]
fn a_study_of_the_same_name_is_not_the_documented_one() {
    let own = "study,accelerator,rps\ndocker,none,100\ndocker,none,101\ndocker,kae,200\ndocker,kae,203\n";
    let markdown = report(&runs(own), Lang::En).to_markdown().unwrap();
    assert!(!markdown.contains("Every figure is one run"), "{markdown}");
    let documented = report(&ingest::documented("docker").unwrap(), Lang::En).to_markdown().unwrap();
    assert!(documented.contains("Every figure is one run"));
}

#[test]
fn a_question_that_cannot_be_answered_does_not_cost_the_others() {
    let csv = "accelerator,cipher,rps\nnone,a,5\nnone,b,6\nkae,a,7\nkae,b,8\nqat,c,9\nqat,d,9\n";
    let markdown = report(&runs(csv), Lang::En).to_markdown().unwrap();
    assert!(
        markdown.contains("accelerator is not compared: accelerator=none and accelerator=qat have no level"),
        "{markdown}"
    );
    assert!(markdown.contains("Requests/s by cipher"), "{markdown}");
}

#[test]
fn sentences_say_what_the_intervals_say() {
    let said = |csv: &str| report(&runs(csv), Lang::En).conclusions().collect::<Vec<_>>().join("\n");
    let identical = said("accelerator,rps\nnone,100\nnone,100\nkae,200\nkae,200\n");
    assert!(
        identical.contains("No interval could be given") && !identical.to_lowercase().contains("single run"),
        "{identical}"
    );
    let reversed = "workers,accelerator,rps\n1,none,100\n1,none,101\n1,none,102\n1,kae,200\n1,kae,203\n1,kae,201\n\
                    4,none,400\n4,none,401\n4,none,402\n4,kae,200\n4,kae,203\n4,kae,201\n";
    assert!(
        said(reversed)
            .contains("The effect turns around: of 2 settings, the 95% interval lies above 1 in 1 and below 1 in 1.")
    );
    let mixed = "workers,accelerator,rps\n1,none,100\n1,none,101\n1,kae,200\n1,kae,203\n4,none,400\n4,none,400\n4,kae,800\n4,kae,800\n";
    assert!(
        said(mixed).contains("above 1 in 1, below 1 in 0, includes 1 in 0, and is missing in 1."),
        "{}",
        said(mixed)
    );
}

#[test]
fn a_factor_called_measured_has_files_of_its_own() {
    let report = report(&runs("measured,rps\na,5\nb,6\n"), Lang::En);
    let folder = tempfile::tempdir().unwrap();
    let written = report.write(&folder.path().join("r"), false).unwrap();
    let files = |name: &str| std::fs::read_dir(folder.path().join("r").join(name)).unwrap().count();
    assert_eq!(written, 3 + files("tables") + files("figures"));
}

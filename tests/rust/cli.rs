//! The command line as a user meets it.

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

fn kaeanalysis() -> Command {
    Command::cargo_bin("kaeanalysis").expect("the binary is built")
}

/// Exit code, standard output and standard error.
fn outcome(arguments: &[&str]) -> (i32, String, String) {
    let output = kaeanalysis().args(arguments).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("no signal"), text(output.stdout), text(output.stderr))
}

fn stdout(arguments: &[&str]) -> String {
    let (code, out, err) = outcome(arguments);
    assert_eq!((code, err.as_str()), (0, ""), "{arguments:?}");
    out
}

#[test]
fn tables() {
    insta::assert_snapshot!("speedup_table", stdout(&["speedup", "documented:vkae_vm"]));
    insta::assert_snapshot!("async_gain_zh", stdout(&["async-gain", "documented:vkae_vm", "--lang", "zh"]));
    insta::assert_snapshot!(
        "compare_csv",
        stdout(&[
            "compare",
            "data/examples/replicated.csv",
            "--factor",
            "accelerator",
            "--where",
            "workers=4",
            "--format",
            "csv"
        ])
    );
    insta::assert_snapshot!(
        "compare_md",
        stdout(&[
            "compare",
            "data/examples/replicated.csv",
            "--factor",
            "tls_mode",
            "--metric",
            "latency_p99_ms",
            "--format",
            "md"
        ])
    );
    insta::assert_snapshot!("soft_ratio_json", stdout(&["speedup", "documented:soft_ratio", "--format", "json"]));
    insta::assert_snapshot!("datasets", stdout(&["datasets"]));
    insta::assert_snapshot!("dataset", stdout(&["datasets", "docker"]));
}

/// The answers of issue two, each in the form that people see first.
#[test]
fn answers() {
    let with_code = |arguments: &[&str]| {
        let (code, out, err) = outcome(arguments);
        assert_eq!(err, "", "{arguments:?}");
        format!("{out}exit code {code}\n")
    };
    insta::assert_snapshot!("audit", with_code(&["audit"]));
    insta::assert_snapshot!(
        "audit_pooled_zh",
        with_code(&["audit", "documented:vkae_vm", "--method", "log-pooled", "--lang", "zh"])
    );
    insta::assert_snapshot!("audit_csv", with_code(&["audit", "documented:vkae_vm", "--format", "csv"]));
    let interaction = ["interaction", "documented:vkae_vm", "--factor", "tls_mode", "--by", "accelerator"];
    insta::assert_snapshot!("interaction", with_code(&interaction));
    let replicated = "data/examples/replicated.csv";
    insta::assert_snapshot!(
        "interaction_zh",
        with_code(&["interaction", replicated, "--factor", "tls_mode", "--by", "accelerator", "--lang", "zh"])
    );
    insta::assert_snapshot!("effects", with_code(&["effects", "documented:vkae_vm", "--unreplicated", "lenth"]));
    insta::assert_snapshot!("power", with_code(&["power", "--effect", "3%", "--cv", "1.5%"]));
    insta::assert_snapshot!(
        "power_of_runs",
        with_code(&["power", replicated, "--effect", "3%", "--where", "workers=4"])
    );
    insta::assert_snapshot!("quality", with_code(&["quality", replicated]));
    let margin = ["async-gain", replicated, "--where", "accelerator=none", "--margin", "5%", "--adjust", "holm"];
    insta::assert_snapshot!("equivalence", with_code(&margin));
}

#[test]
fn a_check_decides_the_exit_code() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, csv: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, csv).expect("writable");
        path.display().to_string()
    };
    let stored = file("stored.csv", "workers,rps\n1,1000\n1,1005\n1,995\n4,4000\n4,4010\n4,3990\n8,7000\n");
    let worse = file("worse.csv", "workers,rps\n1,1001\n1,1004\n1,996\n4,3700\n4,3710\n4,3690\n");
    let better = file("better.csv", "workers,rps\n1,1031\n1,1034\n1,1036\n");
    let scattered = file("scattered.csv", "workers,rps\n1,900\n1,1100\n1,1000\n4,4001\n4,4003\n4,3999\n");
    let check = |new: &str, rest: &[&str]| {
        let mut arguments = vec!["check", &stored, new, "--max-regression", "3%"];
        arguments.extend(rest);
        outcome(&arguments)
    };
    assert_eq!(check(&worse, &[]).0, 1, "a significant regression is no success");
    assert_eq!(check(&better, &["--where", "workers=1"]).0, 0);
    assert_eq!(check(&better, &["--gone", "fail"]).0, 1);
    assert_eq!(check(&scattered, &[]).0, 3);
    assert_eq!(check(&scattered, &["--inconclusive", "pass"]).0, 0);
    assert_eq!(check(&scattered, &["--inconclusive", "fail"]).0, 1);
    for format in ["table", "md", "junit", "csv"] {
        insta::assert_snapshot!(format!("check_{format}"), check(&worse, &["--format", format]).1);
    }
    let json: Value = serde_json::from_str(&check(&worse, &["--format", "json"]).1).expect("JSON");
    assert_eq!((&json["schema"], &json["verdict"]), (&Value::from("kaeanalysis.check"), &Value::from("regression")));
}

#[test]
fn methods_that_lack_something_say_what() {
    for (arguments, message) in [
        (
            &["speedup", "documented:docker", "--center", "median"][..],
            "error: the center median needs a bootstrap, and the method is auto",
        ),
        (
            &["speedup", "documented:docker", "--method", "bca", "--resamples", "10"],
            "error: 10 resamples are too few or too many",
        ),
        (
            &["speedup", "documented:docker", "--margin", "3%", "--confidence", "40%"],
            "error: a confidence of 0.4 shows no equivalence",
        ),
        (&["speedup", "documented:docker", "--control", "tls_mode"], "error: invalid value 'tls_mode' for '--control"),
        (
            &["speedup", "documented:vkae_vm", "--control", "tls_mode@accelerator=kea"],
            "error: no run has accelerator=kea; use none or vkae",
        ),
        (
            &["speedup", "documented:vkae_vm", "--control", "mode@accelerator=none"],
            "error: the runs have no factor \"mode\"; did you mean tls_mode?",
        ),
        (&["power", "--effect", "3%"], "error: nothing is known of the spread; give runs, or state it: --cv 1.5%"),
        (
            &["power", "documented:docker"],
            "error: no setting has two runs (or server starts), so the runs show no spread",
        ),
        (
            &["interaction", "documented:vkae_vm", "--factor", "workers", "--by", "workers"],
            "error: \"workers\" cannot depend on itself",
        ),
        (
            &["interaction", "documented:docker", "--factor", "accelerator", "--by", "workers"],
            "error: workers has only the level 4",
        ),
        (&["effects", "documented:docker", "--method", "bca"], "error: unexpected argument '--method' found"),
        (&["audit", "documented:docker", "--claims", "missing.toml"], "error: missing.toml: No such file"),
        (
            &["check", "documented:docker", "documented:vkae_vm", "--max-regression", "3%"],
            "error: the stored runs have cpu Kunpeng 920 7280Z and the new ones Kunpeng 920;",
        ),
        (
            &["check", "documented:docker", "documented:docker", "--max-regression", "3"],
            "error: invalid value '3' for '--max-regression",
        ),
    ] {
        let (code, out, err) = outcome(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(err.starts_with(message), "{arguments:?}: {err}");
    }
}

#[test]
fn no_table_is_wider_than_100_columns() {
    for arguments in [
        &["speedup", "data/examples/replicated.csv"][..],
        &["speedup", "documented:vkae_vm", "--lang", "zh"],
        &["datasets"],
        &["datasets", "--lang", "zh"],
        &["audit", "documented:vkae_vm", "--method", "log-pooled", "--inconclusive", "pass"],
        &["audit", "--lang", "zh", "--inconclusive", "pass"],
        &["power", "data/examples/replicated.csv", "--effect", "3%"],
        &["power", "data/examples/replicated.csv", "--effect", "3%", "--lang", "zh"],
        &[
            "check",
            "data/examples/replicated.csv",
            "data/examples/after_update.csv",
            "--max-regression",
            "20%",
            "--inconclusive",
            "pass",
        ],
        &["interaction", "data/examples/replicated.csv", "--factor", "tls_mode", "--by", "accelerator"],
        &["async-gain", "data/examples/replicated.csv", "--margin", "3%", "--adjust", "holm"],
        &["compare", "data/examples/replicated.csv", "--factor", "workers", "--confidence", "99.9%"],
    ] {
        for line in stdout(arguments).lines() {
            let width: usize = line.chars().map(|c| if c >= '\u{2e80}' { 2 } else { 1 }).sum();
            assert!(width <= 100, "{width} columns in {arguments:?}: {line}");
        }
    }
}

#[test]
fn json_has_full_precision_and_no_interval_for_single_runs() {
    let json: Value =
        serde_json::from_str(&stdout(&["speedup", "documented:vkae_vm", "--format", "json"])).expect("JSON");
    assert_eq!((&json["schema"], &json["version"]), (&Value::from("kaeanalysis.comparison"), &Value::from(1)));
    let last = &json["strata"][3];
    assert_eq!(last["settings"]["workers"], 4);
    assert_eq!(last["ratio"]["estimate"].as_f64().map(|ratio| (ratio * 1e4).round()), Some(32931.0));
    assert_eq!((&last["ratio"]["basis"], &last["ratio"]["low"]), (&Value::from("none"), &Value::Null));
}

#[test]
fn standard_input_is_an_input() {
    let output = kaeanalysis()
        .args(["speedup", "-", "--format", "csv"])
        .write_stdin("accelerator,rps\nnone,10\nkae,20\n")
        .output()
        .expect("starts");
    assert!(String::from_utf8_lossy(&output.stdout).contains(",2,"), "{output:?}");
}

#[test]
fn errors_go_to_standard_error_with_exit_code_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let present = folder.path().join("there.svg");
    std::fs::write(&present, "mine").expect("written");
    let present = present.to_str().expect("UTF-8");
    let cases: &[&[&str]] = &[
        &["speedup", "missing.csv"],
        &["speedup", "documented:nothing"],
        &["speedup", "tests"],
        &["compare", "documented:docker", "--factor", "colour"],
        &["compare", "documented:docker", "--factor", "accelerator", "--baseline", "qat"],
        &["compare", "documented:docker", "--factor", "accelerator", "--baseline", "kae", "--contender", "kae"],
        &["compare", "documented:docker", "--factor", "replicate"],
        &["async-gain", "documented:docker"],
        &["speedup", "documented:docker", "--where", "workers=9"],
        &["speedup", "documented:docker", "--metric", "speed"],
        &["speedup", "documented:docker", "--metric", "latency_p99_ms"],
        &["speedup", "documented:docker", "--method", "log-assumed"],
        &["speedup", "documented:docker", "--ignore", "colour"],
        &["speedup", "-", "-"],
        &["plot", "bars", "documented:docker", "-o", "figure.jpg"],
        &["plot", "bars", "documented:docker", "-o", "no/such/folder/figure.svg"],
        &["plot", "bars", "documented:docker", "-o", "x.png", "--width", "0"],
        &["datasets", "nothing"],
    ];
    let mut messages = String::new();
    for arguments in cases {
        let (code, out, err) = outcome(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}: {err}");
        messages.push_str(&format!("{}\n    {err}", arguments.join(" ")));
    }
    insta::assert_snapshot!("errors", messages);
    let (code, _, err) = outcome(&["plot", "bars", "documented:docker", "-o", present]);
    assert_eq!(code, 2);
    assert!(
        err.ends_with("exists already; name another, or pass --force (Python: force=True) to replace it\n"),
        "{err}"
    );
    assert_eq!(std::fs::read_to_string(present).expect("still there"), "mine");
}

#[test]
fn usage_errors_have_exit_code_2() {
    for arguments in [
        &["speedup"][..],
        &["compare", "documented:docker"],
        &["speedup", "documented:docker", "--confidence", "95"],
        &["nothing"],
        &[],
    ] {
        let (code, out, err) = outcome(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(!err.is_empty());
    }
}

#[test]
fn help_version_and_completions_succeed() {
    for command in ["report", "compare", "speedup", "async-gain", "plot", "datasets", "completions"] {
        assert!(stdout(&[command, "--help"]).contains("Usage:"), "{command}");
    }
    assert!(stdout(&["--help"]).contains("Exit codes: 0 done"));
    assert!(stdout(&["--version"]).starts_with("kaeanalysis "));
    assert!(stdout(&["completions", "bash"]).contains("async-gain"));
}

#[test]
fn a_reader_that_closes_the_pipe_is_no_error() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("kaeanalysis"))
        .args(["completions", "zsh"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("ends");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn figures_are_written_by_the_ending_of_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    assert_eq!(stdout(&["plot", "bars", "documented:vkae_vm", "-o", &path("bars.svg")]), "");
    assert_eq!(
        stdout(&["plot", "forest", "data/examples/replicated.csv", "-o", &path("forest.PNG"), "--width", "800"]),
        ""
    );
    assert!(std::fs::read_to_string(path("bars.svg")).expect("an SVG").starts_with("<svg "));
    assert!(std::fs::read(path("forest.PNG")).expect("a PNG").starts_with(b"\x89PNG"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(path("bars.svg")).expect("there").permissions().mode();
        assert_eq!(mode & 0o444, 0o444, "readable as other files are: {mode:o}");
    }
    stdout(&["plot", "bars", "documented:docker", "-o", &path("bars.svg"), "--force"]);
}

#[test]
fn a_report_replaces_a_report_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("report");
    let out = out.to_str().expect("UTF-8");
    assert_eq!(stdout(&["report", "documented:docker", "--out", out]), format!("10 files written to {out}\n"));
    let (code, _, err) = outcome(&["report", "documented:docker", "--out", out]);
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("exists already"), "{err}");
    stdout(&["report", "documented:soft_ratio", "--out", out, "--force"]);
    assert!(!Path::new(out).join("figures/docker-measured.svg").exists(), "nothing of the old report is left");
    for foreign in ["notes.txt", "tables/measured-by-hand.csv", "figures/photo.png"] {
        let foreign = Path::new(out).join(foreign);
        std::fs::write(&foreign, "mine").expect("written");
        let (code, _, err) = outcome(&["report", "documented:docker", "--out", out, "--force"]);
        assert_eq!(code, 2);
        let expected = "is not part of a report; name a folder of its own for the report\n";
        assert!(err.contains(foreign.to_str().expect("UTF-8")) && err.ends_with(expected), "{err}");
        assert!(Path::new(out).join("figures/soft_ratio-measured.svg").exists(), "nothing was touched");
        std::fs::remove_file(foreign).expect("removed");
    }
}

#[test]
fn bad_input_writes_no_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let csv = folder.path().join("runs.csv");
    std::fs::write(&csv, "accelerator,rps\nnone,x\n").expect("written");
    let out = folder.path().join("report");
    let (code, _, err) = outcome(&["report", csv.to_str().expect("UTF-8"), "--out", out.to_str().expect("UTF-8")]);
    assert_eq!(code, 2);
    assert!(err.contains("runs.csv, line 2, column \"rps\": \"x\" is not a number above zero, up to 1e15;"), "{err}");
    assert!(!out.exists());
}

#[test]
fn the_documents_own_table_is_read_and_its_metric_is_said_to_be_assumed() {
    let (code, out, err) = outcome(&["speedup", "tests/data/wide.csv", "--format", "csv"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("3.293"), "{out}");
    let table = stdout(&["speedup", "tests/data/wide.csv"]);
    assert!(table.contains("assumed-metric: The table spreads a factor over its columns"), "{table}");
}

#[test]
fn a_figure_from_standard_input_needs_no_factor() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.svg");
    let output = kaeanalysis()
        .args(["plot", "forest", "-", "-o", path.to_str().expect("UTF-8")])
        .write_stdin("accelerator,rps\nnone,10\nkae,20\n")
        .output()
        .expect("starts");
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn characters_that_no_bundled_font_has_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let csv = folder.path().join("runs.csv");
    std::fs::write(&csv, "site,rps\n貴州機房,10\n上海,20\n").expect("written");
    let png = folder.path().join("a.png");
    let (code, out, err) = outcome(&["plot", "bars", csv.to_str().expect("UTF-8"), "-o", png.to_str().expect("UTF-8")]);
    assert_eq!((code, out.as_str()), (0, ""));
    assert!(err.starts_with("warning: missing-glyphs: The bundled fonts lack 機貴;"), "{err}");
}

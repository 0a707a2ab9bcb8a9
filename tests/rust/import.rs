//! Files of load tool outputs to runs.

use std::fs;
use std::path::{Path, PathBuf};

use kaeanalysis::ingest::import::{Imported, Importing, Parts, import};
use kaeanalysis::ingest::outputs::Tool;
use kaeanalysis::model::{Level, Warning};

const WRK: &str = "Running 10s test @ https://10.0.0.1/index.html\n  2 threads and 20 connections\n  Thread Stats   Avg      Stdev     Max   +/- Stdev\n    Latency    14.58ms    3.05ms  60.00ms   86.23%\n    Req/Sec   689.07     82.00   840.00     73.50%\n  13740 requests in 10.00s, 3.93MB read\nRequests/sec:   1374.00\nTransfer/sec:    402.54KB\n";

fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

fn imported(path: &Path, importing: &Importing) -> Imported {
    import(&[path.to_owned()], importing, &|_, _| ()).unwrap_or_else(|error| panic!("{error}"))
}

/// What each sample gives: the rate and what is known beside it, or the reason why there is none.
#[test]
fn every_sample() {
    let root = Path::new("tests/data/outputs");
    let mut listing = String::new();
    let each = Importing { parts: Some(Parts::Each), ..Importing::default() };
    for file in imported(root, &each).files {
        let name = file.path.strip_prefix(root).unwrap().display().to_string();
        match file.runs {
            Err(reason) => listing += &format!("{name}: {reason}\n"),
            Ok(runs) => {
                for one in runs {
                    let said = match one.run {
                        Ok(run) => run
                            .values()
                            .map(|(column, level)| format!("{column}={level}"))
                            .collect::<Vec<_>>()
                            .join(" "),
                        Err(reason) => format!("no run: {reason}"),
                    };
                    let remarks: Vec<String> = one.remarks.iter().map(|remark| format!("{remark:?}")).collect();
                    listing += &format!("{name}:{} {said} {}\n", one.line.unwrap_or_default(), remarks.join(" "));
                }
            }
        }
    }
    // The root is given as it is written, so the listing is the same on any machine.
    insta::assert_snapshot!("samples", listing);
    // Every value is one that its column takes.
    assert!(imported(root, &each).runs().unwrap().len() > 80);
}

#[test]
fn names_labels_and_tables_say_what_outputs_do_not() {
    let folder = folder(&[
        ("logs/kae_async_4w_r1.log", WRK.as_bytes()),
        ("logs/kae_async_4w_r2.log", WRK.replace("1374.00", "1380.00").replace("13740", "13800").as_bytes()),
    ]);
    let importing = Importing {
        pattern: Some("{accelerator}_{tls_mode}_{workers}w_r{replicate}.log".parse().unwrap()),
        labels: vec![("cpu".to_owned(), "Kunpeng 920".to_owned())],
        ..Importing::default()
    };
    let runs = imported(folder.path(), &importing).runs().unwrap();
    let rows: Vec<_> = runs.rows().collect();
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0].get("accelerator"), &Level::from("kae"));
    assert_eq!((rows[0].get("workers"), rows[1].get("replicate")), (&Level::Integer(4), &Level::Integer(2)));
    assert_eq!((rows[1].get("rps"), rows[1].get("tool")), (&Level::Number(1380.0), &Level::from("wrk")));
    assert!(
        runs.warnings()
            .iter()
            .any(|warning| matches!(warning, Warning::LoadTool { remark, .. } if remark == "may-resume"))
    );

    let table = folder.path().join("labels.csv");
    fs::write(&table, "file,accelerator,workers\nkae_async_4w_r1.log,kae,4\n").unwrap();
    let importing = Importing { manifest: Some(table), ..Importing::default() };
    let error = import(&[folder.path().join("logs")], &importing, &|_, _| ()).unwrap_err().to_string();
    assert!(error.ends_with("labels.csv; add a row for it, or name only files that have one"), "{error}");
}

#[test]
fn a_file_that_does_not_match_the_pattern_is_named() {
    let folder = folder(&[("other.log", WRK.as_bytes())]);
    let importing =
        Importing { pattern: Some("{accelerator}_{workers}w.log".parse().unwrap()), ..Importing::default() };
    let error = import(&[folder.path().to_owned()], &importing, &|_, _| ()).unwrap_err().to_string();
    assert!(error.contains("other.log: does not match the pattern {accelerator}_{workers}w.log"), "{error}");
    let bad = Importing { pattern: Some("{workers}.log".parse().unwrap()), ..Importing::default() };
    let error = import(&[folder.path().to_owned()], &bad, &|_, _| ()).unwrap_err().to_string();
    assert!(error.contains("other.log, column \"workers\": "), "{error}");
    for text in ["{a", "{}", "{a}{a}", "plain.log", "{1a}", "{a b}"] {
        assert!(text.parse::<kaeanalysis::ingest::import::Pattern>().is_err(), "{text}");
    }
}

#[test]
fn several_outputs_are_a_question() {
    let two = format!("$ wrk …\n{WRK}\n$ wrk …\n{WRK}");
    let folder = folder(&[("both.txt", two.as_bytes())]);
    let open = imported(folder.path(), &Importing::default());
    let (_, reason) = open.failures().next().unwrap();
    assert!(
        reason.starts_with("holds 2 outputs; say --parts sum if they ran side by side, or --parts each"),
        "{reason}"
    );
    let of = |parts| imported(folder.path(), &Importing { parts: Some(parts), ..Importing::default() }).runs().unwrap();
    let each: Vec<_> = of(Parts::Each).rows().collect();
    assert_eq!(each.iter().map(|run| run.get("rps").as_number()).collect::<Vec<_>>(), [Some(1374.0); 2]);
    let sum: Vec<_> = of(Parts::Sum).rows().collect();
    assert_eq!(sum.len(), 1);
    assert_eq!((sum[0].get("rps"), sum[0].get("instances")), (&Level::Number(2748.0), &Level::Integer(2)));
    assert_eq!(
        (sum[0].get("connections"), sum[0].get("latency_mean_ms")),
        (&Level::Integer(40), &Level::Unknown),
        "quantiles never add up"
    );
    let broken = two.replacen("Requests/sec:   1374.00\n", "", 1).replacen(
        "13740 requests in 10.00s, 3.93MB read\n",
        "0 requests in 10.00s, 0.00B read\n",
        1,
    );
    fs::write(folder.path().join("both.txt"), broken).unwrap();
    let failed = imported(folder.path(), &Importing { parts: Some(Parts::Sum), ..Importing::default() });
    let (_, reason) = failed.failures().next().unwrap();
    assert!(reason.starts_with("the instance on line 2 measured nothing"), "{reason}");
}

#[test]
fn packed_recorded_and_repeated_files() {
    let packed = {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        std::io::Write::write_all(&mut encoder, WRK.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let coloured = WRK.replace("Requests/sec", "\u{1b}[1mRequests/sec\u{1b}[0m").replace('\n', "\r\n");
    let utf16: Vec<u8> = format!("\u{feff}{WRK}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let folder = folder(&[
        ("a.log.gz", &packed),
        ("b.log", coloured.as_bytes()),
        ("c.log", &utf16),
        ("d.log", WRK.as_bytes()),
        ("e.log.gz", b"no gzip"),
        ("f.txt", b"nothing of interest"),
        ("g.txt", b""),
        (".hidden", WRK.as_bytes()),
    ]);
    let imported = imported(folder.path(), &Importing::default());
    let runs = imported.runs().unwrap();
    assert_eq!(runs.len(), 3);
    let reasons: Vec<String> = imported.failures().map(|(_, reason)| reason.to_owned()).collect();
    assert!(reasons[0].starts_with("has the contents of "), "{reasons:?}");
    assert!(reasons[1].starts_with("cannot be unpacked: "), "{reasons:?}");
    assert_eq!(reasons[2], "holds no output of a known load tool");
    assert_eq!(reasons[3], "is empty");
    assert_eq!(runs.warnings().iter().filter(|warning| warning.code() == "not-imported").count(), 4);
}

#[test]
fn only_the_tool_that_was_asked_for() {
    let folder = folder(&[("run.log", WRK.as_bytes())]);
    let other = imported(folder.path(), &Importing { tool: Some(Tool::Ab), ..Importing::default() });
    assert_eq!(other.failures().next().unwrap().1, "holds no output of ab");
    let error = other.runs().unwrap_err().to_string();
    assert!(
        error.starts_with("no run was found: ") && error.ends_with("see what each file holds with --dry-run"),
        "{error}"
    );
    let missing =
        import(&[PathBuf::from("no/such/folder")], &Importing::default(), &|_, _| ()).unwrap_err().to_string();
    assert!(missing.starts_with("no/such/folder: No such file"), "{missing}");
}

/// The table of labels and the file of an earlier import lie beside the outputs, and are none.
#[test]
fn the_files_of_an_import_are_no_inputs() {
    let folder = folder(&[
        ("a.log", WRK.as_bytes()),
        ("labels.csv", b"file,accelerator\na.log,kae\n"),
        ("runs.csv", b"accelerator,rps\nkae,1374\n"),
        ("table.md", "| 加速器 | rps |\n|---|---|\n| 无 | 587 |\n".as_bytes()),
    ]);
    let at = |name: &str| folder.path().join(name);
    let importing = Importing { output: Some(at("runs.csv")), ..Importing::default() };
    let names = |importing: &Importing| -> Vec<String> {
        let files = imported(folder.path(), importing).files;
        files.iter().map(|file| file.path.file_name().unwrap().to_string_lossy().into_owned()).collect()
    };
    assert_eq!(names(&importing), ["a.log", "labels.csv", "table.md"]);
    std::fs::remove_file(at("table.md")).unwrap();
    let labelled = Importing { manifest: Some(at("labels.csv")), ..importing };
    assert_eq!(names(&labelled), ["a.log"]);
}

/// Errors of instances that ran side by side add up, and a kind that none of them tells stays unknown.
#[test]
fn errors_of_parallel_instances_add_up() {
    let with_errors = |timeouts: u32| {
        WRK.replace(
            "Requests/sec",
            &format!("  Socket errors: connect 0, read 2, write 0, timeout {timeouts}\nRequests/sec"),
        )
    };
    let folder = folder(&[("run.log", format!("{}{}", with_errors(3), with_errors(4)).as_bytes())]);
    let sum = Importing { parts: Some(Parts::Sum), ..Importing::default() };
    let run = imported(folder.path(), &sum).runs().unwrap().rows().next().unwrap();
    assert_eq!((run.get("errors_timeout"), run.get("errors_read")), (&Level::Integer(7), &Level::Integer(4)));
    assert_eq!((run.get("errors_tls"), run.get("rps_printed")), (&Level::Unknown, &Level::Number(2748.0)));
}

/// A note that holds an output and a table could mean either.
#[test]
fn an_output_and_a_table_in_one_file_are_a_question() {
    let note = format!("```\n{WRK}```\n\n| accelerator | rps |\n|---|---|\n| none | 500 |\n");
    let folder = folder(&[("note.md", note.as_bytes())]);
    let error = imported(folder.path(), &Importing::default()).runs().unwrap_err().to_string();
    assert!(error.contains("holds an output of wrk and a table of runs; say --tool wrk"), "{error}");
    let wrk = Importing { tool: Some(Tool::Wrk), ..Importing::default() };
    assert_eq!(imported(folder.path(), &wrk).runs().unwrap().len(), 1);
}

/// Found by fuzzing: a damaged sign made a latency below zero, which no column takes, and one such file cost all others.
#[test]
fn a_latency_below_zero_costs_its_own_run_only() {
    let quantiles =
        "  Latency Distribution\n     50%  -58.11ms\n     75%   15.00ms\n     90%   16.00ms\n     99%   20.00ms\n";
    let damaged = WRK.replace("  13740 requests", &format!("{quantiles}  13740 requests"));
    let folder = folder(&[("a.log", WRK.as_bytes()), ("b.log", damaged.as_bytes())]);
    let imported = imported(folder.path(), &Importing::default());
    let reasons: Vec<&str> = imported.failures().map(|(_, reason)| reason).collect();
    assert_eq!(reasons, ["a latency of -58.11 ms"]);
    assert_eq!(imported.runs().unwrap().len(), 1);
}

//! Every shape in which a table of runs may come.

use kaeanalysis::model::{Level, Run};

use super::runs;

fn rows(csv: &str) -> Vec<Run> {
    runs(csv).rows().collect()
}

fn expected() -> Vec<Run> {
    let run = |accelerator: &str, rps: f64, cpu: f64| {
        Run::new()
            .with("workers", 4)
            .with("accelerator", accelerator)
            .with("tool", "wrk, patched")
            .measured("rps", rps)
            .measured("cpu_util", cpu)
    };
    vec![run("none", 2243.0, 98.5), run("kae", 128_000.5, 100.0)]
}

#[test]
fn byte_order_mark_line_ends_quotes_separators_and_percent_signs() {
    let plain = "workers,accelerator,tool,rps,cpu_util\n4,none,\"wrk, patched\",2243,98.5\n4,kae,\"wrk, patched\",128000.5,100\n";
    let written = "\u{feff}Workers , ACCELERATOR,tool,RPS,cpu_util\r\n\r\n4,None,\"wrk, patched\",\"2,243\",98.5%\r\n 4 ,kae,\"wrk, patched\",\"128,000.5\",100 %\r\n\r\n";
    let tabs = "workers\taccelerator\ttool\trps\tcpu_util\n4\tnone\twrk, patched\t2,243\t98.5\n4\tkae\twrk, patched\t1.280005e5\t100";
    for csv in [plain, written, tabs] {
        assert_eq!(rows(csv), expected(), "{csv}");
    }
}

#[test]
fn a_wide_table_is_melted_and_its_words_are_translated() {
    let wide = "处理器型号\t服务端线程数=1\t服务端线程数=4\t虚拟机规格\tNginx同步/异步\t是否启用vKAE\n\
                鲲鹏920处理器\t1367\t5102\t8C16G\t同步\t是\n鲲鹏920处理器\t584\t\t8C16G\t异步\t否\n";
    let run = |workers: i64, mode: &str, accelerator: &str, rps: f64| {
        Run::new()
            .with("cpu", "鲲鹏920处理器")
            .with("vm_size", "8C16G")
            .with("vcpus", 8)
            .with("memory_gib", Level::number(16.0))
            .with("workers", workers)
            .with("tls_mode", mode)
            .with("accelerator", accelerator)
            .measured("rps", rps)
    };
    let melted = [run(1, "sync", "vkae", 1367.0), run(4, "sync", "vkae", 5102.0), run(1, "async", "none", 584.0)];
    assert_eq!(rows(wide), melted);
    assert_eq!(runs(wide).warnings()[0].code(), "assumed-metric");
    let english = "workers=1,workers=4,tls_mode,accelerator\n587,2255,sync,none\n";
    assert_eq!(rows(english).len(), 2);
}

#[test]
fn unknown_columns_are_factors_and_a_slip_of_the_pen_is_named() {
    let table = runs("rack,worker,rps\n007,4,5\nx,5,6\n");
    assert_eq!(table.rows().next().unwrap().get("rack"), &Level::from("007"), "not a number: nothing is lost");
    assert_eq!(table.rows().next().unwrap().get("worker"), &Level::Integer(4));
    let messages: Vec<String> =
        table.warnings().iter().map(|warning| warning.message(kaeanalysis::language::Lang::En)).collect();
    assert_eq!(
        messages,
        ["The column worker is not known and is taken as a further factor. If workers is meant, rename it."]
    );
}

#[test]
fn what_is_empty_is_unknown() {
    let table = rows("workers,tls_mode,rps,latency_p99_ms\n4,,5,\n,sync,,7.5\n");
    assert_eq!(table[0], Run::new().with("workers", 4).measured("rps", 5.0));
    assert_eq!(table[1], Run::new().with("tls_mode", "sync").measured("latency_p99_ms", 7.5));
}

/// Spreadsheets and Markdown are read as the CSV of the same table is.
#[test]
fn tables_that_are_no_csv() {
    let rows = |path: &str| {
        kaeanalysis::ingest::read(path).unwrap_or_else(|error| panic!("{error}")).rows().collect::<Vec<_>>()
    };
    let csv = "加速器,服务端线程数=1,服务端线程数=4\n无,587,2255\nvkae,1367,5102.5\n";
    let wanted: Vec<_> = runs(csv).rows().collect();
    assert_eq!(wanted.len(), 4);
    assert_eq!(rows("tests/data/tables/wide.xlsx"), wanted);
    let folder = tempfile::tempdir().unwrap();
    let markdown = folder.path().join("wide.md");
    let table = "Results:\n\n| 加速器 | 服务端线程数=1 | 服务端线程数=4 |\n|---|---:|---:|\n| 无 | 587 | 2,255 |\n| vkae | 1,367 | 5,102.5 |\n";
    std::fs::write(&markdown, table).unwrap();
    assert_eq!(rows(&markdown.display().to_string()), wanted);
    let error = kaeanalysis::ingest::read("tests/data/tables/two_sheets.xlsx").unwrap_err().to_string();
    assert_eq!(
        error,
        "tests/data/tables/two_sheets.xlsx: the workbook has the sheets runs, more; save the one that holds the runs as a file of its own"
    );
}

#[test]
fn newline_delimited_json_both_ways() {
    let all = runs(super::REPLICATED);
    let text = kaeanalysis::ingest::ndjson::write(&all).unwrap();
    let back = kaeanalysis::ingest::ndjson::read(&text, "runs.ndjson").unwrap();
    assert!(all.rows().eq(back.rows()));
    let error = |text: &str| kaeanalysis::ingest::ndjson::read(text, "runs.ndjson").unwrap_err().to_string();
    assert!(
        error("{\"rps\": 5}\n{\"rps\": [1]}\n").starts_with("runs.ndjson, line 2: "),
        "{}",
        error("{\"rps\": 5}\n{\"rps\": [1]}\n")
    );
    assert!(error("{\"rps\": -5}\n").contains("column \"rps\""), "{}", error("{\"rps\": -5}\n"));
}

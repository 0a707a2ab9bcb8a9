//! Every shape in which a table of runs may come.

use kaeanalysis::analysis::comparison::{Comparing, compare};
use kaeanalysis::analysis::{Method, Precision, Scope};
use kaeanalysis::ingest::{Format, Reading, read_bytes, read_file, write};
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
    let table = runs("rack,workerz,rps\n007,4,5\nx,5,6\n");
    assert_eq!(table.rows().next().unwrap().get("rack"), &Level::from("007"), "not a number: nothing is lost");
    assert_eq!(table.rows().next().unwrap().get("workerz"), &Level::Integer(4));
    let messages: Vec<String> =
        table.warnings().iter().map(|warning| warning.message(kaeanalysis::language::Lang::En)).collect();
    assert_eq!(
        messages,
        ["The column workerz is not known and is taken as a further factor. If workers is meant, rename it."]
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
    let rows =
        |path: &str| read_file(path.as_ref()).unwrap_or_else(|error| panic!("{error}")).rows().collect::<Vec<_>>();
    let csv = "加速器,服务端线程数=1,服务端线程数=4\n无,587,2255\nvkae,1367,5102.5\n";
    let wanted: Vec<_> = runs(csv).rows().collect();
    assert_eq!(wanted.len(), 4);
    assert_eq!(rows("tests/data/tables/wide.xlsx"), wanted);
    let folder = tempfile::tempdir().unwrap();
    let markdown = folder.path().join("wide.md");
    let table = "Results:\n\n| 加速器 | 服务端线程数=1 | 服务端线程数=4 |\n|---|---:|---:|\n| 无 | 587 | 2,255 |\n| vkae | 1,367 | 5,102.5 |\n";
    std::fs::write(&markdown, table).unwrap();
    assert_eq!(rows(&markdown.display().to_string()), wanted);
    // Of two sheets one holds runs, and the other says something of them.
    assert_eq!(rows("tests/data/tables/two_sheets.xlsx"), wanted);
}

#[test]
fn newline_delimited_json_names_the_line() {
    let error =
        |text: &str| Reading::default().bytes(text.as_bytes(), Format::Ndjson, "runs.ndjson").unwrap_err().to_string();
    let list = error("{\"rps\": 5}\n{\"rps\": [1]}\n");
    assert!(list.starts_with("runs.ndjson, line 2: "), "{list}");
    let twice = error("{\"rps\": 5, \"QPS\": 6}\n");
    assert!(twice.starts_with("runs.ndjson: \"QPS\" and \"rps\" stand for the same"), "{twice}");
    assert!(error("{\"rps\": -5}\n").contains("column \"rps\""), "{}", error("{\"rps\": -5}\n"));
}

/// Types, empty values and further factors are the same after writing and reading, in every format.
#[test]
fn files_are_read_back_without_loss() {
    let ndjson = "{\"workers\":4,\"accelerator\":\"none\",\"rps\":587.25,\"errors\":0,\"node\":7,\"share\":0.5}\n\
                  {\"accelerator\":\"vkae, \\\"new\\\"\",\"rps\":0.1,\"node\":\"b\",\"share\":12}\n\
                  {\"workers\":1,\"latency_p99_ms\":1e-9,\"version\":\"1.10\",\"block\":\"03\"}\n";
    let runs = Reading::default().bytes(ndjson.as_bytes(), Format::Ndjson, "runs.ndjson").unwrap();
    for format in [Format::Csv, Format::Ndjson, Format::Parquet] {
        let bytes = write(&runs, format).unwrap();
        let back = Reading::default().bytes(&bytes, format, "back").unwrap_or_else(|error| panic!("{format}: {error}"));
        assert!(runs.rows().eq(back.rows()), "{format}: {:?}", back.rows().collect::<Vec<_>>());
        assert_eq!(runs.frame().schema(), back.frame().schema(), "{format}");
    }
    assert!(write(&runs, Format::Workbook).is_err());
}

/// A header may span columns, and a level several rows.
#[test]
fn tables_of_web_pages() {
    let page = "<html><body><p>Results<table><thead>\
        <tr><th rowspan=2>是否启用vKAE</th><th rowspan=2>模式</th><th colspan=2>服务端线程数</th><th>errors</th></tr>\
        <tr><th>1</th><th>4</th><th>4 workers</th></tr></thead>\
        <tr><td rowspan=2>否</td><td>同步</td><td>587</td><td>2,255</td><td>0</td></tr>\
        <tr><td>异步</td><td>584</td><td>2,244</td><td>3</td></tr></table>";
    let runs = Reading::default().bytes(page.as_bytes(), Format::Html, "page.html").unwrap();
    let csv = "accelerator,tls_mode,workers,rps,errors\nnone,sync,1,587,\nnone,sync,4,2255,0\nnone,async,1,584,\nnone,async,4,2244,3\n";
    assert!(runs.rows().eq(self::runs(csv).rows()), "{:?}", runs.rows().collect::<Vec<_>>());
    let error =
        Reading::default().bytes(page.replace("2,244", "fast").as_bytes(), Format::Html, "page.html").unwrap_err();
    assert!(error.to_string().starts_with("page.html, row 4, column \"服务端线程数 / 4\": \"fast\""), "{error}");
}

/// Levels as headers, as people write them.
#[test]
fn levels_as_headers() {
    let wanted = "accelerator,workers,rps\nnone,1,587\nnone,4,2255\nkae,1,1367\nkae,4,5102\n";
    for csv in [
        "KAE,1 worker,4 workers\noff,587,2255\non,1367,5102\n",
        "KAE,workers=1,workers=4\nno,587,2255\nyes,1367,5102\n",
        "accelerator,1个工作进程,4个工作进程\n无,587,2255\nKAE,1367,5102\n",
    ] {
        assert!(runs(csv).rows().eq(runs(wanted).rows()), "{csv}");
    }
    let modes = runs("workers,sync,async\n1,587,584\n");
    assert_eq!(modes.factor("tls_mode").levels, ["sync".into(), "async".into()]);
    // One such header alone, or beside a metric, is a factor of its own.
    assert!(runs("workers,async,rps\n1,yes,584\n2,no,5\n").has_column("async"));
}

/// Numbers under a header that nobody knows may be those of a level.
#[test]
fn an_unknown_column_of_numbers_beside_levels_is_told() {
    let codes = |csv: &str| runs(csv).warnings().iter().map(kaeanalysis::model::Warning::code).collect::<Vec<_>>();
    assert_eq!(codes("workers,none,KAE,QAT\n1,5,6,7\n4,50,60,70\n"), ["assumed-metric", "numbers-beside-levels"]);
    assert_eq!(codes("workers,none,KAE,rack\n1,5,6,a\n4,50,60,b\n"), ["assumed-metric"]);
}

/// What the word list lacks, the user says.
#[test]
fn headers_that_the_user_explains() {
    let columns = [("机型", "vm_size"), ("进程", "workers"), ("nobody", "tool")];
    let columns = columns.map(|(header, column)| (header.to_owned(), column.to_owned())).to_vec();
    let reading = Reading { columns, most_runs: None };
    let runs = reading.bytes("机型,进程=1,进程=4\n8C16G,587,2255\n".as_bytes(), Format::Csv, "wide.csv").unwrap();
    assert_eq!(runs.factor("vcpus").levels, [8.into()]);
    assert_eq!(runs.factor("workers").levels, [1.into(), 4.into()]);
    let codes: Vec<_> = runs.warnings().iter().map(kaeanalysis::model::Warning::code).collect();
    assert_eq!(codes, ["no-such-header", "assumed-metric"]);
    let columns = [("QAT_HW (CPS)".to_owned(), "accelerator=qat".to_owned())].to_vec();
    let qat = Reading { columns, most_runs: None };
    let qat = qat.bytes(b"workers,Software (CPS),QAT_HW (CPS)\n1,587,1367\n", Format::Csv, "wide.csv").unwrap();
    assert!(qat.rows().eq(self::runs("workers,accelerator,rps\n1,none,587\n1,qat,1367\n").rows()));
    let ndjson = reading.bytes("{\"机型\":\"8C16G\",\"rps\":5}\n".as_bytes(), Format::Ndjson, "runs.ndjson").unwrap();
    assert!(ndjson.has_column("vm_size"));
}

/// A file that is read in parts says the same as one that is read at once, and its faults have the same place.
#[test]
fn files_of_several_parts() {
    let mut csv = "workers,node,replicate,rps\n".to_owned();
    for replicate in 0..300_000u32 {
        // Nodes are numbers at first, and labels further down.
        let node = if replicate < 200_000 { "7" } else { "b" };
        csv += &format!("{},{node},{replicate},{}\r\n", replicate % 2 + 1, 1000 + replicate % 97);
    }
    assert!(csv.len() > 4 << 20, "two parts at the least");
    let all = runs(&csv);
    assert_eq!(all.len(), 300_000);
    assert_eq!(all.factor("node").levels, ["7".into(), "b".into()]);
    assert_eq!(all.sources().len(), 1);
    let reading = Reading { most_runs: Some(100_000), ..Reading::default() };
    let summed = reading.bytes(csv.as_bytes(), Format::Csv, "runs.csv").unwrap();
    assert_eq!((summed.len(), summed.frame().height()), (300_000, 4));
    let parquet = write(&all, Format::Parquet).unwrap();
    assert_eq!(reading.bytes(&parquet, Format::Parquet, "runs.parquet").unwrap().frame().height(), 4);

    let scope = Scope::default();
    for method in [Method::Auto, Method::Fieller, Method::LogPooled] {
        let scope = Scope { precision: Precision { method, ..scope.precision }, ..scope.clone() };
        let comparing = Comparing { scope, ..Comparing::new("workers") };
        let (whole, sums) = (compare(&all, &comparing).unwrap(), compare(&summed, &comparing).unwrap());
        for (a, b) in whole.strata.iter().zip(&sums.strata) {
            let (a, b) = (&a.ratio, &b.ratio);
            assert_eq!((a.n_baseline, a.n_contender, a.basis), (b.n_baseline, b.n_contender, b.basis), "{method}");
            let ends = [(a.estimate, b.estimate), (a.low.unwrap(), b.low.unwrap()), (a.high.unwrap(), b.high.unwrap())];
            assert!(ends.iter().all(|(a, b)| (a / b - 1.0).abs() < 1e-12), "{method}: {ends:?}");
        }
        assert!(sums.warnings.iter().any(|warning| warning.code() == "summed-up"));
    }
    let bootstrap = Precision { method: Method::Percentile, ..Precision::default() };
    let comparing = Comparing { scope: Scope { precision: bootstrap, ..scope }, ..Comparing::new("workers") };
    let refused = compare(&summed, &comparing).unwrap_err().to_string();
    assert!(refused.starts_with("this needs every run"), "{refused}");

    let broken = csv.replace("b,299000,", "b,299000,x");
    let error = read_bytes(broken.as_bytes(), "runs.csv").unwrap_err().to_string();
    assert!(error.starts_with("runs.csv, line 299002, column \"rps\": \"x"), "{error}");
}

/// What vendors' pages, spreadsheets and blogs look like.
#[test]
fn tables_as_vendors_publish_them() {
    let wanted = "accelerator,workers,rps\nnone,1,587\nnone,4,2255\nkae,1,1367\nkae,4,5102\n";
    let page = |rows: &str| format!("<p>x<table>{rows}</table><table><tr><th>备注<th>说明<tr><td>a<td>b</table>");
    for rows in [
        // Levels of the accelerator as headers, a computed column, a number of the row.
        "<tr><th>序号<th>workers<th>none<th>KAE<th>提升<tr><td>1<td>1<td>587<td>1,367<td>132.9%<tr><td>2<td>4<td>2,255<td>5,102<td>126%",
        "<tr><th>工作进程数<th>软算（RPS）<th>KAE（RPS）<tr><td>1<td>587 [1]<td>1&nbsp;367<tr><td>4<td>2255①<td>5,102",
        "<tr><th rowspan=2>workers<th colspan=2>accelerator<tr><th>none<th>KAE<tr><td>1<td>587<td>1367<tr><td>4<td>2255<td>5102",
        // A title, units, ten thousands, marks of footnotes.
        "<tr><td colspan=3>表1 测试结果<tr><th>加速器<th>进程数<th>QPS（万次/秒）<sup>1</sup><tr><td>软算<td>1<td>0.0587<tr><td>软算<td>4<td>0.2255<tr><td>KAE<td>1<td>0.1367<tr><td>KAE<td>4<td>0.5102",
        "<tr><th rowspan=2>KAE<th colspan=2>每秒请求数 (req/s)<tr><th>1 worker<th>4 workers<tr><td>关<td>587<td>2.255k<tr><td>开<td>1367<td>5102<tfoot><tr><td>平均<td>1<td>2",
    ] {
        let read = Reading::default().bytes(page(rows).as_bytes(), Format::Html, "page.html");
        let read = read.unwrap_or_else(|error| panic!("{rows}: {error}"));
        let sorted = |runs: &kaeanalysis::model::Runs| {
            let mut rows: Vec<String> = runs.rows().map(|run| format!("{run:?}")).collect();
            rows.sort();
            rows
        };
        assert_eq!(sorted(&read), sorted(&runs(wanted)), "{rows}");
    }
}

/// What is measured is never guessed, and what sums up other runs is no run.
#[test]
fn tables_that_would_be_read_wrongly_are_refused() {
    let refused = |csv: &str| match read_bytes(csv.as_bytes(), "table.csv") {
        Ok(runs) => panic!("{csv}: {:?}", runs.rows().collect::<Vec<_>>()),
        Err(error) => error.to_string(),
    };
    let page = |rows: &str| {
        let page = format!("<table>{rows}</table>");
        Reading::default().bytes(page.as_bytes(), Format::Html, "page.html").unwrap_err().to_string()
    };
    for (error, part) in [
        (refused("accelerator,rps,平均时延\nnone,587,5\n"), "it is not known what is measured in \"平均时延\""),
        (refused("accelerator,latency_p95_ms,rps\nnone,5,587\n"), "--map 'latency_p95_ms='"),
        (refused("workers,rps\n1,643±12\n"), "a mean and its spread"),
        (refused("accelerator,rps\nnone,1\n平均,2\n"), "\"平均\" sums up other runs"),
        (
            refused("accelerator,1 worker,4 workers,errors\nnone,587,2255,0\n"),
            "spreads workers over columns and has errors as well",
        ),
        (refused("QPS,rps\n1,2\n"), "\"QPS\" and \"rps\" stand for the same"),
        (
            page("<tr><th rowspan=2>加速器<th colspan=2>尾延迟<tr><th>同步<th>异步<tr><td>KAE<td>1<td>2"),
            "what is measured in \"尾延迟\"",
        ),
        (
            page("<caption>表3 平均时延（ms）<tr><th>加速器<th>同步<th>异步<tr><td>KAE<td>1<td>2"),
            "\"表3 平均时延（ms）\" stands above it",
        ),
    ] {
        assert!(error.contains(part), "{error}");
    }
    // A unit is worth what it says, and what a user explains is taken with it.
    let columns = vec![("耗时 (us)".to_owned(), "latency_mean_ms".to_owned()), ("备用".to_owned(), String::new())];
    let reading = Reading { columns, most_runs: None };
    let runs = reading.bytes("耗时 (us),RPS (k),备用\n98,4.06,x\n".as_bytes(), Format::Csv, "table.csv").unwrap();
    assert_eq!(runs.rows().next().unwrap(), Run::new().measured("latency_mean_ms", 0.098).measured("rps", 4060.0));
}

/// Units count wherever they stand: above the statistic, in a title, behind a level, in the key of an object.
#[test]
fn units_count_wherever_they_stand() {
    let page = |rows: &str| {
        let page = format!("<table>{rows}</table>");
        let runs = Reading::default().bytes(page.as_bytes(), Format::Html, "page.html");
        runs.unwrap_or_else(|error| panic!("{rows}: {error}"))
    };
    let first = |runs: kaeanalysis::model::Runs| runs.rows().next().unwrap();
    let above = page("<tr><th rowspan=2>workers<th colspan=2>latency (us)<tr><th>P50<th>P99<tr><td>1<td>500<td>900");
    let wanted = Run::new().with("workers", 1).measured("latency_p50_ms", 0.5).measured("latency_p99_ms", 0.9);
    assert_eq!(first(above), wanted);
    let title = page("<caption>QPS（万次/秒）<tr><th>workers<th>none<th>KAE<tr><td>1<td>0.41<td>1.2");
    assert_eq!(first(title).get("rps"), &Level::Number(4100.0));
    let behind = page("<tr><th>workers<th>软算（万次/秒）<th>KAE（万次/秒）<tr><td>1<td>0.41<td>1.2");
    assert_eq!(first(behind).get("rps"), &Level::Number(4100.0));
    let object = "{\"workers\":1,\"RPS (k)\":4.06,\"P99 (us)\":900,\"index\":1}";
    let object = first(Reading::default().bytes(object.as_bytes(), Format::Ndjson, "runs.ndjson").unwrap());
    assert_eq!(object, Run::new().with("workers", 1).measured("rps", 4060.0).measured("latency_p99_ms", 0.9));
}

/// Two values in a cell are two, and a column of names that is called a number is none.
#[test]
fn what_could_be_two_things_is_refused() {
    let refused = |csv: &str| read_bytes(csv.as_bytes(), "table.csv").map(|runs| runs.len()).unwrap_err().to_string();
    let cell = "<table><tr><th>workers<th>rps<tr><td>1<td>587<br>612</table>";
    let cell = Reading::default().bytes(cell.as_bytes(), Format::Html, "page.html").unwrap_err().to_string();
    for (error, part) in [
        (cell, "\"587 612\" is not a number"),
        (refused("编号,rps\nA1,5\nB2,6\n"), "--map '编号=node'"),
        (refused("P99延迟 workers=1,P99延迟 workers=4\n12,9\n"), "is not a factor and a level"),
        (refused("rps (workers=4),rps (workers=8)\n12,9\n"), "is not a factor and a level"),
        (
            refused("workers,同步,异步,CPU利用率\n1,500,900,50\n"),
            "spreads tls_mode over columns and has cpu_util as well",
        ),
        (refused("accelerator,rps\nnone,587\n加速比,1.7\n"), "sums up other runs"),
    ] {
        assert!(error.contains(part), "{error}");
    }
    // The very name of a column goes before other words for it; a port is nothing measured; a dash is nothing.
    let runs = runs("protocol,tls_version,https_port,node,rps\nh2,1.3,443,—,5\n");
    let run = runs.rows().next().unwrap();
    assert_eq!((run.get("protocol"), run.get("tls_version")), (&Level::from("h2"), &Level::Number(1.3)));
    assert_eq!((run.get("https_port"), run.get("node")), (&Level::Integer(443), &Level::Unknown));
}

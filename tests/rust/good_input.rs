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

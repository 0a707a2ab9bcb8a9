use super::super::trial;
use super::*;
use proptest::prelude::*;

const SHORT: &str = "\
Running 3s test @ https://h:1/i
  2 threads and 21 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     3.40ms    3.73ms  34.14ms   81.90%
    Req/Sec   692.17    113.25     0.92k    81.67%
  4192 requests in 3.05s, 1.12MB read
Requests/sec:   1374.38
Transfer/sec:    374.46KB
";

/// One line for each output: where, of which tool, and what it says.
fn summary(text: &str) -> Vec<String> {
    read(text).iter().map(line_of).collect()
}

fn line_of(found: &Found) -> String {
    let Found { line, tool, output } = found;
    match output {
        Err(Refusal { line: at, reason }) => format!("{line} {tool}: line {at}: {reason}"),
        Ok(output) => {
            let (latency, parameters) = (output.latency, &output.parameters);
            let show = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{}", value as f32));
            format!(
                "{line} {tool}: {} rps {}/{} {} s t{} c{} {}/{}/{}/{} {:?}",
                show(output.rate),
                output.good.unwrap(),
                output.responses.unwrap(),
                show(output.duration_s),
                parameters.threads.unwrap_or(0),
                parameters.connections.unwrap_or(0),
                show(latency.mean),
                show(latency.p50),
                show(latency.p99),
                show(latency.max),
                output.remarks,
            )
        }
    }
}

fn refusal(text: &str) -> String {
    trial::only(read(text)).unwrap_err()
}

fn output(text: &str) -> Output {
    trial::only(read(text)).unwrap()
}

#[test]
fn an_output_is_read() {
    let output = output(SHORT);
    assert_eq!(output.rate, Some(1374.38));
    assert_eq!(output.parameters.url.as_deref(), Some("https://h:1/i"));
    assert_eq!(output.parameters.duration_s, Some(3.0));
    assert_eq!(output.bytes, Some(1_174_405));
    assert_eq!(output.latency.max, Some(34.14));
    assert_eq!(output.errors.connect, Some(0));
    assert_eq!(output.remarks, [Remark::FewerConnections { opened: 20 }, Remark::MayResume]);
}

#[test]
fn plain_http_resumes_nothing() {
    let output = output(&SHORT.replace("https:", "http:"));
    assert!(!output.remarks.contains(&Remark::MayResume));
}

#[test]
fn failing_statuses_are_taken_off() {
    let output = output(&SHORT.replace("Requests/sec", "  Non-2xx or 3xx responses: 2096\nRequests/sec"));
    assert_eq!((output.good, output.errors.status), (Some(2096), Some(2096)));
    assert!((output.rate.unwrap() - 687.19).abs() < 1e-9);
    assert_eq!(output.rate_printed, Some(1374.38));
    assert!(output.remarks.contains(&Remark::CountsBad));
}

#[test]
fn units_switch_below_the_next() {
    let text = SHORT
        .replace("3.40ms    3.73ms  34.14ms", "0.90m    0.87s    1.20h")
        .replace("Running 3s", "Running 2m")
        .replace("4192 requests in 3.05s", "164926 requests in 2.00m");
    let output = output(&text);
    assert_eq!(output.latency.mean, Some(54_000.0));
    assert_eq!(output.latency.max, Some(4_320_000.0));
    assert_eq!((output.duration_s, output.parameters.duration_s), (Some(120.0), Some(120.0)));
}

#[test]
fn rounded_minutes_are_not_a_parameter() {
    let text = SHORT.replace("Running 3s", "Running 2m").replace("4192 requests in 3.05s", "123694 requests in 1.50m");
    let output = output(&text);
    assert_eq!((output.duration_s, output.parameters.duration_s), (Some(90.0), None));
    assert!(!output.remarks.contains(&Remark::Interrupted));
}

#[test]
fn an_interrupted_run_is_marked() {
    assert!(output(&SHORT.replace("Running 3s", "Running 30s")).remarks.contains(&Remark::Interrupted));
}

#[test]
fn a_low_rate_is_taken_from_the_longer_time() {
    let text = SHORT.replace("4192 requests in 3.05s", "3 requests in 30.05s").replace("1374.38", "0.10");
    assert!((output(&text).rate.unwrap() - 3.0 / 30.05).abs() < 1e-12);
}

#[test]
fn socket_errors_have_kinds() {
    let line = "  Socket errors: connect 1, read 2, write 3, timeout 4 \nRequests/sec";
    let errors = output(&SHORT.replace("Requests/sec", line)).errors;
    assert_eq!((errors.connect, errors.read, errors.write, errors.timeout), (Some(1), Some(2), Some(3), Some(4)));
    let line = "  Socket errors: connect -7, read 2, abort 3\nRequests/sec";
    let output = output(&SHORT.replace("Requests/sec", line));
    let text = "Socket errors: connect -7, read 2, abort 3".to_owned();
    assert!(output.remarks.contains(&Remark::Unread { text }));
}

#[test]
fn an_empty_calibration_is_of_wrk2() {
    let text = SHORT.replace("692.17    113.25     0.92k    81.67%", "  -nan      -nan   0.00      0.00%");
    assert_eq!(read(&text)[0].tool, Tool::Wrk2);
}

#[test]
fn uncorrected_latencies_are_left_alone() {
    let uncorrected = "  Latency Distribution (HdrHistogram - Uncorrected Latency (measured without))
 50.000%    9.00us
----------
  4192 requests";
    let only = SHORT.replace("  4192 requests", uncorrected);
    assert_eq!((read(&only)[0].tool, output(&only).latency.p50), (Tool::Wrk2, None));
    let both = only.replace(
        "  Latency Distribution (HdrHistogram - Unc",
        "  Latency Distribution (HdrHistogram - Recorded Latency)\n 50.000%    1.16ms\n 90.000%    2.00ms\n\n\
         \x20 Latency Distribution (HdrHistogram - Unc",
    );
    assert_eq!((output(&both).latency.p50, output(&both).latency.p90), (Some(1.16), Some(2.0)));
}

#[test]
fn a_rate_that_was_asked_for_is_no_capacity() {
    let text = SHORT.replace("692.17    113.25     0.92k    81.67%", "  -nan      -nan   0.00      0.00%");
    let told = |command: &str, text: &str| {
        let Output { parameters, remarks, .. } = output(&format!("{command}\n{text}"));
        (parameters.rate, remarks.last().cloned())
    };
    for command in ["$ wrk -t2 -R1400 -c20 https://h:1/i", "+ ./wrk2 -R 1.4k https://h:1/i", "wrk --rate=1400 -L x"] {
        assert_eq!(told(command, &text), (Some(1400.0), Some(Remark::LoadHeld)), "{command}");
    }
    // The server was slower.
    assert_eq!(told("$ wrk2 --rate 2000 https://h:1/i", &text), (Some(2000.0), Some(Remark::MayResume)));
    // Latencies tell how far behind the client was, unless connections hung.
    assert_eq!(told("wrk2 -R many x", &text), (None, Some(Remark::LoadHeld)));
    let hung = text.replace("Requests/sec", "  Socket errors: connect 0, read 0, write 0, timeout 3\nRequests/sec");
    assert_eq!(told("", &hung), (None, Some(Remark::LoadCapped)));
    assert_eq!(told("", &text.replace("34.14ms", " 1.02s ")), (None, Some(Remark::LoadCapped)));
    // Of another run, of another tool.
    let found = read(&format!("wrk -R1400 x\n{text}{text}"));
    let rates: Vec<_> = found.iter().map(|found| found.output.as_ref().unwrap().parameters.rate).collect();
    assert_eq!(rates, [Some(1400.0), None]);
    assert_eq!(told("wrk -R1400 x &\nwrk -R700 y &", &text).0, None);
    assert_eq!(told("wrk -R700 x", &text), (None, Some(Remark::LoadHeld)));
    assert_eq!(told("wrk -R1400 x &\nwrk -R1400 y &", &text).0, Some(1400.0));
    assert_eq!(told("wrk and -R 1400", &text).0, None);
    assert_eq!(told("wrk -R1400 x", SHORT), (None, Some(Remark::MayResume)));
}

#[test]
fn a_cut_off_output_takes_no_numbers_of_another_tool() {
    let cut = SHORT.lines().take(5).collect::<Vec<_>>().join("\n");
    let go_wrk = "Running 5s test @ http://localhost:8080\n  10 goroutine(s) running concurrently\n\
                  164677 requests in 4.91s, 18.22MB read\nRequests/sec:\t33505.67\n";
    assert_eq!(refusal(&format!("{cut}\n{go_wrk}")), "the output ends before the number of requests");
}

#[test]
fn the_first_line_may_be_missing() {
    let text = SHORT.split_once('\n').unwrap().1;
    assert_eq!(output(text).parameters.connections, Some(21));
    let text = text.split_once('\n').unwrap().1;
    assert_eq!((output(text).rate, output(text).parameters.connections), (Some(1374.38), None));
}

#[test]
fn instances_that_announce_themselves_first_are_told_apart() {
    let lines: Vec<&str> = SHORT.lines().collect();
    let (head, body) = (lines[..2].join("\n"), lines[2..].join("\n"));
    let text = format!("{head}\n{head}\n{body}\n{body}\n");
    let found = read(&text);
    assert_eq!(found.iter().map(|found| found.line).collect::<Vec<_>>(), [1, 3]);
    assert!(found.iter().all(|found| found.output.as_ref().unwrap().parameters.connections == Some(21)));
    // Line by line.
    let text = format!("{0}\n{0}\n{1}\n{1}\n{body}\n{body}\n", lines[0], lines[1]);
    assert!(read(&text).iter().all(|found| found.output.as_ref().unwrap().rate == Some(1374.38)));
    // Which is which is not known.
    let text = format!("{}\n{head}\n{body}\n{body}\n", head.replace("https://h", "https://g"));
    assert!(read(&text).iter().all(|found| found.output.as_ref().unwrap().parameters.url.is_none()));
    // The first was killed.
    let text = format!("{}\n^C\n{head}\n{body}\n", head.replace("https://h", "https://g"));
    let found = read(&text);
    assert!(found[0].output.is_err());
    assert_eq!(found[1].output.as_ref().unwrap().parameters.url.as_deref(), Some("https://h:1/i"));
}

#[test]
fn mingled_outputs_are_refused() {
    let lines: Vec<&str> = SHORT.lines().collect();
    let text: String = lines.iter().map(|line| format!("{line}\n{line}\n")).collect();
    let reasons: Vec<String> = read(&text).iter().map(line_of).collect();
    assert!(reasons[0].contains("ends before the number"), "{reasons:?}");
    assert!(reasons[1].contains("stand among each other"), "{reasons:?}");
}

#[test]
fn other_tools_with_the_same_first_line_are_not_wrk() {
    let go_wrk = "Running 5s test @ http://localhost:8080\n  10 goroutine(s) running concurrently\n\
                  164677 requests in 4.914899534s, 18.22MB read\nRequests/sec:\t33505.67\n";
    assert_eq!(read(go_wrk), []);
    let autocannon = "Running 10s test @ http://localhost:3000\n10 connections\n\nReq/Bytes counts sampled once\n\
                      47k requests in 10.02s, 9.4 MB read\n";
    assert_eq!(read(autocannon), []);
}

#[test]
fn what_cannot_be_is_refused() {
    let total = |line: &str| refusal(&SHORT.replace("4192 requests in 3.05s, 1.12MB read", line));
    assert_eq!(total("0 requests in 3.05s, 0.00B read"), "0 requests in 3.05s");
    assert_eq!(
        total("833071 requests in 1.25ms, 1.12MB read"),
        "833071 requests in 1.25ms is more than any client sends"
    );
    assert_eq!(
        total("5 requests in 307445734491.26m, 1.12MB read"),
        "5 requests in 307445734491.26m, which is longer than any test"
    );
    assert_eq!(total("4192 requests in -3.05s, 1MB read"), "4192 requests in -3.05s");
    assert_eq!(total("4192 requests in nans, 1MB read"), "\"4192 requests in nans, 1MB read\" cannot be read");
    assert!(total("99999999999999999999 requests in 3.05s, 1MB read").ends_with("cannot be read"));
    assert_eq!(total("499 requests in 2.08s, 1MB read"), "1374.38 requests per second are not 499 requests in 2.08s");
    assert_eq!(refusal(&SHORT.replace("1374.38", "-nan")), "\"-nan\" is not a rate");
    let failing = |number: &str| {
        refusal(&SHORT.replace("Requests/sec", &format!("  Non-2xx or 3xx responses: {number}\nRequests/sec")))
    };
    assert_eq!(failing("4192"), "all 4192 responses have a failing status, 400 or above");
    assert_eq!(failing("4193"), "4193 of 4192 responses have a failing status");
}

#[test]
fn a_cut_off_output_is_refused() {
    let upto = |lines: usize| SHORT.lines().take(lines).collect::<Vec<_>>().join("\n");
    for lines in 1..=2 {
        assert_eq!(refusal(&upto(lines)), "the output ends before the rate");
    }
    for lines in 3..=5 {
        assert_eq!(refusal(&upto(lines)), "the output ends before the number of requests");
    }
    assert_eq!(refusal(&upto(6)), "the output ends before the rate");
    assert!(read(&upto(7))[0].output.is_ok());
}

#[test]
fn a_refused_start_says_why() {
    let usage = "Usage: wrk <options> <url>     \n  Options:     \n";
    let start = |text: &str| refusal(&format!("$ wrk\n{text}{usage}$ \n"));
    assert_eq!(start(""), "nothing was measured: the usage was printed");
    assert_eq!(start("invalid URL: h\n"), "nothing was measured: invalid URL: h");
    assert_eq!(start("wrk: invalid option -- 'x'\n"), "nothing was measured: wrk: invalid option -- 'x'");
    assert_eq!(read(&format!("wrk 4.1.0 [epoll] Copyright (C) 2012 Will Glozer\n{usage}")), []);
    assert_eq!(read("unable to connect to the database: refused\n"), []);
}

#[test]
fn the_version_is_of_the_outputs_behind_it() {
    let text = format!("wrk debian/4.1.0-3 [epoll] Copyright (C) 2012 Will Glozer\n{SHORT}");
    assert_eq!(output(&text).version.as_deref(), Some("debian/4.1.0-3"));
}

/// What stands in each sample, by eye: all of it, or the beginning of a reason.
const SAMPLES: &[(&str, &[&str])] = &[
    ("wrk/bad_host.stderr.txt", &["1 wrk: line 1: nothing was measured: unable to resolve no-such-host.inv"]),
    ("wrk/bad_url.stderr.txt", &[]),
    ("wrk/bad_url.txt", &["1 wrk: line 1: nothing was measured: the usage was printed"]),
    ("wrk/big_throughput.txt", &["1 wrk: 881.87 rps 1788/1788 2.03 s t2 c8 7.78/6.99/24.14/62.24 []"]),
    ("wrk/conn_refused.stderr.txt", &["1 wrk: line 1: nothing was measured: unable to connect to 127.0.0.1:1999"]),
    ("wrk/conns_lt_threads.stderr.txt", &["1 wrk: line 1: nothing was measured: number of connections must"]),
    ("wrk/conns_lt_threads.txt", &["1 wrk: line 1: nothing was measured: the usage was printed"]),
    ("wrk/keepalive_http.txt", &["1 wrk: 133605.66 rps 280593/280593 2.1 s t2 c20 0.16118/-/-/4.37 []"]),
    (
        "wrk/keepalive_latency.txt",
        &["1 wrk: 82810.59 rps 248777/248777 3 s t2 c20 0.25035/0.226/0.565/5.74 [MayResume]"],
    ),
    ("wrk/lua_done_script.txt", &["1 wrk: 72453.58 rps 79648/79648 1.1 s t1 c4 0.05686/0.053/0.105/1.86 []"]),
    (
        "wrk/made_up_mixed_status.txt",
        &["3 wrk: 271.82004 rps 81572/81620 300 s t3 c50 297.99/158.11/1660/3050 \
           [CountsBad, FewerConnections { opened: 48 }]"],
    ),
    (
        "wrk/made_up_terminal_parallel.txt",
        &[
            "2 wrk: 240.43 rps 499/499 2.08 s t2 c10 11.51/-/-/54 [MayResume]",
            "4 wrk: 261.11 rps 542/542 2.08 s t2 c10 10.28/-/-/48.7 [MayResume]",
        ],
    ),
    ("wrk/non2xx_500.txt", &["1 wrk: line 11: all 11206 responses have a failing status, 400 or above"]),
    ("wrk/not_tls_port.txt", &["1 wrk: line 6: 0 requests in 1.00s (12832 connect errors)"]),
    (
        "wrk/parallel3_one_file.txt",
        &[
            "1 wrk: 240.43 rps 499/499 2.08 s t2 c10 11.51/-/-/54 [MayResume]",
            "9 wrk: 261.11 rps 542/542 2.08 s t2 c10 10.28/-/-/48.7 [MayResume]",
            "17 wrk: 269.87 rps 564/564 2.09 s t2 c10 11.13/-/-/57.1 [MayResume]",
        ],
    ),
    ("wrk/r302.txt", &["1 wrk: 80936.82 rps 89022/89022 1.1 s t1 c4 0.03929/-/-/1.8 []"]),
    ("wrk/read_errors_444.txt", &["1 wrk: line 11: 0 requests in 1.10s (42383 read errors)"]),
    ("wrk/short_latency_http.txt", &["1 wrk: 39643.12 rps 83246/83246 2.1 s t2 c20 0.26863/0.162/1.74/5.19 []"]),
    ("wrk/short_tls12_cache_reuse.txt", &["1 wrk: 5771.5 rps 17376/17376 3.01 s t2 c20 1.05/-/-/16.04 [MayResume]"]),
    ("wrk/short_tls12_nocache.txt", &["1 wrk: 1374.38 rps 4192/4192 3.05 s t2 c20 3.4/-/-/34.14 [MayResume]"]),
    ("wrk/short_tls13.txt", &["1 wrk: 3127.64 rps 9503/9503 3.04 s t2 c20 2.67/-/-/21.97 [MayResume]"]),
    ("wrk/slow_timeouts.txt", &["1 wrk: line 11: 0 requests in 4.01s"]),
    ("wrk/timeouts_counted.txt", &["1 wrk: 2.9950082 rps 18/18 6.01 s t2 c6 -/-/-/- []"]),
    ("wrk/tiny_one_conn.txt", &["1 wrk: 52206.35 rps 57393/57393 1.1 s t1 c1 0.03274/0.013/0.396/2.99 []"]),
    ("wrk/version_usage.txt", &[]),
    (
        "wrk2/made_up_uncorrected.txt",
        &["1 wrk2: 1996.94 rps 23964/23964 12 s t2 c20 0.87/0.843/2.15/4.65 [MayResume, LoadHeld]"],
    ),
    ("wrk2/missing_rate.stderr.txt", &["1 wrk2: line 1: nothing was measured: Throughput MUST be specified"]),
    ("wrk2/missing_rate.txt", &["1 wrk2: line 1: nothing was measured: the usage was printed"]),
    ("wrk2/rate2000_latency.txt", &["1 wrk2: 1996.94 rps 23964/23964 12 s t2 c20 0.87/0.843/2.15/4.65 [LoadHeld]"]),
    ("wrk2/short_run_no_calibration.txt", &["1 wrk2: 1987.12 rps 5966/5966 3 s t2 c20 6.64/-/-/60.13 [LoadCapped]"]),
];

fn samples() -> Vec<(String, String)> {
    let of =
        |tool: &'static str| trial::samples(tool).into_iter().map(move |(name, text)| (format!("{tool}/{name}"), text));
    of("wrk").chain(of("wrk2")).collect()
}

#[test]
fn samples_say_what_they_say() {
    trial::say(&samples(), summary, SAMPLES);
}

#[test]
fn text_around_changes_nothing() {
    trial::unmoved_by_noise(&samples(), read);
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "\\PC*", line in 0_usize..12) {
        let lines: Vec<&str> = SHORT.lines().collect();
        let _ = read(&text);
        let _ = read(&SHORT.replace(lines[line % lines.len()], &text));
    }

    #[test]
    fn no_damage_makes_it_panic(text in trial::damaged(["wrk", "wrk2"].into_iter().flat_map(trial::texts))) {
        let _ = read(&text);
    }

    #[test]
    fn numbers_of_any_size_are_not_believed(
        number in "-?[0-9]{0,25}(\\.[0-9]{0,3})?(us|ms|s|m|h|k|%)?",
        at in 0_usize..100,
    ) {
        let mut words: Vec<&str> = SHORT.split(' ').collect();
        let at = at % words.len();
        words[at] = &number;
        for found in read(&words.join(" ")) {
            if let Ok(output) = found.output {
                prop_assert!(output.rate.is_some_and(|rate| rate > 0.0 && rate <= 1e9));
                prop_assert!(output.good <= output.responses);
            }
        }
    }
}

use super::super::trial;
use super::*;
use proptest::prelude::*;

const REPORT: &str = "\
750 requests launched
3000 requests launched
thread 1: 1487 connect, 1487 requests, 1487 success, 0 fail, 71376 bytes, 343497 overhead
thread 2: 1513 connect, 1513 requests, 1513 success, 0 fail, 72624 bytes, 349503 overhead

SSL INFO: ECDHE_RSA_AES_256_GCM_SHA384
- Protocol: TLS1.2
- Cipher: AES-256-GCM
- Certificate Info: subject `CN=localhost', RSA key 2048 bits, signed using RSA-SHA256

TOTALS:  3000 connect, 3000 requests, 3000 success, 0 fail, 20 (20) real concurrency
TRAFFIC: 48 avg bytes, 231 avg overhead, 144000 bytes, 693000 overhead
TIMING:  3.503 seconds, 856 rps, 233 kbps, 23.4 ms avg req time
";

/// One line for each output: where, and what it says.
fn summary(text: &str) -> Vec<String> {
    read(text).iter().map(line_of).collect()
}

fn line_of(found: &Found) -> String {
    match &found.output {
        Err(Refusal { line, reason }) => format!("{}: line {line}: {reason}", found.line),
        Ok(output) => {
            let Parameters { threads, connections, keep_alive, .. } = output.parameters;
            format!(
                "{}: {:.3} rps {}/{} {} s t{} c{} k{} {}ms {} {:?}",
                found.line,
                output.rate.unwrap(),
                output.good.unwrap(),
                output.responses.unwrap(),
                output.duration_s.unwrap(),
                threads.map_or("-".to_owned(), |threads| threads.to_string()),
                connections.map_or("-".to_owned(), |connections| connections.to_string()),
                keep_alive.map_or('-', |keep| if keep { '1' } else { '0' }),
                output.latency.mean.unwrap(),
                output.key_type.as_deref().unwrap_or("-"),
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
fn a_report_is_read() {
    let output = output(REPORT);
    assert_eq!(output.rate, Some(3000.0 / 3.503));
    assert_eq!((output.rate_printed, output.duration_s), (Some(856.0), Some(3.503)));
    assert_eq!((output.responses, output.good, output.connects), (Some(3000), Some(3000), Some(3000)));
    assert_eq!((output.parameters.connections, output.parameters.threads), (Some(20), Some(2)));
    assert_eq!((output.parameters.requests, output.parameters.keep_alive), (Some(3000), Some(false)));
    assert_eq!(output.bytes, Some(837_000));
    assert_eq!(output.latency.mean, Some(23.4));
    assert_eq!(output.protocol.as_deref(), Some("TLSv1.2"));
    assert_eq!(output.cipher.as_deref(), Some("ECDHE_RSA_AES_256_GCM_SHA384"));
    assert_eq!(output.key_type.as_deref(), Some("rsa2048"));
    assert_eq!(output.errors, Errors { other: Some(0), ..Errors::default() });
    assert_eq!(output.remarks, [Remark::StatusUnseen]);
}

#[test]
fn a_whole_number_is_taken_where_the_duration_is_coarser() {
    let text = REPORT.replace("3.503 seconds, 856 rps", "0.003 seconds, 901234 rps").replace("23.4 ms", "0.0 ms");
    let output = output(&text);
    assert_eq!(output.rate, Some(901_234.0));
    assert_eq!(output.remarks, [Remark::StatusUnseen, Remark::Rounded]);
}

#[test]
fn kept_connections_are_seen() {
    let output = output(&REPORT.replace("TOTALS:  3000 connect", "TOTALS:  20 connect"));
    assert_eq!(output.parameters.keep_alive, Some(true));
    assert_eq!(output.remarks, [Remark::StatusUnseen, Remark::LongConnections]);
}

#[test]
fn connections_are_absent_where_some_had_no_success() {
    let output = output(&REPORT.replace("20 (20) real", "15 (15) real"));
    assert_eq!(output.parameters.connections, None);
}

#[test]
fn failures_have_the_kinds_of_the_log() {
    let log = "2026-11-30 22:39:14 [7:0x7fa5]: gnutls handshake error [-12] A TLS alert. conn=0x7fa5\n\
               2026-11-30 22:39:14 [7:0x7fa5]: headers [0] conn_read() returned -1 error: 11 x\n";
    let report = REPORT.replace("3000 success, 0 fail", "2990 success, 10 fail").replace("856 rps", "853 rps");
    let errors = output(&format!("{log}{report}")).errors;
    assert_eq!((errors.tls, errors.read, errors.connect, errors.other), (Some(1), Some(1), Some(0), Some(8)));
    assert_eq!(output(&report).errors.other, Some(10));
    assert_eq!(read(&format!("{report}{log}")).len(), 1);
}

#[test]
fn no_space_before_the_unit() {
    assert_eq!(output(&REPORT.replace("23.4 ms", "23.4ms")).latency.mean, Some(23.4));
}

#[test]
fn fractional_rates_are_taken() {
    let text = REPORT.replace("856 rps, 233 kbps", "856.41 rps");
    assert_eq!((output(&text).rate, output(&text).remarks), (Some(856.41), vec![Remark::StatusUnseen]));
}

#[test]
fn a_fork_counts_statuses() {
    let response = REPORT.replace("TRAFFIC", "RESPONSE: 2xx 1500 (50.0%), non-2xx 1500 (50.0%)\nTRAFFIC");
    let output_of_response = output(&response);
    assert_eq!((output_of_response.good, output_of_response.errors.status), (Some(1500), Some(1500)));
    assert_eq!(output_of_response.rate, Some(1500.0 / 3.503));
    assert_eq!(output_of_response.remarks, [Remark::CountsBad]);
    let loops = format!("{response}loops: 3000; failed: 1500; time: 3.503; rate: {{ 428.204 }} req/sec;\n");
    assert_eq!((output(&loops).rate, output(&loops).remarks), (Some(428.204), vec![]));
    let timed = loops.replace("time: 3.503; rate: { 428.204 }", "time: 3.5; percentile(95%): 30.1 ms; rate: { 428.2 }");
    assert_eq!((output(&timed).rate, output(&timed).duration_s), (Some(428.2), Some(3.503)));
}

#[test]
fn a_fork_prints_loops_alone() {
    let text = "loops: 8564; failed: 4; time: 10.0; percentile(95%): 31.2 ms; rate: { 856.0 } req/sec;\n";
    let output = output(text);
    assert_eq!((output.rate, output.good, output.duration_s), (Some(856.0), Some(8560), Some(10.0)));
    assert_eq!(output.remarks, []);
    assert_eq!(refusal(&text.replace("failed: 4", "failed: 8564")), "all 8564 requests failed");
    let between = format!("total-{}", text.replace("; failed", "; total-failed"));
    assert_eq!(read(&between), []);
}

#[test]
fn a_fork_sorts_all_times() {
    let text = format!(
        "{REPORT} total transfers = 3000\nAll-time average (ms):   23.100000\n\
                        All-time median (ms):    21.500000\nAll-time 99th time (ms): 60.000000\n"
    );
    let latency = output(&text).latency;
    assert_eq!((latency.mean, latency.p50, latency.p99), (Some(23.1), Some(21.5), Some(60.0)));
}

#[test]
fn runs_in_a_row_are_each_its_own() {
    let quiet: String = REPORT.lines().skip(10).map(|line| format!("{line}\n")).collect();
    let text = format!("{REPORT}{REPORT}{quiet}{quiet}750 requests launched\n^C\n{REPORT}");
    let lines: Vec<_> = read(&text).iter().map(|found| (found.line, found.output.is_ok())).collect();
    assert_eq!(lines, [(1, true), (14, true), (27, true), (30, true), (33, false), (35, true)]);
}

#[test]
fn runs_at_the_same_time_are_told_apart() {
    let quiet: String = REPORT.lines().skip(10).map(|line| format!("{line}\n")).collect();
    let progress: String = REPORT.lines().take(2).map(|line| format!("{line}\n{line}\n")).collect();
    assert_eq!(summary(&format!("{progress}{quiet}{quiet}")).len(), 2);
    assert!(read(&format!("{progress}{quiet}{quiet}")).iter().all(|found| found.output.is_ok()));
    let mingled: String = quiet.lines().map(|line| format!("{line}\n{line}\n")).collect();
    assert!(read(&mingled).iter().all(|found| found.output.is_err()));
}

#[test]
fn what_cannot_be_is_refused() {
    let failed = REPORT.replace("3000 success, 0 fail", "0 success, 3000 fail").replace("856 rps", "0 rps");
    assert_eq!(refusal(&failed), "all 3000 requests failed");
    let log = "2026-11-30 22:39:14 [7:0x7fa5]: conn_write() returned -1: 111 Connection refused\n";
    assert_eq!(
        refusal(&format!("{log}{failed}")),
        "all 3000 requests failed: conn_write() returned -1: 111 Connection refused"
    );
    let timing = |text: &str| refusal(&REPORT.replace("3.503 seconds, 856 rps", text));
    assert_eq!(timing("0.000 seconds, 856 rps"), "3000 requests in 0.000 seconds");
    assert_eq!(timing("-3.503 seconds, 856 rps"), "3000 requests in -3.503 seconds");
    assert!(timing("9999999.000 seconds, 856 rps").ends_with("longer than any test"));
    assert_eq!(timing("3.503 seconds, 2 rps"), "2 requests per second are not 3000 requests in 3.503 seconds");
    assert!(timing("3.503 seconds, nan rps").ends_with("cannot be read"));
    let totals = |text: &str| refusal(&REPORT.replace("3000 success, 0 fail", text));
    assert!(totals("3001 success, 0 fail").ends_with("cannot be read"));
    assert!(totals("18446744073709551615 success, 1 fail").ends_with("cannot be read"));
    assert_eq!(
        refusal(&REPORT.replace("TRAFFIC", "RESPONSE: 2xx 0 (0.0%), non-2xx 3000 (100.0%)\nTRAFFIC")),
        "all 3000 responses have a failing status"
    );
    assert_eq!(
        refusal(&REPORT.replace("TRAFFIC", "RESPONSE: 2xx 3001 (100.0%), non-2xx 0 (0.0%)\nTRAFFIC")),
        "3001 good responses of 3000"
    );
    let none = REPORT.replace("3000 requests, 3000 success, 0 fail", "0 requests, 0 success, 0 fail");
    assert_eq!(refusal(&none), "0 requests in 3.503 seconds");
}

#[test]
fn a_cut_off_report_is_refused() {
    let upto = |lines: usize| REPORT.lines().take(lines).collect::<Vec<_>>().join("\n");
    for lines in 1..=10 {
        assert_eq!(refusal(&upto(lines)), "the output ends before the totals");
    }
    for lines in 11..=12 {
        assert_eq!(refusal(&upto(lines)), "the output ends before the rate");
    }
}

#[test]
fn a_refused_start_says_why() {
    assert_eq!(refusal("httpress <options> <url>\n  -n num\n"), "nothing was measured: the usage was printed");
    assert_eq!(refusal("unkown option: -X\n\nhttpress <options> <url>\n"), "nothing was measured: unkown option: -X");
    let unresolved = "2026-11-30 22:39:25 [7:0x7fa5]: can't resolve host no-such-host.invalid\n";
    assert_eq!(read(&format!("{unresolved}{REPORT}")).len(), 2);
    assert_eq!(read("FATAL:  password authentication failed for user \"root\"\n"), []);
}

#[test]
fn the_version_is_of_the_outputs_behind_it() {
    let text = format!("version:    1.1\nbuild-date: Nov 30 2026 22:36:03\n\n{REPORT}");
    assert_eq!(output(&text).version.as_deref(), Some("1.1"));
}
/// What stands in each sample, by eye: all of it, or the beginning of a reason.
const SAMPLES: &[(&str, &[&str])] = &[
    ("bad_args_conns_gt_requests.stderr.txt", &["1: line 1: nothing was measured: FATAL: wrong number of conn"]),
    ("bad_args_threads_gt_conns.stderr.txt", &["1: line 1: nothing was measured: FATAL: wrong number of thr"]),
    ("bad_host.stderr.txt", &["1: line 1: nothing was measured: can't resolve host no-such-host.invalid"]),
    ("bad_priority.stderr.txt", &["1: line 1: nothing was measured: invalid priority string: NOT-A-PRIORITY"]),
    ("bad_url.stderr.txt", &["1: line 1: nothing was measured: FATAL: can't parse url: ftp://127.0.0.1/"]),
    ("cipher_dhe_rsa.stderr.txt", &["1: line 1: the output ends before the totals: gnutls handshake error [-12]"]),
    ("cipher_dhe_rsa.txt", &["1: line 8: all 300 requests failed"]),
    ("conn_refused_plain.stderr.txt", &["1: line 1: the output ends before the totals: conn_write() returned"]),
    ("conn_refused_plain.txt", &["1: line 4: all 20 requests failed"]),
    ("conn_refused_tls.stderr.txt", &["1: line 1: the output ends before the totals: gnutls handshake"]),
    ("conn_refused_tls.txt", &["1: line 4: all 20 requests failed"]),
    ("ecdsa.txt", &["1: 1099.000 rps 1000/1000 0.909 s t2 c10 k0 9.1ms ecdsa256 [StatusUnseen, Rounded]"]),
    ("empty_body.txt", &["1: 730.994 rps 1000/1000 1.368 s t2 c10 k0 13.7ms rsa2048 [StatusUnseen]"]),
    ("help.txt", &["1: line 1: nothing was measured: the usage was printed"]),
    (
        "keepalive_server_closes10.txt",
        &["1: 5434.000 rps 5000/5000 0.92 s t2 c20 k1 3.7ms rsa2048 [StatusUnseen, Rounded, LongConnections]"],
    ),
    (
        "keepalive_tls12.txt",
        &["1: 33214.000 rps 19998/19998 0.602 s t2 c20 k1 0.6ms rsa2048 [StatusUnseen, Rounded, LongConnections]"],
    ),
    ("made_up_fork_fractional.txt", &["1: 730.990 rps 1000/1000 1.368 s t- c10 k0 13.7ms - [StatusUnseen]"]),
    ("made_up_fork_loops.txt", &["3: 147.581 rps 299/399 2.026 s t- c- k0 100.5ms - []"]),
    ("made_up_fork_table.txt", &["12: 856.000 rps 8560/8560 10 s t- c- k- 2.3ms - []"]),
    ("made_up_old_without_space.txt", &["1: 730.994 rps 1000/1000 1.368 s t- c10 k0 13.7ms - [StatusUnseen]"]),
    (
        "made_up_two_runs_one_killed.txt",
        &[
            "2: line 2: the output ends before the totals",
            "6: 856.123 rps 2999/2999 3.503 s t2 c20 k0 23.4ms - [StatusUnseen]",
        ],
    ),
    ("missing_url.stderr.txt", &["1: line 1: nothing was measured: missing url argument"]),
    ("missing_url.txt", &["1: line 1: nothing was measured: the usage was printed"]),
    ("not_tls_port.stderr.txt", &["1: line 1: the output ends before the totals: gnutls handshake error [-15]"]),
    ("not_tls_port.txt", &["1: line 4: all 20 requests failed"]),
    ("partial_failures.stderr.txt", &["1: line 1: the output ends before the totals: headers [0] conn_read()"]),
    ("partial_failures.txt", &["1: 486.544 rps 1591/1591 3.27 s t2 c20 k0 41.1ms rsa2048 [StatusUnseen]"]),
    (
        "plain_http.txt",
        &["1: 71117.000 rps 20000/20000 0.281 s t2 c20 k1 0.3ms - [StatusUnseen, Rounded, LongConnections]"],
    ),
    ("quiet_short.txt", &["1: 725.000 rps 500/500 0.689 s t- c10 k0 13.8ms - [StatusUnseen, Rounded]"]),
    ("short_single_thread.txt", &["1: 832.000 rps 500/500 0.6 s t- c10 k0 12ms rsa2048 [StatusUnseen, Rounded]"]),
    ("short_tls12_cache.txt", &["1: 886.525 rps 2000/2000 2.256 s t2 c20 k0 22.6ms rsa2048 [StatusUnseen]"]),
    ("short_tls12_nocache.txt", &["1: 856.409 rps 3000/3000 3.503 s t2 c20 k0 23.4ms rsa2048 [StatusUnseen]"]),
    ("short_tls13.txt", &["1: 739.645 rps 1000/1000 1.352 s t2 c20 k0 27ms rsa2048 [StatusUnseen]"]),
    ("status_404.txt", &["1: 658.762 rps 1000/1000 1.518 s t2 c10 k0 15.2ms rsa2048 [StatusUnseen]"]),
    ("tiny_n1.txt", &["2: 98.000 rps 1/1 0.01 s t- c1 k- 10.2ms rsa2048 [StatusUnseen, Rounded]"]),
    ("tls_version_mismatch.stderr.txt", &["1: line 1: the output ends before the totals: gnutls handshake"]),
    ("tls_version_mismatch.txt", &["1: line 4: all 20 requests failed"]),
    ("unknown_option.stderr.txt", &["1: line 1: nothing was measured: unkown option: -X"]),
    ("unknown_option.txt", &["1: line 1: nothing was measured: the usage was printed"]),
    ("url_no_path.txt", &["2: 664.000 rps 10/10 0.015 s t- c2 k0 3ms rsa2048 [StatusUnseen, Rounded]"]),
    ("version.txt", &[]),
];

#[test]
fn samples_say_what_they_say() {
    trial::say(&trial::samples("httpress"), summary, SAMPLES);
}

#[test]
fn text_around_changes_nothing() {
    trial::unmoved_by_noise(&trial::samples("httpress"), read);
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "\\PC*", line in 0_usize..13) {
        let lines: Vec<&str> = REPORT.lines().collect();
        let _ = read(&text);
        let _ = read(&REPORT.replace(lines[line], &text));
    }

    #[test]
    fn no_damage_makes_it_panic(text in trial::damaged(trial::texts("httpress"))) {
        let _ = read(&text);
    }

    #[test]
    fn numbers_of_any_size_are_not_believed(number in "-?[0-9]{0,25}(\\.[0-9]{0,3})?", at in 0_usize..200) {
        trial::believed_of_no_size(REPORT, &number, at, read);
    }
}

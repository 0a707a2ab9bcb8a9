//! Every kind of bad input: an error that says what, where and what would be right. Never a panic, never a number.

use kaeanalysis::ingest::read_bytes;
use proptest::prelude::*;

fn refusal(bytes: &[u8]) -> String {
    match read_bytes(bytes, "runs.csv") {
        Ok(runs) => format!("accepted: {} runs", runs.len()),
        Err(error) => error.to_string(),
    }
}

#[test]
fn messages() {
    let cases: &[(&str, &[u8])] = &[
        ("empty", b""),
        ("blank lines only", b"\n\n\n"),
        ("header only", b"accelerator,rps\n"),
        ("no metric", b"accelerator,workers\nnone,4\n"),
        ("a run without a value", b"accelerator,rps\nnone,587\nkae,\n"),
        ("a word for a number", b"accelerator,rps\nnone,587\nkae,fast\n"),
        ("zero", b"rps\n0\n"),
        ("negative", b"rps\n-5\n"),
        ("not a number", b"rps\nNaN\n"),
        ("infinite", b"rps\ninf\n"),
        ("too large", b"rps\n1e999\n"),
        ("beyond measurement", b"rps\n1e300\n"),
        ("decimal comma", b"rps\n\"1,5\"\n"),
        ("fractional workers", b"workers,rps\n1.5,587\n"),
        ("no workers", b"workers,rps\n0,587\n"),
        ("huge workers", b"workers,rps\n99999999999999999999,587\n"),
        ("unknown mode", b"tls_mode,rps\nboth,587\n"),
        ("vm size", b"vm_size,rps\n8 cores,587\n"),
        ("vcpus contradict vm_size", b"vm_size,vcpus,rps\n8C16G,4,587\n"),
        ("percent beyond 100", b"cpu_util,rps\n130%,587\n"),
        ("percent sign on a rate", b"rps\n50%\n"),
        ("too few fields", b"accelerator,workers,rps\nnone,4,587\nkae,1367\n"),
        ("unquoted thousands", b"accelerator,rps\nkae,1,367\n"),
        ("column twice", b"rps,RPS\n1,2\n"),
        ("column without a name", b"accelerator,,rps\nnone,x,587\n"),
        ("unclosed quote", b"tool,rps\n\"wrk,587\nab,600\n"),
        ("line break in a value", b"tool,rps\n\"wr\nk\",587\n"),
        ("semicolons", b"accelerator;rps\nnone;587\n"),
        ("GBK", b"\xB4\xA6\xC0\xED\xC6\xF7,rps\nx,587\n"),
        ("Latin-1", b"cpu,rps\ncaf\xE9,587\n"),
        ("UTF-16", b"\xFF\xFEr\x00p\x00s\x00"),
        ("binary", b"\x7FELF\x00\x00\x00"),
        ("control character", b"tool,rps\nw\x07rk,587\n"),
        ("wide: unknown level", b"tls_mode=later,rps\n1,2\n"),
        ("wide: no level", b"workers=,accelerator\n1,none\n"),
        ("wide: not a factor", b"rps=4,accelerator\n1,none\n"),
        ("wide: two factors", b"workers=1,tls_mode=sync\n1,2\n"),
        ("wide and a metric", b"workers=1,workers=4,rps\n1,2,3\n"),
        ("wide and its own column", b"workers=1,workers\n1,2\n"),
        ("wide: level twice", b"workers=1,workers=1\n1,2\n"),
        ("wide: bad value", "服务端线程数=1,服务端线程数=4\n587,x\n".as_bytes()),
        ("wide: nothing measured", b"workers=1,workers=4,tool\n,,wrk\n"),
        ("wide: an answer that is none", "workers=4,是否启用KAE\n5,也许\n".as_bytes()),
        ("a half, or five hundred", b"rps\n\"0,500\"\n"),
        ("no value at all", b"accelerator,rps\nnone,\nkae,\n"),
    ];
    let messages: String = cases.iter().map(|(name, bytes)| format!("{name}\n    {}\n", refusal(bytes))).collect();
    assert!(!messages.contains("accepted"), "{messages}");
    insta::assert_snapshot!(messages);
}

#[test]
fn lines_are_counted_in_the_file_also_after_blank_ones_and_in_wide_tables() {
    assert!(refusal(b"rps\n\n\n587\nx\n").starts_with("runs.csv, line 5, column \"rps\":"));
    assert!(refusal(b"\n\nrps,rps\n1,2\n").starts_with("runs.csv, line 3:"), "the header may stand lower");
    assert!(refusal(b"rps\r5\rx\r").starts_with("runs.csv, line 3, column \"rps\":"), "old line ends");
    assert!(refusal(b"workers=1,workers=4\r\n1,2\r\n3,bad\r\n").starts_with("runs.csv, line 3, column \"workers=4\":"));
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read_bytes(&bytes, "fuzz");
    }

    #[test]
    fn any_table_is_read_or_refused(text in "[a-z=,\"\n\r0-9 .%\t;服务端线程数]{0,120}") {
        let _ = read_bytes(text.as_bytes(), "fuzz");
    }

    #[test]
    fn any_values_below_a_good_header_are_read_or_refused(value in ".{0,20}", rps in ".{0,10}") {
        let csv = format!("workers,tls_mode,vm_size,cpu_util,extra,rps\n1,sync,{value},{value},{value},{rps}\n");
        if let Ok(runs) = read_bytes(csv.as_bytes(), "fuzz") {
            prop_assert!(runs.metric("rps").iter().flatten().all(|rps| *rps > 0.0 && rps.is_finite()));
        }
    }
}

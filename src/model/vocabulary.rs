//! What headers and values mean when they are not written in the canonical words: Chinese ones, English ones of other
//! people, and another case. Only words that can mean one thing stand here; the rest is for the user to say.

use super::schema::{self, Kind};
use crate::error::InputError;
use crate::language::{Lang, column_label};

/// Headers in the words of people, by column. Case, spaces and punctuation do not matter.
const HEADERS: &[(&str, &[&str])] = &[
    ("cpu", &["处理器型号", "CPU型号", "CPU model", "processor"]),
    ("platform", &["部署方式"]),
    ("vm_size", &["规格", "虚拟机大小"]),
    ("vcpus", &["vCPU", "虚拟CPU"]),
    ("memory_gib", &["内存(GB)", "memory GB", "RAM (GiB)"]),
    (
        "workers",
        &[
            "服务端线程数",
            "工作进程",
            "worker",
            "worker processes",
            "worker count",
            "worker_processes",
            "nginx workers",
        ],
    ),
    ("tls_mode", &["Nginx同步/异步", "同步/异步", "sync/async", "TLS mode", "SSL mode", "同步异步模式"]),
    ("accelerator", &["加速引擎", "acceleration", "engine", "SSL engine"]),
    ("soft_ratio", &["软算比例", "软算比", "soft ratio", "software ratio", "software share"]),
    ("connection", &["连接类型", "连接方式", "connection type"]),
    ("tool", &["测试工具", "压测工具", "load tool", "client tool", "load generator"]),
    ("connections", &["并发连接数", "并发数", "并发", "concurrency", "concurrent connections", "clients"]),
    ("threads", &["客户端线程数", "client threads"]),
    ("requests", &["总请求数", "请求总数", "request count", "total requests"]),
    ("duration_s", &["测试时长(s)", "测试时间(s)", "duration (seconds)"]),
    ("protocol", &["TLS版本", "TLS version", "SSL protocol"]),
    ("cipher", &["密码套件", "算法套件", "cipher suite"]),
    ("key_type", &["密钥类型", "key type"]),
    ("replicate", &["轮次", "第几次", "round", "repetition", "repeat", "trial"]),
    (
        "rps",
        &[
            "requests per second",
            "requests/sec",
            "req/s",
            "reqs/s",
            "QPS",
            "每秒请求",
            "吞吐量(RPS)",
            "RPS(请求/秒)",
            "吞吐率",
        ],
    ),
    ("sign_per_s", &["sign/s", "signs/s", "signatures per second", "每秒签名"]),
    (
        "latency_mean_ms",
        &["average latency (ms)", "avg latency (ms)", "latency avg (ms)", "平均延迟(ms)", "平均响应时间(ms)"],
    ),
    ("latency_p50_ms", &["latency p50 (ms)", "p50 latency (ms)", "P50(ms)", "P50延迟(ms)", "P50时延(ms)"]),
    ("latency_p90_ms", &["latency p90 (ms)", "P90(ms)", "P90延迟(ms)"]),
    ("latency_p99_ms", &["latency p99 (ms)", "P99(ms)", "P99延迟(ms)"]),
    ("latency_max_ms", &["max latency (ms)", "latency max (ms)", "最大延迟(ms)"]),
    ("errors", &["失败数", "failed requests", "错误"]),
    ("cpu_util", &["CPU使用率", "CPU utilization", "CPU utilisation", "CPU usage", "CPU利用率"]),
    ("client_cpu_util", &["客户端CPU使用率", "client CPU utilization", "client CPU usage"]),
];

/// Values in the words of people, by column.
const VALUES: &[(&str, &str, &str)] = &[
    ("tls_mode", "同步", "sync"),
    ("tls_mode", "同步模式", "sync"),
    ("tls_mode", "synchronous", "sync"),
    ("tls_mode", "异步", "async"),
    ("tls_mode", "异步模式", "async"),
    ("tls_mode", "asynchronous", "async"),
    ("connection", "短连接", "short"),
    ("connection", "长连接", "long"),
    ("platform", "虚拟机", "vm"),
    ("platform", "容器", "container"),
    ("platform", "物理机", "bare_metal"),
    ("platform", "整机", "bare_metal"),
    ("platform", "bare metal", "bare_metal"),
    ("platform", "docker", "container"),
    ("accelerator", "无", "none"),
];

/// Answers to the question whether the accelerator is on.
const YES: [&str; 7] = ["是", "开", "开启", "启用", "yes", "on", "true"];
const NO: [&str; 7] = ["否", "关", "关闭", "不启用", "no", "off", "false"];

/// What is left of a word when case, spaces and punctuation do not matter. A slash stays: requests are not requests/s.
fn folded(text: &str) -> String {
    text.chars()
        .filter(|c| !matches!(c, ' ' | '\u{3000}' | '_' | '-' | '(' | ')' | '（' | '）' | '.' | ':' | '：' | '[' | ']'))
        .flat_map(char::to_lowercase)
        .collect()
}

/// The column that a header names; a header that is not known names a further factor, as it is written.
pub fn column(header: &str) -> String {
    let header = header.trim();
    known(header).map_or_else(|| header.to_owned(), ToOwned::to_owned)
}

/// The known column that a header names: by its name, by what tables and figures call it, or by another word for it.
fn known(header: &str) -> Option<&'static str> {
    if asks_for(header).is_some() {
        return Some("accelerator");
    }
    let header = folded(header);
    let is = |word: &str| folded(word) == header;
    let named = schema::COLUMNS
        .iter()
        .map(|column| column.name)
        .find(|name| is(name) || [Lang::En, Lang::Zh].iter().any(|&lang| is(&column_label(lang, name))));
    named.or_else(|| HEADERS.iter().find(|(_, words)| words.iter().any(|word| is(word))).map(|(column, _)| *column))
}

/// "是否启用vKAE", "KAE enabled", "KAE": answered by yes or no, it names the accelerator itself.
fn asks_for(header: &str) -> Option<&'static str> {
    let header = folded(header);
    // Any verb may stand between.
    let asked = header.strip_prefix("是否").map(|rest| rest.trim_start_matches(|c: char| !c.is_ascii()));
    let rest =
        asked.unwrap_or(&header).trim_start_matches("启用").trim_end_matches("enabled").trim_end_matches("on/off");
    ["kae", "vkae"].into_iter().find(|name| *name == rest)
}

/// The value that a text stands for under a header of a column.
///
/// # Errors
/// An answer other than yes or no to the question whether KAE is on.
pub fn value<'a>(header: &str, column: &str, text: &'a str) -> Result<&'a str, InputError> {
    if let Some(name) = asks_for(header).filter(|_| column == "accelerator" && !text.is_empty()) {
        let answer = text.to_lowercase();
        return if YES.contains(&answer.as_str()) {
            Ok(name)
        } else if NO.contains(&answer.as_str()) {
            Ok("none")
        } else {
            Err(InputError::new(
                format!("{text:?} does not answer the question"),
                "write yes or no, on or off, 是 or 否",
            ))
        };
    }
    Ok(level(column, text))
}

/// The words for levels of a column, and the levels.
pub(super) fn words(column: &str) -> Vec<(&'static str, &'static str)> {
    VALUES.iter().filter(|(of, _, _)| *of == column).map(|(_, word, level)| (*word, *level)).collect()
}

/// The level of a column that a text stands for; one that is not known stands for itself.
pub fn level<'a>(column: &str, text: &'a str) -> &'a str {
    let is = |word: &str| word == text || word.eq_ignore_ascii_case(text);
    VALUES.iter().find(|(of, word, _)| *of == column && is(word)).map_or(text, |(_, _, level)| level)
}

/// The factor and the level that a header of a wide table stands for without naming the factor: `4 workers`, `2 线程`,
/// `async`, `短连接`.
pub fn setting(header: &str, column_of: impl Fn(&str) -> String) -> Option<(String, String)> {
    let header = header.trim();
    let digits = header.len() - header.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if let Some((number, unit)) = header.split_at_checked(digits).filter(|(number, _)| !number.is_empty()) {
        let unit = unit.trim().trim_start_matches('个').trim_start();
        let one =
            |word: &str| matches!(schema::kind(word), Kind::Whole { .. }) && schema::role(word) == schema::Role::Factor;
        // "4 workers", "1 worker", "2 个工作进程".
        return [column_of(unit), column_of(&format!("{unit}s")), column_of(&format!("{unit}数"))]
            .into_iter()
            .find(|column| one(column))
            .map(|column| (column, number.to_owned()));
    }
    let known = |column: &str| match schema::kind(column) {
        Kind::Choice(levels) | Kind::Named(levels) => {
            let level = level(column, header).to_lowercase();
            levels.iter().find(|known| **known == level).map(|level| (*level).to_owned())
        }
        _ => None,
    };
    ["tls_mode", "accelerator", "connection", "platform"]
        .into_iter()
        .find_map(|column| Some((column.to_owned(), known(column)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_means_two_columns() {
        let mut words: Vec<(String, &str)> = Vec::new();
        for column in schema::COLUMNS {
            words.push((folded(column.name), column.name));
            words.extend([Lang::En, Lang::Zh].map(|lang| (folded(&column_label(lang, column.name)), column.name)));
        }
        for (column, synonyms) in HEADERS {
            assert!(schema::column(column).is_some(), "{column}");
            words.extend(synonyms.iter().map(|word| (folded(word), *column)));
        }
        for (word, column) in &words {
            for (other, of) in &words {
                assert!(word != other || column == of, "{word} is {column} and {of}");
            }
        }
        for (column, _, level) in VALUES {
            assert!(schema::kind(column).parse(level).is_ok(), "{column}={level}");
        }
    }

    #[test]
    fn headers_of_people() {
        for (header, expected) in [
            ("Workers", "workers"),
            ("工作进程数", "workers"),
            ("服务端线程数", "workers"),
            ("Nginx 同步/异步", "tls_mode"),
            ("TLS mode", "tls_mode"),
            ("requests/s", "rps"),
            ("Requests/sec", "rps"),
            ("requests", "requests"),
            ("P99 时延 (ms)", "latency_p99_ms"),
            ("是否启用vKAE", "accelerator"),
            ("是否使能 KAE", "accelerator"),
            ("启用vKAE", "accelerator"),
            ("KAE enabled", "accelerator"),
            ("KAE version", "KAE version"),
            ("latency p99 (s)", "latency p99 (s)"),
            ("colour", "colour"),
        ] {
            assert_eq!(column(header), expected, "{header}");
        }
    }

    #[test]
    fn answers_name_the_accelerator() {
        let value = |header, text| value(header, "accelerator", text);
        assert_eq!(value("是否启用vKAE", "是"), Ok("vkae"));
        assert_eq!(value("KAE", "off"), Ok("none"));
        assert_eq!(value("KAE enabled", "Yes"), Ok("kae"));
        assert_eq!(value("accelerator", "on"), Ok("on"));
        assert!(value("KAE", "maybe").is_err());
    }

    #[test]
    fn settings_in_headers() {
        let setting = |header| setting(header, column).map(|(column, level)| format!("{column}={level}"));
        for (header, expected) in [
            ("4 workers", "workers=4"),
            ("1 worker", "workers=1"),
            ("4线程", "threads=4"),
            ("2 个工作进程", "workers=2"),
            ("64 connections", "connections=64"),
            ("async", "tls_mode=async"),
            ("异步", "tls_mode=async"),
            ("vKAE", "accelerator=vkae"),
            ("短连接", "connection=short"),
        ] {
            assert_eq!(setting(header).as_deref(), Some(expected), "{header}");
        }
        for header in ["4", "4 apples", "2024-01-01", "workers", "rps", "4 rps", ""] {
            assert_eq!(setting(header), None, "{header}");
        }
    }
}

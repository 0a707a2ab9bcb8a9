//! What headers and values mean when they are not written in the canonical words: Chinese ones, English ones of other
//! people, and another case. Only words that can mean one thing stand here; the rest is for the user to say.

use super::schema::{self, Kind, Role};
use crate::error::InputError;
use crate::language::{Lang, column_label};

/// Headers in the words of people, by column. Case, spaces and punctuation do not matter.
const HEADERS: &[(&str, &[&str])] = &[
    ("cpu", &["处理器型号", "CPU型号", "CPU model", "processor"]),
    ("platform", &["部署方式"]),
    ("workers", &["服务端线程数", "工作进程", "进程数", "worker", "worker processes", "worker count", "nginx workers"]),
    ("tls_mode", &["Nginx同步/异步", "同步/异步", "sync/async", "TLS mode", "SSL mode", "同步异步模式"]),
    ("accelerator", &["加速引擎", "SSL engine"]),
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
    ("replicate", &["repetition", "repeat", "trial"]),
    (
        "rps",
        &[
            "requests per second",
            "requests/sec",
            "req/s",
            "reqs/s",
            "QPS",
            "TPS",
            "CPS",
            "每秒请求",
            "吞吐量",
            "吞吐率",
            "吞吐",
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
const VALUES: &[(&str, &str, &[&str])] = &[
    ("tls_mode", "sync", &["同步", "同步模式", "synchronous"]),
    ("tls_mode", "async", &["异步", "异步模式", "asynchronous"]),
    ("connection", "short", &["短连接"]),
    ("connection", "long", &["长连接", "keep-alive", "keepalive"]),
    ("platform", "vm", &["虚拟机"]),
    ("platform", "container", &["容器", "docker"]),
    ("platform", "bare_metal", &["物理机", "裸机", "整机", "bare metal"]),
    (
        "accelerator",
        "none",
        &[
            "无",
            "否",
            "no",
            "off",
            "软算",
            "软件",
            "软件加密",
            "OpenSSL软算",
            "software",
            "soft",
            "未启用KAE",
            "不启用KAE",
            "未使用KAE",
            "不使用KAE",
            "未开启KAE",
            "关闭KAE",
            "无KAE",
            "无vKAE",
            "without KAE",
            "no KAE",
            "KAE off",
        ],
    ),
    ("accelerator", "kae", &["有KAE", "启用KAE", "使用KAE", "开启KAE", "with KAE", "KAE on"]),
    ("accelerator", "vkae", &["有vKAE", "启用vKAE", "使用vKAE", "开启vKAE", "with vKAE", "vKAE on"]),
];

/// Answers to the question whether the accelerator is on.
const YES: [&str; 8] = ["是", "开", "开启", "启用", "yes", "on", "true", "1"];
const NO: [&str; 9] = ["否", "关", "关闭", "不启用", "未启用", "no", "off", "false", "0"];

/// Columns of the numbers of rows.
const ROW_NUMBERS: [&str; 7] = ["序号", "编号", "no", "#", "index", "indexlevel0", "unnamed0"];

/// Columns that are computed from others, or say nothing that is measured or varied.
const COMPUTED: [&str; 26] = [
    "提升",
    "提升比例",
    "提升率",
    "提升幅度",
    "性能提升",
    "增益",
    "比值",
    "加速比",
    "gain",
    "improvement",
    "speedup",
    "diff",
    "标准差",
    "方差",
    "变异系数",
    "std",
    "stdev",
    "stddev",
    "sd",
    "cv",
    "平均",
    "平均值",
    "average",
    "avg",
    "备注",
    "说明",
];

/// Levels that stand for several others: such a row sums up runs, and is none.
const SUMMARIES: [&str; 29] = [
    "平均",
    "平均值",
    "平均数",
    "均值",
    "合计",
    "总计",
    "几何平均",
    "最大",
    "最大值",
    "最小",
    "最小值",
    "提升",
    "加速比",
    "标准差",
    "average",
    "avg",
    "mean",
    "geomean",
    "total",
    "median",
    "min",
    "max",
    "gain",
    "improvement",
    "speedup",
    "std",
    "stdev",
    "stddev",
    "sd",
];

/// What people write where nothing was measured.
const MISSING: [&str; 9] = ["-", "--", "—", "–", "――", "/", "n/a", "na", "无数据"];

/// Words in the names of what is measured. A column that has one and is not known is no property of a run.
const MEASURED: [&str; 11] =
    ["时延", "延迟", "响应时间", "response time", "吞吐", "req/s", "requests/s", "每秒", "次/秒", "错误率", "失败率"];

/// The same, as whole words.
const MEASURED_WORDS: [&str; 11] =
    ["latency", "throughput", "rps", "qps", "tps", "p50", "p90", "p95", "p99", "p999", "verify"];

/// Units in headers, by the unit of the column, and what a value in them is worth.
const UNITS: &[(&str, f64, &[&str])] = &[
    (
        "/s",
        1.0,
        &[
            "req/s",
            "reqs/s",
            "requests/s",
            "request/s",
            "req/sec",
            "requests/sec",
            "r/s",
            "/s",
            "1/s",
            "rps",
            "qps",
            "tps",
            "cps",
            "次/秒",
            "次/s",
            "个/秒",
            "请求/秒",
            "请求/s",
            "sign/s",
            "signs/s",
        ],
    ),
    ("/s", 1e3, &["k", "k/s", "kreq/s", "krps", "kqps", "千次/秒"]),
    ("/s", 1e4, &["万", "万/秒", "万次/秒", "万次/s"]),
    ("/s", 1e6, &["m", "m/s", "mreq/s"]),
    ("ms", 1.0, &["ms", "毫秒"]),
    ("ms", 1e-3, &["us", "µs", "μs", "微秒"]),
    ("ms", 1e-6, &["ns", "纳秒"]),
    ("ms", 1e3, &["s", "秒", "sec"]),
    ("%", 1.0, &["%", "％"]),
];

/// What is left of a word when case, spaces and punctuation do not matter. A slash stays: requests are not requests/s.
fn folded(text: &str) -> String {
    text.chars()
        .filter(|c| {
            !matches!(
                c,
                ' ' | '\u{3000}' | '\u{a0}' | '_' | '-' | '(' | ')' | '（' | '）' | '.' | ':' | '：' | '[' | ']'
            )
        })
        .flat_map(char::to_lowercase)
        .collect()
}

/// The column that a header names; a header that is not known names a further factor, as it is written.
pub fn column(header: &str) -> String {
    quantity(header).map_or_else(|| header.trim().to_owned(), |(column, _)| column.to_owned())
}

/// A known column, and what its values are to be multiplied by.
pub type Worth = (&'static str, f64);

/// The known column that a header names, also with a unit in brackets, and what its values are to be multiplied by.
pub fn quantity(header: &str) -> Option<Worth> {
    let header = header.trim();
    if let Some(column) = known(header) {
        return Some((column, 1.0));
    }
    let (base, unit) = unit(header)?;
    // Some columns have their unit in every name that they have.
    let columns = [base.to_owned(), format!("{base}ms"), format!("{base}%")];
    columns.iter().filter_map(|name| known(name)).find_map(|column| Some((column, scale(column, unit)?)))
}

/// What values in a unit are to be multiplied by to be values of a column; `None` where they can't be.
pub fn scale(column: &str, unit: &str) -> Option<f64> {
    let column = schema::column(column)?;
    let own = match column.unit {
        "requests/s" | "signatures/s" => "/s",
        own => own,
    };
    let unit = unit.trim().to_lowercase();
    UNITS.iter().find(|(of, _, words)| *of == own && words.contains(&unit.as_str())).map(|(_, scale, _)| *scale)
}

/// The metric that a unit tells, and what a value in it is worth.
pub fn metric_of_unit(unit: &str) -> Option<Worth> {
    let named = known(unit).filter(|column| schema::role(column) == Role::Metric).map(|column| (column, 1.0));
    named.or_else(|| Some(("rps", scale("rps", unit)?)))
}

/// The name and the unit behind it: `RPS (req/s)`, `时延（us）`, `latency_us`.
pub fn unit(header: &str) -> Option<(&str, &str)> {
    let header = header.trim();
    if let Some(behind) = ["_us", "_ns", "_ms"].iter().find(|unit| header.ends_with(**unit)) {
        return Some((header.strip_suffix(behind)?, &behind[1..])).filter(|(base, _)| !base.is_empty());
    }
    let inside = header.strip_suffix([')', '）', ']'])?;
    let at = inside.rfind(['(', '（', '['])?;
    let (base, unit) = (inside[..at].trim(), inside[at..].trim_start_matches(['(', '（', '[']).trim());
    (!base.is_empty() && !unit.is_empty()).then_some((base, unit))
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
    let mut rest = header.strip_prefix("是否").unwrap_or(&header);
    // Other verbs may ask for the contrary.
    for verb in ["启用", "使能", "使用", "开启", "采用", "打开"] {
        rest = rest.strip_prefix(verb).unwrap_or(rest);
    }
    let rest = rest.trim_end_matches("enabled").trim_end_matches("on/off");
    ["kae", "vkae"].into_iter().find(|name| *name == rest)
}

/// Whether a header asks whether an accelerator is on.
pub fn asks(header: &str) -> bool {
    asks_for(header).is_some()
}

/// The value that a text stands for under a header of a column.
///
/// # Errors
/// An answer other than yes or no to the question whether KAE is on.
pub fn value<'a>(header: &str, column: &str, text: &'a str) -> Result<&'a str, InputError> {
    let text = text.trim();
    if let Some(name) = asks_for(header).filter(|_| column == "accelerator" && !text.is_empty()) {
        let answer = text.to_lowercase();
        let is = |words: &[&str]| words.contains(&answer.as_str());
        if is(&YES) {
            return Ok(name);
        }
        if is(&NO) {
            return Ok("none");
        }
        // It may as well be the name of an accelerator.
        let level = level(column, text);
        let named =
            matches!(schema::kind(column), Kind::Named(names) if names.contains(&level.to_lowercase().as_str()));
        return if named {
            Ok(level)
        } else {
            Err(InputError::new(
                format!("{text:?} does not answer the question"),
                "write yes or no, on or off, 是 or 否; if these are measured values, name the column accelerator=kae",
            ))
        };
    }
    Ok(level(column, text))
}

/// A factor and a level in the words of people, by the names that they have in runs. What is no answer to a question stays as it
/// stands.
pub fn condition(factor: &str, level: &str) -> (String, String) {
    let column = column(factor);
    let level = value(factor, &column, level).unwrap_or(level).to_owned();
    (column, level)
}

/// The level of a column that a text stands for; one that is not known stands for itself.
pub fn level<'a>(column: &str, text: &'a str) -> &'a str {
    let text = text.trim();
    let is = |word: &&str| *word == text || (word.len() == text.len() && word.to_lowercase() == text.to_lowercase());
    let found = VALUES.iter().filter(|(of, _, _)| *of == column).find(|(_, _, words)| words.iter().any(is));
    found.map_or(text, |(_, level, _)| level)
}

/// Whether a header names a column that says nothing of a run by itself.
pub fn is_computed(header: &str) -> bool {
    let plain = folded(unit(header).map_or(header, |(base, _)| base));
    is_row_number(header) || COMPUTED.contains(&plain.trim_end_matches(['%', '％']))
}

/// Whether a header names a column that numbers rows.
pub fn is_row_number(header: &str) -> bool {
    ROW_NUMBERS.contains(&folded(header).as_str())
}

/// Whether a header that is not known speaks of something measured.
pub fn is_measured(header: &str) -> bool {
    let lower = header.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_ascii_alphanumeric());
    let is_unit = |unit: &str| UNITS.iter().any(|(of, _, words)| *of != "%" && words.contains(&unit));
    MEASURED.iter().any(|word| lower.contains(word))
        || words.any(|word| MEASURED_WORDS.contains(&word))
        || unit(&lower).is_some_and(|(_, unit)| is_unit(unit))
}

/// Whether a title speaks of times, which are no rates.
pub fn speaks_of_time(title: &str) -> bool {
    let title = title.to_lowercase();
    ["latency", "时延", "延迟", "响应时间", "response time"].iter().any(|word| title.contains(word))
}

/// Whether a value is that of a row which sums up others.
pub fn is_summary(text: &str) -> bool {
    SUMMARIES.contains(&folded(text).as_str())
}

/// Whether a text says that there is no value.
pub fn is_missing(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || MISSING.contains(&text.to_lowercase().as_str())
}

/// The level that a header of a wide table stands for without naming the factor (`4 workers`, `async`, `短连接`, `第2次`), and the
/// metric, with what its values are worth, if a unit tells it (`KAE (RPS)`).
pub fn setting(header: &str, column_of: &dyn Fn(&str) -> String) -> Option<(String, String, Option<Worth>)> {
    let header = header.trim();
    if let Some((column, level)) = plain_setting(header, column_of) {
        return Some((column, level, None));
    }
    let (base, unit) = unit(header)?;
    let metric = metric_of_unit(unit)?;
    let (column, level) = plain_setting(base, column_of)?;
    Some((column, level, Some(metric)))
}

fn plain_setting(header: &str, column_of: &dyn Fn(&str) -> String) -> Option<(String, String)> {
    let digits = header.len() - header.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if let Some((number, unit)) = header.split_at_checked(digits).filter(|(number, _)| !number.is_empty()) {
        let unit = unit.trim().trim_start_matches('个').trim_start();
        let one = |word: &str| matches!(schema::kind(word), Kind::Whole { .. }) && schema::role(word) == Role::Factor;
        // "4 workers", "1 worker", "2 个工作进程".
        return [column_of(unit), column_of(&format!("{unit}s")), column_of(&format!("{unit}数"))]
            .into_iter()
            .find(|column| one(column))
            .map(|column| (column, number.to_owned()));
    }
    let numbered = header.strip_prefix('第').and_then(|rest| rest.strip_suffix(['次', '轮']));
    if let Some(number) = numbered.filter(|number| number.parse::<u32>().is_ok()) {
        return Some(("replicate".to_owned(), number.to_owned()));
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
        let mut values: Vec<(&str, String)> = Vec::new();
        for (column, level, synonyms) in VALUES {
            assert!(schema::kind(column).parse(level).is_ok(), "{column}={level}");
            values.extend(synonyms.iter().map(|word| (*column, word.to_lowercase())));
        }
        for (index, value) in values.iter().enumerate() {
            assert!(!values[..index].contains(value), "{value:?} is two levels");
        }
        for word in COMPUTED.into_iter().chain(ROW_NUMBERS) {
            assert!(known(word).is_none() && folded(word) == word, "{word}");
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
            ("是否禁用KAE", "是否禁用KAE"),
            ("KAE version", "KAE version"),
            ("RPS(req/s)", "rps"),
            ("QPS（万次/秒）", "rps"),
            ("平均时延（us）", "latency_mean_ms"),
            ("latency p99 (s)", "latency_p99_ms"),
            ("latency p99 (h)", "latency p99 (h)"),
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
        assert_eq!(value("KAE", "KAE"), Ok("KAE"));
        assert_eq!(value("KAE", "0"), Ok("none"));
        assert_eq!(value("accelerator", "on"), Ok("on"));
        assert_eq!(value("accelerator", " 软算 "), Ok("none"));
        assert!(value("KAE", "maybe").is_err());
    }

    #[test]
    fn units_are_worth_what_they_say() {
        for (header, expected) in [
            ("rps", Some(("rps", 1.0))),
            ("RPS (k)", Some(("rps", 1e3))),
            ("QPS（万次/秒）", Some(("rps", 1e4))),
            ("平均时延(us)", Some(("latency_mean_ms", 1e-3))),
            ("平均时延 (s)", Some(("latency_mean_ms", 1e3))),
            ("CPU利用率(%)", Some(("cpu_util", 1.0))),
            ("CPU利用率(ms)", None),
            ("平均时延", None),
            ("latency_mean_us", Some(("latency_mean_ms", 1e-3))),
        ] {
            assert_eq!(quantity(header), expected, "{header}");
        }
    }

    #[test]
    fn what_is_measured_is_seen_by_whole_words() {
        for header in ["latency_p95_ms", "target_rps", "尾延迟", "P95", "Software (CPS)", "耗时 (us)", "x_us"] {
            assert!(is_measured(header), "{header}");
        }
        for header in ["https_port", "https", "corpse", "node", "share (%)", "revision", "stops"] {
            assert!(!is_measured(header), "{header}");
        }
    }

    #[test]
    fn settings_in_headers() {
        let setting = |header| {
            setting(header, &column)
                .map(|(column, level, metric)| format!("{column}={level}{}", metric.map_or("", |(metric, _)| metric)))
        };
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
            ("KAE（RPS）", "accelerator=kaerps"),
            ("软算", "accelerator=none"),
            ("第2次", "replicate=2"),
        ] {
            assert_eq!(setting(header).as_deref(), Some(expected), "{header}");
        }
        for header in ["4", "4 apples", "2024-01-01", "workers", "rps", "4 rps", ""] {
            assert_eq!(setting(header), None, "{header}");
        }
    }
}

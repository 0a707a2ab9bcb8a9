//! What headers and values mean when they are not written in the canonical words: Chinese ones, and another case.

use crate::model::schema;

/// Headers in the words of the documents.
const HEADERS: &[(&str, &str)] = &[
    ("研究", "study"),
    ("处理器型号", "cpu"),
    ("处理器", "cpu"),
    ("平台", "platform"),
    ("虚拟机规格", "vm_size"),
    ("服务端线程数", "workers"),
    ("工作进程数", "workers"),
    ("Nginx同步/异步", "tls_mode"),
    ("同步/异步", "tls_mode"),
    ("加速器", "accelerator"),
    ("是否启用vKAE", "accelerator"),
    ("是否使能vKAE", "accelerator"),
    ("是否启用KAE", "accelerator"),
    ("是否使能KAE", "accelerator"),
    ("软算比例", "soft_ratio"),
    ("连接类型", "connection"),
    ("测试工具", "tool"),
    ("连接数", "connections"),
    ("客户端线程数", "threads"),
    ("请求数", "requests"),
];

/// Values in the words of the documents, by column.
const VALUES: &[(&str, &str, &str)] = &[
    ("tls_mode", "同步", "sync"),
    ("tls_mode", "异步", "async"),
    ("connection", "短连接", "short"),
    ("connection", "长连接", "long"),
    ("platform", "虚拟机", "vm"),
    ("platform", "容器", "container"),
    ("platform", "物理机", "bare_metal"),
];

/// The column that a header names; a header that is not known names a further factor.
pub fn column(header: &str) -> String {
    let known = HEADERS.iter().find(|(word, _)| *word == header).map(|(_, column)| *column);
    let lower = header.to_ascii_lowercase();
    known
        .or_else(|| schema::column(&lower).map(|column| column.name))
        .map_or_else(|| header.to_owned(), ToOwned::to_owned)
}

/// The value that a text stands for under a header. "是否启用vKAE" is answered by yes or no and names the accelerator itself.
pub fn value<'a>(header: &str, column: &str, text: &'a str) -> &'a str {
    if header.starts_with("是否") && column == "accelerator" {
        return match text {
            "是" if header.ends_with("vKAE") => "vkae",
            "是" => "kae",
            "否" => "none",
            other => other,
        };
    }
    VALUES.iter().find(|(of, word, _)| *of == column && *word == text).map_or(text, |(_, _, level)| level)
}

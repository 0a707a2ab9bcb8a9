//! What headers and values mean when they are not written in the canonical words: Chinese ones, and another case.

use crate::error::InputError;
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
    ("模式", "tls_mode"),
    ("加速器", "accelerator"),
    ("软算比例", "soft_ratio"),
    ("连接类型", "connection"),
    ("连接", "connection"),
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
    ("platform", "整机", "bare_metal"),
    ("accelerator", "无", "none"),
];

/// The column that a header names; a header that is not known names a further factor.
pub fn column(header: &str) -> String {
    if asks_for_kae(header) {
        return "accelerator".to_owned();
    }
    let known = HEADERS.iter().find(|(word, _)| *word == header).map(|(_, column)| *column);
    known.unwrap_or_else(|| schema::canonical_name(header)).to_owned()
}

/// "是否启用vKAE", with any verb: answered by yes or no, it names the accelerator itself.
fn asks_for_kae(header: &str) -> bool {
    header.starts_with("是否") && header.ends_with("KAE")
}

/// The value that a text stands for under a header.
///
/// # Errors
/// An answer other than yes or no to the question whether KAE is on.
pub fn value<'a>(header: &str, column: &str, text: &'a str) -> Result<&'a str, InputError> {
    if asks_for_kae(header) {
        return match text {
            "是" if header.ends_with("vKAE") => Ok("vkae"),
            "是" => Ok("kae"),
            "否" => Ok("none"),
            "" => Ok(""),
            other => Err(InputError::new(format!("{other:?} does not answer the question"), "write 是 or 否")),
        };
    }
    Ok(VALUES.iter().find(|(of, word, _)| *of == column && *word == text).map_or(text, |(_, _, level)| level))
}

//! Bytes to text: UTF-8, with or without a byte order mark. Other encodings are named, not guessed.

use std::borrow::Cow;

use crate::error::InputError;

/// Beginnings of files that are no text, and what to do with them.
const BINARY: [(&[u8], &str, &str); 5] = [
    (b"PAR1", "a Parquet file", "give it a name that ends in .parquet"),
    (
        b"PK\x03\x04",
        "a ZIP file or a spreadsheet",
        "give a spreadsheet a name that ends in .xlsx or .ods, or unpack it",
    ),
    (b"\x1f\x8b", "a file packed by gzip", "unpack it, or turn it into runs: kaeanalysis import FILE -o runs.csv"),
    (
        b"\x28\xb5\x2f\xfd",
        "a file packed by zstd",
        "unpack it, or turn it into runs: kaeanalysis import FILE -o runs.csv",
    ),
    (b"ARROW1", "an Arrow file", "write it as Parquet or CSV"),
];

/// The text of a page, which may name another encoding than UTF-8.
///
/// # Errors
/// As [`decode`], and bytes that are not in the encoding that the page names.
pub fn html(bytes: &[u8]) -> Result<Cow<'_, str>, InputError> {
    let refused = match decode(bytes) {
        Ok(text) => return Ok(Cow::Borrowed(text)),
        Err(refused) => refused,
    };
    let beginning = String::from_utf8_lossy(&bytes[..bytes.len().min(2048)]).to_lowercase();
    let label = beginning.split_once("charset=").map(|(_, rest)| rest.trim_start_matches(['"', '\'']));
    let label = label.and_then(|rest| rest.split(['"', '\'', ' ', '>', ';', '/']).next());
    let encoding = label.and_then(|label| encoding_rs::Encoding::for_label(label.as_bytes()));
    encoding
        .and_then(|encoding| encoding.decode_without_bom_handling_and_without_replacement(bytes))
        .filter(|text| !text.contains('\0'))
        .ok_or(refused)
}

/// The text of a file.
///
/// # Errors
/// Bytes that are not UTF-8, with the encoding they look like and the command that converts them.
pub fn decode(bytes: &[u8]) -> Result<&str, InputError> {
    if let Some((_, what, remedy)) = BINARY.iter().find(|(magic, _, _)| bytes.starts_with(magic)) {
        return Err(InputError::new(format!("this is {what}"), *remedy));
    }
    if let Some((encoding, _)) =
        encoding_rs::Encoding::for_bom(bytes).filter(|(encoding, _)| *encoding != encoding_rs::UTF_8)
    {
        return Err(not_utf8("the file is", encoding.name()).on_line(1));
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() as u64;
        // Chinese Windows programs save CSV as GBK. Latin-1 text may pass as GBK too, so Chinese characters must come out.
        let gbk = encoding_rs::GBK
            .decode_without_bom_handling_and_without_replacement(bytes)
            .is_some_and(|text| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)));
        if gbk {
            not_utf8("the text looks like", "GBK")
        } else {
            not_utf8("the text is not UTF-8, perhaps it is", "ISO-8859-1")
        }
        .on_line(line)
    })?;
    match text.find('\0') {
        Some(at) => {
            let line = 1 + text[..at].matches('\n').count() as u64;
            Err(InputError::new("the file holds NUL bytes", "give a CSV table as text").on_line(line))
        }
        None => Ok(text),
    }
}

fn not_utf8(looks: &str, encoding: &str) -> InputError {
    InputError::new(
        format!("{looks} {encoding}"),
        format!("save it as UTF-8, for example with: iconv -f {encoding} -t UTF-8 OLD.csv > NEW.csv"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gbk_is_named() {
        let (bytes, _, _) = encoding_rs::GBK.encode("rps\n587\n处理器型号,鲲鹏\n");
        let error = decode(&bytes).expect_err("GBK is not UTF-8");
        assert_eq!(
            error.to_string(),
            "line 3: the text looks like GBK; save it as UTF-8, for example with: iconv -f GBK -t UTF-8 OLD.csv > NEW.csv"
        );
    }

    #[test]
    fn pages_name_their_encoding() {
        let (bytes, _, _) = encoding_rs::GBK.encode("<meta charset=\"gbk\"><td>加速器");
        assert!(html(&bytes).expect("GBK").ends_with("加速器"));
        assert!(html(&bytes[20..]).is_err());
    }

    #[test]
    fn binary_files_are_named() {
        let error = decode(b"PAR1\x15\x04").expect_err("no text");
        assert_eq!(error.to_string(), "this is a Parquet file; give it a name that ends in .parquet");
    }

    #[test]
    fn utf16_is_named() {
        let error = decode(b"\xFF\xFEr\0p\0s\0").expect_err("UTF-16 is not UTF-8");
        assert!(error.to_string().starts_with("line 1: the file is UTF-16LE;"), "{error}");
    }

    #[test]
    fn a_byte_order_mark_is_dropped() {
        assert_eq!(decode("\u{feff}rps\n".as_bytes()), Ok("rps\n"));
    }
}

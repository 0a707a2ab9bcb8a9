//! Bytes to text: UTF-8, with or without a byte order mark. Other encodings are named, not guessed.

use crate::error::InputError;

/// The text of a file.
///
/// # Errors
/// Bytes that are not UTF-8, with the encoding they look like and the command that converts them.
pub fn decode(bytes: &[u8]) -> Result<&str, InputError> {
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
    fn utf16_is_named() {
        let error = decode(b"\xFF\xFEr\0p\0s\0").expect_err("UTF-16 is not UTF-8");
        assert!(error.to_string().starts_with("line 1: the file is UTF-16LE;"), "{error}");
    }

    #[test]
    fn a_byte_order_mark_is_dropped() {
        assert_eq!(decode("\u{feff}rps\n".as_bytes()), Ok("rps\n"));
    }
}

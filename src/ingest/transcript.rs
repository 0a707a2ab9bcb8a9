//! Raw terminal output to the text that a terminal would leave standing: no colours, no progress that was written over, one kind
//! of line end. Lines keep their numbers.

use super::text;
use crate::error::InputError;

/// The text of a captured output: UTF-8, or UTF-16 with a byte order mark as PowerShell writes it.
///
/// # Errors
/// Another encoding, by name.
pub fn read(bytes: &[u8]) -> Result<String, InputError> {
    let decoded = match encoding_rs::Encoding::for_bom(bytes) {
        Some((encoding, _)) if encoding != encoding_rs::UTF_8 => {
            let (text, _, broken) = encoding.decode(bytes);
            if broken {
                return Err(InputError::new(
                    format!("the file is no whole {}", encoding.name()),
                    "copy it again, or save it as UTF-8",
                ));
            }
            text.into_owned()
        }
        _ => text::decode(bytes)?.to_owned(),
    };
    let plain = anstream::adapter::strip_str(&decoded).to_string();
    // Old systems end lines by a carriage return alone.
    let plain = if plain.contains('\n') { plain.replace("\r\n", "\n") } else { plain.replace('\r', "\n") };
    Ok(plain.split('\n').map(left_standing).collect::<Vec<_>>().join("\n"))
}

/// What is left of a line that was written over: the last thing written to it.
fn left_standing(line: &str) -> &str {
    line.trim_end_matches('\r').rsplit('\r').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(text: &str) -> String {
        read(text.as_bytes()).expect("UTF-8")
    }

    #[test]
    fn what_a_terminal_leaves_standing() {
        assert_eq!(of("10 %\r50 %\r100 %\nRequests/sec: 5\r\n"), "100 %\nRequests/sec: 5\n");
        assert_eq!(of("\u{1b}[1;32mRequests/sec\u{1b}[0m: 5\n"), "Requests/sec: 5\n");
        assert_eq!(of("one\rtwo\r"), "one\ntwo\n");
        assert_eq!(of("\u{feff}rate\n"), "rate\n");
    }

    #[test]
    fn utf_16_of_powershell() {
        let bytes: Vec<u8> = "\u{feff}TOTALS: 5\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read(&bytes), Ok("TOTALS: 5\n".to_owned()));
        let error = read(&bytes[..bytes.len() - 1]).expect_err("half a character");
        assert!(error.to_string().starts_with("the file is no whole UTF-16LE"), "{error}");
    }

    proptest! {
        #[test]
        fn lines_keep_their_numbers(lines in prop::collection::vec("[a-z ]{0,8}", 2..6)) {
            let windows = lines.join("\r\n");
            prop_assert_eq!(of(&windows), lines.join("\n"));
        }
    }
}

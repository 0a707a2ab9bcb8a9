//! A stream of text in parts of whole lines, so that files of any size are read in bounded memory.

use std::io::{self, BufRead, Read};

use sha2::{Digest, Sha256};

use super::hexadecimal;
use super::table::line_ends;

/// Large enough that the work on a part outweighs what it costs to begin one.
const PART: u64 = 4 << 20;

/// The parts of a stream.
pub(super) struct Lines<R> {
    reader: R,
    /// About how many bytes a part has.
    part: u64,
    line: u64,
    hash: Sha256,
}

/// Some whole lines.
pub(super) struct Part {
    pub bytes: Vec<u8>,
    /// The number of the first line, counted from 1.
    pub first: u64,
}

impl<R: BufRead> Lines<R> {
    pub fn of(reader: R) -> Self {
        Self::in_parts(reader, PART)
    }

    /// In parts of so many bytes, and what is left of the line in which they end.
    pub fn in_parts(reader: R, part: u64) -> Self {
        Self { reader, part, line: 1, hash: Sha256::new() }
    }

    /// The next part; none at the end.
    pub fn next(&mut self) -> io::Result<Option<Part>> {
        let mut bytes = Vec::new();
        self.reader.by_ref().take(self.part).read_to_end(&mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        self.reader.read_until(b'\n', &mut bytes)?;
        // No value spans lines, but the reader of values must see the next line too, to say so.
        let last = bytes[..bytes.len() - 1].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        if bytes[last..].iter().filter(|byte| **byte == b'"').count() % 2 == 1 {
            self.reader.read_until(b'\n', &mut bytes)?;
        }
        self.hash.update(&bytes);
        let first = self.line;
        self.line += line_ends(&bytes) as u64;
        Ok(Some(Part { bytes, first }))
    }

    /// The hash of all that was read, in hexadecimal.
    pub fn sha256(self) -> String {
        hexadecimal(self.hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_end_with_their_lines() {
        let line = "0123456789abcde\r\n";
        let text = line.repeat(45);
        let mut lines = Lines::in_parts(text.as_bytes(), 200);
        let mut whole = Vec::new();
        while let Some(part) = lines.next().expect("a slice") {
            assert_eq!(part.first as usize, 1 + whole.len() / line.len());
            assert!(part.bytes.ends_with(b"\r\n"));
            whole.extend(part.bytes);
        }
        assert!(whole == text.as_bytes());
        assert_eq!(lines.sha256(), super::super::sha256(&mut text.as_bytes()).expect("a slice"));
    }

    #[test]
    fn a_quote_that_is_open_at_the_end_takes_the_next_line_along() {
        let text = "x".repeat(97) + ",\"a\nb\"\nc\n";
        let mut lines = Lines::in_parts(text.as_bytes(), 100);
        assert!(lines.next().expect("a slice").expect("a part").bytes.ends_with(b"\"a\nb\"\n"));
        assert_eq!(lines.next().expect("a slice").expect("a part").bytes, b"c\n");
    }
}

//! Standard output and error.

use std::io::{self, ErrorKind, Write};
use std::path::Path;

use indicatif::{ProgressBar, ProgressDrawTarget};

use super::args::{Format, Output};
use crate::error::{Error, Result};
use crate::language::Lang;
use crate::report::answer::Answer;
use crate::report::table::Table;

/// Writes to standard output. A reader that has seen enough (`| head`) is no error.
pub fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Error::unwritable(Path::new("standard output"), &error))
        }
        _ => Ok(()),
    }
}

/// Writes an answer in the form that was asked for.
pub fn show(answer: &dyn Answer, Output { format, lang }: Output) -> Result<()> {
    match format {
        Format::Json => print(&answer.to_json()?),
        format => print_table(&answer.table(lang), format, lang),
    }
}

/// Writes a table in a form other than JSON.
pub fn print_table(table: &Table, format: Format, lang: Lang) -> Result<()> {
    match format {
        Format::Csv => print(&table.to_csv()?),
        Format::Md => print(&table.to_markdown(lang)),
        Format::Table | Format::Json => print(&table.to_terminal(lang)),
    }
}

/// Writes a line to standard error; if that fails there is nobody left to tell.
pub fn complain(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// How far long work has come: a bar on standard error if that is a terminal, gone when the work is done.
pub struct Progress(ProgressBar);

impl Progress {
    pub fn new() -> Self {
        Self(ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()))
    }

    pub fn show(&self, done: usize, all: usize) {
        self.0.set_length(all as u64);
        self.0.set_position(done as u64);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

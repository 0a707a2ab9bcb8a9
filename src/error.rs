//! The one error type. Its text says what is wrong, where, and what would be right, and is the same in Rust, on the
//! command line and in Python.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The result of everything that can fail here.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why something could not be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Data or a request that does not make sense.
    #[error(transparent)]
    Input(InputError),
    /// A file that could not be read or written.
    #[error("{}: {reason}; {remedy}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the operating system says, or why the program declines.
        reason: String,
        /// What to do.
        remedy: String,
    },
}

/// Bad input: the problem (with the offending value in it), the place, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputError {
    /// Where it is.
    pub place: Box<Place>,
    /// What is wrong, with the value.
    pub problem: Box<str>,
    /// What would be right.
    pub remedy: Box<str>,
}

/// A place in an input, as far as it is known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// File name, `-` for standard input, or a dataset; absent for arguments.
    pub source: Option<String>,
    /// Line in the file, counted from 1.
    pub line: Option<u64>,
    /// Row of a frame, counted from 1.
    pub row: Option<usize>,
    /// Column by name.
    pub column: Option<String>,
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { source, line, row, column } = &*self.place;
        let place: Vec<String> = [
            source.clone(),
            line.map(|line| format!("line {line}")),
            row.map(|row| format!("row {row}")),
            column.as_ref().map(|column| format!("column {column:?}")),
        ]
        .into_iter()
        .flatten()
        .collect();
        if !place.is_empty() {
            write!(f, "{}: ", place.join(", "))?;
        }
        write!(f, "{}; {}", self.problem, self.remedy)
    }
}

impl std::error::Error for InputError {}

impl InputError {
    /// An error with no place yet.
    pub fn new(problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { place: Box::default(), problem: problem.into().into(), remedy: remedy.into().into() }
    }

    /// Names the file or dataset, unless one is named already.
    #[must_use]
    pub fn in_source(mut self, source: &str) -> Self {
        self.place.source.get_or_insert_with(|| source.to_owned());
        self
    }

    /// Names the line, counted from 1.
    #[must_use]
    pub fn on_line(mut self, line: u64) -> Self {
        self.place.line = Some(line);
        self
    }

    /// Names the row of a frame, counted from 1.
    #[must_use]
    pub fn in_row(mut self, row: usize) -> Self {
        self.place.row = Some(row);
        self
    }

    /// Names the column.
    #[must_use]
    pub fn in_column(mut self, column: &str) -> Self {
        self.place.column = Some(column.to_owned());
        self
    }
}

impl From<InputError> for Error {
    fn from(error: InputError) -> Self {
        Self::Input(error)
    }
}

impl Error {
    /// Bad input without a place: an argument, or a request that the data cannot answer.
    pub(crate) fn input(problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        InputError::new(problem, remedy).into()
    }

    /// Names the input, unless one is named already.
    #[must_use]
    pub(crate) fn in_source(self, source: &str) -> Self {
        match self {
            Self::Input(error) => Self::Input(error.in_source(source)),
            file => file,
        }
    }

    /// A file that could not be read.
    pub(crate) fn unreadable(path: &Path, error: &io::Error) -> Self {
        let remedy = match error.kind() {
            io::ErrorKind::NotFound => "check the path; the built-in studies are named documented:NAME",
            io::ErrorKind::PermissionDenied => "make it readable for this user",
            io::ErrorKind::IsADirectory => "name a file",
            _ => "check the file and the disk",
        };
        Self::File { path: path.to_owned(), reason: error.to_string(), remedy: remedy.to_owned() }
    }

    /// A file or folder that could not be written.
    pub(crate) fn unwritable(path: &Path, error: &io::Error) -> Self {
        Self::File {
            path: path.to_owned(),
            // The kind alone: the text may name a temporary file.
            reason: error.kind().to_string(),
            remedy: "name a folder that exists and is writable".to_owned(),
        }
    }

    /// A file that exists and that nobody asked to replace.
    pub(crate) fn exists(path: &Path) -> Self {
        Self::File {
            path: path.to_owned(),
            reason: "exists already".to_owned(),
            remedy: "name another, or pass --force (Python: force=True) to replace it".to_owned(),
        }
    }
}

/// What could have been meant by a name that is not among `known`.
pub(crate) fn instead<T: fmt::Display>(wanted: &str, known: impl IntoIterator<Item = T>) -> String {
    let known: Vec<String> = known.into_iter().map(|name| name.to_string()).collect();
    let likeness = |name: &String| strsim::normalized_damerau_levenshtein(&wanted.to_lowercase(), &name.to_lowercase());
    let nearest = known.iter().map(|name| (likeness(name), name)).max_by(|a, b| a.0.total_cmp(&b.0));
    match nearest.filter(|(likeness, _)| *likeness >= 0.6) {
        Some((_, nearest)) => format!("did you mean {nearest}? There are {}", known.join(", ")),
        None => format!("use {}", one_of(known)),
    }
}

/// `a`, `a or b`, `a, b or c`: how alternatives are written in messages.
pub(crate) fn one_of<T: fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    let mut items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match items.pop() {
        None => "nothing".to_owned(),
        Some(last) if items.is_empty() => last,
        Some(last) => format!("{} or {last}", items.join(", ")),
    }
}

//! Results as people and machines read them: tables, Markdown, HTML, JSON and CSV. Nothing is computed here.

pub mod answer;
mod document;
pub mod json;
mod junit;
pub mod table;
pub mod tables;
mod template;
mod write;

pub use document::{Options, Report};

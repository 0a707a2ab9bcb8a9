//! Is the crypto accelerator worth it, and how sure are we?
//!
//! kaeanalysis takes measurements of HTTPS throughput with the Kunpeng Accelerator Engine (KAE) off and on, sync and
//! async, with 1 to N workers, to ratios with confidence intervals, figures and a report. Data moves one way; a
//! module uses only what stands to the left of it:
//!
//! ```text
//! ingest ─▶ Runs ─▶ analysis ─▶ wording ─▶ figure ─▶ report
//!            ▲          ▲                                ▲
//!          model      stats                         cli, python
//! ```
//!
//! | module | owns |
//! |---|---|
//! | [`language`] | every sentence and label a person reads, in English and Chinese |
//! | [`model`] | runs, factors, metrics, documented studies and their claims |
//! | [`ingest`] | text in, validated [`model::Runs`] out |
//! | [`stats`] | pure functions on slices of numbers |
//! | [`analysis`] | one file per question asked of runs; typed results that carry their warnings |
//! | [`wording`] | labels, titles and sentences made of results |
//! | [`figure`] | one file per kind of figure; SVG, and PNG rendered from that SVG |
//! | [`report`] | the one table model, and the documents made of results |
//! | `cli`, `python` | the two surfaces, each behind its feature |
//!
//! # Example
//!
//! ```
//! use kaeanalysis::analysis::comparison::{self, Comparing};
//! use kaeanalysis::ingest;
//!
//! let runs = ingest::documented("vkae_vm")?;
//! let speedup = comparison::compare(&runs, &Comparing::speedup())?;
//! let four_workers_async = &speedup.strata[3];
//! assert_eq!(format!("{:.4}", four_workers_async.ratio.estimate), "3.2931");
//! assert!(four_workers_async.ratio.low.is_none(), "a single run has no interval");
//! # Ok::<(), kaeanalysis::Error>(())
//! ```

pub mod analysis;
#[cfg(feature = "cli")]
pub mod cli;
mod error;
pub mod figure;
mod files;
pub mod ingest;
pub mod language;
pub mod model;
mod named;
#[cfg(feature = "python")]
mod python;
pub mod report;
pub mod stats;
pub mod wording;

pub use error::{Error, InputError, Place, Result};

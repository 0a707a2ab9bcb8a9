//! Questions asked of runs, one file each. Answers are plain typed structs that carry their warnings.

pub mod comparison;
pub mod conclusion;
mod control;
pub mod equivalence;
mod estimate;
mod matching;
mod outcome;
mod pooling;
mod scope;
mod strata;
pub mod study;
pub mod summary;
mod units;

pub use control::Control;
pub use estimate::{Basis, Estimate, Method, Precision, gain_percent};
pub use scope::Scope;

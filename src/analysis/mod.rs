//! Questions asked of runs, one file each. Answers are plain typed structs that carry their warnings.

pub mod check;
pub mod claims;
pub mod comparison;
pub mod conclusion;
mod control;
pub mod effects;
pub mod equivalence;
mod estimate;
pub mod interaction;
mod matched;
mod matching;
mod outcome;
pub mod planning;
mod pooling;
pub mod quality;
mod scope;
mod strata;
pub mod study;
pub mod summary;
mod units;

pub use control::Control;
pub use estimate::{Basis, Estimate, Method, Precision, gain_percent};
pub use scope::Scope;

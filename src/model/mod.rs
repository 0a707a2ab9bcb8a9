//! What is measured: runs, the columns they have, the documented studies and what these claim.

pub mod cells;
pub mod claim;
pub(crate) mod column;
pub mod datasets;
mod factor;
mod level;
pub(crate) mod reduction;
mod run;
pub(crate) mod runs;
pub mod schema;
mod settings;
pub mod vocabulary;
mod warning;

pub use factor::Factor;
pub use level::Level;
pub use run::Run;
pub use runs::{Runs, Source};
pub use settings::Settings;
pub use warning::Warning;

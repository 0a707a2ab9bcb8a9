//! Pure functions on slices of numbers. They know neither runs nor workers; each names the source of its method.

pub mod contrast;
pub mod student_t;

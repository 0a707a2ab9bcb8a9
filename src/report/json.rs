//! Results for machines: JSON with a name and a version of its shape.

use serde::Serialize;

use crate::error::{Error, Result};

/// The version of every JSON shape here. It rises when a field changes its meaning or goes.
pub const VERSION: u32 = 1;

#[derive(Serialize)]
struct Versioned<'a, T: ?Sized> {
    schema: &'a str,
    version: u32,
    #[serde(flatten)]
    result: &'a T,
}

/// The name of a shape: `kaeanalysis.NAME`.
pub(super) fn schema(name: &str) -> String {
    format!("kaeanalysis.{name}")
}

/// `{"schema": "kaeanalysis.NAME", "version": 1, …}`, indented.
///
/// # Errors
/// Never for the results of this crate.
pub fn to_json<T: Serialize + ?Sized>(name: &str, result: &T) -> Result<String> {
    let versioned = Versioned { schema: &schema(name), version: VERSION, result };
    let json =
        serde_json::to_string_pretty(&versioned).map_err(|error| Error::input(error.to_string(), "report this"))?;
    Ok(json + "\n")
}

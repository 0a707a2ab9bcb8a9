//! One column of a frame, brought to its canonical type with every value checked.

use polars::prelude::*;

use super::{Level, schema, vocabulary};
use crate::error::InputError;
use schema::Kind;

/// Brings a column to its canonical type and checks every value. A column that is right already is not copied.
pub(crate) fn checked(name: &str, series: Series) -> Result<Series, InputError> {
    let dtype = series.dtype().clone();
    let checked = match &dtype {
        DataType::String | DataType::Categorical(..) | DataType::Enum(..) => text(name, &series),
        DataType::Boolean if schema::kind(name) == Kind::Label => return Ok(series.with_name(name.into())),
        dtype if dtype.is_integer() || dtype.is_float() => numbers(name, &series),
        _ => return Err(unsupported(name, &dtype)),
    };
    checked.map(|series| series.with_name(name.into()))
}

fn unsupported(name: &str, dtype: &DataType) -> InputError {
    InputError::new(format!("the type {dtype} holds no levels"), "give numbers, text, booleans or categories")
        .in_column(name)
}

fn cast(name: &str, series: &Series, to: &DataType) -> Result<Series, InputError> {
    series.strict_cast(to).map_err(|_| unsupported(name, series.dtype()))
}

/// Text is read as it is from a file: spaces around it, spelling and emptiness mean the same.
fn text(name: &str, series: &Series) -> Result<Series, InputError> {
    let kind = schema::kind(name);
    let series = cast(name, series, &DataType::String)?;
    let strings = series.str().map_err(|_| unsupported(name, series.dtype()))?;
    let mut as_is = true;
    let mut levels = Vec::with_capacity(series.len());
    for (row, text) in strings.iter().enumerate() {
        let meant = text.map_or("", |text| vocabulary::level(name, text));
        let level = kind.parse(meant).map_err(|error| error.in_row(row + 1).in_column(name))?;
        as_is &= match (&level, text) {
            (Level::Unknown, None) => true,
            (Level::Text(level), Some(text)) => level == text,
            // A whole number in a column of text stays text, unless all are.
            (Level::Integer(_), Some(_)) => kind == Kind::Label,
            _ => false,
        };
        levels.push(level);
    }
    let labels = kind == Kind::Label && levels.iter().any(|level| matches!(level, Level::Text(_)));
    Ok(if as_is && (labels || kind != Kind::Label) { series } else { encode(name, &levels) })
}

fn numbers(name: &str, series: &Series) -> Result<Series, InputError> {
    let kind = schema::kind(name);
    match kind {
        Kind::Label if series.dtype().is_integer() => return cast(name, series, &DataType::Int64),
        Kind::Text | Kind::Named(_) if series.dtype().is_integer() => return cast(name, series, &DataType::String),
        Kind::Choice(_) | Kind::VmSize | Kind::Text | Kind::Named(_) => {
            let first = series.drop_nulls().get(0).map_or_else(|_| String::new(), |value| value.to_string());
            return Err(kind.refuse(&first).in_column(name));
        }
        Kind::Label | Kind::Whole { .. } | Kind::Positive | Kind::Percent => {}
    }
    let numbers = cast(name, series, &DataType::Float64)?;
    let values = numbers.f64().map_err(|_| unsupported(name, series.dtype()))?;
    let (mut holes, mut whole) = (false, true);
    for (row, value) in values.iter().enumerate() {
        // pandas writes an absent number as NaN, and whole numbers beside one as floating point.
        let Some(value) = value.filter(|value| !value.is_nan()) else {
            holes = true;
            continue;
        };
        let right = match kind {
            Kind::Label if value.is_finite() => Ok(()),
            Kind::Label => Err(InputError::new(format!("{value} is not a level"), "give finite numbers")),
            _ => kind.check_number(value),
        };
        right.map_err(|error| error.in_row(row + 1).in_column(name))?;
        whole &= value.fract() == 0.0 && value.abs() < 9e15;
    }
    let numbers = if holes {
        values.iter().map(|value| value.filter(|value| !value.is_nan())).collect::<Float64Chunked>().into_series()
    } else {
        numbers
    };
    if kind.is_whole() || (kind == Kind::Label && whole) { cast(name, &numbers, &DataType::Int64) } else { Ok(numbers) }
}

/// Levels as a column: whole numbers, numbers, or text if one of them is.
pub(crate) fn encode(name: &str, levels: &[Level]) -> Series {
    let kind = schema::kind(name);
    let known = || levels.iter().filter(|level| !level.is_unknown());
    let text = known().any(|level| matches!(level, Level::Text(_)));
    let fractional = known().any(|level| matches!(level, Level::Number(_)));
    let series = if kind.is_fractional() || (fractional && !text) {
        levels.iter().map(Level::as_number).collect::<Float64Chunked>().into_series()
    } else if !text && !matches!(kind, Kind::Text | Kind::Named(_)) {
        let whole = |level: &Level| if let Level::Integer(value) = level { Some(*value) } else { None };
        levels.iter().map(whole).collect::<Int64Chunked>().into_series()
    } else {
        let shown = |level: &Level| (!level.is_unknown()).then(|| level.to_string());
        levels.iter().map(shown).collect::<StringChunked>().into_series()
    };
    series.with_name(name.into())
}

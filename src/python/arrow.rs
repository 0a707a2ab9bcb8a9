//! Frames in and out through the Arrow C stream: the only place with `unsafe`.
//!
//! The protocol (the Arrow "PyCapsule interface") hands over a C struct in a capsule named `arrow_array_stream`. Safety
//! rests on two promises of that protocol. A capsule of that name holds a valid `ArrowArrayStream`, which the consumer
//! may move out if it leaves a released one behind; that is what [`import`] does, after `pointer_checked` has compared
//! the name. And the arrays of the stream follow the C data interface, which is what `polars_arrow` builds them by.

use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use polars::prelude::{ArrowDataType, ArrowField, Column, CompatLevel, DataFrame, IntoColumn, PolarsError, Series};
use polars_arrow::array::{Array, StructArray};
use polars_arrow::ffi::{ArrowArrayStream, ArrowArrayStreamReader, export_iterator};

use super::convert::bad_input;

const NAME: &std::ffi::CStr = c"arrow_array_stream";

/// Takes the frame that an object offers, without copying its columns.
pub fn import(object: &Bound<'_, PyAny>) -> PyResult<DataFrame> {
    let kind = object.get_type().fully_qualified_name()?.to_string();
    if !object.hasattr("__arrow_c_stream__")? {
        return Err(bad_input(
            format!("{kind} is not a frame"),
            "give a polars or pandas frame, a pyarrow table, or anything else with __arrow_c_stream__",
        ));
    }
    let capsule = object.call_method0("__arrow_c_stream__").map_err(|error| {
        // pandas exports through pyarrow, which it does not require.
        let unsupported = bad_input(
            format!("{kind} gave no Arrow stream ({error})"),
            "pandas needs pyarrow for it: pip install pyarrow",
        );
        unsupported.set_cause(object.py(), Some(error));
        unsupported
    })?;
    let capsule = capsule.cast_into::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(NAME))?.cast::<ArrowArrayStream>();
    // SAFETY: the capsule has the name of the protocol, so it points to a valid stream. The stream is moved out, and a
    // released one is left behind, so the capsule's destructor does not release it again.
    let stream = unsafe { std::ptr::replace(pointer.as_ptr(), ArrowArrayStream::empty()) };
    let unreadable = |error: PolarsError| {
        bad_input(
            format!("the Arrow stream of {kind} cannot be read: {error}"),
            "give numbers, texts, booleans or categories",
        )
    };
    // SAFETY: a stream of the protocol, owned here and not yet released.
    let mut reader = unsafe { ArrowArrayStreamReader::try_new(Box::new(stream)) }.map_err(unreadable)?;
    let ArrowDataType::Struct(fields) = reader.field().dtype().clone() else {
        return Err(bad_input(format!("the Arrow stream of {kind} is not a table"), "give a frame with columns"));
    };
    let mut chunks: Vec<Vec<Box<dyn Array>>> = vec![Vec::new(); fields.len()];
    let mut height = 0;
    // SAFETY: the arrays of a stream of the protocol follow the C data interface.
    while let Some(array) = unsafe { reader.next() } {
        let array = array.map_err(unreadable)?;
        let table =
            array.as_any().downcast_ref::<StructArray>().filter(|table| table.null_count() == 0).ok_or_else(|| {
                bad_input(
                    format!("the Arrow stream of {kind} holds rows that are absent as a whole"),
                    "drop these rows",
                )
            })?;
        height += table.len();
        for (chunks, values) in chunks.iter_mut().zip(table.values()) {
            chunks.push(values.clone());
        }
    }
    let columns =
        fields.iter().zip(chunks).map(|(field, chunks)| column(field, chunks)).collect::<PyResult<Vec<_>>>()?;
    DataFrame::new(height, columns).map_err(unreadable)
}

fn column(field: &ArrowField, chunks: Vec<Box<dyn Array>>) -> PyResult<Column> {
    let refused = || {
        bad_input(
            format!("column {:?}: the Arrow type {:?} holds no levels", field.name, field.dtype),
            "give numbers, texts, booleans or categories",
        )
    };
    if !supported(&field.dtype) {
        return Err(refused());
    }
    if chunks.is_empty() {
        return Ok(Series::new_empty(field.name.clone(), &polars::prelude::DataType::Null).into_column());
    }
    Series::try_from((field, chunks)).map(IntoColumn::into_column).map_err(|_| refused())
}

/// The types that runs are made of. Others are refused by name before polars, which was built without them, sees them.
fn supported(dtype: &ArrowDataType) -> bool {
    use ArrowDataType as A;
    match dtype {
        A::Null | A::Boolean | A::Utf8 | A::LargeUtf8 | A::Utf8View => true,
        A::Int8
        | A::Int16
        | A::Int32
        | A::Int64
        | A::UInt8
        | A::UInt16
        | A::UInt32
        | A::UInt64
        | A::Float32
        | A::Float64 => true,
        A::Dictionary(_, values, _) => matches!(**values, A::Utf8 | A::LargeUtf8 | A::Utf8View),
        _ => false,
    }
}

/// Offers a frame to whoever understands the protocol, without copying its columns.
pub fn export<'py>(py: Python<'py>, frame: &DataFrame) -> PyResult<Bound<'py, PyCapsule>> {
    let mut frame = frame.clone();
    frame.align_chunks();
    let fields: Vec<ArrowField> =
        frame.columns().iter().map(|column| column.field().to_arrow(CompatLevel::newest())).collect();
    let dtype = ArrowDataType::Struct(fields);
    let field = ArrowField::new("".into(), dtype.clone(), false);
    let batches: Vec<Result<Box<dyn Array>, PolarsError>> = frame
        .iter_chunks(CompatLevel::newest(), false)
        .map(|batch| Ok(StructArray::try_new(dtype.clone(), batch.height(), batch.into_arrays(), None)?.boxed()))
        .collect();
    PyCapsule::new_with_value(py, export_iterator(Box::new(batches.into_iter()), field), NAME)
}

//! JSON objects of a tool in the midst of other text.

use serde_json::{Deserializer, Value};

use super::Refusal;

/// How the JSON of a tool is known, and what is said of it.
pub(super) struct Shape<'a> {
    /// One of these stands in every text that holds such JSON, whole or broken. Other JSON may be large.
    pub(super) marks: &'a [&'a str],
    /// Whether an object is one of the tool.
    pub(super) is_own: fn(&Value) -> bool,
    /// Whether a broken object is one of the tool, by what stands before the break.
    pub(super) is_begun: fn(&str) -> bool,
    /// The reason where the object is cut off.
    pub(super) cut_off: &'a str,
    /// The reason where it is broken otherwise, without what is wrong.
    pub(super) broken: &'a str,
}

/// An object of a tool.
#[derive(Debug)]
pub(super) struct Object {
    /// The line on which it begins, counted from 1.
    pub(super) line: usize,
    /// The object, or where and why it cannot be read.
    pub(super) content: Result<Value, Refusal>,
}

/// All objects of one tool in a text, also inside of other JSON.
pub(super) fn objects(text: &str, shape: &Shape) -> Vec<Object> {
    let mut objects = Vec::new();
    if !shape.marks.iter().any(|mark| text.contains(mark)) {
        return objects;
    }
    let (mut line, mut counted, mut end) = (1, 0, 0);
    for (start, _) in text.match_indices('{') {
        let Some(rest) = text.get(start..).filter(|_| start >= end) else { continue };
        line += text.get(counted..start).map_or(0, |passed| passed.matches('\n').count());
        counted = start;
        let mut values = Deserializer::from_str(rest).into_iter::<Value>();
        match values.next() {
            Some(Ok(object)) if (shape.is_own)(&object) => {
                end = start + values.byte_offset();
                objects.push(Object { line, content: Ok(object) });
            }
            Some(Err(error)) if (shape.is_begun)(before(rest, &error)) => {
                objects.push(Object { line, content: Err(broken(rest, line, &error, shape)) });
            }
            _ => {}
        }
    }
    objects
}

/// Whether an object has all of these keys.
pub(super) fn has(object: &Value, keys: &[&str]) -> bool {
    keys.iter().all(|key| object.get(key).is_some())
}

/// Whether a text begins so when its white space is left out.
pub(super) fn opens(text: &str, opening: &str) -> bool {
    let mut characters = text.chars().filter(|c| !c.is_whitespace());
    opening.chars().all(|c| characters.next() == Some(c))
}

/// A whole number in an object, or what stands there instead.
pub(super) fn count(value: &Value, pointer: &str) -> Result<u64, String> {
    let name = pointer.trim_start_matches('/').replace('/', ".");
    let found = value.pointer(pointer).ok_or_else(|| format!("there is no {name}"))?;
    // JavaScript has no whole numbers; above 2^53 its numbers are not exact.
    let float = found.as_f64().filter(|float| float.fract() == 0.0 && (0.0..=9e15).contains(float));
    found.as_u64().or(float.map(|float| float as u64)).ok_or_else(|| format!("{name} is {found}"))
}

/// The text up to an error, whose line is counted from 1 and whose column is in bytes.
fn before<'a>(text: &'a str, error: &serde_json::Error) -> &'a str {
    let lines: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    text.get(..text.floor_char_boundary(lines + error.column())).unwrap_or(text)
}

fn broken(text: &str, line: usize, error: &serde_json::Error, shape: &Shape) -> Refusal {
    let message = error.to_string();
    // No tool breaks a line within a string: it is cut off, and something else follows.
    let within_string = message.starts_with("control character");
    if error.is_eof() || within_string {
        let lines = if within_string { error.line().saturating_sub(2) } else { text.trim_end().matches('\n').count() };
        return Refusal { line: line + lines, reason: shape.cut_off.to_owned() };
    }
    // The place in the message is relative to the start of the object.
    let message = message.split(" at line ").next().unwrap_or_default();
    Refusal { line: line + error.line().saturating_sub(1), reason: format!("{}: {message}", shape.broken) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SHAPE: Shape = Shape {
        marks: &["\"a\""],
        is_own: |object| has(object, &["a", "b"]),
        is_begun: |fragment| opens(fragment, "{\"a\":"),
        cut_off: "the output ends in the middle of its JSON",
        broken: "the JSON is broken",
    };

    fn read(text: &str) -> Vec<(usize, Result<usize, String>)> {
        let content = |object: Object| {
            object.content.map(|value| value.as_object().unwrap().len()).map_err(|broken| broken.reason)
        };
        objects(text, &SHAPE).into_iter().map(|object| (object.line, content(object))).collect()
    }

    #[test]
    fn objects_stand_anywhere() {
        assert_eq!(read("{\n x {\"b\":1,\n\"a\":2}tail{\"a\":3,\"b\":{\"a\":1,\"b\":2}}"), [(2, Ok(2)), (3, Ok(2))]);
        assert_eq!(read("{\"runs\":[\n{\"a\":1,\"b\":2}]}"), [(2, Ok(2))]);
        assert_eq!(read("{\"a\":1} {\"c\":2} {}"), []);
    }

    #[test]
    fn a_broken_object_is_known_by_its_opening() {
        let cut = Err("the output ends in the middle of its JSON".to_owned());
        assert_eq!(read("$ x\n{ \"a\" : 1,\n\"b"), [(2, cut.clone())]);
        assert_eq!(read("{\"a\":1,\"b\n$ "), [(1, cut)]);
        assert_eq!(read("{\"a\":nan,\"b\":1}"), [(1, Err("the JSON is broken: expected ident".to_owned()))]);
        assert_eq!(read("{\"c\":nan"), []);
    }

    #[test]
    fn objects_stand_in_other_text() {
        let shape = Shape {
            marks: &["mine"],
            is_own: |value| value.get("mine").is_some(),
            is_begun: |fragment| fragment.starts_with("{\"mine\""),
            ..SHAPE
        };
        let text = "a {b} {\"c\": 1}\n[{\"mine\": 1}, {\"outer\":\n{\"mine\": 2}}] {\"mine\": \n3";
        let found = objects(text, &shape);
        let values: Vec<_> = found.into_iter().map(|object| (object.line, object.content)).collect();
        let cut = Refusal { line: 4, reason: SHAPE.cut_off.to_owned() };
        assert_eq!(values[0], (2, Ok(serde_json::json!({"mine": 1}))));
        assert_eq!(values[1], (3, Ok(serde_json::json!({"mine": 2}))));
        assert_eq!(values[2], (3, Err(cut)));
        // What follows on a broken object is found all the same.
        assert_eq!(objects("{\"mine\": 1, {\"mine\": 2}", &shape).len(), 2);
    }

    #[test]
    fn counts_are_whole() {
        let value = serde_json::json!({"a": {"b": 3}, "c": 4.0, "d": -1, "e": 1.5, "f": null});
        assert_eq!(count(&value, "/a/b"), Ok(3));
        assert_eq!(count(&value, "/c"), Ok(4));
        assert_eq!(count(&value, "/d").unwrap_err(), "d is -1");
        assert_eq!(count(&value, "/e").unwrap_err(), "e is 1.5");
        assert_eq!(count(&value, "/f").unwrap_err(), "f is null");
        assert_eq!(count(&value, "/a/x").unwrap_err(), "there is no a.x");
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[{}\\[\\]\":,ab1é\n ]{0,60}") {
            let _ = read(&text);
            let all = Shape { marks: &[""], is_own: |_| true, is_begun: |_| true, ..SHAPE };
            let _ = (objects(&text, &all), objects(&text, &Shape { is_own: |_| false, ..all }));
        }
    }
}

//! JSON objects of a tool in the midst of other text.

use std::collections::HashMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::{Output, Refusal};

/// How the JSON of a tool is known.
pub(super) struct Shape<'a> {
    /// One of these stands in every text that holds such JSON, whole or broken. Other JSON may be large.
    pub(super) marks: &'a [&'a str],
    /// Whether an object is one of the tool.
    pub(super) is_own: fn(&Value) -> bool,
    /// A broken object is one of the tool if it opens with one of these, white space left out,
    pub(super) openings: &'a [&'a str],
    /// and if this stands in it, which may be nothing.
    pub(super) proof: &'a str,
}

/// An object of a tool.
#[derive(Debug, PartialEq)]
pub(super) struct Object {
    /// The line on which it begins, counted from 1.
    pub(super) line: usize,
    /// The object, or where and why it cannot be read.
    pub(super) content: Result<Value, Refusal>,
}

/// What `read` says of all objects of one tool in a text, and the lines on which they begin.
pub(super) fn outputs(
    text: &str,
    shape: &Shape,
    read: impl Fn(&Value) -> Result<Output, String>,
) -> impl Iterator<Item = (usize, Result<Output, Refusal>)> {
    objects(text, shape).into_iter().map(move |Object { line, content }| {
        (line, content.and_then(|value| read(&value).map_err(|reason| Refusal { line, reason })))
    })
}

/// All objects of one tool in a text, also inside of other JSON.
pub(super) fn objects(text: &str, shape: &Shape) -> Vec<Object> {
    Search { text, shape, known: HashMap::new(), passed: 0 }.objects()
}

/// The way through a text. Any brace may begin an object, but none is parsed that was met as one inside of another: what
/// is nested would be parsed once for each level. A brace that stood in a string is tried by itself.
struct Search<'a> {
    text: &'a str,
    shape: &'a Shape<'a>,
    /// The objects that were met ahead of their turn, by where they begin.
    known: HashMap<usize, Known>,
    /// How many bytes the parser went over.
    passed: usize,
}

/// What is known of an object.
enum Known {
    /// It is none of the tool.
    Other,
    /// It is one of the tool, and ends here.
    Own(usize),
    Broken(Refusal),
}

impl Search<'_> {
    fn objects(&mut self) -> Vec<Object> {
        let text = self.text;
        let mut objects = Vec::new();
        if !self.shape.marks.iter().any(|mark| text.contains(mark)) {
            return objects;
        }
        let (mut line, mut counted, mut end) = (1, 0, 0);
        for (start, _) in text.match_indices('{') {
            let known = self.known.remove(&start);
            if start < end || !text.get(start + 1..).is_some_and(is_object) {
                continue;
            }
            line += newlines(text.get(counted..start));
            counted = start;
            let known = known.or_else(|| {
                self.parse(start, line);
                self.known.remove(&start)
            });
            match known {
                Some(Known::Own(behind)) => {
                    end = behind;
                    self.passed += behind - start;
                    // It was read before as part of something else, perhaps.
                    let object = text.get(start..behind).and_then(|object| serde_json::from_str(object).ok());
                    objects.extend(object.map(|object| Object { line, content: Ok(object) }));
                }
                Some(Known::Broken(refusal)) => objects.push(Object { line, content: Err(refusal) }),
                Some(Known::Other) | None => {}
            }
        }
        objects
    }

    /// Parses the object that begins here, on this line, and notes what is known of it and of all within it.
    fn parse(&mut self, start: usize, line: usize) {
        let Some(rest) = self.text.get(start..) else { return };
        let mut met = Vec::new();
        let reader = Reader { is_own: self.shape.is_own, met: &mut met };
        let result = reader.deserialize(&mut serde_json::Deserializer::from_str(rest));
        let fragment = result.as_ref().map_or_else(|error| before(rest, error), |_| rest);
        let spans = spans(fragment, met.len());
        let error = result.err();
        self.passed += if error.is_some() { fragment.len() } else { spans.first().map_or(0, |span| span.end) };
        let open = met.iter().filter(|state| **state == State::Open).count();
        // Of objects in each other that are too many for the parser, the inner ones might do without the outer ones.
        let mut judged = if error.as_ref().is_some_and(is_too_deep) { open.div_ceil(2) } else { open };
        let proof = error.as_ref().and_then(|_| fragment.rfind(self.shape.proof));
        let opens_own = |at| {
            let opens = |fragment| self.shape.openings.iter().any(|opening| opens(fragment, opening));
            fragment.get(at..).is_some_and(opens)
        };
        let mut refusal = None;
        for (state, span) in met.iter().zip(spans) {
            let known = match (state, &error) {
                (State::Own, _) => Known::Own(start + span.end),
                (State::Open, Some(error)) => {
                    if judged == 0 {
                        continue;
                    }
                    judged -= 1;
                    if proof.is_some_and(|proof| proof >= span.start) && opens_own(span.start) {
                        Known::Broken(refusal.get_or_insert_with(|| broken(rest, line, error)).clone())
                    } else {
                        Known::Other
                    }
                }
                _ => Known::Other,
            };
            self.known.insert(start + span.start, known);
        }
    }
}

/// What became of an object that the parser met.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Open,
    Closed,
    Own,
}

/// Reads a value and notes all objects within it in the order in which they begin, also if the value breaks off.
struct Reader<'a> {
    is_own: fn(&Value) -> bool,
    met: &'a mut Vec<State>,
}

impl Reader<'_> {
    fn within(&mut self) -> Reader<'_> {
        Reader { is_own: self.is_own, met: self.met }
    }
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = items.next_element_seed(self.within())? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<Value, A::Error> {
        let place = self.met.len();
        self.met.push(State::Open);
        let mut map = Map::new();
        while let Some(key) = entries.next_key()? {
            map.insert(key, entries.next_value_seed(self.within())?);
        }
        let object = map.into();
        if let Some(state) = self.met.get_mut(place) {
            *state = if (self.is_own)(&object) { State::Own } else { State::Closed };
        }
        Ok(object)
    }
}

/// Where the first objects in a piece of JSON begin and end, in the order in which they begin; those that are not closed
/// have no end but their beginning. Stops behind the value with which the piece begins.
fn spans(json: &str, objects: usize) -> Vec<std::ops::Range<usize>> {
    let mut spans = Vec::with_capacity(objects);
    let mut open = Vec::new();
    let (mut in_string, mut escaped) = (false, false);
    for (at, byte) in json.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_string,
            b'"' => in_string = !in_string,
            b'{' if !in_string => {
                open.push(spans.len());
                spans.push(at..at);
            }
            b'}' if !in_string => {
                if let Some(span) = open.pop().and_then(|place| spans.get_mut(place)) {
                    span.end = at + 1;
                }
                if open.is_empty() {
                    break;
                }
            }
            _ => {}
        }
    }
    spans.truncate(objects);
    spans
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

/// Whether the parser gave up because of objects and lists in each other.
fn is_too_deep(error: &serde_json::Error) -> bool {
    error.to_string().starts_with("recursion limit")
}

/// Whether what stands behind a brace can make an object with it.
fn is_object(behind: &str) -> bool {
    behind.trim_ascii_start().starts_with(['"', '}'])
}

fn newlines(text: Option<&str>) -> usize {
    text.map_or(0, |text| text.matches('\n').count())
}

/// Where and why JSON that begins on this line cannot be read.
fn broken(text: &str, line: usize, error: &serde_json::Error) -> Refusal {
    let message = error.to_string();
    // No tool breaks a line within a string: it is cut off, and something else follows.
    let within_string = message.starts_with("control character");
    if error.is_eof() || within_string {
        let lines = if within_string { error.line().saturating_sub(2) } else { newlines(Some(text.trim_end())) };
        return Refusal { line: line + lines, reason: "the output ends in the middle of its JSON".to_owned() };
    }
    // The place in the message is relative to the start of the object. A word that breaks off with the text is said to break
    // behind the end of its line.
    let message = message.split(" at line ").next().unwrap_or_default();
    let lines = error.line().saturating_sub(1).min(newlines(Some(text.trim_end())));
    Refusal { line: line + lines, reason: format!("the JSON is broken: {message}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SHAPE: Shape =
        Shape { marks: &["\"a\""], is_own: |object| has(object, &["a", "b"]), openings: &["{\"a\":"], proof: "" };

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
        let shape =
            Shape { marks: &["mine"], is_own: |value| value.get("mine").is_some(), openings: &["{\"mine\""], ..SHAPE };
        let text = "a {b} {\"c\": 1}\n[{\"mine\": 1}, {\"outer\":\n{\"mine\": 2}}] {\"mine\": \n3";
        let found = objects(text, &shape);
        let values: Vec<_> = found.into_iter().map(|object| (object.line, object.content)).collect();
        let cut = Refusal { line: 4, reason: "the output ends in the middle of its JSON".to_owned() };
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

    #[test]
    fn a_proof_is_in_the_broken_object() {
        let shape = Shape { proof: "\"b\"", ..SHAPE };
        assert_eq!(objects("{\"c\":{\"b\":1},\"d\":{\"a\":1,", &shape).len(), 0);
        assert_eq!(objects("{\"c\":1,\"d\":{\"a\":{\"b\":1},", &shape).len(), 1);
    }

    /// What is found if every brace is parsed, also those within what was parsed already.
    fn naive(text: &str, shape: &Shape) -> Vec<Object> {
        let mut objects = Vec::new();
        let mut end = 0;
        for (start, _) in text.match_indices('{').filter(|_| shape.marks.iter().any(|mark| text.contains(mark))) {
            let (rest, line) = (&text[start..], 1 + newlines(Some(&text[..start])));
            if start < end {
                continue;
            }
            let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
            match values.next() {
                Some(Ok(object)) if (shape.is_own)(&object) => {
                    end = start + values.byte_offset();
                    objects.push(Object { line, content: Ok(object) });
                }
                Some(Err(error)) => {
                    let fragment = before(rest, &error);
                    if fragment.contains(shape.proof) && shape.openings.iter().any(|opening| opens(fragment, opening)) {
                        objects.push(Object { line, content: Err(broken(rest, line, &error)) });
                    }
                }
                _ => {}
            }
        }
        objects
    }

    #[test]
    fn braces_by_the_million_are_not_parsed_for_each_of_them() {
        let all = Shape { marks: &[""], openings: &["{\"a\":"], is_own: |_| false, proof: "" };
        let keyed = |levels| "{\"a\":".repeat(levels);
        let list = "{},".repeat(2_000);
        for text in [
            "{".repeat(5_000),
            "{}".repeat(12_000),
            "{\"a\":1}".repeat(2_000),
            keyed(2_000),
            keyed(2_000) + &"}".repeat(2_000),
            keyed(2_000) + "1" + &"}".repeat(2_000),
            keyed(120) + "[" + &list,
            keyed(120) + "[" + &list + "{}]" + &"}".repeat(120),
            keyed(120) + "[" + &list + &keyed(2_000),
            keyed(60) + "[" + &list + &(keyed(120) + "1" + &"}".repeat(120) + ",").repeat(50),
            "{\"a\":[".repeat(2_000),
            ("{\"a\":".to_owned() + &"[".repeat(20)).repeat(1_000),
            "{\"".repeat(5_000),
            "{\":".repeat(5_000),
            "{\"\":\"".repeat(2_000),
            "{\"a\":\"{\",".repeat(3_000),
            "{\"a\":\"\\".repeat(2_000),
            "{\"a\":1,".repeat(2_000),
            "{\n \n".repeat(6_000),
        ] {
            for is_own in [all.is_own, |object: &Value| object.get("a").is_some()] {
                let shape = Shape { is_own, ..all };
                let mut search = Search { text: &text, shape: &shape, known: HashMap::new(), passed: 0 };
                search.objects();
                let start: String = text.chars().take(40).collect();
                assert!(search.passed <= 6 * text.len(), "{start}: {} of {} bytes", search.passed, text.len());
            }
        }
    }

    const PIECES: [&str; 17] = [
        "{\"a\":",
        "{\"b\":",
        "{\"a\":1,\"b\":",
        "{\"a\":1,\"b\":2}",
        "}",
        "}",
        "1",
        ",\"a\":",
        ",",
        "[",
        "]",
        "\"",
        "\\",
        "{",
        "\n",
        "nan",
        "{\"c\":[",
    ];

    #[test]
    fn a_word_that_breaks_off_with_the_text_is_on_its_line() {
        let found = objects("{\"a\":1,\n\"b\":n\n", &SHAPE);
        let lines: Vec<_> = found.into_iter().map(|one| one.content.map_err(|broken| broken.line)).collect();
        assert_eq!(lines, [Err(2)]);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[{}\\[\\]\":,ab1é\n ]{0,60}") {
            let _ = read(&text);
            let all = Shape { marks: &[""], is_own: |_| true, openings: &[""], ..SHAPE };
            let _ = (objects(&text, &all), objects(&text, &Shape { is_own: |_| false, ..all }));
        }

        #[test]
        fn what_is_met_ahead_is_found_as_by_itself(
            pieces in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..24),
        ) {
            let text = pieces.concat();
            for shape in [SHAPE, Shape { openings: &["{\"a\"", "{\"c\":["], proof: "b", ..SHAPE }] {
                prop_assert_eq!(objects(&text, &shape), naive(&text, &shape));
            }
        }
    }
}

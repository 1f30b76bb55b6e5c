//! Reads a stream of events as the service writes it.

use serde_json::Value;

/// Names and data. Comments are events without data. Anything else fails the test.
pub fn read(bytes: &[u8]) -> Vec<(String, Value)> {
    let text = std::str::from_utf8(bytes).expect("UTF-8");
    let events = text.strip_suffix("\n\n").expect("the end of an event").split("\n\n");
    let event = |event: &str| match event.strip_prefix(": ") {
        Some(comment) => (comment.to_owned(), Value::Null),
        None => {
            let (name, data) =
                event.strip_prefix("event: ").and_then(|event| event.split_once("\ndata: ")).expect(event);
            (name.to_owned(), serde_json::from_str(data).expect(data))
        }
    };
    events.map(event).collect()
}

/// The data of the last event, which has this name.
pub fn last(events: &[(String, Value)], name: &str) -> Value {
    let (last, data) = events.last().expect("an event");
    assert_eq!(last, name, "{data}");
    data.clone()
}

//! Reads a stream of server-sent events from bytes that arrive in any pieces.
//!
//! <https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream>

/// Bytes become lines, and lines become events. A line is decoded when it is whole, so a character can be split.
#[derive(Debug, Default)]
pub struct EventReader {
    /// Of the last line, which is not whole.
    line: Vec<u8>,
    /// The last line ended with a CR. An LF after it belongs to the same end of the line.
    after_cr: bool,
    /// Lines were read before: a byte order mark can only be at the beginning.
    has_begun: bool,
    event: Event,
}

/// An event without a name is called `message` in browsers; here its name is empty.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Event {
    pub name: String,
    /// Its lines, with an LF between two of them.
    pub data: String,
    has_data: bool,
}

impl EventReader {
    /// The events that are whole after these bytes. An event ends with an empty line.
    pub fn read(&mut self, bytes: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        for &byte in bytes {
            match byte {
                b'\n' if std::mem::take(&mut self.after_cr) => {}
                b'\r' | b'\n' => {
                    self.after_cr = byte == b'\r';
                    events.extend(self.end_line());
                }
                byte => {
                    self.after_cr = false;
                    self.line.push(byte);
                }
            }
        }
        events
    }

    fn end_line(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let line = if std::mem::replace(&mut self.has_begun, true) {
            &*line
        } else {
            line.strip_prefix('\u{feff}').unwrap_or(&line)
        };
        if line.is_empty() {
            return Some(std::mem::take(&mut self.event)).filter(|event| event.has_data);
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.event.name),
            "data" => {
                if std::mem::replace(&mut self.event.has_data, true) {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
            }
            // A comment (its field is empty), `id`, `retry` or something unknown.
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn event(name: &str, data: &str) -> Event {
        Event { name: name.into(), data: data.into(), has_data: true }
    }

    fn read(text: &str) -> Vec<Event> {
        EventReader::default().read(text.as_bytes())
    }

    #[test]
    fn events_are_read_as_the_standard_says() {
        for (text, expected) in [
            ("event: a\ndata: {}\n\n", vec![event("a", "{}")]),
            ("data:x\r\ndata: y\r\rdata:  z\n\n", vec![event("", "x\ny"), event("", " z")]),
            ("\u{feff}data: £\n\n", vec![event("", "£")]),
            (": keep-alive\n\nid: 7\nretry: 3\ndata\n\n", vec![event("", "")]),
            ("event: a\n\ndata: b\n\n", vec![event("", "b")]),
            ("data: never ended\n", vec![]),
        ] {
            assert_eq!(read(text), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn however_the_bytes_are_split_the_events_are_the_same(
            parts in proptest::collection::vec(
                prop_oneof![
                    Just("\n"), Just("\r"), Just("\r\n"), Just("\n\n"), Just("data: "), Just("data:é£漢🎉"),
                    Just("event: delta"), Just(": comment"), Just("x"), Just(":"), Just("\u{feff}"),
                ],
                0..40,
            ),
            cuts in proptest::collection::vec(0_usize..200, 0..12),
        ) {
            let text = parts.concat();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).chain([text.len()]).collect();
            cuts.sort_unstable();
            let (mut reader, mut events, mut start) = (EventReader::default(), Vec::new(), 0);
            for cut in cuts {
                events.extend(reader.read(&text.as_bytes()[start..cut]));
                start = cut;
            }
            prop_assert_eq!(events, read(&text));
        }
    }
}

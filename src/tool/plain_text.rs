//! Texts that are stored and shown again: data, and never markup.

pub use crate::phrases::plain;

/// At most `limit` characters. `what` names the text in a refusal: "the notes".
pub fn capped(what: &str, text: String, limit: usize) -> Result<String, String> {
    match text.chars().count() {
        n if n > limit => Err(format!("{what} has {n} characters, and {limit} are allowed. Make it shorter")),
        _ => Ok(text),
    }
}

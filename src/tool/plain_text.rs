//! Texts that are stored and shown again: data, and never markup.

use crate::phrases::clean;

/// Without control and direction characters, and without what makes links, images, code or quotes.
pub fn plain(text: &str) -> String {
    let kept: String = clean(text).chars().filter(|c| !"[]<>`“”\"\\".contains(*c)).collect();
    kept.trim().to_owned()
}

/// At most `limit` characters. `what` names the text in a refusal: "the notes".
pub fn capped(what: &str, text: String, limit: usize) -> Result<String, String> {
    match text.chars().count() {
        n if n > limit => Err(format!("{what} has {n} characters, and {limit} are allowed. Make it shorter")),
        _ => Ok(text),
    }
}

//! Normalised words, as they are stored and compared.

/// Lower-case words with a space on both sides of each, so that `contains(" tea ")` does not match "steak".
pub fn words(text: &str) -> String {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    format!(" {} ", words.join(" "))
}

/// The name that a record is found by, from what a person calls it. A text without letters or digits, like an emoji, is
/// its own name.
pub fn name(text: &str) -> String {
    let words = words(text).trim().to_owned();
    if words.is_empty() { text.trim().to_lowercase() } else { words }
}

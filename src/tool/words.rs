//! Normalised words, as they are stored and compared.

/// Lower-case words with a space on both sides of each, so that `contains(" tea ")` does not match "steak".
pub fn words(text: &str) -> String {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    format!(" {} ", words.join(" "))
}

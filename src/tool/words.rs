//! Words as they are stored and compared.

/// Lower-case words with a space on either side of each, so that `contains(" tea ")` finds no "steak".
pub fn words(text: &str) -> String {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    format!(" {} ", words.join(" "))
}

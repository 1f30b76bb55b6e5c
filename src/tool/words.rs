//! Normalised words, as they are stored and compared.

/// Lower-case words with a space on both sides of each, so that `contains(" tea ")` does not match "steak". Emoji in a row
/// are a word.
pub fn words(text: &str) -> String {
    let lower = text.to_lowercase();
    let mut words = String::with_capacity(lower.len() + 2);
    words.push(' ');
    let mut before = Part::Gap;
    for letter in lower.chars().filter(|letter| !is_joiner(*letter)) {
        let part = Part::of(letter);
        if before != Part::Gap && part != before {
            words.push(' ');
        }
        if part != Part::Gap {
            words.push(letter);
        }
        before = part;
    }
    // A text without words is two spaces, which no word is in.
    if before != Part::Gap || words.len() == 1 {
        words.push(' ');
    }
    words
}

/// They join or vary emoji, and have no meaning alone.
fn is_joiner(letter: char) -> bool {
    matches!(letter, '\u{200d}' | '\u{fe0e}' | '\u{fe0f}')
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Gap,
    Word,
    Emoji,
}

impl Part {
    fn of(letter: char) -> Part {
        match letter {
            _ if letter.is_alphanumeric() => Part::Word,
            '\u{2600}'..='\u{27bf}' | '\u{2b50}' | '\u{2b55}' | '\u{1f000}'..='\u{1faff}' => Part::Emoji,
            _ => Part::Gap,
        }
    }
}

/// The words that a name with this text has. Of a text without letters or digits, only what is no punctuation, like an
/// emoji.
pub fn name_words(text: &str) -> Vec<String> {
    let name = name(text);
    let is_word = |word: &&str| word.contains(char::is_alphanumeric) || !word.is_ascii();
    name.split_whitespace().filter(is_word).map(str::to_owned).collect()
}

/// The name that a record is found by, from what a person calls it. A text without letters or digits, like an emoji, is
/// its own name.
pub fn name(text: &str) -> String {
    let words = words(text).trim().to_owned();
    if words.is_empty() { text.trim().to_lowercase() } else { words }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_apart_and_emoji_are_words() {
        let said = [
            ("Coffee & Cake, 3.50", " coffee cake 3 50 "),
            ("🍕 12", " 🍕 12 "),
            ("pizza🍕🍕!", " pizza 🍕🍕 "),
            ("☕️", " ☕ "),
            ("👨‍👩‍👧", " 👨👩👧 "),
            ("…", "  "),
            ("", "  "),
        ];
        for (text, expected) in said {
            assert_eq!(words(text), expected, "{text}");
        }
    }
}

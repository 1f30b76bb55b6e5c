//! Text made safe to read, store and show again.
//!
//! It keeps what people see and drops what they cannot: it does not judge what the text says, and it does not fold
//! letters or digits that look alike into each other (that would turn `½` into `1/2`).

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// NFC, in one line: no control, invisible or direction-changing characters, no piles of combining marks, no runs of
/// white space.
pub fn clean(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    let mut marks = 0;
    let mut gap = false;
    for character in composed(text).chars() {
        if character.is_whitespace() {
            gap = true;
            continue;
        }
        // An emoji may be several: what joins or colours them is kept between them, once.
        let is_of_emoji = || match character {
            JOINER => cleaned.ends_with(is_pictograph) || cleaned.ends_with(COLOURED),
            COLOURED => cleaned.ends_with(is_pictograph),
            _ => false,
        };
        if is_invisible(character) && (gap || !is_of_emoji()) {
            continue;
        }
        if cleaned.ends_with(JOINER) && (gap || !is_pictograph(character)) {
            cleaned.pop();
        }
        marks = if character >= FIRST_MARK && is_combining_mark(character) { marks + 1 } else { 0 };
        if marks > MAX_MARKS {
            continue;
        }
        if gap && !cleaned.is_empty() {
            cleaned.push(' ');
        }
        gap = false;
        cleaned.push(character);
    }
    if cleaned.ends_with(JOINER) {
        cleaned.pop();
    }
    // Dropping a character can bring two together that compose.
    composed(&cleaned).into_owned()
}

/// Without control and direction characters, and without what makes links, images, code or quotes.
pub fn plain(text: &str) -> String {
    let kept: String = clean(text).chars().filter(|c| !"[]<>`“”\"\\".contains(*c)).collect();
    kept.trim().to_owned()
}

/// As a sentence begins.
pub fn upper_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// With a capital letter in front, and a full stop if it ends in no mark. Several lines end with a list, which has none.
pub fn sentence(text: &str) -> String {
    let text = upper_first(text);
    if text.ends_with(['.', '?', '!']) || text.contains('\n') { text } else { text + "." }
}

/// Whether the position is inside quotes on one line.
pub fn is_quoted(text: &str, at: usize) -> bool {
    let start = text[..at].rfind('\n').map_or(0, |line| line + 1);
    let end = text[at..].find('\n').map_or(text.len(), |line| at + line);
    let (before, behind) = (&text[start..at], &text[at..end]);
    let pairs = [('“', '”'), ('„', '“'), ('«', '»')];
    let is_within = |(open, close): (char, char)| {
        before.rfind(open).is_some_and(|from| !before[from + open.len_utf8()..].contains(close))
            && behind.contains(close)
    };
    pairs.into_iter().any(is_within) || before.matches('"').count() % 2 == 1 && behind.contains('"')
}

/// What most people write is composed as it is: Latin letters, typographic marks, signs of currencies.
fn composed(text: &str) -> Cow<'_, str> {
    let is_settled = text.chars().all(|character| matches!(character, ..FIRST_MARK | '\u{2010}'..'\u{20d0}'));
    if is_settled { Cow::Borrowed(text) } else { Cow::Owned(text.nfc().collect()) }
}

/// Between two pictographs, which it shows as one.
const JOINER: char = '\u{200d}';
/// Behind a pictograph, which it shows in colour.
const COLOURED: char = '\u{fe0f}';

fn is_pictograph(character: char) -> bool {
    matches!(character, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

const MAX_MARKS: usize = 3;
const FIRST_MARK: char = '\u{300}';

fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{3164}' | '\u{ffa0}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_emoji_stays_whole_and_letters_are_not_joined_unseen() {
        assert_eq!(clean("💇\u{200d}♀\u{fe0f} hair"), "💇\u{200d}♀\u{fe0f} hair");
        assert_eq!(clean("ca\u{200d}fe\u{fe0f} \u{200d}1\u{200d}2"), "cafe 12");
        assert_eq!(clean("☕\u{200d}\u{200d}\u{fe0f}\u{fe0f}\u{200d} tea ☕\u{200d}x ☕\u{200d}"), "☕ tea ☕x ☕");
    }

    #[test]
    fn what_is_taken_for_composed_is() {
        let settled = || ('\0'..FIRST_MARK).chain('\u{2010}'..'\u{20d0}');
        for first in settled() {
            let pairs: String = settled().flat_map(|second| [first, second]).collect();
            assert!(pairs.nfc().eq(pairs.chars()), "{first:?}");
        }
    }
}

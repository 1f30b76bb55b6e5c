//! The marks and numbers that people put before the lines of a list.

use super::Class;

/// The number that a line like `#7 “tea”, £2.00` begins with, and what it says after it.
pub fn number_first(line: &str) -> Option<(u64, &str)> {
    let rest = unmarked(line).strip_prefix('#')?;
    let end = rest.find(|character: char| !character.is_ascii_digit()).unwrap_or(rest.len());
    Some((rest[..end].parse().ok()?, &rest[end..]))
}

/// Without the mark that a list puts before its lines.
pub fn unmarked(line: &str) -> &str {
    ["- ", "* ", "• ", "– "].iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line).trim()
}

/// Without the number that a list puts before its lines, where a price is behind it: "1. coffee 3".
pub fn unnumbered(line: &str) -> &str {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line[digits..].strip_prefix(['.', ')']).and_then(|rest| rest.strip_prefix(' '));
    match rest.map(str::trim_start) {
        Some(rest) if (1..=2).contains(&digits) && rest.starts_with(char::is_alphabetic) && is_priced(rest) => rest,
        _ => line,
    }
}

/// "12. November" is a day.
fn is_priced(rest: &str) -> bool {
    let first = rest.split(|letter: char| !letter.is_alphabetic()).next().unwrap_or_default().to_lowercase();
    !Class::Month.contains(first) && rest.bytes().any(|byte| byte.is_ascii_digit())
}

//! Numbers in digits: which separator parts thousands and which the decimals, or that nobody can tell.
//!
//! It knows nothing of currencies; whoever does can settle `1,234`.

use super::{
    Reading, currencies,
    tokens::{Kind, Line},
};

/// The token after it, how it reads, and its separator if it has exactly one, with exactly three digits after it: `1.234`.
pub(super) fn numeral(line: &Line<'_>, start: usize) -> Option<(usize, Reading, Option<char>)> {
    if line.tokens.get(start)?.kind == Kind::OddNumber {
        return Some((start + 1, Reading::Ambiguous(Vec::new()), None));
    }
    let first = line.digits(start)?;
    let mut groups: Vec<(char, &str)> = Vec::new();
    let mut end = start + 1;
    while let Some((separator, digits, next)) = group(line, start, end, &groups) {
        groups.push((separator, digits));
        end = next;
    }
    let reading = read(first, &groups);
    let one_group = match groups[..] {
        [(separator, digits)] if digits.len() == 3 && matches!(reading, Reading::Ambiguous(_)) => Some(separator),
        _ => None,
    };
    Some((end, reading, one_group))
}

/// The next separator and the digits after it, if they continue the number.
fn group<'l>(line: &'l Line<'_>, start: usize, at: usize, groups: &[(char, &str)]) -> Option<(char, &'l str, usize)> {
    if let Some(digits) = line.digits(at) {
        let space = line.text[line.tokens[at - 1].span.end..line.tokens[at].span.start].parse().ok()?;
        let only_spaces = groups.iter().all(|(separator, _)| separator.is_whitespace());
        let named = line.glued(start) && !line.before(start, 1).is_empty();
        let short = digits.len() == 3 && line.digits(start)?.len() <= 3;
        return (short && only_spaces && !named && !is_joined(line, at + 1)).then_some((space, digits, at + 1));
    }
    let separator = match line.glued_mark(at)? {
        '.' | '．' => '.',
        ',' | '，' => ',',
        '\'' | '’' => '\'',
        '٫' => '٫',
        '٬' => '٬',
        _ => return None,
    };
    let digits = line.digits(at + 1).filter(|_| line.glued(at + 1))?;
    Some((separator, digits, at + 2))
}

/// Letters, a slash or a colon right after: then the digits before are no group of thousands.
fn is_joined(line: &Line<'_>, at: usize) -> bool {
    // "1 200€"; but "1 200€50" says so of the second.
    let is_sign = |mark: char| currencies::is_sign(mark) && !(line.glued(at + 1) && line.digits(at + 1).is_some());
    line.glued(at) && !line.mark(at).is_some_and(|mark| ".,!?;)'".contains(mark) || is_sign(mark))
}

/// What is known to have no decimals.
pub(super) fn ungrouped(reading: Reading) -> Reading {
    match reading {
        Reading::Ambiguous(options) if options.len() == 2 => Reading::Exact(options[0].clone()),
        other => other,
    }
}

fn read(first: &str, groups: &[(char, &str)]) -> Reading {
    let unreadable = Reading::Ambiguous(Vec::new());
    let Some(((last, decimals), thousands)) = groups.split_last() else { return whole(first) };
    let joined = || thousands.iter().fold(first.to_owned(), |digits, (_, group)| digits + group);
    let decimal = || Reading::Exact(format!("{}.{decimals}", integer(&joined())));
    let all = || integer(&format!("{}{decimals}", joined()));
    if let [(separator, digits)] = groups {
        return single(first, *separator, digits);
    }
    let separator = groups[0].0;
    if groups.iter().all(|(other, _)| *other == separator) {
        let plain_space = separator == ' ';
        return match is_grouped(first, groups) {
            true if plain_space && !decimals.starts_with('0') => Reading::Ambiguous(vec![all()]),
            true => Reading::Exact(all()),
            false => unreadable,
        };
    }
    let same = thousands.iter().all(|(other, _)| *other == separator);
    if same && matches!(last, '.' | ',' | '٫') && separator != '٫' && is_grouped(first, thousands) {
        return decimal();
    }
    unreadable
}

fn single(first: &str, separator: char, digits: &str) -> Reading {
    let decimal = format!("{}.{digits}", integer(first));
    let joined = integer(&format!("{first}{digits}"));
    let could_group = digits.len() == 3 && first.len() <= 3 && !first.starts_with('0');
    match separator {
        '٫' => Reading::Exact(decimal),
        '.' | ',' if !could_group => Reading::Exact(decimal),
        '.' | ',' => Reading::Ambiguous(vec![joined, decimal]),
        '٬' | '\'' if could_group => Reading::Exact(joined),
        // "12'50", where nobody measures feet.
        '\'' if digits.len() == 2 => Reading::Ambiguous(vec![decimal]),
        '٬' | '\'' => Reading::Ambiguous(Vec::new()),
        // Only typographic spaces are never a gap between two numbers; and no number begins with a nought.
        ' ' | '\t' | '\n' if !digits.starts_with('0') => Reading::Ambiguous(vec![joined, digits.to_owned()]),
        _ => Reading::Exact(joined),
    }
}

/// Groups of three; or, with commas, the Indian twos with three at the end.
fn is_grouped(first: &str, groups: &[(char, &str)]) -> bool {
    let Some(((separator, last), middle)) = groups.split_last() else { return false };
    if last.len() != 3 || first.is_empty() || first.starts_with('0') {
        return false;
    }
    let threes = first.len() <= 3 && middle.iter().all(|(_, digits)| digits.len() == 3);
    let indian = *separator == ',' && first.len() <= 2 && middle.iter().all(|(_, digits)| digits.len() == 2);
    threes || indian
}

fn whole(digits: &str) -> Reading {
    let value = integer(digits);
    if value.len() < digits.len() { Reading::Ambiguous(vec![value]) } else { Reading::Exact(value) }
}

fn integer(digits: &str) -> String {
    match digits.trim_start_matches('0') {
        "" => "0".to_owned(),
        trimmed => trimmed.to_owned(),
    }
}

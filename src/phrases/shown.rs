//! A list of rows as it was shown to a person: which rows it has, and whether there were more.
//!
//! Who writes lists and who reads them later know each other only by these words.

use super::{foreign_names, vocabulary};

/// Said of a list that there is more of than can be counted.
pub const MORE: &str = "and there are more";

/// What a list that went on to its end begins with.
pub const LAST: &str = "The last ";

/// Of a list that goes on, and not to its end.
pub const NEXT: &str = "The next ";

/// Before what waits, behind any other answer.
pub const STILL_WAITING: &str = "Still waiting for your yes or no:";

/// What an answer begins with that tells what was written. The last one is of what only comes along with rows.
pub const WRITTEN: [&str; 5] = ["Added ", "Changed ", "Deleted ", "Restored ", "Done. I will "];

/// Whether something was.
pub fn is_written(answer: &str) -> bool {
    WRITTEN.iter().any(|opening| answer.starts_with(opening))
}

/// Said where no row is called by the name that was said.
pub const NO_SUCH_NAME: &str = "Say it in other words, or look for it, like";

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
    let is_month = vocabulary::month(&first).is_some() || foreign_names::month(&first).is_some();
    !is_month && rest.bytes().any(|byte| byte.is_ascii_digit())
}

/// Of its rows.
pub fn numbers(list: &str) -> Vec<u64> {
    list.lines().filter_map(|line| Some(number_first(line)?.0)).collect()
}

/// Whether it names the row, as `#7`, outside the names of rows: those are what somebody once said.
pub fn names(text: &str, id: u64) -> bool {
    let mut outside = text.split('“').map(|part| part.split_once('”').map_or(part, |(_, rest)| rest));
    let is_it = |token: &str| token.strip_prefix('#').is_some_and(|number| number.parse() == Ok(id));
    outside.any(|part| part.split(|mark: char| !(mark.is_alphanumeric() || mark == '#')).any(is_it))
}

/// Whether something comes after it.
pub fn has_more(list: &str) -> bool {
    let headline = list.lines().next().unwrap_or_default();
    let mut words = headline.split(' ');
    let counted = words.next().is_some_and(|count| count.parse::<usize>().is_ok()) && words.next() == Some("of");
    counted
        || headline.starts_with(NEXT)
        || headline.contains(MORE)
        || list.lines().any(|line| line.starts_with("… and ") && line.ends_with(" more") || line.ends_with(" more)"))
}

/// Whether rows come after it, or came before.
pub fn is_partial(list: &str) -> bool {
    has_more(list) || list.starts_with(LAST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_says_whether_there_is_more_of_it() {
        for (list, more, partial) in [
            ("2 expenses:\n#2 “tea”, £2.00\n#1 “coffee”, £3.00", false, false),
            ("2 of 30 expenses, newest first:\n#2 “tea”, £2.00\n#1 “coffee”, £3.00", true, true),
            ("The next 2 of 30 expenses:\n#2 “tea”, £2.00\n#1 “coffee”, £3.00", true, true),
            ("The last 2 of the list:\n#2 “tea”, £2.00\n#1 “coffee”, £3.00", false, true),
            ("22 expenses:\n#2 “tea”, £2.00\n#1 “coffee”, £3.00\n… and 20 more", true, true),
            ("2 expenses, newest first, and there are more:\n#2 “tea”, £2.00\n#1 “coffee”, £3.00", true, true),
        ] {
            assert_eq!((has_more(list), is_partial(list), numbers(list)), (more, partial, vec![2, 1]), "{list}");
        }
        let list = "2 expenses:\n#2 “tea”, £2.00\n#1 “and #7”, £3.00 (#3)";
        assert_eq!([1, 2, 3, 7].map(|id| names(list, id)), [true, true, true, false]);
        assert!(has_more("You spent £9.00 in total: 9 expenses.\nBy item:\n- “tea”: £2.00 (1)\n(7 more)"));
    }
}

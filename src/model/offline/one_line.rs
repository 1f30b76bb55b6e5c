//! A message in one line: without marks of lists, with the parts of a form and of a list in their places.

use super::{frames, intent::Intent, options, reading::read, wording};
use crate::phrases::{self, Class, Reader, list_marks};

/// A list of priced lines is a list of expenses; any other break between lines is only white space.
pub(super) fn in_one_line(text: &str, reader: Reader) -> String {
    let cleaned = text.lines().map(phrases::clean);
    let unmarked = cleaned.map(|line| list_marks::unnumbered(options::unmarked(&line)).to_owned());
    let mut lines: Vec<String> = unmarked.filter(|line| !line.is_empty()).collect();
    if lines.len() > 2 {
        lines = under_headings(lines, reader);
    }
    let priced = lines.iter().filter(|line| !reader.amounts(line).is_empty()).count();
    let line = phrases::clean(&lines.join(if priced > 1 { "; " } else { " " })).replace(" | ", ", ");
    let line = unlabelled(&line).or_else(|| noted(&line)).unwrap_or(line);
    let line = commanded(line, reader);
    Class::Uncategorised.all().iter().fold(line, |line, (said, sense)| line.replace(said, sense.says))
}

/// "Item: coffee Amount: 3.50", "amount 3.50, shop Costa", as forms are filled in. One label alone may be of a name.
fn unlabelled(line: &str) -> Option<String> {
    let (mut plain, mut from, mut count) = (String::new(), 0, 0);
    for (span, word) in wording::words(line) {
        let behind = line[span.end..].trim_start();
        let before = line[..span.start].trim_end();
        let begins = || before.is_empty() || before.ends_with([',', ';', ':']);
        // "paid with amex" is said of it.
        let is_bare = || begins() && !Class::BeforeMeans.contains(wording::first_word(behind));
        let value = behind.strip_prefix([':', '=']).or_else(|| is_bare().then_some(behind));
        if let Some((value, says)) = value.zip(Class::LabelOfForm.says(&word)) {
            plain.extend([&line[from..span.start], says, if says.is_empty() { "" } else { " " }]);
            (from, count) = (line.len() - value.trim_start().len(), count + 1);
        }
    }
    (count > 1).then(|| plain + &line[from..])
}

/// "note: with Anna", "add a note: with Anna", of what was spoken of.
fn noted(line: &str) -> Option<String> {
    let (lead, note) = line.split_once(':')?;
    let lead = wording::words(lead);
    let says = |class: Class| move |(_, word): &wording::Word<'_>| class.contains(word);
    let is_order = lead.iter().any(says(Class::WordsForNotes)) && lead.iter().all(says(Class::BeforeWordsForNotes));
    (is_order && !note.trim().is_empty()).then(|| format!("add a note that {}", note.trim()))
}

/// "/add coffee 3", as other bots are told. What only a command means has patterns of its own.
fn commanded(line: String, reader: Reader) -> String {
    let Some(rest) = line.strip_prefix(['/', '!', '$']).filter(|rest| rest.starts_with(char::is_alphabetic)) else {
        return line;
    };
    let command = format!("slashcommand {rest}");
    if frames::meaning(&command, reader).is_some() {
        return command;
    }
    let short = wording::first_word(rest);
    if let Some(verb) = Class::Slash.says(&short).filter(|_| !wording::rest(rest).is_empty()) {
        return format!("{verb} {}", wording::rest(rest));
    }
    let is_name = !Class::CommandOfOthers.contains(&short);
    match read(rest, reader) {
        // "/lunch 12"; the word of another command names nothing that was bought.
        Intent::Add(adding) if !adding.explicit => match wording::words(rest).get(1) {
            Some((span, _)) if is_name && rest[span.start..].starts_with(|it: char| it.is_ascii_digit()) => {
                rest.to_owned()
            }
            _ => command,
        },
        _ => rest.to_owned(),
    }
}

/// A line that is only a day is said of those after it; one that only announces them is no part of the first.
fn under_headings(lines: Vec<String>, reader: Reader) -> Vec<String> {
    let is_priced = |line: &String| !reader.amounts(line).is_empty();
    if lines.iter().filter(|line| is_priced(line)).count() < 2 {
        return lines;
    }
    let day = |line: &str| match reader.dates(line)[..] {
        [ref found] => wording::trimmed(&line[found.span.end..], &[], &[]).is_empty() && found.span.start == 0,
        _ => false,
    };
    // "Shopping", "milk 2", "bread 1.50": a title, with or without a colon.
    let is_named = |line: &String| is_priced(line) && line.starts_with(char::is_alphabetic);
    let is_title = || lines[0].ends_with(':') || lines[1..].iter().all(is_named);
    let announces = !is_priced(&lines[0]) && !day(&lines[0]) && is_title();
    let told = lines.iter().skip(usize::from(announces));
    let is_title_of_some = |line: &&String| line.ends_with(':') && !is_priced(line) && !day(line);
    let mut title = lines.first().filter(|_| announces && told.clone().any(|line| is_title_of_some(&line)));
    let are_parted = title.is_some();
    let mut heading = None;
    let mut under = Vec::new();
    for line in told {
        if day(line) && (heading.is_some() || under.is_empty()) {
            heading = Some(line.trim_end_matches(':'));
        } else if are_parted && is_title_of_some(&line) {
            title = Some(line);
        } else {
            let own = heading.filter(|_| reader.dates(line).is_empty());
            let line = own.map_or_else(|| line.clone(), |day| format!("{day}: {line}"));
            under.push(title.map_or(line.clone(), |title| format!("{line}, category {}", title.trim_end_matches(':'))));
        }
    }
    if are_parted {
        return under;
    }
    // "food:" is in which category they are.
    let is_category =
        |head: &str| Class::CommonCategory.says(&head.to_lowercase()).is_some() || head.starts_with("in ");
    let head = lines[0].trim_end_matches(':');
    if let Some(first) = under.first_mut().filter(|_| announces && is_category(head)) {
        *first = format!("{head}: {first}");
    }
    under
}

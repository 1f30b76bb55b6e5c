//! The category of an expense: in words that say so, as a tag, or beside it without any, as in "lunch 12 food".

use std::ops::Range;

use super::{Marked, name_in, wording};
use crate::phrases::{AmountMention, Class, Reader};

/// What parts it from the rest.
const MARKS: [char; 10] = [',', ';', '|', '-', '–', '>', '(', '@', '#', ':'];

impl Marked<'_> {
    /// The words that say the category of an expense, and its name in them.
    pub(super) fn filed(&self, segment: &Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
        let moved = |span: Range<usize>| segment.start + span.start..segment.start + span.end;
        let beside = || self.categories.iter().find(|span| segment.start <= span.start && span.end <= segment.end);
        let said = said(&self.text[segment.clone()]).map(|(words, name)| (moved(words), moved(name)));
        said.or_else(|| beside().map(|name| (name.clone(), name.clone())))
    }
}

/// "#food", "#work"
pub(super) fn tags(text: &str) -> Vec<Range<usize>> {
    let is_tag = |word: &str| word.strip_prefix('#').is_some_and(|name| name.starts_with(char::is_alphabetic));
    wording::words(text).into_iter().filter(|(_, word)| is_tag(word)).map(|(span, _)| span).collect()
}

/// "lunch 12 food", "coffee, 3.50, food": of one expense that has a name besides.
pub(super) fn beside(text: &str, amounts: &[AmountMention], reader: Reader) -> Option<Range<usize>> {
    let words = wording::words(text);
    let said: Vec<&str> = words.iter().map(|(_, word)| &**word).collect();
    // Most messages have none, and the rest takes long to find.
    (0..said.len()).find_map(|at| Class::CommonCategory.length(&said[at..]))?;
    let [price] = amounts else { return None };
    let days: Vec<usize> = reader.dates(text).into_iter().map(|found| found.span.start).collect();
    let is_name = |text: &str| {
        let days = reader.dates(text).into_iter().map(|found| found.span);
        name_in(&wording::without(text, days, &[])).contains(char::is_alphabetic)
    };
    let is_command = said.first().is_some_and(|first| Class::Commands.contains(first) || *first == "split");
    // "fuel 20 transport": what stands behind is the category.
    let places = [false, true].into_iter().flat_map(|heading| (0..words.len()).map(move |at| (heading, at)));
    places.filter(|_| !is_command).find_map(|(heading, at)| {
        let length = Class::CommonCategory.length(&said[at..])?;
        let (start, end) = (words[at].0.start, words[at + length - 1].0.end);
        let behind = text[end..].trim_start();
        let before =
            text[..start].trim_end_matches(MARKS).trim_end_matches(|mark| mark == ' ' || MARKS.contains(&mark));
        let between = &text[before.len()..start];
        let is_marked = between.contains(MARKS) && !before.to_lowercase().ends_with("category");
        let is_tagged = between.ends_with('@');
        let ends = behind.is_empty()
            || behind.starts_with([',', ';', ')']) && !is_name(behind)
            || days.contains(&(text.len() - behind.len()));
        // "180 EUR 3 Nov travel"
        let day = reader.dates(text).into_iter().find(|day| day.span.end == before.len());
        let told = day.map_or(before, |day| text[..day.span.start].trim_end());
        let is_behind = told.len() == price.span.end && is_name(&text[..price.span.start]);
        // "50 - food - McDonald's"
        let told = if price.span.start == 0 { before.get(price.span.end..).unwrap_or_default() } else { before };
        let is_first = || wording::trimmed(told, &[Class::NamingFront], &[]).is_empty();
        // "food 12 lunch", and not "food 12 for Anna" or "rent 950 every month".
        let heads = || {
            let after = wording::words(&text[price.span.end..]);
            let is_plain = |(at, (_, word)): (usize, &wording::Word<'_>)| {
                !Class::Closed.contains(word) && !Class::Means.contains(&**word)
                    || at > 0 && Class::JoinsFiled.contains(word)
            };
            let is_of_one_day = || reader.ranges(text).iter().all(|found| found.range.from == found.range.to);
            text.get(end..price.span.start).is_some_and(|between| between.trim().is_empty())
                && is_first()
                && after.iter().enumerate().all(is_plain)
                && is_of_one_day()
        };
        let opens = || is_first() && (behind.starts_with("- ") || behind.starts_with(['|', '>']));
        let is_meant = if heading { heads() || opens() } else { is_tagged || ends && (is_marked || is_behind) };
        let is_named = || is_name(&wording::without(text, [price.span.clone(), start..end], &[]));
        (is_meant && is_named()).then_some(start..end)
    })
}

/// "category food", "under food" or "in food", and which of those words is its name.
fn said(text: &str) -> Option<(Range<usize>, Range<usize>)> {
    let words = wording::words(text);
    let word = |at: usize| words.get(at).map_or("", |(_, word)| &**word);
    let said: Vec<&str> = words.iter().map(|(_, word)| &**word).collect();
    let known = |at: usize| said.get(at..).and_then(|words| Class::CommonCategory.length(words));
    // "put it under groceries": how many words lead there.
    let led = |from: usize| {
        let is_led = |length: &usize| {
            from.checked_sub(*length).is_some_and(|at| Class::Filing.length(&said[at..from]) == Some(*length))
        };
        (1..=3).rev().find(is_led).unwrap_or(0)
    };
    let is_capital =
        |at: usize| words.get(at).is_some_and(|(span, _)| text[span.clone()].starts_with(char::is_uppercase));
    let is_behind_shop = |at: usize| (0..at.saturating_sub(1)).any(|lead| Class::LeadsToShop.contains(word(lead)));
    // "cat:food"; a cat is fed without a colon.
    let is_label = |at: usize| {
        let labels = || Class::LabelOfForm.says(word(at)) == Some("category");
        Class::Category.contains(word(at)) || text[words[at].0.end..].starts_with(':') && labels()
    };
    for at in 0..words.len() {
        let (from, name) = match word(at) {
            _ if is_label(at) && at + 1 < words.len() && word(at + 1) != "for" => {
                let article = at > 0 && Class::CategoryArticle.contains(word(at - 1));
                let lead = at - usize::from(article);
                let led = lead > 0 && Class::BeforeCategorySaid.contains(word(lead - 1));
                let from = if led { lead - 1 } else { at };
                (from, at + 1 + usize::from(Class::IsOrOf.contains(word(at + 1))))
            }
            // "under the category drinks"
            verb if Class::FilesUnder.contains(verb)
                && word(at + 1 + usize::from(Class::MyOrThe.contains(word(at + 1)))) == "category" =>
            {
                continue;
            }
            // "Under Armour"
            "under" if at > 0 && is_capital(at) => continue,
            "under" => (at, at + 1 + usize::from(Class::MyOrThe.contains(word(at + 1)))),
            "in" if known(at + 1).is_some() => (at, at + 1),
            // "spent 42 at Aldi on groceries"
            "on" if known(at + 1).is_some() && is_behind_shop(at) => (at, at + 1),
            // "charge it to shopping"; "taxi to work" goes there.
            lead if Class::FiledTo.contains(lead) && known(at + 1).is_some() && led(at) > 0 => (at, at + 1),
            // "in the drinks category"
            verb if Class::FilesUnder.contains(verb) && (2..=4).any(|ahead| word(at + ahead) == "category") => {
                (at, at + 1 + usize::from(Class::MyOrThe.contains(word(at + 1))))
            }
            _ => continue,
        };
        let Some((span, _)) = words.get(name).filter(|(_, name)| name.chars().all(char::is_alphabetic)) else {
            continue;
        };
        // "eating out", and whatever ends a message after the word itself.
        let beside =
            |(this, next): (&wording::Word<'_>, &wording::Word<'_>)| text[this.0.end..next.0.start].trim().is_empty();
        let is_plain = |next: &wording::Word<'_>| {
            next.1.chars().all(char::is_alphabetic) && !Class::AfterCategory.contains(&*next.1)
        };
        let run = (name + 1..words.len())
            .take(2)
            .take_while(|at| beside((&words[at - 1], &words[*at])) && is_plain(&words[*at]));
        let last = match word(at) {
            _ if is_label(at) => run.last().unwrap_or(name),
            // "under Professional Fees"
            "under" if is_capital(name) && known(name).is_none() => {
                run.take_while(|at| is_capital(*at)).last().unwrap_or(name)
            }
            _ if word(name + 2) == "category" => name + 1,
            _ => name + known(name).unwrap_or(1 + usize::from(word(name + 1) == "out")) - 1,
        };
        let from = from - led(from);
        let span = span.start..words[last].0.end;
        let after = usize::from(word(last + 1) == "category");
        return Some((words[from].0.start..words[last + after].0.end, span));
    }
    None
}

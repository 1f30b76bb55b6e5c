//! What a thing is called, in the words that are left around an amount and a day.
//!
//! It knows no amounts and no days, and does not say whether something is to be added.

use super::wording;
use crate::phrases::Class;

/// Without the words around it. What greets may also begin a name, as in "Just Eat" and "Well Pharmacy": it only goes
/// before a mark or another word of that kind.
pub(super) fn name_in(text: &str) -> &str {
    // "Kino hat 20 gekostet", "tea 2 or so"
    let told = text.trim_end_matches(['.', '!', ',', ' ']);
    let mut closing =
        Class::BehindName.all().iter().filter_map(|(closing, _)| told.strip_suffix(closing)?.strip_suffix(' '));
    let text = closing.next().unwrap_or(text);
    let mut name = wording::trimmed(after_particle(text), &[Class::NamingFront], &[Class::BehindItem]);
    // "new expense coffee"
    if wording::first_word(name) == "new" && Class::CalledNew.contains(wording::first_word(wording::rest(name))) {
        name = wording::trimmed(wording::rest(name), &[Class::NamingFront], &[Class::BehindItem]);
    }
    while let Some(rest) = after_greeting(name).or_else(|| after_article(name)).or_else(|| after_recipient(name)) {
        name = wording::trimmed(rest, &[Class::NamingFront], &[Class::BehindItem]);
    }
    if is_company(text) { "" } else { with_total(text, name) }
}

/// Whether any name is left.
pub(super) fn is_named(text: &str) -> bool {
    name_in(text).contains(char::is_alphabetic)
}

/// "Total war game", "diesel at Total": beside a bare name it does not sum anything up.
fn with_total<'t>(text: &'t str, name: &'t str) -> &'t str {
    let words = wording::words(text);
    if let [.., (_, lead), (last, total)] = &words[..]
        && total == "total"
        && Class::LeadsToShop.contains(lead)
        && !name.is_empty()
        && let Some(start) = text.find(name)
    {
        return &text[start..last.end];
    }
    let led = !name.is_empty() && wording::first_word(text) == "total" && wording::rest(text).starts_with(name);
    let start = text.len() - text.trim_start().len();
    if led { text[start..].get(.."total ".len() + name.len()).unwrap_or(name) } else { name }
}

/// "spent 12 with Anna": with whom, and not for what.
fn is_company(text: &str) -> bool {
    let words = wording::words(text);
    let is_led = |(_, word): &&wording::Word<'_>| Class::NamingFront.contains(word) && word != "with";
    words.iter().find(|word| !is_led(word)).is_some_and(|(_, word)| Class::NamesCompany.contains(word))
}

/// What of a message expenses are read in: the words that only lead up to it may be the beginning of a name.
pub(super) fn body<'t>(text: &'t str, command: &'t str) -> &'t str {
    let lead = text.strip_suffix(command).unwrap_or_default();
    let words = wording::words(lead);
    let Some((span, _)) = words.last().filter(|(_, word)| Class::Greetings.contains(word)) else {
        return command;
    };
    if after_greeting(&text[span.start..]).is_some() { command } else { &text[span.start..] }
}

/// "put down 3 for coffee", "paid off the card"; "pour le ciné", where "la Redoute" is a name.
fn after_particle(text: &str) -> &str {
    let words = wording::words(text);
    let said: Vec<&str> = words.iter().map(|(_, word)| &**word).collect();
    let leads = said.iter().take_while(|word| Class::NamingFront.contains(word)).count();
    let past = |at: usize, verbs: Class| Some(at + verbs.length(&said[at..])? - 1);
    let last = (0..=leads).find_map(|at| past(at, Class::NamingVerbs));
    let last = last.or_else(|| (1..said.len()).find_map(|at| past(at, Class::Charged)));
    last.map_or(text, |last| &text[words[last].0.end..])
}

/// "die Miete", "la luz"; "la Redoute" is a name.
fn after_article(name: &str) -> Option<&str> {
    let (article, rest) = name.split_once(' ')?;
    let may_be_capital = !Class::NamingArticle.says(article)?.is_empty();
    (may_be_capital || rest.starts_with(char::is_lowercase)).then_some(rest)
}

/// "bought my daughter a pair of shoes"
fn after_recipient(name: &str) -> Option<&str> {
    let (who, rest) = name.split_once(' ')?;
    let is_given = Class::Relation.contains(who.to_lowercase())
        && Class::ArticleBehindRecipient.contains(wording::first_word(rest));
    is_given.then_some(rest)
}

fn after_greeting(text: &str) -> Option<&str> {
    if let Some((_, rest)) = text.split_once([',', '!', ':', ';', '…']).filter(|(said, _)| wording::is_filler(said)) {
        return Some(rest);
    }
    let words = wording::words(text);
    let (span, _) = words.first().filter(|(_, word)| Class::Greetings.contains(word))?;
    let rest = &text[span.end..];
    let next = words.get(1).map_or("", |(_, word)| &**word);
    let is_apart = rest.starts_with([',', '!', ':', ';', '.', '…']);
    let goes_on = rest.starts_with(' ') && (Class::NamingFront.contains(next) || Class::Greetings.contains(next));
    (is_apart || goes_on).then_some(rest)
}

//! Budgets said without what mostly leads to one: "cap eating out at 80", "budget food 200", "200 food budget".

use super::{LOWERING, RAISING, period_of, speech, wording};
use crate::{
    phrases::{AmountMention, CATEGORIES, Reader, is_one_of},
    shown::Shown,
};

/// "cap eating out at 80 a week": the same as an order for a budget.
pub(super) fn capped(command: &str, words: &[wording::Word<'_>], reader: Reader) -> Option<String> {
    const CAPPING: [&str; 3] = ["cap", "limit", "restrict"];
    const AROUND: [&str; 7] = ["my", "our", "the", "spending", "spend", "on", "for"];
    let (verb, _) = words.first().filter(|(_, word)| is_one_of(word, &CAPPING))?;
    // Alone, "at 10" is an hour.
    let (name, limit) = match words.iter().rfind(|(_, word)| matches!(&**word, "at" | "to")) {
        Some((link, _)) => (command.get(verb.end..link.start)?, &command[link.end..]),
        // "cap food 80", where a "cap blue 15" was bought.
        None => {
            let (category, _) = words.get(1).filter(|(_, word)| is_one_of(word, &CATEGORIES))?;
            command[verb.end..].split_at_checked(category.end - verb.end)?
        }
    };
    let name = wording::trimmed(name, &AROUND, &["spending"]);
    let is_name = !name.is_empty() && wording::words(name).iter().all(|(_, word)| is_name(word));
    (is_name && reader.amounts(limit).len() == 1).then(|| format!("budget {} for {name}", limit.trim()))
}

/// Prefix of the kind of record.
const BUDGET: &str = "MB";

/// "and 100 for transport", after a budget was shown or set: another one.
pub(super) fn another(said: &str, told: &Shown, reader: Reader) -> Option<String> {
    let line = told.written.as_ref().or(told.proposal.as_ref())?.only()?;
    if !matches!(&*line.verb, "add" | "change") || line.row()?.kind != BUDGET {
        return None;
    }
    let rest = wording::trimmed(said, &["and", "also", "then", "plus", "another"], &["please", "too", "as", "well"]);
    let amounts = reader.amounts(rest);
    let [amount] = &amounts[..] else { return None };
    let is_period = |word: &str| period_of(word).is_some() || matches!(word, "a" | "per" | "each" | "every");
    let for_what = |text: &str| {
        let next = wording::words(text).into_iter().map(|(_, word)| word).find(|word| !is_period(word));
        next.is_some_and(|word| word == "for")
    };
    let is_one = for_what(rest) || amount.span.start == 0 && for_what(&rest[amount.span.end..]);
    (is_one && !said.contains('?')).then(|| format!("budget {rest}"))
}

/// "budget food 200", "budget 200 food": what stands beside the amount; not "budget hotel 80", which was bought.
pub(super) fn beside(command: &str, words: &[wording::Word<'_>], amounts: &[AmountMention]) -> Option<String> {
    let [amount] = amounts else { return None };
    let is_period = |word: &str| period_of(word).is_some() || matches!(word, "a" | "per" | "each" | "every");
    let others = || words.iter().skip(1).filter(|(_, word)| !is_period(word));
    let before: Vec<_> = others().filter(|(span, _)| span.end <= amount.span.start).collect();
    let after: Vec<_> = others().filter(|(span, _)| span.start >= amount.span.end).collect();
    let named = match (before.len(), after.len()) {
        (1..=3, 0) => before,
        (0, 1..=3) => after,
        _ => return None,
    };
    let name = command.get(named.first()?.0.start..named.last()?.0.end)?;
    (named.iter().all(|(_, word)| is_name(word)) && !speech::is_bought_cheaply(name)).then(|| name.to_owned())
}

/// "from january", "this month": a budget begins when it is set, and goes on.
pub(super) fn is_of_other_days(command: &str, reader: Reader) -> bool {
    const LEADS: [&str; 8] = ["from", "starting", "beginning", "since", "until", "till", "ab", "desde"];
    let led = |start: usize| wording::words(&command[..start]).pop().is_some_and(|(_, word)| LEADS.contains(&&*word));
    reader.ranges(command).iter().any(|found| found.range.from != found.range.to)
        || reader.dates(command).iter().any(|found| led(found.span.start))
}

/// What comes after "for" or "on", or just before "budget".
pub(super) fn category(
    command: &str,
    words: &[wording::Word<'_>],
    budget: usize,
    amounts: &[AmountMention],
) -> Option<String> {
    // "A budget of three hundred"
    let is_name = |(span, word): &&wording::Word<'_>| {
        is_name(word) && !amounts.iter().any(|amount| amount.span.contains(&span.start))
    };
    let leads = |at: &usize| match &*words[*at].1 {
        "for" | "on" | "für" | "pour" | "para" => true,
        "of" => *at == budget + 1,
        _ => false,
    };
    let named = (0..words.len()).filter(leads).find_map(|at| {
        let articles = |(_, word): &&wording::Word<'_>| matches!(&**word, "the" | "my" | "our" | "a" | "an");
        let named: Vec<_> = words[at + 1..].iter().skip_while(articles).take_while(is_name).collect();
        Some(command[named.first()?.0.start..named.last()?.0.end].to_owned())
    });
    if named.is_some() {
        return named;
    }
    // "monthly budget 200 food"
    let price = (budget + 1..words.len()).find(|at| words[*at].1.starts_with(|mark: char| mark.is_ascii_digit()));
    let behind = price.and_then(|price| words.get(price + 1)).filter(is_name);
    if let Some((_, name)) = behind {
        return Some(name.clone().into_owned());
    }
    let (_, before) = words.get(budget.checked_sub(1)?).filter(is_name)?;
    Some(before.clone().into_owned())
}

fn is_name(word: &str) -> bool {
    const NONE: [&str; 57] = [
        "compared", "by", "more", "less", "extra", "another", "additional", "from", "off", "up", "down", "give",
        "take", "over", "under", "within", "still", "budget", "budgets", "today", "a", "an", "the", "my", "our", "is",
        "of", "to", "at", "per", "each", "every", "this", "it", "set", "make", "create", "change", "add", "new", "put",
        "keep", "remove", "delete", "drop", "cancel", "clear", "show", "list", "what", "what's", "what’s", "whats",
        "how", "everything", "total", "much",
    ];
    ![&NONE[..], &RAISING, &LOWERING].into_iter().any(|list| list.contains(&word))
        && period_of(word).is_none()
        && word.chars().all(|mark| mark.is_alphabetic() || "-&'’".contains(mark))
}

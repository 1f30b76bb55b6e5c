//! What is remembered, in words: "put it in food" after an add, "budget 200 for food", "rent 950 every month".
//!
//! Which row "it" is stands in what the person was told last; whether there is one is for the tools to find out.

use std::ops::Range;

use serde_json::{Value, json};

use super::{
    Message, Question, Reply,
    adding::Said,
    changing::{Changing, IT},
    conversation::one,
    corrections::EXPENSE,
    currency::currency_alone,
    drafting::drafts,
    entries::{self, Entry},
    looking::which_amount,
    options::{self, Asking},
    speech, wording,
};
use crate::{
    phrases::{
        AmountMention, CurrencyMention, DateRange, DateReading, Reader, Reading,
        frequency::{self, Unit},
        is_one_of,
    },
    shown::Shown,
};

mod budgets;
mod often;

const ASKING: [&str; 12] =
    ["what", "what's", "what’s", "whats", "how", "show", "list", "which", "is", "am", "are", "see"];

/// What may stand around an amount that answers.
const AROUND: &[&str] = &["each", "every", "it", "is", "it's", "make", "about", "at", "most", "please", "a", "per"];

/// `turns` are the last message and those before it that it goes on from, each with the question it answers.
pub(super) fn read(messages: &[Message], turns: &[(Asking, String)], reader: Reader) -> Option<Reply> {
    if let [.., told, Message::User(said)] = messages
        && let Some(told) = told.shown()
        && let Some(reply) =
            filed(said, told, reader).or_else(|| budget(&budgets::another(said, told, reader)?, &[], reader))
    {
        return Some(reply);
    }
    // "The recurring one" may be an answer.
    let is_picked = |(question, answer): &(Asking, String)| entries::picked(answer, question).is_some();
    if turns.last().is_some_and(|turn| !turn.0.is_for("item") && is_picked(turn)) {
        return None;
    }
    let command = |first: &str, answers: &[(Asking, String)]| {
        budget(first, answers, reader).or_else(|| recurring(first, answers, reader))
    };
    // What is a command by itself answers nothing.
    let at = turns.iter().rposition(|(_, said)| command(said, &[]).is_some())?;
    // What was asked for a yes or a no is read by others, and what follows it is something new.
    if turns[at + 1..].iter().any(|(question, _)| question.proposes) {
        return None;
    }
    let chosen = |(question, answer): &(Asking, String)| {
        (question.clone(), options::chosen(answer, question).unwrap_or_else(|| answer.clone()))
    };
    command(&turns[at].1, &turns[at + 1..].iter().map(chosen).collect::<Vec<_>>())
}

/// "rent 950 every month on the 1st", "stop the rent entry", "what recurs?".
fn recurring(first: &str, answers: &[(Asking, String)], reader: Reader) -> Option<Reply> {
    const STOPPING: [&str; 3] = ["stop", "end", "cancel"];
    const REMOVING: [&str; 3] = ["remove", "delete", "drop"];
    let command = wording::after_courtesies(first).trim_end_matches(['.', '!', '?', ' ']);
    let command = wording::trimmed(command, &[], &["please", "thanks"]);
    let words = wording::words(command);
    let asks = ["when", "what", "what's", "whats"].contains(&words.first().map_or("", |(_, word)| &**word));
    let names_it = |word: &str| {
        word.starts_with("recur") || word.starts_with("repeat") || word == "subscription" || asks && word == "due"
    };
    let named = words.iter().any(|(_, word)| names_it(word));
    let opening = words.first().map_or("", |(_, word)| &**word);
    let spoken = period_span(&words).or_else(|| rate_span(command, &words, reader));
    // "end table 40" is no end of anything.
    let stops = STOPPING.contains(&opening) && words.len() > 1 && reader.amounts(command).is_empty();
    if stops || REMOVING.contains(&opening) && (named || spoken.is_some()) {
        const AROUND: [&str; 10] =
            ["the", "my", "that", "entry", "entries", "every", "each", "paying", "adding", "asking"];
        let about = |word: &str| !AROUND.contains(&word) && !names_it(word) && period_of(word).is_none();
        let item: Vec<&str> = words[1..].iter().map(|(_, word)| &**word).filter(|word| about(word)).collect();
        // "cancel that" points at what waits, and "cancel all" at more than one.
        let item = item.join(" ");
        if let Some((question, answer)) = answers.last() {
            let entry = entries::picked(answer, question).filter(|_| question.is_for("item"));
            return entry.map(Entry::stopped);
        }
        return (!item.is_empty() && !speech::is_filler(&item)).then(|| one("stop_recurring", json!({ "item": item })));
    }
    let listed = words.iter().any(|(_, word)| word == "subscriptions")
        && matches!(opening, "what" | "which" | "what's" | "whats")
        && reader.ranges(command).is_empty();
    if (named || listed) && reader.amounts(command).is_empty() {
        return Some(one("list_recurring", json!({})));
    }
    if let Some(text) = often::without_calling(command, &words)
        && !ASKING.contains(&opening)
        && !first.contains('?')
    {
        return match (spoken, answers) {
            (Some(_), _) => recurring(&text, answers, reader),
            (None, []) => (reader.amounts(&text).len() == 1).then(|| Reply::Ask(often::how_often())),
            (None, [(_, answer), rest @ ..]) => {
                recurring(&format!("{text} every {}", period(&wording::words(answer))?), rest, reader)
            }
        };
    }
    let (span, every) = spoken.filter(|_| !ASKING.contains(&opening) && !first.contains('?'))?;
    // "on the 15th of every month"
    let before = wording::trimmed(&command[..span.start], &[], &["of", "due"]);
    let text = format!("{before} {}", command[span.end..].trim_start());
    let text = match opening {
        // "change netflix to 13 every month"
        "change" | "update" | "set" | "make" => wording::rest(&text).replacen(" to ", " ", 1),
        _ => text,
    };
    let (text, until) = cut(&text, &["until", "till"]);
    let (text, starting) = cut(&text, &["starting", "beginning", "from", "since"]);
    // A month without a 31st has it on its last day.
    let (text, last) = match (every, text.find(LAST_DAY)) {
        ("month", Some(at)) => {
            (format!("{}{}", &text[..at], &text[at + LAST_DAY.len()..]), Some("the 31st".to_owned()))
        }
        _ => (text, None),
    };
    let on = match reader.dates(&text).as_slice() {
        [] => last,
        // "On the first" is a day only beside a price.
        [day] => match (&text[day.span.clone()], &day.reading) {
            (said, DateReading::On(day)) if reader.resolve_date(said).is_err() => Some(format!("on the {}", day.day())),
            (said, _) => Some(said.to_owned()),
        },
        _ => return None,
    };
    let [draft] = drafts(&text, reader).try_into().ok()?;
    let (Some(item), Said::Exactly(amount)) = (draft.item, draft.amount) else { return None };
    // "on the last day of every month"
    if wording::words(&item).iter().any(|(_, word)| matches!(&**word, "on" | "day")) {
        return Some(Reply::Say(wording::NOT_SO_OFTEN.to_owned()));
    }
    let mut arguments = json!({ "item": item, "amount": amount, "every": every });
    let mut currency = match draft.currency {
        Said::Exactly(code) => Some(code),
        _ => None,
    };
    for (_, answer) in answers {
        let Some(Said::Exactly(code)) = currency_alone(answer, reader) else { return None };
        currency = Some(code);
    }
    let given = [("currency", currency), ("category", draft.category), ("starting", starting.or(on)), ("until", until)];
    for (name, value) in given {
        if let Some(value) = value {
            arguments[name] = json!(value);
        }
    }
    Some(one("set_recurring", arguments))
}

const LAST_DAY: &str = "on the last day";

/// The text before one of these words, and what comes after it.
fn cut(text: &str, marks: &[&str]) -> (String, Option<String>) {
    let words = wording::words(text);
    match words.iter().find(|(_, word)| is_one_of(word, marks)) {
        Some((span, _)) => (text[..span.start].trim().to_owned(), Some(text[span.end..].trim().to_owned())),
        None => (text.to_owned(), None),
    }
}

/// "every month", "each week", "monthly".
fn period_span(words: &[wording::Word<'_>]) -> Option<(Range<usize>, &'static str)> {
    let lone = words.iter().position(|(_, word)| word.ends_with("ly") && period_of(word).is_some());
    let names = |at: &usize| words.get(at + 1).is_some_and(|(_, word)| frequency::names_a_thing(word));
    if let Some((span, word)) = lone.filter(|at| !names(at)).map(|at| &words[at]) {
        return Some((span.clone(), period_of(word)?));
    }
    words.windows(2).find_map(|pair| {
        let [(first, every), (last, period)] = pair else { return None };
        let repeats = matches!(&**every, "every" | "each");
        Some((first.start..last.end, period_of(period).filter(|_| repeats)?))
    })
}

/// "netflix 12 a month": right behind what it is; "a week ago" is a day.
fn rate_span(command: &str, words: &[wording::Word<'_>], reader: Reader) -> Option<(Range<usize>, &'static str)> {
    const DAYS: [&str; 6] = ["ago", "back", "before", "after", "later", "earlier"];
    let at = words.windows(2).position(|pair| matches!(&*pair[0].1, "a" | "per") && period_of(&pair[1].1).is_some())?;
    let is_day = words.get(at + 2).is_some_and(|(_, word)| is_one_of(word, &DAYS));
    let span = words[at].0.start..words[at + 1].0.end;
    let is_priced = |end: usize| command.get(end..span.start).is_some_and(|between| between.trim().is_empty());
    let follows = reader.amounts(command).iter().any(|found| is_priced(found.span.end));
    (follows && !is_day).then_some((span, period_of(&words[at + 1].1)?))
}

fn period_of(word: &str) -> Option<&'static str> {
    match frequency::english(word)? {
        Unit::Week => Some("week"),
        Unit::Month => Some("month"),
        Unit::Year => Some("year"),
        Unit::Day | Unit::Other => None,
    }
}

/// "budget 200 a month for food", "what's my budget?", "remove the food budget".
fn budget(first: &str, answers: &[(Asking, String)], reader: Reader) -> Option<Reply> {
    const OPENING: [&str; 16] = [
        "set", "make", "create", "change", "add", "my", "the", "a", "our", "new", "put", "keep", "give", "take",
        "subtract", "deduct",
    ];
    const REMOVING: [&str; 7] = ["remove", "delete", "drop", "cancel", "clear", "stop", "end"];
    let command = &frequency::without_rates(wording::after_courtesies(first));
    let command = wording::trimmed(command, &[], &["please", "thanks", "now", "too", "then", "instead"]);
    let words = wording::words(command);
    let Some(at) = words.iter().position(|(_, word)| matches!(&**word, "budget" | "budgets")) else {
        let ordered = || budgets::capped(command, &words, reader);
        return left(command, &words, reader).or_else(|| budget(&ordered()?, answers, reader));
    };
    let opens = |list: &[&str]| words.first().is_some_and(|(_, word)| is_one_of(word, list));
    let mut amounts = reader.amounts(command);
    // "from 200 to 250"
    if let [from, to] = amounts.as_slice()
        && command[from.span.end..to.span.start].trim() == "to"
    {
        amounts.remove(0);
    }
    if !amounts.is_empty() && words.iter().any(|(_, word)| is_one_of(word, &["except", "but", "excluding", "without"]))
    {
        return Some(Reply::Say(wording::ONE_CATEGORY.to_owned()));
    }
    let beside = || budgets::beside(command, &words, &amounts).filter(|_| at == 0);
    let category = budgets::category(command, &words, at, &amounts).or_else(beside);
    if opens(&REMOVING) && amounts.is_empty() {
        return Some(set(category, period(&words), json!("0"), None, Step::Set));
    }
    const ALONE: [&str; 7] = ["my", "our", "the", "all", "budget", "budgets", "status"];
    let alone = words.iter().all(|(_, word)| is_one_of(word, &ALONE));
    // "Was I over budget last month?"
    let is_past = |range: DateRange| range.to < reader.today;
    if amounts.is_empty() && reader.ranges(command).iter().any(|found| is_past(found.range)) {
        return Some(Reply::Say(wording::BUDGETS_ARE_NOW.to_owned()));
    }
    if amounts.is_empty() && (opens(&ASKING) || first.contains('?') || alone) {
        let arguments = category.map_or_else(|| json!({}), |category| json!({ "category": category }));
        return Some(one("get_budgets", arguments));
    }
    // "budget hotel 80" is something that was bought.
    let led = [&OPENING[..], &REMOVING, &RAISING, &LOWERING].into_iter().any(opens)
        || words.first().is_some_and(|(_, word)| period_of(word).is_some())
        || at <= 1 && category.is_some()
        // "200 food budget"
        || amounts.first().is_some_and(|found| found.span.start == 0) && at + 1 == words.len();
    let follows = words.get(at + 1).is_none_or(|(span, word)| {
        const FOLLOWING: [&str; 16] = [
            "of", "for", "on", "is", "to", "at", "a", "per", "each", "every", "in", "by", "from", "up", "down",
            "another",
        ];
        is_one_of(word, &FOLLOWING)
            || period_of(word).is_some()
            || at == 0 && category.as_ref().is_some_and(|name| command[span.start..].starts_with(name.as_str()))
            || amounts.iter().any(|found| found.span.contains(&span.start))
    });
    if !follows || !(led || at == 0) {
        return None;
    }
    if !amounts.is_empty() && budgets::is_of_other_days(command, reader) {
        return Some(Reply::Say(wording::BUDGETS_GO_ON.to_owned()));
    }
    let mut currency = None;
    let mut amount = amount_in(&amounts, &mut currency)?;
    let mut period = period(&words);
    if period.is_none() && !amounts.is_empty() && is_of_another_period(&words) {
        return Some(Reply::Say(wording::NO_SUCH_BUDGET.to_owned()));
    }
    let mut step = amounts.first().map_or(Step::Set, |found| Step::read(&words, at, found));
    for (_, answer) in answers {
        let answer = &frequency::without_rates(answer);
        let said = wording::words(answer);
        let found = reader.amounts(answer);
        if let Some(Said::Exactly(code)) = currency_alone(answer, reader) {
            currency = Some(code);
        } else if let Some(named) = self::period(&said).filter(|_| found.is_empty()) {
            period = Some(named);
        } else if let (Step::Open(way), Some(word @ ("by" | "to"))) = (step, said.first().map(|(_, word)| &**word)) {
            step = if word == "by" { Step::By(way) } else { Step::Set };
        } else if let ([mention], true) = (found.as_slice(), said.len() <= 5) {
            let rest = wording::without(answer, std::slice::from_ref(&mention.span), &[]);
            let rest = wording::words(wording::trimmed(&rest, AROUND, AROUND));
            period = self::period(&rest).or(period);
            // "lunch 12" is something new.
            if rest.iter().any(|(_, word)| period_of(word).is_none()) {
                return None;
            }
            (amount, step) = (amount_in(&found, &mut currency)?, Step::Set);
        } else {
            return None;
        }
    }
    match amount {
        Reading::Exact(amount) if matches!(step, Step::Open(_)) => Some(Reply::Ask(Question {
            text: format!("Should the budget change by {amount}, or to {amount}?"),
            options: vec![format!("by {amount}"), format!("to {amount}")],
            missing: vec!["amount"],
        })),
        Reading::Exact(amount) => Some(set(category, period, json!(amount), currency, step)),
        Reading::Ambiguous(options) if options.is_empty() => Some(Reply::Ask(Question {
            text: "How much is the budget?".to_owned(),
            missing: vec!["amount"],
            ..Question::default()
        })),
        Reading::Ambiguous(options) => Some(Reply::Ask(which_amount(&options, reader))),
    }
}

/// What a budget's amount is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// The budget.
    Set,
    /// How much `more` or `less`.
    By(&'static str),
    /// "raise the budget 50": either.
    Open(&'static str),
}

const RAISING: [&str; 6] = ["increase", "raise", "up", "bump", "boost", "extend"];
const LOWERING: [&str; 6] = ["lower", "reduce", "decrease", "cut", "shrink", "drop"];

impl Step {
    /// "add 50 to", "increase … by 50", "50 less", of the amount and the word `budget`, by its place.
    fn read(words: &[wording::Word<'_>], budget: usize, found: &AmountMention) -> Step {
        let word = |at: Option<usize>| at.and_then(|at| words.get(at)).map_or("", |(_, word)| &**word);
        let after = words.iter().position(|(span, _)| span.start >= found.span.end);
        let before = words.iter().rposition(|(span, _)| span.end <= found.span.start);
        let (verb, next, last) = (word(Some(0)), word(after), word(before));
        let is_first = after.is_some_and(|after| after <= budget);
        let before_last = word(before.and_then(|at| at.checked_sub(1)));
        let takes = ["take", "remove", "subtract", "deduct"].contains(&verb);
        let way = match () {
            () if RAISING.contains(&verb) => "more",
            () if LOWERING.contains(&verb) => "less",
            // "food budget up by 20"
            () if last == "up" || before_last == "up" && last == "by" => "more",
            () if last == "down" || before_last == "down" && last == "by" => "less",
            () if next == "less" || takes && ["off", "from", "out"].contains(&next) => return Step::By("less"),
            () if matches!(next, "more" | "extra") || matches!(last, "extra" | "additional" | "another") => {
                return Step::By("more");
            }
            () if verb == "add" && is_first && matches!(next, "to" | "onto") => return Step::By("more"),
            () if verb == "put" && is_first && matches!(next, "to" | "in" | "into" | "on") => "more",
            () => return Step::Set,
        };
        match last {
            "to" | "at" => Step::Set,
            _ if last == "by" || matches!(next, "off" | "from" | "more" | "less") => Step::By(way),
            _ => Step::Open(way),
        }
    }
}

/// "a day", "quarterly": nothing that a budget is for.
fn is_of_another_period(words: &[wording::Word<'_>]) -> bool {
    let each = |pair: &[wording::Word<'_>]| {
        let lead = matches!(&*pair[0].1, "a" | "an" | "per" | "each" | "every");
        lead && frequency::unit(&pair[1].1).is_some()
    };
    words.windows(2).any(each) || words.iter().any(|(_, word)| frequency::adverb(word).is_some())
}

/// "how much do I have left for food?"
fn left(command: &str, words: &[wording::Word<'_>], reader: Reader) -> Option<Reply> {
    let asks = words.first().is_some_and(|(_, word)| is_one_of(word, &ASKING));
    let lower = command.to_lowercase();
    let spendable = ["can i spend", "can i still spend"].iter().any(|said| lower.contains(said));
    let left = words.iter().position(|(_, word)| matches!(&**word, "left" | "remaining"));
    let left = left.or(spendable.then_some(0)).filter(|_| asks && reader.amounts(command).is_empty())?;
    let category = budgets::category(command, words, left, &[])
        .filter(|_| words.iter().any(|(_, word)| word == "for" || word == "on"));
    Some(one("get_budgets", category.map_or_else(|| json!({}), |category| json!({ "category": category }))))
}

/// None where there are several; no options where there is none.
fn amount_in(amounts: &[AmountMention], currency: &mut Option<String>) -> Option<Reading> {
    match amounts {
        [] => Some(Reading::Ambiguous(vec![])),
        [found] => {
            if let CurrencyMention::Known(known) = &found.currency {
                *currency = Some(known.code().to_owned());
            }
            Some(found.reading.clone())
        }
        _ => None,
    }
}

fn set(category: Option<String>, period: Option<&str>, amount: Value, currency: Option<String>, step: Step) -> Reply {
    let mut arguments = json!({ "amount": amount });
    let step = match step {
        Step::By(way) => Some(way.to_owned()),
        Step::Set | Step::Open(_) => None,
    };
    let period = period.map(str::to_owned);
    for (name, value) in [("category", category), ("period", period), ("currency", currency), ("step", step)] {
        if let Some(value) = value {
            arguments[name] = json!(value);
        }
    }
    one("set_budget", arguments)
}

fn period(words: &[wording::Word<'_>]) -> Option<&'static str> {
    words.iter().find_map(|(_, word)| period_of(word))
}

/// "put it in food": the row that was added last, or the one that waits.
fn filed(said: &str, told: &Shown, reader: Reader) -> Option<Reply> {
    let (_, category) = Changing::put_in(said, reader).filter(|(it, _)| IT.contains(&it.to_lowercase().as_str()))?;
    if told.proposal.as_ref().is_some_and(|proposal| !proposal.is_numbered()) {
        return Some(one("revise_proposal", json!({ "edits": [{ "line": 1, "fields": { "category": category } }] })));
    }
    let added = told.written.as_ref()?.only().filter(|line| line.verb == "add")?.after.as_ref()?;
    let is_expense = added.kind == EXPENSE;
    is_expense.then(|| one("update_expense", json!({ "id": added.id, "category": category })))
}

//! Questions and small talk as patterns over typed slots, in `frames/*.txt`.
//!
//! A message matches a pattern with all its words or not at all. Of several matches the one that knows most of the words
//! counts. If two of the best ask about different things, none does; if they differ in the tool or its order alone, the
//! pattern that stands first counts.

use std::{
    cell::{Cell, OnceCell, RefCell},
    cmp::Ordering,
    collections::HashMap,
    ops::Range,
    rc::Rc,
};

use serde_json::{Map, Value, json};

use super::{
    Question, Reply,
    adding::Said,
    bounds,
    comparing::compared_days,
    conversation::one,
    currency::currency_alone,
    looking::{which_day, which_days},
    subjects::is_of_weekdays,
};
use crate::phrases::{
    CATEGORIES, Class, CurrencyMention, DateRange, DateReading, RangeMention, Reader, bounds::bound, is_one_of,
};
use grammar::{Act, FRAMES, Frame, Part, Slot, Word};

mod grammar;

/// No question is longer. In words.
const LONGEST: usize = 30;
/// Of one message. A pattern that repeats itself could otherwise take long.
const MOST_STEPS: usize = 20_000;
/// What is open costs more than what is not.
const OPEN: usize = 5;
/// What a word costs that a pattern says nothing of.
const ANY_WORD: usize = 10;

/// None if no pattern fits, or two that mean different things.
pub(super) fn read(text: &str, reader: Reader) -> Option<Reply> {
    matched(text, reader, false)
}

/// What is said to a question that nothing else reads.
pub(super) fn refusal(text: &str, reader: Reader) -> Option<Reply> {
    matched(text, reader, true)
}

fn matched(text: &str, reader: Reader, refused: bool) -> Option<Reply> {
    if !refused && is_of_weekdays(text) {
        return None;
    }
    let message = Message::read(text, reader)?;
    let first = message.words.first()?;
    let mut best: Vec<(usize, Reply)> = Vec::new();
    // "Coffee 3.50" is quickly done with.
    let is_priced = text.contains(|letter: char| letter.is_ascii_digit());
    let adds = is_priced && !Class::Closed.contains(first);
    for frame in FRAMES.of_words(&message.known, !adds).filter(|frame| matches!(frame.act, Act::Refuse(_)) == refused) {
        let mut search = Search { message: &message, frame, bound: Vec::new(), best: &mut best };
        search.walk(Some(&Todo { parts: &frame.pattern, next: None, met: None }), 0, 0);
    }
    // What was not tried might fit better.
    let is_whole = message.steps.get() <= MOST_STEPS;
    best.pop().filter(|_| best.is_empty() && is_whole).map(|(_, reply)| reply)
}

/// A message in words, with what the readers of days and amounts found in it.
struct Message {
    text: String,
    lower: String,
    words: Vec<String>,
    known: Vec<Word>,
    /// Of each word, in the text and in lower case.
    places: Vec<Range<usize>>,
    /// By the word they begin with.
    spans: OnceCell<Spans>,
    /// The same where "October to September" are two times and not one.
    paired: OnceCell<Spans>,
    /// What a slot can hold from a word on.
    held: RefCell<HashMap<(Slot, usize, bool), AllHeld>>,
    steps: Cell<usize>,
    reader: Reader,
}

/// What was found, and the word after it, by the word it begins with.
type Spans = Vec<Vec<(usize, Found)>>;

/// The word after what a slot holds, what that costs, and what it is.
type Held = (usize, usize, Found);
type AllHeld = Rc<Vec<Held>>;

/// What a slot of a pattern holds.
#[derive(Debug, Clone, PartialEq)]
enum Found {
    Days(DateRange),
    /// Two that follow each other. They are not compared.
    Joined(DateRange),
    /// Arguments of a tool.
    Bounds(Map<String, Value>),
    Value(Value),
    /// The same, as the least and the most.
    Amount(Map<String, Value>),
    Nothing,
    /// It has to be asked about first.
    OpenDays(Question),
    Open(Question),
}

impl Message {
    fn read(text: &str, reader: Reader) -> Option<Message> {
        let text = text.replace('’', "'");
        let lower: String = text.chars().map(lower_in_place).collect();
        let places = word_places(&lower);
        if places.is_empty() || places.len() > LONGEST {
            return None;
        }
        let words: Vec<String> = places.iter().map(|place| lower[place.clone()].replace('\'', "")).collect();
        let known = words.iter().map(|word| Word::of(word)).collect();
        Some(Message {
            text,
            lower,
            words,
            known,
            places,
            spans: OnceCell::new(),
            paired: OnceCell::new(),
            held: RefCell::default(),
            steps: Cell::new(0),
            reader,
        })
    }

    /// The words that a piece of the text touches.
    fn words_in(&self, span: &Range<usize>) -> Option<Range<usize>> {
        let from = self.places.iter().position(|place| place.end > span.start)?;
        let to = self.places.iter().rposition(|place| place.start < span.end)?;
        (from <= to).then_some(from..to + 1)
    }

    fn spans(&self, compares: bool) -> &Spans {
        if compares && self.lower.contains(" to ") && !self.lower.contains("from ") {
            return self.paired.get_or_init(|| self.found_in(&self.text.replace(" to ", " vs ")));
        }
        // "Last month's expenses", with every letter where it was.
        self.spans.get_or_init(|| self.found_in(&self.text.replace("'s ", "   ")))
    }

    fn found_in(&self, text: &str) -> Spans {
        let mut spans = vec![Vec::new(); self.places.len()];
        let lower: String = text.chars().map(lower_in_place).collect();
        for (span, found) in days_in(text, self.reader).into_iter().chain(bounds_in(text, &lower, self.reader)) {
            if let Some(Range { start, end }) = self.words_in(&span) {
                spans[start].push((end, found));
            }
        }
        spans
    }

    fn held(&self, slot: Slot, at: usize, compares: bool) -> AllHeld {
        let known = self.held.borrow().get(&(slot, at, compares)).cloned();
        known.unwrap_or_else(|| {
            let found = Rc::new(self.find(slot, at, compares));
            self.held.borrow_mut().insert((slot, at, compares), found.clone());
            found
        })
    }

    fn find(&self, slot: Slot, at: usize, compares: bool) -> Vec<Held> {
        match slot {
            Slot::Days(_) => self.days(at, compares),
            Slot::Bound => spanned(self.spans(false), at, |found| matches!(found, Found::Bounds(_) | Found::Open(_))),
            Slot::Count(_) => {
                count(&self.words[at]).map(|count| (at + 1, 0, Found::Value(count.into()))).into_iter().collect()
            }
            Slot::Rows | Slot::MoreRows => self.rows(at),
            Slot::Number => self.number(at),
            Slot::Exactly => spanned(self.spans(false), at, |found| matches!(found, Found::Amount(_))),
            Slot::Any if self.words[at].contains(|letter: char| letter.is_ascii_digit()) => Vec::new(),
            Slot::Any => vec![(at + 1, ANY_WORD, Found::Nothing)],
            Slot::Currency => self.currency(at),
            Slot::Zone => self.zone(at),
            Slot::Pair => self.pairs(at),
            Slot::Name(_) | Slot::Description | Slot::Names(_) | Slot::Known(_) | Slot::Second | Slot::Unused => {
                self.names(slot, at)
            }
        }
    }

    /// "in October", "over the last week"; alone, what may be a name is a month where nothing else fits.
    fn days(&self, at: usize, compares: bool) -> Vec<Held> {
        const LEADS: [&str; 13] =
            ["in", "for", "from", "during", "of", "on", "over", "at", "the", "within", "on the", "since", "so"];
        const MAY_BE_A_NAME: usize = 2;
        let spans = self.spans(compares);
        let mut held = Vec::new();
        let mut start = at;
        while start < self.words.len() && start <= at + 2 {
            held.extend(spanned(spans, start, |found| match found {
                Found::Days(_) | Found::OpenDays(_) => true,
                Found::Joined(_) => !compares,
                _ => false,
            }));
            if start == at || is_one_of(&self.words[start - 1], &LEADS) {
                let alone = self.reader.month_or_year(&self.words[start]);
                let is_known = !held.is_empty();
                held.extend(alone.filter(|_| !is_known).map(|days| (start + 1, MAY_BE_A_NAME, Found::Days(days))));
            }
            if !is_one_of(&self.words[start], &LEADS) {
                break;
            }
            start += 1;
        }
        held
    }

    fn rows(&self, at: usize) -> Vec<Held> {
        let digits = self.words[at].strip_prefix('#');
        let id = digits.and_then(|digits| digits.parse::<u64>().ok());
        id.map(|id| (at + 1, 0, Found::Value(json!([id])))).into_iter().collect()
    }

    fn number(&self, at: usize) -> Vec<Held> {
        let id = self.words[at].parse::<u64>().ok().filter(|id| !(1900..=2100).contains(id));
        id.map(|id| (at + 1, 0, Found::Value(json!([id])))).into_iter().collect()
    }

    fn currency(&self, at: usize) -> Vec<Held> {
        let found = match (currency_alone(&self.words[at], self.reader), self.reader.currency(&self.words[at])) {
            (Some(Said::Exactly(code)), _) => Found::Value(code.into()),
            (Some(Said::OneOf(many)), _) => Found::Open(self.which_currency(at, many)),
            (Some(Said::Shared), CurrencyMention::Ambiguous(many)) => {
                Found::Open(self.which_currency(at, many.iter().map(|currency| currency.code().to_owned()).collect()))
            }
            _ => return Vec::new(),
        };
        vec![(at + 1, 0, found)]
    }

    /// "Europe/Berlin", "New York": the tool knows which there are.
    fn zone(&self, at: usize) -> Vec<Held> {
        const LONGEST: usize = 3;
        let zone = |end: usize| &self.text[self.places[at].start..self.places[end - 1].end];
        let ends = at + 1..=self.words.len().min(at + LONGEST);
        ends.map(|end| (end, ANY_WORD * (end - at), Found::Value(zone(end).into()))).collect()
    }

    /// "show dollars"
    fn which_currency(&self, at: usize, codes: Vec<String>) -> Question {
        let Range { start, end } = self.places[at];
        let with = |code: &String| format!("{}{code}{}", &self.lower[..start], &self.lower[end..]);
        Question {
            text: "Which of these do you mean?".to_owned(),
            options: codes.iter().take(4).map(with).collect(),
            missing: vec!["currency"],
        }
    }

    /// One to three words, or several such joined by "and".
    fn names(&self, slot: Slot, at: usize) -> Vec<Held> {
        const COST: usize = 3;
        const LONGEST_NAME: usize = 6;
        let start = at + usize::from(Class::BeforeName.contains(&self.words[at]));
        let mut held = Vec::new();
        for end in start + 1..=self.words.len().min(start + LONGEST_NAME) {
            if !self.goes_on(end - 1) {
                break;
            }
            let Some(names) = self.names_in(start..end) else { continue };
            if matches!(slot, Slot::Known(_)) && !names.iter().all(|name| CATEGORIES.contains(name)) {
                continue;
            }
            let value = match slot {
                Slot::Names(_) => json!(names),
                Slot::Description => json!(self.lower[self.places[at].start..self.places[end - 1].end]),
                _ => json!(names.join(" and ")),
            };
            let cost = if matches!(slot, Slot::Known(_)) { 1 } else { COST * (end - start) };
            held.push((end, cost, Found::Value(value)));
        }
        held
    }

    /// "food or rent", "food or on rent"
    fn pairs(&self, at: usize) -> Vec<Held> {
        const BETWEEN: [&str; 8] = ["and", "or", "vs", "versus", "with", "to", "against", "vs."];
        const LINKS: [&str; 4] = ["on", "at", "in", "for"];
        let mut pairs = Vec::new();
        for (end, cost, one) in self.names(Slot::Name("category"), at) {
            let next = end + 1 + usize::from(self.words.get(end + 1).is_some_and(|word| is_one_of(word, &LINKS)));
            if !self.words.get(end).is_some_and(|said| is_one_of(said, &BETWEEN)) || next >= self.words.len() {
                continue;
            }
            for (end, more, other) in self.names(Slot::Name("category"), next) {
                if let (Found::Value(Value::String(one)), Found::Value(Value::String(other))) = (&one, &other) {
                    pairs.push((end, cost + more, Found::Value(format!("{one} and {other}").into())));
                }
            }
        }
        pairs
    }

    /// "rent and the taxis" without articles. None if they begin or end with words that sentences are made of.
    fn names_in(&self, words: Range<usize>) -> Option<Vec<&str>> {
        const LONGEST: usize = 3;
        let mut names = Vec::new();
        let mut rest = words;
        loop {
            let and = rest.clone().find(|at| self.words[*at] == "and").unwrap_or(rest.end);
            let is_led = rest.start < and && Class::BeforeName.contains(&self.words[rest.start]);
            let name = rest.start + usize::from(is_led)..and;
            let words = self.words.get(name.clone())?;
            let ([first, ..], [.., last]) = (words, words) else { return None };
            let is_inside = |word: &String| !Class::Closed.contains(word) || Class::ClosedWithinName.contains(word);
            if words.len() > LONGEST
                || Class::Closed.contains(first)
                || Class::Closed.contains(last)
                || !words.iter().all(is_inside)
                || words.iter().any(|word| Class::NoExpense.contains(word)) && !self.is_spent_on(name.start)
            {
                return None;
            }
            let is_money = words.len() == 1 && currency_alone(first, self.reader).is_some();
            let name = &self.lower[self.places[name.start].start..self.places[name.end - 1].end];
            if is_money || !name.contains(char::is_alphabetic) {
                return None;
            }
            names.push(name);
            if and == rest.end {
                return Some(names);
            }
            rest.start = and + 1;
        }
    }

    /// "my savings account" is no question about expenses, "spent on savings" and "show savings expenses" are.
    fn is_spent_on(&self, name: usize) -> bool {
        let follows_on = name > 0 && self.words[name - 1] == "on";
        follows_on || self.words.iter().any(|word| Class::Spending.contains(word))
    }

    /// Whether a word may be part of a name.
    fn goes_on(&self, at: usize) -> bool {
        let word = &self.words[at];
        let is_typed = self.spans(false)[at]
            .iter()
            .any(|(_, found)| matches!(found, Found::Days(_) | Found::Bounds(_) | Found::Amount(_)));
        !is_typed && !word.contains(|letter: char| letter.is_ascii_digit() || letter == '#')
    }
}

/// What a reply is about, whatever is asked about it.
fn filters(reply: &Reply) -> Vec<String> {
    const NONE: [&str; 7] = ["by", "order", "limit", "top", "average", "compare", "ids"];
    let Reply::Calls(calls) = reply else {
        return Vec::from_iter(matches!(reply, Reply::Ask(_)).then(|| format!("{reply:?}")));
    };
    let arguments = calls.iter().filter_map(|call| call.arguments.as_object()).flatten();
    let filters = arguments.filter(|(name, _)| !is_one_of(name, &NONE));
    let mut filters: Vec<String> =
        filters.map(|(_, value)| value.to_string().trim_matches(['[', ']']).to_owned()).collect();
    filters.sort();
    filters
}

fn days_in(text: &str, reader: Reader) -> Vec<(Range<usize>, Found)> {
    let ranges = reader.ranges(text);
    let mut found: Vec<_> = ranges.iter().map(|found| (found.span.clone(), Found::Days(found.range))).collect();
    // "October and November": one right after the other.
    for pair in ranges.windows(2) {
        let [RangeMention { span: one, range: first }, RangeMention { span: other, range: last }] = pair else {
            continue;
        };
        if text[one.end..other.start].trim() == "and" && first.to.tomorrow().is_ok_and(|day| day == last.from) {
            found.push((one.start..other.end, Found::Joined(DateRange { from: first.from, to: last.to })));
        }
    }
    for open in reader.dates(text) {
        if !matches!(open.reading, DateReading::On(_)) && !ranges.iter().any(|range| range.span == open.span) {
            let question = match &open.reading {
                DateReading::Ambiguous(days) if days.is_empty() => which_days(&text[open.span.clone()], reader),
                _ => which_day(open.reading, reader),
            };
            found.push((open.span, Found::OpenDays(question)));
        }
    }
    found
}

/// The second text is the first in small letters.
fn bounds_in(text: &str, lower: &str, reader: Reader) -> Vec<(Range<usize>, Found)> {
    let amounts: Vec<_> = reader.amounts(text).into_iter().map(|found| found.span).collect();
    let between = |from: &Range<usize>| lower[..from.start].trim_end().ends_with("between");
    let spans: Vec<Range<usize>> = match &amounts[..] {
        [from, to] if between(from) => lower[..from.start].rfind("between").map(|at| at..to.end).into_iter().collect(),
        amounts => amounts.iter().map(|span| bound(lower, span).map_or(span.clone(), |(_, span)| span)).collect(),
    };
    let exact = amounts.iter().filter(|span| bound(lower, span).is_none()).filter_map(|span| {
        let mut arguments = json!({});
        let is_exact = bounds::exactly(&mut arguments, &lower[span.clone()], reader);
        is_exact.then_some((span.clone(), Found::Amount(arguments.as_object()?.clone())))
    });
    let exact: Vec<_> = exact.collect();
    let found = spans.into_iter().filter_map(|span| {
        let mut arguments = json!({});
        match (bounds::add(&mut arguments, &lower[span.clone()], reader), arguments) {
            (Ok(()), Value::Object(arguments)) => Some((span, Found::Bounds(arguments))),
            (Err(question), _) => Some((span, Found::Open(question))),
            _ => None,
        }
    });
    found.chain(exact).collect()
}

fn spanned(spans: &Spans, at: usize, is_wanted: impl Fn(&Found) -> bool) -> Vec<Held> {
    let spans = spans.get(at).into_iter().flatten().filter(|(_, found)| is_wanted(found));
    spans
        .map(|(end, found)| {
            (*end, if matches!(found, Found::Open(_) | Found::OpenDays(_)) { OPEN } else { 0 }, found.clone())
        })
        .collect()
}

fn count(word: &str) -> Option<u64> {
    const WORDS: [&str; 11] =
        ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    let spelt = WORDS.iter().position(|known| *known == word).map(|at| at as u64 + 2);
    spelt.or_else(|| word.parse().ok()).filter(|count| (1..=500).contains(count))
}

/// Of as many bytes, so that both texts have the same places.
fn lower_in_place(letter: char) -> char {
    let mut lower = letter.to_lowercase();
    lower.next().filter(|one| lower.next().is_none() && one.len_utf8() == letter.len_utf8()).unwrap_or(letter)
}

fn word_places(text: &str) -> Vec<Range<usize>> {
    let is_mark = |letter: char| letter.is_whitespace() || ",;:?!…“”\"()¿¡".contains(letter);
    let mut places = Vec::new();
    let mut start = None;
    for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        match start {
            None if !is_mark(letter) => start = Some(at),
            Some(from) if is_mark(letter) => {
                let word = text[from..at].trim_end_matches(['.', '-', '\'']);
                // "Non-food"
                let head = from + if word.starts_with("non-") { "non-".len() } else { 0 };
                if head > from {
                    places.push(from..head - 1);
                }
                if !word.is_empty() {
                    places.push(head..from + word.len());
                }
                start = None;
            }
            _ => {}
        }
    }
    places
}

/// What is left of a pattern.
struct Todo<'p> {
    parts: &'p [Part],
    next: Option<&'p Todo<'p>>,
    /// Where the repetition that these parts begin with was met last.
    met: Option<usize>,
}

struct Search<'m> {
    message: &'m Message,
    frame: &'static Frame,
    bound: Vec<(Slot, Found)>,
    best: &'m mut Vec<(usize, Reply)>,
}

impl Search<'_> {
    fn walk(&mut self, todo: Option<&Todo<'_>>, at: usize, cost: usize) {
        let steps = &self.message.steps;
        steps.set(steps.get() + 1);
        if steps.get() > MOST_STEPS {
            return;
        }
        let Some(Todo { parts, next, met }) = todo else {
            if at == self.message.words.len() {
                self.matched(cost);
            }
            return;
        };
        let [part, rest @ ..] = parts else { return self.walk(*next, at, cost) };
        let after = Todo { parts: rest, next: *next, met: None };
        match part {
            Part::Word(word) => {
                if self.message.known.get(at) == Some(word) {
                    self.walk(Some(&after), at + 1, cost);
                }
            }
            Part::OneOf(choice) => {
                for way in choice.ways(self.message.known.get(at)) {
                    self.walk(Some(&Todo { parts: way, next: Some(&after), met: None }), at, cost);
                }
            }
            // What repeats nothing was tried before.
            Part::Many(_) if *met == Some(at) => {}
            Part::Many(repeated) => {
                self.walk(Some(&after), at, cost);
                if at < self.message.words.len() {
                    let again = Todo { parts, next: *next, met: Some(at) };
                    self.walk(Some(&Todo { parts: repeated, next: Some(&again), met: None }), at, cost);
                }
            }
            Part::Slot(slot) => {
                if at >= self.message.words.len()
                    || *slot != Slot::Any && self.bound.iter().any(|(bound, _)| bound == slot)
                {
                    return;
                }
                for (end, more, found) in self.message.held(*slot, at, self.frame.compares()).iter() {
                    self.bound.push((*slot, found.clone()));
                    self.walk(Some(&after), *end, cost + more);
                    self.bound.pop();
                }
            }
        }
    }

    fn matched(&mut self, cost: usize) {
        let cheapest = self.best.first().map_or(usize::MAX, |(cost, _)| *cost);
        let (Ordering::Less | Ordering::Equal, Some(reply)) = (cost.cmp(&cheapest), self.reply()) else { return };
        if cost < cheapest {
            self.best.clear();
        }
        // Of two questions about the same, the one whose pattern stands first is meant.
        if !self.best.iter().any(|(_, known)| filters(known) == filters(&reply)) {
            self.best.push((cost, reply));
        }
    }

    /// None if what it says of an argument is not the same everywhere.
    fn reply(&self) -> Option<Reply> {
        let (tool, fixed) = match &self.frame.act {
            Act::Say(text) | Act::Refuse(text) => return Some(Reply::Say((*text).to_owned())),
            Act::Call(tool, fixed) => (*tool, fixed),
        };
        // "Get a coat 200" is not about all that cost over 200.
        let is_of_a_name = self.bound.iter().any(|(slot, _)| matches!(slot, Slot::Name(_)));
        if is_of_a_name
            && self.bound.iter().any(|(slot, found)| *slot == Slot::Bound && matches!(found, Found::Open(_)))
        {
            return None;
        }
        let mut arguments = Value::Object(fixed.clone());
        let mut days = [None, None];
        for (slot, found) in &self.bound {
            match (slot, found) {
                (_, Found::Open(question) | Found::OpenDays(question)) => return Some(Reply::Ask(question.clone())),
                (Slot::Days(index), Found::Days(range) | Found::Joined(range)) => days[*index] = Some(*range),
                (_, Found::Bounds(bounds) | Found::Amount(bounds)) => {
                    let arguments = arguments.as_object_mut()?;
                    if bounds.iter().any(|(name, value)| arguments.get(name).is_some_and(|known| known != value)) {
                        return None;
                    }
                    arguments.extend(bounds.clone());
                }
                (Slot::Second, Found::Value(Value::String(name))) => {
                    let first = arguments["category"].as_str()?;
                    arguments["category"] = format!("{first} and {name}").into();
                }
                (Slot::Currency, Found::Value(code))
                    if arguments.get("currency").is_some_and(|known| known != code) =>
                {
                    return None;
                }
                (Slot::Unused | Slot::Any, _) | (_, Found::Nothing) => {}
                (Slot::MoreRows, Found::Value(ids)) => {
                    let known = arguments["ids"].as_array_mut()?;
                    known.extend(ids.as_array()?.iter().cloned());
                }
                (_, Found::Value(value)) => {
                    let name = slot.argument();
                    // A pattern may have a value of its own for what is not said.
                    if !fixed.contains_key(name) && arguments.get(name).is_some_and(|known| known != value) {
                        return None;
                    }
                    arguments[name] = value.clone();
                }
                (_, Found::Days(_) | Found::Joined(_)) => {}
            }
        }
        let range = match self.frame.compares() {
            true => match compared_days(days, self.message.reader) {
                Ok(range) => Some(range),
                Err(reply) => return Some(reply),
            },
            false => days[0],
        };
        if let Some(range) = range {
            arguments["range"] = format!("{}..{}", range.from, range.to).into();
        }
        let several = arguments["category"].as_str().filter(|names| tool == "list_expenses" && names.contains(" and "));
        if let Some(names) = several {
            arguments["categories"] = names.split(" and ").collect();
            arguments.as_object_mut()?.remove("category");
        }
        Some(one(tool, arguments))
    }
}

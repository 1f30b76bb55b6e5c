//! Messages as patterns over typed slots, in `frames/*.txt`.
//!
//! A message matches a pattern with all its words or not at all. Of several matches the one that knows most of the words
//! counts. If two of the best ask about different things, none does; if they differ in the tool or its order alone, the
//! pattern that stands first counts.

use std::{cmp::Ordering, rc::Rc};

use jiff::civil::Date;
use serde_json::{Map, Value};

use super::{Question, Reply, comparing::compared_days, entries, one, options::Asking, wording};
use crate::{
    phrases::{
        Class, DateRange, Reader, is_one_of,
        patterns::{ALL, MANY, NAMED, ONE_OF, PERHAPS, Part, Parts, SLOT, WORD},
    },
    sorted::{Collect, Sort as _},
};
use grammar::{Frame, Head, Kind, PATTERNS, Section, Slot};
pub(super) use grammar::{ORDER, STATE};
use message::{Found, Message, Sort};

mod grammar;
mod message;

/// Of one message. A pattern that repeats itself could otherwise take long.
const MOST_STEPS: usize = 20_000;

/// No tool: what the patterns of follow-ups come to.
const FOLLOWING: &str = "follow";

/// What a message comes to by patterns; with the command, if it may be said in several messages.
pub(super) type Meaning = (Reply, Option<Command>);

/// A call with what was said of it so far.
#[derive(Debug, Clone)]
pub(super) struct Command {
    call: &'static Section,
    arguments: Map<String, Value>,
    /// About what was said, but is not settled.
    open: Option<Question>,
}

/// None if no pattern fits, or two that mean different things.
pub(super) fn read(text: &str, reader: Reader) -> Option<Reply> {
    Some(meaning(text, reader)?.0)
}

pub(super) fn meaning(text: &str, reader: Reader) -> Option<Meaning> {
    let message = Message::of(text, reader)?;
    let read = || matched(&message, |frame| frame.section().is_for(None, false));
    message.meaning.get_or_init(|| if is_of_weekdays(text) { None } else { read() }).clone()
}

/// What is answered to words that are about nothing.
pub(super) fn small_talk(text: &str, reader: Reader) -> Option<&'static str> {
    const ANSWERS: [&str; 2] = [wording::GOODBYE, wording::NOTHING_SPENT];
    let Reply::Say(answer) = read(text, reader)? else { return None };
    ANSWERS.into_iter().find(|known| *known == answer)
}

/// What is answered to a question that nothing else reads, in any words of questions, or that it cannot be answered.
pub(super) fn last(text: &str, reader: Reader) -> Option<Reply> {
    let is_of_weekdays = is_of_weekdays(text);
    let may_be = |section: &Section| section.is_for(None, true) && (!is_of_weekdays || section.head == Head::Refuse);
    Some(matched(&*Message::of(text, reader)?, |frame| may_be(frame.section()))?.0)
}

/// "My wife wants to know how much rent was": what is asked for behind words that say nothing of it.
pub(super) fn asked_within(text: &str, reader: Reader) -> Option<Reply> {
    const TRIED: usize = 4;
    let words = wording::words(text);
    let says_nothing = |word: &str| Class::any(&[Class::LeadsIn, Class::AsksFor, Class::Relation], word);
    let lead = words.iter().take_while(|(_, word)| says_nothing(word)).count();
    let asks = words[..lead].iter().position(|(_, word)| Class::AsksFor.contains(word))?;
    // What was bought may be said behind such words, too.
    let starts = words[asks + 1..].iter().map(|(span, _)| span.start).take(lead - asks);
    let mut tried = starts.rev().take(TRIED).filter(|_| reader.amounts(text).is_empty());
    tried.find_map(|start| match meaning(&text[start..], reader)?.0 {
        Reply::Say(_) => None,
        reply => Some(reply),
    })
}

/// What goes on from an answer that showed a row of that kind.
pub(super) fn after(kind: &str, text: &str, reader: Reader) -> Option<Reply> {
    Some(matched(&*Message::of(text, reader)?, |frame| frame.section().is_for(Some(kind), false))?.0)
}

/// What goes on from any question, as a call with the arguments that it adds. In any words, if that is wanted.
pub(super) fn follow_up(text: &str, is_last: bool, reader: Reader) -> Option<Reply> {
    let is_wanted = |section: &Section| section.answers(FOLLOWING) && section.is_last == is_last;
    Some(best(&*Message::of(text, reader)?, |frame| is_wanted(frame.section()))?.0)
}

/// What is ordered or stated about rows that are there.
pub(super) fn order(text: &str, kind: &str, reader: Reader) -> Option<Value> {
    let message = Message::of(text, reader)?;
    match best(&message, |frame| frame.section().answers(kind))?.0 {
        Reply::Calls(calls) => calls.into_iter().next().map(|call| call.arguments),
        Reply::Ask(_) | Reply::Say(_) => None,
    }
}

/// "on weekends", "every Monday": which day of the week it was is nothing that can be looked for. Several can be compared.
fn is_of_weekdays(text: &str) -> bool {
    let words = wording::words(text);
    let is_day = |word: &&str| word.strip_suffix('s').is_some_and(|day| Class::Weekdays.contains(day));
    let mut days = words.iter().map(|(_, word)| &**word).filter(is_day);
    if days.next().is_some_and(|first| days.any(|other| other != first)) {
        return false;
    }
    words.windows(2).any(|pair| {
        let (lead, word) = (&*pair[0].1, &*pair[1].1);
        let many = word.strip_suffix('s').is_some_and(|day| Class::Weekdays.contains(day));
        many && Class::OnPluralDay.contains(lead) || Class::EachDay.contains(lead) && Class::Weekdays.contains(word)
    })
}

fn matched(message: &Message, is_wanted: impl Fn(&Frame) -> bool) -> Option<Meaning> {
    // "Coffee 3.50" is quickly done with, "Q4 total", "3 cheapest" and "rent 2026 vs 2025" ask.
    let first = message.words.iter().find(|word| word.parse::<u8>().is_err())?;
    let adds = message.is_priced_beside_years() && !Class::Closed.contains(first) && !message.begins_with_days();
    best(message, |frame| is_wanted(frame) && !(adds && frame.is_unpriced && !frame.section().compares))
}

fn best(message: &Message, is_wanted: impl Fn(&Frame) -> bool) -> Option<Meaning> {
    let mut best: Vec<Best> = Vec::new();
    message.steps.set(0);
    for frame in message.frames() {
        let section = frame.section();
        if is_wanted(frame) && message.may_hold(section.required) {
            let sort = Sort { compares: section.compares, language: section.language };
            let mut search = Search { message, section, sort, bound: Vec::new(), best: &mut best };
            search.walk(Some(&Todo { parts: frame.pattern(), next: None, met: None }), 0, 0);
        }
    }
    // What was not tried might fit better.
    let is_whole = message.steps.get() <= MOST_STEPS;
    best.pop().filter(|_| best.is_empty() && is_whole).map(|best| best.meaning)
}

impl Command {
    pub fn reply(&self) -> Reply {
        if let Some(question) = &self.open {
            return Reply::Ask(question.clone());
        }
        if let Some(ask) = self.call.asks.iter().find(|ask| !self.arguments.contains_key(ask.argument)) {
            let filled = |text: &&str| {
                let said = |text: String, (name, value): (&String, &Value)| {
                    text.replace(&format!("{{{name}}}"), value.as_str().unwrap_or_default())
                };
                self.arguments.iter().fold((*text).to_owned(), said)
            };
            let options = ask.options.iter().map(filled).collect();
            let missing = vec![ask.argument.trim_start_matches('_')];
            return Reply::Ask(Question { text: filled(&ask.text), options, missing });
        }
        let is_argument = |(name, value): &(&String, &Value)| !name.starts_with('_') && !value.is_null();
        let arguments = self.arguments.iter().filter(is_argument).map(|(name, value)| (name.clone(), value.clone()));
        one(self.call.said, Value::Object(arguments.inserted()))
    }

    /// With what an answer says. None if it says something else.
    pub fn answered(&self, asking: &Asking, answer: &str, reader: Reader) -> Option<Command> {
        let mut arguments = self.arguments.clone();
        if let Some(entry) = entries::picked(answer, asking) {
            arguments.extend(entry);
            return Some(Command { arguments, open: None, ..self.clone() });
        }
        let message = Message::of(answer, reader)?;
        let (_, found) = best(&message, |frame| frame.section().answers(self.call.said))?;
        let Command { arguments: said, open, .. } = found?;
        // What has a name of its own is something new.
        let is_new = said.get("item").is_some_and(|item| arguments.get("item").is_some_and(|known| known != item));
        arguments.extend(said);
        (!is_new).then_some(Command { call: self.call, arguments, open })
    }
}

/// What a reply is about, whatever is asked about it.
fn filters(reply: &Reply) -> Vec<String> {
    const NONE: [&str; 7] = ["by", "order", "limit", "top", "average", "compare", "ids"];
    let calls = match reply {
        Reply::Calls(calls) => calls,
        Reply::Ask(question) => return [vec![question.text.clone()], question.options.clone()].concat(),
        Reply::Say(_) => return Vec::new(),
    };
    let arguments = calls.iter().filter_map(|call| call.arguments.as_object()).flatten();
    let filters = arguments.filter(|(name, _)| !is_one_of(name, &NONE));
    let mut filters: Vec<String> =
        filters.map(|(_, value)| value.to_string().trim_matches(['[', ']']).to_owned()).collect();
    filters.put_in_order(Ord::cmp);
    filters
}

/// What is left of a pattern.
struct Todo<'p> {
    parts: Parts<'static>,
    next: Option<&'p Todo<'p>>,
    /// If the parts repeat: where they were met last, if they were.
    met: Option<Option<usize>>,
}

struct Search<'m> {
    message: &'m Message,
    section: &'static Section,
    sort: Sort,
    bound: Vec<(Slot, Rc<Found>)>,
    best: &'m mut Vec<Best>,
}

/// One of the meanings that cost least.
struct Best {
    cost: usize,
    /// What it is about.
    filters: Vec<String>,
    meaning: Meaning,
}

impl Search<'_> {
    fn walk(&mut self, todo: Option<&Todo<'_>>, at: usize, cost: usize) {
        let steps = &self.message.steps;
        steps.set(steps.get() + 1);
        if steps.get() > MOST_STEPS {
            return;
        }
        let Some(todo) = todo else {
            if at == self.message.words.len() {
                self.matched(cost);
            }
            return;
        };
        let Todo { parts, next, met } = *todo;
        let mut rest = parts;
        match (met, rest.next()) {
            // What repeats nothing was tried before.
            (Some(met), _) if met == Some(at) => {}
            (Some(_), _) => {
                self.walk(next, at, cost);
                if at < self.message.words.len() {
                    let again = Todo { met: Some(Some(at)), ..*todo };
                    self.walk(Some(&Todo { parts, next: Some(&again), met: None }), at, cost);
                }
            }
            (None, Some(part)) => self.part(part, &Todo { parts: rest, ..*todo }, at, cost),
            (None, None) => self.walk(next, at, cost),
        }
    }

    fn part(&mut self, Part { kind, said, own }: Part<'static>, after: &Todo<'_>, at: usize, cost: usize) {
        let word = self.message.known.get(at).copied().flatten();
        let mut all = |parts, met| self.walk(Some(&Todo { parts, next: Some(after), met }), at, cost);
        match kind {
            WORD if word == Some(said) => self.walk(Some(after), at + 1, cost),
            SLOT => self.slot(said, after, at, cost),
            NAMED => PATTERNS.named(said, word).into_iter().for_each(|parts| all(parts, None)),
            ALL => all(own, None),
            MANY => all(own, Some(None)),
            ONE_OF | PERHAPS => {
                own.ways(word).for_each(|way| self.part(way, after, at, cost));
                if kind == PERHAPS {
                    self.walk(Some(after), at, cost);
                }
            }
            _ => {}
        }
    }

    fn slot(&mut self, number: u16, after: &Todo<'_>, at: usize, cost: usize) {
        let slot = Slot::held(number);
        if matches!(slot.0, Kind::Fixed(_)) {
            self.bound.push((slot, Rc::new(Found::Nothing)));
            self.walk(Some(after), at, cost);
            self.bound.pop();
            return;
        }
        if at >= self.message.words.len() {
            return;
        }
        for (end, more, found) in self.message.held(number, at, self.sort).iter() {
            // "Food in October with food in September" says it twice; "this year since June" narrows it.
            let is_other = |(bound, known): &(Slot, Rc<Found>)| {
                *bound == slot && known != found && narrowed(known, found, self.message.reader.today).is_none()
            };
            if slot.0 != Kind::Any && self.bound.iter().any(is_other) {
                continue;
            }
            self.bound.push((slot, found.clone()));
            self.walk(Some(after), *end, cost + more);
            self.bound.pop();
        }
    }

    fn matched(&mut self, cost: usize) {
        let cheapest = self.best.first().map_or(usize::MAX, |best| best.cost);
        let (Ordering::Less | Ordering::Equal, Some(meaning)) = (cost.cmp(&cheapest), self.meaning()) else { return };
        if cost < cheapest {
            self.best.clear();
        }
        // Of two questions about the same, the one whose pattern stands first is meant.
        let filters = filters(&meaning.0);
        if self.best.iter().all(|known| known.filters != filters) {
            self.best.push(Best { cost, filters, meaning });
        }
    }

    fn meaning(&self) -> Option<Meaning> {
        let fixed = self.section.fixed();
        let is_held = |name: &str| self.bound.iter().any(|(Slot(_, argument), _)| *argument == name);
        if !self.section.required.iter().all(|name| is_held(name) || fixed.contains_key(*name)) {
            return None;
        }
        let call = self.section;
        if matches!(call.head, Head::Say | Head::Refuse) {
            return Some((Reply::Say(call.said.to_owned()), None));
        }
        let is_command =
            !is_one_of(call.said, &[FOLLOWING, ORDER, STATE]) && (call.head == Head::Answer || call.has_answers);
        let question = self.bound.iter().find_map(|(_, found)| match &**found {
            Found::Open(question) | Found::OpenDays(question) => Some(question.clone()),
            _ => None,
        });
        // "Get a coat 200" is not about all that cost over 200.
        let is_open = |(slot, found): &(Slot, Rc<Found>)| slot.0 == Kind::Bound && matches!(**found, Found::Open(_));
        if self.bound.iter().any(is_open) && self.bound.iter().any(|(slot, _)| slot.0 == Kind::Name) {
            return None;
        }
        let (arguments, days) = self.arguments(&fixed)?;
        match (is_command, question) {
            (true, open) => {
                let command = Command { call, arguments, open };
                Some((command.reply(), Some(command)))
            }
            (false, Some(question)) => Some((Reply::Ask(question), None)),
            (false, None) => Some((self.query(call, arguments, days)?, None)),
        }
    }

    /// What the slots hold, and days beside it. None if they do not say the same of an argument.
    fn arguments(&self, fixed: &Map<String, Value>) -> Option<(Map<String, Value>, TwoDays)> {
        let mut arguments = Value::Object(fixed.clone());
        let mut days = [None, None];
        for (Slot(kind, name), found) in &self.bound {
            let found = match kind {
                Kind::Fixed(value) => &Found::Value(serde_json::from_str(value).unwrap_or_else(|_| (*value).into())),
                _ => found,
            };
            match (kind, found) {
                (Kind::Days, Found::Days(range) | Found::Joined(range)) => {
                    let known = days[0].map(Found::Days);
                    days[0] =
                        Some(known.map_or(Some(*range), |known| narrowed(&known, found, self.message.reader.today))?);
                }
                (Kind::Than, Found::Days(range) | Found::Joined(range)) => days[1] = Some(*range),
                (_, Found::Bounds(bounds) | Found::Amount(bounds)) => {
                    let arguments = arguments.as_object_mut()?;
                    if bounds.iter().any(|(name, value)| arguments.get(name).is_some_and(|known| known != value)) {
                        return None;
                    }
                    arguments.extend(bounds.clone());
                }
                (_, Found::Money(money)) => arguments.as_object_mut()?.extend(money.clone()),
                (Kind::Second, Found::Value(Value::String(name))) => {
                    let first = arguments["category"].as_str()?;
                    arguments["category"] = format!("{first} and {name}").into();
                }
                (Kind::MoreRows, Found::Value(ids)) => {
                    let known = arguments["ids"].as_array_mut()?;
                    known.extend(ids.as_array()?.iter().cloned());
                }
                (_, Found::Value(value)) if !name.is_empty() => {
                    // A pattern may have a value of its own for what is not said.
                    if !fixed.contains_key(*name) && arguments.get(name).is_some_and(|known| known != value) {
                        return None;
                    }
                    arguments[*name] = value.clone();
                }
                _ => {}
            }
        }
        match arguments {
            Value::Object(arguments) => Some((arguments, days)),
            _ => None,
        }
    }

    fn query(&self, call: &Section, arguments: Map<String, Value>, days: TwoDays) -> Option<Reply> {
        let mut arguments = Value::Object(arguments);
        let written = |range: DateRange| Value::from(format!("{}..{}", range.from, range.to));
        let message = self.message;
        let are_named = || !message.reader.amounts(&message.text).is_empty() || message.names_days();
        let range = match self.section.compares {
            // The other days are those of the question before.
            true if call.said == FOLLOWING => {
                arguments.as_object_mut()?.extend(days[1].map(|than| ("than".to_owned(), written(than))));
                None
            }
            true => match compared_days(days, are_named(), self.message.reader) {
                Ok((range, than)) => {
                    arguments.as_object_mut()?.extend(than.map(|than| ("than".to_owned(), written(than))));
                    Some(range)
                }
                Err(reply) => return Some(reply),
            },
            false => days[0],
        };
        match (range, call.now) {
            (Some(range), Some(of_the_past)) if range.to < self.message.reader.today => {
                return Some(Reply::Say(of_the_past.to_owned()));
            }
            (Some(range), None) => arguments["range"] = written(range),
            (_, Some(_)) | (None, None) => {}
        }
        if call.said == "list_expenses" {
            name_each_category(&mut arguments);
        }
        Some(one(call.said, arguments))
    }
}

/// A list has no category “food and transport”: it takes both.
pub(super) fn name_each_category(arguments: &mut Value) {
    let several = arguments["category"].as_str().filter(|names| names.contains(" and "));
    if let (Some(names), Some(fields)) = (several.map(str::to_owned), arguments.as_object_mut()) {
        fields.remove("category");
        fields.insert("categories".to_owned(), names.split(" and ").collect());
    }
}

/// The days of both, where one bounds the other: "this year" and "since June". "Before July" of this year bounds no 2025.
fn narrowed(one: &Found, other: &Found, today: Date) -> Option<DateRange> {
    let (Found::Days(one), Found::Days(other)) = (one, other) else { return None };
    if one == other {
        return Some(*one);
    }
    let is_bound = |range: &&DateRange| range.from == DateRange::ALL.from || range.to == today && range.from < today;
    let bounded = [one, other].into_iter().find(|range| !is_bound(range))?;
    let narrowed = DateRange::new(one.from.max(other.from), one.to.min(other.to))?;
    ([one, other].iter().any(is_bound) && narrowed != *bounded).then_some(narrowed)
}

type TwoDays = [Option<DateRange>; 2];

//! A message as patterns meet it: in words, with what its readers find in it.

use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::{BTreeMap, VecDeque},
    ops::{Range, RangeInclusive},
    rc::Rc,
};

use serde_json::{Map, Value, json};

use super::{
    super::{
        Question,
        draft::{Said, settled},
        fields::field,
        questions::which_amount,
        wording::{self, count},
    },
    Meaning,
    grammar::{self, Frame, Kind, PATTERNS, Slot},
};
use crate::{
    money::Currency,
    phrases::{
        AmountMention, Class, CurrencyMention, DateError, DateRange, Entry, Language, Reader, Reading,
        frequency::{self, Unit},
        memo::{Last, remembered},
        patterns::{ALL, NAMED, ONE_OF, Part, SLOT, STEP, WORD},
        spelling::{is_near, letters},
    },
    sorted::Collect,
};

mod names;
mod spans;

/// No question is longer. In words.
const LONGEST: usize = 30;
/// What is open costs more than what is not.
const OPEN: usize = 5;
/// What a word costs that a pattern says nothing of.
const ANY_WORD: usize = 10;

/// A message in words, with what the readers of days and amounts found in it.
pub struct Message {
    pub text: String,
    pub lower: String,
    pub words: Vec<String>,
    /// The numbers of those that patterns have.
    pub known: Vec<Option<u16>>,
    /// The same, a bit each.
    has_word: Vec<u64>,
    entries: Vec<Entry>,
    /// Of each word, in the text and in lower case.
    places: Vec<Range<usize>>,
    /// By the word they begin with.
    spans: OnceCell<Spans>,
    /// The same where "October to September" are two times and not one.
    paired: OnceCell<Spans>,
    /// Amounts of any kind, by the word they begin with.
    amounts: OnceCell<Vec<(usize, usize, AmountMention)>>,
    says_every: OnceCell<bool>,
    /// Of each word, the days that it is where it stands alone.
    days_alone: Vec<OnceCell<Option<DateRange>>>,
    /// What a slot can hold from a word on, by the word, the number of the slot and the sort of the pattern.
    held: RefCell<BTreeMap<(usize, u16, Sort), AllHeld>>,
    /// Of each pattern with a name, whether it may stand somewhere.
    may_stand: Vec<OnceCell<bool>>,
    frames: OnceCell<Vec<&'static Frame>>,
    /// What it comes to as a message of its own.
    pub meaning: OnceCell<Option<Meaning>>,
    pub steps: Cell<usize>,
    pub reader: Reader,
}

/// What was found, and the word after it, by the word it begins with.
type Spans = Vec<Vec<(usize, Found)>>;

/// The word after what a slot holds, what that costs, and what it is.
type Held = (usize, usize, Found);
/// The same, to be kept and shared.
type AllHeld = Rc<Vec<(usize, usize, Rc<Found>)>>;

/// What a pattern is, as far as its slots depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sort {
    pub compares: bool,
    pub language: Language,
}

impl Sort {
    /// Whether a word is of this class in its language.
    fn has(self, class: Class, word: &Entry) -> bool {
        word.has(class) && word.found.senses(class).any(|sense| sense.language == Some(self.language))
    }
}

/// What a slot of a pattern holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    Days(DateRange),
    /// Two that follow each other. They are not compared.
    Joined(DateRange),
    /// Arguments of a tool.
    Bounds(Map<String, Value>),
    Value(Value),
    /// The same, as the least and the most.
    Amount(Map<String, Value>),
    /// An amount and its currency, as arguments.
    Money(Map<String, Value>),
    Nothing,
    /// It has to be asked about first.
    OpenDays(Question),
    Open(Question),
}

thread_local! {
    static MESSAGES: Last<Option<Rc<Message>>> = const { RefCell::new(VecDeque::new()) };
}

impl Message {
    /// None of what is too long for a question.
    pub fn of(text: &str, reader: Reader) -> Option<Rc<Message>> {
        remembered(&MESSAGES, &reader, text, || Message::read(text, reader).map(Rc::new))
    }

    fn read(text: &str, reader: Reader) -> Option<Message> {
        let text = with_rates(&text.replace('’', "'"));
        let lower = lower(&text);
        let mut places = word_places(&lower);
        // To be polite changes no question.
        let is_polite = |place: &Range<usize>| Class::BehindQuestion.contains(&lower[place.clone()]);
        while places.len() > 3 && places.last().is_some_and(is_polite) {
            places.pop();
        }
        if places.is_empty() || places.len() > LONGEST {
            return None;
        }
        let spelt = |word: String| misspelt(&word).map_or(word, str::to_owned);
        let words = places.iter().map(|place| spelt(lower[place.clone()].replace('\'', "")));
        let words: Vec<String> = words.collect();
        let known: Vec<Option<u16>> = words.iter().map(|word| PATTERNS.word(word)).collect();
        let mut has_word = vec![0; PATTERNS.steps.len() * STEP / 64 + 1];
        known.iter().flatten().for_each(|word| has_word[usize::from(word / 64)] |= 1 << (word % 64));
        let entries = words.iter().map(|word| Entry::of(word)).collect();
        Some(Message {
            days_alone: vec![OnceCell::new(); words.len()],
            text,
            lower,
            words,
            known,
            has_word,
            entries,
            places,
            spans: OnceCell::new(),
            paired: OnceCell::new(),
            amounts: OnceCell::new(),
            says_every: OnceCell::new(),
            held: RefCell::default(),
            may_stand: vec![OnceCell::new(); PATTERNS.names.len()],
            frames: OnceCell::new(),
            meaning: OnceCell::new(),
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

    pub fn held(&self, slot: u16, at: usize, sort: Sort) -> AllHeld {
        let known = self.held.borrow().get(&(at, slot, sort)).cloned();
        known.unwrap_or_else(|| {
            let found = self.find(Slot::held(slot), at, sort).into_iter();
            let found = Rc::new(found.map(|(end, cost, found)| (end, cost, Rc::new(found))).collect::<Vec<_>>());
            self.held.borrow_mut().insert((at, slot, sort), found.clone());
            found
        })
    }

    /// "Electricity average 2025" has a year, and no price.
    pub fn is_priced_beside_years(&self) -> bool {
        let is_year = |found: &AmountMention| {
            let said = &self.text[found.span.clone()];
            found.currency == CurrencyMention::None && said.len() == 4 && self.reader.month_or_year(said).is_some()
        };
        self.reader.amounts(&self.text).iter().any(|found| !is_year(found))
    }

    /// "October", "2025", "3 November", and not "this month".
    pub fn names_days(&self) -> bool {
        (0..self.words.len()).any(|at| self.days_alone(at).is_some())
    }

    fn days_alone(&self, at: usize) -> Option<DateRange> {
        *self.days_alone[at].get_or_init(|| self.reader.month_or_year(&self.words[at]))
    }

    /// Whether it may hold all of these arguments, as far as that is quickly known.
    pub fn may_hold(&self, required: &[&str]) -> bool {
        let may_say_how_often = |word: &Entry| word.has(Class::Every) || word.begins(Class::Adverb);
        let found = || self.spans(false).iter().flatten().map(|(_, found)| found);
        required.iter().all(|name| match *name {
            "every" => *self.says_every.get_or_init(|| self.entries.iter().any(may_say_how_often)),
            "bound" => found().any(|found| matches!(found, Found::Bounds(_) | Found::Open(_))),
            "range" => found().any(|found| !matches!(found, Found::Bounds(_) | Found::Amount(_))) || self.names_days(),
            _ => true,
        })
    }

    /// Those of which all words are there that they cannot do without.
    pub fn frames(&self) -> &[&'static Frame] {
        let may_stand = |frame: &&Frame| frame.pattern().all(|part| self.may_stand(part));
        self.frames.get_or_init(|| grammar::of_words(&self.known).filter(may_stand).collect())
    }

    /// Whether all words that a part cannot do without are there, wherever they stand. Most patterns miss one.
    fn may_stand(&self, Part { kind, said, mut own }: Part<'static>) -> bool {
        match kind {
            WORD => self.has_word[usize::from(said / 64)] & 1 << (said % 64) != 0,
            NAMED => {
                let all = || PATTERNS.whole(said).all(|part| self.may_stand(part));
                *self.may_stand[usize::from(said)].get_or_init(all)
            }
            ALL => own.all(|part| self.may_stand(part)),
            ONE_OF => own.any(|way| self.may_stand(way)),
            SLOT if matches!(Slot::held(said).0, Kind::Row | Kind::Rows | Kind::MoreRows) => self.lower.contains('#'),
            _ => true,
        }
    }

    fn find(&self, slot: Slot, at: usize, sort: Sort) -> Vec<Held> {
        let value = |value: Option<Value>, cost: usize| {
            value.map(|value| (at + 1, cost, Found::Value(value))).into_iter().collect()
        };
        let Slot(kind, argument) = slot;
        match kind {
            Kind::Days | Kind::Than => self.days(at, sort.compares),
            Kind::Bound => spanned(self.spans(false), at, |found| matches!(found, Found::Bounds(_) | Found::Open(_))),
            Kind::Count if argument.is_empty() => {
                count(&self.words[at]).map(|_| (at + 1, 0, Found::Nothing)).into_iter().collect()
            }
            Kind::Count => value(count(&self.words[at]).map(Value::from), 0),
            Kind::Rows | Kind::MoreRows => value(self.row(at).map(|id| json!([id])), 0),
            Kind::Row => value(self.row(at).map(Value::from), 0),
            Kind::Number => value(self.number(at), 0),
            Kind::Exactly => spanned(self.spans(false), at, |found| matches!(found, Found::Amount(_))),
            Kind::Any if self.words[at].contains(|letter: char| letter.is_ascii_digit()) => Vec::new(),
            Kind::Any => vec![(at + 1, ANY_WORD, Found::Nothing)],
            Kind::Currency => self.currency(at),
            Kind::Pair => self.pairs(at, sort),
            Kind::Money => self.money(at),
            Kind::OldMoney => self.money(at).into_iter().map(|(end, cost, _)| (end, cost, Found::Nothing)).collect(),
            Kind::Every => self.every(at, argument == "period"),
            Kind::Often => self.often(at),
            Kind::Text => {
                self.ends(at).map(|end| (end, end - at, Found::Value(self.written(at..end).into()))).collect()
            }
            Kind::DayWords => self.day_words(at, argument == "until"),
            Kind::Said => self.said(at),
            Kind::Price | Kind::Day => self.typed(at, kind == Kind::Price),
            Kind::Field => value(field(&self.words[at]).map(Value::from), 0),
            _ => self.names(kind, at, sort),
        }
    }

    /// An amount or a day costs less than what may be anything.
    fn said(&self, at: usize) -> Vec<Held> {
        const LONGEST: usize = 14;
        const TYPED: usize = 1;
        let typed: Vec<Held> = [true, false].iter().flat_map(|is_price| self.typed(at, *is_price)).collect();
        // "Move 1 to 31 October" says a row and its new day.
        let may_be_two = |end: usize| self.words[at..end].iter().any(|word| &**word == "to");
        let held = |end: usize| match typed.iter().any(|(whole, ..)| *whole == end) && !may_be_two(end) {
            true => (end, TYPED, Found::Value(self.quoted(at..end).into())),
            false => (end, ANY_WORD * (end - at), Found::Value(self.quoted(at..end).into())),
        };
        (at + 1..=self.words.len().min(at + LONGEST)).map(held).collect()
    }

    /// An amount, or a day, as it was written.
    fn typed(&self, at: usize, is_price: bool) -> Vec<Held> {
        const COST: usize = 5;
        let prices = self.amounts().iter().filter(|(from, ..)| is_price && *from == at).map(|(_, end, _)| *end);
        let days = spanned(self.spans(false), at, |found| matches!(found, Found::Days(_) | Found::OpenDays(_)));
        let days = days.into_iter().filter(|_| !is_price).map(|(end, ..)| end);
        prices.chain(days).map(|end| (end, COST, Found::Value(self.quoted(at..end).into()))).collect()
    }

    /// With the marks right around it.
    fn quoted(&self, words: Range<usize>) -> &str {
        let (start, end) = (self.places[words.start].start, self.places[words.end - 1].end);
        let before: usize =
            self.text[..start].chars().next_back().filter(|mark| is_quote(*mark)).map_or(0, char::len_utf8);
        let after: usize = self.text[end..].chars().next().filter(|mark| is_quote(*mark)).map_or(0, char::len_utf8);
        &self.text[start - before..end + after]
    }

    /// What "at 80" says for a limit may be an hour for the reader of the whole text.
    fn money(&self, at: usize) -> Vec<Held> {
        let start = self.places[at].start;
        let whole = self.amounts().iter().find(|(from, ..)| *from == at).map(|(_, end, found)| (*end, found.clone()));
        let alone = || {
            let is_number = self.words[at].contains(|letter: char| letter.is_ascii_digit());
            let rest = self.text.get(start..).filter(|_| is_number)?;
            let found = self.reader.amounts(rest).into_iter().next().filter(|found| found.span.start == 0)?;
            Some((self.words_in(&(start..start + found.span.end))?.end, found))
        };
        let Some((end, found)) = whole.or_else(alone) else { return Vec::new() };
        let options = match found.reading {
            Reading::Exact(amount) => {
                let mut arguments: Map<String, Value> = [("amount".to_owned(), amount.into())].inserted();
                if let CurrencyMention::Known(currency) = found.currency {
                    arguments.insert("currency".to_owned(), currency.code().into());
                }
                return vec![(end, 0, Found::Money(arguments))];
            }
            Reading::Ambiguous(options) => options,
        };
        vec![(end, OPEN, Found::Open(which_amount(&options, self.reader)))]
    }

    fn amounts(&self) -> &[(usize, usize, AmountMention)] {
        self.amounts.get_or_init(|| {
            let found = self.reader.amounts(&frequency::without_rates(&self.text)).into_iter();
            let placed = found.filter_map(|found| Some((self.words_in(&found.span)?, found)));
            placed.map(|(words, found)| (words.start, words.end, found)).collect()
        })
    }

    /// "every month", "weekly"; of a budget also the bare word. "Weekly shop" is bought once.
    fn every(&self, at: usize, may_be_bare: bool) -> Vec<Held> {
        const BARE: usize = 2;
        let said = &self.words[at..];
        let bare = || Some((1, frequency::english(&said[0]).filter(|_| may_be_bare)?, BARE));
        let found = frequency::read(said).map(|(length, unit)| (length, unit, 0)).or_else(bare);
        let Some((length, unit, cost)) = found else { return Vec::new() };
        let is_of_a_thing = length == 1 && said.get(1).is_some_and(|word| Class::BoughtOnce.contains(word));
        let name = match unit {
            Unit::Week => "week",
            Unit::Month => "month",
            Unit::Year => "year",
            Unit::Day | Unit::Other => return Vec::new(),
        };
        let held = (at + length, cost, Found::Value(name.into()));
        Vec::from_iter((!is_of_a_thing).then_some(held))
    }

    fn often(&self, at: usize) -> Vec<Held> {
        let found = frequency::read(&self.words[at..]);
        let other = found.filter(|(_, unit)| matches!(unit, Unit::Day | Unit::Other));
        other.map(|(length, _)| (at + length, 0, Found::Nothing)).into_iter().collect()
    }

    /// Of the longest that a slot holds as it is written.
    fn ends(&self, at: usize) -> RangeInclusive<usize> {
        const LONGEST: usize = 6;
        at + 1..=self.words.len().min(at + LONGEST)
    }

    fn written(&self, words: Range<usize>) -> &str {
        &self.text[self.places[words.start].start..self.places[words.end - 1].end]
    }

    /// "the 1st", "28 November", "march", "the first".
    fn day_words(&self, at: usize, may_be_unknown: bool) -> Vec<Held> {
        let is_led = Class::MessageLeads.contains(&self.words[at]) && at + 1 < self.words.len();
        let may_be_day = self.may_be_day(at) || is_led && self.may_be_day(at + 1);
        if !may_be_day && !may_be_unknown {
            return Vec::new();
        }
        let mut held = Vec::new();
        for end in self.ends(at) {
            let said = self.written(at..end);
            let is_the = end == at + 2 && self.words[at] == "the";
            let ordinal = self.entries[end - 1].found.senses(Class::Ordinal).next().filter(|_| end == at + 1 || is_the);
            let is_found =
                || self.spans(false)[at].iter().any(|(to, found)| *to == end && matches!(found, Found::Days(_)));
            let is_resolved = || match self.reader.resolve_date(said) {
                Ok(_) => true,
                Err(DateError::Ambiguous { options, .. }) if !options.is_empty() => true,
                Err(_) => self.reader.resolve_range(said).is_ok(),
            };
            let is_day = || may_be_day && (is_found() || is_resolved());
            let day = match ordinal {
                Some(ordinal) => Some(format!("on the {}", ordinal.number())),
                None => is_day().then(|| said.to_owned()),
            };
            // "On" and "until" are better read by the pattern. What is no day is for the tool to say.
            let cost = if day.is_some() { 1 } else { ANY_WORD };
            let day = day.or_else(|| may_be_unknown.then(|| said.to_owned()));
            held.extend(day.map(|day| (end, cost * (end - at), Found::Value(day.into()))));
        }
        held
    }

    pub fn begins_with_days(&self) -> bool {
        let may_be = || self.reader.has_time_before(&self.without_genitives(), self.places[0].end);
        may_be() && self.spans(false)[0].iter().any(|(_, found)| matches!(found, Found::Days(_)))
    }

    /// As far as is quickly known: a day was found there, or the word may be of one where it stands alone.
    fn may_be_day(&self, at: usize) -> bool {
        let is_day = |(_, found): &(usize, Found)| matches!(found, Found::Days(_) | Found::OpenDays(_));
        let is_number = self.words[at].starts_with(|letter: char| letter.is_ascii_digit());
        let may_be = |class| self.entries[at].has(class);
        is_number || may_be(Class::Month) || may_be(Class::Ordinal) || self.spans(false)[at].iter().any(is_day)
    }

    /// "in October", "over the last week"; alone, what may be a name is a month where nothing else fits.
    fn days(&self, at: usize, compares: bool) -> Vec<Held> {
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
            if start == at || Class::MessageLeads.contains(&self.words[start - 1]) {
                let alone = self.days_alone(start);
                let is_known = !held.is_empty();
                held.extend(alone.filter(|_| !is_known).map(|days| (start + 1, MAY_BE_A_NAME, Found::Days(days))));
            }
            if !Class::MessageLeads.contains(&self.words[start]) {
                break;
            }
            start += 1;
        }
        held
    }

    fn row(&self, at: usize) -> Option<u64> {
        self.words[at].strip_prefix('#')?.parse().ok()
    }

    fn number(&self, at: usize) -> Option<Value> {
        let id = self.words[at].parse::<u64>().ok().filter(|id| !(1900..=2100).contains(id))?;
        Some(json!([id]))
    }

    /// "euros", "swiss francs"; where it is called a currency, also a code that is a word too.
    fn currency(&self, at: usize) -> Vec<Held> {
        let is_called = || self.words.iter().any(|word| word == "currency");
        let read = |end: usize| {
            let said = &self.lower[self.places[at].start..self.places[end - 1].end];
            let found = match settled(said, self.reader) {
                Some(Said::Exactly(code)) => Found::Value(code.into()),
                // "Only pounds"
                _ if end > at + 1 => return None,
                Some(Said::OneOf(many)) => Found::Open(self.which_currency(at..end, many)),
                _ => Found::Value(Currency::parse(said).ok().filter(|_| is_called())?.code().into()),
            };
            Some((end, 0, found))
        };
        self.ends(at).take(2).filter_map(read).collect()
    }

    /// "show dollars"
    fn which_currency(&self, words: Range<usize>, codes: Vec<String>) -> Question {
        let (start, end) = (self.places[words.start].start, self.places[words.end - 1].end);
        let with = |code: &String| format!("{}{code}{}", &self.lower[..start], &self.lower[end..]);
        Question {
            text: "Which of these do you mean?".to_owned(),
            options: codes.iter().take(4).map(with).collect(),
            missing: vec!["currency"],
        }
    }
}

fn spanned(spans: &Spans, at: usize, is_wanted: impl Fn(&Found) -> bool) -> Vec<Held> {
    let spans = spans.get(at).into_iter().flatten().filter(|(_, found)| is_wanted(found));
    spans
        .map(|(end, found)| {
            (*end, if matches!(found, Found::Open(_) | Found::OpenDays(_)) { OPEN } else { 0 }, found.clone())
        })
        .collect()
}

/// "30/week" in words.
fn with_rates(text: &str) -> String {
    let mut parts = text.split('/');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |said, part| {
        let is_often = frequency::english(&wording::first_word(part)).is_some();
        said + if is_often { " per " } else { "/" } + part
    })
}

/// "hw", "expences", "mcuh": what is short, or has one letter wrong, of what patterns are made of.
fn misspelt(word: &str) -> Option<&'static str> {
    const LONG: usize = 7;
    let is_swapped = |known: &str| word.len() == known.len() && letters(word) == letters(known);
    let may_be = |known: &str| word.len().abs_diff(known.len()) <= 1 && (known.len() >= LONG || is_swapped(known));
    let is_meant = |known: &&str| may_be(known) && is_near(word, known, 1);
    let is_right = || Class::Closed.contains(word) || Class::Spelt.contains(word);
    let spelt = || Class::Spelt.all().iter().map(|(known, _)| *known).find(is_meant).filter(|_| !is_right());
    Class::ShortFor.says(word).or_else(spelt)
}

fn is_quote(mark: char) -> bool {
    matches!(mark, '"' | '“' | '”')
}

/// In small letters of as many bytes, so that both texts have the same places.
fn lower(text: &str) -> String {
    let lower = |letter: char| {
        let mut lower = letter.to_lowercase();
        lower.next().filter(|one| lower.next().is_none() && one.len_utf8() == letter.len_utf8()).unwrap_or(letter)
    };
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.chars().map(lower).collect() }
}

fn word_places(text: &str) -> Vec<Range<usize>> {
    let is_mark = |letter: char| letter.is_whitespace() || ",;:?!…“”\"()¿¡".contains(letter);
    let (mut places, mut at) = (Vec::new(), 0);
    for part in text.split_inclusive(is_mark) {
        // "#food"
        let tag = usize::from(part.starts_with('#') && part[1..].starts_with(char::is_alphabetic));
        let word = part[tag..].trim_end_matches(is_mark).trim_end_matches(['.', '-', '\'']);
        // "Non-food"
        let (from, head) = (at + tag, at + tag + if word.starts_with("non-") { "non-".len() } else { 0 });
        places.extend((head > from).then(|| from..head - 1));
        places.extend((!word.is_empty()).then_some(head..from + word.len()));
        at += part.len();
    }
    places
}

//! The notation of patterns:
//!
//! ```text
//! <ask> = (show|list) [me]          a name for a pattern, also in the later files of the language
//! call list_expenses {"limit": 1}    what the patterns below come to: a call, or `say` and a text or its name
//!   <ask> [the] {words} <when>*     words, (one|of these), [perhaps], {slot}, <name>, and * for any number of times
//! # a comment
//! ```
//!
//! A call that changes something may be said in several messages. Its lines go on with what it needs:
//!
//! ```text
//! require item amount               arguments without which a pattern does not fit
//! ask amount How much is {item}? | 5 | 10    a question, with options, for an argument that no slot holds
//! now I only know …                 an answer about days in the past, where other days are no argument
//! after MB                          only behind an answer that showed one row of this kind
//! answer set_budget {"step": null}   what the patterns below add to a call of this tool that was asked about
//! answer order                       an order about rows that are there
//! ```
//!
//! An argument that is null, or whose name begins with `_`, is no argument of the tool.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    iter::Peekable,
    str::Chars,
    sync::{Arc, LazyLock},
};

use foldhash::fast::FixedState;
use serde_json::{Map, Value};

use super::super::wording;
use crate::phrases::{Class, Language, word_hash};
use crate::sorted::Sort;

/// A further language, or a further toolkit, is a further file.
const FILES: [(Language, &[&str]); 4] = [
    (
        Language::English,
        &[
            include_str!("en.txt"),
            include_str!("budgets.txt"),
            include_str!("recurring.txt"),
            include_str!("missing.txt"),
            include_str!("commands.txt"),
            include_str!("settings.txt"),
            include_str!("following.txt"),
            include_str!("orders.txt"),
        ],
    ),
    (Language::German, &[include_str!("de.txt")]),
    (Language::French, &[include_str!("fr.txt")]),
    (Language::Spanish, &[include_str!("es.txt")]),
];

pub static FRAMES: LazyLock<Frames> = LazyLock::new(|| Frames::read(&FILES));

static CLOSED: LazyLock<Words> = LazyLock::new(|| Class::Closed.all().iter().map(|(word, _)| Word::of(word)).collect());

/// No tool: what the patterns of orders come to.
pub const ORDER: &str = "order";

#[derive(Default)]
pub struct Frames {
    frames: Vec<Frame>,
    by_first: ByWord,
    /// Those that begin with a slot, by each word that a message has to have one of.
    by_need: ByWord,
    /// Those that begin with a slot and need no word.
    open: Vec<usize>,
    /// By tool.
    answers: BTreeMap<&'static str, Vec<Frame>>,
    /// Those that an order has one of.
    of_orders: Words,
}

pub struct Frame {
    pub act: Act,
    pub language: Language,
    /// The arguments that the message has to hold.
    pub required: Vec<&'static str>,
    pub pattern: Vec<Part>,
    /// It begins with a slot, and has none for an amount.
    pub is_unpriced: bool,
    /// A message that fits has one of these words. Empty if there are none.
    needs: Words,
}

type Words = HashSet<Word, FixedState>;
type ByWord = HashMap<Word, Vec<usize>, FixedState>;

/// The hash of a word. Words are compared hundreds of times a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word(u64);

impl Word {
    pub fn of(word: &str) -> Word {
        Word(word_hash(word))
    }
}

impl Frame {
    pub fn compares(&self) -> bool {
        self.fixes("compare")
    }

    /// Whether it always has this argument.
    pub fn fixes(&self, name: &str) -> bool {
        matches!(&self.act, Act::Call(call) if call.fixed.contains_key(name))
    }

    /// Whether one of the words is among those that it needs.
    pub fn may_fit(&self, words: &[Word]) -> bool {
        self.needs.is_empty() || words.iter().any(|word| self.needs.contains(word))
    }

    /// Whether it is of the kind that is told of, and no refusal if none is wanted.
    pub fn is_for(&self, after: Option<&str>, refused: bool) -> bool {
        match &self.act {
            Act::Refuse(_) => refused && after.is_none(),
            Act::Call(call) => !refused && call.after == after,
            Act::Say(_) => !refused && after.is_none(),
        }
    }
}

#[derive(Debug, Clone)]
pub enum Act {
    Call(Call),
    Say(&'static str),
    /// Of what cannot be done, where nothing else is read.
    Refuse(&'static str),
}

#[derive(Debug, Clone)]
pub struct Call {
    pub tool: &'static str,
    /// The arguments it always has.
    pub fixed: Map<String, Value>,
    pub asks: Arc<Vec<Ask>>,
    /// The kind of the row that was shown before.
    pub after: Option<&'static str>,
    /// What is said about days in the past. Other days are now, and no argument.
    pub now: Option<&'static str>,
    pub is_answer: bool,
}

/// A question for an argument.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    pub argument: &'static str,
    pub text: &'static str,
    pub options: Vec<&'static str>,
}

impl Call {
    /// "list_expenses {…}"
    fn read(line: &'static str, is_answer: bool) -> Call {
        let (tool, arguments) = line.split_once(' ').unwrap_or((line, "{}"));
        let fixed = serde_json::from_str(arguments).expect("arguments in JSON");
        Call { tool, fixed, asks: Arc::default(), after: None, now: None, is_answer }
    }

    fn ask(&mut self, line: &'static str) {
        let (argument, rest) = line.split_once(' ').expect("an argument and a question");
        let mut parts = rest.split(" | ");
        let text = parts.next().expect("a question");
        Arc::make_mut(&mut self.asks).push(Ask { argument, text, options: parts.collect() });
    }
}

#[derive(Debug, Clone)]
pub enum Part {
    Word(Word),
    OneOf(Arc<Choice>),
    Many(Vec<Part>),
    Slot(Slot),
}

/// Ways to go on, by the word that they begin with.
#[derive(Debug)]
pub struct Choice {
    ways: Vec<Vec<Part>>,
    by_first: ByWord,
    /// Those that can begin with any word, or be empty.
    open: Vec<usize>,
    first: First,
}

impl Choice {
    fn of(ways: Vec<Vec<Part>>) -> Choice {
        let (mut by_first, mut open, mut all) = (ByWord::default(), Vec::new(), Vec::new());
        for (at, way) in ways.iter().enumerate() {
            let mut words = Words::default();
            let first = firsts(way, &mut words);
            all.push(first);
            // What is open is tried for any word, and is found once.
            if first != First::Known {
                open.push(at);
            }
            for word in words {
                let known = by_first.entry(word).or_default();
                known.extend((first == First::Known).then_some(at));
            }
        }
        let first = [First::Any, First::Next].into_iter().find(|first| all.contains(first)).unwrap_or(First::Known);
        Choice { ways, by_first, open, first }
    }

    pub fn ways(&self, word: Option<&Word>) -> impl Iterator<Item = &Vec<Part>> {
        let known = word.and_then(|word| self.by_first.get(word)).into_iter().flatten();
        known.chain(&self.open).map(|at| &self.ways[*at])
    }
}

/// Holds an argument of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    /// The days, and those they are compared with.
    Days(usize),
    Bound,
    Count(&'static str),
    Rows,
    MoreRows,
    /// Of a row, without a mark. No year.
    Number,
    /// An amount that bounds nothing.
    Exactly,
    /// Any one word.
    Any,
    Currency,
    Name(&'static str),
    /// A name as it is said, with its article.
    Description,
    /// In a list.
    Names(&'static str),
    /// Of a usual category.
    Known(&'static str),
    /// Two names that are compared, which make the category.
    Pair,
    /// The second of two names that make the category.
    Second,
    /// A name that the tool cannot be asked for.
    Unused,
    /// A name in the person's own words, of whatever they pay for.
    Free(&'static str),
    /// An amount, with its currency.
    Money,
    /// An amount that is no more.
    OldMoney,
    /// A week, a month or a year.
    Every(&'static str),
    /// What comes back more or less often than tools know.
    Often,
    /// One row, with its mark.
    Row,
    /// As it was written.
    Text(&'static str),
    /// A day in the person's own words.
    DayWords(&'static str),
    /// Anything, in the person's own words.
    Said(&'static str),
    /// An amount as it was written.
    Price(&'static str),
    /// A day as it was written.
    Day(&'static str),
    /// What an expense has.
    Field,
}

impl Slot {
    fn named(name: &'static str) -> Slot {
        match name {
            "range" => Slot::Days(0),
            "than" => Slot::Days(1),
            "bound" => Slot::Bound,
            "limit" | "top" => Slot::Count(name),
            "ids" => Slot::Rows,
            "more-ids" => Slot::MoreRows,
            "number" => Slot::Number,
            "exactly" => Slot::Exactly,
            "any" => Slot::Any,
            "currency" => Slot::Currency,
            "category" | "words" | "text" => Slot::Name(name),
            "query" => Slot::Name("search"),
            "share" => Slot::Name("share_of"),
            "description" => Slot::Description,
            "without" | "categories" => Slot::Names(name),
            "known" => Slot::Known("category"),
            "name" => Slot::Unused,
            "pair" => Slot::Pair,
            "and-category" => Slot::Second,
            "subject" => Slot::Free("category"),
            "item" => Slot::Free("item"),
            "money" => Slot::Money,
            "old-money" => Slot::OldMoney,
            "period" | "every" => Slot::Every(name),
            "often" => Slot::Often,
            "row" => Slot::Row,
            "timezone" | "rest" => Slot::Text(name),
            "starting" | "until" => Slot::DayWords(name),
            // Days to come: "Friday" is the next one.
            "due" => Slot::DayWords("range"),
            "which" | "new" => Slot::Said(name),
            "price" => Slot::Price("new"),
            "old" => Slot::Price("old"),
            "day" => Slot::Day("new"),
            "field" => Slot::Field,
            _ => panic!("there is no slot {{{name}}}"),
        }
    }

    pub fn argument(&self) -> &'static str {
        match self {
            Slot::Days(_) => "range",
            Slot::Bound => "bound",
            Slot::Rows | Slot::MoreRows | Slot::Number => "ids",
            Slot::Exactly | Slot::Money => "amount",
            Slot::Row => "id",
            Slot::Currency => "currency",
            Slot::Description => "query",
            Slot::Pair | Slot::Second => "category",
            Slot::Unused | Slot::Any | Slot::OldMoney | Slot::Often => "",
            Slot::Count(name)
            | Slot::Name(name)
            | Slot::Names(name)
            | Slot::Known(name)
            | Slot::Free(name)
            | Slot::Text(name)
            | Slot::Every(name)
            | Slot::DayWords(name)
            | Slot::Said(name)
            | Slot::Price(name)
            | Slot::Day(name) => name,
            Slot::Field => "field",
        }
    }
}

impl Frames {
    fn read(files: &[(Language, &[&'static str])]) -> Frames {
        let mut frames = Frames::default();
        for (language, files) in files {
            let mut named = Named::new();
            let is_used =
                |name: &str| files.iter().map(|file| file.matches(&format!("<{name}>")).count()).sum::<usize>() > 1;
            for file in *files {
                frames.read_file(file, *language, &mut named);
            }
            let unused = if cfg!(test) { named.keys().find(|name| !is_used(name)) } else { None };
            assert_eq!(unused, None, "nothing uses this name");
        }
        frames
    }

    fn read_file(&mut self, file: &'static str, language: Language, named: &mut Named) {
        let lines = || file.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        for (name, rest) in lines().filter_map(|line| line.strip_prefix('<')?.split_once("> = ")) {
            let parts = pattern(rest, named);
            named.insert(name, Part::OneOf(Arc::new(Choice::of(vec![parts]))));
        }
        let (mut act, mut required) = (None, Vec::new());
        for line in lines().filter(|line| !line.starts_with('<')) {
            let (head, rest) = line.split_once(' ').unwrap_or((line, ""));
            if matches!(head, "call" | "answer" | "say" | "refuse") {
                required.clear();
            }
            match (head, &mut act) {
                ("", Some(act)) => self.add(act, language, &required, pattern(rest.trim(), named)),
                ("call" | "answer", _) => act = Some(Act::Call(Call::read(rest, head == "answer"))),
                ("say", _) => act = Some(Act::Say(text(rest))),
                ("refuse", _) => act = Some(Act::Refuse(text(rest))),
                ("require", Some(_)) => required = rest.split(' ').collect(),
                ("ask", Some(Act::Call(call))) => call.ask(rest),
                ("after", Some(Act::Call(call))) => call.after = Some(rest),
                ("now", Some(Act::Call(call))) => call.now = Some(rest),
                _ => panic!("{line}"),
            }
        }
    }

    fn add(&mut self, act: &Act, language: Language, required: &[&'static str], pattern: Vec<Part>) {
        let mut first = Words::default();
        let is_open = firsts(&pattern, &mut first) != First::Known;
        let needs = pattern.iter().filter_map(|part| {
            let mut words = Words::default();
            let is_known = firsts(std::slice::from_ref(part), &mut words) == First::Known;
            is_known.then_some(words)
        });
        // Most messages have some of the words that sentences are made of.
        let common = |words: &Words| words.iter().filter(|word| CLOSED.contains(word)).count();
        let needs = needs.min_by_key(|words| (common(words), words.len())).unwrap_or_default();
        let answered = match act {
            Act::Call(call) if call.is_answer => Some(call.tool),
            _ => None,
        };
        let is_unpriced = is_open && !holds(&pattern, Slot::Money);
        let (act, required) = (act.clone(), required.to_vec());
        let frame = Frame { act, language, required, pattern, is_unpriced, needs };
        if answered == Some(ORDER) {
            self.of_orders.extend(frame.needs.iter().copied());
        }
        if let Some(tool) = answered {
            return self.answers.entry(tool).or_default().push(frame);
        }
        let at = self.frames.len();
        let add = |index: &mut ByWord, word| index.entry(word).or_default().push(at);
        match is_open {
            true if frame.needs.is_empty() => self.open.push(at),
            true => frame.needs.iter().for_each(|word| add(&mut self.by_need, *word)),
            false => first.into_iter().for_each(|word| add(&mut self.by_first, word)),
        }
        self.frames.push(frame);
    }

    /// What may answer a question about a call. None of those that are called at once.
    pub fn answers(&self, tool: &str) -> Option<&[Frame]> {
        self.answers.get(tool).map(Vec::as_slice)
    }

    pub fn is_of_order(&self, word: Word) -> bool {
        self.of_orders.contains(&word)
    }

    /// Those that may fit.
    pub fn of_words(&self, words: &[Word]) -> impl Iterator<Item = &Frame> {
        let known = words.first().and_then(|first| self.by_first.get(first)).into_iter().flatten();
        let fits = |at: &&usize| self.frames[**at].may_fit(words);
        let needed = words.iter().filter_map(|word| self.by_need.get(word)).flatten();
        let mut found: Vec<usize> = known.filter(fits).chain(needed).chain(&self.open).copied().collect();
        found.put_in_order(Ord::cmp);
        found.dedup();
        found.into_iter().map(|at| &self.frames[at])
    }
}

fn holds(parts: &[Part], slot: Slot) -> bool {
    parts.iter().any(|part| match part {
        Part::Word(_) => false,
        Part::OneOf(choice) => choice.ways.iter().any(|way| holds(way, slot)),
        Part::Many(parts) => holds(parts, slot),
        Part::Slot(held) => *held == slot,
    })
}

/// What a pattern begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum First {
    /// One of the words.
    Known,
    /// Any word.
    Any,
    /// One of the words, or what follows the pattern.
    Next,
}

/// Collects the words that a pattern can begin with.
fn firsts(parts: &[Part], words: &mut Words) -> First {
    for part in parts {
        let first = match part {
            Part::Word(word) => {
                words.insert(*word);
                First::Known
            }
            Part::Slot(_) => First::Any,
            Part::OneOf(choice) => {
                words.extend(choice.by_first.keys());
                choice.first
            }
            Part::Many(repeated) => match firsts(repeated, words) {
                First::Any => First::Any,
                First::Known | First::Next => First::Next,
            },
        };
        if first != First::Next {
            return first;
        }
    }
    First::Next
}

/// A text, or the name of one.
fn text(name: &'static str) -> &'static str {
    match name {
        "hello" => wording::HELLO,
        "help" => wording::HELP,
        "welcome" => wording::WELCOME,
        "goodbye" => wording::GOODBYE,
        "well" => wording::WELL,
        "nothing_spent" => wording::NOTHING_SPENT,
        "cannot" => wording::CANNOT_LOOK,
        "not_so_often" => wording::NOT_SO_OFTEN,
        "only_first" => wording::ONLY_FIRST,
        "no_weekdays" => wording::NO_WEEKDAYS,
        text if text.contains(' ') => text,
        _ => panic!("there is no text {name}"),
    }
}

type Named = BTreeMap<&'static str, Part>;

fn pattern(text: &'static str, named: &Named) -> Vec<Part> {
    let mut letters = Letters { text, at: text.chars().peekable(), place: 0 };
    let mut ways = letters.ways(named);
    assert!(letters.at.peek().is_none() && ways.len() == 1, "{text}");
    ways.remove(0)
}

struct Letters {
    text: &'static str,
    at: Peekable<Chars<'static>>,
    place: usize,
}

impl Letters {
    fn next(&mut self) -> Option<char> {
        let letter = self.at.next()?;
        self.place += letter.len_utf8();
        Some(letter)
    }

    fn until(&mut self, ends: impl Fn(char) -> bool) -> &'static str {
        let start = self.place;
        while self.at.peek().is_some_and(|letter| !ends(*letter)) {
            self.next();
        }
        &self.text[start..self.place]
    }

    /// What stands between `|`.
    fn ways(&mut self, named: &Named) -> Vec<Vec<Part>> {
        let mut ways = vec![Vec::new()];
        while let Some(letter) = self.at.peek().copied() {
            let part = match letter {
                ')' | ']' => break,
                ' ' => {
                    self.next();
                    continue;
                }
                '|' => {
                    self.next();
                    ways.push(Vec::new());
                    continue;
                }
                '(' | '[' => {
                    self.next();
                    let mut inner = self.ways(named);
                    self.next();
                    inner.extend((letter == '[').then(Vec::new));
                    Part::OneOf(Arc::new(Choice::of(inner)))
                }
                '{' | '<' => {
                    self.next();
                    let name = self.until(|letter| matches!(letter, '}' | '>'));
                    self.next();
                    match letter {
                        '{' => Part::Slot(Slot::named(name)),
                        _ => named.get(name).unwrap_or_else(|| panic!("no <{name}>")).clone(),
                    }
                }
                _ => Part::Word(Word::of(self.until(|letter| " ()[]|{}<>*".contains(letter)))),
            };
            let repeats = self.at.next_if_eq(&'*').is_some();
            self.place += usize::from(repeats);
            let way = ways.last_mut().expect("a way");
            way.push(if repeats { Part::Many(vec![part]) } else { part });
        }
        ways
    }
}

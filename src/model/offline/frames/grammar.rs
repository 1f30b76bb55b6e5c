//! The notation of patterns:
//!
//! ```text
//! <ask> = (show|list) [me]          a name for a pattern
//! call list_expenses {"limit": 1}    what the patterns below come to: a call, or `say` and the name of a text
//!   <ask> [the] {words} <when>*     words, (one|of these), [perhaps], {slot}, <name>, and * for any number of times
//! # a comment
//! ```

use std::{
    collections::{BTreeMap, BTreeSet},
    iter::Peekable,
    str::Chars,
    sync::{Arc, LazyLock},
};

use serde_json::{Map, Value};

use super::super::wording;

/// A further language, or a further toolkit, is a further file.
const FILES: [&str; 2] = [include_str!("en.txt"), include_str!("settings.txt")];

pub static FRAMES: LazyLock<Frames> = LazyLock::new(|| Frames::read(&FILES));

#[derive(Default)]
pub struct Frames {
    frames: Vec<Frame>,
    by_first: BTreeMap<Word, Vec<usize>>,
    /// Those that begin with a slot.
    open: Vec<usize>,
}

pub struct Frame {
    pub act: Act,
    pub pattern: Vec<Part>,
    /// A message that fits has one of these words. Empty if there are none.
    needs: Vec<Word>,
}

/// The hash of a word. Words are compared hundreds of times a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Word(u64);

impl Word {
    /// FNV-1a, of 64 bits.
    pub fn of(word: &str) -> Word {
        Word(
            word.bytes()
                .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)),
        )
    }
}

impl Frame {
    pub fn compares(&self) -> bool {
        matches!(&self.act, Act::Call(_, fixed) if fixed.contains_key("compare"))
    }
}

#[derive(Debug, Clone)]
pub enum Act {
    /// A tool, and the arguments it always has.
    Call(&'static str, Map<String, Value>),
    Say(&'static str),
    /// Of what cannot be done, where nothing else is read.
    Refuse(&'static str),
}

#[derive(Debug, Clone)]
pub enum Part {
    Word(Word),
    OneOf(Arc<Choice>),
    Many(Vec<Part>),
    Slot(Slot),
}

/// Ways to go on, by the word that they begin with.
#[derive(Debug, Default)]
pub struct Choice {
    ways: Vec<Vec<Part>>,
    by_first: BTreeMap<Word, Vec<usize>>,
    /// Those that can begin with any word, or be empty.
    open: Vec<usize>,
    is_optional: bool,
}

impl Choice {
    fn of(ways: Vec<Vec<Part>>) -> Choice {
        let mut choice = Choice { is_optional: ways.iter().any(Vec::is_empty), ..Choice::default() };
        for (at, way) in ways.iter().enumerate() {
            let mut first = BTreeSet::new();
            if firsts(way, &mut first) {
                choice.open.push(at);
            } else {
                first.into_iter().for_each(|word| choice.by_first.entry(word).or_default().push(at));
            }
        }
        choice.ways = ways;
        choice
    }

    pub fn ways(&self, word: Option<&Word>) -> impl Iterator<Item = &Vec<Part>> {
        let known = word.and_then(|word| self.by_first.get(word)).into_iter().flatten();
        known.chain(&self.open).map(|at| &self.ways[*at])
    }
}

/// Holds an argument of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
    /// A time zone as it is written.
    Zone,
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
}

impl Slot {
    fn named(name: &str) -> Slot {
        match name {
            "range" => Slot::Days(0),
            "than" => Slot::Days(1),
            "bound" => Slot::Bound,
            "limit" => Slot::Count("limit"),
            "top" => Slot::Count("top"),
            "ids" => Slot::Rows,
            "more-ids" => Slot::MoreRows,
            "number" => Slot::Number,
            "exactly" => Slot::Exactly,
            "any" => Slot::Any,
            "currency" => Slot::Currency,
            "timezone" => Slot::Zone,
            "category" => Slot::Name("category"),
            "words" => Slot::Name("words"),
            "text" => Slot::Name("text"),
            "query" => Slot::Name("search"),
            "description" => Slot::Description,
            "without" => Slot::Names("without"),
            "categories" => Slot::Names("categories"),
            "known" => Slot::Known("category"),
            "name" => Slot::Unused,
            "pair" => Slot::Pair,
            "and-category" => Slot::Second,
            _ => panic!("there is no slot {{{name}}}"),
        }
    }

    pub fn argument(&self) -> &'static str {
        match self {
            Slot::Days(_) => "range",
            Slot::Bound => "bound",
            Slot::Rows | Slot::MoreRows | Slot::Number => "ids",
            Slot::Exactly => "amount",
            Slot::Currency => "currency",
            Slot::Zone => "timezone",
            Slot::Description => "query",
            Slot::Pair | Slot::Second => "category",
            Slot::Unused | Slot::Any => "",
            Slot::Count(name) | Slot::Name(name) | Slot::Names(name) | Slot::Known(name) => name,
        }
    }
}

impl Frames {
    fn read(files: &[&'static str]) -> Frames {
        let mut frames = Frames::default();
        for file in files {
            let lines = || file.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
            let mut named = Named::new();
            for (name, rest) in lines().filter_map(|line| line.strip_prefix('<')?.split_once("> = ")) {
                debug_assert!(file.matches(&format!("<{name}>")).count() > 1, "<{name}> is not used");
                let parts = pattern(rest, &named);
                named.insert(name, Part::OneOf(Arc::new(Choice::of(vec![parts]))));
            }
            let mut act = None;
            for line in lines().filter(|line| !line.starts_with('<')) {
                let (head, rest) = line.split_once(' ').unwrap_or((line, ""));
                match head {
                    "" => frames.add(act.clone().expect("an act"), pattern(rest.trim(), &named)),
                    "call" => act = Some(call(rest)),
                    "say" => act = Some(Act::Say(text(rest))),
                    "refuse" => act = Some(Act::Refuse(text(rest))),
                    _ => panic!("{line}"),
                }
            }
        }
        frames
    }

    fn add(&mut self, act: Act, pattern: Vec<Part>) {
        let at = self.frames.len();
        let mut first = BTreeSet::new();
        if firsts(&pattern, &mut first) {
            self.open.push(at);
        } else {
            first.into_iter().for_each(|word| self.by_first.entry(word).or_default().push(at));
        }
        let needs = pattern.iter().filter_map(|part| {
            let mut words = BTreeSet::new();
            let is_open = firsts(std::slice::from_ref(part), &mut words);
            (!is_open).then(|| words.into_iter().collect::<Vec<_>>())
        });
        let needs = needs.min_by_key(Vec::len).unwrap_or_default();
        self.frames.push(Frame { act, pattern, needs });
    }

    /// Also those that begin with a slot, if wanted.
    pub fn of_words(&self, words: &[Word], open: bool) -> impl Iterator<Item = &Frame> {
        let known = words.first().and_then(|first| self.by_first.get(first)).into_iter().flatten();
        let mut found: Vec<usize> = known.chain(self.open.iter().filter(|_| open)).copied().collect();
        found.sort_unstable();
        let fits =
            |frame: &&Frame| frame.needs.is_empty() || words.iter().any(|word| frame.needs.binary_search(word).is_ok());
        found.into_iter().map(|at| &self.frames[at]).filter(fits)
    }
}

/// The words a pattern can begin with. True if it can begin with any, or be empty.
fn firsts(parts: &[Part], words: &mut BTreeSet<Word>) -> bool {
    for part in parts {
        match part {
            Part::Word(word) => {
                words.insert(*word);
                return false;
            }
            Part::Slot(_) => return true,
            Part::OneOf(choice) => {
                words.extend(choice.by_first.keys());
                let can_be_empty = |at: &&usize| choice.ways[**at].is_empty();
                if choice.open.iter().any(|at| !can_be_empty(&at)) {
                    return true;
                }
                if !choice.is_optional {
                    return false;
                }
            }
            Part::Many(repeated) => {
                if firsts(repeated, words) {
                    return true;
                }
            }
        }
    }
    true
}

fn call(line: &'static str) -> Act {
    let (tool, arguments) = line.split_once(' ').unwrap_or((line, "{}"));
    Act::Call(tool, serde_json::from_str(arguments).expect("arguments in JSON"))
}

fn text(name: &str) -> &'static str {
    match name {
        "help" => wording::HELP,
        "welcome" => wording::WELCOME,
        "goodbye" => wording::GOODBYE,
        "well" => wording::WELL,
        "cannot" => wording::CANNOT_LOOK,
        "only_first" => wording::ONLY_FIRST,
        "no_weekdays" => wording::NO_WEEKDAYS,
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

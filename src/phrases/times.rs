//! Phrases about time that are data: rows of words and typed slots, under what they come to.
//!
//! ```text
//! <part> = (morning|evening)    a name for a pattern, in the files behind it too
//! [day on -1]                   what the rows below come to: a kind, a meaning, and what it is told
//! last night [<part>]           words, (one|of these), [perhaps], <name>, {slot} and marks
//! in< {length}                  behind a word that is no part of it
//! a {thing}* &day !night        any number of times; such a word stands there, and no such word
//! ^ the {any unit} $            right behind a price; no noun follows
//! \( \)                         these marks
//! # a comment
//! ```
//!
//! Of the rows that fit, the longest counts, and of those the first. Within a row nothing is tried twice: what can be left
//! out is read where it stands. A slot that is not in `slots.rs` is a class of the lexicon.

mod slots;

use std::{collections::HashMap, sync::LazyLock};

use foldhash::fast::FixedState;
use jiff::civil::Date;
use slots::{DAYS, SLOTS, SPANS, Slots};

use super::{
    DateRange,
    calendar::Period,
    day_words::{self, closes, is_after_price},
    days::Day,
    ends,
    lexicon::Class,
    tokens::{Line, is_one_of},
};

pub(super) const FILES: [&str; 5] = [
    include_str!("times/any.txt"),
    include_str!("times/en.txt"),
    include_str!("times/de.txt"),
    include_str!("times/fr.txt"),
    include_str!("times/es.txt"),
];

/// A day that is counted from another day; any other day; a week or the like that is counted from this one; any other span;
/// a part of a day; days of one month or week; an hour; a week or the like where spending is asked for.
const KINDS: [&str; 8] = ["outer", "day", "whole", "span", "part", "days", "hour", "asked"];
const OUTER: usize = 0;
const DAY: usize = 1;
const WHOLE: usize = 2;
const SPAN: usize = 3;
const PART: usize = 4;
const DAYS_OF_MONTH: usize = 5;
const HOUR: usize = 6;
const ASKED: usize = 7;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Slot {
    /// By its place in `SLOTS`.
    Named(usize),
    Class(Class),
}

enum Part {
    /// One of these words, or numbers.
    Words(&'static [&'static str]),
    /// Or `^` and `$`.
    Mark(char),
    Slot(Slot),
    Group {
        options: Vec<Vec<Part>>,
        is_optional: bool,
    },
    Many(Box<Part>),
    /// A pattern with a name. It is read once.
    Named(&'static [Part]),
    Behind(Box<Part>),
    Look {
        part: Box<Part>,
        is_there: bool,
    },
}

struct Row {
    /// Its place in `DAYS` or `SPANS`.
    meaning: usize,
    told: &'static str,
    parts: Vec<Part>,
}

/// Rows, by what they can begin with.
#[derive(Default)]
struct Table {
    rows: Vec<Row>,
    by_word: HashMap<&'static str, Vec<usize>, FixedState>,
    by_slot: Vec<(Slot, Vec<usize>)>,
}

type Names = HashMap<&'static str, &'static [Part]>;

/// And the slots that rows begin with, a bit each.
static TABLES: LazyLock<([Table; KINDS.len()], u64)> = LazyLock::new(|| {
    let mut tables: [Table; KINDS.len()] = Default::default();
    let mut names = Names::new();
    let (mut kind, mut meaning, mut told) = (0, 0, "");
    for line in FILES.into_iter().flat_map(str::lines).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let section = || line.strip_prefix('[')?.strip_suffix(']')?.split_once(' ');
        if let Some((name, rest)) = section()
            && let Some(at) = KINDS.iter().position(|kind| *kind == name)
        {
            let (name, rest) = rest.split_once(' ').unwrap_or((rest, ""));
            let mut known: Box<dyn Iterator<Item = &str>> = match at {
                OUTER | DAY => Box::new(DAYS.iter().map(|(name, _)| *name)),
                _ => Box::new(SPANS.iter().map(|(name, _)| *name)),
            };
            (kind, meaning, told) = (at, known.position(|known| known == name).expect("a meaning"), rest);
        } else if let Some((name, pattern)) = line.split_once(" = ") {
            let mut rest = pattern;
            let pattern = parts(&mut rest, &names);
            assert!(rest.is_empty(), "{line}");
            names.insert(name.trim_matches(['<', '>']), pattern.leak());
        } else {
            let mut rest = line;
            let parts = parts(&mut rest, &names);
            assert!(rest.is_empty(), "{line}");
            tables[kind].index(&parts);
            tables[kind].rows.push(Row { meaning, told, parts });
        }
    }
    // A week is a phrase of its own, and a class is asked for at once.
    let firsts = tables.iter().flat_map(|table| &table.by_slot).fold(0, |firsts, (slot, _)| match slot {
        Slot::Named(place) if SLOTS[*place].0 != "week" => firsts | 1 << place,
        _ => firsts,
    });
    (tables, firsts)
});

/// The slots that begin there, a bit each, and from the top the kinds of rows. Several readers look at each word, and
/// none of them need try all.
pub(super) fn begins(line: &Line<'_>, at: usize) -> u64 {
    let (tables, firsts) = &*TABLES;
    let slots = (0..SLOTS.len()).filter(|place| firsts & 1 << place != 0).fold(0, |begins, place| {
        let mut found = Match { line, today: Date::ZERO, start: at, slots: Slots::default() };
        begins | u64::from(SLOTS[place].1(&mut found, at).is_some()) << place
    });
    let word = line.digits(at).unwrap_or(line.word(at));
    let is_first = |table: &Table, week: bool| {
        let is_slot = |slot: &Slot| match slot {
            Slot::Named(place) if firsts & 1 << place == 0 => week,
            Slot::Named(place) => slots & 1 << place != 0,
            Slot::Class(class) => line.may_be(at, *class),
        };
        table.by_word.contains_key(word) || table.by_slot.iter().any(|(slot, _)| is_slot(slot))
    };
    let week = is_first(&tables[WHOLE], false);
    tables.iter().zip(0..).fold(slots, |begins, (table, kind)| begins | u64::from(is_first(table, week)) << (63 - kind))
}

impl Slot {
    fn named(name: &str) -> Slot {
        let place = SLOTS.iter().position(|(slot, _)| *slot == name).map(Slot::Named);
        place.or_else(|| Class::named(name).map(Slot::Class)).expect("a slot")
    }
}

/// Up to what closes a group, or the end.
fn parts(text: &mut &'static str, names: &Names) -> Vec<Part> {
    let mut parts = Vec::new();
    loop {
        *text = text.trim_ascii_start();
        match text.chars().next() {
            None | Some('|' | ')' | ']') => return parts,
            Some(first) => parts.push(part(text, first, names)),
        }
    }
}

fn part(text: &mut &'static str, first: char, names: &Names) -> Part {
    let mark = |text: &mut &'static str| *text = &text[first.len_utf8()..];
    let read = match first {
        '(' | '[' => {
            let mut options = Vec::new();
            while !text.starts_with([')', ']']) {
                mark(text);
                options.push(parts(text, names));
            }
            mark(text);
            let word = |option: &Vec<Part>| match &option[..] {
                [Part::Words(words)] => Some(*words),
                _ => None,
            };
            match options.iter().map(word).collect::<Option<Vec<_>>>() {
                Some(words) if first == '(' => Part::Words(words.concat().leak()),
                _ => Part::Group { options, is_optional: first == '[' },
            }
        }
        '<' => {
            let (name, rest) = text[1..].split_once('>').expect("a name that ends");
            *text = rest;
            match names[name] {
                [Part::Words(words)] => Part::Words(words),
                pattern => Part::Named(pattern),
            }
        }
        '{' => {
            let (name, rest) = text[1..].split_once('}').expect("a slot that ends");
            *text = rest;
            Part::Slot(Slot::named(name))
        }
        '^' | '$' | ',' | '.' | ':' | '-' | '–' | '—' | '/' | '+' => {
            mark(text);
            Part::Mark(first)
        }
        '!' | '&' => {
            mark(text);
            let looked_for = text.chars().next().expect("what is looked for");
            Part::Look { part: Box::new(part(text, looked_for, names)), is_there: first == '&' }
        }
        '\\' => {
            let (escaped, rest) = text[1..].split_at(1);
            *text = rest;
            Part::Mark(escaped.chars().next().expect("a mark"))
        }
        _ => {
            // Byte by byte: a pattern of `str` takes several times as many instructions.
            let end = text.bytes().position(|byte| b" |)]<".contains(&byte));
            let (word, rest) = text.split_at(end.unwrap_or(text.len()));
            *text = rest;
            Part::Words(vec![word].leak())
        }
    };
    if text.starts_with('*') {
        mark(text);
        return Part::Many(Box::new(read));
    }
    if text.starts_with('<') {
        mark(text);
        return Part::Behind(Box::new(read));
    }
    read
}

impl Table {
    /// False where the parts may all be left out.
    fn index(&mut self, parts: &[Part]) -> bool {
        let row = self.rows.len();
        for part in parts {
            let add = |rows: &mut Vec<usize>| {
                if rows.last() != Some(&row) {
                    rows.push(row);
                }
            };
            match part {
                Part::Words(words) => words.iter().for_each(|word| add(self.by_word.entry(word).or_default())),
                Part::Slot(slot) => add(self.rows_of(*slot)),
                Part::Group { options, is_optional } => {
                    let empty = options.iter().filter(|option| !self.index(option)).count();
                    if empty == 0 && !is_optional {
                        return true;
                    }
                    continue;
                }
                Part::Many(part) => {
                    self.index(std::slice::from_ref(part));
                    continue;
                }
                Part::Named(pattern) if !self.index(pattern) => continue,
                Part::Named(_) => {}
                Part::Mark(_) | Part::Behind(_) | Part::Look { .. } => continue,
            }
            return true;
        }
        false
    }

    fn rows_of(&mut self, slot: Slot) -> &mut Vec<usize> {
        let known = self.by_slot.iter().position(|(known, _)| *known == slot);
        let at = known.unwrap_or(self.by_slot.len());
        if known.is_none() {
            self.by_slot.push((slot, Vec::new()));
        }
        &mut self.by_slot[at].1
    }

    /// The longest row there, what its slots hold, and where it ends.
    fn read(&self, line: &Line<'_>, at: usize, today: Date) -> Option<(&Row, Slots, usize)> {
        let begin = |slot: &Slot| match slot {
            Slot::Named(place) => may_begin(line, *place, at),
            Slot::Class(class) => line.may_be(at, *class),
        };
        let said = self.by_word.get(line.digits(at).unwrap_or(line.word(at))).into_iter();
        let rows = said.chain(self.by_slot.iter().filter(|(slot, _)| begin(slot)).map(|(_, rows)| rows)).flatten();
        let mut best: Option<(usize, Slots, usize)> = None;
        for row in rows {
            let mut found = Match { line, today, start: at, slots: Slots::default() };
            let Some(end) = found.all(&self.rows[*row].parts, at).filter(|end| *end > at) else { continue };
            if best.as_ref().is_none_or(|(first, _, longest)| end > *longest || end == *longest && row < first) {
                best = Some((*row, found.slots, end));
            }
        }
        best.map(|(row, slots, end)| (&self.rows[row], slots, end))
    }
}

struct Match<'l, 't> {
    line: &'l Line<'t>,
    today: Date,
    start: usize,
    slots: Slots,
}

impl Match<'_, '_> {
    fn all(&mut self, parts: &[Part], at: usize) -> Option<usize> {
        parts.iter().try_fold(at, |at, part| self.part(part, at))
    }

    fn part(&mut self, part: &Part, at: usize) -> Option<usize> {
        let line = self.line;
        match part {
            Part::Words(words) => is_one_of(line.digits(at).unwrap_or(line.word(at)), words).then_some(at + 1),
            Part::Mark('^') => is_after_price(line, at).then_some(at),
            Part::Mark('$') => closes(line, at).then_some(at),
            Part::Mark(mark) => (line.mark(at) == Some(*mark)).then_some(at + 1),
            Part::Slot(slot) => self.slot(*slot, at),
            Part::Group { options, is_optional } => {
                let read = options.iter().find_map(|option| self.all(option, at));
                read.or(is_optional.then_some(at))
            }
            Part::Many(part) => {
                let mut end = at;
                while let Some(next) = self.part(part, end) {
                    end = next;
                }
                Some(end)
            }
            Part::Named(pattern) => self.all(pattern, at),
            Part::Behind(part) => (at > 0 && self.part(part, at - 1) == Some(at)).then_some(at),
            Part::Look { part, is_there } => (self.part(part, at).is_some() == *is_there).then_some(at),
        }
    }

    fn slot(&mut self, slot: Slot, at: usize) -> Option<usize> {
        match slot {
            Slot::Named(place) if may_begin(self.line, place, at) => SLOTS[place].1(self, at),
            Slot::Named(_) => None,
            Slot::Class(class) => self.line.sense(at, class).map(|(end, _)| end),
        }
    }
}

fn may_begin(line: &Line<'_>, place: usize, at: usize) -> bool {
    TABLES.1 & 1 << place == 0 || line.begins(at) & 1 << place != 0
}

/// The longest row of the kind.
fn read(kind: usize, line: &Line<'_>, at: usize, today: Date) -> Option<(&'static Row, Slots, usize)> {
    if line.begins(at) & 1 << (63 - kind) == 0 { None } else { TABLES.0[kind].read(line, at, today) }
}

/// A day that is counted from another.
pub(super) fn outer(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    day_of(OUTER, line, at, today)
}

pub(super) fn day(line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    day_of(DAY, line, at, today)
}

fn day_of(kind: usize, line: &Line<'_>, at: usize, today: Date) -> Option<Day> {
    let (row, slots, end) = read(kind, line, at, today).filter(|_| line.starts(at))?;
    Some(Day { end, reading: DAYS[row.meaning].1(&slots, row.told, today)?, yearless: None })
}

/// A week, month or the like, by its distance from this one; no range where the words do not settle it.
pub(super) fn whole(line: &Line<'_>, at: usize, today: Date) -> Option<Period> {
    span_of(WHOLE, line, at, today)
}

pub(super) fn span(line: &Line<'_>, at: usize, today: Date) -> Option<Period> {
    span_of(SPAN, line, at, today).or_else(|| whole(line, at, today))
}

/// "two months ago": of a day in an expense, but what was spent then is asked of all of that month.
pub(super) fn asked(line: &Line<'_>, today: Date) -> Option<DateRange> {
    span_of(ASKED, line, 0, today).filter(|period| period.end == line.tokens.len())?.range
}

fn span_of(kind: usize, line: &Line<'_>, at: usize, today: Date) -> Option<Period> {
    let (row, slots, end) = read(kind, line, at, today)?;
    Some(Period { end, range: SPANS[row.meaning].1(&slots, row.told, today), yearless: None })
}

/// Days of one month by their numbers, or of one week.
pub(super) fn days_of_month(line: &Line<'_>, at: usize, today: Date) -> Option<Period> {
    // Most words have nothing behind them that joins two days.
    let joins = |at: usize| {
        let is_mark = line.mark(at).is_some_and(|mark| ",/+".contains(mark));
        is_mark || ends::is_link(line, at) || line.is(at, Class::And) || line.is(at, &["or", "oder", "ou", "o"])
    };
    let is_joined = line.starts(at) && (at + 1..line.tokens.len().min(at + 10)).any(joins);
    if is_joined { span_of(DAYS_OF_MONTH, line, at, today) } else { None }
}

/// Past "soir", "après-midi", "por la mañana".
pub(super) fn part_of_day(line: &Line<'_>, at: usize) -> usize {
    read(PART, line, at, Date::ZERO).map_or(at, |(_, _, end)| end)
}

/// Words that say at what time of a day, and not on which: "at noon", "in the morning", "um 8 Uhr". Where they end, and the
/// hour, or the first one it may be.
pub(super) fn hour(line: &Line<'_>, at: usize) -> Option<(usize, i8)> {
    let (row, slots, end) = read(HOUR, line, at, Date::ZERO)?;
    let hour = slots.hour.unwrap_or_else(|| day_words::part_of_day(line.word(end - 1)));
    Some((end, if row.told == "later" && hour < 12 { hour + 12 } else { hour }))
}

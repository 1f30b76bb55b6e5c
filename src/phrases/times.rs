//! Phrases about time that are data: rows of words and typed slots, under what they come to.
//!
//! ```text
//! [day on -1]                   what the rows below come to: a kind, a meaning, and what it is told
//! last night [<part>]           a pattern, in the notation of `patterns/compile.rs`
//! ^ the {any unit} $            right behind a price; no noun follows
//! ```
//!
//! Of the rows that fit, the longest counts, and of those the first. Within a row nothing is tried twice: what can be left
//! out is read where it stands. A slot that is not in `slots.rs` is a class of the lexicon.

mod slots;

use jiff::civil::Date;
use slots::{DAYS, SLOTS, SPANS, Slots};

use super::{
    DateRange,
    day_words::{closes, is_after_price},
    days, ends, hours,
    lexicon::Class,
    openings,
    patterns::{
        AHEAD, ALL, BEHIND, MANY, MARK, MARKS, NAMED, ONE_OF, PERHAPS, Part, Parts, Patterns, SLOT, WORD, find, is_same,
    },
    periods::Point,
    tokens::Line,
};

include!(concat!(env!("OUT_DIR"), "/times.rs"));

#[derive(Clone, Copy, PartialEq, Eq)]
enum Slot {
    /// By its place in `SLOTS`.
    Named(u8),
    Class(Class),
}

struct Row {
    kind: u8,
    /// Its place in `DAYS` or `SPANS`.
    meaning: usize,
    told: &'static str,
    /// Where the list of them begins.
    parts: u16,
}

/// The list of rows that a word or slot can begin, and a bit for each of their kinds.
struct Firsts {
    kinds: u8,
    rows: u16,
}

/// The slots that rows begin with, a bit each. A week is a phrase of its own, and a class is asked for at once.
const FIRST_SLOTS: u64 = {
    let (mut firsts, mut at) = (0, 0);
    while at < HELD.len() {
        if let (Slot::Named(place), Firsts { kinds: 1.., .. }) = HELD[at]
            && !is_same(SLOTS[place as usize].0, "week")
        {
            firsts |= 1 << place;
        }
        at += 1;
    }
    firsts
};

impl Slot {
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer than bits")]
    const fn of(name: &str, class: Option<Class>) -> Slot {
        match (find(SLOTS, name), class) {
            (Some(place), _) => Slot::Named(place as u8),
            (None, Some(class)) => Slot::Class(class),
            (None, None) => panic!("there is no such slot"),
        }
    }
}

/// The number that phrases about time have for the word or number there.
pub(super) fn time_word(line: &Line<'_>, at: usize) -> Option<u16> {
    let token = line.tokens.get(at)?;
    *token.time_word.get_or_init(|| PATTERNS.word(token.digits().or(token.word())?))
}

/// The slots of phrases about time that begin there, a bit each.
fn begun(line: &Line<'_>, at: usize) -> u64 {
    line.tokens.get(at).map_or(0, |token| *token.begins.get_or_init(|| begins(line, at)))
}

/// The slots that begin there, a bit each, and from the top the kinds of rows. Several readers look at each word, and
/// none of them need try all.
fn begins(line: &Line<'_>, at: usize) -> u64 {
    let slots = (0..SLOTS.len()).filter(|place| FIRST_SLOTS & 1 << place != 0).fold(0, |begins, place| {
        let mut found = Match { line, today: Date::ZERO, start: at, slots: Slots::default() };
        begins | u64::from(SLOTS[place].1(&mut found, at).is_some()) << place
    });
    let mut kinds = time_word(line, at).map_or(0, |word| WORDS[usize::from(word)].kinds);
    let mut of_weeks = 0;
    for (slot, firsts) in &HELD {
        match slot {
            Slot::Named(place) if FIRST_SLOTS & 1 << place == 0 => of_weeks |= firsts.kinds,
            Slot::Named(place) if slots & 1 << place != 0 => kinds |= firsts.kinds,
            Slot::Class(class) if line.may_be(at, *class) => kinds |= firsts.kinds,
            _ => {}
        }
    }
    // A week begins what a whole span begins.
    let weeks = if u64::from(kinds) << KINDS_AT & bit(KIND_WHOLE) == 0 { 0 } else { of_weeks };
    slots | u64::from(kinds | weeks) << KINDS_AT
}

/// The bits of the kinds stand above those of the slots.
const KINDS_AT: u32 = 56;
const _: () = assert!(SLOTS.len() <= KINDS_AT as usize);

/// Of a kind, in what `begins` says.
const fn bit(kind: u8) -> u64 {
    1 << (KINDS_AT + kind as u32)
}

/// The longest row of the kind there, what its slots hold, and where it ends.
fn read(kind: u8, line: &Line<'_>, at: usize, today: Date) -> Option<(&'static Row, Slots, usize)> {
    if begun(line, at) & bit(kind) == 0 {
        return None;
    }
    let begin = |slot: Slot| match slot {
        Slot::Named(place) => may_begin(line, place, at),
        Slot::Class(class) => line.may_be(at, class),
    };
    let slots = HELD.iter().filter(|(slot, firsts)| firsts.kinds & 1 << kind != 0 && begin(*slot));
    let firsts =
        time_word(line, at).map(|word| &WORDS[usize::from(word)]).into_iter().chain(slots.map(|(_, firsts)| firsts));
    let rows = firsts.flat_map(|firsts| PATTERNS.list(firsts.rows)).filter(|row| ROWS[usize::from(**row)].kind == kind);
    let mut best: Option<(u16, Slots, usize)> = None;
    for row in rows {
        let mut found = Match { line, today, start: at, slots: Slots::default() };
        let Some(end) = found.all(Parts(PATTERNS.list(ROWS[usize::from(*row)].parts)), at).filter(|end| *end > at)
        else {
            continue;
        };
        if best.as_ref().is_none_or(|(first, _, longest)| end > *longest || end == *longest && row < first) {
            best = Some((*row, found.slots, end));
        }
    }
    best.map(|(row, slots, end)| (&ROWS[usize::from(row)], slots, end))
}

struct Match<'l, 't> {
    line: &'l Line<'t>,
    today: Date,
    start: usize,
    slots: Slots,
}

impl Match<'_, '_> {
    fn all(&mut self, mut parts: Parts<'_>, at: usize) -> Option<usize> {
        parts.try_fold(at, |at, part| self.part(part, at))
    }

    fn part(&mut self, Part { kind, said, own }: Part<'_>, at: usize) -> Option<usize> {
        let line = self.line;
        let is = |holds: bool, end: usize| holds.then_some(end);
        match kind {
            WORD => is(time_word(line, at) == Some(said), at + 1),
            MARK => match MARKS[usize::from(said)] {
                '^' => is(is_after_price(line, at), at),
                '$' => is(closes(line, at), at),
                mark => is(line.mark(at) == Some(mark), at + 1),
            },
            SLOT => self.slot(HELD[usize::from(said)].0, at),
            NAMED => self.all(PATTERNS.named(said, time_word(line, at))?, at),
            ALL => self.all(own, at),
            ONE_OF | PERHAPS => {
                let read = own.ways(time_word(line, at)).find_map(|way| self.part(way, at));
                read.or(is(kind == PERHAPS, at))
            }
            MANY => {
                let mut end = at;
                while let Some(next) = self.all(own, end) {
                    end = next;
                }
                Some(end)
            }
            BEHIND => is(at > 0 && self.all(own, at - 1) == Some(at), at),
            _ => is(self.all(own, at).is_some() == (kind == AHEAD), at),
        }
    }

    fn slot(&mut self, slot: Slot, at: usize) -> Option<usize> {
        match slot {
            Slot::Named(place) if may_begin(self.line, place, at) => SLOTS[usize::from(place)].1(self, at),
            Slot::Named(_) => None,
            Slot::Class(class) => self.line.sense(at, class).map(|(end, _)| end),
        }
    }
}

fn may_begin(line: &Line<'_>, place: u8, at: usize) -> bool {
    FIRST_SLOTS & 1 << place == 0 || begun(line, at) & 1 << place != 0
}

/// A day that is counted from another.
pub(super) fn outer(line: &Line<'_>, at: usize, today: Date) -> Option<Point> {
    day_of(KIND_OUTER, line, at, today)
}

pub(super) fn day(line: &Line<'_>, at: usize, today: Date) -> Option<Point> {
    day_of(KIND_DAY, line, at, today)
}

fn day_of(kind: u8, line: &Line<'_>, at: usize, today: Date) -> Option<Point> {
    let (row, slots, end) = read(kind, line, at, today).filter(|_| line.starts(at))?;
    Some(days::read(end, DAYS[row.meaning].1(&slots, row.told, today)?))
}

/// A week, month or the like, by its distance from this one; no range where the words do not settle it.
pub(super) fn whole(line: &Line<'_>, at: usize, today: Date) -> Option<Point> {
    span_of(KIND_WHOLE, line, at, today)
}

pub(super) fn span(line: &Line<'_>, at: usize, today: Date) -> Option<Point> {
    span_of(KIND_SPAN, line, at, today).or_else(|| whole(line, at, today))
}

/// "two months ago": of a day in an expense, but what was spent then is asked of all of that month.
pub(super) fn asked(line: &Line<'_>, today: Date) -> Option<DateRange> {
    span_of(KIND_ASKED, line, 0, today).filter(|period| period.end == line.tokens.len())?.range()
}

fn span_of(kind: u8, line: &Line<'_>, at: usize, today: Date) -> Option<Point> {
    let (row, slots, end) = read(kind, line, at, today)?;
    Some(Point::of(end, SPANS[row.meaning].1(&slots, row.told, today)))
}

/// Days of one month by their numbers, or of one week.
pub(super) fn days_of_month(line: &Line<'_>, at: usize, today: Date) -> Option<Point> {
    // Most words have nothing behind them that joins two days.
    let joins = |at: usize| {
        let is_mark = line.mark(at).is_some_and(|mark| ",/+".contains(mark));
        is_mark || ends::is_link(line, at) || line.is(at, [Class::And, Class::Or])
    };
    let is_joined = line.starts(at) && (at + 1..line.tokens.len().min(at + 10)).any(joins);
    if is_joined { span_of(KIND_DAYS, line, at, today) } else { None }
}

/// Past "soir", "après-midi", "por la mañana".
pub(super) fn part_of_day(line: &Line<'_>, at: usize) -> usize {
    read(KIND_PART, line, at, Date::ZERO).map_or(at, |(_, _, end)| end)
}

/// Words that say at what time of a day, and not on which: "at noon", "in the morning", "um 8 Uhr". Where they end, and the
/// hour, or the first one it may be.
pub(super) fn hour(line: &Line<'_>, at: usize) -> Option<(usize, i8)> {
    // "£5 Uhr" begins with a price.
    let (row, slots, end) = read(KIND_HOUR, line, at, Date::ZERO).filter(|_| openings::of(line).is_at(at))?;
    let hour = slots.hour.unwrap_or_else(|| hours::part_of_day(line.word(end - 1)));
    Some((end, if row.told == "later" && hour < 12 { hour + 12 } else { hour }))
}

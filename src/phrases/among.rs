//! The days that words about an unsettled one leave: "end of October", "the week before last", "a few weeks ago".

use jiff::{ToSpan, civil::Date};

use super::{DateRange, DateReading, Reader, calendar, clean, lexicon::Class, vocabulary};
use crate::sorted::Sort;

impl Reader {
    /// None where they leave any day.
    pub fn among(&self, words: &str) -> Option<DateRange> {
        let words = clean(&words.to_lowercase().replace('-', " "));
        let words: Vec<&str> = words.split(' ').collect();
        let whole = self.span_in(&words)?;
        let days = whole.from.until(whole.to).ok()?.get_days();
        // Where one part ends and the next begins, people differ.
        let (from, to) = match words.iter().find_map(|word| Class::PartAt.sense(word)).map(|sense| sense.says) {
            Some("start") => (0, days * 2 / 5),
            Some("middle") => (days * 3 / 10, days * 7 / 10),
            Some(_) => (days * 3 / 5, days),
            None => (0, days),
        };
        DateRange::new(whole.from.checked_add(from.days()).ok()?, whole.from.checked_add(to.days()).ok()?)
    }

    /// Where words without a year, a month or a week were read as a day, the one nearer to another day that they may mean:
    /// "the 15th" beside 14 October. None where it is the same, or where what they mean depends on today alone.
    pub fn nearer(&self, words: &str, read: Date, beside: Date) -> Option<Date> {
        let distance = |day: Date| day.duration_since(beside).unsigned_abs();
        let is_meant = |day: Date| {
            let found = Reader { today: day, hour: 23, ..*self }.dates(words);
            matches!(&found[..], [found] if found.reading == DateReading::On(day))
        };
        let around = (-31..=31).filter_map(|away: i32| beside.checked_add(away.days()).ok());
        let years = (-1..=1).filter_map(|away| Date::new(beside.year() + away, read.month(), read.day()).ok());
        let mut days: Vec<Date> = around.chain(years).filter(|day| *day != beside && *day <= self.today).collect();
        days.put_in_order_of(|day| distance(*day));
        days.retain(|day| distance(*day) < distance(read));
        let near = days.into_iter().find(|day| is_meant(*day))?;
        // "today" is every day.
        (!is_meant(near.tomorrow().ok()?)).then_some(near)
    }

    fn span_in(&self, words: &[&str]) -> Option<DateRange> {
        let unit = |word: &str| Class::Unit.sense(word).map(|sense| sense.says);
        let (today, last) = (self.today, *words.last()?);
        let named = words.iter().rev().find_map(|word| unit(word));
        if let ([.., "before", "last"], Some(unit)) = (words, named) {
            return calendar::so_far_away(unit, -2, today);
        }
        let is_past = last == "ago" || Class::BeforeAge.contains(words[0]) || words[0] == "il";
        let spans = match named {
            Some("week") => Some((10.weeks(), 1.week())),
            Some("month") => Some((18.months(), 1.month())),
            Some("year") => Some((10.years(), 1.year())),
            _ => None,
        };
        if let Some((far, near)) = spans.filter(|_| is_past) {
            return DateRange::new(today.checked_sub(far).ok()?, today.checked_sub(near).ok()?);
        }
        let said = (0..words.len()).find_map(|from| {
            let found = self.resolve_range(&words[from..].join(" ")).ok()?;
            (found.from < found.to || from == 0).then_some(found)
        });
        match said {
            Some(day) if day.from == day.to => {
                DateRange::new(day.from.checked_sub(10.days()).ok()?, day.to.checked_add(10.days()).ok()?)
            }
            Some(range) => Some(range),
            None => {
                let name = last.strip_prefix("d'").unwrap_or(last);
                match vocabulary::foreign(Class::Month.senses(name)) {
                    Some((month, _)) => {
                        let month = i8::try_from(month.number()).ok()?;
                        let year = today.year() - i16::from(month > today.month());
                        Some(calendar::whole_month(Date::new(year, month, 1).ok()?))
                    }
                    None => calendar::so_far_away(unit(name)?, 0, today),
                }
            }
        }
    }
}

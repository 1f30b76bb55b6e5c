//! The words that something about time can begin with: whatever stands before any other word, no reader of days or
//! spans need be asked.

use super::{
    Language,
    currencies::is_sign,
    day_words,
    lexicon::{Class, Sense},
    number_words,
    tokens::{Kind, Line},
    vocabulary,
};

/// Where a phrase about time may begin in a line. Most words of a message are what was bought, and forty readers would look
/// at each of them in vain; half of those need not be asked at all where nothing is in another language than English.
pub(super) struct Openings {
    at: Vec<bool>,
    pub foreign: bool,
    /// Something names a month.
    pub month: bool,
}

/// What a token is to a phrase about time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opening {
    Nothing,
    /// It begins one where another part follows: "the", "on".
    Lead,
    /// It may be a part, and begins none: "3" at the end.
    Part,
    Begins,
}

impl Openings {
    pub fn of(line: &Line<'_>) -> Self {
        let own = line.conventions.language;
        let mut foreign = own.is_some_and(|own| own != Language::English);
        let mut all = Vec::with_capacity(line.tokens.len());
        for (here, token) in line.tokens.iter().enumerate() {
            let (opening, is_foreign) = match &token.kind {
                Kind::Digits(_) => (number(line, here), is_ordinal(line, here)),
                Kind::Word(word) if is_english(line, here, word) => (led(line, here), false),
                Kind::Word(word) if is_foreign(line, here, word) => (led(line, here), true),
                _ => (Opening::Nothing, false),
            };
            all.push(opening);
            foreign |= is_foreign;
        }
        let is_part = |here: usize| match all[here] {
            Opening::Part | Opening::Begins => true,
            Opening::Nothing => line.time_word(here).is_some(),
            Opening::Lead => false,
        };
        let begins = |here: usize| match all[here] {
            Opening::Begins => true,
            Opening::Lead => (here + 1..all.len()).take(FARTHEST).any(is_part),
            Opening::Nothing | Opening::Part => false,
        };
        let month = (0..all.len()).any(|here| vocabulary::any_month(line.word(here)).is_some());
        Self { at: (0..all.len()).map(begins).collect(), foreign, month }
    }

    pub fn is_at(&self, at: usize) -> bool {
        self.at.get(at) == Some(&true)
    }
}

/// Behind a lead: "in the other half of the week".
const FARTHEST: usize = 4;

fn led(line: &Line<'_>, at: usize) -> Opening {
    if line.is(at, Class::LeadsToTime) { Opening::Lead } else { Opening::Begins }
}

/// "3.50" and "£45" can be no day, and "950" at the end begins none. Most numbers of a message are such.
fn number(line: &Line<'_>, at: usize) -> Opening {
    let decimals = || line.digits(at + 2).filter(|_| line.glued(at + 1) && line.glued(at + 2) && line.ends(at + 3));
    let is_decimal = || {
        let is_pointed = line.mark(at + 1).is_some_and(|mark| ".,".contains(mark));
        is_pointed && decimals().is_some_and(|digits| digits.len() == 2 && *digits > *"31" || digits == "00")
    };
    let is_last = line.tokens.len() == at + 1 && line.digits(at).is_some_and(|digits| digits.len() != 4);
    let is_behind = |is: fn(char) -> bool| at > 0 && line.glued(at) && line.mark(at - 1).is_some_and(is);
    let is_behind_point = || is_behind(|mark| ".,".contains(mark)) && at > 1 && line.digits(at - 2).is_some();
    if is_behind(is_sign) || is_behind_point() || is_decimal() {
        return Opening::Nothing;
    }
    if is_last { Opening::Part } else { Opening::Begins }
}

/// "1er", "5." and "14.10.", but not 3.50.
fn is_ordinal(line: &Line<'_>, at: usize) -> bool {
    let is_dotted = |at: usize| line.digits(at).is_some() && line.glued_mark(at + 1) == Some('.');
    line.glued(at + 1) && line.is(at + 1, Class::ForeignOrdinalEnding)
        || is_dotted(at) && (!line.glued(at + 2) || line.digits(at + 2).is_none() || is_dotted(at + 2))
}

fn is_english(line: &Line<'_>, at: usize, word: &str) -> bool {
    let is_english = |sense: &Sense| sense.language == Some(Language::English);
    line.senses(at, Class::OpensTime).any(is_english)
        || word.strip_suffix("'s").is_some_and(|word| Class::OpensTime.senses(word).any(is_english))
        || day_words::is_misspelt(word)
}

fn is_foreign(line: &Line<'_>, at: usize, word: &str) -> bool {
    // "Freitagabend" is in no list.
    line.is(at, Class::OpensTime)
        || word.strip_prefix("d'").is_some_and(|word| Class::OpensTime.contains(word))
        || word.contains("tag")
        || number_words::german(word).is_some()
        || number_words::german_ordinal(word).is_some()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;

    use super::super::*;

    const TIMES: [&str; 5] = [
        include_str!("times/any.txt"),
        include_str!("times/en.txt"),
        include_str!("times/de.txt"),
        include_str!("times/fr.txt"),
        include_str!("times/es.txt"),
    ];

    /// Every word that the readers of days and spans know, and their examples; those of one phrase mostly in a row.
    fn known_words() -> Vec<&'static str> {
        let sources = [
            include_str!("calendar.rs"),
            include_str!("day_words.rs"),
            include_str!("days.rs"),
            include_str!("durations.rs"),
            include_str!("holidays.rs"),
            include_str!("ends.rs"),
            include_str!("hours.rs"),
            include_str!("month_days.rs"),
            include_str!("numeric_dates.rs"),
            include_str!("periods.rs"),
            include_str!("day_qualifiers.rs"),
            include_str!("weekdays.rs"),
            include_str!("years.rs"),
        ];
        let quoted = sources.into_iter().flat_map(|source| source.split('"').skip(1).step_by(2));
        let quoted = quoted.filter(|word| !word.is_empty() && !word.contains(['\n', '{']));
        let classes = [
            Class::Month,
            Class::Weekday,
            Class::ShortWeekday,
            Class::Unit,
            Class::Number,
            Class::Ordinal,
            Class::Last,
            Class::This,
            Class::Next,
            Class::LastButOne,
            Class::LastOrLatest,
            Class::Latest,
            Class::LastBehind,
            Class::Occasion,
            Class::OccasionAfterPrice,
            Class::VagueTime,
            Class::VagueCount,
            Class::PartOfSpan,
            Class::LeadToOccasion,
            Class::OtherWeekday,
            Class::LastWeekday,
            Class::LastButOneWeekday,
            Class::Article,
            Class::Scale,
            Class::Holiday,
            Class::Season,
            Class::Boundary,
            Class::LeadToDay,
            Class::LeadToSpan,
            Class::OpensSpan,
            Class::Connective,
            Class::EndOfSpan,
            Class::Hour,
            Class::LongDay,
            Class::ShortDay,
        ];
        let rows =
            TIMES.into_iter().flat_map(|file| file.split([' ', '\n', '(', ')', '[', ']', '|', '<', '>', '!', '&']));
        let rows =
            rows.filter(|word| !word.is_empty() && word.chars().all(|letter| letter.is_alphabetic() || letter == '\''));
        quoted.chain(rows).chain(classes.iter().flat_map(|class| class.all()).map(|(word, _)| *word)).collect()
    }

    fn words_of_no_other_language() -> Vec<&'static str> {
        let numbers = ["3", "15", "2026", "3.50", "1st", "13-15", "3/10", "10:30", "-", ",", "to", "coffee"];
        let is_none = |word: &&str| !Line::new(word, Conventions::default()).openings().foreign;
        known_words().into_iter().filter(is_none).chain(numbers).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn nothing_about_time_begins_with_another_word(
            rest in prop::collection::vec(prop::sample::select([known_words(), vec!["3", "12", "2026"]].concat()), 0..4),
            before in prop::sample::select(vec!["", "5 ", "£5 ", "on ", "in ", "from ", "lunch "]),
            language in prop::sample::select(vec![None, Some(Language::German), Some(Language::French), Some(Language::Spanish)]),
        ) {
            let known = known_words();
            let in_a_row = known.windows(3).map(|three| three.join(" "));
            for first in in_a_row.chain(known.iter().map(|first| format!("{first} {}", rest.join(" ")))) {
                let text = format!("{before}{first}");
                let line = Line::new(&text, Conventions { language, ..Conventions::default() });
                for at in (0..line.tokens.len()).filter(|at| !line.openings().is_at(*at)) {
                    prop_assert_eq!(periods::phrase(&line, at, date(2026, 11, 20)), None, "{} at {}", text, at);
                    prop_assert_eq!(times::hour(&line, at), None, "{} at {}", text, at);
                }
            }
        }

        #[test]
        fn nothing_is_read_in_a_language_of_which_no_word_stands_there(
            words in prop::collection::vec(prop::sample::select(words_of_no_other_language()), 1..6),
        ) {
            let text = words.join(" ");
            let line = Line::new(&text, Conventions::default());
            let english = Line::new(&text, Conventions { language: Some(Language::English), ..Conventions::default() });
            let today = date(2026, 11, 20);
            prop_assert!(!line.openings().foreign, "{}", text);
            for at in 0..line.tokens.len() {
                prop_assert_eq!(weekdays::march(&line, at, today), None, "{} at {}", text, at);
                // English opens a pair with two words of its own, and reads it alike where all is English.
                let is_english = line.is(at, &["from", "between"]);
                let expected = if is_english { ends::pair(&english, at, today) } else { None };
                prop_assert_eq!(ends::pair(&line, at, today), expected, "{} at {}", text, at);
                prop_assert_eq!(number_words::foreign_cardinal(&line, at), None, "{} at {}", text, at);
            }
        }
    }
}

//! No reader of days finds anything where none may begin.

use jiff::civil::date;
use proptest::prelude::*;

use super::super::*;

const TIMES: [&str; 5] = [
    include_str!("../times/any.txt"),
    include_str!("../times/en.txt"),
    include_str!("../times/de.txt"),
    include_str!("../times/fr.txt"),
    include_str!("../times/es.txt"),
];

/// Every word that the readers of days and spans know, and their examples; those of one phrase mostly in a row.
fn known_words() -> Vec<&'static str> {
    let sources = [
        include_str!("../calendar.rs"),
        include_str!("../day_words.rs"),
        include_str!("../days.rs"),
        include_str!("../durations.rs"),
        include_str!("../holidays.rs"),
        include_str!("../ends.rs"),
        include_str!("../hours.rs"),
        include_str!("../month_days.rs"),
        include_str!("../numeric_dates.rs"),
        include_str!("../periods.rs"),
        include_str!("../day_qualifiers.rs"),
        include_str!("../weekdays.rs"),
        include_str!("../years.rs"),
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
        Class::OwnMonth,
        Class::OfOwnMonth,
        Class::BeforeMonthOf,
        Class::InMonth,
        Class::DayToDay,
        Class::UntilNow,
        Class::Until,
        Class::BeforeYear,
        Class::OneOfALength,
        Class::Fortnight,
        Class::Inclusive,
        Class::OpensPair,
        Class::OpensEnglishSpan,
        Class::CountsFrom,
        Class::BoundaryWithArticle,
        Class::DayBesideToday,
        Class::WhichHoliday,
        Class::BeforeHoliday,
        Class::HolidayArticle,
        Class::LastBehindHoliday,
        Class::BesideHoliday,
        Class::LastHoliday,
        Class::FromHourOfTwo,
        Class::ToHourOfTwo,
        Class::LinksHours,
        Class::AtHour,
        Class::OnTheClock,
        Class::NoHourAgo,
        Class::HoursAgo,
        Class::MinutesAgo,
        Class::HalfOfDay,
        Class::LetterOfHalfDay,
        Class::LeavesDayOut,
        Class::TakesDayIn,
        Class::Everything,
        Class::Apart,
        Class::Grouping,
        Class::OfOrWithin,
        Class::ToOrAnd,
        Class::Hour,
        Class::LongDay,
        Class::ShortDay,
        Class::BeforeDayNumber,
        Class::BetweenDayAndMonth,
        Class::MonthOrName,
        Class::BeforeDayAlone,
        Class::BeforeHourInDigits,
        Class::Onwards,
        Class::BeforeEach,
        Class::Few,
        Class::BehindComingWeekday,
        Class::SinceMonth,
        Class::Please,
        Class::ArticleBehindWeekday,
        Class::BeforeNoWeekday,
        Class::WeekdayOrWord,
        Class::BeforeDay,
        Class::BeforeAge,
        Class::BehindYear,
    ];
    let rows = TIMES.into_iter().flat_map(|file| file.split([' ', '\n', '(', ')', '[', ']', '|', '<', '>', '!', '&']));
    let rows =
        rows.filter(|word| !word.is_empty() && word.chars().all(|letter| letter.is_alphabetic() || letter == '\''));
    quoted.chain(rows).chain(classes.iter().flat_map(|class| class.all()).map(|(word, _)| *word)).collect()
}

fn words_of_no_other_language() -> Vec<&'static str> {
    let numbers = ["3", "15", "2026", "3.50", "1st", "13-15", "3/10", "10:30", "-", ",", "to", "coffee"];
    let is_none = |word: &&str| !openings::of(&Line::new(word, Conventions::default())).foreign;
    known_words().into_iter().filter(is_none).chain(numbers).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
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
            for at in (0..line.tokens.len()).filter(|at| !openings::of(&line).is_at(*at)) {
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
        prop_assert!(!openings::of(&line).foreign, "{}", text);
        for at in 0..line.tokens.len() {
            prop_assert_eq!(weekdays::march(&line, at, today), None, "{} at {}", text, at);
            // English opens a pair with two words of its own, and reads it alike where all is English.
            let is_english = line.senses(at, Class::OpensSpan).any(|sense| sense.language == Some(Language::English));
            let expected = if is_english { ends::pair(&english, at, today) } else { None };
            prop_assert_eq!(ends::pair(&line, at, today), expected, "{} at {}", text, at);
            prop_assert_eq!(number_words::foreign_cardinal(&line, at), None, "{} at {}", text, at);
        }
    }
}

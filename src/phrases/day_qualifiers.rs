//! Words beside a day or a span that change which days are meant: "early last month", "except Friday".

use super::{lexicon::Class, tokens::Line, vocabulary};

/// "except Friday", "everything but yesterday", "apart from last week".
pub(super) fn is_left_out(line: &Line<'_>, at: usize) -> bool {
    let back = (0..3).take_while(|back| line.follows(at - back, Class::BeforeDayLeftOut)).count();
    let word = line.before(at - back, 1);
    let linked = line.before(at, back);
    match word {
        _ if Class::LeavesDayOut.contains(word) => true,
        _ if Class::TakesDayIn.contains(word) => line.before(at - back, 2) == "not",
        "but" => line.is(at - back - 1, &["but"]) && Class::Everything.contains(line.before(at - back, 2)),
        "other" => linked == "than",
        _ => linked == "from" && Class::Apart.contains(word),
    }
}

/// "early", "the first week of", "3 days from".
pub(super) fn is_qualified(line: &Line<'_>, at: usize, is_day: bool) -> bool {
    let mut back = at;
    let mut linked = false;
    while back > 0
        && at - back < 3
        && (line.is(back - 1, Class::BeforeQualifiedDay) || line.mark(back - 1) == Some('-') && line.glued(back))
    {
        back -= 1;
        linked = true;
    }
    let word = line.before(back, 1);
    let after_duration = line.is(back, &["from"]) && {
        let comma = usize::from(back > 0 && line.mark(back - 1) == Some(','));
        vocabulary::unit(line, back.wrapping_sub(1 + comma)).is_some()
    };
    let commencing = word == "c" && line.before(back, 3) == "w";
    let parts = Class::PartOfTime.contains(word) && (!is_day || linked);
    // "by week this year" groups what was bought this year, and "the worst week this year" is one of it.
    let groups = word == "month" || Class::Grouping.contains(line.before(back, 2));
    let begins = Class::StartOfSpan.contains(word) && (!groups || is_day);
    // "the last working day of October"
    let counted = line.is(back, &["of"]) && vocabulary::unit(line, back.wrapping_sub(1)).is_some();
    after_duration || commencing || parts || begins || counted || line.follows(at, Class::EndOfSpan)
}

pub(super) fn is_continued(line: &Line<'_>, end: usize, is_day: bool) -> bool {
    let half_year = line.word(end) == "h" && line.glued(end + 1);
    let glued_number = line.glued_mark(end).is_some_and(|mark| "-/".contains(mark)) && line.glued(end + 1);
    half_year || glued_number || !is_day && line.is(end, Class::OfOrWithin)
}

/// The second half of a range whose first half was not read, "from 02 to April 07", or of two days: "the 4th or 5th".
pub(super) fn is_second_of_pair(line: &Line<'_>, at: usize) -> bool {
    at >= 3 && line.is(at - 1, Class::Or) && line.is(at - 2, Class::OrdinalEnding)
        || at >= 3
            && line.is(at - 1, Class::ToOrAnd)
            && line.digits(at - 2).is_some()
            && line.is(at - 3, Class::OpensEnglishSpan)
}

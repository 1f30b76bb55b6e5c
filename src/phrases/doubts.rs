//! What stands beside an amount and makes it doubtful.
//!
//! It does no arithmetic: an amount that would have to be worked out is one to ask about.

use super::{
    Language, currencies,
    day_words::closes,
    hours,
    lexicon::{Class, Sense},
    periods, times,
    tokens::{Kind, Line, Token},
    vocabulary,
};

/// Something beside the number changes it in a way that is not read: "3 and a half pounds", "2½", "2 pounds of apples".
pub(super) fn is_doubtful(
    line: &Line<'_>,
    (start, at): (usize, usize),
    number_end: usize,
    end: usize,
    named: bool,
) -> bool {
    let halves = |at: usize| {
        let english = line.word(at) == "and" && line.is(line.skip(at + 1, &[], &["a"]), Class::HalfOrQuarter);
        english || line.is(at, Class::And) && line.is(at + 1, Class::HalfBehind)
    };
    // Thousands, to those who write so.
    let thousands = line.is(number_end, Class::ThousandAsNumber) && end == number_end;
    let fraction = |at: usize| {
        let odd = line.tokens.get(at).is_some_and(|token| token.kind == Kind::OddNumber);
        let below = |at: usize| line.digits(at).and_then(|digits| digits.parse::<u8>().ok()).filter(|part| *part <= 8);
        odd || line.glued_mark(at + 1) == Some('/')
            && line.glued(at + 2)
            && below(at).is_some()
            && below(at) < below(at + 2)
    };
    let stuck = |at: usize| {
        let mark = line.glued_mark(at).is_some_and(|mark| {
            !mark.is_ascii_punctuation() && currencies::sign(mark).is_none() && !"–—…”’".contains(mark)
        });
        (mark || line.glued_mark(at).is_some_and(|mark| "/-".contains(mark)))
            && line.glued(at + 1)
            && line.digits(at + 1).is_some()
    };
    let pointed = at > 0 && line.mark(at - 1).is_some_and(|mark| ".,'".contains(mark)) && line.glued(at);
    let is_noun = || line.tokens.get(end).is_some_and(|token| token.text.starts_with(char::is_uppercase));
    let of = match line.word(end) {
        "of" => line.is(end - 1, Class::WeightOrMoney),
        word if word == "de" || word.starts_with("d'") => line.is(end - 1, Class::Pound),
        _ => line.is(end - 1, &["pfund"]) && is_noun(),
    };
    let weighed = named && end > number_end && of;
    // "10 c" may be a name.
    let is_letter = end > number_end
        && !line.glued(end - 1)
        && (line.word(end - 1) == "c"
            || line.conventions.language.is_none() && line.is(end - 1, Class::CentOrCarat) && !closes(line, end));
    // "at 3p"
    let hour = || line.digits(at).and_then(|digits| digits.parse::<u8>().ok()).is_some_and(|hour| hour <= 12);
    let is_hour = end > number_end && line.word(end - 1) == "p" && line.follows(at, &["at"]) && hour();
    // "$5.95-"
    let is_less = named && line.glued_mark(end) == Some('-') && !line.glued(end + 1);
    let parted = at > 1 && line.mark(at - 1) == Some('.') && line.digits(at - 2).is_some();
    is_reckoned(line, start, at, end)
        || thousands
        || halves(number_end)
        || halves(end)
        || fraction(number_end)
        || fraction(end)
        || stuck(number_end)
        || pointed
        || parted
        || is_letter
        || is_hour
        || is_less
        || weighed
        || !named && (hours::is_minutes(line, at) || may_be_hour(line, at))
}

/// "taxi 2 am 18", "Kino 12 am 5.11": an hour, or in German a price and its day. "Am 5.11." and "am 5. Mai" are days.
pub(super) fn may_be_hour(line: &Line<'_>, at: usize) -> bool {
    let is_few = |at: usize| line.digits(at).and_then(|digits| digits.parse::<u8>().ok()).is_some_and(|it| it <= 12);
    let is_dotted = |at: usize| line.glued_mark(at) == Some('.');
    let month = at + 4;
    let has_month = is_dotted(at + 3) && line.glued(month) && line.digits(month).is_some();
    let end = if has_month { month + 1 } else { at + 3 };
    is_few(at)
        && (!has_month || is_few(month))
        && line.word(at + 1) == "am"
        && line.conventions.language.is_none()
        && line.digits(at + 2).is_some()
        && !is_dotted(end)
        && vocabulary::any_month(line, at + 3).is_none()
}

/// "10 $ 30": the sign may belong to either.
pub(super) fn is_between(line: &Line<'_>, number_end: usize, end: usize) -> bool {
    let sign = number_end < end && line.mark(end - 1).is_some_and(currencies::is_sign);
    sign && !line.glued(end - 1) && line.digits(end).is_some() && !line.glued(end)
}

/// "2 shirts", "2 parking tickets", "2 Kaffee": a small number before a plural may be how many there are, and no price.
pub(super) fn is_count(line: &Line<'_>, at: usize, next: usize) -> bool {
    // They count without a plural in German.
    let Some(digits) = line.digits(at).filter(|digits| digits.len() <= 2 && *digits != "0") else { return false };
    if line.glued(next) || line.follows_mark(at, '@') {
        return false;
    }
    // "2 t-shirts"
    let hyphened = line.glued_mark(next + 1) == Some('-') && line.glued(next + 2);
    let next = if hyphened { next + 2 } else { next };
    // "dinner 40 drinks 20": after a name it is a price.
    let before = line.before(at, 1);
    let counts = |word: &str| Class::BeforeCount.contains(word) || Class::Having.contains(word);
    let is_paid_for = || before == "for" && counts(line.before(at, 2));
    // "Spent 20 on 5 coffees"
    let is_spent_on = || {
        let pays = (0..at).find(|here| line.is(*here, Class::Spends));
        let is_price =
            |here: usize| line.word(here).is_empty() || currencies::word(line.word(here), line.word(here)).is_some();
        let is_priced = |verb: usize| {
            (verb + 1..at - 1).any(|here| line.digits(here).is_some()) && (verb + 1..at - 1).all(is_price)
        };
        Class::LeadToBought.contains(before) && pays.is_some_and(is_priced)
    };
    // "5 snacks and 10 tea": of the second nobody says that it is the price.
    let is_second = || {
        let ends = !line.word(next).is_empty() && closes(line, next + 1);
        let opens = |here: usize| line.digits(here).is_some() && is_count(line, here, here + 1);
        Class::And.contains(before) && ends && at.checked_sub(3).is_some_and(|first| first == 0 && opens(first))
    };
    if is_second() {
        return true;
    }
    if !before.is_empty() && !counts(before) && !is_paid_for() && !is_spent_on() {
        return false;
    }
    // "Ich habe 3 Kinder": its nouns have capitals and few plurals with an s.
    let is_german = |sense: &Sense| sense.language == Some(Language::German);
    let is_noun = |noun: &Token<'_>| {
        noun.text.starts_with(char::is_uppercase) && currencies::word(noun.text, noun.text).is_none()
    };
    let is_german_count =
        || Class::Having.sense(before).is_some_and(is_german) && line.tokens.get(next).is_some_and(is_noun);
    let is_few = digits.parse::<u8>().is_ok_and(|count| count <= 12);
    // "2 parking tickets": the last word of the name.
    let ends = |at: usize| closes(line, at) || periods::begins(line, at);
    let last = (next..next + 3).take_while(|at| !line.word(*at).is_empty() && !ends(*at)).last();
    is_plural(line, next)
        || is_german_count()
        || line.is(next, Class::PluralAsSingular)
        || is_few && (last.is_some_and(|last| ends(last + 1) && is_plural(line, last)) || has_price_behind(line, next))
        || digits == "1" && has_whole_price_behind(line, next)
}

/// "1 coffee 3": of one, what ends it is the price.
fn has_whole_price_behind(line: &Line<'_>, from: usize) -> bool {
    let of_name = |at: &usize| !line.word(*at).is_empty() && !line.is(*at, Class::Instead) && !closes(line, *at);
    let at = (from..from + 3).take_while(of_name).count() + from;
    let decimals = line.glued_mark(at + 1).is_some_and(|mark| ".,".contains(mark)) && line.glued(at + 2);
    let end = if decimals { at + 3 } else { at + 1 };
    at > from && line.digits(at).is_some() && !line.glued(end) && (closes(line, end) || periods::begins(line, end))
}

/// "6 Eier 1,99", "7 up 1.50": a price with decimals ends what a plain number begins.
fn has_price_behind(line: &Line<'_>, from: usize) -> bool {
    let of_name = |at: &usize| !line.word(*at).is_empty() && !line.is(*at, Class::Instead) && !closes(line, *at);
    let at = (from..).take_while(of_name).count() + from;
    let decimals = line.glued_mark(at + 1).is_some_and(|mark| ".,".contains(mark))
        && line.glued(at + 2)
        && line.digits(at + 2).is_some_and(|digits| digits.len() == 2);
    at == from + 1 && line.digits(at).is_some() && decimals && (closes(line, at + 3) || periods::begins(line, at + 3))
}

fn is_plural(line: &Line<'_>, at: usize) -> bool {
    let word = line.word(at);
    let ends =
        word.len() > 3 && word.ends_with('s') && !Class::EndsNoPlural.all().iter().any(|(end, _)| word.ends_with(end));
    let is_money = currencies::word(word, word).is_some();
    ends && !is_money
        && !Class::NoPlural.contains(word)
        && !periods::begins(line, at)
        && times::hour(line, at).is_none()
}

/// "12 x 3", "half of £60", "£3 each", "12€50", "minus 5": the amount is not the number that is written.
fn is_reckoned(line: &Line<'_>, start: usize, at: usize, end: usize) -> bool {
    let times = |at: usize| line.is(at, Class::MultipliedBy) || line.mark(at).is_some_and(|mark| "×*".contains(mark));
    // The mark before the first line of a list multiplies nothing.
    let marks_a_list = start == 1 && line.mark(0).is_some();
    let multiplied = start > 0 && times(start - 1) && !marks_a_list || times(end) && line.digits(end + 1).is_some();
    let part_of = line.follows(start, &["of"])
        && start >= 2
        && (line.is(start - 2, Class::Fraction) || line.mark(start - 2) == Some('%'));
    // "900 per Überweisung" says how, "12 per month" how often.
    let each = line.is(end, Class::Each)
        && !line.is(end + 1, Class::MeansBehindPer)
        && vocabulary::unit(line, end + 1).is_none();
    let run_on = line.glued(end) && line.digits(end).is_some();
    let taken_away = line.follows(start, Class::BelowZero);
    // "2 for 5": how many for how much; "240 for 3 nights" says how long, "paid 12 for 3 coffees" of how many.
    let is_paid = line.follows(at, Class::Spends) && !line.word(end + 2).is_empty();
    let counted = start == at
        && !is_paid
        && line.word(end) == "for"
        && line.digits(end + 1).is_some()
        && line.digits(end - 1).is_some()
        && vocabulary::unit(line, end + 2).is_none()
        && !line.is(end + 2, Class::CountedOfPrice);
    multiplied || part_of || each || run_on || taken_away || counted
}

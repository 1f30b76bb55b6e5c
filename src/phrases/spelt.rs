//! Amounts in words: "two hundred and fifty pounds", "half a million euros", "a fiver", "three fifty".
//!
//! With a currency beside it any number counts. Without one it only does where it can be nothing else; there it may be
//! read exactly after a verb of paying, and is asked about elsewhere.

use super::{
    AmountMention, CurrencyMention, Language, Reading, composed,
    day_words::closes,
    denominations::{is_money, scale, trailing},
    lexicon::Class,
    number_words, openings, periods,
    tokens::Line,
};

/// Where a number in words ends, and what it comes to.
pub(super) fn number(line: &Line<'_>, at: usize) -> Option<(usize, Reading)> {
    if let Some((end, value)) = fraction_of_scale(line, at) {
        return Some((end, Reading::Exact(value)));
    }
    // "A hundred and three", "three pounds and fifty"; not "coffee and three pounds", "two pounds and three pounds".
    let has_own =
        || in_words(line, at).and_then(|(end, _)| trailing(line, end, false)).is_some_and(|(_, it)| it.places == 0);
    let ends_in_digits = |at: usize| line.digits(at).is_some() || is_money(line, at);
    let goes_on = |at: usize| number_words::is_number_word(line.word(at)) || ends_in_digits(at) && !has_own();
    let is_joined = || !Class::And.contains(line.before(at, 1)) || at < 2 || goes_on(at - 2);
    // "Un livre" is a book; a pound is "une livre".
    if line.follows(at, Class::PartOfNumber) && is_joined() || line.is(at, &["un"]) && line.is(at + 1, Class::Pound) {
        return None;
    }
    let said = note(line, at).or_else(|| rough(line, at)).or_else(|| one(line, at)).or_else(|| in_words(line, at));
    said.or_else(|| hundred(line, at)).or_else(|| composed::german_half(line, at))
}

/// "a quid", "a dollar and 42 cents", where it is not said of each, nor of a weight.
fn one(line: &Line<'_>, at: usize) -> Option<(usize, Reading)> {
    if !line.is(at, Class::IndefiniteArticle) || !line.is(at + 1, Class::OneOfMoney) {
        return None;
    }
    let end = at + 2;
    let next = line.skip(end, &[], Class::BeforeMinorUnit);
    let digits = line.digits(next).filter(|digits| digits.len() <= 2 && !line.glued(next));
    let minor = digits.is_some() || number_words::cardinal(line, next).is_some();
    let ends = closes(line, end) && line.digits(end).is_none() || periods::begins(line, end);
    let is_of_each =
        at > 0 && (line.is(at - 1, Class::OfEach) || line.digits(at - 1).is_some() || is_money(line, at - 1));
    let others = || (0..line.tokens.len()).any(|at| at != next && line.digits(at).is_some());
    let is_weight = line.word(at + 1) == "pound" && others();
    ((minor || ends) && !is_of_each && !is_weight).then(|| (at + 1, Reading::Exact("1".to_owned())))
}

/// "hundred bucks"
fn hundred(line: &Line<'_>, at: usize) -> Option<(usize, Reading)> {
    let is_whole = at == 0 || line.digits(at - 1).is_none();
    let (end, value) = number_words::scaled(line, at).filter(|_| is_whole)?;
    let next = line.skip(end, &[], Class::BeforeMinorUnit);
    let is_money = trailing(line, end, false).is_some()
        || line.digits(next).is_some() && trailing(line, next + 1, false).is_some();
    is_money.then(|| (end, Reading::Exact(value.to_string())))
}

/// A number in words that no currency stands beside, where a price would.
pub(super) fn price(line: &Line<'_>, at: usize, end: usize) -> Option<AmountMention> {
    let (read_to, reading) = number(line, at)?;
    let first = line.word(at);
    let small = matches!(&reading, Reading::Exact(value) if value.len() == 1 || value == "10" || value == "11");
    let single = matches!(&reading, Reading::Exact(value) if value == "1");
    // "Elf" and "once" are words of English, too.
    let is_telling =
        end > at + 1 || matches!(&reading, Reading::Exact(value) if value.parse().is_ok_and(|value: u64| value > 12));
    let known = match line.conventions.language {
        _ if number_words::is_number_word(first) || first == "a" => true,
        None => is_telling,
        Some(language) => language != Language::English,
    };
    let last = line.tokens.get(end).is_none()
        || line.mark(end).is_some_and(|mark| ".!?".contains(mark)) && line.tokens.get(end + 1).is_none()
        || periods::begins(line, line.skip(line.skip(end, &[], &["on"]), &[], Class::LeadToDay));
    // "make the tea three"
    let told = last && (0..at.min(3)).any(|at| line.is(at, Class::SetsPrice));
    let paid = told || line.follows(at, Class::Paying);
    let aimed = line.is(end, Class::BeforePurchase);
    let named = at > 0 && line.tokens[at - 1].word().is_some() && !line.follows(at, Class::Counting) && !small;
    let is_price = (paid || at == 0) && (last || aimed) || named && last;
    if read_to != end || single || !known || !line.starts(at) || !is_price {
        return None;
    }
    // "mortgage eight hundred and forty": few names end with such a number.
    let is_long = end > at + 2 && last;
    let exact = is_long || (paid || at == 0) && (last || !small);
    let reading = match reading {
        Reading::Exact(value) if !exact => Reading::Ambiguous(vec![value]),
        reading => reading,
    };
    Some(AmountMention { span: line.span(at, end), reading, currency: CurrencyMention::None })
}

/// The number that ends there is a banknote's, which is money with no currency beside it.
pub(super) fn is_note(line: &Line<'_>, end: usize) -> bool {
    line.follows(end, Class::Note)
}

/// "a fiver", "two tenners".
fn note(line: &Line<'_>, at: usize) -> Option<(usize, Reading)> {
    let (start, count) = match line.word(at) {
        "a" => (at + 1, 1),
        _ => number_words::cardinal(line, at).unwrap_or((at, 1)),
    };
    let note = line.senses(start, Class::Note).next().filter(|_| line.before(at, 2) != "half")?;
    Some((start + 1, Reading::Exact(note.number().checked_mul(count)?.to_string())))
}

/// "a couple of quid": an amount, and nobody knows how much.
fn rough(line: &Line<'_>, at: usize) -> Option<(usize, Reading)> {
    let counted = line.skip(at + 1, &[], &["of"]);
    let end = line.skip(counted, &[], Class::Scale);
    let is_rough = line.is(at, Class::Few) && trailing(line, end, false).is_some();
    is_rough.then(|| (end, Reading::Ambiguous(Vec::new())))
}

/// "half a million", "three quarters billion".
fn fraction_of_scale(line: &Line<'_>, at: usize) -> Option<(usize, String)> {
    let (end, hundredths) = match (line.word(at), line.word(at + 1)) {
        ("half", _) => (at + 1, "0.5"),
        ("quarter", _) => (at + 1, "0.25"),
        ("three", "quarters") => (at + 2, "0.75"),
        _ => return None,
    };
    // "two and a half million"
    let article = usize::from(line.follows(at, &["a"]));
    let before = line.before(at, 1 + article);
    if Class::PartOfNumber.contains(before)
        || number_words::is_number_word(before)
        || at > article && line.digits(at - 1 - article).is_some()
    {
        return None;
    }
    let next = line.skip(line.skip(end, &[], &["of"]), &[], &["a"]);
    let places = scale(line, next, false);
    (places >= 3).then(|| (next + 1, crate::money::shifted(hundredths, places)))
}

/// "six cents euros" are six hundred.
pub(super) fn in_words(line: &Line<'_>, at: usize) -> Option<(usize, Reading)> {
    // Number words that make no number together are major and minor units, or nothing that can be read.
    let english = number_words::parts(line, at, Language::English).map(|(end, parts)| (end, together(&parts)));
    let foreign = if openings::of(line).foreign { number_words::foreign_amount(line, at) } else { None };
    let foreign = foreign.filter(|(end, _)| {
        let longer = english.as_ref().is_some_and(|(other, _)| end > other);
        english.is_none() || longer && trailing(line, *end, false).is_some()
    });
    // "3 mil euros" are thousands to some, and millions to others.
    let counted = at > 0 && line.digits(at - 1).is_some();
    match foreign {
        Some((end, _)) if counted => Some((end, Reading::Ambiguous(Vec::new()))),
        Some(found) => Some(found),
        None => english,
    }
}

/// "three fifty" is 3.50, or 350.
pub(super) fn together(parts: &[u64]) -> Reading {
    match parts {
        [whole] => Reading::Exact(whole.to_string()),
        [major @ 1..=99, minor @ 10..=99] => {
            Reading::Ambiguous(vec![format!("{major}.{minor}"), (major * 100 + minor).to_string()])
        }
        _ => Reading::Ambiguous(Vec::new()),
    }
}

//! Cents and pence that are said by themselves, beside a whole amount.

use super::{
    super::{
        AmountMention, Reading, denominations::trailing, lexicon::Class, number_words, periods, spelt, tokens::Line,
        vocabulary,
    },
    doubtful, is_something_else,
};

/// "3 dollars 50 cents" is one amount; "3 dollars 50" may be.
pub(super) fn after_major(line: &Line<'_>, end: usize, reading: Reading) -> (usize, Reading) {
    let Reading::Exact(whole) = &reading else { return (end, reading) };
    let next = line.skip(end, &[], Class::BeforeMinorUnit);
    // "forty quid three weeks ago"
    if periods::begins(line, next) {
        return (end, reading);
    }
    let digits = line.digits(next).filter(|digits| digits.len() <= 2 && line.starts(next));
    let (after, minor) = match digits.and_then(|digits| digits.parse::<u64>().ok()) {
        Some(minor) => (next + 1, minor),
        None => match spelt::in_words(line, next) {
            Some((after, Reading::Exact(minor))) => (after, minor.parse().unwrap_or(100)),
            Some(_) => return (end, doubtful(reading)),
            None => return (end, reading),
        },
    };
    if whole.contains('.')
        || minor >= 100
        || line.mark(after) == Some('.') && line.glued(after) && line.digits(after + 1).is_some()
    {
        return (end, reading);
    }
    let combined = format!("{whole}.{minor:02}");
    match trailing(line, after, false) {
        Some((last, named)) if named.places == -2 => (last, Reading::Exact(combined)),
        Some(_) => (end, reading),
        None if is_something_else(line, next, after, 0, false) && digits.is_some() => (end, reading),
        None if digits.is_some() && vocabulary::month(line, after).is_some() => (end, reading),
        // "deux livres 20": 2.20, or two books.
        None if digits.is_some() && line.is(end - 1, Class::Pound) => {
            let first = if digits.is_some_and(|digits| digits.len() == 1) { whole.clone() } else { combined };
            (after, Reading::Ambiguous(vec![first, minor.to_string()]))
        }
        None if digits.is_some_and(|digits| digits.len() == 1) => (end, doubtful(reading)),
        // "It was 15 dollars 50.", "three pounds forty", "4 euros 50 for an ice cream"
        None if (digits.is_some() || minor >= 10)
            && next == end
            && (is_at_end(line, after) || is_told_first(line, end, after)) =>
        {
            (after, Reading::Exact(combined))
        }
        None => (after, Reading::Ambiguous(vec![combined, whole.clone()])),
    }
}

/// "9 50p": £9.50, or nine of something for 50p.
pub(super) fn after_number(
    line: &Line<'_>,
    start: usize,
    end: usize,
    whole: &Reading,
) -> Option<(usize, Option<AmountMention>)> {
    let Reading::Exact(whole) = whole else { return None };
    let next = line.skip(end, &[], Class::BeforeMinorUnit);
    let minor: u8 = line.digits(next).filter(|digits| digits.len() <= 2 && line.starts(next))?.parse().ok()?;
    let (last, named) = trailing(line, next + 1, false).filter(|(_, named)| named.places == -2)?;
    // "coffee 3 and 50p tip" names two.
    if next > end && !is_at_end(line, last) {
        return None;
    }
    let both = if whole.contains('.') { whole.clone() } else { format!("{whole}.{minor:02}") };
    let reading = Reading::Ambiguous(vec![both, format!("0.{minor:02}")]);
    Some((last, Some(AmountMention { span: line.span(start, last), reading, currency: named.currency })))
}

/// In front of a sentence, before what was bought: nothing has the whole amount alone.
fn is_told_first(line: &Line<'_>, end: usize, after: usize) -> bool {
    let first = end.saturating_sub(2);
    let is_first = first == 0 || (0..first).all(|at| line.is(at, Class::BeforeToldPrice));
    let is_number = line.digits(first).is_some() || number_words::is_number_word(line.word(first));
    is_number && is_first && line.is(after, Class::BeforePurchase)
}

fn is_at_end(line: &Line<'_>, at: usize) -> bool {
    line.tokens.get(at).is_none()
        || periods::begins(line, at)
        || line.mark(at).is_some_and(|mark| ",;".contains(mark)) && !line.glued(at + 1)
        || line.mark(at).is_some_and(|mark| ".!?".contains(mark)) && line.tokens.get(at + 1).is_none()
}

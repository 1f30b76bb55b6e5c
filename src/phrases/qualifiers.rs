//! Words that make a sentence say something else than "this was paid, once, by me, for exactly so much".
//!
//! Closed classes of words and short phrases, in the four languages. It knows no expense, and does not say what to do.

use std::ops::Range;

use super::{
    AmountMention, Conventions, CurrencyMention, Hedge, HedgeMention, currencies, day_words, incoming, lexicon::Class,
    number_words, payers, tokens::Line, vocabulary,
};
use crate::sorted::Sort;

/// "or 4", "no wait 4": what stands between two amounts puts the second in the place of the first, or may.
pub fn takes_back(between: &str) -> bool {
    words(&between.to_lowercase()).any(|word| Class::any(&[Class::TakesBack, Class::Either], word))
}

/// "no wait 4", "sorry, I mean 4": the second amount is meant, and nothing else is said between them. A "no" right before
/// it may deny it.
pub fn corrects(between: &str) -> bool {
    let lower = between.to_lowercase();
    let is_beside = |word: &str| Class::any(&[Class::TakesBack, Class::Either, Class::BesideCorrection], word);
    words(&lower).any(|word| Class::TakesBack.contains(word))
        && words(&lower).all(is_beside)
        && words(&lower).last().is_some_and(|word| !Class::Either.contains(word))
}

fn words(lower: &str) -> impl Iterator<Item = &str> {
    lower.split(|letter: char| !letter.is_alphanumeric() && letter != '\'').filter(|word| !word.is_empty())
}

/// The words that lead to an amount that is no expense of its own: "instead of 90", "20 of it tip", "my part 20".
pub fn aside(text: &str) -> Option<Range<usize>> {
    asides(text, |_, _| true)
}

/// "my part", "my half"
pub fn own_share(text: &str) -> Option<Range<usize>> {
    asides(text, |line, at| line.is(at, Class::OfMine))
}

fn asides(text: &str, is_meant: impl Fn(&Line<'_>, usize) -> bool) -> Option<Range<usize>> {
    let line = Line::new(text, Conventions::default());
    let mut starts = (0..line.tokens.len()).filter(|at| is_meant(&line, *at));
    let (at, end) = starts.find_map(|at| Some((at, line.phrase(at, Class::Aside)?)))?;
    Some(line.span(at, end))
}

pub(super) fn mentions(line: &Line<'_>, amounts: &[AmountMention], days: &[Range<usize>]) -> Vec<HedgeMention> {
    let mut found: Vec<HedgeMention> = Vec::new();
    let between = amounts.windows(2).map(|pair| pair[0].span.end..pair[1].span.start.max(pair[0].span.end));
    let corrections: Vec<_> = between.filter(|between| corrects(&line.text[between.clone()])).collect();
    let corrects = |at: usize| corrections.iter().any(|between| between.contains(&line.tokens[at].span.start));
    for at in (0..line.tokens.len()).filter(|at| !corrects(*at)) {
        let hedge = said(line, at, Class::Qualifier);
        // "A year ago" is a day.
        let is_of_day = || days.iter().any(|day| day.contains(&line.tokens[at].span.start));
        let counts = |(end, hedge): &(usize, Hedge)| match hedge {
            Hedge::Repeated => !names_a_thing(line, *end) && !is_of_day(),
            Hedge::NotSpent => !is_spent(line, at),
            // "My share of the rent was 450": the amount is what was paid.
            Hedge::Shared => {
                let is_mine = line.is(at, Class::OfMine) || line.follows(at, Class::OfMine);
                !is_mine || !matches!(amounts, [amount] if is_told(line, at, amount))
            }
            _ => true,
        };
        // "I want to add lunch 12", "I need to add it" and "don't forget to add it" are orders, and "want to buy" is found by
        // itself.
        let orders = |(end, _): &(usize, Hedge)| {
            let to = end + usize::from(line.word(*end) == "forget") - usize::from(line.follows(*end, &["to"]));
            line.word(to) == "to" && line.is(to + 1, Class::OrderToBuy)
        };
        if let Some((end, hedge)) = hedge.filter(|found| counts(found) && !orders(found)) {
            found.push(HedgeMention { span: line.span(at, end), hedge, amount: None });
        }
    }
    found.extend(amounts.iter().filter_map(|amount| beside(line, amount, amounts.len() == 1)));
    let moved = (0..line.tokens.len()).filter_map(|at| incoming::stands(line, at));
    found.extend(moved.map(|span| HedgeMention { span, hedge: Hedge::NotSpent, amount: None }));
    found.extend((1..line.tokens.len()).filter_map(|at| reckoned(line, at).or_else(|| fifty_fifty(line, at))));
    found.extend(payers::mention(line, amounts, days));
    found.put_in_order_of(|mention| mention.span.start);
    found
}

/// "was 450"
fn is_told(line: &Line<'_>, after: usize, amount: &AmountMention) -> bool {
    let start = line.tokens.iter().position(|token| token.span.start >= amount.span.start);
    start.is_some_and(|start| start > after && line.follows(start, Class::WasOrIs))
}

/// What the phrase there says, and where it ends.
fn said(line: &Line<'_>, at: usize, class: Class) -> Option<(usize, Hedge)> {
    let (end, sense) = line.sense(at, class)?;
    let hedge = match sense.says {
        "roughly" => Hedge::Roughly,
        "each" => Hedge::Each,
        "repeated" => Hedge::Repeated,
        "to come" => Hedge::ToCome,
        "unsure" => Hedge::Unsure,
        "shared" => Hedge::Shared,
        _ => Hedge::NotSpent,
    };
    Some((end, hedge))
}

/// "3x coffee 2.50", "tip 20% on 50": what is written may be the price of one, or of all.
fn reckoned(line: &Line<'_>, at: usize) -> Option<HedgeMention> {
    let times = line.is(at, Class::MultipliedBy) && !line.word(at + 1).is_empty();
    let counted = || line.digits(at - 1).is_some() || times && is_several(line, at - 1);
    let is_part = (times || line.mark(at) == Some('%')) && counted();
    let start = if is_part { at - 1 } else { priced_each(line, at).then_some(at)? };
    Some(HedgeMention { span: line.span(start, start + 2), hedge: Hedge::Each, amount: None })
}

/// "50/50": of the mark between them.
fn fifty_fifty(line: &Line<'_>, at: usize) -> Option<HedgeMention> {
    let fifty = |at: usize| line.digits(at) == Some("50");
    let is_one = line.mark(at).is_some_and(|mark| "/-:".contains(mark)) && fifty(at - 1) && fifty(at + 1);
    is_one.then(|| HedgeMention { span: line.span(at - 1, at + 2), hedge: Hedge::Shared, amount: None })
}

/// "2 cakes at 4 and a tea 3": so much each, or at what time.
fn priced_each(line: &Line<'_>, at: usize) -> bool {
    if line.word(at) != "at" || line.digits(at + 1).is_none() || !line.is_joint(at + 2) {
        return false;
    }
    let clause = line.clause(at);
    let first = (clause..at).find(|at| !line.is(*at, Class::LeadToCount)).unwrap_or(at);
    line.digits(first).is_some()
}

/// "dentist at 4.30": the price, or the time. What is ordered has a price.
fn hour_or_price(line: &Line<'_>, first: usize) -> Option<Range<usize>> {
    let below = |at: usize, end: u8| line.digits(at)?.parse().ok().filter(|number: &u8| *number < end);
    let is_time = line.glued_mark(first + 1) == Some('.') && line.digits(first + 2)?.len() == 2 && line.ends(first + 3);
    let is_led = line.follows(first, Class::LeadToHour) && !(0..first).any(|at| line.is(at, Class::OrderToBuy));
    below(first, 24).and(below(first + 2, 60)).filter(|_| is_time && is_led)?;
    Some(line.span(first - 1, first + 3))
}

/// "three", "drei": not "one", which is an article, too.
fn is_several(line: &Line<'_>, at: usize) -> bool {
    number_words::any_cardinal(line, at).is_some_and(|(_, count)| count > 1)
}

/// Beside the amount. Anywhere else such a word may be of a name: "a book about cats 12".
fn beside(line: &Line<'_>, amount: &AmountMention, is_alone: bool) -> Option<HedgeMention> {
    let first = line.tokens.iter().position(|token| token.span.start >= amount.span.start)?;
    let next = line.tokens.iter().position(|token| token.span.start >= amount.span.end).unwrap_or(line.tokens.len());
    // "approx. 20", "goal: 1000", "20-ish"
    let is_marked = line.follows_mark(first, '.') || line.follows_mark(first, ':');
    let (dot, dash) = (usize::from(is_marked), usize::from(line.glued_mark(next) == Some('-')));
    let last = first.checked_sub(1 + dot);
    let is_bare = amount.currency == CurrencyMention::None && next == first + 1 && line.digits(first).is_some();
    let ends = day_words::closes(line, next) || line.is(next, [Class::FunctionWord, Class::Courtesy]);
    // "I have 500 in my account", "room 412"; a "hotel room 80" is paid for.
    let is_meant = |start: usize| match line.sense(start, Class::QualifierBefore).map(|(_, sense)| sense.says) {
        Some("counted") => is_bare,
        Some("some of them") => is_bare && !(0..line.tokens.len()).any(|at| line.is(at, Class::Spends)),
        // "Total 4 coffee"; "total: 45 Tesco" and "total 45 for groceries" were paid.
        Some("counted first") => {
            let goes_on = !line.word(next).is_empty() && !line.is(next, Class::FunctionWord);
            is_bare && start == 0 && !is_marked && goes_on
        }
        Some("numbered") => is_bare && ends && (start == 0 || line.is(start - 1, Class::BeforeNumbered)),
        // "bus into town and back 4", "set me back 240"
        _ if line.is(start, &["back"]) && line.follows(start, Class::And) => false,
        _ => start < 2 || line.phrase(start - 2, Class::PricePhrases) != Some(start + 1),
    };
    let before = (0..=3).find_map(|back| {
        let start = last?.checked_sub(back).filter(|start| is_meant(*start))?;
        // "lunch with Max 30"
        let is_name = line.is(start, &["max"]) && start > 0 && !line.follows(start, Class::BeforeLimit);
        // "from 11 to 14"
        let may_bound = !line.is(start, Class::LeadsToYear);
        let bound = || line.phrase(start, Class::BoundBefore).filter(|_| may_bound).map(|end| (end, Hedge::Roughly));
        let hedge = said(line, start, Class::QualifierBefore).or_else(bound);
        let (_, hedge) = hedge.filter(|(end, _)| end + dot == first && !is_name)?;
        Some((line.span(start, first), hedge))
    });
    let sign = || {
        // "12 -> 13"
        let is_arrow =
            first > 1 && line.mark(first - 1) == Some('>') && matches!(line.mark(first - 2), Some('-' | '='));
        // "lunch=12" says no less than "lunch: 12".
        let equal = first > 1 && line.mark(first - 1) == Some('=') && line.mark(first - 2).is_some();
        let before = equal || first > 0 && !is_arrow && line.mark(first - 1).is_some_and(|mark| "~≈<>".contains(mark));
        let after = line.glued_mark(next) == Some('+') && !line.glued(next + 1);
        let at = if before { Some(first - 1) } else { after.then_some(next) }?;
        Some((line.span(at, at + 1), Hedge::Roughly))
    };
    // "4 bagels at 1.50", "lunch for 2"
    let led = first.checked_sub(1).filter(|at| {
        // "petrol for 55 and a sandwich at 4" counts no sandwiches.
        let clause = line.clause(*at);
        let counted = || is_counted(line, clause, *at);
        // "2 lots of 15"
        let of = || line.word(*at) == "of" && line.follows(*at, Class::EqualParts);
        let is_led = line.is(*at, Class::BeforeUnitPrice) && (line.word(*at) != "a" || *at > 1);
        let priced = is_led || line.mark(*at) == Some('@') || of();
        let people =
            amount.currency == CurrencyMention::None && line.word(*at) == "for" && line.follows(*at, Class::Meal);
        priced && counted() || people && line.digits(first).is_some_and(|digits| digits.len() == 1)
    });
    // "2 taxis at 12" is a time, or what each cost.
    let timed = |at: &usize| {
        line.is(*at, &["at"])
            && line.digits(at + 1).is_some()
            && (line.ends(at + 2) && !line.is(at + 2, Class::HalfOfDay))
    };
    let later =
        (next..line.tokens.len()).find(timed).filter(|_| is_bare).map(|at| (line.span(at, at + 2), Hedge::Each));
    // "3 beers £5 a pint"
    let of_one = || {
        let is_named = line.is(next, Class::IndefiniteArticle) && line.tokens.get(next + 1).is_some();
        let is_one = is_named && day_words::closes(line, next + 2) && is_counted(line, 0, first);
        is_one.then(|| (line.span(next, next + 2), Hedge::Each))
    };
    let each = || led.map(|at| (line.span(at, next), Hedge::Each)).or(later).or_else(of_one);
    let after = || {
        let (end, hedge) = said(line, next + dash, Class::QualifierBehind)?;
        Some((line.span(next + dash, end), hedge))
    };
    // "9.99/month"
    let rate = || {
        let is_rate = line.mark(next) == Some('/') && vocabulary::unit(line, next + 1).is_some();
        is_rate.then(|| (line.span(next, next + 2), Hedge::Repeated))
    };
    let hour = || {
        let may_be = is_alone && amount.currency == CurrencyMention::None;
        Some((hour_or_price(line, first).filter(|_| may_be)?, Hedge::NotSpent))
    };
    let (span, hedge) = before.or_else(sign).or_else(after).or_else(rate).or_else(each).or_else(hour)?;
    Some(HedgeMention { span, hedge, amount: Some(amount.span.clone()) })
}

fn is_counted(line: &Line<'_>, from: usize, to: usize) -> bool {
    (from..to).any(|at| line.digits(at).is_some() || is_several(line, at))
}

/// Bought once, though "monthly rent" may come back, too.
fn names_a_thing(line: &Line<'_>, end: usize) -> bool {
    line.follows(end, Class::Adverb) && line.is(end, [Class::ComesBack, Class::BoughtOnce])
}

/// "gift voucher 25", "gave 20 to charity": said of what was bought or given away for good.
fn is_spent(line: &Line<'_>, at: usize) -> bool {
    // Who is named between was given it.
    let is_money = |at: usize| line.word(at).is_empty() || currencies::word(line.word(at), line.word(at)).is_some();
    let given = || {
        let to = (at + 1..line.tokens.len()).find(|at| !is_money(*at));
        to.is_some_and(|to| line.word(to) == "to" && line.is(line.skip(to + 1, &[], Class::BeforeName), Class::Charity))
    };
    match line.word(at) {
        "voucher" => {
            let lead = (0..at).rev().find(|lead| line.word(*lead) != "gift" && !line.is(*lead, Class::BeforeName));
            let pays = lead.is_some_and(|lead| line.is(lead, Class::BeforeVoucher));
            line.follows(at, &["gift"]) && !pays
        }
        "gave" => given(),
        _ => false,
    }
}

#[cfg(test)]
mod tests;

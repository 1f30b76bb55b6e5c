//! Words that say that somebody else paid, or that it was given: "Anna paid", "dinner 40 on Tom", "20 from mum".
//!
//! Closed classes of words, in the four languages. Who is named by a noun that no bill has may be anybody.

use std::ops::Range;

use super::{
    AmountMention, Conventions, Hedge, HedgeMention, Language, day_words::closes, lexicon::Class, tokens::Line,
};

pub(super) fn mention(line: &Line<'_>, amounts: &[AmountMention], days: &[Range<usize>]) -> Option<HedgeMention> {
    // Nor is a currency behind its amount anybody.
    let is_in = |span: &Range<usize>, at: usize| line.tokens.get(at).is_some_and(|it| span.contains(&it.span.start));
    let is_unit = |at: usize| line.digits(at).is_none() && amounts.iter().any(|found| is_in(&found.span, at));
    let is_day = |at: usize| days.iter().any(|day| is_in(day, at)) || is_unit(at);
    let by = |span| HedgeMention { span, hedge: Hedge::NotMine, amount: None };
    let other = another_payer(line, is_day).or_else(|| third_person(line)).or_else(|| treat(line, amounts, is_day));
    let given = || giver(line).or_else(|| sale(line, amounts)).or_else(|| returned(line));
    other.map(by).or_else(|| Some(HedgeMention { span: given()?, hedge: Hedge::NotSpent, amount: None }))
}

/// "got 20 for the old phone", "Verkauf Fahrrad 80": what was had for it.
fn sale(line: &Line<'_>, amounts: &[AmountMention]) -> Option<Range<usize>> {
    // "Vente privée" is a shop.
    if line.is(0, Class::Sale) && !line.word(1).is_empty() && !line.is(1, Class::Private) {
        return Some(line.span(0, 1));
    }
    amounts.iter().find_map(|amount| {
        let first = line.tokens.iter().position(|token| token.span.start >= amount.span.start)?;
        let next = line.tokens.iter().position(|token| token.span.start >= amount.span.end)?;
        let had = line.follows(first, Class::Got) && line.is(next, Class::For);
        // "got 20 for lunch" may be what it cost.
        (had && !line.is(next + 1, Class::Meal)).then(|| line.span(first - 1, next + 1))
    })
}

/// "asos return 30"; not "train return 30", which goes both ways.
fn returned(line: &Line<'_>) -> Option<Range<usize>> {
    let at = (0..line.tokens.len()).find(|at| line.is(*at, Class::GoodsReturned))?;
    let travels = (0..line.tokens.len()).any(|at| line.is(at, Class::Travel));
    (!travels).then(|| line.span(at, at + 1))
}

/// "Anna paid 20 for lunch", "my wife bought shoes", "lunch 12 paid by Anna". "Rent paid 950" names what was bought.
fn another_payer(line: &Line<'_>, is_day: impl Fn(usize) -> bool) -> Option<Range<usize>> {
    let paid_by = |at: usize| Some((at, line.sense(at, Class::PaidBy)?.1.says));
    let (verb, says) = (0..line.tokens.len()).find_map(paid_by)?;
    let clause = (0..verb).rev().take_while(|at| line.mark(*at).is_none()).last().unwrap_or(verb);
    // "Invoice 12 client paid 200": behind a number, who did it stands.
    let number = (clause..verb).rev().find(|at| line.digits(*at).is_some() && !is_day(*at));
    let start = number.map_or(clause, |number| number + 1);
    let before: Vec<usize> = (start..verb).filter(|at| !is_day(*at)).collect();
    // "Was charged 25 for the cleaner": by somebody else.
    let is_passive =
        line.word(verb) == "charged" && (line.follows(verb, Class::Passive) || line.is(verb + 1, Class::Told));
    let is_said_by_me = is_passive || (clause..verb).any(|at| line.is(at, Class::Myself));
    // "Tom and I paid 50": how much of it was mine?
    let is_shared = says == "paid"
        && verb >= clause + 3
        && (line.is(verb - 1, Class::Myself) && line.is(verb - 2, Class::And)
            || verb == clause + 3 && line.is(clause, Class::Myself) && line.is(clause + 1, Class::And));
    if is_shared {
        return Some(line.span(clause, verb + 1));
    }
    let is_person = |at: &usize| {
        // A capital says nothing in German.
        let capital = line.tokens[*at].text.starts_with(char::is_uppercase) && *at > 0 && line.word(verb) != "bezahlt";
        line.is(*at, [Class::OtherPerson, Class::Relation]) || capital
    };
    // What was bought is named after the verb, so what stands before it did it.
    let named_after = || (verb..line.tokens.len()).any(|at| line.is(at, Class::For) && !is_day(at + 1));
    let plain = !before.iter().all(|at| line.is(*at, Class::BeforeVerb));
    // "Chocolate covered nuts" are no treat.
    let subject = || match says {
        // "At tesco got milk": where it was, and nobody.
        _ if line.is(before[0], Class::Around) => false,
        _ if number.is_some() => false,
        "paid" | "got" => !before.iter().any(|at| is_due(line, *at)),
        "covered" => line.is(verb + 1, [Class::Meal, Class::BeforePerson, Class::Told]) || line.word(verb + 1) == "it",
        "bought" => false,
        _ => true,
    };
    // "25 for the window cleaner paid in cash": how it was paid, and not by whom.
    let is_how = || {
        let led = (clause..verb).rev().take(4).find(|at| line.is(*at, [Class::For, Class::Around]));
        let means = line.skip(verb + 1, &[], Class::BeforeMeans);
        // Behind an article, a capital is a place: "at the Crown paid".
        let names_none = |at: usize| line.is(at + 1, Class::MyOrThe) && !(at + 3..verb).any(|at| is_person(&at));
        led.is_some_and(names_none) && line.is(means, Class::MeansOfPayment)
    };
    if says == "paid" && is_how() {
        return None;
    }
    let loose = says == "got" || line.word(verb) == "covered";
    let other = plain && !is_said_by_me && (!loose && (before.iter().any(is_person) || named_after()) || subject());
    let by = || {
        let by = line.word(verb) == "paid" && line.word(verb + 1) == "by";
        (by && !line.is(verb + 2, Class::MeansOfPayment) && verb + 2 < line.tokens.len())
            .then(|| line.span(verb, verb + 3))
    };
    if other { Some(line.span(before[0], verb + 1)) } else { by() }
}

/// What is owed or how it is paid, a meal or a category: it is paid, and pays nobody.
fn is_due(line: &Line<'_>, at: usize) -> bool {
    let word = line.word(at);
    let one = word.strip_suffix('s').unwrap_or(word);
    let owed = line.is(at, Class::Due)
        || Class::Due.contains(one)
        || Class::EndOfDue.all().iter().any(|(due, _)| word.ends_with(due));
    owed || line.is(at, [Class::MeansOfPayment, Class::Meal, Class::CommonCategory])
}

/// "Anna hat 20 bezahlt", "Anne a payé 20", "Ana pagó 20": the form of the verb says that it was somebody else.
fn third_person(line: &Line<'_>) -> Option<Range<usize>> {
    let verb = (0..line.tokens.len()).find(|at| line.is(*at, Class::PaidAlone)).or_else(|| {
        let participle = (0..line.tokens.len()).find(|at| line.is(*at, Class::PaidParticiple))?;
        (1..participle).find(|at| line.is(*at, Class::ThirdPersonAuxiliary) && !line.follows(*at, Class::NoOtherPerson))
    })?;
    Some(line.span(0, verb + 1))
}

/// "Dinner 40 on Tom": unless that is how it was paid, or where.
fn treat(line: &Line<'_>, amounts: &[AmountMention], is_day: impl Fn(usize) -> bool) -> Option<Range<usize>> {
    (1..line.tokens.len()).filter(|on| line.word(*on) == "on").find_map(|on| {
        let who = line.skip(on + 1, &[], Class::BeforePerson);
        let is_means = line.is(who, [Class::MeansOfPayment, Class::NoTreat]);
        let is_who = !line.word(who).is_empty() && !is_day(on) && !is_day(who) && !is_means;
        // "Spent 9 on lunch and 3 on coffee", "12 on Oxford Street", "40 on the beach".
        let is_place = line.word(on + 1) == "the" && line.word(who) != "house";
        let is_spent = || (0..on).any(|at| line.is(at, Class::Spends));
        let is_meal = || (0..on).any(|at| line.is(at, Class::Meal) && line.word(at) != "tickets");
        let behind = |amount: &AmountMention| {
            let is_next = amount.span.end == line.tokens[on - 1].span.end;
            is_next && !is_place && closes(line, who + 1) && !is_spent() && is_meal()
        };
        // "lunch on tom 12"
        let is_led =
            line.word(on + 1) == "the" || line.is(on + 1, Class::IndefiniteArticle) || line.is(who, Class::Told);
        let before = |amount: &AmountMention| {
            let is_next = line.tokens.get(who + 1).is_some_and(|token| token.span.start == amount.span.start);
            is_next && !is_led && line.word(who).len() > 1 && line.follows(on, Class::Meal)
        };
        let is_treat = is_who && amounts.iter().any(|amount| behind(amount) || before(amount));
        is_treat.then(|| line.span(on, who + 1))
    })
}

/// Who it was from, where it was given: "got 20 from Tom".
pub fn given_by(text: &str) -> Option<Range<usize>> {
    giver(&Line::new(text, Conventions::default()))
}

/// "20 from mum", "gift 20 from Tom": nobody buys from those.
fn giver(line: &Line<'_>) -> Option<Range<usize>> {
    (0..line.tokens.len()).find_map(|at| {
        let from = line.senses(at, Class::From).next()?;
        let who = line.skip(at + 1, &[], Class::BeforePerson);
        let is_told = || {
            line.is(who, Class::ObjectPronoun)
                || !line.word(who).is_empty() && closes(line, who + 1) && is_given(line, at)
        };
        let given = line.is(who, Class::Relation) || from.language == Some(Language::English) && is_told();
        given.then(|| line.span(at, who + 1))
    })
}

/// "gift 20", "money", "got 20"; not "money box 8".
fn is_given(line: &Line<'_>, from: usize) -> bool {
    let is_told = |at: &usize| !line.word(*at).is_empty() && !line.is(*at, Class::DayFromToday);
    let named = (0..from).rev().find(is_told);
    named.is_some_and(|at| line.is(at, Class::Gift) || line.is(at, Class::Got) && at + 1 < from)
}

#[cfg(test)]
mod tests;

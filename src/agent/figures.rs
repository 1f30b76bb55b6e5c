//! Whether the amounts that an answer tells are from somewhere. A model may misread what it was told, or make an amount up;
//! then what was found is said beside its words.

use crate::{
    money::{Currency, Money},
    phrases::{AmountMention, CurrencyMention, Reader, Reading},
    tool::QueryResult,
};

/// Of what was found, so many lines are said beside an answer.
const LINES: usize = 8;

/// The first amount of an answer that is in none of these texts, and no sum or difference of two that are. Only what is
/// written with its currency is known to be one; what is in quotes is an example.
pub(super) fn made_up<'t>(answer: &'t str, seen: impl FnOnce() -> Vec<String>, reader: Reader) -> Option<&'t str> {
    let told: Vec<_> =
        reader.amounts(answer).into_iter().filter_map(|found| Some((money(&found)?, found.span))).collect();
    let mut told = told.into_iter().filter(|(_, span)| !is_quoted(answer, span.start)).peekable();
    told.peek()?;
    let known: Vec<AmountMention> = seen().iter().flat_map(|text| reader.amounts(text)).collect();
    let (_, span) = told.find(|(Money { minor: told, currency }, _)| {
        let known: Vec<i64> = known.iter().filter_map(|found| minor(found, *currency)).collect();
        let makes =
            |one: i64, other: i64| one.checked_add(other) == Some(*told) || one.checked_sub(other) == Some(*told);
        !known.iter().any(|one| one == told || known.iter().any(|other| makes(*one, *other)))
    })?;
    answer.get(span)
}

/// Said to the model, never to the person.
pub(super) fn nowhere(made_up: &str) -> String {
    format!(
        "(The application: {made_up} is in nothing that was said or found, so your answer was not shown. Look it up, or \
         answer without it.)"
    )
}

/// Said behind words that tell such an amount.
pub(super) fn beside(made_up: &str, found: &[QueryResult]) -> String {
    if found.is_empty() {
        return format!("\n\n“{made_up}” is not from your records: I looked nothing up.");
    }
    let lines = found.iter().flat_map(|result| result.summary_for_llm.lines()).take(LINES);
    format!("\n\nWhat I found: {}", lines.collect::<Vec<_>>().join("\n"))
}

fn money(found: &AmountMention) -> Option<Money> {
    let CurrencyMention::Known(currency) = found.currency else { return None };
    Some(Money { minor: minor(found, currency)?, currency })
}

/// In that currency, or in none that was named.
fn minor(found: &AmountMention, currency: Currency) -> Option<i64> {
    let Reading::Exact(decimal) = &found.reading else { return None };
    let fits = matches!(found.currency, CurrencyMention::Known(own) if own == currency)
        || matches!(found.currency, CurrencyMention::None);
    Some(Money::parse(decimal, currency).ok().filter(|_| fits)?.minor)
}

fn is_quoted(text: &str, at: usize) -> bool {
    let before = &text[..at];
    let opened = before.rfind('“').is_some_and(|open| !before[open..].contains('”'));
    opened || before.matches('"').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::phrases::Conventions;

    #[test]
    fn an_amount_is_from_what_was_seen_or_of_two_that_were() {
        let reader = Reader { today: date(2026, 11, 20), hour: 12, conventions: Conventions::default() };
        let seen = "You spent £94.32 in November and £1,079.86 in October: 5 expenses. €7. #3 “tea”, 12.50";
        for (answer, expected) in [
            ("You spent £94.32.", None),
            ("£94.32 and €7.00, so you are fine.", None),
            ("£1,174.18 together, £985.54 more than before.", None),
            ("Tea was £12.50.", None),
            ("You spent £94.23.", Some("£94.23")),
            ("You spent £7.", Some("£7")),
            ("About £1,000 a month, and £94.32 now.", Some("£1,000")),
            ("Say “lunch £12” or \"show all over £50\".", None),
            ("“tea” was £13.", Some("£13")),
            ("5 expenses in 2026.", None),
        ] {
            assert_eq!(made_up(answer, || vec![seen.to_owned()], reader), expected, "{answer}");
        }
    }
}

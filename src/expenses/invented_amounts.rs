//! Checks that the amounts in a model's answer come from messages or results. If not, the results are shown beside the
//! answer.

use std::collections::BTreeSet;

use super::filters::currency_of;
use crate::{
    model::Message,
    money::{Currency, Money},
    phrases::{AmountMention, CurrencyMention, Reader, Reading, is_quoted},
    proposal::Record,
    sorted::Collect,
    tool::{AnswerFlaw, ModelAnswer, QueryResult, ToolContext},
};

/// Number of last messages that amounts may come from.
const RECENT_MESSAGES: usize = 12;

/// Lines of results shown beside an answer.
const LINES: usize = 8;

/// Sums and differences of known amounts are accepted only if there are at most this many different ones, because many would
/// give almost any sum.
const FEW: usize = 12;

/// The error if an amount in the answer has no source.
pub(super) fn check_answer(answer: &ModelAnswer<'_>, context: &ToolContext<'_>) -> Option<AnswerFlaw> {
    let own = context.currency.and_then(|code| Currency::parse(code).ok());
    let known = known_money(answer, context.preferences);
    let invented = InventedAmounts { reader: context.reader(), own }.find(answer.text, &known, known_texts(answer))?;
    tracing::info!(looked = answer.found.len(), "an amount was made up");
    let found = shown_results(answer.found);
    Some(AnswerFlaw { retry_request: retry_request(&invented), correction: correction(&invented, &found) })
}

/// The amounts of budgets and recurring entries, and of rows and sums that earlier answers showed.
fn known_money(answer: &ModelAnswer<'_>, preferences: &[Record]) -> Vec<Money> {
    let of_preference = |record: &Record| {
        let currency = Currency::parse(currency_of(&record.draft.body)?).ok()?;
        Some(Money { minor: record.draft.body.get("minor")?.as_i64()?, currency })
    };
    let mut known: Vec<Money> = preferences.iter().filter_map(of_preference).collect();
    for shown in answer.conversation.iter().rev().take(RECENT_MESSAGES).filter_map(Message::shown) {
        for row in shown.all_rows() {
            let Some(currency) = row.unit.as_deref().and_then(|unit| Currency::parse(unit).ok()) else { continue };
            let minors = row.amount.into_iter().chain(row.parts.iter().map(|(_, minor)| *minor));
            known.extend(minors.map(|minor| Money { minor, currency }));
        }
        let sum = |(unit, decimal): &(String, String)| Money::parse(decimal, Currency::parse(unit).ok()?).ok();
        known.extend(shown.sums.iter().filter_map(sum));
    }
    known
}

/// The texts that amounts may come from: results, which have most of them, the person's messages, the stored data in the
/// prompt, and answers that only the client knows.
fn known_texts<'a>(answer: &ModelAnswer<'a>) -> impl Iterator<Item = &'a str> {
    let recent = answer.conversation.iter().rev().take(RECENT_MESSAGES).filter_map(|message| match message {
        Message::User(text) => Some(text.as_str()),
        Message::Assistant { text, shown: None, .. } => Some(text.as_str()),
        Message::Assistant { .. } | Message::Outcomes(_) => None,
    });
    let found = answer.found.iter().map(|result| result.summary_for_llm.as_str());
    found.chain(recent).chain([answer.recorded])
}

/// Reads amounts of an answer. A shared sign like "$" means the person's own currency.
#[derive(Clone, Copy)]
struct InventedAmounts {
    reader: Reader,
    own: Option<Currency>,
}

impl InventedAmounts {
    /// The first amount that is not known and in none of the texts, and is not a sum or difference of two that are. Only
    /// numbers with a currency are checked. Quotes and advice are ignored.
    fn find<'t>(self, answer: &str, known: &[Money], seen: impl Iterator<Item = &'t str>) -> Option<String> {
        let plain: String = answer.chars().filter(|mark| !"*_`".contains(*mark)).collect();
        let told: Vec<(Money, AmountMention)> =
            self.reader.amounts(&plain).into_iter().filter_map(|found| Some((self.money(&found)?, found))).collect();
        let claimed = |(_, found): &&(Money, AmountMention)| {
            !is_quoted(&plain, found.span.start) && !is_advice(sentence(&plain, found.span.start))
        };
        let is_new = |(money, _): &&(Money, AmountMention)| !is_in(*money, known_minors(known, money.currency));
        let mut told: Vec<_> = told.iter().filter(claimed).filter(is_new).collect();
        let mut mentioned = Vec::new();
        // Reading amounts is dear: most are told as they stand in a text, and texts are read until every amount is found.
        for text in seen {
            told.retain(|(_, found)| !stands_in(text, &plain[found.span.clone()]));
            if told.is_empty() {
                return None;
            }
            let found = self.reader.amounts(text);
            told.retain(|(money, _)| !is_in(*money, self.all_minors(&found, money.currency)));
            mentioned.extend(found);
        }
        let minors = |currency| self.all_minors(&mentioned, currency).chain(known_minors(known, currency)).collect();
        let (_, found) = told.into_iter().find(|(money, _)| !is_of_two(*money, minors(money.currency)))?;
        Some(plain[found.span.clone()].to_owned())
    }

    fn all_minors(self, found: &[AmountMention], currency: Currency) -> impl Iterator<Item = i64> {
        found.iter().flat_map(move |found| self.minors(found, currency))
    }

    fn money(self, found: &AmountMention) -> Option<Money> {
        let currency = match &found.currency {
            CurrencyMention::Known(currency) => *currency,
            CurrencyMention::Ambiguous(many) => self.own.filter(|own| many.contains(own))?,
            CurrencyMention::None => return None,
        };
        let Reading::Exact(decimal) = &found.reading else { return None };
        Money::parse(decimal, currency).ok()
    }

    /// Minor units of all readings, if the amount may be in this currency.
    fn minors(self, found: &AmountMention, currency: Currency) -> Vec<i64> {
        let fits = match &found.currency {
            CurrencyMention::None => true,
            CurrencyMention::Known(own) => *own == currency,
            CurrencyMention::Ambiguous(many) => many.contains(&currency),
        };
        let minor = |decimal: &String| Some(Money::parse(decimal, currency).ok()?.minor);
        found.reading.all().iter().filter(|_| fits).filter_map(minor).collect()
    }
}

fn known_minors(known: &[Money], currency: Currency) -> impl Iterator<Item = i64> {
    known.iter().filter(move |money| money.currency == currency).map(|money| money.minor)
}

fn is_in(told: Money, mut minors: impl Iterator<Item = i64>) -> bool {
    minors.any(|one| one == told.minor || is_rounded(told, one))
}

/// Whether the amount stands there, and is no part of a longer one.
fn stands_in(text: &str, amount: &str) -> bool {
    let is_part = |mark: char| mark.is_alphanumeric() || ".,'-".contains(mark);
    text.match_indices(amount).any(|(at, _)| {
        let behind = text[at + amount.len()..].trim_start_matches(['.', ',']);
        !text[..at].ends_with(is_part) && !behind.starts_with(is_part)
    })
}

fn is_of_two(told: Money, minors: Vec<i64>) -> bool {
    let makes = |one: i64, other: i64| {
        one.checked_add(other) == Some(told.minor) || one.checked_sub(other).map(i64::abs) == Some(told.minor)
    };
    let is_few = minors.iter().copied().inserted::<BTreeSet<i64>>().len() <= FEW;
    let mut one_by_one = minors.iter().enumerate();
    is_few && one_by_one.any(|(at, one)| minors[at + 1..].iter().any(|other| makes(*one, *other)))
}

/// A message for the model. It is never shown to the person.
fn retry_request(invented: &str) -> String {
    format!(
        "(The application: {invented} was neither said nor found, so your answer was not shown. Look it up, or answer \
         without it.)"
    )
}

/// The note for the person beside an answer with such an amount.
fn correction(invented: &str, found: &str) -> String {
    match found.is_empty() {
        true => format!("“{invented}” is not from your records. I did not look it up."),
        false => format!("“{invented}” is not in your records. I found this: {found}"),
    }
}

/// The first lines of the results.
fn shown_results(found: &[QueryResult]) -> String {
    let mut lines = found.iter().flat_map(|result| result.summary_for_llm.lines());
    let mut shown: Vec<&str> = lines.by_ref().take(LINES).collect();
    shown.extend(lines.next().map(|_| "…"));
    shown.join("\n")
}

/// "£1,080" for £1,079.86: whole units, with a difference of less than one percent.
fn is_rounded(told: Money, known: i64) -> bool {
    let unit = 10_i64.pow(told.currency.exponent());
    told.minor % unit == 0 && told.minor.abs_diff(known) < (known.unsigned_abs() / 100).max(unit.unsigned_abs())
}

/// The sentence around a position. A point within a number does not end it.
fn sentence(text: &str, at: usize) -> &str {
    let is_end = |(end, mark): &(usize, char)| {
        matches!(mark, '!' | '?' | '\n')
            || *mark == '.' && !text[end + 1..].starts_with(|next: char| next.is_ascii_digit())
    };
    let start = text[..at].char_indices().rfind(is_end).map_or(0, |(end, mark)| end + mark.len_utf8());
    let end = text.char_indices().skip_while(|(end, _)| *end < at).find(is_end).map_or(text.len(), |(end, _)| end);
    &text[start..end]
}

fn is_advice(sentence: &str) -> bool {
    const ADVISING: [&str; 16] = [
        "try", "could", "would", "should", "might", "suggest", "consider", "recommend", "könntest", "solltest",
        "würde", "pourriez", "pourrais", "podrías", "podría", "usually",
    ];
    let lower = sentence.to_lowercase();
    lower.split(|letter: char| !letter.is_alphabetic()).any(|word| ADVISING.contains(&word))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::{
        phrases::Conventions,
        shown::{Shown, ShownRow},
    };

    fn invented(answer: &str, seen: &str, locale: &str, own: &str) -> Option<String> {
        let conventions = Conventions::of_locale(locale);
        let reader = Reader { today: date(2026, 11, 20), hour: 12, conventions };
        InventedAmounts { reader, own: Currency::parse(own).ok() }.find(answer, &[], [seen].into_iter())
    }

    #[test]
    fn an_amount_is_from_what_was_seen_or_of_two_that_were() {
        let seen = "You spent £94.32 in November and £1,079.86 in October: 5 expenses. €7. #3 “tea”, 12.50";
        for (answer, expected) in [
            ("You spent £94.32.", None),
            ("£94.32 and €7.00, so you are fine.", None),
            ("£1,174.18 together, £985.54 more than before.", None),
            ("Tea was £12.50.", None),
            ("Roughly £1,080 in October.", None),
            ("You spent £94.23.", Some("£94.23")),
            ("You spent **£94.23**.", Some("£94.23")),
            ("You spent £0.00 this month.", Some("£0.00")),
            ("You spent £188.64.", Some("£188.64")),
            ("You spent £5.", Some("£5")),
            ("You spent £94.", None),
            ("You spent £1.", Some("£1")),
            ("You spent €0.7.", Some("€0.7")),
            ("About £1,000 a month, and £94.32 now.", Some("£1,000")),
            ("Say “lunch £12” or \"show all over £50\".", None),
            ("“tea” was £40.", Some("£40")),
            ("A 27\" screen: £999.00", Some("£999.00")),
            ("You could try a limit of £50.", None),
            ("5 expenses in 2026.", None),
        ] {
            assert_eq!(invented(answer, seen, "", "GBP").as_deref(), expected, "{answer}");
        }
    }

    #[test]
    fn a_sign_that_currencies_share_is_the_persons_own() {
        let seen = "You spent $94.32 (October 2026).";
        assert_eq!(invented("You spent $94.32.", seen, "en-US", "USD"), None);
        assert_eq!(invented("You spent 94.32 USD.", seen, "en-US", "USD"), None);
        assert_eq!(invented("You spent $9,999.00.", seen, "en-US", "USD").as_deref(), Some("$9,999.00"));
        let seen = "Du hast 1.079,86 € ausgegeben.";
        assert_eq!(invented("Das waren **1.079,86 €**.", seen, "de-DE", "EUR"), None);
        assert_eq!(invented("Das waren **9.999,00 €**.", seen, "de-DE", "EUR").as_deref(), Some("9.999,00 €"));
    }

    #[test]
    fn an_earlier_answer_is_known_by_what_it_showed_and_not_by_its_text() {
        let row =
            |unit: &str, amount| ShownRow { unit: Some(unit.into()), amount: Some(amount), ..ShownRow::default() };
        let shown = Shown {
            rows: vec![row("GBP", 350), ShownRow::default()],
            sums: vec![("EUR".into(), "94.32".into()), ("GBP".into(), "food".into())],
            ..Shown::default()
        };
        let conversation =
            [Message::User("£2?".into()), Message::assistant("£1."), Message::answer("£5. £3.50.", shown)];
        let answer = ModelAnswer { text: "", conversation: &conversation, recorded: "", found: &[] };
        let money = |minor, currency| Money { minor, currency };
        assert_eq!(known_money(&answer, &[]), [money(350, Currency::GBP), money(9_432, Currency::EUR)]);
        assert_eq!(known_texts(&answer).collect::<Vec<_>>(), ["£1.", "£2?", ""]);
        let reader = Reader { today: date(2026, 11, 20), hour: 12, conventions: Conventions::default() };
        let amounts = InventedAmounts { reader, own: Some(Currency::GBP) };
        for (text, expected) in [("£3.50", None), ("€94.32", None), ("£5.50", None), ("£94.32", Some("£94.32"))] {
            let found = amounts.find(text, &known_money(&answer, &[]), ["£2"].into_iter());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}

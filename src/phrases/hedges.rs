//! Words that make a sentence say something else than "this was paid, once, by me, for exactly so much".
//!
//! Closed classes of words and short phrases, in the four languages. It knows no expense, and does not say what to do.

use std::ops::Range;

use super::{AmountMention, tokens::Line};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hedge {
    /// "around 20", "20 or so".
    Roughly,
    /// "coffee 3 twice", "daily coffee 3".
    Repeated,
    /// "will pay 50", "supposed to be 12".
    ToCome,
    /// "maybe", "if".
    Unsure,
    /// "split with Anna", "Anna paid".
    NotMine,
    /// "save 50", "100 left", "reimbursed".
    NotSpent,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HedgeMention {
    /// Bytes of the text.
    pub span: Range<usize>,
    pub hedge: Hedge,
}

/// "or 4", "no wait 4": what stands between two amounts puts the second in the place of the first.
pub fn takes_back(between: &str) -> bool {
    const INSTEAD: [&str; 17] = [
        "or", "no", "nope", "wait", "sorry", "actually", "rather", "mean", "meant", "instead", "oops", "correction",
        "oder", "nein", "ou", "non", "o",
    ];
    let lower = between.to_lowercase();
    lower.split(|letter: char| !letter.is_alphanumeric()).any(|word| INSTEAD.contains(&word))
}

pub(super) fn mentions(line: &Line<'_>, amounts: &[AmountMention], days: &[Range<usize>]) -> Vec<HedgeMention> {
    let mut found: Vec<HedgeMention> = Vec::new();
    for at in 0..line.tokens.len() {
        let hedge = PHRASES.iter().find_map(|(hedge, phrases)| {
            let end = phrases.iter().find_map(|phrase| stands(line, at, phrase))?;
            Some((end, *hedge))
        });
        if let Some((end, hedge)) = hedge.filter(|(end, hedge)| *hedge != Hedge::Repeated || !names_a_thing(line, *end))
        {
            found.push(HedgeMention { span: line.span(at, end), hedge });
        }
    }
    found.extend(amounts.iter().filter_map(|amount| beside(line, amount)));
    found.extend(another_payer(line, days));
    found.sort_by_key(|mention| mention.span.start);
    found
}

/// Where the phrase ends, if it stands there.
fn stands(line: &Line<'_>, at: usize, phrase: &str) -> Option<usize> {
    let mut end = at;
    for word in phrase.split(' ') {
        if line.word(end) != word {
            return None;
        }
        end += 1;
    }
    Some(end)
}

/// Beside the amount. Anywhere else such a word may be of a name: "a book about cats 12".
fn beside(line: &Line<'_>, amount: &AmountMention) -> Option<HedgeMention> {
    let first = line.tokens.iter().position(|token| token.span.start >= amount.span.start)?;
    let next = line.tokens.iter().position(|token| token.span.start >= amount.span.end).unwrap_or(line.tokens.len());
    // "approx. 20", "20-ish"
    let (dot, dash) = (usize::from(line.follows_mark(first, '.')), usize::from(line.glued_mark(next) == Some('-')));
    let before = BEFORE.iter().find_map(|(hedge, phrases)| {
        let start = phrases.iter().find_map(|phrase| {
            let start = first.checked_sub(phrase.split(' ').count() + dot)?;
            stands(line, start, phrase).map(|_| start)
        })?;
        Some((line.span(start, first), *hedge))
    });
    let sign = || line.follows_mark(first, '~').then(|| (line.span(first - 1, first), Hedge::Roughly));
    let after = || {
        AFTER.iter().find_map(|(hedge, phrases)| {
            let end = phrases.iter().find_map(|phrase| stands(line, next + dash, phrase))?;
            Some((line.span(next + dash, end), *hedge))
        })
    };
    let (span, hedge) = before.or_else(sign).or_else(after)?;
    Some(HedgeMention { span, hedge })
}

/// "Anna paid 20", "my wife bought shoes": the one who did it opens the sentence.
fn another_payer(line: &Line<'_>, days: &[Range<usize>]) -> Option<HedgeMention> {
    const PAID: [&str; 10] =
        ["paid", "pays", "bought", "buys", "spent", "owes", "charged", "bezahlte", "zahlte", "kaufte"];
    const ME: [&str; 24] = [
        "i", "we", "i've", "we've", "have", "had", "just", "also", "then", "already", "finally", "and", "only", "so",
        "ok", "oh", "hi", "hey", "hello", "well", "actually", "yes", "plus", "recently",
    ];
    const MEANS: [&str; 16] = [
        "card", "cash", "phone", "paypal", "cheque", "check", "bank", "transfer", "direct", "apple", "google", "debit",
        "credit", "visa", "amex", "me",
    ];
    let owned = usize::from(line.is(0, &["my", "our", "the", "his", "her"]));
    let is_day = days.iter().any(|day| line.tokens.get(owned).is_some_and(|token| day.contains(&token.span.start)));
    let is_other = !line.word(owned).is_empty() && !ME.contains(&line.word(owned)) && !PAID.contains(&line.word(owned));
    let opens = (is_other && !is_day && line.is(owned + 1, &PAID)).then(|| line.span(0, owned + 2));
    let by = || {
        let at = (1..line.tokens.len()).find(|at| line.is(*at - 1, &["paid"]) && line.is(*at, &["by"]))?;
        (!line.is(at + 1, &MEANS) && at + 1 < line.tokens.len()).then(|| line.span(at - 1, at + 2))
    };
    opens.or_else(by).map(|span| HedgeMention { span, hedge: Hedge::NotMine })
}

/// "Weekly shop", "monthly pass": bought once, whatever it is good for.
fn names_a_thing(line: &Line<'_>, end: usize) -> bool {
    const THINGS: [&str; 18] = [
        "shop", "shopping", "pass", "ticket", "travelcard", "card", "bill", "fee", "fees", "subscription", "rent",
        "mail", "special", "magazine", "paper", "groceries", "membership", "box",
    ];
    line.follows(end, &["daily", "weekly", "monthly", "yearly", "annual"]) && line.is(end, &THINGS)
}

/// Right before an amount.
const BEFORE: [(Hedge, &[&str]); 2] = [
    (
        Hedge::Roughly,
        &[
            "about", "around", "roughly", "approximately", "approx", "circa", "ca", "nearly", "almost", "some", "over",
            "under", "at least", "at most", "up to", "more than", "less than", "etwa", "ungefähr", "rund", "knapp",
            "fast", "environ", "presque", "unos", "unas", "casi", "aproximadamente", "alrededor de", "à peu près",
        ],
    ),
    (
        Hedge::NotSpent,
        &[
            "save", "saved", "saving", "won", "found", "lost", "made", "costs", "is", "are", "gespart", "gewonnen",
            "gagné", "ahorrado",
        ],
    ),
];

/// Right after an amount.
const AFTER: [(Hedge, &[&str]); 2] = [
    (Hedge::Roughly, &["or so", "ish", "odd", "something", "or thereabouts", "more or less", "roughly", "oder so"]),
    (Hedge::NotSpent, &["left", "remaining", "off", "back"]),
];

/// Anywhere.
const PHRASES: [(Hedge, &[&str]); 5] = [
    (
        Hedge::Repeated,
        &[
            "twice", "thrice", "three times", "four times", "five times", "several times", "many times", "daily",
            "weekly", "monthly", "yearly", "annually", "hourly", "quarterly", "zweimal", "dreimal", "täglich",
            "wöchentlich", "monatlich", "deux fois", "trois fois", "dos veces", "tres veces", "mensuel", "mensual",
        ],
    ),
    (
        Hedge::ToCome,
        &[
            "will pay", "will be", "will buy", "will spend", "i'll pay", "i'll buy", "i'll spend", "it'll be", "gonna",
            "have to", "need to", "needs to", "must pay", "must buy", "ought to", "supposed to", "should be",
            "should have", "planning", "planned", "due", "upcoming", "remind", "reminder", "to be paid", "unpaid",
            "muss", "werde", "wird", "soll", "sollte", "fällig", "vais", "devrait", "dois", "voy a", "tengo que",
            "debería",
        ],
    ),
    (
        Hedge::Unsure,
        &[
            "maybe", "perhaps", "might", "may have", "probably", "possibly", "if", "unless", "i think", "i guess",
            "i believe", "unsure", "not", "never", "didn't", "didnt", "don't", "dont", "wasn't", "wasnt", "cancelled",
            "canceled", "vielleicht", "wahrscheinlich", "wenn", "nicht", "kein", "keine", "peut être", "quizás",
            "quizá", "tal vez",
        ],
    ),
    (
        Hedge::NotMine,
        &[
            "split", "shared with", "between us", "each", "apiece", "per person", "my half", "my share", "his half",
            "her half", "half each", "go dutch", "went dutch", "geteilt", "partagé", "compartido",
        ],
    ),
    (
        Hedge::NotSpent,
        &[
            "savings", "limit", "reimbursed", "reimbursement", "paid back", "pay back", "pays back", "pay me back",
            "paying me back", "gave back", "give back", "gave", "discount", "voucher", "coupon", "économisé",
        ],
    ),
];

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use rstest::rstest;

    use super::{Hedge::*, *};
    use crate::phrases::{Conventions, Reader};

    #[rstest]
    #[case("around 20 for gas", &[("around", Roughly)])]
    #[case("gas ~20", &[("~", Roughly)])]
    #[case("gas approx. 20", &[("approx.", Roughly)])]
    #[case("gas 20 or so", &[("or so", Roughly)])]
    #[case("Benzin etwa 20", &[("etwa", Roughly)])]
    #[case("a book about cats 12", &[])]
    #[case("coffee 3 twice", &[("twice", Repeated)])]
    #[case("daily coffee 3", &[("daily", Repeated)])]
    #[case("weekly shop 60", &[])]
    #[case("maybe I will pay 50", &[("maybe", Unsure), ("will pay", ToCome)])]
    #[case("lunch was supposed to be 12", &[("supposed to", ToCome)])]
    #[case("Anna paid 20", &[("Anna paid", NotMine)])]
    #[case("my wife bought shoes for 60", &[("my wife bought", NotMine)])]
    #[case("lunch 12 paid by Anna", &[("paid by Anna", NotMine)])]
    #[case("lunch 12 paid by card", &[])]
    #[case("I paid 20", &[])]
    #[case("yesterday paid 20 for lunch", &[])]
    #[case("lunch, paid 12", &[])]
    #[case("save 50 for holiday", &[("save", NotSpent)])]
    #[case("lunch 12, 100 left", &[("left", NotSpent)])]
    #[case("left luggage 8", &[])]
    #[case("lunch 12", &[])]
    fn what_makes_it_no_plain_payment_is_found(#[case] text: &str, #[case] expected: &[(&str, Hedge)]) {
        let reader = Reader { today: date(2026, 11, 20), conventions: Conventions::default() };
        let found: Vec<_> = reader.hedges(text).into_iter().map(|found| (&text[found.span], found.hedge)).collect();
        assert_eq!(found, expected);
    }

    #[rstest]
    #[case(" or ", true)]
    #[case(", sorry ", true)]
    #[case(" no, wait: ", true)]
    #[case(" - ", false)]
    #[case(" tea ", false)]
    fn a_second_amount_takes_back_the_first_only_after_words_that_say_so(
        #[case] between: &str,
        #[case] expected: bool,
    ) {
        assert_eq!(takes_back(between), expected);
    }
}

//! Words that make a sentence say something else than "this was paid, once, by me, for exactly so much".
//!
//! Closed classes of words and short phrases, in the four languages. It knows no expense, and does not say what to do.

use std::ops::Range;

use super::{AmountMention, Conventions, CurrencyMention, tokens::Line, vocabulary};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hedge {
    /// "around 20", "20 or so".
    Roughly,
    /// "4 bagels at 1.50", "lunch for 2": one of several, or no price at all.
    Each,
    /// "coffee 3 twice", "daily coffee 3".
    Repeated,
    /// "will pay 50", "supposed to be 12".
    ToCome,
    /// "maybe", "if".
    Unsure,
    /// "split with Anna", "my half".
    Shared,
    /// "Anna paid".
    NotMine,
    /// "save 50", "100 left", "reimbursed".
    NotSpent,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HedgeMention {
    /// Bytes of the text.
    pub span: Range<usize>,
    pub hedge: Hedge,
    /// Of the amount that it stands beside, if it is about that one.
    pub amount: Option<Range<usize>>,
}

/// "or 4", "no wait 4": what stands between two amounts puts the second in the place of the first.
pub fn takes_back(between: &str) -> bool {
    const INSTEAD: [&str; 26] = [
        "or", "no", "nope", "wait", "sorry", "actually", "rather", "mean", "meant", "instead", "oops", "correction",
        "reduced", "oder", "nein", "bis", "sondern", "reduziert", "ou", "non", "soldé", "soldée", "o", "sino",
        "rebajado", "rebajada",
    ];
    let lower = between.to_lowercase();
    lower.split(|letter: char| !letter.is_alphanumeric()).any(|word| INSTEAD.contains(&word))
}

/// Where it goes on to an amount that is no expense of its own: "instead of 90", "20 of it tip", "my part 20".
pub fn aside(text: &str) -> Option<usize> {
    const ASIDES: [&str; 27] = [
        "instead of", "rather than", "out of", "reduced from", "down from", "including", "incl", "of it", "of that",
        "of which", "my part", "my share", "my half", "my bit", "statt", "davon", "mein anteil", "meine hälfte",
        "inklusive", "au lieu de", "dont", "ma part", "ma moitié", "y compris", "en vez de", "mi parte", "mi mitad",
    ];
    let line = Line::new(text, Conventions::default());
    let at = (0..line.tokens.len()).find(|at| one_stands(&line, *at, &ASIDES).is_some())?;
    Some(line.tokens[at].span.start)
}

/// "Ana me pagó 20", "salary 2000": it is about money that came in, or is lent, owed or only moved.
pub fn comes_in(text: &str) -> bool {
    let line = Line::new(text, Conventions::default());
    (0..line.tokens.len()).any(|at| one_stands(&line, at, INCOMING).is_some())
}

pub(super) fn mentions(line: &Line<'_>, amounts: &[AmountMention], days: &[Range<usize>]) -> Vec<HedgeMention> {
    let mut found: Vec<HedgeMention> = Vec::new();
    for at in 0..line.tokens.len() {
        let hedge = PHRASES.iter().find_map(|(hedge, phrases)| {
            let end = one_stands(line, at, phrases)?;
            Some((end, *hedge))
        });
        // "A year ago" is a day.
        let is_of_day = || days.iter().any(|day| day.contains(&line.tokens[at].span.start));
        let counts =
            |(end, hedge): &(usize, Hedge)| *hedge != Hedge::Repeated || !names_a_thing(line, *end) && !is_of_day();
        if let Some((end, hedge)) = hedge.filter(counts) {
            found.push(HedgeMention { span: line.span(at, end), hedge, amount: None });
        }
    }
    found.extend(amounts.iter().filter_map(|amount| beside(line, amount)));
    found.extend((1..line.tokens.len()).filter_map(|at| reckoned(line, at)));
    found.extend(another_payer(line, days).or_else(|| third_person(line)));
    found.sort_by_key(|mention| mention.span.start);
    found
}

/// Where the first of the phrases that stands there ends. Most do not even begin with the same letter.
fn one_stands(line: &Line<'_>, at: usize, phrases: &[&str]) -> Option<usize> {
    let initial = line.word(at).as_bytes().first()?;
    let mut near = phrases.iter().filter(|phrase| phrase.as_bytes().first() == Some(initial));
    near.find_map(|phrase| stands(line, at, phrase))
}

/// Where the phrase ends, if it stands there.
fn stands(line: &Line<'_>, at: usize, phrase: &str) -> Option<usize> {
    let first = line.word(at);
    if first.is_empty() || !phrase.starts_with(first) {
        return None;
    }
    let mut end = at;
    for word in phrase.split(' ') {
        // "peut-être"
        end += usize::from(end > at && line.glued_mark(end) == Some('-'));
        if line.word(end) != word {
            return None;
        }
        end += 1;
    }
    Some(end)
}

/// "3x coffee 2.50", "tip 20% on 50": what is written may be the price of one, or of all.
fn reckoned(line: &Line<'_>, at: usize) -> Option<HedgeMention> {
    let times = line.word(at) == "x" && !line.word(at + 1).is_empty();
    let is_part = times || line.mark(at) == Some('%');
    let counted = line.digits(at - 1).is_some() && line.glued(at);
    (is_part && counted).then(|| HedgeMention { span: line.span(at - 1, at + 1), hedge: Hedge::Each, amount: None })
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
    let sign = || {
        // "12 -> 13"
        let is_arrow =
            first > 1 && line.mark(first - 1) == Some('>') && matches!(line.mark(first - 2), Some('-' | '='));
        let before = first > 0 && !is_arrow && line.mark(first - 1).is_some_and(|mark| "~≈<>=".contains(mark));
        let after = line.glued_mark(next) == Some('+') && !line.glued(next + 1);
        let at = if before { Some(first - 1) } else { after.then_some(next) }?;
        Some((line.span(at, at + 1), Hedge::Roughly))
    };
    // "4 bagels at 1.50", "lunch for 2"
    let led = first.checked_sub(1).filter(|at| {
        let counted =
            || (0..*at).any(|at| line.digits(at).is_some() || vocabulary::cardinal(&line.tokens, at).is_some());
        let priced =
            line.is(*at, &["at", "à", "zu"]) || line.mark(*at) == Some('@') || line.word(*at) == "a" && *at > 1;
        let people = amount.currency == CurrencyMention::None && line.word(*at) == "for" && line.follows(*at, &MEALS);
        priced && counted() || people && line.digits(first).is_some_and(|digits| digits.len() == 1)
    });
    // "2 taxis at 12" is a time, or what each cost.
    let is_bare = amount.currency == CurrencyMention::None && next == first + 1 && line.digits(first).is_some();
    let timed = |at: &usize| {
        line.is(*at, &["at"]) && line.digits(at + 1).is_some() && (line.ends(at + 2) && !line.is(at + 2, &["am", "pm"]))
    };
    let later =
        (next..line.tokens.len()).find(timed).filter(|_| is_bare).map(|at| (line.span(at, at + 2), Hedge::Each));
    let each = || led.map(|at| (line.span(at, next), Hedge::Each)).or(later);
    let after = || {
        AFTER.iter().find_map(|(hedge, phrases)| {
            let end = one_stands(line, next + dash, phrases)?;
            Some((line.span(next + dash, end), *hedge))
        })
    };
    // "9.99/month"
    let rate = || {
        let is_rate = line.mark(next) == Some('/') && vocabulary::unit(line.word(next + 1)).is_some();
        is_rate.then(|| (line.span(next, next + 2), Hedge::Repeated))
    };
    let (span, hedge) = before.or_else(sign).or_else(after).or_else(rate).or_else(each)?;
    Some(HedgeMention { span, hedge, amount: Some(amount.span.clone()) })
}

const MEALS: [&str; 9] = ["lunch", "dinner", "breakfast", "brunch", "supper", "table", "meal", "drinks", "tickets"];

/// "Anna paid 20 for lunch", "my wife bought shoes", "lunch 12 paid by Anna". "Rent paid 950" names what was bought.
fn another_payer(line: &Line<'_>, days: &[Range<usize>]) -> Option<HedgeMention> {
    const PAID: [&str; 9] = ["paid", "pays", "bought", "buys", "spent", "charged", "bezahlte", "zahlte", "kaufte"];
    const PEOPLE: [&str; 28] = [
        "he", "she", "they", "you", "his", "her", "their", "my", "our", "mum", "mom", "dad", "wife", "husband",
        "partner", "friend", "boss", "brother", "sister", "someone", "somebody", "er", "sie", "il", "elle", "él",
        "ella", "ellos",
    ];
    const MEANS: [&str; 16] = [
        "card", "cash", "phone", "paypal", "cheque", "check", "bank", "transfer", "direct", "apple", "google", "debit",
        "credit", "visa", "amex", "me",
    ];
    let is_day =
        |at: usize| line.tokens.get(at).is_some_and(|token| days.iter().any(|day| day.contains(&token.span.start)));
    let verb = (0..line.tokens.len()).find(|at| line.is(*at, &PAID))?;
    let clause = (0..verb).rev().take_while(|at| line.mark(*at).is_none()).last().unwrap_or(verb);
    let before: Vec<usize> = (clause..verb).filter(|at| !is_day(*at)).collect();
    let is_said_by_me = before.iter().any(|at| line.is(*at, &["i", "we", "i've", "we've", "ich", "wir", "j'ai"]));
    let is_person = |at: &usize| {
        let capital = line.tokens[*at].text.starts_with(char::is_uppercase) && *at > 0;
        line.is(*at, &PEOPLE) || capital
    };
    // What was bought is named after the verb, so what stands before it did it.
    let named_after =
        || (verb..line.tokens.len()).any(|at| line.is(at, &["for", "für", "pour", "por"]) && !is_day(at + 1));
    let plain = before.iter().all(|at| line.digits(*at).is_none()) && !before.iter().all(|at| line.is(*at, &LEADING));
    let other = plain && !is_said_by_me && (before.iter().any(is_person) || named_after());
    let by = || {
        let by = line.word(verb) == "paid" && line.word(verb + 1) == "by";
        (by && !line.is(verb + 2, &MEANS) && verb + 2 < line.tokens.len()).then(|| line.span(verb, verb + 3))
    };
    let span = if other { Some(line.span(before[0], verb + 1)) } else { by() }?;
    Some(HedgeMention { span, hedge: Hedge::NotMine, amount: None })
}

/// "Anna hat 20 bezahlt", "Anne a payé 20", "Ana pagó 20": the form of the verb says that it was somebody else.
fn third_person(line: &Line<'_>) -> Option<HedgeMention> {
    const PAID: [&str; 13] = [
        "bezahlt", "gezahlt", "gekauft", "ausgegeben", "payé", "acheté", "dépensé", "réglé", "pagado", "comprado",
        "gastado", "offert", "übernommen",
    ];
    const DID: [&str; 3] = ["pagó", "compró", "gastó"];
    let verb = (0..line.tokens.len()).find(|at| line.is(*at, &DID)).or_else(|| {
        let participle = (0..line.tokens.len()).find(|at| line.is(*at, &PAID))?;
        // "On a payé" was us.
        (1..participle).find(|at| line.is(*at, &["hat", "a", "ha"]) && !line.follows(*at, &["on", "j", "y"]))
    })?;
    Some(HedgeMention { span: line.span(0, verb + 1), hedge: Hedge::NotMine, amount: None })
}

/// What may stand before a verb whose subject is left out.
const LEADING: [&str; 19] = [
    "have", "had", "just", "also", "then", "already", "finally", "and", "only", "so", "ok", "oh", "hi", "hey", "hello",
    "well", "actually", "yes", "recently",
];

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
            "save", "saved", "saving", "won", "found", "lost", "made", "costs", "is", "are", "now", "it's", "gespart",
            "gewonnen", "gagné", "ahorrado", "back", "zurück",
        ],
    ),
];

/// Right after an amount.
const AFTER: [(Hedge, &[&str]); 4] = [
    (
        Hedge::Each,
        &[
            "a night", "per night", "a head", "per head", "a pop", "an hour", "per hour", "pro stück", "pro nacht",
            "pro person", "pro kopf", "la pièce", "par personne", "par nuit", "chacun", "cada uno", "cada una",
            "por persona", "por noche",
        ],
    ),
    (Hedge::Repeated, &["pm"]),
    (Hedge::Roughly, &["or so", "ish", "odd", "something", "or thereabouts", "more or less", "roughly", "oder so"]),
    (Hedge::NotSpent, &["left", "remaining", "off", "back", "zurück"]),
];

/// Anywhere.
const PHRASES: [(Hedge, &[&str]); 6] = [
    (
        Hedge::Repeated,
        &[
            "every day", "every week", "every month", "every year", "every other", "each day", "each week",
            "each month", "a day", "a week", "a month", "a year", "per day", "per week", "per month", "per year",
            "pcm", "p.m", "two times", "twice", "thrice", "three times", "four times", "five times", "several times",
            "many times", "daily", "weekly", "monthly", "yearly", "annually", "hourly", "quarterly", "zweimal",
            "dreimal", "täglich", "wöchentlich", "monatlich", "deux fois", "trois fois", "dos veces", "tres veces",
            "mensuel", "mensual",
        ],
    ),
    (
        Hedge::ToCome,
        &[
            "want to spend", "want to buy", "want to pay", "like to spend", "like to buy", "like to pay", "gotta",
            "would have", "could have", "ich will", "je veux", "quiero", "will pay", "will be", "will buy",
            "will spend", "i'll pay", "i'll buy", "i'll spend", "it'll be", "gonna", "have to", "need to", "needs to",
            "must pay", "must buy", "ought to", "supposed to", "should be", "should have", "planning", "planned",
            "due", "upcoming", "remind", "reminder", "to be paid", "unpaid", "muss", "werde", "wird", "soll", "sollte",
            "fällig", "vais", "devrait", "dois", "voy a", "tengo que", "debería",
        ],
    ),
    (
        Hedge::Unsure,
        &[
            "actually", "almost", "nearly", "n'ai pas", "n'a pas", "maybe", "perhaps", "might", "may have", "probably",
            "possibly", "if", "unless", "i think", "i guess", "i believe", "unsure", "not", "never", "didn't", "didnt",
            "don't", "dont", "wasn't", "wasnt", "cancelled", "canceled", "vielleicht", "wahrscheinlich", "wenn",
            "nicht", "kein", "keine", "peut être", "quizás", "quizá", "tal vez",
        ],
    ),
    (
        Hedge::Shared,
        &[
            "split", "shared with", "between us", "each", "apiece", "per person", "my half", "my share", "his half",
            "her half", "half of", "third of", "quarter of", "die hälfte", "la moitié", "la mitad", "half each",
            "go dutch", "went dutch", "geteilt", "partagé", "compartido",
        ],
    ),
    (
        Hedge::NotSpent,
        &["lost", "stole", "stolen", "savings", "bonus", "limit", "gave", "discount", "voucher", "coupon", "économisé"],
    ),
    (Hedge::NotSpent, INCOMING),
];

/// What came in, or is lent, owed or only moved.
const INCOMING: &[&str] = &[
    "lent", "lend", "loaned", "borrowed", "owe", "owes", "owed", "refund", "refunds", "refunded", "reimbursed",
    "reimbursement", "payout", "rebate", "cashback", "cash back", "deposit back", "money back", "claimed back",
    "got back", "paid back", "pay back", "pays back", "pay me back", "paying me back", "gave back", "give back",
    "returned", "salary", "wages", "wage", "paycheck", "paycheque", "dividend", "income", "earn", "earned", "received",
    "inherited", "sold", "got paid", "was paid", "paid me", "paid us", "pays me", "gave me", "gave us", "sent me",
    "treated me", "treated us", "transfer to", "transfer of", "bank transfer", "transferred", "deposited", "withdrew",
    "schuldet", "schulde", "geliehen", "verliehen", "ausgeliehen", "bekommen", "zurückbekommen", "erhalten",
    "zurückerhalten", "pfand zurück", "geld zurück", "erstattet", "erstattung", "rückerstattung", "rückzahlung",
    "zurückgezahlt", "zurückgegeben", "gehalt", "lohn", "verdient", "verkauft", "mich eingeladen", "hat mir",
    "haben mir", "me doit", "lui dois", "prêté", "emprunté", "reçu", "remboursé", "remboursée", "remboursés",
    "remboursement", "m'a rendu", "m'a payé", "m'a donné", "m'a offert", "m'a invité", "m'a invitée", "salaire",
    "vendu", "revenu", "revenus", "me debe", "me deben", "le debo", "presté", "prestado", "prestó", "recibí",
    "recibido", "devolvió", "devolvieron", "devuelto", "devolución", "reembolso", "reembolsaron", "me pagó",
    "me pagaron", "me dio", "me dieron", "me invitó", "cobré", "vendí", "sueldo", "salario", "nómina", "ingreso",
    "ingresos",
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
    #[case("4 bagels at 1.50", &[("at 1.50", Each)])]
    #[case("3x coffee @ 2.50", &[("3x", Each), ("@ 2.50", Each)])]
    #[case("3x coffee 2.50", &[("3x", Each)])]
    #[case("tip 20% on 50", &[("20%", Each)])]
    #[case("hotel 80 a night", &[("a night", Each)])]
    #[case("netflix 10.99/month", &[("/month", Repeated)])]
    #[case("gym 30 pm", &[("pm", Repeated)])]
    #[case("half of dinner 60", &[("half of", Shared)])]
    #[case("2 taxis at 12", &[("at 12", Each)])]
    #[case("lunch 12 at 1pm", &[])]
    #[case("lunch for 2", &[("for 2", Each)])]
    #[case("coffee for 3", &[])]
    #[case("tesco >40", &[(">", Roughly)])]
    #[case("tesco 40+", &[("+", Roughly)])]
    #[case("spotify 9.99 a month", &[("a month", Repeated)])]
    #[case("I want to spend 200 on a coat", &[("want to spend", ToCome)])]
    #[case("coffee 3 twice", &[("twice", Repeated)])]
    #[case("daily coffee 3", &[("daily", Repeated)])]
    #[case("weekly shop 60", &[])]
    #[case("maybe I will pay 50", &[("maybe", Unsure), ("will pay", ToCome)])]
    #[case("lunch was supposed to be 12", &[("supposed to", ToCome)])]
    #[case("Anna paid 20 for lunch", &[("Anna paid", NotMine)])]
    #[case("anna paid 20 for lunch", &[("anna paid", NotMine)])]
    #[case("yesterday Anna Smith paid 20 for lunch", &[("Anna Smith paid", NotMine)])]
    #[case("rent paid 950", &[])]
    #[case("rent paid 950 for november", &[])]
    #[case("I lent Bob 20", &[("lent", NotSpent)])]
    #[case("gym 30 every two weeks", &[])]
    #[case("gym 30 every week", &[("every week", Repeated)])]
    #[case("peut-être café 3", &[("peut-être", Unsure)])]
    #[case("my wife bought shoes for 60", &[("my wife bought", NotMine)])]
    #[case("lunch 12 paid by Anna", &[("paid by Anna", NotMine)])]
    #[case("lunch 12 paid by card", &[])]
    #[case("I paid 20", &[])]
    #[case("Anna hat 20 bezahlt", &[("Anna hat", NotMine)])]
    #[case("Anne a payé 20", &[("Anne a", NotMine)])]
    #[case("on a payé 20", &[])]
    #[case("Ana pagó 20", &[("Ana pagó", NotMine)])]
    #[case("hat 20", &[])]
    #[case("yesterday paid 20 for lunch", &[])]
    #[case("lunch, paid 12", &[])]
    #[case("save 50 for holiday", &[("save", NotSpent)])]
    #[case("lunch 12, 100 left", &[("left", NotSpent)])]
    #[case("left luggage 8", &[])]
    #[case("lunch 12", &[])]
    fn what_makes_it_no_plain_payment_is_found(#[case] text: &str, #[case] expected: &[(&str, Hedge)]) {
        let reader = Reader { today: date(2026, 11, 20), hour: 12, conventions: Conventions::default() };
        let found: Vec<_> = reader.hedges(text).into_iter().map(|found| (&text[found.span], found.hedge)).collect();
        assert_eq!(found, expected);
    }

    #[rstest]
    #[case("salary 2000", true)]
    #[case("insurance payout 500", true)]
    #[case("deposit back 200", true)]
    #[case("tom treated me to lunch 18", true)]
    #[case("50 von Mama bekommen", true)]
    #[case("Pfand zurück 3", true)]
    #[case("Gehalt 2000", true)]
    #[case("Anne m’a remboursé 20", true)]
    #[case("remboursement 20", true)]
    #[case("le presté 20 a Juan", true)]
    #[case("Ana me pagó 20", true)]
    #[case("me devolvieron 20", true)]
    #[case("taxi back 12", false)]
    #[case("pagué 20", false)]
    #[case("Zurücksetzung 3", false)]
    fn money_that_comes_in_is_told_in_four_languages(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(comes_in(text), expected);
    }

    #[rstest]
    #[case(" or ", true)]
    #[case(", sorry ", true)]
    #[case(" no, wait: ", true)]
    #[case(" - ", false)]
    #[case(" reduced to ", true)]
    #[case(" rebajado a ", true)]
    #[case(", sondern ", true)]
    #[case(" tea ", false)]
    fn a_second_amount_takes_back_the_first_only_after_words_that_say_so(
        #[case] between: &str,
        #[case] expected: bool,
    ) {
        assert_eq!(takes_back(between), expected);
    }
}

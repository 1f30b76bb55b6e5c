//! What holds for every conversation.

use jiff::civil::Date;
use proptest::prelude::*;

use super::tests::{all_tools, completion, reader, talk};
use crate::{
    money::{Currency, Money},
    phrases::{self, DateReading, Reading},
};

fn message_like() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "add", "coffee", "lunch", "3.50", "£12", "1.234", "yesterday", "and", ",", "for", "delete", "change", "42",
        "#7", "to", "how much", "show", "over", "kr", "2", "pounds", "50", "cents", "on", "03/04", "the", "all",
        "last", "Friday", "?", "category", "food", "½", "-5", "$", "k", "under", "note:", "from", "rename", "1,234.50",
        "between", "wie viel habe ich", "letzte", "Woche", "im", "November", "vom 1. bis 5.", "ausgegeben",
        "combien ai-je", "¿cuánto gasté", "lösche", "what about", "list them", "average", "budget", "per month", "was",
        "move", "put", "in", "split", "tesco 50:", "rest", "half", "household", "into", "join", "ago", "two days",
        "halloween", "the other day", "at noon", "earlier", "vor drei Tagen", "hier", "am Montag", "el viernes pasado",
        "a fiver", "three fifty", "pro Monat", "doch", "euros", "both", "it", "they", "second", "one", "only", "not",
        "yes", "no", "but",
    ]);
    prop::collection::vec(word, 0..9).prop_map(|words| words.join(" "))
}

const DAYS: [&str; 40] = [
    "yesterday", "last night", "on Monday", "3 days ago", "two weeks ago", "a while ago", "the other day", "last week",
    "this morning", "at the weekend", "on halloween", "on christmas day", "end of month", "on my birthday",
    "last summer", "earlier today", "20 Nov", "03/04", "on the 3rd", "in October", "gestern", "vorgestern",
    "am Montag", "letzten Freitag", "vor drei Tagen", "vor kurzem", "letzte Woche", "am Wochenende", "Ende Oktober",
    "an Silvester", "avant-hier", "vendredi dernier", "il y a trois jours", "la semaine dernière", "l'autre jour",
    "anteayer", "el viernes pasado", "hace tres días", "la semana pasada", "el otro día",
];

/// In the smallest units that any currency has.
fn minor(amount: &str) -> Option<i64> {
    Money::parse(amount, Currency::parse("CLF").ok()?).ok().map(|money| money.minor)
}

/// Whether the text, some words of it in a row, or any three are that. What is between them may be a note, or not
/// understood: "halloween note: scary", "November, average 2".
fn some_of(text: &str, is_it: impl Fn(&str) -> bool) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let all = 0..words.len();
    let rows = all.clone().flat_map(|from| (from..words.len()).map(move |to| from..to + 1));
    let pairs = all.clone().flat_map(|one| all.clone().map(move |two| [one, two]));
    let threes = pairs.clone().flat_map(|[one, two]| all.clone().map(move |three| [one, two, three]));
    is_it(text)
        || rows.map(|row| words[row].join(" ")).any(|said| is_it(&said))
        || pairs.map(|pair| pair.map(|at| words[at]).join(" ")).any(|said| is_it(&said))
        || threes.map(|three| three.map(|at| words[at]).join(" ")).any(|said| is_it(&said))
}

/// A day, one that it may be, or one of several: "vom 1. bis 5.", and then "am Montag".
fn is_day(said: &str, day: Date, answered: bool) -> bool {
    answered && reader().ranges(said).into_iter().any(|found| found.range.from <= day && day <= found.range.to)
        || reader().dates(said).into_iter().any(|found| match found.reading {
            DateReading::On(one) => one == day,
            DateReading::Ambiguous(days) => days.contains(&day),
            DateReading::Impossible(_) => false,
        })
}

/// One of the readings of what is unclear may have been picked in an answer.
fn is_amount(said: &str, amount: &str, answered: bool) -> bool {
    reader().amounts(said).into_iter().any(|found| match found.reading {
        Reading::Exact(value) => value == amount,
        Reading::Ambiguous(values) => answered && values.iter().any(|value| value == amount),
    })
}

/// The calls for these turns have no amount and no day that the person did not say.
fn answers_with_what_was_said(turns: &[&str]) -> Result<(), TestCaseError> {
    let said: Vec<&str> = turns.iter().step_by(2).copied().collect();
    let answered = turns.len() > 1;
    let amount_said =
        |amount: &str| said.iter().any(|text| some_of(&phrases::clean(text), |part| is_amount(part, amount, answered)));
    let completion = completion(&talk(turns), &all_tools());
    prop_assert!(completion.text.is_empty() != completion.calls.is_empty(), "{turns:?}");
    for call in &completion.calls {
        if let Some(date) = call.arguments["date"].as_str().and_then(|date| date.parse::<Date>().ok()) {
            let is_said = said.iter().any(|text| some_of(&phrases::clean(text), |part| is_day(part, date, answered)));
            prop_assert!(is_said, "{date} of {turns:?}");
        }
        let parts = call.arguments["lines"].as_array().map(Vec::as_slice).unwrap_or_default();
        let parts: Vec<&str> = parts.iter().filter_map(|part| part["amount"].as_str()).collect();
        prop_assert!(parts.iter().all(|part| amount_said(part)), "{parts:?} of {turns:?}");
        let sum: Option<i64> = parts.iter().map(|part| minor(part)).sum();
        for key in ["amount", "min_amount", "max_amount", "more_than", "less_than"] {
            // A budget of nothing is none: what was said is to take it away.
            let given =
                call.arguments[key].as_str().filter(|amount| (call.name.as_str(), *amount) != ("set_budget", "0"));
            if let Some(amount) = given {
                let is_sum = !parts.is_empty() && sum == minor(amount);
                prop_assert!(is_sum || amount_said(amount), "{amount} of {turns:?} {call:?}");
            }
        }
    }
    Ok(())
}

proptest! {
    /// Every day that is said of an expense is in what is added, or asked about.
    #[test]
    fn a_day_that_is_said_is_added_or_asked_about(
        name in prop::sample::select(vec!["coffee", "Kaffee", "café", "lunch"]),
        day in prop::sample::select(DAYS.to_vec()),
        behind in prop::bool::ANY,
    ) {
        let text = if behind { format!("{name} 3.50 {day}") } else { format!("{name} {day} 3.50") };
        let said: Vec<DateReading> = reader().dates(&text).into_iter().map(|found| found.reading).collect();
        let spans = reader().ranges(&text);
        let completion = completion(&talk(&[&text]), &all_tools());
        prop_assert!(said.len() + spans.len() > 0, "no day in {text:?}");
        prop_assert_eq!(completion.calls.len(), 1, "{}", text);
        let call = &completion.calls[0];
        match &said[..] {
            [DateReading::On(date)] => {
                prop_assert_eq!(&call.arguments["date"], &date.to_string(), "{}", text);
                prop_assert_eq!(call.arguments["item"].as_str(), Some(name), "{}", text);
            }
            _ => prop_assert_eq!(call.name.as_str(), "ask_questions", "{}", text),
        }
    }

    /// Of two numbers that may both be the price, none is taken without a question.
    #[test]
    fn one_of_two_prices_is_asked_about(first in 2_u32..900, second in 2_u32..60, shape in 0_usize..8) {
        let text = match shape {
            0 => format!("{first} pound turkey {second}"),
            1 => format!("bought {first} euro tickets for {second} yesterday"),
            2 => format!("{first} livres de pommes {second}"),
            3 => format!("{first} Pfund Äpfel {second}"),
            4 => format!("school fees {first} year {second}"),
            5 => format!("rent {first} month {second}"),
            6 => format!("Kurs {first} Woche {second}"),
            _ => format!("parking {first} hour {second}"),
        };
        let completion = completion(&talk(&[&text]), &all_tools());
        prop_assert_eq!(completion.calls.len(), 1, "{}", text);
        prop_assert_eq!(completion.calls[0].name.as_str(), "ask_questions", "{}", text);
    }

    /// Whatever was shown: what waits, what was written, a list.
    #[test]
    fn anything_may_be_said_of_what_was_shown(
        shown in prop::sample::select(vec![
            "Add “coffee”, £3.00, 20 Nov 2026? (yes / no)",
            "Add 2 expenses, £12.00? (yes / no)\n1. “coffee”, £3.00, 20 Nov 2026\n2. “lunch”, £9.00, 20 Nov 2026",
            "Delete #1 “coffee”, £3.00, 20 Nov 2026? (yes / no)",
            "Added “coffee”, £3.00, 20 Nov 2026 (#1).",
            "Added 2 expenses, £12.00:\n#1 “coffee”, £3.00, 20 Nov 2026\n#2 “lunch”, £9.00, 20 Nov 2026, in food",
            "2 expenses:\n#2 “lunch”, £9.00, 20 Nov 2026, in food\n#1 “coffee”, £3.00, 20 Nov 2026",
            "Which “coffee” do you mean?\n- #2 “coffee”, £4.00, 20 Nov 2026\n- #1 “coffee”, £3.00, 19 Nov 2026",
        ]),
        said in message_like(),
    ) {
        let completion = completion(&talk(&["coffee 3 and lunch 9", shown, &said]), &all_tools());
        prop_assert!(completion.text.is_empty() != completion.calls.is_empty(), "{said:?}");
    }

    #[test]
    fn any_text_is_answered_with_amounts_that_were_said(
        first in prop_oneof![any::<String>(), message_like()],
        question in prop_oneof![Just("How much?".to_owned()), Just("Which currency? #1 a, #2 b".to_owned()), any::<String>()],
        answer in prop_oneof![any::<String>(), message_like()],
    ) {
        for turns in [vec![first.as_str()], vec![&first, &question, &answer]] {
            answers_with_what_was_said(&turns)?;
        }
    }
}

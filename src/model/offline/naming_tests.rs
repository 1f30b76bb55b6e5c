//! What a thing is called in a sentence about it, and which words are no thing at all, in four languages.

use serde_json::{Value, json};

use super::{
    Completion,
    tests::{asks, calls, check, says},
    wording,
};

fn adds(argument: Value) -> Completion {
    calls("add_expense", &[argument])
}

#[test]
fn a_name_is_read_without_the_sentence_around_it() {
    for (text, item, amount) in [
        ("I went to the dentist and paid 85", "dentist", "85"),
        ("could you put down 3.50 for coffee", "coffee", "3.50"),
        ("pls add coffee 3.50", "coffee", "3.50"),
        ("ive also payed 60 for the elektricity", "elektricity", "60"),
        ("paid off credit card 300", "credit card", "300"),
        ("another one, shoes, 60", "shoes", "60"),
        ("fine, lunch 12", "lunch", "12"),
        ("bought lunch for tom and me 18", "lunch for tom and me", "18"),
        ("missed one: taxi 14", "taxi", "14"),
        ("Entschuldigung, Kaffee 3", "Kaffee", "3"),
        ("hab 12 für pizza bezahlt", "pizza", "12"),
        ("pagué 60 de luz", "luz", "60"),
        ("pagué la luz 60", "luz", "60"),
        ("die Miete 900", "Miete", "900"),
        ("j'ai dépensé 12 à la boulangerie", "boulangerie", "12"),
        ("fui al médico y pagué 20", "médico", "20"),
        ("añade un café 3 por favor", "café", "3"),
        ("también un café 3", "café", "3"),
        ("ajoute un café 3 s'il te plaît", "café", "3"),
        ("nous avons payé 30 pour pizza", "pizza", "30"),
        ("wir haben 30 für Pizza bezahlt", "Pizza", "30"),
        ("kannst du Kaffee 3 eintragen", "Kaffee", "3"),
        ("noch ein Kaffee 3", "Kaffee", "3"),
        ("te 2", "te", "2"),
        ("al pastor tacos 12", "al pastor tacos", "12"),
        ("blew 60 on shoes", "shoes", "60"),
        ("netflix charged me 10.99", "netflix", "10.99"),
        ("amazon took 24.99 for headphones", "amazon for headphones", "24.99"),
        ("got charged 3.50 for a bag", "bag", "3.50"),
        ("rent went out 950", "rent", "950"),
        ("add an expense of 120 for car insurance dated", "car insurance", "120"),
        ("dentist cost 85 ouch", "dentist", "85"),
        ("had to get a new kettle. 25. annoying.", "new kettle", "25"),
        ("parking was 8, crazy", "parking", "8"),
        ("my wife bought curtains for 75", "curtains", "75"),
        ("a magazine (4.50) at WHSmith", "magazine at WHSmith", "4.50"),
        ("bougth a lamp 20", "lamp", "20"),
        ("exp 10 bread", "bread", "10"),
        ("get well card 3", "get well card", "3"),
        ("airport transfer 40", "airport transfer", "40"),
        ("bus transfer to airport 12", "bus transfer to airport", "12"),
        ("balance bike 80", "balance bike", "80"),
        ("budget airline 60", "budget airline", "60"),
        ("total war game 40", "total war game", "40"),
        ("last minute flight 80", "last minute flight", "80"),
        ("7 up 1.50", "7 up", "1.50"),
        ("6 Eier 1,99", "6 Eier", "1.99"),
        ("went to tesco and spent 40", "tesco", "40"),
        ("exactly 20 on petrol", "petrol", "20"),
        ("coffee only 2", "coffee", "2"),
        ("Kaffee nur 2", "Kaffee", "2"),
        ("café solo 2", "café solo", "2"),
        ("yeah lunch 9", "lunch", "9"),
        ("fürs Kino 12", "Kino", "12"),
        ("für die Miete 900", "Miete", "900"),
        ("pour le ciné 12", "ciné", "12"),
        ("60 pour la piscine", "piscine", "60"),
        ("para el cine 12", "cine", "12"),
        ("la Redoute 30", "la Redoute", "30"),
        ("cash withdrawal 20", "cash withdrawal", "20"),
        ("je suis allé chez Lidl et j'ai payé 40", "Lidl", "40"),
        ("I was at the cinema and bought popcorn for 5", "popcorn", "5"),
        ("ma part du loyer 450", "loyer", "450"),
        ("dinner 60 (20 of which was tip)", "dinner", "60"),
        ("Pension Edelweiss 80", "Pension Edelweiss", "80"),
        ("60 d'essence", "essence", "60"),
        ("botella 12 de vino", "botella de vino", "12"),
        ("A/C repair 300", "A/C repair", "300"),
        ("in-ear headphones 20", "in-ear headphones", "20"),
        ("down jacket 60", "down jacket", "60"),
        ("sans plomb 60", "sans plomb", "60"),
        ("gastos de envío 5", "gastos de envío", "5"),
    ] {
        check(vec![(&[text], adds(json!({ "item": item, "amount": amount })))]);
    }
}

#[test]
fn with_whom_it_was_is_not_what_it_was() {
    for text in ["spent 12 with anna", "12 mit Anna ausgegeben", "j'ai dépensé 12 avec anna", "gasté 12 con ana"] {
        check(vec![(&[text], asks(json!({ "text": "What was the 12 for?", "missing": ["item"] })))]);
    }
}

#[test]
fn words_that_only_react_are_nothing_that_was_bought() {
    check(vec![
        (&["brilliant"], says(wording::WELCOME)),
        (&["super"], says(wording::WELCOME)),
        (&["listo"], says(wording::WELCOME)),
        (&["hey there"], says(wording::HELLO)),
        (&["espera"], says(wording::UNDECIDED)),
        (&["pas encore"], says(wording::UNDECIDED)),
        (&["hang on"], says(wording::UNDECIDED)),
        (
            &["pain 2,40 hier", "Which day do you mean?\n- 19 Nov 2026\n- 20 Nov 2026", "pardon, aujourd'hui"],
            adds(json!({"item": "pain", "amount": "2.40", "date": "2026-11-20"})),
        ),
        (&["falsch"], says(wording::NOTHING_WAITING)),
        (&["huh"], says(wording::UNKNOWN)),
        (&["nvm"], says(wording::NOTHING_WAITING)),
        (
            &["essence 60", "Added “essence”.", "d'accord", wording::NOTHING_WAITING, "non, 65"],
            says(wording::NOT_WHOLE),
        ),
        (&["over 200 in euros"], says(wording::UNKNOWN)),
        (&["more than 20"], says(wording::UNKNOWN)),
        (&["nur die über 10"], says(wording::NOT_WHOLE)),
        (&["super 60"], adds(json!({"item": "super", "amount": "60"}))),
    ]);
}

#[test]
fn an_answer_names_a_thing_or_leaves_the_question_open() {
    let what = "What was the 15 for?";
    let how_much = "How much did you pay for lunch?";
    check(vec![
        (&["15", what, "euros for petrol"], adds(json!({"item": "petrol", "amount": "15", "currency": "EUR"}))),
        (&["15", what, "petrol"], adds(json!({"item": "petrol", "amount": "15"}))),
        (&["15", what, "hmm"], asks(json!({"text": what, "missing": ["item"]}))),
        (&["15", what, "for him"], asks(json!({"text": what, "missing": ["item"]}))),
        (&["15", what, "nvm"], says(wording::NOT_ADDED)),
        (&["15", what, "moment"], says(wording::UNDECIDED)),
        (&["lunch", how_much, "24 together"], adds(json!({"item": "lunch", "amount": "24"}))),
        (&["lunch", how_much, "8.50 including tip"], adds(json!({"item": "lunch", "amount": "8.50"}))),
    ]);
}

#[test]
fn of_two_prices_for_one_thing_the_one_that_was_paid_is_taken_or_asked_for() {
    let either = |one: &str, other: &str| {
        asks(json!({
            "text": format!("Is that {one} or {other}?"), "options": [one, other], "missing": ["amount"]
        }))
    };
    check(vec![
        (&["coat 120 reduced to 75"], either("120", "75")),
        (&["coat 75 reduced, was 120"], either("75", "120")),
        (&["abrigo 120 rebajado a 80"], either("120", "80")),
        (&["manteau 120 soldé à 80"], either("120", "80")),
        (&["café 5, no 6"], either("5", "6")),
        (
            &["coat 120, no wait, I mean 75 yesterday"],
            adds(json!({"item": "coat", "amount": "75", "date": "2026-11-19"})),
        ),
        (&["coat 120 instead of 75"], adds(json!({"item": "coat", "amount": "120"}))),
        (&["coat 120 or 75"], either("120", "75")),
        (&["Blumen 20 bis 25"], either("20", "25")),
        (&["entre 20 y 25 en flores"], either("20", "25")),
        (&["between 20 and 25 for flowers"], either("20", "25")),
        (
            &["between 20 and 25 for flowers", "Is that 20 or 25?\n- 20\n- 25", "25"],
            adds(json!({"item": "flowers", "amount": "25"})),
        ),
    ]);
}

#[test]
fn whether_anything_was_spent_is_a_question() {
    let on_sunday = |tool| calls(tool, &[json!({"range": "2026-11-15..2026-11-15"})]);
    check(vec![
        (&["did i spend anything on sunday"], on_sunday("get_balance")),
        (&["did I buy anything on sunday"], on_sunday("list_expenses")),
        (&["I did not spend anything"], says(wording::NOTHING_SPENT)),
    ]);
}

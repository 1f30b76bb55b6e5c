//! What is read as one expense in parts, and what is not.

use serde_json::{Value, json};

use super::{
    Completion,
    tests::{all_tools, asks, calls, check, completion, says, talk},
    wording,
};

fn parts(said: &[(&str, &str)]) -> Value {
    let part = |(amount, category): &(&str, &str)| match *amount {
        "" => json!({ "category": category }),
        amount => json!({ "amount": amount, "category": category }),
    };
    said.iter().map(part).collect()
}

fn adds(item: &str, amount: &str, said: &[(&str, &str)]) -> Completion {
    calls("add_expense", &[json!({ "item": item, "amount": amount, "lines": parts(said) })])
}

fn adds_pounds(item: &str, amount: &str, said: &[(&str, &str)]) -> Completion {
    let arguments = json!({ "item": item, "amount": amount, "currency": "GBP", "lines": parts(said) });
    calls("add_expense", &[arguments])
}

fn changes(target: Value, said: &[(&str, &str)]) -> Completion {
    let mut arguments = target;
    arguments["lines"] = parts(said);
    calls("update_expense", &[arguments])
}

const BOTH: [(&str, &str); 2] = [("30", "food"), ("20", "household")];

#[test]
fn a_colon_a_rest_halves_the_word_split_or_a_sum_make_it_one_expense() {
    check(vec![
        (&["tesco 50: food 30, household 20"], adds("tesco", "50", &BOTH)),
        (&["tesco £50, 30 food and 20 household"], adds_pounds("tesco", "50", &BOTH)),
        (&["split £50 at tesco: 30 food, 20 household"], adds_pounds("tesco", "50", &BOTH)),
        (&["tesco 50, food 30, the rest household"], adds("tesco", "50", &[("30", "food"), ("", "household")])),
        (&["tesco 50, food 30, rest for household"], adds("tesco", "50", &[("30", "food"), ("", "household")])),
        (&["tesco 50, half food, half household"], adds("tesco", "50", &[("", "food"), ("", "household")])),
        (&["tesco 50 half food half household"], adds("tesco", "50", &[("", "food"), ("", "household")])),
        (
            &["split tesco 50 equally between food and household"],
            adds("tesco", "50", &[("", "food"), ("", "household")]),
        ),
        (&["please add tesco 50: £30 for food and £20 for household"], adds("tesco", "50", &BOTH)),
        (
            &["tesco £50.00, 30 food and 20.0 groceries"],
            adds_pounds("tesco", "50.00", &[("30", "food"), ("20.0", "groceries")]),
        ),
        (&["Tesco 50 (food 30, household 20)"], adds("Tesco", "50", &BOTH)),
        (&["tesco 50 = food 30 + household 20"], adds("tesco", "50", &BOTH)),
        (&["50 at tesco, of which 30 food and 20 household"], adds("tesco", "50", &BOTH)),
        (
            &["dinner 90, split equally between food, fun and travel"],
            adds("dinner", "90", &[("", "food"), ("", "fun"), ("", "travel")]),
        ),
        (&["tesco: food 30, household 20"], adds("tesco", "50", &BOTH)),
        (&["tesco: food 3.20, groceries 1.30"], adds("tesco", "4.50", &[("3.20", "food"), ("1.30", "groceries")])),
        (&["tesco 50: bread 12.5, soap 37.5"], adds("tesco", "50", &[("12.5", "bread"), ("37.5", "soap")])),
        // Whether they add up is for the tools to say.
        (&["tesco 50: food 30, household 15"], adds("tesco", "50", &[("30", "food"), ("15", "household")])),
        (
            &["tesco 50 yesterday: food 30, household 20"],
            calls(
                "add_expense",
                &[json!({ "item": "tesco", "amount": "50", "date": "2026-11-19", "lines": parts(&BOTH) })],
            ),
        ),
    ]);
}

#[test]
fn an_expense_that_is_there_is_split_by_its_number_or_its_name() {
    check(vec![
        (&["split 42 into food 30 and household 20"], changes(json!({ "id": 42 }), &BOTH)),
        (
            &["split #42: food 30, the rest household"],
            changes(json!({ "id": 42 }), &[("30", "food"), ("", "household")]),
        ),
        (&["split the tesco one: food 30, household 20"], changes(json!({ "description": "tesco" }), &BOTH)),
        (
            &["split the tesco one into food and household"],
            changes(json!({ "description": "tesco" }), &[("", "food"), ("", "household")]),
        ),
        (
            &["join 42 as groceries"],
            calls("update_expense", &[json!({ "id": 42, "lines": [], "category": "groceries" })]),
        ),
        (&["join the tesco one"], calls("update_expense", &[json!({ "description": "tesco", "lines": [] })])),
        // The parts come to it, so it is an amount.
        (
            &["split 50 into food 30 and household 20"],
            asks(json!({ "text": "What was the 50 for?", "missing": ["item"] })),
        ),
        (&["split 50 into food 30 and household 20", "What was the 50 for?", "tesco"], adds("tesco", "50", &BOTH)),
    ]);
}

#[test]
fn what_may_be_several_expenses_is_asked_about() {
    let question = json!({
        "text": "Is that one expense of 12 in 2 parts, or 3 expenses?",
        "options": ["one expense", "3 expenses"],
        "missing": ["which"],
    });
    let asked = "Is that one expense of 12 in 2 parts, or 3 expenses?\n- one expense\n- 3 expenses";
    let several = [("lunch", "12"), ("coffee", "4"), ("cake", "8")];
    let several = several.map(|(item, amount)| json!({ "item": item, "amount": amount }));
    let said = "lunch 12, coffee 4, cake 8";
    check(vec![
        (&[said], asks(question)),
        (&[said, asked, "one"], adds("lunch", "12", &[("4", "coffee"), ("8", "cake")])),
        (&[said, asked, "the first"], adds("lunch", "12", &[("4", "coffee"), ("8", "cake")])),
        (&[said, asked, "3 expenses"], calls("add_expense", &several)),
        (&[said, asked, "separate ones"], calls("add_expense", &several)),
        (
            &["tesco 60, food 30, household 20"],
            asks(json!({
                "text": "Is that one expense of 60 in 2 parts, or 3 expenses?",
                "options": ["one expense", "3 expenses"],
                "missing": ["which"],
            })),
        ),
    ]);
}

#[test]
fn a_sum_may_be_by_chance_and_after_a_rest_something_else_begins() {
    let options = |n: usize| json!(["one expense", format!("{n} expenses")]);
    let question = |amount: &str, parts: usize, n: usize| {
        let text = format!("Is that one expense of {amount} in {parts} parts, or {n} expenses?");
        asks(json!({ "text": text, "options": options(n), "missing": ["which"] }))
    };
    let open = "tesco 50, 30 food, rest household, taxi €10";
    let asked = "Is that one expense of 50 in 3 parts, or 2 expenses?\n- one expense\n- 2 expenses";
    let split = json!({ "item": "tesco", "amount": "50", "lines": parts(&[("30", "food"), ("", "household")]) });
    let taxi = json!({ "item": "taxi", "amount": "10", "currency": "EUR" });
    check(vec![
        (&["rent 500, food 300, travel 200"], question("500", 2, 3)),
        (&["rent 500, 300 food, 200 travel"], question("500", 2, 3)),
        (&["gas 50, household 30, food 20"], question("50", 2, 3)),
        (&["car 10; travel 6; food 4"], question("10", 2, 3)),
        (&[open], question("50", 3, 2)),
        (&[open, asked, "2 expenses"], calls("add_expense", &[split, taxi])),
        (&["tesco 50: food 30, rest household, and coffee 3"], question("50", 3, 2)),
    ]);
}

#[test]
fn parts_are_named_without_the_words_around_them() {
    check(vec![
        (
            &["Rewe 50, davon 30 Lebensmittel, der Rest Haushalt"],
            adds("Rewe", "50", &[("30", "Lebensmittel"), ("", "Haushalt")]),
        ),
        (
            &["Rewe 50, davon 30 Lebensmittel und 20 Haushalt"],
            adds("Rewe", "50", &[("30", "Lebensmittel"), ("20", "Haushalt")]),
        ),
        (&["Día 50, 30 de comida, el resto casa"], adds("Día", "50", &[("30", "comida"), ("", "casa")])),
        (&["Lidl 50, 30 de vin, le reste maison"], adds("Lidl", "50", &[("30", "vin"), ("", "maison")])),
    ]);
}

#[test]
fn parts_of_what_was_just_added_split_it() {
    let told = "Added “tesco”, £50.00, 20 Nov 2026 (#7).";
    let left = "£20.00 of £50.00 is left: which category is it?";
    let splits = |said: &[(&str, &str)]| changes(json!({ "id": 7 }), said);
    let food = [("30", "food"), ("", "household")];
    check(vec![
        (&["tesco 50", told, "30 of that was food, the rest household"], splits(&food)),
        (&["tesco 50", told, "30 food, the rest household"], splits(&food)),
        (&["tesco 50", told, "30 was food"], splits(&[("30", "food")])),
        (&["tesco 50", told, "30 was food", left, "household"], splits(&food)),
        (&["tesco 50", told, "10 was for tom"], splits(&[("10", "tom")])),
        (&["tesco 50", told, "half of it was food, half household"], splits(&[("", "food"), ("", "household")])),
        (&["Rewe 50", told, "30 davon war Essen, der Rest Haushalt"], splits(&[("30", "Essen"), ("", "Haushalt")])),
        (&["Lidl 50", told, "10 c'était du vin"], splits(&[("10", "vin")])),
        (&["Día 50", told, "10 de eso era vino"], splits(&[("10", "vino")])),
        // Something new.
        (&["tesco 50", told, "30 for food"], calls("add_expense", &[json!({ "item": "food", "amount": "30" })])),
        (&["30 was food"], calls("add_expense", &[json!({ "item": "food", "amount": "30" })])),
    ]);
}

#[test]
fn several_expenses_stay_several() {
    for said in [
        "coffee 3.50, taxi 12",
        "coffee 3.50, taxi 12, lunch 8",
        "lunch 12, coffee 4 and cake 9",
        "rent 950, food 30, travel 20",
        "tesco 40, food 30, household 20",
        "milk 2, bread 1.50 and eggs 3 yesterday",
        "today: coffee 3, tea 2",
        "add: coffee 3, tea 2, cake 5",
        "coffee 3.50, note: with Anna, 2 sugars",
        "lunch 12, category: food",
    ] {
        let found = completion(&talk(&[said]), &all_tools());
        assert!(found.calls.iter().all(|call| call.arguments.get("lines").is_none()), "{said}: {found:?}");
    }
}

#[test]
fn a_question_or_a_command_is_no_split() {
    for said in [
        "how much did I split: food 30, household 20?",
        "delete 50: food 30, household 20",
        "budget 50: food 30, household 20",
        "split",
        "split it",
        "split 42",
        "tesco 50:",
        "tesco 50: ",
        "tesco 1.234: food 30, household 20",
        ": food 30, household 20",
    ] {
        let found = completion(&talk(&[said]), &all_tools());
        assert!(found.calls.iter().all(|call| call.arguments.get("lines").is_none()), "{said}: {found:?}");
    }
}

#[test]
fn what_is_left_is_filled_in_and_what_does_not_add_up_is_said_anew() {
    let open = "tesco 50: food 30, household 15";
    let all = [("30", "food"), ("15", "household"), ("", "books")];
    check(vec![
        (&[open, "£5.00 of £50.00 is left: which category is it?", "books"], adds("tesco", "50", &all)),
        (
            &[open, "£5.00 of £50.00 is left: which category is it?", "put it in books please"],
            adds("tesco", "50", &all),
        ),
        (
            &[open, "£5.00 of £50.00 is left: which category is it?", "household"],
            adds("tesco", "50", &[("30", "food"), ("", "household")]),
        ),
        (&[open, "£5.00 of £50.00 is left: which category is it?", "no"], says(wording::NOT_ADDED)),
        (
            &[
                "aldi 20: food 15, household 10",
                "The parts are £25.00 together, but it was £20.00. How much was each part?",
                "food 15, household 5",
            ],
            adds("aldi", "20", &[("15", "food"), ("5", "household")]),
        ),
        (
            &[
                "change 42 to 60",
                "“tesco” is split: food £30.00, household £20.00. How much is each part now?",
                "food 40, household 20",
            ],
            changes(json!({ "id": 42, "amount": "60" }), &[("40", "food"), ("20", "household")]),
        ),
    ]);
}

#[test]
fn parts_that_were_shown_are_corrected() {
    let shown = "Add “tesco”, £50.00 (food £30.00, household £20.00), 20 Nov 2026? (yes / no)";
    let revises = |fields: Value| calls("revise_proposal", &[json!({ "edits": [{ "line": 1, "fields": fields }] })]);
    check(vec![
        (
            &["tesco 50: food 30, household 20", shown, "make household 25"],
            revises(json!({ "lines": parts(&[("30.00", "food"), ("25", "household")]) })),
        ),
        (
            &["tesco 50: food 30, household 20", shown, "no, food 35 and household 25"],
            revises(json!({ "amount": "60", "lines": parts(&[("35", "food"), ("25", "household")]) })),
        ),
        // Something new.
        (
            &["tesco 50: food 30, household 20", shown, "tea 2"],
            calls("add_expense", &[json!({ "item": "tea", "amount": "2" })]),
        ),
    ]);
}

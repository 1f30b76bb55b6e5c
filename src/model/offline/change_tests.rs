//! What is changed, deleted, undone and revised.

use serde_json::{Value, json};

use super::{
    Completion,
    tests::{all_tools, asks, calls, check, completion, says, talk},
    wording,
};

#[test]
fn rows_are_changed_and_deleted() {
    let updates = |arguments: Value| calls("update_expense", &[arguments]);
    let deletes = |arguments: &[Value]| calls("delete_expense", arguments);
    let bulk = |arguments: Value| calls("propose_operations", &[arguments]);
    check(vec![
        (&["change 42 to 45"], updates(json!({"id": 42, "amount": "45"}))),
        (&["change expense 42 amount to £45"], updates(json!({"id": 42, "amount": "45", "currency": "GBP"}))),
        (
            &["change the coffee from yesterday to 4"],
            updates(json!({"description": "coffee", "on": "2026-11-19", "amount": "4"})),
        ),
        (&["change 42 from 40 to 45"], updates(json!({"id": 42, "amount": "45"}))),
        (&["update the coffee to 4.20"], updates(json!({"description": "coffee", "amount": "4.20"}))),
        (&["rename #3 to flat white"], updates(json!({"id": 3, "item": "flat white"}))),
        (&["move the coffee to yesterday"], updates(json!({"description": "coffee", "date": "2026-11-19"}))),
        (&["set category of 42 to food"], updates(json!({"id": 42, "category": "food"}))),
        (&["change the date of 42 to 3 Nov"], updates(json!({"id": 42, "date": "2026-11-03"}))),
        (&["delete 42"], deletes(&[json!({"id": 42})])),
        (&["delete expense #42"], deletes(&[json!({"id": 42})])),
        (&["delete 42 and 43"], deletes(&[json!({"id": 42}), json!({"id": 43})])),
        (&["please delete the coffee"], deletes(&[json!({"description": "coffee"})])),
        (
            &["remove the electricity bill from yesterday"],
            deletes(&[json!({"description": "electricity bill", "date": "2026-11-19"})]),
        ),
        (&["delete both"], says(wording::NOT_SO_MANY)),
        (&["delete everything"], bulk(json!({"select": {}}))),
        (&["delete everything from last year"], bulk(json!({"select": {"range": "2025-01-01..2025-12-31"}}))),
        (
            &["please delete all the uber in October"],
            bulk(json!({"select": {"words": "uber", "range": "2026-10-01..2026-10-31"}})),
        ),
        (&["delete all expenses over £50"], bulk(json!({"select": {"more_than": "50", "currency": "GBP"}}))),
        (
            &["put all taxi in transport"],
            bulk(json!({"select": {"words": "taxi"}, "change": {"category": "transport"}})),
        ),
        (
            &["change the category of all coffee to treats"],
            bulk(json!({"select": {"words": "coffee"}, "change": {"category": "treats"}})),
        ),
        (&["delete all the taxis"], bulk(json!({"select": {"words": "taxis"}}))),
        (&["delete everything except rent"], bulk(json!({"select": {"without": ["rent"]}}))),
        (&["delete all but coffee and tea"], bulk(json!({"select": {"without": ["coffee", "tea"]}}))),
        (&["delete all but the last 3"], says(wording::NOT_SO_MANY)),
        (&["delete everything in €"], bulk(json!({"select": {"currency": "EUR"}}))),
        (&["delete everything in $"], says(wording::NOT_SO_MANY)),
        (&["delete everything in it"], says(wording::NOT_SO_MANY)),
        (&["delete everything from nov 10 on"], bulk(json!({"select": {"range": "2026-11-10..2026-11-20"}}))),
        (
            &["put all in misc except rent and taxis"],
            bulk(json!({"select": {"without": ["rent", "taxis"]}, "change": {"category": "misc"}})),
        ),
        (&["put all in misc except #3"], says(wording::NOT_SO_MANY)),
        (
            &["move everything from the 14th to the 15th"],
            bulk(json!({
                "select": {"range": "2026-11-14..2026-11-14"},
                "change": {"date": "2026-11-15"},
            })),
        ),
        (
            &["delete the coffee from last year"],
            bulk(json!({"select": {"words": "coffee", "range": "2025-01-01..2025-12-31"}})),
        ),
        (&["delete all expenses on weekends"], says(wording::NO_WEEKDAYS)),
        (
            &["change all uber expenses to transport"],
            bulk(json!({"select": {"category": "uber"}, "change": {"category": "transport"}})),
        ),
        (
            &["change all uber to lyft"],
            says(
                "Is “lyft” their new category or their new name? Say “put all uber in lyft” or “rename all uber to \
                 lyft”.",
            ),
        ),
        (&["rename all uber to lyft"], bulk(json!({"select": {"words": "uber"}, "change": {"item": "lyft"}}))),
        (&["move all uber to yesterday"], bulk(json!({"select": {"words": "uber"}, "change": {"date": "2026-11-19"}}))),
        (&["move everything from October to September"], says(wording::ONE_DAY)),
        (&["change all coffee to 4"], says(wording::NO_ONE_AMOUNT)),
        (&["delete expenses under 5"], bulk(json!({"select": {"less_than": "5"}}))),
        (&["delete anything over 100"], bulk(json!({"select": {"more_than": "100"}}))),
        (&["delete all under 5"], bulk(json!({"select": {"less_than": "5"}}))),
        (&["delete all the biggest"], says(wording::NOT_SO_MANY)),
        (&["delete all of them"], says(wording::NOT_SO_MANY)),
        (&["delete all my recent expenses"], says(wording::NOT_SO_MANY)),
        (&["delete all the expenses I just added"], says(wording::NOT_SO_MANY)),
        (&["put all of these in groceries"], says(wording::NOT_SO_MANY)),
        (&["delete all expenses from last month"], bulk(json!({"select": {"range": "2026-10-01..2026-10-31"}}))),
        (&["delete the last 3 of all"], says(wording::NOT_SO_MANY)),
        (
            &["change the coffee to 4 and lunch to 5"],
            together(&[
                json!({ "op": "update", "description": "coffee", "amount": "4" }),
                json!({ "op": "update", "description": "lunch", "amount": "5" }),
            ]),
        ),
        (
            &["change fish and chips to 4, rename tea to chai and move 7 to yesterday"],
            together(&[
                json!({ "op": "update", "description": "fish and chips", "amount": "4" }),
                json!({ "op": "update", "description": "tea", "item": "chai" }),
                json!({ "op": "update", "id": 7, "date": "2026-11-19" }),
            ]),
        ),
        (&["change the coffee to 4 and lunch to 5 or 6"], says(wording::ONE_CHANGE)),
        (
            &["change the taxi from transport to travel"],
            calls("update_expense", &[json!({ "description": "taxi", "category": "travel" })]),
        ),
        (&["change 42 to 45 and delete 43"], says(wording::ONE_CHANGE)),
    ]);
}

fn together(operations: &[Value]) -> Completion {
    calls("propose_operations", &[json!({ "operations": operations })])
}

#[test]
fn two_changes_of_one_expense_are_one_update_or_none() {
    let updates = |arguments: Value| calls("update_expense", &[arguments]);
    let told = "Added “lunch”, £12.00, 20 Nov 2026 (#7).";
    let filed = || json!({ "amount": "14", "category": "food" });
    let with = |mut fields: Value, key: &str, value: Value| {
        fields[key] = value;
        updates(fields)
    };
    check(vec![
        (&["put lunch in food and make it 14"], with(filed(), "description", json!("lunch"))),
        (&["change lunch to 14, then file it under food"], with(filed(), "description", json!("lunch"))),
        (
            &["move lunch to the 3rd and call it brunch"],
            updates(json!({ "description": "lunch", "date": "2026-11-03", "item": "brunch" })),
        ),
        (
            &["rename #3 to brunch, make it £14"],
            updates(json!({ "id": 3, "item": "brunch", "amount": "14", "currency": "GBP" })),
        ),
        (&["lunch 12", told, "put it in food and make it 14"], with(filed(), "id", json!(7))),
        (&["lunch 12", told, "make it 14 and put it in food"], with(filed(), "id", json!(7))),
        (
            &["lunch 12", told, "call it brunch and move it to yesterday"],
            updates(json!({ "id": 7, "item": "brunch", "date": "2026-11-19" })),
        ),
        (&["put it in food and make it 14"], asks(json!({ "text": "Which expense should I change?" }))),
        (&["put it in food and make it 14", "Which expense should I change?", "#7"], with(filed(), "id", json!(7))),
        // Neither half of it.
        (&["change lunch to 14 and make it 15"], says(wording::ONE_CHANGE)),
        (&["move lunch to yesterday and add tea 2"], says(wording::ONE_CHANGE)),
        (&["rename lunch to brunch and delete tea"], says(wording::ONE_CHANGE)),
        (
            &["put lunch in food and put tea in drinks"],
            together(&[
                json!({ "op": "update", "description": "lunch", "category": "food" }),
                json!({ "op": "update", "description": "tea", "category": "drinks" }),
            ]),
        ),
        (&["move lunch to yesterday for 14"], says(wording::ONE_CHANGE)),
        // A name.
        (&["rename 3 to fish and chips"], updates(json!({ "id": 3, "item": "fish and chips" }))),
    ]);
}

#[test]
fn what_points_at_an_expense_that_is_there_adds_none() {
    let updates = |arguments: Value| calls("update_expense", &[arguments]);
    let told = "Added “tesco”, £50.00, 20 Nov 2026 (#7).";
    let lunch = || updates(json!({ "description": "lunch", "amount": "14" }));
    let repriced = || updates(json!({ "id": 7, "amount": "60" }));
    let deletes = || calls("delete_expense", &[json!({ "description": "lunch" })]);
    check(vec![
        (&["tesco 50", told, "the last one was 60"], repriced()),
        (&["tesco 50", told, "my last expense was 60"], repriced()),
        (&["tesco 50", told, "the latest should be 60"], repriced()),
        (&["tesco 50", told, "der letzte war 60"], repriced()),
        (&["tesco 50", told, "paid 60 instead"], repriced()),
        (&["tesco 50", told, "let's say 60"], repriced()),
        (&["tesco 50", told, "the amount should be 60"], repriced()),
        (&["tesco 50", told, "wrong date, should be yesterday"], updates(json!({ "id": 7, "date": "2026-11-19" }))),
        (&["tesco 50", told, "the category should be health"], updates(json!({ "id": 7, "category": "health" }))),
        (&["tesco 50", told, "that's health not food"], updates(json!({ "id": 7, "category": "health" }))),
        (&["tesco 50", told, "should say present for dad"], updates(json!({ "id": 7, "item": "present for dad" }))),
        (&["tesco 50", told, "the last one was yesterday"], updates(json!({ "id": 7, "date": "2026-11-19" }))),
        (&["the last one was 60"], updates(json!({ "description": "last", "amount": "60" }))),
        (&["delete my last expense"], calls("delete_expense", &[json!({ "description": "last" })])),
        (&["set last amount to 6"], updates(json!({ "description": "last", "amount": "6" }))),
        (&["lösche den letzten Eintrag"], calls("delete_expense", &[json!({ "description": "last" })])),
        (&["the pub was a mistake, remove it please"], calls("delete_expense", &[json!({ "description": "pub" })])),
        (&["I never bought the shoes, take them off"], calls("delete_expense", &[json!({ "description": "shoes" })])),
        (&["don't delete the shoes"], says(wording::UNKNOWN)),
        (&["aldi, not 27.60 but 26.70"], updates(json!({ "description": "aldi", "cost": "27.60", "amount": "26.70" }))),
        (
            &["lunch yesterday was 8.90 not 7.80"],
            updates(json!({ "description": "lunch", "cost": "7.80", "amount": "8.90", "on": "2026-11-19" })),
        ),
        (&["I got the petrol wrong, it was 55"], updates(json!({ "description": "petrol", "amount": "55" }))),
        (
            &["change rent in october to 950"],
            updates(json!({ "description": "rent", "amount": "950", "on": "2026-10-01..2026-10-31" })),
        ),
        (&["say 60"], asks(json!({ "text": "What was the 60 for?", "missing": ["item"] }))),
        (&["tesco 50", told, "paid 60"], asks(json!({ "text": "What was the 60 for?", "missing": ["item"] }))),
        (&["lunch to 14"], lunch()),
        (&["lunch to 14 please"], lunch()),
        (&["lunch turned out to be 14"], lunch()),
        (&["lunch -> 14"], lunch()),
        (&["lunch 12 should be 14"], updates(json!({ "description": "lunch", "cost": "12", "amount": "14" }))),
        (&["lunch 12 -> 14"], updates(json!({ "description": "lunch", "cost": "12", "amount": "14" }))),
        (&["delete lunch please, it was a mistake"], deletes()),
        (&["delete lunch because it was twice"], deletes()),
        // Something new.
        (&["train to Paris 60"], calls("add_expense", &[json!({ "item": "train to Paris", "amount": "60" })])),
    ]);
}

#[test]
fn everything_after_a_list_or_a_sum_is_asked_about_and_those_are_what_was_listed() {
    let bulk = |select: Value| calls("propose_operations", &[json!({ "select": select })]);
    let list = "2 expenses:\n#4 “tea”, £2.00\n#3 “tea”, £1.00";
    let cut = "2 of 5 expenses, largest first:\n#4 “tea”, £2.00\n#3 “tea”, £1.00";
    let which = "Do you mean only the ones that you just saw, or all your expenses?";
    let options = json!(["only those", "all expenses"]);
    let asked = || asks(json!({"text": which, "options": options, "missing": ["which"]}));
    let question = format!("{which}\n- only those\n- all expenses");
    check(vec![
        (&["show tea", list, "delete those"], bulk(json!({"words": "tea"}))),
        (&["show tea", list, "delete everything"], asked()),
        (&["show tea", list, "delete everything", &question, "only those"], bulk(json!({"words": "tea"}))),
        (&["show tea", list, "delete everything", &question, "all expenses"], bulk(json!({}))),
        (&["top 2 expenses", cut, "delete those"], bulk(json!({"ids": [4, 3]}))),
        (&["how much on tea?", "You spent £3.", "delete all"], asked()),
        (
            &["how much on tea?", "You spent £3.", "delete all", &question, "only those"],
            bulk(json!({"category": "tea"})),
        ),
        (&["how much on tea?", "You spent £3.", "delete them"], says(wording::NOT_SO_MANY)),
        (&["how much did I spend?", "You spent £3.", "delete everything"], bulk(json!({}))),
        (&["show expenses", list, "delete everything"], bulk(json!({}))),
    ]);
}

#[test]
fn what_was_done_last_is_undone() {
    let undone = || calls("undo", &[json!({})]);
    check(vec![
        (&["undo"], undone()),
        (&["Undo that, please!"], undone()),
        (&["could you undo the last change?"], undone()),
        (&["take it back"], undone()),
        (&["add lunch", "How much was it?", "undo"], undone()),
    ]);
}

#[test]
fn a_change_of_mind_about_what_was_shown_is_a_revision() {
    let one = "Add “coffee”, £3.50, 20 Nov 2026? (yes / no)";
    let three = "Add 3 expenses, £17.50? (yes / no)\n1. “Uber to work”, £3.50, 20 Nov 2026\n2. “lunch”, £12.00, 20 Nov 2026\n\
                 3. “Uber home”, £2.00, 20 Nov 2026";
    let fish = "Add 4 expenses, £10.00? (yes / no)\n1. “fish tank”, £1.00, 20 Nov 2026\n2. “potato chips”, £2.00, 20 Nov 2026\n\
                3. “fish and chips”, £3.00, 20 Nov 2026\n4. “coffee”, £4.00, 20 Nov 2026";
    let edits = |fields: Value| calls("revise_proposal", &[json!({ "edits": [{ "line": 1, "fields": fields }] })]);
    let without = |numbers: Value| calls("revise_proposal", &[json!({ "exclude": numbers })]);
    check(vec![
        (&["coffee 3.50", one, "yes but 45"], edits(json!({ "amount": "45" }))),
        (&["coffee 3.50", one, "make it £4.20"], edits(json!({ "amount": "4.20", "currency": "GBP" }))),
        (&["coffee 3.50", one, "no, yesterday"], edits(json!({ "date": "2026-11-19" }))),
        (&["coffee 3.50", one, "actually it was 5 on Monday"], edits(json!({ "amount": "5", "date": "2026-11-16" }))),
        (&["coffee 3.50", one, "45"], edits(json!({ "amount": "45" }))),
        (&["coffee 3.50", one, "great, but it was 4"], edits(json!({ "amount": "4" }))),
        (&["coffee 3.50", one, "no, tea 2"], edits(json!({ "item": "tea", "amount": "2" }))),
        (&["coffee 3.50", one, "I meant tea for 2"], edits(json!({ "item": "tea", "amount": "2" }))),
        (&["coffee 3.50", one, "it was a tea, not a coffee"], edits(json!({ "item": "tea" }))),
        (&["coffee 3.50", one, "not coffee but tea"], edits(json!({ "item": "tea" }))),
        (&["coffee 3.50", one, "yes, paid by card"], edits(json!({ "notes": "paid by card" }))),
        (&["coffee 3.50", one, "yes, the category is food"], edits(json!({ "category": "food" }))),
        (&["…", three, "all except the Uber ones"], without(json!([1, 3]))),
        (&["…", three, "yes, but not the lunch"], without(json!([2]))),
        (&["…", three, "everything but 2 and 3"], without(json!([2, 3]))),
        (&["…", three, "add all but Uber home"], without(json!([3]))),
        (&["…", fish, "all except fish and chips"], without(json!([3]))),
        (&["…", three, "ok, all without lunch, and 3"], without(json!([2, 3]))),
        // Line 3 is the one that costs 2.
        (
            &["…", three, "number 3 was 5, not 2"],
            calls("revise_proposal", &[json!({ "edits": [{ "line": 3, "fields": { "amount": "5" } }] })]),
        ),
    ]);
    let revised = |message: &Completion| message.calls.iter().any(|call| call.name == "revise_proposal");
    for (shown, said) in [
        (one, "tea 2"),
        (one, "coffee 4"),
        (one, "not 45"),
        (one, "it's not 3.50"),
        (one, "not yesterday"),
        (one, "tea, not cake"),
        (one, "no, and tea 2"),
        (one, "it was a typo"),
        (one, "it was at Costa"),
        (three, "lunch, not Uber to work"),
        (three, "delete all but the lunch"),
        (three, "all except the £2 one"),
        (three, "all except the 20 nov one"),
        (three, "yes but 45"),
        (three, "all except the taxi"),
        (three, "all except lunch and the taxi"),
        (three, "all but 1, 2 and 3"),
        (three, "all but 2 and 7"),
        (three, "all except lun"),
        ("Added “coffee”, £3.50, 20 Nov 2026 (#1).", "make it 45"),
    ] {
        let completion = completion(&talk(&["…", shown, said]), &all_tools());
        assert!(!revised(&completion), "{said}: {completion:?}");
    }
}

#[test]
fn rows_that_were_shown_are_meant_by_it_and_by_their_place() {
    let (one, some) = (
        "1 expense:\n#9 “lunch”, £12.00",
        "2 expenses:\n#9 “lunch”, £12.00, 20 Nov 2026\n#4 “tea”, £2.00, 19 Nov 2026",
    );
    let updates = |arguments: Value| calls("update_expense", &[arguments]);
    let deletes = |id: u64| calls("delete_expense", &[json!({"id": id})]);
    check(vec![
        (&["show lunch", one, "delete it"], deletes(9)),
        (&["show lunch", one, "it was 13"], updates(json!({"id": 9, "amount": "13"}))),
        (
            &["show lunch", one, "no, yesterday"],
            calls("list_expenses", &[json!({"words": "lunch", "range": "2026-11-19..2026-11-19"})]),
        ),
        (&["show lunch", one, "change it to 4"], updates(json!({"id": 9, "amount": "4"}))),
        (&["show all", some, "delete the first"], deletes(9)),
        (&["show all", some, "delete the second one"], deletes(4)),
        (&["show all", some, "the second one was 4"], updates(json!({"id": 4, "amount": "4"}))),
        (&["show all", some, "delete the cheaper one"], deletes(4)),
        (&["show all", some, "delete both"], calls("delete_expense", &[json!({"id": 9}), json!({"id": 4})])),
        (&["show all", some, "change the first one to 4"], updates(json!({"id": 9, "amount": "4"}))),
        (&["show all", some, "delete the third"], calls("delete_expense", &[json!({"description": "third"})])),
    ]);
    assert_ne!(completion(&talk(&["show all", some, "delete it"]), &all_tools()), deletes(9));
}

#[test]
fn what_something_came_to_is_what_it_was() {
    let (told, shown) = (
        "Added “lunch”, £12.00, 20 Nov 2026 (#7).",
        "Add “lunch”, £12.00, 20 Nov 2026? (yes / no)\nAssumed: the name, “lunch”",
    );
    let updates = |arguments: Value| calls("update_expense", &[arguments]);
    for said in [
        "lunch came to 14",
        "the lunch ended up being 14",
        "lunch ended up at 14",
        "lunch worked out at 14",
        "lunch came out to 14",
        "lunch set me back 14",
        "lunch is now 14",
        "lunch is 14 now",
        "lunch now costs 14",
        "lunch went up to 14",
        "the lunch should have been 14",
        "lunch should say 14",
        "lunch ought to be 14",
        "lunch needs to be 14",
        "das lunch kam auf 14",
        "lunch ist jetzt 14",
        "le lunch est revenu à 14",
        "el lunch salió por 14",
        "lunch acabó costando 14",
    ] {
        check(vec![(&[said], updates(json!({ "description": "lunch", "amount": "14" })))]);
    }
    for said in ["it ended up costing 14", "that should have been 14", "it came to 14", "ended up being 14"] {
        check(vec![(&["lunch 12", told, said], updates(json!({ "id": 7, "amount": "14" })))]);
        let revised = completion(&talk(&["lunch 12", shown, said]), &all_tools());
        assert_eq!(revised.calls[0].name, "revise_proposal", "{said}");
    }
    let lunch = || calls("add_expense", &[json!({ "item": "lunch", "amount": "14" })]);
    check(vec![
        (&["I ended up paying 14 for lunch"], lunch()),
        (&["lunch", "How much did you pay for lunch?", "it came to 14"], lunch()),
        (&["lunch is 14"], lunch()),
        (
            &["lunch came to 14 yesterday"],
            calls("add_expense", &[json!({ "item": "lunch", "amount": "14", "date": "2026-11-19" })]),
        ),
        (&["did lunch end up being 14?"], says(wording::OUT_OF_SCOPE)),
    ]);
    assert!(completion(&talk(&["the lunch ended up being 14?"]), &all_tools()).calls.is_empty());
}

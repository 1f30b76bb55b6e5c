//! Questions that are no sentence, each with what is asked for.

use serde_json::Value;

use super::{
    super::{
        tests::{asks, calls, check, says},
        wording,
    },
    *,
};

const OCTOBER: &str = "2026-10-01..2026-10-31";
const NOVEMBER: &str = "2026-11-01..2026-11-30";

fn total(arguments: Value) -> crate::model::Completion {
    calls("get_balance", &[arguments])
}

fn list(arguments: Value) -> crate::model::Completion {
    calls("list_expenses", &[arguments])
}

fn how_much(item: &str) -> crate::model::Completion {
    asks(json!({ "text": format!("How much did you pay for {item}?"), "missing": ["amount"] }))
}

#[test]
fn a_name_in_days_that_nothing_is_bought_in_is_a_question() {
    let uber = || total(json!({"category": "uber", "range": OCTOBER}));
    check(vec![
        (&["uber in october"], uber()),
        (&["October Uber"], uber()),
        (&["uber im Oktober"], uber()),
        (&["uber total october"], uber()),
        (&["food this month"], total(json!({"category": "food", "range": NOVEMBER}))),
        (&["spent on food this month"], total(json!({"category": "food", "range": NOVEMBER}))),
        (&["spent this month"], total(json!({"range": NOVEMBER}))),
        (&["uber and coffee this month"], total(json!({"category": "uber and coffee", "range": NOVEMBER}))),
        (&["coffee yesterday?"], total(json!({"category": "coffee", "range": "2026-11-19..2026-11-19"}))),
        (&["today?"], total(json!({"range": "2026-11-20..2026-11-20"}))),
        (&["food under 20 this month"], list(json!({"category": "food", "range": NOVEMBER, "less_than": "20"}))),
        (&["coffee yesterday"], how_much("coffee")),
        (&["dinner last weekend"], how_much("dinner")),
        (&["dinner next week"], how_much("dinner")),
        (&["rent for november"], how_much("rent")),
        (&["paid rent this month"], how_much("rent")),
        (&["add food this month"], how_much("food")),
        (&["who won yesterday?"], says(wording::OUT_OF_SCOPE)),
    ]);
}

#[test]
fn rows_are_shown_by_their_numbers() {
    check(vec![
        (&["show #5"], list(json!({"ids": [5]}))),
        (&["show 5"], list(json!({"ids": [5]}))),
        (&["show me number 3"], list(json!({"ids": [3]}))),
        (&["what was #5?"], list(json!({"ids": [5]}))),
        (&["zeig #5"], list(json!({"ids": [5]}))),
        (&["#5?"], list(json!({"ids": [5]}))),
        (&["show #5 and #6"], list(json!({"ids": [5, 6]}))),
        (&["show 5 expenses"], list(json!({"limit": 5}))),
        (
            &["show #5", "#5 “rent”, £9.00", "delete them"],
            calls("propose_operations", &[json!({"select": {"ids": [5]}})]),
        ),
        (&["delete all 5"], says(wording::NOT_SO_MANY)),
        (&["show that"], says(wording::CANNOT_LOOK)),
    ]);
}

#[test]
fn what_is_spent_over_an_amount_is_a_list_with_bounds() {
    check(vec![
        (&["how much did I spend over 50"], list(json!({"more_than": "50"}))),
        (
            &["how much on food over 20 this month"],
            list(json!({"category": "food", "range": NOVEMBER, "more_than": "20"})),
        ),
        (&["how much 50 or more in October"], list(json!({"range": OCTOBER, "min_amount": "50"}))),
        (&["combien de plus de €50"], list(json!({"more_than": "50", "currency": "EUR"}))),
        (&["anything over 100?"], list(json!({"more_than": "100"}))),
        (
            &["how much on food and rent over 50"],
            calls("list_expenses", &[json!({"categories": ["food", "rent"], "more_than": "50"})]),
        ),
        (
            &["how much did I spend 50"],
            asks(json!({"text": "Expenses over 50, or up to 50?", "options": ["over 50", "up to 50"]})),
        ),
    ]);
}

#[test]
fn the_first_there_were_and_what_sums_it_all_up() {
    let oldest = |arguments: Value| calls("list_expenses", &[arguments]);
    let by = |arguments: Value| calls("summarize_expenses", &[arguments]);
    check(vec![
        (&["show my first expense"], oldest(json!({"order": "oldest", "limit": 1}))),
        (&["my first 3 expenses"], oldest(json!({"order": "oldest", "limit": 3}))),
        (&["when did I first buy coffee"], oldest(json!({"order": "oldest", "limit": 1, "text": "coffee"}))),
        (&["show first aid kit"], says(wording::CANNOT_LOOK)),
        (&["first aid kit 12"], calls("add_expense", &[json!({"item": "first aid kit", "amount": "12"})])),
        (&["my stats"], by(json!({"by": "category"}))),
        (&["categories"], by(json!({"by": "category"}))),
        (&["october overview"], by(json!({"by": "category", "range": OCTOBER}))),
        (&["Statistik Oktober"], by(json!({"by": "category", "range": OCTOBER}))),
        (&["monthly report"], by(json!({"by": "category", "range": "this month"}))),
        (&["my spending"], total(json!({}))),
        (&["report card 5"], calls("add_expense", &[json!({"item": "report card", "amount": "5"})])),
        (&["Zusammenfassung 5"], calls("add_expense", &[json!({"item": "Zusammenfassung", "amount": "5"})])),
    ]);
}

#[test]
fn what_was_asked_is_narrowed_by_a_few_words() {
    let told = "2 expenses: …";
    check(vec![
        (&["show food", told, "over 20"], list(json!({"category": "food", "more_than": "20"}))),
        (&["how much this month", told, "over 20"], list(json!({"range": NOVEMBER, "more_than": "20"}))),
        (&["show food", told, "only lunch"], list(json!({"category": "food", "words": "lunch"}))),
        (
            &["how much on uber in October", told, "the biggest"],
            list(json!({"category": "uber", "range": OCTOBER, "order": "largest", "limit": 1})),
        ),
        (
            &["spending by month", told, "biggest"],
            calls("summarize_expenses", &[json!({"by": "month", "order": "largest", "top": 1})]),
        ),
        (
            &["spending by month", told, "the smallest"],
            calls("summarize_expenses", &[json!({"by": "month", "order": "smallest", "top": 1})]),
        ),
        (
            &["show food in October", told, "which is the biggest of those?"],
            list(json!({"category": "food", "range": OCTOBER, "order": "largest", "limit": 1})),
        ),
        (
            &["how much on food in October", told, "and the month before?"],
            total(json!({"category": "food", "range": "2026-09-01..2026-09-30"})),
        ),
        (
            &["how much in October", told, "on what?"],
            calls("summarize_expenses", &[json!({"by": "category", "range": OCTOBER})]),
        ),
        (
            &["how much on food in October", told, "break it down"],
            calls("summarize_expenses", &[json!({"by": "item", "category": "food", "range": OCTOBER})]),
        ),
        (&["how much in euros", told, "list them"], list(json!({"currency": "EUR"}))),
        (&["coffee 3", "Added it.", "over 20"], says(wording::UNKNOWN)),
    ]);
}

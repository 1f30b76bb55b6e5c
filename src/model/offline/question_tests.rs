//! Which calls questions about many rows come to, and what is said to small talk.

use serde_json::{Value, json};

use super::{
    tests::{asks, calls, check, says},
    wording,
};

const OCTOBER: &str = "2026-10-01..2026-10-31";
const NOVEMBER: &str = "2026-11-01..2026-11-30";

#[test]
fn sums_are_asked_for_by_what_they_are_grouped_by() {
    let sums = |arguments: Value| calls("summarize_expenses", &[arguments]);
    check(vec![
        (&["spending by category"], sums(json!({"by": "category"}))),
        (&["how much per day last month?"], sums(json!({"by": "day", "range": OCTOBER}))),
        (&["how much did I spend on food per month?"], sums(json!({"by": "month", "category": "food"}))),
        (&["show me a breakdown for October"], sums(json!({"by": "category", "range": OCTOBER}))),
        (&["What did I spend the most on last month?"], sums(json!({"by": "category", "range": OCTOBER}))),
        (&["what are my top 3 categories?"], sums(json!({"by": "category", "order": "largest", "top": 3}))),
        (&["which was my biggest month?"], sums(json!({"by": "month", "order": "largest", "top": 1}))),
        (&["weekly totals please"], sums(json!({"by": "week"}))),
        (&["how many expenses in October?"], sums(json!({"by": "none", "range": OCTOBER}))),
        (&["how many coffees did I buy last month?"], sums(json!({"by": "none", "words": "coffee", "range": OCTOBER}))),
        (&["how many times did I pay for taxis?"], sums(json!({"by": "none", "category": "taxis"}))),
    ]);
}

#[test]
fn days_are_compared_with_the_ones_right_before_them() {
    let compares = |range: &str| calls("summarize_expenses", &[json!({"by": "none", "range": range, "compare": true})]);
    check(vec![
        (&["compare this month with last month"], compares(NOVEMBER)),
        (&["compare October with September"], compares(OCTOBER)),
        (&["did I spend more than last month?"], compares(NOVEMBER)),
        (&["am I spending less than last week?"], compares("2026-11-16..2026-11-22")),
        (&["compare October with July"], says(wording::CANNOT_COMPARE)),
        (&["did I spend more than in July?"], says(wording::CANNOT_COMPARE)),
        (
            &["compare my spending"],
            asks(json!({
                "text": "Which days should I compare with the ones before them?",
                "options": ["this week", "this month", "this year"],
                "missing": ["date"],
            })),
        ),
        (
            &[
                "compare my spending",
                "Which days should I compare with the ones before them?\n- this week\n- this month\n- this year",
                "this month",
            ],
            compares(NOVEMBER),
        ),
    ]);
}

#[test]
fn the_largest_and_smallest_are_a_list_in_that_order() {
    let lists = |arguments: Value| calls("filter_expenses", &[arguments]);
    check(vec![
        (
            &["what was the biggest expense last month?"],
            lists(json!({"order": "largest", "limit": 1, "range": OCTOBER})),
        ),
        (&["show the biggest"], lists(json!({"order": "largest", "limit": 1}))),
        (&["top 3 expenses"], lists(json!({"order": "largest", "limit": 3}))),
        (&["what were my three most expensive purchases?"], lists(json!({"order": "largest", "limit": 3}))),
        (&["show my biggest expenses"], lists(json!({"order": "largest", "limit": 5}))),
        (
            &["show the cheapest expenses on food"],
            lists(json!({"order": "smallest", "limit": 5, "categories": ["food"]})),
        ),
        (
            &["show the 2 biggest expenses under £50"],
            lists(json!({"order": "largest", "limit": 2, "less_than": "50", "currency": "GBP"})),
        ),
        (
            &["find anything like ubr in October"],
            calls("search_expenses", &[json!({"query": "ubr", "range": OCTOBER})]),
        ),
        (&["what is my average expense?"], says(wording::NO_AVERAGES)),
        (&["blue top 20"], calls("add_expense", &[json!({"item": "blue top", "amount": "20"})])),
        (&["biggest burger 12"], calls("add_expense", &[json!({"item": "biggest burger", "amount": "12"})])),
    ]);
}

#[test]
fn small_talk_is_answered_briefly() {
    check(vec![
        (&["maybe"], says(wording::UNDECIDED)),
        (&["vielleicht"], says(wording::UNDECIDED)),
        (&["merci"], says(wording::WELCOME)),
        (&["how are you?"], says(wording::WELL)),
        (&["Nein, danke"], says(wording::NOTHING_WAITING)),
        (&["what's the weather like?"], says(wording::OUT_OF_SCOPE)),
        (&["tell me a joke"], says(wording::OUT_OF_SCOPE)),
        (&["who won the match 3 days ago?"], says(wording::OUT_OF_SCOPE)),
    ]);
}

#[test]
fn plain_expenses_are_added_in_four_languages() {
    let adds = |item: &str| calls("add_expense", &[json!({"item": item, "amount": "3.50", "date": "2026-11-19"})]);
    let euros =
        |item: &str, amount: &str| calls("add_expense", &[json!({"item": item, "amount": amount, "currency": "EUR"})]);
    check(vec![
        (&["coffee 3.50 yesterday"], adds("coffee")),
        (&["Kaffee 3,50 gestern"], adds("Kaffee")),
        (&["café 3,50 ayer"], adds("café")),
        (&["café 3,50 hier soir"], adds("café")),
        (&["Kaffee für zwanzig Euro"], euros("Kaffee", "20")),
        (&["pain pour deux euros"], euros("pain", "2")),
        (
            &["café 3,50 hier"],
            asks(json!({
                "text": "Which day do you mean?",
                "options": ["19 Nov 2026", "20 Nov 2026"],
                "missing": ["date"],
            })),
        ),
    ]);
}

#[test]
fn what_was_meant_instead_is_changed_or_picked_anew() {
    let added = "I've added “lunch”, £12.00, 20 Nov 2026 (#7).";
    let changes = |mut fields: Value| {
        fields["id"] = 7.into();
        calls("update_expense", &[fields])
    };
    let rows = "Which “uber” do you mean?\n- #1 “uber”, £9.00, 3 Nov 2026\n- #2 “uber”, £12.00, 4 Nov 2026";
    let days = "Which day do you mean?\n- 3 April 2026\n- 4 March 2026";
    let shown = "Delete #1 “uber”, £9.00, 3 Nov 2026? (yes / no)";
    check(vec![
        (&["lunch 12", added, "make it 25"], changes(json!({"amount": "25"}))),
        (&["lunch 12", added, "no, yesterday"], changes(json!({"date": "2026-11-19"}))),
        (&["lunch 12", added, "I meant euros"], changes(json!({"currency": "EUR"}))),
        (&["lunch 12", added, "sorry, it was €13.50"], changes(json!({"amount": "13.50", "currency": "EUR"}))),
        (&["lunch 12", added, "coffee 3"], calls("add_expense", &[json!({"item": "coffee", "amount": "3"})])),
        (
            &["lunch 12", added, "euros"],
            asks(json!({"text": "How much did you pay for euros?", "missing": ["amount"]})),
        ),
        (
            &["delete the uber", rows, "the first", shown, "no, the other one"],
            calls("delete_expense", &[json!({"id": 2})]),
        ),
        (
            &[
                "lunch 12 on 3/4",
                days,
                "3 April 2026",
                "Add “lunch”, £12.00, 3 Apr 2026? (yes / no)",
                "no, the other one",
            ],
            calls("add_expense", &[json!({"item": "lunch", "amount": "12", "date": "2026-03-04"})]),
        ),
        (
            &["lunch 12", "Add “lunch”, £12.00, 20 Nov 2026? (yes / no)", "I meant euros"],
            calls("revise_proposal", &[json!({"edits": [{"line": 1, "fields": {"currency": "EUR"}}]})]),
        ),
    ]);
}

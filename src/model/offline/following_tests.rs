//! What goes on from a question that was answered.

use serde_json::{Value, json};

use super::{
    super::Completion,
    tests::{calls, check, says},
    wording,
};

const SEPTEMBER: &str = "2026-09-01..2026-09-30";
const OCTOBER: &str = "2026-10-01..2026-10-31";
const SOME: &str = "3 of 9 expenses:\n#9 “a”\n#8 “b”\n#7 “c”";
const SPENT: &str = "You spent £5.00.";

fn totals(arguments: Value) -> Completion {
    calls("get_balance", &[arguments])
}

fn lists(arguments: Value) -> Completion {
    calls("list_expenses", &[arguments])
}

fn sums(arguments: Value) -> Completion {
    calls("summarize_expenses", &[arguments])
}

#[test]
fn more_goes_on_where_a_list_ended() {
    let (part, next) = ("3 of 9 expenses, newest first:\n#9 “a”\n#8 “b”\n#7 “c”", "The next 3 of 9 expenses:\n#6 “d”");
    let list = |arguments: Value| calls("list_expenses", &[arguments]);
    check(vec![
        (&["last 3 expenses", part, "show me more"], list(json!({"limit": 3, "after": 7}))),
        (&["last 3 expenses", part, "more", next, "next"], list(json!({"limit": 3, "after": 6}))),
        (&["show tea", "21 expenses:\n#9 “tea”\n… and 20 more", "the rest"], list(json!({"words": "tea", "after": 9}))),
        (
            &["top 3 expenses", "3 of 9 expenses, largest first:\n#9 “a”", "more"],
            calls("list_expenses", &[json!({"order": "largest", "limit": 6})]),
        ),
        (&["show tea", "1 expense:\n#9 “tea”", "more"], says(wording::THAT_WAS_ALL)),
        (&["more"], says(wording::UNKNOWN)),
    ]);
}

#[test]
fn a_question_goes_on_from_the_one_before() {
    let october = json!({"range": OCTOBER});
    check(vec![
        (&["how much this month?", "You spent £3.", "what about October?"], calls("get_balance", &[october])),
        (
            &["how much in October?", "You spent £3.", "and on groceries?"],
            calls("get_balance", &[json!({"range": OCTOBER, "category": "groceries"})]),
        ),
        (
            &["how much this month?", "You spent £3.", "what about October?", "You spent £4.", "and on food?"],
            calls("get_balance", &[json!({"range": OCTOBER, "category": "food"})]),
        ),
        (
            &["show uber", "2 expenses: …", "and in October?"],
            calls("list_expenses", &[json!({"words": "uber", "range": OCTOBER})]),
        ),
        (
            &["how much on uber this month?", "You spent £3.", "and in October?", "You spent £4.", "list them"],
            calls("list_expenses", &[json!({"category": "uber", "range": OCTOBER})]),
        ),
        (&["coffee 3", "Added it.", "and tea 2"], calls("add_expense", &[json!({"item": "tea", "amount": "2"})])),
        (&["thanks", "You're welcome.", "what about October?"], says(wording::OUT_OF_SCOPE)),
    ]);
}

#[test]
fn filters_orders_and_counts_go_on_in_any_order_of_words() {
    let october = json!({"range": OCTOBER});
    let rent = json!({"range": OCTOBER, "without": ["rent"]});
    let both = json!({"range": OCTOBER, "without": ["rent", "taxis"]});
    check(vec![
        (&["how much in October?", SPENT, "exclude rent"], totals(rent.clone())),
        (&["how much in October?", SPENT, "leave out the rent please"], totals(rent)),
        (&["how much in October?", SPENT, "without rent", SPENT, "not the taxis"], totals(both.clone())),
        (&["how much in October?", SPENT, "not counting rent, or the taxis"], totals(both.clone())),
        (&["how much in October?", SPENT, "what if I leave out rent and taxis?"], totals(both)),
        (
            &["average per day in October", SPENT, "and in September?"],
            sums(json!({"by": "none", "average": "day", "range": SEPTEMBER})),
        ),
        (&["how much in October?", SPENT, "sorry, I meant September"], totals(json!({"range": SEPTEMBER}))),
        (&["how much in October?", SPENT, "no, in September"], totals(json!({"range": SEPTEMBER}))),
        (
            &["how much on food in October?", SPENT, "I meant groceries"],
            totals(json!({"range": OCTOBER, "category": "groceries"})),
        ),
        (
            &["show my expenses in October", SOME, "over 50 only, largest first"],
            lists(json!({"range": OCTOBER, "more_than": "50", "order": "largest", "limit": 100})),
        ),
        (
            &["what was my biggest expense in October?", "#9 “a”", "and the second biggest?"],
            lists(json!({"range": OCTOBER, "order": "largest", "limit": 2})),
        ),
        (&["show my expenses in October", SOME, "only the first two"], lists(json!({"range": OCTOBER, "limit": 2}))),
        (&["last 3 expenses", SOME, "next 5"], lists(json!({"limit": 5, "after": 7}))),
        (&["last 3 expenses", SOME, "and the 5 after that"], lists(json!({"limit": 5, "after": 7}))),
        (
            &["spending by month in October", SPENT, "for groceries only"],
            sums(json!({"by": "month", "range": OCTOBER, "category": "groceries"})),
        ),
        (
            &["how much in October?", SPENT, "which day was the most expensive?"],
            sums(json!({"by": "day", "range": OCTOBER, "order": "largest", "top": 1})),
        ),
        (
            &["how much this month?", SPENT, "which month was the highest?"],
            sums(json!({"by": "month", "order": "largest", "top": 1})),
        ),
        (
            &["spending by category in October", SPENT, "just the three biggest categories"],
            sums(json!({"by": "category", "range": OCTOBER, "order": "largest", "top": 3})),
        ),
        (
            &["top 5 expenses in October", SOME, "and the smallest one?"],
            lists(json!({"range": OCTOBER, "order": "smallest", "limit": 1})),
        ),
        (&["how much in October?", SPENT, "how many were there?"], sums(json!({"by": "none", "range": OCTOBER}))),
        (
            &["what did I spend yesterday?", SPENT, "I meant the day before"],
            totals(json!({"range": "2026-11-18..2026-11-18"})),
        ),
        (&["how much in October?", SPENT, "no worries"], says(wording::NOTHING_WAITING)),
        (&["how much in October?", SPENT, "show the details"], lists(october)),
        (
            &["what did I buy last weekend?", SOME, "the weekend before that"],
            lists(json!({"range": "2026-11-07..2026-11-08"})),
        ),
    ]);
}

#[test]
fn questions_go_on_in_german_french_and_spanish() {
    let over = lists(json!({"range": OCTOBER, "more_than": "100"}));
    let largest = |limit: u64| lists(json!({"range": OCTOBER, "order": "largest", "limit": limit}));
    let newest = lists(json!({"range": OCTOBER, "order": "newest", "limit": 5}));
    let by_category = sums(json!({"range": OCTOBER, "by": "category"}));
    check(vec![
        (&["zeig meine Ausgaben im Oktober", SOME, "nur die über 100"], over.clone()),
        (&["zeig meine Ausgaben im Oktober", SOME, "die fünf teuersten"], largest(5)),
        (&["zeig meine Ausgaben im Oktober", SOME, "nach Betrag sortieren"], largest(100)),
        (&["zeig meine Ausgaben im Oktober", SOME, "die teuersten zuerst"], largest(100)),
        (&["wie viel im Oktober?", SPENT, "nach Kategorie"], by_category.clone()),
        (&["wie viel im Oktober?", SPENT, "nein, im September"], totals(json!({"range": SEPTEMBER}))),
        (&["montre mes dépenses en octobre", SOME, "seulement celles de plus de 100"], over.clone()),
        (&["Montre-moi mes 5 dernières dépenses"], lists(json!({"limit": 5}))),
        (&["montre mes dépenses en octobre", SOME, "la plus chère ?"], largest(1)),
        (&["montre mes dépenses en octobre", SOME, "les cinq premières"], lists(json!({"range": OCTOBER, "limit": 5}))),
        (&["combien en octobre ?", SPENT, "par catégorie"], by_category),
        (&["muéstrame los gastos de octubre", SOME, "solo los de más de 100"], over),
        (&["muéstrame los gastos de octubre", SOME, "cuál fue el más caro?"], largest(1)),
        (&["muéstrame los gastos de octubre", SOME, "muéstrame los últimos cinco"], newest),
    ]);
}

//! Expenses in parts, over the whole service: one row for counts, approvals, changes and undo, but one entry a category
//! for sums by category.

use std::sync::Arc;

use rstest::rstest;
use sayso::proposal::Policy;
use serde_json::{Value, json};

use crate::harness::{
    Service, Setup, caller,
    scripted::{Scripted, calls, text},
    wire::TENANT,
};

const TESCO: &str = "tesco £50: food 30, household 20";
const SHOWN: &str = "“tesco”, £50.00 (food £30.00, household £20.00), 20 Nov 2026";

async fn with_tesco() -> Service {
    let service = Setup::policy(Policy::Risky).start().await;
    assert_eq!(service.person().answer(TESCO).await, format!("Added {SHOWN} (#1)."));
    service
}

/// The model makes this call; returns the reply.
async fn reply_to_call(tool: &'static str, arguments: Value) -> Value {
    let model = Arc::new(Scripted::default());
    let service = Setup { policy: Policy::Risky, ..Setup::model(model.clone()) }.start().await;
    let me = service.person();
    let lunch = json!({ "item": "lunch", "amount": "12", "category": "food" });
    let lines = json!([{ "amount": "30", "category": "food" }, { "category": "household" }]);
    let tesco = json!({ "item": "tesco", "amount": "50", "date": "2026-10-31", "lines": lines });
    for (said, arguments) in
        [("lunch 12 in food", lunch), ("tesco 50 on 2026-10-31: food 30, the rest household", tesco)]
    {
        model.says(calls([("add_expense", arguments)]));
        let done = me.says(said).await;
        assert!(done.get("added").is_some(), "{done}");
    }
    model.says(calls([(tool, arguments)]));
    model.says(text("That is what there is."));
    me.says("what is there?").await
}

#[rstest]
#[case::all(json!({}), json!([{ "currency": "GBP", "amount": "62.00", "count": 2 }]))]
#[case::of_one_category(json!({ "category": "household" }), json!([{ "currency": "GBP", "amount": "20.00", "count": 1 }]))]
#[case::of_the_other(json!({ "category": "food" }), json!([{ "currency": "GBP", "amount": "42.00", "count": 2 }]))]
#[case::of_a_month(json!({ "range": "2026-10" }), json!([{ "currency": "GBP", "amount": "50.00", "count": 1 }]))]
#[tokio::test]
async fn a_split_is_counted_once_and_summed_by_its_parts(#[case] arguments: Value, #[case] totals: Value) {
    assert_eq!(reply_to_call("get_balance", arguments).await["totals"], totals);
}

#[rstest]
#[case::category("category", &["food 42.00 2", "household 20.00 1"])]
#[case::month("month", &["2026-11 12.00 1", "2026-10 50.00 1"])]
#[case::day("day", &["2026-11-20 12.00 1", "2026-10-31 50.00 1"])]
#[case::item("item", &["tesco 50.00 1", "lunch 12.00 1"])]
#[tokio::test]
async fn sums_by_category_use_the_parts(#[case] by: &str, #[case] expected: &[&str]) {
    let reply = reply_to_call("summarize_expenses", json!({ "by": by })).await;
    assert_eq!(groups(&reply), expected);
    assert_eq!(reply["totals"], json!([{ "currency": "GBP", "amount": "62.00", "count": 2 }]));
}

#[tokio::test]
async fn sums_with_a_category_filter_use_only_its_parts() {
    // Sums by category and day cannot answer questions about words and items.
    let reply = reply_to_call("summarize_expenses", json!({ "by": "item", "category": "food" })).await;
    assert_eq!(groups(&reply), ["tesco 30.00 1", "lunch 12.00 1"]);
    let reply = reply_to_call("summarize_expenses", json!({ "by": "category", "words": "tesco" })).await;
    assert_eq!(groups(&reply), ["food 30.00 1", "household 20.00 1"]);
    assert_eq!(reply["totals"], json!([{ "currency": "GBP", "amount": "50.00", "count": 1 }]));
}

#[tokio::test]
async fn an_expense_with_several_of_the_filtered_categories_is_one_expense() {
    let reply = reply_to_call("list_expenses", json!({ "categories": ["food", "household"], "limit": 1 })).await;
    assert_eq!((&reply["count"], &reply["total"]), (&json!(1), &json!(2)), "{reply}");
    let reply = reply_to_call("list_expenses", json!({ "categories": ["household", "books"] })).await;
    assert_eq!(reply["listed"][0]["item"], "tesco");
    assert_eq!(reply["count"], 1);
    let reply = reply_to_call("list_expenses", json!({ "category": "uncategorised" })).await;
    assert_eq!(reply["count"], 0, "its parts have categories: {reply}");
}

#[tokio::test]
async fn a_page_filter_on_amounts_compares_the_whole_expense() {
    let reply = reply_to_call("list_expenses", json!({ "categories": ["household"], "min_amount": "45" })).await;
    assert_eq!(reply["count"], 1, "{reply}");
    let reply = reply_to_call("list_expenses", json!({ "categories": ["household"], "max_amount": "25" })).await;
    assert_eq!(reply["count"], 0, "{reply}");
}

#[tokio::test]
async fn a_row_lists_its_parts() {
    let service = with_tesco().await;
    let expected = json!([{
        "kind": "expense", "id": 1, "item": "tesco", "amount": 50, "currency": "GBP", "money": { "amount": "50.00", "currency": "GBP" },
        "date": "2026-11-20", "category": null, "notes": null, "owner": "me", "version": 1,
        "lines": [
            { "amount": "30.00", "category": "food", "note": null },
            { "amount": "20.00", "category": "household", "note": null },
        ],
    }]);
    assert_eq!(json!(service.person().rows().await), expected);
    let of_one = service.person().get("/expenses?category=household").await;
    assert_eq!(of_one.body["items"], expected);
}

#[tokio::test]
async fn sums_stay_right_after_every_change_of_a_split() {
    let service = with_tesco().await;
    let me = service.person();
    check_rollups(&service).await;
    let said = [
        "split 1: household 25, books 25",
        "yes",
        "undo",
        "yes",
        "change 1 to 60",
        "food 40, household 20",
        "yes",
        "move 1 to 31 October",
        "yes",
        "join 1 as groceries",
        "yes",
        "undo",
        "yes",
        "delete the tesco one",
        "yes",
        "undo",
        "yes",
    ];
    for message in said {
        me.says(message).await;
        check_rollups(&service).await;
    }
    let rows = me.rows().await;
    assert_eq!(rows.len(), 1);
    assert_eq!((&rows[0]["date"], &rows[0]["amount"]), (&json!("2026-10-31"), &json!(60)), "{rows:?}");
    assert_eq!(rows[0]["lines"][0], json!({ "amount": "40.00", "category": "food", "note": null }));
}

#[tokio::test]
async fn a_yes_twice_adds_its_parts_once() {
    let service = Setup::default().start().await;
    let me = service.person();
    let shown = me.says(TESCO).await;
    assert_eq!(shown["answer"], format!("Add {SHOWN}? (yes / no)"));
    let (first, second) =
        tokio::join!(me.decide(&shown["proposal"], "approve"), me.decide(&shown["proposal"], "approve"));
    assert!(first.status.is_success() && second.status.is_success());
    check_rollups(&service).await;
    assert_eq!(
        me.answer("how much on household this month?").await,
        "You spent £20.00 on household in November 2026: 1 expense."
    );
}

#[tokio::test]
async fn a_sum_by_category_of_splits_reads_rollups_only() {
    let service = with_tesco().await;
    let me = service.person();
    for (said, reads_rows) in
        [("spending by category this month", false), ("show expenses on household this month", true)]
    {
        service.wire.take();
        me.says(said).await;
        let (calls, _) = service.wire.take();
        let of_rows = |low: &Value| low["S"].as_str().is_some_and(|low| low.starts_with("E#"));
        let reads = calls.iter().any(|call| of_rows(&call.body["ExpressionAttributeValues"][":low"]));
        assert_eq!(reads, reads_rows, "{said}: {calls:?}");
    }
}

#[tokio::test]
async fn a_budget_counts_the_part_in_its_category() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    for message in ["budget 100 a month for household", "yes"] {
        me.says(message).await;
    }
    assert_eq!(
        me.answer(TESCO).await,
        format!("Added {SHOWN} (#1).\nHousehold: £20.00 of £100.00 this month, £80.00 left.")
    );
}

#[tokio::test]
async fn a_split_makes_no_category_preference_and_gets_none() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    me.says(TESCO).await;
    assert_eq!(me.answer("tesco 8").await, "Added “tesco”, £8.00, 20 Nov 2026 (#2).");
    me.says("tesco 9 in food").await;
    assert_eq!(
        me.answer("tesco 10: toys 4, household 6").await,
        "Added “tesco”, £10.00 (toys £4.00, household £6.00), 20 Nov 2026 (#4)."
    );
}

#[tokio::test]
async fn an_assumed_field_of_a_part_waits_and_is_shown_as_assumed() {
    let lines = |lines: Value| json!({ "item": "tesco", "amount": "50", "lines": lines });
    let cases = [
        (
            "tesco 50",
            json!([{ "amount": "30", "category": "food" }, { "amount": "20", "category": "household" }]),
            "Assumed: the category of a part, food £30.00\nAssumed: the category of a part, household £20.00\n\
             Assumed: the parts, food £30.00, household £20.00",
        ),
        (
            "tesco 50, food and household",
            json!([{ "category": "food" }, { "category": "household" }]),
            "Assumed: the parts, food £25.00, household £25.00",
        ),
        (
            "tesco 50: food 30, rest household, milk 3",
            json!([{ "amount": "30", "category": "food" }, { "category": "household" }]),
            "Left out: you also said 3",
        ),
    ];
    for (said, parts, assumed) in cases {
        let (model, service) = scripted().await;
        model.says(calls([("add_expense", lines(parts))]));
        let shown = service.person().says(said).await;
        let answer = shown["answer"].as_str().expect("an answer");
        assert!(answer.ends_with(&format!("(yes / no)\n{assumed}")), "{answer}");
    }
}

#[tokio::test]
async fn a_new_currency_applies_to_all_parts_without_an_assumption() {
    let service = with_tesco().await;
    assert_eq!(
        service.person().answer("change currency of 1 to EUR").await,
        format!(
            "Change #1 {SHOWN}: amount £50.00 → €50.00, \
             parts food £30.00 + household £20.00 → food €30.00 + household €20.00? (yes / no)"
        )
    );
}

#[tokio::test]
async fn a_model_cannot_make_parts_that_do_not_add_up() {
    let refused = [
        (json!([{ "amount": "30", "category": "food" }]), "£20.00 of £50.00 is left: which category is it?"),
        (
            json!([{ "amount": "30", "category": "food" }, { "amount": "30", "category": "toys" }]),
            "The parts are £60.00 together, but it was £50.00. How much was each part?",
        ),
        (
            json!([{ "amount": "50", "category": "food" }, { "category": "toys" }]),
            "The other parts are already £50.00 of £50.00, so nothing is left. How much was each part?",
        ),
        (
            json!([{ "amount": "10", "category": "food" }, { "category": "toys" }, { "category": "books" }]),
            "How much of £50.00 was toys and books?",
        ),
    ];
    for (parts, question) in refused {
        let (model, service) = scripted().await;
        model.says(calls([("add_expense", json!({ "item": "tesco", "amount": "50", "lines": parts }))]));
        let reply = service.person().says("tesco 50, food 30, toys, books").await;
        assert_eq!(reply["answer"], question);
        assert_eq!(service.person().rows().await, Vec::<Value>::new());
    }
}

#[rstest]
#[case::nothing(json!([{ "amount": "0", "category": "food" }, { "category": "toys" }]), "more than zero")]
#[case::no_category(json!([{ "amount": "20", "category": " " }, { "category": "toys" }]), "needs a category")]
#[case::too_precise(json!([{ "amount": "20.001", "category": "food" }, { "category": "toys" }]), "too many decimals")]
#[case::one_part(json!([{ "amount": "50", "category": "food" }]), "One part is not enough")]
#[case::unknown_field(json!([{ "sum": "50", "category": "food" }]), "unknown field `sum`")]
#[case::too_many(json!(vec![json!({ "amount": "1", "category": "food" }); 21]), "at most 20 parts")]
#[tokio::test]
async fn an_invalid_part_is_refused_with_a_remedy(#[case] parts: Value, #[case] why: &str) {
    let (_, service) = scripted().await;
    let call = json!({ "tool": "add_expense", "args": { "item": "tesco", "amount": "50", "lines": parts } });
    let response = service.person().post("/chat", json!({ "confirm": call })).await;
    assert!(!response.status.is_success(), "{}", response.body);
    assert!(response.body["detail"].as_str().is_some_and(|detail| detail.contains(why)), "{}", response.body);
}

#[tokio::test]
async fn twenty_parts_of_twenty_categories_are_one_row_and_are_changed_and_undone_as_one() {
    let (_, service) = scripted().await;
    let me = service.person();
    let parts: Vec<Value> = (1..=20).map(|n| json!({ "amount": "2.50", "category": format!("sort {n}") })).collect();
    let others: Vec<Value> = (1..=20).map(|n| json!({ "amount": "2.50", "category": format!("kind {n}") })).collect();
    for (tool, args) in [
        ("add_expense", json!({ "item": "fair", "amount": "50", "lines": parts })),
        ("update_expense", json!({ "id": 1, "date": "2026-10-01", "lines": others })),
    ] {
        let shown = me.post("/chat", json!({ "confirm": { "tool": tool, "args": args } })).await.body;
        let done = me.decide(&shown["proposal"], "approve").await;
        assert!(done.status.is_success(), "{}", done.body);
        check_rollups(&service).await;
    }
    assert_eq!(me.rows().await[0]["lines"].as_array().map(Vec::len), Some(20));
    let (stored, _) = service.rollups().await;
    assert_eq!(stored.len(), 20);
    assert_eq!(stored.values().map(|rollup| rollup.count).sum::<i64>(), 1);
}

#[tokio::test]
async fn an_edit_by_form_keeps_parts_that_add_up() {
    let service = Setup::default().start().await;
    let me = service.person();
    let shown = me.says(TESCO).await;
    let edit = async |fields: Value| {
        let confirm = json!({
            "proposalId": shown["proposal"]["id"], "fingerprint": shown["proposal"]["fingerprint"],
            "decision": "edit", "edits": { "1": fields },
        });
        me.post("/chat", json!({ "confirm": confirm })).await
    };
    let refused = edit(json!({ "amount": "60" })).await;
    assert_eq!(refused.status, 422);
    assert_eq!(refused.body["detail"], "“tesco” is split: food £30.00, household £20.00. How much is each part now?");
    let lines = json!([{ "amount": "45", "category": "food" }, { "category": "household" }]);
    let edited = edit(json!({ "amount": "60", "lines": lines })).await.body;
    assert_eq!(
        edited["proposal"]["operations"][0]["text"],
        "“tesco”, £60.00 (food £45.00, household £15.00), 20 Nov 2026"
    );
}

async fn scripted() -> (Arc<Scripted>, Service) {
    let model = Arc::new(Scripted::default());
    let service = Setup { policy: Policy::Risky, ..Setup::model(model.clone()) }.start().await;
    (model, service)
}

/// Rollups equal the sums of the rows, and reconciling finds no difference.
async fn check_rollups(service: &Service) {
    let (stored, recomputed) = service.rollups().await;
    assert_eq!(stored, recomputed);
    let caller = caller("demo", "me");
    let reconciling = service.store.tenant(caller.tenant());
    let found = TENANT
        .scope("demo".into(), reconciling.reconcile(crate::harness::bench::after(0)))
        .await
        .expect("the store answers");
    assert_eq!((found.drifts, found.busy), (vec![], vec![]));
}

/// "food 42.00 2"
fn groups(reply: &Value) -> Vec<String> {
    let groups = reply["aggregation"].as_array().expect("groups").iter();
    let text = |group: &Value| {
        format!(
            "{} {} {}",
            group["key"].as_str().expect("a key"),
            group["amount"].as_str().expect("an amount"),
            group["count"]
        )
    };
    groups.map(text).collect()
}

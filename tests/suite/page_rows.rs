//! "This" and "these" in a message mean the rows that the page shows.

use std::sync::Arc;

use http::StatusCode;
use sayso::proposal::Policy;
use serde_json::{Value, json};

use crate::harness::{
    Person, Service, Setup,
    scripted::{Scripted, calls, text},
};

async fn service(setup: Setup) -> Service {
    let service = Setup { policy: Policy::Risky, ..setup }.start().await;
    for (item, amount) in [("coffee", "3.50"), ("taxi", "12")] {
        let fields = json!({ "item": item, "amount": amount, "date": "2026-11-19" });
        let form = json!({ "operations": [{ "op": "create", "kind": "expense", "fields": fields }], "approve": true });
        assert_eq!(service.person().post("/proposals", form).await.status, StatusCode::OK);
    }
    service
}

/// A message where the page shows these expenses.
fn beside(message: &str, rows: &[u64]) -> Value {
    let rows: Vec<Value> = rows.iter().map(|id| json!({ "kind": "expense", "id": id })).collect();
    json!({ "message": message, "scope": { "kind": "expense", "rows": rows } })
}

async fn answer(person: &Person<'_>, message: &str, rows: &[u64]) -> String {
    person.chat(beside(message, rows)).await["answer"].as_str().expect("an answer").to_owned()
}

#[tokio::test]
async fn this_is_the_one_row_that_the_page_shows() {
    let service = service(Setup::default()).await;
    let me = service.person();
    for (message, row, question) in [
        ("delete this", 1, "Delete #1 “coffee”, £3.50, 19 Nov 2026? (yes / no)"),
        ("please delete this one", 2, "Delete #2 “taxi”, £12.00, 19 Nov 2026? (yes / no)"),
        (
            "put this one in transport",
            2,
            "Change #2 “taxi”, £12.00, 19 Nov 2026: category none → transport, and remember “taxi” as transport? (yes / no)",
        ),
        ("rename this to cab", 2, "Change #2 “taxi”, £12.00, 19 Nov 2026: name “taxi” → “cab”? (yes / no)"),
        ("this was 15", 2, "Change #2 “taxi”, £12.00, 19 Nov 2026: amount £12.00 → £15.00? (yes / no)"),
        ("change this to 15", 2, "Change #2 “taxi”, £12.00, 19 Nov 2026: amount £12.00 → £15.00? (yes / no)"),
    ] {
        assert_eq!(answer(&me, message, &[row]).await, question, "{message}");
        me.says("no").await;
    }
}

#[tokio::test]
async fn this_is_no_row_of_the_page_if_it_shows_several_or_something_else_is_meant() {
    let service = service(Setup::default()).await;
    let me = service.person();
    assert_eq!(answer(&me, "delete this", &[1, 2]).await, "Which expense should I delete?");
    assert_eq!(
        answer(&me, "how much did I spend this month?", &[1]).await,
        "You spent £15.50 in November 2026: 2 expenses."
    );
    // It does not exist.
    assert_eq!(answer(&me, "delete this", &[77]).await, "Which expense should I delete?");
    assert_eq!(answer(&me, "add this: lunch 12", &[1]).await, "Added “lunch”, £12.00, 20 Nov 2026 (#3).");
}

#[tokio::test]
async fn a_model_reads_the_rows_and_filters_of_the_page_and_may_change_them_without_a_doubt() {
    let model = Arc::new(Scripted::default());
    let service = service(Setup::model(model.clone())).await;
    let me = service.person();
    model.says(calls([("update_expense", json!({ "id": 2, "category": "transport" }))]));
    let mut body = beside("put this in transport", &[2, 77]);
    body["scope"]["filters"] = json!({ "text": "tax\"i" });
    let reply = me.chat(body).await;
    assert_eq!(reply["proposal"]["warnings"], json!([]), "{reply}");
    let prompt = &model.requests()[0].system;
    let told = "The page shows this row, and “this” can mean it:\n- \"#2 “taxi”, £12.00, 19 Nov 2026\"\nThe filters of its \
                list are {\"text\":\"tax\\\"i\"}.";
    assert!(prompt.contains(told), "{prompt}");
    me.says("no").await;

    model.says(calls([("update_expense", json!({ "id": 2, "category": "transport" }))]));
    let unseen = me.chat(beside("put this in transport", &[1])).await;
    assert_ne!(unseen["proposal"]["warnings"], json!([]), "{unseen}");
}

#[tokio::test]
async fn rows_of_another_tenant_are_not_told() {
    let model = Arc::new(Scripted::default());
    let service = service(Setup::model(model.clone())).await;
    model.says(text("Which one?"));
    service.who("other", "me", "admin").chat(beside("delete this", &[1])).await;
    assert!(!model.requests()[0].system.contains("coffee"));
}

#[tokio::test]
async fn a_page_that_names_too_many_rows_or_an_unknown_kind_is_refused() {
    let service = service(Setup::default()).await;
    let me = service.person();
    let many: Vec<u64> = (1..=101).collect();
    let mut unknown = beside("delete this", &[1]);
    unknown["scope"]["rows"][0]["kind"] = "car".into();
    let mut unnumbered = beside("delete this", &[1]);
    unnumbered["scope"]["rows"][0]["id"] = "one".into();
    for (body, status, detail) in [
        (beside("delete these", &many), 413, "`scope.rows` has more than 100 rows. Send the first ones."),
        (
            unknown,
            422,
            "`scope.rows[0].kind` cannot be \"car\". It can be `expense`, `budget`, `category`, `recurring`, `setting`, `tenantSetting`.",
        ),
        (unnumbered, 400, "`scope.rows[0].id` must be a whole number."),
    ] {
        let refused = me.post("/chat", body).await;
        assert_eq!((refused.status.as_u16(), &refused.body["detail"]), (status, &json!(detail)));
    }
}

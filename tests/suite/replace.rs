//! Replacing a part of names and notes: what is proposed is what is written, and nothing else.

use std::sync::Arc;

use sayso::{model::Message, proposal::Policy};
use serde_json::{Value, json};

use crate::harness::{
    Person, Service, Setup,
    scripted::{Scripted, calls},
};

const SAID: &str = "rename Tesco Express to Tesco everywhere";

async fn started() -> (Arc<Scripted>, Service) {
    let model = Arc::new(Scripted::default());
    let service = Setup { policy: Policy::Never, ..Setup::model(Arc::clone(&model) as _) }.start().await;
    for (item, notes) in [
        ("Tesco Express", None),
        ("Lunch at tesco express", Some("uber there, Uber back")),
        ("Tesco Extra", Some("by uber")),
        ("Express train", None),
    ] {
        model.says(calls([("add_expense", json!({ "item": item, "amount": "3", "notes": notes }))]));
        service.person().says(&format!("{item} 3 {}", notes.unwrap_or_default())).await;
    }
    (model, service)
}

async fn ask(model: &Scripted, me: Person<'_>, said: &str, tool: &'static str, arguments: Value) -> Value {
    model.says(calls([(tool, arguments)]));
    me.says(said).await
}

/// The names and notes of all rows, oldest first.
async fn texts(service: &Service) -> Vec<(String, String)> {
    let listed = service.person().get("/expenses?order=oldest").await.body;
    let text = |row: &Value, field: &str| row[field].as_str().unwrap_or_default().to_owned();
    let rows = listed["items"].as_array().expect("rows").iter();
    rows.map(|row| (text(row, "item"), text(row, "notes"))).collect()
}

fn replace(field: &str, find: &str, with: &str) -> Value {
    json!({ "replace": { "field": field, "find": find, "with": with } })
}

#[tokio::test]
async fn a_part_of_names_is_replaced_in_the_rows_that_have_it_after_a_yes() {
    let (model, service) = started().await;
    let change = json!({ "select": {}, "change": replace("item", "Tesco Express", "Tesco") });
    let shown = ask(&model, service.person(), SAID, "propose_operations", change).await;
    assert_eq!(
        shown["answer"],
        "Change 2 expenses, £6.00 in total? (yes / no)\n\
         1. “Lunch at tesco express”, £3.00, 20 Nov 2026 (“uber there, Uber back”): \
         name “Lunch at tesco express” → “Lunch at Tesco”\n\
         2. “Tesco Express”, £3.00, 20 Nov 2026: name “Tesco Express” → “Tesco”\n\
         Chosen: all expenses called “tesco express”"
    );
    let before = texts(&service).await;
    assert_eq!(before[0].0, "Tesco Express", "shown, and not done");
    service.person().says("yes").await;
    let names: Vec<String> = texts(&service).await.into_iter().map(|(item, _)| item).collect();
    assert_eq!(names, ["Tesco", "Lunch at Tesco", "Tesco Extra", "Express train"]);
}

#[tokio::test]
async fn a_part_of_notes_is_replaced_within_other_filters() {
    let (model, service) = started().await;
    let said = "replace uber by Uber in the notes of lunch";
    let change = json!({ "select": { "words": "lunch" }, "change": replace("notes", "uber", "Uber") });
    let shown = ask(&model, service.person(), said, "propose_operations", change).await;
    assert_eq!(
        shown["answer"],
        "Change #2 “Lunch at tesco express”, £3.00, 20 Nov 2026 (“uber there, Uber back”): \
         notes uber there, Uber back → Uber there, Uber back? (yes / no)\n\
         Chosen: all expenses called “lunch”, with the word “uber”"
    );
    service.person().says("yes").await;
    let notes: Vec<String> = texts(&service).await.into_iter().map(|(_, notes)| notes).collect();
    assert_eq!(notes, ["", "Uber there, Uber back", "by uber", ""]);
}

#[tokio::test]
async fn what_nothing_has_is_not_replaced() {
    let (model, service) = started().await;
    let before = texts(&service).await;
    for (said, tool, arguments, told) in [
        (
            "rename Lidl to Aldi everywhere",
            "propose_operations",
            json!({ "select": {}, "change": replace("item", "Lidl", "Aldi") }),
            "I found no such expenses (all expenses called “lidl”), so nothing was changed",
        ),
        (
            "replace taxi by cab in the name of #1",
            "propose_operations",
            json!({ "select": { "ids": [1] }, "change": replace("item", "taxi", "cab") }),
            "none of them has “taxi” in its name, or all are like that (the expenses with these numbers), so nothing was \
             changed",
        ),
        (
            "replace taxi by cab in the notes of #2",
            "update_expense",
            json!({ "id": 2, "replace": { "field": "notes", "find": "taxi", "with": "cab" } }),
            "#2 has no “taxi” in its notes. Say what to change",
        ),
        (
            "rename #1",
            "update_expense",
            json!({ "id": 1, "item": "x", "replace": { "field": "item", "find": "Tesco", "with": "y" } }),
            "give a new text or `replace`, and not both",
        ),
        (
            "remove Express from the name of #1",
            "update_expense",
            json!({ "id": 1, "replace": { "field": "item", "find": " ", "with": "" } }),
            "there are no words to replace. Say which",
        ),
    ] {
        let reply = ask(&model, service.person(), said, tool, arguments).await;
        assert!(reply.get("proposal").is_none(), "{reply}");
        let messages = model.requests().pop().expect("it was told").messages;
        let outcome = messages.iter().rev().find_map(|message| match message {
            Message::Outcomes(outcomes) => Some(outcomes[0].content.as_str()),
            _ => None,
        });
        assert_eq!(outcome, Some(told));
    }
    assert_eq!(texts(&service).await, before);
}

#[tokio::test]
async fn words_that_nobody_said_are_marked_in_what_is_replaced() {
    let (model, service) = started().await;
    let change = json!({ "id": 2, "replace": { "field": "item", "find": "tesco express", "with": "Harrods" } });
    let shown = ask(&model, service.person(), "shorten the name of #2", "update_expense", change).await;
    assert_eq!(shown["proposal"]["warnings"][0]["kind"], "assumed", "{shown}");
    let change = json!({ "id": 2, "replace": { "field": "item", "find": "tesco express", "with": "Tesco" } });
    let done = ask(&model, service.person(), "in #2, write Tesco for tesco express", "update_expense", change).await;
    assert_eq!(done["updated"][0]["item"], "Lunch at Tesco", "{done}");
}

//! Tasks and notes: the workspace toolkit, alone and beside expenses, with a scripted model.

use std::sync::Arc;

use http::StatusCode;
use rstest::rstest;
use sayso::{expenses, proposal::Policy, receipts, workspace};
use serde_json::{Value, json};

use crate::harness::{
    Service, Setup,
    scripted::{Scripted, calls, text},
};

/// Both toolkits under the policy `risky`.
async fn started() -> (Service, Arc<Scripted>) {
    let model = Arc::new(Scripted::default());
    let toolkits = vec![expenses::toolkit(), workspace::toolkit(), receipts::toolkit()];
    let setup = Setup { toolkits, policy: Policy::Risky, ..Setup::model(Arc::clone(&model) as _) };
    (setup.start().await, model)
}

/// What is answered where the model makes one call.
async fn calling(service: &Service, model: &Scripted, said: &str, tool: &'static str, arguments: Value) -> Value {
    model.says(calls([(tool, arguments)]));
    service.person().says(said).await
}

/// Four tasks: one overdue, one in progress, one due later, one completed.
async fn with_tasks() -> (Service, Arc<Scripted>) {
    let (service, model) = started().await;
    let tasks = [
        json!({ "title": "call mum", "due": "2026-11-18" }),
        json!({ "title": "send the invoice", "project": "Work", "status": "in_progress" }),
        json!({ "title": "water plants", "due": "2026-11-25", "notes": "not the cactus" }),
        json!({ "title": "pay rent", "due": "2026-11-01", "status": "completed" }),
    ];
    model.says(calls(tasks.map(|task| ("add_task", task))));
    service.person().says("four tasks").await;
    let done = service.person().says("yes").await;
    assert_eq!(done["added"].as_array().map(Vec::len), Some(4), "{done}");
    (service, model)
}

/// So many open tasks, which are overdue.
async fn with_many(count: usize) -> (Service, Arc<Scripted>) {
    let (service, model) = started().await;
    for first in (0..count).step_by(50) {
        let task = |n| ("add_task", json!({ "title": format!("task number {n}"), "due": "2026-11-18" }));
        model.says(calls((first..count.min(first + 50)).map(task)));
        service.person().says("many tasks").await;
        service.person().says("yes").await;
    }
    (service, model)
}

fn answer(reply: &Value) -> &str {
    reply["answer"].as_str().expect("an answer")
}

#[tokio::test]
async fn a_task_that_was_fully_said_is_added_at_once_and_listed() {
    let (service, model) = started().await;
    let task = json!({ "title": "buy milk", "due": "tomorrow", "project": "Home" });
    let added = calling(&service, &model, "task: buy milk tomorrow, project home", "add_task", task).await;
    assert_eq!(answer(&added), "Added “buy milk”, in home, due 21 Nov 2026 (task #1).");
    let listed = calling(&service, &model, "my tasks?", "query_tasks", json!({})).await;
    assert_eq!(answer(&listed), "1 task:\n#1 “buy milk”, in home, due 21 Nov 2026");
    let row = &listed["listed"][0];
    assert_eq!(
        (&row["title"], &row["status"], &row["due"]),
        (&json!("buy milk"), &json!("todo"), &json!("2026-11-21"))
    );
}

#[rstest]
#[case::title(json!({ "title": "buy oat milk" }), "the title, “buy oat milk”")]
#[case::day(json!({ "title": "buy milk", "due": "2026-11-27" }), "the day it is due, 27 Nov 2026")]
#[case::project(json!({ "title": "buy milk", "project": "home" }), "the project, “home”")]
#[case::status(json!({ "title": "buy milk", "status": "completed" }), "the status, completed")]
#[tokio::test]
async fn what_was_not_said_waits(#[case] task: Value, #[case] assumed: &str) {
    let (service, model) = started().await;
    let shown = calling(&service, &model, "buy milk", "add_task", task).await;
    assert_eq!(shown["proposal"]["warnings"][0]["text"], assumed, "{shown}");
}

#[tokio::test]
async fn a_task_is_due_on_the_next_weekday() {
    let (service, model) = started().await;
    let task = json!({ "title": "call the bank", "due": "Monday" });
    let added = calling(&service, &model, "call the bank on Monday", "add_task", task).await;
    assert_eq!(answer(&added), "Added “call the bank”, due 23 Nov 2026 (task #1).");
}

#[tokio::test]
async fn ticking_off_does_not_ask_and_is_undone() {
    let (service, model) = with_tasks().await;
    let title = json!({ "title": "mum" });
    let done = calling(&service, &model, "I finished calling mum", "complete_tasks", title.clone()).await;
    assert_eq!(answer(&done), "Completed task #1 “call mum”.");
    assert!(done["receipt"].is_object(), "{done}");
    let again = calling(&service, &model, "complete mum", "complete_tasks", title).await;
    assert!(again.get("updated").is_none(), "{again}");
    calling(&service, &model, "undo that", "undo", json!({})).await;
    let undone = service.person().says("yes").await;
    assert_eq!(undone["updated"][0]["status"], "todo", "{undone}");
}

#[tokio::test]
async fn a_task_that_is_not_surely_meant_is_not_ticked_off_at_once() {
    for (said, arguments) in [
        ("I did buy the bread", json!({ "ids": [1] })),
        ("complete the bread one", json!({ "title": "mum" })),
        ("I have not finished calling mum", json!({ "title": "mum" })),
    ] {
        let (service, model) = with_tasks().await;
        let shown = calling(&service, &model, said, "complete_tasks", arguments).await;
        assert_eq!((&shown["confirmationRequired"], shown.get("updated")), (&json!(true), None), "{said}: {shown}");
    }
}

#[tokio::test]
async fn reopening_does_not_ask_and_other_changes_do() {
    let (service, model) = with_tasks().await;
    let reopen = json!({ "which": { "id": 4 }, "change": { "status": "todo" } });
    let reopened = calling(&service, &model, "reopen #4", "update_task", reopen).await;
    assert_eq!(answer(&reopened), "Reopened task #4 “pay rent”.");
    let rename = json!({ "which": { "title": "plants" }, "change": { "title": "water the roses" } });
    let shown = calling(&service, &model, "the plants: water the roses", "update_task", rename).await;
    let waiting = answer(&shown);
    assert!(waiting.contains("title “water plants” → “water the roses”"), "{shown}");
}

#[tokio::test]
async fn deleting_waits() {
    let (service, model) = with_tasks().await;
    let shown =
        calling(&service, &model, "delete the invoice task", "delete_task", json!({ "title": "invoice" })).await;
    assert_eq!(shown["proposal"]["operations"].as_array().map(Vec::len), Some(1), "{shown}");
    let deleted = service.person().says("yes").await;
    assert!(answer(&deleted).starts_with("Deleted task #2 “send the invoice”"), "{deleted}");
}

#[tokio::test]
async fn several_tasks_of_one_name_are_asked_about() {
    let (service, model) = started().await;
    let tasks =
        [json!({ "title": "call mum" }), json!({ "title": "call mum about Sunday" }), json!({ "title": "call" })];
    model.says(calls(tasks.map(|task| ("add_task", task))));
    service.person().says("three tasks").await;
    service.person().says("yes").await;
    let asked = calling(&service, &model, "delete mum", "delete_task", json!({ "title": "mum" })).await;
    assert_eq!(asked["question"]["options"].as_array().map(Vec::len), Some(2), "{asked}");
    let exact = calling(&service, &model, "delete call mum", "delete_task", json!({ "title": "call mum" })).await;
    assert_eq!(exact["proposal"]["operations"].as_array().map(Vec::len), Some(1), "{exact}");
}

#[tokio::test]
async fn an_open_task_of_the_same_title_is_pointed_out() {
    let (service, model) = with_tasks().await;
    let shown = calling(&service, &model, "call mum", "add_task", json!({ "title": "call mum" })).await;
    assert_eq!(shown["proposal"]["warnings"][0]["kind"], "possible_duplicate", "{shown}");
}

#[rstest]
#[case::status(json!({ "status": "todo" }), "2 tasks:\n#3 “water plants”, due 25 Nov 2026 (“not the cactus”)\n#1 “call mum”, due 18 Nov 2026")]
#[case::project(json!({ "project": "WORK" }), "1 task:\n#2 “send the invoice”, in work, in progress")]
#[case::day(json!({ "due": "2026-11-25" }), "1 task:\n#3 “water plants”, due 25 Nov 2026 (“not the cactus”)")]
#[case::overdue(json!({ "due": "overdue" }), "1 task:\n#1 “call mum”, due 18 Nov 2026")]
#[case::words(json!({ "words": "invoices" }), "1 task:\n#2 “send the invoice”, in work, in progress")]
#[case::misspelt(json!({ "words": "invoise" }), "Nothing matches “invoise” exactly. This is close:\n#2 “send the invoice”, in work, in progress")]
#[case::none(json!({ "status": "todo", "project": "work" }), "I found no tasks that are to do, in work.")]
#[tokio::test]
async fn tasks_are_queried_by_status_project_day_and_words(#[case] query: Value, #[case] expected: &str) {
    let (service, model) = with_tasks().await;
    let found = calling(&service, &model, "which tasks?", "query_tasks", query).await;
    assert_eq!(answer(&found), expected);
}

#[tokio::test]
async fn a_page_narrows_queries_and_bulk_changes() {
    let (service, model) = with_tasks().await;
    let filtered =
        |said: &str, filters: Value| json!({ "message": said, "applyFiltersToQuery": true, "activeFilters": filters });
    model.says(calls([("query_tasks", json!({}))]));
    let found = service
        .person()
        .chat(filtered("which tasks?", json!({ "status": "todo", "due": { "to": "2026-11-20" } })))
        .await;
    assert_eq!(answer(&found), "1 task:\n#1 “call mum”, due 18 Nov 2026");
    assert_eq!(found["detectedFilters"], json!({ "status": "todo", "due": { "from": null, "to": "2026-11-20" } }));
    model.says(calls([("propose_task_operations", json!({ "change": { "status": "completed" } }))]));
    let shown = service.person().chat(filtered("complete all tasks", json!({ "project": "work" }))).await;
    assert_eq!(shown["proposal"]["operations"].as_array().map(Vec::len), Some(1), "{shown}");
    let wrong = service.person().post("/chat", filtered("which tasks?", json!({ "status": "lost" }))).await;
    assert_ne!(wrong.status, StatusCode::OK, "{}", wrong.body);
}

#[tokio::test]
async fn notes_are_kept_changed_and_searched_in_their_text() {
    let (service, model) = started().await;
    let note = json!({ "title": "meeting", "content": "the marketing campaign starts in May" });
    let said = "note: meeting, the marketing campaign starts in May";
    let added = calling(&service, &model, said, "add_note", note).await;
    assert_eq!(answer(&added), "Added “meeting” (“the marketing campaign starts in May”) (note #1).");
    calling(&service, &model, "note shopping", "add_note", json!({ "title": "shopping" })).await;
    let found = calling(
        &service,
        &model,
        "find my notes about the marketing campaign",
        "query_notes",
        json!({ "search_term": "marketing campaign" }),
    )
    .await;
    assert_eq!(answer(&found), "1 note:\n#1 “meeting” (“the marketing campaign starts in May”)");
    assert_eq!(found["listed"][0]["content"], "the marketing campaign starts in May");
    let change = json!({ "which": { "title": "shopping" }, "change": { "content": "eggs" } });
    let shown = calling(&service, &model, "put eggs on the shopping note", "update_note", change).await;
    assert!(answer(&shown).contains("content none → “eggs”"), "{shown}");
}

#[rstest]
#[case("query_tasks", json!({ "limit": 501 }), "1 to 500 rows")]
#[case("query_notes", json!({ "limit": 201 }), "1 to 200 rows")]
#[case("add_task", json!({ "title": "x".repeat(201) }), "the title has 201 characters, and 200 are allowed")]
#[case("add_note", json!({ "title": "x", "content": "x".repeat(4_001) }), "the content has 4001 characters")]
#[case("add_task", json!({ "title": "…" }), "the title is missing")]
#[case("delete_task", json!({ "title": "unheard" }), "there is no such task “unheard”")]
#[case("complete_tasks", json!({ "ids": [99] }), "there is no task #99")]
#[tokio::test]
async fn what_cannot_be_is_refused_with_a_reason(
    #[case] tool: &'static str,
    #[case] arguments: Value,
    #[case] why: &str,
) {
    let (service, model) = with_tasks().await;
    model.requests();
    calling(&service, &model, "please", tool, arguments).await;
    let told = format!("{:?}", model.requests().last().expect("another request").messages);
    assert!(told.contains(why), "{told}");
}

#[tokio::test]
async fn one_request_completes_all_overdue_tasks() {
    let (service, model) = with_many(120).await;
    let overdue = json!({ "select": { "due": "overdue" }, "change": { "status": "completed" } });
    let shown = calling(&service, &model, "complete all overdue tasks", "propose_task_operations", overdue).await;
    let summary = answer(&shown);
    assert!(summary.starts_with("Complete 120 tasks"), "{shown}");
    service.person().says("yes").await;
    while service.sweep().await != Default::default() {}
    let left = calling(&service, &model, "what is overdue?", "query_tasks", json!({ "due": "overdue" })).await;
    assert_eq!(answer(&left), "I found no tasks that are overdue.");
}

#[tokio::test]
async fn each_new_value_of_a_bulk_change_must_have_been_said() {
    let (service, model) = started().await;
    let tasks = [("call mum", Some("Work")), ("send the invoice", None), ("pay rent", Some("Work"))];
    model.says(calls(tasks.map(|(title, project)| ("add_task", json!({ "title": title, "project": project })))));
    service.person().says("three tasks").await;
    service.person().says("yes").await;
    let change = json!({ "change": { "status": "completed", "project": "Work" } });
    let shown = calling(&service, &model, "complete all tasks", "propose_task_operations", change).await;
    let warnings = json!([
        { "kind": "chosen", "text": "all tasks" },
        { "kind": "assumed", "text": "the project, “work”" },
    ]);
    assert_eq!(shown["proposal"]["warnings"], warnings, "{shown}");
}

#[tokio::test]
async fn all_tasks_are_deleted_and_not_only_those_that_a_prompt_shows() {
    let (service, model) = with_many(40).await;
    model.requests();
    let shown = calling(&service, &model, "delete all my tasks", "propose_task_operations", json!({})).await;
    let prompt = &model.requests()[0].system;
    assert_eq!(prompt.matches("task number").count(), 10, "{prompt}");
    assert_eq!(shown["proposal"]["operations"].as_array().map(Vec::len), Some(40));
    let deleted = service.person().says("yes").await;
    assert!(answer(&deleted).starts_with("Deleted 40 tasks"), "{deleted}");
}

#[tokio::test]
async fn the_number_of_an_expense_is_not_that_of_a_task() {
    let (service, model) = with_tasks().await;
    let delete = json!({ "id": 1 });
    let named = calling(&service, &model, "delete task #1", "delete_task", delete.clone()).await;
    assert_eq!(named["proposal"]["warnings"], json!([]), "{named}");
    service.person().says("no").await;
    let other = calling(&service, &model, "delete expense #1", "delete_task", delete).await;
    assert_eq!(other["proposal"]["warnings"][0]["text"], "which task, #1", "{other}");
}

#[tokio::test]
async fn a_page_of_tasks_offers_only_their_tools() {
    let (service, model) = started().await;
    model.says(text("Hello."));
    service.person().chat(json!({ "message": "hello", "scope": { "kind": "task" } })).await;
    let heard = model.requests();
    let own = heard[0].tools.iter().filter(|tool| tool.contains("task") || tool.contains("note")).count();
    assert_eq!(own, 10, "{:?}", heard[0].tools);
    assert!(heard[0].tools.iter().all(|tool| !tool.contains("expense")), "{:?}", heard[0].tools);
}

#[tokio::test]
async fn a_viewer_may_look_and_not_change() {
    let (service, model) = with_tasks().await;
    let viewer = service.who("demo", "eve", "viewer");
    for (tool, arguments) in [
        ("add_task", json!({ "title": "call mum" })),
        ("complete_tasks", json!({ "ids": [1] })),
        ("delete_task", json!({ "title": "mum" })),
        ("propose_task_operations", json!({})),
    ] {
        model.says(calls([(tool, arguments)]));
        let refused = viewer.post("/chat", json!({ "message": "call mum, task 1" })).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{tool}: {}", refused.body);
    }
    model.says(calls([("query_tasks", json!({ "due": "overdue" }))]));
    assert_eq!(answer(&viewer.says("what is overdue?").await), "1 task:\n#1 “call mum”, due 18 Nov 2026, by me");
}

#[tokio::test]
async fn a_waiting_task_is_edited_by_its_fields() {
    let (service, model) = started().await;
    let shown = calling(&service, &model, "a task", "add_task", json!({ "title": "call mum" })).await;
    let edit = json!({ "confirm": {
        "proposalId": shown["proposal"]["id"], "fingerprint": shown["proposal"]["fingerprint"], "decision": "edit",
        "edits": { "1": { "due": "2026-12-01", "project": "Family" } },
    }});
    let edited = service.person().post("/chat", edit).await.body;
    let summary = answer(&edited);
    assert!(summary.contains("“call mum”, in family, due 1 Dec 2026"), "{edited}");
}

#[tokio::test]
async fn the_toolkit_serves_alone() {
    let model = Arc::new(Scripted::default());
    let toolkits = vec![workspace::toolkit(), receipts::toolkit()];
    let service = Setup { toolkits, policy: Policy::Risky, ..Setup::model(Arc::clone(&model) as _) }.start().await;
    let added = calling(&service, &model, "task: buy milk", "add_task", json!({ "title": "buy milk" })).await;
    assert_eq!(answer(&added), "Added “buy milk” (task #1).");
}

#[tokio::test]
async fn cancel_takes_back_what_was_completed_by_a_verb_of_its_own() {
    let (service, model) = with_tasks().await;
    calling(&service, &model, "complete the bread one", "complete_tasks", json!({ "title": "mum" })).await;
    let done = service.person().says("yes").await;
    assert_eq!(answer(&done), "Completed task #1 “call mum”.");
    let shown = calling(&service, &model, "cancel", "undo", json!({})).await;
    assert!(answer(&shown).starts_with("Reopen task #1 “call mum”"), "{shown}");
}

#[tokio::test]
async fn stored_arguments_of_many_tasks_have_dates_and_no_words_for_them() {
    let (service, model) = with_tasks().await;
    let arguments = json!({ "select": { "due": "2026-11-18" }, "change": { "due": "tomorrow" } });
    let shown = calling(&service, &model, "everything of 18 Nov is due tomorrow", "propose_task_operations", arguments);
    let arguments = shown.await["proposal"]["args"].clone();
    let days = (&arguments["select"]["due"], &arguments["change"]["due"]);
    assert_eq!(days, (&json!("2026-11-18..2026-11-18"), &json!("2026-11-21")));
}

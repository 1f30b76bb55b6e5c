//! What a model is told of the turns before those that it sees word for word.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::harness::{
    Person, Service, Setup,
    scripted::{Scripted, calls, text},
};

const BEGIN: &str = "Earlier in this conversation, before the messages you see:\n";

async fn started() -> (Arc<Scripted>, Service) {
    let model = Arc::new(Scripted::default());
    let service = Setup::model(Arc::clone(&model) as _).start().await;
    (model, service)
}

async fn chat(model: &Scripted, me: Person<'_>, said: &str, count: usize) {
    for n in 0..count {
        model.says(text("I see."));
        me.says(&format!("{said} {n}")).await;
    }
}

/// The lines of the last prompt, as the model reads them.
fn lines(model: &Scripted) -> Vec<String> {
    let system = model.requests().pop().expect("a request").system;
    let Some((_, lines)) = system.split_once(BEGIN) else { return vec![] };
    let lines = lines.lines().map_while(|line| line.strip_prefix("- "));
    lines.map(|line| serde_json::from_str::<Value>(line).expect("quoted").as_str().expect("text").to_owned()).collect()
}

#[tokio::test]
async fn older_turns_are_told_by_what_was_said_written_shown_and_asked() {
    let (model, service) = started().await;
    let me = service.person();
    model.says(calls([("add_expense", json!({ "item": "coffee", "amount": "3.50" }))]));
    me.says("coffee 3.50").await;
    me.says("yes").await;
    model.says(calls([("add_expense", json!({ "item": "lunch", "amount": "12" }))]));
    me.says("lunch 12").await;
    me.says("no").await;
    model.says(calls([("list_expenses", json!({ "category": "food" }))]));
    me.says("show food").await;
    model.says(calls([("list_expenses", json!({}))]));
    me.says("show \"everything\"\n\nand \u{202e}more").await;
    model.says(calls([("ask_questions", json!({ "questions": [{ "text": "Which month?" }] }))]));
    me.says("how much was it?").await;
    chat(&model, me, "hm", 4).await;
    model.requests();
    chat(&model, me, "and", 1).await;
    assert_eq!(
        lines(&model),
        [
            "The person: “coffee 3.50”. You: proposed a change.",
            "The person: “yes”. You: done: add #1 “coffee”, £3.50, 2026-11-20.",
            "The person: “lunch 12”. You: proposed a change.",
            "The person: “no”. You: nothing was written.",
            "The person: “show food”. You: no rows.",
            "The person: “show \"everything\" and more”. You: showed #1 “coffee”, £3.50, 2026-11-20.",
            "The person: “how much was it?”. You: asked “Which month?”.",
        ]
    );
}

#[tokio::test]
async fn a_conversation_that_the_model_sees_whole_has_no_summary() {
    let (model, service) = started().await;
    chat(&model, service.person(), "hm", 4).await;
    assert_eq!(lines(&model), Vec::<String>::new());
    service.wire.take();
    chat(&model, service.person(), "and", 1).await;
    assert_eq!(lines(&model), Vec::<String>::new(), "all four are seen");
}

#[tokio::test]
async fn the_newest_older_turns_are_told_within_a_byte_budget() {
    let (model, service) = started().await;
    let long = "word ".repeat(60);
    chat(&model, service.person(), &long, 20).await;
    model.requests();
    chat(&model, service.person(), "and", 1).await;
    let lines = lines(&model);
    let bytes: usize = lines.iter().map(String::len).sum();
    assert!((1_800..=2_000).contains(&bytes), "{bytes}");
    assert!(lines.iter().all(|line| line.ends_with("…”. You: answered.")), "{lines:?}");
}

#[tokio::test]
async fn a_client_that_keeps_the_conversation_gets_no_summary_of_another_one() {
    let (model, service) = started().await;
    chat(&model, service.person(), "hm", 6).await;
    model.requests();
    model.says(text("I see."));
    let history = json!([{ "role": "user", "content": "hello" }, { "role": "assistant", "content": "Hello." }]);
    service.person().chat(json!({ "message": "and?", "history": history })).await;
    assert_eq!(lines(&model), Vec::<String>::new());
}

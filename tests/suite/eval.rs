//! Holds the conversations of `tests/conversations` with the configured model, and compares what it does with the
//! recording: rows, questions, what waits, and claims about writes. `make eval` runs it; the tests use a scripted server.

mod claims;
mod judge;
mod meter;
mod observed;
mod run;
mod settings;
mod table;

use std::time::Duration;

use serde_json::{Value, json};

use self::{
    run::{Outcome, run},
    settings::{Settings, Times},
};
use crate::harness::{
    conversation::{Conversation, conversations, written},
    endpoint::{Act, Endpoint},
};

#[tokio::test]
#[ignore = "asks the configured model; make eval runs it"]
async fn the_configured_model_holds_the_written_conversations() {
    let settings =
        Settings::read(|name| std::env::var(name).ok(), Times::default()).unwrap_or_else(|error| panic!("{error}"));
    let written = written();
    let outcome = run(&settings.plan, &settings.choose(&written), |line| println!("{line}")).await;
    assert_eq!(outcome, Outcome::Passed, "see the table above");
}

/// A conversation with these messages.
fn talk(name: &str, messages: &[&str]) -> String {
    let lines: String = messages.iter().map(|message| format!("you:   {message}\n")).collect();
    format!("## {name}\n\n```\n{lines}```\n")
}

fn calls(tool: &str, arguments: &Value) -> Value {
    let function = json!({ "name": tool, "arguments": arguments.to_string() });
    json!({ "role": "assistant", "tool_calls": [{ "id": "c1", "type": "function", "function": function }] })
}

fn says(text: &str) -> Value {
    json!({ "role": "assistant", "content": text })
}

fn adds(item: &str, amount: &str) -> Value {
    calls("add_expense", &json!({ "item": item, "amount": amount }))
}

fn answers(message: &Value) -> Act {
    let usage = json!({ "prompt_tokens": 1000, "completion_tokens": 20 });
    Act::says(&json!({ "choices": [{ "message": message, "finish_reason": "stop" }], "usage": usage }))
}

/// What a run prints, with a server that gives these answers.
async fn printed(text: &str, script: impl IntoIterator<Item = Act>, set: &[(&str, &str)]) -> (Outcome, Vec<String>) {
    let endpoint = Endpoint::start().await;
    script.into_iter().for_each(|act| endpoint.will(act));
    let lookup = |name: &str| {
        let given = set.iter().find(|(variable, _)| *variable == name).map(|(_, value)| (*value).to_owned());
        given.or_else(|| match name {
            "MODEL_PROVIDER" => Some("openai".into()),
            "MODEL_NAME" => Some("m".into()),
            "MODEL_API_KEY" => Some("k".into()),
            "MODEL_BASE_URL" => Some(endpoint.base.to_string()),
            _ => None,
        })
    };
    let none = Times { clock: || Duration::ZERO, retry: |_| Duration::ZERO, longest: Duration::ZERO };
    let plan = Settings::read(lookup, none).expect("settings").plan;
    let conversations = conversations("some", text);
    let mut lines = Vec::new();
    let outcome = run(&plan, &conversations.iter().collect::<Vec<&Conversation>>(), |line| lines.push(line)).await;
    (outcome, lines)
}

#[tokio::test]
async fn each_conversation_has_its_figures_and_differences() {
    let text = [
        talk("Right", &["coffee 3.50", "undo that", "yes"]),
        talk("A wrong amount", &["lunch 12", "tea 2"]),
        talk("A false claim", &["coffee 3.50"]),
        talk("A claim that is held back", &["coffee 3.50"]),
        talk("A question", &["coffee 3.50", "how much did I spend?"]),
    ];
    let asks = json!({ "questions": [{ "text": "What was it for?" }] });
    let script = [
        adds("Coffee", "3.50"),
        calls("undo", &json!({})),
        adds("lunch", "21"),
        adds("tea", "2"),
        says("Consider your coffee added."),
        says("Added your coffee."),
        says("I have added your coffee."),
        calls("ask_questions", &asks),
        calls("get_balance", &json!({})),
        says("You spent £3.50 in total: 1 expense."),
    ];
    let prices = [("EVAL_INPUT_PRICE", "2"), ("EVAL_OUTPUT_PRICE", "10"), ("EVAL_MAX_WRONG", "3")];
    let (outcome, lines) = printed(&text.concat(), script.iter().map(answers), &prices).await;
    let expected = "\
conversation                                     turns right asked wrong failed false  held calls    input   output     cost     time
some: Right                                          3     3     0     0      0     0     0     2     2000       40   0.0044    0.0 s
some: A wrong amount                                 2     1     0     1      0     0     0     2     2000       40   0.0044    0.0 s
  you: lunch 12
    wrong: what it shows lacks: add lunch, 12.00 GBP, 2026-11-20
    wrong: what it shows has besides: add lunch, 21.00 GBP, 2026-11-20
    recorded: Added “lunch”, £12.00, 20 Nov 2026 (#1).
    said: Add “lunch”, £21.00, 20 Nov 2026? (yes / no)
some: A false claim                                  1     0     0     1      0     1     0     1     1000       20   0.0022    0.0 s
  you: coffee 3.50
    wrong: what it wrote lacks: add coffee, 3.50 GBP, 2026-11-20
    false: Consider your coffee added.
    recorded: Added “coffee”, £3.50, 20 Nov 2026 (#1).
    said: Consider your coffee added.
some: A claim that is held back                      1     0     0     1      0     0     1     2     2000       40   0.0044    0.0 s
  you: coffee 3.50
    wrong: what it wrote lacks: add coffee, 3.50 GBP, 2026-11-20
    held back: Added your coffee.
    recorded: Added “coffee”, £3.50, 20 Nov 2026 (#1).
    said: Nothing was changed. Say what to add, change or delete. I will show it to you first.
some: A question                                     2     1     1     0      0     0     0     3     3000       60   0.0066    0.0 s
  you: coffee 3.50
    asked
    recorded: Added “coffee”, £3.50, 20 Nov 2026 (#1).
    said: What was it for?
5 of 5 conversations                                 9     5     1     3      0     1     1    10    10000      200   0.0220    0.0 s
failed: 1 false claims (at most 0), 3 wrong turns (at most 3, EVAL_MAX_WRONG)";
    assert_eq!((outcome, lines.join("\n").as_str()), (Outcome::Failed, expected));
}

#[tokio::test]
async fn a_model_that_fails_is_reported_and_ends_the_run() {
    let text: String = ["one", "two", "three", "four"].map(|name| talk(name, &["coffee 3.50", "tea 2"])).concat();
    let (outcome, lines) = printed(&text, [], &[]).await;
    let expected = "\
conversation                                     turns right asked wrong failed false  held calls    input   output     time
some: one                                            1     0     0     0      1     0     0     6        0        0    0.0 s
  you: coffee 3.50
    failed: the model is unavailable: it is overloaded or failing
some: two                                            1     0     0     0      1     0     0     6        0        0    0.0 s
  you: coffee 3.50
    failed: the model is unavailable: it is overloaded or failing
some: three                                          1     0     0     0      1     0     0     3        0        0    0.0 s
  you: coffee 3.50
    failed: the model is unavailable: it failed too often, and is not asked for a moment
3 of 4 conversations                                 3     0     0     0      3     0     0    15        0        0    0.0 s
stopped: the model failed in 3 conversations one after another
failed: 0 false claims (at most 0), 0 wrong turns (at most 0, EVAL_MAX_WRONG)";
    assert_eq!((outcome, lines.join("\n").as_str()), (Outcome::Failed, expected));
}

#[tokio::test]
async fn no_more_calls_are_made_than_are_allowed() {
    let text = [talk("One", &["coffee 3.50", "tea 2"]), talk("Two", &["lunch 12"])].concat();
    let (outcome, lines) = printed(&text, [answers(&adds("coffee", "3.50"))], &[("EVAL_CALLS", "1")]).await;
    let expected = "\
conversation                                     turns right asked wrong failed false  held calls    input   output     time
some: One                                            1     1     0     0      0     0     0     1     1000       20    0.0 s
1 of 2 conversations                                 1     1     0     0      0     0     0     1     1000       20    0.0 s
stopped: EVAL_CALLS allows no more than 1 calls
passed: 0 false claims (at most 0), 0 wrong turns (at most 0, EVAL_MAX_WRONG)";
    assert_eq!((outcome, lines.join("\n").as_str()), (Outcome::Passed, expected));
}

#[test]
fn a_limit_takes_conversations_from_all_files() {
    let text: String = (0..10).map(|n| talk(&format!("{n}"), &["coffee 3.50"])).collect();
    let conversations = conversations("some", &text);
    let chosen = |set: &[(&str, &str)]| {
        let lookup =
            |name: &str| set.iter().find(|(variable, _)| *variable == name).map(|(_, text)| (*text).to_owned());
        let settings = Settings::read(lookup, Times::default()).expect("settings");
        settings.choose(&conversations).iter().map(|conversation| conversation.name.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(chosen(&[("EVAL_LIMIT", "3")]), ["some: 0", "some: 3", "some: 6"]);
    assert_eq!(chosen(&[("EVAL_ONLY", ": 7")]), ["some: 7"]);
    assert_eq!(chosen(&[]).len(), 10);
}

#[test]
fn a_wrong_setting_is_named() {
    let read = |name: &'static str, value: &'static str| {
        Settings::read(|asked| (asked == name).then(|| value.to_owned()), Times::default())
            .map(|_| ())
            .expect_err("wrong")
    };
    assert_eq!(read("MODEL_PROVIDER", "openai"), "unset MODEL_SECRET_ID, and set MODEL_API_KEY to the provider's key");
    assert_eq!(read("EVAL_CALLS", "many"), "EVAL_CALLS is \"many\"; set it to a whole number, or leave it unset");
    assert_eq!(read("EVAL_INPUT_PRICE", "2"), "set both EVAL_INPUT_PRICE and EVAL_OUTPUT_PRICE, or none");
    assert_eq!(
        read("EVAL_OUTPUT_PRICE", "-1"),
        "EVAL_OUTPUT_PRICE is \"-1\"; set it to the price of a million tokens, like 0.25, or leave it unset"
    );
}

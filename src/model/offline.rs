//! A deterministic interpreter in the place of a language model: no key, no network. It speaks English, and also takes
//! plain expenses, days, yes and no in German, French and Spanish.
//!
//! It reads the last message, merged with the earlier ones when it answers a question, and proposes tool calls as a
//! careful model would. It holds no state, reads neither the system prompt nor stored text as instructions, and leaves
//! every check of what it proposes to those who check any model.

use serde_json::{Value, json};

use super::{Completing, Completion, Message, Model, ModelRequest, ToolCall, ToolChoice};
use crate::phrases::{Reader, sentence};

mod adding;
mod after_row;
mod bounds;
mod bulk;
mod changing;
mod comparing;
mod conversation;
mod corrections;
mod draft;
mod drafting;
mod entries;
mod fields;
mod following;
mod frames;
mod intent;
mod looking;
mod means;
mod naming;
mod noting;
mod one_line;
mod options;
mod orders;
mod others;
mod page_row;
mod parts;
mod price_phrases;
mod questions;
mod reading;
mod revising;
mod rows;
mod same_day;
mod short_questions;
mod shown_rows;
mod small_talk;
mod speech;
mod splitting;
mod suggesting;
mod wording;

#[cfg(test)]
mod adding_tests;
#[cfg(test)]
mod change_tests;
#[cfg(test)]
mod following_tests;
#[cfg(test)]
mod misreading_tests;
#[cfg(test)]
mod naming_tests;
#[cfg(test)]
mod property_tests;
#[cfg(test)]
mod question_tests;
#[cfg(test)]
mod splitting_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod utterance_tests;
#[cfg(test)]
mod written_out_tests;

pub struct Offline;

impl Model for Offline {
    fn complete<'a>(&'a self, request: ModelRequest<'a>) -> Completing<'a> {
        Box::pin(async move { Ok(complete(&request)) })
    }

    fn reads_prompts(&self) -> bool {
        false
    }

    fn toolkits(&self) -> Option<&'static [&'static str]> {
        Some(&["expenses"])
    }
}

/// What to do about a message.
#[derive(Debug, Clone, PartialEq)]
enum Reply {
    Calls(Vec<Call>),
    Ask(Question),
    Say(String),
}

#[derive(Debug, Clone, PartialEq)]
struct Call {
    name: &'static str,
    arguments: Value,
}

#[derive(Debug, Clone, PartialEq, Default)]
struct Question {
    text: String,
    options: Vec<String>,
    missing: Vec<&'static str>,
}

fn one(name: &'static str, arguments: Value) -> Reply {
    Reply::Calls(vec![Call { name, arguments }])
}

fn complete(request: &ModelRequest<'_>) -> Completion {
    let reply = match request.messages.last() {
        Some(Message::Outcomes(_)) => match conversation::of_no_row(request.messages, reader(request)) {
            Some(reply) => reply,
            None => {
                let told = relayed(request.messages);
                let asked = request.messages.len().checked_sub(2).and_then(|said| {
                    let said = &request.messages[..said];
                    conversation::left_open(said, reader(request))
                });
                return Completion::text(asked.into_iter().fold(told, |told, asked| told + "\n\n" + &asked));
            }
        },
        Some(Message::User(_)) => {
            let messages = page_row::named_in(request.messages, request.page_rows, reader(request));
            others::reply(request).unwrap_or_else(|| conversation::reply(&messages, reader(request)))
        }
        Some(Message::Assistant { .. }) | None => Reply::Say(wording::HELP.to_owned()),
    };
    match reply {
        Reply::Say(text) => Completion::text(text),
        Reply::Ask(question) if !offers(request, "ask_questions") => Completion::text(in_words(&question)),
        Reply::Ask(question) => called(vec![Call { name: "ask_questions", arguments: asked(&question) }]),
        Reply::Calls(calls) => match calls.iter().find(|call| !offers(request, call.name)) {
            Some(missing) => Completion::text(wording::not_here(missing.name)),
            None => called(calls),
        },
    }
}

fn reader(request: &ModelRequest<'_>) -> Reader {
    Reader { today: request.today, hour: request.hour, conventions: request.conventions }
}

fn offers(request: &ModelRequest<'_>, name: &str) -> bool {
    request.choice == ToolChoice::Auto && request.tools.iter().any(|tool| tool.name == name)
}

fn called(calls: Vec<Call>) -> Completion {
    let numbered = calls.into_iter().zip(1..);
    let calls = numbered.map(|(call, number)| ToolCall {
        id: format!("call_{number}"),
        name: call.name.to_owned(),
        arguments: call.arguments,
    });
    Completion::calls(calls.collect())
}

/// What the tools said, in their order.
fn relayed(messages: &[Message]) -> String {
    let Some(Message::Outcomes(outcomes)) = messages.last() else { return String::new() };
    let relay = |outcome: &super::CallOutcome| match outcome.refused {
        true => sentence(&outcome.content),
        false => outcome.content.clone(),
    };
    match outcomes.iter().map(relay).filter(|text| !text.trim().is_empty()).collect::<Vec<_>>() {
        texts if texts.is_empty() => "I found nothing.".to_owned(),
        texts => texts.join("\n"),
    }
}

fn asked(question: &Question) -> Value {
    let mut asked = json!({ "text": question.text });
    if !question.options.is_empty() {
        asked["options"] = json!(question.options);
    }
    if !question.missing.is_empty() {
        asked["missing"] = json!(question.missing);
    }
    json!({ "questions": [asked] })
}

fn in_words(question: &Question) -> String {
    match question.options.is_empty() {
        true => question.text.clone(),
        false => format!("{} ({})", question.text, question.options.join(", ")),
    }
}

//! A strict JSON protocol for models without tool calls: each answer is one object, which asks a question, calls a tool
//! or says something. It wraps any model that completes plain text.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Completing, Completion, Ending, Message, Model, ModelError, ModelRequest, Preparing, System, ToolCall, ToolChoice,
};

pub struct JsonProtocol<M>(pub M);

impl<M: Model> Model for JsonProtocol<M> {
    fn complete<'a>(&'a self, request: ModelRequest<'a>) -> Completing<'a> {
        Box::pin(self.complete_in_json(request))
    }

    fn prepare(&self) -> Preparing<'_> {
        self.0.prepare()
    }
}

impl<M: Model> JsonProtocol<M> {
    /// An invalid answer is sent back once, with the reason.
    async fn complete_in_json(&self, request: ModelRequest<'_>) -> Result<Completion, ModelError> {
        let system =
            System { rules: format!("{}\n\n{}", request.system.rules, contract(&request)), now: now(&request) };
        let mut messages: Vec<Message> = request.messages.iter().map(as_text_message).collect();
        for sending in 1..=2 {
            let json_request = ModelRequest {
                system: &system,
                messages: &messages,
                tools: &[],
                choice: ToolChoice::None,
                // The text is JSON, which nobody should see.
                pieces: None,
                ..request
            };
            let completion = self.0.complete(json_request).await?;
            if completion.ending != Ending::Complete {
                return Ok(Completion { calls: vec![], native: None, ..completion });
            }
            match read(&completion.text, request.choice) {
                Ok(read) => return Ok(read),
                Err(_) if sending == 2 => break,
                Err(wrong) => {
                    messages.push(Message::assistant(completion.text));
                    messages.push(Message::User(format!("(The application: {wrong}. Send the JSON alone.)")));
                }
            }
        }
        Err(ModelError::Unavailable("its answer is no JSON of the contract"))
    }
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum JsonAnswer {
    Clarify {
        question: String,
    },
    #[serde(rename_all = "camelCase")]
    ToolCall {
        tool: String,
        args: Value,
        #[serde(default)]
        confirmation_suggested: bool,
        /// The model does not decide what text the person sees.
        #[serde(default, rename = "confirmationMessage")]
        _confirmation_message: Option<String>,
    },
    Answer {
        content: String,
    },
}

const CONTRACT: &str = "\
Answer with exactly one JSON object and nothing around it, one of:
{\"type\": \"clarify\", \"question\": \"…\"} when something needed is missing or unclear;
{\"type\": \"tool_call\", \"tool\": \"…\", \"args\": {…}, \"confirmationSuggested\": true or false} to call a tool; for several \
at once, an array of such objects;
{\"type\": \"answer\", \"content\": \"…\"} to answer.";

fn contract(request: &ModelRequest<'_>) -> String {
    let tools: Vec<Value> = request
        .tools
        .iter()
        .filter(|tool| tool.name != ASK)
        .map(|tool| json!({ "name": tool.name, "description": tool.description, "schema": tool.parameters }))
        .collect();
    format!("{CONTRACT}\nInstead of ask_questions, clarify. The tools: {}", Value::Array(tools))
}

fn now(request: &ModelRequest<'_>) -> String {
    match request.choice {
        ToolChoice::Auto => request.system.now.clone(),
        ToolChoice::None => format!("{}\nNo tool can be called now: answer.", request.system.now),
    }
}

const ASK: &str = "ask_questions";

/// Calls and outcomes become text, because there is no other form for them.
fn as_text_message(message: &Message) -> Message {
    match message {
        Message::User(text) => Message::User(text.clone()),
        Message::Assistant { text, calls, .. } if calls.is_empty() => Message::assistant(text.clone()),
        Message::Assistant { calls, .. } => {
            let calls =
                calls.iter().map(|call| json!({ "type": "tool_call", "tool": call.name, "args": call.arguments }));
            let calls: Vec<Value> = calls.collect();
            Message::assistant(match calls.as_slice() {
                [one] => one.to_string(),
                several => json!(several).to_string(),
            })
        }
        Message::Outcomes(outcomes) => {
            let outcomes = outcomes.iter().map(|outcome| {
                let field = if outcome.refused { "error" } else { "result" };
                json!({ field: outcome.content })
            });
            let outcomes: Vec<Value> = outcomes.collect();
            Message::User(format!("(The application: what came of it, in the same order: {})", Value::Array(outcomes)))
        }
    }
}

fn read(text: &str, choice: ToolChoice) -> Result<Completion, &'static str> {
    const NO_JSON: &str = "that was not one JSON object of the contract, or had a field that it does not know";
    let text = without_code_fence(text.trim());
    let answers: Vec<JsonAnswer> = match text.starts_with('[') {
        true => serde_json::from_str(text).map_err(|_| NO_JSON)?,
        false => vec![serde_json::from_str(text).map_err(|_| NO_JSON)?],
    };
    if let [JsonAnswer::Answer { content }] = answers.as_slice() {
        return Ok(Completion::text(content.as_str()));
    }
    if choice == ToolChoice::None {
        return Err("no tool can be called now; only {\"type\": \"answer\"} is left");
    }
    if let [JsonAnswer::Clarify { question }] = answers.as_slice() {
        let arguments = json!({ "questions": [{ "text": question }] });
        return Ok(Completion::calls(vec![ToolCall { id: "call_1".into(), name: ASK.into(), arguments }]));
    }
    let mut completion = Completion::default();
    for (answer, number) in answers.into_iter().zip(1..) {
        let JsonAnswer::ToolCall { tool, args, confirmation_suggested, .. } = answer else {
            return Err("only calls of tools can stand side by side in an array");
        };
        completion.confirmation_suggested |= confirmation_suggested;
        completion.calls.push(ToolCall { id: format!("call_{number}"), name: tool, arguments: args });
    }
    if completion.calls.is_empty() { Err(NO_JSON) } else { Ok(completion) }
}

/// Models often put one Markdown fence around the object.
fn without_code_fence(text: &str) -> &str {
    let fenced = text.strip_prefix("```json").or_else(|| text.strip_prefix("```"));
    fenced.and_then(|text| text.strip_suffix("```")).map_or(text, str::trim)
}

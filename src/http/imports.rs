//! `POST /imports`: a file becomes a preview, and then one proposal. A message with an attachment does the same.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::request::Parts,
    response::Response,
};
use ring::digest::{Context, SHA256};
use serde_json::{Map, Value, json};

use super::{
    HttpError, body,
    caller::caller,
    deadline, in_time, ok,
    request::{self, ImportRequest},
    respond,
};
use crate::{
    agent::{Deadline, Form, FormChange, FormOperation, Input, TurnError},
    app::App,
    expenses::{
        ExpenseKind,
        import::{Import, hints, plan},
    },
    identity::Caller,
    import::{self, Guess, Unreadable},
    json_fields::FieldError,
    phrases::{Conventions, Style},
    proposal::Call,
    tool::{NameCache, Question, RecordKind, ToolContext},
};

pub async fn import(State(app): State<Arc<App>>, request: Request) -> Result<Response, HttpError> {
    let (parts, body) = request.into_parts();
    let caller = caller(&app, &parts)?;
    let deadline = deadline(&app, &parts);
    let body = body::read_import(&parts.headers, body).await?;
    let asked = request::import(&body)?;
    let turn = request::imported(&body, &parts.headers, &app.agent.registry)?;
    let import = read(&app, &parts, &caller, &asked).await?;
    if !asked.propose {
        return Ok(ok(&import.view(asked.from)));
    }
    if let Some(guess) = import.open_settings().first() {
        return Err(FieldError::Unprocessable(which(guess)).into());
    }
    let input = Input::Form(form(&import, &asked, &caller));
    respond(&app, caller, deadline, turn(input), super::Form::accepted(&parts)).await
}

/// A message with a file: its proposal, or a question about what the file leaves open.
pub async fn chat(
    app: &Arc<App>,
    parts: &Parts,
    caller: Caller,
    deadline: Deadline,
    body: &Map<String, Value>,
    asked: ImportRequest,
) -> Result<Response, HttpError> {
    let turn = request::imported(body, &parts.headers, &app.agent.registry)?;
    let import = read(app, parts, &caller, &asked).await?;
    let open: Vec<String> = import.open_settings().iter().map(which).collect();
    let ask = |text: String, missing: Vec<String>| Input::Incomplete {
        said: format!("Import “{}”.", asked.name),
        question: Question { text, missing, ..Question::default() },
    };
    let input = if !open.is_empty() {
        let text = format!("Before I can import “{}”: {}.", asked.name, open.join(". "));
        ask(text, import.open_settings().iter().map(|guess| format!("settings.{}", guess.setting)).collect())
    } else if import.drafts(caller.user().as_str()).is_empty() {
        ask(format!("{}Nothing is left to add.", import.lead(&asked.name, Style::default())), vec![])
    } else {
        Input::Form(form(&import, &asked, &caller))
    };
    respond(app, caller, deadline, turn(input), super::Form::accepted(parts)).await
}

async fn read(app: &App, parts: &Parts, caller: &Caller, asked: &ImportRequest) -> Result<Import, HttpError> {
    if !caller.may_add() {
        let text = "viewers can look but not add. Ask an administrator for another role";
        return Err(TurnError::Forbidden(text.into()).into());
    }
    let known = in_time(app, parts, app.agent.preferences(caller)).await?;
    let (filters, names) = (Map::new(), NameCache::default());
    let context = app.agent.page_context(caller, (app.now)(), &known, &filters, &names);
    let reading = app.agent.registry.reading_preferences(&known.preferences);
    let conventions = asked.user_context.locale.as_deref().map_or_else(Conventions::default, Conventions::of_locale);
    let context = ToolContext {
        conventions: conventions.with_marks(reading.decimal_mark, reading.day_order),
        currency: asked.user_context.currency.as_deref().or(context.currency),
        ..context
    };
    let read = import::read(&asked.bytes, &asked.settings, hints(&context)).map_err(unreadable)?;
    in_time(app, parts, plan(&context, read, &asked.ticks)).await
}

fn form(import: &Import, asked: &ImportRequest, caller: &Caller) -> Form {
    let row = |draft| FormOperation { kind: ExpenseKind.name().into(), change: FormChange::Import(Box::new(draft)) };
    Form {
        operations: import.drafts(caller.user().as_str()).into_iter().map(row).collect(),
        // It is stored with the proposal, so it has no more of the file than tells it apart from others.
        call: Call { tool: "import".into(), arguments: json!({ "file": asked.name, "content": digest(asked) }) },
        approve: asked.approve,
        in_conversation: asked.in_conversation,
        lead: import.lead(&asked.name, Style::default()),
    }
}

fn digest(asked: &ImportRequest) -> String {
    let chosen = format!("{:?} {:?}", asked.settings, asked.ticks);
    let mut all = Context::new(&SHA256);
    all.update(&asked.bytes);
    all.update(chosen.as_bytes());
    hex::encode(all.finish().as_ref())
}

fn which(guess: &Guess) -> String {
    let values = match guess.setting {
        "dateOrder" => "day-first or month-first",
        "decimalMark" => "point or comma",
        "spending" => "negative or positive",
        "currency" => "a code like GBP",
        _ => "what each column has",
    };
    format!("{}. Look at the file, and send it again with `settings.{}`: {values}", guess.why, guess.setting)
}

fn unreadable(error: Unreadable) -> HttpError {
    let text = error.to_string();
    match error {
        Unreadable::TooMany => FieldError::TooLarge(text).into(),
        _ => FieldError::Unprocessable(text).into(),
    }
}

//! Parses requests: JSON fields and headers become the input of a turn, or an error that says what to send instead.
//! Nothing here calls the store or a model.

use axum::http::HeaderMap;
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};

use crate::{
    agent::{Input, Scope, UserContext},
    json_fields::{FieldError, Fields, at_most, short, wrong},
    model::Message,
    phrases::clean,
    proposal::{Call, Decision, Fingerprint, ProposalId},
    receipts::undo::Undo,
    tool::{Action, Edits, Registry},
};

pub use form::form;
pub use import::{ImportRequest, attachment, import, imported};

mod form;
mod import;
#[cfg(test)]
mod tests;

/// In characters.
pub const MAX_MESSAGE: usize = 4_000;
pub const MAX_HISTORY: usize = 40;
/// In characters.
pub const MAX_HISTORY_TURN: usize = 8_000;
/// In characters.
pub const MAX_REASON: usize = 1_000;
/// Of a conversation's or message's id, in bytes: both become parts of keys.
pub const MAX_ID: usize = 128;

/// That a page can name as those it shows.
const MAX_ROWS: usize = 100;

const DEFAULT_CONVERSATION: &str = "default";

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    #[error(transparent)]
    Field(#[from] FieldError),
    /// The address or the body has a text that cannot be a proposal's id.
    #[error("this proposal does not exist")]
    NoSuchProposal,
}

/// The content of a request, without its caller, time and deadline.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnInput {
    pub conversation: String,
    pub message_id: Option<String>,
    pub input: Input,
    pub history: Option<Vec<Message>>,
    pub user_context: UserContext,
    /// The page's filters, unchanged; the toolkits have checked their names and values.
    pub filters: Map<String, Value>,
    /// What the page shows. Its kinds exist.
    pub scope: Option<Scope>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecisionKind {
    Approve,
    Reject,
    Revise,
    Stop,
}

/// `POST /chat`.
pub fn chat(body: &Map<String, Value>, headers: &HeaderMap, registry: &Registry) -> Result<TurnInput, RequestError> {
    let body = Fields::root(body);
    let mut history = body.list("history")?.map(history).transpose()?;
    let input = match body.object("confirm")? {
        Some(confirm) => confirmation(&confirm)?,
        None => Input::Message(message(&body, history.as_mut())?),
    };
    turn_input(&body, headers, registry, input, history)
}

/// `POST /proposals/{id}/confirm`, `/reject` and `/stop`.
pub fn decision(
    kind: DecisionKind,
    id: &str,
    body: &Map<String, Value>,
    headers: &HeaderMap,
    registry: &Registry,
) -> Result<TurnInput, RequestError> {
    let body = Fields::root(body);
    let named = match kind {
        DecisionKind::Approve => "approve",
        DecisionKind::Reject => "reject",
        DecisionKind::Stop => "stop",
        DecisionKind::Revise => "edit",
    };
    if body.text("decision")?.is_some_and(|decision| decision != named) {
        let detail = format!("`decision` and the address (to {named}) differ. Send one of them");
        return Err(FieldError::Unprocessable(detail).into());
    }
    let input = decide(kind, id, &body)?;
    turn_input(&body, headers, registry, input, None)
}

/// `POST /proposals/{id}/undo`.
pub fn undo(
    id: &str,
    body: &Map<String, Value>,
    headers: &HeaderMap,
    registry: &Registry,
) -> Result<TurnInput, RequestError> {
    let id = ProposalId::parse(id).ok_or(RequestError::NoSuchProposal)?;
    let call = Call { tool: Undo::NAME.into(), arguments: json!({ "receipt": id.as_str() }) };
    turn_input(&Fields::root(body), headers, registry, Input::Action { call, said: "Undo that.".into() }, None)
}

/// A turn of a chat kit. `context` has the optional fields of `POST /chat` that are neither input nor id.
pub fn of_kit(
    conversation: &str,
    message_id: &str,
    input: Input,
    context: &Fields<'_>,
    registry: &Registry,
) -> Result<TurnInput, RequestError> {
    Ok(TurnInput {
        conversation: id("the conversation's id", conversation)?,
        message_id: Some(id("the message's id", message_id)?),
        input,
        history: None,
        user_context: user_context(context)?,
        filters: filters(context, registry)?,
        scope: context.object("scope")?.map(|scope| self::scope(&scope, registry)).transpose()?,
    })
}

fn turn_input(
    body: &Fields<'_>,
    headers: &HeaderMap,
    registry: &Registry,
    input: Input,
    history: Option<Vec<Message>>,
) -> Result<TurnInput, RequestError> {
    let conversation = body.text("conversationId")?.unwrap_or(DEFAULT_CONVERSATION);
    Ok(TurnInput {
        conversation: id("conversationId", conversation)?,
        message_id: message_id(body, headers)?,
        input,
        history,
        user_context: user_context(body)?,
        filters: filters(body, registry)?,
        scope: body.object("scope")?.map(|scope| self::scope(&scope, registry)).transpose()?,
    })
}

/// The user's latest message. If the history ends with the same message, it is removed there.
fn message(body: &Fields<'_>, history: Option<&mut Vec<Message>>) -> Result<String, RequestError> {
    let given = match body.text("message")? {
        Some(message) => Some(message),
        None => body.text("question")?,
    };
    let message = match (given, history) {
        (Some(given), history) => {
            let message = clean_message("message", given)?;
            if let Some(history) = history {
                history.pop_if(|last| matches!(last, Message::User(text) if *text == message));
            }
            message
        }
        (None, Some(history)) => match history.iter().rposition(|turn| matches!(turn, Message::User(_))) {
            Some(at) => match history.drain(at..).next() {
                Some(Message::User(text)) => clean_message("history", &text)?,
                _ => unreachable!("the position is a user's turn"),
            },
            None => return Err(no_message()),
        },
        (None, None) => return Err(no_message()),
    };
    if message.is_empty() { Err(no_message()) } else { Ok(message) }
}

/// A message that a chat kit has in one of its fields.
pub fn message_text(name: &str, text: &str) -> Result<String, RequestError> {
    let message = clean_message(name, text)?;
    if message.is_empty() { Err(no_message()) } else { Ok(message) }
}

fn clean_message(name: &str, text: &str) -> Result<String, RequestError> {
    at_most(name, text, MAX_MESSAGE)?;
    // Line breaks stay, because people write lists.
    let lines = text.lines().map(clean).filter(|line| !line.is_empty());
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

pub fn no_message() -> RequestError {
    FieldError::Malformed("the message is missing. Send `message` with some text, or `confirm`".into()).into()
}

fn history(turns: &[Value]) -> Result<Vec<Message>, RequestError> {
    if turns.len() > MAX_HISTORY {
        return Err(
            FieldError::TooLarge(format!("`history` has more than {MAX_HISTORY} turns. Send the latest ones")).into()
        );
    }
    turns.iter().enumerate().map(|(n, turn)| history_turn(&format!("history[{n}]"), turn)).collect()
}

fn history_turn(path: &str, turn: &Value) -> Result<Message, RequestError> {
    let turn = Fields::of(path, turn)?;
    let content = turn.required_text("content")?;
    at_most(&turn.path("content"), content, MAX_HISTORY_TURN)?;
    let content = clean(content);
    match turn.required_text("role")? {
        "user" => Ok(Message::User(content)),
        "assistant" => Ok(Message::assistant(content)),
        _ => Err(FieldError::Malformed(format!("`{}` must be `user` or `assistant`", turn.path("role"))).into()),
    }
}

fn confirmation(confirm: &Fields<'_>) -> Result<Input, RequestError> {
    if !confirm.has("proposalId") && confirm.has("tool") {
        return Ok(Input::Call(Call {
            tool: confirm.required_text("tool")?.to_owned(),
            arguments: Value::Object(confirm.object("args")?.map(|args| args.fields.clone()).unwrap_or_default()),
        }));
    }
    let kind = match confirm.required_text("decision")? {
        "approve" => DecisionKind::Approve,
        "reject" => DecisionKind::Reject,
        "edit" => DecisionKind::Revise,
        "stop" => DecisionKind::Stop,
        _ => {
            let detail = "`confirm.decision` must be `approve`, `reject`, `edit` or `stop`";
            return Err(FieldError::Malformed(detail.into()).into());
        }
    };
    decide(kind, confirm.required_text("proposalId")?, confirm)
}

fn decide(kind: DecisionKind, id: &str, fields: &Fields<'_>) -> Result<Input, RequestError> {
    let changes = fields.has("exclude") || fields.has("edits");
    if kind == DecisionKind::Revise && !changes {
        let detail =
            "say what to change. `confirm.exclude` lists operations by number, `confirm.edits` has fields by number";
        return Err(FieldError::Unprocessable(detail.into()).into());
    }
    if kind != DecisionKind::Revise && changes {
        let detail =
            "`exclude` and `edits` need the decision `edit`. Other decisions are about everything that was shown";
        return Err(FieldError::Unprocessable(detail.into()).into());
    }
    let Some(fingerprint) = fields.text("fingerprint")? else {
        let detail =
            format!("`{}` is missing. Send the one of the proposal that was shown", fields.path("fingerprint"));
        return Err(FieldError::Unprocessable(detail).into());
    };
    let reason = fields.text("reason")?;
    if let Some(reason) = reason {
        at_most(&fields.path("reason"), reason, MAX_REASON)?;
    }
    let decision = match kind {
        DecisionKind::Approve => Decision::Approve,
        DecisionKind::Stop => Decision::Stop,
        DecisionKind::Revise => Decision::Revise(edits(fields)?),
        DecisionKind::Reject => Decision::Reject { reason: reason.map(clean).filter(|reason| !reason.is_empty()) },
    };
    let id = ProposalId::parse(id).ok_or(RequestError::NoSuchProposal)?;
    Ok(Input::Decision { id, fingerprint: Fingerprint(fingerprint.to_owned()), decision })
}

/// `{ "exclude": [2], "edits": { "1": { "amount": "45" } } }`
fn edits(confirm: &Fields<'_>) -> Result<Edits, RequestError> {
    let exclude = confirm.list("exclude")?.unwrap_or_default().iter().map(|n| {
        let n = n.as_u64().and_then(|n| usize::try_from(n).ok());
        n.ok_or_else(|| wrong(&confirm.path("exclude"), "a list of numbers"))
    });
    let mut edits = Edits { exclude: exclude.collect::<Result<_, _>>()?, ..Edits::default() };
    if let Some(fields) = confirm.object("edits")? {
        for (n, edit) in fields.fields {
            let edit = Fields::of(&fields.path(n), edit)?;
            let n = n.parse().map_err(|_| wrong(&fields.name, "an object whose names are numbers of operations"))?;
            edits.fields.insert(n, edit.fields.clone());
        }
    }
    Ok(edits)
}

fn message_id(body: &Fields<'_>, headers: &HeaderMap) -> Result<Option<String>, RequestError> {
    let given = body.text("messageId")?.map(|given| id("messageId", given)).transpose()?;
    let mut keys = headers.get_all("idempotency-key").iter();
    let key = match (keys.next(), keys.next()) {
        (None, _) => return Ok(given),
        (Some(key), None) => key.to_str().map_err(|_| malformed_id("Idempotency-Key"))?,
        (Some(_), Some(_)) => {
            return Err(FieldError::Malformed("send one `Idempotency-Key` header, not several".into()).into());
        }
    };
    let key = id("Idempotency-Key", key)?;
    match given {
        Some(given) if given != key => {
            Err(FieldError::Malformed("`messageId` and the header `Idempotency-Key` differ. Send one of them".into())
                .into())
        }
        _ => Ok(Some(key)),
    }
}

fn id(name: &str, text: &str) -> Result<String, RequestError> {
    if text.is_empty() || text.len() > MAX_ID || text.contains(char::is_control) {
        return Err(malformed_id(name));
    }
    Ok(text.to_owned())
}

fn malformed_id(name: &str) -> RequestError {
    FieldError::Malformed(format!("`{name}` must have 1 to {MAX_ID} bytes and no control characters")).into()
}

fn user_context(body: &Fields<'_>) -> Result<UserContext, RequestError> {
    let Some(context) = body.object("userContext")? else { return Ok(UserContext::default()) };
    let timezone = context.text("timezone")?.map(|name| {
        let detail =
            || format!("`userContext.timezone` {:?} is not known. Send an IANA name, like Europe/London", short(name));
        TimeZone::get(name).map(|_| name.to_owned()).map_err(|_| FieldError::Unprocessable(detail()))
    });
    Ok(UserContext {
        timezone: timezone.transpose()?,
        currency: context.currency()?,
        locale: context.text("locale")?.map(short),
    })
}

/// `{ "kind": "expense", "rows": [{ "kind": "expense", "id": 42 }], "filters": {} }`
fn scope(scope: &Fields<'_>, registry: &Registry) -> Result<Scope, RequestError> {
    let kind = |fields: &Fields<'_>| -> Result<String, RequestError> {
        let name = fields.required_text("kind")?;
        if registry.kind_named(name).is_some() {
            return Ok(name.to_owned());
        }
        let known = registry.kinds().map(|kind| format!("`{}`", kind.name())).collect::<Vec<_>>().join(", ");
        let detail = format!("`{}` cannot be {:?}. It can be {known}", fields.path("kind"), short(name));
        Err(FieldError::Unprocessable(detail).into())
    };
    let rows = scope.list("rows")?.unwrap_or_default();
    if rows.len() > MAX_ROWS {
        return Err(
            FieldError::TooLarge(format!("`scope.rows` has more than {MAX_ROWS} rows. Send the first ones")).into()
        );
    }
    let row = |(n, row): (usize, &Value)| {
        let row = Fields::of(&format!("scope.rows[{n}]"), row)?;
        let id = row.get("id").and_then(Value::as_u64).ok_or_else(|| wrong(&row.path("id"), "a whole number"))?;
        Ok::<_, RequestError>((kind(&row)?, id))
    };
    Ok(Scope {
        kind: kind(scope)?,
        rows: rows.iter().enumerate().map(row).collect::<Result<_, _>>()?,
        filters: scope.object("filters")?.map(|filters| filters.fields.clone()).unwrap_or_default(),
    })
}

/// The page's filters apply only if `applyFiltersToQuery` is set. They have the form of `detectedFilters`, or are
/// words, also where they do not apply. Then a page may send others too.
fn filters(body: &Fields<'_>, registry: &Registry) -> Result<Map<String, Value>, RequestError> {
    let (active, apply) = (body.object("activeFilters")?, body.flag("applyFiltersToQuery")?);
    let Some(active) = active else { return Ok(Map::new()) };
    if apply {
        registry.check_names_of_page_filters(&active)?;
    }
    registry.check_page_filters(&active)?;
    Ok(if apply { active.fields.clone() } else { Map::new() })
}

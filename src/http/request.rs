//! Parses requests: JSON fields and headers become the input of a turn, or an error that says what to send instead.
//! Nothing here calls the store or a model.

use axum::http::HeaderMap;
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};

use crate::{
    agent::{Input, UserContext},
    model::Message,
    money::Currency,
    phrases::clean,
    proposal::{Call, Decision, Fingerprint, ProposalId},
    receipts::undo::Undo,
    tool::{Action, Edits, Filters},
};

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

/// Of one filter, in characters.
const MAX_FILTER: usize = 200;
const MAX_CATEGORIES: usize = 20;
const FILTERS: [&str; 12] = [
    "range", "category", "categories", "words", "minAmount", "maxAmount", "moreThan", "lessThan", "currency", "text",
    "hasNotes", "without",
];

const DEFAULT_CONVERSATION: &str = "default";

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    #[error("{0}")]
    Malformed(String),
    #[error("{0}")]
    TooLarge(String),
    /// Well-formed, but without a possible meaning.
    #[error("{0}")]
    Unprocessable(String),
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
    pub filters: Filters,
    /// The name of a kind of record. Whether there is one of this name, the registry knows.
    pub scope: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecisionKind {
    Approve,
    Reject,
    Revise,
    Stop,
}

/// `POST /chat`.
pub fn chat(body: &Map<String, Value>, headers: &HeaderMap) -> Result<TurnInput, RequestError> {
    let body = Fields::root(body);
    let mut history = body.list("history")?.map(history).transpose()?;
    let input = match body.object("confirm")? {
        Some(confirm) => confirmation(&confirm)?,
        None => Input::Message(message(&body, history.as_mut())?),
    };
    turn_input(&body, headers, input, history)
}

/// `POST /proposals/{id}/confirm`, `/reject` and `/stop`.
pub fn decision(
    kind: DecisionKind,
    id: &str,
    body: &Map<String, Value>,
    headers: &HeaderMap,
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
        return Err(RequestError::Unprocessable(detail));
    }
    let input = decide(kind, id, &body)?;
    turn_input(&body, headers, input, None)
}

/// `POST /proposals/{id}/undo`.
pub fn undo(id: &str, body: &Map<String, Value>, headers: &HeaderMap) -> Result<TurnInput, RequestError> {
    let id = ProposalId::parse(id).ok_or(RequestError::NoSuchProposal)?;
    let call = Call { tool: Undo::NAME.into(), arguments: json!({ "receipt": id.as_str() }) };
    turn_input(&Fields::root(body), headers, Input::Action { call, said: "Undo that.".into() }, None)
}

fn turn_input(
    body: &Fields<'_>,
    headers: &HeaderMap,
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
        filters: filters(body)?,
        scope: scope(body)?,
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

fn clean_message(name: &str, text: &str) -> Result<String, RequestError> {
    at_most(name, text, MAX_MESSAGE)?;
    // Line breaks stay, because people write lists.
    let lines = text.lines().map(clean).filter(|line| !line.is_empty());
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

fn no_message() -> RequestError {
    RequestError::Malformed("the message is missing. Send `message` with some text, or `confirm`".into())
}

fn history(turns: &[Value]) -> Result<Vec<Message>, RequestError> {
    if turns.len() > MAX_HISTORY {
        return Err(RequestError::TooLarge(format!(
            "`history` has more than {MAX_HISTORY} turns. Send the latest ones"
        )));
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
        _ => Err(RequestError::Malformed(format!("`{}` must be `user` or `assistant`", turn.path("role")))),
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
            return Err(RequestError::Malformed(detail.into()));
        }
    };
    decide(kind, confirm.required_text("proposalId")?, confirm)
}

fn decide(kind: DecisionKind, id: &str, fields: &Fields<'_>) -> Result<Input, RequestError> {
    let changes = fields.has("exclude") || fields.has("edits");
    if kind == DecisionKind::Revise && !changes {
        let detail =
            "say what to change. `confirm.exclude` lists operations by number, `confirm.edits` has fields by number";
        return Err(RequestError::Unprocessable(detail.into()));
    }
    if kind != DecisionKind::Revise && changes {
        let detail =
            "`exclude` and `edits` need the decision `edit`. Other decisions are about everything that was shown";
        return Err(RequestError::Unprocessable(detail.into()));
    }
    let Some(fingerprint) = fields.text("fingerprint")? else {
        let detail =
            format!("`{}` is missing. Send the one of the proposal that was shown", fields.path("fingerprint"));
        return Err(RequestError::Unprocessable(detail));
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
            return Err(RequestError::Malformed("send one `Idempotency-Key` header, not several".into()));
        }
    };
    let key = id("Idempotency-Key", key)?;
    match given {
        Some(given) if given != key => {
            Err(RequestError::Malformed("`messageId` and the header `Idempotency-Key` differ. Send one of them".into()))
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
    RequestError::Malformed(format!("`{name}` must have 1 to {MAX_ID} bytes and no control characters"))
}

fn user_context(body: &Fields<'_>) -> Result<UserContext, RequestError> {
    let Some(context) = body.object("userContext")? else { return Ok(UserContext::default()) };
    let timezone = context.text("timezone")?.map(|name| {
        let detail =
            || format!("`userContext.timezone` {:?} is not known. Send an IANA name, like Europe/London", short(name));
        TimeZone::get(name).map(|_| name.to_owned()).map_err(|_| RequestError::Unprocessable(detail()))
    });
    Ok(UserContext {
        timezone: timezone.transpose()?,
        currency: currency(&context)?,
        locale: context.text("locale")?.map(short),
    })
}

/// An ISO 4217 code in any case.
fn currency(fields: &Fields<'_>) -> Result<Option<String>, RequestError> {
    let currency = fields.text("currency")?.map(|code| {
        let currency = Currency::parse(code).map(|currency| currency.code().to_owned());
        currency.map_err(|error| RequestError::Unprocessable(format!("`{}`: {error}", fields.path("currency"))))
    });
    currency.transpose()
}

/// `{ "kind": "expense" }`
fn scope(body: &Fields<'_>) -> Result<Option<String>, RequestError> {
    let scope = body.object("scope")?;
    scope.map(|scope| scope.required_text("kind").map(str::to_owned)).transpose()
}

/// The page's filters apply only if `applyFiltersToQuery` is set. They have the form of `detectedFilters`, or are
/// words.
fn filters(body: &Fields<'_>) -> Result<Filters, RequestError> {
    let active = body.object("activeFilters")?;
    let (true, Some(active)) = (body.flag("applyFiltersToQuery")?, active) else { return Ok(Filters::default()) };
    if let Some(unknown) = active.fields.keys().find(|name| !FILTERS.contains(&name.as_str())) {
        let filters = FILTERS.map(|name| format!("`{name}`")).join(", ");
        let detail = format!("`activeFilters` cannot have {:?}. It can have {filters}", short(unknown));
        return Err(RequestError::Unprocessable(detail));
    }
    let text = |name| -> Result<Option<String>, RequestError> {
        let given = active.text(name)?;
        given.map(|given| at_most(&active.path(name), given, MAX_FILTER)).transpose()?;
        Ok(given.map(clean).filter(|given| !given.is_empty()))
    };
    let amount = |name| {
        let given = active.get(name).map(|given| serde_json::from_value(given.clone()));
        given.transpose().map_err(|_| wrong(&active.path(name), "an amount, like \"12.50\""))
    };
    let has_notes = active.has("hasNotes").then(|| active.flag("hasNotes")).transpose()?;
    Ok(Filters {
        without: listed_names(&active, "without")?,
        range: filtered_range(&active)?,
        categories: filtered_categories(&active)?,
        words: text("words")?,
        min_amount: amount("minAmount")?,
        max_amount: amount("maxAmount")?,
        more_than: amount("moreThan")?,
        less_than: amount("lessThan")?,
        currency: currency(&active)?,
        text: text("text")?,
        has_notes,
    })
}

fn filtered_range(active: &Fields<'_>) -> Result<Option<String>, RequestError> {
    if !active.get("range").is_some_and(Value::is_object) {
        return Ok(active.text("range")?.map(clean));
    }
    let Some(range) = active.object("range")? else { return Ok(None) };
    let end = |name| range.text(name)?.ok_or_else(|| wrong(&range.path(name), "a date"));
    Ok(Some(format!("{}..{}", end("from")?, end("to")?)))
}

/// `category` or `categories`.
fn filtered_categories(active: &Fields<'_>) -> Result<Vec<String>, RequestError> {
    let one = active.text("category")?;
    let many = listed_names(active, "categories")?;
    if one.is_some() && !many.is_empty() {
        let detail = "send one of `activeFilters.category` and `activeFilters.categories`";
        return Err(RequestError::Unprocessable(detail.into()));
    }
    Ok(one.map(clean).into_iter().filter(|name| !name.is_empty()).chain(many).collect())
}

fn listed_names(active: &Fields<'_>, field: &str) -> Result<Vec<String>, RequestError> {
    let many = active.list(field)?.unwrap_or_default();
    if many.len() > MAX_CATEGORIES {
        let detail = format!("`{}` has more than {MAX_CATEGORIES} names. Send fewer", active.path(field));
        return Err(RequestError::TooLarge(detail));
    }
    let named = |name: &Value| name.as_str().map(clean).ok_or_else(|| wrong(&active.path(field), "a list of text"));
    let many = many.iter().map(named).collect::<Result<Vec<_>, _>>()?;
    Ok(many.into_iter().filter(|name| !name.is_empty()).collect())
}

fn at_most(name: &str, text: &str, characters: usize) -> Result<(), RequestError> {
    // No text has more characters than bytes, which are cheaper to count.
    if text.len() <= characters || text.chars().count() <= characters {
        return Ok(());
    }
    Err(RequestError::TooLarge(format!("`{name}` is longer than {characters} characters. Send a shorter one")))
}

fn short(text: &str) -> String {
    clean(text).chars().take(40).collect()
}

/// An object of the body and its path for error messages. An absent field and `null` are the same.
struct Fields<'a> {
    name: String,
    fields: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    fn root(fields: &'a Map<String, Value>) -> Fields<'a> {
        Fields { name: String::new(), fields }
    }

    fn of(path: &str, value: &'a Value) -> Result<Fields<'a>, RequestError> {
        let fields = value.as_object().ok_or_else(|| wrong(path, "an object"))?;
        Ok(Fields { name: path.to_owned(), fields })
    }

    fn path(&self, name: &str) -> String {
        if self.name.is_empty() { name.to_owned() } else { format!("{}.{name}", self.name) }
    }

    fn get(&self, name: &str) -> Option<&'a Value> {
        self.fields.get(name).filter(|value| !value.is_null())
    }

    fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    fn text(&self, name: &str) -> Result<Option<&'a str>, RequestError> {
        let text = self.get(name).map(|value| value.as_str().ok_or_else(|| wrong(&self.path(name), "text")));
        text.transpose()
    }

    fn required_text(&self, name: &str) -> Result<&'a str, RequestError> {
        self.text(name)?.ok_or_else(|| RequestError::Malformed(format!("`{}` is missing", self.path(name))))
    }

    fn flag(&self, name: &str) -> Result<bool, RequestError> {
        let Some(value) = self.get(name) else { return Ok(false) };
        value.as_bool().ok_or_else(|| wrong(&self.path(name), "true or false"))
    }

    fn object(&self, name: &str) -> Result<Option<Fields<'a>>, RequestError> {
        self.get(name).map(|value| Fields::of(&self.path(name), value)).transpose()
    }

    fn list(&self, name: &str) -> Result<Option<&'a [Value]>, RequestError> {
        let list = self.get(name).map(|value| value.as_array().ok_or_else(|| wrong(&self.path(name), "a list")));
        Ok(list.transpose()?.map(Vec::as_slice))
    }
}

fn wrong(path: &str, expected: &str) -> RequestError {
    RequestError::Malformed(format!("`{path}` must be {expected}"))
}

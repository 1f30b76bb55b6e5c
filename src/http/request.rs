//! What a request means: JSON fields and headers become the parts of a turn, or a reason that says what to send instead.
//! Nothing here calls the store or a model.

use axum::http::HeaderMap;
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};

use crate::{
    agent::{Decision, Input, UserContext},
    model::Message,
    money::Currency,
    phrases::clean,
    proposal::{Call, Fingerprint, ProposalId},
    receipts::undo::Undo,
    tool::{Action, Edits, Filters},
};

/// In characters.
pub const MAX_MESSAGE: usize = 4_000;
pub const MAX_HISTORY: usize = 40;
/// In characters.
pub const MAX_HISTORY_TURN: usize = 8_000;
/// In characters.
pub const MAX_REASON: usize = 1_000;
/// Of a conversation's or message's id, in bytes: both become parts of keys.
pub const MAX_ID: usize = 128;

const DEFAULT_CONVERSATION: &str = "default";

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    #[error("{0}")]
    Malformed(String),
    #[error("{0}")]
    TooLarge(String),
    /// It can be read, but cannot be meant.
    #[error("{0}")]
    Unprocessable(String),
    /// The address or body names what cannot be a proposal's id.
    #[error("there is no such proposal")]
    NoSuchProposal,
}

/// What a request says; who sends it, when, and how long it may take is not in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    pub conversation: String,
    pub message_id: Option<String>,
    pub input: Input,
    pub history: Option<Vec<Message>>,
    pub user_context: UserContext,
    pub filters: Filters,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Approve,
    Reject,
    Edit,
    Stop,
}

/// `POST /chat`.
pub fn chat(body: &Map<String, Value>, headers: &HeaderMap) -> Result<Said, RequestError> {
    let body = Fields::root(body);
    let mut history = body.list("history")?.map(history).transpose()?;
    let input = match body.object("confirm")? {
        Some(confirm) => confirmation(&confirm)?,
        None => Input::Message(message(&body, history.as_mut())?),
    };
    said(&body, headers, input, history)
}

/// `POST /proposals/{id}/confirm`, `/reject` and `/stop`.
pub fn decision(
    verdict: Verdict,
    id: &str,
    body: &Map<String, Value>,
    headers: &HeaderMap,
) -> Result<Said, RequestError> {
    let body = Fields::root(body);
    let named = match verdict {
        Verdict::Approve => "approve",
        Verdict::Reject => "reject",
        Verdict::Stop => "stop",
        Verdict::Edit => "edit",
    };
    if body.text("decision")?.is_some_and(|decision| decision != named) {
        let detail = format!("`decision` says otherwise than the address, which is to {named}; send one of them");
        return Err(RequestError::Unprocessable(detail));
    }
    let input = decide(verdict, id, &body)?;
    said(&body, headers, input, None)
}

/// `POST /proposals/{id}/undo`.
pub fn undo(id: &str, body: &Map<String, Value>, headers: &HeaderMap) -> Result<Said, RequestError> {
    let id = ProposalId::parse(id).ok_or(RequestError::NoSuchProposal)?;
    let call = Call { tool: Undo::NAME.into(), arguments: json!({ "receipt": id.as_str() }) };
    said(&Fields::root(body), headers, Input::Action { call, said: "Undo that.".into() }, None)
}

fn said(
    body: &Fields<'_>,
    headers: &HeaderMap,
    input: Input,
    history: Option<Vec<Message>>,
) -> Result<Said, RequestError> {
    let conversation = body.text("conversationId")?.unwrap_or(DEFAULT_CONVERSATION);
    Ok(Said {
        conversation: id("conversationId", conversation)?,
        message_id: message_id(body, headers)?,
        input,
        history,
        user_context: user_context(body)?,
        filters: filters(body)?,
    })
}

/// The latest words of the user. What they repeat is taken out of the history.
fn message(body: &Fields<'_>, history: Option<&mut Vec<Message>>) -> Result<String, RequestError> {
    let given = match body.text("message")? {
        Some(message) => Some(message),
        None => body.text("question")?,
    };
    let message = match (given, history) {
        (Some(given), history) => {
            let message = spoken("message", given)?;
            if let Some(history) = history {
                history.pop_if(|last| matches!(last, Message::User(text) if *text == message));
            }
            message
        }
        (None, Some(history)) => match history.iter().rposition(|turn| matches!(turn, Message::User(_))) {
            Some(at) => match history.drain(at..).next() {
                Some(Message::User(text)) => spoken("history", &text)?,
                _ => unreachable!("the position is a user's turn"),
            },
            None => return Err(nothing_said()),
        },
        (None, None) => return Err(nothing_said()),
    };
    if message.is_empty() { Err(nothing_said()) } else { Ok(message) }
}

fn spoken(name: &str, text: &str) -> Result<String, RequestError> {
    at_most(name, text, MAX_MESSAGE)?;
    // Lines stay lines: people write lists.
    let lines = text.lines().map(clean).filter(|line| !line.is_empty());
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

fn nothing_said() -> RequestError {
    RequestError::Malformed("there is nothing to answer; send `message` with some text, or `confirm`".into())
}

fn history(turns: &[Value]) -> Result<Vec<Message>, RequestError> {
    if turns.len() > MAX_HISTORY {
        return Err(RequestError::TooLarge(format!(
            "`history` has more than {MAX_HISTORY} turns; send the latest ones"
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
    let verdict = match confirm.required_text("decision")? {
        "approve" => Verdict::Approve,
        "reject" => Verdict::Reject,
        "edit" => Verdict::Edit,
        "stop" => Verdict::Stop,
        _ => {
            let detail = "`confirm.decision` must be `approve`, `reject`, `edit` or `stop`";
            return Err(RequestError::Malformed(detail.into()));
        }
    };
    decide(verdict, confirm.required_text("proposalId")?, confirm)
}

fn decide(verdict: Verdict, id: &str, fields: &Fields<'_>) -> Result<Input, RequestError> {
    let changes = fields.has("exclude") || fields.has("edits");
    if verdict == Verdict::Edit && !changes {
        let detail =
            "say what to change: `confirm.exclude` lists operations by number, `confirm.edits` has fields by number";
        return Err(RequestError::Unprocessable(detail.into()));
    }
    if verdict != Verdict::Edit && changes {
        let detail = "`exclude` and `edits` do not go with this decision, which is about all that was shown";
        return Err(RequestError::Unprocessable(detail.into()));
    }
    let Some(fingerprint) = fields.text("fingerprint")? else {
        let detail =
            format!("`{}` is missing; send the one of the proposal that was shown", fields.path("fingerprint"));
        return Err(RequestError::Unprocessable(detail));
    };
    let reason = fields.text("reason")?;
    if let Some(reason) = reason {
        at_most(&fields.path("reason"), reason, MAX_REASON)?;
    }
    let decision = match verdict {
        Verdict::Approve => Decision::Approve,
        Verdict::Stop => Decision::Stop,
        Verdict::Edit => Decision::Edit(edits(fields)?),
        Verdict::Reject => Decision::Reject { reason: reason.map(clean).filter(|reason| !reason.is_empty()) },
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
            Err(RequestError::Malformed("`messageId` and the header `Idempotency-Key` differ; send one of them".into()))
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
            || format!("`userContext.timezone` {:?} is not known; send an IANA name, like Europe/London", short(name));
        TimeZone::get(name).map(|_| name.to_owned()).map_err(|_| RequestError::Unprocessable(detail()))
    });
    let currency = context.text("currency")?.map(|code| {
        let currency = Currency::parse(code).map(|currency| currency.code().to_owned());
        currency.map_err(|error| RequestError::Unprocessable(format!("`userContext.currency`: {error}")))
    });
    Ok(UserContext {
        timezone: timezone.transpose()?,
        currency: currency.transpose()?,
        locale: context.text("locale")?.map(short),
    })
}

/// The page's filters count only when the page says so.
fn filters(body: &Fields<'_>) -> Result<Filters, RequestError> {
    let active = body.object("activeFilters")?;
    let (true, Some(active)) = (body.flag("applyFiltersToQuery")?, active) else { return Ok(Filters::default()) };
    if let Some(unknown) = active.fields.keys().find(|name| !matches!(name.as_str(), "range" | "category")) {
        let detail = format!("`activeFilters` cannot have {:?}; it can have `range` and `category`", short(unknown));
        return Err(RequestError::Unprocessable(detail));
    }
    // In words, or as `detectedFilters` gives it.
    let range = match active.fields.get("range") {
        Some(Value::Object(_)) => match active.object("range")? {
            Some(range) => {
                let end =
                    |name| Ok::<_, RequestError>(range.text(name)?.ok_or_else(|| wrong(name, "a date"))?.to_owned());
                Some(format!("{}..{}", end("from")?, end("to")?))
            }
            None => None,
        },
        _ => active.text("range")?.map(clean),
    };
    Ok(Filters { range, category: active.text("category")?.map(clean) })
}

fn at_most(name: &str, text: &str, characters: usize) -> Result<(), RequestError> {
    // No text has more characters than bytes.
    if text.len() <= characters || text.chars().count() <= characters {
        return Ok(());
    }
    Err(RequestError::TooLarge(format!("`{name}` is longer than {characters} characters; send a shorter one")))
}

fn short(text: &str) -> String {
    clean(text).chars().take(40).collect()
}

/// An object of the body, and its name for whoever sent a wrong one. An absent field and `null` are the same.
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

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use serde_json::json;

    use super::*;

    const PROPOSAL: &str = "0123456789abcdef0123456789abcdef";

    fn read(body: Value) -> Result<Said, RequestError> {
        chat(body.as_object().unwrap(), &HeaderMap::new())
    }

    fn malformed(detail: &str) -> Result<Said, RequestError> {
        Err(RequestError::Malformed(detail.into()))
    }

    fn saying(text: &str) -> Said {
        Said {
            conversation: "default".into(),
            message_id: None,
            input: Input::Message(text.into()),
            history: None,
            user_context: UserContext::default(),
            filters: Filters::default(),
        }
    }

    #[test]
    fn a_message_is_enough_and_unknown_fields_are_ignored() {
        assert_eq!(
            read(json!({"message": " coffee\u{202e} 3.50 ", "state": 7, "tenant": "x"})),
            Ok(saying("coffee 3.50"))
        );
        assert_eq!(read(json!({"question": "coffee 3.50", "message": null})), Ok(saying("coffee 3.50")));
        assert_eq!(read(json!({"question": "lunch", "message": "coffee 3.50"})), Ok(saying("coffee 3.50")));
    }

    #[test]
    fn nothing_said_is_malformed() {
        let nothing = "there is nothing to answer; send `message` with some text, or `confirm`";
        for body in [
            json!({}),
            json!({"message": "\u{200b} \n"}),
            json!({"history": []}),
            json!({"history": [{"role": "assistant", "content": "hi"}]}),
        ] {
            assert_eq!(read(body), malformed(nothing));
        }
    }

    #[test]
    fn the_last_user_turn_is_the_message_and_is_not_repeated() {
        let user = |text: &str| json!({"role": "user", "content": text});
        let assistant = json!({"role": "assistant", "content": "how much?"});
        let before = vec![Message::User("coffee".into()), Message::assistant("how much?")];
        let expected = Said { history: Some(before), ..saying("3.50") };
        let turns = json!([user("coffee"), assistant, user("3.50")]);
        assert_eq!(read(json!({"history": turns})), Ok(expected.clone()));
        assert_eq!(read(json!({"history": turns, "message": "3.50"})), Ok(expected.clone()));
        assert_eq!(read(json!({"history": [user("coffee"), assistant], "message": "3.50"})), Ok(expected));
    }

    #[test]
    fn a_wrong_type_names_its_field() {
        let cases = [
            (json!({"message": 7}), "`message` must be text"),
            (json!({"message": "x", "history": {}}), "`history` must be a list"),
            (json!({"message": "x", "history": ["x"]}), "`history[0]` must be an object"),
            (
                json!({"message": "x", "history": [{"role": "system", "content": "x"}]}),
                "`history[0].role` must be `user` or `assistant`",
            ),
            (json!({"message": "x", "conversationId": 1}), "`conversationId` must be text"),
            (
                json!({"message": "x", "conversationId": ""}),
                "`conversationId` must have 1 to 128 bytes and no control characters",
            ),
            (
                json!({"message": "x", "messageId": "a\u{0}"}),
                "`messageId` must have 1 to 128 bytes and no control characters",
            ),
            (json!({"message": "x", "userContext": {"timezone": 1}}), "`userContext.timezone` must be text"),
            (json!({"message": "x", "applyFiltersToQuery": "yes"}), "`applyFiltersToQuery` must be true or false"),
            (json!({"confirm": "yes"}), "`confirm` must be an object"),
            (json!({"confirm": {}}), "`confirm.decision` is missing"),
            (
                json!({"confirm": {"decision": "ok"}}),
                "`confirm.decision` must be `approve`, `reject`, `edit` or `stop`",
            ),
            (json!({"confirm": {"tool": "add_expense", "args": 1}}), "`confirm.args` must be an object"),
        ];
        for (body, detail) in cases {
            assert_eq!(read(body), malformed(detail));
        }
    }

    #[test]
    fn what_is_too_long_is_said_to_be() {
        let turn = json!({"role": "user", "content": "x"});
        for body in [
            json!({"message": "x".repeat(MAX_MESSAGE + 1)}),
            json!({"history": [{"role": "user", "content": "x".repeat(MAX_MESSAGE + 1)}]}),
            json!({"message": "x", "history": [{"role": "user", "content": "x".repeat(MAX_HISTORY_TURN + 1)}]}),
            json!({"message": "x", "history": vec![turn; MAX_HISTORY + 1]}),
        ] {
            assert!(matches!(read(body), Err(RequestError::TooLarge(_))));
        }
        assert!(read(json!({"message": "é".repeat(MAX_MESSAGE)})).is_ok());
    }

    #[test]
    fn a_decision_names_proposal_and_fingerprint() {
        let confirm =
            |decision: &str| json!({"confirm": {"proposalId": PROPOSAL, "fingerprint": "f", "decision": decision}});
        let id = ProposalId::parse(PROPOSAL).unwrap();
        let expected = |decision| Input::Decision { id: id.clone(), fingerprint: Fingerprint("f".into()), decision };
        assert_eq!(read(confirm("approve")).unwrap().input, expected(Decision::Approve));
        assert_eq!(read(confirm("reject")).unwrap().input, expected(Decision::Reject { reason: None }));
        assert!(matches!(read(confirm("edit")), Err(RequestError::Unprocessable(_))));
        assert_eq!(read(confirm("stop")).unwrap().input, expected(Decision::Stop));
        let unnamed = json!({"confirm": {"proposalId": PROPOSAL, "decision": "approve"}});
        assert!(matches!(read(unnamed), Err(RequestError::Unprocessable(_))));
        let elsewhere = json!({"confirm": {"proposalId": "../x", "fingerprint": "f", "decision": "approve"}});
        assert_eq!(read(elsewhere), Err(RequestError::NoSuchProposal));
        let partly =
            json!({"confirm": {"proposalId": PROPOSAL, "fingerprint": "f", "decision": "approve", "exclude": [1]}});
        assert!(matches!(read(partly), Err(RequestError::Unprocessable(_))));
    }

    #[test]
    fn a_legacy_confirmation_names_the_call() {
        let call = Call { tool: "add_expense".into(), arguments: json!({"item": "coffee"}) };
        let body = json!({"confirm": {"tool": "add_expense", "args": {"item": "coffee"}}});
        assert_eq!(read(body).unwrap().input, Input::Call(call));
    }

    #[test]
    fn the_idempotency_key_is_the_message_id() {
        let body = |id: Value| json!({"message": "x", "messageId": id});
        let mut headers = HeaderMap::new();
        headers.insert("idempotency-key", HeaderValue::from_static("k1"));
        let read = |body: Value| chat(body.as_object().unwrap(), &headers).map(|said| said.message_id);
        assert_eq!(read(body(Value::Null)), Ok(Some("k1".into())));
        assert_eq!(read(body(json!("k1"))), Ok(Some("k1".into())));
        assert!(matches!(read(body(json!("k2"))), Err(RequestError::Malformed(_))));
    }

    #[test]
    fn a_user_context_that_nobody_knows_is_named() {
        let context =
            |context: Value| read(json!({"message": "x", "userContext": context})).map(|said| said.user_context);
        let known = UserContext {
            timezone: Some("Asia/Tokyo".into()),
            currency: Some("JPY".into()),
            locale: Some("ja".into()),
        };
        assert_eq!(context(json!({"timezone": "Asia/Tokyo", "currency": "jpy", "locale": "ja"})), Ok(known));
        for (wrong, named) in [(json!({"timezone": "Mars/Base"}), "Mars/Base"), (json!({"currency": "XYZ"}), "XYZ")] {
            let Err(RequestError::Unprocessable(detail)) = context(wrong) else { panic!("{named} is refused") };
            assert!(detail.contains(named), "{detail}");
        }
    }

    #[test]
    fn filters_count_only_when_applied() {
        let filters = |apply: bool, filters: Value| {
            read(json!({"message": "x", "activeFilters": filters, "applyFiltersToQuery": apply}))
                .map(|said| said.filters)
        };
        let food = Filters { range: None, category: Some("food".into()) };
        assert_eq!(filters(true, json!({"category": "food", "range": null})), Ok(food));
        assert_eq!(filters(false, json!({"category": "food", "tag": 1})), Ok(Filters::default()));
        assert!(matches!(filters(true, json!({"tag": 1})), Err(RequestError::Unprocessable(_))));
        let november = Filters { range: Some("2026-11-01..2026-11-30".into()), category: None };
        let detected = json!({"range": {"from": "2026-11-01", "to": "2026-11-30"}});
        assert_eq!(filters(true, detected), Ok(november));
        assert!(filters(true, json!({"range": {"from": "2026-11-01"}})).is_err());
    }
}

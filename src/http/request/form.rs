//! Changes by form: `POST /proposals`.

use axum::http::HeaderMap;
use serde_json::{Map, Value, json};

use super::{RequestError, TurnInput, turn_input};
use crate::{
    agent::{Form, FormChange, FormOperation, Input},
    json_fields::{FieldError, Fields, wrong},
    proposal::Call,
    tool::Registry,
};

/// Each may read a row.
const MAX_OPERATIONS: usize = 500;

pub fn form(body: &Map<String, Value>, headers: &HeaderMap, registry: &Registry) -> Result<TurnInput, RequestError> {
    let body = Fields::root(body);
    let sent = body.list("operations")?.unwrap_or_default();
    if sent.is_empty() {
        let detail =
            "`operations` is missing. Send a list like [{ \"op\": \"delete\", \"kind\": \"expense\", \"id\": 42 }]";
        return Err(FieldError::Malformed(detail.into()).into());
    }
    if sent.len() > MAX_OPERATIONS {
        let detail = format!("`operations` has more than {MAX_OPERATIONS}. Send fewer at once");
        return Err(FieldError::TooLarge(detail).into());
    }
    let operations = sent.iter().enumerate().map(|(n, sent)| operation(&format!("operations[{n}]"), sent));
    let form = Form {
        operations: operations.collect::<Result<_, _>>()?,
        call: Call { tool: "form".into(), arguments: json!({ "operations": sent }) },
        approve: body.flag("approve")?,
        in_conversation: body.has("conversationId"),
        lead: String::new(),
    };
    turn_input(&body, headers, registry, Input::Form(form), None)
}

fn operation(path: &str, sent: &Value) -> Result<FormOperation, FieldError> {
    let sent = Fields::of(path, sent)?;
    let id = || whole(&sent, "id")?.ok_or_else(|| FieldError::Malformed(format!("`{}` is missing", sent.path("id"))));
    let fields = || {
        let fields = sent.object("fields")?.map(|fields| fields.fields.clone());
        fields.ok_or_else(|| FieldError::Malformed(format!("`{}` is missing", sent.path("fields"))))
    };
    let change = match sent.required_text("op")? {
        "create" => FormChange::Create { fields: fields()? },
        "update" => FormChange::Update { id: id()?, version: whole(&sent, "version")?, fields: fields()? },
        "delete" => FormChange::Delete { id: id()?, version: whole(&sent, "version")? },
        _ => return Err(wrong(&sent.path("op"), "`create`, `update` or `delete`")),
    };
    Ok(FormOperation { kind: sent.required_text("kind")?.to_owned(), change })
}

fn whole(sent: &Fields<'_>, name: &str) -> Result<Option<u64>, FieldError> {
    let number = sent.get(name).map(|value| value.as_u64().ok_or_else(|| wrong(&sent.path(name), "a whole number")));
    number.transpose()
}

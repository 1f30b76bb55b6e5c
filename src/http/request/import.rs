//! A file to import: `POST /imports`, or an attachment of a message.

use std::collections::BTreeSet;

use axum::http::HeaderMap;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{RequestError, TurnInput, turn_input, user_context};
use crate::{
    agent::{Input, UserContext},
    expenses::import::Ticks,
    import::Settings,
    json_fields::{FieldError, Fields, at_most, wrong},
    phrases::clean,
    tool::Registry,
};

/// In characters.
const MAX_NAME: usize = 200;

#[derive(Debug, PartialEq)]
pub struct ImportRequest {
    pub name: String,
    pub bytes: Vec<u8>,
    pub settings: Settings,
    pub ticks: Ticks,
    /// The place of the first row to show.
    pub from: usize,
    pub propose: bool,
    pub approve: bool,
    pub user_context: UserContext,
    /// The client names a conversation, so it gets a turn.
    pub in_conversation: bool,
}

/// `POST /imports`.
pub fn import(body: &Map<String, Value>) -> Result<ImportRequest, RequestError> {
    let body = Fields::root(body);
    let from = body.get("from").map(|from| from.as_u64().ok_or_else(|| wrong("from", "a whole number")));
    let (propose, approve) = (body.flag("propose")?, body.flag("approve")?);
    if approve && !propose {
        return Err(FieldError::Unprocessable("`approve` needs `propose`. Send both, or none".into()).into());
    }
    Ok(ImportRequest {
        ticks: Ticks { include: line_numbers(&body, "include")?, exclude: line_numbers(&body, "exclude")? },
        from: from.transpose()?.and_then(|from| usize::try_from(from).ok()).unwrap_or(0),
        propose,
        approve,
        in_conversation: body.has("conversationId"),
        ..file(&body, user_context(&body)?)?
    })
}

/// The attachment of a message, if it has one. It is imported, whatever the message says.
pub fn attachment(body: &Map<String, Value>) -> Result<Option<ImportRequest>, RequestError> {
    let body = Fields::root(body);
    match body.list("attachments")?.unwrap_or_default() {
        [] => Ok(None),
        [one] => {
            let import = file(&Fields::of("attachments[0]", one)?, user_context(&body)?)?;
            Ok(Some(ImportRequest { propose: true, in_conversation: true, ..import }))
        }
        _ => Err(FieldError::TooLarge("`attachments` has more than one file. Send one after the other".into()).into()),
    }
}

/// Makes a turn of what the file becomes.
pub fn imported(
    body: &Map<String, Value>,
    headers: &HeaderMap,
    registry: &Registry,
) -> Result<impl FnOnce(Input) -> TurnInput, RequestError> {
    let turn = turn_input(&Fields::root(body), headers, registry, Input::Message(String::new()), None)?;
    Ok(|input| TurnInput { input, ..turn })
}

fn file(fields: &Fields<'_>, user_context: UserContext) -> Result<ImportRequest, RequestError> {
    let name = fields.text("name")?.unwrap_or("file");
    at_most(&fields.path("name"), name, MAX_NAME)?;
    let bytes = match (fields.text("content")?, fields.text("base64")?) {
        (Some(text), None) => text.as_bytes().to_vec(),
        (None, Some(coded)) => {
            BASE64_STANDARD.decode(coded.trim().as_bytes()).map_err(|_| wrong(&fields.path("base64"), "Base64"))?
        }
        _ => {
            let (content, base64) = (fields.path("content"), fields.path("base64"));
            let detail = format!("send the file as text in `{content}`, or as bytes in `{base64}`, and not both");
            return Err(FieldError::Malformed(detail).into());
        }
    };
    let settings =
        fields.object("settings")?.map(|settings| Settings::deserialize(Value::Object(settings.fields.clone())));
    let settings = settings.transpose();
    let settings =
        settings.map_err(|error| FieldError::Malformed(format!("`{}`: {error}", fields.path("settings"))))?;
    Ok(ImportRequest {
        name: clean(name),
        bytes,
        settings: settings.unwrap_or_default(),
        ticks: Ticks::default(),
        from: 0,
        propose: false,
        approve: false,
        user_context,
        in_conversation: false,
    })
}

fn line_numbers(body: &Fields<'_>, name: &str) -> Result<BTreeSet<usize>, FieldError> {
    let lines = body.list(name)?.unwrap_or_default().iter();
    let line = |line: &Value| line.as_u64().and_then(|line| usize::try_from(line).ok());
    lines.map(|value| line(value).ok_or_else(|| wrong(name, "a list of numbers of lines"))).collect()
}

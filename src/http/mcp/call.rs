//! `tools/call`: a query is answered. A change becomes a proposal, which the client shows to the person as a form; the
//! call is then sent again with their answer.
//!
//! The client's model writes the arguments, so every change waits, whatever the policy of the deployment.

use std::sync::Arc;

use axum::http::request::Parts;
use serde_json::{Map, Value, json};

use super::{
    message::{Era, McpError, Request},
    tools::{PROPOSAL_ID, STATUS, Status, result, title},
};
use crate::{
    agent::{Input, ProposalView, Reply, TurnError, TurnRequest, UserContext},
    app::App,
    http::{
        HttpError, deadline,
        request::{MAX_ID, MAX_REASON},
    },
    identity::Caller,
    json_fields::{FieldError, Fields, at_most, short},
    phrases::clean,
    proposal::{Call, Decision, Fingerprint, ProposalId, hash_json},
    sorted::Collect,
    tool::{Edits, Effect, PublicTool},
};

/// The conversation of all calls.
const CONVERSATION: &str = "mcp";

/// The name of the form in a request and its answer.
const FORM: &str = "confirm";

/// What the person answered.
enum Answered {
    Decided(Decision<Edits>),
    /// The form was closed without a choice.
    Dismissed,
}

/// A proposal and the call that it is of, as the client sends them back. They only name what the store has under the
/// caller's tenant, so they need no signature: another name is not found, or its fingerprint does not fit.
struct RequestState {
    id: ProposalId,
    fingerprint: Fingerprint,
}

pub async fn call(app: &Arc<App>, parts: &Parts, caller: Caller, request: &Request<'_>) -> Result<Value, McpError> {
    let params = Fields::at("params", request.params);
    let name = params.required_text("name")?;
    let arguments = params.object("arguments")?.map(|arguments| arguments.fields.clone()).unwrap_or_default();
    let tool = app.agent.registry.public_tool(name);
    let PublicTool { effect, .. } = tool.ok_or_else(|| {
        McpError::parameters(&format!("there is no tool {:?}. tools/list names those that there are", short(name)))
    })?;
    let call = Call { tool: name.to_owned(), arguments: arguments.into() };
    let turn = |input| TurnRequest {
        caller,
        at: (app.now)(),
        nonce: (app.nonce)(),
        deadline: deadline(app, parts),
        conversation: CONVERSATION.to_owned(),
        message_id: None,
        input,
        history: None,
        user_context: UserContext::default(),
        filters: Map::new(),
        scope: None,
        events: None,
    };
    if effect == Effect::Reads {
        return match app.agent.respond(&turn(Input::Query(call))).await {
            Ok(reply) => Ok(complete(app, effect, &reply, Map::new())),
            Err(error) => failed(error),
        };
    }
    let answered = if request.era == (Era::Current { has_forms: true }) { answered(&params, &call)? } else { None };
    match answered {
        None => {
            let said = title(name);
            let answer = app.agent.respond(&turn(Input::Action { call: call.clone(), said })).await;
            proposed(app, request, &call, answer)
        }
        Some((RequestState { id, .. }, Answered::Dismissed)) => Ok(waiting(app, &id, "")),
        Some((RequestState { id, fingerprint }, Answered::Decided(decision))) => {
            let status = if decision == Decision::Approve { Status::Done } else { Status::Rejected };
            let input = Input::Decision { id: id.clone(), fingerprint, decision };
            decided(app, request, &call, (id, status), app.agent.respond(&turn(input)).await)
        }
    }
}

/// None: nothing was answered yet. The person is then asked, again if need be.
fn answered(params: &Fields<'_>, call: &Call) -> Result<Option<(RequestState, Answered)>, McpError> {
    let (Some(state), Some(responses)) = (params.text("requestState")?, params.object("inputResponses")?) else {
        return Ok(None);
    };
    let Some(form) = responses.object(FORM)? else { return Ok(None) };
    let state = RequestState::read(state, call)
        .ok_or_else(|| McpError::parameters("`requestState` is not of this call. Call the tool again without it"))?;
    let answer = match form.required_text("action")? {
        "decline" => Answered::Decided(Decision::Reject { reason: None }),
        "cancel" => Answered::Dismissed,
        "accept" => {
            let Some(content) = form.object("content")?.filter(|content| content.has("approve")) else {
                return Ok(None);
            };
            match content.flag("approve")? {
                true => Answered::Decided(Decision::Approve),
                false => Answered::Decided(Decision::Reject { reason: reason(&content)? }),
            }
        }
        _ => return Err(McpError::parameters("`action` must be accept, decline or cancel")),
    };
    Ok(Some((state, answer)))
}

fn reason(content: &Fields<'_>) -> Result<Option<String>, FieldError> {
    let Some(reason) = content.text("reason")? else { return Ok(None) };
    at_most(&content.path("reason"), reason, MAX_REASON)?;
    Ok(Some(clean(reason)).filter(|reason| !reason.is_empty()))
}

impl RequestState {
    fn text(proposal: &ProposalView, call: &Call) -> String {
        format!("{}.{}.{}", proposal.id, proposal.fingerprint, hash_json(call))
    }

    fn read(text: &str, call: &Call) -> Option<RequestState> {
        let mut parts = text.split('.');
        let (id, fingerprint, of) = (parts.next()?, parts.next()?, parts.next()?);
        let fits = parts.next().is_none() && fingerprint.len() <= MAX_ID && of == hash_json(call);
        let id = ProposalId::parse(id).filter(|_| fits)?;
        Some(RequestState { id, fingerprint: Fingerprint(fingerprint.to_owned()) })
    }
}

/// Asks the person, or tells where they are asked.
fn proposed(
    app: &App,
    request: &Request<'_>,
    call: &Call,
    answer: Result<Reply, TurnError>,
) -> Result<Value, McpError> {
    match answer {
        Ok(Reply { answer, proposal: Some(proposal), .. }) => Ok(match request.era {
            Era::Current { has_forms: true } => form(&answer, &proposal, call),
            _ => waiting(app, &proposal.id, &answer),
        }),
        Ok(reply) => Ok(told(&reply.answer, true)),
        Err(error) => failed(error),
    }
}

fn decided(
    app: &App,
    request: &Request<'_>,
    call: &Call,
    (id, status): (ProposalId, Status),
    answer: Result<Reply, TurnError>,
) -> Result<Value, McpError> {
    match answer {
        Ok(reply) => {
            let status = if reply.progress.is_some() { Status::Running } else { status };
            let fields = [(STATUS, json!(status)), (PROPOSAL_ID, json!(id))];
            let fields = fields.into_iter().map(|(name, value)| (name.to_owned(), value)).inserted();
            Ok(complete(app, Effect::Changes, &reply, fields))
        }
        // Rows changed meanwhile, and the rest is shown again.
        Err(TurnError::Stale { detail, revision: Some(revision), .. }) => {
            let reply = Reply { answer: detail, proposal: Some(*revision), ..Reply::default() };
            proposed(app, request, call, Ok(reply))
        }
        Err(TurnError::NoSuchProposal | TurnError::FingerprintMismatch) => {
            Err(McpError::parameters("`requestState` names nothing that waits. Call the tool again without it"))
        }
        Err(error) => failed(error),
    }
}

fn form(answer: &str, proposal: &ProposalView, call: &Call) -> Value {
    // Addresses do not belong into a form.
    let all = "\nThe page shows all of them. To look first, close this form: it waits there.";
    let is_shown_in_part = proposal.count > proposal.operations.len();
    let message = format!("{answer}{}", if is_shown_in_part { all } else { "" });
    json!({
        "resultType": "input_required",
        "inputRequests": { FORM: { "method": "elicitation/create", "params": {
            "mode": "form",
            "message": message,
            "requestedSchema": {
                "type": "object",
                "properties": {
                    "approve": {
                        "type": "boolean",
                        "title": format!("Yes: {}", proposal.title),
                        "description": "Nothing is written without this.",
                        "default": false,
                    },
                    "reason": { "type": "string", "title": "If not: why?", "maxLength": MAX_REASON },
                },
                "required": ["approve"],
            },
        } } },
        "requestState": RequestState::text(proposal, call),
    })
}

/// It waits on the page, where the person is signed in.
fn waiting(app: &App, id: &ProposalId, shown: &str) -> Value {
    let page = match &app.public_url {
        Some(url) => format!("at {url}"),
        None => "on the page".to_owned(),
    };
    let text = format!(
        "{shown}\n\nNothing is written yet. It waits for the person's yes {page} under “Waiting for your yes”, for a \
         day. Tell them so, and do not call this tool again for it."
    );
    let text = text.trim_start();
    let mut result = told(text, false);
    result["structuredContent"] = json!({ STATUS: Status::Waiting, "answer": text, PROPOSAL_ID: id });
    result
}

fn complete(app: &App, effect: Effect, reply: &Reply, fields: Map<String, Value>) -> Value {
    let mut content = result(&app.agent.registry, effect, json!(reply));
    content.extend(fields);
    let mut told = told(&reply.answer, false);
    told["structuredContent"] = content.into();
    told
}

/// What the client's model can act on is a result. What it cannot is an error of the protocol.
fn failed(error: TurnError) -> Result<Value, McpError> {
    let (status, text) = HttpError::from(error).told();
    if status.is_server_error() { Err(McpError::internal(status, &text)) } else { Ok(told(&text, true)) }
}

fn told(text: &str, is_error: bool) -> Value {
    json!({ "content": [{ "type": "text", "text": text }], "isError": is_error })
}

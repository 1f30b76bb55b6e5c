//! Every error of the service as a problem (RFC 9457). Only this module maps errors to statuses.

use axum::{
    body::Body,
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use serde_json::{Value, json};

use super::request::RequestError;
use crate::{
    agent::{ProposalView, TurnError},
    identity::IdentityError,
    json_fields::FieldError,
    model::ModelError,
    phrases::sentence,
    store::StoreError,
    tool::ToolError,
};

/// An error of a route.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    #[error(transparent)]
    Request(#[from] RequestError),
    #[error(transparent)]
    Identity(#[from] IdentityError),
    #[error(transparent)]
    Turn(#[from] TurnError),
    #[error(transparent)]
    Tool(#[from] ToolError),
    #[error("this expense does not exist. Read GET /expenses to see which ones do")]
    NoSuchExpense,
    #[error("this record does not exist. Check the kind and the id in the address")]
    NoSuchRecord,
    #[error("the page of this service has no sign-in. Set OIDC_ISSUER and OIDC_CLIENT_ID")]
    NoSignIn,
    #[error("there is nothing at this address. Send messages to POST /chat, or read GET /expenses")]
    NoSuchRoute,
    #[error("this address does not support this method. The Allow header lists the supported ones")]
    MethodNotAllowed,
    #[error(
        "the answer is larger than 6 MB, and this address sends an answer in one piece. Name fewer days with `from` and \
         `to`, or use the address that streams"
    )]
    AnswerTooLarge,
    #[error("the answer broke off while it was read. Send the same request again")]
    BrokenOff,
    /// The panic was logged where it happened.
    #[error("a handler panicked")]
    Panicked,
}

/// A problem's `type` is stable, because clients match on it.
#[derive(Debug, PartialEq)]
struct Problem {
    status: StatusCode,
    slug: &'static str,
    title: &'static str,
    detail: String,
    extensions: Extensions,
    headers: Vec<(HeaderName, HeaderValue)>,
}

#[derive(Debug, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Extensions {
    #[serde(skip_serializing_if = "Option::is_none")]
    proposal: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<Value>,
    /// A waiting proposal of the rows that have not changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<Value>,
    /// In seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after: Option<u64>,
}

impl From<FieldError> for HttpError {
    fn from(error: FieldError) -> HttpError {
        HttpError::Request(error.into())
    }
}

impl From<StoreError> for HttpError {
    fn from(error: StoreError) -> HttpError {
        HttpError::Turn(error.into())
    }
}

impl IntoResponse for HttpError {
    fn into_response(self) -> Response {
        logged(&self).into_response()
    }
}

impl HttpError {
    /// The problem as data of an event. An event has no headers, so `retryAfter` is a member.
    pub fn into_event_data(self) -> Vec<u8> {
        let mut problem = logged(&self);
        let retry_after = problem.headers.iter().find(|(name, _)| *name == header::RETRY_AFTER);
        problem.extensions.retry_after = retry_after.and_then(|(_, seconds)| seconds.to_str().ok()?.parse().ok());
        problem.body()
    }
}

fn logged(error: &HttpError) -> Problem {
    let problem = problem(error);
    if problem.status.is_server_error() {
        let status = problem.status.as_u16();
        tracing::error!(problem = problem.slug, status, cause = cause(error), "request failed: {}", problem.slug);
    }
    problem
}

fn problem(error: &HttpError) -> Problem {
    match error {
        HttpError::Request(error) => request_problem(error),
        HttpError::Identity(error @ IdentityError::NoClaims) => {
            Problem::new(StatusCode::UNAUTHORIZED, "not-signed-in", "Not signed in", error)
                .with_header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
        }
        HttpError::Identity(error) => Problem::new(StatusCode::FORBIDDEN, "forbidden", "Not allowed", error),
        HttpError::Turn(error) => turn_problem(error),
        HttpError::Tool(error @ ToolError::BadCursor) => malformed(&error.to_string()),
        HttpError::Tool(error @ (ToolError::Malformed(_) | ToolError::Refused(_) | ToolError::NothingFound(_))) => {
            unprocessable(&error.to_string())
        }
        HttpError::Tool(ToolError::Ask(question)) if question.options.is_empty() => unprocessable(&question.text),
        HttpError::Tool(ToolError::Ask(question)) => {
            unprocessable(&format!("{} It can be {}", question.text, question.options.join(", ")))
        }
        HttpError::Tool(ToolError::Forbidden(text)) => {
            Problem::new(StatusCode::FORBIDDEN, "forbidden", "Not allowed", text)
        }
        HttpError::Tool(ToolError::Fault(error)) => store_problem(error),
        HttpError::NoSuchExpense => Problem::new(StatusCode::NOT_FOUND, "no-such-expense", "No such expense", error),
        HttpError::NoSuchRecord => Problem::new(StatusCode::NOT_FOUND, "no-such-record", "No such record", error),
        HttpError::NoSignIn => Problem::new(StatusCode::NOT_FOUND, "no-sign-in", "No sign-in", error),
        HttpError::NoSuchRoute => Problem::new(StatusCode::NOT_FOUND, "no-such-route", "Nothing here", error),
        HttpError::MethodNotAllowed => {
            Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", "Method not allowed", error)
        }
        HttpError::AnswerTooLarge => {
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "answer-too-large", "Too much for one answer", error)
        }
        HttpError::BrokenOff => {
            retry_soon(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "store-unavailable", "Data unavailable", error))
        }
        HttpError::Panicked => internal(),
    }
}

fn request_problem(error: &RequestError) -> Problem {
    match error {
        RequestError::Field(FieldError::Malformed(detail)) => malformed(detail),
        RequestError::Field(FieldError::TooLarge(detail)) => {
            Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", "Too much at once", detail)
        }
        RequestError::Field(FieldError::Unprocessable(detail)) => unprocessable(detail),
        RequestError::NoSuchProposal => turn_problem(&TurnError::NoSuchProposal),
    }
}

fn turn_problem(error: &TurnError) -> Problem {
    use StatusCode as S;
    match error {
        TurnError::Unprocessable(detail) => unprocessable(detail),
        TurnError::Unclear(question) => unprocessable(&question.text),
        TurnError::Forbidden(_) => Problem::new(S::FORBIDDEN, "forbidden", "Not allowed", error),
        TurnError::NoSuchProposal => Problem::new(S::NOT_FOUND, "no-such-proposal", "No such proposal", error),
        TurnError::NoSuchRow(_) => Problem::new(S::NOT_FOUND, "no-such-record", "No such record", error),
        TurnError::RowChanged { row, .. } => {
            let mut problem = Problem::new(S::CONFLICT, "row-changed", "Changed since it was shown", error);
            problem.extensions.changed = Some(json!([row]));
            problem
        }
        TurnError::FingerprintMismatch => {
            Problem::new(S::UNPROCESSABLE_ENTITY, "fingerprint-mismatch", "Not what was shown", error)
        }
        TurnError::Closed { proposal, .. } => {
            Problem::new(S::CONFLICT, "proposal-closed", "Already decided", error).about(proposal)
        }
        TurnError::Stale { proposal, changed, revision, .. } => {
            let mut problem =
                Problem::new(S::CONFLICT, "proposal-stale", "Changed since it was shown", error).about(proposal);
            problem.extensions.changed = Some(json!(changed));
            problem.extensions.revision = revision.as_ref().map(|revision| json!(revision));
            problem
        }
        TurnError::TooOld(_) => Problem::new(S::GONE, "receipt-expired", "Too long ago", error),
        TurnError::Expired { proposal } => Problem::new(S::GONE, "proposal-expired", "Expired", error).about(proposal),
        TurnError::StillAnswering => Problem::new(S::CONFLICT, "still-answering", "Still being answered", error)
            .with_header(header::RETRY_AFTER, 2),
        TurnError::MessageIdReused => {
            Problem::new(S::UNPROCESSABLE_ENTITY, "message-id-reused", "Message id used before", error)
        }
        TurnError::Busy => retry_soon(Problem::new(S::SERVICE_UNAVAILABLE, "busy", "Busy", error)),
        TurnError::OutcomeUnknown => {
            retry_soon(Problem::new(S::SERVICE_UNAVAILABLE, "outcome-unknown", "Outcome unknown", error))
        }
        TurnError::ModelUnavailable(cause) => {
            let problem =
                Problem::new(S::SERVICE_UNAVAILABLE, "model-unavailable", "The assistant is unavailable", error);
            match cause {
                ModelError::Busy { retry_after } => {
                    problem.with_header(header::RETRY_AFTER, retry_after.as_secs().max(1))
                }
                _ => problem,
            }
        }
        TurnError::Store(error) => store_problem(error),
    }
}

/// The store's own message is only logged.
fn store_problem(error: &StoreError) -> Problem {
    match error {
        StoreError::Unavailable(_) => {
            let detail = "your data is not available right now. Send the same request again in a moment";
            let problem =
                Problem::new(StatusCode::SERVICE_UNAVAILABLE, "store-unavailable", "Data unavailable", detail);
            retry_soon(problem)
        }
        StoreError::Full => {
            let detail = "nothing was written, because your data has reached the most that can be stored. Delete what \
                          you no longer need, and tell the people who run this service";
            Problem::new(StatusCode::INSUFFICIENT_STORAGE, "storage-full", "Storage full", detail)
        }
        StoreError::ClaimLost => turn_problem(&TurnError::StillAnswering),
        StoreError::TooManyConditions => unprocessable(&error.to_string()),
        StoreError::Refused(_) | StoreError::Corrupt(_) => internal(),
    }
}

fn malformed(detail: &str) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "malformed-request", "The request cannot be read", detail)
}

fn unprocessable(detail: &str) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "unprocessable", "The request cannot be done", detail)
}

fn internal() -> Problem {
    let detail = "something went wrong on our side. Send the same request again. If it fails again, tell us";
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "Internal error", detail)
}

fn retry_soon(problem: Problem) -> Problem {
    problem.with_header(header::RETRY_AFTER, 1)
}

impl Problem {
    fn new(status: StatusCode, slug: &'static str, title: &'static str, detail: impl ToString) -> Problem {
        let detail = sentence(&detail.to_string());
        Problem { status, slug, title, detail, extensions: Extensions::default(), headers: Vec::new() }
    }

    fn about(mut self, proposal: &ProposalView) -> Problem {
        self.extensions.proposal = Some(json!(proposal));
        self
    }

    fn with_header(mut self, name: HeaderName, value: impl Into<HeaderValue>) -> Problem {
        self.headers.push((name, value.into()));
        self
    }

    fn body(&self) -> Vec<u8> {
        #[derive(Serialize)]
        struct Members<'a> {
            r#type: String,
            title: &'a str,
            status: u16,
            detail: &'a str,
            #[serde(flatten)]
            extensions: &'a Extensions,
        }
        let members = Members {
            r#type: format!("urn:sayso:problem:{}", self.slug),
            title: self.title,
            status: self.status.as_u16(),
            detail: &self.detail,
            extensions: &self.extensions,
        };
        serde_json::to_vec(&members).expect("text, numbers and JSON always serialise")
    }

    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.body()));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        for (name, value) in self.headers {
            headers.insert(name, value);
        }
        response
    }
}

/// The error and its sources on one line, for the log. [`problem`] shows none of it to the client.
fn cause(error: &HttpError) -> String {
    let sources = std::iter::successors(std::error::Error::source(error), |error| error.source());
    std::iter::once(error.to_string()).chain(sources.map(ToString::to_string)).collect::<Vec<_>>().join(": ")
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;

    async fn read(error: impl Into<HttpError>) -> (Response<()>, String) {
        let (parts, body) = error.into().into_response().into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap();
        (Response::from_parts(parts, ()), String::from_utf8(body.to_vec()).unwrap())
    }

    #[tokio::test]
    async fn a_problem_has_its_members_in_order() {
        let (response, body) = read(TurnError::StillAnswering).await;
        assert_eq!(response.status(), StatusCode::CONFLICT);
        assert_eq!(response.headers()["content-type"], "application/problem+json");
        assert_eq!(response.headers()["retry-after"], "2");
        let detail = "I am still working on this message. Send it again in a few seconds to get the answer.";
        let expected = format!(
            r#"{{"type":"urn:sayso:problem:still-answering","title":"Still being answered","status":409,"detail":"{detail}"}}"#
        );
        assert_eq!(body, expected);
    }

    #[tokio::test]
    async fn a_malformed_id_gives_the_same_problem_as_an_unknown_one() {
        let (malformed, malformed_body) = read(RequestError::NoSuchProposal).await;
        let (absent, absent_body) = read(TurnError::NoSuchProposal).await;
        assert_eq!((malformed.status(), malformed_body), (absent.status(), absent_body));
        assert_eq!(malformed.headers(), absent.headers());
    }

    #[tokio::test]
    async fn the_message_of_the_store_is_not_shown() {
        for error in [
            StoreError::Unavailable("secret".into()),
            StoreError::Refused("secret".into()),
            StoreError::Corrupt("secret".into()),
        ] {
            let (response, body) = read(error).await;
            assert!(response.status().is_server_error());
            assert!(!body.contains("secret"), "{body}");
        }
    }

    #[tokio::test]
    async fn missing_claims_are_unauthorized_and_bad_ones_are_forbidden() {
        let (response, _) = read(IdentityError::NoClaims).await;
        assert_eq!(
            (response.status(), &response.headers()["www-authenticate"]),
            (StatusCode::UNAUTHORIZED, &"Bearer".parse().unwrap())
        );
        for error in [IdentityError::Tenant, IdentityError::User, IdentityError::Role] {
            assert_eq!(read(error).await.0.status(), StatusCode::FORBIDDEN);
        }
    }

    #[tokio::test]
    async fn a_bad_cursor_is_malformed_and_another_refusal_is_unprocessable() {
        let status = async |error: ToolError| read(error).await.0.status();
        assert_eq!(status(ToolError::BadCursor).await, StatusCode::BAD_REQUEST);
        assert_eq!(status(ToolError::Refused("no".into())).await, StatusCode::UNPROCESSABLE_ENTITY);
    }
}

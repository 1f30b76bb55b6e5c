//! Every error of the service as a problem (RFC 9457). Only this module maps errors to statuses.

use axum::{
    body::Body,
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use serde_json::{Value, json};

use kinds::ProblemKind;

use super::request::RequestError;
use crate::{
    agent::{ProposalView, TurnError},
    identity::IdentityError,
    json_fields::FieldError,
    model::ModelError,
    phrases::sentence,
    store::StoreError,
    tool::{Question, ToolError},
};

#[cfg(feature = "local")]
pub mod examples;
pub mod kinds;

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
    #[error("this service does not know who signs people in. Set PUBLIC_URL, OIDC_ISSUER and OIDC_CLIENT_ID")]
    NoResource,
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
}

#[derive(Debug, PartialEq)]
struct Problem {
    kind: ProblemKind,
    detail: String,
    extensions: Extensions,
    headers: Vec<(HeaderName, HeaderValue)>,
}

/// An error, as `application/problem+json` (RFC 9457).
#[derive(Serialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema), schemars(rename = "Problem"))]
pub struct Members<'a> {
    /// `urn:sayso:problem:` and a name. It is stable: match on it.
    r#type: String,
    title: &'a str,
    status: u16,
    /// What is wrong and what to do, for people.
    detail: &'a str,
    #[serde(flatten)]
    extensions: &'a Extensions,
}

#[derive(Debug, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Extensions {
    /// The proposal that the problem is about, as it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "local", schemars(with = "ProposalView"))]
    proposal: Option<Value>,
    /// The rows that have changed, as they are now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "local", schemars(with = "Vec<Value>"))]
    changed: Option<Value>,
    /// A waiting proposal of the rows that have not changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "local", schemars(with = "ProposalView"))]
    revision: Option<Value>,
    /// In seconds, where the problem is an event of a stream. A response has the header `Retry-After`.
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
    /// The status and the text of the problem, for protocols with errors of their own.
    pub fn told(&self) -> (StatusCode, String) {
        let Problem { kind, detail, .. } = logged(self);
        (kind.status, detail)
    }

    /// What clients match on.
    pub fn slug(&self) -> &'static str {
        problem(self).kind.slug
    }

    /// The status with the text alone.
    pub fn into_text_response(self) -> Response {
        let problem = logged(&self);
        let text = problem.detail.clone();
        let mut response = problem.into_response();
        *response.body_mut() = Body::from(text);
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
        response
    }

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
    if problem.kind.status.is_server_error() {
        let ProblemKind { status, slug, .. } = problem.kind;
        let status = status.as_u16();
        tracing::error!(problem = slug, status, cause = cause(error), "request failed: {slug}");
    }
    problem
}

fn problem(error: &HttpError) -> Problem {
    match error {
        HttpError::Request(error) => request_problem(error),
        HttpError::Identity(error @ IdentityError::NoClaims) => Problem::new(kinds::NOT_SIGNED_IN, error)
            .with_header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")),
        HttpError::Identity(error) => Problem::new(kinds::FORBIDDEN, error),
        HttpError::Turn(error) => turn_problem(error),
        HttpError::Tool(error @ ToolError::BadCursor) => malformed(&error.to_string()),
        HttpError::Tool(error @ (ToolError::Malformed(_) | ToolError::Refused(_) | ToolError::NothingFound(_))) => {
            unprocessable(&error.to_string())
        }
        HttpError::Tool(ToolError::Ask(question)) => unasked(question),
        HttpError::Tool(ToolError::Forbidden(text)) => Problem::new(kinds::FORBIDDEN, text),
        HttpError::Tool(ToolError::Fault(error)) => store_problem(error),
        HttpError::NoSuchExpense => Problem::new(kinds::NO_SUCH_EXPENSE, error),
        HttpError::NoSuchRecord => Problem::new(kinds::NO_SUCH_RECORD, error),
        HttpError::NoSignIn => Problem::new(kinds::NO_SIGN_IN, error),
        HttpError::NoResource => Problem::new(kinds::NO_SIGN_IN, error),
        HttpError::NoSuchRoute => Problem::new(kinds::NO_SUCH_ROUTE, error),
        HttpError::AnswerTooLarge => Problem::new(kinds::ANSWER_TOO_LARGE, error),
        HttpError::BrokenOff => retry_soon(Problem::new(kinds::STORE_UNAVAILABLE, error)),
        HttpError::MethodNotAllowed => Problem::new(kinds::METHOD_NOT_ALLOWED, error),
    }
}

fn request_problem(error: &RequestError) -> Problem {
    match error {
        RequestError::Field(FieldError::Malformed(detail)) => malformed(detail),
        RequestError::Field(FieldError::TooLarge(detail)) => Problem::new(kinds::TOO_LARGE, detail),
        RequestError::Field(FieldError::Unprocessable(detail)) => unprocessable(detail),
        RequestError::NoSuchProposal => turn_problem(&TurnError::NoSuchProposal),
    }
}

fn turn_problem(error: &TurnError) -> Problem {
    match error {
        TurnError::Unprocessable(detail) => unprocessable(detail),
        TurnError::Unclear(question) => unasked(question),
        TurnError::Forbidden(_) => Problem::new(kinds::FORBIDDEN, error),
        TurnError::NoSuchProposal => Problem::new(kinds::NO_SUCH_PROPOSAL, error),
        TurnError::NoSuchRow(_) => Problem::new(kinds::NO_SUCH_RECORD, error),
        TurnError::RowChanged { row, .. } => {
            let mut problem = Problem::new(kinds::ROW_CHANGED, error);
            problem.extensions.changed = Some(json!([row]));
            problem
        }
        TurnError::FingerprintMismatch => Problem::new(kinds::FINGERPRINT_MISMATCH, error),
        TurnError::Closed { proposal, .. } => Problem::new(kinds::PROPOSAL_CLOSED, error).about(proposal),
        TurnError::Stale { proposal, changed, revision, .. } => {
            let mut problem = Problem::new(kinds::PROPOSAL_STALE, error).about(proposal);
            problem.extensions.changed = Some(json!(changed));
            problem.extensions.revision = revision.as_ref().map(|revision| json!(revision));
            problem
        }
        TurnError::TooOld(_) => Problem::new(kinds::RECEIPT_EXPIRED, error),
        TurnError::Expired { proposal } => Problem::new(kinds::PROPOSAL_EXPIRED, error).about(proposal),
        TurnError::StillAnswering => Problem::new(kinds::STILL_ANSWERING, error).with_header(header::RETRY_AFTER, 2),
        TurnError::MessageIdReused => Problem::new(kinds::MESSAGE_ID_REUSED, error),
        TurnError::Busy => retry_soon(Problem::new(kinds::BUSY, error)),
        TurnError::OutcomeUnknown => retry_soon(Problem::new(kinds::OUTCOME_UNKNOWN, error)),
        TurnError::ModelUnavailable(cause) => {
            let problem = Problem::new(kinds::MODEL_UNAVAILABLE, error);
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
            let problem = Problem::new(kinds::STORE_UNAVAILABLE, detail);
            retry_soon(problem)
        }
        StoreError::Full => {
            let detail = "nothing was written, because your data has reached the most that can be stored. Delete what \
                          you no longer need, and tell the people who run this service";
            Problem::new(kinds::STORAGE_FULL, detail)
        }
        StoreError::ClaimLost => turn_problem(&TurnError::StillAnswering),
        StoreError::TooManyConditions => unprocessable(&error.to_string()),
        StoreError::Refused(_) | StoreError::Corrupt(_) => internal(),
    }
}

fn malformed(detail: &str) -> Problem {
    Problem::new(kinds::MALFORMED, detail)
}

fn unprocessable(detail: &str) -> Problem {
    Problem::new(kinds::UNPROCESSABLE, detail)
}

/// A question where nobody can be asked.
fn unasked(question: &Question) -> Problem {
    let with_options = |text: &str, options: &[String]| match options {
        [] => text.to_owned(),
        options => format!("{text} It can be {}", options.join(", ")),
    };
    let parts: Vec<String> = question.parts.iter().map(|part| with_options(&part.text, &part.options)).collect();
    match parts.is_empty() {
        true => unprocessable(&with_options(&question.text, &question.options)),
        false => unprocessable(&parts.join(". ")),
    }
}

fn internal() -> Problem {
    let detail = "something went wrong on our side. Send the same request again. If it fails again, tell us";
    Problem::new(kinds::INTERNAL, detail)
}

fn retry_soon(problem: Problem) -> Problem {
    problem.with_header(header::RETRY_AFTER, 1)
}

impl Problem {
    fn new(kind: ProblemKind, detail: impl ToString) -> Problem {
        let detail = sentence(&detail.to_string());
        Problem { kind, detail, extensions: Extensions::default(), headers: Vec::new() }
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
        let members = Members {
            r#type: format!("urn:sayso:problem:{}", self.kind.slug),
            title: self.kind.title,
            status: self.kind.status.as_u16(),
            detail: &self.detail,
            extensions: &self.extensions,
        };
        serde_json::to_vec(&members).expect("text, numbers and JSON always serialise")
    }

    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.body()));
        *response.status_mut() = self.kind.status;
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
    use axum::{body::to_bytes, http::StatusCode};

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

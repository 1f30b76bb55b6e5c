//! An example of each kind of problem, for the description of the interface.

use std::{collections::BTreeMap, time::Duration};

use serde_json::Value;

use super::{HttpError, problem};
use crate::{
    agent::{ProposalView, TurnError},
    http::request::RequestError,
    identity::IdentityError,
    json_fields::FieldError,
    model::ModelError,
    proposal::ProposalStatus,
    store::StoreError,
};

/// By the name of the kind. `proposal` waits; `row` is one as it is now.
pub fn examples(proposal: &ProposalView, row: &Value) -> BTreeMap<&'static str, Value> {
    let errors = errors(proposal, row);
    let examples = errors.iter().map(|error| {
        let problem = problem(error);
        (problem.kind.slug, serde_json::from_slice(&problem.body()).expect("JSON"))
    });
    examples.collect()
}

fn errors(proposal: &ProposalView, row: &Value) -> Vec<HttpError> {
    let turn = HttpError::Turn;
    let in_state = |state: ProposalStatus| Box::new(ProposalView { state, ..proposal.clone() });
    let changed = "expense #1 has changed since it was shown. Nothing was changed. Look at it again".to_owned();
    vec![
        HttpError::Request(FieldError::Malformed("`message` must be text".into()).into()),
        HttpError::Request(
            FieldError::TooLarge("`message` is longer than 4000 characters. Send a shorter one".into()).into(),
        ),
        HttpError::Request(
            FieldError::Unprocessable(
                "`userContext.timezone` \"Mars\" is not known. Send an IANA name, like Europe/London".into(),
            )
            .into(),
        ),
        HttpError::Request(RequestError::NoSuchProposal),
        HttpError::Identity(IdentityError::NoClaims),
        HttpError::Identity(IdentityError::Role),
        HttpError::NoSuchExpense,
        HttpError::NoSuchRecord,
        HttpError::NoSignIn,
        HttpError::NoSuchRoute,
        HttpError::MethodNotAllowed,
        HttpError::AnswerTooLarge,
        turn(TurnError::RowChanged { detail: changed.clone(), row: row.clone() }),
        turn(TurnError::Closed {
            detail: "this was rejected already. Say it again if you want it now".into(),
            proposal: in_state(ProposalStatus::Rejected),
        }),
        turn(TurnError::Stale {
            detail: changed,
            proposal: in_state(ProposalStatus::Stale),
            changed: vec![row.clone()],
            revision: Some(Box::new(proposal.clone())),
        }),
        turn(TurnError::StillAnswering),
        turn(TurnError::Expired { proposal: in_state(ProposalStatus::Expired) }),
        turn(TurnError::TooOld(400)),
        turn(TurnError::FingerprintMismatch),
        turn(TurnError::MessageIdReused),
        turn(TurnError::Busy),
        turn(TurnError::OutcomeUnknown),
        turn(TurnError::ModelUnavailable(ModelError::Busy { retry_after: Duration::from_secs(20) })),
        turn(TurnError::Store(StoreError::Unavailable(String::new()))),
        turn(TurnError::Store(StoreError::Full)),
        turn(TurnError::Store(StoreError::Corrupt(String::new()))),
    ]
}

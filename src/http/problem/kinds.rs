//! The kinds of problem: the `type`, status and title of each, and when it happens. Clients match on the type, so it is
//! stable.

use axum::http::StatusCode;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProblemKind {
    pub status: StatusCode,
    /// `urn:sayso:problem:{slug}` is the type.
    pub slug: &'static str,
    pub title: &'static str,
}

macro_rules! kinds {
    ($($(#[doc = $when:literal])+ $name:ident = $status:ident, $slug:literal, $title:literal;)+) => {
        $($(#[doc = $when])+
        pub const $name: ProblemKind = ProblemKind { status: StatusCode::$status, slug: $slug, title: $title };)+

        /// Each kind, and when it happens.
        #[cfg(feature = "local")]
        pub const ALL: &[(ProblemKind, &str)] = &[$(($name, concat!($($when),+))),+];
    };
}

kinds! {
    /// The body, a parameter or a header cannot be read.
    MALFORMED = BAD_REQUEST, "malformed-request", "The request cannot be read";
    /// There is no valid token.
    NOT_SIGNED_IN = UNAUTHORIZED, "not-signed-in", "Not signed in";
    /// The token or the caller's role does not allow it.
    FORBIDDEN = FORBIDDEN, "forbidden", "Not allowed";
    /// The caller's tenant has no such expense.
    NO_SUCH_EXPENSE = NOT_FOUND, "no-such-expense", "No such expense";
    /// The caller's tenant has no such row, or there is no such kind.
    NO_SUCH_RECORD = NOT_FOUND, "no-such-record", "No such record";
    /// The caller's tenant has no such proposal.
    NO_SUCH_PROPOSAL = NOT_FOUND, "no-such-proposal", "No such proposal";
    /// The page of this deployment cannot sign anybody in.
    NO_SIGN_IN = NOT_FOUND, "no-sign-in", "No sign-in";
    /// There is nothing at this address.
    NO_SUCH_ROUTE = NOT_FOUND, "no-such-route", "Nothing here";
    /// The address has other methods, which the header `Allow` names.
    METHOD_NOT_ALLOWED = METHOD_NOT_ALLOWED, "method-not-allowed", "Method not allowed";
    /// A row is no longer as the request says that it was shown. `changed` has it as it is now.
    ROW_CHANGED = CONFLICT, "row-changed", "Changed since it was shown";
    /// The proposal was decided before in another way.
    PROPOSAL_CLOSED = CONFLICT, "proposal-closed", "Already decided";
    /// Rows of the proposal have changed since it was shown. `changed` has them, and `revision` proposes what is still
    /// possible.
    PROPOSAL_STALE = CONFLICT, "proposal-stale", "Changed since it was shown";
    /// The first request with this message id is still in progress.
    STILL_ANSWERING = CONFLICT, "still-answering", "Still being answered";
    /// The proposal was not decided in time.
    PROPOSAL_EXPIRED = GONE, "proposal-expired", "Expired";
    /// The receipt is too old to be undone.
    RECEIPT_EXPIRED = GONE, "receipt-expired", "Too long ago";
    /// The body, a text or a list is too large.
    TOO_LARGE = PAYLOAD_TOO_LARGE, "too-large", "Too much at once";
    /// The answer does not fit into one response of this deployment. Ask for less, or use the address that streams.
    ANSWER_TOO_LARGE = UNPROCESSABLE_ENTITY, "answer-too-large", "Too much for one answer";
    /// The request can be read, but what it asks for is not possible.
    UNPROCESSABLE = UNPROCESSABLE_ENTITY, "unprocessable", "The request cannot be done";
    /// The fingerprint is not that of the proposal.
    FINGERPRINT_MISMATCH = UNPROCESSABLE_ENTITY, "fingerprint-mismatch", "Not what was shown";
    /// The message id belongs to another message.
    MESSAGE_ID_REUSED = UNPROCESSABLE_ENTITY, "message-id-reused", "Message id used before";
    /// A fault of the service.
    INTERNAL = INTERNAL_SERVER_ERROR, "internal", "Internal error";
    /// Too many writes at once. Nothing was written.
    BUSY = SERVICE_UNAVAILABLE, "busy", "Busy";
    /// The answer to a write was lost. The same request tells the outcome.
    OUTCOME_UNKNOWN = SERVICE_UNAVAILABLE, "outcome-unknown", "Outcome unknown";
    /// The language model does not answer. Nothing was written.
    MODEL_UNAVAILABLE = SERVICE_UNAVAILABLE, "model-unavailable", "The assistant is unavailable";
    /// The database does not answer.
    STORE_UNAVAILABLE = SERVICE_UNAVAILABLE, "store-unavailable", "Data unavailable";
    /// The tenant's data has reached the most that can be stored. Nothing was written.
    STORAGE_FULL = INSUFFICIENT_STORAGE, "storage-full", "Storage full";
}

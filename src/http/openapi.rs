//! The OpenAPI document of this interface. Each route has an entry in [`routes`]; types describe the bodies.
//!
//! The tests write `openapi.json` with it (`tests/suite/openapi.rs`), and the deployed program has only that file.

use serde_json::{Value, json};

pub use super::problem::kinds;
pub use document::{Answered, document};
pub use route::Route;
pub use routes::routes;

pub mod bodies;
mod document;
mod route;
mod routes;
pub mod rows;
mod schemas;

const ABOUT: &str = "\
Turns messages and forms into proposals, and proposals into writes after a yes: clarify, propose, confirm, receipt.

- **Amounts** in `money`, `totals`, `aggregation` and `lines` are decimal strings in major units (`\"12.50\"`), with as \
many decimals as the currency has minor units. Currencies are ISO 4217 codes and are never added up.
- **Times** (`date-time`) are in UTC. **Days** (`date`) are in the time zone of `userContext`, the tenant's or the \
service's, in this order.
- **Nothing is written without approval.** A program proposes with `POST /proposals` without `approve`; a person, or \
who acts for one, approves with `POST /proposals/{id}/confirm` and the fingerprint of what was shown.
- **Idempotency:** a turn with the same `Idempotency-Key` (or `messageId`) happens once. After 503 and after a broken \
connection it is safe to send the same request again.
- **Errors** are `application/problem+json` (RFC 9457). `type` is stable; `detail` says what to do. In AWS Lambda the \
gateway itself answers 401, 404, 413, 429 and 503 with `{ \"message\": … }`.
- Ignore fields that you do not know. New ones can be added.
- A route that `GET` has also has `HEAD`.
- A server for development (`AUTH=dev`) needs no token; the headers `x-tenant-id`, `x-user-id`, `x-user-name` and \
`x-roles` say who calls.";

/// A turn as server-sent events.
fn event_stream() -> Value {
    json!({
        "schema": {
            "type": "string",
            "description": "With `Accept: text/event-stream`. Events: `status` (`{ text, tool? }`), `delta` (`{ text }`, \
                            the next sentences of the answer), `reset` (drop the deltas), `progress`, `proposal`, \
                            `receipt`, and as the last one `done` (the whole reply) or `error` (a problem). Only `done` \
                            counts.",
        },
        "example": "event: status\ndata: {\"text\":\"Looking at your expenses…\",\"tool\":\"list_expenses\"}\n\n\
                    event: done\ndata: {\"answer\":\"There are no expenses yet.\",\"conversationId\":\"default\",\
                    \"confirmationRequired\":false}\n\n",
    })
}

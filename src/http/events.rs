//! The service's own events of a turn: what it does, then its reply.
//!
//! Only the last event counts: `done` has the whole reply, `error` a problem. A stream without either broke off; the same
//! message id sent again gives the stored reply.

use serde::Serialize;
use serde_json::json;

use super::{
    HttpError,
    turn_stream::{Writer, status},
};
use crate::agent::{Reply, TurnEvent};

pub struct NamedEvents;

impl Writer for NamedEvents {
    fn begin(&mut self) -> Vec<u8> {
        Vec::new()
    }

    fn event(&mut self, turn_event: TurnEvent) -> Vec<u8> {
        match turn_event {
            TurnEvent::Status { text, tool } => event("status", data(&status(&text, tool))),
            TurnEvent::Delta(text) => event("delta", data(&json!({ "text": text }))),
            TurnEvent::Reset => event("reset", data(&json!({}))),
            TurnEvent::Progress(progress) => event("progress", data(&progress)),
        }
    }

    fn end(&mut self, result: Result<Reply, HttpError>) -> Vec<u8> {
        match result {
            Ok(reply) => last_events(&reply),
            Err(error) => event("error", error.into_event_data()),
        }
    }
}

fn last_events(reply: &Reply) -> Vec<u8> {
    let proposal = reply.proposal.iter().map(|proposal| event("proposal", data(proposal)));
    let receipts = reply.all_receipts().iter().map(|receipt| event("receipt", data(receipt)));
    proposal.chain(receipts).chain([event("done", data(reply))]).flatten().collect()
}

fn data(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("events always serialise")
}

/// JSON has no line ends, so the data is one line.
fn event(name: &str, data: Vec<u8>) -> Vec<u8> {
    [b"event: ", name.as_bytes(), b"\ndata: ", &data, b"\n\n"].concat()
}

//! What happens in a turn before its reply, for clients that show it. Nothing here counts: only the reply does.

use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

use super::reply::Progress;

#[derive(Debug, Clone, PartialEq)]
pub enum TurnEvent {
    /// What the turn does now, in words for the person.
    Status { text: String, tool: Option<&'static str> },
    /// The next part of the answer's text.
    Delta(String),
    /// The text so far is not of the answer.
    Reset,
    /// Of the run that this turn executes.
    Progress(Progress),
}

/// Takes the events of one turn. It holds up no turn, and does not care whether anybody receives them.
#[derive(Debug, Clone)]
pub struct Events(UnboundedSender<TurnEvent>);

impl Events {
    pub fn channel() -> (Events, UnboundedReceiver<TurnEvent>) {
        let (sender, receiver) = mpsc::unbounded_channel();
        (Events(sender), receiver)
    }

    pub fn send(&self, event: TurnEvent) {
        // The client may have left. The turn goes on.
        let _ = self.0.send(event);
    }

    pub(super) fn status(&self, text: impl Into<String>, tool: Option<&'static str>) {
        self.send(TurnEvent::Status { text: text.into(), tool });
    }
}

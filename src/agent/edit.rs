//! A change of mind: what waits is shown again, changed, and waits in the place of what it was.

use serde_json::json;

use super::{Agent, CurrentTurn, TurnError, TurnRequest, propose::ended_by, reply::Reply, wording::upper_first};
use crate::{
    proposal::{
        Audience, Call, Change, ChangeSet, ChangeSetError, Fingerprint, Note, NoteKind, Operation, Outcome, Proposal,
        ProposalBody, ProposalId, Standing, State, Task, Verdict,
    },
    store::Ended,
    tool::{Edits, ToolError},
};

const NOTHING_WAITS: &str =
    "Nothing is waiting for your yes or no, so there is nothing to change about it. Say what you want.";
const WHICH_ONE: &str =
    "Several things are waiting for your yes or no. Decide the others first, or say the whole thing again.";

impl Agent {
    pub(super) async fn edit(
        &self,
        request: &TurnRequest,
        id: &ProposalId,
        fingerprint: &Fingerprint,
        edits: &Edits,
    ) -> Result<Reply, TurnError> {
        let store = self.store.tenant(request.caller.tenant());
        let found = store.proposal(id).await?.ok_or(TurnError::NoSuchProposal)?;
        // It goes on in the conversation that it was shown in.
        let request = TurnRequest { conversation: found.header.conversation.clone(), ..request.clone() };
        let context = store.turn_context(request.caller.user().as_str(), &request.conversation).await?;
        let turn = CurrentTurn::new(&request, store, context, None, "Change it.", &self.defaults);
        let (outcome, kept) = self.replace(&turn, found, fingerprint, edits, &[]).await?;
        let reply = turn.finish(self.decided_reply(&outcome, request.at)?);
        if kept { Ok(reply) } else { self.conclude(&turn, reply, ended_by(&outcome)).await }
    }

    /// As a model understood the person: what it changes must trace to their words.
    pub(super) async fn revise(&self, turn: &CurrentTurn<'_>, edits: &Edits) -> Result<Reply, TurnError> {
        let shown =
            turn.live().find(|waiting| matches!(turn.last_ended(), Some(Ended::Shown(id)) if *id == waiting.id));
        let mut live = turn.live();
        let waiting = match (shown, live.next(), live.next()) {
            (Some(shown), ..) => shown,
            (None, Some(only), None) => only,
            (None, None, _) => return self.say(turn, NOTHING_WAITS).await,
            (None, Some(_), Some(_)) => return self.say(turn, WHICH_ONE).await,
        };
        let found = turn.store.proposal(&waiting.id).await?.ok_or(TurnError::NoSuchProposal)?;
        let doubts = match self.doubted(turn, &found, edits) {
            Ok(doubts) => doubts,
            Err(TurnError::Unprocessable(why)) => return self.say(turn, &format!("{}.", upper_first(&why))).await,
            Err(error) => return Err(error),
        };
        let (outcome, kept) = match self.replace(turn, found, &waiting.fingerprint, edits, &doubts).await {
            Err(TurnError::Unprocessable(why)) => return self.say(turn, &format!("{}.", upper_first(&why))).await,
            replaced => replaced?,
        };
        let reply = self.spoken_reply(turn, &outcome)?;
        if kept { Ok(reply) } else { self.conclude(turn, reply, ended_by(&outcome)).await }
    }

    async fn say(&self, turn: &CurrentTurn<'_>, answer: &str) -> Result<Reply, TurnError> {
        self.conclude(turn, Reply { answer: answer.to_owned(), ..Reply::default() }, Ended::Answered).await
    }

    async fn replace(
        &self,
        turn: &CurrentTurn<'_>,
        found: Proposal,
        fingerprint: &Fingerprint,
        edits: &Edits,
        doubts: &[Note],
    ) -> Result<(Outcome, bool), TurnError> {
        let id = found.header.id.clone();
        let revised_to = revision_id(turn, &id);
        let revision = match &found.header.state {
            _ if found.header.standing(turn.request.at) == Standing::Pending => {
                self.revision(turn, revised_to, &found, edits, doubts)?
            }
            // This very request was answered before.
            State::Superseded { by, .. } if *by == revised_to => {
                turn.store.proposal(by).await?.ok_or(TurnError::NoSuchProposal)?
            }
            // The state machine says why it cannot be changed.
            _ => found,
        };
        let verdict = Verdict::Revise(Box::new(revision));
        let task = Task::Decide { id, fingerprint: Some(fingerprint.clone()), verdict };
        self.run(turn.request, task, |outcome| self.keep_submitted(turn, outcome)).await
    }

    /// What in the edits does not trace to the person's words.
    fn doubted(&self, turn: &CurrentTurn<'_>, found: &Proposal, edits: &Edits) -> Result<Vec<Note>, TurnError> {
        let mut changes = Vec::new();
        let mut shown = vec![];
        for (n, operation) in (1..).zip(found.body.changes.operations()) {
            let edited = self.edited(turn, n, operation, edits)?;
            if let (Some(before), Some(after)) = (operation.after(), edited.after())
                && before.draft != after.draft
            {
                // Which row it is about was shown to the person, and is not in doubt.
                shown.push(format!("#{}", before.id));
                changes.push(Change::Update { before: before.clone(), after: after.draft.clone() });
            }
        }
        let said = turn.said();
        Ok(self.doubts(&changes.iter().collect::<Vec<_>>(), &turn.tool_context(&said, &shown)))
    }

    fn revision(
        &self,
        turn: &CurrentTurn<'_>,
        id: ProposalId,
        found: &Proposal,
        edits: &Edits,
        doubts: &[Note],
    ) -> Result<Proposal, TurnError> {
        let operations = found.body.changes.operations();
        let refused = |text: String| Err(TurnError::Unprocessable(text));
        if let Some(n) = edits.exclude.iter().chain(edits.fields.keys()).find(|n| !(1..=operations.len()).contains(n)) {
            return refused(format!("there is no operation {n}; they are numbered from 1 to {}", operations.len()));
        }
        if edits.exclude.len() == operations.len() {
            return refused("nothing would be left; reject the proposal instead".into());
        }
        let mut kept = Vec::new();
        for (n, operation) in (1..).zip(operations).filter(|(n, _)| !edits.exclude.contains(n)) {
            kept.push(self.edited(turn, n, operation, edits)?);
        }
        let too_much = |error: ChangeSetError| TurnError::Unprocessable(error.to_string());
        let changes = ChangeSet::new(kept).map_err(too_much)?;
        if changes == found.body.changes {
            return refused("that changes nothing about the proposal; approve it as it is".into());
        }
        let arguments = json!({ "proposal": found.header.id, "exclude": edits.exclude, "edits": edits.fields });
        let call = Call { tool: "edit".into(), arguments };
        let notes = notes_left(&found.body, edits).into_iter().chain(doubts.iter().cloned()).collect();
        let body = ProposalBody { call, notes, changes }.fit().map_err(too_much)?;
        let tenant = turn.request.caller.tenant().as_str();
        let (user, conversation) = (found.header.user.as_str(), found.header.conversation.as_str());
        Ok(Proposal::new(id, Audience { tenant, user, conversation }, body, turn.request.at))
    }

    fn edited(
        &self,
        turn: &CurrentTurn<'_>,
        n: usize,
        operation: &Operation,
        edits: &Edits,
    ) -> Result<Operation, TurnError> {
        let Some(fields) = edits.fields.get(&n) else { return Ok(operation.clone()) };
        let Some(after) = operation.after() else {
            return Err(TurnError::Unprocessable(format!("operation {n} deletes, so there is nothing to edit in it")));
        };
        let kind = self.registry.kind_of(&after.draft.kind)?;
        let mut after = after.clone();
        after.draft =
            kind.edited(&after.draft, fields.clone(), &turn.tool_context(&[], &[])).map_err(|error| match error {
                ToolError::Fault(error) => error.into(),
                other => TurnError::Unprocessable(format!("operation {n}: {other}")),
            })?;
        Ok(operation.with_after(after))
    }
}

/// The same request makes the same revision.
fn revision_id(turn: &CurrentTurn<'_>, of: &ProposalId) -> ProposalId {
    let tenant = turn.request.caller.tenant().as_str();
    match &turn.request.message_id {
        Some(message) => ProposalId::derived(&["edit", tenant, of.as_str(), message]),
        None => ProposalId::random(turn.request.nonce),
    }
}

/// Of several operations no note says which one it is about, so all are shown again.
fn notes_left(found: &ProposalBody, edits: &Edits) -> Vec<Note> {
    let replaced = found.changes.operations().len() == 1 && !edits.fields.is_empty();
    let holds = |note: &&Note| !(replaced && note.kind == NoteKind::Assumed);
    found.notes.iter().filter(holds).cloned().collect()
}

//! Revisions: a waiting proposal is edited, and the result is shown and replaces it.

use std::collections::BTreeSet;

use futures_util::future::try_join_all;
use serde_json::{Map, json};

use super::{
    Agent, CurrentTurn, TurnError, TurnRequest,
    planned_changes::DUE_TOOL,
    propose::{new_or_changed, turn_outcome},
    reply::Reply,
};
use crate::{
    phrases::{Style, sentence},
    proposal::{
        Audience, Call, Change, ChangeSetError, Chunk, Decision, Fingerprint, Note, NoteKind, Operation, Outcome,
        Packed, Proposal, ProposalBody, ProposalId, ProposalStatus, Revision, State, Task, hash_json, is_preference,
        pack,
    },
    shown::Asked,
    sorted::Collect,
    store::{TurnOutcome, WaitingProposal},
    tool::{Edits, RecordKind, ToolError, VisibleAnswer},
};

const NOTHING_WAITS: &str = "Nothing is waiting for your yes or no, so there is nothing to change. Say what you want.";
const WHICH_ONE: &str =
    "Several things are waiting for your yes or no. Answer the others first, or say the whole thing again.";

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
        // The revision waits where the proposal waited. The turn of somebody else who edits it is their own.
        let mut request = request.clone();
        if found.header.user == request.caller.user().as_str() {
            request.conversation.clone_from(&found.header.conversation);
        }
        let context = store.turn_context(request.caller.user().as_str(), &request.conversation, None).await?;
        let turn = CurrentTurn::new(&request, store, context, None, "Change this.", self);
        let (outcome, kept) = self.replace(&turn, found, fingerprint, edits, &[]).await?;
        let reply = turn.finish(self.outcome_reply(&outcome, &request)?);
        if kept { Ok(reply) } else { self.conclude(&turn, reply, turn_outcome(&turn, &outcome)).await }
    }

    /// Revises the proposal that was shown or mentioned last, by a model's call. New values must come from the person's
    /// words.
    pub(super) async fn revise(&self, turn: &CurrentTurn<'_>, edits: &Edits) -> Result<Reply, TurnError> {
        let mut live = turn.live();
        // Who does not see the lines cannot say which of them is left out.
        let is_of_values = edits.exclude.is_empty() && edits.exclude_named.is_empty();
        let mentioned = turn.mentioned_proposal().filter(|_| is_of_values);
        let waiting = match (turn.shown_proposal().or(mentioned), live.next(), live.next()) {
            (Some(seen), ..) => seen,
            // The person does not see the proposal, so the line numbers may not be about it.
            (None, Some(only), None) => return self.show_again(turn, only, true).await,
            (None, None, _) => return self.say(turn, NOTHING_WAITS).await,
            (None, Some(_), Some(_)) => return self.say(turn, WHICH_ONE).await,
        };
        let is_edited = |line: &u64| edits.lines().any(|edited| edited as u64 == *line);
        if let Some(number) = turn.line_named_as_row().filter(is_edited) {
            return self.ask_for_line(turn, waiting, number).await;
        }
        let found = turn.store.proposal(&waiting.id).await?.ok_or(TurnError::NoSuchProposal)?;
        let unsupported = match self.unsupported_edits(turn, &found, edits).await {
            Ok(unsupported) => unsupported,
            Err(error) => return self.unchanged(turn, waiting, error).await,
        };
        let (outcome, kept) = match self.replace(turn, found, &waiting.fingerprint, edits, &unsupported).await {
            Err(error) => return self.unchanged(turn, waiting, error).await,
            Ok(replaced) => replaced,
        };
        let reply = self.conversation_reply(turn, &outcome)?;
        if kept { Ok(reply) } else { self.conclude(turn, reply, turn_outcome(turn, &outcome)).await }
    }

    /// "Delete #1", where no row has that number, and the shown proposal has a line 1.
    pub(super) async fn ask_for_missing_row(&self, turn: &CurrentTurn<'_>) -> Result<Option<Reply>, TurnError> {
        let (Some(number), Some(waiting)) = (turn.line_named_as_row(), turn.shown_proposal()) else { return Ok(None) };
        let kinds = self.registry.kinds().map(RecordKind::prefix).filter(|kind| !is_preference(kind));
        let rows = try_join_all(kinds.map(|kind| turn.store.record(kind, number))).await?;
        match rows.iter().any(Option::is_some) {
            true => Ok(None),
            false => self.ask_for_line(turn, waiting, number).await.map(Some),
        }
    }

    async fn ask_for_line(
        &self,
        turn: &CurrentTurn<'_>,
        waiting: &WaitingProposal,
        number: u64,
    ) -> Result<Reply, TurnError> {
        let text = format!(
            "#{number} would be the number of a stored row, and this is none. Which line do you mean? Say it like \
             “without line {number}”."
        );
        let asked = Asked { text: text.clone(), missing: vec!["line".into()], ..Asked::default() };
        self.show_with(turn, waiting, &text, Some(asked)).await
    }

    /// A question or a refusal is shown together with the proposal, so that the next answer is about it.
    async fn unchanged(
        &self,
        turn: &CurrentTurn<'_>,
        waiting: &WaitingProposal,
        error: TurnError,
    ) -> Result<Reply, TurnError> {
        match error {
            TurnError::Unclear(question) => {
                let asked = Asked { is_at_the_end: false, ..question.asked() };
                self.show_with(turn, waiting, &question.text, Some(asked)).await
            }
            TurnError::Unprocessable(why) => self.show_with(turn, waiting, &sentence(&why), None).await,
            error => Err(error),
        }
    }

    async fn say(&self, turn: &CurrentTurn<'_>, answer: &str) -> Result<Reply, TurnError> {
        self.conclude(turn, Reply { answer: answer.to_owned(), ..Reply::default() }, TurnOutcome::Answered).await
    }

    async fn replace(
        &self,
        turn: &CurrentTurn<'_>,
        found: Proposal,
        fingerprint: &Fingerprint,
        edits: &Edits,
        unsupported: &[Note],
    ) -> Result<(Outcome, bool), TurnError> {
        let id = found.header.id.clone();
        let revised_to = revision_id(turn, &id, edits);
        let (revision, rest) = match &found.header.state {
            _ if found.header.status(turn.request.at) == ProposalStatus::Pending => {
                self.revision(turn, revised_to, &found, edits, unsupported).await?
            }
            // The same request was processed before.
            State::Superseded { by, .. } if *by == revised_to => {
                (turn.store.proposal(by).await?.ok_or(TurnError::NoSuchProposal)?, vec![])
            }
            // The state machine returns the reason.
            _ => (found, vec![]),
        };
        let decision = Decision::Revise(Revision { proposal: Box::new(revision), rest: rest.into() });
        let task = Task::Decide { id, fingerprint: Some(fingerprint.clone()), decision };
        self.run(turn.request, task, |outcome| Ok(self.submit_bookkeeping(turn, outcome, &[], "")?.0)).await
    }

    /// Notes for the edited values that do not come from the person's words.
    pub(super) async fn unsupported_edits(
        &self,
        turn: &CurrentTurn<'_>,
        found: &Proposal,
        edits: &Edits,
    ) -> Result<Vec<Note>, TurnError> {
        if edits.fields.is_empty() {
            return Ok(vec![]);
        }
        let mut changes = Vec::new();
        let mut shown = vec![];
        for (n, operation) in (1..).zip(&all(turn, found).await?) {
            let edited = self.edited(turn, n, operation, edits)?;
            if let (Some(before), Some(after)) = (operation.after(), edited.after())
                && before.draft != after.draft
            {
                // The person was shown the row, so only the values are checked.
                shown.push(VisibleAnswer::of_row(before.row_ref()));
                changes.push(Change::Update { before: before.clone(), after: after.draft.clone() });
            }
        }
        let said = turn.user_messages();
        Ok(self.unsupported(&changes.iter().collect::<Vec<_>>(), &turn.tool_context(&said, &shown)))
    }

    pub(super) async fn revision(
        &self,
        turn: &CurrentTurn<'_>,
        id: ProposalId,
        found: &Proposal,
        edits: &Edits,
        unsupported: &[Note],
    ) -> Result<(Proposal, Vec<Chunk>), TurnError> {
        let operations = all(turn, found).await?;
        let refused = |text: String| Err(TurnError::Unprocessable(text));
        if let Some(n) = edits.lines().find(|n| !(1..=operations.len()).contains(n)) {
            return refused(format!("there is no number {n}. The numbers go from 1 to {}", operations.len()));
        }
        let mut exclude = edits.exclude.clone();
        for name in &edits.exclude_named {
            let named = self.named(&operations, name, turn.conventions.style)?;
            if named.is_empty() {
                return refused(format!("nothing here is called “{name}”. Say the numbers to leave out"));
            }
            exclude.extend(named);
        }
        if exclude.len() == operations.len() {
            return refused("then nothing would be left. Say “no” instead".into());
        }
        let mut kept = Vec::new();
        for (n, operation) in (1..).zip(&operations).filter(|(n, _)| !exclude.contains(n)) {
            let edited = self.edited(turn, n, operation, edits)?;
            // The edit restores the stored values, so the operation is left out.
            if edited.before().map(|record| &record.draft) != edited.after().map(|record| &record.draft) {
                kept.push(edited);
            }
        }
        let kept = self.without_orphan_preferences(kept)?;
        if kept.is_empty() {
            return refused("then nothing would change. Say “no” instead".into());
        }
        if kept == operations {
            return refused("it is already like that. Say “yes” to confirm it".into());
        }
        let arguments = json!({ "proposal": found.header.id, "exclude": exclude, "edits": edits.fields });
        // An edited due item keeps its tool name, so that a no still skips it.
        let tool = if found.body.call.tool == DUE_TOOL { DUE_TOOL } else { "edit" };
        let call = Call { tool: tool.into(), arguments };
        let mut notes = self.notes(turn, &found.body, &kept, edits, unsupported).await?;
        let chosen = notes.iter().position(|note| note.kind == NoteKind::Chosen);
        if let (Some(chosen), false) = (chosen, exclude.is_empty()) {
            let value = json!({ "count": exclude.len(), "names": edits.exclude_named });
            notes.insert(chosen + 1, Note::new(NoteKind::LeftOut, "", "operations", value).because("excluded"));
        }
        let too_much = |error: ChangeSetError| self.impossible(&error);
        let is_watched = self.is_watched(&kept, &turn.context.preferences, turn.today);
        let Packed { first, manifest, rest } = pack(kept).map_err(too_much)?;
        let body = ProposalBody { call, notes, changes: first, manifest, is_watched }.fit().map_err(too_much)?;
        let tenant = turn.request.caller.tenant().as_str();
        let (user, conversation) = (found.header.user.as_str(), found.header.conversation.as_str());
        Ok((Proposal::new(id, Audience { tenant, user, conversation }, body, turn.request.at), rest))
    }

    /// The numbers of the lines that contain all words of a name.
    fn named(&self, operations: &[Operation], name: &str, style: Style) -> Result<Vec<usize>, TurnError> {
        let telling = words(name);
        let mut named = Vec::new();
        for (n, operation) in (1..).zip(operations) {
            let row = operation.row();
            let line = words(&self.registry.kind_of(&row.draft.kind)?.describe(&row.draft, style));
            if !telling.is_empty() && telling.iter().all(|word| line.contains(word)) {
                named.push(n);
            }
        }
        Ok(named)
    }

    /// The assumptions that still hold, and new warnings for the edited operations.
    async fn notes(
        &self,
        turn: &CurrentTurn<'_>,
        found: &ProposalBody,
        operations: &[Operation],
        edits: &Edits,
        unsupported: &[Note],
    ) -> Result<Vec<Note>, TurnError> {
        let mut rows = Vec::new();
        let mut notes = Vec::new();
        let mut drafts = Vec::new();
        for operation in operations {
            let row = operation.after().unwrap_or_else(|| operation.row());
            let kind = self.registry.kind_of(&row.draft.kind)?;
            rows.push(row);
            if operation.before().is_none() && !operation.is_restored() {
                notes.extend(kind.duplicates().and_then(|duplicates| duplicates.unusual(&row.draft)));
            }
            if !operation.is_restored() {
                drafts.push((operation.before().map(|before| &before.draft), &row.draft));
            }
        }
        notes.extend(self.find_duplicates(turn, new_or_changed(drafts.into_iter())).await?);
        let taken: Vec<_> = edits.fields.values().flat_map(Map::values).collect();
        let holds = |note: &Note| match note.kind {
            NoteKind::Assumed => (note.applies_to(&rows) && !unsupported.contains(note)).then(|| note.clone()),
            NoteKind::LeftOut => note.without(&taken),
            NoteKind::Chosen => Some(note.clone()),
            NoteKind::PossibleDuplicate | NoteKind::UnusualAmount | NoteKind::NotStated => None,
        };
        let before = found.notes.iter().filter_map(holds);
        Ok(before.chain(unsupported.iter().cloned()).chain(notes).collect())
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
            return Err(TurnError::Unprocessable(format!("number {n} is a deletion, so it cannot be edited")));
        };
        let Some(editing) = self.registry.kind_of(&after.draft.kind)?.editing() else {
            let text = format!("number {n} cannot be edited. Leave it out, or say it again");
            return Err(TurnError::Unprocessable(text));
        };
        let mut after = after.clone();
        let said = [turn.message.to_owned()];
        after.draft = editing.edited(&after.draft, fields.clone(), &turn.tool_context(&said, &[])).map_err(
            |error| match error {
                ToolError::Fault(error) => error.into(),
                ToolError::Ask(question) => TurnError::Unclear(question),
                other => TurnError::Unprocessable(format!("number {n}: {other}")),
            },
        )?;
        Ok(operation.with_after(after))
    }
}

/// The operations of all chunks.
async fn all(turn: &CurrentTurn<'_>, found: &Proposal) -> Result<Vec<Operation>, TurnError> {
    let chunks = turn.store.chunks(found, usize::MAX).await?;
    Ok(chunks.into_iter().flat_map(|chunk| chunk.chunk.changes.operations().to_vec()).collect())
}

/// Words for comparison: "taxis" equals "taxi".
fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words
        .map(|word| word.to_lowercase())
        .map(|word| word.strip_suffix('s').map(str::to_owned).unwrap_or(word))
        .inserted()
}

/// Derived from the request, so that a repeated request makes the same revision.
fn revision_id(turn: &CurrentTurn<'_>, of: &ProposalId, edits: &Edits) -> ProposalId {
    let tenant = turn.request.caller.tenant().as_str();
    let edits = hash_json(&json!({ "exclude": edits.exclude, "named": edits.exclude_named, "edits": edits.fields }));
    match &turn.request.message_id {
        Some(message) => ProposalId::derived(&["edit", tenant, of.as_str(), &edits, message]),
        None => ProposalId::random(turn.request.nonce),
    }
}

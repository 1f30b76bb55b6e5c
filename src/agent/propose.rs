//! Makes a proposal from planned changes: ids, warnings and policy. Runs the state machine.

use std::{collections::BTreeSet, sync::Arc};

use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{
    Agent, CurrentTurn, TurnError, TurnRequest,
    events::{Events, TurnEvent},
    planned_changes::{PlannedChanges, new_ids},
    rate_limit::RateLimit,
    reply::Reply,
    wording::{list_waiting, lower_first},
};
use crate::{
    phrases::Style,
    proposal::{
        Audience, Call, Change, ChangeSetError, Chunk, Decision, Draft, Event, Note, NoteKind, Operation, Outcome,
        Packed, Policy, Progress, Proposal, ProposalBody, ProposalId, Record, Revision, StoreCall, Task, number, pack,
        step,
    },
    shown::Shown,
    store::{
        Among, Bookkeeping, ListQuery, StoreError, TenantStore, TurnOutcome, WaitingProposal,
        conversations::MAX_WAITING,
    },
    tool::PreferenceOffer,
};

/// Possible duplicates that are read for one row. The one with the nearest day is named.
const MAX_DUPLICATES: usize = 20;

/// New records whose duplicates are looked for. Only an import has more, and it has looked for them itself.
const MOST_NEW: usize = 500;

/// Concurrent reads of duplicates.
const CONCURRENT_LOOKUPS: usize = 16;

impl Agent {
    /// Shows the changes and waits for approval, or executes them if the policy allows it.
    pub(super) async fn propose(
        &self,
        turn: &CurrentTurn<'_>,
        planned: PlannedChanges,
        policy: Policy,
    ) -> Result<Reply, TurnError> {
        if let Some(extended) = self.extended_proposal(turn, &planned).await? {
            return self.extend(turn, extended, planned, policy).await;
        }
        // The message does not approve the shown proposal, so new changes wait for approval too.
        let policy = if turn.continues_after_yes() { Policy::Always } else { policy };
        let PlannedChanges { call, changes, mut notes, not_stated } = planned;
        let replaced = turn.proposal_to_replace().or_else(|| turn.shown_change_of_deleted(&changes));
        let mut operations = self.numbered(turn, changes, &mut notes).await?;
        let doubts = (&mut notes, not_stated);
        let (policy, offers) = self.apply_policy(&mut operations, doubts, policy, &turn.tool_context(&[], &[]))?;
        let (proposal, rest) = self.assemble(turn, call, notes, operations)?;
        let refused = self.replaced_due_proposal(turn).await?;
        let left_out = refused.as_ref().map(|refused| self.wording(turn.conventions.style).rejected(refused));
        let left_out = left_out.transpose()?.map(|text| format!("{text}\n\n")).unwrap_or_default();
        let mut stored = None;
        let keep = |outcome: &Outcome| {
            let (bookkeeping, reply) = self.submit_bookkeeping(turn, outcome, &offers, &left_out)?;
            stored = Some(reply);
            Ok(bookkeeping)
        };
        let task = submission(turn, replaced, proposal, rest, policy);
        let (outcome, kept) = self.run(turn.request, task, keep).await?;
        let reply = match stored.filter(|_| kept) {
            Some(reply) => reply,
            None => with_offers(self.conversation_reply(turn, &outcome)?, turn, &outcome, &offers, &left_out),
        };
        if let (Outcome::Waiting(_), Some(refused)) = (&outcome, &refused) {
            self.skip_due_item(turn.request, refused).await;
        }
        let reply = if kept { reply } else { self.conclude(turn, reply, turn_outcome(turn, &outcome)).await? };
        Ok(self
            .with_statuses(turn.reply_context(), &turn.context.preferences, std::slice::from_ref(&outcome), reply)
            .await)
    }

    /// The changes as operations, with ids for new rows, and notes about possible duplicates.
    pub(super) async fn numbered(
        &self,
        turn: &CurrentTurn<'_>,
        changes: Vec<Change>,
        notes: &mut Vec<Note>,
    ) -> Result<Vec<Operation>, TurnError> {
        // Two concurrent reads.
        let (ids, duplicates) = tokio::try_join!(
            new_ids(&turn.store, &changes),
            self.find_duplicates(turn, new_or_changed(changes.iter().filter_map(before_and_after)))
        )?;
        notes.extend(duplicates);
        Ok(number(changes, ids, turn.request.at))
    }

    /// A new proposal, and its chunks after the first.
    pub(super) fn assemble(
        &self,
        turn: &CurrentTurn<'_>,
        call: Call,
        notes: Vec<Note>,
        operations: Vec<Operation>,
    ) -> Result<(Proposal, Arc<[Chunk]>), TurnError> {
        let too_much = |error: ChangeSetError| self.impossible(&error);
        let is_watched = self.is_watched(&operations, &turn.context.preferences, turn.today);
        let Packed { first, manifest, rest } = pack(operations).map_err(too_much)?;
        let audience = Audience {
            tenant: turn.request.caller.tenant().as_str(),
            user: turn.request.caller.user().as_str(),
            conversation: &turn.request.conversation,
        };
        let body = ProposalBody { call, notes, changes: first, manifest, is_watched }.fit().map_err(too_much)?;
        Ok((Proposal::new(turn.proposal_id(), audience, body, turn.request.at), rest.into()))
    }

    /// Runs the state machine: performs its requests and returns the results to it. Also returns whether its last
    /// action was a commit, which includes the bookkeeping.
    pub(super) async fn run(
        &self,
        request: &TurnRequest,
        task: Task,
        keep: impl FnMut(&Outcome) -> Result<Bookkeeping, StoreError>,
    ) -> Result<(Outcome, bool), TurnError> {
        let store = self.store.tenant(request.caller.tenant());
        let progress = Progress::new(request.caller.clone(), request.at, task);
        self.drive(store, progress, None, request.deadline.answer, request.events.as_ref(), keep).await
    }

    /// `known`: the proposal as it was read before, in place of the first load. `events`: of the person who waits for a
    /// run.
    pub(super) async fn drive(
        &self,
        store: TenantStore<'_>,
        mut progress: Progress,
        mut known: Option<Proposal>,
        deadline: Instant,
        events: Option<&Events>,
        mut keep: impl FnMut(&Outcome) -> Result<Bookkeeping, StoreError>,
    ) -> Result<(Outcome, bool), TurnError> {
        let mut event = Event::Begin;
        let mut rate_limit = RateLimit::new(deadline, self.rows_per_second);
        loop {
            let committed = event == Event::Committed;
            if let (true, Some(events), Some(Outcome::Executing(run))) = (committed, events, progress.if_committed()) {
                let done = self.wording(Style::default()).progress(run);
                done.into_iter().for_each(|done| events.send(TurnEvent::Progress(done)));
            }
            let (next, call) = step(progress, event);
            progress = next;
            if let Some(outcome) = progress.outcome() {
                return Ok((outcome.clone(), committed));
            }
            event = match call {
                Some(StoreCall::Pause { attempt }) => {
                    tokio::time::sleep((self.pause)(attempt)).await;
                    Event::Woke
                }
                Some(StoreCall::Load(_)) if known.is_some() => Event::Loaded(known.take()),
                Some(call) if call.can_wait() && rate_limit.is_out_of_time() => Event::OutOfTime,
                Some(call) => {
                    let (rows, halts) = (call.rows(), call.halts().cloned());
                    let bookkeeping = progress.if_committed().map(&mut keep).transpose()?.unwrap_or_default();
                    let event = store.perform(call, &bookkeeping).await?;
                    if let (Some(id), Event::Committed) = (halts, &event) {
                        // Only the request that ends the run logs this, so it is logged once.
                        tracing::error!(proposal = %id, "a run ended early: a chunk is missing or was altered");
                    }
                    rate_limit.wait_for(rows, &event).await;
                    event
                }
                None => return Err(StoreError::Corrupt("the proposal's state machine has stopped".into()).into()),
            };
        }
    }

    /// Notes for records of the same day, or near it, that a new record may repeat. A coffee every day is not a
    /// duplicate.
    pub(super) async fn find_duplicates(
        &self,
        turn: &CurrentTurn<'_>,
        drafts: Vec<DraftChange<'_>>,
    ) -> Result<Vec<Note>, StoreError> {
        let (store, said) = (&turn.store, turn.user_messages());
        let mut lookups = Vec::new();
        for (before, draft) in &drafts {
            // For an existing record, the message is about this record and not about a duplicate.
            let said = if before.is_some() { &[] } else { said.as_slice() };
            let duplicates = self.registry.kind_of(&draft.kind)?.duplicates();
            let possible = duplicates.and_then(|duplicates| duplicates.possible_duplicates(draft, said));
            lookups.extend(possible.map(|possible| (*draft, possible)));
        }
        let lookups = lookups.into_iter().map(|(draft, (duplicates, days))| async move {
            let query = ListQuery {
                kind: &draft.kind,
                // A duplicate has the same name.
                among: if draft.name.is_some() { Among::Names(draft.name.as_slice()) } else { Among::All },
                from: days.from,
                to: days.to,
                conditions: vec![duplicates],
                limit: MAX_DUPLICATES,
                after: None,
                oldest_first: false,
            };
            let apart = |record: &Record| record.draft.date.duration_since(draft.date).abs();
            Ok::<_, StoreError>(store.list(&query).await?.records.into_iter().min_by_key(apart))
        });
        let lookups = stream::iter(lookups.collect::<Vec<_>>());
        let duplicates: Vec<Option<Record>> = lookups.buffered(CONCURRENT_LOOKUPS).try_collect().await?;
        let mut notes = Vec::new();
        for record in duplicates.into_iter().flatten() {
            notes.push(duplicate(&record.draft.kind, json!(record)).because("known"));
        }
        let mut seen = BTreeSet::new();
        let twice = drafts
            .iter()
            .map(|(_, draft)| draft)
            .filter(|draft| draft.duplicate_key.is_some() && !seen.insert((&draft.duplicate_key, draft.date)));
        for draft in twice {
            notes.push(duplicate(&draft.kind, json!(draft)).because("twice"));
        }
        Ok(notes)
    }

    /// Also returns the reply that is stored with it.
    pub(super) fn submit_bookkeeping(
        &self,
        turn: &CurrentTurn<'_>,
        outcome: &Outcome,
        offers: &[PreferenceOffer],
        left_out: &str,
    ) -> Result<(Bookkeeping, Reply), StoreError> {
        let reply = with_offers(
            self.conversation_reply(turn, outcome).map_err(TurnError::into_store_error)?,
            turn,
            outcome,
            offers,
            left_out,
        );
        let mut bookkeeping = turn.bookkeeping(&reply, turn_outcome(turn, outcome));
        if let Outcome::Waiting(proposal) = outcome {
            bookkeeping.displaced = displaced(turn, proposal);
            bookkeeping = self.with_waiting_entry(bookkeeping, proposal, turn.conventions.style)?;
        }
        Ok((bookkeeping, reply))
    }

    pub(super) fn waiting_reply(&self, proposal: &Proposal, request: &TurnRequest) -> Result<Reply, TurnError> {
        let wording = self.wording(request.conventions().style);
        Ok(Reply {
            answer: wording.question(proposal)?,
            confirmation_required: true,
            proposal: Some(wording.proposal_view(proposal, request.at)?),
            shown: Shown { proposal: Some(wording.changes(proposal)?), ..Shown::default() },
            ..Reply::default()
        })
    }
}

/// Submits a proposal in the place of `replaced`, or of an equal one that waits, so that the next yes is not ambiguous.
pub(super) fn submission(
    turn: &CurrentTurn<'_>,
    replaced: Option<&WaitingProposal>,
    proposal: Proposal,
    rest: Arc<[Chunk]>,
    policy: Policy,
) -> Task {
    let header = &proposal.header;
    let again = turn.live().find(|waiting| waiting.fingerprint == header.fingerprint && waiting.id != header.id);
    match replaced.or(again) {
        Some(WaitingProposal { id, fingerprint, .. }) => {
            let decision = Decision::Revise(Revision { proposal: Box::new(proposal), rest });
            Task::Decide { id: id.clone(), fingerprint: Some(fingerprint.clone()), decision }
        }
        None => Task::Submit { proposal, rest, policy },
    }
}

pub(super) fn duplicate(kind: &str, row: Value) -> Note {
    Note::new(NoteKind::PossibleDuplicate, kind, "rows", row)
}

/// A record before the change, if it exists, and after it.
pub(super) type DraftChange<'d> = (Option<&'d Draft>, &'d Draft);

fn before_and_after(change: &Change) -> Option<DraftChange<'_>> {
    match change {
        Change::Create(draft) => Some((None, draft)),
        Change::Update { before, after } => Some((Some(&before.draft), after)),
        Change::Delete { .. } | Change::Restore(_) => None,
    }
}

/// The records that may become duplicates: new ones, and changed ones unless there are many.
pub(super) fn new_or_changed<'d>(drafts: impl Iterator<Item = DraftChange<'d>>) -> Vec<DraftChange<'d>> {
    let duplicate_key = |draft: &'d Draft| (&draft.duplicate_key, draft.date);
    let other =
        drafts.filter(|(before, after)| before.is_none_or(|before| duplicate_key(before) != duplicate_key(after)));
    let (new, changed): (Vec<_>, Vec<_>) = other.partition(|(before, _)| before.is_none());
    let (few_new, few) = (new.len() <= MOST_NEW, changed.len() <= CONCURRENT_LOOKUPS);
    new.into_iter().filter(|_| few_new).chain(changed.into_iter().filter(|_| few)).collect()
}

/// The oldest waiting proposals, if there are too many. The revision of somebody else's proposal takes its place in
/// their conversation, which was not read.
fn displaced(turn: &CurrentTurn<'_>, proposal: &Proposal) -> Vec<WaitingProposal> {
    if !is_own(turn, proposal) {
        return vec![];
    }
    let replaced = proposal.header.supersedes.as_ref();
    let mut waiting = turn.context.waiting.clone();
    waiting.retain(|waiting| Some(&waiting.id) != replaced);
    waiting.truncate((waiting.len() + 1).saturating_sub(MAX_WAITING));
    waiting
}

/// Adds the offers of stored values, and names the proposals that no longer wait or still do.
pub(super) fn with_offers(
    mut reply: Reply,
    turn: &CurrentTurn<'_>,
    outcome: &Outcome,
    offers: &[PreferenceOffer],
    left_out: &str,
) -> Reply {
    if let Outcome::Waiting(proposal) = outcome {
        reply.answer.insert_str(0, left_out);
        for WaitingProposal { summary, .. } in
            displaced(turn, proposal).iter().filter(|it| it.expires_at > turn.request.at)
        {
            let text = format!(
                "\n\nToo many things are waiting for your answer, so I dropped this one: {}. Say it again if you want it.",
                lower_first(summary)
            );
            reply.answer.push_str(&text);
        }
    }
    if let Outcome::Executed { proposal: Proposal { header, .. }, .. } = outcome {
        for PreferenceOffer { invitation, say, .. } in offers {
            reply.answer.push_str(&format!("\n{invitation}"));
            reply.found.suggestions.insert(0, say.clone());
        }
        // A yes beside something that is done at once decides nothing else. A plain answer to this may be about what was
        // just done, so it is asked back.
        let is_done = |id: &ProposalId| *id == header.id || Some(id) == header.supersedes.as_ref();
        list_waiting(&mut reply, turn.live().filter(|waiting| !is_done(&waiting.id)));
    }
    reply
}

/// What the next plain answer in this conversation can refer to. A proposal that waits for somebody else cannot be
/// approved by a word here: an approval must not change hands unnoticed.
pub(super) fn turn_outcome(turn: &CurrentTurn<'_>, outcome: &Outcome) -> TurnOutcome {
    match outcome {
        Outcome::Waiting(proposal) if is_own(turn, proposal) => TurnOutcome::ShowedProposal(proposal.header.id.clone()),
        _ => TurnOutcome::Answered,
    }
}

fn is_own(turn: &CurrentTurn<'_>, proposal: &Proposal) -> bool {
    proposal.header.user == turn.request.caller.user().as_str()
}

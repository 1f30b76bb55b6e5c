//! Changes by form: an action of a page, without a message.
//!
//! The person saw the fields and clicked, so their words are not checked. Everything else is as for other changes: roles,
//! limits, notes, the state machine and its receipt.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use futures_util::future::try_join_all;
use serde_json::{Map, Value};

use super::{Agent, CurrentTurn, TurnError, TurnRequest, planned_changes::new_ids, propose::submission, reply::Reply};
use crate::{
    json_fields::short,
    proposal::{Call, Change, Decision, Draft, Header, Note, Outcome, Policy, ProposalStatus, Record, Task, number},
    sorted::Collect,
    store::{Bookkeeping, StoreError, TurnOutcome},
    tool::{Editing, Question, RecordKind, ToolContext, ToolError},
};

/// Stands for a message that nobody said.
const SAID: &str = "Change this.";

#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    pub operations: Vec<FormOperation>,
    /// The operations as they were sent. The proposal stores them.
    pub call: Call,
    /// The person's click approves what is computed. Otherwise it waits.
    pub approve: bool,
    /// The client names a conversation, so it gets a turn.
    pub in_conversation: bool,
    /// Told before the question whether to do it.
    pub lead: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct FormOperation {
    /// The name of a kind.
    pub kind: String,
    pub change: FormChange,
}

#[derive(Debug, Clone, PartialEq)]
pub enum FormChange {
    Create {
        fields: Map<String, Value>,
    },
    /// A row that was read from a file. The person saw which of them may be duplicates.
    Import(Box<Draft>),
    /// `version`: as the page showed the row.
    Update {
        id: u64,
        version: Option<u64>,
        fields: Map<String, Value>,
    },
    Delete {
        id: u64,
        version: Option<u64>,
    },
}

impl FormChange {
    fn id(&self) -> Option<u64> {
        match self {
            FormChange::Create { .. } | FormChange::Import(_) => None,
            FormChange::Update { id, .. } | FormChange::Delete { id, .. } => Some(*id),
        }
    }
}

/// The rows that a form is about, by kind and id.
type Rows<'f> = BTreeMap<&'f str, HashMap<u64, Record>>;

impl Agent {
    /// Proposes the changes and, if the click approves them, decides. The same request sent again continues where the
    /// first ended.
    pub(super) async fn change_by_form(&self, request: &TurnRequest, form: &Form) -> Result<Reply, TurnError> {
        let store = self.store.tenant(request.caller.tenant());
        let known = async {
            match &request.message_id {
                Some(_) => store.proposal(&request.proposal_id(SAID)).await,
                None => Ok(None),
            }
        };
        let context = store.turn_context(request.caller.user().as_str(), &request.conversation, None);
        let (known, context) = tokio::try_join!(known, context)?;
        let turn = CurrentTurn::new(request, store, context, None, SAID, self);
        let (outcome, stored) = match known {
            Some(known) if form.approve => return self.approve_form(request, &known.header).await,
            Some(known) if known.header.status(request.at) == ProposalStatus::Pending => {
                (Outcome::Waiting(known), None)
            }
            Some(known) => self.run_form_decision(request, Task::Resume { id: known.header.id }).await?,
            None => {
                let task = self.form_submission(&turn, form).await?;
                let keep = |outcome: &Outcome| self.form_submission_bookkeeping(&turn, form, outcome);
                (self.run(request, task, keep).await?.0, None)
            }
        };
        match outcome {
            Outcome::Waiting(proposal) if form.approve => self.approve_form(request, &proposal.header).await,
            outcome => {
                let mut reply = self.form_reply(request, &outcome, stored).await?;
                if matches!(outcome, Outcome::Waiting(_)) {
                    reply.answer.insert_str(0, &form.lead);
                }
                Ok(reply)
            }
        }
    }

    /// Asks for something that only another request can bring.
    pub(super) async fn ask_for_more(
        &self,
        request: &TurnRequest,
        said: &str,
        question: &Question,
    ) -> Result<Reply, TurnError> {
        let store = self.store.tenant(request.caller.tenant());
        let context = store.turn_context(request.caller.user().as_str(), &request.conversation, None).await?;
        let turn = CurrentTurn::new(request, store, context, None, said, self);
        let (answer, question) = (question.text.clone(), Some(question.clone()));
        self.conclude(&turn, Reply { answer, question, ..Reply::default() }, TurnOutcome::Answered).await
    }

    async fn approve_form(&self, request: &TurnRequest, header: &Header) -> Result<Reply, TurnError> {
        let (id, fingerprint) = (header.id.clone(), Some(header.fingerprint.clone()));
        let task = Task::Decide { id, fingerprint, decision: Decision::Approve };
        let (outcome, stored) = self.run_form_decision(request, task).await?;
        self.form_reply(request, &outcome, stored).await
    }

    async fn form_submission(&self, turn: &CurrentTurn<'_>, form: &Form) -> Result<Task, TurnError> {
        let (changes, mut notes) = self.form_changes(turn, form).await?;
        let is_import = |operation: &FormOperation| matches!(operation.change, FormChange::Import(_));
        let operations = match form.operations.iter().all(is_import) {
            true => {
                let ids = new_ids(&turn.store, &changes).await?;
                number(changes, ids, turn.request.at)
            }
            false => self.numbered(turn, changes, &mut notes).await?,
        };
        let (proposal, rest) = self.assemble(turn, form.call.clone(), notes, operations)?;
        Ok(submission(turn, None, proposal, rest, Policy::Always))
    }

    /// An approval follows at once, and its turn tells all.
    fn form_submission_bookkeeping(
        &self,
        turn: &CurrentTurn<'_>,
        form: &Form,
        outcome: &Outcome,
    ) -> Result<Bookkeeping, StoreError> {
        let (mut bookkeeping, _) = self.submit_bookkeeping(turn, outcome, &[], &form.lead)?;
        bookkeeping.turn = bookkeeping.turn.filter(|_| form.in_conversation && !form.approve);
        if form.approve {
            bookkeeping.displaced.clear();
        }
        if let Some((_, turn)) = &mut bookkeeping.turn {
            turn.message.clone_from(&bookkeeping.summary);
        }
        Ok(bookkeeping)
    }

    async fn form_changes(&self, turn: &CurrentTurn<'_>, form: &Form) -> Result<(Vec<Change>, Vec<Note>), TurnError> {
        let caller = &turn.request.caller;
        if !caller.may_add() {
            let text = "viewers can look but not change. Ask an administrator for another role";
            return Err(TurnError::Forbidden(text.into()));
        }
        if form.operations.is_empty() {
            return Err(TurnError::Unprocessable("nothing is left to change. Choose at least one row".into()));
        }
        let kind = |(n, operation): (usize, &FormOperation)| {
            self.kind_of_form(&operation.kind).map_err(|error| numbered(error, n, form))
        };
        let kinds = form.operations.iter().enumerate().map(kind).collect::<Result<Vec<_>, _>>()?;
        let rows = self.form_rows(turn, form).await?;
        let context = turn.tool_context(&[], &[]);
        let (mut changes, mut notes) = (Vec::new(), Vec::new());
        for (n, (operation, kind)) in form.operations.iter().zip(kinds).enumerate() {
            let change = self.form_change(kind, &operation.change, &rows, &context);
            let change = change.map_err(|error| numbered(error, n, form))?;
            if let (FormChange::Create { .. }, Change::Create(draft)) = (&operation.change, &change) {
                notes.extend(kind.duplicates().and_then(|duplicates| duplicates.unusual(draft)));
            }
            changes.push(change);
        }
        Ok((changes, notes))
    }

    fn kind_of_form(&self, name: &str) -> Result<&dyn RecordKind, TurnError> {
        let unknown = || {
            let known: Vec<String> = self.registry.kinds().map(|kind| format!("`{}`", kind.name())).collect();
            TurnError::Unprocessable(format!("there is no kind {:?}. It can be {}", short(name), known.join(", ")))
        };
        self.registry.kind_named(name).ok_or_else(unknown)
    }

    async fn form_rows<'f>(&self, turn: &CurrentTurn<'_>, form: &'f Form) -> Result<Rows<'f>, TurnError> {
        let mut ids: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
        for FormOperation { kind, change } in &form.operations {
            ids.entry(kind).or_default().extend(change.id());
        }
        let reads = ids.into_iter().map(|(kind, ids)| async move {
            let prefix = self.kind_of_form(kind)?.prefix();
            let ids: Vec<u64> = ids.into_iter().collect();
            Ok::<_, TurnError>((kind, turn.store.records(prefix, &ids).await?))
        });
        Ok(try_join_all(reads).await?.into_iter().inserted())
    }

    fn form_change(
        &self,
        kind: &dyn RecordKind,
        change: &FormChange,
        rows: &Rows<'_>,
        context: &ToolContext<'_>,
    ) -> Result<Change, TurnError> {
        let rows = &rows[kind.name()];
        let found = |id: u64, version: Option<u64>| self.form_row(kind, rows.get(&id), (id, version), context);
        match change {
            FormChange::Create { fields } => {
                let draft = editing(kind)?.created(given(fields), context).map_err(refused)?;
                Ok(Change::Create(draft))
            }
            FormChange::Import(draft) => Ok(Change::Create((**draft).clone())),
            FormChange::Update { id, version, fields } => {
                let before = found(*id, *version)?;
                let after = editing(kind)?.edited(&before.draft, given(fields), context).map_err(refused)?;
                if after == before.draft {
                    let text = format!("{} #{id} is already like that. Change something first", kind.noun(1));
                    return Err(TurnError::Unprocessable(text));
                }
                Ok(Change::Update { before, after })
            }
            FormChange::Delete { id, version } => Ok(Change::Delete { before: found(*id, *version)? }),
        }
    }

    /// The row, if the caller may change it and the page showed it as it is.
    fn form_row(
        &self,
        kind: &dyn RecordKind,
        row: Option<&Record>,
        (id, version): (u64, Option<u64>),
        context: &ToolContext<'_>,
    ) -> Result<Record, TurnError> {
        let name = format!("{} #{id}", kind.noun(1));
        let Some(row) = row else {
            return Err(TurnError::NoSuchRow(format!("there is no {name}. It may have been deleted")));
        };
        if !context.caller.may_change(&row.draft.owner) {
            let text = format!("{name} belongs to someone else. Ask them or an administrator to change it");
            return Err(TurnError::Forbidden(text));
        }
        if version.is_some_and(|version| version != row.version) {
            let detail = format!("{name} has changed since it was shown. Nothing was changed. Look at it again");
            return Err(TurnError::RowChanged { detail, row: self.registry.row(row)? });
        }
        Ok(row.clone())
    }
}

fn editing(kind: &dyn RecordKind) -> Result<&dyn Editing, TurnError> {
    let text = || format!("{} cannot be added or changed by form. Say it in the chat", kind.noun(2));
    kind.editing().filter(|editing| editing.has_form()).ok_or_else(|| TurnError::Unprocessable(text()))
}

/// `null` is the same as nothing.
fn given(fields: &Map<String, Value>) -> Map<String, Value> {
    let given = fields.iter().filter(|(_, value)| !value.is_null());
    given.map(|(name, value)| (name.clone(), value.clone())).inserted()
}

fn refused(error: ToolError) -> TurnError {
    match error {
        ToolError::Fault(error) => error.into(),
        ToolError::Forbidden(text) => TurnError::Forbidden(text),
        other => TurnError::Unprocessable(other.to_string()),
    }
}

/// Says which of several operations is refused.
fn numbered(error: TurnError, n: usize, form: &Form) -> TurnError {
    match error {
        TurnError::Unprocessable(text) if form.operations.len() > 1 => {
            TurnError::Unprocessable(format!("`operations[{n}]`: {text}"))
        }
        error => error,
    }
}

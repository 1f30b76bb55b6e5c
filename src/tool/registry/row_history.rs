//! `get_row_history`: what happened to one row, read from the receipts. It is a tool of the registry, because it words
//! rows of every kind.

use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Registry, RegistryError, Run, specs::spec};
use crate::{
    proposal::{Header, Operation, ProposalId, Receipt, RowRef, is_preference},
    store::{DoneChunk, StoreError, TenantStore},
    tool::{GateInput, QueryResult, RecordKind, ToolContext, ToolError, shown_row},
};

const NAME: &str = "get_row_history";

/// Receipts that are searched, newest first, and how many are read together.
const RECEIPTS: usize = 200;
const PAGE: usize = 25;
const CONCURRENT: usize = 8;
/// Chunks of them that are read. A change of 10,000 rows has hundreds.
const CHUNKS: usize = 1_000;

/// Changes in the text.
const LINES: usize = 20;

/// Read what a row was before: who added, changed or deleted it, when, and its old and new values.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RowHistory {
    /// The number of the row (#42).
    id: u64,
    /// The kind of the row, like "expense", if several kinds have numbers.
    kind: Option<String>,
}

/// One change of the row.
struct Past {
    at: Timestamp,
    by: String,
    operation: Operation,
}

impl Registry {
    pub(super) fn with_row_history(mut self) -> Result<Registry, RegistryError> {
        self.gates.insert(NAME, asks_for_history);
        self.insert(spec::<RowHistory>(NAME)?, Run::RowHistory)
    }

    pub(super) async fn row_history(
        &self,
        asked: RowHistory,
        context: &ToolContext<'_>,
    ) -> Result<QueryResult, ToolError> {
        let kind = self.numbered_kind(asked.kind.as_deref(), context)?;
        let row = RowRef { kind: kind.prefix().to_owned(), id: asked.id };
        let name = context.row_names.reference(kind.prefix(), row.id);
        let now = context.store.record(kind.prefix(), row.id).await?;
        let (past, is_complete) = past_of(context.store, &row).await?;
        if past.is_empty() && now.is_none() {
            return Err(ToolError::Refused(format!("there is no {} {name}", kind.noun(1))));
        }
        let style = context.style();
        let described = now.as_ref().map_or_else(
            || format!("{name}, which is deleted"),
            |row| format!("{name} {}", kind.describe(&row.draft, style)),
        );
        let line = |past: &Past| {
            let by =
                if past.by == context.caller.user().as_str() { "you".into() } else { context.members.label(&past.by) };
            let day = style.days.written(past.at.to_zoned(context.zone.clone()).date());
            let done = match &past.operation {
                Operation::Update { before, after } => kind.describe_change(&before.draft, &after.draft, style),
                Operation::Create { after } if past.operation.is_restored() => {
                    format!("restored {}", kind.describe(&after.draft, style))
                }
                Operation::Create { after } => format!("added {}", kind.describe(&after.draft, style)),
                Operation::Delete { before } => format!("deleted {}", kind.describe(&before.draft, style)),
            };
            format!("\n- {day}, by {by}: {done}")
        };
        let mut text = match past.len() {
            0 => format!("No change of {described} was found."),
            _ => format!("{described}, newest change first:{}", past.iter().take(LINES).map(line).collect::<String>()),
        };
        match past.len().saturating_sub(LINES) {
            0 => {}
            1 => text.push_str("\nThere is 1 earlier change."),
            earlier => text.push_str(&format!("\nThere are {earlier} earlier changes.")),
        }
        if !is_complete {
            text.push_str("\nThere may be earlier changes that I did not find or that are no longer kept.");
        }
        let rows = now.iter().map(|row| shown_row(kind, row)).collect();
        Ok(QueryResult { count: past.len(), summary_for_llm: text, rows, ..QueryResult::default() })
    }

    /// The kind with this name, or else the one that the page shows, or the only one with numbers.
    fn numbered_kind(&self, name: Option<&str>, context: &ToolContext<'_>) -> Result<&dyn RecordKind, ToolError> {
        let numbered: Vec<&dyn RecordKind> = self.kinds().filter(|kind| !is_preference(kind.prefix())).collect();
        let called = |name: &str| numbered.iter().find(|kind| kind.name() == name || kind.noun(1) == name).copied();
        let only = || if let [only] = numbered[..] { Some(only) } else { None };
        let found = match name {
            Some(name) => called(name),
            None => context.scope.and_then(called).or_else(only),
        };
        found.ok_or_else(|| {
            let names: Vec<&str> = numbered.iter().map(|kind| kind.name()).collect();
            ToolError::Refused(format!("say in `kind` which row it is: {}", names.join(", ")))
        })
    }
}

/// Newest first; and whether these are all: the oldest added the row.
async fn past_of(store: TenantStore<'_>, row: &RowRef) -> Result<(Vec<Past>, bool), StoreError> {
    let (mut past, mut before): (Vec<Past>, Option<String>) = (Vec::new(), None);
    let (mut receipts, mut chunks) = (0, 0);
    while receipts < RECEIPTS {
        let mut listed = store.receipts(before.as_deref(), PAGE).await?;
        receipts += listed.len();
        before = listed.last().map(|last| last.data_version.clone());
        let is_last = listed.len() < PAGE;
        let too_many = listed.iter().position(|listed| {
            chunks += listed.header.as_ref().map_or(0, Header::chunks_done);
            chunks > CHUNKS
        });
        listed.truncate(too_many.unwrap_or(listed.len()));
        let found = stream::iter(listed).map(|listed| async move {
            let id = match listed.header {
                Ok(header) => header.id,
                Err(StoreError::Corrupt(_)) => return Ok(vec![]),
                Err(error) => return Err(error),
            };
            changes_in(store, &id, row).await
        });
        let found: Vec<Vec<Past>> = found.buffered(CONCURRENT).try_collect().await?;
        past.extend(found.into_iter().flatten());
        let begins = past
            .last()
            .is_some_and(|past| matches!(past.operation, Operation::Create { .. }) && !past.operation.is_restored());
        if begins || is_last || too_many.is_some() {
            return Ok((past, begins));
        }
    }
    Ok((past, false))
}

/// What one receipt did to the row. One that cannot be read does not hide the others.
async fn changes_in(store: TenantStore<'_>, id: &ProposalId, row: &RowRef) -> Result<Vec<Past>, StoreError> {
    let read = async {
        let Some(proposal) = store.proposal(id).await? else { return Ok(vec![]) };
        let Some(Receipt { executed_at: at, executed_by, .. }) = Receipt::of(&proposal) else { return Ok(vec![]) };
        let chunks = store.chunks(&proposal, proposal.chunks_done()).await?;
        let operations = chunks.iter().flat_map(DoneChunk::operations);
        let of_row = operations.filter(|operation| operation.row().row_ref() == *row);
        Ok(of_row.map(|operation| Past { at, by: executed_by.clone(), operation }).collect())
    };
    match read.await {
        Err(StoreError::Corrupt(reason)) => {
            tracing::error!(reason, receipt = %id, "a receipt cannot be read");
            Ok(vec![])
        }
        read => read,
    }
}

/// Words of a message that may ask what a row was before.
fn asks_for_history(input: GateInput<'_>) -> bool {
    const WORDS: [&str; 24] = [
        "history", "before", "previous", "previously", "original", "originally", "changed", "edited", "happened",
        "used", "verlauf", "vorher", "früher", "geändert", "ursprünglich", "avant", "historique", "modifié", "changé",
        "origine", "antes", "historial", "cambiado", "cambió",
    ];
    let Some(said) = input.said.last() else { return false };
    let said = said.to_lowercase();
    said.split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word))
}

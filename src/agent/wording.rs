//! The words for proposals and receipts. They come from the operations, never from a model, so what is shown is what
//! runs and what is answered is what was committed.

use std::collections::BTreeMap;

use serde_json::Value;

use super::reply::{AuditView, OperationView, ProposalView, ReceiptView, Reply, Total};
use crate::{
    proposal::{Note, NoteKind, Operation, Proposal, Receipt, Record},
    store::StoreError,
    tool::{RecordKind, Registry},
};

pub(super) struct Wording<'a>(pub &'a Registry);

impl Wording<'_> {
    /// One line, without a question: how a waiting proposal is listed.
    pub fn summary(&self, proposal: &Proposal) -> Result<String, StoreError> {
        let operations = proposal.body.changes.operations();
        if let [operation] = operations {
            return self.imperative(operation);
        }
        let headline = self.headline(operations)?;
        Ok(match self.spoken_totals(operations)?.as_str() {
            "" => headline,
            totals => format!("{headline} ({totals})"),
        })
    }

    /// What is about to happen, and the question.
    pub fn question(&self, proposal: &Proposal) -> Result<String, StoreError> {
        let operations = proposal.body.changes.operations();
        let mut text = self.summary(proposal)?;
        if operations.len() > 1 {
            // All of them: nobody can agree to what they were not shown.
            for (n, operation) in operations.iter().enumerate() {
                text.push_str(&format!("\n{}. {}", n + 1, self.line(operation)?));
            }
            text.push('\n');
        }
        text.push_str(if operations.len() > 1 { "Shall I? (yes / no)" } else { "? (yes / no)" });
        for note in &proposal.body.notes {
            text.push_str(&format!("\n{}: {}", note_label(note), note.text));
        }
        Ok(text)
    }

    pub fn done(&self, receipt: &Receipt) -> Result<String, StoreError> {
        if let [operation] = receipt.operations.as_slice() {
            let text = self.line(operation)?;
            return Ok(match operation {
                Operation::Create { after } if operation.is_restored() => {
                    format!("I've restored #{} {text}.", after.id)
                }
                Operation::Create { after } => format!("I've added {text} (#{}).", after.id),
                Operation::Update { before, .. } => format!("I've changed #{} {text}.", before.id),
                Operation::Delete { before } => format!("I've deleted #{} {text}.", before.id),
            });
        }
        let mut text = format!("Done: {}.", lower_first(&self.headline(&receipt.operations)?));
        for operation in &receipt.operations {
            text.push_str(&format!("\n#{} {}", operation.row().id, self.line(operation)?));
        }
        Ok(text)
    }

    /// "coffee is now …" for each row that is no longer as it was shown.
    pub fn changed(&self, proposal: &Proposal, changed: &[(usize, Option<Record>)]) -> Result<Vec<String>, StoreError> {
        let operations = proposal.body.changes.operations();
        let lines = changed.iter().filter_map(|(index, now)| Some((operations.get(*index)?.row(), now)));
        let lines = lines.map(|(shown, now)| {
            let kind = self.0.kind_of(&shown.draft.kind)?;
            Ok(match now {
                Some(now) => format!(
                    "#{} was {}, and is now {}",
                    shown.id,
                    kind.describe(&shown.draft),
                    kind.describe(&now.draft)
                ),
                None => format!("#{} {} is gone", shown.id, kind.describe(&shown.draft)),
            })
        });
        lines.collect()
    }

    pub fn proposal_view(&self, proposal: &Proposal, now: jiff::Timestamp) -> Result<ProposalView, StoreError> {
        let operations = proposal.body.changes.operations();
        let receipt = Receipt::of(proposal).map(|receipt| self.receipt_view(&receipt)).transpose()?;
        Ok(ProposalView {
            id: proposal.header.id.clone(),
            state: proposal.header.standing(now),
            fingerprint: proposal.header.fingerprint.clone(),
            tool: proposal.body.call.tool.clone(),
            args: proposal.body.call.arguments.clone(),
            operations: self.operation_views(operations)?,
            totals: self.totals(operations)?,
            warnings: proposal.body.notes.clone(),
            expires_at: proposal.header.expires_at,
            receipt,
        })
    }

    pub fn receipt_view(&self, receipt: &Receipt) -> Result<ReceiptView, StoreError> {
        Ok(ReceiptView {
            proposal_id: receipt.proposal_id.clone(),
            fingerprint: receipt.fingerprint.clone(),
            executed_at: receipt.executed_at,
            executed_by: receipt.executed_by.clone(),
            replayed: false,
            operations: self.operation_views(&receipt.operations)?,
        })
    }

    /// None unless it has been executed.
    pub fn audit_view(&self, proposal: &Proposal) -> Result<Option<AuditView>, StoreError> {
        let Some(receipt) = Receipt::of(proposal) else { return Ok(None) };
        let (header, body) = (&proposal.header, &proposal.body);
        Ok(Some(AuditView {
            receipt: self.receipt_view(&receipt)?,
            asked_by: header.user.clone(),
            asked_at: header.created_at,
            conversation_id: header.conversation.clone(),
            tool: body.call.tool.clone(),
            warnings: body.notes.clone(),
            supersedes: header.supersedes.clone(),
        }))
    }

    /// The rows that a receipt touched, as they are now, by what happened to them.
    pub fn put_rows(&self, receipt: &Receipt, reply: &mut Reply) -> Result<(), StoreError> {
        for operation in &receipt.operations {
            match operation {
                Operation::Create { after } => reply.added.push(self.row(after)?),
                Operation::Update { after, .. } => reply.updated.push(self.row(after)?),
                Operation::Delete { before } => reply.deleted.push(self.row(before)?),
            }
        }
        Ok(())
    }

    pub fn row(&self, record: &Record) -> Result<Value, StoreError> {
        Ok(self.0.kind_of(&record.draft.kind)?.row(record))
    }

    fn operation_views(&self, operations: &[Operation]) -> Result<Vec<OperationView>, StoreError> {
        let views = operations.iter().enumerate().map(|(n, operation)| {
            Ok(OperationView {
                n: n + 1,
                op: verb(operation).to_lowercase(),
                text: self.line(operation)?,
                before: operation.before().map(|record| self.row(record)).transpose()?,
                after: operation.after().map(|record| self.row(record)).transpose()?,
            })
        });
        views.collect()
    }

    /// Per unit, of the rows as they will be added, or as they are deleted.
    fn totals(&self, operations: &[Operation]) -> Result<Vec<Total>, StoreError> {
        let totals = self.sums(operations)?.into_iter().map(|(unit, sum)| {
            let (amount, _) = sum.kind.amount(&unit, sum.amount);
            Total { currency: unit, amount, count: sum.count }
        });
        Ok(totals.collect())
    }

    fn spoken_totals(&self, operations: &[Operation]) -> Result<String, StoreError> {
        let sums = self.sums(operations)?;
        let spoken: Vec<String> = sums.into_iter().map(|(unit, sum)| sum.kind.amount(&unit, sum.amount).1).collect();
        Ok(spoken.join(" + "))
    }

    fn sums(&self, operations: &[Operation]) -> Result<BTreeMap<String, Sum<'_>>, StoreError> {
        let mut sums = BTreeMap::new();
        for record in operations.iter().filter_map(|operation| operation.after().or(operation.before())) {
            let kind = self.0.kind_of(&record.draft.kind)?;
            for contribution in &record.draft.rollups {
                let sum = sums.entry(contribution.unit.clone()).or_insert(Sum { kind, amount: 0, count: 0 });
                sum.amount += i128::from(contribution.amount);
                sum.count += 1;
            }
        }
        Ok(sums)
    }

    /// "Add coffee, £3.50, 20 Nov 2026".
    fn imperative(&self, operation: &Operation) -> Result<String, StoreError> {
        let line = self.line(operation)?;
        Ok(match operation {
            Operation::Create { .. } if !operation.is_restored() => format!("Add {line}"),
            _ => format!("{} #{} {line}", verb(operation), operation.row().id),
        })
    }

    fn line(&self, operation: &Operation) -> Result<String, StoreError> {
        let kind = self.0.kind_of(&operation.row().draft.kind)?;
        Ok(match operation {
            Operation::Create { after } => kind.describe(&after.draft),
            Operation::Delete { before } => kind.describe(&before.draft),
            Operation::Update { before, after } => {
                format!("{}: {}", kind.describe(&before.draft), kind.describe_change(&before.draft, &after.draft))
            }
        })
    }

    /// "Add 2 expenses", "Add 1 expense and delete 2 expenses".
    fn headline(&self, operations: &[Operation]) -> Result<String, StoreError> {
        let mut counts: Vec<(&'static str, &dyn RecordKind, usize)> = Vec::new();
        for operation in operations {
            let kind = self.0.kind_of(&operation.row().draft.kind)?;
            let same = counts
                .iter_mut()
                .find(|(verb_, kind_, _)| *verb_ == verb(operation) && kind_.prefix() == kind.prefix());
            match same {
                Some((_, _, count)) => *count += 1,
                None => counts.push((verb(operation), kind, 1)),
            }
        }
        let parts = counts.iter().enumerate().map(|(n, (verb, kind, count))| {
            let verb = if n == 0 { (*verb).to_owned() } else { lower_first(verb) };
            format!("{verb} {count} {}", kind.noun(*count))
        });
        Ok(parts.collect::<Vec<_>>().join(" and "))
    }
}

struct Sum<'a> {
    kind: &'a dyn RecordKind,
    amount: i128,
    count: usize,
}

fn verb(operation: &Operation) -> &'static str {
    match operation {
        Operation::Create { .. } if operation.is_restored() => "Restore",
        Operation::Create { .. } => "Add",
        Operation::Update { .. } => "Change",
        Operation::Delete { .. } => "Delete",
    }
}

fn note_label(note: &Note) -> &'static str {
    match note.kind {
        NoteKind::Assumed => "Assumed",
        NoteKind::PossibleDuplicate => "Possible duplicate",
        NoteKind::UnusualAmount => "Unusual amount",
        NoteKind::LeftOut => "Left out",
    }
}

pub(super) fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

pub(super) fn upper_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

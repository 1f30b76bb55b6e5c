//! Texts for proposals and receipts. They are made from operations and never by a model, so they match what runs and
//! what was committed.

use serde_json::Value;

use super::{
    planned_changes::DUE_TOOL,
    reply::{AuditView, OperationView, Progress, ProposalView, ReceiptView, Reply, Total},
};
use crate::{
    phrases::{Style, YES_OR_NO, upper_first},
    proposal::{
        Conflict, Count, Operation, OperationSummary, Proposal, ProposalStatus, Receipt, Record, State, Sum, Verb,
    },
    shown::{Changes, Counted, Line},
    store::{StoreError, WaitingProposal},
    tool::{Registry, VerbWords, shown_row},
};

mod notes;

pub(super) struct Wording<'a> {
    pub registry: &'a Registry,
    pub style: Style,
}

const REJECTED: &str = "OK, nothing was changed.";

/// Operations that are shown of a large proposal: as text, and as JSON rows.
const SAID_SAMPLE: usize = 5;
const SAMPLE: usize = 20;

/// The counts of the rows. A change with more operations than the loaded ones has no side effects.
fn without_side_effects(all: &OperationSummary, operations: &[Operation], rows: &[&Operation]) -> OperationSummary {
    if operations.len() == all.rows() { OperationSummary::of(rows.iter().copied()) } else { all.clone() }
}

/// Selects a form of a verb.
type VerbForm = fn(&VerbWords) -> &'static str;

const IMPERATIVE: VerbForm = |verb| verb.imperative;
const PAST: VerbForm = |verb| verb.past;
const PROGRESSIVE: VerbForm = |verb| verb.progressive;

impl Wording<'_> {
    /// The summary with the names of its rows, so that proposals of equal size differ.
    pub fn summary_with_names(&self, proposal: &Proposal) -> Result<String, StoreError> {
        const NAMED: usize = 3;
        let summary = self.summary(proposal)?;
        let SplitOperations { rows, .. } = self.split_side_effects(proposal.body.changes.operations())?;
        if rows.len() < 2 || proposal.body.manifest.is_some() {
            return Ok(summary);
        }
        let title = |row: &&Operation| {
            let draft = &row.before().unwrap_or_else(|| row.row()).draft;
            let title = self.registry.kind_of(&draft.kind)?.title(draft);
            Ok(title.map(|title| format!("“{title}”")))
        };
        let titles = rows.iter().take(NAMED).map(title).collect::<Result<Option<Vec<_>>, StoreError>>()?;
        Ok(match titles {
            None => summary,
            Some(names) if rows.len() > NAMED => {
                format!("{summary}: {} and {} more", names.join(", "), rows.len() - NAMED)
            }
            Some(names) => format!("{summary}: {}", names.join(", ")),
        })
    }

    /// The operations of a proposal, for later turns.
    pub fn changes(&self, proposal: &Proposal) -> Result<Changes, StoreError> {
        let (operations, all) = (proposal.body.changes.operations(), operation_summary(proposal));
        let doubts = proposal.body.notes.iter().map(|note| note.why.code.clone()).filter(|code| !code.is_empty());
        Ok(Changes { doubts: doubts.collect(), ..self.changes_of(operations, &all)? })
    }

    /// The same of a receipt.
    pub fn written(&self, receipt: &Receipt) -> Result<Changes, StoreError> {
        self.changes_of(&receipt.operations, &receipt.summary)
    }

    /// What is done to how many rows, without side effects unless there is nothing else: "Delete 515 expenses".
    fn title(&self, all: &OperationSummary, operations: &[Operation], form: VerbForm) -> Result<String, StoreError> {
        let SplitOperations { rows, side_effects } = self.split_side_effects(operations)?;
        if rows.is_empty() {
            return Ok(upper_first(&listed(&side_effects)));
        }
        self.counts(&without_side_effects(all, operations, &rows), &rows, form)
    }

    fn changes_of(&self, operations: &[Operation], all: &OperationSummary) -> Result<Changes, StoreError> {
        let rows = self.split_side_effects(operations)?.rows;
        let own = without_side_effects(all, operations, &rows);
        let counts = self.count_by_words(&own, &rows)?.into_iter().map(|(verb, kind, rows)| Counted {
            verb: verb.imperative.to_lowercase(),
            kind: kind.to_owned(),
            rows,
        });
        let lines = sample(operations, all.rows()).iter().map(|operation| {
            let shown = |record: Option<&Record>| {
                let shown = record.map(|record| Ok(shown_row(self.registry.kind_of(&record.draft.kind)?, record)));
                shown.transpose()
            };
            let is_side_effect = self.registry.side_effect(operation, self.style)?.is_some();
            let verb = match operation.after() {
                Some(_) if is_side_effect => "remember".to_owned(),
                None if is_side_effect => "forget".to_owned(),
                _ => self.verb(operation)?.imperative.to_lowercase(),
            };
            let (before, after) = (shown(operation.before())?, shown(operation.after())?);
            Ok(Line { verb, before, after, is_side_effect })
        });
        Ok(Changes { counts: counts.collect(), lines: lines.collect::<Result<_, StoreError>>()?, doubts: vec![] })
    }

    /// One line, without a question.
    pub fn summary(&self, proposal: &Proposal) -> Result<String, StoreError> {
        let SplitOperations { rows, side_effects } = self.split_side_effects(proposal.body.changes.operations())?;
        Ok(match (rows.as_slice(), &proposal.body.manifest) {
            (rows, Some(manifest)) => self.headline(&manifest.summary, rows, IMPERATIVE)?,
            ([], None) => upper_first(&listed(&side_effects)),
            ([operation], None) => with_side_effects(self.imperative(operation)?, ", and ", &side_effects),
            (rows, None) => self.headline(&OperationSummary::of(rows.iter().copied()), rows, IMPERATIVE)?,
        })
    }

    /// The text of a proposal, with the question.
    pub fn question(&self, proposal: &Proposal) -> Result<String, StoreError> {
        let operations = proposal.body.changes.operations();
        let mut text = self.summary(proposal)?;
        match &proposal.body.manifest {
            None if self.split_side_effects(operations)?.rows.len() <= 1 => text.push_str(&format!("? {YES_OR_NO}")),
            None => {
                text.push_str(&format!("? {YES_OR_NO}"));
                // All operations are listed, because an approval covers only what was shown.
                self.push_lines(&mut text, operations)?;
            }
            Some(manifest) => {
                let sample = &operations[..operations.len().min(SAID_SAMPLE)];
                text.push_str(&format!("? {YES_OR_NO}\nThe first {} of them:", sample.len()));
                self.push_lines(&mut text, sample)?;
                if !manifest.outliers.is_empty() {
                    text.push_str("\nMuch larger than the others:");
                    for operation in &manifest.outliers {
                        text.push_str(&format!("\n- {}{}", self.number(operation.row()), self.line(operation)?));
                    }
                }
            }
        }
        for note in &proposal.body.notes {
            text.push_str(&format!("\n{}", self.labelled_note(note)?));
        }
        Ok(text)
    }

    fn push_lines(&self, text: &mut String, operations: &[Operation]) -> Result<(), StoreError> {
        for (n, operation) in operations.iter().enumerate() {
            text.push_str(&format!("\n{}. {}", n + 1, self.line(operation)?));
        }
        Ok(())
    }

    pub fn rejected(&self, proposal: &Proposal) -> Result<String, StoreError> {
        let SplitOperations { rows, side_effects } = self.split_side_effects(proposal.body.changes.operations())?;
        match rows.as_slice() {
            [row] if proposal.body.call.tool == DUE_TOOL && !side_effects.is_empty() => {
                Ok(format!("OK, I did not add {}. I will {}.", self.line(row)?, listed(&side_effects)))
            }
            _ => Ok(REJECTED.to_owned()),
        }
    }

    /// The text for the receipts of one message.
    pub fn done(&self, receipts: &[&Receipt]) -> Result<String, StoreError> {
        let mut text = self.done_rows(receipts)?;
        for operation in receipts.iter().flat_map(|receipt| &receipt.left_out) {
            text.push_str(&format!("\nLeft out, because {}.", self.taken(operation)?));
        }
        Ok(text)
    }

    fn done_rows(&self, receipts: &[&Receipt]) -> Result<String, StoreError> {
        let is_in_part = |receipt: &Receipt| {
            receipt.summary.rows() != receipt.operations.len() || receipt.skipped + receipt.not_done > 0
        };
        match receipts {
            [only] if is_in_part(only) => return self.done_in_chunks(only),
            _ if receipts.iter().any(|receipt| is_in_part(receipt)) => {
                let each = receipts.iter().map(|receipt| self.done_rows(&[receipt])).collect::<Result<Vec<_>, _>>()?;
                return Ok(each.join("\n"));
            }
            _ => {}
        }
        let SplitOperations { rows, side_effects } =
            self.split_side_effects(receipts.iter().flat_map(|receipt| &receipt.operations))?;
        if rows.is_empty() {
            return Ok(format!("Done. I will {}.", listed(&side_effects)));
        }
        if let [operation] = rows.as_slice() {
            let text = self.line(operation)?;
            let text = match operation {
                Operation::Create { after } if !operation.is_restored() && !after.draft.is_preference() => {
                    format!("Added {text} ({})", self.registry.row_names().reference(&after.draft.kind, after.id))
                }
                _ => format!("{} {}{text}", self.verb(operation)?.past, self.number(operation.row())),
            };
            return Ok(with_side_effects(text, ". I will ", &side_effects) + ".");
        }
        let mut text = format!("{}:", self.headline(&OperationSummary::of(rows.iter().copied()), &rows, PAST)?);
        // If there is one kind, the headline names it.
        let is_mixed = rows.iter().any(|row| row.row().draft.kind != rows[0].row().draft.kind);
        for operation in rows {
            let row = operation.row();
            let number = match is_mixed || row.draft.is_preference() {
                true => self.number(row),
                false => format!("#{} ", row.id),
            };
            text.push_str(&format!("\n{number}{}", self.line(operation)?));
        }
        if !side_effects.is_empty() {
            text.push_str(&format!("\nI will {}.", listed(&side_effects)));
        }
        Ok(text)
    }

    /// Separates the requested operations from side effects.
    fn split_side_effects<'o>(
        &self,
        operations: impl IntoIterator<Item = &'o Operation>,
    ) -> Result<SplitOperations<'o>, StoreError> {
        let mut found = SplitOperations::default();
        for operation in operations {
            match self.registry.side_effect(operation, self.style)? {
                Some(side_effect) => found.side_effects.push(side_effect),
                None => found.rows.push(operation),
            }
        }
        Ok(found)
    }

    fn done_in_chunks(&self, receipt: &Receipt) -> Result<String, StoreError> {
        let mut text = match receipt.summary.rows() {
            0 => "Nothing was done.".to_owned(),
            _ => {
                let rows = self.split_side_effects(&receipt.operations)?.rows;
                format!("{}.", self.headline(&receipt.summary, &rows, PAST)?)
            }
        };
        let left = |n: usize, why: &str| match n {
            0 => String::new(),
            1 => format!(" 1 was skipped, because {why}."),
            n => format!(" {} were skipped, because {why}.", self.grouped(n)),
        };
        let changed =
            if receipt.skipped == 1 { "it changed after you saw it" } else { "they changed after you saw them" };
        text.push_str(&left(receipt.skipped, changed));
        let ended = if receipt.halted { "the rest of the list is damaged or lost" } else { "it was stopped" };
        text.push_str(&left(receipt.not_done, ended));
        Ok(text)
    }

    /// The progress of a run.
    pub fn progress(&self, proposal: &Proposal) -> Option<Progress> {
        let State::Executing { run, .. } = &proposal.header.state else { return None };
        Some(Progress { done: run.done.rows(), skipped: run.skipped, total: operation_summary(proposal).rows() })
    }

    pub fn working(&self, proposal: &Proposal) -> Result<String, StoreError> {
        let Some(Progress { done, skipped, .. }) = self.progress(proposal) else { return self.summary(proposal) };
        let done = self.grouped(done);
        let skipped = match skipped {
            0 => String::new(),
            1 => " 1 was skipped, because it changed after you saw it.".to_owned(),
            skipped => format!(" {} were skipped, because they changed after you saw them.", self.grouped(skipped)),
        };
        let rows = self.split_side_effects(proposal.body.changes.operations())?.rows;
        let doing = self.counts(&operation_summary(proposal), &rows, PROGRESSIVE)?;
        Ok(format!("{doing}: {done} done so far.{skipped} Say “stop” to stop."))
    }

    /// "coffee is now …" for each row that changed since it was shown.
    pub fn changed(&self, proposal: &Proposal, changed: &[(usize, Conflict)]) -> Result<Vec<String>, StoreError> {
        let operations = proposal.body.changes.operations();
        let lines = changed.iter().filter_map(|(index, conflict)| Some((operations.get(*index)?, conflict)));
        let lines = lines.map(|(operation, conflict)| {
            let shown = operation.row();
            let kind = self.registry.kind_of(&shown.draft.kind)?;
            Ok(match conflict {
                Conflict::Taken => self.taken(operation)?,
                Conflict::Changed(now) if now.draft.is_preference() => {
                    format!(
                        "{} is now {}",
                        kind.describe(&shown.draft, self.style),
                        kind.describe(&now.draft, self.style)
                    )
                }
                Conflict::Changed(now) => format!(
                    "{}is now {} (it was {})",
                    self.number(shown),
                    kind.describe(&now.draft, self.style),
                    kind.describe(&shown.draft, self.style)
                ),
                Conflict::Deleted => {
                    format!("{}{} was deleted", self.number(shown), kind.describe(&shown.draft, self.style))
                }
            })
        });
        lines.collect()
    }

    /// "there is already another budget like the budget for food, £200.00 a month"
    fn taken(&self, operation: &Operation) -> Result<String, StoreError> {
        let draft = &operation.after().unwrap_or_else(|| operation.row()).draft;
        let kind = self.registry.kind_of(&draft.kind)?;
        Ok(format!("there is already another {} like {}", kind.noun(1), kind.describe(draft, self.style)))
    }

    pub fn proposal_view(&self, proposal: &Proposal, now: jiff::Timestamp) -> Result<ProposalView, StoreError> {
        let outliers = proposal.body.manifest.iter().flat_map(|manifest| &manifest.outliers);
        let outliers = outliers.map(|operation| self.operation_view(0, operation));
        let receipt = Receipt::of(proposal).map(|receipt| self.receipt_view(&receipt)).transpose()?;
        Ok(ProposalView {
            id: proposal.header.id.clone(),
            title: self.title(&operation_summary(proposal), proposal.body.changes.operations(), IMPERATIVE)?,
            state: proposal.header.status(now),
            fingerprint: proposal.header.fingerprint.clone(),
            tool: proposal.body.call.tool.clone(),
            args: proposal.body.call.arguments.clone(),
            operations: self
                .operation_views(sample(proposal.body.changes.operations(), operation_summary(proposal).rows()))?,
            count: operation_summary(proposal).rows(),
            outliers: outliers.collect::<Result<_, _>>()?,
            totals: self.totals(&operation_summary(proposal))?,
            warnings: self.note_views(&proposal.body.notes)?,
            expires_at: proposal.header.expires_at,
            progress: self.progress(proposal),
            receipt,
        })
    }

    pub fn receipt_view(&self, receipt: &Receipt) -> Result<ReceiptView, StoreError> {
        Ok(ReceiptView {
            proposal_id: receipt.proposal_id.clone(),
            title: self.title(&receipt.summary, &receipt.operations, PAST)?,
            fingerprint: receipt.fingerprint.clone(),
            executed_at: receipt.executed_at,
            executed_by: receipt.executed_by.clone(),
            replayed: false,
            operations: self.operation_views(sample(&receipt.operations, receipt.summary.rows()))?,
            count: receipt.summary.rows(),
            skipped: receipt.skipped,
            not_done: receipt.not_done,
        })
    }

    /// None unless it has been executed.
    pub fn audit_view(&self, proposal: &Proposal) -> Result<Option<AuditView>, StoreError> {
        let Some(receipt) = Receipt::of(proposal) else { return Ok(None) };
        let (header, body) = (&proposal.header, &proposal.body);
        let State::Executed { at, run, .. } = &header.state else { return Ok(None) };
        let stopped = run.as_ref().and_then(|run| run.stopped.as_ref());
        Ok(Some(AuditView {
            approved_at: *at,
            stopped_at: stopped.map(|stopped| stopped.at),
            stopped_by: stopped.and_then(|stopped| stopped.by.clone()),
            receipt: self.receipt_view(&receipt)?,
            asked_by: header.user.clone(),
            asked_at: header.created_at,
            conversation_id: header.conversation.clone(),
            tool: body.call.tool.clone(),
            warnings: self.note_views(&body.notes)?,
            supersedes: header.supersedes.clone(),
        }))
    }

    /// Puts the rows of a receipt into `added`, `updated` and `deleted` of the reply.
    pub fn put_rows(&self, receipt: &Receipt, reply: &mut Reply) -> Result<(), StoreError> {
        for operation in sample(&receipt.operations, receipt.summary.rows()) {
            match operation {
                _ if operation.row().draft.is_preference() => {
                    reply.preferences.push(self.row(operation.after().unwrap_or_else(|| operation.row()))?);
                }
                Operation::Create { after } => reply.added.push(self.row(after)?),
                Operation::Update { after, .. } => reply.updated.push(self.row(after)?),
                Operation::Delete { before } => reply.deleted.push(self.row(before)?),
            }
        }
        Ok(())
    }

    pub fn row(&self, record: &Record) -> Result<Value, StoreError> {
        self.registry.row(record)
    }

    pub fn operation_views(&self, operations: &[Operation]) -> Result<Vec<OperationView>, StoreError> {
        operations.iter().enumerate().map(|(n, operation)| self.operation_view(n + 1, operation)).collect()
    }

    fn operation_view(&self, n: usize, operation: &Operation) -> Result<OperationView, StoreError> {
        Ok(OperationView {
            n,
            op: self.verb(operation)?.imperative.to_lowercase(),
            kind: self.registry.kind_of(&operation.row().draft.kind)?.name().to_owned(),
            text: self.line(operation)?,
            before: operation.before().map(|record| self.row(record)).transpose()?,
            after: operation.after().map(|record| self.row(record)).transpose()?,
            outcome: None,
        })
    }

    /// The totals per unit of new or deleted rows.
    fn totals(&self, summary: &OperationSummary) -> Result<Vec<Total>, StoreError> {
        let total = |Sum { unit, kind, amount, rows }: &Sum| {
            let (amount, _) = self.registry.amount(kind, unit, *amount, self.style)?;
            Ok(Total { currency: unit.clone(), amount, count: *rows })
        };
        summary.sums.iter().map(total).collect()
    }

    /// "2,500"
    fn grouped(&self, n: usize) -> String {
        self.style.money.grouped(&n.to_string())
    }

    /// "Add coffee, £3.50, 20 Nov 2026".
    fn imperative(&self, operation: &Operation) -> Result<String, StoreError> {
        let line = self.line(operation)?;
        Ok(match operation {
            Operation::Create { .. } if !operation.is_restored() => format!("Add {line}"),
            _ => format!("{} {}{line}", self.verb(operation)?.imperative, self.number(operation.row())),
        })
    }

    /// The kind's own verb, or the default.
    fn verb(&self, operation: &Operation) -> Result<VerbWords, StoreError> {
        let own = self.registry.kind_of(&operation.row().draft.kind)?.verb(operation);
        Ok(own.unwrap_or_else(|| operation.verb().into()))
    }

    fn line(&self, operation: &Operation) -> Result<String, StoreError> {
        if let Some(side_effect) = self.registry.side_effect(operation, self.style)? {
            return Ok(side_effect);
        }
        let kind = self.registry.kind_of(&operation.row().draft.kind)?;
        Ok(match operation {
            Operation::Create { after } => kind.describe(&after.draft, self.style),
            Operation::Delete { before } => kind.describe(&before.draft, self.style),
            // The kind's own verb already says what changes.
            Operation::Update { before, .. } if kind.verb(operation).is_some() => match kind.title(&before.draft) {
                Some(title) => format!("“{title}”"),
                None => kind.describe(&before.draft, self.style),
            },
            Operation::Update { before, after } => {
                format!(
                    "{}: {}",
                    kind.describe(&before.draft, self.style),
                    kind.describe_change(&before.draft, &after.draft, self.style)
                )
            }
        })
    }

    /// The number of a row. Empty for preferences, because the person sees no numbers of them.
    fn number(&self, row: &Record) -> String {
        match row.draft.is_preference() {
            true => String::new(),
            false => format!("{} ", self.registry.row_names().reference(&row.draft.kind, row.id)),
        }
    }

    /// "Add 2 expenses, £4.50". "In total" marks the sum of changed rows, which is not the new amount of each.
    fn headline(&self, summary: &OperationSummary, rows: &[&Operation], form: VerbForm) -> Result<String, StoreError> {
        let counts = self.counts(summary, rows, form)?;
        let sums =
            summary.sums.iter().map(|sum| Ok(self.registry.amount(&sum.kind, &sum.unit, sum.amount, self.style)?.1));
        let sums: Vec<String> = sums.collect::<Result<_, StoreError>>()?;
        let is_plain = matches!(&summary.counts[..], [only] if only.verb != Verb::Change);
        let total = if is_plain { "" } else { " in total" };
        Ok(if sums.is_empty() { counts } else { format!("{counts}, {}{total}", sums.join(" and ")) })
    }

    /// "Add 2 expenses", "Add 1 expense and delete 2 expenses".
    fn counts(&self, summary: &OperationSummary, rows: &[&Operation], form: VerbForm) -> Result<String, StoreError> {
        let count = |(n, (verb, kind, rows)): (usize, (VerbWords, &str, usize))| {
            let verb = if n == 0 { form(&verb).to_owned() } else { lower_first(form(&verb)) };
            Ok(format!("{verb} {} {}", self.grouped(rows), self.registry.kind_of(kind)?.noun(rows)))
        };
        let counts = self.count_by_words(summary, rows)?.into_iter().enumerate().map(count);
        Ok(counts.collect::<Result<Vec<String>, StoreError>>()?.join(" and "))
    }

    /// Counts rows by verb. Only the first rows of a large proposal are loaded. It is one change for all rows, so all
    /// rows have the verb of the loaded ones.
    fn count_by_words<'o>(
        &self,
        summary: &'o OperationSummary,
        rows: &[&'o Operation],
    ) -> Result<Vec<(VerbWords, &'o str, usize)>, StoreError> {
        let mut counts: Vec<(VerbWords, &str, usize)> = Vec::new();
        if summary.rows() == rows.len() {
            for row in rows {
                let (verb, kind) = (self.verb(row)?, row.row().draft.kind.as_str());
                match counts.iter_mut().find(|(known, of, _)| (*known, *of) == (verb, kind)) {
                    Some((_, _, n)) => *n += 1,
                    None => counts.push((verb, kind, 1)),
                }
            }
            return Ok(counts);
        }
        for Count { verb, kind, rows: n } in &summary.counts {
            let alike = rows.iter().filter(|row| row.verb() == *verb && row.row().draft.kind == *kind);
            let mut verbs = alike.map(|row| self.verb(row)).collect::<Result<Vec<_>, _>>()?;
            verbs.dedup();
            let words = if let [only] = verbs.as_slice() { *only } else { VerbWords::from(*verb) };
            counts.push((words, kind, *n));
        }
        Ok(counts)
    }
}

#[derive(Default)]
struct SplitOperations<'o> {
    rows: Vec<&'o Operation>,
    side_effects: Vec<String>,
}

fn with_side_effects(text: String, joined: &str, side_effects: &[String]) -> String {
    if side_effects.is_empty() { text } else { format!("{text}{joined}{}", listed(side_effects)) }
}

/// "remember this and that, and forget the other"
fn listed(side_effects: &[String]) -> String {
    let mut text = String::new();
    let mut verb = "";
    for side_effect in side_effects {
        let (first, rest) = side_effect.split_once(' ').unwrap_or((side_effect, ""));
        match text.as_str() {
            "" => text.push_str(side_effect),
            _ if first == verb => text.push_str(&format!(" and {rest}")),
            _ => text.push_str(&format!(", and {side_effect}")),
        }
        verb = first;
    }
    text
}

/// The summary of all operations, even if only the first chunk is loaded.
fn operation_summary(proposal: &Proposal) -> OperationSummary {
    match &proposal.body.manifest {
        Some(manifest) => manifest.summary.clone(),
        None => OperationSummary::of(proposal.body.changes.operations()),
    }
}

/// All operations, or the first ones if there are too many.
fn sample(operations: &[Operation], all: usize) -> &[Operation] {
    if operations.len() == all { operations } else { &operations[..operations.len().min(SAMPLE)] }
}

/// The reason why a proposal cannot be decided.
pub(super) fn closed(proposal: &Proposal, now: jiff::Timestamp) -> &'static str {
    match proposal.header.status(now) {
        ProposalStatus::Executing => "this has started, so it is too late to say no. Say “stop” to stop it",
        ProposalStatus::Stopped => "this was stopped before the end. Say “undo” to undo what was done",
        ProposalStatus::Halted => {
            "this ended before the end, because the rest was lost. Say “undo” to undo what was done"
        }
        ProposalStatus::Executed | ProposalStatus::Partial => {
            "this is already done, so it is too late to say no. Say “undo” to undo it"
        }
        ProposalStatus::Rejected => {
            "you said no to this before, and nothing was changed. Say it again if you want it now"
        }
        ProposalStatus::Stale => {
            "something had changed in the meantime, so nothing was done. Say it again if you still want it"
        }
        ProposalStatus::Superseded => "there is a newer version of this. Say yes or no to that one",
        ProposalStatus::Pending | ProposalStatus::Expired => {
            "it is too late to answer this. Say it again if you still want it"
        }
    }
}

/// Lists the waiting proposals after an answer. The next plain answer can be about them.
pub(super) fn mention<'w>(reply: &mut Reply, waiting: impl Iterator<Item = &'w WaitingProposal>) {
    let waiting: Vec<_> = waiting.collect();
    reply.shown.waiting.extend(waiting.iter().map(|waiting| waiting.id.clone()));
    list_waiting(reply, waiting.into_iter());
}

pub(super) fn list_waiting<'w>(reply: &mut Reply, waiting: impl Iterator<Item = &'w WaitingProposal>) {
    const LEAD: &str = "Still waiting for your yes or no:";
    let summaries: Vec<_> = waiting.map(|waiting| lower_first(&waiting.summary)).collect();
    reply.waiting_offset = (!summaries.is_empty()).then_some(reply.answer.len());
    match summaries.as_slice() {
        [] => {}
        [only] => reply.answer.push_str(&format!("\n\n{LEAD} {only}.")),
        several => reply.answer.push_str(&format!("\n\n{LEAD}\n- {}", several.join("\n- "))),
    }
}

pub(super) fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

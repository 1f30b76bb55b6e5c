//! Bulk selection for any kind: selects the rows of one change when it is proposed, and describes the selection.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{
    Plan, Question, RecordKind, ToolContext, ToolError, VisibleAnswer, Whose, names, row_filter::RowFilter,
    words::words,
};
use crate::{
    identity::Role,
    proposal::{Change, Draft, Note, NoteKind, Record, manifest::MAX_OPERATIONS},
    shown::ShownRow,
    sorted::Collect,
    store::Condition,
};

/// How rows are selected.
#[derive(Clone, Copy)]
pub enum Selection<'a> {
    /// By number, if the person refers to rows they were shown.
    Numbers(&'a [u64]),
    Filter(&'a RowFilter<'a>),
}

/// The new values of a row. None if it would not change.
pub type NewRow<'a> = &'a (dyn Fn(&Record) -> Result<Option<Draft>, ToolError> + Sync);

/// Plans one change for all selected rows, or their deletion if there is no change. `arguments` are the resolved
/// arguments, which mean the same later.
pub async fn plan(
    context: &ToolContext<'_>,
    kind: &dyn RecordKind,
    selection: Selection<'_>,
    change: Option<NewRow<'_>>,
    arguments: Value,
) -> Result<Plan, ToolError> {
    check_role(context)?;
    let pointing = Pointing::of(context, kind);
    let (rows, numbered) = match selection {
        Selection::Numbers(ids) => {
            pointing.check_numbers()?;
            (numbered(context, kind, ids).await?, true)
        }
        Selection::Filter(filter) => {
            let rows = matching(context, kind, filter).await?;
            let which = format!("Which {} do you mean? Say what they have in common, or their numbers.", kind.noun(2));
            pointing.check_fitting(rows.len(), filter.is_everything(), &which)?;
            (rows, false)
        }
    };
    let chosen = chosen(context, kind, selection);
    let changes = changes(kind, rows, change, &chosen)?;
    let mut notes = vec![chosen_note(kind, vec![chosen])];
    notes.extend(unsupported(context, kind, &changes, numbered));
    Ok(Plan { changes, notes, stored: Some(arguments) })
}

pub fn check_role(context: &ToolContext<'_>) -> Result<(), ToolError> {
    if context.caller.may_add() {
        return Ok(());
    }
    Err(ToolError::Forbidden("viewers can look but not change; ask an administrator for the role".into()))
}

/// The rows that match the filter and that the caller may change.
pub async fn matching(
    context: &ToolContext<'_>,
    kind: &dyn RecordKind,
    filter: &RowFilter<'_>,
) -> Result<Vec<Record>, ToolError> {
    let mut query = filter.query(kind.prefix(), MAX_OPERATIONS, None);
    if let (Role::Admin, Some(question)) = (context.caller.role(), filter.owners().question(context)) {
        return Err(question);
    }
    if context.caller.role() != Role::Admin {
        if let Whose::Member(user) = &filter.owners().whose {
            let (many, whose) = (kind.noun(2), context.members.label(user));
            let text =
                format!("the {many} of {whose} belong to someone else. Ask them or an administrator to change them");
            return Err(ToolError::Forbidden(text));
        }
        query.conditions.push(Condition::OwnedBy(context.caller.user().to_string()));
    }
    let fits = |record: &Record| filter.fits(&record.draft.body);
    let page = names::list(context, &query, Some(&fits)).await?;
    if page.next.is_some() || page.stopped_early {
        let many = kind.noun(2);
        let text = format!("these are more than {MAX_OPERATIONS} {many}, or too many to search. Name fewer days");
        return Err(ToolError::Refused(text));
    }
    Ok(page.records)
}

/// The rows with these numbers, each once.
pub async fn numbered(context: &ToolContext<'_>, kind: &dyn RecordKind, ids: &[u64]) -> Result<Vec<Record>, ToolError> {
    let mut found = context.store.records(kind.prefix(), ids).await?;
    let mut rows = Vec::new();
    let mut known = BTreeSet::new();
    for id in ids.iter().filter(|id| known.insert(**id)) {
        let Some(row) = found.remove(id) else {
            let (one, many) = (kind.noun(1), kind.noun(2));
            return Err(ToolError::Refused(format!(
                "there is no {one} #{id}. To see the numbers, ask for a list, like “show {many} this week”"
            )));
        };
        if !context.caller.may_change(&row.draft.owner) {
            let row = context.row_names.reference(kind.prefix(), *id);
            let text = format!("{row} belongs to someone else. Ask them or an administrator to change it");
            return Err(ToolError::Forbidden(text));
        }
        rows.push(row);
    }
    Ok(rows)
}

/// The selection in words, for the person.
pub fn chosen(context: &ToolContext<'_>, kind: &dyn RecordKind, selection: Selection<'_>) -> String {
    let Selection::Filter(filter) = selection else {
        return format!("the {} with these numbers", kind.noun(2));
    };
    let (whose, described) = match context.caller.role() {
        Role::Admin => ("all", filter.described()),
        _ => ("all your", filter.described_rows()),
    };
    let described = described.map(|described| format!(" {described}")).unwrap_or_default();
    format!("{whose} {}{described}", kind.noun(2))
}

/// The note that says which rows were selected.
pub fn chosen_note(kind: &dyn RecordKind, chosen: Vec<String>) -> Note {
    Note::new(NoteKind::Chosen, kind.prefix(), "select", chosen)
}

/// The changes of rows that would change. An error if no row would.
pub fn changes(
    kind: &dyn RecordKind,
    rows: Vec<Record>,
    change: Option<NewRow<'_>>,
    chosen: &str,
) -> Result<Vec<Change>, ToolError> {
    let (mut changes, found) = (Vec::new(), rows.len());
    for before in rows {
        let after = change.map(|change| change(&before)).transpose()?;
        match after {
            None => changes.push(Change::Delete { before }),
            Some(Some(after)) => changes.push(Change::Update { before, after }),
            Some(None) => {}
        }
    }
    if changes.is_empty() {
        let text = match found {
            0 => format!("there is no such {}", kind.noun(1)),
            _ => "all of them are already so".to_owned(),
        };
        return Err(ToolError::Refused(format!("{text} ({chosen}): nothing would change")));
    }
    Ok(changes)
}

/// The person is shown which rows a filter selects, so there only the new values are checked, each distinct one once.
/// Row numbers must have been said or shown.
pub fn unsupported(context: &ToolContext<'_>, kind: &dyn RecordKind, changes: &[Change], numbered: bool) -> Vec<Note> {
    let Some(grounding) = kind.grounding() else { return vec![] };
    if numbered {
        return grounding.unsupported(changes, context);
    }
    let (mut known, mut unsupported) = (BTreeSet::new(), Vec::new());
    for change in changes {
        let Change::Update { before, after } = change else { continue };
        let new = new_values(kind, before, after);
        if new.is_subset(&known) {
            continue;
        }
        known.extend(new);
        let shown = [VisibleAnswer::of_row(before.row_ref())];
        let context = ToolContext { visible_answers: &shown, ..*context };
        for note in grounding.unsupported(std::slice::from_ref(change), &context) {
            if !unsupported.contains(&note) {
                unsupported.push(note);
            }
        }
    }
    unsupported
}

/// Names and values of the fields that people see and that become different.
fn new_values(kind: &dyn RecordKind, before: &Record, after: &Draft) -> BTreeSet<(String, String)> {
    let (old, new) = (kind.row(before), kind.row(&Record { draft: after.clone(), ..before.clone() }));
    let fields = new.as_object().into_iter().flatten();
    let differing = fields.filter(|(name, value)| old.get(name) != Some(*value));
    differing.map(|(name, value)| (name.clone(), value.to_string())).inserted()
}

/// "Delete these" may mean the rows in the list or all rows that match.
pub struct Pointing {
    /// The message has a word like "these".
    points: bool,
    /// Number of rows in the last list.
    listed: usize,
    /// More rows matched than the list showed.
    is_part: bool,
    /// "Only those you listed".
    says_which: bool,
}

impl Pointing {
    pub fn of(context: &ToolContext<'_>, kind: &dyn RecordKind) -> Pointing {
        let said = context.user_messages.last().map(|said| words(said)).unwrap_or_default();
        let says = |any: &[&str]| any.iter().any(|word| said.contains(&format!(" {word} ")));
        let list = context.visible_answers.last().and_then(|last| Some((last.list.as_ref()?, &last.rows)));
        let of_kind = |rows: &Vec<ShownRow>| rows.iter().filter(|row| row.kind == kind.prefix()).count();
        Pointing {
            points: says(&["these", "those", "them", "they", "ones"]),
            listed: list.map(|(list, rows)| of_kind(rows).min(list.lines)).unwrap_or_default(),
            is_part: list.is_some_and(|(list, _)| list.has_more || list.continues),
            says_which: says(&["only", "just", "listed", "shown"]),
        }
    }

    /// Asks which rows are meant if rows are selected by number and the list was not complete.
    pub fn check_numbers(&self) -> Result<(), ToolError> {
        let is_clear = !self.points || !self.is_part || self.says_which;
        if is_clear { Ok(()) } else { Err(self.which(None)) }
    }

    /// Asks which rows are meant if the filter selects more `rows` than were listed. Asks `which_ones` if nothing was
    /// listed and nothing is filtered.
    pub fn check_fitting(&self, rows: usize, is_everything: bool, which_ones: &str) -> Result<(), ToolError> {
        match self.points {
            true if self.is_part && rows > self.listed => Err(self.which(Some(rows))),
            true if self.listed == 0 && is_everything => {
                Err(ToolError::ask(Question { text: which_ones.into(), ..Question::default() }))
            }
            _ => Ok(()),
        }
    }

    fn which(&self, all: Option<usize>) -> ToolError {
        let all = all.map_or_else(|| "all".to_owned(), |all| format!("all {all}"));
        let listed = self.listed;
        let options = vec![format!("only the {listed} listed"), all.clone()];
        let text = format!("Do you mean only the {listed} in the list, or {all} that match?");
        ToolError::ask(Question { text, options, missing: vec!["which".into()], ..Question::default() })
    }
}

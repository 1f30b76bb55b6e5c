//! `query_tasks` and `query_notes`, and which rows a filter means.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::entry::{EntryKind, NOTE, PROJECT, STATUS, Status, TASK};
use crate::{
    json_fields::{FieldError, Fields, at_most, wrong},
    phrases::DateRange,
    store::Condition,
    tool::{
        Query, QueryResult, ToolContext, ToolError,
        listing::{self, Limits, Paging},
        row_filter::RowFilter,
        search,
    },
};

/// Of one filter of a page, in characters.
const MAX_FILTER: usize = 200;

/// Rows of a search for misspelt words.
const NEAREST: usize = 10;

/// Only what the person said; all rows if it is empty.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Filters {
    pub status: Option<StatusFilter>,
    pub project: Option<String>,
    /// When they are due: "overdue", the person's words ("this week"), YYYY-MM-DD, or YYYY-MM-DD..YYYY-MM-DD.
    pub due: Option<String>,
    /// Words that they must have, all of them.
    pub words: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StatusFilter {
    All,
    #[serde(untagged)]
    Only(Status),
}

/// List tasks, or search them. Use it only where the lists you have are not enough.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QueryTasks {
    /// All if absent.
    status: Option<StatusFilter>,
    project: Option<String>,
    /// When they are due: "overdue", the person's words ("this week"), YYYY-MM-DD, or YYYY-MM-DD..YYYY-MM-DD.
    due: Option<String>,
    /// Words that they must have, all of them.
    words: Option<String>,
    /// At most 500; 100 if absent.
    limit: Option<usize>,
    /// `nextCursor` of the page before.
    cursor: Option<String>,
}

/// List notes, or search their titles and contents.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QueryNotes {
    project: Option<String>,
    /// Words that they must have, all of them: "marketing campaign".
    search_term: Option<String>,
    /// At most 200; 50 if absent.
    limit: Option<usize>,
    /// `nextCursor` of the page before.
    cursor: Option<String>,
}

impl Query for QueryTasks {
    const NAME: &'static str = "query_tasks";

    async fn run(self, context: &ToolContext<'_>) -> Result<QueryResult, ToolError> {
        let limit = Limits { usual: 100, most: 500 }.of(self.limit)?;
        let filters = Filters { status: self.status, project: self.project, due: self.due, words: self.words };
        found(&TASK, filters, Paging { cursor: self.cursor, ..Paging::first(limit) }, context).await
    }
}

impl Query for QueryNotes {
    const NAME: &'static str = "query_notes";

    async fn run(self, context: &ToolContext<'_>) -> Result<QueryResult, ToolError> {
        let limit = Limits { usual: 50, most: 200 }.of(self.limit)?;
        let filters = Filters { project: self.project, words: self.search_term, ..Filters::default() };
        found(&NOTE, filters, Paging { cursor: self.cursor, ..Paging::first(limit) }, context).await
    }
}

/// The rows with all of the words; where there is none, those that fit the words best.
async fn found(
    kind: &EntryKind,
    mut filters: Filters,
    paging: Paging,
    context: &ToolContext<'_>,
) -> Result<QueryResult, ToolError> {
    let found = listing::list(context, kind, &filters.rows(kind, context)?, &paging).await?;
    let is_over = found.count > 0 || found.state_updates.next_cursor.is_some() || paging.continues();
    let Some(words) = filters.words.take().filter(|_| !is_over) else { return Ok(found) };
    let filter = filters.rows(kind, context)?;
    let nearest = search::by_words(context, kind, &filter, &words, NEAREST.min(paging.limit)).await?;
    Ok(nearest.result(kind, &filter, context))
}

impl Filters {
    /// As a page has them active: in the form of `detectedFilters`, or as words.
    pub fn of_page(active: &Fields<'_>) -> Result<Filters, FieldError> {
        let text = |name| -> Result<Option<String>, FieldError> {
            let given = active.text(name)?;
            given.map(|given| at_most(&active.path(name), given, MAX_FILTER)).transpose()?;
            Ok(given.map(str::to_owned))
        };
        let status = active.get("status").map(|status| serde_json::from_value(status.clone())).transpose();
        let status = status.map_err(|_| wrong(&active.path("status"), "todo, in_progress, completed or all"))?;
        let due = match active.get("due").filter(|due| due.is_object()) {
            Some(days) => {
                let days = Fields::of(&active.path("due"), days)?;
                let end = |name, open| days.text(name).map(|end| end.map_or(open, str::to_owned));
                let DateRange { from, to } = DateRange::ALL;
                Some(format!("{}..{}", end("from", from.to_string())?, end("to", to.to_string())?))
            }
            None => text("due")?,
        };
        Ok(Filters { status, project: text("project")?, due, words: text("words")? })
    }

    /// Within the page's filters. Of notes, only what they have.
    pub fn rows(&self, kind: &EntryKind, context: &ToolContext<'_>) -> Result<RowFilter<'static>, ToolError> {
        let page = Filters::of_page(&Fields::at("activeFilters", context.filters));
        let mut page = page.map_err(|error| ToolError::Refused(error.to_string()))?;
        if kind.prefix == NOTE.prefix {
            page = Filters { status: None, due: None, ..page };
        }
        let filter = if page == *self { RowFilter::default() } else { page.narrow(RowFilter::default(), context)? };
        self.narrow(filter, context)
    }

    fn narrow(
        &self,
        mut filter: RowFilter<'static>,
        context: &ToolContext<'_>,
    ) -> Result<RowFilter<'static>, ToolError> {
        if let Some(StatusFilter::Only(status)) = self.status {
            let condition = Condition::Equals("status", status.name().into());
            let told = format!("that are {}", STATUS.shown(status.name(), context.style()));
            filter = filter.and([condition]).told("status", json!(status), told);
        }
        if let Some(name) = self.project.as_deref().map(|name| PROJECT.read(name, context)).transpose()?.flatten() {
            let told = format!("in {name}");
            filter = filter.and([Condition::Equals("project", name.clone())]).told("project", json!(name), told);
        }
        match self.due.as_deref().map(str::trim).filter(|due| !due.is_empty()) {
            None => {}
            Some(due) if due.eq_ignore_ascii_case("overdue") => {
                let is_completed = Condition::Equals("status", Status::Completed.name().into());
                let until = context.today.yesterday().map_err(|error| ToolError::Refused(error.to_string()))?;
                let overdue = [Condition::Until("due", until), Condition::Not(Box::new(is_completed))];
                filter = filter.and(overdue).told("due", json!("overdue"), "that are overdue".into());
            }
            Some(due) => {
                let days = context.reader().resolve_range(due);
                let DateRange { from, to } = days.map_err(|error| ToolError::Refused(error.to_string()))?;
                let (has_from, has_to) = (from != DateRange::ALL.from, to != DateRange::ALL.to);
                filter = filter.between("due", has_from.then_some(from), has_to.then_some(to), context.style());
            }
        }
        filter.with_words("words", self.words.as_deref())
    }
}

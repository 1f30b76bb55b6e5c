//! `query_tasks` and `query_notes`, and which rows a filter means.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::entry::{DUE, EntryKind, NOTE, PROJECT, STATUS, Status, TASK};
use crate::{
    json_fields::{FieldError, Fields, wrong},
    store::Condition,
    tool::{
        Owners, Query, QueryResult, ToolContext, ToolError,
        field_filters::{page_days, page_text},
        listing::{Limits, Paging},
        row_filter::RowFilter,
        search,
    },
};

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
    /// "me", "everyone", or a member's name; absent if the person did not say.
    pub whose: Option<String>,
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
    /// "me", "everyone", or a member's name; absent if the person did not say.
    whose: Option<String>,
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
    /// "me", "everyone", or a member's name; absent if the person did not say.
    whose: Option<String>,
    /// At most 200; 50 if absent.
    limit: Option<usize>,
    /// `nextCursor` of the page before.
    cursor: Option<String>,
}

impl Query for QueryTasks {
    const NAME: &'static str = "query_tasks";

    fn status(&self, _: &ToolContext<'_>) -> String {
        "Looking at your tasks…".to_owned()
    }

    async fn run(self, context: &ToolContext<'_>) -> Result<QueryResult, ToolError> {
        let limit = Limits { usual: 100, most: 500 }.of(self.limit)?;
        let Self { status, project, due, words, whose, .. } = self;
        let filters = Filters { status, project, due, words, whose };
        found(&TASK, filters, Paging { cursor: self.cursor, ..Paging::first(limit) }, context).await
    }
}

impl Query for QueryNotes {
    const NAME: &'static str = "query_notes";

    fn status(&self, _: &ToolContext<'_>) -> String {
        "Looking at your notes…".to_owned()
    }

    async fn run(self, context: &ToolContext<'_>) -> Result<QueryResult, ToolError> {
        let limit = Limits { usual: 50, most: 200 }.of(self.limit)?;
        let filters =
            Filters { project: self.project, words: self.search_term, whose: self.whose, ..Filters::default() };
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
    let filter = filters.rows(kind, context)?;
    let words = filters.words.take();
    let without_words = filters.rows(kind, context)?;
    search::list_or_nearest(context, kind, &filter, &without_words, words.as_deref(), &paging).await
}

impl Filters {
    /// As a page has them active: in the form of `detectedFilters`, or as words.
    pub fn of_page(active: &Fields<'_>) -> Result<Filters, FieldError> {
        let status = active.get("status").map(|status| serde_json::from_value(status.clone())).transpose();
        let status = status.map_err(|_| wrong(&active.path("status"), "todo, in_progress, completed or all"))?;
        let (project, due) = (page_text(active, PROJECT.name)?, page_days(active, DUE.name)?);
        Ok(Filters { status, project, due, words: page_text(active, "words")?, whose: None })
    }

    /// Within the page's filters. Of notes, only what they have.
    pub fn rows(&self, kind: &EntryKind, context: &ToolContext<'_>) -> Result<RowFilter<'static>, ToolError> {
        let page = Filters::of_page(&Fields::at("activeFilters", context.filters));
        let mut page = page.map_err(|error| ToolError::Refused(error.to_string()))?;
        if kind.prefix == NOTE.prefix {
            page = Filters { status: None, due: None, ..page };
        }
        let owners = Owners::resolve(self.whose.as_deref(), context)?;
        let excluded = || ToolError::Refused("your words and the filter on the page are about different people".into());
        let filter = RowFilter::default().of(&owners.ok_or_else(excluded)?);
        let filter = if page == *self { filter } else { page.narrow(filter, context)? };
        self.narrow(filter, context)
    }

    fn narrow(&self, filter: RowFilter<'static>, context: &ToolContext<'_>) -> Result<RowFilter<'static>, ToolError> {
        let status = match self.status {
            Some(StatusFilter::Only(status)) => Some(status.name()),
            _ => None,
        };
        let filter = filter.with_field(&STATUS, status, context)?;
        let filter = filter.with_field(&PROJECT, self.project.as_deref(), context)?;
        let filter = match self.due.as_deref() {
            Some(due) if is_overdue(due) => {
                let is_completed = Condition::Equals(STATUS.name, Status::Completed.name().into());
                let until = context.today.yesterday().map_err(|error| ToolError::Refused(error.to_string()))?;
                let overdue = [Condition::Until(DUE.name, until), Condition::Not(Box::new(is_completed))];
                filter.and(overdue).told(DUE.name, json!("overdue"), "that are overdue".into())
            }
            due => filter.with_field(&DUE, due, context)?,
        };
        filter.with_words("words", self.words.as_deref())
    }
}

/// Which tasks are overdue depends on their status, too, so this is no range of days.
pub fn is_overdue(due: &str) -> bool {
    due.trim().eq_ignore_ascii_case("overdue")
}

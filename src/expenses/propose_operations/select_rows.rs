//! Selects the rows for one change and describes the selection.

use crate::{
    expenses::{
        ExpenseKind,
        filters::{Exclusion, ResolvedFilters, readings, resolve_filters},
        lookup::split_names,
        page_filters::Filters,
    },
    phrases::DateRange,
    proposal::Record,
    tool::{
        ToolContext, ToolError,
        selection::{
            self,
            Selection::{Filter, Numbers},
        },
    },
};

pub(super) struct SelectedRows {
    pub rows: Vec<Record>,
    /// The selection in words, for the person.
    pub chosen: String,
    /// None if the rows were selected by number.
    pub resolved: Option<ResolvedFilters>,
}

/// Rows with this name. If there are none, rows for each name in a list of names; every name must have rows.
pub(super) async fn find_each(
    filters: &mut Filters,
    context: &ToolContext<'_>,
) -> Result<Vec<SelectedRows>, ToolError> {
    let found = find(filters, context).await?;
    let words = filters.words.clone().unwrap_or_default();
    let names = split_names(&words);
    if !found.rows.is_empty() || names.len() < 2 {
        return Ok(vec![found]);
    }
    let mut each = Vec::new();
    for name in names {
        let mut one = Filters { words: Some(name.to_owned()), ..filters.clone() };
        let part = find(&mut one, context).await?;
        if part.rows.is_empty() {
            return Err(ToolError::Refused(format!(
                "I found no such expenses ({}), so nothing was changed",
                part.chosen
            )));
        }
        each.push(part);
    }
    Ok(each)
}

async fn find(filters: &mut Filters, context: &ToolContext<'_>) -> Result<SelectedRows, ToolError> {
    let none = || {
        ToolError::Refused(
            "your days and the days of the filter on the page have nothing in common, so nothing was changed".into(),
        )
    };
    let mut resolved_filters = resolve_filters(filters, context)?.ok_or_else(none)?;
    let mut rows = matching_rows(&resolved_filters, context).await?;
    for reading in rows.is_empty().then(|| readings(filters)).into_iter().flatten() {
        let Ok(Some(other)) = resolve_filters(&reading, context) else { continue };
        rows = matching_rows(&other, context).await?;
        if !rows.is_empty() {
            resolved_filters = other;
            *filters = reading;
            break;
        }
    }
    if resolved_filters.range != DateRange::ALL {
        // Stored as dates, because "last year" means other days next year.
        filters.range = Some(format!("{}..{}", resolved_filters.range.from, resolved_filters.range.to));
    }
    // Stored, because the person's words do not come with the arguments.
    filters.whose = resolved_filters.owners.detected().map(str::to_owned);
    let unknown =
        resolved_filters.without().iter().find(|left_out| !rows.iter().any(|row| left_out.has(&row.draft.body)));
    if let Some(Exclusion { name, .. }) = unknown {
        let text = format!("none of these has the name or the category “{name}”, so there is nothing to leave out");
        return Err(ToolError::Refused(text));
    }
    rows.retain(|row| resolved_filters.fits(&row.draft.body));
    let chosen = selection::chosen(context, &ExpenseKind, Filter(&resolved_filters.rows(None, context.style())));
    Ok(SelectedRows { rows, chosen, resolved: Some(resolved_filters) })
}

/// Includes the rows that are excluded by name.
async fn matching_rows(resolved: &ResolvedFilters, context: &ToolContext<'_>) -> Result<Vec<Record>, ToolError> {
    selection::matching(context, &ExpenseKind, &resolved.rows_before_exclusions(context.style())).await
}

pub(super) async fn by_number(ids: &[u64], context: &ToolContext<'_>) -> Result<SelectedRows, ToolError> {
    let rows = selection::numbered(context, &ExpenseKind, ids).await?;
    let chosen = selection::chosen(context, &ExpenseKind, Numbers(ids));
    Ok(SelectedRows { rows, chosen, resolved: None })
}

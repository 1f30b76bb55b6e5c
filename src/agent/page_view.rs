//! The rows that the page shows beside the conversation: "this" and "these" can mean them.

use std::collections::{BTreeMap, HashMap};

use futures_util::future::try_join_all;
use serde_json::{Map, Value};

use super::{Agent, Scope, TurnRequest};
use crate::{
    phrases::Style,
    proposal::Record,
    shown::ShownRow,
    store::{StoreError, TenantStore},
    tool::{RecordKind, shown_row},
};

/// Rows that exist, as far as the page named them.
#[derive(Debug, Clone, Default)]
pub(super) struct PageView {
    pub rows: Vec<ShownRow>,
    /// The same rows for the prompt.
    lines: Vec<String>,
    filters: Map<String, Value>,
}

impl Agent {
    /// Errors are logged, and "this" then means no row of the page.
    pub(super) async fn page_in_view(&self, store: TenantStore<'_>, request: &TurnRequest) -> PageView {
        let Some(Scope { rows, filters, .. }) = &request.scope else { return PageView::default() };
        let mut ids: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        for (kind, id) in rows {
            ids.entry(kind).or_default().push(*id);
        }
        let named = ids.into_iter().filter_map(|(name, ids)| Some((name, self.registry.kind_named(name)?, ids)));
        let reads =
            named.map(|(name, kind, ids)| async move { Ok((name, (kind, store.records(kind.prefix(), &ids).await?))) });
        let lost = |error: &StoreError| tracing::warn!(%error, "the rows that the page shows could not be read");
        let found: HashMap<&str, (&dyn RecordKind, HashMap<u64, Record>)> =
            try_join_all(reads).await.inspect_err(lost).unwrap_or_default().into_iter().collect();
        let mut view = PageView { filters: filters.clone(), ..PageView::default() };
        for (name, id) in rows {
            let Some((kind, records)) = found.get(name.as_str()) else { continue };
            let Some(record) = records.get(id) else { continue };
            let reference = self.registry.row_names().reference(kind.prefix(), *id);
            view.lines.push(format!("{reference} {}", kind.describe(&record.draft, Style::default())));
            view.rows.push(shown_row(*kind, record));
        }
        view
    }
}

impl PageView {
    /// For the prompt. Quoted as JSON, so that a row cannot end its quotes or its line.
    pub fn described(&self) -> Option<String> {
        let mut text = match self.lines.as_slice() {
            [] if self.filters.is_empty() => return None,
            [] => "The page shows a list.".to_owned(),
            [_] => "The page shows this row, and “this” can mean it:".to_owned(),
            _ => "The page shows these rows, and “this” or “these” can mean them:".to_owned(),
        };
        for line in &self.lines {
            text.push_str(&format!("\n- {}", Value::from(line.as_str())));
        }
        if !self.filters.is_empty() {
            text.push_str(&format!("\nThe filters of its list are {}.", Value::from(self.filters.clone())));
        }
        Some(text)
    }
}

//! Expenses for a page that lists them, also by amount.

use futures_util::FutureExt;
use serde::{
    Deserialize,
    de::{IntoDeserializer, value::Error},
};

use super::{
    ExpenseKind, expense_text,
    listing::{Listing, Order, list_exactly},
    page_filters::{Filters, OF_LISTS},
};
use crate::{
    json_fields::Fields,
    proposal::Draft,
    tool::{ListForPage, PageQuery, Search, ToolError},
};

impl Search for ExpenseKind {
    fn word_fields(&self) -> &'static [&'static str] {
        &["item", "category", "categories", "notes"]
    }

    fn meaning(&self) -> Option<fn(&Draft) -> String> {
        Some(expense_text::meaning)
    }

    fn parameters(&self) -> &'static [&'static str] {
        OF_LISTS
    }

    fn orders(&self) -> &'static [&'static str] {
        &["largest", "smallest"]
    }

    fn list(&self) -> Option<ListForPage> {
        Some(|context, asked| async move { list_exactly(context, listing(asked)?).await }.boxed())
    }
}

fn listing(asked: &PageQuery) -> Result<Listing, ToolError> {
    let PageQuery { range, whose, limit, cursor, .. } = asked.clone();
    let filters = Filters { range, whose, ..Filters::of_parameters(&Fields::root(&asked.filters))? };
    let order = Order::deserialize(asked.order.as_str().into_deserializer());
    let order = order.map_err(|error: Error| ToolError::Malformed(error.to_string()))?;
    Ok(Listing { filters, order: Some(order), limit: Some(limit), cursor, after: None })
}

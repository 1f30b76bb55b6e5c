//! Lists as clients receive them.

use serde::Serialize;

#[derive(Serialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema), schemars(rename = "ListOf{T}"))]
#[serde(rename_all = "camelCase")]
pub struct List<T> {
    pub items: Vec<T>,
    /// Send it as `cursor` for the next part. Absent in the last part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema), schemars(rename = "CountedListOf{T}"))]
#[serde(rename_all = "camelCase")]
pub struct CountedList<T> {
    pub items: Vec<T>,
    /// Of this part.
    pub count: usize,
    /// Send it as `cursor` for the next part. Absent in the last part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// Rows, with the version of the data that they are of.
#[derive(Serialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema), schemars(rename = "RowsOf{T}"))]
#[serde(rename_all = "camelCase")]
pub struct RowList<T> {
    pub items: Vec<T>,
    /// Of this part.
    pub count: usize,
    /// Send it as `cursor` for the next part. Absent in the last part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    /// Grows with each write. A receipt has the one of its write.
    pub data_version: String,
}

impl<T> List<T> {
    pub fn all(items: Vec<T>) -> List<T> {
        List { items, next_cursor: None }
    }
}

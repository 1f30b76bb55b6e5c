//! Merges the results of all queries of a turn into one reply.
//!
//! Rows are joined without duplicates. Fields of toolkits are merged as declared. Other fields appear only if one query
//! set them, or all agree. Where queries disagree, only the text of the answer has the values, so that no field belongs
//! to another query than its neighbours.

use std::{collections::BTreeMap, mem::take};

use serde_json::Value;

use super::reply::Reply;
use crate::{
    shown::{List, Shown, ShownRow, sums_in},
    sorted::Collect,
    tool::{FilterMatch, Merge, QueryResult, StateUpdates},
};

/// Rows of a reply. As many as the longest list of one query.
const MAX_ROWS: usize = 500;

const SUGGESTIONS: usize = 3;

pub(super) fn reply(found: Vec<QueryResult>, fields: &BTreeMap<&'static str, Merge>) -> Reply {
    // The same query in two rounds counts once.
    let mut parts: Vec<QueryResult> = Vec::new();
    for result in found {
        if !parts.contains(&result) {
            parts.push(result);
        }
    }
    let mut sums = Vec::new();
    for StateUpdates { fields, preferences, .. } in parts.iter().map(|part| &part.state_updates) {
        fields.values().chain(preferences).for_each(|value| sums_in(value, None, &mut sums));
    }
    let reply = match <[QueryResult; 1]>::try_from(parts) {
        Ok([QueryResult { count, summary_for_llm: _, items, rows, list, mut state_updates }]) => {
            state_updates.suggestions.truncate(SUGGESTIONS);
            let preferences = take(&mut state_updates.preferences);
            let shown = Shown { rows, list: Some(list), ..Shown::default() };
            Reply { preferences, listed: items, count: Some(count), shown, found: state_updates, ..Reply::default() }
        }
        Err(parts) if parts.is_empty() => Reply::default(),
        Err(parts) => merge(&parts, fields),
    };
    Reply { shown: Shown { sums, ..reply.shown }, ..reply }
}

/// A note for the person if no query was about the days or amounts that they named. The model may not say it.
pub(super) fn filter_mismatch(found: &[QueryResult]) -> Option<String> {
    let mut places: Vec<&str> = Vec::new();
    let mut wanted = None;
    for filter_match in found.iter().filter_map(|result| result.state_updates.filter_match.as_ref()) {
        match filter_match {
            FilterMatch::Matches => return None,
            FilterMatch::Differs { queried, named } => {
                wanted = Some(named);
                if !places.contains(&queried.as_str()) {
                    places.push(queried);
                }
            }
        }
    }
    wanted.map(|named| format!("You asked about {named}, but I looked at {}.", places.join(" and at ")))
}

fn merge(parts: &[QueryResult], fields: &BTreeMap<&'static str, Merge>) -> Reply {
    let listed = merged_rows(parts);
    let states = || parts.iter().map(|part| &part.state_updates);
    let lists = parts.iter().filter(|part| part.items.is_some()).count();
    let one_list = lists <= 1;
    let mut suggestions: Vec<String> = Vec::new();
    for suggestion in states().flat_map(|state| &state.suggestions) {
        if !suggestions.contains(suggestion) && suggestions.len() < SUGGESTIONS {
            suggestions.push(suggestion.clone());
        }
    }
    let merged = fields.iter().filter_map(|(name, merge)| {
        let values = states().filter_map(|state| state.fields.get(*name));
        Some(((*name).to_owned(), merge.merge(values)?))
    });
    Reply {
        count: match &listed {
            Some(rows) => Some(rows.len()),
            None => if_all_agree(parts.iter().map(|part| Some(&part.count))),
        },
        listed,
        shown: merged_lists(parts),
        preferences: states().flat_map(|state| state.preferences.clone()).collect(),
        found: StateUpdates {
            total: if one_list { if_all_agree(states().map(|state| state.total.as_ref())) } else { None },
            // A cursor continues one list only.
            next_cursor: if one_list { if_all_agree(states().map(|state| state.next_cursor.as_ref())) } else { None },
            // A query without filters differs from one with filters.
            detected_filters: parts
                .windows(2)
                .all(|pair| pair[0].state_updates.detected_filters == pair[1].state_updates.detected_filters)
                .then(|| parts[0].state_updates.detected_filters.clone())
                .flatten(),
            suggestions,
            fields: merged.inserted(),
            ..StateUpdates::default()
        },
        ..Reply::default()
    }
}

/// One after another. No call has all these rows.
fn merged_lists(parts: &[QueryResult]) -> Shown {
    let list = List {
        call: None,
        lines: parts.iter().map(|part| part.list.lines).sum(),
        has_more: parts.iter().any(|part| part.list.has_more),
        group: None,
        continues: parts.iter().any(|part| part.list.continues),
    };
    let mut rows: Vec<ShownRow> = Vec::new();
    for row in parts.iter().flat_map(|part| &part.rows) {
        if !rows.contains(row) {
            rows.push(row.clone());
        }
    }
    Shown { rows, list: Some(list), ..Shown::default() }
}

/// The value, if all queries that set it agree.
fn if_all_agree<'a, T: PartialEq + Clone + 'a>(said: impl Iterator<Item = Option<&'a T>>) -> Option<T> {
    let mut said = said.flatten();
    let first = said.next()?;
    said.all(|other| other == first).then(|| first.clone())
}

fn merged_rows(parts: &[QueryResult]) -> Option<Vec<Value>> {
    let mut lists = parts.iter().filter_map(|part| part.items.as_ref()).peekable();
    lists.peek()?;
    let mut rows: Vec<&Value> = Vec::new();
    for row in lists.flatten() {
        if rows.len() < MAX_ROWS && !rows.contains(&row) {
            rows.push(row);
        }
    }
    Some(rows.into_iter().cloned().collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn list(rows: &[u64], filters: Value) -> QueryResult {
        let items = rows.iter().map(|id| json!({ "id": id })).collect();
        let state_updates = StateUpdates {
            total: Some(9),
            next_cursor: Some(filters.to_string()),
            detected_filters: Some(filters),
            suggestions: vec!["undo that".into(), format!("show {}", rows[0])],
            ..StateUpdates::default()
        };
        QueryResult { count: rows.len(), items: Some(items), state_updates, ..QueryResult::default() }
    }

    fn sums(key: &str, amount: &str) -> QueryResult {
        let group = json!({ "key": key, "currency": "GBP", "amount": amount, "count": 2 });
        let state_updates = StateUpdates::default()
            .with_field("aggregation", json!([group]))
            .with_field("totals", json!([{ "currency": "GBP", "amount": amount, "count": 2 }]));
        QueryResult { count: 2, state_updates, ..QueryResult::default() }
    }

    fn reply(found: Vec<QueryResult>) -> Reply {
        let by_group = Merge::AppendUnlessConflict { keys: &["key", "currency"] };
        super::reply(found, &[("aggregation", by_group), ("totals", Merge::Agree), ("budgets", Merge::Append)].into())
    }

    #[test]
    fn lists_are_merged_as_declared() {
        let budgets = |names: Value| {
            let state_updates = StateUpdates::default().with_field("budgets", names);
            QueryResult { state_updates, ..QueryResult::default() }
        };
        let both = reply(vec![budgets(json!(["food"])), budgets(json!(["all", "tea"]))]).found;
        assert_eq!(both, StateUpdates::default().with_field("budgets", json!(["food", "all", "tea"])));
    }

    #[test]
    fn a_repeated_query_counts_once() {
        let once = list(&[3, 1], json!({ "category": "food" }));
        let expected = Reply {
            listed: once.items.clone(),
            count: Some(2),
            shown: Shown { list: Some(List::default()), ..Shown::default() },
            found: once.state_updates.clone(),
            ..Reply::default()
        };
        assert_eq!(reply(vec![once.clone()]), expected);
        assert_eq!(reply(vec![once.clone(), once]), expected);
        assert_eq!(reply(vec![]), Reply::default());
    }

    #[test]
    fn lists_are_merged_without_fields_of_a_single_list() {
        let both =
            reply(vec![list(&[3, 1], json!({ "category": "food" })), list(&[2, 1], json!({ "category": "tea" }))]);
        let rows = [3, 1, 2].map(|id| json!({ "id": id }));
        let suggestions = ["undo that", "show 3", "show 2"].map(str::to_owned).to_vec();
        let expected = Reply {
            listed: Some(rows.to_vec()),
            count: Some(3),
            shown: Shown { list: Some(List::default()), ..Shown::default() },
            found: StateUpdates { suggestions, ..StateUpdates::default() },
            ..Reply::default()
        };
        assert_eq!(both, expected);
    }

    #[test]
    fn sums_are_merged_unless_one_group_has_two_sums() {
        let both = reply(vec![sums("food", "3.00"), sums("tea", "4.00")]).found;
        let groups = both.fields["aggregation"].as_array().unwrap();
        let keys: Vec<Value> = groups.iter().map(|group| group["key"].clone()).collect();
        assert_eq!((keys, both.fields.get("totals")), (vec![json!("food"), json!("tea")], None));
        assert_eq!(reply(vec![sums("food", "3.00"), sums("food", "4.00")]).found, StateUpdates::default());
    }

    #[test]
    fn a_list_beside_sums_keeps_its_cursor() {
        let both = reply(vec![sums("food", "3.00"), list(&[1], json!({ "category": "food" }))]);
        assert_eq!(both.count, Some(1));
        assert_eq!((both.found.total, both.found.next_cursor), (Some(9), Some(r#"{"category":"food"}"#.to_owned())));
        assert_eq!(both.found.fields, sums("food", "3.00").state_updates.fields);
        assert_eq!(both.found.detected_filters, None, "it would seem to be of the sums too");
    }
}

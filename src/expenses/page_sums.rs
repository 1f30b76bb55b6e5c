//! Sums for a page: in all and by group. The same sums as those of the tools, without words.

use std::cmp::Reverse;

use serde_json::{Value, json};

use super::{
    expense_text,
    filters::{ResolvedFilters, nothing_in_common},
    get_balance::totals,
    page_filters::Filters,
    sums::{By, Sum, Sums, find_sums},
    voice,
};
use crate::{
    phrases::Style,
    sorted::Sort,
    tool::{ToolContext, ToolError},
};

/// Items of one page. Months, weeks and days are as many as the days that were asked for.
const MAX_GROUPS: usize = 500;

/// `{ totals, groups, detectedFilters?, more?, isPartial? }`. Groups by category or item come with the largest first,
/// those by time in their order.
pub async fn sums(context: &ToolContext<'_>, asked: Filters, by: By) -> Result<Value, ToolError> {
    let Some((resolved, sums)) = find_sums(context, asked, by).await? else {
        let detected = nothing_in_common().state_updates.detected_filters;
        return Ok(with_filters(json!({ "totals": [], "groups": [] }), detected));
    };
    let (groups, more) = groups(&sums, &resolved, by);
    let totals = totals(&sums.totals(), &resolved.owners);
    let mut page = json!({ "totals": totals, "groups": groups });
    if more > 0 {
        page["more"] = more.into();
    }
    if sums.is_cut {
        page["isPartial"] = true.into();
    }
    Ok(with_filters(page, resolved.state_updates(context).detected_filters))
}

fn with_filters(mut page: Value, detected: Option<Value>) -> Value {
    if let Some(detected) = detected {
        page["detectedFilters"] = detected;
    }
    page
}

/// Each `{ key, currency, amount, count, own? }`, and how many more there are.
fn groups(sums: &Sums, resolved: &ResolvedFilters, by: By) -> (Vec<Value>, usize) {
    if by == By::None {
        return (vec![], 0);
    }
    let mut groups: Vec<(&(String, String), &Sum)> = sums.groups.iter().collect();
    let mut more = 0;
    if matches!(by, By::Category | By::Item) {
        // Sums of different currencies cannot be compared.
        groups.put_in_order_of(|((key, unit), sum)| (unit, Reverse(sum.amount), key));
        more = groups.len().saturating_sub(MAX_GROUPS);
        groups.truncate(MAX_GROUPS);
    }
    let view = |((key, unit), sum): (&(String, String), &Sum)| {
        let amount = expense_text::amount(unit, sum.amount, Style::default()).0;
        let view = json!({ "key": key, "currency": unit, "amount": amount, "count": sum.own() });
        voice::with_share(view, &resolved.owners, unit, sum)
    };
    (groups.into_iter().map(view).collect(), more)
}

//! `get_balance`: the sum of expenses. Rows are read only if the filters need more than rollups.

use std::collections::BTreeMap;

use futures_util::future::try_join_all;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    ExpenseKind,
    expense_text::{self, number},
    filters::{ResolvedFilters, nothing_in_common},
    lookup::split_names,
    page_filters::Filters,
    periods, suggestions,
    sums::{By, Sum, exact_sums, find_sums},
    voice,
};
use crate::{
    phrases::{Class, DateRange, Style},
    tool::{Owners, Query, QueryResult, RecordKind, StateUpdates, ToolContext, ToolError},
};

/// The beginning of an answer if there were too many rows to read.
pub(super) const CUT: &str = "This counts only the newest expenses, because there are too many. Name fewer days. ";

/// The end of an answer about days in which nothing can have been spent yet.
pub(super) const TO_COME: &str = " These days are still to come. To see what falls due, say “what is due next week?”.";

/// How much was spent, per currency, over any range of days.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetBalance {
    /// The person's words ("last month"), YYYY-MM, or YYYY-MM-DD..YYYY-MM-DD; everything if absent.
    range: Option<String>,
    /// A category or an item name. Several give one sum each and a total: "food and transport".
    category: Option<String>,
    /// "Everything but rent": excludes these categories and item names.
    #[serde(default)]
    without: Vec<String>,
    /// ISO 4217 code: only expenses in it. Nothing is converted.
    currency: Option<String>,
    /// "me", "everyone", or a member's name; absent if the person did not say.
    whose: Option<String>,
}

impl Query for GetBalance {
    const NAME: &'static str = "get_balance";

    fn status(&self, context: &ToolContext<'_>) -> String {
        periods::looking_at(self.range.as_deref(), context)
    }

    async fn run(self, context: &ToolContext<'_>) -> Result<QueryResult, ToolError> {
        let names = self.category.as_deref().map(names_in).transpose()?.unwrap_or_default();
        let asked = Filters {
            range: self.range,
            without: self.without,
            currency: self.currency,
            whose: self.whose,
            ..Filters::default()
        };
        // What is left out of all is said once, and not of each.
        let on = |categories: Vec<String>| {
            balance(context, categories.len() == names.len(), Filters { categories, ..asked.clone() })
        };
        // Rollups answer for categories. Item names need rows.
        if names.len() > 1 && are_categories(context, &asked, self.category.clone(), &names).await? {
            let each = try_join_all(names.iter().map(|name| on(vec![name.clone()]))).await?;
            return Ok(separate_balances(on(names.clone()).await?, &names, &each));
        }
        let whole = on(self.category.into_iter().collect()).await?;
        if whole.count > 0 || names.len() < 2 {
            return Ok(whole);
        }
        let each = try_join_all(names.iter().map(|name| on(vec![name.clone()]))).await?;
        let is_category = |part: &QueryResult| {
            part.state_updates.detected_filters.as_ref().is_none_or(|filters| filters.get("words").is_none())
        };
        match each.iter().filter(|part| part.count > 0).count() {
            0 => Ok(whole),
            // A total is given for categories only, because an expense can match several item names.
            n if n > 1 && each.iter().all(is_category) => {
                let found = each.iter().flat_map(categories).collect();
                Ok(separate_balances(on(found).await?, &names, &each))
            }
            _ => Ok(separate_balances(QueryResult::default(), &names, &each)),
        }
    }
}

async fn balance(context: &ToolContext<'_>, is_whole: bool, asked: Filters) -> Result<QueryResult, ToolError> {
    let Some((resolved, all)) = find_sums(context, asked, By::None).await? else { return Ok(nothing_in_common()) };
    let sums = all.totals();
    let balance = match sums.iter().next() {
        None => Some(json!(0)),
        Some((currency, sum)) if sums.len() == 1 => {
            Some(number(&expense_text::amount(currency, sum.amount, Style::default()).0))
        }
        Some(_) => None,
    };
    let count = all.count();
    let cut = if all.is_cut { CUT } else { "" };
    let to_come = if count == 0 && resolved.range.from > context.today { TO_COME } else { "" };
    let is_category = |name: &String| count > 0 || Class::CommonCategory.says(name).is_some();
    let is_told = is_whole && resolved.categories.iter().all(is_category);
    let left_out = match all.uncategorised {
        many if many == 0 || !is_told => String::new(),
        1 => " One expense without a category is not counted.".to_owned(),
        many => format!(" {many} expenses without a category are not counted."),
    };
    let suggestions = if count == 0 { vec![] } else { suggestions::after_sum(&resolved, By::None, None, context) };
    let state_updates = StateUpdates { suggestions, ..resolved.state_updates(context) };
    let state_updates = state_updates.with_field("totals", totals(&sums, &resolved.owners));
    Ok(QueryResult {
        count: usize::try_from(count).unwrap_or_default(),
        summary_for_llm: format!("{cut}{}{left_out}{to_come}", summary(&sums, &resolved, count, context.style())),
        state_updates: match balance {
            Some(balance) => state_updates.with_field("balance", balance),
            None => state_updates,
        },
        ..QueryResult::default()
    })
}

/// Whether each name is a category, and the whole text is not.
pub(super) async fn are_categories(
    context: &ToolContext<'_>,
    asked: &Filters,
    whole: Option<String>,
    names: &[String],
) -> Result<bool, ToolError> {
    let all = whole.into_iter().chain(names.iter().cloned());
    let each = all.map(|name| async {
        let asked = Filters { categories: vec![name], ..asked.clone() };
        let found = exact_sums(context, &asked, By::None).await?;
        Ok::<bool, ToolError>(found.is_some_and(|(_, sums)| sums.count() > 0))
    });
    let found = try_join_all(each).await?;
    Ok(matches!(found.as_slice(), [false, names @ ..] if names.iter().all(|is_one| *is_one)))
}

/// The category names that were found: "taxi" for "taxis".
fn categories(part: &QueryResult) -> Vec<String> {
    let found = |name: &str| part.state_updates.detected_filters.as_ref().and_then(|filters| filters.get(name));
    let many = found("categories").and_then(Value::as_array).into_iter().flatten();
    found("category").into_iter().chain(many).filter_map(Value::as_str).map(str::to_owned).collect()
}

const MOST: usize = 6;

/// "food, transport and rent"
pub(super) fn names_in(category: &str) -> Result<Vec<String>, ToolError> {
    let names: Vec<String> = split_names(category).into_iter().map(str::to_owned).collect();
    match names.len() > MOST {
        true => Err(ToolError::Refused(format!("I can add up at most {MOST} at once. Name fewer"))),
        false => Ok(names),
    }
}

/// The total, and below it the sum for each name.
fn separate_balances(total: QueryResult, names: &[String], each: &[QueryResult]) -> QueryResult {
    let summaries = [&total].into_iter().chain(each).map(|part| part.summary_for_llm.as_str());
    let sums = names.iter().zip(each).flat_map(|(name, part)| {
        let totals = part.state_updates.fields.get("totals").and_then(Value::as_array).into_iter().flatten();
        totals.map(move |total| {
            let mut sum = total.clone();
            sum["key"] = json!(name);
            sum
        })
    });
    QueryResult {
        count: if total.count > 0 { total.count } else { each.iter().map(|part| part.count).sum() },
        summary_for_llm: summaries.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n"),
        state_updates: total.state_updates.with_field("aggregation", sums.collect()),
        ..total
    }
}

/// One sum per currency, for clients: `[{ currency, amount, count, own? }]`.
pub(super) fn totals(sums: &BTreeMap<&str, Sum>, owners: &Owners) -> Value {
    let total = |(currency, sum): (&&str, &Sum)| {
        let amount = expense_text::amount(currency, sum.amount, Style::default()).0;
        let total = json!({ "currency": currency, "amount": amount, "count": sum.count });
        voice::with_share(total, owners, currency, sum)
    };
    sums.iter().map(total).collect::<Vec<_>>().into()
}

fn summary(sums: &BTreeMap<&str, Sum>, resolved: &ResolvedFilters, count: u64, style: Style) -> String {
    let on = resolved.spoken();
    let when = format!(" {}", periods::when(resolved.range, style.days));
    let spoken_in = resolved.currency.map(|currency| format!(" in {}", currency.code())).unwrap_or_default();
    let is_whole = resolved.without().is_empty() && resolved.currency.is_none();
    if let ([category], true) = (resolved.categories.as_slice(), sums.is_empty() && is_whole) {
        let when = if resolved.range == DateRange::ALL { String::new() } else { when };
        let whose = resolved.owners.described().map(|whose| format!(" {whose}")).unwrap_or_default();
        return format!("There is no expense{whose} in the category “{category}”, and none with that name{when}.");
    }
    if sums.is_empty() {
        let when = if resolved.range == DateRange::ALL { String::new() } else { when };
        return format!("{} nothing{on}{spoken_in}{when}.", voice::spent(&resolved.owners, sums));
    }
    let spoken = voice::amounts(sums, style);
    let noun = ExpenseKind.noun(usize::try_from(count).unwrap_or_default());
    let (spent, share) = (voice::spent(&resolved.owners, sums), voice::share(&resolved.owners, sums, style));
    format!("{spent} {spoken}{on}{when}{share}: {count} {noun}{spoken_in}.")
}

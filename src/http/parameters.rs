//! Reads the query of an address. A parameter that is not known, malformed or repeated is refused: without it the answer
//! would not be what was asked for.

use std::fmt::Display;

use axum::{extract::Query, http::Uri};
use jiff::civil::Date;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use crate::{
    expenses::{By, export::Format},
    json_fields::{FieldError, short},
    phrases::DateRange,
    tool::{
        PageQuery, Search,
        listing::{LIMITS, NEWEST, OLDEST},
        whose::WHOSE,
    },
};

/// Of every list of rows.
const COMMON: [&str; 6] = ["cursor", "from", "limit", "order", "to", WHOSE];

/// Of every list of rows.
#[derive(Deserialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema))]
pub struct ListParameters {
    /// The first day.
    from: Option<Date>,
    /// The last day.
    to: Option<Date>,
    /// By day: `newest` (if absent) or `oldest`. Expenses also by amount: `largest` or `smallest`, without a cursor.
    order: Option<String>,
    /// How many rows at most; 100 if absent.
    #[cfg_attr(feature = "local", schemars(range(min = 1, max = LIMITS.most)))]
    limit: Option<usize>,
    /// `nextCursor` of the part before. It is valid with the same other parameters only.
    cursor: Option<String>,
    /// `me`, `everyone`, a member's user id or name; everyone's if absent.
    whose: Option<String>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema))]
pub struct SumsParameters {
    /// What the groups are; none if absent.
    by: Option<By>,
    /// The first day.
    from: Option<Date>,
    /// The last day.
    to: Option<Date>,
    /// `me`, `everyone`, a member's user id or name; everyone's if absent.
    whose: Option<String>,
}

/// `GET /records/{kind}`: what every list has is read here, the kind's own filters are left as they are.
pub fn of_list(uri: &Uri, search: &dyn Search) -> Result<PageQuery, FieldError> {
    let orders = [&[NEWEST, OLDEST], search.orders()].concat();
    let form = || {
        let (last, first) = orders.split_last().expect("two or more");
        let orders = format!("{} or {last}", first.join(", "));
        format!(
            "`from` and `to` are dates like 2026-11-30, `limit` is a number, and `order` is {orders}; each at most once"
        )
    };
    let ListParameters { from, to, order, limit, cursor, whose } = read(uri, form)?;
    let order = order.unwrap_or_else(|| NEWEST.to_owned());
    if !orders.contains(&order.as_str()) {
        return Err(refused(form()));
    }
    let filters = filters(uri, &COMMON, search)?;
    let limit = checked_limit(limit, LIMITS.usual, LIMITS.most)?;
    Ok(PageQuery { range: range(from, to)?, whose, order, limit, cursor, filters })
}

/// `GET /sums`.
#[derive(Debug, PartialEq)]
pub struct SumsQuery {
    pub by: By,
    pub range: Option<String>,
    pub whose: Option<String>,
    pub filters: Map<String, Value>,
}

pub fn of_sums(uri: &Uri, search: &dyn Search) -> Result<SumsQuery, FieldError> {
    let form = || {
        "`from` and `to` are dates like 2026-11-30, and `by` is none, category, month, week, day or item; each at most once"
            .to_owned()
    };
    let SumsParameters { by, from, to, whose } = read(uri, form)?;
    let filters = filters(uri, &["by", "from", "to", WHOSE], search)?;
    Ok(SumsQuery { by: by.unwrap_or(By::None), range: range(from, to)?, whose, filters })
}

/// `GET /expenses/export`: the filters of the list, without its pages.
pub fn of_export(uri: &Uri, search: &dyn Search) -> Result<(Format, PageQuery), FieldError> {
    #[derive(Deserialize)]
    struct Common {
        format: Option<Format>,
        from: Option<Date>,
        to: Option<Date>,
        order: Option<String>,
        whose: Option<String>,
    }
    let form = || {
        "`format` is csv, json, hledger or beancount, `from` and `to` are dates like 2026-11-30, and `order` is oldest or \
         newest; each at most once"
            .to_owned()
    };
    let Common { format, from, to, order, whose } = read(uri, form)?;
    let order = order.unwrap_or_else(|| OLDEST.to_owned());
    if ![NEWEST, OLDEST].contains(&order.as_str()) {
        return Err(refused(form()));
    }
    let filters = filters(uri, &["format", "from", "order", "to", WHOSE], search)?;
    let asked = PageQuery { range: range(from, to)?, whose, order, filters, ..PageQuery::default() };
    Ok((format.unwrap_or(Format::Csv), asked))
}

/// What is left without the `common` parameters. One that is there several times has all its values.
fn filters(uri: &Uri, common: &[&str], search: &dyn Search) -> Result<Map<String, Value>, FieldError> {
    let mut filters: Map<String, Value> = Map::new();
    let own = |(name, _): &(String, String)| !common.contains(&name.as_str());
    for (name, text) in known(uri, &[common, search.parameters()].concat())?.into_iter().filter(own) {
        match filters.get_mut(&name) {
            None => {
                filters.insert(name, text.into());
            }
            Some(Value::Array(texts)) => texts.push(text.into()),
            Some(first) => *first = vec![first.take(), text.into()].into(),
        }
    }
    Ok(filters)
}

/// The parameters in their order. One with another name is refused.
pub fn known(uri: &Uri, names: &[&str]) -> Result<Vec<(String, String)>, FieldError> {
    let pairs: Vec<(String, String)> = read(uri, || "the part of the address after `?` cannot be read".to_owned())?;
    let Some((unknown, _)) = pairs.iter().find(|(name, _)| !names.contains(&name.as_str())) else { return Ok(pairs) };
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let which =
        if names.is_empty() { "this address has none".to_owned() } else { format!("only {}", names.join(", ")) };
    Err(refused(format!("there is no parameter {:?} here, {which}", short(unknown))))
}

/// Reads all the parameters of an address that has no others than `names`, each at most once.
pub fn read_only<T: DeserializeOwned>(uri: &Uri, names: &[&str], form: &str) -> Result<T, FieldError> {
    known(uri, names)?;
    read(uri, || format!("{form} at most once"))
}

/// `form`: what the parameters look like.
pub fn read<T: DeserializeOwned>(uri: &Uri, form: impl FnOnce() -> String) -> Result<T, FieldError> {
    Query::try_from_uri(uri).map(|Query(read)| read).map_err(|_| refused(form()))
}

pub fn checked_limit(limit: Option<usize>, usual: usize, most: usize) -> Result<usize, FieldError> {
    let limit = limit.unwrap_or(usual);
    if (1..=most).contains(&limit) {
        return Ok(limit);
    }
    Err(refused(format!("`limit` must be a number from 1 to {most}")))
}

pub fn refused(what: impl Display) -> FieldError {
    FieldError::Malformed(format!("{what}. Correct it or leave it out"))
}

/// The days as the person's words name them; none if there is neither.
fn range(from: Option<Date>, to: Option<Date>) -> Result<Option<String>, FieldError> {
    match (from, to) {
        (None, None) => Ok(None),
        (Some(from), Some(to)) if from > to => Err(refused("`from` must not be after `to`")),
        (from, to) => Ok(Some(format!("{}..{}", from.unwrap_or(DateRange::ALL.from), to.unwrap_or(DateRange::ALL.to)))),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;
    use crate::{expenses::ExpenseKind, tool::RecordKind};

    fn of_expenses(query: &str) -> Result<PageQuery, FieldError> {
        of_list(&format!("/expenses?{query}").parse().unwrap(), ExpenseKind.search().unwrap())
    }

    #[test]
    fn parameters_narrow_the_list() {
        let query =
            "from=2026-10-01&category=eating+out&limit=5&cursor=a%2Bb&without=a&without=b&whose=me&order=largest";
        let expected = PageQuery {
            range: Some("2026-10-01..9999-12-31".into()),
            whose: Some("me".into()),
            order: "largest".into(),
            limit: 5,
            cursor: Some("a+b".into()),
            filters: json!({ "category": "eating out", "without": ["a", "b"] }).as_object().unwrap().clone(),
        };
        assert_eq!(of_expenses(query), Ok(expected));
        let range = |query| of_expenses(query).unwrap().range;
        assert_eq!(range("to=2026-10-01").as_deref(), Some("1970-01-01..2026-10-01"));
        assert_eq!(of_expenses(""), Ok(PageQuery { order: NEWEST.into(), limit: 100, ..PageQuery::default() }));
    }

    #[rstest]
    fn malformed_parameters_are_refused(
        #[values(
            "limit=0",
            "limit=501",
            "limit=x",
            "limit=-1",
            "limit=1&limit=2",
            "from=2026-02-30",
            "from=yesterday",
            "order=best",
            "from=2026-11-02&to=2026-11-01",
            "page=2",
            "range=today"
        )]
        query: &str,
    ) {
        let refused = of_expenses(query).unwrap_err().to_string();
        assert!(refused.ends_with(". Correct it or leave it out"), "{refused}");
    }
}

//! The filters of a query: those that the query names, within those that are active on the page. Every row and sum of
//! an answer meets all of them. There is no ranking here.

use std::{
    collections::BTreeMap,
    ops::RangeInclusive,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use serde_json::{Map, Value, json};

use super::{
    arguments::refused,
    expense::{self, KIND, NO_CATEGORY, words},
    expense_text::listed,
    page_filters::{Filters, MAX_CATEGORIES},
};
use crate::{
    money::{Amount, Currency},
    phrases::{
        DateRange, Style,
        plurals::{are_alike, forms},
    },
    proposal::Body,
    sorted::{Collect, Sort},
    store::{Among, Condition, ListQuery},
    tool::{
        Owners, QueryResult, ToolContext, ToolError,
        row_filter::{RowFilter, about_names, query_of_names, word_query},
        whose::WHOSE,
        word_query::{WordQuery, spaced_forms},
    },
};

mod described;
mod filter_mismatch;
mod readings;

pub(super) use readings::{OtherReadings, other_name, readings};

/// The filters after dates, currencies and names are read.
#[derive(Debug, Clone)]
pub(super) struct ResolvedFilters {
    pub range: DateRange,
    pub owners: Owners,
    /// The row is in one of these. Empty: any category.
    pub categories: Vec<String>,
    pub currency: Option<Currency>,
    pub conditions: Vec<Condition>,
    /// Bounds in minor units of a currency that nobody named. This is not a condition of the store, because rows in
    /// other currencies must be counted too.
    assumed: Option<RangeInclusive<i64>>,
    /// For each entry, a text of the row has a word that begins with one of its forms, or has one of its phrases.
    /// Conditions of the store cannot express this.
    beginnings: Vec<Vec<String>>,
    /// No text of the row has one of these.
    left_out: Vec<String>,
    without: Vec<Exclusion>,
    /// What was understood, for the client.
    detected: Map<String, Value>,
    /// What was asked for, where this is what people call by that name too.
    in_place_of: Option<String>,
}

/// A category or an item name that is excluded.
#[derive(Debug, Clone)]
pub(super) struct Exclusion {
    pub name: String,
    /// Forms of the category's name.
    categories: Vec<String>,
    /// The item must contain one form of each word.
    words: Vec<Vec<String>>,
    /// Whether it left out a row.
    is_used: Arc<AtomicBool>,
}

impl Exclusion {
    pub fn has(&self, body: &Body) -> bool {
        let text = |name: &str| body.get(name).and_then(Value::as_str);
        let called = words(text("item").unwrap_or_default());
        let lines = body.get("lines").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let mut categories = lines.iter().filter_map(|line| line["category"].as_str());
        let is_in_it = match lines {
            [] => self.is_group(text("category").unwrap_or(NO_CATEGORY)),
            _ => categories.all(|category| self.is_group(category)),
        };
        let has = is_in_it || self.words.iter().all(|any| any.iter().any(|form| called.contains(form.as_str())));
        self.is_used.fetch_or(has, Relaxed);
        has
    }

    fn is_group(&self, group: &str) -> bool {
        self.categories.iter().any(|category| category == group)
    }
}

/// How many rows were skipped because they are in another currency, by currency code.
#[derive(Debug, Default)]
pub(super) struct NotCompared(Mutex<BTreeMap<String, u64>>);

impl NotCompared {
    fn add(&self, code: &str) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.entry(code.to_owned()).or_default() += 1;
    }

    pub fn counts(self) -> BTreeMap<String, u64> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Rows with at least one of the words, of names or of texts. Used when no row has all of them.
pub(super) fn any_word(asked: &Filters, context: &ToolContext<'_>) -> Option<ResolvedFilters> {
    let (WordQuery { wanted, left_out }, others) = match (asked.words.as_deref(), asked.text.as_deref()) {
        (Some(words), _) => (WordQuery::of_names(words), Filters { words: None, ..asked.clone() }),
        (None, text) => (WordQuery::new(text?), Filters { text: None, ..asked.clone() }),
    };
    let mut resolved = resolve_filters(&others, context).ok().flatten().filter(|_| wanted.len() > 1)?;
    if asked.words.is_some() {
        resolved.conditions.push(Condition::HasWord(wanted.iter().flat_map(|word| forms(word)).collect()));
        resolved.conditions.extend(about_names(&WordQuery { wanted: vec![], left_out }));
    } else {
        resolved.beginnings.push(wanted.iter().flat_map(|word| beginnings(word)).collect());
        resolved.left_out.extend(left_out.iter().flat_map(|term| spaced_forms(term)));
    }
    Some(resolved)
}

/// Rows with at least one of several names. Used when no row is in a category that is called so.
pub(super) fn any_name(asked: &Filters, context: &ToolContext<'_>) -> Option<ResolvedFilters> {
    let is_about_names = asked.categories.len() > 1 && asked.words.is_none();
    let others = Filters { categories: vec![], ..asked.clone() };
    let mut resolved = resolve_filters(&others, context).ok().flatten().filter(|_| is_about_names)?;
    let names = asked.categories.iter().flat_map(|name| forms(&name.to_lowercase()));
    resolved.conditions.push(Condition::HasWord(names.collect()));
    Some(resolved)
}

/// What a text with this word or phrase has.
fn beginnings(term: &str) -> Vec<String> {
    match term.contains(' ') {
        true => spaced_forms(term),
        false => forms(term).iter().map(|form| format!(" {form}")).collect(),
    }
}

/// None if the query and the page exclude each other.
pub(super) fn resolve_filters(
    asked: &Filters,
    context: &ToolContext<'_>,
) -> Result<Option<ResolvedFilters>, ToolError> {
    let page = &Filters::of_page(context)?;
    let Some(range) = common_range(asked.range.as_deref(), context)? else { return Ok(None) };
    let Some(categories) = common(groups(&asked.categories)?, groups(&page.categories)?) else { return Ok(None) };
    let has_notes = match (asked.has_notes, page.has_notes) {
        (Some(asked), Some(page)) if asked != page => return Ok(None),
        (asked, page) => asked.or(page),
    };
    let Some(currency) = common_currency(asked, context)? else { return Ok(None) };
    let Some(owners) = Owners::resolve(asked.whose.as_deref(), context)? else { return Ok(None) };
    let mut resolved = ResolvedFilters {
        range,
        owners,
        categories,
        currency,
        conditions: vec![],
        assumed: None,
        beginnings: vec![],
        left_out: vec![],
        without: vec![],
        detected: detected(&range),
        in_place_of: None,
    };
    resolved.add_categories();
    resolved.leave_out(&[asked.without.as_slice(), page.without.as_slice()].concat())?;
    resolved.add_words([&asked.words, &page.words])?;
    resolved.add_amounts(asked, page)?;
    if let Some(has_notes) = has_notes {
        resolved.conditions.push(if has_notes { Condition::Present("notes") } else { Condition::Absent("notes") });
        resolved.detected.insert("hasNotes".into(), json!(has_notes));
    }
    resolved.add_text([&asked.text, &page.text])?;
    Ok(Some(resolved))
}

impl ResolvedFilters {
    /// Whether rollups by day, category and currency are enough to answer, without reading rows.
    pub fn can_use_rollups(&self) -> bool {
        let others = self
            .conditions
            .iter()
            .filter(|condition| !matches!(condition, Condition::Equals("currency", _) | Condition::InGroup { .. }));
        others.count() == 0 && self.is_said_by_conditions()
    }

    /// Whether the totals of names are enough to answer for all days, without reading rows.
    pub fn can_use_names(&self) -> bool {
        let is_told = |condition: &Condition| {
            condition.is_about_words() || matches!(condition, Condition::Equals("currency", _) | Condition::OwnedBy(_))
        };
        self.categories.is_empty() && self.conditions.iter().all(is_told) && self.is_said_by_conditions()
    }

    /// Whether amounts are limited.
    pub fn has_bounds(&self) -> bool {
        ["minAmount", "maxAmount", "moreThan", "lessThan"].iter().any(|name| self.detected.contains_key(*name))
    }

    pub fn is_in_group(&self, group: &str) -> bool {
        (self.categories.is_empty() || self.categories.iter().any(|category| category == group))
            && !self.without.iter().any(|left_out| left_out.is_group(group))
    }

    pub fn is_in_currency(&self, code: &str) -> bool {
        self.currency.is_none_or(|currency| currency.code() == code)
    }

    pub fn is_said_by_conditions(&self) -> bool {
        self.beginnings.is_empty() && self.left_out.is_empty() && self.without.is_empty() && self.assumed.is_none()
    }

    pub fn without(&self) -> &[Exclusion] {
        &self.without
    }

    pub fn in_place_of(self, name: Option<String>) -> ResolvedFilters {
        ResolvedFilters { in_place_of: name, ..self }
    }

    /// Of its texts, no word that only begins so: a card is no car.
    fn with_whole_words(mut self) -> ResolvedFilters {
        let ends = |form: &mut String| *form = format!("{} ", form.trim_end());
        self.beginnings.iter_mut().flatten().for_each(ends);
        self
    }

    /// The same filters for other days.
    pub fn within(&self, range: DateRange) -> ResolvedFilters {
        let mut other = self.clone();
        other.detected.extend(detected(&range));
        ResolvedFilters { range, ..other }
    }

    /// The filter for reading rows. `not_compared` counts the rows that are skipped because of their currency.
    pub fn rows<'a>(&'a self, not_compared: Option<&'a NotCompared>, style: Style) -> RowFilter<'a> {
        let filter = self.days_and_conditions(style);
        if self.is_said_by_conditions() {
            return filter;
        }
        filter.fitting(self.predicate_shape(), move |body| {
            if let (Some(code), Some(counted)) = (self.not_compared(body), not_compared) {
                counted.add(code);
            }
            self.fits(body)
        })
    }

    /// Like [`Self::rows`], but includes the rows that are excluded by name.
    pub fn rows_before_exclusions(&self, style: Style) -> RowFilter<'_> {
        let filter = self.days_and_conditions(style);
        filter.fitting(self.predicate_shape(), |body| self.fits_before_exclusions(body))
    }

    fn days_and_conditions(&self, style: Style) -> RowFilter<'static> {
        let described = self.described(style);
        RowFilter::resolved(self.range, self.conditions.clone(), self.detected.clone(), described).of(&self.owners)
    }

    /// The query for the store, newest first.
    pub fn query(&self, limit: usize) -> ListQuery<'static> {
        let (DateRange { from, to }, mut conditions) = (self.range, self.conditions.clone());
        conditions.extend(self.owners.condition());
        ListQuery { kind: KIND, among: Among::All, from, to, conditions, limit, after: None, oldest_first: false }
    }

    /// Whether a row that meets the conditions of the store meets the other filters too.
    pub fn fits(&self, body: &Body) -> bool {
        self.fits_before_exclusions(body) && !self.is_left_out(body)
    }

    /// All are asked, because each remembers whether it left out a row.
    fn is_left_out(&self, body: &Body) -> bool {
        self.without.iter().filter(|exclusion| exclusion.has(body)).count() > 0
    }

    /// Like [`Self::fits`], but ignores what is excluded by name.
    pub fn fits_before_exclusions(&self, body: &Body) -> bool {
        let bounded = self.assumed.as_ref().is_none_or(|bounds| {
            let minor = body.get("minor").and_then(Value::as_i64);
            currency_of(body).is_some_and(|code| self.is_in_currency(code))
                && minor.is_some_and(|minor| bounds.contains(&minor))
        });
        bounded && self.has_text(body)
    }

    /// The row's currency code, if the row is skipped only because of its currency.
    pub fn not_compared<'b>(&self, body: &'b Body) -> Option<&'b str> {
        let fits = || self.has_text(body) && !self.is_left_out(body);
        let code = currency_of(body).filter(|_| self.assumed.is_some())?;
        (!self.is_in_currency(code) && fits()).then_some(code)
    }

    fn has_text(&self, body: &Body) -> bool {
        if self.beginnings.is_empty() && self.left_out.is_empty() {
            return true;
        }
        let texts = ["item", "notes", "category"].into_iter().filter_map(|name| body.get(name)?.as_str());
        let lines = body.get("lines").and_then(Value::as_array).into_iter().flatten();
        let of_lines = lines.flat_map(|line| [line["category"].as_str(), line["note"].as_str()]).flatten();
        let texts: Vec<String> = texts.chain(of_lines).map(words).collect();
        let has = |part: &String| texts.iter().any(|text| text.contains(part.as_str()));
        self.beginnings.iter().all(|any| any.iter().any(has)) && !self.left_out.iter().any(has)
    }

    pub fn detected(&self) -> Option<Value> {
        let mut detected = self.detected.clone();
        detected.extend(self.owners.detected().map(|whose| (WHOSE.to_owned(), whose.into())));
        (!detected.is_empty()).then(|| detected.into())
    }

    /// What money was spent on, for a sentence: " on food", " on “uber”". Call it after the rows are read. A name that
    /// left out no row may be misspelt, or in another language, and the sentence says so.
    pub fn spoken(&self) -> String {
        let name = self.detected.get("words").and_then(Value::as_str).map(|words| {
            let query = WordQuery::of_names(words);
            let all = if query.wanted.is_empty() { "everything " } else { "" };
            format!("{all}{}", query.described("", ""))
        });
        let known = |at: usize| self.categories[..at].iter().any(|other| are_alike(other, &self.categories[at]));
        let categories: Vec<String> =
            (0..self.categories.len()).filter(|at| !known(*at)).map(|at| self.categories[at].clone()).collect();
        let categories = (!categories.is_empty()).then(|| listed(categories));
        let place = if self.detected.contains_key("hasNotes") { "in its notes" } else { "in it" };
        let text = self.detected.get("text").and_then(Value::as_str);
        let text = text.map(|text| format!("what has {} {place}", WordQuery::new(text).described("", "")));
        let named: Vec<String> = categories.into_iter().chain(name).chain(text).collect();
        let asked =
            self.in_place_of.as_ref().map(|asked| format!(" (nothing is called “{asked}”)")).unwrap_or_default();
        let named = named.join(", ") + &asked;
        let left_out = |left_out: &Exclusion| match named.is_empty() && !left_out.is_used.load(Relaxed) {
            true => format!("“{}” (none is called that)", left_out.name),
            false => format!("“{}”", left_out.name),
        };
        let without: Vec<String> = self.without.iter().map(left_out).collect();
        match (named, listed(without)) {
            (named, without) if without.is_empty() && named.is_empty() => String::new(),
            (named, without) if without.is_empty() => format!(" on {named}"),
            (named, without) if named.is_empty() => format!(" on everything except {without}"),
            (named, without) => format!(" on {named} without {without}"),
        }
    }

    /// Identifies the part of the filters that is not in the conditions.
    fn predicate_shape(&self) -> String {
        let text = self.beginnings.concat().concat() + &self.left_out.concat();
        let without: String = self.without.iter().map(|left_out| format!("|-{}", left_out.name)).collect();
        let text = if text.is_empty() { text } else { format!("|{text}") };
        let assumed = self.assumed.as_ref().map(|bounds| format!("|{bounds:?}")).unwrap_or_default();
        format!("{text}{without}{assumed}")
    }

    fn leave_out(&mut self, names: &[String]) -> Result<(), ToolError> {
        for name in names {
            let category = expense::group(name).map_err(ToolError::Refused)?;
            let words: Vec<Vec<String>> = words(name).split_whitespace().map(spaced_forms).collect();
            let is_used = Arc::default();
            if words.is_empty() {
                return Err(ToolError::Refused("what should be left out has no letters. Name it".into()));
            }
            self.without.push(Exclusion { categories: forms(&category), name: category, words, is_used });
        }
        if !names.is_empty() {
            let names: Vec<&str> = self.without.iter().map(|left_out| left_out.name.as_str()).collect();
            self.detected.insert("without".into(), json!(names));
        }
        Ok(())
    }

    fn add_categories(&mut self) {
        if self.categories.is_empty() {
            return;
        }
        let groups = self.categories.clone();
        let (field, list, none) = ("category", "categories", NO_CATEGORY);
        self.conditions.push(Condition::InGroup { field, list, none, groups });
        match self.categories.as_slice() {
            [one] => self.detected.insert("category".into(), json!(one)),
            several => self.detected.insert("categories".into(), json!(several)),
        };
    }

    /// The item must contain all of the words.
    fn add_words(&mut self, texts: [&Option<String>; 2]) -> Result<(), ToolError> {
        let query = query_of_names(texts.into_iter().flatten().map(String::as_str))?;
        if !query.is_empty() {
            self.conditions.extend(about_names(&query));
            self.detected.insert("words".into(), json!(query.text()));
        }
        Ok(())
    }

    fn add_text(&mut self, texts: [&Option<String>; 2]) -> Result<(), ToolError> {
        let query = word_query(texts.into_iter().flatten().map(String::as_str), "the text has")?;
        if !query.is_empty() {
            self.beginnings = query.wanted.iter().map(|term| beginnings(term)).collect();
            self.left_out = query.left_out.iter().flat_map(|term| spaced_forms(term)).collect();
            self.detected.insert("text".into(), json!(query.text()));
        }
        Ok(())
    }

    /// Amounts are compared within one currency only.
    fn add_amounts(&mut self, asked: &Filters, page: &Filters) -> Result<(), ToolError> {
        let Some(currency) = self.currency else { return Ok(()) };
        let named = asked.currency.is_some() || page.currency.is_some();
        if named {
            self.conditions.push(Condition::Equals("currency", currency.code().into()));
        }
        let (mut least, mut most) = (i64::MIN, i64::MAX);
        self.detected.insert("currency".into(), json!(currency.code()));
        // Name, value of the query, value of the page, whether it is a lower bound, and how many minor units to move it
        // inwards.
        let bounds = [
            ("minAmount", &asked.min_amount, &page.min_amount, true, 0),
            ("maxAmount", &asked.max_amount, &page.max_amount, false, 0),
            ("moreThan", &asked.more_than, &page.more_than, true, 1),
            ("lessThan", &asked.less_than, &page.less_than, false, -1),
        ];
        for (name, asked, page, lower, inside) in bounds {
            let minor =
                |amount: &Amount| Ok((amount.in_currency(currency).map_err(refused)?.minor, amount.to_string()));
            let both = [asked, page].into_iter().flatten().map(minor).collect::<Result<Vec<_>, ToolError>>()?;
            let tighter = if lower { both.into_iter().max() } else { both.into_iter().min() };
            let Some((minor, text)) = tighter else { continue };
            let minor = minor + inside;
            match (named, lower) {
                (true, true) => self.conditions.push(Condition::AtLeast("minor", minor)),
                (true, false) => self.conditions.push(Condition::AtMost("minor", minor)),
                (false, true) => least = least.max(minor),
                (false, false) => most = most.min(minor),
            }
            self.detected.insert(name.into(), json!(text));
        }
        self.assumed = (!named).then_some(least..=most);
        Ok(())
    }
}

pub(super) fn currency_of(body: &Body) -> Option<&str> {
    body.get("currency").and_then(Value::as_str)
}

/// The query's range within the page's range. None if they have no day in common.
fn common_range(asked: Option<&str>, context: &ToolContext<'_>) -> Result<Option<DateRange>, ToolError> {
    let resolve = |text: &str| context.reader().resolve_range(text).map_err(refused);
    let asked = asked.map(resolve).transpose()?.unwrap_or(DateRange::ALL);
    let page = Filters::of_page(context)?;
    let page = page.range.as_deref().map(resolve).transpose()?.unwrap_or(DateRange::ALL);
    Ok(DateRange::new(asked.from.max(page.from), asked.to.min(page.to)))
}

/// The outer None: the query and the page name different currencies. The inner None: any currency.
fn common_currency(asked: &Filters, context: &ToolContext<'_>) -> Result<Option<Option<Currency>>, ToolError> {
    let page = &Filters::of_page(context)?;
    let parse = |code: &Option<String>| code.as_deref().map(Currency::parse).transpose().map_err(refused);
    let (of_asked, of_page) = (parse(&asked.currency)?, parse(&page.currency)?);
    match (of_asked, of_page) {
        (Some(asked), Some(page)) if asked != page => Ok(None),
        (None, None) if has_bounds(asked) || has_bounds(page) => {
            let code = context.currency;
            let code = code.ok_or_else(|| {
                ToolError::Refused("say in which currency. I can only compare amounts of one currency".into())
            })?;
            Ok(Some(Some(Currency::parse(code).map_err(refused)?)))
        }
        // The page's bounds are in the person's own currency unless the page names another.
        (Some(asked), None) if has_bounds(page) && context.currency.is_some_and(|code| code != asked.code()) => {
            Ok(None)
        }
        (asked, page) => Ok(Some(asked.or(page))),
    }
}

fn has_bounds(filters: &Filters) -> bool {
    let Filters { min_amount, max_amount, more_than, less_than, .. } = filters;
    [min_amount, max_amount, more_than, less_than].into_iter().any(Option::is_some)
}

/// The group names that rollups use for these categories.
fn groups(names: &[String]) -> Result<Vec<String>, ToolError> {
    if names.len() > MAX_CATEGORIES {
        let text = format!("at most {MAX_CATEGORIES} categories at once. Name fewer, or none for all");
        return Err(ToolError::Refused(text));
    }
    let named = names.iter().filter(|name| !name.is_empty());
    let mut groups: Vec<String> =
        named.map(|name| expense::group(name)).collect::<Result<_, _>>().map_err(ToolError::Refused)?;
    if groups.iter().any(String::is_empty) {
        return Err(ToolError::Refused("the category has no letters. Name one, or leave it out".into()));
    }
    groups.put_in_order(String::cmp);
    groups.dedup();
    Ok(groups)
}

/// None if both sides name categories and have none in common.
fn common(asked: Vec<String>, page: Vec<String>) -> Option<Vec<String>> {
    if asked.is_empty() || page.is_empty() {
        return Some([asked, page].concat());
    }
    let both: Vec<String> = asked.into_iter().filter(|name| page.contains(name)).collect();
    (!both.is_empty()).then_some(both)
}

/// The range that was understood, for the client.
fn detected(range: &DateRange) -> Map<String, Value> {
    let range = (*range != DateRange::ALL).then(|| json!({ "from": range.from, "to": range.to }));
    range.map(|range| ("range".to_owned(), range)).inserted()
}

/// The answer if the query and the page exclude each other.
pub(super) fn nothing_in_common() -> QueryResult {
    let summary = "I found nothing: your question and the filters on the page exclude each other.";
    QueryResult { summary_for_llm: summary.into(), ..QueryResult::default() }
}

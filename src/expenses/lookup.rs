//! Finding the one expense that a person means, by its number or by a description that matches exactly one.

use std::{cmp::Reverse, collections::BTreeMap};

use serde_json::json;

use super::{
    arguments::{currencies, currency, refused},
    expense::{KIND, NO_CATEGORY, words},
    expense_text,
    periods::when,
    recurring::{self, RecurringKind},
    spoken_facts,
};
use crate::{
    identity::Role,
    money::{Amount, Money},
    only::Only,
    phrases::{self, CurrencyMention, plurals},
    proposal::Record,
    shown::ShownRow,
    sorted::Sort,
    store::{Among, Condition, DoneChunk, ListQuery, Page},
    tool::{Question, Rendering, ToolContext, ToolError, names, row_filter::has_word, words::name_words},
};

/// Rows offered if a description fits several.
const OPTIONS: usize = 5;

/// Words of a description that are ignored.
pub(super) const FILLERS: &[&str] = &["a", "an", "the", "my", "that", "this", "expense", "one", "entry", "item"];

/// The words of a name that tell it from others.
pub fn told_apart(name: &str) -> Vec<String> {
    let words = words(name);
    words.split_whitespace().filter(|word| !FILLERS.contains(word)).map(str::to_owned).collect()
}

/// Alone, such a word is no name.
const LAST: [&str; 3] = ["last", "latest", "newest"];

/// What the person said to identify a row.
#[derive(Clone, Copy)]
pub struct ExpenseReference<'a> {
    pub id: Option<u64>,
    pub description: Option<&'a str>,
    pub cost: Option<&'a Amount>,
    /// Its day.
    pub date: Option<&'a str>,
}

/// Separators between names, if no row has the whole text as its name.
const JOINTS: [&str; 3] = [" and ", " & ", ","];

/// Splits a text into names.
pub(super) fn split_names(text: &str) -> Vec<&str> {
    let parts =
        JOINTS.iter().fold(vec![text], |parts, joint| parts.iter().flat_map(|part| part.split(joint)).collect());
    parts.into_iter().map(str::trim).filter(|name| !name.is_empty()).collect()
}

/// The records for "coffee and lunch": the one with this name, or one for each name. The errors are those of [`find`].
pub async fn find_each(pointer: ExpenseReference<'_>, context: &ToolContext<'_>) -> Result<Vec<Record>, ToolError> {
    let names = if pointer.id.is_none() { pointer.description.map(split_names).unwrap_or_default() } else { vec![] };
    let refused = match find(pointer, context).await {
        Err(refused @ (ToolError::Refused(_) | ToolError::NothingFound(_))) if names.len() > 1 => refused,
        found => return Ok(vec![found?]),
    };
    let mut records: Vec<Record> = Vec::new();
    for name in names {
        // "coffee and #3"
        let id = name.strip_prefix("the ").unwrap_or(name).strip_prefix('#').and_then(|number| number.parse().ok());
        let record = find(ExpenseReference { id, description: Some(name), ..pointer }, context).await?;
        if records.iter().any(|known| known.id == record.id) {
            return Err(refused);
        }
        records.push(record);
    }
    Ok(records)
}

/// The record that is meant. If several rows fit, the error is a question that offers them.
pub async fn find(pointer: ExpenseReference<'_>, context: &ToolContext<'_>) -> Result<Record, ToolError> {
    let record = match (pointer.id, pointer.description) {
        (Some(id), _) => match context.store.record(KIND, id).await? {
            Some(record) => record,
            None => {
                return Err(ToolError::Refused(format!(
                    "there is no expense #{id}. To see the numbers, ask for a list, like “show expenses this week”"
                )));
            }
        },
        (None, description) if description.is_some() || pointer.cost.is_some() || pointer.date.is_some() => {
            find_described(description.unwrap_or_default(), pointer, context).await?
        }
        (None, _) => {
            let text = "Which expense? Say its number or its name.".into();
            return Err(ToolError::ask(Question { text, missing: vec!["expense".into()], ..Question::default() }));
        }
    };
    if !context.caller.may_change(&record.draft.owner) {
        let row = context.row_names.reference(KIND, record.id);
        let text = format!("{row} belongs to someone else. Ask them or an administrator to change it");
        return Err(ToolError::Forbidden(text));
    }
    Ok(record)
}

/// The words of the name and the price in a description.
struct Description<'a> {
    words: Vec<&'a str>,
    /// What it costs, once for each currency that a sign like "$" may mean.
    money: Vec<Money>,
    price: Option<String>,
}

impl<'a> Description<'a> {
    fn of(words: Vec<&'a str>, money: Vec<Money>, context: &ToolContext<'_>) -> Self {
        let price = match &money[..] {
            [] => None,
            [only] => Some(only.written(context.style().money)),
            [first, ..] => Some(first.decimal()),
        };
        Description { words, money, price }
    }

    /// With its last word as what it costs.
    fn with_price(&self, context: &ToolContext<'_>) -> Option<Self> {
        let (last, words) = self.words.split_last().filter(|(_, words)| !words.is_empty() && self.money.is_empty())?;
        let money = costs(&Amount::parse(last).ok()?, context).ok()?;
        Some(Description::of(words.to_vec(), money, context))
    }

    /// The description as answers repeat it.
    fn name(&self) -> String {
        self.words.iter().copied().chain(self.price.as_deref()).collect::<Vec<_>>().join(" ")
    }
}

async fn find_described(
    description: &str,
    ExpenseReference { date, cost, .. }: ExpenseReference<'_>,
    context: &ToolContext<'_>,
) -> Result<Record, ToolError> {
    if !context.caller.may_add() {
        return Err(ToolError::Forbidden(
            "your role is viewer, so you can look but not change. Ask an administrator for another role".into(),
        ));
    }
    let is_filler = |word: &&str| FILLERS.contains(&word.to_lowercase().as_str());
    let spoken: Vec<&str> = description.split_whitespace().filter(|word| !is_filler(word)).collect();
    let spoken = name_words(&spoken.join(" "));
    let telling: Vec<&str> = spoken.iter().map(String::as_str).filter(|word| !is_filler(word)).take(6).collect();
    let money = match cost {
        Some(amount) => costs(amount, context)?,
        None => vec![],
    };
    if let ([word], [], None) = (&telling[..], &money[..], date)
        && LAST.contains(word)
    {
        let none = || ToolError::Refused("there are no expenses, so none is the last".into());
        return written_last(context).await?.ok_or_else(none);
    }
    if telling.is_empty() && money.is_empty() && date.is_none() {
        return Err(ToolError::Refused("I don't know which expense you mean. Say its name or its number".into()));
    }
    let wanted = Description::of(telling, money, context);
    let mut page = rows_described(&wanted, date, context).await?;
    // "Tesco 23" is the one that costs 23, if none is called so.
    if page.records.is_empty()
        && let Some(priced) = wanted.with_price(context)
    {
        let found = rows_described(&priced, date, context).await?;
        page = if found.records.is_empty() { page } else { found };
    }
    if page.records.is_empty()
        && let [first, named @ ..] = &wanted.words[..]
        && LAST.contains(first)
    {
        return newest(&Description::of(named.to_vec(), wanted.money.clone(), context), date, context).await;
    }
    // With a day or an amount, a recurring expense cannot be meant.
    let is_expense = || context.user_messages.last().is_some_and(|said| words(said).contains(" expense "));
    let may_recur = date.is_none() && wanted.money.is_empty() && !is_expense();
    let recurring = if may_recur { recurring::with_words(&wanted.words, context) } else { vec![] };
    let mut rows = page.records;
    match (rows.as_slice(), recurring.as_slice()) {
        ([_], []) if page.next.is_none() => Ok(rows.remove(0)),
        ([], []) => Err(nothing_described(&wanted, date, context)),
        ([], [first, ..]) => Err(only_recurring(&wanted.name(), first, context)),
        (_, []) if let Some(at) = only_shown(&rows, &wanted, context) => Ok(rows.swap_remove(at)),
        _ => Err(which_described(&wanted.name(), &rows, page.next.is_some(), &recurring, context)),
    }
}

/// The only row of the list just shown that is called so.
fn only_shown(rows: &[Record], wanted: &Description<'_>, context: &ToolContext<'_>) -> Option<usize> {
    let is_called = |row: &&ShownRow| {
        let name = row.name.as_deref().map(words).filter(|_| row.kind == KIND);
        let has = |name: &str, word: &str| plurals::forms(word).iter().any(|form| spoken_facts::has_word(name, form));
        name.is_some_and(|name| wanted.words.iter().all(|word| has(&name, word)))
    };
    let list = context.visible_answers.last().filter(|answer| answer.list.is_some())?;
    let only = list.rows.iter().filter(is_called).only()?;
    rows.iter().position(|row| row.id == only.id)
}

/// "My last grocery expense": the newest own one that is called so or is in that category.
async fn newest(wanted: &Description<'_>, date: Option<&str>, context: &ToolContext<'_>) -> Result<Record, ToolError> {
    let own = || vec![Condition::OwnedBy(context.caller.user().to_string())];
    let mut page = rows_found([own(), in_name(wanted)].concat(), wanted, date, context).await?;
    if page.records.is_empty() {
        page = rows_found([own(), in_category(wanted)].concat(), wanted, date, context).await?;
    }
    page.records.into_iter().next().ok_or_else(|| nothing_described(wanted, date, context))
}

/// How many approvals [`written_last`] looks through.
const LOOKED_BACK: i32 = 10;

/// The expense that the caller added or changed last, if that was among the last things they approved; otherwise the newest.
async fn written_last(context: &ToolContext<'_>) -> Result<Option<Record>, ToolError> {
    let store = &context.store;
    // A budget or a recurring expense may have been written since.
    for header in store.last_approved_by(context.caller.user().as_str(), LOOKED_BACK).await? {
        let Some(done) = store.proposal(&header.id).await? else { continue };
        let chunks = store.chunks(&done, done.chunks_done()).await?;
        let mut written =
            chunks.iter().flat_map(DoneChunk::operations).filter_map(|operation| operation.after().cloned());
        if let Some(last) = written.rfind(|row| row.draft.kind == KIND)
            && let Some(row) = store.record(KIND, last.id).await?
        {
            return Ok(Some(row));
        }
    }
    Ok(rows_described(&Description::of(vec![], vec![], context), None, context).await?.records.into_iter().next())
}

async fn rows_described(
    wanted: &Description<'_>,
    date: Option<&str>,
    context: &ToolContext<'_>,
) -> Result<Page, ToolError> {
    rows_found(in_name(wanted), wanted, date, context).await
}

/// Reads one row more than is offered, to know whether there are more.
async fn rows_found(
    mut conditions: Vec<Condition>,
    wanted: &Description<'_>,
    date: Option<&str>,
    context: &ToolContext<'_>,
) -> Result<Page, ToolError> {
    let range = date.map(|date| context.reader().resolve_range(date)).transpose().map_err(refused)?;
    let range = range.unwrap_or(phrases::DateRange::ALL);
    // Only administrators find rows of other users.
    let own = Condition::OwnedBy(context.caller.user().to_string());
    conditions.extend((context.caller.role() != Role::Admin).then_some(own));
    let mut query = ListQuery {
        kind: KIND,
        among: Among::All,
        from: range.from,
        to: range.to,
        conditions,
        limit: OPTIONS + 1,
        after: None,
        oldest_first: false,
    };
    let page = match &costing(&wanted.money)[..] {
        [] => names::look_up(context, &query).await?,
        costs => {
            let mut all = Page { records: vec![], next: None, stopped_early: false };
            let others = query.conditions.clone();
            for cost in costs {
                query.conditions = [&others[..], cost].concat();
                let page = names::look_up(context, &query).await?;
                all.records.extend(page.records);
                all = Page {
                    next: all.next.or(page.next),
                    stopped_early: all.stopped_early || page.stopped_early,
                    ..all
                };
            }
            all.records.put_in_order_of(|row| Reverse((row.draft.date, row.id)));
            all
        }
    };
    if page.stopped_early {
        let name = wanted.name();
        return Err(ToolError::Refused(format!(
            "there are too many expenses to look for “{name}”. Say its number or its day"
        )));
    }
    Ok(page)
}

fn in_name(wanted: &Description<'_>) -> Vec<Condition> {
    wanted.words.iter().map(|word| has_word(word)).collect()
}

fn in_category(wanted: &Description<'_>) -> Vec<Condition> {
    let groups = plurals::forms(&wanted.words.join(" "));
    vec![Condition::InGroup { field: "category", list: "categories", none: NO_CATEGORY, groups }]
}

fn only_recurring(name: &str, entry: &Record, context: &ToolContext<'_>) -> ToolError {
    let entry = RecurringKind.describe(&entry.draft, context.style());
    ToolError::Refused(format!(
        "there is no expense “{name}”, but a recurring one: {entry}. Say “stop {name}” to end it, or its new amount, \
         like “{name} 12 every month”"
    ))
}

fn nothing_described(wanted: &Description<'_>, date: Option<&str>, context: &ToolContext<'_>) -> ToolError {
    let yours = if context.caller.role() == Role::Admin { "no expense" } else { "no expense of yours" };
    let name = wanted.words.join(" ");
    match &wanted.price {
        Some(price) if name.is_empty() => {
            ToolError::Refused(format!("{yours} costs {price}. Say its name or its number"))
        }
        Some(price) => ToolError::Refused(format!(
            "{yours} called “{name}” costs {price}. Say its number, or look for it, like “find {name}”"
        )),
        None if name.is_empty() => {
            let days = date.and_then(|date| context.reader().resolve_range(date).ok());
            let days = days.map(|days| when(days, context.style().days)).unwrap_or_default();
            ToolError::Refused(format!("{yours} is {days}. Say its name or its number"))
        }
        None => ToolError::NothingFound(format!(
            "{yours} is called “{name}”. Say it in other words, or look for it, like “find {name}”"
        )),
    }
}

fn which_described(
    name: &str,
    rows: &[Record],
    has_next: bool,
    recurring: &[&Record],
    context: &ToolContext<'_>,
) -> ToolError {
    let style = context.style();
    let options =
        rows.iter().take(OPTIONS).map(|row| format!("#{} {}", row.id, expense_text::describe(&row.draft, style)));
    let offered = rows.iter().take(OPTIONS).map(expense_text::shown).collect();
    let entry = |entry: &&Record| format!("the recurring entry {}", RecurringKind.describe(&entry.draft, style));
    let options = options.chain(recurring.iter().map(entry));
    let values = rows.iter().take(OPTIONS).map(|row| json!({ "id": row.id }));
    let values = values.chain(recurring.iter().map(|entry| recurring::pointer(entry)));
    let more = if rows.len() > OPTIONS || has_next { " (the newest of them)" } else { "" };
    let which = if name.is_empty() { "expense".to_owned() } else { format!("“{name}”") };
    let text = format!("Which {which} do you mean?{more}");
    ToolError::ask(Question {
        text,
        options: options.collect(),
        missing: vec!["expense".into()],
        rows: offered,
        values: values.collect(),
        name: Some(name.to_owned()).filter(|name| !name.is_empty()),
        ..Question::default()
    })
}

/// The amount in each currency that it may be of. Some have no decimals, and cannot have it.
fn costs(amount: &Amount, context: &ToolContext<'_>) -> Result<Vec<Money>, ToolError> {
    let any = match currencies(&[amount], context)? {
        CurrencyMention::Ambiguous(any) => any,
        _ => vec![currency(&[amount], None, context)?],
    };
    let any = any.into_iter().map(|currency| amount.in_currency(currency));
    let (money, errors): (Vec<_>, Vec<_>) = any.partition(Result::is_ok);
    match errors.into_iter().find_map(Result::err) {
        Some(error) if money.is_empty() => Err(refused(error)),
        _ => Ok(money.into_iter().flatten().collect()),
    }
}

/// Conditions for each number of smallest units: "¥5" is 5 of one currency and 500 of another.
fn costing(money: &[Money]) -> Vec<[Condition; 3]> {
    let mut currencies: BTreeMap<i64, Vec<String>> = BTreeMap::new();
    for Money { minor, currency } in money {
        currencies.entry(*minor).or_default().push(currency.code().to_owned());
    }
    let each = |(minor, codes)| {
        [Condition::In("currency", codes), Condition::AtLeast("minor", minor), Condition::AtMost("minor", minor)]
    };
    currencies.into_iter().map(each).collect()
}

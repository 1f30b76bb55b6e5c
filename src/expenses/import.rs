//! From what a file says to new expenses: which of them are complete, which are there already, and which category they
//! had before. Nothing is written here.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::{ToSpan, civil::Date};
use serde_json::{Value, json};

use super::{
    category_preference::remembered,
    expense::{self, BANK_ID, Expense, ITEM_CHARS, KIND, Line, NOTES_CHARS, words},
    expense_text::{amount, line_rows},
};
use crate::{
    import::{Entry, Guess, Hints, Part, Reading, Rejection, Settings},
    money::{Currency, Money},
    phrases::{DayOrder, DecimalMark, Style, plain},
    proposal::{Draft, hash_text},
    sorted::Sort,
    store::{Among, Excerpt, ListQuery},
    tool::{ToolContext, ToolError},
};

/// Pages of 1 MB of stored rows that are compared with those of a file.
const PAGES: usize = 20;

/// Rows, rejections and incoming amounts of one answer. The rows have pages.
const SHOWN: usize = 500;

/// Longer identifiers are stored as their hash.
const BANK_ID_CHARS: usize = 100;

/// Names this similar are the same, by the measure of Jaro and Winkler.
const SIMILAR: f64 = 0.88;

/// Lines that the person ticked and unticked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ticks {
    pub include: BTreeSet<usize>,
    pub exclude: BTreeSet<usize>,
}

/// What a file would write.
#[derive(Debug)]
pub struct Import {
    settings: Settings,
    guesses: Vec<Guess>,
    columns: Value,
    rows: Vec<Row>,
    /// Money that came in.
    incoming: Vec<Row>,
    rejections: Vec<Rejection>,
    /// There were too many stored rows to compare all of them.
    is_partly_compared: bool,
}

#[derive(Debug)]
struct Row {
    line: usize,
    expense: Expense,
    is_remembered: bool,
    duplicate: Option<Duplicate>,
    is_included: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Duplicate {
    /// Of a stored expense.
    Stored(u64),
    /// Of a row of the file.
    Line(usize),
}

/// How the person writes, for what the file leaves open.
pub fn hints(context: &ToolContext<'_>) -> Hints {
    Hints {
        // It may be tomorrow where the person is.
        today: context.today.saturating_add(1.day()),
        currency: context.currency.and_then(|code| Currency::parse(code).ok()),
        decimal_mark: context.conventions.decimal_mark.map(|mark| match mark {
            DecimalMark::Point => crate::import::Mark::Point,
            DecimalMark::Comma => crate::import::Mark::Comma,
        }),
        date_order: context.conventions.day_order.map(|order| match order {
            DayOrder::DayFirst => crate::import::DateOrder::DayFirst,
            DayOrder::MonthFirst => crate::import::DateOrder::MonthFirst,
        }),
    }
}

/// Compares the entries of a file with each other and with the caller's own expenses. Those of others are not looked at.
pub async fn plan(context: &ToolContext<'_>, reading: Reading, ticks: &Ticks) -> Result<Import, ToolError> {
    let Reading { settings, mut guesses, columns, entries, mut rejections } = reading;
    let last_day = hints(context).today;
    let (mut rows, mut incoming) = (Vec::new(), Vec::new());
    let mut lacks_currency = false;
    for entry in entries {
        let Some(currency) = entry.currency.or(settings.currency) else {
            lacks_currency = true;
            rejections.push(rejected(&entry, "no currency is known".into()));
            continue;
        };
        match row(&entry, currency, last_day, context) {
            Ok(row) if row.expense.money.minor < 0 => incoming.push(row),
            Ok(row) => rows.push(row),
            Err(reason) => rejections.push(rejected(&entry, reason)),
        }
    }
    if lacks_currency {
        guesses.push(Guess { setting: "currency", why: "neither the file nor a setting names the currency".into() });
    }
    rejections.put_in_order_of(|rejection| rejection.line);
    let (stored, is_complete) = Stored::read(context, &rows).await?;
    stored.mark(&mut rows);
    tick(&mut rows, &incoming, ticks)?;
    let columns = json!(columns);
    Ok(Import { settings, guesses, columns, rows, incoming, rejections, is_partly_compared: !is_complete })
}

fn rejected(entry: &Entry, reason: String) -> Rejection {
    let text = format!("{} {} {}", entry.date, entry.name, entry.amount);
    Rejection { line: entry.line, text: text.chars().take(ITEM_CHARS).collect(), reason }
}

fn row(entry: &Entry, currency: Currency, last_day: Date, context: &ToolContext<'_>) -> Result<Row, String> {
    let money = Money::parse(&entry.amount, currency).map_err(|error| error.to_string())?;
    if entry.date > last_day {
        return Err(format!("{} is in the future", entry.date));
    }
    if entry.date < jiff::civil::date(1970, 1, 1) {
        return Err("it is before 1970".into());
    }
    let (item, notes) = texts(entry)?;
    let lines = lines(&entry.parts, money)?;
    let given = entry.category.as_deref().map_or(Ok(None), expense::category)?.filter(|_| lines.is_empty());
    let known = || remembered(&item, context).filter(|_| lines.is_empty());
    let offered = if given.is_none() { known() } else { None };
    let bank_id = entry.bank_id.as_deref().map(plain).filter(|id| !id.is_empty());
    let bank_id = bank_id.map(|id| if id.chars().count() > BANK_ID_CHARS { hash_text(&id) } else { id });
    let is_remembered = offered.is_some();
    let expense = Expense { item, money, date: entry.date, category: given.or(offered), notes, lines, bank_id };
    Ok(Row { line: entry.line, expense, is_remembered, duplicate: None, is_included: true })
}

/// The name and the notes. A long name is continued in the notes.
fn texts(entry: &Entry) -> Result<(String, Option<String>), String> {
    let (name, notes) = (plain(&entry.name), entry.notes.as_deref().map(plain).unwrap_or_default());
    let (item, notes) = if name.chars().count() > ITEM_CHARS {
        let both = if notes.is_empty() { name.clone() } else { format!("{name} · {notes}") };
        (cut(&name, ITEM_CHARS), both)
    } else {
        (name, notes)
    };
    Ok((expense::item(&item).map_err(|_| "there is no name")?, expense::notes(&cut(&notes, NOTES_CHARS))?))
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most { text.to_owned() } else { text.chars().take(most - 1).chain(['…']).collect() }
}

fn lines(parts: &[Part], total: Money) -> Result<Vec<Line>, String> {
    let line = |part: &Part| {
        let minor = Money::parse(&part.amount, total.currency).map_err(|error| error.to_string())?.minor;
        let category = expense::category(&part.category)?.ok_or("a part has no category")?;
        Ok(Line { minor, category, note: part.note.as_deref().map_or(Ok(None), expense::notes)? })
    };
    let lines: Vec<Line> = parts.iter().map(line).collect::<Result<_, String>>()?;
    let is_possible = lines.is_empty()
        || total.minor < 0
        || lines.len() > 1 && lines.iter().all(|line| line.minor > 0) && sum(&lines) == i128::from(total.minor);
    if is_possible { Ok(lines) } else { Err("its parts do not add up to its amount".into()) }
}

fn sum(lines: &[Line]) -> i128 {
    lines.iter().map(|line| i128::from(line.minor)).sum()
}

/// What two rows must have in common to be the same, beside a similar name.
type Key = (Date, i64, Currency);

/// Expenses by what identifies them.
#[derive(Default)]
struct Stored {
    similar: HashMap<Key, Vec<Known>>,
    by_bank_id: HashMap<(String, i64), Duplicate>,
}

struct Known {
    words: String,
    bank_id: Option<String>,
    place: Duplicate,
}

impl Stored {
    /// The caller's expenses on the days of the file, and whether these are all.
    async fn read(context: &ToolContext<'_>, rows: &[Row]) -> Result<(Stored, bool), ToolError> {
        let mut stored = Stored::default();
        let days = || rows.iter().map(|row| row.expense.date);
        let (Some(from), Some(to)) = (days().min(), days().max()) else { return Ok((stored, true)) };
        let query = ListQuery {
            kind: KIND,
            among: Among::All,
            from,
            to,
            conditions: vec![],
            limit: usize::MAX,
            after: None,
            oldest_first: false,
        };
        let own = context.caller.user().as_str();
        let mut read = |row: Excerpt| {
            if row.owner == own {
                stored.add_stored(&row);
            }
        };
        let is_complete = context.store.each_of(&query, PAGES, &mut read).await?;
        Ok((stored, is_complete))
    }

    fn add_stored(&mut self, row: &Excerpt) {
        let text = |name: &str| row.body.get(name).and_then(Value::as_str);
        let minor = row.body.get("minor").and_then(Value::as_i64);
        let currency = text("currency").and_then(|code| Currency::parse(code).ok());
        let (Some(item), Some(minor), Some(currency)) = (text("item"), minor, currency) else { return };
        self.add((row.date, minor, currency), item, text(BANK_ID), Duplicate::Stored(row.id));
    }

    fn add(&mut self, key: Key, item: &str, bank_id: Option<&str>, place: Duplicate) {
        let bank_id = bank_id.map(str::to_owned);
        if let Some(id) = &bank_id {
            self.by_bank_id.entry((id.clone(), key.1)).or_insert(place);
        }
        self.similar.entry(key).or_default().push(Known { words: words(item), bank_id, place });
    }

    /// Marks each row that is stored, or that is in the file before.
    fn mark(mut self, rows: &mut [Row]) {
        for row in rows {
            let Expense { item, money, date, bank_id, .. } = &row.expense;
            let key = (*date, money.minor, money.currency);
            row.duplicate = self.find(key, item, bank_id.as_deref());
            row.is_included = row.duplicate.is_none();
            self.add(key, item, bank_id.as_deref(), Duplicate::Line(row.line));
        }
    }

    /// Rows with different identifiers of a bank are different.
    fn find(&self, key: Key, item: &str, bank_id: Option<&str>) -> Option<Duplicate> {
        let same = bank_id.and_then(|id| self.by_bank_id.get(&(id.to_owned(), key.1)));
        let words = words(item);
        let similar = || {
            let known = self.similar.get(&key)?.iter().find(|known| {
                let are_told_apart = bank_id.is_some() && known.bank_id.is_some();
                !are_told_apart && are_similar(&known.words, &words)
            });
            known.map(|known| known.place)
        };
        same.copied().or_else(similar)
    }
}

/// One has the other's words, they share a long word, or they are nearly the same letters.
fn are_similar(one: &str, other: &str) -> bool {
    let has_long_word = |word: &str| word.chars().count() > 3 && other.contains(&format!(" {word} "));
    one.contains(other)
        || other.contains(one)
        || one.split_whitespace().any(has_long_word)
        || strsim::jaro_winkler(one.trim(), other.trim()) >= SIMILAR
}

fn tick(rows: &mut [Row], incoming: &[Row], ticks: &Ticks) -> Result<(), ToolError> {
    for line in ticks.include.union(&ticks.exclude) {
        if ticks.include.contains(line) && incoming.iter().any(|row| row.line == *line) {
            let text = format!("line {line} is money that came in, and only what was spent is recorded. Leave it out");
            return Err(ToolError::Refused(text));
        }
        if !rows.iter().chain(incoming).any(|row| row.line == *line) {
            return Err(ToolError::Refused(format!("line {line} is no row of the file. Leave it out")));
        }
    }
    for row in rows {
        row.is_included = (row.is_included || ticks.include.contains(&row.line)) && !ticks.exclude.contains(&row.line);
    }
    Ok(())
}

impl Import {
    /// The new expenses of the rows that are included.
    pub fn drafts(&self, owner: &str) -> Vec<Draft> {
        self.included().map(|row| row.expense.draft(owner)).collect()
    }

    /// What must be corrected or confirmed before anything is proposed.
    pub fn open_settings(&self) -> &[Guess] {
        &self.guesses
    }

    fn included(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.is_included)
    }

    fn left_out(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| !row.is_included)
    }

    /// For a page: rows from a place in the list on, and what is left out.
    pub fn view(&self, from: usize) -> Value {
        let mut view = json!({
            "settings": self.settings,
            "guesses": self.guesses,
            "columns": self.columns,
            "rows": self.rows.iter().skip(from).take(SHOWN).map(row_view).collect::<Vec<_>>(),
            "rowCount": self.rows.len(),
            "count": self.included().count(),
            "totals": totals(self.included()),
            "duplicates": self.rows.iter().filter(|row| row.duplicate.is_some()).count(),
            "incoming": {
                "count": self.incoming.len(),
                "totals": totals(self.incoming.iter()),
                "rows": self.incoming.iter().take(SHOWN).map(row_view).collect::<Vec<_>>(),
            },
            "rejected": { "count": self.rejections.len(), "rows": self.rejections.iter().take(SHOWN).collect::<Vec<_>>() },
        });
        if from + SHOWN < self.rows.len() {
            view["next"] = json!(from + SHOWN);
        }
        if self.is_partly_compared {
            view["partlyCompared"] = true.into();
        }
        view
    }

    /// What is told before the proposal: what of the file is not in it.
    pub fn lead(&self, file: &str, style: Style) -> String {
        let is_duplicate = |row: &&Row| row.duplicate.is_some();
        let duplicates = self.left_out().filter(is_duplicate).count();
        let unticked = self.left_out().count() - duplicates;
        let came_in: Vec<String> =
            sums(self.incoming.iter()).into_iter().map(|(unit, sum)| amount(unit, -sum, style).1).collect();
        let count = |n: usize, one: &str, many: &str| match n {
            0 => None,
            1 => Some(format!("1 {one}")),
            n => Some(format!("{n} {many}")),
        };
        let left_out = [
            count(duplicates, "that may be there already", "that may be there already"),
            count(unticked, "that you left out", "that you left out"),
            count(self.incoming.len(), "amount that came in", "amounts that came in")
                .map(|text| format!("{text} ({})", came_in.join(", "))),
            count(self.rejections.len(), "line that I cannot read", "lines that I cannot read"),
        ];
        let left_out: Vec<String> = left_out.into_iter().flatten().collect();
        let all = if left_out.is_empty() { String::new() } else { format!(" Not included: {}.", left_out.join("; ")) };
        let compared =
            if self.is_partly_compared { " There were too many expenses to look for all duplicates." } else { "" };
        let found = count(self.rows.len(), "expense", "expenses").unwrap_or_else(|| "no expenses".into());
        format!("“{file}” has {found}.{all}{compared}\n\n")
    }
}

fn sums<'r>(rows: impl Iterator<Item = &'r Row>) -> BTreeMap<&'static str, i128> {
    let mut sums = BTreeMap::new();
    for Row { expense: Expense { money, .. }, .. } in rows {
        *sums.entry(money.currency.code()).or_insert(0) += i128::from(money.minor);
    }
    sums
}

fn totals<'r>(rows: impl Iterator<Item = &'r Row>) -> Vec<Value> {
    let total = |(unit, sum)| json!({ "currency": unit, "amount": amount(unit, sum, Style::default()).0 });
    sums(rows).into_iter().map(total).collect()
}

fn row_view(row: &Row) -> Value {
    let Expense { item, money, date, category, notes, lines, bank_id } = &row.expense;
    let mut view = json!({
        "line": row.line,
        "date": date,
        "item": item,
        "money": { "amount": money.decimal(), "currency": money.currency.code() },
        "category": category,
        "notes": notes,
        "included": row.is_included && money.minor > 0,
    });
    if !lines.is_empty() {
        view["lines"] = line_rows(lines, money.currency);
    }
    if let Some(id) = bank_id {
        view[BANK_ID] = json!(id);
    }
    if row.is_remembered {
        view["remembered"] = true.into();
    }
    match row.duplicate {
        Some(Duplicate::Stored(id)) => view["duplicate"] = json!({ "id": id }),
        Some(Duplicate::Line(line)) => view["duplicate"] = json!({ "line": line }),
        None => {}
    }
    view
}

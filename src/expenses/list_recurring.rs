//! `list_recurring`: the recurring expenses and their next due days, or what falls due in some days.

use std::collections::BTreeMap;

use jiff::{ToSpan, civil::Date};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{
    arguments::refused,
    budget::Period,
    expense_text::listed,
    filters::nothing_in_common,
    get_balance::totals,
    listing,
    lookup::told_apart,
    periods::when,
    recurring::{KIND, Recurring, RecurringKind, is_called},
    sums::Sum,
    voice,
};
use crate::{
    phrases::{Class, DateError, DateRange},
    proposal::Record,
    sorted::Sort,
    tool::{
        Owners, Query, QueryResult, Rendering, StateUpdates, ToolContext, ToolError, listing::first_lines, shown_row,
        whose::WHOSE,
    },
};

/// How far ahead due days are told.
const YEARS: i16 = 5;

/// Due days that are named although they are not counted.
const PAST: usize = 5;

/// The expenses that repeat every week, month or year, and when each is due next; or what falls due in some days, and
/// what that comes to.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListRecurring {
    /// Only those with all these words in their names: "rent".
    pub item: Option<String>,
    /// Only what falls due in these days, also to come: the person's words ("next month"), YYYY-MM, or
    /// YYYY-MM-DD..YYYY-MM-DD.
    pub range: Option<String>,
    /// "me", "everyone", or a member's name; absent if the person did not say.
    pub whose: Option<String>,
}

impl Query for ListRecurring {
    const NAME: &'static str = "list_recurring";

    fn status(&self, _: &ToolContext<'_>) -> String {
        "Looking at your recurring entries…".to_owned()
    }

    async fn run(self, context: &ToolContext<'_>) -> Result<QueryResult, ToolError> {
        let Some(owners) = Owners::resolve(self.whose.as_deref(), context)? else { return Ok(nothing_in_common()) };
        let range = self.range.map(|range| due_range(&range, context)).transpose()?;
        let all: Vec<&Record> =
            context.preferences_of(KIND).filter(|record| owners.includes(&record.draft.owner)).collect();
        let named = self.item.map(|item| told_apart(&item)).filter(|name| !name.is_empty());
        let is_named = |record: &&Record| named.as_ref().is_none_or(|name| is_called(record, name));
        let mut entries: Vec<&Record> = all.iter().copied().filter(is_named).collect();
        let unknown = named.filter(|_| entries.is_empty() && !all.is_empty());
        if unknown.is_some() {
            entries = all;
        }
        let listing = Entries { entries, owners, context };
        let mut result = match range.filter(|range| *range != DateRange::ALL) {
            Some(range) if !listing.entries.is_empty() => listing.due(range),
            _ => listing.all(),
        };
        if let Some(name) = unknown {
            let others = result.summary_for_llm;
            result.summary_for_llm =
                format!("There is no recurring expense “{}”. The others:\n{others}", name.join(" "));
        }
        Ok(result)
    }
}

/// The days that are meant. Days to come are likelier than past ones: "December" said in November is the coming one.
fn due_range(text: &str, context: &ToolContext<'_>) -> Result<DateRange, ToolError> {
    let today = context.today;
    let range = match context.reader().resolve_range(text) {
        Ok(range) if range.to < today => coming(text, range).unwrap_or(range),
        Ok(range) => range,
        Err(DateError::Ambiguous { text, options }) => match options.iter().find(|day| **day >= today) {
            Some(day) => DateRange::day(*day),
            None => return Err(refused(DateError::Ambiguous { text, options })),
        },
        Err(error) => return Err(refused(error)),
    };
    let last = today.saturating_add(YEARS.years());
    if range != DateRange::ALL && range.to > last {
        return Err(ToolError::Refused(format!("I can tell what is due in the next {YEARS} years. Name fewer days")));
    }
    Ok(range)
}

/// The coming days of the same name, if the words are only a month or a weekday.
fn coming(text: &str, DateRange { from, to }: DateRange) -> Option<DateRange> {
    let text = text.to_lowercase();
    let (lead, word) = text.rsplit_once(' ').unwrap_or(("", &text));
    let is_led = lead.is_empty() || ["on", "by", "im", "am", "en"].contains(&lead) || Class::BeforeMonth.contains(lead);
    let step = match word {
        month if Class::Month.contains(month) => 1.year(),
        day if Class::Weekday.contains(day) => 1.week(),
        _ => return None,
    };
    let moved = |day: Date| if day == DateRange::ALL.from { Ok(day) } else { day.checked_add(step) };
    DateRange::new(moved(from).ok()?, moved(to).ok()?).filter(|_| is_led)
}

struct Entries<'a> {
    entries: Vec<&'a Record>,
    owners: Owners,
    context: &'a ToolContext<'a>,
}

impl Entries<'_> {
    fn all(&self) -> QueryResult {
        let style = self.context.style();
        let lines = self.entries.iter().map(|record| RecurringKind.describe(&record.draft, style) + &self.by(record));
        let text = match self.entries.len() {
            0 if self.owners.owner().is_some_and(|owner| !self.owners.is_callers(owner)) => {
                format!("There are no recurring expenses {}.", self.owners.described().unwrap_or_default())
            }
            0 => "You have no recurring expenses yet. To add one, say “rent 950 every month”. For what was paid already, say \
                  “show subscription expenses”."
                .to_owned(),
            _ => {
                let each_month = self.each_month().map(|sums| format!("\nTogether {} a month.", voice::amounts(&sums, style)));
                first_lines(lines, listing::SUMMARY_PREFERENCES) + &each_month.unwrap_or_default()
            }
        };
        self.result(text, &self.entries)
    }

    /// What falls due in these days.
    fn due(&self, days: DateRange) -> QueryResult {
        let style = self.context.style();
        let (mut due, mut past) = (Vec::new(), Vec::new());
        for record in &self.entries {
            let Some(entry) = Recurring::of(&record.draft) else { continue };
            for day in entry.due_days(days) {
                let list = if day < entry.next { &mut past } else { &mut due };
                list.push((day, *record, entry.clone()));
            }
        }
        let in_order =
            |list: &mut Vec<(Date, &Record, Recurring)>| list.put_in_order_of(|(day, record, _)| (*day, record.id));
        in_order(&mut due);
        in_order(&mut past);
        let mut sums: BTreeMap<&str, Sum> = BTreeMap::new();
        for (day, record, entry) in &due {
            let sum = Sum::of_one(entry.money.minor, *day, self.owners.is_callers(&record.draft.owner));
            sums.entry(entry.money.currency.code()).or_default().add(sum);
        }
        let when = when(days, style.days);
        let headline = match due.len() {
            0 if days.to < self.context.today => {
                format!("Nothing is due {when} any more. For what was paid, say “show expenses {when}”.")
            }
            0 => format!("Nothing is due {when}."),
            1 => format!("Due {when}: {}.", voice::amounts(&sums, style)),
            n => format!("Due {when}: {} in {n} payments.", voice::amounts(&sums, style)),
        };
        let line = |(day, record, entry): &(Date, &Record, Recurring)| {
            let money = entry.money.written(style.money);
            format!("- {}: “{}”, {money}{}", style.days.written(*day), entry.item, self.by(record))
        };
        let lines = first_lines(due.iter().map(line), listing::SUMMARY_PREFERENCES);
        let named = past.iter().map(|(day, _, entry)| format!("“{}” on {}", entry.item, style.days.written(*day)));
        let more = past.len().saturating_sub(PAST);
        let named = named.take(PAST).chain((more > 0).then(|| format!("{more} more"))).collect();
        let past = (!past.is_empty() && days.from > DateRange::ALL.from)
            .then(|| format!("(Not open any more, so not counted: {}.)", listed(named)));
        let parts = [Some(headline), Some(lines), past].into_iter().flatten().filter(|part| !part.is_empty());
        let text = parts.collect::<Vec<_>>().join("\n");
        let entries: Vec<&Record> =
            self.entries.iter().copied().filter(|record| due.iter().any(|(_, due, _)| due.id == record.id)).collect();
        let mut result = self.result(text, &entries);
        result.state_updates = result.state_updates.with_field("totals", totals(&sums, &self.owners));
        result
    }

    /// The days are no filter that was applied: a page would look for expenses in them.
    fn result(&self, text: String, entries: &[&Record]) -> QueryResult {
        QueryResult {
            count: entries.len(),
            summary_for_llm: text,
            rows: entries.iter().map(|record| shown_row(&RecurringKind, record)).collect(),
            state_updates: StateUpdates {
                preferences: entries.iter().map(|record| RecurringKind.row(record)).collect(),
                detected_filters: self.owners.detected().map(|whose| json!({ WHOSE: whose })),
                ..StateUpdates::default()
            },
            ..QueryResult::default()
        }
    }

    /// ", by Anna": whose entry it is, if not all are the caller's.
    fn by(&self, record: &Record) -> String {
        let is_callers = |record: &Record| self.owners.is_callers(&record.draft.owner);
        match &record.draft.owner {
            _ if self.entries.iter().all(|record| is_callers(record)) => String::new(),
            _ if is_callers(record) => ", by you".to_owned(),
            owner => format!(", by {}", self.context.members.label(owner)),
        }
    }

    /// What several entries come to in every month. None if it differs from month to month.
    fn each_month(&self) -> Option<BTreeMap<&str, Sum>> {
        let in_a_month = self.context.today.saturating_add(1.month());
        let mut sums: BTreeMap<&str, Sum> = BTreeMap::new();
        for record in &self.entries {
            let entry = Recurring::of(&record.draft)?;
            if entry.every != Period::Month || entry.until.is_some() || entry.next > in_a_month {
                return None;
            }
            let sum = Sum::of_one(entry.money.minor, entry.next, true);
            sums.entry(entry.money.currency.code()).or_default().add(sum);
        }
        (self.entries.len() > 1).then_some(sums)
    }
}

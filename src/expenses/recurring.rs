//! Expenses that repeat every week, month or year. An expense is proposed when it is due, and written only after a yes.
//!
//! The change set that adds or skips a due expense also moves `next` to the following due day. If two people approve
//! the same day, the version check lets only one of them succeed.

use jiff::{ToSpan, civil::Date};
use serde_json::{Map, Value, json};

use super::{
    arguments::edited_money,
    budget::Period,
    category_preference::category_from_name,
    expense::{self, Expense, words},
    note_text,
    spoken_facts::{SpokenFacts, by_the_period},
};
use crate::{
    money::{Currency, Money},
    phrases::{DateRange, Hedge, Style},
    proposal::{Body, Change, Draft, Note, Operation, Record},
    tool::{DueItem, Editing, Grounding, Preferences, RecordKind, Rendering, Schedule, ToolContext, ToolError},
};

/// Prefix of the record keys.
pub const KIND: &str = "MR";

pub struct RecurringKind;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recurring {
    pub item: String,
    pub money: Money,
    pub category: Option<String>,
    pub every: Period,
    /// Due days are counted from here. In a month without a 31st the due day is the last day.
    pub start: Date,
    /// The next due day that nobody has approved or skipped.
    pub next: Date,
    /// The last possible due day, inclusive.
    pub until: Option<Date>,
}

impl RecordKind for RecurringKind {
    fn prefix(&self) -> &'static str {
        KIND
    }

    fn name(&self) -> &'static str {
        "recurring"
    }

    fn noun(&self, count: usize) -> &'static str {
        if count == 1 { "recurring entry" } else { "recurring entries" }
    }

    fn grounding(&self) -> Option<&dyn Grounding> {
        Some(self)
    }

    fn editing(&self) -> Option<&dyn Editing> {
        Some(self)
    }

    fn schedule(&self) -> Option<&dyn Schedule> {
        Some(self)
    }

    fn preferences(&self) -> Option<&dyn Preferences> {
        Some(self)
    }
}

impl Rendering for RecurringKind {
    fn describe(&self, draft: &Draft, style: Style) -> String {
        let Some(entry) = Recurring::of(draft) else { return "a recurring entry that I cannot read".into() };
        let category = entry.category.map(|category| format!(", in {category}")).unwrap_or_default();
        let until = entry.until.map(|until| format!(" until {}", style.days.written(until))).unwrap_or_default();
        let Recurring { item, money, every, start, next, .. } = entry;
        let on = match (every, start.day()) {
            (Period::Month, day @ 29..) => format!(" on day {day}, or on the last day of a shorter month,"),
            _ => String::new(),
        };
        format!(
            "“{item}”, {} every {}{on} from {}{until}{category}",
            money.written(style.money),
            every.word(),
            style.days.written(next)
        )
    }

    fn describe_change(&self, before: &Draft, after: &Draft, style: Style) -> String {
        let (Some(before), Some(after)) = (Recurring::of(before), Recurring::of(after)) else {
            return "a recurring entry that I cannot read".into();
        };
        let none = || "none".to_owned();
        let until = |entry: &Recurring| entry.until.map_or_else(none, |until| style.days.written(until));
        let fields = [
            ("amount", before.money.written(style.money), after.money.written(style.money)),
            ("category", before.category.clone().unwrap_or_else(none), after.category.clone().unwrap_or_else(none)),
            ("next on", style.days.written(before.next), style.days.written(after.next)),
            ("until", until(&before), until(&after)),
        ];
        let changes = fields.into_iter().filter(|(_, before, after)| before != after);
        changes.map(|(name, before, after)| format!("{name} {before} → {after}")).collect::<Vec<_>>().join(", ")
    }

    fn row(&self, record: &Record) -> Value {
        let Some(entry) = Recurring::of(&record.draft) else {
            return json!({ "kind": "recurring", "id": record.id, "version": record.version });
        };
        json!({
            "kind": "recurring",
            "id": record.id,
            "item": entry.item,
            "money": { "amount": entry.money.decimal(), "currency": entry.money.currency.code() },
            "category": entry.category,
            "every": entry.every,
            "next": entry.next,
            "until": entry.until,
            "version": record.version,
        })
    }

    fn title(&self, draft: &Draft) -> Option<String> {
        Recurring::of(draft).map(|entry| entry.item)
    }

    fn note(&self, note: &Note, style: Style) -> Option<String> {
        note_in_words(note, style).or_else(|| note_text::of_expense(note, style))
    }
}

fn note_in_words(note: &Note, style: Style) -> Option<String> {
    let every = || note_text::read::<Period>(&note.value).map(Period::word);
    let day = || note_text::read::<Date>(&note.value).map(|day| style.days.written(day));
    Some(match (&*note.field, &*note.why.code) {
        ("every", "") => format!("how often, every {}", every()?),
        ("every", "once") => format!("that it recurs, every {}", every()?),
        ("next", "") => format!("the first day, {}", day()?),
        ("next", "past") => format!("that the first one is on {}", day()?),
        ("until", "") => format!("the last day, {}", day()?),
        _ => return None,
    })
}

fn assumed(field: &str, value: impl Into<Value>) -> Note {
    Note::assumed(KIND, field, value)
}

impl Editing for RecurringKind {
    fn has_form(&self) -> bool {
        false
    }

    fn edited(&self, draft: &Draft, fields: Map<String, Value>, context: &ToolContext<'_>) -> Result<Draft, ToolError> {
        let unreadable = || ToolError::Refused("I cannot read this recurring entry".into());
        let before = Recurring::of(draft).ok_or_else(unreadable)?;
        Ok(Recurring { money: edited_money(before.money, &fields, context)?, ..before }.draft(&draft.owner))
    }
}

impl Grounding for RecurringKind {
    /// Name, amount, category, period and first day must come from the person.
    fn unsupported(&self, changes: &[Change], context: &ToolContext<'_>) -> Vec<Note> {
        let by_period = by_the_period(context);
        let context = &ToolContext { user_messages: &by_period, ..*context };
        let mut said = SpokenFacts { kind: KIND, ..SpokenFacts::new(context, changes.len() > 1) };
        let mut unsupported = Vec::new();
        for change in changes {
            let Some(entry) = Recurring::of(change.draft()) else { continue };
            let existing = match change {
                Change::Update { before, .. } => Recurring::of(&before.draft),
                _ => None,
            };
            let name = words(&entry.item);
            // "That's every month", of the expense that was just shown.
            let expense = context.only_row_shown(expense::KIND).filter(|row| {
                matches!(change, Change::Create(_)) && row.name.as_deref().is_some_and(|own| words(own) == name)
            });
            let is_meant = || expense.is_some() || context.is_of_row_shown(change);
            if !name.split_whitespace().any(|word| said.is_said(word)) && !is_meant() {
                unsupported.push(assumed("item", &*entry.item));
            }
            if !matches!(change, Change::Delete { .. }) {
                let says_a_price =
                    context.user_messages.last().is_some_and(|text| !context.reader().amounts(text).is_empty());
                let has_its_price = !says_a_price
                    && expense.is_some_and(|row| {
                        row.amount == Some(entry.money.minor)
                            && row.unit.as_deref() == Some(entry.money.currency.code())
                    });
                let mut doubts = Vec::new();
                check_repetition(&entry, existing.as_ref(), &mut said, &mut doubts);
                doubts.retain(|note| note.field != "amount" || !has_its_price);
                unsupported.extend(doubts);
                check_days(&entry, existing.as_ref(), context, &mut unsupported);
                let known = existing.and_then(|existing| existing.category);
                let category = entry.category.filter(|category| known.as_ref() != Some(category));
                if let Some(category) = category.filter(|category| !said.is_said(category)) {
                    unsupported.push(assumed("category", category));
                }
            }
        }
        unsupported
    }
}

impl Preferences for RecurringKind {
    /// Moving to the next due day is a side effect of adding the expense.
    fn side_effect(&self, operation: &Operation, style: Style) -> Option<String> {
        match operation {
            Operation::Update { before, after } => {
                let (before, after) = (Recurring::of(&before.draft)?, Recurring::of(&after.draft)?);
                let moved = Recurring { next: after.next, ..before.clone() };
                let when = style.days.written(after.next);
                match moved == after {
                    true if after.next > before.next => Some(format!("ask again on {when}")),
                    true => Some(format!("ask about “{}” of {when} again", after.item)),
                    false => None,
                }
            }
            Operation::Delete { before } => {
                let is_last = Recurring::of(&before.draft)?.following().is_none();
                is_last.then(|| "not ask again".into())
            }
            Operation::Create { .. } => None,
        }
    }

    fn still_applies(&self, _: &Draft, rows: &[&Draft]) -> bool {
        rows.iter().any(|row| Expense::of(row).is_some())
    }
}

impl Schedule for RecurringKind {
    /// Asks about one due day at a time, the oldest first, and asks only the owner.
    fn due_item(&self, record: &Record, context: &ToolContext<'_>) -> Option<DueItem> {
        let entry = Recurring::of(&record.draft)?;
        let ended = entry.until.is_some_and(|until| until < entry.next);
        let theirs = record.draft.owner == context.caller.user().as_str() && context.caller.may_add();
        if entry.next > context.today || ended || !theirs {
            return None;
        }
        let moved_on = match entry.following() {
            Some(next) => {
                let after = Recurring { next, ..entry.clone() }.draft(&record.draft.owner);
                Change::Update { before: record.clone(), after }
            }
            None => Change::Delete { before: record.clone() },
        };
        let when = if entry.next == context.today {
            "today".to_owned()
        } else {
            format!("since {}", context.style().days.written(entry.next))
        };
        let Recurring { item, money, category, next: date, .. } = entry;
        let (item, category) = match category {
            None => category_from_name(item, context),
            filed => (item, filed),
        };
        let lead = format!("“{item}” is due {when}.");
        let expense = Expense { item, money, date, category, notes: None, lines: vec![], bank_id: None };
        Some(DueItem { changes: vec![Change::Create(expense.draft(&record.draft.owner)), moved_on], lead, on: date })
    }
}

/// Whether the name of a recurring expense contains all these words.
pub fn is_called(record: &Record, telling: &[impl AsRef<str>]) -> bool {
    let name = Recurring::of(&record.draft).map(|entry| words(&entry.item)).unwrap_or_default();
    telling.iter().all(|word| name.contains(&format!(" {} ", word.as_ref())))
}

/// Recurring expenses whose names contain all these words: if there are some that the caller may change, only these.
pub fn with_words<'a>(telling: &[impl AsRef<str>], context: &'a ToolContext<'_>) -> Vec<&'a Record> {
    let fits = |record: &&Record| is_called(record, telling);
    let (own, others): (Vec<_>, Vec<_>) =
        context.preferences_of(KIND).filter(fits).partition(|record| context.caller.may_change(&record.draft.owner));
    if own.is_empty() { others } else { own }
}

/// The amount, the period, and that the message is about a repeated expense at all.
fn check_repetition(
    entry: &Recurring,
    existing: Option<&Recurring>,
    said: &mut SpokenFacts<'_>,
    unsupported: &mut Vec<Note>,
) {
    if existing.is_none_or(|existing| existing.money != entry.money) {
        unsupported.extend(said.match_amount(entry.money, None));
    }
    if existing.is_some() {
        return;
    }
    if !entry.every.spoken().any(|word| said.is_said(word)) {
        unsupported.push(assumed("every", json!(entry.every)));
    }
    let name = words(&entry.item);
    // "Weekly shop 60" may be this week's expense only.
    let names_it = |text: &String| {
        let (text, first) = (words(text), name.split_whitespace().next().unwrap_or_default());
        let mut adjectives = entry.every.spoken().filter(|word| word.ends_with("ly"));
        // "Gym 30 a month" may be this month's expense only.
        let is_rate = ["a", "per"].iter().any(|of| text.contains(&format!(" {of} {} ", entry.every.word())));
        is_rate || adjectives.any(|word| text.contains(&format!(" {word} {first} ")))
    };
    let messages = said.context.user_messages;
    if messages.iter().any(names_it) {
        unsupported.push(assumed("every", json!(entry.every)).because("once"));
    }
    let reader = said.context.reader();
    let unspent = messages.iter().find_map(|text| {
        let mut hedges = reader.hedges(text).into_iter();
        hedges.find(|found| found.hedge == Hedge::NotSpent).map(|found| text[found.span].to_owned())
    });
    if let Some(word) = unspent {
        unsupported.push(assumed("item", &*entry.item).because("not_spent").said(word));
    }
}

/// Checks the first and the last due day.
fn check_days(entry: &Recurring, existing: Option<&Recurring>, context: &ToolContext<'_>, unsupported: &mut Vec<Note>) {
    let stands = existing.is_some_and(|existing| existing.next == entry.next);
    let said_day = stands || days(context, &STARTING).any(|day| entry.every.falls_on(day, entry.next));
    if entry.next != context.today && !said_day {
        unsupported.push(assumed("next", json!(entry.next)));
    }
    // The person named a first day in the past, so the next due day was calculated.
    let is_past = |day| day < context.today && day != entry.next;
    if existing.is_none() && days(context, &STARTING).all(is_past) && says_since(context) {
        unsupported.push(assumed("next", json!(entry.next)).because("past"));
    }
    let until = entry.until.filter(|_| existing.is_none_or(|existing| existing.until != entry.until));
    if let Some(until) = until.filter(|until| !is_said_end(context, *until)) {
        unsupported.push(assumed("until", json!(until)));
    }
}

/// "Since 1 September".
fn says_since(context: &ToolContext<'_>) -> bool {
    const SINCE: [&str; 9] = ["starting", "started", "beginning", "since", "from", "ab", "seit", "depuis", "desde"];
    let said = words(&context.user_messages.join(" "));
    SINCE.iter().any(|word| said.contains(&format!(" {word} "))) && days(context, &STARTING).next().is_some()
}

const STARTING: [&str; 6] = ["every", "each", "starting", "beginning", "from", "since"];
const UNTIL: [&str; 7] = ["every", "each", "until", "till", "bis", "hasta", "jusqu'au"];

/// All days that the person may mean. "Every month" makes a day ambiguous elsewhere, but not here.
fn days<'a>(context: &'a ToolContext<'_>, beside: &'a [&str]) -> impl Iterator<Item = Date> + 'a {
    let periods: Vec<&str> = [Period::Week, Period::Month, Period::Year].into_iter().flat_map(Period::spoken).collect();
    let mentions = context.user_messages.iter().flat_map(move |text| {
        let repeats = |word: &&str| {
            let word = word.to_lowercase();
            beside.contains(&word.as_str()) || periods.contains(&word.as_str())
        };
        let rest: Vec<&str> = text.split_whitespace().filter(|word| !repeats(word)).collect();
        context.reader().dates(&rest.join(" "))
    });
    mentions.flat_map(|mention| mention.reading.days().to_vec())
}

/// "until 31 December", "until the end of 2027".
fn is_said_end(context: &ToolContext<'_>, until: Date) -> bool {
    let ranges = |text: &String| context.reader().ranges(text).into_iter().any(|found| found.range.to == until);
    context.user_messages.iter().any(ranges) || days(context, &UNTIL).any(|day| day == until)
}

/// The arguments of a tool that point at this entry.
pub(super) fn pointer(record: &Record) -> Value {
    Recurring::of(&record.draft).map_or(Value::Null, |entry| json!({ "item": entry.item, "every": entry.every }))
}

impl Recurring {
    pub fn of(draft: &Draft) -> Option<Recurring> {
        if draft.kind != KIND {
            return None;
        }
        let text = |name: &str| draft.body.get(name).and_then(Value::as_str).map(str::to_owned);
        let date = |name: &str| text(name)?.parse().ok();
        Some(Recurring {
            item: text("item")?,
            money: Money {
                minor: draft.body.get("minor")?.as_i64()?,
                currency: Currency::parse(&text("currency")?).ok()?,
            },
            category: text("category"),
            every: serde_json::from_value(draft.body.get("every")?.clone()).ok()?,
            start: date("start")?,
            next: date("next")?,
            until: date("until"),
        })
    }

    pub fn draft(&self, owner: &str) -> Draft {
        let mut body = Body::from([
            ("item".to_owned(), json!(self.item)),
            ("minor".to_owned(), json!(self.money.minor)),
            ("currency".to_owned(), json!(self.money.currency.code())),
            ("every".to_owned(), json!(self.every)),
            ("start".to_owned(), json!(self.start)),
            ("next".to_owned(), json!(self.next)),
        ]);
        body.extend(self.category.as_ref().map(|category| ("category".to_owned(), json!(category))));
        body.extend(self.until.map(|until| ("until".to_owned(), json!(until))));
        // The owner is last, because only it can contain the separator.
        let unique_key = Some(format!("{}|{}|{owner}", self.every.word(), words(&self.item)));
        Draft { kind: KIND.into(), owner: owner.into(), body, date: self.start, unique_key, ..Draft::default() }
    }

    /// The due days within these days, also those before `next`, which are not open any more.
    pub fn due_days(&self, days: DateRange) -> impl Iterator<Item = Date> {
        let last = self.until.map_or(days.to, |until| until.min(days.to));
        let falls = self.every.counted_from(self.start).skip_while(move |day| *day < days.from);
        falls.take_while(move |day| *day <= last)
    }

    /// The due day after `next`. None after the last one.
    fn following(&self) -> Option<Date> {
        let following = self.every.first_after(self.start, self.next)?;
        self.until.is_none_or(|until| following <= until).then_some(following)
    }
}

impl Period {
    /// All due days, from `start` on.
    fn counted_from(self, start: Date) -> impl Iterator<Item = Date> {
        let nth = move |n: i32| match self {
            Period::Week => start.checked_add(n.weeks()),
            Period::Month => start.checked_add(n.months()),
            Period::Year => start.checked_add(n.years()),
        };
        (0..).map_while(move |n| nth(n).ok())
    }

    /// The first due day after `day`, counted from `start`.
    fn first_after(self, start: Date, day: Date) -> Option<Date> {
        self.counted_from(start).find(|date| *date > day)
    }

    /// The first due day from today on, counted from `start`.
    pub fn first_from(self, start: Date, today: Date) -> Option<Date> {
        self.first_after(start, today.yesterday().ok()?)
    }

    /// Whether `day` is a due day, counted from `start`.
    fn falls_on(self, start: Date, day: Date) -> bool {
        let ahead = start.checked_add(1.year()).ok();
        [Some(start), ahead].into_iter().flatten().any(|start| self.first_from(start, day) == Some(day))
    }
}

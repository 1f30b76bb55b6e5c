//! Budgets: how much may be spent in a week, a month or a year, in one category or in all.
//!
//! What is spent and left is not stored. It is calculated from rollups on each request.

use std::collections::BTreeMap;

use jiff::{ToSpan, civil::Date};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{
    arguments::edited_money,
    expense, note_text,
    spoken_facts::{SpokenFacts, by_the_period},
};
use crate::{
    money::{Currency, Money},
    phrases::{
        Class, DateRange, Reader, Style,
        frequency::{self, Unit},
        plurals::{are_alike, forms},
        upper_first,
    },
    proposal::{Body, Change, Draft, Note, Record, Rollup, RollupKey},
    tool::{
        Editing, Grounding, Preferences, RecordKind, Rendering, SumStatus, ToolContext, ToolError, Watch, WatchedSums,
    },
};

/// Prefix of the record keys.
pub const KIND: &str = "MB";

pub struct BudgetKind;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    /// None: all expenses.
    pub category: Option<String>,
    pub period: Period,
    pub money: Money,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Period {
    /// From Monday to Sunday.
    Week,
    Month,
    Year,
}

impl RecordKind for BudgetKind {
    fn prefix(&self) -> &'static str {
        KIND
    }

    fn name(&self) -> &'static str {
        "budget"
    }

    fn noun(&self, count: usize) -> &'static str {
        if count == 1 { "budget" } else { "budgets" }
    }

    fn grounding(&self) -> Option<&dyn Grounding> {
        Some(self)
    }

    fn editing(&self) -> Option<&dyn Editing> {
        Some(self)
    }

    fn watch(&self) -> Option<&dyn Watch> {
        Some(self)
    }

    fn preferences(&self) -> Option<&dyn Preferences> {
        Some(self)
    }
}

impl Rendering for BudgetKind {
    fn describe(&self, draft: &Draft, style: Style) -> String {
        match Budget::of(draft) {
            Some(Budget { category, period, money }) => {
                let what = category.map_or("for everything".into(), |category| format!("for {category}"));
                format!("the budget {what}, {} a {}", money.written(style.money), period.word())
            }
            None => "a budget that I cannot read".into(),
        }
    }

    fn describe_change(&self, before: &Draft, after: &Draft, style: Style) -> String {
        match (Budget::of(before), Budget::of(after)) {
            (Some(before), Some(after)) => {
                format!("amount {} → {}", before.money.written(style.money), after.money.written(style.money))
            }
            _ => "a budget that I cannot read".into(),
        }
    }

    fn title(&self, draft: &Draft) -> Option<String> {
        Budget::of(draft)?.category
    }

    fn note(&self, note: &Note, style: Style) -> Option<String> {
        note_in_words(note, style).or_else(|| note_text::of_expense(note, style))
    }

    fn row(&self, record: &Record) -> Value {
        let Some(Budget { category, period, money }) = Budget::of(&record.draft) else {
            return json!({ "kind": "budget", "id": record.id, "version": record.version });
        };
        json!({
            "kind": "budget",
            "id": record.id,
            "category": category,
            "period": period,
            "money": { "amount": money.decimal(), "currency": money.currency.code() },
            "version": record.version,
        })
    }
}

fn note_in_words(note: &Note, style: Style) -> Option<String> {
    Some(match (&*note.field, &*note.why.code) {
        ("budget", "period") => {
            let period = note_text::read::<Period>(&note.value["period"])?.word();
            format!("the period, {} a {period}", note_text::money(&note.value)?.written(style.money))
        }
        ("category", "") => format!("what the budget is for, {}", note.value.as_str()?),
        _ => return None,
    })
}

impl Preferences for BudgetKind {}

impl Editing for BudgetKind {
    fn has_form(&self) -> bool {
        false
    }

    fn edited(&self, draft: &Draft, fields: Map<String, Value>, context: &ToolContext<'_>) -> Result<Draft, ToolError> {
        let unreadable = || ToolError::Refused("I cannot read this budget".into());
        let before = Budget::of(draft).ok_or_else(unreadable)?;
        Ok(Budget { money: edited_money(before.money, &fields, context)?, ..before }.draft(&draft.owner, draft.date))
    }
}

impl Grounding for BudgetKind {
    /// Amount, category and period must come from the person.
    fn unsupported(&self, changes: &[Change], context: &ToolContext<'_>) -> Vec<Note> {
        let by_period = by_the_period(context);
        let context = &ToolContext { user_messages: &by_period, ..*context };
        let mut said = SpokenFacts { kind: KIND, ..SpokenFacts::new(context, changes.len() > 1) };
        let mut unsupported = Vec::new();
        for change in changes {
            let Some(budget) = Budget::of(change.draft()) else { continue };
            if !matches!(change, Change::Delete { .. }) {
                let step = match change {
                    Change::Update { before, .. } => Budget::of(&before.draft).and_then(|before| before.step(&budget)),
                    _ => None,
                };
                let unsaid = said.match_amount(budget.money, None);
                let is_step = step.is_some_and(|(by, way)| {
                    said.match_amount(by, None).is_none() && way.iter().any(|word| said.is_said(word))
                });
                unsupported.extend(unsaid.filter(|_| !is_step));
            }
            let others = context.preferences_of(KIND).filter_map(|record| Budget::of(&record.draft));
            let same = others.filter(|other| other.category == budget.category);
            // If the category has one budget only, a change needs no period.
            let is_only = !matches!(change, Change::Create(_)) && same.count() == 1;
            if !is_only && !budget.period.spoken().any(|word| said.is_said(word)) {
                let Budget { money, period, .. } = &budget;
                let value = json!({ "minor": money.minor, "currency": money.currency.code(), "period": period });
                unsupported.push(Note::assumed(KIND, "budget", value).because("period"));
            }
            let is_said = |category: &str| {
                forms(category).iter().any(|form| said.is_said(form)) || context.is_of_row_shown(change)
            };
            if let Some(category) = budget.category.filter(|category| !is_said(category)) {
                unsupported.push(Note::assumed(KIND, "category", category));
            }
        }
        unsupported
    }
}

impl Watch for BudgetKind {
    fn watched_sums(&self, draft: &Draft, today: Date) -> Option<WatchedSums> {
        let Budget { category, period, money } = Budget::of(draft)?;
        let DateRange { from, to } = period.around(today);
        Some(WatchedSums { kind: expense::KIND, from, to, unit: money.currency.code().into(), group: category })
    }

    fn status(
        &self,
        record: &Record,
        rollups: &BTreeMap<RollupKey, Rollup>,
        caller: &str,
        reader: Reader,
    ) -> Option<SumStatus> {
        let budget = Budget::of(&record.draft)?;
        let (range, style) = (budget.period.around(reader.today), reader.conventions.style);
        let written = |money: Money| money.written(style.money);
        let watched = self.watched_sums(&record.draft, reader.today)?;
        let (spent, own) = (watched.sum(rollups), watched.part_of(caller, rollups));
        let own = own.and_then(|own| Some(Money { minor: i64::try_from(own).ok()?, ..budget.money }));
        let spent = Money { minor: i64::try_from(spent).ok()?, ..budget.money };
        let left = Money { minor: budget.money.minor.checked_sub(spent.minor)?, ..budget.money };
        let name = budget.category.as_deref().map_or("Everything".to_owned(), upper_first);
        let rest = match left.minor {
            0 => "nothing left".to_owned(),
            1.. => format!("{} left", written(left)),
            _ => format!("{} over", written(Money { minor: -left.minor, ..left })),
        };
        let (spent_of, whole) = (written(spent), written(budget.money));
        let yours = own.map(|own| format!(" (you {})", written(own))).unwrap_or_default();
        let line = format!("{name}: {spent_of}{yours} of {whole} this {}, {rest}.", budget.period.word());
        let mut view = self.row(record);
        view["spent"] = json!(spent.decimal());
        if let Some(own) = own {
            view["own"] = json!(own.decimal());
        }
        view["left"] = json!(left.decimal());
        view["from"] = json!(range.from);
        view["to"] = json!(range.to);
        view["daysLeft"] = json!(range.to.since(reader.today).map_or(0, |span| span.get_days()) + 1);
        Some(SumStatus { line, field: "budgets", view })
    }
}

/// The category of a budget: "grocery" means groceries if there is a budget for these.
pub fn category_of_budget(said: String, context: &ToolContext<'_>) -> String {
    let known = || context.preferences_of(KIND).filter_map(|record| Budget::of(&record.draft)?.category);
    if known().any(|category| category == said) {
        return said;
    }
    let is_alike = |category: &str| are_alike(category, &said);
    let usual = || {
        Class::CommonCategory
            .all()
            .iter()
            .find(|(category, _)| is_alike(category))
            .map(|(category, _)| (*category).to_owned())
    };
    known().find(|category| is_alike(category)).or_else(usual).unwrap_or(said)
}

const MORE: &[&str] = &[
    "more", "extra", "another", "additional", "add", "up", "increase", "raise", "bump", "boost", "extend", "plus",
    "mehr", "erhöhe", "erhöhen", "ajoute", "augmente", "augmenter", "más", "añade", "sube", "aumenta",
];
const LESS: &[&str] = &[
    "less", "off", "down", "lower", "reduce", "decrease", "cut", "shrink", "drop", "take", "remove", "subtract",
    "deduct", "minus", "weniger", "senke", "senken", "kürze", "moins", "réduis", "baisse", "menos", "baja",
];

impl Budget {
    pub fn of(draft: &Draft) -> Option<Budget> {
        let text = |name: &str| draft.body.get(name).and_then(Value::as_str).map(str::to_owned);
        Some(Budget {
            category: text("category"),
            period: serde_json::from_value(draft.body.get("period")?.clone()).ok()?,
            money: Money {
                minor: draft.body.get("minor")?.as_i64()?,
                currency: Currency::parse(&text("currency")?).ok()?,
            },
        })
    }

    /// The difference to the other budget, and words for "more" or "less".
    fn step(&self, other: &Budget) -> Option<(Money, &'static [&'static str])> {
        let minor = other.money.minor.checked_sub(self.money.minor)?;
        let way = if minor > 0 { MORE } else { LESS };
        let by = Money { minor: minor.checked_abs()?, ..self.money };
        (self.money.currency == other.money.currency).then_some((by, way))
    }

    pub fn draft(&self, owner: &str, today: Date) -> Draft {
        let mut body = Body::from([
            ("period".to_owned(), json!(self.period)),
            ("minor".to_owned(), json!(self.money.minor)),
            ("currency".to_owned(), json!(self.money.currency.code())),
        ]);
        body.extend(self.category.as_ref().map(|category| ("category".to_owned(), json!(category))));
        let unique_key = Some(format!("{}|{}", self.period.word(), self.category.as_deref().unwrap_or_default()));
        Draft { kind: KIND.into(), owner: owner.into(), body, date: today, unique_key, ..Draft::default() }
    }
}

impl Period {
    pub fn word(self) -> &'static str {
        match self {
            Period::Week => "week",
            Period::Month => "month",
            Period::Year => "year",
        }
    }

    /// Words for the period.
    pub fn spoken(self) -> impl Iterator<Item = &'static str> {
        frequency::spoken(match self {
            Period::Week => Unit::Week,
            Period::Month => Unit::Month,
            Period::Year => Unit::Year,
        })
    }

    /// The period that contains a day.
    pub fn around(self, day: Date) -> DateRange {
        let (from, to) = match self {
            Period::Week => {
                let monday = day.saturating_sub(i64::from(day.weekday().to_monday_zero_offset()).days());
                (monday, monday.saturating_add(6.days()))
            }
            Period::Month => (day.first_of_month(), day.last_of_month()),
            Period::Year => (day.first_of_year(), day.last_of_year()),
        };
        DateRange { from, to }
    }
}

/// "until 30 Nov 2026, 11 days"
pub fn time_left(view: &Value, style: Style) -> String {
    let until = view["to"].as_str().and_then(|to| to.parse().ok()).map(|to| style.days.written(to)).unwrap_or_default();
    let days = view["daysLeft"].as_i64().unwrap_or_default();
    format!("until {until}, {days} {}", if days == 1 { "day" } else { "days" })
}

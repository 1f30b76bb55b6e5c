//! What a person's answer settled once and for all: the currency that is meant where none is named, and how they write
//! numbers and days that can be read in two ways.
//!
//! It is remembered with the expense that was asked about, shown beside it, and undone with it. The currency can also be
//! set in words.

use serde_json::{Value, json};

use super::{
    expense::{Expense, words},
    filing::{remembering, require_room},
    grounding::may_be,
};
use crate::{
    money::{Currency, Money},
    phrases::{CurrencyMention, DateReading, DayOrder, DecimalMark, Reader, Reading, SharedSign, Style},
    proposal::{Body, Change, Draft, Note, Operation, Record},
    store::Settings,
    tool::{RecordKind, ToolContext, ToolError},
};

/// The prefix of its keys.
pub const KIND: &str = "MS";

pub struct PreferenceKind;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Preference {
    Currency(Currency),
    /// Of several that are written so, the one that is meant.
    Sign(SharedSign, Currency),
    DecimalMark(DecimalMark),
    DayOrder(DayOrder),
}

impl RecordKind for PreferenceKind {
    fn prefix(&self) -> &'static str {
        KIND
    }

    fn noun(&self, count: usize) -> &'static str {
        if count == 1 { "setting" } else { "settings" }
    }

    fn describe(&self, draft: &Draft, _: Style) -> String {
        match Preference::of(draft) {
            Some(Preference::Currency(currency)) => format!("{currency} as your currency"),
            Some(Preference::Sign(sign, currency)) => format!("“{sign}” as {currency}"),
            Some(Preference::DecimalMark(DecimalMark::Point)) => {
                "that you write a point before decimals: 1,234 is 1234".into()
            }
            Some(Preference::DecimalMark(DecimalMark::Comma)) => {
                "that you write a comma before decimals: 1.234 is 1234".into()
            }
            Some(Preference::DayOrder(DayOrder::DayFirst)) => "that you write the day first: 3/4 is 3 April".into(),
            Some(Preference::DayOrder(DayOrder::MonthFirst)) => "that you write the month first: 3/4 is March 4".into(),
            None => "a setting that I cannot read".into(),
        }
    }

    fn describe_change(&self, _: &Draft, after: &Draft, style: Style) -> String {
        self.describe(after, style)
    }

    fn row(&self, record: &Record) -> Value {
        let mut row = json!({ "kind": "setting", "id": record.id, "version": record.version });
        let Some(preference) = Preference::of(&record.draft) else { return row };
        row["kind"] = json!(preference.name());
        if let Some(fields) = row.as_object_mut() {
            fields.extend(preference.body());
        }
        row
    }

    /// It only ever comes from the person's own words, or says that it does not.
    fn doubts(&self, _: &[Change], _: &ToolContext<'_>) -> Vec<Note> {
        vec![]
    }

    fn aside(&self, operation: &Operation, style: Style) -> Option<String> {
        Some(remembering(self, operation, style))
    }

    fn learned(&self, changes: &[Change], context: &ToolContext<'_>) -> Vec<Change> {
        let created = changes.iter().filter_map(|change| match change {
            Change::Create(draft) => Expense::of(draft),
            _ => None,
        });
        let mut learned: Vec<Preference> = Vec::new();
        for expense in created {
            let currency = answered_currency(context).filter(|answer| expense.money.currency == *answer);
            let found = [
                // Who has a currency, and is asked which "$" this was, has not said another one.
                currency.filter(|_| context.currency.is_none()).map(Preference::Currency),
                currency
                    .filter(|_| context.currency.is_some())
                    .and_then(|answer| Some(Preference::Sign(answered_sign(&expense, context)?, answer))),
                answered_mark(&expense, context).map(Preference::DecimalMark),
                answered_order(&expense, context).map(Preference::DayOrder),
            ];
            let stands = |preference: &Preference| {
                let known = context.remembered(KIND).filter_map(|record| Preference::of(&record.draft));
                known.into_iter().any(|known| known == *preference)
            };
            for preference in found.into_iter().flatten().filter(|preference| !stands(preference)) {
                if !learned.iter().any(|known| known.name() == preference.name()) {
                    learned.push(preference);
                }
            }
        }
        learned.into_iter().map(|preference| Change::Create(preference.draft(context))).collect()
    }

    fn belongs(&self, learned: &Draft, rows: &[&Draft]) -> bool {
        let mut spent = rows.iter().filter_map(|row| Expense::of(row));
        match Preference::of(learned) {
            Some(Preference::Currency(currency) | Preference::Sign(_, currency)) => {
                spent.any(|expense| expense.money.currency == currency)
            }
            _ => spent.next().is_some(),
        }
    }

    fn set(&self, draft: &Draft, settings: &mut Settings) {
        match Preference::of(draft) {
            Some(Preference::Currency(currency)) => settings.currency = Some(currency.code().to_owned()),
            Some(Preference::Sign(sign, currency)) => settings.signs.push((sign, currency)),
            Some(Preference::DecimalMark(mark)) => settings.decimal_mark = Some(mark),
            Some(Preference::DayOrder(order)) => settings.day_order = Some(order),
            None => {}
        }
    }
}

impl Preference {
    fn of(draft: &Draft) -> Option<Preference> {
        if let Some(sign) = draft.body.get("sign") {
            let means = draft.body.get("means")?.as_str()?;
            return Some(Preference::Sign(SharedSign::named(sign.as_str()?)?, Currency::parse(means).ok()?));
        }
        let (name, value) = draft.body.iter().next()?;
        Some(match (name.as_str(), value.as_str()?) {
            ("currency", code) => Preference::Currency(Currency::parse(code).ok()?),
            ("decimalMark", "point") => Preference::DecimalMark(DecimalMark::Point),
            ("decimalMark", "comma") => Preference::DecimalMark(DecimalMark::Comma),
            ("dayOrder", "dayFirst") => Preference::DayOrder(DayOrder::DayFirst),
            ("dayOrder", "monthFirst") => Preference::DayOrder(DayOrder::MonthFirst),
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Preference::Currency(_) => "currency",
            Preference::Sign(..) => "sign",
            Preference::DecimalMark(_) => "decimalMark",
            Preference::DayOrder(_) => "dayOrder",
        }
    }

    fn body(self) -> Body {
        let value = match self {
            Preference::Sign(sign, currency) => {
                return Body::from(
                    [("sign", sign.as_str()), ("means", currency.code())]
                        .map(|(name, value)| (name.to_owned(), json!(value))),
                );
            }
            Preference::Currency(currency) => currency.code(),
            Preference::DecimalMark(DecimalMark::Point) => "point",
            Preference::DecimalMark(DecimalMark::Comma) => "comma",
            Preference::DayOrder(DayOrder::DayFirst) => "dayFirst",
            Preference::DayOrder(DayOrder::MonthFirst) => "monthFirst",
        };
        Body::from([(self.name().to_owned(), json!(value))])
    }

    fn draft(self, context: &ToolContext<'_>) -> Draft {
        Draft {
            kind: KIND.into(),
            owner: context.caller.user().as_str().into(),
            body: self.body(),
            date: context.today,
            rollups: vec![],
            likeness: None,
        }
    }
}

/// It is what is meant from now on.
pub fn currency(currency: Currency, context: &ToolContext<'_>) -> Result<Change, ToolError> {
    let draft = Preference::Currency(currency).draft(context);
    let is_currency = |record: &&Record| matches!(Preference::of(&record.draft), Some(Preference::Currency(_)));
    match context.remembered(KIND).rfind(is_currency) {
        Some(before) if before.draft.body == draft.body => {
            Err(ToolError::Refused(format!("your currency is already {currency}")))
        }
        Some(before) if !context.caller.may_change(&before.draft.owner) => {
            let text = "someone else set the currency. Ask them or an administrator to change it";
            Err(ToolError::Forbidden(text.into()))
        }
        Some(before) => {
            let after = Draft { owner: before.draft.owner.clone(), date: before.draft.date, ..draft };
            Ok(Change::Update { before: before.clone(), after })
        }
        None => require_room(context).map(|()| Change::Create(draft)),
    }
}

/// The currency that the last message names and nothing else, as an answer does.
pub fn answered_currency(context: &ToolContext<'_>) -> Option<Currency> {
    const AROUND: [&str; 8] = ["in", "it", "its", "was", "were", "is", "all", "please"];
    let [_, .., answer] = context.said else { return None };
    let spoken = words(answer);
    let name = spoken.split_whitespace().filter(|word| !AROUND.contains(word)).collect::<Vec<_>>().join(" ");
    if let Ok(currency) = Currency::parse(&name) {
        return Some(currency);
    }
    let sign = if name.is_empty() { answer.trim() } else { name.as_str() };
    match context.reader().currency(sign) {
        CurrencyMention::Known(currency) => Some(currency),
        _ => None,
    }
}

/// What several currencies share, and stood beside the amount that the currency was asked for.
fn answered_sign(expense: &Expense, context: &ToolContext<'_>) -> Option<SharedSign> {
    let mentions = asked(context).iter().flat_map(|text| context.reader().amounts(text));
    mentions.filter(|mention| may_be(&mention.reading, expense.money)).find_map(|mention| match &mention.currency {
        CurrencyMention::Ambiguous(any) => SharedSign::of(any).filter(|_| any.contains(&expense.money.currency)),
        _ => None,
    })
}

/// The mark with which alone an amount, that could be read in two ways, is the one that it was said to be.
fn answered_mark(expense: &Expense, context: &ToolContext<'_>) -> Option<DecimalMark> {
    let is_it = |reading: &Reading| match reading {
        Reading::Exact(amount) => Money::parse(amount, expense.money.currency) == Ok(expense.money),
        Reading::Ambiguous(_) => false,
    };
    let fits = |mark: Option<DecimalMark>| {
        let conventions = context.conventions.with_marks(mark, None);
        let reader = Reader { conventions, ..context.reader() };
        asked(context).iter().flat_map(|text| reader.amounts(text)).any(|mention| is_it(&mention.reading))
    };
    // Who is known to write otherwise has slipped, and changed nothing.
    only(fits, [DecimalMark::Point, DecimalMark::Comma]).filter(|_| context.conventions.decimal_mark.is_none())
}

/// The same of its day.
fn answered_order(expense: &Expense, context: &ToolContext<'_>) -> Option<DayOrder> {
    let fits = |order: Option<DayOrder>| {
        let conventions = context.conventions.with_marks(None, order);
        let reader = Reader { conventions, ..context.reader() };
        let mut days = asked(context).iter().flat_map(|text| reader.dates(text));
        days.any(|mention| mention.reading == DateReading::On(expense.date))
    };
    only(fits, [DayOrder::DayFirst, DayOrder::MonthFirst]).filter(|_| context.conventions.day_order.is_none())
}

/// What it fits with, if it does with just one of the two, and not with neither.
fn only<T: Copy>(fits: impl Fn(Option<T>) -> bool, [one, other]: [T; 2]) -> Option<T> {
    match (fits(None), fits(Some(one)), fits(Some(other))) {
        (false, true, false) => Some(one),
        (false, false, true) => Some(other),
        _ => None,
    }
}

/// What was said before the answer.
fn asked<'a>(context: &ToolContext<'a>) -> &'a [String] {
    context.said.split_last().map_or(&[], |(_, before)| before)
}

//! Settings that follow from a person's answer: the currency of amounts without one, and how to read ambiguous numbers,
//! days and signs.
//!
//! A setting is saved, shown and undone together with the expense that the question was about. The currency can also be
//! set by a message.

use serde_json::{Value, json};

use super::{
    category_preference::{describe_side_effect, require_capacity},
    expense::Expense,
    spoken_facts::{answered_currency, can_mean},
};
use crate::{
    money::{Currency, Money},
    phrases::{CurrencyMention, DateReading, DayOrder, DecimalMark, Reader, Reading, SharedSign, Style},
    proposal::{Body, Change, Draft, Note, Operation, Record},
    tool::{Preferences, ReadingPreferences, RecordKind, Rendering, ToolContext, ToolError},
};

/// Prefix of the record keys.
pub const KIND: &str = "MS";

pub struct SettingKind;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Setting {
    Currency(Currency),
    /// The currency meant by a sign that several currencies share.
    Sign(SharedSign, Currency),
    DecimalMark(DecimalMark),
    DayOrder(DayOrder),
}

impl RecordKind for SettingKind {
    fn prefix(&self) -> &'static str {
        KIND
    }

    fn name(&self) -> &'static str {
        "setting"
    }

    fn noun(&self, count: usize) -> &'static str {
        if count == 1 { "setting" } else { "settings" }
    }

    fn preferences(&self) -> Option<&dyn Preferences> {
        Some(self)
    }
}

impl Rendering for SettingKind {
    fn describe(&self, draft: &Draft, _: Style) -> String {
        match Setting::of(draft) {
            Some(Setting::Currency(currency)) => format!("{currency} as your currency"),
            Some(Setting::Sign(sign, currency)) => format!("“{sign}” as {currency}"),
            Some(Setting::DecimalMark(DecimalMark::Point)) => {
                "that you write a point before decimals: 1,234 is 1234".into()
            }
            Some(Setting::DecimalMark(DecimalMark::Comma)) => {
                "that you write a comma before decimals: 1.234 is 1234".into()
            }
            Some(Setting::DayOrder(DayOrder::DayFirst)) => "that you write the day first: 3/4 is 3 April".into(),
            Some(Setting::DayOrder(DayOrder::MonthFirst)) => "that you write the month first: 3/4 is March 4".into(),
            None => "a setting that I cannot read".into(),
        }
    }

    fn describe_change(&self, _: &Draft, after: &Draft, style: Style) -> String {
        self.describe(after, style)
    }

    fn note(&self, note: &Note, _: Style) -> Option<String> {
        let given = note.value.as_str().filter(|_| note.why.code == "given")?;
        Some(format!("amounts in this app stay in {given}, because the app sets that itself"))
    }

    fn row(&self, record: &Record) -> Value {
        let mut row = json!({ "kind": "setting", "id": record.id, "version": record.version });
        let Some(setting) = Setting::of(&record.draft) else { return row };
        row["kind"] = json!(setting.name());
        if let Some(fields) = row.as_object_mut() {
            fields.extend(setting.body());
        }
        row
    }
}

impl Preferences for SettingKind {
    fn side_effect(&self, operation: &Operation, style: Style) -> Option<String> {
        Some(describe_side_effect(self, operation, style))
    }

    fn infer(&self, changes: &[Change], context: &ToolContext<'_>) -> Vec<Change> {
        let created = changes.iter().filter_map(|change| match change {
            Change::Create(draft) => Expense::of(draft),
            _ => None,
        });
        let mut inferred: Vec<Setting> = Vec::new();
        for expense in created {
            let currency = answered_currency(context).filter(|answer| expense.money.currency == *answer);
            let found = [
                // If a default currency is set, the answer to "which $?" does not change it.
                currency.filter(|_| context.currency.is_none()).map(Setting::Currency),
                currency
                    .filter(|_| context.currency.is_some())
                    .and_then(|answer| Some(Setting::Sign(answered_sign(&expense, context)?, answer))),
                answered_mark(&expense, context).map(Setting::DecimalMark),
                answered_order(&expense, context).map(Setting::DayOrder),
            ];
            let stands = |setting: &Setting| {
                let known = context.preferences_of(KIND).filter_map(|record| Setting::of(&record.draft));
                known.into_iter().any(|known| known == *setting)
            };
            for setting in found.into_iter().flatten().filter(|setting| !stands(setting)) {
                if !inferred.iter().any(|known| known.unique_key() == setting.unique_key()) {
                    inferred.push(setting);
                }
            }
        }
        let change = |setting: Setting| match setting.known(context) {
            None => Some(Change::Create(setting.draft(context))),
            // A setting of another user stays as it is.
            Some(before) => context.caller.may_change(&before.draft.owner).then(|| setting.update(before, context)),
        };
        inferred.into_iter().filter_map(change).collect()
    }

    fn still_applies(&self, preference: &Draft, rows: &[&Draft]) -> bool {
        let mut spent = rows.iter().filter_map(|row| Expense::of(row));
        match Setting::of(preference) {
            Some(Setting::Currency(currency) | Setting::Sign(_, currency)) => {
                spent.any(|expense| expense.money.currency == currency)
            }
            _ => spent.next().is_some(),
        }
    }

    fn apply(&self, draft: &Draft, reading: &mut ReadingPreferences) {
        match Setting::of(draft) {
            Some(Setting::Currency(currency)) => reading.currency = Some(currency.code().to_owned()),
            Some(Setting::Sign(sign, currency)) => reading.signs.push((sign, currency)),
            Some(Setting::DecimalMark(mark)) => reading.decimal_mark = Some(mark),
            Some(Setting::DayOrder(order)) => reading.day_order = Some(order),
            None => {}
        }
    }
}

impl Setting {
    fn of(draft: &Draft) -> Option<Setting> {
        if let Some(sign) = draft.body.get("sign") {
            let means = draft.body.get("means")?.as_str()?;
            return Some(Setting::Sign(SharedSign::named(sign.as_str()?)?, Currency::parse(means).ok()?));
        }
        let (name, value) = draft.body.iter().next()?;
        Some(match (name.as_str(), value.as_str()?) {
            ("currency", code) => Setting::Currency(Currency::parse(code).ok()?),
            ("decimalMark", "point") => Setting::DecimalMark(DecimalMark::Point),
            ("decimalMark", "comma") => Setting::DecimalMark(DecimalMark::Comma),
            ("dayOrder", "dayFirst") => Setting::DayOrder(DayOrder::DayFirst),
            ("dayOrder", "monthFirst") => Setting::DayOrder(DayOrder::MonthFirst),
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Setting::Currency(_) => "currency",
            Setting::Sign(..) => "sign",
            Setting::DecimalMark(_) => "decimalMark",
            Setting::DayOrder(_) => "dayOrder",
        }
    }

    /// A sign has one meaning, and of the others there is one each.
    fn unique_key(self) -> String {
        match self {
            Setting::Sign(sign, _) => format!("{}|{}", self.name(), sign.as_str()),
            _ => self.name().to_owned(),
        }
    }

    fn body(self) -> Body {
        let value = match self {
            Setting::Sign(sign, currency) => {
                return Body::from(
                    [("sign", sign.as_str()), ("means", currency.code())]
                        .map(|(name, value)| (name.to_owned(), json!(value))),
                );
            }
            Setting::Currency(currency) => currency.code(),
            Setting::DecimalMark(DecimalMark::Point) => "point",
            Setting::DecimalMark(DecimalMark::Comma) => "comma",
            Setting::DayOrder(DayOrder::DayFirst) => "dayFirst",
            Setting::DayOrder(DayOrder::MonthFirst) => "monthFirst",
        };
        Body::from([(self.name().to_owned(), json!(value))])
    }

    /// The stored setting that this one replaces.
    fn known<'a>(self, context: &'a ToolContext<'_>) -> Option<&'a Record> {
        let key = self.unique_key();
        context.preferences_of(KIND).rfind(|record| record.draft.unique_key.as_ref() == Some(&key))
    }

    fn update(self, before: &Record, context: &ToolContext<'_>) -> Change {
        let Draft { owner, date, .. } = before.draft.clone();
        Change::Update { before: before.clone(), after: Draft { owner, date, ..self.draft(context) } }
    }

    fn draft(self, context: &ToolContext<'_>) -> Draft {
        Draft {
            kind: KIND.into(),
            owner: context.caller.user().as_str().into(),
            body: self.body(),
            date: context.today,
            unique_key: Some(self.unique_key()),
            ..Draft::default()
        }
    }
}

/// Sets the default currency.
pub fn currency(currency: Currency, context: &ToolContext<'_>) -> Result<Change, ToolError> {
    let setting = Setting::Currency(currency);
    match setting.known(context) {
        Some(before) if before.draft.body == setting.body() => {
            Err(ToolError::Refused(format!("your currency is already {currency}")))
        }
        Some(before) if !context.caller.may_change(&before.draft.owner) => {
            let text = "someone else set the currency. Ask them or an administrator to change it";
            Err(ToolError::Forbidden(text.into()))
        }
        Some(before) => Ok(setting.update(before, context)),
        None => require_capacity(context).map(|()| Change::Create(setting.draft(context))),
    }
}

/// The shared sign, like "$", beside the amount that the currency question was about.
fn answered_sign(expense: &Expense, context: &ToolContext<'_>) -> Option<SharedSign> {
    let mentions = earlier_messages(context).iter().flat_map(|text| context.reader().amounts(text));
    mentions.filter(|mention| can_mean(&mention.reading, expense.money)).find_map(|mention| match &mention.currency {
        CurrencyMention::Ambiguous(any) => SharedSign::of(any).filter(|_| any.contains(&expense.money.currency)),
        _ => None,
    })
}

/// The decimal mark that makes an ambiguous amount the one in the answer.
fn answered_mark(expense: &Expense, context: &ToolContext<'_>) -> Option<DecimalMark> {
    let is_it = |reading: &Reading| match reading {
        Reading::Exact(amount) => Money::parse(amount, expense.money.currency) == Ok(expense.money),
        Reading::Ambiguous(_) => false,
    };
    let fits = |mark: Option<DecimalMark>| {
        let conventions = context.conventions.with_marks(mark, None);
        let reader = Reader { conventions, ..context.reader() };
        earlier_messages(context).iter().flat_map(|text| reader.amounts(text)).any(|mention| is_it(&mention.reading))
    };
    // A different answer from a person with a known decimal mark is a slip and changes nothing.
    only_fitting(fits, [DecimalMark::Point, DecimalMark::Comma]).filter(|_| context.conventions.decimal_mark.is_none())
}

/// The day order that makes an ambiguous day the one in the answer.
fn answered_order(expense: &Expense, context: &ToolContext<'_>) -> Option<DayOrder> {
    let fits = |order: Option<DayOrder>| {
        let conventions = context.conventions.with_marks(None, order);
        let reader = Reader { conventions, ..context.reader() };
        let mut days = earlier_messages(context).iter().flat_map(|text| reader.dates(text));
        days.any(|mention| mention.reading == DateReading::On(expense.date))
    };
    only_fitting(fits, [DayOrder::DayFirst, DayOrder::MonthFirst]).filter(|_| context.conventions.day_order.is_none())
}

/// The only one of two options that fits. None if it also fits without an option.
fn only_fitting<T: Copy>(fits: impl Fn(Option<T>) -> bool, [one, other]: [T; 2]) -> Option<T> {
    match (fits(None), fits(Some(one)), fits(Some(other))) {
        (false, true, false) => Some(one),
        (false, false, true) => Some(other),
        _ => None,
    }
}

/// The messages before the answer.
fn earlier_messages<'a>(context: &ToolContext<'a>) -> &'a [String] {
    context.user_messages.split_last().map_or(&[], |(_, before)| before)
}

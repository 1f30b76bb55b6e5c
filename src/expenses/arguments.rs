//! Reads arguments that several tools share: the day and the currency of an amount.

use jiff::civil::Date;
use serde_json::{Map, Value};

use crate::{
    money::{Amount, Currency, Money},
    phrases::{CurrencyMention, DateError, upper_first},
    tool::{Question, ToolContext, ToolError},
};

/// The day of an expense. The error is a question if the day is ambiguous, impossible or in the future, and a refusal
/// before 1970.
pub(super) fn spent_on(text: &str, context: &ToolContext<'_>) -> Result<Date, ToolError> {
    let ask = |text: String, options: Vec<String>| {
        Err(ToolError::ask(Question { text, options, missing: vec!["date".into()], ..Question::default() }))
    };
    match context.reader().resolve_date(text) {
        Ok(date) if date > context.today => {
            ask(format!("{} is in the future. Which day was it?", context.style().days.written(date)), vec![])
        }
        Ok(date) if date < jiff::civil::date(1970, 1, 1) => {
            Err(ToolError::Refused("dates before 1970 are not possible. Say a later date".into()))
        }
        Ok(date) => Ok(date),
        Err(DateError::Ambiguous { options, .. }) => ask(
            "Which day do you mean?".into(),
            options.iter().map(|date| context.style().days.written(*date)).collect(),
        ),
        Err(DateError::Impossible(why)) => ask(format!("{}. Which day was it?", upper_first(&why)), vec![]),
        Err(error) => Err(ToolError::Refused(error.to_string())),
    }
}

pub(super) fn refused(error: impl std::fmt::Display) -> ToolError {
    ToolError::Refused(error.to_string())
}

/// The currency of the call, otherwise the one said beside one of the amounts, otherwise the default. Asks about a
/// shared sign like "$" if the default does not have this sign.
pub(super) fn currency(
    amounts: &[&Amount],
    named: Option<&str>,
    context: &ToolContext<'_>,
) -> Result<Currency, ToolError> {
    if let Some(code) = named {
        return Currency::parse(code).map_err(refused);
    }
    match currencies(amounts, context)? {
        CurrencyMention::Known(currency) => Ok(currency),
        CurrencyMention::Ambiguous(any) => Err(which_currency(&any)),
        CurrencyMention::None => Err(which_currency(&[Currency::GBP, Currency::EUR, Currency::USD])),
    }
}

/// What is said beside one of the amounts: the default, if it may be that one or nothing is said.
pub(super) fn currencies(amounts: &[&Amount], context: &ToolContext<'_>) -> Result<CurrencyMention, ToolError> {
    let is_meant = |text: &String| Amount::parse(text).is_ok_and(|said| amounts.contains(&&said));
    let default = context.currency.map(Currency::parse).transpose().map_err(refused)?;
    let mentions = context.user_messages.iter().rev().flat_map(|text| context.reader().amounts(text));
    let mut spoken = mentions.filter(|mention| mention.reading.all().iter().any(is_meant));
    Ok(match (spoken.next().map(|mention| mention.currency).unwrap_or(CurrencyMention::None), default) {
        (CurrencyMention::Ambiguous(any), Some(default)) if any.contains(&default) => CurrencyMention::Known(default),
        (CurrencyMention::None, Some(default)) => CurrencyMention::Known(default),
        (said, _) => said,
    })
}

fn which_currency(options: &[Currency]) -> ToolError {
    ToolError::ask(Question {
        text: "In which currency?".into(),
        options: options.iter().take(4).map(|currency| currency.code().to_owned()).collect(),
        missing: vec!["currency".into()],
        ..Question::default()
    })
}

/// The amount of a budget or of what goes on, edited while it waits. A number without a currency keeps the one before.
pub(super) fn edited_money(
    before: Money,
    fields: &Map<String, Value>,
    context: &ToolContext<'_>,
) -> Result<Money, ToolError> {
    let text = |name: &str| fields.get(name).and_then(Value::as_str);
    let is_other = |name: &String| !matches!(name.as_str(), "amount" | "currency");
    let Some(amount) = text("amount").filter(|_| !fields.keys().any(is_other)) else {
        return Err(ToolError::Refused("only the amount can be edited here. Say the rest again".into()));
    };
    let amount = Amount::parse(amount).map_err(refused)?;
    let context = ToolContext { currency: Some(before.currency.code()), ..*context };
    let currency = currency(&[&amount], text("currency"), &context)?;
    match amount.in_currency(currency).map_err(refused)? {
        money if money.minor > 0 => Ok(money),
        _ => Err(ToolError::Refused("the amount must be more than zero. Say how much it is".into())),
    }
}

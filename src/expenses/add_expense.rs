//! `add_expense`.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    category_preference::by_name,
    expense::{self, Expense},
    lines::{LineInput, split},
};
use crate::{
    money::{Amount, Currency, Money},
    phrases::{CurrencyMention, DateError, Reading, Style, upper_first},
    proposal::{Change, Note, NoteKind},
    tool::{Action, Plan, Question, ToolContext, ToolError},
};

/// Propose one new expense. For several, make one call for each, all in the same response.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AddExpense {
    /// What was bought, in the person's words.
    pub item: String,
    /// The exact decimal amount the person said, e.g. "12.50". For a split, the whole; the sum if only parts were said.
    pub amount: Amount,
    /// ISO 4217 code, only if the person named a currency.
    pub currency: Option<String>,
    /// YYYY-MM-DD or the person's words ("yesterday"); today if absent.
    pub date: Option<String>,
    /// Only if the person named one.
    pub category: Option<String>,
    /// Only if the person added a remark.
    pub notes: Option<String>,
    /// Only if the person split it over categories ("Tesco 50: food 30, the rest household"): all its parts. Then it has
    /// no category of its own.
    #[serde(default)]
    pub lines: Vec<LineInput>,
}

impl Action for AddExpense {
    const NAME: &'static str = "add_expense";

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        if !context.caller.may_add() {
            return Err(ToolError::Forbidden(
                "your role is viewer, so you can look but not add. Ask an administrator for another role".into(),
            ));
        }
        let spoken = std::iter::once(&self.amount).chain(self.lines.iter().flat_map(|line| &line.amount));
        let currency = currency(&spoken.collect::<Vec<_>>(), self.currency.as_deref(), context)?;
        let money = self.amount.in_currency(currency).map_err(refused)?;
        if money.minor <= 0 {
            return Err(ToolError::Refused("the amount must be more than zero. Say how much you paid".into()));
        }
        let category = self.category.as_deref().map_or(Ok(None), expense::category).map_err(refused)?;
        if !self.lines.is_empty() && category.is_some() {
            return Err(ToolError::Refused(SPLIT_AND_FILED.into()));
        }
        let date = self.date.as_deref().map_or(Ok(context.today), |date| spent_on(date, context))?;
        let item = expense::item(&self.item).map_err(refused)?;
        let is_filed = category.is_some() || !self.lines.is_empty();
        let (item, category) = if is_filed { (item, category) } else { by_name(item, context) };
        let expense = Expense {
            item,
            money,
            date,
            category,
            notes: self.notes.as_deref().map_or(Ok(None), expense::notes).map_err(refused)?,
            lines: match self.lines.as_slice() {
                [] => vec![],
                lines => split(lines, money, context.style())?,
            },
        };
        let notes = unusual(money, context.style()).into_iter().collect();
        let draft = expense.draft(context.caller.user().as_str());
        Ok(Plan { changes: vec![Change::Create(draft)], notes, ..Plan::default() })
    }
}

pub(super) const SPLIT_AND_FILED: &str =
    "an expense in parts has no category of its own. Give `lines` or `category`, not both";

/// The day an expense was made: not ambiguous, not impossible, not in the future.
pub(super) fn spent_on(text: &str, context: &ToolContext<'_>) -> Result<Date, ToolError> {
    let ask = |text: String, options: Vec<String>| {
        Err(ToolError::Ask(Question { text, options, missing: vec!["date".into()] }))
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

/// The currency named in the call, else the one said beside one of the amounts, else the default. "$5" is asked about where the
/// default is no dollar.
pub(super) fn currency(
    amounts: &[&Amount],
    named: Option<&str>,
    context: &ToolContext<'_>,
) -> Result<Currency, ToolError> {
    let is_meant = |text: &String| Amount::parse(text).is_ok_and(|said| amounts.contains(&&said));
    if let Some(code) = named {
        return Currency::parse(code).map_err(refused);
    }
    let default = context.currency.map(Currency::parse).transpose().map_err(refused)?;
    let mentions = context.user_messages.iter().rev().flat_map(|text| context.reader().amounts(text));
    let mut spoken = mentions.filter(|mention| match &mention.reading {
        Reading::Exact(text) => is_meant(text),
        Reading::Ambiguous(texts) => texts.iter().any(is_meant),
    });
    match (spoken.next().map(|mention| mention.currency), default) {
        (Some(CurrencyMention::Known(currency)), _) => Ok(currency),
        (Some(CurrencyMention::Ambiguous(any)), Some(default)) if any.contains(&default) => Ok(default),
        (Some(CurrencyMention::Ambiguous(any)), _) => Err(which_currency(&any)),
        (_, Some(default)) => Ok(default),
        (_, None) => Err(which_currency(&[Currency::GBP, Currency::EUR, Currency::USD])),
    }
}

fn which_currency(options: &[Currency]) -> ToolError {
    ToolError::Ask(Question {
        text: "In which currency?".into(),
        options: options.iter().take(4).map(|currency| currency.code().to_owned()).collect(),
        missing: vec!["currency".into()],
    })
}

/// More than this at once is pointed out, in major units of most currencies.
const USUAL: i64 = 1_000;

/// Currencies whose unit buys about a hundredth or less of what most others' does.
const SMALL_UNITS: &[&str] =
    &["CLP", "COP", "HUF", "IDR", "IQD", "IRR", "JPY", "KRW", "LBP", "NGN", "PKR", "UGX", "VND"];

pub(super) fn unusual(money: Money, style: Style) -> Option<Note> {
    let scale = if SMALL_UNITS.contains(&money.currency.code()) { 100 } else { 1 };
    let limit = USUAL * scale * 10_i64.pow(money.currency.exponent());
    let text = format!("{} is a lot for one expense", money.written(style.money));
    (money.minor > limit).then_some(Note { kind: NoteKind::UnusualAmount, text })
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_small_unit_is_a_currency() {
        for code in super::SMALL_UNITS {
            assert!(crate::money::Currency::parse(code).is_ok(), "{code}");
        }
    }
}

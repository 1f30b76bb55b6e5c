//! `set_budget`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    arguments::{currency, refused},
    budget::{Budget, KIND, Period, category_of_budget},
    category_preference::require_capacity,
    expense,
};
use crate::{
    money::{Amount, Currency, Money},
    phrases::Style,
    proposal::{Change, Record},
    tool::{Action, Plan, Question, ToolContext, ToolError},
};

/// Propose how much may be spent in each week, month or year, in one category or in all. There is one budget for each
/// category and period: setting it again changes it, and an amount of 0 removes it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetBudget {
    /// Absent for all expenses.
    pub category: Option<String>,
    /// Only if the person said one. Without it, an existing budget keeps its period and a new one is monthly.
    pub period: Option<Period>,
    /// The exact decimal amount the person said; "0" to remove the budget.
    pub amount: Amount,
    /// Only if the amount is a difference ("add 50 to the food budget"), not the new amount.
    pub step: Option<Step>,
    /// ISO 4217 code, only if the person named a currency.
    pub currency: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    More,
    Less,
}

impl Action for SetBudget {
    const NAME: &'static str = "set_budget";

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        if !context.caller.may_add() {
            return Err(ToolError::Forbidden(
                "your role is viewer, so you can look but not add. Ask an administrator for another role".into(),
            ));
        }
        let said = self.category.as_deref().map_or(Ok(None), expense::category).map_err(refused)?;
        let category = said.map(|said| category_of_budget(said, context));
        let named = self.currency.as_deref().map(Currency::parse).transpose().map_err(refused)?;
        let (existing, period) = self.existing(category.as_deref(), context)?;
        let what = category.clone().unwrap_or_else(|| "everything".to_owned());
        if let Some(record) = existing
            && !context.caller.may_change(&record.draft.owner)
        {
            let text =
                format!("the budget for {what} belongs to someone else. Ask them or an administrator to change it");
            return Err(ToolError::Forbidden(text));
        }
        let known = existing.and_then(|record| Budget::of(&record.draft));
        let is_in_another = |named| known.as_ref().is_some_and(|known| known.money.currency != named);
        // An amount in another currency replaces a budget. It cannot change or end one.
        let meant = existing.filter(|_| !named.is_some_and(is_in_another));
        if self.step.is_some() && meant.is_none() {
            return Err(how_much(&what));
        }
        if self.step.is_none() && self.amount.as_str().bytes().all(|mark| matches!(mark, b'0' | b'.')) {
            let Some(before) = meant.cloned() else {
                let text =
                    format!("there is no budget for {what} per {}. Say “show my budgets” to see them", period.word());
                return Err(ToolError::Refused(text));
            };
            return Ok(Plan { changes: vec![Change::Delete { before }], ..Plan::default() });
        }
        let money = self.money(known.as_ref().map(|budget| budget.money), context)?;
        let budget = Budget { category, period, money };
        let change = match existing {
            Some(_) if known.as_ref() == Some(&budget) => {
                return Err(ToolError::Refused(format!(
                    "the budget for {what} is already {} a {}",
                    money.written(context.style().money),
                    period.word()
                )));
            }
            Some(before) => {
                Change::Update { before: before.clone(), after: budget.draft(&before.draft.owner, before.draft.date) }
            }
            None => {
                require_capacity(context)?;
                Change::Create(budget.draft(context.caller.user().as_str(), context.today))
            }
        };
        Ok(Plan { changes: vec![change], ..Plan::default() })
    }
}

impl SetBudget {
    /// The existing budget that is meant, if any, and the period.
    fn existing<'c>(
        &self,
        category: Option<&str>,
        context: &ToolContext<'c>,
    ) -> Result<(Option<&'c Record>, Period), ToolError> {
        let is_meant = |budget: &Budget| {
            budget.category.as_deref() == category && self.period.is_none_or(|period| budget.period == period)
        };
        let existing: Vec<(&Record, Period)> = context
            .preferences
            .iter()
            .filter(|record| record.draft.kind == KIND)
            .filter_map(|record| Some((record, Budget::of(&record.draft).filter(is_meant)?.period)))
            .collect();
        let periods: Vec<Period> = existing.iter().map(|(_, period)| *period).collect();
        if periods.iter().any(|period| *period != periods[0]) {
            return Err(which(&periods));
        }
        let period = self.period.or(periods.first().copied()).unwrap_or(Period::Month);
        Ok((existing.last().map(|(record, _)| *record), period))
    }

    /// The new amount. Without a named currency it is in the currency of the existing budget.
    fn money(&self, before: Option<Money>, context: &ToolContext<'_>) -> Result<Money, ToolError> {
        let known = before.map(|money| money.currency.code());
        let context = ToolContext { currency: known.or(context.currency), ..*context };
        let money =
            self.amount.in_currency(currency(&[&self.amount], self.currency.as_deref(), &context)?).map_err(refused)?;
        if money.minor <= 0 {
            return Err(ToolError::Refused("a budget must be more than zero. To remove it, give 0".into()));
        }
        apply_step(money, before, self.step, context.style())
    }
}

/// Adds or subtracts the amount if it is a step.
fn apply_step(by: Money, before: Option<Money>, step: Option<Step>, style: Style) -> Result<Money, ToolError> {
    let (Some(before), Some(step)) = (before, step) else { return Ok(by) };
    let minor = match step {
        Step::More => before.minor.checked_add(by.minor),
        Step::Less => before.minor.checked_sub(by.minor).filter(|minor| *minor > 0),
    };
    let out_of_bounds = || {
        let (by, before) = (by.written(style.money), before.written(style.money));
        let way = if step == Step::More { "up" } else { "down" };
        ToolError::Refused(format!("the budget is {before} and cannot go {way} by {by}. Say the new amount"))
    };
    minor.map(|minor| Money { minor, ..before }).ok_or_else(out_of_bounds)
}

fn how_much(what: &str) -> ToolError {
    ToolError::ask(Question {
        text: format!("You have no budget for {what} yet. How much should it be, like “200 a month”?"),
        options: vec![],
        missing: vec!["amount".into()],
        ..Question::default()
    })
}

fn which(periods: &[Period]) -> ToolError {
    ToolError::ask(Question {
        text: "Which budget do you mean?".into(),
        options: periods.iter().map(|period| format!("a {}", period.word())).collect(),
        missing: vec!["period".into()],
        ..Question::default()
    })
}

//! `update_expense`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    add_expense::{currency, refused, spent_on},
    expense::{self, Expense},
    lookup::{Pointer, find},
};
use crate::{
    money::{Amount, Currency, Money},
    proposal::Change,
    tool::{Action, Plan, ToolContext, ToolError},
};

/// Propose to change one expense, found by its id or by a description that fits exactly one. Pass only the fields that
/// the person wants changed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateExpense {
    /// The number the person gave (#42).
    pub id: Option<u64>,
    /// The person's words for it, if there is no number: "electricity bill".
    pub description: Option<String>,
    /// Its new name.
    pub item: Option<String>,
    /// Its new amount, the exact decimal the person said.
    pub amount: Option<Amount>,
    /// Its new currency, as an ISO 4217 code.
    pub currency: Option<String>,
    /// Its new day: YYYY-MM-DD or the person's words.
    pub date: Option<String>,
    /// Its new category; empty for none.
    pub category: Option<String>,
    /// Its new notes; empty for none.
    pub notes: Option<String>,
}

impl Action for UpdateExpense {
    const NAME: &'static str = "update_expense";

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        let pointer = Pointer { id: self.id, description: self.description.as_deref(), date: None };
        let before = find(pointer, context).await?;
        let Some(standing) = Expense::of(&before.draft) else {
            return Err(ToolError::Refused(format!("#{} cannot be read and was left as it is", before.id)));
        };
        let expense = self.edited(&standing, context)?;
        if expense == standing {
            return Err(ToolError::Refused(format!("#{} is already so: say what to change", before.id)));
        }
        let after = expense.draft(&before.draft.owner);
        Ok(Plan { changes: vec![Change::Update { before, after }], ..Plan::default() })
    }
}

impl UpdateExpense {
    /// As it would be.
    pub fn edited(&self, standing: &Expense, context: &ToolContext<'_>) -> Result<Expense, ToolError> {
        let mut expense = standing.clone();
        if let Some(date) = &self.date {
            expense.date = spent_on(date, context)?;
        }
        if let (Some(amount), None) = (&self.amount, &self.currency) {
            // A bare number keeps the row's currency; a currency said beside it does not.
            let context = ToolContext { currency: Some(standing.money.currency.code()), ..*context };
            expense.money.currency = currency(amount, None, &context)?;
        }
        self.apply(&mut expense)?;
        Ok(expense)
    }

    fn apply(&self, expense: &mut Expense) -> Result<(), ToolError> {
        let currency = self.currency.as_deref().map(Currency::parse).transpose().map_err(refused)?;
        if self.amount.is_some() || currency.is_some() {
            let standing = expense.money.decimal();
            let amount = self.amount.as_ref().map_or(standing.as_str(), Amount::as_str);
            expense.money = Money::parse(amount, currency.unwrap_or(expense.money.currency)).map_err(refused)?;
        }
        if expense.money.minor <= 0 {
            return Err(ToolError::Refused("the amount must be more than zero: say what was paid".into()));
        }
        if let Some(item) = &self.item {
            expense.item = expense::item(item).map_err(refused)?;
        }
        if let Some(category) = &self.category {
            expense.category = expense::category(category).map_err(refused)?;
        }
        if let Some(notes) = &self.notes {
            expense.notes = expense::notes(notes).map_err(refused)?;
        }
        Ok(())
    }
}

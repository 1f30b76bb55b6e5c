//! `add_expense`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    arguments::{currency, refused, spent_on},
    category_preference::category_from_name,
    expense::{self, Expense},
    expense_text::unusual,
    lines::{LineInput, SPLIT_AND_FILED, split},
};
use crate::{
    money::Amount,
    proposal::Change,
    tool::{Action, Plan, ToolContext, ToolError},
};

/// Propose one new expense. For several, make one call for each, all in the same response.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AddExpense {
    /// What was bought, in the person's words.
    pub item: String,
    /// The exact decimal amount the person said, e.g. "12.50". For a split expense: the total, or the sum of its parts
    /// if no total was said.
    pub amount: Amount,
    /// ISO 4217 code, only if the person named a currency.
    pub currency: Option<String>,
    /// YYYY-MM-DD or the person's words ("yesterday"); today if absent.
    pub date: Option<String>,
    /// Only if the person named one.
    pub category: Option<String>,
    /// Only if the person added a remark.
    pub notes: Option<String>,
    /// All parts, only if the person split the expense over categories ("Tesco 50: food 30, the rest household"). A
    /// split expense has no category of its own.
    #[serde(default)]
    pub lines: Vec<LineInput>,
}

impl Action for AddExpense {
    const NAME: &'static str = "add_expense";

    const ONLY_ADDS: bool = true;

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        if !context.caller.may_add() {
            return Err(ToolError::Forbidden(
                "your role is viewer, so you can look but not add. Ask an administrator for another role".into(),
            ));
        }
        let expense = self.expense(context)?;
        let notes = unusual(expense.money).into_iter().collect();
        let draft = expense.draft(context.caller.user().as_str());
        Ok(Plan { changes: vec![Change::Create(draft)], notes, ..Plan::default() })
    }
}

impl AddExpense {
    pub fn expense(&self, context: &ToolContext<'_>) -> Result<Expense, ToolError> {
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
        let (item, category) = if is_filed { (item, category) } else { category_from_name(item, context) };
        Ok(Expense {
            item,
            money,
            date,
            category,
            notes: self.notes.as_deref().map_or(Ok(None), expense::notes).map_err(refused)?,
            lines: match self.lines.as_slice() {
                [] => vec![],
                lines => split(lines, money, context.style())?,
            },
            bank_id: None,
        })
    }
}

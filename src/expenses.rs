//! The expenses toolkit: its kinds of record, its tools and its part of the prompt.

use crate::tool::{Merge, Registry, RegistryError, ReplyField, Toolkit};

pub use expense::{Expense, KIND, Line};
pub use kind::ExpenseKind;
pub use page_filters::Filters;
pub use sums::By;

pub mod add_expense;
mod arguments;
mod asked_again;
mod averages;
mod budget;
mod category_preference;
pub mod delete_expense;
mod expense;
mod expense_text;
pub mod export;
mod filters;
pub mod get_balance;
pub mod get_budgets;
pub mod get_currency;
mod grounding;
pub mod import;
mod invented_amounts;
mod kind;
mod lines;
pub mod list_expenses;
pub mod list_recurring;
mod listing;
mod lookup;
mod note_text;
mod page_filters;
mod page_list;
pub mod page_sums;
mod periods;
pub mod propose_operations;
mod recurring;
mod replace;
pub mod search_by_meaning;
pub mod set_budget;
pub mod set_currency;
pub mod set_recurring;
mod setting;
mod shares;
mod snapshot;
mod spoken_facts;
pub mod stop_recurring;
mod suggestions;
pub mod summarize_expenses;
mod sums;
pub mod update_expense;
mod voice;

/// `balance` is a number for older clients, if there is one currency. `aggregation` has sums by group: `{ key,
/// currency, amount, count, previous? }`.
const REPLY_FIELDS: [ReplyField; 4] = [
    ReplyField { name: "balance", merge: Merge::Agree },
    ReplyField { name: "totals", merge: Merge::Agree },
    ReplyField { name: "aggregation", merge: Merge::AppendUnlessConflict { keys: &["key", "currency"] } },
    ReplyField { name: "budgets", merge: Merge::Append },
];

pub fn toolkit() -> Toolkit {
    Toolkit {
        page_filters: Some(page_filters::PAGE_FILTERS),
        reply_fields: &REPLY_FIELDS,
        check_answer: Some(invented_amounts::check_answer),
        ..Toolkit::new("expenses", include_str!("expenses/guidance.md"), register)
    }
}

fn register(registry: Registry) -> Result<Registry, RegistryError> {
    registry
        .kind(ExpenseKind)?
        .kind(setting::SettingKind)?
        .kind(category_preference::CategoryPreferenceKind)?
        .kind(budget::BudgetKind)?
        .kind(recurring::RecurringKind)?
        .action::<add_expense::AddExpense>()?
        .action::<update_expense::UpdateExpense>()?
        .action::<delete_expense::DeleteExpense>()?
        .action::<propose_operations::ProposeOperations>()?
        .action::<set_budget::SetBudget>()?
        .action::<set_currency::SetCurrency>()?
        .action::<set_recurring::SetRecurring>()?
        .action::<stop_recurring::StopRecurring>()?
        .query::<list_recurring::ListRecurring>()?
        .query::<get_budgets::GetBudgets>()?
        .query::<get_currency::GetCurrency>()?
        .query::<list_expenses::ListExpenses>()?
        .query::<search_by_meaning::SearchByMeaning>()?
        .query::<summarize_expenses::SummarizeExpenses>()?
        .query::<get_balance::GetBalance>()
}

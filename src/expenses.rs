//! The expenses toolkit: a kind of record, its tools and its part of the prompt.

use crate::tool::{Registry, RegistryError, Toolkit};

pub use expense::{Expense, KIND};
pub use kind::ExpenseKind;

pub mod add_expense;
pub mod delete_expense;
mod expense;
pub mod filter_expenses;
mod filters;
pub mod get_balance;
mod grounding;
mod kind;
pub mod list_expenses;
pub mod listing;
mod lookup;
mod periods;
pub mod propose_operations;
pub mod search;
pub mod search_expenses;
mod snapshot;
mod suggestions;
pub mod summarize_expenses;
mod sums;
pub mod update_expense;

pub fn toolkit() -> Toolkit {
    Toolkit { guidance: include_str!("expenses/guidance.md"), register }
}

fn register(registry: Registry) -> Result<Registry, RegistryError> {
    registry
        .kind(ExpenseKind)?
        .action::<add_expense::AddExpense>()?
        .action::<update_expense::UpdateExpense>()?
        .action::<delete_expense::DeleteExpense>()?
        .action::<propose_operations::ProposeOperations>()?
        .query::<list_expenses::ListExpenses>()?
        .query::<filter_expenses::FilterExpenses>()?
        .query::<search_expenses::SearchExpenses>()?
        .query::<summarize_expenses::SummarizeExpenses>()?
        .query::<get_balance::GetBalance>()
}

//! The expenses toolkit: a kind of record, its tools and its part of the prompt.

use crate::tool::{Registry, RegistryError, Toolkit};

pub use expense::{Expense, KIND};
pub use kind::ExpenseKind;

pub mod add_expense;
pub mod delete_expense;
mod expense;
mod filters;
pub mod get_balance;
mod grounding;
mod kind;
pub mod list_expenses;
mod lookup;
pub mod propose_operations;
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
        .query::<get_balance::GetBalance>()
}

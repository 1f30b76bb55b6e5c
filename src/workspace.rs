//! The workspace toolkit: tasks and notes, which may belong to projects.

use crate::tool::{PageFilters, Registry, RegistryError, Toolkit};

mod actions;
mod entry;
mod kind;
mod query;

pub fn toolkit() -> Toolkit {
    let page_filters = PageFilters {
        names: &["status", "project", "due", "words"],
        check: |active| query::Filters::of_page(active).map(|_| ()),
    };
    let toolkit = Toolkit::new("workspace", include_str!("workspace/guidance.md"), register);
    Toolkit { page_filters: Some(page_filters), ..toolkit }
}

fn register(registry: Registry) -> Result<Registry, RegistryError> {
    registry
        .kind(entry::TASK)?
        .kind(entry::NOTE)?
        .action::<actions::AddTask>()?
        .action::<actions::UpdateTask>()?
        .action::<actions::CompleteTasks>()?
        .action::<actions::DeleteTask>()?
        .action::<actions::ProposeTaskOperations>()?
        .query::<query::QueryTasks>()?
        .action::<actions::AddNote>()?
        .action::<actions::UpdateNote>()?
        .action::<actions::DeleteNote>()?
        .query::<query::QueryNotes>()
}

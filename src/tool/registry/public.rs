//! The tools for programs outside, such as other assistants.

use super::{Registry, Run};
use crate::{model::ToolSpec, tool::GateInput};

pub struct PublicTool<'r> {
    pub spec: &'r ToolSpec,
    pub effect: Effect,
}

/// What a tool does to what is stored, after an approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Reads,
    Adds,
    Changes,
}

impl Registry {
    /// The tools of all toolkits that are always offered, by name. Those of the core are about a conversation with this
    /// program's own model.
    pub fn public_tools(&self) -> impl Iterator<Item = PublicTool<'_>> {
        let specs = self.specs.iter().filter(|spec| self.is_offered(spec.name, GateInput::default()));
        specs.filter(|spec| self.toolkit_of_tool(spec.name).is_some()).filter_map(|spec| {
            let effect = match self.tools.get(spec.name)? {
                Run::Query(_) => Effect::Reads,
                Run::Action(_) if self.only_add.contains(spec.name) => Effect::Adds,
                Run::Action(_) => Effect::Changes,
                Run::Clarify | Run::Revise | Run::RowHistory => return None,
            };
            Some(PublicTool { spec, effect })
        })
    }

    pub fn public_tool(&self, name: &str) -> Option<PublicTool<'_>> {
        self.public_tools().find(|tool| tool.spec.name == name)
    }
}

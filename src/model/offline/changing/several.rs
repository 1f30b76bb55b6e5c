//! Several changes in a message, and several rows of one change.

use serde_json::json;

use super::{Asking, Call, Changing, joined, wording};
use crate::phrases::Class;

impl Changing {
    /// Of several rows by their numbers: a name and an amount are those of one.
    pub(super) fn share(&mut self) {
        let is_shared = |field: &String| matches!(field.as_str(), "category" | "date" | "currency");
        match self.changes.keys().all(is_shared) {
            true => {
                self.description = Some(joined(&std::mem::take(&mut self.ids)));
            }
            false => self.declined = Some(wording::ONE_CHANGE),
        }
    }

    pub(super) fn together(mut self) -> Vec<Call> {
        let others = std::mem::take(&mut self.others);
        let calls = std::iter::once(self).chain(others).flat_map(Self::calls);
        let operations = calls.map(|Call { mut arguments, .. }| {
            arguments["op"] = "update".into();
            arguments
        });
        vec![Call { name: "propose_operations", arguments: json!({ "operations": operations.collect::<Vec<_>>() }) }]
    }

    /// Which of the rows that are called so was asked.
    pub(super) fn is_asked(&self, asking: &Asking) -> bool {
        let name = asking.name.as_deref();
        self.ids.is_empty()
            && name.is_some_and(|name| self.description.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(name)))
    }

    /// At these rows; of "coffee and lunch", in the place of the name that was asked about.
    pub(super) fn point_at(&mut self, ids: Vec<u64>, asking: &Asking) {
        let named = self.description.as_deref().zip(asking.name.as_deref()).and_then(|(own, name)| {
            let is_joined = own.contains(',') || wording::says(own, Class::AndSign);
            // "Tea" of "green tea and tea" is the one that is no part of a name.
            let begins = |before: &str| before.is_empty() || before.ends_with([',', '&']) || before.ends_with(" and");
            let ends = |after: &str| after.is_empty() || after.starts_with([',', '&']) || after.starts_with("and ");
            let lower = own.to_lowercase();
            let (before, after) = lower.match_indices(name).find_map(|(at, _)| {
                let (before, after) = (own.get(..at)?, own.get(at + name.len()..)?);
                (begins(before.trim_end()) && ends(after.trim_start())).then_some((before, after))
            })?;
            (is_joined && own.len() > name.len()).then(|| format!("{before}{}{after}", joined(&ids)))
        });
        match named {
            Some(named) => self.description = Some(named),
            None => {
                self.ids = ids;
                (self.description, self.cost, self.date, self.span) = (None, None, None, None);
            }
        }
    }
}

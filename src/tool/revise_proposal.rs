//! `revise_proposal`: the model passes on what the person wants changed in the waiting proposal.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

/// Changes to operations, by their numbers. Numbers start at 1, in the order shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Edits {
    pub exclude: BTreeSet<usize>,
    /// Excludes each operation whose line has all words of one of these names.
    pub exclude_named: Vec<String>,
    /// New field values by operation number, with the field names of the record's kind.
    pub fields: BTreeMap<usize, Map<String, Value>>,
}

/// Change the proposal that waits for the person's yes or no, and show it again: "yes but 45", "all except the taxis".
/// Not for something new. No other tool can be called in the same response.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviseProposal {
    /// Numbers of the lines to leave out. A single line has number 1.
    #[serde(default)]
    exclude: BTreeSet<usize>,
    /// Names to leave out ("uber"), if not all lines were shown. Every line with such a name is left out.
    #[serde(default)]
    exclude_named: Vec<String>,
    /// What to change, line by line.
    #[serde(default)]
    edits: Vec<LineEdit>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct LineEdit {
    line: usize,
    /// Only the fields that the person wants changed, named as in the tool that made the line: {"amount": "45"}.
    fields: Map<String, Value>,
}

impl Edits {
    /// The numbers of the operations that it changes or leaves out.
    pub fn lines(&self) -> impl Iterator<Item = usize> {
        self.exclude.iter().chain(self.fields.keys()).copied()
    }
}

impl ReviseProposal {
    pub const NAME: &'static str = "revise_proposal";

    /// None if nothing would change.
    pub fn into_edits(self) -> Option<Edits> {
        let mut fields: BTreeMap<usize, Map<String, Value>> = BTreeMap::new();
        for edit in &self.edits {
            fields.entry(edit.line).or_default().extend(edit.fields.clone());
        }
        fields.retain(|_, fields| !fields.is_empty());
        let ReviseProposal { exclude, exclude_named, .. } = self;
        let something = !exclude.is_empty() || !exclude_named.is_empty() || !fields.is_empty();
        something.then_some(Edits { exclude, exclude_named, fields })
    }
}

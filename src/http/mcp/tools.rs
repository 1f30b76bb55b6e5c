//! The tools as clients see them, and the form of their results. All of it comes from the registry.

use serde::Serialize;
use serde_json::{Map, Value, json, value::RawValue};

use crate::{
    phrases::upper_first,
    sorted::Collect,
    tool::{Effect, Merge, PublicTool, Registry},
};

/// A field of a result: name, JSON type and meaning. The names are those of a reply.
type Field = (&'static str, &'static str, &'static str);

pub const STATUS: &str = "status";
pub const PROPOSAL_ID: &str = "proposalId";

const FOUND: [Field; 7] = [
    ("answer", "string", "The result in words"),
    ("count", "integer", "The number of rows that are listed or summed"),
    ("total", "integer", "The number of all rows or groups"),
    ("listed", "array", "The rows"),
    ("remembered", "array", "Settings, budgets and recurring entries"),
    ("nextCursor", "string", "The argument `cursor` of the next page"),
    ("detectedFilters", "object", "What was looked at"),
];

const CHANGED: [Field; 9] = [
    (STATUS, "string", "Only `done` means that it was written"),
    ("answer", "string", "The result in words"),
    (PROPOSAL_ID, "string", "What waits, or was decided"),
    ("added", "array", "New rows"),
    ("updated", "array", "Changed rows"),
    ("deleted", "array", "Deleted rows"),
    ("remembered", "array", "Settings, budgets and recurring entries that changed"),
    ("receipt", "object", "What was written. `undo` takes its `proposalId`"),
    ("progress", "object", "Of a large change that is being written"),
];

/// What became of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Done,
    /// Approved, and being written.
    Running,
    Rejected,
    Waiting,
}

const STATUSES: [Status; 4] = [Status::Done, Status::Running, Status::Rejected, Status::Waiting];

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed<'r> {
    name: &'r str,
    title: String,
    description: &'r RawValue,
    input_schema: &'r RawValue,
    output_schema: Value,
    annotations: Value,
}

/// The same for every caller and connection.
pub fn list(registry: &Registry) -> Value {
    let tools = registry.public_tools().map(|PublicTool { spec, effect }| Listed {
        name: spec.name,
        title: title(spec.name),
        description: &spec.description,
        input_schema: &spec.parameters,
        output_schema: output_schema(registry, effect),
        annotations: json!({
            "title": title(spec.name),
            "readOnlyHint": effect == Effect::Reads,
            "destructiveHint": effect == Effect::Changes,
            "idempotentHint": false,
            "openWorldHint": false,
        }),
    });
    json!(tools.collect::<Vec<_>>())
}

/// "Add expense"
pub fn title(name: &str) -> String {
    upper_first(&name.replace('_', " "))
}

/// The fields of a reply that belong to the result.
pub fn result(registry: &Registry, effect: Effect, reply: Value) -> Map<String, Value> {
    let Value::Object(mut reply) = reply else { return Map::new() };
    let is_known = |name: &str| {
        fields(effect).iter().any(|(known, ..)| *known == name) || registry.reply_fields().contains_key(name)
    };
    reply.retain(|name, _| is_known(name));
    reply
}

fn fields(effect: Effect) -> &'static [Field] {
    if effect == Effect::Reads { &FOUND } else { &CHANGED }
}

fn output_schema(registry: &Registry, effect: Effect) -> Value {
    let property = |(name, json_type, meaning): &Field| {
        let mut property = json!({ "type": json_type, "description": meaning });
        match *json_type {
            "array" => property["items"] = json!({ "type": "object" }),
            _ if *name == STATUS => property["enum"] = json!(STATUSES),
            _ => {}
        }
        ((*name).to_owned(), property)
    };
    let of_toolkits = registry.reply_fields().iter().map(|(name, merge)| {
        let property = match merge {
            Merge::Agree => json!({}),
            Merge::Append | Merge::AppendUnlessConflict { .. } => json!({ "type": "array" }),
        };
        ((*name).to_owned(), property)
    });
    let properties: Map<String, Value> = fields(effect).iter().map(property).chain(of_toolkits).inserted();
    let required = if effect == Effect::Reads { json!(["answer"]) } else { json!([STATUS, "answer"]) };
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

//! What a turn left behind, as far as it is compared: the rows, what waits for a yes, and the reply.

use std::collections::BTreeMap;

use jiff::civil::date;
use sayso::{
    proposal::Record,
    store::{Among, ListQuery},
};
use serde_json::{Map, Value};

use crate::harness::{Response, Service, caller, conversation::Talk, wire::TENANT};

/// What is compared of a row or an operation: names, amounts, currencies, days, categories. No ids, no notes.
pub type Facts = BTreeMap<String, String>;

#[derive(Debug, Clone)]
pub struct Observed {
    pub reply: Response,
    /// Of all kinds, also settings that are remembered.
    pub rows: BTreeMap<(String, u64), Record>,
    /// The operations of each proposal that waits.
    pub waiting: Vec<Vec<Facts>>,
}

/// What a reply does, if nothing was written.
pub enum Act {
    Asks,
    Proposes(Vec<Facts>),
    Says,
}

const PREFIXES: [&str; 3] = ["E", "T", "N"];

const NOT_COMPARED: [&str; 10] =
    ["id", "version", "owner", "ownerName", "notes", "bankId", "categories", "amount", "warnings", "kind"];

impl Observed {
    pub async fn after(talk: &Talk<'_>) -> Observed {
        let waiting = talk.person("me").get("/proposals?state=waiting").await.body;
        let waiting = waiting["items"].as_array().into_iter().flatten().map(operations).collect();
        Observed { reply: talk.last.clone(), rows: rows(&talk.service).await, waiting }
    }

    pub fn answer(&self) -> &str {
        self.reply.body["answer"].as_str().or(self.reply.body["detail"].as_str()).unwrap_or_default()
    }

    pub fn has(&self, field: &str) -> bool {
        !self.reply.body[field].is_null()
    }

    pub fn looked_up(&self) -> bool {
        ["listed", "totals", "balance", "aggregation", "count", "budgets"].iter().any(|field| self.has(field))
    }

    /// A model may also ask in an answer. Its options follow the question.
    pub fn act(&self) -> Act {
        let asks = || {
            let mut lines = self.answer().lines().filter(|line| !line.trim_start().starts_with('-'));
            lines.next_back().is_some_and(|line| line.trim_end().ends_with('?'))
        };
        match &self.reply.body {
            body if body["confirmationRequired"] == true => Act::Proposes(operations(&body["proposal"])),
            body if !body["question"].is_null() || asks() => Act::Asks,
            _ => Act::Says,
        }
    }

    /// The operations of its receipts.
    pub fn written(&self) -> Vec<Facts> {
        let body = &self.reply.body;
        let several = body["receipts"].as_array().map(|receipts| receipts.iter().flat_map(operations).collect());
        several.unwrap_or_else(|| operations(&body["receipt"]))
    }

    pub fn facts(&self) -> Vec<Facts> {
        self.rows.values().map(stored).collect()
    }

    /// Whether a conversation can go on from either.
    pub fn is_like(&self, other: &Observed) -> bool {
        self.rows == other.rows && self.waiting == other.waiting
    }
}

async fn rows(service: &Service) -> BTreeMap<(String, u64), Record> {
    let caller = caller("demo", "me");
    let reading = async {
        let store = service.store.tenant(caller.tenant());
        let mut records = store.preferences().await.expect("settings").1;
        for kind in PREFIXES {
            let query = ListQuery {
                kind,
                among: Among::All,
                from: date(1970, 1, 1),
                to: date(9999, 12, 31),
                conditions: vec![],
                limit: 100_000,
                after: None,
                oldest_first: false,
            };
            records.extend(store.list(&query).await.expect("rows").records);
        }
        records.into_iter().map(|record| ((record.draft.kind.clone(), record.id), record)).collect()
    };
    TENANT.scope("demo".into(), reading).await
}

/// Of a stored row, with its amount in minor units.
fn stored(record: &Record) -> Facts {
    let body = &record.draft.body;
    let fields = body.iter().filter(|(name, _)| !["minor", "currency"].contains(&name.as_str()));
    let mut facts = known(fields, "");
    if let Some(minor) = body.get("minor") {
        facts.insert("amount".into(), format!("{minor} {}", plain(&body["currency"])));
    }
    facts.insert("date".into(), record.draft.date.to_string());
    facts
}

/// Of a proposal or a receipt; the first ones and their number, if there are many.
fn operations(shown: &Value) -> Vec<Facts> {
    let operations = shown["operations"].as_array().into_iter().flatten().map(|operation| {
        let row = |name: &str| operation[name].as_object().map_or_else(Map::new, Clone::clone);
        let (before, after) = (row("before"), row("after"));
        let (row, becomes) = if before.is_empty() { (&after, None) } else { (&before, Some(&after)) };
        let mut facts = of_view(row, "");
        facts.extend(becomes.into_iter().flat_map(|row| of_view(row, "to ")));
        facts.insert("operation".into(), plain(&operation["op"]));
        facts
    });
    let mut operations: Vec<Facts> = operations.collect();
    if shown["count"].as_u64().is_some_and(|count| count > operations.len() as u64) {
        operations.push(Facts::from([("count".into(), shown["count"].to_string())]));
    }
    operations
}

/// Of a row as clients see it.
fn of_view(row: &Map<String, Value>, prefix: &str) -> Facts {
    let has_money = row.contains_key("money");
    let of_money = |name: &str| name == "money" || has_money && name == "currency";
    let mut facts = known(row.iter().filter(|(name, _)| !of_money(name)), prefix);
    if let Some(money) = row.get("money") {
        facts.insert(format!("{prefix}amount"), format!("{} {}", plain(&money["amount"]), plain(&money["currency"])));
    }
    facts
}

fn known<'f>(fields: impl Iterator<Item = (&'f String, &'f Value)>, prefix: &str) -> Facts {
    let fields = fields.filter(|(name, value)| !NOT_COMPARED.contains(&name.as_str()) && !value.is_null());
    fields.map(|(name, value)| (format!("{prefix}{name}"), plain(value).to_lowercase())).collect()
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// "add: coffee, 3.50 GBP, 2026-11-20"
pub fn in_words(facts: &Facts) -> String {
    let of = |prefix: &str| {
        let first = ["item", "title", "text", "amount", "date", "category"].map(|name| format!("{prefix}{name}"));
        let rest = facts.iter().filter(|(name, _)| {
            *name != "operation" && !first.contains(name) && name.starts_with("to ") != prefix.is_empty()
        });
        let rest = rest.map(|(name, value)| format!("{name} {value}"));
        let first = first.iter().filter_map(|name| facts.get(name).cloned());
        first.chain(rest).collect::<Vec<_>>().join(", ")
    };
    let (row, becomes) = (of(""), of("to "));
    let operation = facts.get("operation").map(|operation| format!("{operation} ")).unwrap_or_default();
    if becomes.is_empty() { format!("{operation}{row}") } else { format!("{operation}{row} → {becomes}") }
}

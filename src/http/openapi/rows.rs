//! The shapes of JSON that kinds of record and toolkits build by hand: rows, sums and filters.
//!
//! Nothing makes these values. The tests compare real answers with them.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde_json::{Map, Value};

use crate::agent::Reply;

/// A decimal number as text, in major units: `"12.50"` are 12 pounds and 50 pence. It has as many decimals as the
/// currency has minor units.
#[derive(JsonSchema)]
#[schemars(transparent, extend("pattern" = r"^-?[0-9]+(\.[0-9]+)?$"))]
pub struct Decimal(pub String);

/// An ISO 4217 code, like `GBP`.
#[derive(JsonSchema)]
#[schemars(transparent, extend("pattern" = "^[A-Z]{3}$"))]
pub struct Currency(pub String);

#[derive(JsonSchema)]
pub struct Money {
    pub amount: Decimal,
    pub currency: Currency,
}

/// A row of any kind. `kind` tells which.
#[derive(JsonSchema)]
#[serde(untagged)]
pub enum Row {
    Expense(Box<Expense>),
    Task(Task),
    Note(NoteRow),
    Remembered(Remembered),
}

/// What is remembered of how the tenant writes and spends.
#[derive(JsonSchema)]
#[serde(untagged)]
pub enum Remembered {
    Budget(Budget),
    Recurring(Recurring),
    Category(CategoryOfItem),
    Setting(Setting),
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Expense {
    pub id: u64,
    #[schemars(extend("const" = "expense"))]
    pub kind: String,
    /// What was bought.
    pub item: String,
    /// `money.amount` as a number, for older clients. It can be inexact.
    pub amount: f64,
    /// `money.currency`, for older clients.
    pub currency: Currency,
    pub money: Money,
    /// The day, in the time zone of the person who said it.
    pub date: Date,
    /// Null if there is none, and for an expense with `lines`.
    pub category: Option<String>,
    pub notes: Option<String>,
    /// The user id of who spent it.
    pub owner: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner_name: Option<String>,
    /// Grows with each change of the row.
    pub version: u64,
    /// The parts of a split expense. They add up to its amount.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<Line>>,
    /// The bank's id of an expense that was imported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bank_id: Option<String>,
}

/// A part of a split expense, in its currency.
#[derive(JsonSchema)]
pub struct Line {
    pub amount: Decimal,
    pub category: String,
    pub note: Option<String>,
}

/// What is to be done.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Task {
    pub id: u64,
    #[schemars(extend("const" = "task"))]
    pub kind: String,
    pub title: Option<String>,
    pub notes: Option<String>,
    pub project: Option<String>,
    pub due: Option<Date>,
    pub status: Option<TaskStatus>,
    /// The day it was completed.
    pub done_on: Option<Date>,
    pub owner: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner_name: Option<String>,
    pub version: u64,
}

#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    Todo,
    InProgress,
    Completed,
}

/// A text that is kept.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NoteRow {
    pub id: u64,
    #[schemars(extend("const" = "note"))]
    pub kind: String,
    pub title: Option<String>,
    pub content: Option<String>,
    pub project: Option<String>,
    pub date: Date,
    pub owner: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner_name: Option<String>,
    pub version: u64,
}

/// How much may be spent in a period.
#[derive(JsonSchema)]
pub struct Budget {
    pub id: u64,
    #[schemars(extend("const" = "budget"))]
    pub kind: String,
    /// Null: all expenses.
    pub category: Option<String>,
    pub period: Period,
    pub money: Money,
    pub version: u64,
}

#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Period {
    /// From Monday to Sunday.
    Week,
    Month,
    Year,
}

/// A budget and how it stands today.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BudgetStatus {
    #[serde(flatten)]
    pub budget: Budget,
    /// What everybody has spent of it.
    pub spent: Decimal,
    /// The caller's part of `spent`, if others have a part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own: Option<Decimal>,
    /// Negative if too much is spent.
    pub left: Decimal,
    /// The first day of the period.
    pub from: Date,
    /// The last day of the period.
    pub to: Date,
    /// With today.
    pub days_left: u32,
}

/// An expense that repeats. When it is due, the person is asked.
#[derive(JsonSchema)]
pub struct Recurring {
    pub id: u64,
    #[schemars(extend("const" = "recurring"))]
    pub kind: String,
    pub item: String,
    pub money: Money,
    pub category: Option<String>,
    pub every: Period,
    /// The next day it is due.
    pub next: Date,
    /// The last day it can be due.
    pub until: Option<Date>,
    pub version: u64,
}

/// The category that an item usually has.
#[derive(JsonSchema)]
pub struct CategoryOfItem {
    pub id: u64,
    #[schemars(extend("const" = "category"))]
    pub kind: String,
    pub item: Option<String>,
    pub category: Option<String>,
    pub version: u64,
}

/// How amounts and days are read. It has the field that `kind` names; a `sign` also has `means`.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Setting {
    pub id: u64,
    pub kind: SettingKind,
    pub version: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sign: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub means: Option<Currency>,
    /// `point` or `comma`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimal_mark: Option<String>,
    /// `dayFirst` or `monthFirst`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day_order: Option<String>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum SettingKind {
    Currency,
    Sign,
    DecimalMark,
    DayOrder,
}

/// Something that is remembered. A form deletes it by `kind` and `id`. Its other fields depend on the kind.
#[derive(JsonSchema)]
pub struct Preference {
    pub id: u64,
    /// `budget`, `recurring`, `category` or `setting`
    pub kind: String,
    pub version: u64,
    /// The user id of who said it.
    pub owner: String,
    /// What it sets, for people.
    pub text: String,
    #[serde(flatten)]
    pub fields: Map<String, Value>,
}

/// A sum in one currency. Currencies are never added up.
#[derive(JsonSchema)]
pub struct Sum {
    pub amount: Decimal,
    pub currency: Currency,
    /// The number of expenses.
    pub count: u64,
    /// The caller's part, if others have a part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own: Option<Decimal>,
}

/// The sum of one category, item or span of days in one currency.
#[derive(JsonSchema)]
pub struct Group {
    /// The category, the item, or the first part of the days: `2026-11`, `2026-11-20`.
    pub key: String,
    #[serde(flatten)]
    pub sum: Sum,
    /// The amount of the span before, if the question compared two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous: Option<Decimal>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Sums {
    pub totals: Vec<Sum>,
    /// The largest first, or in the order of time.
    pub groups: Vec<Group>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detected_filters: Option<DetectedFilters>,
    /// How many groups there are in addition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<usize>,
    /// There were too many expenses to read all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_partial: Option<bool>,
}

/// The filters that a query had. A request can send them as `activeFilters`.
#[derive(JsonSchema)]
pub struct DetectedFilters {
    #[serde(flatten)]
    pub filters: Filters<Decimal>,
}

/// Filters of rows.
#[derive(JsonSchema)]
pub struct Filters<Amount> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<Days>,
    #[serde(flatten)]
    pub of_expenses: ExpenseFilters<Amount>,
    /// `me`, `everyone`, a member's user id or name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whose: Option<String>,
    /// Of tasks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Of tasks and notes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Of tasks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due: Option<Days>,
}

/// Days, or words for them, like `last month`.
#[derive(JsonSchema)]
#[serde(untagged)]
pub enum Days {
    Range { from: Date, to: Date },
    Words(String),
}

/// The filters of lists of expenses.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExpenseFilters<Amount> {
    /// One category.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Any of these categories.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 20))]
    pub categories: Option<Vec<String>>,
    /// Words that the item must contain, all of them. Those in quotes stand beside each other, and a minus excludes:
    /// `"green tea" -decaf`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// Words of item, category or notes, or their beginnings. Quotes and minus as in `words`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// This amount or more, in major units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_amount: Option<Amount>,
    /// This amount or less, in major units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_amount: Option<Amount>,
    /// More than this amount, in major units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more_than: Option<Amount>,
    /// Less than this amount, in major units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub less_than: Option<Amount>,
    /// An ISO 4217 code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// With or without notes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_notes: Option<bool>,
    /// Categories or items to leave out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 20))]
    pub without: Option<Vec<String>>,
}

/// The answer to a message or a decision. What it has depends on what happened.
#[derive(JsonSchema)]
#[schemars(rename = "Reply")]
pub struct WholeReply {
    #[serde(flatten)]
    pub reply: Reply,
    #[serde(flatten)]
    pub of_expenses: ExpenseReply,
}

/// The fields that the toolkit of expenses adds.
#[derive(JsonSchema)]
pub struct ExpenseReply {
    /// The sums of a query, one for each currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub totals: Option<Vec<Sum>>,
    /// The groups of a query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregation: Option<Vec<Group>>,
    /// The only total as a number, for older clients.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balance: Option<f64>,
    /// Budgets that the answer is about, or that a write changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budgets: Option<Vec<BudgetStatus>>,
}

/// The answer to a JSON-RPC request.
#[derive(JsonSchema)]
pub struct McpAnswer {
    pub jsonrpc: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<McpFailure>,
}

#[derive(JsonSchema)]
pub struct McpFailure {
    pub code: i32,
    /// What to do.
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

/// Metadata of RFC 9728.
#[derive(JsonSchema)]
pub struct ProtectedResource {
    pub resource: String,
    pub resource_name: String,
    pub authorization_servers: Vec<String>,
    pub scopes_supported: Vec<String>,
    pub bearer_methods_supported: Vec<String>,
}

#[derive(JsonSchema)]
#[serde(untagged)]
pub enum ImportAnswer {
    Preview(Box<ImportPreview>),
    Reply(Box<WholeReply>),
}

/// What was read of a file.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportPreview {
    /// What was detected. All can be sent corrected.
    pub settings: Map<String, Value>,
    /// Settings that the file leaves open, with the reason. They must be sent before anything is proposed.
    pub guesses: Vec<Map<String, Value>>,
    /// Of a CSV file: the header or the first line.
    pub columns: Value,
    /// Up to 500, each with its `line`, and whether it is `included`.
    pub rows: Vec<Map<String, Value>>,
    /// The `from` of more rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<u64>,
    /// All rows.
    pub row_count: u64,
    /// The rows that a proposal would have.
    pub count: u64,
    /// Their sums.
    pub totals: Vec<Map<String, Value>>,
    pub duplicates: u64,
    /// Money that came in: `count`, `totals`, `rows`.
    pub incoming: Map<String, Value>,
    /// Lines that cannot be read: `count`, `rows` with the reasons.
    pub rejected: Map<String, Value>,
    /// There were too many expenses to look for all duplicates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partly_compared: Option<bool>,
}

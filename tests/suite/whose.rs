//! Several members of one tenant: whose sums and rows an answer is about, and who they are.

use std::sync::Arc;

use sayso::{
    expenses::Expense,
    money::{Currency, Money},
    proposal::Record,
};
use serde_json::{Value, json};

use crate::harness::{
    Person, Service, Setup, caller,
    scripted::{Scripted, calls, text},
    wire::TENANT,
};

/// Owner, item, amount, day and category. They are numbered from 1.
const ROWS: [(&str, &str, &str, &str, &str); 6] = [
    ("ben", "Coffee", "3.50", "2026-11-19", "food"),
    ("ben", "Taxi", "30", "2026-11-02", "transport"),
    ("ben", "Groceries", "20", "2026-10-10", "food"),
    ("anna", "Lunch", "12", "2026-11-18", "food"),
    ("anna", "Rent", "500", "2026-11-01", "housing"),
    ("anna", "Dinner", "40", "2026-10-05", "food"),
];

/// Ben and Anna, who have both said something; the model follows the test's script.
async fn service() -> (Arc<Scripted>, Service) {
    let model = Arc::new(Scripted::default());
    let service = Setup::model(model.clone()).start().await;
    keep(&service, &ROWS).await;
    for person in [ben(&service), anna(&service)] {
        model.says(text("Hello."));
        person.says("hello").await;
    }
    (model, service)
}

fn ben(service: &Service) -> Person<'_> {
    service.who("demo", "ben", "member").called("Ben")
}

fn anna(service: &Service) -> Person<'_> {
    service.who("demo", "anna", "member").called("Anna Berg")
}

async fn keep(service: &Service, rows: &[(&str, &str, &str, &str, &str)]) {
    let record = |(id, (owner, item, amount, date, category)): (u64, &(&str, &str, &str, &str, &str))| {
        let money = Money::parse(amount, Currency::GBP).expect("an amount");
        let date = date.parse().expect("a date");
        let (item, category) = ((*item).to_owned(), Some((*category).to_owned()));
        let expense = Expense { item, money, date, category, notes: None, lines: vec![] };
        Record { id, version: 1, draft: expense.draft(owner) }
    };
    let records: Vec<Record> = (1..).zip(rows).map(record).collect();
    let caller = caller("demo", "ben");
    TENANT.scope("demo".into(), service.store.tenant(caller.tenant()).import(&records)).await.expect("rows");
}

/// The reply when the person says this and the model makes this call.
async fn ask(model: &Scripted, who: Person<'_>, said: &str, tool: &'static str, arguments: Value) -> Value {
    model.says(calls([(tool, arguments)]));
    who.says(said).await
}

const SAID: [&str; 4] = ["what did I spend?", "what did we spend?", "what did Anna spend?", "what was spent?"];

#[tokio::test]
async fn the_persons_words_say_whose_a_query_is() {
    let (model, service) = service().await;
    let cases: [(&'static str, Value); 13] = [
        ("get_balance", json!({ "range": "this month" })),
        ("get_balance", json!({ "category": "food", "range": "last month" })),
        ("get_balance", json!({ "category": "food and transport" })),
        ("get_balance", json!({ "category": "coffee" })),
        ("summarize_expenses", json!({ "by": "category", "range": "this month" })),
        ("summarize_expenses", json!({ "by": "month", "category": "food" })),
        ("summarize_expenses", json!({ "by": "item", "top": 1 })),
        ("summarize_expenses", json!({ "by": "none", "range": "this month", "compare": true })),
        ("summarize_expenses", json!({ "by": "none", "average": "month" })),
        ("summarize_expenses", json!({ "by": "none", "average": "expense", "category": "food" })),
        ("list_expenses", json!({ "category": "food" })),
        ("filter_expenses", json!({ "order": "largest", "limit": 2 })),
        ("search_expenses", json!({ "query": "coffee lunch" })),
    ];
    let mut told = Vec::new();
    for (tool, arguments) in cases {
        for said in SAID {
            let reply = ask(&model, ben(&service), said, tool, arguments.clone()).await;
            told.push(format!("{tool} {arguments}, “{said}”: {}", reply["answer"].as_str().unwrap_or_default()));
        }
    }
    let offline = Setup::default().after(&service);
    for said in [
        "how much did I spend this month?",
        "how much did we spend this month?",
        "how much did we spend on food this month?",
        "how much was spent this month?",
        "how much was spent on food this month?",
        "how much did Anna spend this month?",
        "show our expenses",
        "show my expenses",
        "show expenses",
        "show our biggest expenses in November 2026",
        "show my biggest expenses in November 2026",
        "show everyone's expenses",
        "show Anna's expenses",
        "my spending by category in November 2026",
        "our spending by category in November 2026",
        "compare our spending in November 2026 with October 2026",
        "compare my spending in November 2026 with October 2026",
        "show our expenses on food in November 2026",
        "show my expenses on food",
        "Annas Ausgaben",
        "what did everyone spend this month?",
        "total this month",
        "and last month?",
        "our average per month",
        "how much was spent in total?",
    ] {
        let reply = ben(&offline).says(said).await;
        told.push(format!("“{said}”: {}", reply["answer"].as_str().unwrap_or_default()));
    }
    insta::assert_snapshot!(told.join("\n"));
}

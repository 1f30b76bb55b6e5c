//! What a page shows beside its rows: sums, budgets, recurring expenses and what is remembered.

use http::StatusCode;
use sayso::{
    expenses::Expense,
    money::{Currency, Money},
    proposal::Record,
};
use serde_json::{Value, json};

use crate::harness::{Person, Response, Service, Setup, caller, wire::TENANT};

/// Owner, item, amount, currency, day and category if it has one. They are numbered from 1.
const ROWS: [[&str; 6]; 6] = [
    ["ben", "Coffee", "3.50", "GBP", "2026-11-19", "food"],
    ["ben", "Taxi", "30", "GBP", "2026-11-02", "transport"],
    ["ben", "Groceries", "20", "GBP", "2026-10-10", "food"],
    ["anna", "Lunch", "12", "GBP", "2026-11-18", "food"],
    ["anna", "Coffee", "4", "EUR", "2026-11-18", ""],
    ["anna", "Dinner", "40", "GBP", "2026-10-05", "food"],
];

async fn service() -> Service {
    let service = Setup::default().start().await;
    for name in ["ben", "anna"] {
        service.who("demo", name, "member").says("hello").await;
    }
    let record = |(id, row): (u64, &[&str; 6])| {
        let [owner, item, amount, currency, date, category] = *row;
        let money = Money::parse(amount, Currency::parse(currency).expect("a currency")).expect("an amount");
        let (item, category) = (item.to_owned(), Some(category.to_owned()).filter(|name| !name.is_empty()));
        let date = date.parse().expect("a date");
        Record {
            id,
            version: 1,
            draft: Expense { item, money, date, category, notes: None, lines: vec![], bank_id: None }.draft(owner),
        }
    };
    let records: Vec<Record> = (1..).zip(&ROWS).map(record).collect();
    let caller = caller("demo", "ben");
    TENANT.scope("demo".into(), service.store.tenant(caller.tenant()).import(&records)).await.expect("rows");
    service
}

fn ben(service: &Service) -> Person<'_> {
    service.who("demo", "ben", "member")
}

async fn read(person: &Person<'_>, path: &str) -> Value {
    let Response { status, body, .. } = person.get(path).await;
    assert_eq!(status, StatusCode::OK, "{path}: {body}");
    body
}

#[tokio::test]
async fn sums_have_a_total_for_each_currency_and_the_callers_part() {
    let service = service().await;
    let sums = read(&ben(&service), "/sums?from=2026-11-01&to=2026-11-30").await;
    let expected = json!({
        "totals": [
            { "currency": "EUR", "amount": "4.00", "count": 1, "own": "0.00" },
            { "currency": "GBP", "amount": "45.50", "count": 3, "own": "33.50" },
        ],
        "groups": [],
        "detectedFilters": { "range": { "from": "2026-11-01", "to": "2026-11-30" } },
    });
    assert_eq!(sums, expected);
    let own = read(&ben(&service), "/sums?whose=me").await;
    assert_eq!(own["totals"], json!([{ "currency": "GBP", "amount": "53.50", "count": 3 }]));
}

#[tokio::test]
async fn groups_come_with_the_largest_first_and_times_in_their_order() {
    let service = service().await;
    let keys = async |path: &str| -> Vec<String> {
        let sums = read(&ben(&service), path).await;
        let groups = sums["groups"].as_array().expect("groups").iter();
        groups
            .map(|group| format!("{} {} {}", group["key"], group["amount"], group["count"]).replace('"', ""))
            .collect()
    };
    assert_eq!(keys("/sums?by=category&currency=GBP").await, ["food 75.50 4", "transport 30.00 1"]);
    assert_eq!(keys("/sums?by=month&currency=GBP").await, ["2026-10 60.00 2", "2026-11 45.50 3"]);
    assert_eq!(
        keys("/sums?by=day&from=2026-11-01").await,
        ["2026-11-02 30.00 1", "2026-11-18 4.00 1", "2026-11-18 12.00 1", "2026-11-19 3.50 1"]
    );
    assert_eq!(
        keys("/sums?by=item&category=food").await,
        ["dinner 40.00 1", "groceries 20.00 1", "lunch 12.00 1", "coffee 3.50 1"]
    );
    assert_eq!(keys("/sums?by=category&minAmount=12&maxAmount=30").await, ["food 32.00 2", "transport 30.00 1"]);
}

#[tokio::test]
async fn sums_of_categories_and_days_read_no_rows() {
    let service = service().await;
    service.wire.take();
    read(&ben(&service), "/sums?by=category&from=2026-11-01&to=2026-11-30").await;
    let (calls, _) = service.wire.take();
    let indexes: Vec<&Value> = calls.iter().map(|call| &call.body["IndexName"]).collect();
    assert!(calls.len() <= 3 && indexes.iter().all(|index| index.is_null()), "{calls:?}");
}

#[tokio::test]
async fn budgets_and_recurring_expenses_are_those_of_the_chat() {
    let service = service().await;
    let ben = ben(&service);
    assert_eq!(read(&ben, "/budgets").await, json!({ "items": [] }));
    for message in ["budget 200 a month for food", "yes", "rent 950 every month on the 1st", "yes"] {
        ben.says(message).await;
    }
    let budgets = read(&ben, "/budgets").await;
    assert_eq!(budgets["items"], ben.says("how are my budgets?").await["budgets"]);
    assert_eq!((&budgets["items"][0]["spent"], &budgets["items"][0]["left"]), (&json!("15.50"), &json!("184.50")));
    let recurring = read(&ben, "/recurring").await;
    assert_eq!(recurring["items"], ben.says("what are my recurring expenses?").await["remembered"]);
    assert_eq!(recurring["items"][0]["next"], "2026-12-01");
    assert_eq!(read(&service.who("demo", "anna", "member"), "/recurring?whose=me").await, json!({ "items": [] }));
}

#[tokio::test]
async fn all_that_is_remembered_is_listed_and_can_be_deleted_by_its_names() {
    let service = Setup::default().start().await;
    let ben = ben(&service);
    for message in ["budget 200 a month for food", "yes", "costa 3.50 in food", "yes"] {
        ben.says(message).await;
    }
    let found = read(&ben, "/preferences").await;
    let items = found["items"].as_array().expect("items");
    let told: Vec<String> =
        items.iter().map(|item| format!("{}: {}", item["kind"], item["text"]).replace('"', "")).collect();
    assert_eq!(told, ["budget: the budget for food, £200.00 a month", "category: “costa” as food"]);
    let delete =
        |item: &Value| json!({ "op": "delete", "kind": item["kind"], "id": item["id"], "version": item["version"] });
    let form = json!({ "operations": items.iter().map(delete).collect::<Vec<_>>(), "approve": true });
    assert_eq!(ben.post("/proposals", form).await.status, StatusCode::OK);
    assert_eq!(read(&ben, "/preferences").await, json!({ "items": [] }));
}

#[tokio::test]
async fn parameters_that_cannot_be_read_are_refused_with_what_is_possible() {
    const MALFORMED: &str = "`from` and `to` are dates like 2026-11-30, and `by` is none, category, month, week, day or item; each at most once. Correct it or leave it out.";
    let service = service().await;
    for (path, status, detail) in [
        ("/sums?by=year", 400, MALFORMED),
        ("/sums?from=november", 400, MALFORMED),
        ("/sums?from=2026-11-02&to=2026-11-01", 400, "`from` must not be after `to`. Correct it or leave it out."),
        ("/sums?minAmount=much", 400, "`minAmount` must be an amount, like \"12.50\". Correct it or leave it out."),
        (
            "/budgets?month=11",
            400,
            "There is no parameter \"month\" here, only `category`. Correct it or leave it out.",
        ),
        ("/preferences?x", 400, "There is no parameter \"x\" here, this address has none. Correct it or leave it out."),
    ] {
        let refused = ben(&service).get(path).await;
        assert_eq!((refused.status.as_u16(), &refused.body["detail"]), (status, &json!(detail)), "{path}");
    }
    let unknown = ben(&service).get("/sums?whose=carla").await;
    assert_eq!(unknown.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", unknown.body);
}

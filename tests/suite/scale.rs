//! What reading and writing cost as a tenant's rows grow. The short test compares the counted reads of two sizes;
//! `make scale` prints the figures of a large one.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use jiff::{ToSpan, civil::Date};
use sayso::{
    expenses::Expense,
    money::{Currency, Money},
    proposal::{Policy, Record},
};
use serde_json::{Value, json};

use crate::harness::{
    Person, Service, Setup, caller,
    scripted::{Scripted, calls},
    wire::TENANT,
};

const TODAY: Date = jiff::civil::date(2026, 11, 20);

/// Long enough to read everything without optimisation.
const BUDGET: Duration = Duration::from_secs(600);

/// Rows that are in memory at a time.
const IMPORTED_AT_ONCE: usize = 10_000;

/// What one request read.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cost {
    calls: usize,
    /// Queries: each reads at most 1 MB.
    pages: usize,
    /// Items that queries looked at, also those that a filter leaves out.
    items: u64,
}

/// Whether reads may grow with the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Growth {
    Constant,
    /// No index has amounts, notes or parts of texts. The answer says what was not looked at.
    WithRows,
}

enum Request {
    /// A message, and the tool that the model calls for it.
    Tool(&'static str, &'static str, Value),
    Route(&'static str),
}

fn requests() -> Vec<(Growth, Request)> {
    use Growth::{Constant, WithRows};
    let tool = |growth, message, name, arguments| (growth, Request::Tool(message, name, arguments));
    vec![
        tool(Constant, "show this week", "list_expenses", json!({ "range": "this week" })),
        tool(Constant, "show everything", "list_expenses", json!({})),
        tool(Constant, "show the zither lessons", "list_expenses", json!({ "words": "zither" })),
        tool(
            Constant,
            "what is in food this month?",
            "list_expenses",
            json!({ "category": "food", "range": "2026-11" }),
        ),
        tool(WithRows, "find zither", "list_expenses", json!({ "search": "zither" })),
        tool(WithRows, "find zitehr", "list_expenses", json!({ "search": "zitehr" })),
        tool(Constant, "how much this month?", "get_balance", json!({ "range": "2026-11" })),
        tool(Constant, "how much in all?", "get_balance", json!({})),
        tool(Constant, "how much on food?", "get_balance", json!({ "category": "food" })),
        tool(
            Constant,
            "how much on zither lessons this year?",
            "get_balance",
            json!({ "category": "zither", "range": "2026" }),
        ),
        tool(Constant, "by category", "summarize_expenses", json!({ "by": "category", "range": "2026" })),
        tool(Constant, "by month", "summarize_expenses", json!({ "by": "month", "range": "2026" })),
        tool(Constant, "by item this month", "summarize_expenses", json!({ "by": "item", "range": "2026-11" })),
        tool(Constant, "average a month", "summarize_expenses", json!({ "by": "none", "average": "month" })),
        tool(Constant, "my budgets", "get_budgets", json!({})),
        tool(Constant, "what recurs?", "list_recurring", json!({})),
        tool(Constant, "delete the zither book", "delete_expense", json!({ "description": "zither book" })),
        tool(
            Constant,
            "the zither book was 12",
            "update_expense",
            json!({ "description": "zither book", "amount": "12" }),
        ),
        tool(
            Constant,
            "delete all zither lessons",
            "propose_operations",
            json!({ "select": { "words": "zither lessons" } }),
        ),
        tool(Constant, "pizza 12", "add_expense", json!({ "item": "pizza", "amount": "12" })),
        tool(Constant, "undo what I did", "undo", json!({})),
        tool(WithRows, "over £900", "list_expenses", json!({ "more_than": "900" })),
        tool(WithRows, "the largest", "list_expenses", json!({ "order": "largest" })),
        tool(WithRows, "with a note", "list_expenses", json!({ "has_notes": true })),
        tool(WithRows, "anything about gifts", "list_expenses", json!({ "text": "gifts" })),
        (Constant, Request::Route("/expenses")),
        (Constant, Request::Route("/expenses?words=zither")),
        (Constant, Request::Route("/expenses?category=food&from=2026-11-01&to=2026-11-30")),
        (Constant, Request::Route("/expenses/1")),
        (Constant, Request::Route("/records/expense?limit=50")),
        (Constant, Request::Route("/receipts")),
    ]
}

struct Tenant {
    service: Service,
    model: Arc<Scripted>,
}

impl Tenant {
    /// A few expenses of this month, and `rows` older ones with `names` names over two years.
    async fn of(rows: usize, names: usize) -> Tenant {
        let model = Arc::new(Scripted::default());
        let service = Setup { policy: Policy::Always, budget: BUDGET, ..Setup::model(model.clone()) }.start().await;
        let tenant = Tenant { service, model };
        tenant.import(few().into_iter().chain((0..rows).map(|n| older(n, n * names / rows))), "me").await;
        tenant
    }

    async fn import(&self, expenses: impl Iterator<Item = Expense>, owner: &str) {
        let caller = caller("demo", owner);
        let writing = async {
            let store = self.service.store.tenant(caller.tenant());
            let mut drafts = expenses.map(|expense| expense.draft(owner)).peekable();
            while drafts.peek().is_some() {
                let some: Vec<_> = drafts.by_ref().take(IMPORTED_AT_ONCE).collect();
                let first = store.allocate_ids("E", some.len()).await.expect("ids");
                let records: Vec<Record> =
                    (first..).zip(some).map(|(id, draft)| Record { id, version: 1, draft }).collect();
                store.import(&records).await.expect("rows");
                // Recorded calls of a million rows would fill the memory.
                self.service.wire.take();
            }
        };
        TENANT.scope("demo".into(), writing).await;
    }

    async fn cost(&self, request: &Request) -> (Cost, Duration, String) {
        let me = self.service.person();
        self.service.wire.take();
        self.service.wire.looked_at();
        let started = Instant::now();
        let answer = match request {
            Request::Tool(message, tool, arguments) => {
                self.model.says(calls([(*tool, arguments.clone())]));
                // Nothing waits in a new conversation.
                let body = json!({ "message": message, "conversationId": message.replace(' ', "-") });
                let reply = me.post("/chat", body).await.body;
                reply["answer"].as_str().or(reply["title"].as_str()).unwrap_or_default().to_owned()
            }
            Request::Route(path) => me.get(path).await.status.to_string(),
        };
        let time = started.elapsed();
        let items = self.service.wire.looked_at().values().sum();
        let (calls, _) = self.service.wire.take();
        let pages = calls.iter().filter(|call| call.operation == "Query").count();
        (Cost { calls: calls.len(), pages, items }, time, answer)
    }
}

fn expense(item: &str, minor: i64, category: &str, date: Date) -> Expense {
    let (money, category) = (Money { minor, currency: Currency::GBP }, Some(category.to_owned()));
    Expense { item: item.into(), money, date, category, notes: None, lines: vec![], bank_id: None }
}

/// The same in every size.
fn few() -> Vec<Expense> {
    let ago = |days: i64| TODAY.saturating_sub(days.days());
    let mut few: Vec<Expense> = (0..6).map(|n| expense("Zither lessons", 2_500, "music", ago(3 * n))).collect();
    few.push(expense("Zither book", 1_100, "music", ago(2)));
    few.extend((0..12).map(|n| expense("Lunch", 900 + n, "food", ago(n))));
    few
}

/// In the months before this one.
fn older(n: usize, name: usize) -> Expense {
    let days = i64::try_from(25 + 7 * (n % 97)).expect("two years");
    let minor = 100 + i64::try_from(n % 900).expect("an amount");
    let category = ["food", "transport", "fun", "household"][n % 4];
    expense(&format!("Purchase {name}"), minor, category, TODAY.saturating_sub(days.days()))
}

#[tokio::test]
async fn only_amounts_notes_and_free_text_read_more_of_more_rows() {
    let (small, large) = (Tenant::of(400, 30).await, Tenant::of(1_600, 30).await);
    let mut different = Vec::new();
    for (growth, request) in requests() {
        let ((small, ..), (large, ..)) = (small.cost(&request).await, large.cost(&request).await);
        if growth == Growth::Constant && small != large {
            different.push(format!("{}: {small:?} became {large:?}", request.name()));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

/// Prints the figures. `SCALE_ROWS` and `SCALE_NAMES` set the size.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes: make scale"]
async fn the_figures_of_a_large_tenant() {
    let size = |name: &str, usual: usize| std::env::var(name).map_or(usual, |text| text.parse().expect("a number"));
    let (rows, names) = (size("SCALE_ROWS", 1_000_000), size("SCALE_NAMES", 50_000));
    let (small, started) = (Tenant::of(1_000, 1_000).await, Instant::now());
    let large = Tenant::of(rows, names).await;
    println!("{rows} rows with {names} names: {:.0} rows a second into an empty table", per_second(rows, started));
    println!("| request | rows | calls | pages | items | ms | answer |\n|---|---:|---:|---:|---:|---:|---|");
    for (growth, request) in requests() {
        for (count, tenant) in [(1_000, &small), (rows, &large)] {
            let (Cost { calls, pages, items }, time, answer) = tenant.cost(&request).await;
            let answer: String = answer.lines().next().unwrap_or_default().chars().take(90).collect();
            let name = format!("{}{}", request.name(), if growth == Growth::Constant { "" } else { " (grows)" });
            println!("| {name} | {count} | {calls} | {pages} | {items} | {:.1} | {answer} |", time.as_secs_f64() * 1e3);
        }
    }
    println!("\n| writers | members | adds a second | refused |\n|---:|---:|---:|---:|");
    for (writers, members) in [(1, 1), (4, 1), (16, 1), (64, 1), (10, 10), (64, 10)] {
        let (rate, refused) = adds(writers, members).await;
        println!("| {writers} | {members} | {rate:.0} | {refused} |");
    }
    println!("\nbulk: {:.0} rows a second", bulk().await);
}

fn per_second(count: usize, since: Instant) -> f64 {
    count as f64 / since.elapsed().as_secs_f64()
}

/// Adds that are executed at once by this many requests at a time, of one tenant.
async fn adds(writers: usize, members: usize) -> (f64, usize) {
    const EACH: usize = 20;
    let service = Setup::policy(Policy::Risky).start().await;
    let started = Instant::now();
    let writing = (0..writers).map(|writer| {
        let (service, user) = (&service, format!("member{}", writer % members));
        async move {
            let mut refused = 0;
            for n in 0..EACH {
                let me: Person<'_> = service.who("demo", &user, "member");
                let body =
                    json!({ "message": format!("item{writer}x{n} 3.50"), "conversationId": format!("c{writer}") });
                let response = me.post("/chat", body).await;
                refused += usize::from(!response.body["receipt"].is_object());
            }
            refused
        }
    });
    let refused: usize = join_all(writing).await.into_iter().sum();
    (per_second(writers * EACH - refused, started), refused)
}

/// A change of many rows, from the approval to the end of its run.
async fn bulk() -> f64 {
    const ROWS: usize = 5_000;
    let tenant = Tenant::of(ROWS, 500).await;
    let me = tenant.service.person();
    let select = json!({ "select": { "words": "purchase" }, "change": { "category": "other" } });
    tenant.model.says(calls([("propose_operations", select)]));
    let shown = me.says("put all purchases into other").await["proposal"].clone();
    let started = Instant::now();
    let mut done = me.decide(&shown, "approve").await;
    while done.status == http::StatusCode::ACCEPTED {
        done = me.decide(&shown, "approve").await;
    }
    assert!(done.body["receipt"].is_object(), "{}", done.body);
    per_second(ROWS, started)
}

impl Request {
    fn name(&self) -> String {
        match self {
            Request::Tool(_, tool, arguments) => format!("{tool} {arguments}"),
            Request::Route(path) => format!("GET {path}"),
        }
    }
}

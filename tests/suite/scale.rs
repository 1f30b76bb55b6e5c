//! What reading and writing cost as a tenant's rows grow. The short test compares the counted reads of two sizes;
//! `make scale` prints the figures of a large one.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use jiff::{ToSpan, civil::Date};
use sayso::{
    expenses::{self, Expense},
    http::openapi,
    model::embeddings::Embeddings,
    money::{Currency, Money},
    proposal::{Policy, Record},
    receipts, tenant,
    tool::Registry,
};
use serde_json::{Value, json};

use crate::harness::{
    Person, Service, Setup, caller,
    concepts::Concepts,
    scripted::{Scripted, calls, text},
    wire::{Call, TENANT},
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
    /// A path of a GET, in which `$id` is the proposal that waits.
    Route(&'static str),
    Post(&'static str, Value),
}

/// Those that read and write no rows: files, and what decides on one proposal, which the table of writers is about.
const OTHER_ROUTES: [&str; 20] = [
    "get /",
    "get /page/{file}",
    "get /manifest.webmanifest",
    "get /service-worker.js",
    "get /config.json",
    "get /openapi.json",
    "get /health",
    "get /mcp",
    "get /.well-known/oauth-protected-resource",
    "get /.well-known/oauth-protected-resource/mcp",
    "get /chat/{id}/stream",
    "get /api/chat/{id}/stream",
    "post /api/chat",
    "post /ag-ui",
    "post /proposals",
    "post /proposals/{id}/confirm",
    "post /proposals/{id}/reject",
    "post /proposals/{id}/stop",
    "post /proposals/{id}/undo",
    "post /chat",
];

/// Those that only end the loop or revise what waits, without reading a row.
const OTHER_TOOLS: [&str; 2] = ["ask_questions", "revise_proposal"];

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
        tool(
            Constant,
            "average a month on food",
            "summarize_expenses",
            json!({ "by": "none", "average": "month", "category": "food" }),
        ),
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
        tool(Constant, "what was #1 before?", "get_row_history", json!({ "id": 1 })),
        tool(WithRows, "find presents", "search_by_meaning", json!({ "query": "presents" })),
        tool(Constant, "a budget of 200 for food", "set_budget", json!({ "category": "food", "amount": "200" })),
        tool(Constant, "currency EUR", "set_currency", json!({ "currency": "EUR" })),
        tool(Constant, "which currency?", "get_currency", json!({})),
        tool(
            Constant,
            "rent 900 every month",
            "set_recurring",
            json!({ "item": "rent", "amount": "900", "every": "month" }),
        ),
        tool(Constant, "stop gym", "stop_recurring", json!({ "item": "gym" })),
        tool(Constant, "time zone Europe/London", "set_tenant", json!({ "timezone": "Europe/London" })),
        tool(Constant, "what did I say before?", "get_chat_history", json!({})),
        tool(
            Constant,
            "replace zither by harp in zither lessons",
            "propose_operations",
            json!({
                "select": { "words": "zither lessons" },
                "change": { "replace": { "field": "item", "find": "zither", "with": "harp" } },
            }),
        ),
        tool(
            Constant,
            "compare with last month",
            "summarize_expenses",
            json!({ "by": "none", "range": "2026-11", "compare": true }),
        ),
        tool(Constant, "all but food", "get_balance", json!({ "without": ["food"], "range": "2026-11" })),
        tool(
            WithRows,
            "by item of all years",
            "summarize_expenses",
            json!({ "by": "item", "range": "2020-01-01..2026-12-31" }),
        ),
        (Constant, Request::Route("/sums?by=category&from=2026-11-01&to=2026-11-30")),
        (Constant, Request::Route("/budgets")),
        (Constant, Request::Route("/recurring")),
        (Constant, Request::Route("/preferences")),
        (WithRows, Request::Route("/expenses/export?format=csv")),
        (Constant, Request::Route("/expenses/export?format=csv&from=2026-11-01")),
        (
            Constant,
            Request::Post(
                "/imports",
                json!({ "name": "bank.csv", "content": "Date,Description,Amount\n2026-11-18,Bakery,-4.20\n" }),
            ),
        ),
        (Constant, Request::Route("/conversations?limit=2")),
        (Constant, Request::Route("/conversations/waiting/turns")),
        (Constant, Request::Route("/proposals?state=waiting")),
        (Constant, Request::Route("/proposals/$id?run=false")),
        (Constant, Request::Route("/proposals/$id/operations")),
        (Constant, Request::Route("/records/expense/1")),
        (Constant, Request::Route("/me")),
        (Constant, Request::Post("/mcp", json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }))),
    ]
}

/// Of a tenant with several members.
fn requests_of_members() -> Vec<(Growth, Request)> {
    use Growth::{Constant, WithRows};
    let tool = |growth, message, name, arguments| (growth, Request::Tool(message, name, arguments));
    let mut requests = Vec::new();
    for (whose, of_one) in [("me", true), ("everyone", false), ("Ben", true)] {
        let growth = if of_one { Constant } else { WithRows };
        requests.extend([
            tool(Constant, "show the list", "list_expenses", json!({ "whose": whose })),
            tool(growth, "the largest", "list_expenses", json!({ "whose": whose, "order": "largest" })),
            tool(growth, "over £900", "list_expenses", json!({ "whose": whose, "more_than": "900" })),
            tool(growth, "find lunch", "list_expenses", json!({ "whose": whose, "search": "lunch" })),
            tool(Constant, "how much this month?", "get_balance", json!({ "whose": whose, "range": "2026-11" })),
            tool(growth, "by item", "summarize_expenses", json!({ "whose": whose, "by": "item", "range": "2026" })),
        ]);
    }
    requests.extend([
        tool(Constant, "delete all of mine", "propose_operations", json!({ "select": { "whose": "me" } })),
        (Constant, Request::Route("/expenses?whose=me")),
        (Constant, Request::Route("/expenses?whose=everyone")),
        (Constant, Request::Route("/expenses?whose=Ben")),
        (Constant, Request::Route("/expenses/export?format=csv&whose=me")),
        (Constant, Request::Route("/sums?by=category&whose=me&from=2026-11-01&to=2026-11-30")),
    ]);
    requests
}

struct Tenant {
    service: Service,
    model: Arc<Scripted>,
    /// The caller's role; administrators change the rows of others too.
    role: &'static str,
    /// The proposal that waits.
    waiting: String,
    asked: AtomicUsize,
    _concepts: Concepts,
}

const OTHERS: [&str; 9] = ["ben", "cleo", "dan", "eve", "finn", "gus", "hal", "ida", "jo"];

impl Tenant {
    /// A few expenses of this month, and `rows` older ones with `names` names over two years.
    async fn of(rows: usize, names: usize) -> Tenant {
        let mut tenant = Tenant::started("admin").await;
        tenant.import(few().into_iter().chain((0..rows).map(|n| older(n, n * names / rows))), "me").await;
        let gym = json!({ "item": "gym", "amount": "30", "every": "month", "starting": "2026-12-15" });
        let food = json!({ "category": "food", "amount": "300" });
        tenant.model.says(calls([("set_recurring", gym), ("set_budget", food)]));
        let said = "gym 30 every month from 2026-12-15, and a budget of 300 for food";
        let approved = tenant.me().decide(&tenant.me().says(said).await["proposal"], "approve").await;
        assert!(approved.body["receipt"].is_object(), "{}", approved.body);
        tenant.model.says(calls([("add_expense", json!({ "item": "tram", "amount": "2" }))]));
        let said = json!({ "message": "tram 2", "conversationId": "waiting" });
        let shown = tenant.me().post("/chat", said).await.body;
        tenant.waiting = shown["proposal"]["id"].as_str().expect("a proposal").to_owned();
        tenant
    }

    /// A few expenses of one member, and `rows` of the nine others.
    async fn of_members(rows: usize) -> Tenant {
        let tenant = Tenant::started("member").await;
        for other in OTHERS {
            tenant.model.says(text("Hello."));
            let name = if other == "ben" { "Ben" } else { other };
            tenant.service.who("demo", other, "member").called(name).says("hello").await;
        }
        tenant.import(few().into_iter(), "me").await;
        tenant.import(few().into_iter(), "ben").await;
        let others = &OTHERS[1..];
        for (place, other) in others.iter().enumerate() {
            let rows = (0..rows).filter(|n| n % others.len() == place);
            tenant.import(rows.map(newer), other).await;
        }
        tenant
    }

    async fn started(role: &'static str) -> Tenant {
        let (model, concepts) = (Arc::new(Scripted::default()), Concepts::start().await);
        let embeddings: Option<Arc<dyn Embeddings>> = Some(concepts.client("concepts"));
        let setup = Setup { policy: Policy::Always, budget: BUDGET, embeddings, ..Setup::model(model.clone()) };
        let service = setup.start().await;
        Tenant { service, model, role, waiting: String::new(), asked: AtomicUsize::new(0), _concepts: concepts }
    }

    fn me(&self) -> Person<'_> {
        self.service.who("demo", "me", self.role)
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
        let me = self.me();
        self.service.wire.take();
        self.service.wire.looked_at();
        let started = Instant::now();
        let answer = match request {
            Request::Tool(message, tool, arguments) => {
                self.model.says(calls([(*tool, arguments.clone())]));
                // Nothing waits in a new conversation.
                let body = json!({ "message": message, "conversationId": format!("asked{:04}", self.asked.fetch_add(1, Ordering::Relaxed)) });
                let reply = me.post("/chat", body).await.body;
                reply["answer"].as_str().or(reply["title"].as_str()).unwrap_or_default().to_owned()
            }
            Request::Route(path) => me.get(&path.replace("$id", &self.waiting)).await.status.to_string(),
            Request::Post(path, body) => me.post(path, body.clone()).await.status.to_string(),
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

/// Of this month: newer than most of the others' few.
fn newer(n: usize) -> Expense {
    let minor = 100 + i64::try_from(n % 900).expect("an amount");
    let ago = i64::try_from(n % 15).expect("days");
    expense(&format!("Purchase {}", n % 30), minor, ["food", "music"][n % 2], TODAY.saturating_sub(ago.days()))
}

/// The requests that read more of more rows and should not, and those that did not succeed.
async fn unexpected(small: &Tenant, large: &Tenant, requests: Vec<(Growth, Request)>) -> Vec<String> {
    let mut unexpected = Vec::new();
    for (growth, request) in requests {
        let ((small, ..), (large, _, answer)) = (small.cost(&request).await, large.cost(&request).await);
        if growth == Growth::Constant && small != large {
            unexpected.push(format!("{}: {small:?} became {large:?}", request.name()));
        }
        if !matches!(request, Request::Tool(..)) && answer != "200 OK" {
            unexpected.push(format!("{}: {answer}", request.name()));
        }
    }
    unexpected
}

#[tokio::test]
async fn only_amounts_notes_and_free_text_read_more_of_more_rows() {
    let unexpected = unexpected(&Tenant::of(400, 30).await, &Tenant::of(1_600, 30).await, requests()).await;
    assert!(unexpected.is_empty(), "{}", unexpected.join("\n"));
}

#[tokio::test]
async fn what_one_member_asks_for_reads_no_more_of_more_rows_of_others() {
    let (small, large) = (Tenant::of_members(200).await, Tenant::of_members(800).await);
    let unexpected = unexpected(&small, &large, requests_of_members()).await;
    assert!(unexpected.is_empty(), "{}", unexpected.join("\n"));
}

#[test]
fn every_tool_and_route_is_among_the_requests() {
    let requests = requests();
    let toolkits = [expenses::toolkit(), receipts::toolkit(), tenant::toolkit()];
    let registry = Registry::new(|| Duration::ZERO, &toolkits).expect("toolkits");
    let registered: BTreeSet<&str> = registry.specs().iter().map(|spec| spec.name).collect();
    let asked = requests.iter().filter_map(|(_, request)| match request {
        Request::Tool(_, tool, _) => Some(*tool),
        _ => None,
    });
    assert_eq!(asked.chain(OTHER_TOOLS).collect::<BTreeSet<_>>(), registered);
    let route_of = |method: &str, path: &str| {
        let parts: Vec<&str> = path.split('?').next().unwrap_or_default().split('/').collect();
        let fits = |route: &openapi::Route| {
            let own: Vec<&str> = route.path.split('/').collect();
            let same = |(own, part): (&&str, &&str)| own == part || own.starts_with('{');
            route.method == method && own.len() == parts.len() && own.iter().zip(&parts).all(same)
        };
        let routes = openapi::routes();
        let found = routes.iter().filter(|route| fits(route)).min_by_key(|route| route.path.matches('{').count());
        found.map(|route| format!("{method} {}", route.path)).unwrap_or_else(|| panic!("no route {method} {path}"))
    };
    let asked = requests.iter().filter_map(|(_, request)| match request {
        Request::Tool(..) => None,
        Request::Route(path) => Some(route_of("get", path)),
        Request::Post(path, _) => Some(route_of("post", path)),
    });
    let described = openapi::routes().iter().map(|route| format!("{} {}", route.method, route.path)).collect();
    let asked: BTreeSet<String> = asked.chain(OTHER_ROUTES.map(str::to_owned)).collect();
    assert_eq!(asked, described);
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
    print(&[(1_000, &small), (rows, &large)], requests()).await;
    drop((small, large));
    println!("\n10 members, and the rows are of 8 of them");
    let (small, large) = (Tenant::of_members(1_000).await, Tenant::of_members(rows).await);
    print(&[(1_000, &small), (rows, &large)], requests_of_members()).await;
    drop((small, large));
    println!("\n| writers | members | adds a second | conflicts | refused |\n|---:|---:|---:|---:|---:|");
    for (writers, members) in [(1, 1), (4, 1), (16, 1), (64, 1), (10, 10), (64, 10)] {
        let (rate, conflicts, refused) = adds(writers, members).await;
        println!("| {writers} | {members} | {rate:.0} | {conflicts} | {refused} |");
    }
    println!("\nbulk: {:.0} rows a second", bulk().await);
}

async fn print(tenants: &[(usize, &Tenant)], requests: Vec<(Growth, Request)>) {
    println!("| request | rows | calls | pages | items | ms | answer |\n|---|---:|---:|---:|---:|---:|---|");
    for (growth, request) in requests {
        for (count, tenant) in tenants {
            let (Cost { calls, pages, items }, time, answer) = tenant.cost(&request).await;
            let answer: String = answer.lines().next().unwrap_or_default().chars().take(90).collect();
            let name = format!("{}{}", request.name(), if growth == Growth::Constant { "" } else { " (grows)" });
            println!("| {name} | {count} | {calls} | {pages} | {items} | {:.1} | {answer} |", time.as_secs_f64() * 1e3);
        }
    }
}

fn per_second(count: usize, since: Instant) -> f64 {
    count as f64 / since.elapsed().as_secs_f64()
}

/// Adds that are executed at once by this many requests at a time, of one tenant: how many a second, how many
/// transactions were sent again, and how many requests were refused.
async fn adds(writers: usize, members: usize) -> (f64, usize, usize) {
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
    let written = writers * EACH - refused;
    let (calls, _) = service.wire.take();
    let has_rows = |call: &&Call| call.operation == "TransactWriteItems" && call.body.to_string().contains("byOwner");
    let conflicts = calls.iter().filter(has_rows).count().saturating_sub(written);
    (per_second(written, started), conflicts, refused)
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
            Request::Post(path, _) => format!("POST {path}"),
        }
    }
}

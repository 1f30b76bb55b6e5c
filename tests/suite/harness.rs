//! The whole service over an embedded DynamoDB in memory, with a scripted or the offline model, a clock that the test
//! sets, and a wire that records every store call.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::{Router, body::Body};
use http::{Method, Request, StatusCode};
use http_body_util::BodyExt;
use jiff::{Timestamp, civil::date, tz::TimeZone};
use proptest::test_runner::{Config as PropertyConfig, TestRunner, contextualize_config};
use sayso::{
    agent::{Agent, Defaults, SweepReport},
    app::App,
    config::Auth,
    expenses,
    http::Remaining,
    identity::{Caller, ClaimNames, VerifiedClaims},
    local::{EmbeddedDynamoDb, Storage, made_up},
    model::{Model, embeddings::Embeddings, offline::Offline},
    money::Currency,
    proposal::{Policy, Record, Rollup, RollupKey, contribute},
    receipts,
    store::{Among, ListQuery, Store, table},
    tenant,
    tool::{Registry, Toolkit},
};
use serde_json::{Value, json};
use tower::ServiceExt;

pub mod bench;
pub mod concepts;
pub mod conversation;
pub mod endpoint;
pub mod events;
pub mod kill;
pub mod log;
pub mod moto;
pub mod runtime_api;
pub mod scenario;
pub mod scripted;
pub mod turnstile;
pub mod wire;

use wire::{EVERYBODY, TENANT, Wire};

/// Tries so many cases of a property, or as many as `PROPTEST_CASES` says.
pub fn property(cases: u32) -> TestRunner {
    let config = PropertyConfig { cases, failure_persistence: None, ..PropertyConfig::default() };
    TestRunner::new(contextualize_config(config))
}

/// Noon of a Friday.
pub const NOW: &str = "2026-11-20T12:00:00Z";

/// The time of a turn.
pub const BUDGET: Duration = Duration::from_secs(25);

pub struct Service {
    pub wire: Wire,
    pub store: Store,
    router: Router,
    app: Arc<App>,
    clock: Arc<AtomicI64>,
    /// How long the host lets a request run; none if it does not say.
    granted: Mutex<Option<Duration>>,
    _dynamodb: Arc<EmbeddedDynamoDb>,
}

/// The parts of a service. `Setup::default()` is what `make run` serves, with the policy `always`.
pub struct Setup {
    pub policy: Policy,
    pub currency: Option<&'static str>,
    pub model: Arc<dyn Model>,
    pub fallback: Option<Arc<dyn Model>>,
    pub embeddings: Option<Arc<dyn Embeddings>>,
    pub toolkits: Vec<Toolkit>,
    pub budget: Duration,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            policy: Policy::Always,
            currency: Some("GBP"),
            model: Arc::new(Offline),
            fallback: None,
            embeddings: None,
            toolkits: vec![expenses::toolkit(), receipts::toolkit(), tenant::toolkit()],
            budget: BUDGET,
        }
    }
}

/// An administrator.
pub fn caller(tenant: &str, user: &str) -> Caller {
    let names = ClaimNames { tenant: "t".into(), user: "u".into(), name: "name".into(), roles: Some("r".into()) };
    let claims = [("t", tenant), ("u", user), ("r", "admin")].map(|(name, claim)| (name.to_owned(), json!(claim)));
    Caller::from_claims(&VerifiedClaims(claims.into()), &names).expect("a caller")
}

impl Setup {
    pub fn policy(policy: Policy) -> Setup {
        Setup { policy, ..Setup::default() }
    }

    pub fn model(model: Arc<dyn Model>) -> Setup {
        Setup { model, ..Setup::default() }
    }

    pub async fn start(self) -> Service {
        let dynamodb = EmbeddedDynamoDb::start(Storage::Memory).expect("an embedded database");
        let wire = Wire::over(&dynamodb.service());
        let service = wire.under(dynamodb.service());
        let store = Store::new(service, "sayso");
        table::create_if_absent(&store.client(), "sayso").await.expect("a table");
        self.over(store, wire, Arc::new(dynamodb))
    }

    /// The same table with another program, as after a deployment.
    pub fn after(self, service: &Service) -> Service {
        self.over(service.store.clone(), service.wire.clone(), Arc::clone(&service._dynamodb))
    }

    fn over(self, store: Store, wire: Wire, dynamodb: Arc<EmbeddedDynamoDb>) -> Service {
        let clock = Arc::new(AtomicI64::new(NOW.parse::<Timestamp>().expect("a time").as_millisecond()));
        let agent = Agent {
            store: store.clone(),
            registry: Registry::new(|| Duration::ZERO, &self.toolkits).expect("toolkits that fit together"),
            model: self.model,
            fallback: self.fallback,
            embeddings: self.embeddings,
            defaults: Defaults {
                currency: self.currency.map(str::to_owned),
                timezone: TimeZone::UTC,
                policy: self.policy,
            },
            pause: |_| Duration::ZERO,
            rows_per_second: None,
        };
        let now = clock.clone();
        let nonces = AtomicU64::new(0);
        let app = App {
            agent,
            auth: Auth::Dev,
            sign_in: None,
            public_url: None,
            stream_audience: None,
            budget: self.budget,
            claim_names: ClaimNames {
                tenant: "t".into(),
                user: "u".into(),
                name: "name".into(),
                roles: Some("r".into()),
            },
            now: Box::new(move || Timestamp::from_millisecond(now.load(Ordering::SeqCst)).expect("a time")),
            nonce: Box::new(move || u128::from(nonces.fetch_add(1, Ordering::SeqCst) + 1).to_be_bytes()),
        };
        wire.take();
        let app = Arc::new(app);
        let router = sayso::http::service(Arc::clone(&app));
        Service { wire, store, router, app, clock, granted: Mutex::default(), _dynamodb: dynamodb }
    }
}

impl Service {
    pub fn advance(&self, by: Duration) {
        self.clock.fetch_add(i64::try_from(by.as_millis()).expect("a short time"), Ordering::SeqCst);
    }

    /// Sets the clock.
    pub fn at(&self, time: &str) {
        let time = time.parse::<Timestamp>().expect("a time").as_millisecond();
        self.clock.store(time, Ordering::SeqCst);
    }

    /// Limits the time of every later request.
    pub fn grant(&self, time: Duration) {
        *self.granted.lock().expect("no panic") = Some(time);
    }

    /// Generated expenses of the person, up to two years old.
    pub async fn fill(&self, count: usize) -> Vec<Record> {
        let today = Timestamp::from_millisecond(self.clock.load(Ordering::SeqCst)).expect("a time");
        let drafts = made_up(count, Currency::GBP, today.to_zoned(TimeZone::UTC).date());
        let caller = caller("demo", "me");
        let filling = async {
            let store = self.store.tenant(caller.tenant());
            let first = store.allocate_ids("E", count).await.expect("ids");
            let records = (first..).zip(drafts).map(|(id, draft)| Record { id, version: 1, draft });
            let records: Vec<Record> = records.collect();
            store.import(&records).await.expect("rows");
            records
        };
        TENANT.scope("demo".into(), filling).await
    }

    /// Runs the scheduled sweep.
    pub async fn sweep(&self) -> SweepReport {
        TENANT.scope(EVERYBODY.into(), self.app.sweep(None)).await.expect("the store answers")
    }

    /// A tenant's stored rollups, and those recomputed from its rows.
    pub async fn rollups(&self) -> (BTreeMap<RollupKey, Rollup>, BTreeMap<RollupKey, Rollup>) {
        let caller = caller("demo", "me");
        let reading = async {
            let store = self.store.tenant(caller.tenant());
            let (from, to) = (date(1970, 1, 1), date(9999, 12, 31));
            let query = ListQuery {
                kind: "E",
                among: Among::All,
                from,
                to,
                conditions: vec![],
                limit: 100_000,
                after: None,
                oldest_first: false,
            };
            let rows = store.list(&query).await.expect("rows").records;
            let stored = store.rollups("E", from, to).await.expect("rollups").into_iter();
            let stored = stored.filter_map(|(key, rollup)| Some((key, rollup.without_zeros()?))).collect();
            let mut recomputed: BTreeMap<RollupKey, Rollup> = BTreeMap::new();
            rows.iter().for_each(|row| contribute(&mut recomputed, &row.draft, 1));
            (stored, recomputed)
        };
        TENANT.scope("demo".into(), reading).await
    }

    pub fn person(&self) -> Person<'_> {
        self.who("demo", "me", "admin")
    }

    pub fn who<'a>(&'a self, tenant: &'a str, user: &'a str, role: &'a str) -> Person<'a> {
        Person { service: self, tenant, user, role, name: None }
    }
}

/// A user with a client.
#[derive(Clone, Copy)]
pub struct Person<'a> {
    service: &'a Service,
    tenant: &'a str,
    user: &'a str,
    role: &'a str,
    name: Option<&'a str>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    pub status: StatusCode,
    pub headers: http::HeaderMap,
    pub body: Value,
    pub bytes: Vec<u8>,
}

impl<'a> Person<'a> {
    /// With a display name.
    pub fn called(self, name: &'a str) -> Person<'a> {
        Person { name: Some(name), ..self }
    }

    /// Sends a message and returns the reply. Anything but 200 fails the test.
    pub async fn says(&self, message: &str) -> Value {
        self.chat(json!({ "message": message })).await
    }

    pub async fn chat(&self, body: Value) -> Value {
        let response = self.post("/chat", body).await;
        assert_eq!(response.status, StatusCode::OK, "{}", response.body);
        response.body
    }

    pub async fn answer(&self, message: &str) -> String {
        self.says(message).await["answer"].as_str().expect("an answer").to_owned()
    }

    pub async fn post(&self, path: &str, body: Value) -> Response {
        self.send(Method::POST, path, body.to_string().into_bytes()).await
    }

    /// Sends it as a client that takes a stream, and returns the response before its body is read.
    pub async fn open(&self, path: &str, body: Value) -> http::Response<Body> {
        self.service.wire.serves(self.tenant);
        let accept = [("accept", "text/event-stream, application/json")];
        self.call(Method::POST, path, Body::from(body.to_string()), &accept).await
    }

    /// The response before its body is read.
    pub async fn open_read(&self, path: &str) -> http::Response<Body> {
        self.service.wire.serves(self.tenant);
        self.call(Method::GET, path, Body::empty(), &[]).await
    }

    /// The events of the answer. Anything but a stream fails the test.
    pub async fn stream(&self, path: &str, body: Value) -> Vec<(String, Value)> {
        let response = self.open(path, body).await;
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        events::read(&response.into_body().collect().await.expect("a body").to_bytes())
    }

    pub async fn get(&self, path: &str) -> Response {
        self.send(Method::GET, path, vec![]).await
    }

    pub async fn decide(&self, proposal: &Value, decision: &str) -> Response {
        let body = json!({ "confirm": {
            "proposalId": proposal["id"], "fingerprint": proposal["fingerprint"], "decision": decision,
        }});
        self.post("/chat", body).await
    }

    /// The rows, newest first.
    pub async fn rows(&self) -> Vec<Value> {
        let response = self.get("/expenses").await;
        assert_eq!(response.status, StatusCode::OK, "{}", response.body);
        response.body["items"].as_array().expect("items").clone()
    }

    /// The items of a list, over all its pages.
    pub async fn items_of_all_pages(&self, path: &str) -> Vec<Value> {
        let sign = if path.contains('?') { '&' } else { '?' };
        let (mut items, mut next) = (Vec::new(), String::new());
        loop {
            let page = self.get(&format!("{path}{next}")).await.body;
            items.extend_from_slice(page["items"].as_array().expect("items"));
            let Some(cursor) = page["nextCursor"].as_str() else { return items };
            next = format!("{sign}cursor={cursor}");
        }
    }

    /// The ids of a list's rows, over all its pages.
    pub async fn ids_of_all_pages(&self, path: &str) -> Vec<u64> {
        self.items_of_all_pages(path).await.iter().map(|row| row["id"].as_u64().expect("a number")).collect()
    }

    pub async fn send(&self, method: Method, path: &str, body: Vec<u8>) -> Response {
        self.send_with(method, path, body, &[]).await
    }

    pub async fn send_with(&self, method: Method, path: &str, body: Vec<u8>, headers: &[(&str, &str)]) -> Response {
        self.send_body(method, path, Body::from(body), headers).await
    }

    /// The headers are added to those of the caller.
    pub async fn send_body(&self, method: Method, path: &str, body: Body, headers: &[(&str, &str)]) -> Response {
        let (parts, body) = self.call(method, path, body, headers).await.into_parts();
        // A long answer is read while it is sent.
        let body = TENANT.scope(self.tenant.to_owned(), body.collect());
        let bytes = body.await.expect("a body").to_bytes().to_vec();
        let body = serde_json::from_slice(&bytes).unwrap_or_default();
        Response { status: parts.status, headers: parts.headers, body, bytes }
    }

    async fn call(&self, method: Method, path: &str, body: Body, headers: &[(&str, &str)]) -> http::Response<Body> {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in [("x-tenant-id", self.tenant), ("x-user-id", self.user), ("x-roles", self.role)] {
            request = request.header(name, value);
        }
        if let Some(name) = self.name {
            request = request.header("x-user-name", name);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut request = request.body(body).expect("a request");
        let granted = *self.service.granted.lock().expect("no panic");
        if let Some(granted) = granted {
            request.extensions_mut().insert(Remaining(granted));
        }
        let call = self.service.router.clone().oneshot(request);
        TENANT.scope(self.tenant.to_owned(), call).await.expect("the service answers")
    }
}

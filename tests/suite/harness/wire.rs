//! A connection in front of the embedded database. It records every store call, counts sequential round trips, checks
//! that each call uses only the caller's tenant's keys, can hold calls back, and simulates failures that the emulator
//! does not have.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use sayso::{
    aws::Service,
    outbound::{Connection, Request, Response, SendError, Sending},
};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::turnstile::Turnstile;

tokio::task_local! {
    /// The tenant whose keys this task may use.
    pub static TENANT: String;
}

/// For a task that serves all tenants.
pub const EVERYBODY: &str = "*";

/// What happens to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is served normally.
    Served,
    /// It succeeds, but nothing of the batch is written.
    Unprocessed,
    /// It never arrives, and the caller gets no answer.
    DropBefore,
    /// It takes effect, but the caller gets no answer.
    CommitThenDrop,
    /// Cancelled because of a conflicting transaction.
    Conflict,
    InProgress,
    Throttle,
    /// The client request token was used with another body.
    Mismatch,
    ServerError,
    /// It takes effect later, when the test decides. Until then the caller has no answer.
    Late,
    /// A single-item call that meets a transaction in progress.
    ItemConflict,
    /// A query returns an empty page, and there are more.
    EmptyPage,
    /// Cancelled because the first action conflicts and a row's condition fails. A commit in progress looks like this.
    ConflictAndRow,
    /// Refused because the partition holds as much as it can.
    Full,
}

#[derive(Clone)]
pub struct Wire {
    real: Arc<dyn Connection>,
    state: Arc<Mutex<State>>,
    gate: Arc<Semaphore>,
    late: Arc<Mutex<Vec<Request>>>,
    /// Orders calls of tasks that use it.
    pub turnstile: Turnstile,
    /// The tenant of calls whose task sets none; `*` allows every tenant.
    tenant: Option<String>,
}

#[derive(Debug, Default)]
struct State {
    calls: Vec<Call>,
    /// Items that queries of each index have looked at.
    looked_at: BTreeMap<String, u64>,
    rounds: usize,
    in_flight: usize,
    fates: VecDeque<(&'static str, Fate)>,
    /// The tenant of calls of tasks that the service spawned.
    spawned: Option<String>,
    /// An operation, and how many of its calls pass before they are held.
    held: Option<(&'static str, usize)>,
    holding: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub operation: String,
    pub tenant: Option<String>,
    pub body: Value,
}

impl Wire {
    /// Wraps the connection of this service.
    pub fn over(service: &Service) -> Wire {
        Wire {
            real: service.connection.clone(),
            state: Arc::default(),
            gate: Arc::new(Semaphore::new(0)),
            late: Arc::default(),
            turnstile: Turnstile::default(),
            tenant: None,
        }
    }

    /// The same service, limited to one tenant's keys.
    pub fn watching(service: Service, tenant: &str) -> Service {
        let wire = Wire { tenant: Some(tenant.to_owned()), ..Wire::over(&service) };
        wire.under(service)
    }

    pub fn under(&self, service: Service) -> Service {
        service.over(self.clone())
    }

    /// From now on, tasks that the service spawns use this tenant's keys.
    pub fn serves(&self, tenant: &str) {
        self.lock().spawned = Some(tenant.to_owned());
    }

    /// The fates of the next calls of these operations, in order.
    pub fn fail(&self, fates: impl IntoIterator<Item = (&'static str, Fate)>) {
        self.lock().fates.extend(fates);
    }

    /// Removes fates that no call has met yet.
    pub fn clear(&self) {
        self.lock().fates.clear();
    }

    /// Every call of this operation waits until it is released.
    pub fn hold(&self, operation: &'static str) {
        self.hold_after(operation, 0);
    }

    /// This many calls of the operation pass. Every later one waits until it is released.
    pub fn hold_after(&self, operation: &'static str, passing: usize) {
        self.lock().held = Some((operation, passing));
    }

    /// Waits until a call is held.
    pub async fn held(&self) {
        while self.lock().holding == 0 {
            tokio::task::yield_now().await;
        }
    }

    pub fn release(&self) {
        let mut state = self.lock();
        state.held = None;
        self.gate.add_permits(std::mem::take(&mut state.holding));
    }

    /// Delivers the late calls, and returns their statuses.
    pub async fn arrive_late(&self) -> Vec<u16> {
        let mut statuses = Vec::new();
        let late = std::mem::take(&mut *self.late.lock().unwrap_or_else(PoisonError::into_inner));
        for request in late {
            statuses.push(self.real.send(request).await.expect("the database answers").status().as_u16());
        }
        statuses
    }

    /// The calls since the last time, and their number of sequential round trips. Calls issued together count once.
    pub fn take(&self) -> (Vec<Call>, usize) {
        let mut state = self.lock();
        let rounds = std::mem::take(&mut state.rounds);
        (std::mem::take(&mut state.calls), rounds)
    }

    /// The items that queries looked at since the last time, by index; those of the table itself under an empty name.
    pub fn looked_at(&self) -> BTreeMap<String, u64> {
        std::mem::take(&mut self.lock().looked_at)
    }

    pub fn waiting(&self) -> usize {
        self.lock().in_flight
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, call: Call) -> (Option<Fate>, bool) {
        check_tenant(&call);
        let mut state = self.lock();
        if state.in_flight == 0 {
            state.rounds += 1;
        }
        state.in_flight += 1;
        let held = match &mut state.held {
            Some((operation, passing)) if *operation == call.operation && *passing == 0 => true,
            Some((operation, passing)) if *operation == call.operation => {
                *passing -= 1;
                false
            }
            _ => false,
        };
        state.holding += usize::from(held);
        let next = state.fates.front().is_some_and(|(operation, _)| *operation == call.operation);
        let fate = next.then(|| state.fates.pop_front()).flatten().map(|(_, fate)| fate);
        state.calls.push(call);
        (fate, held)
    }
}

impl std::fmt::Debug for Wire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Wire")
    }
}

impl Connection for Wire {
    fn send(&self, request: Request) -> Sending {
        let wire = self.clone();
        let target = request.headers().get("x-amz-target").and_then(|target| target.to_str().ok()).unwrap_or_default();
        let operation = target.rsplit('.').next().unwrap_or_default().to_owned();
        let body: Value = serde_json::from_slice(request.body()).expect("bodies are JSON");
        let index = body["IndexName"].as_str().unwrap_or_default().to_owned();
        let tenant = TENANT.try_with(Clone::clone).ok().or(wire.tenant.clone());
        let tenant = tenant.or_else(|| wire.lock().spawned.clone());
        let call = Call { operation, tenant, body };
        Box::pin(async move {
            let actions = call.body["TransactItems"].as_array().map_or(0, Vec::len);
            let (fate, held) = wire.begin(call);
            // Calls that are issued together all begin before the first one ends.
            tokio::task::yield_now().await;
            if held {
                wire.gate.acquire().await.expect("the gate is never closed").forget();
            }
            wire.turnstile.pass().await;
            let result = match fate {
                Some(Fate::Late) => {
                    wire.late.lock().unwrap_or_else(PoisonError::into_inner).push(request);
                    Err(SendError::CutOff(": nothing was heard".into()))
                }
                fate => meet(fate, actions, &*wire.real, request).await,
            };
            wire.turnstile.passed();
            let answer = result.as_ref().ok().map(|response| serde_json::from_slice(response.body()));
            let answer: Option<Value> = answer.and_then(Result::ok);
            let mut state = wire.lock();
            if let Some(items) = answer.and_then(|answer| answer["ScannedCount"].as_u64()) {
                *state.looked_at.entry(index).or_default() += items;
            }
            state.in_flight -= 1;
            drop(state);
            result
        })
    }
}

async fn meet(
    fate: Option<Fate>,
    actions: usize,
    real: &dyn Connection,
    request: Request,
) -> Result<Response, SendError> {
    let silence = || SendError::CutOff(": the connection was closed".into());
    match fate {
        None | Some(Fate::Served) => real.send(request).await,
        Some(Fate::Unprocessed) => {
            let body: Value = serde_json::from_slice(request.body()).expect("JSON");
            let answer = json!({ "UnprocessedItems": body["RequestItems"] });
            Ok(Response::new(answer.to_string().into()))
        }
        Some(Fate::EmptyPage) => {
            let query: Value = serde_json::from_slice(request.body()).expect("JSON");
            let text = |text: &str| json!({ "S": text });
            let last = json!({
                "pk": query["ExpressionAttributeValues"][":pk"], "sk": text("E#000000000001"),
                "byOrder": text("E#2026-11-20#000000000001"),
            });
            let answer = json!({ "Items": [], "Count": 0, "ScannedCount": 0, "LastEvaluatedKey": last });
            Ok(Response::new(answer.to_string().into()))
        }
        Some(Fate::DropBefore) => Err(silence()),
        Some(Fate::CommitThenDrop) => {
            real.send(request).await?;
            Err(silence())
        }
        Some(Fate::Conflict) => {
            let reasons = vec![json!({ "Code": "TransactionConflict", "Message": "Transaction is ongoing" }); actions];
            Ok(error(400, "TransactionCanceledException", json!({ "CancellationReasons": reasons })))
        }
        Some(Fate::ItemConflict) => Ok(error(400, "TransactionConflictException", json!({}))),
        Some(Fate::ConflictAndRow) => {
            let mut reasons = vec![json!({ "Code": "None" }); actions];
            reasons[0] = json!({ "Code": "TransactionConflict", "Message": "Transaction is ongoing" });
            reasons[3] = json!({ "Code": "ConditionalCheckFailed", "Message": "The conditional request failed" });
            Ok(error(400, "TransactionCanceledException", json!({ "CancellationReasons": reasons })))
        }
        Some(Fate::Late) => unreachable!("kept for later"),
        Some(Fate::InProgress) => Ok(error(400, "TransactionInProgressException", json!({}))),
        Some(Fate::Full) if actions > 0 => {
            let mut reasons = vec![json!({ "Code": "None" }); actions];
            reasons[0] = json!({ "Code": "ItemCollectionSizeLimitExceeded", "Message": "Collection size exceeded." });
            Ok(error(400, "TransactionCanceledException", json!({ "CancellationReasons": reasons })))
        }
        Some(Fate::Full) => Ok(error(400, "ItemCollectionSizeLimitExceededException", json!({}))),
        Some(Fate::Throttle) => Ok(error(400, "ProvisionedThroughputExceededException", json!({}))),
        Some(Fate::Mismatch) => Ok(error(400, "IdempotentParameterMismatchException", json!({}))),
        Some(Fate::ServerError) => Ok(error(500, "InternalServerError", json!({}))),
    }
}

fn error(status: u16, kind: &str, mut body: Value) -> Response {
    body["__type"] = json!(format!("com.amazonaws.dynamodb.v20120810#{kind}"));
    body["message"] = json!("injected");
    let mut response = Response::new(body.to_string().into());
    *response.status_mut() = status.try_into().expect("a status");
    response
}

/// Every partition key in a call must belong to the caller's tenant.
fn check_tenant(call: &Call) {
    if matches!(call.operation.as_str(), "CreateTable" | "DescribeTable") {
        return;
    }
    let Some(tenant) = &call.tenant else { panic!("a store call on nobody's behalf: {}", call.operation) };
    let keys = partition_keys(&call.body);
    if tenant == EVERYBODY {
        let tenants: BTreeSet<&str> = keys.iter().filter_map(|key| key.split('#').nth(1)).collect();
        let looks_for_runs = call.operation == "Query" && call.body["IndexName"] == "due";
        assert!(looks_for_runs || tenants.len() == 1, "{} touches {keys:?}", call.operation);
        return;
    }
    let encoded = percent_encoding::utf8_percent_encode(tenant, UNRESERVED);
    let own = ["", "#P", "#C", "#V"].map(|part| format!("T#{encoded}{part}"));
    let of_a_proposal = format!("T#{encoded}#P#");
    assert!(!keys.is_empty(), "{} names no partition", call.operation);
    for key in keys {
        assert!(
            own.contains(&key) || key.starts_with(&of_a_proposal),
            "{} of tenant {tenant} touches {key}",
            call.operation
        );
    }
}

const UNRESERVED: &percent_encoding::AsciiSet =
    &percent_encoding::NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

fn partition_keys(value: &Value) -> Vec<String> {
    match value {
        Value::Object(fields) => {
            let own =
                ["pk", ":pk"].into_iter().filter_map(|name| fields.get(name)?.get("S")?.as_str().map(str::to_owned));
            own.chain(fields.values().flat_map(partition_keys)).collect()
        }
        Value::Array(items) => items.iter().flat_map(partition_keys).collect(),
        _ => vec![],
    }
}

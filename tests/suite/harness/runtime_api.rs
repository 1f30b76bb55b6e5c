//! A Lambda Runtime API on loopback, with the program and its own DynamoDB.
//!
//! `SAYSO_DEPLOYED` is the path of the deployed program: optimised and without features. If it is not set, the
//! development build runs.

use std::{
    future::IntoFuture,
    io::{BufRead, BufReader},
    net::Ipv4Addr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
    thread::JoinHandle,
    time::{Duration, Instant, SystemTime},
};

use axum::{
    Router,
    body::Bytes,
    extract::{self, State},
    http::{HeaderMap, StatusCode},
    response::{AppendHeaders, IntoResponse},
    routing::{get, post},
};
use sayso::{
    local::{EmbeddedDynamoDb, Storage},
    store::{Store, table},
};
use serde_json::Value;
use tokio::{
    net::TcpListener,
    sync::{mpsc, oneshot, watch},
    time::timeout,
};

/// A time limit for everything, so that a missing event is reported and not waited for.
const PATIENCE: Duration = Duration::from_secs(60);

const DYNAMODB: &str = "AWS_ENDPOINT_URL_DYNAMODB";

/// In milliseconds since 1970: the deadline that the emulator of `cargo lambda` sends.
pub const IN_1970: u64 = 60_000;

/// The running program; killed when dropped.
pub struct Function {
    pub child: Child,
    #[allow(dead_code, reason = "the benchmark asks")]
    pub launched: Instant,
    api: Arc<RuntimeApi>,
    logs: Option<JoinHandle<Vec<String>>>,
    _dynamodb: EmbeddedDynamoDb,
}

/// The result of an invocation: the reply, or an error of the function.
#[derive(Debug, Clone, PartialEq)]
pub enum InvocationResult {
    Replied(Value),
    /// In the streamed form: the head and the body.
    Streamed(Value, String),
    Failed(Value),
}

struct RuntimeApi {
    send: mpsc::UnboundedSender<Invocation>,
    next: tokio::sync::Mutex<mpsc::UnboundedReceiver<Invocation>>,
    /// How many requests for the next event are waiting now.
    asking: watch::Sender<usize>,
    /// By id; None for a finished invocation.
    invoked: Mutex<Vec<Option<oneshot::Sender<InvocationResult>>>>,
}

struct Invocation {
    id: usize,
    event: String,
    deadline: u64,
}

impl Function {
    pub async fn start() -> Function {
        Function::start_with(&[]).await
    }

    /// Starts it with these variables in addition to those of Lambda.
    pub async fn start_with(variables: &[(&str, &str)]) -> Function {
        Function::run(in_lambda(&program()).envs(variables.iter().copied())).await
    }

    /// Starts a database with a table for it, unless the command names another.
    pub async fn run(program: &mut Command) -> Function {
        let dynamodb = EmbeddedDynamoDb::start(Storage::Memory).expect("an embedded database");
        let store = Store::new(dynamodb.service(), "sayso");
        table::create_if_absent(&store.client(), "sayso").await.expect("a table");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
        let addr = listener.local_addr().expect("its address").to_string();
        let (send, next) = mpsc::unbounded_channel();
        let (asking, _) = watch::channel(0);
        let api = Arc::new(RuntimeApi { send, next: next.into(), asking, invoked: Mutex::default() });
        tokio::spawn(axum::serve(listener, api.clone().router()).into_future());
        let named = program.get_envs().any(|(name, _)| name == DYNAMODB);
        if !named {
            program.env(DYNAMODB, dynamodb.endpoint());
        }
        let launched = Instant::now();
        let mut child = program.env("AWS_LAMBDA_RUNTIME_API", addr).stderr(Stdio::piped()).spawn().expect("it starts");
        let lines = BufReader::new(child.stderr.take().expect("its logs")).lines();
        let logs = std::thread::spawn(move || lines.map_while(Result::ok).collect());
        Function { child, launched, api, logs: Some(logs), _dynamodb: dynamodb }
    }

    /// Invokes it with a deadline in a minute. An error of the function fails the test.
    pub async fn invoke(&self, event: &Value) -> Value {
        match self.invoke_by(now() + 60_000, &event.to_string()).await {
            InvocationResult::Replied(reply) => reply,
            InvocationResult::Streamed(..) => panic!("{event} was answered with a stream"),
            InvocationResult::Failed(error) => panic!("{event} ended with {error}"),
        }
    }

    /// `deadline` is in milliseconds since 1970.
    pub async fn invoke_by(&self, deadline: u64, event: &str) -> InvocationResult {
        let (ended, end) = oneshot::channel();
        let id = self.api.invoked(ended);
        let invocation = Invocation { id, event: event.to_owned(), deadline };
        assert!(self.api.send.send(invocation).is_ok(), "the Runtime API runs");
        timeout(PATIENCE, end).await.unwrap_or_else(|_| panic!("nothing came of {event}")).expect("an end")
    }

    /// Returns when this many requests for an event wait at the same time.
    pub async fn asked_by(&self, askers: usize) {
        let mut asking = self.api.asking.subscribe();
        let asked = timeout(PATIENCE, asking.wait_for(|asking| *asking >= askers)).await;
        assert!(asked.is_ok(), "{} ask for events, and not {askers}", *self.api.asking.borrow());
    }

    /// Ends it, and returns its log: each line is a JSON object.
    pub fn stop(mut self) -> Vec<Value> {
        self.kill();
        let lines = self.logs.take().expect("stopped once").join().expect("its logs are text");
        lines.iter().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}"))).collect()
    }

    fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Function {
    fn drop(&mut self) {
        self.kill();
    }
}

/// In milliseconds since 1970, from the program's clock.
pub fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("it is after 1970");
    since.as_millis().try_into().expect("a time")
}

/// Sets Lambda's variables and nothing else.
pub fn in_lambda(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().envs([
        ("ROLES_CLAIM", "cognito:groups"),
        ("AWS_LAMBDA_FUNCTION_NAME", "sayso"),
        ("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST"),
        ("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "256"),
        ("AWS_REGION", "eu-west-2"),
        ("AWS_ACCESS_KEY_ID", "local"),
        ("AWS_SECRET_ACCESS_KEY", "local"),
    ]);
    command
}

/// What is deployed, if it was built; else the development build.
pub fn program() -> PathBuf {
    std::env::var_os("SAYSO_DEPLOYED").map_or_else(|| env!("CARGO_BIN_EXE_sayso").into(), PathBuf::from)
}

impl RuntimeApi {
    fn router(self: Arc<RuntimeApi>) -> Router {
        Router::new()
            .route("/2018-06-01/runtime/invocation/next", get(next))
            .route("/2018-06-01/runtime/invocation/{id}/response", post(replied))
            .route("/2018-06-01/runtime/invocation/{id}/error", post(failed))
            .with_state(self)
    }

    fn invoked(&self, ended: oneshot::Sender<InvocationResult>) -> usize {
        let mut invoked = self.invoked.lock().expect("no test panicked");
        invoked.push(Some(ended));
        invoked.len() - 1
    }

    fn end(&self, id: usize, ended: InvocationResult) -> StatusCode {
        let invocation = self.invoked.lock().expect("no test panicked")[id].take();
        let waiting = invocation.unwrap_or_else(|| panic!("{id} has ended already"));
        // After a failed test, nobody receives this.
        let _ = waiting.send(ended);
        StatusCode::ACCEPTED
    }
}

async fn next(State(api): State<Arc<RuntimeApi>>) -> impl IntoResponse {
    api.asking.send_modify(|asking| *asking += 1);
    let invocation = api.next.lock().await.recv().await.expect("the function holds the other end");
    api.asking.send_modify(|asking| *asking -= 1);
    let headers = [
        ("lambda-runtime-aws-request-id", invocation.id.to_string()),
        ("lambda-runtime-deadline-ms", invocation.deadline.to_string()),
        ("lambda-runtime-invoked-function-arn", "arn:aws:lambda:eu-west-2:123456789012:function:sayso".to_owned()),
        ("lambda-runtime-trace-id", "Root=1-691fd3c0-0123456789abcdef01234567;Sampled=0".to_owned()),
    ];
    (AppendHeaders(headers), invocation.event)
}

async fn replied(
    State(api): State<Arc<RuntimeApi>>,
    extract::Path(id): extract::Path<usize>,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    let json = |bytes: &[u8]| serde_json::from_slice(bytes).expect("JSON");
    if headers.get("lambda-runtime-function-response-mode").is_none() {
        return api.end(id, InvocationResult::Replied(json(&body)));
    }
    assert_eq!(headers["content-type"], "application/vnd.awslambda.http-integration-response");
    let end = body.windows(8).position(|bytes| bytes == [0; 8]).expect("the end of the head");
    let rest = String::from_utf8(body[end + 8..].to_vec()).expect("UTF-8");
    api.end(id, InvocationResult::Streamed(json(&body[..end]), rest))
}

async fn failed(
    State(api): State<Arc<RuntimeApi>>,
    extract::Path(id): extract::Path<usize>,
    body: Bytes,
) -> StatusCode {
    api.end(id, InvocationResult::Failed(serde_json::from_slice(&body).expect("JSON")))
}

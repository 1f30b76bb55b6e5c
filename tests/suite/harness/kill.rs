//! The real program in its own process, with a proxy between it and its database that kills the program at a chosen
//! store call.

use std::{
    future::IntoFuture,
    io::{BufRead, BufReader, Lines},
    net::Ipv4Addr,
    process::{Child, ChildStdout, Command, Stdio},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::{
    Router,
    body::{Bytes, to_bytes},
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use sayso::{
    outbound::{Connection, Outbound, Request, SendError},
    store::keys,
};
use serde_json::Value;
use tokio::{net::TcpListener, runtime::Runtime, task::JoinHandle};

/// The store call at which the program is killed, and what happens to that call. Calls are counted by operation,
/// because calls that are sent together arrive in any order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kill {
    pub operation: String,
    /// From 1, counted since the kill was armed.
    pub nth: usize,
    pub side: Side,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// It never arrives.
    Before,
    /// It takes effect, but the program gets no answer.
    After,
    /// It takes effect later, when the test decides.
    Late,
}

/// A running program; killed when dropped.
pub struct Program {
    address: String,
    link: Arc<Link>,
    serving: JoinHandle<()>,
    /// Kept open, because the program may print more.
    _output: Lines<BufReader<ChildStdout>>,
}

#[derive(Debug, Clone)]
pub struct Sent {
    pub path: String,
    pub headers: Vec<(&'static str, String)>,
    pub body: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub status: u16,
    pub body: Value,
}

struct Link {
    database: String,
    outbound: Outbound,
    /// Held during a call, so that calls run one after another and no other call is in progress at a kill.
    turn: tokio::sync::Mutex<()>,
    state: Mutex<Running>,
}

#[derive(Default)]
struct Running {
    child: Option<Child>,
    /// The operations since the last kill was armed.
    calls: Vec<String>,
    kill: Option<Kill>,
    late: Option<Request>,
}

impl Program {
    /// Starts the program with these variables, few others, and the DynamoDB at this address.
    pub fn start(runtime: &Runtime, database: &str, settings: &[(&str, &str)]) -> Program {
        let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))).expect("a free port");
        let endpoint = format!("http://{}", listener.local_addr().expect("its address"));
        let link = Arc::new(Link {
            database: database.to_owned(),
            outbound: Outbound::default(),
            turn: tokio::sync::Mutex::default(),
            state: Mutex::default(),
        });
        let router = Router::new().fallback(pass).with_state(Arc::clone(&link));
        let served = axum::serve(listener, router).into_future();
        let serving = runtime.spawn(async { served.await.expect("it serves until it is told to stop") });

        let usual = [
            ("LOCAL_ADDR", "127.0.0.1:0"),
            ("AUTH", "dev"),
            ("DEFAULT_CURRENCY", "GBP"),
            ("AWS_ACCESS_KEY_ID", "local"),
            ("AWS_SECRET_ACCESS_KEY", "local"),
            ("AWS_ENDPOINT_URL_DYNAMODB", &endpoint),
        ];
        let mut command = Command::new(env!("CARGO_BIN_EXE_sayso"));
        command.env_clear().envs(usual).envs(settings.iter().copied()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("it starts");
        let output = BufReader::new(child.stdout.take().expect("its output")).lines();
        link.state().child = Some(child);
        let mut program = Program { address: String::new(), link, serving, _output: output };
        let welcome = program._output.next().expect("it says where it listens").expect("UTF-8");
        program.address = welcome.strip_prefix("sayso listens on ").expect("an address").to_owned();
        program
    }

    /// Arms a kill, or none, and resets the counts.
    pub fn arm(&self, kill: Option<Kill>) {
        let mut state = self.link.state();
        state.kill = kill;
        state.calls.clear();
    }

    /// The store operations since then.
    pub fn calls(&self) -> Vec<String> {
        self.link.state().calls.clone()
    }

    pub fn was_killed(&self) -> bool {
        self.link.state().child.is_none()
    }

    /// The request that was in progress at the kill.
    pub fn late(&self) -> Option<Request> {
        self.link.state().late.take()
    }

    /// An error if the program was killed before it answered.
    pub async fn send(&self, tenant: &str, sent: &Sent) -> Result<Answer, SendError> {
        let Sent { path, headers, body } = sent;
        let request = http::Request::post(format!("{}{path}", self.address)).header("x-tenant-id", tenant);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, value));
        let request = request.body(body.to_string().into()).expect("a request");
        let response = self.link.outbound.send(request).await?;
        let status = response.status().as_u16();
        let body = serde_json::from_slice(response.body()).expect("JSON");
        Ok(Answer { status, body })
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.serving.abort();
        self.link.state().end();
    }
}

impl Link {
    fn state(&self) -> MutexGuard<'_, Running> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn forward(&self, headers: HeaderMap, body: Bytes) -> Result<Response, SendError> {
        let (head, body) = self.outbound.send(self.request(headers, body)).await?.into_parts();
        Ok((head.status, head.headers, body).into_response())
    }

    fn request(&self, mut headers: HeaderMap, body: Bytes) -> Request {
        // These belong to the incoming connection.
        for name in [header::HOST, header::CONNECTION, header::CONTENT_LENGTH] {
            headers.remove(name);
        }
        let mut request = http::Request::post(&self.database).body(body).expect("a request");
        *request.headers_mut() = headers;
        request
    }
}

impl Running {
    /// Sends SIGKILL and waits for the end.
    fn end(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("it can be killed");
            child.wait().expect("it ends");
        }
    }
}

async fn pass(State(link): State<Arc<Link>>, request: axum::extract::Request) -> Response {
    let nobody_listens = StatusCode::SERVICE_UNAVAILABLE.into_response();
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, usize::MAX).await else { return nobody_listens };
    let _turn = link.turn.lock().await;
    let side = {
        let mut state = link.state();
        if state.child.is_none() {
            return nobody_listens;
        }
        let target = parts.headers.get("x-amz-target").and_then(|target| target.to_str().ok());
        let operation = target.and_then(|target| target.rsplit('.').next()).expect("an operation");
        if is_by_the_clock(&body) {
            None
        } else {
            state.calls.push(operation.to_owned());
            let nth = state.calls.iter().filter(|call| *call == operation).count();
            state.kill.take_if(|kill| kill.operation == operation && kill.nth == nth).map(|kill| kill.side)
        }
    };
    let answer = match side {
        None | Some(Side::After) => link.forward(parts.headers, body).await.expect("the database answers"),
        Some(Side::Before) => nobody_listens,
        Some(Side::Late) => {
            let request = link.request(parts.headers, body);
            link.state().late = Some(request);
            nobody_listens
        }
    };
    if side.is_some() {
        link.state().end();
    }
    answer
}

/// The sweeper's query for due runs. It runs at its own times and belongs to no request.
fn is_by_the_clock(body: &[u8]) -> bool {
    let body: Value = serde_json::from_slice(body).expect("a call is JSON");
    body["IndexName"] == keys::DUE
}

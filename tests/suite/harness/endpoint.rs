//! A model endpoint on loopback that follows the test's script, one entry a request, and can control single bytes.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    sync::Notify,
    task::JoinHandle,
};

pub struct Endpoint {
    pub base: http::Uri,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    script: Mutex<VecDeque<Act>>,
    requests: Mutex<Vec<ReceivedRequest>>,
    connections: AtomicUsize,
    /// The only accepted key; none accepts all.
    key: Mutex<Option<String>>,
}

/// The endpoint's reaction to a request.
#[derive(Debug, Clone)]
pub enum Act {
    Answer {
        status: u16,
        headers: Vec<(&'static str, String)>,
        body: Vec<u8>,
    },
    /// The first bytes of an answer.
    Cut(Vec<u8>, usize),
    /// The second part of an answer comes when the test says so.
    InTwo(Vec<u8>, Arc<Notify>, Vec<u8>),
    /// One byte at a time, with pauses.
    Drip(Vec<u8>),
    Hang,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ReceivedRequest {
    pub method: String,
    pub path: String,
    pub headers: BTreeMap<String, String>,
    pub body: Value,
}

impl Endpoint {
    pub async fn start() -> Endpoint {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let base = format!("http://{}/v1", listener.local_addr().expect("its address")).parse().expect("an address");
        let shared = Arc::<Shared>::default();
        let served = Arc::clone(&shared);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                served.connections.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(serve(stream, Arc::clone(&served)));
            }
        });
        Endpoint { base, shared, task }
    }

    pub fn will(&self, act: Act) {
        lock(&self.shared.script).push_back(act);
    }

    /// From now on, refuses every other key with 401.
    pub fn takes_only(&self, key: &str) {
        *lock(&self.shared.key) = Some(key.to_owned());
    }

    /// The requests since the last call.
    pub fn requests(&self) -> Vec<ReceivedRequest> {
        std::mem::take(&mut lock(&self.shared.requests))
    }

    pub fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::SeqCst)
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Act {
    pub fn says(body: &Value) -> Act {
        Act::status(200, body)
    }

    pub fn status(status: u16, body: &Value) -> Act {
        Act::Answer { status, headers: vec![], body: body.to_string().into_bytes() }
    }

    pub fn with(status: u16, name: &'static str, value: &str, body: &[u8]) -> Act {
        Act::Answer { status, headers: vec![(name, value.to_owned())], body: body.to_vec() }
    }
}

async fn serve(stream: TcpStream, shared: Arc<Shared>) {
    let mut stream = BufReader::new(stream);
    while let Some(request) = read_request(&mut stream).await {
        let counts = request.method != "HEAD";
        let key = request.headers.get("authorization").map(|value| value.trim_start_matches("Bearer ").to_owned());
        let key = key.or_else(|| request.headers.get("x-api-key").cloned());
        let refused = lock(&shared.key).as_ref().is_some_and(|taken| counts && key.as_ref() != Some(taken));
        lock(&shared.requests).push(request);
        let act = match (counts, refused) {
            (false, _) => Act::Answer { status: 404, headers: vec![], body: vec![] },
            (true, true) => Act::status(401, &json!({ "error": { "message": "wrong key" } })),
            (true, false) => lock(&shared.script).pop_front().unwrap_or_else(|| Act::status(500, &json!({}))),
        };
        let written = match act {
            Act::Answer { status, headers, body } => write(&mut stream, &bytes(status, &headers, &body)).await,
            Act::Cut(answer, at) => {
                let _ = write(&mut stream, &answer[..at]).await;
                return;
            }
            Act::InTwo(first, go_on, second) => {
                if write(&mut stream, &first).await.is_err() {
                    return;
                }
                go_on.notified().await;
                write(&mut stream, &second).await
            }
            Act::Drip(answer) => drip(&mut stream, &answer).await,
            Act::Hang => std::future::pending().await,
        };
        if written.is_err() {
            return;
        }
    }
}

async fn write(stream: &mut BufReader<TcpStream>, bytes: &[u8]) -> std::io::Result<()> {
    stream.get_mut().write_all(bytes).await
}

async fn drip(stream: &mut BufReader<TcpStream>, bytes: &[u8]) -> std::io::Result<()> {
    for byte in bytes {
        write(stream, &[*byte]).await?;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

pub fn bytes(status: u16, headers: &[(&str, String)], body: &[u8]) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status} Whatever\r\ncontent-length: {}\r\n", body.len());
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    [head.as_bytes(), b"\r\n", body].concat()
}

async fn read_request(stream: &mut BufReader<TcpStream>) -> Option<ReceivedRequest> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let mut first = lines.first()?.split(' ').map(str::to_owned);
    let (method, path) = (first.next()?, first.next()?);
    let headers: BTreeMap<String, String> = lines[1..]
        .iter()
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some(ReceivedRequest { method, path, headers, body: serde_json::from_slice(&body).unwrap_or_default() })
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//! An embeddings endpoint on loopback with a few concepts. Texts about the same concept get similar vectors, whatever
//! their words.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use axum::{Json, Router, extract::State, routing::post};
use http::StatusCode;
use sayso::{
    model::{
        client::{Key, Remote},
        embeddings::{Embeddings, OpenAiEmbeddings},
    },
    outbound::Outbound,
    secrets::Hidden,
};
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle};

const CONCEPTS: [&[&str]; 4] = [
    &["gift", "present", "flowers", "birthday", "chocolates"],
    &["garden", "soil", "seeds", "lawn", "spade"],
    &["car", "petrol", "tyres", "mot", "garage"],
    &["drink", "coffee", "tea", "wine"],
];

pub struct Concepts {
    base: http::Uri,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    /// The texts of each request.
    asked: Mutex<Vec<Vec<String>>>,
    is_down: AtomicBool,
    /// Texts with this word are refused.
    refused: Mutex<Option<&'static str>>,
}

impl Concepts {
    pub async fn start() -> Concepts {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let base = format!("http://{}/v1", listener.local_addr().expect("its address")).parse().expect("an address");
        let shared = Arc::<Shared>::default();
        let router = Router::new().route("/v1/embeddings", post(embed)).with_state(Arc::clone(&shared));
        let task = tokio::spawn(async move { axum::serve(listener, router).await.expect("it serves") });
        Concepts { base, shared, task }
    }

    /// A client for a model of this name.
    pub fn client(&self, model: &str) -> Arc<dyn Embeddings> {
        let key = Key::Given(Hidden::default());
        let pause = |_| std::time::Duration::ZERO;
        Arc::new(Remote::new(
            OpenAiEmbeddings::new(model, &self.base),
            Outbound::default(),
            self.base.clone(),
            key,
            pause,
        ))
    }

    pub fn set_down(&self, is_down: bool) {
        self.shared.is_down.store(is_down, Ordering::SeqCst);
    }

    pub fn refuse(&self, word: &'static str) {
        *self.shared.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(word);
    }

    /// The texts of each request since the last call.
    pub fn asked(&self) -> Vec<Vec<String>> {
        std::mem::take(&mut *self.shared.asked.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Concepts {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn embed(State(shared): State<Arc<Shared>>, Json(request): Json<Value>) -> (StatusCode, Json<Value>) {
    let texts: Vec<String> = serde_json::from_value(request["input"].clone()).expect("texts");
    let data: Vec<Value> =
        texts.iter().enumerate().map(|(index, text)| json!({ "index": index, "embedding": vector(text) })).collect();
    let refused = *shared.refused.lock().unwrap_or_else(PoisonError::into_inner);
    let is_refused = refused.is_some_and(|word| texts.iter().any(|text| text.contains(word)));
    shared.asked.lock().unwrap_or_else(PoisonError::into_inner).push(texts);
    if is_refused {
        return (StatusCode::BAD_REQUEST, Json(json!({})));
    }
    match shared.is_down.load(Ordering::SeqCst) {
        true => (StatusCode::SERVICE_UNAVAILABLE, Json(json!({}))),
        false => (StatusCode::OK, Json(json!({ "object": "list", "data": data, "model": request["model"] }))),
    }
}

/// A number for each concept, and some that distinguish texts.
fn vector(text: &str) -> Vec<f32> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).collect();
    let concepts = CONCEPTS.iter().map(|about| if words.iter().any(|word| about.contains(word)) { 1.0 } else { 0.0 });
    let rest = (0..8).map(|n| {
        let hash = lower.bytes().fold(n, |hash: u32, byte| hash.wrapping_mul(31).wrapping_add(u32::from(byte)));
        (hash % 1000) as f32 / 5000.0
    });
    concepts.chain(rest).collect()
}

//! The one HTTP client, with one TLS stack, for models and AWS.
//!
//! It knows connections. Its users decide what to send and what to retry.

mod crypto;
mod p256;

use std::{
    pin::Pin,
    sync::{Arc, OnceLock},
    time::Duration,
};

use bytes::Bytes;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited, combinators::BoxBody};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::{TokioExecutor, TokioTimer},
};
use rustls::{ClientConfig, RootCertStore};

pub use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};

const CONNECT: Duration = Duration::from_secs(2);

/// After this time without an acknowledgement the connection is closed: it probably died while the process was frozen.
const UNACKNOWLEDGED: Duration = Duration::from_secs(3);

/// Shorter than the time for which providers and load balancers keep idle connections.
pub const IDLE: Duration = Duration::from_secs(50);

/// A body is in memory, and small enough for that.
pub type Request = http::Request<Bytes>;
pub type Response = http::Response<Bytes>;

/// Sends requests. Tests have others than [`Outbound`].
pub trait Connection: std::fmt::Debug + Send + Sync {
    fn send(&self, request: Request) -> Sending;
}

pub type Sending = Pin<Box<dyn Future<Output = Result<Response, SendError>> + Send>>;

/// Why there is no answer. The texts hold no part of a request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    #[error("it cannot be reached{0}")]
    Unreachable(String),
    #[error("its answer was cut off{0}")]
    CutOff(String),
    #[error("its answer is too large")]
    TooLarge,
}

type Pool = Client<HttpsConnector<HttpConnector>, Full<Bytes>>;

/// The body of an answer. It can be read in pieces, as they arrive.
pub struct Body(BoxBody<Bytes, SendError>);

impl Body {
    /// None at the end.
    pub async fn next(&mut self) -> Option<Result<Bytes, SendError>> {
        loop {
            match self.0.frame().await?.map(|frame| frame.into_data()) {
                Ok(Ok(piece)) => return Some(Ok(piece)),
                // Trailers.
                Ok(Err(_)) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }

    pub async fn whole(self) -> Result<Bytes, SendError> {
        Ok(self.0.collect().await?.to_bytes())
    }
}

fn unread(error: Box<dyn std::error::Error + Send + Sync>) -> SendError {
    let is_too_large = error.is::<LengthLimitError>();
    if is_too_large { SendError::TooLarge } else { SendError::CutOff(causes(&*error)) }
}

/// Connections are pooled. The pools are made at their first use.
#[derive(Debug, Clone, Default)]
pub struct Outbound(Arc<Pools>);

/// Reading the system's certificates takes milliseconds of a cold start, so plain HTTP has a pool without TLS.
#[derive(Debug, Default)]
struct Pools {
    plain: OnceLock<Pool>,
    tls: OnceLock<Pool>,
}

impl Outbound {
    /// Sends a request, and reads the answer if its body has at most `limit` bytes.
    pub async fn exchange(&self, request: Request, limit: usize) -> Result<Response, SendError> {
        let (head, body) = self.open(request, limit).await?.into_parts();
        Ok(Response::from_parts(head, body.whole().await?))
    }

    /// The same, but the caller reads the body.
    pub async fn open(&self, request: Request, limit: usize) -> Result<http::Response<Body>, SendError> {
        let answer = self.pool(request.uri()).request(request.map(Full::new)).await;
        let answer = answer.map_err(|error| SendError::Unreachable(causes(&error)))?;
        Ok(answer.map(|body| Body(Limited::new(body, limit).map_err(unread).boxed())))
    }

    fn pool(&self, uri: &Uri) -> &Pool {
        match uri.scheme_str() {
            Some("https") => self.0.tls.get_or_init(|| pool(system_certificates())),
            _ => self.0.plain.get_or_init(|| pool(RootCertStore::empty())),
        }
    }
}

impl Connection for Outbound {
    fn send(&self, request: Request) -> Sending {
        let outbound = self.clone();
        Box::pin(async move { outbound.exchange(request, usize::MAX).await })
    }
}

fn pool(certificates: RootCertStore) -> Pool {
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    tcp.set_connect_timeout(Some(CONNECT));
    #[cfg(target_os = "linux")]
    tcp.set_tcp_user_timeout(Some(UNACKNOWLEDGED));
    let tls = ClientConfig::builder_with_provider(Arc::new(crypto::provider()));
    let tls = tls.with_safe_default_protocol_versions().expect("the provider supports them");
    let tls = tls.with_root_certificates(certificates).with_no_client_auth();
    let connector =
        HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http().enable_http1().wrap_connector(tcp);
    Client::builder(TokioExecutor::new()).pool_timer(TokioTimer::new()).pool_idle_timeout(IDLE).build(connector)
}

/// The certificates that the operating system trusts, or those in `SSL_CERT_FILE`. Without any, no server is trusted.
fn system_certificates() -> RootCertStore {
    let found = rustls_native_certs::load_native_certs();
    let mut certificates = RootCertStore::empty();
    let (trusted, _) = certificates.add_parsable_certificates(found.certs);
    if trusted == 0 {
        tracing::error!("the system has no certificates, so no server can be trusted");
    }
    certificates
}

/// The texts of an error and its causes, each after a colon.
fn causes(error: &(dyn std::error::Error + 'static)) -> String {
    let errors = std::iter::successors(Some(error), |error| error.source());
    errors.map(|error| format!(": {error}")).collect()
}

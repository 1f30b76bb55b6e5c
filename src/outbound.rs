//! The one HTTP client, with one TLS stack, for models and AWS.
//!
//! It knows connections. Its users decide what to send and what to retry.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use aws_smithy_runtime_api::client::{
    http::{HttpConnector, HttpConnectorFuture},
    orchestrator::{HttpRequest, HttpResponse},
    result::ConnectorError,
};
use aws_smithy_types::body::SdkBody;
use reqwest::{Body, Client, Request, redirect};

const CONNECT: Duration = Duration::from_secs(2);

/// After this time without an acknowledgement the connection is closed: it probably died while the process was frozen.
const UNACKNOWLEDGED: Duration = Duration::from_secs(3);

/// Shorter than the time for which providers and load balancers keep idle connections.
pub const IDLE: Duration = Duration::from_secs(50);

/// Clients are built at their first use.
#[derive(Debug, Clone, Default)]
pub struct Outbound(Arc<Clients>);

/// Reading the system's certificates takes milliseconds of a cold start, so plain HTTP has a client without TLS.
#[derive(Debug, Default)]
struct Clients {
    plain: OnceLock<Client>,
    tls: OnceLock<Client>,
}

impl Outbound {
    /// The client for addresses of this scheme.
    pub fn client(&self, scheme: &str) -> &Client {
        let build = |client: reqwest::ClientBuilder| {
            // This fails if the client for the other scheme has installed it already.
            let _ = rustls::crypto::ring::default_provider().install_default();
            let client = client.connect_timeout(CONNECT).tcp_user_timeout(UNACKNOWLEDGED).pool_idle_timeout(IDLE);
            client.redirect(redirect::Policy::none()).build().expect("the TLS back end is compiled in")
        };
        match scheme {
            "http" => self.0.plain.get_or_init(|| build(Client::builder().tls_certs_only([]))),
            _ => self.0.tls.get_or_init(|| build(Client::builder())),
        }
    }
}

impl HttpConnector for Outbound {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let outbound = self.clone();
        HttpConnectorFuture::new(async move {
            let request = request.try_into_http1x().map_err(|error| ConnectorError::user(error.into()))?;
            let request = Request::try_from(request.map(body)).map_err(|error| ConnectorError::user(error.into()))?;
            let mut response = outbound.client(request.url().scheme()).execute(request).await.map_err(failed)?;
            let (status, headers) = (response.status(), std::mem::take(response.headers_mut()));
            let mut whole = http::Response::new(SdkBody::from(response.bytes().await.map_err(failed)?));
            (*whole.status_mut(), *whole.headers_mut()) = (status, headers);
            HttpResponse::try_from(whole).map_err(|error| ConnectorError::other(error.into(), None))
        })
    }
}

/// The bodies of the SDK's codecs are in memory.
fn body(body: SdkBody) -> Body {
    match body.bytes() {
        Some(bytes) => Body::from(bytes.to_vec()),
        None => Body::wrap(body),
    }
}

fn failed(error: reqwest::Error) -> ConnectorError {
    match error {
        error if error.is_timeout() => ConnectorError::timeout(error.into()),
        error if error.is_builder() => ConnectorError::user(error.into()),
        error => ConnectorError::io(error.into()),
    }
}

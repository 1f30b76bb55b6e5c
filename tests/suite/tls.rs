//! Connections over TLS: only endpoints with a certificate that the system trusts are used.

use std::{fs, net::SocketAddr, sync::Arc};

use axum::{Json, Router, routing::post, serve::Listener};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use sayso::local::{EmbeddedDynamoDb, Storage};
use serde_json::json;
use tokio::{
    net::{TcpListener, TcpStream},
    runtime::Runtime,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::{CryptoProvider, ring, ring::kx_group::SECP256R1},
        pki_types::PrivateKeyDer,
    },
    server::TlsStream,
};

use crate::harness::kill::{Answer, Program, Sent};

#[test]
fn a_model_with_a_trusted_certificate_is_called() {
    let server = Server::start();
    let answer = server.asked_by_a_program_that_trusts(&server.certificate);
    assert_eq!((answer.status, &answer.body["answer"]), (200, &json!("Hello over TLS.")), "{}", answer.body);
}

#[test]
fn a_model_with_an_untrusted_certificate_is_not_called() {
    let server = Server::start();
    let answer = server.asked_by_a_program_that_trusts(&Server::start().certificate);
    assert_eq!((answer.status, &answer.body["limited"]), (200, &json!(true)), "answered without it");
}

#[test]
fn a_model_whose_server_exchanges_keys_by_p256_only_is_called() {
    let server = Server::with(CryptoProvider { kx_groups: vec![SECP256R1], ..ring::default_provider() });
    let answer = server.asked_by_a_program_that_trusts(&server.certificate);
    assert_eq!((answer.status, &answer.body["answer"]), (200, &json!("Hello over TLS.")), "{}", answer.body);
}

/// A model behind TLS, on loopback. Its certificate is for a key on P-256.
struct Server {
    runtime: Runtime,
    address: SocketAddr,
    /// PEM.
    certificate: String,
}

impl Server {
    fn start() -> Server {
        Server::with(ring::default_provider())
    }

    fn with(provider: CryptoProvider) -> Server {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
        let key = PrivateKeyDer::try_from(signing_key.serialize_der()).expect("a key");
        let config = ServerConfig::builder_with_provider(Arc::new(provider));
        let config = config.with_safe_default_protocol_versions().expect("versions").with_no_client_auth();
        let config = config.with_single_cert(vec![cert.der().clone()], key).expect("a certificate and its key");

        let runtime = Runtime::new().expect("a runtime");
        let tcp = runtime.block_on(TcpListener::bind(("127.0.0.1", 0))).expect("a free port");
        let address = tcp.local_addr().expect("its address");
        let says = json!({ "choices": [{ "finish_reason": "stop", "message": { "content": "Hello over TLS." } }] });
        let router = Router::new().route("/v1/chat/completions", post(async move || Json(says)));
        let listener = Tls { tcp, acceptor: TlsAcceptor::from(Arc::new(config)) };
        runtime.spawn(async { axum::serve(listener, router).await });
        Server { runtime, address, certificate: cert.pem() }
    }

    fn asked_by_a_program_that_trusts(&self, certificate: &str) -> Answer {
        let roots = format!("{}/roots-{}.pem", env!("CARGO_TARGET_TMPDIR"), self.address.port());
        fs::write(&roots, certificate).expect("it can be written");
        let base = format!("https://localhost:{}/v1", self.address.port());
        let settings = [
            ("MODEL_PROVIDER", "openai"),
            ("MODEL_NAME", "test"),
            ("MODEL_BASE_URL", base.as_str()),
            ("MODEL_API_KEY", "key"),
            ("SSL_CERT_FILE", roots.as_str()),
        ];
        let database = EmbeddedDynamoDb::start(Storage::Memory).expect("an embedded database");
        let program = Program::start(&self.runtime, &database.endpoint(), &settings);
        let sent = Sent { path: "/chat".into(), headers: vec![], body: json!({ "message": "coffee 3.50" }) };
        self.runtime.block_on(program.send("t1", &sent)).expect("it answers")
    }
}

struct Tls {
    tcp: TcpListener,
    acceptor: TlsAcceptor,
}

impl Listener for Tls {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    /// A client that does not trust the certificate disconnects.
    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            let (stream, address) = self.tcp.accept().await.expect("a connection");
            if let Ok(stream) = self.acceptor.accept(stream).await {
                return (stream, address);
            }
        }
    }

    fn local_addr(&self) -> std::io::Result<Self::Addr> {
        self.tcp.local_addr()
    }
}

//! moto, a second and independent DynamoDB: what the store needs must not be a peculiarity of the embedded one. It is
//! Secrets Manager too.
//!
//! A child process on a port of its own. It ends with the value, so it must not live in a `static`.

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, mpsc},
    time::Duration,
};

use aws_smithy_runtime_api::client::{
    http::{HttpConnector, HttpConnectorFuture},
    orchestrator::HttpRequest,
};
use jiff::Timestamp;
use sayso::{
    aws::{Account, Service, Time},
    outbound::Outbound,
};

/// How long it may take to start; on a busy machine Python alone needs seconds.
const PATIENCE: Duration = Duration::from_secs(60);

/// It looks at no signature.
pub const TIME: Time = Time { now: || Timestamp::UNIX_EPOCH, pause: |_| Duration::ZERO };

pub struct Moto {
    process: Child,
    endpoint: String,
}

impl Moto {
    pub fn start() -> Moto {
        let mut process = Command::new(program())
            .args(["-H", "127.0.0.1", "-p", "0"])
            .env("PYTHONUNBUFFERED", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("moto_server can be started");
        let log = BufReader::new(process.stderr.take().expect("its log is piped"));
        let (found, endpoint) = mpsc::channel();
        // The log is read to its end: a full pipe would stop the server.
        std::thread::spawn(move || {
            for line in log.lines().map_while(Result::ok) {
                if let Some((_, endpoint)) = line.split_once("Running on ") {
                    let _ = found.send(endpoint.trim().to_owned());
                }
            }
        });
        let endpoint = endpoint.recv_timeout(PATIENCE);
        // From here on dropping it ends the process, also when the next line panics.
        let mut moto = Moto { process, endpoint: String::new() };
        moto.endpoint = endpoint.expect("moto_server says where it listens");
        moto
    }

    pub fn service(&self, name: &'static str) -> Service {
        let account = Account::new("us-east-1", "test", "test", None);
        Service::new(name, account, Some(self.endpoint.clone()), OneAtATime::default(), TIME)
    }
}

/// Its conditional writes are not atomic, and two at the same time can both succeed.
#[derive(Debug, Clone, Default)]
struct OneAtATime {
    outbound: Outbound,
    turn: Arc<tokio::sync::Mutex<()>>,
}

impl HttpConnector for OneAtATime {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let OneAtATime { outbound, turn } = self.clone();
        HttpConnectorFuture::new(async move {
            let _turn = turn.lock().await;
            outbound.call(request).await
        })
    }
}

impl Drop for Moto {
    fn drop(&mut self) {
        // It may have ended by itself, and then there is nothing to end.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn program() -> PathBuf {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join(".venv/bin/moto_server");
    assert!(program.is_file(), "{} is not there: `make test` installs it, and so does `make tools`", program.display());
    program
}

//! moto, a second and independent DynamoDB, to check that the store does not rely on a peculiarity of the embedded one.
//! It also serves Secrets Manager.
//!
//! It is a child process on its own port. It ends when the value is dropped, so the value must not be in a `static`.

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, mpsc},
    time::Duration,
};

use jiff::Timestamp;
use sayso::{
    aws::{Account, Service, Time},
    outbound::{Connection, Outbound, Request, Sending},
};

/// How long it may take to start. On a busy machine, Python alone needs seconds.
const PATIENCE: Duration = Duration::from_secs(60);

/// moto does not check signatures, so any time is fine.
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
        // The log is read to its end, because a full pipe would block the server.
        std::thread::spawn(move || {
            for line in log.lines().map_while(Result::ok) {
                if let Some((_, endpoint)) = line.split_once("Running on ") {
                    let _ = found.send(endpoint.trim().to_owned());
                }
            }
        });
        let endpoint = endpoint.recv_timeout(PATIENCE);
        // From here on dropping it ends the process, even if the next line panics.
        let mut moto = Moto { process, endpoint: String::new() };
        moto.endpoint = endpoint.expect("moto_server says where it listens");
        moto
    }

    pub fn service(&self, name: &'static str) -> Service {
        let account = Account::new("us-east-1", "test", "test", None);
        Service::new(name, account, Some(self.endpoint.clone()), OneAtATime::default(), TIME)
    }
}

/// Sends one call at a time: moto's conditional writes are not atomic, and two parallel ones can both succeed.
#[derive(Debug, Clone, Default)]
struct OneAtATime {
    outbound: Outbound,
    turn: Arc<tokio::sync::Mutex<()>>,
}

impl Connection for OneAtATime {
    fn send(&self, request: Request) -> Sending {
        let OneAtATime { outbound, turn } = self.clone();
        Box::pin(async move {
            let _turn = turn.lock().await;
            outbound.send(request).await
        })
    }
}

impl Drop for Moto {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn program() -> PathBuf {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join(".venv/bin/moto_server");
    assert!(program.is_file(), "{} is not there: `make test` installs it, and so does `make tools`", program.display());
    program
}

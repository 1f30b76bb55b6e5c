//! DynamoDB inside this process, in memory or in a file.

use std::{
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    thread::JoinHandle,
    time::Duration,
};

use dynoxide::Database;
use jiff::Timestamp;
use tokio::{net::TcpListener, sync::oneshot};

use super::LocalError;
use crate::{
    aws::{Account, Service, Time},
    outbound::Outbound,
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Storage {
    /// Lost when the server stops.
    Memory,
    /// Survives a restart, and a kill at any moment. The folder is created if it does not exist.
    File(PathBuf),
}

/// A running server; it stops when dropped. It has its own thread, because SQLite blocks while it writes.
#[derive(Debug)]
pub struct EmbeddedDynamoDb {
    addr: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl EmbeddedDynamoDb {
    pub fn start(storage: Storage) -> Result<EmbeddedDynamoDb, LocalError> {
        let database = open(&storage)?;
        let failed = |error: std::io::Error| LocalError::Embedded(error.to_string());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let addr = listener.local_addr().map_err(failed)?;
        let listener = {
            let _context = runtime.enter();
            TcpListener::from_std(listener).map_err(failed)?
        };
        let (stop, stopped) = oneshot::channel();
        // Every request runs on this thread from start to end, so a stop cannot interrupt one.
        let serve = move || {
            runtime.block_on(async {
                tokio::select! {
                    () = dynoxide::server::serve_on(listener, database) => {}
                    _ = stopped => {}
                }
            });
        };
        let thread = std::thread::Builder::new().name("dynamodb".into()).spawn(serve).map_err(failed)?;
        Ok(EmbeddedDynamoDb { addr, stop: Some(stop), thread: Some(thread) })
    }

    pub fn endpoint(&self) -> String {
        format!("http://{}", self.addr)
    }

    /// A client of this server. The server checks neither credentials nor times, so both are made up.
    pub fn service(&self) -> Service {
        let account = Account::new("local", "local", "local", None);
        let time = Time { now: || Timestamp::UNIX_EPOCH, pause: |_| Duration::ZERO };
        Service::new("dynamodb", account, Some(self.endpoint()), Outbound::default(), time)
    }
}

impl Drop for EmbeddedDynamoDb {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic on that thread was already printed.
            let _ = thread.join();
        }
    }
}

fn open(storage: &Storage) -> Result<Database, LocalError> {
    let Storage::File(path) = storage else {
        return Database::memory().map_err(|error| LocalError::Embedded(error.to_string()));
    };
    let unusable = |cause: String| LocalError::Data { path: path.clone(), cause };
    if let Some(folder) = path.parent().filter(|folder| *folder != Path::new("")) {
        std::fs::create_dir_all(folder).map_err(|error| unusable(error.to_string()))?;
    }
    let name = path.to_str().ok_or_else(|| unusable("its name is not UTF-8".into()))?;
    Database::new(name).map_err(|error| unusable(error.to_string()))
}

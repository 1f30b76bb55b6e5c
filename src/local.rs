//! The local server of development builds: the same service on loopback, with an embedded DynamoDB.
//!
//! It is never deployed: the feature `local` is off by default.

use std::{io, path::PathBuf, sync::Arc, time::Duration};

use tokio::net::TcpListener;

use crate::{
    agent::SweepReport,
    app::{self, App},
    config::{Auth, Config},
    http,
    outbound::Outbound,
    store::{Store, StoreError, table},
    tool::RegistryError,
};

pub use embedded::{EmbeddedDynamoDb, Storage};
pub use reconcile::reconcile;
pub use seed::{made_up, seed};

mod embedded;
mod reconcile;
pub mod sdk;
mod seed;

#[derive(Debug, thiserror::Error)]
pub enum LocalError {
    #[error(
        "LOCAL_ADDR {addr} cannot be listened on ({cause}); stop what listens there, or set LOCAL_ADDR to another address"
    )]
    Address { addr: std::net::SocketAddr, cause: io::Error },
    #[error("LOCAL_DATA {path} cannot be used ({cause}); set LOCAL_DATA to a file that can be written")]
    Data { path: PathBuf, cause: String },
    #[error("the embedded DynamoDB did not start: {0}")]
    Embedded(String),
    #[error("table {name} is not there and cannot be created: {cause}")]
    Table { name: String, cause: String },
    #[error(transparent)]
    Registry(#[from] RegistryError),
    #[error("{0:?} cannot be a tenant's id; name it in letters and digits, without spaces")]
    Tenant(String),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("written to each time they were looked at: {0} rollups; run it again for those")]
    Busy(usize),
    #[error("the server failed: {0}")]
    Server(io::Error),
}

/// How often unfinished runs are resumed.
const SWEEP: Duration = Duration::from_secs(10);

/// How long requests in progress may still take when the server stops.
const GRACE: Duration = Duration::from_secs(5);

/// Serves until a stop signal.
pub async fn serve(config: Config) -> Result<(), LocalError> {
    let addr = config.local.addr;
    let listener = TcpListener::bind(addr).await.map_err(|cause| LocalError::Address { addr, cause })?;
    let addr = listener.local_addr().map_err(LocalError::Server)?;
    let public_url = config.public_url.clone().or_else(|| format!("http://{addr}/").parse().ok());
    let config = Config { public_url, ..config };
    let (app, _dynamodb) = build(config.clone()).await?;
    println!("{}", welcome(&config, addr));
    let app = Arc::new(app);
    let sweeper = tokio::spawn(sweep_regularly(Arc::clone(&app)));
    let service = http::service(app);
    let server = axum::serve(listener, service).with_graceful_shutdown(stop_signal());
    let served = tokio::select! {
        served = server.into_future() => served.map_err(LocalError::Server),
        () = async { stop_signal().await; tokio::time::sleep(GRACE).await } => Ok(()),
    };
    sweeper.abort();
    served
}

/// Does what the deployment's schedule does.
async fn sweep_regularly(app: Arc<App>) {
    let mut time = tokio::time::interval(SWEEP);
    loop {
        time.tick().await;
        if let Err(error) = app.sweep(None).await {
            tracing::error!(%error, "unfinished runs could not be looked for");
        }
    }
}

/// Resumes unfinished runs once.
pub async fn sweep(config: Config) -> Result<(), LocalError> {
    let (app, _dynamodb) = build(config).await?;
    let SweepReport { finished, unfinished, failed, vectors, .. } = app.sweep(None).await?;
    println!("finished {finished} runs; {unfinished} need more time, {failed} failed; made {vectors} vectors");
    Ok(())
}

/// Serves the table alone until a stop signal, for other processes on this machine.
pub async fn dynamodb(config: Config) -> Result<(), LocalError> {
    let embedded = EmbeddedDynamoDb::start(Storage::File(config.local.data))?;
    create_table(&Store::new(embedded.service(), config.table)).await?;
    println!("{}", embedded.endpoint());
    stop_signal().await;
    Ok(())
}

/// The app and, unless another DynamoDB is configured, the embedded one, which must live longer than the app.
pub async fn build(config: Config) -> Result<(App, Option<EmbeddedDynamoDb>), LocalError> {
    let outbound = Outbound::default();
    let embedded = match &config.aws.dynamodb {
        Some(_) => None,
        None => Some(EmbeddedDynamoDb::start(Storage::File(config.local.data.clone()))?),
    };
    let dynamodb =
        embedded.as_ref().map_or_else(|| app::dynamodb(&config.aws, outbound.clone()), EmbeddedDynamoDb::service);
    let app = App::build(config, dynamodb, outbound)?;
    create_table(&app.agent.store).await?;
    Ok((app, embedded))
}

async fn create_table(store: &Store) -> Result<(), LocalError> {
    let created = table::create_if_absent(&store.client(), store.table()).await;
    created.map_err(|error| LocalError::Table { name: store.table().into(), cause: cause(&*error) })
}

fn welcome(config: &Config, addr: std::net::SocketAddr) -> String {
    let policy = format!("{:?}", config.defaults.policy).to_lowercase();
    let currency = config.defaults.currency.as_deref().unwrap_or("none");
    let model = config.model.name();
    let data = config.aws.dynamodb.clone().unwrap_or_else(|| config.local.data.display().to_string());
    let mut text = format!(
        "sayso listens on http://{addr}\n\
         confirm policy {policy}, default currency {currency}, model {model}, data in {data}\n\n\
         Try:\n  \
         curl -s http://{addr}/chat -d '{{\"message\": \"add coffee 3.50 today\"}}'\n  \
         curl -s http://{addr}/chat -d '{{\"message\": \"how much did I spend this month?\"}}'\n  \
         curl -s http://{addr}/expenses\n"
    );
    if config.auth == Auth::Gateway {
        text.push_str(
            "\nAUTH is gateway, so every request here is answered with 401; set AUTH=dev to use it locally.\n",
        );
    }
    if config.auth == Auth::Dev && !addr.ip().is_loopback() {
        text.push_str("\nAUTH=dev believes any header, and this address can be reached from other machines.\n");
    }
    text
}

async fn stop_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate()).expect("signals can be listened to");
    tokio::select! {
        _ = terminate.recv() => {}
        _ = tokio::signal::ctrl_c() => {}
    }
}

/// An error with its sources on one line.
fn cause(error: &dyn std::error::Error) -> String {
    std::iter::successors(Some(error), |error| error.source()).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

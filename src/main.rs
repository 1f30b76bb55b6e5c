//! The binary: starts the logs, reads the configuration and runs a command.

use std::{panic, process::ExitCode};

use sayso::{
    app::{self, App},
    config::Config,
    http::lambda,
    outbound::Outbound,
};
use tracing_subscriber::{filter::Targets, fmt, layer::SubscriberExt, util::SubscriberInitExt};

/// The exit code for wrong arguments.
const USAGE: u8 = 2;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let config = match Config::from_env() {
        Ok(config) => config,
        Err(error) => return complain(error, USAGE),
    };
    match config.log.parse() {
        Ok(targets) => start_logs(targets, &config),
        Err(error) => return complain(format!("RUST_LOG {error}; set it to info, or leave it unset"), USAGE),
    }
    log_panics();
    if config.in_lambda {
        return serve_lambda(config).await;
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    run(config, &arguments.iter().map(String::as_str).collect::<Vec<_>>()).await
}

async fn serve_lambda(config: Config) -> ExitCode {
    let outbound = Outbound::default();
    let dynamodb = app::dynamodb(&config.aws, outbound.clone());
    let app = match App::build(config, dynamodb, outbound) {
        Ok(app) => app,
        Err(error) => return complain(error, 1),
    };
    // As a task: after each wake-up of the future that `block_on` runs, the runtime would ask for I/O once more.
    let served = tokio::spawn(lambda::serve(app)).await;
    served.map_err(Into::into).flatten().map_or_else(|error| complain(error, 1), |()| ExitCode::SUCCESS)
}

#[cfg(feature = "local")]
async fn run(config: Config, arguments: &[&str]) -> ExitCode {
    use sayso::local;

    let result = match arguments {
        [] => local::serve(config).await,
        ["dynamodb"] => local::dynamodb(config).await,
        ["sweep"] => local::sweep(config).await,
        ["seed", count, tenant] => match count.parse() {
            Ok(count) => local::seed(config, count, tenant).await,
            Err(_) => return complain(format!("{count} is no number of expenses\n{HELP}"), USAGE),
        },
        ["reconcile", tenant] => local::reconcile(config, tenant).await,
        _ => return complain(HELP, USAGE),
    };
    result.map_or_else(|error| complain(error, 1), |()| ExitCode::SUCCESS)
}

#[cfg(feature = "local")]
const HELP: &str = "usage: sayso                      serve on LOCAL_ADDR
       sayso seed COUNT TENANT    write made-up expenses into LOCAL_DATA
       sayso sweep                go on with approved changes that are not finished, in LOCAL_DATA
       sayso reconcile TENANT     recompute a tenant's rollups and unique keys from its rows, and repair what differs
       sayso dynamodb             serve the table in LOCAL_DATA to other programs, at the address it prints";

#[cfg(not(feature = "local"))]
async fn run(_: Config, _: &[&str]) -> ExitCode {
    complain("this build serves Lambda only; the local server is in builds with `--features local` (`make run`)", USAGE)
}

fn complain(message: impl std::fmt::Display, code: u8) -> ExitCode {
    eprintln!("sayso: {message}");
    ExitCode::from(code)
}

/// Text for a terminal; JSON for CloudWatch in Lambda.
fn start_logs(targets: Targets, config: &Config) {
    let lines = fmt::layer().with_writer(std::io::stderr);
    let logs = tracing_subscriber::registry().with(targets);
    if config.in_lambda {
        logs.with(lines.json().with_span_list(false)).init();
    } else {
        logs.with(lines).init();
    }
}

/// A panic's message may quote a person, so only its place is logged. A deployed program then aborts.
fn log_panics() {
    panic::set_hook(Box::new(|panic| {
        let place = panic.location().map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
        tracing::error!(place, "panicked at {place}");
    }));
}

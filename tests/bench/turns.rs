//! Measures turns of the deployed program with a Lambda Runtime API, a model endpoint and an embedded DynamoDB, all on
//! loopback. Ratios compare with `GET /health` in the same process, which calls neither model nor store; they vary less
//! than milliseconds on a busy machine. `make bench` builds what it runs.

#![allow(dead_code, reason = "most of the harness is for the tests")]

#[path = "../suite/harness/endpoint.rs"]
mod endpoint;
#[path = "../suite/harness/runtime_api.rs"]
mod runtime_api;

use std::{
    fs,
    time::{Duration, Instant},
};

use endpoint::{Act, Endpoint};
use runtime_api::{Function, in_lambda, program};
use serde_json::{Value, json};

const STARTS: usize = 10;
const SETTLE: usize = 20;
const CONVERSATIONS: usize = 100;

/// In the order of a conversation.
const TURNS: [&str; 5] = ["health", "clarify", "propose", "approve", "balance"];

#[derive(Default)]
struct Samples {
    wall: Vec<Duration>,
    cpu: Vec<Duration>,
}

#[tokio::main]
async fn main() {
    // `cargo test --all-targets` starts this program without the argument.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    assert!(std::env::var_os("SAYSO_DEPLOYED").is_some(), "run it with `make bench`");
    let endpoint = Endpoint::start().await;
    let mut starts = Samples::default();
    for number in 0..STARTS {
        script(&endpoint, "propose");
        let function = start(&endpoint).await;
        let reply = function.invoke(&event("propose", number, None)).await;
        starts.wall.push(function.launched.elapsed());
        check("propose", &reply);
        starts.cpu.push(cpu(function.child.id()));
    }
    let function = start(&endpoint).await;
    let mut turns: Vec<Samples> = TURNS.iter().map(|_| Samples::default()).collect();
    for number in 0..SETTLE + CONVERSATIONS {
        let mut proposed = None;
        for (turn, samples) in TURNS.iter().zip(&mut turns) {
            script(&endpoint, turn);
            let event = event(turn, number, proposed.take());
            let (wall, before) = (Instant::now(), cpu(function.child.id()));
            let reply = function.invoke(&event).await;
            let wall = wall.elapsed();
            function.asked_by(1).await;
            if number >= SETTLE {
                samples.wall.push(wall);
                samples.cpu.push(cpu(function.child.id()) - before);
            }
            proposed = check(turn, &reply)["proposal"].as_object().map(|proposal| json!(proposal));
        }
    }
    report(&mut starts, &mut turns, peak_memory(function.child.id()));
}

fn report(starts: &mut Samples, turns: &mut [Samples], peak: u64) {
    let size = fs::metadata(program()).expect("the program").len();
    println!("| | p50 ms | × health | CPU ms | × health |\n|---|---:|---:|---:|---:|");
    let health = (median(&mut turns[0].wall), median(&mut turns[0].cpu));
    let row = |name: &str, samples: &mut Samples| {
        let (wall, cpu) = (median(&mut samples.wall), median(&mut samples.cpu));
        println!("| {name} | {wall:.2} | {:.1} | {cpu:.2} | {:.1} |", wall / health.0, cpu / health.1);
    };
    row("process start to first proposal", starts);
    for (name, samples) in TURNS.iter().zip(turns) {
        row(name, samples);
    }
    println!("\npeak memory {:.1} MiB, program {:.1} MB", peak as f64 / 1024.0, size as f64 / 1e6);
}

fn median(samples: &mut [Duration]) -> f64 {
    samples.sort_unstable();
    samples[samples.len() / 2].as_secs_f64() * 1e3
}

async fn start(endpoint: &Endpoint) -> Function {
    let model = [
        ("MODEL_PROVIDER", "openai"),
        ("MODEL_NAME", "bench"),
        ("MODEL_BASE_URL", &endpoint.base.to_string()),
        ("MODEL_API_KEY", "bench"),
        ("CONFIRM_POLICY", "always"),
        ("DEFAULT_CURRENCY", "GBP"),
    ];
    Function::run(in_lambda(&program()).envs(model)).await
}

/// Sets the model's answer to the next turn.
fn script(endpoint: &Endpoint, turn: &str) {
    let says = |text: &str| json!({ "role": "assistant", "content": text });
    let calls = |name: &str, arguments: Value| {
        let function = json!({ "name": name, "arguments": arguments.to_string() });
        json!({ "role": "assistant", "content": null, "tool_calls": [{ "id": "c", "type": "function", "function": function }] })
    };
    let messages = match turn {
        "clarify" => vec![says("What did you buy, and how much was it?")],
        "propose" => vec![calls("add_expense", json!({ "item": "electricity bill", "amount": "200" }))],
        "balance" => vec![calls("get_balance", json!({})), says("You spent £200.00.")],
        _ => vec![],
    };
    for message in messages {
        let reason = if message.get("tool_calls").is_some() { "tool_calls" } else { "stop" };
        endpoint.will(Act::says(&json!({ "choices": [{ "message": message, "finish_reason": reason }] })));
    }
}

/// Each conversation has its own tenant.
fn event(turn: &str, number: usize, proposed: Option<Value>) -> Value {
    let body = match turn {
        "clarify" => json!({ "message": "I want to add an item" }),
        "propose" => json!({ "message": "Add electricity bill £200 today" }),
        "approve" => {
            let proposal = proposed.expect("it was shown before");
            json!({ "confirm": { "proposalId": proposal["id"], "fingerprint": proposal["fingerprint"], "decision": "approve" } })
        }
        _ => json!({ "message": "what did I spend?" }),
    };
    let (method, path) = if turn == "health" { ("GET", "/health") } else { ("POST", "/chat") };
    let claims = json!({ "sub": "u1", "custom:tenant_id": format!("t{number}"), "cognito:groups": "[member]" });
    json!({
        "version": "2.0", "routeKey": format!("{method} {path}"), "rawPath": path, "rawQueryString": "",
        "headers": { "content-type": "application/json" },
        "requestContext": {
            "authorizer": { "jwt": { "claims": claims, "scopes": null } },
            "http": { "method": method, "path": path, "protocol": "HTTP/1.1", "sourceIp": "127.0.0.1", "userAgent": "bench" },
            "stage": "$default", "timeEpoch": 1_763_726_400_000_i64,
        },
        "body": body.to_string(), "isBase64Encoded": false,
    })
}

/// A wrong answer makes the measurement worthless.
fn check(turn: &str, reply: &Value) -> Value {
    let body: Value = serde_json::from_str(reply["body"].as_str().expect("a body")).expect("JSON");
    let right = match turn {
        "health" => body["status"] == "ok",
        "clarify" => body["answer"] == "What did you buy, and how much was it?",
        "propose" => body["confirmationRequired"] == true,
        "approve" => body["added"][0]["money"]["amount"] == "200.00",
        _ => body["totals"][0]["amount"] == "200.00",
    };
    assert!(right && reply["statusCode"] == 200, "{turn}: {reply}");
    body
}

/// CPU time of all threads, as the scheduler counts it.
fn cpu(pid: u32) -> Duration {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).expect("it runs");
    let spent = threads.filter_map(|thread| {
        let spent = fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        spent.split(' ').next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(spent.sum())
}

/// In KiB.
fn peak_memory(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("it runs");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
    peak.expect("the kernel says so")
}

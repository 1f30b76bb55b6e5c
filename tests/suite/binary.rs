//! The program as people run it: started, called over loopback, killed and started again. It uses the real clock, so
//! tests compare amounts and shapes, never days.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Lines, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    path::PathBuf,
    process::{Child, ChildStdout, Command, Output, Stdio},
    sync::{Arc, Barrier},
    time::Duration,
};

use aws_sdk_dynamodb::types::AttributeValue;
use sayso::{
    local::{EmbeddedDynamoDb, Storage},
    store::Store,
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    sync::Notify,
};

use crate::harness::endpoint::{self, Act, Endpoint};

/// A running server; killed when dropped.
struct Server {
    child: Child,
    addr: SocketAddr,
    /// Its output, up to the last command to try.
    welcome: Vec<String>,
    /// Kept open, because the program may print more.
    _output: Lines<BufReader<ChildStdout>>,
}

/// A test's data folder; removed when dropped.
struct Data(PathBuf);

#[derive(Debug, Clone, PartialEq)]
struct Answer {
    status: u16,
    headers: BTreeMap<String, String>,
    body: Value,
}

impl Data {
    fn new(test: &str) -> Data {
        let folder = format!("binary-{test}-{}", std::process::id());
        Data(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder))
    }

    fn file(&self) -> PathBuf {
        self.0.join("new").join("sayso.db")
    }
}

impl Drop for Data {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Server {
    fn start(data: &Data) -> Server {
        Server::start_with(data, &[])
    }

    fn start_with(data: &Data, variables: &[(&str, &str)]) -> Server {
        let mut child = sayso(data, variables).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let mut welcome: Vec<String> = Vec::new();
        while !welcome.last().is_some_and(|line| line.trim_end().ends_with("/expenses")) {
            match lines.next() {
                Some(line) => welcome.push(line.expect("UTF-8")),
                None => {
                    let _ = child.kill();
                    panic!("it ended with {:?} after {welcome:?}", child.wait());
                }
            }
        }
        let addr = welcome[0].strip_prefix("sayso listens on http://").expect("an address first");
        Server { addr: addr.parse().expect("an address"), child, welcome, _output: lines }
    }

    /// SIGKILL.
    fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ended");
    }

    fn says(&self, message: &str) -> Value {
        let answer = self.post("/chat", &json!({ "message": message }));
        assert_eq!(answer.status, 200, "{message}: {}", answer.body);
        answer.body
    }

    fn answer(&self, message: &str) -> String {
        self.says(message)["answer"].as_str().expect("an answer").to_owned()
    }

    fn post(&self, path: &str, body: &Value) -> Answer {
        request(self.addr, "POST", path, &[("content-type", "application/json")], &body.to_string())
    }

    fn get(&self, path: &str) -> Answer {
        request(self.addr, "GET", path, &[], "")
    }

    /// Item and amount, newest first.
    fn rows(&self) -> Vec<(String, String)> {
        let items = self.get("/expenses").body["items"].clone();
        let items: Vec<Value> = serde_json::from_value(items).expect("items");
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        items.iter().map(|row| (text(&row["item"]), text(&row["money"]["amount"]))).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn sayso(data: &Data, variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sayso"));
    command
        .env_clear()
        .envs([
            ("LOCAL_ADDR", "127.0.0.1:0"),
            ("AUTH", "dev"),
            ("DEFAULT_CURRENCY", "GBP"),
            ("CONFIRM_POLICY", "always"),
        ])
        .env("LOCAL_DATA", data.file())
        .envs(variables.iter().copied());
    command
}

/// One request on a connection of its own.
fn request(addr: SocketAddr, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let mut stream = TcpStream::connect(addr).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
    let mut head = format!("{method} {path} HTTP/1.1\r\nhost: {addr}\r\nconnection: close\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
    stream.write_all((head + body).as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
    let mut head = head.lines();
    let status = head.next().and_then(|line| line.split(' ').nth(1)?.parse().ok()).expect("a status");
    let headers = head.filter_map(|line| line.split_once(": "));
    let headers = headers.map(|(name, value)| (name.to_lowercase(), value.to_owned())).collect();
    Answer { status, headers, body: serde_json::from_str(body).unwrap_or_default() }
}

fn pair(item: &str, amount: &str) -> (String, String) {
    (item.to_owned(), amount.to_owned())
}

#[test]
fn the_conversation_of_the_readme_works_and_survives_a_kill() {
    let data = Data::new("readme");
    let server = Server::start(&data);

    let asked = server.says("I want to add an item");
    assert_eq!(asked["answer"], "What did you buy, and how much was it?");
    let shown = server.says("electricity bill, £200");
    assert_eq!(shown["confirmationRequired"], true);
    assert_eq!(shown["proposal"]["totals"], json!([{ "currency": "GBP", "amount": "200.00", "count": 1 }]));
    assert_eq!(server.rows(), []);
    let done = server.says("yes");
    assert_eq!(done["added"][0]["money"], json!({ "amount": "200.00", "currency": "GBP" }));
    assert_eq!(done["receipt"]["proposalId"], shown["proposal"]["id"]);

    let shown = server.says("coffee 3.50 yesterday and lunch 12 today");
    assert_eq!(shown["proposal"]["operations"].as_array().map(Vec::len), Some(2));
    assert_eq!(shown["proposal"]["totals"], json!([{ "currency": "GBP", "amount": "15.50", "count": 2 }]));
    server.says("yes");
    assert_eq!(server.answer("how much did I spend?"), "You spent £215.50 in total: 3 expenses.");

    let shown = server.answer("delete the coffee");
    assert!(shown.starts_with("Delete #2 “coffee”, £3.50, ") && shown.ends_with("? (yes / no)"), "{shown}");
    let kept = server.answer("no");
    assert!(kept.starts_with("OK, nothing was changed."), "{kept}");
    let rows = [pair("lunch", "12.00"), pair("electricity bill", "200.00"), pair("coffee", "3.50")];
    assert_eq!(server.rows(), rows);

    let waiting = server.says("tea 2")["proposal"].clone();
    server.kill();
    let server = Server::start(&data);
    assert_eq!(server.rows(), rows);
    let answer = server.answer("how much did I spend?");
    let offered = "You spent £215.50 in total: 3 expenses.\n\nStill waiting for your yes or no: add “tea”, £2.00, ";
    assert!(answer.starts_with(offered), "{answer}");
    let path = format!("/proposals/{}", waiting["id"].as_str().expect("an id"));
    assert_eq!(server.get(&path).body["state"], "PENDING");
    assert!(server.answer("yes").starts_with("Do you mean this?"));
    server.says("yes");
    assert_eq!(server.rows().len(), 4);
}

#[test]
fn twenty_confirmations_at_once_are_one_effect_and_twenty_equal_receipts() {
    let data = Data::new("twenty");
    let server = Server::start(&data);
    let proposal = server.says("coffee 3.50")["proposal"].clone();
    let confirm = json!({ "confirm": {
        "proposalId": proposal["id"], "fingerprint": proposal["fingerprint"], "decision": "approve",
    }});
    let start = Barrier::new(20);
    let answers: Vec<Answer> = std::thread::scope(|scope| {
        let post = || {
            start.wait();
            server.post("/chat", &confirm)
        };
        let threads: Vec<_> = (0..20).map(|_| scope.spawn(post)).collect();
        threads.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    });
    let receipt = |answer: &Answer| {
        assert_eq!(answer.status, 200, "{}", answer.body);
        let mut receipt = answer.body["receipt"].clone();
        receipt.as_object_mut().expect("a receipt").remove("replayed");
        receipt
    };
    for answer in &answers {
        assert_eq!(receipt(answer), receipt(&answers[0]));
        assert_eq!(answer.body["added"], answers[0].body["added"]);
    }
    assert_eq!(answers.iter().filter(|answer| answer.body["receipt"].get("replayed").is_none()).count(), 1);
    assert_eq!(server.rows(), [pair("coffee", "3.50")]);
    assert_eq!(server.answer("how much did I spend?"), "You spent £3.50 in total: 1 expense.");
}

#[test]
fn the_printed_commands_work() {
    let data = Data::new("welcome");
    let server = Server::start(&data);
    let tries: Vec<Answer> = server
        .welcome
        .iter()
        .filter_map(|line| line.trim().strip_prefix("curl -s http://"))
        .map(|line| {
            let (target, options) = line.split_once(' ').unwrap_or((line, ""));
            let (addr, path) = target.split_once('/').expect("a path");
            assert_eq!(addr, server.addr.to_string());
            // The header that curl sends with `-d`.
            let form = [("content-type", "application/x-www-form-urlencoded")];
            match options.strip_prefix("-d '").and_then(|body| body.strip_suffix('\'')) {
                Some(body) => request(server.addr, "POST", &format!("/{path}"), &form, body),
                None => request(server.addr, "GET", &format!("/{path}"), &[], ""),
            }
        })
        .collect();
    assert_eq!(tries.iter().map(|answer| answer.status).collect::<Vec<_>>(), [200, 200, 200]);
    assert_eq!(tries[0].body["proposal"]["totals"], json!([{ "currency": "GBP", "amount": "3.50", "count": 1 }]));
    assert_eq!(tries[1].body["balance"], 0);
    assert_eq!(tries[2].body["items"], json!([]));
    let expected =
        format!("confirm policy always, default currency GBP, model offline, data in {}", data.file().display());
    assert_eq!(server.welcome[1], expected);
}

#[test]
fn seeded_expenses_add_up_and_belong_to_their_tenant() {
    let data = Data::new("seed");
    let seeded = sayso(&data, &[]).args(["seed", "50", "t1"]).output().expect("it runs");
    assert!(seeded.status.success(), "{seeded:?}");
    let server = Server::start(&data);
    let theirs = [("x-tenant-id", "t1")];
    let listed = request(server.addr, "GET", "/expenses?limit=500", &theirs, "");
    let rows = listed.body["items"].as_array().expect("items").clone();
    assert_eq!((rows.len(), listed.body.get("nextCursor")), (50, None));
    let pence = |amount: &Value| amount.as_str().expect("a decimal").replace('.', "").parse::<u64>().expect("pence");
    let sum: u64 = rows.iter().map(|row| pence(&row["money"]["amount"])).sum();
    let asked = request(server.addr, "POST", "/chat", &theirs, r#"{"message": "how much did I spend?"}"#);
    assert_eq!(asked.body["count"], 50);
    assert_eq!(asked.body["totals"].as_array().map(Vec::len), Some(1));
    assert_eq!(pence(&asked.body["totals"][0]["amount"]), sum);
    assert_eq!(server.rows(), []);
}

#[test]
fn a_missing_rollup_is_reported_and_repaired() {
    let data = Data::new("reconcile");
    let run = |arguments: &[&str]| {
        let Output { status, stdout, stderr } = sayso(&data, &[]).args(arguments).output().expect("it runs");
        assert!(status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&stderr));
        String::from_utf8(stdout).expect("UTF-8")
    };
    let reconcile = || run(&["reconcile", "t1"]);
    run(&["seed", "50", "t1"]);
    let right = reconcile();
    assert!(right.starts_with("read 50 rows and ") && right.ends_with("\nevery rollup is what its rows add up to\n"));
    lose_a_rollup(&data);
    let found = reconcile();
    let lines: Vec<&str> = found.lines().collect();
    assert_eq!(lines.len(), 2, "{found}");
    assert!(lines[0].starts_with("read 50 rows and "), "{found}");
    assert!(lines[1].contains(": stored nothing; recomputed sum ") && lines[1].ends_with("; repaired"), "{found}");
    assert_eq!(reconcile(), right);
}

fn lose_a_rollup(data: &Data) {
    let embedded = EmbeddedDynamoDb::start(Storage::File(data.file())).expect("the same data");
    let client = Store::new(embedded.service(), "sayso").client();
    let lost = async {
        let rollups = client.query().table_name("sayso").key_condition_expression("pk = :pk AND begins_with(sk, :r)");
        let rollups = rollups.expression_attribute_values(":pk", AttributeValue::S("T#t1".into()));
        let found = rollups.expression_attribute_values(":r", AttributeValue::S("L#".into())).limit(1).send().await;
        let mut rollup = found.expect("it answers").items.unwrap_or_default().remove(0);
        rollup.retain(|name, _| ["pk", "sk"].contains(&name.as_str()));
        client.delete_item().table_name("sayso").set_key(Some(rollup)).send().await.expect("it answers");
    };
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(lost);
}

#[test]
fn without_development_headers_every_request_is_unauthorized() {
    let data = Data::new("gateway");
    let server = Server::start_with(&data, &[("AUTH", "gateway")]);
    let answer = request(server.addr, "GET", "/expenses", &[("x-tenant-id", "demo"), ("x-roles", "admin")], "");
    assert_eq!((answer.status, answer.headers["www-authenticate"].as_str()), (401, "Bearer"));
    assert_eq!(answer.body["type"], "urn:sayso:problem:not-signed-in");
    assert_eq!(server.get("/health").status, 200);
}

#[test]
fn a_wrong_setting_ends_the_program_with_its_name_and_a_remedy() {
    let data = Data::new("settings");
    let busy = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let taken = busy.local_addr().expect("its address").to_string();
    let folder = env!("CARGO_TARGET_TMPDIR");
    let cases: [(&str, &str, i32, &str); 9] = [
        ("MODEL_PROVIDER", "gpt", 2, "set it to anthropic, openai or offline"),
        ("CONFIRM_POLICY", "yolo", 2, "set it to always, risky or never"),
        ("AUTH", "none", 2, "set it to gateway"),
        ("DEFAULT_CURRENCY", "quid", 2, "set one like GBP"),
        ("DEFAULT_TIMEZONE", "Mars/Base", 2, "set an IANA name like Europe/London"),
        ("TABLE_NAME", "#", 2, "set 3 to 255 of"),
        ("LOCAL_ADDR", "8787", 2, "set one like 127.0.0.1:8787"),
        ("LOCAL_ADDR", &taken, 1, "set LOCAL_ADDR to another address"),
        ("LOCAL_DATA", folder, 1, "set LOCAL_DATA to a file that can be written"),
    ];
    for (variable, value, code, remedy) in cases {
        let Output { status, stdout, stderr } = sayso(&data, &[(variable, value)]).output().expect("it runs");
        let message = String::from_utf8(stderr).expect("UTF-8");
        assert_eq!((status.code(), stdout.as_slice()), (Some(code), &b""[..]), "{variable}: {message}");
        assert!(message.starts_with(&format!("sayso: {variable} ")), "{message}");
        assert!(
            message.contains(value) && message.contains(remedy) && message.trim_end().lines().count() == 1,
            "{message}"
        );
    }
    drop(busy);
}

#[test]
fn wrong_arguments_end_the_program_with_its_usage() {
    let data = Data::new("usage");
    for arguments in [&["serve"][..], &["seed"], &["seed", "many", "t1"], &["seed", "1", "t1", "x"], &["reconcile"]] {
        let Output { status, stderr, .. } = sayso(&data, &[]).args(arguments).output().expect("it runs");
        let message = String::from_utf8(stderr).expect("UTF-8");
        assert_eq!(status.code(), Some(2), "{message}");
        assert!(message.contains("sayso seed COUNT TENANT"), "{message}");
    }
    for arguments in [&["seed", "1", "a b"][..], &["reconcile", "a b"]] {
        let Output { status, stderr, .. } = sayso(&data, &[]).args(arguments).output().expect("it runs");
        assert_eq!(status.code(), Some(1), "{}", String::from_utf8_lossy(&stderr));
        assert!(!data.file().exists(), "nothing was written");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sentence_arrives_while_the_model_still_writes() {
    let model = Endpoint::start().await;
    let chunk = |text: &str| format!("data: {}\n\n", json!({ "choices": [{ "delta": { "content": text } }] }));
    let body = format!("{}{}data: [DONE]\n\n", chunk("Hello there. How"), chunk(" are you?"));
    let answer = endpoint::bytes(200, &[("content-type", "text/event-stream".into())], body.as_bytes());
    let (first, rest) = answer.split_at(answer.len() - chunk(" are you?").len() - "data: [DONE]\n\n".len());
    let go_on = Arc::new(Notify::new());
    model.will(Act::InTwo(first.to_vec(), go_on.clone(), rest.to_vec()));
    let data = Data::new("stream");
    let base = model.base.to_string();
    let variables =
        [("MODEL_PROVIDER", "openai"), ("MODEL_NAME", "m"), ("MODEL_API_KEY", "sk"), ("MODEL_BASE_URL", base.as_str())];
    let server = Server::start_with(&data, &variables);
    let message = json!({ "message": "please greet me kindly" }).to_string();
    let request = format!(
        "POST /chat HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\nconnection: close\r\ncontent-length: {}\r\n\r\n\
         {message}",
        message.len()
    );
    let mut stream = tokio::net::TcpStream::connect(server.addr).await.expect("a connection");
    stream.write_all(request.as_bytes()).await.expect("it is sent");
    let mut received = Vec::new();
    let has = |received: &[u8], text: &str| String::from_utf8_lossy(received).contains(text);
    while !has(&received, "Hello there.") {
        assert_ne!(stream.read_buf(&mut received).await.expect("it is read"), 0, "the end");
    }
    assert!(!has(&received, "event: done"));
    go_on.notify_one();
    stream.read_to_end(&mut received).await.expect("it is read");
    assert!(has(&received, "event: done\ndata: {\"answer\":\"Hello there. How are you?\""));
}

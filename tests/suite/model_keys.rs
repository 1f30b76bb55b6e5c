//! Conversations with remote models over HTTP, and their key: it is read at the first use, shared, read again after a
//! refusal, and never shown.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use aws_sdk_secretsmanager::{
    Client, Config,
    config::{BehaviorVersion, Region},
};
use sayso::{
    aws::{Account, Service},
    local::sdk,
    model::{
        Model,
        anthropic::Anthropic,
        client::{Key, Remote},
        json::JsonProtocol,
        openai::OpenAi,
        provider::Provider,
    },
    outbound::{Connection, Outbound, Request, SendError, Sending},
    secrets::{Hidden, Secret, SecretError},
};
use serde_json::{Value, json};

use crate::harness::{
    Setup,
    endpoint::{Act, Endpoint},
    log::captured_log,
    moto::{Moto, TIME},
    runtime_api::Function,
};

const SECRET: &str = "sayso/model-key";

/// A provider's form of the messages in the conversation.
struct Dialect {
    name: &'static str,
    model: fn(&Endpoint) -> Arc<dyn Model>,
    says: fn(&str) -> Value,
    calls: fn(&str, Value) -> Value,
}

fn given<P: Provider>(provider: P, endpoint: &Endpoint) -> Remote<P> {
    Remote::new(provider, Outbound::default(), endpoint.base.clone(), Key::Given(Hidden("k".into())), |_| {
        Duration::ZERO
    })
}

fn openai() -> OpenAi {
    OpenAi { model: "m".into(), temperature: None }
}

fn anthropic() -> Anthropic {
    Anthropic { model: "m".into(), temperature: None }
}

fn openai_says(text: &str) -> Value {
    json!({ "choices": [{ "message": { "role": "assistant", "content": text }, "finish_reason": "stop" }] })
}

fn openai_calls(tool: &str, arguments: Value) -> Value {
    let function = json!({ "name": tool, "arguments": arguments.to_string() });
    let message = json!({ "role": "assistant", "content": null, "tool_calls": [{ "id": "c1", "type": "function", "function": function }] });
    json!({ "choices": [{ "message": message, "finish_reason": "tool_calls" }] })
}

fn anthropic_says(text: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": text }], "stop_reason": "end_turn" })
}

fn anthropic_calls(tool: &str, input: Value) -> Value {
    let thinking = json!({ "type": "thinking", "thinking": "…", "signature": "c2lnbmVk" });
    let call = json!({ "type": "tool_use", "id": "c1", "name": tool, "input": input });
    json!({ "content": [thinking, call], "stop_reason": "tool_use" })
}

fn in_json(tool: &str, arguments: Value) -> String {
    match tool {
        "ask_questions" => json!({ "type": "clarify", "question": arguments["questions"][0]["text"] }).to_string(),
        _ => json!({ "type": "tool_call", "tool": tool, "args": arguments }).to_string(),
    }
}

fn answer(text: &str) -> String {
    json!({ "type": "answer", "content": text }).to_string()
}

const DIALECTS: [Dialect; 4] = [
    Dialect {
        name: "openai",
        model: |endpoint| Arc::new(given(openai(), endpoint)),
        says: openai_says,
        calls: openai_calls,
    },
    Dialect {
        name: "anthropic",
        model: |endpoint| Arc::new(given(anthropic(), endpoint)),
        says: anthropic_says,
        calls: anthropic_calls,
    },
    Dialect {
        name: "openai, json",
        model: |endpoint| Arc::new(JsonProtocol(given(openai(), endpoint))),
        says: |text| openai_says(&answer(text)),
        calls: |tool, arguments| openai_says(&in_json(tool, arguments)),
    },
    Dialect {
        name: "anthropic, json",
        model: |endpoint| Arc::new(JsonProtocol(given(anthropic(), endpoint))),
        says: |text| anthropic_says(&answer(text)),
        calls: |tool, arguments| anthropic_says(&in_json(tool, arguments)),
    },
];

#[tokio::test]
async fn the_conversation_of_the_readme_runs_with_every_provider_in_either_protocol() {
    for Dialect { name, model, says, calls } in DIALECTS {
        let endpoint = Endpoint::start().await;
        let service = Setup::model(model(&endpoint)).start().await;
        let me = service.person();
        let will = |body: Value| endpoint.will(Act::says(&body));

        let question = "What did you buy, and how much was it?";
        will(calls("ask_questions", json!({ "questions": [{ "text": question }] })));
        assert_eq!(me.says("I want to add an item").await["question"]["text"], question, "{name}");

        will(calls("add_expense", json!({ "item": "electricity bill", "amount": "200", "currency": "GBP" })));
        let shown = me.says("electricity bill, £200").await;
        assert_eq!(shown["answer"], "Add “electricity bill”, £200.00, 20 Nov 2026? (yes / no)", "{name}");
        let done = me.says("yes").await;
        assert_eq!(done["added"][0]["money"], json!({ "amount": "200.00", "currency": "GBP" }), "{name}");

        will(calls("get_balance", json!({})));
        will(says("You spent £200."));
        let looked = me.says("how much did I spend?").await;
        assert_eq!((looked["answer"].as_str(), &looked["balance"]), (Some("You spent £200."), &json!(200)), "{name}");
        assert_eq!(
            endpoint.requests().iter().filter(|request| request.method == "POST").count(),
            4,
            "{name}: no call for the yes"
        );
    }
}

#[tokio::test]
async fn in_lambda_the_program_runs_that_conversation_with_the_key_from_secrets_manager() {
    let moto = Moto::start();
    let manager = moto.service("secretsmanager");
    owner(&manager).create_secret().name(SECRET).secret_string("sk-1").send().await.expect("a secret");
    for Dialect { name, says, calls, .. } in DIALECTS {
        let endpoint = Endpoint::start().await;
        endpoint.takes_only("sk-1");
        let (provider, protocol) = name.split_once(", ").unwrap_or((name, "tools"));
        let variables = [
            ("MODEL_PROVIDER", provider),
            ("MODEL_PROTOCOL", protocol),
            ("MODEL_NAME", "m"),
            ("MODEL_BASE_URL", &endpoint.base.to_string()),
            ("MODEL_SECRET_ID", SECRET),
            ("AWS_ENDPOINT_URL_SECRETS_MANAGER", &manager.endpoint),
            ("AWS_REGION", &manager.account.region),
            ("CONFIRM_POLICY", "always"),
        ];
        let function = Function::start_with(&variables).await;
        let say = async |message: &str| -> Value {
            let mut event: Value = serde_json::from_str(include_str!("../../events/clarify.json")).expect("JSON");
            event["body"] = json!({ "message": message }).to_string().into();
            let reply = function.invoke(&event).await;
            serde_json::from_str(reply["body"].as_str().expect("a body")).expect("JSON")
        };
        endpoint.will(Act::says(&calls("ask_questions", json!({ "questions": [{ "text": "What was it?" }] }))));
        let asked = say("I want to add an item").await;
        assert_eq!(asked["question"]["text"], "What was it?", "{name}: {asked}");
        endpoint.will(Act::says(&calls("add_expense", json!({ "item": "tea", "amount": "2", "currency": "GBP" }))));
        assert_eq!(say("tea, £2").await["confirmationRequired"], true, "{name}");
        assert_eq!(say("yes").await["added"][0]["money"]["amount"], "2.00", "{name}");
        endpoint.will(Act::says(&calls("get_balance", json!({}))));
        endpoint.will(Act::says(&says("You spent £2.")));
        assert_eq!(say("how much did I spend?").await["balance"], 2, "{name}");
    }
}

/// A connection to Secrets Manager that counts requests and can be down.
#[derive(Debug, Clone)]
struct Line {
    sent: Arc<AtomicUsize>,
    down: Arc<AtomicBool>,
    real: Arc<dyn Connection>,
}

impl Line {
    fn to(service: &Service) -> Line {
        Line { sent: Arc::default(), down: Arc::default(), real: service.connection.clone() }
    }

    fn sent(&self) -> usize {
        self.sent.load(Ordering::SeqCst)
    }
}

impl Connection for Line {
    fn send(&self, request: Request) -> Sending {
        self.sent.fetch_add(1, Ordering::SeqCst);
        if self.down.load(Ordering::SeqCst) {
            return Box::pin(async { Err(SendError::Unreachable(": nobody listens".into())) });
        }
        self.real.send(request)
    }
}

/// The client that writes the secret, from the SDK.
fn owner(manager: &Service) -> Client {
    let Service { account, endpoint, connection, .. } = manager;
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .http_client(sdk::http_client(connection))
        .endpoint_url(endpoint)
        .region(Region::new(account.region.clone()))
        .credentials_provider(sdk::credentials(account));
    Client::from_conf(config.build())
}

fn kept_in(manager: Service, line: &Line) -> Secret {
    Secret::new(SECRET, manager.over(line.clone()))
}

#[tokio::test]
async fn the_key_is_read_once_and_once_more_after_a_rotation() {
    let (moto, endpoint) = (Moto::start(), Endpoint::start().await);
    let manager = moto.service("secretsmanager");
    let (owner, line) = (owner(&manager), Line::to(&manager));
    owner.create_secret().name(SECRET).secret_string(" first\n").send().await.expect("a secret");
    let secret = kept_in(manager, &line);
    let model =
        Remote::new(openai(), Outbound::default(), endpoint.base.clone(), Key::Secret(secret), |_| Duration::ZERO);
    let service = Setup::model(Arc::new(model)).start().await;
    let me = service.person();
    assert_eq!(line.sent(), 0, "not needed at start-up");

    endpoint.takes_only("first");
    for n in 0..3 {
        endpoint.will(Act::says(&openai_says("Hello.")));
        let said = json!({ "message": "hello there", "conversationId": format!("c{n}") });
        assert_eq!(me.chat(said).await["answer"], "Hello.");
    }
    assert_eq!(line.sent(), 1, "read when it is first needed, and kept");

    owner.put_secret_value().secret_id(SECRET).secret_string("second").send().await.expect("it is rotated");
    endpoint.takes_only("second");
    (0..20).for_each(|_| endpoint.will(Act::says(&openai_says("Hello again."))));
    let turns = (0..20).map(|n| me.chat(json!({ "message": "hello there", "conversationId": format!("d{n}") })));
    let answers = futures_util::future::join_all(turns).await;
    assert!(answers.iter().all(|reply| reply["answer"] == "Hello again."), "{answers:?}");
    assert_eq!(line.sent(), 2, "one read serves them all");

    endpoint.takes_only("third");
    for _ in 0..3 {
        let reply = me.post("/chat", json!({ "message": "hello there" })).await;
        assert_eq!((reply.status.as_u16(), &reply.body["type"]), (503, &json!("urn:sayso:problem:model-unavailable")));
    }
    assert_eq!(line.sent(), 3, "what it holds was refused; it is not asked again at once");
}

#[tokio::test]
async fn without_secrets_manager_approvals_still_work_and_chat_says_503() {
    let endpoint = Endpoint::start().await;
    let account = Account::new("local", "a", "b", None);
    let manager = Service::new("secretsmanager", account, None, Outbound::default(), TIME);
    let line = Line::to(&manager);
    line.down.store(true, Ordering::SeqCst);
    let secret = kept_in(manager, &line);
    let model =
        Remote::new(openai(), Outbound::default(), endpoint.base.clone(), Key::Secret(secret), |_| Duration::ZERO);
    let service = Setup::model(Arc::new(model)).start().await;
    let me = service.person();
    let call = json!({ "confirm": { "tool": "add_expense", "args": { "item": "coffee", "amount": "3.50" } } });
    let waiting = me.chat(call).await["proposal"].clone();
    let refused = me.post("/chat", json!({ "message": "coffee 3.50" })).await;
    assert_eq!((refused.status.as_u16(), &refused.body["type"]), (503, &json!("urn:sayso:problem:model-unavailable")));
    let done = me.decide(&waiting, "approve").await;
    assert_eq!((done.status.as_u16(), &done.body["added"][0]["item"]), (200, &json!("coffee")));
    assert_eq!(endpoint.requests().iter().filter(|request| request.method == "POST").count(), 0);
}

#[tokio::test]
async fn an_old_key_is_read_again_and_used_further_if_the_read_fails() {
    let moto = Moto::start();
    let manager = moto.service("secretsmanager");
    let (owner, line) = (owner(&manager), Line::to(&manager));
    owner.create_secret().name(SECRET).secret_string("first").send().await.expect("a secret");
    let secret = kept_in(manager, &line);
    assert_eq!(secret.value().await, Ok(Hidden("first".into())));
    owner.put_secret_value().secret_id(SECRET).secret_string("second").send().await.expect("it is rotated");
    age(14).await;
    assert_eq!((secret.value().await, line.sent()), (Ok(Hidden("first".into())), 1));
    age(2).await;
    assert_eq!((secret.value().await, line.sent()), (Ok(Hidden("second".into())), 2));

    line.down.store(true, Ordering::SeqCst);
    age(16).await;
    assert_eq!((secret.value().await, line.sent()), (Ok(Hidden("second".into())), 5), "sent three times");
    assert_eq!((secret.value().await, line.sent()), (Ok(Hidden("second".into())), 5), "and then not at once again");
}

async fn age(minutes: u64) {
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(minutes * 60)).await;
    tokio::time::resume();
}

#[tokio::test]
async fn a_failed_read_fails_for_all_waiting_callers() {
    let account = Account::new("local", "a", "b", None);
    let manager = Service::new("secretsmanager", account, None, Outbound::default(), TIME);
    let line = Line::to(&manager);
    line.down.store(true, Ordering::SeqCst);
    let secret = kept_in(manager, &line);
    let read = futures_util::future::join_all((0..20).map(|_| secret.value())).await;
    assert!(read.iter().all(|read| *read == Err(SecretError::Unreadable)), "{read:?}");
    assert_eq!(line.sent(), 3, "one read, sent three times");
    age(1).await;
    assert_eq!((secret.value().await, line.sent()), (Err(SecretError::Unreadable), 6));
}

#[tokio::test]
async fn a_secret_without_plain_text_is_not_sent() {
    let (moto, endpoint) = (Moto::start(), Endpoint::start().await);
    let manager = moto.service("secretsmanager");
    let written = owner(&manager).create_secret().name(SECRET).secret_string(r#"{"key": "first"}"#);
    written.send().await.expect("a secret");
    let secret = Secret::new(SECRET, manager);
    let model =
        Remote::new(openai(), Outbound::default(), endpoint.base.clone(), Key::Secret(secret), |_| Duration::ZERO);
    let service = Setup::model(Arc::new(model)).start().await;
    assert_eq!(service.person().post("/chat", json!({ "message": "coffee" })).await.status.as_u16(), 503);
    assert_eq!(endpoint.requests().iter().filter(|request| request.method == "POST").count(), 0);
}

#[tokio::test]
async fn keys_and_messages_are_neither_logged_nor_quoted() {
    let (log, _logging) = captured_log();
    let endpoint = Endpoint::start().await;
    let key = Key::Given(Hidden("sk-canary".into()));
    let model = Remote::new(openai(), Outbound::default(), endpoint.base.clone(), key, |_| Duration::ZERO);
    let service = Setup::model(Arc::new(model)).start().await;
    let me = service.person();
    let echo = json!({ "error": { "message": "wrong key sk-canary for: salary-canary 4242.42" } });
    let add = openai_calls("add_expense", json!({ "item": "salary-canary", "amount": "4242.42" }));
    let mut replies = Vec::new();
    for act in [
        Act::status(401, &echo),
        Act::status(400, &echo),
        Act::says(&echo),
        Act::says(&openai_calls("salary-canary", json!({}))),
        Act::says(&add),
    ] {
        endpoint.will(act);
        replies.push(me.post("/chat", json!({ "message": "salary-canary 4242.42" })).await.body.to_string());
    }
    assert!(replies.last().is_some_and(|shown| shown.contains("4242.42")), "{replies:?}");
    me.says("yes").await;
    assert!(replies.iter().all(|reply| !reply.contains("sk-canary")), "{replies:?}");
    let log = String::from_utf8(log.lock().unwrap().clone()).unwrap();
    assert!(log.lines().count() > 3, "{log}");
    for canary in ["sk-canary", "salary-canary", "4242"] {
        assert_eq!(log.lines().find(|line| line.contains(canary)), None, "{canary}");
    }
}

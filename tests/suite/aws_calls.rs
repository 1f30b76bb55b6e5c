//! Requests to AWS, and how calls handle the answers.

use std::{
    collections::VecDeque,
    process::{Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use rstest::rstest;
use sayso::{
    aws::{Account, Failure, Operation, Service, Time},
    outbound::{Connection, Request, Response, SendError, Sending},
    secrets::{Secret, SecretError},
    store::Store,
};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::harness::{bench::caller, log::captured_log};

/// Status and body; none for a missing answer.
type Answer = Option<(u16, Value)>;

/// A connection that gives the test's answers and records the requests.
#[derive(Debug, Clone, Default)]
struct Line {
    sent: Arc<Mutex<Vec<Request>>>,
    answers: Arc<Mutex<VecDeque<Answer>>>,
}

impl Connection for Line {
    fn send(&self, request: Request) -> Sending {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner).push(request);
        let answer = self.answers.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let answer = match answer.expect("an answer for each sending") {
            Some((status, body)) => {
                let mut response = Response::new(body.to_string().into());
                *response.status_mut() = status.try_into().expect("a status");
                Ok(response)
            }
            None => Err(SendError::CutOff(": the connection was closed".into())),
        };
        Box::pin(async { answer })
    }
}

/// An operation, and its answer as JSON.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Read {
    table_name: &'static str,
    key: Value,
}

impl Operation for Read {
    const TARGET: &'static str = "DynamoDB_20120810.GetItem";
    const CONTENT_TYPE: &'static str = "application/x-amz-json-1.0";
    type Output = Map<String, Value>;
}

fn service(line: &Line, token: Option<&str>) -> Service {
    let account = Account::new("eu-west-2", "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG", token.map(str::to_owned));
    let time = Time { now: || "2026-11-20T12:34:56Z".parse().expect("a time"), pause: |_| Duration::ZERO };
    Service::new("dynamodb", account, None, line.clone(), time)
}

fn read() -> Read {
    Read { table_name: "sayso", key: json!({ "pk": { "S": "é" } }) }
}

fn failure(code: &str) -> Value {
    json!({ "__type": format!("com.amazonaws.dynamodb.v20120810#{code}"), "message": "no" })
}

/// Signs the headers of a request with botocore, AWS's library for Python, and prints them.
const BOTOCORE: &str = "
import json, sys, datetime
from unittest import mock
from botocore import auth, awsrequest, credentials
given = json.load(sys.stdin)
class Then(datetime.datetime):
    @classmethod
    def now(cls, tz=None): return datetime.datetime(2026, 11, 20, 12, 34, 56, tzinfo=tz)
    @classmethod
    def utcnow(cls): return datetime.datetime(2026, 11, 20, 12, 34, 56)
request = awsrequest.AWSRequest('POST', given['url'], given['headers'], given['body'].encode())
keys = credentials.Credentials('AKIDEXAMPLE', 'wJalrXUtnFEMI/K7MDENG', given['token'])
patched = [mock.patch.object(auth.datetime, 'datetime', Then)] if hasattr(auth.datetime, 'datetime') else []
if hasattr(auth, 'get_current_datetime'):
    patched.append(mock.patch.object(auth, 'get_current_datetime', Then.utcnow))
for patch in patched: patch.start()
auth.SigV4Auth(keys, 'dynamodb', 'eu-west-2').add_auth(request)
print(json.dumps({name.lower(): value for name, value in request.headers.items()}))
";

#[rstest]
#[case::of_a_user(None)]
#[case::of_a_role(Some("a session's token"))]
#[tokio::test]
async fn a_request_is_signed_as_botocore_signs_it(#[case] token: Option<&str>) {
    let line = Line::default();
    line.answers.lock().unwrap().push_back(Some((200, json!({ "Item": { "n": { "N": "1" } } }))));
    let output = service(&line, token).call(read()).await.expect("an item");
    assert_eq!(Value::Object(output), json!({ "Item": { "n": { "N": "1" } } }));

    let sent = line.sent.lock().unwrap();
    let [request] = &sent[..] else { panic!("one request, not {}", sent.len()) };
    let uri = request.uri().to_string();
    assert_eq!((request.method().as_str(), uri.as_str()), ("POST", "https://dynamodb.eu-west-2.amazonaws.com/"));
    let body = std::str::from_utf8(request.body()).unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(body).unwrap(),
        json!({ "TableName": "sayso", "Key": { "pk": { "S": "é" } } })
    );
    let headers: Map<String, Value> = request
        .headers()
        .iter()
        .map(|(name, value)| (name.to_string(), json!(value.to_str().expect("a text"))))
        .collect();
    let mut unsigned = headers.clone();
    unsigned.retain(|name, _| !["authorization", "x-amz-date", "x-amz-security-token"].contains(&name.as_str()));
    let given = json!({ "url": uri, "headers": unsigned, "body": body, "token": token });
    assert_eq!(Value::Object(headers), signed_by_botocore(&given));
}

fn signed_by_botocore(given: &Value) -> Value {
    let python = concat!(env!("CARGO_MANIFEST_DIR"), "/.venv/bin/python");
    let mut process = Command::new(python)
        .args(["-c", BOTOCORE])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("`make tools` installs botocore");
    serde_json::to_writer(process.stdin.take().expect("its input is piped"), given).expect("it reads");
    let output = process.wait_with_output().expect("it ends");
    serde_json::from_slice(&output.stdout).expect("it prints headers")
}

#[tokio::test]
async fn transient_failures_are_retried_and_refusals_are_not() {
    let (throttled, down) =
        (Some((400, failure("ProvisionedThroughputExceededException"))), Some((500, failure("InternalServerError"))));
    let (refused, found) = (Some((400, failure("ValidationException"))), Some((200, json!({}))));
    for (answers, sent, code) in [
        (vec![throttled.clone(), None, found.clone()], 3, None),
        (vec![down.clone(), found], 2, None),
        (vec![refused.clone()], 1, Some("ValidationException")),
        (vec![None, refused], 2, Some("ValidationException")),
        (vec![down.clone(), down, throttled], 3, Some("ProvisionedThroughputExceededException")),
    ] {
        let line = Line::default();
        line.answers.lock().unwrap().extend(answers);
        let result = service(&line, None).call(read()).await;
        let said = result.as_ref().err().and_then(Failure::code);
        assert_eq!((line.sent.lock().unwrap().len(), said), (sent, code), "{result:?}");
        assert_eq!(line.answers.lock().unwrap().len(), 0);
    }
}

#[tokio::test]
async fn call_once_sends_once() {
    let line = Line::default();
    line.answers.lock().unwrap().push_back(None);
    let result = service(&line, None).call_once(read()).await;
    assert!(matches!(result, Err(Failure::NotAnswered(_))), "{result:?}");
}

#[tokio::test]
async fn an_unreadable_success_is_not_a_refusal() {
    let line = Line::default();
    line.answers.lock().unwrap().extend(vec![Some((200, json!([1])))]);
    let result = service(&line, None).call(read()).await;
    assert!(matches!(result, Err(Failure::Unreadable { status: 200 })), "{result:?}");
}

#[tokio::test]
async fn unreadable_answers_are_neither_logged_nor_reported() {
    let (log, _logging) = captured_log();
    let line = Line::default();
    let canary = || Some((200, json!(["sk-canary"])));
    line.answers.lock().unwrap().extend([canary(), canary()]);
    let store = Store::new(service(&line, None), "sayso");
    let tenant = caller("t1", "ann", "member");
    let unreadable = store.tenant(tenant.tenant()).settings().await.expect_err("no item");
    assert_eq!(unreadable.to_string(), "the store is unavailable: an answer of status 200 that cannot be read");
    assert_eq!(Secret::new("key", service(&line, None)).value().await, Err(SecretError::Unreadable));
    let log = String::from_utf8(log.lock().unwrap().clone()).unwrap();
    assert!(log.contains("secret key cannot be read") && !log.contains("canary"), "{log}");
}

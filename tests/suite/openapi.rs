//! The description of the HTTP interface: it is what the service answers, and the routes of the service, of the
//! description and of the deployment are the same.
//!
//! `UPDATE_OPENAPI=1` writes `src/http/openapi.json` anew.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
};

use http::{Method, StatusCode};
use jsonschema::Validator;
use sayso::{
    expenses::{ExpenseKind, add_expense::AddExpense},
    http::openapi::{Answered, Route, bodies::ExpenseForm, document, kinds, routes},
    tool::RecordKind,
};
use serde_json::{Map, Value, json};

use crate::harness::{Person, Service, Setup};

/// A method and a path, like `get /proposals/{id}`.
type RouteName = String;

#[tokio::test]
async fn the_document_is_what_the_types_say_and_the_service_answers() {
    let document = document(&routes(), &answers().await);
    let text = format!("{document:#}\n");
    if env::var_os("UPDATE_OPENAPI").is_some() {
        // The service has the new document after the next build.
        return fs::write(file(), &text).expect("the document");
    }
    let committed = fs::read_to_string(file()).expect("the document");
    assert!(committed == text, "src/http/openapi.json is outdated: run this test with UPDATE_OPENAPI=1");
    let served = Setup::default().start().await.person().get("/openapi.json").await;
    let mut unzipped = String::new();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(&*served.bytes), &mut unzipped).expect("gzip");
    let is_it = serde_json::from_str::<Value>(&unzipped).is_ok_and(|served| served == document);
    assert!(served.status == StatusCode::OK && is_it, "the service has another document");
}

#[test]
fn router_document_and_deployment_have_the_same_routes() {
    let routes = routes();
    let described = |open: bool| {
        let some = routes.iter().filter(move |route| !open || route.is_open);
        some.map(|route| format!("{} {}", route.method, route.path)).collect::<BTreeSet<RouteName>>()
    };
    assert_eq!(described(false), served_routes());
    let deployed = deployed_routes();
    assert_eq!(described(false), deployed.keys().cloned().collect());
    let open = deployed.iter().filter(|(_, needs_token)| !**needs_token);
    assert_eq!(described(true), open.map(|(route, _)| route.clone()).collect());
    assert_eq!(described(false).len(), routes.len(), "a route is described twice");
}

#[test]
fn every_example_has_the_form_of_its_schema() {
    let document = committed();
    let mut wrong = Vec::new();
    for (route, operation) in operations(&document) {
        let body = operation.pointer("/requestBody/content/application~1json");
        let answers = operation["responses"].as_object().expect("responses").iter().flat_map(|(status, response)| {
            let response = resolved(&document, response);
            let content = response["content"].as_object().cloned().unwrap_or_default();
            content.into_iter().map(move |(kind, media)| (format!("{status} {kind}"), media))
        });
        let answers = answers.filter(|(name, _)| !name.ends_with("event-stream"));
        for (name, media) in body.map(|body| ("body".to_owned(), body.clone())).into_iter().chain(answers) {
            let Some(schema) = media.get("schema") else { continue };
            let examples = media["examples"].as_object().filter(|examples| !examples.is_empty());
            let examples = examples.unwrap_or_else(|| panic!("{route}: {name} has no example"));
            // Only the service's own answers have no other fields than those described.
            let validator = validator(&document, schema, name != "body");
            for (title, example) in examples {
                let value = resolved(&document, example)["value"].clone();
                let errors = validator.iter_errors(&value);
                wrong.extend(errors.map(|error| format!("{route}: {name} {title}: {} {error}", error.instance_path())));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn every_parameter_has_a_description_and_an_example() {
    let document = committed();
    let mut lacking = Vec::new();
    for (route, operation) in operations(&document) {
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let is_told = parameter["description"].as_str().is_some_and(|text| !text.is_empty());
            let validator = validator(&document, &parameter["schema"], false);
            if !is_told || parameter.get("example").is_none_or(|example| !validator.is_valid(example)) {
                lacking.push(format!("{route}: {}", parameter["name"]));
            }
        }
    }
    assert_eq!(lacking, Vec::<String>::new());
}

#[test]
fn every_problem_is_described_with_an_example_and_has_a_route() {
    let document = committed();
    let kinds: BTreeSet<&str> = kinds::ALL.iter().map(|(kind, _)| kind.slug).collect();
    let examples = document["components"]["examples"].as_object().expect("examples");
    assert_eq!(kinds, examples.keys().map(String::as_str).collect());
    for (kind, _) in kinds::ALL {
        let example = &examples[kind.slug]["value"];
        let expected = (json!(format!("urn:sayso:problem:{}", kind.slug)), json!(kind.status.as_u16()));
        assert_eq!((&example["type"], &example["status"]), (&expected.0, &expected.1));
    }
    let of_routes: BTreeSet<&str> = routes().iter().flat_map(|route| &route.problems).map(|kind| kind.slug).collect();
    assert_eq!(kinds, of_routes);
}

#[test]
fn the_described_fields_are_those_that_are_read() {
    let kind = ExpenseKind;
    let search = kind.search().expect("expenses can be searched");
    let mut read: BTreeSet<String> = search.parameters().iter().map(|name| (*name).to_owned()).collect();
    read.extend(["cursor", "from", "limit", "order", "to", "whose"].map(str::to_owned));
    let document = committed();
    let parameters = document["paths"]["/expenses"]["get"]["parameters"].as_array().expect("parameters");
    let in_query = parameters.iter().filter(|parameter| parameter["in"] == "query");
    assert_eq!(in_query.map(|parameter| text(&parameter["name"])).collect::<BTreeSet<String>>(), read);
    let fields = |schema: schemars::Schema| {
        schema.as_value()["properties"].as_object().expect("fields").keys().cloned().collect::<BTreeSet<String>>()
    };
    assert_eq!(fields(schemars::schema_for!(ExpenseForm)), fields(schemars::schema_for!(AddExpense)));
}

/// The answers of a service to the examples of each route, in order.
async fn answers() -> Vec<Vec<Answered>> {
    let service = Setup::default().start().await;
    let me = service.person();
    // A stream's turn is a task of its own.
    service.wire.serves("demo");
    let mut known: BTreeMap<String, Value> = BTreeMap::new();
    let mut all = Vec::new();
    for route in routes() {
        all.push(answered(&service, &me, &route, &mut known).await);
    }
    all
}

async fn answered(
    service: &Service,
    me: &Person<'_>,
    route: &Route,
    known: &mut BTreeMap<String, Value>,
) -> Vec<Answered> {
    let mut answered = Vec::new();
    for example in &route.examples {
        if let Some((status, answer)) = example.answer.clone() {
            let (uri, status) = (example.path.to_owned(), status.as_u16());
            answered.push(Answered { title: example.title, uri, sent: None, status, answer: Some(answer) });
            continue;
        }
        let uri = filled(&json!(example.path), known);
        let (uri, sent) = (text(&uri), example.body.as_ref().map(|body| filled(body, known)));
        let method = if sent.is_some() { Method::POST } else { Method::GET };
        let (body, media_type) = match &sent {
            Some(Value::String(raw)) => (raw.clone(), route.raw_bodies[0]),
            Some(json) => (json.to_string(), "application/json"),
            None => (String::new(), "application/json"),
        };
        let response = me.send_with(method, &uri, body.into_bytes(), &[("content-type", media_type)]).await;
        assert!(response.status.is_success(), "{uri}: {}", response.body);
        // Later receipts are of later times.
        service.advance(std::time::Duration::from_secs(60));
        for (name, value) in response.body.as_object().into_iter().flatten() {
            known.insert(name.clone(), value.clone());
        }
        if example.is_shown {
            // Files of the page are compressed.
            let text = || String::from_utf8(response.bytes).ok().filter(|text| !text.is_empty()).map(Value::from);
            let answer = Some(response.body).filter(|body| !body.is_null()).or_else(text);
            let status = response.status.as_u16();
            answered.push(Answered { title: example.title, uri, sent, status, answer });
        }
    }
    answered
}

/// Replaces `$proposal.id` and the like by what was answered last.
fn filled(value: &Value, known: &BTreeMap<String, Value>) -> Value {
    match value {
        Value::String(text) => {
            let (start, rest) = text.split_once('$').unwrap_or((text, ""));
            if rest.is_empty() {
                return value.clone();
            }
            let end = rest.find(['/', '?', '&']).unwrap_or(rest.len());
            let (path, end) = rest.split_at(end);
            let (first, other) = path.split_once('.').unwrap_or((path, ""));
            let found = known.get(first).unwrap_or_else(|| panic!("no answer had {first}"));
            let found = if other.is_empty() { found } else { &found[other] };
            format!("{start}{}{end}", text_of(found)).into()
        }
        Value::Array(items) => items.iter().map(|item| filled(item, known)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| (name.clone(), filled(value, known))).collect::<Map<_, _>>().into()
        }
        other => other.clone(),
    }
}

fn text(value: &Value) -> String {
    text_of(value).to_owned()
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

fn operations(document: &Value) -> impl Iterator<Item = (RouteName, &Value)> {
    let paths = document["paths"].as_object().expect("paths").iter();
    paths.flat_map(|(path, methods)| {
        let methods = methods.as_object().expect("methods").iter();
        methods.map(move |(method, operation)| (format!("{method} {path}"), operation))
    })
}

fn resolved<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    match value["$ref"].as_str() {
        Some(reference) => document.pointer(&reference[1..]).expect("what is referred to"),
        None => value,
    }
}

/// `closed`: with no other fields than those described.
fn validator(document: &Value, schema: &Value, closed: bool) -> Validator {
    let mut root = document["components"].clone();
    let mut schema = schema.clone();
    if closed {
        close(&mut root["schemas"]);
        close(&mut schema);
    }
    schema["components"] = root;
    jsonschema::options().should_validate_formats(true).build(&schema).expect("a schema")
}

/// Schemas that are combined with others stay open.
fn close(schema: &mut Value) {
    match schema {
        Value::Array(schemas) => schemas.iter_mut().for_each(close),
        Value::Object(fields) => {
            let is_of_fields = fields.get("properties").is_some_and(Value::is_object) && fields.contains_key("type");
            if is_of_fields && !fields.contains_key("additionalProperties") {
                fields.insert("additionalProperties".into(), false.into());
            }
            let combined = fields.iter_mut().filter(|(name, _)| *name != "allOf" && *name != "examples");
            combined.for_each(|(_, schema)| close(schema));
        }
        _ => {}
    }
}

fn committed() -> Value {
    serde_json::from_str(&fs::read_to_string(file()).expect("the document")).expect("JSON")
}

fn file() -> PathBuf {
    root().join("src/http/openapi.json")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The router's routes.
pub fn served_routes() -> BTreeSet<RouteName> {
    let source = fs::read_to_string(root().join("src/http.rs")).expect("the router");
    let routes = source.lines().filter_map(|line| line.trim_start().strip_prefix(".route(\""));
    let routes = routes.map(|route| {
        let (path, handler) = route.split_once("\", ").expect("a path and a handler");
        let (method, _) = handler.split_once('(').expect("a method");
        format!("{method} {}", path.replace("{*", "{"))
    });
    routes.collect()
}

/// The routes of the HTTP API in the template, and whether each needs a token.
fn deployed_routes() -> BTreeMap<RouteName, bool> {
    let template = fs::read_to_string(root().join("infra/template.yaml")).expect("the template");
    let events = template.split("Type: HttpApi").skip(1).map(|event| {
        // Up to the next event or resource.
        let lines =
            event.lines().skip(1).take_while(|line| line.starts_with("          ")).collect::<Vec<_>>().join("\n");
        let value = |name: &str| {
            let (_, rest) = lines.split_once(&format!("{name}: ")).unwrap_or_else(|| panic!("no {name} in {lines}"));
            let end = rest.find([',', '\n', ' ']).unwrap_or(rest.len());
            rest[..end].trim_matches('"').to_owned()
        };
        let (method, path) = (value("Method").to_lowercase(), value("Path").replace("+}", "}"));
        (format!("{method} {path}"), !lines.contains("Authorizer: NONE"))
    });
    events.collect()
}

//! Writes the document from the table of routes, with answers of the service as examples.

use std::collections::{BTreeMap, BTreeSet};

use axum::http::StatusCode;
use schemars::{SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use super::{
    ABOUT,
    route::{Body, Reply, Route},
    rows::{DetectedFilters, Remembered, Row},
    schemas::{self, Direction},
};
use crate::http::problem::{
    Members,
    examples::examples,
    kinds::{self, ProblemKind},
};

const PROBLEM: &str = "application/problem+json";

/// What the service answered to an example of a route.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// The example's title.
    pub title: &'static str,
    /// Path and query, as they were sent.
    pub uri: String,
    pub sent: Option<Value>,
    pub status: u16,
    /// JSON, or the body as text.
    pub answer: Option<Value>,
}

/// The fields of replies that are JSON of a row, with the schema that each element has.
const ROWS: [(&str, &str, &str); 9] = [
    ("Reply", "added", "Row"),
    ("Reply", "updated", "Row"),
    ("Reply", "deleted", "Row"),
    ("Reply", "listed", "Row"),
    ("Reply", "remembered", "Remembered"),
    ("Reply", "detectedFilters", "DetectedFilters"),
    ("Operation", "before", "Row"),
    ("Operation", "after", "Row"),
    ("Problem", "changed", "Row"),
];

/// `answered`: of each route, in the order of `routes`.
pub fn document(routes: &[Route], answered: &[Vec<Answered>]) -> Value {
    let mut writer = Writer::new();
    let mut paths: Map<String, Value> = Map::new();
    for (route, answered) in routes.iter().zip(answered) {
        let operation = writer.operation(route, answered);
        paths.entry(route.path).or_insert_with(|| json!({}))[route.method] = operation;
    }
    let responses = std::mem::take(&mut writer.problems);
    let schemas = writer.schemas();
    json!({
        "openapi": "3.1.1",
        "info": {
            "title": "sayso",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "An expense tracker that you talk to",
            "description": ABOUT,
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "security": [{ "token": [] }],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": responses,
            "headers": headers(),
            "examples": problem_examples(answered),
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "bearerFormat": "JWT",
                    "description": "A token of the deployment's identity provider. It names tenant, user and role.",
                },
            },
        },
    })
}

struct Writer {
    sent: SchemaGenerator,
    answered: SchemaGenerator,
    /// The responses with problems, which several routes have.
    problems: Map<String, Value>,
}

impl Writer {
    fn new() -> Writer {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
        });
        let mut answered = settings.clone().for_serialize().into_generator();
        answered.subschema_for::<Row>();
        answered.subschema_for::<Remembered>();
        answered.subschema_for::<DetectedFilters>();
        answered.subschema_for::<Members<'static>>();
        Writer { sent: settings.for_deserialize().into_generator(), answered, problems: Map::new() }
    }

    fn operation(&mut self, route: &Route, answered: &[Answered]) -> Value {
        let mut operation = json!({
            "operationId": route.id,
            "tags": [route.tag],
            "summary": route.summary,
            "responses": self.responses(route, answered),
        });
        if !route.description.is_empty() {
            operation["description"] = route.description.into();
        }
        if route.is_open {
            operation["security"] = json!([]);
        }
        let parameters = self.parameters(route, answered);
        if !parameters.is_empty() {
            operation["parameters"] = parameters.into();
        }
        let content = self.sent_content(route, answered);
        if !content.is_empty() {
            operation["requestBody"] = json!({ "required": true, "content": content });
        }
        operation
    }

    fn sent_content(&mut self, route: &Route, answered: &[Answered]) -> Map<String, Value> {
        let examples = |is_raw: bool| -> Map<String, Value> {
            let sent = answered.iter().filter_map(|example| Some((example.title, example.sent.as_ref()?)));
            let sent = sent.filter(|(_, sent)| sent.is_string() == is_raw);
            sent.map(|(title, sent)| (name_of(title), json!({ "summary": title, "value": sent }))).collect()
        };
        let mut content = Map::new();
        if let Some(schema) = route.body {
            let json = json!({ "schema": schema(&mut self.sent), "examples": examples(false) });
            content.insert("application/json".into(), json);
        }
        for media_type in &route.raw_bodies {
            let raw = json!({ "schema": { "type": "string" }, "examples": examples(true) });
            content.insert((*media_type).into(), raw);
        }
        content
    }

    /// Those of the path, of the query and the headers.
    fn parameters(&mut self, route: &Route, answered: &[Answered]) -> Vec<Value> {
        let mut examples: BTreeMap<String, Value> = BTreeMap::new();
        for example in answered {
            let (path, query) = example.uri.split_once('?').unwrap_or((&example.uri, ""));
            for (place, part) in route.path.split('/').zip(path.split('/')) {
                if let Some(name) = place.strip_prefix('{').and_then(|place| place.strip_suffix('}')) {
                    examples.entry(name.to_owned()).or_insert_with(|| part.into());
                }
            }
            for (name, value) in form_urlencoded::parse(query.as_bytes()) {
                examples.entry(name.into_owned()).or_insert_with(|| value.into());
            }
        }
        let in_path = route.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        let mut parameters: Vec<Value> = in_path
            .map(|name| {
                let description = route.path_parameters.iter().find(|(known, _)| *known == name);
                let (_, description) = description.unwrap_or_else(|| panic!("{} has no {name}", route.path));
                parameter("path", name, json!({ "type": "string" }), description, examples.get(name))
            })
            .collect();
        for properties in &route.query {
            for (name, mut schema, is_required) in schemas::properties(*properties, &mut self.sent) {
                let description = schemas::take_description(&mut schema);
                schemas::without_null(&mut schema);
                let mut parameter = parameter("query", &name, schema, &description, examples.get(&name));
                if is_required {
                    parameter["required"] = true.into();
                }
                parameters.push(parameter);
            }
        }
        for (name, schema, description, example) in &route.headers {
            parameters.push(parameter("header", name, schema.clone(), description, Some(&json!(example))));
        }
        parameters
    }

    fn answered_content(
        &mut self,
        route: &Route,
        (status, reply): (StatusCode, &Reply),
        answered: &[Answered],
    ) -> Map<String, Value> {
        let of_status: Vec<&Answered> = answered.iter().filter(|answered| answered.status == status.as_u16()).collect();
        let mut content = Map::new();
        let examples = of_status.iter().filter_map(|example| {
            let mut value = example.answer.clone()?;
            // JSON that is described as text.
            if matches!(reply.body, Body::Text { .. }) && !value.is_string() {
                value = value.to_string().into();
            }
            Some((name_of(example.title), json!({ "summary": example.title, "value": value })))
        });
        let examples: Map<String, Value> = examples.collect();
        match &reply.body {
            Body::None => {}
            Body::Text { media_type } if examples.is_empty() => {
                content.insert((*media_type).into(), json!({}));
            }
            // A schema would be that of one event.
            Body::Text { media_type: media_type @ "text/event-stream" } => {
                content.insert((*media_type).into(), json!({ "examples": examples }));
            }
            Body::Text { media_type } => {
                let text = json!({ "schema": { "type": "string" }, "examples": examples });
                content.insert((*media_type).into(), text);
            }
            Body::Json(schema) => {
                let json = json!({ "schema": schema(&mut self.answered), "examples": examples });
                content.insert("application/json".into(), json);
            }
        }
        if route.streams && status == StatusCode::OK {
            content.insert("text/event-stream".into(), super::event_stream());
        }
        content
    }

    fn responses(&mut self, route: &Route, answered: &[Answered]) -> Value {
        let mut responses: Map<String, Value> = Map::new();
        for (status, reply) in &route.replies {
            let content = self.answered_content(route, (*status, reply), answered);
            let mut response = json!({ "description": reply.description });
            if !content.is_empty() {
                response["content"] = content.into();
            }
            let headers = reply.headers.iter().map(|name| {
                let reference = json!({ "$ref": format!("#/components/headers/{name}") });
                ((*name).to_owned(), reference)
            });
            let headers: Map<String, Value> = headers.collect();
            if !headers.is_empty() {
                response["headers"] = headers.into();
            }
            responses.insert(status.as_str().into(), response);
        }
        let statuses: BTreeSet<StatusCode> = route.problems.iter().map(|kind| kind.status).collect();
        for status in statuses {
            let kinds = route.problems.iter().filter(|kind| kind.status == status).copied().collect();
            match responses.get_mut(status.as_str()) {
                // A protocol with errors of its own, before which the caller is checked.
                Some(reply) => {
                    let problems = problems(status, kinds, route.has_text_problems);
                    reply["content"][PROBLEM] = problems["content"][PROBLEM].clone();
                }
                None => {
                    let reference = self.problems(status, kinds, route.has_text_problems);
                    responses.insert(status.as_str().into(), reference);
                }
            }
        }
        responses.into()
    }

    /// A reference to the response with these problems.
    fn problems(&mut self, status: StatusCode, kinds: BTreeSet<ProblemKind>, has_text: bool) -> Value {
        let slugs: Vec<&str> = kinds.iter().map(|kind| kind.slug).chain(has_text.then_some("text")).collect();
        let name = slugs.join(".");
        let reference = json!({ "$ref": format!("#/components/responses/{name}") });
        self.problems.entry(name).or_insert_with(|| problems(status, kinds, has_text));
        reference
    }

    fn schemas(mut self) -> Map<String, Value> {
        let mut all: Map<String, Value> = Map::new();
        for (direction, generator) in [(Direction::Sent, &mut self.sent), (Direction::Answered, &mut self.answered)] {
            for (name, mut schema) in generator.take_definitions(true) {
                schemas::tidy(&mut schema, direction);
                let known = all.entry(&name).or_insert_with(|| schema.clone());
                assert_eq!(*known, schema, "{name} is sent and answered in different forms");
            }
        }
        // Those of toolkits are described.
        let _ = all["Reply"].as_object_mut().and_then(|reply| reply.remove("additionalProperties"));
        for (schema, field, element) in ROWS {
            schemas::refine(&mut all, schema, field, element);
        }
        all
    }
}

fn parameter(place: &str, name: &str, mut schema: Value, description: &str, example: Option<&Value>) -> Value {
    let of_schema = schema.as_object_mut().and_then(|schema| schema.remove("examples"));
    let example = example.or(of_schema.as_ref().and_then(|examples| examples.get(0)));
    let mut parameter = json!({ "name": name, "in": place, "description": description, "schema": schema });
    if place == "path" {
        parameter["required"] = true.into();
    }
    if let Some(example) = example {
        parameter["example"] = schemas::typed(example, &parameter["schema"]);
    }
    parameter
}

fn problems(status: StatusCode, kinds: BTreeSet<ProblemKind>, has_text: bool) -> Value {
    let when = |kind: &ProblemKind| kinds::ALL.iter().find(|(known, _)| known == kind).map_or("", |(_, when)| *when);
    let lines: Vec<String> = kinds.iter().map(|kind| format!("`{}`: {}", kind.slug, when(kind).trim())).collect();
    let types: Vec<String> = kinds.iter().map(|kind| format!("urn:sayso:problem:{}", kind.slug)).collect();
    let examples: Map<String, Value> = kinds
        .iter()
        .map(|kind| (kind.slug.to_owned(), json!({ "$ref": format!("#/components/examples/{}", kind.slug) })))
        .collect();
    let mut response = json!({
        "description": lines.join("\n\n"),
        "content": { PROBLEM: {
            "schema": { "allOf": [
                { "$ref": "#/components/schemas/Problem" },
                { "type": "object", "properties": {
                    "type": { "type": "string", "enum": types },
                    "status": { "type": "integer", "const": status.as_u16() },
                } },
            ] },
            "examples": examples,
        } },
    });
    if has_text {
        let detail =
            json!({ "summary": "For a chat kit", "value": "The message is missing. Send one with some text." });
        response["content"]["text/plain"] = json!({ "schema": { "type": "string" }, "examples": { "detail": detail } });
    }
    let header = match status {
        StatusCode::UNAUTHORIZED => Some("WWW-Authenticate"),
        StatusCode::METHOD_NOT_ALLOWED => Some("Allow"),
        StatusCode::CONFLICT if !kinds.contains(&kinds::STILL_ANSWERING) => None,
        StatusCode::CONFLICT | StatusCode::SERVICE_UNAVAILABLE => Some("Retry-After"),
        _ => None,
    };
    if let Some(header) = header {
        response["headers"] = json!({ header: { "$ref": format!("#/components/headers/{header}") } });
    }
    response
}

/// About a proposal and a row of the examples.
fn problem_examples(answered: &[Vec<Answered>]) -> Map<String, Value> {
    let answers = || answered.iter().flatten().filter_map(|answered| answered.answer.as_ref());
    let proposal = answers().find_map(|answer| answer.get("proposal"));
    let proposal = proposal.and_then(|proposal| serde_json::from_value(proposal.clone()).ok());
    let row = answers().find_map(|answer| answer["added"].get(0));
    let (Some(proposal), Some(row)) = (proposal, row) else { return Map::new() };
    let examples = examples(&proposal, row);
    examples.into_iter().map(|(slug, problem)| (slug.to_owned(), json!({ "value": problem }))).collect()
}

fn headers() -> Value {
    let text = |description: &str, example: &str| json!({ "description": description, "schema": { "type": "string" }, "example": example });
    json!({
        "Retry-After": {
            "description": "How many seconds to wait before the same request is sent again. It is not always there.",
            "schema": { "type": "integer", "minimum": 1 },
            "example": 2,
        },
        "ETag": text("Names this content. Send it as `If-None-Match` to read it only if it has changed.", "\"9b2f0c\""),
        "WWW-Authenticate": text("How to sign in.", "Bearer"),
        "Allow": text("The methods of the address.", "GET,HEAD"),
    })
}

/// The name of an example, from its title.
fn name_of(title: &str) -> String {
    let words = title.split(|mark: char| !mark.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

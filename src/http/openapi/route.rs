//! The description of a route.

use axum::http::StatusCode;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};

use crate::http::problem::kinds::{self, ProblemKind};

pub type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// Begins with [`get`] or [`post`]. Everything else is optional, but each route needs a reply and an example.
pub struct Route {
    pub method: &'static str,
    pub path: &'static str,
    /// The name of the function in generated clients.
    pub id: &'static str,
    pub tag: &'static str,
    pub summary: &'static str,
    pub description: &'static str,
    /// Names and descriptions.
    pub path_parameters: Vec<(&'static str, &'static str)>,
    /// Types whose fields are parameters.
    pub query: Vec<SchemaOf>,
    /// Names, schemas, descriptions and examples.
    pub headers: Vec<(&'static str, Value, &'static str, &'static str)>,
    pub body: Option<SchemaOf>,
    /// Media types of a body that is no JSON. Its example is a text.
    pub raw_bodies: Vec<&'static str>,
    pub replies: Vec<(StatusCode, Reply)>,
    /// It can answer with a stream of events.
    pub streams: bool,
    pub problems: Vec<ProblemKind>,
    /// A chat kit gets a problem's `detail` as text.
    pub has_text_problems: bool,
    /// It needs no token.
    pub is_open: bool,
    pub examples: Vec<Example>,
}

pub struct Reply {
    pub description: &'static str,
    pub body: Body,
    /// Of the components.
    pub headers: Vec<&'static str>,
}

pub enum Body {
    None,
    Json(SchemaOf),
    Text { media_type: &'static str },
}

/// A request, which the tests send in the order of the routes. The answer becomes the example.
pub struct Example {
    pub title: &'static str,
    /// The route's path is for the example itself. Others come before it and are not shown.
    pub path: &'static str,
    /// Of a POST. A text like `$proposal.id` or a part of the path like it stands for a field of an answer before.
    pub body: Option<Value>,
    pub is_shown: bool,
    /// Status and answer, if the tests cannot get it with a few requests. It is not sent then.
    pub answer: Option<(StatusCode, Value)>,
}

/// Each route of somebody's data can answer with these.
const SIGNED_IN: [ProblemKind; 4] = [kinds::NOT_SIGNED_IN, kinds::FORBIDDEN, kinds::INTERNAL, kinds::STORE_UNAVAILABLE];

pub fn get(tag: &'static str, path: &'static str, id: &'static str, summary: &'static str) -> Route {
    Route::new("get", tag, path, id, summary)
}

pub fn post(tag: &'static str, path: &'static str, id: &'static str, summary: &'static str) -> Route {
    Route::new("post", tag, path, id, summary)
}

impl Route {
    fn new(
        method: &'static str,
        tag: &'static str,
        path: &'static str,
        id: &'static str,
        summary: &'static str,
    ) -> Route {
        Route {
            method,
            path,
            id,
            tag,
            summary,
            description: "",
            path_parameters: vec![],
            query: vec![],
            headers: vec![],
            body: None,
            raw_bodies: vec![],
            replies: vec![],
            streams: false,
            problems: SIGNED_IN.to_vec(),
            has_text_problems: false,
            is_open: false,
            examples: vec![],
        }
    }

    pub fn about(self, description: &'static str) -> Route {
        Route { description, ..self }
    }

    /// Needs no token, and reads no data.
    pub fn open(self) -> Route {
        Route { is_open: true, problems: vec![], ..self }
    }

    pub fn at(mut self, name: &'static str, description: &'static str) -> Route {
        self.path_parameters.push((name, description));
        self
    }

    /// The fields of `T` are parameters.
    pub fn query<T: JsonSchema>(mut self) -> Route {
        self.query.push(T::json_schema);
        self.refuses(&[kinds::MALFORMED])
    }

    pub fn header(
        mut self,
        name: &'static str,
        schema: Value,
        description: &'static str,
        example: &'static str,
    ) -> Route {
        self.headers.push((name, schema, description, example));
        self
    }

    pub fn body<T: JsonSchema>(mut self) -> Route {
        self.body = Some(|generator| generator.subschema_for::<T>());
        self.refuses(&[kinds::MALFORMED, kinds::TOO_LARGE])
    }

    pub fn raw_body(mut self, media_type: &'static str) -> Route {
        self.raw_bodies.push(media_type);
        self.refuses(&[kinds::MALFORMED, kinds::TOO_LARGE])
    }

    /// With status 200.
    pub fn answers<T: JsonSchema>(self, description: &'static str) -> Route {
        self.answers_with::<T>(StatusCode::OK, description)
    }

    pub fn answers_with<T: JsonSchema>(self, status: StatusCode, description: &'static str) -> Route {
        self.reply(status, description, Body::Json(|generator| generator.subschema_for::<T>()))
    }

    /// With status 200 and no JSON.
    pub fn answers_text(self, media_type: &'static str, description: &'static str) -> Route {
        self.reply(StatusCode::OK, description, Body::Text { media_type })
    }

    pub fn answers_nothing(self, status: StatusCode, description: &'static str) -> Route {
        self.reply(status, description, Body::None)
    }

    pub fn text_problems(self) -> Route {
        Route { has_text_problems: true, ..self }
    }

    fn reply(mut self, status: StatusCode, description: &'static str, body: Body) -> Route {
        self.replies.push((status, Reply { description, body, headers: vec![] }));
        self
    }

    /// The last reply has a header of the components.
    pub fn with_header(mut self, name: &'static str) -> Route {
        if let Some((_, reply)) = self.replies.last_mut() {
            reply.headers.push(name);
        }
        self
    }

    /// The content has an `ETag`: a client that has it is told so.
    pub fn tagged(self) -> Route {
        let schema = json!({ "type": "string" });
        let about = "The `ETag` of what the client has.";
        let route = self.with_header("ETag").header("If-None-Match", schema, about, "\"9b2f0c\"");
        route.reply(StatusCode::NOT_MODIFIED, "The client has this content.", Body::None).with_header("ETag")
    }

    pub fn streams(self) -> Route {
        Route { streams: true, ..self }
    }

    pub fn refuses(mut self, kinds: &[ProblemKind]) -> Route {
        let new = kinds.iter().filter(|kind| !self.problems.contains(kind)).copied().collect::<Vec<_>>();
        self.problems.extend(new);
        self
    }

    /// A request that is sent before the next example.
    pub fn before(self, path: &'static str, body: Value) -> Route {
        self.sends("", path, Some(body), false)
    }

    pub fn example(self, title: &'static str, path: &'static str) -> Route {
        self.sends(title, path, None, true)
    }

    pub fn example_of(self, title: &'static str, path: &'static str, body: Value) -> Route {
        self.sends(title, path, Some(body), true)
    }

    /// An answer that a few requests cannot get.
    pub fn shows(mut self, status: StatusCode, title: &'static str, answer: Value) -> Route {
        let answer = Some((status, answer));
        self.examples.push(Example { title, path: self.path, body: None, is_shown: true, answer });
        self
    }

    fn sends(mut self, title: &'static str, path: &'static str, body: Option<Value>, is_shown: bool) -> Route {
        self.examples.push(Example { title, path, body, is_shown, answer: None });
        self
    }
}

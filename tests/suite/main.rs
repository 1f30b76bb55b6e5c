//! All integration tests in one binary. Test names state what people, clients or operators can rely on.

#![allow(clippy::unwrap_used)]

mod harness;

mod architecture;
mod aws_calls;
mod bad_input;
mod bad_requests;
mod binary;
mod budget;
mod bulk;
mod cargo_lambda;
mod change_sets;
mod conversations;
mod decisions;
mod declared_kind;
mod edits;
mod forms;
mod golden;
mod golden_conversations;
mod grammar;
mod histories;
mod history;
mod hostile_models;
mod infra;
mod intent;
mod kills;
mod lambda;
mod limited;
mod line_items;
mod locales;
mod lost_answers;
mod meaning;
mod model_check;
mod model_client;
mod model_keys;
mod names;
mod openapi;
mod overview;
mod page;
mod page_rows;
mod preferences;
mod providers;
mod queries;
mod races;
mod reconcile;
mod scale;
mod store_conformance;
mod streamed_models;
mod streams;
mod thinking;
mod tls;
mod toolkits;
mod undo;
mod whose;
mod workspace;

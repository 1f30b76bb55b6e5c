//! sayso: the chat backend of an expense tracker. *Nothing is written that you did not say.*
//!
//! In reading order: a turn is heard by the [`agent`], which asks a [`model`] what the person wants. The model calls
//! [`tool`]s, the [`expenses`] toolkit's among them; a write becomes a [`proposal`], shown to the person and executed
//! by the [`store`] after a yes. [`identity`] says who is asking, [`money`] and [`phrases`] read amounts and dates. The
//! rest is the edge: HTTP, configuration and, with the feature `local`, a database and a server for development.

pub mod agent;
pub mod app;
pub mod aws;
pub mod config;
pub mod expenses;
pub mod http;
pub mod identity;
#[cfg(feature = "local")]
pub mod local;
pub mod model;
pub mod money;
pub mod outbound;
pub mod phrases;
pub mod proposal;
pub mod receipts;
pub mod secrets;
pub mod store;
pub mod tool;

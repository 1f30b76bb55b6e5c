//! sayso: the chat backend of an expense tracker. *Nothing is written that you did not say.*
//!
//! In reading order: the [`agent`] runs a turn and asks a [`model`] what the person wants. The model calls [`tool`]s,
//! for example those of the [`expenses`] toolkit. A write becomes a [`proposal`], which is shown to the person and
//! executed by the [`store`] after a yes. [`identity`] names the caller; [`money`] and [`phrases`] read amounts and
//! dates. [`import`] reads files of
//! banks. The other modules are the edge: HTTP, configuration and, with the feature `local`, a database and a server
//! for development.

pub mod agent;
pub mod app;
pub mod aws;
pub mod config;
pub mod expenses;
pub mod hidden;
pub mod http;
pub mod identity;
pub mod import;
pub mod json_fields;
#[cfg(feature = "local")]
pub mod local;
pub mod model;
pub mod money;
pub mod only;
pub mod outbound;
pub mod phrases;
pub mod proposal;
pub mod receipts;
pub mod secrets;
pub mod shown;
pub mod sorted;
pub mod store;
pub mod tenant;
pub mod tool;
pub mod workspace;

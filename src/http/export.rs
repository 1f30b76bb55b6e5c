//! `GET /expenses/export`: all expenses that the filters select, as a file that is sent while it is read.

use std::{io, sync::Arc, time::Duration};

use axum::{
    body::{Body, Bytes},
    extract::{Request, State},
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use futures_util::stream;
use serde_json::{Map, Value};
use tokio::time::{Instant, timeout_at};

use super::{HttpError, Remaining, caller::caller, parameters};
use crate::{
    agent::PreferenceSnapshot,
    app::App,
    expenses::{ExpenseKind, export::Writer},
    identity::Caller,
    store::StoreError,
    tool::{NameCache, PageQuery, RecordKind, ToolError, listing::LIMITS},
};

/// An export in progress. It holds one page of rows at a time.
struct Export {
    app: Arc<App>,
    caller: Caller,
    preferences: PreferenceSnapshot,
    names: NameCache,
    asked: PageQuery,
    writer: Writer,
    /// Of the whole export, if the host grants only so much time. Otherwise each page has its own.
    until: Option<Instant>,
}

enum Next {
    Page(Box<Export>),
    Fault,
    End,
}

pub async fn expenses(State(app): State<Arc<App>>, request: Request) -> Result<Response, HttpError> {
    let (parts, _) = request.into_parts();
    let caller = caller(&app, &parts)?;
    let (format, asked) = parameters::of_export(&parts.uri, ExpenseKind.search().expect("expenses can be searched"))?;
    let granted = parts.extensions.get::<Remaining>().map(|Remaining(time)| *time);
    let until = granted.map(|time: Duration| app.deadline(Some(time)).answer);
    let preferences = app.agent.preferences(&caller).await?;
    let asked = PageQuery { limit: LIMITS.most, ..asked };
    let (names, writer) = (NameCache::default(), Writer::new(format));
    let mut export = Export { app, caller, preferences, names, asked, writer, until };
    // Before the status is sent, so that a wrong filter is a usual error.
    let first = format!("{}{}", export.writer.begin(), export.page(true).await?);
    let begin = export.next();
    let rest = stream::unfold(begin, async |next| match next {
        Next::End => None,
        Next::Fault => Some((Err(io::Error::other("the export broke off")), Next::End)),
        Next::Page(mut export) => match export.page(false).await {
            Ok(text) => Some((Ok(Bytes::from(text)), export.next())),
            Err(error) => {
                tracing::error!(%error, "an export broke off");
                // A connection that ends early is seen by its client. Where the transport cannot do that, this is.
                Some((Ok(Bytes::from(export.writer.broken())), Next::Fault))
            }
        },
    });
    let body = stream::once(async { Ok(Bytes::from(first)) });
    let disposition = format!("attachment; filename=\"{}\"", format.file_name());
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(format.media_type())),
        (header::CONTENT_DISPOSITION, HeaderValue::from_str(&disposition).expect("ASCII")),
    ];
    Ok((headers, Body::from_stream(futures_util::StreamExt::chain(body, rest))).into_response())
}

impl Export {
    /// The next rows as text. Afterwards the cursor is that of the following page.
    async fn page(&mut self, is_first: bool) -> Result<String, HttpError> {
        let active = Map::new();
        let until = self.until.unwrap_or_else(|| self.app.deadline(None).answer);
        let (app, now) = (&self.app, (self.app.now)());
        let context = &app.agent.page_context(&self.caller, now, &self.preferences, &active, &self.names);
        let list = ExpenseKind.search().and_then(|search| search.list()).expect("expenses have a list");
        let read = || {
            // The first page is read again after an unfinished run, which may change names.
            if is_first {
                self.names.clear();
            }
            let found = list(context, &self.asked);
            async { found.await.map_err(of_parameters) }
        };
        let settled = async {
            if is_first { app.agent.read_settled(&self.caller, now, until, read).await } else { read().await }
        };
        let late = || StoreError::Unavailable("it did not answer before the deadline".into());
        let found = timeout_at(until, settled).await.map_err(|_| late())??;
        let mut items: Vec<Value> = found.items.unwrap_or_default();
        items.iter_mut().for_each(|row| self.preferences.members.name_owner(row));
        self.asked.cursor = found.state_updates.next_cursor;
        let rows = self.writer.rows(&items);
        Ok(if self.asked.cursor.is_none() { rows + &self.writer.end() } else { rows })
    }

    fn next(self) -> Next {
        if self.asked.cursor.is_some() { Next::Page(Box::new(self)) } else { Next::End }
    }
}

fn of_parameters(error: ToolError) -> HttpError {
    match error {
        ToolError::Malformed(detail) => parameters::refused(detail).into(),
        error => HttpError::Tool(error),
    }
}

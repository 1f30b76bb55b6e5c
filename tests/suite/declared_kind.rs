//! What a kind of record gets by a declaration: lists, searches by words and by meaning, and one change for many rows.

use std::{sync::Arc, time::Duration};

use jiff::civil::Date;
use sayso::{
    phrases::Style,
    proposal::{Body, Change, Draft, Record},
    store::Condition,
    tool::{
        Action, Plan, Query, QueryResult, RecordKind, Rendering, Search, ToolContext, ToolError, Toolkit,
        listing::{self, Limits, Paging},
        row_filter::RowFilter,
        search, search_by_meaning,
        selection::{self, Selection},
        words::words,
    },
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::harness::{
    Setup,
    scripted::{Scripted, calls, text},
};

struct TaskKind;

impl RecordKind for TaskKind {
    fn prefix(&self) -> &'static str {
        "T"
    }

    fn name(&self) -> &'static str {
        "task"
    }

    fn noun(&self, count: usize) -> &'static str {
        if count == 1 { "task" } else { "tasks" }
    }

    fn search(&self) -> Option<&dyn Search> {
        Some(self)
    }
}

impl Rendering for TaskKind {
    fn describe(&self, draft: &Draft, _: Style) -> String {
        let text = |name: &str| draft.body.get(name).and_then(Value::as_str).unwrap_or("no day").to_owned();
        format!("“{}”, {}, {}", text("title"), text("status"), text("due"))
    }

    fn describe_change(&self, before: &Draft, after: &Draft, _: Style) -> String {
        format!("status {} → {}", before.body["status"], after.body["status"])
    }

    fn row(&self, record: &Record) -> Value {
        json!({ "id": record.id, "title": record.draft.body["title"] })
    }
}

impl Search for TaskKind {
    fn word_fields(&self) -> &'static [&'static str] {
        &["words"]
    }
}

/// Add a task.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AddTask {
    title: String,
    status: String,
    #[schemars(with = "Option<String>")]
    due: Option<Date>,
}

impl Action for AddTask {
    const NAME: &'static str = "add_task";

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        let mut body = Body::from([
            ("title".to_owned(), json!(self.title)),
            ("words".to_owned(), json!(words(&self.title))),
            ("status".to_owned(), json!(self.status)),
        ]);
        body.extend(self.due.map(|due| ("due".to_owned(), json!(due))));
        let draft = Draft {
            kind: "T".into(),
            owner: context.caller.user().as_str().into(),
            body,
            date: context.today,
            ..Draft::default()
        };
        Ok(Plan { changes: vec![Change::Create(draft)], ..Plan::default() })
    }
}

/// Which tasks.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Which {
    /// One of these.
    #[serde(default)]
    status: Vec<String>,
    #[schemars(with = "Option<String>")]
    due_before: Option<Date>,
    words: Option<String>,
}

impl Which {
    fn filter(&self, context: &ToolContext<'_>) -> Result<RowFilter<'static>, ToolError> {
        let until = self.due_before.and_then(|day| day.yesterday().ok());
        RowFilter::default()
            .one_of("status", &self.status)
            .between("due", None, until, context.style())
            .with_words("words", self.words.as_deref())
    }
}

/// Look for tasks.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct QueryTasks {
    #[serde(default)]
    which: Which,
    /// Words in the title, also misspelt.
    search: Option<String>,
    /// What they are about.
    about: Option<String>,
    limit: Option<usize>,
    cursor: Option<String>,
}

impl Query for QueryTasks {
    const NAME: &'static str = "query_tasks";

    async fn run(self, context: &ToolContext<'_>) -> Result<QueryResult, ToolError> {
        let filter = self.which.filter(context)?;
        let found = match (self.search, self.about) {
            (Some(query), _) => {
                let limit = search::checked(&query, self.limit, 10)?;
                search::by_words(context, &TaskKind, &filter, &query, limit).await?
            }
            (_, Some(query)) => {
                let limit = search::checked(&query, self.limit, 10)?;
                search_by_meaning::by_meaning(context, &TaskKind, &filter, &query, limit).await?
            }
            (None, None) => {
                let limit = Limits { usual: 3, most: 500 }.of(self.limit)?;
                let paging = Paging { cursor: self.cursor, ..Paging::first(limit) };
                return listing::list(context, &TaskKind, &filter, &paging).await;
            }
        };
        Ok(found.result(&TaskKind, &filter, context))
    }
}

/// One change for many tasks.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ChangeTasks {
    #[serde(default)]
    select: Which,
    #[serde(default)]
    ids: Vec<u64>,
    /// Absent, they are deleted.
    status: Option<String>,
}

impl Action for ChangeTasks {
    const NAME: &'static str = "change_tasks";

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        let open = Condition::Not(Box::new(Condition::Equals("status", "completed".into())));
        let filter = self.select.filter(context)?.and([open]);
        let selection = if self.ids.is_empty() { Selection::Filter(&filter) } else { Selection::Numbers(&self.ids) };
        let status = json!(self.status);
        let change = |row: &Record| {
            let mut after = row.draft.clone();
            after.body.insert("status".into(), status.clone());
            Ok((after != row.draft).then_some(after))
        };
        let arguments = json!({ "ids": self.ids, "status": self.status });
        let change = self.status.is_some().then_some(&change as selection::NewRow<'_>);
        selection::plan(context, &TaskKind, selection, change, arguments).await
    }
}

fn toolkit() -> Toolkit {
    Toolkit::new("tasks", "The records are tasks.", |registry| {
        registry.kind(TaskKind)?.action::<AddTask>()?.action::<ChangeTasks>()?.query::<QueryTasks>()
    })
}

const TASKS: [(&str, &str, Option<&str>); 5] = [
    ("call mum", "todo", Some("2026-11-18")),
    ("send the invoice", "in_progress", Some("2026-11-19")),
    ("pay the invoice", "completed", Some("2026-11-01")),
    ("water plants", "todo", Some("2026-11-25")),
    ("read", "todo", None),
];

/// What is said of these tasks by a model that makes this call.
async fn asked(query: Value) -> Value {
    let model = Arc::new(Scripted::default());
    let task = |(title, status, due): (&str, &str, Option<&str>)| {
        ("add_task", json!({ "title": title, "status": status, "due": due }))
    };
    model.says(calls(TASKS.map(task)));
    model.says(calls([("query_tasks", query)]));
    model.says(text(""));
    let service = Setup { toolkits: vec![toolkit()], ..Setup::model(model) }.start().await;
    let me = service.person();
    me.says("five tasks").await;
    me.says("yes").await;
    me.says("which tasks?").await
}

#[tokio::test]
async fn a_list_is_narrowed_by_declared_filters_and_says_which() {
    let overdue = asked(json!({ "which": { "status": ["todo"], "due_before": "2026-11-20" } })).await;
    let open = asked(json!({ "which": { "status": ["todo", "in_progress"], "words": "invoices" } })).await;
    let lost = asked(json!({ "which": { "status": ["lost"] } })).await;
    assert_eq!(overdue["answer"], "1 task:\n#1 “call mum”, todo, 2026-11-18");
    let detected = json!({ "status": "todo", "due": { "from": null, "to": "2026-11-19" } });
    assert_eq!(overdue["detectedFilters"], detected);
    assert_eq!(open["answer"], "1 task:\n#2 “send the invoice”, in_progress, 2026-11-19");
    assert_eq!(lost["answer"], "I found no tasks with status lost.");
}

#[tokio::test]
async fn a_list_has_pages() {
    let first = asked(json!({})).await;
    assert_eq!(
        first["answer"],
        "3 tasks, newest first, and there are more:\n#5 “read”, todo, no day\n#4 “water plants”, todo, 2026-11-25\n\
         #3 “pay the invoice”, completed, 2026-11-01"
    );
    assert!(first["nextCursor"].is_string());
}

#[tokio::test]
async fn words_are_searched_also_misspelt_and_stand_in_for_meaning() {
    let misspelt = asked(json!({ "search": "invoise" })).await;
    let meant = asked(json!({ "about": "the invoice" })).await;
    assert_eq!(
        misspelt["answer"],
        "Nothing matches “invoise” exactly. This is close:\n#3 “pay the invoice”, completed, 2026-11-01\n\
         #2 “send the invoice”, in_progress, 2026-11-19"
    );
    assert_eq!(
        meant["answer"],
        "I cannot search by meaning here, so I searched for the words.\n2 tasks match “invoice”, best first:\n\
         #3 “pay the invoice”, completed, 2026-11-01\n#2 “send the invoice”, in_progress, 2026-11-19"
    );
}

#[tokio::test]
async fn one_change_is_made_to_all_that_fit_after_a_yes() {
    let model = Arc::new(Scripted::default());
    let task = |(title, status, due): (&str, &str, Option<&str>)| {
        ("add_task", json!({ "title": title, "status": status, "due": due }))
    };
    model.says(calls(TASKS.map(task)));
    let change = json!({ "select": { "due_before": "2026-11-20" }, "status": "completed" });
    model.says(calls([("change_tasks", change.clone())]));
    model.says(calls([("change_tasks", change)]));
    model.says(text("There is nothing left to complete."));
    model.says(calls([("change_tasks", json!({ "ids": [4, 5] }))]));
    let service = Setup { toolkits: vec![toolkit()], ..Setup::model(model) }.start().await;
    let me = service.person();
    me.says("five tasks").await;
    me.says("yes").await;
    let shown = me.says("complete all overdue tasks").await;
    assert_eq!(shown["proposal"]["operations"].as_array().map(Vec::len), Some(2), "{shown}");
    let answer = shown["answer"].as_str().unwrap();
    assert!(answer.contains("all tasks due until 19 Nov 2026"), "{answer}");
    let done = me.says("yes").await;
    assert_eq!(done["updated"].as_array().map(Vec::len), Some(2), "{done}");
    let none = me.says("complete all overdue tasks").await;
    assert!(none.get("proposal").is_none(), "{none}");
    let deletes = me.says("delete #4 and #5").await;
    assert_eq!(deletes["proposal"]["operations"].as_array().map(Vec::len), Some(2), "{deletes}");
}

#[tokio::test]
async fn a_kind_with_a_search_has_addresses_of_its_own() {
    let model = Arc::new(Scripted::default());
    let task = |(title, status, due): (&str, &str, Option<&str>)| {
        ("add_task", json!({ "title": title, "status": status, "due": due }))
    };
    model.says(calls(TASKS[..3].iter().copied().map(task)));
    model.says(calls(TASKS[3..].iter().copied().map(task)));
    let service = Setup { toolkits: vec![toolkit()], ..Setup::model(model) }.start().await;
    let me = service.person();
    me.says("three tasks").await;
    me.says("yes").await;
    service.advance(Duration::from_hours(24));
    me.says("two tasks").await;
    me.says("yes").await;
    let titles = async |query: &str| {
        let list = me.get(&format!("/records/task{query}")).await.body;
        let titles: Vec<_> = list["items"].as_array().expect("rows").iter().map(|row| row["title"].clone()).collect();
        json!(titles)
    };
    assert_eq!(titles("?order=oldest&limit=2").await, json!(["call mum", "send the invoice"]));
    assert_eq!(titles("?from=2026-11-21").await, json!(["read", "water plants"]));
    assert_eq!(titles("?words=Invoices").await, json!(["pay the invoice", "send the invoice"]));
    assert_eq!(titles("?text=the+invoice&words=pay").await, json!(["pay the invoice"]));
    assert_eq!(titles("?words=invoice&from=2026-11-21").await, json!([]));
    let first = me.get("/records/task?words=invoice&limit=1").await.body;
    let cursor = first["nextCursor"].as_str().expect("there is more");
    assert_eq!(titles(&format!("?words=invoice&limit=1&cursor={cursor}")).await, json!(["send the invoice"]));
    assert_eq!(me.get(&format!("/records/task?words=pay&cursor={cursor}")).await.status, 400);
    for malformed in ["words=a&words=b", "order=largest"] {
        assert_eq!(me.get(&format!("/records/task?{malformed}")).await.status, 400, "{malformed}");
    }
    let mum = json!({ "kind": "task", "id": 1, "title": "call mum" });
    assert_eq!(me.get("/records/task/1").await.body, mum);
    assert_eq!(me.get("/records/task?order=oldest&limit=1").await.body["items"], json!([mum]));
    assert_eq!(me.get("/records/expense").await.status, 404);
    assert_eq!(service.who("acme", "me", "admin").get("/records/task/1").await.status, 404);
}

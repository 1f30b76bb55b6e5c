//! The table of routes. A new route has an entry here, and its examples are run by the tests in this order.
//!
//! ```ignore
//! get("Reports", "/reports/{id}", "getReport", "A report")
//!     .at("id", "The id of the report.")
//!     .query::<ReportParameters>()
//!     .answers::<Report>("The report.")
//!     .refuses(&[kinds::NO_SUCH_RECORD])
//!     .example("A report", "/reports/1?year=2026")
//! ```

use axum::http::StatusCode;
use jiff::civil::Date;
use schemars::JsonSchema;
use serde_json::json;

use super::{
    bodies::{
        ApprovalRequest, ChatRequest, FileRequest, McpMessage, ProposalRequest, RejectionRequest, RunAgentInput,
        UndoRequest,
    },
    route::{Route, get, post},
    rows::{
        BudgetStatus, Expense, ExpenseFilters, ImportAnswer, McpAnswer, Preference, ProtectedResource, Recurring, Row,
        Sums, WholeReply,
    },
};
use crate::{
    agent::{ConversationView, ListedReceipt, ListedWaiting, OperationView, PersonView, ProposalView, TurnView},
    http::{
        Health, ProposalParameters,
        history::Place,
        lists::{CountedList, List, RowList},
        page::Config,
        parameters::{ListParameters, SumsParameters},
        problem::kinds,
        receipts::Parameters as ReceiptParameters,
        request::MAX_ID,
    },
    money::Amount,
};

const CHAT: &str = "Chat";
const PROPOSALS: &str = "Proposals";
const RECORDS: &str = "Records";
const OVERVIEW: &str = "Overview";
const PAGE: &str = "Page";
const FILES: &str = "Files";
const KITS: &str = "Chat kits";
const MCP: &str = "Other assistants";

pub fn routes() -> Vec<Route> {
    let groups = [
        chat(),
        proposals(),
        decisions(),
        receipts(),
        records(),
        overview(),
        history(),
        page(),
        files(),
        kits(),
        mcp(),
    ];
    groups.into_iter().flatten().collect()
}

fn chat() -> Vec<Route> {
    let about = "The answer is a question, a proposal that waits for a yes, a receipt, or what was asked for. A plain \
                 “yes” or “no” decides what was shown last; a page sends `confirm` instead.";
    let chat = |path, id| {
        turn(post(CHAT, path, id, "Send a message or a decision"))
            .about(about)
            .body::<ChatRequest>()
            .text_problems()
            .refuses(&DECIDING)
            .refuses(&[kinds::MODEL_UNAVAILABLE, kinds::STILL_ANSWERING, kinds::MESSAGE_ID_REUSED])
    };
    let said = |message: &str| json!({ "message": message, "conversationId": "c1" });
    let decided = json!({
        "confirm": {
            "proposalId": "$proposal.id", "fingerprint": "$proposal.fingerprint", "decision": "approve",
        },
        "conversationId": "c1",
    });
    let proposed = json!({ "message": "electricity bill, £200", "messageId": "m1", "conversationId": "c1" });
    vec![
        chat("/chat", "sendMessage")
            .example_of("A message that lacks something", "/chat", said("I want to add an item"))
            .example_of("A message that proposes a change", "/chat", proposed)
            .example_of("An approval", "/chat", decided)
            .example_of("A question", "/chat", said("how much did I spend this month?")),
        chat("/api/chat", "sendMessageToApi").example_of("A list", "/api/chat", said("show my expenses")),
    ]
}

fn proposals() -> Vec<Route> {
    let lunch = json!({
        "operations": [{ "op": "create", "kind": "expense", "fields": {
            "item": "lunch", "amount": "12.50", "currency": "EUR", "date": "2026-11-19", "category": "food", "notes": "with Ana",
        } }],
        "messageId": "import-1",
    });
    let split = json!({ "op": "create", "kind": "expense", "fields": { "item": "Tesco", "amount": "50", "lines": [
        { "amount": "30", "category": "food" }, { "amount": "20", "category": "household", "note": "soap" },
    ] } });
    let update = json!({ "op": "update", "kind": "expense", "id": 1, "version": 1, "fields": { "category": "bills" } });
    vec![
        turn(post(PROPOSALS, "/proposals", "proposeChanges", "Add, change or delete rows without a message"))
            .about(
                "The changes wait as one proposal, unless `approve` is true. All of them are refused if one is \
                 impossible; `detail` names it, like `operations[1]`.",
            )
            .body::<ProposalRequest>()
            .refuses(&DECIDING)
            .refuses(&[kinds::NO_SUCH_RECORD, kinds::ROW_CHANGED])
            .example_of(
                "A person's click on a form",
                "/proposals",
                json!({ "operations": [split, update], "approve": true }),
            )
            .example_of("A change by a program, which waits", "/proposals", lunch),
        get(PROPOSALS, "/proposals", "listWaitingProposals", "What waits for the caller, newest first")
            .query::<WaitingParameters>()
            .answers::<List<ListedWaiting>>("The proposals, in all conversations.")
            .example("What waits", "/proposals?state=waiting"),
        get(PROPOSALS, "/proposals/{id}", "getProposal", "A proposal in its state")
            .at("id", PROPOSAL_ID)
            .query::<ProposalParameters>()
            .answers::<ProposalView>("The proposal. With `Retry-After` while its run is in progress.")
            .with_header("Retry-After")
            .refuses(&[kinds::NO_SUCH_PROPOSAL])
            .example("A proposal that waits", "/proposals/$proposal.id?run=false"),
        get(PROPOSALS, "/proposals/{id}/operations", "listOperations", "All operations of a proposal")
            .about("With their outcomes, as far as they were reached. A proposal itself may have only the first ones.")
            .at("id", PROPOSAL_ID)
            .query::<OperationParameters>()
            .answers::<CountedList<OperationView>>("A part of the operations.")
            .refuses(&[kinds::NO_SUCH_PROPOSAL])
            .example("Operations that wait", "/proposals/$proposal.id/operations"),
    ]
}

fn decisions() -> Vec<Route> {
    let decide = |path, id, summary| turn(post(PROPOSALS, path, id, summary)).at("id", PROPOSAL_ID).refuses(&DECIDING);
    let fingerprint = || json!({ "fingerprint": "$proposal.fingerprint" });
    let coffee = || {
        json!({ "operations": [
            { "op": "create", "kind": "expense", "fields": { "item": "coffee", "amount": "3.50" } },
        ] })
    };
    vec![
        decide("/proposals/{id}/confirm", "confirmProposal", "Approve a proposal")
            .about("It is executed once, however often this is sent. A second approval gives the same receipt.")
            .body::<ApprovalRequest>()
            .example_of("An approval", "/proposals/$proposal.id/confirm", fingerprint()),
        decide("/proposals/{id}/reject", "rejectProposal", "Reject a proposal")
            .body::<RejectionRequest>()
            .before("/proposals", coffee())
            .example_of(
                "A rejection",
                "/proposals/$proposal.id/reject",
                json!({ "fingerprint": "$proposal.fingerprint", "reason": "not mine" }),
            ),
        decide("/proposals/{id}/stop", "stopProposal", "Stop a run")
            .about("What is done stays done. A proposal that waits is rejected.")
            .body::<ApprovalRequest>()
            .before("/proposals", coffee())
            .example_of("A stop", "/proposals/$proposal.id/stop", fingerprint()),
        decide("/proposals/{id}/undo", "undoProposal", "Propose to undo what was executed")
            .about("The answer is a proposal that waits.")
            .body::<UndoRequest>()
            .refuses(&[kinds::RECEIPT_EXPIRED])
            .example_of("An undo", "/proposals/$receipt.proposalId/undo", json!({})),
    ]
}

fn receipts() -> Vec<Route> {
    vec![
        get(PROPOSALS, "/receipts", "listReceipts", "What was written, newest first")
            .query::<ReceiptParameters>()
            .answers::<CountedList<ListedReceipt>>("A part of the receipts.")
            .example("The last receipt", "/receipts?limit=1")
            .example("The receipt before", "/receipts?limit=1&cursor=$nextCursor"),
    ]
}

fn records() -> Vec<Route> {
    let list = |path, id, summary| {
        get(RECORDS, path, id, summary)
            .query::<ListParameters>()
            .query::<ExpenseFilters<Amount>>()
            .refuses(&[kinds::TOO_LARGE, kinds::UNPROCESSABLE])
    };
    let id = "The number of the row.";
    let kind =
        "The name of a kind that `GET /me` lists in `kinds`. Filters other than `words` and `text` are of expenses.";
    vec![
        list("/expenses", "listExpenses", "Expenses by day or amount")
            .answers::<RowList<Expense>>("A part of the expenses.")
            .tagged()
            .example("A part of the list", "/expenses?from=2026-11-01&to=2026-11-30&order=newest&limit=1&whose=me")
            .example(
                "The next part",
                "/expenses?from=2026-11-01&to=2026-11-30&order=newest&limit=1&whose=me&cursor=$nextCursor",
            )
            .example(
                "With filters",
                "/expenses?category=food&minAmount=10&maxAmount=20&moreThan=9.99&lessThan=20.01&currency=EUR&hasNotes=true",
            )
            .example("With words", "/expenses?words=lunch&text=ana&without=dinner")
            .example("In categories", "/expenses?categories=food&categories=bills"),
        get(RECORDS, "/expenses/{id}", "getExpense", "An expense")
            .at("id", id)
            .answers::<Expense>("The expense.")
            .tagged()
            .refuses(&[kinds::NO_SUCH_EXPENSE])
            .example("An expense", "/expenses/1"),
        list("/records/{kind}", "listRecords", "Rows of a kind by day")
            .at("kind", kind)
            .answers::<RowList<Row>>("A part of the rows.")
            .tagged()
            .refuses(&[kinds::NO_SUCH_RECORD])
            .example("A part of the list", "/records/expense?from=2026-11-01&to=2026-11-30&order=oldest&limit=1&whose=me")
            .example(
                "The next part",
                "/records/expense?from=2026-11-01&to=2026-11-30&order=oldest&limit=1&whose=me&cursor=$nextCursor",
            )
            .example(
                "With filters",
                "/records/expense?category=food&minAmount=10&maxAmount=20&moreThan=9.99&lessThan=20.01&currency=EUR",
            )
            .example("With words", "/records/expense?words=lunch&text=ana&without=dinner&hasNotes=true")
            .example("In categories", "/records/expense?categories=food&categories=bills"),
        get(RECORDS, "/records/{kind}/{id}", "getRecord", "A row")
            .at("kind", kind)
            .at("id", id)
            .answers::<Row>("The row.")
            .tagged()
            .refuses(&[kinds::NO_SUCH_RECORD])
            .example("A row", "/records/expense/1"),
    ]
}

fn overview() -> Vec<Route> {
    let said = |message: &str| json!({ "message": message, "conversationId": "c2" });
    vec![
        get(OVERVIEW, "/sums", "getSums", "Sums of expenses, in all and by group")
            .query::<SumsParameters>()
            .query::<ExpenseFilters<Amount>>()
            .answers::<Sums>("The sums.")
            .refuses(&[kinds::TOO_LARGE, kinds::UNPROCESSABLE])
            .example("By category", "/sums?by=category&from=2026-11-01&to=2026-11-30&whose=me&currency=GBP")
            .example("With filters", "/sums?category=food&minAmount=10&maxAmount=20&moreThan=9.99&lessThan=20.01")
            .example("With words", "/sums?words=lunch&text=ana&without=dinner&hasNotes=true")
            .example("In categories", "/sums?categories=food&categories=bills"),
        get(OVERVIEW, "/budgets", "listBudgets", "Budgets, and what is left of them today")
            .query::<BudgetParameters>()
            .answers::<List<BudgetStatus>>("The budgets.")
            .refuses(&[kinds::UNPROCESSABLE])
            .before("/chat", said("budget 200 a month for bills"))
            .before("/chat", said("yes"))
            .example("A budget", "/budgets?category=bills"),
        get(OVERVIEW, "/recurring", "listRecurring", "Recurring expenses, and when they are due")
            .query::<RecurringParameters>()
            .answers::<List<Recurring>>("The recurring expenses.")
            .refuses(&[kinds::UNPROCESSABLE])
            .before("/chat", said("gym 30 every month"))
            .before("/chat", said("yes"))
            .example("A recurring expense", "/recurring?whose=everyone"),
        get(OVERVIEW, "/preferences", "listPreferences", "All that is remembered")
            .refuses(&[kinds::MALFORMED])
            .answers::<List<Preference>>("What is remembered.")
            .example("What is remembered", "/preferences"),
    ]
}

fn history() -> Vec<Route> {
    vec![
        get(OVERVIEW, "/me", "getPerson", "Who the caller is, and what applies")
            .refuses(&[kinds::MALFORMED])
            .answers::<PersonView>("The caller.")
            .example("The caller", "/me"),
        get(CHAT, "/conversations", "listConversations", "The caller's conversations, newest first")
            .query::<Place>()
            .answers::<List<ConversationView>>("A part of the conversations.")
            .example("The newest conversation", "/conversations?limit=1")
            .example("The one before", "/conversations?limit=1&cursor=$nextCursor"),
        get(CHAT, "/conversations/{id}/turns", "listTurns", "The turns of a conversation, newest first")
            .about("An unknown conversation has none.")
            .at("id", "The `conversationId` of its messages.")
            .query::<Place>()
            .answers::<List<TurnView>>("A part of the turns.")
            .refuses(&[kinds::NO_SUCH_ROUTE])
            .example("The newest turn", "/conversations/c1/turns?limit=1")
            .example("The one before", "/conversations/c1/turns?limit=1&cursor=$nextCursor"),
    ]
}

fn page() -> Vec<Route> {
    let file = |path, id, summary, media_type| {
        get(PAGE, path, id, summary)
            .open()
            .about("Always compressed with gzip.")
            .answers_text(media_type, "The file.")
            .tagged()
            .example("The file", if path == "/page/{file}" { "/page/app.js" } else { path })
    };
    vec![
        file("/", "getPage", "The web page", "text/html"),
        file("/page/{file}", "getPageFile", "A file of the page", "*/*")
            .at("file", "The path of the file, which can have slashes, with or without the version before it.")
            .refuses(&[kinds::NO_SUCH_ROUTE]),
        file("/manifest.webmanifest", "getManifest", "What an installed page is called", "application/manifest+json"),
        file("/service-worker.js", "getServiceWorker", "The page's service worker", "text/javascript"),
        get(PAGE, "/config.json", "getConfig", "How the page signs in")
            .open()
            .answers::<Config<'static>>("How to sign in.")
            .refuses(&[kinds::NO_SIGN_IN])
            .shows(
                StatusCode::OK,
                "A deployed service",
                json!({
                    "auth": "oidc", "issuer": "https://cognito-idp.eu-west-2.amazonaws.com/eu-west-2_example",
                    "clientId": "4example", "scope": "openid profile", "version": "0123456789abcdef",
                }),
            ),
        file("/openapi.json", "getOpenApi", "This document", "application/json"),
        get(PAGE, "/health", "getHealth", "Whether the service runs")
            .open()
            .answers::<Health>("It runs.")
            .example("It runs", "/health"),
    ]
}

fn files() -> Vec<Route> {
    let file = "Date,Description,Amount\n2026-11-18,Bakery,-4.20\n2026-11-19,Salary,1500.00\n";
    let import = |propose: bool| json!({ "name": "bank.csv", "content": file, "propose": propose });
    vec![
        post(FILES, "/imports", "importFile", "Preview a bank's file, or propose its expenses")
            .about(
                "CSV, OFX, QIF, or CSV and JSON of an export. Nothing is proposed without `propose`. Left out are \
                 possible duplicates, money that came in, and lines that cannot be read. The body has up to 4 MiB.",
            )
            .body::<FileRequest>()
            .streams()
            .answers::<ImportAnswer>("The preview; with `propose` the reply.")
            .answers_with::<WholeReply>(StatusCode::ACCEPTED, "An approved run is in progress.")
            .with_header("Retry-After")
            .shows(
                StatusCode::ACCEPTED,
                "A run in progress",
                json!({
                    "answer": "Adding 515 expenses: 100 are done.", "conversationId": "default",
                    "confirmationRequired": false, "progress": { "done": 100, "skipped": 0, "total": 515 },
                }),
            )
            .refuses(&DECIDING)
            .refuses(&[kinds::UNPROCESSABLE, kinds::BUSY, kinds::OUTCOME_UNKNOWN, kinds::STORAGE_FULL])
            .refuses(&[kinds::MESSAGE_ID_REUSED])
            .example_of("A preview", "/imports", import(false))
            .example_of("A proposal", "/imports", import(true)),
        get(FILES, "/expenses/export", "exportExpenses", "Expenses as a file")
            .about("All that the filters select. A file that breaks off ends with a line that begins with INCOMPLETE.")
            .query::<ExportParameters>()
            .query::<ExpenseFilters<Amount>>()
            .answers_text("*/*", "The file.")
            .refuses(&[kinds::TOO_LARGE, kinds::UNPROCESSABLE, kinds::ANSWER_TOO_LARGE])
            .example(
                "CSV",
                "/expenses/export?format=csv&from=2026-11-01&to=2026-11-30&order=oldest&whose=me&category=food&currency=EUR",
            )
            .example("JSON", "/expenses/export?format=json&minAmount=10&maxAmount=20&moreThan=9.99&lessThan=20.01")
            .example("A journal of hledger", "/expenses/export?format=hledger&words=lunch&text=ana&without=dinner")
            .example("A journal of beancount", "/expenses/export?format=beancount&hasNotes=true&categories=food"),
    ]
}

fn kits() -> Vec<Route> {
    let resume = |path, id| {
        get(KITS, path, id, "Resume the answer of a page that was loaded again")
            .about("For the Vercel AI SDK. There is never a rest: the next request tells what became of it.")
            .at("id", "The conversation.")
            .answers_nothing(StatusCode::NO_CONTENT, "Nothing to resume.")
            .refuses(&[kinds::NO_SUCH_ROUTE])
            .text_problems()
    };
    let run = json!({
        "threadId": "c3", "runId": "r1", "state": {}, "tools": [], "context": [], "forwardedProps": {},
        "messages": [{ "id": "u1", "role": "user", "content": "coffee 3.50" }],
    });
    vec![
        resume("/chat/{id}/stream", "resumeStream").example("Nothing", "/chat/c1/stream"),
        resume("/api/chat/{id}/stream", "resumeStreamOfApi").example("Nothing", "/api/chat/c1/stream"),
        post(KITS, "/ag-ui", "runAgent", "Run a turn for an AG-UI client")
            .about("A change that waits is an interrupt. An error of the turn is a RUN_ERROR event.")
            .body::<RunAgentInput>()
            .answers_text("text/event-stream", "The events of AG-UI 1.0.")
            .refuses(&[kinds::UNPROCESSABLE, kinds::NO_SUCH_PROPOSAL])
            .text_problems()
            .example_of("A message", "/ag-ui", run),
    ]
}

fn mcp() -> Vec<Route> {
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let resource = |path, id| {
        get(MCP, path, id, "Who gives tokens for the tools (RFC 9728)")
            .open()
            .answers::<ProtectedResource>("The issuer.")
            .refuses(&[kinds::NO_SIGN_IN])
            .shows(
                StatusCode::OK,
                "A deployed service",
                json!({
                    "resource": "https://example.com/mcp", "resource_name": "sayso",
                    "authorization_servers": ["https://cognito-idp.eu-west-2.amazonaws.com/eu-west-2_example"],
                    "scopes_supported": ["openid", "profile"], "bearer_methods_supported": ["header"],
                }),
            )
    };
    let failures = [
        (StatusCode::BAD_REQUEST, -32602, "The message, its headers or its parameters are wrong."),
        (StatusCode::FORBIDDEN, -32600, "The page of another site sent it."),
        (StatusCode::NOT_FOUND, -32601, "There is no such method."),
        (StatusCode::PAYLOAD_TOO_LARGE, -32600, "The message is too long."),
        (StatusCode::INTERNAL_SERVER_ERROR, -32603, "Something went wrong on our side."),
        (StatusCode::SERVICE_UNAVAILABLE, -32603, "The data is not available. Call again."),
    ];
    let call = post(MCP, "/mcp", "callTool", "List or call the tools, by MCP 2026-07-28")
        .about("Clients send the headers of the protocol too. A change that waits is answered by a form.")
        .body::<McpMessage>()
        .answers::<McpAnswer>("A result, or an error of an older revision.")
        .answers_nothing(StatusCode::ACCEPTED, "A notification was received.");
    let call = failures.into_iter().fold(call, |call, (status, code, when)| {
        let answer = json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": code, "message": when } });
        call.answers_with::<McpAnswer>(status, when).shows(status, "An error", answer)
    });
    let no_stream =
        get(MCP, "/mcp", "noStream", "There is no stream of messages").refuses(&[kinds::METHOD_NOT_ALLOWED]);
    vec![
        no_stream,
        call.example_of("A sign of life, for an older client", "/mcp", list),
        resource("/.well-known/oauth-protected-resource", "getProtectedResource"),
        resource("/.well-known/oauth-protected-resource/mcp", "getProtectedResourceOfMcp"),
    ]
}

const PROPOSAL_ID: &str = "The id of the proposal: 32 hexadecimal digits.";

/// A decision can end with these.
const DECIDING: [kinds::ProblemKind; 6] = [
    kinds::NO_SUCH_PROPOSAL,
    kinds::PROPOSAL_CLOSED,
    kinds::PROPOSAL_STALE,
    kinds::PROPOSAL_EXPIRED,
    kinds::FINGERPRINT_MISMATCH,
    kinds::STILL_ANSWERING,
];

/// What all turns have.
fn turn(route: Route) -> Route {
    let key = json!({ "type": "string", "minLength": 1, "maxLength": MAX_ID });
    let about = "An idempotency key, the same as `messageId` in the body.";
    route
        .header("Idempotency-Key", key, about, "5c4f6e5e-8d0b-4f0a-9a53-2a1c1f0c7f8e")
        .streams()
        .answers::<WholeReply>("The reply.")
        .answers_with::<WholeReply>(
            StatusCode::ACCEPTED,
            "An approved run is in progress. `progress` has its rows. Send the approval again to go on.",
        )
        .with_header("Retry-After")
        .shows(
            StatusCode::ACCEPTED,
            "A run in progress",
            json!({
                "answer": "Deleting 515 expenses: 100 are done.", "conversationId": "default",
                "confirmationRequired": false, "progress": { "done": 99, "skipped": 1, "total": 515 },
            }),
        )
        .refuses(&[kinds::UNPROCESSABLE, kinds::BUSY, kinds::OUTCOME_UNKNOWN, kinds::STORAGE_FULL])
}

#[derive(JsonSchema)]
struct WaitingParameters {
    /// Other proposals are not listed.
    #[schemars(extend("const" = "waiting"))]
    #[allow(dead_code)]
    state: String,
}

#[derive(JsonSchema)]
struct OperationParameters {
    /// `nextCursor` of the part before.
    #[schemars(example = "1-98-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    #[allow(dead_code)]
    cursor: Option<String>,
}

#[derive(JsonSchema)]
struct BudgetParameters {
    /// Only of this category.
    #[allow(dead_code)]
    category: Option<String>,
}

#[derive(JsonSchema)]
struct ExportParameters {
    /// `csv` if absent.
    #[allow(dead_code)]
    format: Option<ExportFormat>,
    /// The first day.
    #[allow(dead_code)]
    from: Option<Date>,
    /// The last day.
    #[allow(dead_code)]
    to: Option<Date>,
    /// By day: `oldest` (if absent) or `newest`.
    #[allow(dead_code)]
    order: Option<ExportOrder>,
    /// `me`, `everyone`, a member's user id or name; everyone's if absent.
    #[allow(dead_code)]
    whose: Option<String>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(dead_code)]
enum ExportFormat {
    Csv,
    Json,
    Hledger,
    Beancount,
}

#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(dead_code)]
enum ExportOrder {
    Oldest,
    Newest,
}

#[derive(JsonSchema)]
struct RecurringParameters {
    /// `me`, `everyone`, a member's user id or name; everyone's if absent.
    #[allow(dead_code)]
    whose: Option<String>,
}

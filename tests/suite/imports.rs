//! Files of banks become one proposal: what is read, what is left out, and what the person approved.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use rstest::rstest;
use serde_json::{Value, json};

use crate::harness::{Person, Response, Setup};

fn file(name: &str) -> Value {
    let bytes = std::fs::read(format!("{}/tests/suite/files/{name}", env!("CARGO_MANIFEST_DIR"))).expect("a file");
    json!({ "name": name, "base64": BASE64_STANDARD.encode(&bytes) })
}

fn with(mut body: Value, more: Value) -> Value {
    body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    body
}

async fn imported(person: &Person<'_>, body: Value) -> Value {
    let Response { status, body, .. } = person.post("/imports", body).await;
    assert!(status.is_success(), "{body}");
    body
}

async fn refused(person: &Person<'_>, body: Value) -> (u16, String) {
    let Response { status, body, .. } = person.post("/imports", body).await;
    (status.as_u16(), body["detail"].as_str().unwrap_or_else(|| panic!("{body}")).to_owned())
}

/// Item and amount of each row, newest first.
async fn listed(person: &Person<'_>) -> Vec<String> {
    person.rows().await.iter().map(|row| format!("{} {}", row["item"], row["money"]["amount"])).collect()
}

#[tokio::test]
async fn a_file_is_shown_as_it_was_understood_before_anything_is_proposed() {
    let service = Setup::default().start().await;
    let me = service.person();
    let row = |line: usize, date: &str, item: &str, notes: Value, amount: &str| {
        json!({
            "line": line, "date": date, "item": item, "category": null, "notes": notes,
            "money": { "amount": amount, "currency": "EUR" }, "included": true,
        })
    };
    let mut salary = row(7, "2026-11-18", "Arbeitgeber GmbH", json!("Gehalt"), "-2500.00");
    salary["included"] = false.into();
    let expected = json!({
        "settings": {
            "format": "csv", "encoding": "windows-1252", "delimiter": ";", "header": true,
            "columns": ["date", "ignored", "ignored", "name", "notes", "ignored", "amount"],
            "decimalMark": "comma", "dateOrder": "day-first", "spending": "negative", "currency": "EUR",
        },
        "guesses": [],
        "columns": [
            { "name": "Buchungstag", "sample": ["20.11.2026", "19.11.2026", "18.11.2026"] },
            { "name": "Valuta", "sample": ["20.11.2026", "19.11.2026", "18.11.2026"] },
            { "name": "Buchungstext", "sample": ["Kartenzahlung", "Lastschrift", "Gutschrift"] },
            {
                "name": "Auftraggeber / Begünstigter",
                "sample": ["Bäckerei Müller", "Stadtwerke Überall", "Arbeitgeber GmbH"],
            },
            { "name": "Verwendungszweck", "sample": ["EC 4711", "Strom November", "Gehalt"] },
            { "name": "Saldo", "sample": ["1.996,50", "2.000,00", "3.200,00"] },
            { "name": "Betrag (EUR)", "sample": ["-3,50", "-1.200,00", "2.500,00"] },
        ],
        "rows": [
            row(5, "2026-11-20", "Bäckerei Müller", json!("EC 4711"), "3.50"),
            row(6, "2026-11-19", "Stadtwerke Überall", json!("Strom November"), "1200.00"),
            row(8, "2026-11-17", "Café „Größe – 12 €", Value::Null, "12.80"),
        ],
        "rowCount": 3,
        "count": 3,
        "totals": [{ "amount": "1216.30", "currency": "EUR" }],
        "duplicates": 0,
        "incoming": { "count": 1, "totals": [{ "amount": "-2500.00", "currency": "EUR" }], "rows": [salary] },
        "rejected": { "count": 3, "rows": [
            {
                "line": 1, "text": "Umsätze Girokonto | Zeitraum: 30 Tage", "reason": "it stands before the table",
            },
            { "line": 2, "text": "Konto | Beispielkonto", "reason": "it stands before the table" },
            { "line": 9, "text": "Summe |  |  |  |  |  | 1.283,70", "reason": "“Summe” is no date" },
        ] },
    });
    assert_eq!(imported(&me, file("german.csv")).await, expected);
    assert_eq!(me.get("/proposals?state=waiting").await.body, json!({ "items": [] }));
}

#[tokio::test]
async fn an_import_is_one_proposal_with_one_receipt_that_can_be_undone() {
    let service = Setup::default().start().await;
    let me = service.person();
    let reply = imported(&me, with(file("bank.ofx"), json!({ "propose": true }))).await;
    assert_eq!(
        reply["answer"].as_str().and_then(|answer| answer.lines().next()),
        Some("“bank.ofx” has 2 expenses. Not included: 1 amount that came in (£900.00); 1 line that I cannot read.")
    );
    assert_eq!((me.rows().await, &reply["proposal"]["count"]), (vec![], &json!(2)));
    let done = me.decide(&reply["proposal"], "approve").await.body;
    let books = json!({
        "id": 1, "kind": "expense", "item": "Books & Co", "amount": 12.5, "currency": "GBP", "category": null, "notes": "CARD 1234",
        "money": { "amount": "12.50", "currency": "GBP" }, "date": "2026-11-19", "owner": "me", "version": 1,
        "bankId": "2026111900001",
    });
    assert_eq!((&me.rows().await[0], listed(&me).await.len()), (&books, 2));
    let undo = format!("/proposals/{}/undo", done["receipt"]["proposalId"].as_str().expect("an id"));
    let proposal = me.post(&undo, json!({})).await.body["proposal"].clone();
    me.decide(&proposal, "approve").await;
    assert_eq!(me.rows().await, Vec::<Value>::new());
    let (stored, recomputed) = service.rollups().await;
    assert_eq!(stored, recomputed);
}

#[rstest]
#[case("bank.ofx", 2)]
#[case("german.csv", 3)]
#[case("us.csv", 2)]
#[case("quicken.qif", 3)]
#[tokio::test]
async fn what_was_imported_is_a_duplicate_the_second_time(#[case] name: &str, #[case] rows: usize) {
    let service = Setup::default().start().await;
    let me = service.person();
    let now = json!({ "propose": true, "approve": true });
    let added = imported(&me, with(file(name), now.clone())).await;
    assert_eq!(added["added"].as_array().map(Vec::len), Some(rows), "{added}");
    let again = imported(&me, file(name)).await;
    let counts = [&again["rowCount"], &again["duplicates"], &again["count"]];
    assert_eq!(counts, [&json!(rows), &json!(rows), &json!(0)], "{again}");
    let nothing = "Nothing is left to change. Choose at least one row.";
    assert_eq!(refused(&me, with(file(name), now)).await, (422, nothing.into()));
    assert_eq!(me.rows().await.len(), rows);
}

#[tokio::test]
async fn rows_are_ticked_and_unticked_by_their_lines() {
    let service = Setup::default().start().await;
    let me = service.person();
    let text = "date,name,amount\n2026-11-19,tea,2\n2026-11-19,tea,2\n2026-11-18,cake,4\n2026-11-17,pay,-9\n";
    let body = json!({ "content": text, "settings": { "spending": "positive" } });
    let marks = async |more: Value| {
        let preview = imported(&me, with(body.clone(), more)).await;
        let rows = preview["rows"].as_array().expect("rows").clone();
        rows.iter().map(|row| (row["included"] == true, row["duplicate"].clone())).collect::<Vec<_>>()
    };
    let twice = json!({ "line": 2 });
    let usual = [(true, Value::Null), (false, twice.clone()), (true, Value::Null)];
    assert_eq!(marks(json!({})).await, usual);
    let chosen = [(true, Value::Null), (true, twice), (false, Value::Null)];
    assert_eq!(marks(json!({ "include": [3], "exclude": [4] })).await, chosen);
    let incoming = "Line 5 is money that came in, and only what was spent is recorded. Leave it out.";
    assert_eq!(refused(&me, with(body.clone(), json!({ "include": [5] }))).await, (422, incoming.into()));
    let unknown = "Line 9 is no row of the file. Leave it out.";
    assert_eq!(refused(&me, with(body, json!({ "exclude": [9] }))).await, (422, unknown.into()));
}

#[tokio::test]
async fn a_similar_expense_of_the_same_day_and_amount_is_a_duplicate_unless_it_is_somebody_elses() {
    let service = Setup::default().start().await;
    let (ann, bob) = (service.who("demo", "ann", "member"), service.who("demo", "bob", "member"));
    for message in ["rewe 12.50 yesterday", "yes", "lunch 8 yesterday", "yes"] {
        ann.says(message).await;
    }
    let text = "date,name,amount\n2026-11-19,REWE SAGT DANKE 4711,12.50\n2026-11-19,Bus,8\n2026-11-18,rewe,12.50\n";
    let duplicates = async |person: &Person<'_>| {
        let preview = imported(person, json!({ "content": text })).await;
        preview["rows"].as_array().expect("rows").iter().map(|row| row["duplicate"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(duplicates(&ann).await, [json!({ "id": 1 }), Value::Null, Value::Null]);
    assert_eq!(duplicates(&bob).await, [Value::Null, Value::Null, Value::Null]);
    let elsewhere = service.who("other", "ann", "member");
    assert_eq!(duplicates(&elsewhere).await, [Value::Null, Value::Null, Value::Null]);
}

#[tokio::test]
async fn rows_that_a_bank_tells_apart_are_no_duplicates() {
    let service = Setup::default().start().await;
    let me = service.person();
    let text = "date,name,amount,transaction id\n2026-11-19,tea,2,a\n2026-11-19,tea,2,b\n2026-11-19,other,2,a\n";
    let preview = imported(&me, json!({ "content": text })).await;
    let marks: Vec<&Value> = preview["rows"].as_array().expect("rows").iter().map(|row| &row["duplicate"]).collect();
    assert_eq!(marks, [&Value::Null, &Value::Null, &json!({ "line": 2 })]);
}

#[tokio::test]
async fn a_remembered_category_is_offered() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("coffee 3.50 in food").await;
    me.says("yes").await;
    let text =
        "date,name,amount,category\n2026-11-18,Coffee,2,\n2026-11-17,coffee,2,work\n2026-11-16,toys in kids,2,\n";
    let preview = imported(&me, json!({ "content": text })).await;
    let rows = preview["rows"].as_array().expect("rows").iter();
    let filed: Vec<Value> = rows.map(|row| json!([row["item"], row["category"], row["remembered"]])).collect();
    let expected =
        [json!(["Coffee", "food", true]), json!(["coffee", "work", null]), json!(["toys in kids", null, null])];
    assert_eq!(filed, expected);
}

#[tokio::test]
async fn a_guess_must_be_confirmed_before_it_is_used() {
    let service = Setup::default().start().await;
    let me = service.person();
    let why = "every date, like 03/04, can have the day or the month first";
    assert_eq!(imported(&me, file("uk.csv")).await["guesses"], json!([{ "setting": "dateOrder", "why": why }]));
    let propose = json!({ "propose": true });
    let detail = format!(
        "E{}. Look at the file, and send it again with `settings.dateOrder`: day-first or month-first.",
        &why[1..]
    );
    assert_eq!(refused(&me, with(file("uk.csv"), propose.clone())).await, (422, detail));
    let said = with(file("uk.csv"), json!({ "settings": { "dateOrder": "day-first" } }));
    assert_eq!(imported(&me, with(said, propose)).await["proposal"]["count"], 2);
    let nowhere = Setup { currency: None, ..Setup::default() }.start().await;
    let preview = imported(&nowhere.person(), file("us.csv")).await;
    assert_eq!(preview["guesses"][0]["setting"], "currency");
    let dollars = with(file("us.csv"), json!({ "settings": { "currency": "USD" } }));
    assert_eq!(imported(&nowhere.person(), dollars).await["guesses"], json!([]));
}

#[rstest]
#[tokio::test]
async fn an_export_imports_to_the_same_rows(#[values("csv", "json")] format: &str) {
    let service = Setup::default().start().await;
    let ann = service.who("demo", "ann", "member");
    for message in ["coffee 3.50 in food yesterday", "yes", "tesco 50: food 30, the rest household", "yes"] {
        ann.says(message).await;
    }
    let create = |item: &str, amount: &str, notes: &str| {
        let fields =
            json!({ "item": item, "amount": amount, "date": "2026-11-18", "category": "home", "notes": notes });
        json!({ "op": "create", "kind": "expense", "fields": fields })
    };
    let odd = [create("=1+1, \"x\"", "1234.56", "'quoted'"), create("-dash", "0.01", "@home; a")];
    ann.post("/proposals", json!({ "operations": odd, "approve": true })).await;
    imported(&ann, with(file("bank.ofx"), json!({ "propose": true, "approve": true }))).await;
    let export = ann.get(&format!("/expenses/export?format={format}&order=newest")).await.bytes;
    let other = service.who("other", "eve", "member");
    let body = json!({ "base64": BASE64_STANDARD.encode(&export), "propose": true, "approve": true });
    imported(&other, body).await;
    let rows = async |person: &Person<'_>| {
        let mut rows = person.rows().await;
        for row in &mut rows {
            row.as_object_mut().expect("a row").retain(|name, _| !["id", "owner", "version"].contains(&name.as_str()));
        }
        rows.sort_by_key(ToString::to_string);
        rows
    };
    assert_eq!(rows(&other).await, rows(&ann).await);
    assert_eq!(rows(&ann).await.len(), 6);
}

#[tokio::test]
async fn ten_thousand_rows_are_one_proposal_and_more_are_refused() {
    let service = Setup::default().start().await;
    let me = service.person();
    let text = |rows: usize| -> String {
        let row = |n: usize| format!("2026-{:02}-{:02},shop {n},{}.{:02}\n", n % 10 + 1, n % 28 + 1, n / 100, n % 100);
        ["date,name,amount\n".to_owned()].into_iter().chain((1..=rows).map(row)).collect()
    };
    let (status, detail) = refused(&me, json!({ "content": text(10_001) })).await;
    assert_eq!((status, detail.contains("Split it by period")), (413, true), "{detail}");
    let body = json!({ "content": text(10_000) });
    let preview = imported(&me, with(body.clone(), json!({ "from": 9_600 }))).await;
    assert_eq!((&preview["count"], preview["rows"].as_array().map(Vec::len)), (&json!(10_000), Some(400)));
    assert_eq!(preview["next"], Value::Null);
    let reply = imported(&me, with(body, json!({ "propose": true }))).await;
    assert_eq!(reply["proposal"]["count"], 10_000);
    assert_eq!(reply["proposal"]["totals"][0]["amount"], "500050.00");
}

#[tokio::test]
async fn the_same_message_id_imports_once() {
    let service = Setup::default().start().await;
    let me = service.person();
    let body = with(file("bank.ofx"), json!({ "propose": true, "approve": true, "messageId": "m" }));
    let mut first = imported(&me, body.clone()).await;
    first["receipt"]["replayed"] = true.into();
    // The rows are duplicates now, and what was decided stays decided.
    assert_eq!(imported(&me, body).await, first);
    assert_eq!(me.rows().await.len(), 2);
}

#[rstest]
#[case(json!({}), 400, "Send the file as text in `content`, or as bytes in `base64`, and not both.")]
#[case(json!({ "content": "a", "base64": "YQ==" }), 400, "Send the file as text in `content`, or as bytes in `base64`, and not both.")]
#[case(json!({ "base64": "%" }), 400, "`base64` must be Base64.")]
#[case(json!({ "content": "" }), 422, "The file is empty. Choose one with transactions.")]
#[case(
    json!({ "base64": "UEsDBAAA" }), 422,
    "The file is no text, so no transactions can be read. Export the transactions from the bank or the spreadsheet as CSV, \
     OFX or QIF."
)]
#[case(json!({ "content": "a", "include": "1" }), 400, "`include` must be a list.")]
#[case(json!({ "content": "a", "approve": true }), 422, "`approve` needs `propose`. Send both, or none.")]
#[case(
    json!({ "content": "a,b\n1,2", "settings": { "columns": ["date", "date"] } }), 422,
    "`settings.columns` has a role twice, or both an amount and a debit or credit. Give each role to one column."
)]
#[case(json!({ "content": "[{", "propose": true }), 422, "The file is not valid JSON: EOF while parsing an object at line 1 column 2. Export it again as a whole.")]
#[tokio::test]
async fn a_request_that_cannot_be_read_says_what_to_send(
    #[case] body: Value,
    #[case] status: u16,
    #[case] detail: &str,
) {
    let service = Setup::default().start().await;
    assert_eq!(refused(&service.person(), body).await, (status, detail.to_owned()));
}

#[tokio::test]
async fn an_unknown_setting_is_named() {
    let service = Setup::default().start().await;
    let body = json!({ "content": "a", "settings": { "seperator": ";" } });
    let (status, detail) = refused(&service.person(), body).await;
    assert!(status == 400 && detail.starts_with("`settings`: unknown field `seperator`"), "{detail}");
}

#[tokio::test]
async fn half_a_file_keeps_what_can_be_read_and_names_the_rest() {
    let service = Setup::default().start().await;
    let preview = imported(&service.person(), file("quicken.qif")).await;
    let rejected = preview["rejected"]["rows"].as_array().expect("rows").last().expect("a row").clone();
    assert_eq!(rejected["reason"], "the file ends in the middle of it");
    let four = "x".repeat(4 * 1024 * 1024);
    let (status, detail) = refused(&service.person(), json!({ "content": four })).await;
    let expected = "The body is larger than 4096 KiB. Send the file in parts, split by period.";
    assert_eq!((status, detail.as_str()), (413, expected));
}

#[tokio::test]
async fn viewers_import_nothing() {
    let service = Setup::default().start().await;
    let viewer = service.who("demo", "vic", "viewer");
    let text = "Viewers can look but not add. Ask an administrator for another role.";
    assert_eq!(refused(&viewer, file("us.csv")).await, (403, text.to_owned()));
}

#[tokio::test]
async fn a_message_with_a_file_imports_it_in_the_conversation() {
    let service = Setup::default().start().await;
    let me = service.person();
    let say = |file: Value| json!({ "message": "import this", "conversationId": "c", "attachments": [file] });
    let reply = me.chat(say(file("bank.ofx"))).await;
    assert_eq!((&reply["proposal"]["count"], &reply["conversationId"]), (&json!(2), &json!("c")));
    let yes = me.chat(json!({ "message": "yes", "conversationId": "c" })).await;
    assert_eq!(yes["added"].as_array().map(Vec::len), Some(2), "{yes}");
    let again = me.chat(say(file("bank.ofx"))).await;
    let nothing = "“bank.ofx” has 2 expenses. Not included: 2 that may be there already; 1 amount that came in (£900.00); \
                   1 line that I cannot read.\n\nNothing is left to add.";
    assert_eq!((&again["answer"], &again["proposal"]), (&json!(nothing), &Value::Null));
    let open = me.chat(say(file("uk.csv"))).await;
    let asked = "Before I can import “uk.csv”: every date, like 03/04, can have the day or the month first. Look at the \
                 file, and send it again with `settings.dateOrder`: day-first or month-first.";
    assert_eq!(open["question"], json!({ "text": asked, "missing": ["settings.dateOrder"] }));
    let turns = me.get("/conversations/c/turns").await.body;
    let told: Vec<&Value> = turns["items"].as_array().expect("turns").iter().map(|turn| &turn["message"]).collect();
    assert_eq!(
        told,
        ["Import “uk.csv”.", "Import “bank.ofx”.", "yes", "Add 2 expenses, £19.50: “Books & Co”, “no name”"]
    );
}

#[tokio::test]
async fn rows_are_left_out_of_a_large_import_on_its_card() {
    let service = Setup::default().start().await;
    let me = service.person();
    let row = |n: usize| format!("2026-10-{:02},shop {n},{n}.00\n", n % 28 + 1);
    let text: String = ["date,name,amount\n".to_owned()].into_iter().chain((1..=600).map(row)).collect();
    let first = imported(&me, json!({ "content": text, "propose": true })).await["proposal"].clone();
    let edit = json!({
        "proposalId": first["id"], "fingerprint": first["fingerprint"], "decision": "edit", "exclude": [1, 600],
    });
    service.wire.take();
    let edited = me.chat(json!({ "confirm": edit })).await["proposal"].clone();
    assert_eq!((&edited["count"], &edited["totals"][0]["amount"]), (&json!(598), &json!("179699.00")));
    let reads = service.wire.take().0.into_iter().filter(|call| call.operation == "Query").count();
    assert!(reads < 50, "{reads} queries");
}

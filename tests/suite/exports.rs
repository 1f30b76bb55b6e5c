//! Expenses as files: which rows they have, and that a part of one is never taken for all of it.

use http::StatusCode;
use http_body_util::BodyExt;
use rstest::rstest;
use serde_json::{Value, json};

use crate::harness::{Person, Response, Service, Setup, wire::Fate};

async fn exported(person: &Person<'_>, query: &str) -> String {
    let Response { status, bytes, body, .. } = person.get(&format!("/expenses/export?{query}")).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    String::from_utf8(bytes).expect("text")
}

async fn shared() -> Service {
    let service = Setup::default().start().await;
    let ann = service.who("demo", "ann", "member").called("Ann");
    let bob = service.who("demo", "bob", "member");
    for message in ["coffee 3.50 in food yesterday", "yes", "tesco 50: food 30, the rest household", "yes"] {
        ann.says(message).await;
    }
    bob.says("taxi 9.00 today").await;
    bob.says("yes").await;
    service
}

#[tokio::test]
async fn an_export_has_the_rows_of_the_filters_oldest_first() {
    let service = shared().await;
    let ann = service.who("demo", "ann", "member").called("Ann");
    let all = "id,date,item,amount,currency,category,notes,lines,bankId,owner,ownerName\r\n\
        1,2026-11-19,coffee,3.50,GBP,food,,,,ann,Ann\r\n\
        2,2026-11-20,tesco,50.00,GBP,,,\"[{\"\"amount\"\":\"\"30.00\"\",\"\"category\"\":\"\"food\"\"},\
        {\"\"amount\"\":\"\"20.00\"\",\"\"category\"\":\"\"household\"\"}]\",,ann,Ann\r\n\
        3,2026-11-20,taxi,9.00,GBP,,,,,bob,\r\n";
    assert_eq!(exported(&ann, "").await, all);
    let items = async |query: &str| {
        let rows: Value = serde_json::from_str(&exported(&ann, &format!("format=json&{query}")).await).expect("JSON");
        rows.as_array()
            .expect("a list")
            .iter()
            .map(|row| row["item"].as_str().expect("an item").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(items("whose=me&order=newest").await, ["tesco", "coffee"]);
    assert_eq!(items("whose=bob").await, ["taxi"]);
    assert_eq!(items("category=food&to=2026-11-19").await, ["coffee"]);
    assert_eq!(items("text=zeppelin").await, Vec::<String>::new());
    let other = service.who("other", "eve", "admin");
    assert_eq!(exported(&other, "format=json").await, "[\n]\n");
    let journal = ann.get("/expenses/export?format=hledger").await;
    assert_eq!(journal.headers["content-disposition"], "attachment; filename=\"expenses.journal\"");
}

#[rstest]
#[case("format=xls", "`format` is csv, json, hledger or beancount")]
#[case("limit=5", "there is no parameter \"limit\" here, only `format`")]
#[case("order=largest", "`order` is oldest or newest")]
#[case("from=2026-11-02&to=2026-11-01", "`from` must not be after `to`")]
#[tokio::test]
async fn a_parameter_that_an_export_does_not_have_is_refused(#[case] query: &str, #[case] detail: &str) {
    let service = Setup::default().start().await;
    let Response { status, body, .. } = service.person().get(&format!("/expenses/export?{query}")).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let told = body["detail"].as_str().expect("a detail").to_lowercase();
    assert!(told.contains(&detail.to_lowercase()), "{told}");
}

#[tokio::test]
async fn an_export_of_many_rows_has_each_once() {
    let service = Setup::default().start().await;
    let stored = service.fill(1_234).await;
    let rows: Vec<Value> = serde_json::from_str(&exported(&service.person(), "format=json").await).expect("JSON");
    let mut ids: Vec<u64> = rows.iter().map(|row| row["id"].as_u64().expect("an id")).collect();
    ids.sort_unstable();
    assert_eq!(ids, stored.iter().map(|record| record.id).collect::<Vec<_>>());
    let dates: Vec<&str> = rows.iter().map(|row| row["date"].as_str().expect("a date")).collect();
    assert!(dates.is_sorted());
}

#[rstest]
#[tokio::test]
async fn an_export_that_breaks_off_says_so_and_ends_the_connection(
    #[values("csv", "json", "hledger", "beancount")] format: &str,
) {
    let service = Setup::default().start().await;
    service.fill(600).await;
    let mut body = service.person().open_read(&format!("/expenses/export?format={format}")).await.into_body();
    let first = body.frame().await.expect("a page").expect("rows").into_data().expect("bytes");
    assert!(first.len() > 10_000, "{}", first.len());
    service.wire.fail(vec![("Query", Fate::DropBefore); 20]);
    let marker = body.frame().await.expect("a line").expect("text").into_data().expect("bytes");
    assert_eq!(marker, "\nINCOMPLETE: this export broke off here. Export it again.\n");
    assert!(body.frame().await.expect("an end").is_err());
}

#[tokio::test]
async fn an_export_that_cannot_begin_is_a_usual_error() {
    let service = Setup::default().start().await;
    service.wire.fail(vec![("Query", Fate::DropBefore); 20]);
    let Response { status, body, .. } = service.person().get("/expenses/export").await;
    assert_eq!(
        (status, &body["type"]),
        (StatusCode::SERVICE_UNAVAILABLE, &json!("urn:sayso:problem:store-unavailable"))
    );
}

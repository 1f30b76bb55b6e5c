//! Rows of one member: what is read to find them, however much the others wrote, and that nothing else is found than by
//! reading every row.

use std::{cmp::Reverse, collections::BTreeMap, sync::Arc};

use jiff::{
    ToSpan,
    civil::{Date, date},
};
use proptest::prelude::*;
use sayso::{
    expenses::Expense,
    money::{Currency, Money},
    proposal::{Draft, Record},
};
use serde_json::{Value, json};

use crate::harness::{
    Person, Service, Setup, caller, property,
    scripted::{Scripted, calls, text},
    wire::TENANT,
};

const TODAY: Date = date(2026, 11, 20);

const MEMBERS: [&str; 10] = ["ann", "anna", "ben", "cleo", "dan", "eve", "finn", "gus", "hal", "ida"];

fn bought(item: &str, minor: i64, days_ago: i64, category: &str, owner: &str) -> Draft {
    let money = Money { minor, currency: Currency::GBP };
    let (date, category) = (TODAY.saturating_sub(days_ago.days()), Some(category.to_owned()));
    Expense { item: item.into(), money, date, category, notes: None, lines: vec![], bank_id: None }.draft(owner)
}

async fn keep(service: &Service, rows: impl IntoIterator<Item = Draft>) {
    let caller = caller("demo", "me");
    let keeping = async {
        let store = service.store.tenant(caller.tenant());
        let rows: Vec<Draft> = rows.into_iter().collect();
        let first = store.allocate_ids("E", rows.len()).await.expect("ids");
        let records: Vec<Record> = (first..).zip(rows).map(|(id, draft)| Record { id, version: 1, draft }).collect();
        store.import(&records).await.expect("rows");
    };
    TENANT.scope("demo".into(), keeping).await;
}

/// All members have said something.
async fn started() -> (Service, Arc<Scripted>) {
    let model = Arc::new(Scripted::default());
    let service = Setup::model(Arc::clone(&model) as _).start().await;
    for member in MEMBERS {
        model.says(text("Hello."));
        service.who("demo", member, "member").says("hello").await;
    }
    (service, model)
}

fn ann(service: &Service) -> Person<'_> {
    service.who("demo", "ann", "member")
}

/// Ann's 40 expenses, and newer ones of each other member.
async fn with_others(each: usize) -> (Service, Arc<Scripted>) {
    let (service, model) = started().await;
    let categories = ["food", "fun"];
    keep(&service, (0..40).map(|n| bought("Lute", 100 + n as i64, 400 + 3 * n as i64, categories[n % 2], "ann"))).await;
    let others = MEMBERS.iter().filter(|member| **member != "ann");
    let rows = others.flat_map(|owner| {
        let row = move |n: usize| bought("Coffee", 200 + n as i64 % 7, n as i64 % 300, categories[n % 2], owner);
        (0..each).map(row)
    });
    keep(&service, rows).await;
    (service, model)
}

/// The rows that queries looked at, by index.
fn rows_looked_at(service: &Service) -> Value {
    let looked_at = service.wire.looked_at().into_iter();
    json!(looked_at.filter(|(index, _)| !index.is_empty()).collect::<BTreeMap<_, _>>())
}

#[tokio::test]
async fn what_one_member_wrote_is_found_however_much_the_others_wrote() {
    let (few, many) = (with_others(20).await, with_others(400).await);
    let mut different = Vec::new();
    for (tool, arguments) in [
        ("list_expenses", json!({ "whose": "me" })),
        ("list_expenses", json!({ "whose": "me", "limit": 7, "order": "oldest" })),
        ("list_expenses", json!({ "whose": "me", "range": "2025" })),
        ("list_expenses", json!({ "whose": "me", "order": "largest" })),
        ("list_expenses", json!({ "whose": "me", "text": "lute" })),
        ("list_expenses", json!({ "whose": "me", "search": "lute" })),
        ("list_expenses", json!({ "whose": "me", "category": "food", "limit": 3 })),
        ("list_expenses", json!({ "whose": "me", "more_than": "1.10" })),
        ("summarize_expenses", json!({ "whose": "me", "by": "item", "range": "2025" })),
        ("get_balance", json!({ "whose": "me", "category": "lute", "range": "2025" })),
        ("propose_operations", json!({ "select": {} })),
        ("propose_operations", json!({ "select": { "range": "2025", "more_than": "1.10" } })),
        ("delete_expense", json!({ "cost": "1.03" })),
    ] {
        let mut found = Vec::new();
        for (service, model) in [&few, &many] {
            service.wire.looked_at();
            model.says(calls([(tool, arguments.clone())]));
            let said = "my lutes, everything of mine over 1.10 and of 1.03 in 2025";
            let body = json!({ "message": said, "conversationId": arguments.to_string() });
            let reply = ann(service).chat(body).await;
            let rows = reply["items"].as_array().map(Vec::len);
            found.push((rows_looked_at(service), reply["answer"].clone(), rows, reply["proposal"]["count"].clone()));
        }
        if found[0] != found[1] {
            different.push(format!("{tool} {arguments}: {found:#?}"));
        }
    }
    for path in [
        "/expenses?whose=me",
        "/expenses?whose=me&limit=7&order=oldest",
        "/records/expense?whose=me&from=2025-01-01&to=2025-12-31&limit=3",
        "/expenses?whose=me&category=food&limit=3",
        "/expenses/export?format=csv&whose=me",
    ] {
        let mut found = Vec::new();
        for (service, _) in [&few, &many] {
            service.wire.looked_at();
            let answer = ann(service).get(path).await;
            found.push((rows_looked_at(service), answer.status.as_u16(), String::from_utf8(answer.bytes)));
        }
        if found[0] != found[1] {
            different.push(format!("{path}: {found:#?}"));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[tokio::test]
async fn a_cursor_of_one_members_rows_is_not_one_of_all_rows() {
    let (service, _) = with_others(3).await;
    let cursor = async |path: &str| {
        let page = ann(&service).get(path).await.body;
        page["nextCursor"].as_str().expect("more rows").to_owned()
    };
    let (own, all) = (cursor("/expenses?whose=me&limit=2").await, cursor("/expenses?limit=2").await);
    for path in [
        format!("/expenses?limit=2&cursor={own}"),
        format!("/expenses?whose=ben&limit=2&cursor={own}"),
        format!("/expenses?whose=me&limit=2&cursor={all}"),
    ] {
        let refused = ann(&service).get(&path).await;
        assert_eq!(refused.status, http::StatusCode::BAD_REQUEST, "{path}: {}", refused.body);
    }
    let next = ann(&service).get(&format!("/expenses?whose=me&limit=2&cursor={own}")).await.body;
    let ids: Vec<_> = next["items"].as_array().expect("items").iter().map(|row| row["id"].clone()).collect();
    assert_eq!(ids, [3, 4]);
}

#[test]
fn the_index_of_owners_finds_what_reading_every_row_finds() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let owners = || prop::sample::select(&MEMBERS[..3]);
    let items = || prop::sample::select(&["Tea", "Taxi", "Tea cake"][..]);
    let categories = || prop::sample::select(&["food", "fun"][..]);
    let rows = prop::collection::vec((owners(), items(), 1..5_i64, 0..40_i64, categories()), 1..90);
    let days = prop::option::of((0..40_i64, 0..40_i64));
    let (words, most) = (prop::option::of(prop::sample::select(&["tea", "taxi"][..])), prop::option::of(1..5_i64));
    let query = (owners(), words, days, most, prop::option::of(categories()), any::<bool>(), 1..9_usize);
    let run = property(6).run(&(rows, prop::collection::vec(query, 5)), |(rows, queries)| {
        runtime.block_on(async {
            let (service, _) = started().await;
            let rows = rows.into_iter();
            let rows: Vec<Draft> =
                rows.map(|(owner, item, minor, ago, category)| bought(item, minor, ago, category, owner)).collect();
            keep(&service, rows.clone()).await;
            let mut all: Vec<(u64, Draft)> = (1..).zip(rows).collect();
            all.sort_by_key(|(id, row)| Reverse((row.date, *id)));
            for (owner, words, days, most, category, is_oldest, limit) in queries {
                let day = |ago: i64| TODAY.saturating_sub(ago.days());
                let days = days.map(|(one, other)| (day(one.max(other)), day(one.min(other))));
                let fits = |row: &Draft| {
                    let name = row.name.as_deref().unwrap_or_default();
                    row.owner == owner
                        && words.is_none_or(|word| name.split(' ').any(|part| part == word))
                        && days.is_none_or(|(from, to)| from <= row.date && row.date <= to)
                        && category.is_none_or(|category| row.body["category"] == category)
                        && most.is_none_or(|most| row.body["minor"].as_i64() <= Some(most))
                };
                let mut expected: Vec<u64> = all.iter().filter(|(_, row)| fits(row)).map(|(id, _)| *id).collect();
                let mut path = format!("/records/expense?whose={owner}&limit={limit}");
                path.extend(words.map(|word| format!("&words={word}")));
                path.extend(category.map(|category| format!("&category={category}")));
                path.extend(days.map(|(from, to)| format!("&from={from}&to={to}")));
                path.extend(most.map(|most| format!("&currency=GBP&maxAmount=0.0{most}")));
                if is_oldest {
                    expected.reverse();
                    path.push_str("&order=oldest");
                }
                prop_assert_eq!(service.person().ids_of_all_pages(&path).await, expected, "{}", path);
            }
            Ok(())
        })
    });
    run.expect("the same rows");
}

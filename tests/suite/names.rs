//! Rows by name: what is read to find them, and that nothing else is found than by reading every row.

use std::{cmp::Reverse, collections::BTreeMap, sync::Arc};

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::{ToSpan, civil::date};
use proptest::prelude::*;
use sayso::{
    expenses::{self, Expense},
    money::{Currency, Money},
    proposal::{Draft, Record},
    receipts, workspace,
};
use serde_json::{Value, json};

use crate::harness::{
    Service, Setup, caller, property,
    scripted::{Scripted, calls, text},
    wire::{Call, TENANT},
};

fn bought(item: &str, minor: i64, days_ago: i64, owner: &str) -> Draft {
    let money = Money { minor, currency: Currency::GBP };
    let date = date(2026, 11, 20).saturating_sub(days_ago.days());
    let category = item.split(' ').next().map(|word| word.to_lowercase().chars().take(40).collect());
    let item = item.to_owned();
    Expense { item, money, date, category, notes: None, lines: vec![], bank_id: None }.draft(owner)
}

/// The rows are numbered from 1.
async fn keep(service: &Service, rows: impl IntoIterator<Item = Draft>) {
    let records: Vec<Record> = (1..).zip(rows).map(|(id, draft)| Record { id, version: 1, draft }).collect();
    let caller = caller("demo", "me");
    TENANT.scope("demo".into(), service.store.tenant(caller.tenant()).import(&records)).await.expect("rows");
    service.wire.take();
    service.wire.looked_at();
}

async fn started() -> (Service, Arc<Scripted>) {
    let model = Arc::new(Scripted::default());
    let toolkits = vec![expenses::toolkit(), workspace::toolkit(), receipts::toolkit()];
    (Setup { toolkits, ..Setup::model(Arc::clone(&model) as _) }.start().await, model)
}

/// So many rows with few names; a rare name is old.
async fn with_rows(count: usize) -> (Service, Arc<Scripted>) {
    let (service, model) = started().await;
    let usual = ["Coffee", "Coffee beans", "Taxi", "Lunch", "Groceries"];
    let rare = (0..3).map(|n| bought("Harpsichord lesson", 100 + n, 900 + n, "me"));
    let rows = (0..count).map(|n| bought(usual[n % 5], 200 + n as i64 % 7, n as i64 % 700, "me"));
    keep(&service, rare.chain(rows)).await;
    (service, model)
}

/// The calls and the items that queries looked at, by index.
async fn cost(service: &Service, model: &Scripted, tool: &'static str, arguments: Value) -> (usize, Value) {
    service.wire.take();
    service.wire.looked_at();
    model.says(calls([(tool, arguments)]));
    let reply = service.who("demo", "me", "member").says("what about the harpsichord lesson, coffee 3?").await;
    assert!(reply["answer"].is_string());
    let (calls, _) = service.wire.take();
    (calls.len(), rows_looked_at(service))
}

/// Without the items of the table itself: preferences, rollups and names.
fn rows_looked_at(service: &Service) -> Value {
    let looked_at = service.wire.looked_at().into_iter();
    json!(looked_at.filter(|(index, _)| !index.is_empty()).collect::<BTreeMap<_, _>>())
}

#[tokio::test]
async fn what_is_named_is_found_however_many_rows_there_are() {
    let few = with_rows(600).await;
    let many = with_rows(6_000).await;
    let rare = "harpsichord lessons";
    for (tool, arguments) in [
        ("list_expenses", json!({ "words": rare })),
        ("list_expenses", json!({ "words": "coffee", "limit": 20 })),
        ("list_expenses", json!({ "words": "harpsichord", "range": "2024" })),
        ("list_expenses", json!({ "category": rare })),
        ("list_expenses", json!({ "category": "harpsichord" })),
        ("list_expenses", json!({ "category": "harpsichord", "limit": 2 })),
        ("list_expenses", json!({ "categories": ["coffee", "harpsichord"], "limit": 20, "order": "oldest" })),
        ("list_expenses", json!({ "words": rare, "order": "largest" })),
        ("list_expenses", json!({ "words": "harpsichord oboe" })),
        ("list_expenses", json!({ "words": "\"harpsichord lessons\" -oboe" })),
        ("list_expenses", json!({ "words": "coffee -\"coffee beans\"", "limit": 20 })),
        ("list_expenses", json!({ "search": "\"harpsichord lessons\" -oboe", "limit": 3 })),
        ("list_expenses", json!({ "search": "coffee" })),
        ("list_expenses", json!({ "search": "cofee", "limit": 5 })),
        ("list_expenses", json!({ "search": "harpsicord leson", "limit": 3 })),
        ("get_balance", json!({ "category": rare })),
        ("get_balance", json!({ "category": "coffee" })),
        ("get_balance", json!({ "category": rare, "range": "2024" })),
        ("summarize_expenses", json!({ "by": "item" })),
        ("summarize_expenses", json!({ "by": "item", "words": "coffee" })),
        ("summarize_expenses", json!({ "by": "none", "words": "coffee -beans" })),
        ("summarize_expenses", json!({ "by": "month", "words": rare })),
        ("summarize_expenses", json!({ "by": "none", "words": rare, "average": "expense" })),
        ("delete_expense", json!({ "description": "harpsichord lesson", "cost": "1.01" })),
        ("update_expense", json!({ "description": "harpsichord lesson", "amount": "3" })),
        ("propose_operations", json!({ "select": { "words": rare } })),
        ("propose_operations", json!({ "operations": [{ "op": "delete", "description": rare, "cost": "1.02" }] })),
    ] {
        let of_few = cost(&few.0, &few.1, tool, arguments.clone()).await;
        let of_many = cost(&many.0, &many.1, tool, arguments.clone()).await;
        assert_eq!(of_few, of_many, "{tool} {arguments}");
    }
    for path in ["/records/expense?words=harpsichord", "/expenses?category=harpsichord&limit=9"] {
        let mut costs = [&few.0, &many.0].map(|service| (service, json!(null)));
        for (service, cost) in &mut costs {
            service.wire.looked_at();
            assert!(service.person().get(path).await.body["count"].as_u64() > Some(0), "{path}");
            *cost = rows_looked_at(service);
        }
        assert_eq!(costs[0].1, costs[1].1, "{path}");
    }
}

#[tokio::test]
async fn one_read_of_the_names_serves_a_whole_round() {
    let (service, model) = with_rows(100).await;
    let delete = |cost| ("delete_expense", json!({ "description": "harpsichord lesson", "cost": cost }));
    model.says(calls([delete("1.00"), delete("1.01"), delete("1.02")]));
    let reply = service.person().says("delete the harpsichord lessons of 1.00, 1.01 and 1.02").await;
    assert_eq!(reply["proposal"]["count"], 3, "{reply}");
    let (calls, _) = service.wire.take();
    let names = calls.iter().filter(|call| call.body["ExpressionAttributeValues"][":names"].is_object());
    assert_eq!(names.count(), 1);
}

#[tokio::test]
async fn any_name_is_found_and_only_by_those_who_may_change_it() {
    let long = "コーヒー豆の定期購入と送料".repeat(9);
    let items = ["🍕", "#️⃣ key", "C# course", "Köttbullar % & co", long.as_str()];
    let (service, model) = started().await;
    let mine = items.iter().map(|item| bought(item, 500, 1, "me"));
    keep(&service, mine.chain([bought("C# course", 700, 2, "you"), bought("Harp", 800, 3, "you")])).await;
    let find = async |role, description: &str| {
        model.says(calls([("delete_expense", json!({ "description": description }))]));
        let reply = service.who("demo", "me", role).says(&format!("delete the {description}")).await;
        let row = reply["proposal"]["operations"][0]["before"]["id"].clone();
        (row, reply["question"]["options"].as_array().map(Vec::len))
    };
    for (id, item) in (1..).zip(items) {
        assert_eq!(find("member", &format!("the {item}")).await, (json!(id), None), "{item}");
    }
    assert_eq!(find("admin", "C# courses").await.1, Some(2), "an administrator finds the rows of others");
    assert_eq!(find("admin", "harp").await.0, 7);
    assert_eq!(find("member", "harp").await, (Value::Null, None));
}

#[tokio::test]
async fn a_task_is_found_by_its_title_before_its_notes() {
    let (service, model) = started().await;
    let add = |title: &str, notes: &str| ("add_task", json!({ "title": title, "notes": notes }));
    model.says(calls([add("Water the plants", "ask Ann"), add("Phone Ann", "about the garden")]));
    service.person().says("two tasks: water the plants, phone Ann").await;
    service.person().says("yes").await;
    for (said, id) in [("ann", 2), ("garden", 2), ("plant", 1)] {
        model.says(calls([("delete_task", json!({ "title": said }))]));
        let reply = service.person().says(&format!("delete the task {said}")).await;
        assert_eq!(reply["proposal"]["operations"][0]["before"]["id"], id, "{said}: {reply}");
    }
}

const WORDS: [&str; 6] = ["coffee", "bean", "beans", "taxi", "home", "uber"];

/// Words, or an emoji; perhaps with a number, so that no two names are equal.
fn item() -> impl Strategy<Value = String> {
    let words = prop::collection::vec(prop::sample::select(&WORDS[..]), 1..4).prop_map(|words| words.join(" "));
    prop_oneof![9 => words, 1 => Just("🍕 #️⃣".to_owned())]
}

/// The words of the name and of the query in the singular.
fn singular(text: &str) -> Vec<String> {
    text.to_lowercase().split_whitespace().map(|word| word.trim_end_matches('s').to_owned()).collect()
}

#[test]
fn the_index_of_names_finds_what_reading_every_row_finds() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let rows = prop::collection::vec((item(), 1..5_i64, 0..40_i64), 1..130);
    let words = prop::collection::vec(prop::sample::select(&WORDS[..]), 1..3).prop_map(|words| words.join(" "));
    let days = prop::option::of((0..40_i64, 0..40_i64));
    let category = prop::option::of(prop::sample::select(&WORDS[..]));
    let words = prop_oneof![3 => words, 1 => Just(String::new())];
    let query = (words, days, prop::option::of(1..5_i64), category, any::<bool>(), 1..9_usize);
    let cases = (rows, any::<bool>(), prop::collection::vec(query, 3));
    let run = property(8).run(&cases, |(rows, are_distinct, queries)| {
        runtime.block_on(async {
            let (service, _) = started().await;
            let named = |n: usize, item: &str| if are_distinct { format!("{item} {n}") } else { item.to_owned() };
            let rows =
                rows.iter().enumerate().map(|(n, (item, minor, ago))| bought(&named(n, item), *minor, *ago, "me"));
            let rows: Vec<Draft> = rows.collect();
            keep(&service, rows.clone()).await;
            let mut all: Vec<(u64, Draft)> = (1..).zip(rows).collect();
            all.sort_by_key(|(id, row)| Reverse((row.date, *id)));
            for (words, days, most, category, is_oldest, limit) in queries {
                let today = date(2026, 11, 20);
                let day = |ago: i64| today.saturating_sub(ago.days());
                let days = days.map(|(one, other)| (day(one.max(other)), day(one.min(other))));
                let fits = |row: &Draft| {
                    let name = singular(row.body["item"].as_str().expect("a text"));
                    singular(&words).iter().all(|word| name.contains(word))
                        && days.is_none_or(|(from, to)| from <= row.date && row.date <= to)
                        && category.is_none_or(|category| row.body["category"] == category)
                        && most.is_none_or(|most| row.body["minor"].as_i64() <= Some(most))
                };
                let mut expected: Vec<u64> = all.iter().filter(|(_, row)| fits(row)).map(|(id, _)| *id).collect();
                let mut path = format!("/records/expense?limit={limit}");
                path.extend((!words.is_empty()).then(|| format!("&words={}", words.replace(' ', "%20"))));
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

/// By names, each look-up reads its own row. By amounts it reads rows of all names, so there is a limit for all of them.
#[tokio::test]
async fn ninety_descriptions_share_a_number_of_pages() {
    let (service, model) = started().await;
    let letter = |n: usize| char::from(b'a' + u8::try_from(n % 26).expect("a letter"));
    let name = |n: usize| format!("x{}{}{}", letter(n), letter(n / 26), letter(n / 676));
    let parcel = |n: usize| {
        let expense = Expense::of(&bought(&name(n), 10_000 + n as i64, n as i64, "me")).expect("an expense");
        Expense { notes: Some("n".repeat(2_000)), ..expense }.draft("me")
    };
    keep(&service, (0..2_000).map(parcel)).await;
    let delete_ninety = async |is_found: bool, description: &dyn Fn(usize) -> Value| {
        let operations: Vec<Value> = (1_900..1_990).map(description).collect();
        model.says(calls([("propose_operations", json!({ "operations": operations }))]));
        if !is_found {
            model.says(text("I could not find them."));
        }
        service.wire.take();
        let reply = service.who("demo", "me", "member").says("delete the parcels that came").await;
        let calls = service.wire.take().0;
        let count = |index: &str, condition: &str| {
            let is_of = |body: &Value| body["IndexName"] == index && body.to_string().contains(condition);
            calls.iter().filter(|call| call.operation == "Query" && is_of(&call.body)).count()
        };
        (reply["proposal"]["count"].clone(), count("byName", ""), count("byOwner", "\"minor\""))
    };
    let by_name = delete_ninety(true, &|n| json!({ "op": "delete", "description": name(n) })).await;
    assert_eq!(by_name, (json!(90), 90, 0));
    let by_amount =
        delete_ninety(false, &|n| json!({ "op": "delete", "cost": format!("{}.{:02}", 100 + n / 100, n % 100) })).await;
    assert_eq!(by_amount, (Value::Null, 0, 100));
}

/// Stores totals of names that nothing has, as many as a read of names may have.
async fn fill_names(service: &Service) {
    fill(service, |n| format!("A#E#me#aardvark%20{n:02}#GBP")).await;
}

/// Stores sums, of which three fill a page of 1 MB.
async fn fill(service: &Service, sk: impl Fn(usize) -> String) {
    let client = service.store.client();
    let fill = async {
        for n in 0..60 {
            let put = client.put_item().table_name(service.store.table());
            let put = put.item("pk", AttributeValue::S("T#demo".into()));
            let put = put.item("sk", AttributeValue::S(sk(n)));
            let put = ["sum", "n", "v"].iter().fold(put, |put, name| put.item(*name, AttributeValue::N("1".into())));
            put.item("pad", AttributeValue::S("x".repeat(350_000))).send().await.expect("a total");
        }
    };
    TENANT.scope("demo".into(), fill).await;
}

/// What a person is told, and the pages of names that were read for it.
async fn told(service: &Service, model: &Scripted, tool: &'static str, arguments: Value) -> (Value, usize) {
    service.wire.take();
    model.says(calls([(tool, arguments)]));
    let mut reply = service.who("demo", "me", "member").says("what about the harpsichord lesson, coffee 3?").await;
    let is_of_names = |call: &&Call| call.body["ExpressionAttributeValues"][":names"].is_object();
    let pages = service.wire.take().0.iter().filter(is_of_names).count();
    // They have a new id each time.
    ["id", "fingerprint"].iter().for_each(|name| drop(reply["proposal"][*name].take()));
    (reply, pages)
}

#[tokio::test]
async fn where_there_are_too_many_names_the_rows_are_read_by_day() {
    let (few, many) = (with_rows(600).await, with_rows(600).await);
    fill_names(&many.0).await;
    let lesson = "harpsichord lesson";
    for (tool, arguments) in [
        ("list_expenses", json!({ "words": lesson })),
        ("summarize_expenses", json!({ "by": "item" })),
        ("delete_expense", json!({ "description": lesson, "cost": "1.01" })),
        ("delete_expense", json!({ "description": "the coffee" })),
        ("propose_operations", json!({ "select": { "words": lesson } })),
    ] {
        let expected = told(&few.0, &few.1, tool, arguments.clone()).await;
        let (found, pages) = told(&many.0, &many.1, tool, arguments.clone()).await;
        assert_eq!((found, expected.1, pages), (expected.0, 1, 20), "{tool} {arguments}");
    }
    let (service, model) = started().await;
    let long = |n: i64| {
        let expense = Expense::of(&bought("Parcel", 100, n % 700, "me")).expect("an expense");
        Expense { notes: Some("n".repeat(2_500)), ..expense }.draft("me")
    };
    keep(&service, (0..2_000).map(long)).await;
    fill_names(&service).await;
    let (found, pages) = told(&service, &model, "list_expenses", json!({ "search": "parsel", "limit": 5 })).await;
    let headline = found["answer"].as_str().and_then(|answer| answer.lines().next());
    let expected = "Nothing matches “parsel” exactly. This is close: (I searched only a part of the names, and other words \
                    only in the newest expenses, because there are too many. Name days for older ones.)";
    assert_eq!((headline, pages), (Some(expected), 20));
}

#[tokio::test]
async fn where_there_are_too_many_groups_the_oldest_are_not_summed() {
    let (service, model) = started().await;
    let old = || (0..300).map(|n| bought("Harp", 100, 700 + n % 9, "me"));
    keep(&service, old().chain((0..20).map(|n| bought("Taxi", 200, n, "me")))).await;
    fill(&service, |n| format!("L#2025-11#E#me#GBP#aardvark{n:02}")).await;
    let (sums, _) = told(&service, &model, "get_balance", json!({})).await;
    let cut = "This counts only the newest expenses, because there are too many. Name fewer days. ";
    assert_eq!(sums["answer"], format!("{cut}You spent £40.00 in total: 20 expenses."));
    let page = service.person().get("/sums").await.body;
    assert_eq!((&page["isPartial"], &page["totals"][0]["amount"]), (&json!(true), &json!("40.00")), "{page}");
    let ids = service.person().ids_of_all_pages("/expenses?category=harp&limit=200").await;
    assert_eq!(ids.len(), 300);
}

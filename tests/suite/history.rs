//! What a page reads about the person: who they are, their conversations and what waits for their decision.

use std::{sync::Arc, time::Duration};

use http::StatusCode;
use serde_json::{Value, json};

use crate::harness::{
    Person, Response, Service, Setup,
    scripted::{Scripted, calls, text},
};

async fn service() -> Service {
    Setup::default().start().await
}

/// A message a second after the last one.
async fn say(person: &Person<'_>, service: &Service, conversation: &str, message: &str) -> Value {
    service.advance(Duration::from_secs(1));
    person.chat(json!({ "message": message, "conversationId": conversation })).await
}

async fn read(person: &Person<'_>, path: &str) -> Value {
    let Response { status, body, .. } = person.get(path).await;
    assert_eq!(status, StatusCode::OK, "{path}: {body}");
    body
}

/// One field of each item.
fn each<'v>(list: &'v Value, field: &str) -> Vec<&'v str> {
    list["items"].as_array().expect("items").iter().map(|item| item[field].as_str().expect("text")).collect()
}

#[tokio::test]
async fn a_person_learns_who_they_are_with_whom_and_what_applies() {
    let service = service().await;
    service.who("demo", "anna", "member").called("Anna").says("hello").await;
    let me = read(&service.who("demo", "ben", "viewer").called("Ben"), "/me").await;
    let expected = json!({
        "tenant": "demo", "user": "ben", "name": "Ben", "role": "viewer",
        "members": [{ "user": "anna", "name": "Anna" }, { "user": "ben", "name": "Ben" }],
        "currency": "GBP", "timezone": "UTC", "policy": "always", "kinds": ["expense"],
    });
    assert_eq!(me, expected);
    let alone = read(&service.who("other", "anna", "admin"), "/me").await;
    assert_eq!((&alone["name"], &alone["members"]), (&Value::Null, &json!([{ "user": "anna" }])));
}

#[tokio::test]
async fn conversations_come_newest_first_with_what_was_last_asked_for() {
    let service = service().await;
    let me = service.person();
    say(&me, &service, "a", "hello").await;
    say(&me, &service, "b#1", "coffee 3.50").await;
    say(&me, &service, "b#1", "yes").await;
    say(&me, &service, "a", &format!("how much did I spend {}", "and again ".repeat(9))).await;
    let title = "how much did I spend and again and again and again and again and again and…";
    let expected = json!({ "items": [
        { "id": "a", "lastAt": "2026-11-20T12:00:04Z", "title": title },
        { "id": "b#1", "lastAt": "2026-11-20T12:00:03Z", "title": "coffee 3.50" },
    ]});
    assert_eq!(read(&me, "/conversations").await, expected);
    for other in [service.who("demo", "ben", "admin"), service.who("other", "me", "admin")] {
        assert_eq!(read(&other, "/conversations").await, json!({ "items": [] }));
        assert_eq!(read(&other, "/conversations/a/turns").await, json!({ "items": [] }));
    }
}

#[tokio::test]
async fn pages_of_conversations_list_each_once_although_they_alternate() {
    let service = service().await;
    let me = service.person();
    for round in 0..3 {
        for id in ["a", "b", "c", "d", "e"] {
            say(&me, &service, id, &format!("hello {round}")).await;
        }
    }
    let (mut found, mut path) = (Vec::new(), "/conversations?limit=2".to_owned());
    loop {
        let page = read(&me, &path).await;
        found.push(each(&page, "id").concat());
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        path = format!("/conversations?limit=2&cursor={cursor}");
    }
    assert_eq!(found, ["ed", "cb", "a"]);
}

#[tokio::test]
async fn the_turns_of_a_conversation_come_newest_first_in_pages() {
    let service = service().await;
    let me = service.person();
    for n in 1..=5 {
        say(&me, &service, "a", &format!("hello {n}")).await;
        say(&me, &service, "b", "coffee 3").await;
    }
    let first = read(&me, "/conversations/a/turns?limit=3").await;
    assert_eq!(each(&first, "message"), ["hello 5", "hello 4", "hello 3"]);
    let cursor = first["nextCursor"].as_str().expect("a cursor");
    let rest = read(&me, &format!("/conversations/a/turns?limit=3&cursor={cursor}")).await;
    assert_eq!((each(&rest, "message"), rest.get("nextCursor")), (vec!["hello 2", "hello 1"], None));
    assert_eq!(read(&me, "/conversations/unknown/turns").await, json!({ "items": [] }));
}

#[tokio::test]
async fn a_turn_has_its_question_its_proposals_and_the_rows_it_listed() {
    let model = Arc::new(Scripted::default());
    let service = Setup::model(model.clone()).start().await;
    let me = service.person();
    let options = json!({ "questions": [{ "text": "Which one?", "options": ["tea", "coffee"], "missing": ["item"] }] });
    model.says(calls([("ask_questions", options)]));
    say(&me, &service, "a", "add something").await;
    model.says(calls([("add_expense", json!({ "item": "tea", "amount": "2" }))]));
    let proposal = say(&me, &service, "a", "tea 2").await["proposal"]["id"].clone();
    say(&me, &service, "a", "yes").await;
    model.says(calls([("list_expenses", json!({}))]));
    model.says(text("Here they are."));
    say(&me, &service, "a", "show them").await;

    let mut turns = read(&me, "/conversations/a/turns").await["items"].take();
    let turns = turns.as_array_mut().expect("turns");
    turns.reverse();
    let asked = &turns[0];
    assert_eq!(
        (&asked["question"], &asked["proposals"]),
        (&json!({ "text": "Which one?", "options": ["tea", "coffee"], "missing": ["item"] }), &json!([]))
    );
    for (n, message) in [(1, "tea 2"), (2, "yes")] {
        let turn = &turns[n];
        assert_eq!((&turn["message"], &turn["proposals"]), (&json!(message), &json!([proposal])), "{turn}");
        assert_eq!((turn.get("question"), turn.get("listed")), (None, None), "{turn}");
    }
    let listed = &turns[3];
    assert_eq!(listed["listed"], json!({ "kind": "expense", "ids": [1] }));
    assert_eq!((&listed["at"], &listed["answer"]), (&json!("2026-11-20T12:00:04Z"), &json!("Here they are.")));
}

#[tokio::test]
async fn a_turn_has_the_clients_message_id_and_tells_a_click_from_words() {
    let service = service().await;
    let me = service.person();
    let body = json!({ "message": "tea 2", "messageId": "m-1", "conversationId": "a" });
    let proposal = me.chat(body).await["proposal"].clone();
    service.advance(Duration::from_secs(1));
    let confirm = format!("/proposals/{}/confirm", proposal["id"].as_str().expect("an id"));
    let body = json!({ "fingerprint": proposal["fingerprint"], "messageId": "m-2" });
    assert_eq!(me.post(&confirm, body).await.status, StatusCode::OK);
    say(&me, &service, "a", "hello").await;
    let turns = read(&me, "/conversations/a/turns").await;
    let told: Vec<(&Value, &Value, Option<&Value>)> = turns["items"]
        .as_array()
        .expect("turns")
        .iter()
        .map(|turn| (&turn["message"], &turn["id"], turn.get("clicked")))
        .collect();
    let own = json!("1795176002000-00000000000000000000000000000003");
    let expected = [
        (&json!("hello"), &own, None),
        (&json!("Yes."), &json!("m-2"), Some(&json!(true))),
        (&json!("tea 2"), &json!("m-1"), None),
    ];
    assert_eq!(told, expected);
}

#[tokio::test]
async fn a_proposal_can_be_read_without_going_on_with_its_run() {
    let service = service().await;
    let me = service.person();
    service.fill(150).await;
    me.says("delete everything").await;
    service.grant(Duration::from_millis(7_900));
    let begun = me.post("/chat", json!({ "message": "yes" })).await;
    assert_eq!(begun.status, StatusCode::ACCEPTED, "{}", begun.body);
    service.grant(Duration::from_secs(25));
    let path = format!("/proposals/{}", begun.body["proposal"]["id"].as_str().expect("an id"));
    let seen = read(&me, &format!("{path}?run=false")).await;
    assert_eq!((&seen["state"], &seen["progress"]), (&json!("EXECUTING"), &begun.body["progress"]));
    assert_eq!(read(&me, &path).await["state"], "EXECUTED");
    assert_eq!(me.get(&format!("{path}?run=maybe")).await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn what_waits_is_listed_over_all_conversations_until_it_is_decided_or_expires() {
    let service = service().await;
    let (me, ben) = (service.person(), service.who("demo", "ben", "member"));
    let tea = say(&me, &service, "a", "tea 2").await["proposal"].clone();
    let cake = say(&me, &service, "b", "cake 4").await["proposal"].clone();
    let long: Vec<String> = (1..=60).map(|n| format!("thing number {n} {n}.50")).collect();
    let many = say(&me, &service, "b", &long.join("\n")).await["proposal"].clone();
    say(&ben, &service, "a", "bus 3").await;

    let waiting = read(&me, "/proposals?state=waiting").await;
    assert_eq!(each(&waiting, "id"), [&many, &cake, &tea].map(|proposal| proposal["id"].as_str().expect("an id")));
    assert_eq!(each(&waiting, "conversationId"), ["b", "b", "a"]);
    let mut view = waiting["items"][2].clone();
    view.as_object_mut().expect("an object").remove("conversationId");
    assert_eq!(view, tea);

    assert_eq!(me.decide(&tea, "approve").await.status, StatusCode::OK);
    assert_eq!(me.decide(&many, "reject").await.status, StatusCode::OK);
    assert_eq!(each(&read(&me, "/proposals?state=waiting").await, "id"), [cake["id"].as_str().expect("an id")]);
    service.advance(Duration::from_secs(25 * 3600));
    assert_eq!(read(&me, "/proposals?state=waiting").await, json!({ "items": [] }));
}

#[tokio::test]
async fn parameters_that_these_lists_do_not_have_are_refused_by_name() {
    let service = service().await;
    for (path, detail) in [
        ("/me?x=1", "There is no parameter \"x\" here, this address has none. Correct it or leave it out."),
        (
            "/conversations?page=2",
            "There is no parameter \"page\" here, only `cursor`, `limit`. Correct it or leave it out.",
        ),
        (
            "/conversations?limit=1&limit=2",
            "`limit` is a number and `cursor` a text, each at most once. Correct it or leave it out.",
        ),
        ("/conversations/a/turns?limit=101", "`limit` must be a number from 1 to 100. Correct it or leave it out."),
        ("/conversations/a/turns?cursor=7", "`cursor` is none that this list gave out. Correct it or leave it out."),
        ("/proposals", "`state` must be `waiting`: no other proposals are listed. Correct it or leave it out."),
    ] {
        let refused = service.person().get(path).await;
        assert_eq!((refused.status, &refused.body["detail"]), (StatusCode::BAD_REQUEST, &json!(detail)), "{path}");
    }
}

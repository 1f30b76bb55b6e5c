//! The conversations of the README, word for word.

use std::time::Duration;

use aws_sdk_dynamodb::types::AttributeValue;
use rstest::rstest;
use sayso::{
    proposal::{Policy, hash_text},
    receipts,
};
use serde_json::{Value, json};

use crate::harness::{Service, Setup, bench::text, wire::TENANT};

fn items(rows: &[Value]) -> Vec<(&str, &str)> {
    rows.iter().map(|row| (row["item"].as_str().unwrap(), row["money"]["amount"].as_str().unwrap())).collect()
}

#[tokio::test]
async fn an_item_is_asked_for_proposed_confirmed_and_added() {
    let service = Setup::default().start().await;
    let me = service.person();

    let asked = me.says("I want to add an item").await;
    assert_eq!(asked["answer"], "What did you buy, and how much was it?");
    assert_eq!(asked["question"]["missing"], json!(["item", "amount"]));
    assert_eq!(asked["confirmationRequired"], false);

    let shown = me.says("electricity bill, £200").await;
    assert_eq!(shown["answer"], "Add “electricity bill”, £200.00, 20 Nov 2026? (yes / no)");
    assert_eq!(shown["confirmationRequired"], true);
    assert_eq!(shown["proposal"]["tool"], "add_expense");
    assert_eq!(shown["proposal"]["totals"], json!([{ "currency": "GBP", "amount": "200.00", "count": 1 }]));
    assert_eq!(shown["proposal"]["warnings"], json!([]));
    assert_eq!(me.rows().await, Vec::<Value>::new(), "a write waits for confirmation");

    let done = me.says("yes").await;
    assert_eq!(done["answer"], "Added “electricity bill”, £200.00, 20 Nov 2026 (#1).");
    let row = json!({
        "kind": "expense", "id": 1, "item": "electricity bill", "amount": 200, "currency": "GBP",
        "money": { "amount": "200.00", "currency": "GBP" },
        "date": "2026-11-20", "category": null, "notes": null, "owner": "me", "version": 1,
    });
    assert_eq!(done["added"], json!([row]));
    assert_eq!(done["receipt"]["proposalId"], shown["proposal"]["id"]);
    assert_eq!(me.rows().await, [row]);
}

#[tokio::test]
async fn several_expenses_in_one_message_are_one_proposal() {
    let service = Setup::default().start().await;
    let me = service.person();
    let shown = me.says("coffee 3.50 yesterday and lunch 12 today").await;
    assert_eq!(
        shown["answer"],
        "Add 2 expenses, £15.50? (yes / no)\n1. “coffee”, £3.50, 19 Nov 2026\n2. “lunch”, £12.00, 20 Nov 2026"
    );
    let done = me.says("Yes!").await;
    assert_eq!(
        done["answer"],
        "Added 2 expenses, £15.50:\n#1 “coffee”, £3.50, 19 Nov 2026\n#2 “lunch”, £12.00, 20 Nov 2026"
    );
    assert_eq!(items(&me.rows().await), [("lunch", "12.00"), ("coffee", "3.50")]);
}

#[tokio::test]
async fn a_list_of_lines_is_several_expenses() {
    let service = Setup::default().start().await;
    let shown = service.person().says("- lunch 12\n- coffee 5 yesterday\n").await;
    assert_eq!(
        shown["answer"],
        "Add 2 expenses, £17.00? (yes / no)\n1. “lunch”, £12.00, 20 Nov 2026\n2. “coffee”, £5.00, 19 Nov 2026\n\
         Assumed: the date of “lunch”, 20 Nov 2026"
    );
}

#[tokio::test]
async fn a_category_without_rows_is_reported_as_missing() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("uber 9").await;
    me.says("yes").await;
    let none = "There is no expense in the category “taxis”, and none with that name.";
    assert_eq!(me.answer("how much on taxis?").await, none);
    assert_eq!(me.answer("how much on uber?").await, "You spent £9.00 on “uber” in total: 1 expense.");
    assert_eq!(me.says("show uber").await["listed"][0]["id"], 1);
}

#[tokio::test]
async fn totals_are_per_currency_and_never_summed_together() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("coffee 3.50 yesterday and lunch 12 today").await;
    me.says("yes").await;
    me.says("taxi €20 today").await;
    me.says("yes").await;
    let reply = me.says("how much did I spend this month?").await;
    assert_eq!(reply["answer"], "You spent €20.00 and £15.50 in November 2026: 3 expenses.");
    assert_eq!(
        reply["totals"],
        json!([{ "currency": "EUR", "amount": "20.00", "count": 1 }, { "currency": "GBP", "amount": "15.50", "count": 2 }])
    );
    assert_eq!(reply.get("balance"), None, "one number for two currencies would be wrong");
    let one = me.says("how much did I spend yesterday?").await;
    assert_eq!((one["balance"].clone(), one["count"].clone()), (json!(3.5), json!(1)));
}

#[tokio::test]
async fn a_delete_shows_the_row_and_no_changes_nothing() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("coffee 3.50 yesterday and lunch 12 today").await;
    me.says("yes").await;
    let before = me.rows().await;
    let shown = me.says("delete the coffee").await;
    assert_eq!(shown["answer"], "Delete #1 “coffee”, £3.50, 19 Nov 2026? (yes / no)");
    let refused = me.says("no").await;
    assert_eq!(refused["answer"], "OK, nothing was changed.");
    assert_eq!(me.rows().await, before);
    me.says("delete the coffee").await;
    let done = me.says("yes").await;
    assert_eq!(done["answer"], "Deleted #1 “coffee”, £3.50, 19 Nov 2026.");
    assert_eq!(items(&me.rows().await), [("lunch", "12.00")]);
}

#[tokio::test]
async fn uncategorised_means_rows_without_a_category() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("coffee 3.50 and lunch 12").await;
    me.says("yes").await;
    me.says("set category of #1 to food").await;
    me.says("yes").await;
    let list = |category: &'static str| async move {
        let listed = me.get(&format!("/expenses?category={category}")).await.body["items"].clone();
        listed.as_array().unwrap().iter().map(|row| row["id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(list("food").await, [json!(1)]);
    assert_eq!(list("uncategorised").await, [json!(2)]);
    assert_eq!(
        me.answer("how much on food this month?").await,
        "You spent £3.50 on food in November 2026: 1 expense. One expense without a category is not counted."
    );
    assert_eq!(
        me.answer("how much on uncategorised this month?").await,
        "You spent £12.00 on uncategorised in November 2026: 1 expense."
    );
}

#[tokio::test]
async fn an_update_shows_the_changed_fields() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("coffee 3.50").await;
    me.says("yes").await;
    let shown = me.says("change #1 to 4.20").await;
    assert_eq!(shown["answer"], "Change #1 “coffee”, £3.50, 20 Nov 2026: amount £3.50 → £4.20? (yes / no)");
    let done = me.says("go ahead").await;
    assert_eq!(done["updated"][0]["money"]["amount"], "4.20");
    assert_eq!(done["updated"][0]["version"], 2);
    assert_eq!(me.answer("how much did I spend today?").await, "You spent £4.20 on 20 Nov 2026: 1 expense.");
}

#[tokio::test]
async fn a_description_of_several_rows_is_asked_about() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("coffee 3.50 yesterday and coffee 4 today").await;
    me.says("yes").await;
    let asked = me.says("delete the coffee").await;
    assert_eq!(
        asked["question"],
        json!({
            "text": "Which “coffee” do you mean?",
            "options": ["#2 “coffee”, £4.00, 20 Nov 2026", "#1 “coffee”, £3.50, 19 Nov 2026"],
            "missing": ["expense"],
        })
    );
    let shown = me.says("#1").await;
    assert_eq!(shown["answer"], "Delete #1 “coffee”, £3.50, 19 Nov 2026? (yes / no)");
}

#[tokio::test]
async fn risky_adds_a_fully_stated_expense_at_once_and_only_once() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    let said = json!({ "message": "Add electricity bill £200 today", "messageId": "m-1" });
    let first = me.chat(said.clone()).await;
    assert_eq!(first["answer"], "Added “electricity bill”, £200.00, 20 Nov 2026 (#1).");
    for _ in 0..5 {
        assert_eq!(me.chat(said.clone()).await, first, "a retry gets the same reply");
    }
    assert_eq!(items(&me.rows().await), [("electricity bill", "200.00")]);

    // Without a message id the duplicate guard works for five minutes. After that the row itself is found.
    for wait in [0, 299, 2] {
        service.advance(Duration::from_secs(wait));
        let again = me.says("Add electricity bill £200 today").await;
        assert_eq!(again["confirmationRequired"], true);
        assert_eq!(again["proposal"]["warnings"][0]["kind"], "possible_duplicate");
    }
    assert_eq!(me.rows().await.len(), 1);
}

#[tokio::test]
async fn risky_makes_everything_else_wait() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    me.says("Add coffee 3.50 today").await;
    assert_eq!(me.rows().await.len(), 1);
    for message in ["lunch 12 and tea 2", "delete the coffee", "change #1 to 4", "add car £9,500.00"] {
        let shown = me.says(message).await;
        assert_eq!(shown["confirmationRequired"], true, "{message}: {shown}");
        me.says("no").await;
    }
    for _ in 0..4 {
        me.says("no").await;
    }
    assert_eq!(items(&me.rows().await), [("coffee", "3.50")]);
}

#[tokio::test]
async fn never_executes_one_row_at_once_but_several_wait() {
    let service = Setup::policy(Policy::Never).start().await;
    let me = service.person();
    assert_eq!(me.answer("coffee 3.50").await, "Added “coffee”, £3.50, 20 Nov 2026 (#1).");
    assert_eq!(me.answer("delete the coffee").await, "Deleted #1 “coffee”, £3.50, 20 Nov 2026.");
    assert_eq!(me.says("tea 2 and cake 3").await["confirmationRequired"], true);
}

#[tokio::test]
async fn a_repeated_message_is_one_turn_and_its_id_cannot_be_used_for_another() {
    let service = Setup::default().start().await;
    let me = service.person();
    let said = json!({ "message": "coffee 3.50", "messageId": "m-1" });
    let first = me.chat(said.clone()).await;
    assert_eq!(me.chat(said).await, first);
    let other = me.post("/chat", json!({ "message": "coffee 4.50", "messageId": "m-1" })).await;
    assert_eq!(
        (other.status.as_u16(), other.body["type"].clone()),
        (422, json!("urn:sayso:problem:message-id-reused"))
    );
}

#[tokio::test]
async fn a_message_id_whose_claim_is_gone_repeats_the_same_message_and_executes_another_one() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    let say = |message: &str| json!({ "message": message, "messageId": "m-1" });
    let first = me.chat(say("coffee 3.50")).await;
    for (message, rows) in [
        ("coffee 3.50", &[("coffee", "3.50")][..]),
        ("lunch 12", &[("lunch", "12.00"), ("coffee", "3.50")]),
        ("coffee 3.50", &[("lunch", "12.00"), ("coffee", "3.50")]),
    ] {
        let claim = service.store.client().delete_item().table_name("sayso");
        let claim = claim.key("pk", AttributeValue::S("T#demo#C".into()));
        let claim = claim.key("sk", AttributeValue::S(format!("me#default#M#{}", hash_text("m-1"))));
        TENANT.scope("demo".into(), claim.send()).await.expect("the claim lapses");
        let reply = me.chat(say(message)).await;
        assert_eq!(items(&me.rows().await), rows, "{message}: {reply}");
        let is_repeated = reply["receipt"]["proposalId"] == first["receipt"]["proposalId"];
        assert_eq!(is_repeated, message == "coffee 3.50", "{reply}");
    }
}

#[tokio::test]
async fn what_an_answer_showed_counts_where_the_client_shows_that_answer() {
    for (told, is_known) in [(None, true), (Some("Added “tea”, £2.00, 20 Nov 2026 (#9)."), false)] {
        let service = Setup::default().start().await;
        let me = service.person();
        me.says("coffee 3.50").await;
        let added = me.says("yes").await;
        let told = told.map_or_else(|| added["answer"].clone(), |told| json!(told));
        let history = json!([{ "role": "user", "content": "yes" }, { "role": "assistant", "content": told }]);
        let changed = me.chat(json!({ "message": "make it 4", "history": history })).await;
        assert_eq!(changed.get("proposal").is_some(), is_known, "{told}: {changed}");
    }
}

/// Writes a text into the items of a partition whose sort key has `part`.
async fn spoil(service: &Service, partition: &str, part: &str, field: &str, value: &str) {
    let client = service.store.client();
    let query = client.query().table_name("sayso").key_condition_expression("pk = :pk");
    let query = query.expression_attribute_values(":pk", AttributeValue::S(partition.into()));
    let mut items = TENANT.scope("demo".into(), query.send()).await.expect("items").items.expect("items");
    items.retain(|item| text(item, "sk").contains(part));
    assert!(!items.is_empty(), "{part}");
    for mut item in items {
        item.insert(field.into(), AttributeValue::S(value.into()));
        let put = client.put_item().table_name("sayso").set_item(Some(item));
        TENANT.scope("demo".into(), put.send()).await.expect("written");
    }
}

#[tokio::test]
async fn a_turn_that_cannot_be_read_ends_no_conversation_and_a_yes_after_it_is_asked_back() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("coffee 3.50").await;
    service.advance(Duration::from_secs(1));
    me.says("how much did I spend?").await;
    let turn = format!("T#{:015}", 1_795_176_001_000_u64);
    spoil(&service, "T#demo#C", &turn, "outcome", r#""paid""#).await;
    let shown = me.says("yes").await;
    assert_eq!(shown["answer"], "Do you mean this?\nAdd “coffee”, £3.50, 20 Nov 2026? (yes / no)");
    assert_eq!(me.answer("yes").await, "Added “coffee”, £3.50, 20 Nov 2026 (#1).");
}

#[rstest]
#[tokio::test]
async fn a_yes_beside_a_waiting_proposal_that_cannot_be_read_is_asked_back(
    #[values("coffee", "tea")] unread: &str,
    #[values("yes", "yes, and lunch 12", "yes to the coffee")] said: &str,
) {
    let service = Setup::default().start().await;
    let me = service.person();
    let mut ids = Vec::new();
    for message in ["coffee 3.50", "tea 2"] {
        ids.push(me.says(message).await["proposal"]["id"].as_str().expect("an id").to_owned());
        service.advance(Duration::from_secs(1));
    }
    let (spoiled, other) =
        if unread == "coffee" { (&ids[0], "“tea”, £2.00") } else { (&ids[1], "“coffee”, £3.50") };
    spoil(&service, "T#demo#C", &format!("#{spoiled}"), "changes", "{").await;
    let asked = me.says(said).await;
    assert_eq!(me.rows().await, Vec::<Value>::new(), "{}", asked["answer"]);
    if said == "yes" {
        let which = format!(
            "Something else waits too, but what is stored of it cannot be read. Yes to which one? Say a number, or \
             “all”.\n1. Add {other}, 20 Nov 2026"
        );
        assert_eq!(asked["answer"], which);
        assert_eq!(
            me.answer("1").await,
            format!("Added {other}, 20 Nov 2026 (#{}).", if unread == "coffee" { 2 } else { 1 })
        );
    }
}

#[tokio::test]
async fn what_waits_and_cannot_be_shown_hides_nothing_else() {
    let service = Setup::default().start().await;
    let me = service.person();
    let mut ids = Vec::new();
    for message in ["budget £200 a month for food", "yes", "coffee 3.50", "tea 2"] {
        ids.push(me.says(message).await["proposal"]["id"].clone());
        service.advance(Duration::from_secs(1));
    }
    let coffee = ids[2].as_str().expect("an id");
    spoil(&service, "T#demo#C", &format!("#{coffee}"), "body", "{").await;
    spoil(&service, "T#demo#P", &format!("P#{coffee}"), "state", "PAID").await;
    let unreadable = |id: &Value, at: &str| {
        json!({
            "id": id, "conversationId": "default", "shownAt": at,
            "unreadable": "What is stored of this proposal cannot be read, so it can be neither shown nor approved. \
                           Nothing of it was written. Say it again if you still want it, and tell the people who run \
                           this service.",
        })
    };
    let coffee = unreadable(&ids[2], "2026-11-20T12:00:02Z");
    let waiting = me.get("/proposals?state=waiting").await.body;
    assert_eq!((&waiting["items"][0]["id"], &waiting["items"][0].get("unreadable")), (&ids[3], &None), "{waiting}");
    assert_eq!(waiting["items"].as_array().map(|items| &items[1..]), Some(&[coffee.clone()][..]));

    // A program without the toolkit of their kinds.
    let without = Setup { toolkits: vec![receipts::toolkit()], ..Setup::default() }.after(&service);
    let tea = unreadable(&ids[3], "2026-11-20T12:00:03Z");
    for (path, items) in [("/proposals?state=waiting", json!([tea, coffee])), ("/preferences", json!([]))] {
        let listed = without.person().get(path).await;
        assert_eq!((listed.status.as_u16(), listed.body), (200, json!({ "items": items })), "{path}");
    }
    // It is gone when it expires.
    service.advance(Duration::from_secs(3_600 * 24 * 8));
    assert_eq!(me.get("/proposals?state=waiting").await.body, json!({ "items": [] }));
}

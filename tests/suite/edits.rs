//! Edits by form: a new revision replaces the shown proposal, and an approval of the old one is refused.

use std::sync::Arc;

use aws_sdk_dynamodb::types::AttributeValue;
use serde_json::{Value, json};

use crate::harness::{
    Person, Response, Service, Setup,
    bench::text,
    scripted::{Scripted, calls},
    wire::TENANT,
};

async fn edit(me: &Person<'_>, proposal: &Value, change: Value) -> Response {
    let mut confirm =
        json!({ "proposalId": proposal["id"], "fingerprint": proposal["fingerprint"], "decision": "edit" });
    confirm.as_object_mut().expect("an object").extend(change.as_object().expect("an object").clone());
    me.post("/chat", json!({ "confirm": confirm })).await
}

fn detail(response: &Response) -> (u16, &str) {
    (response.status.as_u16(), response.body["detail"].as_str().expect("a problem"))
}

#[tokio::test]
async fn an_edit_makes_a_waiting_revision_that_replaces_the_proposal() {
    let service = Setup::default().start().await;
    let me = service.person();
    let shown = me.says("add coffee 3.50").await["proposal"].clone();
    let edited = edit(&me, &shown, json!({ "edits": { "1": { "amount": "4.20", "date": "yesterday" } } })).await.body;
    assert_eq!(edited["answer"], "Add “coffee”, £4.20, 19 Nov 2026? (yes / no)");
    assert_eq!(edited["confirmationRequired"], true);
    assert_ne!(edited["proposal"]["fingerprint"], shown["fingerprint"]);
    assert_eq!(me.rows().await, Vec::<Value>::new());

    let old = me.decide(&shown, "approve").await;
    assert_eq!(detail(&old), (409, "There is a newer version of this. Say yes or no to that one."));
    let done = me.says("yes").await;
    assert_eq!(done["answer"], "Added “coffee”, £4.20, 19 Nov 2026 (#1).");
    let again = edit(&me, &shown, json!({ "edits": { "1": { "amount": "5" } } })).await;
    assert_eq!(again.status.as_u16(), 409);
    assert_eq!(me.rows().await.len(), 1);
}

#[tokio::test]
async fn excluded_lines_are_left_out_and_the_rest_waits() {
    let service = Setup::default().start().await;
    let me = service.person();
    let shown = me.says("add coffee 3.50, lunch 12 and tea 2").await["proposal"].clone();
    let edited = edit(&me, &shown, json!({ "exclude": [2], "edits": { "3": { "item": "green tea" } } })).await.body;
    let texts: Vec<&Value> =
        edited["proposal"]["operations"].as_array().expect("operations").iter().map(|line| &line["text"]).collect();
    assert_eq!(texts, ["“coffee”, £3.50, 20 Nov 2026", "“green tea”, £2.00, 20 Nov 2026"]);
    assert_eq!(edited["proposal"]["totals"], json!([{ "currency": "GBP", "amount": "5.50", "count": 2 }]));
    me.decide(&edited["proposal"], "approve").await;
    assert_eq!(me.rows().await.len(), 2);
}

#[tokio::test]
async fn the_number_of_a_row_is_not_that_of_a_line() {
    let model = Arc::new(Scripted::default());
    let service = Setup::model(Arc::clone(&model) as _).start().await;
    let me = service.person();
    let add = |item: &str, amount: &str| ("add_expense", json!({ "item": item, "amount": amount }));
    model.says(calls([add("coffee", "3"), add("lunch", "9")]));
    let shown = me.says("coffee 3 and lunch 9").await;
    let leave_out = || calls([("revise_proposal", json!({ "exclude": [1] }))]);
    model.says(leave_out());
    let asked = me.says("leave out #1").await;
    let question = "#1 would be the number of a stored row, and this is none. Which line do you mean? Say it like \
                    “without line 1”.";
    assert_eq!(asked["answer"], json!(format!("{question}\n{}", shown["answer"].as_str().expect("an answer"))));
    model.says(leave_out());
    assert_eq!(me.answer("leave out 1").await, "Add “lunch”, £9.00, 20 Nov 2026? (yes / no)");
}

#[tokio::test]
async fn a_change_is_edited_against_the_row_as_it_was_shown() {
    let service = Setup::default().start().await;
    let me = service.person();
    for message in ["add coffee 3.50", "yes"] {
        me.says(message).await;
    }
    let shown = me.says("change the coffee to 4").await["proposal"].clone();
    let edited = edit(&me, &shown, json!({ "edits": { "1": { "amount": "4.50" } } })).await.body;
    assert_eq!(edited["answer"], "Change #1 “coffee”, £3.50, 20 Nov 2026: amount £3.50 → £4.50? (yes / no)");
    me.says("yes").await;
    assert_eq!((&me.rows().await[0]["money"]["amount"], &me.rows().await[0]["version"]), (&json!("4.50"), &json!(2)));
}

#[tokio::test]
async fn an_edited_field_is_no_longer_assumed() {
    let model = Arc::new(Scripted::default());
    model.says(calls([("add_expense", json!({ "item": "coffee", "amount": "3.50" }))]));
    let service = Setup::model(model).start().await;
    let me = service.person();
    let shown = me.says("coffee").await["proposal"].clone();
    assert_eq!(shown["warnings"][0]["kind"], "assumed");
    let edited = edit(&me, &shown, json!({ "edits": { "1": { "amount": "4" } } })).await.body;
    assert_eq!(edited["proposal"]["warnings"], json!([]));
}

#[tokio::test]
async fn a_change_of_mind_as_text_makes_a_waiting_revision() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("add coffee 3.50").await;
    let edited = me.says("yes but make it 45").await;
    assert_eq!(edited["answer"], "Add “coffee”, £45.00, 20 Nov 2026? (yes / no)", "said, so not in doubt");
    let again = me.says("no, yesterday").await;
    assert_eq!(again["answer"], "Add “coffee”, £45.00, 19 Nov 2026? (yes / no)");
    let done = me.says("yes").await;
    assert_eq!(done["answer"], "Added “coffee”, £45.00, 19 Nov 2026 (#1).");

    me.says("add Uber to work 8, lunch 12 and Uber home 9").await;
    let rest = me.says("all except the Uber ones").await;
    assert_eq!(rest["answer"], "Add “lunch”, £12.00, 20 Nov 2026? (yes / no)");
    me.says("yes").await;
    assert_eq!(me.rows().await.len(), 2);
}

#[tokio::test]
async fn a_models_revision_must_follow_from_the_persons_words() {
    let model = Arc::new(Scripted::default());
    let revise = |fields: Value| calls([("revise_proposal", json!({ "edits": [{ "line": 1, "fields": fields }] }))]);
    model.says(calls([("add_expense", json!({ "item": "coffee", "amount": "3.50" }))]));
    model.says(revise(json!({ "amount": "45" })));
    model.says(revise(json!({ "amount": "46", "category": "treats" })));
    model.says(calls([("revise_proposal", json!({ "exclude": [4] }))]));
    let service = Setup::model(model).start().await;
    let me = service.person();
    me.says("coffee 3.50").await;
    let said = me.says("hm, rather 45").await;
    assert_eq!(said["answer"], "Add “coffee”, £45.00, 20 Nov 2026? (yes / no)");
    let invented = me.says("a bit more").await;
    let texts: Vec<&Value> =
        invented["proposal"]["warnings"].as_array().expect("warnings").iter().map(|note| &note["text"]).collect();
    assert_eq!(texts, ["the amount, £46.00", "the category, treats"]);
    assert!(me.answer("not the fourth").await.starts_with("There is no number 4"));
    assert_eq!(me.rows().await, Vec::<Value>::new());
}

#[tokio::test]
async fn another_message_is_answered_and_the_waiting_proposal_is_offered_again() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("add coffee 3.50").await;
    let one = me.answer("how much did I spend?").await;
    assert_eq!(one, "You spent nothing.\n\nStill waiting for your yes or no: add “coffee”, £3.50, 20 Nov 2026.");
    me.says("add tea 2").await;
    let two = me.answer("how much did I spend?").await;
    assert_eq!(
        two,
        "You spent nothing.\n\nStill waiting for your yes or no:\n\
         - add “coffee”, £3.50, 20 Nov 2026\n- add “tea”, £2.00, 20 Nov 2026"
    );
    assert_eq!(me.rows().await, Vec::<Value>::new());
}

#[tokio::test]
async fn without_a_waiting_proposal_nothing_can_be_revised() {
    let model = Arc::new(Scripted::default());
    model.says(calls([("revise_proposal", json!({ "exclude": [1] }))]));
    let service = Setup::model(model).start().await;
    let answer = service.person().answer("all except that").await;
    assert!(answer.starts_with("Nothing is waiting for your yes or no"), "{answer}");
}

#[tokio::test]
async fn an_edit_is_checked_for_doubts_again() {
    let service = Setup::default().start().await;
    let me = service.person();
    for message in ["add tea 2", "yes"] {
        me.says(message).await;
    }
    let warnings = |reply: &Value| -> Vec<Value> {
        reply["proposal"]["warnings"].as_array().expect("warnings").iter().map(|note| note["kind"].clone()).collect()
    };
    let shown = me.says("add laptop 3500").await;
    assert_eq!(warnings(&shown), ["unusual_amount"]);
    let usual = me.says("no, make it 35").await;
    assert_eq!(warnings(&usual), Vec::<Value>::new());
    let alike = edit(&me, &usual["proposal"], json!({ "edits": { "1": { "item": "tea", "amount": "2" } } })).await.body;
    assert_eq!(warnings(&alike), ["possible_duplicate"]);
    let much = edit(&me, &alike["proposal"], json!({ "edits": { "1": { "amount": "45000" } } })).await.body;
    assert_eq!(warnings(&much), ["unusual_amount"]);
}

#[tokio::test]
async fn an_unedited_assumption_stays_one() {
    let model = Arc::new(Scripted::default());
    model.says(calls([("add_expense", json!({ "item": "coffee", "amount": "3.50", "category": "treats" }))]));
    model.says(calls([("revise_proposal", json!({ "edits": [{ "line": 1, "fields": { "amount": "45" } }] }))]));
    let service = Setup::model(model).start().await;
    let me = service.person();
    me.says("coffee 3.50").await;
    let revised = me.says("yes but 45").await;
    assert_eq!(revised["proposal"]["warnings"], json!([{ "kind": "assumed", "text": "the category, treats" }]));
}

#[tokio::test]
async fn an_edit_back_to_the_stored_value_is_no_change() {
    let service = Setup::default().start().await;
    let me = service.person();
    for message in ["add coffee 3.50", "yes", "change the coffee to 4"] {
        me.says(message).await;
    }
    let answer = me.answer("no, 3.50").await;
    assert_eq!(
        answer,
        "Then nothing would change. Say “no” instead.\nChange #1 “coffee”, £3.50, 20 Nov 2026: amount £3.50 → £4.00? (yes / no)"
    );
}

#[tokio::test]
async fn a_change_of_mind_after_another_turn_shows_the_waiting_proposal_first() {
    let model = Arc::new(Scripted::default());
    model.says(calls([("add_expense", json!({ "item": "coffee", "amount": "3.50" }))]));
    model.says(crate::harness::scripted::text("Hello."));
    model.says(calls([("revise_proposal", json!({ "exclude": [1] }))]));
    let service = Setup::model(model).start().await;
    let me = service.person();
    me.says("coffee 3.50").await;
    me.says("hello").await;
    let answer = me.answer("leave the coffee out").await;
    assert!(answer.starts_with("Do you mean this?\nAdd “coffee”"), "{answer}");
}

#[tokio::test]
async fn an_edit_sent_again_after_it_was_approved_says_so() {
    let service = Setup::default().start().await;
    let me = service.person();
    let shown = me.says("add coffee 3.50").await["proposal"].clone();
    let confirm = json!({
        "proposalId": shown["id"], "fingerprint": shown["fingerprint"], "decision": "edit",
        "edits": { "1": { "amount": "4" } },
    });
    let body = json!({ "confirm": confirm, "messageId": "m1" });
    let first = me.chat(body.clone()).await;
    me.decide(&first["proposal"], "approve").await;
    let again = me.chat(body).await;
    assert_eq!((&again["confirmationRequired"], &again["receipt"]["replayed"]), (&json!(false), &json!(true)));
}

#[tokio::test]
async fn a_decision_route_decides_the_whole_proposal() {
    let service = Setup::default().start().await;
    let me = service.person();
    let shown = me.says("add coffee 3.50 and lunch 12").await["proposal"].clone();
    let path = format!("/proposals/{}/confirm", shown["id"].as_str().expect("an id"));
    for extra in [json!({ "exclude": [1] }), json!({ "edits": {} }), json!({ "decision": "reject" })] {
        let mut body = json!({ "fingerprint": shown["fingerprint"] });
        body.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
        assert_eq!(me.post(&path, body).await.status.as_u16(), 422, "{extra}");
    }
    assert_eq!(me.rows().await, Vec::<Value>::new());
}

#[tokio::test]
async fn an_invalid_edit_says_what_to_send_and_changes_nothing() {
    let service = Setup::default().start().await;
    let me = service.person();
    let shown = me.says("add coffee 3.50 and lunch 12").await["proposal"].clone();
    for (change, status, said) in [
        (json!({}), 422, "Say what to change. "),
        (json!({ "exclude": [3] }), 422, "There is no number 3. The numbers go from 1 to 2."),
        (json!({ "edits": { "0": {} } }), 422, "There is no number 0"),
        (json!({ "exclude": [1, 2] }), 422, "Then nothing would be left. Say “no” instead."),
        (json!({ "edits": { "1": { "amount": "3.50" } } }), 422, "It is already like that"),
        (json!({ "edits": { "1": { "amount": "0" } } }), 422, "Number 1: the amount must be more than zero"),
        (json!({ "edits": { "1": { "price": "5" } } }), 422, "Number 1: unknown field `price`"),
        (json!({ "edits": { "1": { "id": 7 } } }), 422, "Number 1: an expense has no `id`."),
        (json!({ "edits": { "1": { "on": "today" } } }), 422, "Number 1: an expense has no `on`."),
        (json!({ "edits": { "one": {} } }), 400, "`confirm.edits` must be an object whose names are numbers"),
        (json!({ "exclude": ["1"] }), 400, "`confirm.exclude` must be a list of numbers"),
    ] {
        let reply = edit(&me, &shown, change.clone()).await;
        let (found, text) = detail(&reply);
        assert!(found == status && text.starts_with(said), "{change}: {found} {text}");
    }
    let stranger = service.who("other", "eve", "admin");
    assert_eq!(edit(&stranger, &shown, json!({ "exclude": [1] })).await.status.as_u16(), 404);
    let viewer = service.who("demo", "vic", "viewer");
    assert_eq!(edit(&viewer, &shown, json!({ "exclude": [1] })).await.status.as_u16(), 403);
    let wrong = json!({ "id": shown["id"], "fingerprint": "0".repeat(64) });
    assert_eq!(edit(&me, &wrong, json!({ "exclude": [1] })).await.status.as_u16(), 422);
    assert_eq!(me.decide(&shown, "approve").await.status.as_u16(), 200, "it still waits as it was");
}

#[tokio::test]
async fn one_of_a_simultaneous_edit_and_approval_wins() {
    let service = Setup::default().start().await;
    let me = service.person();
    for n in 0..10 {
        let shown =
            me.chat(json!({ "message": "add coffee 3.50", "conversationId": format!("c{n}") })).await["proposal"]
                .clone();
        let before = me.rows().await.len();
        let (edited, approved) = tokio::join!(
            edit(&me, &shown, json!({ "edits": { "1": { "amount": "9" } } })),
            me.decide(&shown, "approve")
        );
        let rows = me.rows().await.len() - before;
        match (edited.status.as_u16(), approved.status.as_u16()) {
            (200, 409) => assert_eq!(rows, 0),
            (409, 200) => assert_eq!(rows, 1),
            other => panic!("{other:?}: {} {}", edited.body, approved.body),
        }
    }
}

#[tokio::test]
async fn an_edit_sent_twice_is_one_revision() {
    let service = Setup::default().start().await;
    let me = service.person();
    let shown = me.says("add coffee 3.50").await["proposal"].clone();
    let confirm = json!({
        "proposalId": shown["id"], "fingerprint": shown["fingerprint"], "decision": "edit",
        "edits": { "1": { "amount": "4" } },
    });
    let body = json!({ "confirm": confirm, "messageId": "m1" });
    let (first, second) = (me.chat(body.clone()).await, me.chat(body).await);
    assert_eq!(first["proposal"]["id"], second["proposal"]["id"]);
    assert_eq!(me.decide(&first["proposal"], "approve").await.status.as_u16(), 200);
    assert_eq!(me.rows().await.len(), 1);
}

#[tokio::test]
async fn what_an_administrator_edits_still_waits_for_the_person_who_asked() {
    let service = Setup::default().start().await;
    let (ann, boss) = (service.who("demo", "ann", "member"), service.who("demo", "boss", "admin"));
    let in_kitchen = |message: &str| json!({ "message": message, "conversationId": "kitchen" });
    let in_office = |message: &str| json!({ "message": message, "conversationId": "office" });
    let shown = ann.chat(in_kitchen("add coffee 3.50")).await["proposal"].clone();
    let body = json!({
        "conversationId": "office",
        "confirm": {
            "proposalId": shown["id"], "fingerprint": shown["fingerprint"], "decision": "edit",
            "edits": { "1": { "amount": "4" } },
        },
    });
    let edited = boss.chat(body).await;
    assert_eq!(edited["answer"], "Add “coffee”, £4.00, 20 Nov 2026? (yes / no)");
    assert_eq!(edited["conversationId"], "office", "the administrator's own conversation");
    let turns = turns(&service).await;
    assert_eq!(turns, ["ann#kitchen#T", "ann#kitchen#W", "boss#office#T"]);

    // A word of the administrator does not approve what waits for somebody else.
    boss.chat(in_office("yes")).await;
    assert_eq!(ann.rows().await, Vec::<Value>::new());
    // The person who asked sees the edit before a yes can mean it.
    let again = ann.chat(in_kitchen("yes")).await;
    assert_eq!((&again["proposal"]["id"], ann.rows().await.len()), (&edited["proposal"]["id"], 0), "{again}");
    let done = ann.chat(in_kitchen("yes")).await;
    assert_eq!((&done["receipt"]["executedBy"], &done["added"][0]["owner"]), (&json!("ann"), &json!("ann")), "{done}");
    assert_eq!(ann.rows().await[0]["money"]["amount"], "4.00");
}

/// The turns and waiting proposals of all conversations, without their times.
async fn turns(service: &Service) -> Vec<String> {
    let query = service.store.client().query().table_name("sayso").key_condition_expression("pk = :pk");
    let query = query.expression_attribute_values(":pk", AttributeValue::S("T#demo#C".into()));
    let items = TENANT.scope("demo".into(), query.send()).await.expect("items").items.unwrap_or_default();
    let parts = items.iter().map(|item| text(item, "sk").split('#').take(3).map(str::to_owned).collect::<Vec<_>>());
    let turns = parts.filter(|parts| parts[2] == "T" || parts[2] == "W");
    turns.map(|parts| parts.join("#")).collect()
}

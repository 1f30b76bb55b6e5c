//! What the person's own sentence does not state waits, however well the model's call fits its words.

use std::sync::Arc;

use rstest::rstest;
use sayso::{expenses, proposal::Policy, receipts, workspace};
use serde_json::{Value, json};

use crate::harness::{
    Service, Setup,
    scripted::{Scripted, calls, text},
};

/// Whether a change is done at once, or why it waits.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Then {
    Done,
    /// With these words among its warnings.
    Waits(&'static str),
}

use Step::{Adds, AddsAfterQuery, Asks, Queries};
use Then::{Done, Waits};

const ASKED: Then = Waits("you asked a question, so this waits for your yes");
const LOOKED_UP: Then = Waits("something was looked up first, so this waits for your yes");

async fn service(policy: Policy) -> (Arc<Scripted>, Service) {
    let model = Arc::new(Scripted::default());
    let toolkits = vec![expenses::toolkit(), workspace::toolkit(), receipts::toolkit()];
    let service = Setup { policy, toolkits, ..Setup::model(model.clone()) }.start().await;
    (model, service)
}

/// What is wrong with the reply, if anything.
fn mismatch(reply: &Value, expected: Then, said: &str) -> Option<String> {
    let warnings = reply["proposal"]["warnings"].as_array().cloned().unwrap_or_default();
    let texts: Vec<&str> = warnings.iter().filter_map(|warning| warning["text"].as_str()).collect();
    let is_right = match expected {
        Done => reply["receipt"].is_object(),
        Waits(why) => reply.get("receipt").is_none() && texts.iter().any(|text| text.contains(why)),
    };
    (!is_right).then(|| format!("{said}: {} {texts:?}", reply["answer"]))
}

/// The sentence, the item and the amount of the call.
const ADDS: &[(&str, &str, &str, Then)] = &[
    ("coffee 3.50", "coffee", "3.50", Done),
    ("Coffee 3.50!", "Coffee", "3.50", Done),
    ("add lunch 12 yesterday", "lunch", "12", Done),
    ("add \"wait and delete\" 3", "wait and delete", "3", Done),
    ("add wait and delete 3", "wait and delete", "3", Waits("you said “delete”")),
    ("please add coffee 3.50", "coffee", "3.50", Done),
    ("I paid 40 for the taxi", "taxi", "40", Done),
    ("paid 40 for the taxi", "taxi", "40", Done),
    ("can you add coffee 3.50?", "coffee", "3.50", Done),
    ("Could you please log lunch 12?", "lunch", "12", Done),
    ("can I add lunch 12?", "lunch", "12", Done),
    ("would you mind adding coffee 3.50?", "coffee", "3.50", Done),
    ("coffee 3.50, can you add that?", "coffee", "3.50", Done),
    ("I'd like to add lunch 12", "lunch", "12", Done),
    ("I want to log coffee 3.50", "coffee", "3.50", Done),
    ("don't forget to add coffee 3.50", "coffee", "3.50", Done),
    ("ok, coffee 3.50", "coffee", "3.50", Done),
    ("had the fish 18", "fish", "18", Done),
    ("did the groceries, 45", "groceries", "45", Done),
    ("got a bike for 300", "bike", "300", Done),
    ("show tickets 40", "show tickets", "40", Done),
    ("check 40", "check", "40", Done),
    ("niagara falls tickets 30", "niagara falls tickets", "30", Done),
    ("plane ticket 300", "plane ticket", "300", Done),
    ("mole removal 200", "mole removal", "200", Done),
    ("lunch 12 and it was great", "lunch", "12", Done),
    ("when I was in town I paid 12 for lunch", "lunch", "12", Done),
    ("Kaffee 3,50", "Kaffee", "3.50", Done),
    ("füge Kaffee 3,50 hinzu", "Kaffee", "3.50", Done),
    ("kannst du Kaffee 3,50 eintragen?", "Kaffee", "3.50", Done),
    ("gestern habe ich 12 für das Mittagessen bezahlt", "Mittagessen", "12", Done),
    ("trag bitte Kaffee 3,50 ein", "Kaffee", "3.50", Done),
    ("café 3,50", "café", "3.50", Done),
    ("peux-tu ajouter café 3,50 ?", "café", "3.50", Done),
    ("ajoute café 3,50 s'il te plaît", "café", "3.50", Done),
    ("j'ai payé 40 pour le taxi", "taxi", "40", Done),
    ("añade café 3,50", "café", "3.50", Done),
    ("¿puedes añadir café 3,50?", "café", "3.50", Done),
    ("pagué 40 por el taxi", "taxi", "40", Done),
    // Questions
    ("should I buy a bike for 300?", "bike", "300", ASKED),
    ("should I buy a bike for 300", "bike", "300", ASKED),
    ("what did I pay for lunch 12?", "lunch", "12", ASKED),
    ("did I pay 12 for lunch", "lunch", "12", ASKED),
    ("ok, did I pay 12 for lunch", "lunch", "12", ASKED),
    ("did you add lunch 12?", "lunch", "12", ASKED),
    ("is a coffee for 3.50 expensive?", "coffee", "3.50", ASKED),
    ("was the lunch 12", "lunch", "12", ASKED),
    ("coffee 3.50?", "coffee", "3.50", ASKED),
    ("add coffee 3.50?", "coffee", "3.50", ASKED),
    ("can I afford a bike for 300", "bike", "300", ASKED),
    ("can you tell me whether I paid 12 for lunch?", "lunch", "12", ASKED),
    ("how about lunch 12", "lunch", "12", ASKED),
    ("tell me how much lunch was, was it 12", "lunch", "12", ASKED),
    ("why is lunch 12", "lunch", "12", ASKED),
    ("soll ich das Fahrrad für 300 kaufen", "Fahrrad", "300", Waits("soll")),
    ("was habe ich für Mittagessen 12 bezahlt?", "Mittagessen", "12", ASKED),
    ("wie viel war Kaffee 3,50", "Kaffee", "3.50", ASKED),
    ("combien pour café 3,50", "café", "3.50", ASKED),
    ("est-ce que j'ai payé 40 pour le taxi ?", "taxi", "40", ASKED),
    ("dois-je acheter un vélo à 300", "vélo", "300", Waits("dois")),
    ("¿cuánto pagué por el taxi 40?", "taxi", "40", ASKED),
    ("debería comprar una bici por 300", "bici", "300", Waits("debería")),
    // Hypotheticals
    ("if I bought a bike for 300", "bike", "300", Waits("if")),
    ("suppose I buy a bike for 300", "bike", "300", Waits("suppose")),
    ("I would buy a bike for 300", "bike", "300", Waits("would")),
    ("maybe a bike for 300", "bike", "300", Waits("maybe")),
    ("planning to get a bike for 300", "bike", "300", Waits("planning")),
    ("thinking of a bike for 300", "bike", "300", Waits("thinking of")),
    ("I'm considering a bike for 300", "bike", "300", Waits("considering")),
    ("I might get a bike for 300", "bike", "300", Waits("might")),
    ("wenn ich ein Fahrrad für 300 kaufe", "Fahrrad", "300", Waits("enn")),
    ("vielleicht ein Fahrrad für 300", "Fahrrad", "300", Waits("ielleicht")),
    ("si j'achète un vélo à 300", "vélo", "300", Waits("i j'achète")),
    ("peut-être un vélo à 300", "vélo", "300", Waits("eut-être")),
    ("si compro una bici por 300", "bici", "300", Waits("i compro")),
    ("quizás una bici por 300", "bici", "300", Waits("uizás")),
    // Other verbs
    ("delete the coffee 3.50", "coffee", "3.50", Waits("you said “delete”")),
    ("please remove coffee 3.50", "coffee", "3.50", Waits("you said “remove”")),
    ("can you delete the coffee 3.50?", "coffee", "3.50", Waits("you said “delete”")),
    ("I want to delete the coffee 3.50", "coffee", "3.50", Waits("I want")),
    ("get rid of the coffee 3.50", "coffee", "3.50", Waits("you said “get rid of”")),
    ("cancel the coffee 3.50", "coffee", "3.50", Waits("you said “cancel”")),
    ("undo lunch 12", "lunch", "12", Waits("you said “undo”")),
    ("change lunch to 12", "lunch", "12", Waits("you said “change”")),
    ("update lunch 12", "lunch", "12", Waits("you said “update”")),
    ("find lunch 12", "lunch", "12", Waits("you said “find”")),
    ("show me lunch 12", "lunch", "12", Waits("you said “show”")),
    ("and delete the coffee 3.50", "coffee", "3.50", Waits("you said “delete”")),
    ("lösche den Kaffee 3,50", "Kaffee", "3.50", Waits("you said “lösche”")),
    ("den Kaffee 3,50 bitte löschen", "Kaffee", "3.50", Waits("you said “löschen”")),
    ("supprime le café 3,50", "café", "3.50", Waits("you said “supprime”")),
    ("borra el café 3,50", "café", "3.50", Waits("you said “borra”")),
    ("cambia el café a 3,50", "café", "3.50", Waits("you said “cambia”")),
    // Negations
    ("don't add coffee 3.50", "coffee", "3.50", Waits("don't")),
    ("please do not log lunch 12", "lunch", "12", Waits("not")),
    ("no need to add coffee 3.50", "coffee", "3.50", Waits("need to")),
    ("Kaffee 3,50 nicht eintragen", "Kaffee", "3.50", Waits("nicht")),
    ("n'ajoute pas le café 3,50", "café", "3.50", Waits("n'ajoute")),
    ("no añadas el café 3,50", "café", "3.50", Waits("no añadas")),
];

#[tokio::test]
async fn an_add_is_done_at_once_only_if_the_sentence_states_it() {
    let (model, service) = service(Policy::Risky).await;
    let mut wrong = Vec::new();
    for (n, (said, item, amount, expected)) in ADDS.iter().enumerate() {
        model.says(calls([("add_expense", json!({ "item": item, "amount": amount, "date": date_of(said) }))]));
        let tenant = format!("t{n}");
        let reply = service.who(&tenant, "me", "admin").says(said).await;
        wrong.extend(mismatch(&reply, *expected, said));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn date_of(said: &str) -> Option<&'static str> {
    let yesterday = ["yesterday", "gestern"].iter().any(|word| said.contains(word));
    yesterday.then_some("2026-11-19")
}

#[derive(Clone, Copy)]
enum Step {
    /// What the person says, what the model answers, and what happens.
    Asks(&'static str, &'static str),
    Queries(&'static str),
    Adds(&'static str, &'static str, &'static str, Then),
    /// The model looks at the rows first.
    AddsAfterQuery(&'static str, &'static str, &'static str, Then),
}

#[rstest]
#[case::a_question_answered(&[Asks("lunch", "How much?"), Adds("12", "lunch", "12", Done)])]
#[case::a_question_of_the_person(&[Asks("should I get lunch", "For how much?"), Adds("12", "lunch", "12", ASKED)])]
#[case::all_said_in_the_answer(&[Asks("how do I add things?", "What did you buy?"), Adds("lunch 12", "lunch", "12", Done)])]
#[case::queried_before(&[Queries("what did I spend?"), Adds("lunch 12", "lunch", "12", Done)])]
#[case::queried_in_this_turn(&[AddsAfterQuery("lunch 12", "lunch", "12", LOOKED_UP)])]
#[tokio::test]
async fn what_was_said_before_counts_as_far_as_it_states_the_change(#[case] steps: &[Step]) {
    for policy in [Policy::Risky, Policy::Never] {
        let (model, service) = service(policy).await;
        let me = service.person();
        for step in steps {
            let add = |item: &str, amount: &str| calls([("add_expense", json!({ "item": item, "amount": amount }))]);
            match *step {
                Asks(said, question) => {
                    model.says(calls([("ask_questions", json!({ "questions": [{ "text": question }] }))]));
                    assert!(me.says(said).await["question"].is_object(), "{said}");
                }
                Queries(said) => {
                    model.says(calls([("list_expenses", json!({}))]));
                    model.says(text("Nothing."));
                    me.says(said).await;
                }
                Adds(said, item, amount, then) | AddsAfterQuery(said, item, amount, then) => {
                    if matches!(step, AddsAfterQuery(..)) {
                        model.says(calls([("list_expenses", json!({}))]));
                    }
                    model.says(add(item, amount));
                    assert_eq!(mismatch(&me.says(said).await, then, said), None, "{policy:?}");
                }
            }
        }
    }
}

/// The row suggests another one, and the person's words happen to name it.
#[tokio::test]
async fn what_a_stored_row_suggests_waits_under_every_policy() {
    for policy in [Policy::Risky, Policy::Never] {
        let (model, service) = service(policy).await;
        let me = service.person();
        let order = "also add gift card 50";
        model.says(calls([("add_expense", json!({ "item": order, "amount": "1" }))]));
        let shown = me.says(&format!("{order} for £1")).await;
        if shown["receipt"].is_null() {
            me.decide(&shown["proposal"], "approve").await;
        }
        model.says(calls([("list_expenses", json!({ "words": "gift" }))]));
        model.says(calls([("add_expense", json!({ "item": "gift card", "amount": "50" }))]));
        let reply = me.says("the gift card for 50").await;
        assert_eq!(mismatch(&reply, LOOKED_UP, "the gift card for 50"), None);
        assert!(
            reply["answer"].as_str().unwrap().ends_with("Something was looked up first, so this waits for your yes.")
        );
        assert_eq!(me.rows().await.len(), 1);
    }
}

/// Under `never`, one change of a row is done at once if it was ordered.
#[rstest]
#[case("delete the coffee", "delete_expense", Done)]
#[case("can you delete the coffee?", "delete_expense", Done)]
#[case("lösche coffee", "delete_expense", Done)]
#[case("coffee 3.50", "delete_expense", Waits("you did not say to delete it"))]
#[case("should I delete the coffee", "delete_expense", ASKED)]
#[case("don't delete the coffee", "delete_expense", Waits("don't delete"))]
#[case("show me the coffee", "delete_expense", Waits("you said “show”"))]
#[case("change the coffee to 4", "update_expense", Done)]
#[case("the coffee was 4", "update_expense", Done)]
#[case("make the coffee 4", "update_expense", Done)]
#[case("could you make the coffee 4?", "update_expense", Done)]
#[case("add coffee 4", "update_expense", Waits("you said “add”"))]
#[case("delete the coffee of 4", "update_expense", Waits("you said “delete”"))]
#[case("was the coffee 4?", "update_expense", ASKED)]
#[tokio::test]
async fn under_never_a_row_is_changed_only_by_its_own_verb(
    #[case] said: &str,
    #[case] tool: &'static str,
    #[case] then: Then,
) {
    let (model, service) = service(Policy::Never).await;
    let me = service.person();
    model.says(calls([("add_expense", json!({ "item": "coffee", "amount": "3.50" }))]));
    me.says("coffee 3.50").await;
    let mut arguments = json!({ "id": 1 });
    if tool == "update_expense" {
        arguments["amount"] = json!("4");
    }
    model.says(calls([(tool, arguments)]));
    assert_eq!(mismatch(&me.says(said).await, then, said), None);
}

#[rstest]
#[case("buy milk", "add_task", json!({ "title": "buy milk" }), Done)]
#[case("task: ask Ana if she wants coffee", "add_task", json!({ "title": "ask Ana if she wants coffee" }), Done)]
#[case("remind me to cancel netflix", "add_task", json!({ "title": "cancel netflix" }), Done)]
#[case("should I buy milk", "add_task", json!({ "title": "buy milk" }), ASKED)]
#[case("delete buy milk", "add_task", json!({ "title": "buy milk" }), Waits("you said “delete”"))]
#[case("I called mum", "complete_tasks", json!({ "ids": [1] }), Waits("which task"))]
#[case("call mum is done", "complete_tasks", json!({ "ids": [1] }), Done)]
#[case("complete call mum", "complete_tasks", json!({ "ids": [1] }), Done)]
#[case("can you complete task #1?", "complete_tasks", json!({ "ids": [1] }), Done)]
#[case("could you start task #1?", "update_task", json!({ "which": { "id": 1 }, "change": { "status": "in_progress" } }), Done)]
#[case("did I complete task #1", "complete_tasks", json!({ "ids": [1] }), ASKED)]
#[case("if I complete task #1", "complete_tasks", json!({ "ids": [1] }), Waits("if"))]
#[case("delete task #1", "complete_tasks", json!({ "ids": [1] }), Waits("the status, completed"))]
#[tokio::test]
async fn a_kind_without_amounts_is_held_to_the_same(
    #[case] said: &str,
    #[case] tool: &'static str,
    #[case] arguments: Value,
    #[case] then: Then,
) {
    let (model, service) = service(Policy::Risky).await;
    let me = service.person();
    model.says(calls([("add_task", json!({ "title": "call mum" }))]));
    me.says("task: call mum").await;
    model.says(calls([(tool, arguments)]));
    assert_eq!(mismatch(&me.says(said).await, then, said), None);
}

/// The person's click is the intent: the words of the page are not read.
#[tokio::test]
async fn a_page_action_waits_for_its_own_yes_and_no_other_reason() {
    let (model, service) = service(Policy::Never).await;
    let me = service.person();
    model.says(calls([("add_expense", json!({ "item": "coffee", "amount": "3.50" }))]));
    let added = me.says("coffee 3.50").await;
    let undo = format!("/proposals/{}/undo", added["receipt"]["proposalId"].as_str().unwrap());
    let call = json!({ "confirm": { "tool": "delete_expense", "args": { "id": 1 } } });
    for (path, body) in [(undo.as_str(), json!({})), ("/chat", call)] {
        let shown = me.post(path, body).await.body;
        assert_eq!(
            (&shown["confirmationRequired"], &shown["proposal"]["warnings"]),
            (&json!(true), &json!([])),
            "{shown}"
        );
    }
}

/// The sentence, the item and the amount of the call. An amount that the words do not settle waits.
const PRICES: &[(&str, &str, &str, Then)] = &[
    ("I spent twelve fifty on lunch", "lunch", "12.50", Done),
    ("I spent twelve fifty on lunch", "lunch", "1250", Waits("the amount")),
    ("I spent twelve fifty on lunch", "lunch", "12", Waits("the amount")),
    ("I spent twelve fifty on lunch", "lunch", "50", Waits("the amount")),
    ("nineteen ninety nine for a book", "book", "19.99", Done),
    ("4 pounds 50 for an ice cream", "ice cream", "4.50", Done),
    ("4 pounds 50 for an ice cream", "ice cream", "4", Waits("the amount")),
    ("4 pounds 50 for an ice cream", "ice cream", "50", Waits("the amount")),
    ("ice cream 4 pounds 50", "ice cream", "4.50", Done),
    ("the window cleaner charged £25", "window cleaner", "25", Done),
    ("was charged 25 for the cleaner", "cleaner", "25", Done),
    ("Anna charged 25 for the cleaner", "cleaner", "25", Waits("you paid it")),
    ("two tickets at 9.50 each", "tickets", "19", Done),
    ("two tickets at 9.50 each", "tickets", "9.50", Waits("amount")),
    ("two tickets 9.50 each", "tickets", "19", Done),
    ("3 beers at 5.20", "beers", "15.60", Done),
    ("3 beers at 5.20", "beers", "5.20", Waits("whole price")),
    ("3 beers at 5.20", "beers", "10.40", Waits("the amount")),
    ("two tickets at 9.50 each", "tickets", "28.50", Waits("the amount")),
    ("the window cleaner charged £25", "window cleaner", "2.50", Waits("the amount")),
    ("3 beers at £5.20 each", "beers", "15.60", Done),
    ("I bought 3 beers at 5.20", "beers", "15.60", Done),
    ("3x coffee 2.50", "coffee", "7.50", Waits("")),
    ("4 bagels at 1.50 a piece", "bagels", "6", Done),
    ("3 beers £5 a pint", "beers", "15", Done),
    ("drei Bier zu 4", "Bier", "12", Done),
    ("trois bières à 4", "bières", "12", Done),
    ("tres cervezas a 4", "cervezas", "12", Done),
    ("bus 12 at 2.50", "bus 12", "30", Waits("the amount")),
    ("iPhone 12 cases at 5", "iPhone 12 cases", "60", Waits("the amount")),
    ("maybe 3 beers at 5.20", "beers", "15.60", Waits("maybe")),
    ("3 beers at around 5.20", "beers", "15.60", Waits("")),
    ("🍕 12", "🍕", "12", Done),
    ("pizza 🍕 12", "pizza", "12", Done),
];

#[rstest]
#[case("4 euros 50 for an ice cream", "4.50", "EUR", Done)]
#[case("4 euros 50 for an ice cream", "4.50", "GBP", Waits("the amount"))]
#[case("4 euros 50 for an ice cream", "4", "EUR", Waits("the amount"))]
#[case("4 euros 50 for an ice cream", "50", "EUR", Waits("the amount"))]
#[tokio::test]
async fn the_name_of_a_currency_is_its_decimal_mark(
    #[case] said: &str,
    #[case] amount: &str,
    #[case] currency: &str,
    #[case] then: Then,
) {
    let (model, service) = service(Policy::Risky).await;
    model.says(calls([("add_expense", json!({ "item": "ice cream", "amount": amount, "currency": currency }))]));
    assert_eq!(mismatch(&service.person().says(said).await, then, said), None);
}

#[tokio::test]
async fn an_amount_is_said_by_its_parts() {
    let (model, service) = service(Policy::Risky).await;
    let mut wrong = Vec::new();
    for (n, (said, item, amount, expected)) in PRICES.iter().enumerate() {
        model.says(calls([("add_expense", json!({ "item": item, "amount": amount }))]));
        let reply = service.who(&format!("t{n}"), "me", "admin").says(said).await;
        wrong.extend(mismatch(&reply, *expected, said));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

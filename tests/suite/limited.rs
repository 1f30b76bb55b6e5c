//! Limited mode: the language model fails, and the offline interpreter answers messages that it understands with
//! certainty.

use std::{sync::Arc, time::Duration};

use rstest::rstest;
use sayso::{
    model::{Completing, Model, ModelError, ModelRequest, offline::Offline},
    proposal::Policy,
};
use serde_json::{Value, json};

use crate::harness::{
    Service, Setup,
    scripted::{Scripted, calls},
};

const NOTICE: &str = "\n\n(Limited mode: the language model is not available right now. Simple sentences work, like \
                      “coffee 3.50 yesterday” or “how much this month”.)";

/// Fails in one way, or never answers.
struct Broken(Option<ModelError>);

impl Model for Broken {
    fn complete<'a>(&'a self, _: ModelRequest<'a>) -> Completing<'a> {
        let Broken(error) = self;
        match error.clone() {
            Some(error) => Box::pin(async { Err(error) }),
            None => Box::pin(std::future::pending()),
        }
    }
}

async fn without(model: impl Model + 'static) -> Service {
    let setup = Setup { fallback: Some(Arc::new(Offline)), budget: Duration::from_millis(900), ..Setup::default() };
    Setup { model: Arc::new(model), policy: Policy::Never, ..setup }.start().await
}

#[rstest]
#[case::down(Some(ModelError::Unavailable("it cannot be reached")))]
#[case::without_credit(Some(ModelError::OutOfCredit))]
#[case::busy(Some(ModelError::Busy { retry_after: Duration::from_secs(60) }))]
#[case::without_its_key(Some(ModelError::NoKey("refused")))]
#[case::hanging(None)]
#[tokio::test]
async fn a_plain_sentence_is_understood_without_the_model(#[case] error: Option<ModelError>) {
    let service = without(Broken(error)).await;
    let me = service.person();

    let shown = me.says("coffee 3.50").await;
    let question = format!("Add “coffee”, £3.50, 20 Nov 2026? (yes / no){NOTICE}");
    assert_eq!((&shown["answer"], &shown["limited"]), (&json!(question), &json!(true)), "it waits whatever the policy");
    let done = me.says("yes").await;
    let told = "Added “coffee”, £3.50, 20 Nov 2026 (#1).";
    assert_eq!((&done["answer"], done.get("limited")), (&json!(told), None), "a yes needs no model");

    let balance = me.says("how much today?").await;
    let told = format!("You spent £3.50 on 20 Nov 2026: 1 expense.{NOTICE}");
    assert_eq!((&balance["answer"], &balance["balance"]), (&json!(told), &json!(3.5)));
    let asked = me.says("add lunch").await;
    let question = format!("How much did you pay for lunch?{NOTICE}");
    assert_eq!((&asked["answer"], &asked["question"]["missing"]), (&json!(question), &json!(["amount"])));
    let shown = me.says("12").await;
    assert_eq!(shown["answer"], format!("Add “lunch”, £12.00, 20 Nov 2026? (yes / no){NOTICE}"));
}

#[tokio::test]
async fn an_uncertain_message_is_asked_to_be_sent_again_later() {
    let error = ModelError::Busy { retry_after: Duration::from_secs(60) };
    let service = without(Broken(Some(error))).await;
    for message in ["what do you make of all this?", "hello", "tell me a story about a dragon"] {
        let reply = service.person().post("/chat", json!({ "message": message })).await;
        let retry = reply.headers.get("retry-after").map(|value| value.to_str().expect("text"));
        assert_eq!((reply.status.as_u16(), retry), (503, Some("60")), "{message}: {}", reply.body);
    }
}

#[tokio::test]
async fn the_model_answers_again_once_it_is_back() {
    let model = Arc::new(Scripted::default());
    model.says(calls([("add_expense", json!({ "item": "tea", "amount": "2" }))]));
    let setup = Setup { fallback: Some(Arc::new(Offline)), ..Setup::model(model) };
    let shown = setup.start().await.person().says("tea was 2").await;
    assert_eq!((&shown["answer"], shown.get("limited")), (&json!("Add “tea”, £2.00, 20 Nov 2026? (yes / no)"), None));
}

#[tokio::test]
async fn the_same_message_sent_again_gets_the_same_limited_answer() {
    let service = without(Broken(Some(ModelError::OutOfCredit))).await;
    let me = service.person();
    let message = json!({ "message": "coffee 3.50", "messageId": "m1" });
    let (first, again): (Value, Value) = (me.chat(message.clone()).await, me.chat(message).await);
    assert_eq!(first["limited"], true);
    assert_eq!(first, again);
}

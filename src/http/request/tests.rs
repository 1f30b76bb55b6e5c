//! What request bodies mean, and the reasons for refused ones.

use axum::http::HeaderValue;
use serde_json::json;

use super::*;

const PROPOSAL: &str = "0123456789abcdef0123456789abcdef";

fn registry() -> Registry {
    Registry::new(|| std::time::Duration::ZERO, &[crate::expenses::toolkit()]).unwrap()
}

fn read(body: Value) -> Result<TurnInput, RequestError> {
    chat(body.as_object().unwrap(), &HeaderMap::new(), &registry())
}

fn malformed(detail: &str) -> Result<TurnInput, RequestError> {
    Err(RequestError::Field(FieldError::Malformed(detail.into())))
}

fn saying(text: &str) -> TurnInput {
    TurnInput {
        conversation: "default".into(),
        message_id: None,
        input: Input::Message(text.into()),
        history: None,
        user_context: UserContext::default(),
        filters: Map::new(),
        scope: None,
    }
}

#[test]
fn a_message_is_enough_and_unknown_fields_are_ignored() {
    assert_eq!(read(json!({"message": " coffee\u{202e} 3.50 ", "state": 7, "tenant": "x"})), Ok(saying("coffee 3.50")));
    assert_eq!(read(json!({"question": "coffee 3.50", "message": null})), Ok(saying("coffee 3.50")));
    assert_eq!(read(json!({"question": "lunch", "message": "coffee 3.50"})), Ok(saying("coffee 3.50")));
}

#[test]
fn a_request_without_a_message_is_malformed() {
    let nothing = "the message is missing. Send `message` with some text, or `confirm`";
    for body in [
        json!({}),
        json!({"message": "\u{200b} \n"}),
        json!({"history": []}),
        json!({"history": [{"role": "assistant", "content": "hi"}]}),
    ] {
        assert_eq!(read(body), malformed(nothing));
    }
}

#[test]
fn the_last_user_turn_is_the_message_and_is_not_repeated() {
    let user = |text: &str| json!({"role": "user", "content": text});
    let assistant = json!({"role": "assistant", "content": "how much?"});
    let before = vec![Message::User("coffee".into()), Message::assistant("how much?")];
    let expected = TurnInput { history: Some(before), ..saying("3.50") };
    let turns = json!([user("coffee"), assistant, user("3.50")]);
    assert_eq!(read(json!({"history": turns})), Ok(expected.clone()));
    assert_eq!(read(json!({"history": turns, "message": "3.50"})), Ok(expected.clone()));
    assert_eq!(read(json!({"history": [user("coffee"), assistant], "message": "3.50"})), Ok(expected));
}

#[test]
fn a_wrong_type_names_its_field() {
    let cases = [
        (json!({"message": 7}), "`message` must be text"),
        (json!({"message": "x", "history": {}}), "`history` must be a list"),
        (json!({"message": "x", "history": ["x"]}), "`history[0]` must be an object"),
        (
            json!({"message": "x", "history": [{"role": "system", "content": "x"}]}),
            "`history[0].role` must be `user` or `assistant`",
        ),
        (json!({"message": "x", "conversationId": 1}), "`conversationId` must be text"),
        (
            json!({"message": "x", "conversationId": ""}),
            "`conversationId` must have 1 to 128 bytes and no control characters",
        ),
        (
            json!({"message": "x", "messageId": "a\u{0}"}),
            "`messageId` must have 1 to 128 bytes and no control characters",
        ),
        (json!({"message": "x", "userContext": {"timezone": 1}}), "`userContext.timezone` must be text"),
        (json!({"message": "x", "applyFiltersToQuery": "yes"}), "`applyFiltersToQuery` must be true or false"),
        (json!({"confirm": "yes"}), "`confirm` must be an object"),
        (json!({"confirm": {}}), "`confirm.decision` is missing"),
        (json!({"confirm": {"decision": "ok"}}), "`confirm.decision` must be `approve`, `reject`, `edit` or `stop`"),
        (json!({"confirm": {"tool": "add_expense", "args": 1}}), "`confirm.args` must be an object"),
    ];
    for (body, detail) in cases {
        assert_eq!(read(body), malformed(detail));
    }
}

#[test]
fn a_message_or_history_that_is_too_long_is_too_large() {
    let turn = json!({"role": "user", "content": "x"});
    for body in [
        json!({"message": "x".repeat(MAX_MESSAGE + 1)}),
        json!({"history": [{"role": "user", "content": "x".repeat(MAX_MESSAGE + 1)}]}),
        json!({"message": "x", "history": [{"role": "user", "content": "x".repeat(MAX_HISTORY_TURN + 1)}]}),
        json!({"message": "x", "history": vec![turn; MAX_HISTORY + 1]}),
    ] {
        assert!(matches!(read(body), Err(RequestError::Field(FieldError::TooLarge(_)))));
    }
    assert!(read(json!({"message": "é".repeat(MAX_MESSAGE)})).is_ok());
}

#[test]
fn a_decision_names_proposal_and_fingerprint() {
    let confirm =
        |decision: &str| json!({"confirm": {"proposalId": PROPOSAL, "fingerprint": "f", "decision": decision}});
    let id = ProposalId::parse(PROPOSAL).unwrap();
    let expected = |decision| Input::Decision { id: id.clone(), fingerprint: Fingerprint("f".into()), decision };
    assert_eq!(read(confirm("approve")).unwrap().input, expected(Decision::Approve));
    assert_eq!(read(confirm("reject")).unwrap().input, expected(Decision::Reject { reason: None }));
    assert!(matches!(read(confirm("edit")), Err(RequestError::Field(FieldError::Unprocessable(_)))));
    assert_eq!(read(confirm("stop")).unwrap().input, expected(Decision::Stop));
    let unnamed = json!({"confirm": {"proposalId": PROPOSAL, "decision": "approve"}});
    assert!(matches!(read(unnamed), Err(RequestError::Field(FieldError::Unprocessable(_)))));
    let elsewhere = json!({"confirm": {"proposalId": "../x", "fingerprint": "f", "decision": "approve"}});
    assert_eq!(read(elsewhere), Err(RequestError::NoSuchProposal));
    let partly =
        json!({"confirm": {"proposalId": PROPOSAL, "fingerprint": "f", "decision": "approve", "exclude": [1]}});
    assert!(matches!(read(partly), Err(RequestError::Field(FieldError::Unprocessable(_)))));
}

#[test]
fn a_legacy_confirmation_names_the_call() {
    let call = Call { tool: "add_expense".into(), arguments: json!({"item": "coffee"}) };
    let body = json!({"confirm": {"tool": "add_expense", "args": {"item": "coffee"}}});
    assert_eq!(read(body).unwrap().input, Input::Call(call));
}

#[test]
fn the_idempotency_key_is_the_message_id() {
    let body = |id: Value| json!({"message": "x", "messageId": id});
    let mut headers = HeaderMap::new();
    headers.insert("idempotency-key", HeaderValue::from_static("k1"));
    let read = |body: Value| chat(body.as_object().unwrap(), &headers, &registry()).map(|input| input.message_id);
    assert_eq!(read(body(Value::Null)), Ok(Some("k1".into())));
    assert_eq!(read(body(json!("k1"))), Ok(Some("k1".into())));
    assert!(matches!(read(body(json!("k2"))), Err(RequestError::Field(FieldError::Malformed(_)))));
}

#[test]
fn an_unknown_timezone_or_currency_is_named() {
    let context =
        |context: Value| read(json!({"message": "x", "userContext": context})).map(|input| input.user_context);
    let expected =
        UserContext { timezone: Some("Asia/Tokyo".into()), currency: Some("JPY".into()), locale: Some("ja".into()) };
    assert_eq!(context(json!({"timezone": "Asia/Tokyo", "currency": "jpy", "locale": "ja"})), Ok(expected));
    for (wrong, named) in [(json!({"timezone": "Mars/Base"}), "Mars/Base"), (json!({"currency": "XYZ"}), "XYZ")] {
        let Err(RequestError::Field(FieldError::Unprocessable(detail))) = context(wrong) else {
            panic!("{named} is refused")
        };
        assert!(detail.contains(named), "{detail}");
    }
}

#[test]
fn filters_count_only_when_applied() {
    let filters = |apply: bool, filters: Value| {
        read(json!({"message": "x", "activeFilters": filters, "applyFiltersToQuery": apply})).map(|input| input.filters)
    };
    let food = json!({"category": "food", "range": null});
    assert_eq!(filters(true, food.clone()).map(Value::Object), Ok(food));
    assert_eq!(filters(false, json!({"category": "food", "tag": 1})), Ok(Map::new()));
    let wrong = filters(false, json!({"currency": 1})).unwrap_err().to_string();
    assert_eq!(wrong, "`activeFilters.currency` must be text");
}

#[test]
fn an_invalid_filter_is_named() {
    let refused = |filters: Value| {
        let body = json!({"message": "x", "activeFilters": filters, "applyFiltersToQuery": true});
        read(body).unwrap_err().to_string()
    };
    let cases = [
        (
            json!({"tag": 1}),
            "`activeFilters` cannot have \"tag\". It can have `range`, `category`, `categories`, `words`, `minAmount`, \
             `maxAmount`, `moreThan`, `lessThan`, `currency`, `text`, `hasNotes`, `without`, `whose`",
        ),
        (json!({"range": {"from": "2026-11-01"}}), "`activeFilters.range.to` must be a date"),
        (json!({"categories": "food"}), "`activeFilters.categories` must be a list"),
        (json!({"categories": [1]}), "`activeFilters.categories` must be a list of text"),
        (
            json!({"categories": ["tea"], "category": "food"}),
            "send one of `activeFilters.category` and `activeFilters.categories`",
        ),
        (json!({"minAmount": "much"}), "`activeFilters.minAmount` must be an amount, like \"12.50\""),
        (json!({"hasNotes": "yes"}), "`activeFilters.hasNotes` must be true or false"),
        (json!({"text": "x".repeat(201)}), "`activeFilters.text` is longer than 200 characters. Send a shorter one"),
    ];
    for (filters, detail) in cases {
        assert_eq!(refused(filters), detail);
    }
}

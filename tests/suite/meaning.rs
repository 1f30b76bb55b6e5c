//! Searches by meaning: the results, the answer if the endpoint is missing or fails, and how vectors are made.

use std::{sync::Arc, time::Duration};

use sayso::{agent::SweepReport, expenses::ExpenseKind, proposal::Policy, tool::Search};
use serde_json::{Value, json};

use crate::harness::{
    Service, Setup,
    concepts::Concepts,
    scripted::{Scripted, calls, text},
    wire::Fate,
};

/// A service with an embeddings endpoint and some expenses.
async fn service() -> (Concepts, Service) {
    let concepts = Concepts::start().await;
    let service = Setup { embeddings: Some(concepts.client("m")), ..Setup::default() }.start().await;
    let me = service.person();
    for expense in [
        "chocolates 8 yesterday",
        "flowers 25 on 14 November",
        "tyres 200 on 2 October",
        "seeds 4 today",
        "wine 9 today",
    ] {
        me.says(expense).await;
        me.says("yes").await;
    }
    service.wire.take();
    (concepts, service)
}

/// The same after a first search and a sweep.
async fn ready() -> (Concepts, Service) {
    let (concepts, service) = service().await;
    service.person().says("anything like a gift?").await;
    assert_eq!(service.sweep().await, SweepReport { vectors: 5, ..SweepReport::default() });
    concepts.asked();
    service.wire.take();
    (concepts, service)
}

fn items(reply: &Value) -> Vec<&str> {
    let rows = reply["listed"].as_array().expect("a list");
    rows.iter().map(|row| row["item"].as_str().expect("an item")).collect()
}

fn headline(reply: &Value) -> &str {
    reply["answer"].as_str().expect("an answer").lines().next().unwrap_or_default()
}

#[tokio::test]
async fn a_description_finds_rows_with_other_words_the_closest_first() {
    let (concepts, service) = ready().await;
    let me = service.person();
    let reply = me.says("Did I buy anything like a present?").await;
    assert_eq!(headline(&reply), "3 expenses close in meaning to “a present”, closest first:");
    let mut gifts = items(&reply)[..2].to_vec();
    gifts.sort_unstable();
    assert_eq!(gifts, ["chocolates", "flowers"]);
    assert_eq!(concepts.asked(), [["a present"]], "rows were read before");
    assert_eq!(items(&me.says("anything to do with the car?").await)[0], "tyres");
    assert_eq!(items(&me.says("show me things for the garden").await)[0], "seeds");
}

#[tokio::test]
async fn repeated_purchases_do_not_displace_other_results() {
    let (_concepts, service) = ready().await;
    let me = service.person();
    for day in 1..=9 {
        me.says(&format!("perfume for the birthday {day} on {day} November")).await;
        me.says("yes").await;
    }
    me.says("anything like a gift?").await;
    assert_eq!(service.sweep().await, SweepReport { vectors: 9, ..SweepReport::default() });
    let reply = me.says("anything like a gift?").await;
    let mut found = items(&reply);
    found.sort_unstable();
    assert_eq!(
        found,
        ["chocolates", "flowers", "perfume for the birthday", "perfume for the birthday", "perfume for the birthday"]
    );
    let dates: Vec<&Value> = reply["listed"].as_array().expect("rows").iter().map(|row| &row["date"]).collect();
    assert!(["2026-11-09", "2026-11-08", "2026-11-07"].iter().all(|day| dates.contains(&&json!(day))), "the newest");
}

#[tokio::test]
async fn days_and_page_filters_limit_the_results() {
    let (_concepts, service) = ready().await;
    let me = service.person();
    let reply = me.says("anything like a gift in October?").await;
    assert_eq!((items(&reply), headline(&reply)), (vec!["tyres"], "Closest in meaning to “a gift”:"));
    assert_eq!(reply["detectedFilters"], json!({ "range": { "from": "2026-10-01", "to": "2026-10-31" } }));
    let message = json!({ "message": "anything like a gift?", "applyFiltersToQuery": true,
        "activeFilters": { "maxAmount": "20", "currency": "GBP" } });
    let reply = me.chat(message).await;
    assert_eq!(items(&reply)[0], "chocolates");
    assert!(!items(&reply).contains(&"flowers"), "{reply}");
    let nothing = me.says("anything like a gift in July?").await;
    assert_eq!(nothing["answer"], "I found no expenses from 1 Jul 2026 to 31 Jul 2026.");
}

#[tokio::test]
async fn a_models_filters_limit_the_results() {
    let concepts = Concepts::start().await;
    let model = Arc::new(Scripted::default());
    let setup = Setup { embeddings: Some(concepts.client("m")), policy: Policy::Never, ..Setup::model(model.clone()) };
    let service = setup.start().await;
    let me = service.person();
    for (item, amount, category) in [
        ("chocolates", "8", "treats"),
        ("flowers", "25", "treats"),
        ("birthday card", "2", "post"),
        ("tyres", "200", "car"),
    ] {
        model.says(calls([("add_expense", json!({ "item": item, "amount": amount, "category": category }))]));
        me.says(&format!("{item} {amount} {category}")).await;
    }
    let search = async |said: &str, filters: Value| {
        let mut arguments = json!({ "query": "a present" });
        arguments.as_object_mut().unwrap().extend(filters.as_object().unwrap().clone());
        model.says(calls([("search_by_meaning", arguments)]));
        me.says(said).await
    };
    search("what presents did I buy?", json!({})).await;
    service.sweep().await;
    for (filters, found) in [
        (json!({ "more_than": "10", "less_than": "100" }), &["flowers"][..]),
        (json!({ "category": "post" }), &["birthday card"]),
        (json!({ "without": ["treats"], "range": "today", "whose": "me" }), &["birthday card", "tyres"]),
        (json!({ "words": "-flowers -card" , "max_amount": "50" }), &["chocolates"]),
    ] {
        let reply = search("what presents did I buy?", filters.clone()).await;
        assert_eq!(items(&reply), found, "{filters}");
    }
    let none = search("what presents did I buy?", json!({ "category": "rent" })).await;
    assert_eq!(none["answer"], "I found no expenses in rent.");
}

#[tokio::test]
async fn without_an_endpoint_the_search_is_by_words_and_says_so() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("gift for Mum 25").await;
    me.says("yes").await;
    let reply = me.says("anything like a gift?").await;
    assert_eq!(headline(&reply), "I cannot search by meaning here, so I searched for the words.");
    assert_eq!(items(&reply), ["gift for Mum"]);
    assert_eq!(service.sweep().await, SweepReport::default());
}

#[tokio::test]
async fn the_first_search_is_by_words_and_makes_the_sweeper_read_all_rows_once() {
    let (concepts, service) = service().await;
    let me = service.person();
    me.says("Flowers 30 on 1 November").await;
    me.says("yes").await;
    concepts.asked();
    let reply = me.says("anything like flowers?").await;
    let not_ready =
        "I cannot search your expenses by meaning yet, so I searched for the words. Ask again in a few minutes.";
    assert_eq!((headline(&reply), items(&reply)), (not_ready, vec!["flowers", "Flowers"]));
    assert_eq!(concepts.asked(), [["flowers"]], "no row is read on a turn's way");
    assert_eq!(service.sweep().await, SweepReport { vectors: 6, ..SweepReport::default() });
    let all = ["Flowers", "chocolates", "flowers", "seeds", "tyres", "wine"];
    assert_eq!(concepts.asked(), [all]);
    assert_eq!(service.sweep().await, SweepReport::default(), "once");
    assert_eq!(concepts.asked(), Vec::<Vec<String>>::new());
}

#[tokio::test]
async fn equal_texts_are_sent_once_and_in_batches() {
    let (concepts, service) = service().await;
    let rows = service.fill(700).await;
    let mut texts: Vec<String> =
        rows.iter().map(|row| (ExpenseKind.meaning().expect("a kind that is searched so"))(&row.draft)).collect();
    texts.sort();
    texts.dedup();
    service.person().says("anything like a gift?").await;
    concepts.asked();
    assert_eq!(service.sweep().await, SweepReport { vectors: 705, ..SweepReport::default() });
    let asked = concepts.asked();
    assert!(asked.iter().all(|batch| batch.len() <= 16), "{:?}", asked.iter().map(Vec::len).max());
    let asked = asked.concat().len();
    // Each window of 500 rows sends its own requests.
    assert!(asked <= 2 * texts.len() + 5 && asked < 700, "{asked} of {}", texts.len());
}

#[tokio::test]
async fn a_changed_row_is_not_found_by_its_old_text() {
    let (_concepts, service) = ready().await;
    let me = service.person();
    for message in ["rename tyres to wine gums", "yes", "delete flowers", "yes", "coffee 3 today", "yes"] {
        me.says(message).await;
    }
    let reply = me.says("anything to do with the car?").await;
    let lately = "3 expenses close in meaning to “the car”, closest first: (Searched by words only: 2 new or changed.)";
    assert_eq!(headline(&reply), lately);
    assert!(items(&reply).iter().all(|item| ["chocolates", "seeds", "wine"].contains(item)), "{reply}");
    let literal = me.says("anything like coffee?").await;
    assert_eq!(items(&literal)[0], "coffee", "its words are known");
    assert_eq!(service.sweep().await, SweepReport { vectors: 2, ..SweepReport::default() });
    let drinks = me.says("anything like tea?").await;
    assert_eq!(headline(&drinks), "3 expenses close in meaning to “tea”, closest first:");
    let mut drinks = items(&drinks);
    drinks.sort_unstable();
    assert_eq!(drinks, ["coffee", "wine", "wine gums"]);
}

#[tokio::test]
async fn vectors_of_deleted_rows_are_deleted() {
    let (_concepts, service) = ready().await;
    let me = service.person();
    for message in ["delete flowers", "yes", "anything like a gift?"] {
        me.says(message).await;
    }
    service.wire.take();
    service.sweep().await;
    let calls = service.wire.take().0;
    let deletes: Vec<&Value> =
        calls.iter().flat_map(|call| call.body["RequestItems"]["sayso"].as_array()).flatten().collect();
    let key = json!({ "pk": { "S": "T#demo#V" }, "sk": { "S": "E#2026-11-14#000000000002" } });
    assert_eq!(deletes, [&json!({ "DeleteRequest": { "Key": key } })]);
}

#[tokio::test]
async fn a_failing_endpoint_makes_it_a_search_by_words_and_loses_nothing() {
    let (concepts, service) = service().await;
    let me = service.person();
    me.says("anything like a gift?").await;
    concepts.set_down(true);
    assert_eq!(service.sweep().await, SweepReport::default());
    concepts.asked();
    assert_eq!(service.sweep().await, SweepReport::default(), "it is left alone for a while");
    assert_eq!(concepts.asked(), Vec::<Vec<String>>::new());
    let reply = me.says("anything like wine?").await;
    assert_eq!(headline(&reply), "I cannot search by meaning right now, so I searched for the words.");
    assert_eq!(items(&reply), ["wine"]);
    concepts.set_down(false);
    service.advance(Duration::from_secs(601));
    assert_eq!(service.sweep().await, SweepReport { vectors: 5, ..SweepReport::default() });
}

#[tokio::test]
async fn a_request_for_vectors_during_a_sweep_is_not_lost() {
    let (_concepts, service) = service().await;
    let me = service.person();
    me.says("anything like a gift?").await;
    service.wire.hold("BatchWriteItem");
    let meanwhile = async {
        service.wire.held().await;
        service.advance(Duration::from_secs(1));
        for message in ["perfume for the birthday 9", "yes", "anything like a gift?"] {
            me.says(message).await;
        }
        service.wire.release();
    };
    let (swept, ()) = tokio::join!(service.sweep(), meanwhile);
    assert_eq!(swept, SweepReport { vectors: 5, ..SweepReport::default() });
    assert_eq!(service.sweep().await, SweepReport { vectors: 1, ..SweepReport::default() });
}

#[tokio::test]
async fn a_tenant_that_cannot_be_marked_does_not_block_others() {
    let (concepts, service) = service().await;
    let other = service.who("other", "you", "admin");
    for message in ["seeds 3", "yes", "anything like a gift?"] {
        other.says(message).await;
    }
    service.person().says("anything like a gift?").await;
    concepts.asked();
    concepts.set_down(true);
    // The request of the first tenant cannot be postponed: all attempts fail.
    service.wire.fail([("UpdateItem", Fate::ServerError); 3]);
    assert_eq!(service.sweep().await, SweepReport::default());
    let mut tried = concepts.asked();
    tried.dedup();
    assert_eq!(tried.len(), 2, "both tenants': {tried:?}");
}

#[tokio::test]
async fn a_refused_text_is_left_out_and_not_sent_again() {
    let (concepts, service) = service().await;
    let me = service.person();
    me.says("anything like a gift?").await;
    concepts.refuse("tyres");
    assert_eq!(service.sweep().await, SweepReport { vectors: 4, ..SweepReport::default() });
    let reply = me.says("anything like a present?").await;
    let partly =
        "3 expenses close in meaning to “a present”, closest first: (Searched by words only: 1 new or changed.)";
    assert_eq!(headline(&reply), partly);
    concepts.asked();
    assert_eq!(service.sweep().await, SweepReport::default());
    assert_eq!(concepts.asked(), Vec::<Vec<String>>::new());
}

#[tokio::test]
async fn texts_are_kept_if_the_endpoint_refuses_everything() {
    let (concepts, service) = service().await;
    service.person().says("anything like a gift?").await;
    concepts.refuse("");
    assert_eq!(service.sweep().await, SweepReport::default());
    concepts.refuse("nothing that was bought");
    service.advance(Duration::from_secs(601));
    assert_eq!(service.sweep().await, SweepReport { vectors: 5, ..SweepReport::default() });
}

#[tokio::test]
async fn vectors_of_another_server_are_not_compared() {
    let (here, elsewhere) = (Concepts::start().await, Concepts::start().await);
    let (one, again) = (here.client("m"), here.client("m"));
    assert_eq!(one.space(), again.space());
    assert_ne!(one.space(), elsewhere.client("m").space(), "one name, and perhaps another model");
}

#[tokio::test]
async fn vectors_of_another_model_are_not_compared() {
    let concepts = Concepts::start().await;
    let one = Setup { embeddings: Some(concepts.client("one")), ..Setup::default() }.start().await;
    let me = one.person();
    me.says("flowers 25").await;
    me.says("yes").await;
    me.says("anything like a gift?").await;
    one.sweep().await;
    assert_eq!(headline(&me.says("anything like a gift?").await), "Closest in meaning to “a gift”:");
    let other = Setup { embeddings: Some(concepts.client("other")), ..Setup::default() }.after(&one);
    let not_ready =
        "I cannot search your expenses by meaning yet, so I searched for the words. Ask again in a few minutes.";
    assert_eq!(headline(&other.person().says("anything like a gift?").await), not_ready);
    assert_eq!(other.sweep().await, SweepReport { vectors: 1, ..SweepReport::default() });
    assert_eq!(headline(&other.person().says("anything like a gift?").await), "Closest in meaning to “a gift”:");
}

#[tokio::test]
async fn rows_of_another_tenant_are_not_found() {
    let (_concepts, service) = ready().await;
    let other = service.who("other", "you", "admin");
    other.says("anything like a gift?").await;
    assert_eq!(service.sweep().await, SweepReport::default());
    let reply = other.says("anything like a gift?").await;
    assert_eq!(reply["answer"], "There are no expenses.");
}

#[tokio::test]
async fn the_tool_is_offered_to_a_model_for_questions_and_orders_to_look() {
    let concepts = Concepts::start().await;
    let model = Arc::new(Scripted::default());
    let setup = Setup { embeddings: Some(concepts.client("m")), ..Setup::model(model.clone()) };
    let service = setup.start().await;
    let me = service.person();
    let offered = async |message: &str| {
        model.says(text("."));
        me.says(message).await;
        model.requests()[0].tools.contains(&"search_by_meaning")
    };
    for message in
        ["did I buy anything like a gift?", "what presents did I buy?", "show me the gifts", "anything to do with cars"]
    {
        assert!(offered(message).await, "{message}");
    }
    for message in ["coffee 3.50", "delete the gift", "flowers were 12"] {
        assert!(!offered(message).await, "{message}");
    }
    model.says(calls([("search_by_meaning", json!({ "query": "gift" }))]));
    model.says(text("I cannot."));
    me.says("delete the gift").await;
    assert_eq!(concepts.asked(), Vec::<Vec<String>>::new(), "a call of what was not offered is refused");
}

#[tokio::test]
async fn without_an_endpoint_the_tool_is_offered_only_for_descriptions() {
    let model = Arc::new(Scripted::default());
    let service = Setup::model(model.clone()).start().await;
    for (message, is_offered) in [("what presents did I buy?", false), ("anything to do with cars", true)] {
        model.says(text("."));
        service.person().says(message).await;
        assert_eq!(model.requests()[0].tools.contains(&"search_by_meaning"), is_offered, "{message}");
    }
}

#[tokio::test]
async fn a_sweep_goes_on_where_an_earlier_one_ended() {
    let (_concepts, service) = service().await;
    let me = service.person();
    let rows = service.fill(1_700).await.len() + 5;
    me.says("anything like a gift?").await;
    // After the shards of unfinished runs and the list of tenants, a window of 500 rows needs two queries.
    let fails_after = |windows: usize| {
        let served = std::iter::repeat_n(("Query", Fate::Served), 5 + 2 * windows);
        served.chain([("Query", Fate::ServerError); 3])
    };
    service.wire.fail(fails_after(2));
    assert_eq!(service.sweep().await, SweepReport { vectors: 1_000, ..SweepReport::default() });
    me.says("perfume for the birthday 9 today").await;
    me.says("yes").await;
    service.advance(Duration::from_secs(11 * 60));
    service.wire.take();
    assert_eq!(service.sweep().await, SweepReport { vectors: rows - 1_000 + 1, ..SweepReport::default() });
    let (calls, _) = service.wire.take();
    let listed = calls.iter().filter(|call| call.body["IndexName"] == "byOrder").count();
    assert_eq!(listed, 4, "two windows of newer rows, of which the first had one without a vector, and the last two");
    service.advance(Duration::from_secs(11 * 60));
    assert_eq!(service.sweep().await, SweepReport::default(), "nothing is left to do");
}

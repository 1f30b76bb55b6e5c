//! Preferences: learned from what a person said, shown and written with the change that they belong to, and undone with
//! it.

use std::{sync::Arc, time::Duration};

use http::StatusCode;
use jiff::civil::date;
use sayso::{
    model::offline::Offline,
    proposal::{Draft, Policy, Record},
};
use serde_json::{Value, json};

use crate::harness::{
    Service, Setup, caller,
    scripted::{Scripted, calls},
    wire::{Fate, TENANT},
};

async fn without_a_currency(policy: Policy) -> Service {
    Setup { currency: None, model: Arc::new(Offline), ..Setup::policy(policy) }.start().await
}

#[tokio::test]
async fn a_currency_that_was_asked_about_is_not_asked_about_again() {
    let service = without_a_currency(Policy::Always).await;
    let me = service.person();
    assert_eq!(me.answer("coffee 3.50").await, "In which currency?\n- GBP\n- EUR\n- USD");
    let shown = me.says("pounds").await;
    assert_eq!(shown["answer"], "Add “coffee”, £3.50, 20 Nov 2026, and remember GBP as your currency? (yes / no)");
    assert_eq!(shown["proposal"]["operations"][1]["text"], "remember GBP as your currency");
    let done = me.says("yes").await;
    assert_eq!(done["answer"], "Added “coffee”, £3.50, 20 Nov 2026 (#1). I will remember GBP as your currency.");
    assert_eq!(done["added"].as_array().map(Vec::len), Some(1), "a setting is no row of a list: {done}");
    assert_eq!(done["remembered"], json!([{ "kind": "currency", "id": 1, "currency": "GBP", "version": 1 }]));
    assert_eq!(me.answer("tea 2").await, "Add “tea”, £2.00, 20 Nov 2026? (yes / no)");
}

#[tokio::test]
async fn an_undo_removes_a_preference_and_its_undo_restores_it() {
    let service = without_a_currency(Policy::Always).await;
    let me = service.person();
    for message in ["coffee 3.50", "GBP", "yes"] {
        me.says(message).await;
    }
    assert_eq!(
        me.answer("undo").await,
        "Delete #1 “coffee”, £3.50, 20 Nov 2026, and forget GBP as your currency? (yes / no)"
    );
    assert_eq!(me.answer("yes").await, "Deleted #1 “coffee”, £3.50, 20 Nov 2026. I will forget GBP as your currency.");
    assert!(me.answer("tea 2").await.starts_with("In which currency?"));
    assert_eq!(
        me.answer("undo").await,
        "Restore #1 “coffee”, £3.50, 20 Nov 2026, and remember GBP as your currency? (yes / no)"
    );
    me.says("yes").await;
    assert_eq!(me.answer("tea 2").await, "Add “tea”, £2.00, 20 Nov 2026? (yes / no)");
}

#[tokio::test]
async fn side_effects_do_not_make_a_change_wait() {
    let service = without_a_currency(Policy::Risky).await;
    let me = service.person();
    me.says("coffee 3.50 in food").await;
    assert_eq!(
        me.answer("EUR").await,
        "Added “coffee”, €3.50, 20 Nov 2026, in food (#1). I will remember “coffee” as food and EUR as your currency."
    );
}

#[tokio::test]
async fn a_currency_with_an_amount_or_from_the_client_is_not_learned() {
    let service = without_a_currency(Policy::Risky).await;
    let me = service.person();
    assert_eq!(me.answer("coffee €3.50").await, "Added “coffee”, €3.50, 20 Nov 2026 (#1).");
    let from_a_page = json!({ "message": "tea 2", "userContext": { "currency": "USD" } });
    assert_eq!(me.chat(from_a_page).await["answer"], "Added “tea”, $2.00, 20 Nov 2026 (#2).");
    assert!(me.answer("cake 4").await.starts_with("In which currency?"));
    assert_eq!(me.answer("GBP").await, "Added “cake”, £4.00, 20 Nov 2026 (#3). I will remember GBP as your currency.");
    let from_a_page = json!({ "message": "soup 5", "userContext": { "currency": "USD" } });
    assert_eq!(me.chat(from_a_page).await["answer"], "Added “soup”, $5.00, 20 Nov 2026 (#4).");
}

#[tokio::test]
async fn setting_a_currency_says_that_the_clients_own_currency_still_applies_there() {
    let service = without_a_currency(Policy::Risky).await;
    let me = service.person();
    let from_a_page = |message: &str| json!({ "message": message, "userContext": { "currency": "USD" } });
    assert_eq!(
        me.chat(from_a_page("my currency is EUR")).await["answer"],
        "Remember EUR as your currency? (yes / no)\n\
         Left out: amounts in this app stay in USD, because the app sets that itself"
    );
    me.chat(from_a_page("yes")).await;
    assert_eq!(me.chat(from_a_page("what is my currency?")).await["answer"], "Your currency is USD. The app sets it.");
    assert_eq!(me.answer("coffee 3.50").await, "Added “coffee”, €3.50, 20 Nov 2026 (#1).");
}

#[tokio::test]
async fn a_page_compares_amounts_in_the_learned_currency() {
    let service = without_a_currency(Policy::Risky).await;
    let me = service.person();
    for query in ["minAmount=3", "order=largest&maxAmount=9"] {
        assert_eq!(me.get(&format!("/expenses?{query}")).await.status.as_u16(), 422, "{query}: in which?");
    }
    for message in ["coffee 3.50", "EUR", "tea 2", "cake $9"] {
        me.says(message).await;
    }
    for query in ["minAmount=3", "order=largest&maxAmount=9&limit=1", "order=largest&limit=1"] {
        let page = me.get(&format!("/expenses?{query}")).await.body;
        assert_eq!((&page["items"][0]["item"], &page["count"]), (&json!("coffee"), &json!(1)), "{query}: {page}");
    }
}

#[tokio::test]
async fn a_learned_currency_belongs_to_one_tenant() {
    let service = without_a_currency(Policy::Risky).await;
    for message in ["coffee 3.50", "GBP"] {
        service.person().says(message).await;
    }
    let stranger = service.who("other", "eve", "admin");
    assert!(stranger.answer("coffee 3.50").await.starts_with("In which currency?"));
}

#[tokio::test]
async fn a_learned_setting_can_be_excluded_and_is_dropped_with_its_row() {
    let service = without_a_currency(Policy::Always).await;
    let me = service.person();
    me.says("coffee 3.50 and tea 2").await;
    let shown = me.says("GBP").await;
    assert_eq!(
        shown["answer"],
        "Add 2 expenses, £5.50? (yes / no)\n1. “coffee”, £3.50, 20 Nov 2026\n2. “tea”, £2.00, 20 Nov 2026\n\
         3. remember GBP as your currency"
    );
    assert_eq!(
        me.answer("all except 3").await,
        "Add 2 expenses, £5.50? (yes / no)\n1. “coffee”, £3.50, 20 Nov 2026\n2. “tea”, £2.00, 20 Nov 2026"
    );
}

#[tokio::test]
async fn a_learned_category_is_offered_with_its_reason_to_a_waiting_add() {
    let service = Setup::default().start().await;
    let me = service.person();
    assert_eq!(
        me.answer("costa 3.50 in food").await,
        "Add “costa”, £3.50, 20 Nov 2026, in food, and remember “costa” as food? (yes / no)"
    );
    me.says("yes").await;
    service.at("2026-11-23T12:00:00Z");
    let shown = me.says("costa 4").await;
    assert_eq!(
        shown["answer"],
        "Add “costa”, £4.00, 23 Nov 2026, in food? (yes / no)\n\
         Assumed: the category of “costa”, as on 20 Nov 2026, in food"
    );
    me.says("yes").await;
    assert_eq!(me.rows().await[0]["category"], "food");
}

#[tokio::test]
async fn a_learned_category_is_not_written_without_being_shown_and_is_easy_to_accept() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    me.says("costa 3.50 in food").await;
    let done = me.says("costa 4").await;
    assert_eq!(
        done["answer"],
        "Added “costa”, £4.00, 20 Nov 2026 (#2).\nSay “put it in food” to use the same category as on 20 Nov 2026."
    );
    assert_eq!(
        (&done["added"][0]["category"], &done["suggestions"]),
        (&Value::Null, &json!(["put it in food", "undo that"]))
    );
    assert_eq!(
        me.answer("put it in food").await,
        "Change #2 “costa”, £4.00, 20 Nov 2026: category none → food? (yes / no)"
    );
}

#[tokio::test]
async fn another_category_replaces_the_learned_one() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    me.says("costa 3.50 in food").await;
    assert_eq!(
        me.answer("costa 4 in travel").await,
        "Added “costa”, £4.00, 20 Nov 2026, in travel (#2). I will remember “costa” as travel."
    );
    assert_eq!(me.says("costa 5").await["suggestions"], json!(["put it in travel", "undo that"]));
    for message in ["put it in food", "yes"] {
        me.says(message).await;
    }
    assert_eq!(me.says("costa 6").await["suggestions"], json!(["put it in food", "undo that"]));
}

#[tokio::test]
async fn a_category_that_only_the_model_says_is_neither_learned_nor_written_at_once() {
    let model = Arc::new(Scripted::default());
    model.says(calls([("add_expense", json!({ "item": "costa", "amount": "3.50", "category": "food" }))]));
    let service = Setup { policy: Policy::Risky, ..Setup::model(model) }.start().await;
    assert_eq!(
        service.person().answer("costa 3.50").await,
        "Add “costa”, £3.50, 20 Nov 2026, in food? (yes / no)\nAssumed: the category, food"
    );
}

#[tokio::test]
async fn an_edit_updates_what_is_learned_from_the_line() {
    let service = Setup::default().start().await;
    let me = service.person();
    let shown = me.says("costa 3.50 in food").await["proposal"].clone();
    let edit = json!({ "confirm": {
        "proposalId": shown["id"], "fingerprint": shown["fingerprint"], "decision": "edit",
        "edits": { "1": { "category": "work" } },
    }});
    assert_eq!(me.chat(edit).await["answer"], "Add “costa”, £3.50, 20 Nov 2026, in work? (yes / no)");
}

#[tokio::test]
async fn beyond_the_cap_nothing_is_learned_or_claimed_to_be_and_there_is_room_for_a_budget() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    let filed = |id: u64| Record {
        id,
        version: 1,
        draft: Draft {
            kind: "MC".into(),
            owner: "me".into(),
            body: [("item", format!("item {id}")), ("words", format!(" item {id} ")), ("category", "food".into())]
                .map(|(name, text)| (name.to_owned(), json!(text)))
                .into(),
            date: date(2026, 11, 3),
            ..Draft::default()
        },
    };
    let caller = caller("demo", "me");
    let filed: Vec<Record> = (1_001..=1_199).map(filed).collect();
    let importing = async { service.store.tenant(caller.tenant()).import(&filed).await.expect("rows") };
    TENANT.scope("demo".into(), importing).await;

    me.says("costa 3.50 in food").await;
    let last = me.says("lunch 12 in food and tea 2 in food").await;
    assert!(!last["answer"].as_str().expect("an answer").contains("remember"), "{last}");
    me.says("yes").await;
    assert_eq!(me.answer("cake 4 in food").await, "Added “cake”, £4.00, 20 Nov 2026, in food (#4).");
    assert_eq!(me.says("costa 4").await["suggestions"], json!(["put it in food", "undo that"]));
    let budget = me.answer("budget £200 a month for travel").await;
    assert!(budget.starts_with("Added the budget for travel, £200.00 a month."), "{budget}");
}

#[tokio::test]
async fn a_budget_is_set_and_every_write_in_it_reports_its_status() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    me.says("groceries 45 in food").await;
    assert_eq!(
        me.answer("budget £200 a month for food").await,
        "Added the budget for food, £200.00 a month.\nFood: £45.00 of £200.00 this month, £155.00 left."
    );
    let lunch = me.says("lunch 135 in food").await;
    assert_eq!(
        lunch["answer"],
        "Added “lunch”, £135.00, 20 Nov 2026, in food (#2). I will remember “lunch” as food.\n\
         Food: £180.00 of £200.00 this month, £20.00 left."
    );
    assert_eq!(
        lunch["budgets"],
        json!([{
            "kind": "budget", "id": 1, "category": "food", "period": "month", "version": 1,
            "money": { "amount": "200.00", "currency": "GBP" }, "spent": "180.00", "left": "20.00",
            "from": "2026-11-01", "to": "2026-11-30", "daysLeft": 11,
        }])
    );
    assert_eq!(me.says("taxi 30").await.get("budgets"), None, "another category");
    assert_eq!(me.says("snack 3 in food on 31 October").await.get("budgets"), None, "another month");
    assert_eq!(me.says("cake €5 in food").await.get("budgets"), None, "another currency");
    me.says("change #2 to 185").await;
    assert!(me.answer("yes").await.ends_with("\nFood: £230.00 of £200.00 this month, £30.00 over."));
    me.says("delete #1").await;
    assert!(me.answer("yes").await.ends_with("\nFood: £185.00 of £200.00 this month, £15.00 left."));
    me.says("undo").await;
    assert!(me.answer("yes").await.ends_with("\nFood: £230.00 of £200.00 this month, £30.00 over."));
}

#[tokio::test]
async fn a_budget_is_changed_queried_and_removed() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    assert_eq!(
        me.answer("what's my budget?").await,
        "You have no budget yet. To set one, say “budget 200 a month for food”."
    );
    for message in ["weekly food budget £50", "budget £1500 a year", "lunch 12 in food"] {
        me.says(message).await;
    }
    let standing = me.says("show my budgets").await;
    assert_eq!(
        standing["answer"],
        "Food: £12.00 of £50.00 this week, £38.00 left (until 22 Nov 2026, 3 days)\n\
         Everything: £12.00 of £1,500.00 this year, £1,488.00 left (until 31 Dec 2026, 42 days)"
    );
    assert_eq!((&standing["count"], standing["budgets"].as_array().map(Vec::len)), (&json!(2), Some(2)));
    assert_eq!(standing.get("listed"), None, "a budget is no row of a list");
    assert_eq!(
        me.answer("set the weekly food budget to 60").await,
        "Change the budget for food, £50.00 a week: amount £50.00 → £60.00? (yes / no)"
    );
    assert_eq!(
        me.answer("yes").await,
        "Changed the budget for food, £50.00 a week: amount £50.00 → £60.00.\n\
         Food: £12.00 of £60.00 this week, £48.00 left."
    );
    assert_eq!(
        me.answer("remove the weekly food budget").await,
        "Delete the budget for food, £60.00 a week? (yes / no)"
    );
    assert_eq!(me.answer("yes").await, "Deleted the budget for food, £60.00 a week.");
    assert_eq!(me.answer("undo").await, "Restore the budget for food, £60.00 a week? (yes / no)");
    me.says("yes").await;
    assert_eq!(me.says("what's my food budget?").await["count"], 1);
}

#[tokio::test]
async fn an_unstated_budget_period_is_assumed_and_waits() {
    let service = Setup::policy(Policy::Risky).start().await;
    assert_eq!(
        service.person().answer("budget 200 for food").await,
        "Add the budget for food, £200.00 a month? (yes / no)\nAssumed: the period, £200.00 a month"
    );
}

#[tokio::test]
async fn an_approval_by_form_reads_budgets_only_if_one_is_about_its_sums() {
    let service = Setup::default().start().await;
    let me = service.person();
    for message in ["budget £200 a month for food", "yes"] {
        me.says(message).await;
    }
    let operations = async |message: &str| {
        let shown = me.says(message).await["proposal"].clone();
        service.wire.take();
        let reply = me.decide(&shown, "approve").await.body;
        let (calls, rounds) = service.wire.take();
        assert!(rounds <= if reply["budgets"].is_array() { 3 } else { 2 }, "{rounds} round trips");
        (reply, calls.len())
    };
    let (reply, calls) = operations("lunch 12 in food").await;
    assert_eq!(reply["budgets"][0]["left"], "188.00");
    assert_eq!(calls, 3, "the proposal, the write, then the budgets with the sums");
    let (reply, calls) = operations("taxi 12").await;
    assert_eq!((reply.get("budgets"), calls), (None, 2));
}

#[tokio::test]
async fn a_write_is_answered_even_if_the_sums_after_it_cannot_be_read() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    me.says("budget £200 a month for food").await;
    // The reads at the start of the turn and the search for duplicates succeed; then the sums fail, however often they
    // are read.
    let fates = [Fate::Served, Fate::Served, Fate::Served].into_iter().chain([Fate::ServerError; 5]);
    service.wire.fail(fates.map(|fate| ("Query", fate)));
    assert_eq!(
        me.answer("lunch 12 in food").await,
        "Added “lunch”, £12.00, 20 Nov 2026, in food (#1). I will remember “lunch” as food."
    );
}

#[tokio::test]
async fn a_due_recurring_entry_is_asked_about_and_written_after_a_yes() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    assert_eq!(
        me.answer("rent £950 every month on the 1st in housing").await,
        "Added “rent”, £950.00 every month from 1 Dec 2026, in housing."
    );
    assert_eq!(me.answer("coffee 3.50").await, "Added “coffee”, £3.50, 20 Nov 2026 (#1).");
    service.at("2026-12-01T09:00:00Z");
    let asked = me.says("how much did I spend this month?").await;
    assert_eq!(
        asked["answer"],
        "You spent nothing in December 2026.\n\n“rent” is due today.\n\
         Add “rent”, £950.00, 1 Dec 2026, in housing, and ask again on 1 Jan 2027? (yes / no)"
    );
    assert_eq!((&asked["confirmationRequired"], &asked["proposal"]["tool"]), (&json!(true), &json!("due")));
    assert_eq!(me.rows().await.len(), 1, "nothing without a yes");
    assert_eq!(
        me.answer("yes").await,
        "Added “rent”, £950.00, 1 Dec 2026, in housing (#2). I will ask again on 1 Jan 2027."
    );
    assert_eq!(me.answer("tea 2").await, "Added “tea”, £2.00, 1 Dec 2026 (#3).");
    assert_eq!(me.answer("what recurs?").await, "“rent”, £950.00 every month from 1 Jan 2027, in housing");
}

#[tokio::test]
async fn a_no_skips_that_day_and_the_next_is_asked_about() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    assert_eq!(
        me.answer("gym 30 every month starting 2026-09-30").await,
        "Added “gym”, £30.00 every month on day 30, or on the last day of a shorter month, from 30 Sep 2026."
    );
    let asked = me.answer("coffee 3.50").await;
    assert!(
        asked.ends_with(
            "“gym” is due since 30 Sep 2026.\nAdd “gym”, £30.00, 30 Sep 2026, and ask again on 30 Oct 2026? (yes / no)"
        ),
        "{asked}"
    );
    let declined = me.answer("no").await;
    assert_eq!(
        declined,
        "OK, I did not add “gym”, £30.00, 30 Sep 2026. I will ask again on 30 Oct 2026.\n\n\
         “gym” is due since 30 Oct 2026.\n\
         Add “gym”, £30.00, 30 Oct 2026, and ask again on 30 Nov 2026? (yes / no)"
    );
    assert_eq!(me.answer("yes").await, "Added “gym”, £30.00, 30 Oct 2026 (#3). I will ask again on 30 Nov 2026.");
    assert_eq!(me.rows().await.len(), 2);
}

#[tokio::test]
async fn a_no_by_form_skips_the_day_too() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    me.says("gym 30 every month").await;
    let asked = me.says("coffee 3.50").await["proposal"].clone();
    let declined = me.decide(&asked, "reject").await.body;
    assert_eq!(declined["answer"], "OK, I did not add “gym”, £30.00, 20 Nov 2026. I will ask again on 20 Dec 2026.");
    assert_eq!(me.answer("what recurs?").await, "“gym”, £30.00 every month from 20 Dec 2026");
}

#[tokio::test]
async fn a_no_after_an_edit_skips_the_day_too() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    for message in ["gym 30 every month", "coffee 3.50"] {
        me.says(message).await;
    }
    assert_eq!(
        me.answer("yes but 35").await,
        "Add “gym”, £35.00, 20 Nov 2026, and ask again on 20 Dec 2026? (yes / no)"
    );
    assert_eq!(me.answer("no").await, "OK, I did not add “gym”, £35.00, 20 Nov 2026. I will ask again on 20 Dec 2026.");
    service.at("2026-11-21T12:00:00Z");
    assert_eq!(me.says("show expenses").await.get("proposal"), None);
}

#[tokio::test]
async fn a_no_followed_by_more_text_skips_the_day_too() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    for message in ["gym 30 every month", "coffee 3.50"] {
        me.says(message).await;
    }
    let shown = no_tea(&service).await;
    assert_eq!(
        shown["answer"],
        "OK, I did not add “gym”, £30.00, 20 Nov 2026. I will ask again on 20 Dec 2026.\n\n\
         Add “tea”, £2.00, 20 Nov 2026? (yes / no)"
    );
    assert_eq!(me.decide(&shown["proposal"], "approve").await.status.as_u16(), 200);
    assert_eq!(me.answer("what recurs?").await, "“gym”, £30.00 every month from 20 Dec 2026");
}

/// The model gets the rest of a message after the no.
async fn no_tea(service: &Service) -> Value {
    let model = Arc::new(Scripted::default());
    model.says(calls([("add_expense", json!({ "item": "tea", "amount": "2" }))]));
    let service = Setup { policy: Policy::Risky, ..Setup::model(model) }.after(service);
    service.advance(Duration::from_secs(1));
    service.person().chat(json!({ "message": "no, tea 2", "messageId": "tea" })).await
}

#[tokio::test]
async fn a_no_whose_skip_failed_is_found_later_behind_an_edit() {
    for goes_on in [false, true] {
        let service = Setup::policy(Policy::Risky).start().await;
        let me = service.person();
        for message in ["gym 30 every month", "coffee 3.50", "yes but 35"] {
            me.says(message).await;
        }
        // The no itself succeeds; then the write that skips the day fails.
        let fates = [Fate::Served].into_iter().chain([Fate::Conflict; 5]);
        service.wire.fail(fates.map(|fate| ("TransactWriteItems", fate)));
        match goes_on {
            true => no_tea(&service).await,
            false => me.says("no").await,
        };
        service.wire.clear();
        let elsewhere = json!({ "message": "show expenses", "conversationId": "laptop" });
        assert_eq!(me.chat(elsewhere).await.get("proposal"), None, "{goes_on}");
        let recurs = json!({ "message": "what recurs?", "conversationId": "laptop" });
        assert_eq!(me.chat(recurs).await["answer"], "“gym”, £30.00 every month from 20 Dec 2026", "{goes_on}");
    }
}

#[tokio::test]
async fn an_entry_asked_about_today_does_not_hide_other_due_entries() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    for message in ["gym 30 every month on the 21st", "phone 20 every month on the 21st"] {
        me.says(message).await;
    }
    service.at("2026-11-21T12:00:00Z");
    let asked = async |conversation: &str| {
        let reply = me.chat(json!({ "message": "show expenses", "conversationId": conversation })).await;
        reply["proposal"]["operations"][0]["after"]["item"].clone()
    };
    assert_eq!([asked("1").await, asked("2").await, asked("3").await], [json!("gym"), json!("phone"), Value::Null]);
}

#[tokio::test]
async fn a_write_is_answered_in_time_even_if_due_entries_cannot_be_asked_about() {
    let setup = Setup { budget: Duration::from_millis(900), ..Setup::policy(Policy::Risky) };
    let service = setup.start().await;
    let me = service.person();
    me.says("gym 30 every month").await;
    // The reads at the start of the turn, and the search for duplicates.
    service.wire.hold_after("Query", 3);
    let done = me.says("coffee 3.50").await;
    assert_eq!((&done["answer"], done.get("proposal")), (&json!("Added “coffee”, £3.50, 20 Nov 2026 (#1)."), None));
    service.wire.release();
    service.wire.hold_after("TransactWriteItems", 1);
    let done = me.says("tea 2").await;
    assert_eq!(
        done["answer"],
        "Added “tea”, £2.00, 20 Nov 2026 (#2).\n\n“gym” is due today.\n\
         Add “gym”, £30.00, 20 Nov 2026, and ask again on 20 Dec 2026? (yes / no)",
        "nothing waits unseen, and this may"
    );
    service.wire.release();
    assert_eq!(me.rows().await.len(), 2);
}

#[tokio::test]
async fn a_repeated_message_asks_about_due_entries_and_does_not_repeat_the_budget_status() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    for message in ["budget £200 a month for food", "gym 30 every month"] {
        me.says(message).await;
    }
    let message = json!({ "message": "lunch 12 in food", "messageId": "m-1" });
    let first = me.chat(message.clone()).await;
    let due = "“gym” is due today.\nAdd “gym”, £30.00, 20 Nov 2026, and ask again on 20 Dec 2026? (yes / no)";
    let added = "Added “lunch”, £12.00, 20 Nov 2026, in food (#1). I will remember “lunch” as food.";
    let stands = "Food: £12.00 of £200.00 this month, £188.00 left.";
    assert_eq!(first["answer"], format!("{added}\n{stands}\n\n{due}"));
    let again = me.chat(message).await;
    assert_eq!((&again["answer"], again.get("budgets")), (&json!(format!("{added}\n\n{due}")), None));
    assert_eq!(again["proposal"], first["proposal"]);
}

#[tokio::test]
async fn a_month_without_a_31st_has_it_on_its_last_day() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    service.at("2027-01-31T12:00:00Z");
    me.says("loan 100 every month").await;
    let mut days = Vec::new();
    for now in ["2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30"] {
        service.at(&format!("{now}T12:00:00Z"));
        let asked = me.says("show expenses").await;
        days.push(asked["proposal"]["operations"][0]["after"]["date"].clone());
        me.says("yes").await;
    }
    assert_eq!(days, ["2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30"]);
}

#[tokio::test]
async fn two_devices_are_asked_once_a_day_and_one_of_two_yeses_writes() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    let say = |conversation: &'static str, message: &'static str| {
        me.chat(json!({ "message": message, "conversationId": conversation }))
    };
    say("phone", "gym 30 every month").await;
    let (phone, laptop) = tokio::join!(say("phone", "show expenses"), say("laptop", "show expenses"));
    let asked: Vec<&Value> = [&phone, &laptop].into_iter().filter(|reply| reply["proposal"].is_object()).collect();
    assert_eq!(asked.len(), 1, "{phone} {laptop}");
    let proposal = asked[0]["proposal"].clone();
    // Nobody answered, and it is asked about again the next day: two proposals for one day.
    service.at("2026-11-21T11:00:00Z");
    let again = say("tablet", "show expenses").await["proposal"].clone();
    assert_ne!(again["id"], proposal["id"]);
    let (one, other) = tokio::join!(me.decide(&proposal, "approve"), me.decide(&again, "approve"));
    let statuses = [one.status.as_u16(), other.status.as_u16()];
    assert_eq!([statuses[0].min(statuses[1]), statuses[0].max(statuses[1])], [200, 409]);
    assert_eq!(me.rows().await.len(), 1);
}

#[tokio::test]
async fn only_the_owner_is_asked_and_never_between_a_question_and_its_answer() {
    let service = Setup::policy(Policy::Risky).start().await;
    let (ann, bob) = (service.who("demo", "ann", "member"), service.who("demo", "bob", "member"));
    ann.says("gym 30 every month").await;
    assert_eq!(bob.says("show expenses").await.get("proposal"), None);
    assert_eq!(ann.says("I want to add an item").await.get("proposal"), None);
    assert!(ann.answer("tea 2").await.contains("“gym” is due today."));
}

#[tokio::test]
async fn two_members_can_have_the_same_recurring_entry_and_each_stops_their_own() {
    let service = Setup::policy(Policy::Risky).start().await;
    let (ann, bob) = (service.who("demo", "ann", "member"), service.who("demo", "bob", "member"));
    for me in [ann, bob] {
        let added = me.answer("gym 30 every month on the 21st").await;
        assert_eq!(added, "Added “gym”, £30.00 every month from 21 Nov 2026.");
    }
    bob.says("gym 35 every month").await;
    let changed = bob.answer("yes").await;
    assert!(changed.starts_with("Changed “gym”"), "{changed}");
    bob.says("stop gym").await;
    assert!(bob.answer("yes").await.starts_with("Deleted “gym”, £35.00 every month"));
    assert_eq!(ann.answer("what are my recurring expenses?").await, "“gym”, £30.00 every month from 21 Nov 2026");
}

#[tokio::test]
async fn a_recurring_entry_ends_on_its_last_day_or_when_it_is_stopped() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    assert_eq!(
        me.answer("course 40 every week until 1 December").await,
        "Added “course”, £40.00 every week from 20 Nov 2026 until 1 Dec 2026."
    );
    me.says("show expenses").await;
    me.says("yes").await;
    service.at("2026-11-27T12:00:00Z");
    assert!(
        me.answer("show expenses").await.ends_with("Add “course”, £40.00, 27 Nov 2026, and not ask again? (yes / no)")
    );
    me.says("yes").await;
    assert_eq!(
        me.answer("what recurs?").await,
        "You have no recurring expenses yet. To add one, say “rent 950 every month”. For what was paid already, say “show subscription expenses”."
    );

    service.at("2026-11-27T13:00:00Z");
    me.says("netflix 12.99 monthly starting 5 December").await;
    assert_eq!(
        me.answer("stop the netflix entry").await,
        "Delete “netflix”, £12.99 every month from 5 Dec 2026? (yes / no)"
    );
    service.at("2026-11-27T13:00:01Z");
    assert_eq!(me.answer("yes").await, "Deleted “netflix”, £12.99 every month from 5 Dec 2026.");
    me.says("undo").await;
    assert_eq!(me.answer("yes").await, "Restored “netflix”, £12.99 every month from 5 Dec 2026.");
    assert_eq!(
        me.answer("netflix 15.99 every month").await,
        "Change “netflix”, £12.99 every month from 5 Dec 2026: amount £12.99 → £15.99? (yes / no)"
    );
}

#[tokio::test]
async fn an_undo_of_a_due_entry_undoes_the_expense_and_the_schedule() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    for message in ["gym 30 every month", "show expenses", "yes"] {
        me.says(message).await;
    }
    assert_eq!(
        me.answer("undo").await,
        "Delete #1 “gym”, £30.00, 20 Nov 2026, and ask about “gym” of 20 Nov 2026 again? (yes / no)"
    );
    me.says("yes").await;
    assert_eq!(me.answer("what recurs?").await, "“gym”, £30.00 every month from 20 Nov 2026");
    service.at("2026-11-21T12:00:00Z");
    assert!(me.answer("show expenses").await.contains("“gym” is due since 20 Nov 2026."), "asked again the next day");
}

#[tokio::test]
async fn each_duplicate_of_several_or_of_an_edit_is_warned_of_by_number() {
    let service = Setup::default().start().await;
    let me = service.person();
    for message in ["coffee 3.50 and tea 2", "yes"] {
        me.says(message).await;
    }
    let shown = me.says("coffee 3.50, tea 2 and cake 4").await;
    let twice = |row: &str| json!({ "kind": "possible_duplicate", "text": format!("you already have {row}") });
    let (coffee, tea) = ("#1 “coffee”, £3.50, 20 Nov 2026", "#2 “tea”, £2.00, 20 Nov 2026");
    assert_eq!(shown["proposal"]["warnings"], json!([twice(coffee), twice(tea)]));
    let proposal = shown["proposal"].clone();
    let edit = json!({ "confirm": {
        "proposalId": proposal["id"], "fingerprint": proposal["fingerprint"], "decision": "edit",
        "edits": { "1": { "amount": "3.80" } }, "exclude": [3],
    }});
    let edited = me.chat(edit).await["proposal"].clone();
    assert_eq!(edited["warnings"], json!([twice(tea)]));
    let back = json!({ "confirm": {
        "proposalId": edited["id"], "fingerprint": edited["fingerprint"], "decision": "edit",
        "edits": { "1": { "amount": "3.50" } },
    }});
    assert_eq!(me.chat(back).await["proposal"]["warnings"], json!([twice(coffee), twice(tea)]));
}

#[tokio::test]
async fn the_style_of_numbers_and_dates_is_asked_about_once() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    assert_eq!(me.answer("sofa 1.234").await, "Is that 1234 or 1.234?\n- 1234\n- 1.234");
    assert_eq!(
        me.answer("1234").await,
        "Add “sofa”, £1,234.00, 20 Nov 2026, and remember that you write a comma before decimals: 1.234 is 1234? (yes / no)\n\
         Unusual amount: £1,234.00 is a lot for one expense"
    );
    me.says("yes").await;
    assert!(me.answer("desk 1.100").await.starts_with("Add “desk”, £1,100.00, 20 Nov 2026? (yes / no)"));
    me.says("no").await;
    assert_eq!(me.answer("tea 2 on 3/4").await, "Which day do you mean?\n- 3 Apr 2026\n- 4 Mar 2026");
    assert_eq!(
        me.answer("3 April").await,
        "Added “tea”, £2.00, 3 Apr 2026 (#3). I will remember that you write the day first: 3/4 is 3 April."
    );
    assert_eq!(me.answer("cake 4 on 5/6").await, "Added “cake”, £4.00, 5 Jun 2026 (#4).");
    assert_eq!(
        service.who("other", "eve", "admin").answer("cake 4 on 5/6").await,
        "Which day do you mean?\n- 5 Jun 2026\n- 6 May 2026",
        "nobody else's"
    );
}

#[tokio::test]
async fn setting_the_default_currency_waits_whatever_comes_with_it() {
    let model = Arc::new(Scripted::default());
    let service = Setup { policy: Policy::Risky, ..Setup::model(model.clone()) }.start().await;
    let me = service.person();
    let dinner = json!({ "item": "dinner", "amount": "20", "currency": "EUR" });
    model.says(calls([("add_expense", dinner), ("set_currency", json!({ "currency": "EUR" }))]));
    assert_eq!(
        me.answer("dinner 20 EUR").await,
        "Add “dinner”, €20.00, 20 Nov 2026, and remember EUR as your currency? (yes / no)"
    );
    model.says(calls([("set_currency", json!({ "currency": "JPY" }))]));
    assert_eq!(
        me.answer("use dollars from now on").await,
        "Remember JPY as your currency? (yes / no)\nAssumed: the currency, JPY"
    );
}

#[tokio::test]
async fn another_price_than_that_of_the_row_shown_is_marked_in_an_entry() {
    let model = Arc::new(Scripted::default());
    let service = Setup::model(model.clone()).start().await;
    let me = service.person();
    model.says(calls([("add_expense", json!({ "item": "gym", "amount": "30" }))]));
    me.says("gym 30").await;
    assert_eq!(me.answer("yes").await, "Added “gym”, £30.00, 20 Nov 2026 (#1).");
    let entry = json!({ "item": "gym", "amount": "30", "every": "month", "starting": "2026-12-20" });
    model.says(calls([("set_recurring", entry)]));
    let asked = "Add “gym”, £30.00 every month from 20 Dec 2026? (yes / no)\nAssumed: the amount, £30.00\nAssumed: the first day, 20 Dec 2026";
    assert_eq!(me.answer("make that 35 every month").await, asked);
}

#[tokio::test]
async fn a_summary_of_recurring_entries_is_capped_and_the_page_gets_all() {
    let model = Arc::new(Scripted::default());
    let service = Setup::model(model.clone()).start().await;
    let me = service.person();
    for part in [0..26, 26..52] {
        let entry = |n: u32| json!({ "item": format!("club {n}"), "amount": "9", "every": "month" });
        model.says(calls(part.map(|n| ("set_recurring", entry(n)))));
        me.says("all my clubs are 9 a month").await;
        me.says("yes").await;
    }
    model.says(calls([("list_recurring", json!({}))]));
    let listed = me.says("what recurs?").await;
    let answer = listed["answer"].as_str().unwrap_or_default();
    assert_eq!(answer.lines().position(|line| line == "… and 2 more"), Some(50), "{answer}");
    assert_eq!((&listed["count"], listed["remembered"].as_array().map(Vec::len)), (&json!(52), Some(52)));
}

#[tokio::test]
async fn one_budget_tells_of_spending_without_a_category_if_that_would_exceed_it_or_nothing_is_in_it() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    for message in ["budget 100 a month for food", "budget 20 a month for fun", "budget 900 a month for rent"] {
        me.says(message).await;
    }
    me.says("budget 90 a month for pets").await;
    for message in ["lunch 70 in food", "cinema 25 in fun", "taxi 40", "cat food 10 in pets"] {
        me.says(message).await;
    }
    let food = "Food: £70.00 of £100.00 this month, £30.00 left (until 30 Nov 2026, 11 days)";
    let fun = "Fun: £25.00 of £20.00 this month, £5.00 over (until 30 Nov 2026, 11 days)";
    let rent = "Rent: £0.00 of £900.00 this month, £900.00 left (until 30 Nov 2026, 11 days)";
    let pets = "Pets: £10.00 of £90.00 this month, £80.00 left (until 30 Nov 2026, 11 days)";
    let unfiled = "£40.00 spent this month has no category, so it is not part of any category budget.";
    assert_eq!(me.answer("how is my food budget?").await, format!("{food}\n{unfiled}"));
    assert_eq!(me.answer("how is my fun budget?").await, fun);
    assert_eq!(me.answer("how is my pets budget?").await, pets);
    assert_eq!(me.answer("how is my rent budget?").await, format!("{rent}\n{unfiled}"));
    assert_eq!(me.answer("how are my budgets?").await, format!("{food}\n{fun}\n{rent}\n{pets}\n{unfiled}"));
}

/// Item, minor units, currency, period, first day, next day and last day.
type Entry = (&'static str, i64, &'static str, &'static str, &'static str, &'static str, Option<&'static str>);

/// The answer to a call of `list_recurring`, when these entries are stored.
async fn due(entries: &[Entry], arguments: Value) -> Value {
    let model = Arc::new(Scripted::default());
    let service = Setup::model(model.clone()).start().await;
    let record = |(id, (item, minor, currency, every, start, next, until)): (u64, &Entry)| {
        let body = json!({
            "item": item, "minor": minor, "currency": currency, "every": every, "start": start, "next": next, "until": until,
        });
        let body = body.as_object().unwrap().iter().filter(|(_, value)| !value.is_null());
        let body = body.map(|(name, value)| (name.clone(), value.clone())).collect();
        let date = start.parse().unwrap();
        Record {
            id,
            version: 1,
            draft: Draft { kind: "MR".into(), owner: "me".into(), body, date, ..Draft::default() },
        }
    };
    let records: Vec<Record> = (1..).zip(entries).map(record).collect();
    let caller = caller("demo", "me");
    TENANT.scope("demo".into(), service.store.tenant(caller.tenant()).import(&records)).await.unwrap();
    model.says(calls([("list_recurring", arguments)]));
    service.person().says("what is due?").await
}

const GYM: Entry = ("gym", 1000, "GBP", "week", "2026-11-03", "2026-11-24", None);
const RENT: Entry = ("rent", 95_000, "GBP", "month", "2026-08-31", "2026-11-30", None);

#[tokio::test]
async fn a_recurring_expense_is_listed_by_its_name_and_the_others_where_there_is_none() {
    let phone = ("phone and net", 2000, "GBP", "month", "2026-11-05", "2026-12-05", None);
    let answer = async |arguments| due(&[GYM, RENT, phone], arguments).await["answer"].clone();
    assert_eq!(answer(json!({ "item": "my net" })).await, "“phone and net”, £20.00 every month from 5 Dec 2026");
    let of_days = json!({ "item": "gym", "range": "next month" });
    assert!(answer(of_days).await.as_str().unwrap().starts_with("Due in December 2026: £50.00 in 5 payments.\n"));
    let others = "There is no recurring expense “netflix”. The others:\n\
                  “gym”, £10.00 every week from 24 Nov 2026\n\
                  “rent”, £950.00 every month on day 31, or on the last day of a shorter month, from 30 Nov 2026\n\
                  “phone and net”, £20.00 every month from 5 Dec 2026";
    assert_eq!(answer(json!({ "item": "netflix" })).await, others);
}

#[tokio::test]
async fn what_is_due_in_some_days_is_told_with_each_day_and_the_sum_per_currency() {
    let domain = ("domain", 1500, "EUR", "year", "2025-12-08", "2026-12-08", None);
    let course = ("course", 4000, "GBP", "week", "2026-11-21", "2026-11-21", Some("2026-12-05"));
    let reply = due(&[GYM, RENT, domain, course], json!({ "range": "next month" })).await;
    let answer = "Due in December 2026: €15.00 and £1,040.00 in 8 payments.\n\
                  - 1 Dec 2026: “gym”, £10.00\n\
                  - 5 Dec 2026: “course”, £40.00\n\
                  - 8 Dec 2026: “gym”, £10.00\n\
                  - 8 Dec 2026: “domain”, €15.00\n\
                  - 15 Dec 2026: “gym”, £10.00\n\
                  - 22 Dec 2026: “gym”, £10.00\n\
                  - 29 Dec 2026: “gym”, £10.00\n\
                  - 31 Dec 2026: “rent”, £950.00";
    assert_eq!(reply["answer"], answer);
    let totals = json!([
        { "currency": "EUR", "amount": "15.00", "count": 1 }, { "currency": "GBP", "amount": "1040.00", "count": 7 },
    ]);
    assert_eq!((&reply["totals"], &reply["count"], reply.get("detectedFilters")), (&totals, &json!(4), None));
}

#[tokio::test]
async fn only_entries_that_are_due_in_the_days_are_told() {
    let reply = due(&[GYM, RENT], json!({ "range": "next week" })).await;
    assert_eq!(reply["answer"], "Due from 23 Nov 2026 to 29 Nov 2026: £10.00.\n- 24 Nov 2026: “gym”, £10.00");
    assert_eq!((&reply["count"], &reply["remembered"][0]["item"]), (&json!(1), &json!("gym")));
    assert_eq!(due(&[GYM, RENT], json!({ "range": "tomorrow" })).await["answer"], "Nothing is due on 21 Nov 2026.");
}

#[tokio::test]
async fn due_days_that_are_not_open_any_more_are_named_and_not_counted() {
    let answer = "Due in November 2026: £960.00 in 2 payments.\n\
                  - 24 Nov 2026: “gym”, £10.00\n\
                  - 30 Nov 2026: “rent”, £950.00\n\
                  (Not open any more, so not counted: “gym” on 3 Nov 2026, “gym” on 10 Nov 2026 and “gym” on 17 Nov 2026.)";
    assert_eq!(due(&[GYM, RENT], json!({ "range": "this month" })).await["answer"], answer);
    let answer = "Nothing is due in October 2026 any more. For what was paid, say “show expenses in October 2026”.\n\
                  (Not open any more, so not counted: “rent” on 31 Oct 2026.)";
    assert_eq!(due(&[GYM, RENT], json!({ "range": "last month" })).await["answer"], answer);
}

#[tokio::test]
async fn a_month_or_weekday_without_more_is_the_coming_one_for_what_is_due() {
    for (range, expected) in [
        ("december", "Due in December 2026: £1,000.00 in 6 payments."),
        ("in January", "Due in January 2027: £990.00 in 5 payments."),
        ("1 December", "Due on 1 Dec 2026: £10.00."),
        ("on Tuesday", "Due on 24 Nov 2026: £10.00."),
        ("until Tuesday", "Due until 24 Nov 2026: £10.00."),
    ] {
        let reply = due(&[GYM, RENT], json!({ "range": range })).await;
        assert_eq!(reply["answer"].as_str().and_then(|answer| answer.lines().next()), Some(expected), "{range}");
    }
}

#[tokio::test]
async fn monthly_entries_alone_are_told_with_what_they_come_to() {
    let phone = ("phone", 2000, "EUR", "month", "2026-12-05", "2026-12-05", None);
    let answer = "“rent”, £950.00 every month on day 31, or on the last day of a shorter month, from 30 Nov 2026\n\
                  “phone”, €20.00 every month from 5 Dec 2026";
    assert_eq!(
        due(&[RENT, phone], json!({})).await["answer"],
        format!("{answer}\nTogether €20.00 and £950.00 a month.")
    );
    for other in [GYM, ("gym", 1000, "GBP", "month", "2026-11-24", "2026-11-24", Some("2027-01-01"))] {
        let answer = due(&[RENT, phone, other], json!({})).await["answer"].to_string();
        assert!(!answer.contains("Together"), "{answer}");
    }
}

#[tokio::test]
async fn who_is_no_administrator_any_more_changes_nothing_for_everybody() {
    let service = Setup { policy: Policy::Risky, ..Setup::default() }.start().await;
    let (admin, demoted) = (service.who("demo", "ann", "admin"), service.who("demo", "ann", "member"));
    admin.says("set the time zone to Tokyo").await;
    let is_refused = async |message: &str| {
        let response = demoted.post("/chat", json!({ "message": message })).await;
        let detail = "You may not change this. Ask its owner or an administrator.";
        assert_eq!((response.status, &response.body["detail"]), (StatusCode::FORBIDDEN, &json!(detail)), "{message}");
    };
    is_refused("yes").await;
    assert_eq!(admin.answer("yes").await, "Done. I will use Asia/Tokyo as the time zone for everybody.");
    is_refused("undo").await;
    admin.says("undo").await;
    assert_eq!(admin.answer("yes").await, "Done. I will no longer use Asia/Tokyo as the time zone for everybody.");
}

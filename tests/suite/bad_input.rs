//! Well-formed input that is wrong, ambiguous or hostile. It is asked about, refused with a reason, or shown exactly as
//! it will be stored. It never becomes another amount, day, row or key.

use proptest::prelude::*;
use sayso::proposal::Policy;
use serde_json::{Value, json};

use crate::harness::{Person, Service, Setup, property};

async fn without_currency() -> Service {
    Setup { currency: None, ..Setup::default() }.start().await
}

/// A legacy confirmation is the only way for a client to choose a tool's arguments.
async fn call(person: Person<'_>, tool: &str, args: Value) -> crate::harness::Response {
    person.post("/chat", json!({ "confirm": { "tool": tool, "args": args } })).await
}

/// The answer to a message that must lead to a question.
async fn ask_expecting_question(person: Person<'_>, message: &str) -> (String, Value) {
    let reply = person.says(message).await;
    assert_eq!(reply["confirmationRequired"], false, "{message:?}: {reply}");
    assert_eq!(person.rows().await, Vec::<Value>::new(), "{message:?}");
    (reply["answer"].as_str().unwrap().to_owned(), reply["question"].clone())
}

fn is_harmless(text: &str) -> bool {
    let hidden = |c: char| {
        matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{ad}')
            || matches!(c, '\u{e0000}'..='\u{e0fff}')
            || (c.is_control() && c != '\n')
    };
    let marks = text.chars().scan(0, |run, c| {
        *run = if ('\u{300}'..='\u{36f}').contains(&c) { *run + 1 } else { 0 };
        Some(*run)
    });
    !text.contains(hidden) && !text.contains(['[', ']', '<', '>', '`', '\\']) && marks.max().unwrap_or(0) <= 3
}

#[tokio::test]
async fn invisible_characters_are_not_shown() {
    let service = Setup::default().start().await;
    let me = service.person();
    let flood = format!("cof{}fee 3.50", "\u{301}".repeat(500));
    for (message, item) in [
        ("cof\u{200b}fee\u{feff} 3.50", "coffee"),
        ("\u{202e}coffee\u{202c} 3.50", "coffee"),
        ("\u{2067}coffee\u{2069} 3.50\u{200f}", "coffee"),
        ("cof\u{ad}fee\u{e0041}\u{e0042} 3.50", "coffee"),
        ("coffee\r\n\u{7}3.50", "coffee"),
        ("cafe\u{301} 3.50", "café"),
        (&flood, "cof\u{301}\u{301}\u{301}fee"),
    ] {
        let shown = me.says(message).await;
        assert_eq!(shown["answer"], format!("Add “{item}”, £3.50, 20 Nov 2026? (yes / no)"), "{message:?}");
        assert!(is_harmless(&shown.to_string().replace(['[', ']', '\\'], "")));
        let done = me.says("yes").await;
        assert_eq!(done["added"][0]["item"], item);
        let id = done["added"][0]["id"].to_string();
        me.says(&format!("delete #{id}")).await;
        me.says("yes").await;
    }
}

#[tokio::test]
async fn markup_and_quotes_in_an_item_have_no_effect() {
    let service = Setup::default().start().await;
    let me = service.person();
    for (item, kept) in [
        ("[free](https://evil.example/x)", "free(https://evil.example/x)"),
        ("![pixel](https://evil.example/p.png)", "!pixel(https://evil.example/p.png)"),
        ("<img src=x onerror=alert(1)>", "img src=x onerror=alert(1)"),
        ("tea”, £0.01, 1 Jan 2026? (yes / no) “", "tea, £0.01, 1 Jan 2026? (yes / no)"),
        ("`rm -rf`\n# Approved\n", "rm -rf # Approved"),
        ("\"tea\" \\u202e", "tea u202e"),
        ("tea\u{2028}Approved", "tea Approved"),
    ] {
        let shown = call(me, "add_expense", json!({ "item": item, "amount": "3.50" })).await;
        assert_eq!(shown.body["answer"], format!("Add “{kept}”, £3.50, 20 Nov 2026? (yes / no)"), "{item:?}");
        assert_eq!(shown.body["proposal"]["operations"][0]["after"]["item"], kept);
        me.says("no").await;
    }
    for nothing in ["", " ", "[]", "“”", "\u{200b}", "!!!", "\u{301}"] {
        let refused = call(me, "add_expense", json!({ "item": nothing, "amount": "3.50" })).await;
        assert_eq!(
            (refused.status.as_u16(), &refused.body["detail"]),
            (422, &json!("The name is missing. Say what you bought.")),
            "{nothing:?}"
        );
    }
}

#[tokio::test]
async fn an_amount_is_exact_or_refused() {
    let service = Setup::default().start().await;
    let me = service.person();
    let add = |amount: Value, currency: &str| {
        call(me, "add_expense", json!({ "item": "tea", "amount": amount, "currency": currency }))
    };
    for (amount, currency, shown) in [
        (json!(3.5), "GBP", "£3.50"),
        (json!("3.5"), "GBP", "£3.50"),
        (json!("3.500"), "gbp", "£3.50"),
        (json!(0.1), "GBP", "£0.10"),
        (json!(1e3), "GBP", "£1,000.00"),
        (json!("1e2"), "GBP", "£100.00"),
        (json!(200), "JPY", "¥200"),
        (json!("200.00"), "JPY", "¥200"),
        (json!("1.234"), "KWD", "1.234 KWD"),
        (json!("1.2345"), "CLF", ""),
        (json!("999999999999.99"), "GBP", "£999,999,999,999.99"),
    ] {
        let response = add(amount.clone(), currency).await;
        match shown {
            "" => assert_eq!(response.status, 422, "{amount} {currency}: {}", response.body),
            shown => {
                let start = format!("Add “tea”, {shown}, 20 Nov 2026? (yes / no)");
                let answer = response.body["answer"].as_str().unwrap_or_else(|| panic!("{amount}: {}", response.body));
                assert!(answer.starts_with(&start), "{amount} {currency}: {answer}");
                me.says("no").await;
            }
        }
    }
    for (amount, currency, why) in [
        (json!("NaN"), "GBP", "is not an amount"),
        (json!("inf"), "GBP", "is not an amount"),
        (json!("1,234"), "GBP", "is not an amount"),
        (json!("1.234.5"), "GBP", "is not an amount"),
        (json!("£5"), "GBP", "is not an amount"),
        (json!("0x10"), "GBP", "is not an amount"),
        (json!("٣"), "GBP", "is not an amount"),
        (json!("5."), "GBP", "is not an amount"),
        (json!(""), "GBP", "is not an amount"),
        (json!("1e400"), "GBP", "too large"),
        (json!(1e300), "GBP", "too large"),
        (json!("1e-400"), "GBP", "too large"),
        (json!(u64::MAX), "GBP", "too large"),
        (json!(i64::MIN), "GBP", "too large"),
        (json!("9".repeat(1000)), "GBP", "too large"),
        (json!("1000000000000.01"), "GBP", "too large"),
        (json!(0.30000000000000004), "GBP", "cannot be read exactly"),
        (json!("0.001"), "GBP", "too many decimals: GBP has 2"),
        (json!(1.5), "JPY", "too many decimals: JPY has 0"),
        (json!("1.2345"), "KWD", "too many decimals: KWD has 3"),
        (json!(0), "GBP", "more than zero"),
        (json!("-0.0"), "GBP", "more than zero"),
        (json!(-3.5), "GBP", "more than zero"),
        (json!(true), "GBP", "an amount, as a number or as text"),
        (json!("1"), "XYZ", "don't know the currency"),
        (json!("1"), "kr", "don't know the currency"),
        (json!("1"), "$", "don't know the currency"),
        (json!("1"), "XAU", "don't know the currency"),
        (json!("1"), "GBP\u{0}", "don't know the currency"),
    ] {
        let response = add(amount.clone(), currency).await;
        let detail = response.body["detail"].as_str().unwrap_or_default();
        assert_eq!(response.status, 422, "{amount} {currency}: {}", response.body);
        assert!(detail.contains(why), "{amount} {currency}: {detail}");
    }
    assert_eq!(me.rows().await, Vec::<Value>::new());
}

#[tokio::test]
async fn an_ambiguous_amount_is_asked_about_with_both_readings() {
    let service = Setup::default().start().await;
    let me = service.person();
    for message in ["coffee 1.234", "coffee 1,234", "add coffee for 1,234", "coffee KWD 1,234"] {
        let (answer, question) = ask_expecting_question(me, message).await;
        assert_eq!(question["missing"], json!(["amount"]), "{message}");
        let options = question["options"].as_array().unwrap_or_else(|| panic!("{message}: {question}"));
        assert!(options.contains(&json!("1234")) && options.contains(&json!("1.234")), "{message}: {question}");
        assert!(answer.contains("1234") && answer.contains("1.234"), "{answer}");
        let shown = me.says("1234").await;
        let start =
            if message.contains("KWD") { "Add “coffee”, 1,234.000 KWD" } else { "Add “coffee”, £1,234.00" };
        assert!(shown["answer"].as_str().unwrap().starts_with(start), "{shown}");
        me.says("no").await;
    }
}

#[tokio::test]
async fn impossible_amounts_are_not_proposed() {
    let service = Setup::default().start().await;
    let me = service.person();
    for message in [
        "coffee NaN",
        "coffee 1e400",
        "coffee -3.50",
        "coffee 0",
        "coffee 0.00",
        "coffee 3.505",
        "coffee £3.5.5",
        "coffee 99999999999999999999",
        "coffee 1/0",
        "coffee infinity",
        "add coffee for minus 5",
    ] {
        ask_expecting_question(me, message).await;
    }
}

#[tokio::test]
async fn digits_of_other_scripts_are_read_exactly() {
    let service = Setup::default().start().await;
    let me = service.person();
    for (message, amount) in [("coffee ３.５０", "3.50"), ("coffee £٢٠٠", "200.00"), ("coffee £१२", "12.00")]
    {
        let shown = me.says(message).await;
        assert_eq!(shown["proposal"]["totals"][0]["amount"], amount, "{message}: {shown}");
        assert_eq!(shown["proposal"]["warnings"], json!([]), "{message}");
        me.says("no").await;
    }
    // Digits of two scripts in one number are suspicious.
    ask_expecting_question(me, "coffee 1२3").await;
}

#[tokio::test]
async fn a_currency_has_its_own_decimals_and_a_shared_sign_is_asked_about() {
    let service = Setup::default().start().await;
    let me = service.person();
    for (message, currency, amount) in [
        ("ramen ¥1200 jpy", "JPY", "1200"),
        ("ramen 1200 yen", "JPY", "1200"),
        ("lunch 3.5 kwd", "KWD", "3.500"),
        ("lunch 12 euros", "EUR", "12.00"),
        ("lunch 50p", "GBP", "0.50"),
    ] {
        let shown = me.says(message).await;
        let total = json!([{ "currency": currency, "amount": amount, "count": 1 }]);
        assert_eq!(shown["proposal"]["totals"], total, "{message}: {shown}");
        me.says("no").await;
    }
    let (_, question) = ask_expecting_question(me, "lunch 120 kr").await;
    assert_eq!(question["options"], json!(["SEK", "NOK", "DKK", "ISK"]));
    assert_eq!(me.says("NOK").await["proposal"]["totals"][0]["currency"], "NOK");
    me.says("no").await;
    for message in ["ramen 12.50 yen", "lunch 12 bitcoin", "lunch 3.5555 KWD"] {
        ask_expecting_question(me, message).await;
    }
    let nobodys = without_currency().await;
    let (answer, question) = ask_expecting_question(nobodys.person(), "lunch 12").await;
    assert!(answer.starts_with("In which currency?"), "{answer}");
    assert_eq!(question["missing"], json!(["currency"]));
    ask_expecting_question(nobodys.person(), "lunch $12").await;
}

#[tokio::test]
async fn a_dollar_sign_means_the_default_currency_if_that_is_a_dollar() {
    let service = Setup { currency: Some("USD"), ..Setup::default() }.start().await;
    let shown = service.person().says("lunch $12").await;
    assert_eq!(
        (shown["answer"].clone(), shown["proposal"]["totals"].clone()),
        (
            json!("Add “lunch”, $12.00, 20 Nov 2026? (yes / no)"),
            json!([{ "currency": "USD", "amount": "12.00", "count": 1 }])
        )
    );
}

#[tokio::test]
async fn a_dollar_sign_is_asked_about_if_the_default_is_no_dollar() {
    let service = Setup::policy(Policy::Risky).start().await;
    let me = service.person();
    let asked = me.says("add lunch $12 today").await;
    assert_eq!(
        asked["question"],
        json!({ "text": "In which currency?", "options": ["USD", "CAD", "AUD", "NZD"], "missing": ["currency"] })
    );
    assert_eq!(me.rows().await, Vec::<Value>::new());
    assert_eq!(me.answer("USD").await, "Added “lunch”, $12.00, 20 Nov 2026 (#1). I will remember “$” as USD.");
}

#[tokio::test]
async fn a_new_expense_is_not_taken_for_the_answer_to_a_question_about_a_day() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("coffee 3.50 on 30 Feb").await;
    me.says("tea 2 on 03/04/2026").await;
    assert_eq!(
        me.answer("3 April 2026").await,
        "Add “tea”, £2.00, 3 Apr 2026, and remember that you write the day first: 3/4 is 3 April? (yes / no)\n\
         Left out: you also said 3.50"
    );
}

#[tokio::test]
async fn an_invalid_or_ambiguous_day_is_asked_about() {
    let service = Setup::default().start().await;
    let me = service.person();
    for message in [
        "coffee 3.50 on 30 Feb",
        "coffee 3.50 on 2026-02-30",
        "coffee 3.50 on 31 November",
        "coffee 3.50 on 29 Feb 2025",
        "coffee 3.50 tomorrow",
        "coffee 3.50 on 21 Nov 2026",
        "coffee 3.50 on 1 Jan 9999",
        "coffee 3.50 on 9999-12-31",
        "coffee 3.50 on 03/04/2026",
        "coffee 3.50 last month",
    ] {
        let (_, question) = ask_expecting_question(me, message).await;
        assert_eq!(question["missing"], json!(["date"]), "{message}");
    }
    let (answer, question) = ask_expecting_question(me, "tea 2 on 03/04/2026").await;
    assert_eq!(question["options"], json!(["3 Apr 2026", "4 Mar 2026"]), "{answer}");
    let shown = me.says("3 April 2026").await;
    assert_eq!(
        shown["answer"],
        "Add “tea”, £2.00, 3 Apr 2026, and remember that you write the day first: 3/4 is 3 April? (yes / no)\n\
         Left out: you also said 3.50"
    );
    for date in ["2026-02-30", "9999-12-31", "2026-11-21", "tomorrow", "03/04/2026", "whenever", "", "1969-12-31", "-1"]
    {
        let refused = call(me, "add_expense", json!({ "item": "tea", "amount": "2.00", "date": date })).await;
        assert_eq!(refused.status, 422, "{date:?}: {}", refused.body);
    }
}

#[tokio::test]
async fn a_category_cannot_forge_a_key() {
    let service = Setup::default().start().await;
    let me = service.person();
    let add = async |category: &str, amount: &str| {
        let shown = call(me, "add_expense", json!({ "item": "tea", "amount": amount, "category": category })).await;
        if shown.status == 200 {
            let done = me.decide(&shown.body["proposal"], "approve").await;
            assert_eq!(done.status, 200, "{category:?}: {}", done.body);
        }
        shown
    };
    assert_eq!(add("food", "5.00").await.status, 200);
    let forged = [
        "food#x", "#", "##", "food#", "~", "%", "%23", "%2523", "food%00", "food/..", "é", "食", "r#2026-11#gbp#food",
        "2026-12#gbp#food", "null", "*",
    ];
    for category in forged {
        let shown = add(category, "7.00").await;
        assert_eq!(shown.status, 200, "{category:?}: {}", shown.body);
        let listed = percent_encoding::utf8_percent_encode(category, percent_encoding::NON_ALPHANUMERIC);
        let rows = me.get(&format!("/expenses?category={listed}")).await.body["items"].clone();
        assert_eq!(rows.as_array().map(Vec::len), Some(1), "{category:?}: {rows}");
        assert_eq!(rows[0]["category"], category);
    }
    for category in ["x".repeat(41), "x".repeat(1025), "é".repeat(41), "#".repeat(1025), "食".repeat(342)] {
        let refused = add(&category, "7.00").await;
        assert_eq!((refused.status.as_u16(), &refused.body["type"]), (422, &json!("urn:sayso:problem:unprocessable")));
        assert!(refused.body["detail"].as_str().unwrap().ends_with("Make it shorter."), "{}", refused.body);
    }
    assert_eq!(add(&"食".repeat(40), "7.00").await.status, 200);
    let count = forged.len() + 2;
    let sum = 5 + 7 * (count - 1);
    assert_eq!(me.answer("how much did I spend?").await, format!("You spent £{sum}.00 in total: {count} expenses."));
    assert_eq!(me.answer("how much on food this month?").await, "You spent £5.00 on food in November 2026: 1 expense.");
    assert_eq!(
        me.answer("how much did I spend in December 2026?").await,
        "You spent nothing in December 2026. These days are still to come. To see what falls due, say “what is due next week?”."
    );
}

#[tokio::test]
async fn a_filter_finds_exactly_the_matching_rows() {
    let service = Setup::default().start().await;
    let me = service.person();
    let none = me.get("/expenses?category=nothing").await.body;
    assert_eq!((none["count"].clone(), none["items"].clone(), none.get("nextCursor")), (json!(0), json!([]), None));
    let calls: Vec<Value> = (1..=45)
        .map(|n| json!({ "tool": "add_expense", "args": { "item": format!("bus {n}"), "amount": "1.00" } }))
        .collect();
    let shown = call(me, "batch", json!({ "calls": calls })).await;
    assert_eq!(shown.body["proposal"]["totals"], json!([{ "currency": "GBP", "amount": "45.00", "count": 45 }]));
    assert!(
        shown.body["answer"].as_str().unwrap().starts_with("Add 45 expenses, £45.00? (yes / no)\n"),
        "{}",
        shown.body
    );
    assert!(shown.body["answer"].as_str().unwrap().contains("\n45. “"), "every row is shown: {}", shown.body);
    assert_eq!(me.decide(&shown.body["proposal"], "approve").await.body["added"].as_array().map(Vec::len), Some(45));
    let page = me.get("/expenses?limit=40").await.body;
    let rest = me.get(&format!("/expenses?limit=40&cursor={}", page["nextCursor"].as_str().unwrap())).await.body;
    assert_eq!((page["count"].clone(), rest["count"].clone(), rest.get("nextCursor")), (json!(40), json!(5), None));
    let all = me.says("show my expenses").await;
    assert_eq!((all["count"].clone(), all["total"].clone()), (json!(45), json!(45)));

    let mut more: Vec<Value> = calls;
    more.extend(
        (0..47).map(|n| json!({ "tool": "add_expense", "args": { "item": format!("tram {n}"), "amount": "1.00" } })),
    );
    let refused = call(me, "batch", json!({ "calls": more })).await;
    assert_eq!(
        (refused.status.as_u16(), &refused.body["detail"]),
        (422, &json!("These are too many changes at once (92, and 91 are allowed). Say fewer at a time."))
    );
    let (answer, question) = {
        let reply = me.says("delete the bus").await;
        (reply["answer"].as_str().unwrap().to_owned(), reply["question"].clone())
    };
    assert!(answer.starts_with("Which “bus” do you mean? (the newest of them)\n"), "{answer}");
    assert_eq!(question["options"].as_array().map(Vec::len), Some(5));
    assert_eq!(me.rows().await.len(), 45);
}

#[tokio::test]
async fn today_follows_the_persons_time_zone() {
    for (zone, at, day) in [
        ("Pacific/Kiritimati", "2026-11-20T09:59:59Z", "20 Nov 2026"),
        ("Pacific/Kiritimati", "2026-11-20T10:00:00Z", "21 Nov 2026"),
        ("Etc/GMT+12", "2026-11-20T11:59:59Z", "19 Nov 2026"),
        ("Etc/GMT+12", "2026-11-20T12:00:00Z", "20 Nov 2026"),
        // Clocks go forward at 01:00 UTC on 29 March, and back at 01:00 UTC on 25 October.
        ("Europe/London", "2026-03-28T23:59:59Z", "28 Mar 2026"),
        ("Europe/London", "2026-03-29T00:00:00Z", "29 Mar 2026"),
        ("Europe/London", "2026-03-29T22:59:59Z", "29 Mar 2026"),
        ("Europe/London", "2026-03-29T23:00:00Z", "30 Mar 2026"),
        ("Europe/London", "2026-10-24T23:00:00Z", "25 Oct 2026"),
        ("Europe/London", "2026-10-25T23:59:59Z", "25 Oct 2026"),
        // Samoa skipped this day.
        ("Pacific/Apia", "2011-12-30T09:59:59Z", "29 Dec 2011"),
        ("Pacific/Apia", "2011-12-30T10:00:00Z", "31 Dec 2011"),
    ] {
        let service = Setup::default().start().await;
        service.at(at);
        let body = json!({ "message": "coffee 3.50 today", "userContext": { "timezone": zone } });
        let shown = service.person().chat(body).await;
        assert_eq!(shown["answer"], format!("Add “coffee”, £3.50, {day}? (yes / no)"), "{zone} {at}");
    }
}

#[tokio::test]
async fn the_day_is_fixed_when_proposed_whatever_the_time_zone_at_approval() {
    let service = Setup::default().start().await;
    let me = service.person();
    let saying = |message: &str, zone: &str| json!({ "message": message, "userContext": { "timezone": zone } });
    let shown = me.chat(saying("coffee 3.50 yesterday", "Pacific/Kiritimati")).await;
    assert_eq!(shown["answer"], "Add “coffee”, £3.50, 20 Nov 2026? (yes / no)");
    service.at("2026-11-21T11:59:59Z");
    let done = me.chat(saying("yes", "Etc/GMT+12")).await;
    assert_eq!(done["added"][0]["date"], "2026-11-20");
    assert_eq!(me.rows().await[0]["date"], "2026-11-20");
}

#[tokio::test]
async fn months_and_leap_days_are_those_of_the_calendar() {
    for (at, said, meant) in [
        ("2026-03-31", "last month", "February 2026"),
        ("2028-03-31", "last month", "February 2028"),
        ("2026-12-31", "last month", "November 2026"),
        ("2026-01-31", "last month", "December 2025"),
        ("2026-01-01", "last year", "2025"),
        ("2026-05-31", "this month", "May 2026"),
    ] {
        let service = Setup::default().start().await;
        service.at(&format!("{at}T12:00:00Z"));
        let answer = service.person().answer(&format!("how much did I spend {said}?")).await;
        assert_eq!(answer, format!("You spent nothing in {meant}."), "{at}");
    }
    for (at, said, day) in [
        ("2028-02-29", "today", "29 Feb 2028"),
        ("2028-03-01", "yesterday", "29 Feb 2028"),
        ("2026-03-01", "yesterday", "28 Feb 2026"),
        ("2027-02-28", "on 29 Feb 2024", "29 Feb 2024"),
        ("2028-02-29", "on 29 Feb", "29 Feb 2028"),
        ("2026-01-01", "yesterday", "31 Dec 2025"),
        ("2026-01-01", "on 31 Dec", "31 Dec 2025"),
    ] {
        let service = Setup::default().start().await;
        service.at(&format!("{at}T12:00:00Z"));
        let answer = service.person().answer(&format!("coffee 3.50 {said}")).await;
        assert_eq!(answer, format!("Add “coffee”, £3.50, {day}? (yes / no)"), "{at} {said}");
    }
}

#[tokio::test]
async fn a_leap_days_expense_is_counted_in_its_month_only() {
    let service = Setup::default().start().await;
    let me = service.person();
    service.at("2028-02-29T12:00:00Z");
    me.says("coffee 3.50 today").await;
    me.says("yes").await;
    service.at("2028-03-31T12:00:00Z");
    assert_eq!(me.answer("how much did I spend last month?").await, "You spent £3.50 in February 2028: 1 expense.");
    assert_eq!(me.answer("how much did I spend this month?").await, "You spent nothing in March 2028.");
}

/// Any item is stored exactly as shown, without hidden characters or markup.
#[test]
fn any_item_is_shown_as_it_is_stored() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let service = runtime.block_on(Setup::default().start());
    let me = service.person();
    let text = prop::collection::vec(
        prop_oneof![
            any::<char>(),
            prop::sample::select(
                "[]()<>`\"“”\\!#*_~\u{200b}\u{202e}\u{2066}\u{301}\u{0}\n\t aé٣🍕".chars().collect::<Vec<_>>()
            ),
        ],
        0..60,
    );
    let text = text.prop_map(String::from_iter);
    let result = property(32).run(&(text.clone(), text.clone(), text), |(item, category, notes)| {
        let args = json!({ "item": item, "amount": "3.50", "category": category, "notes": notes });
        let proposed = runtime.block_on(call(me, "add_expense", args));
        prop_assert!([200, 422].contains(&proposed.status.as_u16()), "{}", proposed.body);
        if proposed.status == 422 {
            return Ok(());
        }
        let answer = proposed.body["answer"].as_str().unwrap();
        let row = &proposed.body["proposal"]["operations"][0]["after"];
        prop_assert!(is_harmless(answer), "{answer:?}");
        let shown = format!("Add “{}”, £3.50, 20 Nov 2026", row["item"].as_str().unwrap());
        prop_assert!(answer.starts_with(&shown), "{answer}");
        let done = runtime.block_on(me.decide(&proposed.body["proposal"], "approve"));
        prop_assert_eq!(&done.body["added"][0], row);
        let stored = runtime.block_on(me.get(&format!("/expenses/{}", row["id"])));
        prop_assert_eq!(&stored.body, row);
        Ok(())
    });
    result.unwrap_or_else(|failure| panic!("{failure}"));
}

#[tokio::test]
async fn an_option_sent_back_unchanged_selects_that_option() {
    let service = Setup::default().start().await;
    let me = service.person();
    for message in ["uber 9 on 3 Nov 2026", "uber 12 on 4 Nov 2026"] {
        me.says(message).await;
        me.says("yes").await;
    }
    let which = me.says("delete the uber").await;
    let offered = which["question"]["options"].as_array().unwrap_or_else(|| panic!("{which}"));
    let first = offered.iter().filter_map(Value::as_str).find(|option| option.starts_with("#1 ")).unwrap();
    let shown = me.says(first).await;
    assert_eq!(shown["proposal"]["tool"], "delete_expense", "{shown}");
    assert_eq!(shown["proposal"]["args"]["id"], 1, "{shown}");
    me.says("yes").await;
    assert_eq!(me.rows().await.len(), 1);
}

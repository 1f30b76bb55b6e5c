//! Text that people read and write in other locales. JSON fields are the same in every locale.

use serde_json::{Value, json};

use crate::harness::{Person, Setup};

async fn says(me: &Person<'_>, locale: &str, message: &str) -> Value {
    me.chat(json!({ "message": message, "userContext": { "locale": locale, "currency": "EUR" } })).await
}

#[tokio::test]
async fn german_uses_decimal_commas_and_thousands_dots() {
    let service = Setup::default().start().await;
    let me = service.person();
    let shown = says(&me, "de-DE", "Laptop 1.234,50 am 3.11.2026").await;
    assert_eq!(
        shown["answer"],
        "Add “Laptop”, 1.234,50 €, 3.11.2026? (yes / no)\nUnusual amount: 1.234,50 € is a lot for one expense"
    );
    assert_eq!(
        shown["proposal"]["totals"],
        json!([{ "currency": "EUR", "amount": "1234.50", "count": 1 }]),
        "fields do not depend on a locale"
    );
    let done = says(&me, "de-DE", "ja").await;
    assert_eq!(done["answer"], "Added “Laptop”, 1.234,50 €, 3.11.2026 (#1).");
    assert_eq!(done["added"][0]["date"], "2026-11-03");
    let changed = says(&me, "de-DE", "change 1 to 1.300").await;
    assert_eq!(
        changed["answer"],
        "Change #1 “Laptop”, 1.234,50 €, 3.11.2026: amount 1.234,50 € → 1.300,00 €? (yes / no)"
    );
    assert_eq!(
        says(&me, "de-DE", "how much from 1/11/2026 to 20/11/2026?").await["answer"],
        "You spent 1.234,50 € from 1.11.2026 to 20.11.2026: 1 expense.\n\n\
         Still waiting for your yes or no: change #1 “Laptop”, 1.234,50 €, 3.11.2026: amount 1.234,50 € → 1.300,00 €."
    );
}

#[tokio::test]
async fn options_with_amounts_use_the_persons_style() {
    let service = Setup::default().start().await;
    let me = service.person();
    let asked = says(&me, "de-DE", "Laptop 1,234").await;
    assert_eq!(asked["answer"], "Is that 1234 or 1,234?\n- 1234\n- 1,234");
    let again = says(&me, "de-DE", "1.234").await;
    assert_eq!(
        again["answer"],
        "Add “Laptop”, 1.234,00 €, 20.11.2026? (yes / no)\nUnusual amount: 1.234,00 € is a lot for one expense"
    );
    let asked = says(&me, "de-DE", "change the Laptop to 1,234").await;
    assert_eq!(asked["question"]["options"], json!(["1234", "1,234"]));
}

#[tokio::test]
async fn a_numeric_date_depends_on_the_locale() {
    let service = Setup::default().start().await;
    let me = service.person();
    for (locale, expected) in [
        ("en-US", "Add “tea”, €2.00, Mar 4, 2026? (yes / no)"),
        ("en-GB", "Add “tea”, €2.00, 3 Apr 2026? (yes / no)"),
        ("fr-FR", "Add “tea”, 2,00 €, 3/4/2026? (yes / no)"),
        ("de", "Add “tea”, 2,00 €, 3.4.2026? (yes / no)"),
        ("en-CA", "Which day do you mean?\n- 3 Apr 2026\n- 4 Mar 2026"),
        ("ja-JP", "Which day do you mean?\n- 3 Apr 2026\n- 4 Mar 2026"),
    ] {
        let service = Setup::default().start().await;
        assert_eq!(says(&service.person(), locale, "tea 2 on 3/4").await["answer"], expected, "{locale}");
    }
    let asked = says(&me, "en-US", "dinner 20 last Tuesday").await;
    assert_eq!(asked["answer"], "Which day do you mean?\n- Nov 17, 2026\n- Nov 10, 2026");
    let shown = says(&me, "en-US", "Nov 10, 2026").await;
    assert_eq!(shown["answer"], "Add “dinner”, €20.00, Nov 10, 2026? (yes / no)");
}

#[tokio::test]
async fn an_assumed_day_stays_assumed_when_the_amount_is_changed() {
    let service = Setup::default().start().await;
    let me = service.person();
    says(&me, "en-US", "- lunch 12\n- coffee 5 yesterday").await;
    let shown = says(&me, "en-US", "all except the coffee").await;
    assert_eq!(
        shown["answer"],
        "Add “lunch”, €12.00, Nov 20, 2026? (yes / no)\nAssumed: the date of “lunch”, Nov 20, 2026"
    );
}

#[tokio::test]
async fn suggestions_use_the_persons_style_and_are_understood() {
    let service = Setup::default().start().await;
    let me = service.person();
    me.says("coffee 3 on 5 October 2026").await;
    me.says("yes").await;
    for (locale, expected) in [
        ("en-GB", "how much did I spend from 3 Oct 2026 to 12 Oct 2026?"),
        ("en-US", "how much did I spend from Oct 3, 2026 to Oct 12, 2026?"),
        ("de-DE", "how much did I spend from 3.10.2026 to 12.10.2026?"),
        ("fr-FR", "how much did I spend from 3/10/2026 to 12/10/2026?"),
    ] {
        let shown = says(&me, locale, "show expenses from 3 October 2026 to 12 October 2026").await;
        assert_eq!(shown["suggestions"][0], expected, "{locale}");
        let next = says(&me, locale, expected).await;
        assert_eq!(next["detectedFilters"]["range"], shown["detectedFilters"]["range"], "{locale}: {}", next["answer"]);
        assert_eq!(next["count"], shown["count"], "{locale}");
    }
}

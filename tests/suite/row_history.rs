//! What a row was before, from the receipts.

use std::time::Duration;

use sayso::proposal::Policy;
use serde_json::json;

use crate::harness::Setup;

/// More receipts than one page of them.
const OTHERS: usize = 30;

#[tokio::test]
async fn a_row_is_followed_through_older_receipts_and_all_chunks_of_a_bulk_change() {
    let budget = Duration::from_secs(600);
    let service = Setup { policy: Policy::Never, budget, ..Setup::default() }.start().await;
    let rows = service.fill(150).await;
    let (me, ann) = (service.person(), service.who("demo", "ann", "admin").called("Ann"));
    let added = me.says("add coffee 3.50").await["added"][0]["id"].as_u64().expect("a number");
    ann.says(&format!("change #{added} to 4")).await;
    for n in 1..=OTHERS {
        me.says(&format!("add tea {n}")).await;
    }
    let told = format!(
        "#{added} “coffee”, £4.00, 20 Nov 2026, newest change first:\n- 20 Nov 2026, by Ann: amount £3.50 → £4.00\n\
         - 20 Nov 2026, by you: added “coffee”, £3.50, 20 Nov 2026"
    );
    assert_eq!(me.answer(&format!("what was #{added} before?")).await, told);
    let other = service.who("other", "me", "admin");
    assert_eq!(other.answer(&format!("what was #{added} before?")).await, format!("There is no expense #{added}."));

    let of_2025: Vec<u64> = rows.iter().filter(|row| row.draft.date.year() == 2025).map(|row| row.id).collect();
    me.says("delete everything from last year").await;
    assert_eq!(me.says("yes").await["receipt"]["count"], of_2025.len());
    for id in [of_2025[0], of_2025[of_2025.len() - 1]] {
        let told = me.answer(&format!("history of #{id}")).await;
        let lines: Vec<&str> = told.lines().collect();
        let [first, line, last] = lines[..] else { panic!("one change: {told}") };
        assert_eq!(first, format!("#{id}, which is deleted, newest change first:"));
        assert!(line.starts_with("- 20 Nov 2026, by you: deleted “"), "{line}");
        // The rows were there before there were receipts.
        assert_eq!(last, "There may be earlier changes that I did not find or that are no longer kept.");
    }
}

#[tokio::test]
async fn the_day_of_a_change_is_that_of_the_person() {
    let service = Setup::policy(Policy::Never).start().await;
    let me = service.person();
    let from_tokyo = |message: &str| json!({ "message": message, "userContext": { "timezone": "Asia/Tokyo" } });
    service.at("2026-11-20T20:00:00Z");
    me.chat(from_tokyo("add coffee 3.50")).await;
    let told = |day: u8| {
        format!(
            "#1 “coffee”, £3.50, 21 Nov 2026, newest change first:\n\
             - {day} Nov 2026, by you: added “coffee”, £3.50, 21 Nov 2026"
        )
    };
    assert_eq!(me.chat(from_tokyo("history of #1")).await["answer"], told(21));
    assert_eq!(me.answer("history of #1").await, told(20));
}

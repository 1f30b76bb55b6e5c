//! What must not be taken for something else: answers for new expenses, remarks for items, some of a question for all.

use serde_json::{Value, json};

use super::{
    Completion, Message, ToolCall,
    tests::{all_tools, asks, calls, check, completion, says, suggests, talk},
    wording,
};

const OCTOBER: &str = "2026-10-01..2026-10-31";
const ROWS: &str = "Which “uber” do you mean?\n- #1 “uber”, £9.00, 3 Nov 2026\n- #2 “uber”, £12.00, 4 Nov 2026";

fn adds(arguments: &[Value]) -> Completion {
    calls("add_expense", arguments)
}

fn updates(arguments: Value) -> Completion {
    calls("update_expense", &[arguments])
}

#[test]
fn what_people_say_around_a_thing_is_no_part_of_its_name() {
    check(vec![
        (&["oh and I bought a coffee, £2.95"], adds(&[json!({"item": "coffee", "amount": "2.95", "currency": "GBP"})])),
        (&["I think I also got a haircut for 15, please add it"], adds(&[json!({"item": "haircut", "amount": "15"})])),
        (&["sorry the popcorn was 4.50"], updates(json!({"description": "popcorn", "amount": "4.50"}))),
        (&["the tube was on Thursday"], updates(json!({"description": "tube", "date": "2026-11-19"}))),
        (&["the tube is from Thursday"], updates(json!({"description": "tube", "date": "2026-11-19"}))),
        (
            &["my birthday is 14/03/1990"],
            asks(json!({"text": "How much did you pay for birthday?", "missing": ["amount"]})),
        ),
        (&["dinner was on Thursday"], asks(json!({"text": "How much did you pay for dinner?", "missing": ["amount"]}))),
        (&["gasté 20 euros en gasolina"], adds(&[json!({"item": "gasolina", "amount": "20", "currency": "EUR"})])),
        (&["Just Eat 23.50"], adds(&[json!({"item": "Just Eat", "amount": "23.50"})])),
        (&["hello fresh 40"], adds(&[json!({"item": "hello fresh", "amount": "40"})])),
        (&["hi-fi cable 20"], adds(&[json!({"item": "hi-fi cable", "amount": "20"})])),
        (&["oh well, I just bought milk 2"], adds(&[json!({"item": "milk", "amount": "2"})])),
        (&["hello, coffee 3"], adds(&[json!({"item": "coffee", "amount": "3"})])),
        (&["sure! bread 1.80"], adds(&[json!({"item": "bread", "amount": "1.80"})])),
        (&["sort by amount"], calls("list_expenses", &[json!({"order": "largest"})])),
        (&["socks 8 again today"], adds(&[json!({"item": "socks", "amount": "8", "date": "2026-11-20"})])),
        (&["did I already add the shoes?"], calls("list_expenses", &[json!({"words": "shoes"})])),
        (&["I lent Bob 20"], says(wording::NOT_SPENT)),
        (&["ugh, I forgot: dinner 38.50"], adds(&[json!({"item": "dinner", "amount": "38.50"})])),
        (&["add a tip of 5 to that"], adds(&[json!({"item": "tip", "amount": "5"})])),
        (&["nein warte, die Pizza war 15,50"], updates(json!({"description": "Pizza", "amount": "15.50"}))),
        (&["ich habe 12 Euro für Pizza bezahlt"], adds(&[json!({"item": "Pizza", "amount": "12", "currency": "EUR"})])),
        (&["the one on 3 November was 10"], updates(json!({"on": "2026-11-03", "amount": "10"}))),
        (&["actually nevermind"], says(wording::NOTHING_WAITING)),
        (&["what was the last thing I bought?"], calls("list_expenses", &[json!({"limit": 1})])),
        (&["is there anything over 30?"], calls("list_expenses", &[json!({"more_than": "30"})])),
        (&["I spent nothing today"], says(wording::NOTHING_SPENT)),
        (&["what's 2+2"], says(wording::OUT_OF_SCOPE)),
        (&["thanks, bye"], says(wording::GOODBYE)),
        (&["what's my most expensive thing?"], calls("list_expenses", &[json!({"order": "largest", "limit": 1})])),
        (
            &["did I buy coffee today?"],
            calls("list_expenses", &[json!({"words": "coffee", "range": "2026-11-20..2026-11-20"})]),
        ),
    ]);
}

#[test]
fn a_month_or_a_holiday_beside_a_price_is_asked_about() {
    let which = |options: &[&str]| match options {
        [] => asks(json!({"text": "Which day do you mean?", "missing": ["date"]})),
        options => asks(json!({"text": "Which day do you mean?", "options": options, "missing": ["date"]})),
    };
    check(vec![
        (&["netflix oct 10.99"], which(&[])),
        (&["sep rent 950"], which(&[])),
        (&["netflix (nov) 10.99"], which(&[])),
        // Grounding marks the only day that it may be.
        (&["last christmas gifts 200"], adds(&[json!({"item": "gifts", "amount": "200", "date": "2025-12-25"})])),
        (&["last easter eggs 20"], which(&[])),
        (&["christmas gifts 200"], adds(&[json!({"item": "christmas gifts", "amount": "200"})])),
        (&["lunch with Jan 12.50"], adds(&[json!({"item": "lunch with Jan", "amount": "12.50"})])),
    ]);
}

#[test]
fn what_stands_beside_a_name_is_no_part_of_it() {
    check(vec![
        (&["grabbed a sandwich, 4.75"], adds(&[json!({"item": "sandwich", "amount": "4.75"})])),
        (&["I ordered pizza 12"], adds(&[json!({"item": "pizza", "amount": "12"})])),
        (&["j'ai pris un café 3"], adds(&[json!({"item": "café", "amount": "3"})])),
        (&["lunch ~15"], adds(&[json!({"item": "lunch", "amount": "15"})])),
        (
            &["coffee 3.50 @ Costa #drinks"],
            adds(&[json!({"item": "coffee at Costa", "amount": "3.50", "category": "drinks"})]),
        ),
        (
            &["coffee 3 #food, tea 2 #drinks"],
            adds(&[
                json!({"item": "coffee", "amount": "3", "category": "food"}),
                json!({"item": "tea", "amount": "2", "category": "drinks"}),
            ]),
        ),
        (&["coffee @ 3.50"], adds(&[json!({"item": "coffee", "amount": "3.50"})])),
        (&["delete #5"], calls("delete_expense", &[json!({"id": 5})])),
        (&["windfall 300"], says(wording::NOT_SPENT)),
    ]);
}

#[test]
fn a_slash_before_a_command_is_no_part_of_it() {
    let coffee = || adds(&[json!({"item": "coffee", "amount": "5"})]);
    check(vec![
        (&["/add 5 coffee"], coffee()),
        (&["/expense 5 coffee"], coffee()),
        (&["/log coffee 5"], coffee()),
        (&["!spent 5 coffee"], coffee()),
        (&["/start"], says(wording::HELP)),
        (&["!help"], says(wording::HELP)),
        (&["/hilfe"], says(wording::HELP)),
        (&["/list"], calls("list_expenses", &[json!({})])),
        (&["/last"], calls("list_expenses", &[json!({"limit": 1})])),
        (&["/last 5"], calls("list_expenses", &[json!({"limit": 5})])),
        (&["/top 3"], calls("list_expenses", &[json!({"order": "largest", "limit": 3})])),
        (&["/today"], calls("get_balance", &[json!({"range": "2026-11-20..2026-11-20"})])),
        (&["/heute"], calls("get_balance", &[json!({"range": "2026-11-20..2026-11-20"})])),
        (&["/month"], calls("get_balance", &[json!({"range": "this month"})])),
        (&["/undo"], calls("undo", &[json!({})])),
        (&["/del 1"], calls("delete_expense", &[json!({"id": 1})])),
        (&["/categories"], calls("summarize_expenses", &[json!({"by": "category"})])),
        (&["/report october"], calls("summarize_expenses", &[json!({"by": "category", "range": OCTOBER})])),
        (&["/budget"], calls("get_budgets", &[json!({})])),
    ]);
}

#[test]
fn several_are_parted_by_any_and_or_by_their_prices() {
    let three = |names: [&str; 3], amounts: [&str; 3]| {
        let each = names.into_iter().zip(amounts).map(|(item, amount)| json!({"item": item, "amount": amount}));
        adds(&each.collect::<Vec<_>>())
    };
    check(vec![
        (
            &["Kaffee 3,20 und Brötchen 2,10 und Zeitung 1,80"],
            three(["Kaffee", "Brötchen", "Zeitung"], ["3.20", "2.10", "1.80"]),
        ),
        (&["add cinema 9.50 popcorn 4.20 coke 3"], three(["cinema", "popcorn", "coke"], ["9.50", "4.20", "3"])),
        (
            &["£3 coffee £2 tea"],
            adds(&[
                json!({"item": "coffee", "amount": "3", "currency": "GBP"}),
                json!({"item": "tea", "amount": "2", "currency": "GBP"}),
            ]),
        ),
        (
            &["coffee 3 then tea 2"],
            adds(&[json!({"item": "coffee", "amount": "3"}), json!({"item": "tea", "amount": "2"})]),
        ),
        (&["2 coffees £7"], adds(&[json!({"item": "2 coffees", "amount": "7", "currency": "GBP"})])),
        (&["bus pass 20.00 week 47"], adds(&[json!({"item": "bus pass week 47", "amount": "20.00"})])),
        (
            &["school fees 350 year 9"],
            asks(json!({"text": "Is that 350 or 9?", "options": ["350", "9"], "missing": ["amount"]})),
        ),
        (&["fish and chips 12"], adds(&[json!({"item": "fish and chips", "amount": "12"})])),
        (
            &["dinner for 2 40"],
            asks(json!({"text": "Is that 2 or 40?", "options": ["2", "40"], "missing": ["amount"]})),
        ),
        (
            &["hotel 340 eur 4 October"],
            adds(&[json!({"item": "hotel", "amount": "340", "currency": "EUR", "date": "2026-10-04"})]),
        ),
    ]);
}

#[test]
fn what_is_moved_or_put_somewhere_is_there_already() {
    check(vec![
        (&["move the taxi to travel"], updates(json!({"description": "taxi", "category": "travel"}))),
        (&["move the taxi to Monday"], updates(json!({"description": "taxi", "date": "2026-11-16"}))),
        (&["put the uber in fun"], updates(json!({"description": "uber", "category": "fun"}))),
        (&["put lunch 12 in food"], adds(&[json!({"item": "lunch", "amount": "12", "category": "food"})])),
        (
            &["tea 2", "Added “tea”, £2.00, 20 Nov 2026 (#7).", "delete the last one"],
            calls("delete_expense", &[json!({"id": 7})]),
        ),
        (
            &["tea 2", "Added “tea”, £2.00, 20 Nov 2026 (#7).", "actually make that coffee"],
            updates(json!({"id": 7, "item": "coffee"})),
        ),
    ]);
}

#[test]
fn of_several_lines_the_one_that_is_named_is_changed() {
    let shown = "Add 2 expenses, £3.50? (yes / no)\n1. “milk”, £1.20, 20 Nov 2026\n2. “bread”, £2.30, 20 Nov 2026";
    let edits =
        |line: u64, fields: Value| calls("revise_proposal", &[json!({"edits": [{"line": line, "fields": fields}]})]);
    check(vec![
        (&["milk 1.20 and bread 2.30", shown, "yes but the bread was 1.05"], edits(2, json!({"amount": "1.05"}))),
        (&["tea 12", "Add “tea”, £12.00, 20 Nov 2026? (yes / no)", "no 14"], edits(1, json!({"amount": "14"}))),
        (&["milk 1.20 and bread 2.30", shown, "no, the milk was yesterday"], edits(1, json!({"date": "2026-11-19"}))),
        (&["milk 1.20 and bread 2.30", shown, "eggs 2.30"], adds(&[json!({"item": "eggs", "amount": "2.30"})])),
    ]);
}

#[test]
fn an_option_sent_back_is_taken() {
    let deletes = |id: u64| calls("delete_expense", &[json!({ "id": id })]);
    let days = "Which day do you mean?\n- 11 October 2026\n- 10 November 2026";
    let amounts = "Is that 3555 or 3.555?\n- 3555\n- 3.555";
    check(vec![
        (&["delete the uber", ROWS, "#1 “uber”, £9.00, 3 Nov 2026"], deletes(1)),
        (&["delete the uber", ROWS, "- #2 “uber”, £12.00, 4 Nov 2026"], deletes(2)),
        (&["delete the uber", ROWS, "the second"], deletes(2)),
        (&["delete the uber", ROWS, "#3 “uber”, £9.00"], calls("delete_expense", &[json!({"description": "uber"})])),
        (&["change uber to 8", ROWS, "#1 “uber”, £9.00, 3 Nov 2026"], updates(json!({"id": 1, "amount": "8"}))),
        (&["#1 “uber”, £9.00, 3 Nov 2026"], says(wording::UNKNOWN)),
        (&["delete #1 “uber”, £9.00, 3 Nov 2026"], deletes(1)),
        (
            &["tea 3 on 10/11", days, "11 October 2026"],
            adds(&[json!({"item": "tea", "amount": "3", "date": "2026-10-11"})]),
        ),
        (
            &["tea 3 on 10/11", days, "11 Oct 2026"],
            adds(&[json!({"item": "tea", "amount": "3", "date": "2026-10-11"})]),
        ),
        (&["tea 3 on 10/11", days, "2"], adds(&[json!({"item": "tea", "amount": "3", "date": "2026-11-10"})])),
        (
            &["tea 3 on 10/11", days, "the first one"],
            adds(&[json!({"item": "tea", "amount": "3", "date": "2026-10-11"})]),
        ),
        (&["rug 3.555", amounts, "3.555"], adds(&[json!({"item": "rug", "amount": "3.555"})])),
        (&["rug 3.555", amounts, "1"], adds(&[json!({"item": "rug", "amount": "3555"})])),
        (&["change 42 to 3.555", amounts, "3.555"], updates(json!({"id": 42, "amount": "3.555"}))),
        (
            &["hotel 500 kr", "Which currency is that in?\n- SEK\n- NOK", "second one"],
            adds(&[json!({"item": "hotel", "amount": "500", "currency": "NOK"})]),
        ),
        (
            &["show expenses 3", "Expenses over 3, or up to 3?\n- over 3\n- up to 3", "over 3"],
            calls("list_expenses", &[json!({"more_than": "3"})]),
        ),
        (
            &["show expenses 3", "Expenses over 3, or up to 3?\n- over 3\n- up to 3", "2"],
            calls("list_expenses", &[json!({"max_amount": "3"})]),
        ),
    ]);
}

#[test]
fn remarks_are_no_expenses() {
    let remarks = [
        "only the ones over 5",
        "i mean 4.5",
        "i meant 6",
        "page 2",
        "increase lunch by 2",
        "no it was 6",
        "except the cake",
        "refund 20 from amazon",
        "i owe bob 30",
        "bob owes me 25",
        "didnt spend 12 on lunch",
        "maybe add 5 for tea",
        "transfer 200 to savings",
        "got paid 2000 salary",
        "salary 2000",
        "Ana me pagó 20",
        "Gehalt 2000",
        "remboursement 20",
        "both",
        "all",
        "ok",
        "hmm",
        "fine",
        "wait",
        "right",
        "lol",
        "more",
        "next",
        "what",
        "thanks",
        "ok cancel",
        "neither",
    ];
    for remark in remarks {
        let found = completion(&talk(&[remark]), &all_tools());
        assert!(found.calls.is_empty() && !found.text.is_empty(), "{remark:?}: {found:?}");
    }
    check(vec![
        (&["the tea was 4"], updates(json!({"description": "tea", "amount": "4"}))),
        (&["cap was 4"], updates(json!({"description": "cap", "amount": "4"}))),
        (&["coffee should be 4"], updates(json!({"description": "coffee", "amount": "4"}))),
        (&["make it 4.7"], says(wording::NOT_WHOLE)),
        (&["dinner was 30 yesterday"], adds(&[json!({"item": "dinner", "amount": "30", "date": "2026-11-19"})])),
    ]);
}

#[test]
fn an_open_question_is_declined_or_stays_open() {
    let open = "How much did you pay for coffee?";
    for no in ["ok cancel", "absolutely not", "no, just a", "neither", "never mind"] {
        check(vec![
            (&["add coffee", open, no], says(wording::NOT_ADDED)),
            (&["add £5", "What was the £5.00 for?", no], says(wording::NOT_ADDED)),
        ]);
    }
    let still = || asks(json!({"text": "What was the £5.00 for?", "missing": ["item"]}));
    check(vec![
        (&["add £5", "What was the £5.00 for?", "hmm"], still()),
        (&["add £5", "What was the £5.00 for?", "both"], still()),
        (&["add £5", "What was the £5.00 for?", "wait no cancel"], says(wording::NOT_ADDED)),
        (&["add £5", "What was the £5.00 for?", "I don't know"], says(wording::UNDECIDED)),
        (&["add coffee", open, "no it was 6"], adds(&[json!({"item": "coffee", "amount": "6"})])),
        (&["add coffee", open, "the coffee was 4"], adds(&[json!({"item": "coffee", "amount": "4"})])),
        (&["add coffee", open, "the tea was 4"], updates(json!({"description": "tea", "amount": "4"}))),
        (&["add coffee", open, "refund 20 from amazon"], says(wording::NOT_SPENT)),
        (
            &["bought shoes", "How much did you pay for shoes?", "£60 from clarks on friday"],
            adds(&[json!({"item": "shoes from clarks", "amount": "60", "currency": "GBP", "date": "2026-11-20"})]),
        ),
    ]);
}

#[test]
fn an_answer_fills_only_what_was_missing() {
    let currency = "In which currency?\n- USD\n- CAD";
    check(vec![
        (
            &["sandwich $5 and crisps £1 yesterday", currency, "USD"],
            adds(&[
                json!({"item": "sandwich", "amount": "5", "currency": "USD", "date": "2026-11-19"}),
                json!({"item": "crisps", "amount": "1", "currency": "GBP", "date": "2026-11-19"}),
            ]),
        ),
        (
            &["lunch 12 and coffee £5", "In which currency?", "euros"],
            adds(&[
                json!({"item": "lunch", "amount": "12", "currency": "EUR"}),
                json!({"item": "coffee", "amount": "5", "currency": "GBP"}),
            ]),
        ),
        (
            &[
                "lunch 5 and uber 12 on 10/11 and sandwich 6 bucks",
                "Which day do you mean?",
                "10 November 2026",
                currency,
                "USD",
            ],
            adds(&[
                json!({"item": "lunch", "amount": "5"}),
                json!({"item": "uber", "amount": "12", "date": "2026-11-10"}),
                json!({"item": "sandwich", "amount": "6", "currency": "USD"}),
            ]),
        ),
        (
            &["lunch 12 and dinner 25 on 10/11", "Which day do you mean?", "10 November 2026"],
            adds(&[
                json!({"item": "lunch", "amount": "12", "date": "2026-11-10"}),
                json!({"item": "dinner", "amount": "25", "date": "2026-11-10"}),
            ]),
        ),
        (
            &["dentist 80 tomorrow", "21 Nov 2026 is in the future. Which day was it?", "yesterday"],
            adds(&[json!({"item": "dentist", "amount": "80", "date": "2026-11-19"})]),
        ),
        (
            &["change lunch to $15", currency, "USD"],
            updates(json!({"description": "lunch", "amount": "15", "currency": "USD"})),
        ),
        (
            &["update the coffee", "What should I change it to?", "to 5"],
            updates(json!({"description": "coffee", "amount": "5"})),
        ),
        (
            &["change coffee to latte", "Is that its new name, category or notes?", "name"],
            updates(json!({"description": "coffee", "item": "latte"})),
        ),
        (&["change lunch from 11 to 13"], updates(json!({"description": "lunch", "cost": "11", "amount": "13"}))),
    ]);
}

#[test]
fn lines_are_expenses_when_they_are_priced() {
    let both = || adds(&[json!({"item": "lunch", "amount": "12"}), json!({"item": "coffee", "amount": "5"})]);
    check(vec![
        (&["lunch 12\ncoffee 5"], both()),
        (&["- lunch 12\n- coffee 5\n"], both()),
        (&["- lunch 12"], adds(&[json!({"item": "lunch", "amount": "12"})])),
        (&["coffee\n3.50"], adds(&[json!({"item": "coffee", "amount": "3.50"})])),
    ]);
}

#[test]
fn what_comes_back_is_not_added_once() {
    for often in [
        "rent 900 every other week",
        "gym 30 every two months",
        "gym 30 every 2 weeks",
        "gym 30 twice a week",
        "bus 4 daily",
        "Strom 80 alle zwei Monate",
        "coffee 3 every day",
        "gym 30 each Monday",
        "Strom 80 alle Tage",
        "Kaffee 3 jeden Tag",
        "café 3 chaque jour",
    ] {
        check(vec![(&[often], says(wording::NOT_SO_OFTEN))]);
    }
}

#[test]
fn a_question_is_answered_whole_or_in_words() {
    let lists = |arguments: Value| calls("list_expenses", &[arguments]);
    let october = "2026-10-01..2026-10-31";
    for (beyond, suggested, left_out) in [
        ("how much did bob spend", "how much did I spend", "bob"),
        ("show expenses except #3", "show expenses", "except #3"),
        ("show expenses except the last", "show expenses", "except last"),
    ] {
        check(vec![(&[beyond], suggests(suggested, left_out))]);
    }
    check(vec![
        (&["show uber rides in october"], lists(json!({"range": october, "words": "uber rides"}))),
        (&["list uber"], lists(json!({"words": "uber"}))),
        // Misspelt words are found too.
        (&["search litter"], calls("list_expenses", &[json!({"search": "litter"})])),
        (&["search for litter"], calls("list_expenses", &[json!({"search": "litter"})])),
        (&["find cat"], calls("list_expenses", &[json!({"search": "cat"})])),
        (&["show tea"], lists(json!({"words": "tea"}))),
        (&["show food expenses"], lists(json!({"category": "food"}))),
        (&["show expenses on food"], lists(json!({"category": "food"}))),
        (&["show expenses with uber"], lists(json!({"words": "uber"}))),
        (&["how much was the tea"], lists(json!({"words": "tea"}))),
        (&["how much on uber?"], calls("get_balance", &[json!({"category": "uber"})])),
        (
            &["how much in kroner"],
            asks(
                json!({"text": "Which of these do you mean?", "options": ["how much in NOK", "how much in DKK"], "missing": ["currency"]}),
            ),
        ),
        (&["show expenses in euros"], lists(json!({"currency": "EUR"}))),
        (
            &["what's the total for october on groceries"],
            calls("get_balance", &[json!({"range": october, "category": "groceries"})]),
        ),
        (&["list 5 expenses"], lists(json!({"limit": 5}))),
        (&["last 5"], lists(json!({"limit": 5}))),
        (&["expenses over €4"], lists(json!({"more_than": "4", "currency": "EUR"}))),
        (&["expenses at least 4"], lists(json!({"min_amount": "4"}))),
        (&["expenses below 4"], lists(json!({"less_than": "4"}))),
        (&["expenses up to 4"], lists(json!({"max_amount": "4"}))),
        (&["expenses over $4", "In which currency?", "USD"], lists(json!({"more_than": "4", "currency": "USD"}))),
    ]);
}

#[test]
fn a_day_that_is_not_settled_is_asked_about() {
    let which = |options: &[&str]| match options {
        [] => asks(json!({"text": "Which day do you mean?", "missing": ["date"]})),
        _ => asks(json!({"text": "Which day do you mean?", "options": options, "missing": ["date"]})),
    };
    for text in ["coffee 3 tmrw", "sweets 9 on easter monday", "coffee 3 over the weekend", "drinks 30 the other day"] {
        check(vec![(&[text], which(&[]))]);
    }
    check(vec![
        (
            &["drinks 30 the other day", "Which day do you mean?", "19th"],
            adds(&[json!({"item": "drinks", "amount": "30", "date": "2026-11-19"})]),
        ),
        (&["coffee 3 tuseday"], adds(&[json!({"item": "coffee", "amount": "3", "date": "2026-11-17"})])),
        (&["cc 5 on 22 nov"], which(&["22 Nov 2025", "22 Nov 2026"])),
        (&["tea 5 on 5 december"], which(&["5 Dec 2025", "5 Dec 2026"])),
        (&["tea 5 on 25 dec"], which(&["25 Dec 2025", "25 Dec 2026"])),
        (&["tea 5 on the 22nd"], adds(&[json!({"item": "tea", "amount": "5", "date": "2026-10-22"})])),
        (&["coffee 3 mon tue wed"], which(&["16 Nov 2026", "17 Nov 2026", "18 Nov 2026"])),
        (&["yesterday's lunch 9"], adds(&[json!({"item": "lunch", "amount": "9", "date": "2026-11-19"})])),
        (&["Monday's lunch 9"], adds(&[json!({"item": "lunch", "amount": "9", "date": "2026-11-16"})])),
        (&["show yesterdays expenses"], calls("list_expenses", &[json!({"range": "2026-11-19..2026-11-19"})])),
        (&["black friday tv 300"], adds(&[json!({"item": "black friday tv", "amount": "300"})])),
        (&["sunday roast 15"], adds(&[json!({"item": "sunday roast", "amount": "15"})])),
        (&["chocolate sundae 6"], adds(&[json!({"item": "chocolate sundae", "amount": "6"})])),
    ]);
}

#[test]
fn a_currency_that_was_said_is_passed_on_or_asked_about() {
    let in_currency =
        |item: &str, amount: &str, code: &str| adds(&[json!({"item": item, "amount": amount, "currency": code})]);
    check(vec![
        (&["taxi 30 omr"], in_currency("taxi", "30", "OMR")),
        (&["tea 3.5 bhd"], in_currency("tea", "3.5", "BHD")),
        (&["laksa 30 RM"], in_currency("laksa", "30", "MYR")),
        (&["coffee 5 R$"], in_currency("coffee", "5", "BRL")),
        (&["coffee 5 S$"], in_currency("coffee", "5", "SGD")),
        (&["coffee 5 HK$"], in_currency("coffee", "5", "HKD")),
        (&["lunch 3.500 KWD"], in_currency("lunch", "3.500", "KWD")),
        (&["lunch 12.345 kwd"], in_currency("lunch", "12.345", "KWD")),
        (&["taxi 30 xyz"], asks(json!({"text": "Which currency is that in?", "missing": ["currency"]}))),
        (&["taxi 30 xyz", "Which currency is that in?", "GBP"], in_currency("taxi", "30", "GBP")),
        (&["12 gym"], adds(&[json!({"item": "gym", "amount": "12"})])),
        (&["bread 2 dec 25 2025"], asks(json!({"text": "How much did you pay for bread?", "missing": ["amount"]}))),
    ]);
}

#[test]
fn questions_asked_with_the_tool_are_answered_too() {
    let asked = ToolCall {
        id: "call_1".to_owned(),
        name: "ask_questions".to_owned(),
        arguments: json!({"questions": [{"text": "Which one?", "options": ["#3 Coffee", "#7 Tea"]}]}),
    };
    let messages = [
        Message::User("delete the drink".to_owned()),
        Message::Assistant { text: String::new(), calls: vec![asked], native: None, shown: None },
        Message::User("tea".to_owned()),
    ];
    assert_eq!(completion(&messages, &all_tools()), calls("delete_expense", &[json!({"id": 7})]));
}

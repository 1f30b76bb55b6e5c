//! What is added, what is asked about it first, and what answers make of it.

use serde_json::{Value, json};

use super::{
    tests::{asks, calls, check, says},
    wording,
};

#[test]
fn expenses_are_added_as_said() {
    let adds = |arguments: &[Value]| calls("add_expense", arguments);
    check(vec![
        (
            &["Add electricity bill £200 today"],
            adds(&[json!({"item": "electricity bill", "amount": "200", "currency": "GBP", "date": "2026-11-20"})]),
        ),
        (&["electricity bill, £200"], adds(&[json!({"item": "electricity bill", "amount": "200", "currency": "GBP"})])),
        (&["£200, electricity bill"], adds(&[json!({"item": "electricity bill", "amount": "200", "currency": "GBP"})])),
        (&["I spent 12 on lunch"], adds(&[json!({"item": "lunch", "amount": "12"})])),
        (
            &["paid £45 for taxi last Friday"],
            adds(&[json!({"item": "taxi", "amount": "45", "currency": "GBP", "date": "2026-11-13"})]),
        ),
        (&["lunch 12"], adds(&[json!({"item": "lunch", "amount": "12"})])),
        (
            &["200 pounds mechanic fee for today"],
            adds(&[json!({"item": "mechanic fee", "amount": "200", "currency": "GBP", "date": "2026-11-20"})]),
        ),
        (
            &["Add £200 mechanic fee for today"],
            adds(&[json!({"item": "mechanic fee", "amount": "200", "currency": "GBP", "date": "2026-11-20"})]),
        ),
        (
            &["coffee 3.50 yesterday and lunch 12 today"],
            adds(&[
                json!({"item": "coffee", "amount": "3.50", "date": "2026-11-19"}),
                json!({"item": "lunch", "amount": "12", "date": "2026-11-20"}),
            ]),
        ),
        (
            &["bought milk for 2, bread 1.5 and eggs for 3 yesterday"],
            adds(&[
                json!({"item": "milk", "amount": "2", "date": "2026-11-19"}),
                json!({"item": "bread", "amount": "1.5", "date": "2026-11-19"}),
                json!({"item": "eggs", "amount": "3", "date": "2026-11-19"}),
            ]),
        ),
        (
            &["mon coffee 3 and tea 2, tue cake 4"],
            adds(&[
                json!({"item": "coffee", "amount": "3", "date": "2026-11-16"}),
                json!({"item": "tea", "amount": "2", "date": "2026-11-16"}),
                json!({"item": "cake", "amount": "4", "date": "2026-11-17"}),
            ]),
        ),
        (
            &["coffee 3 and tea 2 on Monday, cake 4 today"],
            adds(&[
                json!({"item": "coffee", "amount": "3", "date": "2026-11-16"}),
                json!({"item": "tea", "amount": "2", "date": "2026-11-16"}),
                json!({"item": "cake", "amount": "4", "date": "2026-11-20"}),
            ]),
        ),
        (&["sat nav 90"], adds(&[json!({"item": "sat nav", "amount": "90"})])),
        (&["shoes 60 instead of 90"], adds(&[json!({"item": "shoes", "amount": "60"})])),
        (&["ordered pizza, 23.40 incl delivery"], adds(&[json!({"item": "pizza", "amount": "23.40"})])),
        (&["I split a pizza, my half was 9"], adds(&[json!({"item": "pizza", "amount": "9"})])),
        (&["pens; 3.49; food"], adds(&[json!({"item": "pens", "amount": "3.49", "category": "food"})])),
        (
            &["phone bill 22, by standing order"],
            adds(&[json!({"item": "phone bill", "amount": "22", "notes": "by standing order"})]),
        ),
        (&["bus 2.50 twice"], adds(&[json!({"item": "bus", "amount": "2.50"})])),
        (&["it cost me 12 for the taxi"], adds(&[json!({"item": "taxi", "amount": "12"})])),
        (&["mortgage eight hundred and forty"], adds(&[json!({"item": "mortgage", "amount": "840"})])),
        (
            &["bill 80, my part 20"],
            asks(json!({"text": "Is that 80 or 20?", "options": ["80", "20"], "missing": ["amount"]})),
        ),
        (
            &["€45 Amazon yesterday, phone case and cable"],
            adds(&[
                json!({"item": "Amazon, phone case and cable", "amount": "45", "currency": "EUR", "date": "2026-11-19"}),
            ]),
        ),
        (&["note that I paid 12 for parking"], adds(&[json!({"item": "parking", "amount": "12"})])),
        (
            &["put down 8 pounds 50 for parking"],
            adds(&[json!({"item": "parking", "amount": "8.50", "currency": "GBP"})]),
        ),
        (&["spent 15ish on lunch"], adds(&[json!({"item": "lunch", "amount": "15"})])),
        (&["gym 30 by direct debit"], adds(&[json!({"item": "gym", "amount": "30", "notes": "by direct debit"})])),
        (&["Apple Pay 4.20 Costa"], adds(&[json!({"item": "Costa", "amount": "4.20", "notes": "Apple Pay"})])),
        (
            &["add: amount 75, shop Halfords, category car"],
            adds(&[json!({"item": "Halfords", "amount": "75", "category": "car"})]),
        ),
        (&["60 for dinner, 20 of it tip"], adds(&[json!({"item": "dinner", "amount": "60"})])),
        (&["2 coffees out of office 7"], adds(&[json!({"item": "2 coffees out of office", "amount": "7"})])),
        (
            &["coffee 3.50 day before yesterday"],
            adds(&[json!({"item": "coffee", "amount": "3.50", "date": "2026-11-18"})]),
        ),
        (&["coffee Fr. 3.50"], adds(&[json!({"item": "coffee", "amount": "3.50", "currency": "CHF"})])),
        (
            &["yesterday: coffee 3, tea 2"],
            adds(&[
                json!({"item": "coffee", "amount": "3", "date": "2026-11-19"}),
                json!({"item": "tea", "amount": "2", "date": "2026-11-19"}),
            ]),
        ),
        (
            &["coffee 3.50 yesterday and lunch 12"],
            adds(&[
                json!({"item": "coffee", "amount": "3.50", "date": "2026-11-19"}),
                json!({"item": "lunch", "amount": "12"}),
            ]),
        ),
        (&["fish and chips 12"], adds(&[json!({"item": "fish and chips", "amount": "12"})])),
        (&["2 coffees £7"], adds(&[json!({"item": "2 coffees", "amount": "7", "currency": "GBP"})])),
        (
            &["please add a coffee for 3.50 under food"],
            adds(&[json!({"item": "coffee", "amount": "3.50", "category": "food"})]),
        ),
        (
            &["add bus ticket 2.40 category transport on 3 Nov"],
            adds(&[json!({"item": "bus ticket", "amount": "2.40", "category": "transport", "date": "2026-11-03"})]),
        ),
        (
            &["dinner €1,234.50 note: with the whole team"],
            adds(&[json!({"item": "dinner", "amount": "1234.50", "currency": "EUR", "notes": "with the whole team"})]),
        ),
        (&["sweets 50p"], adds(&[json!({"item": "sweets", "amount": "0.50", "currency": "GBP"})])),
        (&["three pints, £5.60 each"], adds(&[json!({"item": "three pints", "amount": "16.80", "currency": "GBP"})])),
        (
            &["photo 10 x 15"],
            asks(json!({"text": "Is that 150 or 15?", "options": ["150", "15"], "missing": ["amount"]})),
        ),
        (
            &["6 eggs 2.40 each box"],
            asks(json!({"text": "Is that 14.40 or 2.40?", "options": ["14.40", "2.40"], "missing": ["amount"]})),
        ),
        (
            &["4 friends 20 each"],
            asks(json!({"text": "Is that 80 or 20?", "options": ["80", "20"], "missing": ["amount"]})),
        ),
        (
            &["2 beers at 5.50 each and chips 3"],
            adds(&[json!({"item": "2 beers", "amount": "11.00"}), json!({"item": "chips", "amount": "3"})]),
        ),
        (
            &["hotel 2 nights at £85 a night yesterday"],
            adds(&[json!({"item": "hotel 2 nights", "amount": "170", "currency": "GBP", "date": "2026-11-19"})]),
        ),
        (
            &["gas bill came to 88.12 this month, paid it today"],
            adds(&[json!({"item": "gas bill", "amount": "88.12", "date": "2026-11-20"})]),
        ),
        (&["@expensebot shoes 64.99"], adds(&[json!({"item": "shoes", "amount": "64.99"})])),
        (
            &["Alexa, spent twenty two dollars on gas", "In which currency?", "USD"],
            adds(&[json!({"item": "gas", "amount": "22", "currency": "USD"})]),
        ),
        (
            &["I bought my daughter a pair of shoes for £42"],
            adds(&[json!({"item": "pair of shoes", "amount": "42", "currency": "GBP"})]),
        ),
        (&["I treated myself to a massage 55"], adds(&[json!({"item": "massage", "amount": "55"})])),
        (&["Habe bei Rewe für 47,83 eingekauft"], adds(&[json!({"item": "Rewe", "amount": "47.83"})])),
        (
            &["cinema tickets 2 x £11.50"],
            adds(&[json!({"item": "cinema tickets", "amount": "23.00", "currency": "GBP"})]),
        ),
        (&["hotel 500 SEK"], adds(&[json!({"item": "hotel", "amount": "500", "currency": "SEK"})])),
        (&["add lunch 12 in GBP"], adds(&[json!({"item": "lunch", "amount": "12", "currency": "GBP"})])),
        (&["snack $5"], adds(&[json!({"item": "snack", "amount": "5"})])),
        (&["voucher -5"], adds(&[json!({"item": "voucher", "amount": "-5"})])),
        (&["I want to add an item for lunch, 12"], adds(&[json!({"item": "lunch", "amount": "12"})])),
        (&["\u{202e}lunch\u{200b} １２"], adds(&[json!({"item": "lunch", "amount": "12"})])),
    ]);
}

#[test]
fn what_is_missing_or_ambiguous_is_asked() {
    check(vec![
        (
            &["I want to add an item"],
            asks(json!({"text": "What did you buy, and how much was it?", "missing": ["item", "amount"]})),
        ),
        (&["add coffee"], asks(json!({"text": "How much did you pay for coffee?", "missing": ["amount"]}))),
        (&["coffee"], asks(json!({"text": "How much did you pay for coffee?", "missing": ["amount"]}))),
        (&["add coffee at 3"], asks(json!({"text": "How much did you pay for coffee at 3?", "missing": ["amount"]}))),
        (&["add £5"], asks(json!({"text": "What was the £5.00 for?", "missing": ["item"]}))),
        (
            &["laptop 1.234"],
            asks(json!({"text": "Is that 1234 or 1.234?", "options": ["1234", "1.234"], "missing": ["amount"]})),
        ),
        (
            &["laptop 1,234"],
            asks(json!({"text": "Is that 1234 or 1.234?", "options": ["1234", "1.234"], "missing": ["amount"]})),
        ),
        (
            &["lunch 12 on 03/04"],
            asks(
                json!({"text": "Which day do you mean?", "options": ["3 Apr 2026", "4 Mar 2026"], "missing": ["date"]}),
            ),
        ),
        (
            &["lunch 12 on 30 Feb"],
            asks(json!({"text": "There is no 30 February. Which day was it?", "missing": ["date"]})),
        ),
        (&["rent 500 last month"], asks(json!({"text": "Which day do you mean?", "missing": ["date"]}))),
        (&["coffee 3 a few days ago"], asks(json!({"text": "Which day do you mean?", "missing": ["date"]}))),
        (
            &["coffee 3.50 and a sandwich"],
            asks(json!({"text": "How much did you pay for sandwich?", "missing": ["amount"]})),
        ),
        (&["lunch 12 14"], asks(json!({"text": "Is that 12 or 14?", "options": ["12", "14"], "missing": ["amount"]}))),
        (&["delete"], asks(json!({"text": "Which expense should I delete?"}))),
        (&["delete it"], asks(json!({"text": "Which expense should I delete?"}))),
        (&["change 42"], asks(json!({"text": "What should I change #42 to?"}))),
        (
            &["change 42 to 1.234"],
            asks(json!({"text": "Is that 1234 or 1.234?", "options": ["1234", "1.234"], "missing": ["amount"]})),
        ),
        (
            &["how much since last Tuesday?"],
            asks(
                json!({"text": "Which day do you mean?", "options": ["17 Nov 2026", "10 Nov 2026"], "missing": ["date"]}),
            ),
        ),
    ]);
}

#[test]
fn answers_are_merged_with_what_they_answer() {
    let adds = |arguments: Value| calls("add_expense", &[arguments]);
    let which = "Which one? #3 Coffee £2.50, #7 Iced coffee £3.50";
    check(vec![
        (
            &["I want to add an item", "What did you buy, and how much was it?", "electricity bill, £200"],
            adds(json!({"item": "electricity bill", "amount": "200", "currency": "GBP"})),
        ),
        (
            &["I want to add an item for yesterday", "What did you buy?", "electricity bill, £200"],
            adds(json!({"item": "electricity bill", "amount": "200", "currency": "GBP", "date": "2026-11-19"})),
        ),
        (
            &["add coffee", "How much did you pay for coffee?", "3.50"],
            adds(json!({"item": "coffee", "amount": "3.50"})),
        ),
        (
            &["add coffee", "How much did you pay for coffee?", "it was about £3.50"],
            adds(json!({"item": "coffee", "amount": "3.50", "currency": "GBP"})),
        ),
        (
            &["coffee", "How much did you pay for coffee?", "£3.50 yesterday"],
            adds(json!({"item": "coffee", "amount": "3.50", "currency": "GBP", "date": "2026-11-19"})),
        ),
        (
            &["add coffee yesterday", "How much did you pay for coffee?", "coffee 3.50"],
            adds(json!({"item": "coffee", "amount": "3.50", "date": "2026-11-19"})),
        ),
        (
            &["add £5", "What was the £5.00 for?", "bus ticket"],
            adds(json!({"item": "bus ticket", "amount": "5", "currency": "GBP"})),
        ),
        (&["laptop 1.234", "Is that 1234 or 1.234?", "1234"], adds(json!({"item": "laptop", "amount": "1234"}))),
        (
            &["laptop 1.234", "Is that 1234 or 1.234?", "the first one"],
            adds(json!({"item": "laptop", "amount": "1234"})),
        ),
        (
            &["hotel 500 kr", "Which currency is that in?", "SEK"],
            adds(json!({"item": "hotel", "amount": "500", "currency": "SEK"})),
        ),
        (
            &["lunch 12", "Which currency is that in?", "GBP"],
            adds(json!({"item": "lunch", "amount": "12", "currency": "GBP"})),
        ),
        (
            &["lunch 12", "Which currency is that in?", "euros"],
            adds(json!({"item": "lunch", "amount": "12", "currency": "EUR"})),
        ),
        (
            &["lunch 12 on 03/04", "Which day do you mean?", "3 April 2026"],
            adds(json!({"item": "lunch", "amount": "12", "date": "2026-04-03"})),
        ),
        (
            &["lunch 12 on 30 Feb", "There is no 30 February. Which day was it?", "yesterday"],
            adds(json!({"item": "lunch", "amount": "12", "date": "2026-11-19"})),
        ),
        (
            &["add an item", "What was it?", "coffee", "How much did you pay for coffee?", "3"],
            adds(json!({"item": "coffee", "amount": "3"})),
        ),
        (
            &["add coffee", "How much did you pay for coffee?", "lunch 12"],
            adds(json!({"item": "lunch", "amount": "12"})),
        ),
        (&["lunch 12", "Added. Anything else?", "coffee 3"], adds(json!({"item": "coffee", "amount": "3"}))),
        (
            &["add coffee", "How much did you pay for coffee?", "how much did I spend?"],
            calls("get_balance", &[json!({})]),
        ),
        (&["add coffee", "How much did you pay for coffee?", "no"], says(wording::NOT_ADDED)),
        (&["add coffee", "How much did you pay for coffee?", "five"], adds(json!({"item": "coffee", "amount": "5"}))),
        (&["delete the coffee", which, "9"], calls("delete_expense", &[json!({"description": "coffee"})])),
        (&["delete the coffee", which, "7"], calls("delete_expense", &[json!({"id": 7})])),
        (&["delete the coffee", which, "#7"], calls("delete_expense", &[json!({"id": 7})])),
        (&["delete the coffee", which, "the second one"], calls("delete_expense", &[json!({"id": 7})])),
        (&["delete the coffee", which, "Iced coffee"], calls("delete_expense", &[json!({"id": 7})])),
        (&["delete the coffee", which, "#3 Coffee £2.50"], calls("delete_expense", &[json!({"id": 3})])),
        (&["change the coffee to 4", which, "7"], calls("update_expense", &[json!({"id": 7, "amount": "4"})])),
        (&["delete the coffee", which, "tea 2"], adds(json!({"item": "tea", "amount": "2"}))),
        (&["delete", "Which expense should I delete?", "42"], calls("delete_expense", &[json!({"id": 42})])),
        (
            &["change 42", "What should I change #42 to?", "£45"],
            calls("update_expense", &[json!({"id": 42, "amount": "45", "currency": "GBP"})]),
        ),
        (
            &["how much since last Tuesday?", "Which day do you mean?", "since 17 November 2026"],
            calls("get_balance", &[json!({"range": "2026-11-17..2026-11-20"})]),
        ),
    ]);
}

#[test]
fn an_answer_may_name_more_than_was_asked_for() {
    let add = |item: &str, amount: &str| json!({"item": item, "amount": amount});
    let paid = |answer| -> Vec<&str> { vec!["spent 60", "What was the 60 for?", answer] };
    let costs = |answer| -> Vec<&str> { vec!["haircut", "How much did you pay for haircut?", answer] };
    let two = |first: &str, one: &str, second: &str, other: &str| {
        calls("add_expense", &[add(first, one), add(second, other)])
    };
    let either = || asks(json!({"text": "Is that 60 or 80?", "options": ["60", "80"], "missing": ["amount"]}));
    let said = [
        (paid("a jumper, and 20 on socks"), two("jumper", "60", "socks", "20")),
        (paid("shoes and also 5 for parking"), two("shoes", "60", "parking", "5")),
        (paid("fish and chips, 3 for a coke"), two("fish and chips", "60", "coke", "3")),
        (paid("socks 20 and a jumper 40"), two("socks", "20", "jumper", "40")),
        (paid("a jumper that was 80"), either()),
        (paid("a lamp for 80"), either()),
        (paid("sorry, 70 on shoes"), calls("add_expense", &[add("shoes", "70")])),
        (costs("22 and shampoo 5"), two("haircut", "22", "shampoo", "5")),
        (costs("22 at toni and guy"), calls("add_expense", &[add("haircut at toni and guy", "22")])),
        (costs("22 and a coffee"), asks(json!({"text": "How much did you pay for coffee?", "missing": ["amount"]}))),
        (costs("the usual 22"), calls("add_expense", &[add("haircut", "22")])),
        (costs("7 percent off so 22"), calls("add_expense", &[add("haircut", "22")])),
        (costs("with 10 percent off it was 22"), calls("add_expense", &[add("haircut", "22")])),
        (costs("coffee 3"), calls("add_expense", &[add("coffee", "3")])),
    ];
    check(said.iter().map(|(said, expected)| (&said[..], expected.clone())).collect());
}

#[test]
fn a_question_adds_nothing_and_an_order_may_be_put_as_one() {
    let lists = |arguments: Value| calls("list_expenses", &[arguments]);
    let coffee = || calls("add_expense", &[json!({"item": "coffee", "amount": "3"})]);
    check(vec![
        (&["have I paid rent 950?"], lists(json!({"words": "rent", "min_amount": "950", "max_amount": "950"}))),
        (
            &["have we paid electricity 62"],
            lists(json!({"words": "electricity", "min_amount": "62", "max_amount": "62"})),
        ),
        (&["have you added coffee 3"], lists(json!({"words": "coffee", "min_amount": "3", "max_amount": "3"}))),
        (&["did I pay more than 900 for rent"], lists(json!({"words": "rent", "more_than": "900"}))),
        (&["have I spent 50 on food?"], says(wording::CANNOT_LOOK)),
        (&["could I have spent 60 on shoes"], says(wording::UNKNOWN)),
        (&["paid rent 950?"], says(wording::UNKNOWN)),
        (&["can you add coffee 3?"], coffee()),
        (&["could I add coffee 3"], coffee()),
        (&["I have paid 3 for coffee"], coffee()),
    ]);
}

#[test]
fn a_word_that_is_a_currency_or_a_weight_leaves_two_prices() {
    let which = |one: &str, other: &str| {
        asks(json!({"text": format!("Is that {one} or {other}?"), "options": [one, other], "missing": ["amount"]}))
    };
    let adds = |arguments: Value| calls("add_expense", &[arguments]);
    check(vec![
        (&["5 pound turkey 30"], which("5", "30")),
        (&["2 euro tickets 10 yesterday"], which("2", "10")),
        (&["zwei Pfund Äpfel 3"], which("2", "3")),
        (&["j'ai acheté deux livres pour 20"], which("2", "20")),
        (&["2 libras de café 8"], which("2", "8")),
        (&["un livre 12"], adds(json!({"item": "livre", "amount": "12"}))),
        (&["ein Pfund Hack 8", "Is that 1 or 8?", "8"], adds(json!({"item": "ein Pfund Hack", "amount": "8"}))),
        (
            &["2 euro tickets 10", "Is that 2 or 10?", "2"],
            adds(json!({"item": "tickets", "amount": "2", "currency": "EUR"})),
        ),
        // The euro was of the other.
        (
            &["2 euro tickets 10", "Is that 2 or 10?", "it was 10"],
            adds(json!({"item": "2 euro tickets", "amount": "10"})),
        ),
        (
            &["3 or 4 euros for tea", "Is that 3 or 4?", "4"],
            adds(json!({"item": "tea", "amount": "4", "currency": "EUR"})),
        ),
        (&["5 pounds for lunch"], adds(json!({"item": "lunch", "amount": "5", "currency": "GBP"}))),
        (&["2 coffees 7 pounds"], adds(json!({"item": "2 coffees", "amount": "7", "currency": "GBP"}))),
    ]);
}

#[test]
fn a_category_beside_an_expense_is_its_category() {
    let in_food = |item: &str| calls("add_expense", &[json!({"item": item, "amount": "12", "category": "food"})]);
    let in_food_at = |item: &str, date: &str| {
        calls("add_expense", &[json!({"item": item, "amount": "12", "date": date, "category": "food"})])
    };
    let adds = |item: &str| calls("add_expense", &[json!({"item": item, "amount": "12"})]);
    check(vec![
        (&["lunch 12 food"], in_food("lunch")),
        (&["food 12 lunch"], in_food("lunch")),
        (&["lunch, 12, food"], in_food("lunch")),
        (&["12 lunch, food"], in_food("lunch")),
        (&["lunch | 12 | food"], in_food("lunch")),
        (&["food - lunch 12"], in_food("lunch")),
        (&["lunch 12 (food)"], in_food("lunch")),
        (&["lunch 12 -> food"], in_food("lunch")),
        (&["lunch 12 @food"], in_food("lunch")),
        (
            &["lunch 12 #food #work"],
            calls("add_expense", &[json!({"item": "lunch", "amount": "12", "category": "food", "notes": "#work"})]),
        ),
        (&["#food lunch 12 @ Costa"], in_food("lunch at Costa")),
        (&["Item: lunch, Amount: 12, Category: food"], in_food("lunch")),
        (&["lunch 12 food yesterday"], in_food_at("lunch", "2026-11-19")),
        // Its own name.
        (&["cat food 12"], adds("cat food")),
        (&["12 cat food"], adds("cat food")),
        (&["food 12"], adds("food")),
        (&["food 12 for Anna"], adds("food for Anna")),
        (
            &["shampoo 5 under personal care"],
            calls("add_expense", &[json!({"item": "shampoo", "amount": "5", "category": "personal care"})]),
        ),
    ]);
}

#[test]
fn the_word_behind_a_slash_is_no_name() {
    let adds = || calls("add_expense", &[json!({"item": "coffee", "amount": "5"})]);
    check(vec![
        (&["/e 5 coffee"], adds()),
        (&["/expense 5 coffee"], adds()),
        (&["/coffee 5"], adds()),
        (&["/premium"], says(wording::UNKNOWN)),
        (&["dashboard"], says(wording::UNKNOWN)),
        (&["/budget 500"], calls("set_budget", &[json!({"amount": "500"})])),
    ]);
}

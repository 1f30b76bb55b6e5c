//! Which calls questions about many rows come to, and what is said to small talk.

use serde_json::{Value, json};

use super::{
    tests::{all_tools, asks, calls, check, completion, says, suggests, talk},
    wording,
};

const OCTOBER: &str = "2026-10-01..2026-10-31";
const NOVEMBER: &str = "2026-11-01..2026-11-30";

#[test]
fn sums_are_asked_for_by_what_they_are_grouped_by() {
    let sums = |arguments: Value| calls("summarize_expenses", &[arguments]);
    check(vec![
        (&["spending by category"], sums(json!({"by": "category"}))),
        (&["how much per day last month?"], sums(json!({"by": "day", "range": OCTOBER}))),
        (&["how much did I spend on food per month?"], sums(json!({"by": "month", "category": "food"}))),
        (&["show me a breakdown for October"], sums(json!({"by": "category", "range": OCTOBER}))),
        (&["What did I spend the most on last month?"], sums(json!({"by": "category", "range": OCTOBER}))),
        (&["what are my top 3 categories?"], sums(json!({"by": "category", "order": "largest", "top": 3}))),
        (&["which day did I spend the most?"], sums(json!({"by": "day", "order": "largest", "top": 1}))),
        (&["which was my biggest month?"], sums(json!({"by": "month", "order": "largest", "top": 1}))),
        (&["weekly totals please"], sums(json!({"by": "week"}))),
        (&["how many expenses in October?"], sums(json!({"by": "none", "range": OCTOBER}))),
        (
            &["how many coffees did I buy last month?"],
            sums(json!({"by": "none", "words": "coffees", "range": OCTOBER})),
        ),
        (&["how many times did I pay for taxis?"], sums(json!({"by": "none", "category": "taxis"}))),
    ]);
}

#[test]
fn bills_are_what_is_called_so_and_not_all_expenses() {
    let list = |arguments: Value| calls("list_expenses", &[arguments]);
    let total = |arguments: Value| calls("get_balance", &[arguments]);
    check(vec![
        (&["list my bills"], list(json!({"category": "bills"}))),
        (&["bills in October"], total(json!({"category": "bills", "range": OCTOBER}))),
        (&["what are my biggest bills"], list(json!({"order": "largest", "limit": 5, "text": "bills"}))),
        (
            &["delete all bills in October"],
            calls("propose_operations", &[json!({"select": {"category": "bills", "range": OCTOBER}})]),
        ),
    ]);
}

#[test]
fn what_is_asked_for_is_sorted_bounded_and_compared() {
    let list = |arguments: Value| calls("list_expenses", &[arguments]);
    let sums = |arguments: Value| calls("summarize_expenses", &[arguments]);
    let compared = || sums(json!({"by": "none", "category": "food", "range": OCTOBER, "compare": true}));
    check(vec![
        (&["show October largest first"], list(json!({"order": "largest", "range": OCTOBER}))),
        (&["show food sorted by price"], list(json!({"order": "largest", "category": "food"}))),
        (&["what did I spend under 5"], list(json!({"less_than": "5"}))),
        (&["how many expenses over 50 do I have"], list(json!({"more_than": "50"}))),
        (&["food by month"], sums(json!({"by": "month", "category": "food"}))),
        (&["how much is Netflix"], list(json!({"limit": 1, "words": "netflix"}))),
        (&["what was my electricity bill last month?"], list(json!({"words": "electricity bill", "range": OCTOBER}))),
        (&["how much did I spend 1 month ago"], calls("get_balance", &[json!({"range": OCTOBER})])),
        (&["compare food in October with food in September"], compared()),
        (&["how much did I spend on food in October compared to September"], compared()),
    ]);
}

#[test]
fn what_is_asked_for_stands_before_of_and_is_no_name() {
    let total = |arguments: Value| calls("get_balance", &[arguments]);
    let list = |arguments: Value| calls("list_expenses", &[arguments]);
    let sums = |arguments: Value| calls("summarize_expenses", &[arguments]);
    check(vec![
        (&["count of Netflix payments"], sums(json!({"by": "none", "category": "netflix"}))),
        (&["mean of Tesco payments"], sums(json!({"by": "none", "average": "expense", "category": "tesco"}))),
        (&["average grocery shop"], sums(json!({"by": "none", "average": "expense", "category": "grocery"}))),
        (
            &["how much on average do I pay for an uber"],
            sums(json!({"by": "none", "average": "expense", "words": "uber"})),
        ),
        (&["total of all transactions in October"], total(json!({"range": OCTOBER}))),
        (
            &["sum of purchases under £10 in november"],
            list(json!({"less_than": "10", "currency": "GBP", "range": NOVEMBER})),
        ),
        (
            &["all payments larger than 40 quid in October"],
            list(json!({"more_than": "40", "currency": "GBP", "range": OCTOBER})),
        ),
        (&["statement for October"], list(json!({"range": OCTOBER}))),
        (&["list payments to Lidl"], list(json!({"words": "lidl"}))),
        (&["Largest payment to tesco"], list(json!({"order": "largest", "limit": 1, "text": "tesco"}))),
        (&["did I buy anything at Boots in October"], list(json!({"words": "boots", "range": OCTOBER}))),
        (&["when did I last go to the cinema"], list(json!({"words": "cinema", "limit": 1}))),
        (&["what did the last Uber ride cost me?"], list(json!({"words": "uber ride", "limit": 1}))),
        (&["what was that 59.99 for"], list(json!({"min_amount": "59.99", "max_amount": "59.99"}))),
        (&["everything except groceries in October"], list(json!({"without": ["groceries"], "range": OCTOBER}))),
        (&["how many times did I take an uber"], sums(json!({"by": "none", "words": "uber"}))),
        (&["how much was October"], total(json!({"range": OCTOBER}))),
        (&["what did October cost me?"], total(json!({"range": OCTOBER}))),
        (&["which month was the most expensive"], sums(json!({"by": "month", "order": "largest", "top": 1}))),
        (&["what was my spending on the 22nd"], total(json!({"range": "2026-10-22..2026-10-22"}))),
        (
            &["am I spending more on food"],
            sums(json!({"by": "none", "compare": true, "category": "food", "range": NOVEMBER})),
        ),
        (
            &["my lowest spending month in 2026"],
            sums(json!({"by": "month", "order": "smallest", "top": 1, "range": "2026-01-01..2026-12-31"})),
        ),
        (
            &["find a payment of 42.50 to tesco"],
            list(json!({"min_amount": "42.50", "max_amount": "42.50", "words": "tesco"})),
        ),
        (&["find a payment of about 42 quid to tesco"], says(wording::UNKNOWN)),
        (&["which month was the cheapest"], sums(json!({"by": "month", "order": "smallest", "top": 1}))),
        (
            &["difference between October and September spending"],
            sums(json!({"by": "none", "compare": true, "range": OCTOBER})),
        ),
        (&["weekend spending this month"], says(wording::NO_WEEKDAYS)),
        (&["groceries?"], list(json!({"category": "groceries"}))),
        (&["shwo my last 3 transactons"], list(json!({"limit": 3}))),
        (
            &["how much in October", "You spent £5.", "average?"],
            sums(json!({"by": "none", "average": "expense", "range": OCTOBER})),
        ),
    ]);
}

#[test]
fn what_does_not_exist_is_said_so() {
    let tools = all_tools();
    let said = |text: &str| completion(&talk(&[text]), &tools).text;
    for (asked, told) in [
        ("language german", "I answer in English only"),
        ("please speak French", "I answer in English only"),
        ("set a daily reminder at 9pm", "I can't send reminders"),
        ("add category pets", "A category exists as soon as"),
        ("rename category food to meals", "I can't rename a category"),
        ("merge categories food and eating out", "I can't rename a category"),
        ("delete the food category", "I can't delete a category"),
        ("clear all data", "say “delete all expenses”"),
        ("delete my account", "I can't close or delete an account"),
        ("export my expenses as csv", "Expenses can be saved as a file on the page"),
        ("how can I download my data", "Expenses can be saved as a file on the page"),
        ("import a bank statement", "A file of your bank can be added on the page"),
        ("delete the cheapest", "I can't pick what to delete by order"),
        ("remove my last 3", "I can't pick what to delete by order"),
        ("delete last two ubers", "I can't pick what to delete by order"),
        ("reduce the dentist by 10", "I can't reckon from the old amount"),
        ("add a note to the pub: with Sam", "say it of its number"),
    ] {
        assert!(said(asked).contains(told), "{asked}: {}", said(asked));
    }
    check(vec![
        (&["reminder app 5"], calls("add_expense", &[json!({"item": "reminder app", "amount": "5"})])),
        (&["language course 40"], calls("add_expense", &[json!({"item": "language course", "amount": "40"})])),
        (&["delete all expenses"], calls("propose_operations", &[json!({"select": {}})])),
        (&["delete the top"], calls("delete_expense", &[json!({"description": "top"})])),
    ]);
}

#[test]
fn what_is_left_out_by_name_is_left_out_of_sums_and_lists() {
    let total = |arguments: Value| calls("get_balance", &[arguments]);
    check(vec![
        (&["how much on everything but rent?"], total(json!({"without": ["rent"]}))),
        (
            &["how much did I spend last month apart from rent and the taxis?"],
            total(json!({"range": OCTOBER, "without": ["rent", "taxis"]})),
        ),
        (&["show everything except food"], calls("list_expenses", &[json!({"without": ["food"]})])),
        (
            &["biggest expenses excluding rent in October"],
            calls("list_expenses", &[json!({"order": "largest", "limit": 5, "range": OCTOBER, "without": ["rent"]})]),
        ),
        (
            &["spending by category without rent"],
            calls("summarize_expenses", &[json!({"by": "category", "without": ["rent"]})]),
        ),
        (&["show all expenses except those over 50"], says(wording::CANNOT_LOOK)),
        (&["how much on weekends?"], says(wording::NO_WEEKDAYS)),
        (&["show expenses on Mondays"], says(wording::NO_WEEKDAYS)),
        // Two values for one filter are no filter.
        (&["food spending at tesco on travel"], says(wording::UNKNOWN)),
        (&["show weekend expenses"], says(wording::NO_WEEKDAYS)),
        (&["how much last weekend?"], total(json!({"range": "2026-11-14..2026-11-15"}))),
    ]);
}

#[test]
fn the_last_of_something_is_one_row_and_one_in_the_middle_is_refused() {
    let last = |words: &str| calls("list_expenses", &[json!({"words": words, "limit": 1})]);
    check(vec![
        (&["how much was my last taxi?"], last("taxi")),
        (&["how much did I pay for the last oil change?"], last("oil change")),
        (&["when did I last buy coffee?"], last("coffee")),
        (&["show my latest coffee"], last("coffee")),
        (
            &["how much did I spend in the last 3 days?"],
            calls("get_balance", &[json!({"range": "2026-11-18..2026-11-20"})]),
        ),
        (&["second biggest expense this year"], says(wording::ONLY_FIRST)),
        (&["the next biggest"], says(wording::ONLY_FIRST)),
        (
            &["second biggest burger 12"],
            calls("add_expense", &[json!({"item": "second biggest burger", "amount": "12"})]),
        ),
        (&["what was the 3rd most expensive thing?"], says(wording::ONLY_FIRST)),
        (
            &["how many expenses over 50 in October?"],
            calls("list_expenses", &[json!({"range": OCTOBER, "more_than": "50"})]),
        ),
    ]);
}

#[test]
fn averages_are_of_whole_periods_or_of_a_price() {
    let averages = |per: &str, more: Value| {
        let mut arguments = json!({"by": "none", "average": per});
        more.as_object().into_iter().flatten().for_each(|(name, value)| arguments[name] = value.clone());
        calls("summarize_expenses", &[arguments])
    };
    check(vec![
        (&["how much do I spend on average per week on food?"], averages("week", json!({"category": "food"}))),
        (&["what's my average month?"], averages("month", json!({}))),
        (&["what is my average expense?"], averages("expense", json!({}))),
        (&["average coffee price"], averages("expense", json!({"words": "coffee"}))),
        (&["how much is a coffee on average?"], averages("expense", json!({"words": "coffee"}))),
        (&["average daily spending in October"], averages("day", json!({"range": OCTOBER}))),
        (&["what do I spend on average?"], averages("month", json!({}))),
        (&["wie viel habe ich im Durchschnitt pro Monat ausgegeben?"], averages("month", json!({}))),
        (&["average uber"], averages("expense", json!({"words": "uber"}))),
        (&["average by category"], says(wording::UNKNOWN)),
    ]);
}

#[test]
fn an_order_by_amount_is_had_in_the_currency_that_was_asked_for() {
    let asked = "In which currency? I can only compare amounts of one currency.\n- EUR\n- GBP";
    let largest = |arguments: Value| calls("list_expenses", &[arguments]);
    check(vec![
        (
            &["biggest expenses in October", asked, "EUR"],
            largest(json!({"order": "largest", "limit": 5, "range": OCTOBER, "currency": "EUR"})),
        ),
        (
            &["what was the most expensive thing?", asked, "pounds"],
            largest(json!({"order": "largest", "limit": 1, "currency": "GBP"})),
        ),
        (&["biggest expenses in euros"], largest(json!({"order": "largest", "limit": 5, "currency": "EUR"}))),
    ]);
}

#[test]
fn what_was_spent_so_long_ago_is_of_all_of_the_month_or_week() {
    const SEPTEMBER: &str = "2026-09-01..2026-09-30";
    let spent = |range: &str| calls("get_balance", &[json!({ "range": range })]);
    check(vec![
        (&["how much did I spend two months ago?"], spent(SEPTEMBER)),
        (&["how much did I spend a week ago?"], spent("2026-11-09..2026-11-15")),
        (&["how much did I spend 10 days ago?"], spent("2026-11-10..2026-11-10")),
        (&["wie viel habe ich vor zwei Monaten ausgegeben?"], spent(SEPTEMBER)),
        (&["combien ai-je dépensé il y a deux mois ?"], spent(SEPTEMBER)),
        (&["cuánto gasté hace 2 meses?"], spent(SEPTEMBER)),
    ]);
}

#[test]
fn questions_in_other_languages_are_understood() {
    let week = "2026-11-16..2026-11-22";
    let spent = |range: &str| calls("get_balance", &[json!({"range": range})]);
    check(vec![
        (&["wie viel habe ich diese Woche ausgegeben?"], spent(week)),
        (&["Wie viel habe ich im Oktober ausgegeben?"], spent(OCTOBER)),
        (&["combien ai-je dépensé le mois dernier ?"], spent(OCTOBER)),
        (&["¿cuánto gasté esta semana?"], spent(week)),
        (
            &["wie viel habe ich im Oktober für Lebensmittel ausgegeben?"],
            calls("get_balance", &[json!({"range": OCTOBER, "category": "lebensmittel"})]),
        ),
        (&["wie viel habe ich ohne Miete ausgegeben?"], calls("get_balance", &[json!({"without": ["miete"]})])),
        (&["was habe ich gestern gekauft?"], calls("list_expenses", &[json!({"range": "2026-11-19..2026-11-19"})])),
        (&["zeig meine Ausgaben"], calls("list_expenses", &[json!({})])),
        (&["lösche das Kino"], calls("delete_expense", &[json!({"description": "Kino"})])),
        (&["ändere Kaffee auf 3,60"], calls("update_expense", &[json!({"description": "Kaffee", "amount": "3.60"})])),
    ]);
}

#[test]
fn days_are_compared_with_others_that_were_named_or_with_those_right_before_them() {
    let compares = |range: &str| calls("summarize_expenses", &[json!({"by": "none", "range": range, "compare": true})]);
    let with = |range: &str, than: &str| {
        calls("summarize_expenses", &[json!({"by": "none", "range": range, "than": than, "compare": true})])
    };
    const JULY: &str = "2026-07-01..2026-07-31";
    check(vec![
        (&["compare this month with last month"], compares(NOVEMBER)),
        (&["compare October with September"], compares(OCTOBER)),
        (&["did I spend more than last month?"], compares(NOVEMBER)),
        (&["am I spending less than last week?"], compares("2026-11-16..2026-11-22")),
        (&["compare October to September"], compares(OCTOBER)),
        (&["compare July to October"], with(JULY, OCTOBER)),
        (&["compare October and November"], with(OCTOBER, NOVEMBER)),
        (&["did I spend less in November than in October?"], with(NOVEMBER, OCTOBER)),
        (&["compare yesterday to today"], compares("2026-11-20..2026-11-20")),
        (&["compare October with July"], with(OCTOBER, JULY)),
        (&["did I spend more than in July?"], with(NOVEMBER, JULY)),
        (&["compare my spending"], compares(NOVEMBER)),
        (&["is my spending going up"], compares(NOVEMBER)),
    ]);
}

#[test]
fn groups_averages_and_comparisons_are_asked_for_in_any_words() {
    let sums = |arguments: Value| calls("summarize_expenses", &[arguments]);
    let ranked = |by: &str, order: &str| json!({"by": by, "order": order, "top": 1});
    let averages = |every: &str| json!({"by": "none", "average": every, "category": "transport"});
    check(vec![
        (
            &["what % of my spend in October was on groceries"],
            sums(json!({"by": "none", "share_of": "groceries", "range": OCTOBER})),
        ),
        (
            &["how much money did I earn in October"],
            says("I only record what you spent: no refunds, income, transfers or debts."),
        ),
        (&["my top 5 shops by spend"], sums(json!({"by": "item", "top": 5}))),
        (&["top 5 merchants"], sums(json!({"by": "item", "top": 5}))),
        (&["which store have I been spending the most money at"], sums(json!({"by": "item"}))),
        (&["in which category did I spend the least"], sums(ranked("category", "smallest"))),
        (&["what was my lowest spending month so far"], sums(ranked("month", "smallest"))),
        (&["whats the most ive spent in a month"], sums(ranked("month", "largest"))),
        (&["on average how much do I spend a month on transport"], sums(averages("month"))),
        (&["my transport costs per week, on average"], sums(averages("week"))),
        (&["how much do I normally spend at lidl"], sums(json!({"by": "none", "average": "expense", "words": "lidl"}))),
        (&["compare october and september spending"], sums(json!({"by": "none", "compare": true, "range": OCTOBER}))),
        (
            &["how much more did I spend in november vs july on food"],
            sums(
                json!({"by": "none", "compare": true, "category": "food", "range": NOVEMBER, "than": "2026-07-01..2026-07-31"}),
            ),
        ),
        (
            &["have I spent less on food this month compared to last"],
            sums(json!({"by": "none", "compare": true, "category": "food", "range": NOVEMBER})),
        ),
        (
            &["which did I spend more on, food or transport?"],
            calls("get_balance", &[json!({"category": "food and transport"})]),
        ),
        (
            &["how has my food spending changed this month"],
            sums(json!({"by": "month", "category": "food", "range": NOVEMBER})),
        ),
    ]);
}

#[test]
fn the_largest_and_smallest_are_a_list_in_that_order() {
    let lists = |arguments: Value| calls("list_expenses", &[arguments]);
    check(vec![
        (
            &["what was the biggest expense last month?"],
            lists(json!({"order": "largest", "limit": 1, "range": OCTOBER})),
        ),
        (&["show the biggest"], lists(json!({"order": "largest", "limit": 1}))),
        (&["top 3 expenses"], lists(json!({"order": "largest", "limit": 3}))),
        (&["what were my three most expensive purchases?"], lists(json!({"order": "largest", "limit": 3}))),
        (&["show my biggest expenses"], lists(json!({"order": "largest", "limit": 5}))),
        (
            &["show the cheapest expenses on food"],
            lists(json!({"order": "smallest", "limit": 5, "categories": ["food"]})),
        ),
        (
            &["show the 2 biggest expenses under £50"],
            lists(json!({"order": "largest", "limit": 2, "less_than": "50", "currency": "GBP"})),
        ),
        (
            &["find anything like ubr in October"],
            calls("search_by_meaning", &[json!({"query": "ubr", "range": OCTOBER})]),
        ),
        (&["top 3"], lists(json!({"order": "largest", "limit": 3}))),
        (&["blue top 20"], calls("add_expense", &[json!({"item": "blue top", "amount": "20"})])),
        (&["biggest burger 12"], calls("add_expense", &[json!({"item": "biggest burger", "amount": "12"})])),
    ]);
}

#[test]
fn small_talk_is_answered_briefly() {
    check(vec![
        (&["maybe"], says(wording::UNDECIDED)),
        (&["vielleicht"], says(wording::UNDECIDED)),
        (&["merci"], says(wording::WELCOME)),
        (&["how are you?"], says(wording::WELL)),
        (&["Nein, danke"], says(wording::NOTHING_WAITING)),
        (&["what's the weather like?"], says(wording::OUT_OF_SCOPE)),
        (&["tell me a joke"], says(wording::OUT_OF_SCOPE)),
        (&["who won the match 3 days ago?"], says(wording::OUT_OF_SCOPE)),
    ]);
}

#[test]
fn plain_expenses_are_added_in_four_languages() {
    let adds = |item: &str| calls("add_expense", &[json!({"item": item, "amount": "3.50", "date": "2026-11-19"})]);
    let euros =
        |item: &str, amount: &str| calls("add_expense", &[json!({"item": item, "amount": amount, "currency": "EUR"})]);
    check(vec![
        (&["coffee 3.50 yesterday"], adds("coffee")),
        (&["Kaffee 3,50 gestern"], adds("Kaffee")),
        (&["café 3,50 ayer"], adds("café")),
        (&["café 3,50 hier soir"], adds("café")),
        (&["Kaffee für zwanzig Euro"], euros("Kaffee", "20")),
        (&["pain pour deux euros"], euros("pain", "2")),
        (
            &["café 3,50 hier"],
            asks(json!({
                "text": "Which day do you mean?",
                "options": ["19 Nov 2026", "20 Nov 2026"],
                "missing": ["date"],
            })),
        ),
    ]);
}

#[test]
fn what_was_meant_instead_is_changed_or_picked_anew() {
    let added = "Added “lunch”, £12.00, 20 Nov 2026 (#7).";
    let changes = |mut fields: Value| {
        fields["id"] = 7.into();
        calls("update_expense", &[fields])
    };
    let rows = "Which “uber” do you mean?\n- #1 “uber”, £9.00, 3 Nov 2026\n- #2 “uber”, £12.00, 4 Nov 2026";
    let days = "Which day do you mean?\n- 3 April 2026\n- 4 March 2026";
    let shown = "Delete #1 “uber”, £9.00, 3 Nov 2026? (yes / no)";
    check(vec![
        (&["lunch 12", added, "make it 25"], changes(json!({"amount": "25"}))),
        (&["lunch 12", added, "no, yesterday"], changes(json!({"date": "2026-11-19"}))),
        (&["lunch 12", added, "I meant euros"], changes(json!({"currency": "EUR"}))),
        (&["lunch 12", added, "sorry, it was €13.50"], changes(json!({"amount": "13.50", "currency": "EUR"}))),
        (&["lunch 12", added, "coffee 3"], calls("add_expense", &[json!({"item": "coffee", "amount": "3"})])),
        (&["lunch 12", added, "euros"], changes(json!({"currency": "EUR"}))),
        (
            &["delete the uber", rows, "the first", shown, "no, the other one"],
            calls("delete_expense", &[json!({"id": 2})]),
        ),
        (
            &[
                "lunch 12 on 3/4",
                days,
                "3 April 2026",
                "Add “lunch”, £12.00, 3 Apr 2026? (yes / no)",
                "no, the other one",
            ],
            calls("add_expense", &[json!({"item": "lunch", "amount": "12", "date": "2026-03-04"})]),
        ),
        (
            &["lunch 12", "Add “lunch”, £12.00, 20 Nov 2026? (yes / no)", "I meant euros"],
            calls("revise_proposal", &[json!({"edits": [{"line": 1, "fields": {"currency": "EUR"}}]})]),
        ),
    ]);
}

#[test]
fn questions_about_spending_become_queries() {
    let totals = |arguments: Value| calls("get_balance", &[arguments]);
    let lists = |arguments: Value| calls("list_expenses", &[arguments]);
    check(vec![
        (&["how much did I spend this month?"], totals(json!({"range": "2026-11-01..2026-11-30"}))),
        (&["how much on food last month?"], totals(json!({"range": "2026-10-01..2026-10-31", "category": "food"}))),
        (&["How much did I spend on groceries?"], totals(json!({"category": "groceries"}))),
        (&["what's my balance"], totals(json!({}))),
        (&["total for October"], totals(json!({"range": "2026-10-01..2026-10-31"}))),
        (&["total for 2025"], totals(json!({"range": "2025-01-01..2025-12-31"}))),
        (&["what did I spend?"], totals(json!({}))),
        (&["what did I spend since Monday?"], totals(json!({"range": "2026-11-16..2026-11-20"}))),
        (&["list my expenses"], lists(json!({}))),
        (&["show expenses this week"], lists(json!({"range": "2026-11-16..2026-11-22"}))),
        (&["what did I buy yesterday"], lists(json!({"range": "2026-11-19..2026-11-19"}))),
        (
            &["show expenses over £50 in October"],
            lists(json!({"range": "2026-10-01..2026-10-31", "more_than": "50", "currency": "GBP"})),
        ),
        (&["list expenses between 10 and 20"], lists(json!({"min_amount": "10", "max_amount": "20"}))),
        (&["show food expenses under 20"], lists(json!({"less_than": "20", "category": "food"}))),
        (&["last 5 expenses"], lists(json!({"limit": 5}))),
        (&["show me the last 10 expenses"], lists(json!({"limit": 10}))),
    ]);
}

#[test]
fn a_word_of_a_question_is_used_or_the_question_is_refused() {
    let lists = |arguments: Value| calls("list_expenses", &[arguments]);
    let cannot = || says(wording::CANNOT_LOOK);
    check(vec![
        (&["show my last expense"], lists(json!({"limit": 1}))),
        (&["show me my most recent expense"], lists(json!({"limit": 1}))),
        (&["show the last two expenses"], lists(json!({"limit": 2}))),
        (&["show expenses in €"], lists(json!({"currency": "EUR"}))),
        (&["show only pounds"], lists(json!({"currency": "GBP"}))),
        (&["show non-housing expenses"], lists(json!({"without": ["housing"]}))),
        (
            &["show me everything in kr"],
            asks(
                json!({"text": "Which of these do you mean?", "options": ["show me everything in SEK", "show me everything in NOK", "show me everything in DKK", "show me everything in ISK"], "missing": ["currency"]}),
            ),
        ),
        (
            &["how much more did I spend this month"],
            calls("summarize_expenses", &[json!({"by": "none", "range": NOVEMBER, "compare": true})]),
        ),
        (
            &["show everything over £300 in euros"],
            asks(json!({"text": "In which currency?", "options": ["GBP", "EUR"], "missing": ["currency"]})),
        ),
        (&["show it"], cannot()),
        (&["show me the second one"], cannot()),
        (&["show them all"], cannot()),
        (&["show expenses in the morning"], suggests("show expenses", "morning")),
        (&["how much was it"], cannot()),
        (&["how much since my last haircut"], cannot()),
        (&["how much did bob spend"], suggests("how much did I spend", "bob")),
        (
            &["Weekends only - how much did I spend in October?"],
            suggests("how much did I spend October", "weekends only"),
        ),
    ]);
}

#[test]
fn everyday_questions_need_no_whole_sentence() {
    let totals = |arguments: Value| calls("get_balance", &[arguments]);
    let lists = |arguments: Value| calls("list_expenses", &[arguments]);
    let sums = |arguments: Value| calls("summarize_expenses", &[arguments]);
    let smallest = || calls("list_expenses", &[json!({"order": "smallest", "limit": 1})]);
    check(vec![
        (&["this month"], totals(json!({"range": NOVEMBER}))),
        (&["how much on food?", "You spent £3.", "last month"], totals(json!({"category": "food", "range": OCTOBER}))),
        (&["how much coffee"], totals(json!({"category": "coffee"}))),
        (&["tesco total"], totals(json!({"category": "tesco"}))),
        (&["any purchases above 30 but below 60"], lists(json!({"more_than": "30", "less_than": "60"}))),
        (&["show me stuff over 50 in october"], lists(json!({"more_than": "50", "range": OCTOBER}))),
        (&["mean spend per month"], sums(json!({"by": "none", "average": "month"}))),
        (
            &["how much on food?", "You spent £3.", "same but for october"],
            totals(json!({"category": "food", "range": OCTOBER})),
        ),
        (&["how much in euros"], totals(json!({"currency": "EUR"}))),
        (&["how much on travel in €"], totals(json!({"category": "travel", "currency": "EUR"}))),
        (&["show coffee in euros"], lists(json!({"words": "coffee", "currency": "EUR"}))),
        (&["spending by category in eur"], sums(json!({"by": "category", "currency": "EUR"}))),
        (&["how much in october and november"], totals(json!({"range": "2026-10-01..2026-11-30"}))),
        (&["did I spend anything on sunday"], totals(json!({"range": "2026-11-15..2026-11-15"}))),
        (&["tesco?"], lists(json!({"words": "tesco"}))),
        (&["when did I pay rent"], lists(json!({"category": "rent"}))),
        (&["list all my pharmacy stuff"], lists(json!({"words": "pharmacy"}))),
        (&["oldest expense on record"], lists(json!({"order": "oldest", "limit": 1}))),
        (&["spending over £50 in November"], lists(json!({"more_than": "50", "currency": "GBP", "range": NOVEMBER}))),
        (&["break down last week by day"], sums(json!({"by": "day", "range": "2026-11-09..2026-11-15"}))),
        (&["zeig mir alle Taxifahrten"], lists(json!({"words": "taxifahrten"}))),
        (&["wann habe ich zuletzt Miete bezahlt"], lists(json!({"words": "miete", "limit": 1}))),
        (&["was kostet mich Strom im Schnitt"], sums(json!({"by": "none", "average": "expense", "category": "strom"}))),
        (&["wie oft war ich im Kino"], sums(json!({"by": "none", "words": "kino"}))),
        (&["quand ai-je payé le loyer la dernière fois"], lists(json!({"words": "loyer", "limit": 1}))),
        (&["combien de fois suis-je allé au cinéma"], sums(json!({"by": "none", "words": "cinéma"}))),
        (&["total des courses en novembre"], totals(json!({"category": "courses", "range": NOVEMBER}))),
        (&["¿cuántas veces fui al cine?"], sums(json!({"by": "none", "words": "cine"}))),
        (&["cuándo pagué el alquiler por última vez"], lists(json!({"words": "alquiler", "limit": 1}))),
        (&["show tesco from 2025"], lists(json!({"words": "tesco", "range": "2025-01-01..2025-12-31"}))),
        (&["how many is that?"], says(wording::SAY_IT_WHOLE)),
        (&["did I pay electricity this month"], lists(json!({"words": "electricity", "range": NOVEMBER}))),
        (&["has the rent been paid?"], lists(json!({"words": "rent"}))),
        (&["what was my last uber"], lists(json!({"words": "uber", "limit": 1}))),
        (&["show expenses from tesco"], lists(json!({"words": "tesco"}))),
        (&["show last month's expenses"], lists(json!({"range": OCTOBER}))),
        (&["show categories"], sums(json!({"by": "category"}))),
        (&["what categories do I have"], sums(json!({"by": "category"}))),
        (&["November by week"], sums(json!({"by": "week", "range": NOVEMBER}))),
        (&["how often do I go to tesco"], sums(json!({"by": "none", "words": "tesco"}))),
        (&["cheapest one"], smallest()),
        (&["which was the biggest", "1 of 2 expenses, largest first:\n#9 “rent”", "and the smallest"], smallest()),
    ]);
}

#[test]
fn averages_and_the_costliest_month_are_asked_for_in_any_order_of_words() {
    let sums = |arguments: Value| calls("summarize_expenses", &[arguments]);
    let costliest = || sums(json!({"by": "month", "order": "largest", "top": 1}));
    let monthly = |category: &str| sums(json!({"by": "none", "average": "month", "category": category}));
    check(vec![
        (
            &["how much per day do I spend on average in October, excluding rent"],
            sums(json!({"by": "none", "average": "day", "range": OCTOBER, "without": ["rent"]})),
        ),
        (&["roughly what do I shell out on food each month"], monthly("food")),
        (&["wieviel geb ich im Schnitt pro Monat für Lebensmittel aus"], monthly("lebensmittel")),
        (&["moyenne par mois pour les loisirs"], monthly("loisirs")),
        (&["cuánto gasto de media al mes en comida"], monthly("comida")),
        (&["what was my worst month"], costliest()),
        (&["In welchem Monat habe ich am meisten ausgegeben?"], costliest()),
        (&["dans quel mois ai-je le plus dépensé ?"], costliest()),
        (&["¿Cuál fue el mes en que más gasté?"], costliest()),
    ]);
}

#[test]
fn amounts_places_in_a_list_and_answers_to_go_on_from_are_used() {
    let totals = |arguments: Value| calls("get_balance", &[arguments]);
    let lists = |arguments: Value| calls("list_expenses", &[arguments]);
    let spent = "You spent £5.00 in October 2026: 1 expense.";
    check(vec![
        (&["did I spend more than 2000 in October?"], totals(json!({"range": OCTOBER}))),
        (&["show groceries newest first, only ten"], lists(json!({"category": "groceries", "limit": 10}))),
        (&["quelles sont mes 3 plus grosses dépenses"], lists(json!({"order": "largest", "limit": 3}))),
        (&["how many days since I last bought shoes"], lists(json!({"words": "shoes", "limit": 1}))),
        (
            &["have I bought any flowers recently?"],
            lists(json!({"words": "flowers", "range": "2026-10-22..2026-11-20"})),
        ),
        (
            &["Habe ich in Oktober etwas für Transport ausgegeben?"],
            lists(json!({"category": "transport", "range": OCTOBER})),
        ),
        (
            &["how much in October", spent, "why so much?"],
            lists(json!({"range": OCTOBER, "order": "largest", "limit": 5})),
        ),
        (
            &["combien en octobre", spent, "et seulement le transport ?"],
            totals(json!({"category": "transport", "range": OCTOBER})),
        ),
        (&["cuánto gasté en octubre", spent, "¿y en comida?"], totals(json!({"category": "comida", "range": OCTOBER}))),
        (&["wie viel im Oktober", spent, "zeig mir die einzeln"], lists(json!({"range": OCTOBER}))),
    ]);
}

#[test]
fn budgets_are_set_and_asked_for_in_the_words_there_are_for_it() {
    let sets = |arguments: Value| calls("set_budget", &[arguments]);
    let shows = |arguments: Value| calls("get_budgets", &[arguments]);
    let how_much = || asks(json!({"text": "How much is the budget?", "missing": ["amount"]}));
    let by_or_to = || {
        asks(json!({
            "text": "Should the budget change by 10, or to 10?", "options": ["by 10", "to 10"], "missing": ["amount"]
        }))
    };
    const HOW_MUCH: &str = "How much is the budget?";
    const BY_OR_TO: &str = "Should the budget change by 10, or to 10?";
    check(vec![
        (&["set a budget of 400 per month"], sets(json!({"amount": "400", "period": "month"}))),
        (&["!budget set monthly 1500"], sets(json!({"amount": "1500", "period": "month"}))),
        (&["budget set food 300"], sets(json!({"amount": "300", "category": "food"}))),
        (&["have I got any budgets set up"], shows(json!({}))),
        (&["ask my budget how much I have left for groceries"], shows(json!({"category": "groceries"}))),
        (&["limit my spending to 1000 a month"], sets(json!({"amount": "1000", "period": "month"}))),
        (&["keep food under 200 a month"], sets(json!({"amount": "200", "period": "month", "category": "food"}))),
        (&["set a limit of 50 for alcohol"], sets(json!({"amount": "50", "category": "alcohol"}))),
        (&["food budget up by 20"], sets(json!({"amount": "20", "category": "food", "step": "more"}))),
        (&["get rid of the food budget"], sets(json!({"amount": "0", "category": "food"}))),
        (
            &["delete all budgets"],
            says("I can remove one budget at a time. Nothing was changed. Try “remove the food budget”."),
        ),
        (&["set a budget for food"], how_much()),
        (
            &["set a budget for food", HOW_MUCH, "200 a week"],
            sets(json!({"amount": "200", "period": "week", "category": "food"})),
        ),
        (
            &["set a budget for food", HOW_MUCH, "make it €200 please"],
            sets(json!({"amount": "200", "currency": "EUR", "category": "food"})),
        ),
        (
            &["set a budget for food", HOW_MUCH, "lunch 12"],
            calls("add_expense", &[json!({"item": "lunch", "amount": "12"})]),
        ),
        (&["raise the food budget 10"], by_or_to()),
        (
            &["raise the food budget 10", BY_OR_TO, "by 10"],
            sets(json!({"amount": "10", "category": "food", "step": "more"})),
        ),
        (&["raise the food budget 10", BY_OR_TO, "to 10"], sets(json!({"amount": "10", "category": "food"}))),
        (&["budget airline 60"], calls("add_expense", &[json!({"item": "budget airline", "amount": "60"})])),
        (&["how much can I still spend this month?"], shows(json!({}))),
        (&["how much is left for food?"], shows(json!({"category": "food"}))),
        (&["am I over budget?"], shows(json!({}))),
        (&["how am I doing on my food budget?"], shows(json!({"category": "food"}))),
        (&["budget for food"], shows(json!({"category": "food"}))),
        (&["when is my rent due?"], calls("list_recurring", &[json!({"item": "rent"})])),
        (
            &["will netflix renew this week"],
            calls("list_recurring", &[json!({"item": "netflix", "range": "this week"})]),
        ),
        (&["what bills are due in the next 7 days"], calls("list_recurring", &[json!({"range": "the next 7 days"})])),
        (&["what's due before the end of the month"], calls("list_recurring", &[json!({"range": "this month"})])),
        (&["what do I pay every month"], calls("list_recurring", &[json!({})])),
        (&["what bills are coming up this week"], calls("list_recurring", &[json!({"range": "this week"})])),
        (&["how much will my bills be next month?"], calls("list_recurring", &[json!({"range": "next month"})])),
        (&["anything due on Friday?"], calls("list_recurring", &[json!({"range": "Friday"})])),
        (&["what do I have to pay tomorrow"], calls("list_recurring", &[json!({"range": "tomorrow"})])),
    ]);
}

#[test]
fn weekdays_and_trends_are_groups() {
    let by = |arguments: Value| calls("summarize_expenses", &[arguments]);
    let most = || by(json!({"by": "weekday", "order": "largest", "top": 1}));
    check(vec![
        (&["which day of the week do I spend the most"], most()),
        (&["what day do I usually spend most"], most()),
        (&["spending by weekday in october"], by(json!({"by": "weekday", "range": "2026-10-01..2026-10-31"}))),
        (&["break down october by shop"], by(json!({"by": "item", "range": "2026-10-01..2026-10-31"}))),
        (&["what's the trend for groceries"], by(json!({"by": "month", "category": "groceries"}))),
    ]);
}

#[test]
fn what_comes_back_is_set_and_stopped_by_patterns_and_asked_about_where_something_is_missing() {
    let sets = |arguments: Value| calls("set_recurring", &[arguments]);
    let how_often = || {
        asks(json!({
            "text": "How often does it come back?", "options": ["every week", "every month", "every year"],
            "missing": ["every"]
        }))
    };
    let rent = || json!({"item": "rent", "amount": "950", "every": "month"});
    let from = |day: &str| {
        let mut rent = rent();
        rent["starting"] = day.into();
        sets(rent)
    };
    check(vec![
        (&["rent 950 every month"], sets(rent())),
        (&["every month rent 950"], sets(rent())),
        (&["I pay 950 a month for the rent"], sets(rent())),
        (&["set up rent as a monthly expense of 950"], sets(rent())),
        (&["rent 950 every month on the 1st"], from("the 1st")),
        (&["rent 950 first of every month"], from("on the 1")),
        (&["rent 950 on the 15th of every month"], from("the 15th")),
        (&["rent 950 on the last day of every month"], from("the 31st")),
        (
            &["rent 950 every month on the 1st until March"],
            sets(json!({"item": "rent", "amount": "950", "every": "month", "starting": "the 1st", "until": "March"})),
        ),
        (&["weekly shop 60"], calls("add_expense", &[json!({"item": "weekly shop", "amount": "60"})])),
        (&["coffee 3 every day"], says(wording::NOT_SO_OFTEN)),
        (&["add a recurring expense of 950 for rent"], how_often()),
        (&["add a recurring expense of 950 for rent", "How often does it come back?", "monthly"], sets(rent())),
        (&["make rent recurring"], asks(json!({"text": "How much is “rent” each time?", "missing": ["amount"]}))),
        (&["make rent recurring", "How much is “rent” each time?", "950 a month"], sets(rent())),
        (&["make rent recurring", "How much is “rent” each time?", "950"], how_often()),
        (&["stop the netflix subscription"], calls("stop_recurring", &[json!({"item": "netflix"})])),
        (&["rent no longer repeats"], calls("stop_recurring", &[json!({"item": "rent"})])),
    ]);
}

#[test]
fn german_french_and_spanish_have_patterns_of_their_own() {
    let sets = |arguments: Value| calls("set_budget", &[arguments]);
    let shows = |arguments: Value| calls("get_budgets", &[arguments]);
    let compared = || calls("summarize_expenses", &[json!({"by": "none", "range": NOVEMBER, "compare": true})]);
    let only_now = || {
        says(
            "I only know your budgets as they are now. For the past, ask what you spent, like “how much on food last month”.",
        )
    };
    check(vec![
        (&["stell das Budget für Essen auf 300"], sets(json!({"amount": "300", "category": "Essen"}))),
        (
            &["Budget 300 Euro im Monat für Lebensmittel"],
            sets(json!({"amount": "300", "period": "month", "currency": "EUR", "category": "Lebensmittel"})),
        ),
        (&["mein Budget für Essen ist 200"], sets(json!({"amount": "200", "category": "Essen"}))),
        (&["wie steht mein Budget?"], shows(json!({}))),
        (&["wie war mein Budget letzten Monat?"], only_now()),
        (&["mets un budget de 100 pour les loisirs"], sets(json!({"amount": "100", "category": "loisirs"}))),
        (
            &["augmente le budget nourriture de 50"],
            sets(json!({"amount": "50", "category": "nourriture", "step": "more"})),
        ),
        (&["combien me reste-t-il pour la nourriture ?"], shows(json!({"category": "nourriture"}))),
        (&["pon un presupuesto de 120 para ropa"], sets(json!({"amount": "120", "category": "ropa"}))),
        (&["elimina el presupuesto de comida"], sets(json!({"amount": "0", "category": "comida"}))),
        (&["¿cuánto me queda para comida?"], shows(json!({"category": "comida"}))),
        (&["vergleiche diesen Monat mit letztem Monat"], compared()),
        (&["compare ce mois avec le mois dernier"], compared()),
        (&["compara este mes con el mes pasado"], compared()),
        (&["wie geht es dir?"], says(wording::WELL)),
        (&["comment ça marche ?"], says(wording::HELP)),
        (&["muchas gracias"], says(wording::WELCOME)),
        (&["bonne nuit"], says(wording::GOODBYE)),
    ]);
}

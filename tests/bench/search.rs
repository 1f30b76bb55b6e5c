//! What a search of 10,000 rows costs once they are loaded: the time of a first search, which learns every word, by query.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use sayso::{
    expenses::{Expense, search::Search},
    money::{Currency, Money},
    proposal::Body,
};

const ROWS: usize = 10_000;
const TIMES: usize = 50;

/// Common ones, and as many again that only one row in fifty has.
const WORDS: [&str; 16] = [
    "coffee",
    "lunch",
    "groceries",
    "ticket",
    "taxi",
    "cinema",
    "book",
    "electricity",
    "phone",
    "pharmacy",
    "shoes",
    "rent",
    "dinner",
    "airport",
    "birthday",
    "subscription",
];

fn main() {
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let rows: Vec<Body> = (0..ROWS).map(row).collect();
    println!("| search of {ROWS} rows | p50 ms | found |\n|---|---:|---:|");
    for query in ["coffee", "cofee", "electrcity birthday", "airport taxi dinner receipt17", "nothing like it"] {
        let mut times: Vec<Duration> = Vec::new();
        let mut found = 0;
        for _ in 0..TIMES {
            let started = Instant::now();
            let mut search = Search::new(query).expect("words");
            found = rows.iter().filter(|row| black_box(search.fit(black_box(row))).is_some()).count();
            times.push(started.elapsed());
        }
        times.sort_unstable();
        println!("| {query} | {:.2} | {found} |", times[TIMES / 2].as_secs_f64() * 1e3);
    }
}

fn row(n: usize) -> Body {
    let word = |n: usize| WORDS[n % WORDS.len()];
    let expense = Expense {
        item: format!("{} {}", word(n), word(n / 16)),
        money: Money { minor: 350, currency: Currency::GBP },
        date: "2026-11-20".parse().expect("a date"),
        category: Some(word(n / 7).into()),
        notes: n.is_multiple_of(3).then(|| format!("receipt{} of shop{}", n / 50, n)),
    };
    expense.draft("me").body
}

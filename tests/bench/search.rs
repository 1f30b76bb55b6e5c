//! Measures a search over 10,000 loaded rows: by words, the first search, which also parses every word; by meaning, the
//! comparison with every vector.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use sayso::{
    expenses::{Expense, ExpenseKind},
    model::embeddings::Vector,
    money::{Currency, Money},
    proposal::Body,
    tool::{RecordKind, word_match::WordMatch},
};

const ROWS: usize = 10_000;
const TIMES: usize = 50;

/// The dimensions of a usual embeddings model.
const DIMENSIONS: usize = 1536;

/// Common words; an equal number of words occurs in one row of fifty.
const WORDS: [&str; 16] = [
    "coffee", "lunch", "groceries", "ticket", "taxi", "cinema", "book", "electricity", "phone", "pharmacy", "shoes",
    "rent", "dinner", "airport", "birthday", "subscription",
];

fn main() {
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let fields = ExpenseKind.search().expect("expenses are searched").word_fields();
    let rows: Vec<Body> = (0..ROWS).map(row).collect();
    println!("| search of {ROWS} rows | p50 ms | found |\n|---|---:|---:|");
    for query in ["coffee", "cofee", "electrcity birthday", "airport taxi dinner receipt17", "nothing like it"] {
        let mut times: Vec<Duration> = Vec::new();
        let mut found = 0;
        for _ in 0..TIMES {
            let started = Instant::now();
            let mut search = WordMatch::new(query).expect("words");
            found = rows.iter().filter(|row| black_box(search.fit(black_box(row), fields)).is_some()).count();
            times.push(started.elapsed());
        }
        times.sort_unstable();
        println!("| {query} | {:.2} | {found} |", times[TIMES / 2].as_secs_f64() * 1e3);
    }
    let vectors: Vec<Vector> = (0..ROWS).map(vector).collect();
    let query = vectors[7].query_vector();
    let mut times: Vec<Duration> = Vec::new();
    for _ in 0..TIMES {
        let started = Instant::now();
        let best = vectors.iter().filter_map(|vector| query.cosine(black_box(vector.bytes()))).fold(-1.0, f32::max);
        times.push(started.elapsed());
        assert!(best > 0.99, "it is like itself");
    }
    times.sort_unstable();
    let p50 = times[TIMES / 2].as_secs_f64() * 1e3;
    println!("| (by meaning, {DIMENSIONS} dimensions) | {p50:.2} | {ROWS} |");
}

fn vector(n: usize) -> Vector {
    let number = |dimension: usize| ((n * 31 + dimension * 17) % 1009) as f32 / 1009.0 - 0.5;
    Vector::new(&(0..DIMENSIONS).map(number).collect::<Vec<_>>()).expect("a vector")
}

fn row(n: usize) -> Body {
    let word = |n: usize| WORDS[n % WORDS.len()];
    let expense = Expense {
        lines: vec![],
        bank_id: None,
        item: format!("{} {}", word(n), word(n / 16)),
        money: Money { minor: 350, currency: Currency::GBP },
        date: "2026-11-20".parse().expect("a date"),
        category: Some(word(n / 7).into()),
        notes: n.is_multiple_of(3).then(|| format!("receipt{} of shop{}", n / 50, n)),
    };
    expense.draft("me").body
}

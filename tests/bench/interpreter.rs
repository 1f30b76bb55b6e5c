//! Measures the time of the offline interpreter for one message, without network and store.

#![allow(clippy::unwrap_used)]

use std::{
    hint::black_box,
    pin::pin,
    task::{Context, Poll, Waker},
    time::{Duration, Instant},
};

use jiff::civil::date;
use sayso::{
    expenses,
    model::{Message, Model, ModelRequest, System, ToolChoice, offline::Offline},
    phrases::Conventions,
    receipts,
    tool::Registry,
};

/// Messages that add, ask, change and chat, short and long, in four languages.
const MESSAGES: [&str; 20] = [
    "coffee 3.50 yesterday",
    "coffee 3.50 yesterday and lunch 12 today",
    "electricity bill, £200",
    "bought milk for 2, bread 1.5 and eggs for 3 yesterday",
    "paid £45 for taxi last Friday",
    "dinner €1,234.50 note: with the whole team",
    "laptop 1.234",
    "lunch 12 on 03/04",
    "Kaffee 3,50 gestern",
    "déjeuner vingt-cinq euros le 3 mars 2026",
    "café 3,50 ayer",
    "how much did I spend on food last month?",
    "show expenses over £50 in October",
    "what were my three most expensive purchases this year?",
    "compare this month with last month",
    "delete the coffee from yesterday",
    "change 42 to 45",
    "put all uber in transport",
    "what's the weather like in Paris tomorrow?",
    "I went to the big supermarket by the station after work on Tuesday and bought vegetables, rice and a new pan for the \
     kitchen, all of it together was £64.20, and then took a taxi home because it rained, £11",
];
const MAX_ROUNDS: usize = 2_000;

fn main() {
    // `cargo test --all-targets` starts this program without the argument.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let registry = Registry::new(|| Duration::ZERO, &[expenses::toolkit(), receipts::toolkit()]).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let _inside = runtime.enter();
    let mut times: [Vec<Duration>; MESSAGES.len()] = Default::default();
    for _ in 0..MAX_ROUNDS {
        // Alternating messages, because the last parsed message is cached.
        for (message, times) in MESSAGES.iter().zip(&mut times) {
            times.push(timed(&[Message::User((*message).to_owned())], &registry));
        }
    }
    times.iter_mut().for_each(|times| times.sort_unstable());
    let medians = times.iter().map(|times| times[MAX_ROUNDS / 2]).zip(MESSAGES);
    let slowest = medians.max().expect("messages");
    let mut all = times.concat();
    all.sort_unstable();
    let micros = |part: usize| all[all.len() * part / 100].as_secs_f64() * 1e6;
    println!("| interpreter, per message | p50 {:.0} µs | p99 {:.0} µs |", micros(50), micros(99));
    println!("slowest: {:.0} µs for {} characters", slowest.0.as_secs_f64() * 1e6, slowest.1.len());
}

fn timed(messages: &[Message], registry: &Registry) -> Duration {
    let system = System::default();
    let request = ModelRequest {
        people: &[],
        system: &system,
        today: date(2026, 11, 20),
        hour: 12,
        conventions: Conventions::default(),
        messages,
        page_rows: &[],
        tools: registry.specs(),
        choice: ToolChoice::Auto,
        deadline: tokio::time::Instant::now(),
        pieces: None,
    };
    let begun = Instant::now();
    let mut completing = pin!(Offline.complete(request));
    let Poll::Ready(completion) = completing.as_mut().poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("the interpreter waits for nobody")
    };
    let taken = begun.elapsed();
    black_box(completion.unwrap());
    taken
}

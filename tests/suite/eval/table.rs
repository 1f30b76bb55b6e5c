//! The figures of conversations, as lines of text.

use std::{ops::AddAssign, time::Duration};

use super::meter::Spent;

/// The longest name of a conversation that is shown whole.
const NAME: usize = 48;

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Figures {
    pub turns: usize,
    pub right: usize,
    pub asked: usize,
    pub wrong: usize,
    /// Turns that no model answered.
    pub failed: usize,
    /// False claims that the person read, in turns of any verdict.
    pub false_claims: usize,
    /// False claims that the service kept from the person.
    pub held_back: usize,
    pub spent: Spent,
    pub time: Duration,
}

/// Of a million tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prices {
    pub input: f64,
    pub output: f64,
}

impl AddAssign for Figures {
    fn add_assign(&mut self, more: Figures) {
        self.turns += more.turns;
        self.right += more.right;
        self.asked += more.asked;
        self.wrong += more.wrong;
        self.failed += more.failed;
        self.false_claims += more.false_claims;
        self.held_back += more.held_back;
        self.spent += more.spent;
        self.time += more.time;
    }
}

impl Prices {
    fn cost(self, spent: Spent) -> f64 {
        let tokens = |tokens: u64| f64::from(u32::try_from(tokens).unwrap_or(u32::MAX));
        (tokens(spent.input) * self.input + tokens(spent.output) * self.output) / 1e6
    }
}

pub fn header(prices: Option<Prices>) -> String {
    let cost = prices.map_or("", |_| "     cost");
    format!(
        "{:NAME$} turns right asked wrong failed false  held calls    input   output{cost}     time",
        "conversation"
    )
}

pub fn line(name: &str, figures: &Figures, prices: Option<Prices>) -> String {
    let Figures { turns, right, asked, wrong, failed, false_claims, held_back, spent, time } = figures;
    let Spent { calls, input, output } = spent;
    let cost = prices.map(|prices| format!(" {:>8.4}", prices.cost(*spent))).unwrap_or_default();
    let time = format!("{:.1} s", time.as_secs_f64());
    format!(
        "{:NAME$} {turns:>5} {right:>5} {asked:>5} {wrong:>5} {failed:>6} {false_claims:>5} {held_back:>5} {calls:>5} \
         {input:>8} {output:>8}{cost} {time:>8}",
        shortened(name)
    )
}

fn shortened(name: &str) -> String {
    if name.chars().count() <= NAME {
        return name.to_owned();
    }
    format!("{}…", name.chars().take(NAME - 1).collect::<String>())
}

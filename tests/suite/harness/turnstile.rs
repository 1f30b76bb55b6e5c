//! Lets the store calls of two tasks pass one by one, in the order that the test gives.

use std::sync::Arc;

use tokio::sync::{Semaphore, watch};

tokio::task_local! {
    /// Which of the two tasks is running; unset for others.
    pub static ACTOR: usize;
}

#[derive(Debug, Clone)]
pub struct Turnstile {
    gates: Arc<[Semaphore; 2]>,
    /// For each task, the number of finished calls, and whether the task has ended.
    ended: watch::Sender<[(usize, bool); 2]>,
}

impl Default for Turnstile {
    fn default() -> Turnstile {
        let gates = Arc::new([Semaphore::new(0), Semaphore::new(0)]);
        Turnstile { gates, ended: watch::Sender::new([(0, false); 2]) }
    }
}

impl Turnstile {
    /// Before a call.
    pub async fn pass(&self) {
        if let Ok(actor) = ACTOR.try_with(|actor| *actor) {
            self.gates[actor].acquire().await.expect("a gate is never closed").forget();
        }
    }

    /// After a call.
    pub fn passed(&self) {
        if let Ok(actor) = ACTOR.try_with(|actor| *actor) {
            self.ended.send_modify(|ended| ended[actor].0 += 1);
        }
    }

    /// Runs both tasks. Their calls pass in this order as far as it goes, then without an order.
    pub async fn run<A: Future, B: Future>(&self, order: &[usize], first: A, second: B) -> (A::Output, B::Output) {
        self.ended.send_replace([(0, false); 2]);
        let acting = |actor: usize| {
            let ended = self.ended.clone();
            move || ended.send_modify(|ended| ended[actor].1 = true)
        };
        let (end_first, end_second) = (acting(0), acting(1));
        let first = async {
            let output = ACTOR.scope(0, first).await;
            end_first();
            output
        };
        let second = async {
            let output = ACTOR.scope(1, second).await;
            end_second();
            output
        };
        let (_, first, second) = tokio::join!(self.let_through(order), first, second);
        (first, second)
    }

    async fn let_through(&self, order: &[usize]) {
        let mut ended = self.ended.subscribe();
        for &actor in order {
            let before = ended.borrow()[actor];
            if !before.1 {
                self.gates[actor].add_permits(1);
                ended.wait_for(|ended| ended[actor].0 > before.0 || ended[actor].1).await.expect("it is there");
            }
        }
        for actor in 0..2 {
            let before = ended.borrow()[actor];
            if !before.1 {
                self.gates[actor].add_permits(1_000);
                ended.wait_for(|ended| ended[actor].1).await.expect("it is there");
            }
            self.gates[actor].forget_permits(usize::MAX >> 4);
        }
    }
}

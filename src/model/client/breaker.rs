//! A circuit breaker: after repeated failures a model is not called for a while, so that people get an error at once.

use std::{
    sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
    time::Duration,
};

use tokio::time::Instant;

use crate::model::ModelError;

/// This many consecutive failures open it.
const FAILURES: u32 = 5;

const OPEN: Duration = Duration::from_secs(15);

/// Longer, because the operator has to pay first.
const OPEN_WITHOUT_CREDIT: Duration = Duration::from_secs(60);

pub(super) struct Breaker {
    born: Instant,
    failures: AtomicU32,
    without_credit: AtomicBool,
    /// In milliseconds since it was created; 0 while it is closed.
    open_until: AtomicU64,
}

impl Default for Breaker {
    fn default() -> Breaker {
        Breaker {
            born: Instant::now(),
            failures: AtomicU32::new(0),
            without_credit: AtomicBool::new(false),
            open_until: AtomicU64::new(0),
        }
    }
}

impl Breaker {
    /// Returns an error while it is open. After its time, one caller may try, and the others get the error until that
    /// call ends.
    pub fn check(&self) -> Result<(), ModelError> {
        let until = self.open_until.load(Ordering::Acquire);
        if until == 0 {
            return Ok(());
        }
        let now = self.age();
        let probing = now >= until
            && self
                .open_until
                .compare_exchange(until, now + millis(self.hold()), Ordering::AcqRel, Ordering::Acquire)
                .is_ok();
        match probing {
            true => Ok(()),
            false if self.without_credit.load(Ordering::Acquire) => Err(ModelError::OutOfCredit),
            false => Err(ModelError::Unavailable("it failed too often, and is not asked for a moment")),
        }
    }

    /// Whether a call would be refused, or be the trial call.
    pub fn is_open(&self) -> bool {
        self.open_until.load(Ordering::Acquire) > 0
    }

    pub fn record(&self, error: Option<&ModelError>) {
        match error {
            Some(ModelError::OutOfCredit) => {
                self.without_credit.store(true, Ordering::Release);
                self.open();
            }
            Some(ModelError::Timeout | ModelError::Unavailable(_)) => {
                if self.failures.fetch_add(1, Ordering::AcqRel) + 1 >= FAILURES {
                    self.open();
                }
            }
            // The provider answered, or the fault is not the provider's.
            None
            | Some(ModelError::Busy { .. } | ModelError::NoKey(_) | ModelError::Rejected | ModelError::TooLong) => {
                self.failures.store(0, Ordering::Release);
                self.without_credit.store(false, Ordering::Release);
                self.open_until.store(0, Ordering::Release);
            }
        }
    }

    fn open(&self) {
        self.open_until.store(self.age() + millis(self.hold()), Ordering::Release);
    }

    fn hold(&self) -> Duration {
        if self.without_credit.load(Ordering::Acquire) { OPEN_WITHOUT_CREDIT } else { OPEN }
    }

    fn age(&self) -> u64 {
        millis(self.born.elapsed())
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOWN: ModelError = ModelError::Unavailable("down");
    const OPENED: Result<(), ModelError> =
        Err(ModelError::Unavailable("it failed too often, and is not asked for a moment"));

    #[tokio::test(start_paused = true)]
    async fn it_opens_after_consecutive_failures_and_later_allows_one_trial() {
        let breaker = Breaker::default();
        for _ in 0..4 {
            breaker.record(Some(&DOWN));
        }
        breaker.record(None);
        for _ in 0..4 {
            breaker.record(Some(&DOWN));
        }
        assert_eq!(breaker.check(), Ok(()), "an answer in between starts the count again");
        breaker.record(Some(&ModelError::Timeout));
        assert_eq!(breaker.check(), OPENED);
        tokio::time::advance(OPEN).await;
        assert_eq!((breaker.check(), breaker.check()), (Ok(()), OPENED), "one tries");
        breaker.record(Some(&DOWN));
        assert_eq!(breaker.check(), OPENED, "in vain");
        tokio::time::advance(OPEN).await;
        assert_eq!(breaker.check(), Ok(()));
        breaker.record(None);
        assert_eq!((breaker.check(), breaker.check()), (Ok(()), Ok(())));
    }

    #[tokio::test(start_paused = true)]
    async fn without_credit_it_opens_at_once_and_for_longer() {
        let breaker = Breaker::default();
        breaker.record(Some(&ModelError::OutOfCredit));
        tokio::time::advance(OPEN).await;
        assert_eq!(breaker.check(), Err(ModelError::OutOfCredit));
        tokio::time::advance(OPEN_WITHOUT_CREDIT - OPEN).await;
        assert_eq!((breaker.check(), breaker.check()), (Ok(()), Err(ModelError::OutOfCredit)));
        breaker.record(None);
        assert_eq!(breaker.check(), Ok(()));
    }
}

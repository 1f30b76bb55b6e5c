//! How fast a run may go, and for how long. It waits for the store as no other part of a turn does, so it reads a
//! monotonic clock.

use std::time::Duration;

use tokio::time::Instant;

use crate::proposal::Event;

/// A transaction that cannot be seen through is not begun: the store's own patience is nearly as long.
const CHUNK_TIME: Duration = Duration::from_secs(8);

/// What a turn spends on a run that is not its own.
const SLICE: Duration = Duration::from_secs(3);

/// Rows a second, however often the store asks for patience.
const SLOWEST: f64 = 20.0;

pub(super) struct RateLimit {
    deadline: Instant,
    /// None is as fast as it can. A partition of DynamoDB takes only so many writes a second, and others want some.
    rows_per_second: Option<f64>,
    last: Instant,
}

impl RateLimit {
    pub fn new(deadline: Instant, rows_per_second: Option<u32>) -> RateLimit {
        RateLimit { deadline, rows_per_second: rows_per_second.map(f64::from), last: Instant::now() }
    }

    /// Whether another chunk would be too late.
    pub fn is_out_of_time(&self) -> bool {
        self.deadline.saturating_duration_since(Instant::now()) < CHUNK_TIME
    }

    /// Waits until so many rows have had their time. After a conflict or throttling, half as fast.
    pub async fn wait_for(&mut self, rows: usize, event: &Event) {
        let Some(rate) = &mut self.rows_per_second else { return };
        match event {
            Event::Conflict => *rate = (*rate / 2.0).max(SLOWEST),
            Event::Committed if rows > 0 => {
                let rows = u32::try_from(rows).map_or(f64::MAX, f64::from);
                tokio::time::sleep_until(self.last + Duration::from_secs_f64(rows / *rate)).await;
                self.last = Instant::now();
            }
            _ => {}
        }
    }
}

/// A deadline for what comes before the turn's own work.
pub(super) fn slice(deadline: Instant) -> Instant {
    deadline.min(Instant::now() + CHUNK_TIME + SLICE)
}

//! Limits the speed and the duration of a run. A run waits between writes, so this reads a monotonic clock.

use std::time::Duration;

use tokio::time::Instant;

use crate::proposal::Event;

/// No transaction starts with less time left, because retries in the store can take nearly as long.
const CHUNK_TIME: Duration = Duration::from_secs(8);

/// Time that a turn spends on a run of an earlier message.
const SLICE: Duration = Duration::from_secs(3);

/// Rows per second. Throttling never reduces the rate below this.
const SLOWEST: f64 = 20.0;

pub(super) struct RateLimit {
    deadline: Instant,
    /// Rows per second; None is unlimited. A DynamoDB partition has a write limit that other requests need too.
    rows_per_second: Option<f64>,
    last: Instant,
}

impl RateLimit {
    pub fn new(deadline: Instant, rows_per_second: Option<u32>) -> RateLimit {
        RateLimit { deadline, rows_per_second: rows_per_second.map(f64::from), last: Instant::now() }
    }

    /// Whether there is no time for another chunk.
    pub fn is_out_of_time(&self) -> bool {
        self.deadline.saturating_duration_since(Instant::now()) < CHUNK_TIME
    }

    /// Waits as long as this number of rows takes. Halves the rate after a conflict or throttling.
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

/// The deadline for finishing earlier runs, so that the turn keeps time for its own work.
pub(super) fn slice(deadline: Instant) -> Instant {
    deadline.min(Instant::now() + CHUNK_TIME + SLICE)
}

//! How fast a run may go. A partition of DynamoDB takes about a thousand writes a second; a run leaves room for others.

use std::time::Duration;

use tokio::time::Instant;

use crate::proposal::Event;

/// However often the store asks for patience.
const SLOWEST: f64 = 20.0;

pub(super) struct Pace {
    /// None is as fast as it can.
    rows_per_second: Option<f64>,
    last: Instant,
}

impl Pace {
    pub fn new(rows_per_second: Option<u32>) -> Pace {
        Pace { rows_per_second: rows_per_second.map(f64::from), last: Instant::now() }
    }

    /// Waits until so many rows have had their time. After a conflict or throttling, half as fast.
    pub async fn keep(&mut self, rows: usize, event: &Event) {
        let Some(pace) = &mut self.rows_per_second else { return };
        match event {
            Event::Conflict => *pace = (*pace / 2.0).max(SLOWEST),
            Event::Committed if rows > 0 => {
                let rows = u32::try_from(rows).map_or(f64::MAX, f64::from);
                tokio::time::sleep_until(self.last + Duration::from_secs_f64(rows / *pace)).await;
                self.last = Instant::now();
            }
            _ => {}
        }
    }
}

//! Captured logs, as JSON lines.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
};

use tracing::subscriber::DefaultGuard;

pub type Log = Arc<Mutex<Vec<u8>>>;

/// Captures the log of this thread while the guard lives, at the default level.
pub fn captured_log() -> (Log, DefaultGuard) {
    let log = Log::default();
    let lines = log.clone();
    let subscriber = tracing_subscriber::fmt().json().with_writer(move || Lines(lines.clone())).finish();
    (log, tracing::subscriber::set_default(subscriber))
}

struct Lines(Log);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no writer panicked").extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

//! One test binary. Tests name what a person, a client or an operator can rely on.

mod harness;

mod conversations;
mod decisions;

//! Keys and tokens.

/// A value that must not appear in logs.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Hidden(pub String);

impl std::fmt::Debug for Hidden {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("(hidden)")
    }
}

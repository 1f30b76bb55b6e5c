//! Whether words tell of something that may be known already.
//!
//! Closed classes of words, in the four languages. What is known it does not know.

use super::{Conventions, lexicon::Class, tokens::Line};

/// "The lunch 14", "lunch cost me 14": as people speak of what was spoken of before.
pub fn tells_of_known(text: &str) -> bool {
    let line = Line::new(text, Conventions::default());
    tells_anew(text) || (0..line.tokens.len()).any(|at| line.is(at, Class::OfKnown))
}

/// "Lunch was 14", "lunch ended up at 14", "sorry, lunch 14": as people say what something was, whatever they said of it before.
pub fn tells_anew(text: &str) -> bool {
    let line = Line::new(text, Conventions::default());
    (0..line.tokens.len()).any(|at| line.is(at, Class::Was) || line.is(at, Class::Apology))
}

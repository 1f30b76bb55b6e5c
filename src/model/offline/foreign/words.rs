//! The words of questions and orders in German, French and Spanish, and what they are in English.
//!
//! It knows no sentence: of phrases that begin alike the longer one comes first, and that is all their order says.

mod french;
mod german;
mod spanish;

/// A phrase, and what it is in English.
pub(super) type Phrases = &'static [(&'static str, &'static str)];

/// How a question or an order begins, and what its words are.
pub(super) const LANGUAGES: [(&[&str], Phrases); 3] =
    [(german::OPENINGS, german::PHRASES), (french::OPENINGS, french::PHRASES), (spanish::OPENINGS, spanish::PHRASES)];

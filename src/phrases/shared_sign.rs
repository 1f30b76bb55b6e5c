//! What several currencies are called alike: "$", "kr", "pesos".

use super::lexicon::Class;
use crate::money::Currency;

/// What several currencies are called alike, of which a person means one. Weights and small coins are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SharedSign(usize);

impl SharedSign {
    pub fn named(sign: &str) -> Option<SharedSign> {
        Class::Shared.all().iter().position(|(known, _)| *known == sign).map(SharedSign)
    }

    /// What they have in common: "dollars" are no pesos, but both are written "$".
    pub fn of(any: &[Currency]) -> Option<SharedSign> {
        (0..Class::Shared.all().len())
            .map(SharedSign)
            .find(|sign| any.len() > 1 && any.iter().all(|one| sign.is_shared_by(*one)))
    }

    pub fn is_shared_by(self, currency: Currency) -> bool {
        Class::Shared.all()[self.0].1.says.contains(currency.code())
    }

    pub fn as_str(self) -> &'static str {
        Class::Shared.all()[self.0].0
    }
}

impl std::fmt::Display for SharedSign {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shared_is_told_by_its_currencies() {
        for (at, (name, sense)) in Class::Shared.all().iter().enumerate() {
            let currencies: Vec<_> = sense.says.split(' ').map(|code| Currency::parse(code).unwrap()).collect();
            assert_eq!(SharedSign::of(&currencies), Some(SharedSign(at)), "{name}");
            assert_eq!(SharedSign::named(name), Some(SharedSign(at)), "{name}");
        }
        assert_eq!(SharedSign::of(&[Currency::GBP]), None);
    }
}
